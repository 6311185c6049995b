"""What is divided by t and multiplied by e is multiplied by p, where p = e / t is there.

    p = e / t                        ->      # p = e / t
    ...                                      # e = np.exp(z)
    # p = e / t                              dz = (dp - s * p) * p
    de = (dp - s * p) / t
    # e = np.exp(z)
    dz = de * e

Only where the lines read p anyway, which is then what it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.webs import map_blocks

Factors = list[tuple[Any, Any]]  # (Mult or Div, factor); None before the first


def by_quotients(forward: ir.Block, adjoint: ir.Block, results: Sequence[Any]) -> ir.Block:
    """The adjoint with products that read the quotients of the forward pass."""
    quotients = _quotients(forward, adjoint)
    if not quotients:
        return adjoint
    return _Quotients(quotients, ir.mentions(adjoint, results)).block(adjoint)


def _quotients(forward: ir.Block, adjoint: ir.Block) -> dict[tuple[str, str], str]:
    """P by (e, t) for every p = e / t of names that get one value, outside loops and branches."""
    lines = (*forward, *adjoint)
    changed = ir.definitions(lines)
    changed.update(n for s in ir.walk_statements(lines) for n in ir.stored_names(s))
    outside = {n for s in forward if isinstance(s, ir.Assign) for n in ir.defined_names(s)}
    found: dict[tuple[str, str], str] = {}
    for statement in forward:
        match statement:
            case ir.Assign(
                gast.Name(id=p),
                gast.BinOp(left=gast.Name(id=e), op=gast.Div(), right=gast.Name(id=t)),
            ) if all(changed[n] == 1 and n in outside for n in (p, e, t)):
                found[e, t] = p
    return found


class _Quotients:
    def __init__(self, quotients: dict[tuple[str, str], str], mentions: Counter[str]) -> None:
        self.quotients, self.mentions = quotients, mentions

    def block(self, block: ir.Block) -> ir.Block:
        out: list[ir.Statement] = []
        for statement in block:
            statement = map_blocks(statement, self.block)
            position = len(out) - 1
            while position >= 0 and isinstance(out[position], ir.Comment):
                position -= 1
            merged = self.merged(out[position], statement) if position >= 0 else None
            if merged is not None:
                del out[position]
            out.append(merged or statement)
        return tuple(out)

    def merged(self, first: ir.Statement, second: ir.Statement) -> ir.Statement | None:
        """`de = x / t; dz = de * e` as `dz = x * p`."""
        match first, second:
            case ir.Assign(gast.Name(id=name), value), ir.Assign(target, product, origin) if (
                "~" in name and self.mentions[name] == 2
            ):
                (_, start), *others = _factors(product)
                if type(start) is gast.Name and start.id == name:
                    whole = self.multiplied(_factors(value), others)
                    return whole and ir.Assign(target, whole, origin)
        return None

    def multiplied(self, first: Factors, second: Factors) -> Any | None:
        names = {n for _, e in (*first, *second) for n in ir.names_in(e)}
        for k, (over, t) in enumerate(first):
            for j, (times, e) in enumerate(second):
                if not (isinstance(over, gast.Div) and isinstance(times, gast.Mult)):
                    continue
                p = self.quotients.get((getattr(e, "id", ""), getattr(t, "id", "")))
                if p in names:
                    return _product(
                        [
                            *first[:k],
                            *first[k + 1 :],
                            *second[:j],
                            (times, ir.name(p)),
                            *second[j + 1 :],
                        ]
                    )
        return None


def _factors(e: Any) -> Factors:
    match e:
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() as op, right=right):
            return [*_factors(left), (op, right)]
    return [(None, e)]


def _product(factors: Factors) -> Any:
    (_, whole), *others = factors
    for op, factor in others:
        whole = gast.BinOp(whole, op, factor)
    return whole
