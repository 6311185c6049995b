"""Single lines of a list of dicts or objects: where it is made, what is put in, what is put back after a call.

ps = []                      ->     ps = {"x": [], "v": []}
ps.append(Body(x, v))        ->     ps["x"].append(x); ps["v"].append(v)
ps[i].move(dt)               ->     p = Body(ps["x"][i], ps["v"][i]); p.move(dt); ps["x"][i] = p.x
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import LentChanged, OneByOne, PutIn, RecordsNeeded
from tangentish.language.lifted import Instance
from tangentish.language.placed import at
from tangentish.language.records import RecordsDisplay, entry_of_element, list_of_entry
from tangentish.language.ways import Way
from tangentish.language.webs import map_expressions, map_statement
from tangentish.language.written_out import written_out

__all__ = ["emptied", "filled", "listed", "one_by_one", "put_back", "put_in", "with_records"]


def with_records(function: ir.Function, needed: RecordsNeeded) -> ir.Function:
    """The function with the lists of entries in the place of a list that it makes."""

    def change(node: Any) -> Any | None:
        if id(node) != needed.site:
            return None
        keys = [at(gast.Constant(key, None), node) for key in needed.keys]
        values = [at(gast.List([], gast.Load()), node) for _ in needed.keys]
        return at(RecordsDisplay(keys, values, needed.of), node)

    body = map_expressions(function.body, lambda node: ir.copy_expression(node, change))
    return ir.Function(function.name, function.arguments, function.parameters, body)


def emptied(line: ir.Assign | ir.Do, way: Way) -> ir.Statement:
    """self.bodies = []"""
    node = line.origin.node
    target = ir.with_fields(way.node(node), {"ctx": gast.Store()})
    return ir.Assign(target, at(gast.List([], gast.Load()), node), line.origin)


def listed(line: Any, way: Way, count: int) -> ir.Statement:
    """net.ws = [net.ws[0], net.ws[1]]"""
    node = line.origin.node
    target = ir.with_fields(way.node(node), {"ctx": gast.Store()})
    indices = [at(gast.Constant(k, None), node) for k in range(count)]
    elements = [at(gast.Subscript(way.node(node), k, gast.Load()), node) for k in indices]
    return ir.Assign(target, at(gast.List(elements, gast.Load()), node), line.origin)


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
            index = written_out(node.slice, {})
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
    yield map_statement(line, lambda node: ir.copy_expression(node, change), lambda block: block)
    for key in needed.keys:
        index = written_out(lent.index, {})
        place = entry_of_element(lent.way, key, index, lent, gast.Store())
        value = _entry(at(ir.name(name), lent), key, lent.of is not dict, lent)
        yield ir.Assign(place, value, line.origin)
