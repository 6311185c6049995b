"""Rules of one's own: what is refused when, what they may be of, and `check_adjoint`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along
from scipy import special
from test_refusals import function_of

from tangentish import (
    NotDifferentiable,
    adjoint,
    check_adjoint,
    check_grad,
    constant,
    differentiate,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    vjp,
)
from tangentish.own import _Registration
from tangentish.rules.own import OWN

X = np.array([1.0, 2.0, 3.0])
SLOPE = np.exp(-X) / (1 + np.exp(-X)) ** 2


def made() -> Callable[[Any], Any]:
    """A new sigmoid, which no test has given a rule."""
    text = "def f(x):\n    return 1 / (1 + np.exp(-x))\n"
    return function_of(text)


def right(dy, y, x):
    return dy * y * (1 - y)


def user(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def loss(x):
        return np.sum(f(x) ** 2)

    return loss


# ------------------------------------------------------------------------------ what it gives


def test_the_rule_is_called_in_the_generated_source() -> None:
    f = made()
    assert adjoint(f)(right) is right
    source = grad(user(f)).source(X)
    assert "checked(right(dy * 2 * t, t, x), x)" in source
    np.testing.assert_allclose(grad(user(f))(X), 2 * f(X) * SLOPE)
    np.testing.assert_array_equal(f(X), 1 / (1 + np.exp(-X)))


def test_a_rule_registered_later_regenerates() -> None:
    f = made()
    loss = user(f)
    derivative = grad(loss)
    derivative(X), derivative(X)
    adjoint(f)(lambda dy, y, x: 2 * dy * y * (1 - y))
    np.testing.assert_allclose(derivative(X), 4 * f(X) * SLOPE)
    adjoint(f)(right)
    np.testing.assert_allclose(derivative(X), 2 * f(X) * SLOPE)
    constant(f)
    np.testing.assert_array_equal(derivative(X), np.zeros(3))


def test_a_rule_of_the_function_itself() -> None:
    f = made()
    adjoint(f)(right)
    np.testing.assert_allclose(grad(f)(X), SLOPE)
    np.testing.assert_allclose(differentiate(f).grad(X), SLOPE)
    value, pull = vjp(f, X)
    np.testing.assert_allclose(pull(2 * np.ones(3))[0], 2 * SLOPE)
    np.testing.assert_allclose(jvp(f, (X,), (np.ones(3),))[1], SLOPE)
    v = np.array([1.0, -1.0, 2.0])
    np.testing.assert_allclose(hvp(f)(X, v), SLOPE * (1 - 2 * f(X)) * v)


def test_a_rule_of_a_decorated_function() -> None:
    f = differentiate(made())
    adjoint(f)(lambda dy, y, x: 3 * dy)
    np.testing.assert_array_equal(f.grad(X), [3.0, 3.0, 3.0])


def test_float32_stays_float32() -> None:
    f = made()
    adjoint(f)(lambda dy, y, x: np.float64(2) * dy.astype(float))
    assert grad(user(f))(X.astype(np.float32)).dtype == np.float32


def test_what_a_rule_returns_is_not_handed_on() -> None:
    f, cache = made(), np.ones(3)
    adjoint(f)(lambda dy, y, x: (np.sum(dy), cache)[1])
    first = grad(user(f))(X)
    first += 1
    np.testing.assert_array_equal(cache, np.ones(3))

    g = made()
    adjoint(g)(lambda dy, y, x: dy)
    head = np.ones(3)
    gradient = vjp(g, X)[1](head)[0]
    assert not np.shares_memory(gradient, head)


def test_a_rule_for_a_function_without_source() -> None:
    f = np.frompyfunc(float, 1, 1)
    adjoint(f)(lambda dy, y, x: dy)
    ufunc = np.vectorize(lambda x: x**3)
    adjoint(ufunc)(lambda dy, y, x: dy * 3 * x**2)

    def loss(x):
        return np.sum(ufunc(x) * x)

    np.testing.assert_allclose(grad(loss)(X), 4 * X**3)
    check_adjoint(ufunc, X)


def test_residuals_in_first_and_second_derivatives() -> None:
    calls = []

    def f(x):
        return np.exp(x) * x

    def saving(x):
        calls.append("saving")
        e = np.exp(x)
        return e * x, e

    @adjoint(f, forward=saving)
    def rule(dy, y, e, x):
        return dy * (y + e)

    np.testing.assert_allclose(grad(user(f))(X), 2 * f(X) * np.exp(X) * (X + 1))
    assert calls == ["saving"]
    assert f(X) is not None and calls == ["saving"]


def test_residuals_are_kept_as_they_were() -> None:
    def f(x):
        return x * x

    def saving(x):
        return x * x, x  # the very array

    @adjoint(f, forward=saving)
    def rule(dy, y, kept, x):
        return 2 * dy * kept

    def loss(x):
        a = 1 * x
        y = f(a)
        a[:] = 0.0
        y[0] = 0.0
        return np.sum(y * y) + np.sum(a)

    np.testing.assert_allclose(grad(loss)(X), [0.0, 4 * 2.0**3, 4 * 3.0**3])


def test_a_pullback_is_used_by_several_threads() -> None:
    f = made()
    adjoint(f)(right)
    _, pull = vjp(user(f), X)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(pull(1.0)[0])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for gradient in found:
        np.testing.assert_allclose(gradient, 2 * f(X) * SLOPE)


def test_two_rules_of_one_name() -> None:
    f, g = made(), made()

    def rules(factor: float) -> Any:
        def rule(dy, y, x):
            return factor * dy

        return rule

    adjoint(f)(rules(2.0))
    adjoint(g)(rules(3.0))

    def loss(x):
        return np.sum(f(x) + g(x))

    np.testing.assert_array_equal(grad(loss)(X), [5.0, 5.0, 5.0])
    rule = X[:1]  # the user's own variable of that name

    def other(x):
        return np.sum(f(x) * rule)

    np.testing.assert_array_equal(grad(other)(X), [2.0, 2.0, 2.0])


def test_constant_functions() -> None:
    @constant
    def rounded(x):
        return np.round(x) + 0 * x

    def loss(x):
        return np.sum(rounded(x) * x)

    np.testing.assert_array_equal(grad(loss)(X), X)
    np.testing.assert_array_equal(jvp(loss, (X,), (np.ones(3),))[1], 6.0)
    np.testing.assert_array_equal(grad(rounded)(X), np.zeros(3))


# ------------------------------------------------------------------------------ what is refused


def refused(text: str, **names: Any) -> NotDifferentiable:
    """The refusal of a rule `f(dy, y, ...)` of a new sigmoid when it is registered."""
    rule = function_of(text)
    with pytest.raises(NotDifferentiable) as caught:
        adjoint(names.pop("of", made()), **names)(rule)
    return caught.value


def test_a_rule_that_forgets_the_chain_rule() -> None:
    error = refused("def f(dy, y, x):\n    return y * (1 - y)\n")
    assert (error.lineno, error.offset) == (1, 1)
    assert "never reads 'dy', the gradient of the result" in error.msg


@pytest.mark.parametrize("returned", ["dy, y", "()", "None"])
def test_a_rule_with_another_number_of_gradients(returned: str) -> None:
    error = refused(f"def f(dy, y, x):\n    z = dy\n    return {returned}\n")
    assert (error.lineno, error.offset) == (3, 5)
    assert "one for each argument" in error.msg


def test_a_rule_that_takes_other_arguments() -> None:
    error = refused("def f(dy, x):\n    return dy * x\n")
    assert "is called with (dy, y, x)" in error.msg
    error = refused("def f(dy, y, x):\n    return dy * x\n", forward=made())
    assert "is called with (dy, y, residuals, x)" in error.msg


def test_what_is_no_function() -> None:
    with pytest.raises(TypeError, match="a rule is for a function, not for 3"):
        adjoint(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a rule is for a function"):
        constant(float)
    with pytest.raises(TypeError, match="is a function written in Python"):
        adjoint(made())(np.sin)
    assert isinstance(adjoint(made()), _Registration)


def test_gradients_of_the_wrong_shape() -> None:
    f = made()
    adjoint(f)(lambda dy, y, x: np.sum(dy * y))
    with pytest.raises(ValueError, match=r"has the shape \(\), its argument has \(3,\)"):
        grad(user(f))(X)


def test_none_for_an_argument_that_varies() -> None:
    f = function_of("def f(w, x):\n    return w * x\n")
    adjoint(f)(lambda dy, y, w, x: (np.sum(dy * x), None))
    np.testing.assert_allclose(grad(f)(2.0, X), 6.0)
    with pytest.raises(TypeError, match="gradient 2 of 2 that a rule gives is None"):
        grad(f, wrt=1)(2.0, X)


def test_one_gradient_for_two_arguments() -> None:
    f = function_of("def f(w, x):\n    return w * x\n")
    adjoint(f)(lambda dy, y, w, x: np.dot(dy, x))
    with pytest.raises(TypeError, match="a rule gives a tuple of 2 gradients"):
        grad(f)(2.0, X)


def test_complex_gradients() -> None:
    f = made()
    adjoint(f)(lambda dy, y, x: dy * 1j)
    with pytest.raises(TypeError, match="it must be a real number or array"):
        grad(user(f))(X)


def test_a_function_that_writes_to_its_argument() -> None:
    f = function_of("def f(x):\n    x[0] = 0.0\n    return 2 * x\n")
    adjoint(f)(lambda dy, y, x: 2 * dy)
    text = "def f(x):\n    return np.sum(written(x))\n"
    with pytest.raises(NotDifferentiable, match="writes to its argument 'x'") as caught:
        grad(function_of(text, written=f))(X)
    assert (caught.value.lineno, caught.value.offset) == (2, 19)
    constant(f)
    with pytest.raises(NotDifferentiable, match="writes to its argument 'x'"):
        grad(function_of(text, written=f))(X)


@pytest.mark.parametrize("line", ["dy *= y", "np.multiply(dy, y, dy)", "x[0] = 0.0", "y += dy"])
def test_a_rule_that_writes_to_what_it_is_given(line: str) -> None:
    f = made()
    adjoint(f)(function_of(f"def f(dy, y, x):\n    {line}\n    return dy * 1\n"))
    with pytest.raises(NotDifferentiable, match="which others read: write to a copy of it"):
        grad(user(f))(X)


def test_containers_are_refused() -> None:
    f = function_of("def f(xs):\n    return xs[0] * xs[1]\n")
    adjoint(f)(lambda dy, y, xs: [dy * xs[1], dy * xs[0]])

    def loss(x):
        return np.sum(f([x, x]))

    with pytest.raises(NotDifferentiable, match="give it the elements one by one"):
        grad(loss)(X)


def test_several_results_beside_others_in_a_list() -> None:
    """Their gradients were read as if the list were an array: `drs[0, 1]`."""
    f = function_of("def f(x, w):\n    return np.sum(x * w), x * x\n")

    @adjoint(f)
    def f_adjoint(dy, y, x, w):
        a, b = dy
        return a * w + 2 * b * x, a * x

    def loss(x):
        rs = []
        for k in range(3):
            rs.append((f(x, k * x), k * x))
        s = 0.0
        for (a, b), c in rs:
            s += a * np.sum(b * c)
        return s

    check_along(loss, X, np.array([1.0, -2.0, 0.5]))


@pytest.mark.parametrize(
    ("returned", "read"),
    [
        ("(np.sum(x), x * x), np.sin(x)", "r[0][0] * np.sum(r[0][1] * r[1])"),
        ("np.sum(x), [x * x, 3 * x]", "r[0] * np.sum(r[1][0])"),
        ("[(x, k * x) for k in range(3)]", "np.sum(r[0][1] * r[2][1])"),
        ("{'a': np.sum(x), 'b': x * x}", "r['a'] * np.sum(r['b'])"),
    ],
)
def test_results_in_containers_are_refused(returned: str, read: str) -> None:
    """The gradient of what stood in a tuple in a tuple was zero, or a NameError."""
    f = function_of(f"def f(x):\n    return {returned}\n")
    adjoint(f)(lambda dy, y, x: dy * x)
    loss = function_of(f"def f(x):\n    r = g(x)\n    return {read}\n", g=f)
    with pytest.raises(NotDifferentiable, match="return them in one tuple"):
        grad(loss)(X)
    with pytest.raises(NotDifferentiable, match="return them in one tuple"):
        jvp(loss, (X,), (X,))


def test_results_in_containers_of_a_twin_are_refused() -> None:
    f = function_of("def f(x):\n    return (np.sum(x), x * x), x\n")
    twin = function_of("def f(x):\n    return ((np.sum(x), x * x), x), (x,)\n")
    adjoint(f, forward=twin)(lambda dy, y, saved, x: dy * saved)
    with pytest.raises(NotDifferentiable, match="return them in one tuple"):
        grad(function_of("def f(x):\n    (a, b), c = g(x)\n    return a * np.sum(b * c)\n", g=f))(X)


def test_keyword_only_arguments_are_refused() -> None:
    f = function_of("def f(x, *, power=2):\n    return x ** power\n")
    with pytest.raises(TypeError, match="given by keyword only"):
        adjoint(f)(lambda dy, y, x, power: dy)


def test_forward_mode_says_what_it_needs() -> None:
    f = made()

    def rule(dy, y, x):
        return np.real_if_close(np.emath.arccos(dy)) * y

    adjoint(f)(rule)
    with pytest.raises(
        NotDifferentiable, match=r"give one: @adjoint\(f, tangent=\.\.\.\)"
    ) as found:
        jvp(user(f), (X,), (X,))
    assert "f(x)" in str(found.value.text)


def test_the_hint_of_a_missing_rule() -> None:
    def loss(x):
        return np.sum(np.real_if_close(np.emath.arccos(x)))

    with pytest.raises(NotDifferentiable, match="or a rule of your own: @adjoint"):
        grad(loss)(X)


def test_the_hint_of_a_missing_rule_for_a_method_of_an_object() -> None:
    stats = pytest.importorskip("scipy.stats")

    def density(x):
        return stats.nct.logpdf(x, 3.0, 0.5)

    def loss(x):
        return np.sum(density(x))

    with pytest.raises(
        NotDifferentiable, match=r"of a function of yours that calls it: @adjoint\(f\)"
    ):
        grad(loss)(X)

    @adjoint(density)
    def density_adjoint(dy, y, x):
        return dy * (stats.nct.logpdf(x + 1e-6, 3.0, 0.5) - y) / 1e-6

    slope = (density(X + 1e-6) - density(X - 1e-6)) / 2e-6
    np.testing.assert_allclose(grad(loss)(X), slope, rtol=1e-4)


# ------------------------------------------------------------------------------ check_adjoint


def test_a_right_rule_passes() -> None:
    f = made()
    adjoint(f, tangent=lambda dx, y, x: dx * y * (1 - y))(right)
    report = check_adjoint(f, X)
    assert report.agrees and "f()" in str(report)
    check_adjoint(f, 0.5)
    check_adjoint(f, X.astype(np.float32))
    check_grad(user(f), X)


def test_a_rule_that_is_right_for_a_head_of_ones_only() -> None:
    f = made()
    adjoint(f)(lambda dy, y, x: np.sign(dy) * y * (1 - y))
    np.testing.assert_allclose(grad(f)(X), SLOPE)
    with pytest.raises(AssertionError, match="not linear in dy"):
        check_adjoint(f, X)


def test_a_wrong_rule() -> None:
    f = made()
    adjoint(f)(lambda dy, y, x: dy * y)
    with pytest.raises(AssertionError, match=r"x\[0\]"):
        check_adjoint(f, X)


def test_a_wrong_tangent_and_a_wrong_twin() -> None:
    f = made()
    adjoint(f, tangent=lambda dx, y, x: dx * y)(right)
    with pytest.raises(AssertionError, match="the tangent of f does not agree"):
        check_adjoint(f, X)
    adjoint(f, forward=lambda x: (2 * x, None))(lambda dy, y, r, x: dy * y)
    with pytest.raises(AssertionError, match="forward= of f returns another result than it"):
        check_adjoint(f, X)


def test_a_function_without_a_rule() -> None:
    with pytest.raises(TypeError, match="has no rule of its own"):
        check_adjoint(made(), X)


def test_own_rules_of_ufuncs_in_every_use() -> None:
    """A ufunc with a rule of one's own stands in for out=, and where it is not selected nothing comes back."""

    @adjoint(special.xlogy)
    def xlogy_adjoint(dy, y, a, x):
        return dy * np.log(x), dy * a / x

    def into(x):
        y = np.empty_like(x)
        special.xlogy(2.0, x, out=y)
        return np.sum(y * x)

    close = np.testing.assert_allclose
    close(grad(into)(X), 2 * np.log(X) + 2)

    def selected(x):
        return np.sum(np.where(x > 1, special.xlogy(x - 1, x - 1), 3 * x))

    with np.errstate(all="ignore"):
        close(grad(selected)(X), [3.0, 1.0, np.log(2.0) + 1])
    OWN.pop(special.xlogy)  # other tests are about the rule that it has


