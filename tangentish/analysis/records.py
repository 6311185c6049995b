"""Lines that use a list of dicts or objects, written by the lists of their entries (language/records.py).

    for p in ps:                    for i in range(len(ps["x"])):           for p_x in ps["x"]:
        p.x += dt * p.v     ->          ps["x"][i] += dt * ps["v"][i]           total += p_x ** 2

An element is nobody's but its list's: a name for it is its index. What can't be written so is left as it stands, and
refused by the walk (infer/records.py).
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.record_choices import asked_besides
from tangentish.analysis.record_last import LastNamed
from tangentish.analysis.record_names import Names
from tangentish.infer import RecordsUsed, gives_itself, method_in_place
from tangentish.ir.quote import quote
from tangentish.language.placed import all_at, at
from tangentish.language.record_slices import left_out, sliced
from tangentish.language.records import Lent, asked_in, list_of_entry
from tangentish.language.ways import targets_of
from tangentish.language.webs import map_statement


def by_entries(function: ir.Function, needed: RecordsUsed, number: int) -> ir.Function:
    """The function with the lines that use a list of dicts or objects in terms of the lists of their entries."""
    left: frozenset[str] = frozenset()
    while True:
        writer = _Writer(needed, number, function, left=left)
        body = writer.whole()
        if writer.unwritten <= left:
            return replace(function, body=body)
        left |= writer.unwritten


class _Writer(Names):
    """The lines and loops that use one list."""

    # -- lines

    def whole(self) -> ir.Block:
        """All lines: those with second names first, which may be those that elements are chosen by."""
        old = self.function
        body = LastNamed(old, self.is_append, self.fresh).block(self.with_one_name(old.body))
        self.function = replace(old, body=body)
        self.places |= {p: ir.name(index) for p, index in self.chosen.items()}
        return self.block(body)

    def block(self, block: ir.Block) -> ir.Block:
        new: list[ir.Statement] = []
        for k, line in enumerate(block):
            later = block[k + 1 :]
            exchange = self.exchange(block[k : k + 3])
            if exchange is not None:
                new += [*exchange, *self.block(block[k + 3 :])]
                break
            if isinstance(line, ir.Assign) and self.is_of_elements(line):
                pairs = zip(line.target.elts, line.value.elts, strict=True)
                singles = tuple(ir.Assign(t, v, line.origin) for t, v in pairs)
                new += self.block((*singles, *later))
                break
            new += self.statement(line, later)
        return tuple(new)

    def is_of_elements(self, line: ir.Assign) -> bool:
        """`p, q = ps[i], ps[j]`, where these can be two lines."""
        match line:
            case ir.Assign(gast.Tuple(elts=[*names]), gast.Tuple(elts=[*values])):
                plain = len(names) == len(values) and all(isinstance(n, gast.Name) for n in names)
                bound = {n.id for n in names} if plain else set()
                asked = {n for v in values for n in ir.names_in(v)}
                elements = (isinstance(v, gast.Subscript) and self.is_list(v.value) for v in values)
                return plain and all(elements) and not bound & asked
        return False

    def statement(self, line: ir.Statement, later: ir.Block) -> Iterator[ir.Statement]:
        moved = iter([line]) if self.is_copied(line) else self.moved(line)
        return self.other_line(line, later) if moved is None else moved

    def other_line(self, line: ir.Statement, later: ir.Block) -> Iterator[ir.Statement]:
        match line:
            case ir.For():
                yield from self.loop(line)
            case ir.Assign() if self.is_chosen_line(line):
                yield from self.chosen_line(line)
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
            case ir.Update(gast.Subscript(value=xs)) if self.is_list(xs) and (
                written := self.updated_by_class(line)
            ):
                yield from self.statement(written, later)
            case ir.Do() if (call := self.sorting(line)) is not None:
                yield from self.in_order(call, line.origin)
            case ir.Assign(target, value, origin) if self.is_sorted(value):
                made = self.ordered(value, origin)
                yield from self.taken_before()
                yield ir.Assign(target, made or value, origin)
            case _:
                asked = self.test if isinstance(line, (ir.If, ir.While)) else self.expression
                yield map_statement(line, asked, self.block)

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
        """`ps[k] = p`: what is put in gets a name first, and so does a place that is not read twice alike."""
        value = self.expression(value)
        if not isinstance(value, gast.Name):
            name = self.fresh("t")
            yield ir.Assign(at(ir.name(name, gast.Store()), place), value, origin)
            value = at(ir.name(name), place)
        index = self.expression(place.slice)
        if not self.is_simple(index):
            name = self.fresh("k")
            yield ir.Assign(at(ir.name(name, gast.Store()), index), index, origin)
            index = at(ir.name(name), index)
        yield ir.Assign(ir.with_fields(place, {"slice": index}), value, origin)

    def updated_by_class(self, line: ir.Update) -> ir.Statement | None:
        """`ps[k] += v` of objects: ps[k].__iadd__(v), or ps[k] = ps[k] + v"""
        target, op = line.target, ir.operator_name(line.op)
        read = ir.with_fields(target, {"ctx": gast.Load()})
        name = method_in_place(op)
        method = getattr(self.needed.of, name, None)
        if isinstance(method, types.FunctionType) and gives_itself(method):
            call = gast.Call(gast.Attribute(read, name, gast.Load()), [line.value], [])
            return ir.Do(all_at(gast.Expr(call), target), line.origin)
        if method is None and isinstance(target.slice, (gast.Name, gast.Constant)):
            total = at(gast.BinOp(read, line.op, line.value), target)
            return ir.Assign(target, total, line.origin)
        return None

    def is_element(self, p: str, index: Any, line: ir.Statement, later: ir.Block) -> bool:
        """Whether a name is that of one element, wherever it stands, and can be written by its index."""
        if isinstance(index, gast.Slice) or not self.is_bound_once(p):
            return False
        inside = [line, *ir.walk_statements(later)]
        if any(map(self.puts_another, self.lines_until_last(p, line, later))):
            return False
        if not (self.stands_only_in(p, inside) and self.can_be_lent(p, later)):
            return False
        self.note_named(self.lines_until_last(p, line, later))
        return True

    def named(self, p: str, index: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """P = ps[k]"""
        value = self.from_zero(index)
        if isinstance(value, gast.Constant):
            self.places[p] = value
            return
        name = self.fresh("k")
        self.places[p] = at(ir.name(name), index)
        yield ir.Assign(at(ir.name(name, gast.Store()), index), value, origin)

    def can_be_lent(self, p: str, block: ir.Block) -> bool:
        """Whether an element stands by itself only where it can be made for a moment."""
        lines = ir.walk_statements(block)
        bare = any(self.stands_bare(p, e) for s in lines for e in asked_besides(s, self.chosen))
        return not self.is_captured_in(p, block) and (not bare or self.needed.cls is not None)

    # -- loops

    def loop(self, loop: ir.For) -> Iterator[ir.Statement]:
        """A loop over the elements, over their entries or their indices."""
        if self.is_keyed:
            yield self.loop_by_key(loop)
            return
        bound = self.elements_bound(loop.target, loop.iter)
        inside = [loop, *ir.walk_statements(loop.body)]
        usable = bound and all(
            p in self.chosen
            or (
                self.is_bound_once(p)
                and self.stands_only_in(p, inside)
                and self.can_be_lent(p, loop.body)
            )
            for p in bound
        )
        unread = not any(p in ir.mentioned(s) for s in inside[1:] for p in bound)
        if not usable or any(self.grows(s) if unread else self.changes_list(s) for s in inside):
            self.unwritten |= {*ir.target_names(loop.target)} & self.chosen.keys()
            yield map_statement(loop, self.expression, self.block)
            return
        self.note_named(inside)
        stop = None if loop.stop is None else self.expression(loop.stop)
        expressions = [e for s in inside for e in asked_in(s)]
        stored = any(map(self.stores, inside))
        counter = self.counted_by(loop)
        target, over = self.run_over(
            loop.target,
            loop.iter,
            expressions,
            unread or not stored,
            counter,
            bound,
            self.fresh,
            loop.origin,
        )
        yield from self.taken_before()
        yield ir.For(target, over, self.block(loop.body), stop, loop.origin)

    def puts_another(self, statement: ir.Statement) -> bool:
        """Whether a line gives the name of the list to another, or a place of it to another element."""
        places = (p.value for p in targets_of(statement) if isinstance(p, gast.Subscript))
        moves = self.sorting(statement) is not None or self.moves_elements(statement)
        return self.binds_list(statement) or moves or any(map(self.is_list, places))

    def changes_list(self, statement: ir.Statement) -> bool:
        """Whether a line appends to the list, or puts something else in the place of what is there."""
        return self.puts_another(statement) or self.grows(statement)

    def grows(self, statement: ir.Statement) -> bool:
        """Whether a line appends to the list, takes something out, or gives its name to another."""
        match statement:
            case ir.Do(gast.Expr(value=gast.Call(func=function))) if self.is_append(function):
                return True
        return self.binds_list(statement) or self.moves_elements(statement)

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
            case _ if self.is_keyed:  # its keys are run over
                return []
            case _ if self.is_list(over) or self.is_part(over) or self.is_sorted(over):
                return [target.id] if isinstance(target, gast.Name) else []
            case gast.Call(func=function, args=args, keywords=options) if all(
                map(_is_strict, options)
            ):
                several = isinstance(target, gast.Tuple)
                if self.means(function, "enumerate") and several and len(target.elts) == 2:
                    return self.elements_bound(target.elts[1], args[0])
                if self.means(function, "zip") and several and len(target.elts) == len(args):
                    pairs = zip(target.elts, args, strict=True)
                    return [p for t, a in pairs for p in self.elements_bound(t, a)]
                if self.means(function, "reversed"):
                    return self.elements_bound(target, args[0])
        return self.bound_in_tuples(target, over)

    def run_over(
        self, target: Any, over: Any, expressions: list[Any], only_read: bool, counter: Any,
        bound: list[str], name: Callable[[str], str], origin: ir.Origin | None = None,
    ) -> tuple[Any, Any]:  # fmt: skip
        """What a loop binds, and runs over, instead of elements."""
        keys = {p: [k for k in self.needed.keys if self.is_read(p, k, expressions)] for p in bound}
        if self.has_tuples(over):
            return self.over_tuples(target, over, name, origin)
        named = {*bound, *self.places}
        bare = any(self.stands_bare(p, e) for p in named for e in expressions)
        whole = any(self.stands_whole(e) for e in expressions if e is not over)
        by_parts = only_read and not bare and not whole and not self.is_captured
        by_parts = (
            by_parts
            and not any(map(self.is_sorted, ir.walk(over)))
            and not self.chosen.keys() & {*bound}
        )
        by_parts = by_parts and all(len(used) <= 1 for used in keys.values())
        if counter is not None and not by_parts and bound[0] not in self.chosen:
            self.places[bound[0]] = at(ir.name(counter.id), over)
            return counter, all_at(quote("range({n})", n=self.length(over)), over)

        alone = len(bound) == 1 and "zip" not in map(self.needed.means.get, ir.names_in(over))
        starts = {} if by_parts or alone else self.starts_of(target, over)
        if not by_parts and (alone or starts is None):
            return self.by_places(target, over, name, origin)
        if not by_parts:
            self.unwritten |= self.chosen.keys() & {*bound}  # several elements by one counter
            return self.counted(target, over, starts or {}, name)

        def instead(node: Any) -> tuple[Any, Any]:
            p = node.id
            (key,) = keys[p] or self.needed.keys[:1]
            part = name(f"{ir.base_name(p)}_{key}")
            self.parts[p] = {key: part}
            return at(ir.name(part, gast.Store()), node), list_of_entry(self.needed.way, key, over)

        return self.replaced(target, over, instead)

    def starts_of(self, target: Any, over: Any) -> dict[str, int] | None:
        """The place of the element that each name has on the first trip; None where that is not known."""
        if self.is_list(over):
            return {target.id: 0}
        if self.is_part(over):
            start = left_out(over.slice.lower)
            return None if start is None or over.slice.step is not None else {target.id: start}
        if self.is_sorted(over):
            return None
        if not isinstance(over, gast.Call) or not self.elements_bound(target, over):
            return {}
        pairs = [(target, over.args[0])]
        if self.means(over.func, "zip"):
            pairs = list(zip(target.elts, over.args, strict=True))
        elif self.means(over.func, "enumerate"):
            pairs = [(target.elts[1], over.args[0])]
        found = [self.starts_of(t, a) for t, a in pairs]
        if None in found or self.means(over.func, "reversed"):
            return None
        return {p: k for starts in found if starts for p, k in starts.items()}

    def by_places(
        self, target: Any, over: Any, name: Callable[[str], str], origin: ir.Origin | None
    ) -> tuple[Any, Any]:
        """`for i, a in zip(reversed(range(len(ps["x"]))), xs)` for `for p, a in zip(reversed(ps), xs)`."""

        def instead(p: Any) -> tuple[Any, Any]:
            index = self.chosen.get(p.id) or name("i")
            self.places[p.id] = at(ir.name(index), over)
            made = all_at(quote("range({n})", n=self.length(over)), over)
            return at(ir.name(index, gast.Store()), p), made

        return self.replaced(target, over, instead, origin)

    def counted(
        self, target: Any, over: Any, starts: Mapping[str, int], name: Callable[[str], str]
    ) -> tuple[Any, Any]:
        """`for i, (_, w) in enumerate(zip(ps["x"], ws))` for `for p, w in zip(ps, ws)`."""
        index = name("i")
        for p, start in starts.items():
            later = gast.BinOp(ir.name(index), gast.Add(), gast.Constant(start, None))
            self.places[p] = all_at(later if start else ir.name(index), over)

        def instead(p: Any) -> tuple[Any, Any]:
            return at(ir.name(name("_"), gast.Store()), p), self.first_list(over)

        target, over = self.replaced(target, over, instead)
        pair = at(gast.Tuple([at(ir.name(index, gast.Store()), over), target], gast.Store()), over)
        return pair, all_at(quote("enumerate({xs})", xs=over), over)

    def replaced(
        self,
        target: Any,
        over: Any,
        instead: Callable[[Any], tuple[Any, Any]],
        origin: ir.Origin | None = None,
    ) -> tuple[Any, Any]:
        if self.is_list(over):
            return instead(target)
        if self.is_part(over):
            inner, whole = instead(target)
            return inner, sliced(whole, over.slice)
        if self.is_sorted(over):
            return instead(target)[0], self.picked(over, origin)
        if self.function_of_tuples(over) is not None:
            return self.replaced_in_tuples(target, over, instead, origin)
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
            inner, first = self.replaced(target.elts[1], first, instead, origin)
            new = ir.with_fields(target, {"elts": [target.elts[0], inner]})
        else:
            new, first = self.replaced(target, first, instead, origin)
        others = list(map(self.expression, others))
        return new, ir.with_fields(over, {"args": [first, *others]})

    def comprehension(self, node: Any) -> Any | None:
        """What runs over the list inside of an expression."""
        if not self.needed.way.asked(node):
            return None
        outer = self.places, self.parts
        self.places, self.parts = dict(self.places), dict(self.parts)
        generators = []
        results = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        for k, generator in enumerate(node.generators):
            rest = [e for g in node.generators[k + 1 :] for e in (g.iter, *g.ifs)]
            expressions = [*results, *generator.ifs, *rest]
            bound = self.elements_bound(generator.target, generator.iter)
            by_key = (
                self.run_over_by_key(generator.target, generator.iter, self.variable)
                if self.is_keyed
                else None
            )
            for hidden in ir.target_names(generator.target):
                self.places.pop(hidden, None)
                self.parts.pop(hidden, None)
            bare = any(self.stands_bare(p, e) for p in bound for e in expressions)
            ordered = filter(self.is_sorted, ir.walk(generator.iter))
            bound = bound if all(map(self.is_in_expression, ordered)) else []
            if by_key is not None and self.names_in_scope(by_key[1], expressions):
                target, over = by_key[0], self.first_list(generator.iter)
                if by_key[1] is not None:
                    self.places[by_key[1]] = at(ir.name(target.id), over)
            elif bound and (not bare or self.needed.cls is not None):
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


def _is_strict(option: Any) -> bool:
    """`strict=True`, of zip: the lists of entries are as long as their own."""
    return option.arg == "strict" and isinstance(option.value, gast.Constant)
