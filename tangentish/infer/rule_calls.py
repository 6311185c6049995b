"""Calls of functions that have rules, and attributes: which rule it is, and the kind of the result."""

from __future__ import annotations

import functools
import math
import operator
import types
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from tangentish.infer.draws import is_generator
from tangentish.infer.facts import Callee
from tangentish.infer.index_arrays import (
    are_distinct,
    count_of,
    is_index_maker,
    kind_of_indices,
    made_together,
)
from tangentish.infer.known_functions import (
    CONTIGUOUS_VIEWS,
    DERIVATIVES,
    EXACT_VIEWS,
    INSTEAD,
    MAY_VIEW,
    UnknownMethod,
    dotted_name,
    function_name,
    is_of_library,
    is_operator,
)
from tangentish.infer.literals import literal_of
from tangentish.infer.objects import is_shared, property_of
from tangentish.infer.walk import Walk
from tangentish.kinds import (
    UNKNOWN,
    Buffer,
    Kind,
    Known,
    Length,
    Num,
    Opaque,
    Seq,
    Tup,
    buffers_of,
    is_longer_than_one,
    join,
    kind_of,
    scalar,
)
from tangentish.probe import Literal, elementwise_kind, probe_kind
from tangentish.rules import (
    ATTRIBUTES,
    CONSTANT,
    CONSTRUCTORS,
    METHODS,
    RULES,
    reason_against,
    select,
)
from tangentish.rules.rule import ABSENT
from tangentish.sharing_probe import may_share

__all__ = ["RuleCalls"]

# What to write instead of a call of these.
WAYS_AROUND: dict[Any, str] = {
    functools.partial: "{name} of differentiated values is not supported yet: write lambda x: f(a, x)",
    functools._lru_cache_wrapper: "{name} keeps its results (functools.lru_cache): call {name}.__wrapped__",
}

# The parameters of rules that decide which axes a result has.
AXES = {"axis", "keepdims"}


