"""Sums, means, extremes and other functions along an axis; sums and products that run on."""

from __future__ import annotations

from tangentish.rules.laws import (
    alias,
    multilinear,
    reduces,
    reduction,
    structural,
    tuple_valued,
    with_dtype,
)

# fmt: off
reduction("np.sum(x, axis=None, keepdims=False)", linear=True,                       x="g")
START = "cast(np.sum(np.broadcast_to(g, np.shape(y))), initial)"  # what each sum starts with
START_DOT = "np.sum(np.zeros_like(x), axis=axis, keepdims=keepdims, initial=initial_dot)"
reduction("np.sum(x, axis=None, keepdims=False, initial=initial)",                   x="g", initial=START, initial_dot=START_DOT)
reduction("np.sum(x, axis=None, dtype=None, keepdims=False)", linear=True,           x="cast(g, x)")
reduction("np.mean(x, axis=None, keepdims=False)", linear=True,                      x="g / count(x, axis)")
reduction("np.mean(x, axis=None, dtype=None, keepdims=False)", linear=True,          x="cast(g, x) / count(x, axis)")
reduction("np.prod(x, axis=None, keepdims=False)",                                   x="g * others(x, y, axis)")
reduction("np.prod(x, axis=None, keepdims=False, initial=initial)",
          x="g * initial * others(x, np.prod(x, axis=axis, keepdims=True), axis)",
          initial="np.sum(g * np.prod(x, axis=axis, keepdims=True))",  initial_dot="initial_dot * np.prod(x, axis=axis, keepdims=keepdims)")
reduction("np.max(x, axis=None, keepdims=False)",                      x="g * share(x, y, axis)")  # ties share equally
for name, beyond, least in (("max", "<", "-np.inf"), ("min", ">", "np.inf")):  # a bound gets nothing where an element is as large
    extreme = f"np.{name}(x, axis=axis, keepdims={{}}, initial={least})"
    reduction(f"np.{name}(x, axis=None, keepdims=False, initial=initial)",           x="g * share(x, y, axis)",
              initial=f"cast(np.sum(np.where({extreme.format('True')} {beyond} initial, g, 0)), initial)",
              initial_dot=f"np.where({extreme.format('keepdims')} {beyond} initial, initial_dot, 0)")
reduction("np.min(x, axis=None, keepdims=False)",                      x="g * share(x, y, axis)")
reduction("np.ptp(x, axis=None, keepdims=False)",
          x="g * (share(x, np.max(x, axis=axis, keepdims=True), axis) - share(x, np.min(x, axis=axis, keepdims=True), axis))")
for degrees in ("ddof", "correction"):
    reduction(f"np.var(x, axis=None, {degrees}=0, keepdims=False)",
              x=f"g * 2 / (count(x, axis) - {degrees}) * (x - np.mean(x, axis=axis, keepdims=True))")
    reduction(f"np.std(x, axis=None, {degrees}=0, keepdims=False)",  # 0 where all are equal
              x=f"ratio(g, y) / (count(x, axis) - {degrees}) * (x - np.mean(x, axis=axis, keepdims=True))")
    for name, slope in (("var", "g * 2"), ("std", "ratio(g, y)")):  # from a mean that was taken before
        # a mean with more axes than x, or longer ones, is taken by NumPy, and divided by the wrong count: that is an error here
        moved = f"{slope} / (count(x, axis) - {degrees}) * (x - np.broadcast_to(mean, np.shape(x)))"
        reduction(f"np.{name}(x, axis=None, {degrees}=0, keepdims=False, mean=mean)",  x=f"unbroadcast({moved}, x)",  mean=f"unbroadcast(-{moved}, mean)",
                  mean_dot=f"np.sum({moved.replace('g', '-mean_dot', 1)}, axis=axis, keepdims=keepdims)")
reduction("np.prod(x, axis=None, dtype=None, keepdims=False)",  x="cast(g * others(x, y, axis), x)",
          x_dot="np.sum(x_dot * others(x, y, axis), axis=axis, dtype=dtype, keepdims=keepdims)")
