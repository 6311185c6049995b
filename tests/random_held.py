"""Random programs of arrays that lists, dicts, objects and further names hold, filled and changed in loops and helpers.

All vectors have one length, so that any place may stand for any other: what is written through one of them is seen
through all that are the same array, or a part of it, and no text tells which these are.
"""

from __future__ import annotations

import random

import numpy as np

from tests.random_families import first_that_runs
from tests.random_programs import RandomProgram

__all__ = ["Writer", "arguments", "generate"]

HELPERS = """\
import numpy as np


class Box:
    def __init__(self, v, n):
        self.v = v
        self.n = n
        self.log = []

    def step(self, w):
        self.v *= 0.5
        self.v += w * self.n
        self.log.append(self.v)
        return self.v

    def swap(self, w):
        old = self.v
        self.v = w
        return old

    def total(self):
        t = 0.0
        for r in self.log:
            t += np.sum(r * self.v)
        return t


def damp(v, s):
    v *= s
    return v


def tail(v, s):
    part = v[1:]
    part += s
    return part


def grow(rows, v):
    rows.append(v * 0.5)
    rows[0][0] += v[1]
    return rows[-1]


def fill(rows, v, n):
    for k in range(n):
        v = v * 0.5 + rows[k]
        rows.append(v)
        if v[0] > 1.2:
            break
    rows[-1] = rows[-1] * 0.9
    return v


def first_large(rows, s):
    for r in rows:
        if r[0] > s:
            return r
        r *= 0.9
    return rows[0]


def handed(held, n):
    for k in range(n + 1):
        if k == n:
            return held
    return None


def chosen(one, other, s):
    return one if s > 0.3 else other


def table_at_rest():
    return {'u': np.array([0.2, 0.5, 0.3]), 'w': np.ones(3)}


def box_at_rest(n):
    box = Box(np.ones(3), n)
    box.log.append(np.array([0.2, 0.5, 0.3]))
    return box


def rows_at_rest(n):
    return [np.ones(3) * (k + 0.5) for k in range(n)]


def put(table, v):
    table['u'] = v
    table['w'] += v * 0.5
    return table['w']


def apart(v, w):
    v = v * w
    v += w
    w -= 0.1 * v
    return v
"""

INDENT = "    "


