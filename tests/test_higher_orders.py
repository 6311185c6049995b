"""Forward mode and higher orders: what the operators take, give and refuse."""

from __future__ import annotations

import pickle
import threading
from typing import Any

import numpy as np
import pytest
from corpus import positives, values
from every_mode import check_along
from numeric import numeric_gradient

from tangentish import (
    NotDifferentiable,
    differentiate,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    value_and_grad,
    vjp,
)


@differentiate
def energy(x, a=2.0, *, power=3):
    return np.sum(np.sin(x) * x**power) * a


@differentiate
def spread_out(x, y):
    return np.stack([x * y, np.cos(x) * y**2])


class Model:
    rate = 2.0

    @differentiate
    def loss(self, x, y=1.0):
        return np.sum(x**3) * y


def moved(function: Any, args: tuple[Any, ...], tangents: tuple[Any, ...], h: float = 1e-4) -> Any:
    """The directional derivative by differences."""

    def at(step: float) -> np.ndarray:
        pairs = zip(args, tangents, strict=True)
        return np.asarray(function(*(a if t is None else a + step * t for a, t in pairs)))

    wide, narrow = ((at(s) - at(-s)) / (2 * s) for s in (h, h / 2))
    return (4 * narrow - wide) / 3


# ------------------------------------------------------------------------------------------ jvp


def test_jvp() -> None:
    x, v = values(1, 4), values(2, 4)
    value, tangent = energy.jvp((x, 0.5), (v, 2.0))
    assert value == energy(x, 0.5)
    assert tangent == pytest.approx(moved(energy, (x, 0.5), (v, 2.0)))
    assert jvp(energy, (x,), (v,))[1] == pytest.approx(moved(energy, (x,), (v,)))
    assert jvp(energy, (x, 0.5), (None, 1.0))[1] == pytest.approx(energy(x, 1.0))
    assert jvp(energy, [x], [v]) == jvp(energy, (x,), (v,))


def test_jvp_of_several_outputs() -> None:
    def several(x, n):
        return np.sum(x), x * 2, n, "text", np.zeros(2)

    x = values(1, 3)
    value, tangent = jvp(several, (x, 4), (np.ones(3), None))
    assert value[2:4] == (4, "text")
    assert tangent[0] == 3.0
    assert tangent[1].tolist() == [2.0, 2.0, 2.0]
    assert tangent[2] is None
    assert tangent[3] is None
    assert tangent[4].tolist() == [0.0, 0.0]


def test_jvp_of_a_procedure() -> None:
    def scale(x, s):
        x *= s
        x[0] = s**2

    x, kept = values(1, 3), values(1, 3)
    value, tangent = jvp(scale, (x, 3.0), (np.ones(3), 1.0))
    assert np.array_equal(x, kept)
    assert np.array_equal(value, [9.0, *(3 * kept[1:])])
    assert np.allclose(tangent, [6.0, *(3.0 + kept[1:])])


def test_tangents_are_fresh_and_of_the_dtype_of_the_argument() -> None:
    def same(x):
        return x

    x, v = values(1, 3).astype(np.float32), np.arange(3)
    _, tangent = jvp(same, (x,), (v,))
    assert tangent.dtype == np.float32
    v = values(2, 3).astype(np.float32)
    _, tangent = jvp(same, (x,), (v,))
    assert not np.shares_memory(tangent, v)
    _, tangent = jvp(same, (np.float32(2.0),), (1.0,))
    assert type(tangent) is np.float32


