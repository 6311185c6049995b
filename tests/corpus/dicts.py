"""Dicts with literal keys: made, stored to, run over, handed on."""

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
