"""Real and complex numbers in one list, dict or object: what comes back to a real one is real."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from every_mode import check_along, kept_in, named

from tangentish import grad, hvp, jvp

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])


def parts(p):
    z = np.exp(1j * p[0])
    return z.real, z


def parallel(*impedances):
    return 1 / sum(1 / z for z in impedances)


class State:
    def __init__(self, v):
        self.v = v * 1.0

    def apply(self, c):
        self.v = self.v * c


class Part:
    def __init__(self, z):
        self.z = z


@kept_in(RIGHT)
def run_over(p):
    s = 0.0
    for v in parts(p):
        s += abs(v + 1j) ** 2
    for k, v in enumerate([p[1], 1j * p[2]]):
        s += abs(v + k + 1j)
    return s


@kept_in(RIGHT)
def given_as_arguments(p):
    return abs(parallel(p[0], 1j * p[1], 1 / (1j * p[2])))


@kept_in(RIGHT)
def in_objects(p):
    y = 0
    for part in [Part(p[0]), Part(1j * p[1]), Part(1 / (1j * p[2]))]:
        y += 1 / part.z
    return abs(1 / y)


@kept_in(RIGHT)
def appended(p):
    h = [parts(p)[0]]
    for _ in range(2):
        h.append(h[-1] * (1 + 1j) + 1j * p[1])
    return abs(h[-1]) ** 2


@kept_in(RIGHT)
def taken_out(p):
    r, z = parts(p)
    v = [r]
    v.append(z)
    v.insert(0, p[1])
    a, b = v.pop(), v.pop()
    return abs(a * b + 1j) ** 2 + abs(b + 2j) * abs(v[0])


@kept_in(RIGHT)
def stored(p, k=1):
    r, z = parts(p)
    v = [0.0] * 2
    v[0] = r
    v[1] = z
    w = [p[1], p[2]]
    w[k] = w[k] * (1 + 1j)
    return abs(v[k - 1] + 1j) ** 2 + abs(v[k]) + abs(w[0] + w[1] + 1j)


@kept_in(RIGHT)
def in_a_dict(p):
    r, z = parts(p)
    d = {}
    for k in range(3):
        d[k] = p[k] * (1j if k == 1 else 1.0)
    return sum(abs(v + 1j) ** 2 for v in {"a": r, "b": z}.values()) + abs(sum(d.values()) + 1)


@kept_in(RIGHT)
def added_up_and_sorted(p):
    r, z = parts(p)
    t = sum(v * (1 + 1j) for v in [r, p[1], z])
    v = [r, z * p[2]]
    v.sort(key=abs)
    return abs(t) ** 2 + abs(v[0] + 1j)


@kept_in(RIGHT)
def extended_and_joined(p):
    xs = list(p)
    xs.extend([1j * p[0], p[1]])
    xs.extend(list(p))
    ys = xs + [p[2]] * 2
    return abs(sum(ys[k] * (k + 1j) for k in range(len(ys)))) ** 2


@kept_in(RIGHT)
def rows_that_become_complex(p):
    layers = [p]
    for _ in range(2):
        layers.append(layers[-1] * np.exp(1j * p))
    rows = [p * 1.0, p * 2.0]
    for k in range(2):
        rows[k] = rows[k] * (1 + 1j)
    total = sum(np.sum(np.abs(r + 1j) ** 2) for r in [p, p * 1j])
    return np.sum(np.abs(layers[-1] + 1) ** 2) + abs(rows[1][0] + rows[0][2] + 1) ** 2 + total


@kept_in(RIGHT)
def in_an_object_that_changes(p):
    s = State(p)
    for c in (2.0, 1j):
        s.apply(c)
    return np.sum(np.abs(s.v + p) ** 2)


@kept_in(RIGHT)
def in_pairs(p):
    path = [(p[0], 0j)]
    for _ in range(3):
        t, z = path[-1]
        path.append((t * 1.1, z + np.exp(1j * t * p[1])))
    return abs(path[-1][1]) * path[1][0]


@kept_in(RIGHT)
def in_a_table(p):
    z = [[p[0] + 0j, p[1]], [1j * p[2], p[0]]]
    for i in range(2):
        for j in range(2):
            z[i][j] = z[i][j] / (1 - 0.3j * z[i][j])
    return abs(z[0][0] * z[1][1] + z[0][1] * z[1][0])


@kept_in(RIGHT)
def made_an_array(p):
    z = np.array([v * p[1] for v in parts(p)])
    return np.sum(np.abs(z + 1j) ** 2)


@kept_in(RIGHT)
def yielded(p):
    def both():
        yield p[0]
        yield 1j * p[1]

    return sum(abs(v + 1j) ** 2 for v in both())


@pytest.mark.parametrize("f", RIGHT, ids=named)
def test_right_in_every_mode(f):
    check_along(f, P, P_DOT)


@pytest.mark.parametrize("f", RIGHT, ids=named)
def test_the_gradient_is_real(f):
    assert grad(f)(P).dtype == np.float64


def test_gradients_of_numbers_are_real():
    def f(r, c, w):
        return abs(parallel(r, 1 / (1j * w * c)))

    assert type(grad(f)(30.0, 1e-2, 100.0)) in (float, np.float64)


def test_a_constant_of_unknown_type_that_is_complex_raises():
    def f(r):
        y = 1 / Part(r).z
        y += 1 / Part(2j).z
        return abs(1 / y)

    with pytest.raises(TypeError, match="complex"):
        grad(f)(3.0)


TERMS = [1.0, 2j]


@pytest.mark.parametrize("derivative", [grad, hvp])
def test_one_that_a_loop_adds_raises(derivative):
    """To NumPy `np.dtype(float) == None`: what is a double on the first trip only counted as one."""

    def f(x):
        y = 1.0
        for c in TERMS:
            y = y * x[0] + c * x[1]
        return abs(y)

    directions = (P,) if derivative is hvp else ()
    with pytest.raises(TypeError, match="complex"):
        derivative(f)(P, *directions)


ROTATION, SYMMETRIC = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([[2.0, 1.0], [1.0, 3.0]])
POLES = {"first": 1 + 2j}
AT_REST: list[Callable[..., Any]] = []
OPEN: list[Callable[..., Any]] = []
ALWAYS_COMPLEX = (
    np.linalg.eigvals(np.eye(2)).dtype.kind == "c"
)  # from NumPy 2.5 on, where it shows then


@kept_in([] if ALWAYS_COMPLEX else AT_REST)
def real_eigenvalues(p):
    w, v = np.linalg.eig(SYMMETRIC)
    return np.sum((v @ p[:2]) ** 2 * w) * np.max(np.abs(np.linalg.eigvals(ROTATION)))


@kept_in(AT_REST)
def said_to_be_complex(p):
    w = np.linalg.eigvals(ROTATION) + 0j
    return np.linalg.norm(p[:2] * w) + abs(
        p[2] + np.sum(np.roots([1.0, 2.0, 3.0]).astype(complex) * p[0])
    )


@kept_in(AT_REST)
def powers_of_what_is_written(p):
    k = -8
    y, z = k ** (1 / 3), np.array([(-1) ** 0.5, 1])
    return abs(y * p[0] + p[1]) + np.abs(np.prod(p[:2] + z)) + abs(pow(-2, 1.5) * p[2] + p[0])


@kept_in(AT_REST)
def real_powers(p):
    s, k = p[0], 3
    k = k**0.5
    for i in range(3):
        s += p[i] ** 2 * k + len(p) ** 1.5 * p[0]
    return s * 2.0**0.5


@kept_in(AT_REST if ALWAYS_COMPLEX else OPEN)
def eigenvalues_of_a_constant(p):
    return np.abs(np.prod(p[:2] - np.linalg.eigvals(ROTATION)))


@kept_in(AT_REST if ALWAYS_COMPLEX else OPEN)
def vectors_of_a_constant(p):
    w, v = np.linalg.eig(ROTATION)
    return np.sum(np.abs(v @ p[:2]) ** 2)


@kept_in(AT_REST if ALWAYS_COMPLEX else OPEN)
def run_over_eigenvalues(p):
    s = p[0]
    for w in np.linalg.eigvals(ROTATION):
        s = s + w * p[1]
    return abs(s)


@kept_in(AT_REST)
def array_of_an_entry(p):
    z = np.array(POLES["first"])
    return (z * p[0]).imag * p[1]


@kept_in(OPEN)
def roots_of_a_matrix(p):
    return np.sum(np.abs(scipy.linalg.sqrtm(np.diag([-1.0, 2.0])) @ p[:2] + p[2]))


@kept_in(OPEN)
def power_of_a_loop_variable(p):
    s = p[0]
    for i in range(3):
        s = abs(s + (-i - 1) ** 0.5 * p[1])
    return s


@kept_in(OPEN)
def power_in_place(p):
    k = -2.0
    k **= 0.5
    return abs(k * p[0] + p[1])


@pytest.mark.parametrize("f", AT_REST, ids=named)
def test_constants_that_may_be_complex(f):
    check_along(f, P, P_DOT)


@pytest.mark.parametrize("f", OPEN, ids=named)
def test_constants_that_are_complex_without_showing_it_raise(f):
    for call in (grad(f), lambda p: jvp(f, (p,), (P_DOT,)), lambda p: hvp(f)(p, P_DOT)):
        with pytest.raises(TypeError, match="write it so that it shows"):
            call(P)


def test_what_shows_is_not_asked():
    for f in (said_to_be_complex, powers_of_what_is_written, real_powers):
        assert "plain(" not in grad(f).source(P)


W = np.array([[0.3 + 0.2j, 0.5 - 1j], [1j, 0.7]])


def size(matrix: Any) -> Any:
    return np.sum(np.abs(matrix @ W + 0.3j) ** 2)


def absolute_values_in_rows(x):
    m = np.abs(x[0] + 1j * x[1])
    return size(np.array([[m, 1j], [2.0, m]]))


def real_parts_in_rows(x):
    w = (x[0] + 1j * x[1]) ** 2
    return size(np.array([[np.angle(w), w], [2.0, w.imag]]))


def rows_with_names(x):
    m = np.abs(x[0] + 1j * x[1])
    row = [m, 1j * m]
    return size(np.array([row, [x[0], m]]))


def normalised_state(x):
    psi = x[0] * np.array([1.0, 1j]) + x[1] * np.array([1j, 0.5])
    n = np.abs(psi) ** 2
    for _ in range(2):
        H = np.array([[n[0], 0.5j], [-0.5j, n[1]]])
        psi = psi - 0.1j * H @ psi
        n = np.abs(psi) ** 2
    return n[0] - 0.3 * n[1] + np.real(psi[0])


def joined_rows(x):
    w = x[0] + 1j * x[1]
    z = np.array([w, w * w])
    beside = np.concatenate([z, [np.abs(w)]]) * (1 + 2j) + 1j
    below = np.vstack([[np.abs(w), 2.0], z]) * (1 + 2j) + 1j
    return np.sum(np.abs(beside) ** 2) + np.sum(np.abs(below) ** 2)


def two_bands(x):
    h = x[0] + x[1] * np.exp(-0.3j)
    m = x[0] * x[1]
    return np.linalg.eigvalsh(np.array([[m, h], [np.conj(h), -m]]))[0]


def transmission_line(x):
    b = 2 * np.pi * x[1]
    M = np.array([[np.cos(b), 1j * x[0] * np.sin(b)], [1j * np.sin(b) / x[0], np.cos(b)]])
    A, B, C, D = M.flatten()
    z = (A * 100 + B) / (C * 100 + D)
    return abs((z - 50) / (z + 50)) ** 2


def stored_to_later(x):
    A = np.array([[x[0], 1j], [x[1], 2.0]])
    A[0] = A[0] * x[1] * 1j
    A[1] *= 1j + x[0]
    return size(A)


def joined_and_stored_to(x):
    A = np.concatenate([x, [1j]])
    A[2] = 1j * x[1]
    B = np.tile(np.array([x[0], 1j]), (2, 1))
    B[:, 0] = B[:, 1] * x[1]
    return np.sum(np.abs(A * (1 + 1j) + 1j) ** 2) * size(B)


def of_complex_values_with_real_tangents(x):
    A = np.array([x[0], x[1] + 1j])
    for k in range(3):
        A[k % 2] = A[k % 2] * (A[1 - k % 2] + 1j)
    B = np.array([x + 1j, x])
    B[1, 0] *= 1j * x[1]
    return np.sum(np.abs(A @ W + 1j) ** 2) + size(B)


@pytest.mark.parametrize(
    "function",
    [
        absolute_values_in_rows,
        real_parts_in_rows,
        rows_with_names,
        normalised_state,
        joined_rows,
        two_bands,
        transmission_line,
        stored_to_later,
        joined_and_stored_to,
        of_complex_values_with_real_tangents,
    ],
)
def test_real_numbers_in_rows_of_complex_arrays(function: Any) -> None:
    """Their gradients are real, and what is stored among their tangents later may be complex."""
    x, v = np.array([0.7, 0.4]), np.array([1.0, 0.5])
    truth = [(function(x + e) - function(x - e)) / 2e-6 for e in 1e-6 * np.eye(2)]
    gradient = grad(function)
    found = gradient(x)
    assert found.dtype == float
    np.testing.assert_allclose(found, truth, rtol=1e-6)
    _, tangent = jvp(function, (x,), (v,))
    np.testing.assert_allclose(tangent, truth @ v, rtol=1e-6)
    along = (gradient(x + 1e-6 * v) - gradient(x - 1e-6 * v)) / 2e-6
    np.testing.assert_allclose(hvp(function)(x, v), along, rtol=1e-5)
