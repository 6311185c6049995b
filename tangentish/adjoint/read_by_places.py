"""Parameters, arrays and lists, of which a function reads places only: its adjoint adds to a gradient that it is given.

def flux(u, i):                          def flux_adjoint(saved, dy, du):
    return u[i] * u[i + 1]                   du[i] += dy * u[i + 1]
                                             du[i + 1] += dy * u[i]
                                             return du

Zeros of the whole for every call would make a loop over the places quadratic. So it is for calls in loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.analysis.reached import Analysis
from tangentish.infer import Facts, UserCall
from tangentish.kinds import Kind, Num, Seq, has_complex

ByPlaces = Callable[[UserCall], frozenset[int]]


class CalledInLoops(NamedTuple):
    """The calls of the user's functions that stand in loops of a function.

    functions: what they call, each with the parameters that every call in the function gives a name or a place for.
    """

    calls: frozenset[Any] = frozenset()
    functions: Mapping[Any, frozenset[int]] = MappingProxyType({})


def called_in_loops(function: ir.Function, facts: Facts) -> CalledInLoops:
    """What stands in loops of a function, whose adjoint may add in place there."""
    if all(callee.user is None for callee in facts.callees.values()):
        return CalledInLoops()
    loops = [s for s in ir.walk_statements(function.body) if isinstance(s, (ir.For, ir.While))]
    inside = dict(_calls((s for loop in loops for s in ir.walk_statements(loop.body)), facts))
    if not inside:
        return CalledInLoops()
    functions = {user.function: frozenset(range(len(user.kinds))) for user in inside.values()}
    for _, user in _calls(ir.walk_statements(function.body), facts):
        if user.function in functions:
            functions[user.function] &= _places_given(user)
    return CalledInLoops(frozenset(inside), functions)


def _calls(lines: Iterable[ir.Statement], facts: Facts) -> Iterator[tuple[Any, UserCall]]:
    for node in ir.nodes_in(*lines):
        user = facts.user_of(node) if isinstance(node, gast.Call) else None
        if user is not None:
            yield node, user


def _places_given(user: UserCall) -> frozenset[int]:
    named = (gast.Name, gast.Subscript)
    return frozenset(k for k, a in enumerate(user.arguments) if isinstance(a, named))


def read_by_places(analysis: Analysis, of_callee: ByPlaces) -> frozenset[int]:
    """The positions of parameters that are only read place by place, or handed on to be."""
    facts, function = analysis.facts, analysis.function
    is_gathered = _is_array if any(map(has_complex, facts.kinds.values())) else _is_gathered
    positions = [
        k
        for k, kind in enumerate(analysis.kinds)
        if k not in analysis.written and is_gathered(kind)
    ]
    if not positions:
        return frozenset()
    by_place, whole = set[str](), set[str]()
    for statement in ir.walk_statements(function.body):
        for e in ir.expressions_of(statement):
            for name, is_place in _reads(e, facts, of_callee):
                (by_place if is_place else whole).add(name)
    return frozenset(k for k in positions if function.parameters[k] in by_place - whole)


def _is_gathered(kind: Kind) -> bool:
    """Whether a gradient of such a value can be added to in place: of an array, or of a list of numbers or of such."""
    if not isinstance(kind, Seq):
        return _is_array(kind)
    if kind.keyed or kind.optional:
        return False
    return _is_number(kind.item) or (kind.item is not None and _is_gathered(kind.item))


def _is_number(kind: Kind | None) -> bool:
    return isinstance(kind, Num) and kind.active and kind.is_scalar and kind.is_double


def _is_array(kind: Kind) -> bool:
    """Whether a gradient of such a value is an array of just its shape and type."""
    if not isinstance(kind, Num) or not kind.active:
        return False
    return kind.array is True and kind.is_double and kind.known and bool(kind.rank)


def _reads(e: Any, facts: Facts, of_callee: ByPlaces) -> Iterator[tuple[str, bool]]:
    """The names whose derivatives an expression carries on, and whether as those of a place alone."""
    kind = None if isinstance(e, gast.Name) else facts.kinds.get(e)
    if isinstance(kind, Num) and not kind.active:
        return
    match e:
        case gast.Name(id=name):
            yield name, False
        case gast.Subscript(value=gast.Name(id=name) as value, slice=index):
            # a slice of a list is another list
            yield (
                name,
                not (isinstance(index, gast.Slice) and isinstance(facts.kinds.get(value), Seq)),
            )
            yield from _reads(index, facts, of_callee)
        case gast.Call() if (user := facts.user_of(e)) is not None:
            for k, argument in enumerate(user.arguments):
                if isinstance(argument, gast.Name):
                    yield argument.id, k in of_callee(user)
                elif argument is not None:
                    yield from _reads(argument, facts, of_callee)
        case _:
            for part in gast.iter_child_nodes(e):
                yield from _reads(part, facts, of_callee)
