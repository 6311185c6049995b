"""Twins of runtime/polynomials.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish import runtime
from tangentish.compiled.twins.registry import twin


@twin(runtime.widened)
def _widened(g: Any, x: Any, w: Any, mode: Any, correlates: Any = False) -> Any:
    def placed(g: Any, x: Any, w: Any, mode: Any, correlates: Any = False) -> Any:
        short, long = min(len(x), len(w)), max(len(x), len(w))
        start = 0
        if mode == "valid":
            start = short - 1
        elif mode == "same":
            start = short // 2 if correlates and len(x) < len(w) else (short - 1) // 2
        out = np.zeros(short + long - 1, g.dtype)
        out[start : start + len(g)] = g
        return out

    return placed
