"""Lists: growing, shrinking, indexed by variables, run over, nested, joined, and what arrays are made of them."""

import collections
import math
from collections import deque

import numpy as np

from . import positives, program, values


@program(
    args=lambda: (values(1, 4),),
    variants=[lambda: (values(1, 0),), lambda: (values(1, 3, dtype=np.float32),)],
)
def appended(x):
    ys = []
    for i in range(len(x)):
        ys.append(np.sin(x[i]))
    return np.sum(np.array(ys) ** 2)


@program(args=lambda: (values(2, 4),), variants=[lambda: (values(2, 1),)])
def last_times_next(x):
    ys = [x[0]]
    for i in range(1, len(x)):
        ys.append(ys[-1] * x[i])
    return sum(ys)


@program(args=lambda: (values(3, 4),), variants=[lambda: (values(3, 1),)])
def preallocated(x):
    u = [0.0] * len(x)
    for i in range(len(x)):
        u[i] = x[i] ** 2
    for i in range(1, len(x)):
        u[i] += u[i - 1] * x[i]
    return u[-1]


@program(
    args=lambda: (values(4, 2),),
    variants=[lambda: (values(4, 2, dtype=np.float32),)],
)
def product_on_a_stack(x):
    stack = [x[0], x[1], x[0] + x[1]]
    while len(stack) > 1:
        b = stack.pop()
        a = stack.pop()
        stack.append(a * b + a)
    return stack[0]


@program(args=lambda: (values(5, 3),), variants=[lambda: (values(5, 1),)])
def rows_become_a_matrix(x):
    rows = []
    for i in range(3):
        rows.append(x * i)
    m = np.array(rows)
    return np.sum(m @ x)


@program(
    args=lambda: (values(6, 4),),
    variants=[lambda: (values(6, 4, dtype=np.float32),)],
)
def parts_joined(x):
    parts = [x[:1] ** 2, x[1:] * 3]
    parts.append(x)
    return np.sum(np.concatenate(parts) ** 2)


@program(
    args=lambda: (values(7, 3),),
    variants=[lambda: (values(7, 3, dtype=np.float32),)],
)
def run_over_twice(x):
    xs = [x[0], x[1], x[2]]
    s = 0.0
    for v in xs:
        s += v**3
    for i, v in enumerate(xs):
        s += v * i
    return s


@program(
    args=lambda: (values(8, 2),),
    variants=[lambda: (values(8, 2, dtype=np.float32),)],
)
def over_a_tuple(x):
    s = 0.0
    for v in (x[0], x[1] * 2, x[0] * x[1]):
        s += v**3
    return s


@program(
    args=lambda: (values(9, 3),),
    variants=[lambda: (values(9, 3, dtype=np.float32),)],
)
def two_names_of_a_list(x):
    xs = [x[0], x[1]]
    ys = xs
    ys.append(x[2] ** 2)
    xs[0] = xs[2] * ys[1]
    return sum(xs)


@program(args=lambda: (values(10, 4),), variants=[lambda: (values(10, 0),)])
def comprehension(x):
    ys = [np.sin(v) * v for v in x]
    return sum(ys) + 0.5 * np.sum(x)


@program(
    args=lambda: (values(11, 5),),
    variants=[lambda: (values(11, 5, dtype=np.float32),)],
)
def generator_with_a_condition(x):
    return sum(v**2 for v in x if v > 0.5) + x[0]


@program(args=lambda: (values(12, 3), values(13, 2)))
def matrix_of_a_comprehension(x, w):
    return np.sum(np.array([np.tanh(x * u) for u in w]) @ x)


@program(args=lambda: (values(14, 3),), variants=[lambda: (values(14, 1),)])
def kernel_matrix(x):
    n = len(x)
    K = np.array([[np.exp(-((x[i] - x[j]) ** 2)) for j in range(n)] for i in range(n)])
    return np.sum(K @ x)


@program(
    args=lambda: (values(15, 3),),
    variants=[lambda: (values(15, 3, dtype=np.float32),)],
)
def comprehension_of_itself(x):
    ys = [v for v in x]
    for k in range(2):
        ys = [y * y + k for y in ys]
    return ys[0] * ys[-1]


