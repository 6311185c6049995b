"""Entropies of SciPy, of what is no distribution yet, and the distance made of them: written in Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = Any


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


def jensenshannon(
    p: Array, q: Array, base: Any = None, *, axis: Any = 0, keepdims: bool = False
) -> Array:
    """`scipy.spatial.distance.jensenshannon`, which has a kink where both are the same, and the slope 0 there."""
    from scipy.special import rel_entr  # noqa: PLC0415 - SciPy may not be there

    p_share = p / np.sum(p, axis=axis, keepdims=True)
    q_share = q / np.sum(q, axis=axis, keepdims=True)
    middle = (p_share + q_share) / 2.0
    from_p = np.sum(rel_entr(p_share, middle), axis=axis, keepdims=keepdims)
    from_q = np.sum(rel_entr(q_share, middle), axis=axis, keepdims=keepdims)
    total = (from_p + from_q) / (1.0 if base is None else math.log(base))
    return np.sqrt(np.where(total > 0, total / 2.0, 1.0)) * (total > 0)
