"""Derivatives compiled by Numba: they agree with the interpreted ones, or are refused."""

from __future__ import annotations

import importlib.util
import linecache
import math
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from corpus import PROGRAMS
from numeric import assert_close, copy_arguments, numeric_gradient

from tangentish import NotDifferentiable, differentiate, grad, value_and_grad

pytest.importorskip("numba")
pytestmark = pytest.mark.filterwarnings("ignore::numba.NumbaPerformanceWarning")

# Programs of every family that Numba compiles; `python -m tests.compiled_corpus` walks all of them.
SAMPLE = (
    "integer_power builtin_extremes same_operand triangular_loops value_used_after_last_trip "
    "recurrence_in_an_array loop_in_a_branch four_returns return_from_a_loop fixed_point_with_trip_limit "
    "while_with_stores product gathered augmented_by_itself slices_that_overlap "
    "float32_meets_float64 appended thin_gradient_is_made_full split_at_places low_rank covariances smoothed integral "
    "sample_of_positions pairs_and_meshes places_beside_slices last_of_a_list parts_of_one_buffer ring_of_the_last_values "
    "lists_of_constants_grow items_of_a_dict states_in_pairs values_in_order sorted_in_place deleted_from_lists "
    "a_list_and_a_tuple_are_bound kernel_matrix one_of_three no_array_on_one_path parts_of_any_number "
    "list_of_rows_from_a_place chosen_among_a_list_else_the_default complex_between waves index_is_drawn_once diagonals_filled edges_of_a_histogram"
).split()


def same(found: Any, wanted: Any) -> None:
    """Equal but for rounding, and of the same types: documented in docs/compiled.md."""
    if isinstance(wanted, tuple):
        assert isinstance(found, tuple) and len(found) == len(wanted)
        for a, b in zip(found, wanted, strict=True):
            same(a, b)
        return
    assert np.shape(found) == np.shape(wanted)
    assert isinstance(found, np.ndarray) == isinstance(wanted, np.ndarray)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype
    narrow = np.asarray(wanted).dtype == np.float32
    np.testing.assert_allclose(found, wanted, rtol=1e-4 if narrow else 1e-9, atol=1e-11)


@pytest.mark.parametrize("name", SAMPLE)
def test_corpus(name: str) -> None:
    program = PROGRAMS[name]
    args = program.args()
    before = copy_arguments(args)
    wanted = value_and_grad(program.function, wrt=program.wrt)(*program.args())
    found = value_and_grad(program.function, wrt=program.wrt, compile="numba")(*args)
    same(found, wanted)
    same(args, before)


@pytest.mark.parametrize(
    "name", ["sums_of_slices_that_broadcast", "products_of_slices_that_broadcast"]
)
def test_gradients_in_shapes_that_are_not_known(name: str) -> None:
    program = PROGRAMS[name]
    compiled = grad(program.function, wrt=program.wrt, compile="numba")
    for args in (program.args, *program.variants):
        same(compiled(*args()), grad(program.function, wrt=program.wrt)(*args()))


# ------------------------------------------------------------------------------------- operators


def power_sum(x: Any, w: float, n: int = 3, *, scale: float = 2.0) -> Any:
    total = 0.0
    for k in range(n):
        total += scale * w * x[k] ** 2
    return total


X = np.array([0.5, -1.5, 2.0])
SQUARE = np.sin(np.arange(9.0)).reshape(3, 3)


def test_operators_take_what_the_function_takes() -> None:
    decorated = differentiate(wrt=("x", "w"), compile="numba")(power_sum)
    assert decorated(X, 0.5) == power_sum(X, 0.5)
    same(decorated.grad(X, 0.5), grad(power_sum, wrt=("x", "w"))(X, 0.5))
    same(decorated.grad(w=0.5, x=X, n=2), grad(power_sum, wrt=("x", "w"))(X, 0.5, 2))
    same(
        decorated.value_and_grad(X, 0.5, scale=3.0),
        value_and_grad(power_sum, wrt=("x", "w"))(X, 0.5, scale=3.0),
    )


def test_pullbacks_can_be_called_again_and_keep_what_they_saw() -> None:
    def product(x: Any, w: Any) -> Any:
        y = x
        for _ in range(3):
            y = y * x * w
        return y

    decorated = differentiate(product, compile="numba")
    x = X.copy()
    value, pullback = decorated.vjp(x, 0.5)
    same(value, product(X, 0.5))
    first = pullback(np.ones(3))
    x[:] = 100.0
    same(pullback(np.ones(3)), first)
    interpreted = differentiate(product).vjp(X, 0.5)[1]
    head = np.array([1.0, -2.0, 0.5])
    same(pullback(head), interpreted(head))


