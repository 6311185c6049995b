"""Dicts with literal keys: made, stored to, run over, handed on; and dicts whose keys are computed."""

import collections

import numpy as np

from . import program, values


@program(args=lambda: (0.7,), variants=[lambda: (values(1, 3),)])
def entries_of_entries(x):
    d = {"a": x**2, "b": np.sin(x)}
    d["c"] = d["a"] * d["b"]
    d["a"] = d["a"] + 1.0
    return d["c"] * d["a"]


@program(args=lambda: (values(2, 4),), variants=[lambda: (values(2, 1),)])
def running_totals(x):
    totals = {"sum": 0.0, "count": 0}
    for v in x:
        totals["sum"] += v**2
        totals["count"] += 1
    return totals["sum"] / totals["count"]


@program(args=lambda: (0.7,), variants=[lambda: (np.float32(0.7),)])
def filled_bit_by_bit(x):
    state = {}
    state["u"] = x * 2
    state["v"] = state["u"] ** 2
    return state["v"] + state["u"]


def _product(d):
    return d["a"] * d["b"]


@program(args=lambda: (0.7,), variants=[lambda: (np.float32(0.7),)])
def dict_for_a_helper(x):
    return _product({"a": x, "b": x**2})


@program(args=lambda: (0.7,), variants=[lambda: (np.float32(0.7),)])
def items_of_a_dict(x):
    d = {"a": x, "bb": 2.0}
    t = 0.0
    for key, v in d.items():
        t += v**2 * len(key)
    return t


@program(args=lambda: (0.7,), variants=[lambda: (np.float32(0.7),)])
def values_of_a_dict(x):
    d = {"a": x, "b": x**2}
    return sum(v**2 for v in d.values()) + max(d.values())


@program(args=lambda: (0.7,), variants=[lambda: (np.float32(0.7),)])
def chosen_items(x):
    d = {"a": x, "b": x**2}
    return sum([v**2 for k, v in d.items() if k != "a"])


@program(args=lambda: (0.7, 1), variants=[lambda: (0.7, -1)])
def entry_on_one_path(x, c):
    d = {"a": x}
    if c > 0:
        d["a"] = x**2
    return d["a"] * 3


@program(args=lambda: (values(3, 2, 3),))
def parameters_by_name(w):
    p = {"w": w, "b": w[:, 0] * 2}
    q = p
    return np.sum(np.tanh(q["w"].T @ p["b"]))


@program(args=lambda: (0.7,), variants=[lambda: (np.float32(0.7),)])
def steps_of_a_simulation(x):
    state = {"position": x, "velocity": 0.0}
    for _ in range(3):
        state["velocity"] = state["velocity"] - 0.1 * state["position"]
        state["position"] = state["position"] + 0.1 * state["velocity"]
    return state["position"] ** 2 + state["velocity"]


@program(args=lambda: (0.7,), variants=[lambda: (np.float32(0.7),)])
def entry_becomes_a_constant(x):
    d = {"a": x}
    y = d["a"] * x
    d["a"] = 3.0
    return y * d["a"] * x


@program(args=lambda: (0.7,), variants=[lambda: (values(1, 3),), lambda: (np.float32(0.7),)])
def keys_from_a_loop(x):
    d = {}
    for name in ("a", "bb"):
        d[name] = x * len(name)
    for key in d:
        d[key] = d[key] ** 2
    for key in sorted(d.keys()):
        x = x + d[key]
    return x * d["a"]


@program(args=lambda: (values(2, 3),), variants=[lambda: (values(2, 1),)])
def formatted_keys(x):
    p = {"w0": x * 2, "b0": np.sin(x), "w1": x**2, "b1": x}
    y = x
    for i in range(2):
        y = np.tanh(p[f"w{i}"] * y + p["b" + str(i)])
    return np.sum(y)


