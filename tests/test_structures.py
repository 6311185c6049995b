"""Gradients of structured arguments: in the same structure, right, with nothing changed or shared."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from structured_programs import CASES, Model, Net, Shape

from tangentish import NotDifferentiable, differentiate, grad, hvp, jvp, value_and_grad, vjp

GOLDEN = Path(__file__).parent / "golden_structures"
ALL = [pytest.param(*case, id=name) for name, case in CASES.items()]


def parts(x: Any) -> list[tuple[Any, Any]] | None:
    if isinstance(x, dict):
        return list(x.items())
    if isinstance(x, (tuple, list)):
        return list(enumerate(x))
    return list(vars(x).items()) if hasattr(x, "__dict__") else None


def is_float(x: Any) -> bool:
    return isinstance(x, float) or (isinstance(x, np.ndarray) and x.dtype.kind == "f")


def leaves(x: Any) -> Iterator[Any]:
    inner = parts(x)
    if inner is None:
        yield x
    for _, item in inner or ():
        yield from leaves(item)


def same_structure(g: Any, x: Any) -> bool:
    """The structure of a gradient is that of its argument, with None for what is no float."""
    inner = parts(x)
    if inner is None:
        return np.shape(g) == np.shape(x) and g is not None if is_float(x) else g is None
    mine = parts(g)
    if mine is None or type(g) is not type(x) or [k for k, _ in mine] != [k for k, _ in inner]:
        return False
    return all(same_structure(a, b) for (_, a), (_, b) in zip(mine, inner, strict=True))


def rebuilt(x: Any, new: list[Any]) -> Any:
    """The same structure with other parts, in their order."""
    if isinstance(x, dict):
        return dict(zip(x, new, strict=True))
    if isinstance(x, (tuple, list)):
        return type(x)(*new) if hasattr(x, "_fields") else type(x)(new)
    other = copy.copy(x)
    for name, item in zip(vars(x), new, strict=True):
        object.__setattr__(other, name, item)
    return other


def moved(x: Any, distance: float, rng: np.random.Generator) -> Any:
    """The argument, its floats moved along a random direction."""
    if is_float(x):
        step = rng.normal(size=np.shape(x))
        return x + distance * (step if isinstance(x, np.ndarray) else float(step))
    inner = parts(x)
    if inner is None:
        return x
    return rebuilt(x, [moved(item, distance, rng) for _, item in inner])


def along(g: Any, x: Any, rng: np.random.Generator) -> float:
    """The product of a gradient with the direction in which `moved` moves."""
    if is_float(x):
        return float(np.sum(g * rng.normal(size=np.shape(x))))
    pairs = zip(parts(g) or (), parts(x) or (), strict=True)
    return sum(along(a, b, rng) for (_, a), (_, b) in pairs)


def slope(f: Any, args: tuple[Any, ...], k: int, seed: int) -> float:
    def at(distance: float) -> float:
        new = [copy.deepcopy(a) for a in args]
        new[k] = moved(new[k], distance, np.random.default_rng(seed))
        return float(np.sum(f(*new)))

    h = 1e-3
    coarse, fine = ((at(s) - at(-s)) / (2 * s) for s in (h, h / 2))
    return (4 * fine - coarse) / 3


@pytest.mark.parametrize(("f", "args", "wrt"), ALL)
def test_gradients(f: Any, args: tuple[Any, ...], wrt: tuple[int, ...]) -> None:
    before = copy.deepcopy(args)
    value, gradients = value_and_grad(f, wrt=wrt)(*args)
    assert value == f(*copy.deepcopy(args))
    assert all(np.array_equal(a, b) for a, b in zip(leaves(args), leaves(before), strict=True))
    for k, g in zip(wrt, gradients, strict=True):
        assert same_structure(g, args[k])
        for seed in (1, 2):
            truth = slope(f, args, k, seed)
            assert along(g, args[k], np.random.default_rng(seed)) == pytest.approx(truth, rel=1e-6)
    arrays = [a for a in leaves((args, value)) if isinstance(a, np.ndarray)]
    mine = [a for a in leaves(gradients) if isinstance(a, np.ndarray)]
    assert not any(np.shares_memory(a, b) for a in mine for b in arrays)


@pytest.mark.parametrize(("f", "args", "wrt"), ALL)
def test_pullbacks(f: Any, args: tuple[Any, ...], wrt: tuple[int, ...]) -> None:
    expected = grad(f, wrt=wrt)(*args)
    value, pullback = vjp(f, *copy.deepcopy(args))
    assert value == f(*copy.deepcopy(args))
    for _ in range(2):
        gradients = pullback(1.0)
        assert len(gradients) == len(args)
        for k, g in zip(wrt, expected, strict=True):
            if not isinstance(
                args[k], (Net, Shape)
            ):  # an object is no data, unless it is asked for
                assert same_structure(gradients[k], args[k])
                pairs = zip(leaves(gradients[k]), leaves(g), strict=True)
                assert all(a is b is None or np.allclose(a, b) for a, b in pairs)


def direction(x: Any, rng: np.random.Generator) -> Any:
    """The direction in which `moved` moves, in the structure of the argument."""
    if is_float(x):
        step = rng.normal(size=np.shape(x))
        return step if isinstance(x, np.ndarray) else float(step)
    inner = parts(x)
    if inner is None:
        return None
    return rebuilt(x, [direction(item, rng) for _, item in inner])


@pytest.mark.parametrize(("f", "args", "wrt"), ALL)
def test_tangents(f: Any, args: tuple[Any, ...], wrt: tuple[int, ...]) -> None:
    """Forward mode is the product with the gradient."""
    before = copy.deepcopy(args)
    rng = np.random.default_rng
    tangents = tuple(direction(a, rng(1)) if k in wrt else None for k, a in enumerate(args))
    given = copy.deepcopy(tangents)
    value, tangent = jvp(f, args, tangents)
    assert value == f(*copy.deepcopy(args))
    for now, old in ((args, before), (tangents, given)):
        assert all(np.array_equal(a, b) for a, b in zip(leaves(now), leaves(old), strict=True))
    gradients = grad(f, wrt=wrt)(*args)
    expected = sum(along(g, args[k], rng(1)) for k, g in zip(wrt, gradients, strict=True))
    assert tangent == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(("f", "args", "wrt"), ALL)
def test_second_derivatives(f: Any, args: tuple[Any, ...], wrt: tuple[int, ...]) -> None:
    """The Hessian's product with a direction, against differences of gradients along it."""
    for k in wrt:
        v, h = direction(args[k], np.random.default_rng(1)), 1e-3

        def at(distance: float, k: int = k) -> list[Any]:
            new = [copy.deepcopy(a) for a in args]
            new[k] = moved(new[k], distance, np.random.default_rng(1))
            return [g for g in leaves(grad(f, wrt=k)(*new)) if g is not None]

        found = hvp(f, wrt=k)(args[0], v, *args[1:])
        assert same_structure(found, args[k])
        rows = zip(at(h), at(-h), at(h / 2), at(-h / 2), strict=True)
        products = [g for g in leaves(found) if g is not None]
        for product, (a, b, c, d) in zip(products, rows, strict=True):
            truth = (8 * (c - d) - (a - b)) / (6 * h)
            assert np.allclose(product, truth, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(("f", "args", "wrt"), ALL)
def test_gradients_of_gradients(f: Any, args: tuple[Any, ...], wrt: tuple[int, ...]) -> None:
    """The gradient of the sum of a gradient, against differences of that sum along a direction."""
    for k in wrt:

        def summed(*args: Any, k: int = k) -> float:
            found = leaves(grad(f, wrt=k)(*args))
            return sum(float(np.sum(g)) for g in found if g is not None)

        found = grad(grad(f, wrt=k), wrt=k)(*args)
        assert same_structure(found, args[k])
        truth = slope(summed, args, k, 1)
        product = along(found, args[k], np.random.default_rng(1))
        assert product == pytest.approx(truth, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(("f", "args", "wrt"), ALL)
def test_source(f: Any, args: tuple[Any, ...], wrt: tuple[int, ...], update_golden: bool) -> None:
    path = GOLDEN / f"{f.__name__}.py.txt"
    text = "\n\n".join((grad(f, wrt=wrt).source(*args), differentiate(f).jvp.source(*args)))
    if update_golden:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


def test_other_kinds_of_elements_are_another_derivative() -> None:
    def f(p):
        return np.sum(p["a"]) * 2

    assert grad(f)({"a": 1.0}) == {"a": 2.0}
    assert np.array_equal(grad(f)({"a": np.ones(2)})["a"], [2.0, 2.0])
    assert grad(f)({"b": 3, "a": 1.0}) == {"b": None, "a": 2.0}


def test_float32_stays() -> None:
    def f(p):
        return np.sum(p[0] ** 2 * p[1])

    first, second = grad(f)((np.ones(2, np.float32), np.float32(2)))
    assert first.dtype == np.float32
    assert second.dtype == np.float32


def test_without_floats() -> None:
    with pytest.raises(TypeError, match="without floats"):
        grad(lambda p: p[0] * 1.0)([1, 2])


def test_an_array_twice_where_it_is_written_to() -> None:
    def f(p):
        p[0][0] = p[1][1] * 2
        return np.sum(p[0] * p[1])

    a = np.ones(3)
    assert same_structure(grad(f)([a, a.copy()]), [a, a])
    with pytest.raises(ValueError, match="share memory"):
        grad(f)([a, a])


def _stores_by_name(p, names=("a", "b")):
    for name in names:
        p[name + "2"] = p["a"] * 2
    return p["a2"] * p["b2"]


@pytest.mark.parametrize(
    ("f", "argument", "says"),
    [
        (lambda p, k=("a",): p[k[0]][0] * 2, {"a": (1.0, 2.0)}, "literal"),
        (_stores_by_name, {"a": 1.0}, "store to another dict"),
    ],
)
def test_refused(f: Any, argument: Any, says: str) -> None:
    with pytest.raises(NotDifferentiable, match=says):
        grad(f)(argument)


def test_what_is_missing_raises_what_the_function_raises() -> None:
    for f, argument in (
        (lambda m: m.missing * 2, Model(np.ones(1), np.ones(1))),
        (lambda p: p["missing"] * p["a"], {"a": 1.0}),
    ):
        with pytest.raises((AttributeError, KeyError)) as expected:
            f(argument)
        with pytest.raises(expected.type) as found:
            grad(f)(argument)
        assert str(found.value) == str(expected.value)
