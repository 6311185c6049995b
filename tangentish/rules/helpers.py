"""The rules of the helpers in runtime: generated code can be differentiated once more."""

from __future__ import annotations

from tangentish.rules.laws import (
    constant,
    elementwise,
    holds_for_complex,
    multilinear,
    sequence,
    shaped_like,
    structural,
    tuple_valued,
    warning,
)

# fmt: off
multilinear("unbroadcast(x, like)",                          x="unbroadcast(g, x)",  like="0")
multilinear("spread(x, like, axis=None, keepdims=False)",    x="np.reshape(g, np.shape(x))",  like="0")
multilinear("full(x, like)",                                 x="unbroadcast(g, x)",  like="0")
multilinear("cast(x, like)",                                 x="cast(g, x)",         like="0",  thin=True)
multilinear("of_floats(x, dtype)",                           x="of_floats(g, dtype)")
multilinear("along(w, x, axis)",                             w="across(g, axis)",    x="0")
multilinear("across(x, axis)",                               x="full(along(g, x, axis), x)")
tuple_valued("copy_shared(*xs)", linear=True,                xs="g[k]")

multilinear("head_like(dy, y)",                              dy="cast(g, dy)",       y="0")
multilinear("known_real(x)",                                x="g")
multilinear("of_full_rank(x)",                              x="g")
multilinear("checked(x, like)",                              x="cast(g, x)",         like="0")
multilinear("checked_tangent(x, y)",                         x="cast(g, x)",         y="0")

elementwise("ratio(x, z)",                  x="ratio(g, z)",                       z="-g * ratio(y, z)")
elementwise("root_adjoint(h, r)",           h="root_adjoint(g, r)",                r="-2 * root_adjoint(root_adjoint(g * h, r), r)")
elementwise("complex_root_adjoint(h, r)",   h="complex_root_adjoint(g, r)",        r="-2 * complex_root_adjoint(complex_root_adjoint(g * h, r), r)")
elementwise("times_slope(h, s)",            h="times_slope(g, s)",                 s="g * h",  s_dot="times_slope(h, s_dot)")
elementwise("power_slope(x, p, n=1)",       x="g * power_slope(x, p, n + 1)",  p="g * power_slope_by_exponent(x, p, n)")
elementwise("power_slope_by_exponent(x, p, n=1, m=1)",
            x="g * power_slope_by_exponent(x, p, n + 1, m)",  p="g * power_slope_by_exponent(x, p, n, m + 1)")
elementwise("sinc_slope(x, n=1)",           x="g * sinc_slope(x, n + 1)")
elementwise("exprel_slope(x, n=1)",         x="g * exprel_slope(x, n + 1)")
elementwise("elliptic_slope(phi, m, p, q)",  phi="g * np.sin(phi) ** p / (1 - m * np.sin(phi) ** 2) ** (q / 2)",  m="g * q / 2 * elliptic_slope(phi, m, p + 2, q + 2)")
elementwise("zeta_slope(x, q, n=1)",        x="g * zeta_slope(x, q, n + 1)",       q="-g * (x * zeta_slope(x + 1, q, n) + n * zeta_slope(x + 1, q, n - 1))")
elementwise("kve_slope(v, x, n)",           v="g * kve_slope(v, x, n + 1)",        x="g * (y - (kve_slope(v - 1, x, n) + kve_slope(v + 1, x, n)) / 2)")
elementwise("bessel_i(n, x)",               x="g * (bessel_i(n - 1, x) + bessel_i(n + 1, x)) / 2")
elementwise("polygamma(n, x)",              x="g * polygamma(n + 1, x)")
elementwise("gammainc_slope(a, x, n=1)",     a="g * gammainc_slope(a, x, n + 1)",  x="g * gamma_density(a, x, n)")
elementwise("gamma_density(a, x, n=0)",      a="g * gamma_density(a, x, n + 1)",   x="g * ((a - 1 - x) * y + n * gamma_density(a, x, n - 1)) / x")
for name, x, slope in (
    ("beta", "x", "(((a - 1) / x - (b - 1) / (1 - x)) * y + i * beta_density(a, b, x, i - 1, j) / x - j * beta_density(a, b, x, i, j - 1) / (1 - x))"),
    ("beta_prime", "z", "((a - 1 - (b + 1) * z) * y + i * beta_prime_density(a, b, z, i - 1, j) - j * z * beta_prime_density(a, b, z, i, j - 1)) / (z * (1 + z))"),
):
    f = "betainc" if name == "beta" else name
    for of, moved in ((f"{f}_slope", f"{name}_density(a, b, {x}, i, j)"), (f"{name}_density", slope)):
        elementwise(f"{of}(a, b, {x}, i, j)",    a=f"g * {of}(a, b, {x}, i + 1, j)",  b=f"g * {of}(a, b, {x}, i, j + 1)",  **{x: f"g * {moved}"})
