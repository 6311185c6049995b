"""Comprehensions that carry a derivative become loops that append.

    ys = [np.sin(v) for v in x if v > 0]    ->    ys = []; for v in x: if v > 0: ys.append(np.sin(v))
    d = {k: np.sin(v) for k, v in pairs}    ->    d = {}; for k, v in pairs: d[k] = np.sin(v)

Where nothing has to be recorded inside, the forward pass gets the user's line back (folding/sugar.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import quote
from tangentish.language.other_names import renamed


class _Appended(gast.List):  # type: ignore[misc]
    """The empty list with which a loop begins that appends to it: known as such without a walk that finds it out."""


class _Append(gast.Expr):  # type: ignore[misc]
    """The line that appends to such a list, which has no other name yet."""


class Filled(gast.Dict):  # type: ignore[misc]
    """The empty dict with which lines begin that fill it, under keys that nobody knows beforehand.

    default: what it holds under keys that it does not have, and the method that asks for it.
    """

    default: tuple[Any, str] | None = None


_Appended.__name__ = "List"  # what they are to the printer
_Append.__name__ = "Expr"
Filled.__name__ = "Dict"


def is_appended_to(display: Any) -> bool:
    """Whether a list was made to be appended to."""
    return isinstance(display, _Appended)


def appended(node: Any) -> tuple[str, Any] | None:
    """The list and the element of a line that appends to the list of a comprehension."""
    if not isinstance(node, _Append):
        return None
    return node.value.func.value.id, node.value.args[0]


def appended_in_loop(
    node: Any, name: str, fresh: Callable[[str], str], origin: ir.Origin
) -> tuple[ir.Statement, ...]:
    """The lines that make the list `name`."""
    names: dict[str, str] = {}
    made = gast.copy_location(_Appended([], gast.Load()), node)
    target = gast.copy_location(ir.name(name), node)
    return (ir.Assign(target, made, origin), *_loop(node, 0, name, names, fresh, origin))


def filled_in_loop(
    node: Any, name: str, fresh: Callable[[str], str], origin: ir.Origin
) -> tuple[ir.Statement, ...]:
    """The lines that make the dict `name`, of a comprehension or a display."""
    made = gast.copy_location(Filled([], []), node)
    made.default = getattr(node, "default", None)
    begin = ir.Assign(gast.copy_location(ir.name(name), node), made, origin)
    if isinstance(node, gast.DictComp):
        return (begin, *_loop(node, 0, name, {}, fresh, origin))
    pairs = zip(node.keys, node.values, strict=True)
    return (begin, *(_entry(node, name, key, value, origin) for key, value in pairs))


def _entry(node: Any, name: str, key: Any, value: Any, origin: ir.Origin) -> ir.Statement:
    """d[key] = value"""
    target = gast.Subscript(ir.name(name), key, gast.Store())
    return ir.Assign(_placed(target, node), value, origin)


def _loop(
    node: Any, level: int, name: str, names: dict[str, str], fresh: Callable[[str], str], origin: ir.Origin
) -> ir.Block:  # fmt: skip
    if level == len(node.generators) and isinstance(node, gast.DictComp):
        key, value = renamed(node.key, names), renamed(node.value, names)
        return (_entry(node, name, key, value, origin),)
    if level == len(node.generators):
        append = quote("{xs}.append({v})", xs=ir.name(name), v=renamed(node.elt, names))
        return (ir.Do(gast.copy_location(_Append(_placed(append, node)), node), origin),)
    generator = node.generators[level]
    iterator = renamed(generator.iter, names)
    for old in ir.target_names(generator.target):
        names[old] = fresh(old)
    target = renamed(generator.target, names)
    body = _loop(node, level + 1, name, names, fresh, origin)
    for test in reversed(generator.ifs):
        body = (ir.If(renamed(test, names), body, (), origin),)
    return (ir.For(target, iterator, body, None, origin),)


def _placed(call: Any, node: Any) -> Any:
    for part in ir.walk(call):
        if not hasattr(part, "lineno"):
            gast.copy_location(part, node)
    return call