@program(args=lambda: (0.7,), variants=[lambda: (values(1, 3),)])
def dict_comprehensions(x):
    d = {"a": x, "b": x**2}
    e = {k: v * 2 for k, v in d.items() if k != "c"}
    f = {k: e[k] + d[k] for k in d}
    return sum(f[k] * e[k] for k in ("a", "b"))


@program(args=lambda: (0.7,), variants=[lambda: (values(1, 3),)])
def merged_dicts(x):
    d = {"a": x, "b": x**2}
    e = dict(d, c=x, b=x * 3)
    f = {**e, "a": e["b"] * x}
    y = f["a"] * f["b"] + d["b"]
    if "c" in f:
        y = y + f["c"]
    if "z" not in f:
        y = y * 2
    return y * f.get("z", 2.0) + f.get("c", 1.0)


@program(args=lambda: (values(3, 3),), variants=[lambda: (values(3, 1),)])
def list_of_dicts(x):
    layers = [{"w": x * 2, "b": np.sin(x)}, {"w": np.cos(x), "b": x}, {"w": x, "b": x}]
    y = x
    for layer in layers:
        y = np.tanh(layer["w"] * y + layer["b"])
    return np.sum(y) + sum(np.sum(layer["w"] ** 2) for layer in layers)


@program(args=lambda: (values(4, 2), 1e9), variants=[lambda: (values(4, 2) + 1, 3.0)])
def list_of_dicts_left_early(x, limit):
    layers = [{"w": x * 2, "b": 1.0}, {"w": np.cos(x), "b": 2.0}, {"w": x, "b": 3.0}]
    y = x
    for i, (layer, c) in enumerate(zip(layers, (1.0, 2.0, 3.0))):
        h = layer["w"] * y
        if np.sum(h**2) > limit:
            y = y * i
            break
        y = y + h * c + layer["b"]
    else:
        y = y * 10
    return np.sum(y)


@program(args=lambda: (values(5, 3),), variants=[lambda: (values(5, 1),)])
def list_of_dicts_by_index(x):
    layers = [{"w": x * 2}, {"w": np.sin(x), "b": x}]
    for i in range(len(layers)):
        layer = layers[i]
        x = layer["w"] * x
        if i == len(layers) - 1:
            x = x + layer["b"]
    for layer in reversed(layers):
        x = x * layer["w"]
    return np.sum(x)


@program(args=lambda: (values(6, 3),), variants=[lambda: (values(7, 3),)])
def entries_stored_while_run_over(x):
    d = {"a": x[0], "b": x[1]}
    y = 0.0
    for v in d.values():
        d["b"] = x[2] ** 2
        y = y + v
    for i, (key, v) in enumerate(d.items()):
        d["b"] = d[key] * x[1]
        y = y + i * v
    return y


def _grown(d):
    d["b"] = d["b"] * d["a"]


@program(args=lambda: (values(8, 2),), variants=[lambda: (values(9, 2),)])
def entries_stored_by_a_helper_while_run_over(x):
    d = {"a": x[0], "b": x[1]}
    y = 0.0
    for _ in range(2):
        for v in d.values():
            _grown(d)
            y = y + v
    return y


@program(args=lambda: (values(10, 2),), variants=[lambda: (values(11, 2),)])
def keys_added_beside_a_list_of_keys(x):
    d = {"a": x[0], "b": x[1]}
    for key in list(d):
        d[key + "2"] = d[key] ** 2
    v = list(d.values())
    d["a"] = d["b2"]
    return sum(v) * d["a"] * d["a2"]


@program(args=lambda: (0.7,), variants=[lambda: (values(12, 3),), lambda: (np.float32(0.7),)])
def entries_set_by_methods(x):
    d = {"a": x, "b": x * x}
    d.update({"a": d["b"], "b": d["a"]}, c=np.sin(x))
    for _ in range(2):
        d.update(a=d["a"] * x, c=d["c"] + d["a"])
    first = d.setdefault("a", 3.0)
    more = d["b"] + d.setdefault("e", x * 3) * d["e"]
    d |= {"b": more, "f": first}
    return np.sum(d["a"] * d["b"] + d["c"] * d["f"]) * len(d)


