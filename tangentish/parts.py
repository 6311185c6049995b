"""A function's forward pass and adjoint, and what is wanted of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis import Analysis
from tangentish.noting import Noting
from tangentish.structures import Structure

__all__ = ["Parts", "Wanted", "returned_where_computed"]


@dataclass(frozen=True)
class Wanted:
    """What is asked of a function's derivative.

    wrt: the parameters whose gradients are returned.
    written: of these, the ones whose gradient is handed in and out (the function writes to them).
    aux: only the first result has a gradient.
    with_value: the results are needed; with `aux`, those beside the first one are in any case.
    defaults: the head gradients have defaults.
    head: a caller may give the head gradient of an array, whose shape is looked at.
    callee: it is called from generated code, which gives no gradient of a result that carries none.
    structure: the arguments were taken apart: `wrt` are leaves of `parameters`.
    noting: every value and gradient is noted.
    """

    wrt: tuple[int, ...]
    written: tuple[int, ...] = ()
    aux: bool = False
    with_value: bool = False
    defaults: bool = True
    head: bool = False
    callee: bool = False
    structure: Structure | None = None
    parameters: tuple[int, ...] = ()
    noting: Noting | None = None

    def handed_out(self, values: list[Any]) -> list[Any]:
        """Of the results, the last ones: those that are needed."""
        return values if self.with_value else values[1:] if self.aux else []


@dataclass(eq=False)
class Parts:
    """A function's forward pass and adjoint, ready to be put into functions."""

    analysis: Analysis
    forward: ir.Block
    adjoint: ir.Block
    slots: dict[ir.Slot, str]
    heads: list[tuple[str, Any]]
    gradients: list[Any]
    values: list[Any]
    restores_memory: bool
    keeps_containers: bool = False  # in what its callees save
    walked: frozenset[str] = frozenset()  # tapes that the adjoint leaves as they are


def returned_where_computed(gradients: list[Any], adjoint: ir.Block) -> tuple[list[Any], ir.Block]:
    """`da = db * 2; return da` is `return db * 2`."""
    if len(gradients) != 1 or not adjoint:
        return gradients, adjoint
    match gradients[0], adjoint[-1]:
        case gast.Name(id=name), ir.Assign(gast.Name(id=assigned), value) if name == assigned:
            return [value], adjoint[:-1]
    return gradients, adjoint
