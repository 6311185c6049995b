"""The rules of the helpers in runtime: generated code can be differentiated once more."""

from __future__ import annotations

from tangentish.rules.laws import constant, elementwise, multilinear, structural

# fmt: off
multilinear("unbroadcast(x, like)",                          x="full(g, x)",        like="0", thin=True)
multilinear("spread(x, like, axis=None, keepdims=False)",    x="np.reshape(g, np.shape(x))",  like="0")
multilinear("full(x, like)",                                 x="unbroadcast(g, x)",  like="0")
elementwise("cast(x, like)",                                 x="cast(g, x)",         like="0",  x_dot="cast(x_dot, like)")
elementwise("ratio(x, z)",                                   x="ratio(g, z)",        z="-g * ratio(y, z)")
elementwise("root_adjoint(h, r)",                            h="root_adjoint(g, r)", r="-g * ratio(y, r)")
elementwise("power_slope(x, p, n=1)",                        x="g * power_slope(x, p, n + 1)",  p="g * power_slope_by_exponent(x, p, n)")
structural ("others(x, p, axis=None)",                       x="others_adjoint(g, x, axis)",  p="0",  x_dot="others_adjoint(x_dot, x, axis)")  # p is a function of x
multilinear("quantile_tangent(h, x, q, axis=None, keepdims=False)",  h="quantile_adjoint(g, x, q, axis)",  x="0")
multilinear("quantile_adjoint(h, x, q, axis=None)",          h="np.reshape(quantile_tangent(g, x, q, axis), np.shape(h))",  x="0")
elementwise("log_or_zero(x)",                                x="ratio(g, x)")
elementwise("interp_slope(x, xp, fp)",                       x="0")
multilinear("cumsum_adjoint(h, x, axis=None)",               h="np.cumsum(g, axis)",  x="0")
multilinear("diff_adjoint(x, n=1, axis=-1)",                 x="np.diff(g, n, axis)")
multilinear("take_adjoint(h, x, indices, axis=None)",        h="np.take(g, indices, axis)",              x="0")
multilinear("diagonal_adjoint(h, x, offset=0, axis1=0, axis2=1)",  h="unbroadcast(np.diagonal(g, offset, axis1, axis2), h)",  x="0")

multilinear("matmul_left(h, x, w)",      h="g @ w",         x="0",                     w="matmul_right(h, g, w)")
multilinear("matmul_right(h, x, w)",     h="x @ g",         x="matmul_left(h, x, g)",  w="0")
multilinear("dot_left(h, x, w)",         h="np.dot(g, w)",  x="0",                     w="dot_right(h, g, w)")
multilinear("dot_right(h, x, w)",        h="np.dot(x, g)",  x="dot_left(h, x, g)",     w="0")
multilinear("kron_left(h, x, w)",        h="np.kron(g, w)", x="0",                     w="kron_right(h, g, w)")
multilinear("kron_right(h, x, w)",       h="np.kron(x, g)", x="kron_left(h, x, g)",    w="0")
multilinear("tile_adjoint(h, x, reps)",  h="np.tile(g, reps)",  x="0")
multilinear("repeat_adjoint(h, x, repeats, axis=None)",    h="np.repeat(g, repeats, axis)",  x="0")
multilinear("pad_adjoint(h, x, pad_width, mode='constant')",  h="np.pad(g, pad_width, mode)",   x="0")
multilinear("sort_adjoint(h, x, axis=-1)",  h="np.take_along_axis(g, np.argsort(x, axis=axis, kind='stable'), axis)",  x="0")
multilinear("take_along_axis_adjoint(h, x, indices, axis=-1)",  h="np.take_along_axis(g, indices, axis)",  x="0")
multilinear("unique_adjoint(h, x)",      h="np.ravel(g)[np.unique(x, return_index=True)[1]]",  x="0")
# fmt: on
constant("count", "share", "inverse", "is_first")
