"""Monte Carlo price of an arithmetic Asian option with antithetic paths and a control variate.

P. Glasserman, Monte Carlo Methods in Financial Engineering, sections 4.1 and 4.2.
"""

import numpy as np

from . import method


def simulate_paths(S0, r, sigma, T, steps, paths, rng):
    """Geometric Brownian motion, one row a path."""
    dt = T / steps
    z = rng.standard_normal((paths // 2, steps))
    z = np.concatenate([z, -z])
    increments = (r - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * z
    return S0 * np.exp(np.cumsum(increments, axis=1))


def price(S0, K, r, sigma, T, steps=4, paths=64, rng=None):
    rng = np.random.default_rng(0) if rng is None else rng
    S = simulate_paths(S0, r, sigma, T, steps, paths, rng)
    discount = np.exp(-r * T)
    payoff = discount * np.maximum(S.mean(axis=1) - K, 0.0)
    control = discount * S[:, -1]
    c = np.cov(payoff, control)
    beta = c[0, 1] / c[1, 1]
    adjusted = payoff - beta * (control - S0)
    return adjusted.mean(), adjusted.std(ddof=1) / np.sqrt(paths)


method(
    price,
    lambda: (100.0, 98.0, 0.03, 0.25, 1.0, 3, 16, np.random.default_rng(7)),
    wrt=(0, 1, 2, 3, 4),
)
