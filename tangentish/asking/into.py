"""Gradients that go into arrays of the caller's, or are added to them.

    dw = x.T @ dt      ->    np.matmul(x.T, dt, out=dw)      (into)
    dw = x.T @ dt      ->    dw += x.T @ dt                  (add_to)

Where a gradient starts as zeros and is only added to, the caller's array takes its place from the start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import gast
import numpy as np

from tangentish import ir
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Num, Seq, Tup
from tangentish.language.lifted import element_path

Filling = Literal["into", "add_to"]

_OPERATORS: dict[type, str] = {
    gast.Add: "add", gast.Sub: "subtract", gast.Mult: "multiply", gast.Div: "divide", gast.Pow: "power",
    gast.MatMult: "matmul",
}  # fmt: skip
_WITH_OUT = frozenset(("sum", "mean", "outer", "cumsum", "concatenate", "stack"))  # besides ufuncs


@dataclass
class Filled:
    """An adjoint that fills arrays: its lines, what it returns, the parameters that bring the arrays."""

    filling: Filling
    adjoint: ir.Block
    kinds: Iterator[Kind]  # of what the gradients belong to, leaf by leaf
    gradients: list[Any] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    before: list[ir.Statement] = field(default_factory=list)
    after: list[ir.Statement] = field(default_factory=list)

    @property
    def block(self) -> ir.Block:
        return (*self.before, *self.adjoint, *self.after)

    def gradient(self, e: Any, name: str) -> None:
        """One gradient, for which a parameter of its own brings the array, or the structure of arrays."""
        parameter = f"d{name}.~given"
        if _is_display(e):
            self.leaves(e, ir.name(parameter))
        else:
            kind = next(self.kinds)
            if self.takes_place_of(e, kind):
                parameter = e.id
                self.start(e.id, kind)
            else:
                self.fill(ir.name(parameter), e, kind)
        self.parameters.append(parameter)
        self.gradients.append(ir.name(parameter))

    def leaves(self, e: Any, place: Any) -> None:
        """The elements of a structure go to the same places of the structure that is given."""
        match e:
            case gast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    self.leaves(value, gast.Subscript(place, key, gast.Load()))
            case gast.Tuple(elts=values) | gast.List(elts=values):
                self.elements(values, place)
            case gast.Call(func=gast.Call(), args=values):  # type(x)(...): a named tuple
                self.elements(values, place)
            case gast.Call(func=gast.Name(id="$with_fields"), keywords=fields):
                for one in fields:
                    self.leaves(one.value, gast.Attribute(place, one.arg, gast.Load()))
            case gast.Constant(value=None):
                pass
            case _:
                self.leaf(e, place)

    def elements(self, values: Sequence[Any], place: Any) -> None:
        for k, value in enumerate(values):
            self.leaves(value, gast.Subscript(place, constant(k), gast.Load()))

    def leaf(self, e: Any, place: Any) -> None:
        kind = next(self.kinds)
        if self.takes_place_of(e, kind):
            self.before.append(ir.Assign(ir.name(e.id), place, NOWHERE))
            self.start(e.id, kind)
        else:
            self.fill(place, e, kind)

    def fill(self, place: Any, e: Any, kind: Kind) -> None:
        self.after += self.filled(place, e, kind, 0)

    def filled(self, place: Any, e: Any, kind: Kind, depth: int) -> list[ir.Statement]:
        """A gradient goes to its place; those of lists and of what they hold element by element."""
        match kind:
            case Seq(item=item, keyed=True) if item is not None:
                key = ir.name(f"key.~given{depth}")
                here, there = (gast.Subscript(d, key, gast.Load()) for d in (place, e))
                body = self.filled(here, there, item, depth + 1)
                return [ir.For(key, e, tuple(body), None, NOWHERE)]
            case Seq(item=item) if item is not None:
                target, value = (ir.name(f"{base}.~given{depth}") for base in "dg")
                body = self.filled(target, value, item, depth + 1)
                pair = gast.Tuple([target, value], gast.Store())
                both = quote("zip({a}, {b})", a=place, b=e)
                return [ir.For(pair, both, tuple(body), None, NOWHERE)]
            case Tup(items=items):
                return [
                    line
                    for k, item in enumerate(items)
                    if item.active
                    for line in self.filled(
                        element_path(place, k, kind), element_path(e, k, kind), item, depth
                    )
                ]
        return [self.stored(place, e, kind)]

    # -- a gradient whose place the given array takes

    def takes_place_of(self, e: Any, kind: Kind) -> bool:
        """Whether a gradient is made in one line of the adjoint itself; to add to it, only ever added to."""
        if not (isinstance(e, gast.Name) and isinstance(kind, Num) and kind.array):
            return False
        bound = [
            statement
            for statement in ir.walk_statements(self.adjoint)
            if e.id in ir.defined_names(statement) and not isinstance(statement, ir.Update)
        ]
        if len(bound) != 1 or not any(bound[0] is statement for statement in self.adjoint):
            return False
        if not (isinstance(bound[0], ir.Assign) and isinstance(bound[0].target, gast.Name)):
            return False
        return self.filling == "into" or self.is_only_added_to(e.id)

    def is_only_added_to(self, name: str) -> bool:
        mentioned: Counter[str] = Counter()
        added = 1  # its definition
        for statement in ir.walk_statements(self.adjoint):
            for e in ir.expressions_of(statement):
                mentioned.update(ir.names_in(e))
            if isinstance(statement, ir.Update) and isinstance(statement.op, _ADDING):
                added += getattr(ir.root_of(statement.target), "id", None) == name
        return mentioned[name] == added

    def start(self, name: str, kind: Kind) -> None:
        """The line that makes a gradient fills the given array instead."""
        lines: list[ir.Statement] = []
        for statement in self.adjoint:
            match statement:
                case ir.Assign(gast.Name(id=made), value) if made == name:
                    if not (self.filling == "add_to" and _is_zeros(value)):
                        lines.append(self.stored(ir.name(name), value, kind))
                case _:
                    lines.append(statement)
        self.adjoint = tuple(lines)

    def stored(self, place: Any, e: Any, kind: Kind) -> ir.Statement:
        e = _as_it_broadcasts(e)
        if self.filling == "add_to":
            target = place if isinstance(place, gast.Name) else _whole(place)
            return ir.Update(target, gast.Add(), e, NOWHERE)
        if _is_zeros(e):
            return ir.Assign(_whole(place), constant(0), NOWHERE)
        call = _with_out(e, place) if isinstance(kind, Num) and kind.array else None
        if call is not None:
            return ir.Do(gast.Expr(call), NOWHERE)
        return ir.Assign(_whole(place), e, NOWHERE)


def filled(
    filling: Filling,
    adjoint: ir.Block,
    gradients: Sequence[Any],
    names: Sequence[str],
    kinds: Sequence[Kind],
) -> Filled:
    """An adjoint that fills given arrays with its gradients; `kinds` are those of the leaves of the arguments."""
    made = Filled(filling, adjoint, iter(kinds))
    for e, name in zip(gradients, names, strict=True):
        made.gradient(e, name)
    return made


_ADDING = (gast.Add, gast.Sub, ir.AddAt, ir.SubAt)


def _is_display(e: Any) -> bool:
    if isinstance(e, gast.Call):
        return isinstance(e.func, gast.Call) or _calls(e, "$with_fields")
    return isinstance(e, (gast.Dict, gast.Tuple, gast.List))


def _calls(e: Any, helper: str) -> bool:
    return isinstance(e, gast.Call) and isinstance(e.func, gast.Name) and e.func.id == helper


def _is_zeros(e: Any) -> bool:
    match e:
        case gast.Call(func=gast.Attribute(value=gast.Name(id="$np"), attr="zeros_like" | "zeros")):
            return True
        case gast.Constant(value=int() | float() as value):
            return value == 0
    return False


def _whole(place: Any) -> Any:
    return gast.Subscript(place, constant(Ellipsis), gast.Load())


def _as_it_broadcasts(e: Any) -> Any:
    """What a store does itself: `full(g, x)` -> g, `np.full_like(x, g)` -> g, `cast(g, x)` -> g."""
    while True:
        match e:
            case gast.Call(func=gast.Name(id="$full" | "$cast"), args=[g, *_]):
                e = g
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id="$np"), attr="full_like"),
                args=[_, g],
                keywords=[],
            ):
                e = g
            case _:
                return e


def _with_out(e: Any, place: Any) -> Any | None:
    """The outermost operation as a call that writes its result to a place; None where there is none."""
    match e:
        case gast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _call(_OPERATORS[type(op)], [left, right], [], place)
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return _call("negative", [operand], [], place)
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id="$np"), attr=attr), args=args, keywords=keywords
        ) if _takes_out(attr, args, keywords):
            return _call(attr, args, keywords, place)
    return None


def _call(name: str, args: Sequence[Any], keywords: Sequence[Any], place: Any) -> Any:
    return gast.Call(quote(f"np.{name}"), list(args), [*keywords, gast.keyword("out", place)])


def _takes_out(name: str, args: Sequence[Any], keywords: Sequence[Any]) -> bool:
    function = getattr(np, name, None)
    if any(k.arg not in ("axis", "keepdims") for k in keywords):
        return False
    if isinstance(function, np.ufunc):
        return function.nout == 1 and function.nin == len(args) and not keywords
    return name in _WITH_OUT and len(args) <= 2
