"""Arrays made of several, and arrays taken apart: stacking, joining, splitting, grids."""

from __future__ import annotations

from tangentish.rules.laws import (
    alias,
    elementwise,
    multilinear,
    sequence,
    structural,
    tuple_valued,
    with_dtype,
)

# fmt: off
for name in ("np.array", "np.asarray", "np.asanyarray"):
    sequence   (f"{name}(xs)",             xs="g[k]")
    sequence   (f"{name}(xs, dtype=None)", xs="cast(g[k], xs[k])")
    elementwise(f"{name}(x)",              x="g",          x_dot=f"{name}(x_dot)")  # a scalar becomes an array
    elementwise(f"{name}(x, dtype=None)",  x="cast(g, x)", x_dot=f"{name}(x_dot, dtype=dtype)")
    sequence   (f"{name}(xs, dtype=None, order='K')", xs="cast(g[k], xs[k])")
    elementwise(f"{name}(x, dtype=None, order='K')",  x="cast(g, x)", x_dot=f"{name}(x_dot, dtype=dtype)")
elementwise("np.array(x, copy=[True, False, None])",                x="g",  x_dot="np.array(x_dot)")
multilinear("np.array(x, dtype=None, copy=[True], ndmin=0)",  x="cast(np.reshape(g, np.shape(x)), x)")
elementwise("np.array(x, dtype=None, copy=[True, False, None])",    x="cast(g, x)", x_dot="np.array(x_dot, dtype=dtype)")
elementwise("np.array(x, dtype=None, copy=[True, False, None], order='K', subok=False)", x="cast(g, x)", x_dot="np.array(x_dot, dtype=dtype)")
sequence   ("np.ascontiguousarray(xs)",              xs="g[k]")
for rank in (1, 2, 3):
    multilinear("np.ascontiguousarray(x)", ranks=(rank,),              x="g")
    multilinear("np.ascontiguousarray(x, dtype=None)", ranks=(rank,),  x="cast(g, x)")
multilinear("np.ascontiguousarray(x)",               x="np.reshape(g, np.shape(x))")  # a scalar becomes an array of one
multilinear("np.ascontiguousarray(x, dtype=None)",   x="cast(np.reshape(g, np.shape(x)), x)")
multilinear("np.asfortranarray(x)", ranks=(0,),      x="np.sum(g)")
multilinear("np.asfortranarray(x)",                  x="g")
multilinear("np.asfortranarray(x, dtype=None)",      x="cast(np.reshape(g, np.shape(x)), x)")

sequence("np.stack(xs)",                  xs="g[k]")
sequence("np.stack(xs, axis := 0)",       xs="g[k]")
sequence("np.stack(xs, axis=0)",          xs="np.take(g, k, axis)")
sequence("np.concatenate(xs, axis=0)",    xs="part(g, xs, k, axis)")
sequence("np.hstack(xs)",                 xs="part(g, xs, k, 0 if g.ndim == 1 else 1)")
sequence("np.vstack(xs)",                 xs="part(g, xs, k, 0)")
sequence("np.dstack(xs)",                 xs="part(g, xs, k, 2)")
sequence("np.column_stack(xs)",           xs="part(g, xs, k, 1)")
# Of one array, whose rows are what is joined; of a list of unknown length no rank is known.
for name, x in (("np.concatenate(x, axis=[0])", "np.reshape(g, x.shape)"), ("np.stack(x, axis=0)", "np.moveaxis(g, axis, 0)"), ("np.vstack(x)", "np.reshape(g, x.shape)")):
    for rank in (1, 2, 3, 4) if "concat" not in name else (2, 3, 4):
        multilinear(name, ranks=(rank,), x=x)
for rank in (1, 2):
    multilinear("np.hstack(x)",        ranks=(rank,), x="np.reshape(g, x.shape)")
    multilinear("np.column_stack(x)",  ranks=(rank,), x="np.reshape(g.T, x.shape)")
for rank in (3, 4):
    for name, axis in (("concatenate(x, axis=0)", "axis"), ("hstack(x)", "1"), ("column_stack(x)", "1")):
        multilinear(f"np.{name}",      ranks=(rank,), x=f"np.stack(np.split(g, len(x), {axis}))")
for rank in (1, 2, 3):
    multilinear("np.dstack(x)",        ranks=(rank,), x="np.reshape(np.moveaxis(g, 2, 0), x.shape)")
with_dtype("np.concatenate", "np.stack", "np.hstack", "np.vstack")
alias("np.concat", of="np.concatenate")
structural("np.append(x, values, axis=None)",  x="part(g, (x, values), 0, axis)",  values="part(g, (x, values), 1, axis)",
           x_dot="np.append(x_dot, np.zeros_like(values), axis)",  values_dot="np.append(np.zeros_like(x), values_dot, axis)")
structural("np.block(xs)",                     xs="block_adjoint(g, xs)",  xs_dot="np.block(xs_dot)")

tuple_valued("np.split(x, indices_or_sections, axis=0)", linear=True,        x="join(g, y, axis, indices_or_sections, x.shape)")
tuple_valued("np.array_split(x, indices_or_sections, axis=0)", linear=True,  x="join(g, y, axis, indices_or_sections, x.shape)")
tuple_valued("np.hsplit(x, indices_or_sections)", linear=True,               x="join(g, y, min(1, x.ndim - 1), indices_or_sections, x.shape)")
tuple_valued("np.vsplit(x, indices_or_sections)", linear=True,               x="join(g, y, 0, indices_or_sections, x.shape)")
tuple_valued("np.dsplit(x, indices_or_sections)", linear=True,               x="join(g, y, 2, indices_or_sections, x.shape)")
tuple_valued("np.unstack(x, axis=0)", linear=True,                           x="stacked(g, y, axis)")
tuple_valued("np.meshgrid(*xs, indexing='xy')", linear=True,                 xs="meshgrid_adjoint(g, xs, k, indexing)")
tuple_valued("np.meshgrid(*xs, indexing='xy', sparse=[False])", linear=True, xs="meshgrid_adjoint(g, xs, k, indexing)")
tuple_valued("np.meshgrid(*xs, indexing='xy', sparse=[True])", linear=True,  xs="np.reshape(g[k], np.shape(xs[k]))")
tuple_valued("np.broadcast_arrays(*xs)", linear=True,                        xs="unbroadcast(g[k], xs[k])")
tuple_valued("np.ix_(*xs)", linear=True,                                     xs="np.ravel(g[k])")
# fmt: on
