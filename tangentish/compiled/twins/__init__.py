"""The helpers of runtime as Numba compiles them, by the types of their arguments; importing this registers them.

A helper without a twin here is refused where it is called. A twin does what the helper does for the types it takes:
arrays, numbers, tuples and lists; what it can't take it gives no implementation for, and Numba says so.
"""

from tangentish.compiled.twins import (
    along_axes,
    arrangement,
    calls,
    copies,
    elements,
    factors,
    lists,
    names,
    norms,
    orders,
    own,
    places,
    polynomials,
    products,
    shapes,
    tapes,
)

__all__ = [
    "along_axes",
    "arrangement",
    "calls",
    "copies",
    "elements",
    "factors",
    "lists",
    "names",
    "norms",
    "orders",
    "own",
    "places",
    "polynomials",
    "products",
    "shapes",
    "tapes",
]
