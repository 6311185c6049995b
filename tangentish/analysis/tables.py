"""Dicts of the entries that are read, under computed keys, of the dicts or objects in a dict (infer/tables.py)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import InnerTable, Tabled
from tangentish.ir.origins import origin_of
from tangentish.ir.quote import constant
from tangentish.language.placed import all_at
from tangentish.language.webs import map_blocks, map_expressions, map_statement
from tangentish.language.written_out import written_out


def with_tables(function: ir.Function, needed: Tabled, number: int) -> ir.Function:
    """The function with such a dict for each entry, made where it begins."""
    stem = ir.base_name(needed.owner.id)
    names: dict[str, str] = {}
    lines: list[ir.Statement] = []
    for entry, key in needed.entries.items():
        if key in names:
            continue
        stands = f"{stem}_{key}" if key.isidentifier() else stem
        names[key] = f"{stands}.d{number}n{len(names)}"
        target = gast.copy_location(ir.name(names[key]), entry)
        lines.append(ir.Assign(target, _table(needed, entry), origin_of(function.body[0])))

    def change(node: Any) -> Any | None:
        if node not in needed.entries:
            return None
        table = gast.copy_location(ir.name(names[needed.entries[node]]), node)
        key = ir.copy_expression(_key_asked(node.value, needed), change)
        return gast.copy_location(gast.Subscript(table, key, gast.Load()), node)

    keyed = _with_keys_named(function.body, needed)
    body = map_expressions(keyed, lambda e: ir.copy_expression(e, change))
    return replace(function, body=(*lines, *body))


def _with_keys_named(block: ir.Block, needed: Tabled) -> ir.Block:
    """M = mats[e.mat]  ->  m_key = e.mat; no line where the key has a name that stays."""
    lines = {element.line: name for name, element in needed.named.items()}

    def each(statement: ir.Statement) -> Iterator[ir.Statement]:
        if not (isinstance(statement, ir.Assign) and statement in lines):
            yield map_blocks(statement, inside)
        elif not needed.named[lines[statement]].stays:
            target = all_at(ir.name(_key_of(lines[statement]), gast.Store()), statement.target)
            yield ir.Assign(target, statement.value.slice, statement.origin)

    def inside(block: ir.Block) -> ir.Block:
        return tuple(new for statement in block for new in each(statement))

    return inside(block)


def _key_asked(element: Any, needed: Tabled) -> Any:
    """The key under which an element stands: mats[k], or m."""
    if not isinstance(element, gast.Name):
        return element.slice
    named = needed.named[element.id]
    key = named.key if named.stays else ir.name(_key_of(element.id))
    return all_at(written_out(key), element)


def _key_of(name: str) -> str:
    """The name of the key under which an element with a name stands."""
    return f"{ir.base_name(name)}_key.{name.rpartition('.')[2]}"


def named_table(needed: InnerTable, number: int) -> ir.Block:
    """A line that gives a dict in another container a name, and the line or loop that asks it by that name."""
    owner, text = needed.owner, ir.dump(needed.owner)
    stem = owner.attr if isinstance(owner, gast.Attribute) else getattr(owner.slice, "value", None)
    stem = stem if isinstance(stem, str) and stem.isidentifier() else "table"
    name = f"{stem}.d{number}"

    def entry(key: Any) -> Any:
        return gast.Subscript(ir.duplicate(owner), constant(key), gast.Load())

    table = gast.Dict(list(map(constant, needed.keys)), list(map(entry, needed.keys)))
    line = ir.Assign(
        all_at(ir.name(name), owner), all_at(table, owner), origin_of(needed.statement)
    )

    def change(node: Any) -> Any | None:
        is_owner = node.__class__ is owner.__class__ and ir.dump(node) == text
        return gast.copy_location(ir.name(name), node) if is_owner else None

    def expression(node: Any) -> Any:
        return ir.copy_expression(node, change)

    def block(lines: ir.Block) -> ir.Block:
        return map_expressions(lines, expression)

    is_loop = isinstance(needed.statement, (ir.For, ir.While))
    asking = map_statement(needed.statement, expression, block if is_loop else lambda b: b)
    return (line, asking)


def _table(needed: Tabled, entry: Any) -> Any:
    """{"steel": mats["steel"].E, "alu": mats["alu"].E}"""

    def read(key: Any) -> Any:
        element = gast.Subscript(ir.name(needed.owner.id), constant(key), gast.Load())
        return ir.with_fields(entry, {"value": gast.copy_location(element, entry)})

    keys = [gast.copy_location(constant(key), entry) for key in needed.keys]
    return gast.copy_location(gast.Dict(keys, list(map(read, needed.keys))), entry)