# ------------------------------------------------------------------------------ tangents that follow


def several(x, w):
    return np.sum(x * w), x * x


def any_number(s, *xs):
    return s * xs[0] + s * s * xs[1], s * np.sum(xs[1])


def with_residuals(x, w):
    return np.sum(x * w) ** 2 * x


def with_an_integer(x):
    return x * x, 3, np.sum(x)


@adjoint(several)
def several_adjoint(dy, y, x, w):
    a, b = dy
    return a * w + 2 * b * x, a * x


@adjoint(any_number)
def any_number_adjoint(dy, y, s, *xs):
    a, b = dy
    ds = np.sum(a * xs[0]) + 2 * s * np.sum(a * xs[1]) + b * np.sum(xs[1])
    return ds, a * s, a * s * s + b * s


@adjoint(with_an_integer)
def with_an_integer_adjoint(dy, y, x):
    return 2 * dy[0] * x + dy[2]


def saving(x, w):
    s = np.sum(x * w)
    return s**2 * x, (s, {"q": x}, [w])


@adjoint(with_residuals, forward=saving)
def with_residuals_adjoint(dy, y, residuals, x, w):
    s, d, l = residuals  # noqa: E741
    c = 2 * s * np.sum(dy * d["q"])
    return dy * s**2 + c * l[0], c * x


