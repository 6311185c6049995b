"""Programs of any length, by family: what tests of size and the benchmark of generation are made of."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

Lines = Callable[[int], list[str]]


def straight_scalar(n: int) -> list[str]:
    lines = ["y0 = s", "y1 = s * 0.5"]
    for k in range(2, n):
        lines.append(f"y{k} = np.sin(y{k - 1}) * 0.9 + y{k - 2} * {1 / k:.3f}")
    return [*lines, f"return np.sum(x) * y{n - 1}"]


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


def branches_with_names(n: int) -> list[str]:
    """Each branch binds names of its own that all live on."""
    lines = ["y0 = x"]
    for k in range(1, n // 4 + 1):
        lines += [
            f"if s > {k % 5}:",
            f"    y{k} = np.cos(y{k - 1}) * 0.9",
            "else:",
            f"    y{k} = y{k // 2} * 0.{k % 7}",
        ]
    return [*lines, f"return np.sum(y{n // 4} * x)"]


def stores(n: int) -> list[str]:
    lines = ["y = x * 1.0"]
    lines += [f"y[{k % 3}] = np.sin(y[{(k + 1) % 3}]) * x[{k * 2 % 3}]" for k in range(n)]
    return [*lines, "return np.sum(y)"]


def slice_stores(n: int) -> list[str]:
    lines = ["y = x * 1.0"]
    for k in range(n):
        lines.append(
            "y[1:-1] += np.sin(x[1:-1]) * y[:-2]" if k % 2 else f"y[{k % 3}:] = x[{k % 3}:] * 0.5"
        )
    return [*lines, "return np.sum(y)"]


def augmented(n: int) -> list[str]:
    lines = ["y = x * 1.0"]
    lines += ["y *= 0.9" if k % 3 else "y += x" for k in range(n)]
    return [*lines, "return np.sum(y * y)"]


def many_names_in_one_loop(n: int) -> list[str]:
    lines = ["total = 0.0", "for i in range(2):", "    t0 = x * i"]
    lines += [f"    t{k} = np.exp(-t{k - 1} * t{k - 1}) + t{k // 2}" for k in range(1, n)]
    return [*lines, f"    total = total + np.sum(t{n - 1})", "return total"]


def many_stores_in_one_loop(n: int) -> list[str]:
    lines = ["y = x * 1.0", "for i in range(2):"]
    lines += [f"    y[{k % 3}] = np.sin(y[{(k + 1) % 3}]) * x[{k * 2 % 3}]" for k in range(n)]
    return [*lines, "return np.sum(y)"]


def carried_names(n: int) -> list[str]:
    """A loop that carries a name for every two statements."""
    half = n // 2
    lines = [f"c{k} = x * 0.{k % 7 + 1}" for k in range(half)]
    lines += ["for i in range(2):"]
    lines += [f"    c{k} = np.sin(c{k - 1 if k else half - 1}) + c{k} * 0.5" for k in range(half)]
    return [*lines, f"return np.sum(c{half - 1})"]


def nested_loops(n: int) -> list[str]:
    """Loops three deep, one after the other."""
    lines = ["y = x"]
    for k in range(n // 6):
        lines += [
            "for i in range(2):",
            "    y = np.sin(y) * 0.5",
            "    for j in range(i):",
            f"        y = y * 0.{k % 7 + 1} + x",
            "        for k in range(2):",
            "            y = np.tanh(y) + y * y",
        ]
    return [*lines, "return np.sum(y)"]


def many_helpers(n: int) -> list[str]:
    lines = ["y = x"]
    lines += [f"y = helper{k}(y, x)" for k in range(n // 4)]
    return [*lines, "return np.sum(y)"]


def helpers(n: int) -> list[str]:
    lines = []
    for k in range(n // 4):
        lines += [f"def helper{k}(a, b):", f"    c = np.sin(a) * {k % 7 / 8}", "    return c * b"]
    return lines


def one_helper(_: int) -> list[str]:
    return ["def helper(a, b):", "    return np.sin(a) * b"]


def calls_of_one_helper(n: int) -> list[str]:
    lines = ["y = x", *(f"y = helper(y, x) + {k}.0" for k in range(n))]
    return [*lines, "return np.sum(y)"]


def many_views(n: int) -> list[str]:
    lines = ["y = x * 1.0", "total = 0.0"]
    for k in range(n // 2):
        lines += [f"v{k} = y[{k % 3}:]", f"total += np.sum(v{k} * 0.{k % 7 + 1})"]
    return [*lines, "return total"]


def written_views(n: int) -> list[str]:
    lines = ["y = x * 1.0"]
    for k in range(n // 2):
        lines += [f"v{k} = y[{k % 3}:]", f"v{k} *= 0.{k % 7 + 1}"]
    return [*lines, "return np.sum(y)"]


def exits(n: int) -> list[str]:
    lines = ["y = x"]
    for k in range(n // 20):
        lines += [f"if s > {100 + k}:", f"    return np.sum(y) * {k}.0"]
        lines += ["y = np.sin(y) * 0.9 + x"] * 18
    return [*lines, "return np.sum(y * x)"]


def comprehensions(n: int) -> list[str]:
    """Each becomes a loop that appends to a list."""
    lines = ["y = x", *(f"y = y + np.array([v * {k}.5 for v in x])" for k in range(n // 4))]
    return [*lines, "return np.sum(y)"]


def lists_in_one_loop(n: int) -> list[str]:
    """Lists that are empty at first, and that one loop appends to."""
    each = range(n // 3)
    lines = [*(f"l{k} = []" for k in each), "for i in range(2):"]
    lines += [f"    l{k}.append(x * {k}.5 + i)" for k in each]
    return [*lines, "t = 0.0", *(f"t += np.sum(l{k}[1])" for k in each), "return t"]


def lists_in_many_loops(n: int) -> list[str]:
    """Each loop appends to a list of its own, which is empty at first."""
    lines = ["t = 0.0"]
    for k in range(n // 4):
        lines += [f"l{k} = []", "for i in range(2):", f"    l{k}.append(x * {k}.5 + i)"]
        lines += [f"t += np.sum(l{k}[1])"]
    return [*lines, "return t"]


FORMS: dict[str, Lines] = {
    make.__name__: make
    for make in (
        straight_scalar,
        straight_line,
        one_name,
        loop_body,
        branches,
        branches_with_names,
        stores,
        slice_stores,
        augmented,
        many_names_in_one_loop,
        many_stores_in_one_loop,
        carried_names,
        nested_loops,
        calls_of_one_helper,
        many_helpers,
        many_views,
        written_views,
        exits,
        comprehensions,
        lists_in_one_loop,
        lists_in_many_loops,
    )
}
OUTSIDE: dict[str, Lines] = {"calls_of_one_helper": one_helper, "many_helpers": helpers}


def function_of(
    lines: list[str], name: str, parameters: str = "x, s", outside: list[str] | None = None
) -> Callable[..., Any]:
    """The function with these lines as its body, in a module with the lines `outside` above it."""
    text = (
        "\n".join(
            [*(outside or ()), f"def {name}({parameters}):", *(f"    {line}" for line in lines)]
        )
        + "\n"
    )
    filename = f"<size {name} {len(lines)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"np": np, "__name__": "sizes"}
    exec(compile(text, filename, "exec"), namespace)
    return namespace[name]  # type: ignore[no-any-return]


def program(form: str, n: int) -> Callable[..., Any]:
    """The function of a family with about n statements."""
    outside = OUTSIDE.get(form)
    return function_of(FORMS[form](n), form, outside=outside and outside(n))