class RuleCalls(Walk):
    """The part of the walk that applies rules."""

    def match_rule(
        self,
        function: Any,
        args: Sequence[Any],
        keywords: dict[str, Any],
        node: Any,
        key: Any = None,
    ) -> bool:
        found = select(function, args, keywords, self.flag, self.rank, self.is_sequence)
        if found is None and isinstance(function, np.ufunc) and "where" in keywords:
            self.refuse("without out=, what where= leaves out is undefined: give out=", node)
            return False
        if found is None:
            self.refuse_missing(function, node)
            return False
        rule, bound = found
        bound |= {name: self.written_out(bound[name]) for name in AXES & bound.keys()}
        self.facts.callees[key or node] = Callee(function, tuple(args), keywords, rule, bound)
        for name, argument in bound.items():
            if name in rule.operands:
                continue
            parts = argument if isinstance(argument, tuple) else (argument,)
            if any(self.kind(part).active for part in parts):
                self.refuse(f"there is no derivative with respect to '{name}' here", node)
        return True

    def refuse_unknown(self, function: Any, node: Any) -> None:
        text = dotted_name(node.func)
        if is_operator(function) or self.is_derivative(node.func):
            self.refuse(
                "derivatives inside a differentiated function are not supported yet: hand what they give "
                "to the function, or use grad(grad(f)), hvp or hessian",
                node,
            )
        elif way := _way_around(function):
            self.refuse(way.format(name=text), node)
        elif isinstance(function, UnknownMethod):
            hint = INSTEAD.get(function.name, "")
            text = f"the method .{function.name} of an array has no derivative rule{hint}"
            self.refuse(text, node)
        elif (
            callable(function)
            and getattr(function, "__module__", None)
            and hasattr(function, "__name__")
        ):
            self.refuse_missing(function, node)
        elif isinstance(node.func, gast.Attribute) and is_generator(self.kind(node.func.value)):
            picks = node.func.attr in ("choice", "permutation", "shuffle", "permuted")
            instead = "x[rng.permutation(len(x))]" if picks else "loc + scale * rng.normal(size=n)"
            self.refuse(f"a draw that depends on a differentiated value: write {instead}", node)
        else:
            self.refuse(
                f"it is not known what '{text}' is, so that it can't be differentiated", node
            )

    def is_derivative(self, func: Any) -> bool:
        """Whether a call is of an attribute of a decorated function, or of what an operator gives."""
        if isinstance(func, gast.Attribute):
            return func.attr in DERIVATIVES and isinstance(self.kind(func.value), Known)
        callee = self.facts.callees.get(func)
        return callee is not None and is_operator(callee.function)

    def refuse_missing(self, function: Any, node: Any) -> None:
        name = function_name(function)
        reason = reason_against(function)
        if reason is not None:
            self.refuse(f"{name} can't be differentiated: {reason}", node)
            return
        if isinstance(function, str) or function not in RULES:
            self.refuse(
                f"there is no derivative rule for {name}; the line that adds one: "
                f'elementwise("{name}(x)", x="g * ..."), or a rule of your own: '
                f"@adjoint({name})",
                node,
            )
        else:
            forms = "; ".join(dict.fromkeys(rule.primal for rule in RULES[function]))
            self.refuse(f"{name} is not supported with these arguments; supported: {forms}", node)

    def rule_call(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        kinds = {a: self.kind(a) for a in (*args, *keywords.values())}
        if any(k.active for k in kinds.values()):
            for argument in kinds:
                self.check_type(argument)
        kind = self.result_kind(function, args, keywords)
        active = any(k.active for k in kinds.values())
        active = active and function not in CONSTANT and function not in CONSTRUCTORS
        if active and not _may_be_float(kind):
            active = False
        if active and isinstance(kind, Num) and kind.dtype is not None and kind.dtype.kind == "c":
            self.refuse("complex values are not supported yet", node)
        constant: frozenset[int] = frozenset()
        if active and self.match_rule(function, args, keywords, node):
            rule = self.facts.callees[node].rule
            constant = rule.constant_results if rule is not None else frozenset()
        if isinstance(kind, (Known, Opaque)) and active:
            kind = Num(None, None, None)
        shared = self.shared_memory(function, args, keywords)
        callee = Callee(function, tuple(args), keywords)
        found = self.with_buffers(kind, callee, active, shared, node)
        return _without_derivatives(found, constant) if isinstance(found, Tup) else found

    def shared_memory(
        self, function: Any, args: list[Any], keywords: dict[str, Any]
    ) -> frozenset[Buffer]:
        """The memory that the result may lie in, as far as it is not new."""
        named = {k: self.argument(a) for k, a in keywords.items()}
        places = may_share(function, [self.argument(a) for a in args], named)
        if places is None:
            places = frozenset(range(len(args)) if function in MAY_VIEW else ())
        sources = [args[k] for k in places]
        if not args and function in MAY_VIEW:  # given by name
            sources = list(keywords.values())
        return frozenset().union(*(buffers_of(self.kind(a)) for a in sources))

    def with_buffers(
        self, kind: Kind, callee: Callee, active: bool, shared: frozenset[Buffer], node: Any
    ) -> Kind:
        match kind:
            case Num():
                kinds = list(map(self.kind, callee.args))
                arrays = [k for k in kinds if isinstance(k, Num) and k.array is not False]
                return replace(
                    kind,
                    active=active and kind.is_float,
                    buffers=self.buffers_of_result(kind, callee, shared, node),
                    contiguous=kind.contiguous and all(k.contiguous for k in arrays),
                    distinct=kind.distinct or are_distinct(callee.function, kinds, kind),
                    value=kind.value
                    if kind.array
                    else count_of(callee.function, kinds) or kind.value,
                )
            case Tup(items=items, is_list=is_list):
                parts = tuple(
                    self.with_buffers(item, callee, active, shared, node) for item in items
                )
                return Tup(parts, is_list)
        return kind

    def buffers_of_result(
        self, kind: Num, callee: Callee, shared: frozenset[Buffer], node: Any
    ) -> frozenset[Buffer]:
        if kind.array is False:
            return frozenset()
        new = self.fresh(node)
        return shared if self.is_exact_view(callee, kind) else new | shared

    def is_exact_view(self, callee: Callee, result: Num) -> bool:
        """Whether the result is a view of the first argument for sure."""
        function, args = callee.function, callee.args
        if function in EXACT_VIEWS:
            return True
        plain = not callee.keywords and len(args) == (2 if function is np.reshape else 1)
        kind = self.kind(args[0]) if args else None
        if not plain or not isinstance(kind, Num):
            return False
        if function in (np.asarray, np.asanyarray):
            return kind.array is True
        if function is np.diag:
            return kind.rank == 2
        if function is np.reshape and result.rank == kind.rank == 1:
            return True
        return function in CONTIGUOUS_VIEWS and kind.contiguous and bool(kind.shape)

    # -- kinds of results

    def result_kind(self, function: Any, args: list[Any], keywords: dict[str, Any]) -> Kind:
        listed = [k for k in map(self.kind, args[:1]) if isinstance(k, Seq)]
        if listed:
            return self.kind_of_joined(function, listed[0], args, keywords)
        kinds = [self.kind(a) for a in args]
        chosen = _one_of(kinds) if function in (max, min) and not keywords else None
        return chosen or self.kind_by_law(function, args, keywords, kinds)

    def kind_by_law(
        self, function: Any, args: list[Any], keywords: dict[str, Any], kinds: list[Kind]
    ) -> Kind:
        law = RULES[function][0].law if function in RULES else None
        if is_index_maker(function, len(args)) and not keywords:
            return kind_of_indices(function, kinds) or UNKNOWN
        if law == "elementwise" and not keywords and all(isinstance(k, Num) for k in kinds):
            return elementwise_kind(function, kinds)
        if function is np.r_:
            return Num(None, (None,), True)
        if (
            function in (np.shape, np.ndim, np.size)
            and len(args) == 1
            and isinstance(kinds[0], Num)
        ):
            attribute = gast.Attribute(args[0], function.__name__, gast.Load())
            return self.array_attribute(attribute, kinds[0])
        if function is np.broadcast_to and len(args) == 2:
            kind = self.reshaped(kinds[0], args[1])
            return replace(kind, contiguous=False) if isinstance(kind, Num) else kind
        if (
            law == "reduction"
            and not isinstance(getattr(function, "__self__", None), np.ufunc)  # reduces axis 0
            and len(args) == 1
            and not keywords
            and isinstance(kinds[0], Num)
            and not kinds[0].known
        ):
            scalar_kind = probe_kind(function, [Num(kinds[0].dtype, (1,), True)], {})
            return scalar_kind if isinstance(scalar_kind, Num) else Num(None, (), False)
        if function is np.squeeze and len(args) == 1 and not keywords and _may_lose_axes(kinds[0]):
            return Num(getattr(kinds[0], "dtype", None), None, True)
        if function is np.reshape and len(args) == 2 and not keywords:
            return self.reshaped(kinds[0], args[1])
        arguments = [self.argument(a) for a in args]
        named = {k: self.argument(a) for k, a in keywords.items()}
        probed = probe_kind(function, arguments, named)
        if probed is UNKNOWN:
            return _least_known(function, any(k.active for k in kinds))
        return made_together(function, probed)

    def kind_of_joined(
        self, function: Any, listed: Seq, args: list[Any], keywords: dict[str, Any]
    ) -> Kind:
        """The kind of what is made of a list of unknown length: as of a list of two, that length taken off."""
        item = listed.item
        if function in (sum, math.fsum) and isinstance(item, Num):
            total = elementwise_kind(operator.add, [scalar(int), item])
            narrow = item.dtype is not None and item.dtype != np.dtype(float) and not item.weak
            # of none it is 0, which is no float32
            if narrow and item.is_scalar and isinstance(total, Num):
                return replace(total, dtype=None)
            return total
        stacks = function in (np.array, np.asarray, np.stack) and len(args) == 1 and not keywords
        if stacks and isinstance(item, Num) and item.array is not None and item.shape is not None:
            return Num(item.dtype, (listed.length, *item.shape), True, contiguous=True)
        pair = Tup((item or UNKNOWN,) * 2, is_list=True)
        others = [self.argument(a) for a in args[1:]]
        named = {k: self.argument(a) for k, a in keywords.items()}
        kind = probe_kind(function, [pair, *others], named)
        if isinstance(kind, Num) and kind.shape is not None:
            return replace(kind, shape=(None,) * len(kind.shape))
        return Num(None, None, None)

    def reshaped(self, base: Kind, shape: Any) -> Num | Opaque:
        """The kind of np.reshape(x, shape)."""
        wanted = self.kind(shape)
        parts = wanted.items if isinstance(wanted, Tup) else (wanted,)
        if not isinstance(base, Num) or not all(isinstance(p, Num) and p.is_scalar for p in parts):
            return Num(base.dtype, None, None) if isinstance(base, Num) else UNKNOWN
        lengths = tuple(p.value for p in parts if isinstance(p, Num))
        if base.rank == 1 and len(lengths) == 1 and lengths[0] is None and base.shape is not None:
            literal = literal_of(shape.elts[0] if isinstance(shape, gast.Tuple) else shape)
            lengths = base.shape if literal == -1 else lengths
        return Num(base.dtype, lengths, True, contiguous=base.contiguous)

    def argument(self, node: Any) -> Kind | Literal:
        value = self.literal(node)
        return self.kind(node) if value is ABSENT else Literal(value)

    def literal(self, node: Any) -> object:
        """The value of a literal, or of a name that is known to stand for one."""
        match self.kind(node) if isinstance(node, gast.Name) else None:
            case Num(literal=int(axis)):
                return axis
        return self.flag(node)

    def flag(self, node: Any) -> object:
        """The value of a literal, or of a name that is known to be true or false."""
        match self.kind(node) if isinstance(node, gast.Name) else None:
            case Known(value=bool(flag)):
                return flag
        return literal_of(node)

    def written_out(self, node: Any) -> Any:
        """The literal that a name stands for."""
        value = self.literal(node)
        if value is ABSENT or not isinstance(node, gast.Name):
            return node
        literal = gast.copy_location(gast.Constant(value, None), node)
        self.facts.kinds[literal] = self.kind(node)
        return literal

    def length(self, kind: Kind) -> Kind:
        match kind:
            case Num(shape=shape) if shape and kind.array:
                return _scalar_length(shape[0])
            case Tup(items=items):
                return Num(np.dtype(int), (), False, weak=True, value=len(items))
            case Seq(length=length):
                return _scalar_length(length)
        return scalar(int)

    # -- attributes

    def attribute(self, node: Any) -> Kind:
        if node.attr in ("shape", "ndim", "size", "dtype") and isinstance(node.value, gast.Name):
            base = self.shape_only(node.value)
        else:
            base = self.expression(node.value)
        if isinstance(base, Num):
            return self.array_attribute(node, base)
        if isinstance(base, Known) and isinstance(base.value, (types.ModuleType, type)):
            try:
                value = getattr(base.value, node.attr)
            except AttributeError:
                return UNKNOWN
            if not is_of_library(base.value):
                self.facts.attributes[id(base.value), node.attr] = base.value, node.attr, value
            return kind_of(getattr(value, "__tangentish__", value))
        if isinstance(base, Known) and callable(base.value) and node.attr == "__wrapped__":
            return kind_of(getattr(base.value, node.attr, None))
        if isinstance(base, Known) and _has_functions(base.value):
            return Known(getattr(base.value, node.attr, None))
        return self.object_attribute(node, base)

    def object_attribute(self, node: Any, base: Kind) -> Kind:
        """What an object holds, a property of it, or what its class holds."""
        if isinstance(base, Tup) and not base.is_mapping:
            position = base.position(node.attr)
            if position is not None:
                return base.items[position]
        getter = property_of(base, node.attr)
        if getter is not None:
            return self.property_value(getter, node)
        if is_shared(base, node.attr):
            return Num(None, None, None)
        if base.active:
            self.refuse(f"the attribute .{node.attr} is not supported here", node)
        return UNKNOWN

    def property_value(self, getter: types.FunctionType, node: Any) -> Kind:
        raise NotImplementedError

    def array_attribute(self, node: Any, base: Num) -> Kind:
        match node.attr:
            case "shape" if base.known and base.shape is not None:
                return Tup(tuple(_scalar_length(n) for n in base.shape))
            case "ndim" if base.rank is not None:
                return Num(np.dtype(int), (), False, weak=True, value=base.rank)
            case "size" if base.rank == 1 and base.shape:
                return _scalar_length(base.shape[0])
            case "size":
                return Num(np.dtype(int), (), False, weak=True)
            case "dtype":
                return UNKNOWN if base.dtype is None else Known(base.dtype)
        if ATTRIBUTES.get(node.attr):
            return self.rule_call(METHODS[node.attr], [node.value], {}, node)
        if base.active and node.attr not in ATTRIBUTES:
            hint = INSTEAD.get(node.attr, "")
            self.refuse(f"the attribute .{node.attr} has no derivative rule{hint}", node)
        return UNKNOWN


def _way_around(function: Any) -> str | None:
    ways = (way for key, way in WAYS_AROUND.items() if function is key or type(function) is key)
    return next(ways, None)


def _least_known(function: Any, active: bool) -> Kind:
    """The kind of a result of which the arguments tell nothing."""
    if active and function not in CONSTANT:
        return Num(None, None, None)
    if function in (np.array, np.asarray):
        return Num(None, None, True)
    return scalar(function) if function in (int, bool) else UNKNOWN


def _without_derivatives(results: Tup, constant: frozenset[int]) -> Tup:
    """Several results, of which some are constant."""
    items = tuple(
        replace(item, active=False) if isinstance(item, Num) and k in constant else item
        for k, item in enumerate(results.items)
    )
    return replace(results, items=items)


def _has_functions(value: object) -> bool:
    """np.add has .reduce, scipy.stats.norm has .logpdf"""
    return isinstance(value, np.ufunc) or type(value).__module__.startswith("scipy.stats.")


def _may_lose_axes(kind: Kind) -> bool:
    """Whether it depends on lengths that are not known how many axes np.squeeze takes away."""
    return isinstance(kind, Num) and any(
        n != 1 and not is_longer_than_one(n) for n in kind.shape or ()
    )


def _may_be_float(kind: Kind) -> bool:
    """Whether there is anything in a result that may carry a derivative."""
    match kind:
        case Num():
            return kind.is_float
        case Tup(items=items):
            return any(map(_may_be_float, items))
    return True


def _one_of(kinds: list[Kind]) -> Kind | None:
    """The kind of one of several numbers, or of the elements of a list: an integer among floats counts as one."""
    if len(kinds) == 1 and isinstance(kinds[0], Tup):
        kinds = list(kinds[0].items)
    elif len(kinds) == 1:
        return None
    if not kinds or not all(isinstance(kind, Num) and kind.is_scalar for kind in kinds):
        return None
    return functools.reduce(join, kinds)


def _scalar_length(length: Length) -> Num:
    return Num(np.dtype(int), (), False, weak=True, value=length)
