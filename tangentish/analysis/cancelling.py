"""Extremes on which nothing depends in the end: the shift that keeps an exponential in range has no gradient.

    m = np.max(x); y = m + np.log(np.sum(np.exp(x - m)))        whatever m is, y is the same

For each candidate c it is followed what it does to the values computed from it, as long as that is one of
    value + k * c           a shift
    value * exp(k * c)      a scale
and that it has cancelled wherever a value is returned, stored, or used in any other way. The derivative along c is then
zero, so that c counts as a constant. What is not understood leaves the gradient as it is, which is right as well.
"""

from __future__ import annotations

import builtins
import math
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.analysis.centred import axes_of, means_that_cancel
from tangentish.infer import Callee, Facts, StartAgain, literal_of
from tangentish.kinds import Num, is_number
from tangentish.rules import CONSTANT

EXTREMES: set[Any] = {
    np.max, np.min, np.amax, np.amin, np.maximum, np.minimum, builtins.max, builtins.min,
}  # fmt: skip
"""Whose results are tried: functions with a derivative that costs something, and that one shifts by."""

Layout = tuple[int | None, ...]
Factor = tuple[tuple[str, int], ...]


class NotFollowed(Exception):
    """It is not known what becomes of the dependence."""


@dataclass(frozen=True)
class Dependence:
    """How a value depends on the candidate.

    scale: `value * exp(k * c)` rather than `value + k * c`.
    k: the sum of numbers times products of scalars; never empty.
    layout: for each axis of the value the axis of the candidate along which it depends on it, if on any.
    """

    scale: bool
    k: dict[Factor, Fraction]
    layout: Layout

    def times(self, number: Fraction, factor: Factor = ()) -> Dependence | None:
        k = {_product(own, factor): n * number for own, n in self.k.items() if n * number}
        return replace(self, k=k) if k else None


def leave_out_what_cancels(function: ir.Function, facts: Facts, cancelled: set[Any]) -> None:
    """Note the calls that are found to cancel; the function is walked over once more then, without them."""
    found = [*_cancelling(function, facts), *means_that_cancel(function, facts)]
    if found:
        cancelled.update(found)
        raise StartAgain


def _cancelling(function: ir.Function, facts: Facts) -> list[Any]:
    """The calls in the function whose results its own do not depend on."""
    found = list(_candidates(function.body, facts))
    if not found or facts.held:
        return []
    definitions = Counter(function.parameters)
    for statement in ir.walk_statements(function.body):
        definitions.update(ir.defined_names(statement))
    return [
        node
        for node, before, rest in found
        if _Following(node, facts, definitions, function.body, before).cancels(rest)
    ]


def _candidates(block: ir.Block, facts: Facts) -> Iterator[tuple[Any, ir.Block, ir.Block]]:
    """Calls of extremes that carry a derivative, the block before them, and the rest from there on."""
    for k, statement in enumerate(block):
        for inner in ir.blocks_of(statement):
            yield from _candidates(inner, facts)
        if statement not in facts.before or not isinstance(
            statement, (ir.Assign, ir.Update, ir.Return)
        ):
            continue
        for node in ir.nodes_in(statement):
            callee = facts.callees.get(node) if type(node) is gast.Call else None
            if callee is not None and callee.user is None and _is_among(callee.function, EXTREMES):
                kind = facts.kinds.get(node)
                if isinstance(kind, Num) and kind.active and kind.rank is not None:
                    yield node, block[:k], block[k:]


