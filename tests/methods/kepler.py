"""Position on an elliptic orbit: Kepler's equation by Newton's method.

D. Vallado, Fundamentals of Astrodynamics and Applications, algorithms 2 and 10.
"""

import numpy as np

from . import method


def eccentric_anomaly(M, e, tol=1e-13, max_iter=30):
    """Solve E - e sin E = M."""
    M = np.mod(M, 2 * np.pi)
    if e < 0.8:
        E = M
    else:
        E = np.pi
    for _ in range(max_iter):
        dE = (E - e * np.sin(E) - M) / (1 - e * np.cos(E))
        E -= dE
        if abs(dE) < tol:
            break
    else:
        raise RuntimeError("Kepler's equation: no convergence")
    return E


def rotation(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    if axis == 0:
        return np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    return np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def position(elements, t, mu=1.0):
    """Inertial position at time t."""
    a, e, inc, raan, argp, M0 = elements
    n = np.sqrt(mu / a**3)
    E = eccentric_anomaly(M0 + n * t, e)
    nu = 2 * np.arctan2(np.sqrt(1 + e) * np.sin(E / 2), np.sqrt(1 - e) * np.cos(E / 2))
    r = a * (1 - e * np.cos(E))
    perifocal = r * np.array([np.cos(nu), np.sin(nu), 0.0])
    return rotation(2, -raan) @ rotation(0, -inc) @ rotation(2, -argp) @ perifocal


method(position, lambda: (np.array([1.3, 0.35, 0.4, 1.1, 0.7, 0.2]), 2.5, 1.05), wrt=(0, 1, 2))
