"""scipy.special: error, gamma, beta and Bessel functions, entropies, soft maxima."""

from __future__ import annotations

import ast
from typing import Any

import scipy.special

from tangentish.rules.laws import alias, constant, elementwise, reduction, structural, tuple_valued
from tangentish.rules.scipy_designs import quadratures


def special(primal: str, numbers: str = "real", **texts: str) -> None:
    """A row for an elementwise function, its names as in `scipy.special`, if this version has it."""
    if hasattr(scipy.special, primal[2 : primal.index("(")]):
        elementwise(_full(primal), numbers, **{name: _full(text) for name, text in texts.items()})


def _full(text: str) -> str:
    return text.replace("s.", "scipy.special.")


def several(primal: str, results: int, **slopes: str) -> None:
    """A row for an elementwise function that gives a tuple, by the slopes of what it gives."""
    texts: dict[str, Any] = {}
    for name, text in slopes.items():
        parts = _full(text)
        texts[name] = f"from_each(g, ({parts}), {name})"
        each = ast.parse(f"({parts})", mode="eval").body
        assert isinstance(each, ast.Tuple)
        texts[f"{name}_dot"] = ", ".join(f"{name}_dot * ({ast.unparse(e)})" for e in each.elts)
    tuple_valued(_full(primal), results=results, **texts)


# fmt: off
special("s.erf(x)",        x="g * 2 / math.sqrt(math.pi) * np.exp(-x ** 2)")
special("s.erfc(x)",       x="-g * 2 / math.sqrt(math.pi) * np.exp(-x ** 2)")
special("s.erfcx(x)",      x="g * (2 * x * y - 2 / math.sqrt(math.pi))")
special("s.erfi(x)",       x="g * 2 / math.sqrt(math.pi) * np.exp(x ** 2)")
special("s.erfinv(x)",     x="g * math.sqrt(math.pi) / 2 * np.exp(y ** 2)")
special("s.erfcinv(x)",    x="-g * math.sqrt(math.pi) / 2 * np.exp(y ** 2)")
special("s.dawsn(x)",      x="g * (1 - 2 * x * y)")
special("s.wofz(x)",       x="g * (2j / math.sqrt(math.pi) - 2 * x * y)",  numbers="complex")
special("s.lambertw(x, k=0)",  x="g * np.exp(-y) / (1 + y)",                numbers="complex")
special("s.ndtr(x)",       x="g * np.exp(-x ** 2 / 2) / math.sqrt(2 * math.pi)")
special("s.log_ndtr(x)",   x="g * math.sqrt(2 / math.pi) / s.erfcx(-x / math.sqrt(2))")
special("s.ndtri(x)",      x="g * math.sqrt(2 * math.pi) * np.exp(y ** 2 / 2)")
special("s.exp1(x)",       x="-g * np.exp(-x) / x")
special("s.expi(x)",       x="g * np.exp(x) / x")
special("s.expn(0, x)",    x="-g * y * (1 + 1 / x)")
special("s.expn(N, x)",    x="-g * s.expn(N - 1, x)")
special("s.expn(n, x)",    x="-g * exponential_integral(n - 1, x)")
elementwise("exponential_integral(n, x)",  x="-g * exponential_integral(n - 1, x)")

special("s.gamma(x)",      x="g * y * s.digamma(x)")
special("s.rgamma(x)",     x="g * rgamma_slope(x)")
elementwise("rgamma_slope(x, n=1)",  x="g * rgamma_slope(x, n + 1)")
special("s.gammaln(x)",    x="g * s.digamma(x)")
special("s.loggamma(x)",   x="g * s.digamma(x)")
special("s.digamma(x)",    x="g * cast(s.polygamma(1, x), x)")
special("s.polygamma(n, x)",     x="g * s.polygamma(n + 1, x)")
special("s.multigammaln(a, d)",  a="g * np.sum(s.digamma(np.expand_dims(a, -1) - np.arange(d) / 2), axis=-1)")
for name, a, b in (("beta", "a", "b"), ("binom", "n", "k"), ("poch", "z", "m")):
    special(f"s.{name}({a}, {b})",  **{a: f"g * {name}_slope({a}, {b}, 1, 0)",  b: f"g * {name}_slope({a}, {b}, 0, 1)"})
