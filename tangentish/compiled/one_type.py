"""Lists of one type: what starts with integers and gets floats is made of floats.

    out = [0] * n                  out = [0.0] * n
    out[i] = x[i]                  out[i] = x[i]
    counts = list(range(3))        counts = [float(v) for v in range(3)]
    kept = []                      kept = [0.0][:0]
    add_to(kept)                   add_to(kept)

A list of Numba's has the type of what it is made of. Whatever is not found here, and would be cut, is refused once the
types are known (narrowed.py).
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Num, Seq, is_number
from tangentish.language.webs import map_statement


def of_one_type(block: ir.Block, facts: Facts) -> ir.Block:
    """The block, its lists of floats made of floats."""
    return _of_one_type(block, facts, _handed_on(block))


def _of_one_type(block: ir.Block, facts: Facts, handed_on: frozenset[str]) -> ir.Block:
    return tuple(_statement(s, facts, handed_on) for s in block)


def _handed_on(block: ir.Block) -> frozenset[str]:
    """The names that calls of generated functions and helpers are given, which may be all that tells a list's type."""
    expressions = (e for s in ir.walk_statements(block) for e in ir.expressions_of(s))
    calls = (node for e in expressions for node in ir.walk(e) if isinstance(node, gast.Call))
    own = (call for call in calls if isinstance(call.func, gast.Name) and call.func.id[:1] == "$")
    return frozenset(a.id for call in own for a in call.args if isinstance(a, gast.Name))


def _statement(statement: ir.Statement, facts: Facts, handed_on: frozenset[str]) -> ir.Statement:
    match statement:
        case ir.Assign(gast.Name(id=name) as target, gast.List(elts=[]), origin) if (
            name in handed_on and _holds_floats(name, facts)
        ):
            one = _empty(facts.web_kinds[name])
            return statement if one is None else ir.Assign(target, one, origin)
        case ir.Assign(gast.Name(id=name) as target, value, origin) if _holds_floats(name, facts):
            return ir.Assign(target, _made_of_floats(value, facts), origin)
        case ir.Do(
            gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id=name), attr="append") as method,
                    args=[value],
                )
            ),
            origin,
        ) if _holds_floats(name, facts):
            call = gast.Call(method, [_as_float(value, facts)], [])
            return ir.Do(gast.Expr(call), origin)
    return map_statement(
        statement, lambda e: e, lambda inner: _of_one_type(inner, facts, handed_on)
    )


def _empty(kind: Any) -> Any:
    """An empty list of floats; None for a list of lists, and where floats are of some other precision."""
    is_plain = isinstance(kind.item, Num) and kind.item.is_double
    return quote("[0.0][:0]") if is_plain else None


def _holds_floats(name: str, facts: Facts) -> bool:
    kind = facts.web_kinds.get(name)
    if not isinstance(kind, Seq) or kind.is_tuple or kind.keyed:
        return False
    while isinstance(kind, Seq):
        kind = kind.item
    return is_number(kind) and _dtype_kind(kind) == "f"


def _dtype_kind(kind: Any) -> str:
    return "" if not isinstance(kind, Num) or kind.dtype is None else str(kind.dtype.kind)


def _made_of_floats(e: Any, facts: Facts) -> Any:
    match e:
        case gast.List(elts=elts):
            return gast.List([_as_float(one, facts) for one in elts], gast.Load())
        case gast.BinOp(left=gast.List() as items, op=gast.Mult() as times, right=count):
            return gast.BinOp(_made_of_floats(items, facts), times, count)
        case gast.BinOp(left=count, op=gast.Mult() as times, right=gast.List() as items):
            return gast.BinOp(count, times, _made_of_floats(items, facts))
        case gast.IfExp(test=test, body=one, orelse=other):
            parts = _made_of_floats(one, facts), _made_of_floats(other, facts)
            return gast.IfExp(test, *parts)
        case gast.ListComp(elt=one, generators=generators):
            return gast.ListComp(_as_float(one, facts), generators)
        case gast.Call(func=gast.Name(id="$list" | "list"), args=[items]) if _is_whole(
            items, facts
        ):
            return quote("[float(v) for v in {items}]", items=items)
    return e


def _as_float(e: Any, facts: Facts) -> Any:
    """An element, or a list of them."""
    match e:
        case gast.Constant(value=bool()):
            return e
        case gast.Constant(value=int(value)):
            return constant(float(value))
        case gast.List() | gast.ListComp():
            return _made_of_floats(e, facts)
        case gast.BinOp(op=gast.Mult(), left=left, right=right) if isinstance(
            left, gast.List
        ) or isinstance(right, gast.List):
            return _made_of_floats(e, facts)
    kind = facts.kinds.get(e)
    if kind is None and isinstance(e, gast.Name):
        kind = facts.web_kinds.get(e.id)
    if is_number(kind) and _dtype_kind(kind) == "i":
        return quote("float({e})", e=e)
    return e


def _is_whole(e: Any, facts: Facts) -> bool:
    """Whether what is run over has integers: a range, or a tuple or list of which some are."""
    match e:
        case gast.Call(func=gast.Name(id="$range" | "range")):
            return True
        case gast.Tuple(elts=elts) | gast.List(elts=elts):
            return any(_as_float(one, facts) is not one for one in elts)
    return False
