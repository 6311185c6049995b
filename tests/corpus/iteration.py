"""`for` over arrays, tuples and lists, zip, enumerate and reversed; what the loop variables hold afterwards."""

import functools
import itertools
import operator

import numpy as np

from . import program, values


@program(
    args=lambda: (values(1, 4),),
    variants=[lambda: (values(1, 0),), lambda: (values(1, 3, dtype=np.float32),)],
)
def over_elements(x):
    total = 0.0
    for v in x:
        total += np.sin(v) * v
    return total


@program(
    args=lambda: (values(2, 3, 2), values(3, 2)),
    variants=[lambda: (values(2, 0, 2), values(3, 2)), lambda: (values(2, 1, 4).T, values(3, 1))],
)
def over_rows(x, w):
    y = 0.0
    for row in x:
        y += np.tanh(row @ w)
    return y


@program(args=lambda: (values(4, 5), values(5, 5)), variants=[lambda: (values(4, 3), values(5, 5))])
def horner_over_pairs(x, z):
    s = 1.0
    for a, b in zip(x, z):
        s = s * a + b
    return s


@program(args=lambda: (values(6, 4, 3),), variants=[lambda: (values(6, 1, 3),)])
def weights_by_position(x):
    total = np.zeros(3)
    for i, row in enumerate(x):
        total = total + row**2 * (i + 1)
    return total


@program(args=lambda: (values(7, 4),), variants=[lambda: (values(7, 0),)])
def counted_from_one(x):
    s = 0.0
    for k, v in enumerate(reversed(x), 1):
        s = s * v + k
    return s


@program(args=lambda: (0.4,), variants=[lambda: (values(8, 3),)])
def over_constants(x, times=(0.1, 0.5, 2.0)):
    for t in times:
        x = np.sin(x * t)
    for a, b in ((1, 2), (3, 4)):
        x = x * a + b * x**2
    for t in [1.5, 0.5]:
        x = np.cos(x) * t
    return x


@program(args=lambda: (values(9, 4), (1.0, 2.0, 3.0, 4.0)))
def values_beside_constants(x, ts):
    s = 0.0
    for (i, v), t in zip(enumerate(x), ts):
        s += v**2 * t + i * v
    return s


@program(
    args=lambda: (values(10, 4) + 1,),
    variants=[lambda: (values(10, 4) * 0.1,), lambda: (values(10, 1),)],
)
def last_item_afterwards(x):
    s = 0.0
    for v in reversed(x):
        s = s * v + 1
        if s > 3:
            break
    else:
        s = s * 2
    return s * v


@program(args=lambda: (values(11, 4),), variants=[lambda: (values(11, 1),)])
def over_a_slice_while_writing(x):
    for v in x[1:]:
        x[0] = x[0] * v
    return x[0]


@program(args=lambda: (values(12, 3, 2),))
def rows_written_through(x):
    for row in x:
        row[0] = row[1] * 2
        row *= row[0]
    return np.sum(x**2)


@program(args=lambda: (values(13, 2, 3),))
def nested_elements(x):
    s = 1.0
    for row in x:
        for v in row:
            s = s * (1 + v)
        s += row[0]
    return s


@program(args=lambda: (values(14, 3), "abc"))
def over_letters(x, letters):
    s = 1.0
    for letter in letters:
        for v in x:
            if letter == "b":
                s = np.sin(s) * v
            else:
                s = s + v
    return s


@program(args=lambda: (values(15, 3, 2),))
def the_name_itself(x):
    total = 0.0
    for x in x:
        total += x[0] * x[1]
    return total * x[0]


@program(args=lambda: (values(16, 5),), variants=[lambda: (values(16, 2),)])
def pairs_of_neighbours(x):
    length = 0.0
    for a, b in zip(x[:-1], x[1:]):
        length += np.sqrt(1 + (b - a) ** 2)
    return length


