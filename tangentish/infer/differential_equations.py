"""Solutions of differential equations, `odeint(rates, y0, t, args=(k,))`, whose rates have slopes."""

from __future__ import annotations

import types
from typing import Any

import gast
import numpy as np

from tangentish.infer.calling_back import FLOAT, NO_VECTOR, CallingBack
from tangentish.infer.facts import Callee
from tangentish.infer.known_functions import function_name
from tangentish.infer.literals import literal_of
from tangentish.ir.quote import quote
from tangentish.kinds import REFUSED, Kind, Num
from tangentish.rules.calling_back import Caller, CallingRule
from tangentish.rules.differential_equations import Equation, of_odeint
from tangentish.rules.own import has_own_rule
from tangentish.text.vectors import as_vector, moved_together

__all__ = ["DifferentialEquations"]


class DifferentialEquations(CallingBack):
    """The part of the walk that knows differential equations."""

    def with_slopes(
        self, caller: Caller, call: Callee, function: Any, given: list[Any], node: Any
    ) -> Kind:
        """The call of a solver by a rule that is made for it."""
        if not caller.solves:
            return super().with_slopes(caller, call, function, given, node)
        first, parts, bound = given
        time_first = literal_of(bound["tfirst"]) if "tfirst" in bound else False
        if not {"y0", "t"} <= set(bound) or not isinstance(time_first, bool):
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
        y0, t = self.kind(bound["y0"]), self.kind(bound["t"])
        if not (isinstance(y0, Num) and y0.rank == 1 and y0.is_float):
            return self.not_called("write its start as a vector of floats: np.array([...])", node)
        if t.active and not (isinstance(t, Num) and t.rank == 1):
            return self.not_called("write its times as a vector: np.array([...])", node)
        state = self.point(self.kind_of_unknowns(bound["y0"], node), node)
        taken = [self.time(node), state] if time_first else [state, self.time(node)]
        at = {"": taken.index(state), **{n: names.index(n) + 2 for n in moving}}
        functions = self.rates_and_slopes(caller, function, [*taken, *parts], at, node)
        if functions is None:
            return REFUSED
        options = [name for name in bound if name in caller.handed_on]
        adjoints, tangents = of_odeint(Equation(names, moving, options, time_first))
        known = {**operands, "function": first, "caller": node.func}
        known |= {name: self.reference(name, made, node) for name, made in functions.items()}
        adjoints = {n: text for n, text in adjoints.items() if n in known}
        rule = CallingRule(
            "structural", function_name(call.function), adjoints,
            tangents=tangents, given=tuple(known), slopes=tuple(functions.values()),
        )  # fmt: skip
        self.facts.callees[node] = Callee(call.function, call.args, call.keywords, rule, known)
        times = t.shape if isinstance(t, Num) and t.shape else (None,)
        shape = (*times, *(y0.shape or (None,)))
        memory = self.fresh(node)
        return Num(np.dtype(float), shape, True, active=True, buffers=memory, contiguous=True)

    def why_not_solved(
        self, function: Any, parts: list[Any], moving: list[Any], bound: dict[str, Any]
    ) -> str | None:
        """What there is about such a call that its rates' slopes can't be taken of."""
        if not isinstance(function, types.FunctionType) or has_own_rule(function):
            return "its function is not written in Python: write a lambda"
        if any(self.is_list_or_array(bound.get(name)) for name in ("rtol", "atol")):
            return "write one number as its rtol, and as its atol"
        return self.why_not(parts, [], moving)

    def time(self, node: Any) -> Any:
        """Some time at which the rates are asked for."""
        at = self.made_once((node, "time"), lambda: gast.Constant(0.5, None), node)
        self.facts.kinds[at] = FLOAT
        return at

    def rates_and_slopes(
        self, caller: Caller, function: types.FunctionType, taken: list[Any], at: dict[str, int], node: Any
    ) -> dict[str, types.FunctionType] | None:  # fmt: skip
        """The rates as a vector, their slopes, and what moves them; None where they are refused.

        at: where they take the state, "", and the parameters that vary.
        """
        given_back = self.value_of(function, taken, node)
        if given_back is None:
            return None
        rates = as_vector(function, given_back, len(taken))
        if rates is None:
            self.not_called(NO_VECTOR, node)
            return None
        functions, state = {"rates": rates}, at[""]
        for name, place in at.items():
            also = (state,) if name else ()
            slope = self.slope(caller, rates, place, taken, "slope", node)
            tangent = self.slope(caller, rates, place, taken, "tangent", node, also)
            if slope is None or tangent is None:
                return None
            both = moved_together(rates, tangent, state, len(taken), place if name else None)
            end = f"_{name}" if name else ""
            functions |= {f"slope{end}": slope, f"moved{end}": both}
        return functions

    def start_as_vector(self, call: Callee, bound: dict[str, Any], node: Any) -> Kind | None:
        """The same call from a start that is an array of floats; None where it is one."""
        given = bound["y0"]
        start = self.kind(given)
        if isinstance(start, Num) and start.array is not False and start.is_float:
            return None
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