special("s.betaln(a, b)",  a="g * (s.digamma(a) - s.digamma(a + b))",      b="g * (s.digamma(b) - s.digamma(a + b))")
special("s.comb(n, k, repetition=[True])",  n="g * y * (s.digamma(np.maximum(n + k, 1)) - s.digamma(np.maximum(n, 1)))")  # 0 below 1
special("s.comb(n, k)",          n="g * y * (s.digamma(n + 1) - s.digamma(np.maximum(n - k, 0) + 1))",  # 0 where k is more than n
                                 k="g * y * (s.digamma(np.maximum(n - k, 0) + 1) - s.digamma(k + 1))")
special("s.gammainc(a, x)",      a="g * gammainc_slope(a, x)",   x="g * cast(np.exp(s.xlogy(a - 1, x) - x - s.gammaln(a)), x)")
special("s.gammaincc(a, x)",     a="-g * gammainc_slope(a, x)",  x="-g * cast(np.exp(s.xlogy(a - 1, x) - x - s.gammaln(a)), x)")
for name, sign in (("betainc", ""), ("betaincc", "-")):
    special(f"s.{name}(a, b, x)",   a=f"{sign}g * betainc_slope(a, b, x, 1, 0)",  b=f"{sign}g * betainc_slope(a, b, x, 0, 1)",
            x=f"{sign}g * cast(np.exp(s.xlogy(a - 1, x) + s.xlog1py(b - 1, -x) - s.betaln(a, b)), x)")
    density = "np.exp(s.xlogy(a - 1, y) + s.xlog1py(b - 1, -y) - s.betaln(a, b))"
    special(f"s.{name}inv(a, b, p)",  p=f"{sign}g / cast({density}, p)",
            a=f"-g * ratio(betainc_slope(a, b, y, 1, 0), cast({density}, a))",  b=f"-g * ratio(betainc_slope(a, b, y, 0, 1), cast({density}, b))")
density = "np.exp(s.xlogy(a - 1, y) - y - s.gammaln(a))"
for name, sign in (("gammaincinv", ""), ("gammainccinv", "-")):
    special(f"s.{name}(a, p)",  a=f"-g * ratio(gammainc_slope(a, y), {density})",  p=f"{sign}g / cast({density}, p)")
special("s.perm(n, k)",            n="g * y * (s.digamma(n + 1) - s.digamma(np.maximum(n - k, 0) + 1))",  k="g * y * s.digamma(np.maximum(n - k, 0) + 1)")
special("s.factorial(x, exact=[False])",  x="np.where(x < 0, 0, g * s.gamma(np.maximum(x, 0) + 1) * s.digamma(np.maximum(x, 0) + 1))")
special("s.zeta(x, q)",          x="g * zeta_slope(x, q)",  q="-g * x * s.zeta(x + 1, q)")
special("s.zeta(x)",             x="g * zeta_slope(x, 1.0)")
special("s.zetac(x)",            x="g * zeta_slope(x, 1.0)")
special("s.hyp2f1(a, b, c, z)",  z="g * a * b / c * cast(s.hyp2f1(a + 1, b + 1, c + 1, z), z)")
special("s.hyp1f1(a, b, x)",     x="g * a / b * s.hyp1f1(a + 1, b + 1, x)")
special("s.hyp0f1(v, z)",        z="g / v * s.hyp0f1(v + 1, z)")
special("s.hyperu(a, b, x)",     x="-g * a * s.hyperu(a + 1, b + 1, x)")

