"""Masks and arrays of places as indices: read, stored to, and added to."""

from enum import IntEnum

import numpy as np

from . import positives, program, values


def repeated():
    return np.array([2, 0, 2, -1])


def none():
    return np.array([], dtype=int)


@program(
    args=lambda: (values(1, 6),),
    variants=[
        lambda: (values(1, 2, 3),),
        lambda: (values(1, 6, dtype=np.float32),),
        lambda: (-positives(1, 4),),
        lambda: (values(1, 0),),
        lambda: (values(1, 5)[::-1],),
    ],
)
def squares_where_positive(x):
    return np.sum(x[x > 0] ** 2)


@program(
    args=lambda: (values(2, 5), repeated()),
    variants=[
        lambda: (values(2, 5, 2), repeated()),
        lambda: (values(2, 5), none()),
        lambda: (values(2, 5), np.array([[1, 1], [0, 4]])),
        lambda: (values(2, 5), np.array(3)),
        lambda: (values(2, 5, dtype=np.float32), repeated()),
        lambda: (values(2, 4), repeated() > 0),
        lambda: (values(2, 5), 2),
    ],
)
def gathered(x, index):
    return x[index] ** 2


@program(
    args=lambda: (values(3, 3, 4), np.array([0, 2, 0]), np.array([1, 3, 1])),
    variants=[lambda: (values(3, 3, 4).T, np.array([0, 2, 0]), np.array([1, 2, 1]))],
)
def pairs_and_meshes(a, i, j):
    picked = a[i, j] ** 2
    block = a[i[:, None], j] ** 3
    return np.sum(picked) + np.sum(block) + np.sum(a[i, :2]) * np.sum(a[0, j]) + a[:, j].sum()


@program(args=lambda: (values(4, 3, 4), [0, 2], [3, 1]))
def open_mesh(a, rows, columns):
    return np.sum(a[np.ix_(rows, columns)] ** 2) + np.sum(a[np.ix_([0, 1], [2, 0])])


@program(args=lambda: (values(5, 3, 3),), variants=[lambda: (np.asfortranarray(values(5, 3, 3)),)])
def triangles_and_diagonals(a):
    upper = np.triu_indices(3)
    a[np.diag_indices(3)] = a[0] ** 2
    a[upper] *= 2.0
    rows, columns = np.nonzero(a < 0)
    return np.sum(a[rows, columns] ** 2) + np.sum(a[np.where(a > 0.5)])


@program(
    args=lambda: (values(6, 6),),
    variants=[lambda: (values(6, 2, 3),), lambda: (positives(6, 4),), lambda: (values(6, 0),)],
)
def clipped_in_place(x):
    x[x < 0] = 0
    x[x > 1] *= 0.5
    x[x > 0.7] = x[x > 0.7] ** 2
    return x


@program(
    args=lambda: (values(7, 5), repeated(), values(8, 4)),
    wrt=(0, 2),
    variants=[
        lambda: (values(7, 5), repeated(), 0.7),
        lambda: (values(7, 5, 2), repeated(), values(8, 4, 2)),
        lambda: (values(7, 5, 2), repeated(), values(8, 2)),
        lambda: (values(7, 5), none(), values(8, 0)),
        lambda: (values(7, 5), np.array([[1, 1], [0, 1]]), values(8, 2)),
    ],
)
def last_store_wins(x, index, v):
    y = x * 2
    y[index] = v
    return y * x


@program(
    args=lambda: (values(9, 5), repeated(), values(10, 4)),
    wrt=(0, 2),
    variants=[
        lambda: (values(9, 5), repeated(), 0.7),
        lambda: (values(9, 5), np.array([3, 1]), values(10, 2)),
    ],
)
def buffered_updates(x, index, v):
    x[index] += v
    x[index] *= v
    x[index] -= x[index] * v
    x[index] /= v
    x[index] **= 2
    return x


@program(args=lambda: (values(11, 6), values(11, 6) > 0.1, values(12, 6)), wrt=(0, 2))
def masked_residuals(x, known, target):
    return np.mean((x[known] - target[known]) ** 2)


@program(
    args=lambda: (values(13, 4, 3), np.array([2, 0, 0, 1])),
    variants=[lambda: (values(13, 1, 3), np.array([2]))],
)
def cross_entropy(logits, labels):
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    p = np.exp(shifted) / np.sum(np.exp(shifted), axis=1, keepdims=True)
    return -np.mean(np.log(p[np.arange(len(labels)), labels]))


