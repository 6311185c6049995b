"""The statement layer: what every pass after normal.py works on.

    block     = statement*
    statement = Assign(target, value)            target = name | subscript chain | tuple of targets
              | Update(target, op, value)        target op= value
              | Do(node)                         verbatim: kept for its effect, carries no derivative
              | If(test, body, orelse)
              | For(target, iter, body, stop)    after each trip: leave if the variable `stop` is set
              | While(test, body, stop)
              | Try(body, handlers, orelse)      orelse: what follows the body where nothing was raised
              | Finally(body, final)
              | With(items, body)
              | Return(values)                   once, at the end of the function
    and, in generated code only,
              | Save(slot)                       keep what is about to be overwritten
              | Restore(slot)                    bring it back
              | Unset(slot)                      None for what may have no value when it is saved
              | Comment(text)

Expressions are gast expressions. A name with a dot in it (`x.2`) is a value of this function: a set of
definitions that reach common uses (webs.py); any other name is free: a global, a closure or a builtin.
Blocks are tuples; passes build new statements and never change one. Every loop and branch has one way in and
one way out: exits have become flags.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import gast

from tangentish.kinds import Refused

__all__ = [
    "AddAt", "Assign", "Block", "Comment", "Do", "Expr", "Finally", "For", "Function", "Handler", "If", "Origin",
    "Restore", "Return", "Save", "Slot", "Statement", "SubAt", "Try", "Unset", "Update", "While", "With", "base_name",
    "blocks_of", "children", "copy_expression", "defined_names", "duplicate", "early", "evaluated",
    "expressions_of", "forget", "has_view_call", "is_value", "links_of", "may_raise", "mentioned", "name", "names_in",
    "operator_name", "opposite", "owner_of", "placeholder", "reads_of", "root_of", "store_targets", "stored_names",
    "walk", "walk_statements",
]  # fmt: skip

Expr = Any  # a gast expression node


@dataclass(frozen=True, slots=True)
class Origin:
    """Where in the user's file a statement comes from, and the text of that line."""

    node: Any
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Assign:
    target: Expr
    value: Expr
    origin: Origin


@dataclass(frozen=True, eq=False, slots=True)
class Update:
    target: Expr
    op: Any
    value: Expr
    origin: Origin


class AddAt(gast.Add):  # type: ignore[misc]
    """The op of an update `x[i] += v` in which an element that `i` names twice is added to twice."""


class SubAt(gast.Sub):  # type: ignore[misc]
    """The op of an update `x[i] -= v` in which an element that `i` names twice is subtracted from twice."""


def opposite(op: Any) -> Any:
    """`-=` for `+=`, and back."""
    pairs = {gast.Add: gast.Sub, gast.Sub: gast.Add, AddAt: SubAt, SubAt: AddAt}
    return pairs[type(op)]()


def operator_name(op: Any) -> str:
    """The name under which the rules know an operator."""
    return {AddAt: "Add", SubAt: "Sub"}.get(type(op), type(op).__name__)


@dataclass(frozen=True, eq=False, slots=True)
class Do:
    node: Any
    origin: Origin


@dataclass(frozen=True, eq=False, slots=True)
class If:
    test: Expr
    body: Block
    orelse: Block
    origin: Origin


@dataclass(frozen=True, eq=False, slots=True)
class For:
    target: Expr
    iter: Expr
    body: Block
    stop: Expr | None
    origin: Origin


@dataclass(frozen=True, eq=False, slots=True)
class While:
    test: Expr
    body: Block
    stop: Expr | None
    origin: Origin


@dataclass(frozen=True, eq=False, slots=True)
class Handler:
    """`except type as name: body`"""

    type: Expr | None
    name: Expr | None
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class Try:
    body: Block
    handlers: tuple[Handler, ...]
    orelse: Block
    origin: Origin


@dataclass(frozen=True, eq=False, slots=True)
class Finally:
    body: Block
    final: Block
    origin: Origin


