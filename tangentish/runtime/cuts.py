"""Where no gradient flows back."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def stop_gradient(x: T) -> T:
    """`x` itself, which counts as a constant in every derivative.

        u = stop_gradient(x * x)
        z = u * x                   # the gradient of z is u, not 3 * x * x

    x: a number or an array of any shape and dtype. In the generated source of a gradient the line
    stands as a comment, with nothing below it. (MXNet's and D2L's `detach`, JAX's `stop_gradient`.)
    """
    return x
