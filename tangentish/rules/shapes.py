"""Functions that rearrange, repeat or convert the elements of one array."""

from __future__ import annotations

from tangentish.rules.laws import alias, attribute, elementwise, method, multilinear, structural

# fmt: off
elementwise("float(x)",                       x="g")
elementwise("np.float64(x)",                  x="cast(g, x)", x_dot="np.float64(x_dot)")
elementwise("np.float32(x)",                  x="cast(g, x)", x_dot="np.float32(x_dot)")
elementwise("np.copy(x)",                     x="g")
elementwise("np.astype(x, dtype, copy=True)", x="cast(g, x)", x_dot="np.astype(x_dot, dtype)")
elementwise("np.real(x)",                     x="g")
elementwise("np.conj(x)",                     x="g")
elementwise("np.imag(x)",                     x="0")  # of a real x: complex values carry no derivative

multilinear("np.reshape(x, shape)",            x="np.reshape(g, x.shape)")
multilinear("np.ravel(x)",                     x="g.reshape(x.shape)")
multilinear("np.ndarray.flatten(x)",           x="g.reshape(x.shape)")
multilinear("np.squeeze(x, axis=None)",        x="np.reshape(g, x.shape)")
multilinear("np.ndarray.item(x)",              x="np.reshape(g, x.shape)")
multilinear("np.expand_dims(x, axis)",         x="np.reshape(g, np.shape(x))")
multilinear("np.atleast_1d(x)",                x="np.reshape(g, np.shape(x))")
multilinear("np.atleast_2d(x)",                x="np.reshape(g, np.shape(x))")
multilinear("np.atleast_3d(x)",                x="np.reshape(g, np.shape(x))")

multilinear("np.transpose(x, axes := None)",   x="g.T")
multilinear("np.transpose(x, axes)",           x="np.transpose(g, inverse(axes))")
multilinear("np.matrix_transpose(x)",          x="np.matrix_transpose(g)")
multilinear("np.swapaxes(x, axis1, axis2)",    x="np.swapaxes(g, axis1, axis2)")
multilinear("np.moveaxis(x, source, destination)",  x="np.moveaxis(g, destination, source)")
multilinear("np.flip(x, axis=None)",           x="np.flip(g, axis)")
multilinear("np.fliplr(x)",                    x="np.fliplr(g)")
multilinear("np.flipud(x)",                    x="np.flipud(g)")
multilinear("np.rot90(x, k=1)",                x="np.rot90(g, -k)")
multilinear("np.roll(x, shift, axis=None)",    x="np.roll(g, np.negative(shift), axis)")
multilinear("np.triu(x, k=0)",                 x="np.triu(g, k)")
multilinear("np.tril(x, k=0)",                 x="np.tril(g, k)")

multilinear("np.broadcast_to(x, shape)",       x="unbroadcast(g, x)")
multilinear("np.repeat(x, repeats, axis=None)",  x="repeat_adjoint(g, x, repeats, axis)")
multilinear("np.tile(x, reps)",                x="tile_adjoint(g, x, reps)")
multilinear("np.pad(x, pad_width, mode := 'edge')",       x="pad_adjoint(g, x, pad_width, mode)")
multilinear("np.pad(x, pad_width, mode := 'wrap')",       x="pad_adjoint(g, x, pad_width, mode)")
multilinear("np.pad(x, pad_width, mode := 'reflect')",    x="pad_adjoint(g, x, pad_width, mode)")
multilinear("np.pad(x, pad_width, mode := 'symmetric')",  x="pad_adjoint(g, x, pad_width, mode)")
structural("np.pad(x, pad_width, mode := 'constant', constant_values=0)",  x="pad_adjoint(g, x, pad_width)",  x_dot="np.pad(x_dot, pad_width)")
multilinear("np.pad(x, pad_width)",                       x="pad_adjoint(g, x, pad_width)")

multilinear("np.full(shape, fill_value)",                fill_value="np.sum(g)", ranks=(0,))
multilinear("np.full(shape, fill_value)",                fill_value="unbroadcast(g, fill_value)")
multilinear("np.full(shape, fill_value, dtype=None)",    fill_value="cast(unbroadcast(g, fill_value), fill_value)")
multilinear("np.full_like(x, fill_value)",               x="0", fill_value="unbroadcast(g, fill_value)")
multilinear("np.full_like(x, fill_value, dtype=None)",   x="0", fill_value="cast(unbroadcast(g, fill_value), fill_value)")
structural("np.linspace(start, stop, num=50, endpoint=True)",  ranks=(0, 0),
           start="np.dot(g, np.linspace(1, 0, num, endpoint))",
           stop="np.dot(g, np.linspace(0, 1, num, endpoint))",
           start_dot="start_dot * np.linspace(1, 0, num, endpoint)",
           stop_dot="stop_dot * np.linspace(0, 1, num, endpoint)")
structural("np.arange(start, stop, step)",    start="np.sum(g)",  stop="0",  step="np.dot(g, np.arange(g.size))",
           start_dot="np.full_like(y, start_dot)",  step_dot="step_dot * np.arange(y.size)")
structural("np.arange(start, stop)",          start="np.sum(g)",  stop="0",  start_dot="np.full_like(y, start_dot)")
structural("np.arange(stop)",                 stop="0")

alias("np.permute_dims", of="np.transpose")
alias("np.conjugate",    of="np.conj")
# fmt: on

_METHODS = """
    sum mean prod max min std var cumsum cumprod dot clip copy astype reshape transpose ravel squeeze
    swapaxes repeat take trace diagonal conj conjugate round any all argmax argmin argsort nonzero
    searchsorted
"""
for name in _METHODS.split():
    method(f"np.{name}", name)
method("np.ndarray.flatten", "flatten")
method("np.ndarray.item", "item")
attribute("np.transpose", "T")
attribute("np.matrix_transpose", "mT")
attribute("np.real", "real")
attribute("np.imag", "imag")
