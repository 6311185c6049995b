"""What is put in order, or chosen, by what is computed."""

import numpy as np

from . import program, values


def _by_size(v):
    return abs(v)


@program(
    args=lambda: (values(51, 5),),
    variants=[lambda: (values(52, 1),), lambda: (values(51, 5, dtype=np.float32),)],
)
def values_in_order(x):
    xs = sorted([v * v for v in x])
    total = xs[0] * 3
    for k, v in enumerate(sorted(x, reverse=True)):
        total = total * 0.5 + k * v**2
    return total * xs[-1]


@program(args=lambda: (values(53, 5), 0.3), wrt=(0, 1), variants=[lambda: (values(53, 1), -0.4)])
def put_in_order_by_keys(x, c):
    near = sorted(x, key=lambda v: (v - c) ** 2)
    far = sorted([v * c for v in x], key=_by_size, reverse=True)
    total = 0.0
    for k in range(len(x)):
        total += (k + 1) * near[k] * far[k]
    return total


@program(args=lambda: (values(54, 5), 0.3), wrt=(0, 1))
def nearest_neighbours(x, c):
    pairs = sorted((abs(v - c), i) for i, v in enumerate(x))
    total = 0.0
    for d, i in pairs[:3]:
        total += d * x[i] ** 2
    return total


@program(
    args=lambda: (values(55, 5), values(56, 5)),
    wrt=(0, 1),
    variants=[lambda: (values(55, 1), values(56, 1))],
)
def points_from_left_to_right(x, y):
    points = sorted(zip(x, y))
    area = 0.0
    for k in range(1, len(points)):
        area += (points[k][0] - points[k - 1][0]) * (points[k][1] + points[k - 1][1]) / 2
    return area + points[0][1]


@program(args=lambda: (values(57, 5),))
def order_of_places(x):
    order = sorted(range(len(x)), key=lambda i: x[i])
    best = max(range(len(x)), key=lambda i: x[i] ** 2)
    return sum(k * x[i] ** 2 for k, i in enumerate(order)) * x[best]


@program(
    args=lambda: (np.exp(values(58, 5)), 0.4), wrt=(0, 1), variants=[lambda: (values(58, 1), 0.4)]
)
def greedy_path(x, start):
    left = list(range(len(x)))
    here, length = start, 0.0
    while left:
        i = min(left, key=lambda i: abs(x[i] - here))
        left.remove(i)
        length += (x[i] - here) ** 2
        here = x[i]
    return length


@program(args=lambda: (values(59, 5), 0.3), wrt=(0, 1))
def extremes_by_keys(x, c):
    widest = max(x, key=abs)
    nearest = min([v * 2 for v in x], key=lambda v: (v - c) ** 2)
    size, value = max((abs(v - c), v) for v in x)
    least = min((x[0] * c, x[1]), (x[2] * c, x[3]))
    return widest * nearest**2 + size * value + least[0] * least[1] + max(x[0], x[4], key=abs)


@program(args=lambda: (np.exp(values(60, 4)), values(61, 4)), wrt=(0, 1))
def rows_in_the_order_of_their_errors(x, y):
    rows = [((v, w), (v - w) ** 2) for v, w in zip(x, y)]
    rows = sorted(rows, key=lambda row: row[1])
    total = 1.0
    while rows:
        (v, w), error = rows.pop()
        total = total * error + v * w
    return total


def _cost(v, c):
    return abs(v - c) ** 1.5


@program(args=lambda: (np.exp(values(62, 4)), 1.1), wrt=(0, 1))
def keys_that_call_others(x, c):
    shift = x[0]

    def size(v):
        w = v - shift
        return np.linalg.norm([w, 1.0]) + np.sin(w)

    k, v = max(enumerate(x), key=lambda pair: _cost(pair[1], c))
    least = min(range(len(x)), key=lambda i: size(x[i]))
    parts = sorted([x[:1] * c, x[1:]], key=lambda part: part.mean(), reverse=len(x) > 2)
    return v * (k + 1) + sorted(x, key=size)[1] * x[least] + np.sum(parts[0] ** 2)


@program(args=lambda: (values(41, 4),))
def places_by_items(x):
    ys = []
    for v in x:
        ys.append(v * v)
        top = max(range(len(ys)), key=ys.__getitem__)
        ys[top] = ys[top] * 0.5
    s = 1.0
    for k, i in enumerate(sorted(range(len(x)), key=x.__getitem__, reverse=True)):
        s = s * x[i] + ys[i] * k
    low = min(range(len(x)), key=x.__getitem__)
    return s * x[low]


@program(args=lambda: (values(31, 5),), variants=[lambda: (np.float32(values(31, 5)),)])
def largest_or_none(x):
    above = [v * v for v in x if v > 0]
    below = [v for v in x if v < -50]
    return max(above, default=0.0) * x[0] + min(below, default=1.0) * x[1] ** 2


@program(args=lambda: (values(32, 5), "abacb"))
def names_by_their_sums(x, names):
    sums = {}
    for name, v in zip(names, x):
        sums[name] = sums.get(name, 0.0) + v * v
    y = sums[max(sums, key=sums.get)] * x[0]
    for k, name in enumerate(sorted(sums, key=sums.get, reverse=True)):
        y += sums[name] ** 2 / (k + 1)
    return y


@program(args=lambda: (values(33, 6), "abacbd"))
def merged_until_one_is_left(x, names):
    weights = {}
    for name, v in zip(names, x):
        weights[name] = np.exp(v)
    while len(weights) > 1:
        least = min(weights, key=weights.get)
        lost = weights.pop(least)
        heir = max(weights, key=weights.get)
        weights[heir] += lost * lost
    return sum(weights.values())


@program(args=lambda: (values(34, 3),), variants=[lambda: (-values(34, 3),)])
def largest_of_some_or_none(x):
    high = max([x[0], x[1]], default=0.0) * max([], default=x[2])
    return high + min((x[1] * 2, x[2]), default=1.0) ** 2
