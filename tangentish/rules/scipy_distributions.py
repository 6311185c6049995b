"""scipy.stats: distributions by the slopes of their standard form, at `z = (x - loc) / scale`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tangentish.rules.scipy_stats import density, distribution, masses

PLACE = "((x - loc) / scale)"


def standard(call: str, x: str, half_line: bool = True, **slopes: str) -> None:
    """The rows of a density and its logarithm, from the slopes of the logarithm of the standard one in z and its shapes."""
    moved = f"({x}) / scale"
    texts = {"x": moved, "loc": f"-{moved}", "scale": f"-(1 + z * ({x})) / scale"} | slopes
    density(call, half_line, **{p: _placed(text) for p, text in texts.items()})


def cumulated(call: str, slopes: Mapping[str, str] | None = None, **moves: str) -> None:
    """The rows of a distribution function and its inverses, by how the standard one, or its quantile z, moves."""
    by_value = {p: f"({_placed(text)})" for p, text in (slopes or {}).items()}
    distribution(call, by_value, **{p: _placed(f"scale * ({text})") for p, text in moves.items()})


def _placed(text: str) -> str:
    return re.sub(r"\bz\b", PLACE, text)


REST = "loc=0, scale=1)"
# fmt: off
# Without shapes.
for name, x in (
    ("halflogistic",  "-np.tanh(z / 2)"),
    ("hypsecant",     "-np.tanh(z)"),
    ("moyal",         "np.expm1(-z) / 2"),
    ("levy",          "(1 / z - 3) / (2 * z)"),
    ("wald",          "(1 / z - 3) / (2 * z) - 0.5"),
    ("arcsine",       "(2 * z - 1) / (2 * z * (1 - z))"),
    ("semicircular",  "-z / (1 - z ** 2)"),
):
    standard(f"{name}(x, {REST}", x, half_line="/" in x)
    cumulated(f"{name}(x, {REST}")

# Of positive numbers, by powers and logarithms.
standard (f"fisk(x, c, {REST}",         "(c - 1 - 2 * c * z ** c / (1 + z ** c)) / z",  c="1 / c + np.log(z) * (1 - z ** c) / (1 + z ** c)")
cumulated(f"fisk(x, c, {REST}",         c="-z * np.log(z) / c")
standard (f"lomax(x, c, {REST}",        "-(c + 1) / (1 + z)",         c="1 / c - np.log1p(z)")
cumulated(f"lomax(x, c, {REST}",        c="-(1 + z) * np.log1p(z) / c")
standard (f"powerlaw(x, a, {REST}",     "(a - 1) / z",                a="1 / a + np.log(z)")
cumulated(f"powerlaw(x, a, {REST}",     a="-z * np.log(z) / a")
standard (f"invweibull(x, c, {REST}",   "(c / z ** c - c - 1) / z",   c="1 / c - np.log(z) * (1 - 1 / z ** c)")
cumulated(f"invweibull(x, c, {REST}",   c="-z * np.log(z) / c")
standard (f"weibull_max(x, c, {REST}",  "(c - 1 - c * (-z) ** c) / z",  c="1 / c + np.log(-z) * (1 - (-z) ** c)")
cumulated(f"weibull_max(x, c, {REST}",  c="-z * np.log(-z) / c")
standard (f"burr12(x, c, d, {REST}",    "(c - 1 - (d + 1) * c * z ** c / (1 + z ** c)) / z",
          c="1 / c + np.log(z) * (1 - d * z ** c) / (1 + z ** c)",  d="1 / d - np.log1p(z ** c)")
cumulated(f"burr12(x, c, d, {REST}",    c="-z * np.log(z) / c",       d="-z * (1 + z ** c) * np.log1p(z ** c) / (c * d * z ** c)")
standard (f"loglaplace(x, c, {REST}",   "(np.where(z < 1, c, -c) - 1) / z",  c="1 / c - np.abs(np.log(z))")
cumulated(f"loglaplace(x, c, {REST}",   c="-z * np.log(z) / c")
for name in ("loguniform", "reciprocal"):
    standard (f"{name}(x, a, b, {REST}",  "-1 / z",                   a="1 / (a * np.log(b / a))",  b="-1 / (b * np.log(b / a))")
    cumulated(f"{name}(x, a, b, {REST}",  a="z * np.log(b / z) / (a * np.log(b / a))",  b="z * np.log(z / a) / (b * np.log(b / a))")
standard (f"gompertz(x, c, {REST}",     "1 - c * np.exp(z)",          c="1 / c - np.expm1(z)")
cumulated(f"gompertz(x, c, {REST}",     c="np.expm1(-z) / c")
standard (f"truncexpon(x, b, {REST}",   "-1.0",                       b="-1 / np.expm1(b)")
cumulated(f"truncexpon(x, b, {REST}",   {"b": "np.expm1(-np.clip(z, 0, b)) / (4 * np.sinh(b / 2) ** 2) * (z < b)"})
standard (f"triang(x, c, {REST}",       "np.where(z < c, 1 / z, 1 / (z - 1))",  c="np.where(z < c, -1 / c, 1 / (1 - c))")
cumulated(f"triang(x, c, {REST}",       {"c": "-np.where(z < c, np.maximum(z, 0) / c, np.maximum(1 - z, 0) / (1 - c)) ** 2"})

# By the gamma and the beta function.
standard (f"chi(x, df, {REST}",         "(df - 1) / z - z",           df="np.log(z) - (scipy.special.digamma(df / 2) + math.log(2)) / 2")
cumulated(f"chi(x, df, {REST}",         {"df": "gammainc_slope(df / 2, np.maximum(z, 0) ** 2 / 2) / 2"})
standard (f"nakagami(x, nu, {REST}",    "(2 * nu - 1) / z - 2 * nu * z",  nu="np.log(nu) + 1 - scipy.special.digamma(nu) + 2 * np.log(z) - z ** 2")
cumulated(f"nakagami(x, nu, {REST}",    {"nu": "gammainc_slope(nu, nu * np.maximum(z, 0) ** 2) + (x - loc) * scipy.stats.nakagami.pdf(x, nu, loc, scale) / (2 * nu)"})
standard (f"gengamma(x, a, c, {REST}",  "(a * c - 1 - c * z ** c) / z",   a="c * np.log(z) - scipy.special.digamma(a)",  c="1 / c + np.log(z) * (a - z ** c)")
cumulated(f"gengamma(x, a, c, {REST}",  {"a": "np.sign(c) * gammainc_slope(a, np.maximum(z, 0) ** c)"},  c="-z * np.log(z) / c")
standard (f"loggamma(x, c, {REST}",     "c - np.exp(z)",              c="z - scipy.special.digamma(c)",  half_line=False)
cumulated(f"loggamma(x, c, {REST}",     {"c": "gammainc_slope(c, np.exp(z))"})
standard (f"gennorm(x, beta, {REST}",   "-beta * np.sign(z) * np.abs(z) ** (beta - 1)",  half_line=False,
          beta="1 / beta + scipy.special.digamma(1 / beta) / beta ** 2 - scipy.special.xlogy(np.abs(z) ** beta, np.abs(z))")
cumulated(f"gennorm(x, beta, {REST}",   {"beta": "scipy.special.xlogy(z, np.abs(z)) * scale * scipy.stats.gennorm.pdf(x, beta, loc, scale) / beta"
                                                 " - np.sign(z) * gammainc_slope(1 / beta, np.abs(z) ** beta) / (2 * beta ** 2)"})
standard (f"betaprime(x, a, b, {REST}",  "(a - 1) / z - (a + b) / (1 + z)",
          a="np.log(z) - np.log1p(z) - scipy.special.digamma(a) + scipy.special.digamma(a + b)",
          b="-np.log1p(z) - scipy.special.digamma(b) + scipy.special.digamma(a + b)")
cumulated(f"betaprime(x, a, b, {REST}",  {p: f"beta_prime_slope(a, b, np.maximum(z, 0), {orders})" for p, orders in (("a", "1, 0"), ("b", "0, 1"))})

# By the normal distribution.
standard (f"invgauss(x, mu, {REST}",    "(1 / z - 3) / (2 * z) - 1 / (2 * mu ** 2)",  mu="(z - mu) / mu ** 3")
cumulated(f"invgauss(x, mu, {REST}",    {"mu": "-2 / mu ** 2 * np.exp(2 / mu + scipy.special.log_ndtr(-(np.maximum(z, 0) / mu + 1) / np.sqrt(np.maximum(z, 1e-300))))"})
standard (f"foldnorm(x, c, {REST}",     "c * np.tanh(c * z) - z",     c="z * np.tanh(c * z) - c")
cumulated(f"foldnorm(x, c, {REST}",     {"c": "(scipy.stats.norm.pdf(z + c) - scipy.stats.norm.pdf(z - c)) * (z > 0)"})
standard (f"rice(x, b, {REST}",         "1 / z - z + b * scipy.special.i1e(b * z) / scipy.special.i0e(b * z)",
          b="z * scipy.special.i1e(b * z) / scipy.special.i0e(b * z) - b")
cumulated(f"rice(x, b, {REST}",         {"b": "-np.maximum(z, 0) * np.exp(-(z - b) ** 2 / 2) * scipy.special.i1e(b * z)"})
RAISED = "np.exp(scipy.stats.ncx2.logpdf(x, df + 2, nc, loc, scale) - np.maximum(scipy.stats.ncx2.logpdf(x, df, nc, loc, scale), -1e300))"  # -inf outside
standard (f"ncx2(x, df, nc, {REST}",    f"(df - 2 + nc * {RAISED}) / (2 * z) - 0.5",  nc=f"({RAISED} - 1) / 2")
cumulated(f"ncx2(x, df, nc, {REST}",    {"nc": "-scale * scipy.stats.ncx2.pdf(x, df + 2, nc, loc, scale)"})
T = "(a + b * np.arcsinh(z))"
standard (f"johnsonsu(x, a, b, {REST}",  f"-(z + {T} * b * np.sqrt(1 + z ** 2)) / (1 + z ** 2)",  a=f"-{T}",  b=f"1 / b - {T} * np.arcsinh(z)",  half_line=False)
cumulated(f"johnsonsu(x, a, b, {REST}",  a="-np.sqrt(1 + z ** 2) / b",  b="-np.arcsinh(z) * np.sqrt(1 + z ** 2) / b")
LEFT = "np.exp(scipy.stats.norm.logpdf(z - 1 / K) - scipy.special.log_ndtr(z - 1 / K))"
standard (f"exponnorm(x, K, {REST}",    f"{LEFT} - 1 / K",            K=f"((z + {LEFT}) / K - 1 / K ** 2 - 1) / K",  half_line=False)
cumulated(f"exponnorm(x, K, {REST}",    {"K": "-((z - 1 / K) * scale * scipy.stats.exponnorm.pdf(x, K, loc, scale) + scipy.stats.norm.pdf(z) / K) / K"})
standard (f"genlogistic(x, c, {REST}",  "(c + 1) * scipy.special.expit(-z) - 1",  c="1 / c + scipy.special.log_expit(z)",  half_line=False)
cumulated(f"genlogistic(x, c, {REST}",  {"c": "scipy.special.log_expit(z) * np.exp(c * scipy.special.log_expit(z))"})

# Of extremes, where the shape may be 0: the integral of `t / (1 - u * t) ** 2` from 0 to 1 has no pole there.
FALL = "scipy.special.hyp2f1(2, 2, 3, np.where({u} < 1, {u}, 0)) / 2"
BEND = f"z ** 2 * {FALL.format(u='-c * z')}"
standard (f"genpareto(x, c, {REST}",    "-(1 + c) / (1 + c * z)",     c=f"{BEND} - z / (1 + c * z)")
cumulated(f"genpareto(x, c, {REST}",    c=f"(1 + c * z) * {BEND}")
BEND, LEVEL = f"z ** 2 * {FALL.format(u='c * z')}", "scipy.special.inv_boxcox(np.where(c * z < 1, -z, 0), c)"
standard (f"genextreme(x, c, {REST}",   f"(c - 1 + {LEVEL}) / (1 - c * z)",  c=f"(c - 1 + {LEVEL}) * {BEND} - np.log({LEVEL})")
cumulated(f"genextreme(x, c, {REST}",   c=f"-(1 - c * z) * {BEND}")

# Counts.
masses("betabinom(k, n, a, b, loc=0)",
       a="scipy.special.digamma(k - loc + a) - scipy.special.digamma(n + a + b) - scipy.special.digamma(a) + scipy.special.digamma(a + b)",
       b="scipy.special.digamma(n - k + loc + b) - scipy.special.digamma(n + a + b) - scipy.special.digamma(b) + scipy.special.digamma(a + b)")
masses("logser(k, p, loc=0)",           p="(k - loc) / p + 1 / ((1 - p) * np.log1p(-p))")
masses("planck(k, lambda_, loc=0)",     lambda_="1 / np.expm1(lambda_) - (k - loc)")
masses("dlaplace(k, a, loc=0)",         a="1 / np.sinh(a) - np.abs(k - loc)")
BESIDE = "np.exp(scipy.stats.skellam.logpmf(k {step} 1, mu1, mu2, loc) - scipy.stats.skellam.logpmf(k, mu1, mu2, loc)) - 1"
masses("skellam(k, mu1, mu2, loc=0)",   mu1=BESIDE.format(step="-"),  mu2=BESIDE.format(step="+"))
# fmt: on