@dataclass(frozen=True, eq=False, slots=True)
class With:
    """`items` are pairs of a context manager and a target, or None."""

    items: tuple[tuple[Expr, Expr | None], ...]
    body: Block
    origin: Origin


@dataclass(frozen=True, eq=False, slots=True)
class Return:
    """`form`: the containers that the values are the elements of, where they are more than one tuple."""

    values: tuple[Expr, ...]
    is_tuple: bool
    origin: Origin
    form: Any = None


@dataclass(frozen=True, eq=False, slots=True)
class Break:
    """Leaves the loop; only in text that is about to be printed (breaks.py)."""

    origin: Origin


@dataclass(frozen=True, eq=False, slots=True)
class Comment:
    """A line of the user's above its adjoint; `alone` where there is none, which is to be seen."""

    text: str
    alone: bool = False
    origin: Origin | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Slot:
    """One place where something is recorded.

    name: the value whose binding (or, with `content`, whose memory) is recorded.
    target: what is saved and restored: the name, or the elements that are overwritten.
    tape: the place is passed many times, so that what it saves is kept in a list.
    copy: what is saved is an array that will be changed in place.
    undo: for a list that grew or shrank, the call that takes this back (`$saved` in it: what was saved).
    saved: what has to be saved for that, if anything.
    sites: the memory that is written to, where it is not all that the name may be in.
    """

    name: str
    target: Expr
    content: bool = False
    tape: bool = False
    copy: bool = False
    undo: Expr | None = None
    saved: Expr | None = None
    sites: frozenset[Hashable] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Save:
    slot: Slot


@dataclass(frozen=True, eq=False, slots=True)
class Unset:
    """x = None, so that there is something to save where x has no value yet."""

    slot: Slot


@dataclass(frozen=True, eq=False, slots=True)
class Restore:
    slot: Slot


