"""Calls: what is called, with which arguments, and who knows its result."""

from __future__ import annotations

import functools
import itertools
import types
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import gast
import numpy as np

from tangentish.asking.adapters import function_called
from tangentish.infer.calls_refused import why_not_followed
from tangentish.infer.changes import changes_what_it_gets
from tangentish.infer.classes_apart import ClassesApart, MethodOfEither
from tangentish.infer.copies import COPYING
from tangentish.infer.dict_methods import DICT_METHODS, DictMethod
from tangentish.infer.draws import MAKERS, generator_of, is_generator
from tangentish.infer.evaluated_in_turn import EvaluatedInTurn
from tangentish.infer.facts import Callee
from tangentish.infer.frozen import Frozen, FrozenMethod
from tangentish.infer.functions_given import Given, GivenFunctions
from tangentish.infer.functions_seen import FunctionsSeen
from tangentish.infer.held_objects import HeldMethod
from tangentish.infer.in_loops import owner_before, seek_name, seek_name_of_grown
from tangentish.infer.in_place_calls import handler_of
from tangentish.infer.instances import is_followed
from tangentish.infer.interpolants import is_of_coordinates, method_of_interpolant
from tangentish.infer.into_arguments import IntoArguments
from tangentish.infer.keyed_dicts import is_dict, is_keyed_dict
from tangentish.infer.keyed_methods import TAKING_OUT
from tangentish.infer.known_functions import (
    DICT_VIEWS,
    DictView,
    ListMethod,
    UnknownMethod,
    has_rule,
    is_user_code,
)
from tangentish.infer.known_names import CalledByName
from tangentish.infer.lists import LIST_MAKERS
from tangentish.infer.lists_of_calls import ListsOfCalls
from tangentish.infer.literals import text_of_kind
from tangentish.infer.made_anew import zeros_in
from tangentish.infer.method_values import MethodValues
from tangentish.infer.own_calls import OwnCalls
from tangentish.infer.questions import Questions
from tangentish.infer.remade import NamedMethod, Remade, is_of_named_tuple
from tangentish.infer.spreading import Spreading, has_stars
from tangentish.infer.taken import Derivatives, taken_outside
from tangentish.infer.texts import Texts
from tangentish.infer.vectorized import Vectorized
from tangentish.infer.written_arguments import with_out_by_name
from tangentish.infer.written_in_python import written_in_python
from tangentish.kinds import (
    NO_BUFFERS,
    NOTHING_YET,
    REFUSED,
    UNKNOWN,
    Fun,
    Kind,
    Known,
    Num,
    OneOf,
    Opaque,
    Seq,
    Taken,
    Tup,
    replace,
)
from tangentish.kinds.kinds_of_values import kind_of
from tangentish.kinds.probe import probe_kind
from tangentish.language.lifted import Routine
from tangentish.rules import METHODS, STARRED
from tangentish.rules.names import is_helper
from tangentish.runtime.lists import zeros

_SEARCHING = ("index", "count", "remove")


