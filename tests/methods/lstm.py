"""LSTM over a sequence, with one matrix for the four gates.

S. Hochreiter, J. Schmidhuber (1997), with forget gates (F. Gers et al., 2000).
"""

import numpy as np

from . import method


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm_cell(x, h, c, W, b):
    """One time step for a batch."""
    z = np.concatenate((h, x), axis=1) @ W + b
    i, f, o, g = np.split(z, 4, axis=1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    h = sigmoid(o) * np.tanh(c)
    return h, c


def predict(W, b, V, xs):
    """xs has the axes time, batch, feature."""
    n_hidden = W.shape[1] // 4
    h = np.zeros((xs.shape[1], n_hidden))
    c = np.zeros_like(h)
    outputs = []
    for x in xs:
        h, c = lstm_cell(x, h, c, W, b)
        outputs.append(h @ V)
    return np.stack(outputs)


def loss(W, b, V, xs, targets):
    return np.mean((predict(W, b, V, xs) - targets) ** 2)


def sequences():
    n = 3
    W = 0.4 * np.sin(np.arange((2 + n) * 4 * n)).reshape(2 + n, 4 * n)
    b = 0.1 * np.cos(np.arange(4 * n))
    V = 0.5 * np.cos(np.arange(n)).reshape(n, 1)
    xs = np.sin(np.arange(4 * 2 * 2) ** 1.3).reshape(4, 2, 2)
    return W, b, V, xs, np.cumsum(xs.sum(axis=2, keepdims=True), axis=0)


method(loss, sequences, wrt=(0, 1, 2, 3))
