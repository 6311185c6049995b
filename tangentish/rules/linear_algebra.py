"""Products, solutions, inverses and factors of matrices; the last row of each serves any rank."""

from __future__ import annotations

from tangentish.rules.laws import alias, multilinear, sequence, structural, tuple_valued

# fmt: off
multilinear("x @ w", ranks=(1, 1),  x="g * w",           w="g * x", thin=True)
multilinear("x @ w", ranks=(2, 1),  x="np.outer(g, w)",  w="x.T @ g")
multilinear("x @ w", ranks=(1, 2),  x="w @ g",           w="np.outer(x, g)")
multilinear("x @ w", ranks=(2, 2),  x="g @ w.T",         w="x.T @ g")
alias("np.dot", of="MatMult")
multilinear("x @ w",                x="matmul_left(g, x, w)",  w="matmul_right(g, x, w)")
multilinear("np.matmul(x, w)", ranks=(1, 1),  x="g * w",           w="g * x", thin=True)
multilinear("np.matmul(x, w)", ranks=(2, 1),  x="np.outer(g, w)",  w="x.T @ g")
multilinear("np.matmul(x, w)", ranks=(1, 2),  x="w @ g",           w="np.outer(x, g)")
multilinear("np.matmul(x, w)", ranks=(2, 2),  x="g @ w.T",         w="x.T @ g")
multilinear("np.matmul(x, w)",                x="matmul_left(g, x, w)",  w="matmul_right(g, x, w)")
multilinear("np.dot(x, w)", ranks=(0, 0),     x="g * w",                 w="g * x")
multilinear("np.dot(x, w)",                   x="dot_left(g, x, w)",     w="dot_right(g, x, w)")

multilinear("np.inner(x, w)", ranks=(1, 1),   x="g * w",           w="g * x", thin=True)
multilinear("np.inner(x, w)", ranks=(2, 1),   x="np.outer(g, w)",  w="x.T @ g")
multilinear("np.inner(x, w)", ranks=(2, 2),   x="g @ w",           w="g.T @ x")
multilinear("np.outer(x, w)", ranks=(1, 1),   x="g @ w",           w="x @ g")
multilinear("np.outer(x, w)",                 x="np.reshape(g @ np.ravel(w), np.shape(x))",
                                             w="np.reshape(np.ravel(x) @ g, np.shape(w))")
multilinear("np.vdot(x, w)", ranks=(1, 1),    x="g * w",           w="g * x", thin=True)
multilinear("np.vdot(x, w)",                  x="g * np.reshape(w, np.shape(x))",  w="g * np.reshape(x, np.shape(w))", thin=True)
multilinear("np.cross(x, w)",                 x="unbroadcast(np.cross(w, g), x)",  w="unbroadcast(np.cross(g, x), w)")
multilinear("np.kron(x, w)",                  x="kron_left(g, x, w)",              w="kron_right(g, x, w)")
multilinear("np.tensordot(x, w, axes=2)",     x="tensordot_adjoint(g, 0, x, w, axes)",  w="tensordot_adjoint(g, 1, x, w, axes)")
sequence  ("np.einsum(subscripts, *xs)",     xs="einsum_adjoint(g, subscripts, k, *xs)",  xs_dot="np.einsum(subscripts, *swapped(xs, k, xs_dot))")

multilinear("np.diag(x, k=0)", ranks=(1,),    x="np.diag(g, k)")
multilinear("np.diag(x, k=0)", ranks=(2,),    x="diagonal_adjoint(g, x, k)")
multilinear("np.diagonal(x, offset=0, axis1=0, axis2=1)",  x="diagonal_adjoint(g, x, offset, axis1, axis2)")
multilinear("np.trace(x, offset=0, axis1=0, axis2=1)",     x="diagonal_adjoint(np.expand_dims(g, -1), x, offset, axis1, axis2)")

structural("np.linalg.inv(x)", ranks=(2,),   x="-y.T @ g @ y.T",  x_dot="-y @ x_dot @ y")
structural("np.linalg.inv(x)",               x="-np.matrix_transpose(y) @ g @ np.matrix_transpose(y)",  x_dot="-y @ x_dot @ y")
structural("np.linalg.solve(a, b)", ranks=(2, 1),  a="-np.outer(np.linalg.solve(a.T, g), y)",  b="np.linalg.solve(a.T, g)",
           a_dot="-np.linalg.solve(a, a_dot @ y)",  b_dot="np.linalg.solve(a, b_dot)")
structural("np.linalg.solve(a, b)", ranks=(2, 2),  a="-np.linalg.solve(a.T, g) @ y.T",         b="np.linalg.solve(a.T, g)",
           a_dot="-np.linalg.solve(a, a_dot @ y)",  b_dot="np.linalg.solve(a, b_dot)")
structural("np.linalg.solve(a, b)",                a="solve_left(g, y, a, b)",                 b="solve_right(g, a, b)",
           a_dot="-solve_tangent(a_dot, a, y, b)",  b_dot="np.linalg.solve(a, b_dot)")
structural("np.linalg.det(x)", ranks=(2,),   x="g * det_slope(x)", thin=True,  x_dot="np.sum(det_slope(x) * x_dot)")
structural("np.linalg.det(x)",               x="np.expand_dims(g, (-2, -1)) * det_slope(x)",  x_dot="np.sum(det_slope(x) * x_dot, axis=(-2, -1))")
structural("np.linalg.cholesky(x)",          x="cholesky_adjoint(g, y)", x_dot="cholesky_tangent(x_dot, y)")  # it reads the lower triangle only: so does this
tuple_valued("np.linalg.slogdet(x)",         x="slogdet_adjoint(g, x)",  x_dot="None, np.trace(np.linalg.solve(x, x_dot), axis1=-2, axis2=-1)")
# fmt: on
