"""Ordered dicts that are only asked what plain dicts answer alike, as these.

d = OrderedDict()                   ->    d = {}
d = OrderedDict([("a", x)], b=y)    ->    d = {"a": x, "b": y}

One that a function gives back stays what it is: who gets it may compare it, or ask for its type.
"""

from __future__ import annotations

import collections
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.language.named_members import Find, named_member
from tangentish.language.placed import at
from tangentish.language.rewriting import Rewriting
from tangentish.language.source import Source
from tangentish.language.uses_of_names import uses_of

_METHODS = {"clear", "get", "items", "keys", "pop", "setdefault", "update", "values"}
_READING = {"dict", "enumerate", "len", "list", "reversed", "sorted", "tuple"}


def without_ordered_dicts(statements: Sequence[Any], source: Source, find: Find) -> list[Any]:
    """The statements with plain dicts for the ordered ones that may be ones."""
    lines = ir.nodes_of(statements, gast.Assign)
    made = {name for line in lines if (name := _name_of_ordered(line, find)) is not None}
    if not made:
        return list(statements)
    code = source.function.__code__
    made &= {*code.co_varnames, *code.co_cellvars}  # no names of the module
    plain = {name for name in made if _is_used_as_dict(name, statements, find)}
    return _Plain(find, plain).block(statements)


@dataclass
class _Plain(Rewriting):
    """Displays in the place of ordered dicts."""

    find: Find
    names: set[str]

    def statement(self, node: Any) -> Iterator[Any]:
        if isinstance(node, gast.Assign) and _name_of_ordered(node, self.find) in self.names:
            yield at(gast.Assign(node.targets, _display(node.value), None), node)
        else:
            yield from super().statement(node)


def _name_of_ordered(line: Any, find: Find) -> str | None:
    """The name that a line gives to an ordered dict which it makes of what it names."""
    match line:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=func) as made) if (
            named_member(func, collections, find) is collections.OrderedDict
        ):
            return name if _display(made) is not None else None
    return None


def _display(call: Any) -> Any | None:
    """The display of the entries that an ordered dict is made of; None where they stand elsewhere."""
    entries: dict[str, Any] = {}
    for pair in _pairs(call.args):
        match pair:
            case gast.Tuple(elts=[gast.Constant(value=str(key)), value]):
                entries[key] = value
            case _:
                return None
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    given = len(_pairs(call.args)) + len(named)
    if None in named or len(entries | named) < given:
        return None
    keys = [at(gast.Constant(key, None), call) for key in entries | named]
    return at(gast.Dict(keys, [*(entries | named).values()]), call)


def _pairs(args: Sequence[Any]) -> list[Any]:
    match args:
        case []:
            return []
        case [gast.List(elts=pairs) | gast.Tuple(elts=pairs)]:
            return list(pairs)
    return [*args]


def _is_used_as_dict(name: str, statements: Sequence[Any], find: Find) -> bool:
    """Whether everything that is done with it, plain dicts do as well."""
    nodes = (node for statement in statements for node in gast.walk(statement))
    return all(_is_of_dicts(read, around, find) for read, around in uses_of(name, nodes))


def _is_of_dicts(name: Any, parent: Any, find: Find) -> bool:
    match parent:
        case gast.Attribute(attr=method):
            return method in _METHODS
        case gast.Subscript(value=value):
            return value is name
        case gast.For(iter=iterated) | gast.comprehension(iter=iterated):
            return iterated is name
        case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[held]):
            return held is name
        case gast.keyword(arg=None):
            return True
        case gast.Call(func=gast.Name(id=reader)):
            return reader in _READING and getattr(find(reader), "__module__", None) == "builtins"
        case gast.Call(func=func):
            return _is_of_pandas(func, find)
    return False


def _is_of_pandas(func: Any, find: Find) -> bool:
    """Whether a function is one of pandas, to which both are the same: `pd.DataFrame(d)`."""
    while isinstance(func, gast.Attribute):
        func = func.value
    module = find(func.id) if isinstance(func, gast.Name) else None
    return isinstance(module, types.ModuleType) and module.__name__.split(".")[0] == "pandas"
