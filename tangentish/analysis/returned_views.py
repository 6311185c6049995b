"""What the results of a function are views of, in terms of its parameters.

def tail(x, k):
    n = len(x) // 2
    return x[n + k:]        ->        x[len(x) // 2 + k:]
"""

from __future__ import annotations

import builtins
from collections import Counter
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer import Facts, lasts
from tangentish.kinds import is_array
from tangentish.language.source import Source


def paths_into_parameters(function: ir.Function, facts: Facts, source: Source) -> tuple[Any, ...]:
    """For each result the path that it is into a parameter; None where there is none, or it is not known."""
    written_out = _WrittenOut(function, facts, source)
    return tuple(None if path is None else written_out.path(path) for path in facts.returned_paths)


class _Unknown(Exception):
    """A path depends on what the caller can't know."""


class _WrittenOut:
    """Expressions in which names that are bound once give way to what they are bound to."""

    def __init__(self, function: ir.Function, facts: Facts, source: Source) -> None:
        self.facts, self.source = facts, source
        self.parameters = frozenset(function.parameters)
        lines = list(ir.walk_statements(function.body))
        sets = (s for s in lines if not self.is_in_place(s))
        bound = Counter((*function.parameters, *(n for s in sets for n in ir.defined_names(s))))
        self.once = frozenset(n for n, count in bound.items() if count == 1)
        self.values = {
            s.target.id: s.value
            for s in function.body
            if isinstance(s, ir.Assign) and isinstance(s.target, gast.Name)
        }

    def is_in_place(self, statement: ir.Statement) -> bool:
        """`x += y` of what is an array for sure: the name stays bound to it."""
        if not isinstance(statement, ir.Update):
            return False
        kind = self.facts.kind(statement.target)
        return is_array(kind)

    def path(self, path: Any) -> Any | None:
        root = ir.root_of(path)
        names = {n for n in ir.names_in(path) if ir.is_value(n)}
        if not isinstance(root, gast.Name) or root.id not in self.parameters & self.once:
            return None  # what is bound anew here is not what the caller gave
        if names == {root.id} and root is path:
            return path
        try:
            return ir.copy_expression(path, lambda node: self.changed(node, root))
        except _Unknown:
            return None

    def changed(self, node: Any, root: Any) -> Any | None:
        if type(node) is not gast.Name or node is root:
            return None
        if not ir.is_value(node.id):
            return self.outside(node)
        if node.id in self.parameters and node.id in self.once:
            return node
        value = self.values.get(node.id)
        if value is None or node.id not in self.once:
            raise _Unknown
        if not lasts(gast.Subscript(root, value, gast.Load()), self.facts):
            raise _Unknown
        return ir.copy_expression(value, lambda inner: self.changed(inner, root))

    def outside(self, node: Any) -> Any:
        """A name of NumPy or Python that means the same to the caller."""
        if node.id.startswith("$"):
            return node
        try:
            value = self.source.lookup(node.id)
        except NameError:
            raise _Unknown from None
        if value is np:
            return ir.name("$np")
        if value is getattr(builtins, node.id, None):
            return ir.name(f"${node.id}")
        raise _Unknown
