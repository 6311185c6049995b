"""What is asked for: which derivative, with respect to what, of which arguments.

`wrt` and `adapters` read what the user wrote, `asked` is what they make of it; `sharing` and `into` look at the
arguments and the arrays that are given.
"""
