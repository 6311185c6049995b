"""The polar decomposition of SciPy: written in Python."""

from __future__ import annotations

from tangentish.runtime.types import Array


def polar(a: Array, side: str = "right") -> tuple[Array, Array]:
    """`scipy.linalg.polar`."""
    from scipy.linalg import svd  # noqa: PLC0415 - SciPy may not be there

    if side not in ("right", "left"):
        raise ValueError("`side` must be either 'right' or 'left'")
    w, s, vh = svd(a, full_matrices=False)
    if side == "right":
        return w @ vh, (vh.T * s) @ vh
    return w @ vh, (w * s) @ w.T
