"""Arrays of cupy: on the CPU by an array that behaves as they do, and on a device where there is one."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import pkgutil
import sys
import types
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus import PROGRAMS, Program
from device_array import FUNCTIONS, UFUNC_METHODS, UFUNCS, ndarray, to_device, to_host
from numeric import assert_close, final_value, numeric_gradient, random_head

import tangentish.runtime
from tangentish import NotDifferentiable, grad, hvp, jvp, value_and_grad, vjp
from tangentish.rules import RULES

# Programs whose gradient asks for more than cupy has, or builds indices with numpy: they raise, never more.
RAISES = {
    # shapes from counts of what is there, which are arrays there; histograms
    "copied_and_put", "put_in_order", "values_put_again_and_again", "edges_of_a_histogram", "heights_of_a_histogram",
    # places from NumPy

    "stores_to_slices_of_lists", "product_from_the_end", "rows_of_lists_as_arrays",
    "every_method", "swapped_by_places",
    "at_least_one_axis", "diagonals_filled",
    "product_with_a_difference_of_a_number",
    "weighed_by_lists",
    "distances_of_roots", "transfer",
    "inherited_methods_that_set", "arrays_and_lists_in_arithmetic",
    "arrays_and_lists_of_active_numbers",
    # loops and lists in NumPy's own memory, dicts and sums of what is a number on the host and an array there
    "along_an_axis", "over_axes", "as_plain_lists", "solved_with_pivots", "sums_of_what_does_not_fail",
    "first_and_rest", "parameters_spread_otherwise",
    "a_queue_that_gets_more", "a_deque_that_loses_at_both_ends", "sorted_by_recursion", "weighed_by_a_generator", "first_row_and_others",
    "pairs_of_what_was_there_at_first", "running_results", "parts_of_what_is_run_over",
    "list_of_rows_from_a_place", "quantiles_that_move",
}  # fmt: skip
REFUSED = {
    "bound_two_functions_deep",
    # sums that start from a number and become arrays there, which are added to in place
    "accumulated", "running_totals", "adds_to_a_total", "names_of_generated_code",
    "totals_that_are_made", "totals_by_name", "oldest_goes_first", "totals_by_default",
    "totals_from_zero", "memo_of_a_recursion", "what_was_seen_beside_totals", "counts_on_every_trip",
    "merged_until_one_is_left",
    # what would be numbers are arrays there: views of x, and elements of lists
    "copied_list", "copied_list_that_grows", "dict_copied_to_the_bottom",
    "objects_in_a_comprehension", "every_pair_but_itself", "pairs_by_indices", "survivors_go_on",
    "counted_from_the_end_before_more_come", "the_same_from_either_end", "back_by_as_many",
    "elements_beside_an_array", "bodies_in_a_dict",
}  # fmt: skip


@pytest.fixture
def stand_in_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a helper asks the module for, where an array of it is given."""
    at = {
        name: types.SimpleNamespace(at=partial(_at, getattr(np, name).at))
        for name in ("add", "subtract")
    }
    monkeypatch.setitem(sys.modules, "cupy", types.SimpleNamespace(**at))


def _at(at: Any, x: Any, index: Any, v: Any) -> None:
    at(x.held, to_host(index), to_host(v))


def on_device(program: Program) -> Callable[..., Any]:
    """The program with numpy arrays going in and coming out, which runs on the device."""

    def run(*args: Any) -> Any:
        given = to_device(args)
        return to_host(final_value(program.function, given, program.written))

    return run


def runs(program: Program) -> bool:
    """Whether the program itself takes arrays of cupy."""
    if 0 in program.refused or not any(isinstance(a, np.ndarray) for a in program.args()):
        return False
    try:
        return on_device(program)(*program.args()) is not None
    except Exception:
        return False


