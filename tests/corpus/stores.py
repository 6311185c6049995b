"""In-place writes to subscripts, of own arrays and of parameters."""

import numpy as np

from . import positives, program, values


@program(args=lambda: (values(1, 4), 0.7), wrt=(0, 1))
def parameter_element(x, a):
    x[1] = a * x[2]
    return np.sum(x**2)


@program(args=lambda: (values(2, 5),), variants=[lambda: (values(2, 3, dtype=np.float32),)])
def own_array(x):
    y = np.zeros_like(x)
    y[0] = x[0] ** 2
    y[1:] = x[1:] * x[:-1]
    return y * x


@program(args=lambda: (values(3, 4), 0.7), wrt=(0, 1))
def own_empty_array(x, a):
    y = np.empty(4)
    for i in range(4):
        y[i] = x[3 - i] * a
    return y


@program(args=lambda: (values(3, 4),), variants=[lambda: (values(3, 4, dtype=np.float32),)])
def memory_by_the_class_of_arrays(x):
    y = np.ndarray((2, 4), dtype=np.float64)
    y[0] = x
    y[1] = x * x[::-1]
    z = np.ndarray(shape=len(x))
    z[:] = y[0] * y[1]
    return z


@program(
    args=lambda: (values(4, 4), values(5, 4)),
    wrt=(0, 1),
    variants=[lambda: (values(4, 2, 4), values(5, 4))],
)
def every_augmented_store(x, y):
    x[..., 0] += y[0]
    x[..., 1] *= y[1]
    x[..., 2] -= y[2] ** 2
    x[..., 3] /= y[3]
    x[..., 0] **= 3
    return x


@program(args=lambda: (values(6, 5), 0.7), wrt=(0, 1))
def augmented_by_itself(x, a):
    x[0] *= x[0]
    x[1] += a * x[1]
    x[2] -= x[0] * x[2]
    x[1:3] *= x[2:4]
    return x


@program(args=lambda: (values(7, 6),), variants=[lambda: (values(7, 6, 2),)])
def slices_that_overlap(x):
    x[1:] = x[:-1] * 2
    x[:-1] += x[1:]
    return np.sum(x**2)


@program(args=lambda: (values(8, 6),))
def slices_of_every_sort(x):
    x[::2] = x[1::2] ** 2
    x[::-1] *= np.arange(6.0)
    x[-2:] = x[-4:-2]
    x[4:1:-1] = x[1:4] * 1.5
    return x


@program(args=lambda: (values(9, 3, 4), values(10, 4)), wrt=(0, 1))
def rows_and_columns(a, v):
    a[0] = v * a[1]
    a[:, 2] = a[:, 0] ** 2
    a[1, :] += a[2]
    a[-1, 1] = a[0, 0] * v[1]
    return np.sum(a**2)


@program(
    args=lambda: (values(11, 3, 4), 0.7),
    wrt=(0, 1),
    variants=[
        lambda: (values(11, 3, 4), values(12, 4)),
        lambda: (values(11, 3, 4), values(12, 3, 1)),
        lambda: (values(11, 3, 4), values(12, 1)),
    ],
)
def store_broadcasts(a, v):
    a[1:] = v if np.ndim(v) < 2 else v[1:]
    return a**2


@program(args=lambda: (values(13, 4),), variants=[lambda: (values(13, 2, 3),)])
def whole_array(x):
    y = np.ones_like(x)
    y[:] = x * 2
    y[...] = y * x
    x[:] = 0.5
    return y * x


@program(args=lambda: (values(14, 4), 3), variants=[lambda: (values(14, 4), 0)])
def overwritten_in_a_loop(x, n):
    for k in range(n):
        x[0] = np.sin(x[1])
        x[1] = x[0] * x[2]
        x[2] = x[3] + x[1] ** 2
    return x


@program(args=lambda: (values(15, 5), values(16, 5)), wrt=(0, 1), written=(0,))
def procedure_axpy(y, x):
    y += 2.0 * x
    y[0] = y[0] * x[0]


@program(
    args=lambda: (values(17, 4), values(18, 4)),
    wrt=(0, 1),
    written=(0, 1),
    variants=[lambda: (values(17, 2, 2), values(18, 2, 2))],
)
def procedure_with_two_outputs(x, y):
    x[0] = y[1] * x[1]
    y[:] = y * x


@program(args=lambda: (values(19, 4), 1.2), wrt=(0, 1))
def written_and_returned(x, a):
    """The value returned is the output, not what was written."""
    y = x * a
    x[:] = 0.0
    return y


@program(args=lambda: (values(20, 4),), variants=[lambda: (values(20, 2, 2),)])
def needed_then_overwritten(x):
    y = x * x
    x *= 3
    z = x * y
    x += z
    y -= x
    return np.sum(y * z)


@program(args=lambda: (values(21, 5), 2), variants=[lambda: (values(21, 5), 0)])
def index_from_a_computation(x, k):
    j = (k + 1) % len(x)
    x[j] = x[k] ** 2
    k = j
    x[k - 1] = x[j] * x[k - 2]
    return x


@program(args=lambda: (values(22, 4), values(23, 3)), wrt=(0, 1))
def scatter_add_by_loop(x, w):
    bins = np.zeros(3)
    for i in range(len(x)):
        bins[i % 3] += x[i] * w[i % 3]
    return bins**2


