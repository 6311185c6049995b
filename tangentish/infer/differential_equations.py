"""Solutions of differential equations, `odeint(rates, y0, t, args=(k,))`, whose rates have slopes."""

from __future__ import annotations

import inspect
import types
from typing import Any

import gast
import numpy as np

from tangentish.infer.calling_back import FLOAT, NO_VECTOR, CallingBack
from tangentish.infer.facts import Callee
from tangentish.infer.known_functions import function_name, of_scipy
from tangentish.infer.literals import literal_of
from tangentish.ir.quote import quote
from tangentish.kinds import REFUSED, UNKNOWN, Kind, Num, Tup, replace
from tangentish.rules.calling_back import AS_TUPLES, Caller, CallingRule
from tangentish.rules.differential_equations import Equation, of_odeint, of_solved_ivp
from tangentish.rules.names import lookup
from tangentish.rules.own import has_own_rule
from tangentish.text.vectors import as_vector, moved_together

_ARRAY = Num(np.dtype(float), None, True)
_TIMES = {"t", "t_eval"}
_STILL = {"dense_output", "events", "vectorized"}
"""Options that may stand where they say what is so anyway."""
_MOVING = (
    "the solver's own steps move with the solution: give it t_eval=, or read its end, y[:, -1]"
)


class Solution(tuple[Any, ...]):
    """What stands for the class of what `solve_ivp` gives."""


class OwnSteps(Solution):
    """The same, at the solver's own steps."""


