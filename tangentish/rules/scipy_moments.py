"""scipy.stats: moments and means of samples, ranks."""

from __future__ import annotations

from tangentish.rules.laws import constant, reduction, structural

# fmt: off
KEEP = "nan_policy=['propagate'], keepdims=False"
SPREAD = "(count(x, axis) * np.std(x, axis=axis, keepdims=True))"
POWER = "(x - np.mean(x, axis=axis, keepdims=True)) ** (order - 1)"
reduction(f"scipy.stats.skew(x, axis=0, bias=[True], {KEEP})",
          x=f"3 * g * (scipy.stats.zscore(x, axis) ** 2 - 1 - y * scipy.stats.zscore(x, axis)) / {SPREAD}")
BIAS = "(math.sqrt(count(x, axis) * (count(x, axis) - 1)) / max(count(x, axis) - 2, 1))"  # of two elements it is 0 either way
reduction(f"scipy.stats.skew(x, axis=0, bias=[False], {KEEP})",
          x=f"3 * g * ({BIAS} * (scipy.stats.zscore(x, axis) ** 2 - 1) - y * scipy.stats.zscore(x, axis)) / {SPREAD}")
CUBES = "scipy.stats.zscore(x, axis) ** 3 - np.mean(scipy.stats.zscore(x, axis) ** 3, axis=axis, keepdims=True)"
FOURTH = "scipy.stats.kurtosis(x, axis, False, keepdims=True)"
BIAS = "((count(x, axis) ** 2 - 1) / ((count(x, axis) - 2) * (count(x, axis) - 3)) if count(x, axis) > 3 else 1.0)"
for fisher, whole in (("True", "(y + 3)"), ("False", "y")):
    reduction(f"scipy.stats.kurtosis(x, axis=0, fisher=[{fisher}], bias=[True], {KEEP})",
              x=f"4 * g * ({CUBES} - {whole} * scipy.stats.zscore(x, axis)) / {SPREAD}")
reduction(f"scipy.stats.kurtosis(x, axis=0, fisher=[False, True], bias=[False], {KEEP})",
          x=f"4 * g * {BIAS} * ({CUBES} - {FOURTH} * scipy.stats.zscore(x, axis)) / {SPREAD}")
for order, ranks in (("order=[1]", {}), ("order=1", {"order": 0})):  # several at once give one axis more
    reduction(f"scipy.stats.moment(x, {order}, axis=0, nan_policy=['propagate'], center=[None], keepdims=False)", ranks=ranks,
              x=f"g * order * ({POWER} - np.mean({POWER}, axis=axis, keepdims=True)) / count(x, axis)")
reduction(f"scipy.stats.sem(x, axis=0, ddof=1, {KEEP})",
          x="ratio(g, y) * (x - np.mean(x, axis=axis, keepdims=True)) / ((count(x, axis) - ddof) * count(x, axis))")
LIMITS = "limits=[None], inclusive=(True, True)"
reduction(f"scipy.stats.tmean(x, {LIMITS}, axis=None, {KEEP})",         x="g / count(x, axis)")
reduction(f"scipy.stats.tvar(x, {LIMITS}, axis=0, ddof=1, {KEEP})",     x="g * 2 / (count(x, axis) - ddof) * (x - np.mean(x, axis=axis, keepdims=True))")
reduction(f"scipy.stats.tstd(x, {LIMITS}, axis=0, ddof=1, {KEEP})",     x="ratio(g, y) / (count(x, axis) - ddof) * (x - np.mean(x, axis=axis, keepdims=True))")
reduction(f"scipy.stats.tsem(x, {LIMITS}, axis=0, ddof=1, {KEEP})",
          x="ratio(g, y) * (x - np.mean(x, axis=axis, keepdims=True)) / ((count(x, axis) - ddof) * count(x, axis))")
MEAN = "np.mean(x, axis=axis, keepdims=True)"
reduction("scipy.stats.variation(x, axis=0, nan_policy=['propagate'], ddof=0, keepdims=False)",
          x=f"ratio(g, y) * (x - {MEAN}) / ((count(x, axis) - ddof) * {MEAN} ** 2) - g * y / (count(x, axis) * {MEAN})")
reduction(f"scipy.stats.pmean(x, p, axis=0, dtype=[None], weights=[None], {KEEP})",  x="g * (x / y) ** (p - 1) / count(x, axis)")
reduction(f"scipy.stats.gmean(x, axis=0, dtype=[None], weights=[None], {KEEP})",  x="g * y / (x * count(x, axis))")
reduction(f"scipy.stats.hmean(x, axis=0, dtype=[None], weights=[None], {KEEP})",  x="g * (y / x) ** 2 / count(x, axis)")
SLOPE = "({0} - np.mean({0}, axis=axis, keepdims=True) - y * np.sum({0} * y, axis=axis, keepdims=True) / (count(x, axis) - ddof))"
structural("scipy.stats.zscore(x, axis=0, ddof=0, nan_policy=['propagate'])",
           x=f"{SLOPE.format('g')} / np.std(x, axis=axis, ddof=ddof, keepdims=True)",
           x_dot=f"{SLOPE.format('x_dot')} / np.std(x, axis=axis, ddof=ddof, keepdims=True)")
# fmt: on
constant("scipy.stats.rankdata")
