"""Polynomials by their coefficients, highest power first, and convolution."""

from __future__ import annotations

from tangentish.rules.laws import (
    elementwise,
    multilinear,
    never_tried,
    shaped_like,
    structural,
    tuple_valued,
)

# fmt: off
structural ("np.polyval(p, x)", ranks={"p": 1},  p="cast(np.ravel(g) @ np.vander(np.ravel(x), len(p)), p)",  x="g * cast(np.polyval(np.polyder(p), x), x)",
            p_dot="np.polyval(p_dot, x)",  x_dot="x_dot * np.polyval(np.polyder(p), x)")
for ranks, exponents in (({"rows": 2}, "np.arange(len(rows) - 1, 0, -1)[:, None]"), (None, "along(np.arange(len(rows) - 1, 0, -1), rows[:-1], 0)")):
    slopes = f"np.polyval(rows[:-1] * {exponents}, x)"  # each row the coefficients of one power
    structural("np.polyval(rows, x)", ranks=ranks,  rows="cast(np.reshape([unbroadcast(g * x ** k, rows[0]) for k in range(len(rows) - 1, -1, -1)], np.shape(rows)), rows)",
               x=f"unbroadcast(g * cast({slopes}, x), x)",  rows_dot="np.polyval(rows_dot, x)",  x_dot=f"x_dot * {slopes}")
multilinear("np.polyder(p)",     p="np.append(g * np.arange(len(p) - 1, 0, -1), 0)")
multilinear("np.polyint(p)",     p="g[:-1] / np.arange(len(p), 0, -1)")
multilinear("np.polyder(p, m=1)",  p="np.append(g * cast(np.polyder(np.ones(len(p)), m), g), np.zeros_like(p[len(g):]))")
structural ("np.polyint(p, m=1, k=None)",  p="g[:len(p)] * cast(np.polyint(np.ones(len(p)), m)[:len(p)], g)",  p_dot="np.polyint(p_dot, m)")
for name, sign in (("add", ""), ("sub", "-")):
    p_dot, q_dot = "np.polyadd(p_dot, np.zeros_like(q))", f"np.poly{name}(np.zeros_like(p), q_dot)"
    structural(f"np.poly{name}(p, q)", ranks=(1, 1),  p="g[len(g) - len(p):]",  q=f"{sign}g[len(g) - len(q):]",  p_dot=p_dot,  q_dot=q_dot)
    structural(f"np.poly{name}(p, q)", ranks=(1, 0),  p="g[len(g) - len(p):]",  q=f"{sign}g[-1]",                p_dot=p_dot,  q_dot=q_dot)
    structural(f"np.poly{name}(p, q)", ranks=(0, 1),  p="g[-1]",                q=f"{sign}g[len(g) - len(q):]",  p_dot=p_dot,  q_dot=q_dot)
    structural(f"np.poly{name}(p, q)", ranks=(0, 0),  p="g[0]",                 q=f"{sign}g[0]",                 p_dot=p_dot,  q_dot=q_dot)
structural ("np.polymul(p, q)",  p="polymul_adjoint(g, p, q)",  q="polymul_adjoint(g, q, p)",
            p_dot="trimmed_like(np.convolve(p_dot, q), y)",     q_dot="trimmed_like(np.convolve(p, q_dot), y)")
tuple_valued("np.polydiv(u, v)", ranks=(1, 1),  u="polydiv_adjoint(g, y, u, v)",  v="polydiv_right(g_u, y, v)",
             u_dot="np.polydiv(u_dot, v)[0], polydiv_rest_tangent(u_dot, y, v)",
             v_dot="-np.polydiv(np.convolve(v_dot, y[0]), v)[0], -polydiv_rest_tangent(np.convolve(v_dot, y[0]), y, v)")
structural ("np.poly(r)", ranks=(1,),  r="poly_adjoint(g, r)",  r_dot="-np.append(0, sum(d * np.poly(np.concatenate((r[:i], r[i + 1:]))) for i, d in enumerate(r_dot)))")
OPTIONS, MOVED = "deg, rcond", "np.polyval(np.polyder({}), x)"
BY_POWERS = "np.append(({} * x_dot) @ np.vander(x, deg) * np.arange(deg, 0, -1), 0)"  # of what the powers of x weigh
structural ("np.polyfit(x, v, deg, rcond=None, w=[None])", ranks={"x": 1, "v": 1},  v=f"fit_adjoint(g, x, {OPTIONS})",  v_dot=f"np.polyfit(x, v_dot, {OPTIONS})",
            x=f"cast((v - np.polyval(y, determined(x, deg, rcond))) * {MOVED.format(f'np.polyfit(x, g_v, {OPTIONS})')} - g_v * {MOVED.format('y')}, x)",
            x_dot=f"np.polyfit(x, fit_adjoint({BY_POWERS.format('(v - np.polyval(y, determined(x, deg, rcond)))')}, x, {OPTIONS}) - x_dot * {MOVED.format('y')}, {OPTIONS})")
