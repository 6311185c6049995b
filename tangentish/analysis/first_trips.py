"""First trips that stand apart, in a function that is refused with them in their loops.

    for t in range(n):                 if 0 < n:
        optimiser.step(ps)      ->         t = 0
                                           optimiser.step(ps)
                                           for t in range(1, n):
                                               optimiser.step(ps)

What is None on the first trip and a list, a dict or an object on the others is one value in a loop, of no one form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.origins import position_of
from tangentish.ir.quote import constant, quote
from tangentish.language.normal import Normal
from tangentish.language.placed import all_at
from tangentish.language.webs import map_blocks, map_statement

MOST_LINES = 60  # of a function that it may become by one loop
Place = tuple[int, int]


def with_first_trips_apart(
    normal: Normal, places: Set[Place], lookup: Callable[[str], object]
) -> Normal:
    """The function in which the first trips of the loops at these places stand before them."""
    return _Apart(normal, places, lookup).function() if places else normal


@dataclass(frozen=True)
class _Trips:
    """What the first trip of a loop gets, what has to hold where there is one, and what the others run over."""

    first: Any
    tests: Sequence[Any]
    others: Any


@dataclass(frozen=True)
class _Apart:
    normal: Normal
    places: Set[Place]
    lookup: Callable[[str], object]

    def function(self) -> Normal:
        return replace(self.normal, body=self.block(self.normal.body))

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(line for statement in block for line in self.lines(statement))

    def lines(self, statement: ir.Statement) -> ir.Block:
        new = map_blocks(statement, self.block)
        if not isinstance(new, (ir.For, ir.While)) or position_of(new) not in self.places:
            return (new,)
        if sum(1 for _ in ir.walk_statements(new.body)) > MOST_LINES:
            return (new,)
        return _while_apart(new) if isinstance(new, ir.While) else self.for_apart(new)

    def for_apart(self, loop: ir.For) -> ir.Block:
        bound = ir.bound_within((loop,))
        trips = self.trips(loop.iter) if bound.isdisjoint(ir.names_in(loop.iter)) else None
        if trips is None:
            return (loop,)
        first = ir.Assign(loop.target, _placed(trips.first, loop), loop.origin)
        again = {"target": ir.duplicate(loop.target), "iter": _placed(trips.others, loop)}
        body: ir.Block = (first, *_again(loop.body), *_rest(loop, again))
        for test in trips.tests:
            body = (ir.If(_placed(test, loop), body, (), loop.origin),)
        return body

    def trips(self, over: Any) -> _Trips | None:
        """Those over numbers whose ends are written down, and over what nothing but loops and indices reads."""
        match over:
            case gast.Name(id=name) if self.is_only_read(name):
                return _Trips(
                    quote("{x}[0]", x=over),
                    [quote("len({x}) > 0", x=over)],
                    quote("{x}[1:]", x=over),
                )
            case gast.Call(func=gast.Name(id=name) as func, args=args, keywords=[]):
                builtin = None if name in self.normal.local_names else self.lookup(name)
                if builtin is range:
                    return _trips_over_numbers(func, args)
                if builtin is zip:
                    return _zipped(func, list(map(self.trips, args)))
                if builtin is enumerate and len(args) == 1:
                    return _counted(func, self.trips(args[0]))
        return None

    def is_only_read(self, name: str) -> bool:
        """Whether an argument, or what stands outside, is run over and indexed only: it has no second name here."""
        if name in self.normal.local_names and name not in self.normal.parameters:
            return False
        others = 0
        for statement in ir.walk_statements(self.normal.body):
            if isinstance(statement, (ir.Assign, ir.Update)):
                others += ir.names_in(statement.target).count(name)
            others += sum(ir.names_in(e).count(name) for e in ir.expressions_of(statement))
            others -= sum(map(_is_item_of(name), ir.nodes_in(statement)))
            others -= isinstance(statement, ir.For) and ir.is_name(statement.iter, name)
        return others == 0


def _is_item_of(name: str) -> Callable[[Any], bool]:
    """Whether a node asks for an item of what has a name, for the number of these, or runs over it."""

    def is_item(node: Any) -> bool:
        match node:
            case gast.Subscript(value=owner, ctx=gast.Load()):
                return ir.is_name(owner, name)
            case gast.Call(func=gast.Name(id="len" | "zip" | "enumerate"), args=args):
                return any(ir.is_name(arg, name) for arg in args)
        return False

    return is_item


def _trips_over_numbers(func: Any, ends: Sequence[Any]) -> _Trips | None:
    simple = all(isinstance(end, (gast.Name, gast.Constant)) for end in ends)
    if not simple or not 0 < len(ends) < 3:
        return None
    start, stop = ends if len(ends) == 2 else (constant(0), *ends)
    numbers = [end.value for end in (start, stop) if isinstance(end, gast.Constant)]
    if len(numbers) == 2 and not numbers[0] < numbers[1]:
        return None
    number = isinstance(start, gast.Constant)
    following = constant(start.value + 1) if number else quote("{a} + 1", a=start)
    tests = [] if len(numbers) == 2 else [quote("{a} < {b}", a=start, b=stop)]
    return _Trips(start, tests, gast.Call(func, [following, stop], []))


def _zipped(func: Any, each: Sequence[_Trips | None]) -> _Trips | None:
    known = [trips for trips in each if trips is not None]
    if len(known) < len(each) or not known:
        return None
    first = gast.Tuple([trips.first for trips in known], gast.Load())
    others = gast.Call(func, [trips.others for trips in known], [])
    return _Trips(first, [test for trips in known for test in trips.tests], others)


def _counted(func: Any, trips: _Trips | None) -> _Trips | None:
    if trips is None:
        return None
    first = gast.Tuple([constant(0), trips.first], gast.Load())
    return _Trips(first, trips.tests, gast.Call(func, [trips.others, constant(1)], []))


def _placed(node: Any, loop: ir.For) -> Any:
    """An expression of nodes of its own, which stands where the loop does."""
    return all_at(ir.duplicate(node), loop.iter)


def _rest(loop: Any, again: dict[str, Any]) -> ir.Block:
    """The other trips, if the first one does not leave the loop."""
    others = replace(loop, **again)
    if loop.stop is None:
        return (others,)
    stays = gast.UnaryOp(gast.Not(), ir.duplicate(loop.stop))
    return (ir.If(gast.copy_location(stays, loop.stop), (others,), (), loop.origin),)


def _again(block: ir.Block) -> ir.Block:
    """The lines once more, of nodes of their own."""
    return tuple(map_statement(line, ir.duplicate, _again) for line in block)


def _while_apart(loop: ir.While) -> ir.Block:
    body = (*_again(loop.body), *_rest(loop, {"test": ir.duplicate(loop.test)}))
    return (ir.If(loop.test, body, (), loop.origin),)
