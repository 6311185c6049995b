"""What the names in a function stand for, followed until nothing is missing."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import inspect
import linecache
import logging
import re
import sys
import types
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangentish.errors import NotDifferentiable
from tangentish.export import guards
from tangentish.export.annotations import annotated
from tangentish.export.classes import attributes_read, class_text, is_only_looked_at
from tangentish.export.definitions import CONSTANT, GUARD, HELPER, OWN_CONSTANT, Definition, Import
from tangentish.export.edits import free_names, replaced, span
from tangentish.export.literals import MOST_ELEMENTS, literal
from tangentish.export.read_only import display, is_only_read
from tangentish.kinds.homes import is_of_python
from tangentish.kinds.kinds_of_values import undecorated
from tangentish.language.modes import is_training
from tangentish.language.source import GENERATED, read_source
from tangentish.text.names import unlike
from tangentish.text.printer import to_text

LIBRARIES = frozenset({"numpy", "scipy"})
OWN = "tangentish"


class Unexportable(ValueError):
    """A function that can't be written into a module of its own; the text says why."""


@dataclass(eq=False)
class Finding:
    """Definitions by key: of every function asked for, and of all that they need."""

    found: dict[Hashable, Definition] = field(default_factory=dict)
    builtins: set[str] = field(default_factory=set)
    waiting: deque[tuple[Definition, Callable[[str], Hashable | None]]] = field(
        default_factory=deque
    )
    alive: list[object] = field(default_factory=list)  # what has its id for a key
    # classes, and who reads them: what they hold is known when all is found that may read it
    classes: dict[Hashable, tuple[type, str, types.FunctionType]] = field(default_factory=dict)

    def everything(self) -> dict[Hashable, Definition]:
        """All that has been asked for, and what it needs."""
        while self.waiting:
            definition, find = self.waiting.popleft()
            for name in _in_order(definition.text):
                key = find(name)
                if key is not None:
                    definition.links[name] = key
        self.write_classes()
        return self.found

    def write_classes(self) -> None:
        """The texts of classes, with what is read of them."""
        read = set[str]().union(*(attributes_read(d.text) for d in self.found.values()))
        for key, (owner, name, home) in self.classes.items():
            text = class_text(name, owner, read)
            if text is None or not all(
                is_only_looked_at(own, d.text)
                for d in self.found.values()
                for own, link in d.links.items()
                if link == key
            ):
                raise Unexportable(_why_not(name, owner, home))
            self.found[key].text = text
            if "np." in text:
                self.found[key].links["np"] = self.line(Import("numpy"), "np")

    def text(
        self, wanted: str, text: str, links: dict[str, Hashable | None], place: int
    ) -> Hashable:
        """A definition of which all links are known."""
        key = ("text", wanted)
        self.found[key] = Definition(wanted, text, place=place)
        self.waiting.append((self.found[key], links.get))
        return key

    # -- functions of the user's, and those generated from them

    def function(self, function: types.FunctionType, wanted: str) -> Hashable:
        key = id(function)
        if key not in self.found:
            self.alive.append(function)
            text, defaults = _text_of(function)
            text, any_hint = annotated(text)
            text, instead = _without_modules(text, function)
            definition = self.found[key] = Definition(wanted, text)
            defined = _defined_name(text)

            def find(name: str) -> Hashable | None:
                if name == any_hint:
                    return self.line(Import("typing", "Any"))
                if name in defaults:
                    return self.constant(name, defaults[name])
                if name == defined and not _is_generated(function):
                    return key
                value = instead[name] if name in instead else _look_up(function, name)
                if isinstance(value, (list, dict)) and is_only_read(name, text):
                    written = display(value)
                    if written is not None:
                        return self.constant(name, written)
                return self.value(name, value, function)

            self.waiting.append((definition, find))
        return key

    def value(self, name: str, value: Any, home: types.FunctionType) -> Hashable | None:
        """The key of what a name in a function stands for; None for a builtin under its own name."""
        value = undecorated(value)
        if value is is_training:
            return self.mode(name)
        if getattr(builtins, name, None) is value:
            self.builtins.add(name)
            return None
        module = getattr(value, "__module__", None) or ""
        if isinstance(value, types.FunctionType) and _is_generated(value):
            return self.function(value, name)
        if module.partition(".")[0] == OWN and isinstance(value, types.FunctionType):
            return self.own(module, value.__name__)
        if isinstance(value, types.ModuleType):
            return self.line(_import_of(value, name), name)
        if isinstance(value, types.FunctionType) and not _is_library(module):
            return self.function(value, name)
        text = literal(value)
        if text is not None:
            return self.constant(name, text)
        place = _public_place(value, name)
        return self.line(place, name) if place is not None else self.object(name, value, home)

    def object(self, name: str, value: object, home: types.FunctionType) -> Hashable:
        """What is neither a function, nor a number or its like, nor of a library."""
        if isinstance(value, logging.Logger) and logging.getLogger(value.name) is value:
            return self.logger(name, value)
        if isinstance(value, type):
            return self.of_class(name, value, home)
        raise Unexportable(_why_not(name, value, home))

    def of_class(self, name: str, owner: type, home: types.FunctionType) -> Hashable:
        key = ("class", id(owner))
        if key not in self.found:
            self.found[key] = Definition(name, place=CONSTANT)
            self.classes[key] = owner, name, home
        return key

    def mode(self, name: str) -> Hashable:
        """What is called asks for the mode: a derivative is taken."""
        key = ("mode", name)
        if key not in self.found:
            text = f"def {name}() -> bool:\n    return True\n"
            self.found[key] = Definition(name, text)
        return key

    def logger(self, name: str, logger: logging.Logger) -> Hashable:
        """The logger of that name, which there is once in a process."""
        key = ("logger", name, logger.name)
        links = {"logging": self.line(Import("logging"), "logging")}
        text = f"{name} = logging.getLogger({logger.name!r})\n"
        self.found[key] = Definition(name, text, place=CONSTANT)
        self.waiting.append((self.found[key], links.get))
        return key

    def constant(self, name: str, text: str) -> Hashable:
        key = ("constant", name, text)
        if key not in self.found:
            definition = self.found[key] = Definition(name, f"{name} = {text}\n", place=CONSTANT)
            numpy = self.line(Import("numpy"), "np") if "np." in text else None
            self.waiting.append((definition, lambda n: numpy if n == "np" else None))
        return key

    def line(self, line: Import, wanted: str | None = None) -> Hashable:
        wanted = wanted or line.name or line.module
        self.found.setdefault((line, wanted), Definition(wanted, line=line))
        return line, wanted

    # -- this package's own helpers, as they stand in its files

    def own(self, module: str, name: str) -> Hashable | None:
        key = module, name
        if key in self.found:
            return key
        node = _statement_binding(module, name)
        if node is None:
            self.builtins.add(name)
            return None
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return self.imported(node, name)
        text = _lines_of(module, node)
        place = GUARD if module == guards.__name__ else HELPER
        place = place if isinstance(node, ast.FunctionDef) else OWN_CONSTANT
        definition = self.found[key] = Definition(name, text, place=place)
        self.waiting.append((definition, lambda n: key if n == name else self.own(module, n)))
        return key

    def imported(self, node: ast.Import | ast.ImportFrom, name: str) -> Hashable | None:
        alias = next(a for a in node.names if (a.asname or a.name) == name)
        if isinstance(node, ast.Import):
            return self.line(Import(alias.name), name)
        assert node.module is not None
        if node.module.partition(".")[0] == OWN:
            return self.own(node.module, alias.name)
        return self.line(Import(node.module, alias.name), name)


