"""Loops whose trips have nothing to do with each other are taken back trip by trip.

    for i in range(n):                              dtotal = dy / n
        s = np.sin(x[i])                            for i in range(n):
        save s                                          s = np.sin(x[i])
        total += s ** 2                  ->             total += s ** 2
    y = total / n
                                                        dx[i] += 2 * dtotal * s * np.cos(x[i])
    dtotal = dy / n                                 y = total / n
    for i in reversed(range(n)):
        restore s
        dx[i] += 2 * dtotal * s * np.cos(x[i])

So no trip's records outlive it, and most need not be made. Where this is right (Hascoet, Fidanova and Held, Adjoining
Independent Computations, 2001): no trip back reads what another wrote, sums aside; it changes nothing that the trips
forward, or the lines after them, read; and the lines before it read nothing of what the loop computes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.fresh import is_new
from tangentish.folding.apart import places_changed
from tangentish.folding.idle import Idle
from tangentish.folding.set_places import new_zeros
from tangentish.ir.needed import read_before_set
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant
from tangentish.language.webs import map_blocks

_SUMS = (gast.Add, gast.Sub)  # ir.AddAt and ir.SubAt, too
_SHAPES = {"zeros_like", "zeros"}


@dataclass(frozen=True, eq=False)
class Apart:
    """A loop whose trips are taken back one by one.

    before, after: the forward pass around the loop. head, rest: the adjoint before its trips and after them.
    there, back: a trip and its adjoint.
    """

    before: ir.Block
    head: ir.Block
    loop: ir.For
    there: ir.Block
    back: ir.Block
    after: ir.Block
    rest: ir.Block


@dataclass(frozen=True)
class Questions:
    """What a function's analysis tells.

    backwards: what runs over the items of a loop from the last to the first; None where this is not known.
    is_pure: whether a call has no effects. is_number: whether a name holds a number, which has no memory to share.
    """

    backwards: Callable[[ir.For], Any | None]
    is_pure: Callable[[Any], bool]
    is_number: Callable[[Any], bool]


def trip_by_trip(
    forward: ir.Block,
    adjoint: ir.Block,
    values: Iterable[Any],
    gradients: Iterable[Any],
    ask: Questions,
) -> Apart | None:
    """The last loop of the forward pass with its adjoint, where its trips have nothing to do with each other.

    values, gradients: what is returned.
    """
    places = [k for k, s in enumerate(forward) if isinstance(s, (ir.For, ir.While))]
    back = next((k for k, s in enumerate(adjoint) if isinstance(s, (ir.For, ir.While))), None)
    if not places or back is None:
        return None
    there = places[-1]
    loop, reverse = forward[there], adjoint[back]
    before, after = forward[:there], forward[there + 1 :]
    head, rest = adjoint[:back], adjoint[back + 1 :]
    if not isinstance(loop, ir.For) or not isinstance(reverse, ir.For):
        return None
    if not _belong_together(loop, reverse, (before, after, head, rest), ask):
        return None
    trip = _Back(ask)
    if not _is_quiet((loop, *after), ask) or not trip.is_apart(reverse):
        return None
    read = {n for e in values for n in ir.names_in(e)} | read_before_set((loop, *after))
    returned = ir.Return(tuple(gradients), False, NOWHERE)
    if trip.sets & (read | read_before_set(_as_lines((*rest, returned)))) or trip.sums & read:
        return None
    set_forward = ir.bound_within((loop, *after))
    if not _is_early(head, set_forward, loop) or trip.reads & ir.bound_within(after):
        return None
    body, turned = _without_records(loop.body, _not_said_again(loop, reverse.body))
    filled = trip.filled & set(map(new_zeros, head))
    turned = _only_where_it_counts(turned, filled)
    return Apart(before, head, loop, body, turned, after, rest)


def one_after_the_other(there: ir.Block, back: ir.Block) -> ir.Block:
    """A trip and its adjoint; the branch that ends the one and begins the other is one branch."""
    match there[-1:], back:
        case (ir.If(test, way, other) as last,), (ir.If(asked, turned, orelse), *rest):
            lasts = ir.bound_within((*way, *other)).isdisjoint(ir.names_in(test))
            if lasts and ir.dump(test) == ir.dump(asked):
                both = replace(last, body=_one_way(way, turned), orelse=_one_way(other, orelse))
                return _asked_directly((*there[:-1], both, *rest), len(there) - 1)
    there, back = _asked_on_the_way_back(there, back)
    return (*there, ir.Comment(""), *back)


def _one_way(there: ir.Block, back: ir.Block) -> ir.Block:
    return one_after_the_other(there, back) if there and back else (*there, *back)


def _asked_on_the_way_back(there: ir.Block, back: ir.Block) -> tuple[ir.Block, ir.Block]:
    """`test = s > 0` at the end of a trip, and `if test:` where its adjoint begins: `if s > 0:`"""
    match there[-1:], back:
        case (ir.Assign(gast.Name(id=name), value),), (ir.If(gast.Name(id=asked)) as branch, *rest):
            if name == asked and "~" in name and ir.mentions((*there, *back))[name] == 2:
                return there[:-1], (replace(branch, test=value), *rest)
    return there, back


def _asked_directly(block: ir.Block, k: int) -> ir.Block:
    """`if s > 0:` for `test = s > 0`, `if test:`, where nothing else reads the test."""
    match block[k - 1 : k + 1]:
        case ir.Assign(gast.Name(id=name), value), ir.If(gast.Name(id=asked)) as branch:
            if name == asked and "~" in name and ir.mentions(block)[name] == 2:
                return (*block[: k - 1], replace(branch, test=value), *block[k + 1 :])
    return block


# ---------------------------------------------------------------------------------- the two loops


def _belong_together(
    loop: ir.For, reverse: ir.For, around: tuple[ir.Block, ...], ask: Questions
) -> bool:
    """Whether one loop takes back the trips of the other: it gets back all that these record, and nothing else."""
    saved = [s.slot for s in ir.walk_statements(loop.body) if isinstance(s, ir.Save)]
    restored = [s.slot for s in ir.walk_statements(reverse.body) if isinstance(s, ir.Restore)]
    if not saved or set(saved) != set(restored) or len({*saved}) != len(saved) != len(restored):
        return False
    elsewhere = {
        s.slot
        for block in around
        for s in ir.walk_statements(block)
        if isinstance(s, ir.Save | ir.Restore)
    }
    iterator = ask.backwards(loop)
    return (
        all(map(_is_binding, saved))
        and not elsewhere & set(saved)
        and loop.stop is None
        and isinstance(loop.target, gast.Name)
        and iterator is not None
        and _same(iterator, reverse.iter)
        and _same(loop.target, reverse.target)
    )


def _is_binding(slot: ir.Slot) -> bool:
    """Whether what a name is bound to is recorded, and nothing else."""
    plain = not (slot.content or slot.copy or slot.undo or slot.saved)
    return plain and slot.tape and isinstance(slot.target, gast.Name)


def _same(a: Any, b: Any) -> bool:
    return ir.dump(a) == ir.dump(b)


def _is_quiet(block: ir.Block, ask: Questions) -> bool:
    """Whether lines of a forward pass do nothing but bind names, and record what they are bound to."""
    for statement in ir.walk_statements(block):
        match statement:
            case ir.Comment():
                continue
            case ir.Save(slot) if _is_binding(slot):
                continue
            case ir.Assign(target) if not any(ir.store_targets(target)):
                pass
            case ir.Update(gast.Name() as target) if ask.is_number(target):
                pass
            case ir.If():
                pass
            case ir.For(stop=None):
                pass
            case _:
                return False
        if not _are_pure(statement, ask.is_pure):
            return False
    return True


def _are_pure(statement: ir.Statement, is_pure: Callable[[Any], bool]) -> bool:
    return all(
        is_pure(node)
        for e in ir.expressions_of(statement)
        for node in ir.walk(e)
        if isinstance(node, gast.Call)
    )


def _is_early(head: ir.Block, set_forward: Set[str], loop: ir.For) -> bool:
    """Whether the adjoint's first lines may stand before the loop: they read nothing of it, and can't fail."""
    for statement in head:
        match statement:
            case ir.Comment():
                continue
            case ir.Assign(gast.Name(id=name), value) if name not in set_forward:
                if set_forward.isdisjoint(ir.names_in(value)) and _cannot_fail(value, loop):
                    continue
        return False
    return True


def _cannot_fail(e: Any, loop: ir.For) -> bool:
    match e:
        case gast.Name() | gast.Constant():
            return True
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return _cannot_fail(operand, loop)
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() | gast.Mult(), right=right):
            return _cannot_fail(left, loop) and _cannot_fail(right, loop)
        case gast.BinOp(left=left, op=gast.Div(), right=right):
            return _cannot_fail(left, loop) and _is_no_zero(right, loop)
        case gast.Call(func=gast.Attribute(value=gast.Name(id="$np"), attr=attr), args=args):
            return attr in _SHAPES and not any(isinstance(a, gast.Call) for a in args)
    return False


def _is_no_zero(e: Any, loop: ir.For) -> bool:
    """Whether this is a number other than zero, if the loop has trips: where it has none, nothing was left out."""
    match e, loop.iter:
        case gast.Constant(value=value), _:
            return bool(value)
        case _, gast.Call(args=[trips]):
            return _same(e, trips)
    return False


# ------------------------------------------------------------------------------------ a trip back


@dataclass
class _Back:
    """A trip back: what it adds to, what it sets, what it reads of what was before."""

    ask: Questions

    def is_apart(self, loop: ir.For) -> bool:
        """Whether it hands nothing on to another trip but sums, which nobody reads in between."""
        body = loop.body
        self.reads = read_before_set(_as_lines(body))
        self.sums: set[str] = set()
        self.filled: set[str] = set()  # each trip sets places of its own
        self.sets: set[str] = set()
        self.own = _made_in(body)
        self.summed: Counter[str] = Counter()
        if not all(map(self.is_plain, ir.walk_statements(body))):
            return False
        mentions = ir.mentions(body)
        read = any(mentions[name] != self.summed[name] for name in self.sums)
        if any(places_changed(loop, name) is None for name in self.filled):
            return False
        return not read and not self.sets & (self.reads | self.sums)

    def is_plain(self, statement: ir.Statement) -> bool:
        match statement:
            case ir.Comment():
                return True
            case ir.Restore(slot):
                self.sets.add(slot.name)
                return True
            case ir.Assign(target) if all(isinstance(t, gast.Name) for t in _parts(target)):
                self.sets.update(ir.target_names(target))
            case ir.Assign(gast.Subscript(value=gast.Name(id=name))):
                if name not in self.own:
                    self.filled.add(name)
                    self.sums.add(name)
                    self.summed[name] += 1
            case ir.Update(gast.Name(id=name) | gast.Subscript(value=gast.Name(id=name)), op):
                if not isinstance(op, _SUMS) or not self.may_be_added_to(name):
                    return False
            case ir.For(stop=None) | ir.If():
                self.sets.update(ir.defined_names(statement))
            case _:
                return False
        return _are_pure(statement, self.ask.is_pure)

    def may_be_added_to(self, name: str) -> bool:
        """A sum over all trips, or what is the trip's own: not the memory of something else under another name."""
        if name in self.reads:
            self.sums.add(name)
            self.summed[name] += 1
            return True
        return name in self.own or self.ask.is_number(ir.name(name))