@pytest.mark.usefixtures("stand_in_module")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_every_program_that_runs_there(program: Program) -> None:
    if not runs(program):
        return
    if program.name in REFUSED:
        with pytest.raises(NotDifferentiable):
            vjp(program.function, *to_device(program.args()))
        return
    value = on_device(program)(*program.args())
    head = random_head(value, seed=1)
    args = to_device(program.args())
    if program.name in RAISES:
        with pytest.raises((TypeError, IndexError, AttributeError)):
            vjp(program.function, *args)[1](to_device(head))
        return
    found, pullback = vjp(program.function, *args)
    assert_close(to_host(found), value, program.name)
    for _ in range(2):
        gradients = pullback(to_device(head))
        for position in program.wrt:
            truth = numeric_gradient(on_device(program), program.args(), position, head)
            dtype = np.asarray(program.args()[position]).dtype
            assert_close(to_host(gradients[position]), truth, program.name, dtype)
            if isinstance(args[position], ndarray):
                assert gradients[position].dtype == args[position].dtype
    for before, after in zip(program.args(), to_host(args), strict=True):
        if isinstance(before, np.ndarray):
            np.testing.assert_array_equal(before, after)


def accumulated(x):
    s = x[0]
    s += x[1] * x[2]
    first = x[0]
    x[0] = 3 * x[1]
    return s * first + np.sum(x)


def test_elements_are_views_there() -> None:
    """What runs on a device is differentiated, though numpy would give something else."""
    x = np.array([0.5, 2.0, -1.5])

    def device(x: Any) -> Any:
        return to_host(accumulated(to_device(x)))

    assert device(x) != accumulated(x.copy())
    found = to_host(grad(accumulated)(to_device(x)))
    np.testing.assert_allclose(found, numeric_gradient(device, (x,), 0, 1.0), rtol=1e-6)
    np.testing.assert_allclose(
        grad(accumulated)(x), numeric_gradient(accumulated, (x,), 0, 1.0), rtol=1e-6
    )


def scaled_in_place(x):
    s, t = 1.0, 1.0
    for k in range(len(x)):
        if k % 2:
            s *= 1 - x[k] * x[k]
        else:
            t *= s + x[k]
    return t / s


def test_numbers_of_python_become_arrays_in_place() -> None:
    x = np.array([0.5, 2.0, -1.5])
    for n in range(4):
        found, expected = grad(scaled_in_place)(to_device(x[:n])), grad(scaled_in_place)(x[:n])
        np.testing.assert_allclose(to_host(found), expected, rtol=1e-12)


def loss(w, x, scale):
    return np.sum(np.tanh(w @ x)) * scale


def test_results_stay_on_the_device() -> None:
    args = np.ones((3, 4)), np.ones(4, np.float32), 0.5
    w, x, scale = to_device(args)
    value, gradients = value_and_grad(loss, wrt=(0, 1, 2))(w, x, scale)
    assert all(isinstance(g, ndarray) for g in (value, *gradients))
    assert [g.dtype for g in gradients] == [np.float64, np.float32, np.float64]
    _, pullback = vjp(loss, w, x, scale)
    for head in (1.0, to_device(np.array(1.0)), np.float32(1)):
        for found, expected in zip(pullback(head), grad(loss, wrt=(0, 1, 2))(*args), strict=True):
            np.testing.assert_allclose(to_host(found), expected, rtol=1e-6)
    for bad in (np.ones(()), "1", None):
        with pytest.raises(TypeError, match="head gradient"):
            pullback(bad)
    with pytest.raises(ValueError, match="shape"):
        pullback(to_device(np.ones(1)))


def test_arrays_of_both_sorts_are_refused() -> None:
    w, x, scale = np.ones((3, 4)), np.ones(4), 0.5
    for args in ((to_device(w), x), (w, to_device(x))):
        with pytest.raises(TypeError, match="arrays of numpy, others of cupy"):
            grad(loss)(*args, scale)
    assert isinstance(grad(loss)(w, x, scale), np.ndarray)  # one cache for both


def test_what_does_not_take_them_yet_says_so() -> None:
    x = to_device(np.ones(3))
    for call in (
        lambda: jvp(np_sum, (x,), (x,)),
        lambda: hvp(np_sum)(x, x),
        lambda: grad(grad(np_sum))(x),
    ):
        with pytest.raises(TypeError, match="cupy"):
            call()


def np_sum(x):
    return np.sum(x**3)


