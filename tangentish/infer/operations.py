"""Operators: arithmetic, comparisons, `and` and `or`."""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

import gast
import numpy as np

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer.asked_of_arrays import AskedOfArrays
from tangentish.infer.index_arrays import stay_distinct
from tangentish.infer.known_functions import CONSTANT_OPERATORS, OPERATORS
from tangentish.infer.literals import literal_of
from tangentish.infer.own_operators import has_own
from tangentish.infer.perhaps_integers import computed_with_perhaps_integers
from tangentish.infer.result_kinds import numbers_among
from tangentish.infer.sparse import SparseMatrices, as_long_as_operand, is_sparse, sparse_result
from tangentish.infer.texts import READ_OF_TEXT, is_filled_with_what_varies
from tangentish.infer.told_by_tests import ToldByTests
from tangentish.ir.quote import quote
from tangentish.kinds import (
    REFUSED,
    TEXT_THAT_VARIES,
    UNKNOWN,
    Fun,
    Kind,
    Known,
    Num,
    OneOf,
    Opaque,
    Seq,
    Taken,
    Tup,
    has_complex,
    is_array,
    replace,
    scalar,
)
from tangentish.kinds.elementwise_kinds import elementwise_kind
from tangentish.kinds.enums import as_number, is_number_enum
from tangentish.kinds.lengths import Dim, Length, difference, length_plus, quotient
from tangentish.kinds.probe import probe_kind
from tangentish.kinds.sites import is_from_outside
from tangentish.language.changed_first import changed_in
from tangentish.language.placed import all_at
from tangentish.rules.rule import ABSENT


