"""Lists that a dict holds, and that get more by `+=`: by `append` and `extend`, which say that they are lists.

d[k] += [v]         ->    d[k].append(v)
d[k] += [v, w]      ->    d[k].extend([v, w])

Only where the function makes the dict, and puts nothing but lists into it: to an array `+= [v]` adds v.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.named_members import Find, named_member
from tangentish.language.placed import at
from tangentish.language.rewriting import Rewriting
from tangentish.language.uses_of_names import uses_of

_LISTS = (gast.List, gast.ListComp)
_READING = {"get", "items", "keys", "pop", "setdefault", "values"}


def with_lists_extended(statements: Sequence[Any], find: Find) -> list[Any]:
    """The statements with such lines in the other form."""
    lines = ir.nodes_of(statements, gast.AugAssign)
    names = {name for line in lines for name, _ in _added_to(line)}
    if not names:
        return list(statements)
    nodes = [node for statement in statements for node in gast.walk(statement)]
    names = {name for name in names if _holds_lists(name, nodes, find)}
    return _Extended(names).block(statements) if names else list(statements)


def _added_to(node: Any) -> Iterator[tuple[str, Any]]:
    """The dict of `d[k] += [v]`, and the list."""
    match node:
        case gast.AugAssign(
            target=gast.Subscript(value=gast.Name(id=name)), op=gast.Add(), value=value
        ) if isinstance(value, _LISTS):
            yield name, value


def _holds_lists(name: str, nodes: Sequence[Any], find: Find) -> bool:
    """Whether a name stands for a dict of the function's own, of which each line shows that it holds lists."""
    bindings = [n for n in nodes if isinstance(n, gast.Name) and n.id == name and _binds(n)]
    made = [n for n in nodes if _makes(n, name, find)]
    return len(bindings) == len(made) == 1 and all(
        _is_of_lists(read, around, nodes) for read, around in uses_of(name, nodes)
    )


def _binds(name: Any) -> bool:
    return not isinstance(name.ctx, gast.Load)


def _makes(node: Any, name: str, find: Find) -> bool:
    match node:
        case gast.Assign(targets=[gast.Name(id=bound)], value=value) if bound == name:
            pass
        case _:
            return False
    match value:
        case gast.Dict(values=values):
            return all(isinstance(v, _LISTS) for v in values)
        case gast.DictComp(value=item):
            return isinstance(item, _LISTS)
        case gast.Call(func=func, args=[gast.Name(id="list")], keywords=[]):
            default = named_member(func, collections, find) is collections.defaultdict
            return default and find("list") is list
    return False


def _is_of_lists(name: Any, parent: Any, nodes: Sequence[Any]) -> bool:
    match parent:
        case gast.Subscript(value=value):
            return value is name and all(_stores_list(n, parent) for n in nodes)
        case gast.Attribute(attr=method):
            return method in _READING and all(_gives_list(n, parent) for n in nodes)
        case gast.For(iter=iterated) | gast.comprehension(iter=iterated):
            return iterated is name
        case gast.Compare():
            return all(isinstance(op, (gast.In, gast.NotIn)) for op in parent.ops)
        case gast.Call(func=gast.Name(id=reader)):
            return reader in ("len", "list", "sorted")
    return False


def _stores_list(node: Any, place: Any) -> bool:
    """Whether what a statement stores there, if it does, is a list."""
    match node:
        case gast.Assign(targets=targets, value=value) if any(t is place for t in targets):
            return isinstance(value, _LISTS)
        case gast.AugAssign(target=target, value=value) if target is place:
            return isinstance(node.op, gast.Add) and isinstance(value, _LISTS)
        case (
            gast.Tuple(elts=elements, ctx=gast.Store()) | gast.List(elts=elements, ctx=gast.Store())
        ):
            return not any(e is place for e in elements)
        case gast.For(target=target) | gast.comprehension(target=target):
            return target is not place
        case gast.withitem(optional_vars=target) | gast.AnnAssign(target=target):
            return target is not place
    return True


def _gives_list(node: Any, method: Any) -> bool:
    """Whether `d.setdefault(k, v)` puts a list in."""
    if not (isinstance(node, gast.Call) and node.func is method and method.attr == "setdefault"):
        return True
    return len(node.args) == 2 and isinstance(node.args[1], _LISTS)


class _Extended(Rewriting):
    """Rewriting: the names of such dicts."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def statement(self, node: Any) -> Iterator[Any]:
        for name, value in _added_to(node):
            if name in self.names:
                yield _line(node, value)
                return
        yield from super().statement(node)


def _line(statement: Any, value: Any) -> Any:
    place = ir.with_fields(statement.target, {"ctx": gast.Load()})
    only = isinstance(value, gast.List) and len(value.elts) == 1
    single = only and not isinstance(value.elts[0], gast.Starred)
    method = at(gast.Attribute(place, "append" if single else "extend", gast.Load()), statement)
    call = at(gast.Call(method, [value.elts[0] if single else value], []), statement)
    return at(gast.Expr(call), statement)
