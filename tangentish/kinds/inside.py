"""What stands in a value, among its elements and theirs."""

from __future__ import annotations

from tangentish.kinds.kind import Fun, Kind, Num, Seq, Taken, Tup


def functions_in(kind: Kind) -> list[Fun]:
    """The functions that a value is, or has among its elements."""
    match kind:
        case Fun() | Taken(function=Fun()):
            return [kind.function if isinstance(kind, Taken) else kind]  # type: ignore[list-item]
        case Tup(items=items):
            return [function for item in items for function in functions_in(item)]
        case Seq(item=item) if item is not None:
            return functions_in(item)
    return []


def has_complex(kind: Kind) -> bool:
    """Whether a value is complex, or has complex numbers among its elements."""
    if kind.__class__ is Num:  # nearly all
        dtype = kind.dtype
        return dtype is not None and dtype.kind == "c"
    match kind:
        case Tup(items=items):
            return any(map(has_complex, items))
        case Seq(item=item) if item is not None:
            return has_complex(item)
    return False


def depth(kind: Kind | None) -> int:
    """How many containers stand in each other."""
    if isinstance(kind, Tup):
        return 1 + max(map(depth, kind.items), default=0)
    return 1 + depth(kind.item) if isinstance(kind, Seq) else 0
