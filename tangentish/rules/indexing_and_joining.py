"""Arrays made of several, or taken from one: stacking, joining, splitting, gathering, grids."""

from __future__ import annotations

from tangentish.rules.laws import elementwise, multilinear, sequence, structural, tuple_valued

# fmt: off
for name in ("np.array", "np.asarray", "np.asanyarray"):
    sequence   (f"{name}(xs)",             xs="g[k]")
    sequence   (f"{name}(xs, dtype=None)", xs="cast(g[k], xs[k])")
    elementwise(f"{name}(x)",              x="g")
    elementwise(f"{name}(x, dtype=None)",  x="cast(g, x)", x_dot=f"{name}(x_dot, dtype=dtype)")
elementwise("np.array(x, copy=True)",                x="g")
elementwise("np.array(x, dtype=None, copy=True)",    x="cast(g, x)", x_dot="np.array(x_dot, dtype=dtype, copy=copy)")
sequence   ("np.ascontiguousarray(xs)",              xs="g[k]")
multilinear("np.ascontiguousarray(x)",               x="np.reshape(g, np.shape(x))")  # a scalar becomes an array of one
elementwise("np.asfortranarray(x)",                  x="g")

sequence("np.stack(xs)",                  xs="g[k]")
sequence("np.stack(xs, axis := 0)",       xs="g[k]")
sequence("np.stack(xs, axis=0)",          xs="np.take(g, k, axis)")
sequence("np.concatenate(xs, axis=0)",    xs="part(g, xs, k, axis)")
sequence("np.hstack(xs)",                 xs="part(g, xs, k, 0 if g.ndim == 1 else 1)")
sequence("np.vstack(xs)",                 xs="part(g, xs, k, 0)")
sequence("np.dstack(xs)",                 xs="part(g, xs, k, 2)")
sequence("np.column_stack(xs)",           xs="part(g, xs, k, 1)")
sequence("np.r_[xs]",                     xs="part(g, xs, k, 0)")
sequence("np.c_[xs]",                     xs="part(g, xs, k, -1)")
structural("np.append(x, values, axis=None)",  x="part(g, (x, values), 0, axis)",  values="part(g, (x, values), 1, axis)",
           x_dot="np.append(x_dot, np.zeros_like(values), axis)",  values_dot="np.append(np.zeros_like(x), values_dot, axis)")

tuple_valued("np.split(x, indices_or_sections, axis=0)", linear=True,        x="join(g, y, axis)")
tuple_valued("np.array_split(x, indices_or_sections, axis=0)", linear=True,  x="join(g, y, axis)")
tuple_valued("np.meshgrid(*xs, indexing='xy')", linear=True,                 xs="meshgrid_adjoint(g, xs, k, indexing)")
structural  ("np.unique(x)",                                    x="unique_adjoint(g, x)", x_dot="np.ravel(x_dot)[np.unique(x, return_index=True)[1]]")
tuple_valued("np.unique(x, return_index=False, return_inverse=False, return_counts=False)",  x="unique_adjoint(g[0], x)")

multilinear("np.take(x, indices, axis=None)",             x="take_adjoint(g, x, indices, axis)")
multilinear("np.take_along_axis(x, indices, axis=-1)",    x="take_along_axis_adjoint(g, x, indices, axis)")
structural("np.interp(x, xp, fp)",  x="g * interp_slope(x, xp, fp)",  fp="interp_adjoint(g, x, xp, fp)",
           x_dot="x_dot * interp_slope(x, xp, fp)",  fp_dot="np.interp(x, xp, fp_dot)")  # at a node: the segment on its right
# fmt: on
