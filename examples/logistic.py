"""A logistic model, fitted by gradient descent into arrays that are allocated once.

`grad(loss).into(buffers)` gives a function that writes the gradient into the arrays it was given. With tqdm there is a
progress bar, without it the loop is plain.
"""

import numpy as np
from picture import Picture

from tangentish import check_grad, grad

try:
    from tqdm import trange
except ImportError:
    trange = range

STEPS, RATE = 300, 1.0


def loss(params, x, labels):
    """The mean of -log p, where p is the probability that the model gives to the label, 0 or 1."""
    z = x @ params["w"] + params["b"]
    return np.mean(np.logaddexp(0.0, z) - labels * z)


def points(count):
    """Two clouds, which overlap."""
    rng = np.random.default_rng(0)
    labels = (np.arange(count) % 2).astype(float)
    centres = np.where(labels[:, None] == 1, [1.0, 0.8], [-0.9, -0.7])
    return centres + rng.normal(0.0, 1.0, (count, 2)), labels


def main():
    x, labels = points(400)
    params = {"w": np.zeros(2), "b": np.zeros(())}
    check_grad(loss, params, x, labels)

    gradient = {"w": np.empty(2), "b": np.empty(())}
    fill = grad(loss).into(gradient)
    print(fill.source(params, x, labels))

    losses = np.empty(STEPS)
    for step in trange(STEPS):
        losses[step] = loss(params, x, labels)
        fill(params, x, labels)
        params["w"] -= RATE * gradient["w"]
        params["b"] -= RATE * gradient["b"]

    right = np.mean((x @ params["w"] + params["b"] > 0) == (labels == 1))
    print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, {right:.1%} of the points on the right side")
    fill(params, x, labels)
    assert max(np.abs(gradient["w"]).max(), abs(gradient["b"])) < 1e-6, "not at the minimum"
    assert right > 0.85

    picture = Picture()
    picture.panel("loss", "step").line(np.arange(STEPS), losses)
    line = np.array([-2.5, 2.5])
    panel = picture.panel("where the probability is 1/2", "x[0]")
    panel.points(*x[labels == 0].T, "label 0").points(*x[labels == 1].T, "label 1")
    panel.line(line, -(params["b"] + params["w"][0] * line) / params["w"][1], colour="black")
    return picture


if __name__ == "__main__":
    main().save(__file__)
