"""The items of loops, one expression each, where they are known: of containers that are taken apart, keys, numbers.

zip(layers, gates)      ->      (layers[0], gates[0]), (layers[1], gates[1]), as far as the array reaches
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.items_made_late import SELECTIONS
from tangentish.infer.iteration import Iteration
from tangentish.infer.keyed_dicts import is_keyed_dict
from tangentish.infer.literals import literal_of
from tangentish.infer.spreading import has_stars
from tangentish.kinds import UNKNOWN, Kind, Known, Num, Opaque, Seq, Tup
from tangentish.language.lifted import element_path
from tangentish.language.taken_first import copied_first
from tangentish.language.taken_for import TakenFor
from tangentish.language.ways import way_of
from tangentish.rules.rule import ABSENT

MOST_TRIPS_WRITTEN = 64
VIEWS = {"items", "keys", "values"}
_NOT_SIZED = {"zip", "enumerate", "reversed"}
_OF_ITEMS: dict[str, Callable[..., Any]] = {
    one.__name__: one for one in (*SELECTIONS, itertools.product, itertools.pairwise)
}


class ItemExpressions(Iteration):
    """The part of the walk that writes down what a loop runs over."""

    def iterated(self, node: Any) -> list[Any]:
        """What a loop runs over, in zip, enumerate and combinations too."""
        name = self.iterator_name(node)
        if self.is_of_tuples(node):
            return [inner for a in self.given_to_tuples(node) for inner in self.iterated(a)]
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
        if self.is_of_tuples(node):
            return self.tuples_of_items(node)
        return self.items_of_container(node)

    def is_of_tuples(self, node: Any) -> bool:
        """Whether this is a call of itertools that gives tuples of the items of what it is given."""
        way = way_of(node.func) if isinstance(node, gast.Call) and not has_stars(node) else None
        if way is None or way.base not in _OF_ITEMS:
            return False
        return self.called(node.func)[0] is _OF_ITEMS[way.base]

    def given_to_tuples(self, node: Any) -> list[Any]:
        """What such a call takes its items from; a copy of a list that the loop may change is that list."""
        whole = self.called(node.func)[0] is itertools.product
        return [copied_first(arg) or arg for arg in (node.args if whole else node.args[:1])]

    def tuples_of_items(self, node: Any) -> list[Any] | None:
        """The items of combinations(ps, 2), permutations(ps, 2), product(ps, qs) and pairwise(ps)."""
        parts = [self.known_items(arg) for arg in self.given_to_tuples(node)]
        numbers = [literal_of(arg) for arg in node.args[len(parts) :]]
        options = {str(k.arg): literal_of(k.value) for k in node.keywords}
        plain = all(type(k) is int and k > 0 for k in (*numbers, *options.values()))
        if None in parts or not plain:
            return None
        tuples = _OF_ITEMS[way_of(node.func).base](*parts, *numbers, **options)  # type: ignore[union-attr]
        rows = list(itertools.islice(tuples, MOST_TRIPS_WRITTEN + 1))
        return [gast.Tuple(list(row), gast.Load()) for row in rows]

    def items_beside_arrays(self, node: Any) -> tuple[list[Any] | None, list[Any]]:
        """The items of a loop, and what gives a part of each, as far as it reaches: zip(layers, gates)."""
        along: list[Any] = []
        items = self.items_along(node, along)
        return items, along

    def items_along(self, node: Any, along: list[Any]) -> list[Any] | None:
        """The items of a loop; `along` gets the arrays and lists beside them, which may be shorter."""
        items = self.known_items(node)
        if items is not None:
            return items
        match self.iterator_name(node):
            case "enumerate" if node.args:
                return self.numbered(self.items_along(node.args[0], along), node)
            case "zip" if not (node.keywords or has_stars(node)):
                return self.zipped_along(node.args, along)
        return self.items_outside(node)

    def items_outside(self, node: Any) -> list[Any] | None:
        """The elements of a tuple of numbers, or of objects, that stands outside of the function."""
        kind = self.expression(node) if isinstance(node, gast.Name) else None
        if not (isinstance(kind, Tup) and kind.is_counted and not kind.is_list):
            return None
        numbers = all(isinstance(item, Num) for item in kind.items)
        objects = all(isinstance(item, Opaque) and item.type is not None for item in kind.items)
        found = numbers or objects
        return [_subscript(node, k) for k in range(len(kind.items))] if found else None

    def zipped_along(self, args: list[Any], along: list[Any]) -> list[Any] | None:
        sized = [arg for arg in args if self.is_sized(arg) and is_named(arg)]
        parts = [None if arg in sized else self.items_along(arg, along) for arg in args]
        known = [part for part in parts if part is not None]
        if not known or len(known) + len(sized) < len(parts):
            return None
        along += sized
        return [
            gast.Tuple(
                [
                    _subscript(arg, k) if part is None else part[k]
                    for arg, part in zip(args, parts, strict=True)
                ],
                gast.Load(),
            )
            for k in range(min(map(len, known)))
        ]

    def beside(self, node: Any) -> list[Any]:
        """What zip and enumerate run over."""
        match self.iterator_name(node):
            case "zip":
                return [inner for arg in node.args for inner in self.beside(arg)]
            case "enumerate":
                return [inner for arg in node.args[:1] for inner in self.beside(arg)]
        return [node]

    def has_elements(self, node: Any) -> bool:
        """Whether the elements of this are there, under a name, before a loop runs over it."""
        if self.is_sized(node):
            return True
        kind = UNKNOWN if isinstance(node, gast.Starred) else self.expression(node)
        return isinstance(kind, Tup) and kind.is_counted and isinstance(node, gast.Call)

    def is_sized(self, node: Any) -> bool:
        """Whether this is an array or a list of which a loop gets its elements, as many as `len` says."""
        if isinstance(node, gast.Starred) or self.iterator_name(node) in _NOT_SIZED:
            return False
        match self.expression(node):
            case Num(array=True, rank=rank):
                return bool(rank)
            case Seq(keyed=keyed, item=item):
                return not keyed and isinstance(item, Num)
            case Opaque(type=cls):
                return cls in (list, tuple, range)
        return False

    def zipped(self, node: Any) -> list[Any] | None:
        parts = [self.known_items(a) for a in node.args]
        if node.keywords or any(p is None for p in parts):
            return None
        return [
            gast.Tuple(list(row), gast.Load())
            for row in zip(*(p or [] for p in parts), strict=False)
        ]

    def counted(self, node: Any) -> list[Any] | None:
        return self.numbered(self.known_items(node.args[0]) if node.args else None, node)

    def numbered(self, items: list[Any] | None, node: Any) -> list[Any] | None:
        """The items of enumerate(xs, start)."""
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
        part = self.items_of_part(node)
        if part is not None:
            return part
        kind = self.expression(node)
        if not isinstance(kind, Tup) or kind.is_object:
            return None
        if kind.is_mapping:
            return [gast.Constant(key, None) for key in kind.keys or ()]
        node = self.facts.answers.get(node, node)
        if isinstance(node, (gast.Tuple, gast.List)):
            plain = all(self.is_path(e) or _is_of_names(e) for e in node.elts)
            return list(node.elts) if plain else None
        if not self.is_path(node):
            return _constants_in(kind)
        return [_subscript(node, k) for k in range(len(kind.items))]

    def items_of_part(self, node: Any) -> list[Any] | None:
        """sizes[1:] of a container whose items are known, between ends that are known."""
        match node:
            case gast.Subscript(value=whole, slice=gast.Slice() as part):
                kind = self.expression(whole)
            case _:
                return None
        if not isinstance(kind, Tup) or not kind.is_counted:
            return None
        ends: list[Any] = [e and literal_of(e) for e in (part.lower, part.upper, part.step)]
        if not all(e is None or type(e) is int for e in ends) or ends[2] == 0:
            return None
        items = self.items_of_container(whole)
        return None if items is None else items[slice(*ends)]

    def is_view_of_keyed(self, node: Any) -> bool:
        """Whether this is `d.items()` or the like, of a dict whose keys are computed."""
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=d), attr=name)):
                return name in VIEWS and is_keyed_dict(self.env.kinds.get(d, UNKNOWN))
        return False

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


def _constants_in(kind: Tup) -> list[Any] | None:
    """What a name outside holds, or a tuple made of such: strings that stay, and None for where there is none."""
    texts = [item.value for item in kind.items if isinstance(item, Known)]
    constant = all(text is None or isinstance(text, str) for text in texts)
    return (
        [gast.Constant(t, None) for t in texts]
        if constant and len(texts) == len(kind.items)
        else None
    )


def is_named(node: Any) -> bool:
    return isinstance(node, (gast.Name, gast.Attribute))


def _is_of_names(node: Any) -> bool:
    """Whether this is a literal, or a tuple of such and of names: it is the same later, where they are."""
    if isinstance(node, gast.Tuple):
        return all(isinstance(e, gast.Name) or _is_of_names(e) for e in node.elts)
    return literal_of(node) is not ABSENT


def _subscript(node: Any, k: int) -> Any:
    return gast.Subscript(node, gast.Constant(k, None), gast.Load())


def _negative(k: int) -> Any:
    return gast.UnaryOp(gast.USub(), gast.Constant(-k, None))


def parts_of_item(item: Any) -> list[Any]:
    """What stands in an item, tuples taken apart."""
    if isinstance(item, gast.Tuple):
        return [part for element in item.elts for part in parts_of_item(element)]
    return [item]


def taken_line(loop: ir.For, items: Sequence[Any]) -> ir.Statement:
    """What says which items a loop was taken to run over."""
    return ir.Do(
        gast.copy_location(TakenFor(loop.iter, literals_in(items)), loop.iter), loop.origin
    )


def literals_in(items: Sequence[Any]) -> tuple[tuple[Hashable, ...], ...]:
    """The texts and numbers in items, None for the rest."""
    values = ([literal_of(part) for part in parts_of_item(item)] for item in items)
    return tuple(tuple(None if v is ABSENT else v for v in row) for row in values)
