"""Changes of lists of differentiated values, in terms of those that the way back knows.

xs.sort(key=f)    ->  xs = sorted(xs, key=f)
xs[1:] = ys       ->  xs = xs[:1] + list(ys)
del xs[i]         ->  xs.pop(i)

Where somebody else may know the list, it is filled anew: t = sorted(xs); xs.clear(); xs.extend(t).
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer.in_place_calls import InPlaceCall
from tangentish.infer.literals import literal_of
from tangentish.ir.quote import quote

BOUND_ANEW = object()  # in the place of the function: nobody but one name knows the list
FILLED_ANEW = object()


def sort_list(call: InPlaceCall) -> None:
    """xs.sort(key=f, reverse=r)"""
    (xs,) = call.args
    keywords = [gast.keyword(name, value) for name, value in call.keywords.items()]
    _fill_anew(call, xs, gast.Call(quote("sorted"), [xs], keywords))


def store_part(call: InPlaceCall) -> None:
    """xs[a:b] = ys"""
    target, ys = call.args
    _store(call, target, _listed(ys))


def delete_part(call: InPlaceCall) -> None:
    """Del xs[a:b]"""
    (target,) = call.args
    _store(call, target, None)


def delete_item(call: InPlaceCall) -> None:
    """Del xs[i]"""
    (target,) = call.args
    _do(call, quote("{xs}.pop({i})", xs=target.value, i=target.slice))


def is_plain_part(part: Any) -> bool:
    """Whether a slice is what lies between two parts of the list, for sure, which may be empty."""
    if part.step is not None:
        return False
    ends = [None if e is None else literal_of(e) for e in (part.lower, part.upper)]
    if part.lower is None or part.upper is None:
        return True
    first, last = ends
    return isinstance(first, int) and isinstance(last, int) and 0 <= first <= last


def _store(call: InPlaceCall, target: Any, new: Any) -> None:
    xs, part = target.value, target.slice
    parts = [] if new is None else [new]
    if part.lower is not None:
        parts.insert(0, quote("{xs}[:{a}]", xs=xs, a=part.lower))
    if part.upper is not None:
        parts.append(quote("{xs}[{b}:]", xs=_again(call, xs), b=part.upper))
    if not parts:
        _do(call, quote("{xs}.clear()", xs=xs))
        return
    whole = parts[0]
    for other in parts[1:]:
        whole = gast.BinOp(whole, gast.Add(), other)
    _fill_anew(call, xs, whole)


def _listed(ys: Any) -> Any:
    match ys:
        case gast.List() | gast.ListComp():
            return ys
        case gast.Tuple(elts=elements):
            return gast.copy_location(gast.List(elements, gast.Load()), ys)
    return quote("list({ys})", ys=ys)


def _fill_anew(call: InPlaceCall, xs: Any, value: Any) -> None:
    if call.function is BOUND_ANEW:
        call.lines.append(ir.Assign(ir.duplicate(xs), _here(call, value), call.origin))
        return
    target = _here(call, ir.name(call.fresh("t")))
    call.lines.append(ir.Assign(target, _here(call, value), call.origin))
    _do(call, quote("{xs}.clear()", xs=_again(call, xs)))
    _do(call, quote("{xs}.extend({t})", xs=_again(call, xs), t=ir.name(target.id)))


def _again(call: InPlaceCall, node: Any) -> Any:
    """The same expression in another place, of which the same is known."""
    new = ir.duplicate(node)
    kinds = call.facts.kinds
    for old, other in zip(ir.walk(node), ir.walk(new), strict=True):
        if old in kinds:
            kinds[other] = kinds[old]
    return new


def _do(call: InPlaceCall, change: Any) -> None:
    call.lines.append(ir.Do(_here(call, gast.Expr(_here(call, change))), call.origin))


def _here(call: InPlaceCall, node: Any) -> Any:
    return gast.copy_location(node, call.args[0])


RESIZING = {store_part, delete_part, delete_item}
LIST_LINES = {sort_list, *RESIZING}
