"""The helpers that generated code calls; they import only numpy, and an export carries those it uses.

In every signature `g` is a gradient, `x` (or `xs`, `w`) an operand of the primal, `y` its result.
"""

from tangentish.runtime.along_axes import (
    across,
    along,
    average_weights_adjoint,
    cumsum_adjoint,
    diff_adjoint,
    first_in_pieces,
    first_of,
    joined_diff,
    joined_diff_adjoint,
    neighbours,
    neighbours_adjoint,
    others,
    others_adjoint,
    others_curvature,
    reduceat_adjoint,
    share,
    trapezoid_weights,
    trapezoid_widths,
)
from tangentish.runtime.arrangement import (
    block_adjoint,
    diagonal_block,
    diagonal_block_adjoint,
    inverse,
    join,
    meshgrid_adjoint,
    opposite,
    part,
    part_adjoint,
    repeat_adjoint,
    rolled_to,
    stacked,
    swapped,
    tile_adjoint,
)
from tangentish.runtime.bands import (
    banded_times,
    outer_bands,
    toeplitz_adjoint,
    transposed_bands,
    turned_toeplitz,
)
from tangentish.runtime.bessel import bessel_i, kve_slope
from tangentish.runtime.copies import copy_shared, kept
from tangentish.runtime.covariances import (
    corrcoef_adjoint,
    corrcoef_curvature,
    corrcoef_tangent,
    cov_adjoint,
    cov_tangent,
    cov_weights_adjoint,
    cov_weights_tangent,
)
from tangentish.runtime.cuts import stop_gradient
from tangentish.runtime.differential_equations import odeint_adjoint, solved_ivp, solved_ivp_adjoint
from tangentish.runtime.distances import (
    between_pairs,
    between_pairs_adjoint,
    cosines_left,
    cosines_tangent,
    distances_left,
)
from tangentish.runtime.eigenvalues import (
    eig_adjoint,
    eig_tangent,
    eigvals_adjoint,
    eigvals_tangent,
    hermitian_adjoint,
    hermitian_tangent,
    roots_adjoint,
)
from tangentish.runtime.elements import (
    complex_root_adjoint,
    greater,
    is_first,
    is_selected,
    log_or_zero,
    power_slope,
    power_slope_by_exponent,
    ratio,
    root_adjoint,
    steps_between,
    times_slope,
)
from tangentish.runtime.elliptic import elliptic_slope
from tangentish.runtime.equal_values import (
    are_equal,
    rounding_of,
    values_adjoint,
    values_along,
    values_of,
    watched,
)
from tangentish.runtime.factors import (
    eigh_adjoint,
    eigh_left_tangent,
    eigh_right,
    eigh_right_tangent,
    eigh_tangent,
    eigvalsh_tangent,
    full_qr_adjoint,
    full_qr_tangent,
    mirrored,
    qr_adjoint,
    qr_tangent,
    singular_values_tangent,
    some_eigh_adjoint,
    some_eigh_tangent,
    svd_adjoint,
    svd_tangent,
    to_lower,
)
from tangentish.runtime.filters import (
    edges_along,
    filtfilt_adjoint,
    gaussian_edges,
    lagged_products,
    lfilter_from_adjoint,
    lying,
    savgol_adjoint,
    sosfiltfilt_adjoint,
)
from tangentish.runtime.fourier import (
    irfft_adjoint,
    irfftn_adjoint,
    resized,
    rfftn_adjoint,
    transformed_axes,
    weigh_ends,
)
from tangentish.runtime.gamma_products import beta_slope, binom_slope, poch_slope
from tangentish.runtime.gammas import polygamma
from tangentish.runtime.heads import head_like
from tangentish.runtime.histograms import (
    bins_of,
    density_moved,
    density_tangent,
    edges_adjoint,
    edges_tangent,
    histogram_adjoint,
    histogram_weights_adjoint,
)
from tangentish.runtime.images import image_adjoint, image_places_adjoint, image_slope
from tangentish.runtime.incomplete import (
    beta_density,
    beta_prime_density,
    beta_prime_slope,
    betainc_slope,
    gamma_density,
    gammainc_slope,
)
from tangentish.runtime.interpolants import (
    interpolated,
    interpolated_adjoint,
    interpolated_slope,
    off_axis,
    on_axis,
    on_grid,
    on_grid_adjoint,
    on_grid_slope,
    raised,
)
from tangentish.runtime.interpolation import (
    interp_adjoint,
    interp_slope,
    interp_slope_adjoint,
    interpolant_slope,
    moves_surface,
    nodes_around,
    places_around,
    surface,
    unless_outside,
)
from tangentish.runtime.linear_algebra import (
    cho_solve_left,
    cho_solve_tangent,
    cholesky_adjoint,
    cholesky_tangent,
    det_curvature,
    det_slope,
    gaussian_adjoint,
    gaussian_slope,
    gaussian_tangent,
    known_real,
    lstsq_left,
    lstsq_rest_tangent,
    lstsq_right,
    lstsq_tangent,
    matrix_power_adjoint,
    of_full_rank,
    pinv_slope,
    slogdet_adjoint,
    solve_left,
    solve_right,
    solve_tangent,
)
from tangentish.runtime.lists import (
    added,
    contents,
    copied,
    in_structure,
    put_back,
    put_entry,
    real_like,
    real_parts,
    set_contents,
    set_item,
    set_items,
    take_last,
    take_out,
    unstacked,
    with_fields,
    zeros,
    zeros_of_each,
)
from tangentish.runtime.names import assigned, captured
from tangentish.runtime.norms import (
    cond_slope,
    norm_curvature,
    norm_slope,
    norm_slope_adjoint,
    norm_slope_by_norm,
    vector_norm_slope,
)
from tangentish.runtime.order import (
    quantile_adjoint,
    quantile_rise,
    quantile_rise_adjoint,
    quantile_slopes,
    quantile_tangent,
    quantile_weights,
)
from tangentish.runtime.own import checked, checked_tangent
from tangentish.runtime.padding import pad_adjoint, pad_statistic_adjoint, pad_statistic_tangent
from tangentish.runtime.places import (
    add_at,
    diagonal_adjoint,
    first_of_values,
    integer,
    laid_out,
    last_stored,
    nonzero_span,
    number,
    places,
    places_beside,
    plain,
    positions,
    scattered,
    sort_adjoint,
    strided_positions,
    take_adjoint,
    take_along_axis_adjoint,
    taken_at,
    unique_adjoint,
)
from tangentish.runtime.polynomials import (
    determined,
    edges_for,
    fit_adjoint,
    fit_matrix,
    narrowed,
    poly_adjoint,
    polydiv_adjoint,
    polydiv_rest_tangent,
    polydiv_right,
    polymul_adjoint,
    trimmed_like,
    uncentred,
    uncut,
    weighted_fit_adjoint,
    widened,
    window_edges,
)
from tangentish.runtime.products import (
    cross_left,
    dot_left,
    dot_right,
    einsum_adjoint,
    kron_left,
    kron_right,
    matmul_left,
    matmul_right,
    multi_dot_adjoint,
    tensordot_left,
    tensordot_right,
)
from tangentish.runtime.recurrences import one_ahead, one_behind, recurrence, recurrence_adjoint
from tangentish.runtime.removable import (
    exponential_integral,
    exprel_slope,
    rgamma_slope,
    sinc_slope,
)
from tangentish.runtime.resolvents import (
    resolved,
    resolved_adjoint,
    resolved_pairs,
    resolved_pairs_adjoint,
    resolved_pairs_tangent,
    resolved_tangent,
)
from tangentish.runtime.running_products import (
    cumprod_adjoint,
    cumprod_bend,
    cumprod_curvature,
    cumprod_tangent,
)  # fmt: skip
from tangentish.runtime.several_results import from_each
from tangentish.runtime.shapes import cast, count, full, of_floats, spread, unbroadcast
from tangentish.runtime.spacings import (
    gradient_adjoint,
    gradient_adjoint_tangent,
    gradient_spacing_adjoint,
    gradient_spacing_tangent,
    gradient_step_adjoint,
    gradients_adjoint,
    parabola_places_adjoint,
    parabola_places_tangent,
    parabolas_adjoint,
)
from tangentish.runtime.splines import (
    at_places,
    bspline,
    bspline_adjoint,
    cubic_coefficients,
    cubic_coefficients_adjoint,
    cubic_coefficients_tangent,
    hermite_adjoint,
    hermite_coefficients,
    over_places,
    piecewise,
    piecewise_adjoint,
    spline_coefficients,
    spline_coefficients_adjoint,
    spline_coefficients_tangent,
    spline_knots,
)
from tangentish.runtime.student import student_slope
from tangentish.runtime.tables import table_adjoint, table_tangent
from tangentish.runtime.triangles import (
    lu_adjoint,
    lu_packed_adjoint,
    lu_packed_tangent,
    lu_product_tangent,
    lu_solve_left,
    lu_tangent,
)
from tangentish.runtime.types import is_mapping, is_sequence
from tangentish.runtime.voigt import voigt_dispersion
from tangentish.runtime.zetas import zeta_slope

