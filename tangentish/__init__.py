"""Gradients of plain NumPy code, written as plain NumPy code."""

from tangentish.api import differentiate
from tangentish.checking.check import check_grad
from tangentish.checking.check_rule import check_adjoint
from tangentish.checking.compare import compare_grad
from tangentish.errors import NotDifferentiable
from tangentish.language.modes import is_training
from tangentish.operators import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from tangentish.own import adjoint, constant
from tangentish.runtime.cuts import stop_gradient

__all__ = [
    "NotDifferentiable",
    "adjoint",
    "check_adjoint",
    "check_grad",
    "compare_grad",
    "constant",
    "differentiate",
    "grad",
    "hessian",
    "hvp",
    "is_training",
    "jacobian",
    "jvp",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]

__version__ = "0.1.0"
