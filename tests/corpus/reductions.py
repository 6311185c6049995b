"""Sums, means, extremes, norms, with and without axes."""

import numpy as np

from . import positives, program, values


@program(
    args=lambda: (values(1, 5),),
    variants=[lambda: (values(1, 2, 3),), lambda: (values(1, 0),), lambda: (0.4,)],
)
def sum_of_squares(x):
    return np.sum(x**2)


@program(args=lambda: (values(2, 2, 3),), variants=[lambda: (values(2, 3, 3),)])
def sums_over_axes(x):
    return np.sum(np.sum(x, axis=0) ** 2) + np.sum(x, axis=1) ** 3 @ np.sum(x, -1).T


@program(
    args=lambda: (values(3, 2, 3, 2),), variants=[lambda: (values(3, 2, 3, 2, dtype=np.float32),)]
)
def sum_over_two_axes(x):
    y = np.sum(x, axis=(0, 2))
    z = np.sum(x, axis=(-1, 0), keepdims=True)
    return y * y + np.ravel(z)


@program(
    args=lambda: (values(4, 3, 4),),
    variants=[lambda: (values(4, 3, 1),), lambda: (values(4, 1, 4),)],
)
def centred_rows(x):
    m = np.mean(x, axis=1, keepdims=True)
    return (x - m) ** 2


@program(args=lambda: (values(5, 3, 4),), variants=[lambda: (values(5, 3, 4, dtype=np.float32),)])
def mean_of_means(x):
    return np.mean(np.mean(x, axis=0) ** 2) * np.mean(x)


@program(args=lambda: (values(6, 6),), variants=[lambda: (values(6, 2, 3),)])
def range_of_values(x):
    return (np.max(x) - np.min(x)) ** 2


@program(args=lambda: (values(7, 3, 4),))
def extremes_by_axis(x):
    return np.max(x, axis=1)[:, None] * x - np.min(x, axis=0, keepdims=True)


@program(
    args=lambda: (positives(8, 4),),
    variants=[lambda: (positives(8, 2, 2),), lambda: (np.array([0.5, 0.0, 2.0]),)],
)
def product(x):
    return np.prod(x) + np.sum(x)


@program(args=lambda: (positives(9, 3, 2),))
def product_by_axis(x):
    return np.prod(x, axis=0) * np.prod(x, axis=1, keepdims=True)


@program(args=lambda: (values(10, 5),), variants=[lambda: (values(10, 3, 4),)])
def standardised(x):
    return (x - np.mean(x, axis=0)) / np.std(x, axis=0)


@program(
    args=lambda: (values(11, 3),),
    variants=[lambda: (values(11, 2, 3),), lambda: (values(11, 3, dtype=np.float32),)],
)
def normalised(x):
    return x / np.linalg.norm(x)


@program(args=lambda: (values(12, 3, 4),))
def norms_of_rows(x):
    return np.linalg.norm(x, axis=1) * 2 + np.linalg.norm(x, axis=1, keepdims=True)


@program(args=lambda: (values(13, 5),))
def norms_of_other_orders(x):
    return np.linalg.norm(x, 1) * np.linalg.norm(x, np.inf) + np.linalg.norm(x, 3)


@program(
    args=lambda: (values(14, 4),),
    variants=[lambda: (values(14, 3, 4),), lambda: (300 * values(14, 4),)],
)
def log_sum_exp(x):
    m = np.max(x, axis=-1, keepdims=True)
    return np.sum(m + np.log(np.sum(np.exp(x - m), axis=-1, keepdims=True)))


@program(
    args=lambda: (values(15, 4), positives(16, 4)),
    wrt=(0, 1),
    variants=[lambda: (values(15, 3, 4), positives(16, 4))],
)
def weighted_mean(x, w):
    return np.sum(x * w, axis=-1) / np.sum(w)


@program(args=lambda: (values(17, 5),))
def value_at_argmax(x):
    return x[np.argmax(x)] * np.sum(x) * x.shape[0]


@program(args=lambda: (values(18, 5),))
def percentile(x):
    return np.percentile(x, 35.0) * np.sum(x)


@program(args=lambda: (values(19, 3, 3),))
def running_sum_flat(x):
    return np.cumsum(x) ** 2


@program(args=lambda: (values(20, 4), values(21, 3)), wrt=(0, 1))
def sum_of_broadcast(x, y):
    return np.sum(x[:, None] + y) * np.sum(y)


@program(
    args=lambda: (values(22, 2, 3), 0),
    variants=[lambda: (values(22, 2, 3), 1), lambda: (values(22, 2, 3), -1)],
)
def axis_as_argument(x, axis):
    return np.sum(x**2, axis=axis)


@program(args=lambda: (values(81, 4), values(82, 3, 4)), wrt=(0, 1))
def extremes_that_python_finds(x, w):
    top, low = max(x), min(abs(w[1]))
    scaled = np.sum(w * top, axis=1) * min(w[:, 0])
    return np.sum(x) * max(x[1:]) + np.sum(scaled * low) + np.dot(x * low, x)


@program(args=lambda: (values(3, 4),), variants=[lambda: (values(3, 4, dtype=np.float32),)])
def extremes_that_meet_integers(x):
    low, high = min(x), max(x)
    unit = (x - low) / (high - low)
    near = np.sum(unit * np.exp(x - high)) * min(1, 0.1 * low)
    return near + sum([1, low, high * low]) + max(-9, high) * min(True, 0.5 + low * low)


@program(
    args=lambda: (positives(83, 4),),
    variants=[lambda: (0.1 * positives(83, 4),), lambda: (3 + positives(83, 4),)],
)
def numbers_or_arrays_of_one_element(x):
    first, last = x[:1], x[-1:].reshape(())
    capped = min(1, first) * x[1] + min(0.5, last)
    return np.sum(capped * max(first * x[2], x[1:2])) + np.sum(max((last, 3, x[0])) * x)


@program(args=lambda: (values(61, 5), 1.3), wrt=(0, 1), variants=[lambda: (-positives(62, 3), 0.8)])
def likelihood_of_those_above(z, s):
    return np.sum(-0.5 * z[z > 0.2] ** 2 - np.log(s))


@program(
    args=lambda: (values(63, 5), 0.3), wrt=(0, 1), variants=[lambda: (values(64, 2, 2), -1.1)],
)  # fmt: skip
def energies_by_powers(x, k):
    return np.sum(x**3 / 3 - 0.2 * x**5 - 0.1 * x**3 * k) + 0.5 * k**3


@program(args=lambda: (values(65, 6),), variants=[lambda: (values(66, 4, 2),)])
def windows_without_their_means(x):
    total = 0.0
    for i in range(3):
        part = x[i : i + 3]
        part = part - part.mean()
        total += np.sum(part**3)
    return total
