"""Loops whose items are known one by one: over keys, over lists of dicts and objects, over what is written down.

Where a trip needs to know which item it has (`d[key]`, an object among objects of other forms), the loop is written out
(analysis/unrolled.py): a statement has one meaning in a derivative, and the trips of such a loop have several.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence, Set
from typing import Any, NoReturn

import gast

from tangentish import ir
from tangentish.infer.forms import holds_keys, texts_among_numbers
from tangentish.infer.iteration import Iteration
from tangentish.infer.keyed_dicts import is_keyed_dict
from tangentish.infer.literals import literal_of
from tangentish.infer.records_made import parts_in
from tangentish.infer.starting_again import NameFirst, StartAgain, StartAnew, Unroll
from tangentish.ir.origins import NOWHERE, origin_of
from tangentish.kinds import UNKNOWN, Kind, Known, Num, Opaque, Tup
from tangentish.kinds.joins import join
from tangentish.language.lifted import element_path
from tangentish.language.taken_for import TakenFor
from tangentish.language.ways import Way
from tangentish.language.written_out import written_out
from tangentish.rules.rule import ABSENT

__all__ = ["KnownItems"]

MOST_TRIPS_WRITTEN = 64
VIEWS = {"items", "keys", "values"}


class KnownItems(Iteration):
    """The part of the walk that knows the items of loops."""

    def write_out_for(self, index: Any) -> None:
        """Start again with the loop written out that says which key or position an index is, if there is one."""
        names = set(filter(ir.is_value, ir.names_in(index)))
        for loop in reversed(self.around):
            names |= _read_for(names, loop)
            if names.isdisjoint(ir.target_names(loop.target)):
                continue
            if not self.in_vain(loop, names):
                self.write_out(loop)
            return

    def in_vain(self, loop: ir.For, names: set[str]) -> bool:
        """Whether it would not be known which keys these are, were the loop written out: they are data."""
        items = self.known_items(loop.iter)
        rows = (_bound(loop.target, item) or {} for item in (items or ())[:1])
        parts = (e for row in rows for name, e in row.items() if name in names)
        return any(literal_of(e) is ABSENT and _is_data(self.expression(e)) for e in parts)

    def write_out_where_forms_differ(self, loop: ir.For) -> None:
        """A loop over dicts or objects that carry a derivative is written out: each may be another."""
        if loop.origin in self.written_first or any(
            self.is_of_forms(node) for node in self.iterated(loop.iter)
        ):
            self.write_out(loop)

    def write_out(self, loop: ir.For) -> None:
        items = self.known_items(loop.iter)
        if self.cached:
            return
        bound = {n for s in ir.walk_statements((loop,)) for n in ir.defined_names(s)}
        if items is None or not bound.isdisjoint(ir.names_in(loop.iter)):
            displays = (
                n
                for n in self.iterated(loop.iter)
                if isinstance(self.facts.answers.get(n, n), (gast.Tuple, gast.List))
            )
            for display in displays:
                raise NameFirst(loop, display)
            return
        if len(items) > MOST_TRIPS_WRITTEN:
            self.refuse(
                f"each trip of this loop has keys or objects of its own, and there are {len(items)}: "
                "use an array or a list of arrays",
                loop.iter,
            )
            return
        self.note_written(loop)
        self.freeze(loop)
        over = [self.kind(node) for node in self.iterated(loop.iter)]
        self.lists_unrolled |= {s for kind in over if isinstance(kind, Tup) for s in kind.sites}
        parts = [part for item in items for part in _parts(item)]
        stable = frozenset(
            part
            for part in parts
            if bound.isdisjoint(ir.names_in(part)) and _is_of_keys(self.expression(part))
        )
        raise Unroll(loop, items, stable, self.taken_for(loop, items))

    def note_written(self, loop: ir.For) -> None:
        """A loop inside, written out for what a container held, is so anew: each trip may find something else there."""
        lines = {origin_of(statement) for statement in ir.walk_statements(loop.body)} - {NOWHERE}
        others = [found for found in self.lines_written.values() if loop.origin not in found]
        if any(lines & found for found in others):
            self.written_first.add(loop.origin)
            raise StartAnew
        kinds = [self.env.kinds.get(name) for name in ir.names_in(loop.iter) if ir.is_value(name)]
        if any(isinstance(kind, Tup) for kind in kinds):
            self.lines_written[loop.origin] = lines | {loop.origin}
            parts = (part for kind in kinds for _, part in parts_in(Way(""), kind))
            self.written_for |= {s for part in parts if isinstance(part, Tup) for s in part.sites}

    def taken_for(self, loop: ir.For, items: Sequence[Any]) -> ir.Block:
        """A line that says what a loop in other loops is taken to run over, where that may change."""
        outer = self.loops_around - any(one is loop for one in self.around)
        if not (outer and any(map(ir.is_value, ir.names_in(loop.iter)))):
            return ()
        taken = gast.copy_location(TakenFor(loop.iter, _literals(items)), loop.iter)
        return (ir.Do(taken, loop.origin),)

    def check_taken(self, taken: TakenFor) -> None:
        """On every trip around it, a loop that was written out has to run over what it was taken to run over."""
        self.takes_for = True
        items = self.known_items(taken.over)
        if items is not None and _literals(items) == taken.items:
            return
        self.take_anew(taken.over)

    def take_anew(self, node: Any) -> None:
        """What was known on the first trip of a loop is not so on another: that loop is written out before."""
        for loop in reversed(self.around):
            if loop.origin not in self.written_first:
                self.written_first.add(loop.origin)
                raise StartAnew
        self.refuse(
            "this runs over something else on another trip of the loop around it: which keys or numbers these are "
            "has to be known beforehand",
            node,
        )

    def start_again(self, marks: Set[Hashable]) -> NoReturn:
        """Start again with containers that change, or whose keys are computed.

        Anew, where a loop was written out for what one of them held.
        """
        self.dynamic |= marks
        sites = {mark[-1] if isinstance(mark, tuple) else mark for mark in marks} | marks
        raise StartAnew if sites & self.written_for else StartAgain

    def freeze(self, loop: ir.For) -> None:
        """The lines of a loop over dicts are known as such when they are written out."""
        places = self.places_run_over(loop)
        for statement in ir.walk_statements(loop.body) if places else ():
            origin = origin_of(statement)
            self.frozen[origin] = self.frozen.get(origin, frozenset()) | places

    def places_run_over(self, loop: ir.For) -> frozenset[Hashable]:
        """The places of the dicts that a loop runs over."""
        found: set[Hashable] = set()
        for node in self.iterated(loop.iter):
            match node:
                case gast.Call(func=gast.Attribute(value=owner, attr=name), args=[]) if (
                    name in VIEWS
                ):
                    kind = self.kind(owner)
                case _:
                    kind = self.kind(node)
            if isinstance(kind, Tup) and kind.is_mapping:
                found |= kind.sites
        return frozenset(found)

    def is_of_forms(self, node: Any) -> bool:
        match node:
            case gast.Call(func=gast.Attribute(value=owner, attr=name), args=[], keywords=[]) if (
                name in VIEWS
            ):
                kind = self.place_in_container(owner)
                if not (isinstance(kind, Tup) and kind.is_mapping):
                    return False
                return any(map(holds_keys, kind.items)) or texts_among_numbers(kind.items)
            case (
                gast.Tuple()
                | gast.List()
                | gast.Subscript(slice=gast.Slice())
                | gast.BinOp(op=gast.Add())
            ):
                kind = self.expression(node)
            case gast.Call() if self.iterator_name(node) == "list":
                kind = self.expression(node)
            case _:
                kind = self.place_in_container(node)
        if not (isinstance(kind, Tup) and kind.active):
            return False
        differ = any(map(holds_keys, kind.items)) or texts_among_numbers(kind.items)
        return kind.is_mapping or (kind.is_counted and differ)

    def iterated(self, node: Any) -> list[Any]:
        """What a loop runs over, in zip and enumerate too."""
        name = self.iterator_name(node)
        if name in ("zip", "enumerate", "reversed"):
            return [
                inner
                for a in node.args[: None if name == "zip" else 1]
                for inner in self.iterated(a)
            ]
        return [] if name == "range" or isinstance(node, gast.Starred) else [node]

    def iterator_name(self, node: Any) -> str | None:
        """zip, enumerate, reversed, sorted or range, where an expression is a call of it."""
        if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Name)):
            return None
        function = self.called(node.func)[0]
        known: dict[Any, str] = {
            zip: "zip", enumerate: "enumerate", reversed: "reversed", sorted: "sorted", range: "range",
            list: "list", tuple: "list",
        }  # fmt: skip
        return known.get(function) if isinstance(function, type) or function is sorted else None

    # -- comprehensions

    def written_display(self, node: Any) -> Kind | None:
        """The kind of a comprehension over known items, written out where each of them is something else."""
        if not self.must_be_written(node):
            return None
        known = node in self.instead
        if not known or self.loops_around:
            rows = self.rows(node.generators, {})
            if rows is None or len(rows) > MOST_TRIPS_WRITTEN:
                if known:
                    self.take_anew(node)
                return None
            display = _display(node, rows)
            if known and gast.dump(display) != gast.dump(self.instead[node]):
                self.take_anew(node)
                return None
        if not known:
            if isinstance(node, gast.DictComp) and not self.has_known_keys(display):
                return None
            self.instead[node] = display
        self.facts.as_arrays[node] = self.instead[node]
        return self.expression(self.instead[node])

    def has_known_keys(self, display: Any) -> bool:
        """Whether it is known which keys these are, and that they differ."""
        for key in display.keys:
            self.expression(key)
        keys = list(map(self.known_key, display.keys))
        return ABSENT not in keys and len(set(keys)) == len(keys)

    def must_be_written(self, node: Any) -> bool:
        if isinstance(node, gast.DictComp):
            names = {n for g in node.generators for n in ir.names_in(g.iter) if ir.is_value(n)}
            names |= {n for e in (node.key, node.value) for n in ir.names_in(e) if ir.is_value(n)}
            return any(self.env.kinds.get(n, UNKNOWN).active for n in names)
        over = [n for g in node.generators for n in self.iterated(g.iter)]
        if any(self.is_of_forms(node) or self.is_of_several_kinds(node) for node in over[:1]):
            return True
        return any(map(self.is_keyed, ir.walk(node.elt)))

    def is_of_several_kinds(self, node: Any) -> bool:
        """Whether this is a display of numbers and arrays of which no single kind tells what each of them is."""
        if not isinstance(node, (gast.Tuple, gast.List)):
            return False
        kind = self.expression(node)
        if not (isinstance(kind, Tup) and kind.active and all(map(_is_known_number, kind.items))):
            return False
        numbers = [item for item in kind.items if isinstance(item, Num)]
        one = functools.reduce(join, kind.items)
        return not _is_known_number(one) or len({item.dtype for item in numbers}) > 1

    def is_keyed(self, node: Any) -> bool:
        """Whether an expression asks a container that carries a derivative for what a variable names."""
        if not isinstance(node, gast.Subscript) or literal_of(node.slice) is not ABSENT:
            return False
        kind = self.place_in_container(node.value)
        if not (isinstance(kind, Tup) and kind.active):
            return False
        return kind.is_mapping or any(map(holds_keys, kind.items))

    def rows(self, generators: Sequence[Any], given: dict[str, Any]) -> list[dict[str, Any]] | None:
        """What stands for the variables of a comprehension in each of its elements."""
        if not generators:
            return [given]
        first, *others = generators
        items = self.known_items(written_out(first.iter, given))
        if items is None:
            return None
        found: list[dict[str, Any]] = []
        for item in items:
            inner = _bound(first.target, item)
            if inner is None:
                return None
            inner = {**given, **inner}
            truths = [self.truth(self.expression(written_out(t, inner))) for t in first.ifs]
            if None in truths:
                return None
            more = self.rows(others, inner) if all(truths) else []
            if more is None:
                return None
            found += more
        return found

    # -- the items, one expression each

    def known_items(self, node: Any) -> list[Any] | None:
        """An expression for each item of a loop, None where they are not known."""
        match self.iterator_name(node):
            case "zip":
                return self.zipped(node)
            case "enumerate":
                return self.counted(node)
            case "reversed" if len(node.args) == 1:
                items = self.known_items(node.args[0])
                return None if items is None else items[::-1]
            case "sorted" if len(node.args) == 1 and not node.keywords:
                return self.sorted_items(self.known_items(node.args[0]))
            case "range":
                return self.numbers(node)
            case "list" if len(node.args) == 1:
                items = self.known_items(node.args[0])
                constant = items is not None and all(literal_of(i) is not ABSENT for i in items)
                if constant:
                    return items
        return self.items_of_container(node)

    def zipped(self, node: Any) -> list[Any] | None:
        parts = [self.known_items(a) for a in node.args]
        if node.keywords or any(p is None for p in parts):
            return None
        return [
            gast.Tuple(list(row), gast.Load())
            for row in zip(*(p or [] for p in parts), strict=False)
        ]

    def counted(self, node: Any) -> list[Any] | None:
        items = self.known_items(node.args[0]) if node.args else None
        starts = [*node.args[1:], *(k.value for k in node.keywords)]
        start = literal_of(starts[0]) if starts else 0
        if items is None or type(start) is not int:
            return None
        return [
            gast.Tuple([gast.Constant(start + k, None), item], gast.Load())
            for k, item in enumerate(items)
        ]

    def sorted_items(self, items: list[Any] | None) -> list[Any] | None:
        values = [literal_of(item) for item in items or ()]
        if items is None or any(not isinstance(v, str) for v in values):
            return None
        return [gast.Constant(v, None) for v in sorted(values, key=str)]

    def numbers(self, node: Any) -> list[Any] | None:
        bounds = [self.whole_number(self.expression(a)) for a in node.args]
        if node.keywords or not bounds or any(b is None for b in bounds) or bounds[2:] == [0]:
            return None
        numbers = range(*(b or 0 for b in bounds))
        if len(numbers) > MOST_TRIPS_WRITTEN:
            return None
        return [gast.Constant(k, None) if k >= 0 else _negative(k) for k in numbers]

    def whole_number(self, kind: Kind) -> int | None:
        if isinstance(kind, Num) and kind.literal is not None:
            return kind.literal
        return kind.value if isinstance(kind, Num) and isinstance(kind.value, int) else None

    def items_of_container(self, node: Any) -> list[Any] | None:
        view = self.dict_viewed(node)
        if view is not None:
            return view
        self.as_dict(node)
        if self.is_view_of_keyed(node):
            return None
        kind = self.expression(node)
        if not isinstance(kind, Tup) or kind.is_object:
            return None
        if kind.is_mapping:
            return [gast.Constant(key, None) for key in kind.keys or ()]
        node = self.facts.answers.get(node, node)
        if isinstance(node, (gast.Tuple, gast.List)):
            plain = all(literal_of(e) is not ABSENT or self.is_path(e) for e in node.elts)
            return list(node.elts) if plain else None
        if not self.is_path(node):
            return self.strings_in(kind)
        return [_subscript(node, k) for k in range(len(kind.items))]

    def is_view_of_keyed(self, node: Any) -> bool:
        """Whether this is `d.items()` or the like, of a dict whose keys are computed."""
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=d), attr=name)):
                return name in VIEWS and is_keyed_dict(self.env.kinds.get(d, UNKNOWN))
        return False

    def strings_in(self, kind: Tup) -> list[Any] | None:
        """What a name outside holds: strings that stay."""
        texts = [
            item.value
            for item in kind.items
            if isinstance(item, Known) and isinstance(item.value, str)
        ]
        return [gast.Constant(t, None) for t in texts] if len(texts) == len(kind.items) else None

    def dict_viewed(self, node: Any) -> list[Any] | None:
        """d.items(), d.keys(), d.values()"""
        match node:
            case gast.Call(func=gast.Attribute(value=owner, attr=name), args=[], keywords=[]) if (
                name in VIEWS
            ):
                self.as_dict(owner)
                kind = self.expression(owner)
            case _:
                return None
        if not (isinstance(kind, Tup) and kind.is_mapping and self.is_path(owner)):
            return None
        keys = [gast.Constant(key, None) for key in kind.keys or ()]
        values = [element_path(owner, k, kind) for k in range(len(kind.items))]
        if name == "items":
            return [gast.Tuple([k, v], gast.Load()) for k, v in zip(keys, values, strict=True)]
        return keys if name == "keys" else values

    def is_path(self, node: Any) -> bool:
        """Whether known names and keys lead to a container from a value of this function."""
        return self.owner_of_entries(node) is not None


def _is_data(kind: Kind) -> bool:
    """Whether it is not known what text or number a value of this kind is."""
    return isinstance(kind, Num) or kind == Opaque(str)


def _is_known_number(kind: Kind) -> bool:
    return isinstance(kind, Num) and kind.known and kind.dtype is not None


def _bound(target: Any, item: Any) -> dict[str, Any] | None:
    """The variables of a target, and what stands for them."""
    if isinstance(target, gast.Name):
        return {target.id: item}
    if not (isinstance(item, gast.Tuple) and len(item.elts) == len(target.elts)):
        return None
    parts = [_bound(t, part) for t, part in zip(target.elts, item.elts, strict=True)]
    if any(part is None for part in parts):
        return None
    return {name: e for part in parts for name, e in (part or {}).items()}


def _display(node: Any, rows: Sequence[dict[str, Any]]) -> Any:
    """The elements of a comprehension, written down."""
    if isinstance(node, gast.DictComp):
        keys = [written_out(node.key, row) for row in rows]
        new: Any = gast.Dict(keys, [written_out(node.value, row) for row in rows])
    else:
        new = gast.List([written_out(node.elt, row) for row in rows], gast.Load())
    for part in ir.walk(new):
        gast.copy_location(part, node)
    return new


def _is_of_keys(kind: Kind) -> bool:
    """Whether a value is a dict or an object, or holds one that varies."""
    constant = isinstance(kind, Tup) and (kind.is_mapping or kind.is_object)
    return constant or holds_keys(kind)


def _parts(item: Any) -> list[Any]:
    """What stands in an item, tuples taken apart."""
    if isinstance(item, gast.Tuple):
        return [part for element in item.elts for part in _parts(element)]
    return [item]


def _literals(items: Sequence[Any]) -> tuple[tuple[Hashable, ...], ...]:
    """The texts and numbers in items, None for the rest."""
    values = ([literal_of(part) for part in _parts(item)] for item in items)
    return tuple(tuple(None if v is ABSENT else v for v in row) for row in values)


def _subscript(node: Any, k: int) -> Any:
    return gast.Subscript(node, gast.Constant(k, None), gast.Load())


def _negative(k: int) -> Any:
    return gast.UnaryOp(gast.USub(), gast.Constant(-k, None))


def _read_for(names: set[str], loop: ir.For) -> set[str]:
    """What names depend on that a loop binds."""
    found = set(names)
    lines = [s for s in ir.walk_statements(loop.body) if isinstance(s, ir.Assign)]
    while True:
        reached = {
            n
            for s in lines
            if not found.isdisjoint(ir.defined_names(s))
            for n in ir.names_in(s.value)
            if ir.is_value(n)
        }
        if reached <= found:
            return found
        found |= reached
