"""What takes elements from places of an array, or puts them there: gathering, diagonals, windows, counts, interpolation."""

from __future__ import annotations

from tangentish.rules.laws import multilinear, structural, tuple_valued, with_dtype

# fmt: off
multilinear("np.take(x, indices, axis=None)",                x="take_adjoint(g, x, indices, axis)")
multilinear("np.take(x, indices, axis=None, mode='raise')",  x="scattered(g, np.take(positions(x), indices, axis, mode=mode), x)")
multilinear("np.take_along_axis(x, indices, axis=-1)",       x="take_along_axis_adjoint(g, x, indices, axis)")
multilinear("np.ndarray.compress(x, condition, axis=None)",  x="scattered(g, np.compress(condition, positions(x), axis), x)")
multilinear("np.compress(condition, x, axis=None)",          x="scattered(g, np.compress(condition, positions(x), axis), x)")
multilinear("np.extract(condition, x)",                      x="scattered(g, np.extract(condition, positions(x)), x)")
multilinear("np.delete(x, obj, axis=None)",                  x="scattered(g, np.delete(positions(x), obj, axis), x)")
structural ("np.insert(x, obj, values, axis=None)", ranks={"values": 0},
            x="scattered(g, np.insert(positions(x), obj, -1, axis), x)",
            values="scattered(g, np.insert(np.full(x.shape, -1), obj, positions(values), axis), values)",
            x_dot="np.insert(x_dot, obj, 0, axis)",  values_dot="np.insert(np.zeros_like(x), obj, values_dot, axis)")
structural ("np.insert(x, obj, values, axis=None)",          # one place takes several values
            x="scattered(g, np.insert(positions(x), obj, np.full(np.shape(values), -1), axis), x)",
            values="scattered(g, np.insert(np.full(x.shape, -1), obj, positions(values), axis), values)",
            x_dot="np.insert(x_dot, obj, np.zeros_like(values), axis)",  values_dot="np.insert(np.zeros_like(x), obj, values_dot, axis)")
structural ("np.trim_zeros(x, trim='fb')",                   x="scattered(g, positions(x)[nonzero_span(x, trim)], x)", x_dot="x_dot[nonzero_span(x, trim)]")
multilinear("np.lib.stride_tricks.sliding_window_view(x, window_shape, axis=None)",
            x="scattered(g, np.lib.stride_tricks.sliding_window_view(positions(x), window_shape, axis), x)")
for writeable in ("[True]", "[False]"):  # a tangent may lie in memory in another way than x
    structural(f"np.lib.stride_tricks.as_strided(x, shape=None, strides=None, subok=[False], writeable={writeable})",
               x="scattered(g, strided_positions(x, shape, strides), x)",  x_dot="taken_at(x_dot, strided_positions(x, shape, strides))")

multilinear("np.diag(x, k=0)", ranks=(1,),    x="np.diag(g, k)")
multilinear("np.diag(x, k=0)", ranks=(2,),    x="diagonal_adjoint(g, x, k)")
multilinear("np.diagflat(x, k=0)",            x="np.reshape(np.diagonal(g, k), np.shape(x))")
multilinear("np.diagonal(x, offset=0, axis1=0, axis2=1)",  x="diagonal_adjoint(g, x, offset, axis1, axis2)")
multilinear("np.trace(x, offset=0, axis1=0, axis2=1)",     x="diagonal_adjoint(np.expand_dims(g, -1), x, offset, axis1, axis2)")
with_dtype("np.trace")
multilinear("np.linalg.diagonal(x, offset=0)",             x="diagonal_adjoint(g, x, offset, -2, -1)")
multilinear("np.linalg.trace(x, offset=0)",                x="diagonal_adjoint(np.expand_dims(g, -1), x, offset, -2, -1)")
with_dtype("np.linalg.trace")