def test_aux_outputs() -> None:
    def loss(x: Any) -> Any:
        total = 0.0
        for k in range(len(x)):
            total += x[k] ** 2
        return total, len(x)

    (value, count), gradient = value_and_grad(loss, has_aux=True, compile="numba")(X)
    assert (value, count) == (float(np.sum(X**2)), 3)
    same(gradient, 2 * X)


def test_types_are_those_of_the_interpreted_gradient() -> None:
    def scaled(x: Any, s: Any) -> Any:
        return np.sum(x * s * 2.0)

    args = X.astype(np.float32), np.float32(0.5)
    found = grad(scaled, wrt=(0, 1), compile="numba")(*args)
    same(found, grad(scaled, wrt=(0, 1))(*args))
    assert [type(g) for g in found] == [np.ndarray, np.float32]
    assert type(grad(scaled, wrt=1, compile="numba")(X, 0.5)) is float
    assert type(grad(scaled, wrt=1, compile="numba")(X, np.float64(0.5))) is np.float64


def test_a_total_has_the_type_of_what_it_adds_up() -> None:
    def total(x: Any) -> Any:
        y = 0.0
        for v in x:
            y = y + v * v
        return y

    x = X.astype(np.float32)
    found = value_and_grad(total, compile="numba")(x)
    same(found, value_and_grad(total)(x))
    assert type(found[0]) is np.float32
    value, _ = differentiate(total, compile="numba").vjp(x)
    assert type(value) is np.float32


def test_source_shows_what_is_compiled() -> None:
    compiled = grad(reads_outside, compile="numba")
    assert compiled.source(1.5) == grad(reads_outside).source(1.5)
    text = compiled.source(1.5, compiled=True)
    assert text.startswith("def reads_outside_grad(GRAVITY, x, dy):\n")
    assert grad(reads_outside).source(1.5, compiled=True) == text


# ------------------------------------------------------------------------------- what is outside

GRAVITY = 9.81


def reads_outside(x: float) -> float:
    return helped(x) * GRAVITY


def helped(x: float) -> float:
    return x * x * GRAVITY + twice(3.0) * x


def twice(t: float) -> float:
    return t * 2


def test_globals_are_read_at_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = grad(reads_outside, compile="numba")
    same(compiled(1.5), grad(reads_outside)(1.5))
    monkeypatch.setitem(globals(), "GRAVITY", 2.0)
    same(compiled(1.5), grad(reads_outside)(1.5))


def test_closures_are_read_at_every_call() -> None:
    rate = 2.0

    def scaled(x: float) -> float:
        return math.sin(x * rate)

    compiled = grad(scaled, compile="numba")
    same(compiled(0.3), 2 * math.cos(0.6))
    rate = 3.0
    same(compiled(0.3), 3 * math.cos(0.9))


def test_functions_that_are_compiled_in_are_looked_up_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def shifted(x: float, n: int) -> float:
        return x * whole(n)

    compiled = grad(shifted, compile="numba")
    same(compiled(1.0, 3), 4.0)
    monkeypatch.setitem(globals(), "whole", lambda n: n + 2)
    same(compiled(1.0, 3), 5.0)


def whole(n: int) -> int:
    return plus_one(n)


def plus_one(n: int) -> int:
    return n + 1


# ------------------------------------------------------------- where Numba means something else


def test_indices_are_checked() -> None:
    def third(x: Any, k: int) -> Any:
        return x[k] * 2.0

    compiled = grad(third, compile="numba")
    same(compiled(X, -1), np.array([0.0, 0.0, 2.0]))
    with pytest.raises(IndexError):
        compiled(X, 3)


def test_a_variable_without_a_value_raises() -> None:
    def last(x: Any, n: int) -> Any:
        for k in range(n):
            t = x[k] * 2.0
        return t * t

    compiled = grad(last, compile="numba")
    same(compiled(X, 3), grad(last)(X, 3))
    with pytest.raises(UnboundLocalError, match="'t'"):
        compiled(X, 0)