@program(args=lambda: (values(14, 6),), variants=[lambda: (values(14, 1),)])
def sorted_by_hand(x):
    order = np.argsort(x)
    y = x[order]
    z = np.empty_like(x)
    z[order[::-1]] = y * np.arange(1.0, len(x) + 1)
    return z * x


@program(args=lambda: (values(15, 6),), variants=[lambda: (-positives(15, 6),)])
def piecewise_by_masks(x):
    out = np.empty_like(x)
    positive = x > 0
    out[positive] = np.exp(-x[positive])
    out[~positive] = x[~positive] ** 3
    return out


@program(args=lambda: (values(16, 6), 3), variants=[lambda: (values(16, 6), 0)])
def masks_in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        far = np.abs(x) > 0.3 * k
        x[far] *= 0.9
        total += np.sum(x[far] ** 2)
    return total


@program(args=lambda: (values(17, 6),))
def index_array_moves(x):
    i = np.array([0, 1, 2])
    y = x[i]
    i += 1
    z = x[i] * y
    i[0] = 5
    return np.sum(z * x[i])


@program(args=lambda: (values(18, 6), np.arange(6) % 2 == 0))
def mask_changes(x, mask):
    chosen = mask.copy()
    y = x[chosen]
    chosen[0] = False
    z = x[chosen]
    chosen |= x > 0.5
    return np.sum(y**2) + np.sum(z**3) + np.sum(x[chosen])


@program(args=lambda: (values(19, 6),))
def index_list_grows(x):
    chosen = [0, 2]
    y = x[chosen]
    chosen.append(1)
    return np.sum(y**2) * x[1]


@program(
    args=lambda: (values(20, 6), np.array([1, 4])), variants=[lambda: (values(20, 4, 2), [0, 2])]
)
def swapped_by_places(x, i):
    j = [0, 3]
    x[i], x[j] = x[j] * 2, x[i]
    return x**2


@program(
    args=lambda: (values(21, 4, 3), np.array([2, 0])),
    variants=[lambda: (values(21, 4, 3)[::-1], np.array([1, 1]))],
)
def places_beside_slices(a, i):
    a[1:, i] = a[:-1, i] * 2
    a[..., i] += 1.0
    a[a[:, 0] > 1, 1] = a[a[:, 0] > 1, 2] ** 2
    return a[:, None, i] * a[::-1][:, i][:, None]


@program(args=lambda: (values(22, 6), values(23, 3)), wrt=(0, 1))
def through_a_reversed_view(x, v):
    x[::-1][np.array([0, 0, 1])] += v
    x[1:][x[1:] > 0] = 0.5 * v[0]
    return x**2


@program(args=lambda: (values(24, 6),), variants=[lambda: (values(24, 3, 2),)])
def of_an_expression(x):
    return np.sum((x * x)[x > 0]) + np.sum((x * 2)[[0, 0, 1]]) + (x + 1)[-1].sum()


@program(args=lambda: (values(25, 5), True), variants=[lambda: (values(25, 5), False)])
def number_or_places(x, several):
    i = 2
    if several:
        i = np.array([0, 0, 1])
    y = x[i] * 2
    x[i] = 0.3 * x[4]
    return np.sum(y**2) * np.sum(x)


@program(args=lambda: (values(26, 6), {"rows": [0, 0, 2], "row": 1}))
def places_from_a_dict(x, options):
    rows = np.array(options["rows"])
    return np.sum(x[rows] ** 2) + x[int(options["row"])]


@program(args=lambda: (values(27, 6), values(27, 6) > 0))
def compressed_and_put_back(x, m):
    y = np.zeros(np.sum(m))
    y[:] = x[m]
    y[1:] *= y[:-1]
    x[m] = y[::-1]
    x[m] -= x[m].mean()
    return x


@program(args=lambda: (values(28, 6), slice(1, 4)))
def slices_by_name(x, part):
    rest = slice(4, None)
    x[part] *= 2.0
    x[rest] = x[:2] * x[part][0]
    return np.sum(x[part] ** 2) * x[rest]


@program(
    args=lambda: (values(29, 4, 2), np.array([[0, 1], [1, 3], [0, 2]]), np.array([1.0, 0.5, 2.0])),
    wrt=(0, 2),
)
def springs(position, bonds, stiffness):
    i, j = bonds[:, 0], bonds[:, 1]
    gap = position[i] - position[j]
    length = np.sqrt(np.sum(gap**2, axis=1))
    return 0.5 * np.sum(stiffness * (length - 1) ** 2)