for name, factor in (("var", "g * 2"), ("std", "ratio(g, y)")):
    reduction(f"np.{name}(x, axis=None, dtype=None, ddof=0, keepdims=False)",
              x=f"cast({factor} / (count(x, axis) - ddof) * (x - np.mean(x, axis=axis, keepdims=True)), x)",
              x_dot=f"np.sum({factor.replace('g', 'x_dot')} * (x - np.mean(x, axis=axis, keepdims=True)), axis=axis, dtype=dtype, keepdims=keepdims) / (count(x, axis) - ddof)")

# Only what `where` picks counts.
PICKED = "cast(np.sum(np.broadcast_to(where, x.shape), axis=axis, keepdims=True), x)"
CENTRED = "(x - np.mean(x, axis=axis, where=where, keepdims=True))"
reduction("np.sum(x, axis=None, keepdims=False, initial=0, where=where)",    x="np.where(np.broadcast_to(where, np.shape(x)), g, 0)", initial=START, initial_dot=START_DOT)
reduction("np.mean(x, axis=None, keepdims=False, where=where)",              x=f"np.where(np.broadcast_to(where, np.shape(x)), g / {PICKED}, 0)")
reduction("np.prod(x, axis=None, keepdims=False, where=where)",              x="np.where(where, g * others(np.where(where, x, 1), y, axis), 0)")
reduction("np.prod(x, axis=None, keepdims=False, initial=initial, where=where)",
          x="np.where(where, g * initial * others(np.where(where, x, 1), np.prod(x, axis=axis, where=where, keepdims=True), axis), 0)",
          initial="np.sum(g * np.prod(x, axis=axis, where=where, keepdims=True))",  initial_dot="initial_dot * np.prod(x, axis=axis, where=where, keepdims=keepdims)")
for name, beyond, least in (("max", "<", "-np.inf"), ("min", ">", "np.inf")):
    extreme = f"np.{name}(x, axis=axis, keepdims={{}}, initial={least}, where=where)"
    reduction(f"np.{name}(x, axis=None, keepdims=False, initial=initial, where=where)",
              x="np.where(where, g * share(np.where(where, x, initial), y, axis), 0)",
              initial=f"cast(np.sum(np.where({extreme.format('True')} {beyond} initial, g, 0)), initial)",
              initial_dot=f"np.where({extreme.format('keepdims')} {beyond} initial, initial_dot, 0)")
for degrees in ("ddof", "correction"):
    reduction(f"np.var(x, axis=None, {degrees}=0, keepdims=False, where=where)",  x=f"np.where(where, g * 2 * {CENTRED} / ({PICKED} - {degrees}), 0)")
    reduction(f"np.std(x, axis=None, {degrees}=0, keepdims=False, where=where)",  x=f"np.where(where, ratio(g, y) * {CENTRED} / ({PICKED} - {degrees}), 0)")
alias("np.amax", of="np.max")
alias("np.amin", of="np.min")