def test_the_largest_of_nothing_raises() -> None:
    """A StopIteration of Numba's, which nobody catches who catches what Python raises."""

    def f(x: Any, q: float) -> float:
        return max(x) * q + min([v * q for v in x])

    compiled = grad(f, compile="numba", wrt="q")
    same(compiled(X, 0.8), grad(f, wrt="q")(X, 0.8))
    with pytest.raises(ValueError, match="empty"):
        compiled(X[:0], 0.8)


def test_a_variable_without_a_value_in_a_function_that_is_called() -> None:
    def lasting(x: float, n: int) -> float:
        return x * last_index(n)

    with pytest.raises(NotDifferentiable, match="'k' may have no value"):
        grad(lasting, compile="numba")(1.0, 0)


def last_index(n: int) -> int:
    for k in range(n):
        pass
    return k


def test_updates_by_a_view_of_the_array_itself() -> None:
    def shifted(x: Any) -> Any:
        x = x * 1.0
        x[1:] += x[:-1]
        tail = x[1:]
        x[:-1] -= tail
        return np.sum(x * x * x)

    same(value_and_grad(shifted, compile="numba")(X), value_and_grad(shifted)(X))


def swept(a: Any) -> Any:
    for i in range(1, len(a)):
        a[i, 0] += a[i - 1, 1] * a[i - 1, 0] ** 2
    return a[-1, 0]


@pytest.mark.parametrize("a", [np.asfortranarray(SQUARE), SQUARE[:, ::-1]], ids=["F", "A"])
def test_arguments_of_any_layout_are_copied_before_they_are_written_to(a: Any) -> None:
    before = a.copy()
    assert_close(grad(swept, compile="numba")(a), numeric_gradient(swept, (a,), 0, 1.0), "a")
    same(a, before)


def test_elements_that_share_memory_are_not_copied_apart() -> None:
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(5.0), 3, writeable=True)
    with pytest.raises(ValueError, match="share memory"):
        grad(swept, compile="numba")(windows)


def halves_multiplied(x: Any, n: int) -> Any:
    left, _, right = np.split(x, [n, 3])
    return np.sum(left**2) * np.sum(right)


def test_parts_of_a_split_that_overlap_raise() -> None:
    x, gradient = np.arange(1.0, 6.0), grad(halves_multiplied, compile="numba")
    assert_close(gradient(x, 2), numeric_gradient(halves_multiplied, (x, 2), 0, 1.0), "split")
    with pytest.raises(ValueError, match="overlap"):
        gradient(x, 4)


def test_integers_to_negative_powers_raise() -> None:
    def scaled(x: float, n: int) -> float:
        return x * 2**n

    compiled = grad(scaled, compile="numba")
    same(compiled(1.5, 3), 8.0)
    with pytest.raises(ValueError, match="negative power"):
        compiled(1.5, -1)


def test_keywords_of_the_user_that_are_names_of_the_call() -> None:
    def named(compiled: float, error: float, found: float = 2.0) -> float:
        return compiled * error * found

    same(grad(named, wrt=(0, 1), compile="numba")(1.5, error=3.0), (6.0, 3.0))


LISTS_OF_INTEGERS = """
def repeated(x):
    out = [0] * 3
    for k in range(3):
        out[k] = x[k] * x[k]
    return sum(out) * out[1]

def displayed(x):
    out = [0, 1, 2]
    out[1] = x[0] * 0.5
    return out[1] * out[1] + out[2] * x[1]

def of_a_range(x):
    out = list(range(3))
    for k in range(3):
        out[k] += x[k]
    return out[0] * out[1] * out[2]

def comprehended(x):
    out = [k for k in range(3)]
    out[0] = x[0] * 0.5
    return out[0] * out[0] * out[2]

def of_a_number(x):
    cost = [len(x)] * 3
    cost[2] = x[0] * x[1]
    return cost[2] ** 2 + cost[0] * x[2]

def appended_before(x):
    out = []
    for k in range(3):
        out.append(k)
    out[1] = x[0] * 0.5
    return out[1] ** 2 + out[2] * x[2]

def one_of_two(x):
    out = [0, 0] if x[0] > 0 else [1, 1]
    out[1] = x[0] * 0.5
    return out[1] ** 2 + out[0] * x[2]

def table_of_costs(x):
    cost = [[0] * 3 for _ in range(3)]
    for i in range(1, 3):
        for j in range(1, 3):
            cost[i][j] = min(cost[i - 1][j], cost[i][j - 1]) + x[i] * x[j]
    return cost[2][2]

def put(items, v):
    items[0] = v

def stored_by_a_helper(x):
    out = [3, 1, 2]
    put(out, x[0] * x[1])
    return out[0] * out[0]

def best_of_a_closure(x):
    best = [0]
    def note(v):
        best[0] = max(best[0], v * v)
    for v in x:
        note(v)
    return best[0] * 3.0
"""