def made_where_it_lies(x):
    weights = np.arange(1.0, 4.0, like=x) * np.array([0.5, 2.0, 1.5], like=x)
    turned = np.identity(3, like=x) @ x + np.asarray([1, 2, 3], like=x)
    y = np.zeros(3, like=x)
    for k in range(3):
        y[k] = x[k] ** 2 * turned[k]
    return np.sum(weights * y * np.array([x[0], 1.0, x[2]], like=x))


def test_arrays_that_are_made_like_others() -> None:
    x, x_dot = np.array([0.7, -0.4, 1.2]), np.array([0.3, 0.5, -0.2])
    truth = numeric_gradient(made_where_it_lies, (x,), 0, 1.0)
    np.testing.assert_allclose(grad(made_where_it_lies)(x), truth, rtol=1e-6)
    np.testing.assert_allclose(jvp(made_where_it_lies, (x,), (x_dot,))[1], truth @ x_dot, rtol=1e-6)
    slope = numeric_gradient(lambda z: grad(made_where_it_lies)(z) @ x_dot, (x,), 0, 1.0)
    np.testing.assert_allclose(hvp(made_where_it_lies)(x, x_dot), slope, rtol=1e-6)


def of_data_on_the_host(x):
    return np.sum((x * np.asarray(WEIGHTS, like=x) * np.arange(1.0, 4.0, like=x)) ** 2)


WEIGHTS = [0.5, 2.0, 1.5]


def test_arrays_made_on_the_device() -> None:
    x = np.array([0.7, -0.4, 1.2])
    truth = numeric_gradient(of_data_on_the_host, (x,), 0, 1.0)
    np.testing.assert_allclose(to_host(grad(of_data_on_the_host)(to_device(x))), truth, rtol=1e-6)


def test_only_cupy_is_known_by_name() -> None:
    class Other(ndarray):
        pass

    class ndarray_of_another(ndarray):
        pass

    ndarray_of_another.__name__ = "ndarray"
    for kind in (Other, ndarray_of_another):
        with pytest.raises((TypeError, NotDifferentiable)):
            grad(np_sum)(kind(np.ones(3)))
    assert "cupy" not in sys.modules


def written(a, b):
    a[1:] += b[:-1]
    return a.T


def test_arguments_stay_as_they_are() -> None:
    base = to_device(np.arange(12.0).reshape(3, 4))
    for a, b in [
        (base, to_device(np.ones((3, 4)))),
        (base[:, 1:3], to_device(np.ones((3, 2)))),
        (base.T, to_device(np.ones((4, 3)))),
    ]:
        before = to_host(base)
        grads = grad(written, wrt=(0, 1))(a, b)
        expected = grad(written, wrt=(0, 1))(to_host(a), to_host(b))
        for found, truth in zip(grads, expected, strict=True):
            np.testing.assert_array_equal(to_host(found), truth)
        np.testing.assert_array_equal(to_host(base), before)
    with pytest.raises(ValueError, match="share memory"):
        grad(written)(base, base)


# ------------------------------------------------------- every name that generated code may use

# What cupy lacks, and where generated code has it all the same: mostly in the gradient of what cupy lacks, too.
MISSING = {
    "np.block": "np.block",
    "np.maximum.accumulate": "np.maximum.accumulate",
    "np.add.reduceat": "np.add.reduceat",
    "np.linalg.multi_dot": "np.linalg.multi_dot",
    "np.take(mode=)": "np.take with a mode, which cupy's does not take",
    "np.multiply.outer": "np.dot with an operand of no axes, np.linalg.tensorsolve",
    "np.mean(where=)": "np.var and np.std with where",
    "np.linalg.pinv(hermitian=)": "np.linalg.pinv with hermitian, which cupy's does not take",
    "np.linalg.svd(hermitian=)": "np.linalg.svd with hermitian, which cupy's does not take",
    **{
        f"np.{name}({what}=)": "reductions with initial and where, which cupy's do not take"
        for name, what in (
            ("sum", "initial"),
            ("prod", "where"),
            ("max", "initial"),
            ("max", "where"),
            ("min", "initial"),
            ("min", "where"),
            ("nanmax", "initial"),
            ("nanmax", "where"),
            ("nanmin", "initial"),
            ("nanmin", "where"),
            ("nanmean", "where"),
            ("nanprod", "where"),
        )
    },
    "np.finfo": "np.finfo of a dtype, which is no array",
    "np.polydiv": "np.polydiv",
    "np.insert": "np.cumulative_prod with include_initial",
    "np.polynomial.legendre.leggauss": "scipy.integrate.odeint, which runs on the host",
    "np.errstate": "gammainc, betainc and their like by their parameters, which run on the host",
    "np.polyder": "np.polyval with respect to where it is evaluated",
    **{
        f"np.polynomial.{family}{rest}": "fits of the families of polynomials, which cupy does not have"
        for family, matrix in (
            ("polynomial", "polyvander"),
            ("chebyshev", "chebvander"),
            ("legendre", "legvander"),
            ("hermite", "hermvander"),
            ("hermite_e", "hermevander"),
            ("laguerre", "lagvander"),
        )
        for rest in ("", f".{matrix}")
    },
}
PLAIN = {"np.float32", "np.float64", "np.bool_", "np.ndarray", "np.dtype", "np.generic", "np.floating", "np.integer", "np.uint8", "np.inf", "np.nan", "np.pi", "np.linalg", "np.fft", "np.polynomial", "np.polynomial.legendre"}  # fmt: skip


