"""Random programs over lists of objects that hold objects: those of tests/random_records.py, where `v` stands in one.

`p.v` is `p.state.v` in all of them, and lines are added that name the inner object, put another in its place, hand it
to functions and methods. What can't be followed is refused: nothing may be wrong.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.random_families import first_that_runs
from tests.random_programs import RandomProgram
from tests.random_records import Writer, arguments

__all__ = ["generate"]

INNER = """\
class State:
    def __init__(self, v, w=0.5):
        self.v_ = v
        self.w = w

    def scale(self, k):
        self.v_ = self.v_ * k

    def turn(self):
        self.v_, self.w = self.w, self.v_ * 0.5
        return self.w

    def __add__(self, other):
        return State(self.v_ + other.v_, self.w)

    def size(self):
        return self.v_ * self.v_ + 0.2 * self.w


def spin(state, k):
    state.w = state.w * 0.5 + k
    return state.v_ * state.w


"""
OUTER = """\
class P:
    def __init__(self, x, v=1.0):
        self.x = x
        self.state = State(v)
"""


def nested(text: str) -> str:
    """The classes and the program with an object inside of each P."""
    text = text.replace("@dataclass\nclass P:\n    x: float\n    v: float = 1.0\n", INNER + OUTER)
    return re.sub(r"\.v\b", ".state.v_", text)


class NestedWriter(Writer):
    """The lines of one program."""

    def statement(self, elements: list[str], depth: int) -> list[str]:
        forms: list[Callable[[str, list[str], int], list[str]]] = [
            self.inner, self.inner_named, self.inner_anew, self.inner_kept, self.inner_of_both, self.inner_made,
        ]  # fmt: skip
        if self.rng.random() < 0.4:
            return self.rng.choice(forms)(self.element(elements), elements, depth)
        return super().statement(elements, depth)

    def element(self, elements: list[str]) -> str:
        place = f"{self.rng.choice(self.lists)}[{self.pick('0', '1', '-1')}]"
        return self.rng.choice([*elements, place])

    def inner(self, p: str, elements: list[str], _depth: int) -> list[str]:
        number = self.number(elements)
        return [
            self.pick(
                f"{p}.state.scale({number})", f"t = t + {p}.state.turn()", f"t = t + {p}.state.size()",
                f"t = t + spin({p}.state, {number})", f"{p}.state.w += {number}", f"{p}.x = {p}.state.w * {number}",
            )
        ]  # fmt: skip

    def inner_named(self, p: str, elements: list[str], _depth: int) -> list[str]:
        s, number = self.fresh("s"), self.number(elements)
        lines = [
            f"{s}.v *= {number}",
            f"t = t + {s}.w * {p}.v",
            f"{p}.state.w = {s}.v",
            f"{s}.turn()",
        ]
        return [f"{s} = {p}.state", *self.rng.sample(lines, 2)]

    def inner_anew(self, p: str, elements: list[str], _depth: int) -> list[str]:
        a, b = self.number(elements), self.number(elements)
        new = self.pick(f"State({a}, {b})", f"State({a})", f"{p}.state + State({a})", f"{p}.state")
        return [f"{p}.state = {new}"]

    def inner_kept(self, p: str, elements: list[str], _depth: int) -> list[str]:
        s, number = self.fresh("s"), self.number(elements)
        return [
            f"{s} = {p}.state",
            f"{p}.state = State({number})",
            f"{s}.w = 9.0 * {p}.v",
            f"t = t + {s}.v",
        ]

    def inner_of_both(self, p: str, elements: list[str], _depth: int) -> list[str]:
        """One inner object in two outer ones, for the rest of the program."""
        q = self.element(elements)
        return [f"{p}.state = {q}.state", f"{q}.v += {self.number(elements)}"]

    def inner_made(self, p: str, elements: list[str], _depth: int) -> list[str]:
        """An inner object that has a name before it is put in, and after."""
        s = self.fresh("s")
        return [
            f"{s} = State({self.value(elements)})",
            f"{p}.state = {s}",
            f"{s}.v *= {self.number(elements)}",
        ]


def text_of(rng: random.Random) -> str:
    return nested(NestedWriter(rng).program())


def generate(seed: int) -> RandomProgram:
    """The program of a seed, which runs, and whose numbers stay small."""
    return first_that_runs("objects in objects in lists", seed, text_of, arguments, 50)
