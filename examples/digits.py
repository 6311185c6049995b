"""Train a classifier of handwritten digits with SciPy's optimiser and a generated gradient.

The loss is plain NumPy: a network of two layers whose weights lie in one vector, as SciPy wants
them, summed over batches. Nothing in it knows of derivatives.
"""

import time

import numpy as np
from scipy.optimize import minimize
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from tangentish import check_grad, value_and_grad

PIXELS, HIDDEN, CLASSES = 64, 24, 10
BATCH = 256


def scores(params, images):
    """The scores of every class for every image."""
    cut = PIXELS * HIDDEN
    w1 = params[:cut].reshape((PIXELS, HIDDEN))
    b1 = params[cut : cut + HIDDEN]
    cut = cut + HIDDEN
    w2 = params[cut : cut + HIDDEN * CLASSES].reshape((HIDDEN, CLASSES))
    b2 = params[cut + HIDDEN * CLASSES :]
    hidden = np.tanh(images @ w1 + b1)
    return hidden @ w2 + b2


def loss(params, images, targets, penalty=1e-3):
    """The mean cross entropy of softmax, plus a penalty on large weights."""
    total = 0.0
    for start in range(0, len(images), BATCH):
        z = scores(params, images[start : start + BATCH])
        z = z - np.max(z, axis=1, keepdims=True)
        log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
        total -= np.sum(targets[start : start + BATCH] * log_p)
    return total / len(images) + penalty * np.sum(params**2)


def load_data():
    """Images scaled to 0..1 and one-hot targets: to train with, and to test with."""
    digits = load_digits()
    targets = np.eye(CLASSES)[digits.target]
    return train_test_split(
        digits.data / 16, targets, test_size=0.25, random_state=0, stratify=digits.target
    )


def accuracy(params, images, targets):
    """The share of images whose class has the highest score."""
    hits = np.argmax(scores(params, images), axis=1) == np.argmax(targets, axis=1)
    return np.mean(hits)


def main():
    """Show the gradient, check it, train with it, and test what came out."""
    images, test_images, targets, test_targets = load_data()
    size = PIXELS * HIDDEN + HIDDEN + HIDDEN * CLASSES + CLASSES
    start = np.random.default_rng(0).normal(0.0, 0.1, size)

    loss_and_gradient = value_and_grad(loss)

    print("The loss and its gradient, as generated:\n")
    print(loss_and_gradient.source(start, images, targets))

    print("Compared with numeric derivatives, on 20 images:\n")
    print(check_grad(loss, start, images[:20], targets[:20], wrt="params"))

    began = time.perf_counter()
    result = minimize(
        loss_and_gradient, start, args=(images, targets), jac=True, method="L-BFGS-B",
        options={"maxiter": 300},
    )  # fmt: skip
    seconds = time.perf_counter() - began

    print(f"\nTrained on {len(images)} digits: {result.nit} iterations, {seconds:.1f} s")
    print(f"loss: {loss(start, images, targets):.4f} -> {result.fun:.4f}")
    print(f"accuracy on these digits: {accuracy(result.x, images, targets):.1%}")
    unseen = accuracy(result.x, test_images, test_targets)
    print(f"accuracy on {len(test_images)} others: {unseen:.1%}")


if __name__ == "__main__":
    main()
