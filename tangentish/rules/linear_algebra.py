"""Inverses, solutions, determinants and factors of matrices; the last row of each serves any rank."""

from __future__ import annotations

from tangentish.rules.laws import structural, tuple_valued

# fmt: off
structural("np.linalg.inv(x)", ranks=(2,),   x="-y.T @ g @ y.T",  x_dot="-y @ x_dot @ y")
structural("np.linalg.inv(x)",               x="-np.matrix_transpose(y) @ g @ np.matrix_transpose(y)",  x_dot="-y @ x_dot @ y")
structural("np.linalg.pinv(x)", ranks=(2,),  x="-y.T @ g @ y.T + (g.T - x @ (y @ g.T)) @ y @ y.T + y.T @ y @ (g.T - (g.T @ y) @ x)",
           x_dot="-y @ x_dot @ y + y @ y.T @ (x_dot.T - x_dot.T @ x @ y) + (x_dot.T - y @ x @ x_dot.T) @ y.T @ y")
structural("np.linalg.pinv(x, rcond=1e-15, hermitian=[False])",  x="pinv_slope(np.matrix_transpose(g), x, rcond)",
           x_dot="np.matrix_transpose(pinv_slope(x_dot, x, rcond))")
structural("np.linalg.pinv(x, hermitian=[False], rtol=rtol)",    x="pinv_slope(np.matrix_transpose(g), x, rtol)",
           x_dot="np.matrix_transpose(pinv_slope(x_dot, x, rtol))")
for cut in ("rcond=1e-15, hermitian=[True]", "hermitian=[True], rtol=rtol"):  # one triangle is read
    slope = f"pinv_slope({{}}, mirrored(x), {cut.partition('=')[0] if cut[0] == 'r' else 'rtol'})"
    structural(f"np.linalg.pinv(x, {cut})",  x=f"to_lower({slope.format('np.matrix_transpose(g)')})",
               x_dot=f"np.matrix_transpose({slope.format('mirrored(x_dot)')})")
structural("np.linalg.solve(a, b)", ranks=(2, 1),  a="-np.outer(g_b, y)",          b="np.linalg.solve(a.T, g)",
           a_dot="-np.linalg.solve(a, a_dot @ y)",  b_dot="np.linalg.solve(a, b_dot)")
structural("np.linalg.solve(a, b)", ranks=(2, 2),  a="-g_b @ y.T",                 b="np.linalg.solve(a.T, g)",
           a_dot="-np.linalg.solve(a, a_dot @ y)",  b_dot="np.linalg.solve(a, b_dot)")
structural("np.linalg.solve(a, b)",                a="solve_left(g, y, a, b)",     b="solve_right(g, a, b)",
           a_dot="-solve_tangent(a_dot, a, y, b)",  b_dot="np.linalg.solve(a, b_dot)")
structural("np.linalg.tensorsolve(a, b)",          a="-np.multiply.outer(g_b, y)",
           b="np.reshape(np.linalg.solve(np.reshape(a, (b.size, b.size)).T, np.ravel(g)), b.shape)",
           a_dot="-np.linalg.tensorsolve(a, np.tensordot(a_dot, y, y.ndim))",  b_dot="np.linalg.tensorsolve(a, b_dot)")
structural("np.linalg.tensorinv(x, ind=2)",  x="-np.tensordot(np.tensordot(y, g, (range(x.ndim - ind), range(x.ndim - ind))), y, (range(ind, 2 * ind), range(x.ndim - ind, x.ndim)))",
           x_dot="-np.tensordot(np.tensordot(y, x_dot, ind), y, x.ndim - ind)")
structural("np.linalg.matrix_power(x, n)",   x="matrix_power_adjoint(g, x, n)",  x_dot="matrix_power_adjoint(x_dot, np.matrix_transpose(x), n)")
tuple_valued("np.linalg.lstsq(a, b, rcond=None)", results=4,  a="lstsq_left(g, y, a, b)",  b="lstsq_right(g, y, a, b)",
             a_dot="lstsq_tangent(a_dot, 0 * b, y, a, b), lstsq_rest_tangent(a_dot, 0 * b, y, a, b), None, singular_values_tangent(a_dot, np.linalg.svd(a, full_matrices=False))",
             b_dot="lstsq_tangent(0 * a, b_dot, y, a, b), lstsq_rest_tangent(0 * a, b_dot, y, a, b), None, 0 * y[3]")

