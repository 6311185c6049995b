"""The random programs are sharp: with any one kind of recording disabled, one of them comes out wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from contract import check_gradients

from tangentish import ir
from tangentish.adjoint.reverse import Reverse
from tangentish.recording.saving import Saves
from tests.random_programs import check, generate

SEEDS = range(400)

Patch = Callable[[pytest.MonkeyPatch], None]


def without_names(patch: pytest.MonkeyPatch) -> None:
    """Values that are overwritten are not saved."""
    before = Saves.before
    patch.setattr(
        Saves, "before", lambda self, *args: [s for s in before(self, *args) if s.content]
    )
    _save_only(patch, lambda slot: slot.content)


def without_contents(patch: pytest.MonkeyPatch) -> None:
    """Elements of arrays that are overwritten are not saved."""
    before = Saves.before
    patch.setattr(
        Saves, "before", lambda self, *args: [s for s in before(self, *args) if not s.content]
    )
    _save_only(patch, lambda slot: not slot.content)


def without_block_values(patch: pytest.MonkeyPatch) -> None:
    """Values that every trip sets anew are not saved."""
    patch.setattr(Saves, "place_block_slot", lambda self, name: None)


def without_temporaries(patch: pytest.MonkeyPatch) -> None:
    """Temporaries of the trips of a loop are not saved."""
    patch.setattr(Saves, "inside_loop", lambda self, block: False)


def without_loop_variables(patch: pytest.MonkeyPatch) -> None:
    """The loop variable's value before the loop is not brought back."""
    patch.setattr(Saves, "around", lambda self, statement: [])


def without_tests(patch: pytest.MonkeyPatch) -> None:
    """The tests of branches are evaluated again, whatever has changed since."""
    patch.setattr(Reverse, "test", lambda self, statement: statement.test)


def without_trips(patch: pytest.MonkeyPatch) -> None:
    """Every while loop is taken to have made one trip."""
    patch.setattr(Reverse, "trip_count", lambda self, statement: ir.gast.Constant(1, None))


def _save_only(patch: pytest.MonkeyPatch, wanted: Callable[[Any], bool]) -> None:
    """`before` keeps what it answered: its memory is filtered, too."""
    made = Saves.before

    def before(self: Saves, statement: Any, stable: Any) -> Any:
        slots = [s for s in made(self, statement, stable) if wanted(s)]
        self.slots_before[statement] = slots
        return slots

    patch.setattr(Saves, "before", before)


KINDS: list[Patch] = [
    without_names,
    without_contents,
    without_block_values,
    without_temporaries,
    without_tests,
    without_trips,
]


@pytest.mark.parametrize("disable", KINDS, ids=lambda f: f.__name__)
def test_a_wrong_gradient_is_found(disable: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    disable(monkeypatch)
    kinds = (check(generate(seed)).kind for seed in SEEDS)
    assert any(kind in ("wrong", "crash") for kind in kinds)


def with_an_index_before(x, n):
    i = 2
    y = x[i] ** 2
    for i in range(n):
        y = y * x[i]
    return y * x[i]


def test_a_loop_variable_that_is_not_brought_back_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random programs give a loop variable no value before its loop."""
    arguments = np.array([1.5, 0.5, 2.0]), 2
    check_gradients(with_an_index_before, *arguments)
    without_loop_variables(monkeypatch)

    def anew(x, n):
        return with_an_index_before(x, n)

    with pytest.raises(AssertionError):
        check_gradients(anew, *arguments)
