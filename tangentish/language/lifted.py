"""Functions as they are called in generated code: every captured variable and every element is a parameter.

newton(residual, x0), where residual reads a       ->       newton_forward(x0, a)
total(x, *parts), called with a tuple (y, z)       ->       total_forward(x, y, z)
"""

from __future__ import annotations

import types
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish.kinds import Cell, Fun, FunctionValue, Kind, Seq, Taken, Tup, replace


@dataclass(frozen=True, slots=True)
class Lifted:
    """A function, and the values of it that hold what a call gives.

    leaves: what every single argument goes into.
    given: how many of them a call gives; the others have their defaults.
    displays: values that are containers of others, their elements before themselves.
    functions: leaves that are functions, and where they find what they capture.
    shown: the values of the parameters, where the text keeps the user's signature.
    hands_back: elements of the containers it was given that it stores to, returned after its own results.
    gives_itself: its own result is one of these containers, which its caller has: it is not returned.
    gives_apart: the dicts and objects that it makes are given by their elements: its caller stores to them.
    gives_keyed: the attributes that get dicts of numbers under keys that its caller computes.
    unset: leaves for variables that it captures, which may have no value when it is called.
    """

    function: types.FunctionType
    leaves: tuple[str, ...]
    given: int
    displays: tuple[tuple[str, tuple[str, ...], Tup], ...] = ()
    functions: tuple[tuple[str, Fun | Taken], ...] = ()
    shown: tuple[str, ...] | None = None
    hands_back: tuple[str, ...] = ()
    gives_itself: bool = False
    gives_apart: bool = False
    gives_keyed: tuple[Hashable, ...] = ()
    unset: tuple[str, ...] = ()

    @property
    def stands_for_objects(self) -> bool:
        """Whether it works on values that no object holds, so that it can't be called as the user wrote it."""
        virtual = any(form.virtual for _, _, form in self.displays)
        return bool(self.hands_back) or self.gives_itself or self.gives_apart or virtual

    @property
    def __name__(self) -> str:
        """What the function is called; what makes an object by the name of its class, an operator as in `add`."""
        own = self.function.__name__
        if own == "__init__":
            return self.function.__qualname__.split(".")[-2]
        return own.strip("_") if own.startswith("__") and own.endswith("__") else own

    @property
    def objects(self) -> tuple[str, ...]:
        """The values that are objects, whose attributes are given one by one."""
        return tuple(value for value, _, form in self.displays if form.is_object)

    def called_with(self, other: Lifted) -> Lifted:
        """The same function where a call gives what goes into the leaves of another form of it."""
        return replace(
            other, hands_back=self.hands_back, gives_itself=self.gives_itself, gives_apart=self.gives_apart,
            gives_keyed=self.gives_keyed,
        )  # fmt: skip

    def kinds(self, leaves: Sequence[Kind]) -> dict[str, Kind]:
        """Every value that has a kind on entry."""
        kinds = dict(zip(self.leaves, leaves, strict=True))
        for value, elements, form in self.displays:
            parts = tuple(kinds[e] for e in elements)
            kinds[value] = replace(form, items=parts, sites=frozenset({("display", value)}))
        return kinds


def as_written(function: types.FunctionType | Lifted) -> types.FunctionType:
    """The function of the user's, however it is called in generated code."""
    return function.function if isinstance(function, Lifted) else function


class Routine(gast.expr):  # type: ignore[misc]
    """What is called where a call gives all that a function reads."""

    _fields = ("id", "lifted")

    id: str
    lifted: Lifted


class Instance(gast.expr):  # type: ignore[misc]
    """An object by its attributes: `cls` is an expression for what stands for it, `of` its class."""

    _fields = ("keys", "values", "cls", "of")

    keys: list[Any]
    values: list[Any]
    cls: Any
    of: type


def itself_only(name: Any) -> Any:
    """The name of an object where it only stands for the class: its attributes have values of their own."""
    new = gast.copy_location(gast.Name(name.id, gast.Load(), None, None), name)
    new.stands_for_class = True
    return new


def stands_for_class(name: Any) -> bool:
    return "stands_for_class" in name.__dict__


def made_whole(path: str, values: list[Any], at: Any) -> Any:
    """The call of a class, `geometry.Point`, that makes a named tuple which is not taken apart again."""
    call = gast.copy_location(gast.Call(class_at(path, at), values, []), at)
    call.stands_whole = True
    return call


