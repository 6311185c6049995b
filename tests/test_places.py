"""Recurrences over places of arrays: what the walk back leaves unrestored is never read.

Random nests of loops with stores and reads at affine indices; and the texts in which nothing is recorded.
"""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from handwritten import EXAMPLES
from numeric import assert_close, numeric_gradient

from tangentish import grad, jvp, vjp

SIZE = 5
LENGTH = 12
MULTIPLES = (
    "2 * {0}",
    "{0} * 2 + 1",
    "2 * {0} - 1",
    "{0}",
    "{0} + 1",
    "3 * {0} - 2",
    "2 * ({0} + 1)",
    "2 * n - 1",
)
HEADS = {
    "i": ("range(1, n - 1)", "range(n - 2, 0, -1)", "range(n - 2)", "range(2, n)", "range(n - 1, 1, -1)"),
    "j": ("range(i)", "range(i + 1, n)", "range(n - 1, i, -1)", "range(i - 1, -1, -1)", "range(1, n - 1)", "range(n)"),
}  # fmt: skip
OFFSETS = ("", "", "", " - 1", " + 1")
VALUES = (
    "np.sin({0}) + {1} * {2}",
    "{0} * {1}",
    "np.sum({3} * {3}) * {0}",
    "{0} / (2 + {1} ** 2)",
    "np.dot({3}, {3}) + {1}",
)


def index(rng: random.Random, variables: str) -> str:
    return rng.choice([*variables, *variables, "0", "1", "-1"]) + ""


def element(rng: random.Random, variables: str) -> str:
    def part() -> str:
        base = index(rng, variables)
        return base + rng.choice(OFFSETS) if base in variables else base

    array = rng.choice(("x", "x", "y"))
    return f"x[({part()}) % n, {part()}]" if rng.random() < 0.1 else f"{array}[{part()}, {part()}]"


def part_of_row(rng: random.Random, variables: str) -> str:
    v = rng.choice(variables)
    slices = (f":{v}", f"{v} + 1:", f"{v}:", f":{v} + 1", "1:-1", f"{v}:{v} + 2")
    row, columns = rng.choice((v, index(rng, variables))), rng.choice(slices)
    return f"x[{row}, {columns}]" if rng.random() < 0.6 else f"x[{columns}, {row}]"


def statement(rng: random.Random, variables: str) -> str:
    parts = [element(rng, variables) for _ in range(3)]
    value = rng.choice(VALUES).format(*parts, part_of_row(rng, variables))
    return f"{element(rng, variables)} {rng.choice(('=', '=', '+=', '-=', '*='))} 0.3 * ({value})"


def program(seed: int) -> str:
    rng = random.Random(seed)
    lines = ["def f(x, y):", "    n = len(x)"]
    for _ in range(rng.choice((1, 1, 2))):
        lines.append(f"    for i in {rng.choice(HEADS['i'])}:")
        lines += ["        " + statement(rng, "i") for _ in range(rng.choice((1, 2)))]
        if rng.random() < 0.7:
            lines.append(f"        for j in {rng.choice(HEADS['j'])}:")
            lines += ["            " + statement(rng, "ij") for _ in range(rng.choice((1, 2)))]
            lines += ["        " + statement(rng, "i") for _ in range(rng.choice((0, 1)))]
    result = rng.choice(("np.sum(x * y)", "x[0, 1] * y[1, 2] + x[-1, -1]", "np.sum(np.sin(x[1]))"))
    return "\n".join([*lines, f"    return {result}", ""])


def of_multiples(seed: int) -> str:
    """A program whose arrays are vectors that hold several numbers of each trip."""
    rng = random.Random(seed)

    def place(variables: str) -> str:
        return rng.choice(MULTIPLES).format(rng.choice(variables))

    def line(variables: str) -> str:
        elements = [f"{rng.choice('xxy')}[{place(variables)}]" for _ in range(3)]
        if rng.random() < 0.3:
            elements[0] = f"np.sum(x[{place(variables)}:{place(variables)}])"
        part = f"2 * {rng.choice(variables)}"
        target = rng.choice(
            (f"x[{place(variables)}]", f"x[{part}:{part} + 2]", f"y[{place(variables)}]")
        )
        value = rng.choice(VALUES[:2]).format(*elements)
        return f"{target} {rng.choice(('=', '=', '+=', '*='))} 0.3 * ({value})"

    lines = ["def f(x, y):", "    n = len(x) // 3"]
    for _ in range(rng.choice((1, 2))):
        lines.append(
            f"    for i in {rng.choice(('range(n)', 'range(1, n)', 'range(n - 1, 0, -1)'))}:"
        )
        lines += ["        " + line("i") for _ in range(rng.choice((1, 2, 3)))]
        if rng.random() < 0.4:
            lines.append(f"        for j in {rng.choice(('range(i)', 'range(i, n)', 'range(n)'))}:")
            lines += ["            " + line("ij") for _ in range(rng.choice((1, 2)))]
    result = rng.choice(("np.sum(x * y)", "x[1] * y[2] + x[-1]", "np.sum(np.sin(x[::2]))"))
    return "\n".join([*lines, f"    return {result}", ""])


