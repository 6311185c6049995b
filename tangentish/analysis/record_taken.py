"""Lines that take elements out of a list of dicts or objects, and what asks whether there are any.

while queue:                     while len(queue["x"]) > 0:
    c = queue.pop(0)      ->         c_x, c_v = queue["x"].pop(0), queue["v"].pop(0)
    total += c.x                     c = Customer of c_x and c_v

What is taken out is nobody's any more, so that it has a name of its own, as if it were made there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.record_tuples import Tuples
from tangentish.infer import exchanged_elements
from tangentish.language.lifted import Instance
from tangentish.language.placed import all_at, at
from tangentish.language.records import entry_of_element, list_of_entry
from tangentish.language.written_out import written_out

_OF_ALL = {"clear", "reverse", "pop"}
_SIMPLE = (gast.Name, gast.Constant, gast.UnaryOp)


@dataclass
class TakenOut(Tuples):
    """The part that knows what changes the places of elements."""

    def moved(self, line: ir.Statement) -> Iterator[ir.Statement] | None:
        """What becomes of a line that gives elements other places; None of any other, and of a dict."""
        if self.is_keyed:
            return None
        match line:
            case ir.Assign(gast.Name() as target, call, origin) if self.is_call_of(call, "pop"):
                known = self.needed.cls is not None or not self.is_object
                return self.taken_out(target, call, origin) if known else None
            case ir.Assign(target, value, origin) if order := self.order_of_part(value):
                return iter([ir.Assign(target, self.in_this_order(order, value), origin)])
            case ir.Do() | ir.Update() if extension := self.extension(line):
                return iter(self.block(tuple(self.extended(line, *extension))))
            case ir.Do():
                return self.done_to_all(line)
        return None

    def is_call_of(self, node: Any, *names: str) -> bool:
        """`ps.pop()`, `ps.clear()`"""
        match node:
            case gast.Call(func=gast.Attribute(value=xs, attr=name), keywords=[]):
                return name in names and self.is_list(xs)
        return False

    def moves_elements(self, line: ir.Statement) -> bool:
        """Whether a line takes elements out, or changes their places."""
        if isinstance(line, ir.Do) and self.deleted(line) is not None:
            return True
        return any(self.is_call_of(n, *_OF_ALL, "insert") for n in ir.nodes_in(line))

    def deleted(self, line: ir.Do) -> Any | None:
        """`ps[k]`, for the line `del ps[k]`"""
        match line.node:
            case gast.Delete(targets=[gast.Subscript(value=xs) as place]) if self.is_list(xs):
                return place
        return None

    def extension(self, line: ir.Statement) -> tuple[Any, Any] | None:
        """The list and what it gets, for `ps.extend(qs)` and `ps += qs`."""
        match line:
            case ir.Do(gast.Expr(value=call)) if self.is_call_of(call, "extend"):
                return (call.func.value, call.args[0]) if len(call.args) == 1 else None
            case ir.Update(target, gast.Add(), value) if self.is_list(target):
                return ir.with_fields(target, {"ctx": gast.Load()}), value
        return None

    def extended(self, line: Any, xs: Any, added: Any) -> Iterator[ir.Statement]:
        """`for q in qs: ps.append(q)`, or an append for each element that is written down."""
        if not isinstance(added, gast.List):
            name = self.fresh("q")
            put = self.append(xs, name, line.origin)
            yield ir.For(at(ir.name(name, gast.Store()), xs), added, (put,), None, line.origin)
            return
        names = [self.fresh("q") for _ in added.elts]
        for name, element in zip(names, added.elts, strict=True):
            yield ir.Assign(at(ir.name(name, gast.Store()), element), element, line.origin)
        yield from (self.append(xs, name, line.origin) for name in names)

    def append(self, xs: Any, name: str, origin: ir.Origin) -> ir.Do:
        """ps.append(q)"""
        func = at(gast.Attribute(written_out(xs), "append", gast.Load()), xs)
        call = at(gast.Call(func, [at(ir.name(name), xs)], []), xs)
        return ir.Do(at(gast.Expr(call), xs), origin)

    def done_to_all(self, line: ir.Do) -> Iterator[ir.Statement] | None:
        """The lines for `ps.pop()`, `ps.clear()` and `del ps[k]`, which do the same to the list of each entry."""
        place = self.deleted(line)
        if place is not None:
            return self.delete_in_all(place, line)
        match line.node:
            case gast.Expr(value=call) if self.is_call_of(call, *_OF_ALL):
                return self.call_of_all(call, line)
        return None

    def delete_in_all(self, place: Any, line: ir.Do) -> Iterator[ir.Statement]:
        yield from self.with_simple_index([place.slice], line.origin)
        for key in self.needed.keys:
            entries = list_of_entry(self.needed.way, key, place)
            one = gast.Subscript(entries, written_out(self.index), place.ctx)
            yield ir.Do(at(gast.Delete([at(one, place)]), line.node), line.origin)

    def call_of_all(self, call: Any, line: ir.Do) -> Iterator[ir.Statement]:
        yield from self.with_simple_index(call.args, line.origin)
        for key in self.needed.keys:
            yield ir.Do(at(gast.Expr(self.call_of_one(call, key)), line.node), line.origin)

    def taken_out(self, target: Any, call: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """`p = ps.pop(k)`: the entries get names, and p is made of these."""
        yield from self.with_simple_index(call.args, origin)
        names = {key: self.fresh(f"{ir.base_name(target.id)}_{key}") for key in self.needed.keys}
        for key, name in names.items():
            store = at(ir.name(name, gast.Store()), call)
            yield ir.Assign(store, self.call_of_one(call, key), origin)
        keys = [at(gast.Constant(key, None), call) for key in names]
        values = [at(ir.name(name), call) for name in names.values()]
        made: Any = gast.Dict(keys, values)
        if self.is_object:
            made = Instance(keys, values, at(ir.name(str(self.needed.cls)), call), self.needed.of)
        yield ir.Assign(target, at(made, call), origin)

    def call_of_one(self, call: Any, key: Any) -> Any:
        """ps["x"].pop(k)"""
        entries = list_of_entry(self.needed.way, key, call)
        func = at(gast.Attribute(entries, call.func.attr, gast.Load()), call.func)
        args = [] if self.index is None else [written_out(self.index)]
        return at(gast.Call(func, args, []), call)

    def with_simple_index(self, args: list[Any], origin: ir.Origin) -> Iterator[ir.Statement]:
        """A line for an index that is not to be computed once for each entry."""
        self.index = self.expression(args[0]) if args else None
        if self.index is not None and not all(isinstance(n, _SIMPLE) for n in ir.walk(self.index)):
            name = self.fresh("k")
            yield ir.Assign(at(ir.name(name, gast.Store()), self.index), self.index, origin)
            self.index = at(ir.name(name), self.index)

    index: Any = None  # that of what is taken out by the line at hand

    # -- elements that change places

    def exchange(self, lines: ir.Block) -> Iterator[ir.Statement] | None:
        """The lines for `ps[i], ps[j] = ps[j], ps[i]`, of which there are three: the same in the list of each entry."""
        exchanged = exchanged_elements(lines)
        if exchanged is None or not self.is_list(exchanged[0]):
            return None
        return self.exchange_in_all(lines[0], exchanged[1:])

    def exchange_in_all(self, line: Any, indices: Sequence[Any]) -> Iterator[ir.Statement]:
        indices = list(map(self.expression, indices))
        for key in self.needed.keys:
            names = [self.fresh(f"{ir.base_name(name.id)}_{key}") for name in line.target.elts]
            stored, read = (
                [
                    entry_of_element(self.needed.way, key, written_out(k), line.value, ctx)
                    for k in indices
                ]
                for ctx in (gast.Store(), gast.Load())
            )
            targets = [ir.name(name, gast.Store()) for name in names]
            first = all_at(gast.Tuple(targets, gast.Store()), line.target)
            second = at(gast.Tuple(read[::-1], gast.Load()), line.value)
            yield ir.Assign(first, second, line.origin)
            for place, name in zip(stored, names, strict=True):
                yield ir.Assign(place, at(ir.name(name), line.value), line.origin)