Statement = (
    Assign | Update | Do | If | For | While | Try | Finally | With | Return | Break | Comment | Save
    | Unset | Restore
)  # fmt: skip
Block = tuple[Statement, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Function:
    """A function in normal form; `parameters` are the values that hold the arguments on entry."""

    name: str
    arguments: Any
    parameters: tuple[str, ...]
    body: Block


# ------------------------------------------------------------------------------------ expressions


_READ = gast.Load()
_new_node: Callable[[Any], Any] = ast.AST.__new__


def name(identifier: str, ctx: Any = _READ) -> Expr:
    """A name, which is read: made without gast's constructor, which takes four times as long."""
    new = _new_node(gast.Name)
    new.id, new.ctx, new.annotation, new.type_comment = identifier, ctx, None, None
    return new


def placeholder(node: Any) -> Expr:
    """What stands in the place of a part that was refused."""
    return gast.copy_location(gast.Constant(Refused, None), node)


def is_value(identifier: str) -> bool:
    return "." in identifier


@functools.lru_cache(maxsize=1 << 12)
def base_name(identifier: str) -> str:
    """The user's name of a value: `x` of `x.2`."""
    return identifier.rpartition(".")[0].lstrip(".") if "." in identifier else identifier


@functools.lru_cache(maxsize=1 << 16)
def walk(node: Any) -> tuple[Any, ...]:
    """All nodes below that have parts, in the order of evaluation as far as the tree has it; no recursion.

    No node changes once it is made, so that each expression is walked once, whatever number of passes look at it.
    """
    found: list[Any] = []
    stack = [node]
    while stack:
        node = stack.pop()
        found.append(node)
        if node.__class__ is not gast.Name:
            stack += children(node)[::-1]
    return tuple(found)


def evaluated(node: Any) -> list[Any]:
    """All nodes below that have parts as they are evaluated: parts from left to right, then the whole."""
    stack: list[Any] = [node]
    found: list[Any] = []
    while stack:
        node = stack.pop()
        found.append(node)
        stack += children(node)
    return found[::-1]


def children(node: Any) -> list[Any]:
    """The nodes right below that have parts."""
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
    return found


_WITHOUT_PARTS = frozenset(
    ("arg", "attr", "conversion", "ctx", "id", "is_async", "kind", "op", "ops", "type_comment")
)


class _Parts(dict[type, tuple[str, ...]]):
    """The fields of a node of each type that may hold nodes with parts."""

    def __missing__(self, node_type: Any) -> tuple[str, ...]:
        held = () if node_type is gast.Constant else node_type._fields
        self[node_type] = tuple(field for field in held if field not in _WITHOUT_PARTS)
        return self[node_type]


_PARTS = _Parts()


@functools.lru_cache(maxsize=1 << 16)
def names_in(node: Any) -> tuple[str, ...]:
    """The names in an expression, as often as they stand there."""
    return tuple(sub.id for sub in walk(node) if type(sub) is gast.Name)


class Reads(NamedTuple):
    """The values that an expression reads of what is around it, and those that its comprehensions bind."""

    values: tuple[str, ...]
    counters: tuple[str, ...]


@functools.lru_cache(maxsize=1 << 16)
def reads_of(node: Any) -> Reads:
    counters: dict[str, None] = {}
    found: dict[str, None] = {}
    for sub in walk(node):
        if type(sub) is gast.Name:
            if "." in sub.id:
                found[sub.id] = None
        elif type(sub) is gast.comprehension:
            counters.update(dict.fromkeys(filter(is_value, target_names(sub.target))))
    return Reads(tuple(v for v in found if v not in counters), tuple(counters))


def forget() -> None:
    """Let go of the expressions and statements that were looked at."""
    for found in (walk, names_in, reads_of, mentioned, stored_names, defined_names):
        found.cache_clear()


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
    parts = _PARTS[node.__class__]
    if not parts:
        return node
    changed: dict[str, Any] = {}
    fields = node.__dict__
    for field in parts:
        old = fields.get(field)
        if old is None:
            continue
        if old.__class__ is list:
            new = [copy_expression(v, change) if isinstance(v, gast.AST) else v for v in old]
            if not all(map(operator.is_, old, new)):
                changed[field] = new
        elif isinstance(old, gast.AST) and old._fields:
            new = copy_expression(old, change)
            if new is not old:
                changed[field] = new
    return with_fields(node, changed) if changed else node


def with_fields(node: Any, changed: Mapping[str, Any]) -> Any:
    """A node like another, where it stood, with some of its fields changed."""
    new = _new_node(type(node))
    new.__dict__ = {**node.__dict__, **changed}
    return new


def root_of(target: Expr) -> Expr:
    """The innermost expression of a chain of subscripts and transposes: `x` of `x[1:].T[0]`."""
    for link in links_of(target):
        target = _inside(link)
    return target


def links_of(target: Expr) -> Iterator[Expr]:
    """The subscripts, transposes and calls of a chain, from the outermost to the one right above its root."""
    inner = _inside(target)
    while inner is not None:
        yield target
        target, inner = inner, _inside(inner)


def _inside(target: Expr) -> Expr | None:
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


def has_view_call(target: Expr) -> bool:
    """Whether a chain passes through a function that gives a view."""
    return any(isinstance(link, gast.Call) for link in links_of(target))


def owner_of(expression: Expr) -> Expr:
    """What an expression may be a view of: `x` of `x.ravel()[1:]`, of `np.reshape(x, -1)` too."""
    while True:
        match expression:
            case gast.Subscript(value=inner) | gast.Attribute(value=inner):
                expression = inner
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id="np" | "numpy")), args=[inner, *_]
            ):
                expression = inner
            case gast.Call(func=gast.Attribute(value=inner)):
                expression = inner
            case _:
                return expression


# ------------------------------------------------------------------------------------- statements


