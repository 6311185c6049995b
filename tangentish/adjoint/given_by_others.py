"""What functions and iterators of which nothing is known give may lie in memory that they use again.

for w in batches(x): ...    ->    for w in map(kept, batches(x)): ...
w = model.step()            ->    w = kept(model.step())
"""

from __future__ import annotations

import builtins
import collections
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.changed_inside import is_lost
from tangentish.infer import Facts, is_keyed_dict
from tangentish.ir.quote import quote
from tangentish.kinds import Known, Opaque, Tup, is_unknown
from tangentish.language.webs import map_blocks

__all__ = ["given_by_others", "with_kept"]

_LASTING = (list, dict, tuple, set, frozenset, str, range)
_DISPLAYS = (gast.List, gast.Dict, gast.Set, gast.Tuple, gast.ListComp, gast.DictComp, gast.SetComp)
_RUNNING_OVER = (enumerate, zip, reversed, sorted, list, tuple, range, map, filter, iter)
_PASSING = (getattr, max, min)  # builtins that give what they were given, or what others hold


def given_by_others(
    adjoint: ir.Block,
    function: ir.Function,
    facts: Facts,
    made: Mapping[Any, str],
    once: bool,
    outside: bool,
) -> frozenset[str]:
    """The names of such values that the adjoint reads.

    made: the names that the forward pass gives to what the adjoint reads; once: the function is not called by another
    that is differentiated; outside: objects outside may be changed while the function runs.
    """
    values = {name: (node, True) for node, name in made.items()}
    values |= {
        name: (value, again) for name, value, again in _bound(function.body, not once, facts)
    }
    lost = [n for n in values if n not in facts.web_kinds or is_lost(n, facts)]
    displays = frozenset(ir.base_name(n) for n in values if _is_display(values[n][0], facts))
    others = {n for n in lost if values[n][1] and _is_given(values[n][0], facts, displays)}
    if outside:
        others |= {n for n in lost if values[n][1] and _is_held_outside(values[n][0], facts)}
    while more := {n for n in lost if n not in others and _owner(values[n][0]) in others}:
        others |= more  # parts of it
    if not others:
        return frozenset()
    lines = (s for s in ir.walk_statements(adjoint) if not isinstance(s, (ir.If, ir.While)))
    return frozenset(others & {n for s in lines for n in ir.mentioned(s)})


def _owner(value: Any) -> str | None:
    """The name of what an element, or an attribute, is read of."""
    base = ir.owner_of(value) if isinstance(value, (gast.Subscript, gast.Attribute)) else None
    return base.id if isinstance(base, gast.Name) else None


def _bound(block: ir.Block, again: bool, facts: Facts) -> Iterator[tuple[str, Any, bool]]:
    """Each name, what it is bound to, and whether anything that comes later may change that."""
    for statement in reversed(block):
        later = again
        inside = ir.walk_statements((statement,))
        again = again or any(s in facts.effects or _stores_outside(s) for s in inside)
        match statement:
            case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values)):
                pairs = zip(targets, values, strict=False)
                yield from ((n, v, later) for t, v in pairs for n in ir.target_names(t))
            case ir.Assign(target, value):
                yield from ((name, value, later) for name in ir.target_names(target))
            case ir.For(target, iterator):
                yield from ((name, _Each(iterator), True) for name in ir.target_names(target))
        in_loop = isinstance(statement, (ir.For, ir.While))
        for inner in ir.blocks_of(statement):
            yield from _bound(inner, later or in_loop, facts)


def _stores_outside(statement: ir.Statement) -> bool:
    """`config.table["a"][0] = v`"""
    target = getattr(statement, "target", None)
    if not isinstance(target, (gast.Subscript, gast.Attribute)):
        return False
    owner = ir.owner_of(target)
    return isinstance(owner, gast.Name) and not ir.is_value(owner.id)


class _Each:
    """What an iterator gives, one after another."""

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator


def _is_held_outside(value: Any, facts: Facts) -> bool:
    """Whether this reads what an object holds of which only its class is known, or a container outside."""
    owner = ir.owner_of(value) if isinstance(value, (gast.Attribute, gast.Subscript)) else None
    if owner is None:
        return False
    if isinstance(owner, gast.Name) and not ir.is_value(owner.id) and is_unknown(facts.kind(value)):
        return True
    kind = facts.kind(owner)
    return isinstance(kind, Opaque) and kind.type is not None and kind.type not in _LASTING


def _is_display(value: Any, facts: Facts) -> bool:
    """Whether a value is a container that is made here, whose elements stay what they are."""
    callee = facts.callees.get(value)
    function = None if callee is None else callee.function
    made = isinstance(function, type) and issubclass(function, (*_LASTING, collections.deque))
    of_class = getattr(function, "__self__", None) is dict  # dict.fromkeys
    return isinstance(value, _DISPLAYS) or made or of_class


def _is_given(value: Any, facts: Facts, displays: frozenset[str]) -> bool:
    """Whether a value comes from a function, or an iterator, of which nothing is known."""
    if isinstance(value, _Each):
        return _gives_others(value.iterator, facts, displays)
    return (
        isinstance(value, gast.Call)
        and is_unknown(facts.kind(value))
        and _is_unknown(value, facts, displays)
    )


def _is_unknown(call: Any, facts: Facts, displays: frozenset[str]) -> bool:
    callee = facts.callees.get(call)
    if callee is not None and callee.rule is not None:
        return False
    function = None if callee is None else callee.function
    if function is next:
        return _gives_others(call.args[0], facts, displays)
    if getattr(function, "__module__", None) in ("builtins", "math") and function not in _PASSING:
        return False
    if callee is not None and callee.args and is_keyed_dict(facts.kind(callee.args[0])):
        return False  # a key
    receiver = call.func.value if isinstance(call.func, gast.Attribute) else None
    kind = None if receiver is None else facts.kind(receiver)
    text = isinstance(kind, Opaque) and kind.type is str
    return not (text or (isinstance(kind, Known) and isinstance(kind.value, str)))


def _gives_others(iterator: Any, facts: Facts, displays: frozenset[str]) -> bool:
    """Whether what is run over may be made anew, in the same memory, on every trip."""
    if isinstance(iterator, gast.Call) and _function_called(iterator, facts) in _RUNNING_OVER:
        return any(_gives_others(arg, facts, displays) for arg in iterator.args)
    match iterator:
        case gast.Call(func=gast.Attribute(attr="items" | "keys" | "values")):
            return False
        case gast.Name(id=name) if ir.base_name(name) in displays:
            return False
    kind = facts.kind(iterator)
    of_others = isinstance(kind, Opaque) and kind.type not in _LASTING
    return of_others or (isinstance(kind, Tup) and kind.is_object)


def _function_called(call: gast.Call, facts: Facts) -> Any:
    """The function; of a call that stands for others that were written, by its name, which is the built-in one."""
    if isinstance(call.func, gast.Name) and call.func.id.startswith("$"):
        return getattr(builtins, call.func.id[1:], None)
    callee = facts.callees.get(call)
    return None if callee is None else callee.function


def with_kept(block: ir.Block, names: frozenset[str]) -> ir.Block:
    """The forward pass, in which these names stand for memory of their own."""
    if not names:
        return block

    def change(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign(target, value, origin) if names & set(ir.target_names(target)):
                return ir.Assign(target, quote("kept({x})", x=value), origin)
            case ir.For(target, iterator, body) if names & set(ir.target_names(target)):
                each = quote("map(kept, {xs})", xs=iterator)
                return replace(statement, iter=each, body=with_kept(body, names))
        return map_blocks(statement, lambda b: with_kept(b, names))

    return tuple(map(change, block))