@dataclass
class _Following:
    """One candidate, and how the values of one block depend on it."""

    candidate: Any
    facts: Facts
    definitions: Counter[str]
    body: ir.Block
    before: ir.Block
    values: dict[str, Dependence] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)  # definitions of values that ever did
    passed: set[str] = field(default_factory=set)  # names in the statements so far

    def cancels(self, rest: ir.Block) -> bool:
        try:
            for statement in rest:
                self.statement(statement)
                self.passed |= _names((statement,)).keys()
        except NotFollowed:
            return False
        return self.is_local(rest)

    def is_local(self, rest: ir.Block) -> bool:
        """Whether the values are named nowhere else, and the candidate stands in one place."""
        everywhere, here = _names(self.body), _names(rest)
        nodes = sum(
            node is self.candidate
            for statement in ir.walk_statements(self.body)
            for e in ir.expressions_of(statement)
            for node in ir.walk(e)
        )
        for name, count in self.seen.items():
            made = self.made_before(name)
            found = count + bool(made), here[name] + _names(made)[name]
            if found != (self.definitions[name], everywhere[name]):
                return False
        return nodes == 1

    def made_before(self, name: str) -> ir.Block:
        """The lines above in this block, on this trip, since the name was bound: `z = x @ w; z -= z.max()`."""
        for k in range(len(self.before) - 1, -1, -1):
            match self.before[k]:
                case ir.Assign(gast.Name(id=bound)) if bound == name:
                    return self.before[k:]
        return ()

    # -- statements

    def statement(self, statement: ir.Statement) -> None:
        match statement:
            case ir.Assign(gast.Name(id=name), value):
                self.passed.update(ir.names_in(value))
                self.bind(name, self.of(value))
            case ir.Update(gast.Name(id=name) as target, op, value) if (
                name in self.values or self.mentions(value)
            ):
                if self.is_shared(name):
                    raise NotFollowed
                found = self.operation(op, target, value)
                self.bind(name, found and self.fitted(found, self.facts.kinds.get(target)))
            case ir.Assign() | ir.Return() | ir.Update():
                for e in ir.expressions_of(statement):
                    if self.of(e) is not None:
                        raise NotFollowed
            case _ if any(
                self.mentions(e)
                for s in ir.walk_statements((statement,))
                for e in ir.expressions_of(s)
            ):
                raise NotFollowed

    def bind(self, name: str, dependence: Dependence | None) -> None:
        is_first = dependence is not None and name not in self.seen
        if is_first and name in self.passed and not self.made_before(name):
            raise NotFollowed  # it was read in a trip before
        if dependence is None:
            self.values.pop(name, None)
        else:
            self.values[name] = dependence
        if dependence is not None or name in self.seen:
            self.seen[name] += 1

    def is_shared(self, name: str) -> bool:
        """Whether another name may be on the same memory."""
        sites = self.facts.sites(name)
        return any(
            other != name and sites & self.facts.sites(other) for other in self.facts.web_kinds
        )

    def mentions(self, e: Any) -> bool:
        """Whether a value that depends on the candidate stands in an expression."""
        return any(
            node is self.candidate or (type(node) is gast.Name and node.id in self.values)
            for node in ir.walk(e)
        )

    # -- expressions

    def of(self, node: Any) -> Dependence | None:
        """How an expression depends on the candidate; None if it does not."""
        if not self.mentions(node):
            return None
        found = self.dependence(node)
        return None if found is None else self.fitted(found, self.facts.kinds.get(node))

    def fitted(self, found: Dependence, kind: Any) -> Dependence:
        """With as many axes as the value has: what it was broadcast along comes first."""
        if not isinstance(kind, Num) or kind.rank is None or len(found.layout) > kind.rank:
            raise NotFollowed
        return replace(found, layout=(None,) * (kind.rank - len(found.layout)) + found.layout)

    def dependence(self, node: Any) -> Dependence | None:
        if node is self.candidate:
            return self.whole(node)
        match node:
            case gast.Name(id=name):
                return self.values[name]
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return _negative(self.of(operand))
            case gast.BinOp(left=left, op=op, right=right):
                return self.operation(op, left, right)
            case gast.Compare() | gast.Attribute(attr="shape" | "size" | "ndim" | "dtype"):
                self.parts_of(node)
                return None
            case gast.Attribute(value=value, attr="T"):
                found = self.of(value)
                return None if found is None else replace(found, layout=found.layout[::-1])
            case gast.Subscript(value=value, slice=index) if not self.mentions(index):
                found = self.of(value)
                return None if found is None else _element(found, index)
            case gast.Call() if (callee := self.facts.callees.get(node)) is not None:
                return self.call(callee)
        self.nothing_of(self.parts_of(node))
        return None

    def parts_of(self, node: Any) -> list[Dependence | None]:
        return list(map(self.of, ir.children(node)))

    def nothing_of(self, parts: Iterable[Dependence | None]) -> None:
        """What is made of values that do not depend on the candidate does not either."""
        if any(part is not None for part in parts):
            raise NotFollowed

    def whole(self, node: Any) -> Dependence:
        """The candidate itself."""
        kind = self.facts.kinds[node]
        assert isinstance(kind, Num)
        callee = self.facts.callees[node]
        if any(map(self.mentions, callee.given)):
            raise NotFollowed
        assert kind.shape is not None
        layout = tuple(None if length == 1 else k for k, length in enumerate(kind.shape))
        return Dependence(False, {(): Fraction(1)}, layout)

    def operation(self, op: Any, left: Any, right: Any) -> Dependence | None:
        a, b = self.of(left), self.of(right)
        if a is None and b is None:
            return None
        match op:
            case gast.Add():
                return _sum(a, b)
            case gast.Sub():
                return _sum(a, b if b is None or b.scale else _negative(b))
            case gast.Mult() if (shift := _only_shift(a, b)) is not None:
                return self.multiple(shift, left if a is None else right, 1)
            case gast.Div() if b is None and (shift := _only_shift(a, b)) is not None:
                return self.multiple(shift, right, -1)
            case gast.Mult():
                return _scales(a, b)
            case gast.Div():
                return _scales(a, None if b is None else b.times(Fraction(-1)))
            case gast.Pow() if a is not None and a.scale and b is None:
                return a.times(_number(right))
        raise NotFollowed

    def multiple(self, shift: Dependence, by: Any, power: int) -> Dependence | None:
        """A shift times, or divided by, a number or a scalar that is bound once."""
        kind = self.facts.kinds.get(by)
        if isinstance(by, gast.Name):
            if not (is_number(kind) and self.definitions[by.id] <= 1):
                raise NotFollowed
            return shift.times(Fraction(1), ((by.id, power),))
        number = _number(by)
        if not number:
            raise NotFollowed
        return shift.times(number**power)

    # -- calls

    def call(self, callee: Callee) -> Dependence | None:
        parts = [self.of(a) for a in callee.given]
        if _is_among(callee.function, CONSTANT) or not any(parts):
            return None
        if callee.user is None and callee.function is np.where and len(parts) == 3:
            return self.chosen(*callee.args)
        self.nothing_of(parts[1:])
        if parts[0] is None or not _is_among(callee.function, _FUNCTIONS):
            raise NotFollowed
        return _FUNCTIONS[callee.function](parts[0], callee)

    def chosen(self, condition: Any, one: Any, other: Any) -> Dependence | None:
        """`np.where` of two values that depend alike; what is 0 is so at every scale."""
        self.nothing_of([self.of(condition)])
        a, b = self.of(one), self.of(other)
        for given, absent, place in ((a, b, other), (b, a, one)):
            if given is not None and given.scale and absent is None and literal_of(place) == 0:
                return given
        return _alike(a, b)


