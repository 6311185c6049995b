"""Dicts and objects that `setdefault` puts into a dict: put there by a line before, where they are not there.

d.setdefault(k, Sums(0.0)).v += x    ->    if k not in d: d[k] = Sums(0.0)
                                           d[k].v += x

Only where the function makes the dict, which has one name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.named_members import Find
from tangentish.language.new_records import makes_record
from tangentish.language.placed import at, rebuilt
from tangentish.language.rewriting import Rewriting
from tangentish.language.written_out import written_out


def with_entries_before(statements: Sequence[Any], find: Find) -> list[Any]:
    """The statements with a line for each of these entries."""
    calls = [n for n in ir.nodes_of(statements, gast.Call) if _puts_record(n, find)]
    names = {call.func.value.id for call in calls}
    plain = {name for name in names if _is_own_dict(name, statements)}
    return _Before(plain, find).block(statements) if plain else list(statements)


def _puts_record(call: Any, find: Find) -> bool:
    """`d.setdefault(k, Sums(0.0))`"""
    match call:
        case gast.Call(
            func=gast.Attribute(value=gast.Name(), attr="setdefault"),
            args=[gast.Name() | gast.Constant(), made],
            keywords=[],
        ):
            return makes_record(made, find)
    return False


def _is_own_dict(name: str, statements: Sequence[Any]) -> bool:
    """Whether all that a name is bound to is one dict that the function makes."""
    bound = [n for n in ir.nodes_of(statements, gast.Name) if n.id == name and _binds(n)]
    made = [
        line
        for line in ir.nodes_of(statements, gast.Assign)
        if isinstance(line.value, gast.Dict) and any(t in bound for t in line.targets)
    ]
    return len(bound) == len(made) == 1


def _binds(name: Any) -> bool:
    return not isinstance(name.ctx, gast.Load)


class _Before(Rewriting):
    """Puts an entry into its dict before the line whose first call asks for it."""

    def __init__(self, names: set[str], find: Find) -> None:
        self.names = names
        self.find = find

    def statement(self, node: Any) -> Iterator[Any]:
        call = _first_asked(node)
        if (
            call is None
            or not _puts_record(call, self.find)
            or call.func.value.id not in self.names
        ):
            yield from super().statement(node)
            return
        d, (key, made) = call.func.value, call.args
        missing = at(gast.Compare(written_out(key), [gast.NotIn()], [written_out(d)]), call)
        place = at(gast.Subscript(written_out(d), written_out(key), gast.Store()), call)
        line = at(gast.Assign([place], made, None), call)
        yield at(gast.If(missing, [line], []), node)
        if not isinstance(node, gast.Expr):
            yield rebuilt(node, lambda part: _replaced(part, call))


def _first_asked(line: Any) -> Any | None:
    """The call that a line evaluates before all else: it is its value, or stands in what is updated."""
    match line:
        case gast.Expr(value=value) | gast.Assign(targets=[gast.Name()], value=value):
            return value
        case gast.AugAssign(
            target=gast.Attribute(value=owner) | gast.Subscript(value=owner, slice=gast.Constant())
        ):
            return owner
        case gast.Assign(
            targets=[
                gast.Attribute(value=owner) | gast.Subscript(value=owner, slice=gast.Constant())
            ],
            value=gast.Constant() | gast.Name(),
        ):
            return owner
    return None


def _replaced(part: Any, call: Any) -> Any:
    """A part of a line with `d[k]` for the call."""

    def entry(node: Any) -> Any | None:
        if node is not call:
            return None
        return at(
            gast.Subscript(written_out(call.func.value), written_out(call.args[0]), gast.Load()),
            call,
        )

    if isinstance(part, list):
        return [_replaced(item, call) for item in part]
    return ir.copy_expression(part, entry) if isinstance(part, gast.expr) else part
