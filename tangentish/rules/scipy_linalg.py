"""scipy.linalg: solutions, factors and functions of matrices."""

from __future__ import annotations

import scipy
from numpy.lib import NumpyVersion

from tangentish.rules.laws import (
    complex_at_rest,
    constant,
    holds_for_complex,
    may_be_complex,
    multilinear,
    reduction,
    sequence,
    shaped_like,
    structural,
    tuple_valued,
)
from tangentish.rules.scipy_designs import matrices

# fmt: off
# Of stacks of matrices, which SciPy takes since 1.17, only where the row says nothing of ranks.
structural("scipy.linalg.inv(x)", ranks=(2,),   x="-y.T @ g @ y.T",  x_dot="-y @ x_dot @ y")
structural("scipy.linalg.inv(x)",               x="-np.matrix_transpose(y) @ g @ np.matrix_transpose(y)",  x_dot="-y @ x_dot @ y")
structural("scipy.linalg.pinv(x)", ranks=(2,),  x="-y.T @ g @ y.T + (g.T - x @ (y @ g.T)) @ y @ y.T + y.T @ y @ (g.T - (g.T @ y) @ x)",
           x_dot="-y @ x_dot @ y + y @ y.T @ (x_dot.T - x_dot.T @ x @ y) + (x_dot.T - y @ x @ x_dot.T) @ y.T @ y")
structural("scipy.linalg.pinv(x, rtol=None)",   x="pinv_slope(np.matrix_transpose(g), x, rtol)",  x_dot="np.matrix_transpose(pinv_slope(x_dot, x, rtol))")
structural("scipy.linalg.det(x)", ranks=(2,),   x="g * det_slope(x)", thin=True,  x_dot="np.sum(det_slope(x) * x_dot)")
structural("scipy.linalg.det(x)",               x="np.expand_dims(g, (-2, -1)) * det_slope(x)",  x_dot="np.sum(det_slope(x) * x_dot, axis=(-2, -1))")
for rank, product in ((1, "np.outer(g_b, y)"), (2, "g_b @ y.T")):
    structural("scipy.linalg.solve(a, b, assume_a=[None, 'gen', 'general'], transposed=[False])", ranks=(2, rank),
               a=f"-{product}",  b="scipy.linalg.solve(a.T, g)",
               a_dot="-scipy.linalg.solve(a, a_dot @ y)",    b_dot="scipy.linalg.solve(a, b_dot)")
    structural("scipy.linalg.solve(a, b, assume_a=[None, 'gen', 'general'], transposed=[True])", ranks=(2, rank),
               a=f"-({product}).T",  b="scipy.linalg.solve(a, g)",
               a_dot="-scipy.linalg.solve(a.T, a_dot.T @ y)",  b_dot="scipy.linalg.solve(a.T, b_dot)")
    for lower, half in (("True", "'L'"), ("False", "'U'")):  # one triangle is read
        structural(f"scipy.linalg.solve(a, b, assume_a=['pos', 'sym', 'her', 'positive definite', 'symmetric', 'hermitian'], lower=[{lower}], transposed=[False, True])",
                   ranks=(2, rank),  a=f"-to_lower({product}, {half})",  b=f"scipy.linalg.solve(a, g, assume_a=assume_a, lower={lower})",
                   a_dot=f"-scipy.linalg.solve(a, mirrored(a_dot, {half}) @ y, assume_a=assume_a, lower={lower})",
                   b_dot=f"scipy.linalg.solve(a, b_dot, assume_a=assume_a, lower={lower})")
    for lower, half, other in (("True", "np.tril", -1), ("False", "np.triu", 1)):
        for unit, read in (("False", half + "({})"), ("True", half + f"({{}}, {other})")):  # ones on the diagonal are not read
            solve = f"scipy.linalg.solve_triangular(a, {{}}, lower={lower}, unit_diagonal={unit})".replace(", unit_diagonal=False", "")
            turned = solve.replace("lower=", "trans=1, lower=")
            structural(f"scipy.linalg.solve_triangular(a, b, trans=[0, 'N'], lower=[{lower}], unit_diagonal=[{unit}])", ranks=(2, rank),
                       a="-" + read.format(product),  b=turned.format("g"),
                       a_dot="-" + solve.format(read.format("a_dot") + " @ y"),  b_dot=solve.format("b_dot"))
            structural(f"scipy.linalg.solve_triangular(a, b, trans=[1, 2, 'T', 'C'], lower=[{lower}], unit_diagonal=[{unit}])", ranks=(2, rank),
                       a="-" + read.format(f"({product}).T"),  b=solve.format("g"),
                       a_dot="-" + turned.format(read.format("a_dot") + ".T @ y"),  b_dot=turned.format("b_dot"))