for name, a, b in (("beta", "a", "b"), ("binom", "n", "k"), ("poch", "z", "m")):
    of = f"{name}_slope({a}, {b}, "
    elementwise(f"{of}i, j)",               **{a: f"g * {of}i + 1, j)",  b: f"g * {of}i, j + 1)"})
elementwise("log_or_zero(x)",               x="ratio(g, x)")
elementwise("vector_norm_slope(x, r, ord=2, axis=None)",  x="g * norm_curvature(x, r, ord)",  r="-g * norm_curvature(x, r, ord) * ratio(x, r)")
multilinear("watched(p, gaps, by_values=None)",  p="g",  gaps="0",  by_values="0")
multilinear("values_along(u, z)",           u="z * g[..., None, :]",  z="u * g[..., None, :]")
structural ("values_of(inner, w)",          inner="values_adjoint(g, inner, w)",   w="0",    inner_dot="values_of(inner_dot, w)")
multilinear("values_adjoint(h, inner, w)",  h="values_of(g, w)",                   inner="0",  w="0")
structural ("resolved(z, w, v, x)",         z="resolved(g, w, v, x)",              w="0",  v="0",  x="resolved_adjoint(g, z, w, v)",
            z_dot="resolved(z_dot, w, v, x)",  x_dot="resolved_tangent(x_dot, z, w, v)")
structural ("resolved_pairs(z, u, s, vt, x)",  z="resolved_pairs(g, u, s, vt, x)",  u="0",  s="0",  vt="0",  x="resolved_pairs_adjoint(g, z, u, s, vt, x)",
            z_dot="resolved_pairs(z_dot, u, s, vt, x)",  x_dot="resolved_pairs_tangent(x_dot, z, u, s, vt, x)")
structural ("norm_slope(x, r, ord=None, axis=None)",  x="norm_slope_adjoint(g, x, r, ord, axis)",      r="unbroadcast(g * norm_slope_by_norm(x, r, ord, axis), r)",
            x_dot="norm_slope_adjoint(x_dot, x, r, ord, axis)",  r_dot="r_dot * norm_slope_by_norm(x, r, ord, axis)")
structural ("others(x, p, axis=None)",      x="others_adjoint(g, x, axis)",  p="0",    x_dot="others_adjoint(x_dot, x, axis)")
structural ("others_adjoint(h, x, axis=None)",  h="others_adjoint(g, x, axis)",  x="others_curvature(h, g, x, axis)",
            h_dot="others_adjoint(h_dot, x, axis)",  x_dot="others_curvature(h, x_dot, x, axis)")
multilinear("others_curvature(h, w, x, axis=None)",  h="others_curvature(g, w, x, axis)",  w="others_curvature(h, g, x, axis)")
structural ("det_slope(x)",                 x="det_curvature(g, x)",               x_dot="det_curvature(x_dot, x)")

