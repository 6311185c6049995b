"""Elementwise functions, broadcasting, and functions that build arrays from arrays."""

import numpy as np

from . import positives, program, values


@program(
    args=lambda: (values(1, 5),),
    variants=[
        lambda: (values(1, 2, 3),),
        lambda: (values(1, 4, dtype=np.float32),),
        lambda: (values(1, 0),),
        lambda: (0.7,),
    ],
)
def elementwise_chain(x):
    y = np.sin(x) * np.exp(-(x**2))
    return y / (1 + np.abs(x))


@program(
    args=lambda: (positives(2, 4), positives(3, 4)),
    wrt=(0, 1),
    variants=[
        lambda: (positives(2, 3, 4), positives(3, 4)),
        lambda: (positives(2, 3, 1), positives(3, 1, 4)),
        lambda: (1.3, positives(3, 4)),
        lambda: (positives(2, 4), 0.8),
        lambda: (positives(2, 4, dtype=np.float32), positives(3, 4, dtype=np.float32)),
    ],
)
def every_operator(x, y):
    return np.sum(x + y - x * y + x / y - y / x + x**y + y % 10)


@program(
    args=lambda: (values(4, 3), values(5, 4)),
    wrt=(0, 1),
    variants=[lambda: (values(4, 1), values(5, 4)), lambda: (values(4, 3), values(5, 1))],
)
def outer_by_none(x, y):
    return x[:, None] * y[None, :] + y


@program(
    args=lambda: (values(6, 4), values(7, 4) + 0.05),
    wrt=(0, 1),
    variants=[lambda: (values(6, 3, 4), values(7, 4) + 0.05), lambda: (values(6, 4), 0.05)],
)
def where_of_both(x, y):
    return np.where(x > y, x * y, x - y)


@program(args=lambda: (values(8, 6),), variants=[lambda: (values(8, 2, 3),)])
def where_spares_the_other_branch(x):
    root = np.sqrt(np.maximum(x, 0.0))
    return np.sum(np.where(x > 0, root, 2 * x))


@program(
    args=lambda: (values(9, 5), values(10, 5) + 0.03),
    wrt=(0, 1),
    variants=[lambda: (values(9, 3, 5), values(10, 5) + 0.03), lambda: (values(9, 5), 0.5)],
)
def maximum_minimum(x, y):
    return np.maximum(x, y) * 2 + np.minimum(x, y) ** 2 + np.maximum(x, 0)


@program(args=lambda: (values(11, 7),), variants=[lambda: (0.35,)])
def clipped(x):
    return np.clip(x, -1.0, 0.7) * x


@program(
    args=lambda: (values(12, 3), values(13, 2)),
    wrt=(0, 1),
    variants=[lambda: (values(12, 3, 2), values(13, 2, 2)), lambda: (values(12, 0), values(13, 2))],
)
def concatenated(x, y):
    z = np.concatenate((x, y, x))
    return z**2


@program(
    args=lambda: (values(14, 3), values(15, 3)),
    wrt=(0, 1),
    variants=[lambda: (values(14, 2, 3), values(15, 2, 3))],
)
def stacked(x, y):
    rows = np.stack([x, y, x * y])
    columns = np.stack([y, x], axis=-1)
    return np.sum(rows**2) + np.sum(columns[..., 0] * columns[..., 1] ** 2)


@program(args=lambda: (values(16, 3), values(17, 2)), wrt=(0, 1))
def side_by_side(x, y):
    a = np.hstack((x, y))
    b = np.vstack((x, 2 * x))
    return np.sum(a**2) + np.sum(b[0] * b[1])


@program(args=lambda: (values(18, 3),), variants=[lambda: (values(18, 1),)])
def tiled_and_repeated(x):
    return np.tile(x, 2) * np.repeat(x, 2)


@program(
    args=lambda: (values(19, 5),),
    variants=[lambda: (values(19, 3, 4),), lambda: (values(19, 5, dtype=np.float32),)],
)
def differences_and_sums(x):
    return np.sum(np.diff(x) ** 2) + np.sum(np.cumsum(x, axis=0) ** 3)


