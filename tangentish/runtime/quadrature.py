"""Integrals of SciPy that are sums over nodes which nothing moves but the limits: written in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def fixed_quad(
    func: Callable[..., Any], a: float, b: float, args: Any = (), n: int = 5
) -> tuple[Any, None]:
    """`scipy.integrate.fixed_quad`."""
    from scipy.special import roots_legendre  # noqa: PLC0415 - SciPy may not be there

    x, w = roots_legendre(n)
    if np.isinf(a) or np.isinf(b):
        raise ValueError("Gaussian quadrature is only available for finite limits.")
    y = (b - a) * (x + 1) / 2.0 + a
    return (b - a) / 2.0 * np.sum(w * func(y, *args), axis=-1), None
