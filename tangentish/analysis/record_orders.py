"""The first, the last and all elements of a list of dicts or objects by a key: an order is a list of indices.

min(ps, key=lambda p: p.x)     ->    min(range(len(ps["x"])), key=ps["x"].__getitem__)
ps.sort(key=cost)              ->    keys = [cost(p) for p in ps]
                                     order = sorted(range(len(keys)), key=keys.__getitem__)
                                     ps["x"] = [ps["x"][k] for k in order]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.record_keys import ByKey
from tangentish.ir.quote import quote
from tangentish.language.keys import result_for
from tangentish.language.placed import all_at, at
from tangentish.language.record_slices import sliced
from tangentish.language.records import entry_of_element, list_of_entry
from tangentish.language.written_out import written_out


@dataclass
class Ordered(ByKey):
    """before: the lines that a line needs, which is written next."""

    before: list[ir.Statement] = field(default_factory=list)

    def is_picked(self, node: Any) -> bool:
        """`min(ps, key=f)` or `max(ps, key=f)`"""
        return self.is_by_key(node, "min") or self.is_by_key(node, "max")

    def is_sorted(self, node: Any) -> bool:
        """`sorted(ps, key=f)`"""
        return self.is_by_key(node, "sorted")

    def is_by_key(self, node: Any, function: str) -> bool:
        match node:
            case gast.Call(func=func, args=[xs], keywords=keywords) if self.means(func, function):
                given = {k.arg for k in keywords}
                known = {"key"} if function != "sorted" else {"key", "reverse"}
                return self.is_list(xs) and not self.is_keyed and "key" in given and given <= known
        return False

    def sorting(self, line: ir.Statement) -> Any | None:
        """`sorted(ps, key=f)` for the line `ps.sort(key=f)`"""
        match line:
            case ir.Do(
                gast.Expr(value=gast.Call(func=gast.Attribute(value=xs, attr="sort"))) as do
            ):
                call = do.value
                named = at(ir.name("$sorted"), call.func)
                order = ir.with_fields(call, {"func": named, "args": [xs, *call.args]})
                return order if self.is_sorted(order) else None
        return None

    def in_order(self, call: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """Ps["x"] = [ps["x"][k] for k in order], for all entries"""
        order = self.fresh("order")
        indices = self.picked(call, origin)
        yield from self.taken_before()
        yield ir.Assign(at(ir.name(order, gast.Store()), call), indices, origin)
        for key in self.needed.keys:
            place = ir.with_fields(list_of_entry(self.needed.way, key, call), {"ctx": gast.Store()})
            item = partial(entry_of_element, self.needed.way, key)
            yield ir.Assign(place, self.gathered(item, at(ir.name(order), call), call), origin)

    def ordered(self, call: Any, origin: ir.Origin) -> Any | None:
        """[ps[k] for k in sorted(range(n), key=f)], for `sorted(ps, key=f)`"""
        if self.needed.cls is None:
            return None
        return self.in_this_order(self.picked(call, origin), call)

    def in_this_order(self, indices: Any, node: Any) -> Any:
        """[ps[k] for k in indices]"""

        def item(index: Any, node: Any, _ctx: Any) -> Any:
            return self.lent(index, node)

        return self.gathered(item, indices, node)

    def order_of_part(self, value: Any) -> Any | None:
        """The indices of `ps[1:]`, `ps[::-1]` and `list(reversed(ps))`; None of anything else."""
        if self.needed.cls is None:
            return None
        match value:
            case gast.Subscript() if self.is_part(value):
                return sliced(self.indices(value), value.slice)
            case gast.Call(
                func=whole, args=[gast.Call(func=function, args=[xs], keywords=[])], keywords=[]
            ) if (
                self.means(whole, "list") and self.means(function, "reversed") and self.is_list(xs)
            ):
                return all_at(quote("reversed({r})", r=self.indices(value)), value)
        return None

    def indices(self, node: Any) -> Any:
        """range(len(ps["x"]))"""
        return all_at(quote("range({n})", n=self.length(node)), node)

    def gathered(self, item: Callable[[Any, Any, Any], Any], indices: Any, node: Any) -> Any:
        """[item(k) for k in indices]"""
        variable = self.variable("k")
        target = at(ir.name(variable, gast.Store()), node)
        element = item(at(ir.name(variable), node), node, gast.Load())
        return at(gast.ListComp(element, [gast.comprehension(target, indices, [], 0)]), node)

    def picked(self, call: Any, origin: ir.Origin | None = None) -> Any:
        """min(range(len(ps["x"])), key=ps["x"].__getitem__)"""
        keywords = []
        for keyword in call.keywords:
            value = keyword.value
            if keyword.arg == "key":
                items = self.keys_by(value, call, origin)
                new: Any = at(gast.Attribute(items, "__getitem__", gast.Load()), value)
            else:
                new = self.expression(value)
            keywords.append(ir.with_fields(keyword, {"value": new}))
        return ir.with_fields(call, {"args": [self.indices(call)], "keywords": keywords})

    def keys_by(self, key: Any, call: Any, origin: ir.Origin | None) -> Any:
        """What a key gives for all elements; it has a line of its own where there may be one, unless it is an entry."""
        variable = self.variable("p")
        element = result_for(key, [at(ir.name(variable), call)], call)
        target = at(ir.name(variable, gast.Store()), call)
        loop = at(gast.comprehension(target, written_out(call.args[0]), [], 0), call)
        made = self.expression(at(gast.ListComp(element, [loop]), call))
        items = _read_of(made)
        if items is not None or origin is None:
            return items or made
        name = self.fresh("keys")
        self.before.append(ir.Assign(at(ir.name(name, gast.Store()), call), made, origin))
        return at(ir.name(name), call)

    def is_in_expression(self, call: Any) -> bool:
        """Whether what a key gives may be computed inside of an expression: nothing is called for it."""
        key = next(k.value for k in call.keywords if k.arg == "key")
        given = result_for(key, [ir.name("p")], call)
        return not any(isinstance(n, gast.Call) for n in ir.walk(given))

    def taken_before(self) -> Iterator[ir.Statement]:
        yield from self.before
        self.before = []


def _read_of(made: Any) -> Any | None:
    """`xs` for `[x for x in xs]`"""
    match made:
        case gast.ListComp(
            elt=gast.Name(id=one),
            generators=[gast.comprehension(target=gast.Name(id=other), iter=xs, ifs=[])],
        ) if one == other:
            return xs
    return None