# Distribution functions and their inverses.
special("s.chdtr(v, x)",    v="g * gammainc_slope(v / 2, x / 2) / 2",   x="g * cast(np.exp(s.xlogy(v / 2 - 1, x / 2) - x / 2 - s.gammaln(v / 2)) / 2, x)")
special("s.chdtrc(v, x)",   v="-g * gammainc_slope(v / 2, x / 2) / 2",  x="-g * cast(np.exp(s.xlogy(v / 2 - 1, x / 2) - x / 2 - s.gammaln(v / 2)) / 2, x)")
DENSITY = "(1 + t ** 2 / v) ** (-(v + 1) / 2) / (np.sqrt(v) * s.beta(0.5, v / 2))"
INVERSE = "(1 + y ** 2 / v) ** ((v + 1) / 2) * np.sqrt(v) * s.beta(0.5, v / 2)"
special("s.stdtr(v, t)",    v="g * student_slope(v, t)",                   t=f"g * cast({DENSITY}, t)")
special("s.stdtrit(v, p)",  v=f"-g * student_slope(v, y) * cast({INVERSE}, v)",  p=f"g * cast({INVERSE}, p)")
# The slopes of the density in v, and of the integral that stands in the slope: where t is 0, each is finite.
BY_FREEDOM = "(s.digamma((v + 1) / 2) - s.digamma(v / 2) - np.log1p(t ** 2 / v))"
elementwise("student_slope(v, t)",
            t=_full(f"g * cast({DENSITY} * ({BY_FREEDOM} - 1 / v + (v + 1) * t ** 2 / (v * (v + t ** 2))) / 2, t)"),
            v=_full(f"g * cast(np.sign(t) / 8 * beta_prime_slope(0.5, v / 2, t ** 2 / v, 0, 2)"
                    f" - t * {DENSITY} / (4 * v) * (2 * {BY_FREEDOM} - 3 / v + (v + 1) * t ** 2 / (v * (v + t ** 2))), v)"))
special("s.pdtr(k, m)",     m="-g * cast(np.exp(np.floor(k) * np.log(m) - m - s.gammaln(np.floor(k) + 1)), m)")
special("s.pdtrc(k, m)",    m="g * cast(np.exp(np.floor(k) * np.log(m) - m - s.gammaln(np.floor(k) + 1)), m)")
MASS = "cast(np.exp(s.xlogy(np.trunc(n) - 1, p) + s.xlog1py(np.trunc(k), -p) - s.betaln(np.trunc(n), np.trunc(k) + 1)), p)"
special("s.nbdtr(k, n, p)",   p=f"g * {MASS}")
special("s.nbdtrc(k, n, p)",  p=f"-g * {MASS}")
special("s.chdtri(v, p)",     v="-g * ratio(gammainc_slope(v / 2, y / 2), np.exp(s.xlogy(v / 2 - 1, y / 2) - y / 2 - s.gammaln(v / 2)))",
                              p="-g * 2 * cast(np.exp(y / 2 + s.gammaln(v / 2) - s.xlogy(v / 2 - 1, y / 2)), p)")
for name, sign in (("gdtr", ""), ("gdtrc", "-")):
    density = "np.exp(s.xlogy(b - 1, a * x) - a * x - s.gammaln(b))"
    special(f"s.{name}(a, b, x)",  a=f"{sign}g * x * cast({density}, a)",  b=f"{sign}g * gammainc_slope(b, a * x)",  x=f"{sign}g * a * cast({density}, x)")
LOG_F = "s.xlogy(n / 2 - 1, n * {x} / d) - (n + d) / 2 * np.log1p(n * {x} / d) - s.betaln(n / 2, d / 2)"
for name, sign in (("fdtr", ""), ("fdtrc", "-")):
    special(f"s.{name}(n, d, x)",  x=f"{sign}g * n / d * cast(np.exp({LOG_F.format(x='x')}), x)")
special("s.fdtri(n, d, p)",        p=f"g * d / n * cast(np.exp(-({LOG_F.format(x='y')})), p)")
special("s.ndtri_exp(p)",   p="g * math.sqrt(2 * math.pi) * np.exp(p + y ** 2 / 2)")
special("s.owens_t(h, a)",  h="-g * np.exp(-h ** 2 / 2) * s.erf(a * h / math.sqrt(2)) / (2 * math.sqrt(2 * math.pi))",
                            a="g * np.exp(-h ** 2 * (1 + a ** 2) / 2) / (2 * math.pi * (1 + a ** 2))")