structural("scipy.linalg.cholesky(x, lower=[True])",       x="cholesky_adjoint(g, y)",        x_dot="cholesky_tangent(x_dot, y)")
structural("scipy.linalg.cholesky(x, lower=[False])", ranks=(2,),  x="cholesky_adjoint(g.T, y.T).T",  x_dot="cholesky_tangent(x_dot.T, y.T).T")
# The half of the factor that means nothing held that of x before SciPy 1.18, and holds zeros since.
_kept = NumpyVersion(scipy.__version__) < "1.18.0"
tuple_valued("scipy.linalg.cho_factor(x, lower=[True])", ranks=(2,),   x="cholesky_adjoint(np.tril(g[0]), np.tril(y[0]))" + " + np.triu(g[0], 1)" * _kept,
             x_dot="cholesky_tangent(x_dot, np.tril(y[0]))" + " + np.triu(x_dot, 1)" * _kept + ", None")
tuple_valued("scipy.linalg.cho_factor(x, lower=[False])", ranks=(2,),  x="cholesky_adjoint(np.triu(g[0]).T, np.triu(y[0]).T).T" + " + np.tril(g[0], -1)" * _kept,
             x_dot="cholesky_tangent(x_dot.T, np.triu(y[0]).T).T" + " + np.tril(x_dot, -1)" * _kept + ", None")
structural("scipy.linalg.cho_solve(c_and_lower, b)",       c_and_lower="cho_solve_left(g_b, y, c_and_lower), None",  b="scipy.linalg.cho_solve(c_and_lower, g)",
           c_and_lower_dot="cho_solve_tangent(c_and_lower_dot[0], y, c_and_lower, scipy.linalg.cho_solve(c_and_lower, np.eye(len(y))))",
           b_dot="scipy.linalg.cho_solve(c_and_lower, b_dot)")
tuple_valued("scipy.linalg.lu(x, permute_l=[False], p_indices=[False])", ranks=(2,),  x="lu_adjoint(g, y)",  x_dot="None, lu_tangent(x_dot, y)[0], lu_tangent(x_dot, y)[1]")
tuple_valued("scipy.linalg.lu_factor(x)", ranks=(2,),      x="lu_packed_adjoint(g[0], y)",           x_dot="lu_packed_tangent(x_dot, y), None")
structural("scipy.linalg.lu_solve(lu_and_piv, b, trans=[0])",     lu_and_piv="lu_solve_left(g_b, y, lu_and_piv), None",  b="scipy.linalg.lu_solve(lu_and_piv, g, trans=1)",
           lu_and_piv_dot="-scipy.linalg.lu_solve(lu_and_piv, lu_product_tangent(lu_and_piv_dot[0], lu_and_piv) @ y)",  b_dot="scipy.linalg.lu_solve(lu_and_piv, b_dot)")
structural("scipy.linalg.lu_solve(lu_and_piv, b, trans=[1, 2])",  lu_and_piv="lu_solve_left(y, g_b, lu_and_piv), None",  b="scipy.linalg.lu_solve(lu_and_piv, g)",
           lu_and_piv_dot="-scipy.linalg.lu_solve(lu_and_piv, lu_product_tangent(lu_and_piv_dot[0], lu_and_piv).T @ y, trans=1)",  b_dot="scipy.linalg.lu_solve(lu_and_piv, b_dot, trans=1)")