# ------------------------------------------------------------------------------- texts of functions


def _in_order(text: str) -> list[str]:
    """The free names of a text in the order of reading: so their definitions follow."""
    words = re.findall(r"\w+", text)
    return sorted(free_names(text), key=words.index)


def _is_generated(function: types.FunctionType) -> bool:
    return function.__code__.co_filename.startswith(GENERATED)


def _text_of(function: types.FunctionType) -> tuple[str, dict[str, str]]:
    """A definition, its defaults as they are now; those of NumPy are constants."""
    text, constants = _with_defaults(_written(function), function)
    _refuse_outer_names(text, function)
    return text, constants


def _written(function: types.FunctionType) -> str:
    if _is_generated(function):
        return "".join(linecache.getlines(function.__code__.co_filename))
    try:
        tree = read_source(function).tree
    except (NotDifferentiable, OSError, TypeError) as error:
        raise Unexportable(f"{function.__qualname__}() can't be written out: {error}") from error
    plain = gast.FunctionDef(tree.name, tree.args, tree.body, [], None, None, [])
    return to_text(plain)


def _with_defaults(text: str, function: types.FunctionType) -> tuple[str, dict[str, str]]:
    """The definition with the values of its defaults in the place of what the user wrote for them."""
    arguments = _definition(text).args
    values = dict(inspect.signature(function, follow_wrapped=False).parameters)
    positional = (*arguments.posonlyargs, *arguments.args)
    given = list(zip(reversed(positional), reversed(arguments.defaults), strict=False))
    given += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None]
    edits, constants = [], {}
    words = set(re.findall(r"\w+", text))
    for parameter, node in given:
        new = default_text(values[parameter.arg].default)
        if new is None or (is_container(new) and not is_only_read(parameter.arg, text)):
            raise Unexportable(
                f"the default of the parameter {parameter.arg!r} of {function.__qualname__}() can't be "
                f"written out: {WAY_OUT}"
            )
        if is_constant(new):
            name = unlike(constant_name(parameter.arg), words)
            constants[name], new = new, name
        edits.append((*span(text, node), new))
    return replaced(text, edits), constants