def _weighed_sum(a, b=2.0, **others):
    return a * b + others.get("c", 1.0) * a


@program(args=lambda: (0.7,), variants=[lambda: (values(13, 2),)])
def dicts_merged_and_spread(x):
    d = {"a": x, "b": x * 2}
    e = d | {"b": x * x, "c": 3.0}
    f = e.copy()
    f["a"] = np.cos(x)
    return np.sum(_weighed_sum(**d) * _weighed_sum(x, **{"c": f["a"]}) + e["a"] * _weighed_sum(**f))


def _extended(d, x):
    d.update(z=x * x, a=d["a"] * x)
    return d.setdefault("q", x)


@program(args=lambda: (0.7, 1), variants=[lambda: (0.7, -1), lambda: (values(14, 2), 1)])
def dict_that_a_helper_extends(x, c):
    d = {"a": x, "n": {"k": 1.0}}
    q = _extended(d, x)
    if c > 0:
        d["n"].update(k=x * q)
    else:
        d.update(a=x**3)
    return np.sum(d["a"] * d["z"] * q * d["q"] * d["n"]["k"])


@program(args=lambda: (0.7, 2.0), variants=[lambda: (values(26, 3), 3.0)], wrt=(0,))
def dicts_of_zipped_lists(x, value):
    names = ["first", "second"]
    found = [x * value, np.sin(x)]
    d = dict(zip(names, found))
    e = dict(zip(("a", "b"), (x, x * value)))
    options = dict(zip(["u", "v"], [1.0, value]))
    return np.sum(d["first"] * d["second"] * e["b"]) * options["v"]


def rates_and_states(x):
    return {"rates": {"a": x}, "states": {"a": x * 2}}


@program(args=lambda: (values(61, 3),), variants=[lambda: (values(61, 2, 2),)])
def dicts_of_one_call_are_stored_to(x):
    d = rates_and_states(x)
    d["rates"]["a"] = d["rates"]["a"] * x
    d["states"]["a"] *= d["rates"]["a"]
    return np.sum(d["rates"]["a"] * d["states"]["a"])


@program(args=lambda: (values(62, 3), values(63, 3)), variants=[lambda: (0.7, 1.2)], wrt=(0, 1))
def dicts_without_a_name(x, w):
    u = {"a": np.sin(x), "b": w}["a"] * dict(c=x * w)["c"]
    first, second = {"pair": (x, {"inner": w * w})}["pair"]
    v = ({"a": x} | {"b": w})["b"] + {"a": (x, u)}.get("a")[1]
    if np.sum({"a": w}["a"]) > 0:
        v = {"a": v * v}["a"] if np.sum(x) > -9 else v
    return np.sum(u * v * second["inner"] + first * ((w, u), x)[0][1])


@program(args=lambda: (values(64, 3), values(65, 3)), variants=[lambda: (0.7, 1.2)], wrt=(0, 1))
def dicts_in_tuples_that_are_unpacked(x, w):
    state = (x, {"w": w, "inner": {"pair": (x * w, w)}})
    for _ in range(2):
        place, rest = state
        state = (place * rest["w"], rest)
    first, second = state
    _, factor = second["inner"]["pair"]
    for a, b in ((x, (w, x)), (w, (w, x))):
        first = first + a * b[1]
    return np.sum(first * factor)


@program(args=lambda: (0.7, 6), variants=[lambda: (0.7, 2)])
def memo_of_a_recurrence(x, n):
    memo = {0: 1.0, 1: x}
    for k in range(2, n):
        memo[k] = x * memo[k - 1] + memo[k - 2] * memo[k - 1]
    return memo[n - 1]


