"""Implied volatility: which volatility makes a formula give the price that is paid?

Newton's method on the formula of Black and Scholes, where the derivative (that traders call vega) is generated. All
strikes are solved at once: each price depends on its own volatility only, and the gradient of the sum has them all.
"""

import numpy as np
from picture import Picture
from scipy.stats import norm

from tangentish import grad, value_and_grad


def price(volatility, spot, strike, rate, time):
    """Of a European call."""
    deviation = volatility * np.sqrt(time)
    d1 = (np.log(spot / strike) + rate * time) / deviation + deviation / 2
    return spot * norm.cdf(d1) - strike * np.exp(-rate * time) * norm.cdf(d1 - deviation)


def implied(paid, spot, strike, rate, time):
    """Newton's method, from the volatility at which vega is largest."""
    volatility = np.sqrt(2 * np.abs(np.log(spot / strike) + rate * time) / time) + 0.01
    price_and_vega = value_and_grad(price)
    for step in range(1, 51):
        found, vega = price_and_vega(volatility, spot, strike, rate, time)
        change = (found - paid) / vega
        volatility = volatility - change
        if np.max(np.abs(change)) < 1e-12:
            return volatility, step
    raise RuntimeError("Newton's method does not converge")


def main():
    spot, rate = 100.0, 0.02
    strike = np.linspace(70.0, 140.0, 36)

    def smile(time):
        return 0.18 + 0.5 * (np.log(strike / spot) - 0.05) ** 2 / np.sqrt(time)

    print(grad(price).source(smile(1.0), spot, strike, rate, 1.0))
    vega = grad(price)(smile(1.0), spot, strike, rate, 1.0)
    d1 = (np.log(spot / strike) + rate) / smile(1.0) + smile(1.0) / 2
    assert np.allclose(vega, spot * norm.pdf(d1)), "as in the textbooks"

    picture = Picture()
    prices = picture.panel("price paid", "strike")
    smiles = picture.panel("implied volatility", "strike")
    for time in (0.5, 1.0, 2.0):
        paid = price(smile(time), spot, strike, rate, time)
        volatility, steps = implied(paid, spot, strike, rate, time)
        error = np.max(np.abs(volatility - smile(time)))
        print(f"{time} years: {steps} steps of Newton, wrong by {error:.1e}")
        assert error < 1e-9
        prices.line(strike, paid, f"{time} years")
        smiles.line(strike, volatility, f"{time} years")
    panel = picture.panel("vega, one year", "strike")
    panel.line(strike, vega)
    return picture


if __name__ == "__main__":
    main().save(__file__)
