"""Lists in forward mode: beside a list goes a list of the tangents of its elements.

ys.append(np.sin(v))    ->    ys_dot.append(v_dot * np.cos(v))
ys.append(np.sin(v))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.templates import names_in_text
from tangentish.algebra.zeros import still, zero_of
from tangentish.infer import Callee, EntryOr, ListMethod, UserCall
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Num, Seq, Tup
from tangentish.kinds.joins import as_sequence
from tangentish.rules import Rule
from tangentish.tangent.tangents_own import OwnTangents

_DISPLAYS = (gast.List, gast.Tuple)


@dataclass
class ForwardLists(OwnTangents):
    """Expressions that give lists, and statements that change them."""

    def owned(self, value: Any, target: Any) -> Any:
        """The tangent of a value in full, of its type, its own where that counts."""
        raise NotImplementedError

    def is_needed(self, target: Any) -> bool:
        raise NotImplementedError

    def slot(self, target: Any) -> Any:
        """The place of the tangent that belongs to a name or to `x[i]`."""
        raise NotImplementedError

    # -- expressions

    def built(self, node: Any) -> Any | None:
        callee = self.facts.callees.get(node)
        if callee is not None and isinstance(callee.function, EntryOr):
            d, key, _ = callee.args
            return quote("{d}.get({k}, 0.0)", d=self.tangent(d), k=self.stable_part(key))
        kind = self.kind(node)
        return self.built_list(node, kind) if isinstance(kind, Seq) else super().built(node)

    def built_list(self, node: Any, kind: Seq) -> Any:
        match node:
            case gast.Name(id=name):
                return self.dot(name, kind)
            case gast.List(elts=elements) | gast.Tuple(elts=elements):
                e: Any = type(node)([self.owned(v, node) for v in elements], gast.Load())
            case gast.Dict(keys=keys, values=values):
                e = gast.Dict(keys, [self.owned(v, node) for v in values])
            case gast.Subscript(value=value, slice=index):
                whole = self.tangent(value)
                e = gast.Subscript(whole, self.stable_part(index), gast.Load())
            case gast.BinOp(left=left, op=gast.Add() as op, right=right):
                e = gast.BinOp(self.operand(left), op, self.operand(right))
            case gast.BinOp(left=left, op=op, right=right) if self.kind(left).active:
                e = gast.BinOp(self.operand(left), op, self.available(right))
            case gast.BinOp(left=left, op=op, right=right):
                e = gast.BinOp(self.available(left), op, self.operand(right))
            case gast.Call():
                e = self.of_list_call(node, self.facts.callees[node])
            case _:
                raise AssertionError(f"{type(node).__name__} that gives a list")
        return self.with_kind(e, kind)

    def operand(self, node: Any) -> Any:
        """The tangent of a list that another is made of: of a display, with elements of its own."""
        if isinstance(node, _DISPLAYS) and self.kind(node).active:
            return type(node)([self.owned(v, node) for v in node.elts], gast.Load())
        return self.tangent_or_zero(node)

    def of_list_call(self, node: Any, callee: Callee) -> Any:
        """list(x), xs.copy()"""
        if isinstance(callee.function, ListMethod) or callee.rule is None:
            return self.spelt(node, callee, {callee.args[0]: self.tangent_or_zero(callee.args[0])})
        return self.of_rule(node, callee, callee.rule)

    def zeros(self, node: Any) -> Any:
        kind = self.kind(node)
        if isinstance(kind, Tup) and kind.is_counted and not isinstance(node, _DISPLAYS):
            return still(self.available(node), as_sequence(kind))
        if not isinstance(kind, Seq):
            return super().zeros(node)
        match node:
            case gast.List(elts=elements) | gast.Tuple(elts=elements):
                return type(node)([self.zeros(e) for e in elements], gast.Load())
            case gast.Dict(keys=keys, values=values):
                return gast.Dict(keys, [self.zeros(v) for v in values])
            case gast.BinOp(left=gast.List() as left, op=gast.Mult() as op, right=right):
                return gast.BinOp(self.zeros(left), op, self.available(right))
        return still(self.available(node), kind)

    def of_sequence(self, node: Any, callee: Callee, rule: Rule, texts: dict[str, str]) -> Any:
        """max(xs)  ->  xs_dot[xs.index(y)], np.prod(xs)  ->  sum([xs_dot[k] * ... for k in range(len(xs))])"""
        (name, text), *others = texts.items()
        argument = callee.bound[name]
        if others or isinstance(argument, tuple) or not isinstance(self.kind(argument), Seq):
            return super().of_sequence(node, callee, rule, texts)
        if rule.linear and name not in rule.tangents:
            return self.replaced(node, callee, name)
        if text == "xs_dot * is_first(xs, y, k)":
            place = self.instantiate("xs.index(y)", callee, node, None)
            return gast.Subscript(self.tangent(argument), place, gast.Load())
        whole, k = self.shared(self.tangent(argument)), ir.name(self.fresh("k"))
        one = gast.Subscript(whole, k, gast.Load())
        listed = self.available(argument)
        if "swapped" in names_in_text(text):  # linear in each element, not in all together
            moved = quote("[*{x}[:{k}], {one}, *{x}[{k} + 1:]]", x=listed, k=k, one=one)
            term = self.spelt(node, callee, {argument: moved})
        else:
            term = self.instantiate(text, callee, node, one, hole=f"{name}_dot", k=k)
        count = quote("range(len({x}))", x=listed)
        loop = gast.comprehension(k, count, [], 0)
        return quote("sum({terms})", terms=gast.ListComp(term, [loop]))

    # -- statements

    def idle_lists(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        """Zeros for the elements that a line, or what it calls, has left in lists in which nothing varies yet."""
        for path in (*self.lists_given(statement), *self.lists_changed(statement)):
            listed = self.kind_on_all_ways(path) if self.is_needed(path) else None
            if listed is not None:
                place = self.stable_index(path)
                yield from self.idle_again(self.slot(place), place, listed)

    def lists_given(self, statement: ir.Statement) -> Iterator[Any]:
        """Those that calls change, and are given without tangents."""
        for node in ir.nodes_in(statement):
            user = self.facts.user_of(node)
            if user is not None:
                given = (k for k in user.written if not self.takes_tangent(user, k))
                yield from (user.arguments[k] for k in given if isinstance(user.kinds[k], Seq))

    def lists_changed(self, statement: ir.Statement) -> Iterator[Any]:
        """Those that a line changes in a way in which no list of tangents could be changed."""
        match statement:
            case ir.Do(gast.Delete(targets=[gast.Subscript(value=path, slice=gast.Slice())])):
                yield path
            case ir.Do(gast.Expr(value=call)):
                change = self.list_method(call)
                if change is not None and change.function == ListMethod("remove"):
                    yield change.args[0]

    def kind_on_all_ways(self, path: Any) -> Seq | None:
        """What a list is that a name stands for, or that stands in one of lists; what a slice gives is a new one."""
        kind: Kind | None = None
        match path:
            case gast.Name(id=name):
                kind = self.facts.web_kinds[name]
            case gast.Subscript(value=value, slice=index) if not isinstance(index, gast.Slice):
                outer = self.kind_on_all_ways(value)
                kind = None if outer is None else outer.item
        return kind if isinstance(kind, Seq) else None

    def idle_again(self, dot: Any, node: Any, kind: Any) -> Iterator[ir.Statement]:
        """Zeros for all that a list has now, in the list or dict of tangents; of a tuple in the lists that it holds."""
        if kind.keyed:
            k = ir.name(self.fresh("k"))
            zero = zero_of(ir.subscript(node, k), kind.item)
            store = ir.Assign(ir.subscript(dot, k), zero, NOWHERE)
            yield ir.For(k, node, (store,), None, NOWHERE)
        elif not kind.is_tuple:
            yield ir.Assign(quote("{dot}[:]", dot=dot), still(node, kind), NOWHERE)
        elif isinstance(kind.item, Seq):
            part_dot, part = (ir.name(self.fresh(name)) for name in ("t_dot", "t"))
            body = tuple(self.idle_again(part_dot, part, kind.item))
            both = quote("zip({dot}, {x})", dot=dot, x=node)
            yield ir.For(gast.Tuple([part_dot, part], gast.Store()), both, body, None, NOWHERE)

    def takes_tangent(self, user: UserCall, k: int) -> bool:
        """Whether a call is given the tangents of one of its arguments."""
        raise NotImplementedError

    def list_method(self, node: Any) -> Callee | None:
        """The call of a method that changes a list, if it is one."""
        callee = self.facts.callees.get(node)
        if callee is None or not isinstance(callee.function, ListMethod):
            return None
        return callee if callee.function.name != "copy" else None

    def changed_list(self, callee: Callee) -> Any:
        """The same change of the list of tangents, as an expression."""
        receiver, *args = callee.args
        name = callee.function.name
        match name, args:
            case "append", [value]:
                new = [self.owned(value, receiver)]
            case "insert", [position, value]:
                new = [self.available(position), self.owned(value, receiver)]
            case "extend", [values]:
                new = [self.of_more_elements(values)]
            case _:
                new = [self.available(a) for a in args]
        method = gast.Attribute(self.slot(receiver), name, gast.Load())
        return gast.Call(method, new, [])

    def of_more_elements(self, values: Any) -> Any:
        """The tangents of what a list gets more by; of what need not be a list zeros, as many as it gives elements."""
        kind = self.kind(values)
        plain = isinstance(kind, (Seq, Num)) or (isinstance(kind, Tup) and not kind.is_mapping)
        if kind.active or plain:
            return self.operand(values)
        return quote("zeros_of_each({xs})", xs=self.available(values))

    def list_line(self, callee: Callee) -> ir.Statement:
        return ir.Do(gast.Expr(self.changed_list(callee)), NOWHERE)

    def place_in_list(self, target: Any, slot: Any) -> Any:
        """Where an updated element goes: an array in a list is changed in place."""
        kind = self.number(target)
        in_place = isinstance(kind, Num) and kind.array and self.is_in_list(target)
        return gast.Subscript(slot, constant(Ellipsis), gast.Load()) if in_place else slot

    def is_in_list(self, target: Any) -> bool:
        return isinstance(target, gast.Subscript) and isinstance(
            self.kind(target.value), (Seq, Tup)
        )