@program(args=lambda: (values(80, 4, 3), values(81, 2, 2)), wrt=(0, 1))
def coordinates_of_a_grid(image, a):
    h, w = image.shape
    rows, columns = np.mgrid[0:h, 0:w]
    x, y = a @ np.stack([columns.ravel(), rows.ravel()])
    return np.sum(image.ravel() * x * y)


@program(args=lambda: (values(82, 3), 0), variants=[lambda: (values(82, 3), 1)])
def all_or_nothing(x, time):
    y = np.sin(x)
    y[time == 0] = x[::-1] ** 2
    y[time != 0] *= x[0]
    return np.sum(y**3) + np.sum(x[time == 0] ** 2)


@program(args=lambda: (np.array(0.7), True), variants=[lambda: (np.array(0.7), False)])
def all_or_nothing_of_one_number(x, flag):
    y = np.array(x**2)
    y[flag] = np.exp(x)
    y[not flag] += x
    y[x > 0.5] *= 2.0
    return y * x


@program(
    args=lambda: (np.array([0.3, 0.7, -0.2, 0.9]),),
    variants=[lambda: (np.array([0.9, 0.1, -0.2, 0.3]),), lambda: (values(83, 3, 4),)],
)
def one_quaternion_or_many(q):
    """Written for many, and called with one as well: a mask of no axes."""
    out = np.zeros_like(q)
    norm = np.linalg.norm(q[..., 1:], axis=-1)
    large = norm > 0.5
    angle = np.arctan2(norm, q[..., 0])
    out[large, 0] = q[large, 0] ** 2
    out[large, 1:] = q[large, 1:] / norm[large, np.newaxis]
    out[~large] = q[~large] * 3
    return np.sum(out[..., ::-1] * out**2) + np.sum(angle)


@program(args=lambda: (values(41, 4, 3), 1))
def index_expressions(x, n):
    inner, rest = np.s_[1:-1, n], np.index_exp[n:]
    ahead, behind = np.s_[1:], np.s_[:-1]
    y = x * 2
    y[inner] *= x[inner]
    y[np.s_[0, ::2]] = x[0, 1]
    return np.sum(y[rest] ** 2) + np.sum((x[ahead] - x[behind]) ** 3) + np.prod(y[np.s_[..., 0]])


class State(IntEnum):
    PLACE = 0
    SPEED = 1
    LAST = -1


@program(
    args=lambda: (values(42, 3), State.SPEED),
    variants=[lambda: (np.float32(values(42, 3)), State.LAST)],
)
def places_of_an_enumeration(state, watched):
    rates = np.zeros(3)
    rates[State.PLACE] = state[State.SPEED]
    rates[State.SPEED] = -state[State.PLACE] * state[State.LAST] * State.LAST
    state = state + 0.1 * rates
    for k in (State.PLACE, State.SPEED):
        state[k] *= state[watched] + k
    return np.sum(state**2) * State.SPEED.value


@program(
    args=lambda: (values(31, 3, 4),),
    variants=[lambda: (values(31, 1, 2),), lambda: (values(31, 3, 4, dtype=np.float32),)],
)
def heads_of_rows(a):
    heads = []
    for row in a:
        heads.append(row[:2])
    return np.sum(np.concatenate(heads) ** 2)


@program(
    args=lambda: (values(32, 4),),
    variants=[lambda: (values(32, 1),), lambda: (values(32, 4, dtype=np.float32),)],
)
def numbers_with_new_axes(x):
    columns = np.concatenate([v[..., np.newaxis] for v in x], axis=-1)
    squares = [v[None, None] * v[np.newaxis] for v in x]
    return np.sum(columns * np.sin(columns)) + np.sum(np.concatenate(squares, axis=1))


def _along_the_last_axis(parts):
    parts = np.asarray(parts)
    return np.concatenate([part[..., np.newaxis] for part in parts], axis=-1)


@program(
    args=lambda: (values(33, 3), values(34, 2, 3)),
    variants=[lambda: (values(33, 1), values(34, 2, 1))],
)
def stacked_numbers_and_arrays(x, a):
    numbers = _along_the_last_axis([x[0], x[-1] * 2, x[0] * x[-1]])
    rows = _along_the_last_axis([a, a * 2, np.sin(a)])
    return np.sum(rows @ numbers)
