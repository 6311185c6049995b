"""Dicts and objects that functions make of constants, and what comes to vary in them later."""

import numpy as np

from . import program, values


class State:
    def __init__(self, n):
        self.x = np.zeros(n)
        self.v = np.ones(n)
        self.t = 0.0

    def step(self, force, dt):
        self.v = self.v + dt * force
        self.x = self.x + dt * self.v
        self.t += dt


class Motion:
    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity


def at_rest(n):
    return State(n)


def two_at_rest(n):
    return at_rest(n), State(n + 1)


def defaults():
    return {"stiffness": 2.0, "damping": 0.1, "mass": np.array([1.0, 2.0])}


def options(**given):
    found = defaults()
    found.update(given)
    return found


@program(args=lambda: (values(1, 2),), variants=[lambda: (-values(2, 2),)])
def defaults_that_are_replaced(p):
    settings = defaults()
    settings["stiffness"] = p[0] * 3
    settings["damping"] *= p[1]
    return settings["stiffness"] * settings["damping"] + np.sum(settings["mass"] * p)


@program(args=lambda: (values(3, 2),), variants=[lambda: (values(4, 2),)])
def defaults_updated_by_names(p):
    settings = options(stiffness=p[0], mass=p * 2)
    other = defaults()
    other.update(damping=p[1])
    return (
        np.sum(settings["mass"]) * settings["stiffness"]
        + other["damping"] ** 2 * other["stiffness"]
    )


@program(args=lambda: (values(5, 3), 4), variants=[lambda: (values(6, 3), 0)])
def state_made_elsewhere(p, steps):
    state = at_rest(3)
    for _ in range(steps):
        state.step(-p * state.x + p[::-1], 0.1)
    return np.sum(state.x * p) + state.t * np.sum(state.v**2)


@program(args=lambda: (values(7, 3),), variants=[lambda: (values(8, 3),)])
def states_whose_arrays_are_stored_to(p):
    state, longer = two_at_rest(3)
    state.x[1] = p[0] * p[1]
    state.v[:2] *= p[1:]
    longer.x += p[0]
    return np.sum(state.x * state.v) + np.sum(longer.x**2)


@program(args=lambda: (values(9, 2), 3), variants=[lambda: (values(10, 2), 0)])
def motion_made_anew_in_every_step(p, steps):
    motion = Motion(0.0, 1.0)
    for _ in range(steps):
        motion = Motion(
            motion.position + p[0] * motion.velocity, motion.velocity - p[1] * motion.position
        )
    return motion.position * p[0] + motion.velocity**2


@program(args=lambda: (values(11, 3),), variants=[lambda: (-values(12, 3),)])
def an_object_of_constants_on_one_path(p):
    if p[0] > 0:
        motion = Motion(0.3, 0.7)
    else:
        motion = Motion(p[1], p[2] ** 2)
    return motion.position * p[2] + motion.velocity * p[1]


@program(args=lambda: (values(13, 3),), variants=[lambda: (-values(14, 3),)])
def defaults_unless_they_are_fitted(p):
    settings = defaults()
    if p[0] > 0:
        settings = options(damping=p[1] * p[2])
        settings["stiffness"] += p[0]

    def energy(x):
        return settings["stiffness"] * x**2 / 2 - settings["damping"] * x

    return energy(p[0]) + energy(p[1] * p[2])


@program(args=lambda: (values(15, 3),), variants=[lambda: (values(16, 0),)])
def a_fresh_state_in_every_trip(p):
    total = 0.0
    for k, v in enumerate(p):
        state = at_rest(k + 1)
        state.x = state.x + v
        state.t = v * v
        total += np.sum(state.x * state.v) * state.t
    return total


DEFAULTS = {
    "stiffness": 2.0,
    "damping": 0.1,
    "steps": 3,
    "mass": np.array([1.0, 2.0]),
    "name": "spring",
}
NOTHING = {}


@program(args=lambda: (values(17, 2),), variants=[lambda: (values(18, 2),)])
def defaults_of_the_module(p):
    settings = {**DEFAULTS, "stiffness": p[0] * p[1]}
    copied = DEFAULTS.copy()
    copied["damping"] = settings["stiffness"] * copied["damping"]
    total = np.sum(settings["mass"] * p) * settings["damping"]
    for k in range(copied["steps"]):
        total += copied["damping"] * settings["stiffness"] * k
    return total


@program(args=lambda: (values(19, 2),), variants=[lambda: (-values(20, 2),)])
def defaults_of_the_module_on_a_branch(p):
    settings = dict(DEFAULTS)
    if p[0] > 0:
        settings["mass"] = settings["mass"] * p
        settings.update(damping=p[0] ** 2)
    more = {**settings, "steps": p[1], **NOTHING}
    return np.sum(settings["mass"]) * settings["damping"] * more["steps"] + more["stiffness"] * p[0]


@program(args=lambda: (values(21, 2),), variants=[lambda: (values(22, 2),)])
def defaults_joined_by_an_operator(p):
    given = {"damping": p[0]}
    settings = DEFAULTS | given
    settings |= {"stiffness": p[1]}
    other = {**defaults(), **settings, "name": "other"}
    other["stiffness"] *= settings["damping"]
    return np.sum(other["mass"] * p) * other["stiffness"] + settings["stiffness"]


def moved(motion, by):
    if motion is None:
        motion = Motion(0.0, 1.0)
    motion.position = motion.position + by * motion.velocity
    return motion


@program(args=lambda: (values(23, 3),), variants=[lambda: (values(24, 2), None)])
def a_state_unless_one_is_given(p, state=None):
    if state is None:
        state = State(len(p))
    state.x = state.x + p * p
    motion = moved(None, p[0])
    motion = moved(motion, p[1])
    return np.sum(state.x * state.v) * motion.position
