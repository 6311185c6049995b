"""Subscripts that are read."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.flat_arrays import in_an_array, in_new_axes, place_of_bool
from tangentish.infer.forms import holds_keys
from tangentish.infer.in_loops import seek_name
from tangentish.infer.indices import (
    Entry,
    adds_an_axis,
    entries_of,
    indexed_shape,
    is_ellipsis,
    is_riddle,
    keeps_layout,
    may_repeat,
    new_axes,
    says_true_or_false,
    sort_of,
)
from tangentish.infer.inner_tables import seek_inner_table
from tangentish.infer.joined_rows import columns_of, row_of
from tangentish.infer.lists import Lists
from tangentish.infer.literals import literal_of
from tangentish.infer.names_for_items import seek_names
from tangentish.infer.tables import seek_table
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.kinds import (
    NOTHING_YET,
    REFUSED,
    TEXT_THAT_VARIES,
    UNKNOWN,
    Buffer,
    Cell,
    Functions,
    Kind,
    Num,
    Opaque,
    Seq,
    Tup,
    is_integer,
    is_unknown,
    replace,
    scalar,
    unknown_in,
)
from tangentish.kinds.joins import join
from tangentish.kinds.lengths import Shape
from tangentish.kinds.unlike_records import held_under
from tangentish.rules.rule import ABSENT

JOINERS = _ROWS, _COLUMNS = type(np.r_), type(np.c_)
_JOINED = {
    (_ROWS, 0): "hstack",
    (_ROWS, 1): "hstack",
    (_ROWS, 2): "concatenate",
    (_COLUMNS, 0): "column_stack",
    (_COLUMNS, 1): "column_stack",
    (_COLUMNS, 2): "column_stack",
}
"""By the highest rank among what they join."""


def _widens(kinds: Sequence[Num]) -> bool:
    """Whether numbers of Python make what is joined wider: np.hstack takes them for arrays, np.r_ does not."""
    if all(kind.is_double for kind in kinds) or not any(kind.weak for kind in kinds):
        return False
    dtypes = [kind.dtype for kind in kinds if kind.dtype is not None]
    weakly = [
        kind.dtype.type(0).item() if kind.weak else kind.dtype
        for kind in kinds
        if kind.dtype is not None
    ]
    return len(dtypes) < len(kinds) or np.result_type(*dtypes) != np.result_type(*weakly)


def _whose_last_column_is(node: Any) -> list[Any]:
    """Of which matrix `y[:, -1]` and `y[0][-1]` read the last column; empty for anything else."""
    match node:
        case gast.Subscript(slice=gast.Tuple(elts=[_, last])) if literal_of(last) == -1:
            return [node.value]
        case gast.Subscript(value=gast.Subscript(value=matrix, slice=row), slice=last) if (
            literal_of(last) == -1
        ):
            return [matrix] if isinstance(literal_of(row), int) else []
    return []


class Subscripts(Lists):
    """The part of the walk that knows what `x[...]` is."""

    def subscript(self, node: Any) -> Kind:
        return self.flat_item(node) or self.subscript_of(node)

    def subscript_of(self, node: Any) -> Kind:
        self.as_dict(node.value)
        self.last_columns.update(_whose_last_column_is(node))
        base = self.expression(node.value)
        index = self.index(node.slice)
        if base in (TEXT_THAT_VARIES, NOTHING_YET):
            return base
        match base:
            case Tup():
                found = self.element_by_method(node) or self.slice_of_objects(node, base)
                return found or self.item(node, base, index)
            case Seq():
                return self.item_of_list(node, base, index)
            case Num():
                places = isinstance(index, Num) or isinstance(node.slice, (gast.Slice, gast.Tuple))
                field = None if places else _field(base, self.known_key(node.slice))
                return self.array_subscript(node, base) if field is None else field
            case Functions() | Opaque() if (entry := self.entry_outside(node)) is not None:
                return entry
            case Functions(item=held) | Opaque(item=held) if held is not None:
                return base if isinstance(node.slice, gast.Slice) else held
            case Opaque(type=joiner) if joiner in JOINERS and self.index_varies(node.slice):
                return self.joined(joiner, node)
        if base.active:
            self.refuse("this can't be indexed", node)
        elif base != Opaque(dict) and self.index_varies(node.slice):
            self.take_up_again([node.value])
            self.demand_made(node.value)
            self.refuse("it is not known what this gives: an object, indexed by what varies", node)
            return REFUSED
        return self.value_outside(node) or self.of_integers(node, base)

    def of_integers(self, node: Any, base: Kind) -> Kind:
        """What np.mgrid[...] gives, np.r_[...] and np.c_[...] of what carries no derivative, and range(n)[k]."""
        if base in (Opaque(_ROWS), Opaque(_COLUMNS)):
            return self.joined_at_rest(node, row_of if base == Opaque(_ROWS) else columns_of)
        if base == Opaque(type(np.mgrid)):
            return self.grid(node)
        if base == Opaque(range):
            return base if isinstance(node.slice, gast.Slice) else scalar(int)
        if not (isinstance(base, Opaque) and is_unknown(base)):
            return UNKNOWN
        return held_under(base, self.known_key(node.slice))

    def joined(self, joiner: type, node: Any) -> Kind:
        """np.r_[x, 0.0] is np.hstack((x, 0.0)), np.c_[x, z] is np.column_stack((x, z))."""
        parts = [self.listed_as_array(self.range_written_out(p)) for p in ir.parts_of(node.slice)]
        kinds = [kind for kind in map(self.kind, parts) if isinstance(kind, Num)]
        ranks = [0 if kind.is_scalar else kind.rank for kind in kinds]
        known = [rank for rank in ranks if rank is not None]
        # beside a number or a vector there is nothing of more axes
        told = len(known) == len(ranks) or min(known, default=2) < 2
        name = _JOINED.get((joiner, max(known, default=0)))
        if len(kinds) < len(parts) or not told or _widens(kinds) or name is None:
            self.refuse("write this with np.concatenate or np.column_stack", node)
            return REFUSED
        display = gast.Tuple(parts, gast.Load())
        made = self.facts.as_arrays[node] = self.made_once(
            (node, name), lambda: quote(f"np.{name}({{xs}})", xs=display), node
        )
        return self.expression(made)

    def joined_at_rest(self, node: Any, found: Callable[[Sequence[Kind]], Num | None]) -> Kind:
        """np.r_[0.0, x, np.inf] or np.c_[x, z] of what carries no derivative."""
        parts = map(self.range_written_out, ir.parts_of(node.slice))
        made = found([self.kind(part) for part in parts])
        return UNKNOWN if made is None else replace(made, buffers=self.fresh(node))

    def range_written_out(self, part: Any) -> Any:
        """np.arange(2, 5) for 2:5, and np.linspace(a, b, 5) for a:b:5j."""
        if not isinstance(part, gast.Slice) or part.upper is None:
            return part
        count = literal_of(part.step) if part.step is not None else None
        start = constant(0) if part.lower is None else part.lower

        def make() -> Any:
            if isinstance(count, complex):
                number = constant(int(abs(count)))
                return quote("np.linspace({a}, {b}, {n})", a=start, b=part.upper, n=number)
            if part.step is None:
                return quote("np.arange({a}, {b})", a=start, b=part.upper)
            return quote("np.arange({a}, {b}, {n})", a=start, b=part.upper, n=part.step)

        made = self.made_once((part, "range"), make, part.upper)
        self.expression(made)
        return made

    def index_varies(self, index: Any) -> bool:
        """Whether an index, or a bound of a slice in it, carries a derivative."""
        return any(self.kind(e).active for part in ir.parts_of(index) for e in ir.bounds_of(part))

    def grid(self, node: Any) -> Kind:
        """The kind of np.mgrid[...] of integers."""
        parts = ir.parts_of(node.slice)
        bounds = [self.kind(e) for part in parts for e in ir.bounds_of(part)]
        if not all(isinstance(p, gast.Slice) for p in parts) or not all(map(is_integer, bounds)):
            return UNKNOWN
        lengths: Shape = (None,) * len(parts)
        shape = (len(parts), *lengths) if isinstance(node.slice, gast.Tuple) else lengths
        return Num(np.dtype(int), shape, True, buffers=self.fresh(node))

    def item(self, node: Any, base: Tup, index: Kind) -> Kind:
        """The kind of an element of a tuple: where it is not known which, of any."""
        items, position = base.items, base.position(self.known_key(node.slice))
        if position is not None:
            return items[position]
        if base.type is Cell:
            self.refuse(f"'{self.known_key(node.slice)}' is used before it is assigned", node)
            return REFUSED
        if base.is_mapping or base.is_object:
            if base.active:
                return self.entry_missing(node, base)
            return functools.reduce(join, items) if base.is_mapping and items else UNKNOWN
        if isinstance(index, Num) and isinstance(index.value, int) and not base.active:
            return items[index.value] if index.value < len(items) else UNKNOWN
        if base.active and any(map(holds_keys, items)):
            self.write_out_for(node.slice)
        if base.active:
            seek_names(self, base, node.value)
            self.demand(base, node)
        if not items:
            return UNKNOWN
        if isinstance(node.slice, gast.Slice):
            return self.inactive_slice(base, node.slice)
        return functools.reduce(join, items)

    def inactive_slice(self, base: Tup, part: Any) -> Kind:
        """The kind of a slice of a tuple or list that carries no derivative."""
        if not base.is_counted:
            return UNKNOWN
        bounds: list[Any] = [b and literal_of(b) for b in (part.lower, part.upper, part.step)]
        if any(b is not None and not isinstance(b, int) for b in bounds):
            return Seq(functools.reduce(join, base.items), is_tuple=not base.is_list)
        return Tup(base.items[slice(*bounds)], base.is_list)

    def entry_missing(self, node: Any, base: Tup) -> Kind:
        """An entry of a dict that is not known, or not there."""
        self.write_out_for(node.slice)
        key = self.known_key(node.slice)
        if key is ABSENT or not base.is_mapping:
            seek_table(self, base, node.value)
            seek_inner_table(self, base, node.value)
            numbers = all(isinstance(item, Num) for item in base.items)
            flag = self.is_flag(node.slice)  # which is looked at for its very value
            if numbers and isinstance(node.value, gast.Dict) and not flag:
                seek_name(self, node.value)  # one with a name is followed
            self.demand_keyed(base, node.value, node.slice)
            self.refuse(
                "it is not known which key this is: use a literal, or a dict of numbers or arrays",
                node,
            )
            return UNKNOWN
        if not base.items:  # what has no keys yet, and is asked for one, gets them when it runs
            self.demand_keyed(base, node.value, node.slice)
        # where a line that is none of the user's takes a given list apart, a key may come only later
        line: Any = self.statement
        found = None if line.origin is NOWHERE else self.raises_here(node, "KeyError", key)
        if found is None:
            self.refuse(f"this dict has no key {key!r} here: ask for it in an if", node)
        return found or UNKNOWN

    def index(self, node: Any) -> Kind:
        kinds = tuple(map(self.index_part, ir.parts_of(node)))
        result: Kind = Tup(kinds) if isinstance(node, gast.Tuple) else kinds[0]
        self.facts.kinds[node] = result
        return result

    def index_part(self, part: Any) -> Kind:
        if not isinstance(part, gast.Slice):
            return self.expression(part)
        for bound in ir.bounds_of(part):
            self.expression(bound)
        self.facts.kinds[part] = UNKNOWN
        return UNKNOWN

    def indexed_by_bool(self, node: Any, base: Num, entries: Sequence[Entry]) -> Kind | None:
        """The kind of `x[True]`, and of `number[flag]`; None of what is indexed as by masks, or by none."""
        read = isinstance(node.ctx, gast.Load)
        if says_true_or_false(entries):
            if read and not isinstance(node.slice, gast.Tuple):
                return self.answered_by(node, lambda: place_of_bool(node))
            self.refuse("a bool among indices adds an axis: use np.where or an if", node)
        elif read and not base.array and adds_an_axis(entries):
            return self.answered_by(node, lambda: in_an_array(node))
        return None

    def array_subscript(self, node: Any, base: Num) -> Kind:
        entries = entries_of(node.slice, self.facts)
        sort = sort_of(entries)
        answered = self.indexed_by_bool(node, base, entries) if base.active else None
        if answered is not None:
            return answered
        if base.active and is_riddle(entries):
            self.demand_places(node.slice)
            self.take_for_places(node.slice)
            self.have_known(node.slice, node)
            entries = entries_of(node.slice, self.facts)
            sort = sort_of(entries)
        if base.shape is None or not base.array:
            if base.active and base.array is not True and base.shape == ():
                ones = new_axes(entries)
                if ones and isinstance(node.ctx, gast.Load):
                    return self.answered_by(node, lambda: in_new_axes(node, ones))
                self.refuse("a scalar is indexed", node)
            return self.of_unknown_shape(base, sort, node)
        shape = indexed_shape(base.shape, entries, self.facts)
        if shape is None:
            return self.of_unknown_shape(base, sort, node)
        array = bool(shape) or self.device or any(map(is_ellipsis, entries)) or base.holds_records
        if sort == "fancy":
            return self.gathered(base, shape, array, node)
        parts = ir.parts_of(node.slice)
        contiguous = base.contiguous and len(parts) == 1 and keeps_layout(parts[0], self.facts)
        return replace(
            base,
            shape=shape,
            array=array,
            value=None,
            buffers=base.buffers if array else frozenset(),
            contiguous=contiguous and array,
            part=None,
        )

    def of_unknown_shape(self, base: Num, sort: str, node: Any) -> Num:
        return replace(
            base,
            shape=None,
            array=None,
            weak=False,
            value=None,
            buffers=self.memory_of_indexed(base, sort, node),
            contiguous=False,
            distinct=False,
            part=None,
            axes=False,
        )

    def memory_of_indexed(self, base: Num, sort: str, node: Any) -> frozenset[Buffer]:
        match sort:
            case "basic":
                return base.buffers
            case "fancy":
                return self.fresh(node)
        return self.fresh_or(base.buffers, node)

    def gathered(self, base: Num, shape: Shape, array: bool, node: Any) -> Num:
        """The kind of the copy that an index of arrays or masks gives."""
        return replace(
            base,
            shape=shape,
            array=array,
            value=None,
            buffers=self.fresh(node) if array else frozenset(),
            contiguous=array and len(shape) == 1,
            distinct=base.distinct and not may_repeat(node.slice, self.facts),
            part=None,
        )


def _field(records: Num, key: object) -> Kind | None:
    """What an array of records, or one of them, holds under the name of a field: a view, with the axes of the field."""
    if records.dtype is None or not records.holds_records:
        return None
    if not isinstance(key, str) or key not in (records.dtype.names or ()):
        return unknown_in(records)
    held = records.dtype[key]
    shape = None if records.shape is None else (*records.shape, *held.shape)
    array = True if held.shape else records.array and records.shape != ()
    return Num(held.base, shape, array, buffers=records.buffers)
