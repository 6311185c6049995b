"""Dicts of the entries that are read, under computed keys, of the dicts or objects in a dict (infer/tables.py)."""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Tabled
from tangentish.ir.origins import origin_of
from tangentish.ir.quote import constant
from tangentish.language.webs import map_expressions

__all__ = ["with_tables"]


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
        key = ir.copy_expression(node.value.slice, change)
        return gast.copy_location(gast.Subscript(table, key, gast.Load()), node)

    body = map_expressions(function.body, lambda e: ir.copy_expression(e, change))
    return ir.Function(function.name, function.arguments, function.parameters, (*lines, *body))


def _table(needed: Tabled, entry: Any) -> Any:
    """{"steel": mats["steel"].E, "alu": mats["alu"].E}"""

    def read(key: Any) -> Any:
        element = gast.Subscript(ir.name(needed.owner.id), constant(key), gast.Load())
        return ir.with_fields(entry, {"value": gast.copy_location(element, entry)})

    keys = [gast.copy_location(constant(key), entry) for key in needed.keys]
    return gast.copy_location(gast.Dict(keys, list(map(read, needed.keys))), entry)
