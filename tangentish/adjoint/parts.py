"""A function's forward pass and adjoint, and what is wanted of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.structures import Structure
from tangentish.analysis.reached import Analysis
from tangentish.kinds import Kind, Num, Opaque, Seq, Tup
from tangentish.kinds.kinds_of_values import kind_of
from tangentish.text.noting import Noting


@dataclass(frozen=True)
class Wanted:
    """What is asked of a function's derivative.

    wrt: the parameters whose gradients are returned.
    written: of these, the ones whose gradient is handed in and out (the function writes to them, or they are `added`).
    aux: only the first result has a gradient.
    with_value: the results are needed; with `aux`, those beside the first one are in any case.
    defaults: the head gradients have defaults.
    head: a caller may give the head gradient of an array, whose shape is looked at.
    callee: it is called from generated code, which gives no gradient of a result that carries none.
    structure: the arguments were taken apart: `wrt` are leaves of `parameters`.
    added: the ones to whose gradients the adjoint adds, since the function reads places of them only.
    noting: every value and gradient is noted.
    together: forward pass and adjoint are one function, and may be mixed.
    filled: the gradients go into arrays that are given.
    caught: those who call it may catch what it raises.
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
    added: tuple[int, ...] = ()
    noting: Noting | None = None
    together: bool = False
    filled: bool = False
    caught: bool = False

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
    restored: tuple[ir.Slot, ...]  # whose memory the adjoint writes to
    keeps_containers: bool = False  # in what its callees save
    walked: frozenset[str] = frozenset()  # tapes that the adjoint leaves as they are
    # by the names of what callees save: whether it lies in memory that others have, and whether it holds lists
    saved_inside: Mapping[str, tuple[bool, bool]] = field(default_factory=dict)

    def holds_memory(self, name: str) -> bool:
        """Whether a value that is saved, or what is on a tape, may be more than numbers."""
        return self.may_hold(name, 0, lambda kind: kind.is_scalar)

    def holds_lists(self, name: str) -> bool:
        """Whether a value that is saved, or what is on a tape, may be more than numbers and arrays."""
        return self.may_hold(name, 1, lambda _: True)

    def may_be_object(self, name: str) -> bool:
        """Whether a value that is saved may be, or hold, an object, which may hold lists that are saved as well."""
        kind = self.analysis.facts.web_kinds.get(name)
        return kind is not None and _may_be_object(kind)

    def kind_outside(self, name: str) -> Kind | None:
        """The kind of a global or closed-over name, which a guard holds to what it was."""
        source = self.analysis.source
        known = source.where(name) in ("global", "closure")
        return kind_of(source.lookup(name)) if known else None

    def may_hold(self, name: str, which: int, is_less: Callable[[Num], bool]) -> bool:
        """Whether this may be what callees say of what they save, or no number that is less than that."""
        facts = self.analysis.facts

        def may_be(name: str) -> bool:
            kind = facts.web_kinds.get(name) if ir.is_value(name) else self.kind_outside(name)
            if name in self.saved_inside:
                return self.saved_inside[name][which]
            return not (isinstance(kind, Num) and is_less(kind))

        def may_save(slot: ir.Slot) -> bool:
            if not slot.content:
                return may_be(slot.name)
            kind = facts.kinds.get(slot.target)
            return slot.undo is not None or not (isinstance(kind, Num) and is_less(kind))

        on_tape = [slot for slot, tape in self.slots.items() if tape == name]
        return any(map(may_save, on_tape)) if on_tape else may_be(name)


def _may_be_object(kind: Kind) -> bool:
    match kind:
        case Tup(items=items):
            return kind.is_object or any(map(_may_be_object, items))
        case Seq(item=item):
            return item is not None and _may_be_object(item)
    return isinstance(kind, Opaque)


def returned_where_computed(gradients: list[Any], adjoint: ir.Block) -> tuple[list[Any], ir.Block]:
    """`da = db * 2; return da` is `return db * 2`; `da = da.copy(); return da, db` is `return da.copy(), db`."""
    if len(gradients) == 1:
        match gradients[0], adjoint[-1:]:
            case gast.Name(id=name), (ir.Assign(gast.Name(id=assigned), value),) if (
                name == assigned
            ):
                return [value], adjoint[:-1]
        return gradients, adjoint
    while adjoint:
        found = _rewritten_last(gradients, adjoint[-1])
        if found is None:
            break
        gradients, adjoint = (
            [*gradients[: found[0]], found[1], *gradients[found[0] + 1 :]],
            adjoint[:-1],
        )
    return gradients, adjoint


def _says_the_same(call: Any, name: str) -> bool:
    """Whether a value is only copied, filled or converted."""
    match call.func:
        case gast.Attribute(value=gast.Name(id="$np"), attr="full_like"):
            return ir.is_name(call.args[1], name)
        case (
            gast.Attribute(value=gast.Name(id="$np"), attr="copy") | gast.Name(id="$full" | "$cast")
        ):
            return ir.is_name(call.args[0], name)
        case gast.Attribute(value=owner, attr="copy"):
            return ir.is_name(owner, name)
    return False


def _rewritten_last(gradients: Sequence[Any], line: ir.Statement) -> tuple[int, Any] | None:
    """Which gradient a line like `da = da.copy()` writes anew that no other is computed from, and as what."""
    match line:
        case ir.Assign(gast.Name(id=name), gast.Call() as value) if _says_the_same(value, name):
            readers = [k for k, e in enumerate(gradients) if name in ir.names_in(e)]
            if len(readers) == 1 and ir.is_name(gradients[readers[0]], name):
                return readers[0], value
    return None