class Calls(
    GivenFunctions,
    Questions,
    Remade,
    Derivatives,
    ListsOfCalls,
    OwnCalls,
    Frozen,
    ClassesApart,
    MethodValues,
    Spreading,
    IntoArguments,
    Vectorized,
    CalledByName,
    FunctionsSeen,
    Texts,
    EvaluatedInTurn,
):
    """The part of the walk that follows calls."""

    def call(self, node: Any) -> Kind:
        if isinstance(node.func, Routine):
            return self.first_order_call(node)
        if not self.cached:
            self.facts.lowered.pop(node, None)  # on an earlier trip it may have been something else
        ufunc = self.ufunc_seen(node)
        if ufunc is not None:
            return self.ufunc_call(ufunc, node)
        function = self.user_function_seen(node)
        return self.any_call(node) if function is None else self.user_function_call(function, node)

    def any_call(self, node: Any) -> Kind:
        self.as_receiver(node.func)
        if has_stars(node):
            columns = self.columns(node)
            return self.spread_call(node) if columns is None else columns
        found = self.option(node)
        found = self.vectorized_call(node) if found is None else found
        found = self.next_of_iterator(node) if found is None else found
        if found is not None:
            return found
        args, keywords = list(node.args), {k.arg: k.value for k in node.keywords}
        function, receiver = self.called(node.func)
        self.items_by_method(function, args)
        self.list_items(function, receiver, node)
        self.seek_items_taken(function, node)
        found = self.method_of_held(function, receiver, args, keywords, node)
        found = self.sparse_method(node) if found is None else found
        if found is not None:
            return found
        if isinstance(function, (DictMethod, NamedMethod, FrozenMethod, MethodOfEither)):
            function, receiver = None, None
        args = self.with_receiver(function, receiver, args, node)
        self.hand_on_dicts(function, (*args, *keywords.values()))
        if function is len and len(args) == 1:
            self.as_dict(args[0])
        if function is len and len(args) == 1 and isinstance(args[0], gast.Name):
            self.shape_only(args[0])
        else:
            self.evaluate_in_turn(function, (*args, *keywords.values()), receiver)
        return self.call_of_known(function, args, keywords, node)

    def call_of_known(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        """A call of which it is known what is called, and the kinds of its arguments."""
        kinds = list(map(self.kind, args))
        if is_of_coordinates(function, kinds) and any(kind.active for kind in kinds):
            return self.at_coordinates(args, kinds[1], node)
        args = [self.taken_as_array(function, argument) for argument in args]
        args, keywords = self.with_arrays(function, args, keywords)
        taken = self.operator_value(function, args, keywords, node)
        if taken is not None:
            return taken
        return self.call_of(function, args, keywords, node)

    def method_of_held(
        self, function: Any, receiver: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """A method of what holds other values; None where it is any other call."""
        if isinstance(function, HeldMethod):
            return self.held_call(function, receiver, args, keywords, node)
        if isinstance(function, FrozenMethod):
            return self.frozen_call(function, receiver, args, keywords, node)
        if isinstance(function, MethodOfEither):
            return self.call_of_either(function, receiver, args, keywords, node)
        searches = isinstance(function, ListMethod) and function.name in _SEARCHING
        if searches and self.refuses_own_items([receiver, *args], node):
            return REFUSED
        return self.container_method(function, receiver, args, keywords, node)

    def container_method(
        self, function: Any, receiver: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """A method of a list or a dict, or what puts in order; None where it is any other call."""
        if isinstance(function, np.ufunc):
            return None
        keys = self.listed_keys(function, args, keywords, node)
        if keys is not None:
            return keys
        self.note_views(function, args)
        if function in (sorted, max, min) and args:
            return self.put_in_order(function, args, keywords, node)
        if getattr(function, "__module__", None) == "itertools":
            return self.one_by_one(function, args, keywords, node)
        if isinstance(function, ListMethod):
            return self.list_method(function, receiver, args, node, keywords)
        if isinstance(function, DictView) and not args and self.is_viewed(receiver, node):
            if is_keyed_dict(self.kind(receiver)):
                return self.keyed_view(function, receiver, node)
            return self.dict_view(function.name, receiver, node)
        if isinstance(function, DictMethod):
            return self.dict_method(function, receiver, args, keywords, node)
        if isinstance(function, NamedMethod) and not args:
            return self.named_method(function, receiver, keywords, node)
        return None

    def call_of(self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind:
        """A call of a function, as a value that is known in one way or another."""
        if isinstance(function, Given):
            return self.given_call(function, args, keywords, node)
        if isinstance(function, Taken):
            return self.taken_call(function, args, keywords, node)
        if isinstance(function, OneOf):
            varies = self.facts.varies(*args, *keywords.values())
            if varies:
                return self.choice_call(function, node)
            return self.call_at_rest(function, args, node)
        if isinstance(function, Fun):
            return self.function_call(function, args, keywords, node)
        return self.apply(function, args, keywords, node)

    def with_receiver(self, function: Any, receiver: Any, args: list[Any], node: Any) -> list[Any]:
        """The arguments of a method, its object first."""
        if receiver is None:
            return args
        if isinstance(function, types.FunctionType):
            return [receiver, *args]
        return self.method_arguments(node.func.attr, receiver, args)

    def property_value(self, getter: types.FunctionType, itself: Any, node: Any) -> Kind:
        self.expression(itself)
        if itself in self.facts.given_back:
            seek_name(self, itself, self.facts.given_back[itself])
        return self.user_call(getter, [itself], {}, node)

    def function_call(
        self, called: Fun, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        if called.function is None:
            if called.active or self.facts.varies(*args, *keywords.values()):
                if called.options:
                    return self.choice_call(called, node)
                self.refuse("it is not known which function is called here", node)
            return self.unknown_call(None, (*args, *keywords.values()), node)
        kind = self.user_call(called.function, args, keywords, node, called.cells)
        return self.as_list_here(kind, node)

    def called(self, func: Any) -> tuple[Any, Any]:
        """The function object, and the array whose method it is; None where it is unknown."""
        inherited = self.inherited_call(func)
        if inherited is not None:
            return inherited
        func = self.by_its_name(func)
        if isinstance(func, gast.Attribute):
            self.as_receiver(func)
            before = owner_before(self, func.value)
            base = self.expression(func.value)
            seek_name_of_grown(self, func.value, before, base)
            self.sparse_attribute(func, base)
            of_container = self.method_of_container(func, base)
            if of_container is not None:
                return of_container, func.value
            if func.attr in METHODS and (isinstance(base, Num) or base == NOTHING_YET):
                return METHODS[func.attr], func.value
            if isinstance(base, Num):
                return UnknownMethod(func.attr), func.value
            if is_of_named_tuple(base, func.attr):
                return NamedMethod(func.attr), func.value
            held = (
                self.held_method(base, func.attr)
                or self.frozen_method(base, func.attr)
                or self.method_of_either(base, func.attr)
            )
            if held is not None:
                return held, func.value
            method = self.method_of(base, func.attr)
            if method is not None:
                return method[0], func.value if method[1] else None
        return self.called_value(func)

    def method_of_container(
        self, func: Any, base: Kind
    ) -> DictView | ListMethod | DictMethod | None:
        if func.attr in DICT_VIEWS and is_dict(base):
            return DictView(func.attr)
        if isinstance(base, Seq) or (isinstance(base, Tup) and _is_list_to(base, func.attr)):
            return ListMethod(func.attr)
        if isinstance(base, Tup) and base.is_mapping and func.attr in DICT_METHODS:
            return self.method_of_dict(func.attr, base)
        copies = func.attr == "copy" and self.entries_outside(func.value) is not None
        return DictMethod("copy") if copies else None

    def method_of_dict(self, name: str, d: Tup) -> DictMethod:
        """A method of a dict whose keys are known: entries that go ask for one whose keys are computed."""
        if name in TAKING_OUT and d.active:
            self.start_keyed([d])
        return DictMethod(name)

    def called_value(self, func: Any) -> tuple[Any, Any]:
        """What is called where a value is: a function, or an object that can be called."""
        kind = self.refreshed(self.expression(func))
        if isinstance(kind, (Fun, Taken, OneOf)):
            return kind, None
        if isinstance(kind, Tup) and kind.is_function:
            return Given(kind, func), None
        taken = taken_outside(kind.value) if isinstance(kind, Known) else None
        if taken is not None:
            return taken, None
        held = self.held_method(kind, "__call__") or self.method_of_either(kind, "__call__")
        if held is not None:
            return held, func
        method = self.method_of(kind, "__call__")
        if method is not None:
            return method[0], func if method[1] else None
        interpolates = method_of_interpolant(kind)
        if interpolates is not None:
            return interpolates, func
        if kind.active:
            self.refuse("it is not known which function is called here", func)
        if isinstance(kind, Known) and isinstance(kind.value, Hashable):
            return kind.value, None
        return None, None

    def method_arguments(self, name: str, receiver: Any, args: list[Any]) -> list[Any]:
        if name in STARRED and len(args) > 1:
            packed = gast.Tuple(args, gast.Load())
            return [receiver, packed]
        if name in STARRED and len(args) == 1 and isinstance(self.expression(args[0]), Num):
            return [receiver, args[0]]
        return [receiver, *args]

    def apply(self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind:
        """The kind of a call whose arguments are known."""
        if isinstance(function, types.MethodType) and not has_rule(function):
            return self.bound_method(function, args, keywords, node)
        function = function_called(function)
        function = written_in_python(function, args, keywords, self.kind)
        args, keywords = with_out_by_name(function, args, keywords)
        self.facts.callees[node] = Callee(function, tuple(args), keywords)
        why = why_not_followed(function, node, self.source)
        if why is not None:
            viewed = self.attributes_viewed(function, args, node)
            if viewed is None:
                self.refuse(why, node)
            return viewed or UNKNOWN
        call = function, args, keywords, node
        made = _first_known((self.kept_otherwise, self.made_by), *call)
        if made is not None:
            return made
        if function in LIST_MAKERS and len(args) == 1 and not keywords:
            return self.made_list(function, args[0], node)
        asked = (
            self.along_own_axes(*call)
            if isinstance(function, np.ufunc)
            else (
                self.asked_of_object(function, args, node)
                or self.question(function, args)
                or self.in_another_form(*call)
            )
        )
        if asked is not None:
            return asked
        handler = handler_of(function, args, keywords)
        if handler is not None:
            return self.in_place_call(handler, *call)
        self.note_overwritten(*call)
        special = (
            self.call_by_own_rule, self.called_back, self.solution, self.held_object, self.distribution_made,
            self.array_of_objects,
        )  # fmt: skip
        own = _first_known(special, *call)
        if own is not None:
            return own
        if has_rule(function):
            self.note_ufunc(function, node)
            self.let_run(keywords.get("key"), node)
            return self.in_memory_of_overwritten(self.rule_call(*call), *call[:-1])
        return self.call_without_rule(*call)

    def call_without_rule(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        given = (*args, *keywords.values())
        changes = not self.cached and changes_what_it_gets(function, None)
        still = function is zeros or self.is_shown(function) or not self.facts.varies(*given)
        if is_helper(function) and (self.cached or (still and not changes)):
            return self.helped(function, args, node)
        kind = self.without_rule(function, args, keywords, node)
        return self.told_by_texts(function, self.told_by_entries(kind, args, node), given, node)

    def bound_method(
        self, method: types.MethodType, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        if self.is_making(method, args):
            return self.made_of_items(method, args[0], node)
        if is_generator(generator_of(method)):
            return self.unknown_call(method, (*args, *keywords.values()), node)
        owner = self.owner(method, node)
        return self.apply(method.__func__, [owner, *args], keywords, node)

    def helped(self, function: Any, args: list[Any], node: Any) -> Kind:
        """What a helper gives: zeros in the structure of a list, or numbers."""
        first = self.kind(args[0]) if args else UNKNOWN
        if function is zeros and (isinstance(first, Seq) or getattr(first, "is_counted", False)):
            self.kept.append(node)
            place = itertools.count()
            return zeros_in(first, lambda: self.fresh(node, next(place)), self.dynamic)
        kind = probe_kind(function, [self.argument(a) for a in args], {})
        return replace(kind, buffers=NO_BUFFERS) if isinstance(kind, Num) else Num(None, None, None)

    def made_by(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """What dict, functools.partial and functions of dataclasses make, of which it is known what it holds."""
        if isinstance(function, np.ufunc):
            return None
        if function is functools.partial and args:
            return self.partial(args, keywords, node)
        made = self.made_dict(args, keywords, node) if function is dict else None
        if function in COPYING and len(args) == 1:
            return self.copied_dict(function, args[0], node)
        made = self.made_keyed(self.facts.callees[node], node) if made is None else made
        if made is not None or function is dict:
            return made
        return self.of_dataclass(function, args, keywords, node)

    def without_rule(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        """A call of a function or a class of the user's, or of something unknown."""
        if isinstance(function, types.FunctionType) and is_user_code(function):
            self.told_by_method(function, args)
            self.note_user_function(function, args, node)
            return self.as_list_here(self.user_call(function, args, keywords, node), node)
        if is_followed(function) and isinstance(node, gast.Call):
            return self.construct(function, args, keywords, node)
        return self.unknown_call(function, (*args, *keywords.values()), node)

    def owner(self, method: types.MethodType, node: Any) -> Any:
        """The object that a method is bound to."""
        func = self.facts.answers.get(node.func, node.func)
        value = self.kind(func.value) if isinstance(func, gast.Attribute) else UNKNOWN
        if isinstance(value, Known) and value.value is method.__self__:
            return func.value
        made = self.made_once(
            (node, "owner"), lambda: gast.Attribute(func, "__self__", gast.Load()), node
        )
        self.facts.kinds[made] = kind_of(method.__self__)
        return made

    def question(self, function: Any, args: list[Any]) -> Kind | None:
        """What is asked of a value without reading its elements, and `range`."""
        if isinstance(function, Hashable) and function in MAKERS:
            return Opaque(MAKERS[function])
        if function is range:
            return Opaque(range)
        if function is slice:
            return Opaque(slice)
        if function is len and len(args) == 1:
            return self.length(self.kind(args[0]))
        text = text_of_kind(self.kind(args[0])) if function is str and len(args) == 1 else None
        if text is not None:
            return Known(text)
        return UNKNOWN if function is type else None


def _is_list_to(kind: Tup, method: str) -> bool:
    """Whether a method is that of a list: tuples are asked the same questions."""
    return kind.is_list or (kind.keys is None and method in ("index", "count"))


def _first_known(ways: Iterable[Callable[..., Kind | None]], *call: Any) -> Kind | None:
    """The kind of a call by the first of these that knows it."""
    return next((kind for way in ways if (kind := way(*call)) is not None), None)
