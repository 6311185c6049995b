"""Context managers: whether they let exceptions through, what they call, and what they give."""

from __future__ import annotations

import ast
import contextlib
import inspect
import textwrap
import types

from tangentish.kinds import UNKNOWN, Kind, scalar
from tangentish.kinds.homes import is_of_python

SUPPRESSING: frozenset[object] = frozenset(
    {contextlib.suppress, contextlib.ExitStack, contextlib.AsyncExitStack}
)
LIBRARIES = {"numpy", "scipy"}


def lets_exceptions_through(maker: object) -> bool:
    """Whether what a function or class makes never suppresses an exception that leaves a `with`."""
    if maker in SUPPRESSING or maker is None:
        return False
    generator = getattr(maker, "__wrapped__", None)
    if isinstance(generator, types.FunctionType):
        return _raises_again(generator)
    home = getattr(maker, "__module__", None) or ""
    if home.partition(".")[0] in LIBRARIES or is_of_python(home):
        return True
    leave = getattr(maker, "__exit__", None) if isinstance(maker, type) else None
    return isinstance(leave, types.FunctionType) and _returns_nothing(leave)


def is_entered_by_methods(maker: object) -> bool:
    """Whether a class of the user's has methods for both ends of a `with`, which suppress no exceptions."""
    found = methods_of_manager(maker) if isinstance(maker, type) else []
    return {"__enter__", "__exit__"} <= {f.__name__ for f in found} and lets_exceptions_through(
        maker
    )


def kind_given(maker: object) -> Kind:
    """The kind of what `with maker() as target` binds: of a generator that gives a float this is known."""
    generator = getattr(maker, "__wrapped__", None)
    tree = _tree(generator) if isinstance(generator, types.FunctionType) else None
    given = [node.value for node in ast.walk(tree) if isinstance(node, ast.Yield)] if tree else []
    floats = (isinstance(e, ast.Constant) and type(e.value) is float for e in given)
    return scalar(float) if given and all(floats) else UNKNOWN


def _tree(function: types.FunctionType) -> ast.AST | None:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return None


def _raises_again(generator: types.FunctionType) -> bool:
    """Whether no `yield` of the generator stands in a try that catches, or in a with that may."""
    tree = _tree(generator)
    return tree is not None and not any(
        isinstance(inner, (ast.Yield, ast.YieldFrom))
        for node in ast.walk(tree)
        if isinstance(node, ast.With) or (isinstance(node, ast.Try) and node.handlers)
        for inner in ast.walk(node)
    )


def _returns_nothing(leave: types.FunctionType) -> bool:
    """Whether `__exit__` returns None or False on every way."""
    tree = _tree(leave)
    return tree is not None and all(
        node.value is None or (isinstance(node.value, ast.Constant) and not node.value.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Return)
    )


def methods_of_manager(maker: object) -> list[types.FunctionType]:
    """The functions of the user's that run when a `with` begins and ends."""
    generator = getattr(maker, "__wrapped__", None)
    found = [generator] if not isinstance(maker, type) else []
    if isinstance(maker, type):
        found = [getattr(maker, name, None) for name in ("__init__", "__enter__", "__exit__")]
    return [function for function in found if isinstance(function, types.FunctionType)]