tuple_valued("scipy.linalg.eigh(x, lower=[True], eigvals_only=[False])",   x="eigh_adjoint(g, y)",       x_dot="eigh_tangent(x_dot, y[1], x)")
tuple_valued("scipy.linalg.eigh(x, lower=[False], eigvals_only=[False])",  x="eigh_adjoint(g, y, 'U')",  x_dot="eigh_tangent(x_dot, y[1], x, 'U')")
for name, values in (("eigh", ", eigvals_only=[True]"), ("eigvalsh", "")):
    for lower, half in (("True", "'L'"), ("False", "'U'")):
        structural(f"scipy.linalg.{name}(x, lower=[{lower}]{values})",  x=f"eigh_adjoint((g, None), np.linalg.eigh(x, {half}), {half})",
                   x_dot=f"eigvalsh_tangent(x_dot, np.linalg.eigh(x, {half}), {half})")
moved = "eigh_tangent({}, y[1], np.diag(d) + np.diag(e, -1))"
moved_d, moved_e = moved.format("np.diag(d_dot)"), moved.format("np.diag(e_dot, -1)")
tuple_valued("scipy.linalg.eigh_tridiagonal(d, e, eigvals_only=[False], select=['a'])", ranks=(1, 1), results=2,
             d="np.diagonal(eigh_adjoint(g, y))",      e="np.diagonal(eigh_adjoint(g, y), -1)",
             d_dot=f"{moved_d}[0], {moved_d}[1]",      e_dot=f"{moved_e}[0], {moved_e}[1]")
both, v = "scipy.linalg.eigh_tridiagonal(d, e)", "scipy.linalg.eigh_tridiagonal(d, e, False, select, select_range)[1]"
for name, values in (("eigh", "eigvals_only=[True], "), ("eigvalsh", "")):
    structural(f"scipy.linalg.{name}_tridiagonal(d, e, {values}select=['a'])", ranks=(1, 1),
               d=f"np.diagonal(eigh_adjoint((g, None), {both}))",  e=f"np.diagonal(eigh_adjoint((g, None), {both}), -1)",
               d_dot=f"eigvalsh_tangent(np.diag(d_dot), {both})",  e_dot=f"eigvalsh_tangent(np.diag(e_dot, -1), {both})")
    structural(f"scipy.linalg.{name}_tridiagonal(d, e, {values}select=select, select_range=select_range)", ranks=(1, 1),
               d=f"{v} ** 2 @ g",          e=f"2 * ({v}[1:] * {v}[:-1]) @ g",
               d_dot=f"d_dot @ {v} ** 2",  e_dot=f"2 * e_dot @ ({v}[1:] * {v}[:-1])")
for lower, half in (("True", "'L'"), ("False", "'U'")):
    both = f"scipy.linalg.eigh(a, b, lower={lower})"  # generalised: a v = w b v
    tuple_valued(f"scipy.linalg.eigh(a, b, lower=[{lower}], eigvals_only=[False], type=[1])", ranks=(2, 2),
                 a=f"eigh_adjoint(g, y, {half})",      b=f"eigh_right(g, y, {half})",
                 a_dot=f"eigh_left_tangent(a_dot, y, {half})[0], eigh_left_tangent(a_dot, y, {half})[1]",
                 b_dot=f"eigh_right_tangent(b_dot, y, {half})[0], eigh_right_tangent(b_dot, y, {half})[1]")
    for name, values in (("eigh", "eigvals_only=[True]"), ("eigvalsh", "type=[1]")):
        structural(f"scipy.linalg.{name}(a, b, lower=[{lower}], {values})", ranks=(2, 2),
                   a=f"eigh_adjoint((g, None), {both}, {half})",    b=f"eigh_right((g, None), {both}, {half})",
                   a_dot=f"eigvalsh_tangent(a_dot, {both}, {half})",  b_dot=f"eigh_right_tangent(b_dot, {both}, {half})[0]")
    some = f"scipy.linalg.eigh(x, lower={lower}, subset_by_index=subset_by_index)"
    rest = f"x, subset_by_index, {half}"
    tuple_valued(f"scipy.linalg.eigh(x, lower=[{lower}], eigvals_only=[False], subset_by_index=subset_by_index)", ranks=(2,),
                 x=f"some_eigh_adjoint(g, y, {rest})",  x_dot=f"some_eigh_tangent(x_dot, y, {rest})")
    for name, values in (("eigh", "eigvals_only=[True], "), ("eigvalsh", "")):
        structural(f"scipy.linalg.{name}(x, lower=[{lower}], {values}subset_by_index=subset_by_index)", ranks=(2,),
                   x=f"some_eigh_adjoint((g, None), {some}, {rest})",  x_dot=f"eigvalsh_tangent(x_dot, {some}, {half})")
    structural(f"scipy.linalg.pinvh(x, lower=[{lower}])", ranks=(2,),  x=f"to_lower(pinv_slope(g.T, mirrored(x, {half}), None), {half})",
               x_dot=f"pinv_slope(mirrored(x_dot, {half}), mirrored(x, {half}), None).T")
