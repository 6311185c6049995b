"""Sparse matrices of SciPy that carry no derivative, in products with what varies."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sps
from every_mode import check_refused, each_right, kept_in
from numeric import numeric_gradient
from scipy.sparse.linalg import spsolve

from tangentish import NotDifferentiable, grad, vjp

pytestmark = pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")

G = sps.diags([np.full(4, 2.0), np.full(3, -1.0)], [0, 1], format="csr")
GA = sps.csr_array(G)
I = sps.identity(4, format="csc")  # noqa: E741
A = (I + 0.1 * G).tocsc()
HELD = SimpleNamespace(K=G.copy())

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def energy(x):
    return x @ (G @ x)


@form
def energy_by_an_array(x):
    return x @ (GA @ x)


@form
def steps_of_euler(x):
    u = x.copy()
    for k in range(5):
        u = u + 0.1 * (G @ u) * x
    return u @ u


@form
def implicit_steps(x):
    u = x
    for k in range(5):
        u = spsolve(A, u) ** 2 + x
    return u @ u


@form
def system_of_one_column(x):
    """SciPy gives a vector then."""
    return np.sum(spsolve(A, x[:, None] ** 2) ** 2 * x)


@form
def system_of_columns(x):
    return np.sum(spsolve(A, np.stack([x, x**2], axis=1)) ** 2 * x[:, None])


PLACES, STARTS = np.arange(4), np.arange(5)


@form
def numbers_that_are_stored_to_later(x):
    """SciPy keeps the array itself."""
    v = np.array([1.0, 2.0, 3.0, 4.0])
    M = sps.csr_matrix((v, PLACES, STARTS))
    N = M.T
    y = M @ (x * x)
    for k in range(3):
        y = (N @ y) * x
        v[k] += 1.0
    return np.sum(spsolve(sps.csc_array((v, PLACES, STARTS), copy=True), y) * (M @ y))


@form
def places_that_are_stored_to_later(x):
    places = np.array([0, 1, 2, 3])
    M = sps.csr_matrix((np.array([1.0, 2.0, 3.0, 4.0]), places, STARTS))
    y = M @ (x * x)
    places[0], places[1] = 1, 0
    return np.sum((M @ y) * y)


@form
def from_the_left(x):
    return np.sum((x @ GA) ** 2)


@form
def matrix_of_columns(x):
    return np.sum((G @ np.outer(x, x)) ** 2)


@form
def rows_of_a_matrix(x):
    return np.sum((np.outer(x, x) @ GA) ** 2)


@form
def by_its_method(x):
    return np.sum(G.dot(x) ** 2)


@form
def transposed(x):
    return np.sum((G.T @ x) ** 2)


def helper(L, u):
    return L @ u


@form
def in_a_helper(x):
    return np.sum(helper(G, x) ** 3)


@form
def rows_of_a_history(x):
    u = np.zeros((3, 4))
    u[0] = x
    for k in range(2):
        u[k + 1] = G @ u[k] * u[k]
    return np.sum(u**2)


@form
def another_under_the_name(x):
    L = G
    y = L @ x
    L = GA
    return np.sum((L @ y) * (L @ x))


@form
def made_of_diagonals(x):
    L = sps.diags([np.full(4, 2.0), np.full(3, -1.0)], [0, 1])
    return x @ (L @ x)


@form
def shown_before_it_is_used(x):
    A = sps.diags([3.0, -1.0, -1.0], [0, -1, 1], shape=(4, 4), format="csc")
    size, most = A.getnnz(), A.todense().max() * A.toarray().min()
    for _ in range(2):
        x = spsolve(A, x)
    return most * size * np.sum(x**2)


@form
def system_made_inside(x):
    A = sps.identity(4, format="csr") - 0.1 * sps.diags(
        [1.0, -2.0, 1.0], [-1, 0, 1], shape=(4, 4), format="csr"
    )
    u = x
    for k in range(3):
        u = spsolve(A, u * x)
    return u @ u


@form
def sum_of_two(x):
    A = I + 0.1 * G
    return np.sum((A @ x) ** 2) + np.sum(A.T @ x)


@form
def another_each_trip(x):
    total = 0.0
    for k in range(3):
        A = I + k * G
        total = total + np.sum((A @ x) ** 2)
        A = A.T
    return total


@form
def on_two_ways(x):
    A = I + np.mean(np.ones(3)) * G.tocsc()
    y = A.dot(x)
    if x[0] > 0.5:
        y = A @ y
    else:
        y = A.T @ y
    return np.sum(y**3)


@form
def made_of_places(x):
    rows, cols, v = [0, 1, 2], [1, 2, 3], [1.0, 2.0, 3.0]
    B = sps.coo_matrix((v, (rows, cols)), shape=(4, 4))
    return np.sum((B.tocsr() @ x) ** 2)


@form
def made_of_vectors(x):
    n = len(x)
    e = np.ones(n)
    D = sps.spdiags([e, -2 * e, e], [-1, 0, 1], n, n)
    return np.sum(np.exp(D @ x) * x)


@form
def of_blocks(x):
    A = sps.kron(sps.eye(2), sps.csr_matrix(np.array([[1.0, 2.0], [0.5, 1.0]])))
    return np.sum((A @ x) ** 2)


test_every_mode = each_right(
    FUNCTIONS, np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -1.0, 0.4, 2.0])
)


def times(x):
    return np.sum(G * x)


def stored_to(x):
    y = G @ x
    G[0, 0] = 3.0
    return np.sum(y**2)


def stored_to_its_numbers(x):
    y = G @ x
    G.data[0] = 3.0
    return np.sum(y**2)


def updated(x):
    L = G
    y = L @ x
    L *= 2
    return np.sum(y**2)


def change(L):
    L.data[:] = 1.0


def changed_by_a_helper(x):
    y = G @ x
    change(G)
    return np.sum(y**2)


def by_np_dot(x):
    return np.sum(np.dot(G, x))


def added(x):
    return np.sum((G + x) @ x)


def set_by_a_method(x):
    y = G @ x
    G.setdiag(3.0)
    return np.sum(y**2)


def numbers_under_another_name(x):
    y = G @ x
    d = G.data
    d[0] = 7
    return np.sum(y**2)


def assembled():
    matrix = sps.lil_matrix((4, 4))
    for i in range(4):
        matrix[i, i] = 2.0 + i
    return matrix


def system_that_changes(x):
    system = assembled().tocsc()
    y = spsolve(system, x)
    system.data[:] = 1.0
    return np.sum(y**2)


def system_under_another_name(x):
    system = assembled().tocsc()
    other = system
    y = spsolve(system, x)
    other *= 3.0
    return np.sum(y**2)


CHANGED = "a sparse matrix that changes is not followed"
OTHERWISE = "only numbers and plain arrays may"


MADE_OF_WHAT_VARIES = {
    "diagonals": (lambda x: sps.diags([x[:3], x], [-1, 0]) @ x, "solve_banded"),
    "an array of diagonals": (lambda x: sps.diags_array(x) @ x, "solve_banded"),
    "entries": (lambda x: sps.csr_matrix((x, (PLACES, PLACES))) @ x, "np.bincount"),
    "an array of entries": (lambda x: sps.coo_array((x, (PLACES, PLACES))) @ x, "np.bincount"),
    "a plain matrix": (lambda x: sps.csc_matrix(np.diag(x)) @ x, "or a plain array"),
    "blocks": (lambda x: sps.block_diag([np.diag(x)]) @ x, "or a plain array"),
}
PLACES = np.arange(4)


@pytest.mark.parametrize("case", MADE_OF_WHAT_VARIES.values(), ids=MADE_OF_WHAT_VARIES)
def test_made_of_what_varies(case: tuple[Callable[..., Any], str]) -> None:
    check_refused(*case, np.ones(4))


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (times, OTHERWISE), (by_np_dot, OTHERWISE), (added, OTHERWISE), (stored_to, CHANGED),
        (stored_to_its_numbers, CHANGED), (updated, CHANGED), (set_by_a_method, CHANGED),
        (numbers_under_another_name, CHANGED), (changed_by_a_helper, "the gradient reads what this changes"),
        (system_that_changes, "it is not known what matrix this gets"),
        (system_under_another_name, "it is not known what matrix this gets"),
    ],
)  # fmt: skip
def test_refused(f: Callable[..., Any], message: str) -> None:
    check_refused(f, message, np.ones(4))


def of_an_argument(x, L):
    return np.sum((L @ x) ** 2)


@pytest.mark.parametrize(
    "matrix",
    [G, GA, G.tocoo(), G.todia(), G.tolil(), G.astype(np.float32), G.astype(int), sps.csr_matrix(np.arange(8.0).reshape(2, 4)), sps.csr_matrix((0, 4))],
)  # fmt: skip
def test_arguments_of_other_formats_and_shapes(matrix: Any) -> None:
    x = np.array([0.7, 0.4, 0.9, 0.55])
    np.testing.assert_allclose(grad(of_an_argument)(x, matrix), 2 * matrix.T @ (matrix @ x))
    single = grad(of_an_argument)(x.astype(np.float32), matrix)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, 2 * matrix.T @ (matrix @ x), 1e-5)


def solved(x, L):
    return np.sum(spsolve(L, x) ** 2)


def test_solutions_of_single_precision() -> None:
    """SciPy gives doubles where the matrix is of doubles; the gradient is of the argument's own type."""
    x = np.array([0.7, 0.4, 0.9, 0.55], np.float32)
    for matrix in (A, A.astype(np.float32)):
        found = grad(solved)(x, matrix)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, grad(solved)(x.astype(float), A), 1e-4)