@program(
    args=lambda: (values(17, 5), values(18, 3)), variants=[lambda: (values(17, 2), values(18, 3))]
)
def shortest_ends(x, z):
    s = 0.0
    for a, b in zip(x, z):
        s += a * b
    return s


@program(args=lambda: (values(19, 4), [3, 1, 0, 3]))
def over_indices(x, order):
    s = 1.0
    for i in order:
        s = s * x[i] + x[0]
    return s


@program(args=lambda: (values(20, 2, 3),))
def columns(x):
    s = 0.0
    for column in x.T:
        s += column[0] * np.exp(column[1])
    return s


@program(
    args=lambda: (values(21, 3),),
    variants=[lambda: (values(21, 3, dtype=np.float32),)],
)
def an_item_carried_on(x):
    before = x[0]
    s = 0.0
    for v in x:
        s += (v - before) ** 2
        before = v
    return s + before


@program(
    args=lambda: (values(22, 3),),
    variants=[lambda: (values(22, 3, dtype=np.float32),)],
)
def the_item_changed(x):
    s = 0.0
    for v in x:
        v = v * v
        v += 1.0
        s += np.log(v)
    return s


@program(
    args=lambda: (values(41, 3, 2),),
    variants=[lambda: (values(42, 1, 4),), lambda: (values(43, 4, 3, dtype=np.float32),)],
)
def a_row_carried_on_and_returned(x):
    before = x[0]
    s = np.zeros(x.shape[1])
    for v in x:
        s = s + (v - before) ** 2
        before = v
    return s + before


@program(
    args=lambda: (values(1, 5), 5),
    variants=[lambda: (values(1, 5), 0), lambda: (values(1, 5), 1), lambda: (values(2, 5, 2), 5)],
)
def parts_of_ranges(x, n):
    y = x * 1.0
    for i in range(n)[::-1]:
        y[i] *= y[i - 1]
    for i in range(1, n)[::2]:
        y[i] = np.sin(y[i]) + y[i - 1]
    for k, i in enumerate(range(n)[1:-1]):
        y[i] += k * y[i - 1] ** 2
    for i in range(n)[::-1]:
        if np.sum(y[i]) > 1.0:
            break
        y[i] *= y[0]
    return y


@program(
    args=lambda: (values(1, 2, 3), values(2, 2, 3), True),
    wrt=(0, 1),
    variants=[lambda: (values(1, 2, 3), values(2, 2, 3), False)],
)
def rows_that_collect_gradients(x, w, once):
    s = 1.0
    for k in range(2):
        r, q = x[k], w[k]
        s += r[0] * q[1] + np.sum(r[1:] * q[:-1]) + r[-1] ** 2
        s += np.sum(q[[0, 0, 2]] * r[::-1]) + np.sum(q)
        for j in range(2):
            s = s * r[j] + q[j - 1]
        if once:
            s += q[0] * r[1]
    r = x[1]
    return s + r[0] * r[2]


@program(args=lambda: (values(1, 3, 3), values(2, 2)), wrt=(0, 1))
def rows_beside_their_array(x, v):
    """What is added to a row's gradient waits where that of the array is read, or its place changes, in between."""
    k, s = 1, 0.5
    r, c = x[k], x[:, k]
    s = s * r[0] + np.sum(x[0] * r) * c[2]
    k = k + 1
    q = x[k]
    for i in range(2):
        p = x[i]
        s = np.sin(s) * p[i] + q[i] * x[i, k] + v[i]
    return s * q[1] + r[k]


@program(args=lambda: (values(71, 4), values(72, 4)), wrt=(0, 1))
def energy_of_all_pairs(x, q):
    """Pairs of places, by itertools."""
    energy = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        energy += q[i] * q[j] / (1 + (x[i] - x[j]) ** 2)
    return energy


