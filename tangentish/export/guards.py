"""What an exported module carries to look at its arguments; like `runtime`, it imports only numpy.

A kind is a type (`float`, `np.float32`, `str`), None, or a tuple that begins with a word:

    ("array", "float64", ("n", 1))        an array of two axes, the second of length 1
    ("array", "float64", ("n>2",))        an array whose length is neither 0, 1 nor 2
    ("array", "float64", None)            an array of any rank
    ("contiguous", "float64", ("n",))     an array whose layout matters
    ("list", (float, float))              likewise "tuple"
    ("dict", (("w", float), ("b", int)))  a dict of just these keys, in this order
    ("object", "Line", (("slope", float),))  an object of the class of that name, with just these attributes
    ("object", "Line", (("slope", float),), (("unit", float),))    that has this one from its class
    ("object", "Generator", None)         an object of which only the class matters
    ("value", "sum")                      this string, or flag, and no other

Axes of one letter have one length, in all arguments.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["check_kinds", "check_value", "fit_heads", "outline", "refuse_shared", "scalar_head"]

ARRAYS = ("numpy.ndarray",)
CONTAINERS: dict[str, Any] = {"list": list, "tuple": tuple, "dict": dict}


def check_kinds(function: str, kinds: dict[str, Any], *values: Any) -> None:
    """Raise TypeError for arguments of another kind than the function was generated for."""
    lengths: dict[str, int] = {}
    for (name, kind), value in zip(kinds.items(), values, strict=True):
        met = ", ".join(f"{axis} = {length}" for axis, length in lengths.items())
        if not is_of_kind(value, kind, lengths):
            same = isinstance(kind, tuple) and type(value) is type(kind[1])  # another of its sort
            given = repr(value) if same and kind[0] == "value" else described(value)
            raise TypeError(
                f"{function}() was generated for {name}: {shown(kind)}, not for {given}"
                + (f", where {met}" if met else "")
                + "; export it for other kinds with --like"
            )


def is_of_kind(value: Any, kind: Any, lengths: dict[str, int]) -> bool:
    """Whether a value is of a kind; `lengths` holds those of the axes met before."""
    if not isinstance(kind, tuple):
        return type(value) is kind or (kind is None and value is None)
    form, what, *rest = kind
    if form == "value":
        return type(value) is type(what) and bool(value == what)
    if form == "object":
        return type(value).__qualname__ == what and is_object(value, rest, lengths)
    if rest:
        return is_array(value, form, what) and fits(value.shape, rest[0], lengths)
    if type(value) is not CONTAINERS[form] or len(value) != len(what):
        return False
    if form == "dict":
        kinds = [kind for _, kind in what]
        if list(value) != [key for key, _ in what]:
            return False
        return is_of_kind(list(value.values()), ("list", kinds), lengths)
    return all(is_of_kind(v, k, lengths) for v, k in zip(value, what, strict=True))


def is_object(value: Any, attributes: Any, lengths: dict[str, int]) -> bool:
    """Whether an object holds just these attributes, and finds those in its class."""
    if attributes[0] is None:
        return True
    own, shared = dict(attributes[0]), dict(*attributes[1:])
    return attributes_of(value).keys() == own.keys() and all(
        hasattr(value, name) and is_of_kind(getattr(value, name), kind, lengths)
        for name, kind in (own | shared).items()
    )


def attributes_of(value: Any) -> dict[str, Any]:
    """What an object of a class of the user's, or a named tuple, holds by name."""
    if isinstance(value, tuple):
        return dict(zip(getattr(value, "_fields", ()), value, strict=False))
    plain = isinstance(value, np.ndarray) or type(value).__module__ == "builtins"
    return {} if plain else getattr(value, "__dict__", {})


def is_array(value: Any, form: str, dtype: str) -> bool:
    """Whether a value is a plain array of that dtype, and laid out as `form` says."""
    kind = type(value)
    if f"{kind.__module__}.{kind.__qualname__}" not in ARRAYS or value.dtype != np.dtype(dtype):
        return False
    return form != "contiguous" or bool(value.flags.c_contiguous)


def fits(
    shape: tuple[int, ...], axes: tuple[str | int, ...] | None, lengths: dict[str, int]
) -> bool:
    """Whether lengths of 0, 1 and 2 stand where they should and only there, and equal ones are equal."""
    if axes is None:
        return True
    return len(shape) == len(axes) and all(
        n == axis if isinstance(axis, int)
        else n > 1 + axis.endswith(">2") and lengths.setdefault(axis, n) == n
        for n, axis in zip(shape, axes, strict=True)
    )  # fmt: skip


def shown(kind: Any) -> str:
    """A kind as text: `float64[n, 1]`."""
    if not isinstance(kind, tuple):
        return str(getattr(kind, "__name__", kind))
    form, what, *rest = kind
    if form == "value":
        return repr(what)
    if form == "object":
        return what if rest[0] is None else f"{what}({'; '.join(map(with_names, rest))})"
    if rest:
        inside = "..." if rest[0] is None else ", ".join(map(str, rest[0]))
        return f"{'contiguous ' if form == 'contiguous' else ''}{what}[{inside}]"
    if form == "dict":
        return "{" + ", ".join(f"{key!r}: {shown(kind)}" for key, kind in what) + "}"
    opening, closing = "[]" if form == "list" else "()"
    return opening + ", ".join(map(shown, what)) + closing