@program(args=lambda: (values(24, 4),), written=(0,), variants=[lambda: (values(24, 1),)])
def prefix_sums_in_place(x):
    for i in range(1, x.shape[0]):
        x[i] += x[i - 1]


@program(args=lambda: (positives(25, 4),), written=(0,))
def in_place_by_its_own_sum(x):
    x /= x.sum()
    x[:2] *= x[2:].max()


@program(args=lambda: (values(26, 3), 0.5), wrt=(0, 1))
def constant_kills_the_gradient(x, a):
    y = x * a
    y[1] = 3.0
    y[1] += x[1] ** 2
    y[2] = a
    y[2] = 1.0
    return y


@program(args=lambda: (values(27, 2, 3, 2), 0.7), wrt=(0, 1))
def several_axes(t, a):
    t[:, 1, :] = a * t[:, 0, :]
    t[0, ..., 1] += t[1, ..., 0]
    t[..., None, 0][:, 0] *= 2.0
    return t**2


@program(args=lambda: (values(28, 4), values(29, 4)), wrt=(0, 1))
def inplace_on_own_copy(x, y):
    z = x.copy()
    z += y
    z *= x
    w = np.array(z)
    w[0] = 0.0
    return np.sum(z * w)


@program(args=lambda: (values(30, 4), 1.3), wrt=(0, 1))
def filled(x, a):
    y = np.empty_like(x)
    y.fill(a)
    x[0] *= 2
    y *= x
    return y


@program(args=lambda: (values(31, 5),))
def store_reads_its_own_target_twice(x):
    x[1:-1] = x[2:] * x[:-2] + x[1:-1] ** 2
    x[0] = x[0] / x[0] + x[0] * x[-1]
    return x


@program(args=lambda: (values(41, 4, 4),))
def row_takes_its_own_column(a):
    b = np.ones((4, 4))
    for k in range(4):
        b[k] += b[:, k] * a[k, k]
    return b.sum()


@program(args=lambda: (values(42, 4), values(43, 2)), wrt=(0, 1))
def part_is_handed_on_and_cleared(x, y):
    z = x * 2
    z[1:3] += y
    y = y * z[0]
    z[1:] = y[0]
    return np.sum(z**2) * y[1]


@program(args=lambda: (values(1, 3, 3), 0.7), wrt=(0, 1))
def flat_diagonal(x, mu):
    y = x @ x
    y.flat[:: len(y) + 1] -= mu
    a, b, c = y[0].flat
    return np.sum(y * x) + a * b * c


@program(args=lambda: (values(1, 3, 4), values(2, 2)), wrt=(0, 1))
def flat_of_a_transpose(x, v):
    y = (x * 2).T[::2]
    y.flat[1:3] = v
    y.flat[4] *= x[0, 0]
    y.flat[y.flat[:6] > 0.4] *= v[0]
    return np.sum(y * y)


@program(args=lambda: (values(1, 2, 3),))
def flat_slices_are_copies(x):
    y = x * 2
    z = y.flat[::2]
    y[0, 0] = 7 * x[1, 1]
    s = 0.0
    for v in y.flat:
        s = s * v + v
    return np.sum(z**2) + s * y.flat[1] + sum([v * v for v in x.flat])


@program(args=lambda: (positives(1, 3), 3))
def permutation_indexed_by_itself(x, n):
    p = np.array([0, 2, 1])
    q = p[::-1]
    s = 1.0
    for i in range(n):
        s *= x[p[0]] + x[p[1]] ** 2 * i
        p[p[0]], p[p[1]] = i, 1
        p[q[0]] = 2 - i
        p[p[0] : p[0] + 1] += 1
        p[p[:2]] = 2 - i
        p %= 3
    return s


@program(args=lambda: (positives(2, 4), 3))
def mask_stored_to_where_it_is_set(x, n):
    left = np.ones(len(x), bool)
    s = 1.0
    for k in range(n):
        s *= np.sum(x[left]) + 1
        left[left] = x[left] > 0.4 * k
        s = s * np.sum(x[left]) + 1.5
    return s


@program(
    args=lambda: (values(1, 4),),
    variants=[lambda: (values(1, 4, dtype=np.float32),)],
)
def all_of_a_flat_array(x):
    m = np.zeros((2, 2))
    m.flat = x * x
    n = m.T
    n.flat = x[0]
    m[0] += n[1]
    k = np.ones((2, 2))
    k.T.flat = x
    return np.sum(m * k)


@program(
    args=lambda: (1.3, values(61, 4)), wrt=(0, 1), variants=[lambda: (-0.7, values(62, 2))],
)  # fmt: skip
def entries_of_one_rate(k, start):
    rates = np.ones((2, 2))
    rates[0, 1] = rates[1, 0] = k
    first = last = start
    first = first * k
    k = rates[1, 1] = k + last[0]
    return np.sum(np.outer(first[:2], last[-2:]) * rates) * k


@program(
    args=lambda: (positives(63, 3, 3), [0, 2, 1]), variants=[lambda: (positives(64, 2, 2), [1])]
)
def transitions_of_a_path(p, path):
    total = 0.0
    for a, b in zip(path[:-1], path[1:]):
        total += np.log(p[a, b])
    return total
