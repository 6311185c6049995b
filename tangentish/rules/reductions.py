"""Sums, means, extremes and other functions along an axis; cumulative sums; order."""

from __future__ import annotations

from tangentish.rules.laws import alias, multilinear, reduction, structural

# fmt: off
reduction("np.sum(x, axis=None, keepdims=False)", linear=True,   x="g")
reduction("np.mean(x, axis=None, keepdims=False)", linear=True,  x="g / count(x, axis)")
reduction("np.prod(x, axis=None, keepdims=False)",  x="g * others(x, y, axis)")
reduction("np.max(x, axis=None, keepdims=False)",   x="g * share(x, y, axis)")  # ties share equally
reduction("np.min(x, axis=None, keepdims=False)",   x="g * share(x, y, axis)")
reduction("np.ptp(x, axis=None, keepdims=False)",
          x="g * (share(x, np.max(x, axis=axis, keepdims=True), axis) - share(x, np.min(x, axis=axis, keepdims=True), axis))")
reduction("np.var(x, axis=None, ddof=0, keepdims=False)",
          x="g * 2 * (x - np.mean(x, axis=axis, keepdims=True)) / (count(x, axis) - ddof)")
reduction("np.std(x, axis=None, ddof=0, keepdims=False)",  # 0 where all are equal
          x="g * ratio(x - np.mean(x, axis=axis, keepdims=True), y) / (count(x, axis) - ddof)")
alias("np.amax", of="np.max")
alias("np.amin", of="np.min")

reduction("np.average(x, axis=None, keepdims=False)", linear=True,  x="g / count(x, axis)")
for rank in (1, 2, 3):
    reduction("np.average(x, axis=None, weights=None, keepdims=False)", ranks=(rank, rank),
              x="g * weights / np.sum(weights, axis=axis, keepdims=True)",
              weights="g * (x - y) / np.sum(weights, axis=axis, keepdims=True)")

reduction("np.linalg.norm(x, ord := None, axis=None, keepdims=False)",  x="g * ratio(x, y)")  # 0 at the origin
reduction("np.linalg.norm(x, ord := 2, axis=None, keepdims=False)",     x="g * ratio(x, y)",   ranks=(1,))
reduction("np.linalg.norm(x, ord := 1, axis=None, keepdims=False)",     x="g * np.sign(x)",    ranks=(1,))
reduction("np.linalg.norm(x, ord=None, axis=None, keepdims=False)",     x="g * norm_slope(x, y, ord, axis)")

multilinear("np.cumsum(x, axis=None)",   x="cumsum_adjoint(g, x, axis)")
structural("np.cumprod(x, axis=None)",  x="cumprod_adjoint(g, x, axis)",  x_dot="cumprod_tangent(x_dot, x, axis)")
multilinear("np.diff(x, n=1, axis=-1)",  x="diff_adjoint(g, n, axis)")

multilinear("np.trapezoid(v, x := None, dx=1.0)",  v="g * dx * cast(trapezoid_weights(np.arange(v.size)), v)", ranks=(1,))
structural("np.trapezoid(v, x)",        v="g * trapezoid_weights(x)",  x="-g * np.diff(np.pad((v[1:] + v[:-1]) / 2, 1))", ranks=(1, 1),
           v_dot="np.trapezoid(v_dot, x)",  x_dot="np.sum((v[1:] + v[:-1]) / 2 * np.diff(x_dot))")

structural("np.sort(x, axis=-1)",       x="sort_adjoint(g, x, axis)",  x_dot="np.take_along_axis(x_dot, np.argsort(x, axis=axis, kind='stable'), axis)")
structural("np.median(x, axis=None, keepdims=False)",         x="quantile_adjoint(g, x, 0.5, axis)",  x_dot="quantile_tangent(x_dot, x, 0.5, axis, keepdims)")
structural("np.quantile(x, q, axis=None, keepdims=False)",    x="quantile_adjoint(g, x, q, axis)",  x_dot="quantile_tangent(x_dot, x, q, axis, keepdims)")
structural("np.percentile(x, q, axis=None, keepdims=False)",  x="quantile_adjoint(g, x, np.asarray(q) / 100, axis)",
           x_dot="quantile_tangent(x_dot, x, np.asarray(q) / 100, axis, keepdims)")
# fmt: on