@pytest.mark.parametrize("name", re.findall(r"^def (\w+)\(x\)", LISTS_OF_INTEGERS, re.MULTILINE))
def test_lists_of_integers_that_get_floats(name: str) -> None:
    """Numba cuts a float that is stored in a list of integers, without a word."""
    function = _function(LISTS_OF_INTEGERS, name)
    same(value_and_grad(function, compile="numba")(X), value_and_grad(function)(X))


def _function(text: str, name: str) -> Any:
    filename = f"<{name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space: dict[str, Any] = {"np": np, "__name__": "of_a_text"}
    exec(compile(text, filename, "exec"), space)
    return space[name]


def test_stores_that_would_be_cut_are_refused() -> None:
    def copied(x: Any) -> Any:
        base = [1, 2, 3]
        out = base.copy()
        out[0] = x[0] * x[1]
        return out[0] ** 2 + base[1] * x[2]

    error = refusal(copied, X)
    assert "a list of int64 holds no float64" in error.msg
    assert "out[0] = x[0] * x[1]" in (error.text or "")

    def by_helper(x: Any) -> Any:
        return halves(3)[1] * x[1] ** 2

    assert "a list of int64 holds no float64" in refusal(by_helper, X).msg


def halves(n: int) -> list[float]:
    out = [0] * n
    for k in range(n):
        out[k] = 0.5 * k  # type: ignore[call-overload]
    return out


def test_lists_of_several_types_of_numbers_are_refused() -> None:
    program = PROGRAMS["numbers_chosen_from_a_list_are_stored"]
    with pytest.raises(NotDifferentiable, match="'parts' holds numbers of several types"):
        grad(program.function, wrt=program.wrt, compile="numba")(*program.args())


def window(x: Any) -> Any:
    rows = []
    for k in range(4):
        rows.append(x * x[k % 3])
        if len(rows) > 2:
            rows.pop(0)
    return np.sum(rows[0])


def window_of_parts(x: Any) -> Any:
    rows = []
    for k in range(3):
        rows.append(x[: k + 1] * x[k])
        if len(rows) > 2:
            rows.pop(-3)
            rows.append(x[:k] * x[k])
    total = 0.0
    for row in rows:
        total += np.sum(row**2)
    return total


@pytest.mark.parametrize("f", [window, window_of_parts])
def test_arrays_that_are_taken_out_of_a_list(f: Any) -> None:
    gradient, expected = grad(f, compile="numba"), grad(f)(X)
    for _ in range(50):
        np.testing.assert_allclose(gradient(X), expected)


def last_of_window(x: Any) -> float:
    rows = [np.ones(k + 1) for k in range(4)]
    rows.pop(0)
    rows.append(np.ones(2))
    return float(rows[0][0])


def last_of_shortened(x: Any) -> float:
    rows = [np.ones(k + 1) for k in range(4)]
    del rows[:2]
    rows.append(np.ones(2))
    return float(rows[0][0])


@pytest.mark.parametrize("helper", [last_of_window, last_of_shortened])
def test_helpers_that_take_arrays_out_of_a_list_are_refused(helper: Any) -> None:
    def scaled(x: Any) -> Any:
        return np.sum(x * x) * helper(3)

    assert "frees arrays that a list still holds" in refusal(scaled, X).msg


# ------------------------------------------------------------------------------------- arrays of lists


def test_arrays_of_comprehensions_and_parts_of_matrices() -> None:
    """Numba fills such an array itself, and fails where the loop appends to a tape as well."""

    def waves(x: Any) -> Any:
        y = np.array([np.sin(v) * v for v in x])
        return np.sum(y * y)

    def parts(x: Any, n: int) -> Any:
        total = 0.0
        for part in np.array_split(x, n):
            total += np.sum(part) * np.sum(part**2)
        return total

    same(value_and_grad(waves, compile="numba")(X), value_and_grad(waves)(X))
    x = np.sin(np.arange(14.0)).reshape(7, 2)
    for given in (x, x.astype(np.float32)):
        same(grad(parts, compile="numba")(given, 3), grad(parts)(given, 3))


