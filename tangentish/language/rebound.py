"""Variables that functions inside bind anew: each is an entry of a container that all of them share.

Before:                                     After (language/normal.py sees):

    def count(x):                               def count(x):
        total = 0.0                                 .total = <cell>
        def add(t):                                 .total["total"] = 0.0
            nonlocal total                          def add(t):
            total += t * t                              .total["total"] += t * t
        add(x)                                      add(x)
        return total                                return .total["total"]

So a call of `add` hands the new value back, as it does where it stores to a dict that it captures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.language.declared import identifier
from tangentish.language.placed import all_at, assign_at

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
_SCOPES = (*FUNCTIONS, gast.ClassDef)


class CellDisplay(gast.Dict):  # type: ignore[misc]
    """What holds a variable of this function that functions inside bind."""


@dataclass(frozen=True)
class Rebound:
    """The variables of one function that it shares so, and the cells that they are entries of.

    own: the cells that it makes; the others it is given.
    """

    cells: Mapping[str, str]
    own: tuple[str, ...] = ()

    def changed(self, node: Any) -> Any | None:
        """What stands in the place of such a variable."""
        if not (isinstance(node, gast.Name) and node.id in self.cells):
            return None
        cell = gast.copy_location(ir.name(self.cells[node.id]), node)
        key = gast.copy_location(gast.Constant(node.id, None), node)
        return gast.copy_location(gast.Subscript(cell, key, node.ctx), node)

    def made(self, tree: Any, parameters: Sequence[str]) -> Iterator[Any]:
        """The cells of a function; the variable may be one of its parameters."""
        for name in self.own:
            given = [name] if name in parameters else []
            keys: list[Any] = [gast.Constant(n, None) for n in given]
            display = CellDisplay(keys, [ir.name(n) for n in given])
            yield assign_at(self.cells[name], all_at(display, tree), tree)

    def without_declarations(self, node: Any) -> Any | None:
        """A `nonlocal` line for the names that stand outside of all these functions."""
        names = [name for name in node.names if identifier(name) not in self.cells]
        return gast.copy_location(type(node)(names), node) if names else None

    def refusals(self, statements: Sequence[Any]) -> Iterator[Refusal]:
        """Other ways to bind such a variable than by =."""
        nodes = [node for statement in statements for node in _own_nodes(statement)]
        plainly = {name for node in nodes for name in _assigned(node)}
        for node in nodes:
            bound = isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)
            name = node.id if bound else getattr(node, "name", None)
            if name in self.cells and node not in plainly:
                message = f"'{name}' is bound by a function inside, too: bind it with ="
                yield Refusal(message, node)


def cell_name(variable: str) -> str:
    """The name of the cell of a variable; nothing else is called so."""
    return f".{variable}@"


def held_in(value: str) -> str | None:
    """The variable of which a value is the cell, if it is one."""
    name = ir.base_name(value)
    return name.removesuffix("@") if name.endswith("@") else None


def declared_nonlocal(statements: Sequence[Any]) -> frozenset[str]:
    """The names that a function declares so itself."""
    nodes = (node for statement in statements for node in _own_nodes(statement))
    lines = (node for node in nodes if isinstance(node, gast.Nonlocal))
    return frozenset(identifier(name) for line in lines for name in line.names)


def rebound_by(definition: Any) -> frozenset[str]:
    """The variables of what is around a function that it, or what it defines, binds."""
    if isinstance(definition, gast.Lambda):
        return frozenset()
    mine = declared_nonlocal(definition.body)
    nodes = [node for statement in definition.body for node in _own_nodes(statement)]
    inside = (rebound_by(node) for node in nodes if isinstance(node, FUNCTIONS))
    bound = {n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
    parameters = {n.id for n in gast.walk(definition.args) if isinstance(n, gast.Name)}
    return mine | (frozenset().union(*inside) - bound - parameters)


def _assigned(node: Any) -> Iterator[Any]:
    """The names that a statement binds by =."""
    match node:
        case gast.Assign(targets=targets):
            yield from (n for target in targets for n in ir.leaves_of(target))
        case gast.AugAssign(target=target) | gast.AnnAssign(target=target):
            yield target


def _own_nodes(node: Any) -> Iterator[Any]:
    """The nodes of one scope, comprehensions among them; functions are given, but not what is inside."""
    yield node
    if isinstance(node, _SCOPES):
        return
    for child in gast.iter_child_nodes(node):
        yield from _own_nodes(child)
