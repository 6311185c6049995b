"""Networks: perceptron, softmax, recurrent cells, convolution by loops."""

import numpy as np

from . import example, normal


def logistic_loss(w, x, y):
    z = x @ w
    return np.mean(np.log(1 + np.exp(-y * z)))


def _labelled(n, d):
    return normal(1, d) / d, normal(2, n, d), np.sign(normal(3, n))


@example(logistic_loss, 0, lambda: _labelled(7, 3), lambda: _labelled(10_000, 50))
def logistic_loss_grad(w, x, y, dloss=1.0):
    z = x @ w
    e = np.exp(-y * z)

    # return np.mean(np.log(1 + np.exp(-y * z)))
    dz = -dloss / len(z) / (1 + e) * e * y
    # z = x @ w
    return x.T @ dz


def mlp(w1, b1, w2, b2, x, targets):
    h = np.tanh(x @ w1 + b1)
    y = h @ w2 + b2
    return np.mean((y - targets) ** 2)


def _mlp_arguments(n, inputs, hidden, outputs):
    return (
        normal(1, inputs, hidden) / inputs,
        normal(2, hidden),
        normal(3, hidden, outputs) / hidden,
        normal(4, outputs),
        normal(5, n, inputs),
        normal(6, n, outputs),
    )


@example(
    mlp, (0, 1, 2, 3), lambda: _mlp_arguments(5, 3, 4, 2), lambda: _mlp_arguments(64, 100, 200, 10)
)
def mlp_grad(w1, b1, w2, b2, x, targets, dloss=1.0):
    h = np.tanh(x @ w1 + b1)
    t = h @ w2 + b2 - targets

    # return np.mean((y - targets) ** 2)
    dy = dloss / t.size * 2 * t
    # y = h @ w2 + b2
    dh = dy @ w2.T
    dw2 = h.T @ dy
    db2 = np.sum(dy, axis=0)
    # h = np.tanh(x @ w1 + b1)
    dt = dh * (1 - h**2)
    dw1 = x.T @ dt
    db1 = np.sum(dt, axis=0)
    return dw1, db1, dw2, db2


def softmax_cross_entropy(w, x, labels):
    z = x @ w
    e = np.exp(z - np.max(z))
    p = e / np.sum(e, axis=1, keepdims=True)
    return -np.mean(np.log(p[np.arange(len(labels)), labels]))


def _classes(n, d, k):
    return normal(1, d, k) / d, normal(2, n, d), np.random.default_rng(3).integers(0, k, n)


@example(softmax_cross_entropy, 0, lambda: _classes(6, 3, 4), lambda: _classes(2000, 64, 100))
def softmax_cross_entropy_grad(w, x, labels, dy=1.0):
    z = x @ w
    e = np.exp(z - np.max(z))
    p = e / np.sum(e, axis=1, keepdims=True)

    # p = e / np.sum(e, axis=1, keepdims=True)
    # return -np.mean(np.log(p[np.arange(len(labels)), labels]))
    p[np.arange(len(labels)), labels] -= 1
    dz = dy / len(labels) * p
    # z = x @ w
    return x.T @ dz


def rnn(w, x, n):
    for i in range(n):
        x = np.tanh(w @ x)
    return np.sum(x**2)


@example(
    rnn,
    (0, 1),
    lambda: (normal(1, 3, 3), normal(2, 3), 4),
    lambda: (normal(1, 50, 50) / 8, normal(2, 50), 20),
)
def rnn_grad(w, x, n, dy=1.0):
    x_tape = []
    for i in range(n):
        x_tape.append(x)
        x = np.tanh(w @ x)

    # return np.sum(x**2)
    dx = dy * 2 * x
    dw = np.zeros_like(w)
    for i in range(n - 1, -1, -1):
        # x = np.tanh(w @ x)
        dt = dx * (1 - x**2)
        x = x_tape.pop()
        dw += np.outer(dt, x)
        dx = w.T @ dt
    return dw, dx


