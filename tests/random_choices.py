"""Statements of random programs about what is chosen: one of two tuples, something or None.

What a conditional expression gives is unpacked, indexed, or given to a call by a star; one of both carries no derivative now and
then. The names bound here are the statement's own.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.random_values import Var, number, positive

__all__ = ["Chosen"]


class Chosen:
    """The part of the writer that knows what is chosen."""

    rng: random.Random
    emit: Callable[[str], None]
    mark: Any
    chance: Callable[[float], bool]
    expr: Any
    arrays: Any
    condition: Callable[[], str]
    fresh_name: Callable[[str], str]
    sum_up: Callable[[str], None]

    def chosen(self) -> None:
        self.mark("chosen")
        forms = [self.chosen_pair, self.pair_by_star, self.number_or_none]
        vectors = [v for v in self.arrays() if len(v.shape) == 1]
        if vectors and self.chance(0.4):
            self.pair_or_none(self.rng.choice(vectors))
        else:
            self.rng.choice(forms)()

    def pair(self, varies: float) -> str:
        """(e, 0.5), of numbers of which some vary."""
        one, other = (
            self.expr((), 1) if self.chance(varies) else number(self.rng) for _ in range(2)
        )
        return f"({one}, {other})"

    def one_of_two(self) -> str:
        pairs = [self.pair(0.9), self.pair(self.rng.choice((0.0, 0.8)))]
        self.rng.shuffle(pairs)
        return f"{pairs[0]} if {self.condition()} else {pairs[1]}"

    def chosen_pair(self) -> None:
        if self.chance(0.25):
            a, b = self.fresh_name("one"), self.fresh_name("other")
            self.emit(f"{a}, {b} = {self.one_of_two()}")
            self.sum_up(f"{a} * np.cos({b})")
        else:
            t = self.fresh_name("pair both")
            self.emit(f"{t} = {self.one_of_two()}")
            self.sum_up(f"{t}[0] * np.cos({t}[-1])")

    def pair_by_star(self) -> None:
        self.sum_up(f"np.arctan2(*({self.one_of_two()})) ** 2")

    def number_or_none(self) -> None:
        t = self.fresh_name("some")
        self.emit(f"{t} = {self.expr((), 1)} if {self.condition()} else None")
        if self.chance(0.5):
            self.sum_up(f"({number(self.rng)} if {t} is None else {t} * np.sin({t}))")
        else:
            self.sum_up(f"({t} * {t} if {t} is not None else {self.expr((), 1)})")

    def pair_or_none(self, var: Var) -> None:
        """The first, or the least, of several; none where no element is one."""
        a, hit, k, n = var.name, self.fresh_name("hit"), self.fresh_name("k"), var.shape[0]
        self.emit(f"{hit} = None")
        self.emit(f"for {k} in range({self.rng.randrange(n + 1)}):")
        test = f"{a}[{k}] > {positive(self.rng)}"
        least = f"({hit} is None or {a}[{k}] * {positive(self.rng)} < {hit}[0])"
        self.emit(f"    if {self.rng.choice((test, least, f'{test} and {least}'))}:")
        self.emit(f"        {hit} = ({a}[{k}], {positive(self.rng)} * {a}[{k}] ** 2 + {k})")
        otherwise = number(self.rng) if self.chance(0.5) else self.expr((), 1)
        self.sum_up(f"({otherwise} if {hit} is None else {hit}[0] * np.tanh({hit}[1]))")
