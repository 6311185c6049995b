"""Objects of scipy.interpolate that are called: every kind of them, inside and outside of their nodes, in every mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient
from scipy import interpolate

from tangentish import NotDifferentiable, grad, hvp, jvp

NODES = np.linspace(-1.0, 3.0, 9)
HEIGHTS = np.sin(NODES) + 0.2 * NODES
INSIDE = np.array([0.73, 1.31, -0.42, 2.13])
BEYOND = np.array([0.73, 4.21, -2.42, 2.13])


def interp1d(kind: Any, **options: Any) -> Any:
    return interpolate.interp1d(NODES, HEIGHTS, kind=kind, **options)


ANYWHERE = {
    "cubic spline": interpolate.CubicSpline(NODES, HEIGHTS),
    "natural spline": interpolate.CubicSpline(NODES, HEIGHTS, bc_type="natural"),
    "monotone": interpolate.PchipInterpolator(NODES, HEIGHTS),
    "of the fifth degree": interpolate.make_interp_spline(NODES, HEIGHTS, k=5),
    "smoothing": interpolate.UnivariateSpline(NODES, HEIGHTS, s=0.01),
    "through all": interpolate.InterpolatedUnivariateSpline(NODES, HEIGHTS, k=2),
    **{f"{k}, goes on": interp1d(k, fill_value="extrapolate") for k in ("linear", "cubic", 2)},
    **{
        f"{k}, level": interp1d(k, bounds_error=False, fill_value=(0.5, 1.5))
        for k in ("linear", "quadratic", "nearest", "previous", "zero")
    },
}
ANYWHERE |= {
    "slope of a spline": ANYWHERE["cubic spline"].derivative(),
    "polynomial": np.poly1d([1, 2, -3]),
    "polynomial on a window": np.polynomial.Polynomial([1.0, 0.5, 0.3], domain=[0, 3]),
    "chebyshev": np.polynomial.Chebyshev([1.0, 0.5, 0.3, 0.2]),
}
WITHIN = {
    "akima": interpolate.Akima1DInterpolator(NODES, HEIGHTS),
    **{k: interp1d(k) for k in ("linear", "slinear", "cubic", "next")},
}
CASES = [
    *((name, f, x) for name, f in ANYWHERE.items() for x in (INSIDE, BEYOND)),
    *((name, f, INSIDE) for name, f in WITHIN.items()),
]


@pytest.mark.parametrize(("f", "x"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_every_kind(f: Any, x: Any) -> None:
    step = np.array([0.3, -1.1, 0.8, 0.4])

    def loss(x):
        y = np.sum(f(x) ** 2 * x)
        for v in x:
            y = y * 0.9 + f(v) * v
        return y

    expected = numeric_gradient(loss, [x], 0, 1.0)
    assert_close(grad(loss)(x), expected, "gradient")
    np.testing.assert_allclose(jvp(loss, (x,), (step,))[1], expected @ step, 1e-6)
    ahead, behind = (numeric_gradient(loss, [x + h * step], 0, 1.0) for h in (1e-4, -1e-4))
    np.testing.assert_allclose(hvp(loss)(x, step), (ahead - behind) / 2e-4, 1e-3, 1e-4)
    small = grad(loss)(x.astype(np.float32))
    assert small.dtype == np.float32
    np.testing.assert_allclose(small, expected, 1e-3, 1e-3)


def test_at_a_node_the_segment_on_its_right_counts() -> None:
    f = interpolate.interp1d([0.0, 1.0, 2.0], [0.0, 1.0, 5.0])
    slopes = [grad(lambda x: float(f(x)))(x) for x in (0.0, 1.0, 2.0)]
    assert slopes == [1.0, 4.0, 4.0]


def test_derivatives_and_integrals_of_them() -> None:
    spline, smooth = ANYWHERE["cubic spline"], ANYWHERE["smoothing"]
    chebyshev = ANYWHERE["chebyshev"]

    def loss(x):
        made = interpolate.CubicSpline(NODES, HEIGHTS)
        bend, area = made.derivative(2), np.poly1d([1.0, 2.0, 3.0]).integ()
        y = np.sum(spline.derivative()(x) * bend(x)) + np.sum(area(x) * smooth.derivative()(x))
        return y + np.sum(chebyshev.deriv(2)(x) ** 2 * spline.antiderivative()(x))

    expected = numeric_gradient(loss, [INSIDE], 0, 1.0)
    assert_close(grad(loss)(INSIDE), expected, "gradient")
    np.testing.assert_allclose(jvp(loss, (INSIDE,), (BEYOND,))[1], expected @ BEYOND, 1e-6)


def test_others_are_refused() -> None:
    pairs = interpolate.CubicSpline(NODES, np.stack([HEIGHTS, HEIGHTS], 1))

    def of_vectors(x):
        return np.sum(pairs(x))

    def made_of_what_varies(y):
        return np.sum(interpolate.interp1d(NODES, y)(INSIDE))

    with pytest.raises(NotDifferentiable, match="pairs"):
        grad(of_vectors)(INSIDE)
    with pytest.raises(NotDifferentiable, match="its nodes and values carry no derivative"):
        grad(made_of_what_varies)(HEIGHTS)


@pytest.mark.parametrize("spline", [interpolate.CubicSpline, interpolate.make_interp_spline])
def test_values_of_a_spline_vary_by_its_matrix(spline: Any) -> None:
    """What the refusal of a spline through what varies says to write instead."""

    def through(y):
        return np.sum(spline(NODES, y)(INSIDE) ** 2)

    def by_matrix(y):
        return np.sum((spline(NODES, np.eye(len(NODES)))(INSIDE) @ y) ** 2)

    def area(y):
        return (spline(NODES, np.eye(len(NODES))).integrate(-0.5, 1.5) @ y) ** 2

    with pytest.raises(NotDifferentiable, match=r"\(x, np.eye\(len\(x\)\)\)\(t\) @ y"):
        grad(through)(HEIGHTS)
    expected = numeric_gradient(
        lambda y: float(spline(NODES, y).integrate(-0.5, 1.5)) ** 2, [HEIGHTS], 0, 1.0
    )
    assert_close(grad(area)(HEIGHTS), expected, "gradient of an integral")
    expected = numeric_gradient(through, [HEIGHTS], 0, 1.0)
    assert_close(grad(by_matrix)(HEIGHTS), expected, "gradient")
    np.testing.assert_allclose(jvp(by_matrix, (HEIGHTS,), (NODES,))[1], expected @ NODES, 1e-6)
    ahead, behind = (
        numeric_gradient(through, [HEIGHTS + h * NODES], 0, 1.0) for h in (1e-4, -1e-4)
    )
    np.testing.assert_allclose(hvp(by_matrix)(HEIGHTS, NODES), (ahead - behind) / 2e-4, 1e-3, 1e-4)


def test_another_object_under_the_same_name() -> None:
    f = interpolate.CubicSpline(NODES, HEIGHTS)

    def loss(x):
        return np.sum(f(x))

    for f in (*ANYWHERE.values(), np.sin, interpolate.CubicSpline(NODES, HEIGHTS**2)):
        expected = numeric_gradient(loss, [INSIDE], 0, 1.0)
        assert_close(grad(loss)(INSIDE), expected, "gradient")
