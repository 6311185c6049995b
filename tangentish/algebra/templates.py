"""The templates of rules, filled in with the expressions of a call."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.algebra.parts_in_common import parts_in_common
from tangentish.algebra.reading import Reading
from tangentish.algebra.real_parts import real_part
from tangentish.algebra.simpler import place_of_each
from tangentish.algebra.tidy import tidy
from tangentish.infer import Callee, literal_of
from tangentish.ir.quote import constant, quote, template
from tangentish.kinds import Known, Num, Seq, Tup, replace
from tangentish.kinds.lengths import same_shape
from tangentish.rules import Rule
from tangentish.rules.rule import ABSENT

COMMON = "t"  # what the adjoints of several operands have in common
WIDENED = "np.broadcast_to(where, np.shape(x))"
ALL_AXES = ", axis=axis, keepdims=True"
"""What a rule writes so that a reduction of its own broadcasts against the operand."""


@dataclass
class Templates(Reading):
    """What the text of a rule becomes at one call."""

    def is_active_argument(self, argument: Any) -> bool:
        if argument is None:
            return False
        parts = argument if isinstance(argument, tuple) else (argument,)
        return any(self.kind(part).active for part in parts)

    def text(self, rule: Rule, operand: str, callee: Callee) -> str:
        return rule.adjoint(operand, **_literals(rule, callee))

    def texts(self, rule: Rule, operands: Iterable[str], callee: Callee) -> dict[str, str]:
        literals = _literals(rule, callee)
        return {operand: rule.adjoint(operand, **literals) for operand in operands}

    def tangent_text(self, rule: Rule, operand: str, callee: Callee) -> str | None:
        return rule.tangent(operand, **_literals(rule, callee))

    def instantiate(
        self,
        text: str,
        callee: Callee,
        node: Any,
        g: Any,
        k: Any = None,
        hole: str = "g",
        others: dict[str, Any] | None = None,
    ) -> Any:
        """The template of a rule with this call's expressions, and `g` for the name `hole`."""
        rule = callee.rule
        assert rule is not None
        if ALL_AXES in text and self.takes_all_axes(callee):
            text = text.replace(ALL_AXES, "")
        if WIDENED in text and self.has_one_shape(callee.bound["where"], callee.bound["x"]):
            text = text.replace(WIDENED, "where")
        wanted = set(names_in_text(text))
        names: dict[str, Any] = {hole: g}
        if "y" in wanted:
            y = self.result_of(node)
            names["y"] = self.spread(y, callee) if rule.law == "reduction" else y
        if k is not None:
            names["k"] = constant(k) if isinstance(k, int) else k
        names |= others or {}
        for p in rule.parameters:
            if p.name in wanted:
                default = p.default or repr(p.literal)
                argument = callee.bound.get(p.name)
                text, argument = _without_item(text, p.name, argument, k)
                of_product = rule.thin and text == f"{hole} * {p.name}"
                if of_product and self.number(names[hole]).is_scalar:
                    argument, names[hole] = self.with_factor(argument, names[hole])
                counted = f"count({p.name}, axis)"
                if text.count(counted) == names_in_text(text).count(p.name):
                    longer = self.as_long(argument) if counted in text else None
                    if longer is None:
                        argument = self.same_size(argument)
                    else:
                        argument, axis = longer
                        text = text.replace(counted, f"count({p.name}, {axis})")
                        wanted.intersection_update(names_in_text(text))
                only_shapes = isinstance(argument, (gast.Tuple, gast.List)) and text.startswith(
                    "part("
                )
                names[p.name] = (
                    self.shapes_of(argument) if only_shapes else self.argument(argument, default)
                )
        e = tidy(template(text, names), self.kind)
        return self.cast_of_real(e) if hole == "g" and self.complex_numbers else e

    def give_name(self, e: Any, base: str) -> Any:
        """A name of generated code for a value, set in a line of its own."""
        raise NotImplementedError

    def in_common(self, e: Any) -> Any:
        """A name for what is read for several operands."""
        return self.give_name(e, COMMON)

    def computed_once(
        self, texts: dict[str, str], callee: Callee, node: Any, g: Any = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """The templates for the operands of a call with names for what they have in common, and what they stand for.

        Of numbers nothing is kept: a line more is no faster.
        """
        if len(texts) < 2 or any(isinstance(callee.bound[name], tuple) for name in texts):
            return texts, {}
        named, parts = parts_in_common(tuple(texts.values()))
        found: dict[str, Any] = {}
        for name, part in parts.items():
            e = self.instantiate(part, callee, node, g, others=found)
            found[name] = e if self.number(e).is_scalar else self.in_common(e)
        return dict(zip(texts, named, strict=True)), found

    def with_factor(self, argument: Any, g: Any) -> tuple[Any, Any]:
        """What a number that a vector is multiplied by leaves, and the gradient, which is a number, times it."""
        match argument:
            case gast.BinOp(left=factor, op=gast.Mult(), right=vector) if (
                argument not in self.temporaries
                and self.number(factor).is_scalar
                and self.number(vector).is_double
                and self.is_cheap(factor)
                and self.is_cheap(vector)
            ):
                return vector, self.copied(g, quote("{g} * {c}", g=g, c=factor))
        return argument, g

    def cast_of_real(self, e: Any) -> Any:
        """Of a complex gradient the real part counts for a real x, as in np.array([x], dtype=complex)."""
        match e:
            case gast.Call(func=gast.Name(id="$cast"), args=[g, x]):
                have, want = self.number(g).dtype, self.number(x)
                # The elements of a row look after themselves.
                if isinstance(self.kind(x), (Tup, Seq)) or want.is_complex:
                    return e
                if have is not None and have.kind != "c":
                    return e
                if want.dtype is None:
                    return gast.Call(e.func, [quote("real_like({g}, {x})", g=g, x=x), x], [])
                real = real_part(g, self.kind)
                if _has_parts_of(have, want):
                    return real
                kind = replace(self.number(g), dtype=want.dtype)
                return self.with_kind(gast.Call(e.func, [real, x], []), kind)
        return e

    def has_one_shape(self, a: Any, b: Any) -> bool:
        return same_shape(self.number(a).shape, self.number(b).shape)

    def takes_all_axes(self, callee: Callee) -> bool:
        """Whether a reduction gives one number, which broadcasts as it is."""
        axis = callee.bound.get("axis", self.default(callee))
        return literal_of(axis) is None

    def same_size(self, argument: Any) -> Any:
        """A name that has the shape of what is only counted."""
        kind = self.kind(argument)
        known = isinstance(kind, Num) and kind.array and kind.known
        if not known or self.is_cheap(argument):
            return argument
        core = self.core(argument)
        return place_of_each(core, self.kind) or self.like(core)

    def as_long(self, vector: Any) -> tuple[Any, int] | None:
        """The name of an array with an axis as long as a vector that is only counted and has no name, and that axis."""
        want = self.kind(vector)
        if not (isinstance(want, Num) and want.array and want.rank == 1) or self.is_cheap(vector):
            return None
        values = [n for n in ir.walk(vector) if type(n) is gast.Name and ir.is_value(n.id)]
        for kind in (kinds := [self.number(name) for name in values]):
            if kind.rank == 1 and kind.array and same_shape(kind.shape, want.shape):
                return None
        for name, kind in zip(values, kinds, strict=True):
            for axis, length in enumerate(kind.shape or ()):
                if kind.array and same_shape((length,), want.shape):
                    return name, axis
        return None

    def core(self, node: Any) -> Any:
        """The innermost operand of the same shape that the adjoint reads anyway."""
        callee = self.facts.callees.get(node)
        if callee is None or callee.rule is None or callee.rule.law != "elementwise":
            return node
        rule, sole = callee.rule, self.sole_operand(node)
        read = {name for text in rule.adjoints.values() for name in names_in_text(text)}
        for name, operand in callee.bound.items():
            if name not in read:
                continue
            if operand is sole or stands_for(self.kind(operand), self.result_number(node)):
                return self.core(operand)
        inner = sole if sole is None else self.core(sole)
        return node if inner is sole else inner

    def shapes_of(self, display: Any) -> Any:
        """Of a list of arrays, what has their shapes."""
        elements = [self.same_size(e) for e in display.elts]
        return gast.Tuple([self.available(e) for e in elements], gast.Load())

    def argument(self, argument: Any, default: str) -> Any:
        """What a template's parameter stands for."""
        if isinstance(argument, tuple):
            return gast.Tuple([self.available(a) for a in argument], gast.Load())
        if isinstance(argument, list):
            return gast.List([self.available(a) for a in argument], gast.Load())
        return template(default, {}) if argument is None else self.available(argument)

    def like(self, node: Any) -> Any:
        """An expression that has the shape of the value of `node`."""
        if node is not self.root and not isinstance(node, ir.Update) and self.is_cheap(node):
            return node
        want = self.result_number(node)
        for sub in ir.walk(node) if not isinstance(node, ir.Update) else ():
            if type(sub) is gast.Name and ir.is_value(sub.id):
                kind = self.facts.kinds.get(sub)
                if stands_for(kind, want):
                    return sub
        same = self.shaped_like(node)
        typed = same is not node and self.number(same).has_dtype_of(want)
        return same if typed and self.number(same).active else self.result_of(node)

    def sole_operand(self, node: Any) -> Any | None:
        """The operand that has the shape of what an elementwise operation gives: all others are scalars."""
        callee = None if isinstance(node, ir.Update) else self.facts.callees.get(node)
        if callee is None or not isinstance(callee.rule, Rule) or callee.rule.law != "elementwise":
            return None
        arrays = [a for a in callee.bound.values() if not self.is_no_array(a)]
        if len(arrays) != 1 or not isinstance(arrays[0], gast.AST):
            return None
        return arrays[0] if isinstance(self.kind(arrays[0]), Num) else None

    def is_no_array(self, argument: Any) -> bool:
        if not isinstance(argument, gast.AST):
            return False
        kind = self.kind(argument)
        return kind.array is False if isinstance(kind, Num) else isinstance(kind, Known)

    def shaped_like(self, node: Any) -> Any:
        """What is there anyway and has the shape of `node`; `node` itself where nothing is known to."""
        inner = node
        while (operand := self.sole_operand(inner)) is not None:
            inner = operand
        return inner if self.is_cheap(inner) else node

    # -- reductions

    def spread(self, g: Any, callee: Callee) -> Any:
        """Put the axes that a reduction removed back into g, so that it broadcasts against the operand."""
        have = self.number(g)
        x = next(iter(callee.bound.values()))
        axis, keepdims = (
            callee.bound.get("axis", self.default(callee)),
            callee.bound.get("keepdims"),
        )
        axis_value = literal_of(axis)
        kept = False if keepdims is None else literal_of(keepdims)
        if kept is True or axis_value is None or have.is_scalar:
            return g
        rank = self.number(x).rank
        removed = _removed(axis_value, rank) if kept is False else None
        if removed is not None and rank is not None and have.rank == rank - len(removed):
            return g if removed == list(range(len(removed))) else self.subscripted(g, removed, rank)
        e = quote(
            "spread({g}, {x}, {axis}, {keepdims})",
            g=g,
            x=self.available(x),
            axis=self.available(axis),
            keepdims=constant(False) if keepdims is None else self.available(keepdims),
        )
        # How much of the operand's shape it has is not known: what takes it on may need all of it.
        e = quote("full({e}, {x})", e=e, x=self.available(x))
        whole = self.number(x)
        return self.with_kind(e, Num(have.dtype, whole.shape, whole.array, active=True))

    def default(self, callee: Callee) -> Any:
        """The axis that a reduction takes where it is given none."""
        assert callee.rule is not None
        text = next((p.default for p in callee.rule.parameters if p.name == "axis"), None)
        return template(text or "None", {})

    def subscripted(self, g: Any, removed: Sequence[int], rank: int) -> Any:
        parts: list[Any] = [
            constant(None) if axis in removed else gast.Slice(None, None, None)
            for axis in range(rank)
        ]
        if rank > 2 and list(removed) == [rank - 1]:
            parts = [constant(Ellipsis), constant(None)]
        while isinstance(parts[-1], gast.Slice):
            parts.pop()
        e = gast.Subscript(
            g, gast.Tuple(parts, gast.Load()) if len(parts) > 1 else parts[0], gast.Load()
        )
        self.kind(e)
        return e


def _has_parts_of(have: np.dtype[Any] | None, want: Num) -> bool:
    """Whether the real parts of complex numbers of a type are of the wanted one."""
    return have is not None and np.empty(0, have).real.dtype == want.dtype


def _literals(rule: Rule, callee: Callee) -> dict[str, Any]:
    """The numbers that the call has for the names such as `N` of its rule, and for a `loc=0` or `nu=0`."""
    bound = callee.bound
    found = {name: literal_of(bound[name]) for name in rule.numbered if name in bound}
    if rule.law == "elementwise":
        for name, default in rule.flagged.items():
            given = bound.get(name)
            value = default if given is None else literal_of(given)
            if type(value) is int and value >= 0:
                found[name] = value
    return found


@functools.cache
def names_in_text(text: str) -> tuple[str, ...]:
    """The names in the template of a rule, as often as they stand there."""
    tree = ast.parse(text, mode="eval")
    return tuple(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


@functools.cache
def broadcast_names(text: str) -> frozenset[str]:
    """The names against which the value of a template is broadcast for sure: of arithmetic and ufuncs alone."""
    return frozenset(_broadcast(ast.parse(text, mode="eval").body))


def _broadcast(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Name(id=name):
            yield name
        case ast.UnaryOp(operand=operand):
            yield from _broadcast(operand)
        case ast.BinOp(op=ast.MatMult()):
            return
        case ast.BinOp(left=left, right=right):
            yield from _broadcast(left)
            yield from _broadcast(right)
        case ast.Compare(left=left, comparators=[right]):
            yield from _broadcast(left)
            yield from _broadcast(right)
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="np"), attr=attr), args=args, keywords=[]
        ) if attr == "where" or _is_elementwise(getattr(np, attr, None)):
            for argument in args:
                yield from _broadcast(argument)


