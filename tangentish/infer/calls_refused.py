"""Calls that can't be differentiated: why, and what to write instead."""

from __future__ import annotations

import functools
import heapq
import random
from collections.abc import Mapping, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.classes_made import runs_hooks
from tangentish.infer.draws import is_generator
from tangentish.infer.known_functions import (
    DERIVATIVES,
    INSTEAD,
    REFLECTIVE,
    UnknownMethod,
    dotted_name,
    function_name,
    held_as,
    is_operator,
)
from tangentish.infer.walk import Walk
from tangentish.kinds import UNKNOWN, Known
from tangentish.language.source import Source
from tangentish.rules import RULES, reason_against, reason_against_option, select
from tangentish.rules.harmless import arguments_by_name

_HOOKS = (
    "the class that is made here runs hooks (__init_subclass__, __set_name__, a metaclass), which may change what the "
    "function reads: make it outside of the function"
)
_KEEPS = "{name} keeps what the function gave: keep it in a dict of your own, which the function asks first"

# What to write instead of a call of these.
_HEAP = "{name} keeps differentiated values in an order of its own: write xs.sort() before xs.pop(0), and append"
WAYS_AROUND: dict[Any, str] = {
    random.shuffle: "{name} moves differentiated values: shuffle their places, and read xs[k] there",
    random.sample: "draw places, {name}(range(len(xs)), n), and read xs[k] there",
    random.choices: "draw places, {name}(range(len(xs)), k=n), and read xs[k] there",
    **dict.fromkeys(
        (heapq.heapify, heapq.heappush, heapq.heappop, heapq.heappushpop, heapq.heapreplace), _HEAP
    ),
    **dict.fromkeys(
        (heapq.nsmallest, heapq.nlargest),
        "{name} puts differentiated values in order: write sorted(xs)[:n]",
    ),
    functools.reduce: "{name} is not followed here: write the loop, for x in xs: y = f(y, x)",
    functools.cache: _KEEPS,
    functools.lru_cache: _KEEPS,
    functools._lru_cache_wrapper: "{name} keeps its results (functools.lru_cache): call {name}.__wrapped__",
}

# How operators are written, where a refusal names one.
OPERATOR_SIGNS: dict[Any, str] = {"Pow": "**", "Mod": "%", "MatMult": "@"}

OF_COMPLEX = ": write it with np.real, np.imag and np.abs"

_UNKNOWN = "it is not known what '{name}' is, so that it can't be differentiated"
_REAL_OR_NOT = "it is not known whether what {name} gets is real: say so where it is made, w = np.asarray(w, float)"
_AXES = "it is not known how many axes what {name} gets here has: say it before, as in A = np.reshape(A, (m, n))"
_NO_LIST = (
    "it is not known that '{owner}' is a list here, to which what varies can be put: a call that is not followed may "
    "have changed what it was, or it is a deque that an object keeps, for which a list may stand"
)
_DEQUE = (
    "a deque of what varies is followed only under a name of the function that makes it: where an object keeps it, "
    "write a list, xs.insert(0, v) for appendleft, xs.pop(0) for popleft, and del xs[n:] for maxlen"
)
_ONE_OF = (
    "it is not known which function is called here: where they stand in a dict or list, write that as one, "
    "{key: function}"
)
_OUTSIDE = "; where it is that of an object in a list or an object of the module, make what holds it an argument"


def why_not_followed(function: Any, node: Any, source: Source) -> str | None:
    """The reason to refuse a call of Python's that reaches what no line shows; None for most."""
    if function in REFLECTIVE:
        return f"{function_name(function)} may read any variable: what it gives is not known"
    return _HOOKS if runs_hooks(function, node, source) else None


