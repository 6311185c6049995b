"""What is asked of an object that stands for its attributes: the answer is known, and takes the place of the question.

if isinstance(shape, Circle): ...     ->    if True: ...
hasattr(body, "charge")               ->    False
getattr(body, "charge", 0.0)          ->    0.0
any(isinstance(v, Circle) for v in x) ->    False
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.asked_of_arrays import AskedOfArrays
from tangentish.infer.objects import is_kept, name_of_class, property_of
from tangentish.infer.own_operators import has_own
from tangentish.infer.types_of_values import (
    is_callable,
    is_instance,
    is_iterable,
    is_path,
    is_scalar,
    types_of,
)
from tangentish.kinds import Kind, Known, Num, Seq, Tup, scalar
from tangentish.kinds.classes import member_of
from tangentish.runtime import is_mapping, is_sequence

_BY_KIND: dict[Any, Callable[[Kind], bool | None]] = {
    callable: is_callable,
    np.isscalar: is_scalar,
    np.iterable: is_iterable,
}
_OF_ALL = {any: False, all: True}
"""What is known of all items if it is known of each."""
_OF_ANYTHING = (isinstance, *_OF_ALL, *_BY_KIND, is_sequence, is_mapping)
_ASKING = (isinstance, issubclass, hasattr, callable, type, str, *_BY_KIND)
_ANSWERED = (len, abs, float, int, bool, round)
"""Functions of Python that ask a method of an object."""


class Questions(AskedOfArrays):
    """The part of the walk that answers questions about objects."""

    def asked_of_object(self, function: Any, args: Sequence[Any], node: Any) -> Kind | None:
        """The kind of the answer; None where it shows when the program runs."""
        kind = self.kind(args[0]) if args else None
        if function in _OF_ANYTHING and kind is not None:
            return self.asked_of_anything(function, kind, args, node)
        if function in (issubclass, np.issubdtype, np.dtype):
            return self.asked_for_sort(function, args, node)
        if function in (hasattr, getattr, type):
            self.facts.answers.pop(node, None)  # of an earlier trip
        if isinstance(kind, (Num, Seq)) or (isinstance(kind, Tup) and kind.type is None):
            return self.asked_of_number(function, kind, args, node)
        if not (isinstance(kind, Tup) and _has_class(kind)):
            return self.type_asked_for(function, args)
        if function is type and len(args) == 1:
            return self.class_asked_for(kind, node)
        if function in _ANSWERED and len(args) == 1:
            name = f"__{function.__name__}__"
            if not (kind.is_object or has_own(kind, name)):
                return None
            return self.stands_for(args[0], name, [], node)
        if function in (hasattr, getattr) and len(args) in (2, 3):
            return self.asked_for_attribute(function, kind, args, node)
        return None

    def asked_of_anything(
        self, function: Any, kind: Kind, args: Sequence[Any], node: Any
    ) -> Kind | None:
        """isinstance(o, Circle), callable(f), np.isscalar(x), and what `match` asks"""
        if function is isinstance:
            return self.asked_for_type(args, node) if len(args) == 2 else None
        if function in _OF_ALL:
            return self.asked_of_each(function, args[0], node)
        if function in _BY_KIND:
            known = is_path(args[0]) and not (self.device and function is not callable)
            return self.answered(_BY_KIND[function](kind) if known else None, node)
        return self.asked_for_mark(1 << (5 if function is is_sequence else 6), args[0], node)

    def asked_of_each(self, function: Any, asked: Any, node: Any) -> Kind | None:
        """any(isinstance(v, Circle) for v in x), where the answer is the same of each item"""
        answer = None
        match asked, self.kind(asked):
            case (
                gast.GeneratorExp(elt=elt, generators=[gast.comprehension(iter=items, ifs=[])]),
                Seq(item=Known(value=bool() as each)),
            ) if each is _OF_ALL[function] and is_path(items) and self.only_asks(elt):
                answer = each if is_iterable(self.kind(items)) else None
        return self.answered(answer, node)

    def only_asks(self, node: Any) -> bool:
        """Whether an expression does nothing but ask what a value is."""
        calls = (part for part in ir.walk(node) if isinstance(part, gast.Call))
        return not self.device and all(self.called(call.func)[0] in _ASKING for call in calls)

    def asked_for_attribute(
        self, function: Any, kind: Tup, args: Sequence[Any], node: Any
    ) -> Kind | None:
        """hasattr(o, "name"), getattr(o, "name", default)"""
        name = self.known_key(args[1])
        if not isinstance(name, str):
            self.write_out_for(args[1], is_called=True)
            return None
        if function is hasattr:
            there = has_attribute(kind, name) if is_path(args[0]) else None
            return self.answered(there, node)
        return self.attribute_asked_for(kind, name, args, node)

    def asked_for_type(self, args: Sequence[Any], node: Any) -> Kind:
        """isinstance(o, Circle)"""
        kind = self.kind(args[0])
        self.refuse_unsure(kind, args[0])
        answer = is_instance(kind, self.classes(args[1]))
        if self.device or not is_path(args[0]):
            answer = None
        return self.answered(answer, node) or scalar(bool)

    def asked_for_sort(self, function: Any, args: Sequence[Any], node: Any) -> Kind | None:
        """issubclass(type(x), dict), np.issubdtype(x.dtype, np.floating), np.dtype(float), of what is known"""
        if len(args) != (1 if function is np.dtype else 2):
            return None
        if function is np.dtype:
            dtype = self.dtype_of(args[0])
            return None if dtype is None else Known(dtype)
        if function is issubclass:
            return self.known_subclass(args, node)
        kinds = list(map(self.kind, args))
        values = [kind.value for kind in kinds if isinstance(kind, Known)]
        sorts = [v for v in values if isinstance(v, (np.dtype, type))]
        known = len(sorts) == 2 and all(map(is_path, args)) and not self.device
        return self.answered(bool(np.issubdtype(*sorts)) if known else None, node)

    def asked_for_mark(self, mark: int, asked: Any, node: Any) -> Kind | None:
        """Whether `match` takes a value for a sequence or a mapping, which Python marks types for."""
        kind = self.kind(asked)
        self.refuse_unsure(kind, asked)
        answers = {bool(cls.__flags__ & mark) for cls in types_of(kind)}
        return self.answered(answers.pop() if len(answers) == 1 else None, node)

    def class_asked_for(self, kind: Tup, node: Any) -> Kind | None:
        """`type(o)`, `o.__class__`: a name of the class, where it has one here."""
        assert kind.type is not None
        name = name_of_class(kind.type, self.source)
        if name is None:
            if kind.has_field_names:
                self.refuse(
                    "named tuples are plain ones in the text: their class has no name here", node
                )
            return None
        self.facts.answers[node] = self.made_once((node, name), lambda: ir.name(name), node)
        return self.expression(self.facts.answers[node])

    def attribute_asked_for(
        self, kind: Tup, name: str, args: Sequence[Any], node: Any
    ) -> Kind | None:
        """getattr(o, "name", default)"""
        there, owner, found = has_attribute(kind, name), args[0], args[-1]
        if there is None and len(args) == 2:
            there = property_of(kind, name) is not None
        if there is None or not (there or len(args) == 3):
            return None
        if there:
            found = self.made_once(
                (node, name), lambda: gast.Attribute(owner, name, gast.Load()), node
            )
        self.facts.answers[node] = found
        return self.expression(found)


def _has_class(kind: Tup) -> bool:
    return (kind.is_object or kind.has_field_names) and kind.active


def has_attribute(kind: Tup, name: str) -> bool | None:
    """Whether an object has an attribute; None where its class has a say in that."""
    assert kind.type is not None
    if kind.position(name) is not None:
        return True
    if member_of(kind.type, "__getattr__") is not None:
        return None
    nothing = object()
    member = member_of(kind.type, name, nothing)
    if member is nothing or isinstance(member, types.MemberDescriptorType):
        return False  # a slot that is not set is no attribute
    return None if isinstance(member, property) or is_kept(member) else True