FITTED = f"x_dot * {MOVED.format(f'np.polyfit(x, y, {OPTIONS})')}"
structural ("fit_adjoint(h, x, deg, rcond=None)",  h=f"np.polyfit(x, g, {OPTIONS})",  h_dot=f"fit_adjoint(h_dot, x, {OPTIONS})",
            x=f"cast((g - np.polyval(g_h, x)) * {MOVED.format(f'np.polyfit(x, y, {OPTIONS})')} - y * {MOVED.format('g_h')}, x)",
            x_dot=f"{FITTED} - np.polyval(np.polyfit(x, {FITTED}, {OPTIONS}), x) - fit_adjoint({BY_POWERS.format('y')}, x, {OPTIONS})")
structural ("determined(x, deg, rcond=None, w=None)",  x="g",  x_dot="x_dot",  w="0")
# The same with weights, of which those that are 0 leave a place out.
WEIGHED = "deg, rcond, w=w"
PULLED = f"np.polyfit(x, ratio({{}}, w ** 2), {WEIGHED})"
structural ("np.polyfit(x, v, deg, rcond=None, w=w)", ranks={"x": 1, "v": 1, "w": 1},
            v="weighted_fit_adjoint(g, x, w, deg, rcond)",  v_dot=f"np.polyfit(x, v_dot, {WEIGHED})",
            x=f"cast(w ** 2 * (v - np.polyval(y, determined(x, deg, rcond, w))) * {MOVED.format(PULLED.format('g_v'))} - g_v * {MOVED.format('y')}, x)",
            x_dot=PULLED.format(f"weighted_fit_adjoint({BY_POWERS.format('w ** 2 * (v - np.polyval(y, determined(x, deg, rcond, w)))')}, x, w, {OPTIONS})")
                  + f" - np.polyfit(x, x_dot * {MOVED.format('y')}, {WEIGHED})",
            w="cast(2 * ratio(g_v, w) * (v - np.polyval(y, determined(x, deg, rcond, w))), w)",
            w_dot=PULLED.format(f"weighted_fit_adjoint((2 * w * w_dot * (v - np.polyval(y, determined(x, deg, rcond, w)))) @ np.vander(x, deg + 1), x, w, {OPTIONS})"))
FITTED = f"x_dot * {MOVED.format(PULLED.format('y'))}"
structural ("weighted_fit_adjoint(h, x, w, deg, rcond=None)",
            h=f"np.polyfit(x, g, {WEIGHED})",  h_dot=f"weighted_fit_adjoint(h_dot, x, w, {OPTIONS})",
            x=f"cast(w ** 2 * (g - np.polyval(g_h, x)) * {MOVED.format(PULLED.format('y'))} - y * {MOVED.format('g_h')}, x)",
            x_dot=f"w ** 2 * ({FITTED} - np.polyval(np.polyfit(x, {FITTED}, {WEIGHED}), x)) - weighted_fit_adjoint({BY_POWERS.format('y')}, x, w, {OPTIONS})",
            w="cast(2 * ratio(y, w) * (g - np.polyval(g_h, x)), w)",
            w_dot=f"2 * ratio(y, w) * w_dot - weighted_fit_adjoint((2 * ratio(y, w) * w_dot) @ np.vander(x, deg + 1), x, w, {OPTIONS})")
multilinear("np.polyfit(x, v, deg, rcond=None, w=None)",  v="fit_matrix(x, deg, rcond, w).T @ g")
structural ("np.vander(x, N=[None], increasing=[False])",  x="np.sum(g * cast(power_slope(x[:, None], np.arange(len(x) - 1, -1, -1)), x), axis=1)",
            x_dot="x_dot[:, None] * power_slope(x[:, None], np.arange(len(x) - 1, -1, -1))")
structural ("np.vander(x, n, increasing=[False])",         x="np.sum(g * cast(power_slope(x[:, None], np.arange(n - 1, -1, -1)), x), axis=1)",
            x_dot="x_dot[:, None] * power_slope(x[:, None], np.arange(n - 1, -1, -1))")
structural ("np.vander(x, n, increasing=[True])",          x="np.sum(g * cast(power_slope(x[:, None], np.arange(n)), x), axis=1)",
            x_dot="x_dot[:, None] * power_slope(x[:, None], np.arange(n))")
