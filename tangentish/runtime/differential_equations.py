"""The adjoints of SciPy's solvers of differential equations: the costate, back along the path that is solved again.

y' = f(t, y, k)      costate' = -costate @ f_y, which jumps by the gradient of each value that was asked for
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

Array = Any

_MANY = 20_000
"""No more pieces than that are halved once more."""


def odeint_adjoint(
    g: Array, rates: Callable[..., Array], slope: Callable[..., Any], y0: Array, t: Array, args: tuple[Any, ...],
    tfirst: bool = False, rtol: float | None = None, atol: float | None = None, hmax: float = 0.0, **_: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """The gradients of `scipy.integrate.odeint` with respect to y0, t, and what else `slope` is a slope in."""

    def at_time(function: Callable[..., Any]) -> Callable[..., Any]:
        return function if tfirst else lambda s, y, *rest: function(y, s, *rest)

    tolerances = (1.49012e-8 if rtol is None else rtol, 1.49012e-8 if atol is None else atol)
    options = {"method": "LSODA", "max_step": hmax or np.inf}
    t = np.asarray(t)
    start = t[0] if len(t) else 0.0
    functions = at_time(rates), at_time(slope)
    dy0, dstart, dt, *rest = _walk_back(g, *functions, y0, (start, t), args, tolerances, options)
    dt[:1] += dstart
    return (dy0, dt, *rest)


def solved_ivp(
    fun: Callable[..., Any], t_span: tuple[float, float], y0: Array, method: Any = "RK45", t_eval: Any = None,
    args: tuple[Any, ...] | None = None, **options: Any,
) -> tuple[Array, Array, bool]:  # fmt: skip
    """What counts of what `scipy.integrate.solve_ivp` gives: the times, the states, and whether it got there."""
    from scipy.integrate import solve_ivp  # noqa: PLC0415 - SciPy may not be there

    found = solve_ivp(fun, t_span, y0, method, t_eval, args=args, **options)
    return found.t, found.y, found.success


def solved_ivp_adjoint(
    g: tuple[Any, ...], rates: Callable[..., Array], slope: Callable[..., Any], y0: Array, start: float, t: Array,
    args: tuple[Any, ...], method: Any = "RK45", rtol: float = 1e-3, atol: float = 1e-6, max_step: float = np.inf,
) -> tuple[Any, ...]:  # fmt: skip
    """Its gradients with respect to y0, the start, the times, and what else `slope` is a slope in."""
    dt, dy, _ = g
    options = {"method": method, "max_step": max_step}
    along = np.zeros((len(t), len(y0))) if dy is None else dy.T
    found = _walk_back(along, rates, slope, y0, (start, t), args, (rtol, atol), options)
    dy0, dstart, moved, *rest = found
    return (dy0, dstart, moved if dt is None else moved + dt, *rest)


def _walk_back(
    g: Array, rates: Callable[..., Array], slope: Callable[..., Any], y0: Array, times: tuple[float, Array],
    args: tuple[Any, ...], tolerances: tuple[float, float], options: dict[str, Any],
) -> tuple[Any, ...]:  # fmt: skip
    """What the costate gives: at the start, in its time, in the other times, and as integrals along the path.

    g: the gradients of the states at the other times; slope: of the rates, in the state and in what they take besides.
    """
    from scipy.integrate import solve_ivp  # noqa: PLC0415 - SciPy may not be there

    start, t = times
    y0, args = np.asarray(y0, float), tuple(map(_exact, args))
    rtol, atol = tolerances
    tight = min(max(rtol / 10, 1e-12), 1e-8)
    atol = atol * tight / rtol if rtol else atol / 10
    costate, dt = np.zeros(len(y0)), np.zeros(len(t))
    gradients = [np.zeros(np.shape(d)) for d in slope(start, y0, *args, costate)[1:]]
    reached = np.flatnonzero(np.any(g != 0, axis=1))
    if not len(reached):
        return (costate, 0.0, dt, *gradients)
    span = start, t[reached[-1]]
    options = options | {"rtol": tight, "dense_output": True}
    path = _solved(solve_ivp(lambda s, y: rates(s, y, *args), span, y0, atol=atol, **options))
    size = np.max(np.abs(path.y), axis=1) + atol
    size = np.where(size > 0, size, 1.0)

    def moved(s: float, v: Array) -> Array:
        return -slope(s, path.sol(s), *args, v)[0]

    for k, before in zip(reached[::-1], (*reached[-2::-1], None), strict=True):
        costate = costate + g[k]
        dt[k] = g[k] @ rates(t[k], path.sol(t[k]), *args)
        until = start if before is None else t[before]
        if until == t[k]:
            continue
        allowed = tight * np.max(np.abs(costate) * size) / size
        back = _solved(solve_ivp(moved, (t[k], until), costate, atol=allowed, **options))
        steps = np.unique(np.concatenate((path.t, back.t)))[:: 1 if until < t[k] else -1]
        edges = np.array([until, *steps[(steps - until) * (t[k] - steps) > 0], t[k]])
        if gradients:
            gained = _integral(_along(slope, path, back, args), edges, tight)
            ends = np.cumsum([gradient.size for gradient in gradients])
            for gradient, more in zip(gradients, np.split(gained, ends[:-1]), strict=True):
                gradient += more.reshape(gradient.shape)
        costate = back.y[:, -1]
    return (costate, -costate @ rates(start, y0, *args), dt, *gradients)


def _exact(x: Any) -> Any:
    """A number or array in double precision: what is rounded more is not smooth enough to be solved tightly."""
    return (
        x.astype(float) if isinstance(x, (np.ndarray, np.floating)) and x.dtype.kind == "f" else x
    )


def _along(
    slope: Callable[..., Any], path: Any, back: Any, args: tuple[Any, ...]
) -> Callable[[Array], Iterator[Array]]:
    """What moves the parameters of a slope, at one row of times after another: for each time, side by side."""

    def at(rows: Array) -> Iterator[Array]:
        times = np.ravel(rows)
        states = zip(times, path.sol(times).T, back.sol(times).T, strict=True)
        for row in rows:
            here = islice(states, len(row))
            found = [slope(s, y.copy(), *args, v.copy())[1:] for s, y, v in here]
            parts = (np.reshape(part, (len(row), -1)) for part in zip(*found, strict=True))
            yield np.concatenate([*parts], axis=1)

    return at


def _solved(solution: Any) -> Any:
    if not solution.success:
        raise RuntimeError(f"the adjoint of a differential equation: {solution.message}")
    return solution


def _integral(integrand: Callable[[Array], Iterator[Array]], edges: Array, rtol: float) -> Any:
    """The integral over pieces, which are halved until two rules agree: what no path moves by is seen, too."""
    low, high = edges[:-1], edges[1:]
    total, allowed, (places, *weights) = 0.0, None, _five_and_three()
    for _ in range(40):
        half, middle = (high - low) / 2, (high + low) / 2
        five, three = np.zeros(()), np.zeros(())
        values = integrand(middle + np.multiply.outer(places, half))
        for value, of_five, of_three in zip(values, *weights, strict=True):
            five, three = five + of_five * value, three + of_three * value
        five, three = five * half[:, None], three * half[:, None]
        apart = np.abs(five - three)
        allowed = rtol * np.sum(np.abs(five), axis=0) if allowed is None else allowed
        done = np.all(apart <= allowed, axis=1)
        total = total + np.sum(five[done], axis=0)
        five, apart, low, middle, high = (x[~done] for x in (five, apart, low, middle, high))
        if not 0 < len(low) < _MANY:
            break
        low, high = np.concatenate((low, middle)), np.concatenate((middle, high))
    if np.any(np.sum(apart, axis=0) > allowed / np.sqrt(rtol)):
        raise RuntimeError(
            "the adjoint of a differential equation: an integral along its path does not converge"
        )
    return total + np.sum(five, axis=0)


def _five_and_three() -> tuple[Array, Array, Array]:
    """The places of the rules with five and three points, which share the middle, and their weights in both."""
    (outer, five), (inner, three) = (np.polynomial.legendre.leggauss(n) for n in (5, 3))
    places = np.concatenate((outer, inner[[0, 2]]))
    return places, np.append(five, (0, 0)), np.array([0, 0, three[1], 0, 0, three[0], three[2]])