@program(
    args=lambda: (values(16, 3),),
    variants=[lambda: (values(16, 3, dtype=np.float32),)],
)
def largest_and_smallest(x):
    m = max([v * v for v in x])
    return m + 2 * min(v for v in x)


@program(args=lambda: (values(17, 3),), variants=[lambda: (values(17, 3) + 20,)])
def any_and_all(x):
    if any(v > 10 for v in x):
        return x[0] ** 2
    if all(v < 10 for v in x):
        x = x * 2
    return np.mean([v for v in x])


@program(
    args=lambda: (values(18, 3),),
    variants=[lambda: (values(18, 3, dtype=np.float32),)],
)
def list_of_lists(x):
    rows = []
    for i in range(2):
        row = []
        for v in x:
            row.append(v * (i + 1))
        rows.append(row)
    s = 0.0
    for row in rows:
        for v in row:
            s += v**2
    return s + rows[1][0]


@program(
    args=lambda: (values(19, 5),),
    variants=[lambda: (values(19, 5, dtype=np.float32),)],
)
def chosen_indices(x):
    y = [v * 0.5 for v in x]
    even = [i for i in range(len(y)) if i % 2 == 0]
    s = 0.0
    for i in even:
        s += y[i] ** 2
    return s


@program(
    args=lambda: (values(20, 4),),
    variants=[lambda: (values(20, 4, dtype=np.float32),)],
)
def arrays_of_several_lengths(x):
    s = 1.0
    for w in [x[:2], x[1:], x]:
        s = np.sum(w**2) * s
    return s


@program(
    args=lambda: (values(21, 3),),
    variants=[lambda: (values(21, 3, dtype=np.float32),)],
)
def history_of_states(x):
    history = [x]
    for _ in range(3):
        history.append(history[-1] * 0.5 + np.sin(history[0]))
    return np.sum(np.stack(history)[-1]) + np.sum(history[2] * history[1])


@program(
    args=lambda: (values(22, 3),),
    variants=[lambda: (values(22, 3, dtype=np.float32),)],
)
def every_method(x):
    xs = list(x)
    xs.insert(1, x[0] * x[1])
    xs.reverse()
    a = xs.pop(0)
    xs.extend([a, a * 2])
    xs += [x[2]]
    ys = xs.copy()
    ys[0] = a
    return sum(xs[1:]) * xs[0] + ys[0] * ys[1]


@program(
    args=lambda: (values(23, 2),),
    variants=[lambda: (values(23, 2, dtype=np.float32),)],
)
def queue(x):
    q = [x[0], x[1]]
    s = 0.0
    while q:
        v = q.pop(0)
        s += v * v
        if s < 1.2:
            q.append(v * 1.5)
    return s


@program(
    args=lambda: (values(24, 3),),
    variants=[lambda: (values(24, 3, dtype=np.float32),)],
)
def list_made_in_a_loop(x):
    s = 0.0
    for i in range(3):
        t = [0.0] * 3
        t[i] = x[i] ** 2
        t[(i + 1) % 3] = x[0]
        s += sum(t) * t[i]
    return s


@program(
    args=lambda: (values(25, 4),),
    variants=[lambda: (values(25, 4, dtype=np.float32),)],
)
def arrays_in_a_list_changed_in_place(x):
    blocks = [x[:2] * 1.0, x[2:] * 2.0]
    for k in range(2):
        blocks[k] *= x[k]
        blocks[k][0] += 1.0
    return np.sum(blocks[0] * blocks[1])


def _push(stack, v):
    stack.append(v * v)


def _total(values_):
    s = 0.0
    for v in values_:
        s = s * 0.5 + v
    return s


@program(
    args=lambda: (values(26, 3),),
    variants=[lambda: (values(26, 3, dtype=np.float32),)],
)
def lists_passed_on(x):
    stack = [x[0]]
    for v in x:
        _push(stack, v)
    return _total(stack) * stack[1]


def _powers(v, n):
    out = []
    for k in range(n):
        out.append(v**k)
    return out


