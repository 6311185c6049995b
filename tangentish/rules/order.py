"""Sorted elements, quantiles, what is unique."""

from __future__ import annotations

from typing import Any

from tangentish.rules.laws import reduction, structural, tuple_valued

# fmt: off
structural("np.sort(x, axis=[None], kind=None)",        x="sort_adjoint(g, x, axis)",  x_dot="np.ravel(x_dot)[np.argsort(x, axis=axis, kind='stable')]")
structural("np.sort(x, axis=-1, kind=None)",            x="sort_adjoint(g, x, axis)",
           x_dot="np.take_along_axis(x_dot, np.argsort(x, axis=axis, kind='stable'), axis)")
structural("np.partition(x, kth, axis=-1)",             x="sort_adjoint(np.take_along_axis(g, np.argsort(y, axis=axis, kind='stable'), axis), x, axis)",
           x_dot="sort_adjoint(np.take_along_axis(x_dot, np.argsort(x, axis=axis, kind='stable'), axis), y, axis)")

OF_NUMBERS = "np.sum(np.where(np.isnan(x), 0, x_dot * {}), axis=axis, keepdims=keepdims)"  # what is nan may move by nan
# The stable order decides among equals.
reduction("np.median(x, axis=None, keepdims=False)",                        x="g * quantile_weights(x, 0.5, axis)")
reduction("np.nanmedian(x, axis=None, keepdims=False)",                     x="np.where(np.isnan(x), 0, g * quantile_weights(x, 0.5, axis, 'linear', True))",
          x_dot=OF_NUMBERS.format("quantile_weights(x, 0.5, axis, 'linear', True)"))
for name in ("quantile", "percentile"):
    reduction(f"np.{name}(x, q, axis=None, method=['inverted_cdf'], keepdims=False, weights=weights)", ranks={"q": 0},  x="g * share(x, y, axis)",  q="0",  weights="0")
for name, p in (("quantile", "q"), ("percentile", "q / 100")):
    array = p.replace("q", "np.asarray(q)") if "/" in p else p
    per = " / 100" if "/" in p else ""
    for nan, given, how in (("", "method=['linear']", ""), ("", "method='linear'", ", method"), ("nan", "method='linear'", ", method, True")):
        primal = f"np.{nan}{name}(x, q=q, axis=None, keepdims=False, {given})"
        weights = f"quantile_weights(x, {p}, axis{how})"
        moved: dict[str, Any] = {"x_dot": OF_NUMBERS.format(weights)} if nan else {}
        reduction (primal,  ranks={"q": 0},  **moved,
                   x=f"np.where(np.isnan(x), 0, g * {weights})" if nan else f"g * {weights}",  q=f"np.sum(g * quantile_rise(x, x, {p}, axis, True{how})){per}",
                   q_dot=f"q_dot * quantile_rise(x, x, {p}, axis, keepdims{how}){per}")
        structural(primal,  ranks={"q": 1},
                   x=f"quantile_adjoint(g, x, {array}, axis{how})",  q=f"np.sum(np.reshape(g * quantile_rise(x, x, {array}, axis, keepdims{how}), (len(q), np.size(g) // max(len(q), 1))), axis=1){per}",
                   x_dot=f"quantile_tangent(x_dot, x, {array}, axis, keepdims{how})",
                   q_dot=f"along(q_dot, y, 0) * quantile_rise(x, x, {array}, axis, keepdims{how}){per}")
        if not nan:  # whose results have their axes in another order for a matrix of q and several axes
            structural(primal,
                       x=f"quantile_adjoint(g, x, {array}, axis{how})",  x_dot=f"quantile_tangent(x_dot, x, {array}, axis, keepdims{how})")

structural  ("np.unique(x)",                      x="unique_adjoint(g, x)",     x_dot="np.ravel(x_dot)[np.unique(x, return_index=True)[1]]")
structural  ("np.unique_values(x)",               x="scattered(g, first_of_values(x, y), x)",  x_dot="np.ravel(x_dot)[first_of_values(x, y)]")
structural  ("np.unique(x, axis=axis)",           x="take_adjoint(g, x, np.unique(x, return_index=True, axis=axis)[1], axis)",
             x_dot="np.take(x_dot, np.unique(x, return_index=True, axis=axis)[1], axis)")
tuple_valued("np.unique(x, return_index=False, return_inverse=False, return_counts=False, axis=axis)",
             x="take_adjoint(g[0], x, np.unique(x, return_index=True, axis=axis)[1], axis)",
             x_dot="(np.take(x_dot, np.unique(x, return_index=True, axis=axis)[1], axis),) + (None,) * (len(y) - 1)")
tuple_valued("np.unique(x, return_index=False, return_inverse=False, return_counts=False)",  x="unique_adjoint(g[0], x)",
             x_dot="(np.ravel(x_dot)[np.unique(x, return_index=True)[1]],) + (None,) * (len(y) - 1)")
# fmt: on