class Operations(AskedOfArrays, SparseMatrices, ToldByTests):
    """The part of the walk that knows operators."""

    def operation(self, op: str, operands: Sequence[Kind], nodes: Sequence[Any], node: Any) -> Kind:
        """The kind of an operator's result; `node` is an expression or an update."""
        active = any(k.active for k in operands)
        operands = self.as_numbers(operands, nodes) if active else operands
        if all(type(k) is Num for k in operands):
            return self.operation_of_numbers(op, operands, nodes, node)
        if is_filled_with_what_varies(operands):
            if active and op != "Mod":
                self.refuse(READ_OF_TEXT, node)
            return TEXT_THAT_VARIES
        if active and any(map(is_array, operands)) and any(map(_is_list_outside, operands)):
            return self.sequence_operation(op, operands, active, node)
        made = None if active else sparse_result(op, operands)
        if made is not None:
            return made
        if active and self.is_sparse_product(operands, node):
            kind = self.arithmetic(op, operands, nodes, node, active)
            return as_long_as_operand(kind, operands)
        if active and self.refuses_types(operands, nodes):
            return REFUSED
        operands = tuple(map(_number, operands))
        if any(isinstance(k, (Tup, Seq)) for k in operands):
            return self.sequence_operation(op, operands, active, node)
        if active and not self.raises_for_none(operands, nodes, node):
            self.check_known(operands, node)
        return self.arithmetic(op, operands, nodes, node, active)

    def refuses_types(self, operands: Sequence[Kind], nodes: Sequence[Any]) -> bool:
        """Refuse operands of other types; whether one of them is an object, of which nothing more is said."""
        for argument in nodes:
            self.check_type(argument)
        return any(isinstance(k, Tup) and k.is_object and not k.active for k in operands)

    def operation_of_numbers(
        self, op: str, operands: Sequence[Kind], nodes: Sequence[Any], node: Any
    ) -> Kind:
        """The same where all operands are numbers or arrays."""
        active = any(k.active for k in operands)
        if active:
            for argument in nodes:
                self.check_type(argument)
        return self.arithmetic(op, operands, nodes, node, active)

    def arithmetic(
        self, op: str, operands: Sequence[Kind], nodes: Sequence[Any], node: Any, active: bool
    ) -> Kind:
        kind = _arithmetic_kind(op, operands, nodes)
        if kind is None:
            return UNKNOWN
        kind = self.of_python(kind, operands, nodes) if op == "Pow" else kind
        active = active and op not in CONSTANT_OPERATORS and kind.is_float
        if active and not self.cached:  # what is generated is not pulled back itself
            self.match_operator(op, numbers_among(kind, operands), nodes, node)
        buffers = self.fresh(node) if kind.array is not False else frozenset()
        differ = isinstance(node, gast.BinOp) and stay_distinct(op, operands, kind)
        numbers = op not in _OF_LISTS or any(
            isinstance(k, Num) and k.is_number_or_array for k in operands
        )
        computed = numbers and kind.shape is None
        kind = replace(kind, active=active, buffers=buffers, distinct=differ, computed=computed)
        return computed_with_perhaps_integers(kind, op, operands)

    def as_numbers(self, operands: Sequence[Kind], nodes: Sequence[Any]) -> Sequence[Kind]:
        """The operands, those that are elements of an Enum of numbers as these."""
        for node, kind in zip(nodes, operands, strict=True):
            if is_number_enum(kind):
                self.facts.kinds[node] = as_number(kind)
        return tuple(map(as_number, operands))

    def raises_for_none(self, operands: Sequence[Kind], nodes: Sequence[Any], node: Any) -> bool:
        """Whether `x / L` raises here, where L is None: an argument left out that this way asks for."""
        others = [k for k in operands if k != Known(None)]
        numbers = all(isinstance(k, Num) and not k.or_list for k in others)
        if not (isinstance(node, gast.BinOp) and numbers and len(others) < len(operands)):
            return False
        left_out = (n for n, k in zip(nodes, operands, strict=True) if k == Known(None))
        parts = (part for operand in nodes for part in ir.walk(operand))
        if not (all(map(self.stays_none, left_out)) and all(map(self.only_computes, parts))):
            return False
        return self.raises_here(node, "TypeError", "None in arithmetic") is not None

    def stays_none(self, node: Any) -> bool:
        """Whether what is None now is so on later trips of a loop, too."""
        if not isinstance(node, gast.Name):
            return ir.is_none(node)
        is_given = node.id in self.function.parameters
        lines = ir.walk_statements(self.function.body)
        match [line for line in lines if node.id in ir.defined_names(line)]:
            case []:
                return is_given
            case [ir.Assign(gast.Name(), value)]:
                return not is_given and ir.is_none(value)
        return False

    def only_computes(self, part: Any) -> bool:
        """Whether nothing is lost where this part of an expression is not evaluated: nothing but a number."""
        if isinstance(
            part, gast.Subscript
        ):  # it may raise an IndexError, and another handler catch that
            return not any(isinstance(line, gast.Try) for line in gast.walk(self.source.tree))
        if not isinstance(part, gast.Call):
            return True
        match self.kind(part.func):
            case Known(value=function):
                plain = isinstance(function, np.ufunc) or function in vars(math).values()
                return plain and not part.keywords
        return False

    def check_known(self, operands: Sequence[Kind], node: Any) -> None:
        """It is not known what an object makes of an operator; a string only shows numbers."""
        for kind in operands:
            if isinstance(kind, Known) and not isinstance(kind.value, (str, bytes)):
                name = (
                    "None" if kind.value is None else f"a value of type {type(kind.value).__name__}"
                )
                self.refuse(f"{name} in arithmetic", node)

    def match_operator(self, op: str, numbers: str, nodes: Sequence[Any], node: Any) -> None:
        if isinstance(node, gast.AST):
            self.match_rule(op, nodes, {}, node, numbers=numbers)
        else:
            self.match_rule(op, nodes, {}, nodes[0], node, numbers)

    def sequence_operation(
        self, op: str, operands: Sequence[Kind], active: bool, node: Any
    ) -> Kind:
        first, second = (*operands, UNKNOWN)[:2]
        if op == "Add" and _is_counted(first) and _is_counted(second):
            whole = self.joined_apart(first, second, active, node)
            if whole is not None:
                return whole
        joined = self.joined_lists(op, first, second, node)
        if joined is not None:
            return joined
        if active and isinstance(node, gast.BinOp) and any(map(_takes_lists, operands)):
            return self.answered_by(node, lambda: self.lists_as_arrays(node))
        if active and isinstance(node, ir.Update) and is_array(first):
            value = self.answered_by(node.value, lambda: _as_array(ir.duplicate(node.value)))
            made = self.facts.answers[node.value]
            return self.operation(op, (first, value), (node.target, made), node)
        if active and not self.env.dead:  # after the call of a recursion that has not come back yet
            self.refuse("arithmetic with a list or tuple: make it an array first", node)
        return UNKNOWN

    def joined_apart(self, first: Tup, second: Tup, active: bool, node: Any) -> Tup | None:
        """`[a, b] + [c]`, its elements told apart; None where the list that this makes changes, or is run over."""
        if id(node) in self.dynamic:
            for kind in (first, second):
                if kind.active:
                    self.demand(kind, node)
            return None
        if active:
            self.facts.late.append(Refusal("joining tuples or lists is not supported here", node))
        self.kept.append(node)
        sites = frozenset({id(node)}) if isinstance(node, gast.BinOp) else frozenset()
        return Tup(first.items + second.items, first.is_list, sites)

    def lists_as_arrays(self, node: Any) -> Any:
        """`x * [1.0, 2.0]` as NumPy takes it: `x * np.array([1.0, 2.0])`"""
        left, right = (
            side if _takes_lists(self.kind(side)) else _as_array(side)
            for side in (node.left, node.right)
        )
        return gast.copy_location(gast.BinOp(left, node.op, right), node)

    def compare(self, node: Any) -> Kind:
        self.ask_dicts(node)
        nodes = (node.left, *node.comparators)
        for part in nodes:
            self.use_flat(part)
        kinds = list(map(self.expression, nodes))
        found = self.compared_by_methods(node, nodes)
        if found is not None:
            return found
        if len(kinds) == 2:
            for kind, part in zip(kinds, nodes, strict=True):
                if self.refuse_unsure(kind, part):
                    return REFUSED
            known = self.known_comparison(node, *kinds)
            if known is not None:
                return Known(known)
        if all(isinstance(op, (gast.Is, gast.IsNot, gast.In, gast.NotIn)) for op in node.ops):
            return scalar(bool)
        if any(isinstance(k, Num) for k in kinds) and not any(map(is_sparse, kinds)):
            kind = elementwise_kind(operator.lt, kinds[:2])
            return replace(
                kind,
                dtype=np.dtype(bool),
                buffers=self.fresh(node) if kind.array is not False else frozenset(),
            )
        return UNKNOWN

    def ask_dicts(self, node: Any) -> None:
        """`key in d`, `d is None`: a dict is asked without becoming anybody else's."""
        for op, part in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, (gast.In, gast.NotIn)):
                self.as_dict(part)
            elif isinstance(op, (gast.Is, gast.IsNot)) and ir.is_none(part):
                self.as_dict(node.left)

    def compared_by_methods(self, node: Any, nodes: Sequence[Any]) -> Kind | None:
        """The kind of a comparison that a class of the user's decides."""
        if len(nodes) == 2:
            self.contained_by_method(node)
            self.compared_with_none(node)
            found = self.operator_method(type(node.ops[0]).__name__, nodes, node)
            if found is not None:
                return found
        return REFUSED if self.refuses_own_inside(node, nodes) else None

    def known_comparison(self, node: Any, a: Kind, b: Kind) -> bool | None:
        known = _compare_known(node.ops[0], a, b)
        known = self.known_type(node) if known is None else known
        known = self.known_text(node) if known is None else known
        known = self.known_dtype(node) if known is None else known
        return self.is_one_object(node, a, b) if known is None else known

    def is_one_object(self, node: Any, a: Kind, b: Kind) -> bool | None:
        """What `a is b` says of objects that are taken apart: of two that were made apart one is not the other.

        Two arguments may be one object, so that one of them has to be made here.
        """
        op = node.ops[0]
        if not isinstance(op, (gast.Is, gast.IsNot)):
            return None
        if not (isinstance(a, Tup) and isinstance(b, Tup) and all(map(_is_taken_apart, (a, b)))):
            return None
        if self.is_one_place(node.left, node.comparators[0]):
            return isinstance(op, gast.Is)
        sites = (a.sites, b.sites)
        made_here = any(s and not any(map(is_from_outside, s)) for s in sites)
        apart = made_here and all(sites) and not a.sites & b.sites
        return isinstance(op, gast.IsNot) if apart else None

    def is_one_place(self, one: Any, other: Any) -> bool:
        """Whether two expressions, one right after the other, read the same name or element."""
        match one, other:
            case gast.Name(), gast.Name():
                return bool(one.id == other.id)
            case gast.Subscript(), gast.Subscript():
                whole = self.kind(one.value)
                listed = isinstance(whole, Tup) and not whole.is_object
                keys = literal_of(one.slice), literal_of(other.slice)
                same = keys[0] is not ABSENT and keys[0] == keys[1]
                return listed and same and self.is_one_place(one.value, other.value)
        return False

    def boolean(self, node: Any) -> Kind:
        """`a or b` is one of its operands, as it is.

        What stands there after something changed is evaluated where it stands, not written as the name that it is.
        """
        ways = [kind for kind, _ in self.ways_out(node, self.expression)]
        for operand in node.values[:-1]:
            if has_own(self.facts.kinds.get(operand, UNKNOWN), "__bool__"):
                self.refuse_own(operand, "__bool__", operand)
        kind = functools.reduce(self.met, ways)
        is_text = isinstance(kind, Known) and isinstance(kind.value, str)
        return Opaque(str) if is_text and changed_in(node) else kind

    def test(self, node: Any) -> Kind:
        """What is only asked whether it is true: which of its operands `a or b` is does not matter."""
        if not _is_logical(node):
            self.as_dict(node)
            self.expression(node)
            self.tested_for_none(node)
            self.truth_by_method(node)
            return self.kind(node)
        if not (self.cached and node in self.facts.kinds):
            truth = self.truth_of_test(node)
            self.facts.kinds[node] = scalar(bool) if truth is None else Known(truth)
        return self.facts.kinds[node]

    def truth_of_test(self, node: Any) -> bool | None:
        if isinstance(node, gast.BoolOp):
            *earlier, (_, last) = self.ways_out(node, self.test)
            stop = isinstance(
                node.op, gast.Or
            )  # what an earlier one is where it is the last to be asked
            return last if not earlier or last is stop else None
        truth = self.truth(self.test(node.operand))
        return None if truth is None else not truth

    def ways_out(
        self, node: Any, kind_of_operand: Callable[[Any], Kind]
    ) -> list[tuple[Kind, bool | None]]:
        """The kinds that `a or b` may have, and whether they are true; none of what is passed over for sure."""
        ways: list[tuple[Kind, bool | None]] = []
        stop = isinstance(node.op, gast.Or)
        first, *others = node.values
        kind = kind_of_operand(first)
        for k, other in enumerate(others, 1):
            truth = self.truth(kind)
            if truth is not (not stop):
                ways.append((kind, truth))
            if truth is stop:
                return ways  # the others are not looked at
            with self.where(*node.values[:k], hold=not stop):
                kind = kind_of_operand(other)
        return [*ways, (kind, self.truth(kind))]


