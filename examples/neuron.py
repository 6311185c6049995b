"""The chain rule on a neuron, and on two layers of them.

The question comes up in every course on neural networks: what is the derivative of a sigmoid of a weighted sum with
respect to each weight and each input? Here it is generated, shown value by value, and compared with one by hand.
"""

import numpy as np
from picture import Picture

from tangentish import compare_grad, differentiate


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


@differentiate(wrt=("w", "x"))
def neuron(w, x):
    """One neuron with two inputs; the last weight is the bias."""
    z = w[0] * x[0] + w[1] * x[1] + w[2]
    return sigmoid(z)


@differentiate(wrt=("W1", "W", "x"))
def two_layers(W1, W, x, b, b1):
    """The neurons of one layer are the inputs of the next."""
    hidden = sigmoid(W @ x + b)
    return sigmoid(W1 @ hidden + b1)


def by_hand(w, x):
    """The gradients dw and dx, as the chain rule has them."""
    y = sigmoid(w[0] * x[0] + w[1] * x[1] + w[2])
    dz = y * (1 - y)
    return dz * np.array([x[0], x[1], 1.0]), dz * w[:2]


def by_a_tired_hand(w, x):
    """The same, but that dx forgets what comes from above."""
    dw, _ = by_hand(w, x)
    return dw, w[:2].copy()


def main():
    w, x = np.array([2.0, -3.0, -3.0]), np.array([-1.0, -2.0])

    print("The gradient, as generated:\n")
    print(neuron.grad.source(w, x))
    print("Every value beside its gradient:\n")
    print(neuron.trace(w, x))

    dw, dx = neuron.grad(w, x)
    assert np.allclose(dw, [-0.19661193, -0.39322387, 0.19661193])
    assert np.allclose(dx, [0.39322387, -0.58983580])

    print("\n", compare_grad(neuron, by_hand, w, x, wrt=("w", "x")), sep="")
    try:
        compare_grad(neuron, by_a_tired_hand, w, x, wrt=("w", "x"))
    except AssertionError as slip:
        print("\nAnd of the gradient by a tired hand:\n", slip, sep="")
    else:
        raise AssertionError("the slip was not found")

    rng = np.random.default_rng(0)
    W1, W, b = rng.normal(size=3), rng.normal(size=(3, 2)), rng.normal(size=3)
    print("\nTwo layers:\n")
    print(two_layers.grad.source(W1, W, x, b, 0.5))
    print(two_layers.trace(W1, W, x, b, 0.5))

    return drawn(w, x, dw)


def drawn(w, x, dw):
    """The output against each weight; its derivative is the slope where the weight is."""
    picture = Picture()
    for k, name in enumerate(("w[0]", "w[1]", "w[2], the bias")):
        places = np.linspace(w[k] - 4, w[k] + 4, 81)
        outputs = [neuron(np.where(np.arange(3) == k, place, w), x) for place in places]
        near = np.array([w[k] - 1.5, w[k] + 1.5])
        panel = picture.panel(f"slope {dw[k]:.4f}", name)
        panel.line(places, outputs, "neuron")
        panel.line(near, neuron(w, x) + dw[k] * (near - w[k]), "its gradient, as a slope")
        panel.points([w[k]], [neuron(w, x)])
    return picture


if __name__ == "__main__":
    main().save(__file__)