@program(args=lambda: (values(1, 3), 3), variants=[lambda: (values(1, 3), 1)])
def grid_of_pairs(x, n):
    cost = {}
    for i in range(n):
        for j in range(n):
            if i == 0 or j == 0:
                cost[i, j] = x[i] * x[j]
            else:
                cost[i, j] = cost[i - 1, j] + np.sin(cost[i, j - 1]) * x[j]
    return cost[n - 1, n - 1]


@program(
    args=lambda: (values(2, 5), ["a", "b", "a", "c", "b"]),
    variants=[lambda: (values(2, 5), [1, 1.0, True, 2, 0])],
)
def totals_by_name(x, names):
    totals = {}
    for i, name in enumerate(names):
        if name not in totals:
            totals[name] = 0.0
        totals[name] += x[i] ** 2
    return totals[names[0]] * totals[names[3]] / len(totals)


@program(args=lambda: (values(3, 5), [3, 1, 3, 3, 1]), variants=[lambda: (values(3, 5), [3, 1, 2])])
def computed_once(x, places):
    known = {}
    total = 0.0
    for i, k in enumerate(places):
        if k not in known:
            known[k] = np.sin(x[i]) * x[k]
        total += known[k] * x[i]
    return total


@program(args=lambda: (values(4, 4), ["a", "b", "a", "a"]))
def rows_by_name(x, names):
    rows = {}
    for i, name in enumerate(names):
        if name in rows:
            rows[name] += x * i
            rows[name][0] = x[1] * rows[name][2]
        else:
            rows[name] = x**2
    return np.sum(rows["a"] * rows["b"])


@program(
    args=lambda: (values(2, 5), ["a", "b", "a", "c", "b"]),
    variants=[lambda: (values(2, 5), [1, 1.0, True, 2, 0])],
)
def totals_by_get(x, names):
    totals = {}
    for i, name in enumerate(names):
        totals[name] = totals.get(name, 0.0) + x[i] ** 2
    return totals[names[0]] * totals[names[3]]


@program(args=lambda: (values(3, 5), [3, 1, 3, 3, 1]))
def memo_that_is_asked(x, places):
    memo = {}
    total = 0.0
    for i, k in enumerate(places):
        v = memo.get(k)
        if v is None:
            v = np.sin(x[i]) * memo.setdefault("first", x[1] * x[i])
            memo[k] = v
        total += v * x[i] * memo.get(k, x[0])
    return total


@program(args=lambda: (values(5, 5), ["b", "a", "c", "a", "b"]))
def run_over_in_order(x, names):
    totals = {}
    for i, name in enumerate(names):
        totals[name] = totals.get(name, 0.0) + x[i] ** 2
    y = x[0]
    for name in sorted(totals):
        y = y * totals[name] + x[1]
    return y * sum([totals[name] ** 2 for name in list(totals)])


@program(
    args=lambda: (values(6, 5), ["b", "a", "c", "a", "b"]),
    variants=[lambda: (values(6, 5), [1, 1, True, 2, 0])],
)
def items_of_totals(x, names):
    totals = {}
    for i, name in enumerate(names):
        totals[name] = totals.get(name, 0.0) + x[i] ** 2
    y = x[0]
    for i, (name, total) in enumerate(totals.items()):
        y = y * total + x[i]
        totals[name] = total * y
    for total in totals.values():
        y = y + total * x[1]
    for name in totals:
        y = y + totals[name] ** 2
    return y


@program(args=lambda: (values(7, 5), ["b", "a", "c", "a", "b"]))
def shares_of_totals(x, names):
    totals = {}
    for i, name in enumerate(names):
        totals[name] = totals.get(name, 0.0) + x[i] ** 2
    total = sum(totals.values())
    for name, value in totals.items():
        totals[name] = value / total
    return sum(v * np.log(v) for v in totals.values()) * max(totals.values())


