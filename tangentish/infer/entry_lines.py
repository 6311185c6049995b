"""Methods of dicts whose keys are computed, in terms of entries.

y = d.get(key, v)           ->    y = v; if key in d: y = d[key]
y = d.setdefault(key, v)    ->    if key not in d: d[key] = v; y = d[key]
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer.in_place_calls import InPlaceCall
from tangentish.ir.quote import constant

__all__ = ["read_entry", "set_entry"]


def read_entry(call: InPlaceCall) -> Any:
    """d.get(key, default)"""
    d, key, *default = call.args
    key = call.named(key, "key")
    value = default[0] if default else constant(None)
    name = call.fresh(f"{ir.base_name(d.id)}_value")
    found = _assign(call, name, _entry(call, d, key, gast.Load()))
    call.lines.append(_assign(call, name, value))
    call.lines.append(ir.If(_asked(call, gast.In(), d, key), (found,), (), call.origin))
    return call.here(ir.name(name))


def set_entry(call: InPlaceCall) -> Any:
    """d.setdefault(key, default)"""
    d, key, *default = call.args
    key = call.named(key, "key")
    value = call.named(default[0], "t")
    new = ir.Assign(_entry(call, d, key, gast.Store()), value, call.origin)
    call.lines.append(ir.If(_asked(call, gast.NotIn(), d, key), (new,), (), call.origin))
    return _entry(call, d, key, gast.Load())


def _assign(call: InPlaceCall, name: str, value: Any) -> ir.Statement:
    value = gast.copy_location(value, call.node) if isinstance(value, gast.Constant) else value
    return ir.Assign(call.here(ir.name(name)), value, call.origin)


def _entry(call: InPlaceCall, d: Any, key: Any, ctx: Any) -> Any:
    return call.here(gast.Subscript(ir.duplicate(d), ir.duplicate(key), ctx))


def _asked(call: InPlaceCall, op: Any, d: Any, key: Any) -> Any:
    return call.here(gast.Compare(ir.duplicate(key), [op], [ir.duplicate(d)]))
