"""scipy.stats: densities and their logarithms, distribution functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from tangentish.rules import (  # noqa: F401  (of the same module)
    scipy_characteristics,
    scipy_moments,
    scipy_multivariate_t,
)
from tangentish.rules.laws import elementwise, structural


def density(call: str, half_line: bool = False, **slopes: str) -> None:
    """The rows of a density and its logarithm, from the derivatives of the logarithm."""
    name, parameters = call.split("(", 1)
    for kind, factor in (("logpdf", "g"), ("pdf", "g * y")):
        texts = {p: f"{factor} * ({text})" for p, text in slopes.items()}
        if kind == "pdf" and (half_line or name in _HALF_LINES):
            texts = {p: _of_size(text) for p, text in texts.items()}
        elementwise(f"scipy.stats.{name}.{kind}({parameters}", **texts)


_HALF_LINES = (
    "gamma", "beta", "chi2", "lognorm", "weibull_min", "f", "invgamma", "pareto", "rayleigh", "maxwell",
)  # fmt: skip


def _of_size(text: str) -> str:
    """Logarithms and powers of what may be negative, quotients by what may be 0: there the density, a factor, is 0."""
    return ast.unparse(_OfSize().visit(ast.parse(text, mode="eval")))


class _OfSize(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        match self.generic_visit(node):
            case ast.Call(func=ast.Attribute(attr="log"), args=[inner]):
                return _log_of_size(inner)
            case ast.Call(func=ast.Attribute(attr="log1p"), args=[ast.UnaryOp() as inner]):
                return _log_of_size(ast.BinOp(ast.Constant(1), ast.Sub(), inner.operand))
            case ast.Call(func=ast.Attribute(attr="log1p"), args=[inner]):
                return _log_of_size(ast.BinOp(ast.Constant(1), ast.Add(), inner))
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        vanishes = _vanishes(node.right)
        match self.generic_visit(node):
            case ast.BinOp(left=base, op=ast.Pow(), right=ast.Name()):
                node.left = _called("np.abs", base)
            case ast.BinOp(left=above, op=ast.Div(), right=below) if vanishes:
                return _called("ratio", above, below)
        return node


def _log_of_size(node: ast.expr) -> ast.expr:
    return _called("log_or_zero", _called("np.abs", node))


def _called(function: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.parse(function, mode="eval").body, list(arguments), [])


def _vanishes(node: ast.expr) -> bool:
    """Whether this is 0 at an end of the support: a distance from it, times or to the power of something."""
    match node:
        case ast.BinOp(op=ast.Sub()):
            return any(isinstance(part, ast.Name) and part.id == "x" for part in ast.walk(node))
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div(), right=right):
            return _vanishes(left) or (isinstance(node.op, ast.Mult) and _vanishes(right))
        case ast.BinOp(left=base, op=ast.Pow()) | ast.UnaryOp(operand=base):
            return _vanishes(base)
    return False


OVER_TAIL = "math.sqrt(2 / math.pi) / {scale}scipy.special.erfcx({z} / math.sqrt(2))"
TAILS = {
    "norm": [OVER_TAIL.format(scale="scale / ", z=f"{sign}(x - loc) / scale") for sign in ("-", "")]
}
"""What a density is over the distribution function and over its complement, where the logarithms have no digits far out."""


def distribution(call: str, slopes: Mapping[str, str] | None = None, **moves: str) -> None:
    """The rows of a distribution function, its complement, their logarithms and inverses.

    By the density, and by how a quantile x moves with the parameters of the shape, if that has a closed form; `slopes`
    are those of the distribution function by the other parameters.
    """
    name, parameters = call.split("(", 1)
    shapes = [text for text in parameters.rstrip(")").split(", ") if "=" not in text][1:]
    arguments = ", ".join([*shapes, "loc", "scale"])
    moves = {p: _of_size(text) for p, text in moves.items()}
    moves |= {"loc": "1", "scale": "(x - loc) / scale"}
    one = f"scipy.stats.{name}"
    slopes = slopes or {}
    below, above = TAILS.get(name, [f"np.exp({one}.logpdf(x, {arguments}) - y)"] * 2)
    rows = (
        ("cdf", "", "-", f"{one}.pdf(x, {arguments})"),
        ("sf", "-", "", f"{one}.pdf(x, {arguments})"),
        ("logcdf", "", "-", below),
        ("logsf", "-", "", above),
    )
    for kind, sign, other, slope in rows:
        texts = {p: f"{other}g * {slope} * {text}" for p, text in moves.items()}
        texts["loc"] = f"{other}g * {slope}"
        by_value = " * np.exp(-y)" if kind.startswith("log") else ""
        texts |= {p: f"{sign}g * {text}{by_value}" for p, text in slopes.items()}
        elementwise(f"{one}.{kind}({parameters}", x=f"{sign}g * {slope}", **texts)
    at_quantile = {p: f"g * {_of_quantile(text)}" for p, text in moves.items()} | {"loc": "g"}
    at_quantile |= {
        p: f"-g * {_of_quantile(text)} / {one}.pdf(y, {arguments})" for p, text in slopes.items()
    }
    for kind, sign in (("ppf", ""), ("isf", "-")):
        elementwise(
            f"{one}.{kind}(q{parameters[1:]}",
            q=f"{sign}g / {one}.pdf(y, {arguments})",
            **at_quantile,
        )


def _of_quantile(text: str) -> str:
    return re.sub(r"\bx\b", "y", text)


def masses(call: str, **slopes: str) -> None:
    """The rows of the probabilities of counts and their logarithms, by the derivatives of these."""
    name, parameters = call.split("(", 1)
    for kind, factor in (("logpmf", "g"), ("pmf", "g * y")):
        texts = {p: f"{factor} * ({text})" for p, text in slopes.items()}
        elementwise(f"scipy.stats.{name}.{kind}({parameters}", **texts)


def counts(call: str, step: str = "", rises: bool = False, **slopes: str) -> None:
    """The rows of a distribution of counts: of its probabilities by the derivatives of their logarithm.

    `step` times the probability of k is what the distribution function loses where the last parameter grows;
    what it gains where it rises with it.
    """
    name, parameters = call.split("(", 1)
    one = f"scipy.stats.{name}"
    arguments = ", ".join(text.split("=")[0] for text in parameters.rstrip(")").split(", ")[1:])
    masses(call, **slopes)
    last = list(slopes)[-1]
    down, up = ("", "-") if rises else ("-", "")
    mass = f"pmf(np.floor(k), {arguments})"
    for kind, sign, factor in (
        ("cdf", down, f"{one}.{mass}"),
        ("sf", up, f"{one}.{mass}"),
        ("logcdf", down, f"np.exp({one}.log{mass} - y)"),
        ("logsf", up, f"np.exp({one}.log{mass} - y)"),
    ):
        elementwise(f"{one}.{kind}({parameters}", **{last: f"{sign}g * {factor}{step}"})
    still = dict.fromkeys(["q", *arguments.split(", ")], "0")  # quantiles are whole numbers
    for kind in ("ppf", "isf"):
        elementwise(f"{one}.{kind}(q{parameters[1:]}", **still | {"loc": "g"})


# fmt: off
for name in ("norm", "halfnorm"):
    density(f"{name}(x, loc=0, scale=1)",  x="-((x - loc) / scale ** 2)",  loc="(x - loc) / scale ** 2",  scale="(x - loc) ** 2 / scale ** 3 - 1 / scale")
density("expon(x, loc=0, scale=1)",     x="-1 / scale",               loc="1 / scale",               scale="(x - loc) / scale ** 2 - 1 / scale")
density("laplace(x, loc=0, scale=1)",   x="-np.sign(x - loc) / scale",  loc="np.sign(x - loc) / scale",  scale="np.abs(x - loc) / scale ** 2 - 1 / scale")
density("logistic(x, loc=0, scale=1)",  x="-np.tanh((x - loc) / scale / 2) / scale",  loc="np.tanh((x - loc) / scale / 2) / scale",
        scale="((x - loc) / scale * np.tanh((x - loc) / scale / 2) - 1) / scale")
for name in ("cauchy", "halfcauchy"):
    density(f"{name}(x, loc=0, scale=1)",    x="-2 * (x - loc) / (scale ** 2 + (x - loc) ** 2)",  loc="2 * (x - loc) / (scale ** 2 + (x - loc) ** 2)",
            scale="((x - loc) ** 2 - scale ** 2) / (scale ** 2 + (x - loc) ** 2) / scale")
density("uniform(x, loc=0, scale=1)",   x="0 * x",  loc="0 * x",  scale="-1 / scale")
density("t(x, df, loc=0, scale=1)",     x="-(df + 1) * (x - loc) / (df * scale ** 2 + (x - loc) ** 2)",  loc="(df + 1) * (x - loc) / (df * scale ** 2 + (x - loc) ** 2)",
        scale="((df + 1) * (x - loc) ** 2 / (df * scale ** 2 + (x - loc) ** 2) - 1) / scale",
        df="(scipy.special.digamma((df + 1) / 2) - scipy.special.digamma(df / 2) - 1 / df - np.log1p(((x - loc) / scale) ** 2 / df)"
           " + (df + 1) * (x - loc) ** 2 / (df * (df * scale ** 2 + (x - loc) ** 2))) / 2")
density("gamma(x, a, loc=0, scale=1)",  x="(a - 1) / (x - loc) - 1 / scale",  loc="1 / scale - (a - 1) / (x - loc)",
        scale="((x - loc) / scale - a) / scale",  a="np.log((x - loc) / scale) - scipy.special.digamma(a)")
density("beta(x, a, b, loc=0, scale=1)",  x="(a - 1) / (x - loc) - (b - 1) / (loc + scale - x)",  loc="(b - 1) / (loc + scale - x) - (a - 1) / (x - loc)",
        scale="((b - 1) * (x - loc) / (loc + scale - x) - a) / scale",
        a="np.log((x - loc) / scale) - scipy.special.digamma(a) + scipy.special.digamma(a + b)",
        b="np.log1p(-((x - loc) / scale)) - scipy.special.digamma(b) + scipy.special.digamma(a + b)")
density("chi2(x, df, loc=0, scale=1)",  x="(df / 2 - 1) / (x - loc) - 0.5 / scale",  loc="0.5 / scale - (df / 2 - 1) / (x - loc)",
        scale="((x - loc) / scale - df) / (2 * scale)",  df="(np.log((x - loc) / (2 * scale)) - scipy.special.digamma(df / 2)) / 2")
density("lognorm(x, s, loc=0, scale=1)",  x="-(1 + np.log((x - loc) / scale) / s ** 2) / (x - loc)",  loc="(1 + np.log((x - loc) / scale) / s ** 2) / (x - loc)",
        scale="np.log((x - loc) / scale) / (s ** 2 * scale)",  s="np.log((x - loc) / scale) ** 2 / s ** 3 - 1 / s")
density("weibull_min(x, c, loc=0, scale=1)",  x="(c - 1 - c * ((x - loc) / scale) ** c) / (x - loc)",  loc="(1 - c + c * ((x - loc) / scale) ** c) / (x - loc)",
        scale="c * (((x - loc) / scale) ** c - 1) / scale",  c="1 / c + (1 - ((x - loc) / scale) ** c) * np.log((x - loc) / scale)")
density("f(x, dfn, dfd, loc=0, scale=1)",
        x="(dfn / 2 - 1) / (x - loc) - (dfn + dfd) * dfn / (2 * (dfd * scale + dfn * (x - loc)))",
        loc="(dfn + dfd) * dfn / (2 * (dfd * scale + dfn * (x - loc))) - (dfn / 2 - 1) / (x - loc)",
        scale="dfn * dfd * (x - loc - scale) / (2 * scale * (dfd * scale + dfn * (x - loc)))",
        dfn="(np.log(dfn * (x - loc) / (dfd * scale + dfn * (x - loc))) + dfd * (scale - x + loc) / (dfd * scale + dfn * (x - loc))"
            " + scipy.special.digamma((dfn + dfd) / 2) - scipy.special.digamma(dfn / 2)) / 2",
        dfd="(np.log(dfd * scale / (dfd * scale + dfn * (x - loc))) - dfn * (scale - x + loc) / (dfd * scale + dfn * (x - loc))"
            " + scipy.special.digamma((dfn + dfd) / 2) - scipy.special.digamma(dfd / 2)) / 2")
density("invgamma(x, a, loc=0, scale=1)",  x="(scale / (x - loc) - a - 1) / (x - loc)",  loc="(a + 1 - scale / (x - loc)) / (x - loc)",
        scale="a / scale - 1 / (x - loc)",  a="-np.log((x - loc) / scale) - scipy.special.digamma(a)")
density("pareto(x, b, loc=0, scale=1)",    x="-(b + 1) / (x - loc)",  loc="(b + 1) / (x - loc)",  scale="b / scale",  b="1 / b - np.log((x - loc) / scale)")
density("rayleigh(x, loc=0, scale=1)",     x="1 / (x - loc) - (x - loc) / scale ** 2",  loc="(x - loc) / scale ** 2 - 1 / (x - loc)",  scale="((x - loc) ** 2 / scale ** 2 - 2) / scale")
density("maxwell(x, loc=0, scale=1)",      x="2 / (x - loc) - (x - loc) / scale ** 2",  loc="(x - loc) / scale ** 2 - 2 / (x - loc)",  scale="((x - loc) ** 2 / scale ** 2 - 3) / scale")
density("gumbel_r(x, loc=0, scale=1)",     x="np.expm1(-(x - loc) / scale) / scale",  loc="-np.expm1(-(x - loc) / scale) / scale",
        scale="-((x - loc) / scale * np.expm1(-(x - loc) / scale) + 1) / scale")
density("gumbel_l(x, loc=0, scale=1)",     x="-np.expm1((x - loc) / scale) / scale",  loc="np.expm1((x - loc) / scale) / scale",
        scale="((x - loc) / scale * np.expm1((x - loc) / scale) - 1) / scale")
density("vonmises(x, kappa, loc=0, scale=1)",  x="-kappa * np.sin((x - loc) / scale) / scale",  loc="kappa * np.sin((x - loc) / scale) / scale",
        scale="(kappa * (x - loc) / scale * np.sin((x - loc) / scale) - 1) / scale",
        kappa="np.cos((x - loc) / scale) - scipy.special.i1e(kappa) / scipy.special.i0e(kappa)")
TAIL = "np.exp(scipy.stats.norm.logpdf(a * (x - loc) / scale) - scipy.stats.norm.logcdf(a * (x - loc) / scale))"
density("skewnorm(x, a, loc=0, scale=1)",  x=f"(a * {TAIL} - (x - loc) / scale) / scale",  loc=f"((x - loc) / scale - a * {TAIL}) / scale",
        scale=f"((x - loc) / scale * ((x - loc) / scale - a * {TAIL}) - 1) / scale",  a=f"(x - loc) / scale * {TAIL}")
elementwise("scipy.stats.truncnorm.logpdf(x, a, b, loc=0, scale=1)",
            x="-g * (x - loc) / scale ** 2",  loc="g * (x - loc) / scale ** 2",  scale="g * ((x - loc) ** 2 / scale ** 3 - 1 / scale)",
            a="g * scale * np.exp(y + (((x - loc) / scale) ** 2 - a ** 2) / 2)",  b="-g * scale * np.exp(y + (((x - loc) / scale) ** 2 - b ** 2) / 2)")
elementwise("scipy.stats.truncnorm.pdf(x, a, b, loc=0, scale=1)",
            x="-g * y * (x - loc) / scale ** 2",  loc="g * y * (x - loc) / scale ** 2",  scale="g * y * ((x - loc) ** 2 / scale ** 3 - 1 / scale)",
            a="g * y * scipy.stats.truncnorm.pdf(a, a, b)",  b="-g * y * scipy.stats.truncnorm.pdf(b, a, b)")

for name in ("norm", "halfnorm", "expon", "laplace", "logistic", "cauchy", "halfcauchy", "uniform", "rayleigh", "maxwell", "gumbel_r", "gumbel_l"):
    distribution(f"{name}(x, loc=0, scale=1)")
for kind, slope in {  # what is below `norm.cdf`, without its checks: densities are float64, the rest has the dtype of x
    "pdf": "-g * x * y",  "cdf": "g * cast({norm}._pdf(x), y)",  "logcdf": f"g * cast({OVER_TAIL.format(scale='', z='-x')}, y)",
    "logpdf": "-g * x",  "sf": "-g * cast({norm}._pdf(x), y)",  "logsf": f"-g * cast({OVER_TAIL.format(scale='', z='x')}, y)",
    "ppf": "g / cast({norm}._pdf(y), y)",  "isf": "-g / cast({norm}._pdf(y), y)",
}.items():
    elementwise(f"scipy.stats.norm._{kind}(x)",  x=slope.format(norm="scipy.stats.norm"))
distribution("gamma(x, a, loc=0, scale=1)",  {"a": "gammainc_slope(a, np.maximum((x - loc) / scale, 0))"})
distribution("chi2(x, df, loc=0, scale=1)",  {"df": "gammainc_slope(df / 2, np.maximum((x - loc) / scale, 0) / 2) / 2"})
distribution("beta(x, a, b, loc=0, scale=1)",
             {p: f"betainc_slope(a, b, np.clip((x - loc) / scale, 0, 1), {orders})" for p, orders in (("a", "1, 0"), ("b", "0, 1"))})
distribution("t(x, df, loc=0, scale=1)",     {"df": "student_slope(df, (x - loc) / scale)"})
distribution("f(x, dfn, dfd, loc=0, scale=1)",
             {p: f"(beta_prime_slope(dfn / 2, dfd / 2, dfn / dfd * np.maximum((x - loc) / scale, 0), {orders}) / 2"
                 f" {sign} (x - loc) * scipy.stats.f.pdf(x, dfn, dfd, loc, scale) / {p})" for p, orders, sign in (("dfn", "1, 0", "+"), ("dfd", "0, 1", "-"))})
distribution("vonmises(x, kappa, loc=0, scale=1)")
distribution("lognorm(x, s, loc=0, scale=1)",      s="(x - loc) * np.log((x - loc) / scale) / s")
distribution("weibull_min(x, c, loc=0, scale=1)",  c="-(x - loc) * np.log((x - loc) / scale) / c")
distribution("pareto(x, b, loc=0, scale=1)",       b="-(x - loc) * np.log((x - loc) / scale) / b")
distribution("invgamma(x, a, loc=0, scale=1)",     {"a": "-gammainc_slope(a, 1 / np.maximum((x - loc) / scale, 1e-18))"})
distribution("skewnorm(x, a, loc=0, scale=1)",     {"a": "-np.exp(-((x - loc) / scale) ** 2 * (1 + a ** 2) / 2) / (math.pi * (1 + a ** 2))"})
distribution("truncnorm(x, a, b, loc=0, scale=1)",
             {"a": "-scipy.stats.truncnorm.pdf(a, a, b) * scipy.stats.truncnorm.sf(x, a, b, loc, scale) * np.less(a, (x - loc) / scale)",
              "b": "-scipy.stats.truncnorm.pdf(b, a, b) * scipy.stats.truncnorm.cdf(x, a, b, loc, scale) * np.less((x - loc) / scale, b)"})
counts("poisson(k, mu, loc=0)",   mu="(k - loc) / mu - 1")
counts("binom(k, n, p, loc=0)",   p="(k - loc) / p - (n - k + loc) / (1 - p)",  step=" * (n - np.floor(k) + loc) / (1 - p)")
counts("bernoulli(k, p, loc=0)",  p="(k - loc) / p - (1 - k + loc) / (1 - p)",  step=" * (1 - np.floor(k) + loc) / (1 - p)")
counts("nbinom(k, n, p, loc=0)",  n="scipy.special.digamma(k - loc + n) - scipy.special.digamma(n) + np.log(p)",
       p="n / p - (k - loc) / (1 - p)",                                         step=" * (np.floor(k) - loc + n) / p", rises=True)
counts("geom(k, p, loc=0)",       p="1 / p - (k - loc - 1) / (1 - p)",          step=" * (np.floor(k) - loc) / p", rises=True)
# Of the point the last coordinate may be left out.
ON_SIMPLEX = "(ratio(alpha - 1, x) if len(x) == len(alpha) else ratio(alpha[:-1] - 1, x) - (alpha[-1] - 1) / (1 - np.sum(x)))"
BY_ALPHA = "(scipy.special.digamma(np.sum(alpha)) - scipy.special.digamma(alpha) + np.log(np.append(x, 1 - np.sum(x))[:len(alpha)]))"
for kind, y in (("logpdf", ""), ("pdf", " * y")):
    structural(f"scipy.stats.dirichlet.{kind}(x, alpha)", ranks=(1, 1), thin=True,  x=f"g{y} * {ON_SIMPLEX}",  alpha=f"g{y} * {BY_ALPHA}",
               x_dot=f"np.dot({ON_SIMPLEX}, x_dot){y}",  alpha_dot=f"np.dot({BY_ALPHA}, alpha_dot){y}")
# SciPy makes of the last probability what the others leave.
BY_OTHERS = "(ratio(k[:-1], p[:-1]) - ratio(k[-1], 1 - np.sum(p[:-1])))"
for kind, y in (("logpmf", ""), ("pmf", " * y")):
    structural(f"scipy.stats.multinomial.{kind}(k, n, p)", ranks={"k": 1, "p": 1}, thin=True,
               p=f"cast(g{y} * np.append({BY_OTHERS}, 0), p)",  p_dot=f"np.dot({BY_OTHERS}, p_dot[:-1]){y}")
# Lower triangles are read, that of x in a trace aside.
X_INVERSE, INVERSE = "np.linalg.inv(mirrored(x))", "np.linalg.inv(mirrored(scale))"
by_x, by_scale = f"(to_lower((df - len(x) - 1) * {X_INVERSE}) - {INVERSE})", f"to_lower({INVERSE} @ x @ {INVERSE} - df * {INVERSE})"
structural("scipy.stats.wishart.logpdf(x, df, scale)", ranks={"x": 2, "scale": 2}, thin=True,  x=f"g / 2 * {by_x}",  scale=f"g / 2 * {by_scale}",
           x_dot=f"np.sum({by_x} * x_dot) / 2",  scale_dot=f"np.sum({by_scale} * scale_dot) / 2")
by_x, by_scale = f"to_lower({X_INVERSE} @ mirrored(scale) @ {X_INVERSE} - (df + len(x) + 1) * {X_INVERSE})", f"to_lower(df * {INVERSE} - {X_INVERSE})"
structural("scipy.stats.invwishart.logpdf(x, df, scale)", ranks={"x": 2, "scale": 2}, thin=True,  x=f"g / 2 * {by_x}",  scale=f"g / 2 * {by_scale}",
           x_dot=f"np.sum({by_x} * x_dot) / 2",  scale_dot=f"np.sum({by_scale} * scale_dot) / 2")

# Of the covariance it reads the lower triangle; of one point it gives a number.
for kind, g, y in (("logpdf", "g", ""), ("pdf", "(g * y)", " * y")):
    row = f"scipy.stats.multivariate_normal.{kind}(x, {{}}, cov, allow_singular=[False])"
    either = f"scipy.stats.multivariate_normal.{kind}(x, mean, cov, allow_singular=[False, True])"
    for mean, d in (("mean", "x - mean"), ("mean := None", "x")):
        solved, rows = f"np.linalg.solve(mirrored(cov), {d})", f"np.linalg.solve(mirrored(cov), ({d}).T)"
        moved: dict[str, Any] = {"mean": f"{g} * {solved}", "mean_dot": f"np.dot({solved}, mean_dot){y}"} if mean == "mean" else {}
        structural(row.format(mean), ranks={"x": 1, "cov": 2} | dict.fromkeys(moved and ["mean"], 1),  x=f"-{g} * {solved}",
                   cov=f"{g} * gaussian_slope({d}, cov)",  x_dot=f"-np.dot({solved}, x_dot){y}",
                   cov_dot=f"np.sum(gaussian_slope({d}, cov) * cov_dot){y}", **moved)
        moved = {"mean": f"{rows} @ np.ravel({g})", "mean_dot": f"np.reshape({rows}.T @ mean_dot, np.shape(y)){y}"} if mean == "mean" else {}
        structural(row.format(mean), ranks={"x": 2, "cov": 2} | dict.fromkeys(moved and ["mean"], 1),  x=f"-np.reshape({g}, (-1, 1)) * {rows}.T",
                   cov=f"gaussian_adjoint({g}, {d}, cov)",  x_dot=f"np.reshape(-np.sum({rows}.T * x_dot, axis=1), np.shape(y)){y}",
                   cov_dot=f"np.reshape(gaussian_tangent(cov_dot, {d}, cov), np.shape(y)){y}", **moved)
    # A vector is the diagonal of the covariance, a number all of it.
    for rank, by_cov in ((1, "((x - mean) ** 2 / cov - 1) / (2 * cov)"), (0, "(np.dot(x - mean, x - mean) / cov - len(x)) / (2 * cov)")):
        structural(either, ranks=(1, 1, rank),  x=f"-{g} * (x - mean) / cov",  mean=f"{g} * (x - mean) / cov",  cov=f"{g} * {by_cov}",
                   x_dot=f"-np.dot((x - mean) / cov, x_dot){y}",  mean_dot=f"np.dot((x - mean) / cov, mean_dot){y}",  cov_dot=f"np.dot({by_cov}, cov_dot){y}")
    for rank, by_cov in ((1, "((x - mean) ** 2 / cov - 1) / (2 * cov)"), (0, "(np.sum((x - mean) ** 2, axis=1) / cov - x.shape[1]) / (2 * cov)")):
        structural(either, ranks=(2, 1, rank),  x=f"-np.reshape({g}, (-1, 1)) * (x - mean) / cov",  mean=f"np.ravel({g}) @ (x - mean) / cov",
                   cov=f"np.dot(np.ravel({g}), {by_cov})",  x_dot=f"np.reshape(-np.sum((x - mean) / cov * x_dot, axis=1), np.shape(y)){y}",
                   mean_dot=f"np.reshape((x - mean) / cov @ mean_dot, np.shape(y)){y}",  cov_dot=f"np.reshape(np.dot({by_cov}, cov_dot), np.shape(y)){y}")
    # Numbers are points on a line.
    slope, by_cov = "(x - mean) / cov", "((x - mean) ** 2 / cov - 1) / (2 * cov)"
    for rank in (0, 1):
        structural(either, ranks=(rank, 0, 0),  x=f"-np.reshape({g}, np.shape(x)) * {slope}",  mean=f"np.sum({g} * {slope})",  cov=f"np.sum({g} * {by_cov})",
                   x_dot=f"np.reshape(-{slope} * x_dot, np.shape(y)){y}",  mean_dot=f"np.reshape({slope} * mean_dot, np.shape(y)){y}",  cov_dot=f"np.reshape({by_cov} * cov_dot, np.shape(y)){y}")
# What SciPy takes for no direction at all, the pseudo-inverse leaves out, too.
PRECISION = "np.linalg.pinv(mirrored(cov), rcond=1e6 * np.finfo(float).eps, hermitian=True)"
for kind, y in (("logpdf", ""), ("pdf", " * y")):
    by_cov = "gaussian_slope(x - mean, of_full_rank(cov))"
    of_matrix: dict[str, Any] = {"cov": f"g{y} * {by_cov}", "cov_dot": f"np.sum({by_cov} * cov_dot){y}"}
    for ranks, of_cov in (({"cov": 2}, of_matrix), ({}, {})):
        structural(f"scipy.stats.multivariate_normal.{kind}(x, mean, cov, allow_singular=[True])", ranks={"x": 1, "mean": 1} | ranks,
                   x=f"-g{y} * {PRECISION} @ (x - mean)",  mean=f"g{y} * {PRECISION} @ (x - mean)",
                   x_dot=f"-x_dot @ {PRECISION} @ (x - mean){y}",  mean_dot=f"mean_dot @ {PRECISION} @ (x - mean){y}", **of_cov)
# fmt: on
