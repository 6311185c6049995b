"""Names that share memory: views, second names, and rebinding after a view was taken."""

import numpy as np
import numpy as numpy_by_its_name

from . import positives, program, values


@program(args=lambda: (values(1, 5), 0.7), wrt=(0, 1))
def write_through_a_slice(x, a):
    b = x[1:]
    b[0] = a * x[0]
    return np.sum(x**2)


@program(args=lambda: (values(2, 5), 0.7), wrt=(0, 1))
def read_through_a_slice(x, a):
    b = x[1:3]
    x[1] = a * x[4]
    return np.sum(b**2) + b[0] * x[0]


@program(args=lambda: (values(3, 4), 0.7), wrt=(0, 1), variants=[lambda: (values(3, 2, 2), 0.7)])
def second_name(x, a):
    y = x
    y[0] = y[1] * a
    x *= 2
    return np.sum(x * y)


@program(args=lambda: (values(4, 4), values(5, 4)), wrt=(0, 1))
def base_is_rebound(a, u):
    b = a[1:]
    a = a * u
    b[0] = u[0] ** 2
    return np.sum(a**2) + np.sum(b**3)


@program(args=lambda: (values(6, 4), values(7, 3)), wrt=(0, 1))
def base_is_rebound_and_view_augmented(a, u):
    b = a[1:]
    old = a
    a = a * 2
    b *= u
    b += a[:3]
    return np.sum(old * a) + np.sum(b**2)


@program(args=lambda: (values(8, 3, 2), 0.7), wrt=(0, 1), variants=[lambda: (values(8, 2, 2), 0.7)])
def write_through_transpose(a, s):
    t = a.T
    t[0] = s * t[1]
    a[0] *= t[1, 1]
    return a**2


@program(
    args=lambda: (values(9, 2, 3), 0.7),
    wrt=(0, 1),
    variants=[lambda: (values(9, 6), 0.7), lambda: (np.asfortranarray(values(9, 2, 3)), 0.7)],
    refused=(2,),
)
def write_through_reshape(a, s):
    b = a.reshape(3, 2)
    b[0, 1] = s * b[2, 0]
    b[1] *= 2
    return np.sum(a**2) + np.sum(b**3)


@program(
    args=lambda: (values(10, 2, 3), 0.7),
    wrt=(0, 1),
    refused=(1, 3),
    variants=[
        lambda: (np.asfortranarray(values(10, 2, 3)), 0.7),
        lambda: (values(10, 1, 4), 0.7),
        lambda: (values(10, 4, 3)[::2], 0.7),
    ],
)
def write_through_ravel(a, s):
    b = a.ravel()
    b[1] = s * b[0]
    b[2:] += s
    return np.sum(a**2) + np.sum(b**3)


@program(
    args=lambda: (values(11, 2, 3), 0.7),
    wrt=(0, 1),
    variants=[lambda: (values(11, 1, 3), 0.7), lambda: (np.asfortranarray(values(11, 2, 3)), 0.7)],
    refused=(0, 2),
)
def ravel_of_transpose_may_be_a_copy(a, s):
    b = np.ravel(a.T)
    b[0] = s
    a[0, 1] *= 2
    return np.sum(a**2) + np.sum(b**3)


@program(args=lambda: (values(12, 6), 0.7), wrt=(0, 1))
def view_of_a_view(x, a):
    b = x[1:]
    c = b[::2]
    c[1] = a * b[0]
    b[2] += c[0]
    return np.sum(x * np.arange(6.0)) + np.sum(c**2)


@program(args=lambda: (values(13, 6),))
def stepped_and_reversed_views(x):
    even = x[::2]
    back = x[::-1]
    even *= back[:3]
    back[0] = even[0] ** 2
    return x


@program(
    args=lambda: (values(14, 3, 4), 0.7), wrt=(0, 1), variants=[lambda: (values(14, 1, 4), 0.7)]
)
def rows_as_views(a, s):
    for i in range(a.shape[0]):
        row = a[i]
        row[0] = s * row[1]
        row[1:] *= row[0]
    return np.sum(a**2)


@program(args=lambda: (values(15, 3, 4),))
def view_across_trips(a):
    previous = a[0]
    for i in range(1, a.shape[0]):
        row = a[i]
        row += previous**2
        previous *= 0.5
        previous = row
    return a


@program(args=lambda: (values(16, 4), values(17, 3)), wrt=(0, 1))
def view_read_before_base_is_overwritten(x, w):
    t = x[1:]
    y = t * t * w
    x[1:] = 0.0
    return np.sum(y**2) + np.sum(x) * t[0]


