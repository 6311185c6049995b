"""Loops that are written out in a program that is refused without that.

First those that write to the arrays of a list, or put objects into one:

    params = [w, b]                               params = [w, b]
    for p, g in zip(params, grads):       ->      w -= rate * grads[0]
        p -= rate * g                             b -= rate * grads[1]

An array of the list that is read under a name of its own, too, is written to under that name then. Objects that get
more attributes or entries than they were made with, each another, have names of their own then. Where that does not
help, so are all others of few lines: what each trip puts into a list has a place of its own then.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast

from tangentish import ir
from tangentish.infer.items_made_late import comes_late
from tangentish.ir.origins import place_of_node, position_of
from tangentish.kinds import Kind, Num, Seq, Tup

if TYPE_CHECKING:
    from tangentish.infer.known_items import KnownItems
    from tangentish.infer.walk import Walk

Place = tuple[int, int]


MOST_LINES_WRITTEN = 60  # that a loop becomes where nothing but a refusal asks for it


@dataclass
class ArraysRunOver:
    """The loops that do, and comprehensions, by their functions: those that are met, and those to write out.

    others: the other loops.
    """

    met: set[tuple[types.FunctionType, Place]] = field(default_factory=set)
    others: set[tuple[types.FunctionType, Place]] = field(default_factory=set)
    apart: set[tuple[types.FunctionType, Place]] = field(default_factory=set)


def trips_apart(walk: KnownItems, loop: ir.For) -> bool:
    """Whether the trips of a loop are written out, as it writes to arrays of a list, or fills one."""
    written = [*_lists_written(walk, loop)]
    if any(_made_meanwhile(node, walk) for node in ir.walk(loop.iter)):
        return False
    apart = any(map(_has_arrays, written))
    place, loops = (walk.source.function, position_of(loop)), walk.arrays_run_over
    may_write = apart or any(map(_may_have_arrays, written))
    (loops.met if may_write else loops.others).add(place)
    puts = bool(loops.apart) and any(map(_puts_in, ir.walk_statements(loop.body)))
    if place in loops.apart:
        return apart or (puts and place in loops.met) or _is_short(walk, loop)
    return puts and (any(map(_has_arrays, _run_over(walk, loop))) or _is_short(walk, loop))


def _made_meanwhile(node: Any, walk: KnownItems) -> bool:
    """Whether a generator makes items while the loop runs, which may change what they are made of."""
    user = walk.facts.user_of(node)
    return isinstance(node, gast.GeneratorExp) or (user is not None and user.gives_items)


def _is_short(walk: KnownItems, loop: ir.For) -> bool:
    """Whether it is known what a loop runs over, and its trips are few lines."""
    items = walk.known_items(loop.iter)
    if items is None or any(comes_late(node, walk.facts) for node in ir.walk(loop.iter)):
        return False
    return len(items) * sum(1 for _ in ir.walk_statements(loop.body)) <= MOST_LINES_WRITTEN


def note_objects_put(walk: Walk, item: Kind | None, nodes: Iterable[Any]) -> None:
    """Objects are put into a list there: it is made at once then, by loops and comprehensions that are written out."""
    if isinstance(item, Tup) and (item.is_object or item.is_mapping):
        function = walk.source.function
        walk.arrays_run_over.met |= {(function, place_of_node(node)) for node in nodes}


def items_apart(walk: KnownItems, node: Any, over: Sequence[Any]) -> bool:
    """Whether a comprehension is written out that makes objects, or runs over a list of arrays.

    A loop that runs over those may have to be.
    """
    apart = walk.arrays_run_over.apart
    made = (walk.source.function, place_of_node(node)) in apart
    return made or (bool(apart) and any(_has_arrays(walk.place_in_container(n)) for n in over))


def _lists_written(walk: KnownItems, loop: ir.For) -> Iterator[Kind | None]:
    """The lists whose items lines of a loop may write to: `p -= g`, `p[0] = v`, `scale(p)`, `ps[i] -= g`."""
    items = set(ir.target_names(loop.target))
    for line in ir.walk_statements(loop.body):
        match line:
            case ir.Do(node=node) if not items.isdisjoint(ir.names_in(node)):
                yield from _run_over(walk, loop)
            case ir.Update(target=target) | ir.Assign(target=gast.Subscript() as target):
                if items & {getattr(ir.root_of(target), "id", None)}:
                    yield from _run_over(walk, loop)
                for place in (n for n in ir.walk(target) if isinstance(n, gast.Subscript)):
                    if not items.isdisjoint(ir.names_in(place.slice)):
                        yield walk.place_in_container(place.value)


def _run_over(walk: KnownItems, loop: ir.For) -> Iterator[Kind | None]:
    for node in walk.iterated(loop.iter):
        match node:
            case gast.Subscript(value=owner, slice=gast.Slice()):
                yield walk.place_in_container(owner)
            case gast.List() | gast.Tuple():
                yield walk.expression(node)
            case _:
                yield walk.place_in_container(node)


def _puts_in(line: ir.Statement) -> bool:
    """Whether a line lengthens a list, which is made at once then, of what all trips put in."""
    match line:
        case ir.Do(gast.Expr(value=gast.Call(func=gast.Attribute(attr="append" | "extend")))):
            return True
    return False


def _has_arrays(kind: Kind | None) -> bool:
    """Whether a list holds several arrays, or lists of them."""
    return _arrays_in(kind) > 1


def _arrays_in(kind: Kind | None) -> int:
    if isinstance(kind, Tup) and kind.is_counted:
        return sum(_arrays_in(i) if isinstance(i, Tup) else _is_array(i) for i in kind.items)
    return 0


def _is_array(kind: Kind | None) -> bool:
    return isinstance(kind, Num) and kind.array is not False


def _may_have_arrays(kind: Kind | None) -> bool:
    """Whether it is a list of arrays, which may be made at once (analysis/filled_at_once.py)."""
    return isinstance(kind, Seq) and _is_array(kind.item)