@program(args=lambda: (values(73, 4, 2),), variants=[lambda: (values(73, 1, 2),)])
def distances_of_all_pairs(points):
    """Pairs of rows of what is differentiated."""
    total = 0.0
    for k, (p, q) in enumerate(itertools.combinations(points, 2)):
        total += (k + 1) * np.sqrt(np.sum((p - q) ** 2) + 1)
    for p, q in itertools.pairwise(points):
        total -= p @ q
    return total


@program(args=lambda: (values(76, 4),), variants=[lambda: (values(77, 1),)])
def pairs_of_what_is_made_there(x):
    """The loop changes x, of which the pairs were made before."""
    total = 0.0
    for a, b in itertools.pairwise(x * np.sum(x)):
        x[1:] = x[1:] * b + a
        total += a * np.sum(x)
    for a, b in itertools.pairwise(x.copy()):
        x[0] = a * b
        total += x[0] * x[-1]
    return total


@program(args=lambda: (values(74, 3), values(75, 2)), wrt=(0, 1))
def every_one_with_every_other(x, y):
    total = 1.0
    for u, v in itertools.product(x, y):
        total = total * np.cos(u * v)
    return total


@program(args=lambda: (values(76, 3, 2),), variants=[lambda: (values(76, 0, 2),)])
def every_place_of_an_array(m):
    squares = np.zeros_like(m)
    for place in np.ndindex(m.shape):
        squares[place] = m[place] ** 2 * (1 + sum(place))
    for i, j in np.ndindex(*m.shape):
        squares[i, j] = squares[i, j] * m[i, j]
    return squares.sum()


@program(args=lambda: (values(77, 4),))
def permuted_places(x):
    order = list(range(4))
    total = 1.0
    for k in range(3):
        total = total * x[order[k]] + x[order[-1]] ** 2
        order[k], order[k + 1] = order[k + 1], order[k]
        del order[0]
        order.append(k)
    pairs = list(itertools.permutations(range(3), 2))
    for i, j in pairs:
        total = total + x[i] * x[j] ** 2
    return total


@program(args=lambda: (values(78, 4), [0, 2, 2, 1]))
def observed_in_order(x, observed):
    """A list of places from outside, and the rest of it."""
    score = x[observed[0]]
    for o in observed[1:]:
        score = score * x[o] + 1
    return score


@program(
    args=lambda: (values(40, 3), values(41, 2, 3, 3)),
    variants=[lambda: (values(42, 2), values(43, 1, 2, 2))],
)
def reductions_by_functions(x, ws):
    scale = 0.5

    def layer(h, w):
        return np.tanh(w @ h) * scale

    last = functools.reduce(layer, [ws[0], ws[0].T], x)
    product = functools.reduce(operator.mul, [x[0], x[1] * 2, 3.0])
    total = functools.reduce(lambda a, b: a + b**2, x)
    chained = functools.reduce(np.dot, [w * scale for w in ws])
    if total > -100:
        total = functools.reduce(operator.add, (v * k for k, v in enumerate(x)), total)
    return np.sum(last) * product + total + np.sum(chained)


@program(args=lambda: (values(81, 5),), variants=[lambda: (values(81, 3),)])
def first_and_rest(x):
    squares = [v * v for v in x]
    first, *rest = squares
    total = first
    for v in rest:
        total = total * 0.5 + v
    a, *between, b = x
    *start, last = squares
    rest[0] = 5 * first
    rest.append(a * b)
    return total * last + sum(between) * a + sum(start) * sum(rest)


@program(args=lambda: (values(82, 3, 2),), variants=[lambda: (values(82, 1, 2),)])
def first_row_and_others(x):
    first, *others = x
    total = np.sum(first**2)
    for row in others:
        total = total + np.sum(row * first)
    return total


@program(args=lambda: (values(83, 4),), variants=[lambda: (values(83, 1),)])
def head_after_head(x):
    left = [v * v for v in x]
    total = 1.0
    while left:
        head, *left = left
        total = total * 0.7 + head
    return total


