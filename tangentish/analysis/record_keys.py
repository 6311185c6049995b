"""Dicts of dicts or objects under computed keys, by a dict for each of their entries: a name is a key.

for name, p in d.items():               for name in d.x:
    p.x += dt * p.v             ->          d.x[name] += dt * d.v[name]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.record_elements import Elements
from tangentish.language.placed import at
from tangentish.language.webs import map_statement


class ByKey(Elements):
    """The lines and loops that ask such a dict for its keys."""

    def keys_asked(self, node: Any) -> Any | None:
        """`key in d`, `list(d)`, `sorted(d)`, `d.keys()`: what any of the dicts of entries answers."""
        match node:
            case gast.Compare(left=key, ops=[gast.In() | gast.NotIn()], comparators=[d]) if (
                self.is_list(d)
            ):
                changed = {"left": self.expression(key), "comparators": [self.first_list(d)]}
                return ir.with_fields(node, changed)
            case gast.Call(func=gast.Attribute(value=d, attr="keys"), args=[]) if self.is_list(d):
                return self.first_list(d)
            case gast.Call(func=gast.Name() as func, args=[d], keywords=[]) if self.is_list(d):
                known = any(self.means(func, name) for name in ("list", "sorted", "set", "tuple"))
                return ir.with_fields(node, {"args": [self.first_list(d)]}) if known else None
        return None

    def run_over_by_key(
        self, target: Any, over: Any, name: Callable[[str], str]
    ) -> tuple[Any, str | None] | None:
        """The key and the name of the value on each trip of a loop over such a dict; None for any other loop."""
        match over, target:
            case gast.Call(func=gast.Attribute(value=d, attr="items"), args=[]), gast.Tuple(
                elts=[gast.Name() as key, gast.Name(id=p)]
            ) if self.is_list(d):
                return key, p
            case gast.Call(func=gast.Attribute(value=d, attr="values"), args=[]), gast.Name(
                id=p
            ) if self.is_list(d):
                return at(ir.name(name("key"), gast.Store()), target), p
            case ((gast.Call(func=gast.Attribute(value=d, attr="keys"), args=[]) | d), _) if (
                self.is_list(d)
            ):
                return target, None
        return None

    def loop_by_key(self, loop: ir.For) -> ir.Statement:
        """A loop over the keys of a dict, with its values, or without."""
        found = self.run_over_by_key(loop.target, loop.iter, self.fresh)
        key, p = found if found is not None else (loop.target, None)
        inside = [loop, *ir.walk_statements(loop.body)]
        bound = [n for s in inside[1:] for n in ir.defined_names(s)]
        usable = found is not None and (
            p is None
            or (
                self.is_bound_once(p)
                and self.stands_only_in(p, inside)
                and self.can_be_lent(p, loop.body)
                and key.id not in bound
                and not any(map(self.changes_list, inside))
            )
        )
        if not usable:
            return map_statement(loop, self.expression, self.block)
        if p is not None:
            self.note_named(inside)
            self.places[p] = at(ir.name(key.id), loop.iter)
        stop = None if loop.stop is None else self.expression(loop.stop)
        over = self.first_list(loop.iter)
        return ir.For(key, over, self.block(loop.body), stop, loop.origin)

    def names_in_scope(self, p: str | None, expressions: list[Any]) -> bool:
        """Whether a name for a value, if there is one, may be written by its key in a comprehension."""
        bare = p is not None and any(self.stands_bare(p, e) for e in expressions)
        return not bare or self.needed.cls is not None
