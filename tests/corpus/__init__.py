"""The corpus: plain NumPy functions as users write them; every one must be differentiated.

A program added to one of the families is tested in every mode. The functions stay plain, so that
programs may call each other.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

FAMILIES = (
    "scalars",
    "arrays",
    "reductions",
    "linear_algebra",
    "loops",
    "iteration",
    "orders",
    "lists",
    "dicts",
    "generators",
    "grouped",
    "objects",
    "classes",
    "made_elsewhere",
    "copied",
    "records",
    "held_records",
    "whiles",
    "branches",
    "exits",
    "stores",
    "indexing",
    "in_place",
    "views",
    "moving_views",
    "named_tuples",
    "several_arrays",
    "calls",
    "tuples",
    "names",
    "kinds",
    "globals_closures",
    "closures",
    "rebound",
    "steps_in_comprehensions",
    "given_back",
    "given_functions",
    "pieces",
    "chosen_functions",
    "derivatives_inside",
    "signatures",
    "methods",
    "numerics",
    "exceptions",
    "statements",
    "effects",
    "more_functions",
    "scipy_functions",
    "integrals_and_roots",
    "own_rules",
    "complex_numbers",
)

Arguments = Callable[[], tuple]


@dataclass(frozen=True)
class Program:
    """A function, deterministic arguments where it is smooth, and the positions to differentiate.

    `written` names the arguments whose final state is the value of a function that returns nothing;
    `refused` the cases that have to be refused, because the derivative can't be known beforehand.
    """

    name: str
    function: Callable
    args: Arguments
    wrt: tuple[int, ...]
    variants: tuple[Arguments, ...] = ()
    written: tuple[int, ...] | None = None
    refused: tuple[int, ...] = ()

    @property
    def family(self) -> str:
        """The name of the file the program is in."""
        return self.function.__module__.rpartition(".")[2]

    @property
    def cases(self) -> tuple[Arguments, ...]:
        """Every set of arguments: the plain one, then the variants."""
        return (self.args, *self.variants)


PROGRAMS: dict[str, Program] = {}


def program(
    args: Arguments,
    wrt: tuple[int, ...] = (0,),
    variants: list[Arguments] | tuple[Arguments, ...] = (),
    written: tuple[int, ...] | None = None,
    refused: tuple[int, ...] = (),
) -> Callable[[Callable], Callable]:
    """Register the function below as a program; it is handed back unchanged."""

    def register(function: Callable) -> Callable:
        name = function.__name__
        if name in PROGRAMS:
            raise ValueError(f"two programs are called {name}")
        PROGRAMS[name] = Program(name, function, args, wrt, tuple(variants), written, refused)
        return function

    return register


def values(seed: int, *shape: int, dtype: Any = np.float64) -> np.ndarray:
    """Shuffled values of both signs, all distinct (no ties) and away from zero."""
    return _shuffled(seed, shape, -1.31, 1.73, dtype)


def positives(seed: int, *shape: int, dtype: Any = np.float64) -> np.ndarray:
    """Shuffled values between 0.4 and 2, all distinct."""
    return _shuffled(seed, shape, 0.41, 1.97, dtype)


def _shuffled(seed: int, shape: tuple[int, ...], low: float, high: float, dtype: Any) -> np.ndarray:
    size = int(np.prod(shape))
    line = np.linspace(low, high, size) if size > 1 else np.full(size, high / 2)
    return np.random.default_rng(seed).permutation(line).reshape(shape).astype(dtype)


for _family in FAMILIES:
    importlib.import_module(f"{__name__}.{_family}")