@program(args=lambda: (values(20, 3), 0.7), wrt=(0, 1))
def diagonal_matrix(x, s):
    m = np.diag(x) + s * np.eye(3)
    return m @ m


@program(args=lambda: (0.7, 1.2), wrt=(0, 1), variants=[lambda: (np.float64(0.7), 1.2)])
def array_from_scalars(x, y):
    a = np.array([x, x * y, 3.0, y])
    m = np.array([[x, y], [-y, x]])
    return np.sum(a**2) + np.sum(m @ m)


@program(args=lambda: (1.3, 2), variants=[lambda: (1.3, 0)])
def filled_with_a_parameter(x, n):
    return np.full(n, x**2) * np.ones(n) + np.zeros(n)


@program(args=lambda: (-0.5, 1.5), wrt=(0, 1))
def linspace_with_moving_ends(a, b):
    t = np.linspace(a, b, 5)
    return np.sum(np.sin(t))


@program(args=lambda: (values(21, 4), 4))
def constants_of_many_makes(x, n):
    grid = np.arange(n) * 0.5 + np.linspace(0, 1, n)
    return x * grid + np.zeros_like(x) + np.ones_like(x) * np.eye(n)[0]


@program(args=lambda: (values(22, 3),))
def padded(x):
    y = np.pad(x, 1)
    return y[2:] * y[:-2] + y[1:-1]


@program(args=lambda: (values(23, 3), values(24, 2)), wrt=(0, 1))
def grid_of_two(x, y):
    u, v = np.meshgrid(x, y)
    return u**2 * v


@program(args=lambda: (values(25, 6),), variants=[lambda: (values(25, 2, 3),)])
def sorted_and_weighed(x):
    y = np.sort(x)
    return np.sum(y * np.arange(y.shape[-1]))


@program(args=lambda: (values(26, 2, 3),), variants=[lambda: (values(26, 3, 2),)])
def reshaped_and_turned(x):
    y = np.reshape(x, (-1, 2)) @ np.array([[1.0, 2.0], [3.0, -1.0]])
    return np.transpose(y) * 2 + np.ravel(y)[0]


@program(args=lambda: (values(27, 4), 0.3), wrt=(0, 1))
def constant_functions(x, s):
    steps = np.floor(x) + np.sign(x) + np.round(x) + np.ceil(s)
    return steps * x * s + np.argmax(x)


@program(args=lambda: (values(28, 3), positives(29, 3)), wrt=(0, 1))
def less_common_functions(y, x):
    angle = np.arctan2(y, x) + np.arctan(x * y)
    return angle * np.log2(x) - np.log10(x) * np.square(y) + np.negative(y)


@program(args=lambda: (values(30, 1, 3, 1),), variants=[lambda: (values(30, 1, 1),)])
def squeezed(x):
    y = np.squeeze(x)
    return np.sum(y**2) + np.sum(np.atleast_1d(y)) + np.sum(np.atleast_2d(y) ** 3)


@program(args=lambda: (np.array([0.0, 1.0, 2.0]), 1.7), wrt=(1,))
def powers_of_bases_with_zero(k, y):
    return k**y + np.power(k, 2 * y)


@program(
    args=lambda: (values(91, 5), 0.7),
    wrt=(0, 1),
    variants=[
        lambda: (values(91, 2, 3), 0.7),
        lambda: (values(91, 5, dtype=np.float32), np.float32(0.7)),
        lambda: (values(91, 0), 0.7),
    ],
)
def quotient_where_defined(x, a):
    near = np.abs(x) < 0.3
    safe = np.where(near, 1.0, np.sin(a * x) / x)
    t = np.sqrt(np.abs(x)) * a
    return np.where(x > 0, np.where(x < 1, t, t**2) / a, safe)


@program(
    args=lambda: (values(92, 3, 4), values(93, 4)),
    wrt=(0, 1),
    variants=[lambda: (values(92, 3, 1), values(93, 4))],
)
def where_broadcasts(a, v):
    rows = a[:, 0] > 0
    y = np.where(rows[:, None], a * v, v / (2 + a))
    return np.where(v > 0, y, np.sum(y) * v) @ np.where(v > 0.5, v, 0.1)


