"""Factors of matrices with how they were found, as SciPy gives and takes them: (c, lower), (lu, piv)."""

from __future__ import annotations

from tangentish.kinds.kind import Known, Num, Tup


def are_factors_of_stacks(kind: object) -> bool:
    """(c, lower) and (lu, piv) of more than one matrix, which SciPy takes since 1.17."""
    match kind:
        case Tup(items=(Num(array=True, rank=int(axes)), Num(dtype=dtype))) if axes > 2:
            return dtype is not None and dtype.kind in "bi"
        case Tup(items=(Num(array=True, rank=int(axes)), Known(value=bool()))):
            return axes > 2
    return False