# Eigenvalues of a real matrix may be complex, and count as such.
tuple_valued("scipy.linalg.eig(x, left=[False], right=[True])", ranks=(2,),  x="eig_adjoint(g, y, x)",  x_dot="eig_tangent(x_dot, y)",  numbers="complex")
structural("scipy.linalg.eigvals(x)", ranks=(2,),          x="eigvals_adjoint(g, y, x)",  x_dot="eigvals_tangent(x_dot, y, x)",  numbers="complex")
tuple_valued("scipy.linalg.svd(x, full_matrices=True)",    x="svd_adjoint(g, y)",             x_dot="svd_tangent(x_dot, y[0], y[2], x)")
tuple_valued("scipy.linalg.qr(x, mode=['full'])",          x="full_qr_adjoint(g, y)",         x_dot="full_qr_tangent(x_dot, y)")
for name in ("svd(x, full_matrices=True, compute_uv=[False])", "svdvals(x)"):
    structural(f"scipy.linalg.{name}",                     x="svd_adjoint((None, g, None), np.linalg.svd(x, full_matrices=False))",
               x_dot="singular_values_tangent(x_dot, np.linalg.svd(x, full_matrices=False))")
tuple_valued("scipy.linalg.qr(x, mode=['economic'])",      x="qr_adjoint(g, y)",              x_dot="qr_tangent(x_dot, y)")
for mode, own in (("full", "full_qr"), ("economic", "qr")):  # of the columns in the order y[2]
    tuple_valued(f"scipy.linalg.qr(x, mode=['{mode}'], pivoting=[True])", ranks=(2,),  x=f"{own}_adjoint((g[0], g[1]), (y[0], y[1]))[:, np.argsort(y[2])]",
                 x_dot=", ".join(f"{own}_tangent(x_dot[:, y[2]], (y[0], y[1]))[{k}]" for k in (0, 1)) + ", None")
for rank in (1, 2):
    tuple_valued("scipy.linalg.lstsq(a, b)", ranks=(2, rank),  a="lstsq_left(g, y, a, b)",  b="lstsq_right(g, y, a, b)",
                 a_dot="lstsq_tangent(a_dot, 0 * b, y, a, b), lstsq_rest_tangent(a_dot, 0 * b, y, a, b), None, singular_values_tangent(a_dot, np.linalg.svd(a, full_matrices=False))",
                 b_dot="lstsq_tangent(0 * a, b_dot, y, a, b), lstsq_rest_tangent(0 * a, b_dot, y, a, b), None, 0 * y[3]")

structural("scipy.linalg.expm(x)", ranks=(2,),  x="cast(scipy.linalg.expm_frechet(x.T, g, compute_expm=False), x)",  x_dot="scipy.linalg.expm_frechet(x, x_dot, compute_expm=False)")
# The derivative of expm along e stands in expm([[x, e], [0, x]]), above the diagonal.
PAIR, ABOVE = "(np.kron(np.eye(2), x) + np.kron(np.eye(2, k=1), e))", "np.kron(np.eye(2, k=1), g)"
structural("scipy.linalg.expm_frechet(x, e, compute_expm=[False])", ranks=(2, 2),  e="scipy.linalg.expm_frechet(x.T, g, compute_expm=False)",
           x=f"np.einsum('iaib->ab', np.reshape(scipy.linalg.expm_frechet({PAIR}.T, {ABOVE}, compute_expm=False), (2, len(x), 2, len(x))))",
           e_dot="scipy.linalg.expm_frechet(x, e_dot, compute_expm=False)",
           x_dot=f"scipy.linalg.expm_frechet({PAIR}, np.kron(np.eye(2), x_dot), compute_expm=False)[:len(x), len(x):]")
