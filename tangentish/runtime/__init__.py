"""The helpers that generated code calls; they import only numpy, and an export carries those it uses.

In every signature `g` is a gradient, `x` (or `xs`, `w`) an operand of the primal, `y` its result.
"""

from tangentish.runtime.along_axes import (
    cumprod_adjoint,
    cumprod_tangent,
    cumsum_adjoint,
    diff_adjoint,
    others,
    others_adjoint,
    share,
    trapezoid_weights,
)
from tangentish.runtime.arrangement import (
    inverse,
    join,
    meshgrid_adjoint,
    pad_adjoint,
    part,
    repeat_adjoint,
    swapped,
    tile_adjoint,
)
from tangentish.runtime.copies import copy_shared
from tangentish.runtime.elements import (
    is_first,
    log_or_zero,
    power_slope,
    power_slope_by_exponent,
    ratio,
    root_adjoint,
)
from tangentish.runtime.interpolation import interp_adjoint, interp_slope
from tangentish.runtime.linear_algebra import (
    cholesky_adjoint,
    cholesky_tangent,
    det_slope,
    slogdet_adjoint,
    solve_left,
    solve_right,
    solve_tangent,
)
from tangentish.runtime.names import assigned
from tangentish.runtime.norms import norm_slope
from tangentish.runtime.order import quantile_adjoint, quantile_tangent
from tangentish.runtime.places import (
    diagonal_adjoint,
    last_stored,
    sort_adjoint,
    take_adjoint,
    take_along_axis_adjoint,
    unique_adjoint,
)
from tangentish.runtime.products import (
    dot_left,
    dot_right,
    einsum_adjoint,
    kron_left,
    kron_right,
    matmul_left,
    matmul_right,
    tensordot_adjoint,
)
from tangentish.runtime.shapes import cast, count, full, spread, unbroadcast

__all__ = [
    "assigned",
    "cast",
    "cholesky_adjoint",
    "cholesky_tangent",
    "copy_shared",
    "count",
    "cumprod_adjoint",
    "cumprod_tangent",
    "cumsum_adjoint",
    "det_slope",
    "diagonal_adjoint",
    "diff_adjoint",
    "dot_left",
    "dot_right",
    "einsum_adjoint",
    "full",
    "interp_adjoint",
    "interp_slope",
    "inverse",
    "is_first",
    "join",
    "kron_left",
    "kron_right",
    "last_stored",
    "log_or_zero",
    "matmul_left",
    "matmul_right",
    "meshgrid_adjoint",
    "norm_slope",
    "others",
    "others_adjoint",
    "pad_adjoint",
    "part",
    "power_slope",
    "power_slope_by_exponent",
    "quantile_adjoint",
    "quantile_tangent",
    "ratio",
    "repeat_adjoint",
    "root_adjoint",
    "share",
    "slogdet_adjoint",
    "solve_left",
    "solve_right",
    "solve_tangent",
    "sort_adjoint",
    "spread",
    "swapped",
    "take_adjoint",
    "take_along_axis_adjoint",
    "tensordot_adjoint",
    "tile_adjoint",
    "trapezoid_weights",
    "unbroadcast",
    "unique_adjoint",
]
