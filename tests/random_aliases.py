"""Random programs over matrices and their rows: sums whose terms come back, other names, views, writes through them.

What an adjoint may do in place, put in the place of a name, or read again, depends on who else has the same memory: here
gradients meet in sums of arrays, their rows, and stacks of rows, in all orders.
"""

from __future__ import annotations

import random

import numpy as np

from tests.random_families import first_that_runs
from tests.random_programs import RandomProgram

__all__ = ["Writer", "arguments", "generate"]

HELPERS = """\
import numpy as np


def bent(a, w):
    z = a
    return z + w * a[0]


def mixed(a, b):
    w = a[1]
    return a + b * w[0]


def picked(a):
    t = np.zeros((2, 2))
    t[0] = a[1] ** 2
    t[1] -= a[0]
    return t


def halves(a, w):
    a[0] = w
    return a * 0.5
"""


class Writer:
    """Writes one program: `whole` are names of matrices, `rows` of their rows, `made` of what sums may end with."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.whole: list[str] = []
        self.rows: list[str] = []
        self.made: list[str] = []
        self.count = 0

    def new(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def signed_rows(self) -> str:
        first, second = (self.pick("", "-") + self.rng.choice(self.rows) for _ in range(2))
        return f"np.stack([{first}, {second}])"

    def made_first(self) -> list[str]:
        lines = []
        for name in "ABCD"[: self.rng.randint(2, 4)]:
            form = self.pick(
                "np.sin({})", "{} * 2", "{} ** 2", "np.exp({})", "{} * 1.5 + 0.3", "-{}"
            )
            lines.append(f"{name} = {form.format(self.rng.choice(['x', *self.whole]))}")
            self.whole.append(name)
        lines.append(f"w0 = {self.rng.choice(self.whole)}[0]")
        self.rows.append("w0")
        return lines

    def bound(self, letter: str, value: str, *, whole: bool) -> list[str]:
        name = self.new(letter)
        (self.whole if whole else self.rows).append(name)
        self.made.append(name)
        return [f"{name} = {value}"]

    def statement(self) -> list[str]:
        of, row, place = (
            self.rng.choice(self.whole),
            self.rng.choice(self.rows),
            self.pick("0", "1"),
        )
        ways = [
            lambda: self.bound("w", f"{of}[{self.pick('0', '1', ':, 0')}]", whole=False),
            lambda: self.bound("v", f"{row} * {self.rng.choice(self.rows)}", whole=False),
            lambda: self.bound("c", f"{row} ** 2", whole=False),
            lambda: self.bound("a", f"{of} * {row}[{place}]", whole=True),
            lambda: self.bound("s", self.signed_rows(), whole=True),
            lambda: self.bound("z", of + self.pick("", "", ".T", "[::-1]"), whole=True),
            lambda: self.bound("d", f"{of} / {self.rng.choice(self.whole)}[{place}]", whole=True),
            lambda: self.bound("h", self.called(of, row), whole=True),
            lambda: [f"{of}[{place}] {self.pick('=', '*=', '-=', '+=')} {row}{self.pick('', ' ** 2')}"],
            lambda: [f"{of} {self.pick('*=', '-=', '+=')} {self.pick('0.5', self.rng.choice(self.whole))}"],
        ]  # fmt: skip
        return self.rng.choice(ways)()

    def called(self, of: str, row: str) -> str:
        other = self.rng.choice(self.whole)
        return self.pick(
            f"bent({of}, {row})", f"mixed({of}, {other})", f"picked({of})", f"halves({of}, {row})"
        )

    def sum(self) -> list[str]:
        parts = self.rng.sample(self.whole, min(len(self.whole), self.rng.randint(2, 3)))
        if self.rng.random() < 0.3:
            parts.append(self.signed_rows())
        value = parts[0] + "".join(f" {self.pick('+', '+', '-')} {part}" for part in parts[1:])
        if self.rng.random() < 0.2:
            value = f"({value}) / {self.rng.choice(self.whole)}[{self.pick('0', '1')}]"
        name = self.new("t")
        lines = [f"{name} = {value}"]
        if self.rng.random() < 0.3:
            other = self.new("y")
            lines.append(f"{other} = {name}")
            name = other
        self.whole.append(name)
        return lines

    def loop(self) -> list[str]:
        """Lines whose names are known before, so that each trip reads what the one before left."""
        name, k = self.rng.choice(self.whole), self.new("k")
        lines = [f"for {k} in range(2):"]
        for _ in range(self.rng.randint(1, 3)):
            row, of = self.rng.choice(self.rows), self.rng.choice(self.whole)
            line = self.pick(
                f"{name}[{k}] {self.pick('=', '+=', '*=')} {row} * 0.5",
                f"{name} = {name} * 0.5 {self.pick('+', '-')} {of}",
                f"{row} = {of}[{k}]",
                f"{row} = {row} * {of}[{k}, 0]",
            )
            lines.append(f"    {line}")
        return lines

    def program(self) -> str:
        lines = self.made_first()
        for _ in range(self.rng.randint(2, 6)):
            lines += self.loop() if self.rng.random() < 0.12 else self.statement()
        for _ in range(self.rng.randint(1, 3)):
            lines += self.sum()
            if self.rng.random() < 0.4:
                lines += self.statement()
        ends = [f"np.sum({self.whole[-1]} ** 2)"]
        for _ in range(self.rng.randint(0, 2)):
            ends.append(
                f"np.sum({self.rng.choice(self.made or self.whole)} ** {self.pick('2', '3')})"
            )
        lines.append("return " + " + ".join(ends))
        return "\n".join([HELPERS, "", "def f(x):", *(f"    {line}" for line in lines), ""])


def arguments() -> tuple[np.ndarray]:
    return (np.array([[0.713, 0.437], [0.931, 0.553]]),)


def generate(seed: int) -> RandomProgram:
    """The program of a seed, which runs, and whose numbers stay small."""
    return first_that_runs("rows and sums", seed, lambda rng: Writer(rng).program(), arguments, 50)
