"""list(nodes) and sorted(nodes), of a set, say: what they give is a list, whatever it holds, and no one else's."""

from __future__ import annotations

import numpy as np

from tangentish.kinds import Kind, Num, Opaque, Seq, Tup, buffers_of


def list_of_anything(kind: Kind) -> Kind | None:
    """The kind of a list of what a value gives of which nothing else is told; None where that lies in memory."""
    match kind:
        case Opaque(type=of, item=Num(array=False) as item) if of in (list, tuple):
            return Opaque(list, item)
        case Opaque(buffers=buffers) if not buffers:
            return Opaque(list)
        case Seq(item=Num(array=False, dtype=dtype)) if dtype == np.dtype(int) and not kind.keyed:
            return Opaque(list)
        case Tup() if not (kind.active or buffers_of(kind)):
            return Opaque(list)
    return None
