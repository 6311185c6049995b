"""Helpers for gradients of lists, which are lists of the gradients of their elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.shapes import is_array


def zeros(x: Any) -> Any:
    """Zeros in the structure of `x`: a list of them for a list or a tuple, None for what is no number.

    Integers and bools get zeros, too: they may stand among floats, as the 0 that a sum starts from.
    """
    if isinstance(x, (list, tuple)):
        return [zeros(item) for item in x]
    if isinstance(x, dict):
        return {k: zeros(v) for k, v in x.items()}
    if is_array(x):
        if x.dtype.kind in "iub":
            return np.zeros_like(x, float)
        return np.zeros_like(x) if x.dtype.kind in "fc" else None
    kind = getattr(getattr(x, "dtype", None), "kind", "")
    return 0.0 if isinstance(x, (int, float, complex)) or kind in set("iubfc") else None


def real_parts(g: Any) -> Any:
    """The real parts of the gradient of a list of real numbers, whose elements stood beside complex ones."""
    if isinstance(g, (list, tuple)):
        return [real_parts(item) for item in g]
    if isinstance(g, dict):
        return {k: real_parts(v) for k, v in g.items()}
    return g if g is None else g.real


def real_like(g: Any, x: Any) -> Any:
    """The real part of `g`, the gradient of a value whose type was not known beforehand: it has to be real."""
    if np.iscomplexobj(x):
        raise TypeError("a complex number meets a real one whose type was not known beforehand")
    return g.real


def zeros_of_each(xs: Any) -> Any:
    """Zeros for the elements that a list gets more of, whatever gives them; what can be run over once raises."""
    if is_array(xs):
        return np.zeros_like(xs, float if xs.dtype.kind in "iub" else None)
    if iter(xs) is xs:
        raise TypeError(
            f"the elements of a {type(xs).__name__} can be taken once only: write list(...) before"
        )
    return [zeros(x) for x in xs]


def added(a: Any, b: Any) -> Any:
    """The sums of the elements of two gradients of the same list."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return [added(x, y) for x, y in zip(a, b, strict=True)]
    if isinstance(a, dict) and isinstance(b, dict):
        return {k: added(a.get(k), b.get(k)) for k in {**a, **b}}
    if a is None or b is None:
        return b if a is None else a
    return a + b


def copied(g: Any) -> Any:
    """A list, or a dict, of the elements of `g`, with arrays of their own."""
    if isinstance(g, dict):
        return dict(zip(g, copied(list(g.values())), strict=True))
    if is_array(g):
        rows = map(np.asarray, g) if isinstance(g, np.ndarray) else g
        return [
            row[()] if isinstance(row, np.ndarray) and not row.ndim else row.copy() for row in rows
        ]
    return [
        copied(item) if isinstance(item, (list, tuple)) else np.copy(item) if is_array(item) else item
        for item in g
    ]  # fmt: skip


def unstacked(g: Any, depth: int) -> Any:
    """The array `g` as nested lists of arrays of their own, `depth` lists deep."""
    return np.array(g) if depth == 0 else [unstacked(row, depth - 1) for row in g]


def take_last(xs: list[Any], n: int) -> list[Any]:
    """The last `n` elements, which are taken out of the list."""
    start = len(xs) - n
    taken = xs[start:]
    del xs[start:]
    return taken


def take_out(xs: list[Any], k: int) -> Any:
    """The element that `xs.insert(k, v)` put in, which is taken out again."""
    before = len(xs) - 1
    return xs.pop(max(k + before, 0) if k < 0 else min(k, before))


def put_back(xs: list[Any], k: int, v: Any) -> None:
    """Put `v` where `xs.pop(k)` took it from."""
    xs.insert(k + len(xs) + 1 if k < 0 else k, v)


def contents(xs: Any) -> Any:
    """The elements of a list, or the values of a dict, each with a copy of what it holds."""
    if isinstance(xs, (list, tuple)):
        return [(x, contents(x)) for x in xs]
    if isinstance(xs, dict):
        return {k: (x, contents(x)) for k, x in xs.items()}
    return xs.copy() if is_array(xs) else None


def set_contents(xs: Any, saved: Any) -> None:
    """The list, or the dict, holds the same objects again, and they what they held."""
    if isinstance(xs, list):
        xs[:] = [x for x, _ in saved]
    if isinstance(xs, dict):
        set_items(xs, {k: x for k, (x, _) in saved.items()})
        for x, held in saved.values():
            set_contents(x, held)
    if isinstance(xs, (list, tuple)):
        for x, held in saved:
            set_contents(x, held)
    elif is_array(xs):
        xs[...] = saved


def put_entry(d: dict[Any, Any], key: Any, old: Any) -> None:
    """What stands under a key is what it was; None: nothing."""
    if old is None:
        d.pop(key, None)
    else:
        d[key] = old


def set_item(xs: list[Any], k: int, old: Any) -> None:
    """The k-th element is what it was, the same array if it is one."""
    if is_array(xs[k]):
        xs[k][...] = old
    else:
        xs[k] = old[()]


def set_items(xs: Any, items: Any) -> None:
    """The list holds these items again, the dict these entries."""
    if isinstance(xs, dict):
        xs.clear()
        xs.update(items)
    else:
        xs[:] = items


def in_structure(g: Any, x: Any) -> Any:
    """The gradient of `x`, given as nested lists, in the structure of `x`: None for what is no float."""
    if isinstance(x, (list, tuple)) and g is not None:
        items = [in_structure(part, item) for part, item in zip(g, x, strict=True)]
        return type(x)(*items) if hasattr(x, "_fields") else type(x)(items)
    if isinstance(x, dict) and g is not None:
        return {k: in_structure(g[k], item) for k, item in x.items()}
    return None if is_whole(x) else g


def is_whole(x: Any) -> bool:
    """Whether `x` is None, an integer or a bool, or an array of those."""
    return (
        x is None
        or isinstance(x, int)
        or getattr(getattr(x, "dtype", None), "kind", "") in {*"iub"}
    )


def with_fields(x: Any, /, **fields: Any) -> Any:
    """A new object of the type of `x`, or of the class `x`, with just these attributes."""
    kind: Any = x if isinstance(x, type) else type(x)
    try:
        new = object.__new__(kind)
    except TypeError:  # a SimpleNamespace
        new = kind.__new__(kind)
    for name, value in fields.items():
        object.__setattr__(new, name, value)
    return new
