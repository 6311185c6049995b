"""Dicts of an object's own methods, of which one is called by its key: a state machine, a table of commands.

steps = {State.UP: self._up, State.DOWN: self._down}
y = steps[self.state](x)

->    key = self.state
      if key == State.UP: y = self._up(x)
      elif key == State.DOWN: y = self._down(x)
      else: raise KeyError(key)

The methods are looked up where they are called: that is the same as long as nothing binds attributes of their names.
"""

from __future__ import annotations

import dis
import enum
import inspect
import types
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.language.definitions import within_scope
from tangentish.language.named_members import Find
from tangentish.language.placed import assign_at, at, name_at
from tangentish.language.source import Source


@dataclass(frozen=True)
class MethodsInDicts:
    """Finds such calls, and writes the lines.

    temporary: a new name.
    """

    source: Source
    find: Find
    temporary: Callable[[], str]

    def is_one(self, node: Any) -> bool:
        match node:
            case gast.Call(func=gast.Subscript(value=gast.Dict() as table)):
                return self.is_table(table)
        return False

    def is_table(self, table: Any) -> bool:
        """Whether this is a dict of methods of the object whose method the function is."""
        keys = [self.key_of(key) for key in table.keys]
        methods = [self.method_of(value) for value in table.values]
        if not keys or None in keys or len(set(keys)) < len(keys):
            return False
        cls = _class_of(self.source.function)
        return cls is not None and all(m is not None and _is_method(cls, m) for m in methods)

    def key_of(self, node: Any) -> tuple[object] | None:
        """What a key is: a number, a text or a member of an Enum, each of which is what it is equal to."""
        match node:
            case gast.Constant(value=int() | str() as value):
                return (value,)
            case gast.Attribute(value=gast.Name(id=name), attr=attr):
                owner = self.find(name)
                member = vars(owner).get(attr) if isinstance(owner, enum.EnumMeta) else None
                plain = isinstance(member, enum.Enum) and "__eq__" not in vars(type(member))
                return (member,) if plain else None
        return None

    def method_of(self, node: Any) -> str | None:
        """The name of a method of the object that the function gets first."""
        code = self.source.function.__code__
        first = code.co_varnames[0] if code.co_argcount else ""
        match node:
            case gast.Attribute(value=gast.Name(id=name), attr=attr) if name == first:
                stays = first not in code.co_cellvars and not _binds(code, first)
                return str(attr) if stays else None
        return None

    def lines(self, name: str, node: Any) -> Iterator[Any]:
        """The lines that give `name` what the method gives that is called."""
        return self.branches(node, lambda call: assign_at(name, call, node))

    def for_effect(self, node: Any) -> Iterator[Any]:
        """The lines of such a call whose value nobody asks for."""
        return self.branches(node, lambda call: at(gast.Expr(call), node))

    def in_update(self, update: Any) -> list[Any]:
        """The lines of `t += f(steps[key](x))`, whose methods may change t: it is read before them, and stays there.

        self.q += steps[key](x)    ->    if key != State.UP and key != State.DOWN: raise KeyError(key)
                                         self.q += self._up(x) if key == State.UP else self._down(x)
        """
        calls = [part for part in ir.walk(update.value) if isinstance(part, gast.Call)]
        asked = next(filter(self.is_one, calls), None)
        if asked is None or calls != [asked] or not self.only_looks(asked.func.slice):
            return []
        key, table = self.temporary(), asked.func.value
        others = [gast.Compare(name_at(key, k), [gast.NotEq()], [k]) for k in table.keys]
        other = gast.BoolOp(gast.And(), [at(o, asked) for o in others])
        tests = [gast.Compare(name_at(key, k), [gast.Eq()], [k]) for k in deepcopy(table.keys)]
        *ways, chosen = [self.call_of(method, asked) for method in table.values]
        for test, way in reversed([*zip(tests, ways, strict=False)]):
            chosen = at(gast.IfExp(at(test, asked), way, chosen), asked)
        value = ir.copy_expression(update.value, lambda n: chosen if n is asked else None)
        return [
            assign_at(key, asked.func.slice, asked),
            at(gast.If(at(other, asked), [_missing(key, asked)], []), asked),
            at(gast.AugAssign(update.target, update.op, value), update),
        ]

    def only_looks(self, key: Any) -> bool:
        """Whether a key is what the object, or a name, holds: it may be read before all else."""
        cls = _class_of(self.source.function)
        match key:
            case gast.Name() | gast.Constant():
                return True
            case gast.Attribute(value=gast.Name(), attr=attr) if self.method_of(key):
                return not isinstance(inspect.getattr_static(cls, attr, None), property)
        return False

    def call_of(self, method: Any, node: Any) -> Any:
        return at(gast.Call(method, *deepcopy([node.args, node.keywords])), node)

    def branches(self, node: Any, line: Callable[[Any], Any]) -> Iterator[Any]:
        key = self.temporary()
        yield assign_at(key, node.func.slice, node)
        way: list[Any] = [_missing(key, node)]
        table = node.func.value
        for value, method in reversed([*zip(table.keys, table.values, strict=True)]):
            test = gast.Compare(name_at(key, node), [gast.Eq()], [value])
            way = [at(gast.If(at(test, node), [line(self.call_of(method, node))], way), node)]
        yield from way