special("s.expit(x)",      x="g * y * (1 - y)")
special("s.logit(x)",      x="g / (x * (1 - x))")
special("s.softplus(x)",   x="g * s.expit(x)")
special("s.log_expit(x)",  x="g * s.expit(-x)")
special("s.expm1(x)",      x="g * (y + 1)")
special("s.log1p(x)",      x="g / (1 + x)")
special("s.exp2(x)",       x="g * y * math.log(2)")
special("s.exp10(x)",      x="g * y * math.log(10)")
special("s.cbrt(x)",       x="g / (3 * y ** 2)")
special("s.cosm1(x)",      x="-g * np.sin(x)")
special("s.powm1(x, p)",   x="g * power_slope(x, p)",  p="g * (y + 1) * cast(log_or_zero(x), p)")
special("s.sindg(x)",      x="g * (math.pi / 180) * s.cosdg(x)")
special("s.cosdg(x)",      x="-g * (math.pi / 180) * s.sindg(x)")
special("s.tandg(x)",      x="g * (math.pi / 180) * (1 + y ** 2)")
special("s.cotdg(x)",      x="-g * (math.pi / 180) * (1 + y ** 2)")
special("s.wrightomega(x)",  x="g * y / (1 + y)")
special("s.exprel(x)",     x="g * exprel_slope(x)")
# By hypergeometric functions nothing cancels where the formulas of textbooks divide 0 by 0.
special("s.spence(x)",     x="np.where(np.abs(x - 1) < 0.5, -g * cast(s.hyp2f1(1, 1, 2, 1 - x), x), g * np.log(x) / (1 - np.where(np.abs(x - 1) < 0.5, 0, x)))")
special("s.ellipk(m)",     m="g * math.pi / 8 * cast(s.hyp2f1(1.5, 1.5, 2, m), m)")
special("s.ellipe(m)",     m="-g * math.pi / 8 * cast(s.hyp2f1(0.5, 1.5, 2, m), m)")
special("s.ellipkm1(p)",   p="np.where(p > 0.5, -g * math.pi / 8 * cast(s.hyp2f1(1.5, 1.5, 2, 1 - p), p), g * (s.ellipe(1 - p) - p * y) / (2 * p * (np.where(p > 0.5, 0, p) - 1)))")
special("s.ellipkinc(phi, m)",  phi="g / np.sqrt(1 - m * np.sin(phi) ** 2)",  m="g / 2 * elliptic_slope(phi, m, 2, 3)")
special("s.ellipeinc(phi, m)",  phi="g * np.sqrt(1 - m * np.sin(phi) ** 2)",  m="-g / 2 * elliptic_slope(phi, m, 2, 1)")
BY_PARAMETER = "elliptic_slope(y[3], m, 2, 3) / 2"  # the angle moves by -y[2] times this
several("s.ellipj(u, m)", 4,    u="y[1] * y[2], -y[0] * y[2], -m * y[0] * y[1], y[2]",
        m=f"-y[1] * y[2] * {BY_PARAMETER}, y[0] * y[2] * {BY_PARAMETER}, m * y[0] * y[1] * {BY_PARAMETER} - y[0] ** 2 / (2 * y[2]), -y[2] * {BY_PARAMETER}")
several("s.airy(x)", 4,     x="y[1], x * y[0], y[3], x * y[2]")
several("s.fresnel(x)", 2,  x="np.sin(math.pi / 2 * x ** 2), np.cos(math.pi / 2 * x ** 2)")
several("s.sici(x)", 2,     x="np.sinc(x / math.pi), np.cos(x) / x")
several("s.shichi(x)", 2,   x="(s.exprel(x) + s.exprel(-x)) / 2, np.cosh(x) / x")
special("s.voigt_profile(x, sigma, gamma)",  x="g * (gamma * voigt_dispersion(x, sigma, gamma) - x * y) / sigma ** 2",
        gamma="g * (gamma * y + x * voigt_dispersion(x, sigma, gamma) - 1 / math.pi) / sigma ** 2",
        sigma="-g * (y + (2 * gamma * x * voigt_dispersion(x, sigma, gamma) + (gamma ** 2 - x ** 2) * y - gamma / math.pi) / sigma ** 2) / sigma")
elementwise("voigt_dispersion(x, sigma, gamma)",  x="g * (1 / math.pi - gamma * cast(scipy.special.voigt_profile(x, sigma, gamma), x) - x * y) / sigma ** 2",
            gamma="g * (gamma * y - x * cast(scipy.special.voigt_profile(x, sigma, gamma), gamma)) / sigma ** 2",
            sigma="-g * (y + (x / math.pi - 2 * gamma * x * cast(scipy.special.voigt_profile(x, sigma, gamma), sigma) + (gamma ** 2 - x ** 2) * y) / sigma ** 2) / sigma")

