"""Objects that the function makes itself: what a call of a class gives, by the names of its attributes."""

from __future__ import annotations

import builtins
import copy
import dataclasses
import inspect
import types
from collections.abc import Mapping, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import NotDifferentiable
from tangentish.infer.changes import memory_held
from tangentish.infer.constants_apart import are_apart
from tangentish.infer.entries import Entries, with_entry
from tangentish.infer.facts import BoundEntry, Handed, ListNeeded
from tangentish.infer.in_loops import seek_loop
from tangentish.infer.known_functions import is_user_code
from tangentish.infer.objects import has_own_setattr, name_of_class, path_of_class
from tangentish.infer.own_operators import ITSELF
from tangentish.infer.stored_as_given import (
    LITERALS,
    Stored,
    expression_of,
    is_expression,
    stored_as_given,
)
from tangentish.ir.quote import constant
from tangentish.kinds import REFUSED, Kind, Seq, Tup, closed_object, replace
from tangentish.kinds.classes import has_plain_attributes
from tangentish.kinds.named_tuples import is_named_tuple
from tangentish.kinds.own_answers import own_way_to_items
from tangentish.language.binding import parameter_names
from tangentish.language.lifted import Instance, stands_whole
from tangentish.language.placed import all_at

_NO_TUPLE = "make it a dataclass, or call a method of another name"


