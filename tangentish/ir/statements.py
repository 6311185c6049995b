"""The forms of statements, and what may be asked of one or of a block of them."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import gast

from tangentish.ir.expressions import Expr, names_in, root_of, store_targets, target_names, walk
from tangentish.ir.unchanging import unchanging


@dataclass(frozen=True, slots=True)
class Origin:
    """Where in the user's file a statement comes from, and the text of that line."""

    node: Any
    text: str


@unchanging
class Assign:
    target: Expr
    value: Expr
    origin: Origin


@unchanging
class Update:
    target: Expr
    op: Any
    value: Expr
    origin: Origin


class Matched(gast.And):  # type: ignore[misc]
    """The `and` of the tests that a pattern is: those whose answer is known go without saying."""


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


@unchanging
class Do:
    node: Any
    origin: Origin


@unchanging
class If:
    test: Expr
    body: Block
    orelse: Block
    origin: Origin


@unchanging
class For:
    target: Expr
    iter: Expr
    body: Block
    stop: Expr | None
    origin: Origin


@unchanging
class While:
    test: Expr
    body: Block
    stop: Expr | None
    origin: Origin


@unchanging
class Handler:
    """`except type as name: body`"""

    type: Expr | None
    name: Expr | None
    body: Block


@unchanging
class Try:
    body: Block
    handlers: tuple[Handler, ...]
    orelse: Block
    origin: Origin


@unchanging
class Finally:
    body: Block
    final: Block
    origin: Origin


@unchanging
class With:
    """`items` are pairs of a context manager and a target, or None."""

    items: tuple[tuple[Expr, Expr | None], ...]
    body: Block
    origin: Origin


@unchanging
class Return:
    """`form`: the containers that the values are the elements of, where they are more than one tuple."""

    values: tuple[Expr, ...]
    is_tuple: bool
    origin: Origin
    form: Any = None


@unchanging
class Break:
    """Leaves the loop; only in text that is about to be printed (folding/breaks.py)."""

    origin: Origin


@unchanging
class Comment:
    """A line of the user's above its adjoint, or several; `alone` where there is none, which is to be seen."""

    text: str
    alone: bool = False
    origin: Origin | None = None


@unchanging
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


@unchanging
class Save:
    slot: Slot


@unchanging
class Unset:
    """x = None, so that there is something to save where x has no value yet."""

    slot: Slot


@unchanging
class Restore:
    slot: Slot


Statement = (
    Assign | Update | Do | If | For | While | Try | Finally | With | Return | Break | Comment | Save
    | Unset | Restore
)  # fmt: skip
Block = tuple[Statement, ...]


@unchanging
class Function:
    """A function in normal form; `parameters` are the values that hold the arguments on entry."""

    name: str
    arguments: Any
    parameters: tuple[str, ...]
    body: Block


def blocks_of(statement: Statement) -> tuple[Block, ...]:
    if statement.__class__ in LINES:
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


LINES = frozenset((Assign, Update, Do, Return, Comment, Save, Restore, Unset, Break))
"""The statements without blocks: nearly all."""


@functools.cache
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


@functools.cache
def mentioned(statement: Statement) -> tuple[str, ...]:
    """The names in what a statement evaluates itself and in its targets, as often as they stand there."""
    return tuple(chain.from_iterable(map(names_in, expressions_of(statement))))


def mentioned_within(statement: Statement) -> tuple[str, ...]:
    """The same, of the statements inside it, too."""
    if statement.__class__ in LINES:
        return mentioned(statement)
    return tuple(chain.from_iterable(map(mentioned, walk_statements((statement,)))))


@functools.cache
def stored_names(statement: Statement) -> tuple[str, ...]:
    """The names of the arrays that a statement stores to or updates itself."""
    match statement:
        case Update(gast.Name(id=identifier)):
            return (identifier,)
        case Assign(target) | Update(target):
            roots = map(root_of, store_targets(target))
            return tuple([root.id for root in roots if isinstance(root, gast.Name)])
    return ()


def changed_in_place(statement: Statement) -> tuple[str, ...]:
    """The names of what a statement changes in place, or may change."""
    match statement:
        case Do(node):
            return tuple(names_in(node))
        case Restore(slot):
            return (slot.name,)
    return stored_names(statement)


