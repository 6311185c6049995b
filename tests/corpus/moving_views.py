"""Views whose place changes or does not last: indices bound anew, one of several places, carried from trip to trip."""

import numpy as np

from . import program, values


@program(
    args=lambda: (values(1, 3, 4),),
    variants=[
        lambda: (np.asfortranarray(values(1, 3, 4)),),
        lambda: (values(1, 3, 8)[:, ::-2],),
        lambda: (values(1, 3, 4, dtype=np.float32),),
        lambda: (values(1, 1, 4),),
    ],
)
def row_before_the_last(a):
    previous = a[0]
    for i in range(1, a.shape[0]):
        row = a[i]
        row += previous**2
        previous *= 0.5
        previous = row
    previous[0] = a[0, 1]
    return a


@program(
    args=lambda: (values(2, 6), True),
    variants=[lambda: (values(2, 6), False), lambda: (values(2, 12)[::-2], False)],
)
def one_of_two_slices(x, flag):
    y = 2 * x
    part = y[1:] if flag else y[:-1]
    part *= y[2]
    return np.sum(y**2) + part[0]


@program(args=lambda: (values(3, 2, 3),), variants=[lambda: (values(3, 4, 3).T[1:, ::2].T,)])
def rows_by_unpacking(x):
    top, bottom = x
    top[0] = 2 * bottom[1]
    bottom *= top
    return np.sum(x**2)


@program(
    args=lambda: (values(4, 3, 3),),
    variants=[lambda: (values(5, 3, 2),), lambda: (values(6, 3, 4),)],
)
def rows_without_a_name_orthogonal(x):
    a, b, c = np.array(x)
    a /= np.sqrt(np.sum(a**2))
    b -= np.dot(a, b) * a
    p, q = (x.T * x[0, 0]).T[:2].copy()
    p[:2] = b[:2]
    q *= a * p
    return np.sum(b * c) + np.sum(p * q) + a[0]


@program(args=lambda: (values(4, 4, 3), 2), variants=[lambda: (values(4, 4, 3), 0)])
def rows_unpacked_in_a_loop(x, n):
    for i in range(n):
        one, two = x[i : i + 2]
        one *= two
        two[0] = one[1]
    return x**2


@program(args=lambda: (values(5, 8),))
def window_in_a_while(x):
    y = x * 1.5
    low = 0
    window = y[:2]
    while low < 4:
        window *= y[low + 2]
        low += 1
        window = y[low : low + 2]
    window[0] = y[7]
    return np.sum(y**2)


@program(args=lambda: (values(6, 8),))
def bisected(x):
    a = x * 1.5
    low, high = 0, 8
    while high - low > 1:
        middle = (low + high) // 2
        left, right = a[low:middle], a[middle:high]
        left *= right
        right += left
        if left[0] > 0.1:
            high = middle
        else:
            low = middle
    return np.sum(a**2) + left[0]


@program(args=lambda: (values(7, 6),))
def index_is_an_element(x):
    """What the index was counts, not what its array holds later."""
    y = 2 * x
    places = np.array([1, 2])
    tail = y[places[0] :]
    places[0] = 3
    tail[0] = x[0] ** 2
    return np.sum(y**2) + tail[0]


@program(args=lambda: (values(8, 6),))
def index_is_drawn_once(x):
    y = 2 * x
    counter = iter([1, 2, 3])
    tail = y[next(counter) :]
    tail[0] = x[0] ** 2
    tail[1] = y[0] ** 2
    return np.sum(y**2) * next(counter)


@program(args=lambda: (values(9, 6),))
def index_from_a_dict(x):
    y = 2 * x
    options = {"first": 1}
    tail = y[options["first"] :]
    options["first"] = 3
    tail[0] = x[0] ** 2
    return np.sum(y**2) + tail[0]


@program(args=lambda: (values(10, 6),))
def index_is_an_array_without_axes(x):
    k = np.array(1)
    tail = x[k:4]
    head = x[:k]
    k += 2
    tail *= head
    return np.sum(x**2) + tail[0]


@program(args=lambda: (values(11, 6), 0), variants=[lambda: (values(11, 6), 1)])
def view_on_one_path(x, c):
    """Without a view there is an exception, and its handler."""
    y = 2 * x
    if c:
        v = y[1:]
    try:
        v[0] = 7 * x[0]
    except NameError:
        y[3] = 9 * x[0]
    return np.sum(y**2)