def with_names(attributes: Any) -> str:
    """Attributes as text: `slope: float, offset: float`."""
    return ", ".join(f"{name}: {shown(kind)}" for name, kind in attributes)


def described(value: Any, depth: int = 4) -> str:
    """What a value is, as text."""
    held = attributes_of(value)
    if held and depth:
        pairs = ((name, described(item, depth - 1)) for name, item in held.items())
        return f"{type(value).__qualname__}({', '.join(f'{name}: {item}' for name, item in pairs)})"
    if isinstance(value, (list, tuple)):
        opening, closing = "[]" if isinstance(value, list) else "()"
        return opening + ", ".join(map(described, value)) + closing
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {described(item)}" for key, item in value.items()) + "}"
    if not isinstance(value, np.ndarray):
        return "None" if value is None else type(value).__name__
    kind = "" if type(value) is np.ndarray else f"{type(value).__name__} of "
    layout = "" if value.flags.c_contiguous else ", which is not contiguous"
    return f"{kind}{value.dtype}[{', '.join(map(str, value.shape))}]{layout}"


def scalar_head(dy: Any) -> float:
    """The head gradient of a result that is a number."""
    if type(dy) is not float and not (
        isinstance(dy, (int, float, np.integer, np.floating)) and not isinstance(dy, bool)
    ):
        raise TypeError(f"the head gradient must be a float, not {described(dy)}")
    return float(dy)


def outline(value: Any) -> Any:
    """The outputs, arrays replaced by ones without memory, which nobody can write to."""
    if isinstance(value, (tuple, list)):
        return type(value)(map(outline, value))
    if isinstance(value, np.ndarray):
        return np.broadcast_to(np.empty((), value.dtype), value.shape)
    return value


def fit_heads(function: str, value: Any, dy: Any) -> Any:
    """The head gradients of outputs like `value`, in their dtypes; None stands for zeros."""
    if isinstance(value, (tuple, list)):
        if not isinstance(dy, (tuple, list)) or len(dy) != len(value):
            what = f"{function}() returns {len(value)} outputs: give as many head gradients"
            raise TypeError(f"{what}, not {described(dy)}")
        return type(value)(fit_heads(function, v, d) for v, d in zip(value, dy, strict=True))
    dtype = value.dtype if hasattr(value, "dtype") else np.asarray(value).dtype
    if dtype.kind != "f":
        if dy is not None:
            what = f"{described(value)} among the outputs of {function}() has no gradient"
            raise TypeError(f"{what}: pass None for it")
        return None
    if not isinstance(value, np.ndarray):
        return type(value)(0.0 if dy is None else scalar_head(dy))
    head = np.zeros(value.shape, dtype) if dy is None else np.asarray(dy)
    if head.dtype.kind not in "fiu":
        raise TypeError(f"the head gradient must be of floats, not {described(dy)}")
    if head.shape != value.shape:
        raise ValueError(f"the head gradient has shape {head.shape}, the value {value.shape}")
    return head.astype(dtype, copy=False)


def check_value(function: str, value: Any) -> None:
    """Raise TypeError unless the value is one float or one array of floats."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return
    if not isinstance(value, (float, np.floating)):
        raise TypeError(f"{function}() returns {described(value)}, which has no gradient")


def refuse_shared(function: str, values: dict[str, Any], written: tuple[str, ...]) -> None:
    """Raise ValueError where an argument that the function writes to shares memory with another."""
    for name in written:
        own = places_in(values[name])
        others = [a for other, value in values.items() if other != name for a in places_in(value)]
        others += [a for k, a in enumerate(own) if any(share_memory(a, b) for b in own[:k])]
        if any(share_memory(a, b) for a in own for b in others):
            raise ValueError(
                f"the argument {name!r} of {function}() shares memory with another, and "
                f"{function}() writes to it: pass a copy"
            )


def places_in(value: Any, depth: int = 8) -> list[Any]:
    """The arrays, lists, dicts and objects in a value, itself among them: what can be written to."""
    held = value if isinstance(value, dict) else attributes_of(value)
    items = value if isinstance(value, (list, tuple)) else list(held.values())
    if (items or isinstance(value, (list, dict))) and depth:
        own = [] if isinstance(value, tuple) else [value]
        return own + [place for item in items for place in places_in(item, depth - 1)]
    return [value] if isinstance(value, np.ndarray) else []


def share_memory(a: Any, b: Any) -> bool:
    """Whether two arrays may have an element in common, or two containers are one."""
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return a is b
    effort: Any = 1000  # that an exact answer may cost; where it costs more, the extents tell
    return bool(np.may_share_memory(a, b)) and bool(np.may_share_memory(a, b, max_work=effort))