# What is nan counts for nothing, and its tangent may be nan.
COUNTED = "np.sum(np.where(np.isnan(x), 0, x_dot * share(x, y, axis)), axis=axis, keepdims=keepdims)"
reduction("np.nansum(x, axis=None, keepdims=False)",   x="np.where(np.isnan(x), 0, g)")
reduction("np.nanmean(x, axis=None, keepdims=False)",  x="np.where(np.isnan(x), 0, g / cast(np.sum(~np.isnan(x), axis=axis, keepdims=True), x))")
reduction("np.nanprod(x, axis=None, keepdims=False)",  x="np.where(np.isnan(x), 0, g * others(np.where(np.isnan(x), 1, x), y, axis))")
reduction("np.nanmax(x, axis=None, keepdims=False)",   x="np.where(np.isnan(x), 0, g * share(x, y, axis))", x_dot=COUNTED)
reduction("np.nanmin(x, axis=None, keepdims=False)",   x="np.where(np.isnan(x), 0, g * share(x, y, axis))", x_dot=COUNTED)
for name, slope in (("var", "g * 2"), ("std", "ratio(g, y)")):
    for degrees in ("ddof", "correction"):
        scaled = f"{slope} / cast(np.sum({{}}, axis=axis, keepdims=True) - {degrees}, x)"
        of_all = scaled.format("~np.isnan(x)")
        reduction(f"np.nan{name}(x, axis=None, {degrees}=0, keepdims=False)",
                  x=f"np.where(np.isnan(x), 0, {of_all} * (x - np.nanmean(x, axis=axis, keepdims=True)))")
        moved = f"np.where(np.isnan(x), 0, {of_all} * (x - np.broadcast_to(mean, np.shape(x))))"  # from a mean that was taken before
        reduction(f"np.nan{name}(x, axis=None, {degrees}=0, keepdims=False, mean=mean)",  x=f"unbroadcast({moved}, x)",  mean=f"unbroadcast(-{moved}, mean)",
                  mean_dot=f"np.sum({moved.replace('g', '-mean_dot', 1)}, axis=axis, keepdims=keepdims)")
        reduction(f"np.nan{name}(x, axis=None, {degrees}=0, keepdims=False, where=where)",
                  x=f"np.where(where & ~np.isnan(x), {scaled.format('where & ~np.isnan(x)')} * (x - np.nanmean(x, axis=axis, where=where, keepdims=True)), 0)")
reduction("np.nansum(x, axis=None, keepdims=False, initial=initial)",           x="np.where(np.isnan(x), 0, g)",  initial=START,  initial_dot=START_DOT)
reduction("np.nansum(x, axis=None, keepdims=False, initial=0, where=where)",    x="np.where(where & ~np.isnan(x), g, 0)",  initial=START,  initial_dot=START_DOT)
reduction("np.nanmean(x, axis=None, keepdims=False, where=where)",
          x="np.where(where & ~np.isnan(x), g / cast(np.sum(where & ~np.isnan(x), axis=axis, keepdims=True), x), 0)")
reduction("np.nanprod(x, axis=None, keepdims=False, where=where)",
          x="np.where(where & ~np.isnan(x), g * others(np.where(where & ~np.isnan(x), x, 1), y, axis), 0)")
for given, counts in (("initial=initial", "~np.isnan(x)"), ("initial=initial, where=where", "where & ~np.isnan(x)")):
    product = f"np.nanprod(x, axis=axis, {given.partition(', ')[2]}, keepdims={{}})".replace(", ,", ",")
    reduction(f"np.nanprod(x, axis=None, keepdims=False, {given})",
              x=f"np.where({counts}, g * initial * others(np.where({counts}, x, 1), {product.format('True')}, axis), 0)",
              initial=f"np.sum(g * {product.format('True')})",  initial_dot=f"initial_dot * {product.format('keepdims')}")
for name, beyond, least in (("max", "<", "-np.inf"), ("min", ">", "np.inf")):
    for given, counts in (("initial=initial", "~np.isnan(x)"), ("initial=initial, where=where", "where & ~np.isnan(x)")):
        extreme = f"np.nan{name}(x, axis=axis, keepdims={{}}, {given.replace('=initial', f'={least}')})"
        taken = f"share(np.where({counts}, x, initial), y, axis)"
        reduction(f"np.nan{name}(x, axis=None, keepdims=False, {given})",  x=f"np.where({counts}, g * {taken}, 0)",
                  x_dot=f"np.sum(np.where({counts}, x_dot * {taken}, 0), axis=axis, keepdims=keepdims)",
                  initial=f"cast(np.sum(np.where({extreme.format('True')} {beyond} initial, g, 0)), initial)",
                  initial_dot=f"np.where({extreme.format('keepdims')} {beyond} initial, initial_dot, 0)")

for way, of in (("add", "sum"), ("multiply", "prod"), ("maximum", "max"), ("minimum", "min")):
    reduces(f"np.{way}.reduce", f"np.{of}")
