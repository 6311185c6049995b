"""Second names and views that are written through: they are replaced by the path to the array they stand for.

    b = a[1:]; b[0] = s; y = a.sum()       ->       a[1:][0] = s; y = a.sum()

so that there is one array, and one gradient. Where a name may stand for different arrays, the function is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.lasting_views import has_own_index, with_own_indices
from tangentish.analysis.lists_put_in import put_in_as_copies
from tangentish.analysis.named_arguments import with_named_arrays
from tangentish.analysis.several_arrays import is_one_of_several, told_apart
from tangentish.errors import Refusal
from tangentish.infer import Conflict, Facts, literal_of
from tangentish.infer.known_functions import function_name, is_view_maker
from tangentish.ir.quote import quote
from tangentish.kinds import Kind, Num, Seq, Tup, is_array
from tangentish.language.nested import Closure
from tangentish.language.webs import map_statement

_ALL, _EVERYTHING = (ir.dump(quote(f"v[{index}]").slice) for index in (":", "..."))


def resolve_aliases(
    function: ir.Function, facts: Facts
) -> tuple[ir.Function | None, list[Refusal]]:
    """The function with conflicting names replaced by paths; None if there are no conflicts, or no way out."""
    if not facts.conflicts:
        return None, []
    names = dict.fromkeys(n for c in facts.conflicts for n in (c.name, c.writer))
    trips, unsure = _Trips(function), {node.id for node in facts.unsure}
    chosen = {
        name: path
        for name in names
        if (path := _only_path(name, name in unsure, trips, facts)) is not None
    }
    first_reads = {(c.name, c.writer): c for c in reversed(facts.conflicts)}
    stuck = [c for c in first_reads.values() if not chosen.keys() & {c.name, c.writer}]
    if not stuck:
        return _Replacement(_outermost(chosen), facts).function(function), []
    way_out = _way_out(function, stuck, facts)
    if way_out is not None:
        return way_out, []
    return None, [Refusal(_reason(c, function, facts), c.node) for c in stuck]


def _outermost(chosen: dict[str, Any]) -> dict[str, Any]:
    """The names whose paths lead over none of the others, which wait: what they stand for is looked at again then."""
    return {name: path for name, path in chosen.items() if not chosen.keys() & ir.names_in(path)}


def _reason(conflict: Conflict, function: ir.Function, facts: Facts) -> str:
    shared = f"{_as_the_user_knows(conflict)} may share memory and one of them is written to"
    for statement in ir.walk_statements(function.body):
        names = {conflict.name, conflict.writer} & set(ir.defined_names(statement))
        if not (isinstance(statement, ir.Assign) and names):
            continue
        callee = facts.callees.get(statement.value)
        if callee is not None and callee.user is None and is_view_maker(callee.function):
            what = function_name(callee.function)
            return f"{shared}, for {what} gives a view or a copy as the layout has it: write .copy() after it"
    instead = "make one of them a copy, or write to each in a branch of its own"
    updated = "; a = a + v makes a new array, a += v writes to the one that is there"
    return f"{shared}, so that the derivative is not known: {instead}{updated}"


def _as_the_user_knows(conflict: Conflict) -> str:
    """How a refusal speaks of two values: what got its name here has none in the user's text."""
    values = (conflict.name, conflict.writer)
    known = [f"'{ir.base_name(value)}'" for value in values if ".+" not in value]
    if not known:
        return "two values on this line"
    return " and ".join(known) if len(known) == 2 else f"a value on this line and {known[0]}"


def _only_path(name: str, unsure: bool, trips: _Trips, facts: Facts) -> Any | None:
    """What a name stands for wherever it is read; None where that is not known, or not one path."""
    paths = list(facts.paths.get(name, ()))
    if len(paths) != 1 or name in facts.pathless:
        return None
    told = (
        not unsure
        or is_one_of_several(name)
        or has_own_index(name, paths[0])
        or trips.bind(name, paths[0])
    )
    return paths[0] if told else None


@dataclass(frozen=True)
class _Trips:
    """What the trips of a function's loops bind."""

    function: ir.Function

    @cached_property
    def lines(self) -> list[ir.Statement]:
        return list(ir.walk_statements(self.function.body))

    @cached_property
    def may_end_early(self) -> bool:
        return any(isinstance(s, (ir.Try, ir.With)) for s in self.lines)

    @cached_property
    def bound(self) -> Counter[str]:
        return Counter(n for s in self.lines for n in ir.defined_names(s))

    @cached_property
    def loops(self) -> dict[str, list[ir.For]]:
        """The loops by their variables."""
        found: dict[str, list[ir.For]] = {}
        for loop in (s for s in self.lines if isinstance(s, ir.For)):
            for name in ir.target_names(loop.target):
                found.setdefault(name, []).append(loop)
        return found

    def bind(self, name: str, path: Any) -> bool:
        """Whether every trip of a loop whose variable is in the path binds the name: it has a value if that has."""
        return (
            not self.may_end_early
            and self.bound[name] == 1
            and any(
                self.bound[n] == 1 and _binds(loop.body, name)
                for n in ir.names_in(path)
                for loop in self.loops.get(n, ())
            )
        )


