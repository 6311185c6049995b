"""What a function may change that it is not given, by its text, and without regard to the order of its lines.

Which names it, and those that it calls, stores to, deletes from, updates, or hands to what may change it. What these
names hold at present counts as changed. What runs is what names hold that are called, and each method of this name of
the classes that are known here.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.changes import changes_what_it_gets
from tangentish.infer.found_outside import OWNERS, all_held, class_of, in_containers, methods_named
from tangentish.infer.in_place_calls import FUNCTIONS as IN_PLACE
from tangentish.infer.known_functions import (
    is_of_library,
    is_user_code,
    is_view_maker,
)
from tangentish.infer.names_in_text import (
    bindings,
    imported,
    is_above,
    is_class_of,
    names_bound,
    names_loaded,
    names_stored,
    nodes_in,
    start_above,
)
from tangentish.infer.reach import Reach
from tangentish.kinds.kinds_of_values import attribute_of
from tangentish.language.binding import parameter_names
from tangentish.language.declared import declared_in, place_of
from tangentish.language.source import Source

_REFLECTIVE = (exec, eval, globals)  # may bind any name
_COMPUTED = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant, gast.JoinedStr)
_BINDING = (gast.Store, gast.Del, gast.Param)
_IMPORTS = {gast.Import, gast.ImportFrom}
_NOTED = {
    gast.Assign, gast.AugAssign, gast.AnnAssign, gast.NamedExpr, gast.For, gast.comprehension, gast.withitem,
    gast.Subscript, gast.Attribute, gast.FunctionDef, gast.Call,
}  # fmt: skip
"""The nodes that bind, store or call."""
_NONE = frozenset[str]()
_CALLING = (map, filter, sorted, max, min)


class Seen(Protocol):
    """What was found of other functions, and of classes."""

    def reach(self, function: Any) -> Reach: ...

    def classes(self, function: types.FunctionType) -> tuple[type, ...]: ...

    def methods(self, function: types.FunctionType, name: str) -> list[Any]: ...

    def special(self, cls: type) -> Reach: ...


class _Run(NamedTuple):
    """Something may run: what names hold, or what objects that they hold have under an attribute."""

    names: frozenset[str]
    attribute: str | None
    given: frozenset[str]  # what else it gets
    above: bool = False  # it is a method of a class above
    starts: bool = False  # an object is being made that holds nothing yet


@dataclass
class Text:
    """One function, as it is written: which names may hold what others hold, and which are changed."""

    source: Source
    seen: Seen
    holds: dict[str, set[str]] = field(default_factory=dict)
    bound: dict[str, set[tuple[str, bool]]] = field(
        default_factory=dict
    )  # to names; whether it is no part of it
    changed: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)  # changed as well, but nothing that they hold
    runs: list[_Run] = field(default_factory=list)
    found_so_far: Reach = field(default_factory=Reach)
    # what was found of a path, and of a function that stands outside, is the same on each line
    paths: dict[str, str | None] = field(default_factory=dict)
    outside: dict[str, tuple[object, ...]] = field(default_factory=dict)
    reaches: dict[int, Reach] = field(default_factory=dict)
    run_already: dict[frozenset[str], list[tuple[Any, Reach]]] = field(default_factory=dict)

    def reach(self) -> Reach:
        self.read()
        self.resolve()
        return self.result()

    def read(self) -> None:
        """Notes what each part of the text does."""
        nodes = [n for statement in self.source.tree.body for n in nodes_in(statement)]
        by_type: dict[type, list[Any]] = {}
        for node in nodes:
            by_type.setdefault(node.__class__, []).append(node)
        names = by_type.get(gast.Name, ())
        self.inner = {n.name: n for n in by_type.get(gast.FunctionDef, ())}
        named = {n.id for n in names if isinstance(n.ctx, _BINDING)}
        self.loaded = {n.id for n in names} - named
        lines = [n for n in nodes if n.__class__ in _IMPORTS] if by_type.keys() & _IMPORTS else ()
        self.imported = dict(i for node in lines for i in imported(node))
        nonlocal_names = declared_in(by_type.get(gast.Nonlocal, ()))
        declared = declared_in(by_type.get(gast.Global, ()))
        declared |= nonlocal_names & {*self.source.function.__code__.co_freevars}
        self.parameters = {*parameter_names(self.source.function)}
        self.local = (named | self.parameters | self.inner.keys()) - declared
        self.add(Reach(places=frozenset(place_of(self.source, n) for n in named & declared)))
        self.start = start_above(self.source.function, self.source.tree.body)
        for node in nodes:
            if node.__class__ in _NOTED:
                self.note(node)

    def add(self, found: Reach) -> None:
        self.found_so_far |= found.outside

    def result(self) -> Reach:
        changed = self.with_held(self.changed) | self.stored_to()
        outside = tuple(v for name in changed - self.local for v in self.found(name))
        return self.found_so_far | Reach(frozenset(changed & self.parameters), outside)

    def stored_to(self) -> set[str]:
        """The names of what is stored to. Nothing that was stored in it before is changed by that."""
        found: set[str] = set()
        parts: set[str] = set()
        stack = [*self.stored]
        while stack:
            name = stack.pop()
            if name not in found:
                found.add(name)
                same = {other for other, whole in self.bound.get(name, ()) if whole}
                stack += same
                parts |= {other for other, _ in self.bound.get(name, ())} - same
        return found | self.with_held(parts)

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
        if path not in self.outside:
            self.outside[path] = tuple(self.looked_up(path))
        return iter(self.outside[path])

    def looked_up(self, path: str) -> Iterator[object]:
        first, *rest = path.split(".")
        if first in self.local:
            return
        try:
            value = self.imported[first] if first in self.imported else self.source.lookup(first)
            for name in rest:
                value = getattr(value, name)
        except (NameError, AttributeError):
            return
        yield value

    # -- what a part of the text does

    def note(self, node: Any) -> None:
        for target, value in bindings(node):
            self.bind(target, value)
        match node:
            case (
                gast.Subscript(ctx=gast.Store() | gast.Del())
                | gast.Attribute(ctx=gast.Store() | gast.Del())
            ):
                self.store(node)
            case gast.AugAssign(target=target):
                self.changed |= self.roots(target)
            case gast.withitem(context_expr=manager):
                self.entered(manager)
            case gast.FunctionDef():
                self.holds.setdefault(node.name, set()).update(names_loaded(node))
            case gast.Call():
                self.call(node)
            case gast.Attribute(value=value, attr=attr) if self.path(node) is None:
                self.runs.append(self.run_of(value, attr))

    def run_of(self, owner: Any, attribute: str, given: Iterable[str] = ()) -> _Run:
        """What an attribute of an object runs: a method, a property."""
        above = is_above(owner)
        names = {*parameter_names(self.source.function)[:1]} if above else self.roots(owner)
        return _Run(frozenset(names), attribute, frozenset(given), above, owner is self.start)

    def store(self, node: Any) -> None:
        """`x[i] = v`, `x.a = v`, del of them."""
        attribute = getattr(node, "attr", None)
        if isinstance(node.value, gast.Name):
            self.stored.add(node.value.id)
        elif is_class_of(node.value):
            self.set_in_classes(attribute)
        else:
            self.changed |= self.roots(node.value)
        if attribute is not None:
            self.runs.append(self.run_of(node.value, attribute))

    def set_in_classes(self, attribute: str | None) -> None:
        """An attribute of `type(x)` is set: of any class that has it."""
        classes = self.seen.classes(self.source.function)
        having = (c for c in classes if attribute is None or hasattr(c, attribute))
        self.add(Reach(objects=tuple(having)))

    def bind(self, target: Any, value: Any) -> None:
        """A name, or what it holds, comes to hold what a value may hold."""
        if target is None or value is None:
            return
        roots = self.roots(value)
        whole = isinstance(target, gast.Name) and isinstance(value, gast.Name)
        for name in names_stored(target):
            self.holds.setdefault(name, set()).update(roots - {name})
        for name in names_bound(target):
            self.bound.setdefault(name, set()).update((r, whole) for r in roots - {name})

    def entered(self, manager: Any) -> None:
        """What a context manager of the user's does to what it is given."""
        roots = frozenset(self.roots(manager))
        self.runs += (_Run(roots, name, _NONE) for name in ("__enter__", "__exit__"))
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
                return names_loaded(node)
            case gast.Call(func=func):
                found = self.called(func)
                if found and all(map(_gives_new, found)):
                    return set()
                if found and all(isinstance(f, type) for f in found):  # it holds what it is made of
                    given = ir.given_to(node)
                    return set[str]().union(*map(self.roots, given))
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
        whole = ".".join((node.id, *reversed(parts)))
        if whole not in self.paths:
            self.paths[whole] = self.path_of(str(node.id), reversed(parts))
        return self.paths[whole]

    def path_of(self, path: str, parts: Iterable[str]) -> str | None:
        for part in parts:
            if not any(isinstance(owner, OWNERS) for owner in self.found(path)):
                return None
            path = f"{path}.{part}"
        return path

    def called(self, func: Any) -> tuple[object, ...]:
        """The function that is called, where that stands outside."""
        path = func.id if isinstance(func, gast.Name) else self.path(func)
        return () if path is None else tuple(self.found(path))

    def call(self, node: Any) -> None:
        given = ir.given_to(node)
        everything = set[str]().union(*map(self.roots, given))
        self.changed |= {
            r for k in node.keywords if k.arg in ("out", None) for r in self.roots(k.value)
        }
        found = self.called(node.func)
        if found:
            for function in found:
                self.call_of(function, node, everything)
        elif isinstance(node.func, gast.Name) and node.func.id in self.inner:
            for name in names_stored(self.inner[node.func.id].args):
                self.holds.setdefault(name, set()).update(everything)
                self.bound.setdefault(name, set()).update((r, False) for r in everything)
        else:
            self.call_unknown(node.func, everything)

    def call_unknown(self, func: Any, everything: set[str]) -> None:
        """A method, or what a variable holds."""
        self.run_given(everything)
        if not isinstance(func, gast.Attribute):
            self.runs.append(_Run(frozenset(self.roots(func)), None, frozenset(everything)))
            self.changed |= everything | self.roots(func)
            return
        self.runs.append(self.run_of(func.value, func.attr, everything))
        if changes_what_it_gets(None, func) and not is_above(func.value):
            self.changed |= everything | self.roots(func)
            for name in self.roots(func.value):
                self.holds.setdefault(name, set()).update(everything - {name})

    def run_given(self, names: Iterable[str]) -> None:
        """What gets functions may call them."""
        self.runs.append(_Run(frozenset(names), None, _NONE))

    def call_of(self, function: Any, node: Any, everything: set[str]) -> None:
        """A function that stands outside is called."""
        own = self.reaches.get(id(function))
        if own is None:
            own = self.reaches[id(function)] = self.seen.reach(function)
            self.add(own)
            self.add(Reach(anything=any(function is f for f in _REFLECTIVE)))
        self.run_by_name(function, node)
        if not calls_nothing(function):
            self.run_given(everything)
        plain = _initialiser(function)
        if isinstance(plain, types.FunctionType) and is_user_code(plain):
            self.changed |= self.arguments(own.given, plain, node)
        elif own.given or _writes_to_arguments(function, node):
            self.changed |= everything
            if function in (setattr, delattr) and node.args and is_class_of(node.args[0]):
                self.set_in_classes(None)

    def run_by_name(self, function: Any, node: Any) -> None:
        """getattr(o, "name"), methodcaller("name")"""
        match node.args:
            case [owner, gast.Constant(value=str(name)), *_] if function is getattr:
                self.runs.append(self.run_of(owner, name))
            case [gast.Constant(value=str(name)), *_] if function is operator.methodcaller:
                self.runs.append(_Run(frozenset(self.loaded), name, _NONE))

    # -- what may run

    def held_outside(self, names: Iterable[str]) -> Reach:
        """What stands outside that these names may hold."""
        self.read()
        found = self.with_held(names) - self.local
        return Reach(objects=tuple(v for name in found for v in self.found(name)))

    def may_run(self, names: Iterable[str], attribute: str | None) -> None:
        """Only this runs; what has no name in the text may be anything that the text runs."""
        self.read()
        self.changed, self.stored, self.found_so_far = set(), set(), Reach()
        self.run_already = {}
        given = {*names}
        if given and given <= self.local | self.loaded:
            held = self.with_held(given)
            bound = [r for r in self.runs if r.attribute and not held.isdisjoint(r.names)]
            own = _Run(frozenset(given), attribute, _NONE)
            self.runs = [own, *(bound if attribute is None else ())]
        for run in self.runs:
            self.let_run(run)

    def special(self) -> Reach:
        """What the special methods of the classes, and of objects, change that the text has names for."""
        found = Reach()
        for name in self.loaded - self.local:
            for value in self.found(name):
                found |= self.seen.special(class_of(value))
        return found

    def resolve(self) -> None:
        """What runs, of what these names hold once all lines are read."""
        self.add(self.special())
        for run in dict.fromkeys(self.runs):
            self.let_run(run)

    def let_run(self, run: _Run) -> None:
        names = self.with_held(run.names)
        if run.attribute is None:
            self.let_call(frozenset(names - self.local), run)
            return
        values = [v for name in names - self.local for v in self.found(name)]
        held = dict.fromkeys(type(v) for v in all_held(values))
        above = self.above() if run.above else ()
        for method in methods_named(_own([*held, *above]), run.attribute):
            self.ran(method, run)
        if not run.above:
            for method in self.seen.methods(self.source.function, run.attribute):
                self.ran(method, run)
        for cls in held:
            self.add(self.seen.special(cls))

    def let_call(self, names: frozenset[str], run: _Run) -> None:
        """What these names hold is called; of names that were called before only what changes its arguments counts."""
        if names not in self.run_already:
            values = [v for name in names for v in self.found(name)]
            called = [v for v in all_held(values, in_containers) if callable(v)]
            reaches = [(value, self.seen.reach(value)) for value in called]
            for _, found in reaches:
                self.add(found)
            self.run_already[names] = [(value, found) for value, found in reaches if found.given]
        for value, found in self.run_already[names]:
            self.given_to(value, found, run)

    def ran(self, function: Any, run: _Run) -> None:
        found = self.seen.reach(function)
        self.add(found)
        self.given_to(function, found, run)

    def given_to(self, function: Any, found: Reach, run: _Run) -> None:
        """What runs changes what it is given."""
        itself = (
            {*parameter_names(function)[:1]} if isinstance(function, types.FunctionType) else set()
        )
        if run.attribute is not None and found.given & itself:
            (self.stored if run.starts else self.changed).update(run.names)
        if found.given - (itself if run.attribute is not None else set()):
            self.changed |= run.given

    def above(self) -> list[type]:
        """The classes that `super()` may stand for."""
        try:
            own = self.source.lookup("__class__")
        except NameError:
            return [*self.seen.classes(self.source.function)]
        return [*own.__mro__[1:]] if isinstance(own, type) else []

    def arguments(self, names: frozenset[str], function: Any, node: Any) -> set[str]:
        """The names in what a call gives for these parameters."""
        parameters, code = parameter_names(function), function.__code__
        starred = ir.has_star(node.args)
        shift = function.__name__ == "__init__"  # its object is new
        given: list[Any] = []
        for k, argument in enumerate(node.args):
            place = k + shift
            name = parameters[place] if place < code.co_argcount else None
            if starred or name is None or name in names:
                given.append(argument)
        given += [k.value for k in node.keywords if k.arg is None or k.arg in names]
        return set[str]().union(*map(self.roots, given)) if names else set()


