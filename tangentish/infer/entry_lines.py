"""Methods of dicts whose keys are computed, in terms of entries.

y = d.get(key, v)           ->    y = v; if key in d: y = d[key]
y = d.setdefault(key, v)    ->    if key not in d: d[key] = v; y = d[key]
y = d.pop(key, v)           ->    y = v; if key in d: y = d.pop(key)
d.setdefault(key, []).append(v)    ->    if key not in d: d[key] = []; d[key].append(v)
d.update(e)                 ->    for k in e: d[k] = e[k]
d.update(pairs, b=v)        ->    for k, t in pairs: d[k] = t; d["b"] = v
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.in_place_calls import InPlaceCall
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Opaque, Seq, Tup
from tangentish.language.placed import all_at


def read_entry(call: InPlaceCall) -> Any:
    """d.get(key, default)"""
    return _found(call, lambda d, key: _entry(call, d, key, gast.Load()))


def take_entry(call: InPlaceCall) -> Any:
    """d.pop(key, default)"""
    return _found(call, lambda d, key: _taken(call, d, key))


def drop_entry(call: InPlaceCall) -> None:
    """d.pop(key, default) on a line of its own"""
    d, key, default = call.args
    key = call.named(key, "key")
    if not isinstance(default, (gast.Name, gast.Constant)):
        call.named(default, "t")
    line = ir.Do(call.here(gast.Expr(_taken(call, d, key))), call.origin)
    call.lines.append(ir.If(_asked(call, gast.In(), d, key), (line,), (), call.origin))


def _found(call: InPlaceCall, entry: Callable[[Any, Any], Any]) -> Any:
    """What there is under a key, or a default."""
    d, key, *default = call.args
    key = call.named(key, "key")
    value = default[0] if default else constant(None)
    name = call.fresh(f"{ir.base_name(d.id)}_value")
    found = _assign(call, name, entry(d, key))
    call.lines.append(_assign(call, name, value))
    call.lines.append(ir.If(_asked(call, gast.In(), d, key), (found,), (), call.origin))
    return call.here(ir.name(name))


def _taken(call: InPlaceCall, d: Any, key: Any) -> Any:
    return all_at(quote("{d}.pop({k})", d=ir.duplicate(d), k=ir.duplicate(key)), call.args[0])


def set_entry(call: InPlaceCall) -> Any:
    """d.setdefault(key, default)"""
    d, key, *default = call.args
    key = call.named(key, "key")
    value = _named_inside(call, default[0])
    new = ir.Assign(_entry(call, d, key, gast.Store()), value, call.origin)
    call.lines.append(ir.If(_asked(call, gast.NotIn(), d, key), (new,), (), call.origin))
    return _entry(call, d, key, gast.Load())


def _named_inside(call: InPlaceCall, default: Any) -> Any:
    """A default that is evaluated whether or not it is wanted; a list is put together where it is."""
    if isinstance(default, gast.List):
        return call.here(gast.List([call.named(e, "t") for e in default.elts], gast.Load()))
    return call.named(default, "t")


def into_entry(call: InPlaceCall) -> None:
    """d.setdefault(key, []).append(v)"""
    receiver = call.node.func.value
    asked = call.facts.callees[receiver]
    setting = dataclasses.replace(call, node=receiver, args=list(asked.args), lines=call.lines)
    change_entry(call, set_entry(setting))


def change_entry(call: InPlaceCall, entry: Any) -> None:
    """The method of what setdefault gives, called of the entry that was set."""
    method = call.here(gast.Attribute(entry, call.node.func.attr, gast.Load()))
    change = call.here(gast.Call(method, call.args[1:], []))
    call.lines.append(ir.Do(call.here(gast.Expr(change)), call.origin))


def entries_made(statement: ir.If) -> Iterator[Any]:
    """The target of `d[key] = v` that comes first where `key not in d`."""
    match statement.test:
        case gast.Compare(left=key, ops=[gast.NotIn() | gast.In() as op], comparators=[d]):
            block = statement.body if isinstance(op, gast.NotIn) else statement.orelse
        case _:
            return
    match block:
        case (ir.Assign(gast.Subscript(value=gast.Name(id=name), slice=k) as target, _), *_):
            plain = isinstance(key, (gast.Name, gast.Constant)) and isinstance(d, gast.Name)
            if plain and d.id == name and gast.dump(k) == gast.dump(key):
                yield target


def set_entries(call: InPlaceCall) -> None:
    """d.update(e, b=v), d |= e"""
    d, *others = call.args
    call.node = d
    values = list(call.keywords.values())
    others = [_displayed(call, e) for e in others]
    values = [call.named(v, "t") for v in values]
    for e in others:
        if isinstance(e, gast.Dict):
            for key, value in zip(e.keys, e.values, strict=True):
                _store(call, d, key, value)
        else:
            call.lines.append(_stores(call, d, e))
    for name, value in zip(call.keywords, values, strict=True):
        _store(call, d, call.here(gast.Constant(name, None)), value)


def _displayed(call: InPlaceCall, e: Any) -> Any:
    """A dict by its name, or by its entries, which have names before the first of them is stored."""
    kind = call.kind(e)
    if isinstance(e, gast.Dict):
        pairs = zip(e.keys, e.values, strict=True)
        named = [(call.named(k, "key"), call.named(v, "t")) for k, v in pairs]
        return gast.Dict([k for k, _ in named], [v for _, v in named])
    if isinstance(kind, Tup) and kind.is_mapping:
        keys = [call.here(gast.Constant(key, None)) for key in kind.keys or ()]
        return gast.Dict(keys, [_entry(call, e, key, gast.Load()) for key in keys])
    return call.named(e, "t") if isinstance(e, gast.DictComp) else e


def _stores(call: InPlaceCall, d: Any, e: Any) -> ir.Statement:
    """The loop that stores what another dict holds, or pairs of keys and values."""
    kind, key = call.kind(e), call.here(ir.name(call.fresh("k")))
    if isinstance(e, gast.Name) and isinstance(kind, (Seq, Opaque)) and _is_dict(kind):
        value, target = _entry(call, e, key, gast.Load()), key
    else:
        value = call.here(ir.name(call.fresh("t")))
        target = call.here(gast.Tuple([key, value], gast.Store()))
    line = ir.Assign(_entry(call, d, key, gast.Store()), value, call.origin)
    return ir.For(target, e, (line,), None, call.origin)


def _is_dict(kind: Seq | Opaque) -> bool:
    return kind.keyed if isinstance(kind, Seq) else kind.type is dict


def _store(call: InPlaceCall, d: Any, key: Any, value: Any) -> None:
    call.lines.append(ir.Assign(_entry(call, d, key, gast.Store()), value, call.origin))


def _assign(call: InPlaceCall, name: str, value: Any) -> ir.Statement:
    value = gast.copy_location(value, call.node) if isinstance(value, gast.Constant) else value
    return ir.Assign(call.here(ir.name(name)), value, call.origin)


def _entry(call: InPlaceCall, d: Any, key: Any, ctx: Any) -> Any:
    entry = call.here(gast.Subscript(ir.duplicate(d), ir.duplicate(key), ctx))
    entry.is_there = isinstance(ctx, gast.Load)
    return entry


def _asked(call: InPlaceCall, op: Any, d: Any, key: Any) -> Any:
    return call.here(gast.Compare(ir.duplicate(key), [op], [ir.duplicate(d)]))