def of_several(x, w):
    s, q = several(x, w)
    return s**2 + np.sum(q * x)


def of_any_number(x, w):
    a, b = any_number(x[0], x, w)
    return np.sum(a * a * x) + b**2


def of_residuals(x, w):
    return np.sum(with_residuals(x, w) ** 2)


def of_one_of_them(x, w):
    return np.sum(with_an_integer(x)[0] * w) * with_an_integer(x)[1]


@pytest.mark.parametrize("f", [of_several, of_any_number, of_residuals, of_one_of_them])
def test_tangents_of_several_results_of_any_number_of_arguments_and_of_residuals(f) -> None:
    """The rule is turned round, and that is differentiated again."""
    w, v, h = np.array([0.5, -1.0, 2.0]), np.array([1.0, -0.5, 0.3]), 1e-6
    _, tangent = jvp(f, (X, w), (v, 2 * v))
    numeric = (f(X + h * v, w + 2 * h * v) - f(X - h * v, w - 2 * h * v)) / (2 * h)
    np.testing.assert_allclose(tangent, numeric, rtol=1e-7)
    gradient = grad(f)
    numeric = (gradient(X + h * v, w) - gradient(X - h * v, w)) / (2 * h)
    np.testing.assert_allclose(hvp(f)(X, v, w), numeric, rtol=1e-7, atol=1e-7)