multilinear("cumsum_adjoint(h, x, axis=None)",               h="np.cumsum(g, axis)",  x="0")
structural ("cumprod_adjoint(h, x, axis=None)",              h="cumprod_tangent(g, x, axis)",  x="cumprod_curvature(h, g, x, axis)",
            h_dot="cumprod_adjoint(h_dot, x, axis)",          x_dot="cumprod_curvature(h, x_dot, x, axis)")
structural ("cumprod_tangent(h, x, axis=None)",              h="cumprod_adjoint(g, x, axis)",  x="cumprod_curvature(g, h, x, axis)",
            h_dot="cumprod_tangent(h_dot, x, axis)",          x_dot="cumprod_bend(h, x_dot, x, axis)")
structural ("recurrence(h, k, axis=0)",                      h="recurrence_adjoint(g, k, axis)",  k="g_h * one_behind(y, axis)",
            h_dot="recurrence(h_dot, k, axis)",               k_dot="recurrence(k_dot * one_behind(y, axis), k, axis)")
structural ("recurrence_adjoint(h, k, axis=0)",              h="recurrence(g, k, axis)",          k="one_behind(g_h, axis) * y",
            h_dot="recurrence_adjoint(h_dot, k, axis)",       k_dot="recurrence_adjoint(one_ahead(k_dot * y, axis), k, axis)")
structural ("one_behind(x, axis=0, first=0.0)",              x="one_ahead(g, axis)",  x_dot="one_behind(x_dot, axis)")
multilinear("one_ahead(x, axis=0)",                          x="one_behind(g, axis)")
multilinear("diff_adjoint(h, x, n=1, axis=-1)",              h="np.diff(g, n, axis)",  x="0")
multilinear("joined_diff_adjoint(h, xs, at, n=1, axis=-1)",   h="cast(joined_diff(g, xs, at, n, axis), h)",  xs="0")
multilinear("joined_diff(x, xs, at, n=1, axis=-1)",           x="joined_diff_adjoint(g, xs, at, n, axis)",  xs="0")
structural ("gradient_adjoint(h, f, x=1.0, axis=None, edge_order=1)",  h="np.gradient(g, x, axis=axis, edge_order=edge_order)",  f="0",
            x="gradient_spacing_adjoint(h, g, x, axis, edge_order)",  h_dot="gradient_adjoint(h_dot, f, x, axis, edge_order)",
            x_dot="gradient_adjoint_tangent(x_dot, h, f, x, axis, edge_order)")
multilinear("reduceat_adjoint(h, x, indices, axis=0)",       h="np.add.reduceat(g, indices, axis)",  x="0")
multilinear("trapezoid_widths(x)",                           x="-np.diff(np.pad((g[1:] + g[:-1]) / 2, 1))")
QUANTILE = "axis=None, method='linear', ignore_nan=False"
structural ("quantile_weights(x, q, " + QUANTILE + ")",  x="0",
            q="np.sum(g * quantile_slopes(x, q, axis, method, ignore_nan))",  q_dot="q_dot * quantile_slopes(x, q, axis, method, ignore_nan)")
structural ("quantile_adjoint(h, x, q, " + QUANTILE + ")",  x="0",
            h="np.reshape(quantile_tangent(g, x, q, axis, False, method, ignore_nan), np.shape(h))",  h_dot="quantile_adjoint(h_dot, x, q, axis, method, ignore_nan)",
            q="np.sum(np.reshape(np.ravel(h) * np.ravel(quantile_rise(g, x, q, axis, False, method, ignore_nan)), (len(q), np.size(h) // max(len(q), 1))), axis=1)",
            q_dot="quantile_rise_adjoint(h * along(q_dot, h, 0), x, q, axis, method, ignore_nan)")