def test_complex_ones_are_refused() -> None:
    with pytest.raises(NotDifferentiable, match=OTHERWISE):
        grad(of_an_argument)(np.ones(4), G * 1j)


def test_another_matrix_at_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.array([0.7, 0.4, 0.9, 0.55])
    gradient = grad(by_its_method)
    np.testing.assert_allclose(gradient(x), 2 * G.T @ (G @ x))
    wide = sps.csr_matrix(np.arange(8.0).reshape(2, 4))
    monkeypatch.setitem(globals(), "G", wide)
    np.testing.assert_allclose(gradient(x), 2 * wide.T @ (wide @ x))
    monkeypatch.setitem(globals(), "G", wide * 1j)
    check_refused(by_its_method, "it is not known what 'G.dot' is", x)


def test_one_that_an_object_holds() -> None:
    with pytest.raises(TypeError, match="a sparse matrix meets a differentiated value"):
        grad(lambda x: np.sum(HELD.K @ x))(np.ones(4))


SEEN_WHEN_IT_RUNS = [
    lambda x: np.sum(((G > 0) @ x) ** 2),
    lambda x: np.sum(np.abs((G * 2j) @ x) ** 2),
    lambda x: np.sum((G**2 @ x) ** 2),
    lambda x: np.sum(abs(G) @ x),
    lambda x: np.sum(np.abs(sps.eye(4, dtype=complex) @ x) ** 2),
]