def test_a_rule_that_gives_its_gradients_in_a_row_has_a_tangent() -> None:
    f = function_of("def f(*xs):\n    return sum(np.sum(x * x) for x in xs)\n")
    adjoint(f)(function_of("def f(dy, y, *xs):\n    return tuple(2 * dy * x for x in xs)\n"))
    check_adjoint(f, X, X + 1)
    _, tangent = jvp(function_of("def f(x, w):\n    return g(x, w) * x[0]\n", g=f), (X, X), (X, X))
    np.testing.assert_allclose(tangent, 6 * np.sum(X * X) * X[0], rtol=1e-12)


def test_forward_mode_sees_a_missing_gradient_and_a_wrong_shape() -> None:
    """Either was a tangent of zero, or of another function, before."""
    f = function_of("def f(x, w):\n    return x * np.sum(w)\n")
    loss = function_of("def f(x, w):\n    return np.sum(g(x, w))\n", g=f)
    adjoint(f)(function_of("def f(dy, y, x, w):\n    return dy * np.sum(w), None\n"))
    np.testing.assert_allclose(jvp(loss, (X, X), (X, None))[1], 36.0)
    with pytest.raises(NotDifferentiable, match="it gives no gradient for w, which moves"):
        jvp(loss, (X, X), (None, X))
    adjoint(f)(function_of("def f(dy, y, x, w):\n    return dy * np.sum(w), np.sum(dy * x)\n"))
    with pytest.raises(NotDifferentiable, match="its gradient for w has another shape than w"):
        jvp(loss, (X, X), (None, X))


