"""What a call may change that it is not given: what a function of the user's reads from globals and captured variables.

    def count():                 ->      count may change the array T, and the attributes of the module config
        T[0] += 1
        config.calls = T[0]

Only the text tells (infer/reach_of_text.py), of the function and of all that may run when it is called: methods,
constructors, functions that a list, a partial or a cache holds.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import NotDifferentiable
from tangentish.infer.changes import changes_what_it_gets
from tangentish.infer.classes_made import hooks_of_classes_made
from tangentish.infer.found_outside import (
    called_by_wrapper,
    called_name,
    classes_named,
    makers_of,
    methods_named,
    special_methods,
    stores_run,
)
from tangentish.infer.known_functions import is_of_library, is_user_code
from tangentish.infer.reach import Reach
from tangentish.infer.reach_of_text import Text
from tangentish.infer.reaches_found import ReachesFound
from tangentish.kinds.classes import LIBRARIES
from tangentish.kinds.kinds_of_values import attribute_of
from tangentish.kinds.sites import is_global
from tangentish.language.binding import parameter_names
from tangentish.language.source import Source, read_source
from tangentish.rules.names import is_helper

_INSTALLED = {"site-packages", "dist-packages"}
_NOTHING = Reach()
Classes = Callable[[], Iterable[type]]


@dataclass
class Seen:
    """The functions that were looked at, and the classes whose methods may be called besides those that they name."""

    around: Classes = tuple
    reaches: ReachesFound = field(default_factory=ReachesFound)
    named: dict[Hashable, tuple[type, ...]] = field(default_factory=dict)
    by_name: dict[Hashable, list[Any]] = field(default_factory=dict)
    others: dict[Hashable, Seen] = field(default_factory=dict)
    wrappers: dict[int, object] = field(default_factory=dict)  # kept, for they are told by their id
    texts: dict[Hashable, Text] = field(default_factory=dict)  # of the functions that were read

    def reach(self, function: Any) -> Reach:
        return reach_of(function, self)

    @functools.cached_property
    def classes_around(self) -> tuple[type, ...]:
        return tuple(self.around())

    def given(self, classes: Iterable[type], function: types.FunctionType) -> Seen:
        """What is found where a function has names for objects, and a call gets some of these classes."""
        key = tuple(dict.fromkeys(classes)), _space(function)
        if key not in self.others:
            self.others[key] = Seen(lambda: (*key[0], *self.classes(function)))
        return self.others[key]

    def classes(self, function: types.FunctionType) -> tuple[type, ...]:
        space = _space(function)
        if space not in self.named:
            found = (*self.classes_around, *classes_named(function))
            self.named[space] = tuple(dict.fromkeys(found))
        return self.named[space]

    def methods(self, function: types.FunctionType, name: str) -> list[Any]:
        """What `o.name` may call where nothing is known of o but that these classes are there."""
        key = _space(function), name
        if key not in self.by_name:
            own = (c for c in self.classes(function) if not is_of_library(c))
            self.by_name[key] = methods_named(own, name)
        return self.by_name[key]

    def special(self, cls: type) -> Reach:
        """What the methods of a class change outside that Python, or a library, calls."""
        if is_of_library(cls):
            return _NOTHING

        def find() -> Reach:
            found = (self.reach(method).outside for _, method in special_methods(cls))
            return functools.reduce(Reach.__or__, found, _NOTHING)

        return self.reaches.of(("special", cls), _NOTHING, find)


def _space(function: types.FunctionType) -> Hashable:
    """What tells which names a function has."""
    return function if function.__closure__ else id(function.__globals__)


def reach_of(function: Any, seen: Seen | None = None) -> Reach:
    """What a call of this may change that it is not given; `seen` of functions that were looked at."""
    seen = Seen() if seen is None else seen
    if isinstance(function, types.FunctionType) and function in seen.reaches.known:
        return seen.reaches.known[function]
    match function:
        case functools.partial():
            own = reach_of(function.func, seen)
            held = (*function.args, *function.keywords.values())
            for each in filter(_is_function, held):
                own |= reach_of(each, seen).outside
            return replace(own, objects=(*own.objects, *held)) if own.given else own
        case types.MethodType():
            own = reach_of(function.__func__, seen)
            return replace(own, objects=(*own.objects, function.__self__)) if own.given else own
        case types.FunctionType() if _is_of_the_user(function):
            return _of_function(function, seen)
        case type():
            return _NOTHING if is_of_library(function) else _of_maker(function, seen)
    if function is None or is_of_library(type(function)):
        return _of_wrapper(function, seen) | _of_bound(function)
    return _of_all(methods_named([type(function)], "__call__"), function, seen)


def only_makes(cls: type, seen: Seen) -> bool:
    """Whether making an object of a class changes nothing but this object, as the text tells of all that runs."""
    plain = all(isinstance(f, types.FunctionType) for f in makers_of(cls))
    if is_of_library(cls) or stores_run(cls) or not plain:
        return False
    reaches = [(seen.reach(f), frozenset(parameter_names(f)[:1])) for f in makers_of(cls)]
    return all(
        not (r.given - itself or r.objects or r.places or r.anything) for r, itself in reaches
    )


def _is_function(value: object) -> bool:
    return callable(value) and not is_of_library(value)


def _of_bound(function: Any) -> Reach:
    """A method of a list, or of an array, that changes it."""
    owner = attribute_of(function, "__self__")
    changing = not isinstance(owner, (types.ModuleType, type(None)))
    return Reach(objects=(owner,)) if changing and changes_what_it_gets(function, None) else Reach()


def _of_maker(cls: type, seen: Seen) -> Reach:
    """What a class of the user's runs to make an object, which nobody else has."""
    found = [seen.reach(f) for f in makers_of(cls)]
    return functools.reduce(Reach.__or__, found, _NOTHING)


