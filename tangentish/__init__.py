"""Gradients of plain NumPy code, written as plain NumPy code."""

from tangentish.api import differentiate, grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from tangentish.check import check_grad
from tangentish.errors import NotDifferentiable

__all__ = [
    "NotDifferentiable",
    "check_grad",
    "differentiate",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "value_and_grad",
    "vjp",
]

__version__ = "0.1.0"
