"""Levenberg-Marquardt fit of an exponential decay.

J. Nocedal, S. Wright, Numerical Optimization, section 10.3; K. Madsen et al. (2004), algorithm 3.16.
"""

import numpy as np

from . import method


def model(p, t):
    return p[0] * np.exp(-p[1] * t) + p[2]


def residuals(p, t, y):
    return model(p, t) - y


def jacobian(p, t):
    e = np.exp(-p[1] * t)
    return np.column_stack([e, -p[0] * t * e, np.ones_like(t)])


def fit(y, t, p, lam=1e-2, max_iter=20, tol=1e-12):
    """The parameters that fit y best."""
    r = residuals(p, t, y)
    cost = 0.5 * r @ r
    for it in range(max_iter):
        J = jacobian(p, t)
        g = J.T @ r
        if np.max(np.abs(g)) < tol:
            break
        H = J.T @ J
        step = np.linalg.solve(H + lam * np.diag(np.diag(H)), -g)
        p_new = p + step
        r_new = residuals(p_new, t, y)
        cost_new = 0.5 * r_new @ r_new
        if cost_new < cost:
            p, r, cost = p_new, r_new, cost_new
            lam = max(lam / 3, 1e-9)
        else:
            lam *= 2
    return p


def decay():
    t = np.linspace(0, 3, 7)
    return (
        2.0 * np.exp(-1.3 * t) + 0.4 + 0.05 * np.cos(5 * t),
        t,
        np.array([1.0, 1.0, 0.0]),
        1e-2,
        6,
    )


method(fit, decay, wrt=(0, 1, 2))