def blocks_of(statement: Statement) -> tuple[Block, ...]:
    if statement.__class__ in _LINES:
        return ()
    match statement:
        case If(body=body, orelse=orelse):
            return body, orelse
        case For(body=body) | While(body=body) | With(body=body):
            return (body,)
        case Try(body, handlers, orelse):
            return body, *(handler.body for handler in handlers), orelse
        case Finally(body, final):
            return body, final
    return ()


_LINES = frozenset((Assign, Update, Do, Return, Comment, Save, Restore, Unset, Break))


def expressions_of(statement: Statement) -> tuple[Expr, ...]:
    """The expressions a statement evaluates itself, in order, its targets last."""
    match statement:
        case Assign(target, value):
            return value, target
        case Update(target, _, value):
            return target, value
        case Do(node):
            return (node,)
        case If(test) | While(test):
            return (test,)
        case For(target, iterator):
            return iterator, target
        case With() | Try():
            return _heads(statement)
        case Return(values):
            return values
        case Restore(slot) if slot.content:
            return (slot.target,)
        case Save(slot):
            return (slot.target,)
    return ()


@functools.lru_cache(maxsize=1 << 16)
def mentioned(statement: Statement) -> tuple[str, ...]:
    """The names in what a statement evaluates itself and in its targets, as often as they stand there."""
    return tuple(n for expression in expressions_of(statement) for n in names_in(expression))


def may_raise(statement: Statement) -> bool:
    """Whether an exception may come of a statement: flags are set without."""
    match statement:
        case Assign(gast.Name(), gast.Constant()) | Comment() | Save() | Unset():
            return False
    return True


def early(
    block: Block, tail: bool = True, raises: Callable[[Statement], bool] = may_raise
) -> Iterator[Statement]:
    """The simple statements of a block after which it may still raise: what they do is seen by who catches that."""
    raising = not tail
    for statement in reversed(block):
        match statement:
            case If(_, body, orelse):
                yield from early(body, not raising, raises)
                yield from early(orelse, not raising, raises)
            case _ if blocks_of(statement):
                again = raising or raises(
                    statement
                )  # by what comes later in it, or on its next trip
                for inner in blocks_of(statement):
                    yield from early(inner, not again, raises)
            case _ if raising:
                yield statement
        raising = raising or raises(statement)


@functools.lru_cache(maxsize=1 << 16)
def stored_names(statement: Statement) -> tuple[str, ...]:
    """The names of the arrays that a statement stores to or updates itself."""
    match statement:
        case Update(gast.Name(id=identifier)):
            return (identifier,)
        case Assign(target) | Update(target):
            roots = (root_of(place) for place in store_targets(target))
            return tuple(root.id for root in roots if isinstance(root, gast.Name))
    return ()


def store_targets(target: Expr) -> Iterator[Expr]:
    """The subscripts among the targets of an assignment."""
    match target:
        case gast.Subscript():
            yield target
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            for element in elements:
                yield from store_targets(element)


def _heads(statement: With | Try) -> tuple[Expr, ...]:
    if isinstance(statement, With):
        pairs = list(statement.items)
    else:
        pairs = [(handler.type, handler.name) for handler in statement.handlers]
    return tuple(expression for pair in pairs for expression in pair if expression is not None)


def walk_statements(block: Block) -> Iterator[Statement]:
    for statement in block:
        yield statement
        if statement.__class__ not in _LINES:
            for inner in blocks_of(statement):
                yield from walk_statements(inner)


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


@functools.lru_cache(maxsize=1 << 16)
def defined_names(statement: Statement) -> tuple[str, ...]:
    """The names a statement itself binds (an update of a name binds it, too)."""
    match statement:
        case Assign(target) | Update(target) | For(target):
            return target_names(target)
        case With(items):
            return tuple(
                n for _, target in items if target is not None for n in target_names(target)
            )
        case Try(handlers=handlers):
            return tuple(h.name.id for h in handlers if h.name is not None)
        case Restore(slot) if not slot.content:
            return (slot.name,)
        case Unset(slot):
            return (slot.name,)
    return ()
