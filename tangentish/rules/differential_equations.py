"""The rules of what solves differential equations, made for a call as those of other functions that call one back.

The gradients follow a costate back, all together: `function` has a gradient, which those of the start, the times and the
parameters are read off. The tangent of the solution solves a system of twice the size.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Equation:
    """A call of a solver.

    parameters: those of the rates after state and time, `k0`, `k1`; moving: those of them that vary; options: what is
    handed on to what solves for a tangent.
    """

    parameters: Sequence[str]
    moving: Sequence[str]
    options: Sequence[str]
    time_first: bool = True

    @property
    def given(self) -> str:
        """What the rates take after state and time."""
        return "".join(f"{p}, " for p in self.parameters)

    @property
    def rest(self) -> str:
        return "".join(f", {name}={name}" for name in self.options)

    def rates(self, y: str, t: str) -> str:
        return f"rates({f'{t}, {y}' if self.time_first else f'{y}, {t}'}, {self.given})"

    def gradients(self, times: Sequence[str]) -> dict[str, str]:
        """The adjoints that are read off that of `function`, in its order."""
        return {p: f"g_function[{k}]" for k, p in enumerate(("y0", *times, *self.moving))}


def of_odeint(equation: Equation) -> tuple[dict[str, str], dict[str, str]]:
    """The adjoints and the tangents of `odeint(function, y0, t, args=(k0, k1))`."""
    given, rest = equation.given, equation.rest
    adjoints = {
        "function": f"odeint_adjoint(g, rates, slope, y0, t, ({given}){rest})",
        **equation.gradients(["t"]),
    }

    def moved(by: str, start: str, more: str = "") -> str:
        both = f"np.concatenate((y0, {start}))"
        return f"caller({by}, {both}, t, args=({given}{more}){rest})[:, len(y0):]"

    backwards = f"-t_dot[0] * {equation.rates('y0', 't[0]')}"
    at_all = f"np.array([{equation.rates('v', 's')} for v, s in zip(y, t)])"
    tangents = {
        "y0": moved("moved", "y0_dot"),
        "t": f"t_dot[:, None] * {at_all} + {moved('moved', backwards)}",
        **{p: moved(f"moved_{p}", "np.zeros_like(y0)", f"{p}_dot,") for p in equation.moving},
    }
    return adjoints, tangents


def of_solved_ivp(
    equation: Equation, given: Collection[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The same of `solved_ivp(function, (start, end), y0, t_eval=t_eval, args=(k0, k1))`, which gives times and states.

    given: what is, `start` and `end` or `t_span` among it. Without `t_eval` the steps are the solver's own, and only the
    state at the end counts.
    """
    args, rest = equation.given, equation.rest
    start, span = ("start", "(start, end)") if "start" in given else ("t_span[0]", "t_span")
    at_end = "t_eval" not in given
    adjoints = {
        "function": f"solved_ivp_adjoint(g, rates, slope, y0, {start}, y[0], ({args}){rest})",
        **equation.gradients(["start", "t_eval"]),
        "end": "0",
    }
    if at_end:
        adjoints |= {"start": "g_function[1] + g_function[2][0]", "end": "g_function[2][-1]"}

    def moved(by: str, first: str, more: str = "") -> str:
        both = f"np.concatenate((y0, {first}))"
        return f"caller({by}, {span}, {both}, t_eval=y[0], args=({args}{more}){rest})[1][len(y0):]"

    backwards = f"-start_dot * {equation.rates('y0', 'start')}"
    along = f"np.array([{equation.rates('v', 's')} for v, s in zip(y[1].T, y[0])]).T"
    first = "start_dot * (y[0] == y[0][0])" if at_end else "None"
    tangents = {
        "y0": f"None, {moved('moved', 'y0_dot')}, None",
        "start": f"{first}, {moved('moved', backwards)}, None",
        "end": f"end_dot * (y[0] == y[0][-1]), end_dot * {along}, None" if at_end else "0",
        "t_eval": f"t_eval_dot, t_eval_dot * {along}, None",
        **{
            p: f"None, {moved(f'moved_{p}', 'np.zeros_like(y0)', f'{p}_dot,')}, None"
            for p in equation.moving
        },
    }
    return adjoints, tangents
