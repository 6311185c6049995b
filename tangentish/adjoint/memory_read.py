"""In whose memory that lies which an adjoint reads of what its forward function saved.

def relaxed_forward(u, k):                    def relaxed_adjoint(saved, du):
    t = np.diff(u, 2)                             k, t, u = saved
    u[1:-1] += k * t                              ...
    return None, (k, t, u)                        du += diff_adjoint(dt * k, u, 2, -1)

Of `u` the adjoint reads the shape alone. So who calls this may write to `u`, and need not record what was there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

from tangentish import ir
from tangentish.adjoint.pair import RESULT
from tangentish.adjoint.parts import Parts
from tangentish.ir.origins import NOWHERE
from tangentish.kinds import UNKNOWN, buffers_of, sites_of_buffers
from tangentish.recording.liveness import contents_read


def memory_read(parts: Parts, saved: Sequence[str]) -> frozenset[int] | None:
    """The positions of the arguments in whose memory it may lie, and RESULT; None: in any."""
    if not any(map(parts.holds_memory, saved)):
        return frozenset()
    if any(map(parts.holds_lists, saved)):
        return None
    facts = parts.analysis.facts
    slots = defaultdict[str, list[ir.Slot]](list)
    for slot, name in parts.slots.items():
        slots[name].append(slot)

    def sites(name: str) -> frozenset[Hashable]:
        """Of a tape, and of a local that stands for one: the memory of what has no copy there."""
        if name not in slots:
            return facts.sites(name)
        return frozenset().union(*(facts.sites(s.name) for s in slots[name] if not s.content))

    results = ir.Return(tuple(parts.gradients), True, NOWHERE)
    read = contents_read((*parts.adjoint, results), sites, facts.web_kinds.get)
    given = (*enumerate(parts.analysis.kinds), (RESULT, facts.result or UNKNOWN))
    return frozenset(k for k, kind in given if read & sites_of_buffers(buffers_of(kind)))
