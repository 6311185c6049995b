"""Calls that a type checker must flag: every line that ends in `# wrong`."""

from right import Model, both, loss, plain, w

from tangentish import grad, hessian, jacobian, jvp, value_and_grad, vjp

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
