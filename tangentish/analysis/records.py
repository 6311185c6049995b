"""Lines that use a list of dicts or objects, written by the lists of their entries (language/records.py).

    for p in ps:                    for i in range(len(ps["x"])):           for p_x in ps["x"]:
        p.x += dt * p.v     ->          ps["x"][i] += dt * ps["v"][i]           total += p_x ** 2

An element is nobody's but its list's: a name for it is its index. What can't be written so is left as it stands, and
refused by the walk (infer/records.py).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import RecordsUsed
from tangentish.ir.quote import quote
from tangentish.language.nested import Closure
from tangentish.language.placed import all_at, at
from tangentish.language.records import (
    Lent,
    asked_in,
    captured_in,
    entry_of_element,
    list_of_entry,
)
from tangentish.language.webs import map_statement
from tangentish.language.written_out import written_out

__all__ = ["by_entries"]

_SIMPLE = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp)


def by_entries(function: ir.Function, needed: RecordsUsed, number: int) -> ir.Function:
    """The function with the lines that use a list of dicts or objects in terms of the lists of their entries."""
    writer = _Writer(needed, number, function)
    body = writer.block(function.body)
    return ir.Function(function.name, function.arguments, function.parameters, body)


@dataclass
class _Writer:
    """One list. places: the index of an element, by the name that it has.

    parts: the names of its entries, where nothing is stored to them.
    """

    needed: RecordsUsed
    number: int
    function: ir.Function
    places: dict[str, Any] = field(default_factory=dict)
    parts: dict[str, Mapping[Any, str]] = field(default_factory=dict)
    count: int = 0

    def fresh(self, base: str) -> str:
        self.count += 1
        return f"{base}.e{self.number}n{self.count}"

    def variable(self, base: str) -> str:
        """A name for a variable of a comprehension, which nothing else has."""
        name = base
        while name in self.names:
            self.count += 1
            name = f"{base}_{self.count}"
        self.names.add(name)
        return name

    @cached_property
    def names(self) -> set[str]:
        """All names of the function, with those of its variables as the user wrote them."""
        found = set(ir.statements.mentions(self.function.body))
        return found | set(map(ir.base_name, found))

    @cached_property
    def stored_attributes(self) -> set[str]:
        """The attributes that some line of the function sets."""
        lines = ir.walk_statements(self.function.body)
        targets = (s.target for s in lines if isinstance(s, (ir.Assign, ir.Update)))
        return {n.attr for t in targets for n in ir.walk(t) if isinstance(n, gast.Attribute)}

    @property
    def is_object(self) -> bool:
        return self.needed.of is not dict

    def is_list(self, node: Any) -> bool:
        return isinstance(node, gast.Name) and node.id == self.needed.name

    def means(self, function: Any, name: str) -> bool:
        return isinstance(function, gast.Name) and self.needed.means.get(function.id) == name

    @cached_property
    def is_captured(self) -> bool:
        """Whether a function inside may change an element out of sight."""
        return self.needed.name in captured_in(self.function)

    def first_list(self, node: Any) -> Any:
        return list_of_entry(self.needed.name, self.needed.keys[0], node)

    def length(self, node: Any) -> Any:
        """How many elements there are."""
        return all_at(quote("len({xs})", xs=self.first_list(node)), node)

    # -- lines

    def block(self, block: ir.Block) -> ir.Block:
        lines = (self.statement(line, block[k + 1 :]) for k, line in enumerate(block))
        return tuple(new for found in lines for new in found)

    def statement(self, line: ir.Statement, later: ir.Block) -> Iterator[ir.Statement]:
        match line:
            case ir.For():
                yield self.loop(line)
            case ir.Assign(gast.Name(id=p), gast.Subscript(value=xs, slice=index), origin) if (
                self.is_list(xs) and self.is_element(p, index, line, later)
            ):
                yield from self.named(p, index, origin)
            case ir.Do(gast.Expr(value=gast.Call(args=[value], keywords=[]) as call), origin) if (
                self.is_append(call.func) and not self.is_whole_name(value)
            ):
                yield from self.appended(call, self.expression(value), line, origin)
            case ir.Assign(gast.Subscript(value=xs, slice=index) as place, value, origin) if (
                self.is_list(xs) and not isinstance(index, gast.Slice)
            ):
                yield from self.replaced_element(place, value, origin)
            case ir.If(test, body, orelse, origin) if self.is_list(test):
                yield ir.If(self.length(test), self.block(body), self.block(orelse), origin)
            case _:
                yield map_statement(line, self.expression, self.block)

    def is_whole_name(self, value: Any) -> bool:
        """Whether a name is not that of an element of this list."""
        return isinstance(value, gast.Name) and value.id not in self.places

    def is_append(self, function: Any) -> bool:
        return getattr(function, "attr", None) == "append" and self.is_list(function.value)

    def appended(
        self, call: Any, value: Any, line: ir.Do, origin: ir.Origin
    ) -> Iterator[ir.Statement]:
        """What is put in gets a name first."""
        if isinstance(value, Lent):
            new = ir.with_fields(call, {"args": [value]})
            yield ir.Do(at(gast.Expr(new), line.node), origin)
            return
        name = self.fresh("t")
        yield ir.Assign(at(ir.name(name, gast.Store()), call), value, origin)
        new = ir.with_fields(call, {"args": [at(ir.name(name), call)]})
        yield ir.Do(at(gast.Expr(new), line.node), origin)

    def replaced_element(self, place: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """`ps[k] = p`: what is put in gets a name first."""
        value = self.expression(value)
        if not isinstance(value, gast.Name):
            name = self.fresh("t")
            yield ir.Assign(at(ir.name(name, gast.Store()), place), value, origin)
            value = at(ir.name(name), place)
        new = ir.with_fields(place, {"slice": self.expression(place.slice)})
        yield ir.Assign(new, value, origin)

    def is_element(self, p: str, index: Any, line: ir.Statement, later: ir.Block) -> bool:
        """Whether a name is that of one element, wherever it stands, and can be written by its index."""
        if isinstance(index, gast.Slice) or not self.is_bound_once(p):
            return False
        inside = [line, *ir.walk_statements(later)]
        if any(map(self.puts_another, inside)):
            return False
        return self.stands_only_in(p, inside) and self.can_be_lent(p, later)

    def named(self, p: str, index: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """P = ps[k]"""
        value = self.expression(index)
        match value:
            case gast.Constant(value=int(k)) if k >= 0 and type(k) is int:
                self.places[p] = value
                return
            case gast.UnaryOp(op=gast.USub(), operand=back):
                length = self.length(index)
                value = at(gast.BinOp(length, at(gast.Sub(), index), back), index)
        name = self.fresh("k")
        self.places[p] = at(ir.name(name), index)
        yield ir.Assign(at(ir.name(name, gast.Store()), index), value, origin)

    def is_bound_once(self, name: str) -> bool:
        return ir.statements.definitions(self.function.body)[name] == 1

    def stands_only_in(self, name: str, inside: list[ir.Statement]) -> bool:
        every = ir.statements.mentions(self.function.body)[name]
        stops = [s.stop for s in inside if isinstance(s, (ir.For, ir.While)) and s.stop is not None]
        found = sum(ir.mentioned(s).count(name) for s in inside)
        return found == every and not any(name in ir.names_in(stop) for stop in stops)

    def can_be_lent(self, p: str, block: ir.Block) -> bool:
        """Whether an element stands by itself only where it can be made for a moment."""
        expressions = [e for s in ir.walk_statements(block) for e in asked_in(s)]
        captured = any(
            isinstance(n, Closure) and p in (c.id for c in n.captured)
            for e in expressions
            for n in ir.walk(e)
        )
        bare = any(self.stands_bare(p, e) for e in expressions)
        return not captured and (not bare or self.needed.cls is not None)

    # -- loops

    def loop(self, loop: ir.For) -> ir.Statement:
        """A loop over the elements, over their entries or their indices."""
        bound = self.elements_bound(loop.target, loop.iter)
        inside = [loop, *ir.walk_statements(loop.body)]
        usable = bound and all(
            self.is_bound_once(p)
            and self.stands_only_in(p, inside)
            and self.can_be_lent(p, loop.body)
            for p in bound
        )
        if not usable or any(self.changes_list(s) for s in inside):
            return map_statement(loop, self.expression, self.block)
        stop = None if loop.stop is None else self.expression(loop.stop)
        expressions = [e for s in inside for e in asked_in(s)]
        stored = any(map(self.stores, inside))
        counter = self.counted_by(loop)
        target, over = self.run_over(
            loop.target, loop.iter, expressions, not stored, counter, bound, self.fresh
        )
        return ir.For(target, over, self.block(loop.body), stop, loop.origin)

    def puts_another(self, statement: ir.Statement) -> bool:
        """Whether a line gives the name of the list to another, or a place of it to another element."""
        target = getattr(statement, "target", None)
        parts = target.elts if isinstance(target, gast.Tuple) else [target]
        places = (p.value for p in parts if isinstance(p, gast.Subscript))
        return self.needed.name in ir.defined_names(statement) or any(map(self.is_list, places))

    def changes_list(self, statement: ir.Statement) -> bool:
        """Whether a line appends to the list, or puts something else in the place of what is there."""
        if self.puts_another(statement):
            return True
        match statement:
            case ir.Do(gast.Expr(value=gast.Call(func=function))):
                return self.is_append(function)
        return False

    def counted_by(self, loop: ir.For) -> Any | None:
        """The counter of `for i, p in enumerate(ps)`, where the body leaves it alone."""
        match loop.target, loop.iter:
            case (
                gast.Tuple(elts=[gast.Name(id=i) as counter, gast.Name()]),
                gast.Call(func=function, args=[xs], keywords=[]),
            ) if self.means(function, "enumerate") and self.is_list(xs) and self.is_bound_once(i):
                return counter
        return None

    def elements_bound(self, target: Any, over: Any) -> list[str]:
        """The names that a loop gives elements; none where it does not run over the list, or in another way."""
        match over:
            case gast.Name() if self.is_list(over):
                return [target.id] if isinstance(target, gast.Name) else []
            case gast.Call(func=function, args=args, keywords=[]):
                several = isinstance(target, gast.Tuple)
                if self.means(function, "enumerate") and several and len(target.elts) == 2:
                    return self.elements_bound(target.elts[1], args[0])
                if self.means(function, "zip") and several and len(target.elts) == len(args):
                    pairs = zip(target.elts, args, strict=True)
                    return [p for t, a in pairs for p in self.elements_bound(t, a)]
                if self.means(function, "reversed"):
                    return self.elements_bound(target, args[0])
        return []

    def run_over(
        self, target: Any, over: Any, expressions: list[Any], only_read: bool, counter: Any,
        bound: list[str], name: Callable[[str], str],
    ) -> tuple[Any, Any]:  # fmt: skip
        """What a loop binds, and runs over, instead of elements."""
        keys = {p: [k for k in self.needed.keys if self.is_read(p, k, expressions)] for p in bound}
        bare = any(self.stands_bare(p, e) for p in bound for e in expressions)
        whole = any(self.stands_whole(e) for e in expressions if e is not over)
        by_parts = only_read and not bare and not whole and not self.is_captured
        by_parts = by_parts and all(len(used) <= 1 for used in keys.values())
        if counter is not None and not by_parts:
            self.places[bound[0]] = at(ir.name(counter.id), over)
            return counter, all_at(quote("range({n})", n=self.length(over)), over)

        if (
            not by_parts
            and len(bound) == 1
            and "zip" not in map(self.needed.means.get, ir.names_in(over))
        ):
            index = name("i")
            self.places[bound[0]] = at(ir.name(index), over)
            made = all_at(quote("range({n})", n=self.length(over)), over)
            return self.replaced(
                target, over, lambda p: (at(ir.name(index, gast.Store()), p), made)
            )
        if not by_parts:
            return self.counted(target, over, bound, name)

        def instead(node: Any) -> tuple[Any, Any]:
            p = node.id
            (key,) = keys[p] or self.needed.keys[:1]
            part = name(f"{ir.base_name(p)}_{key}")
            self.parts[p] = {key: part}
            return at(ir.name(part, gast.Store()), node), list_of_entry(self.needed.name, key, over)

        return self.replaced(target, over, instead)

    def counted(
        self, target: Any, over: Any, bound: list[str], name: Callable[[str], str]
    ) -> tuple[Any, Any]:
        """`for i, (_, w) in enumerate(zip(ps["x"], ws))` for `for p, w in zip(ps, ws)`."""
        index = name("i")
        for p in bound:
            self.places[p] = at(ir.name(index), over)

        def instead(p: Any) -> tuple[Any, Any]:
            return at(ir.name(name("_"), gast.Store()), p), self.first_list(over)

        target, over = self.replaced(target, over, instead)
        pair = at(gast.Tuple([at(ir.name(index, gast.Store()), over), target], gast.Store()), over)
        return pair, all_at(quote("enumerate({xs})", xs=over), over)

    def replaced(
        self, target: Any, over: Any, instead: Callable[[Any], tuple[Any, Any]]
    ) -> tuple[Any, Any]:
        if self.is_list(over):
            return instead(target)
        if not isinstance(over, gast.Call) or not self.elements_bound(target, over):
            return target, self.expression(over)
        if self.means(over.func, "zip"):
            pairs = [
                self.replaced(t, a, instead) for t, a in zip(target.elts, over.args, strict=True)
            ]
            targets, lists = [t for t, _ in pairs], [a for _, a in pairs]
            return ir.with_fields(target, {"elts": targets}), ir.with_fields(over, {"args": lists})
        first, *others = over.args
        if self.means(over.func, "enumerate"):
            inner, first = self.replaced(target.elts[1], first, instead)
            new = ir.with_fields(target, {"elts": [target.elts[0], inner]})
        else:
            new, first = self.replaced(target, first, instead)
        others = list(map(self.expression, others))
        return new, ir.with_fields(over, {"args": [first, *others]})

    # -- what is done with elements

    def key_of(self, node: Any) -> Any:
        """The entry that `p.x` or `p["x"]` asks for; None where it is no entry."""
        if isinstance(node, gast.Attribute):
            key: Any = node.attr if self.is_object else None
        else:
            plain = isinstance(node.slice, gast.Constant) and not self.is_object
            key = node.slice.value if plain else None
        return key if key in self.needed.keys else None

    def is_read(self, p: str, key: Any, expressions: list[Any]) -> bool:
        return any(
            isinstance(n, (gast.Attribute, gast.Subscript))
            and isinstance(n.value, gast.Name)
            and n.value.id == p
            and self.key_of(n) == key
            for e in expressions
            for n in ir.walk(e)
        )

    def stands_bare(self, p: str, expression: Any) -> bool:
        """Whether an element is asked for anything but its entries."""
        entries = sum(
            1
            for n in ir.walk(expression)
            if isinstance(n, (gast.Attribute, gast.Subscript))
            and isinstance(n.value, gast.Name)
            and n.value.id == p
            and self.key_of(n) is not None
        )
        return ir.names_in(expression).count(p) != entries

    def stands_whole(self, expression: Any) -> bool:
        """Whether the list is given to anything, or asked for an element as such."""
        return self.needed.name in ir.names_in(expression)

    def stores(self, statement: ir.Statement) -> bool:
        """Whether a line stores to anything of which an element, or an array in it, may be a part."""
        if not isinstance(statement, (ir.Assign, ir.Update)):
            return False
        targets = [statement.target]
        while targets:
            target = targets.pop()
            if isinstance(target, (gast.Tuple, gast.List)):
                targets += target.elts
            elif isinstance(target, (gast.Attribute, gast.Subscript)):
                return True
        return False

    # -- expressions

    def expression(self, node: Any) -> Any:
        return ir.copy_expression(node, self.change)

    def change(self, node: Any) -> Any | None:
        match node:
            case gast.Attribute(value=owner) | gast.Subscript(value=owner):
                return self.of_element(node, owner)
            case gast.Name(id=p) if p in self.places:
                return self.lent(self.places[p], node)
            case gast.Call(func=function, args=[xs], keywords=[]) if self.is_list(
                xs
            ) and self.means(function, "len"):
                return self.length(node)
            case gast.UnaryOp(op=gast.Not(), operand=xs) if self.is_list(xs):
                return ir.with_fields(node, {"operand": self.length(xs)})
            case gast.Compare(
                left=gast.Name(id=p), ops=[gast.Is() | gast.IsNot() as op],
                comparators=[gast.Name(id=q)],
            ) if p in self.places and q in self.places:  # fmt: skip
                same = gast.Eq() if isinstance(op, gast.Is) else gast.NotEq()
                one, other = (written_out(self.places[n], {}) for n in (p, q))
                return at(gast.Compare(one, [same], [other]), node)
            case gast.ListComp() | gast.GeneratorExp() | gast.SetComp() | gast.DictComp():
                return self.comprehension(node)
        return None

    def of_element(self, node: Any, owner: Any) -> Any | None:
        """`p.x`, `ps[k].x`, `p.method`, or `ps[k]` as such."""
        key = self.key_of(node)
        if isinstance(owner, gast.Name) and owner.id in self.parts and key is not None:
            return at(ir.name(self.parts[owner.id][key], node.ctx), node)
        index = self.index_of(owner)
        if index is not None and key is not None:
            return entry_of_element(self.needed.name, key, index, node, node.ctx)
        cls = self.needed.cls
        if index is not None and cls is not None and self.is_of_class(node):
            return ir.with_fields(node, {"value": at(ir.name(cls), node)})
        if self.index_of(node) is not None:
            return self.lent(self.index_of(node), node)
        return None

    def is_of_class(self, node: Any) -> bool:
        """Whether this asks for a plain value that the class has, and its objects share."""
        name = node.attr if isinstance(node, gast.Attribute) else ""
        return name not in self.stored_attributes and isinstance(
            inspect.getattr_static(self.needed.of, name, None), (int, float)
        )

    def index_of(self, node: Any) -> Any | None:
        """Where an element stands that an expression names."""
        match node:
            case gast.Name(id=p) if p in self.places:
                return written_out(self.places[p], {})
            case gast.Subscript(value=xs, slice=index) if self.is_list(xs):
                by_key = isinstance(index, gast.Constant) and isinstance(index.value, str)
                return None if by_key or isinstance(index, gast.Slice) else self.expression(index)
        return None

    def lent(self, index: Any, node: Any) -> Any | None:
        """An element as such, for as long as the line takes."""
        if self.needed.cls is None or not all(isinstance(n, _SIMPLE) for n in ir.walk(index)):
            return None  # it would be computed once for every entry
        keys = [at(gast.Constant(key, None), node) for key in self.needed.keys]
        values = [
            entry_of_element(self.needed.name, key, written_out(index, {}), node, gast.Load())
            for key in self.needed.keys
        ]
        cls = at(ir.name(self.needed.cls), node)
        records = at(ir.name(self.needed.name), node)
        of = self.needed.of
        return at(Lent(keys, values, cls, of, records, written_out(index, {})), node)

    def comprehension(self, node: Any) -> Any | None:
        """What runs over the list inside of an expression."""
        if self.needed.name not in ir.names_in(node):
            return None
        outer = self.places, self.parts
        self.places, self.parts = dict(self.places), dict(self.parts)
        generators = []
        results = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        for k, generator in enumerate(node.generators):
            rest = [e for g in node.generators[k + 1 :] for e in (g.iter, *g.ifs)]
            expressions = [*results, *generator.ifs, *rest]
            bound = self.elements_bound(generator.target, generator.iter)
            for hidden in ir.target_names(generator.target):
                self.places.pop(hidden, None)
                self.parts.pop(hidden, None)
            bare = any(self.stands_bare(p, e) for p in bound for e in expressions)
            if bound and (not bare or self.needed.cls is not None):
                target, over = self.run_over(
                    generator.target, generator.iter, expressions, True, None, bound, self.variable
                )
            else:
                target, over = generator.target, self.expression(generator.iter)
            changed = {"target": target, "iter": over}
            changed["ifs"] = list(map(self.expression, generator.ifs))
            generators.append(ir.with_fields(generator, changed))
        fields = ("key", "value") if isinstance(node, gast.DictComp) else ("elt",)
        parts = {name: self.expression(getattr(node, name)) for name in fields}
        self.places, self.parts = outer
        return ir.with_fields(node, {**parts, "generators": generators})