def _dotted(node: ast.AST) -> str:
    match node:
        case ast.Attribute(value=value, attr=attr):
            stem = _dotted(value)
            return f"{stem}.{attr}" if stem else ""
        case ast.Name(id=name):
            return name
    return ""


def _is_there(name: str) -> bool:
    stem, _, method = name.rpartition(".")
    if stem in UFUNCS:
        functions = UFUNC_METHODS.get(method, ())
        return functions is not None and stem.removeprefix("np.") in functions
    return name in FUNCTIONS or name in UFUNCS or name in PLAIN


def _missing_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        name = _dotted(node)
        if name.startswith("np.") and isinstance(node, ast.Attribute) and not _is_there(name):
            yield name
        called = _dotted(node.func) if isinstance(node, ast.Call) else ""
        parameters = FUNCTIONS.get(called)
        if isinstance(node, ast.Call) and parameters is not None:
            stars = {name.count("*") for name in parameters}
            if 2 not in stars:
                known = {*parameters, "like"}  # which NumPy takes for itself, and calls cupy's
                yield from (f"{called}({k.arg}=)" for k in node.keywords if k.arg not in known)
            if 1 not in stars and len(node.args) > len(parameters):
                yield f"{called} of {len(node.args)}"


def test_every_name_in_a_helper_exists_there() -> None:
    found: set[str] = set()
    for module in pkgutil.iter_modules(tangentish.runtime.__path__):
        source = inspect.getsource(importlib.import_module(f"tangentish.runtime.{module.name}"))
        found |= set(_missing_in(ast.parse(source)))
    assert found <= MISSING.keys()


def test_every_name_in_a_rule_exists_there() -> None:
    """In the rules of all functions that cupy has."""
    found: set[str] = set()
    for rule in (rule for rules in RULES.values() for rule in rules):
        primal = ast.parse(rule.primal, mode="eval").body
        name = _dotted(primal.func) if isinstance(primal, ast.Call) else ""
        if name.startswith("np.") and not _is_there(name):
            continue
        for text in (*rule.adjoints.values(), *rule.tangents.values()):
            found |= set(_missing_in(ast.parse(text, mode="eval")))
    assert found <= MISSING.keys()


def test_the_table_of_names_says_where_it_is_from() -> None:
    first = (Path(__file__).parent / "cupy_names.txt").read_text().splitlines()[1]
    assert "cupy-cuda12x 14.2.0" in first
    assert {"np.zeros_like", "np.where", "np.linalg.solve"} <= FUNCTIONS.keys()
    assert {"np.exp", "np.add", "np.maximum"} <= UFUNCS


# ------------------------------------------------------------------------------ a real device


@pytest.fixture
def cupy() -> Any:
    """The package, where there is a device for it."""
    package = pytest.importorskip("cupy")
    try:
        package.zeros(1)
    except Exception as error:
        pytest.skip(f"no device: {error}")
    return package


