"""Attributes that a class computes once for each object, which keeps the value: functools.cached_property and its like.

class reify:
    def __init__(self, method): self.method = method
    def __get__(self, instance, owner=None):
        if instance is None: return self
        value = self.method(instance)
        instance.__dict__[self.method.__name__] = value
        return value

A descriptor of the user's is one by its text: its `__get__` does just this.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
import types
from typing import Any

_FORM = """
{value} = self.{method}(instance)
instance.__dict__[{name}] = {value}
return {value}
"""
_NO_METHOD = "", False
_OTHERS = ("__set__", "__delete__", "__getattr__")
_NOT_OF_OBJECTS = "if instance is None:\n    return self"


def function_kept(member: Any) -> types.FunctionType | None:
    """The function whose value is kept, where what a class has under a name is such a descriptor."""
    if isinstance(member, functools.cached_property):
        return member.func if isinstance(member.func, types.FunctionType) else None
    cls = type(member)
    if any(hasattr(cls, name) for name in _OTHERS):
        return None
    method, own_name = _method_kept(vars(cls).get("__get__"))
    held = getattr(member, "__dict__", {})
    function = held.get(method)
    if not isinstance(function, types.FunctionType):
        return None
    return function if not own_name or held.get("__name__") == function.__name__ else None


@functools.lru_cache(256)
def _method_kept(getter: Any) -> tuple[str, bool]:
    """The attribute of a descriptor that holds this function; whether the value is kept under a name of its own."""
    if not isinstance(getter, types.FunctionType):
        return _NO_METHOD
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(getter))).body
    except (OSError, SyntaxError, TypeError, ValueError):
        return _NO_METHOD
    if not isinstance(tree, ast.FunctionDef) or len(tree.args.args) < 2 or tree.decorator_list:
        return _NO_METHOD
    named = dict(zip((a.arg for a in tree.args.args), ("self", "instance"), strict=False))
    documented = isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant)
    lines = [_renamed(line, named) for line in tree.body[documented:]]
    return _of_lines(lines[1:]) if lines and lines[0] == _NOT_OF_OBJECTS else _NO_METHOD


def _of_lines(lines: list[str]) -> tuple[str, bool]:
    value, _, call = lines[0].partition(" = ") if lines else ("", "", "")
    method = call.removeprefix("self.").removesuffix("(instance)")
    if not (method.isidentifier() and value.isidentifier() and value not in ("self", "instance")):
        return _NO_METHOD
    names = {f"self.{method}.__name__": False, "self.__name__": True}
    forms = {
        _FORM.format(value=value, method=method, name=n).strip(): own for n, own in names.items()
    }
    text = "\n".join(lines)
    return (method, forms[text]) if text in forms else _NO_METHOD


def _renamed(line: ast.stmt, named: dict[str, str]) -> str:
    for node in ast.walk(line):
        if isinstance(node, ast.Name):
            node.id = named.get(node.id, node.id)
    return ast.unparse(line)