@pytest.mark.parametrize("f", SEEN_WHEN_IT_RUNS)
def test_what_operators_make_of_one_is_asked(f: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="was not known beforehand"):
        grad(f)(np.ones(4))


def test_the_text() -> None:
    text = grad(energy).source(np.ones(4))
    assert "G.T @ (dy * x)" in text
    assert "unbroadcast" not in text


@pytest.mark.parametrize("matrix", [G, GA, G.tocoo()], ids=lambda matrix: type(matrix).__name__)
def test_a_pullback_keeps_what_it_saw(matrix: Any) -> None:
    """As it keeps arrays: the caller may change them meanwhile."""
    x, L = np.array([0.7, 0.4, 0.9, 0.55]), matrix.copy()
    _, pullback = vjp(of_an_argument, x, L)
    L.data[:] = 0.0
    np.testing.assert_allclose(pullback(1.0)[0], 2 * matrix.T @ (matrix @ x))


def test_a_pullback_keeps_what_a_module_held(monkeypatch: pytest.MonkeyPatch) -> None:
    x, held = np.array([0.7, 0.4, 0.9, 0.55]), G.copy()
    monkeypatch.setitem(globals(), "G", held)
    expected = 2 * held.T @ (held @ x)
    _, pullback = vjp(by_its_method, x)
    held.data[:] = 0.0
    np.testing.assert_allclose(pullback(1.0)[0], expected)


def numbers_stored_to(x, L, v):
    y = L @ (x * x)
    v[0] = 9.0
    return np.sum((L @ y) * y)


def test_arrays_of_a_matrix_as_another_argument_share_memory() -> None:
    matrix = G.copy()
    with pytest.raises(ValueError, match="share memory"):
        grad(numbers_stored_to)(np.ones(4), matrix, matrix.data)
    assert matrix.data[0] == 2.0


def made_of_an_argument(x, v):
    return np.sum((sps.csr_matrix((v, PLACES, STARTS)) @ (x * x)) ** 2)


def test_a_pullback_keeps_what_a_matrix_was_made_of() -> None:
    x, v = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1, 2, 3, 4])
    _, pullback = vjp(made_of_an_argument, x, v)
    expected = grad(made_of_an_argument)(x, v.copy())
    v[0] = 100
    np.testing.assert_allclose(pullback(1.0)[0], expected)


def test_a_pullback_copies_a_matrix_with_what_it_was_made_of() -> None:
    def scaled_later(x):
        entries = np.array([0.3, 0.7, 1.1])
        matrix = sps.csr_matrix((entries, np.array([1, 0, 2]), np.arange(4)), shape=(3, 3))
        y = matrix @ x**2
        entries *= 2
        return np.sum(y * (matrix @ x))

    x = np.array([0.4, 0.9, 1.3])
    pullback = vjp(scaled_later, x)[1]
    expected = numeric_gradient(scaled_later, (x,), 0, 1.0)
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0)[0], expected, 1e-7)
