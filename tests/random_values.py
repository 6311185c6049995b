"""What the generator of random programs knows of a name, and the numbers that it writes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Var:
    """What the generator knows of a name."""

    name: str
    # poly: a scalar that becomes an array in the first trip of a loop
    # kept: a scalar that a function binds; keeper: that function
    kind: Literal[
        "scalar", "array", "int", "flag", "poly", "list", "function",
        "object", "record", "table", "kept", "keeper",
    ]  # fmt: skip
    shape: Shape = ()  # of a list, that of its elements; of a function, that of its argument
    buffers: frozenset[int] = frozenset()
    low: int = 0  # of a list, its least length
    high: int = 0
    contiguous: bool = True
    clean: bool = True  # a list whose elements are arrays of their own
    captured: tuple[Var, ...] = ()
    keys: tuple[str, ...] = ()  # of a record; of a keeper, the name that it binds


Env = dict[str, Var]


def number(rng: random.Random) -> str:
    return f"{rng.choice((1, 1, -1)) * rng.uniform(0.2, 0.9):.2f}"


def positive(rng: random.Random) -> str:
    return f"{rng.uniform(0.2, 0.9):.2f}"


def threshold(rng: random.Random) -> str:
    return f"{rng.uniform(-0.5, 0.5):.4f}"
