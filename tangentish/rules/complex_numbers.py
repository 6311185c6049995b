"""Complex numbers on the way from real ones to real ones: which rows hold for them, and rows of their own.

The gradient g of a complex value z goes with it as in JAX: a change dz changes the result by the real part of the sum
of g * dz (no conjugate). So the row of a function with a complex derivative holds for complex numbers as it stands;
others (`np.abs`, `np.conj`) have rows of their own. What reaches a real value is the real part.
"""

from __future__ import annotations

from tangentish.rules import (  # noqa: F401  (the rows that hold for complex numbers, too)
    arithmetic,
    elementary,
    fourier,
    helpers,
    joining,
    linear_algebra,
    places,
    polynomials,
    products,
    reductions,
    shapes,
    spacings,
)
from tangentish.rules.laws import (
    elementwise,
    holds_for_complex,
    may_be_complex,
    multilinear,
    reduction,
    structural,
    tuple_valued,
)

# fmt: off
_FUNCTIONS = """
    USub UAdd Add Sub Mult Div np.negative np.positive np.add np.subtract np.multiply np.divide
    np.square np.reciprocal np.exp np.expm1 np.log np.log2 np.log10 np.log1p
    np.sin np.cos np.tan np.arctan np.sinh np.cosh np.tanh np.arcsinh np.arctanh
    np.where np.select np.block sum np.copy np.ndarray.copy np.asarray np.array np.asanyarray np.ascontiguousarray
    np.stack np.concatenate np.concat np.hstack np.vstack np.dstack np.column_stack np.append
    np.split np.array_split np.hsplit np.vsplit np.dsplit np.unstack np.broadcast_arrays
    np.reshape np.ravel np.ndarray.flatten np.ndarray.item np.squeeze np.expand_dims np.atleast_1d np.atleast_2d np.atleast_3d
    np.transpose np.permute_dims np.matrix_transpose np.linalg.matrix_transpose np.swapaxes np.moveaxis np.rollaxis
    np.flip np.fliplr np.flipud np.rot90 np.roll np.triu np.tril
    np.broadcast_to np.repeat np.tile np.pad np.take np.take_along_axis np.compress np.extract np.delete
    np.diag np.diagflat np.diagonal np.trace np.linalg.diagonal np.linalg.trace np.full np.full_like
    trapezoid_widths neighbours neighbours_adjoint widened narrowed
    np.cumsum np.add.accumulate np.multiply.accumulate
    MatMult np.matmul np.linalg.matmul np.dot np.inner np.outer np.linalg.outer np.kron np.tensordot np.linalg.tensordot np.einsum
    np.cross np.linalg.cross cross_left np.linalg.multi_dot np.multiply.outer np.add.outer np.subtract.outer
    np.linalg.inv np.linalg.solve np.linalg.matrix_power np.linalg.det det_slope np.linalg.eigvalsh np.linalg.cholesky
    unbroadcast spread full along across copy_shared ratio complex_root_adjoint log_or_zero others others_adjoint cumsum_adjoint cumprod_adjoint
    cumprod_tangent diff_adjoint take_adjoint take_along_axis_adjoint diagonal_adjoint scattered taken_at laid_out part part_adjoint
    join stacked tile_adjoint repeat_adjoint pad_adjoint matmul_left matmul_right dot_left dot_right kron_left kron_right
    tensordot_left tensordot_right einsum_adjoint multi_dot_adjoint
"""
holds_for_complex(*_FUNCTIONS.split())
holds_for_complex(
    *(power.format(p) for power in ("x ** {}", "np.power(x, {})", "pow(x, {})") for p in ("0", "1", "2", "-1", "N", "p")),
    "power_slope(x, p, n=1)",
    "np.sum(x, axis=None, keepdims=False)", "np.mean(x, axis=None, keepdims=False)", "np.average(x, axis=None, returned=[False], keepdims=False)",
    "np.add.reduce(x, axis=0, keepdims=False)", "np.multiply.reduce(x, axis=0, keepdims=False)",
    "np.trapezoid(v, x=[None], dx=1.0)", "np.trapezoid(v, x=[None], dx=1.0, axis=-1)", "np.trapezoid(v, x=[None], dx=dx, axis=-1)",
    "np.prod(x, axis=None, keepdims=False)", "np.diff(x, n=1, axis=-1)", "cast(x, like)",
    *(f"np.gradient(f, {more}edge_order=1)" for axis in ("axis=None, ", "axis=axis, ") for more in (axis, f"h, {axis}")), "gradient_adjoint(h, f, x=1.0, axis=None, edge_order=1)",
    "np.polyder(p)", "np.vander(x, N=[None], increasing=[False])", "np.vander(x, n, increasing=[False])", "np.cumprod(x, axis=None)",
)

for name in ("np.abs", "abs"):  # 0 at 0
    elementwise(f"{name}(x)",                x="g * np.conj(ratio(x, y))",  numbers="complex",
                x_dot="np.real(x_dot * np.conj(ratio(x, y)))")
