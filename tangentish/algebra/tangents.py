"""The tangent of an expression: by the rule of its outermost operation, from its operands' tangents.

A tangent of None is zero. A tangent may be thinner than its value, until it is given a name or handed to what reads
its shape.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.algebra.expressions import item, size
from tangentish.algebra.templates import Templates, names_in_text, spread_over
from tangentish.algebra.tidy import tidy
from tangentish.errors import Refusal
from tangentish.infer import Callee, literal_of
from tangentish.infer.known_functions import OPERATORS, is_view_maker
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.kinds import NO_BUFFERS, Buffer, Kind, Known, Num, Seq, Tup, buffers_of, replace
from tangentish.kinds.lengths import same_shape
from tangentish.kinds.memory import may_be_view
from tangentish.kinds.numbers import is_number
from tangentish.rules import Rule

LONGEST = 6  # nodes of a tangent that is written into a longer one, where its value has a name


def tangent_of(value: str) -> str:
    """The value that holds the tangent of a value: `x_dot.~x~0` of `x.0`."""
    return f"{ir.base_name(value)}_dot.~{value.replace('.', '~')}"


# Where one of these raises a ValueError, its tangent divides by zero.
_WITH_POLES = frozenset(f"math.{name}" for name in ("log", "log2", "log10", "log1p", "atanh"))


@dataclass
class Tangents(Templates):
    """The walk down an expression that builds its tangent."""

    out: list[ir.Statement] = field(default_factory=list)  # lines before the statement at hand
    filling: set[Any] = field(default_factory=set)  # tangents that have the shape of their values
    found: dict[Any, Any] = field(default_factory=dict)  # the tangents of the statement at hand
    missing: list[Refusal] = field(default_factory=list)
    steep: frozenset[Any] = frozenset()  # roots whose slope is infinite where nothing moves

    # -- names

    def dot(self, value: str, kind: Kind) -> Any:
        """The name of a value's tangent, which has its shape."""
        if isinstance(kind, Num):
            kind = replace(kind, active=True, value=None)
        name = self.named(tangent_of(value), kind)
        self.filling.add(name)
        return name

    def give_name(self, e: Any, base: str) -> Any:
        kind = self.number(e)
        name = self.fresh(base)
        self.out.append(ir.Assign(ir.name(name), e, NOWHERE))
        new = self.named(name, kind)
        if e in self.filling:
            self.filling.add(new)
        return new

    def shared(self, e: Any) -> Any:
        """A tangent that is read more than once gets a name, unless it is one."""
        return e if isinstance(e, (gast.Name, gast.Constant)) else self.give_name(e, "t_dot")

    # -- expressions

    def tangent(self, node: Any) -> Any | None:
        """The tangent of the value of `node`, None where that is zero."""
        if node not in self.found:
            self.found[node] = self.built(node) if self.kind(node).active else None
        return self.found[node]

    def built(self, node: Any) -> Any | None:
        match node:
            case gast.Name(id=name):
                return self.dot(name, self.number(node))
            case gast.Subscript():
                return self.of_subscript(node)
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                return type(node)([self.tangent_or_zero(e) for e in elements], gast.Load())
            case gast.IfExp(test=test, body=body, orelse=orelse):
                truth = self.walk.truth(self.kind(test))
                assert truth is not None
                return self.tangent(body if truth else orelse)
        callee = self.facts.callees.get(node)
        if callee is None or callee.rule is None:
            raise AssertionError(f"no rule recorded for {gast.dump(node)}")
        return self.in_memory(self.of_rule(node, callee, callee.rule), node)

    def in_memory(self, e: Any, node: Any) -> Any:
        """The tangent of a view lies where that of its operand does, which may not be beside the operand."""
        if e is None or isinstance(e, gast.Name) or not isinstance(self.kind(node), Num):
            return e
        kind = self.number(e)
        return self.with_kind(e, replace(kind, buffers=kind.buffers | self.lent(node)))

    def lent(self, node: Any) -> frozenset[Buffer]:
        """The memory of the tangents of what an expression gives views of."""
        callee = self.facts.callees.get(node)
        operands: list[Any] = [node.value] if isinstance(node, gast.Subscript) else []
        if callee is not None:
            operands = list(callee.bound.values()) if _may_give_views(callee) else []
        found: frozenset[Buffer] = NO_BUFFERS
        for operand in operands:
            is_part = isinstance(operand, gast.AST)
            if is_part and may_be_view(self.kind(node), self.kind(operand)):
                moved = self.tangent(operand)
                found |= NO_BUFFERS if moved is None else buffers_of(self.kind(moved))
        return found

    def tangent_or_zero(self, node: Any) -> Any:
        """The tangent in full; zeros where there is none."""
        return self.full_tangent(node) or self.zeros(node)

    def full_tangent(self, node: Any) -> Any | None:
        e = self.tangent(node)
        return None if e is None else self.filled(e, node)

    def zeros(self, node: Any) -> Any:
        kind = self.kind(node)
        if isinstance(kind, Tup) and isinstance(node, (gast.Tuple, gast.List)):
            return type(node)([self.zeros(e) for e in node.elts], gast.Load())
        if is_number(kind):
            return constant(0j if kind.is_complex else 0.0)  # an array of it is complex as well
        if isinstance(kind, Known):  # a text, None, a function; or a bool among numbers
            return constant(0.0 if type(kind.value) is bool else None)
        whole = isinstance(kind, Num) and kind.dtype is not None and kind.dtype.kind not in "fc"
        zeros = "np.zeros_like({x}, float)" if whole else "np.zeros_like({x})"
        return quote(zeros, x=self.available(node))

    def filled(self, e: Any, node: Any) -> Any:
        """The tangent in the full shape of the value of `node`."""
        want = self.kind(node)
        if e in self.filling or not isinstance(want, Num) or want.is_scalar:
            return e
        have = self.number(e)
        if same_shape(have.shape, want.shape) and have.array == want.array and want.known:
            return e
        whole = spread_over(e, have, self.like(node), want)
        self.filling.add(whole)
        return self.with_kind(whole, replace(want, active=True, buffers=frozenset()))

    def fills(self, e: Any, node: Any) -> Any:
        """What is known to have the shape of the value of `node`."""
        self.filling.add(e)
        kind = self.kind_of_result(node)
        if isinstance(kind, Num):
            mine = self.number(e)
            if mine.shape is None or mine.array is None:
                array = mine.array if kind.is_scalar else kind.array  # it may be one without axes
                self.facts.kinds[e] = replace(mine, shape=kind.shape, array=array, active=True)
        return e

    def of_subscript(self, node: Any) -> Any | None:
        """`x[i]` moves by `x_dot[i]`."""
        if isinstance(self.kind(node.value), Tup):
            return self.of_element(node)
        inner = self.full_tangent(node.value)
        if inner is None:
            return None
        part = ir.subscript(inner, self.stable_part(node.slice))
        if not isinstance(self.kind(node), Num):
            return self.with_kind(part, self.kind(node))
        part = self.fills(self.with_kind(part, self.without_value(node)), node)
        return self.in_memory(part, node)

    def of_element(self, node: Any) -> Any | None:
        position = literal_of(node.slice)
        if isinstance(node.value, (gast.Tuple, gast.List)) and isinstance(position, int):
            return self.tangent(node.value.elts[position])
        whole = self.tangent(node.value)
        if whole is None:
            return None
        if isinstance(whole, (gast.Tuple, gast.List)) and isinstance(position, int):
            return whole.elts[position]
        assert isinstance(position, int)
        nested = isinstance(whole, gast.Subscript) and isinstance(
            self.kind(whole.value), (Seq, Tup)
        )
        part = ir.subscript(whole, constant(position)) if nested else item(whole, position)
        return self.with_kind(part, self.without_value(node))

    def without_value(self, node: Any) -> Num:
        return replace(self.number(node), active=True, value=None)

    # -- rules

    def of_rule(self, node: Any, callee: Callee, rule: Rule) -> Any | None:
        root = self.squared(callee)
        if root is not None:
            return self.of_rule(*root)
        active = [name for name in rule.operands if self.moves(callee.bound.get(name))]
        texts = {name: self.tangent_text(rule, name, callee) for name in active}
        if None in texts.values():
            self.missing.append(Refusal(f"{rule.primal} has no tangent yet", node))
            return None
        wanted = {name: text for name, text in texts.items() if text and text != "0"}
        if not wanted:
            return None
        if rule.primal.partition("(")[0] in _WITH_POLES:
            self.value_first(node)
        if rule.law == "sequence" and rule.linear and len(rule.operands) > 1:
            return self.fills(self.linear_together(node, callee, rule), node)
        if rule.law == "sequence":
            whole = self.of_sequence(node, callee, rule, wanted)
            return self.fills(self.of_known_dtype(whole, callee, rule), node)
        terms = self.terms(node, callee, rule, wanted)
        terms[0] = self.of_real(terms[0], callee)
        if (
            rule.law == "tuple"
            and len(terms) > 1
            and not all(isinstance(t, gast.Tuple) for t in terms)
        ):
            self.missing.append(
                Refusal(f"{rule.primal} has no tangent yet in several operands", node)
            )
            return None
        total = self.total(terms)
        if rule.law != "elementwise" or self.covers(callee, wanted):
            self.fills(total, node)
        elif total in self.filling:  # it fills the operand that it is the tangent of, not this
            total = self.with_kind(copy(total), self.kind(total))
        return total

    def value_first(self, node: Any) -> None:
        """The value is computed before its tangent, which may fail where it does, and in another way."""
        self.result_of(node)

    def terms(self, node: Any, callee: Callee, rule: Rule, texts: dict[str, str]) -> list[Any]:
        """What the tangent of each operand adds to that of the result."""
        if rule.linear and not rule.tangents.keys() & texts.keys():
            return [self.replaced(node, callee, name) for name in texts]
        named, others = self.computed_once(texts, callee, node)
        return [self.term(node, callee, name, text, others) for name, text in named.items()]

    def moves(self, argument: Any) -> bool:
        if argument is None or isinstance(argument, ir.Update):
            return False
        parts = argument if isinstance(argument, tuple) else (argument,)
        return any(self.tangent(part) is not None for part in parts)

    def total(self, terms: Sequence[Any]) -> Any:
        total = terms[0]
        for term in terms[1:]:
            total = (
                _chosen(total, term)
                or _together(total, term)
                or tidy(quote("{a} + {b}", a=total, b=term), self.kind)
            )
        return total

    def term(self, node: Any, callee: Callee, name: str, text: str, others: Any = None) -> Any:
        """The same of one operand, by the text of the rule."""
        rule = callee.rule
        assert rule is not None
        argument = callee.bound[name]
        if isinstance(argument, tuple):
            moving = [(k, a) for k, a in enumerate(argument) if self.tangent(a) is not None]
            full = ((k, self.full_tangent(a)) for k, a in moving)
            return self.total(
                [self.instantiate(text, callee, node, e, k, f"{name}_dot") for k, e in full]
            )
        e = self.tangent(argument) if rule.law == "elementwise" else self.full_tangent(argument)
        names = names_in_text(text)
        long = size(e) > LONGEST and name in names and not self.is_cheap(argument)
        if names.count(f"{name}_dot") > 1 or long:
            e = self.shared(e)
        if node in self.steep:
            text = _by_slope(text, f"{name}_dot", self.number(argument).is_scalar)
        new = self.instantiate(text, callee, node, e, hole=f"{name}_dot", others=others)
        return self.tidy_inside(_without_defaults(new)) if rule.law == "reduction" else new

    def tidy_inside(self, new: Any) -> Any:
        """A sum of what the rule wrote, simplified: x_dot / (count(x) - ddof) is x_dot / x.size."""
        match new:
            case gast.Call(args=[gast.BinOp() | gast.Call() as first, *others]):
                return gast.Call(new.func, [tidy(first, self.kind), *others], new.keywords)
        return new

    def covers(self, callee: Callee, texts: dict[str, str]) -> bool:
        """Whether all operands of an elementwise function take part in its tangent with their shapes."""
        taking_part: set[str] = set()
        for name, text in texts.items():
            read = _shaping(text)
            if "y" in read:
                return True
            taking_part |= read
            if f"{name}_dot" in read and self.tangent(callee.bound[name]) in self.filling:
                taking_part.add(name)
        return all(
            name in taking_part or isinstance(argument, tuple) or self.number(argument).is_scalar
            for name, argument in callee.bound.items()
        )

    # -- linear functions

    def replaced(self, node: Any, callee: Callee, name: str) -> Any:
        """The function of the tangent of one operand, spelt as the user spelt it."""
        assert callee.rule is not None
        argument = callee.bound[name]
        parts = argument if isinstance(argument, tuple) else (argument,)
        thin = callee.rule.law == "elementwise"
        return self.spelt(
            node, callee, {a: self.tangent(a) if thin else self.tangent_or_zero(a) for a in parts}
        )

    def as_real_if_so(self, e: Any, callee: Callee, elements: Sequence[Any]) -> Any:
        """np.array([x, y + 1j]) is complex, np.array([x_dot, y_dot]) real: what it is given to must know."""
        kind = self.kind(e)
        if not isinstance(kind, Num) or kind.dtype is None or not kind.is_complex:
            return e
        asked = literal_of(callee.bound.get("dtype", constant(None))) is not None
        if asked or any(map(self.has_complex_tangent, elements)):
            return e
        return self.with_kind(e, replace(kind, dtype=np.empty(0, kind.dtype).real.dtype))

    def has_complex_tangent(self, element: Any) -> bool:
        """Whether the tangent of an element in full may be complex."""
        if isinstance(element, (gast.List, gast.Tuple)):
            return any(map(self.has_complex_tangent, element.elts))
        e = self.tangent(element)
        kind = self.kind(element if e is None else e)
        return not isinstance(kind, Num) or kind.dtype is None or kind.is_complex

    def linear_together(self, node: Any, callee: Callee, rule: Rule) -> Any:
        """sum(xs, start)  ->  sum(xs_dot, start_dot)"""
        operands = [callee.bound[name] for name in rule.operands if name in callee.bound]
        return self.spelt(node, callee, {x: self.tangent_or_zero(x) for x in operands})

    def spelt(self, node: Any, callee: Callee, new: dict[Any, Any]) -> Any:
        """The call with some arguments replaced; of the others those that cost something have names."""
        operation = node
        if isinstance(node, ir.Update):
            operation = gast.BinOp(node.target, node.op, node.value)
        for argument in callee.given:
            for part in [] if argument in new else _parts_of(argument):
                if part not in new and part is not self.updated:
                    new[part] = self.available_parts(part)
        result = ir.copy_expression(self.as_function(operation, callee), new.get)
        return self.with_kind(result, self.kind_of_result(node))

    def as_function(self, call: Any, callee: Callee) -> Any:
        """np.sum(x) for x.sum(), where x may be a number: a tangent of NumPy's numbers may be one of Python's."""
        match call:
            case gast.Call(func=gast.Attribute(value=receiver, attr=name)) if (
                callee.args and receiver is callee.args[0]
            ):
                if not self.number(receiver).array and callee.function is getattr(np, name, None):
                    function = quote(f"np.{name}")
                    # x.reshape(2, 3) has its shape in one
                    return ir.with_fields(call, {"func": function, "args": list(callee.args)})
        return call

    def available_parts(self, argument: Any) -> Any:
        """An argument to read again; of a display its parts."""
        if isinstance(argument, gast.Starred):
            return gast.Starred(self.available(argument.value), gast.Load())
        if not isinstance(argument, (gast.Tuple, gast.List)):
            return self.available(argument)
        parts = [self.available_parts(e) for e in argument.elts]
        return self.copied(argument, type(argument)(parts, gast.Load()))

    def kind_of_result(self, node: Any) -> Any:
        kind = self.kind(node.target) if isinstance(node, ir.Update) else self.kind(node)
        return replace(kind, active=True, value=None) if isinstance(kind, Num) else kind

    def of_sequence(self, node: Any, callee: Callee, rule: Rule, texts: dict[str, str]) -> Any:
        (name, text), *others = texts.items()
        if others or name != rule.operands[0]:  # operands beside the sequence
            parts = (
                [self.of_sequence(node, callee, rule, {name: text})]
                if name == rule.operands[0]
                else []
            )
            rest = others if parts else list(texts.items())
            return self.total([*parts, *(self.term(node, callee, n, t) for n, t in rest)])
        argument = callee.bound[name]
        elements = list(argument) if isinstance(argument, tuple) else argument.elts
        if rule.linear and name not in rule.tangents:
            return self.as_real_if_so(self.replaced(node, callee, name), callee, elements)
        if "swapped" in names_in_text(text):  # linear in each element, not in all together
            active = [e for e in elements if self.kind(e).active]
            return self.total(
                [self.spelt(node, callee, {e: self.tangent_or_zero(e)}) for e in active]
            )
        terms = [
            self.instantiate(text, callee, node, self.tangent(e), k, f"{name}_dot")
            for k, e in enumerate(elements)
            if self.tangent(e) is not None
        ]
        return self.total(terms)