# ------------------------------------------------------------------------------------- orders

ORDERS = """
def by_key(x, n):
    return weighted(x, sorted([k for k in range(n)], key=lambda k: k % 3))

def by_key_backwards(x, n):
    return weighted(x, sorted(range(n), reverse=True, key=lambda k: k % 3))

def in_place(x, n):
    order = [k for k in range(n)]
    order.sort(key=lambda k: -(k % 3))
    return weighted(x, order)

def by_elements(x, n):
    return weighted(x, sorted(range(n), key=lambda k: x[k] * 4 // 1))

def by_elements_backwards(x, n):
    return weighted(x, sorted(range(len(x)), key=lambda k: x[k], reverse=True))

def of_a_function(x, n):
    return weighted(x, order_of_remainders(n))

def of_active_values(x, n):
    rows = [(x[k], x[k] ** 2) for k in range(n)]
    rows = sorted(rows, key=lambda row: row[1] // 0.5)
    total = 0.0
    for k, row in enumerate(rows):
        total += k * row[0] * row[1]
    return total

def order_of_remainders(n):
    return sorted([k for k in range(n)], key=lambda k: k % 3, reverse=True)

def weighted(x, order):
    total = 0.0
    for i, k in enumerate(order):
        total += i * x[k] ** 2
    return total
"""


@pytest.mark.parametrize("name", re.findall(r"^def (\w+)\(x, n\)", ORDERS, re.MULTILINE))
def test_what_is_equal_stays_in_its_order(name: str) -> None:
    """Numba's own `sorted` is not stable: of more than some fifteen items those of the same key change places."""
    function = _function(ORDERS, name)
    compiled, plain = value_and_grad(function, compile="numba"), value_and_grad(function)
    for n in (1, 50):
        x = np.round(np.sin(np.arange(float(n))), 1)
        same(compiled(x, n), plain(x, n))


def test_sorting_in_place_by_a_key_in_a_function_that_is_compiled_as_it_is() -> None:
    def chosen(x: Any, n: int) -> Any:
        return x[order_of_rests(n)[0]] ** 2

    error = refusal(chosen, X, 3)
    assert "does not leave what is equal as it stands" in error.msg


def order_of_rests(n: int) -> list[int]:
    order = list(range(n))
    order.sort(key=lambda k: k % 3)
    return order


# ----------------------------------------------------------------------------------- refused


def refusal(function: Any, *args: Any) -> NotDifferentiable:
    with pytest.raises(NotDifferentiable) as caught:
        grad(function, compile="numba")(*args)
    return caught.value


def test_what_numba_has_not_is_refused_at_the_users_line() -> None:
    def contracted(x: Any) -> Any:
        y = x * 2.0
        return np.sum(np.einsum("i,i->i", y, y))

    error = refusal(contracted, X)
    assert "einsum" in (error.text or "")
    assert error.filename == __file__
    assert "Numba" in error.msg


def test_what_numba_can_not_read_is_refused_at_the_users_line() -> None:
    def told(x: Any) -> Any:
        y = x[0] * x[1]
        print(f"{y:.3f}")
        return y * y

    error = refusal(told, X)
    assert error.text is not None and error.text.strip().startswith("print(")
    assert error.msg.endswith("format spec in f-strings not supported yet")


def matched(x: Any) -> Any:
    match x[0] > 0:
        case True:
            return x[0] * x[1]
        case _:
            return x[1]


def is_true(x: Any) -> Any:
    return x[0] ** 2 if (x[0] > 0) is True else x[1]


def of_class(x: Any) -> Any:
    return x[0] ** 2 if isinstance(x[0] > 0, bool) else x[1]


def is_no_truth(v: Any) -> float:
    return 2.0 if (v > 0) is not True else 1.0


def by_helper_that_asks(x: Any) -> Any:
    return x[1] * is_no_truth(x[0] > 0)


@pytest.mark.parametrize("f", [matched, is_true, of_class, by_helper_that_asks])
def test_truth_values_of_numpy_are_not_those_of_python(f: Any) -> None:
    assert "NumPy's" in refusal(f, X).msg


def test_global_random_state_is_refused() -> None:
    def noisy(x: Any) -> Any:
        return np.sum(x * np.random.normal())

    assert "random state" in refusal(noisy, X).msg

    def by_helper(x: Any) -> Any:
        return np.sum(x * draw())

    assert "random state" in refusal(by_helper, X).msg


def draw() -> float:
    return np.random.normal()


