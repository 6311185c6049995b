"""Gradients as an expert writes them by hand: what generated text is measured against.

Each example is a plain function, its gradient by hand, small arguments to check both with, and, where it is a workload of
tests/benchmarks, large ones to time. A gradient by hand leaves its arguments as they were, takes the head gradient last,
and stands next to its function, so that the two can be read together.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

FAMILIES = (
    "scalars",
    "networks",
    "statistics",
    "solvers",
    "factorizations",
    "stencils",
    "dynamics",
)

Arguments = Callable[[], tuple[Any, ...]]


@dataclass(frozen=True)
class Example:
    """A function, its gradient by hand, arguments to check them with, and arguments to time them with."""

    name: str
    function: Callable[..., Any]
    by_hand: Callable[..., Any]
    wrt: int | tuple[int, ...]
    args: Arguments
    large: Mapping[
        str, Arguments
    ]  # what is timed: its size, if there are several, and its arguments

    @property
    def positions(self) -> tuple[int, ...]:
        return (self.wrt,) if isinstance(self.wrt, int) else self.wrt


EXAMPLES: dict[str, Example] = {}


def example(
    function: Callable[..., Any],
    wrt: int | tuple[int, ...],
    args: Arguments,
    large: Arguments | Mapping[str, Arguments] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Above the gradient by hand of `function`."""

    def register(by_hand: Callable[..., Any]) -> Callable[..., Any]:
        name = function.__name__
        assert name not in EXAMPLES
        sizes = {"": large} if callable(large) else large or {}
        EXAMPLES[name] = Example(name, function, by_hand, wrt, args, sizes)
        return by_hand

    return register


def normal(seed: int, *shape: int) -> Any:
    """An array of normal numbers, the same every time."""
    return np.random.default_rng(seed).normal(size=shape)


def uniform(seed: int, *shape: int) -> Any:
    """An array of numbers between 0.5 and 1.5, the same every time."""
    return np.random.default_rng(seed).uniform(0.5, 1.5, shape)


for family in FAMILIES:
    importlib.import_module(f"{__name__}.{family}")
