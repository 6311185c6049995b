"""What the user's variables are called decides nothing: facts belong to values, never to names.

Every program of the corpus is written once more with other names for its variables: with such as numerical code
has (x_new, x_old), and with those that generated text uses itself.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import linecache
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from corpus import PROGRAMS, Program
from numeric import random_head

from tangentish import vjp

GENERATED = (
    "dt t dy g x_new dx x_tape saved trips failed y handler dt_1 y_1 k i_items value tape dg t_1 x_new_1 "
    "step test x_shape head out g_1 dvalue x_saved content last shape parts"
).split()


def ending(names: list[str]) -> dict[str, str]:
    return {name: f"{name}_new" for name in names}


def of_generated_text(names: list[str]) -> dict[str, str]:
    free = (name for name in GENERATED if name not in names)
    return dict(zip(names, itertools.chain(free, (f"t_{k}" for k in itertools.count(2)))))


def turned_round(names: list[str]) -> dict[str, str]:
    """Each name stands for another of the function's variables."""
    return dict(zip(names, [*names[1:], *names[:1]]))


LEFT_ALONE = (
    ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.Match, ast.FunctionDef, ast.Lambda, ast.ClassDef,
)  # fmt: skip


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.names.get(node.arg, node.arg))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = None if node.name is None else self.names.get(node.name, node.name)
        return self.generic_visit(node)


def with_names(
    function: types.FunctionType, scheme: Callable[[list[str]], dict[str, str]]
) -> types.FunctionType | None:
    """The function with other names for its variables; None where nested scopes have names of their own."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef) or function.__closure__:
        return None
    inner = itertools.chain.from_iterable(ast.walk(s) for s in definition.body)
    if any(isinstance(node, LEFT_ALONE) for node in inner):
        return None
    definition.decorator_list = []
    names = scheme(list(function.__code__.co_varnames))
    others = _read_globals(function)
    if not names.keys().isdisjoint(others):
        return None
    if not set(names.values()).isdisjoint(others | _bound_inside(function)):
        return None
    text = ast.unparse(ast.fix_missing_locations(_Renamed(names).visit(tree)))
    filename = f"<{scheme.__name__} {function.__name__}>"
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    place: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), function.__globals__, place)
    new = place[function.__name__]
    new.__defaults__, new.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return new


def _read_globals(function: types.FunctionType) -> set[str]:
    return {name for code in _codes(function.__code__) for name in code.co_names}


def _bound_inside(function: types.FunctionType) -> set[str]:
    """The variables of comprehensions, which keep their names: another of that name would be hidden by them."""
    inside = {name for code in _codes(function.__code__) for name in code.co_varnames}
    return inside - set(function.__code__.co_varnames)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def alike(a: Any, b: Any) -> bool:
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, (np.ndarray, np.generic, float)):
        return np.shape(a) == np.shape(b) and np.allclose(
            a, b, rtol=1e-12, atol=1e-14, equal_nan=True
        )
    return a is None or isinstance(a, (int, str, bool)) or vars(a).keys() == vars(b).keys()


CASES = [
    pytest.param(program, scheme, id=f"{name}-{scheme.__name__}")
    for k, (name, program) in enumerate(PROGRAMS.items())
    for scheme in (ending, (of_generated_text, turned_round)[k % 2])
    if isinstance(program.function, types.FunctionType) and 0 not in program.refused
]


@pytest.mark.parametrize(("program", "scheme"), CASES)
def test_other_names_change_nothing(
    program: Program, scheme: Callable[[list[str]], dict[str, str]]
) -> None:
    renamed = with_names(program.function, scheme)
    if renamed is None:
        return
    value, pullback = vjp(program.function, *program.args())
    head = random_head(value, seed=1)
    other_value, other_pullback = vjp(renamed, *program.args())
    assert alike(other_value, value)
    assert alike(other_pullback(head), pullback(head))


def test_a_name_that_ends_as_those_of_kept_values_do():
    def stored(x):
        y = x * 3
        x_new = x * x
        y[1:] = x_new[1:] * 2
        return np.sum(y * y)

    x = np.array([1.0, 2.0, 3.0])
    _, pullback = vjp(stored, x)
    np.testing.assert_allclose(pullback(1.0)[0], [18 * x[0], *(16 * x[1:] ** 3)])
