"""Whether a function takes all items of a parameter once, so that a list of them does for what gives each once.

def mean(vs):                         mean(v * v for v in x)    ->    mean([v * v for v in x])
    total = 0.0
    for v in vs: total += v
    return total / 9

What the function does before it has them all is said, too: it must not tell when they are made.
"""

from __future__ import annotations

import itertools
import math
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.errors import NotDifferentiable
from tangentish.language.binding import parameter_names
from tangentish.language.generators import is_generator, listing
from tangentish.language.leaving import has_break, has_return
from tangentish.language.named_members import Find, named_member
from tangentish.language.scopes import COMPREHENSIONS
from tangentish.language.source import read_source
from tangentish.language.undisturbed import is_undisturbed

_ALL = (list, tuple, sum, max, min, sorted, set, math.fsum, math.prod, np.fromiter)
_ANY = (any, all)
_ALONG = (enumerate, zip, map, filter, itertools.accumulate, itertools.chain)
_CLOSED = (
    gast.While, gast.FunctionDef, gast.Lambda, gast.ClassDef, gast.Try, gast.With, gast.For, *COMPREHENSIONS,
)  # fmt: skip
_CHOOSING = (gast.If, gast.IfExp, gast.BoolOp)
DEEPEST = 4  # functions that hand on what they are given


@dataclass(frozen=True)
class Taking:
    """early: whether some items may be left; before: what is evaluated until the last is taken."""

    early: bool
    before: tuple[Any, ...]


def takes_whole(
    function: types.FunctionType, name: str, only_reads: Callable[[Any], bool], depth: int = DEEPEST
) -> Taking | None:
    """How a function takes the items of a parameter, where nobody else can tell when these are made."""
    try:
        source = read_source(function)
    except NotDifferentiable:  # made by exec, as the __init__ of a dataclass is
        return None
    tree = listing(source.tree, function)[0] if is_generator(function) else source.tree
    if any(isinstance(node, (gast.Global, gast.Nonlocal)) for node in gast.walk(tree)):
        return None
    found = _Reader(tree, source.found, only_reads, depth).taking(name)
    if found is None or not is_undisturbed(
        found.before, (), tree, source.found, (), lambda n: only_reads(source.found(n))
    ):
        return None
    return found


class _Reader:
    """What is around a name in a function."""

    def __init__(
        self, tree: Any, find: Find, only_reads: Callable[[Any], bool], depth: int
    ) -> None:
        self.tree, self.find, self.only_reads, self.depth = tree, find, only_reads, depth
        self.around = {id(c): node for node in gast.walk(tree) for c in gast.iter_child_nodes(node)}

    def taking(self, name: str) -> Taking | None:
        for k, line in enumerate(self.tree.body):
            uses = [n for n in gast.walk(line) if isinstance(n, gast.Name) and n.id == name]
            if uses:
                later = (n for rest in self.tree.body[k + 1 :] for n in gast.walk(rest))
                alone = not any(isinstance(n, gast.Name) and n.id == name for n in later)
                return self.on_line(line, name, uses, alone, self.tree.body[:k])
        return None

    def on_line(
        self, line: Any, name: str, uses: list[Any], alone: bool, before: list[Any]
    ) -> Taking | None:
        read = [use for use in uses if isinstance(use.ctx, gast.Load)]
        again = isinstance(line, gast.Assign) and ir.is_name(line.targets[0], name)
        if len(read) != 1 or len(uses) - 1 != again or not (alone or again):
            return None
        found = self.taken(read[0], line)
        return found and Taking(found.early, (*before, *found.before))

    def taken(self, node: Any, line: Any) -> Taking | None:
        """What takes the items of an expression, and all around that up to a line of the function."""
        above, early = self.around[id(node)], False
        while isinstance(above, gast.Call) and self.is_one(above.func, _ALONG):
            early = early or (self.is_one(above.func, (zip, map)) and len(above.args) > 1)
            node, above = above, self.around[id(above)]
        between: tuple[Any, ...] = ()
        taker = None
        match above:
            case gast.For(iter=over) if over is node:
                early = early or has_break(above) or has_return(above)
                between = (above.target, *above.body)
            case gast.comprehension(iter=over) if over is node:
                above = self.around[id(above)]
                if isinstance(above, gast.GeneratorExp):
                    inner = self.taken(above, line)
                    return inner and Taking(early or inner.early, inner.before)
            case gast.Call():
                inner = self.of_call(above, node)
                if inner is None:
                    return None
                early, taker = early or inner.early, above
            case gast.Starred() | gast.Assign(targets=[gast.Tuple() | gast.List()]):
                pass
            case _:
                return None
        for outer in self.up_to(above, line):
            if isinstance(outer, _CLOSED):
                return None
            early = early or isinstance(outer, _CHOOSING)
        return Taking(early, between if above is line else (_evaluated(line, taker),))

    def of_call(self, call: Any, node: Any) -> Taking | None:
        """The same of a call that is given what gives the items."""
        if self.is_one(call.func, (*_ALL, *_ANY)):
            whole = bool(call.args) and call.args[0] is node
            return Taking(self.is_one(call.func, _ANY), ()) if whole else None
        called = self.find(call.func.id) if isinstance(call.func, gast.Name) else None
        plain = isinstance(called, types.FunctionType) and node in call.args and self.depth
        if not plain or is_generator(called) or ir.has_star(call.args):
            return None
        assert isinstance(called, types.FunctionType)
        names = list(parameter_names(called))[: called.__code__.co_argcount]
        place = call.args.index(node)
        if place >= len(names):
            return None
        found = takes_whole(called, names[place], self.only_reads, self.depth - 1)
        return found and Taking(found.early, ())

    def is_one(self, func: Any, functions: tuple[Any, ...]) -> bool:
        """Whether an expression is one of these functions."""
        if isinstance(func, gast.Name):
            called = self.find(func.id.removeprefix("$"))
        else:
            modules = (math, np, itertools)
            called = next((f for m in modules if (f := named_member(func, m, self.find))), None)
        return any(called is one for one in functions)

    def up_to(self, node: Any, line: Any) -> Iterator[Any]:
        while node is not line:
            node = self.around[id(node)]
            yield node


def _evaluated(line: Any, taker: Any) -> Any:
    """What a line evaluates before a call takes the items: what it does with them, and what it binds, comes after."""
    if not isinstance(getattr(line, "value", None), gast.AST):
        return line

    def change(node: Any) -> Any | None:
        return gast.Tuple([*node.args], gast.Load()) if node is taker else None

    return ir.copy_expression(line.value, change)
