"""Operators, powers, and piecewise functions: absolute value, extremes, clipping, selection."""

from __future__ import annotations

from tangentish.rules.laws import alias, elementwise, mirror, multilinear, sequence, structural

# fmt: off
elementwise("-x",     x="-g")
elementwise("+x",     x="g")
elementwise("x + z",  x="g",      z="g")
elementwise("x - z",  x="g",      z="-g")
elementwise("N * z",  z="N * g")
elementwise("x * z",  x="g * z",  z="g * x",  z_dot="x * z_dot")
elementwise("1 / x",  x="-g * y ** 2")
elementwise("x / z",  x="g / z",  z="-g * y / z")
elementwise("x % z",  x="g",      z="-g * (x // z)")

elementwise("x ** 0",   x="0")
elementwise("x ** 1",   x="g")
elementwise("x ** 2",   x="g * 2 * x")
elementwise("x ** 0.5", x="root_adjoint(g, y)")
elementwise("x ** -1",  x="-g * y ** 2")
elementwise("x ** N",   x="g * N * x ** (N - 1)")
elementwise("0 ** p",   p="0")
elementwise("N ** p",   p="g * y * math.log(N)")
elementwise("x ** p",   x="g * power_slope(x, p)",  p="g * y * log_or_zero(x)")  # 0 ** p does not vary with p

alias("np.negative", of="USub")
alias("np.positive", of="UAdd")
alias("np.add",      of="Add")
alias("np.subtract", of="Sub")
alias("np.multiply", of="Mult")
alias("np.divide",   of="Div")
alias("np.mod",      of="Mod")
alias("np.power",    of="Pow")
alias("np.float_power", of="Pow")
alias("pow",         of="Pow")
alias("math.pow",    of="Pow")

elementwise("np.square(x)",      x="g * 2 * x")
elementwise("np.sqrt(x)",        x="root_adjoint(g, y)")
elementwise("np.cbrt(x)",        x="g / (3 * y ** 2)")
elementwise("np.reciprocal(x)",  x="-g * y ** 2")
elementwise("np.hypot(x, z)",    x="g * ratio(x, y)",  z="g * ratio(z, y)")  # 0 at the origin
elementwise("np.fmod(x, z)",     x="g",                z="-g * np.trunc(x / z)")

elementwise("np.abs(x)",          x="g * np.sign(x)")  # abs: 0 at 0
elementwise("np.copysign(x, z)",  x="g * np.copysign(1, x) * np.copysign(1, z)",  z="0")
alias("np.fabs",   of="np.abs")
alias("abs",       of="np.abs")
alias("math.fabs", of="np.abs")

# Ties of an array share equally; the rectifier is 0 at 0; Python's max and min give all to the
# operand that they return.
elementwise("np.maximum(x, 0)",  x="g * (x > 0)")
elementwise("np.maximum(0, x)",  x="g * (x > 0)")
elementwise("np.minimum(x, 0)",  x="g * (x < 0)")
elementwise("np.minimum(0, x)",  x="g * (x < 0)")
elementwise("np.maximum(x, z)",  x="np.where(x == z, g / 2, g * (x > z))",  z="np.where(x == z, g / 2, g * (z > x))")
elementwise("np.minimum(x, z)",  x="np.where(x == z, g / 2, g * (x < z))",  z="np.where(x == z, g / 2, g * (z < x))")
alias("np.fmax", of="np.maximum")
alias("np.fmin", of="np.minimum")
elementwise("max(x, 0)",         x="g * (x > 0)")
elementwise("max(0, x)",         x="g * (x > 0)")
elementwise("min(x, 0)",         x="g * (x < 0)")
elementwise("min(0, x)",         x="g * (x < 0)")
elementwise("max(x, z)",         x="g * ((x > z) + (x == z) / 2)",          z="g * ((z > x) + (x == z) / 2)")
elementwise("min(x, z)",         x="g * ((x < z) + (x == z) / 2)",          z="g * ((z < x) + (x == z) / 2)")
sequence   ("max(xs)",           xs="g * is_first(xs, y, k)",  linear=False,  xs_dot="xs_dot * is_first(xs, y, k)")
sequence   ("min(xs)",           xs="g * is_first(xs, y, k)",  linear=False,  xs_dot="xs_dot * is_first(xs, y, k)")
structural ("max(x)", ranks=(1,), thin=True,  x="g * share(x, y)",  x_dot="np.sum(x_dot * share(x, y))")
structural ("min(x)", ranks=(1,), thin=True,  x="g * share(x, y)",  x_dot="np.sum(x_dot * share(x, y))")
sequence   ("max(*xs)",          xs="g * is_first(xs, y, k)",  linear=False,  xs_dot="xs_dot * is_first(xs, y, k)")
sequence   ("min(*xs)",          xs="g * is_first(xs, y, k)",  linear=False,  xs_dot="xs_dot * is_first(xs, y, k)")
sequence   ("sum(xs)",           xs="unbroadcast(g, xs[k])")
sequence   ("math.fsum(xs)",     xs="g")
multilinear("sum(x)",            x="full(g, x)", thin=True)
multilinear("math.fsum(x)",      x="full(g, x)", thin=True)

# At its bounds a clipped value moves with x.
elementwise("np.clip(x, a_min := None, a_max)", x="g * (x <= a_max)",  a_max="g * (x > a_max)")
elementwise("np.clip(x, a_min, a_max := None)", x="g * (a_min <= x)",  a_min="g * (x < a_min)")
elementwise("np.clip(x, a_min, a_max)",         x="g * ((a_min <= x) & (x <= a_max))",
                                                a_min="g * ((x < a_min) & (a_min <= a_max))",
                                                a_max="g * ((x > a_max) | (a_min > a_max))")
elementwise("np.clip(x, min=min)",              x="g * (min <= x)",    min="g * (x < min)")
elementwise("np.clip(x, max=max)",              x="g * (x <= max)",    max="g * (x > max)")
elementwise("np.clip(x, min=min, max=max)",     x="g * ((min <= x) & (x <= max))",
                                                min="g * ((x < min) & (min <= max))",
                                                max="g * ((x > max) | (min > max))")
elementwise("np.where(c, x, z)",                x="np.where(c, g, 0)",  z="np.where(c, 0, g)")
elementwise("np.nan_to_num(x)",                 x="g * np.isfinite(x)")

for name in ("sqrt", "cbrt", "fmod", "copysign", "hypot"):
    mirror(name)
# fmt: on
