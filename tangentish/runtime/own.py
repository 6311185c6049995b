"""What a rule of the user's own gives: looked at before it is used."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.runtime.shapes import is_array, shape_of
from tangentish.runtime.types import Array


def checked(gradients: Any, *args: Any) -> Any:
    """The gradients that a rule gives, one for each of `args`, with their shapes and types.

    None stands for an argument that takes no gradient. TypeError where the number is wrong, where
    a gradient is missing or no real number; ValueError where its shape is not that of its argument.
    """
    if len(args) == 1 and not isinstance(gradients, tuple):
        return _fitted(gradients, args[0], "the gradient")
    if not isinstance(gradients, (tuple, list)):
        raise TypeError(
            f"a rule gives a tuple of {len(args)} gradients, one for each argument, "
            f"not {type(gradients).__name__}"
        )
    if len(gradients) != len(args):
        raise TypeError(f"a rule gives {len(args)} gradients, one for each argument, not {len(gradients)}")  # fmt: skip
    pairs = zip(gradients, args, strict=True)
    found = tuple(_fitted(g, x, f"gradient {k} of {len(args)}") for k, (g, x) in enumerate(pairs, 1))  # fmt: skip
    return found if len(found) != 1 else found[0]


def checked_tangent(tangent: Any, y: Array) -> Any:
    """The tangent that a rule gives, with the shape and type of the value `y`."""
    return _fitted(tangent, y, "the tangent")


def _fitted(g: Any, x: Any, what: str) -> Any:
    """`g` as a value like `x`."""
    if x is None:
        return None
    if g is None:
        raise TypeError(f"{what} that a rule gives is None, though a derivative is wanted there")
    own, like = _dtype(g).kind, _dtype(x).kind
    if own not in ("fiubc" if like == "c" else "fiub"):
        raise TypeError(
            f"{what} that a rule gives is {_dtype(g)}: it must be a real number or array"
        )
    have, want = shape_of(g), shape_of(x)
    if have != want:
        raise ValueError(f"{what} that a rule gives has the shape {have}, its argument has {want}")
    if isinstance(x, np.ndarray):
        return np.asarray(g, x.dtype)
    if is_array(x):
        return g.astype(x.dtype) if is_array(g) else np.full_like(x, g)
    if is_array(g) and not isinstance(g, np.ndarray):
        return g
    if isinstance(x, np.generic):
        return x.dtype.type(g)
    return complex(g) if like == "c" else float(g)


def _dtype(value: Any) -> Any:
    return value.dtype if is_array(value) else np.asarray(value).dtype
