"""Functions that rearrange, repeat or convert the elements of one array."""

from __future__ import annotations

from typing import Any

from tangentish.rules.laws import (
    alias,
    attribute,
    elementwise,
    method,
    multilinear,
    structural,
    with_dtype,
)

# fmt: off
elementwise("float(x)",                       x="g")
elementwise("np.float64(x)",                  x="cast(g, x)", x_dot="np.float64(x_dot)")
for name in ("float32", "float16", "longdouble"):
    elementwise(f"np.{name}(x)",              x="cast(g, x)", x_dot=f"np.{name}(x_dot)")
elementwise("np.copy(x, order='K')",          x="g")
elementwise("np.ndarray.copy(x, order='C')",  x="g")  # of a number, a number: np.copy gives an array
multilinear("np.astype(x, dtype, copy=[True, False])", ranks=(0,),  x="cast(g, x)", x_dot="cast(x_dot, y)")
elementwise("np.astype(x, dtype, copy=[True, False])", x="cast(g, x)", x_dot="np.astype(x_dot, dtype)")
elementwise("np.require(x, dtype=[None], requirements=None)",  x="g")
elementwise("np.require(x, dtype=None, requirements=None)",    x="cast(g, x)", x_dot="np.asarray(x_dot, dtype)")
elementwise("np.asarray_chkfinite(x)",        x="g")
elementwise("np.asarray_chkfinite(x, dtype=None)",  x="cast(g, x)", x_dot="np.asarray(x_dot, dtype)")
elementwise("np.real(x)",                     x="g")
elementwise("np.conj(x)",                     x="g")
elementwise("np.imag(x)",                     x="0")  # of a real x: complex values carry no derivative
elementwise("np.angle(x, deg=False)",         x="0")
elementwise("np.real_if_close(x, tol=100)",   x="g")

multilinear("np.reshape(x, shape, order='C')", ranks=(0,), x="np.sum(g)")
multilinear("np.ravel(x, order='C')", ranks=(0,),        x="np.sum(g)")
multilinear("np.reshape(x, shape, order=['C'])", ranks=(1,),  x="np.ravel(g)")
multilinear("np.reshape(x, shape, order=['C'])",         x="np.reshape(g, x.shape)")
multilinear("np.ravel(x, order=['C'])",                  x="g.reshape(x.shape)")
multilinear("np.reshape(x, shape, order=['F'])",         x="np.reshape(g, x.shape, order='F')")
multilinear("np.ravel(x, order=['F'])",                  x="np.reshape(g, x.shape, order='F')")
multilinear("np.ndarray.flatten(x, order='C')", ranks=(0,),  x="np.sum(g)", x_dot="np.ravel(x_dot)")  # of 0.0, too
multilinear("np.ndarray.flatten(x, order=['C'])",  x="g.reshape(x.shape)")
multilinear("np.ndarray.flatten(x, order=['F'])",        x="np.reshape(g, x.shape, order='F')")
multilinear("np.squeeze(x, axis=None)",        x="np.reshape(g, np.shape(x))")
multilinear("np.ndarray.item(x)", ranks=(0,),  x="g", x_dot="x_dot")
multilinear("np.ndarray.item(x)",              x="np.reshape(g, x.shape)")
for primal in ("np.expand_dims(x, axis)", "np.atleast_1d(x)", "np.atleast_2d(x)", "np.atleast_3d(x)"):
    multilinear(primal, ranks=(0,),            x="np.sum(g)")
    multilinear(primal,                        x="np.reshape(g, np.shape(x))")

multilinear("np.transpose(x, axes := None)", ranks=(0,),  x="g", x_dot="x_dot")
multilinear("np.transpose(x, axes := None)",   x="g.T")
multilinear("np.transpose(x, axes)",           x="np.transpose(g, inverse(axes))")
multilinear("np.matrix_transpose(x)",          x="np.matrix_transpose(g)")
multilinear("np.swapaxes(x, axis1, axis2)",    x="np.swapaxes(g, axis1, axis2)")
multilinear("np.moveaxis(x, source, destination)",  x="np.moveaxis(g, destination, source)")
multilinear("np.rollaxis(x, axis, start=0)",   x="np.moveaxis(g, rolled_to(axis, start, g.ndim), axis)")
multilinear("np.flip(x, axis=None)",           x="np.flip(g, axis)")
multilinear("np.fliplr(x)",                    x="np.fliplr(g)")
multilinear("np.flipud(x)",                    x="np.flipud(g)")
multilinear("np.rot90(x, k=1, axes=(0, 1))",   x="np.rot90(g, -k, axes)")
multilinear("np.roll(x, shift, axis=None)",    x="np.roll(g, opposite(shift), axis)")
for name in ("triu", "tril"):  # each row of the result is the vector
    multilinear(f"np.{name}(row, k=0)", ranks=(1,),  row=f"np.sum(np.{name}(g, k), axis=0)")