def test_helpers_that_read_what_changes_are_refused() -> None:
    def scaled(x: float, n: int) -> float:
        return x * weight(n)

    assert "'GRAVITY'" in refusal(scaled, 1.0, 2).msg


def weight(n: int) -> float:
    return n * GRAVITY


def test_numbers_that_numpy_keeps_in_range_are_refused() -> None:
    def weighed(x: Any, counts: Any) -> Any:
        total = 0.0
        for k in range(len(counts) - 1):
            total += x[k] * (counts[k] - counts[k + 1])
        return total

    counts = np.array([1, 2, 250])
    same(grad(weighed, compile="numba")(X, counts), grad(weighed)(X, counts))
    assert "uint8" in refusal(weighed, X, counts.astype(np.uint8)).msg


def test_draws_from_a_generator_are_those_of_the_function() -> None:
    def noisy(x: Any, rng: Any) -> Any:
        total = 0.0
        for k in range(len(x)):
            total += x[k] * rng.normal(1.0, 2.0)
        return total

    found = value_and_grad(noisy, compile="numba")(X, np.random.default_rng(3))
    same(found, value_and_grad(noisy)(X, np.random.default_rng(3)))


def test_recursion_is_refused() -> None:
    assert "recursion" in refusal(calls_itself, 0.5, 3).msg


def calls_itself(x: float, n: int) -> float:
    return x if n == 0 else inner_power(x, n)


def inner_power(x: float, n: int) -> float:
    return x if n == 0 else inner_power(x * x, n - 1) + x


LOOPS_COMPUTED_AGAIN = """
def element_is_overwritten(x):
    y = 1.0
    for i in range(1, len(x)):
        t = x[i - 1] * 2.0
        x[i] = x[i] * t + 0.1
        y = y * t * x[i]
    return y

def overwritten_through_a_view(x):
    v = x[::-1]
    y = 0.0
    for i in range(len(x)):
        t = x[i] * 3.0
        v[i] = t * t
        y += t * x[i]
    return y

def changed_after_it_was_read(x):
    a, y = 1.0, 1.0
    for i in range(len(x)):
        t = a * x[i]
        y = y * t
        a = a + t
    return y * a

def all_computed_again(x):
    y = 0.0
    for i in range(len(x)):
        s = np.sin(x[i])
        t = s * s + x[i]
        y += t * s
    return y
"""


@pytest.mark.parametrize("name", re.findall(r"def (\w+)", LOOPS_COMPUTED_AGAIN))
def test_what_is_computed_again_is_what_it_was(name: str) -> None:
    function = _function(LOOPS_COMPUTED_AGAIN, name)
    x = np.array([0.5, 0.75, 1.25, 0.9, 1.1])
    compiled = value_and_grad(function, compile="numba")
    same(compiled(x), value_and_grad(function)(x))
    if name == "all_computed_again":
        assert "tape" not in grad(function).source(x, compiled=True)


def left_downwards(x: Any, n: int) -> Any:
    s = 0.0
    for k in range(n, 0, -2):
        s = s + x * k * s + x
        if s > 50.0:
            break
    return s


def left_within(x: Any, n: int) -> Any:
    s = 1.0
    for i in range(1, n, 2):
        for j in range(i, 2 * i, 3):
            if s > 5.0:
                break
            s = s * x + j * s * s * 0.01
        if s < -2.0:
            return s * x
    return s


@pytest.mark.parametrize("function", [left_downwards, left_within])
@pytest.mark.parametrize(("x", "n"), [(0.7, 9), (1.2, 8), (-1.5, 30), (0.7, 0)])
def test_loops_over_ranges_that_are_left(function: Any, x: float, n: int) -> None:
    same(value_and_grad(function, compile="numba")(x, n), value_and_grad(function)(x, n))


def lower_vectors(x: Any) -> Any:
    w, v = np.linalg.eigh(x[:, :3].copy())
    return np.sum(np.abs(v[0]) * w)


def lower_values(x: Any) -> Any:
    return np.sum(np.linalg.eigvalsh(x[:, :3].copy()) ** 3)


def only_the_values(x: Any) -> Any:
    u, s, vt = np.linalg.svd(x)
    return np.sum(s**3)


def every_factor(x: Any) -> Any:
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    return np.sum(np.abs(u[0]) * s) + np.sum(np.abs(vt[:, 1]))


