"""scipy.stats: means, variances, standard deviations and entropies of distributions, by their parameters."""

from __future__ import annotations

import numpy as np

from tangentish.rules.laws import elementwise


def spread(name: str, mean: str, std: str) -> None:
    """The rows of a distribution without shapes, by the mean and the standard deviation of the standard one."""
    parameters = "(loc=0, scale=1)"
    at = {"loc": "0", "scale": "0" if mean == "0" else f"g * {mean}"}
    elementwise(f"scipy.stats.{name}.mean{parameters}", **at | {"loc": "g"})
    elementwise(f"scipy.stats.{name}.std{parameters}", loc="0", scale=f"g * {std}")
    elementwise(
        f"scipy.stats.{name}.var{parameters}", loc="0", scale=f"g * 2 * scale * ({std}) ** 2"
    )


def shaped(call: str, **slopes: tuple[str, str]) -> None:
    """The same of one with shapes: what they change in the mean of the standard one, and in the logarithm of its variance."""
    name, shapes = call.rstrip(")").split("(")
    one, parameters = f"scipy.stats.{name}", f"({shapes}, loc=0, scale=1)"
    still = all(mean == "0" for mean, _ in slopes.values())
    means = {p: "0" if mean == "0" else f"g * scale * ({mean})" for p, (mean, _) in slopes.items()}
    by_scale = "0" if still else f"g * {one}.mean({shapes})"
    elementwise(f"{one}.mean{parameters}", **means, loc="g", scale=by_scale)
    for kind, power in (("var", ""), ("std", " / 2")):
        spreads = {p: f"g * y{power} * ({spread})" for p, (_, spread) in slopes.items()}
        by_scale = f"g * {one}.std({shapes})" if power else f"g * 2 * scale * {one}.var({shapes})"
        elementwise(f"{one}.{kind}{parameters}", **spreads, loc="0", scale=by_scale)


def counted(call: str, **slopes: tuple[str, str]) -> None:
    """The same of counts, which have no scale: what their parameters change in the mean, and in the variance, which may be 0."""
    name, parameters = call.rstrip(")").split("(")
    row = f"scipy.stats.{name}.{{}}({parameters}, loc=0)"
    elementwise(
        row.format("mean"), **{p: f"g * ({mean})" for p, (mean, _) in slopes.items()}, loc="g"
    )
    for kind, root in (("var", ""), ("std", " / (2 * y)")):
        spreads = {p: f"g * ({spread}){root}" for p, (_, spread) in slopes.items()}
        elementwise(row.format(kind), **spreads, loc="0")


def uncertain(call: str, **slopes: str) -> None:
    """The row of an entropy, which grows by the logarithm of the scale."""
    name, shapes = call.rstrip(")").split("(")
    parameters = f"{shapes}{', ' * bool(shapes)}loc=0, scale=1"
    texts = {p: f"g * ({text})" for p, text in slopes.items()}
    elementwise(f"scipy.stats.{name}.entropy({parameters})", **texts, loc="0", scale="g / scale")


EULER = repr(np.euler_gamma)  # CuPy has no name for it

# fmt: off
WITHOUT_SHAPES = {
    "norm":      ("0", "1"),
    "halfnorm":  ("math.sqrt(2 / math.pi)", "math.sqrt(1 - 2 / math.pi)"),
    "expon":     ("1", "1"),
    "laplace":   ("0", "math.sqrt(2)"),
    "logistic":  ("0", "math.pi / math.sqrt(3)"),
    "uniform":   ("0.5", "1 / math.sqrt(12)"),
    "rayleigh":  ("math.sqrt(math.pi / 2)", "math.sqrt(2 - math.pi / 2)"),
    "maxwell":   ("2 * math.sqrt(2 / math.pi)", "math.sqrt(3 - 8 / math.pi)"),
    "gumbel_r":  (EULER, "math.pi / math.sqrt(6)"),
    "gumbel_l":  (f"-{EULER}", "math.pi / math.sqrt(6)"),
}
"""Mean and standard deviation of the standard ones."""
for name, (mean, std) in WITHOUT_SHAPES.items():
    spread(name, mean, std)
