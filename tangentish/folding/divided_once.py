"""What is divided by the same in two lines is divided once.

    dt = g / b[i]                    ->      dt = g / b[i]
    ...                                      ...
    db[i] -= g * x[i] / b[i]                 db[i] -= dt * x[i]

As long as nothing writes to what stands in the quotient, and the quotient goes on under no other name, by which lines
may add to it; names and elements are told by their texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Set
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Any

import gast

from tangentish import ir
from tangentish.folding.uncopied import only_computes
from tangentish.language.webs import map_blocks, map_statement

Sites = Callable[[str], Set[Hashable]]


def divided_once(block: ir.Block, sites: Sites, is_array: Callable[[str], bool]) -> ir.Block:
    """The adjoint with the quotients that have names read under these.

    sites: the memory that a value may lie in. is_array: whether what is stored to a name's places is copied there.
    """
    known = _Quotients(sites, is_array)
    out: list[ir.Statement] = []
    for statement in block:
        if ir.blocks_of(statement):
            known = _Quotients(sites, is_array)
            out.append(map_blocks(statement, lambda inner: divided_once(inner, sites, is_array)))
            continue
        new = map_statement(statement, known.shorter, lambda b: b) if known.names else statement
        out.append(new)
        if known.names:
            known.pass_by(new)
        match new:
            case ir.Assign(
                gast.Name(id=name),
                gast.BinOp(left=gast.Name(id=above), op=gast.Div(), right=below) as value,
            ) if "~" in name and name != above and _is_place(below):
                known.add(name, above, below, {name, *ir.names_in(value)})
    return tuple(out)


@dataclass
class _Quotients:
    """The names of quotients, by dividend and divisor; `of`: those that change with a name, or with memory."""

    sites: Sites
    is_array: Callable[[str], bool]
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    of: defaultdict[Hashable, set[tuple[str, str]]] = field(
        default_factory=partial(defaultdict, set)
    )

    def add(self, name: str, above: str, below: Any, parts: Set[str]) -> None:
        key = above, ir.dump(below)
        self.names[key] = name
        for part in self.touched(parts):
            self.of[part].add(key)

    def touched(self, names: Iterable[str]) -> set[Hashable]:
        return {part for name in names for part in (name, *self.sites(name))}

    def pass_by(self, statement: ir.Statement) -> None:
        """Forget what a line may change."""
        match statement:
            case ir.Comment():
                return
            case ir.Assign() | ir.Update():
                written = {*ir.defined_names(statement), *ir.stored_names(statement)}
                written.update(self.handed_on(statement))
            case ir.Restore(slot) if slot.undo is None:
                written = {slot.name}
            case _:
                self.names.clear()
                return
        for part in self.touched(written):
            for key in self.of.pop(part, ()):
                self.names.pop(key, None)

    def handed_on(self, statement: ir.Statement) -> set[str]:
        """The names of quotients that may have another name after a line."""
        match statement:
            case ir.Assign(gast.Subscript(value=gast.Name(id=array))) if self.is_array(array):
                return set()
        read = {*self.names.values()}.intersection(ir.mentioned(statement))
        return {name for name in read if not only_computes(statement, {name})}

    def shorter(self, e: Any) -> Any:
        """An expression with `dt * x` for `g * x / b`."""
        return ir.copy_expression(e, self.product)

    def product(self, node: Any) -> Any | None:
        match node:
            case gast.BinOp(left=gast.BinOp(op=gast.Mult()) as product, op=gast.Div(), right=below):
                first, others = _factors(product)
                name = self.names.get((getattr(first, "id", ""), ir.dump(below)))
                if name is not None:
                    return reduce(lambda a, b: gast.BinOp(a, gast.Mult(), b), others, ir.name(name))
        return None


def _is_place(e: Any) -> bool:
    """A name, or an element that names say."""
    parts = (gast.Name, gast.Constant, gast.Tuple, gast.BinOp, gast.operator, gast.Load)
    inside = e.slice if isinstance(e, gast.Subscript) and isinstance(e.value, gast.Name) else e
    return all(isinstance(part, parts) for part in gast.walk(inside))


def _factors(e: Any) -> tuple[Any, list[Any]]:
    """The first factor of a product, and the others."""
    match e:
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            first, others = _factors(left)
            return first, [*others, right]
    return e, []
