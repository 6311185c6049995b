"""Longer ones, as they stand in users' code."""

import math

import numpy as np

from . import positives, program, values


@program(args=lambda: (np.array([2.0, -3.0, -3.0]), np.array([-1.0, -2.0])), wrt=(0, 1))
def neuron(w, x):
    z = w[0] * x[0] + w[1] * x[1] + w[2]
    return 1 / (1 + np.exp(-z))


@program(
    args=lambda: (values(1, 3, 3), values(2, 3), 4),
    wrt=(0, 1),
    variants=[
        lambda: (values(1, 3, 3), values(2, 3), 0),
        lambda: (values(1, 2, 2, dtype=np.float32), values(2, 2, dtype=np.float32), 3),
    ],
)
def rnn(w, x, n):
    for i in range(n):
        x = np.tanh(w @ x)
    return np.sum(x**2)


@program(
    args=lambda: (4, values(3, 7), values(4, 7)),
    wrt=(1, 2),
    variants=[
        lambda: (1, values(3, 5), values(4, 5)),
        lambda: (3, values(3, 5, 2), values(4, 5, 2)),
    ],
)
def jacobi(steps, A, B):
    for t in range(1, steps):
        B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        A[1:-1] = (B[:-2] + B[1:-1] + B[2:]) / 3
    return np.sum(A**2)


@program(
    args=lambda: (
        values(5, 3, 4),
        values(6, 4),
        values(7, 4, 2),
        values(8, 2),
        values(9, 5, 3),
        values(10, 5, 2),
    ),
    wrt=(0, 1, 2, 3, 4, 5),
)
def mlp_loss(w1, b1, w2, b2, x, y):
    hidden = np.maximum(x @ w1 + b1, 0.0)
    output = hidden @ w2 + b2
    return np.mean((output - y) ** 2) + 0.01 * (np.sum(w1**2) + np.sum(w2**2))


@program(
    args=lambda: (values(11, 4, 3), np.eye(3)[np.array([0, 2, 1, 1])]),
    variants=[lambda: (50 * values(11, 4, 3), np.eye(3)[np.array([0, 2, 1, 1])])],
)
def softmax_cross_entropy(logits, labels):
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_p = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.sum(labels * log_p) / len(logits)


def pendulum(state, damping):
    angle, speed = state[0], state[1]
    return np.array([speed, -np.sin(angle) - damping * speed])


@program(
    args=lambda: (np.array([0.8, -0.3]), 0.2, 0.1, 3),
    wrt=(0, 1, 2),
    variants=[lambda: (np.array([0.8, -0.3]), 0.2, 0.1, 0)],
)
def runge_kutta(state, damping, h, steps):
    for i in range(steps):
        k1 = pendulum(state, damping)
        k2 = pendulum(state + 0.5 * h * k1, damping)
        k3 = pendulum(state + 0.5 * h * k2, damping)
        k4 = pendulum(state + h * k3, damping)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return state


@program(
    args=lambda: (values(12, 4), 4 + values(13, 5), values(14, 4), values(15, 5)), wrt=(0, 1, 2, 3)
)
def thomas_solve(lower, diagonal, upper, rhs):
    """Solve a tridiagonal system, in place."""
    n = len(diagonal)
    for i in range(1, n):
        w = lower[i - 1] / diagonal[i - 1]
        diagonal[i] -= w * upper[i - 1]
        rhs[i] -= w * rhs[i - 1]
    rhs[n - 1] /= diagonal[n - 1]
    for i in range(n - 2, -1, -1):
        rhs[i] = (rhs[i] - upper[i] * rhs[i + 1]) / diagonal[i]
    return rhs


@program(args=lambda: (values(16, 4, 3) + np.eye(4, 3),))
def gram_schmidt(a):
    q = np.zeros_like(a)
    for j in range(a.shape[1]):
        v = a[:, j].copy()
        for k in range(j):
            v -= (q[:, k] @ a[:, j]) * q[:, k]
        q[:, j] = v / np.linalg.norm(v)
    return q


@program(
    args=lambda: (values(17, 3, 3) @ values(17, 3, 3).T + 2 * np.eye(3),),
    variants=[lambda: (np.array([[2.5]]),)],
)
def cholesky(a):
    n = a.shape[0]
    factor = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= factor[i, k] * factor[j, k]
            if i == j:
                factor[i, j] = math.sqrt(s)
            else:
                factor[i, j] = s / factor[j, j]
    return factor


@program(args=lambda: (values(18, 3, 3) + 4 * np.eye(3),), written=(0,))
def lu_in_place(a):
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]


