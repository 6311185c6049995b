"""Calls of functions that have a rule of their user's own: what they give, and which arguments they take.

What such a function does is its user's to know: its source is read, if it has one, for the kind of
its result and for what it writes to.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any, TypeGuard

import gast
import numpy as np

from tangentish import ir
from tangentish.errors import NotDifferentiable
from tangentish.infer.callee_arguments import bind_arguments, defaults_of
from tangentish.infer.facts import Callee
from tangentish.infer.spreading import has_stars
from tangentish.infer.user_calls import UserCalls
from tangentish.kinds import (
    NO_BUFFERS,
    UNKNOWN,
    Buffer,
    Kind,
    Num,
    Seq,
    Tup,
    buffers_of,
    inactive,
    is_of_argument,
    replace,
    with_parts,
)
from tangentish.kinds.elementwise_kinds import elementwise_kind, outputs_of
from tangentish.language.binding import parameter_names, starred_names
from tangentish.rules.own import OwnRule, is_declared_constant, own_rule

_IN_CONTAINERS = (
    "the rule of {title} gets the gradients of numbers and arrays, and {title} gives containers of them in a "
    "container, or by key: return them in one tuple"
)

LITERALS = (int, float, bool, str, type(None))


class OwnCalls(UserCalls):
    """The part of the walk that knows rules of the user's own."""

    def call_by_own_rule(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of a call by the user's own rule, None where there is none, or nothing varies."""
        if not self.facts.varies(*args, *keywords.values()):
            return None
        rule = own_rule(function)
        if rule is not None:
            return self.own_call(rule, args, keywords, node)
        if is_declared_constant(function):
            return inactive(self.kind_of_own(function, tuple(args), keywords, node))
        return None

    def own_call(self, rule: OwnRule, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind:
        arguments = self.arguments_of_own(rule, args, keywords, node)
        if arguments is None:
            return Num(None, None, None, active=True)
        if rule.forward is not None and not rule.saves:
            twin = self.made_once(
                (node, "forward"), lambda: _first_of(rule.twin_name, arguments, node), node
            )
            self.facts.as_arrays[node] = twin
            return self.expression(twin)
        called = rule.forward if rule.saves else rule.function
        kind = self.kind_of_own(called, arguments, {}, node)
        if not _is_in_one_tuple(kind.items[0] if rule.saves and isinstance(kind, Tup) else kind):
            self.refuse(_IN_CONTAINERS.format(title=rule.title), node)
            return Num(None, None, None, active=True)
        given = NO_BUFFERS.union(*(buffers_of(self.kind(a)) for a in arguments))
        own = self.fresh_or(given, node)
        bound = dict(zip(rule.names, arguments, strict=False))
        if rule.open_ended:
            bound |= {f"_{k}": a for k, a in enumerate(arguments[len(rule.names) :])}
        self.facts.callees[node] = Callee(called, arguments, {}, rule, bound)
        self.refuse_writing(rule, kind, arguments, node)
        return _with_residuals(kind, own) if rule.saves else active(kind)

    def arguments_of_own(
        self, rule: OwnRule, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> tuple[Any, ...] | None:
        """The arguments in the order of the parameters; None where the call was refused."""
        found = self.in_order(rule, args, keywords, node)
        if isinstance(found, str):
            self.refuse(found, node)
            return None
        for argument in found:
            kind = self.kind(argument)
            if kind.active and not isinstance(kind, Num):
                self.refuse(
                    f"the rule of {rule.title} takes arrays and numbers: give it the elements "
                    "one by one",
                    argument,
                )
                return None
        return found

    def in_order(
        self, rule: OwnRule, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> tuple[Any, ...] | str:
        if rule.saves:
            return tuple(args)  # they are in order already
        if not isinstance(rule.function, types.FunctionType):
            if keywords:
                return f"{rule.title} has a rule of its own: give its arguments by position"
            fits = len(args) >= len(rule.names) if rule.open_ended else len(args) == len(rule.names)
            return tuple(args) if fits else f"the rule of {rule.title} takes {len(rule.names)} arguments"  # fmt: skip
        bound = bind_arguments(rule.function, args, keywords)
        if isinstance(bound, str):
            return bound
        found: list[Any] = []
        for name, argument in bound.items():
            if isinstance(argument, tuple):
                found += argument
                continue
            given = self.default_of(rule.function, name, node) if argument is None else argument
            if given is None or isinstance(given, dict):
                return f"the rule of {rule.title} needs the argument '{name}' by position"
            found.append(given)
        return tuple(found)

    def default_of(self, function: types.FunctionType, name: str, node: Any) -> Any | None:
        """A default as a literal."""
        value = defaults_of(function)[name]
        if not isinstance(value, LITERALS):
            return None
        made = self.made_once((node, name, "default"), lambda: gast.Constant(value, None), node)
        self.expression(made)
        return made

    def refuse_writing(
        self, rule: OwnRule, result: Kind, arguments: Sequence[Any], node: Any
    ) -> None:
        """A rule gets arrays that others read after it."""
        kinds = [inactive(self.kind(a)) for a in arguments]
        given = [*result.items] if rule.saves and isinstance(result, Tup) else [result]
        given += [UNKNOWN] if rule.forward is not None and len(given) == 1 else []
        dots: Kind = kinds[0] if len(kinds) == 1 else Tup(tuple(kinds))
        self.refuse_writer(rule.adjoint_function, [given[0], *given, *kinds], node)
        if rule.tangent_function is not None:
            self.refuse_writer(rule.tangent_function, [dots, *given, *kinds], node)

    def refuse_writer(self, function: Any, kinds: Sequence[Kind], node: Any) -> None:
        if not isinstance(function, types.FunctionType) or starred_names(function):
            return
        still = tuple(map(inactive, kinds))
        if not all(isinstance(k, Num) or not isinstance(k, (Tup, Seq)) for k in still):
            return
        try:
            stored = self.analysed(function, still, node).stored
        except NotDifferentiable:
            return
        for k in range(len(still)):
            if any(is_of_argument(b, k) for b in stored):
                name = parameter_names(function)[k]
                self.refuse(
                    f"{function.__name__} writes to its argument '{name}', which others read: "
                    "write to a copy of it",
                    node,
                )

    # -- what the function gives

    def kind_of_own(
        self, function: Any, arguments: Sequence[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        """The kind of the result of a function that is not followed."""
        self.facts.calls_unknown = True
        kinds = tuple(inactive(self.kind(a)) for a in (*arguments, *keywords.values()))
        if isinstance(function, np.ufunc):
            if not all(isinstance(k, Num) for k in kinds):
                return self.of_unknown_memory(kinds, node)
            outputs = [elementwise_kind(one, list(kinds)) for one in outputs_of(function)]
            found = [replace(k, buffers=self.fresh(node, n)) for n, k in enumerate(outputs)]
            return found[0] if len(found) == 1 else Tup(tuple(found))
        assert self.statement is not None
        self.facts.effects.add(self.statement)
        known = self.kind_by_source(function, arguments, keywords, node)
        if known is not None:
            return known
        single, count = self.of_unknown_memory(kinds, node), self.unpacked_count(node)
        return single if count is None else Tup((single,) * count)

    def unpacked_count(self, node: Any) -> int | None:
        """Into how many names a call is unpacked where it stands; None where it is not.

        Of a function without source this alone tells that it has several results.
        """
        match self.statement:
            case ir.Assign(target=gast.Tuple() | gast.List() as target, value=value) if (
                value is node
            ):
                return None if has_stars(target) else len(target.elts)
        return None

    def kind_by_source(
        self, function: Any, arguments: Sequence[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """What the source of the function tells; None where it has none that can be read."""
        function = getattr(function, "py_func", function)  # a function that Numba compiles
        if not isinstance(function, types.FunctionType):
            return None
        bound = bind_arguments(function, list(arguments), keywords)
        if isinstance(bound, str) or any(a is None or isinstance(a, dict) for a in bound.values()):
            return None
        given = (*bound.values(),)
        single = [b for a in given for b in (a if isinstance(a, tuple) else (a,))]
        if any(isinstance(self.kind(a), (Tup, Seq)) for a in single):
            return None
        kinds = tuple(map(self.kind_at_rest, given))
        try:
            found = self.analysed(function, kinds, node)
        except NotDifferentiable:
            return None
        written = {k for k in range(len(kinds)) if any(is_of_argument(b, k) for b in found.stored)}
        for k in written:
            name = list(bound)[k]
            self.refuse(
                f"{function.__name__} writes to its argument '{name}': a rule of one's own is for "
                "a function that changes nothing",
                node,
            )
        if found.result is None or written:
            return None
        result = self.callee_result(found.result, kinds, node)
        return self.beside_arguments(result, node)

    def kind_at_rest(self, argument: Any) -> Kind:
        """The kind of an argument that counts as constant; of several the tuple that `*args` is."""
        if isinstance(argument, tuple):
            return Tup(tuple(map(self.kind_at_rest, argument)))
        return inactive(self.kind(argument))

    def beside_arguments(self, kind: Kind, node: Any) -> Kind:
        """A result that may lie in the memory of an argument is never known to be that argument."""
        match kind:
            case Num(array=True | None):
                return replace(kind, buffers=self.fresh_or(kind.buffers, node), value=None)
        return with_parts(kind, lambda part: self.beside_arguments(part, node))

    def of_unknown_memory(self, kinds: Sequence[Kind], node: Any) -> Kind:
        """A number or an array of which nothing is known; it may be an argument, or a view of one."""
        given = NO_BUFFERS.union(*map(buffers_of, kinds))
        return Num(None, None, None, buffers=self.fresh_or(given, node))


def _first_of(name: str, arguments: Sequence[Any], node: Any) -> Any:
    """f_saving(x)[0]"""
    call = gast.copy_location(gast.Call(ir.name(f"${name}"), list(arguments), []), node)
    return gast.Subscript(call, gast.Constant(0, None), gast.Load())


def _with_residuals(kind: Kind, memory: frozenset[Buffer]) -> Kind:
    """(y, residuals): what these are nobody reads but the adjoint; they may lie in any memory given."""
    first = kind.items[0] if isinstance(kind, Tup) and len(kind.items) == 2 else None
    if not _is_result(first):
        first = Num(None, None, None, buffers=memory)
    residuals = Num(np.dtype(int), None, None, buffers=memory | buffers_of(first))
    return Tup((active(first), residuals))


def _is_in_one_tuple(kind: Kind) -> bool:
    """Whether what a function gives is a number, an array, or a tuple or a list of these."""
    match kind:
        case Tup(items=items):
            whole = not (kind.is_mapping or kind.is_object)
            return whole and not any(isinstance(item, (Tup, Seq)) for item in items)
        case Seq(item=item, keyed=keyed):
            return not (keyed or isinstance(item, (Tup, Seq)))
    return True


def _is_result(kind: Kind | None) -> TypeGuard[Kind]:
    """Whether this is an array, a number or a tuple of these."""
    several = isinstance(kind, Tup) and all(isinstance(one, Num) for one in kind.items)
    return several or isinstance(kind, Num)


def active(kind: Kind) -> Kind:
    """The kind of a result that carries a derivative, where it may."""
    if isinstance(kind, Num):
        return replace(kind, active=kind.is_float)
    if isinstance(kind, Tup):
        return with_parts(kind, active)
    return Num(None, None, None, active=True)
