"""Random programs over lists of objects that grow: elements with names, calls that change them, lists in objects.

A list is `ps` or stands in an object, `s.ps`; it may have a second name, be made anew, get other elements. What can't be
followed is refused: nothing may be wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from tests.random_families import first_that_runs
from tests.random_programs import RandomProgram

__all__ = ["Writer", "arguments", "generate"]

CLASSES = """\
from dataclasses import dataclass, field

import numpy as np


@dataclass
class P:
    x: float
    v: float = 1.0

    def step(self, dt):
        self.x = self.x + self.v * dt

    def both(self, k):
        self.x, self.v = self.v * k, self.x
        return self.x

    def energy(self):
        return 0.5 * self.v**2 + self.x

    @property
    def speed(self):
        return self.v * self.v

    def pull(self, other, k):
        self.v += k * (other.x - self.x)


class S:
    def __init__(self, k):
        self.ps = []
        self.k = k

    def add(self, v):
        self.ps.append(P(v * self.k, v))

    def fill(self, x):
        for v in x:
            self.add(v)

    def total(self):
        return sum(p.energy() for p in self.ps)

    @property
    def mean(self):
        return sum(p.x for p in self.ps) / len(self.ps)

    def move(self, k):
        for p in self.ps:
            p.x = p.x * 0.9 + k * p.v
        self.k = self.k * 0.9

    def push(self, p):
        p.v = p.v * 0.7 + self.k

    def renew(self, k):
        self.ps = [P(p.x * k, p.v) for p in self.ps]

    def prune(self, least):
        self.ps = [p for p in self.ps if p.x > least]

    def spawn(self, p):
        self.ps.append(P(p.v, p.x))

    def put(self, p):
        self.ps.append(p)

    def admit(self, p):
        self.ps.append(p)
        self.k += 0.1 * p.v
        p.x = p.x * 0.5 + self.k
        return self

    def order(self):
        self.ps.sort(key=lambda p: p.x)


class Holder(S):
    def __init__(self, ps):
        self.ps = ps
        self.k = 0.3 * len(ps)


def total(ps):
    t = 0.0
    for p in ps:
        t += p.energy() * 0.5
    return t


def move(ps, k):
    for p in ps:
        p.x = p.x * 0.9 + k * p.v


def bump(p, k):
    p.v = p.v * k
    return p.x


def grown(ps, k):
    ps.append(P(k, ps[0].x))


def made(x, k):
    out = []
    for v in x:
        out.append(P(v * k, v))
    return out


def system(x, k):
    s = S(k)
    s.fill(x)
    return s
