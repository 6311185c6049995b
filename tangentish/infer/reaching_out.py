"""What a call may change that it is not given: what a function of the user's reads from globals and captured variables.

    def count():                 ->      count may change the array T, and the attributes of the module config
        T[0] += 1
        config.calls = T[0]

Only the text tells, without regard to the order of lines: which names a function, and those that it calls, stores to,
deletes from, updates, or hands to what may change it. What these names hold at present counts as changed.
"""

from __future__ import annotations

import dis
import functools
import inspect
import types
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

import gast
import numpy as np

from tangentish.errors import NotDifferentiable
from tangentish.infer.changes import changes_what_it_gets
from tangentish.infer.in_place_calls import FUNCTIONS as IN_PLACE
from tangentish.infer.known_functions import is_of_library, is_user_code, is_view_maker
from tangentish.kinds.sites import array_outside, attributes_of
from tangentish.language.declared import place_of
from tangentish.language.source import Source, read_source

__all__ = ["OWNERS", "Reach", "reach_of"]

MOST_OBJECTS = 1000  # that are looked into for what they hold
_REFLECTIVE = (exec, eval, globals)  # may bind any name
_INSTALLED = {"site-packages", "dist-packages"}
_COMPUTED = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant, gast.JoinedStr)


@dataclass(frozen=True)
class Reach:
    """What a call may change besides what it makes itself.

    given: the parameters whose values it may change; objects: those outside; places: the names outside that it binds;
    anything: nothing can be said.
    """

    given: frozenset[str] = frozenset()
    objects: tuple[object, ...] = ()
    places: frozenset[Hashable] = frozenset()
    anything: bool = False

    @functools.cached_property
    def inside(self) -> Sequence[object]:
        """These objects, and all that they hold."""
        found: dict[int, object] = {}
        stack = list(self.objects)
        while stack and len(found) < MOST_OBJECTS:
            value = stack.pop()
            if id(value) not in found:
                found[id(value)] = value
                stack += _held_by(value)
        return tuple(found.values())

    @property
    def sites(self) -> frozenset[Hashable]:
        """What of it is told apart: arrays, the attributes of modules and classes, and names."""
        arrays = {array_outside(v) for v in self.inside if isinstance(v, np.ndarray)}
        own = (v for v in self.objects if isinstance(v, OWNERS) and not is_of_library(v))
        owners = set(map(attributes_of, own))
        return self.places | arrays | owners

    @property
    def has_containers(self) -> bool:
        """Whether a list, a dict or an object is among it."""
        return any(not isinstance(v, (np.ndarray, *OWNERS, *_PLAIN)) for v in self.inside)


OWNERS = (types.ModuleType, type)
_PLAIN = (
    int, float, complex, str, bytes, bool, type(None), np.generic, types.FunctionType, types.BuiltinFunctionType,
    np.ufunc, tuple, frozenset,
)  # fmt: skip


def _held_by(value: object) -> Iterable[object]:
    if isinstance(value, np.ndarray):
        return () if value.base is None else (value.base,)
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    if isinstance(value, (*OWNERS, *_PLAIN)):
        return ()
    return getattr(value, "__dict__", {}).values()


Known = dict[types.FunctionType, Reach]


def reach_of(function: Any, known: Known | None = None) -> Reach:
    """What a call of this may change that it is not given; `known` of functions that were looked at."""
    known = {} if known is None else known
    if isinstance(function, functools.partial):
        own = reach_of(function.func, known)
        held = (*function.args, *function.keywords.values()) if own.given else ()
        return replace(own, objects=(*own.objects, *held))
    if isinstance(function, types.MethodType):
        own = reach_of(function.__func__, known)
        return replace(own, objects=(*own.objects, function.__self__)) if own.given else own
    if isinstance(function, types.FunctionType):
        return _of_function(function, known) if _is_of_the_user(function) else Reach()
    owner = getattr(function, "__self__", None)
    changing = not isinstance(owner, (types.ModuleType, type(None)))
    return Reach(objects=(owner,)) if changing and changes_what_it_gets(function, None) else Reach()


def _is_of_the_user(function: types.FunctionType) -> bool:
    """Whether a function is not one of a library that is installed."""
    path = PurePath(function.__code__.co_filename)
    return is_user_code(function) and not _INSTALLED.intersection(path.parts)


def _of_function(function: types.FunctionType, known: Known) -> Reach:
    if function not in known:
        known[function] = Reach(frozenset(_parameters(function)))  # while it is looked at
        try:
            source = read_source(function)
        except NotDifferentiable:
            known[function] = _without_text(function)
        else:
            known[function] = _Text(source, known).reach()
    return known[function]