class Writer:
    """Writes one program: `names` are those of vectors, `whole` of matrices, `lists` of lists of vectors."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.names: list[str] = []
        self.whole: list[str] = []
        self.lists: list[str] = []
        self.tables: list[str] = []
        self.boxes: list[str] = []
        self.counters: list[str] = []
        self.count = 0
        self.depth = 0
        self.rest = rng.choice((0.0, 0.1, 0.4))  # of values that carry no derivative
        self.shared = rng.choice((0.0, 0.05, 0.15, 0.4))  # of the vectors that are bound and put in

    # ------------------------------------------------------------------------- what is drawn

    def new(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def number(self) -> str:
        return self.pick("0.5", "0.3", "1.5", "0.7", "-0.4")

    def place(self) -> str:
        """An expression that is a vector somewhere, not a new one."""
        found = [(6, self.rng.choice(self.names))]
        step = self.rng.choice(self.counters) if self.counters and self.chance(0.5) else None
        if self.lists:
            found.append((4, f"{self.rng.choice(self.lists)}[{step or self.pick('0', '-1', '1')}]"))
        if self.tables:
            found.append((2, f"{self.rng.choice(self.tables)}['{self.pick('u', 'w')}']"))
        if self.boxes:
            found.append((2, f"{self.rng.choice(self.boxes)}.v"))
        if self.whole:
            found.append((3, f"{self.rng.choice(self.whole)}[{step or self.pick('0', '1', '-1')}]"))
        return self.rng.choices([text for _, text in found], [weight for weight, _ in found])[0]

    def value(self) -> str:
        """A vector that is a new one, as a rule."""
        one, other, number = self.place(), self.place(), self.number()
        if self.chance(self.rest):
            return self.pick("np.ones(3)", "np.zeros(3)", "np.array([0.2, 0.5, 0.3])")
        return self.pick(
            f"np.sin({one})",
            f"{one} * {other}",
            f"{one} * {number} + {other}",
            f"{one} + {number}",
            f"{one} ** 2",
            f"{one}.copy()",
            f"{one} * {other}[{self.pick('0', '1')}]",
            f"np.tanh({one} - {other})",
        )

    def either(self) -> str:
        return self.place() if self.chance(self.shared) else self.value()

    def scalar(self) -> str:
        one = self.place()
        return self.pick(
            f"{one}[{self.pick('0', '1', '2')}]", f"0.2 * np.sum({one})", self.number(), "s"
        )

    def test(self) -> str:
        texts = [f"{self.place()}[{self.pick('0', '2')}] > {self.pick('0.3', '0.6', '1.1')}"]
        if self.counters:
            texts.append(f"{self.rng.choice(self.counters)} {self.pick('==', '>', '!=')} 1")
        if self.lists:
            texts.append(f"len({self.rng.choice(self.lists)}) > {self.pick('2', '3')}")
        return self.rng.choice(texts)

    # ------------------------------------------------------------------------- single lines

    def line(self) -> list[str]:
        ways = [
            (4, self.named), (4, self.updated), (3, self.stored), (2, self.part), (2, self.summed),
            (2, self.called), (1, self.exchanged), (1, self.scaled),
        ]  # fmt: skip
        if self.lists:
            ways += [(4, self.appended), (1, self.shortened), (2, self.helped_list)]
        if self.tables:
            ways += [(2, self.entered)]
        if self.boxes:
            ways += [(3, self.moved)]
        (way,) = self.rng.choices([way for _, way in ways], [weight for weight, _ in ways])
        return way()

    def named(self) -> list[str]:
        """In loops and branches only names that are there already are bound, as others might be unbound later."""
        value = self.either()
        name = self.rng.choice(self.names) if self.depth or self.chance(0.3) else self.new("v")
        if name not in self.names:
            self.names.append(name)
        return [f"{name} = {value}"]

    def updated(self) -> list[str]:
        return [
            f"{self.place()} {self.pick('+=', '*=', '-=')} {self.pick(self.either(), self.scalar())}"
        ]

    def stored(self) -> list[str]:
        at = self.pick("0", "1", "2", *self.counters)
        return [f"{self.place()}[{at}] {self.pick('=', '+=', '*=')} {self.scalar()}"]

    def part(self) -> list[str]:
        one, other = self.place(), self.place()
        return [
            self.pick(
                f"{one}[1:] {self.pick('+=', '=', '*=')} {other}[:-1]",
                f"{one}[:] = {other}",
                f"{one}[::-1][0] = {self.scalar()}",
                f"tail({one}, {self.scalar()})",
                f"np.add({one}, {other}, out={self.place()})",
            )
        ]

    def summed(self) -> list[str]:
        return [f"s += {self.pick('', '0.3 * ')}np.sum({self.place()}{self.pick('', ' ** 2')})"]

    def scaled(self) -> list[str]:
        whole = self.whole[0]
        return [
            self.pick(
                f"{whole} *= {self.number()}",
                f"{whole}[{self.pick('0', '1')}] = {self.either()}",
                f"{whole}[:, {self.pick('0', '1')}] += {self.scalar()}",
            )
        ]

    def called(self) -> list[str]:
        one = self.place()
        call = self.pick(
            f"damp({one}, {self.scalar()})",
            f"apart({one}, {self.place()})",
            f"damp({self.value()}, s)",
        )
        name = self.rng.choice(self.names)
        return [self.pick(f"{name} = {call}", f"s += np.sum({call})", call)]

    def exchanged(self) -> list[str]:
        one, other = self.place(), self.place()
        return [f"{one}, {other} = {other}, {one}"]

    def appended(self) -> list[str]:
        return [f"{self.rng.choice(self.lists)}.append({self.either()})"]

    def shortened(self) -> list[str]:
        rows = self.rng.choice(self.lists)
        pop = f"{rows}.pop({self.pick('', '0')})"
        change = self.pick(f"{self.rng.choice(self.names)} = {pop}", pop, f"{rows}.reverse()")
        return [change, f"{rows}.insert({self.pick('0', '1')}, {self.either()})"]

    def helped_list(self) -> list[str]:
        rows = self.rng.choice(self.lists)
        call = self.pick(
            f"grow({rows}, {self.either()})",
            f"fill({rows}, {self.either()}, {self.pick('1', '2', 'n')})",
            f"first_large({rows}, {self.number()})",
        )
        return [self.pick(f"{self.rng.choice(self.names)} = {call}", f"s += {call}[1]")]

    def entered(self) -> list[str]:
        table = self.rng.choice(self.tables)
        return [
            self.pick(
                f"{table}['{self.pick('u', 'w')}'] = {self.either()}",
                f"{self.rng.choice(self.names)} = put({table}, {self.either()})",
                f"{table} = {self.perhaps_handed(table)}",
            )
        ]

    def moved(self) -> list[str]:
        box = self.rng.choice(self.boxes)
        name = self.rng.choice(self.names)
        return [
            self.pick(
                f"{name} = {box}.step({self.place()})",
                f"{box}.step({self.value()})",
                f"{name} = {box}.swap({self.either()})",
                f"{box}.v = {self.either()}",
                f"{box} = {self.perhaps_handed(box)}",
                f"{box}.log.append({self.either()})",
                f"s += {box}.total()",
            )
        ]

    # ------------------------------------------------------------------------- several lines

    def inside(self, lines: int) -> list[str]:
        self.depth += 1
        body = [INDENT + line for _ in range(lines) for line in self.statement()]
        self.depth -= 1
        return body

    def branch(self) -> list[str]:
        lines = [f"if {self.test()}:", *self.inside(self.rng.randint(1, 2))]
        if self.chance(0.4):
            lines += ["else:", *self.inside(1)]
        return lines

    def leaving(self) -> list[str]:
        way = self.pick("break", "continue", "break", "return s + np.sum({})")
        return [f"if {self.test()}:", INDENT + way.format(self.place())]

    def loop(self) -> list[str]:
        ways = [self.counted, self.counted, self.backwards]
        if self.lists:
            ways += [self.over_list, self.over_list]
        if self.whole:
            ways += [self.over_rows]
        if self.tables:
            ways += [self.over_table]
        head, names, counters = self.rng.choice(ways)()
        self.names += names
        self.counters += counters
        body = self.inside(self.rng.randint(1, 3))
        if self.chance(0.25):
            at = self.rng.choice([0, len(body)])
            body[at:at] = [INDENT + line for line in self.leaving()]
        for name in names:
            self.names.remove(name)
        for name in counters:
            self.counters.remove(name)
        return [*head, *body]

    def counted(self) -> tuple[list[str], list[str], list[str]]:
        k = self.new("k")
        return [f"for {k} in range({self.pick('2', '2', '1', '0', 'n')}):"], [], [k]

    def backwards(self) -> tuple[list[str], list[str], list[str]]:
        k = self.new("k")
        return [f"for {k} in range(1, -1, -1):"], [], [k]

    def over_list(self) -> tuple[list[str], list[str], list[str]]:
        r, rows = self.new("r"), self.rng.choice(self.lists)
        if self.chance(0.4):
            k = self.new("k")
            return [f"for {k}, {r} in enumerate({rows}{self.pick('', '[:2]')}):"], [r], [k]
        return [f"for {r} in {self.pick(rows, f'{rows}[1:]', f'reversed({rows})')}:"], [r], []

    def over_rows(self) -> tuple[list[str], list[str], list[str]]:
        r = self.new("r")
        return [f"for {r} in {self.rng.choice(self.whole)}:"], [r], []

    def over_table(self) -> tuple[list[str], list[str], list[str]]:
        r, table = self.new("r"), self.rng.choice(self.tables)
        if self.chance(0.5):
            return [f"for {r} in {table}.values():"], [r], []
        key = self.new("key")
        return [f"for {key}, {r} in {table}.items():"], [r], []

    def statement(self) -> list[str]:
        share = self.rng.random()
        if self.depth < 2 and share < 0.16:
            return self.loop()
        if self.depth < 2 and share < 0.24:
            return self.branch()
        return self.line()

    # ------------------------------------------------------------------------- the program

    def perhaps_handed(self, made: str) -> str:
        """What a helper gives of what is made."""
        if self.chance(0.6):
            return made
        return self.pick(f"handed({made}, n)", f"chosen({made}, {made}, {self.scalar()})")

    def held(self) -> list[str]:
        """The lines that make what holds arrays."""
        lines = []
        for make in self.rng.sample("list table box list rows".split(), self.rng.randint(1, 3)):
            if make == "list":
                rows = self.new("rows")
                first = self.pick(
                    f"[{self.either()}, {self.either()}]", f"[{self.place()}.copy() for _ in range(2)]",
                    f"[{self.value()}]",
                    "rows_at_rest(2)", self.pick(f"list({self.whole[0]})", f"[{self.whole[0]}[0], {self.place()}]"),
                    self.rng.choice(self.lists) if self.lists else f"[r * 2 for r in {self.whole[0]}]",
                )  # fmt: skip
                lines.append(f"{rows} = {first}")
                self.lists.append(rows)
            elif make == "table":
                table = self.new("table")
                made = f"{{'u': {self.either()}, 'w': {self.either()}}}"
                lines.append(f"{table} = {self.perhaps_handed(self.pick(made, 'table_at_rest()'))}")
                self.tables.append(table)
            elif make == "box":
                box = self.new("box")
                made = self.pick(f"Box({self.either()}, {self.number()})", "box_at_rest(n)")
                lines.append(f"{box} = {self.perhaps_handed(made)}")
                self.boxes.append(box)
            else:
                rows = self.new("rows")
                lines += [f"{rows} = []", f"for r in {self.whole[0]}:"]
                lines.append(
                    f"{INDENT}{rows}.append({self.pick('r', 'r * 0.5', 'r ** 2', 'r.copy()')})"
                )
                self.lists.append(rows)
        return lines

    def program(self) -> str:
        lines = [
            "s = 0.0",
            f"m = {self.pick('x * 1.0', 'np.sin(x)', 'x.copy()', 'np.zeros((2, 3))')}",
        ]
        self.whole.append("m")
        lines.append(f"a = {self.pick('m[0]', 'x[0] * 2', 'm[1] + y', 'y * 1.5')}")
        self.names += ["a", "y"] if self.chance(0.5) else ["a"]
        lines.append(f"b = {self.either()}")
        self.names.append("b")
        lines += self.held()
        for _ in range(self.rng.randint(2, 5)):
            lines += self.statement()
        if self.chance(0.85):
            lines += self.loop()
        for _ in range(self.rng.randint(0, 2)):
            lines += self.statement()
        ends = ["s", "np.sum(m ** 2)", "np.sum(a * b)"]
        ends += [f"np.sum({self.rng.choice(self.names)} ** 2)"]
        ends += [f"np.sum({rows}[-1] * {rows}[0])" for rows in self.lists]
        ends += [f"np.sum({table}['u'] * {table}['w'])" for table in self.tables]
        ends += [f"np.sum({box}.v ** 2) + {box}.total()" for box in self.boxes]
        lines.append("return " + " + ".join(ends))
        return "\n".join([HELPERS, "", "def f(x, y, n):", *(INDENT + line for line in lines), ""])


def arguments() -> tuple[np.ndarray, np.ndarray, int]:
    matrix = np.array([[0.713, 0.437, 0.219], [0.931, 0.553, 0.347]])
    return matrix, np.array([0.611, 0.283, 0.497]), 2


def generate(seed: int) -> RandomProgram:
    """The program of a seed, which runs, and whose numbers stay small."""
    return first_that_runs("held arrays", seed, lambda rng: Writer(rng).program(), arguments, 200)