def test_matrices_of_derivatives_ask_only_for_what_is_wanted() -> None:
    """A rule that has no gradient for another argument was asked for one."""
    f = function_of("def f(x, b):\n    return x**2 * b\n")
    adjoint(f)(function_of("def f(dy, y, x, b):\n    return 2 * dy * x * b, None\n"))
    loss = function_of("def f(x, b):\n    return g(x, b)\n", g=f)
    total = function_of("def f(x, b):\n    return np.sum(g(x, b))\n", g=f)
    np.testing.assert_allclose(jacobian(loss)(X, 2.0), np.diag(4 * X))
    np.testing.assert_allclose(hessian(total)(X, 2.0), np.diag(np.full_like(X, 4.0)))
    with pytest.raises(NotDifferentiable, match="gives no gradient for b, which moves"):
        jacobian(loss, wrt=1)(X, 2.0)


def test_a_starred_function_that_writes() -> None:
    f = function_of("def f(*xs):\n    xs[0][0] = 1.0\n    return xs[0] * xs[1]\n")
    adjoint(f)(function_of("def f(dy, y, a, b):\n    return dy * b, dy * a\n"))
    loss = function_of("def f(x):\n    return np.sum(g(2 * x, x))\n", g=f)
    with pytest.raises(NotDifferentiable, match="writes to its argument 'xs'"):
        grad(loss)(X)