multilinear("np.triu(x, k=0)",                 x="np.triu(g, k)")
multilinear("np.tril(x, k=0)",                 x="np.tril(g, k)")

multilinear("np.broadcast_to(x, shape)",       x="unbroadcast(g, x)")
multilinear("np.repeat(x, repeats, axis=None)",  x="repeat_adjoint(g, x, repeats, axis)")
multilinear("np.tile(x, reps)",                x="tile_adjoint(g, x, reps)")
multilinear("np.resize(x, new_shape)",         x="scattered(g, np.resize(positions(x), new_shape), x)")
multilinear("np.pad(x, pad_width, mode=['edge', 'wrap', 'reflect', 'symmetric'])",  x="pad_adjoint(g, x, pad_width, mode)")
structural ("np.pad(x, pad_width, mode=['linear_ramp'], end_values=0)",             x="pad_adjoint(g, x, pad_width, mode)",  x_dot="np.pad(x_dot, pad_width, mode)")
multilinear("np.pad(x, pad_width, mode=['mean'])",                                  x="pad_adjoint(g, x, pad_width, mode)")
multilinear("np.pad(x, pad_width, mode=['reflect', 'symmetric'], reflect_type=['odd'])",  x="pad_adjoint(g, x, pad_width, mode, 'odd')")
structural ("np.pad(x, pad_width, mode=['maximum', 'minimum', 'median', 'mean'], stat_length=None)",
            x="pad_statistic_adjoint(g, x, pad_width, mode, stat_length)",  x_dot="pad_statistic_tangent(x_dot, x, pad_width, mode, stat_length)")
structural ("np.pad(x, pad_width, mode=['constant'], constant_values=0)", ranks={"constant_values": 0},  x="pad_adjoint(g, x, pad_width)",  x_dot="np.pad(x_dot, pad_width)",
            constant_values="np.sum(g) - np.sum(pad_adjoint(g, x, pad_width))",  constant_values_dot="np.pad(np.zeros_like(x), pad_width, constant_values=constant_values_dot)")
structural ("np.pad(x, pad_width, mode=['constant'], constant_values=0)",           x="pad_adjoint(g, x, pad_width)",  x_dot="np.pad(x_dot, pad_width)")

multilinear("np.full(shape, fill_value)",                fill_value="np.sum(g)", ranks=(0,))
multilinear("np.full(shape, fill_value)",                fill_value="unbroadcast(g, fill_value)")
multilinear("np.full(shape, fill_value, dtype=None)",    fill_value="cast(unbroadcast(g, fill_value), fill_value)")
multilinear("np.full_like(x, fill_value)",               x="0", fill_value="np.sum(g)", ranks={"fill_value": 0})
multilinear("np.full_like(x, fill_value)",               x="0", fill_value="unbroadcast(g, fill_value)")
multilinear("np.full_like(x, fill_value, dtype=None)",   x="0", fill_value="cast(unbroadcast(g, fill_value), fill_value)")
multilinear("np.full_like(x, fill_value, dtype=None, shape=shape)",  x="0", fill_value="cast(unbroadcast(g, fill_value), fill_value)")
structural("np.linspace(start, stop, num=50, endpoint=True)",  ranks=(0, 0),
           start="np.dot(g, np.linspace(1, 0, num, endpoint))",
           stop="np.dot(g, np.linspace(0, 1, num, endpoint))",
           start_dot="start_dot * np.linspace(1, 0, num, endpoint)",
           stop_dot="stop_dot * np.linspace(0, 1, num, endpoint)")
structural("np.linspace(start, stop, num=50, endpoint=True)",
           start="cast(unbroadcast(np.tensordot(np.linspace(1, 0, num, endpoint), g, 1), start), start)",
           stop="cast(unbroadcast(np.tensordot(np.linspace(0, 1, num, endpoint), g, 1), stop), stop)",
           start_dot="np.linspace(start_dot, np.zeros_like(stop), num, endpoint)",
           stop_dot="np.linspace(np.zeros_like(start), stop_dot, num, endpoint)")
