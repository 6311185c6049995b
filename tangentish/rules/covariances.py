"""Covariances and correlations, of the rows or columns of one array, or of two that are stacked."""

from __future__ import annotations

from itertools import product

from tangentish.rules.laws import multilinear, structural

# fmt: off
# The forms that one writes by hand: how many degrees of freedom there are says one argument, or none.
for more, same, count in (
    (", bias=[False], ddof=[None]", "",             "({} - 1)"),
    (", bias=[True], ddof=[None]",  ", True",       "{}"),
    (", bias=[False, True], ddof=ddof", ", ddof=ddof", "({} - ddof)"),
):
    n = count.format("x.size")
    structural(f"np.cov(x{more})", ranks=(1,), thin=True,   x=f"g * 2 * (x - np.mean(x)) / {n}",  x_dot=f"np.dot(2 * (x - np.mean(x)) / {n}, x_dot)")
    structural(f"np.cov(x{more})", ranks=(2,),              x=f"np.dot(g + g.T, x - np.mean(x, axis=1, keepdims=True)) / {count.format('x.shape[1]')}",
               x_dot=f"cov_tangent(x_dot, x{same})")
    structural(f"np.cov(x, rowvar=[False]{more})", ranks=(2,),  x=f"np.dot(x - np.mean(x, axis=0), g + g.T) / {count.format('x.shape[0]')}",
               x_dot=f"cov_tangent(x_dot.T, x.T{same})")
    structural(f"np.cov(x, z{more})", ranks=(1, 1),
               x=f"(2 * g[0, 0] * (x - np.mean(x)) + (g[0, 1] + g[1, 0]) * (z - np.mean(z))) / {n}",
               z=f"((g[0, 1] + g[1, 0]) * (x - np.mean(x)) + 2 * g[1, 1] * (z - np.mean(z))) / {n}",
               x_dot=f"cov_tangent(np.stack((x_dot, np.zeros_like(z))), np.stack((x, z)){same})",
               z_dot=f"cov_tangent(np.stack((np.zeros_like(x), z_dot)), np.stack((x, z)){same})")

# The others, by the array whose rows are the variables: those of x stand above those of z.
WEIGHTS = "bias, ddof, fweights, aweights"
GIVEN = "bias=False, ddof=None, fweights=None, aweights=None, dtype=[None]"
for rowvar, turned in (("rowvar=[True]", ""), ("rowvar=[False]", ".T")):
    structural(f"np.cov(x, z := None, {rowvar}, {GIVEN})",            x=f"cov_adjoint(g, x{turned}, {WEIGHTS}){turned}",
               x_dot=f"cov_tangent(x_dot{turned}, x{turned}, {WEIGHTS})",
               aweights=f"cov_weights_adjoint(g, x{turned}, {WEIGHTS})",  aweights_dot=f"cov_weights_tangent(aweights_dot, x{turned}, {WEIGHTS})")
    structural(f"np.corrcoef(x, z := None, {rowvar}, dtype=[None])",  x=f"corrcoef_adjoint(g, x{turned}){turned}",
               x_dot=f"corrcoef_tangent(x_dot{turned}, x{turned})")
    for ranks in product((1, 2), repeat=2):
        stack = "np.column_stack(({}, {})).T" if turned else "np.vstack(({}, {}))"
        both, x_moves, z_moves = (stack.format(*pair) for pair in (("x", "z"), ("x_dot", "np.zeros_like(z)"), ("np.zeros_like(x)", "z_dot")))
        above = "1" if ranks[0] == 1 else "x.shape[1]" if turned else "x.shape[0]"
        first = "[0]" if ranks[0] == 1 else f"[:{above}]{turned}"
        last = "[-1]" if ranks[1] == 1 else f"[{above}:]{turned}"
        structural(f"np.cov(x, z, {rowvar}, {GIVEN})", ranks=dict(zip("xz", ranks, strict=True)),
                   x=f"cov_adjoint(g, {both}, {WEIGHTS}){first}",   z=f"cov_adjoint(g, {both}, {WEIGHTS}){last}",
                   x_dot=f"cov_tangent({x_moves}, {both}, {WEIGHTS})",  z_dot=f"cov_tangent({z_moves}, {both}, {WEIGHTS})",
                   aweights=f"cov_weights_adjoint(g, {both}, {WEIGHTS})",  aweights_dot=f"cov_weights_tangent(aweights_dot, {both}, {WEIGHTS})")
        structural(f"np.corrcoef(x, z, {rowvar}, dtype=[None])", ranks=dict(zip("xz", ranks, strict=True)),
                   x=f"corrcoef_adjoint(g, {both}){first}",         z=f"corrcoef_adjoint(g, {both}){last}",
                   x_dot=f"corrcoef_tangent({x_moves}, {both})",    z_dot=f"corrcoef_tangent({z_moves}, {both})")

# Both are bilinear in the gradient of the covariance and in the data; of correlations the second derivative is symmetric.
WEIGHTED = "bias=False, ddof=None, fweights=None, aweights=None"
multilinear(f"cov_adjoint(h, x, {WEIGHTED})",       h=f"cov_tangent(g, x, {WEIGHTS})",      x=f"cov_adjoint(h, g, {WEIGHTS})")
multilinear(f"cov_tangent(h, x, {WEIGHTED})",       h=f"cov_adjoint(g, x, {WEIGHTS})",      x=f"cov_adjoint(g, h, {WEIGHTS})")
structural ("corrcoef_adjoint(h, x)",               h="corrcoef_tangent(g, x)",  x="corrcoef_curvature(g, h, x)",
            h_dot="corrcoef_adjoint(h_dot, x)",  x_dot="corrcoef_curvature(x_dot, h, x)")
# fmt: on