reduction("np.fmax.reduce(x, axis=0, keepdims=False)",      x="g * share(x, y, axis)")
reduction("np.fmin.reduce(x, axis=0, keepdims=False)",      x="g * share(x, y, axis)")
reduction("np.hypot.reduce(x, axis=0, keepdims=False)",     x="ratio(g, y) * x")
SOFT = "np.where(y == -np.inf, 0, y)"  # the soft maximum, and none of what is infinitely small
for name in ("exp", "exp2"):
    reduction(f"np.logadd{name}.reduce(x, axis=0, keepdims=False)", x=f"g * np.{name}(x - {SOFT})")
    for given, term in (("initial=initial", "g * np.{}(x - {})"), ("initial=-np.inf, where=where", "np.where(where, g * np.{}(np.where(where, x, y) - {}), 0)")):
        reduction(f"np.logadd{name}.reduce(x, axis=0, keepdims=False, {given})",  x=term.format(name, SOFT),
                  initial=f"cast(np.sum(g * np.{name}(initial - {SOFT})), initial)",  initial_dot=f"np.reshape(initial_dot * np.{name}(initial - {SOFT}), np.shape(np.sum(x, axis=axis, keepdims=keepdims)))")

reduction("np.average(x, axis=None, returned=[False], keepdims=False)", linear=True,  x="g / count(x, axis)")
for rank in (1, 2, 3):
    reduction("np.average(x, axis=None, weights=None, returned=[False], keepdims=False)", ranks=(rank, rank),
              x="g * weights / np.sum(weights, axis=axis, keepdims=True)",
              weights="g * (x - y) / np.sum(weights, axis=axis, keepdims=True)")
OF_AXES = ((2, 1), (3, 1), (3, 2))  # of x, and of the weights along one axis of it, or several
for ranks in OF_AXES:
    structural("np.average(x, axis=None, weights=None, returned=[False], keepdims=[True])", ranks=ranks,
               x="g * along(weights, x, axis) / np.sum(weights)",  weights="across(g * (x - y), axis) / np.sum(weights)",
               x_dot="np.average(x_dot, axis=axis, weights=weights, keepdims=True)",
               weights_dot="np.sum((x - y) * along(weights_dot, x, axis), axis=axis, keepdims=True) / np.sum(weights)")
    for given in ("", ", keepdims=[False]"):
        structural(f"np.average(x, axis=None, weights=None, returned=[False]{given})", ranks=ranks,
                   x="np.expand_dims(g, axis) * along(weights, x, axis) / np.sum(weights)",
                   weights="across(np.expand_dims(g, axis) * (x - np.expand_dims(y, axis)), axis) / np.sum(weights)",
                   x_dot="np.average(x_dot, axis=axis, weights=weights)",
                   weights_dot="np.sum((x - np.expand_dims(y, axis)) * along(weights_dot, x, axis), axis=axis) / np.sum(weights)")

# With the sum of the weights beside it.
SPREAD = "spread({}, x, axis, keepdims)"
WEIGHED = "np.average(x_dot, axis=axis, weights=weights, keepdims=keepdims), None"
MOVED = f"(x - {SPREAD.format('y[0]')}) * {{}} / {SPREAD.format('y[1]')}"
tuple_valued("np.average(x, axis=None, weights=[None], returned=[True], keepdims=False)",
             x=f"full({SPREAD.format('g[0]')} / count(x, axis), x)",  x_dot=WEIGHED.replace("weights=weights, ", ""))
for rank in (1, 2, 3):
    tuple_valued("np.average(x, axis=None, weights=None, returned=[True], keepdims=False)", ranks=(rank, rank),
                 x=f"{SPREAD.format('g[0]')} * weights / {SPREAD.format('y[1]')}",  x_dot=WEIGHED,
                 weights="average_weights_adjoint(g, y, x, axis, keepdims)",
                 weights_dot=f"np.sum({MOVED.format('weights_dot')}, axis=axis, keepdims=keepdims), np.sum(weights_dot, axis=axis, keepdims=keepdims)")
