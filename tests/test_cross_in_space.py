"""np.cross of vectors with three elements: that there are three is known by the arguments, and the text says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp
from tangentish.export import Request, exported

R, F = np.array([0.7, -0.4, 0.9]), np.array([0.2, 1.1, -0.5])
HELPERS = ("unbroadcast", "cross_left", "cast(", "real_like", "full(", "is None")

UPWARDS = np.array([0.0, 0.0, 9.81])


def torque(r: Any, f: Any) -> Any:
    t = np.cross(r, f)
    return np.linalg.norm(t) + t[2] * r[0] ** 2


def twice(r: Any, f: Any) -> Any:
    return np.sum(np.cross(f, np.cross(f, r)) ** 2)


def along_an_axis(r: Any, f: Any) -> Any:
    columns = np.stack((r, 2 * f), axis=1)
    return np.sum(np.cross(columns, columns**2, axis=0) ** 2)


def rows(r: Any, f: Any) -> Any:
    p, total = np.outer(f, r), np.zeros(3)
    for k in range(3):
        total += np.cross(p[k], f) * k
    return np.sum(total**2)


def rows_at_once(r: Any, f: Any) -> Any:
    return np.sum(np.cross(np.outer(f, f), r) ** 2)


def moved_in_place(r: Any, f: Any) -> Any:
    m = r
    for _ in range(3):
        m = m + 0.1 * np.cross(m, f)
        m /= np.linalg.norm(m)
    return m[0] * m[1]


def weighed(r: Any, f: Any) -> Any:
    return np.sum(np.cross(r, UPWARDS) * f**2)


def twisted(r: Any, w: Any) -> Any:
    return np.cross(w, r) + np.cross(w, np.cross(w, r))


def by_helper(r: Any, f: Any) -> Any:
    return np.sum(twisted(r, f) ** 2) + twisted(2 * r, r)[1]


def of_lists(r: Any, f: Any) -> Any:
    return np.sum(np.cross([r[0], r[1], f[2]], f) ** 2)


class Body:
    def __init__(self, w: Any) -> None:
        self.w = w
        self.q = np.array([1.0, 0.0, 0.0])

    def step(self, dt: float) -> None:
        self.w = self.w + dt * np.cross(self.w, 2 * self.w + self.q)
        self.q = self.q + dt * self.w[0]
        self.q /= np.linalg.norm(self.q)


def of_objects(r: Any, f: Any) -> Any:
    body = Body(r)
    for _ in range(3):
        body.step(0.1)
    return body.q @ f + body.w @ r


def of_a_state(r: Any, f: Any) -> Any:
    s = np.concatenate((r, f))
    h = np.cross(s[:3], s[3:])
    return np.linalg.norm(np.cross(s[3:], h) / 2 - s[:3] / np.linalg.norm(s[:3]))


FUNCTIONS = [
    torque, twice, along_an_axis, rows, rows_at_once, moved_in_place, weighed, by_helper, of_lists, of_objects, of_a_state,
]  # fmt: skip


def numeric(f: Any, x: Any) -> Any:
    steps = 1e-5 * np.eye(len(x))
    return np.array([(f(x + s) - f(x - s)) / 2e-5 for s in steps])


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_every_mode(f: Any) -> None:
    v = np.array([0.3, -0.8, 0.5])
    dr, df = grad(f, wrt=(0, 1))(R, F)
    np.testing.assert_allclose(dr, numeric(lambda r: f(r, F), R), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(df, numeric(lambda g: f(R, g), F), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(jvp(f, (R, F), (v, 0 * v))[1], dr @ v)
    bent = numeric(lambda r: grad(f)(r, F) @ v, R)
    np.testing.assert_allclose(hvp(f)(R, v, F), bent, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_text_does_not_ask(f: Any) -> None:
    if f is of_a_state:
        pytest.skip("of the last of some elements it is not known how many there are")
    text = grad(f, wrt=(0, 1)).source(R, F)
    assert [word for word in HELPERS if word in text] == []


def summed(x: Any, w: Any) -> Any:
    return np.sum(np.cross(x, w) ** 2 + 1)


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")
@pytest.mark.parametrize("lengths", [(3, 2), (2, 3)])
def test_vectors_in_the_plane_have_a_text_of_their_own(lengths: Any) -> None:
    d = grad(summed, wrt=(0, 1))
    for n in (*lengths, *lengths):
        for m in (n, 5 - n):  # of 2 and 3 elements, too
            x, w = np.random.default_rng(n).normal(size=(2, 4, 3))
            x, w = x[:, :n], w[:, :m]
            try:
                summed(x, w)
            except ValueError:
                pytest.skip("this NumPy has no vectors with two elements")
            for found, f, at in zip(
                d(x, w),
                (lambda x, w=w: summed(x, w), lambda w, x=x: summed(x, w)),
                (x, w),
                strict=True,
            ):
                assert found.shape == at.shape
                shape = at.shape
                expected = numeric(lambda z, f=f, s=shape: f(z.reshape(s)), at.ravel())
                np.testing.assert_allclose(found, expected.reshape(shape), rtol=1e-6, atol=1e-7)


def test_other_functions_have_one_text_for_all_lengths() -> None:
    def first(x: Any) -> Any:
        return np.sum(x[:3] ** 2)

    d = grad(first)
    assert d.derived(np.ones(2)) is d.derived(np.ones(3)) is d.derived(np.ones(5))
    np.testing.assert_array_equal(d(np.ones(2)), [2, 2])
    np.testing.assert_array_equal(d(np.ones(5)), [2, 2, 2, 0, 0])


def test_exported_modules_tell_the_plane_from_space() -> None:
    header = ['"""A gradient."""']
    text = exported(Request(summed, (np.ones((4, 3)), np.ones((4, 3))), 0, header))
    space: dict[str, Any] = {}
    exec(text, space)
    x = np.random.default_rng(0).normal(size=(4, 3))
    np.testing.assert_allclose(space["summed_grad"](x, 2 * x + 1), grad(summed)(x, 2 * x + 1))
    with pytest.raises(TypeError, match="n>2"):
        space["summed_grad"](x[:, :2], x[:, :2])
