"""Loops that are written out, trip by trip, because each trip means something else.

    for key in ("a", "b"):                  key = "a"
        d[key] = x * len(key)      ->       d[key] = x * len(key)
                                            key = "b"
                                            d[key] = x * len(key)

What a trip binds for itself has values of its own in each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.mirrored import mirrored
from tangentish.analysis.one_name import with_one_name
from tangentish.analysis.places_computed import with_places
from tangentish.analysis.record_lines import (
    emptied,
    filled,
    given_as_records,
    listed,
    one_by_one,
    put_back,
    put_in,
    with_records,
)
from tangentish.analysis.records import by_entries
from tangentish.analysis.tables import named_table, with_tables
from tangentish.infer import (
    Count,
    EmptiedHere,
    FilledHere,
    GivenAsRecords,
    InFull,
    InLoop,
    InnerTable,
    Instead,
    LentChanged,
    ListedHere,
    Mirror,
    NameFirst,
    NoneApart,
    OneByOne,
    OneName,
    OtherLines,
    PutIn,
    RecordsNeeded,
    RecordsUsed,
    SetBefore,
    StartAgain,
    Tabled,
    Unpack,
    Unroll,
)
from tangentish.ir.needed import read_before_set
from tangentish.ir.quote import constant, quote
from tangentish.language.comprehensions import appended_in_loop, filled_in_loop
from tangentish.language.nested import Closure, read_later
from tangentish.language.none_apart import with_none_apart
from tangentish.language.placed import all_at
from tangentish.language.webs import map_blocks, map_nodes, map_statement, names_instead
from tangentish.language.written_out import written_out


def rewritten(function: ir.Function, needed: StartAgain, number: int) -> ir.Function:
    """The function as the next walk over it needs it."""
    if isinstance(needed, NameFirst):
        return with_name(function, needed, number)
    if isinstance(needed, InLoop):
        return with_loop(function, needed, number)
    if isinstance(needed, (InFull, InnerTable)):
        lines = needed.written if isinstance(needed, InFull) else named_table(needed, number)
        return _replaced(function, needed.statement, lambda: lines)
    if isinstance(needed, SetBefore | Instead | OtherLines):
        return _with_something_else(function, needed)
    if isinstance(needed, Mirror):
        return mirrored(function, needed.outside)
    if isinstance(needed, Unpack):
        return with_unpacked(function, needed, number)
    if isinstance(needed, NoneApart):
        return with_none_apart(function, needed.name, needed.form, needed.told_by)
    if isinstance(needed, OneName):
        return with_one_name(function, needed)
    if isinstance(needed, Unroll):
        return unrolled(function, needed, number)
    return _with_records(function, needed, number)


def _with_something_else(
    function: ir.Function, needed: SetBefore | Instead | OtherLines
) -> ir.Function:
    if isinstance(needed, OtherLines):
        return replace(function, body=needed.body)
    if isinstance(needed, SetBefore):
        return with_attributes(function, needed)
    return with_another(function, needed)


def rewritten_anew(
    function: ir.Function, needed: FilledHere | GivenAsRecords, number: int
) -> ir.Function:
    """The function as it was at first, with a list made otherwise that has not got a loop over it written out yet."""
    if isinstance(needed, GivenAsRecords):
        return given_as_records(function, needed, number)
    display = needed.display
    lines = [s for s in ir.walk_statements(function.body) if isinstance(s, ir.Assign)]
    for line in (s for s in lines if display in set(ir.walk(s.value))):
        if line.value is display and isinstance(line.target, gast.Name):
            return _filled(function, line, number)
        return with_name(function, NameFirst(line, display), number)
    return function


def _filled(function: ir.Function, line: ir.Assign, number: int) -> ir.Function:
    if isinstance(line.value, (gast.Dict, gast.DictComp)):
        name: str = line.target.id
        loop = filled_in_loop(line.value, name, lambda old: f"{old}.u{number}v", line.origin)
        return _replaced(function, line, lambda: loop)
    return _replaced(function, line, lambda: tuple(filled(line)))


def _with_records(function: ir.Function, needed: StartAgain, number: int) -> ir.Function:
    """The function with a list of dicts or objects by the lists of their entries."""
    match needed:
        case Tabled():
            return with_tables(function, needed, number)
        case RecordsNeeded():
            return with_records(function, needed)
        case EmptiedHere(statement=line, way=way):
            return _replaced(function, line, lambda: (line, emptied(needed.statement, way)))
        case ListedHere(statement=line, way=way, count=count):
            return _replaced(function, line, lambda: listed(line, way, count, number))
        case FilledHere(statement=line):
            return _filled(function, line, number)
        case OneByOne(statement=line):
            return _replaced(function, line, lambda: tuple(one_by_one(needed)))
        case RecordsUsed():
            return by_entries(function, needed, number)
        case PutIn(statement=line, made=made):
            apart = function if made is None else _replaced(function, made, tuple)
            return _replaced(apart, line, lambda: tuple(put_in(needed, number)))
        case LentChanged(statement=line):
            return _replaced(function, line, lambda: tuple(put_back(needed, number)))
    return function


def with_attributes(function: ir.Function, needed: SetBefore) -> ir.Function:
    """The function with lines that set attributes of an object, after that which makes it, or first of all."""
    if needed.statement is not None:
        made = needed.statement
        return _replaced(function, made, lambda: (made, *needed.lines))
    body = (*needed.lines, *function.body)
    return replace(function, body=body)


def with_another(function: ir.Function, needed: Instead) -> ir.Function:
    """The function with another expression in the place of one."""
    node, new = needed.node, needed.new

    def expression(whole: Any) -> Any:
        return ir.copy_expression(whole, lambda part: new if part is node else None)

    def block(lines: ir.Block) -> ir.Block:
        return tuple(map_statement(line, expression, block) for line in lines)

    return replace(function, body=block(function.body))


def with_name(function: ir.Function, needed: NameFirst, number: int) -> ir.Function:
    """The function with a name for what a loop runs over, or an assignment unpacks; or with one for each item."""
    statement, node = needed.statement, needed.node
    whole = _name_given(statement, node)
    stem = "t" if whole is None else ir.base_name(whole)

    def named(ctx: Any) -> Any:
        if needed.known is not None:
            return ir.duplicate(needed.known)
        if needed.count is None:
            return gast.copy_location(ir.name(f"t.u{number}"), node)
        counts = [None] * needed.count if isinstance(needed.count, int) else needed.count
        items: list[Any] = [ir.name(f"{stem}_{k}.u{number}") for k in range(len(counts))]
        if isinstance(ctx, gast.Load):
            items = list(map(_items, items, counts))
        return all_at(gast.Tuple(items, ctx), node)

    names = {part: f"t.u{number}b{k}" for k, part in enumerate(needed.before)}

    def renamed(part: Any) -> Any:
        if part in names:
            return gast.copy_location(ir.name(names[part]), part)
        return named(gast.Load()) if part is node else None

    first = (ir.Assign(renamed(part), part, statement.origin) for part in needed.before)
    itself: ir.Statement = ir.Do(gast.copy_location(gast.Expr(node), node), statement.origin)
    if needed.known is None:
        itself = ir.Assign(named(gast.Store()), node, statement.origin)
    new = map_nodes(statement, renamed)
    return _replaced(function, statement, lambda: (*first, itself, new))


def _items(node: Any, count: Count | None) -> Any:
    """What has this many items, put together of these: `(m_0[0], m_0[1])`"""
    if count is None:
        return node
    counts = [None] * count if isinstance(count, int) else count
    parts = [
        gast.Subscript(ir.duplicate(node), constant(k), gast.Load()) for k in range(len(counts))
    ]
    return gast.Tuple(list(map(_items, parts, counts)), gast.Load())


def with_loop(function: ir.Function, needed: InLoop, number: int) -> ir.Function:
    """The function with a loop for a comprehension, under the name that the line gives it, if it does."""
    line, node = needed.statement, needed.node
    guarded = any(isinstance(s, ir.Try) for s in ir.walk_statements(function.body))
    own = None if guarded else _name_given(line, node)
    names = {node: own or f"t.u{number}"}
    names |= {part: f"t.u{number}b{k}" for k, part in enumerate(needed.before)}
    named = names_instead(names)
    first = (ir.Assign(named(part), part, line.origin) for part in needed.before)
    loop = appended_in_loop(node, names[node], lambda old: f"{old}.u{number}v", line.origin)
    rest = () if own else (map_nodes(line, named),)
    return _replaced(function, line, lambda: (*first, *loop, *rest))


def _name_given(line: ir.Statement, node: Any) -> str | None:
    match line:
        case ir.Assign(gast.Name(id=name), value) if value is node and name not in ir.names_in(
            node
        ):
            return str(name)
    return None


def with_unpacked(function: ir.Function, needed: Unpack, number: int) -> ir.Function:
    """The function with names for what a starred argument gives."""
    call, star = needed.call, needed.star
    targets, given = [], []
    for name in needed.names:
        value = f"{name.removeprefix('*')}.u{number}"
        target, argument = ir.name(value), ir.name(value)
        if name.startswith("*"):
            target = gast.Starred(target, gast.Store())
            argument = gast.Starred(argument, gast.Load())
        targets.append(target)
        given.append(argument)
    others = [arg for arg in call.args if arg not in needed.last]
    args = [new for arg in others for new in (given if arg is star else [arg])]
    plain = all_at(gast.Call(call.func, args, call.keywords), call)

    def renamed(part: Any) -> Any:
        return plain if part is call else None

    line = needed.statement
    new = map_nodes(line, renamed)
    first = tuple(_given_by(needed, targets, 0))
    for fewer in range(1, len(needed.defaults) + 1):
        first = (_with_fewer(needed, targets, fewer, first),)
    return _replaced(function, line, lambda: (*first, new))


def _with_fewer(
    needed: Unpack, targets: Sequence[Any], fewer: int, otherwise: ir.Block
) -> ir.Statement:
    """If len(p) == 1: a, = p; b = 2.0"""
    given = constant(len(targets) - len(needed.last) - fewer)
    test = all_at(quote("len({p}) == {k}", p=needed.star.value, k=given), needed.star)
    return ir.If(
        ir.duplicate(test), tuple(_given_by(needed, targets, fewer)), otherwise,
        needed.statement.origin,
    )  # fmt: skip


def _given_by(needed: Unpack, targets: Sequence[Any], fewer: int) -> list[ir.Statement]:
    """The lines that give all the names their values, as many of them as there may be fewer by their defaults."""
    star = needed.star
    given = len(targets) - len(needed.last) - fewer
    values = (*needed.last, *needed.defaults[len(needed.defaults) - fewer :])
    pairs = list(zip(targets[given:], values, strict=True))
    if given or not values:
        pairs.insert(0, (gast.Tuple(list(targets[:given]), gast.Store()), star.value))

    def placed(node: Any) -> Any:
        return all_at(ir.duplicate(node), star)

    return [
        ir.Assign(placed(target), placed(value), needed.statement.origin) for target, value in pairs
    ]


def unrolled(function: ir.Function, needed: Unroll, number: int) -> ir.Function:
    """The function with one loop written out.

    number: tells the values of this loop's trips from those of others.
    """
    loop = needed.loop
    own, handed_on = _own_values(function, loop), _handed_on(function, loop, needed.longer)
    handed = {name: _is_read_after(function, loop, name) for name in handed_on - own}
    writer = _Writer(loop, needed.stable, own, handed, number, needed.longer, needed.lasts)
    return _replaced(function, loop, lambda: (*needed.taken, *writer.trips(needed.items)))


def _replaced(function: ir.Function, one: ir.Statement, new: Callable[[], ir.Block]) -> ir.Function:
    """The function with other statements in the place of one."""

    def block(old: ir.Block) -> ir.Block:
        return tuple(new for statement in old for new in statement_of(statement))

    def statement_of(statement: ir.Statement) -> Iterator[ir.Statement]:
        if statement is one:
            yield from new()
        elif one in ir.walk_statements((statement,)):
            yield map_blocks(statement, block)
        else:
            yield statement

    return replace(function, body=block(function.body))


@dataclass(frozen=True)
class _Writer:
    """A loop, the values that each of its trips binds for itself, and those that it hands on to the next.

    handed_on: whether somebody may read those after the loop.
    """

    loop: ir.For
    stable: Container[Any]
    own: Set[str]
    handed_on: Mapping[str, bool]
    number: int
    longer: Sequence[Any]
    lasts: ir.Block

    def trips(self, items: Sequence[Any]) -> Iterator[ir.Statement]:
        loop = self.loop
        handed: dict[str, Any] = {}
        for k, item in enumerate(items):
            mark = f"u{self.number}n{k}"
            trip = _Trip({name: ir.name(_of_trip(name, mark)) for name in self.own} | handed)
            heads = list(self.heads(loop.target, item, trip))
            last = k + 1 == len(items)
            handed = {
                name: ir.name(name if last and is_read else _of_trip(name, mark))
                for name, is_read in self.handed_on.items()
            }
            body = (*heads, *self.lines(trip, handed), *map(trip.statement, self.lasts))
            for array in self.longer:
                body = (ir.If(self.reaches(array, k), body, (), loop.origin),)
            if k == 0 or loop.stop is None:
                yield from body
            else:
                leave = gast.UnaryOp(gast.Not(), trip.expression(loop.stop))
                yield ir.If(gast.copy_location(leave, loop.iter), body, (), loop.origin)

    def lines(self, trip: _Trip, handed: dict[str, Any]) -> Iterator[ir.Statement]:
        """The lines of a trip; what it hands on is read by the name that it had before, up to where it is bound."""
        for statement in self.loop.body:
            name = _handed(statement)
            if name in handed and isinstance(statement, ir.Assign):
                value = trip.expression(statement.value)
                trip.instead[name] = handed[name]
                yield ir.Assign(trip.expression(statement.target), value, statement.origin)
            else:
                yield trip.statement(statement)

    def reaches(self, array: Any, k: int) -> Any:
        """len(array) > k"""
        test = quote("len({a}) > {k}", a=written_out(array), k=gast.Constant(k, None))
        return all_at(test, self.loop.iter)

    def heads(self, target: Any, item: Any, trip: _Trip) -> Iterator[ir.Statement]:
        """What a trip gets: a value, or where that means the same anywhere, what takes the place of the name."""
        displays = (gast.Tuple, gast.List)
        if (
            isinstance(target, displays)
            and isinstance(item, gast.Tuple)
            and len(target.elts) == len(item.elts)
        ):
            for inner, part in zip(target.elts, item.elts, strict=True):
                yield from self.heads(inner, part, trip)
            return
        value = trip.expression(item)
        for part in ir.walk(value):
            gast.copy_location(part, self.loop.iter)
        constant = isinstance(item, (gast.Constant, gast.UnaryOp))
        if (constant or item in self.stable) and self.is_bound_once(target):
            trip.instead[target.id] = value
        else:
            yield ir.Assign(trip.expression(target), value, self.loop.origin)

    def is_bound_once(self, target: Any) -> bool:
        """Whether a name is that of one item through all of a trip."""
        bound = ir.bound_within(self.loop.body)
        return isinstance(target, gast.Name) and target.id in self.own and target.id not in bound


def _of_trip(name: str, mark: str) -> str:
    """The value that stands for another in one trip: `x.2@1` becomes `x.2u0n3@1`."""
    stem, _, version = name.rpartition(".")
    before, at, path = version.partition("@")
    return f"{stem}.{before}{mark}{at}{path}"


def _own_values(function: ir.Function, loop: ir.For) -> Set[str]:
    """The values that each trip binds for itself, and that nobody reads after the loop."""
    head = ir.Assign(loop.target, gast.Constant(None, None), loop.origin)
    body: ir.Block = (head, *loop.body)
    bound = ir.bound_within(body)
    inside = set(ir.walk_statements((loop,)))
    outside = [s for s in ir.walk_statements(function.body) if s not in inside]
    used = {n for s in outside for n in ir.mentioned(s)}
    used |= {
        n
        for s in outside
        if isinstance(s, (ir.For, ir.While)) and s.stop
        for n in ir.names_in(s.stop)
    }
    used |= set(ir.names_in(loop.stop)) if loop.stop is not None else set()
    return bound - read_before_set(body) - used - _captured(function) - set(function.parameters)


def _captured(function: ir.Function) -> Set[str]:
    """The values that functions inside read when they are called; a default is what it is where they are made."""
    lines = ir.walk_statements(function.body)
    nodes = (node for s in lines for e in ir.expressions_of(s) for node in ir.walk(e))
    return {n.id for node in nodes if isinstance(node, Closure) for n in read_later(node)}


def _handed_on(function: ir.Function, loop: ir.For, longer: Sequence[Any]) -> Set[str]:
    """The values that each trip hands on to the next as another dict than it got, `previous = current`.

    The last trip binds those that are read after it under their own names, so all trips have to be made, one after
    the other.
    """
    tried = any(isinstance(s, (ir.Try, ir.With)) for s in ir.walk_statements(function.body))
    if tried or loop.stop is not None or longer:
        return set()
    bound = Counter(n for s in ir.walk_statements((loop,)) for n in ir.defined_names(s))
    dels = (s.node for s in loop.body if isinstance(s, ir.Do) and isinstance(s.node, gast.Delete))
    deleted = {name for node in dels for name in ir.names_in(node)}
    candidates = set(map(_handed, loop.body)) - deleted
    return {n for n in candidates if bound[n] == 1} - _captured(function) - set(function.parameters)


def _is_read_after(function: ir.Function, loop: ir.For, name: str) -> bool:
    """Whether a value may be read outside of a loop that binds it: by a line there, or on another trip around it."""
    inside = set(ir.walk_statements((loop,)))
    outside = [s for s in ir.walk_statements(function.body) if s not in inside]
    around = (s for s in outside if isinstance(s, (ir.For, ir.While)))
    if any(loop in set(ir.walk_statements(s.body)) for s in around):
        return True
    bound = sum(ir.defined_names(s).count(name) for s in outside if isinstance(s, ir.Assign))
    return sum(ir.mentioned(s).count(name) for s in outside) > bound


def _handed(statement: ir.Statement) -> str:
    """The name that another dict gets, `current = {}`, `previous = current`; none where it is that of an element."""
    match statement:
        case ir.Assign(target=gast.Name(id=str(name)), value=gast.Name() | gast.Dict()):
            return "" if "@" in name else name
    return ""


@dataclass(frozen=True)
class _Trip:
    """One copy of the body: its nodes are its own, since facts belong to nodes.

    instead: by the names of the body, what stands for them in this trip.
    """

    instead: dict[str, Any]

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(map(self.statement, block))

    def statement(self, statement: ir.Statement) -> ir.Statement:
        return map_statement(statement, self.expression, self.block)

    def expression(self, node: Any) -> Any:
        return with_places(written_out(node, self.instead))
