"""Arguments in forms that NumPy takes besides the usual ones, in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.special
from every_mode import check_refused, each_right, kept_in, named
from numeric import assert_close, numeric_gradient
from numpy.testing import assert_array_equal

from tangentish import grad, hvp, jvp

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def axes_in_a_list(x):
    m = np.outer(x, x)
    a = np.average(m, axis=[0])
    b = np.average(m[None] * x, axis=[0, -1], weights=m[None] + 2)
    return np.sum(a**2) + np.sum(b * np.median(m, axis=[1])) * np.quantile(m, 0.3, axis=[0, 1])


@form
def averages_beside_what_weights_sum_to(x):
    m = np.outer(x, x)
    mean, total = np.average(x, weights=np.array([0.5, 1.0, 2.0, 0.7]), returned=True)
    means, totals = np.average(m, axis=0, weights=np.full(m.shape, 0.5), returned=True)
    return np.sin(mean) * np.sin(total) + np.sum(np.cos(means) * np.sqrt(totals))


@form
def dtypes_by_position(x):
    m = np.outer(x, x)
    of_columns = np.nansum(m, 0, float) * np.nanvar(m, 1, float, None, 1)
    return of_columns @ np.maximum.reduce(m, 1, float) + np.sum(np.nancumsum(m, 0, float) ** 2)


@form
def none_where_it_is_the_default(x):
    bare = np.ediff1d(x, None, None)
    longer = np.ediff1d(x, None, x[0]) * np.ediff1d(x, x[:1], None)
    square = scipy.linalg.toeplitz(x, r=None) @ scipy.linalg.hankel(c=x, r=None)
    return np.sum(bare**3) + np.sum(longer**2) + np.sum(square**2)


@form
def bands_by_name(x):
    ab = np.stack((x / 4, x + 3, x[::-1] / 4))
    return np.sum(scipy.linalg.solve_banded(l_and_u=(1, 1), ab=ab, b=x) ** 2)


@form
def columns_with_one_vector(x):
    """Along an axis that is not the last one the operands are broadcast in the others, not from the right."""
    v = x[:3]
    m = np.outer(v, np.sin(v)) + np.eye(3)
    of_columns = np.cross(m, v, axis=0) ** 2 @ v + np.linalg.cross(v, m, axis=0) ** 3 @ v
    turned = np.vecdot(m * 1j + v, v * (1 + 2j), axis=0)
    return np.sum(of_columns) + np.vecdot(m, v, axis=0) ** 2 @ v + np.sum(np.abs(turned) ** 2 * v)


@form
def columns_of_arrays_with_one_of_them(x):
    m = np.outer(x[:3], np.sin(x[1:]))
    return np.sum(np.cross(np.stack((m, m**2)), m[:1] + 1, axis=1) ** 2 * x[:3])


@form
def norms_of_no_order(x):
    m = np.outer(x, x)
    rows = np.linalg.vector_norm(m, axis=1, keepdims=True, ord=None)
    return np.sum(rows**3) + np.linalg.vector_norm(x, ord=None) * x[0]


@form
def complex_products_of_all(x):
    m = np.outer(x, np.sin(x))
    turned = np.vdot(m * (1 + 2j), np.reshape(m**2, (8, 2)) * 1j)
    return np.abs(turned) + np.vdot(m * 1j + 1, m).imag


@form
def item_at_a_tuple(x):
    m = np.outer(x, x)
    where = (0, 2)
    return m.item((1, 2)) ** 2 + m.item(where) * x.item((0,)) * np.sum(x)


@form
def starts_that_vary(x):
    m = np.outer(x, np.sin(x))
    total = np.sum(m, axis=0, initial=x[0]) @ x + np.sum(m**2, initial=x[1] * x[2])
    some = np.sum(m, axis=1, initial=x[2], where=m > 0.1) @ np.cos(x)
    return total + some * np.prod(x[:3], initial=x[3] ** 2)


@form
def products_of_some(x):
    m = np.outer(x, np.cos(x))
    of_rows = np.prod(m, axis=1, initial=x[0], where=m > 0.2)
    return np.sum(of_rows**2) + np.prod(x, initial=2.0, where=x > 0) * x[3]


@form
def bounds_that_vary(x):
    m = np.outer(x, np.cos(x))
    high = np.max(m, axis=0, initial=x[1]) @ x + np.amax(x, initial=x[2] + x[0])
    low = np.min(m, axis=1, initial=-x[1]) @ x * np.min(x**2, initial=x[3])
    some = np.max(m, axis=0, initial=x[0] / 2, where=m < 0.9, keepdims=True)
    return high + low + np.sum(some**2) + np.min(m, initial=x[3] * 5, where=m > 0) ** 2


@form
def products_in_a_type(x):
    running = np.cumprod(np.outer(x, x), axis=1, dtype=np.float64)
    return np.sum(running**2) + np.sum(np.cumprod(x, dtype=float))


@form
def weighted_fits(x):
    c = np.polyfit(np.sin(x), x**2, 2, w=1.2 + np.cos(x))
    line = np.polyfit(np.arange(4.0), x, 1, w=x)
    return np.sum(c**2) + line[0] * line[1]


@form
def products_of_a_list_that_grows(x):
    factors = [np.ones((4, 4))]
    for k in range(len(x)):
        factors.append(np.outer(x, np.sin(x)) * (k + 1))
    ends = [np.outer(x, x) for _ in range(len(x) // 2)]
    return np.linalg.multi_dot([x, *factors, x]) ** 2 + np.sum(np.linalg.multi_dot(ends) ** 2)


@form
def averages_with_their_weights(x):
    m = np.outer(x, np.sin(x))
    a, total = np.average(m, axis=0, weights=m**2 + 1, returned=True)
    b, some = np.average(m, axis=-1, weights=x**2, returned=True)
    c = np.average(m, weights=m + 2, returned=True)[0]
    d = np.average(m, 1, m + 2, True, keepdims=True)[1]
    e, many = np.average(m, axis=[0, 1], returned=True)
    return np.sum(a * total * x) + np.sum(b**2 * some * x) + c * np.sum(d * x) + e**2 * many


@form
def what_is_the_default_anyway(x):
    m = np.outer(x, np.sin(x))
    a = np.average(m, axis=0, weights=x**2 + 1, returned=False, keepdims=False)
    return a @ x + np.average(m, 1, m + 2, False) @ np.average(m, axis=1, returned=False)


@form
def einsum_by_lists_of_axes(x):
    m = np.outer(x, np.sin(x))
    a = np.einsum(m, [0, 1], x, [1], [0]) @ np.einsum(x, [3], m, [3, 0])
    b = np.einsum(m, [5, 2], x, (5,)) * np.einsum([[1.0, 2.0], [3.0, 4.0]], [0, 1], x[:2], [1], [])
    c = np.einsum(m, [..., 0], m, [..., 0], [...], optimize=True) @ np.einsum(m, [7, 4])
    return a * np.einsum(m, [0, 0]) + np.sum(b * c)


@form
def widths_of_one_step(x):
    dx = np.array([0.5, 1.0, 0.2, 2.0])
    return np.trapezoid(x[:2], dx=dx, axis=0) * np.sum(np.trapezoid(np.outer(x, x), dx=dx, axis=0))


@form
def joined_with_numbers(x):
    a = np.r_[0, np.cumsum(x), len(x)]
    return np.sum(np.diff(a) ** 2 * np.r_[x, -1]) + np.sum(np.r_[x[0], 1, 2.5 * x[1]] ** 3)


@form
def products_of_quaternions(x):
    """Of a part of which only two or three elements may be left, it is not known whether the product is a vector."""
    y = x[::-1] * x
    s, t, v, w = x[0], y[0], x[1:4], y[1:4]
    product = np.r_[s * t - np.dot(v, w), s * w + t * v + np.cross(v, w)]
    return np.sum(product**2 * np.arange(4.0)) + np.sum(np.c_[np.cross(v, w) + v, w] ** 2 * s)


@form
def types_without_a_copy(x):
    m = np.outer(x, np.sin(x)).astype(np.float64, copy=False)
    return np.sum(m @ x.astype(float, copy=False)) + np.sum(np.astype(m, x.dtype, copy=False) ** 2)


@form
def borders_that_vary(x):
    around = np.pad(np.outer(x, x), 1, constant_values=x[0] ** 2)
    behind = np.pad(x, (0, 2), mode="constant", constant_values=x[1])
    return np.sum(around**2) * np.sum(behind**3)


@form
def soft_maxima_without_weights(x):
    return np.sum(scipy.special.logsumexp(np.outer(x, x), 1, None, True) ** 2)


@form
def options_by_place(x):
    m = np.outer(x, np.sin(x))
    rest = m - np.sum(m, 1, None, None, True) * m.std(1, None, None, 1, True)
    some = np.median(m, 0, None, False, True) * np.max(x, 0, None, False, x[1])
    least = m.min(0, None, True) @ x + np.max(m, None, None, True) ** 2
    return np.sum(rest**2) + np.sum(some * np.prod(m, 1, float, None, True)) + np.sum(least)


test_every_mode = each_right(
    FUNCTIONS, np.array([1.0, 0.5, 2.2, -0.7]), np.array([0.3, -1.0, 0.4, 2.0])
)


NAMED = [0, 1]


def axes_by_a_name(x):
    return np.einsum(np.outer(x, x), NAMED, [])


def axes_in_stars(x):
    return np.einsum(*[x, [0], x, [0]])


def axes_of_large_numbers(x):
    return np.einsum(x, [30], x, [30])


@pytest.mark.parametrize("f", [axes_by_a_name, axes_in_stars, axes_of_large_numbers], ids=named)
def test_axes_of_einsum_that_are_not_written_out(f: Callable[..., Any]) -> None:
    check_refused(f, "np.einsum with lists of axes", np.ones(3))


def in_two_parts(x, first, second):
    return sum(np.sum(part**2) for part in np.split(2 * x, [first, second]))


def in_three_parts(x):
    places = [3, 1]
    a, b, c = np.split(x, places)
    return np.sum(a) ** 2 + np.sum(b) + np.sum(c**2)


def test_parts_that_are_known_to_overlap() -> None:
    check_refused(in_three_parts, "the indices of this split go back", np.ones(5))


def in_three_named_parts(x, first, second):
    a, b, c = np.split(np.sin(x), [first, second])
    return np.sum(a**2) + np.sum(b**3) + np.sum(a) * np.sum(c)


def in_columns(x, first, second):
    a, _, c = np.hsplit(np.outer(x, x), [first, second])
    return np.sum(a**2) + np.sum(c**3)


PLACES = [
    (1, 3),
    (3, 1),
    (3, 3),
    (0, 5),
    (-2, 1),
    (2, -4),
    (-1, -3),
    (9, 2),
    (2, 9),
    (2, -9),
    (-9, 2),
]
"""Where an array of five elements is cut: an index that goes back leaves one part empty, and begins the next early."""


@pytest.mark.parametrize("f", [in_two_parts, in_three_named_parts, in_columns], ids=named)
def test_parts_that_overlap(f: Callable[..., Any]) -> None:
    x, x_dot = np.linspace(0.3, 1.1, 5), np.array([0.5, -0.2, 0.7, 0.3, -0.4])
    gradient = grad(f)
    for places in PLACES:
        numeric = numeric_gradient(f, (x, *places), 0, 1.0)
        assert_close(gradient(x, *places), numeric, f"{named(f)} at {places}")
        assert_close(jvp(f, (x, *places), (x_dot, None, None))[1], numeric @ x_dot, named(f))
        slope = numeric_gradient(
            lambda z, at=places: np.sum(gradient(z, *at) * x_dot), (x,), 0, 1.0
        )
        assert_close(hvp(f)(x, x_dot, *places), slope, f"{named(f)} at {places}, again")


def differences_with_ends(x, n):
    return np.sum(np.diff(x, n, prepend=0.5, append=x[:1]) ** 2)


def test_differences_of_order_zero_have_no_ends() -> None:
    x = np.array([0.3, 0.7, 0.5])
    with pytest.raises(ValueError, match="order 0"):
        grad(differences_with_ends)(x, 0)
    numeric = numeric_gradient(differences_with_ends, (x, 1), 0, 1.0)
    assert_close(grad(differences_with_ends)(x, 1), numeric, "of order 1")


def turned_over(x):
    return np.sum(np.transpose(x, 0) ** 2) + np.sum(x.transpose(-1) ** 3)


def test_the_axis_of_a_vector_is_a_number() -> None:
    assert_array_equal(grad(turned_over)(np.ones(3)), np.full(3, 5.0))


def middle(x):
    return np.median(x) + np.nanquantile(x, 0.3)


def middles(x):
    return np.sum(np.median(x, axis=0)) + np.sum(np.percentile(x, [20, 30], axis=1))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_nothing_has_no_gradient(shape: tuple[int, ...]) -> None:
    for f, x in ((middle, np.zeros(0)), (middles, np.zeros(shape))):
        try:
            f(x)
        except IndexError:
            continue
        assert_array_equal(grad(f)(x), np.zeros_like(x))
        assert np.shape(jvp(f, (x,), (x,))[1]) == ()


def fitted(x, v, w, degree):
    return np.sum(np.polyfit(x, v, degree) ** 2) + np.sum(np.polyfit(x, v, degree, w=w) ** 3)


@pytest.mark.filterwarnings("ignore")
def test_fits_of_too_few_places() -> None:
    """NumPy takes one of many polynomials then, and which one moves with the places in another way."""
    v, w = np.array([0.3, 0.7, 1.1]), np.array([1.0, 0.5, 2.0])
    for x, weights in (
        (np.array([1.0, 1.0, 2.0]), w),
        (np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.0, 2.0])),
    ):
        for wrt in (0, 2):
            with pytest.raises(ValueError, match="too few places"):
                grad(fitted, wrt=wrt)(x, v, weights, 2)
        assert np.shape(grad(fitted, wrt=1)(x, v, weights, 2)) == (3,)


def differences_of_an_order(x, n=0):
    y = 2 * x
    z = np.diff(y, n)
    z += x
    return np.sum(y**2)


def powers_of_a_matrix(x, n=1):
    m = np.outer(x, x)
    z = np.linalg.matrix_power(m, n)
    z *= 2
    return np.sum(m**2)


def orders_of_a_loop(x):
    y = 2 * x
    for n in range(1):
        z = np.diff(y, n)
        z += x
    return np.sum(y**2)


def types_in_place(x):
    y = 2 * x
    z = y.astype(float, copy=False)
    z += x
    return np.sum(y**2)


@pytest.mark.parametrize(
    "f", [differences_of_an_order, powers_of_a_matrix, orders_of_a_loop, types_in_place], ids=named
)
def test_what_may_be_the_array_itself_is_not_written_to(f: Callable[..., Any]) -> None:
    """`np.diff(y, 0)` is y, and so is a first power."""
    check_refused(f, "may share memory", np.ones(3))


def copied_if_asked(x, copies=False):
    y = 2 * x
    z = np.array(y, copy=copies)
    z += x
    return np.sum(y**2)


def test_whether_it_is_a_copy_is_written_out() -> None:
    check_refused(copied_if_asked, "np.array is not supported with these arguments", np.ones(3))


def test_blocks_in_a_list_whose_length_is_not_known():
    def of_two(x):
        blocks = [np.outer(x, x), x]
        return np.sum(scipy.linalg.block_diag(*blocks) ** 3)

    expected = numeric_gradient(of_two, (np.ones(3),), 0, 1.0)
    assert_close(grad(of_two)(np.ones(3)), expected, "blocks")

    def of_any_number(x):
        return np.sum(scipy.linalg.block_diag(*[x * k for k in range(int(x[0]))]))

    check_refused(of_any_number, "how many arguments this gives is not known", np.ones(3))