def _as_lines(block: ir.Block) -> ir.Block:
    """Lines that set what is restored, in place of restores."""

    def line(statement: ir.Statement) -> ir.Statement:
        if isinstance(statement, ir.Restore):
            return ir.Assign(statement.slot.target, constant(None), NOWHERE)
        return map_blocks(statement, _as_lines)

    return tuple(map(line, block))


def _made_in(body: ir.Block) -> set[str]:
    """The names that only stand for arrays which are made where they get them, or where others got them before."""
    made: set[str] = set()
    other: set[str] = set()
    for statement in ir.walk_statements(body):
        match statement:
            case ir.Assign(gast.Name(id=name), value) if is_new(value, lambda _: False):
                made.add(name)
            case ir.Assign(gast.Name(id=name), gast.Name(id=first)) if first in made - other:
                made.add(name)
            case ir.Update(gast.Name()):  # in place
                pass
            case _:
                other.update(ir.defined_names(statement))
    return made - other


def _parts(target: Any) -> Iterator[Any]:
    yield from target.elts if isinstance(target, (gast.Tuple, gast.List)) else [target]


# ------------------------------------------------------------------------------- what is recorded


def _without_records(there: ir.Block, back: ir.Block) -> tuple[ir.Block, ir.Block]:
    """A trip and its adjoint; what is recorded once in a trip needs no tape, and most of it no record."""
    once = {s.slot for s in _outside_loops(there) if isinstance(s, ir.Save)}
    once &= {s.slot for s in _outside_loops(back) if isinstance(s, ir.Restore)}
    idle = once - _set_in_between(there, back)
    new: dict[ir.Slot, ir.Slot | None] = {slot: replace(slot, tape=False) for slot in once - idle}
    new |= dict.fromkeys(idle)
    return _with_slots(there, new), _with_slots(back, new)