structural ("quantile_tangent(h, x, q, axis=None, keepdims=False, method='linear', ignore_nan=False)",  x="0",
            h="quantile_adjoint(g, x, q, axis, method, ignore_nan)",  h_dot="quantile_tangent(h_dot, x, q, axis, keepdims, method, ignore_nan)",
            q="np.sum(np.reshape(g * quantile_rise(h, x, q, axis, keepdims, method, ignore_nan), (len(q), np.size(g) // max(len(q), 1))), axis=1)",
            q_dot="along(q_dot, y, 0) * quantile_rise(h, x, q, axis, keepdims, method, ignore_nan)")
multilinear("quantile_rise(h, x, q, axis=None, keepdims=False, method='linear', ignore_nan=False)",
            h="quantile_rise_adjoint(g, x, q, axis, method, ignore_nan)",  x="0",  q="0")
multilinear("quantile_rise_adjoint(h, x, q, axis=None, method='linear', ignore_nan=False)",
            h="np.reshape(quantile_rise(g, x, q, axis, False, method, ignore_nan), np.shape(h))",  x="0",  q="0")

multilinear("take_adjoint(h, x, indices, axis=None)",        h="np.take(g, indices, axis)",              x="0")
multilinear("take_along_axis_adjoint(h, x, indices, axis=-1)",  h="np.take_along_axis(g, indices, axis)",  x="0")
multilinear("diagonal_adjoint(h, x, offset=0, axis1=0, axis2=1)",  h="unbroadcast(np.diagonal(g, offset, axis1, axis2), h)",  x="0")
multilinear("sort_adjoint(h, x, axis=-1)",  h="np.take_along_axis(g, np.argsort(x, axis=axis, kind='stable'), axis)",  x="0")
multilinear("unique_adjoint(h, x)",         h="np.ravel(g)[np.unique(x, return_index=True)[1]]",  x="0")
multilinear("scattered(h, at, x)",          h="taken_at(g, at)",                   x="0")
multilinear("laid_out(v, n)",               v="scattered(g, laid_out(positions(v), n), v)")
multilinear("taken_at(x, at)",              x="scattered(g, at, x)")
structural ("interp_slope(x, xp, fp)",      x="0",  xp="-interp_slope_adjoint(g * y, x, xp, xp)",  fp="interp_slope_adjoint(g, x, xp, fp)",
            xp_dot="-y * interp_slope(x, xp, xp_dot)",  fp_dot="interp_slope(x, xp, fp_dot)")
structural ("interp_adjoint(h, x, xp, fp)", h="cast(np.interp(x, xp, g), h)",      x="h * interp_slope(x, xp, g)",  fp="0",
            xp="interp_adjoint(-h * interp_slope(x, xp, g), x, xp, xp)",  xp_dot="-interp_slope_adjoint(h * np.interp(x, xp, xp_dot), x, xp, fp)",
            h_dot="interp_adjoint(h_dot, x, xp, fp)",  x_dot="interp_slope_adjoint(h * x_dot, x, xp, fp)")
structural ("interp_slope_adjoint(h, x, xp, fp)",  h="interp_slope(x, xp, g)",     x="0",  fp="0",
            xp="-interp_slope_adjoint(h * interp_slope(x, xp, g), x, xp, xp)",  xp_dot="-interp_slope_adjoint(h * interp_slope(x, xp, xp_dot), x, xp, fp)",
            h_dot="interp_slope_adjoint(h_dot, x, xp, fp)")

structural ("nodes_around(xp, period)",      xp="scattered(g, places_around(xp, period), xp)",  xp_dot="np.take(xp_dot, places_around(xp, period))")
multilinear("unless_outside(h, x, xp, left, right)",  h="unless_outside(g, x, xp, left, right)",  x="0",  xp="0",  left="0",  right="0")