def lstm_cell(x, h, c, W, b):
    z = np.concatenate((h, x)) @ W + b
    i, f, o, g = np.split(z, 4)
    i = 1 / (1 + np.exp(-i))
    f = 1 / (1 + np.exp(-f))
    o = 1 / (1 + np.exp(-o))
    c = f * c + i * np.tanh(g)
    return o * np.tanh(c)


@example(
    lstm_cell,
    (0, 1, 2, 3, 4),
    lambda: (normal(1, 3), normal(2, 2), normal(3, 2), normal(4, 5, 8), normal(5, 8)),
)
def lstm_cell_grad(x, h, c, W, b, dh=None):
    hx = np.concatenate((h, x))
    z = hx @ W + b
    i, f, o, g = np.split(z, 4)
    i = 1 / (1 + np.exp(-i))
    f = 1 / (1 + np.exp(-f))
    o = 1 / (1 + np.exp(-o))
    tg = np.tanh(g)
    c_new = f * c + i * tg
    tc = np.tanh(c_new)

    if dh is None:
        dh = np.ones_like(h)
    # return o * np.tanh(c)
    do = dh * tc
    dc = dh * o * (1 - tc**2)
    # c = f * c + i * np.tanh(g)
    df = dc * c
    di = dc * tg
    dg = dc * i * (1 - tg**2)
    dc = dc * f
    # o = 1 / (1 + np.exp(-o))
    do = do * o * (1 - o)
    # f = 1 / (1 + np.exp(-f))
    df = df * f * (1 - f)
    # i = 1 / (1 + np.exp(-i))
    di = di * i * (1 - i)
    # i, f, o, g = np.split(z, 4)
    dz = np.concatenate((di, df, do, dg))
    # z = np.concatenate((h, x)) @ W + b
    dhx = W @ dz
    dW = np.outer(hx, dz)
    dh = dhx[: len(h)]
    dx = dhx[len(h) :]
    return dx, dh, dc, dW, dz


def conv2d(x, w):
    k = w.shape[0]
    n, rows, columns = x.shape[0], x.shape[1] - k + 1, x.shape[2] - k + 1
    y = np.empty((n, rows, columns, w.shape[3]))
    for i in range(rows):
        for j in range(columns):
            y[:, i, j, :] = np.sum(x[:, i : i + k, j : j + k, :, None] * w, axis=(1, 2, 3))
    return np.sum(y**2)


@example(
    conv2d,
    (0, 1),
    lambda: (normal(1, 2, 4, 5, 2), normal(2, 2, 2, 2, 3)),
    lambda: (normal(1, 8, 32, 32, 3), normal(2, 2, 2, 3, 16)),
)
def conv2d_grad(x, w, dloss=1.0):
    k = w.shape[0]
    n, rows, columns = x.shape[0], x.shape[1] - k + 1, x.shape[2] - k + 1
    y = np.empty((n, rows, columns, w.shape[3]))
    for i in range(rows):
        for j in range(columns):
            y[:, i, j, :] = np.sum(x[:, i : i + k, j : j + k, :, None] * w, axis=(1, 2, 3))

    # return np.sum(y**2)
    dy = dloss * 2 * y
    dx = np.zeros_like(x)
    dw = np.zeros_like(w)
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            # y[:, i, j, :] = np.sum(x[:, i : i + k, j : j + k, :, None] * w, axis=(1, 2, 3))
            g = dy[:, i, j, :][:, None, None, None, :]
            dx[:, i : i + k, j : j + k, :] += np.sum(g * w, axis=4)
            dw += np.sum(g * x[:, i : i + k, j : j + k, :, None], axis=0)
    return dx, dw


def adbench_lstm(weights, biases, ends, state, sequence):
    state = state.copy()
    total = 0.0
    for t in range(len(sequence) - 1):
        x = sequence[t] * ends[0]
        for k in range(len(weights)):
            w, b = weights[k], biases[k]
            h, c = state[2 * k], state[2 * k + 1]
            forget = 1 / (1 + np.exp(-(x * w[0] + b[0])))
            entry = 1 / (1 + np.exp(-(h * w[1] + b[1])))
            exit = 1 / (1 + np.exp(-(x * w[2] + b[2])))
            change = np.tanh(h * w[3] + b[3])
            c_new = c * forget + entry * change
            x = exit * np.tanh(c_new)
            state[2 * k] = x
            state[2 * k + 1] = c_new
        y = x * ends[1] + ends[2]
        y = y - np.log(np.sum(np.exp(y)) + 2)
        total += np.sum(sequence[t + 1] * y)
    return -total / (sequence.size - len(sequence[0]))


