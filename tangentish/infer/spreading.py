"""Stars: `f(*parts, **options)`, `(a, *rest)` and `a, *rest = t` in terms of single values.

f(*parts, x)       ->   f(parts[0], parts[1], x)
a, *rest = t       ->   a, rest = t[0], [t[1], t[2]]
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.in_loops import seek_loop, seek_name
from tangentish.infer.inner_tables import seek_inner_table
from tangentish.infer.literals import literal_of
from tangentish.infer.one_of_several import CHOOSING
from tangentish.infer.spread_counts import SpreadCounts
from tangentish.ir.quote import constant, quote
from tangentish.kinds import UNKNOWN, Kind, Known, Num, Seq, Tup
from tangentish.language.placed import all_at, at, name_at
from tangentish.language.written_out import written_out
from tangentish.rules.rule import ABSENT

_WHICH = "which arguments ** gives is not known: write them as they are, f(x, a=d['a'], b=d['b'])"
_HOW_MANY = "how many arguments this gives is not known: give them names on a line before, a, b = p"


def has_stars(node: Any) -> bool:
    """Whether a call or a display has parts of which there may be several."""
    if isinstance(node, gast.Call):
        return ir.has_star(node.args) or any(k.arg is None for k in node.keywords)
    return isinstance(node, (gast.Tuple, gast.List)) and ir.has_star(node.elts)


class Spreading(SpreadCounts):
    """The part of the walk that takes stars apart."""

    def spread_call(self, node: Any) -> Kind:
        """The kind of a call with stars: that of the call without them."""
        self.stars_by_method(node.args)
        self.write_out_for_parts(node.args)
        args, keywords = self.spread(node.args), self.spread_keywords(node.keywords, node)
        if args is None and keywords is not None:
            for known in (
                self.least_or_greatest,
                self.length_of_numbers,
                self.spread_to_parameters,
            ):
                found = known(node)
                if found is not None:
                    return found
            args = self.spread(node.args, outside=self.is_followed(node))
        if args is None or keywords is None:
            starred = (a.value for a in node.args if isinstance(a, gast.Starred))
            if any(self.expression(value).active for value in starred):
                seek_loop(self)  # there the parts may have names
            return self.not_spread(node, _HOW_MANY if args is None else _WHICH)
        new = self.made_once(
            (node, "call", *args, *keywords), lambda: gast.Call(node.func, args, keywords), node
        )
        kind = self.expression(new)
        facts = self.facts
        tables: tuple[dict[Any, Any], ...] = (
            facts.callees, facts.handed, facts.given_back, facts.made, facts.lowered
        )  # fmt: skip
        for table in tables:
            if new in table:
                table[node] = table[new]
        for noted in (facts.silent, facts.after_init):
            if new in noted:
                noted.add(node)
        facts.lifted[node] = facts.lifted.get(new, new)
        return kind

    def least_or_greatest(self, node: Any) -> Kind | None:
        """min(*x), max(a, *x): that of all the numbers, however many there are"""
        if self.called(node.func)[0] not in CHOOSING:
            return None
        for part in node.args:
            kind = self.expression(part.value if isinstance(part, gast.Starred) else part)
            item = (
                self.item_of_sequence(kind, part.value) if isinstance(part, gast.Starred) else kind
            )
            if not (isinstance(item, Num) and item.shape == ()):
                return None

        def made() -> Any:
            whole = node.args[0].value if len(node.args) == 1 else gast.List(node.args, gast.Load())
            return gast.Call(node.func, [whole], node.keywords)

        return self.answered_by(node, made)

    def length_of_numbers(self, node: Any) -> Kind | None:
        """math.hypot(*x)    ->    math.dist(x, np.zeros(len(x))), which is computed in the same way"""
        if self.called(node.func)[0] is not math.hypot or len(node.args) != 1:
            return None
        given = node.args[0].value
        if not isinstance(given, gast.Name):
            seek_name(self, given)
            return None
        form = "math.dist({x}, np.zeros(len({x})))"
        return self.answered_by(node, lambda: all_at(quote(form, x=given), node))

    def stars_by_method(self, nodes: Sequence[Any]) -> None:
        """`*o` of an object of a class that says what a loop over it gets."""
        for part in nodes:
            if isinstance(part, gast.Starred) and self.is_object(part.value):
                self.expression(part.value)
                self.run_over_by_method(part.value)

    def spread_display(self, node: Any) -> Kind:
        self.stars_by_method(node.elts)
        elements = self.spread(node.elts)
        if elements is None and self.gives_active(node):
            elements = self.spread(node.elts, outside=True)
        if elements is None and isinstance(node, gast.List) and self.gives_active(node):
            return self.answered_by(node, lambda: _joined(node))
        if elements is None:
            return self.not_spread(node, "how many elements this has is not known")
        new = self.made_once(
            (node, "display", *elements), lambda: type(node)(elements, gast.Load()), node
        )
        self.facts.lifted[node] = new
        return self.expression(new)

    def gives_active(self, node: Any) -> bool:
        parts = (part.value if isinstance(part, gast.Starred) else part for part in node.elts)
        kinds = list(map(self.expression, parts))
        return any(kind.active for kind in kinds)

    def not_spread(self, node: Any, message: str) -> Kind:
        parts = [*getattr(node, "args", ()), *getattr(node, "elts", ())]
        values = [p.value if isinstance(p, gast.Starred) else p for p in parts]
        values += [k.value for k in getattr(node, "keywords", ())]
        if any(self.expression(value).active for value in values):
            self.refuse(message, node)
        if isinstance(node, gast.Call):
            kind = self.expression(node.func)
            if kind.active:
                self.refuse(message, node)
            return self.unknown_call(None, [*values, node.func], node)
        return UNKNOWN

    def spread(self, nodes: Sequence[Any], outside: bool = False) -> list[Any] | None:
        """One node a value; None where it is not known how many there are.

        outside: whether lists outside are looked into, which hold as many at every call then.
        """
        found: list[Any] = []
        for node in nodes:
            if not isinstance(node, gast.Starred):
                found.append(node)
                continue
            whole, part = self.part_spread(node.value)
            kind = self.expression(whole)
            if isinstance(kind, Tup) and kind.is_counted:
                places = range(len(kind.items))[part]
                found += [self.element(self.told_apart(whole, k), k, kind.items[k]) for k in places]
                continue
            elements = self.elements_outside(whole) if outside else None
            if elements is None:
                return None
            found += elements[part]
        return found

    def part_spread(self, node: Any) -> tuple[Any, slice]:
        """What is spread by `*xs[1:]`: a container, and which of its elements."""
        if not (isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Slice)):
            return node, slice(None)
        part = node.slice
        bounds = [b and self.bound_known(b) for b in (part.lower, part.upper, part.step)]
        if all(b is None or type(b) is int for b in bounds) and bounds[2] != 0:
            return node.value, slice(*bounds)
        return node, slice(None)

    def bound_known(self, node: Any) -> Any:
        """The end of a slice: a literal, what an integer outside is, and what these add up to; else ABSENT."""
        match node:
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
                one, other = self.bound_known(left), self.bound_known(right)
                if not (type(one) is int and type(other) is int):
                    return ABSENT
                return one + other if isinstance(op, gast.Add) else one - other
        literal = literal_of(node)
        return self.literal_outside(node) if literal is ABSENT else literal

    def told_apart(self, whole: Any, k: int) -> Any:
        """A choice that is made for each of its elements: each makes it by nodes of its own, for each is recorded."""
        if k == 0 or not isinstance(whole, gast.IfExp):
            return whole
        own = self.made_once((whole, "choice", k), lambda: written_out(whole), whole)
        self.expression(own)
        return own

    def spread_keywords(self, keywords: Sequence[Any], node: Any) -> list[Any] | None:
        found: list[Any] = []
        for keyword in keywords:
            if keyword.arg is not None:
                found.append(keyword)
                continue
            kind = self.expression(keyword.value)
            if isinstance(kind, Tup) and kind.is_mapping and _are_names(kind.keys):
                found += self.spread_entries(keyword.value, kind)
                continue
            entries = self.entries_outside(keyword.value) if self.is_followed(node) else None
            if entries is None or not _are_names(entries):
                return None
            for name, value in entries.items():
                found.append(
                    self.made_once(
                        (value, "keyword", name), partial(gast.keyword, name, value), value
                    )
                )
        twice = [k.arg for k in found if sum(k.arg == other.arg for other in found) > 1]
        if twice:
            self.refuse(f"this gives {twice[0]} twice", node)
            return None
        return found

    def is_followed(self, call: Any) -> bool:
        """Whether a call makes an object, or gets something that carries a derivative."""
        function = self.expression(call.func)
        if isinstance(function, Known) and isinstance(function.value, type):
            return True
        parts = ir.given_to(call)
        if isinstance(call.func, gast.Attribute):
            parts.append(call.func.value)
        values = [p.value if isinstance(p, gast.Starred) else p for p in parts]
        return any(self.expression(value).active for value in values)

    def write_out_for_parts(self, args: Sequence[Any]) -> None:
        """`f(*args[:i], v, *args[i + 1:])` in a loop over `i`, of a list or a tuple whose elements are told apart."""
        for arg in args:
            match arg:
                case gast.Starred(value=gast.Subscript(value=whole, slice=gast.Slice() as part)):
                    kind = self.place_in_container(whole)
                    if kind.active and isinstance(kind, Tup):
                        self.write_out_for(part)

    def spread_entries(self, node: Any, kind: Tup) -> list[Any]:
        """f(**d), of a dict whose keys are known"""
        found = []
        for k, (name, item) in enumerate(zip(kind.keys or (), kind.items, strict=True)):
            value = self.element(node, k, item)
            found.append(
                self.made_once((value, "keyword", name), partial(gast.keyword, name, value), value)
            )
        return found

    def option(self, node: Any) -> Kind | None:
        """`options.get("key", default)`, where it is known which keys there are."""
        match node:
            case gast.Call(
                func=gast.Attribute(value=options, attr="get"),
                args=[wanted, *default],
                keywords=[],
            ) if (names := _known_keys(kind := self.expression(options))) is not None:
                self.expression(wanted)
                key = self.known_key(wanted)
                if not isinstance(key, (str, int)):
                    if isinstance(kind, Tup) and kind.active:
                        self.write_out_for(wanted)
                        self.demand_keyed(kind, options, wanted)
                        seek_inner_table(self, kind, options)
                    return None
                if key in names:
                    index = gast.Constant(key, None)
                    found = self.made_once(
                        (options, key), lambda: gast.Subscript(options, index, gast.Load()), node
                    )
                else:
                    nothing = self.made_once((node, "get"), lambda: gast.Constant(None, None), node)
                    found = default[0] if default else nothing
                self.facts.lifted[node] = found
                return self.expression(found)
        return None

    def kinds_of_starred(self, target: Any, kind: Kind) -> list[Kind] | None:
        """The kinds of the targets of `a, *rest = value`, None where it is not known how many values there are."""
        first, last = _around_star(target)
        if kind.active and (isinstance(kind, Seq) or (isinstance(kind, Num) and kind.shape)):
            item = self.item_of_sequence(kind, target)
            parts: list[Kind] = [item] * (first + last)
            return [*parts[:first], Seq(item, self.fresh(target)), *parts[first:]]
        if not (isinstance(kind, Tup) and kind.is_counted and len(kind.items) >= first + last):
            return None
        end = len(kind.items) - last
        rest = Tup(kind.items[first:end], True, frozenset({id(target)}))
        return [*kind.items[:first], rest, *kind.items[end:]]

    def without_star(self, target: Any, kind: Kind, value: Any) -> tuple[Any, Any]:
        """`a, *rest = value` as targets without a star, and what they are given."""
        first, last = _around_star(target)
        targets = [t.value if isinstance(t, gast.Starred) else t for t in target.elts]
        if not isinstance(kind, Tup):
            return at(gast.Tuple(targets, gast.Store()), target), _cut(value, first, last)
        end = len(kind.items) - last
        nodes = [self.element(value, k, item) for k, item in enumerate(kind.items)]
        rest = gast.copy_location(gast.List(nodes[first:end], gast.Load()), target)
        new = gast.Tuple(targets, gast.Store())
        values = gast.Tuple([*nodes[:first], rest, *nodes[end:]], gast.Load())
        return gast.copy_location(new, target), gast.copy_location(values, value)


def _known_keys(kind: Kind) -> tuple[Any, ...] | None:
    """The keys of a dict, where they are known and stay."""
    return kind.keys if isinstance(kind, Tup) and kind.is_dict else None


def _are_names(keys: Iterable[Any] | None) -> bool:
    return all(isinstance(key, str) for key in keys or ())


def _cut(value: Any, first: int, last: int) -> Any:
    """The first and the last elements of a list or an array, and a list of those between them."""

    def element(k: int) -> Any:
        return gast.Subscript(written_out(value), constant(k), gast.Load())

    end = constant(-last) if last else None
    between = gast.Subscript(
        written_out(value),
        gast.Slice(constant(first) if first else None, end, None),
        gast.Load(),
    )
    ends = [*map(element, range(first)), *map(element, range(-last, 0))]
    rest = quote("list({xs})", xs=between)
    return all_at(gast.Tuple([*ends[:first], rest, *ends[first:]], gast.Load()), value)


def _around_star(target: Any) -> tuple[int, int]:
    """How many targets stand before the starred one, and how many after it."""
    first = next(k for k, t in enumerate(target.elts) if isinstance(t, gast.Starred))
    return first, len(target.elts) - first - 1


def _joined(display: Any) -> Any:
    """[*a, v, *b]  ->  list(a) + [v] + list(b)"""
    parts: list[Any] = []
    for element in display.elts:
        if isinstance(element, gast.Starred):
            parts.append(gast.Call(name_at("$list", element), [element.value], []))
        elif parts and isinstance(parts[-1], gast.List):
            parts[-1].elts.append(element)
        else:
            parts.append(gast.List([element], gast.Load()))
    parts = [at(part, display) for part in parts]
    return functools.reduce(lambda a, b: at(gast.BinOp(a, gast.Add(), b), display), parts)
