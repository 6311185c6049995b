"""Entropies of SciPy, of what is no distribution yet: written in Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = Any

__all__ = ["entropy"]


def entropy(
    pk: Array, qk: Any = None, base: Any = None, axis: Any = 0, *, keepdims: bool = False
) -> Array:
    """`scipy.stats.entropy`."""
    from scipy.special import entr, rel_entr  # noqa: PLC0415 - SciPy may not be there

    if qk is None:
        terms = entr(pk / np.sum(pk, axis=axis, keepdims=True))
    else:
        p, q = np.broadcast_arrays(pk, qk)
        total_p, total_q = np.sum(p, axis=axis, keepdims=True), np.sum(q, axis=axis, keepdims=True)
        terms = rel_entr(p / total_p, q / total_q)
    total = np.sum(terms, axis=axis, keepdims=keepdims)
    return total if base is None else total / math.log(base)