# Where x is 0, nothing varies with z.
special("s.xlogy(x, z)",    x="g * cast(np.log(z), x)",            z="g * x / np.where((x == 0) & (z == 0), 1, z)")
special("s.xlog1py(x, z)",  x="g * cast(np.log1p(z), x)",          z="g * x / np.where((x == 0) & (z == -1), 1, 1 + z)")
special("s.entr(x)",        x="-g * (np.log(x) + 1)")
special("s.rel_entr(x, z)", x="g * (np.log(x / z) + 1)",  z="-g * x / z")
special("s.kl_div(x, z)",   x="g * np.log(x / z)",        z="g * (1 - x / z)")
special("s.huber(delta, r)",         r="g * np.clip(r, -delta, delta)",  delta="g * np.maximum(cast(np.abs(r), delta) - delta, 0)")
special("s.pseudo_huber(delta, r)",  r="g * r / np.sqrt(1 + (r / delta) ** 2)",
                                     delta="g * (2 * y / delta - r ** 2 / (delta * np.sqrt(1 + (r / delta) ** 2)))")
special("s.boxcox(x, p)",   x="g * x ** (p - 1)",
                            p="g * cast(np.log(x) ** 2, p) * exprel_slope(p * cast(np.log(x), p))")
special("s.boxcox1p(x, p)",  x="g * (1 + x) ** (p - 1)",
                             p="g * cast(np.log1p(x) ** 2, p) * exprel_slope(p * cast(np.log1p(x), p))")
special("s.inv_boxcox(z, p)",    z="g * y ** (1 - p)",
                                 p="-g * y * z ** 2 / 2 * cast(s.hyp2f1(2, 2, 3, -p * z), p)")
special("s.inv_boxcox1p(z, p)",  z="g * (1 + y) ** (1 - p)",
                                 p="-g * (1 + y) * z ** 2 / 2 * cast(s.hyp2f1(2, 2, 3, -p * z), p)")

special("s.j0(x)",      x="-g * s.j1(x)")
special("s.y0(x)",      x="-g * s.y1(x)")
special("s.i0(x)",      x="g * s.i1(x)")
special("s.k0(x)",      x="-g * s.k1(x)")
special("s.j1(x)",      x="g * (s.j0(x) - s.jv(2, x)) / 2")
special("s.y1(x)",      x="g * (s.y0(x) - s.yv(2, x)) / 2")
special("s.i1(x)",      x="g * (s.i0(x) + s.iv(2, x)) / 2")
special("s.k1(x)",      x="-g * (s.k0(x) + s.kv(2, x)) / 2")
special("s.jv(v, x)",   x="g * (s.jv(v - 1, x) - s.jv(v + 1, x)) / 2")
special("s.yv(v, x)",   x="g * (s.yv(v - 1, x) - s.yv(v + 1, x)) / 2")
for name in ("hankel1", "hankel2"):
    special(f"s.{name}(v, x)",  x=f"g * (s.{name}(v - 1, x) - s.{name}(v + 1, x)) / 2",  numbers="complex")
