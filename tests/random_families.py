"""What the families of random programs have in common: the first text that runs, and what went wrong, in words."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from tests.random_programs import Outcome, RandomProgram, runs, time_limit

__all__ = ["first_that_runs", "what_is_bad"]

_RAISED = (
    TimeoutError, ArithmeticError, AttributeError, IndexError, NameError, RecursionError, SyntaxError, TypeError,
    ValueError,
)  # fmt: skip


def first_that_runs(
    family: str,
    seed: int,
    text_of: Callable[[random.Random], str],
    arguments: Callable[[], tuple[Any, ...]],
    attempts: int,
) -> RandomProgram:
    """The program of a seed, which runs, and whose numbers stay small."""
    for attempt in range(attempts):
        text = text_of(random.Random(f"{family} {seed} {attempt}"))
        program = RandomProgram(seed, text, "f", arguments, attempts=attempt + 1)
        if _ends(program):
            return program
    raise AssertionError(f"no program for seed {seed} after {attempts} attempts")


def _ends(program: RandomProgram) -> bool:
    """Whether a program runs to its end, soon."""
    try:
        with time_limit(1.0):
            return runs(program)
    except _RAISED:
        return False


def what_is_bad(
    outcomes: Mapping[int, Outcome], generate: Callable[[int], RandomProgram]
) -> list[str]:
    """A text for each program whose derivatives are wrong, or that made the library fail."""
    return [
        f"seed {seed}: {outcome.kind}\n{outcome.message}\n{generate(seed).text}"
        for seed, outcome in outcomes.items()
        if outcome.kind in ("wrong", "crash")
    ]
