"""Polynomials by their coefficients, highest power first, and convolution."""

from __future__ import annotations

from tangentish.rules.laws import multilinear, structural

# fmt: off
structural ("np.polyval(p, x)",  p="cast(np.ravel(g) @ np.vander(np.ravel(x), len(p)), p)",  x="g * cast(np.polyval(np.polyder(p), x), x)",
            p_dot="np.polyval(p_dot, x)",  x_dot="x_dot * np.polyval(np.polyder(p), x)")
multilinear("np.polyder(p)",     p="np.append(g * np.arange(len(p) - 1, 0, -1), 0)")
multilinear("np.polyint(p)",     p="g[:-1] / np.arange(len(p), 0, -1)")
structural ("np.polyadd(p, q)",  p="g[len(g) - len(p):]",  q="g[len(g) - len(q):]",   p_dot="np.polyadd(p_dot, np.zeros_like(q))",  q_dot="np.polyadd(np.zeros_like(p), q_dot)")
structural ("np.polysub(p, q)",  p="g[len(g) - len(p):]",  q="-g[len(g) - len(q):]",  p_dot="np.polyadd(p_dot, np.zeros_like(q))",  q_dot="np.polysub(np.zeros_like(p), q_dot)")
multilinear("np.polymul(p, q)",  p="np.correlate(np.pad(g, (len(p) + len(q) - 1 - len(g), 0)), q, 'valid')",
                                 q="np.correlate(np.pad(g, (len(p) + len(q) - 1 - len(g), 0)), p, 'valid')")
structural ("np.poly(r)", ranks=(1,),  r="poly_adjoint(g, r)",  r_dot="-np.append(0, sum(d * np.poly(np.concatenate((r[:i], r[i + 1:]))) for i, d in enumerate(r_dot)))")
multilinear("np.polyfit(x, v, deg, rcond=None, w=None)",  v="fit_matrix(x, deg, rcond, w).T @ g")
structural ("np.vander(x, N=[None], increasing=[False])",  x="np.sum(g * cast(power_slope(x[:, None], np.arange(len(x) - 1, -1, -1)), x), axis=1)",
            x_dot="x_dot[:, None] * power_slope(x[:, None], np.arange(len(x) - 1, -1, -1))")
structural ("np.vander(x, n, increasing=[False])",         x="np.sum(g * cast(power_slope(x[:, None], np.arange(n - 1, -1, -1)), x), axis=1)",
            x_dot="x_dot[:, None] * power_slope(x[:, None], np.arange(n - 1, -1, -1))")
structural ("np.vander(x, n, increasing=[True])",          x="np.sum(g * cast(power_slope(x[:, None], np.arange(n)), x), axis=1)",
            x_dot="x_dot[:, None] * power_slope(x[:, None], np.arange(n))")

multilinear("np.convolve(x, w, mode=['full', 'same', 'valid'])", ranks=(0, 0),  x="np.sum(g * w)",  w="np.sum(g * x)")
multilinear("np.convolve(x, w, mode=['full', 'same', 'valid'])", ranks=(0, 1),  x="np.dot(g, w)",   w="g * x")
multilinear("np.convolve(x, w, mode=['full', 'same', 'valid'])", ranks=(1, 0),  x="g * w",          w="np.dot(g, x)")
multilinear("np.convolve(x, w, mode=['full'])",    x="np.correlate(g, w, 'valid')",  w="np.correlate(g, x, 'valid')")
multilinear("np.convolve(x, w, mode='full')",      x="np.correlate(widened(g, x, w, mode), w, 'valid')",  w="np.correlate(widened(g, x, w, mode), x, 'valid')")
multilinear("np.correlate(x, w, mode='valid')",    x="np.convolve(widened(g, x, w, mode, True), w, 'valid')",
                                                   w="np.correlate(widened(g, x, w, mode, True), x, 'valid')[::-1]")
# fmt: on