def class_at(path: str, at: Any) -> Any:
    """A class by the path to it."""
    first, *attributes = path.split(".")
    found = gast.copy_location(gast.Name(first, gast.Load(), None, None), at)
    for attribute in attributes:
        found = gast.copy_location(gast.Attribute(found, attribute, gast.Load()), at)
    return found


def stands_whole(call: Any) -> bool:
    return "stands_whole" in call.__dict__


def makes_function(node: Any) -> bool:
    """Whether an expression gives a function by what it holds."""
    return isinstance(node, Instance) and issubclass(node.of, FunctionValue)


class Flat(gast.Tuple):  # type: ignore[misc]
    """Targets for all elements of what a call gives, and of the containers in it."""


def has_own_form(call: Any, target: Any) -> bool:
    """Whether only the generated function takes what a call gives, or gives what its targets take."""
    return isinstance(call.func, Routine) or isinstance(target, Flat)


def element_name(name: str, k: int, kind: Tup) -> str:
    """The value that holds an element of a container; no name of the user's is like it.

    Its end tells `wing.tip_x` from `wing_tip.x`: their names are the same.
    """
    stem, _, version = name.rpartition(".")
    key = k if kind.keys is None else kind.keys[k]
    if kind.type is Cell:
        return f"{key}.@{name.replace('.', '@')}"
    named = isinstance(key, str) and f"a{key}".isidentifier()
    inner = "_" * str(key).count("_") if named else ""
    return f"{stem}_{key if named else k}.{version}@{k}{inner}"


def is_element(name: str) -> bool:
    """Whether a value is the element of a container that was taken apart."""
    return "@" in name


def owner_of(element: str) -> str:
    """The value of the container that an element was taken out of."""
    name, _, version = element.rpartition(".")
    version, _, place = version.rpartition("@")
    return f"{name.rsplit('_', 1 + place.count('_'))[0]}.{version}"


def item_name(name: str) -> str:
    """What stands for every element of a list."""
    return f"{name}[]"


def leaf_names(name: str, kind: Kind) -> list[str]:
    """The values that a value is taken apart into."""
    if not (isinstance(kind, Tup) and kind.active):
        return [name]
    names = [
        leaf
        for k, item in enumerate(kind.items)
        for leaf in leaf_names(element_name(name, k, kind), item)
    ]
    return [*names, name] if kind.is_object else names


def result_names(name: str, kind: Kind) -> list[str]:
    """The values that a call gives besides what it stores to: its results come one by one, whatever they carry."""
    if not isinstance(kind, Tup) or kind.active:
        return leaf_names(name, kind)
    parts = enumerate(kind.items)
    return [leaf for k, item in parts for leaf in leaf_names(element_name(name, k, kind), item)]


def value_inside(value: str, kind: Kind, wanted: str) -> Kind | None:
    """The part of a value that would be the value `wanted`."""
    if value == wanted:
        return kind
    if isinstance(kind, Seq) and kind.item is not None:
        return value_inside(item_name(value), kind.item, wanted)
    if not isinstance(kind, Tup):
        return None
    parts = (
        value_inside(element_name(value, k, kind), item, wanted)
        for k, item in enumerate(kind.items)
    )
    return next((part for part in parts if part is not None), None)


def part_named(value: str, kind: Kind, wanted: str) -> Tup | None:
    """The container among the parts of a value that would be the value `wanted`."""
    found = value_inside(value, kind, wanted)
    return found if isinstance(found, Tup) else None


def part_of_any(value: str, kinds: Mapping[str, Kind]) -> bool:
    """Whether a value is one of these, or stands in one of them."""
    return any(value_inside(name, kind, value) is not None for name, kind in kinds.items())


def element_path(path: Any, k: int, kind: Tup) -> Any:
    """What the user writes for an element."""
    if kind.keys is None or kind.is_mapping:
        key = k if kind.keys is None else kind.keys[k]
        return gast.Subscript(path, gast.Constant(key, None), gast.Load())
    return gast.Attribute(path, str(kind.keys[k]), gast.Load())


def entry_name(name: str, key: str) -> str:
    """The value that holds what a dict of known keys has under one of them."""
    return f"{key}.@{name.replace('.', '@')}"


def routine(lifted: Lifted, at: Any) -> Any:
    return gast.copy_location(Routine(lifted.__name__.strip("<>"), lifted), at)
