"""Calls that a type checker must accept."""

import numpy as np
from numpy.typing import NDArray

from tangentish import (
    adjoint,
    check_adjoint,
    constant,
    differentiate,
    grad,
    hessian,
    hvp,
    is_training,
    jacobian,
    jvp,
    stop_gradient,
    value_and_grad,
    vjp,
)

Array = NDArray[np.float64]


@differentiate
def loss(w: Array, b: float, n: int = 1) -> float:
    return float(np.sum(w)) * b * n


@differentiate(wrt=("w", "b"))
def both(w: Array, b: float) -> float:
    return float(np.sum(w)) * b


class Model:
    @differentiate
    def loss(self, w: Array, b: float) -> float:
        return float(np.sum(w)) * b


def plain(w: Array, b: float) -> float:
    return float(np.sum(w)) * b


w = np.ones(3)
value: float = loss(w, 1.0)
loss(w, b=1.0, n=2)
loss.grad(w, 1.0)
loss.grad(w, b=1.0, n=2)
loss.value_and_grad(w, 1.0)
vector, pullback = loss.vjp(w, 1.0)
vector + 1.0
pullback(1.0)[0]
loss.grad.source(w, 1.0)
both.grad(w, 1.0)
Model().loss(w, 1.0)
Model().loss.grad(w, 1.0)
Model().loss.vjp(w, b=1.0)
Model.loss.grad(Model(), w, 1.0)
grad(plain)(w, 1.0)
grad(loss, wrt="b")(w, 1.0)
value_and_grad(plain, wrt=(0, "b"))(w, b=1.0)
vjp(plain, w, 1.0)[1](2.0)
number, tangent = loss.jvp((w, 1.0), (w, None))
number + 1.0
loss.jvp.source(w, 1.0)
loss.jacobian(w, b=1.0)
loss.hessian(w, 1.0, n=2)
loss.hessian.source(w, 1.0)
loss.hvp(w, w, 1.0)
Model().loss.jvp((w, 1.0), (w, None))
Model().loss.hessian(w, b=1.0)
Model().loss.jacobian(w, 1.0)
Model().loss.hvp(w, w, 1.0)
jvp(plain, (w, 1.0), (w, None))[0] + 1.0
jacobian(plain)(w, 1.0)
hessian(plain, wrt="w")(w, b=1.0)
hvp(plain)(w, w, 1.0)
grad(grad(plain))(w, 1.0)


@adjoint(plain)
def plain_adjoint(dy: float, y: float, w: Array, b: float) -> tuple[Array, float]:
    return dy * b * np.ones_like(w), dy * float(np.sum(w))


@constant
def rounded(w: Array) -> Array:
    return np.round(w)


plain_adjoint(1.0, 1.0, w, 1.0)[0] + 1.0
rounded(w) + stop_gradient(w)
check_adjoint(plain, w, 1.0).agrees
grad(plain, training=False)(w, 1.0)
differentiate(training=False)(plain).grad(w, 1.0)
asked: bool = is_training()
with is_training(True):
    plain(w, 1.0)