def _missing(key: str, node: Any) -> Any:
    error = at(gast.Call(name_at("$KeyError", node), [name_at(key, node)], []), node)
    return at(gast.Raise(error, None), node)


def with_methods_named(statements: Sequence[Any], source: Source, find: Find) -> list[Any]:
    """The statements with such a dict where it is asked for a method, if that is all that is done with its name."""
    tables = MethodsInDicts(source, find, str)
    for k, statement in enumerate(statements):
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Dict() as table) if (
                tables.is_table(table) and _is_only_asked(statements, k, name, source)
            ):
                later = [_with_table(s, name, table) for s in statements[k + 1 :]]
                return [*statements[:k], *with_methods_named(later, source, find)]
    return list(statements)


def _is_only_asked(statements: Sequence[Any], k: int, name: str, source: Source) -> bool:
    """Whether a name is bound once, and each later use of it is `name[key](...)`."""
    if name in source.function.__code__.co_cellvars:
        return False
    uses = [n for s in statements for n in gast.walk(s) if getattr(n, "id", None) == name]
    nodes = [n for s in statements[k + 1 :] for n in within_scope(s)]
    asked = [n for n in nodes if _is_asked(n, name)]
    keys = [part for call in asked for part in gast.walk(call.func.slice)]
    return (
        bool(asked)
        and len(uses) == len(asked) + 1
        and not any(getattr(part, "id", None) == name for part in keys)
    )


def _is_asked(node: Any, name: str) -> bool:
    match node:
        case gast.Call(func=gast.Subscript(value=gast.Name(id=found))):
            return bool(found == name)
    return False


def _with_table(statement: Any, name: str, table: Any) -> Any:
    class Change(gast.NodeTransformer):  # type: ignore[misc]
        def visit_Name(self, node: Any) -> Any:
            return deepcopy(table) if node.id == name else node

    return Change().visit(deepcopy(statement))


def _class_of(function: types.FunctionType) -> type | None:
    """The class of the module that a method is written in."""
    home, _, name = function.__qualname__.rpartition(".")
    cls = function.__globals__.get(home)
    own = isinstance(cls, type) and vars(cls).get(name)
    return cls if isinstance(cls, type) and own is function else None


def _is_method(cls: type, name: str) -> bool:
    """Whether objects of a class have a method of this name, and nothing in the class binds it."""
    if not isinstance(inspect.getattr_static(cls, name, None), types.FunctionType):
        return False
    family = [*cls.__mro__, *_below(cls)]
    return not any(
        _stores(f.__code__, name) for c in family for f in vars(c).values() if _has_code(f)
    )


def _below(cls: type) -> Iterator[type]:
    sub: type
    for sub in cls.__subclasses__():
        yield sub
        yield from _below(sub)


def _has_code(value: object) -> bool:
    return isinstance(value, types.FunctionType)


def _stores(code: types.CodeType, name: str) -> bool:
    return any(i.opname == "STORE_ATTR" and i.argval == name for i in dis.get_instructions(code))


def _binds(code: types.CodeType, name: str) -> bool:
    lines = dis.get_instructions(code)
    return any(i.opname in ("STORE_FAST", "DELETE_FAST") and i.argval == name for i in lines)
