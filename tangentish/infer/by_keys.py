"""What is put in order by a key that reads named tuples: in the text these are plain tuples, and the key has none.

min(es, key=lambda e: e.w)       ->    es[min(range(len(es)), key=[e.w for e in es].__getitem__)]
sorted(es, key=lambda e: e.w)    ->    [es[k] for k in sorted(range(len(es)), key=[e.w for e in es].__getitem__)]

So is what is put in order by a key that reads dicts or objects which are taken apart: under their name nothing is left.

max(range(n), key=lambda i: ps[i].x)    ->    max(range(n), key=[ps[i].x for i in range(n)].__getitem__)
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer.in_loops import seek_name
from tangentish.infer.one_by_one import OneByOne
from tangentish.infer.run_over_once import has_places
from tangentish.infer.starting_again import Instead
from tangentish.ir.quote import quote
from tangentish.kinds import UNKNOWN, Fun, Kind, Seq, Tup
from tangentish.kinds.held_functions import with_those_they_read
from tangentish.language.keys import parameter_of, reads_fields, result_for
from tangentish.language.placed import all_at
from tangentish.language.written_out import written_out

_NAME_IT = (
    "a key that reads what is taken apart: make what it goes over a list, and give that a name"
)


class ByKeys(OneByOne):
    """The part of the walk that has keys computed beforehand."""

    def reads_named_tuples(self, values: Any, key: Any) -> bool:
        """Whether a key is given named tuples that carry a derivative, or finds them where it is made."""
        kind, captured = self.expression(values), self.kind(key)
        cells = captured.cells if isinstance(captured, Fun) else ()
        found = (kind, *(self.env.kinds.get(value, UNKNOWN) for _, value in cells))
        if any(map(_has_named_tuples, found)):
            return True
        # Those that were given are plain ones already: that they have no such field is said where it is read.
        return kind.active and _holds_tuples(kind) and reads_fields(key)

    def seek_keys_listed(self, values: Any, keywords: dict[str, Any], node: Any) -> None:
        """`max(x, key=lambda v: v * o.c)` has the keys listed, where nothing is left under the name `o`."""
        key = self.kind(keywords["key"])
        read = with_those_they_read(key.values if isinstance(key, Fun) else (), self.env.kinds.get)
        gone = {value for value in read if _leaves_nothing(self.env.kinds.get(value))}
        if not gone or self.cached:
            return
        if _is_range(values) or has_places(self.expression(values)):
            if _is_read_twice(values):
                self.in_entries -= {way for way in self.in_entries if way.root in gone}
                raise Instead(node, self.chosen_places(values, keywords, node))
            seek_name(self, values)
        self.refuse(_NAME_IT, node)

    def by_keys(self, values: Any, keywords: dict[str, Any], node: Any) -> Kind | None:
        """The same by the places, which what the key gives for each puts in order."""
        if not _is_read_twice(values):
            self.refuse(_NAME_IT, node)
            return None
        return self.answered_by(node, lambda: self.chosen_places(values, keywords, node))

    def chosen_places(self, values: Any, keywords: dict[str, Any], node: Any) -> Any:
        """`[es[k] for k in sorted(range(len(es)), key=keys.__getitem__)]`, or the first of these places"""
        key, load = keywords["key"], gast.Load()
        name, place = self.unused(parameter_of(key) or "item"), self.unused("k")
        loop = gast.comprehension(ir.name(name, gast.Store()), written_out(values), [], 0)
        keys = gast.ListComp(result_for(key, [ir.name(name)], node), [loop])
        given = {**keywords, "key": gast.Attribute(keys, "__getitem__", load)}
        named = [gast.keyword(arg, value) for arg, value in given.items()]
        values, are_places = written_out(values), _are_places(values)
        over = values if are_places else quote("range(len({values}))", values=written_out(values))
        places = gast.Call(written_out(node.func), [over], named)
        if are_places:
            return all_at(places, node)
        if self.called(node.func)[0] is not sorted:
            return all_at(gast.Subscript(values, places, load), node)
        item = gast.Subscript(values, ir.name(place), load)
        through = gast.comprehension(ir.name(place, gast.Store()), places, [], 0)
        return all_at(gast.ListComp(item, [through]), node)


def _has_named_tuples(kind: Kind | None) -> bool:
    match kind:
        case Tup(items=items):
            return (kind.has_field_names and kind.active) or any(map(_has_named_tuples, items))
        case Seq(item=item):
            return _has_named_tuples(item)
    return False


def _leaves_nothing(kind: Kind | None) -> bool:
    return isinstance(kind, Tup) and kind.leaves_nothing


def _holds_tuples(kind: Kind) -> bool:
    items = kind.items if isinstance(kind, Tup) else (getattr(kind, "item", None),)
    return any(isinstance(item, Tup) and item.is_counted for item in items)


def _are_places(values: Any) -> bool:
    """`range(n)`, whose items are the places themselves."""
    match values:
        case gast.Call(func=gast.Name(id="range"), args=[_]):
            return True
    return False


def _is_range(values: Any) -> bool:
    match values:
        case gast.Call(func=gast.Name(id="range")):
            return True
    return False


def _is_read_twice(values: Any) -> bool:
    """Whether it makes no difference that a list is asked for twice."""
    match values:
        case gast.Name() | gast.Constant() | None:
            return True
        case gast.Attribute(value=owner):
            return _is_read_twice(owner)
        case gast.Subscript(value=owner, slice=index):
            return _is_read_twice(owner) and _is_read_twice(index)
        case gast.Slice(lower=lower, upper=upper, step=step):
            return all(map(_is_read_twice, (lower, upper, step)))
        case gast.UnaryOp(operand=operand):
            return _is_read_twice(operand)
        case gast.BinOp(left=left, right=right):
            return _is_read_twice(left) and _is_read_twice(right)
        case gast.Call(func=gast.Name(id="range" | "len" | "$len"), args=args):
            return all(map(_is_read_twice, args))
    return False