def wide_triangle(x: Any) -> Any:
    q, r = np.linalg.qr(x)
    return np.sum(q[0] ** 3) + np.sum(r**2 * x)


def tall_triangle(x: Any) -> Any:
    q, r = np.linalg.qr(x.T.copy())
    return np.sum(r**3)


def root_of_a_matrix(x: Any) -> Any:
    return np.sum(np.linalg.cholesky(x @ x.T + np.eye(3)) ** 3)


def biased_covariance(x: Any) -> Any:
    return np.sum(np.cov(x, bias=True) ** 3)


FACTORS = [
    lower_vectors, lower_values, only_the_values, every_factor, wide_triangle, tall_triangle, root_of_a_matrix,
    biased_covariance,
]  # fmt: skip


@pytest.mark.parametrize("function", FACTORS)
def test_factors_of_matrices(function: Any) -> None:
    x = np.random.default_rng(1).normal(size=(3, 4))
    same(grad(function, compile="numba")(x), grad(function)(x))


def test_vectors_without_a_singular_value_are_refused() -> None:
    def all_vectors(x: Any) -> Any:
        u, s, vt = np.linalg.svd(x)
        return np.sum(vt[3] ** 3)

    with pytest.raises(ValueError, match="full_matrices=False"):
        grad(all_vectors, compile="numba")(np.random.default_rng(1).normal(size=(3, 4)))


def test_what_was_on_tapes_is_freed() -> None:
    """Tapes are emptied by a pop of our own, which must neither keep nor free an array too often."""
    from numba.core.runtime import _nrt_python, rtsys

    def repeated(w: Any, x: Any, n: int, trips: int) -> Any:
        total = 0.0
        for _ in range(trips):
            y = x
            for k in range(n):
                y = np.tanh(w * y)
                if y[0] > 0.3:
                    y = y * 0.5 * k
            total += np.sum(y)
        return total

    compiled, args = value_and_grad(repeated, wrt=(0, 1), compile="numba"), (X * 2.0, X, 40, 3)
    same(compiled(*args), value_and_grad(repeated, wrt=(0, 1))(*args))
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for _ in range(3):
        same(compiled(*args), compiled(*args))
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after.mi_alloc - before.mi_alloc > 6 * 3 * 40
    assert after.mi_alloc - after.mi_free == before.mi_alloc - before.mi_free
    assert "pop(" in compiled.source(*args, compiled=True)


def test_objects_are_refused() -> None:
    class Model:
        rate = 2.0

    def loss(x: Any, model: Any) -> Any:
        return np.sum(x) * model.rate

    assert isinstance(refusal(loss, X, Model()), NotDifferentiable)


def test_an_unknown_compiler() -> None:
    with pytest.raises(ValueError, match="numba"):
        grad(power_sum, compile="cython")  # type: ignore[call-overload]


def test_numba_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda *_: None)
    with pytest.raises(ImportError, match=r"tangentish\[numba\]"):
        grad(power_sum, compile="numba")
    with pytest.raises(ImportError, match=r"tangentish\[numba\]"):
        differentiate(compile="numba")


def test_numba_is_imported_only_when_asked_for() -> None:
    code = "import sys, tangentish; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class Stretched:
    def __init__(self, p, q):
        self.p = p
        self.q = q
        self.parts = list(q * p)

    def last(self):
        for v in self.q:
            self.p = v


def undone_before_it_is_read(x, s):
    part = Stretched(s, x)
    part.q[1] = 2.0
    part.last()
    return min(part.parts) + np.sum(part.parts) + part.p


def shifted_list(x, s):
    xs = [s * v for v in x]
    xs = [v + xs[k - 1] for k, v in enumerate(xs) if k > 0]
    x[0] = xs[1]
    return np.sum(np.array([v * w for v in xs for w in x])) + sum([x[i] for i in range(2)])


@pytest.mark.parametrize("f", [undone_before_it_is_read, shifted_list])
def test_stores_beside_lists_stay(f):
    """Numba drops a store whose array is read by another name only, where a list comprehension is near."""
    x = np.array([0.31, 0.72, 0.53])
    expected = grad(f, wrt=(0, 1))(x, 0.45)
    found = grad(f, wrt=(0, 1), compile="numba")(x, 0.45)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12)
    step = 1e-6
    numeric = (f(x.copy(), 0.45 + step) - f(x.copy(), 0.45 - step)) / (2 * step)
    np.testing.assert_allclose(found[1], numeric, rtol=1e-6)