elementwise("x ** 0.5",                      x="complex_root_adjoint(g, y)",  numbers="complex")
elementwise("np.sqrt(x)",                    x="complex_root_adjoint(g, y)",  numbers="complex")
elementwise("np.sign(x)",                    x="ratio(g - np.real(g * y) * np.conj(y), np.abs(x))",  numbers="complex",
            x_dot="ratio(x_dot - np.real(x_dot * np.conj(y)) * y, np.abs(x))")
elementwise("np.angle(x, deg=[False])",      x="-1j * ratio(g, x)",  numbers="complex",  x_dot="np.imag(ratio(x_dot, x))")
elementwise("np.angle(x, deg=[True])",       x="-1j * ratio(np.degrees(g), x)",  numbers="complex",  x_dot="np.degrees(np.imag(ratio(x_dot, x)))")
elementwise("np.real(x)",                    x="g",                  numbers="complex",  x_dot="np.real(x_dot)")
elementwise("np.imag(x)",                    x="-1j * g",            numbers="complex",  x_dot="np.imag(x_dot)")
elementwise("np.conj(x)",                    x="np.conj(g)",         numbers="complex",  x_dot="np.conj(x_dot)")
elementwise("complex(x)",                    x="g",                  numbers="complex")
elementwise("complex(x, z)",                 x="g",  z="1j * g",     numbers="complex",  z_dot="1j * z_dot")
elementwise("np.complex128(x)",              x="g",                  numbers="complex")
elementwise("np.astype(x, dtype)",           x="g",                  numbers="complex",  x_dot="np.astype(x_dot, dtype)")
# By the result, which knows on which side of the cut it lies.
elementwise("np.arcsin(x)",                  x="g / np.cos(y)",      numbers="complex")
elementwise("np.arccos(x)",                  x="-g / np.sin(y)",     numbers="complex")
elementwise("np.arccosh(x)",                 x="g / (np.sqrt(x - 1) * np.sqrt(x + 1))",  numbers="complex")

structural("np.sort_complex(x)",             x="np.take_along_axis(g, np.argsort(np.argsort(x, kind='stable')), -1)",  numbers="complex",
           x_dot="np.take_along_axis(x_dot + 0j, np.argsort(x, kind='stable'), -1)")  # by the real parts, then the imaginary ones
multilinear("np.vdot(x, w)", ranks=(1, 1),   x="np.conj(g * w)",     w="g * np.conj(x)",  thin=True,  numbers="complex",
            x_dot="np.vdot(x_dot, w)",  w_dot="np.vdot(x, w_dot)")
multilinear("np.vdot(x, w)",                 x="np.conj(g * np.reshape(w, np.shape(x)))",  w="g * np.reshape(np.conj(x), np.shape(w))",  thin=True,
            x_dot="np.vdot(x_dot, w)",  w_dot="np.vdot(x, w_dot)",  numbers="complex")
multilinear("np.vecdot(x, w)",               x="unbroadcast(np.conj(g[..., None] * w), x)",  w="unbroadcast(g[..., None] * np.conj(x), w)",  numbers="complex")
for name in ("np.vecdot", "np.linalg.vecdot"):
    multilinear(f"{name}(x, w, axis=[-1])",  x="unbroadcast(np.conj(g[..., None] * w), x)",  w="unbroadcast(g[..., None] * np.conj(x), w)",  numbers="complex")
    multilinear(f"{name}(x, w, axis=-1)",    x="np.moveaxis(unbroadcast(np.conj(g[..., None] * np.moveaxis(w, axis, -1)), np.moveaxis(x, axis, -1)), -1, axis)",
                w="np.moveaxis(unbroadcast(g[..., None] * np.conj(np.moveaxis(x, axis, -1)), np.moveaxis(w, axis, -1)), -1, axis)",  numbers="complex")
multilinear("np.vecmat(x, w)",               x="unbroadcast(np.conj(np.matvec(w, g)), x)",
            w="unbroadcast(np.conj(x)[..., None] * g[..., None, :], w)",  numbers="complex")

multilinear("np.matvec(x, w)",               x="unbroadcast(g[..., None] * w[..., None, :], x)",
            w="unbroadcast(np.vecmat(np.conj(g), x), w)",  numbers="complex")
multilinear("np.convolve(x, w, mode=['full'])",    x="np.correlate(g, np.conj(w), 'valid')",
            w="np.correlate(g, np.conj(x), 'valid')",  numbers="complex")
WIDENED = "widened(g, x, w, mode{})"
multilinear("np.convolve(x, w, mode='full')",      x=f"np.correlate({WIDENED.format('')}, np.conj(w), 'valid')",
            w=f"np.correlate({WIDENED.format('')}, np.conj(x), 'valid')",  numbers="complex")
multilinear("np.correlate(x, w, mode='valid')",    x=f"np.convolve({WIDENED.format(', True')}, np.conj(w), 'valid')",  # conjugates w
            w=f"np.conj(np.correlate({WIDENED.format(', True')}, np.conj(x), 'valid'))[::-1]",  numbers="complex")

