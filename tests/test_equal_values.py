"""Eigenvalues and singular values that are equal, or equal but for rounding, in all modes and in second derivatives.

What does not ask which vector is which has a derivative there; what may ask warns.
"""

from __future__ import annotations

import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg

from tangentish import grad, hessian, hvp, jvp
from tangentish.export import Request, exported
from tangentish.language.binding import binder

X = np.array([0.7, 0.4, 0.9, 0.55])
V = np.array([0.3, -0.2, 0.5, 0.1])
RNG = np.random.default_rng(2)
LEFT = np.linalg.qr(RNG.normal(size=(4, 4)))[0]
RIGHT = np.linalg.qr(RNG.normal(size=(4, 4)))[0]
MOVES = RNG.normal(size=(4, 4, 4))
BOTH = MOVES + np.swapaxes(MOVES, 1, 2)
HEADER = ['"""A gradient."""']
EQUAL = "eigenvalues or singular values are equal"


def symmetric(x: Any, values: Any) -> Any:
    """A matrix that has these eigenvalues at X."""
    y = x - X
    return LEFT @ np.diag(values) @ LEFT.T + np.tensordot(y, BOTH, 1) + np.outer(y, y)


def general(x: Any, values: Any) -> Any:
    """A matrix that has these singular values at X."""
    y = x - X
    return LEFT @ np.diag(values) @ RIGHT.T + np.tensordot(y, MOVES, 1) + np.outer(y, y)


def simple_beside_equal(x):
    w, v = np.linalg.eigh(symmetric(x, [1.0, 1.0, 1.0, 3.0]))
    return (v[:, -1] @ np.arange(4.0)) ** 2 + w[-1]


def upper_half(x):
    w, v = np.linalg.eigh(symmetric(x, [1.0, 1.0, 1.0, 3.0]), "U")
    return (v[:, -1] @ np.arange(4.0)) ** 2 + w[-1]


def in_a_stack(x):
    both = np.stack((symmetric(x, [1.0, 1.0, 1.0, 3.0]), symmetric(x, [1.0, 2.0, 3.0, 4.0])))
    w, v = np.linalg.eigh(both)
    return np.sum((v[:, :, -1] @ np.arange(4.0)) ** 2) + np.sum(w[:, -1])


def occupied_pair(x):
    w, v = np.linalg.eigh(symmetric(x, [1.0, 1.0, 2.0, 3.0]))
    p = v[:, :2] @ v[:, :2].T
    return p[0, 1] + p[2, 2] ** 2


def two_pairs(x):
    w, v = np.linalg.eigh(symmetric(x, [1.0, 1.0, 3.0, 3.0]))
    p = v[:, :2] @ v[:, :2].T
    return p[0, 1] + p[2, 2] ** 2


def of_a_subset(x):
    w, v = scipy.linalg.eigh(symmetric(x, [1.0, 1.0, 1.0, 3.0]), subset_by_index=[3, 3])
    return (v[:, 0] @ np.arange(4.0)) ** 2 + w[0]


def largest_eigenvalue(x):
    return np.linalg.eigvalsh(symmetric(x, [1.0, 1.0, 1.0, 3.0]))[-1]


def largest_singular_value(x):
    return np.linalg.svd(general(x, [3.0, 1.0, 1.0, 1.0]), compute_uv=False)[0]


def first_pair_of_vectors(x):
    u, s, vt = np.linalg.svd(general(x, [3.0, 1.0, 1.0, 1.0]))
    return u[0, 0] * vt[0, 1] * s[0]


def of_a_tall_matrix(x):
    u, s, vt = np.linalg.svd(general(x, [3.0, 1.0, 1.0, 1.0])[:, :3], full_matrices=False)
    return u[0, 0] * vt[0, 1] * s[0]


def of_rank_one(x):
    u, s, vt = np.linalg.svd(np.outer([1.0, 2.0, 0.0], x), full_matrices=False)
    return ((u[:, :1] * s[:1]) @ vt[:1])[1, 2] + s[0] * vt[0, 1] ** 2


def leading_space(x):
    u, s, vt = np.linalg.svd(general(x, [3.0, 3.0, 1.0, 1.0]))
    p = u[:, :2] @ u[:, :2].T
    return p[0, 1] + p[2, 2] ** 2


