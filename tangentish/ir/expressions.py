"""The expressions in statements: gast nodes, which are never changed, and what may be asked of them."""

from __future__ import annotations

import ast
import functools
import operator
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import gast

from tangentish.kinds import Refused

Expr = Any  # a gast expression node

_READ = gast.Load()
_new_node: Callable[[Any], Any] = ast.AST.__new__


def name(identifier: str, ctx: Any = _READ) -> Expr:
    """A name, which is read: made without gast's constructor, which takes four times as long."""
    new = _new_node(gast.Name)
    new.id, new.ctx, new.annotation, new.type_comment = identifier, ctx, None, None
    return new


def binary(left: Expr, op: Any, right: Expr) -> Expr:
    """An operation, made likewise: a third of what generated code is made of."""
    new = _new_node(gast.BinOp)
    new.left, new.op, new.right = left, op, right
    return new


def subscript(value: Expr, index: Expr, ctx: Any = _READ) -> Expr:
    """A place of an array, made likewise."""
    new = _new_node(gast.Subscript)
    new.value, new.slice, new.ctx = value, index, ctx
    return new


def assigned(target: Expr, value: Expr) -> Any:
    """A line of Python that gives one target a value, made likewise."""
    new = _new_node(gast.Assign)
    new.targets, new.value, new.type_comment = [target], value, None
    return new


def placeholder(node: Any) -> Expr:
    """What stands in the place of a part that was refused."""
    return gast.copy_location(gast.Constant(Refused, None), node)


def is_value(identifier: str) -> bool:
    return "." in identifier


def is_own_name(node: Expr) -> bool:
    """Whether this is the name of a value of the function."""
    return isinstance(node, gast.Name) and is_value(node.id)


def is_name(node: Expr, identifier: str) -> bool:
    return node.__class__ is gast.Name and node.id == identifier


def has_star(nodes: Sequence[Expr]) -> bool:
    return any(isinstance(node, gast.Starred) for node in nodes)


def leaves_of(node: Expr) -> Iterator[Expr]:
    """What is in a display, and in displays in it; what is none is its own leaf."""
    if isinstance(node, (gast.Tuple, gast.List)):
        for element in node.elts:
            yield from leaves_of(element)
    else:
        yield node


def is_none(node: Expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


@functools.lru_cache(maxsize=1 << 12)
def base_name(identifier: str) -> str:
    """The user's name of a value: `x` of `x.2`."""
    return identifier.rpartition(".")[0].lstrip(".") if "." in identifier else identifier


@functools.cache
def walk(node: Any) -> tuple[Any, ...]:
    """All nodes below that have parts, in the order of evaluation as far as the tree has it; no recursion.

    No node changes once it is made, so that each expression is walked once, whatever number of passes look at it.
    """
    found: list[Any] = []
    stack = [node]
    while stack:
        node = stack.pop()
        found.append(node)
        if node.__class__ not in _LEAVES:
            stack += children(node)[::-1]
    return tuple(found)


def nodes_of(statements: Sequence[Any], *types: type) -> list[Any]:
    """The nodes of these types in statements of Python: most passes look for lines that no function has."""
    found = nodes_by_type(tuple(statements))
    return [node for each in types for node in found.get(each, ())]


@functools.lru_cache(maxsize=64)
def nodes_by_type(statements: tuple[Any, ...]) -> Mapping[type, Sequence[Any]]:
    found: dict[type, list[Any]] = defaultdict(list)
    for statement in statements:
        for node in walk(statement):
            found[node.__class__].append(node)
    return dict(found)


def evaluated(node: Any) -> list[Any]:
    """All nodes below that have parts as they are evaluated: parts from left to right, then the whole."""
    stack: list[Any] = [node]
    found: list[Any] = []
    while stack:
        node = stack.pop()
        found.append(node)
        stack += children(node)
    return found[::-1]


@functools.cache
def children(node: Any) -> tuple[Any, ...]:
    """The nodes right below that have parts."""
    pair = _PAIRS.get(node.__class__)
    if pair is not None:
        return pair(node)
    found: list[Any] = []
    parts = _PARTS[node.__class__]
    if parts:
        fields = node.__dict__
        for field in parts:
            value = fields.get(field)
            if value.__class__ is list:
                found += [item for item in value if isinstance(item, gast.AST)]
            elif value is not None and isinstance(value, gast.AST) and value._fields:
                found.append(value)
    return tuple(found)


_WITHOUT_PARTS = frozenset(
    ("arg", "attr", "conversion", "ctx", "id", "is_async", "kind", "op", "ops", "type_comment")
)


_LEAVES = frozenset((gast.Name, gast.Constant))  # of which most nodes are
_PAIRS: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    gast.BinOp: operator.attrgetter("left", "right"),
    gast.Subscript: operator.attrgetter("value", "slice"),
    gast.Assign: lambda node: (*node.targets, node.value),
    gast.Attribute: lambda node: (node.value,),
    gast.UnaryOp: lambda node: (node.operand,),
    gast.keyword: lambda node: (node.value,),
}
"""What is right below nodes of which each part is there, and has parts: most of the others."""