def _by_slope(text: str, moved: str, of_numbers: bool) -> str:
    """`times_slope(x_dot, 1 / (3 * y ** 2))` of `x_dot / (3 * y ** 2)`, where a product would give inf * 0."""
    power = re.fullmatch(rf"{moved} \* (\S+) \* x \*\* \S+", text)
    if power and of_numbers:
        return f"times_slope({moved}, power_slope(x, {power[1]}))"  # Python raises for 0.0 ** -0.7
    product, quotient = f"{moved} * ", f"{moved} / "
    if product in text:
        return f"times_slope({moved}, {text.replace(product, '', 1)})"
    if quotient in text:
        return f"times_slope({moved}, {text.replace(moved, '1', 1)})"
    return text


def _shaping(text: str) -> set[str]:
    """The names in a rule's text that give its value their shape."""
    names: set[str] = set()
    pending: list[ast.AST] = [ast.parse(text, mode="eval")]
    while pending:
        node = pending.pop()
        match node:
            case ast.Name(id=name):
                names.add(name)
            case ast.Call(func=ast.Name(id="cast"), args=[first, _]):
                pending.append(first)
            case ast.Call(func=ast.Name(id="count")) | ast.Attribute():
                pass
            case _:
                pending += ast.iter_child_nodes(node)
    return names


