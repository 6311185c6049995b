"""Lists under keys that are computed: values put into groups, and what is computed of the groups."""

import collections

import numpy as np

from . import program, values

NAMES = ("b", "a", "b", "b", "c")


@program(args=lambda: (values(1, 5), NAMES), variants=[lambda: (values(1, 5), ())])
def sums_of_groups(x, names):
    groups = {}
    for name, v in zip(names, x):
        groups.setdefault(name, []).append(v)
    total = x[0] ** 2
    for name, members in groups.items():
        total += sum(members) ** 2 * len(members) * len(name)
    return total


@program(args=lambda: (values(2, 5),), variants=[lambda: (np.float32(values(2, 5)),)])
def means_by_name(x):
    groups = collections.defaultdict(list)
    for name, v in zip(NAMES, x):
        groups[name].append(v * v)
    means = {name: np.mean(members) for name, members in groups.items()}
    return sum(m * m for m in means.values()) * len(groups["b"])


@program(args=lambda: (values(3, 5),))
def last_of_each_group(x):
    groups = {}
    for name, v in zip(NAMES, x):
        if name in groups:
            groups[name].append(np.sin(v) * groups[name][-1])
        else:
            groups[name] = [v * v]
    return sum(groups[name][0] * groups[name][-1] for name in groups)


@program(args=lambda: (values(4, 5),))
def groups_that_begin_anew(x):
    groups = {name: [] for name in NAMES}
    for name, v in zip(NAMES, x):
        groups[name].append(v * v)
        if len(groups[name]) > 1:
            groups[name] = [v * groups[name][0]]
        groups[name][0] *= v
    return sum(np.prod(members) for members in groups.values())


@program(args=lambda: (values(5, 5),), variants=[lambda: (np.float32(values(5, 5)),)])
def rows_of_groups(x):
    groups = {name: [] for name in NAMES}
    for k, name in enumerate(NAMES):
        groups[name].append(x * k)
    y = 0.0
    for name in sorted(groups):
        y += np.sum(np.stack(groups[name]) ** 3)
    return y


@program(args=lambda: (values(6, 5),))
def pairs_of_groups(x):
    groups = collections.defaultdict(list)
    for k, (name, v) in enumerate(zip(NAMES, x)):
        groups[name].append((k, v * v))
    y = 0.0
    for pairs in groups.values():
        for k, v in pairs:
            y += k * v * v
    return y


@program(args=lambda: (values(7, 5),))
def groups_taken_out(x):
    groups = {}
    for name, v in zip(NAMES, x):
        members = groups.setdefault(name, [])
        members.append(np.exp(v))
    first = groups.pop("b")
    rest = [sum(members) for members in groups.values()]
    return sum(first) ** 2 * np.prod(rest)


@program(args=lambda: (values(8, 5),))
def places_of_groups(x):
    places = collections.defaultdict(list)
    for k, name in enumerate(NAMES):
        places[name].append(k)
    return sum(np.prod(x[members]) for members in places.values())


@program(args=lambda: (values(61, 4),))
def groups_extended_in_place(x):
    groups = {}
    pairs = {k: [] for k in range(2)}
    for name, v in zip("abab", x):
        if name not in groups:
            groups[name] = []
        groups[name] += [v * v]
    for k, v in enumerate(x):
        pairs[k % 2] += [v, v * x[0]]
    return sum(g[0] * g[1] for g in groups.values()) * sum(pairs[0]) * pairs[1][3]


@program(args=lambda: (values(21, 5, 3),))
def forces_of_pairs(places):
    forces = collections.defaultdict(lambda: np.zeros(3))
    for i in range(len(places)):
        for j in range(i):
            f = (places[i] - places[j]) ** 3
            forces[i] += f
            forces[j] -= f
    return sum(np.sum(f * f) * (k + 1) for k, f in forces.items())


@program(args=lambda: (values(22, 5, 3),))
def means_of_rows(x):
    totals = collections.defaultdict(lambda: np.zeros(x.shape[1]))
    counts = collections.defaultdict(int)
    for k in range(len(x)):
        totals[NAMES[k]] += x[k] * x[0]
        counts[NAMES[k]] += 1
    return sum(np.sum((totals[name] / counts[name]) ** 2) for name in totals)
