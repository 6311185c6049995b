"""The parameters of a differential equation, fitted to data.

Hares and foxes after Lotka and Volterra, integrated by Runge and Kutta's method in a plain loop. The gradient of the
misfit goes through every step of the integration; SciPy's least squares takes its Jacobian likewise.
"""

import numpy as np
from picture import Picture
from scipy.optimize import minimize

from tangentish import check_grad, value_and_grad

STEP, COUNT, EVERY = 0.1, 200, 8
TRUE = np.array([1.1, 0.4, 0.1, 0.4])


def growth(state, rates):
    """How fast hares and foxes become more."""
    hares, foxes = state
    birth, eaten, raised, death = rates
    return np.array([hares * (birth - eaten * foxes), foxes * (raised * hares - death)])


def integrated(rates, start, steps):
    """The states at all times, one in a row."""
    states = np.empty((steps + 1, 2))
    states[0] = start
    for k in range(steps):
        x = states[k]
        k1 = growth(x, rates)
        k2 = growth(x + STEP / 2 * k1, rates)
        k3 = growth(x + STEP / 2 * k2, rates)
        k4 = growth(x + STEP * k3, rates)
        states[k + 1] = x + STEP / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return states


def misfit(logs, data):
    """Of the rates, whose logarithms are given: the mean square in units of the data."""
    states = integrated(np.exp(logs), np.array([10.0, 5.0]), COUNT)
    return np.mean((np.log(states[::EVERY]) - np.log(data)) ** 2)


def main():
    rng = np.random.default_rng(0)
    truth = integrated(TRUE, np.array([10.0, 5.0]), COUNT)
    data = truth[::EVERY] * np.exp(rng.normal(0.0, 0.1, truth[::EVERY].shape))
    start = np.log(np.array([0.9, 0.3, 0.08, 0.5]))

    misfit_and_gradient = value_and_grad(misfit)
    print(misfit_and_gradient.source(start, data))
    check_grad(misfit, start, data, wrt="logs")
    found = minimize(misfit_and_gradient, start, args=(data,), jac=True, method="BFGS")
    rates = np.exp(found.x)
    print(f"misfit {misfit(start, data):.4f} -> {found.fun:.4f} in {found.nit} iterations")
    print(f"rates {rates}, those that made the data {TRUE}")
    assert np.allclose(rates, TRUE, rtol=0.1)

    times = STEP * np.arange(COUNT + 1)
    before = integrated(np.exp(start), np.array([10.0, 5.0]), COUNT)
    after = integrated(rates, np.array([10.0, 5.0]), COUNT)
    picture = Picture()
    for k, name in enumerate(("hares", "foxes")):
        panel = picture.panel(name, "time")
        panel.dashed(times, before[:, k], "first guess", "#999999")
        panel.line(times, after[:, k], "fitted").points(times[::EVERY], data[:, k], "data")
    return picture


if __name__ == "__main__":
    main().save(__file__)