@program(
    args=lambda: (values(19, 7), 0.2, 5), wrt=(0, 1), variants=[lambda: (values(19, 7), 0.2, 0)]
)
def heat_explicit(u, r, steps):
    for step in range(steps):
        u[1:-1] += r * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0] = u[1]
        u[-1] = 0.5 * u[-2]
    return u


@program(args=lambda: (values(20, 5, 5), 0.1, 3), wrt=(0, 1))
def heat_in_two_dimensions(u, r, steps):
    new = u.copy()
    for step in range(steps):
        new[1:-1, 1:-1] = u[1:-1, 1:-1] + r * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1] ** 2
        )
        u[:, :] = new
    return np.sum(u**2)


@program(
    args=lambda: (0.3, 2.9, 6),
    wrt=(0, 1),
    variants=[lambda: (0.3, 2.9, 0), lambda: (positives(21, 3) / 3, 2.9, 3)],
)
def logistic_map(x, r, n):
    for i in range(n):
        x = r * x * (1 - x)
    return x


@program(args=lambda: (0.7, 1.0, 5), wrt=(0, 1))
def newton_iteration(a, x, n):
    for i in range(n):
        f = x - a * np.sin(x) - 0.5
        slope = 1 - a * np.cos(x)
        x = x - f / slope
    return x


@program(
    args=lambda: (values(22, 5), 0.7),
    wrt=(0, 1),
    variants=[lambda: (values(22, 1), 0.7), lambda: (values(22, 5), values(23, 3))],
)
def horner(c, x):
    y = c[-1]
    for i in range(len(c) - 2, -1, -1):
        y = y * x + c[i]
    return y


@program(
    args=lambda: (
        values(24, 3, 3) @ values(24, 3, 3).T + np.diag([3.0, 1.0, 0.5]),
        positives(25, 3),
        6,
    ),
    wrt=(0, 1),
)
def power_iteration(a, v, n):
    for i in range(n):
        w = a @ v
        v = w / np.linalg.norm(w)
    return v @ a @ v


def normal_cdf(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


@program(args=lambda: (1.0, 1.1, 0.05, 0.3, 0.75), wrt=(0, 1, 2, 3, 4))
def black_scholes(spot, strike, rate, volatility, time):
    root = volatility * math.sqrt(time)
    d1 = (math.log(spot / strike) + (rate + 0.5 * volatility**2) * time) / root
    d2 = d1 - root
    return spot * normal_cdf(d1) - strike * math.exp(-rate * time) * normal_cdf(d2)


@program(
    args=lambda: (values(26, 6), 0.2, 0.8),
    wrt=(0, 1, 2),
    variants=[lambda: (values(26, 6), np.float64(0.2), 1.8)],
)
def gaussian_log_likelihood(x, mean, sigma):
    if sigma <= 0:
        raise ValueError("sigma must be positive")
    z = (x - mean) / sigma
    return -0.5 * np.sum(z**2) - x.size * (math.log(sigma) + 0.5 * math.log(2 * math.pi))


@program(
    args=lambda: (values(27, 3, 2), values(28, 3, 2), positives(29, 3), 0.05), wrt=(0, 1, 2, 3)
)
def n_body_step(position, velocity, mass, dt):
    n = len(mass)
    force = np.zeros_like(position)
    for i in range(n):
        for j in range(n):
            if i != j:
                d = position[j] - position[i]
                r2 = d @ d + 0.1
                force[i] += mass[i] * mass[j] * d / r2**1.5
    velocity = velocity + dt * force / mass[:, None]
    position = position + dt * velocity
    return position, velocity


@program(
    args=lambda: (values(30, 6), 0.3),
    wrt=(0, 1),
    variants=[lambda: (values(30, 6, 2), 0.3), lambda: (values(30, 1), 0.3)],
)
def exponential_moving_average(x, alpha):
    y = np.empty_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = alpha * x[i] + (1 - alpha) * y[i - 1]
    return y


@program(args=lambda: (values(31, 7), 0.5), wrt=(0, 1))
def burgers_stencil(u, dx):
    first = (u[2:] - u[:-2]) / (2 * dx)
    second = (u[2:] - 2 * u[1:-1] + u[:-2]) / dx**2
    return -u[1:-1] * first + 0.1 * second


@program(args=lambda: (0.3 * values(32, 4),), variants=[lambda: (np.array([0.4]),)])
def durbin(r):
    n = r.shape[0]
    y = np.zeros(n)
    alpha = -r[0]
    beta = 1.0
    y[0] = alpha
    for k in range(1, n):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(r[:k][::-1], y[:k])) / beta
        y[:k] += alpha * y[:k][::-1]
        y[k] = alpha
    return y


