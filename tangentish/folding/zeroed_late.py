"""A place of a gradient is set anew once all that reads what stood there has read it, so that nobody keeps that.

g = dx[1]                        ->      dx[0] += 2 * dx[1]
dx[1] = 0                                dx[1] = 0
dx[0] += 2 * g
g = dx[1:].copy()                ->      dx[0] += dx[1:] @ y
dx[1:] = g * a                           dx[1:] *= a
dx[0] += g @ y

What is written in between are other places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.folding.apart import Least, are_apart, end_where_others_begin, within
from tangentish.folding.same_place import are_alike, array_of, is_same_place
from tangentish.folding.set_places import is_zero
from tangentish.folding.uncopied import is_new, only_computes, stores_through_views
from tangentish.kinds.numbers import is_integer
from tangentish.language.webs import map_blocks


def zeroed_late(
    block: ir.Block,
    results: Iterable[Any],
    is_array: Callable[[str], bool],
    kind: Callable[[Any], Any],
) -> ir.Block:
    """The adjoint with places set after they are read; results: what is read of it in the end."""
    if stores_through_views(block):
        return block
    reads, definitions = ir.mentions(block, results), ir.definitions(block)
    once = {name: reads[name] - 1 for name, count in definitions.items() if count == 1}
    return _Late(once, is_array, kind, {}).block(block)


class _Kept(NamedTuple):
    """The name that keeps what stood at a place of an array, and the line that sets the place anew."""

    name: str
    array: str
    place: Any
    copied: bool
    first: int  # its line in the block
    set: int  # the line that sets the place


@dataclass
class _Late:
    reads: Mapping[str, int]  # of what is set once
    is_array: Callable[[str], bool]
    kind: Callable[[Any], Any]
    least: Least  # the counters of the loops around a block

    def block(self, block: ir.Block) -> ir.Block:
        lines = [s if s.__class__ in ir.LINES else self.inside(s) for s in block]
        for position in range(len(lines) - 1, -1, -1):
            kept = self.kept(lines, position)
            last = kept and self.last_read(lines, kept)
            if kept and last:
                self.move(lines, kept, last)
        return tuple(lines)

    def inside(self, line: ir.Statement) -> ir.Statement:
        return map_blocks(line, replace(self, least=within(line, self.least)).block)

    def kept(self, lines: Sequence[ir.Statement], position: int) -> _Kept | None:
        """What a line keeps of a place that a later one sets, before any other has to do with it."""
        match lines[position]:
            case ir.Assign(gast.Name(id=name), value) if self.reads.get(name):
                place, copied = _without_copy(value)
            case _:
                return None
        array = array_of(place)
        if array is None or not self.is_array(array):
            return None
        for later in range(position + 1, len(lines)):
            line = lines[later]
            match line:
                case ir.Assign(target, value) if are_alike(target, place):
                    if not is_zero(value) and _factor(value, name) is None:
                        return None
                    found = _Kept(name, array, place, copied, position, later)
                    same = is_same_place(place, lines[position:later], self.kind)
                    return found if same else None
                case ir.Restore() | ir.Assign() | ir.Update():
                    if {name, array}.intersection(
                        (*ir.mentioned(line), *ir.changed_in_place(line))
                    ):
                        return None
                case _:
                    return None
        return None

    def last_read(self, lines: Sequence[ir.Statement], kept: _Kept) -> int | None:
        """The last line that reads the name, where the place may be set after it and that makes the lines less."""
        set_line = lines[kept.set]
        assert isinstance(set_line, ir.Assign)
        scaled = not is_zero(set_line.value)
        left = self.reads[kept.name] - scaled
        if left == 0 or (left > 1 and not kept.copied):
            return None
        for position in range(kept.set + 1, len(lines)):
            line = lines[position]
            if not self.may_come_first(line, kept, set_line.value):
                return None
            left -= ir.mentioned(line).count(kept.name)
            if left == 0:
                return None if _is_added_to(lines[position + 1 :], kept) else position
        return None

    def may_come_first(self, line: ir.Statement, kept: _Kept, value: Any) -> bool:
        """Whether a line may come before that which sets the place to a value."""
        if not isinstance(line, (ir.Assign, ir.Update, ir.Restore)):
            return False
        changed = {*ir.defined_names(line), *ir.changed_in_place(line)}
        read = {*ir.names_in(value)} - {kept.name}
        if kept.name in changed or not is_same_place(kept.place, (line,), self.kind):
            return False
        if read and (changed & read or not all("~" in name for name in changed)):
            return False
        if kept.array in (*changed, *ir.mentioned(line)):
            return self.stores_elsewhere(line, kept)
        reads = kept.name in ir.mentioned(line)
        return not (reads and kept.copied) or only_computes(line, {kept.name})

    def stores_elsewhere(self, line: ir.Statement, kept: _Kept) -> bool:
        """Whether all that a line has to do with the array is that it changes another place of it."""
        match line:
            case ir.Update(target, gast.Add() | gast.Sub(), value) | ir.Assign(target, value):
                names = (*ir.names_in(target), *ir.names_in(value))
                if array_of(target) != kept.array or names.count(kept.array) > 1:
                    return False
            case _:
                return False
        mine, other = (_parts(place, self.kind) for place in (kept.place, target))
        apart = are_apart(mine, other, self.least) or end_where_others_begin(mine, other)
        new = isinstance(value, gast.Name) or is_new(value, {kept.name})
        return apart and new and kept.name not in ir.names_in(target)

    def move(self, lines: list[ir.Statement], kept: _Kept, last: int) -> None:
        """Put the line that keeps a place before the first that reads it, and that which sets it after the last."""
        first, late = lines[kept.first], lines[kept.set]
        assert isinstance(first, ir.Assign) and isinstance(late, ir.Assign)
        factor = _factor(late.value, kept.name)
        if factor is not None:
            late = ir.Update(late.target, factor.op, factor.right, late.origin)
        reader = next(
            k for k in range(kept.set + 1, last + 1) if kept.name in ir.mentioned(lines[k])
        )
        lines[kept.first : last + 1] = [
            *lines[kept.first + 1 : kept.set],
            *lines[kept.set + 1 : reader],
            ir.Assign(first.target, kept.place, first.origin),
            *lines[reader : last + 1],
            late,
        ]


def _without_copy(value: Any) -> tuple[Any, bool]:
    match value:
        case gast.Call(func=gast.Attribute(value=place, attr="copy"), args=[], keywords=[]):
            return place, True
    return value, False


def _parts(place: Any, kind: Callable[[Any], Any]) -> tuple[Any, ...]:
    """The parts of the index of an array, in front of those of a row of it: of `dx[i][1:]` both."""
    parts = tuple(ir.parts_of(place.slice))
    if not isinstance(place.value, gast.Subscript):
        return parts
    before = _parts(place.value, kind)
    return (*before, *parts) if all(is_integer(kind(part)) for part in before) else before


def _is_added_to(lines: Sequence[ir.Statement], kept: _Kept) -> bool:
    """Whether a place gets what others have kept, under the same comment: places are exchanged."""
    for line in lines:
        match line:
            case ir.Comment():
                return False
            case ir.Update(target, value=value) if are_alike(target, kept.place):
                return kept.array not in ir.names_in(value)
    return False


def _factor(value: Any, name: str) -> Any | None:
    """What `g * a`, and `g / a`, multiplies g by, and nothing else."""
    match value:
        case gast.BinOp(left=gast.Name(id=left), op=gast.Mult() | gast.Div(), right=right) if (
            left == name and name not in ir.names_in(right)
        ):
            return value
    return None