for ranks in OF_AXES:
    tuple_valued("np.average(x, axis=None, weights=None, returned=[True], keepdims=False)", ranks=ranks,
                 x=f"{SPREAD.format('g[0]')} * along(weights, x, axis) / {SPREAD.format('y[1]')}",  x_dot=WEIGHED,
                 weights="across(average_weights_adjoint(g, y, x, axis, keepdims), axis)",
                 weights_dot=f"np.sum({MOVED.format('along(weights_dot, x, axis)')}, axis=axis, keepdims=keepdims), full(np.sum(weights_dot), y[1])")

reduction("np.linalg.norm(x, ord=[None], axis=None, keepdims=False)",             x="ratio(g, y) * x")  # 0 at the origin
reduction("np.linalg.norm(x, ord=[2], axis=None, keepdims=False)", ranks=(1,),    x="ratio(g, y) * x")
reduction("np.linalg.norm(x, ord=[1], axis=None, keepdims=False)", ranks=(1,),    x="g * np.sign(x)")
reduction("np.linalg.norm(x, ord=['fro'], axis=None, keepdims=False)",            x="ratio(g, y) * x")
reduction("np.linalg.norm(x, ord=None, axis=None, keepdims=False)",               x="g * norm_slope(x, y, ord, axis)")
reduction("np.linalg.vector_norm(x, axis=None, keepdims=False, ord=[2, None])",   x="ratio(g, y) * x")
reduction("np.linalg.vector_norm(x, axis=None, keepdims=False, ord=[1])",         x="g * np.sign(x)")
reduction("np.linalg.vector_norm(x, axis=None, keepdims=False, ord=2)",           x="g * vector_norm_slope(x, y, ord, axis)")

multilinear("np.cumsum(x, axis=None)",              x="cumsum_adjoint(g, x, axis)")
multilinear("np.cumsum(x, axis=None, dtype=None)",  x="cast(cumsum_adjoint(g, x, axis), x)")
structural ("np.cumprod(x, axis=None)",             x="cumprod_adjoint(g, x, axis)",  x_dot="cumprod_tangent(x_dot, x, axis)")
structural ("np.cumprod(x, axis=None, dtype=None)",  x="cast(cumprod_adjoint(g, x, axis), x)",  x_dot="cast(cumprod_tangent(x_dot, x, axis), y)")
multilinear("np.cumulative_sum(x, axis=None, include_initial=[False])",   x="cumsum_adjoint(g, x, axis)")
multilinear("np.cumulative_sum(x, axis=[None], include_initial=[True])",   x="cumsum_adjoint(g[1:], x)")
multilinear("np.cumulative_sum(x, axis=axis, include_initial=[True])",         x="cumsum_adjoint(np.delete(g, 0, axis), x, axis)")
structural ("np.cumulative_prod(x, axis=None, include_initial=[False])",  x="cumprod_adjoint(g, x, axis)",  x_dot="cumprod_tangent(x_dot, x, axis)")
structural ("np.cumulative_prod(x, axis=None, include_initial=[True])",   x="cumprod_adjoint(np.delete(g, 0, axis), x, axis)",
            x_dot="np.insert(cumprod_tangent(x_dot, x, axis), 0, 0, axis)")
structural ("np.nancumsum(x, axis=None)",           x="np.where(np.isnan(x), 0, cumsum_adjoint(g, x, axis))",
            x_dot="np.cumsum(np.where(np.isnan(x), 0, x_dot), axis=axis)")
structural ("np.nancumprod(x, axis=None)",          x="np.where(np.isnan(x), 0, cumprod_adjoint(g, np.where(np.isnan(x), 1, x), axis))",
            x_dot="cumprod_tangent(np.where(np.isnan(x), 0, x_dot), np.where(np.isnan(x), 1, x), axis)")
multilinear("np.add.accumulate(x, axis=0)",         x="cumsum_adjoint(g, x, axis)")
structural ("np.multiply.accumulate(x, axis=0)",    x="cumprod_adjoint(g, x, axis)",  x_dot="cumprod_tangent(x_dot, x, axis)")
for name in ("maximum", "minimum", "fmax", "fmin"):  # ties: to the first that equals the extreme so far
    structural(f"np.{name}.accumulate(x, axis=0)",  x="take_along_axis_adjoint(g, x, first_of(x, y, axis), axis)",
               x_dot="np.take_along_axis(x_dot, first_of(x, y, axis), axis)")