class Instances(Entries):
    """The part of the walk that knows calls of classes."""

    def instance(self, node: Any) -> Tup:
        """The kind of an object that is given by its attributes."""
        items = tuple(map(self.expression, node.values))
        if isinstance(node.cls, (gast.Attribute, gast.Subscript)):  # of a copy of what stands there
            self.expression(node.cls)
        keys = tuple(key.value for key in node.keys)
        virtual = not issubclass(node.of, tuple)
        if not virtual and node.of not in self.facts.class_names:
            self.facts.class_names[node.of] = path_of_class(node.of, self.source)
        return Tup(items, False, frozenset({id(node)}), keys, node.of, True, virtual)

    def construct(self, cls: type, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind:
        """Point(x, y)"""
        varies = self.facts.varies(*args, *keywords.values())
        own = own_way_to_items(cls)
        if own is not None:
            if not varies:
                return self.unknown_call(cls, (*args, *keywords.values()), node)
            self.refuse(ITSELF.format(cls=cls.__name__, name=own, instead=_NO_TUPLE), node)
            return REFUSED
        self.kept.append(node)
        self.note_made_by_methods(cls)
        apart = id(node) in self.dynamic or are_apart(self)
        if not (varies or apart or issubclass(cls, tuple)):
            handed = (*args, *keywords.values())
            self.unknown_call(cls, handed, node)
            kinds = [*map(self.kind, handed)]
            memory = memory_held(handed, kinds, self.function.parameters)
            return closed_object(cls, id(node), memory)
        if cls is types.SimpleNamespace:
            return self.put_together(cls, keywords, node)
        names = fields_of(cls)
        if names is None:
            return self.initialised(cls, args, keywords, node)
        given = self.bound(cls, args, keywords, node)
        if given is None:
            return REFUSED
        made = {
            name: given[name] if name in given else self.default_of_field(cls, name, node)
            for name in names
        }
        kind = self.put_together(cls, self.with_later(cls, made, node), node)
        return kind if post_init_of(cls) is None else self.after_init(cls, kind, node)

    def bound(
        self, cls: type, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> dict[str, Any] | None:
        """The arguments of a class by the names of its parameters; None where they don't fit."""
        try:
            return inspect.signature(cls).bind(*args, **keywords).arguments
        except (TypeError, ValueError) as error:
            self.refuse(f"{cls.__name__}: {error}", node)
            return None

    def put_together(self, cls: type, attributes: dict[str, Any], node: Any) -> Tup:
        """The kind of an object that is made of its attributes."""
        values = tuple(attributes.values())
        made = self.made_once(
            (node, "made", *values), lambda: _instance(cls, tuple(attributes), values, node), node
        )
        whole = stands_whole(node)
        if not whole:
            self.facts.made[node] = made
        for value in made.values:
            self.expression(value)
            self.refuse_generator(value)
        kind = self.instance(made)
        if whole:
            return replace(kind, apart=False)
        self.facts.kinds[made] = kind
        return kind

    def after_init(self, cls: type, kind: Tup, node: Any) -> Kind:
        """The kind of an object once its __post_init__ has run: that has a line of its own in the next pass."""
        method, made = post_init_of(cls), self.facts.made[node]
        assert method is not None
        if self.scope:
            seek_loop(self)
            self.refuse(
                f"a {cls.__name__} has a __post_init__: make it in a loop, with a name", node
            )
            return REFUSED

        def make() -> Any:
            func = gast.copy_location(gast.Attribute(made, "__post_init__", gast.Load()), node)
            return gast.Call(func, [], [])

        call = self.made_once((node, "__post_init__", made), make, node)
        lifting, defaulted = self.lifting(method, {parameter_names(method)[0]: made}, {}, call)
        kinds = tuple(lifting.kinds)
        lifted = lifting.lifted(method, defaulted)
        try:
            found = self.analysed(lifted, kinds, call)
        except ListNeeded as needed:
            return self.give_as_needed(needed, lifting, node)
        except NotDifferentiable as error:
            self.refuse_callee(lifted, error, node)
            return REFUSED
        self.facts.after_init.add(node)
        self.gives_nothing_yet(call)
        for entry in found.bound:
            value = self.callee_part(entry.kind, kinds, call, lifting.containers)
            kind = with_entry(kind, entry.key, value)
        return kind

    def default_of_field(self, cls: type, name: str, node: Any) -> Any:
        """The default of a field, made here: always the same node, since lists and dicts are known by theirs."""
        if (node, name) not in self.instead:
            self.instead[node, name] = self.made_by_factory(cls, name, node) or _default(
                cls, name, node
            )
        return self.instead[node, name]

    def made_by_factory(self, cls: type, name: str, node: Any) -> Any | None:
        """The call of what makes the default of a field, by the name that it has here."""
        factory = getattr(cls, "__dataclass_fields__", {}).get(name)
        factory = None if factory is None else factory.default_factory
        if factory in FACTORIES:
            return None
        if isinstance(factory, types.FunctionType) and is_expression(factory):
            return self.made_by_lambda(factory, name, node)
        if not _has_name(factory):
            return None
        found = name_of_class(factory, self.source)
        if found is None:
            self.refuse(
                f"the default_factory of '{name}' has no name here: give a value for it", node
            )
            return all_at(gast.Constant(None, None), node)
        return all_at(gast.Call(gast.Name(found, gast.Load(), None, None), [], []), node)

    def made_by_lambda(self, factory: types.FunctionType, name: str, node: Any) -> Any:
        """What a lambda without parameters gives, as it is written there, where its names mean the same here."""
        value = expression_of(factory)
        names = set() if value is None else set(ir.names_in(value))
        if value is None or not all(self.means_the_same(n, factory) for n in names):
            self.refuse(
                f"the default_factory of '{name}' can't be written here: give a value", node
            )
            return all_at(gast.Constant(None, None), node)
        return all_at(copy.deepcopy(value), node)

    def means_the_same(self, name: str, function: types.FunctionType) -> bool:
        """Whether a name stands for the same, and for nothing of its own, in the function at hand."""
        own = self.source.function.__code__
        if name in {*own.co_varnames, *own.co_cellvars} or name in self.scope:
            return False
        if self.source.where(name) not in ("global", "builtin") or self.is_rebound(name):
            return False
        there = function.__globals__.get(name, getattr(builtins, name, None))
        return self.source.lookup(name) is there

    def at_field(self, name: str, value: Any, node: Any) -> Any:
        """An expression of an __init__, made here: always the same node."""
        if (node, name) not in self.instead:
            self.instead[node, name] = all_at(copy.deepcopy(value), node)
        return self.instead[node, name]

    def initialised(self, cls: type, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind:
        """A class whose __init__ stands in Python: what it stores are the attributes."""
        self.note_member(cls, "__init__")
        stored = stored_as_given(cls)
        holds_others = any(
            isinstance(self.kind(a), (Seq, Tup)) for a in (*args, *keywords.values())
        )
        if stored is not None and not holds_others:
            return self.stored(cls, stored, args, keywords, node)
        init = inspect.getattr_static(cls, "__init__", None)
        assert isinstance(init, types.FunctionType)
        empty = self.made_once((node, "new"), lambda: Instance([], [], node.func, cls), node)
        self.facts.kinds[empty] = Tup((), False, frozenset({id(node)}), (), cls, True, True)
        result = self.user_call(init, [empty, *args], keywords, node)
        if result is REFUSED or node not in self.facts.handed:
            if result is not REFUSED and not self.is_refused(node) and not self.env.dead:
                self.refuse(f"the __init__ of {cls.__name__} stores nothing that is known", node)
            return REFUSED
        self.facts.made[node] = node
        handed = self.facts.handed[node]
        items, keys = tuple(h.kind for h in handed), tuple(h.key for h in handed)
        return Tup(items, False, frozenset({id(node)}), keys, cls, True, True)

    def stored(
        self, cls: type, stored: dict[str, Stored], args: list[Any], keywords: dict[str, Any],
        node: Any,
    ) -> Kind:  # fmt: skip
        """A class whose __init__ does nothing but store what it is given."""
        given = self.bound(cls, args, keywords, node)
        if given is None:
            return REFUSED
        made = {
            name: given[of.parameter]
            if of.parameter in given
            else self.at_field(name, of.otherwise, node)
            for name, of in stored.items()
        }
        return self.put_together(cls, self.with_later(cls, made, node), node)

    def with_later(self, cls: type, made: dict[str, Any], node: Any) -> dict[str, Any]:
        """What an object is given, and None for the attributes that it gets later."""
        later = (name for name in self.attributes_of(cls) if name not in made)
        return made | {name: self.at_field(name, constant(None), node) for name in later}

    def entry_made(
        self, entry: BoundEntry, kinds: Sequence[Kind], node: Any, containers: Mapping[str, Any]
    ) -> Handed:
        """An attribute that __init__ gives an object that is being made."""
        value = self.callee_part(entry.kind, kinds, node, containers)
        return Handed(entry.element, "", value, entry.key)


def is_followed(cls: Any) -> bool:
    """Whether what a call of this class makes is known: its fields, or an __init__ in Python."""
    if not isinstance(cls, type) or type(cls).__call__ is not type.__call__:
        return False
    if cls is types.SimpleNamespace:
        return True
    if issubclass(cls, tuple):
        return is_named_tuple(cls)
    if not has_plain_attributes(cls) or cls.__new__ is not object.__new__:
        return False
    if has_own_setattr(cls) and not _is_frozen(cls):
        return False
    init = inspect.getattr_static(cls, "__init__", None)
    return fields_of(cls) is not None or (
        isinstance(init, types.FunctionType) and is_user_code(init)
    )


def fields_of(cls: type) -> tuple[str, ...] | None:
    """The fields of a named tuple, or of a dataclass whose __init__ does nothing but set them; its may be inherited."""
    if issubclass(cls, tuple):
        return tuple(cls._fields)  # type: ignore[attr-defined]
    if inspect.getattr_static(cls, "__init__") is object.__init__:
        return ()
    code = getattr(inspect.getattr_static(cls, "__init__"), "__code__", None)
    if not dataclasses.is_dataclass(cls) or code is None or code.co_filename != "<string>":
        return None
    if not _is_as_its_dataclass(cls):
        return None
    fields = dataclasses.fields(cls)
    plain = all(_is_made_here(f.default_factory) for f in fields)
    plain = plain and len(fields) == len(
        cls.__dataclass_fields__
    )  # the others are for __post_init__
    if "__slots__" in vars(cls):  # there the class does not keep the defaults
        plain = plain and all(_is_literal(f.default) for f in fields)
    if hasattr(cls, "__post_init__") and post_init_of(cls) is None:
        return None
    return tuple(f.name for f in fields if f.init or _has_default(f)) if plain else None


def _is_made_here(factory: Any) -> bool:
    """Whether what makes a default can be written where the object is made."""
    return factory in FACTORIES or _has_name(factory) or is_expression(factory)


def _has_name(factory: Any) -> bool:
    """Whether what makes a default is a class or a function of a module."""
    named = isinstance(factory, (type, types.FunctionType))
    return named and factory.__qualname__ == factory.__name__ and factory.__name__.isidentifier()


def _is_as_its_dataclass(cls: type) -> bool:
    """Whether a class has the fields, their defaults and the __post_init__ for which its __init__ was made."""
    made_for = next(c for c in cls.__mro__ if "__init__" in vars(c))
    between = cls.__mro__[: cls.__mro__.index(made_for)]
    fields: dict[str, Any] = cls.__dataclass_fields__  # type: ignore[attr-defined]
    own = vars(made_for).get("__dataclass_fields__") is fields
    return own and not any({*fields, "__post_init__"} & vars(c).keys() for c in between)


def _has_default(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is not missing or field.default_factory is not missing


def post_init_of(cls: type) -> types.FunctionType | None:
    """What a dataclass does with an object once its fields are set."""
    method = inspect.getattr_static(cls, "__post_init__", None)
    plain = isinstance(method, types.FunctionType) and is_user_code(method)
    return method if plain and dataclasses.is_dataclass(cls) else None


FACTORIES: dict[Any, Any] = {
    dataclasses.MISSING: None,
    list: lambda: gast.List([], gast.Load()),
    dict: lambda: gast.Dict([], []),
}


def _is_literal(value: object) -> bool:
    return value is None or value is dataclasses.MISSING or type(value) in LITERALS


def _is_frozen(cls: type) -> bool:
    return dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen  # type: ignore[attr-defined]


def _instance(cls: type, names: tuple[str, ...], values: tuple[Any, ...], node: Any) -> Any:
    keys = [gast.copy_location(gast.Constant(name, None), node) for name in names]
    return Instance(keys, list(values), node.func, cls)


def _default(cls: type, name: str, node: Any) -> Any:
    """The default of a field: a literal, or what the class keeps it as."""
    if issubclass(cls, tuple):
        value = cls._field_defaults[name]  # type: ignore[attr-defined]
    else:
        field = next(f for f in dataclasses.fields(cls) if f.name == name)  # type: ignore[arg-type]
        make = FACTORIES[field.default_factory]
        if make is not None:
            return gast.copy_location(make(), node)
        value = field.default
    if value is None or type(value) in LITERALS:
        new: Any = gast.Constant(value, None)
    elif issubclass(cls, tuple):
        defaults = gast.Attribute(node.func, "_field_defaults", gast.Load())
        new = gast.Subscript(defaults, gast.Constant(name, None), gast.Load())
    else:
        new = gast.Attribute(node.func, name, gast.Load())
    return all_at(new, node)