# So it does for every function of a matrix that has a series.
TURNED, MOVED = (f"np.block([[{{0}}, {e}], [np.zeros_like(x), {{0}}]])".format(of) for of, e in (("np.matrix_transpose(x)", "g"), ("x", "x_dot")))
for name, ranks in (("expm", None), ("cosm", (2,)), ("sinm", (2,)), ("coshm", (2,)), ("sinhm", (2,))):
    structural(f"scipy.linalg.{name}(x)", ranks=ranks,  x=f"cast(scipy.linalg.{name}({TURNED}), x)[..., :x.shape[-1], x.shape[-1]:]",
               x_dot=f"scipy.linalg.{name}({MOVED})[..., :x.shape[-1], x.shape[-1]:]")
structural("scipy.linalg.logm(x)", ranks=(2,),  x=f"cast(known_real(scipy.linalg.logm({TURNED})), x)[:len(x), len(x):]",
           x_dot=f"known_real(scipy.linalg.logm({MOVED}))[:len(x), len(x):]")
structural("scipy.linalg.sqrtm(x)", ranks=(2,),  x="scipy.linalg.solve_sylvester(known_real(y).T, y.T, g)",  x_dot="scipy.linalg.solve_sylvester(known_real(y), y, x_dot)")
structural("scipy.linalg.solve_sylvester(a, b, q)", ranks=(2, 2, 2),  a="-g_q @ y.T",  b="-y.T @ g_q",  q="scipy.linalg.solve_sylvester(a.T, b.T, g)",
           a_dot="-scipy.linalg.solve_sylvester(a, b, a_dot @ y)",  b_dot="-scipy.linalg.solve_sylvester(a, b, y @ b_dot)",
           q_dot="scipy.linalg.solve_sylvester(a, b, q_dot)")
structural("scipy.linalg.solve_continuous_lyapunov(a, q)", ranks=(2, 2),  a="-(g_q @ y.T + g_q.T @ y)",  q="scipy.linalg.solve_continuous_lyapunov(a.T, g)",
           a_dot="-scipy.linalg.solve_continuous_lyapunov(a, a_dot @ y + y @ a_dot.T)",  q_dot="scipy.linalg.solve_continuous_lyapunov(a, q_dot)")
structural("scipy.linalg.solve_discrete_lyapunov(a, q, method=None)", ranks=(2, 2),  a="g_q @ a @ y.T + g_q.T @ a @ y",  q="scipy.linalg.solve_discrete_lyapunov(a.T, g, method)",
           a_dot="scipy.linalg.solve_discrete_lyapunov(a, a_dot @ y @ a.T + a @ y @ a_dot.T, method)",  q_dot="scipy.linalg.solve_discrete_lyapunov(a, q_dot, method)")
# q and r are symmetric, or SciPy raises; so is y. `gain` is what feeds the state back, `closed` what is left of a then.
gain = "np.linalg.solve(r, b.T @ y)"
closed = f"(a - b @ {gain})"
lyapunov = f"scipy.linalg.solve_continuous_lyapunov({closed}.T, {{}})"
structural("scipy.linalg.solve_continuous_are(a, b, q, r)", ranks=(2, 2, 2, 2),  q=f"-scipy.linalg.solve_continuous_lyapunov({closed}, g)",
           a="y @ (g_q + g_q.T)",  b=f"-y @ (g_q + g_q.T) @ {gain}.T",  r=f"{gain} @ g_q @ {gain}.T",
           a_dot="-" + lyapunov.format("a_dot.T @ y + y @ a_dot"),  b_dot=lyapunov.format(f"y @ b_dot @ {gain} + (y @ b_dot @ {gain}).T"),
           q_dot="-" + lyapunov.format("q_dot"),  r_dot="-" + lyapunov.format(f"{gain}.T @ r_dot @ {gain}"))
