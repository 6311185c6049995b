"""Lists of dicts or objects, by a list for each of their entries.

    ps = []                                 ps_x, ps_v = [], []
    ps.append(Body(x, v))         ->        ps_x.append(x); ps_v.append(v)
    for p in ps:                            for i in range(len(ps_x)):
        p.x += dt * p.v                         ps_x[i] += dt * ps_v[i]

Such a list is a dict of lists to all passes, made by a `RecordsDisplay`; analysis/records.py writes the lines so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.language.lifted import Instance
from tangentish.language.nested import Closure
from tangentish.language.placed import at
from tangentish.language.ways import Way, way_of


class RecordsDisplay(gast.expr):  # type: ignore[misc]
    """A list of dicts or objects, by the lists of their entries; `of` is their class."""

    _fields = ("keys", "values", "of")

    keys: list[Any]
    values: list[Any]
    of: type


class Lent(Instance):
    """An element of such a list, as it stands at `index` of what `records` leads to: nobody may keep it.

    keyed: that is a dict, and the index a key.
    """

    _fields = ("keys", "values", "cls", "of", "records", "index", "keyed")  # type: ignore[assignment]

    records: Any
    index: Any
    keyed: bool

    @property
    def way(self) -> Way:
        """The way to its list."""
        found = way_of(self.records)
        assert found is not None
        return replace(found, keyed=self.keyed)


def list_of_entry(records: Way, key: Any, node: Any) -> Any:
    """The list, or dict, that holds one entry of all elements."""
    if records.keyed:
        return at(gast.Attribute(records.node(node), str(key), gast.Load()), node)
    constant = at(gast.Constant(key, None), node)
    return at(gast.Subscript(records.node(node), constant, gast.Load()), node)


def entry_of_element(records: Way, key: Any, index: Any, node: Any, ctx: Any) -> Any:
    """`p.x` of the element at an index."""
    return at(gast.Subscript(list_of_entry(records, key, node), index, ctx), node)


def copied(node: Any, means: Callable[[Any, str], bool]) -> Any | None:
    """What an expression copies, element by element: `list(ps)`, `tuple(ps)`, `ps[:]`, `ps.copy()`, `[p for p in ps]`.

    means: whether a function is the builtin of a name.
    """
    match node:
        case gast.Call(func=gast.Name() as func, args=[xs], keywords=[]) if means(
            func, "list"
        ) or means(func, "tuple"):
            return xs
        case gast.Call(func=gast.Attribute(value=xs, attr="copy"), args=[], keywords=[]):
            return xs
        case gast.Subscript(value=xs, slice=gast.Slice(lower=None, upper=None, step=None)):
            return xs
        case gast.List(elts=[gast.Starred(value=xs)]):
            return xs
        case gast.ListComp(
            elt=gast.Name(id=p),
            generators=[gast.comprehension(target=gast.Name(id=q), iter=xs, ifs=[])],
        ) if p == q:
            return xs
    return None


def captured_in(function: ir.Function) -> set[str]:
    """The values that functions inside of this one have, too."""
    closures = ir.nodes_within(function.body, Closure)
    return {name.id for closure in closures for name in closure.captured}


def asked_in(statement: ir.Statement) -> Iterator[Any]:
    """The expressions of a statement, and the places that it stores to; names that it binds are no question."""
    match statement:
        case ir.For(iter=over):
            yield over
        case ir.Assign(target, value):
            yield value
            targets = [target]
            while targets:
                one = targets.pop()
                if isinstance(one, (gast.Tuple, gast.List)):
                    targets += one.elts
                elif not isinstance(one, gast.Name):
                    yield one
        case _:
            yield from ir.expressions_of(statement)
