"""Statements of random programs about views whose place is known only when they run, and names of several arrays.

One of two slices, rows kept for the next trip of a loop, windows that move, parts of np.split, rows unpacked, one of two
arrays, arrays that change their names. The names bound here are the statement's own, so that no other writes to them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.random_values import Env, Shape, Var, number, positive

__all__ = ["MovingViews"]


class MovingViews:
    """The part of the writer that knows views that move."""

    rng: random.Random
    env: Env
    locked: list[set[str]]
    emit: Callable[[str], None]
    mark: Any
    chance: Callable[[float], bool]
    expr: Any
    define: Callable[[Var], None]
    writables: Any
    rebindable: Callable[[Var], bool]
    condition: Callable[[], str]
    fresh_name: Callable[[str], str]
    sum_up: Callable[[str], None]

    def moving_view(self) -> None:
        found = {form: chosen for form in self.FORMS if (chosen := self.fitting(form))}
        if found:
            self.mark("moving view")
            form = self.rng.choice(list(found))
            getattr(self, form)(*self.rng.choice(found[form]))

    FORMS: dict[str, Callable[[list[Var]], Iterator[tuple[Var, ...]]]] = {
        "one_of_two_slices": lambda found: ((v,) for v in found if _is_vector(v.shape)),
        "moving_window": lambda found: ((v,) for v in found if _is_vector(v.shape)),
        "split_parts": lambda found: ((v,) for v in found if v.shape[0] % 2 == 0),
        "kept_row": lambda found: ((v,) for v in found if len(v.shape) == 2),
        "unpacked_rows": lambda found: (
            (v,) for v in found if v.shape[0] == 2 and len(v.shape) == 2
        ),
        "one_of_two_arrays": lambda found: _apart(found),
        "changed_names": lambda found: _apart(found),
    }

    def fitting(self, form: str) -> list[tuple[Var, ...]]:
        found = [v for v in self.writables() if v.shape and min(v.shape) > 1]
        return list(self.FORMS[form](found))

    def change_view(self, name: str, shape: Shape) -> None:
        """Write through a view, in place or element by element."""
        if self.chance(0.5):
            place = ", ".join(str(self.rng.randrange(n)) for n in shape)
            self.emit(f"{name}[{place}] = {self.expr((), 1)}")
        else:
            self.emit(f"{name} *= {positive(self.rng)} + 0.3 * np.sin({self.expr((), 1)})")
        if self.chance(0.4):
            self.sum_up(f"np.sum({name} * {name})")

    def one_of_two_slices(self, var: Var) -> None:
        a, v, n = var.name, self.fresh_name("part side"), var.shape[0]
        one, other = f"{a}[1:]", f"{a}[:-1]"
        if self.chance(0.5):
            self.emit(f"{v} = {one} if {self.condition()} else {other}")
        else:
            self.emit(f"if {self.condition()}:")
            self.emit(f"    {v} = {one}")
            self.emit("else:")
            self.emit(f"    {v} = {other}")
        self.change_view(v, (n - 1,))

    def moving_window(self, var: Var) -> None:
        a, v, k = var.name, self.fresh_name("win"), self.fresh_name("k")
        self.emit(f"{v} = {a}[:2]")
        self.emit(f"for {k} in range({self.rng.randrange(var.shape[0])}):")
        self.emit(f"    {v} *= {positive(self.rng)} + 0.3 * {a}[{k}]")
        self.emit(f"    {v} = {a}[{k}:{k} + 2]")
        self.change_view(v, (2,))

    def split_parts(self, var: Var) -> None:
        one, other = self.fresh_name("left"), self.fresh_name("right")
        self.emit(f"{one}, {other} = np.split({var.name}, 2)")
        self.emit(f"{one} *= np.cos({other})")
        self.change_view(other, (var.shape[0] // 2, *var.shape[1:]))

    def kept_row(self, var: Var) -> None:
        a, v, k = var.name, self.fresh_name("last"), self.fresh_name("k")
        self.emit(f"{v} = {a}[0]")
        self.emit(f"for {k} in range(1, {var.shape[0]}):")
        self.emit(f"    {a}[{k}] += {number(self.rng)} * {v} ** 2")
        self.emit(f"    {v} *= {positive(self.rng)}")
        self.emit(f"    {v} = {a}[{k}]")
        self.change_view(v, var.shape[1:])

    def unpacked_rows(self, var: Var) -> None:
        one, other = self.fresh_name("top"), self.fresh_name("low")
        self.emit(f"{one}, {other} = {var.name}")
        self.emit(f"{other} *= np.sin({one})")
        self.change_view(one, var.shape[1:])

    def one_of_two_arrays(self, a: Var, b: Var) -> None:
        v = self.fresh_name("one")
        self.emit(f"{v} = {a.name} if {self.condition()} else {b.name}")
        self.change_view(v, a.shape)
        if self.chance(0.5):
            self.emit(f"{a.name} += {number(self.rng)} * np.tanh({b.name})")

    def changed_names(self, a: Var, b: Var) -> None:
        """Two arrays take turns."""
        one, other, k = self.fresh_name("now"), self.fresh_name("new"), self.fresh_name("k")
        self.emit(f"{one}, {other} = {a.name}, {b.name}")
        self.emit(f"for {k} in range({self.rng.randrange(4)}):")
        self.emit(
            f"    {other}[1:] = np.sin({one}[:-1]) * {positive(self.rng)} + {other}[1:] * 0.3"
        )
        self.emit(f"    {one}, {other} = {other}, {one}")
        self.sum_up(f"np.sum({one} * {one})")


def _is_vector(shape: Shape) -> bool:
    return len(shape) == 1 and shape[0] > 2


def _apart(found: list[Var]) -> Iterator[tuple[Var, Var]]:
    """Pairs of arrays of one shape that share no memory."""
    for k, one in enumerate(found):
        for other in found[:k]:
            if one.shape == other.shape and not one.buffers & other.buffers:
                yield one, other
