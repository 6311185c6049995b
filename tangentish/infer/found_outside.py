"""What the objects that stand outside of a function hold, the classes that they are of, and what of theirs may run."""

from __future__ import annotations

import collections
import dataclasses
import functools
import inspect
import operator
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from tangentish.infer.known_functions import is_of_library
from tangentish.kinds.kept_attributes import function_kept
from tangentish.kinds.kinds_of_values import attribute_of

Holding = Callable[[Any], Iterable[object]]
MOST_OBJECTS = 1000  # that are looked into for what they hold
OWNERS = (types.ModuleType, type)
PLAIN = (
    int, float, complex, str, bytes, bool, type(None), np.generic, types.FunctionType, types.BuiltinFunctionType,
    np.ufunc, type(np.sum), tuple, frozenset,
)  # fmt: skip
_NUMBERS = (int, float, complex, str, bytes, bool, type(None), np.generic)
_LISTED = (list, tuple, set, frozenset, collections.deque)
# Most of what a module has names for: none of it is asked further.
_WITHOUT_PARTS: set[type] = {
    types.FunctionType,
    types.BuiltinFunctionType,
    np.ufunc,
    type(np.sum),
    type,
}
# Special methods that run when an object or a class is made, not when one is used.
_MAKING = {
    "__init__", "__new__", "__post_init__", "__init_subclass__", "__class_getitem__", "__set_name__", "__prepare__",
    "__getnewargs__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__copy__", "__deepcopy__",
}  # fmt: skip


def held_by(value: object) -> Iterable[object]:
    """What a change of something in a value may change."""
    return holding(type(value))(value)


def holding(cls: type) -> Holding:
    """How it is found what a value of a class holds; who asks many values asks once for each class."""
    if issubclass(cls, np.ndarray):
        return lambda array: () if array.base is None else (array.base,)
    if issubclass(cls, Mapping):
        return _values
    if issubclass(cls, _LISTED):
        return lambda elements: elements
    if issubclass(cls, (*OWNERS, *PLAIN)):
        return lambda _: ()
    if issubclass(cls, memoryview):
        return lambda view: (view.obj,)
    if issubclass(cls, np.flatiter):
        return lambda flat: (flat.base,)
    members = [v for each in _own_classes(cls) for v in vars(each).values()]
    slots = [v for v in members if isinstance(v, types.MemberDescriptorType)]
    # the arrays and containers that an object has by its class
    shared = [v for v in members if isinstance(v, (np.ndarray, Mapping, *_LISTED))]
    return lambda value: (*_attributes(value), *_of_slots(value, slots), *shared)


def _values(mapping: Any) -> Iterable[object]:
    if mapping is sys.modules:
        return [m for m in [*mapping.values()] if not is_of_library(m)]
    return mapping.values()  # type: ignore[no-any-return]


def _attributes(value: object) -> Iterable[object]:
    """The attributes of an object; the user's `__getattr__` is not asked."""
    try:
        held: dict[str, object] = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return ()
    return held.values()


def _of_slots(value: object, slots: Iterable[Any]) -> Iterator[object]:
    for slot in slots:
        try:
            yield slot.__get__(value)
        except AttributeError:  # it has no value yet
            continue


def _own_classes(cls: type) -> Iterator[type]:
    return (each for each in cls.__mro__ if not is_of_library(each))


def all_held(
    objects: Iterable[object], held: Callable[[object], Iterable[object]] = held_by
) -> tuple[object, ...]:
    """These objects, and all that they hold."""
    found: dict[int, object] = {}
    stack = list(objects)
    while stack and len(found) < MOST_OBJECTS:
        value = stack.pop()
        if id(value) not in found and type(value) not in weakref.ProxyTypes:  # others hold those
            found[id(value)] = value
            stack.extend(held(value))  # a class may have an operator of its own
    return tuple(found.values())


# -- classes


def classes_named(function: types.FunctionType) -> tuple[type, ...]:
    """The classes of the user's that a function has names for, or for objects of theirs."""
    cells = [c.cell_contents for c in function.__closure__ or () if c != types.CellType()]
    named = (v for v in (*cells, *function.__globals__.values()) if not _is_number(v))
    inside = all_held(named, functools.partial(_named_in, functools.cache(holding)))
    classes = dict.fromkeys(map(class_of, inside))
    own = [c for c in classes if not is_of_library(c)]
    return tuple(dict.fromkeys(c for each in own for c in (each, *_below(each))))


def class_of(value: object) -> type:
    """A class itself, or that of an object, even one that passes for a class, as deferred imports do."""
    return value if issubclass(type(value), type) else type(value)  # type: ignore[return-value]


