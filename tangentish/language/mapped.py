"""`map`, `filter`, and lists of what `zip` and `enumerate` give, as the comprehensions that they are.

map(f, xs)        ->    (f(item) for item in xs)
map(f, xs, ys)    ->    (f(item, other) for item, other in zip(xs, ys))
filter(f, xs)     ->    (item for item in xs if f(item))
map(lambda v: v * k, xs)    ->    (v * k for v in xs)
map(partial(f, a), xs)    ->    (f(a, item) for item in xs)
list(zip(x, y))   ->    [(item, other) for item, other in zip(x, y)]
list(reversed(x)) ->    [item for item in reversed(x)]
f(*map(g, xs))     ->   f(*[g(item) for item in xs])
a, b = zip(*pairs(x))    ->    a, b = list(zip(*pairs(x)))
np.fromiter((f(v) for v in xs), float)    ->    np.array([f(v) for v in xs], float)
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.chained import chained, function_of_itertools, is_called_alike
from tangentish.language.from_items import as_array
from tangentish.language.keys import parameter_of, result_for
from tangentish.language.named_members import Find, named_member
from tangentish.language.placed import at, name_at, target_at

_NAMES = ("item", "other", "third", "fourth")
_ONE_BY_ONE = (zip, enumerate, map, filter, reversed)


def comprehension(node: Any, find: Find, unused: Callable[[str], str]) -> Any | None:
    """The comprehension that a call says; None for any other expression.

    find: what a name stands for outside of the function; unused: a name that the function has no other use for.
    """
    match node:
        case gast.Call(func=gast.Name(id="map"), args=[function, *over], keywords=[]):
            known = find("map") is map and _is_called_alike(function, find)
        case gast.Call(func=gast.Name(id="filter"), args=[function, first], keywords=[]):
            known, over = find("filter") is filter and _is_called_alike(function, find), [first]
        case gast.Call(func=gast.Name(id="list" | "tuple" as made), args=[inner], keywords=[]):
            return (listed if made == "list" else _tuple_of)(node, inner, find, unused)
        case gast.Starred(value=inner):
            items = (
                inner
                if isinstance(inner, gast.GeneratorExp)
                else comprehension(inner, find, unused)
            )
            whole = isinstance(items, gast.GeneratorExp) and at(
                gast.ListComp(items.elt, items.generators), node
            )
            return at(gast.Starred(whole, gast.Load()), node) if whole else None
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="fromiter")) if (
            find(name) is np and find("list") is list
        ):
            return as_array(node, find)
        case gast.Call(func=gast.Name() | gast.Attribute(), keywords=[]):
            return chained(node, find, unused)
        case _:
            return None
    if not (known and 1 <= len(over) <= len(_NAMES)) or ir.has_star(over):
        return None
    own = parameter_of(function) if len(over) == 1 else None
    names = [unused(own)] if own else [unused(name) for name in _NAMES[: len(over)]]
    if len(over) > 1 and find("zip") is not zip:
        return None
    items = [name_at(name, node) for name in names]
    call = _result_for(function, items, node, find)
    if node.func.id == "filter":
        return at(gast.GeneratorExp(items[0], [_loop(names, over[0], node, [call])]), node)
    source = over[0] if len(over) == 1 else at(gast.Call(name_at("zip", node), over, []), node)
    return at(gast.GeneratorExp(call, [_loop(names, source, node)]), node)


def _is_called_alike(function: Any, find: Find) -> bool:
    return is_called_alike(function) or _given_first(function, find) is not None


def _result_for(function: Any, items: list[Any], node: Any, find: Find) -> Any:
    first = _given_first(function, find)
    if first is None:
        return result_for(function, items, node)
    return at(gast.Call(function.args[0], [*first, *items], function.keywords), node)


def _given_first(function: Any, find: Find) -> list[Any] | None:
    """What partial(f, a, k=b) gives to f before all else; None of other functions, and where that may change.

    They are names and numbers, which are the same each time.
    """
    match function:
        case gast.Call(func=maker, args=[inner, *given], keywords=keywords) if (
            named_member(maker, functools, find) is functools.partial
        ):
            values = (inner, *given, *(k.value for k in keywords))
            plain = all(isinstance(v, (gast.Name, gast.Attribute, gast.Constant)) for v in values)
            return given if plain and all(k.arg is not None for k in keywords) else None
    return None


def called_along(loop: Any, find: Find) -> list[Any]:
    """The functions that the items of a loop are made by, and that its body binds to others: Python calls the first."""
    calls = (part for part in ir.walk(loop.iter) if isinstance(part, gast.Call) and part.args)
    functions = [call.args[0] for call in calls if _takes_function(call, find)]
    if not functions:
        return []
    stored = [
        n for n in gast.walk(loop) if isinstance(getattr(n, "ctx", None), (gast.Store, gast.Del))
    ]
    names = {n.id for n in stored if isinstance(n, gast.Name)}
    attributes = {n.attr for n in stored if isinstance(n, gast.Attribute)}
    return [
        function
        for function in functions
        if not names.isdisjoint(ir.names_in(function))
        or any(isinstance(n, gast.Attribute) and n.attr in attributes for n in ir.walk(function))
    ]


def _takes_function(call: Any, find: Find) -> bool:
    if isinstance(call.func, gast.Name) and call.func.id in ("map", "filter"):
        return any(find(call.func.id) is one for one in (map, filter))
    function = function_of_itertools(call.func, find)
    return any(function is one for one in (itertools.starmap, itertools.filterfalse))


def unpacked_list(
    node: Any, find: Find, unused: Callable[[str], str], inside: Callable[[Any], Any]
) -> Any | None:
    """What gives its elements one after another as a list, whose elements they are when it is unpacked."""
    made = comprehension(node, find, unused) or node
    if not isinstance(made, gast.GeneratorExp):
        return _unpacked_zip(node, find)
    made = ir.copy_expression(made, inside)
    return at(gast.ListComp(made.elt, made.generators), made)


def _unpacked_zip(node: Any, find: Find) -> Any | None:
    """Zip(*pairs(x)) that is unpacked, as a list; of rows under a name it is known as it stands, and so are others."""
    match node:
        case gast.Call(func=gast.Name(id="zip"), args=args, keywords=[]) if find("zip") is zip:
            pass
        case _:
            return None
    if find("list") is not list or (len(args) == 1 and _is_starred_name(args[0])):
        return None
    whole = at(gast.Call(node.func, [_with_rows_listed(arg, find) for arg in args], []), node)
    return at(gast.Call(name_at("list", node), [whole], []), node)


def _is_starred_name(node: Any) -> bool:
    return isinstance(node, gast.Starred) and isinstance(node.value, gast.Name)


def _with_rows_listed(node: Any, find: Find) -> Any:
    """`*zip(x, y)` as `*list(zip(x, y))`, and so with all that gives its items one by one."""
    match node:
        case gast.Starred(value=gast.GeneratorExp()):
            pass
        case gast.Starred(value=gast.Call(func=gast.Name(id=name))) if any(
            find(name) is one for one in _ONE_BY_ONE
        ):
            pass
        case _:
            return node
    rows = at(gast.Call(name_at("list", node), [node.value], []), node)
    return at(gast.Starred(rows, gast.Load()), node)


def listed(node: Any, inner: Any, find: Find, unused: Callable[[str], str]) -> Any | None:
    """List(zip(x, y)), list(enumerate(x)), list(map(f, x)), list(v * v for v in x)"""
    match inner:
        case gast.GeneratorExp(elt=element, generators=loops) if find("list") is list:
            return at(gast.ListComp(element, loops), node)
        case gast.Call(func=gast.Name(id="zip"), args=args, keywords=[]) if find("zip") is zip:
            count = len(args)
        case gast.Call(func=gast.Name(id="enumerate"), args=[first], keywords=[]) if (
            find("enumerate") is enumerate
        ):
            count, args = 2, [first]
        case gast.Call(func=gast.Name(id="reversed"), args=[_], keywords=[]) as over if (
            find("reversed") is reversed
        ):
            count, args = 1, [over]
        case _:
            made = comprehension(inner, find, unused)
            if made is None or find("list") is not list:
                return None
            return at(gast.ListComp(made.elt, made.generators), node)
    if not 1 <= count <= len(_NAMES) or ir.has_star(args) or find("list") is not list:
        return None
    names = [unused(name) for name in _NAMES[:count]]
    items = [name_at(name, node) for name in names]
    pairs = inner.func.id != "reversed"
    element = at(gast.Tuple(items, gast.Load()), node) if pairs else items[0]
    return at(gast.ListComp(element, [_loop(names, inner, node, single=not pairs)]), node)


def _tuple_of(
    node: Any, inner: Any, find: Callable[[str], object], unused: Callable[[str], str]
) -> Any | None:
    """Tuple(reversed(x)), of the list of these items."""
    match inner:
        case gast.Call(func=gast.Name(id="reversed")) if find("tuple") is tuple:
            made = listed(node, inner, find, unused)
            return None if made is None else at(gast.Call(node.func, [made], []), node)
    return None


def _loop(
    names: Sequence[str], over: Any, node: Any, tests: Sequence[Any] = (), single: bool = True
) -> Any:
    targets = [target_at(name, node) for name in names]
    whole = (
        targets[0] if single and len(targets) == 1 else at(gast.Tuple(targets, gast.Store()), node)
    )
    return gast.comprehension(whole, over, list(tests), 0)
