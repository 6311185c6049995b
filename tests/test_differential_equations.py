"""Solutions of differential equations, against differences of solutions that are solved tightly, and exact ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import odeint, solve_ivp

from tangentish import NotDifferentiable, grad, hvp, jacobian, jvp

TIMES = np.linspace(0.0, 3.0, 7)


def differences(f: Callable[..., Any], args: tuple[Any, ...], k: int, h: float = 1e-4) -> Any:
    """By central differences of the fourth order."""
    x = np.asarray(args[k], dtype=float)

    def at(move: Any) -> Any:
        return f(*args[:k], x + move if x.ndim else float(x + move), *args[k + 1 :])

    def slope(e: Any) -> Any:
        return (8 * (at(h * e) - at(-h * e)) - at(2 * h * e) + at(-2 * h * e)) / (12 * h)

    if not x.ndim:
        return slope(1.0)
    return np.array([slope(e) for e in np.eye(x.size)]).reshape(x.shape)


def agrees(f: Callable[..., Any], *args: Any, tolerance: float = 2e-7, h: float = 1e-4) -> None:
    """Gradients and tangents with respect to all arguments."""
    expected = [differences(f, args, k, h) for k in range(len(args))]
    gradients = grad(f, wrt=tuple(range(len(args))))(*args)
    for gradient, want in zip(gradients, expected, strict=True):
        np.testing.assert_allclose(gradient, want, rtol=tolerance, atol=tolerance)
    tangents = tuple(np.ones_like(a, dtype=float) if np.ndim(a) else 1.0 for a in args)
    moved = sum(np.sum(want) for want in expected)
    np.testing.assert_allclose(jvp(f, args, tangents)[1], moved, rtol=tolerance, atol=tolerance)


def lotka_volterra(y, t, a, b):
    hares, foxes = y
    return [a * hares - b * hares * foxes, -foxes + hares * foxes]


def hares_and_foxes(y0, a, b):
    y = odeint(lotka_volterra, y0, TIMES, args=(a, b), rtol=1e-11, atol=1e-11)
    return np.sum(y[:, 0] ** 2) + y[-1, 1]


def pendulum(angle, speed, damping, t):
    """The start is a list, what varies is captured, and the times vary."""
    rates = lambda s, y: (y[1], -np.sin(y[0]) - damping * y[1] + 0.1 * s)
    y = odeint(rates, [angle, speed], t, tfirst=True, rtol=1e-11, atol=1e-11)
    return np.sum(y[:, 0] * np.arange(1.0, len(t) + 1)) + y[2, 1]


def driven(y0, amplitude):
    """Nothing moves along the path where the amplitude is 0: only the quadrature sees what drives it."""
    rates = lambda y, t: -0.01 * y + amplitude * np.sin(40 * t) ** 2
    return odeint(rates, y0, TIMES, rtol=1e-11, atol=1e-11)[-1, 0]


def started_from_an_array(speed, k):
    """The start is written out as an array, one element of which moves."""
    y = odeint(
        lambda y, t: -k * y, np.array([1.0, speed]), np.linspace(0, 1, 4), rtol=1e-11, atol=1e-11
    )
    return np.sum(y**3)


def from_fewer(y0, w):
    """A vector of parameters, in a loop, from a start that is a number."""
    total = 0.0
    for k in range(2):
        y = odeint(
            lambda y, t, w: -y * w[k] + np.sum(w) * t,
            y0 * (k + 1),
            TIMES,
            (w,),
            rtol=1e-11,
            atol=1e-11,
        )
        total += np.sum(y)
    return total


def test_hares_and_foxes() -> None:
    agrees(hares_and_foxes, np.array([1.2, 0.7]), 1.1, 0.4)


def test_start_is_written_out_as_an_array() -> None:
    agrees(started_from_an_array, 0.7, 0.4)


def test_pendulum_and_its_times() -> None:
    agrees(pendulum, 1.3, 0.2, 0.3, TIMES + 0.5)
    agrees(pendulum, 1.3, 0.2, 0.3, TIMES[::-1].copy())


def test_what_drives_it_is_seen_where_nothing_moves() -> None:
    agrees(driven, np.array([1.0]), 0.0, h=0.5)  # it is linear; the solver's error is divided by h


def test_parameters_that_are_vectors() -> None:
    agrees(from_fewer, 0.8, np.array([0.3, 0.5, 0.2]))


def coupled(y0, a, rate, unused, shift):
    """Of several parameters one is a matrix, and one moves nothing."""
    A = a.reshape(2, 2)
    f = lambda t, y, shift: A @ y * rate + shift[:2] + unused * np.zeros(2)
    sol = solve_ivp(f, (0, 3), y0, t_eval=TIMES[1:], args=(shift,), rtol=1e-11, atol=1e-11)
    return np.sum(sol.y**2)


COUPLED = (
    np.array([1.0, 0.5]), np.array([-0.5, 0.2, 0.1, -0.3]), 0.9, 1.0, np.array([0.1, 0.2, 0.3]),
)  # fmt: skip


def test_parameters_of_several_kinds_move_together() -> None:
    agrees(coupled, *COUPLED)


def test_rates_have_one_slope_in_all_that_varies() -> None:
    text = grad(coupled, wrt=(0, 1, 2, 3, 4)).source(*COUPLED)
    assert len(re.findall(r"def \w+_grad_\w+", text)) == 1


def test_single_precision_is_not_solved_in_single_precision() -> None:
    args = (np.array([1.2, 0.7], np.float32), np.float32(1.1), np.float32(0.4))
    found = grad(hares_and_foxes, wrt=(0, 1, 2))(*args)
    exact = grad(hares_and_foxes, wrt=(0, 1, 2))(*(x.astype(float) for x in args))
    for a, b in zip(found, exact, strict=True):
        assert a.dtype == np.float32
        np.testing.assert_allclose(a, b, rtol=1e-6)


def test_no_times_move_nothing() -> None:
    f = lambda y0: np.sum(odeint(lotka_volterra, y0, np.zeros(0), args=(1.1, 0.4)))
    assert np.all(grad(f)(np.ones(2)) == 0)


def test_second_derivatives() -> None:
    y0, v = np.array([1.2, 0.7]), np.array([0.3, -1.0])
    slope = lambda s: grad(hares_and_foxes)(y0 + s * v, 1.1, 0.4)
    expected = (slope(1e-4) - slope(-1e-4)) / 2e-4
    np.testing.assert_allclose(hvp(hares_and_foxes)(y0, v, 1.1, 0.4), expected, rtol=1e-5)


def test_jacobian_is_that_of_a_linear_system() -> None:
    a = np.array([[-1.0, 0.5], [0.2, -300.0]])

    def end(y0):
        return odeint(lambda y, t: a @ y, y0, [0.0, 1.0], rtol=1e-10, atol=1e-12)[-1]

    values, vectors = np.linalg.eig(a)
    expected = vectors @ np.diag(np.exp(values)) @ np.linalg.inv(vectors)
    np.testing.assert_allclose(jacobian(end)(np.ones(2)), expected, rtol=1e-6, atol=1e-9)


def test_rates_that_jump_are_refused() -> None:
    def f(k):
        return odeint(lambda y, t: [k if y[0] < 1 else -k], [0.0], TIMES)[-1, 0]

    with pytest.raises(NotDifferentiable, match="where its rates jump"):
        grad(f)(1.0)


def oscillating(t, y, k):
    return np.array([y[1], -k * y[0]])


def at_times(y0, k):
    solution = solve_ivp(
        oscillating, (0, 3), y0, t_eval=TIMES, args=(k,), rtol=1e-11, atol=1e-11, method="DOP853"
    )
    if not solution.success:
        raise RuntimeError("the solver failed")
    times, states = solution.t, solution.y
    states[0] *= times
    return np.sum(states**2)


def at_the_end(speed, k, start, end):
    """In a loop, from a list, captured, at the solver's own steps, whose end moves."""
    total = 0.0
    for n in range(2):
        found = solve_ivp(
            lambda t, y: [y[1], -k * y[0] + np.sin(t)], (start, end + n), [1.0, speed],
            rtol=1e-11, atol=1e-11,
        )  # fmt: skip
        total += found.y[0, -1] * np.sum(found.y[:, -1]) + found.y[1][-1]
    return total