@program(args=lambda: (values(18, 4, 4), values(19, 4)), wrt=(0, 1))
def transpose_recorded_then_written(a, x):
    y = a.T @ x
    a[1] = y
    return a @ y


@program(args=lambda: (values(20, 2, 3),))
def swapped_rows_alias(a):
    """The second row gets what the first one holds by then."""
    a[0], a[1] = a[1], a[0]
    return a * np.arange(6.0).reshape(2, 3)


@program(args=lambda: (values(21, 2, 3),))
def swapped_rows_copied(a):
    a[0], a[1] = a[1].copy(), a[0].copy()
    return a * np.arange(6.0).reshape(2, 3)


@program(args=lambda: (values(22, 4), 0.7), wrt=(0, 1))
def asarray_is_the_same_array(x, a):
    y = np.asarray(x)
    y[0] = a
    z = np.array(x)
    z[1] = a**2
    return np.sum(x**2) * np.sum(z)


@program(args=lambda: (values(23, 4), 0.7), wrt=(0, 1))
def new_axis_and_ellipsis(x, a):
    column = x[:, None]
    same = x[...]
    column[1, 0] = a * same[0]
    same[2] *= column[3, 0]
    return x**2


@program(args=lambda: (values(24, 1, 4), 0.7), wrt=(0, 1))
def squeeze_and_atleast(x, a):
    flat = np.squeeze(x)
    flat[0] = a
    matrix = np.atleast_2d(flat)
    matrix[0, 1] *= a
    return np.sum(x**2) * flat[2]


@program(args=lambda: (values(25, 4), 3), variants=[lambda: (values(25, 4), 0)])
def copy_ends_the_sharing(x, n):
    y = x[:2].copy()
    for i in range(n):
        y *= x[i]
        x[0] += y[0]
    return np.sum(x) + np.sum(y**2)


@program(
    args=lambda: (values(26, 8)[::2], 0.7),
    wrt=(0, 1),
    variants=[lambda: (values(26, 5)[::-1], 0.7), lambda: (values(26, 4, 3).T[0], 0.7)],
)
def argument_is_itself_a_view(x, a):
    x[1:] *= x[0]
    y = x.reshape(-1)
    y[0] = a
    return np.sum(x**3)


@program(args=lambda: (values(27, 5), 0.7), wrt=(0, 1))
def view_then_name_reused(x, a):
    v = x[:2]
    v[0] = a
    v = x[2:4] * 3
    v[0] = a**2
    return np.sum(x**2) + np.sum(v)


@program(args=lambda: (values(28, 3, 3), 0.7), wrt=(0, 1))
def diagonal_is_read_through(a, s):
    d = np.diag(a)
    a[1, 1] = s * a[0, 2]
    return np.sum(d**2) + np.sum(a)


@program(args=lambda: (values(29, 4), values(30, 4)), wrt=(0, 1))
def augmented_name_writes_the_parameter(x, y):
    z = x
    z += y
    z = z * y
    z += x
    return np.sum(x * z)


@program(args=lambda: (values(31, 4),))
def one_buffer_in_a_branch(x):
    y = x * 2
    if y[0] > -10:
        v = y[1:]
        v *= v
    return np.sum(y**2)


@program(args=lambda: (values(32, 3, 4), 0.7), wrt=(0, 1))
def parts_of_one_buffer(a, s):
    left = a[:, :2]
    right = a[:, 2:]
    left += right * s
    right[...] = left * right
    top, bottom = a[0], a[1:]
    bottom -= top
    return a


@program(args=lambda: (values(33, 3), 0.7), wrt=(0, 1))
def index_rebound_after_the_view(x, a):
    i = 1
    v = x[i:]
    i = 0
    v[i] = a
    return x * v[i] + i


@program(args=lambda: (values(34, 6), 2))
def state_flips_between_halves(x, n):
    old = x[:3]
    for k in range(n):
        new = x[3:] * old
        x[:3] = new
        x[3:] += 0.5 * new**2
    return x


@program(args=lambda: (values(35, 4), 0.7), wrt=(0, 1))
def chained_names_share(x, a):
    y = z = x * 2
    y += a
    z[0] = a**2
    return np.sum(y * x) + np.sum(z**3)


@program(args=lambda: (values(36, 4), 0.7), wrt=(0, 1))
def views_inside_a_tuple(x, a):
    parts = (x[:2], x[1:], a)
    parts[0][1] = a * x[3]
    tail = parts[1]
    tail *= parts[2]
    return np.sum(parts[0] ** 2) + np.sum(x)