def _binds(body: ir.Block, name: str) -> bool:
    return any(isinstance(s, ir.Assign) and name in ir.defined_names(s) for s in body)


def _way_out(function: ir.Function, stuck: Sequence[Conflict], facts: Facts) -> ir.Function | None:
    """The function in which one of the names has indices of its own, comes of a named array, ..."""
    names = sorted({name for c in stuck for name in (c.name, c.writer)})
    changes = (with_own_indices, with_named_arrays, told_apart, put_in_as_copies)
    found = (change(function, name, facts) for change in changes for name in names)
    return next((new for new in found if new is not None), None)


def _is_whole(target: Any) -> bool:
    """Whether a place is all of a named array: v[:], v[...], v[:, :]"""
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return False
    index = target.slice
    parts = ir.parts_of(index)
    return all(ir.dump(part) in (_ALL, _EVERYTHING) for part in parts)


def _slices(index: Any) -> bool:
    """Whether an index takes a part of an array, and no element of a list."""
    parts = ir.parts_of(index)
    return any(isinstance(part, gast.Slice) for part in parts)


def _is_tuple(kind: Kind | None) -> bool:
    match kind:
        case Tup():
            return kind.is_counted and not kind.is_list
        case Seq():
            return kind.is_tuple
    return False


def _items(kind: Kind | None, key: Any) -> Sequence[Kind | None]:
    """What a container may have under a key."""
    match kind:
        case Seq(item=item):
            return (item,)
        case Tup(items=items):
            place = kind.position(literal_of(key))
            return items if place is None else (items[place],)
    return ()


@dataclass(frozen=True)
class _Replacement:
    """Names, and the paths that take their places."""

    chosen: dict[str, Any]
    facts: Facts

    def function(self, function: ir.Function) -> ir.Function:
        body = tuple(new for old in function.body for new in self.at_top(old))
        return replace(function, body=body)

    def at_top(self, old: ir.Statement) -> ir.Block:
        return self.returned(old) if isinstance(old, ir.Return) else (self.statement(old),)

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(map(self.statement, block))

    def statement(self, old: ir.Statement) -> ir.Statement:
        if isinstance(old, ir.Assign):
            renamed = set(ir.target_names(old.target)) & set(self.chosen)
            target = old.target if renamed else self.stored_to(old.target)
            return ir.Assign(target, self.expression(old.value), old.origin)
        if (
            isinstance(old, ir.Update)
            and isinstance(old.target, gast.Name)
            and old.target.id in self.chosen
        ):
            place = gast.copy_location(self.place(old.target.id), old.target)
            return ir.Update(place, old.op, self.expression(old.value), old.origin)
        return map_statement(old, self.expression, self.block)

    def stored_to(self, target: Any) -> Any:
        """The place that is stored to: `y[4:]` for `v[:]`, v being `y[4:]`."""
        new = self.expression(target)
        match new:
            case gast.Subscript(value=gast.Subscript(slice=index) as part) if (
                _is_whole(target)
                and is_array(self.facts.kinds.get(target.value))
                and _slices(index)
            ):
                return gast.copy_location(ir.duplicate(part), target)
        return new

    def place(self, name: str) -> Any:
        """What an update of `name` updates."""
        path = ir.duplicate(self.expression(self.chosen[name]))
        in_tuple = isinstance(path, gast.Subscript) and any(
            map(_is_tuple, self.kinds_at(path.value))
        )
        if isinstance(path, (gast.Subscript, gast.Name)) and not in_tuple:
            return path  # nobody stores to a place in a tuple, but to the array that lies there
        rows = (
            all(isinstance(k, Num) and k.rank for k in self.kinds_at(path)) if in_tuple else False
        )
        key = gast.Slice(None, None, None) if rows else gast.Constant(Ellipsis, None)
        return gast.Subscript(path, key, gast.Load())

    def kinds_at(self, path: Any) -> Sequence[Kind | None]:
        """What may stand at the end of a path over containers."""
        match path:
            case gast.Name(id=name):
                return (self.facts.web_kinds.get(name),)
            case gast.Subscript(value=container, slice=key):
                return [k for kind in self.kinds_at(container) for k in _items(kind, key)]
        return ()

    def returned(self, old: ir.Return) -> ir.Block:
        """Results are names."""
        lines: list[ir.Statement] = []
        values = []
        for k, value in enumerate(old.values):
            new = self.expression(value)
            if not isinstance(new, gast.Name):
                name = ir.name(f"y.+r{k}")
                lines.append(
                    ir.Assign(
                        gast.copy_location(name, value), gast.copy_location(new, value), old.origin
                    )
                )
                new = gast.copy_location(ir.name(name.id), value)
            values.append(new)
        return (*lines, ir.Return(tuple(values), old.is_tuple, old.origin, old.form))

    def expression(self, node: Any) -> Any:
        return ir.copy_expression(node, self.change)

    def change(self, node: Any) -> Any | None:
        if type(node) is gast.Name and node.id in self.chosen:
            return ir.duplicate(self.expression(self.chosen[node.id]))
        return node if isinstance(node, Closure) else None  # it reads its variables themselves
