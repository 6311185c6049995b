"""Runge-Kutta-Fehlberg 4(5) with control of the step size.

R. Burden, J. D. Faires, Numerical Analysis, algorithm 5.3; E. Hairer, S. Nørsett, G. Wanner.
"""

import numpy as np

from . import method


def rkf_step(f, t, y, h):
    """One step: the solution of order 4, and an estimate of its error."""
    k1 = h * f(t, y)
    k2 = h * f(t + h / 4, y + k1 / 4)
    k3 = h * f(t + 3 * h / 8, y + 3 * k1 / 32 + 9 * k2 / 32)
    k4 = h * f(t + 12 * h / 13, y + 1932 * k1 / 2197 - 7200 * k2 / 2197 + 7296 * k3 / 2197)
    k5 = h * f(t + h, y + 439 * k1 / 216 - 8 * k2 + 3680 * k3 / 513 - 845 * k4 / 4104)
    k6 = h * f(
        t + h / 2,
        y - 8 * k1 / 27 + 2 * k2 - 3544 * k3 / 2565 + 1859 * k4 / 4104 - 11 * k5 / 40,
    )
    y4 = y + 25 * k1 / 216 + 1408 * k3 / 2565 + 2197 * k4 / 4104 - k5 / 5
    err = k1 / 360 - 128 * k3 / 4275 - 2197 * k4 / 75240 + k5 / 50 + 2 * k6 / 55
    return y4, np.max(np.abs(err)) / h


def rkf45(f, t0, t1, y0, tol=1e-4, h=0.2, hmin=1e-6):
    """Times and states of all accepted steps."""
    ts = [t0]
    ys = [y0]
    t, y = t0, y0
    while t < t1:
        if t + h > t1:
            h = t1 - t
        y_new, err = rkf_step(f, t, y, h)
        if err <= tol:
            t = t + h
            y = y_new
            ts.append(t)
            ys.append(y)
        q = 0.84 * (tol / err) ** 0.25
        h = h * min(4.0, max(0.1, q))
        if h < hmin and t < t1:
            raise RuntimeError("minimum step size exceeded")
    return np.array(ts), np.array(ys)


def predator_prey(y0, params, t1):
    """Lotka-Volterra: the last state, and the mean of all."""
    alpha, beta, delta, gamma = params

    def f(t, y):
        prey, predators = y
        return np.array(
            [alpha * prey - beta * prey * predators, delta * prey * predators - gamma * predators]
        )

    ts, ys = rkf45(f, 0.0, t1, y0)
    return ys[-1] + ys.mean(axis=0)


method(
    predator_prey,
    lambda: (np.array([1.2, 0.8]), np.array([1.1, 0.7, 0.5, 0.9]), 1.5),
    wrt=(0, 1),
)