@program(args=lambda: (1.3, 4), variants=[lambda: (1.3, 1)])
def list_of_a_helper(v, n):
    ps = _powers(v, n)
    ps.append(v)
    return sum(ps) * ps[0]


@program(args=lambda: (values(27, 3), 2), variants=[lambda: (values(27, 3), 0)])
def grown_on_one_path(x, n):
    ys = [x[0]]
    if n > 1:
        ys.append(x[1])
    else:
        ys = [x[2], x[1] ** 2, x[0]]
    s = 0.0
    for y in ys:
        s += y * len(ys)
    return s


@program(args=lambda: (values(28, 2, 3),))
def unpacked_lists(x):
    pairs = [(row[0], row[1] * row[2]) for row in x]
    s = 0.0
    for a, b in pairs:
        s += a * b
    first, second = [v**2 for v in x[0][:2]]
    return s + first - second


@program(
    args=lambda: (values(29, 3),),
    variants=[lambda: (values(29, 3, dtype=np.float32),)],
)
def joined_and_repeated(x):
    xs = [x[0]] * 2 + [x[1], x[2] ** 2]
    ys = xs[1:3] + xs[:1]
    return xs[0] * xs[3] + ys[0] * ys[1] * ys[2]


@program(args=lambda: (values(30, 3), [1.0, 2.0, 4.0]))
def weights_of_a_list(x, weights):
    return sum(w * v for w, v in zip(weights, x))


@program(
    args=lambda: (values(31, 3),),
    variants=[lambda: (values(31, 3, dtype=np.float32),)],
)
def cleared_and_filled_again(x):
    s = 0.0
    ys = []
    for i in range(4):
        if len(ys) == 2:
            s += ys[0] * ys[1]
            ys.clear()
        ys.append(x[i % 3] + i)
    return s + ys[-1]


@program(args=lambda: (values(32, 4), values(33, 4)))
def constant_arrays_in_a_list_become_active(x, w):
    sums = [w[:2] * 1.0, w[2:] * 2.0]
    for k in range(2):
        sums[k] += x[k]
    return np.sum(sums[0] * sums[1])


@program(args=lambda: (values(32, 3), 1), variants=[lambda: (values(32, 3), 0)])
def joined_along_a_chosen_axis(x, k):
    parts = [a * np.ones((1, 1)) * x for a in x]
    parts.append(x[0] * np.ones((1, 1)) * x)
    whole = np.concatenate(parts, axis=k)
    return np.sum(whole**3 * np.cos(np.arange(12.0)[: whole.shape[1]]))


@program(args=lambda: (values(33, 2), 1), variants=[lambda: (values(33, 2), 0)])
def stacked_along_a_chosen_axis(x, k):
    parts = [x * (i + 1) for i in range(2)]
    return np.sum(np.stack(parts, axis=k) ** 2 * np.array([[1.0, 2.0], [3.0, 5.0]]))


@program(args=lambda: (values(34, 2, 3),), variants=[lambda: (values(34, 3, 2),)])
def stacked_along_an_axis_that_a_loop_chooses(x):
    total = 0.0
    for k in range(2):
        k_1 = 1 - k
        parts = [row * (i + 1) for i, row in enumerate(x)]
        whole = np.stack(parts, axis=k_1)
        total += np.sum(whole**2 * np.arange(6.0).reshape(whole.shape)) * (k + 1)
    return total


@program(args=lambda: (values(4, 3), 0), variants=[lambda: (values(4, 3), -1)])
def pairs_on_a_stack(x, k):
    stack = []
    for i in range(len(x)):
        stack.append((x[i], x[i] ** 2))
    total = stack[0][1] * stack.pop(k)[0]
    while stack:
        a, b = stack.pop()
        total = total * a + np.sin(b)
    return total


@program(args=lambda: (values(91, 3), 0.7), wrt=(0, 1), variants=[lambda: (values(91, 1), 0.7)])
def methods_of_arrays_of_comprehensions(x, c):
    """What is asked of an array by a method, where the array is made of a list in place."""
    total = np.array([np.sin(c * v) for v in x]).sum()
    total = total * np.exp(np.array([v * v for v in x]) - c).mean()
    return total + np.stack([[v, c * v] for v in x]).prod(axis=0).sum()


