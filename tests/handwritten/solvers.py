"""Solvers of linear systems: tridiagonal, Toeplitz, triangular products."""

import numpy as np

from . import example, normal, uniform


def thomas(a, b, c, d):
    n = len(d)
    for i in range(1, n):
        w = a[i - 1] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    x = np.zeros(n)
    x[-1] = d[-1] / b[-1]
    for i in range(n - 2, -1, -1):
        x[i] = (d[i] - c[i] * x[i + 1]) / b[i]
    return np.sum(x**2)


def _tridiagonal(n):
    return normal(1, n - 1) / 4, uniform(2, n) + 1, normal(3, n - 1) / 4, normal(4, n)


@example(thomas, (0, 1, 2, 3), lambda: _tridiagonal(6), lambda: _tridiagonal(20_000))
def thomas_grad(a, b, c, d, dy=1.0):
    w_tape = []
    b, d = b.copy(), d.copy()
    n = len(d)
    for i in range(1, n):
        w = a[i - 1] / b[i - 1]
        w_tape.append(w)
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    x = np.zeros(n)
    x[-1] = d[-1] / b[-1]
    for i in range(n - 2, -1, -1):
        x[i] = (d[i] - c[i] * x[i + 1]) / b[i]

    # return np.sum(x**2)
    dx = dy * 2 * x
    da = np.zeros_like(a)
    db = np.zeros_like(b)
    dc = np.zeros_like(c)
    dd = np.zeros_like(d)
    for i in range(n - 1):
        # x[i] = (d[i] - c[i] * x[i + 1]) / b[i]
        g = dx[i] / b[i]
        dd[i] = g
        dc[i] = -g * x[i + 1]
        dx[i + 1] -= g * c[i]
        db[i] = -g * x[i]
    # x[-1] = d[-1] / b[-1]
    g = dx[-1] / b[-1]
    dd[-1] = g
    db[-1] = -g * x[-1]
    for i in range(n - 1, 0, -1):
        w = w_tape.pop()
        # d[i] -= w * d[i - 1]
        g = dd[i]
        dd[i - 1] -= g * w
        # b[i] -= w * c[i - 1]
        h = db[i]
        dc[i - 1] -= h * w
        # w = a[i - 1] / b[i - 1]
        dw = -(g * d[i - 1] + h * c[i - 1]) / b[i - 1]
        da[i - 1] = dw
        db[i - 1] -= dw * w
    return da, db, dc, dd


def durbin(r):
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return np.sum(y**2)


@example(durbin, 0, lambda: (uniform(1, 6) / 9,), lambda: (normal(1, 400) / 400,))
def durbin_grad(r, dloss=1.0):
    tape = []
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        tape.append((alpha, beta, y[:k].copy()))
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha

    # return np.sum(y**2)
    dy = dloss * 2 * y
    dr = np.zeros_like(r)
    dalpha = 0.0
    dbeta = 0.0
    for k in range(r.shape[0] - 1, 0, -1):
        alpha_new, beta_new = alpha, beta
        alpha, beta, y = tape.pop()
        # y[k] = alpha
        dalpha += dy[k]
        # y[:k] += alpha * np.flip(y[:k])
        g = dy[:k]
        dalpha += np.dot(g, np.flip(y))
        g += alpha_new * np.flip(g)
        # alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        t = -dalpha / beta_new
        dbeta += t * alpha_new
        dr[k] += t
        dr[:k] += t * np.flip(y)
        g += t * np.flip(r[:k])
        # beta *= 1.0 - alpha * alpha
        dalpha = -2 * dbeta * beta * alpha
        dbeta *= 1.0 - alpha * alpha
    # alpha = -r[0]
    # y[0] = -r[0]
    dr[0] -= dalpha + dy[0]
    return dr


def trmm(alpha, A, B):
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
    B *= alpha
    return np.sum(B**2)


@example(
    trmm,
    (0, 1, 2),
    lambda: (1.5, normal(1, 4, 4), normal(2, 4, 3)),
    lambda: (1.5, normal(1, 65, 65), normal(2, 65, 80)),
)
def trmm_grad(alpha, A, B, dy=1.0):
    B = B.copy()
    given = B.copy()
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])

    # return np.sum(B**2)
    # B *= alpha
    dB = dy * 2 * alpha * alpha * B
    dalpha = dy * 2 * alpha * np.sum(B**2)
    dA = np.zeros_like(A)
    for i in range(B.shape[0] - 1, -1, -1):
        for j in range(B.shape[1] - 1, -1, -1):
            # B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
            g = dB[i, j]
            dA[i + 1 :, i] += g * given[i + 1 :, j]
            dB[i + 1 :, j] += g * A[i + 1 :, i]
    return dalpha, dA, dB