def _heads(statement: With | Try) -> tuple[Expr, ...]:
    if isinstance(statement, With):
        pairs = list(statement.items)
    else:
        pairs = [(handler.type, handler.name) for handler in statement.handlers]
    return tuple(expression for pair in pairs for expression in pair if expression is not None)


def blocks_within(block: Block) -> Iterator[Block]:
    """A block, and the blocks inside of its statements."""
    yield block
    for statement in block:
        for inner in blocks_of(statement):
            yield from blocks_within(inner)


def walk_statements(block: Block) -> Block:
    """The statements of a block, each with those inside it behind it; no recursion, which costs by the depth.

    Several passes look at a block before one makes it anew: it is walked once.
    """
    if len(block) == 1 and block[0].__class__ in LINES:
        return block
    return walked(block)


@functools.lru_cache(maxsize=64)
def walked(block: Block) -> Block:
    if LINES.issuperset(map(type, block)):
        return block
    found: list[Statement] = []
    pending = [iter(block)]
    while pending:
        for statement in pending[-1]:
            found.append(statement)
            if statement.__class__ not in LINES:
                pending += map(iter, reversed(blocks_of(statement)))
                break
        else:
            pending.pop()
    return tuple(found)


def nodes_in(*statements: Statement) -> list[Expr]:
    """All nodes of the expressions of statements, without those of the statements inside these."""
    return [node for s in statements for e in expressions_of(s) for node in walk(e)]


def nodes_within(block: Block, *types: type) -> list[Expr]:
    """The nodes of these types in the expressions of a block, and in those of the statements inside it.

    They are sorted by type once, for all who look for some.
    """
    found = grouped(block)
    return [node for each, nodes in found.items() if issubclass(each, types) for node in nodes]


@functools.lru_cache(maxsize=64)
def grouped(block: Block) -> Mapping[type, Sequence[Expr]]:
    found: dict[type, list[Expr]] = defaultdict(list)
    for statement in walk_statements(block):
        for expression in expressions_of(statement):
            for node in walk(expression):
                found[node.__class__].append(node)
    return dict(found)


@functools.lru_cache(maxsize=64)
def lines_with(block: Block) -> Mapping[str, Sequence[int]]:
    """The places of the lines of a block by the names that these mention, what is inside of them included."""
    found: dict[str, list[int]] = defaultdict(list)
    for k, line in enumerate(block):
        for name in {n for s in walk_statements((line,)) for n in mentioned(s)}:
            found[name].append(k)
    return dict(found)


@functools.lru_cache(maxsize=64)
def bound_within(block: Block) -> frozenset[str]:
    """The names that a block binds, what is inside of its lines included."""
    return frozenset(n for s in walk_statements(block) for n in defined_names(s))


@functools.cache
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


def mentions(block: Block, others: Iterable[Expr] = ()) -> Counter[str]:
    """How often names stand in the statements of a block, in those inside them too, and in other expressions."""
    found = _count(block, mentioned)
    found.update(chain.from_iterable(map(names_in, others)))
    return found


def definitions(block: Block) -> Counter[str]:
    """How often the statements of a block, and those inside them, bind names."""
    return _count(block, defined_names)


def _count(block: Block, names_of: Callable[[Statement], Iterable[str]]) -> Counter[str]:
    if len(block) == 1 and block[0].__class__ in LINES:
        return Counter(names_of(block[0]))
    return counted(block, names_of).copy()


@functools.lru_cache(maxsize=64)
def counted(block: Block, names_of: Callable[[Statement], Iterable[str]]) -> Counter[str]:
    """How often each name is there: several passes ask, and most of them leave a block as it is."""
    return Counter(chain.from_iterable(map(names_of, walk_statements(block))))


def last_return(block: Block) -> Return | None:
    """The return at the end of a function, if it has one."""
    last = block[-1] if block else None
    return last if isinstance(last, Return) else None


def results_of(function: Function) -> tuple[Expr, ...]:
    """What a function returns."""
    last = last_return(function.body)
    return () if last is None else last.values


def returns_tuple(function: Function) -> bool:
    """Whether a function returns a tuple of its results, not one value, which may be a tuple as a whole."""
    last = last_return(function.body)
    return last is not None and last.is_tuple


def is_procedure(function: Function) -> bool:
    """Whether the function itself returns nothing."""
    last = last_return(function.body)
    return last is None or last.origin.node is None
