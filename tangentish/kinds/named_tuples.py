"""Classes of named tuples: `typing.NamedTuple`, `namedtuple("U", "x y")`, and classes of methods made from these."""

from __future__ import annotations

_OF_MAKING = {
    "__new__",
    "__init__",
    "__getattr__",
    "_fields",
    "_field_defaults",
    "_make",
    "_replace",
}


def is_named_tuple(cls: type) -> bool:
    """Whether this is a class of named tuples, or one that only has further methods."""
    made = next((c for c in cls.__mro__ if c.__bases__ == (tuple,) and "_fields" in vars(c)), None)
    if made is None or cls.__mro__[-2] is not tuple or len(cls.__bases__) > 1:
        return False
    between = cls.__mro__[: cls.__mro__.index(made)]
    return not any(_OF_MAKING & vars(c).keys() for c in between)
