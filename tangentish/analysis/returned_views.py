"""What the results of a function are views of, in terms of its parameters.

def tail(x, k):
    n = len(x) // 2
    return x[n + k:]        ->        x[len(x) // 2 + k:]
"""

from __future__ import annotations

import builtins
from collections import Counter
from typing import Any, NamedTuple

import gast
import numpy as np

from tangentish import ir
from tangentish.infer import Facts, lasts
from tangentish.kinds import buffers_of, is_array
from tangentish.kinds.sites import is_from_outside
from tangentish.language.source import Source


class ReturnedViews(NamedTuple):
    """For each result a path into a parameter; None where there is none, or it is not known.

    always: the path that the result is; otherwise: the one that it is wherever it is not made in the function.

    def unit(v): if not v.any(): return v
                 return v / norm(v)        ->        v, otherwise
    """

    always: tuple[Any, ...]
    otherwise: tuple[Any, ...]


def returned_views(function: ir.Function, facts: Facts, source: Source) -> ReturnedViews:
    written_out = _WrittenOut(function, facts, source)
    always = (p if p is None else written_out.path(p) for p in facts.returned_paths)
    otherwise = map(written_out.path_otherwise, ir.results_of(function))
    return ReturnedViews(tuple(always), tuple(otherwise))


class _Unknown(Exception):
    """A path depends on what the caller can't know."""


class _WrittenOut:
    """Expressions in which names that are bound once give way to what they are bound to."""

    def __init__(self, function: ir.Function, facts: Facts, source: Source) -> None:
        self.facts, self.source = facts, source
        self.parameters = frozenset(function.parameters)
        self.lines = list(ir.walk_statements(function.body))
        sets = (s for s in self.lines if not self.is_in_place(s))
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

    def path_otherwise(self, result: Any) -> Any | None:
        if not isinstance(result, gast.Name):
            return None
        found = {ir.dump(result): result} if result.id in self.parameters else {}
        for line in self.lines:
            if result.id not in ir.defined_names(line) or self.is_in_place(line):
                continue
            leaves = ir.leaves_of(line.target) if isinstance(line, ir.Assign) else ()
            targets = [leaf for leaf in leaves if getattr(leaf, "id", None) == result.id]
            paths = [self.path_bound(t) for t in targets if not self.is_made_here(t)]
            if not targets or None in paths:
                return None
            found |= {ir.dump(path): path for path in paths}
        return next(iter(found.values())) if len(found) == 1 else None

    def path_bound(self, target: Any) -> Any | None:
        view = self.facts.views.get(target) or self.facts.otherwise.get(target)
        return None if view is None else self.path(view)

    def is_made_here(self, target: Any) -> bool:
        return not any(is_from_outside(b.site) for b in buffers_of(self.facts.kind(target)))

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
