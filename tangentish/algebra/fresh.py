"""Which expressions give an array of their own, which may be added to in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

FRESH = {
    "zeros_like", "full_like", "zeros", "full", "outer", "where", "sum", "cos", "sin", "sign", "copy", "exp", "dot",
    "linalg.solve", "linalg.inv", "linalg.solve_triangular", "linalg.solve_banded", "roll", "repeat", "take", "tile",
    "concatenate", "stack", "triu", "tril", "cumsum", "cross", "tensordot", "append", "convolve", "correlate", "kron",
    "ldexp", "interp", "matvec", "vecmat", "polyfit", "take_along_axis",
}  # fmt: skip
# Whatever it is of, unless it is told to write to what it is given.
FRESH_MODULES = {
    ("$np", "fft"), *(("$scipy", name) for name in ("fft", "fftpack", "linalg", "ndimage", "signal")),
}  # fmt: skip
VIEWS = {
    "reshape", "ravel", "transpose", "real", "imag", "flip", "fliplr", "flipud", "rot90", "moveaxis", "swapaxes",
    "expand_dims", "matrix_transpose",
}  # fmt: skip
FRESH_HELPERS = {
    "$full", "$cumsum_adjoint", "$repeat_adjoint", "$tile_adjoint", "$sort_adjoint", "$diagonal_adjoint",
    "$diff_adjoint", "$quantile_adjoint", "$matmul_left", "$matmul_right", "$take_adjoint",
    "$last_stored", "$root_adjoint", "$complex_root_adjoint", "$ratio", "$scattered", "$gradient_adjoint",
    "$interp_adjoint", "$piecewise_adjoint", "$bspline_adjoint", "$cubic_coefficients_adjoint",
    "$spline_coefficients_adjoint", "$interpolated_adjoint", "$on_grid_adjoint", "$off_axis", "$cholesky_adjoint",
    "$qr_adjoint", "$svd_adjoint", "$eigh_adjoint", "$hermitian_adjoint", "$eig_adjoint", "$eigvals_adjoint",
    "$lstsq_left", "$lstsq_right", "$solve_left", "$solve_right", "$roots_adjoint", "$poly_adjoint", "$cov_adjoint",
    "$corrcoef_adjoint", "$cross_left", "$kron_left", "$kron_right", "$join",
    "$polymul_adjoint", "$polydiv_adjoint", "$polydiv_right", "$cumprod_adjoint", "$multi_dot_adjoint", "$dot_left",
    "$dot_right", "$tensordot_left", "$tensordot_right", "$take_along_axis_adjoint", "$unique_adjoint",
    "$image_adjoint", "$image_places_adjoint", "$to_lower", "$pinv_slope", "$cho_solve_left", "$lu_adjoint",
    "$lu_packed_adjoint", "$eigh_right", "$some_eigh_adjoint", "$average_weights_adjoint", "$neighbours_adjoint",
    "$gradients_adjoint", "$reduceat_adjoint", "$stacked", "$between_pairs_adjoint",
    "$distances_left", "$cosines_left",
}  # fmt: skip


def is_new(e: Any, is_copy: Callable[[Any], bool]) -> bool:
    """Whether an array is no other's memory; `is_copy` says so of an indexed one."""
    match e:
        case gast.BinOp() | gast.UnaryOp():
            return True
        case gast.Subscript():
            return is_copy(e)
        case gast.Call(func=gast.Attribute(value=gast.Name(id="$np"), attr=name), args=[x, *_]) if (
            name in VIEWS
        ):
            return not isinstance(x, gast.Name) and is_new(x, is_copy)
        case (
            gast.Attribute(value=x, attr="T" | "real" | "imag")
            | gast.Call(func=gast.Attribute(value=x, attr="reshape"))
            | gast.Call(func=gast.Name(id="$unbroadcast" | "$cast"), args=[x, *_])
        ):
            return not isinstance(x, gast.Name) and is_new(x, is_copy)
        case gast.Call(func=gast.Attribute(attr="copy"), args=[]):
            return True
        case gast.Call(func=gast.Name(id=name)):
            return name in FRESH_HELPERS
    return makes_array(e)


def makes_array(e: Any) -> bool:
    """Whether this is a call of a function of NumPy, or SciPy, that gives a new array."""
    match e:
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id="$np"), attr="array"), args=[_], keywords=[]
        ):
            return True
        case gast.Call(func=gast.Attribute(value=gast.Name(id="$np"), attr=name), args=args):
            return name in FRESH or (name == "einsum" and len(args) > 2)  # of one it may be a view
        case gast.Call(
            func=gast.Attribute(
                value=gast.Attribute(value=gast.Name(id="$np" | "$scipy" as root), attr=module),
                attr=name,
            )
        ):
            return (root, module) in FRESH_MODULES or f"{module}.{name}" in FRESH
    return False