@program(args=lambda: (values(37, 3, 3),), variants=[lambda: (values(37, 1, 1),)])
def augmented_by_its_own_transpose(a):
    a += a.T
    a *= a[0]
    a -= a[:, :1]
    return a**2


@program(args=lambda: (values(38, 5),))
def reversed_onto_itself(x):
    x[...] = x[::-1] * 2
    x[1:] -= x[-2::-1]
    return x * np.arange(5.0)


@program(args=lambda: (values(39, 4), 0.7), wrt=(0, 1))
def view_outlives_two_bases(x, a):
    v = x[:2]
    x = x * a
    w = x[2:]
    x = x + 1.0
    v += w
    w *= v
    return np.sum(v * w) + np.sum(x)


@program(args=lambda: (values(40, 5), 3))
def window_moves_over_what_is_written(x, n):
    for i in range(n):
        window = x[i : i + 2]
        s = window * window
        x[i + 1] = s[0] + s[1]
    return x + window[0]


@program(
    args=lambda: (values(42, 3, 4), 0.7),
    wrt=(0, 1),
    variants=[lambda: (np.asfortranarray(values(42, 3, 4)), 0.7)],
)
def flipped_moved_and_squeezed(a, s):
    back = np.flip(a)
    back[0, 0] = s * a[0, 1]
    moved = np.moveaxis(a, 0, 1)
    moved[1, 0] *= s
    flat = np.squeeze(a[None])
    flat[0] += back[1]
    turned = np.fliplr(a).T
    turned[2] *= a[:, 0]
    return a**2


@program(args=lambda: (values(43, 3, 4), np.array([0, 1])))
def mesh_lies_on_its_index(a, j):
    mesh = np.ix_([0, 2], j)
    a[mesh] = 0.4 * a[1, :2]
    j[1] = 3
    a[np.ix_([0, 2], j)] *= a[1, 1]
    return a**2


def given_back(y):
    return y


@program(
    args=lambda: (values(44, 4),),
    variants=[lambda: (values(44, 2),), lambda: (values(44, 4, dtype=np.float32),)],
)
def views_of_sums_are_written(x):
    # the tangent of a sum is that of x, which must not be written to
    y = np.reshape(x + 1.0, (2, -1))
    y *= 2.0
    z = (x - 1.0)[1:]
    z[0] = x[0]
    u, _ = np.split(x + 2.0, 2)
    u *= x[0]
    w = given_back(x + 3.0)
    w *= w
    return np.sum(y.ravel() * x) + np.sum(z * x[1:]) + np.sum(u) + np.sum(w * x)


def product_of_doubled(parts):
    for part in parts:
        part *= 2.0
    return parts[0] * parts[1]


@program(
    args=lambda: (values(47, 4),),
    variants=[lambda: (values(47, 6),), lambda: (values(47, 4, dtype=np.float32),)],
)
def parts_of_sums_are_written(x):
    parts = np.split(x + 1.0, 2)
    for part in parts:
        part *= 2.0
    return np.sum(parts[0] * parts[1] * product_of_doubled(np.split(x + 2.0, 2)))


@program(args=lambda: (positives(51, 3), 4))
def buffers_taken_in_turn(x, n):
    buffers = [np.zeros(2), np.zeros(2)]
    s = 0.0
    for k in range(n):
        now, then = buffers[k % 2], buffers[(k + 1) % 2]
        now += x[:2] * (k + 1)
        then[:] = now**2 + then
        s += np.sum(now * then)
        buffers[k % 2] = then * x[2]
    return s


@program(args=lambda: (positives(52, 3, 2), 4))
def rows_updated_in_turn(x, n):
    y = x * 2
    s = 0.0
    for k in range(n):
        row = y[k % 3]
        row *= x[(k + 1) % 3]
        s += np.sum(row * row)
        column = y[:, k % 2]
        column -= row[k % 2]
    return s + np.sum(y)


def _as_array(a):
    return np.asarray(a)


@program(args=lambda: (values(91, 3),), variants=[lambda: (values(92, 1),)])
def view_that_a_callee_asks_numpy_for(x):
    y = x + 0.0
    same = _as_array(y)
    same[:1] = x[-1:] * 2
    y += 1.5
    same *= 2
    same[0] = 3.0
    return np.sum(same**2) + np.sum(y**3)


@program(args=lambda: (values(93, 3),))
def view_by_numpy_under_another_name(x):
    y = x + 0.0
    same = numpy_by_its_name.asarray(y)
    same[0] = x[1] * 2
    y[1] *= same[0]
    same[2] = 3.0
    return np.sum(same**2) + np.sum(y**3)