"""


class Writer:
    """The lines of one program."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.count = 0
        self.systems: list[str] = []
        self.lists: list[str] = []

    def fresh(self, base: str) -> str:
        self.count += 1
        return f"{base}{self.count}"

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    # -- expressions

    def number(self, elements: list[str]) -> str:
        kind = self.rng.randrange(9)
        if kind < 3 and elements:
            p = self.rng.choice(elements)
            return f"{p}.{self.pick('x', 'v', 'speed', 'energy()')}"
        if kind == 3:
            return (
                f"{self.rng.choice(self.lists)}[{self.pick('0', '1', '-1')}].{self.pick('x', 'v')}"
            )
        if kind == 4:
            return f"x[{self.rng.randrange(3)}]"
        if kind == 5:
            return "t"
        if kind == 6 and self.systems:
            return f"{self.rng.choice(self.systems)}.{self.pick('k', 'mean', 'total()')}"
        return self.pick("0.5", "1.5", "-0.7", "2.0")

    def value(self, elements: list[str]) -> str:
        a, b = self.number(elements), self.number(elements)
        return self.pick(f"{a} + {b}", f"np.tanh({a}) * {b}", f"np.sin({a})", f"{a} - 0.3 * {b}")

    # -- statements

    def block(self, elements: list[str], most: int, depth: int) -> list[str]:
        elements = list(elements)
        lines: list[str] = []
        for _ in range(self.rng.randint(1, most)):
            lines += self.statement(elements, depth)
        return lines

    def bounded(self, ps: str, line: str, depth: int) -> list[str]:
        """A line that makes a list longer: in a loop only up to some length, or the loop may have no end."""
        return [f"if len({ps}) < 6:", f"    {line}"] if depth else [line]

    def statement(self, elements: list[str], depth: int) -> list[str]:
        forms: list[Callable[[list[str], int], list[str]]] = [
            self.entry, self.entry, self.place, self.call, self.call, self.of_list, self.of_system, self.of_system,
            self.appended, self.gathered, self.pair, self.plain, self.list_anew, self.named, self.branch,
            self.loop, self.loop, self.loop, self.second_name, self.replaced, self.chosen, self.chosen, self.picked,
            self.neighbours, self.last_of_loop, self.put_by_name,
        ]  # fmt: skip
        return self.rng.choice(forms)(elements, depth) or self.plain(elements, depth)

    def plain(self, elements: list[str], _depth: int) -> list[str]:
        return [f"t = np.tanh({self.value(elements)}) + t * 0.5"]

    def entry(self, elements: list[str], _depth: int) -> list[str]:
        if not elements:
            return []
        p = self.rng.choice(elements)
        return [f"{p}.{self.pick('x', 'v')} {self.pick('=', '+=')} {self.value(elements)}"]

    def place(self, elements: list[str], _depth: int) -> list[str]:
        place = f"{self.rng.choice(self.lists)}[{self.pick('0', '1', '-1')}]"
        return [f"{place}.{self.pick('x', 'v')} {self.pick('=', '+=')} {self.value(elements)}"]

    def call(self, elements: list[str], depth: int) -> list[str]:
        if not elements:
            return []
        p = self.rng.choice(elements)
        lines = [
            f"{p}.step({self.number(elements)})",
            f"t = t + {p}.both(0.5)",
            f"t = t * 0.5 + bump({p}, 1.1)",
            f"t = t + bump({p}, 0.9) * {self.number(elements)}",
        ]
        if self.systems:
            s = self.rng.choice(self.systems)
            if self.rng.random() < 0.2:
                put = self.pick(f"{s}.spawn({p})", f"{s}.put({p})")
                return self.bounded(f"{s}.ps", put, depth)
            lines.append(f"{s}.push({p})")
        return [self.rng.choice(lines)]

    def of_list(self, elements: list[str], depth: int) -> list[str]:
        ps = self.rng.choice(self.lists)
        k = self.number(elements)
        if self.rng.random() < 0.3:
            return self.bounded(ps, f"grown({ps}, {k})", depth)
        return [self.pick(f"t = t + total({ps})", f"move({ps}, {k})")]

    def of_system(self, elements: list[str], depth: int) -> list[str]:
        if not self.systems:
            return []
        s, k = self.rng.choice(self.systems), self.number(elements)
        if self.rng.random() < 0.2:
            new = self.pick(
                f"add({k})", f"put(P({k}, {self.number(elements)}))", f"admit(P({k}, 0.5))",
                f"admit(P({k}, t)).admit(P({self.number(elements)}, {k}))",
            )  # fmt: skip
            return self.bounded(f"{s}.ps", f"{s}.{new}", depth)
        lines = [
            f"{s}.move({k})", f"{s}.k = {k}", f"t = t + {s}.mean * {s}.total()",
            f"{s}.renew(0.5)", f"{s}.prune(-9.0)", f"{s}.order()",
        ]  # fmt: skip
        return [self.rng.choice(lines)]

    def appended(self, elements: list[str], depth: int) -> list[str]:
        ps = self.rng.choice(self.lists)
        new = f"P({self.value(elements)}, {self.number(elements)})"
        return self.bounded(ps, f"{ps}.append({new})", depth)

    def put_by_name(self, elements: list[str], depth: int) -> list[str]:
        """What is put in and read after that, under the name that it had."""
        p, ps = self.fresh("e"), self.rng.choice(self.lists)
        if depth:
            return []
        lines = [f"{p} = P({self.value(elements)}, {self.number(elements)})"]
        lines += self.bounded(ps, f"{ps}.append({p})", depth)
        elements.append(p)
        return lines

    def replaced(self, elements: list[str], _depth: int) -> list[str]:
        new = f"P({self.value(elements)}, {self.number(elements)})"
        return [f"{self.rng.choice(self.lists)}[{self.pick('0', '1', '-1')}] = {new}"]

    def gathered(self, _elements: list[str], _depth: int) -> list[str]:
        what = self.pick("q.x", "q.v * q.x", "q.energy()", "q.speed")
        test = self.pick("", " if q.x > 0.2")
        return [f"t = t + 0.3 * sum({what} for q in {self.rng.choice(self.lists)}{test})"]

    def pair(self, elements: list[str], _depth: int) -> list[str]:
        if len(elements) < 2:
            return []
        p, q = self.rng.sample(elements, 2)
        return [f"if {p} is not {q}:", f"    {p}.pull({q}, 0.2)"]

    def list_anew(self, elements: list[str], _depth: int) -> list[str]:
        ps = self.rng.choice(self.lists)
        scaled = f"{ps} = [P(q.x * 0.5, q.v + {self.number(elements)}) for q in {ps}]"
        by_key = self.pick(
            f"{ps}.sort(key=lambda q: q.v)", f"{ps} = sorted({ps}, key=lambda q: -q.energy())"
        )
        return [self.pick(scaled, f"{ps} = [q for q in {ps} if q.x > -5]", by_key, by_key)]

    def named(self, elements: list[str], _depth: int) -> list[str]:
        ps = self.rng.choice(self.lists)
        if self.rng.random() < 0.3:
            p, q = self.fresh("e"), self.fresh("e")
            elements += [p, q]
            return [f"{p}, {q} = {ps}[0], {ps}[1]"]
        elements.append(self.fresh("e"))
        return [f"{elements[-1]} = {ps}[{self.pick('0', '1', '-1')}]"]

    def chosen(self, elements: list[str], depth: int) -> list[str]:
        """An element that a loop chooses, from the first one on or from None."""
        if depth > 1:
            return []
        best, p, ps = self.fresh("best"), self.fresh("p"), self.rng.choice(self.lists)
        test = f"{p}.{self.pick('x', 'v', 'energy()')} {self.pick('<', '>')} {best}.{self.pick('x', 'v')}"
        if self.rng.random() < 0.5:
            first, test = f"{best} = None", f"{best} is None or {test}"
        else:
            first = f"{best} = {ps}[{self.pick('0', '-1')}]"
        inside = self.block([*elements, p], 1, depth + 1) if self.rng.random() < 0.3 else []
        found = [
            first,
            f"for {p} in {ps}:",
            f"    if {test}:",
            f"        {best} = {p}",
            *indented(inside),
        ]
        if "None" not in first or self.rng.random() < 0.7:
            elements.append(best)
        return found

    def picked(self, elements: list[str], _depth: int) -> list[str]:
        """The least by a key, and what a loop in order does."""
        ps, key = (
            self.rng.choice(self.lists),
            self.pick("q.x", "q.v", "q.energy()", "q.x * q.v", "-q.x"),
        )
        if self.rng.random() < 0.5:
            best = self.fresh("best")
            elements.append(best)
            return [f"{best} = {self.pick('min', 'max')}({ps}, key=lambda q: {key})"]
        p, k = self.fresh("p"), self.fresh("k")
        order = f"sorted({ps}, key=lambda q: {key}{self.pick('', ', reverse=True')})"
        return [
            f"for {k}, {p} in enumerate({order}):",
            *indented([f"{p}.v += {k} * {self.value(elements)}"]),
        ]

    def neighbours(self, elements: list[str], _depth: int) -> list[str]:
        """An element, and the one before it."""
        ps, p, before = self.rng.choice(self.lists), self.fresh("p"), self.fresh("before")
        line = self.pick(
            f"{p}.x += {before}.v * 0.5", f"t = t + {p}.x * {before}.x", f"{before}.v = {p}.x"
        )
        if self.rng.random() < 0.5:
            return [
                f"{before} = None", f"for {p} in {ps}:",
                f"    if {before} is not None:", f"        {line}", f"    {before} = {p}",
            ]  # fmt: skip
        elements.append(before)
        return [
            f"{before} = {ps}[0]",
            f"for {p} in {ps}[1:]:",
            f"    {line}",
            f"    {before} = {p}",
        ]

    def last_of_loop(self, elements: list[str], _depth: int) -> list[str]:
        """An element that a loop was left with."""
        ps, p = self.rng.choice(self.lists), self.fresh("p")
        lines = [f"for {p} in {ps}:", f"    if {p}.x > {self.pick('0.3', '0.6')}:", "        break"]
        elements.append(p)
        return lines

    def second_name(self, elements: list[str], _depth: int) -> list[str]:
        name, ps = self.fresh("qs"), self.rng.choice(self.lists)
        return [f"{name} = {ps}", f"{name}[0].{self.pick('x', 'v')} = {self.value(elements)}"]

    def branch(self, elements: list[str], depth: int) -> list[str]:
        if depth > 1:
            return []
        inside = self.block(elements, 2, depth + 1)
        return [f"if {self.value(elements)} > {self.pick('0.3', '-0.2')}:", *indented(inside)]

    def loop(self, elements: list[str], depth: int) -> list[str]:
        if depth > 1:
            return []
        p, ps = self.fresh("p"), self.rng.choice(self.lists)
        heads = [
            f"for {p} in {ps}:", f"for {self.fresh('i')}, {p} in enumerate({ps}):",
            f"for {p}, {self.fresh('a')} in zip({ps}, x):", f"for {p} in reversed({ps}):",
        ]  # fmt: skip
        head = self.rng.choice(heads)
        return [head, *indented(self.block([*elements, p], 3, depth + 1))]

    # -- the whole

    def made(self, name: str) -> list[str]:
        k = self.pick("1.0", "0.5")
        if self.rng.random() < 0.55:
            self.systems.append(name)
            self.lists.append(f"{name}.ps")
            filled = [f"{name} = S({k})", f"{name}.fill(x)"]
            one_by_one = [f"{name} = S({k})", "for v in x:", f"    {name}.add(v)"]
            held = [f"{name} = Holder({self.pick(f'made(x, {k})', f'[P(v, {k}) for v in x]')})"]
            return self.rng.choice([filled, one_by_one, held, [f"{name} = system(x, {k})"]])
        self.lists.append(name)
        grown = [f"{name} = []", "for v in x:", f"    {name}.append(P(v, {k}))"]
        forms = [f"{name} = [P(v * {k}, v) for v in x]"], [f"{name} = made(x, {k})"], grown
        return self.rng.choice(forms)

    def program(self) -> str:
        lines = ["t = 0.3", *self.made("s")]
        if self.rng.random() < 0.4:
            lines += self.made("r")
        lines += self.block([], 7, 0)
        sums = " + ".join(f"sum(p.x * p.v for p in {ps})" for ps in self.lists)
        lines.append(f"return t + {sums}")
        return "\n".join([CLASSES, "", "def f(x):", *indented(lines), ""])


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def arguments() -> tuple[np.ndarray]:
    return (np.array([0.31, 0.72, 0.53]),)


def generate(seed: int) -> RandomProgram:
    """The program of a seed, which runs, and whose numbers stay small."""
    return first_that_runs(
        "lists of objects", seed, lambda rng: Writer(rng).program(), arguments, 50
    )
