"""Long, deep and wide functions: no RecursionError, and time in proportion to the statements."""

from __future__ import annotations

import linecache
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import grad

SIZES = (100, 300, 1000)


def straight_line(n: int) -> list[str]:
    lines = ["y0 = x", "y1 = x * 0.5"]
    for k in range(2, n):
        lines.append(f"y{k} = np.sin(y{k - 1}) * 0.9 + y{k - 2} * {1 / k:.3f}")
    return [*lines, f"return np.sum(y{n - 1})"]


def one_name(n: int) -> list[str]:
    lines = [f"x = np.tanh(x * {1 + k % 7 / 10:.2f}) + x * 0.5" for k in range(n)]
    return [*lines, "return np.sum(x)"]


def loop_body(n: int) -> list[str]:
    names = ("a", "b", "c", "d")
    lines = ["a, b, c, d = x, x * 0.5, x * 0.25, x * 0.125", "for i in range(3):"]
    for k in range(n):
        one, other = names[k % 4], names[(k * 3 + 1) % 4]
        lines.append(f"    {one} = np.sin({one}) * 0.5 + {other} * 0.3 * i")
    return [*lines, "return np.sum(a + b * c + d)"]


def branches(n: int) -> list[str]:
    lines = ["y = x"]
    for k in range(n // 4):
        lines += [
            f"if s > {k % 5}:",
            "    y = np.cos(y) * 0.9",
            "else:",
            f"    y = y * y * 0.{k % 7}",
        ]
    return [*lines, "return np.sum(y * x)"]


def stores(n: int) -> list[str]:
    lines = ["y = x * 1.0"]
    lines += [f"y[{k % 3}] = np.sin(y[{(k + 1) % 3}]) * x[{k * 2 % 3}]" for k in range(n)]
    return [*lines, "return np.sum(y)"]


def augmented(n: int) -> list[str]:
    lines = ["y = x * 1.0"]
    lines += ["y *= 0.9" if k % 3 else "y += x" for k in range(n)]
    return [*lines, "return np.sum(y * y)"]


def many_names_in_one_loop(n: int) -> list[str]:
    lines = ["total = 0.0", "for i in range(2):", "    t0 = x * i"]
    lines += [f"    t{k} = np.exp(-t{k - 1} * t{k - 1}) + t{k // 2}" for k in range(1, n)]
    return [*lines, f"    total = total + np.sum(t{n - 1})", "return total"]


def exits(n: int) -> list[str]:
    lines = ["y = x"]
    for k in range(n // 20):
        lines += [f"if s > {100 + k}:", f"    return np.sum(y) * {k}.0"]
        lines += ["y = np.sin(y) * 0.9 + x"] * 18
    return [*lines, "return np.sum(y * x)"]


FORMS = {
    make.__name__: make
    for make in (
        straight_line,
        one_name,
        loop_body,
        branches,
        stores,
        augmented,
        many_names_in_one_loop,
        exits,
    )
}


def function_of(lines: list[str], name: str, parameters: str = "x, s") -> Callable[..., Any]:
    """The function with these lines as its body."""
    text = "\n".join([f"def {name}({parameters}):", *(f"    {line}" for line in lines)]) + "\n"
    filename = f"<size {name} {len(lines)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"np": np, "__name__": "sizes"}
    exec(compile(text, filename, "exec"), namespace)
    return namespace[name]  # type: ignore[no-any-return]


@pytest.mark.parametrize("form", FORMS)
def test_a_thousand_statements(form: str) -> None:
    """No RecursionError; the text grows with the function, no faster. Times are printed: they gate nothing."""
    lengths = {}
    for n in SIZES:
        f = function_of(FORMS[form](n), form)
        start = time.perf_counter()
        lengths[n] = len(grad(f).source(np.ones(3), 2.5).splitlines())
        each = 1000 * (time.perf_counter() - start) / n
        print(f"{form}: {n} statements, {each:.2f} ms each")
    assert lengths[SIZES[-1]] / SIZES[-1] < 1.3 * lengths[SIZES[0]] / SIZES[0]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [12, 120])
def test_long_functions_are_right(form: str, n: int) -> None:
    f = function_of(FORMS[form](n), form)
    x = np.array([0.3, 0.7, 1.1])
    right = numeric_gradient(f, (x, 2.5), 0, 1.0)
    assert_close(grad(f)(x, 2.5), right, form)


@pytest.mark.parametrize("form", FORMS)
def test_a_thousand_statements_run(form: str) -> None:
    f = function_of(FORMS[form](1000), form)
    assert np.all(np.isfinite(grad(f)(np.array([0.3, 0.7, 1.1]), 2.5)))


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
    lines = []
    for k in range(depth):
        bound = 2 if k < 3 else 1
        lines += ["    " * k + f"for i{k} in range({bound}):"]
        lines += ["    " * (k + 1) + f"x = np.sin(x) + 0.1 * i{k}"]
    checked([*lines, "return x * x"], "nested_loops", 0.3)


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