def _is_logical(node: Any) -> bool:
    return isinstance(node, gast.BoolOp) or (
        isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)
    )


def _is_counted(kind: Kind) -> TypeGuard[Tup]:
    return isinstance(kind, Tup) and kind.is_counted


def _is_list_outside(kind: Kind) -> bool:
    """Whether something is a list or tuple of the module."""
    return isinstance(kind, Opaque) and kind.type in (list, tuple)


def _as_array(xs: Any) -> Any:
    return all_at(quote("np.array({xs})", xs=xs), xs)


def _number(kind: Kind) -> Kind:
    """What is known to be True or False is a number, too, where it meets others."""
    return scalar(bool) if isinstance(kind, Known) and type(kind.value) is bool else kind


_NUMBERS = frozenset((Num,))
_OF_LISTS = ("Add", "Mult")
"""What lists have, too."""


def _arithmetic_kind(op: str, operands: Sequence[Kind], nodes: Sequence[Any]) -> Num | None:
    if op == "MatMult":
        product = probe_kind(OPERATORS[op], operands, {})
        if isinstance(product, Num):
            return product
        return Num(np.dtype(complex) if any(map(has_complex, operands)) else None, None, None)
    if not {k.__class__ for k in operands} <= _NUMBERS:
        numbers = all(isinstance(k, (Num, Opaque)) for k in operands)
        if not (numbers and any(k.active or isinstance(k, Num) for k in operands)):
            return None
    kind = elementwise_kind(OPERATORS[op], operands)
    length = _length_arithmetic(op, operands)
    kind = kind if length is None else replace(kind, value=length)
    return _power_dtype(kind, nodes) if op == "Pow" else kind