special("s.iv(v, x)",   x="g * (s.iv(v - 1, x) + s.iv(v + 1, x)) / 2")
special("s.kv(v, x)",   x="-g * (s.kv(v - 1, x) + s.kv(v + 1, x)) / 2",  v="g * cast(np.exp(-x) * kve_slope(v, x, 1), v)")
# SciPy cuts off what follows the point.
special("s.yn(v, x)",   x="g * (s.yv(np.trunc(v) - 1, x) - s.yv(np.trunc(v) + 1, x)) / 2")
special("s.kn(v, x)",   x="-g * (s.kv(np.trunc(v) - 1, x) + s.kv(np.trunc(v) + 1, x)) / 2")
special("s.jve(v, x)",  x="g * (s.jve(v - 1, x) - s.jve(v + 1, x)) / 2")  # of a real x as s.jv
special("s.yve(v, x)",  x="g * (s.yve(v - 1, x) - s.yve(v + 1, x)) / 2")
special("s.k0e(x)",     x="g * (y - s.k1e(x))")
special("s.k1e(x)",     x="g * (y - (s.k0e(x) + s.kve(2, x)) / 2)")
special("s.kve(v, x)",  x="g * (y - (s.kve(v - 1, x) + s.kve(v + 1, x)) / 2)",  v="g * kve_slope(v, x, 1)")
special("s.i0e(x)",     x="g * (s.i1e(x) - np.sign(x) * y)")
special("s.i1e(x)",     x="g * ((s.i0e(x) + s.ive(2, x)) / 2 - np.sign(x) * y)")
special("s.ive(v, x)",  x="g * ((s.ive(v - 1, x) + s.ive(v + 1, x)) / 2 - np.sign(x) * y)")
for name, sign, own in (("jn", "-", ""), ("yn", "-", ""), ("in", "+", ""), ("kn", "+", "-")):  # by their neighbours, which divide by no x
    f = f"s.spherical_{name}"
    slope = f"{own}(n * {f}(np.maximum(n - 1, 0), x, True) {sign} (n + 1) * {f}(n + 1, x, True)) / (2 * n + 1)"
    special(f"{f}(n, x, derivative=[False])",  x=f"g * {f}(n, x, True)")
    special(f"{f}(n, x, derivative=[True])",   x=f"g * ({slope})")

for name in ("jvp", "yvp", "ivp", "kvp"):  # of any order
    special(f"s.{name}(v, z, n=1)",  z=f"g * s.{name}(v, z, n + 1)")
for name, sign in (("struve", "-"), ("modstruve", "+")):
    special(f"s.{name}(v, x)",  x=f"g * (s.{name}(v - 1, x) {sign} s.{name}(v + 1, x) + cast((x / 2) ** v * s.rgamma(v + 1.5) / math.sqrt(math.pi), y)) / 2")
special("s.wright_bessel(a, b, x)",  x="g * s.wright_bessel(a, a + b, x)")

# Polynomials, whose derivatives are others of the same families.
# The constant has no degree below it: SciPy's polynomials of degree -1 are nan at -1, others are of degree -2.
for one in ("hermite(0, x)", "hermitenorm(0, x)", "legendre(0, x)", "jacobi(0, a, b, x)", "gegenbauer(0, a, x)", "chebyt(0, x)", "chebyu(0, x)", "laguerre(0, x)", "genlaguerre(0, a, x)",
            "sh_legendre(0, x)", "sh_chebyt(0, x)", "sh_chebyu(0, x)", "chebyc(0, x)", "chebys(0, x)"):
    special(f"s.eval_{one}",  x="0")
for n, lower, here in (("N", "N - 1", ""), ("n", "n - (n != 0)", "(n != 0) * ")):
    special(f"s.eval_hermite({n}, x)",        x=f"g * 2 * {n} * s.eval_hermite({lower}, x)")
    special(f"s.eval_hermitenorm({n}, x)",    x=f"g * {n} * s.eval_hermitenorm({lower}, x)")
    special(f"s.eval_legendre({n}, x)",       x=f"g * {here}({n} + 1) / 2 * s.eval_jacobi({lower}, 1, 1, x)")
    special(f"s.eval_jacobi({n}, a, b, x)",   x=f"g * {here}({n} + a + b + 1) / 2 * s.eval_jacobi({lower}, a + 1, b + 1, x)")
    special(f"s.eval_gegenbauer({n}, a, x)",  x=f"g * {here}2 * a * s.eval_gegenbauer({lower}, a + 1, x)")
    special(f"s.eval_chebyt({n}, x)",         x=f"g * {n} * s.eval_chebyu({lower}, x)")
    special(f"s.eval_chebyu({n}, x)",         x=f"g * {here}2 * s.eval_gegenbauer({lower}, 2, x)")
    special(f"s.eval_laguerre({n}, x)",       x=f"-g * {here}s.eval_genlaguerre({lower}, 1, x)")
    special(f"s.eval_genlaguerre({n}, a, x)", x=f"-g * {here}s.eval_genlaguerre({lower}, a + 1, x)")
    # On the interval from 0 to 1, and from -2 to 2.
    special(f"s.eval_sh_legendre({n}, x)",    x=f"g * {here}({n} + 1) * s.eval_jacobi({lower}, 1, 1, 2 * x - 1)")
    special(f"s.eval_sh_chebyt({n}, x)",      x=f"g * 2 * {n} * s.eval_sh_chebyu({lower}, x)")
    special(f"s.eval_sh_chebyu({n}, x)",      x=f"g * {here}4 * s.eval_gegenbauer({lower}, 2, 2 * x - 1)")
    special(f"s.eval_chebyc({n}, x)",         x=f"g * {n} * s.eval_chebys({lower}, x)")
    special(f"s.eval_chebys({n}, x)",         x=f"g * {here}s.eval_gegenbauer({lower}, 2, x / 2)")