def _named_in(known: Callable[[type], Holding], value: object) -> Iterable[object]:
    if type(value) in _WITHOUT_PARTS:
        return ()
    if isinstance(value, types.ModuleType):
        return () if is_of_library(value) else [v for v in vars(value).values() if class_of(v) is v]
    held = () if isinstance(value, np.ndarray) else known(type(value))(value)
    return [v for v in held if not _is_number(v)]


def _is_number(value: object) -> bool:
    """Whether this is a number or a text; a weak reference, whose object may be gone, is asked for nothing."""
    return issubclass(type(value), _NUMBERS)


def _below(cls: type) -> Iterator[type]:
    found: list[type] = type.__subclasses__(cls)
    for below in found:
        yield below
        yield from _below(below)


# -- what runs


def methods_named(classes: Iterable[type], name: str) -> list[Any]:
    """The functions that `o.name` may call, where the class of o is one of these."""
    found: dict[tuple[int, int], Any] = {}
    for cls in classes:
        if not _has(cls, name):
            continue
        member = inspect.getattr_static(cls, name, None)
        for function in _functions_of(member, cls):
            bound = attribute_of(function, "__self__")
            found.setdefault(
                (id(attribute_of(function, "__func__", function)), id(bound)), function
            )
    return list(found.values())


def _has(cls: type, name: str) -> bool:
    """Whether a class has anything under a name, or its own class: most have not, which is told at once."""
    own: type = type(cls)
    return any(name in vars(each) for each in (*cls.__mro__, *own.__mro__))


def _functions_of(member: Any, cls: type) -> Iterator[Any]:
    match member:
        case types.FunctionType():
            yield member
        case staticmethod():
            yield member.__func__
        case classmethod():
            yield types.MethodType(member.__func__, cls)
        case property():
            yield from (f for f in (member.fget, member.fset, member.fdel) if f is not None)
        case _ if (kept := function_kept(member)) is not None:
            yield kept
        case _ if member is not None and not is_of_library(type(member)):
            yield from methods_named([type(member)], "__get__")
            yield from methods_named([type(member)], "__call__")
        case _ if hasattr(member, "__wrapped__") or isinstance(member, functools.partialmethod):
            yield getattr(member, "func", member)


def makers_of(cls: type) -> list[Any]:
    """What runs where an object of a class of the user's is made."""
    found = [
        f for name in ("__new__", "__init__", "__post_init__") for f in methods_named([cls], name)
    ]
    found += methods_named([type(cls)], "__call__")
    fields = getattr(cls, "__dataclass_fields__", {}).values()
    found += [f.default_factory for f in fields if f.default_factory is not dataclasses.MISSING]
    return [f for f in found if not is_generated(f, cls)]


def is_generated(function: Any, cls: type) -> bool:
    """Whether a method is one that dataclasses, or named tuples, have written: it changes nothing but its object."""
    code = attribute_of(function, "__code__")
    made = dataclasses.is_dataclass(cls) or issubclass(cls, tuple)
    return made and code is not None and code.co_filename == "<string>"


def stores_run(cls: type) -> bool:
    """Whether a store to an attribute of an object runs code of the user's: __setattr__, or the __set__ of a member."""
    store = inspect.getattr_static(cls, "__setattr__")
    plain = store is object.__setattr__ or store is BaseException.__setattr__
    if not plain and not is_generated(store, cls):
        return True
    members = (type(member) for each in _own_classes(cls) for member in vars(each).values())
    return any(hasattr(kind, "__set__") and not is_of_library(kind) for kind in members)


def special_methods(cls: type) -> list[tuple[str, Any]]:
    """What Python, or a library, may call of an object of the user's where nobody names it."""
    names = dict.fromkeys(n for each in _own_classes(cls) for n in vars(each))
    special = (n for n in names if n[:2] == n[-2:] == "__" and n not in _MAKING)
    found = ((n, f) for n in special for f in methods_named([cls], n))
    return [
        (n, f) for n, f in found if isinstance(f, types.FunctionType) and not is_generated(f, cls)
    ]


def called_by_wrapper(function: Any) -> Iterator[Any]:
    """The functions that one of a library calls: functools.cache(f), singledispatch(f), partial(f), methodcaller's."""
    if isinstance(function, types.FunctionType):
        cells = [c.cell_contents for c in function.__closure__ or () if c != types.CellType()]
        held = [*cells, *vars(function).values()]
        yield from (v for v in all_held(held, in_containers) if callable(v))
    elif hasattr(function, "__wrapped__"):
        yield function.__wrapped__
    elif isinstance(function, np.vectorize):
        yield function.pyfunc


def called_name(function: Any) -> str | None:
    """The name of the method that operator.methodcaller(name) calls."""
    return str(function.__reduce__()[1][0]) if isinstance(function, operator.methodcaller) else None


def in_containers(value: object) -> Iterable[object]:
    """What a list or a dict holds, functions above all."""
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, _LISTED) else ()
