"""An iterator that has a name for one loop, or one call, stands there itself.

pairs = zip(x, y)                    ->    s = 0.0
s = 0.0                                    for a, b in zip(x, y):
for a, b in pairs:

squares = (v * v for v in x)         ->    return sum((v * v for v in x))
return sum(squares)

It runs where its items are taken in either case. Between the two lines only names are given, to what is there and to
empty containers, and the line that takes them evaluates nothing before that could tell. A generator of the user's that
is given variables of the function, and no more, may stand after any lines that bind none of them: it runs a line of its
own only when it is asked for an item.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.evaluated import evaluated
from tangentish.language.generators import is_generator
from tangentish.language.named_members import Find, named_member
from tangentish.language.nested import Closure, bound_names
from tangentish.language.patterns import names_given
from tangentish.language.placed import rebuilt
from tangentish.language.rewriting import Rewriting

_MAKING = (
    enumerate, filter, iter, map, reversed, zip, itertools.accumulate, itertools.chain, itertools.combinations,
    itertools.combinations_with_replacement, itertools.islice, itertools.pairwise, itertools.permutations,
    itertools.product, itertools.starmap, itertools.takewhile, itertools.dropwhile, itertools.zip_longest,
)  # fmt: skip


def without_named_iterators(statements: Sequence[Any], tree: Any, find: Find) -> list[Any]:
    """The statements with such iterators where they are run over; tree: the whole function, with its parameters."""
    if not any(_names_iterator(line, find) for line in ir.nodes_of(statements, gast.Assign)):
        return list(statements)
    nodes = list(gast.walk(tree))
    uses = Counter(node.id for node in nodes if isinstance(node, gast.Name))
    declared = {
        n for node in nodes if isinstance(node, (gast.Global, gast.Nonlocal)) for n in node.names
    }
    once = {name for name, count in uses.items() if count == 2} - declared
    local = set(bound_names(tree.args, tree.body)) - declared
    return _InPlace(once, local, find).block(statements)


class _InPlace(Rewriting):
    """Rewriting: blocks in which a line names an iterator, and one that follows runs over it.

    names: those that occur twice, bound and read; local: those that the function binds, and nobody else.
    """

    def __init__(self, names: set[str], local: set[str], find: Find) -> None:
        self.names, self.local, self.find = names, local, find

    def block(self, statements: Sequence[Any]) -> list[Any]:
        left = list(statements)
        for place in reversed(range(len(left))):
            named = self.named(left[place])
            user = None if named is None else self.user(left, place, *named)
            if named is not None and user is not None:
                left[user] = _put(left[user], *named)
                del left[place]
        return super().block(left)

    def named(self, statement: Any) -> tuple[str, Any] | None:
        """The name that a line gives to an iterator, and that."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name in self.names:
                return (name, value) if _is_iterator(value, self.find) else None
        return None

    def user(self, statements: Sequence[Any], place: int, name: str, value: Any) -> int | None:
        """Where it is run over, if nothing before that may change what it reads."""
        read = set(ir.names_in(value))
        waits = self.waits(value)
        for k in range(place + 1, len(statements)):
            if _reads(_first(statements[k]), name):
                return k if _comes_first(_first(statements[k]), name) else None
            passes = waits and not read & set(_bound_in(statements[k]))
            if not (passes or _only_names(statements[k], read)):
                return None
        return None

    def waits(self, value: Any) -> bool:
        """Whether it makes no difference when the call is, as long as the variables that it is given are the same."""
        match value:
            case gast.Call(func=gast.Name(id=called)) if is_generator(self.find(called)):
                given = (*value.args, *(k.value for k in value.keywords))
                return called not in self.local and all(map(self.is_the_same, given))
        return False

    def is_the_same(self, value: Any) -> bool:
        """`x`, `2.0`: what no line changes that does not bind it."""
        is_local = isinstance(value, gast.Name) and value.id in self.local
        return is_local or isinstance(value, gast.Constant)


def _comes_first(value: Any, name: str) -> bool:
    """Whether an expression evaluates nothing before this name that could make a difference to it, and it once."""
    if isinstance(value, gast.Name):
        return bool(value.id == name)
    for part in _in_order(value):
        if _reads(part, name):
            return _comes_first(part, name)
        if not _is_plain(part):
            return False
    return False


def _in_order(value: Any) -> list[Any]:
    """What an expression evaluates whenever it is, in order."""
    match value:
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            return [value.generators[0].iter]
        case gast.Lambda() | Closure() | gast.NamedExpr() | gast.Yield() | gast.YieldFrom():
            return []
        case gast.IfExp(test=first) | gast.BoolOp(values=[first, *_]) | gast.Compare(left=first):
            return [first]
    return evaluated(value)


def _is_plain(value: Any) -> bool:
    """`k`, `np.sin`, `x[0]`, `2.0`: what is read, and no more."""
    match value:
        case gast.Attribute(value=inner):
            return _is_plain(inner)
        case gast.Subscript(value=inner, slice=index):
            return _is_plain(inner) and _is_plain(index)
    return isinstance(value, (gast.Name, gast.Constant, gast.Lambda, Closure))


def _names_iterator(line: Any, find: Find) -> bool:
    match line:
        case gast.Assign(targets=[gast.Name()], value=value):
            return _is_iterator(value, find)
    return False


def _is_iterator(value: Any, find: Find) -> bool:
    match value:
        case gast.GeneratorExp():
            return True
        case gast.Call(func=gast.Name(id=name)) if is_generator(find(name)):
            return True
        case gast.Call(func=func):
            function = named_member(func, itertools, find)
            return any(function is one for one in _MAKING)
    return False


def _put(statement: Any, name: str, value: Any) -> Any:
    """The line with the iterator in the place of its name."""

    def stands(node: Any) -> Any | None:
        return value if isinstance(node, gast.Name) and node.id == name else None

    first = _first(statement)
    put = ir.copy_expression(first, stands)
    return rebuilt(statement, lambda part: put if part is first else part)


def _first(statement: Any) -> Any:
    """What a line evaluates first, and once."""
    match statement:
        case gast.For(iter=value) | gast.If(test=value):
            return value
        case gast.Assign(value=value) | gast.Return(value=value) | gast.Expr(value=value):
            return value
        case gast.AugAssign(target=gast.Name(), value=value):
            return value
    return None


def _reads(value: Any, name: str) -> bool:
    return value is not None and name in ir.names_in(value)


def _only_names(statement: Any, read: set[str]) -> bool:
    """`s, xs = x[0], []`, of names that the iterator does not read."""
    match statement:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)):
            pass
        case gast.Assign(targets=[target], value=value):
            targets, values = [target], [value]
        case _:
            return False
    named = all(isinstance(t, gast.Name) and t.id not in read for t in targets)
    return named and all(_is_plain(v) or _is_empty_list(v) for v in values)


def _bound_in(statement: Any) -> Iterator[str]:
    """The names that a line binds, or lines within it, and those that functions and comprehensions in it do."""
    for node in gast.walk(statement):
        match node:
            case gast.Name(id=name, ctx=gast.Store() | gast.Del()):
                yield name
            case gast.FunctionDef(name=name) | gast.ClassDef(name=name):
                yield name
            case gast.alias(name=name, asname=asname):
                yield (asname or name).partition(".")[0]
            case gast.Match(cases=cases):
                yield from names_given(cases)


def _is_empty_list(value: Any) -> bool:
    return isinstance(value, gast.List) and not value.elts
