"""What is asked of an array or a number that is known by its type: whether it is what others may give instead.

hasattr(x, "index")               ->    False
getattr(x, "values", x)           ->    x
type(x) is np.ndarray             ->    True
isinstance(x, type(np.zeros(2)))  ->    True
issubclass(type(x), dict)         ->    False
"sympy" in str(type(x))           ->    False
x.__array_namespace__()           ->    np
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import gast
import numpy as np

from tangentish.infer.array_namespaces import told_of_arrays
from tangentish.infer.lists import Lists
from tangentish.infer.literals import kind_of_literal, literal_of
from tangentish.infer.types_of_values import is_path, is_subclass, types_of
from tangentish.kinds import Kind, Known, Num, Seq, Tup, TypeOf, is_number, may_be_none
from tangentish.kinds.classes import member_of
from tangentish.kinds.kinds_of_values import kind_of
from tangentish.rules.rule import ABSENT


class AskedOfArrays(Lists):
    """The part of the walk that answers questions about arrays and numbers."""

    def asked_of_number(
        self, function: Any, kind: Num | Seq | Tup, args: Sequence[Any], node: Any
    ) -> Kind | None:
        """hasattr(x, "index"), getattr(x, "values", x): as of DataFrames, where it is an array or a list."""
        if function is type:
            return self.type_asked_for(function, args)
        told = self.told_by_type(function, args, node)
        if told is not None:
            return told
        asked = function in (hasattr, getattr) and len(args) > 1
        name = self.known_key(args[1]) if asked else None
        if not isinstance(name, str) or self.device or not is_path(args[0]):
            return None
        there = has_attribute(kind, name)
        if there is None and len(args) == 3 and _is_of_numbers(kind, name, args[2]):
            there = False
        if there is None:
            return None
        if function is hasattr:
            return self.answered(there, node)
        if not there and len(args) != 3:
            return None
        found = args[-1]
        if there:
            found = self.made_once(
                (node, name), lambda: gast.Attribute(args[0], name, gast.Load()), node
            )
        self.facts.answers[node] = found
        return self.expression(found)

    def told_by_type(self, function: Any, args: Sequence[Any], node: Any) -> Kind | None:
        """x.__array_namespace__(), is_numpy_array(x)"""
        if self.device or getattr(node, "keywords", None):
            return None
        told = told_of_arrays(function, list(map(self.kind, args)))
        if not isinstance(told, bool):
            return None if told is ABSENT else kind_of(told)
        return self.answered(told if all(map(is_path, args)) else None, node)

    def raises_in_try(self, node: Any, attribute: Any) -> bool:
        """Whether a line of a `try` raises an AttributeError for sure, of an array, a number or a list."""
        self.facts.raising.pop(node, None)  # of an earlier trip
        own = self.types_for_sure(attribute.value)
        if (
            self.device
            or not own
            or not self.is_in_try()
            or _have_attribute(own, attribute.attr) is not False
        ):
            return False
        name = "numpy.ndarray" if own[0] is np.ndarray else own[0].__name__
        text = f"'{name}' object has no attribute '{attribute.attr}'"
        return self.raises_here(node, "AttributeError", text) is not None

    def type_asked_for(self, function: Any, args: Sequence[Any]) -> Kind | None:
        """`type(x)`, of arrays, numbers and lists: what a name of it is compared with later."""
        if function is not type or len(args) != 1:
            return None
        exact, kind = self.types_for_sure(args[0]), self.kind(args[0])
        own = exact or (() if may_be_none(kind) else types_of(kind))
        return TypeOf(type, types=own, exact=bool(exact)) if own and not self.device else None

    def types_for_sure(self, node: Any) -> tuple[type, ...]:
        return (tuple,) if isinstance(node, gast.Tuple) else _types_for_sure(self.kind(node))

    def known_type(self, node: Any) -> bool | None:
        """type(x) is np.ndarray, type(x) in (list, np.ndarray): of arrays, numbers and lists"""
        match node:
            case gast.Compare(left=asked, ops=[op], comparators=[other]):
                told, classes = self.type_told(asked), self.classes(other)
            case _:
                return None
        one = isinstance(op, (gast.Is, gast.IsNot, gast.Eq, gast.NotEq))
        if classes is None or told is None or one is isinstance(self.kind(other), Tup):
            return None
        if any(type(cls).__eq__ is not type.__eq__ for cls in classes) or _is_between(
            told, classes, True
        ):
            return None
        answers = {cls in classes for cls in told.types}
        negative = isinstance(op, (gast.IsNot, gast.NotEq, gast.NotIn))
        return answers.pop() is not negative if len(answers) == 1 else None

    def known_text(self, node: Any) -> bool | None:
        """type(x).__name__ == "Symbol", "sympy" in str(type(x)): of arrays, numbers and lists"""
        match node:
            case gast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OF_TEXTS:
                asked = _OF_TEXTS[type(op)]
                told, others = self.texts_told(left), self.texts_told(right)
                answers = {asked(text, other) for text in told for other in others}
                return answers.pop() if len(answers) == 1 else None
        return None

    def texts_told(self, node: Any) -> tuple[str, ...]:
        """The texts that a literal, or the name of a type, may be; none where that is not known."""
        match node, self.kind(node):
            case _, Known(value=str() as text):
                return (text,)
            case gast.Call(func=func, args=[asked], keywords=[]), _ if self.called(func)[0] is str:
                written: Callable[[type], str] = str
            case gast.Attribute(value=asked, attr="__name__" | "__module__" as name), _:
                written = attrgetter(name)
            case _:
                return ()
        told = self.type_told(asked)
        plain = told is not None and told.exact and all(type(cls) is type for cls in told.types)
        return tuple(map(written, told.types)) if told is not None and plain else ()

    def known_subclass(self, args: Sequence[Any], node: Any) -> Kind | None:
        """issubclass(type(x), dict)"""
        told, classes = self.type_told(args[0]), self.classes(args[1])
        if told is None or classes is None or _is_between(told, classes):
            return self.answered(None, node)
        return self.answered(is_subclass(told.types, classes), node)

    def type_told(self, node: Any) -> TypeOf | None:
        """What `type(x)`, a name of it, or a class is; None where that is not known, or more is evaluated."""
        asked = node.args[0] if isinstance(node, gast.Call) and node.args else node
        parts = asked.elts if isinstance(asked, (gast.List, gast.Tuple)) else [asked]
        match self.kind(node):
            case TypeOf() as told if all(map(is_path, parts)):
                return told
            case Known(value=type() as cls) if all(map(is_path, parts)):
                return TypeOf(type, types=(cls,))
        return None

    def classes(self, node: Any) -> tuple[type, ...] | None:
        """The classes that `Circle`, `(Circle, Square)` or `type(np.array([]))` is."""
        match node:
            case gast.Call(func=func, args=[gast.Call(func=maker) as made], keywords=[]):
                if self.called(func)[0] is type and self.called(maker)[0] in (np.array, np.zeros):
                    return types_of(self.kind(made)) or None
        kind = self.kind(node)
        parts = kind.items if isinstance(kind, Tup) else (kind,)
        found = [part.value for part in parts if isinstance(part, Known)]
        if len(found) < len(parts) or not all(isinstance(value, type) for value in found):
            return None
        return tuple(value for value in found if isinstance(value, type))

    def answered(self, answer: bool | None, node: Any) -> Kind | None:
        self.facts.answers.pop(node, None)
        if answer is None:
            return None
        made = self.made_once((node, answer), lambda: gast.Constant(answer, None), node)
        self.facts.answers[node] = made
        return kind_of_literal(answer)


_OF_TEXTS: dict[type, Callable[[str, str], bool]] = {
    gast.Eq: operator.eq,
    gast.NotEq: operator.ne,
    gast.In: lambda part, whole: part in whole,
    gast.NotIn: lambda part, whole: part not in whole,
}
_GIVEN = ("argument", "display")


def _types_for_sure(kind: Kind) -> tuple[type, ...]:
    """The types that a value may be of itself: what a function gives as a tuple may be of a special case of these."""
    match kind:
        case Num() | Known() | Seq(is_tuple=False) | Tup(type=None, is_list=True, optional=False):
            return types_of(kind)
        case Tup(type=None, keys=None, optional=False, sites=sites):
            given = all(isinstance(site, tuple) and site[0] in _GIVEN for site in sites)
            return (tuple,) if sites and given else ()
    return ()


def _is_between(told: TypeOf, classes: Sequence[type], themselves: bool = False) -> bool:
    """Whether one of the classes is derived of the types, where the type asked for may be, too."""
    if told.exact:
        return False
    return any(
        issubclass(cls, told.types) and (themselves or cls not in told.types) for cls in classes
    )


def has_attribute(kind: Num | Seq | Tup, name: str) -> bool | None:
    """Whether an array, a number or a list has an attribute; None where it may be or not be."""
    return _have_attribute(_types_for_sure(kind), name)


def _have_attribute(classes: Sequence[type], name: str) -> bool | None:
    nothing = object()
    there = {member_of(cls, name, nothing) is not nothing for cls in classes}
    return there.pop() if len(there) == 1 else None


def _is_of_numbers(kind: Kind, name: str, default: Any) -> bool:
    """Whether a default is what numbers of NumPy have under a name: getattr(x, "ndim", 0)"""
    if not (is_number(kind) and name in ("ndim", "shape", "size")):
        return False
    given = literal_of(default)
    return type(given) in (int, tuple) and given == getattr(np.float64(0), name)
