"""Compiled derivatives: what is generated is changed to what Numba takes, and compiled.

    form.py       the statements as Numba takes them: one table of what is written otherwise
    listed.py      lists written as loops, where Numba drops stores beside them
    overlap.py    updates of an array by a view of itself, which Numba does element by element
    unset.py      variables that may have no value, which Numba reads as zero
    outside.py    globals and closures travel as arguments; functions of the user's are compiled, too
    refused.py    what Numba takes but means otherwise
    writer.py     the text of a compiled function, and the function
    generate.py   gradient, or forward and adjoint
    entry.py      from Python into compiled code
    places.py     from a line of generated text to the user's
    jit.py        Numba itself, its errors as refusals
    results.py    what comes back has the types that the interpreted derivative gives
    twins/        the helpers of runtime as Numba compiles them

Numba is imported by twins/ and saved.py alone, and by functions of jit.py.
"""