def _not_said_again(loop: ir.For, back: ir.Block) -> ir.Block:
    """A trip back without what the trip has said already: `row = x[i]`."""
    counts = ir.definitions((loop,))
    said = {
        s.target.id: s.value
        for s in loop.body
        if isinstance(s, ir.Assign) and isinstance(s.target, gast.Name)
    }
    given = {loop.target.id}
    before: set[str] = set()
    out: list[ir.Statement] = []
    for statement in back:
        match statement:
            case ir.Assign(gast.Name(id=name), value) if (
                counts[name] == 1
                and name in said
                and _same(value, said[name])
                and not any(counts[n] for n in set(ir.names_in(value)) - given)
                and name not in before
            ):
                continue
        out.append(statement)
        before |= ir.bound_within((statement,))
    return tuple(out)


def _only_where_it_counts(back: ir.Block, filled: Set[str]) -> ir.Block:
    """What follows a branch that leaves only zeros does nothing, and goes into the other one.

    if test:                         ->      if test:
        dy = dtotal                              dy = dtotal
    else:                                        dx[i] += dy * x[i]
        dy = 0.0
    dx[i] += dy * x[i]
    """
    for k, statement in enumerate(back):
        match statement:
            case ir.If(_, body, [_, *_] as orelse) if body:
                idle = Idle(restores=True, filled=filled)
                rest = back[k + 1 :]
                if any(ir.blocks_of(s) for s in rest) and idle.block((*orelse, *rest)):
                    inside = _only_where_it_counts((*body, *rest), filled)
                    return (*back[:k], replace(statement, body=inside, orelse=()))
    return back