class DifferentialEquations(CallingBack):
    """The part of the walk that knows differential equations."""

    def called_back(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """`solve_ivp`, where something varies, as a helper that gives a tuple."""
        helper = of_scipy(AS_TUPLES, function)
        if helper is None:
            return super().called_back(function, args, keywords, node)
        kinds = [self.refreshed(self.kind(e)) for e in (*args, *keywords.values())]
        parts = keywords.get("args")
        varies = [*kinds, *map(self.kind, getattr(parts, "elts", ()))]
        if not any(kind.active for kind in varies):
            return None
        names = [name for name in inspect.signature(function).parameters if name != "options"]
        given = dict(zip(names, args, strict=False)) | keywords
        for name in _STILL & set(given):
            if literal_of(given.pop(name)) not in (None, False):
                return self.not_called(f"it is called with '{name}' here", node)

        def made() -> Any:
            first = [given[name] for name in names[:3] if name in given]
            rest = [gast.keyword(name, e) for name, e in given.items() if name not in names[:3]]
            return gast.copy_location(gast.Call(quote(helper), first, rest), node)

        new = self.facts.as_arrays[node] = self.made_once((node, *given.values()), made, node)
        return self.expression(new)

    def object_attribute(self, node: Any, base: Kind) -> Kind:
        if not (
            isinstance(base, Tup) and base.type is not None and issubclass(base.type, Solution)
        ):
            return super().object_attribute(node, base)
        if base.position(node.attr) is None:
            self.refuse("of a solution its t, y and success are followed", node)
            return REFUSED
        if base.type is OwnSteps and node.attr != "success" and node not in self.last_columns:
            self.refuse(_MOVING, node)
            return REFUSED
        return super().object_attribute(node, base)

    def with_slopes(
        self, caller: Caller, call: Callee, function: Any, given: list[Any], node: Any
    ) -> Kind:
        """The call of a solver by a rule that is made for it."""
        if not caller.solves:
            return super().with_slopes(caller, call, function, given, node)
        first, parts, bound = given
        time_first = self.takes_time_first(caller, bound)
        if time_first is None:
            return self.not_called("it is not known what its function takes first", node)
        names = [f"k{n}" for n in range(len(parts))]
        operands = {**bound, **dict(zip(names, parts, strict=True))}
        moving = [name for name in names if self.kind(operands[name]).active]
        why = self.why_not_solved(function, parts, [operands[name] for name in moving], bound)
        if why is not None:
            return self.not_called(why, node)
        vector = self.start_as_vector(call, bound, node)
        if vector is not None:
            return vector
        state = self.point(self.kind_of_unknowns(bound["y0"], node), node)
        taken = [self.time(node), state] if time_first else [state, self.time(node)]
        at = {"": taken.index(state), **{n: names.index(n) + 2 for n in moving}}
        functions = self.rates_and_slopes(caller, function, [*taken, *parts], at, node)
        if functions is None:
            return REFUSED
        options = [name for name in bound if name in caller.handed_on]
        equation = Equation(names, moving, options, time_first)
        span = operands.get("t_span")
        if isinstance(span, (gast.Tuple, gast.List)):
            operands |= dict(zip(("start", "end"), span.elts, strict=True))
            del operands["t_span"]
        known = {**operands, "function": first, "caller": node.func}
        known |= {name: self.reference(name, made, node) for name, made in functions.items()}
        if functions["rates"] is function:
            known["rates"] = first
        adjoints, tangents = of_odeint(equation) if "t" in bound else of_solved_ivp(equation, known)
        adjoints = {n: text for n, text in adjoints.items() if n in known}
        rule = CallingRule(
            "structural" if "t" in bound else "tuple", function_name(call.function), adjoints,
            tangents=tangents, given=tuple(known), slopes=tuple(functions.values()),
        )  # fmt: skip
        self.facts.callees[node] = Callee(call.function, call.args, call.keywords, rule, known)
        return self.states(bound, node) if "t" in bound else self.times_and_states(bound, node)

    def states(self, bound: dict[str, Any], node: Any) -> Kind:
        """The kind of what `odeint` gives: the states, by time first."""
        times, start = self.kind(bound["t"]), self.kind(bound["y0"])
        length = times.shape[0] if isinstance(times, Num) and times.shape else None
        places = getattr(start, "shape", None) or (None,)
        memory = self.fresh(node)
        return replace(
            _ARRAY, shape=(length, *places), active=True, buffers=memory, contiguous=True
        )

    def times_and_states(self, bound: dict[str, Any], node: Any) -> Kind:
        """The kind of what `solved_ivp` gives: the times, the states by place first, and whether it got there."""
        given = bound.get("t_eval")
        at: Kind = replace(_ARRAY, shape=(None,), active=self.kind(bound["t_span"]).active)
        if given is not None:
            at = self.kind(given)
        if isinstance(at, Num):
            at = replace(at, value=None, buffers=self.fresh(node, 1))
        length = at.shape[0] if isinstance(at, Num) and at.shape else None
        places = getattr(self.kind(bound["y0"]), "shape", None) or (None,)
        states = replace(_ARRAY, shape=(*places, length), active=True, buffers=self.fresh(node))
        cls = OwnSteps if given is None else Solution
        items = (at if isinstance(at, Num) else UNKNOWN, states, UNKNOWN)
        return Tup(items, keys=("t", "y", "success"), type=cls)

    def not_called(self, why: str, node: Any) -> Kind:
        callee = self.facts.callees[node]
        for name, helper in AS_TUPLES.items():
            if callee.function is lookup(helper):
                self.facts.callees[node] = replace(callee, function=name)
        return super().not_called(why, node)

    def takes_time_first(self, caller: Caller, bound: dict[str, Any]) -> bool | None:
        """Whether the rates take the time before the state; None where that is not known."""
        if "tfirst" not in caller.handed_on:
            return True
        found = literal_of(bound["tfirst"]) if "tfirst" in bound else False
        return found if isinstance(found, bool) else None

    def why_not_solved(
        self, function: Any, parts: list[Any], moving: list[Any], bound: dict[str, Any]
    ) -> str | None:
        """What there is about such a call that its rates' slopes can't be taken of."""
        if not isinstance(function, types.FunctionType) or has_own_rule(function):
            return "its function is not written in Python: write a lambda"
        if any(self.is_list_or_array(bound.get(name)) for name in ("rtol", "atol")):
            return "write one number as its rtol, and as its atol"
        span = bound.get("t_span")
        if (
            span is not None
            and self.kind(span).active
            and not isinstance(span, (gast.Tuple, gast.List))
        ):
            return "write its span as a tuple: (start, end)"
        if any(
            self.kind(bound[n]).active and not self.is_vector(bound[n]) for n in _TIMES & set(bound)
        ):
            return "write its times as a vector: np.array([...])"
        if "y0" not in bound or not {"t", "t_span"} & set(bound):
            return "it is not known when and where it starts"
        return self.why_not(parts, [], moving)

    def is_vector(self, e: Any) -> bool:
        kind = self.kind(e)
        return isinstance(kind, Num) and kind.rank == 1 and kind.is_float

    def time(self, node: Any) -> Any:
        """Some time at which the rates are asked for."""
        at = self.made_once((node, "time"), lambda: gast.Constant(0.5, None), node)
        self.facts.kinds[at] = FLOAT
        return at

    def rates_and_slopes(
        self, caller: Caller, function: types.FunctionType, taken: list[Any], at: dict[str, int], node: Any
    ) -> dict[str, types.FunctionType] | None:  # fmt: skip
        """The rates as a vector, their slope, and what moves them; None where they are refused.

        at: where they take the state, "", and the parameters that vary.
        """
        given_back = self.value_of(function, taken, node)
        if given_back is None:
            return None
        rates = as_vector(function, given_back, len(taken))
        if rates is None:
            self.not_called(NO_VECTOR, node)
            return None
        state, (*first, last) = at[""], at.values()
        slope = self.slope(caller, rates, last, taken, "slope", node, tuple(first))
        if slope is None:
            return None
        functions = {"rates": rates, "slope": slope}
        for name, place in at.items():
            also = (state,) if name else ()
            tangent = self.slope(caller, rates, place, taken, "tangent", node, also)
            if tangent is None:
                return None
            both = moved_together(rates, tangent, state, len(taken), place if name else None)
            functions[f"moved_{name}" if name else "moved"] = both
        return functions

    def start_as_vector(self, call: Callee, bound: dict[str, Any], node: Any) -> Kind | None:
        """The same call from a start that is an array of floats; None where it is one."""
        given = bound["y0"]
        start = self.kind(given)
        if isinstance(start, Num) and start.array is not False and start.is_float:
            why = "write its start as a vector of floats: np.array([...])"
            return None if self.is_vector(given) else self.not_called(why, node)
        text = (
            "np.array({y}, dtype=float, ndmin=1)"
            if isinstance(start, Num)
            else "np.array({y}, dtype=float)"
        )

        def made() -> Any:
            vector = quote(text, y=given)
            args = [vector if e is given else e for e in call.args]
            named = call.keywords.items()
            keywords = [gast.keyword(k, vector if e is given else e) for k, e in named]
            return gast.copy_location(gast.Call(node.func, args, keywords), node)

        new = self.facts.as_arrays[node] = self.made_once((node, "vector", given), made, node)
        return self.expression(new)
