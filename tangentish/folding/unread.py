"""What calls give and nobody reads has no name.

y, f_saved = f_forward(x)                ->      _, f_saved = f_forward(x)
f_value_2 = f_forward(a)                         f_forward(a)

Of the user's own lines, the names that they wrote stay.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Set
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.language.webs import map_blocks, map_each
from tangentish.rules.names import is_name_of_helper
from tangentish.text.names import is_made

NOBODY = "_"
UNREAD = ".unread.0"  # the same, where `_` is something else


def without_unread(block: ir.Block, taken: Set[str]) -> ir.Block:
    """The body of a function, in which unread results of calls are named `_`, or not at all.

    taken: names of others, of which `_` may be one. Where somebody reads a `_`, nothing else is named so.
    """
    lines = ir.walk_statements(block)
    if not any(map(_drops, lines)):
        return block
    read = {name for line in lines for name in _read(line)}
    if NOBODY in taken or any(ir.base_name(name) == NOBODY for name in read):
        return tuple(map(_told_apart, block))
    return _without(block, lambda name: name not in read)


def _without(block: ir.Block, is_unread: Callable[[str], bool]) -> ir.Block:
    lines = tuple(_line(line, is_unread) for line in block)
    return tuple(map_each(lines, lambda b: _without(b, is_unread)))


def _told_apart(line: ir.Statement) -> ir.Statement:
    """A line that binds what nobody reads to a name of its own."""
    match line:
        case ir.Assign(target) | ir.For(target) if NOBODY in ir.target_names(target):
            new = {NOBODY: ir.name(UNREAD, gast.Store())}
            target = ir.copy_expression(
                target, lambda e: new.get(e.id) if isinstance(e, gast.Name) else None
            )
            line = replace(line, target=target)
    return map_blocks(line, lambda block: tuple(map(_told_apart, block)))


def _drops(line: ir.Statement) -> bool:
    """Whether a line may bind what nobody reads."""
    match line:
        case ir.Assign(target):
            return _call_of_another(line) is not None or NOBODY in ir.target_names(target)
        case ir.For(target):
            return NOBODY in ir.target_names(target)
    return False


def _line(line: ir.Statement, is_unread: Callable[[str], bool]) -> ir.Statement:
    call = _call_of_another(line) if isinstance(line, ir.Assign) else None
    if not isinstance(line, ir.Assign) or call is None:
        return line
    made = call.func.id.startswith("$")
    new = _target(line.target, lambda name: is_unread(name) and (made or is_made(name)))
    if _is_nobody(new):
        return ir.Do(gast.Expr(call), line.origin)
    return line if new is line.target else ir.Assign(new, call, line.origin)


def _call_of_another(line: ir.Assign) -> Any | None:
    """The call of a function, which is no helper, that gives what a line assigns."""
    match line.value:
        case gast.Call(func=gast.Name(id=function)) as call if not _is_helper(function):
            return call
    return None


def _is_helper(function: str) -> bool:
    name = function.removeprefix("$")
    return name != function and (is_name_of_helper(name) or hasattr(builtins, name))


def _target(target: Any, is_unread: Callable[[str], bool]) -> Any:
    match target:
        case gast.Name(id=name):
            return ir.name(NOBODY, gast.Store()) if is_unread(name) else target
        case gast.Tuple(elts=elements):
            new = [_target(e, is_unread) for e in elements]
            if all(map(_is_nobody, new)):
                return ir.name(NOBODY, gast.Store())
            same = all(a is b for a, b in zip(new, elements, strict=True))
            return target if same else gast.Tuple(new, gast.Store())
    return target


def _is_nobody(target: Any) -> bool:
    return isinstance(target, gast.Name) and target.id == NOBODY


def _read(line: ir.Statement) -> Iterable[str]:
    """The names that a line itself reads."""
    match line:
        case ir.Assign(target, value):
            return (*ir.names_in(value), *_read_in(target))
        case ir.For(_, iterator, _, stop):
            return (*ir.names_in(iterator), *(() if stop is None else ir.names_in(stop)))
    return ir.mentioned(line)


def _read_in(target: Any) -> Iterable[str]:
    match target:
        case gast.Name():
            return ()
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return tuple(name for e in elements for name in _read_in(e))
        case gast.Starred(value=value):
            return _read_in(value)
    return ir.names_in(target)
