"""Black-Scholes prices, and the volatility implied by a price, by Newton's method.

J. Hull, Options, Futures, and Other Derivatives, chapter 15.
"""

from math import erf, exp, log, pi, sqrt

from . import method


def norm_cdf(x):
    return 0.5 * (1.0 + erf(x / sqrt(2.0)))


def norm_pdf(x):
    return exp(-0.5 * x * x) / sqrt(2.0 * pi)


def d1_d2(S, K, T, r, sigma):
    d1 = (log(S / K) + (r + 0.5 * sigma**2) * T) / (sigma * sqrt(T))
    return d1, d1 - sigma * sqrt(T)


def bs_price(S, K, T, r, sigma, call=True):
    """Price of a European option."""
    d1, d2 = d1_d2(S, K, T, r, sigma)
    if call:
        return S * norm_cdf(d1) - K * exp(-r * T) * norm_cdf(d2)
    return K * exp(-r * T) * norm_cdf(-d2) - S * norm_cdf(-d1)


def bs_vega(S, K, T, r, sigma):
    d1, _ = d1_d2(S, K, T, r, sigma)
    return S * norm_pdf(d1) * sqrt(T)


def implied_vol(price, S, K, T, r, call=True, sigma=0.2, tol=1e-12, max_iter=50):
    """The volatility at which the option has this price."""
    it = 0
    while it < max_iter:
        diff = bs_price(S, K, T, r, sigma, call) - price
        if abs(diff) < tol:
            return sigma
        vega = bs_vega(S, K, T, r, sigma)
        if vega < 1e-10:
            break
        sigma = sigma - diff / vega
        it += 1
    raise RuntimeError("no convergence")


method(implied_vol, lambda: (10.5, 100.0, 95.0, 0.75, 0.02, False), wrt=(0, 1, 2, 3, 4))