for name in ("exp", "exp2"):
    share, kept = f"np.{name}(x - {SOFT})", f"np.{name}(one_behind(y, axis, -np.inf) - {SOFT})"  # of what is new, and of what was there
    structural(f"np.logadd{name}.accumulate(x, axis=0)",  x=f"{share} * recurrence_adjoint(g, {kept}, axis)",  x_dot=f"recurrence({share} * x_dot, {kept}, axis)")
multilinear("np.add.reduceat(x, indices, axis=0)",  x="reduceat_adjoint(g, x, indices, axis)")
for name in ("maximum", "minimum", "fmax", "fmin"):
    structural(f"np.{name}.reduceat(x, indices, axis=0)",  x="take_along_axis_adjoint(g, x, first_in_pieces(x, y, indices, axis), axis)",
               x_dot="np.take_along_axis(x_dot, first_in_pieces(x, y, indices, axis), axis)")

multilinear("np.diff(x, n=1, axis=-1)",             x="diff_adjoint(g, x, n, axis)")
structural ("np.diff(x, n=1, axis=-1, prepend=prepend)",  x="joined_diff_adjoint(g, (prepend, x), 1, n, axis)",  prepend="joined_diff_adjoint(g, (prepend, x), 0, n, axis)",
            x_dot="np.diff(x_dot, n, axis, prepend=0 * prepend)",  prepend_dot="np.diff(0 * x, n, axis, prepend=prepend_dot)")
structural ("np.diff(x, n=1, axis=-1, append=append)",    x="joined_diff_adjoint(g, (x, append), 0, n, axis)",   append="joined_diff_adjoint(g, (x, append), 1, n, axis)",
            x_dot="np.diff(x_dot, n, axis, append=0 * append)",    append_dot="np.diff(0 * x, n, axis, append=append_dot)")
structural ("np.diff(x, n=1, axis=-1, prepend=prepend, append=append)",
            x="joined_diff_adjoint(g, (prepend, x, append), 1, n, axis)",
            prepend="joined_diff_adjoint(g, (prepend, x, append), 0, n, axis)",  append="joined_diff_adjoint(g, (prepend, x, append), 2, n, axis)",
            x_dot="np.diff(x_dot, n, axis, prepend=0 * prepend, append=0 * append)",
            prepend_dot="np.diff(0 * x, n, axis, prepend=prepend_dot, append=0 * append)",
            append_dot="np.diff(0 * x, n, axis, prepend=0 * prepend, append=append_dot)")
INSIDE = "np.reshape(diff_adjoint({}, np.ravel(x)), np.shape(x))"
multilinear("np.ediff1d(x, to_end=[None], to_begin=[None])",     x=INSIDE.format("g"))
structural ("np.ediff1d(x, to_end=[None], to_begin=to_begin)",   x=INSIDE.format("g[np.size(to_begin):]"),  to_begin="np.reshape(g[:np.size(to_begin)], np.shape(to_begin))",
            x_dot="np.ediff1d(x_dot, to_begin=np.zeros_like(to_begin))",  to_begin_dot="np.ediff1d(np.zeros_like(x), to_begin=to_begin_dot)")
structural ("np.ediff1d(x, to_end=to_end, to_begin=[None])",     x=INSIDE.format("g[:max(np.size(x) - 1, 0)]"),  to_end="np.reshape(g[max(np.size(x) - 1, 0):], np.shape(to_end))",
            x_dot="np.ediff1d(x_dot, to_end=np.zeros_like(to_end))",  to_end_dot="np.ediff1d(np.zeros_like(x), to_end=to_end_dot)")
