"""copy.copy and copy.deepcopy of arrays, lists, dicts and objects."""

import copy
from copy import deepcopy

import numpy as np

from . import program, values


class Particle:
    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity


@program(args=lambda: (values(1, 4),), variants=[lambda: (values(2, 3, 2),)])
def copied_array(x):
    y = copy.copy(x)
    z = deepcopy(x.T)
    y[0] = 2.0
    z[-1] *= 3.0
    return np.sum(y * x) + np.sum(z**2)


@program(args=lambda: (values(3, 3),), variants=[lambda: (values(4, 2),)])
def copied_list(x):
    first = [x[0], x[1] * 2]
    second = copy.copy(first)
    third = deepcopy(first)
    second[0] = x[1]
    third.append(x[0] * x[1])
    return first[0] * second[1] + second[0] * third[2] + len(first)


@program(args=lambda: (values(5, 4),), variants=[lambda: (values(6, 0),)])
def copied_list_that_grows(x):
    seen = []
    for v in x:
        before = copy.copy(seen)
        seen.append(v * len(before))
    last = deepcopy(seen)
    last.append(np.sum(x))
    return sum(seen) * last[-1]


@program(args=lambda: (values(7, 2),), variants=[lambda: (values(8, 2),)])
def copied_dict(x):
    settings = {"a": x[0], "b": x * 2, "c": 3.0}
    other = copy.copy(settings)
    other["a"] = other["a"] * other["c"]
    other["b"] = other["b"] * x
    return settings["a"] * other["a"] + np.sum(settings["b"] * other["b"])


@program(args=lambda: (values(9, 2),), variants=[lambda: (values(10, 2),)])
def dict_copied_to_the_bottom(x):
    state = {"u": x * 2, "parts": [x[0], x[1]], "inner": {"v": x[0]}, "count": 2}
    saved = deepcopy(state)
    state["u"][0] = 0.5
    state["parts"][1] = 7.0
    state["inner"]["v"] *= x[1]
    return (
        np.sum(saved["u"] * state["u"])
        + saved["parts"][1] * state["parts"][0]
        + saved["inner"]["v"] * state["inner"]["v"] * saved["count"]
    )


@program(args=lambda: (values(11, 2), 3), variants=[lambda: (values(12, 2), 0)])
def state_before_every_step(x, steps):
    state = {"position": x[0], "velocity": x[1]}
    for _ in range(steps):
        old = copy.copy(state)
        state["position"] = old["position"] + 0.1 * old["velocity"]
        state["velocity"] = old["velocity"] - 0.1 * old["position"]
    return state["position"] * state["velocity"]


@program(args=lambda: (values(13, 3),), variants=[lambda: (values(14, 2),)])
def copied_object(x):
    particle = Particle(x * 2, np.sum(x))
    shadow = copy.copy(particle)
    apart = deepcopy(particle)
    shadow.velocity = shadow.velocity * x[0]
    shadow.position[0] = x[1]
    apart.position[-1] *= x[0]
    return np.sum(particle.position * apart.position) + particle.velocity * shadow.velocity


@program(args=lambda: (values(15, 2), 3), variants=[lambda: (values(16, 2), 1)])
def object_before_every_step(x, steps):
    particle = Particle(x[0], x[1])
    for _ in range(steps):
        old = copy.copy(particle)
        particle.position = old.position + 0.1 * old.velocity
        particle.velocity = old.velocity - 0.1 * old.position**2
    return particle.position * particle.velocity


@program(args=lambda: (values(17, 2),), variants=[lambda: (-values(18, 2),)])
def copied_on_one_path(x):
    state = {"u": x * 2, "k": 2.0}
    kept = state
    if x[0] > 0:
        kept = deepcopy(state)
        kept["u"][0] *= x[1]
    return np.sum(kept["u"] * state["u"]) * kept["k"]