def _is_among(function: Any, table: Container[Any]) -> bool:
    return isinstance(function, Hashable) and function in table


def _names(block: ir.Block) -> Counter[str]:
    found: Counter[str] = Counter()
    for statement in ir.walk_statements(block):
        for e in ir.expressions_of(statement):
            found.update(ir.names_in(e))
    return found


def _number(node: Any) -> Fraction:
    value = literal_of(node)
    if isinstance(value, (int, float)) and math.isfinite(value):
        return Fraction(value)
    raise NotFollowed


def _product(a: Factor, b: Factor) -> Factor:
    powers = Counter(dict(a))
    for name, power in b:
        powers[name] += power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _same_axes(a: Dependence, b: Dependence) -> Layout:
    """The layout of what two values that depend on the candidate along the same axes are broadcast to."""
    rank = max(len(a.layout), len(b.layout))
    one, other = ((None,) * (rank - len(d.layout)) + d.layout for d in (a, b))
    if one != other:
        raise NotFollowed
    return one


def _added(a: Dependence, b: Dependence) -> Dependence | None:
    layout = _same_axes(a, b)
    k = {f: a.k.get(f, Fraction(0)) + b.k.get(f, Fraction(0)) for f in {*a.k, *b.k}}
    k = {factor: number for factor, number in k.items() if number}
    return replace(a, k=k, layout=layout) if k else None


def _negative(a: Dependence | None) -> Dependence | None:
    return a if a is None or a.scale else a.times(Fraction(-1))


def _only_shift(a: Dependence | None, b: Dependence | None) -> Dependence | None:
    """The one of two values that depends on the candidate, if it does so by a shift."""
    found = a or b
    return found if found is not None and not found.scale and None in (a, b) else None


