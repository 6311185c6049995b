"""Exponentials, logarithms, trigonometric and hyperbolic functions, in np and in math."""

from __future__ import annotations

from tangentish.rules.laws import alias, elementwise, mirror, structural

# fmt: off
elementwise("np.exp(x)",      x="g * y")
elementwise("np.exp2(x)",     x="g * y * math.log(2)")
elementwise("np.expm1(x)",    x="g * (y + 1)")
elementwise("np.log(x)",      x="g / x")
elementwise("np.log2(x)",     x="g / (x * math.log(2))")
elementwise("np.log10(x)",    x="g / (x * math.log(10))")
elementwise("np.log1p(x)",    x="g / (1 + x)")

elementwise("np.sin(x)",      x="g * np.cos(x)")
elementwise("np.cos(x)",      x="-g * np.sin(x)")
elementwise("np.tan(x)",      x="g * (1 + y ** 2)")
elementwise("np.arcsin(x)",   x="g / np.sqrt(1 - x ** 2)")
elementwise("np.arccos(x)",   x="-g / np.sqrt(1 - x ** 2)")
elementwise("np.arctan(x)",   x="g / (1 + x ** 2)")

elementwise("np.sinh(x)",     x="g * np.cosh(x)")
elementwise("np.cosh(x)",     x="g * np.sinh(x)")
elementwise("np.tanh(x)",     x="g * (1 - y ** 2)")
elementwise("np.arcsinh(x)",  x="g / np.sqrt(x ** 2 + 1)")
elementwise("np.arccosh(x)",  x="g / np.sqrt(x ** 2 - 1)")
elementwise("np.arctanh(x)",  x="g / (1 - x ** 2)")

elementwise("np.deg2rad(x)",  x="g * (math.pi / 180)")
elementwise("np.rad2deg(x)",  x="g * (180 / math.pi)")
alias("np.radians", of="np.deg2rad")
alias("np.degrees", of="np.rad2deg")

elementwise("np.arctan2(x, z)",     x="g * ratio(z, x ** 2 + z ** 2)",  z="-g * ratio(x, x ** 2 + z ** 2)")  # 0 at the origin
for ufunc, power in (("np.logaddexp", "np.exp"), ("np.logaddexp2", "np.exp2")):  # beside a number, no sum is infinitely small
    elementwise(f"{ufunc}(N, z)",                                               z=f"g * {power}(z - y)")
    elementwise(f"{ufunc}(x, N)",   x=f"g * {power}(x - y)")
elementwise("np.logaddexp(x, z)",   x="g * np.exp(x - np.where(y == -np.inf, 0, y))",              z="g * np.exp(z - np.where(y == -np.inf, 0, y))")
elementwise("np.logaddexp2(x, z)",  x="g * np.exp2(x - np.where(y == -np.inf, 0, y))",             z="g * np.exp2(z - np.where(y == -np.inf, 0, y))")
elementwise("np.sinc(x)",           x="g * sinc_slope(x)")

elementwise("np.i0(x)",             x="g * bessel_i(1, x)")

elementwise("math.log(x, b)",       x="g / (x * math.log(b))",          b="-g * y / (b * math.log(b))")
elementwise("math.remainder(x, z)", x="g",                              z="g * round((y - x) / z)")
structural ("math.dist(p, q)", ranks=(1, 1), thin=True,  p="ratio(g, y) * (p - q)",  q="ratio(g, y) * (q - p)",
            p_dot="ratio(np.dot(p - q, p_dot), y)",  q_dot="ratio(np.dot(q - p, q_dot), y)")
elementwise("math.erf(x)",          x="g * 2 / math.sqrt(math.pi) * math.exp(-x ** 2)")
elementwise("math.erfc(x)",         x="-g * 2 / math.sqrt(math.pi) * math.exp(-x ** 2)")
elementwise("math.gamma(x)",        x="g * y * polygamma(0, x)")
elementwise("math.lgamma(x)",       x="g * polygamma(0, x)")

for name in ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "radians", "degrees"):
    mirror(name)
for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh"):
    mirror(name)
    mirror("a" + name, of="arc" + name, has_poles=name in ("sin", "cos", "cosh"))
mirror("atan2", of="arctan2")
# fmt: on
