"""Named tuples and dataclasses made anew from others; lists of them, and of tuples in tuples."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from . import program, values


class State(NamedTuple):
    position: float
    velocity: float
    steps: int = 0


@dataclasses.dataclass(frozen=True)
class Spring:
    length: float
    stiffness: float

    def energy(self):
        return self.stiffness * self.length**2


class Pair(NamedTuple):
    state: State
    weights: tuple


def stepped(s, dt):
    return s._replace(position=s.position + dt * s.velocity, velocity=s.velocity - dt * s.position)


@program(args=lambda: (values(11, 2), 3), variants=[lambda: (values(11, 2), 0)])
def replaced_in_a_loop(x, n):
    s = State(x[0], x[1])
    for _ in range(n):
        s = s._replace(position=s.position * x[1] + s.velocity, steps=s.steps + 1)
    return s.position * s.velocity + s.steps


@program(args=lambda: (values(12, 2), 4))
def replaced_by_a_helper(x, n):
    s = State(x[0], x[1])
    for _ in range(n):
        s = stepped(s, 0.1)
    return s.position**2 + s.velocity


@program(args=lambda: (values(13, 2),), variants=[lambda: (-values(13, 2),)])
def replaced_on_a_branch(x):
    s = State(x[0], x[1])
    if x[0] > 0:
        s = s._replace(velocity=x[0] * x[1])
    return s.position * s.velocity


@program(args=lambda: (values(14, 2),))
def dataclass_replaced(x):
    spring = Spring(x[0], x[1])
    longer = dataclasses.replace(spring, length=spring.length * 2 + x[1])
    return longer.energy() * spring.stiffness


@program(args=lambda: (values(15, 3),))
def fields_as_a_dict(x):
    s = State(x[0], x[1] * x[2])
    d = s._asdict()
    d["position"] = d["position"] * 3
    total = d["position"] * s.position
    for value in s._asdict().values():
        total = total + value * value
    return total


@program(args=lambda: (values(16, 3),))
def arrays_of_a_dataclass_are_copied(x):
    spring = Spring(x * 2, x)
    d = dataclasses.asdict(spring)
    d["length"][0] = 7.0
    a, b = dataclasses.astuple(spring)
    a[1] = x[0]
    return np.sum(d["length"] * spring.length * a * b)


@program(args=lambda: (values(17, 3),))
def made_of_a_row(x):
    s = State._make((x[0], x[1] ** 2, 4))
    return s.position * s.velocity * s.steps


@program(args=lambda: (values(18, 3), 3), variants=[lambda: (values(18, 3), 0)])
def history_of_named_states(x, n):
    s = State(x[0], x[1])
    history = [s]
    for i in range(n):
        s = State(s.position * x[i], s.velocity + x[i], i)
        history.append(s)
    total = history[0].position * history[-1].velocity
    for k, h in enumerate(history):
        total = total + h.position * h.velocity * k
    for before, after in zip(history, history[1:], strict=False):
        total = total + before.position * after.velocity
    return total


@program(args=lambda: (values(19, 3),))
def states_stored_anew(x):
    history = [State(v, v * v) for v in x]
    history[1] = State(x[2], 1.0)
    history[0] = State(history[0].position * 2, history[2].velocity)
    last = history.pop()
    return sum(h.position * h.velocity for h in history) * last.velocity


@program(args=lambda: (values(20, 3),))
def states_in_pairs(x):
    p = Pair(State(x[0], x[1]), (x[2], x[0]))
    history = []
    for v in x:
        p = Pair(
            State(p.state.position * v, p.state.velocity), (p.weights[0] * v, p.state.position)
        )
        history.append(p)
    total = history[0].state.position * history[-1].weights[1]
    for h in history:
        total = total + h.state.position * h.state.velocity * h.weights[0] + h.weights[1]
    return total


@program(args=lambda: (values(21, 3),))
def tuples_in_tuples_in_a_list(x):
    rows = [((v, v * v), v) for v in x]
    total = rows[0][0][1] * rows[1][1]
    for (a, b), c in rows:
        total = total + a * b * c
    for pair, c in rows:
        total = total + pair[0] * pair[1] * c
    return total


@program(args=lambda: (values(22, 3),))
def lists_of_pairs_in_a_list(x):
    rows = [[(v, v * v), (v * 2, v)] for v in x]
    total = rows[0][1][0] * rows[1][0][1]
    for row in rows:
        for pair in row:
            total = total + pair[0] * pair[1]
    return total


@program(args=lambda: (values(23, 2),))
def loop_over_a_new_dict(x):
    total = 0.0
    for _, value in {"a": x[0], "b": x[1]}.items():
        total = total + value * value
    return total


@program(args=lambda: (values(24, 3), 3), variants=[lambda: (values(24, 3), 0)])
def named_then_plain_in_a_loop(x, n):
    s = State(x[0], x[1])
    for _ in range(n):
        s = (s[1] * x[2], s[0] + 1, s[2])
    return s[0] * s[1] ** 2


@program(args=lambda: (values(25, 3),), variants=[lambda: (-values(25, 3),)])
def plain_then_named_on_a_branch(x):
    s = (x[0], x[1], 1)
    if x[2] > 0:
        s = State(s[1] * x[2], s[0])
    return s[0] * s[1] ** 2


@program(args=lambda: (values(26, 3),))
def plain_then_named_by_a_helper(x):
    s = (x[0], x[1], 0)
    for _ in range(2):
        s = stepped(State(s[0] * x[2], s[1]), 0.5)
    return s[0] * s[1] ** 2


@program(args=lambda: (values(12, 2), 3), variants=[lambda: (values(12, 2), 0)])
def replaced_by_numbers(x, n):
    s = State(x[0], 0.5)
    for _ in range(n):
        s = s._replace(position=s.velocity)
    t = State(x[1], 0.5)
    for _ in range(3):
        t = State(t.velocity * 2, t.velocity)
    return s.position * x[1] + t.position * x[0]


class _State(NamedTuple):
    position: np.ndarray
    velocity: np.ndarray


@program(args=lambda: (_State(values(3, 4), values(4, 4)), 0.3), wrt=(0, 1))
def arrays_of_a_named_tuple_written_to(state, step):
    for k in range(3):
        state.position[k] += step * state.velocity[k]
        state.velocity[:k] *= state.position[k]
    own = _State(np.zeros(4), state.velocity * step)
    own.position[1:] = state.position[1:]
    own.velocity[0] = step
    return np.sum(own.position * own.velocity) + np.sum(state.position**2)