def _of_all(methods: Iterable[Any], itself: object, seen: Seen) -> Reach:
    found = functools.reduce(Reach.__or__, map(seen.reach, methods), _NOTHING)
    return replace(found, objects=(*found.objects, itself)) if found.given else found


def _of_wrapper(function: Any, seen: Seen) -> Reach:
    """What a function of a library calls that it holds."""

    def find() -> Reach:
        held = [*called_by_wrapper(function)]
        name = called_name(function)
        held += [] if name is None else methods_named(seen.classes_around, name)
        return functools.reduce(Reach.__or__, map(seen.reach, held), _NOTHING)

    seen.wrappers[id(function)] = function
    return seen.reaches.of(id(function), _NOTHING, find)


def _is_of_the_user(function: types.FunctionType) -> bool:
    """Whether a function is not one of a library: of one that is known, wherever that stands, or that is installed."""
    home = str(function.__globals__.get("__name__")).partition(".")[0]  # not of what it wraps
    path = PurePath(function.__code__.co_filename)
    own = home not in LIBRARIES and is_user_code(function)
    return own and not _INSTALLED.intersection(path.parts)


def _meanwhile(function: types.FunctionType) -> Reach:
    """What counts for a function while it is looked at, should it call itself."""
    return Reach(frozenset(parameter_names(function)))


def _of_function(function: types.FunctionType, seen: Seen) -> Reach:
    return seen.reaches.of(function, _meanwhile(function), lambda: _by_text(function, seen))


def _by_text(function: types.FunctionType, seen: Seen) -> Reach:
    try:
        source = read_source(function)
    except NotDifferentiable:
        return _without_text(function)
    return _of_text(source, seen)


def _of_text(source: Source, seen: Seen) -> Reach:
    text = seen.texts[source.function] = Text(source, seen)
    found = text.reach()
    for hook in hooks_of_classes_made(source):
        found |= seen.reach(hook).outside
    # helpers change what they are given, and nothing of the modules that some look into
    return Reach(found.given) if is_helper(source.function) else found


def _without_text(function: types.FunctionType) -> Reach:
    """A function whose text is not found may change whatever it has a name for."""
    code, space = function.__code__, function.__globals__
    held = [space[name] for name in code.co_names if name in space]
    held += [cell.cell_contents for cell in function.__closure__ or () if cell != types.CellType()]
    bound = (i.argval for i in dis.get_instructions(code) if i.opname == "STORE_GLOBAL")
    objects = (v for v in held if not is_of_library(v))
    return Reach(
        frozenset(parameter_names(function)),
        tuple(objects),
        frozenset((id(space), name) for name in bound),
    )


# -- what is called in the function at hand


def set_unseen(source: Source, seen: Seen) -> frozenset[Hashable]:
    """What a function changes outside where no line shows it.

    That are names of modules, attributes of modules and of classes, and what special methods change. Variables of
    functions, and arrays that it, or what it calls, writes to are followed line by line.
    """
    function, sites = source.function, frozenset[Hashable]()
    text = Text(source, seen)
    if not _is_of_the_user(function):
        text.read()
    else:
        seen.reaches.of(function, _meanwhile(function), lambda: _of_text(source, seen))
        if function in seen.reaches.alone and function in seen.texts:
            text = seen.texts[function]
        else:  # now all that call each other with it are known
            text.reach()
        sites = text.result().sites
    named = {site for site in sites if not (is_global(site) or isinstance(site, int))}
    return text.special().sites | named


def reach_of_unknown(source: Source, func: Any, seen: Seen) -> Reach:
    """What a call may change of which it is only known how it is written: `f()` of a loop over functions, `o.m()`."""
    text = Text(source, seen)
    owner = func.value if isinstance(func, gast.Attribute) else func
    known = not any(isinstance(part, gast.Call) for part in ir.walk(owner))
    text.may_run(
        map(ir.base_name, ir.names_in(owner) if known else ()), getattr(func, "attr", None)
    )
    return text.result().outside


def held_by_name(source: Source, name: str, seen: Seen) -> Reach:
    """What stands outside that a variable may hold, or lie in."""
    return Text(source, seen).held_outside([ir.base_name(name)])
