"""Operators, powers, and piecewise functions: absolute value, extremes, clipping, selection."""

from __future__ import annotations

from tangentish.rules.laws import (
    alias,
    elementwise,
    mirror,
    multilinear,
    sequence,
    structural,
    tuple_valued,
    with_dtype,
)

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
elementwise("x ** F",   x="g * power_slope(x, F)",         numbers="perhaps Python")
elementwise("x ** R",   x="g * R * math.pow(x, R - 1)",    numbers="Python")  # a negative x is refused when it runs
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
for name, operator in (("neg", "USub"), ("pos", "UAdd"), ("add", "Add"), ("sub", "Sub"), ("mul", "Mult"),
                       ("truediv", "Div"), ("mod", "Mod"), ("pow", "Pow")):
    alias(f"operator.{name}", of=operator)

elementwise("np.square(x)",      x="g * 2 * x")
elementwise("np.sqrt(x)",        x="root_adjoint(g, y)")
elementwise("np.cbrt(x)",        x="g / (3 * y ** 2)")
elementwise("np.reciprocal(x)",  x="-g * y ** 2")
elementwise("np.hypot(x, z)",    x="g * ratio(x, y)",  z="g * ratio(z, y)")  # 0 at the origin
elementwise("np.fmod(x, z)",     x="g",                z="-g * np.trunc(x / z)")
elementwise("np.ldexp(x, i)",    x="np.ldexp(g, i)")
for name in ("np.divmod", "divmod"):
    tuple_valued(f"{name}(x, z)",  x="unbroadcast(g[1], x)",  z="unbroadcast(-g[1] * y[0], z)",
                 x_dot="None, x_dot",  z_dot="None, -y[0] * z_dot")
for name in ("np.modf", "math.modf"):
    tuple_valued(f"{name}(x)",     x="g[0]",                  x_dot="x_dot, None")
for name in ("np.frexp", "math.frexp"):
    tuple_valued(f"{name}(x)",     x="np.ldexp(g[0], -y[1])",  x_dot="np.ldexp(x_dot, -y[1]), None")

elementwise("np.abs(x)",          x="g * np.sign(x)")  # abs: 0 at 0
elementwise("np.copysign(x, z)",  x="g * np.copysign(1, x) * cast(np.copysign(1, z), x)",  z="0")
elementwise("np.nextafter(x, z)", x="g",  z="0")
elementwise("np.heaviside(x, h)", x="0",  h="g * (x == 0)")
alias("np.fabs",   of="np.abs")
alias("abs",       of="np.abs")
alias("math.fabs", of="np.abs")
alias("operator.abs", of="np.abs")

# Ties of an array share equally; the rectifier is 0 at 0; Python's max and min give all to the
# operand that they return, which is the first.
for pair, ignoring, python, more in (("np.maximum", "np.fmax", "max", ">"), ("np.minimum", "np.fmin", "min", "<")):
    for name in (pair, python):
        elementwise(f"{name}(x, 0)",     x=f"g * (x {more} 0)")
        elementwise(f"{name}(0, x)",     x=f"g * (x {more} 0)")
    pairs = {"x": "x, z", "z": "z, x"} if more == ">" else {"x": "z, x", "z": "x, z"}
    elementwise(f"{pair}(x, z)",         **{k: f"g * greater({both})" for k, both in pairs.items()})
    elementwise(f"{ignoring}(x, z)",     x=f"np.where(x == z, g / 2, np.where((x {more} z) | np.isnan(z), g, 0))",
                                         z=f"np.where(x == z, g / 2, np.where((z {more} x) | np.isnan(x), g, 0))")
    elementwise(f"{python}(x, z)",       x=f"g * (x {more}= z)",  z=f"g * (z {more} x)")
    sequence   (f"{python}(xs)",         xs="g * is_first(xs, y, k)",  linear=False)
    structural (f"{python}(x)", ranks=(1,), thin=True,  x="g * share(x, y)",  x_dot="np.sum(x_dot * share(x, y))")
    sequence   (f"{python}(*xs)",        xs="g * is_first(xs, y, k)",  linear=False)
