"""Lists that are filled line by line are made of all that is put in, where loops over arrays are written out.

params = []                                   params = [w, b, *layer.params()]
params.append(w)                      ->
params.append(b)
params.extend(layer.params())

Then each of its arrays or objects has a name (infer/arrays_run_over.py). Nothing asks for the list in between; nor for
the object that gets it in __init__, self.layers = [].
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.arrays_run_over import ArraysRunOver
from tangentish.ir.origins import origin_of
from tangentish.language.filled_lists import items_of, put_in
from tangentish.language.nested import Closure
from tangentish.language.ways import Way, way_of
from tangentish.language.webs import map_blocks


def with_lists_at_once(function: ir.Function, loops: ArraysRunOver, number: int) -> ir.Function:
    """The function with such lists; what is put in between other lines has a name with this number."""
    may_be_left = (ir.Try, ir.With)  # halfway
    if not loops.apart or any(
        isinstance(s, may_be_left) for s in ir.walk_statements(function.body)
    ):
        return function
    captured = {n.id for c in ir.nodes_within(function.body, Closure) for n in c.captured}
    filling = _Filling(captured, number, set(_of_what_is_made(function)))
    body = filling.block(function.body)
    return replace(function, body=body) if filling.changed else function


@dataclass
class _Filling:
    """attributes: the lines that may make a list which an object has that nobody else knows so far."""

    captured: Container[str]
    number: int
    attributes: Container[ir.Statement]
    count: int = 0
    changed: bool = False

    def block(self, block: ir.Block) -> ir.Block:
        new: list[ir.Statement] = []
        left = list(block)
        while left:
            lines = self.filled(left)
            if lines:
                self.changed = True
                new += self.at_once(left[: len(lines)], lines)
            else:
                new.append(map_blocks(left[0], self.block))
            del left[: max(len(lines), 1)]
        return tuple(new)

    def filled(self, lines: Sequence[ir.Statement]) -> list[Sequence[Any] | None]:
        """What each line puts into the list that the first makes, to the last that does; nothing if none does."""
        match lines[0]:
            case ir.Assign(target=target, value=gast.List(elts=first)):
                to = way_of(target)
            case _:
                return []
        known = isinstance(target, gast.Name) or lines[0] in self.attributes
        if to is None or not known or to.root in self.captured:
            return []
        added: list[Sequence[Any] | None] = [first, *_until_asked(lines[1:], to)]
        while added[-1] is None:
            added.pop()
        between = None in added
        starred = any(isinstance(item, gast.Starred) for items in added for item in items or ())
        return [] if len(added) == 1 or (between and starred) else added

    def at_once(
        self, lines: Sequence[ir.Statement], added: Sequence[Sequence[Any] | None]
    ) -> Iterator[ir.Statement]:
        made = lines[0]
        assert isinstance(made, ir.Assign)
        items: list[Any] = []
        bound = ir.bound_within(tuple(lines[1:]))
        for line, more in zip(lines, added, strict=True):
            if more is None:
                yield map_blocks(line, self.block)
            for item in more or ():
                stays = isinstance(item, gast.Name) and item.id not in bound
                if None in added and not stays:
                    self.count += 1
                    name = f"t_{self.count}.u{self.number}"
                    yield ir.Assign(gast.copy_location(ir.name(name), item), item, origin_of(line))
                    item = gast.copy_location(ir.name(name), item)
                items.append(item)
        display = gast.List(items, gast.Load())
        yield replace(made, value=gast.copy_location(display, made.value))


def _of_what_is_made(function: ir.Function) -> Iterator[ir.Statement]:
    """The lines of an __init__ that store attributes before anything else may learn of the object."""
    if function.name != "__init__" or not function.parameters:
        return
    itself = function.parameters[0]
    for line in function.body:
        stored = way_of(line.target) if isinstance(line, ir.Assign) else None
        names = ir.mentioned_within(line)
        if "super" in names or names.count(itself) > (stored is not None and stored.root == itself):
            return
        yield line


def _until_asked(lines: Sequence[ir.Statement], to: Way) -> Iterator[Sequence[Any] | None]:
    """What each line puts into a list, up to the first that asks for it otherwise; None: nothing."""
    for line in lines:
        items = _put_in(line, to)
        if ir.mentioned_within(line).count(to.root) != (items is not None):
            return
        yield items


def _put_in(line: ir.Statement, to: Way) -> Sequence[Any] | None:
    match line:
        case ir.Do(node=node):
            return put_in(node, to)
        case ir.Update(target=target, op=gast.Add(), value=value) if way_of(target) == to:
            return items_of(value)
    return None