gain = "np.linalg.solve(r + b.T @ y @ b, b.T @ y @ a)"
closed = f"(a - b @ {gain})"
lyapunov = f"scipy.linalg.solve_discrete_lyapunov({closed}.T, {{}})"
structural("scipy.linalg.solve_discrete_are(a, b, q, r)", ranks=(2, 2, 2, 2),  q=f"scipy.linalg.solve_discrete_lyapunov({closed}, g)",
           a=f"y @ {closed} @ (g_q + g_q.T)",  b=f"-y @ {closed} @ (g_q + g_q.T) @ {gain}.T",  r=f"{gain} @ g_q @ {gain}.T",
           a_dot=lyapunov.format(f"a_dot.T @ y @ {closed} + (a_dot.T @ y @ {closed}).T"),
           b_dot="-" + lyapunov.format(f"(b_dot @ {gain}).T @ y @ {closed} + ((b_dot @ {gain}).T @ y @ {closed}).T"),
           q_dot=lyapunov.format("q_dot"),  r_dot=lyapunov.format(f"{gain}.T @ r_dot @ {gain}"))

reduction ("scipy.linalg.norm(x, ord=[None], axis=None, keepdims=False)",  x="ratio(g, y) * x")
reduction ("scipy.linalg.norm(x, ord=[None], axis=None, keepdims=False)",  x="ratio(g, y) * np.conj(x)",  numbers="complex",
           x_dot="np.sum(np.real(x_dot * np.conj(ratio(x, y))), axis=axis, keepdims=keepdims)")
structural("scipy.linalg.svdvals(x)",  numbers="complex",  x="svd_adjoint((None, g, None), np.linalg.svd(x, full_matrices=False))",
           x_dot="singular_values_tangent(x_dot, np.linalg.svd(x, full_matrices=False))")
reduction ("scipy.linalg.norm(x, ord=None, axis=None, keepdims=False)",    x="g * norm_slope(x, y, ord, axis)")
sequence  ("scipy.linalg.block_diag(*xs)",  xs="diagonal_block(g, xs, k)")
for rank in (1, 2):
    structural("scipy.linalg.solve_banded(l_and_u, ab, b)", ranks={"ab": 2, "b": rank},  ab="-outer_bands(g_b, y, l_and_u)",
               b="scipy.linalg.solve_banded(l_and_u[::-1], transposed_bands(ab, l_and_u), g)",
               ab_dot="-scipy.linalg.solve_banded(l_and_u, ab, banded_times(ab_dot, y, l_and_u))",  b_dot="scipy.linalg.solve_banded(l_and_u, ab, b_dot)")
for rank, product in ((1, "np.outer(g_b, y)"), (2, "g_b @ y.T")):
    structural("scipy.linalg.solve_toeplitz(c_or_cr, b)", ranks={"c_or_cr": 1, "b": rank},
               c_or_cr=f"-scattered({product}, scipy.linalg.toeplitz(positions(c_or_cr)), c_or_cr)",  b="scipy.linalg.solve_toeplitz(c_or_cr, g)",
               c_or_cr_dot="-scipy.linalg.solve_toeplitz(c_or_cr, scipy.linalg.toeplitz(c_or_cr_dot) @ y)",  b_dot="scipy.linalg.solve_toeplitz(c_or_cr, b_dot)")
    structural("scipy.linalg.solve_toeplitz(c_and_r, b)", ranks={"b": rank},
               c_and_r=f"toeplitz_adjoint(-{product}, c_and_r)",  b="scipy.linalg.solve_toeplitz(turned_toeplitz(c_and_r), g)",
               c_and_r_dot="-scipy.linalg.solve_toeplitz(c_and_r, scipy.linalg.toeplitz(c_and_r_dot[0], np.append(0, c_and_r_dot[1][1:])) @ y)",
               b_dot="scipy.linalg.solve_toeplitz(c_and_r, b_dot)")
# A circulant matrix is a convolution around a circle, a product of the transforms.
structural("scipy.linalg.solve_circulant(c, b)", ranks=(1, 1),  b="scipy.linalg.solve_circulant(np.roll(c[::-1], 1), g)",
           c="-np.fft.irfft(np.fft.rfft(g_b) * np.conj(np.fft.rfft(y)), len(c))",
           c_dot="-scipy.linalg.solve_circulant(c, np.fft.irfft(np.fft.rfft(c_dot) * np.fft.rfft(y), len(c)))",  b_dot="scipy.linalg.solve_circulant(c, b_dot)")
