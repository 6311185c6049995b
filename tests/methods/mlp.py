"""Multilayer perceptron with a list of layers, and the cross-entropy of a minibatch.

As in the example neural_net.py of HIPS autograd; I. Goodfellow et al., Deep Learning, chapter 6.
"""

import numpy as np

from . import method


def init_random_params(scale, layer_sizes, rng):
    """A list of (weights, biases) tuples, one for each layer."""
    return [
        (scale * rng.standard_normal((m, n)), scale * rng.standard_normal(n))
        for m, n in zip(layer_sizes[:-1], layer_sizes[1:])
    ]


def logsumexp(x, axis):
    m = np.max(x, axis=axis, keepdims=True)
    return m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))


def neural_net_predict(params, inputs):
    """Normalized class log-probabilities."""
    for W, b in params:
        outputs = np.dot(inputs, W) + b
        inputs = np.tanh(outputs)
    return outputs - logsumexp(outputs, axis=1)


def l2_norm(params):
    return sum(np.sum(W**2) + np.sum(b**2) for W, b in params)


def loss(params, inputs, targets, L2_reg):
    log_prob = neural_net_predict(params, inputs)
    return -np.sum(log_prob * targets) / len(inputs) + 0.5 * L2_reg * l2_norm(params)


def batch():
    rng = np.random.default_rng(3)
    params = init_random_params(0.5, [3, 4, 2], rng)
    return params, rng.standard_normal((5, 3)), np.eye(2)[[0, 1, 1, 0, 1]], 0.1


method(loss, batch, wrt=(0, 1))