@program(args=lambda: (values(33, 5), values(34, 3)), wrt=(0, 1))
def convolution_by_loops(x, kernel):
    n = len(x) - len(kernel) + 1
    y = np.zeros(n)
    for i in range(n):
        for j in range(len(kernel)):
            y[i] += x[i + j] * kernel[j]
    return y


@program(args=lambda: (values(35, 3, 3), values(36, 3, 4)), wrt=(0, 1))
def attention(w, x):
    scores = x.T @ w @ x / np.sqrt(x.shape[0])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return x @ weights.T


@program(args=lambda: (values(37, 3), values(38, 6), 0.05, 6), wrt=(0, 1, 2))
def gradient_descent_unrolled(w, y, rate, steps):
    """Fits a parabola; the derivative goes through the training."""
    t = np.linspace(-1, 1, len(y))
    for step in range(steps):
        residual = w[0] + w[1] * t + w[2] * t**2 - y
        w[0] -= rate * residual.sum()
        w[1] -= rate * (residual @ t)
        w[2] -= rate * (residual * t**2).sum()
    return w


@program(args=lambda: (0.4, 0.9, 8), wrt=(0, 1), variants=[lambda: (0.4, 0.9, 1)])
def simpson(a, b, n):
    h = (b - a) / (2 * n)
    total = math.exp(-a * a) + math.exp(-b * b)
    for i in range(1, 2 * n):
        x = a + i * h
        total += (4 if i % 2 else 2) * math.exp(-x * x)
    return total * h / 3


@program(args=lambda: (positives(39, 4), positives(40, 4), values(41, 4)), wrt=(0, 1, 2))
def kalman_filter(process, noise, z):
    x = 0.0
    p = 1.0
    score = 0.0
    for k in range(len(z)):
        p = p + process[k]
        s = p + noise[k]
        gain = p / s
        innovation = z[k] - x
        score -= 0.5 * (innovation**2 / s + np.log(s))
        x += gain * innovation
        p *= 1 - gain
    return score


@program(
    args=lambda: (values(42, 4), values(43, 5)),
    wrt=(0, 1),
    variants=[lambda: (values(42, 4), values(43, 1))],
)
def soft_time_warping(x, y):
    """A dynamic programme over a table, with a smooth minimum."""
    n, m = x.size, y.size
    table = np.full((n + 1, m + 1), 1e3)
    table[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (x[i - 1] - y[j - 1]) ** 2
            best = np.array([table[i - 1, j], table[i, j - 1], table[i - 1, j - 1]])
            low = best.min()
            table[i, j] = cost + low - np.log(np.sum(np.exp(low - best)))
    return table[n, m]


@program(args=lambda: (values(44, 3), values(45, 3, 3), values(46, 3, 3)), wrt=(0, 1, 2))
def gated_unit(h, u, w):
    z = 1 / (1 + np.exp(-(u @ h)))
    candidate = np.tanh(w @ (z * h))
    h = (1 - z) * h + z * candidate
    return h


@program(args=lambda: (values(47, 8), 0.3), wrt=(0, 1))
def haar_transform_in_place(x, s):
    n = len(x)
    while n > 1:
        half = n // 2
        a = (x[0:n:2] + x[1:n:2]) * s
        d = (x[0:n:2] - x[1:n:2]) * s
        x[:half] = a
        x[half:n] = d
        n = half
    return x


@program(args=lambda: (values(1, 6), 0.3, 0.1, 0.5, 4), wrt=(0, 1))
def heated_rod(u, conductivity, dt, dx, steps):
    for _ in range(steps):
        bend = np.zeros_like(u)
        bend[1:-1] = (u[2:] - 2 * u[1:-1] + u[:-2]) / dx**2
        u = u + dt * conductivity * bend
    return np.sum(u**2)


@program(args=lambda: (0.3, 0.1, 99.0, 1.0, 0.0, 5), wrt=(0, 1))
def height_of_an_epidemic(beta, gamma, s, i, r, days):
    everybody, height = s + i + r, 0.0
    for _ in range(days):
        new, well = beta * s * i / everybody, gamma * i
        s, i, r = s - new, i + new - well, r + well
        if i > height:
            height = i
    return height


@program(
    args=lambda: (values(1, 5), values(2, 5), 3),
    wrt=(0, 1),
    variants=[lambda: (values(1, 5), values(2, 5), 0)],
)
def two_levels_that_change_places(u, w, n):
    for _ in range(n):
        u, w = w * 1.1, u * 1.5
        u[1:] += w[:-1]
    return np.sum(u * w)
