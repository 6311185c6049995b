"""Functions that rearrange, repeat or convert the elements of one array."""

from __future__ import annotations

from tangentish.rules.rule import alias, attribute, elementwise, method, structural

# fmt: off
elementwise("float(x)",                       x="g")
elementwise("np.float64(x)",                  x="cast(g, x)")
elementwise("np.float32(x)",                  x="cast(g, x)")
elementwise("np.copy(x)",                     x="g")
elementwise("np.astype(x, dtype, copy=True)", x="cast(g, x)")
elementwise("np.real(x)",                     x="g")
elementwise("np.conj(x)",                     x="g")
elementwise("np.imag(x)",                     x="0")  # of a real x: complex values carry no derivative

structural("np.reshape(x, shape)",            x="np.reshape(g, x.shape)")
structural("np.ravel(x)",                     x="g.reshape(x.shape)")
structural("np.ndarray.flatten(x)",           x="g.reshape(x.shape)")
structural("np.squeeze(x, axis=None)",        x="np.reshape(g, x.shape)")
structural("np.ndarray.item(x)",              x="np.reshape(g, x.shape)")
structural("np.expand_dims(x, axis)",         x="np.reshape(g, np.shape(x))")
structural("np.atleast_1d(x)",                x="np.reshape(g, np.shape(x))")
structural("np.atleast_2d(x)",                x="np.reshape(g, np.shape(x))")
structural("np.atleast_3d(x)",                x="np.reshape(g, np.shape(x))")

structural("np.transpose(x, axes := None)",   x="g.T")
structural("np.transpose(x, axes)",           x="np.transpose(g, inverse(axes))")
structural("np.matrix_transpose(x)",          x="np.matrix_transpose(g)")
structural("np.swapaxes(x, axis1, axis2)",    x="np.swapaxes(g, axis1, axis2)")
structural("np.moveaxis(x, source, destination)",  x="np.moveaxis(g, destination, source)")
structural("np.flip(x, axis=None)",           x="np.flip(g, axis)")
structural("np.fliplr(x)",                    x="np.fliplr(g)")
structural("np.flipud(x)",                    x="np.flipud(g)")
structural("np.rot90(x, k=1)",                x="np.rot90(g, -k)")
structural("np.roll(x, shift, axis=None)",    x="np.roll(g, np.negative(shift), axis)")
structural("np.triu(x, k=0)",                 x="np.triu(g, k)")
structural("np.tril(x, k=0)",                 x="np.tril(g, k)")

structural("np.broadcast_to(x, shape)",       x="unbroadcast(g, x)")
structural("np.repeat(x, repeats, axis=None)",  x="repeat_adjoint(g, x, repeats, axis)")
structural("np.tile(x, reps)",                x="tile_adjoint(g, x, reps)")
structural("np.pad(x, pad_width, mode := 'edge')",       x="pad_adjoint(g, x, pad_width, mode)")
structural("np.pad(x, pad_width, mode := 'wrap')",       x="pad_adjoint(g, x, pad_width, mode)")
structural("np.pad(x, pad_width, mode := 'reflect')",    x="pad_adjoint(g, x, pad_width, mode)")
structural("np.pad(x, pad_width, mode := 'symmetric')",  x="pad_adjoint(g, x, pad_width, mode)")
structural("np.pad(x, pad_width, mode := 'constant', constant_values=0)",  x="pad_adjoint(g, x, pad_width)")
structural("np.pad(x, pad_width)",                       x="pad_adjoint(g, x, pad_width)")

structural("np.full(shape, fill_value)",                fill_value="np.sum(g)", ranks=(0,))
structural("np.full(shape, fill_value)",                fill_value="unbroadcast(g, fill_value)")
structural("np.full(shape, fill_value, dtype=None)",    fill_value="cast(unbroadcast(g, fill_value), fill_value)")
structural("np.full_like(x, fill_value)",               x="0", fill_value="unbroadcast(g, fill_value)")
structural("np.full_like(x, fill_value, dtype=None)",   x="0", fill_value="cast(unbroadcast(g, fill_value), fill_value)")
structural("np.linspace(start, stop, num=50, endpoint=True)",  ranks=(0, 0),
           start="np.dot(g, np.linspace(1, 0, num, endpoint))",
           stop="np.dot(g, np.linspace(0, 1, num, endpoint))")
structural("np.arange(start, stop, step)",    start="np.sum(g)",  stop="0",  step="np.dot(g, np.arange(g.size))")
structural("np.arange(start, stop)",          start="np.sum(g)",  stop="0")
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