A = "np.polynomial.polynomial."  # lowest power first
structural (f"{A}polyval(x, c, tensor=True)", ranks={"c": 1},  x=f"g * {A}polyval(x, {A}polyder(c))",  c="cast(np.ravel(g) @ np.vander(np.ravel(x), len(c), increasing=True), c)",
            x_dot=f"x_dot * {A}polyval(x, {A}polyder(c))",  c_dot=f"{A}polyval(x, c_dot)")
multilinear(f"{A}polyder(c)",    ranks=(1,),       c="cast(np.append(0, g[:len(c) - 1] * np.arange(1, len(c))), c)")
multilinear(f"{A}polyder(c, m=1)",  ranks=(1,),    c=f"cast({A}polyder(np.eye(len(c)), m), c).T @ g")
multilinear(f"{A}polyint(c, m=1)",  ranks=(1,),    c=f"cast({A}polyint(np.eye(len(c)), m)[:len(g)], c).T @ g")
for family, p in (("chebyshev", "cheb"), ("legendre", "leg"), ("hermite", "herm"), ("hermite_e", "herme"), ("laguerre", "lag")):  # by the matrices of what is linear
    f = f"np.polynomial.{family}.{p}"
    structural (f"{f}val(x, c, tensor=True)", ranks={"c": 1},  x=f"g * {f}val(x, {f}der(c))",          c=f"cast(np.ravel(g) @ {f}vander(np.ravel(x), len(c) - 1), c)",
                x_dot=f"x_dot * {f}val(x, {f}der(c))",                                    c_dot=f"{f}val(x, c_dot)")
    multilinear(f"{f}der(c, m=1)", ranks=(1,),    c=f"cast({f}der(np.eye(len(c)), m), c).T @ g")
    multilinear(f"{f}int(c, m=1)", ranks=(1,),    c=f"cast({f}int(np.eye(len(c)), m)[:len(g)], c).T @ g")
for family, p in (("polynomial", "poly"), ("chebyshev", "cheb"), ("legendre", "leg"), ("hermite", "herm"), ("hermite_e", "herme"), ("laguerre", "lag")):
    f = f"np.polynomial.{family}.{p}"
    multilinear(f"{f}der(c, m=1, scl=1)", ranks=(1,),  c=f"cast({f}der(np.eye(len(c)), m, scl), c).T @ g")
    multilinear(f"{f}int(c, m=1, lbnd=0, scl=1)", ranks=(1,),  c=f"cast({f}int(np.eye(len(c)), m, [], lbnd, scl)[:len(g)], c).T @ g")
    structural (f"{f}int(c, m=1, k=k, lbnd=0, scl=1)", ranks=(1,),  c=f"cast({f}int(np.eye(len(c)), m, [], lbnd, scl)[:len(g)], c).T @ g",  c_dot=f"{f}int(c_dot, m, [], lbnd, scl)")
    slopes = f"y[..., :max(deg, 1)] @ cast({f}der(np.eye(deg + 1)), x)"
    structural (f"{f}vander(x, deg)",              x=f"unbroadcast(np.sum(g * ({slopes}), axis=-1), x)",  x_dot=f"np.expand_dims(x_dot, -1) * ({slopes})")
elementwise("np.poly1d.__call__(f, x)",                                x="g * f.deriv()(x)")
elementwise("np.polynomial.polynomial.Polynomial.__call__(f, x)",      x="g * f.deriv()(x)")  # of every family

multilinear("np.convolve(x, w, mode=['full', 'same', 'valid'])", ranks=(0, 0),  x="np.sum(g * w)",  w="np.sum(g * x)")
multilinear("np.convolve(x, w, mode=['full', 'same', 'valid'])", ranks=(0, 1),  x="np.dot(g, w)",   w="g * x")
multilinear("np.convolve(x, w, mode=['full', 'same', 'valid'])", ranks=(1, 0),  x="g * w",          w="np.dot(g, x)")
multilinear("np.convolve(x, w, mode=['full'])",    x="np.correlate(g, w, 'valid')",  w="np.correlate(g, x, 'valid')")
multilinear("np.convolve(x, w, mode='full')",      x="np.correlate(widened(g, x, w, mode), w, 'valid')",  w="np.correlate(widened(g, x, w, mode), x, 'valid')")
multilinear("np.correlate(x, w, mode='valid')",    x="np.convolve(widened(g, x, w, mode, True), w, 'valid')",
                                                   w="np.correlate(widened(g, x, w, mode, True), x, 'valid')[::-1]")
# fmt: on
shaped_like(1, "weighted_fit_adjoint")
never_tried("np.poly1d.__call__", "np.polynomial.polynomial.Polynomial.__call__")