TEN = [
    "two_layers", "jacobi", "gaussian_log_likelihood", "write_through_ravel", "where_of_both", "standardised",
    "helper_in_a_loop", "thomas_solve", "transposes", "springs",
]  # fmt: skip


@pytest.mark.gpu
@pytest.mark.parametrize("name", TEN)
def test_programs_on_a_device(cupy: Any, name: str) -> None:
    program = PROGRAMS[name]
    move = [cupy.asarray(a) if isinstance(a, np.ndarray) else a for a in program.args()]
    value, pullback = vjp(program.function, *move)
    expected, truth = vjp(program.function, *program.args())
    assert_close(cupy.asnumpy(value), expected, name)
    head = random_head(expected, seed=1)
    gradients = pullback(cupy.asarray(head))
    for position in program.wrt:
        found = gradients[position]
        dtype = np.asarray(program.args()[position]).dtype
        assert_close(cupy.asnumpy(found), truth(head)[position], name, dtype)


def in_cupy(cupy: Any, value: Any) -> Any:
    """The value with its numpy arrays on the device."""
    if isinstance(value, np.ndarray):
        return cupy.asarray(value)
    if isinstance(value, (tuple, list)):
        return type(value)(in_cupy(cupy, item) for item in value)
    if isinstance(value, dict):
        return {key: in_cupy(cupy, item) for key, item in value.items()}
    return value


def in_numpy(cupy: Any, value: Any) -> Any:
    """The value with its arrays of cupy in numpy's hands."""
    if isinstance(value, cupy.ndarray):
        return cupy.asnumpy(value)
    if isinstance(value, (tuple, list)):
        return type(value)(in_numpy(cupy, item) for item in value)
    if isinstance(value, dict):
        return {key: in_numpy(cupy, item) for key, item in value.items()}
    return value


@pytest.mark.gpu
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_every_program_on_a_device(cupy: Any, program: Program) -> None:
    """What runs on the stand-in gives the same there; what is refused is refused, what raises there may be right here."""
    if not runs(program):
        return
    args = in_cupy(cupy, program.args())
    if program.name in REFUSED:
        with pytest.raises(NotDifferentiable):
            vjp(program.function, *args)
        return
    head = random_head(on_device(program)(*program.args()), seed=1)
    try:
        found, pullback = vjp(program.function, *args)
        gradients = pullback(in_cupy(cupy, head))
    except (TypeError, IndexError, AttributeError, ValueError, NotImplementedError):
        if program.name in RAISES:
            return
        raise
    assert_close(in_numpy(cupy, found), on_device(program)(*program.args()), program.name)
    for position in program.wrt:
        truth = numeric_gradient(on_device(program), program.args(), position, head)
        dtype = np.asarray(program.args()[position]).dtype
        assert_close(in_numpy(cupy, gradients[position]), truth, program.name, dtype)
        if isinstance(args[position], cupy.ndarray):
            assert gradients[position].dtype == args[position].dtype


def digits_agree(move: Callable[[Any], Any], back: Callable[[Any], Any]) -> None:
    """A few steps of descent with the classifier of digits, on a device and beside it."""
    pytest.importorskip("sklearn")
    place = Path(__file__).parents[1] / "examples" / "digits.py"
    spec = importlib.util.spec_from_file_location("digits_example", place)
    assert spec is not None
    assert spec.loader is not None
    digits: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(digits)
    images, _, targets, _ = digits.load_data()
    images, targets = images[:300], targets[:300]
    start = np.random.default_rng(0).normal(0.0, 0.1, 64 * 24 + 24 + 24 * 10 + 10)
    here, there = start, move(start)
    gradient = value_and_grad(digits.loss)
    for _ in range(3):
        value, step = gradient(here, images, targets)
        found, step_there = gradient(there, move(images), move(targets))
        np.testing.assert_allclose(back(found), value, rtol=1e-9)
        np.testing.assert_allclose(back(step_there), step, rtol=1e-7, atol=1e-12)
        here, there = here - step, there - step_there


def test_digits_on_the_stand_in() -> None:
    digits_agree(to_device, to_host)


@pytest.mark.gpu
def test_digits_on_a_device(cupy: Any) -> None:
    digits_agree(cupy.asarray, cupy.asnumpy)