def _without_text(function: types.FunctionType) -> Reach:
    """A function whose text is not found may change whatever it has a name for."""
    code, space = function.__code__, function.__globals__
    held = [space[name] for name in code.co_names if name in space]
    held += [cell.cell_contents for cell in function.__closure__ or () if cell != types.CellType()]
    bound = (i.argval for i in dis.get_instructions(code) if i.opname == "STORE_GLOBAL")
    objects = (v for v in held if not is_of_library(v))
    return Reach(
        frozenset(_parameters(function)),
        tuple(objects),
        frozenset((id(space), name) for name in bound),
    )


@dataclass
class _Text:
    """One function, as it is written: which names may hold what others hold, and which are changed."""

    source: Source
    known: Known
    holds: dict[str, set[str]] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    objects: list[object] = field(default_factory=list)
    places: set[Hashable] = field(default_factory=set)
    anything: bool = False

    def reach(self) -> Reach:
        nodes = [n for statement in self.source.tree.body for n in gast.walk(statement)]
        self.inner = {n.name: n for n in nodes if isinstance(n, gast.FunctionDef)}
        stored = (gast.Store, gast.Del, gast.Param)
        named = {n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, stored)}
        declared = {n for d in nodes if isinstance(d, gast.Global) for n in _names(d)}
        declared |= {
            n for d in nodes if isinstance(d, gast.Nonlocal) for n in _names(d)
        }.intersection(self.source.function.__code__.co_freevars)
        parameters = {*_parameters(self.source.function)}
        self.local = (named | parameters | self.inner.keys()) - declared
        self.places |= {place_of(self.source, name) for name in named & declared}
        for node in nodes:
            self.note(node)
        changed = self.with_held(self.changed)
        for name in changed - self.local:
            self.objects += self.found(name)
        return Reach(
            frozenset(changed & parameters),
            tuple(self.objects),
            frozenset(self.places),
            self.anything,
        )

    def with_held(self, names: Iterable[str]) -> set[str]:
        """The names, and those of all that may be held by these."""
        found: set[str] = set()
        stack = list(names)
        while stack:
            name = stack.pop()
            if name not in found:
                found.add(name)
                stack += self.holds.get(name, ())
        return found

    def found(self, path: str) -> Iterator[object]:
        """What stands outside under a name, or a path of modules and classes."""
        first, *rest = path.split(".")
        if first in self.local:
            return
        try:
            value = self.source.lookup(first)
            for name in rest:
                value = getattr(value, name)
        except (NameError, AttributeError):
            return
        yield value

    # -- what a part of the text does

    def note(self, node: Any) -> None:
        match node:
            case (
                gast.Subscript(ctx=gast.Store() | gast.Del())
                | gast.Attribute(ctx=gast.Store() | gast.Del())
            ):
                self.changed |= self.roots(node.value)
            case gast.Assign(targets=targets, value=value):
                for target in targets:
                    self.bind(target, value)
            case gast.AugAssign(target=target, value=value):
                self.changed |= self.roots(target)
                self.bind(target, value)
            case (
                gast.AnnAssign(target=target, value=value)
                | gast.NamedExpr(target=target, value=value)
            ):
                self.bind(target, value)
            case (
                gast.For(target=target, iter=value) | gast.comprehension(target=target, iter=value)
            ):
                self.bind(target, value)
            case gast.withitem(context_expr=manager, optional_vars=target):
                self.entered(manager)
                self.bind(target, manager)
            case gast.FunctionDef():
                self.holds.setdefault(node.name, set()).update(_loaded(node))
            case gast.Call():
                self.call(node)

    def bind(self, target: Any, value: Any) -> None:
        """A name, or what it holds, comes to hold what a value may hold."""
        if target is None or value is None:
            return
        roots = self.roots(value)
        for name in _targets(target):
            self.holds.setdefault(name, set()).update(roots - {name})

    def entered(self, manager: Any) -> None:
        """What a context manager of the user's does to what it is given."""
        found = self.called(manager.func) if isinstance(manager, gast.Call) else ()
        if not all(map(_is_of_others, found)) or not found:
            self.changed |= self.roots(manager)

    def roots(self, node: Any) -> set[str]:
        """The names of what an expression may give, or hold in what it gives."""
        match node:
            case gast.Name(id=name):
                return {name}
            case gast.Attribute(value=value):
                path = self.path(node)
                return {path} if path is not None else self.roots(value)
            case gast.Subscript(value=value):
                return self.roots(value)
            case gast.Lambda():
                return _loaded(node)
            case gast.Call(func=func):
                found = self.called(func)
                if found and all(map(_gives_new, found)):
                    return set()
        if isinstance(node, _COMPUTED):
            return set()
        return set[str]().union(*map(self.roots, gast.iter_child_nodes(node)))

    def path(self, node: Any) -> str | None:
        """`config.T` of a module outside."""
        parts: list[str] = []
        while isinstance(node, gast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, gast.Name) or node.id in self.local:
            return None
        path = str(node.id)
        for part in reversed(parts):
            if not any(isinstance(owner, OWNERS) for owner in self.found(path)):
                return None
            path = f"{path}.{part}"
        return path

    def called(self, func: Any) -> tuple[object, ...]:
        """The function that is called, where that stands outside."""
        path = func.id if isinstance(func, gast.Name) else self.path(func)
        return () if path is None else tuple(self.found(path))

    def call(self, node: Any) -> None:
        given = [*node.args, *(k.value for k in node.keywords)]
        everything = set[str]().union(*map(self.roots, given))
        self.changed |= {
            r for k in node.keywords if k.arg in ("out", None) for r in self.roots(k.value)
        }
        found = self.called(node.func)
        if found:
            for function in found:
                self.call_of(function, node, everything)
        elif isinstance(node.func, gast.Name) and node.func.id in self.inner:
            for name in _targets(self.inner[node.func.id].args):
                self.holds.setdefault(name, set()).update(everything)
        elif not isinstance(node.func, gast.Attribute) or changes_what_it_gets(None, node.func):
            self.changed |= everything | self.roots(node.func)
            owner = getattr(node.func, "value", None)
            for name in () if owner is None else self.roots(owner):
                self.holds.setdefault(name, set()).update(everything - {name})

    def call_of(self, function: Any, node: Any, everything: set[str]) -> None:
        """A function that stands outside is called."""
        function = _initialiser(function)
        own = reach_of(function, self.known)
        self.objects += own.objects
        self.places |= own.places
        self.anything |= own.anything or any(function is f for f in _REFLECTIVE)
        if isinstance(function, types.FunctionType) and is_user_code(function):
            self.changed |= self.arguments(own.given, function, node)
        elif _writes_to_arguments(function, node):
            self.changed |= everything

    def arguments(self, names: frozenset[str], function: Any, node: Any) -> set[str]:
        """The names in what a call gives for these parameters."""
        parameters, code = _parameters(function), function.__code__
        starred = any(isinstance(a, gast.Starred) for a in node.args)
        shift = function.__name__ == "__init__"  # its object is new
        given: list[Any] = []
        for k, argument in enumerate(node.args):
            place = k + shift
            name = parameters[place] if place < code.co_argcount else None
            if starred or name is None or name in names:
                given.append(argument)
        given += [k.value for k in node.keywords if k.arg is None or k.arg in names]
        return set[str]().union(*map(self.roots, given)) if names else set()


