"""Loops that change what is made while they run: its items were made before the loop here, and would be others.

for v in itertools.accumulate(y): o.get(v)        where o.get stores to y

What the text of a loop shows is refused or copied before (language/undisturbed.py). Here it is known which memory
its calls write to, by whatever name.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer import Facts
from tangentish.infer.changes import may_be
from tangentish.infer.items_made_late import comes_late, takes_items
from tangentish.kinds import Fun, Kind, Num, Tup, buffers_of, own_memory

_CHANGED = "the loop may change what this runs over: make it a list"
_COPIES = ("$list", "list", "tuple", "sorted")

Sites = frozenset[Hashable]


def disturbed_loops(function: ir.Function, facts: Facts) -> Iterator[Refusal]:
    for loop in ir.walk_statements(function.body):
        if not isinstance(loop, ir.For):
            continue
        late = [part for part in ir.walk(loop.iter) if comes_late(part, facts)]
        if late and _is_disturbed(loop, late, function.parameters, facts):
            yield Refusal(_CHANGED, loop.iter)


def _is_disturbed(
    loop: ir.For, late: Sequence[Any], parameters: Sequence[str], facts: Facts
) -> bool:
    lines = list(ir.walk_statements(loop.body))
    read = frozenset[Hashable]().union(*(_read(node, loop, facts) for node in late))
    if read & _written(lines, facts):
        return True
    names = [part for node in late for part in ir.walk(node) if isinstance(part, gast.Name)]
    held = [facts.container_sites(name, parameters) for name in names]
    changes = [facts.changes[node] for node in _nodes(lines, facts) if node in facts.changes]
    return any(may_be(changed, sites) for changed in changes for sites in held)


def _read(node: Any, loop: ir.For, facts: Facts) -> Sites:
    """The memory that items are made of; where they may be told from others by it, that in which they lie, too."""
    callee = facts.callees.get(node)
    if callee is not None and takes_items(callee):
        return frozenset().union(*(_looked_up(arg, facts) for arg in callee.args))
    parts = (facts.kind(part) for part in ir.walk(node))
    given = callee.user.kinds if callee is not None and callee.user is not None else ()
    item = facts.items.get(loop.iter)
    kinds = [*parts, *given, *([] if item is None else [item])]
    return frozenset().union(*(_memory(kind, facts) for kind in kinds))


def _looked_up(arg: Any, facts: Facts) -> Sites:
    """The memory of numbers or of a list; rows of an array are the same whenever they are looked up."""
    if isinstance(arg, gast.Call) and getattr(arg.func, "id", None) in _COPIES:
        return frozenset()
    kind = facts.kind(arg)
    rows = isinstance(kind, Num) and kind.rank != 1
    return frozenset() if rows else frozenset(b.site for b in own_memory(kind))


def _memory(kind: Kind, facts: Facts) -> Sites:
    """The memory of a value, and the objects that it is made of; of a function, that of what it captures."""
    sites = frozenset(b.site for b in buffers_of(kind))
    match kind:
        case Fun(values=values):
            kinds = (facts.container(value) for value in values)
            return sites.union(*(_memory(k, facts) for k in kinds))
        case Tup(items=items, sites=own):
            return sites.union(own, *(_memory(item, facts) for item in items))
    return sites


def _written(lines: Sequence[ir.Statement], facts: Facts) -> Sites:
    """The memory, and the objects, that lines write to."""
    found: set[Hashable] = set()
    for name in {name for line in lines for name in facts.writes.get(line, ())}:
        inside = (held for (_, n), held in facts.written_inside.items() if n == name)
        found |= {b.site for b in own_memory(facts.container(name)).union(*inside)}
    for node in _nodes(lines, facts):
        user = facts.user_of(node)
        if user is None:
            continue
        written = [user.kinds[k] for k in user.written]
        found |= {b.site for kind in written for b in buffers_of(kind)}
        if facts.handed.get(node):
            objects = (kind for kind in user.kinds if isinstance(kind, Tup))
            found |= {site for kind in objects for site in kind.sites}
    return frozenset(found)


def _nodes(lines: Sequence[ir.Statement], facts: Facts) -> Iterator[Any]:
    """All expressions in lines, and the calls of methods that operators stand for."""
    pending = [expression for line in lines for expression in ir.expressions_of(line)]
    seen: set[Any] = set()
    while pending:
        nodes = [node for node in ir.walk(pending.pop()) if node not in seen]
        seen.update(nodes)
        yield from nodes
        pending += [facts.answers[node] for node in nodes if node in facts.answers]