structural("scipy.linalg.solve_circulant(c, b)", ranks=(1, 2),  b="scipy.linalg.solve_circulant(np.roll(c[::-1], 1), g)",
           c="-np.sum(np.fft.irfft(np.fft.rfft(g_b, axis=0) * np.conj(np.fft.rfft(y, axis=0)), len(c), 0), axis=1)",
           c_dot="-scipy.linalg.solve_circulant(c, np.fft.irfft(np.fft.rfft(c_dot)[:, None] * np.fft.rfft(y, axis=0), len(c), 0))",
           b_dot="scipy.linalg.solve_circulant(c, b_dot)")
multilinear("scipy.linalg.circulant(c)",    c="scattered(g, scipy.linalg.circulant(positions(c)), c)")
multilinear("scipy.linalg.hankel(c, r=[None])",    c="scattered(g, scipy.linalg.hankel(positions(c), np.full(np.shape(c), -1)), c)")
structural("scipy.linalg.hankel(c, r)",     c="scattered(g, scipy.linalg.hankel(positions(c), np.full(np.shape(r), -1)), c)",  # the last of c, not the first of r
           r="scattered(g, scipy.linalg.hankel(np.full(np.shape(c), -1), positions(r)), r)",
           c_dot="scipy.linalg.hankel(c_dot, np.zeros_like(r))",  r_dot="scipy.linalg.hankel(np.zeros_like(c), r_dot)")
multilinear("scipy.linalg.khatri_rao(a, b)", ranks=(2, 2),  a="np.einsum('ijk,jk->ik', np.reshape(g, (len(a), len(b), -1)), b)",
            b="np.einsum('ijk,ik->jk', np.reshape(g, (len(a), len(b), -1)), a)")
structural("scipy.linalg.companion(a)", ranks=(1,),  a="np.append(g[0] @ a[1:] / a[0], -g[0]) / a[0]",
           a_dot="np.eye(len(y), 1, dtype=y.dtype) * (a_dot[0] * a[1:] / a[0] - a_dot[1:]) / a[0]")
multilinear("scipy.linalg.toeplitz(c, r=[None])",  c="scattered(g, scipy.linalg.toeplitz(positions(c)), c)")
structural("scipy.linalg.toeplitz(c, r)",   c="scattered(g, scipy.linalg.toeplitz(positions(c), np.full(np.shape(r), -1)), c)",
           r="scattered(g, scipy.linalg.toeplitz(np.full(np.shape(c), -1), positions(r)), r)",
           c_dot="scipy.linalg.toeplitz(c_dot, np.zeros_like(r))",  r_dot="scipy.linalg.toeplitz(np.zeros_like(c), r_dot)")
# fmt: on

may_be_complex("scipy.linalg.eig", "scipy.linalg.eigvals")
complex_at_rest(
    "scipy.linalg.sqrtm",
    "scipy.linalg.logm",
    "scipy.linalg.funm",
    "scipy.linalg.fractional_matrix_power",
)
shaped_like(0, "scipy.linalg.solve_continuous_are", "scipy.linalg.solve_discrete_are")
shaped_like(1, "scipy.linalg.solve_toeplitz", "scipy.linalg.solve_circulant")
shaped_like(2, "scipy.linalg.solve_banded")
holds_for_complex(
    "scipy.linalg.expm(x)",
    "scipy.linalg.expm_frechet(x, e, compute_expm=[False])",
    "scipy.linalg.inv(x)",
    "scipy.linalg.det(x)",
    "scipy.linalg.solve(a, b, assume_a=[None, 'gen', 'general'], transposed=[False])",
    "scipy.linalg.cholesky(x, lower=[True])",
    "scipy.linalg.eigvalsh(x, lower=[True])",
    "scipy.linalg.eigh(x, lower=[True], eigvals_only=[True])",
    "scipy.linalg.toeplitz(c, r)",
    "scipy.linalg.block_diag",
    *(
        f"scipy.linalg.solve_triangular(a, b, trans=[0, 'N'], lower=[{lower}], unit_diagonal=[False])"
        for lower in (True, False)
    ),
)

matrices()
constant("scipy.linalg.issymmetric", "scipy.linalg.ishermitian")
constant("scipy.linalg.bandwidth", tried=True)
