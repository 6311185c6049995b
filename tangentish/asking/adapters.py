"""Callables whose own signature says little, as functions with one that says all.

    partial(loss, x=data)            ->   def loss(w, *, x=data): return loss(w, x=x)
    a wrapper(*args, **options)      ->   def area(w, h=2.0): return area(w, h)
        around area(w, h=2.0)

What runs is the callable itself, and it is what is differentiated; the function only passes on.
"""

from __future__ import annotations

import functools
import inspect
from operator import is_
from types import CellType, FunctionType, MethodType
from typing import Any
from weakref import WeakKeyDictionary

from tangentish.asking.compiled_functions import written_in_python
from tangentish.language.binding import starred_names
from tangentish.rules.own import OwnRule, has_own_rule, own_rule
from tangentish.text.load import load

_ADAPTED: WeakKeyDictionary[Any, tuple[list[Any], FunctionType]] = WeakKeyDictionary()


def is_partial(f: object) -> bool:
    return type(f) is functools.partial


def adapted(f: Any) -> Any:
    """A plain function for a partial, for a wrapper that hides the signature of what it wraps, for
    what Numba compiles, and for what has no source but a rule of the user's own; else `f`.
    """
    f = written_in_python(f)
    rule = None if isinstance(f, FunctionType) else own_rule(f)
    if rule is not None and not rule.open_ended:
        return _by_rule(f, rule)
    hides = isinstance(f, FunctionType) and starred_names(f) and hasattr(f, "__wrapped__")
    if not (hides or is_partial(f)):
        return f
    home = _home(f)
    if home is None:
        return f
    defaults, before = _defaults_in(inspect.unwrap(home)), _ADAPTED.get(f)
    if before is None or len(before[0]) != len(defaults) or not all(map(is_, before[0], defaults)):
        _ADAPTED[f] = before = defaults, _adapter(f, home)
    return before[1]


def _defaults_in(function: Any) -> list[Any]:
    """What may be set anew at any time, and goes into an adapter."""
    named = getattr(function, "__kwdefaults__", None) or {}
    return [getattr(function, "__defaults__", None), *named, *named.values()]


def function_called(f: Any) -> Any:
    """What a call of a partial, or of what Numba compiles, calls as a plain function; any other callable itself."""
    return adapted(f) if is_partial(f) else written_in_python(f)


def by_its_rule(f: FunctionType) -> FunctionType:
    """A function that calls `f`, where the user gave `f` a rule: then its source is not followed."""
    return _adapter(f, f) if has_own_rule(f) else f


@functools.cache
def _by_rule(f: Any, rule: OwnRule) -> FunctionType:
    """A function that calls `f`, which has no source but a rule."""
    home: Any = rule.adjoint_function
    names, name = ", ".join(rule.names), rule.title
    text = f"def {name}({names}):\n    return {name}({names})\n"
    made = load(text, name, home, {name: CellType(f)}, (), {})
    made.__qualname__, made.__doc__ = name, getattr(f, "__doc__", None)
    return made


def _home(f: Any) -> FunctionType | None:
    """The function written in Python that a callable rests on."""
    while is_partial(f) or isinstance(f, MethodType):
        f = f.func if is_partial(f) else f.__func__
    f = getattr(f, "__tangentish__", f)
    return f if isinstance(f, FunctionType) else None


def _adapter(f: Any, home: FunctionType) -> FunctionType:
    signature = inspect.signature(f)
    called = f.func if is_partial(f) else f
    name = home.__name__ if home.__name__.isidentifier() else "function"
    held = _held(f, signature)
    parameters = signature.parameters.values()
    text = (
        f"def {name}({_parameters(signature)}):\n"
        f"    return {name}({', '.join([*held, *map(_passed_on, parameters)])})\n"
    )
    cells = {key: CellType(value) for key, value in {**held, name: called}.items()}
    empty = inspect.Parameter.empty
    named = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
    plain = (
        p.default for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    )
    defaults = tuple(value for value in plain if value is not empty)
    kwdefaults = {key: value for key, value in named.items() if value is not empty}
    made = load(text, name, home, cells, defaults, kwdefaults)
    made.__qualname__, made.__doc__ = home.__qualname__, home.__doc__
    made.__annotations__ = {p.name: p.annotation for p in parameters if p.annotation is not empty}
    return made


def _held(f: Any, signature: inspect.Signature) -> dict[str, Any]:
    """The positional arguments that a partial holds, by names that no parameter has."""
    if not is_partial(f):
        return {}
    names = list(inspect.signature(f.func).parameters)
    found: dict[str, Any] = {}
    for k, value in enumerate(f.args):
        name = names[k] if k < len(names) else f"held_{k}"
        while name in signature.parameters or name in found:
            name += "_"
        found[name] = value
    return found


def _parameters(signature: inspect.Signature) -> str:
    """The parameters as text; their defaults are given as values."""
    shown = [
        p.replace(
            annotation=inspect.Parameter.empty,
            default=p.default if p.default is p.empty else _Shown(p.default),
        )
        for p in signature.parameters.values()
    ]
    return str(inspect.Signature(shown))[1:-1]


class _Shown:
    """A default as text: itself where it is a literal."""

    def __init__(self, value: object) -> None:
        self.text = repr(value) if type(value) in (int, float, bool, str, type(None)) else "..."

    def __repr__(self) -> str:
        return self.text


def _passed_on(p: inspect.Parameter) -> str:
    if p.kind is p.VAR_POSITIONAL:
        return f"*{p.name}"
    if p.kind is p.VAR_KEYWORD:
        return f"**{p.name}"
    return f"{p.name}={p.name}" if p.kind is p.KEYWORD_ONLY else p.name
