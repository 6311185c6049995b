"""Where a gradient goes wrong: the first value, on the way back, whose adjoint disagrees with differences.

The value that a line binds is moved a little while the function runs, and what comes out is compared with the gradient
that was noted for that value.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.asking.asked import Asked
from tangentish.asking.wrt import float_positions
from tangentish.calling.copies import copy_arguments
from tangentish.checking.probing import is_float
from tangentish.derive import Derived, derive
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant
from tangentish.language.binding import spread
from tangentish.rules.names import given_name
from tangentish.text.noting import Noted, Noting

MOST = 300  # values that are looked at
STEP = 1e-5
TOLERANCE = 1e-3  # of differences of first order along one direction


@dataclass(eq=False)
class Moving(Noting):
    """Moves the value that is bound at one place in the course of a call."""

    chosen: int = -1
    by: Any = 0.0
    passed: int = -1
    moved: Any = None  # what generated code calls

    def __post_init__(self) -> None:
        super().__post_init__()

        def moved(value: Any) -> Any:
            self.passed += 1
            if self.passed != self.chosen:
                return value
            if isinstance(value, np.ndarray):
                value += self.by
                return value
            return type(value)(value + self.by)

        self.moved = moved

    def after(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        for _, target in self.targets(statement):
            call = gast.Call(ir.name(given_name(self.moved)), [ir.duplicate(target)], [])
            yield ir.Assign(ir.duplicate(target), call, NOWHERE)

    def back(self, number: int, gradient: Any) -> ir.Statement:  # noqa: ARG002
        return ir.Do(gast.Expr(constant(None)), NOWHERE)


def first_wrong_line(
    function: FunctionType,
    values: tuple[Any, ...],
    training: bool,
    seed: int,
) -> str:
    """What to say of the first value whose gradient is wrong; nothing where none is found."""
    try:
        search = _Search(function, values, training, np.random.default_rng(seed))
        found = search.first()
    except Exception:  # the mismatch is what counts, not why no line can be named for it  # noqa: BLE001
        return ""
    if found is None:
        return ""
    note, generated, numeric = found
    return (
        f"\nthe first value, on the way back, whose gradient disagrees is {note.place.name} of line {note.place.line}: "
        f"{note.place.text}\n  along a random direction {generated:.10g} as generated and {numeric:.10g} numerically"
    )


class _Search:
    """One call of a function, with notes, and others in which one value is moved."""

    def __init__(
        self, function: FunctionType, values: tuple[Any, ...], training: bool,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        self.function, self.values, self.training, self.rng = function, values, training, rng
        self.wrt = float_positions(function, values)
        self.noting, self.moving = Noting(), Moving()
        made = self.generated(self.noting)
        own = inspect.signature(function).parameters
        every = inspect.signature(made.generated).parameters
        self.head_name = next(name for name in every if name not in own)
        self.noted, self.moved = made.call, self.generated(self.moving).call
        result = self.called(self.noted)[0]
        self.noting.notes.clear()
        self.noting.waiting.clear()
        sizes = rng.uniform(0.5, 1.5, np.shape(result))
        self.head = sizes if isinstance(result, np.ndarray) else float(sizes)

    def generated(self, noting: Noting) -> Derived:
        asked = Asked("value_and_grad", self.wrt, noting=noting, training=self.training)
        return derive(self.function, self.values, asked)

    def called(self, derivative: Callable[..., Any], **more: Any) -> Any:
        args, keywords = spread(self.function, copy_arguments(self.values))
        return derivative(*args, **keywords, **more)

    def first(self) -> tuple[Noted, float, float] | None:
        self.called(self.noted, **{self.head_name: self.head})
        notes = list(enumerate(self.noting.notes))
        for k, note in reversed(notes[-MOST:]):
            if not is_float(note.value) or note.gradient is None:
                continue
            direction = self.rng.normal(size=np.shape(note.value))
            generated = float(np.sum(np.asarray(note.gradient) * direction))
            numeric = self.difference(k, direction)
            size = float(np.sum(np.abs(np.asarray(note.gradient) * direction))) + abs(numeric)
            if abs(generated - numeric) > TOLERANCE * size:
                return note, generated, numeric
        return None

    def difference(self, k: int, direction: Any) -> float:
        """The central difference of <head, f> along a direction of the value of one note."""
        results = []
        for by in (STEP, -STEP):
            self.moving.passed, self.moving.chosen, self.moving.by = -1, k, by * direction
            results.append(np.asarray(self.called(self.moved)[0]))
        return float(np.sum(self.head * (results[0] - results[1]))) / (2 * STEP)