special("s.lpmv(m, v, x)",  x="g * (v * x * y - (v + m) * s.lpmv(m, v - 1, x)) / (x ** 2 - 1)")
constant("scipy.special.gammasgn", "scipy.special.round")
for name, of in (("psi", "digamma"), ("jn", "jv")):
    alias(f"scipy.special.{name}", of=f"scipy.special.{of}")

structural("scipy.special.softmax(x, axis=None)",      x="y * (g - np.sum(g * y, axis=axis, keepdims=True))",
           x_dot="y * (x_dot - np.sum(x_dot * y, axis=axis, keepdims=True))")
structural("scipy.special.log_softmax(x, axis=None)",  x="g - np.exp(y) * np.sum(g, axis=axis, keepdims=True)",
           x_dot="x_dot - np.sum(np.exp(y) * x_dot, axis=axis, keepdims=True)")
reduction ("scipy.special.logsumexp(x, axis=None, b=[None], keepdims=False)",  x="g * np.exp(x - np.where(y == -np.inf, 0, y))")
ONE, BOTH = "spread({}, x, axis, keepdims)", "spread({}, x + b, axis, keepdims)"  # BOTH: beside what x and b are together
for given, factor, spread in (("b=[None]", "", ONE), ("b=b", "b * ", BOTH)):  # of what may be negative, with its sign beside it
    per_weight = f"np.exp(x - {spread.format('np.where(y[0] == -np.inf, 0, y[0])')}) * {spread.format('y[1]')}"
    by_weight: dict[str, Any] = {"b": f"unbroadcast({spread.format('g[0]')} * {per_weight}, b)", "b_dot": f"np.sum(b_dot * {per_weight}, axis=axis, keepdims=keepdims), None"} if factor else {}
    tuple_valued(f"scipy.special.logsumexp(x, axis=None, {given}, keepdims=False, return_sign=[True])",  x=f"unbroadcast({spread.format('g[0]')} * {factor}{per_weight}, x)",
                 x_dot=f"np.sum(x_dot * {factor}{per_weight}, axis=axis, keepdims=keepdims), None",
                 **by_weight)
TERM = "np.exp(x - np.where(y == -np.inf, 0, y))"
for rank, of_weights in ((r, q) for r in (1, 2) for q in range(r + 1)):
    reduction("scipy.special.logsumexp(x, axis=None, b=b, keepdims=False)", ranks={"x": rank, "b": of_weights},
              x=f"unbroadcast(g * b * {TERM}, x)" if of_weights else f"g * b * {TERM}",  b=f"unbroadcast(g * {TERM}, b)",  x_dot=f"np.sum(x_dot * b * {TERM}, axis=axis, keepdims=keepdims)",
              b_dot=f"np.sum(b_dot * {TERM}, axis=axis, keepdims=keepdims)")
TERM = f"np.exp(x - {BOTH.format('np.where(y == -np.inf, 0, y)')})"
structural("scipy.special.logsumexp(x, axis=None, b=b, keepdims=False)",
           x=f"unbroadcast({BOTH.format('g')} * b * {TERM}, x)",                       b=f"unbroadcast({BOTH.format('g')} * {TERM}, b)",
           x_dot=f"np.sum(x_dot * b * {TERM}, axis=axis, keepdims=keepdims)",  b_dot=f"np.sum(b_dot * {TERM}, axis=axis, keepdims=keepdims)")
# fmt: on

quadratures()
