"""Results that the adjoint overwrites are kept under another name; the adjoint of a pair copies what it changes.

    return y, t         ->      value = np.copy(y); return value, t
    return y, y[:2]     ->      value, value_1 = copy_shared(y, y[:2]); return value, value_1

So the list that a function of a pair returns is the one that others know, too; and what the adjoint of a pair binds
anew, it binds in a function of its own. Results that share their memory still do: who gets them may write to one and
read the other, as the adjoint of what was saved does.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.reverse import Reverse
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.kinds import Seq


def kept_values(
    reverse: Reverse, values: Sequence[Any], slots: Collection[ir.Slot], joint: bool
) -> tuple[list[Any], list[ir.Statement]]:
    """The results as they are returned, and the lines that keep them."""
    bound = {s.name for s in slots if not s.content}
    memory = {site for s in slots if s.content for site in reverse.facts.sites(s.name)}
    lists = {k for k, value in enumerate(values) if isinstance(reverse.kind(value), Seq)}
    sites = {k: _sites(reverse, value) for k, value in enumerate(values)}
    written = {k for k in sites if not memory.isdisjoint(sites[k]) and (joint or k not in lists)}
    together = [k for k in written if not joint and _is_shared(k, {j: sites[j] for j in written})]
    new: list[Any] = list(values)
    lines: list[ir.Statement] = []
    for k, value in enumerate(values):
        if k not in written and not (joint and not bound.isdisjoint(ir.names_in(value))):
            continue
        new[k] = ir.name(reverse.fresh("value"))
        copy = quote("copied({x})" if k in lists else "np.copy({x})", x=value)
        if k not in together:
            lines.append(ir.Assign(new[k], copy if k in written else value, NOWHERE))
    if together:
        target = gast.Tuple([new[k] for k in together], gast.Store())
        copies = gast.Call(ir.name("$copy_shared"), [values[k] for k in together], [])
        lines.append(ir.Assign(target, copies, NOWHERE))
    return new, lines


def _sites(reverse: Reverse, value: Any) -> set[Hashable]:
    return {site for name in ir.names_in(value) for site in reverse.facts.sites(name)}


def _is_shared(k: int, sites: Mapping[int, set[Hashable]]) -> bool:
    """Whether a result may lie in memory of another."""
    return any(j != k and not sites[k].isdisjoint(sites[j]) for j in sites)