@program(args=lambda: (values(84, 3, 2), 1), variants=[lambda: (values(84, 3, 2), 3)])
def list_of_rows_from_a_place(x, k):
    rest = list(x[k:])
    total = np.sum(x)
    for row in rest:
        total = total + np.sum(row * row)
    return total


@program(
    args=lambda: (values(41, 7), 3),
    variants=[lambda: (values(41, 2), 3), lambda: (values(41, 6, dtype=np.float32), 2)],
)
def parts_of_any_number(x, n):
    s = 0.0
    for part in np.array_split(x, n):
        s += np.sum(np.cumsum(part) ** 2) * np.sum(part)
    return s


@program(args=lambda: (values(42, 6),))
def parts_of_a_known_number(x):
    lengths = [np.linalg.norm(part) for part in np.split(x, 3)]
    return sum(i * v for i, v in enumerate(lengths)) + lengths[0] * lengths[2]


@program(args=lambda: (values(43, 4, 3), 1))
def one_part_against_the_others(x, k):
    folds = np.vsplit(x, [1, 2])
    rest = np.concatenate([f for i, f in enumerate(folds) if i != k])
    s = np.sum(folds[k] ** 2) * np.sum(rest)
    for a, b in zip(folds, np.array_split(x, 3, axis=1)):
        s += np.sum(a) * np.sum(b**2)
    return s


@program(args=lambda: (values(44, 3), "2,3"), variants=[lambda: (values(44, 3), "0.5,1")])
def generators_unpacked(x, bounds):
    low, high = (v**2 for v in (x[0], x[1]))
    a, b = map(np.sin, x[1:])
    first, last = (float(s) for s in bounds.split(","))
    return low * high**2 * a * first + b * last


@program(args=lambda: (np.array([0.7, 1.3, 2.1]),), variants=[lambda: (values(1, 1),)])
def generators_that_see_what_the_loop_stores(x):
    x = x * 1.0
    s = 0.0
    for v in (t**2 for t in x):
        x[-1] = v * 3
        s += v
    for k, v in enumerate(map(np.sin, x)):
        x[-1] = v + k
        s += v * k
    return s


@program(args=lambda: (np.array([0.7, 1.3, 0.9]),), variants=[lambda: (np.array([0.7]),)])
def generators_that_see_what_the_loop_binds(x):
    s, k = 0.0, x[0]
    for a in (u * v * k for u in x for v in x if v > u):
        k = k * a
        if s > 2:
            break
        s += a * k
    else:
        s = s * 2
    for v, w in zip((k * t for t in x), x):
        k = k * v
        s += v * w
    return s


@program(args=lambda: (np.array([0.7, 1.3, 2.1]),), variants=[lambda: (np.array([0.7, 1.3]),)])
def pairs_of_what_was_there_at_first(x):
    y = x * 2
    s = 0.0
    for a, b in itertools.combinations(y, 2):
        y[-1] = a * 1.4
        s += a * b * y[-1]
    for (i, a), (_, b) in itertools.permutations(enumerate(y), 2):
        y[0] = a * b
        s += y[0] * i
    return s


@program(args=lambda: (np.array([0.7, 1.3, 2.1]),), variants=[lambda: (np.zeros(0),)])
def running_results(x):
    s = 0.0
    for v in itertools.accumulate(x):
        s += v**2
    for v in itertools.accumulate(list(x), operator.mul):
        s += np.sin(v)
    terms = [v * v for v in x]
    path = list(itertools.accumulate(terms, lambda a, b: 0.5 * a + b, initial=s))
    return path[-1] + sum(itertools.accumulate(terms))


@program(args=lambda: (values(2, 3), values(3, 4)), variants=[lambda: (values(2, 1), values(3, 0))])
def one_after_the_other(x, z):
    s = 0.0
    for k, v in enumerate(itertools.chain(x, z)):
        s += np.sin(v) * k
    rows = [x, z, x * 2]
    return s * sum(v**2 for v in itertools.chain.from_iterable(rows))


