"""What the forward pass has computed, and still holds, is not computed again.

c, s = np.cos(a), np.sin(a)      ->      c, s = np.cos(a), np.sin(a)
...                                      ...
da = -dc * np.sin(a)                     da = -dc * s

Only what makes new memory reads it: a gradient that were the array itself would be added to in place. Both ways are one
function, whose lines in between store to nothing but gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.fresh import makes_array
from tangentish.folding.sunk import Way
from tangentish.infer import Callee
from tangentish.infer.choices import path_of_rule
from tangentish.language.webs import map_statement

CalleeOf = Callable[[Any], Callee | None]


def as_computed(
    forward: ir.Block,
    adjoint: ir.Block,
    callee_of: CalleeOf,
    is_known: Callable[[Any], bool],
    is_fixed: Callable[[Any], bool],
    given: Container[str],
) -> ir.Block:
    """The adjoint with names of the forward pass for calls that the forward pass makes.

    callee_of: what a call of the user's calls. For the others see folding/sunk.py.
    """
    if not any(map(_calls, forward)):
        return adjoint
    way = Way(adjoint, is_known, is_fixed, given)
    found: dict[str, str] = {}
    for line in reversed(forward):
        if way.stores:
            break
        for name, call in _calls(line):
            key = _key(call, callee_of) if name not in way.changed else None
            if key is not None and all(map(way.is_there, ir.walk(call))):
                found[key] = name
        way.lengthen(line)
    return _with_names(adjoint, found, callee_of) if found else adjoint


def _with_names(block: ir.Block, found: Mapping[str, str], callee_of: CalleeOf) -> ir.Block:
    def with_names(e: Any) -> Any:
        keys = {call: _key(call, callee_of) for call in _read_only(e)}
        names = {call: found[key] for call, key in keys.items() if key is not None and key in found}
        held = {call: ir.name(name) for call, name in names.items()}
        return ir.copy_expression(e, held.get) if held else e

    return tuple(
        map_statement(line, with_names, lambda b: _with_names(b, found, callee_of))
        for line in block
    )


def _calls(line: ir.Statement) -> list[tuple[str, Any]]:
    """The names that a line binds to what single calls give, none of which reads what the line binds."""
    match line:
        case ir.Assign(gast.Name() as target, value):
            pairs = [(target, value)]
        case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values)):
            pairs = list(zip(targets, values, strict=False))
        case _:
            return []
    bound = {*ir.defined_names(line)}
    return [
        (target.id, value)
        for target, value in pairs
        if isinstance(target, gast.Name)
        and isinstance(value, gast.Call)
        and bound.isdisjoint(ir.names_in(value))
    ]


def _key(call: Any, callee_of: CalleeOf) -> str | None:
    """What a call computes, whatever its function is called there; None where that is not known."""
    unknown = False

    def resolved(node: Any) -> Any | None:
        nonlocal unknown
        if type(node) is not gast.Call:
            return None
        new = _resolved(node, callee_of)
        unknown = unknown or new is None
        return new and gast.Call(
            new.func,
            [ir.copy_expression(e, resolved) for e in new.args],
            [gast.keyword(k.arg, ir.copy_expression(k.value, resolved)) for k in new.keywords],
        )

    key = ir.dump(ir.copy_expression(call, resolved))
    return None if unknown else key


def _resolved(call: Any, callee_of: CalleeOf) -> Any | None:
    """`np.mean(x, axis=0)` of `x.mean(axis=0)`, as generated code writes it."""
    callee = callee_of(call)
    if callee is None:
        return call if _root(call.func) in ("$np", "$math", "$scipy") else None
    path = path_of_rule(callee.function)
    if path is None or callee.user is not None:
        return None
    return gast.Call(path, [*callee.args], [gast.keyword(*k) for k in callee.keywords.items()])


def _root(function: Any) -> str:
    while isinstance(function, gast.Attribute):
        function = function.value
    return str(getattr(function, "id", ""))


def _read_only(e: Any, read: bool = False) -> Iterator[Any]:
    """The calls in an expression of which what makes new memory reads the result."""
    parts: Iterable[Any] = ()
    match e:
        case gast.BinOp(left=left, right=right):
            parts, read = (left, right), True
        case gast.UnaryOp(operand=inner):
            parts, read = (inner,), True
        case gast.Attribute(value=inner, attr="T") | gast.Subscript(value=inner):
            parts = (inner,)
        case gast.Call(args=parts):
            if read:
                yield e
            read = makes_array(e)
    for part in parts:
        yield from _read_only(part, read)