def _chosen(a: Any, b: Any) -> Any | None:
    """np.where(c, x_dot, 0) + np.where(c, 0, z_dot)  ->  np.where(c, x_dot, z_dot)"""
    match a, b:
        case (
            gast.Call(func=f, args=[test, x, gast.Constant(value=0)]),
            gast.Call(func=gast.Attribute(attr="where"), args=[other, gast.Constant(value=0), z]),
        ) if (
            isinstance(f, gast.Attribute)
            and f.attr == "where"
            and gast.dump(test) == gast.dump(other)
        ):
            return gast.Call(f, [test, x, z], [])
    return None


def _parts_of(argument: Any) -> list[Any]:
    """The elements of a display, each of which may be replaced."""
    return argument.elts if isinstance(argument, (gast.Tuple, gast.List)) else [argument]


def _together(a: Any, b: Any) -> Any | None:
    """(None, x) + (None, z)  ->  (None, x + z)"""
    match a, b:
        case gast.Tuple(elts=left), gast.Tuple(elts=right):
            pairs = zip(left, right, strict=True)
            return gast.Tuple([_sum_of(x, z) for x, z in pairs], gast.Load())
    return None


def _sum_of(x: Any, z: Any) -> Any:
    if ir.is_none(x) or ir.is_none(z):
        return z if ir.is_none(x) else x
    return quote("{a} + {b}", a=x, b=z)


def _without_defaults(e: Any) -> Any:
    """np.sum(t, axis=None, keepdims=False)  ->  np.sum(t)"""
    match e:
        case gast.Call(func=func, args=args, keywords=keywords):
            idle = {"axis": None, "keepdims": False}
            kept = [
                k
                for k in keywords
                if not (
                    isinstance(k.value, gast.Constant)
                    and k.arg in idle
                    and k.value.value is idle[k.arg]
                )
            ]
            return gast.Call(func, args, kept)
    return e


def _may_give_views(callee: Callee) -> bool:
    """Whether what a call gives may lie in the memory of an argument."""
    if is_view_maker(callee.function):
        return True
    new = callee.rule is not None and callee.rule.law in ("elementwise", "reduction")
    return not (new or callee.function in OPERATORS.values())
