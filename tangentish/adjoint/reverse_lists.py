"""Back through what is done to lists: the gradient of a list is a list of the gradients of its elements.

    xs.append(v)    ->    dv = dxs.pop()
    v = xs.pop()    ->    dxs.append(dv)
    xs[i] = v       ->    dv = dxs[i]; dxs[i] = 0.0

The gradient of an element is full, and its array belongs to the list alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.gradients import gradient_of, without_memory
from tangentish.adjoint.reverse_calls import ReverseCalls
from tangentish.algebra.zeros import zero_of, zeros_of_list
from tangentish.analysis.list_changes import put_back, taken_out
from tangentish.infer import Callee, DictView, EntryOr, ListMethod, is_keyed_dict
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.kinds import (
    UNKNOWN,
    Kind,
    Num,
    Seq,
    Tup,
    has_complex,
    is_number,
    replace,
    with_parts,
)
from tangentish.kinds.lengths import same_shape
from tangentish.rules import Rule


@dataclass
class ReverseLists(ReverseCalls):
    """The part of the walk back that knows lists."""

    # -- values that are lists

    def pull(self, node: Any, g: Any) -> None:
        kind = self.kind(node)
        callee = self.facts.callees.get(node)
        if isinstance(kind, Seq):
            g = self.real_parts(g, kind)
        if callee is not None and isinstance(callee.function, EntryOr):
            self.pull_entry_or(callee, g)
        elif isinstance(kind, Seq) and kind.active and not isinstance(node, gast.Name):
            self.pull_list(node, g, kind)
        else:
            super().pull(node, g)

    def real_parts(self, g: Any, kind: Seq) -> Any:
        """Of the gradient of a list that may hold complex numbers what counts for one of real numbers."""
        if not self.complex_lists or has_complex(kind) or not kind.active:
            return g
        return self.with_kind(quote("real_parts({g})", g=g), without_memory(kind))

    def real_gradient(self, g: Any, value: Any) -> Any:
        kind = self.kind(value)
        if isinstance(kind, Seq):
            return self.real_parts(g, kind)
        return super().real_gradient(g, value)

    def pull_list(self, node: Any, g: Any, kind: Seq) -> None:
        match node:
            case gast.Subscript(value=value, slice=gast.Slice() as part):
                whole = self.list_of_zeros(value)
                place = ir.subscript(whole, self.stable_part(part))
                self.emit(ir.Assign(place, g, NOWHERE))
                self.pull(value, whole)
            case gast.Subscript():
                self.pull_subscript(node, g)
            case gast.List() | gast.Tuple():
                self.pull_elements(node.elts, self.shared(g))
            case gast.Dict(keys=keys, values=values):
                self.pull_entries(keys, values, self.shared(g))
            case gast.BinOp(left=left, op=gast.Add(), right=right):
                self.pull_joined(left, right, self.shared(g))
            case gast.BinOp(left=left, right=right):
                self.pull_repeated(left, right, self.shared(g))
            case gast.Call() if self.facts.callees[node].rule is not None:
                self.pull_parts(node, self.shared(g), self.facts.callees[node])
            case gast.Call() if self.is_view(node):
                self.pull_values(node, g)
            case gast.Call():
                argument = self.facts.callees[node].args[0]
                self.pull(argument, self.of_sequence(g, argument, kind))
            case _:
                raise AssertionError(f"{type(node).__name__} that gives a list")

    def is_view(self, node: Any) -> bool:
        return isinstance(self.facts.function_of(node), DictView)

    def pull_values(self, node: Any, g: Any) -> None:
        """d.values(), a list as long as the dict: the gradient has the same keys."""
        (d,) = self.facts.callees[node].args
        match g:
            case gast.BinOp(left=gast.List(elts=[one]), op=gast.Mult()):
                e = quote("dict.fromkeys({d}, {g})", d=d, g=one)
            case _:
                e = quote("dict(zip({d}, {g}))", d=d, g=g)
        self.pull(d, self.of_part(e, self.kind(d)))

    def pull_entry_or(self, callee: Callee, g: Any) -> None:
        """d.get(key, default): where there is no such key the gradient comes to nothing, in an entry of its own."""
        d, key, _ = callee.args
        kind = self.kind(d)
        assert isinstance(kind, Seq)
        entry = ir.subscript(d, self.stable_part(key))
        entry = self.with_kind(entry, replace(self.number(entry), active=True))
        self.maybe_new.add(entry)
        self.pending.append((d.id, entry, self.selected(g)))

    def pull_entries(self, keys: Sequence[Any], values: Sequence[Any], g: Any) -> None:
        """{"a": x, "b": y}"""
        for key, value in zip(keys, values, strict=True):
            if self.kind(value).active:
                entry = ir.subscript(g, key)
                self.pull(value, self.of_part(entry, self.kind(value)))

    def of_sequence(self, g: Any, argument: Any, kind: Seq) -> Any:
        """The gradient of `list(x)` as one of x."""
        if isinstance(self.kind(argument), Seq):
            return self.with_kind(quote("copied({g})", g=g), replace(kind, buffers=frozenset()))
        number = self.number(argument)
        if number.rank == 1:
            whole = quote("np.array({g})", g=g)
            if not (number.is_double or number.is_complex):  # numbers of Python's make float64
                whole = quote("cast({g}, {x})", g=whole, x=self.available(argument))
            return self.of_part(whole, number)
        shaped = quote("np.reshape({g}, np.shape({x}))", g=g, x=self.available(argument))
        return self.of_part(shaped, number)  # no rows are rows of some length

    def pull_parts(self, node: Any, g: Any, callee: Callee) -> None:
        """np.split(x, n)"""
        rule = callee.rule
        assert rule is not None
        for name in rule.operands:
            x = callee.bound[name]
            if self.kind(x).active:
                e = self.instantiate(rule.adjoint(name), callee, node, g)
                self.pull(x, self.as_kind(e, x))

    def pull_joined(self, left: Any, right: Any, g: Any) -> None:
        """Xs + ys"""
        n = quote("len({x})", x=self.available(left))
        for operand, text in ((left, "{g}[:{n}]"), (right, "{g}[{n}:]")):
            if self.kind(operand).active:
                part = quote(text, g=g, n=n)
                kind = self.kind(operand)
                self.pull(operand, self.of_part(part, kind))

    def pull_repeated(self, left: Any, right: Any, g: Any) -> None:
        """[x] * n, n * [x], xs * n"""
        operand = left if self.kind(left).active else right
        if not isinstance(operand, (gast.List, gast.Tuple)):
            self.pull(operand, self.of_repeated(operand, g))
            return
        elements = operand.elts
        for k, element in enumerate(elements):
            if self.kind(element).active:
                every = quote("{g}[{k}::{n}]", g=g, k=constant(k), n=constant(len(elements)))
                total = quote("sum({g})", g=every if len(elements) > 1 else g)
                self.pull(element, self.of_part(total, self.kind(element)))

    def of_repeated(self, xs: Any, g: Any) -> Any:
        """The gradient of a list, given that of `xs * n`: each element stands at every len(xs)-th place."""
        kind = self.kind(xs)
        assert isinstance(kind, Seq)
        x, k = self.available(xs), ir.name(self.fresh("k"))
        n = quote("len({x})", x=x)
        number = is_number(kind.item)
        text = "sum({g}[{k}::{n}])" if number else "sum({g}[{k}::{n}], np.zeros_like({x}[{k}]))"
        loop = gast.comprehension(k, quote("range({n})", n=n), [], 0)
        each = gast.ListComp(quote(text, g=g, k=k, n=n, x=x), [loop])
        return self.with_kind(each, without_memory(kind))

    def pull_sequence(self, node: Any, g: Any, callee: Callee, rule: Rule) -> None:
        """A function of a list: np.array(xs), sum(xs)."""
        xs = callee.bound[rule.operands[0]]
        kind = None if isinstance(xs, tuple) else self.kind(xs)
        if not isinstance(kind, Seq):
            super().pull_sequence(node, g, callee, rule)
            return
        if kind.active:
            g = self.shared(self.full(g, node)) if len(rule.operands) > 1 else g
            self.pull(xs, self.of_list(node, g, callee, rule))
        self.pull_others(node, g, callee, rule)

    def of_list(self, node: Any, g: Any, callee: Callee, rule: Rule) -> Any:
        """The gradient of the list, of whatever length, that a function of a list was given."""
        xs: Any = callee.bound[rule.operands[0]]
        kind = self.kind(xs)
        assert isinstance(kind, Seq)
        text = rule.adjoint(rule.operands[0])
        if is_number(kind.item) and text == "unbroadcast(g, xs[k])":
            length = xs if self.is_view(xs) else self.available(xs)
            e = quote("[{g}] * len({x})", g=g, x=length)
        elif text == "g[k]":
            e = self.taken_apart(self.full(g, node), kind)
        elif text == "g * is_first(xs, y, k)":
            e = self.of_extreme(node, g, callee)
        elif text == "cast(g[k], xs[k])" and isinstance(kind.item, Seq):
            whole = self.full(g, node)
            e = self.taken_apart(
                whole if self.is_of_real_floats(node) else quote("np.real({g})", g=whole), kind
            )
        else:
            whole = self.full(g, node)
            g = self.shared(whole)
            apart = text.startswith("part(") and self.is_fresh(whole) and g is not whole
            k = ir.name(self.fresh("k"))
            one = self.instantiate(text, callee, node, g, k)
            if text == "unbroadcast(g, xs[k])" and self.is_of_shape(g, kind.item):
                one = g
            of_item = without_memory(kind.item) if kind.item is not None else UNKNOWN
            if not (apart or self.is_fresh(self.with_kind(one, of_item))):
                # each element is an array of its own, which may be added to in place
                one = self.with_kind(quote("np.copy({e})", e=one), of_item)
            count = quote("range(len({x}))", x=self.available(xs))
            loop = gast.comprehension(k, count, [], 0)
            e = gast.ListComp(one, [loop])
        return self.with_kind(e, without_memory(kind))

    def of_extreme(self, node: Any, g: Any, callee: Callee) -> Any:
        """[g * (k == t) for k in range(len(xs))], t = xs.index(y): the place is looked for once."""
        place = self.fresh("t")
        index = self.instantiate("xs.index(y)", callee, node, g)
        self.emit(ir.Assign(ir.name(place), index, NOWHERE))
        k, g = ir.name(self.fresh("k")), self.shared(self.full(g, node))
        count = quote("range(len({x}))", x=self.available(callee.bound["xs"]))
        one = quote("{g} * ({k} == {t})", g=g, k=k, t=ir.name(place))
        whole = gast.ListComp(one, [gast.comprehension(k, count, [], 0)])
        match self.kind(callee.bound["xs"]):
            case Seq(item=Num(array=False)):
                self.at_one_place[whole] = ir.name(place), g
        return whole

    def is_of_shape(self, g: Any, item: Kind | None) -> bool:
        """Whether a gradient has the shape that the items of a list have."""
        have = self.number(g)
        return (
            isinstance(item, Num)
            and have.array is item.array is True
            and have.shape is not None
            and item.shape is not None
            and same_shape(have.shape, item.shape)
        )

    def is_of_real_floats(self, node: Any) -> bool:
        kind = self.kind(node)
        return isinstance(kind, Num) and kind.dtype is not None and kind.dtype.kind == "f"

    def as_kind(self, e: Any, operand: Any) -> Any:
        """What a rule gives for one of several operands, of which this is a list: a list, too."""
        kind = self.kind(operand)
        if not isinstance(kind, Seq):
            return super().as_kind(e, operand)
        if not (isinstance(e, gast.AST) and isinstance(self.kind(e), Num)):
            return e
        return self.with_kind(self.taken_apart(e, kind), without_memory(kind))

    def taken_apart(self, g: Any, kind: Seq) -> Any:
        """The gradient of an array as one of the list that it was made of."""
        item, depth = kind.item, 1
        while isinstance(item, Seq):
            item, depth = item.item, depth + 1
        if not is_number(item):
            return (
                quote("copied({g})", g=g)
                if depth == 1
                else quote("unstacked({g}, {n})", g=g, n=constant(depth))
            )
        return quote("list({g})" if depth == 1 else "{g}.tolist()", g=g)

    # -- gradients of lists

    def is_first(self, value: str) -> bool:
        """Whether nothing has come back to a value yet, nor does anything to another that has its name."""
        base = ir.base_name(value)
        others = (v for v in self.facts.web_kinds if v != value and ir.is_value(v))
        known = value in self.state or gradient_of(value) in self.behind
        waiting = any(v == value for v, _, _ in self.pending)
        return not (known or waiting or base in map(ir.base_name, others))

    def list_of_zeros(self, x: Any) -> Any:
        """A new name that holds zeros like the elements of a list."""
        kind = self.kind(x)
        own = isinstance(kind, Seq) and is_number(kind.item)
        first = own and type(x) is gast.Name and self.is_first(x.id)
        name = self.fresh(f"d{ir.base_name(x.id)}" if first else "g")
        self.emit(ir.Assign(ir.name(name), zeros_of_list(x, kind), NOWHERE))
        if own:
            self.own_lists.add(name)
        return self.named(name, without_memory(kind))

    # -- methods

    def list_method(self, callee: Callee, target: Any) -> None:
        """Back through a statement that is a method of a list: what it put in comes out."""
        receiver, *args = callee.args
        root = ir.root_of(receiver)
        name = callee.function.name
        gives = name == "pop" and isinstance(target, gast.Name) and target.id in self.state
        if not isinstance(root, gast.Name) or root.id not in self.state:
            if not gives:
                return
            self.zero(root.id, self.kind(root))
            self.after_call = len(self.out)  # as long as the list is after the change
        d = self.own_slot(receiver, root)
        match name, args:
            case "append", [value]:
                self.take(value, quote("{d}.pop()", d=d))
            case "insert", [position, value]:
                self.take(value, taken_out(d, self.available(position)))
            case "extend", [values]:
                self.take_several(values, d)
            case "pop", _:
                self.put_back(d, receiver, target, args)
            case "reverse" | ir.EXCHANGE, places:
                method = gast.Attribute(d, name, gast.Load())
                self.emit(_do(gast.Call(method, [*map(self.available, places)], [])))
            case "clear", [] if is_keyed_dict(self.kind(receiver)):
                zeros = zeros_of_list(receiver, self.kind(receiver))
                self.emit(_do(quote("{d}.update({z})", d=d, z=zeros)))
            case "clear", []:
                zeros = zeros_of_list(receiver, self.kind(receiver))
                self.emit(ir.Assign(ir.subscript(d, gast.Slice(None, None, None)), zeros, NOWHERE))

    def take(self, value: Any, popped: Any) -> None:
        """The gradient that comes out of the list is that of the value that was put in."""
        kind = self.kind(value)
        if not kind.active:
            self.emit(_do(popped))
            return
        g = self.of_part(popped, kind)
        real = self.real_parts(g, kind) if isinstance(kind, Seq) else self.real_part(g, value)
        if real is g and isinstance(value, gast.Name) and value.id not in self.state:
            self.emit(ir.Assign(ir.name(gradient_of(value.id)), popped, NOWHERE))
            self.begin(value.id, kind)
            return
        g = self.give_name(real, "g")
        g = self.with_kind(g, _form(kind)) if _is_nested(kind) else g
        self.pull(value, g)
        self.flush(set())

    def take_several(self, values: Any, d: Any) -> None:
        """xs.extend(values)"""
        kind = self.kind(values)
        n = len(kind.items) if isinstance(kind, Tup) else None
        count = quote("len({x})", x=self.available(values)) if n is None else constant(n)
        popped = quote("take_last({d}, {n})", d=d, n=count)
        if not kind.active:
            self.emit(_do(popped))
            return
        item = kind.item if isinstance(kind, Seq) else None
        g = self.with_kind(popped, Seq(item))
        if self.complex_lists and not has_complex(kind):
            g = self.with_kind(quote("real_parts({g})", g=g), Seq(item))
        self.pull(values, self.give_name(g, "g"))
        self.flush(set())

    def put_back(self, d: Any, receiver: Any, target: Any, args: Sequence[Any]) -> None:
        """V = xs.pop()"""
        assert target is None or isinstance(target, gast.Name)  # a place gets it from a name
        if isinstance(target, gast.Name) and target.id in self.state and self.kind(target).active:
            self.make_full(target.id, self.kind(target))
            self.make_own(target.id)
            g = self.gradient(target.id)
        else:
            position = args[0] if args else constant(-1)
            element = ir.subscript(receiver, self.stable_part(position))
            kind = self.kind(receiver)
            assert isinstance(kind, Seq)
            g = zero_of(self.with_kind(element, kind.item or Num(None, None, None)), kind.item)
        if isinstance(target, gast.Name):
            self.state.pop(target.id, None)
        if is_keyed_dict(self.kind(receiver)):
            place = gast.Subscript(d, self.available(args[0]), gast.Store())
            self.emit(ir.Assign(place, g, NOWHERE))
        elif args:
            self.emit(_do(put_back(d, self.available(args[0]), g)))
        else:
            self.emit(_do(quote("{d}.append({g})", d=d, g=g)))

    def is_list_method(self, node: Any) -> bool:
        return isinstance(self.facts.function_of(node), ListMethod)

    def changes_list(self, node: Any) -> bool:
        return self.is_list_method(node) and self.facts.callees[node].function.name != "copy"


def _is_nested(kind: Kind) -> bool:
    items = kind.items if isinstance(kind, Tup) else (kind.item,) if isinstance(kind, Seq) else ()
    return any(isinstance(item, (Tup, Seq)) for item in items)


def _form(kind: Kind) -> Kind:
    """Of a gradient that comes out of a list it is known which tuples it is made of, not more."""
    if isinstance(kind, Num):
        return Num(None, None, None, active=kind.active)
    return with_parts(kind, _form)


def _do(call: Any) -> ir.Statement:
    return ir.Do(gast.Expr(call), NOWHERE)
