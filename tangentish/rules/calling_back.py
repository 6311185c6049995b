"""Rules of SciPy's functions that call a function of the user's: integrals and roots.

quad(f, a, b, args=(k,))      moves by f(b, k) with b, by -f(a, k) with a, and with k by the integral of f's slope in k
brentq(f, a, b, args=(k,))    moves with k by the slope of f in k, divided by that in x, at the root
fsolve(f, x0, args=(k,))      the same of a vector: what divides is the matrix of slopes in x
odeint(f, y0, t, args=(k,))   its gradients follow a costate back; its tangent solves a system of twice the size

Such a rule is made for a call, since the slopes are functions generated for the function that is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tangentish.rules.rule import Parameter, Rule


@dataclass(frozen=True)
class Caller:
    """How a function of SciPy calls the user's.

    title: what a lambda that it is given is called.
    limits: parameters between which it integrates; none of what finds a root.
    start: parameters that only say where to look for it.
    handed_on: options that an integral of a slope takes, too; settings: other options that change no derivative.
    pair: it gives (value, error); arrays: the function, and so the value, may be an array.
    unknowns: it finds a root of several unknowns, which its function takes as a vector.
    solves: it solves a differential equation, whose rates its function gives.
    """

    title: str
    limits: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    handed_on: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    pair: bool = False
    arrays: bool = False
    unknowns: bool = False
    solves: bool = False


_BETWEEN = Caller("residual", start=("a", "b"), settings=("xtol", "rtol", "maxiter", "disp"))
CALLERS: Mapping[str, Caller] = {
    "scipy.integrate.quad": Caller(
        "integrand",
        limits=("a", "b"),
        handed_on=("epsabs", "epsrel", "limit", "points"),
        settings=("limlst", "maxp1"),
        pair=True,
    ),
    "scipy.integrate.quad_vec": Caller(
        "integrand",
        limits=("a", "b"),
        handed_on=("epsabs", "epsrel", "limit", "points", "norm", "quadrature"),
        settings=("cache_size",),
        pair=True,
        arrays=True,
    ),
    "scipy.optimize.bisect": _BETWEEN,
    "scipy.optimize.brenth": _BETWEEN,
    "scipy.optimize.brentq": _BETWEEN,
    "scipy.optimize.ridder": _BETWEEN,
    "scipy.optimize.newton": Caller(
        "residual", start=("x0", "x1"), settings=("fprime", "tol", "maxiter", "rtol", "disp")
    ),
    "scipy.optimize.fsolve": Caller(
        "residuals",
        start=("x0",),
        settings=("fprime", "col_deriv", "xtol", "maxfev", "band", "epsfcn", "factor", "diag"),
        unknowns=True,
    ),
    "scipy.integrate.odeint": Caller(
        "rates",
        start=("y0", "t"),
        handed_on=("tfirst", "rtol", "atol", "hmax", "mxstep", "tcrit"),
        settings=("ml", "mu", "h0", "hmin", "ixpr", "mxhnil", "mxordn", "mxords", "printmessg"),
        unknowns=True,
        solves=True,
    ),
    "tangentish.runtime.differential_equations.solved_ivp": Caller(
        "rates",
        start=("t_span", "y0"),
        handed_on=("method", "rtol", "atol", "max_step"),
        settings=("t_eval", "first_step"),
        unknowns=True,
        solves=True,
    ),
}

AS_TUPLES: Mapping[str, str] = {"scipy.integrate.solve_ivp": "solved_ivp"}
"""What gives an object -> the helper that calls it, and gives what counts of that as a tuple."""


@dataclass(frozen=True)
class ScalarMethod:
    """The function that `root_scalar` calls.

    takes: its own options -> that one's; needs: those that must be there; otherwise: what to do where they are not.
    """

    function: str
    takes: Mapping[str, str]
    needs: tuple[str, ...]
    otherwise: str


_OPTIONS = {"args": "args", "rtol": "rtol", "maxiter": "maxiter"}
_IN_BRACKET = {**_OPTIONS, "xtol": "xtol", "bracket": "bracket"}
_FROM_START = {**_OPTIONS, "xtol": "tol", "x0": "x0"}
SCALAR_METHODS: Mapping[str, ScalarMethod] = {
    **{
        name: ScalarMethod(
            f"scipy.optimize.{name}", _IN_BRACKET, ("bracket",), "give it a bracket=(low, high)"
        )
        for name in ("brentq", "brenth", "bisect", "ridder")
    },
    "secant": ScalarMethod(
        "scipy.optimize.newton", _FROM_START | {"x1": "x1"}, ("x0", "x1"), "give it x0 and x1"
    ),
    "newton": ScalarMethod(
        "scipy.optimize.newton",
        _FROM_START | {"fprime": "fprime"},
        ("x0", "fprime"),
        "it takes differences of its function: write method='secant' and x1=, or give it fprime=",
    ),
}


@dataclass(frozen=True, eq=False)
class CallingRule(Rule):
    """A rule for one call; `given` names its operands, functions and options."""

    given: tuple[str, ...] = ()
    slopes: tuple[Any, ...] = ()  # kept alive for as long as the rule

    __hash__ = object.__hash__

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(map(Parameter, self.given))

    @cached_property
    def names(self) -> tuple[str, ...]:
        return self.given


def integral(
    caller: Caller, parameters: Mapping[str, bool], options: Sequence[str], several: bool
) -> tuple[dict[str, str], dict[str, str]]:  # fmt: skip
    """The adjoints and the tangents; parameters: those of the function after the first -> whether it is an array.

    several: the integral is an array.
    """
    called = "".join(f", {p}" for p in parameters)
    low, high = caller.limits
    at_low, at_high = f"function({low}{called})", f"function({high}{called})"
    tangents = {low: f"-{low}_dot * {at_low}, None", high: f"{high}_dot * {at_high}, None"}
    rest = "".join(f", {name}={name}" for name in options)
    if several:
        adjoints = {low: f"-np.sum(g[0] * {at_low})", high: f"np.sum(g[0] * {at_high})"}
        args = ", ".join((*parameters, "g[0]"))
        for p in parameters:
            moved = ", ".join((*parameters, f"{p}_dot"))
            adjoints[p] = f"caller(slope_{p}, {low}, {high}, args=({args},){rest})[0]"
            tangents[p] = f"caller(tangent_{p}, {low}, {high}, args=({moved},){rest})[0], None"
        return adjoints, tangents
    adjoints = {low: f"-g[0] * {at_low}", high: f"g[0] * {at_high}"}
    args = f", args=({', '.join(parameters)},)" if parameters else ""
    for p, is_array in parameters.items():
        by = "scipy.integrate.quad_vec" if is_array and not caller.arrays else "caller"
        slope = f"{by}(slope_{p}, {low}, {high}{args}{rest})[0]"
        adjoints[p] = f"g[0] * {slope}"
        tangents[p] = f"np.sum({p}_dot * {slope}), None" if is_array else f"{p}_dot * {slope}, None"
    return adjoints, tangents


def root(caller: Caller, parameters: Mapping[str, bool]) -> tuple[dict[str, str], dict[str, str]]:
    """The same of a root, by the theorem on implicit functions.

    `function` has a gradient, too, which all others are read off: how the result moves with what the function gives.
    """
    at = ", ".join(("y", *parameters))
    adjoints, tangents = dict.fromkeys(caller.start, "0"), dict.fromkeys(caller.start, "0")
    if caller.unknowns:
        matrix = f"np.array([slope({at}, row) for row in np.eye(len(y))])"
        adjoints["function"] = f"np.linalg.solve({matrix}.T, g)"
        for p in parameters:
            adjoints[p] = f"-slope_{p}({at}, g_function)"
            tangents[p] = f"-np.linalg.solve({matrix}, tangent_{p}({at}, {p}_dot))"
        return adjoints, tangents
    adjoints["function"] = f"g / slope({at})"
    for p, is_array in parameters.items():
        adjoints[p] = f"-g_function * slope_{p}({at})"
        moved = f"np.sum({p}_dot * slope_{p}({at}))" if is_array else f"{p}_dot * slope_{p}({at})"
        tangents[p] = f"-{moved} / slope({at})"
    return adjoints, tangents