@pytest.mark.parametrize(
    ("rule", "line", "said"),
    [
        ("    dy = 1.0\n    return dy * w, dy * x\n", 2, "assigns to 'dy'"),
        ("    n = dy.shape\n    return w * n[0], x\n", 1, "reads only the shape of 'dy'"),
        ("    return dy * w / 2\n", 2, "returns 1 gradient:"),
        ("    return [dy * w]\n", 2, "returns 1 gradient:"),
        ("    dy * w\n", 1, "returns nothing"),
        ("    return np.ones_like(dy) * w, len(dy) * x\n", 1, "reads only the shape of 'dy'"),
        ("    if dy is None:\n        return w, x\n    return x, w\n", 1, "reads only the shape"),
        ("    g = dy * w\n    return w, x\n", 3, "does not depend on 'dy'"),
        ("    print(dy)\n    g = w\n    return g, x\n", 4, "does not depend on 'dy'"),
        ("    yield dy * w, dy * x\n", 1, "is a generator: return the gradients"),
        ("    return (dy * v for v in (w, x))\n", 2, "returns a generator: one gradient"),
        ("    return lambda: (dy * w, dy * x)\n", 2, "returns a function: one gradient"),
        ("    return {'x': dy * w, 'w': dy * x}\n", 2, "returns a dict: one gradient"),
        ("    three = dy * w, dy * x, None\n    return three\n", 3, "returns 3 gradients:"),
    ],
)
def test_rules_that_cannot_be_right(rule: str, line: int | None, said: str) -> None:
    product = function_of("def f(x, w):\n    return x * w\n")
    error = refused(f"def f(dy, y, x, w):\n{rule}", of=product)
    assert said in error.msg
    assert error.lineno == line