def _length_arithmetic(op: str, operands: Sequence[Kind]) -> Length:
    match op, operands:
        case "Add", (Num(value=length), Num(value=int(offset))):
            return length_plus(length, offset)
        case "Add", (Num(value=int(offset)), Num(value=length)):
            return length_plus(length, offset)
        case "Sub", (Num(value=int(a)), Num(value=int(b))) if a >= b:
            return a - b
        case "Sub", (Num(value=Dim(_, 0) as length), Num(value=Dim(_, 0) as other)):
            return difference(length, other)
        case "Sub", (Num(value=Dim(("less", *_), 0) as length), Num(value=int(offset))):
            return difference(length, offset)  # it may be negative
        case "Sub", (Num(value=length), Num(value=int(offset))) if not isinstance(length, int):
            return length_plus(length, -offset)
        case "Mult", (Num(value=int(a)), Num(value=int(b))):
            return a * b
        case "FloorDiv", (Num(value=Dim(_, 0) as length), Num(value=int(parts))) if parts > 0:
            return quotient(length, parts)
    return None


def _power_dtype(kind: Num, nodes: Sequence[Any]) -> Num:
    """An int ** int is a float where the exponent is negative: not known, unless it is a literal."""
    if kind.dtype is not None and kind.dtype.kind in "iu":
        exponent = literal_of(nodes[1])
        if isinstance(exponent, int) and exponent < 0:
            return replace(kind, dtype=np.dtype(float))
    return kind


