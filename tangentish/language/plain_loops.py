"""Loops over what gives its items one by one, in plainer ones: each item is what it is when its trip begins."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.chained import COMING_LATE, function_of_itertools
from tangentish.language.generated_loops import generators_along, is_plain, looped, looped_along
from tangentish.language.named_members import Find, named_member
from tangentish.language.nested import Closure
from tangentish.language.source import Source
from tangentish.language.stored_last import may_change_something
from tangentish.language.taken_first import taken_first, with_copies
from tangentish.language.undisturbed import disturbed, is_undisturbed

# What gives a list or an array of its own.
_MAKING = (
    range, list, sorted, np.array, np.sort, np.cumsum, np.diff, np.roll, np.linspace, np.arange,
)  # fmt: skip
_COPYING = ("copy", "flatten", "tolist")


@dataclass
class PlainLoops:
    """The loops of one function.

    found: what a name stands for outside of the function; unused: a name that it has no other use for.
    """

    source: Source
    refuse: Callable[[str, Any], None]
    found: Find
    unused: Callable[[str], str]
    variables: set[str] = field(default_factory=set)  # those of generators, bound by loops

    def plainer(self, loop: Any, source: Any) -> Any | None:
        """A loop over `source` as a plainer one; None where it is plain."""
        if isinstance(source, gast.GeneratorExp):
            return looped(loop, source, self.own_variable)
        if _has_starred(source):
            return self.marked(loop, source)
        generators = generators_along(source, self.found)
        if generators and all(map(is_plain, generators)):
            return looped_along(loop, source, self.own_variable, self.is_quiet, self.may_read)
        if any(self.is_disturbed(loop, part) for part in generators):
            self.refuse("the loop may change what this generator reads: make it a list", source)
        if any(self.remembers(part) and self.is_disturbed(loop, part) for part in ir.walk(source)):
            self.refuse("the loop may change what pairwise remembers: make it a list", source)
        return self.marked(loop, source) or self.over_copies(loop, source)

    def is_quiet(self, call: Any) -> bool:
        return not may_change_something(call, self.found)

    def may_read(self, element: Any, names: set[str]) -> bool:
        """Whether an expression reads a variable of these names, or calls what may share it with this function."""
        code = self.source.function.__code__
        shared = names - set(code.co_varnames) | names.intersection(code.co_cellvars)
        return not names.isdisjoint(ir.names_in(element)) or bool(
            shared and not self.is_quiet(element)
        )

    def marked(self, loop: Any, source: Any) -> Any | None:
        """A loop over calls that compute their items one by one, and that it may disturb, with those calls marked."""
        late = [part for part in ir.walk(source) if self.comes_late(part)]
        if any(self.is_disturbed(loop, part) for part in late):
            return ir.with_fields(loop, {"iter": disturbed(source, self.comes_late)})
        return None

    def remembers(self, node: Any) -> bool:
        """Whether a call is one of pairwise, whose pairs begin with what was read on the trip before."""
        if type(node) is not gast.Call or not node.args:
            return False
        function = function_of_itertools(node.func, self.found)
        return function is itertools.pairwise and not self.is_made(node.args[0])

    def is_made(self, node: Any) -> bool:
        """Whether an expression gives what is nobody else's: `x.ravel()` and `np.asarray(x)` may give x."""
        if not isinstance(node, gast.Call):
            return isinstance(node, (gast.BinOp, gast.UnaryOp, gast.List, gast.ListComp))
        function = named_member(node.func, np, self.found)
        copied = isinstance(node.func, gast.Attribute) and node.func.attr in _COPYING
        new = any(function is one for one in _MAKING) or isinstance(function, np.ufunc)
        return (new or copied) and not node.keywords

    def comes_late(self, node: Any) -> bool:
        """Whether the items of a call are computed one by one, in a way that is not written out here."""
        if type(node) is not gast.Call:
            return False
        if _has_starred(node) and isinstance(node.func, gast.Name):
            return self.found(node.func.id) is zip
        function = function_of_itertools(node.func, self.found)
        return any(function is one for one in COMING_LATE)

    def over_copies(self, loop: Any, source: Any) -> Any | None:
        """A loop over pairs of what it may change itself: they are pairs of the items at its beginning."""

        def change(node: Any) -> Any | None:
            if not (isinstance(node, gast.Call) and taken_first(node, self.found)):
                return None
            return with_copies(node, lambda part: self.is_disturbed(loop, part))

        new = ir.copy_expression(source, change)
        return None if new is source else ir.with_fields(loop, {"iter": new})

    def is_disturbed(self, loop: Any, source: Any) -> bool:
        """Whether a loop may change what an expression reads, or what functions inside read."""
        items = ir.target_names(loop.target)
        names = set(ir.names_in(source))
        code = self.source.function.__code__
        shared = {*code.co_cellvars, *code.co_freevars}
        if names & self.functions:
            names |= shared
        if names & shared and any(map(self.calls_inside, loop.body)):
            return True
        done = (loop.target, *loop.body)  # on each trip
        return not is_undisturbed(done, names, self.source.tree, self.found, items)

    def calls_inside(self, statement: Any) -> bool:
        """Whether a statement may call a function that stands in this one, or beside it."""
        found = (
            isinstance(node, Closure) or getattr(node, "id", None) in self.functions
            for node in gast.walk(statement)
        )
        return any(found) or bool(self.source.function.__code__.co_freevars)

    @cached_property
    def functions(self) -> set[str]:
        """The names of the functions that stand in this one, which may read any variable that they share with it."""
        tree = self.source.tree
        defined = {node.name for node in gast.walk(tree) if isinstance(node, gast.FunctionDef)}
        return defined | {name for node in gast.walk(tree) for name in _named(node)}

    def own_variable(self, name: str) -> str:
        """A name for a variable of a generator, which becomes one of the function's."""
        name = self.unused(name)
        while name in self.variables:
            name += "_"
        self.variables.add(name)
        return name


def _has_starred(node: Any) -> bool:
    return isinstance(node, gast.Call) and ir.has_star(node.args)


def _named(node: Any) -> list[str]:
    """The names that an assignment of functions gives them."""
    match node:
        case gast.Assign(targets=targets, value=value) if any(
            isinstance(part, gast.Lambda) for part in ir.walk(value)
        ):
            return [name for target in targets for name in ir.target_names(target)]
    return []
