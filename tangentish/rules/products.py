"""Products of vectors, matrices and stacks of them; the last row of each serves any rank."""

from __future__ import annotations

from tangentish.rules.laws import alias, multilinear, sequence, structural

# fmt: off
multilinear("x @ w", ranks=(1, 1),  x="g * w",           w="g * x", thin=True)
multilinear("x @ w", ranks=(2, 1),  x="np.outer(g, w)",  w="x.T @ g")
multilinear("x @ w", ranks=(1, 2),  x="w @ g",           w="np.outer(x, g)")
multilinear("x @ w", ranks=(2, 2),  x="g @ w.T",         w="x.T @ g")
multilinear("x @ w", ranks=(3, 1),  x="g[..., None] * w",  w="np.tensordot(g, x, 2)")
multilinear("x @ w", ranks=(3, 2),  x="g @ w.T",         w="np.tensordot(x, g, ((0, 1), (0, 1)))")
alias("np.dot", of="MatMult")
multilinear("x @ w",                x="matmul_left(g, x, w)",  w="matmul_right(g, x, w)")
alias("np.matmul", of="MatMult")
alias("np.linalg.matmul", of="MatMult")
alias("operator.matmul", of="MatMult")
multilinear("np.dot(x, w)", ranks=(0, 0),     x="g * w",                 w="g * x")
multilinear("np.dot(x, w)",                   x="dot_left(g, x, w)",     w="dot_right(g, x, w)")

multilinear("np.inner(x, w)", ranks=(1, 1),   x="g * w",           w="g * x", thin=True)
multilinear("np.inner(x, w)", ranks=(2, 1),   x="np.outer(g, w)",  w="x.T @ g")
multilinear("np.inner(x, w)", ranks=(1, 2),   x="g @ w",           w="np.outer(g, x)")
multilinear("np.inner(x, w)", ranks=(2, 2),   x="g @ w",           w="g.T @ x")
multilinear("np.inner(x, w)",                 x="np.tensordot(g, w, np.ndim(w) - 1) if np.ndim(x) and np.ndim(w) else unbroadcast(g * w, x)",
                                              w="np.tensordot(g, x, (range(np.ndim(x) - 1), range(np.ndim(x) - 1))) if np.ndim(x) and np.ndim(w) else unbroadcast(g * x, w)")
multilinear("np.outer(x, w)", ranks=(1, 1),   x="g @ w",           w="x @ g")
multilinear("np.outer(x, w)",                 x="np.reshape(g @ np.ravel(w), np.shape(x))",
                                              w="np.reshape(np.ravel(x) @ g, np.shape(w))")
alias("np.linalg.outer", of="np.outer")
multilinear("np.vdot(x, w)", ranks=(1, 1),    x="g * w",           w="g * x", thin=True)
multilinear("np.vdot(x, w)",                  x="g * np.reshape(w, np.shape(x))",  w="g * np.reshape(x, np.shape(w))", thin=True)
multilinear("np.vecdot(x, w)",                x="unbroadcast(g[..., None] * w, x)",  w="unbroadcast(g[..., None] * x, w)")
for name in ("np.vecdot", "np.linalg.vecdot"):
    multilinear(f"{name}(x, w, axis=[-1])",   x="unbroadcast(g[..., None] * w, x)",  w="unbroadcast(g[..., None] * x, w)")
    multilinear(f"{name}(x, w, axis=-1)",     x="np.moveaxis(unbroadcast(g[..., None] * np.moveaxis(w, axis, -1), np.moveaxis(x, axis, -1)), -1, axis)",
                w="np.moveaxis(unbroadcast(g[..., None] * np.moveaxis(x, axis, -1), np.moveaxis(w, axis, -1)), -1, axis)")
