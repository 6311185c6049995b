"""Calls of functions that have rules, and attributes: which rule it is, and the kind of the result."""

from __future__ import annotations

import itertools
import math
import types
from collections.abc import Mapping, Sequence
from typing import Any

import gast
import numpy as np

from tangentish.infer.asked_operands import AskedOperands
from tangentish.infer.changes import CHANGING_ARRAYS
from tangentish.infer.facts import Callee
from tangentish.infer.hidden_objects import HiddenObjects
from tangentish.infer.index_arrays import are_distinct, count_of, says_places
from tangentish.infer.inherited import Inherited
from tangentish.infer.interpolants import method_of_interpolant
from tangentish.infer.known_functions import (
    CONTIGUOUS_VIEWS,
    EXACT_VIEWS,
    INSTEAD,
    MAY_VIEW,
    function_name,
    is_of_library,
    is_of_numpy,
    may_not_copy,
)
from tangentish.infer.layouts import gives_c_order
from tangentish.infer.made_anew import copies_of
from tangentish.infer.made_like import without_like
from tangentish.infer.modules_that_answer import ModulesThatAnswer
from tangentish.infer.none_given import NoneGiven
from tangentish.infer.objects import is_shared, property_of
from tangentish.infer.one_of_several import CHOOSING, differ_too_much
from tangentish.infer.orders import Orders
from tangentish.infer.perhaps_integers import PERHAPS_INTEGERS, made_of_perhaps_integers
from tangentish.infer.result_kinds import TAKING_ANYTHING, ResultKinds, numbers_of, scalar_length
from tangentish.infer.set_outside import is_attribute_set
from tangentish.infer.slice_lengths import shape_of
from tangentish.infer.sparse import UNKNOWN_MATRIX, SparseMatrices, takes_sparse
from tangentish.infer.splits import SPLITS, goes_back
from tangentish.infer.told_by_places import as_its_places
from tangentish.kinds import (
    REFUSED,
    UNKNOWN,
    Buffer,
    Kind,
    Known,
    Num,
    Opaque,
    Seq,
    Sparse,
    Tup,
    buffers_of,
    is_array,
    is_number,
    is_unknown,
    replace,
    scalar,
    with_parts,
)
from tangentish.kinds.arrays_outside import are_arrays_changed, holds_arrays
from tangentish.kinds.classes import is_as_a_module, member_of
from tangentish.kinds.enums import is_integer_enum
from tangentish.kinds.joins import as_sequence
from tangentish.kinds.kinds_of_values import kind_of, undecorated
from tangentish.kinds.sharing_probe import may_share
from tangentish.kinds.unlike_records import held_under
from tangentish.language.lifted import Instance
from tangentish.rules import (
    ATTRIBUTES,
    CONSTANT,
    CONSTRUCTORS,
    METHODS,
    RULES,
    Rule,
    reason_against_parameter,
    reason_if_varying,
    select,
)
from tangentish.runtime import copy_shared, plain

# The parameters of rules that decide which axes a result has.
AXES = {"axis", "keepdims"}

_OF_TWO = "write a loop that compares two at a time"
_GOES_BACK = (
    "the indices of this split go back, so that parts overlap: write each as a slice, x[:3], x[1:]"
)
_NOTHING = object()
_NAMED = ": give what the call gives a name first"
_WRAPPED = ("__wrapped__", "pyfunc")  # of a decorated function, and of one of np.vectorize