def _names(declaration: Any) -> Iterator[str]:
    for name in declaration.names:
        yield name if isinstance(name, str) else name.id


def _parameters(function: types.FunctionType) -> tuple[str, ...]:
    code = function.__code__
    starred = sum(bool(code.co_flags & f) for f in (inspect.CO_VARARGS, inspect.CO_VARKEYWORDS))
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + starred]


def _loaded(node: Any) -> set[str]:
    return {n.id for n in gast.walk(node) if isinstance(n, gast.Name)}


def _targets(target: Any) -> Iterator[str]:
    """The names that are bound, and those whose values are stored to."""
    match target:
        case gast.Name(id=name):
            yield name
        case gast.Subscript(value=value) | gast.Attribute(value=value) | gast.Starred(value=value):
            yield from _targets(value)
        case gast.Tuple() | gast.List() | gast.arguments():
            for part in gast.iter_child_nodes(target):
                yield from _targets(part)


def _initialiser(function: Any) -> Any:
    """What a class of the user's runs to make an object."""
    own = isinstance(function, type) and not is_of_library(function)
    made = getattr(function, "__init__", None) if own else function
    return made if isinstance(made, types.FunctionType) else function


def _is_of_others(function: Any) -> bool:
    module = getattr(function, "__module__", None) or "builtins"
    return is_of_library(types.ModuleType(str(module)))


def _gives_new(function: Any) -> bool:
    """Whether what a function gives is nothing that it was given."""
    if isinstance(function, type):
        return function not in (list, tuple, dict, set, map, zip, filter, enumerate, reversed)
    passing = (getattr, next, iter, max, min, sorted, vars, sum)
    of_others = _is_of_others(function) and not any(function is f for f in passing)
    return of_others and not is_view_maker(function)


def _writes_to_arguments(function: Any, node: Any) -> bool:
    """Whether a function of a library writes to one of its arguments."""
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        return bool(function.__name__ == "at")
    if isinstance(function, np.ufunc):
        return len(node.args) > function.nin
    try:
        if function in IN_PLACE:
            return True
    except TypeError:
        return True
    return changes_what_it_gets(function, None)