@program(args=lambda: (values(8, 6), ["b", "a", "c", "a", "b", "a"]))
def taken_out_again(x, names):
    open_ones = {}
    y = x[0]
    for i, name in enumerate(names):
        if name in open_ones:
            y = y + open_ones.pop(name) * x[i]
        else:
            open_ones[name] = np.sin(x[i]) * y
    y = y * open_ones.pop("z", 2.0)
    del open_ones["a"]
    return y * sum(open_ones.values())


@program(args=lambda: (values(9, 6), ["b", "a", "c", "a", "b", "d"]))
def oldest_goes_first(x, names):
    cache = {}
    y = 1.0
    for i, name in enumerate(names):
        value = cache.pop(name) if name in cache else x[i] ** 2
        cache[name] = value * x[0]
        if len(cache) > 2:
            y = y + cache.pop(next(iter(cache)))
        for j, v in enumerate(cache.values()):
            y = y + v * j * x[j]
    cache.clear()
    cache.update(zip(names, x), e=y)
    cache |= {"b": y * cache["a"]}
    return y * cache["b"] * cache["e"] + len(cache)


@program(args=lambda: (values(5, 5), ["b", "a", "c", "a", "b"]))
def shares_comprehended(x, names):
    sizes = {name: x[i] ** 2 for i, name in enumerate(names)}
    total = sum(sizes.values())
    shares = {name: size / total for name, size in sizes.items()}
    return sum(share * np.log(share) for share in shares.values())


@program(args=lambda: (values(6, 5), ["b", "a", "c", "a", "b"]))
def totals_by_default(x, names):
    totals = collections.defaultdict(float)
    for i, name in enumerate(names):
        totals[name] += np.sin(x[i])
    y = x[0]
    for name, v in zip(names, x):
        y = y + v * totals[name]
    return y * len(totals)


@program(args=lambda: (values(7, 5), ["b", "a", "c", "a", "b"]))
def totals_from_zero(x, names):
    totals = dict.fromkeys(names, 0.0)
    for name, v in zip(names, x):
        totals[name] += v * v
    return totals["a"] * totals["b"]


def entropy_of(sizes):
    total = sum(sizes.values())
    return -sum(v / total * np.log(v / total) for v in sizes.values())


def add_to(totals, name, value):
    totals[name] = totals.get(name, 0.0) + value


@program(args=lambda: (values(8, 5), ["b", "a", "c", "a", "b"]))
def totals_handed_on(x, names):
    totals = {}
    for name, v in zip(names, x):
        add_to(totals, name, v * v)
    return entropy_of(totals) * totals["a"]


def powers_of(x, names):
    return {name: x**k for k, name in enumerate(names)}


@program(args=lambda: (0.7, ["b", "a", "c"]))
def powers_handed_back(x, names):
    powers = powers_of(x, names)
    return sum(powers.values()) * powers["c"]


@program(args=lambda: (values(4, 3), 6))
def memo_of_a_recursion(x, n):
    memo = {}

    def term(k):
        if k < 2:
            return x[k]
        if k not in memo:
            memo[k] = np.sin(term(k - 1)) * x[2] + term(k - 2)
        return memo[k]

    return term(n)


@program(
    args=lambda: (values(91, 3),), variants=[lambda: (values(91, 1),), lambda: (values(91, 0),)]
)
def totals_by_small_numbers(x):
    totals = {}
    for k in range(2):
        totals[k] = totals.get(k, 0.0) * 0.5 + np.sum(x * x)
    totals[2] = totals.get(2, 1.0) * np.sum(x)
    return sum(totals[k] * (k + 1) for k in sorted(totals)) * totals.get(9, 2.0)