class _Parts(dict[type, tuple[str, ...]]):
    """The fields of a node of each type that may hold nodes with parts."""

    def __missing__(self, node_type: Any) -> tuple[str, ...]:
        held = () if node_type in _LEAVES else node_type._fields
        self[node_type] = tuple(field for field in held if field not in _WITHOUT_PARTS)
        return self[node_type]


_PARTS = _Parts()


@functools.cache
def names_in(node: Any) -> tuple[str, ...]:
    """The names in an expression, as often as they stand there."""
    return (node.id,) if node.__class__ is gast.Name else names_and_counters(node)[0]


@functools.cache
def names_and_counters(node: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names in an expression, and those of them that its comprehensions bind."""
    nodes = walk(node)
    names = tuple([n.id for n in nodes if n.__class__ is gast.Name])
    loops = [n for n in nodes if n.__class__ is gast.comprehension]
    bound = [name for loop in loops for name in target_names(loop.target)] if loops else ()
    return names, tuple(bound)


@functools.cache
def values_in(node: Any) -> frozenset[str]:
    """The values among the names in an expression."""
    return frozenset([name for name in names_in(node) if "." in name])


class Reads(NamedTuple):
    """The values that an expression reads of what is around it, and those that its comprehensions bind."""

    values: tuple[str, ...]
    counters: tuple[str, ...]


@functools.cache
def reads_of(node: Any) -> Reads:
    if node.__class__ is gast.Name:
        return Reads((node.id,) if "." in node.id else (), ())
    names, bound = names_and_counters(node)
    counters = dict.fromkeys(filter(is_value, bound))
    values = [n for n in names if "." in n and n not in counters]
    return Reads(tuple(dict.fromkeys(values)), tuple(counters))


@functools.cache
def dump(node: Any) -> str:
    """What gast.dump gives, of each expression once: the same for expressions that are written alike."""
    fields, parts = node.__dict__, []
    for name in node._fields:
        value = fields.get(name, _NOT_GIVEN)
        if isinstance(value, gast.AST):
            parts.append(f"{name}={dump(value)}")
        elif value.__class__ is not list:
            parts += () if value is _NOT_GIVEN else (f"{name}={value!r}",)
        elif value:
            parts.append(f"{name}=[{', '.join(map(_dumped, value))}]")
    return f"{node.__class__.__name__}({', '.join(parts)})"


_NOT_GIVEN = object()


def alike(one: Any, other: Any) -> bool:
    """Whether two expressions are written alike, as far as `dump` tells; no recursion."""
    stack = [(one, other)]
    while stack:
        a, b = stack.pop()
        if a is b:
            continue
        if a.__class__ is not b.__class__:
            return False
        if isinstance(a, gast.AST):
            mine, others = a.__dict__, b.__dict__
            stack += [(mine.get(field), others.get(field)) for field in a._fields]
        elif isinstance(a, list):
            if len(a) != len(b):
                return False
            stack += zip(a, b, strict=True)
        elif repr(a) != repr(b):
            return False
    return True


def _dumped(value: Any) -> str:
    if isinstance(value, gast.AST):
        return dump(value)
    return f"[{', '.join(map(_dumped, value))}]" if isinstance(value, list) else repr(value)


def duplicate(node: Any) -> Any:
    """An expression of nodes of its own, since facts belong to nodes."""
    return copy_expression(node, _renewed)


def _renewed(node: Any) -> Any | None:
    if type(node) is gast.Name:
        return gast.copy_location(gast.Name(node.id, node.ctx, None, None), node)
    if isinstance(node, gast.Constant):
        return gast.copy_location(gast.Constant(node.value, None), node)
    return None


def copy_expression(node: Any, change: Callable[[Any], Any | None]) -> Any:
    """An expression in which the nodes for which `change` gives another are replaced; the rest is shared."""
    replacement = change(node)
    if replacement is not None:
        return replacement
    new = None  # the fields, once one of them is another
    fields = node.__dict__
    for field in _PARTS[node.__class__]:
        old = fields.get(field)
        if not old:  # an empty list, or nothing
            continue
        if old.__class__ is list:
            part: Any = [
                (copy_expression(v, change) if _PARTS[v.__class__] else change(v) or v)
                if isinstance(v, gast.AST)
                else v
                for v in old
            ]
            if all(map(operator.is_, old, part)):
                continue
        elif not (isinstance(old, gast.AST) and old._fields):
            continue
        else:  # without a call of this function for every name and constant
            part = copy_expression(old, change) if _PARTS[old.__class__] else change(old)
            if part is old or part is None:
                continue
        if new is None:
            new = fields.copy()
        new[field] = part
    if new is None:
        return node
    made = _new_node(node.__class__)
    made.__dict__ = new
    return made


def copy_target(target: Any, change: Callable[[Any], Any | None]) -> Any:
    """A target that is written to where it is: nodes are replaced in its indices only."""
    root = root_of(target)
    written = {target, root, *links_of(target)}

    def inside(node: Any) -> Any | None:
        if node is root:
            return node
        return None if node in written else change(node)

    return copy_expression(target, inside)


def with_fields(node: Any, changed: Mapping[str, Any]) -> Any:
    """A node like another, where it stood, with some of its fields changed."""
    new = _new_node(type(node))
    new.__dict__ = {**node.__dict__, **changed}
    return new


def parts_of(node: Expr) -> list[Expr]:
    """The parts of an index, of a target or of what is returned, as it is written: `i` and `j` of `i, j`."""
    return [*node.elts] if isinstance(node, gast.Tuple) else [node]


def bounds_of(part: Expr) -> list[Expr]:
    """The expressions in a part of an index: `a` and `b` of `a:b`."""
    bounds = (part.lower, part.upper, part.step) if isinstance(part, gast.Slice) else (part,)
    return [e for e in bounds if e is not None]


def given_to(call: Expr) -> list[Expr]:
    """What a call gives, by places and by names."""
    return [*call.args, *(k.value for k in call.keywords)]


@functools.cache
def root_of(target: Expr) -> Expr:
    """The innermost expression of a chain of subscripts and transposes: `x` of `x[1:].T[0]`."""
    while target.__class__ is not gast.Name:
        inner = _inside(target)
        if inner is None:
            break
        target = inner
    return target


def links_of(target: Expr) -> Iterator[Expr]:
    """The subscripts, transposes and calls of a chain, from the outermost to the one right above its root."""
    inner = _inside(target)
    while inner is not None:
        yield target
        target, inner = inner, _inside(inner)


def _inside(target: Expr) -> Expr | None:
    if target.__class__ is gast.Name:
        return None
    match target:
        case gast.Subscript(value=inner) | gast.Attribute(value=inner, attr="T" | "mT"):
            return inner
        case gast.Call(func=gast.Attribute(value=inner, attr=attr), args=args) if attr in VIEWS:
            of_module = type(inner) is gast.Name and not is_value(inner.id)
            if not of_module:
                return inner
            return args[0] if args else None
    return None


VIEWS = {
    "reshape", "ravel", "squeeze", "transpose", "swapaxes", "moveaxis", "expand_dims", "atleast_1d", "atleast_2d",
    "asarray", "asanyarray", "ascontiguousarray", "flip", "fliplr", "flipud", "matrix_transpose", "permute_dims",
}  # fmt: skip
"""Functions and methods that give a view, if memory allows."""


@functools.cache
def has_view_call(target: Expr) -> bool:
    """Whether a chain passes through a function that gives a view."""
    return any(isinstance(link, gast.Call) for link in links_of(target))


def _is_outside(node: Expr) -> bool:
    """Whether an expression is a name of what is around the function, or what that holds: a module, under any name."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return type(node) is gast.Name and not is_value(node.id)


def owner_of(expression: Expr) -> Expr:
    """What an expression may be a view of: `x` of `x.ravel()[1:]`, of `np.reshape(x, -1)` too."""
    while True:
        match expression:
            case gast.Subscript(value=inner) | gast.Attribute(value=inner):
                expression = inner
            case gast.Call(func=gast.Attribute(value=module), args=[inner, *_]) if _is_outside(
                module
            ):
                expression = inner
            case gast.Call(func=gast.Attribute(value=inner)):
                expression = inner
            case _:
                return expression


def store_targets(target: Expr) -> tuple[Expr, ...]:
    """The subscripts among the targets of an assignment."""
    match target:
        case gast.Subscript():
            return (target,)
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return tuple(chain.from_iterable(map(store_targets, elements)))
    return ()


def target_names(target: Expr) -> tuple[str, ...]:
    """The names a target binds; a subscript binds none."""
    match target:
        case gast.Name(id=identifier):
            return (identifier,)
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return tuple(name for element in elements for name in target_names(element))
        case gast.Starred(value=inner):
            return target_names(inner)
    return ()
