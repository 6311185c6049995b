"""Natural cubic splines: the Thomas algorithm for the second derivatives, and evaluation.

W. Press et al., Numerical Recipes, section 3.3.
"""

import numpy as np

from . import method


def spline(x, y):
    """Second derivatives at the nodes."""
    n = len(x)
    y2 = np.zeros(n)
    u = np.zeros(n - 1)
    for i in range(1, n - 1):
        sig = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1])
        p = sig * y2[i - 1] + 2.0
        y2[i] = (sig - 1.0) / p
        u[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1])
        u[i] = (6.0 * u[i] / (x[i + 1] - x[i - 1]) - sig * u[i - 1]) / p
    for k in range(n - 2, -1, -1):
        y2[k] = y2[k] * y2[k + 1] + (u[k] if k > 0 else 0.0)
    return y2


def splint(xa, ya, y2a, x):
    """The spline at x."""
    klo = 0
    khi = len(xa) - 1
    while khi - klo > 1:
        k = (khi + klo) // 2
        if xa[k] > x:
            khi = k
        else:
            klo = k
    h = xa[khi] - xa[klo]
    if h == 0.0:
        raise ValueError("bad input to splint: nodes must be distinct")
    a = (xa[khi] - x) / h
    b = (x - xa[klo]) / h
    return a * ya[klo] + b * ya[khi] + ((a**3 - a) * y2a[klo] + (b**3 - b) * y2a[khi]) * h**2 / 6.0


def interpolate(xa, ya, xs):
    y2 = spline(xa, ya)
    return np.array([splint(xa, ya, y2, x) for x in xs])


def nodes():
    xa = np.array([0.0, 0.7, 1.1, 1.9, 2.6])
    return xa, np.sin(xa) + 0.3 * xa**2, np.array([0.2, 1.0, 1.5, 2.5])


method(interpolate, nodes, wrt=(0, 1, 2))
