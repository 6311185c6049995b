"""Whether a loop leaves what it runs over as it is, seen from its text alone: where that is not sure, it does not.

Then it makes no difference whether its items are made before it, or one by one.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.changing_names import FUNCTIONS
from tangentish.language.named_members import LIBRARY, Find, named_member
from tangentish.language.placed import at


class _Disturbed(gast.Call):  # type: ignore[misc]
    """A call over which a loop runs that may change what it reads."""


_Disturbed.__name__ = "Call"  # what it is to the printer


def is_disturbed_loop(call: Any) -> bool:
    """Whether a loop runs over a call that may change what this reads."""
    return isinstance(call, _Disturbed)


def disturbed(source: Any, is_one: Callable[[Any], bool]) -> Any:
    """What a loop runs over, with those calls marked."""

    def change(node: Any) -> Any | None:
        if type(node) is gast.Call and is_one(node):
            return at(_Disturbed(node.func, node.args, node.keywords), node)
        return None

    return ir.copy_expression(source, change)


_READING = {  # methods that leave their object as it is
    "all", "any", "argmax", "argmin", "argsort", "astype", "clip", "conj", "copy", "cumprod", "cumsum", "diagonal",
    "dot", "flatten", "get", "index", "item", "items", "keys", "max", "mean", "min", "nonzero", "prod", "ravel",
    "repeat", "reshape", "round", "squeeze", "std", "sum", "tolist", "trace", "transpose", "values", "var",
}  # fmt: skip
_MODULES = (*LIBRARY, "builtins")
_WRITING = FUNCTIONS | {"shuffle", "setattr", "delattr", "next"}
_NEW = (
    gast.Constant, gast.BinOp, gast.UnaryOp, gast.List, gast.ListComp, gast.Dict, gast.DictComp, gast.Compare,
)  # fmt: skip
_OF_NUMBERS = {  # calls that give a number or an array, of which no part is anybody else's
    "empty", "empty_like", "full", "full_like", "ones", "ones_like", "zeros", "zeros_like", "array",
    "float", "int", "len",
}  # fmt: skip
_NEW_CALLS = {*_OF_NUMBERS, "copy", "list", "dict", "set"}
_OF_NUMBERS_ONLY = (gast.Sub, gast.Div, gast.Pow, gast.MatMult)  # lists have + and *


def is_undisturbed(
    body: Sequence[Any], names: Iterable[str], whole: Any, find: Find, harmless: Iterable[str],
    only_reads: Callable[[str], bool] | None = None,
) -> bool:  # fmt: skip
    """Whether statements leave what these names stand for as it is, and bind none of them.

    whole: the function around; harmless: names that functions of the user's may be given; only_reads: whether a
    name is that of a function that changes nothing: then no others may be called.
    """
    read = set(names)
    new = _Own(
        _names_made(whole, lambda value: _makes(value, find)),
        _names_made(whole, lambda value: _makes_whole(value, find)),
    )
    nodes = [node for statement in body for node in gast.walk(statement)]
    if only_reads is not None:
        calls = [node for node in nodes if isinstance(node, gast.Call) and _is_own(node.func, find)]
        if not all(only_reads(call.func.id) for call in calls):
            return False
        read_only = set(calls)
        nodes = [node for node in nodes if node not in read_only]
    return not any(_disturbs(node, read, new, find, set(harmless)) for node in nodes)


@dataclass(frozen=True)
class _Own:
    """Names that are bound only to what is made there; those of them that have no part that has another name, too."""

    names: set[str]
    whole: set[str]


def _is_own(func: Any, find: Find) -> bool:
    """Whether a name is that of no function of a library."""
    return isinstance(func, gast.Name) and not _is_library(find(func.id))


def _disturbs(node: Any, read: set[str], new: _Own, find: Find, harmless: set[str]) -> bool:
    match node:
        case gast.Name(id=name, ctx=gast.Store() | gast.Del()):
            return name in read
        case (
            gast.Subscript(ctx=gast.Store() | gast.Del())
            | gast.Attribute(ctx=gast.Store() | gast.Del())
        ):
            return not _is_new(node.value, read, new)
        case gast.AugAssign(target=gast.Name(id=name)):
            return name in read or name not in new.names
        case gast.AugAssign(target=gast.Subscript(value=owner) | gast.Attribute(value=owner)):
            # it may change the part itself, which a list or a dict only holds
            return not (_is_new(owner, read, new) and owner.id in new.whole)
        case gast.Call():
            return _call_disturbs(node, read, new, find, harmless)
    return isinstance(node, (gast.FunctionDef, gast.Yield, gast.YieldFrom, gast.Await))


def _call_disturbs(call: Any, read: set[str], new: _Own, find: Find, harmless: set[str]) -> bool:
    if any(keyword.arg in ("out", None) for keyword in call.keywords):
        return True
    match call.func:
        case gast.Name(id=name) | gast.Attribute(attr=name) if name in _WRITING:
            return True
        case gast.Name(id=name) if _is_library(find(name)):
            return _may_have_out(find(name), call)
        case gast.Attribute() as func if _is_library(find(_first_name(func))):
            if isinstance(func.value, gast.Attribute) and func.attr == "at":  # np.add.at
                return True
            return _may_have_out(named_member(func, np, find), call)
        case gast.Attribute(value=owner, attr=method) if _is_new(owner, read, new):
            return False
        case gast.Attribute(attr=method) if method in _READING:
            return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return not (
        isinstance(call.func, gast.Name) and all(_is_given(e, harmless, find) for e in given)
    )


def _may_have_out(function: object, call: Any) -> bool:
    """Whether a function of NumPy may write to one of the arguments, which stands where `out` does."""
    if ir.has_star(call.args):
        return isinstance(function, np.ufunc)
    if isinstance(function, np.ufunc):
        return len(call.args) > function.nin
    try:
        parameters = inspect.signature(function).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    by_place = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}
    names = itertools.takewhile(lambda name: parameters[name].kind in by_place, parameters)
    return "out" in itertools.islice(names, len(call.args))


def _is_given(node: Any, harmless: set[str], find: Find) -> bool:
    match node:
        case gast.Constant():
            return True
        case gast.Name(id=name):
            return name in harmless
        case gast.BinOp():
            return _makes_whole(node, find)
    return False


def _is_library(value: object) -> bool:
    module = getattr(value, "__module__", None) or getattr(value, "__name__", None)
    if not isinstance(module, str):
        module = type(value).__module__ if callable(value) else ""
    return module.partition(".")[0] in _MODULES


def _first_name(node: Any) -> str:
    while isinstance(node, gast.Attribute):
        node = node.value
    return str(node.id) if isinstance(node, gast.Name) else ""


def _is_new(value: Any, read: set[str], new: _Own) -> bool:
    return isinstance(value, gast.Name) and value.id in new.names and value.id not in read


def _names_made(whole: Any, makes: Callable[[Any], bool]) -> set[str]:
    """The names that are bound only to what is made there: they share no memory with anything else."""
    bound: dict[str, bool] = {}
    plain = {id(t): value for t, value in _assigned(whole)}
    for node in gast.walk(whole):
        if isinstance(node, gast.Name) and isinstance(node.ctx, (gast.Store, gast.Param, gast.Del)):
            made = id(node) in plain and makes(plain[id(node)])
            bound[node.id] = bound.get(node.id, True) and made
    return {name for name, made in bound.items() if made}


def _assigned(whole: Any) -> Iterator[tuple[Any, Any]]:
    """Targets that are names, and what they are bound to; None for updates, which bind nothing new."""
    for node in gast.walk(whole):
        match node:
            case gast.Assign(targets=[gast.Name() as target], value=value):
                yield target, value
            case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)) if (
                len(targets) == len(values)
            ):
                yield from zip(targets, values, strict=True)
            case gast.AugAssign(target=gast.Name() as target):
                yield target, None


def _makes(value: Any, find: Find) -> bool:
    match value:
        case None:
            return True
        case gast.Call(func=gast.Name(id=name)) if not _is_library(find(name)):
            return False  # the user's own `full`
        case gast.Call(func=gast.Name(id=name) | gast.Attribute(attr=name), keywords=keywords):
            # np.array(x, copy=None) may give x
            return name in _NEW_CALLS and all(keyword.arg != "copy" for keyword in keywords)
    return isinstance(value, _NEW)


def _makes_whole(value: Any, find: Find) -> bool:
    """Whether this is a number or an array that is new: a list may hold what has another name."""
    match value:
        case None | gast.Constant() | gast.UnaryOp() | gast.Compare():
            return True
        case gast.Call(func=gast.Name(id=name) | gast.Attribute(attr=name)):
            return name in _OF_NUMBERS and _makes(value, find)
        case gast.BinOp(left=left, op=op, right=right):
            either = _is_float(left) or _is_float(right)
            both = _makes_whole(left, find) and _makes_whole(right, find)
            return isinstance(op, _OF_NUMBERS_ONLY) or either or both
    return False


def _is_float(node: Any) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, float)