@pytest.mark.parametrize(
    ("args", "tangents", "error", "says"),
    [
        ((np.ones(3),), (np.ones(2),), ValueError, r"has shape \(2,\), the argument \(3,\)"),
        ((np.ones(3),), (1.0,), TypeError, "must be an array of floats"),
        ((np.ones(3),), (np.ones(3, complex),), TypeError, "must be an array of floats"),
        ((np.ones(3), 1.0), (np.ones(3),), ValueError, "2 arguments, 1 tangents"),
        ((np.ones(3), 1.0), (None, None), ValueError, "nothing moves"),
        ((np.ones(3), 1.0), (None, np.ones(3)), TypeError, "must be a float"),
        ((np.ones(3), 1.0), (None, "a"), TypeError, "must be a float"),
        ((np.arange(3), 1.0), (np.ones(3), None), TypeError, r"pass x.astype\(float\)"),
        (np.ones(3), (np.ones(3),), TypeError, "takes a tuple of arguments"),
        ((np.ones(3),), np.ones(3), TypeError, "takes a tuple of tangents"),
        ((), (), ValueError, "nothing moves"),
    ],
)
def test_tangents_that_do_not_fit(args: Any, tangents: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        jvp(energy, args, tangents)


def test_jvp_source() -> None:
    text = energy.jvp.source(values(1, 3), 2.0)
    assert text.startswith("def energy_jvp(x, a=2.0, *, power=3, x_dot, a_dot):")
    assert "x_dot" in energy.hvp.source(values(1, 3), values(1, 3))


# ------------------------------------------------------------------------------------- matrices


def test_jacobian_in_both_modes() -> None:
    x, y = values(1, 3), positives(2, 3)
    found = jacobian(spread_out)(x, y)
    assert found.shape == (2, 3, 3)
    assert np.allclose(found[0], np.diag(y))
    assert np.allclose(found[1], np.diag(-np.sin(x) * y**2))
    both = jacobian(spread_out, wrt=("x", "y"))(x, y)
    assert np.allclose(both[0], found)
    assert np.allclose(both[1][0], np.diag(x))

    def mixes(x):
        return np.array([np.sum(x**2), x[0] * x[1]])

    assert np.allclose(jacobian(mixes)(x), [2 * x, [x[1], x[0], 0.0]])


def test_jacobian_of_scalars_and_tuples() -> None:
    def square(x):
        return x * x

    assert jacobian(square)(3.0) == 6.0

    def several(x):
        return np.sum(x**2), 3, x * 2

    x = values(1, 3)
    first, second, third = jacobian(several)(x)
    assert np.allclose(first, 2 * x)
    assert second is None
    assert np.allclose(third, 2 * np.eye(3))


def test_jacobian_evaluates_the_function_once_in_reverse() -> None:
    calls = []

    def counted(x):
        calls.append(1)
        return np.array([x[0] * x[1], x[2]])

    x = values(1, 3)
    assert np.allclose(jacobian(counted)(x), [[x[1], x[0], 0.0], [0.0, 0.0, 1.0]])
    assert len(calls) == 1


def layer(p, x):
    return np.tanh(x @ p["w"] + p["b"]) * p["n"]


def penalty(p, x):
    return np.sum(layer(p, x) ** 2 * p["b"])


def weights():
    return {"w": values(1, 3, 2), "b": values(2, 2), "n": 3}


def test_jacobian_of_structured_arguments() -> None:
    p, x = weights(), values(3, 4, 3)
    found = jacobian(layer)(p, x)
    assert found.keys() == p.keys()
    assert found["n"] is None
    flat = jacobian(lambda w, b, x: layer({"w": w, "b": b, "n": 3}, x), wrt=(0, 1))
    for name, expected in zip(("w", "b"), flat(p["w"], p["b"], x), strict=True):
        assert found[name].shape == (4, 2, *p[name].shape)
        assert np.allclose(found[name], expected, rtol=1e-12)
    assert np.allclose(jacobian(penalty)(p, x)["w"], grad(penalty)(p, x)["w"], rtol=1e-12)


def test_hessian_of_structured_arguments() -> None:
    p, x = weights(), values(3, 4, 3)
    v = {"w": values(4, 3, 2), "b": values(5, 2), "n": None}
    found, product = hessian(penalty)(p, x), hvp(penalty)(p, v, x)
    tangent = jvp(grad(penalty), (p, x), (v, None))[1]
    assert found["n"] is None
    assert product["n"] is None
    flat = hessian(lambda w, b, x: penalty({"w": w, "b": b, "n": 3}, x), wrt=(0, 1))
    rows = flat(p["w"], p["b"], x)
    for row, name in enumerate(("w", "b")):
        assert np.allclose(found[name][name], rows[row][row], rtol=1e-12)
        along = sum(np.tensordot(found[name][k], v[k], v[k].ndim) for k in ("w", "b"))
        assert np.allclose(product[name], along, rtol=1e-12)
        assert np.allclose(tangent[name], along, rtol=1e-12)
    assert np.allclose(found["w"]["b"], np.moveaxis(found["b"]["w"], 0, -1), rtol=1e-12)
    summed = grad(grad(penalty))(p, x)
    ones = hvp(penalty)(p, {"w": np.ones((3, 2)), "b": np.ones(2), "n": None}, x)
    assert np.allclose(summed["w"], ones["w"], rtol=1e-12)


def test_second_derivatives_by_several_structures() -> None:
    def f(p, q):
        return p[0] ** 2 * p[1] * q

    found = hessian(f, wrt=(0, 1))((1.5, 2.0), 3.0)
    assert found == ((((12.0, 9.0), 6.0), ((9.0, 0.0), 2.25)), ((6.0, 2.25), 0.0))
    outputs = jacobian(lambda p: ([p[0] * p[1], p[1] ** 2], {"a": p[0]}))((1.5, 2.0))
    assert outputs == ([(2.0, 1.5), (0.0, 4.0)], {"a": (1.0, 0.0)})


def test_tangents_have_the_structure_of_their_arguments() -> None:
    p, x = weights(), values(3, 4, 3)
    w, b = p["w"], p["b"]
    for tangent, error, says in (
        ({"w": w}, TypeError, "must have the structure of the argument: a dict"),
        ([w, b, None], TypeError, "must have the structure of the argument: a dict"),
        ({"w": w, "b": b[:1], "n": None}, ValueError, "at 'b' has shape"),
        ({"w": w, "b": b, "n": 1}, TypeError, "at 'n' must be None"),
        ({"w": w, "b": "b", "n": None}, TypeError, "at 'b' must be an array of floats"),
    ):
        with pytest.raises(error, match=says):
            jvp(penalty, (p, x), (tangent, None))
    still = jvp(penalty, (p, x), ({"b": b, "w": None, "n": None}, None))[1]
    assert np.allclose(still, np.sum(grad(penalty)(p, x)["b"] * b), rtol=1e-12)


def test_tangents_that_share_memory() -> None:
    def f(p):
        p[0][0] = p[1][1] * p[0][1]
        p[1][0] = p[0][0]
        return np.sum(p[0] * p[1])

    a, v = values(1, 3), values(2, 3)
    apart = jvp(f, ([a, 2 * a],), ([v, v.copy()],))
    assert jvp(f, ([a, 2 * a],), ([v, v],)) == apart
    assert np.array_equal(v, values(2, 3))
    expected = hvp(f)([a, 2 * a], [v, v.copy()])
    assert np.array_equal(hvp(f)([a, 2 * a], [v, v]), expected)
    assert jvp(f, ([a, v],), ([a, v],)) == jvp(f, ([a, v],), ([a.copy(), v.copy()],))
    for call in (lambda: jvp(f, ([a, a],), ([a, v],)), lambda: hvp(f)([a, a], [a, v])):
        with pytest.raises(ValueError, match="share memory"):
            call()


def test_one_container_given_twice_and_stored_to() -> None:
    def f(p):
        p[0]["a"] = p[1]["a"] * p[0]["a"]
        return p[0]["a"] * p[1]["a"]

    one, v = {"a": 2.0}, {"a": 1.0}
    assert hvp(f)([one, {"a": 2.0}], [v, v]) == [{"a": 4.0}, {"a": 8.0}]
    for call in (lambda: jvp(f, ([one, one],), ([v, v],)), lambda: hvp(f)([one, one], [v, v])):
        with pytest.raises(ValueError, match="twice|share"):
            call()


def test_objects_that_hold_each_other() -> None:
    class Node:
        pass

    node = Node()
    node.weight, node.parent = 2.0, node
    assert jvp(lambda x, node: x * node.weight, (3.0, node), (1.0, None)) == (6.0, 2.0)
    assert grad(lambda x, node: x * node.weight)(3.0, node) == 2.0


def test_hessian() -> None:
    x = values(1, 4)
    found = hessian(energy)(x, 0.5)
    for k in range(4):
        row = numeric_gradient(lambda x, a, k=k: energy.grad(x, a)[k], (x, 0.5), 0, 1.0, written=())
        assert np.allclose(found[k], row, atol=1e-7)
    assert np.allclose(found, found.T, rtol=1e-14)
    assert np.allclose(jacobian(grad(energy))(x, 0.5), found)
    assert np.array_equal(energy.hessian(x, 0.5), found)


def test_hessian_with_respect_to_several() -> None:
    def quadratic(x, y):
        return np.sum(x**2) * y + y**3

    x = values(1, 2)
    (xx, xy), (yx, yy) = hessian(quadratic, wrt=(0, 1))(x, 2.0)
    assert np.allclose(xx, 4.0 * np.eye(2))
    assert np.allclose(xy, 2 * x)
    assert np.allclose(yx, 2 * x)
    assert yy == pytest.approx(12.0)


def test_hessian_product() -> None:
    x, v = values(1, 4), values(2, 4)
    assert np.allclose(hvp(energy)(x, v, 0.5), hessian(energy)(x, 0.5) @ v)
    assert np.allclose(energy.hvp(x, v, 0.5, power=2), energy.hessian(x, 0.5, power=2) @ v)
    assert np.allclose(hvp(energy)(x, x), hessian(energy)(x) @ x)

    def two(x, y):
        return np.sum(x**2) * y

    assert hvp(two, wrt=1)(x, 1.0, 3.0) == 0.0
    by_x, by_y = hvp(two, wrt=(0, 1))(x, (v, 0.5), 3.0)
    assert np.allclose(by_x, 6.0 * v + 2 * x * 0.5)
    assert by_y == pytest.approx(2 * x @ v)
    with pytest.raises(TypeError, match="takes v right after the first argument"):
        hvp(energy)(x)
    with pytest.raises(TypeError, match="takes a tuple of as many vectors"):
        hvp(two, wrt=(0, 1))(x, v, 3.0)
    with pytest.raises(ValueError, match="has shape"):
        hvp(energy)(x, v[:2])


def test_products_of_functions_that_write() -> None:
    def climbs(x, n):
        for i in range(1, n):
            x[i] = x[i - 1] * np.sin(x[i])
        return np.sum(x**2)

    x, v = values(1, 5), values(2, 5)
    kept = x.copy()
    product = hvp(climbs)(x, v, 5)
    assert np.array_equal(x, kept)
    assert np.allclose(product, hessian(climbs)(x, 5) @ v)
    assert np.allclose(hvp(climbs)(x, x, 5), hessian(climbs)(x, 5) @ x)
    assert np.array_equal(x, kept)
    strided = np.repeat(x, 2)[::2]
    assert np.allclose(hvp(climbs)(strided, strided, 5), hessian(climbs)(x, 5) @ x)


# ------------------------------------------------------------------------------- compositions


def test_gradients_of_gradients() -> None:
    def cubed(x):
        return np.sin(x) * x**3

    orders = [grad(cubed)]
    for _ in range(3):
        orders.append(grad(orders[-1]))
    for low, high in zip(orders, orders[1:], strict=False):
        assert high(0.7) == pytest.approx(
            numeric_gradient(low, (0.7,), 0, 1.0, written=()), rel=1e-6
        )
    x = values(1, 3)
    assert np.allclose(grad(grad(energy))(x), hessian(energy)(x) @ np.ones(3))
    assert orders[2].__name__ == "cubed.grad.grad.grad"
    assert orders[1] is grad(orders[0])


def test_mixed_gradients() -> None:
    def product(x, y):
        return np.sum(np.sin(x) * y**2)

    x, y = values(1, 3), positives(2, 3)
    assert np.allclose(grad(grad(product), wrt="y")(x, y), 2 * y * np.cos(x))
    assert np.allclose(grad(grad(product, wrt=1), wrt=0)(x, y), 2 * y * np.cos(x))
    by_x, by_y = grad(grad(product), wrt=(0, 1))(x, y)
    assert np.allclose(by_x, -np.sin(x) * y**2)
    assert np.allclose(by_y, 2 * y * np.cos(x))
    assert np.allclose(jacobian(grad(product), wrt=1)(x, y), np.diag(2 * y * np.cos(x)))


def test_both_modes_of_a_gradient() -> None:
    x, v = values(1, 4), values(2, 4)
    matrix = hessian(energy)(x)
    value, tangent = jvp(grad(energy), (x,), (v,))
    assert np.array_equal(value, energy.grad(x))
    assert np.allclose(tangent, matrix @ v)
    value, pullback = vjp(grad(energy), x)
    assert np.array_equal(value, energy.grad(x))
    assert np.allclose(pullback(v)[0], v @ matrix)
    assert np.allclose(pullback(v)[0], v @ matrix)
    with pytest.raises(ValueError, match="has shape"):
        pullback(v[:2])


def test_third_order() -> None:
    def cubic(x):
        return x[0] ** 2 * x[1] + x[1] ** 3 * x[2]

    x = values(1, 3)
    third = jacobian(grad(grad(cubic)))(x)
    for k in range(3):
        row = numeric_gradient(lambda x, k=k: grad(grad(cubic))(x)[k], (x,), 0, 1.0, written=())
        assert np.allclose(third[k], row)
    assert np.allclose(hessian(grad(cubic))(x), third)


def test_what_can_not_be_differentiated_again() -> None:
    for made in (energy.vjp, energy.value_and_grad, grad(energy, wrt=("x", "a")), energy.jacobian):
        with pytest.raises(TypeError):
            grad(made)
    with pytest.raises(TypeError, match="value_and_grad of a gradient"):
        value_and_grad(grad(energy))

    def several(x):
        return x, x

    with pytest.raises(TypeError, match="returns 2 values"):
        hessian(several)(1.0)


def test_nested_calls_of_operators() -> None:
    def confusing(x):
        return x * grad(lambda y: x + y)(1.0)

    def steps(x):
        return x - 0.1 * energy.grad(x)

    def along(x):
        return energy.jvp((x,), (x,))[1]

    x = values(1, 3)
    assert jacobian(confusing)(x) == pytest.approx(3 * np.eye(3))
    assert jacobian(steps)(x) == pytest.approx(np.eye(3) - 0.1 * hessian(energy)(x))
    with pytest.raises(NotDifferentiable, match="of derivatives inside a differentiated function"):
        jacobian(along)(x)


def test_a_derivative_inside_of_what_writes_to_its_arguments_is_refused() -> None:
    def doubled(x):
        def inner(u):
            u[0] *= 2
            return np.sum(u * u * x)

        return np.sum(grad(inner)(x * 3) * x)

    with pytest.raises(NotDifferentiable, match="a function that writes to its arguments"):
        grad(doubled)(values(1, 3))


def test_derivatives_that_have_no_end_are_refused() -> None:
    def endless(x, n):
        if n == 0:
            return x * x
        return grad(lambda t: endless(t, n - 1))(x)

    with pytest.raises(NotDifferentiable, match="without end"):
        grad(endless)(1.0, 1)


# ------------------------------------------------------------------------- methods, threads, pickles


def test_methods() -> None:
    model, x, v = Model(), values(1, 3), values(2, 3)
    assert model.loss.jvp((x, 2.0), (v, None))[1] == pytest.approx(np.sum(6 * x**2 * v))
    assert np.allclose(model.loss.hessian(x), np.diag(6 * x))
    assert np.allclose(model.loss.hvp(x, v, 2.0), 12 * x * v)
    assert np.allclose(model.loss.jacobian(x), 3 * x**2)
    assert np.allclose(grad(model.loss.grad)(x), 6 * x)
    assert np.allclose(hessian(model.loss)(x), np.diag(6 * x))
    assert np.allclose(jvp(model.loss, (x,), (v,))[1], np.sum(3 * x**2 * v))


def test_float32_stays_float32() -> None:
    x, v = values(1, 3).astype(np.float32), values(2, 3).astype(np.float32)
    assert energy.jvp((x,), (v,))[1].dtype == np.float32
    assert energy.hvp(x, v).dtype == np.float32
    assert energy.hessian(x).dtype == np.float32
    assert jacobian(spread_out)(x, x).dtype == np.float32
    assert grad(grad(energy))(x).dtype == np.float32


def test_pickles() -> None:
    for made in (energy.jvp, energy.hvp, energy.hessian, energy.jacobian, grad(grad(energy))):
        again = pickle.loads(pickle.dumps(made))
        assert again.__qualname__ == made.__qualname__
    again = pickle.loads(pickle.dumps(energy.hessian))
    assert np.array_equal(again(values(1, 3)), energy.hessian(values(1, 3)))


def test_threads() -> None:
    x = values(1, 5)
    expected = hessian(energy)(x)
    found: list[Any] = []
    workers = [threading.Thread(target=lambda: found.append(hessian(energy)(x))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(np.array_equal(one, expected) for one in found)
    assert len(found) == 4


scale = 2.0


def test_globals_are_read_at_every_call() -> None:
    global scale

    def scaled(x):
        return np.sum(x**3) * scale

    x = values(1, 2)
    second = grad(grad(scaled))
    try:
        for scale in (2.0, 3.0, np.float64(4.0)):
            assert np.allclose(second(x), 6 * x * scale)
            assert jvp(scaled, (x,), (x,))[1] == pytest.approx(3 * np.sum(x**3) * scale)
    finally:
        scale = 2.0


def test_tangents_beside_any_keywords() -> None:
    """They stand before `**keywords`, which stays last: the kinds of both were confused before."""

    def f(image: Any, dr: float, **keywords: float) -> Any:
        return np.sum(image) * np.sin(dr) * image * keywords.get("scale", 1.0)

    def total(image: Any, dr: float, **keywords: float) -> Any:
        return np.sum(f(image, dr, **keywords))

    image, along, h = values(0, 3, 3), values(1, 3, 3), 1e-5
    slope = grad(f, wrt=1)
    expected = (slope(image + h * along, 1.3) - slope(image - h * along, 1.3)) / (2 * h)
    assert jvp(slope, (image, 1.3), (along, None))[1] == pytest.approx(expected, rel=1e-7)
    up, down = (grad(total)(image + step * along, 0.4, scale=2.0) for step in (h, -h))
    found = hvp(total)(image, along, 0.4, scale=2.0)
    np.testing.assert_allclose(found, (up - down) / (2 * h), rtol=1e-6, atol=1e-8)


def branching(t, n):
    if n < 2:
        return t * t
    return branching(t, n - 1) * branching(np.sin(t), n - 2) + branching(t, n - 2)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_the_gradient_of_a_recursion_inside_of_a_function(n: int) -> None:
    """It calls itself three times; what its pair saves would nest without end."""

    def steepness(x, c):
        return grad(branching)(x * c, n) ** 2 * x

    args = (0.7, 1.3)
    assert steepness(*args) == pytest.approx(value_and_grad(steepness)(*args)[0])
    for wrt in (0, 1):
        numeric = numeric_gradient(steepness, args, wrt, 1.0)
        assert grad(steepness, wrt=wrt)(*args) == pytest.approx(numeric, rel=1e-6)
        moving = (1.0, None) if wrt == 0 else (None, 1.0)
        assert jvp(steepness, args, moving)[1] == pytest.approx(numeric, rel=1e-6)


def some_places(x):
    return np.sum(np.sin(np.take(x, [0, 1])) * np.pad(x, 1, "edge")[:2])


SLOPES_AT_PLACES = grad(some_places)


def gradients_under_a_name_of_the_module(x):
    """Their helpers look into the modules that are loaded, and change none of them."""
    return np.sum(SLOPES_AT_PLACES(x) * x)


def test_gradients_under_a_name_of_the_module() -> None:
    check_along(
        gradients_under_a_name_of_the_module, np.array([0.3, 0.5, 0.7]), np.array([1.0, -2.0, 0.4])
    )


def with_a_helper(x):
    return np.sum(np.sinc(x) ** 2 * np.sqrt(x))


def test_a_helper_has_one_name_in_second_derivatives() -> None:
    """The tangent that is differentiated calls it under its name already."""
    x = np.array([0.3, 1.2])
    source = hvp(with_a_helper).source(x, x)
    assert "sinc_slope(x, 2)" in source
    assert "sinc_slope_1" not in source
    assert "root_adjoint_1" not in source
    third = grad(lambda y: np.sum(hvp(with_a_helper)(y, x)))(x)
    h = 1e-5
    slopes = [
        np.sum(hvp(with_a_helper)(x + h * e, x) - hvp(with_a_helper)(x - h * e, x)) / (2 * h)
        for e in np.eye(2)
    ]
    np.testing.assert_allclose(third, slopes, 1e-6)