def loaded(seed: int, program: Callable[[int], str]) -> Callable[..., Any]:
    text, name = program(seed), f"<places {program.__name__} {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def arguments(*shape: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    return rng.uniform(0.2, 1, shape), rng.uniform(0.2, 1, shape)


def agree(seed: int, program: Callable[[int], str], *shape: int) -> bool:
    """Whether the gradients of one program are right; False where the program itself fails."""
    function = loaded(seed, program)
    try:
        value = function(*arguments(*shape))
    except IndexError:
        return False
    if not np.isfinite(value) or abs(value) > 1e3:
        return False
    for k, gradient in enumerate(grad(function, wrt=(0, 1))(*arguments(*shape))):
        truth = numeric_gradient(function, arguments(*shape), k, 1.0)
        assert_close(gradient, truth, f"{program(seed)}\n[{k}]")
    return True


@pytest.mark.parametrize("start", range(0, 100, 10))
def test_random_recurrences(start: int) -> None:
    assert sum(agree(seed, program, SIZE, SIZE) for seed in range(start, start + 10)) >= 2


def test_random_recurrences_over_multiples() -> None:
    assert sum(agree(seed, of_multiples, LENGTH) for seed in range(15)) >= 8


def test_multiples_of_a_counter_are_told_apart() -> None:
    """y[2 * k + 1] of one trip is no place that another reads: nothing is recorded, and no gradient set to zero."""

    def pairs(x, n):
        y = np.zeros(2 * n)
        for k in range(n):
            y[2 * k] = x[k] ** 2
            y[2 * k + 1] = x[k] * y[2 * k]
        return np.sum(y**2)

    x = np.array([0.5, -1.2, 0.8])
    text = grad(pairs).source(x, 3)
    assert "tape" not in text and "= 0" not in text
    assert_close(grad(pairs)(x, 3), numeric_gradient(pairs, (x, 3), 0, 1.0), text)


@pytest.mark.parametrize("name", ["cholesky", "lu", "seidel_2d", "jacobi_2d"])
def test_nothing_is_recorded(name: str) -> None:
    example = EXAMPLES[name]
    assert "tape" not in grad(example.function, wrt=example.wrt).source(*example.args())


def test_a_histogram_without_bins() -> None:
    """Edges of no length are none: nothing is counted, and no weight matters."""

    def counted(w):
        return np.sum(np.histogram(np.array([0.5, 1.5]), bins=np.zeros(0), weights=w)[0]) + w[0]

    w = np.array([2.0, 3.0])
    assert counted(w) == 2.0
    np.testing.assert_array_equal(grad(counted)(w), [1.0, 0.0])
    assert jvp(counted, (w,), (np.ones(2),))[1] == 1.0


def updated_by_one_of_unknown_kind(x, s, p):
    z = x[2:]
    t = np.sum(z)
    pairs = []
    pairs.append((s, p))
    if t > 0.154:
        pairs.append((missing[2] > 0.1438, missing[3]))  # noqa: F821
    s = max(v for v, _ in pairs)
    w = z[1:]
    s += 0.3
    w[-1] -= s
    return w


def test_an_update_by_what_may_be_a_number_or_an_array():
    _, pullback = vjp(
        updated_by_one_of_unknown_kind, np.array([0.47, 1.01, -0.68, 0.41]), -0.84, 0.7
    )
    dx, ds, dp = pullback(np.array([3.0]))
    np.testing.assert_array_equal(dx, [0, 0, 0, 3])
    assert (ds, dp) == (-3, 0)


def test_weights_of_any_precision_are_counted() -> None:
    def heights(w):
        return np.histogram(np.array([0.2, 0.7, 0.3]), bins=[0, 0.5, 1], weights=w**2)[0]

    w = np.array([1.5, 2.0, -1.0], np.longdouble)
    y, y_dot = jvp(heights, (w,), (np.ones_like(w),))
    assert y_dot.dtype == y.dtype == np.longdouble
    np.testing.assert_allclose(y_dot, [1, 4])