multilinear("np.bincount(i, weights, minlength=0)",                    weights="np.take(g, i)")
tuple_valued("np.histogram(x, bins=10, range=None, density=[None, False], weights=None)",
             x="histogram_adjoint(g, y, x, bins, range)",                     x_dot="np.zeros_like(y[0]), edges_tangent(x_dot, y, x, bins, range)",
             bins="edges_adjoint(g, y)",        bins_dot="np.zeros_like(y[0]), bins_dot",
             weights="histogram_weights_adjoint(g, y, x, weights)",           weights_dot="np.histogram(x, y[1], weights=weights_dot)[0], np.zeros_like(y[1])")
tuple_valued("np.histogram(x, bins=10, range=None, density=[True], weights=None)",
             x="histogram_adjoint(g, y, x, bins, range, True)",               x_dot="density_tangent(x_dot, y, x, bins, range), edges_tangent(x_dot, y, x, bins, range)",
             bins="edges_adjoint(g, y, True)",  bins_dot="-y[0] * np.diff(bins_dot) / np.diff(y[1]), bins_dot",
             weights="histogram_weights_adjoint(g, y, x, weights, True)",     weights_dot="density_moved(weights_dot, y, x, weights), np.zeros_like(y[1])")
structural  ("np.histogram_bin_edges(x, bins=10, range=None, weights=None)",  # which weights there are is of no account
             x="histogram_adjoint((None, g), (None, y), x, bins, range)",     x_dot="edges_tangent(x_dot, (None, y), x, bins, range)",  weights="0")
structural ("np.interp(x, xp, fp, left := None, right := None, period=[None])",  x="g * interp_slope(x, xp, fp)",  # at a node: the segment on its right
            xp="interp_adjoint(-g * interp_slope(x, xp, fp), x, xp, xp)",  fp="interp_adjoint(g, x, xp, fp)",
            x_dot="x_dot * interp_slope(x, xp, fp)",  xp_dot="-interp_slope(x, xp, fp) * np.interp(x, xp, xp_dot)",  fp_dot="np.interp(x, xp, fp_dot)")
structural ("np.interp(x, xp, fp, left=None, right=None, period=[None])",        x="g * interp_slope(x, xp, fp)",
            xp="interp_adjoint(-g * interp_slope(x, xp, fp), x, xp, xp)",  fp="interp_adjoint(unless_outside(g, x, xp, left, right), x, xp, fp)",
            left="cast(np.sum(g * np.less(x, xp[0])), left)",            right="cast(np.sum(g * np.greater(x, xp[-1])), right)",
            x_dot="x_dot * interp_slope(x, xp, fp)",  xp_dot="-interp_slope(x, xp, fp) * np.interp(x, xp, xp_dot)",
            fp_dot="unless_outside(np.interp(x, xp, fp_dot), x, xp, left, right)",
            left_dot="left_dot * np.less(x, xp[0])",  right_dot="right_dot * np.greater(x, xp[-1])")
structural ("np.interp(x, xp, fp, left := None, right := None, period=period)",
            x="g * interp_slope(x % abs(period), nodes_around(xp, period), np.take(fp, places_around(xp, period)))",
            xp="scattered(interp_adjoint(-g * interp_slope(x % abs(period), nodes_around(xp, period), np.take(fp, places_around(xp, period))), x % abs(period), nodes_around(xp, period), nodes_around(xp, period)), places_around(xp, period), xp)",
            fp="scattered(interp_adjoint(g, x % abs(period), nodes_around(xp, period), np.take(fp, places_around(xp, period))), places_around(xp, period), fp)",
            x_dot="x_dot * interp_slope(x % abs(period), nodes_around(xp, period), np.take(fp, places_around(xp, period)))",
            xp_dot="-interp_slope(x % abs(period), nodes_around(xp, period), np.take(fp, places_around(xp, period))) * np.interp(x, xp, xp_dot, period=period)",
            fp_dot="np.interp(x, xp, fp_dot, period=period)")
# fmt: on