@program(
    args=lambda: (1.3, values(94, 3)),
    wrt=(0, 1),
    variants=[lambda: (np.float64(-1.3), values(94, 3))],
)
def where_of_scalars(s, x):
    y = np.where(s > 0, s * 2, 1 / s)
    return np.sum(np.where(s > 1, x * s, x / s)) * y


@program(
    args=lambda: (values(1, 4, 3), values(2, 4, 3), values(3, 3)),
    wrt=(0, 1, 2),
    variants=[
        lambda: (values(1, 4, 1), values(2, 4, 3), values(3, 1)),
        lambda: (values(1, 1, 3), values(2, 4, 1), values(3, 3)),
        lambda: (values(1, 4, 3), values(2, 1, 1), values(3, 1)),
        lambda: (values(1, 4, 0), values(2, 4, 1), values(3, 0)),
    ],
)
def sums_of_slices_that_broadcast(a, b, c):
    """How long the slices are is not known; some are of length one, and receive sums."""
    p, q, r = a[:, :2], b[:, :2], c[:2]
    total = np.sum(p * 2 + q * r - (3 * p + r) / 2)
    for k in range(2):
        q = q[: 4 - k] + 1.5 * r
        total += np.sum((q + 2 * p[: 4 - k] - r) ** 2, axis=0)[0] if p.size else 0.0
    return total


@program(
    args=lambda: (values(1, 4, 3), values(2, 4, 3), (0, 1)),
    wrt=(0, 1),
    variants=[
        lambda: (values(1, 4, 1), values(2, 1, 3), 1),
        lambda: (values(1, 1, 3), values(2, 4, 1), 0),
        lambda: (values(1, 1, 3), values(2, 4, 3), None),
    ],
)
def sums_over_axes_unknown_of_what_broadcasts(a, b, axis):
    x, y = a[:, :2], b[:, :2]
    kept = np.sum(x + 2 * (y - 3 * x), axis=axis, keepdims=True)
    return np.sum(np.sum(x**2, axis=axis) * np.sum(-x, axis=axis)) + np.sum(kept * y)


@program(
    args=lambda: (values(1, 4, 3), positives(2, 4, 3), values(3, 3)),
    wrt=(0, 1, 2),
    variants=[
        lambda: (values(1, 4, 1), positives(2, 4, 3), values(3, 1)),
        lambda: (values(1, 1, 3), positives(2, 4, 1), values(3, 3)),
        lambda: (values(1, 4, 3), positives(2, 1, 1), values(3, 1)),
        lambda: (values(1, 1, 1), positives(2, 1, 1), values(3, 3)),
        lambda: (values(1, 4, 0), positives(2, 4, 1), values(3, 0)),
    ],
)
def products_of_slices_that_broadcast(a, b, c):
    """Thin gradients of products in shapes that are not known are summed for one operand, filled up for the other."""
    p, q, r = a[:, :2], b[:, :2], c[:2]
    rows = np.sum(p * r, axis=1, keepdims=True)
    columns = np.sum(r / q, axis=0)
    return np.sum(rows * q) + np.sum(columns * r) + np.sum(np.arctan2(r, q)) - np.sum(p / q)


@program(args=lambda: (values(1, 2, 6),), variants=[lambda: (values(1, 2, 2, 3),)])
def reshaped_to_starred_lengths(x):
    """Forward mode names what stands behind the star, not the star."""
    lengths = x.shape
    y = np.sin(x).reshape((*lengths[:-1], -1, lengths[-1] // 3))
    return y * y


@program(
    args=lambda: (values(48, 4), -0.21, None),
    variants=[lambda: (values(48, 4), None, 0.23), lambda: (values(48, 4), None, None)],
)
def clipped_where_there_is_a_bound(x, low, high):
    y = np.clip(x, low, high)
    return np.sum(y * np.clip(2 * x, min=low, max=high) * x.clip(min=low, max=None))