def _outside_loops(block: ir.Block) -> Iterator[ir.Statement]:
    for statement in block:
        yield statement
        if not isinstance(statement, ir.For | ir.While):
            for inner in ir.blocks_of(statement):
                yield from _outside_loops(inner)


def _set_in_between(there: ir.Block, back: ir.Block) -> set[ir.Slot]:
    """The slots whose names get another value between where this is recorded, in a trip, and where it comes back."""
    saved: dict[ir.Slot, int] = {}
    last: dict[str, int] = {}
    found: set[ir.Slot] = set()
    lines = (*ir.walk_statements(there), *ir.walk_statements(back))
    for position, statement in enumerate(lines):
        if isinstance(statement, ir.Save):
            saved[statement.slot] = position
        elif isinstance(statement, ir.Restore):
            slot = statement.slot
            if last.get(slot.name, -1) > saved[slot]:
                found.add(slot)
        last.update(dict.fromkeys(ir.defined_names(statement), position))
    return found


def _with_slots(block: ir.Block, new: dict[ir.Slot, ir.Slot | None]) -> ir.Block:
    def changed(statement: ir.Statement) -> Iterator[ir.Statement]:
        if isinstance(statement, ir.Save | ir.Restore) and statement.slot in new:
            slot = new[statement.slot]
            if slot is not None:
                yield type(statement)(slot)
        else:
            yield map_blocks(statement, lambda inner: _with_slots(inner, new))

    return tuple(line for statement in block for line in changed(statement))
