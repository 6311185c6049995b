"""Classes whose __init__ does nothing but store what it is given: they are made as dataclasses are.

def __init__(self, mass, speed=0.0):
    self.mass = mass
    self.speed, self.path = speed, []       ->      mass: the argument, speed: the argument or 0.0, path: []
"""

from __future__ import annotations

import inspect
import itertools
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

import gast

from tangentish.errors import NotDifferentiable
from tangentish.infer.known_functions import is_user_code
from tangentish.infer.literals import literal_of
from tangentish.infer.objects import has_own_setattr
from tangentish.language.source import read_source

LITERALS = (bool, int, float, str)


class Stored(NamedTuple):
    """What an attribute gets: what a call gives a parameter, or an expression, where that gives none."""

    parameter: str | None
    otherwise: Any


def stored_as_given(cls: type) -> dict[str, Stored] | None:
    """What each attribute gets; None where __init__ does more.

    What a call gives is evaluated where it is stored: each parameter has to be stored, once, and in turn.
    """
    init = inspect.getattr_static(cls, "__init__", None)
    written = isinstance(init, types.FunctionType) and is_user_code(init)
    if not written or has_own_setattr(cls):
        return None
    try:
        tree = read_source(init).tree
    except NotDifferentiable:
        return None
    itself, *parameters = inspect.signature(init).parameters.values()
    stores = list(_stores(tree.body, itself.name))
    found = dict(store for store in stores if store is not None)
    in_turn = [value for value in found.values() if isinstance(value, str)]
    plain = len(found) == len(stores) and in_turn == [p.name for p in parameters]
    if not (plain and all(map(_is_plain, parameters))) or any(_is_set(cls, n) for n in found):
        return None
    defaults = {p.name: gast.Constant(p.default, None) for p in parameters}
    return {
        name: Stored(value, defaults[value]) if isinstance(value, str) else Stored(None, value)
        for name, value in found.items()
    }


def is_expression(factory: Any) -> bool:
    """Whether this is a lambda without parameters that captures nothing: `field(default_factory=lambda: [1, 2])`."""
    if not (isinstance(factory, types.FunctionType) and factory.__name__ == "<lambda>"):
        return False
    code = factory.__code__
    starred = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    return not (code.co_argcount or code.co_kwonlyargcount or code.co_freevars or starred)


def expression_of(factory: types.FunctionType) -> Any | None:
    """What such a lambda gives, as it is written."""
    try:
        body = read_source(factory).tree.body
    except NotDifferentiable:
        return None
    match body:
        case [gast.Return(value=value)]:
            return value
    return None


def _stores(body: list[Any], itself: str) -> Iterator[tuple[str, Any] | None]:
    """Each attribute that is set, and to which parameter or expression; None for whatever else is done."""
    for line in body:
        match line:
            case gast.Expr(value=gast.Constant()) | gast.Pass():
                continue
            case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)):
                pairs = list(itertools.zip_longest(targets, values))
            case (
                gast.Assign(targets=[target], value=value)
                | gast.AnnAssign(target=target, value=value)
            ):
                pairs = [(target, value)]
            case _:
                pairs = [(None, None)]
        yield from (_store(target, value, itself) for target, value in pairs)


def _store(target: Any, value: Any, itself: str) -> tuple[str, Any] | None:
    match target, value:
        case gast.Attribute(value=gast.Name(id=name), attr=attribute), _ if name == itself:
            if isinstance(value, gast.Name) and value.id != itself:
                return attribute, value.id
            if _is_made_here(value):
                return attribute, value
    return None


def _is_made_here(value: Any) -> bool:
    """Whether an expression gives the same in every place: a literal, an empty list or dict."""
    match value:
        case gast.List(elts=[]) | gast.Dict(keys=[]):
            return True
        case gast.Constant(value=constant):
            return constant is None or type(constant) in LITERALS
    return type(literal_of(value)) in LITERALS


def _is_plain(parameter: inspect.Parameter) -> bool:
    """Whether a parameter takes one value, and has a literal as its default if it has any."""
    default = parameter.default
    literal = default in (None, parameter.empty) or type(default) in LITERALS
    return literal and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)


def _is_set(cls: type, name: str) -> bool:
    """Whether a store to an attribute may do anything else than bind it: a property does."""
    member = inspect.getattr_static(cls, name, None)
    return hasattr(type(member), "__set__") and not isinstance(member, types.MemberDescriptorType)
