"""The noise of a Kalman filter, fitted by maximum likelihood.

A body drifts; only its place is measured. How much the velocity wanders and how wrong the measurements are decides what
the filter believes. Both are found as those that make the measurements most likely.
"""

import numpy as np
from picture import Picture
from scipy.optimize import minimize

from tangentish import check_grad, value_and_grad

MOVE = np.array([[1.0, 1.0], [0.0, 1.0]])
PUSH = np.array([[0.25, 0.5], [0.5, 1.0]])
SEEN = np.array([1.0, 0.0])


def surprise(logs, measured):
    """-log likelihood, up to a constant; `logs` are those of the two standard deviations."""
    drift, error = np.exp(2 * logs[0]), np.exp(2 * logs[1])
    state, spread = np.zeros(2), 10.0 * np.eye(2)
    total = 0.0
    for z in measured:
        state = MOVE @ state
        spread = MOVE @ spread @ MOVE.T + drift * PUSH
        variance = SEEN @ spread @ SEEN + error
        residual = z - SEEN @ state
        total += 0.5 * (np.log(variance) + residual**2 / variance)
        gain = spread @ SEEN / variance
        state = state + gain * residual
        spread = spread - np.outer(gain, SEEN @ spread)
    return total / len(measured)


def filtered(logs, measured):
    """The places that the filter believes."""
    drift, error = np.exp(2 * logs[0]), np.exp(2 * logs[1])
    state, spread = np.zeros(2), 10.0 * np.eye(2)
    places = []
    for z in measured:
        state = MOVE @ state
        spread = MOVE @ spread @ MOVE.T + drift * PUSH
        gain = spread @ SEEN / (SEEN @ spread @ SEEN + error)
        state = state + gain * (z - SEEN @ state)
        spread = spread - np.outer(gain, SEEN @ spread)
        places.append(state[0])
    return np.array(places)


def observed(count, drift, error):
    """Places, and measurements of them."""
    rng = np.random.default_rng(0)
    state, places = np.zeros(2), []
    for push in rng.normal(0.0, drift, count):
        state = MOVE @ state + push * np.array([0.5, 1.0])
        places.append(state[0])
    return np.array(places), np.array(places) + rng.normal(0.0, error, count)


def main():
    true = np.array([0.5, 2.0])
    places, measured = observed(400, *true)
    start = np.log(np.array([1.0, 1.0]))

    surprise_and_gradient = value_and_grad(surprise)
    print(surprise_and_gradient.source(start, measured))
    check_grad(surprise, start, measured, wrt="logs")
    found = minimize(surprise_and_gradient, start, args=(measured,), jac=True, method="BFGS")
    print(f"standard deviations {np.exp(found.x)}, those that made the data {true}")
    assert np.allclose(np.exp(found.x), true, rtol=0.1)

    picture, times = Picture(), np.arange(len(places))
    for title, logs in (("first guess", start), ("most likely", found.x)):
        believed = filtered(logs, measured)
        error = np.sqrt(np.mean((believed - places) ** 2))
        print(f"{title}: the places are wrong by {error:.3f}")
        panel = picture.panel(f"{title}: error {error:.2f}", "time")
        panel.points(times[:100], (measured - places)[:100], "measured", "#999999")
        panel.line(times[:100], (believed - places)[:100], "believed, less the truth", "#4477aa")
    steps = np.linspace(-3.0, 1.0, 60)
    panel = picture.panel("surprise", "log of the drift")
    panel.line(steps, [surprise(np.array([s, found.x[1]]), measured) for s in steps])
    panel.points([found.x[0]], [found.fun])
    return picture


if __name__ == "__main__":
    main().save(__file__)
