"""Places that lines write to, and what calls in them write to besides.

y[1:] = grown(y) * 2        # grown(y) may write to all of y
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts, index_sort
from tangentish.ir.quote import quote
from tangentish.kinds import Kind, Num, Sites, buffers_of, is_array, is_number, sites_of_buffers

NONE: frozenset[Hashable] = frozenset()


def everything(name: str) -> Any:
    return ir.subscript(ir.name(name), gast.Constant(Ellipsis, None))


def only_reads_places(value: Any) -> bool:
    """Whether a value is a place of an array, or several of them."""
    parts = ir.parts_of(value)
    return bool(parts) and all(isinstance(part, gast.Subscript) for part in parts)


def is_view(target: Any, facts: Facts) -> bool:
    """Whether what stands at a place is a view of it, or may be."""
    kind = facts.kinds.get(target)
    if index_sort(target.slice, facts) == "fancy":
        return False
    return not is_number(kind)


def written_by_calls(statement: ir.Statement, facts: Facts) -> frozenset[Hashable]:
    """The memory that functions of the user's write to which are called in a line."""
    known = facts.callees
    calls = [n for n in ir.nodes_in(statement) if n in known]
    users = [user for user in (known[call].user for call in calls) if user is not None]
    written = (buffers_of(user.kinds[k]) for user in users for k in user.written)
    return frozenset[Hashable]().union(*map(sites_of_buffers, written)) if users else NONE


def slots_in_place(
    name: str, statement: ir.Statement, facts: Facts, tape: bool
) -> Iterator[ir.Slot]:
    """The slots for what a line updates in place: all that an array holds, or what may be an array or a number."""
    kind, here = facts.before[statement].get(name), sites_before(statement, name, facts)
    if is_array(kind):
        yield ir.Slot(name, everything(name), content=True, tape=tape, copy=True, sites=here)
        return
    yield ir.Slot(name, ir.name(name), tape=tape, copy=True, saved=_copy(name, kind), sites=here)
    yield from _slots_beside(name, statement, facts, tape)


def _copy(name: str, kind: Kind | None) -> Any:
    """A new array, or the number itself, which stays one of Python: not of bools, of which there is no `+b`."""
    if not isinstance(kind, Num) or kind.optional or kind.or_list:
        return None
    of_numbers = kind.dtype is None or kind.dtype.kind in "iufc"
    return quote("+{x}", x=ir.name(name)) if of_numbers else None


def _slots_beside(
    name: str, statement: ir.Statement, facts: Facts, tape: bool
) -> Iterator[ir.Slot]:
    """The slots for other names of the memory of what may be an array, or a number: it is put back by its name.

    w = x if c else 2.0
    z = w[:]
    z *= q                      # w is another then, too, if it is an array

    A result has no value yet in the loop that it leads out of.
    """
    kinds = facts.before[statement]
    memory = sites_of_buffers(buffers_of(kinds[name])) if name in kinds else frozenset()
    for other, kind in kinds.items():
        may_be_array = isinstance(kind, Num) and kind.array is not False
        if other == name or other.startswith(".") or not may_be_array:
            continue
        if memory & sites_of_buffers(buffers_of(kind)):
            yield ir.Slot(
                other, ir.name(other), tape=tape, copy=True, saved=_copy(other, kind), sites=memory
            )


def sites_at(root: Any, facts: Facts) -> frozenset[Hashable]:
    return facts.sites(root.id) if isinstance(root, gast.Name) else frozenset()


def sites_before(statement: ir.Statement, name: str, facts: Facts) -> Sites:
    """Where an array lies that a line writes to, if its name has other memory elsewhere.

    self.u = step(self.u)
    self.u[0] = 0.0             # what this object was given stays as it is
    """
    kind = facts.before[statement].get(name)
    bound = isinstance(statement, ir.Assign) and name in ir.defined_names(statement)
    if not isinstance(kind, Num) or name in facts.untold or bound:
        return None
    here = sites_of_buffers(buffers_of(kind))
    return here if here and here < facts.sites(name) else None
