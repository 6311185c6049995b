"""Sorted elements, quantiles, what is unique."""

from __future__ import annotations

from tangentish.rules.laws import reduction, structural, tuple_valued

# fmt: off
structural("np.sort(x, axis=-1, kind=None)",            x="sort_adjoint(g, x, axis)",
           x_dot="np.take_along_axis(x_dot, np.argsort(x, axis=axis, kind='stable'), axis)")
structural("np.partition(x, kth, axis=-1)",             x="sort_adjoint(np.take_along_axis(g, np.argsort(y, axis=axis, kind='stable'), axis), x, axis)",
           x_dot="sort_adjoint(np.take_along_axis(x_dot, np.argsort(x, axis=axis, kind='stable'), axis), y, axis)")

# The stable order decides among equals.
reduction("np.median(x, axis=None, keepdims=False)",                        x="g * quantile_weights(x, 0.5, axis)")
reduction("np.nanmedian(x, axis=None, keepdims=False)",                     x="g * quantile_weights(x, 0.5, axis, 'linear', True)")
for name, p in (("quantile", "q"), ("percentile", "q / 100")):
    array = p.replace("q", "np.asarray(q)") if "/" in p else p
    per = " / 100" if "/" in p else ""
    reduction (f"np.{name}(x, q=q, axis=None, keepdims=False, method=['linear'])",  ranks={"q": 0},
               x=f"g * quantile_weights(x, {p}, axis)",     q=f"np.sum(g * quantile_rise(x, x, {p}, axis, True)){per}",
               q_dot=f"q_dot * quantile_rise(x, x, {p}, axis, keepdims){per}")
    structural(f"np.{name}(x, q=q, axis=None, keepdims=False, method=['linear'])",  ranks={"q": 1},
               x=f"quantile_adjoint(g, x, {array}, axis)",  q=f"np.sum(np.reshape(g * quantile_rise(x, x, {array}, axis, keepdims), (len(q), -1)), axis=1){per}",
               x_dot=f"quantile_tangent(x_dot, x, {array}, axis, keepdims)",
               q_dot=f"along(q_dot, y, 0) * quantile_rise(x, x, {array}, axis, keepdims){per}")
    for nan, flag in (("", ""), ("nan", ", True")):
        reduction (f"np.{nan}{name}(x, q=q, axis=None, keepdims=False, method='linear')",  ranks={"q": 0},
                   x=f"g * quantile_weights(x, {p}, axis, method{flag})")
        structural(f"np.{nan}{name}(x, q=q, axis=None, keepdims=False, method='linear')",
                   x=f"quantile_adjoint(g, x, {array}, axis, method{flag})",  x_dot=f"quantile_tangent(x_dot, x, {array}, axis, keepdims, method{flag})")

structural  ("np.unique(x)",                      x="unique_adjoint(g, x)",     x_dot="np.ravel(x_dot)[np.unique(x, return_index=True)[1]]")
structural  ("np.unique_values(x)",               x="scattered(g, first_of_values(x, y), x)",  x_dot="np.ravel(x_dot)[first_of_values(x, y)]")
tuple_valued("np.unique(x, return_index=False, return_inverse=False, return_counts=False)",  x="unique_adjoint(g[0], x)",
             x_dot="(np.ravel(x_dot)[np.unique(x, return_index=True)[1]],) + (None,) * (len(y) - 1)")
# fmt: on