@program(args=lambda: (values(12, 4), values(13, 4)), wrt=(0, 1))
def last_of_a_list(a, b):
    rows = [a * (i + 1.0) for i in range(3)]
    last = rows[0]
    for i in range(1, 3):
        last *= rows[i]
        last = rows[i]
    last += b
    return np.sum(rows[0] ** 2) + np.sum(rows[1] * rows[2])


@program(args=lambda: (values(14, 4), values(15, 4)), wrt=(0, 1))
def element_added_to_after_it_was_read(a, b):
    rows = [a * (i + 1.0) for i in range(3)]
    rows[2] *= rows[1]
    rows[1] += b
    return np.sum(rows[0] ** 2) + np.sum(rows[1] * rows[2])


@program(args=lambda: (values(16, 5), 3), variants=[lambda: (values(16, 5), 0)])
def names_are_taken(x, v_at):
    v_start = 2
    v = x[0:2]
    for i in range(v_at):
        v *= x[v_start]
        v = x[i : i + 2]
    v[0] = 2.0
    return np.sum(x**2) * v_at + v_start


@program(args=lambda: (values(17, 3, 4),))
def row_and_counter_at_once(x):
    i = 0
    one, i = x[i], i + 1
    two, i = x[i], i + 1
    one *= two
    two[0] = one[1]
    return np.sum(x**2) * i


@program(args=lambda: (values(18, 2, 3, 4),), variants=[lambda: (values(18, 4, 3, 2).T,)])
def rows_of_matrices(a):
    for m in a:
        for r in m:
            r *= m[0, 0]
            m[1] += r
    return np.sum(a**2)


@program(
    args=lambda: (values(19, 6),),
    variants=[
        lambda: (values(19, 4, 3),),
        lambda: (np.asfortranarray(values(19, 4, 3)),),
        lambda: (values(19, 12)[::-2],),
    ],
)
def halves_by_split(x):
    y = 2 * x
    left, right = np.split(y, 2)
    left *= right
    right[0] = left[1]
    return np.sum(y**2)


@program(
    args=lambda: (values(20, 7),), variants=[lambda: (values(20, 8),), lambda: (values(20, 9, 2),)]
)
def uneven_thirds(x):
    a, b, c = np.array_split(x, 3)
    a[1:] *= b[0]
    b += c[:1]
    c[0] = a[0]
    return np.sum(x**2)


@program(args=lambda: (values(21, 7), 2), variants=[lambda: (values(21, 7), 1)])
def split_at_places(x, n):
    a, b, c = np.split(x, [n, n + 2])
    n = 0
    a *= c[0]
    b[n] = a[0]
    return np.sum(x**2)


@program(args=lambda: (values(22, 4, 6),), variants=[lambda: (values(22, 6, 4).T,)])
def blocks_by_hsplit_and_vsplit(x):
    a, b = np.hsplit(x, 2)
    c, d = np.vsplit(x, 2)
    a *= b
    d += c
    e, f = np.split(x, [1], axis=-1)
    f[..., 0] *= e[..., 0]
    return x**2


@program(args=lambda: (values(23, 8),))
def parts_of_a_moving_window(x):
    for i in range(3):
        left, right = np.split(x[i : i + 4], 2)
        left *= right
    right[0] = left[1]
    return np.sum(x**2) + np.sum(left)


def _tail(x, k):
    n = len(x) // 2
    return x[n + k :]


def _two_parts(x, k):
    n = x.shape[0] // 2
    m = n + k
    return x[:m], x[m:]


def _scaled(v, f):
    v[1:] *= f[0]
    return v


@program(
    args=lambda: (values(24, 8),),
    variants=[lambda: (values(24, 8, 2),), lambda: (values(24, 16)[::-2],)],
)
def views_by_local_bounds_of_callees(x):
    y = 2 * x
    tail = _tail(y, 1)
    tail *= y[0]
    left, right = _two_parts(y, 1)
    left *= right[0]
    right += left[1]
    return np.sum(y**2) + np.sum(left) + np.sum(tail)


@program(args=lambda: (values(25, 8),))
def view_of_a_callee_in_a_loop(x):
    y = 2 * x
    for k in range(3):
        tail = _tail(y, k)
        tail *= y[k]
    tail[0] = y[1]
    return np.sum(y**2) + np.sum(tail)


@program(args=lambda: (values(26, 6),))
def callee_writes_to_what_has_no_name(x):
    y = _scaled(np.zeros(4) + x[:4], x)
    z = _scaled(2 * x, y)
    w = _scaled(x[[1, 2, 3]], z)
    _scaled(3 * x, y)
    return np.sum(y) * np.sum(z) + w[1]
