"""Calls that a type checker must flag: every line that ends in `# wrong`."""

from right import Model, both, loss, plain, plain_adjoint, rounded, w

from tangentish import (
    adjoint,
    grad,
    hessian,
    is_training,
    jacobian,
    jvp,
    stop_gradient,
    value_and_grad,
    vjp,
)

loss(w)  # wrong
loss(w, "1")  # wrong
loss(w, 1.0, m=2)  # wrong
loss.grad(w)  # wrong
loss.grad(w, "1")  # wrong
loss.grad(w, 1.0, m=2)  # wrong
loss.value_and_grad(w)  # wrong
loss.vjp(w, None)  # wrong
loss.gradient(w, 1.0)  # wrong
both(w)  # wrong
both.grad(w)  # wrong
Model().loss(w)  # wrong
Model().loss.grad(w)  # wrong
Model().loss.grad(w, "1")  # wrong
grad(plain)(w)  # wrong
grad(plain)(w, "1")  # wrong
grad(loss)(w)  # wrong
value_and_grad(plain)(1.0)  # wrong
vjp(plain, w)  # wrong
text: str = loss(w, 1.0)  # wrong
loss.hessian(w)  # wrong
loss.jacobian(w, "1")  # wrong
loss.jvp(w)  # wrong
Model().loss.hessian(w)  # wrong
Model().loss.jacobian(w, "1")  # wrong
hessian(plain)(w)  # wrong
jacobian(plain)(w, "1")  # wrong
jvp(plain, (w, 1.0))  # wrong
plain_adjoint(1.0, 1.0, w)  # wrong
rounded("1")  # wrong
adjoint(3)  # wrong
adjoint(plain)(3)  # wrong
adjoint(plain, forward=plain)  # wrong
is_training("on")  # wrong
text = stop_gradient(1.0)  # wrong
grad(plain, training="off")(w, 1.0)  # wrong
