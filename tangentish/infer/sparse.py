"""Sparse matrices of SciPy, which carry no derivative, in products with what varies.

L @ x, x @ L, L.dot(x)      dx += L.T @ g: the rules are those of matrices
spsolve(A, b)               db += spsolve(A.T, g)

They are read again on the walk back, so that nothing may change them meanwhile.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence
from typing import Any

import gast

from tangentish.infer.known_functions import function_name
from tangentish.infer.walk import Walk
from tangentish.kinds import UNKNOWN, Kind, Known, Num, Opaque, Sparse, Tup, buffers_of, replace

_FORMATS = {"copy", "tobsr", "tocoo", "tocsc", "tocsr", "todia", "transpose"}
_MAKERS = {
    "block_array", "block_diag", "bmat", "bsr_array", "bsr_matrix", "coo_array", "coo_matrix", "csc_array",
    "csc_matrix", "csr_array", "csr_matrix", "dia_array", "dia_matrix", "diags", "diags_array", "eye", "eye_array",
    "hstack", "identity", "kron", "kronsum", "spdiags", "tril", "triu", "vstack",
}  # fmt: skip
UNKNOWN_MATRIX = (
    "it is not known what matrix this gets, which may change: give it to the function as an argument, a name of the "
    "module, or make it by scipy.sparse.csc_matrix((v, (i, j)))"
)
_CHANGED = "a sparse matrix that changes is not followed: make a new one"
_CHANGING = {"eliminate_zeros", "prune", "resize", "setdiag", "sort_indices", "sum_duplicates"}
_ARRAYS_IN_IT = {"col", "coords", "data", "indices", "indptr", "offsets", "row", "rows"}


class SparseMatrices(Walk):
    """The part of the walk that knows sparse matrices."""

    def is_sparse_product(self, operands: Sequence[Kind], node: Any) -> bool:
        """Whether this is a product of such a matrix and of a vector or a matrix that varies."""
        others = [kind for kind in operands if not isinstance(kind, Sparse)]
        return (
            isinstance(node, gast.BinOp)
            and isinstance(node.op, gast.MatMult)
            and len(others) == 1
            and isinstance(others[0], Num)
            and others[0].rank in (1, 2)
        )

    def sparse_method(self, node: Any) -> Kind | None:
        """The kind of `L.dot(x)`, which is `L @ x`, and of L in another format; None for all other calls."""
        match node:
            case gast.Call(func=gast.Attribute(value=matrix, attr=name), args=args, keywords=[]):
                base = self.kind(matrix)
            case _:
                return None
        if not isinstance(base, Sparse):
            return None
        if name == "dot" and len(args) == 1 and self.expression(args[0]).active:
            return self.answered_by(node, lambda: gast.BinOp(matrix, gast.MatMult(), args[0]))
        return base if name in _FORMATS and not args else None

    def refuse_sparse_change(self, target: Any) -> None:
        """A store into such a matrix, or an update of it, which may be in its place."""
        if isinstance(target, gast.Name) and isinstance(self.kind(target), Sparse):
            self.refuse(_CHANGED, target)
        while isinstance(target, (gast.Subscript, gast.Attribute)):
            target = target.value
            if isinstance(self.kind(target), Sparse):
                self.refuse(_CHANGED, target)

    def sparse_attribute(self, node: Any, base: Kind) -> Kind | None:
        """An attribute of such a matrix: the arrays that it is made of may be changed, and it by its methods."""
        if not isinstance(base, Sparse):
            return None
        if node.attr in _CHANGING | _ARRAYS_IN_IT:
            self.refuse(_CHANGED, node)
        return base if node.attr == "T" else UNKNOWN


def sparse_result(op: str, operands: Sequence[Kind]) -> Kind | None:
    """What operators make of such matrices and of what carries no derivative; None where that is known otherwise."""
    found = [operand for operand in operands if isinstance(operand, Sparse)]
    numbers = [k for k in operands if isinstance(k, Num)]
    if not found or (op == "MatMult" and numbers):
        return None
    scaled = op in ("Mult", "Div") and len(found) == 1 and all(k.is_scalar for k in numbers)
    joined = op in ("Add", "Sub", "MatMult", "USub") and len(found) == len(operands)
    if not (scaled or joined) or not all(map(_is_real, operands)):
        return UNKNOWN
    return Sparse(found[0].type, square=all(k.square for k in found))


def sparse_made(function: Any, kinds: Sequence[Kind]) -> Sparse | None:
    """The kind of what SciPy's constructors make of real numbers; one that is made to be stored to is not known.

    It may lie in the memory of the arrays that it is made of.
    """
    home = getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", "")
    if not home.startswith("scipy.sparse") or name not in _MAKERS or not all(map(_is_real, kinds)):
        return None
    made = function if isinstance(function, type) else sys.modules["scipy.sparse"].csr_matrix
    return Sparse(made, buffers=frozenset().union(*map(buffers_of, kinds)))


def _is_real(kind: Kind) -> bool:
    match kind:
        case Num(dtype=dtype):
            return dtype is not None and dtype.kind in "biuf" and not kind.active
        case Tup(items=items) if not kind.is_mapping:
            return all(map(_is_real, items))
        case Sparse() | Opaque(type=builtins.str):
            return True
        case Known(value=value):
            return value is None or isinstance(value, (str, bool)) or value in (int, float)
    return False


def as_long_as_operand(kind: Kind, operands: Sequence[Kind]) -> Kind:
    """The kind of a product with a square matrix: its lengths are those of the other operand."""
    square = any(isinstance(operand, Sparse) and operand.square for operand in operands)
    shapes = [operand.shape for operand in operands if isinstance(operand, Num)]
    return replace(kind, shape=shapes[0]) if square and isinstance(kind, Num) else kind


def is_sparse(kind: Kind) -> bool:
    return isinstance(kind, Sparse)


def takes_sparse(function: Any) -> bool:
    """Whether a function is for such matrices."""
    return function_name(function).startswith("scipy.sparse.linalg.")