BOTH_ENDS = "np.ediff1d({}, to_end={}, to_begin={})"
structural ("np.ediff1d(x, to_end=to_end, to_begin=to_begin)",  x=INSIDE.format("g[np.size(to_begin):len(g) - np.size(to_end)]"),
            to_end="np.reshape(g[len(g) - np.size(to_end):], np.shape(to_end))",  to_begin="np.reshape(g[:np.size(to_begin)], np.shape(to_begin))",
            x_dot=BOTH_ENDS.format("x_dot", "np.zeros_like(to_end)", "np.zeros_like(to_begin)"),
            to_end_dot=BOTH_ENDS.format("np.zeros_like(x)", "to_end_dot", "np.zeros_like(to_begin)"),
            to_begin_dot=BOTH_ENDS.format("np.zeros_like(x)", "np.zeros_like(to_end)", "to_begin_dot"))
structural ("np.unwrap(x, discont=None, axis=-1, period=6.283185307179586)",  x="g",  x_dot="x_dot")
STEPS = "unbroadcast(dx, np.empty(v.shape[-1] - 1))"
multilinear("np.trapezoid(v, x=[None], dx=dx, axis=[-1])", ranks={"dx": 1},  # a width of each step
            v=f"np.expand_dims(g, -1) * cast((np.pad({STEPS}, (1, 0)) + np.pad({STEPS}, (0, 1))) / 2, v)",
            dx="unbroadcast(np.expand_dims(g, -1) * (v[..., 1:] + v[..., :-1]) / 2, dx)")
multilinear("np.trapezoid(v, x=[None], dx=dx, axis=-1)", ranks={"dx": 1},  # along the last axis, whichever is summed
            v="neighbours_adjoint(unbroadcast(np.expand_dims(g, axis) * dx / 2 * np.ones_like(neighbours(v, axis)), neighbours(v, axis)), axis)",
            dx="unbroadcast(np.expand_dims(g, axis) * neighbours(v, axis) / 2, dx)")
multilinear("np.trapezoid(v, x=[None], dx=1.0)", ranks={"v": 1},  v="g * dx * trapezoid_weights(v)",  dx="g * np.trapezoid(v)", thin=True)
structural ("np.trapezoid(v, x)", ranks=(1, 1),  v="g * cast(trapezoid_widths(x), v)",  x="-g * np.diff(np.pad((v[1:] + v[:-1]) / 2, 1))",
            v_dot="np.trapezoid(v_dot, x)",  x_dot="np.sum((v[1:] + v[:-1]) / 2 * np.diff(x_dot))", thin=True)
multilinear("np.trapezoid(v, x=[None], dx=1.0, axis=-1)",  v="np.expand_dims(g, axis) * dx * trapezoid_weights(v, axis)",  dx="np.sum(g * np.trapezoid(v, axis=axis))")
multilinear("np.trapezoid(v, x, dx=1.0, axis=-1)", ranks={"x": 1},  v="np.expand_dims(g, axis) * along(cast(trapezoid_widths(x), v), v, axis)",
            x="diff_adjoint(across(np.expand_dims(g, axis) * neighbours(v, axis) / 2, axis), x)")
for rank in (2, 3):
    multilinear("np.trapezoid(v, x, dx=1.0, axis=-1)", ranks=(rank, rank),
                v="unbroadcast(neighbours_adjoint(np.expand_dims(g, axis) * np.diff(x, axis=axis) / 2, axis), v)",
                x="unbroadcast(diff_adjoint(np.expand_dims(g, axis) * neighbours(v, axis) / 2, v, 1, axis), x)")
with_dtype(*(f"np.nan{name}" for name in ["sum", "mean", "prod", "var", "std", "cumsum", "cumprod"]))
with_dtype(*(f"np.{name}.reduce" for name in ["maximum", "minimum", "logaddexp", "logaddexp2"]))
with_dtype(*(f"np.{name}.accumulate" for name in ["add", "multiply", "maximum", "minimum", "fmax", "fmin", "logaddexp", "logaddexp2"]), *(f"np.{name}.reduceat" for name in ["add", "maximum", "minimum", "fmax", "fmin"]), "np.cumulative_sum", "np.cumulative_prod")
# fmt: on
