"""The rules of what solves differential equations, made for a call as those of other functions that call one back.

The gradients follow a costate back, all together: `function` has a gradient, which those of the start, the times and the
parameters are read off. The tangent of the solution solves a system of twice the size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Equation", "of_odeint"]


@dataclass(frozen=True)
class Equation:
    """A call of a solver.

    parameters: those of the rates after state and time, `k0`, `k1`; moving: those of them that vary; options: what is
    handed on to what solves for a tangent.
    """

    parameters: Sequence[str]
    moving: Sequence[str]
    options: Sequence[str]
    time_first: bool

    @property
    def given(self) -> str:
        """What the rates take after state and time."""
        return "".join(f"{p}, " for p in self.parameters)

    @property
    def rest(self) -> str:
        return "".join(f", {name}={name}" for name in self.options)

    @property
    def slopes(self) -> str:
        return "".join(f"slope_{p}, " for p in self.moving)

    def rates(self, y: str, t: str) -> str:
        return f"rates({f'{t}, {y}' if self.time_first else f'{y}, {t}'}, {self.given})"

    def gradients(self) -> dict[str, str]:
        """The adjoints that are read off that of `function`."""
        return {
            "y0": "g_function[0]",
            **{p: f"g_function[{k}]" for k, p in enumerate(self.moving, 2)},
        }


def of_odeint(equation: Equation) -> tuple[dict[str, str], dict[str, str]]:
    """The adjoints and the tangents of `odeint(function, y0, t, args=(k0, k1))`."""
    given, rest = equation.given, equation.rest
    adjoints = {
        "function": f"odeint_adjoint(g, rates, slope, ({equation.slopes}), y0, t, ({given}){rest})",
        "t": "g_function[1]",
        **equation.gradients(),
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
