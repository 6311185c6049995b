"""Back through what selects, and through what clips before a root: products that could be infinite or nan are masked.

    y = np.where(x > 0, np.log(x), 0)    ->    dx = np.where(mask, dy / x, 0)    not    np.where(mask, dy, 0) / x

Rules select as well: np.nansum(x), np.sum(x, where=mask), np.nan_to_num(x). So do masks: y[mask] = 0, y[mask].
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.adjoint.pull_own import OwnPull
from tangentish.adjoint.selections import Guard
from tangentish.analysis.masks_as_numbers import is_mask
from tangentish.infer import Callee
from tangentish.ir.quote import quote
from tangentish.kinds import Num, replace
from tangentish.kinds.lengths import same_shape
from tangentish.rules import Rule


@dataclass
class SelectedPull(OwnPull):
    """The part of the walk down an expression that leaves out."""

    def pull_by_rule(self, node: Any, g: Any, callee: Callee, rule: Rule) -> None:
        raise NotImplementedError

    def pull_selection(self, node: Any, g: Any, callee: Callee) -> None:
        """np.where(c, x, z)"""
        test, result = callee.bound["c"], self.result_number(node)
        branches = [(callee.bound["x"], True), (callee.bound["z"], False)]
        active = [(x, taken) for x, taken in branches if self.kind(x).active]
        assert callee.rule is not None
        if not all(self.may_guard(x, result) for x, _ in active):
            g = self.selected(g)
            with self.under(()):
                self.pull_by_rule(node, g, callee, callee.rule)
            return
        if len(active) > 1:
            g = self.shared(g)
        for x, taken in active:
            with self.under((*self.guards, self.guard(test, taken))):
                self.pull(x, g)

    def left_out(self, e: Any, operand: Any) -> tuple[Any, tuple[Guard, ...]]:
        """What a rule gives where it counts, and where that is: `np.where(np.isnan(x), 0, g)`."""
        match e:
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id="$np"), attr="where"),
                args=[test, value, gast.Constant(value=0)],
            ):
                taken = True
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id="$np"), attr="where"),
                args=[test, gast.Constant(value=0), value],
            ):
                taken = False
            case _:
                return e, ()
        mask, kind = self.number(test), self.kind(operand)
        if not (isinstance(kind, Num) and kind.known and same_shape(mask.shape, kind.shape)):
            return e, ()
        return value, self.with_names((Guard(test, taken, done=False),), operand)

    def count_at(self, slot: Any, root: Any, taken: bool) -> None:
        """A gradient that is zero elsewhere counts where the mask in brackets holds, or (taken is False) where not.

        After y[mask] = 0 nothing goes back to a gap then, by no product with what is nan or infinite there.
        """
        test = self.mask_of(slot)
        mask, kind = self.number(test), self.number(root)
        if not (mask.dtype == np.bool_ and mask.array and mask.rank and kind.known and kind.rank):
            return
        compares = self.compares(test)
        if not all(map(self.lasts, ir.names_in(test))):
            if test is not slot.slice:
                return  # the places were found by what stood there then
            text = "{m}.copy()" if isinstance(test, gast.Name) else "{m}"
            test = self.give_name(quote(text, m=test), "mask")
            self.lasting.add(test.id)
        if mask.rank < kind.rank:
            test = quote(f"{{m}}[...{', None' * (kind.rank - mask.rank)}]", m=test)
        guard = Guard(test, taken, done=True, gaps=not compares)
        self.state[root.id] = self.state[root.id]._replace(guards=(guard,))

    def mask_of(self, place: Any) -> Any:
        """The mask of an array's shape that its index was found by, np.where(mask), maybe under a name that lasts."""
        index = place.slice
        match index:
            case gast.Name(id=name) if name in self.made_from:
                index = self.made_from[name]
            case gast.Name(id=name) if self.saves.is_persistent(name):
                match [d.statement for d in self.saves.definitions.get(name, ())]:
                    case [ir.Assign(gast.Name(), value)]:
                        index = value
        call, first = index, False
        match index:
            case gast.Subscript(value=gast.Call() as call, slice=gast.Constant(value=0)):
                first = True
        callee = self.facts.callees.get(call)
        if callee is None or callee.function not in _PLACES or len(callee.args) != 1:
            return place.slice
        (mask,) = callee.args
        whole, kind = self.number(place.value), self.number(mask)
        alike = whole.known and kind.known and same_shape(kind.shape, whole.shape)
        flat = first or callee.function is np.flatnonzero
        return mask if alike and (kind.rank == 1 or not flat) else place.slice

    def compares(self, test: Any, within: frozenset[str] = frozenset()) -> bool:
        """Whether a mask is a comparison: that of what has gaps asks np.isnan, or is made elsewhere.

        within: the names that the question came by, of which a loop may make one of itself.
        """
        match test:
            case gast.Name(id=name):
                match [d.statement for d in self.saves.definitions.get(name, ())]:
                    case [ir.Assign(gast.Name(), value)] if name not in within:
                        return self.compares(value, within | {name})
                return False
            case gast.UnaryOp(operand=operand):
                return self.compares(operand, within)
            case gast.BinOp(left=left, right=right):
                return self.compares(left, within) and self.compares(right, within)
        return isinstance(test, gast.Compare)

    def is_bounded(self, e: Any, g: Any) -> bool:
        """Whether what multiplies a gradient is finite: nothing divides, and it is made of arguments and literals."""
        match e:
            case gast.Constant():
                return True
            case gast.Name(id=name):
                known = not ir.is_value(name) or name in self.saves.function.parameters
                return known or name in ir.names_in(g) or self.number(e).is_scalar
            case gast.Subscript(value=value):
                return self.is_bounded(value, g)
            case gast.UnaryOp(operand=operand):
                return self.is_bounded(operand, g)
            case gast.BinOp(left=left, op=gast.Div(), right=right):
                return self.is_bounded(left, g) and self.number(right).is_scalar
            case gast.BinOp(left=left, op=gast.Pow(), right=gast.Constant(value=int(power))):
                return power > 0 and self.is_bounded(left, g)
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub() | gast.Mult(), right=right):
                return self.is_bounded(left, g) and self.is_bounded(right, g)
        return False

    def with_names(self, guards: tuple[Guard, ...], operand: Any) -> tuple[Guard, ...]:
        """The guards, with names for the masks that what comes of the operand may read several times."""
        if self.selects_at_once(operand):
            return guards
        named = (
            g.test if isinstance(g.test, gast.Name) else self.named_mask(g.test) for g in guards
        )
        return tuple(replace(g, test=test) for g, test in zip(guards, named, strict=True))

    def selects_at_once(self, operand: Any) -> bool:
        """Whether what counts of a gradient is selected before anything is made of it."""
        callee = self.facts.callees.get(operand)
        return callee is None or getattr(callee.rule, "law", None) != "elementwise"

    def named_mask(self, test: Any) -> Any:
        lasts = all(map(self.lasts, ir.names_in(test)))
        mask = self.give_name(test, "mask")
        if lasts:
            self.lasting.add(mask.id)
        return mask

    def pull_clipped(self, node: Any, g: Any, callee: Callee, rule: Rule) -> bool:
        """np.clip(x, low, high) and the like, before a root: selected, since the gradient may be infinite elsewhere."""
        result = self.result_number(node)
        operands = {name: callee.bound.get(name) for name in rule.operands}
        active = [
            n for n, x in operands.items() if x not in self.masks and self.is_active_argument(x)
        ]
        texts = self.texts(rule, active, callee)
        masks = {name: self.mask_in(text, callee) for name, text in texts.items()}
        if None in masks.values() or not all(
            self.may_guard(callee.bound[n], result) for n in active
        ):
            return False
        g = self.shared(g) if len(active) > 1 else g
        for name, mask in masks.items():
            assert mask is not None
            test = self.instantiate(mask, callee, node, g)
            text = texts[name]
            given = g if text == f"g * {mask}" else self.instantiate(text, callee, node, g)
            given = self.masked(given, Guard(test, taken=True, done=False))
            self.pull(callee.bound[name], given)
        return True

    def mask_in(self, text: str, callee: Callee) -> str | None:
        """Where the adjoint of what clips is not zero: `(x > 0)` of `g * (x > 0)`, or the mask in a product."""
        factor = text.removeprefix("g * ")
        other = callee.bound.get(factor)
        return factor if is_mask(other, self.facts) or other in self.masks else _mask_in(text)


_PLACES = (np.where, np.nonzero, np.flatnonzero)
"""What gives the places where a mask holds."""


def _mask_in(text: str) -> str | None:
    """Where the adjoint of what clips is not zero: `(x > 0)` of `g * (x > 0)`."""
    match = re.fullmatch(r"g \* (\(.*\)|greater\((\w+), (\w+)\))", text)
    if match is None:
        return None
    mask, more, less = match.groups()
    return f"({more} >= {less})" if more else mask
