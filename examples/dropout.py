"""Dropout, which is one function in training and another in prediction.

`is_training()` is True while a gradient is taken and False in a plain call, so a layer can tell. The generated source
shows the branch that was taken; `training=False` asks for the other.
"""

import numpy as np
from picture import Picture

from tangentish import grad, is_training, value_and_grad

HIDDEN, RATE, STEPS = 100, 0.3, 1500


def dropout(x, rate, rng):
    """While training, some elements are zero, and the others larger, so that the mean stays."""
    if not is_training() or rate == 0:
        return x
    return x * (rng.random(x.shape) >= rate) / (1 - rate)


def predicted(params, x, rate, rng):
    hidden = np.tanh(np.outer(x, params["w"]) + params["b"])
    return dropout(hidden, rate, rng) @ params["v"]


def loss(params, x, y, rate, rng):
    return np.mean((predicted(params, x, rate, rng) - y) ** 2)


def trained(x, y, rate):
    """Gradient descent with momentum."""
    rng = np.random.default_rng(3)
    params = {
        "w": rng.normal(0.0, 8.0, HIDDEN),
        "b": rng.normal(0.0, 8.0, HIDDEN),
        "v": rng.normal(0.0, 0.1, HIDDEN),
    }
    speed = {name: np.zeros(HIDDEN) for name in params}
    loss_and_gradient = value_and_grad(loss)
    for _ in range(STEPS):
        _, gradient = loss_and_gradient(params, x, y, rate, rng)
        for name, value in params.items():
            speed[name] = 0.9 * speed[name] - gradient[name] / HIDDEN
            params[name] = value + speed[name]
    return params


def main():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-1.0, 1.0, 16))
    y = np.sin(3 * x) + rng.normal(0.0, 0.3, x.size)
    places = np.linspace(-1.0, 1.0, 121)

    plain, dropped = trained(x, y, 0.0), trained(x, y, RATE)

    print("While training:\n")
    print(grad(dropout).source(x, RATE, rng))
    print("In prediction:\n")
    print(grad(dropout, training=False).source(x, RATE, rng))

    twice = [predicted(dropped, places, RATE, rng) for _ in range(2)]
    assert np.array_equal(*twice), "a plain call drops nothing"
    with is_training(True):
        noisy = predicted(dropped, places, RATE, rng)
    assert not np.array_equal(noisy, twice[0])

    picture, errors = Picture(), []
    for title, params in (("without dropout", plain), ("with dropout", dropped)):
        curve = predicted(params, places, RATE, rng)
        error = np.sqrt(np.mean((curve - np.sin(3 * places)) ** 2))
        errors.append(error)
        print(
            f"{title}: error {error:.3f}, on the points {np.sqrt(loss(params, x, y, 0.0, rng)):.3f}"
        )
        panel = picture.panel(f"{title}: error {error:.3f}", "x")
        panel.line(places, curve, "learnt").dashed(places, np.sin(3 * places), "true")
        panel.points(x, y, "seen")
    assert errors[1] < 0.8 * errors[0], "dropout helps"
    panel = picture.panel("one draw while training", "x")
    panel.line(places, noisy, "with elements dropped").line(places, twice[0], "in prediction")
    return picture


if __name__ == "__main__":
    main().save(__file__)
