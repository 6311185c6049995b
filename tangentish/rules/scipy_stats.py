"""scipy.stats: densities and their logarithms, distribution functions."""

from __future__ import annotations

from tangentish.rules.laws import elementwise, structural


def density(call: str, **slopes: str) -> None:
    """The rows of a density and its logarithm, from the derivatives of the logarithm."""
    name, parameters = call.split("(", 1)
    for kind, factor in (("logpdf", "g"), ("pdf", "g * y")):
        texts = {p: f"{factor} * ({text})" for p, text in slopes.items()}
        elementwise(f"scipy.stats.{name}.{kind}({parameters}", **texts)


def distribution(name: str, shapes: str = "") -> None:
    """The rows of a distribution function and its complement, by the density."""
    arguments = f"x, {shapes}loc, scale"
    slope = f"scipy.stats.{name}.pdf({arguments})"
    for kind, sign, other in (("cdf", "", "-"), ("sf", "-", "")):
        elementwise(
            f"scipy.stats.{name}.{kind}(x, {shapes}loc=0, scale=1)",
            x=f"{sign}g * {slope}",
            loc=f"{other}g * {slope}",
            scale=f"{other}g * {slope} * (x - loc) / scale",
        )


# fmt: off
density("norm(x, loc=0, scale=1)",      x="-(x - loc) / scale ** 2",  loc="(x - loc) / scale ** 2",  scale="(x - loc) ** 2 / scale ** 3 - 1 / scale")
density("expon(x, loc=0, scale=1)",     x="-1 / scale",               loc="1 / scale",               scale="(x - loc) / scale ** 2 - 1 / scale")
density("laplace(x, loc=0, scale=1)",   x="-np.sign(x - loc) / scale",  loc="np.sign(x - loc) / scale",  scale="np.abs(x - loc) / scale ** 2 - 1 / scale")
density("logistic(x, loc=0, scale=1)",  x="-np.tanh((x - loc) / scale / 2) / scale",  loc="np.tanh((x - loc) / scale / 2) / scale",
        scale="((x - loc) / scale * np.tanh((x - loc) / scale / 2) - 1) / scale")
density("cauchy(x, loc=0, scale=1)",    x="-2 * (x - loc) / (scale ** 2 + (x - loc) ** 2)",  loc="2 * (x - loc) / (scale ** 2 + (x - loc) ** 2)",
        scale="((x - loc) ** 2 - scale ** 2) / (scale ** 2 + (x - loc) ** 2) / scale")
density("uniform(x, loc=0, scale=1)",   x="0 * x",  loc="0 * x",  scale="-1 / scale")
density("t(x, df, loc=0, scale=1)",     x="-(df + 1) * (x - loc) / (df * scale ** 2 + (x - loc) ** 2)",  loc="(df + 1) * (x - loc) / (df * scale ** 2 + (x - loc) ** 2)",
        scale="((df + 1) * (x - loc) ** 2 / (df * scale ** 2 + (x - loc) ** 2) - 1) / scale",
        df="(scipy.special.digamma((df + 1) / 2) - scipy.special.digamma(df / 2) - 1 / df - np.log1p(((x - loc) / scale) ** 2 / df)"
           " + (df + 1) * (x - loc) ** 2 / (df * (df * scale ** 2 + (x - loc) ** 2))) / 2")
density("gamma(x, a, loc=0, scale=1)",  x="(a - 1) / (x - loc) - 1 / scale",  loc="1 / scale - (a - 1) / (x - loc)",
        scale="((x - loc) / scale - a) / scale",  a="np.log((x - loc) / scale) - scipy.special.digamma(a)")
density("beta(x, a, b)",                x="(a - 1) / x - (b - 1) / (1 - x)",  a="np.log(x) - scipy.special.digamma(a) + scipy.special.digamma(a + b)",
        b="np.log1p(-x) - scipy.special.digamma(b) + scipy.special.digamma(a + b)")