multilinear("part(h, xs, at, axis=0)",      h="part_adjoint(g, h, xs, at, axis)",  xs="0")
multilinear("part_adjoint(h, like, xs, at, axis=0)",  h="part(g, xs, at, axis)",   like="0",  xs="0")
sequence   ("join(hs, xs, axis=0)",         hs="part(g, xs, k, axis)",             xs="0")
sequence   ("join(hs, xs, axis, places, shape)",    hs="np.array_split(g, places, axis)[k]",  xs="0")
sequence   ("stacked(hs, like, axis=0)",    hs="np.take(g, k, axis)",              like="0")
multilinear("diagonal_block(h, xs, at)",          h="diagonal_block_adjoint(g, xs, at)",  xs="0")
multilinear("diagonal_block_adjoint(h, xs, at)",  h="diagonal_block(g, xs, at)",          xs="0")
multilinear("banded_times(ab, x, widths)",        ab="outer_bands(g, x, widths)",        x="banded_times(transposed_bands(ab, widths), g, widths[::-1])")
multilinear("transposed_bands(ab, widths)",       ab="transposed_bands(g, widths[::-1])")
multilinear("outer_bands(h, x, widths)",          h="banded_times(g, x, widths)",        x="banded_times(transposed_bands(g, widths), h, widths[::-1])")
multilinear("tile_adjoint(h, x, reps)",     h="np.tile(g, reps)",                  x="0")
multilinear("repeat_adjoint(h, x, repeats, axis=None)",       h="np.repeat(g, repeats, axis)",    x="0")
multilinear("pad_adjoint(h, x, pad_width, mode='constant')",  h="np.pad(g, pad_width, mode)",     x="0")
multilinear("pad_adjoint(h, x, pad_width, mode='constant', reflect_type='even')",   h="np.pad(g, pad_width, mode, reflect_type=reflect_type)",  x="0")
STATISTIC = "x, pad_width, mode, stat_length"
for way, back in (("adjoint", "tangent"), ("tangent", "adjoint")):
    structural(f"pad_statistic_{way}(h, {STATISTIC}=None)",   h=f"pad_statistic_{back}(g, {STATISTIC})",  h_dot=f"pad_statistic_{way}(h_dot, {STATISTIC})",  x="0")
multilinear("trimmed_like(x, y)",             x="np.pad(g, (len(x) - len(g), 0))",  y="0")
structural ("polymul_adjoint(h, p, q)",     h="np.convolve(g, q)[np.size(p) + np.size(q) - 1 - len(h):]",  p="0",  q="polymul_adjoint(h, q, g)",
            h_dot="polymul_adjoint(h_dot, p, q)",   q_dot="polymul_adjoint(h, p, q_dot)")
multilinear("widened(h, x, w, mode, correlates=False)",       h="narrowed(g, x, w, mode, correlates)",  x="0",  w="0")
multilinear("narrowed(h, x, w, mode, correlates=False)",      h="widened(g, x, w, mode, correlates)",   x="0",  w="0")

multilinear("lying(w, axis, x)",            w="np.ravel(g)",  x="0")
structural ("lagged_products(h, u, w, axis=-1)",  h="cast(scipy.signal.lfilter(np.atleast_1d(g), 1.0, u, axis), h)",  w="0",
            u="cast(np.flip(scipy.signal.lfilter(np.atleast_1d(g), 1.0, np.flip(h, axis), axis), axis), u)",
            h_dot="lagged_products(h_dot, u, w, axis)",  u_dot="lagged_products(h, u_dot, w, axis)")
FITTED = "window_length, polyorder, deriv, delta, axis"
multilinear("savgol_adjoint(h, window_length, polyorder, deriv=0, delta=1.0, axis=-1)",       h=f"scipy.signal.savgol_filter(g, {FITTED})")
multilinear("filtfilt_adjoint(h, b, a, axis=-1, padtype='odd', padlen=None)",  h="scipy.signal.filtfilt(b, a, g, axis, padtype, padlen)")
multilinear("sosfiltfilt_adjoint(h, sos, axis=-1, padtype='odd', padlen=None)",  h="scipy.signal.sosfiltfilt(sos, g, axis, padtype, padlen)")