@program(args=lambda: (values(92, 5),), variants=[lambda: (values(92, 3),)])
def what_was_seen_beside_totals(x):
    seen, names, totals = {}, {}, {}
    for i in range(len(x)):
        seen[i // 2] = [i]
        names[i % 2] = f"item {i}"
        totals[i % 2] = totals.get(i % 2, 1.0) * x[i]
    return totals[0] * len(seen) + totals[1] * len(names[0])


@program(args=lambda: (values(93, 4), values(94, 4)), wrt=(0,))
def weights_beside_totals(x, w):
    weights, totals = {}, {}
    for i in range(len(x)):
        k = i % 2
        weights[k] = weights.get(k, 0.0) + w[i]
        totals[k] = totals.get(k, 0.0) + x[i] * x[i]
    return weights[0] * totals[1] + totals[0] * weights[1]


GROUPS = ("b", "a", "b", "c", "a")


@program(args=lambda: (values(95, 5),), variants=[lambda: (values(96, 4, 2),)])
def means_of_groups(x):
    sums, counts = {}, {}
    for name, v in zip(GROUPS, x):
        sums[name] = sums.get(name, 0.0) + np.sum(v * v)
        counts[name] = counts.get(name, 0) + 1
    spread = 0.0
    for name in sums:
        mean = sums[name] / counts[name]
        spread += mean**2
    return spread


@program(args=lambda: (values(97, 5),))
def running_means(x):
    means = {}
    counts = collections.Counter()
    for name, v in zip(GROUPS, x):
        counts[name] += 1
        mean = means.get(name, 0.0)
        means[name] = mean + (np.sin(v) - mean) / counts[name]
    return sum(counts[name] * m * m for name, m in means.items())


@program(args=lambda: (values(98, 5),))
def counts_on_every_trip(x):
    y = x[0]
    for step in range(2):
        sums = collections.defaultdict(float)
        counts = collections.defaultdict(int)
        for k in range(5):
            sums[k % 3] += x[k] * y
            counts[k % 3] += 1 + step
        for k, n in counts.items():
            y = y + sums[k] / n
            counts[k] = 0
    return y


@program(args=lambda: (values(99, 5),))
def places_by_name(x):
    place = {}
    for name in GROUPS:
        place.setdefault(name, len(place))
    y = np.zeros(len(place))
    for name, v in zip(GROUPS, x):
        y[place[name]] += v * v
    weights = {name: 0.5 * k for k, name in enumerate(GROUPS)}
    last = {}
    for k, name in enumerate(GROUPS):
        if name in last:
            y[place[name]] *= x[last[name]] - weights[name] * x[k]
        last[name] = k
    return np.sum(y * y)


@program(args=lambda: (values(100, 4),))
def scales_and_titles(x):
    scales, titles = {"a": 1.0, "b": 2.0}, {}
    y = x[0]
    for k, name in enumerate(("a", "b")):
        titles[name] = name * k
        y = y + x[k] * scales[name]
        scales[name] = [k, 1]
        y = y * scales[name][1] + len(titles[name]) * x[3]
    return y * x[2]


@program(args=lambda: (values(101, 3), 0.7))
def entries_or_others(x, s):
    options = {"gains": [s, s * s], "shift": None}
    gains = options.get("gains") or [1.0]
    shifts = options.get("shift") or {"a": s, "b": 2.0 * x[0]}
    scale = s * s
    if x[0] > -9.0 and gains and gains[1:]:
        scale = scale * gains[1]
    for g in gains or ():
        scale = scale + g * shifts["b"]
    return np.sum(x * scale) * shifts["a"]


def _leaves(tree, x):
    if not tree["children"]:
        return np.tanh(tree["w"] * x)
    return sum(_leaves(child, x * tree["w"]) for child in tree["children"])


def _below(tree, x):
    if tree is None:
        return 0.0
    return tree["w"] * x + _below(tree.get("below"), x * tree["w"]) ** 2


@program(args=lambda: (0.7, 1.3))
def trees_asked_for_children(w, x):
    leaf = {"w": w, "children": []}
    tree = {"w": x, "children": [leaf, {"w": 0.5, "children": [{"w": w * x, "children": []}]}]}
    chain = {"w": w, "below": {"w": x, "below": {"w": w * x, "below": None}}}
    return _leaves(tree, w) + _below(chain, x)