def _lstm_arguments(layers, steps, width):
    return (
        normal(1, layers, 4, width) / 2,
        normal(2, layers, 4, width) / 2,
        normal(3, 3, width) / 2,
        normal(4, 2 * layers, width) / 2,
        normal(5, steps, width) / 2,
    )


@example(
    adbench_lstm, (0, 1, 2), lambda: _lstm_arguments(2, 4, 3), lambda: _lstm_arguments(2, 256, 14)
)
def adbench_lstm_grad(weights, biases, ends, state, sequence, dloss=1.0):
    tape = []
    state = state.copy()
    for t in range(len(sequence) - 1):
        x = sequence[t] * ends[0]
        for k in range(len(weights)):
            w, b = weights[k], biases[k]
            h, c = state[2 * k].copy(), state[2 * k + 1].copy()
            forget = 1 / (1 + np.exp(-(x * w[0] + b[0])))
            entry = 1 / (1 + np.exp(-(h * w[1] + b[1])))
            exit = 1 / (1 + np.exp(-(x * w[2] + b[2])))
            change = np.tanh(h * w[3] + b[3])
            c_new = c * forget + entry * change
            tanh_c = np.tanh(c_new)
            tape.append((x, h, c, forget, entry, exit, change, tanh_c))
            x = exit * tanh_c
            state[2 * k] = x
            state[2 * k + 1] = c_new
        y = x * ends[1] + ends[2]
        e = np.exp(y)
        tape.append((x, e))

    # return -total / (sequence.size - len(sequence[0]))
    dtotal = -dloss / (sequence.size - len(sequence[0]))
    dweights = np.zeros_like(weights)
    dbiases = np.zeros_like(biases)
    dends = np.zeros_like(ends)
    dstate = np.zeros_like(state)
    for t in range(len(sequence) - 2, -1, -1):
        x, e = tape.pop()
        # total += np.sum(sequence[t + 1] * y)
        dy = dtotal * sequence[t + 1]
        # y = y - np.log(np.sum(np.exp(y)) + 2)
        dy = dy - np.sum(dy) / (np.sum(e) + 2) * e
        # y = x * ends[1] + ends[2]
        dx = dy * ends[1]
        dends[1] += dy * x
        dends[2] += dy
        for k in range(len(weights) - 1, -1, -1):
            x, h, c, forget, entry, exit, change, tanh_c = tape.pop()
            w = weights[k]
            dw, db = dweights[k], dbiases[k]
            # x = exit * np.tanh(c_new)
            dx = dx + dstate[2 * k]
            dexit = dx * tanh_c * exit * (1 - exit)
            dc = dstate[2 * k + 1] + dx * exit * (1 - tanh_c**2)
            # c_new = c * forget + entry * change
            dforget = dc * c * forget * (1 - forget)
            dentry = dc * change * entry * (1 - entry)
            dchange = dc * entry * (1 - change**2)
            dstate[2 * k + 1] = dc * forget
            # change = np.tanh(h * w[3] + b[3])
            dw[3] += dchange * h
            db[3] += dchange
            # exit = 1 / (1 + np.exp(-(x * w[2] + b[2])))
            dw[2] += dexit * x
            db[2] += dexit
            # entry = 1 / (1 + np.exp(-(h * w[1] + b[1])))
            dw[1] += dentry * h
            db[1] += dentry
            # forget = 1 / (1 + np.exp(-(x * w[0] + b[0])))
            dw[0] += dforget * x
            db[0] += dforget
            dstate[2 * k] = dchange * w[3] + dentry * w[1]
            dx = dexit * w[2] + dforget * w[0]
        # x = sequence[t] * ends[0]
        dends[0] += dx * sequence[t]
    return dweights, dbiases, dends