def _alike(a: Dependence | None, b: Dependence | None) -> Dependence | None:
    """Of two values that scale alike, or shift alike, and so does each alone that is taken for the other."""
    if a is None or b is None or a.scale != b.scale or a.k != b.k:
        raise NotFollowed
    return replace(a, layout=_same_axes(a, b))


def _sum(a: Dependence | None, b: Dependence | None) -> Dependence | None:
    """Shifts add up; what scales must scale alike."""
    if (a is not None and a.scale) or (b is not None and b.scale):
        return _alike(a, b)
    if a is None or b is None:
        return a or b
    return _added(a, b)


def _scales(a: Dependence | None, b: Dependence | None) -> Dependence | None:
    """Exponents add up."""
    if (a is not None and not a.scale) or (b is not None and not b.scale):
        raise NotFollowed
    if a is None or b is None:
        return a or b
    return _added(a, b)


def _element(found: Dependence, index: Any) -> Dependence:
    """Axes that are taken whole stay, new ones come in, and of those that nothing depends on a part may be taken."""
    parts = ir.parts_of(index)
    taken = sum(not (_is_new(part) or literal_of(part) is Ellipsis) for part in parts)
    rest = len(found.layout) - taken
    if rest < 0:
        raise NotFollowed
    if not any(literal_of(part) is Ellipsis for part in parts):
        parts = [*parts, gast.Constant(Ellipsis, None)]
    axes, layout = iter(found.layout), list[int | None]()
    for part in parts:
        if _is_new(part):
            layout.append(None)
        elif literal_of(part) is Ellipsis:
            layout += [next(axes) for _ in range(rest)]
        else:
            layout += _axis(next(axes), part)
    return replace(found, layout=tuple(layout))


def _is_new(part: Any) -> bool:
    is_newaxis = isinstance(part, gast.Attribute) and part.attr == "newaxis"
    return is_newaxis or literal_of(part) is None


def _axis(axis: int | None, part: Any) -> list[int | None]:
    """What an index leaves of an axis."""
    is_slice = isinstance(part, gast.Slice)
    if axis is None:
        if is_slice:
            return [None]
        if type(literal_of(part)) is int:
            return []
    elif is_slice and part.lower is part.upper is part.step is None:
        return [axis]
    raise NotFollowed


def _alone(callee: Callee) -> bool:
    """Whether there is one argument, and neither out= nor where=."""
    return len(callee.args) == 1 and not callee.keywords


def _exponential(found: Dependence, callee: Callee) -> Dependence:
    if found.scale or not _alone(callee):
        raise NotFollowed
    return replace(found, scale=True)


def _logarithm(found: Dependence, callee: Callee) -> Dependence:
    if not found.scale or not _alone(callee):
        raise NotFollowed
    return replace(found, scale=False)


def _root(found: Dependence, callee: Callee) -> Dependence | None:
    if not found.scale or not _alone(callee):
        raise NotFollowed
    return found.times(Fraction(1, 2))


def _total(found: Dependence, callee: Callee) -> Dependence:
    if not found.scale:
        raise NotFollowed
    return _reduced(found, callee)


def _reduced(found: Dependence, callee: Callee) -> Dependence:
    """Along axes on which the dependence is the same."""
    axes, keepdims = _axes(found, callee)
    if any(found.layout[axis] is not None for axis in axes):
        raise NotFollowed
    if keepdims:
        return found
    kept = (own for axis, own in enumerate(found.layout) if axis not in axes)
    return replace(found, layout=tuple(kept))


def _squeezed(found: Dependence, callee: Callee) -> Dependence:
    """Without axes of length one, which are named."""
    if len(callee.args) + len(callee.keywords) < 2:
        raise NotFollowed
    return _reduced(found, callee)


def _axes(found: Dependence, callee: Callee) -> tuple[frozenset[int], bool]:
    """The axes that a call reduces, or names, and whether they stay."""
    axes = axes_of(len(found.layout), callee)
    if axes is None:
        raise NotFollowed
    return axes


_FUNCTIONS: dict[Any, Callable[[Dependence, Callee], Dependence | None]] = {
    np.exp: _exponential, math.exp: _exponential, np.log: _logarithm, math.log: _logarithm,
    np.sqrt: _root, math.sqrt: _root, np.sum: _total, np.mean: _reduced, np.max: _reduced,
    np.amax: _reduced, np.min: _reduced, np.amin: _reduced, np.squeeze: _squeezed,
}  # fmt: skip
"""What becomes of the dependence of the first argument, where the others have none."""