def rotation_at_a_rotation(x):
    u, s, vt = np.linalg.svd(general(x, [1.0, 1.0, 1.0, 1.0]))
    r = u @ vt
    return r[0, 1] + r[2, 2] ** 2


def rotation_of_two_pairs(x):
    u, s, vt = scipy.linalg.svd(general(x, [3.0, 3.0, 1.0, 1.0]))
    r = u @ vt
    return r[0, 1] + r[2, 2] ** 2


def part_of_a_rotation(x):
    u, s, vt = np.linalg.svd(general(x, [3.0, 2.0, 2.0, 1.0]), full_matrices=False)
    return (u[:, :3] @ vt[:3])[0, 1]


def exponential(x):
    w, v = np.linalg.eigh(symmetric(x, [1.0, 2.0, 4.0, 3.0]))
    return ((v * np.exp(w)) @ v.T)[0, 2]


def singular_exponential(x):
    u, s, vt = np.linalg.svd(general(x, [1.0, 2.0, 4.0, 3.0]))
    return ((u * np.exp(s)) @ vt)[0, 2]


APART = [exponential, singular_exponential]
ALIKE = [
    simple_beside_equal, upper_half, in_a_stack, occupied_pair, two_pairs, of_a_subset, largest_eigenvalue,
    largest_singular_value, first_pair_of_vectors, of_a_tall_matrix, of_rank_one, leading_space,
    rotation_at_a_rotation, rotation_of_two_pairs, part_of_a_rotation,
]  # fmt: skip


def differences(f: Callable[..., Any], x: Any, step: float = 1e-5) -> Any:
    along = step * np.eye(x.size).reshape(-1, *x.shape)
    return np.array([(f(x + d) - f(x - d)) / (2 * step) for d in along])


