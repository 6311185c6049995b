"""Long, deep and wide functions: no RecursionError, and time in proportion to the statements."""

from __future__ import annotations

import linecache
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient
from size_programs import FORMS, function_of, program

from tangentish import grad

SIZES = (100, 1000)


@pytest.mark.parametrize("form", FORMS)
def test_a_thousand_statements(form: str) -> None:
    """No RecursionError; the text grows with the function, no faster. Times are printed: they gate nothing."""
    lengths = {}
    for n in SIZES:
        gradient = grad(program(form, n))
        start = time.perf_counter()
        lengths[n] = len(gradient.source(np.ones(3), 2.5).splitlines())
        each = 1000 * (time.perf_counter() - start) / n
        print(f"{form}: {n} statements, {each:.2f} ms each")
    assert lengths[SIZES[-1]] / SIZES[-1] < 1.3 * lengths[SIZES[0]] / SIZES[0]
    assert np.all(np.isfinite(gradient(np.array([0.3, 0.7, 1.1]), 2.5)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [12, 120])
def test_long_functions_are_right(form: str, n: int) -> None:
    f = program(form, n)
    x = np.array([0.3, 0.7, 1.1])
    right = numeric_gradient(f, (x, 2.5), 0, 1.0)
    assert_close(grad(f)(x, 2.5), right, form)


def calls_to_generate(f: Callable[..., Any]) -> int:
    """How many calls of Python functions one generation makes."""
    gradient, count = grad(f), 0

    def counted(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        gradient.source(np.ones(3), 2.5)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("form", FORMS)
def test_work_grows_with_the_statements(form: str) -> None:
    """Twice the statements, twice the calls: no time is measured, so that a busy machine does not matter."""
    calls_to_generate(program(form, 20))  # what is done once is done
    assert calls_to_generate(program(form, 160)) < 2.3 * calls_to_generate(program(form, 80))


@pytest.mark.parametrize(
    "form", ["augmented", "carried_names", "many_helpers", "many_views", "written_views"]
)
def test_work_grows_with_many_more_statements(form: str) -> None:
    """What is looked for from each line to the end of its block shows only where blocks are long."""
    calls_to_generate(program(form, 20))
    assert calls_to_generate(program(form, 640)) < 8.5 * calls_to_generate(program(form, 80))


def loops_inside_loops(depth: int, bounds: Callable[[int], int]) -> list[str]:
    lines = []
    for k in range(depth):
        lines += ["    " * k + f"for i{k} in range({bounds(k)}):"]
        lines += ["    " * (k + 1) + f"x = np.sin(x) + 0.1 * i{k}"]
    return [*lines, "return x * x"]


def test_work_does_not_double_with_each_loop_around() -> None:
    depths = 5, 5, 10  # what is done once is done by the first
    programs = (function_of(loops_inside_loops(d, lambda _: 2), "loops") for d in depths)
    _, shallow, deep = map(calls_to_generate, programs)
    assert deep < 5 * shallow


def test_what_a_string_chooses_is_looked_at_a_few_times() -> None:
    """It is refused at once, and generated for the very string that is given."""

    def chosen(x: Any, c: float, how: str = "mean") -> Any:
        means = {"mean": np.mean(x), "square": np.mean(x**2)}
        return c * means[how]

    def plain(x: Any, c: float) -> Any:
        return c * np.mean(x)

    assert calls_to_generate(chosen) < 10 * calls_to_generate(plain)
    assert_close(grad(chosen)(np.ones(3), 2.5, "square"), np.full(3, 5 / 3), "chosen")


def checked(lines: list[str], name: str, x: Any) -> None:
    f = function_of(lines, name)
    right = numeric_gradient(f, (x, 2.5), 0, 1.0)
    assert_close(grad(f)(x, 2.5), right, name)


def test_long_sum() -> None:
    terms = " + ".join(f"np.sin(x * {k})" for k in range(200))
    checked([f"return {terms}"], "long_sum", 0.01)


def test_long_product() -> None:
    factors = " * ".join(f"(1.0 + x * {k / 1000})" for k in range(200))
    checked([f"return {factors}"], "long_product", 0.01)


def test_deep_parentheses() -> None:
    nested = "x"
    for k in range(80):
        nested = f"(0.5 + {nested} * 0.9)"
    checked([f"return {nested}"], "deep_parentheses", 0.3)


def test_deep_calls() -> None:
    checked([f"return {'np.sin(' * 60}x{')' * 60}"], "deep_calls", 0.3)


def test_long_arguments() -> None:
    maxima = "x"
    for k in range(60):
        maxima = f"np.maximum({maxima}, x - {k})"
    checked([f"return {maxima} * x"], "long_arguments", 0.3)


def test_long_condition() -> None:
    tests = " and ".join(f"s > {k / 1000}" for k in range(200))
    chained = " < ".join(["0"] + [f"s + {k}" for k in range(100)])
    checked([f"return x * x if {tests} else x"], "long_condition", 0.3)
    checked([f"if {chained}:", "    x = x * x", "return x * s"], "chained", 0.3)


def test_many_exits() -> None:
    lines = ["y = x"]
    for k in range(150):
        lines += [f"if s > {2 + k}:", "    y = np.sin(y)", f"if s < -{k}:", f"    return y * {k}"]
    checked([*lines, "return y * x"], "many_exits", 0.3)


def test_long_elif() -> None:
    lines = ["y = x", "if s < 0:", "    y = x * 2"]
    for k in range(60):
        lines += [f"elif s < {k / 20}:", f"    y = y * x * {k / 20}"]
    checked([*lines, "return y * x"], "long_elif", 0.3)


@pytest.mark.parametrize("depth", [20, 60])
def test_nested_ifs(depth: int) -> None:
    lines = []
    for k in range(depth):
        lines += ["    " * k + f"if s > {k / 100}:", "    " * (k + 1) + "x = np.sin(x) + 0.1"]
    checked([*lines, "return x * x"], "nested_ifs", 0.3)


@pytest.mark.parametrize("depth", [5, 12])
def test_nested_loops(depth: int) -> None:
    lines = loops_inside_loops(depth, lambda k: 2 if k < 3 else 1)
    checked(lines, "nested_loops", 0.3)


def test_many_parameters() -> None:
    names = [f"p{k}" for k in range(100)]
    total = " + ".join(f"{name} ** 2 * {k}" for k, name in enumerate(names))
    f = function_of([f"return {total}"], "many_parameters", ", ".join(names))
    gradients = grad(f, wrt=tuple(names))(*([0.5] * 100))
    assert gradients == pytest.approx(range(100))


def test_a_chain_of_calls() -> None:
    text = "def f0(x):\n    return np.sin(x)\n"
    for k in range(1, 60):
        text += f"def f{k}(x):\n    y = f{k - 1}(x) * 1.01\n    return y + x * 0.1\n"
    filename = "<size chain of calls>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"np": np, "__name__": "sizes"}
    exec(compile(text, filename, "exec"), namespace)
    start = time.perf_counter()
    gradient = grad(namespace["f59"])(0.3)
    print(f"60 functions: {1000 * (time.perf_counter() - start) / 60:.2f} ms each")
    assert gradient == pytest.approx(numeric_gradient(namespace["f59"], (0.3,), 0, 1.0))


def test_diamonds_of_calls() -> None:
    """Each function calls the one before twice: work must not double with each."""
    text = "def f0(x):\n    return np.sin(x)\n"
    for k in range(1, 14):
        text += f"def f{k}(x):\n    return f{k - 1}(x) * f{k - 1}(x * 0.9)\n"
    filename = "<size diamonds of calls>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"np": np, "__name__": "sizes"}
    exec(compile(text, filename, "exec"), namespace)
    start = time.perf_counter()
    text = grad(namespace["f13"]).source(0.3)
    assert time.perf_counter() - start < 5.0
    assert text.count("def ") < 60


ALPHA_BETA = """
def highest(w, depth, low, high):
    if depth == 0:
        return np.sum(np.sin(w))
    best = -9.0
    for k in range(len(w)):
        best = max(best, lowest(w * (1 + 0.3 * k), depth - 1, low, high))
        low = max(low, best)
        if low >= high:
            break
    return best

def lowest(w, depth, low, high):
    if depth == 0:
        return np.sum(np.cos(w))
    best = 9.0
    for k in range(len(w)):
        best = min(best, highest(w + 0.2 * k, depth - 1, low, high))
        high = min(high, best)
        if high <= low:
            break
    return best
"""


def test_work_does_not_double_with_each_kind_of_arguments_of_a_recursion() -> None:
    """Whether `low` and `high` vary makes functions of their own, which call each other: three thousand rounds."""
    search = ALPHA_BETA.splitlines()
    once = function_of(["return highest(x, s, -9.0, 9.0)"], "searched", outside=search)
    assert calls_to_generate(once) < 4 * calls_to_generate(program("straight_line", 80))
    x = np.array([0.3, 0.7])
    assert_close(grad(once)(x, 3), numeric_gradient(once, (x, 3), 0, 1.0), "searched")