def at_times_that_move(y0, k, t):
    found = solve_ivp(lambda t, y: -k * y + t, [t[0], 5.0], y0, t_eval=t, rtol=1e-11, atol=1e-11)
    return np.sum(found.y[0] * found.t)


def test_initial_values() -> None:
    agrees(at_times, np.array([1.2, 0.7]), 1.3)
    agrees(at_the_end, 0.3, 1.3, 0.1, 2.0)
    agrees(at_times_that_move, np.array([1.2, 0.7]), 0.4, TIMES + 0.5)


def test_second_derivatives_of_initial_values() -> None:
    def f(x):
        return at_times(x[:2], x[2]) + at_the_end(x[0], x[1], x[2] - 1.2, 2 * x[1])

    x, v = np.array([1.2, 0.7, 1.3]), np.array([0.3, -1.0, 0.5])
    slope = lambda s: grad(f)(x + s * v)
    expected = (slope(1e-4) - slope(-1e-4)) / 2e-4
    np.testing.assert_allclose(hvp(f)(x, v), expected, rtol=1e-5)


def test_what_moves_with_the_solvers_own_steps_is_refused() -> None:
    def f(k):
        return np.sum(solve_ivp(oscillating, (0, 3), np.ones(2), args=(k,)).y)

    def g(k):
        found = solve_ivp(oscillating, (0, 3), np.ones(2), args=(k,), dense_output=True)
        return found.sol(1.0)[0]

    with pytest.raises(NotDifferentiable, match="the solver's own steps move"):
        grad(f)(1.0)
    with pytest.raises(NotDifferentiable, match="scipy.integrate.solve_ivp .* 'dense_output'"):
        grad(g)(1.0)