@pytest.mark.parametrize(
    "rule",
    [
        "    dy = np.asarray(dy)\n    return dy * w, dy * x\n",
        "    g = np.zeros(dy.shape) + dy\n    return g * w, g * x\n",
        "    pair = dy * w, dy * x\n    return pair\n",
        "    raise ValueError(dy)\n",
        "    g = np.zeros(len(x))\n    g[1:] += dy[1:]\n    return g * w, g * x\n",
        "    g = np.zeros(len(x))\n    np.multiply(dy, 2, out=g)\n    return g * w, g * x\n",
        "    g = np.zeros(len(x))\n    v = g[1:]\n    v += dy[1:]\n    return g * w, g * x\n",
        "    g = []\n    for d in dy:\n        g.append(d)\n    return g * w, g * x\n",
        "    g = [w, x]\n    g[0], g[1] = dy * w, dy * x\n    return g\n",
        "    def times(v):\n        return dy * v\n    return times(w), times(x)\n",
        "    g = 0.0\n    if np.all(dy > 0):\n        g = 1.0\n    return g * w, g * x\n",
        "    n = dy.shape\n    g = w * dy.T if n else dy\n    return tuple(g)\n",
        "    with np.errstate(all='ignore') as e, open(dy) as g:\n        return g, g\n",
        "    return (g := dy * 2) * w, g * x\n",
    ],
)
def test_rules_that_may_be_right(rule: str) -> None:
    product = function_of("def f(x, w):\n    return x * w\n")
    adjoint(product)(function_of(f"def f(dy, y, x, w):\n{rule}"))


def scaled_product(x: Any, y: Any) -> Any:
    return 3 * x * y


def test_a_rule_may_fill_the_list_of_its_gradients() -> None:
    @adjoint(scaled_product)
    def filled(dz: Any, z: Any, x: Any, y: Any) -> Any:
        gradients = []
        for other in (y, x):
            gradients.append(3 * dz * other)
        return gradients

    def f(x: Any, y: Any) -> Any:
        return np.sum(scaled_product(x, y) * x)

    x, y = np.array([0.5, -0.6]), np.array([1.5, 0.4])
    dx, dy = grad(f, wrt=(0, 1))(x, y)
    np.testing.assert_allclose(dx, 6 * x * y)
    np.testing.assert_allclose(dy, 3 * x**2)