@pytest.mark.parametrize("f", ALIKE + APART, ids=lambda f: f.__name__)
def test_derivatives_and_no_warning(f: Callable[..., Any]) -> None:
    """Warnings are errors in these tests."""
    expected = differences(f, X)
    np.testing.assert_allclose(grad(f)(X), expected, 1e-6, 1e-8)
    curved = differences(grad(f), X)
    np.testing.assert_allclose(hvp(f)(X, V), curved @ V, 1e-5, 1e-6)
    found = hessian(f)(X)
    np.testing.assert_allclose(found, found.T, 0, 1e-11)
    np.testing.assert_allclose(found, curved, 1e-5, 1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_allclose(jvp(f, (X,), (V,))[1], expected @ V, 1e-6, 1e-8)


@pytest.mark.parametrize("f", APART, ids=lambda f: f.__name__)
def test_no_tangent_of_distinct_values_warns(f: Callable[..., Any]) -> None:
    jvp(f, (X,), (V,))


def likelihood(kappa, times):
    """Kimura's K80 model: two of its rates are equal but for rounding, for every kappa."""
    q = np.ones((4, 4))
    q[0, 2] = q[2, 0] = q[1, 3] = q[3, 1] = kappa
    for i in range(4):
        q[i, i] = 0.0
        q[i, i] = -q[i].sum()
    q /= -0.25 * np.sum(np.diag(q))
    rates, u = np.linalg.eigh(q)
    total = 0.0
    for i, j in ((0, 0), (1, 2), (0, 3)):
        p = u @ np.diag(np.exp(rates * times[0])) @ u.T
        r = u @ np.diag(np.exp(rates * times[1])) @ u.T
        total += np.log(np.sum(p[:, i] * r[:, j]))
    return total


@pytest.mark.parametrize("kappa", [2.0, 2.1, 3.0, 0.7])
@pytest.mark.filterwarnings(f"ignore:{EQUAL}")
def test_rates_that_are_equal_but_for_rounding(kappa: float) -> None:
    times, step = np.array([0.1, 0.2]), 1e-5
    expected = (likelihood(kappa + step, times) - likelihood(kappa - step, times)) / (2 * step)
    np.testing.assert_allclose(grad(likelihood)(kappa, times), expected, 1e-6)
    found = jvp(likelihood, (kappa, times), (1.0, np.zeros(2)))[1]
    np.testing.assert_allclose(found, expected, 1e-6)


def root_of_a_ring(k):
    n = len(k)
    stiffness = np.eye(n)
    for i in range(n):
        j = (i + 1) % n
        stiffness[i, i] += k[i]
        stiffness[j, j] += k[i]
        stiffness[i, j] -= k[i]
        stiffness[j, i] -= k[i]
    w, v = np.linalg.eigh(stiffness)
    return (v @ np.diag(np.sqrt(w)) @ v.T)[0, 2]


def stretch(p):
    f = np.eye(2) + np.array([[p[0], p[1]], [0.0, 0.0]])
    w, v = np.linalg.eigh(f.T @ f)
    return (v @ np.diag(np.sqrt(w)) @ v.T)[0, 1]


def one_of_a_pair(x):
    return np.linalg.eigh(symmetric(x, [1.0, 1.0, 2.0, 3.0]))[1][0, 0]


def sines_of_singular_values(x):
    u, s, vt = np.linalg.svd(general(x, [2.0, 2.0, 1.0, 3.0]))
    return ((u * np.sin(s)) @ vt)[0, 1]


@pytest.mark.parametrize(
    ("f", "x"),
    [(root_of_a_ring, np.ones(6)), (stretch, np.zeros(2)), (one_of_a_pair, X), (sines_of_singular_values, X)],
    ids=lambda f: getattr(f, "__name__", ""),
)  # fmt: skip
def test_what_may_be_wrong_warns(f: Callable[..., Any], x: Any) -> None:
    with pytest.warns(RuntimeWarning, match=EQUAL):
        grad(f)(x)
    with pytest.warns(RuntimeWarning, match=EQUAL):
        hvp(f)(x, np.arange(1.0, 1 + x.size))
    with pytest.warns(RuntimeWarning, match=EQUAL):
        jvp(f, (x,), (np.arange(1.0, 1 + x.size),))


def trace_of_the_cube(k):
    a = np.array([[2, k[0], k[1]], [k[0], 2, k[2]], [k[1], k[2], 2]])
    return np.sum(np.linalg.eigvalsh(a) ** 3)


def test_functions_of_equal_eigenvalues_have_a_gradient_and_second_derivatives_that_warn() -> None:
    np.testing.assert_allclose(
        grad(trace_of_the_cube)(np.ones(3)), differences(trace_of_the_cube, np.ones(3)), 1e-6
    )
    with pytest.warns(RuntimeWarning, match=EQUAL):
        hessian(trace_of_the_cube)(np.ones(3))


def test_an_exported_gradient_warns_too() -> None:
    at = np.zeros(2)
    text = exported(Request(stretch, binder(stretch)(at), 0, HEADER))
    module: Any = types.ModuleType("exported")
    exec(compile(text, "<exported>", "exec"), vars(module))
    with pytest.warns(RuntimeWarning, match=EQUAL):
        module.stretch_grad(at)


NORMS_OF_LOW_RANK: dict[str, Callable[..., Any]] = {
    "nuclear": lambda x: np.linalg.norm(np.outer(x, x), "nuc"),
    "nuclear of a stack": lambda x: np.sum(
        np.linalg.matrix_norm(np.stack((np.outer(x, x), np.outer(x, x[::-1]))), ord="nuc")
    ),
    "largest": lambda x: np.linalg.norm(np.outer(x, x), 2),
    "smallest": lambda x: np.linalg.norm(np.outer(x, x), -2) + np.sum(x**2),
    "largest of equal ones": lambda x: np.linalg.norm(np.eye(3) * x[0] * x[1], 2),
}


@pytest.mark.parametrize("name", NORMS_OF_LOW_RANK)
def test_norms_of_matrices_with_equal_singular_values(name: str) -> None:
    f = NORMS_OF_LOW_RANK[name]
    slope = [(f(X + 1e-5 * e) - f(X - 1e-5 * e)) / 2e-5 for e in np.eye(4)]
    np.testing.assert_allclose(grad(f)(X), slope, 1e-6, 1e-8)
    bend = (grad(f)(X + 1e-4 * V) - grad(f)(X - 1e-4 * V)) / 2e-4
    np.testing.assert_allclose(hvp(f)(X, V), bend, 1e-5, 1e-6)


def test_nuclear_norms_leave_out_what_is_zero_but_for_rounding() -> None:
    def f(m):
        return np.linalg.norm(m, "nuc")

    direction = np.outer(X, X) / (X @ X)
    np.testing.assert_allclose(grad(f)(np.outer(X, X)), direction, 1e-12)