@program(args=lambda: (values(92, 3), values(93, 3)), wrt=(0, 1))
def mapped_filtered_and_zipped(x, y):
    """What map, filter, zip and enumerate give, as lists or summed."""
    total = sum(map(lambda u, v: u * v**2, x, y)) + max(map(abs, x))
    pairs = list(zip(x, y))
    for u, v in pairs[1:]:
        total = total * u + v
    kept = np.array(list(filter(lambda u: u > 0.0, y)))
    return total * pairs[0][0] + np.sum(kept**2) + list(enumerate(x))[1][1]


@program(lambda: (positives(1, 4), 0.7), wrt=(0, 1), variants=[lambda: (positives(2, 1), 1.3)])
def shares(x, power):
    total = sum(x**power)
    return [v**power / total for v in x]


@program(lambda: (values(1, 5), 0.2), wrt=(0, 1), variants=[lambda: (values(2, 3), -9.0)])
def kept_and_scaled(x, floor):
    kept = []
    for v in x:
        if v > floor:
            kept.append(v * floor)
    return kept, [x * floor for _ in range(2)]


@program(lambda: (values(1, 3),), variants=[lambda: (values(2, 2, 2),)])
def tails(x):
    return tuple([x[k:] * (k + 1) for k in range(len(x))])


@program(args=lambda: (positives(21, 3), 3))
def taken_out_at_its_middle(x, n):
    order = [0, 2, 1, 1]
    xs = [x[0], x[1], x[2] ** 2, x[0] * x[1]]
    s = 1.0
    for i in range(n):
        s = s * x[order[0]] + xs[0] * xs[1] * xs[-1]
        order[order[0]] = i
        last = order.pop(len(order) // 2)
        order.insert(order[0], last)
        v = xs.pop(len(xs) // 2)
        xs.insert(len(xs) // 2, v * xs[0])
        xs.append(xs.pop(order[1]) * s)
    return s + xs[0]


@program(args=lambda: (positives(21, 3),))
def popped_to_places(x):
    rows = [x * 2, x[0], x * x, x[2]]
    y = np.zeros((3, 3))
    y[1] = rows.pop()
    y[0] = rows.pop(0)
    last = [x, x]
    last[1], y[2, 1:] = rows.pop(), rows.pop()
    u = np.ones(3)
    for k in range(2):
        u[k:2] = last.pop()[k] * u[k + 1]
    return np.sum(y**3) * np.sum(u)


@program(args=lambda: (0.7, [1.3, 0.9, 1.1]))
def rows_of_a_list_counted_and_summed(x, steps):
    path = []
    for k, h in enumerate(steps):
        x = x * h + np.sin(x)
        path.append((k, h, (x, 2)))
    longest = max(p[1] for p in path)
    count = len([p for p in path if p[1] > 1]) + sum(p[2][1] for p in path)
    return path[int(np.argmax([k for k, _, _ in path]))][2][0] ** 2 * longest * count


@program(args=lambda: (values(51, 4),), variants=[lambda: (-values(51, 1),)])
def sorted_in_place(x):
    xs = [v * v for v in x]
    xs.sort()
    ys = [(v, v * w) for v, w in zip(x, xs)]
    ys.sort(key=lambda pair: -pair[1])
    s = xs[0] * xs[-1]
    for i, (a, b) in enumerate(ys):
        s += i * a * b
    return s


@program(args=lambda: (values(52, 4),), variants=[lambda: (values(52, 4, dtype=np.float32),)])
def stores_to_slices_of_lists(x):
    xs = list(x)
    xs[1:] = [xs[0] * 2, xs[1] ** 2]
    xs[:1] = x[2:] * xs[0]
    ys = xs
    ys[1:3] = (ys[1] * ys[2],)
    xs[:] = [v * i for i, v in enumerate(xs, 1)]
    return sum(i * v**2 for i, v in enumerate(ys))


@program(args=lambda: (values(56, 3),), variants=[lambda: (values(56, 3, dtype=np.float32),)])
def slices_of_lists_updated_by_numbers_of_numpy(x):
    xs = [0.0, 2.0, 1.0]
    ys = xs
    xs[0] = x[0] * x[1]
    ys[1:] += x[1] ** 2
    xs[:2] /= x[2]
    xs[1:] -= x[:2] * x[0]
    return ys[0] * ys[1] + ys[2] ** 2


@program(args=lambda: (values(53, 5),), variants=[lambda: (values(53, 1),)])
def product_from_the_end(x):
    xs = list(x)
    while len(xs) > 1:
        xs[-2:] = [xs[-2] * xs[-1] + x[0]]
    return xs[0] ** 2


@program(args=lambda: (values(54, 5), 1))
def deleted_from_lists(x, k):
    xs = [v**2 for v in x]
    del xs[k]
    best = []
    for v in xs:
        best.append(v * x[0])
        best.sort(reverse=True)
        del best[2:]
    return sum(xs) * best[0] - best[-1]


STARTS = (1.0, 2.0)


@program(args=lambda: (values(2, 3),))
def lists_of_constants_grow(x):
    """What list() makes of constants gets values that vary."""
    chain = list(STARTS)
    for v in x:
        chain.append(v * chain[-1])
    scales = list((0.5, 2.0, 3.0))
    scales[1] = x[0]
    for k in range(2):
        scales[k] = scales[k] * x[k]
    counts = list(range(3))
    counts[1] = x[1] * counts[2]
    return sum(chain) * sum(scales) + sum(counts)


@program(args=lambda: (values(2, 3), 0.7), wrt=(0, 1))
def arrays_of_no_axes_in_a_list(x, s):
    """np.where of numbers gives an array of no axes, which is scaled in place."""
    ys = []
    for v in x:
        ys.append(np.where(v > 0.1, x[2], v))
    ys[1] *= s
    ys[-1] += ys[1] * s
    return sum(v * v for v in ys)


@program(
    args=lambda: (values(2, 3, dtype=np.float32), 0.7),
    wrt=(0, 1),
    variants=[lambda: (values(2, 3), 0.7)],
)
def numbers_chosen_from_a_list_are_stored(x, s):
    """Numbers of several types in one list: what is added up stays a number."""
    parts = [2.0, s, np.sum(x)]
    s = sum([part for part in parts if part > 0.1])
    x[1] = s
    return s * np.sum(x)


@program(args=lambda: (positives(3),))
def a_list_that_starts_with_0(x):
    """The 0 that a sum starts from is an integer; what is read begins after it."""
    m = 0
    seen, pairs = [], []
    for _ in range(3):
        seen.append(m)
        pairs.append((m, x))
        m = 0.9 * m + x**2
        x = x - 0.01 * m
    total = np.sum(x)
    for m in seen[1:]:
        total = total + np.sum(m * m)
    for m, x in pairs[1:]:
        total = total + np.sum(m * x)
    return total


@program(args=lambda: (values(4, 4),), variants=[lambda: (values(4, 1),)])
def columns_of_a_list_of_pairs(x):
    """zip(*pairs): the first elements, and the second."""
    pairs = [(v, v * v) for v in x]
    us, vs = zip(*pairs)
    triples = []
    for k, v in enumerate(x):
        triples.append((k, v, np.sin(v)))
    triples.sort(key=lambda t: t[1])
    columns = list(zip(*triples))
    ks, *rest = columns
    first, second = map(np.array, rest)
    return sum(us) * max(vs) + np.sum(first * second) * (1 + len(ks)) + rest[0][0] * ks[-1]


@program(
    args=lambda: (values(1, 4), 0.7, 3),
    variants=[lambda: (values(2, 4), 0.2, 1), lambda: (values(2, 4, dtype=np.float32), 0.2, 2)],
    wrt=(0, 1),
)
def chosen_among_a_list_else_the_default(x, rest, n):
    tests, pieces = [], []
    for k in range(n):
        tests.append(x > 0.5 * k)
        pieces.append(x * (k + 1) * rest)
    y = np.select(tests[::-1], pieces[::-1], default=rest)
    return np.sum(np.sin(y) * y)


@program(args=lambda: (values(61, 2), 0.3), variants=[lambda: (-values(61, 2), 0.3)])
def numbers_and_arrays_without_axes(x, s):
    """What np.where gives is an array without axes; the list holds numbers, too."""
    ys = [0.0] * 2
    ys[0] = np.where(x[0] > 0.2, x[1] * s, s)
    ys[1] = s * x[0]
    ys[1] *= ys[0]
    pairs = []
    pairs.append((np.where(x[1] > 0.2, x[0], s), 1.0))
    pairs.append((s, 0.4))
    return sum(y * y for y in ys) + sum(v for v, _ in pairs)


@program(args=lambda: (values(64, 4),), variants=[lambda: (values(64, 2),)])
def parts_of_lists_stored_to_arrays(x):
    """What is stored to several places of an array is an array."""
    first = [x[0], x[1], x[0] * x[1]]
    grown = []
    for v in x:
        grown.append(np.sin(v))
    y = np.zeros(len(x) + 1)
    y[:2] = first[1:]
    y[2:] = grown[1:]
    return np.sum(y**3) + y[0]


@program(args=lambda: (values(65, 3),), variants=[lambda: (values(65, 2),)])
def lists_that_are_repeated(x):
    """Each element stands at every len(xs)-th place; of none of them where the list is repeated no times."""
    squares = []
    for v in x:
        squares.append(v**2)
    rows = [x * v for v in squares]
    s = np.sum(np.array(squares * 2) ** 3 * np.arange(2.0 * len(x)))
    for k, row in enumerate(2 * rows[1:]):
        s += k * np.sum(row**3)
    for k, v in enumerate((squares + list(x)) * 2):
        s += k * v**2
    return s + sum(squares * 0) + np.sum(np.array(rows + rows * 0) ** 2)


@program(args=lambda: (values(66, 3),), variants=[lambda: (values(66, 2),)])
def lists_stored_to_arrays(x):
    """A list is stored to places of an array as an array is, whatever expression gives it."""
    squares = []
    for v in x:
        squares.append(v**2)
    y = np.zeros((4, len(x)))
    y[0] = squares
    squares[0] = x[1]
    y[1, :] = [np.sin(v) for v in squares]
    y[2:] = squares
    y[-1] = squares[::-1]
    return np.sum(y**3 * np.arange(len(x)))


def put_beside(xs, ys, v):
    xs.append(v)
    ys.append(1.0)


def put(xs, v):
    xs.append(v)


def last_taken(ys):
    return ys.pop()


@program(args=lambda: (values(90, 3),), variants=[lambda: (values(91, 2),)])
def constants_put_by_a_callee_that_vary_later(x):
    xs, ys = [], []
    for v in x:
        put_beside(xs, ys, v)
    ys[1] = x[0] * x[1]
    return sum(xs) * sum(y**2 for y in ys)


@program(args=lambda: (values(92, 3),))
def constants_put_before_what_varies(x):
    table = {"a": [], "b": [4.0, 2.0]}
    put(table["a"], 1.0)
    table["a"].append(x[1])
    put(table["a"], 3.0)
    t = last_taken(table["b"]) * x[0]
    table["b"].append(x[2])
    return table["a"][0] * table["a"][1] ** 2 * t + table["b"][1] * table["a"][2]


@program(args=lambda: (values(93, 3),))
def constants_put_in_place_of_a_slice(x):
    xs = [1.0] * 4
    xs[1:] = [0.5] * 3
    xs[2] = x[0] * x[1]
    return sum(v * v for v in xs) * xs[0] + x[2] * xs[3]


@program(args=lambda: (values(60, 3),), variants=[lambda: (-values(60, 3),)])
def an_array_of_no_axes_among_numbers(x):
    rows = [e * e for e in x]
    rows[-1] = np.where(rows[1] > 0.2, x[0], rows[-3])
    return np.sum(rows.pop())


@program(args=lambda: (values(94, 3), [[1.0, 2.0, 3.0], [0.5, 0.25, 4.0]]), wrt=(0, 1))
def rows_of_lists_as_arrays(x, rows):
    s = 0.0
    for j in range(len(rows)):
        s = s + np.sum(rows[j]) * x * rows[j] + np.max(rows[j])
    return s


@program(args=lambda: (values(95, 5), 2), variants=[lambda: (values(95, 2), 3)])
def running_sums_by_a_deque(x, width):
    window = deque(maxlen=width)
    s = 0.0
    for v in x:
        window.append(v * v)
        s += sum(window) * v
    return s + np.prod([window[k] for k in range(2)])


@program(args=lambda: (values(96, 4),))
def a_queue_that_gets_more(x):
    queue = collections.deque(x)
    queue.appendleft(x[0] * x[1])
    s = 0.0
    while queue and len(queue) < 7:
        v = queue.popleft()
        s = s * 0.5 + v * v
        if v > 1:
            queue.append(v * 0.4)
    return s


@program(args=lambda: (values(97, 4),))
def a_deque_that_loses_at_both_ends(x):
    q = deque(x, maxlen=3)
    q.appendleft(x[0] * x[1])
    q.extend([x[2], x[3]])
    return q[0] * q[1] ** 2 * len(q)


@program(args=lambda: (values(98, 4), 2), variants=[lambda: (values(98, 4), 0)])
def put_between_by_stars(x, k):
    xs = [v * v for v in x]
    ys = [*xs[:k], x[0], 2.0, *xs[k:]]
    z = np.array([*x[k:], ys[0]])
    return sum(i * y for i, y in enumerate(ys)) * np.sum(z)


def quicksorted(xs):
    if len(xs) <= 1:
        return xs
    pivot = xs[0]
    low = [v for v in xs[1:] if v < pivot]
    high = [v for v in xs[1:] if v >= pivot]
    return quicksorted(low) + [pivot] + quicksorted(high)


@program(args=lambda: (values(99, 5),), variants=[lambda: (values(99, 1),)])
def sorted_by_recursion(x):
    return sum(k * v * v for k, v in enumerate(quicksorted(list(x))))


@program(args=lambda: (values(101, 3, 3), values(102, 3)))
def solved_with_pivots(a, b):
    rows, right = [list(row) for row in a], list(b)
    n = len(right)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if p != k:
            rows[k], rows[p] = rows[p], rows[k]
            right[k], right[p] = right[p], right[k]
        for i in range(k + 1, n):
            m = rows[i][k] / rows[k][k]
            for j in range(k, n):
                rows[i][j] -= m * rows[k][j]
            right[i] -= m * right[k]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        x[i] = (right[i] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return sum(v * v for v in x)


@program(args=lambda: (values(100, 4), 0.3), variants=[lambda: (values(100, 4), 9.0)])
def first_that_is_large(x, limit):
    at = next((k for k, v in enumerate(x) if v > limit), 0)
    large = next((v * v for v in x if v > limit), x[1])
    return x[at] * large * next(iter(x)) + next(v for v in x if v < 9)


@program(args=lambda: (values(23, 4),))
def the_first_and_all_of_them(x):
    first = next((v * 2 for v in x if v > 0.5), x[1])
    return first + sum(v * v for v in x)


@program(args=lambda: (values(77, 3),), variants=[lambda: (values(77, 1),)])
def lists_that_get_more_of_what_does_not_vary(x):
    known = np.array([2.0, 0.5])
    terms = [x[0] * x[-1]]
    terms += known.tolist()
    terms.extend(sorted(known))
    terms += {3.0: 1, 4.0: 2}
    terms.append(x[0])
    return sum(k * t * terms[0] for k, t in enumerate(terms)) * len(terms)


def _rows_as_they_are(a):
    rows = []
    for v in a:
        row = v * 1.0
        rows.append(row)
    return rows


def _steps_up(a):
    steps = [a * 1.0]
    for _ in range(2):
        steps.append(steps[-1] + 1)
    return steps


@program(args=lambda: (values(78, 3, 2),), variants=[lambda: (values(79, 4, 1),)])
def lists_that_a_callee_gives_are_written_to(x):
    y = x.copy()
    rows = _rows_as_they_are(y)
    rows[0] *= 2
    y[0] += 1
    steps = _steps_up(x)
    steps[0] *= 3
    steps[1] -= x
    return (
        sum(np.sum(row * x[1]) for row in rows)
        + np.sum(y**2)
        + np.sum(steps[0] * steps[2] + steps[1])
    )


@program(args=lambda: (values(80, 4),))
def more_of_generators_of_constants(x):
    xs = [x[0]]
    for k in range(3):
        xs += (float(j) for j in range(k))
        xs.extend(map(float, range(k)))
    return sum(x[k % 4] * v**2 for k, v in enumerate(xs)) * len(xs)


@program(args=lambda: (values(81, 3), [1.5]))
def lists_of_constants_before_what_varies(x, given):
    held = (2.0, 0.5)
    ys = given + [v * v for v in x]
    zs = held + tuple(v * x[0] for v in ys)
    weights = range(1, 1 + len(zs))
    return sum(w * z for w, z in zip(weights, zs)) + ys[1] * len([*held, *zs])


@program(args=lambda: (values(82, 4),), variants=[lambda: (np.float32(values(82, 4)),)])
def sums_that_start_somewhere(x):
    powers = sum((x**k for k in range(1, 3)), np.ones(4))
    shifted = sum([x[0] * x, x[1]], x)
    pairs = sum([[v, v * k] for k, v in enumerate(x)], [])
    return np.sum(powers * shifted) * math.prod(pairs[2:4] + [x[2]], start=x[3] ** 2)


def _squares_kept(x, history=None):
    if history is None:
        history = []
    for v in x:
        history.append(v * v)
    return sum(history)


@program(args=lambda: (values(83, 3),))
def lists_that_may_be_given(x):
    kept = []
    first = _squares_kept(x, kept)
    second = _squares_kept(x[1:], history=kept)
    return first * second * _squares_kept(x) * kept[0] * len(kept)


@program(
    args=lambda: (positives(61, 3), values(62, 3)),
    variants=[lambda: (positives(61, 1), values(62, 1))],
)
def symmetric_table_by_rows(v, z):
    """Mixing rules as chemical engineers write them: a list of rows, each filled by its name."""
    n = len(v)
    table = [[0.0] * n for _ in range(n)]
    for i in range(n):
        row = table[i]
        for j in range(i):
            row[j] = table[j][i] = np.sqrt(v[i] * v[j]) * (1.0 - 0.1 * (i - j))
        row[i] = v[i]
    total = 0.0
    for i in range(n):
        for j in range(n):
            total += z[i] * z[j] * table[i][j]
    return total


@program(
    args=lambda: (values(91, 2, 3),),
    variants=[lambda: (values(92, 1, 1),), lambda: (values(93, 3, 2),)],
)
def rows_of_a_given_dtype(x):
    """A table of comprehensions, its dtype and its order said."""
    table = np.array([[v * v for v in row] for row in x], dtype=float)
    turned = np.asarray([[row * v for v in row] for row in x], dtype=np.float64, order="F")
    waves = np.array([[np.sin(v) for v in row] for row in x], dtype=complex)
    return np.sum(table**2) + np.sum(turned**3) + np.sum(np.abs(waves))


@program(
    args=lambda: (values(5, 2), values(6, 3, 2), 2),
    wrt=(0, 1),
    variants=[
        lambda: (values(5, 2), values(6, 3, 2), 0),
        lambda: (values(5, 2, dtype=np.float32), values(6, 3, 2, dtype=np.float32), 2),
        lambda: (values(5, 2, dtype=np.float32), values(6, 3, 2, dtype=np.float32), 0),
    ],
)
def sums_of_a_list_that_may_be_empty(x, a, n):
    rows = []
    for k in range(n):
        rows.append(a[k])
    return np.sum(rows) + x


@program(args=lambda: (values(71, 3, 2), 2), variants=[lambda: (values(72, 3, 4), 0)])
def arrays_of_a_list_under_names_of_their_own(x, n):
    ws = [2.0 * row for row in x]
    a, b, c = ws
    for _ in range(n):
        for w in ws:
            w -= 0.1 * w**2
        a *= b
        c += a
    return sum(w @ w for w in ws) + b[0]
