"""Single lines of a list of dicts or objects: where it is made, what is put in, what is put back after a call.

ps = []                      ->     ps = {"x": [], "v": []}
ps.append(Body(x, v))        ->     ps["x"].append(x); ps["v"].append(v)
ps[i].move(dt)               ->     p = Body(ps["x"][i], ps["v"][i]); p.move(dt); ps["x"][i] = p.x
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import GivenAsRecords, LentChanged, OneByOne, PutIn, RecordsNeeded
from tangentish.ir.origins import NOWHERE
from tangentish.kinds import Tup, keyed_records_of
from tangentish.language.comprehensions import Filled
from tangentish.language.lifted import Instance
from tangentish.language.other_names import renamed
from tangentish.language.placed import at
from tangentish.language.records import RecordsDisplay, entry_of_element, list_of_entry
from tangentish.language.ways import Way
from tangentish.language.webs import map_expressions, map_nodes, renamed_in
from tangentish.language.written_out import written_out


def with_records(function: ir.Function, needed: RecordsNeeded) -> ir.Function:
    """The function with the lists of entries in the place of a list that it makes."""

    def change(node: Any) -> Any | None:
        if id(node) != needed.site:
            return None
        keys = [at(gast.Constant(key, None), node) for key in needed.keys]
        if needed.keyed:
            dicts = [at(Filled([], []), node) for _ in needed.keys]
            return at(RecordsDisplay(keys, dicts, keyed_records_of(needed.of)), node)
        values = [at(gast.List([], gast.Load()), node) for _ in needed.keys]
        return at(RecordsDisplay(keys, values, needed.of), node)

    body = map_expressions(function.body, lambda node: ir.copy_expression(node, change))
    return replace(function, body=body)


def emptied(line: ir.Assign | ir.Do, way: Way) -> ir.Statement:
    """self.bodies = []"""
    node = line.origin.node
    target = ir.with_fields(way.node(node), {"ctx": gast.Store()})
    return ir.Assign(target, at(gast.List([], gast.Load()), node), line.origin)


def listed(line: Any, way: Way, count: int, number: int) -> ir.Block:
    """The line, and net.ws = [net.ws[0], net.ws[1]] after it; of b, a = f(x) it is b, t = f(x); a = [t[0], t[1]]"""
    node = line.origin.node
    target = ir.with_fields(way.node(node), {"ctx": gast.Store()})
    if not way.steps:
        given = f"{ir.base_name(way.root)}.u{number}"
        line = replace(line, target=renamed(line.target, {way.root: given}))
        way = Way(given)
    indices = [at(gast.Constant(k, None), node) for k in range(count)]
    elements = [at(gast.Subscript(way.node(node), k, gast.Load()), node) for k in indices]
    display = at(gast.List(elements, gast.Load()), node)
    return line, ir.Assign(target, display, line.origin)


def given_as_records(function: ir.Function, needed: GivenAsRecords, number: int) -> ir.Function:
    """The function with a list that it was given by the lists of its entries, which the first line makes.

    nodes_x, nodes_y = [nodes[0].x, nodes[1].x], [nodes[0].y, nodes[1].y]
    """
    way, node = needed.way, needed.node
    elements = [
        at(gast.Subscript(way.node(node), at(gast.Constant(k, None), node), gast.Load()), node)
        for k in range(len(needed.elements))
    ]
    made = _by_entries(elements, needed.elements, node)
    name = f"{ir.base_name(way.root)}.u{number}"
    whole = _holding(at(ir.name(way.root), node), needed.root, [key for _, key in way.steps], made)
    first = ir.Assign(at(ir.name(name), node), whole, NOWHERE)
    body = renamed_in(function.body, {way.root: name})
    return replace(function, body=(first, *body))


def _holding(whole: Any, kind: Any, path: Sequence[Hashable], made: Any) -> Any:
    """A dict or an object with what was made where a path leads; that itself where there is none."""
    if not path:
        return made
    keys, values = [], []
    for key, item in zip(kind.keys, kind.items, strict=True):
        value = _asked_for(whole, key, kind, whole)
        values.append(_holding(value, item, path[1:], made) if key == path[0] else value)
        keys.append(at(gast.Constant(key, None), whole))
    display = (
        Instance(keys, values, whole, kind.type) if kind.is_object else gast.Dict(keys, values)
    )
    return at(display, whole)


def _by_entries(elements: Sequence[Any], kinds: Sequence[Tup], node: Any) -> Any:
    """The lists of the entries of some elements; of entries that are dicts or objects again such."""
    one = kinds[0]
    values = []
    for k, key in enumerate(one.keys or ()):
        column = [_asked_for(element, key, one, node) for element in elements]
        inner = [item for kind in kinds if isinstance(item := kind.items[k], Tup) and item.keys]
        if inner and not inner[0].is_counted:
            values.append(_by_entries(column, inner, node))
        else:
            values.append(at(gast.List(column, gast.Load()), node))
    keys = [at(gast.Constant(key, None), node) for key in one.keys or ()]
    return at(RecordsDisplay(keys, values, one.type or dict), node)


def _asked_for(element: Any, key: Any, kind: Tup, node: Any) -> Any:
    if kind.is_object:
        return at(gast.Attribute(element, str(key), gast.Load()), node)
    return at(gast.Subscript(element, at(gast.Constant(key, None), node), gast.Load()), node)


def one_by_one(needed: OneByOne) -> Iterator[ir.Statement]:
    """`ps, t = [], 0.0` is `ps = []; t = 0.0`, and `p, q = ps` is `p = ps[0]; q = ps[1]`."""
    line = needed.statement
    for target, value in zip(line.target.elts, needed.values, strict=True):
        yield ir.Assign(target, value, line.origin)


def filled(line: ir.Assign) -> Iterator[ir.Statement]:
    """`ps = [p, q]` is `ps = []; ps.append(p); ps.append(q)`."""
    display: Any = line.value
    yield ir.Assign(line.target, at(gast.List([], gast.Load()), display), line.origin)
    for element in display.elts:
        append = at(gast.Attribute(ir.name(line.target.id), "append", gast.Load()), element)
        yield ir.Do(
            at(gast.Expr(at(gast.Call(append, [element], []), element)), display), line.origin
        )


def put_in(needed: PutIn, number: int) -> Iterator[ir.Statement]:
    """ps["x"].append(p.x); ps["v"].append(p.v)"""
    line = needed.statement
    node = line.target if isinstance(line, ir.Assign) else line.node.value
    entries = needed.values or _entries(needed, node)
    if needed.values is None and needed.nested:
        names = {key: f"{key}.c{number}" for key in entries}
        for key, entry in entries.items():
            yield ir.Assign(at(ir.name(names[key], gast.Store()), node), entry, line.origin)
        entries = {key: at(ir.name(name), node) for key, name in names.items()}
    for key, entry in entries.items():
        if isinstance(line, ir.Assign):
            index = written_out(node.slice)
            place = entry_of_element(needed.records, key, index, node, gast.Store())
            yield ir.Assign(place, entry, line.origin)
            continue
        append = at(
            gast.Attribute(list_of_entry(needed.records, key, node), "append", gast.Load()), node
        )
        call = at(gast.Call(append, [entry], []), node)
        yield ir.Do(at(gast.Expr(call), line.node), line.origin)


def _entries(needed: PutIn, node: Any) -> dict[Hashable, Any]:
    is_object = needed.kind.type.of is not dict
    element = needed.element
    return {
        key: _entry(at(ir.name(element), node), key, is_object, node) for key in needed.kind.keys
    }


def _entry(owner: Any, key: Any, is_object: bool, node: Any) -> Any:
    if is_object:
        return at(gast.Attribute(owner, str(key), gast.Load()), node)
    return at(gast.Subscript(owner, at(gast.Constant(key, None), node), gast.Load()), node)


def put_back(needed: LentChanged, number: int) -> Iterator[ir.Statement]:
    """P = Body(ps["x"][i], ps["v"][i]); p.move(dt); ps["x"][i] = p.x"""
    line: Any = needed.statement
    lent = needed.node
    name = f"{lent.way.base}_item.c{number}"
    made = Instance(lent.keys, lent.values, lent.cls, lent.of)
    target = at(ir.name(name, gast.Store()), lent)

    def change(node: Any) -> Any | None:
        return at(ir.name(name), node) if node is lent else None

    yield ir.Assign(target, at(made, lent), line.origin)
    yield map_nodes(line, change)
    for key in needed.keys:
        index = written_out(lent.index)
        place = entry_of_element(lent.way, key, index, lent, gast.Store())
        value = _entry(at(ir.name(name), lent), key, lent.of is not dict, lent)
        yield ir.Assign(place, value, line.origin)
