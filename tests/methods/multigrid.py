"""Multigrid V-cycles for the Poisson equation in one dimension.

W. Briggs, V. Henson, S. McCormick, A Multigrid Tutorial, chapter 3.
"""

import numpy as np

from . import method


def relax(v, f, h, sweeps, omega=2 / 3):
    """Weighted Jacobi."""
    for _ in range(sweeps):
        v[1:-1] = (1 - omega) * v[1:-1] + omega / 2 * (v[:-2] + v[2:] + h**2 * f[1:-1])
    return v


def residual(v, f, h):
    r = np.zeros_like(v)
    r[1:-1] = f[1:-1] - (-v[:-2] + 2 * v[1:-1] - v[2:]) / h**2
    return r


def restrict(r):
    """Full weighting."""
    coarse = r[::2].copy()
    coarse[1:-1] = (r[1:-2:2] + 2 * r[2:-1:2] + r[3::2]) / 4
    return coarse


def prolong(e):
    """Linear interpolation."""
    fine = np.zeros(2 * len(e) - 1)
    fine[::2] = e
    fine[1::2] = (e[:-1] + e[1:]) / 2
    return fine


def v_cycle(v, f, h, nu1=2, nu2=1):
    v = relax(v, f, h, nu1)
    if len(v) > 3:
        r = restrict(residual(v, f, h))
        e = v_cycle(np.zeros_like(r), r, 2 * h, nu1, nu2)
        v = v + prolong(e)
    return relax(v, f, h, nu2)


def solve(f, left, right, cycles):
    n = len(f) - 1
    v = np.zeros(n + 1)
    v[0], v[-1] = left, right
    for _ in range(cycles):
        v = v_cycle(v, f, 1 / n)
    return v


method(
    solve,
    lambda: (np.sin(3 * np.linspace(0, 1, 9)) + 1, 0.2, -0.1, 2),
    wrt=(0, 1, 2),
)
