"""Adaptive Simpson quadrature by recursion.

W. Gander, W. Gautschi, Adaptive Quadrature - Revisited (2000); J. Lyness (1969).
"""

import math

from . import method


def simpson(f, a, fa, b, fb):
    m = (a + b) / 2
    fm = f(m)
    return m, fm, abs(b - a) / 6 * (fa + 4 * fm + fb)


def recurse(f, a, fa, b, fb, eps, whole, m, fm, depth):
    lm, flm, left = simpson(f, a, fa, m, fm)
    rm, frm, right = simpson(f, m, fm, b, fb)
    delta = left + right - whole
    if depth == 0 or abs(delta) <= 15 * eps:
        return left + right + delta / 15
    return recurse(f, a, fa, m, fm, eps / 2, left, lm, flm, depth - 1) + recurse(
        f, m, fm, b, fb, eps / 2, right, rm, frm, depth - 1
    )


def quad_asr(f, a, b, eps=1e-3, depth=8):
    """The integral of f from a to b."""
    fa, fb = f(a), f(b)
    m, fm, whole = simpson(f, a, fa, b, fb)
    return recurse(f, a, fa, b, fb, eps, whole, m, fm, depth)


def peak(position, width, a, b):
    """The integral of a Lorentz curve."""
    return quad_asr(lambda x: 1 / (1 + ((x - position) / width) ** 2) + 0.1 * math.sin(x), a, b)


method(peak, lambda: (0.3, 0.4, -1.0, 2.0), wrt=(0, 1, 2, 3))
