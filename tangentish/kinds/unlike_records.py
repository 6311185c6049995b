"""Dicts and objects that have other keys than those in whose place they stand: of either, nothing more is known.

organs = [{"kind": "target", "voxels": v, "dose": 2.0}, {"kind": "risk", "voxels": w, "power": 4.0}]

for o in organs:
    x[o["voxels"]]

But what all of them hold under a key may be lists or arrays of places. That is remembered for indices: these are asked
whether they are, x[places(o["voxels"])], as others are asked whether they are integers. Somebody may have changed them.
"""

from __future__ import annotations

import numpy as np

from tangentish.kinds.kind import Kind, Num, Opaque, Seq, Tup, is_unknown, unknown_in
from tangentish.kinds.numbers import is_integer

_HERE = "[places]"
_LIST = Opaque(list)


def unknown_of(a: Kind, b: Kind) -> Opaque:
    """What is one of two kinds that have nothing in common, but for places under some keys."""
    found = _with_places(a) & _with_places(b)
    unknown = unknown_in(a, b)
    return Opaque(buffers=unknown.buffers, parts=tuple((key, _LIST) for key in sorted(found)))


def held_under(base: Opaque, key: object) -> Opaque:
    """What such a dict or object holds under a key."""
    places = isinstance(key, str) and base.part(key) == _LIST
    return Opaque(buffers=base.buffers, parts=((_HERE, _LIST),) if places else ())


def are_places(kind: Kind) -> bool:
    """Whether an index of which nothing is known is a list of places, if it is what it was."""
    return kind == _LIST or (isinstance(kind, Opaque) and kind.part(_HERE) == _LIST)


def _with_places(kind: Kind) -> frozenset[str]:
    match kind:
        case Tup(keys=tuple(keys), items=items):
            pairs = zip(keys, items, strict=True)
            return frozenset(k for k, item in pairs if isinstance(k, str) and _is_of_places(item))
        case Opaque(parts=parts) if is_unknown(kind):
            return frozenset(name for name, _ in parts)
    return frozenset()


def _is_of_places(kind: Kind) -> bool:
    match kind:
        case Num(array=True, dtype=np.dtype(kind="i" | "u")):
            return kind.rank == 1
        case Tup(items=items, is_list=True):
            return bool(items) and all(map(is_integer, items))
        case Seq(item=item, is_tuple=False):
            return is_integer(item)
    return False