for name in (*WITHOUT_SHAPES, "cauchy", "halfcauchy"):
    uncertain(f"{name}()")

G1, G2 = "scipy.special.gamma(1 + 1 / c)", "scipy.special.gamma(1 + 2 / c)"
P1, P2 = "scipy.special.digamma(1 + 1 / c)", "scipy.special.digamma(1 + 2 / c)"
CUT = "scipy.stats.truncnorm.{}(a, b)"
shaped("gamma(a)",         a=("1", "1 / a"))
shaped("chi2(df)",         df=("1", "1 / df"))
shaped("beta(a, b)",       a=("b / (a + b) ** 2", "1 / a - 2 / (a + b) - 1 / (a + b + 1)"),
                           b=("-a / (a + b) ** 2", "1 / b - 2 / (a + b) - 1 / (a + b + 1)"))
shaped("lognorm(s)",       s=("s * np.exp(s ** 2 / 2)", "2 * s * (1 - 1 / np.expm1(-(s ** 2)))"))
shaped("weibull_min(c)",   c=(f"-{G1} * {P1} / c ** 2", f"-2 / c ** 2 * ({G2} * {P2} - {G1} ** 2 * {P1}) / scipy.stats.weibull_min.var(c)"))
shaped("t(df)",            df=("0", "1 / df - 1 / (df - 2)"))
shaped("f(dfn, dfd)",      dfn=("0", "1 / (dfn + dfd - 2) - 1 / dfn"),
                           dfd=("-2 / (dfd - 2) ** 2", "2 / dfd + 1 / (dfn + dfd - 2) - 2 / (dfd - 2) - 1 / (dfd - 4)"))
shaped("invgamma(a)",      a=("-1 / (a - 1) ** 2", "-2 / (a - 1) - 1 / (a - 2)"))
shaped("pareto(b)",        b=("-1 / (b - 1) ** 2", "1 / b - 2 / (b - 1) - 1 / (b - 2)"))
shaped("truncnorm(a, b)",
       a=(f"scipy.stats.truncnorm.pdf(a, a, b) * ({CUT.format('mean')} - a)",
          f"scipy.stats.truncnorm.pdf(a, a, b) * (1 - ({CUT.format('mean')} - a) ** 2 / {CUT.format('var')})"),
       b=(f"scipy.stats.truncnorm.pdf(b, a, b) * (b - {CUT.format('mean')})",
          f"scipy.stats.truncnorm.pdf(b, a, b) * ((b - {CUT.format('mean')}) ** 2 / {CUT.format('var')} - 1)"))

counted("poisson(mu)",     mu=("1", "1"))
counted("binom(n, p)",     p=("n", "n * (1 - 2 * p)"))  # n is a whole number
counted("bernoulli(p)",    p=("1", "1 - 2 * p"))
counted("geom(p)",         p=("-1 / p ** 2", "(p - 2) / p ** 3"))
counted("nbinom(n, p)",    n=("(1 - p) / p", "(1 - p) / p ** 2"),  p=("-n / p ** 2", "n * (p - 2) / p ** 3"))

uncertain("gamma(a)",        a="1 - (a - 1) * scipy.special.polygamma(1, a)")
uncertain("chi2(df)",        df="(1 - (df / 2 - 1) * scipy.special.polygamma(1, df / 2)) / 2")
uncertain("beta(a, b)",      **{p: f"(a + b - 2) * scipy.special.polygamma(1, a + b) - ({p} - 1) * scipy.special.polygamma(1, {p})" for p in "ab"})
uncertain("invgamma(a)",     a="1 - (a + 1) * scipy.special.polygamma(1, a)")
uncertain("lognorm(s)",      s="1 / s")
uncertain("weibull_min(c)",  c=f"({EULER} / c - 1) / c")
uncertain("pareto(b)",       b="-(1 + 1 / b) / b")
uncertain("t(df)",           df="(df + 1) / 4 * (scipy.special.polygamma(1, (df + 1) / 2) - scipy.special.polygamma(1, df / 2)) + 0.5 / df")
# fmt: on
