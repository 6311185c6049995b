"""Kalman filter: the log-likelihood of a linear Gaussian state space model.

S. Särkkä, Bayesian Filtering and Smoothing (2013), theorem 4.2 and section 12.3.
"""

import numpy as np

from . import method


def predict(m, P, F, Q):
    """Time update of mean and covariance."""
    m = F @ m
    P = F @ P @ F.T + Q
    return m, P


def update(m, P, y, H, R):
    """Measurement update; returns the log density of the measurement as well."""
    v = y - H @ m
    S = H @ P @ H.T + R
    K = np.linalg.solve(S, H @ P).T
    m = m + K @ v
    P = P - K @ S @ K.T
    sign, logdet = np.linalg.slogdet(S)
    if sign <= 0:
        raise np.linalg.LinAlgError("innovation covariance is not positive definite")
    log_density = -0.5 * (v @ np.linalg.solve(S, v) + logdet + len(y) * np.log(2 * np.pi))
    return m, P, log_density


def log_likelihood(ys, F, Q, H, R, m0, P0):
    """Sum of the log densities of the innovations."""
    m, P = m0, P0
    total = 0.0
    for y in ys:
        m, P = predict(m, P, F, Q)
        m, P, log_density = update(m, P, y, H, R)
        total += log_density
    return total


def tracking():
    dt, q = 0.5, 0.3
    F = np.array([[1.0, dt], [0.0, 1.0]])
    Q = q * np.array([[dt**3 / 3, dt**2 / 2], [dt**2 / 2, dt]]) + 0.01 * np.eye(2)
    H = np.array([[1.0, 0.0], [0.3, 1.0]])
    R = np.array([[0.2, 0.02], [0.02, 0.4]])
    t = np.arange(5)
    ys = np.column_stack([np.sin(t) + 0.1 * t, np.cos(t)])
    return ys, F, Q, H, R, np.array([0.1, 0.8]), np.eye(2)


method(log_likelihood, tracking, wrt=(0, 1, 2, 3, 4, 5, 6))