def default_text(value: object) -> str | None:
    """The text of a default; None for what can't be written out."""
    text = literal(value)
    return display(value) if text is None else text


def is_container(text: str) -> bool:
    return text[:1] in ("[", "{") or text.endswith("]()")


def is_constant(text: str) -> bool:
    """Whether a default is a constant of the module: what is NumPy's, and what is one object for all calls."""
    return "np." in text or is_container(text)


def constant_name(parameter: str) -> str:
    """What the default of a parameter is called where it is a constant of the module."""
    return parameter.upper()


WAY_OUT = "make it None, a number, a string, a small array or a tuple of these, or a list or dict that is only read"


def _refuse_outer_names(text: str, function: types.FunctionType) -> None:
    definition = _definition(text)
    for node in ast.walk(definition):
        outside = isinstance(node, ast.Nonlocal) and node in definition.body
        if isinstance(node, ast.Global) or outside:
            raise Unexportable(
                f"{function.__qualname__}() binds {node.names[0]!r}, which stands outside of it: pass "  # type: ignore[attr-defined]
                "it as an argument and return it"
            )


def _definition(text: str) -> ast.FunctionDef:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


def _defined_name(text: str) -> str:
    return _definition(text).name


def _without_modules(text: str, home: types.FunctionType) -> tuple[str, dict[str, object]]:
    """`config.rate` -> `config_rate`, where `config` is a module of the user's; and what that is."""
    free = free_names(text)
    edits: list[tuple[int, int, str]] = []
    instead: dict[str, object] = {}

    def visit(node: ast.AST) -> None:
        chain = _chain(node)
        if chain and chain[0] in free:
            found = _of_module(chain, home)
            if found is not None:
                value, length = found
                name = (
                    "_".join(chain[1 : length + 1])
                    if length == 1
                    else "_".join(chain[: length + 1])
                )
                while name in free or (name in instead and instead[name] is not value):
                    name = f"{chain[0]}_{name}"
                instead[name] = value
                for _ in range(len(chain) - 1 - length):
                    assert isinstance(node, ast.Attribute)
                    node = node.value
                edits.append((*span(text, node), name))
                return
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(text))
    return replaced(text, edits), instead


def _chain(node: ast.AST) -> tuple[str, ...]:
    """a.b.c -> ("a", "b", "c")"""
    match node:
        case ast.Attribute(value=value, attr=attr):
            chain = _chain(value)
            return (*chain, attr) if chain else ()
        case ast.Name(id=name):
            return (name,)
    return ()


def _of_module(chain: tuple[str, ...], home: types.FunctionType) -> tuple[object, int] | None:
    """What the first attributes of a chain lead to, out of modules of the user's, and how many they are."""
    try:
        value = _look_up(home, chain[0])
    except Unexportable:
        return None
    for k, name in enumerate(chain[1:], start=1):
        if not _is_users_module(value):
            return None if k == 1 else (value, k - 1)
        value = getattr(value, name, None)
    return (value, len(chain) - 1) if len(chain) > 1 and not _is_users_module(value) else None