def _own(classes: Iterable[type]) -> Iterator[type]:
    return (c for c in dict.fromkeys(classes) if not is_of_library(c))


def calls_nothing(function: Any) -> bool:
    """Whether a function of a library calls none that it is given."""
    if isinstance(function, np.ufunc):
        return True
    builtin = attribute_of(function, "__module__") == "builtins"
    return builtin and not any(function is f for f in _CALLING)


def _initialiser(function: Any) -> Any:
    """What a class of the user's runs to make an object."""
    own = isinstance(function, type) and not is_of_library(function)
    made = getattr(function, "__init__", None) if own else function
    return made if isinstance(made, types.FunctionType) else function


def _is_of_others(function: Any) -> bool:
    module = attribute_of(function, "__module__") or "builtins"
    return is_of_library(types.ModuleType(str(module)))


def _gives_new(function: Any) -> bool:
    """Whether what a function gives is nothing that it was given."""
    if isinstance(function, type):
        passing = (list, tuple, dict, set, map, zip, filter, enumerate, reversed)
        return is_of_library(function) and function not in passing
    passes = (getattr, next, iter, max, min, sorted, vars, sum)
    of_others = _is_of_others(function) and not any(function is f for f in passes)
    return of_others and not is_view_maker(function)


def _writes_to_arguments(function: Any, node: Any) -> bool:
    """Whether a function of a library writes to one of its arguments."""
    if isinstance(function, types.BuiltinFunctionType) and isinstance(function.__self__, np.ufunc):
        return bool(function.__name__ == "at")
    if isinstance(function, np.ufunc):
        return len(node.args) > function.nin
    try:
        if function in IN_PLACE:
            return True
    except TypeError:
        return True
    return changes_what_it_gets(function, None)