class RuleCalls(
    ResultKinds, AskedOperands, HiddenObjects, Orders, Inherited, SparseMatrices, NoneGiven, ModulesThatAnswer,
):  # fmt: skip
    """The part of the walk that applies rules."""

    def match_rule(
        self,
        function: Any,
        args: Sequence[Any],
        keywords: dict[str, Any],
        node: Any,
        key: Any = None,
        numbers: str = "real",
    ) -> bool:
        rows = self.function_with_rows(function, args, keywords)
        found = select(rows, args, keywords, self.flag, self.rank, self.is_sequence, numbers)
        if found is None and isinstance(function, np.ufunc) and "where" in keywords:
            self.refuse("without out=, what where= leaves out is undefined: give out=", node)
            return False
        if found is None:
            self.refuse_row(function, rows, args, keywords, node, numbers)
            return False
        rule, bound = found
        if self.refuse_none_given(function, rows, args, keywords, node, numbers):
            return False
        for name in AXES:
            if name in bound:
                bound[name] = self.written_out(_as_tuple(bound[name]))
        asked = bound.get("dtype")
        if asked is not None and self.flag(asked) is not None and self.dtype_of(asked) is None:
            rule = rule.of_any_dtype
        self.facts.callees[key or node] = Callee(function, tuple(args), keywords, rule, bound)
        for name, argument in bound.items():
            if name in rule.operands:
                continue
            parts = argument if isinstance(argument, tuple) else (argument,)
            if self.facts.varies(*parts):
                self.refuse(reason_against_parameter(function, name), node)
        self.ask_operands(rule, bound)
        self.check_like_floats(function, bound, node)
        return True

    def rule_call(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        keywords = without_like(function, keywords)
        kinds = {a: self.kind(a) for a in (*args, *keywords.values())}
        if any(k.active for k in kinds.values()) and function not in TAKING_ANYTHING:
            self.check_types(function, kinds)
        if function is plain and not kinds[args[0]].active:
            self.facts.asks = True
            return self.kind_of_asked(node)
        if function is copy_shared:
            return self.copies(args, node)
        kind = self.result_kind(function, args, keywords)
        numbers = numbers_of(function, kind, kinds.values())
        active = any(k.active for k in kinds.values())
        still = function in CONSTANT and not (numbers == "complex" and function in RULES)
        if active and (why := reason_if_varying(function)):
            self.refuse(f"{function_name(function)} can't be differentiated: {why}", node)
        active = active and not still and (function not in CONSTRUCTORS or function in RULES)
        if active:
            self.check_holds_numbers(kind, node)
            self.check_of_one_shape(function, kind, (*args, *keywords.values()), node)
        if active and (node in self.cancelled or not _may_be_float(kind)):
            active = False
        if numbers == "complex":
            kind = self.with_known_numbers(kind, function, args, keywords, node, active)
        constant: frozenset[int] = frozenset()
        if active and self.match_rule(function, args, keywords, node, numbers=numbers):
            rule = self.facts.callees[node].rule
            constant = rule.constant_results if rule is not None else frozenset()
            kind = self.results_of(rule, kind, function, node, numbers)
        if isinstance(kind, (Known, Opaque)) and active:
            kind = Num(None, None, None)
        shared = self.shared_memory(function, args, keywords)
        callee = Callee(function, tuple(args), keywords)
        found = self.with_buffers(kind, callee, active, shared, node)
        found = _without_derivatives(found, constant) if isinstance(found, Tup) else found
        found = _given_by(function, found)
        named = {name: kinds[e] for name, e in keywords.items()}
        found = made_of_perhaps_integers(found, function, [kinds[a] for a in args], named)
        return self.list_of_parts(found, function, node)

    def copies(self, args: list[Any], node: Any) -> Kind:
        """What is saved for an adjoint is copied as it is, lists too."""
        place, kinds = itertools.count(), list(map(self.kind, args))
        found = copies_of(kinds, lambda: self.fresh(node, next(place)))
        memory = (
            (buffers_of(old), buffers_of(new)) for old, new in zip(kinds, found.items, strict=True)
        )
        self.facts.copied.append(tuple(memory))
        if found.active:
            self.match_rule(copy_shared, args, {}, node)
        return found

    def results_of(
        self, rule: Rule | None, kind: Kind, function: Any, node: Any, numbers: str
    ) -> Kind:
        """The kind of what a row is for: of one result, or of several, though no trial told how many there are."""
        if rule is None or (rule.law == "tuple") == isinstance(kind, (Tup, Seq)):
            return kind
        if isinstance(kind, Tup):
            self.refuse_missing(function, node, numbers)
        elif rule.results is not None:
            return Tup((Num(None, None, None),) * rule.results)
        elif rule.law == "tuple":
            text = f"{function_name(function)}: it is not known how many values this gives here"
            self.refuse(text, node)
            return REFUSED
        return kind

    def check_types(self, function: Any, kinds: Mapping[Any, Kind]) -> None:
        for argument, kind in kinds.items():
            if kind.__class__ is Num:
                self.check_type(argument)
            elif not says_places(function, kind):
                self.check_type_of_object(function, argument, kind)

    def check_type_of_object(self, function: Any, argument: Any, kind: Kind) -> None:
        """What calls of interpolants and their slopes get is the object itself, next to the places."""
        sparse = takes_sparse(function)
        if sparse and is_unknown(kind):
            self.refuse(UNKNOWN_MATRIX, argument)
        elif method_of_interpolant(kind) is None and not (sparse and isinstance(kind, Sparse)):
            self.check_type(argument)

    def check_of_one_shape(self, function: Any, kind: Kind, args: Sequence[Any], node: Any) -> None:
        """math.prod of numbers, or of arrays, and max and min of more than two: not of both."""
        kinds = list(map(self.kind, args))
        if function in CHOOSING and differ_too_much(kinds):
            self.refuse(f"{function.__name__} of numbers and arrays: {_OF_TWO}", node)
        if function is not math.prod or not (isinstance(kind, Num) and kind.array):
            return
        parts = [p for k in kinds for p in (k.items if isinstance(k, Tup) else (k,))]
        if any(map(is_number, parts)) or len(args) > 1:
            self.refuse("math.prod of numbers and arrays: write a loop that multiplies", node)

    def check_like_floats(self, function: Any, bound: Mapping[str, Any], node: Any) -> None:
        """np.full_like(n, v) of an array of integers is one of integers."""
        like = self.kind(bound["x"]) if function is np.full_like and "dtype" not in bound else None
        perhaps = getattr(like, "dtype", None) is None or getattr(like, "or_int", False)
        if like is not None and not like.active and perhaps:
            self.refuse(PERHAPS_INTEGERS, node)

    def list_of_parts(self, kind: Kind, function: Any, node: Any) -> Kind:
        """What np.split gives: parts that are told apart, or a list of as many as it may be."""
        if function not in SPLITS:
            return kind
        self.kept.append(node)
        callee = self.facts.callees.get(node)
        if kind.active and callee is not None and goes_back(callee, self.facts):
            self.refuse(_GOES_BACK, node)
        if isinstance(kind, Tup):
            kind = replace(kind, is_list=True, sites=frozenset({id(node)}))
            kind = as_sequence(kind) if id(node) in self.dynamic else kind
        return replace(kind, buffers=self.fresh(node)) if isinstance(kind, Seq) else kind

    def shared_memory(
        self, function: Any, args: list[Any], keywords: dict[str, Any]
    ) -> frozenset[Buffer]:
        """The memory that the result may lie in, as far as it is not new."""
        if args and isinstance(function, np.ufunc) and function is not np.conj:
            return frozenset()
        named = {k: self.argument(a) for k, a in keywords.items()}
        everywhere = frozenset(range(len(args)))
        places: frozenset[int] | None = everywhere
        if function not in CHOOSING:
            places = may_share(function, [self.argument(a) for a in args], named)
        if places is None:
            places = everywhere if function in MAY_VIEW else frozenset()
        sources = [args[k] for k in places]
        if not args and function in MAY_VIEW:  # given by name
            sources = list(keywords.values())
        if function in (sum, math.prod) and not self.holds_something(args[0]):
            sources = [*args[1:], *keywords.values()]  # where it starts, as it is
        return frozenset().union(*(buffers_of(self.kind(a)) for a in sources))

    def holds_something(self, node: Any) -> bool:
        """Whether a list is known not to be empty."""
        kind = self.kind(node)
        return isinstance(kind, Tup) and bool(kind.items)

    def with_buffers(
        self, kind: Kind, callee: Callee, active: bool, shared: frozenset[Buffer], node: Any, result: int = 0,
    ) -> Kind:  # fmt: skip
        """The kind of a result, or of one of several, each with memory of its own."""
        match kind:
            case Num():
                kinds = list(map(self.kind, callee.args))
                kind = as_its_places(callee.function, kinds, kind)
                return replace(
                    kind,
                    active=active and kind.is_float,
                    buffers=self.buffers_of_result(kind, callee, shared, node, result),
                    shape=shape_of(callee.function, kinds, kind),
                    contiguous=kind.contiguous and gives_c_order(callee.function, kinds),
                    distinct=kind.distinct or are_distinct(callee.function, kinds, kind),
                    value=kind.value
                    if kind.array
                    else count_of(callee.function, kinds) or kind.value,
                )
            case Tup(items=items):
                together = any(isinstance(part, Num) and part.part for part in items)
                numbered = [(0 if together else k, part) for k, part in enumerate(items)]
                parts = [
                    self.with_buffers(part, callee, active, shared, node, k) for k, part in numbered
                ]
                return replace(kind, items=tuple(parts))
        return with_parts(kind, lambda item: self.with_buffers(item, callee, active, shared, node))

    def buffers_of_result(
        self, kind: Num, callee: Callee, shared: frozenset[Buffer], node: Any, result: int
    ) -> frozenset[Buffer]:
        if kind.array is False and not (self.device and callee.function in CHOOSING):
            return frozenset()
        exact = self.is_exact_view(callee, kind)
        memory = shared if exact else self.fresh_or(shared, node, result)
        unknown = any(is_unknown(self.kind(a)) for a in callee.args[:1])
        if unknown and (callee.function in (np.asarray, np.asanyarray) or may_not_copy(node)):
            self.facts.outside |= memory  # it may be an array that others hold
        return memory

    def is_exact_view(self, callee: Callee, result: Num) -> bool:
        """Whether the result is a view of the first argument for sure."""
        function, args = callee.function, callee.args
        kind = self.kind(args[0]) if args else None
        if function in EXACT_VIEWS:  # what is made of a number or of a list is a new array
            return is_array(kind)
        plain = not callee.keywords and len(args) == (2 if function is np.reshape else 1)
        if not plain or not isinstance(kind, Num):
            return False
        if function in (np.asarray, np.asanyarray):
            return kind.array is True
        if function is np.diag:
            return kind.rank == 2
        if function is np.reshape and result.rank == kind.rank == 1:
            return True
        return function in CONTIGUOUS_VIEWS and kind.contiguous and bool(kind.shape)

    # -- attributes

    def attribute(self, node: Any) -> Kind:
        found = self.attribute_of_call(node)
        if found is not None:
            return found
        if node.attr in ("shape", "ndim", "size", "dtype") and isinstance(node.value, gast.Name):
            base = self.shape_only(node.value)
        else:
            base = self.expression(node.value)
        if isinstance(base, Num):
            return self.array_attribute(node, base)
        taken = self.sparse_attribute(node, base) or self.derivative_attribute(node, base)
        if taken is not None:
            return taken
        if isinstance(base, Known) and _gives_members(base.value):
            self.check_asked_of_module(base.value, node.attr, node)
            try:
                value = getattr(base.value, node.attr)
            except AttributeError:
                return UNKNOWN
            if not is_of_library(base.value):
                self.elsewhere.add((id(vars(base.value)), node.attr))
                self.attributes[id(base.value), node.attr] = base.value, node.attr, value
            return self.still(kind_of(undecorated(value)))
        if isinstance(base, Known) and callable(base.value) and node.attr in _WRAPPED:
            return kind_of(getattr(base.value, node.attr, None))
        if isinstance(base, Known) and _has_functions(base.value):
            return self.held_with_functions(getattr(base.value, node.attr, None))
        return self.object_attribute(node, base)

    def attribute_of_call(self, node: Any) -> Kind | None:
        """`super().name`, `np.broadcast(x, y).shape`"""
        inherited = self.inherited_property(node)
        if inherited is not None:
            return self.property_value(*inherited, node)
        return self.shape_of_several(node)

    def held_with_functions(self, held: object) -> Kind:
        """A function that another holds, the parameters of a distribution, or the kind of a dtype."""
        if isinstance(held, (np.ndarray, tuple, dict, str)):
            return self.still(kind_of(held))
        return Known(held) if callable(held) else UNKNOWN

    def object_attribute(self, node: Any, base: Kind) -> Kind:
        """What an object holds, a property of it, or what its class holds."""
        if isinstance(base, Tup) and not base.is_mapping:
            position = base.position(node.attr)
            if position is not None:
                return base.items[position]
            if node.attr == "__class__" and base.is_object and base.active:
                return self.class_asked_for(base, node) or self.attribute_missing(node, base)
        getter = property_of(base, node.attr)
        if getter is not None:
            self.note_member(getattr(base, "type", None), node.attr)
            return self.property_value(getter, node.value, node)
        if isinstance(base, Opaque) and (held := self.part_outside(base, node.attr)) is not None:
            number = is_number(held)
            return (number and self.value_outside(node)) or held
        if is_shared(base, node.attr):
            cls = getattr(base, "type", None)
            value = getattr(cls, node.attr)
            self.note_member(cls, node.attr)
            return self.still(kind_of(value))
        if node.attr == "value" and is_integer_enum(base):
            return scalar(int)
        if base.active:
            return self.attribute_missing(node, base)
        return self.value_outside(node) or UNKNOWN

    def part_outside(self, base: Opaque, name: str) -> Kind | None:
        """What an object outside holds, as far as that is looked up, and where nothing sets that attribute."""
        held = base.part(name) if base.parts else None
        if held is not None and is_unknown(base):
            return held_under(base, name)
        if held is None or (holds_arrays(held) and are_arrays_changed(self.rebound)):
            return None
        return None if is_attribute_set(base.type, name, self.rebound) else held

    def attribute_missing(self, node: Any, base: Kind) -> Kind:
        """What neither an object nor its class has raises; of what else there is nothing is known."""
        known = isinstance(base, Tup) and base.is_object and not base.is_closed
        cls = getattr(base, "type", None) if known else None
        found, hint = None, "" if known or not isinstance(node.value, Instance) else _NAMED
        if cls is not None and member_of(cls, node.attr, _NOTHING) is _NOTHING:
            text = f"'{cls.__name__}' object has no attribute '{node.attr}'"
            found = self.raises_here(node, "AttributeError", text)
        if found is None and not (base.active and self.raises_in_try(node, node)):
            self.refuse(f"the attribute .{node.attr} is not supported here{hint}", node)
        return found or UNKNOWN

    def array_attribute(self, node: Any, base: Num) -> Kind:
        match node.attr:
            case "shape" if base.known and base.shape is not None:
                return Tup(tuple(scalar_length(n) for n in base.shape))
            case "ndim" if base.rank is not None:
                return Num(np.dtype(int), (), False, weak=True, value=base.rank)
            case "size" if base.rank == 1 and base.shape:
                return scalar_length(base.shape[0])
            case "size":
                return scalar(int)
            case "dtype":
                return UNKNOWN if base.dtype is None or base.or_int else Known(base.dtype)
            case "flat":
                if not base.active:
                    return Opaque(np.flatiter, buffers=base.buffers)
                return self.read_flat(node)  # of numbers, too
        if ATTRIBUTES.get(node.attr):
            return self.rule_call(METHODS[node.attr], [node.value], {}, node)
        return self.other_attribute(node, base)

    def other_attribute(self, node: Any, base: Num) -> Kind:
        if node.attr in CHANGING_ARRAYS:
            self.refuse(f"what becomes of this method is not known: call .{node.attr} here", node)
        if base.active and node.attr not in ATTRIBUTES and not self.raises_in_try(node, node):
            hint = INSTEAD.get(node.attr, "")
            self.refuse(f"the attribute .{node.attr} has no derivative rule{hint}", node)
        return UNKNOWN


def _as_tuple(axis: Any) -> Any:
    """`axis=[0, 1]`, as np.average and np.median take it, as a tuple, which all others take, too."""
    return gast.Tuple(axis.elts, gast.Load()) if isinstance(axis, gast.List) else axis


def _given_by(function: Any, kind: Kind) -> Kind:
    """What NumPy gives is a number or an array, though no more is known of it."""
    unknown = isinstance(kind, Num) and kind.shape is None
    return replace(kind, computed=is_of_numpy(function)) if unknown else kind


def _without_derivatives(results: Tup, constant: frozenset[int]) -> Tup:
    """Several results, of which some are constant."""
    items = tuple(
        replace(item, active=False) if isinstance(item, Num) and k in constant else item
        for k, item in enumerate(results.items)
    )
    return replace(results, items=items)


def _gives_members(value: object) -> bool:
    return isinstance(value, (types.ModuleType, type)) or is_as_a_module(value)


def _has_functions(value: object) -> bool:
    """np.add has .reduce, scipy.stats.norm has .logpdf, a dtype has .type"""
    return isinstance(value, (np.ufunc, np.dtype)) or type(value).__module__.startswith(
        "scipy.stats."
    )


def _may_be_float(kind: Kind) -> bool:
    """Whether there is anything in a result that may carry a derivative."""
    match kind:
        case Num():
            return kind.is_float
        case Tup(items=items):
            return any(map(_may_be_float, items))
    return True