def _compare_known(op: Any, a: Kind, b: Kind) -> bool | None:
    match op, a, b:
        case gast.In() | gast.NotIn(), Known(value=str() as name), Tup(keys=keys) if b.is_mapping:
            return (name in (keys or ())) == isinstance(op, gast.In)
        case gast.In() | gast.NotIn(), Known(value=str() as name), Tup(items=items, keys=None) if (
            not b.is_list and None not in _texts(items)
        ):
            return (name in _texts(items)) == isinstance(op, gast.In)
        case gast.Is() | gast.IsNot(), _, Known(value=None):
            return _asked_for_none(op, a)
        case gast.Is() | gast.IsNot(), Known(value=None), _:  # `fn is np.subtract or fn is None`
            return _asked_for_none(op, b)
        case _, Num(value=int(x)), Num(value=int(y)) if type(op).__name__ in OPERATORS:
            return bool(OPERATORS[type(op).__name__](x, y))
        case gast.Eq() | gast.NotEq(), Known(value=str() as x), Known(value=str() as y):
            return (x == y) == isinstance(op, gast.Eq)
        case gast.Eq() | gast.NotEq(), Fun(), other if _is_no_function(other):
            return isinstance(op, gast.NotEq)  # `if f is None or f == 0:`, of a function
        case gast.Eq() | gast.NotEq(), other, Fun() if _is_no_function(other):
            return isinstance(op, gast.NotEq)
    return None


def _takes_lists(kind: Kind) -> bool:
    """Whether arithmetic with it takes lists for arrays: arrays do, and numbers of NumPy."""
    match kind:
        case Num(array=False, weak=False, or_weak=False, dtype=np.dtype(kind="f"), optional=False):
            return not kind.or_list
    return is_array(kind)


def _is_no_function(kind: Kind) -> bool:
    """Whether this is a number or a text for sure."""
    match kind:
        case Num(array=False, optional=False) | Known(value=str()):
            return True
    return False


def _is_taken_apart(kind: Kind) -> bool:
    return isinstance(kind, Tup) and (kind.is_object or kind.is_dict) and not kind.optional


def _texts(items: Sequence[Kind]) -> list[str | None]:
    """The strings that a tuple holds, None for what is none."""
    values = (k.value if isinstance(k, Known) else None for k in items)
    return [value if isinstance(value, str) else None for value in values]


def _asked_for_none(op: Any, kind: Kind) -> bool | None:
    known = _is_none(kind)
    return None if known is None else known == isinstance(op, gast.Is)


def _is_none(kind: Kind) -> bool | None:
    match kind:
        case Known(value=value):
            return value is None
        case Num(optional=True) | Seq(optional=True) | Fun(function=None, options=()):
            return None
        case Num() | Tup() | Seq() | Fun() | Taken() | OneOf() | Opaque(type=builtins.str):
            return False
    return None