__all__ = [
    "across", "add_at", "added", "along", "are_equal", "assigned", "at_places", "average_weights_adjoint",
    "banded_times", "bessel_i", "beta_density", "beta_prime_density", "beta_prime_slope", "beta_slope",
    "betainc_slope", "between_pairs", "between_pairs_adjoint", "binom_slope", "bins_of", "block_adjoint",
    "bspline", "bspline_adjoint", "captured", "cast", "checked", "checked_tangent", "cho_solve_left",
    "cho_solve_tangent",
    "cholesky_adjoint", "cholesky_tangent", "complex_root_adjoint", "cond_slope", "contents", "copied",
    "copy_shared", "corrcoef_adjoint", "corrcoef_curvature", "corrcoef_tangent", "cosines_left",
    "cosines_tangent", "count", "cov_adjoint", "cov_tangent", "cov_weights_adjoint", "cov_weights_tangent",
    "cross_left", "cubic_coefficients", "cubic_coefficients_adjoint", "cubic_coefficients_tangent",
    "cumprod_adjoint", "cumprod_bend", "cumprod_curvature", "cumprod_tangent", "cumsum_adjoint",
    "density_moved", "density_tangent", "det_curvature", "det_slope", "determined", "diagonal_adjoint",
    "diagonal_block", "diagonal_block_adjoint", "diff_adjoint", "distances_left", "dot_left", "dot_right",
    "edges_adjoint", "edges_along", "edges_for", "edges_tangent", "eig_adjoint", "eig_tangent",
    "eigh_adjoint", "eigh_left_tangent", "eigh_right", "eigh_right_tangent", "eigh_tangent",
    "eigvals_adjoint", "eigvals_tangent", "eigvalsh_tangent", "einsum_adjoint", "elliptic_slope",
    "exponential_integral",
    "exprel_slope", "filtfilt_adjoint", "first_in_pieces", "first_of", "first_of_values", "fit_adjoint",
    "fit_matrix", "from_each", "full",
    "full_qr_adjoint", "full_qr_tangent", "gamma_density", "gammainc_slope", "gaussian_adjoint",
    "gaussian_edges", "gaussian_slope", "gaussian_tangent", "gradient_adjoint", "gradient_adjoint_tangent",
    "gradient_spacing_adjoint", "gradient_spacing_tangent", "gradient_step_adjoint", "gradients_adjoint",
    "greater", "head_like", "hermite_adjoint", "hermite_coefficients", "hermitian_adjoint",
    "hermitian_tangent", "histogram_adjoint",
    "histogram_weights_adjoint", "image_adjoint", "image_places_adjoint",
    "image_slope", "in_structure", "integer", "interp_adjoint", "interp_slope", "interp_slope_adjoint",
    "interpolant_slope", "interpolated", "interpolated_adjoint", "interpolated_slope", "inverse",
    "irfft_adjoint", "irfftn_adjoint", "is_first", "is_mapping", "is_selected", "is_sequence", "join",
    "joined_diff", "joined_diff_adjoint", "kept", "known_real", "kron_left", "kron_right", "kve_slope",
    "lagged_products",
    "laid_out", "last_stored", "lfilter_from_adjoint", "log_or_zero", "lstsq_left", "lstsq_rest_tangent",
    "lstsq_right", "lstsq_tangent", "lu_adjoint", "lu_packed_adjoint", "lu_packed_tangent",
    "lu_product_tangent", "lu_solve_left", "lu_tangent", "lying", "matmul_left", "matmul_right",
    "matrix_power_adjoint", "meshgrid_adjoint", "mirrored", "moves_surface", "multi_dot_adjoint", "narrowed",
    "neighbours", "neighbours_adjoint", "nodes_around", "nonzero_span", "norm_curvature", "norm_slope",
    "norm_slope_adjoint", "norm_slope_by_norm", "number", "odeint_adjoint", "of_floats", "of_full_rank", "off_axis",
    "on_axis", "on_grid", "on_grid_adjoint", "on_grid_slope", "one_ahead", "one_behind", "opposite", "others",
    "others_adjoint", "others_curvature", "outer_bands", "over_places", "pad_adjoint",
    "pad_statistic_adjoint", "pad_statistic_tangent", "parabola_places_adjoint", "parabola_places_tangent",
    "parabolas_adjoint", "part", "part_adjoint", "piecewise", "piecewise_adjoint", "pinv_slope",
    "places", "places_around", "places_beside", "plain", "poch_slope", "poly_adjoint", "polydiv_adjoint",
    "polydiv_rest_tangent",
    "polydiv_right", "polygamma", "polymul_adjoint", "positions", "power_slope", "power_slope_by_exponent",
    "put_back", "put_entry", "qr_adjoint", "qr_tangent", "quantile_adjoint", "quantile_rise",
    "quantile_rise_adjoint", "quantile_slopes", "quantile_tangent", "quantile_weights", "raised", "ratio",
    "real_like", "real_parts", "recurrence", "recurrence_adjoint", "reduceat_adjoint", "repeat_adjoint",
    "resized", "resolved", "resolved_adjoint", "resolved_pairs", "resolved_pairs_adjoint",
    "resolved_pairs_tangent", "resolved_tangent", "rfftn_adjoint", "rgamma_slope", "rolled_to",
    "root_adjoint", "roots_adjoint", "rounding_of", "savgol_adjoint", "scattered", "set_contents", "set_item",
    "set_items", "share", "sinc_slope", "singular_values_tangent", "slogdet_adjoint", "solve_left", "solve_right",
    "solve_tangent", "solved_ivp", "solved_ivp_adjoint", "some_eigh_adjoint", "some_eigh_tangent",
    "sort_adjoint", "sosfiltfilt_adjoint", "spline_coefficients", "spline_coefficients_adjoint",
    "spline_coefficients_tangent", "spline_knots", "spread", "stacked", "steps_between", "stop_gradient",
    "strided_positions", "student_slope", "surface", "svd_adjoint", "svd_tangent", "swapped", "table_adjoint",
    "table_tangent", "take_adjoint", "take_along_axis_adjoint", "take_last", "take_out", "taken_at",
    "tensordot_left", "tensordot_right",
    "tile_adjoint", "times_slope", "to_lower", "toeplitz_adjoint", "transformed_axes",
    "transposed_bands", "trapezoid_weights",
    "trapezoid_widths", "trimmed_like", "turned_toeplitz", "unbroadcast", "uncentred", "uncut",
    "unique_adjoint", "unless_outside", "unstacked", "values_adjoint", "values_along", "values_of",
    "vector_norm_slope", "voigt_dispersion", "watched", "weigh_ends", "weighted_fit_adjoint", "widened", "window_edges",
    "with_fields", "zeros", "zeros_of_each", "zeta_slope",
]  # fmt: skip