class CallsRefused(Walk):
    """The part of the walk that says why a call is refused."""

    def refuse_unknown(self, function: Any, node: Any) -> None:
        text = dotted_name(node.func)
        if is_operator(function) or self.is_derivative(node.func):
            self.refuse(
                "of derivatives inside a differentiated function only grad, value_and_grad, hvp and jvp of one "
                "function are followed: write one of these, or hand what it gives to the function",
                node,
            )
        elif isinstance(node.func, gast.Call) and (
            way := _way_around(self.called(node.func.func)[0])  # of @lru_cache(maxsize=None)
        ):
            self.refuse(way.format(name=dotted_name(node.func.func)), node)
        elif way := _way_around(function):
            self.refuse(way.format(name=text), node)
        elif isinstance(function, UnknownMethod):
            if self.raises_in_try(node, node.func):
                return
            hint = INSTEAD.get(function.name, "")
            text = f"the method .{function.name} of an array has no derivative rule{hint}"
            self.refuse(text, node)
        elif (
            callable(function)
            and (
                getattr(function, "__module__", None)
                or reason_against(function)
                or isinstance(function, np.ufunc)
            )
            and hasattr(function, "__name__")
        ):
            self.refuse_missing(function, node)
        elif isinstance(node.func, gast.Attribute) and is_generator(self.kind(node.func.value)):
            picks = node.func.attr in ("choice", "permutation", "shuffle", "permuted")
            instead = "x[rng.permutation(len(x))]" if picks else "loc + scale * rng.normal(size=n)"
            self.refuse(f"a draw that depends on a differentiated value: write {instead}", node)
        elif why := (
            _why_not_put(node.func)
            or self.reason_against_method(node.func)
            or self.reason_against_object(node.func)
        ):
            self.refuse(why, node)
        else:
            unknown = _UNKNOWN.format(name=text) if "..." not in text else _ONE_OF
            self.refuse(unknown + (_OUTSIDE if isinstance(node.func, gast.Attribute) else ""), node)

    def reason_against_method(self, func: Any) -> str | None:
        """Why a method of an object is refused, where that is known of its class or of what made it."""
        if not isinstance(func, gast.Attribute):
            return None
        kind, made = self.kind(func.value), self.facts.callees.get(func.value)
        of_class = reason_against(getattr(getattr(kind, "type", None), func.attr, None))
        why = of_class or (reason_against(made.function) if made else None)
        return why and f".{func.attr} can't be differentiated: {why}"

    def reason_against_object(self, func: Any) -> str | None:
        """Why an object that is called is refused, where that is known of its class or of what made it."""
        kind = self.kind(func)
        makers: list[Any] = [type(kind.value)] if isinstance(kind, Known) else []
        lines = ir.walk_statements(self.function.body) if isinstance(func, gast.Name) else ()
        bound = (s.value for s in lines if isinstance(s, ir.Assign) and _is_bound(s.target, func))
        made = filter(None, map(self.facts.callees.get, (func, *bound)))
        makers += [callee.function for callee in made]
        why = next(filter(None, map(reason_against, makers)), None)
        return why and f"the object that is called can't be differentiated: {why}"

    def is_derivative(self, func: Any) -> bool:
        """Whether a call is of an attribute of a decorated function, or of what an operator gives."""
        if isinstance(func, gast.Attribute):
            return func.attr in DERIVATIVES and isinstance(self.kind(func.value), Known)
        callee = self.facts.callees.get(func)
        return callee is not None and callee.user is None and is_operator(callee.function)

    def refuse_row(
        self, function: Any, rows: Any, args: Sequence[Any], keywords: Mapping[str, Any], node: Any, numbers: str
    ) -> None:  # fmt: skip
        """No rule is for these arguments: or none is found as long as it is not known how many axes they have."""
        unknown = [e for e in (*args, *keywords.values()) if self.rank(e) is None]

        def fits(axes: int) -> bool:
            def rank(e: Any) -> int | None:
                return axes if e in unknown else self.rank(e)

            found = select(rows, args, keywords, self.flag, rank, self.is_sequence, numbers)
            return found is not None

        untyped = any(
            self.kind(e) == UNKNOWN or getattr(self.kind(e), "dtype", 0) is None for e in args
        )
        named = (
            {} if isinstance(function, np.ufunc) else arguments_by_name(function, args, keywords)
        )
        option = reason_against_option(named, self.flag)
        if function not in RULES:
            self.refuse_missing(function, node, numbers)
        elif option is not None:
            self.refuse(f"{function_name(function)} can't be differentiated: {option}", node)
        elif unknown and any(map(fits, range(4))):
            self.refuse(_AXES.format(name=function_name(function)), node)
        elif untyped and not any(rule.is_for(numbers) for rule in RULES[function]):
            self.refuse(_REAL_OR_NOT.format(name=function_name(function)), node)
        else:
            self.refuse_missing(function, node, numbers)

    def method_name(self, node: Any) -> str | None:
        """`scipy.stats.nct.logpdf`, where the object of the method has a public name."""
        match node:
            case gast.Call(func=gast.Attribute(value=value, attr=attr)):
                owner = self.kind(value)
                held = held_as(owner.value) if isinstance(owner, Known) else None
                return f"{held}.{attr}" if held else None
        return None

    def refuse_missing(self, function: Any, node: Any, numbers: str = "real") -> None:
        name = OPERATOR_SIGNS.get(function, "") or self.method_name(node) or function_name(function)
        reason = reason_against(function)
        rows = [] if isinstance(function, UnknownMethod) else RULES.get(function, [])
        if numbers == "complex" and rows and not any(rule.is_for(numbers) for rule in rows):
            self.refuse(f"{name} has no derivative rule for complex numbers{OF_COMPLEX}", node)
            return
        if reason is not None:
            self.refuse(f"{name} can't be differentiated: {reason}", node)
            return
        if isinstance(function, UnknownMethod) or function not in RULES:
            whose, asked = "your own", name
            if self.method_name(node):  # such a rule would be for all objects of the class
                whose, asked = "a function of yours that calls it", "f"
            line = f'elementwise("{name}(x)", x="g * ...")'
            self.refuse(
                f"there is no derivative rule for {name}; the line that adds one: {line}, or a rule of {whose}: "
                f"@adjoint({asked})",
                node,
            )
        else:
            rows = [rule for rule in RULES[function] if rule.is_for(numbers)]
            forms = "; ".join(dict.fromkeys(rule.primal for rule in rows))
            supported = f"; supported: {forms}" if forms else ""
            self.refuse(f"{name} is not supported with these arguments{supported}", node)


def _way_around(function: Any) -> str | None:
    ways = (way for key, way in WAYS_AROUND.items() if function is key or type(function) is key)
    return next(ways, None)


def _why_not_put(func: Any) -> str | None:
    """Why a call does not put something into a list or a deque, or take it out; None of any other call."""
    match func:
        case gast.Attribute(attr="appendleft" | "extendleft" | "popleft"):
            return _DEQUE
        case gast.Attribute(value=gast.Name(id=name), attr="append" | "extend" | "insert"):
            return _NO_LIST.format(owner=ir.base_name(name))
    return None


def _is_bound(target: Any, name: Any) -> bool:
    return isinstance(target, gast.Name) and target.id == name.id