density("chi2(x, df)",                  x="(df / 2 - 1) / x - 0.5",           df="(np.log(x / 2) - scipy.special.digamma(df / 2)) / 2")
elementwise("scipy.stats.truncnorm.logpdf(x, a, b, loc=0, scale=1)",
            x="-g * (x - loc) / scale ** 2",  loc="g * (x - loc) / scale ** 2",  scale="g * ((x - loc) ** 2 / scale ** 3 - 1 / scale)",
            a="g * scale * np.exp(y + (((x - loc) / scale) ** 2 - a ** 2) / 2)",  b="-g * scale * np.exp(y + (((x - loc) / scale) ** 2 - b ** 2) / 2)")

for name in ("norm", "expon", "laplace", "logistic", "cauchy"):
    distribution(name)
distribution("t", "df, ")
distribution("gamma", "a, ")
elementwise("scipy.stats.beta.cdf(x, a, b)",  x="g * scipy.stats.beta.pdf(x, a, b)")
for kind, sign, other in (("cdf", "", "-"), ("sf", "-", "")):
    elementwise(f"scipy.stats.norm.log{kind}(x, loc=0, scale=1)",
                x=f"{sign}g * np.exp(scipy.stats.norm.logpdf(x, loc, scale) - y)",
                loc=f"{other}g * np.exp(scipy.stats.norm.logpdf(x, loc, scale) - y)",
                scale=f"{other}g * np.exp(scipy.stats.norm.logpdf(x, loc, scale) - y) * (x - loc) / scale")
elementwise("scipy.stats.norm.ppf(q, loc=0, scale=1)",  q="g / scipy.stats.norm.pdf(y, loc, scale)",  loc="g",  scale="g * (y - loc) / scale")

elementwise("scipy.stats.poisson.logpmf(k, mu)",   mu="g * (k / mu - 1)")
elementwise("scipy.stats.binom.logpmf(k, n, p)",   p="g * (k / p - (n - k) / (1 - p))")
structural ("scipy.stats.dirichlet.logpdf(x, alpha)", ranks={"x": 1, "alpha": 1},
            alpha="g * (scipy.special.digamma(np.sum(alpha)) - scipy.special.digamma(alpha) + np.log(x))",
            alpha_dot="np.dot(scipy.special.digamma(np.sum(alpha)) - scipy.special.digamma(alpha) + np.log(x), alpha_dot)")

# Of the covariance it reads the lower triangle; of one point it gives a number.
for kind, g in (("logpdf", "g"), ("pdf", "(g * y)")):
    structural(f"scipy.stats.multivariate_normal.{kind}(x, mean, cov)", ranks=(1, 1, 2),
               x=f"-{g} * np.linalg.solve(mirrored(cov), x - mean)",  mean=f"{g} * np.linalg.solve(mirrored(cov), x - mean)",
               cov=f"{g} * gaussian_slope(x - mean, cov)",
               x_dot=f"-np.dot(np.linalg.solve(mirrored(cov), x - mean), x_dot){'' if g == 'g' else ' * y'}",
               mean_dot=f"np.dot(np.linalg.solve(mirrored(cov), x - mean), mean_dot){'' if g == 'g' else ' * y'}",
               cov_dot=f"np.sum(gaussian_slope(x - mean, cov) * cov_dot){'' if g == 'g' else ' * y'}")
structural("scipy.stats.multivariate_normal.logpdf(x, mean, cov)", ranks=(2, 1, 2),
           x="-np.reshape(g, (-1, 1)) * np.linalg.solve(mirrored(cov), (x - mean).T).T",  mean="np.linalg.solve(mirrored(cov), (x - mean).T) @ np.ravel(g)",
           cov="gaussian_adjoint(g, x - mean, cov)",
           x_dot="np.reshape(-np.sum(np.linalg.solve(mirrored(cov), (x - mean).T).T * x_dot, axis=1), np.shape(y))",
           mean_dot="np.reshape(np.linalg.solve(mirrored(cov), (x - mean).T).T @ mean_dot, np.shape(y))",
           cov_dot="np.reshape(gaussian_tangent(cov_dot, x - mean, cov), np.shape(y))")
# fmt: on
