"""Objects of scipy.interpolate that are called: every kind of them, inside and outside of their nodes, in every mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient
from scipy import interpolate

from tangentish import NotDifferentiable, grad, hvp, jvp, vjp

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
    **{
        f"smoothing, beyond its ends {ext}": interpolate.UnivariateSpline(
            NODES, HEIGHTS, k=k, s=0.01, ext=ext
        )
        for ext, k in (("zeros", 3), ("const", 1), ("const", 4))
    },
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


@pytest.mark.parametrize("degrees", [(3, 3), (1, 1), (1, 2)], ids=str)
@pytest.mark.parametrize("nu", [(0, 0), (1, 0), (0, 1)], ids=str)
def test_surfaces_inside_and_beyond_their_edges(
    degrees: tuple[int, int], nu: tuple[int, int]
) -> None:
    k_x, k_z = degrees
    heights = np.outer(HEIGHTS, np.cos(NODES))
    made = interpolate.RectBivariateSpline(NODES, NODES, heights, kx=k_x, ky=k_z)
    surface = (*made.tck, k_x, k_z)
    orders = tuple(min(n, k - 1) for n, k in zip(nu, degrees, strict=True))

    def height(p):
        return float(interpolate.bisplev(p[0], p[1], surface, *orders)) ** 2

    for p in (INSIDE[:2], BEYOND[:2], BEYOND[1:3], BEYOND[2:]):
        expected = numeric_gradient(height, [p], 0, 1.0)
        assert_close(grad(height)(p), expected, "gradient")
        step = np.array([0.7, -0.4])
        np.testing.assert_allclose(jvp(height, (p,), (step,))[1], expected @ step, 1e-6, 1e-9)
        ahead, behind = (numeric_gradient(height, [p + h * step], 0, 1.0) for h in (1e-4, -1e-4))
        np.testing.assert_allclose(hvp(height)(p, step), (ahead - behind) / 2e-4, 1e-3, 1e-4)


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


def test_splines_that_functions_fit() -> None:
    def loss(x):
        smooth = interpolate.make_smoothing_spline(NODES, HEIGHTS)
        return np.sum(interpolate.make_interp_spline(NODES, HEIGHTS, k=2)(x) * smooth(x, 1))

    expected = numeric_gradient(loss, [INSIDE], 0, 1.0)
    assert_close(grad(loss)(INSIDE), expected, "gradient")
    np.testing.assert_allclose(jvp(loss, (INSIDE,), (BEYOND,))[1], expected @ BEYOND, 1e-6)


def test_beyond_its_nodes_a_spline_that_stops_has_no_slope() -> None:
    def loss(y, x):
        return interpolate.make_interp_spline(NODES, y)(x, extrapolate=False)

    assert not np.any(grad(loss)(HEIGHTS, 9.0))


def test_others_are_refused() -> None:
    pairs = interpolate.CubicSpline(NODES, np.stack([HEIGHTS, HEIGHTS], 1))

    def of_vectors(x):
        return np.sum(pairs(x))

    def by_its_nodes(x):
        return np.sum(interpolate.interp1d(np.append(x, 9.0), HEIGHTS[:5])(INSIDE))

    def by_what_is_outside(y):
        f = interpolate.interp1d(NODES, y, bounds_error=False, fill_value=(y[0], y[-1]))
        return np.sum(f(BEYOND))

    def through_all(x):
        return interpolate.KroghInterpolator(NODES, HEIGHTS)(x)

    def by_its_zeros(y):
        return interpolate.CubicSpline(NODES, y).roots()[0]

    def around_or_not(y, ends):
        return np.sum(interpolate.CubicSpline(NODES, y, bc_type=ends)(INSIDE))

    with pytest.raises(NotDifferentiable, match="pairs"):
        grad(of_vectors)(INSIDE)
    for f, at, why in (
        (
            by_its_nodes,
            np.sort(INSIDE),
            "no derivative with respect to 'x': by nodes np.interp has one",
        ),
        (by_what_is_outside, HEIGHTS, "no derivative with respect to 'fill_value'"),
        (through_all, 0.5, "its nodes and values carry no derivative"),
        (by_its_zeros, HEIGHTS, r"roots is not followed: write f\(t\)"),
    ):
        with pytest.raises(NotDifferentiable, match=why):
            grad(f)(at)


THROUGH = {
    "natural": lambda y: interpolate.CubicSpline(NODES, y, bc_type="natural"),
    "slopes at the ends": lambda y: interpolate.CubicSpline(
        NODES, y, bc_type=((1, 0.5), (2, -0.3))
    ),
    "stops": lambda y: interpolate.CubicSpline(NODES, y, extrapolate=False),
    "of the fifth degree": lambda y: interpolate.make_interp_spline(NODES, y, k=5),
    "natural by knots": lambda y: interpolate.make_interp_spline(NODES, y, bc_type="natural"),
    "by coefficients": lambda y: interpolate.BSpline(np.arange(13) * 0.6 - 3, y, 3),
    "by values and slopes": lambda y: interpolate.CubicHermiteSpline(NODES, y, np.sin(y)),
    "by pieces": lambda y: interpolate.PPoly(np.reshape(np.append(y, y[:7]), (2, 8)), NODES),
    "by pieces that fall": lambda y: interpolate.PPoly(np.reshape(y[:8], (1, 8)), NODES[::-1]),
    "unsorted": lambda y: interpolate.interp1d(
        NODES[::-1], y, "quadratic", fill_value="extrapolate"
    ),
    "level": lambda y: interpolate.interp1d(
        NODES, y, "nearest", bounds_error=False, fill_value=0.5
    ),
}


@pytest.mark.parametrize("name", THROUGH)
def test_values_that_vary(name: str) -> None:
    spline = THROUGH[name]
    at = INSIDE if name == "stops" else BEYOND

    def through(y, t):
        f = spline(y * t[1])
        return np.sum(f(t) ** 2) + np.sum(y * f(t[0]))

    step = np.array([0.3, -1.1, 0.8, 0.4])
    for k, (x, direction) in enumerate(((HEIGHTS, NODES), (at, step))):
        args = [HEIGHTS, at]
        expected = numeric_gradient(through, args, k, 1.0)
        assert_close(grad(through, wrt=k)(*args), expected, "gradient")
        moved = [(direction if i == k else 0 * a) for i, a in enumerate(args)]
        np.testing.assert_allclose(jvp(through, args, moved)[1], np.sum(expected * direction), 1e-6)
        ends = []
        for h in (1e-4, -1e-4):
            args[k] = x + h * direction
            ends.append(numeric_gradient(through, args, k, 1.0))
        args[k] = x
        bend = hvp(through, wrt=k)(HEIGHTS, direction, at)
        np.testing.assert_allclose(bend, (ends[0] - ends[1]) / 2e-4, 2e-3, 2e-4)


KNOTS = np.arange(HEIGHTS.size + 4) * 0.6 - 3
IN_ROWS = {
    "by values": lambda y: interpolate.CubicSpline(NODES, y, axis=1),
    "by knots": lambda y: interpolate.make_interp_spline(NODES, y, axis=-1),
    "by coefficients": lambda y: interpolate.BSpline(KNOTS, y, 3, axis=1),
    "by coefficients from behind": lambda y: interpolate.BSpline(KNOTS, y, 3, True, -1),
    "by values and slopes": lambda y: interpolate.CubicHermiteSpline(NODES, y, y**2, 1),
    "by pieces": lambda y: interpolate.PPoly(np.stack([y[:, :-1], y[:, 1:]], 1), NODES, axis=1),
    "piece by piece": lambda y: interpolate.interp1d(NODES, y, axis=1),
}


@pytest.mark.parametrize("name", IN_ROWS)
@pytest.mark.parametrize("rows", [3, HEIGHTS.size])
def test_values_in_rows(name: str, rows: int) -> None:
    """As many rows as there are in each: another axis would fit as well."""
    spline = IN_ROWS[name]
    y = np.multiply.outer(np.linspace(0.4, 1.7, rows), HEIGHTS)
    y[0] = y[0] ** 2
    at = np.linspace(INSIDE.min(), INSIDE.max(), HEIGHTS.size) * 0.97

    def along(y, t):
        f = spline(y * t[1])
        return np.sum(f(t) ** 2 * np.arange(y.size).reshape(y.shape)) + np.sum(f(t[0]))

    for k, direction in enumerate((np.cos(y), np.sin(at))):
        expected = numeric_gradient(along, [y, at], k, 1.0)
        assert_close(grad(along, wrt=k)(y, at), expected, "gradient")
        moved = [direction if i == k else None for i in range(2)]
        np.testing.assert_allclose(
            jvp(along, (y, at), moved)[1], np.sum(expected * direction), 1e-6
        )
    bend = hvp(along)(y, np.cos(y), at)
    ends = [grad(along)(y + h * np.cos(y), at) for h in (1e-4, -1e-4)]
    np.testing.assert_allclose(bend, (ends[0] - ends[1]) / 2e-4, 1e-5, 1e-5)


def test_a_spline_around_a_circle() -> None:
    angles = np.linspace(0.0, 6.0, 7)

    def around(y):
        f = interpolate.CubicSpline(angles, np.append(y, y[0]), bc_type="periodic")
        g = interpolate.make_interp_spline(angles, np.append(y, y[0]), bc_type="periodic")
        return np.sum(f(INSIDE - 9.0) ** 2) + np.sum(g(INSIDE + 9.0) ** 3)

    y = HEIGHTS[:6]
    expected = numeric_gradient(around, [y], 0, 1.0)
    assert_close(grad(around)(y), expected, "gradient")
    np.testing.assert_allclose(jvp(around, (y,), (NODES[:6],))[1], expected @ NODES[:6], 1e-6)


def test_stores_after_it_was_made_do_not_reach_it() -> None:
    def stored(y):
        f, x = interpolate.interp1d(NODES, y), NODES.copy()
        g = interpolate.CubicSpline(x, y)
        y[0], x[3] = 100.0 * y[1], 0.4
        return np.sum(f(INSIDE) * g(INSIDE)) + y[0]

    expected = numeric_gradient(lambda y: stored(y.copy()), [HEIGHTS], 0, 1.0)
    assert_close(grad(stored)(HEIGHTS), expected, "gradient")


def test_stores_into_knots_reach_a_spline_that_holds_them() -> None:
    """Of floats; of others SciPy makes an array of its own."""

    def stored(y):
        knots, whole, nodes = KNOTS.copy(), np.arange(y.size + 2), NODES.copy()
        f, g = interpolate.BSpline(knots, y, 3), interpolate.BSpline(whole, y, 1)
        h = interpolate.PPoly(y[None, :8], nodes)
        knots[5] += 0.3
        whole[3:] += 1
        nodes[3] += 0.4
        return np.sum(f(INSIDE) ** 2 * g(INSIDE + 2) * h(INSIDE))

    expected = numeric_gradient(stored, [HEIGHTS], 0, 1.0)
    assert_close(grad(stored)(HEIGHTS), expected, "gradient")

    def stored_into_coefficients(y):
        c = y**2
        f = interpolate.BSpline(KNOTS, c, 3)
        c[3] = y[0]
        return np.sum(f(INSIDE))

    expected = numeric_gradient(stored_into_coefficients, [HEIGHTS], 0, 1.0)
    assert_close(grad(stored_into_coefficients)(HEIGHTS), expected, "gradient")


def test_stores_do_not_reach_what_was_converted() -> None:
    def stored(y):
        small = np.asarray(y, np.float32)
        f = interpolate.BSpline(KNOTS, small, 3)
        small[2] = 9.0
        return np.sum(f(INSIDE))

    expected = numeric_gradient(
        lambda y: np.sum(interpolate.BSpline(KNOTS, y, 3)(INSIDE)), [HEIGHTS], 0, 1.0
    )
    np.testing.assert_allclose(grad(stored)(HEIGHTS), expected, 1e-5, 1e-5)


def test_another_object_under_the_same_name() -> None:
    f = interpolate.CubicSpline(NODES, HEIGHTS)

    def loss(x):
        return np.sum(f(x))

    for f in (*ANYWHERE.values(), np.sin, interpolate.CubicSpline(NODES, HEIGHTS**2)):
        expected = numeric_gradient(loss, [INSIDE], 0, 1.0)
        assert_close(grad(loss)(INSIDE), expected, "gradient")


def test_nodes_that_are_drawn_are_drawn_once() -> None:
    def drawn_here(y, rng):
        return interpolate.CubicSpline(np.sort(rng.uniform(size=6)), y)(0.5)

    def drawn_before(y, rng):
        x = np.sort(rng.uniform(size=6))
        return interpolate.CubicSpline(x, y)(0.5)

    y = HEIGHTS[:6]
    with pytest.raises(NotDifferentiable, match="give its x a name"):
        grad(drawn_here)(y, np.random.default_rng(7))
    expected = numeric_gradient(lambda y: drawn_before(y, np.random.default_rng(7)), [y], 0, 1.0)
    assert_close(grad(drawn_before)(y, np.random.default_rng(7)), expected, "gradient")


def test_nodes_stand_in_the_gradient_once() -> None:
    def loss(y):
        f = interpolate.CubicSpline(np.linspace(0, 1, 6), y)
        return np.sum(f(INSIDE))

    text = grad(loss).source(HEIGHTS[:6])
    assert text.count("np.linspace(0, 1, 6)") == 2, text  # one of them in the comment


def test_of_one_node_is_no_spline() -> None:
    """SciPy writes beyond its memory there."""

    def loss(y):
        return np.sum(interpolate.make_interp_spline(NODES[:1], y, 3, bc_type="natural")(INSIDE))

    with pytest.raises(ValueError, match="two nodes at least"):
        grad(loss)(HEIGHTS[:1])


def table_by_helper(nodes, values, x):
    return interpolate.RegularGridInterpolator((nodes, nodes), values)(np.stack([x, x], 1))


def spline_by_helper(nodes, values, x):
    return interpolate.CubicSpline(nodes, values)(x)


def changed_after(x):
    values = np.outer(NODES, NODES)
    table = interpolate.RegularGridInterpolator((NODES, NODES), values)
    y = table(np.stack([x, x], 1))
    values *= 2
    return np.sum(y * table(np.stack([x, x], 1)))


def twice(values, x):
    piece = interpolate.PPoly(values, NODES)
    y = piece(x)
    values *= 2
    return y * piece(x)


def changed_in_a_helper(x):
    return np.sum(twice(np.ones((3, 8)), x))


def polynomial_changed_on_each_trip(x):
    c = np.array([1.0, 2.0, -0.5])
    f = np.polynomial.Polynomial(c)
    y = x
    for _ in range(3):
        y = y * f(x)
        c += 0.1
    return np.sum(y)


def made_by_helpers(x):
    table = table_by_helper(NODES, np.outer(NODES, NODES), x)
    return np.sum(table * spline_by_helper(NODES, HEIGHTS, x))


CHANGED = [changed_after, changed_in_a_helper, polynomial_changed_on_each_trip, made_by_helpers]


@pytest.mark.parametrize("f", CHANGED, ids=lambda f: f.__name__)
def test_arrays_that_an_interpolant_holds_at_rest(f: Any) -> None:
    """They may be written to later, and are read by helpers that make one."""
    expected = numeric_gradient(f, (INSIDE,), 0, 1.0)
    assert_close(grad(f)(INSIDE), expected, f.__name__)
    pullback = vjp(f, INSIDE)[1]
    for _ in range(2):
        assert_close(pullback(1.0)[0], expected, f.__name__)