multilinear("np.vecdot(x, w, axis=-1, keepdims=[True])",  x="unbroadcast(g * w, x)",  w="unbroadcast(g * x, w)")
multilinear("np.matvec(x, w)",                x="unbroadcast(g[..., None] * w[..., None, :], x)",     w="unbroadcast(np.vecmat(g, x), w)")
multilinear("np.vecmat(x, w)",                x="unbroadcast(np.matvec(w, g), x)",                    w="unbroadcast(x[..., None] * g[..., None, :], w)")
multilinear("np.cross(x, w, axis=[None])",    x="cross_left(g, x, w)",              w="-cross_left(g, w, x)")
multilinear("np.linalg.cross(x, w)",          x="unbroadcast(np.cross(w, g), x)",   w="unbroadcast(np.cross(g, x), w)",
            x_dot="np.cross(x_dot, w)",       w_dot="np.cross(x, w_dot)")
for axis, rank in (("[-1]", None), ("-1", 1), ("-1", 2), ("-1", 3)):  # as far from the last axis in both
    ranks = None if rank is None else (rank, rank)
    multilinear(f"np.cross(x, w, axis={axis})", ranks=ranks,  x="cross_left(g, x, w, axis)",  w="-cross_left(g, w, x, axis)")
    multilinear(f"np.linalg.cross(x, w, axis={axis})", ranks=ranks,  x="unbroadcast(np.cross(w, g, axis=axis), x)",  w="unbroadcast(np.cross(g, x, axis=axis), w)",
                x_dot="np.cross(x_dot, w, axis=axis)",  w_dot="np.cross(x, w_dot, axis=axis)")
multilinear("np.cross(x, w, axis=-1)",        x="cross_left(g, x, w, axis, False)",  w="-cross_left(g, w, x, axis, False)")
multilinear("np.linalg.cross(x, w, axis=-1)", x="cross_left(g, x, w, axis, False)",  w="-cross_left(g, w, x, axis, False)",
            x_dot="np.cross(x_dot, w, axis=axis)",  w_dot="np.cross(x, w_dot, axis=axis)")
multilinear("np.kron(x, w)",                  x="kron_left(g, x, w)",              w="kron_right(g, x, w)")
for name in ("np.tensordot", "np.linalg.tensordot"):
    multilinear(f"{name}(x, w, axes=2)",      x="tensordot_left(g, x, w, axes)",   w="tensordot_right(g, x, w, axes)")
sequence   ("np.einsum(subscripts, *xs)",     xs="einsum_adjoint(g, subscripts, k, *xs)",  xs_dot="np.einsum(subscripts, *swapped(xs, k, xs_dot))")
sequence   ("np.einsum(subscripts, *xs, optimize=False)",  xs="einsum_adjoint(g, subscripts, k, *xs, optimize=optimize)",
            xs_dot="np.einsum(subscripts, *swapped(xs, k, xs_dot), optimize=optimize)")
sequence   ("np.linalg.multi_dot(xs)",        xs="multi_dot_adjoint(g, xs, k)",    xs_dot="np.linalg.multi_dot(swapped(xs, k, xs_dot))")

for name, sign in (("add", ""), ("subtract", "-")):
    multilinear(f"np.{name}.outer(x, w)", ranks=(1, 1),  x="np.sum(g, axis=1)",  w=f"{sign}np.sum(g, axis=0)",
                x_dot=f"np.{name}.outer(x_dot, np.zeros_like(w))",  w_dot=f"np.{name}.outer(np.zeros_like(x), w_dot)")
    multilinear(f"np.{name}.outer(x, w)",   x="np.tensordot(g, np.ones_like(w), np.ndim(w))",  w=f"{sign}np.tensordot(np.ones_like(x), g, np.ndim(x))",
                x_dot=f"np.{name}.outer(x_dot, np.zeros_like(w))",  w_dot=f"np.{name}.outer(np.zeros_like(x), w_dot)")
structural ("np.divide.outer(x, w)",        x="np.tensordot(g, 1 / w, np.ndim(w))",         w="-np.tensordot(x, g, np.ndim(x)) / w ** 2",
            x_dot="np.divide.outer(x_dot, w)",                  w_dot="-np.multiply.outer(x, w_dot / w ** 2)")
multilinear("np.multiply.outer(x, w)", ranks=(1, 1),     x="g @ w",              w="x @ g")
multilinear("np.multiply.outer(x, w)",      x="np.tensordot(g, w, np.ndim(w))",             w="np.tensordot(x, g, np.ndim(x))")
# fmt: on