multilinear("between_pairs(x)",             x="between_pairs_adjoint(g, x)")
multilinear("between_pairs_adjoint(h, x)",  h="between_pairs(g)",  x="0")
elementwise("interpolant_slope(f, x, nu=1)",  x="g * interpolant_slope(f, x, nu + 1)")
multilinear("neighbours_adjoint(h, axis=-1)",  h="neighbours(g, axis)")
multilinear("neighbours(x, axis=-1)",       x="neighbours_adjoint(g, axis)")
multilinear("matmul_left(h, x, w)",         h="g @ w",         x="0",                     w="matmul_right(h, g, w)")
multilinear("matmul_right(h, x, w)",        h="x @ g",         x="matmul_left(h, x, g)",  w="0")
multilinear("dot_left(h, x, w)",            h="np.dot(g, w)",  x="0",                     w="dot_right(h, g, w)")
multilinear("dot_right(h, x, w)",           h="np.dot(x, g)",  x="dot_left(h, x, g)",     w="0")
multilinear("cross_left(h, x, w, axis=-1, alike=True)",  h="np.cross(g, w, axis=axis)",  x="0",   w="-cross_left(h, w, g, axis, alike)")
multilinear("kron_left(h, x, w)",           h="np.kron(g, w)", x="0",                     w="kron_right(h, g, w)")
multilinear("kron_right(h, x, w)",          h="np.kron(x, g)", x="kron_left(h, x, g)",    w="0")
multilinear("tensordot_left(h, x, w, axes=2)",   h="np.tensordot(g, w, axes)",  x="0",    w="tensordot_right(h, g, w, axes)")
multilinear("tensordot_right(h, x, w, axes=2)",  h="np.tensordot(x, g, axes)",  x="tensordot_left(h, x, g, axes)",  w="0")
structural ("einsum_adjoint(h, subscripts, at, *xs)",  h="np.einsum(subscripts, *swapped(xs, at, g))",  h_dot="einsum_adjoint(h_dot, subscripts, at, *xs)",
            xs="einsum_adjoint(h, subscripts, k, *swapped(xs, at, g)) if k != at else np.zeros_like(xs[k])",
            xs_dot="einsum_adjoint(h, subscripts, at, *swapped(xs, k, xs_dot)) if k != at else np.zeros_like(xs[at])")
structural ("einsum_adjoint(h, subscripts, at, *xs, optimize=False)",  h="np.einsum(subscripts, *swapped(xs, at, g), optimize=optimize)",
            h_dot="einsum_adjoint(h_dot, subscripts, at, *xs, optimize=optimize)",
            xs="einsum_adjoint(h, subscripts, k, *swapped(xs, at, g), optimize=optimize) if k != at else np.zeros_like(xs[k])",
            xs_dot="einsum_adjoint(h, subscripts, at, *swapped(xs, k, xs_dot), optimize=optimize) if k != at else np.zeros_like(xs[at])")
structural ("multi_dot_adjoint(h, xs, at)",  h="np.linalg.multi_dot(swapped(xs, at, g))",  h_dot="multi_dot_adjoint(h_dot, xs, at)")

elementwise("plain(x)",                     x="g")  # where what was not known turns out to vary after all

holds_for_complex("watched", "values_of")
constant("count", "integer", "number", "places", "places_beside", "share", "greater", "inverse", "is_first", "is_selected", "positions", "nonzero_span", "first_of", "first_in_pieces", "first_of_values",
         "rolled_to", "opposite", "quantile_slopes", "trapezoid_weights", "stop_gradient", "places_around", "edges_for", "edges_along", "gaussian_edges", "window_edges", "bins_of", "steps_between", "strided_positions", "are_equal", "rounding_of", "transformed_axes")
warning("watched")
shaped_like(0, "resolved", "resolved_pairs", "transposed_bands")
shaped_like(1, "cross_left", "banded_times")
shaped_like(5, "resolved_pairs_adjoint")
# fmt: on
