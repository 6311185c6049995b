"""Passing a gradient back through an expression: by the rule of its outermost operation, down to names.

What arrives at a name, or at a place `x[i]`, is pending until it is added to that name's gradient.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import gast
import numpy as np

from tangentish import ir
from tangentish.adjoint.gradients import as_complex, without_memory
from tangentish.adjoint.pull_selected import SelectedPull
from tangentish.adjoint.selections import Guard
from tangentish.algebra.expressions import flattened, item
from tangentish.algebra.templates import broadcast_names, is_spread_over, names_in_text, spread_over
from tangentish.algebra.zeros import zeros_of_list
from tangentish.infer import Callee, literal_of
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote, template
from tangentish.kinds import Num, Seq, Tup, replace
from tangentish.kinds.lengths import same_shape
from tangentish.rules import ABSENT, Rule
from tangentish.rules.own import OwnRule


class Flow(NamedTuple):
    """How a gradient comes to an elementwise operation.

    result: the kind of what it is the gradient of, to which all operands broadcast.
    same: the operand that has the shape of the result for sure.
    complete: the gradient has the full shape of the result.
    spans: it has it where it is broadcast against the operand.
    unread: the operands whose values the adjoint does not read.
    """

    result: Num
    same: Any = None
    complete: bool = False
    spans: bool = False
    unread: tuple[Any, ...] = ()

    def may_pass(self, operand: Any) -> bool:
        """Whether all that is wanted of an operand is its shape."""
        return self.complete and any(operand is other for other in self.unread)


@dataclass
class Pull(SelectedPull):
    """The walk down an expression."""

    # gradients of arrays in a nested list: dt[0, 1]
    in_lists: set[Any] = field(default_factory=set)

    def pull(self, node: Any, g: Any) -> None:
        """Pass the gradient `g` of the value of `node` on to what it was computed from."""
        if not self.kind(node).active:
            return
        g = self.real_part(g, node)
        match node:
            case gast.Name(id=name):
                self.pending.append((name, None, self.selected(g)))
            case gast.Subscript():
                self.pull_subscript(node, g)
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                self.pull_elements(elements, g)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                truth = self.walk.truth(self.kind(test))
                assert truth is not None
                self.pull(body if truth else orelse, g)
            case _:
                callee = self.facts.callees.get(node)
                if callee is None or callee.rule is None:
                    raise AssertionError(f"no rule recorded for {gast.dump(node)}")
                self.pull_rule(node, g, callee)

    def pull_elements(self, elements: Sequence[Any], g: Any) -> None:
        parts = g.elts if isinstance(g, gast.Tuple) else None
        active = [k for k, e in enumerate(elements) if self.kind(e).active]
        mixed = self.may_be_complex(g)
        if parts is None and len(active) > 1 and not self.is_settled_place(g):
            g = self.shared(g)
        for k in active:
            if parts is None:
                kind = self.kind(elements[k])
                part = self.of_part(self.item(g, k), as_complex(kind) if mixed else kind)
                if not self.is_of_floats(g):
                    self.in_lists.add(part)
                self.pull(elements[k], part)
            elif not ir.is_none(parts[k]):
                self.pull(elements[k], parts[k])

    def is_settled_place(self, g: Any) -> bool:
        """Whether this is a place `dR[0]` of a gradient that is complete: its elements are read as `dR[0, 1]`."""
        while isinstance(g, gast.Subscript) and isinstance(literal_of(g.slice), int):
            g = g.value
        return isinstance(g, gast.Name) and self.behind.get(g.id) not in self.state

    def is_of_floats(self, g: Any) -> bool:
        """Whether this is an array of numbers for sure, not one of objects, as block_adjoint gives it."""
        dtype = self.number(g).dtype
        return dtype is not None and dtype.kind in "fc"

    def item(self, g: Any, k: int) -> Any:
        """g[k]: of an array, further indices go into the same brackets, but not dt[0, 1][k] of an array in a list."""
        is_array = g in self.in_lists and not isinstance(self.kind(g), (Seq, Tup))
        if is_array or not (isinstance(g, gast.Subscript) and self.number(g.value).array):
            return ir.subscript(g, constant(k))
        return item(g, k)

    def pull_subscript(self, node: Any, g: Any) -> None:
        position = literal_of(node.slice)
        if isinstance(node.value, (gast.Tuple, gast.List)) and isinstance(position, int):
            count = len(node.value.elts)
            if -count <= position < count:  # else the function raises there
                self.pull(node.value.elts[position], g)
            return
        flat = self.without_new_axes(node, g)
        if flat is not None:
            self.pull(node.value, flat)
            return
        root = ir.root_of(node)
        if isinstance(self.kind(node.value), Tup) and not isinstance(self.kind(root), Seq):
            raise AssertionError("a tuple that was not taken apart")
        if isinstance(root, gast.Name) and self.is_exact(node, root):
            self.pending.append((root.id, self.stable_index(node), self.selected(g)))
            return
        g = self.selected(g)
        with self.under(()):
            self.pull_subscript_of_expression(node, g)

    def without_new_axes(self, node: Any, g: Any) -> Any | None:
        """The gradient of x, given that of `x[:, None]`, where the index only puts in axes of length one."""
        parts = ir.parts_of(node.slice)
        new = [k for k, part in enumerate(parts) if ir.is_none(part)]
        if not new or not all(ir.is_none(part) or _is_everything(part) for part in parts):
            return None
        have, whole = self.number(g), self.number(node)
        if not (have.known and whole.known and have.rank == whole.rank):
            return None
        if self.guards or not whole.array or have.shape is None:
            return None
        shape = tuple(n for k, n in enumerate(have.shape) if k not in new)
        kind = replace(have, shape=shape, array=True, buffers=frozenset())
        return self.with_kind(flattened(g, new), kind)

    def is_exact(self, node: Any, root: Any) -> bool:
        """Whether a chain leads into the memory of its root for sure."""
        if self.walk.passes_copy(node.value) or self.takes_list_slice(node):
            return False
        return (
            not ir.has_view_call(node)
            or self.number(node.value).buffers == self.number(root).buffers
        )

    def takes_list_slice(self, node: Any) -> bool:
        """Whether a chain passes through `xs[1:]` of a list, which is another list."""
        while isinstance(node, (gast.Subscript, gast.Attribute)):
            part = getattr(node, "slice", None)
            if isinstance(part, gast.Slice) and isinstance(self.kind(node.value), Seq):
                return True
            node = node.value
        return False

    def pull_subscript_of_expression(self, node: Any, g: Any) -> None:
        """`(x * y)[i]`: a gradient of zeros with g at that place."""
        kind = self.kind(node.value)
        if isinstance(kind, Seq):
            zeros = zeros_of_list(self.available(node.value), kind)
            g = self.full(g, node) if isinstance(self.kind(node), Num) else g
        else:
            kind = self.number(node.value)
            zeros = quote("np.zeros_like({x})", x=self.available(node.value))
        name = self.fresh("g")
        self.emit(ir.Assign(ir.name(name), zeros, NOWHERE))
        whole = self.named(name, without_memory(kind))
        place = ir.subscript(whole, self.stable_part(node.slice))
        self.put_into_zeros(self.with_kind(place, self.kind(node)), g)
        self.pull(node.value, whole)

    # -- rules

    def pull_rule(self, node: Any, g: Any, callee: Callee) -> None:
        """Pass it on to the operands of a rule; guards go on through what works element by element."""
        assert callee.rule is not None
        root = self.squared(callee)
        if root is not None and not self.guards and root[0] not in self.clipped:
            self.pull_rule(root[0], g, root[1])
            return
        g = self.of_real(g, callee)
        if isinstance(callee.rule, OwnRule):
            by_element = isinstance(callee.function, np.ufunc)
            g, guards = (
                self.selected(g),
                self.guards_of_product(bounded=False) if by_element else (),
            )
            with self.under(guards):
                self.pull_own(node, g, callee, callee.rule)
        elif callee.function is np.where:
            self.pull_selection(node, g, callee)
        elif node in self.clipped and self.pull_clipped(node, g, callee, callee.rule):
            pass
        elif callee.rule.law == "elementwise" or not self.guards:
            self.pull_by_rule(node, g, callee, callee.rule)
        else:
            g = self.selected(g)
            with self.under(()):
                self.pull_by_rule(node, g, callee, callee.rule)

    def pull_by_rule(self, node: Any, g: Any, callee: Callee, rule: Rule) -> None:
        if rule.law == "sequence":
            self.pull_sequence(node, g, callee, rule)
            return
        active = [name for name in rule.operands if self.is_active_argument(callee.bound.get(name))]
        texts = self.texts(rule, active, callee)
        texts = {name: text for name, text in texts.items() if text != "0" and not _lacks(text, g)}
        read = _names_read(*texts.values())
        wide = self.wide.pop(node, None)
        if rule.law == "tuple":
            g = self.full_parts(node, g)
        else:
            if wide is None:
                g = self.prepared(node, g, rule, callee, texts.values())
            if read["g"] > 1:
                g = self.shared(g)
        named, others = self.computed_once(texts, callee, node, g)
        others |= self.gradients_read(named, read, g, node, callee, others)
        flow = self.flow(node, g, read, callee, wide) if rule.law == "elementwise" else None
        for name, text in texts.items():
            arguments = callee.bound[name]
            if isinstance(arguments, tuple):
                reached = [k for k in range(len(arguments)) if not _lacks(text, g, k)]
                for k in reached:
                    if self.kind(arguments[k]).active:
                        e = self.instantiate(text, callee, node, g, k)
                        self.pull(arguments[k], self.as_kind(e, arguments[k]))
                continue
            e = others.get(f"g_{name}")
            e = e or self.instantiate(named[name], callee, node, g, others=others)
            e, guards = self.left_out(e, arguments)
            with self.under((*self.guards_after(text, callee, e, g), *guards)):
                self.deliver(
                    arguments, e, node, callee, flow and self.after(text, name, callee, flow)
                )

    def after(self, text: str, name: str, callee: Callee, flow: Flow) -> Flow:
        """The flow to an operand of what is broadcast against the result, or all other operands."""
        read = broadcast_names(text)
        others = (n for n, a in callee.bound.items() if n != name and not self.is_no_array(a))
        spans = read.issuperset(others)
        return flow._replace(complete=flow.complete or "y" in read, spans=spans)

    def flow(
        self, node: Any, g: Any, read: Mapping[str, int], callee: Callee, wide: Num | None
    ) -> Flow:
        result = self.result_number(node) if wide is None else wide
        unread = tuple(a for name, a in callee.bound.items() if name not in read)
        complete = wide is not None or (not result.is_scalar and self.is_complete(g, result))
        return Flow(result, None if wide else self.sole_operand(node), complete, unread=unread)

    def guards_after(self, text: str, callee: Callee, e: Any, g: Any) -> tuple[Guard, ...]:
        """The guards of what a rule gives: a product with what is not finite is not zero where g is."""
        if not self.guards:
            return ()
        factors = set(names_in_text(text)) - {"g", "N", "np", "math"}
        finite = all(literal_of(callee.bound.get(name)) is not ABSENT for name in factors)
        return self.guards if finite else self.guards_of_product(self.is_bounded(e, g))

    def full_parts(self, node: Any, g: Any) -> Any:
        """The gradients of several results, each in its full shape."""
        kind = self.kind(node)
        if not (isinstance(g, gast.Tuple) and isinstance(kind, Tup)):
            return g
        elements = []
        for k, (e, item_kind) in enumerate(zip(g.elts, kind.items, strict=True)):
            if not ir.is_none(e) and isinstance(item_kind, Num) and item_kind.array:
                have = self.number(e)
                if not (same_shape(have.shape, item_kind.shape) and have.array):
                    y = template("y[k]", {"y": self.result_of(node), "k": constant(k)})
                    e = spread_over(e, have, y, item_kind)
                    self.with_kind(e, replace(item_kind, active=True, buffers=frozenset()))
            elements.append(e)
        return gast.Tuple(elements, gast.Load())

    def gradients_read(
        self, texts: dict[str, str], read: Mapping[str, int], g: Any, node: Any, callee: Callee,
        others: dict[str, Any],
    ) -> dict[str, Any]:  # fmt: skip
        """`g_b`, the gradient of operand b, where another's adjoint reads it: a name where b takes it as well."""
        assert callee.rule is not None
        found: dict[str, Any] = {}
        for name in (n for n in read if n.startswith("g_")):
            operand = name.removeprefix("g_")
            text = texts.get(operand) or callee.rule.adjoint(operand)
            e = self.instantiate(text, callee, node, g, others=others)
            e = self.as_kind(e, callee.bound[operand])
            found[name] = self.shared(e) if operand in texts or read[name] > 1 else e
        return found

    def prepared(self, node: Any, g: Any, rule: Rule, callee: Callee, texts: Iterable[str]) -> Any:
        """The gradient as the law wants it: spread over reduced axes, or full."""
        if rule.law == "reduction":
            return self.spread(g, callee)
        if rule.law == "structural" and not rule.thin:
            return self.full(g, node)
        if (
            rule.law == "elementwise"
            and not self.result_number(node).known
            and self.number(g).known
            and not (self.sole_operand(node) is not None and _is_arithmetic(texts, callee))
        ):
            return self.full(g, node)  # else it can't be told whether a product with it is full
        return g

    def deliver(
        self, operand: Any, e: Any, node: Any, callee: Callee, flow: Flow | None = None
    ) -> None:
        """Pass what a rule gives on to its operand, summed to the operand's shape."""
        assert callee.rule is not None
        law = callee.rule.law
        if law == "elementwise":
            flow = flow or Flow(self.result_number(node))
            self.current = node
            operands = [a for a in callee.bound.values() if not isinstance(a, tuple)]
            self.reduce_to(operand, e, flow.result, operands, flow)
        elif law == "reduction":
            kind = self.kind(operand)
            if (
                isinstance(kind, Num)
                and not (self.guards and self.selects_at_once(operand))
                and self.may_be_thin(operand, e)
                and not self.fills_itself(operand, e)
            ):
                like = self.like(operand)
                e = e if is_spread_over(e, like) else quote("full({g}, {x})", g=e, x=like)
                e = self.with_kind(e, replace(kind, active=True, buffers=frozenset()))
            self.pull(operand, e)
        else:
            self.current = node
            self.pull(operand, self.as_kind(self.fitted(operand, e), operand))

    def fills_itself(self, operand: Any, e: Any) -> bool:
        """Whether the adjoint of an elementwise operation makes a thin gradient full where that is wanted."""
        callee = self.facts.callees.get(operand)
        if callee is None or not isinstance(callee.rule, Rule) or callee.rule.law != "elementwise":
            return False
        if self.number(e).known:
            return True  # is looked at there
        same = self.sole_operand(operand)
        rule = callee.rule
        texts = [self.text(rule, n, callee) for n in rule.operands if callee.bound.get(n) is same]
        full = all({"y", *_names_of(same, callee)} & set(names_in_text(text)) for text in texts)
        return same is not None and full and _is_arithmetic(texts, callee)

    def reduce_to(
        self, operand: Any, e: Any, result: Num, operands: Sequence[Any], flow: Flow | None = None
    ) -> None:
        """Pass on what broadcasts to the shape of the result, summed to the operand's shape."""
        flow = flow or Flow(result)
        if not self.kind(operand).active:
            return
        guards = self.guards
        if guards and not self.may_guard(operand, result):
            e, guards = self.selected(e), ()
        with self.under(guards):
            if operand is flow.same:
                e = self.of_operand(e, operand, flow.complete)
            elif flow.may_pass(operand) and not guards and self.may_stay_wide(operand, result):
                self.wide[operand] = result
            else:
                e = self.reduced(operand, e, result, operands, flow.complete, flow.spans)
            self.pull(operand, e)

    def pull_sequence(self, node: Any, g: Any, callee: Callee, rule: Rule) -> None:
        name = rule.operands[0]
        xs = callee.bound[name]
        elements = list(xs) if isinstance(xs, tuple) else getattr(xs, "elts", None)
        if elements is None:
            if self.kind(xs).active:
                raise AssertionError("a sequence that was not taken apart")
            elements = []
        text = rule.adjoint(name)
        g = self.full(g, node)
        active = [k for k, element in enumerate(elements) if self.kind(element).active]
        if len(active) > 1 or len(rule.operands) > 1 or _names_read(text)["g"] > 1:
            g = self.shared(g)
        for k in active:
            if text == "g[k]":
                e = self.item(g, k)
            elif text == "unbroadcast(g, xs[k])" and self.has_shape_of(g, elements[k]):
                e = g
            else:
                e = self.instantiate(text, callee, node, g, k)
            self.pull(elements[k], self.as_kind(e, elements[k]))
        self.pull_others(node, g, callee, rule)

    def has_shape_of(self, g: Any, element: Any) -> bool:
        have, want = self.number(g), self.number(element)
        both_known = have.shape is not None and want.shape is not None
        return both_known and have.array == want.array and same_shape(have.shape, want.shape)

    def pull_others(self, node: Any, g: Any, callee: Callee, rule: Rule) -> None:
        """The operands of a function of a list that stand beside the list: `np.select(tests, xs, default)`."""
        for other in rule.operands[1:]:
            text = rule.adjoint(other)
            if text != "0" and self.is_active_argument(callee.bound.get(other)):
                e = self.instantiate(text, callee, node, g)
                self.pull(callee.bound[other], self.as_kind(e, callee.bound[other]))


def _is_everything(part: Any) -> bool:
    """`:`"""
    return isinstance(part, gast.Slice) and not (part.lower or part.upper or part.step)


def _lacks(text: str, g: Any, k: int | None = None) -> bool:
    """Whether `g[1] * 2` finds that nothing came back to result 1; k is the place of the operand among several."""
    if not isinstance(g, gast.Tuple):
        return False
    text = text if k is None else text.replace("g[k]", f"g[{k}]")
    read = {int(k) for k in re.findall(r"\bg\[(\d+)\]", text)}
    return bool(read) and all(ir.is_none(g.elts[k]) for k in read)


def _names_of(operand: Any, callee: Callee) -> list[str]:
    return [name for name, argument in callee.bound.items() if argument is operand]


def _is_arithmetic(texts: Iterable[str], callee: Callee) -> bool:
    """Whether rules read nothing but the operands, the result and NumPy: no helpers, which may look at shapes."""
    known = callee.bound.keys() | {"g", "y", "N", "np", "math"}
    return all(known.issuperset(names_in_text(text)) for text in texts)


@functools.cache
def _names_read(*texts: str) -> Counter[str]:
    """How often the templates of a rule read each name."""
    return Counter(name for text in texts for name in names_in_text(text))