structural("np.linalg.det(x)", ranks=(2,),   x="g * det_slope(x)", thin=True,  x_dot="np.sum(det_slope(x) * x_dot)")
structural("np.linalg.det(x)",               x="np.expand_dims(g, (-2, -1)) * det_slope(x)",  x_dot="np.sum(det_slope(x) * x_dot, axis=(-2, -1))")
tuple_valued("np.linalg.slogdet(x)", ranks=(2,),  x="g[1] * np.linalg.inv(x).T",  x_dot="None, np.trace(np.linalg.solve(x, x_dot))")
tuple_valued("np.linalg.slogdet(x)",         x="np.expand_dims(g[1], (-2, -1)) * np.matrix_transpose(np.linalg.inv(x))",
             x_dot="None, np.trace(np.linalg.solve(x, x_dot), axis1=-2, axis2=-1)")

# Cholesky and the symmetric eigenvalue problem read one triangle only, and so do these.
structural  ("np.linalg.cholesky(x, upper=[False])",  x="cholesky_adjoint(g, y)",                   x_dot="cholesky_tangent(x_dot, y)")
structural  ("np.linalg.cholesky(x, upper=[True])",
             x="np.matrix_transpose(cholesky_adjoint(np.matrix_transpose(g), np.matrix_transpose(y)))",
             x_dot="np.matrix_transpose(cholesky_tangent(np.matrix_transpose(x_dot), np.matrix_transpose(y)))")
tuple_valued("np.linalg.eigh(x, UPLO='L')",           x="eigh_adjoint(g, y, UPLO)",                 x_dot="eigh_tangent(x_dot, y[1], x, UPLO)")
structural  ("np.linalg.eigvalsh(x, UPLO='L')",       x="eigh_adjoint((g, None), np.linalg.eigh(x, UPLO), UPLO)",  x_dot="eigvalsh_tangent(x_dot, np.linalg.eigh(x, UPLO), UPLO)")
tuple_valued("np.linalg.svd(x, full_matrices=True)", results=3,  x="svd_adjoint(g, y)",                        x_dot="svd_tangent(x_dot, y[0], y[2], x)")
# One triangle is read.
tuple_valued("np.linalg.svd(x, full_matrices=True, hermitian=[True])",  x="to_lower(svd_adjoint(g, y))",  x_dot="svd_tangent(mirrored(x_dot), y[0], y[2], mirrored(x))")
structural("np.linalg.svd(x, full_matrices=True, compute_uv=[False], hermitian=[True])",  x="to_lower(svd_adjoint((None, g, None), np.linalg.svd(x, hermitian=True)))",
           x_dot="singular_values_tangent(mirrored(x_dot), np.linalg.svd(x, hermitian=True))")
for name in ("np.linalg.svd(x, full_matrices=True, compute_uv=[False])", "np.linalg.svdvals(x)"):
    structural(name,                                  x="svd_adjoint((None, g, None), np.linalg.svd(x, full_matrices=False))",
               x_dot="singular_values_tangent(x_dot, np.linalg.svd(x, full_matrices=False))")
tuple_valued("np.linalg.qr(x, mode=['reduced'])",     x="qr_adjoint(g, y)",                         x_dot="qr_tangent(x_dot, y)")
tuple_valued("np.linalg.qr(x, mode=['complete'])",    x="full_qr_adjoint(g, y)",                    x_dot="full_qr_tangent(x_dot, y)")
structural  ("np.linalg.qr(x, mode=['r'])",           x="qr_adjoint((None, g), np.linalg.qr(x))",   x_dot="qr_tangent(x_dot, np.linalg.qr(x))[1]")

structural("np.linalg.cond(x, p=None)", ranks=(2,),   x="g * cond_slope(x, p)", thin=True,                           x_dot="np.sum(cond_slope(x, p) * x_dot)")
structural("np.linalg.cond(x, p=None)",               x="np.expand_dims(g, (-2, -1)) * cond_slope(x, p)",            x_dot="np.sum(cond_slope(x, p) * x_dot, axis=(-2, -1))")
structural("np.linalg.matrix_norm(x, keepdims=[False], ord='fro')",  x="np.expand_dims(g, (-2, -1)) * norm_slope(x, np.expand_dims(y, (-2, -1)), ord, (-2, -1))",
           x_dot="np.sum(norm_slope(x, np.expand_dims(y, (-2, -1)), ord, (-2, -1)) * x_dot, axis=(-2, -1))")
structural("np.linalg.matrix_norm(x, keepdims=[True], ord='fro')",   x="g * norm_slope(x, y, ord, (-2, -1))",
           x_dot="np.sum(norm_slope(x, y, ord, (-2, -1)) * x_dot, axis=(-2, -1), keepdims=True)")
# fmt: on