BASE: dict[str, Any] = {"base": "np.dot(g * y, np.linspace(start, stop, num, endpoint)) / base",  "base_dot": "base_dot / base * y * np.linspace(start, stop, num, endpoint)"}
for base, ranks, of_base in (("[10.0]", {}, {}), ("10.0", {"base": 0}, BASE)):
    structural(f"np.logspace(start, stop, num=50, endpoint=True, base={base})",  ranks={"start": 0, "stop": 0} | ranks,
               start="np.dot(g * y, np.linspace(1, 0, num, endpoint)) * np.log(base)",
               stop="np.dot(g * y, np.linspace(0, 1, num, endpoint)) * np.log(base)",
               start_dot="start_dot * np.log(base) * y * np.linspace(1, 0, num, endpoint)",
               stop_dot="stop_dot * np.log(base) * y * np.linspace(0, 1, num, endpoint)", **of_base)
structural("np.geomspace(start, stop, num=50, endpoint=True)",  ranks=(0, 0),
           start="np.dot(g * y, np.linspace(1, 0, num, endpoint)) / start",
           stop="np.dot(g * y, np.linspace(0, 1, num, endpoint)) / stop",
           start_dot="start_dot / start * y * np.linspace(1, 0, num, endpoint)",
           stop_dot="stop_dot / stop * y * np.linspace(0, 1, num, endpoint)")
structural("np.linspace(start, stop, num=50, endpoint=True, axis=axis)",
           start="cast(unbroadcast(np.tensordot(np.linspace(1, 0, num, endpoint), np.moveaxis(g, axis, 0), 1), start), start)",
           stop="cast(unbroadcast(np.tensordot(np.linspace(0, 1, num, endpoint), np.moveaxis(g, axis, 0), 1), stop), stop)",
           start_dot="np.linspace(start_dot, np.zeros_like(stop), num, endpoint, axis=axis)",
           stop_dot="np.linspace(np.zeros_like(start), stop_dot, num, endpoint, axis=axis)")
for name, per in (("logspace(start, stop, num=50, endpoint=True, base=10.0)", " * np.log(base)"), ("geomspace(start, stop, num=50, endpoint=True)", " / {}")):
    for form, gy, axis in ((name, "g * y", ""), (f"{name[:-1]}, axis=axis)", "np.moveaxis(g * y, axis, 0)", ", axis=axis")):
        structural(f"np.{form}",
                   start=f"cast(unbroadcast(np.tensordot(np.linspace(1, 0, num, endpoint), {gy}, 1){per.format('start')}, start), start)",
                   stop=f"cast(unbroadcast(np.tensordot(np.linspace(0, 1, num, endpoint), {gy}, 1){per.format('stop')}, stop), stop)",
                   start_dot=f"y * np.linspace(start_dot{per.format('start')}, np.zeros_like(stop), num, endpoint{axis})",
                   stop_dot=f"y * np.linspace(np.zeros_like(start), stop_dot{per.format('stop')}, num, endpoint{axis})")
structural("np.arange(start, stop, step)",    start="np.sum(g)",  stop="0",  step="np.dot(g, np.arange(g.size))",
           start_dot="np.full_like(y, start_dot)",  step_dot="step_dot * np.arange(y.size)")
structural("np.arange(start, stop)",          start="np.sum(g)",  stop="0",  start_dot="np.full_like(y, start_dot)")
structural("np.arange(stop)",                 stop="0")
with_dtype("np.linspace", "np.logspace", "np.geomspace", "np.arange")

alias("np.permute_dims", of="np.transpose")
alias("np.conjugate",    of="np.conj")
alias("np.linalg.matrix_transpose", of="np.matrix_transpose")
# fmt: on

_METHODS = """
    sum mean prod max min std var cumsum cumprod dot clip astype reshape transpose ravel squeeze
    swapaxes repeat take trace diagonal conj conjugate round any all argmax argmin argsort nonzero
    searchsorted argpartition choose
"""
for name in _METHODS.split():
    method(f"np.{name}", name)
method("np.ndarray.copy", "copy")
method("np.ndarray.flatten", "flatten")
method("np.ndarray.item", "item")
method("np.ndarray.compress", "compress")
attribute("np.transpose", "T")
attribute("np.matrix_transpose", "mT")
attribute("np.real", "real")
attribute("np.imag", "imag")