HEAD = "np.expand_dims(g, axis)"
structural ("np.trapezoid(v, x)", ranks=(1, 1),  v="g * cast(trapezoid_widths(x), y)",  x="-g * np.diff(np.pad((v[1:] + v[:-1]) / 2, 1))",
            v_dot="np.trapezoid(v_dot, x)",  x_dot="np.sum((v[1:] + v[:-1]) / 2 * np.diff(x_dot))",  thin=True,  numbers="complex")
multilinear("np.trapezoid(v, x, dx=1.0, axis=-1)", ranks={"x": 1},  v=f"{HEAD} * along(cast(trapezoid_widths(x), y), v, axis)",
            x=f"diff_adjoint(across({HEAD} * neighbours(v, axis) / 2, axis), x)",  numbers="complex")
for rank in (2, 3):
    multilinear("np.trapezoid(v, x, dx=1.0, axis=-1)", ranks=(rank, rank),  v=f"unbroadcast(neighbours_adjoint({HEAD} * np.diff(x, axis=axis) / 2, axis), v)",
                x=f"unbroadcast(diff_adjoint({HEAD} * neighbours(v, axis) / 2, v, 1, axis), x)",  numbers="complex")

reduction("np.linalg.norm(x, ord=[None], axis=None, keepdims=False)",   x="ratio(g, y) * np.conj(x)",  numbers="complex",
          x_dot="np.sum(np.real(x_dot * np.conj(ratio(x, y))), axis=axis, keepdims=keepdims)")
reduction("np.linalg.vector_norm(x, axis=None, keepdims=False, ord=[2, None])",  x="ratio(g, y) * np.conj(x)",  numbers="complex",
          x_dot="np.sum(np.real(x_dot * np.conj(ratio(x, y))), axis=axis, keepdims=keepdims)")
for degrees in ("ddof", "correction"):
    reduction(f"np.var(x, axis=None, {degrees}=0, keepdims=False)",  numbers="complex",
              x=f"g * 2 / (count(x, axis) - {degrees}) * np.conj(x - np.mean(x, axis=axis, keepdims=True))",
              x_dot=f"np.sum(2 * np.real(x_dot * np.conj(x - np.mean(x, axis=axis, keepdims=True))), axis=axis, keepdims=keepdims) / (count(x, axis) - {degrees})")
    reduction(f"np.std(x, axis=None, {degrees}=0, keepdims=False)",  numbers="complex",
              x=f"ratio(g, y) / (count(x, axis) - {degrees}) * np.conj(x - np.mean(x, axis=axis, keepdims=True))",
              x_dot=f"np.sum(np.real(x_dot * np.conj(ratio(x - np.mean(x, axis=axis, keepdims=True), y))), axis=axis, keepdims=keepdims) / (count(x, axis) - {degrees})")

# Eigenvalues of a real matrix may be complex as well, and count as such.
tuple_valued("np.linalg.eig(x)",     x="eig_adjoint(g, y, x)",     x_dot="eig_tangent(x_dot, y)",         numbers="complex")
structural  ("np.linalg.eigvals(x)", x="eigvals_adjoint(g, y, x)", x_dot="eigvals_tangent(x_dot, y, x)",  numbers="complex")
structural  ("np.polyval(p, x)",     p="np.ravel(g) @ cast(np.vander(np.ravel(x) + 0j, len(p)), y)",  x="g * cast(np.polyval(np.polyder(p), x), y)",  numbers="complex",
             p_dot="np.polyval(p_dot, x)",  x_dot="x_dot * np.polyval(np.polyder(p), x)")
structural  ("np.roots(p)",          p="roots_adjoint(g, y, p)",   p_dot="-np.polyval(p_dot, y) / np.polyval(np.polyder(p), y)",  numbers="complex")

MOVED = "np.trace(np.linalg.solve(x, x_dot), axis1=-2, axis2=-1)"
tuple_valued("np.linalg.slogdet(x)", x="slogdet_adjoint(g, y, x)", x_dot=f"1j * y[0] * np.imag({MOVED}), np.real({MOVED})",  numbers="complex")
tuple_valued("np.linalg.eigh(x, UPLO='L')",  x="hermitian_adjoint(g, y, UPLO)",  x_dot="hermitian_tangent(x_dot, y, UPLO)",  numbers="complex")
structural("np.linalg.pinv(x)", ranks=(2,),  numbers="complex",
           x="-y.T @ g @ y.T + np.conj((g.T - x @ (y @ g.T)) @ y @ np.conj(y.T) + np.conj(y.T) @ y @ (g.T - (g.T @ y) @ x))",
           x_dot="-y @ x_dot @ y + y @ np.conj(y.T) @ (np.conj(x_dot.T) - np.conj(x_dot.T) @ x @ y) + (np.conj(x_dot.T) - y @ x @ np.conj(x_dot.T)) @ np.conj(y.T) @ y")
for name in ("np.linalg.svd(x, full_matrices=True, compute_uv=[False])", "np.linalg.svdvals(x)"):
    structural(name,  numbers="complex",  x="svd_adjoint((None, g, None), np.linalg.svd(x, full_matrices=False))",
               x_dot="singular_values_tangent(x_dot, np.linalg.svd(x, full_matrices=False))")
# fmt: on
may_be_complex("np.linalg.eig", "np.linalg.eigvals", "np.roots")
