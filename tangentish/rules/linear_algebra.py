"""Products, solutions, inverses and factors of matrices; the last row of each serves any rank."""

from __future__ import annotations

from tangentish.rules.rule import alias, sequence, structural, tuple_valued

# fmt: off
structural("x @ w", ranks=(1, 1),  x="g * w",           w="g * x", thin=True)
structural("x @ w", ranks=(2, 1),  x="np.outer(g, w)",  w="x.T @ g")
structural("x @ w", ranks=(1, 2),  x="w @ g",           w="np.outer(x, g)")
structural("x @ w", ranks=(2, 2),  x="g @ w.T",         w="x.T @ g")
alias("np.dot", of="MatMult")
structural("x @ w",                x="matmul_left(g, x, w)",  w="matmul_right(g, x, w)")
structural("np.matmul(x, w)", ranks=(1, 1),  x="g * w",           w="g * x", thin=True)
structural("np.matmul(x, w)", ranks=(2, 1),  x="np.outer(g, w)",  w="x.T @ g")
structural("np.matmul(x, w)", ranks=(1, 2),  x="w @ g",           w="np.outer(x, g)")
structural("np.matmul(x, w)", ranks=(2, 2),  x="g @ w.T",         w="x.T @ g")
structural("np.matmul(x, w)",                x="matmul_left(g, x, w)",  w="matmul_right(g, x, w)")
structural("np.dot(x, w)", ranks=(0, 0),     x="g * w",                 w="g * x")
structural("np.dot(x, w)",                   x="dot_left(g, x, w)",     w="dot_right(g, x, w)")

structural("np.inner(x, w)", ranks=(1, 1),   x="g * w",           w="g * x", thin=True)
structural("np.inner(x, w)", ranks=(2, 1),   x="np.outer(g, w)",  w="x.T @ g")
structural("np.inner(x, w)", ranks=(2, 2),   x="g @ w",           w="g.T @ x")
structural("np.outer(x, w)", ranks=(1, 1),   x="g @ w",           w="x @ g")
structural("np.outer(x, w)",                 x="np.reshape(g @ np.ravel(w), np.shape(x))",
                                             w="np.reshape(np.ravel(x) @ g, np.shape(w))")
structural("np.vdot(x, w)", ranks=(1, 1),    x="g * w",           w="g * x", thin=True)
structural("np.vdot(x, w)",                  x="g * np.reshape(w, np.shape(x))",  w="g * np.reshape(x, np.shape(w))", thin=True)
structural("np.cross(x, w)",                 x="unbroadcast(np.cross(w, g), x)",  w="unbroadcast(np.cross(g, x), w)")
structural("np.kron(x, w)",                  x="kron_left(g, x, w)",              w="kron_right(g, x, w)")
structural("np.tensordot(x, w, axes=2)",     x="tensordot_adjoint(g, 0, x, w, axes)",  w="tensordot_adjoint(g, 1, x, w, axes)")
sequence  ("np.einsum(subscripts, *xs)",     xs="einsum_adjoint(g, subscripts, k, *xs)")

structural("np.diag(x, k=0)", ranks=(1,),    x="np.diag(g, k)")
structural("np.diag(x, k=0)", ranks=(2,),    x="diagonal_adjoint(g, x, k)")
structural("np.diagonal(x, offset=0, axis1=0, axis2=1)",  x="diagonal_adjoint(g, x, offset, axis1, axis2)")
structural("np.trace(x, offset=0, axis1=0, axis2=1)",     x="diagonal_adjoint(np.expand_dims(g, -1), x, offset, axis1, axis2)")

structural("np.linalg.inv(x)", ranks=(2,),   x="-y.T @ g @ y.T")
structural("np.linalg.inv(x)",               x="-np.matrix_transpose(y) @ g @ np.matrix_transpose(y)")
structural("np.linalg.solve(a, b)", ranks=(2, 1),  a="-np.outer(np.linalg.solve(a.T, g), y)",  b="np.linalg.solve(a.T, g)")
structural("np.linalg.solve(a, b)", ranks=(2, 2),  a="-np.linalg.solve(a.T, g) @ y.T",         b="np.linalg.solve(a.T, g)")
structural("np.linalg.solve(a, b)",                a="solve_left(g, y, a, b)",                 b="solve_right(g, a, b)")
structural("np.linalg.det(x)", ranks=(2,),   x="g * det_slope(x)", thin=True)
structural("np.linalg.det(x)",               x="np.expand_dims(g, (-2, -1)) * det_slope(x)")
structural("np.linalg.cholesky(x)",          x="cholesky_adjoint(g, y)")  # it reads the lower triangle only: so does this
tuple_valued("np.linalg.slogdet(x)",         x="slogdet_adjoint(g, x)")
# fmt: on