sequence   ("sum(xs)",           xs="unbroadcast(g, xs[k])")
sequence   ("sum(xs, start)",    xs="unbroadcast(g, xs[k])",  start="unbroadcast(g, start)",
            xs_dot="sum(xs_dot, np.zeros_like(start))",  start_dot="np.broadcast_to(start_dot, np.shape(y))")
sequence   ("math.fsum(xs)",     xs="g")
multilinear("sum(x)",            x="full(g, x)", thin=True)
multilinear("sum(x, start=[0])", x="full(g, x)", thin=True)
multilinear("math.fsum(x)",      x="full(g, x)", thin=True)
sequence   ("math.prod(xs)",     xs="g * math.prod(xs[:k] + xs[k + 1:])", linear=False)
sequence   ("math.prod(xs, start=start)", xs="g * math.prod(xs[:k] + xs[k + 1:], start=start)",  start="g * math.prod(xs)", linear=False)
sequence   ("math.hypot(*xs)",   xs="g * ratio(xs[k], y)", linear=False)
structural ("math.prod(x)", ranks=(1,),  x="g * others(x, y)",  x_dot="np.sum(x_dot * others(x, y))", thin=True)

# At its bounds a clipped value moves with x.
elementwise("np.clip(x, a_min := None, a_max := None)",  x="g")
elementwise("np.clip(x, a_min := None, a_max)", x="g * (x <= a_max)",  a_max="g * (x > a_max)")
elementwise("np.clip(x, a_min, a_max := None)", x="g * (a_min <= x)",  a_min="g * (x < a_min)")
elementwise("np.clip(x, a_min, a_max)",         x="g * ((a_min <= x) & (x <= a_max))",
                                                a_min="g * ((x < a_min) & (a_min <= a_max))",
                                                a_max="g * ((x > a_max) | (a_min > a_max))")
elementwise("np.clip(x, min=min)",              x="g * (min <= x)",    min="g * (x < min)")
elementwise("np.clip(x, max=max)",              x="g * (x <= max)",    max="g * (x > max)")
elementwise("np.clip(x, min=[None], max=[None])",  x="g")
elementwise("np.clip(x, min=min, max=[None])",  x="g * (min <= x)",    min="g * (x < min)")
elementwise("np.clip(x, min=[None], max=max)",  x="g * (x <= max)",    max="g * (x > max)")
elementwise("np.clip(x, min=min, max=max)",     x="g * ((min <= x) & (x <= max))",
                                                min="g * ((x < min) & (min <= max))",
                                                max="g * ((x > max) | (min > max))")
with_dtype("np.clip")
elementwise("np.where(c, x, z)",                x="np.where(c, g, 0)",  z="np.where(c, 0, g)")
elementwise("np.nan_to_num(x, copy=[True], nan=0.0, posinf=None, neginf=None)",  x="np.where(np.isfinite(x), g, 0)")
for mode, taken in (("", "a"), (", mode=['wrap']", "np.mod(a, len(xs))"), (", mode=['clip']", "np.clip(a, 0, len(xs) - 1)")):
    sequence(f"np.choose(a, xs{mode})",         xs=f"unbroadcast(np.where(np.equal({taken}, k), g, 0), xs[k])",  xs_dot=f"np.where(np.equal({taken}, k), xs_dot, 0)")
sequence   ("np.select(conditions, xs, default=0)",  xs="unbroadcast(np.where(is_selected(conditions, k), g, 0), xs[k])",
            default="unbroadcast(np.where(is_selected(conditions, len(conditions)), g, 0), default)",
            default_dot="np.where(is_selected(conditions, len(conditions)), default_dot, 0)",
            xs_dot="np.where(is_selected(conditions, k), xs_dot, 0)")

elementwise("math.cbrt(x)",      x="g / (3 * np.square(y))")
for name in ("sqrt", "fmod", "copysign", "hypot", "ldexp"):
    mirror(name)
# fmt: on