def _is_elementwise(function: object) -> bool:
    return isinstance(function, np.ufunc) and function.signature is None


def _removed(axis: Any, rank: int | None) -> list[int] | None:
    """The axes that a reduction removes, where that is known."""
    if not rank or axis is ABSENT:  # a number may be summed along axis 0, of which it has none
        return None
    return sorted(a % rank for a in (axis if isinstance(axis, tuple) else (axis,)))


def spread_over(g: Any, have: Num, x: Any, want: Num) -> Any:
    """`g` in the shape of `x`, an array of the wanted kind; asks as the code runs what is not known of it."""
    if is_spread_over(g, x):
        return g
    is_array = want.known and want.rank and want.is_float and not want.optional
    loses = have.is_complex and not want.is_complex
    return quote("np.full_like({x}, {g})" if is_array and not loses else "full({g}, {x})", g=g, x=x)


def is_spread_over(e: Any, x: Any) -> bool:
    """Whether a gradient has been spread out to the shape of this value already."""
    match e:
        case (
            gast.Call(func=gast.Name(id="$full"), args=[_, other])
            | gast.Call(
                func=gast.Attribute(value=gast.Name(id="$np"), attr="full_like"), args=[other, _]
            )
        ):
            return ir.dump(other) == ir.dump(x)
    return False


def stands_for(kind: object, want: Num) -> bool:
    """Whether a differentiated array is known to have the wanted shape."""
    if not isinstance(kind, Num) or not (kind.array and kind.active):
        return False
    return same_shape(kind.shape, want.shape) and kind.is_complex == want.is_complex


def _without_item(text: str, name: str, argument: Any, k: Any) -> tuple[str, Any]:
    """`xs[:k] + xs[k + 1:]` of a display is one without its item k."""
    without = f"{name}[:k] + {name}[k + 1:]"
    if without not in text or not isinstance(k, int):
        return text, argument
    elements = argument if isinstance(argument, tuple) else getattr(argument, "elts", None)
    if elements is None or names_in_text(text).count(name) != 2 * text.count(without):
        return text, argument
    others = [e for j, e in enumerate(elements) if j != k]
    return text.replace(without, name), others
