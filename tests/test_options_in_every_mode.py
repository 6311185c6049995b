"""Options of NumPy's and SciPy's functions: those that leave the numbers as they are, and those that change them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.signal
import scipy.special
import scipy.stats
from every_mode import check_along, check_refused, kept_in, named
from numeric import numeric_gradient
from numpy.polynomial import chebyshev, legendre, polynomial

from tangentish import grad, value_and_grad

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def how_results_lie(x):
    m = np.full((4, 4), x[0], order="F") + np.add(
        x, x[::-1], order="K", casting="safe", subok=False
    )
    y = np.asarray(x, copy=True)
    y[1:] *= np.array(x, ndmin=1, order="C", like=None)[:-1]
    return np.sum(np.ravel(m)[::3] ** 2) * np.sum(np.sort(y, stable=True) * np.sin(x))


@form
def defaults_that_are_named(x):
    coefficients = np.polyfit(np.arange(4.0), x, 2, full=False, cov=False)
    u, s, vt = np.linalg.svd(np.outer(x, x) + np.diag([1.0, 2.0, 3.0, 4.0]), True, True, False)
    return np.sum(coefficients**2) * s[0] + np.trace(np.outer(x, np.sin(x)), 0, 0, 1, None, None)


@form
def bases_of_powers(x):
    rows = np.logspace(x[1], x[0], 3, base=np.array([2.0, 3.0, x.size]))
    return np.sum(np.logspace(0.5, x[0], 4, base=2 + x[2] ** 2) ** 2) + np.sum(rows**2)


@form
def put_along_one_of_three_axes(x):
    y = np.outer(x, x).reshape(2, 2, 4) ** 2
    np.put_along_axis(y, np.argsort(y, axis=1)[:, :1], x, axis=1)
    np.put_along_axis(y, np.array([[[0, 2]]]), y[:, :, :1] * x[0], -1)
    return np.sum(np.sin(y))


@form
def dtypes_of_results(x):
    joined = np.concatenate([x, x**2], dtype=np.float64) * np.linspace(x[0], x[1], 8, dtype=float)
    stacked = np.stack([x, np.cos(x)], dtype=float, casting="same_kind")
    return (
        np.sum(joined**2)
        + np.nansum(stacked**3, dtype=float)
        + np.add.reduce(stacked[0], dtype=float) ** 2
    )


@form
def grids_of_floats(x):
    times = np.arange(0, 2 * x[3] + 0.05, x[0] / 2, dtype=np.float64)
    from_there = np.arange(start=x[1], stop=4.2, step=x[2], dtype=float)
    whole = np.arange(x[1], 4.0, dtype=int)
    return np.sum(np.sin(times)) * np.sum(from_there**2) + np.sum(whole * x[0])


@form
def places_and_the_step_between(x):
    t, h = np.linspace(x[0], x[1], 5, retstep=True)
    s, k = np.linspace(0.0, x[2], num=4, endpoint=False, retstep=True)
    return np.sum(np.sin(t)) * h + np.sum(s**2) * k**2


@form
def copies_of_another_type(x):
    whole = np.asarray(x * 3, int, copy=True)
    return np.sum(whole * x) + np.sum(np.asanyarray(x * x, float, copy=True) ** 2)


@form
def at_least_so_many_axes(x):
    row = np.array(x, copy=False, ndmin=2, order="C")
    made = np.array([x[0], x[1] * x[2]], ndmin=1)
    held = np.array(x * x, float, copy=None, subok=False, ndmin=1)
    held[1:] *= made[1]
    return np.sum(row.T @ row) * np.sum(made**2) + np.sum(held * x)


@form
def outer_of_any_function(x):
    far = np.hypot.outer(x, x[:3] + 1)
    most = np.maximum.outer(x, 0.5)
    cube = np.logaddexp.outer(np.outer(x, x), x)
    return np.sum(np.sin(far)) + np.sum(most**2) * np.sum(cube**2) + np.power.outer(x[0] + 1, x) @ x


@form
def vectors_along_axes_of_their_own(x):
    m = np.outer(x[:3], np.sin(x[1:])) + np.arange(9.0).reshape(3, 3)
    one = np.cross(m, m @ m, axisa=0)
    return (
        np.sum(one**2)
        + np.sum(np.cross(m, m**2, 0, 1) * m)
        + np.sum(np.cross(m, m.T, axisa=0, axisb=0, axisc=0))
        + np.sum(np.cross(m, m * m, axisa=0, axisb=1, axisc=0) * m)
        + np.sum(np.cross(m, m**3, -1, -1, 0, None) * m)
        + np.sum(np.cross(m, m @ m, 1, 1, 1, axis=0) * m)
        + np.sum(np.cross(np.stack((m, m**2)), x[1:], axisa=1, axisc=-2) * m)
    )


@form
def reductions_of_ufuncs(x):
    m = np.outer(x, np.cos(x))
    some = m > 0.2
    return (
        np.sum(np.add.reduce(m, axis=1, initial=x[0], where=some) ** 2)
        + np.sum(np.multiply.reduce(m, initial=x[1], keepdims=True) * x)
        + np.sum(np.maximum.reduce(m, axis=1, initial=x[2], where=some) ** 2)
    )


@form
def without_nan_of_some(x):
    m = np.outer(x, np.cos(x))
    m[1, 2] = np.nan
    some = np.ones((4, 4), bool)
    some[0, 1] = False
    total = np.nansum(m, axis=0, initial=x[0], where=some) @ x + np.nanmean(m, where=some) ** 2
    return total + np.sum(np.nanmax(m, axis=1, initial=x[3]) ** 2) * np.nanvar(
        m, where=some, ddof=1
    )


@form
def filtered_in_pieces(x):
    b, a = np.array([0.3, 0.2]), np.array([1.0, -0.4])
    state = x[:1] ** 2
    total = 0.0
    for k in range(0, 4, 2):
        piece, state = scipy.signal.lfilter(b, a, x[k : k + 2], zi=state)
        total += np.sum(np.sin(piece))
    return total + state[0] ** 2


@form
def signs_beside_logarithms(x):
    value, sign = scipy.special.logsumexp(x, b=np.array([1.0, -0.3, 0.5, 0.2]), return_sign=True)
    return sign * value**2


@form
def columns_in_an_order(x):
    m = np.outer(x[:3], np.sin(x[1:])) + np.diag([2.0, 5.0, 3.0])
    q, r, order = scipy.linalg.qr(m, mode="economic", pivoting=True, check_finite=False)
    return np.sum(np.abs(r) * np.arange(9.0).reshape(3, 3)[order])


@form
def soft_maxima_that_run_on(x):
    m = np.outer(x, np.sin(x)) * 3
    m[0, 1:3] = -np.inf
    total = np.sum(np.exp(np.logaddexp.accumulate(m, axis=1)) * m[1]) * np.logaddexp2.reduce(x)
    some = np.logaddexp2.reduce(m, axis=1, initial=x[1], where=m > 0.2)
    return total + np.sum(np.logaddexp2.accumulate(x) ** 2) + np.sum(some**2)


@form
def casts_of_real_numbers(x):
    y = np.multiply(x, np.sin(x), casting="unsafe", dtype=np.float64)
    whole = np.add(x, 3.2, casting="unsafe", dtype=int)
    joined = np.concatenate([x, whole], casting="unsafe", dtype=float)
    return np.sum(y**2) * np.sum(joined**2) + np.sum(np.exp(x, casting="unsafe") * whole)


@form
def products_along_axes_of_their_own(x):
    m = np.outer(x, np.sin(x)) + np.arange(16.0).reshape(4, 4) / 9
    cube = np.multiply.outer(m, x[:3])
    a = np.matmul(m, m**2, axes=[(0, 1), (1, 0), (1, 0)])
    b = np.matmul(cube, np.cos(cube), axes=[(0, 2), (-1, 0), (0, 1)])
    c = np.matmul(m, x, axes=[(1, 0), (0,), -1]) @ np.matmul(x, m, axes=[0, (0, 1), 0])
    d = np.vecdot(m, cube[:, :, 1], axes=[0, 0, ()]) @ x
    return np.sum(a * m) + np.sum(b**2) + c * d + np.matmul(x, x**2, axes=[0, 0, ()])


@form
def items_that_are_counted(x):
    a = np.fromiter((v * v for v in x), float, count=3)
    b = np.fromiter((np.sin(v) for v in x), dtype=float, count=len(x))
    c = np.fromiter((x[k] * k for k in range(3)), float, 3)
    d, cubes = np.fromiter([v + 1 for v in x], float, -1), x**3
    return a @ c + b @ d * np.fromiter(cubes, float, count=4)[1]


@form
def edges_by_what_is_found_there(x):
    m = np.outer(x, np.sin(3 * x))
    a = np.pad(m, ((1, 2), (0, 1)), mode="maximum") * np.pad(
        m**2, ((0, 3), (1, 0)), "minimum", stat_length=2
    )
    b = np.pad(m, (2, 1), mode="median", stat_length=((2, 3), (1, 4)))
    c = np.pad(m, 1, mode="mean", stat_length=2)
    return np.sum(a) + np.sum(b**2) * np.sum(c**3)


@form
def edges_that_are_turned(x):
    m = np.outer(x, np.sin(3 * x))
    a = np.pad(m, ((1, 2), (0, 9)), mode="reflect", reflect_type="odd")
    b = np.pad(x, 5, mode="symmetric", reflect_type="odd")
    return np.sum(a**2) + np.sum(b**3) * np.sum(np.pad(x, 2, "reflect", reflect_type="even"))


@form
def polynomials_from_elsewhere(x):
    slopes = chebyshev.chebder(x, 2, 1.5) @ x[:2] + np.sum(polynomial.polyder(x, scl=2.0) ** 2)
    areas = legendre.legint(x, 2, k=[0.3, -0.1], lbnd=0.4, scl=1.5)
    return slopes * np.sum(areas**2) + np.sum(legendre.legval(np.sin(x), x, tensor=False) ** 2)


@form
def types_of_what_runs_on(x):
    m = np.outer(x, np.sin(x))
    a = np.cumulative_prod(m, axis=1, dtype=float, include_initial=True)
    b = np.cumulative_sum(x, dtype=np.float64) * np.cumulative_sum(x, include_initial=True)[1:]
    total = np.linalg.trace(m, offset=1, dtype=float) * np.sum(np.asarray_chkfinite(x, float) ** 2)
    return np.sum(a**2) + total * np.sum(b) + np.sum(np.cross(x[:3], m[0, 1:], axis=None) ** 2)


@form
def shape_that_is_copied(x):
    y = x * x
    z = np.reshape(y, (2, 2), copy=True)
    z *= x[0]  # y stays
    return np.sum(y) * np.sum(np.sin(z) * y.reshape(2, 2, order="F", copy=True))


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize("f", FUNCTIONS, ids=named)
def test_every_mode(f: Callable[..., Any]) -> None:
    check_along(f, np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -1.0, 0.4, 2.0]))


@pytest.mark.parametrize("places", [0, 1, 2, 5])
@pytest.mark.parametrize("endpoint", [True, False])
def test_the_step_between_any_number_of_places(places: int, endpoint: bool) -> None:
    """Where there is none NumPy gives nan."""
    f = step_to_the_end if endpoint else step_before_the_end
    x = np.array([0.7, 0.4, 0.9])
    value, gradient = value_and_grad(f)(x, places)
    np.testing.assert_allclose(value, f(x, places))
    np.testing.assert_allclose(gradient, numeric_gradient(f, (x, places), 0, 1.0), 1e-6)


def step_to_the_end(x, n):
    t, h = np.linspace(x[0], x[1], n, retstep=True)
    return np.sum(t) + (1.0 if np.isnan(h) else 5.0) * x[2]


def step_before_the_end(x, n):
    t, h = np.linspace(x[0], x[1], n, endpoint=False, retstep=True)
    return np.sum(t) + (1.0 if np.isnan(h) else 5.0) * x[2]


def real_part_by_a_cast(x):
    return np.sum(np.multiply(x, 1j * x, casting="unsafe", dtype=float))


def axes_by_a_name(x):
    axes = [(0, 1), (1, 0), (0, 1)]
    return np.sum(np.matmul(x, x, axes=axes))


def result_along_a_computed_axis(x):
    return np.sum(np.cross(x, x**2, axisc=len(x) - 3))


def moments_of_several_orders(x):
    return np.sum(scipy.stats.moment(x, np.array([1, 2, 3])))


def places_by_an_iterator(x):
    """What is written twice must not take twice."""
    rows = iter([0, 1, 2])
    t, h = np.linspace(x[next(rows), 0], x[next(rows), 1], 4, retstep=True)
    return np.sum(t**2) * h


REFUSED = [
    real_part_by_a_cast,
    axes_by_a_name,
    result_along_a_computed_axis,
    moments_of_several_orders,
    places_by_an_iterator,
]


@pytest.mark.parametrize("f", REFUSED, ids=named)
def test_other_options(f: Callable[..., Any]) -> None:
    check_refused(f, "not supported with these arguments", np.arange(9.0).reshape(3, 3))


def test_a_shape_that_must_not_be_copied() -> None:
    check_refused(
        lambda x: np.sum(x.reshape(9, copy=False)), "leave the option away", np.ones((3, 3))
    )


def more_than_there_are(x):
    return np.sum(np.fromiter((v * v for v in x), float, count=4))


def as_many_as_are_known_late(x, n):
    return np.sum(np.fromiter((v * v for v in x), float, count=n))


def test_fewer_items_than_are_counted() -> None:
    for f in (more_than_there_are, grad(more_than_there_are)):
        with pytest.raises(ValueError):  # noqa: PT011 - NumPy's two have texts of their own
            f(np.ones(3))
    check_refused(lambda x: as_many_as_are_known_late(x, 2), "how many are taken", np.ones(3))