def _is_users_module(value: object) -> bool:
    return isinstance(value, types.ModuleType) and not _is_library(value.__name__)


def _is_library(home: str) -> bool:
    return home.partition(".")[0] in LIBRARIES or is_of_python(home)


# --------------------------------------------------------------------------------- what names are


def _look_up(function: types.FunctionType, name: str) -> object:
    if name in function.__code__.co_freevars:
        assert function.__closure__ is not None
        return function.__closure__[function.__code__.co_freevars.index(name)].cell_contents
    if name in function.__globals__:
        return function.__globals__[name]
    if hasattr(builtins, name):
        return getattr(builtins, name)
    raise Unexportable(f"{function.__qualname__}() reads {name!r}, which is not defined")


def _import_of(module: types.ModuleType, name: str) -> Import:
    path = module.__name__
    if not _is_library(path):
        raise Unexportable(
            f"the module {path} can't be taken along as {name!r}: import from it what the function uses"
        )
    parent, _, last = path.rpartition(".")
    return Import(parent, last) if parent else Import(path)


def _public_place(value: object, bound: str) -> Import | None:
    """Where a library has an object: `from numpy.linalg import norm`."""
    name = getattr(value, "__name__", bound)
    path = getattr(value, "__module__", None)
    for module in (*_prefixes(path or ""), "numpy", "scipy.special", "builtins"):
        if _is_library(module) and "._" not in module:
            found = sys.modules.get(module)
            if found is not None and getattr(found, name, None) is value:
                return Import(module, name)
    return None


def _prefixes(path: str) -> Iterator[str]:
    parts = path.split(".")
    for k in range(1, len(parts) + 1):
        yield ".".join(parts[:k])


def _why_not(name: str, value: object, home: types.FunctionType) -> str:
    what = f"{home.__qualname__}() reads {name!r}"
    if isinstance(value, type):
        return (
            f"{what}, a class, which can't be written into a module of its own: use functions, and "
            "names of the module for what they read of it"
        )
    by_a_method = isinstance(getattr(type(value), "__call__", None), types.FunctionType)  # noqa: B004
    if callable(value) and not by_a_method:
        return f"{what}, which is no function written in Python: {type(value).__name__}"
    kind = type(value).__name__
    if isinstance(value, np.ndarray) and value.size > MOST_ELEMENTS:
        return f"{what}, an array of more than {MOST_ELEMENTS} elements: pass it as an argument"
    if isinstance(value, (list, dict, tuple)) and any(map(callable, _held(value))):
        return (
            f"{what}, a live object ({kind}) that holds functions or objects: call them by names of their own, "
            "one after the other"
        )
    if isinstance(value, (list, dict)):
        return (
            f"{what}, a live object ({kind}) that it hands on, or that holds others: pass it as an argument, "
            "or only read numbers, strings and tuples from it"
        )
    return (
        f"{what}, a live object ({kind}), whose state can't be written into a module: pass it as an "
        "argument, or make it a number, a string or a tuple of these"
    )


def _held(container: Any) -> Collection[Any]:
    held: Collection[Any] = container.values() if isinstance(container, dict) else container
    return held


# ------------------------------------------------------------------------- files of this package


@functools.cache
def _module_text(module: str) -> str:
    return inspect.getsource(importlib.import_module(module))


@functools.cache
def _module_tree(module: str) -> ast.Module:
    return ast.parse(_module_text(module))


def _statement_binding(module: str, name: str) -> ast.stmt | None:
    """The statement at the top of a module that gives a name its value; None for a builtin."""
    for node in _module_tree(module).body:
        match node:
            case ast.FunctionDef(name=bound) if bound == name:
                return node
            case ast.Assign(targets=[ast.Name(id=bound)]) if bound == name:
                return node
            case ast.AnnAssign(target=ast.Name(id=bound)) if bound == name:
                return node
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                if any((alias.asname or alias.name) == name for alias in aliases):
                    return node
    return None


def _lines_of(module: str, node: ast.stmt) -> str:
    assert node.end_lineno is not None
    lines = _module_text(module).splitlines()[node.lineno - 1 : node.end_lineno]
    return "\n".join(lines) + "\n"