@program(args=lambda: (np.array([0.7, 1.3, 2.1]),), variants=[lambda: (np.array([3.0, 0.5]),)])
def parts_of_what_is_run_over(x):
    terms = [v * v for v in x]
    s = 0.0
    for v in itertools.takewhile(lambda t: t < 4, terms):
        s += np.sin(v)
    for a, b in itertools.zip_longest(x, x[1:], fillvalue=x[0]):
        s += a * b
    s += sum(itertools.islice(terms, 1, None)) + sum(itertools.islice(x, 2))
    s += sum(v * s for v in itertools.filterfalse(lambda t: t < 1, x))
    s += sum(itertools.dropwhile(lambda t: t < 1, x))
    return s * sum(itertools.starmap(lambda a, b: a * b, zip(x, terms)))


@program(args=lambda: (np.array([1.3, 0.7, 2.1]),))
def keys_by_name(x):
    pairs = [(k, v * v) for k, v in enumerate(x)]
    k, lowest = min(pairs, key=operator.itemgetter(1))
    ordered = sorted(pairs, key=operator.itemgetter(1), reverse=True)
    last = operator.itemgetter(-1)
    return lowest * (k + 1) + ordered[0][1] ** 2 + last(x)


@program(args=lambda: (values(4, 3, 2),), variants=[lambda: (values(4, 2, 2),)])
def places_with_their_items(m):
    s = 0.0
    b = np.zeros_like(m)
    for place, v in np.ndenumerate(m):
        b[place] = np.sin(v) * v
    y = b * m
    for (i, j), v in np.ndenumerate(y):
        y[-1, 1] = v * 1.5
        if i == j:
            continue
        s += v * v * (i + 2 * j)
    return s + np.sum(b)


@program(
    args=lambda: (values(2, 3), values(3, 3)),
    variants=[
        lambda: (values(2, 3), -values(3, 3)),
        lambda: (values(2, 3), values(3, 3, 2)),
        lambda: (values(2, 3), values(3, 0)),
    ],
)
def loop_variables_beside_what_varies(x, b):
    """After the loops their variables are what the loops left in them, or something that varies."""
    last, i = 0.0, 1
    for last in b:
        x = x * np.sum(last)
    for i, _ in enumerate(b):
        x = x + i
    if np.sum(b) > 0:
        last = x * 2
        i = np.sum(x)
    return np.sum(last * last) * i


@program(args=lambda: (values(2, 3, 2),), variants=[lambda: (values(2, 4, 3),)])
def loops_as_long_as_a_part(x):
    """The shorter one of what zip runs along is a view that has been written to."""
    first, turned = x[:2], x.T
    first[:1] -= 0.5
    turned[0] *= 2.0
    total, trips = 0.0, 0
    for row, other in zip(x, first):
        total = total + np.sum(row * other)
    for row, _ in zip(x, first):
        total = total + np.sum(row**2)
        trips += 1
    for _, other in zip(x, first):
        total = total + np.sum(other**3)
    for row, column in zip(x, turned):
        total = total + row[0] * column[0]
    pairs = [row[0] * other[1] for row, other in zip(x, first)]
    return total * trips + sum(pairs)


@program(
    args=lambda: (values(71, 2, 3), values(72, 3, 2)),
    variants=[lambda: (values(73, 1, 3), values(74, 3, 1))],
)
def elements_counted_and_beside_others(x, z):
    total = sum(k * v**2 for k, v in enumerate(x.flat))
    for a, b in zip(x.flat, z.T.flat):
        total += a * b**2
    return total * np.prod(list(x.flat)[1:])


@program(args=lambda: (values(7, 3),))
def variables_of_one_name(x):
    scaled = [v * sum(v * v for v in x) for v in (x[0], x[1])]
    rows = [[v * w for v, w in zip(v, [v for v in v])] for v in [[x[0], x[1]], [x[2], x[0]]]]
    return scaled[0] * scaled[1] + sum(sum(v * v for v in v) * v[0] for v in rows)
