"""The operators: derivatives of functions that may stay undecorated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar, overload

import numpy as np

from tangentish.api import (
    BoundDerivative,
    BoundDifferentiable,
    Compiler,
    Differentiable,
    Pull,
    check_compiler,
    target,
)
from tangentish.asking.asked import Mode
from tangentish.asking.wrt import Wrt
from tangentish.calling.dispatch import Derivative
from tangentish.calling.matrices import Hessian, HessianProduct, Jacobian
from tangentish.calling.subject import Subject
from tangentish.calling.tangent_map import BoundTangentMap, TangentMap
from tangentish.language.binding import parameter_names

__all__ = ["grad", "hessian", "hvp", "jacobian", "jvp", "mode_of", "value_and_grad", "vjp"]

P = ParamSpec("P")
R = TypeVar("R")


@overload
def grad(
    f: Callable[P, object],
    wrt: Wrt = 0,
    has_aux: bool = False,
    training: bool | None = None,
    compile: Compiler | None = None,
) -> Derivative[P, Any]: ...
@overload
def grad(
    f: Any,
    wrt: Wrt = 0,
    has_aux: bool = False,
    training: bool | None = None,
    compile: Compiler | None = None,
) -> Any: ...
def grad(
    f: Any,
    wrt: Wrt = 0,
    has_aux: bool = False,
    training: bool | None = None,
    compile: Compiler | None = None,  # noqa: A002
) -> Any:
    """The gradient of `f` with respect to an argument, as a function of the arguments of `f`.

    It has the shape, the dtype and the structure of the argument, as it was before the call: a float
    for a float, an array for an array, a list for a list of floats. An output that is an array counts
    as its sum. Nothing is generated before the first call. An object whose class has a `__call__` is
    differentiated as that method, by what it is given.

    wrt: an index, a name, or a tuple of them, which gives a tuple of gradients; the name of a local
    variable gives the gradient with respect to its value, independent of what it was computed from.
    has_aux: `f` returns (value, aux), and the gradient function (gradient, aux).
    training: what is_training() says meanwhile; None is what `f` was decorated with, else True.
    compile: "numba" has it compiled at the first call for each kind of arguments; NotDifferentiable
    for what Numba can't take.

    TypeError where `f` is no function written in Python; when it is called, for an argument that has
    no derivative (an integer, a text) and for an output that is no float; ValueError for a `wrt` that
    names no parameter. NotDifferentiable, a SyntaxError at the user's line, for what is not supported,
    before anything of `f` runs.

    (Reverse mode by source transformation: A. Griewank, A. Walther, Evaluating Derivatives, 2nd ed.,
    SIAM 2008, section 3.2 and chapter 6; B. van Merriënboer et al., Tangent, NeurIPS 2018.)
    """
    return _operator(f, wrt, "grad", has_aux, training, compile)


@overload
def value_and_grad(
    f: Callable[P, object],
    wrt: Wrt = 0,
    has_aux: bool = False,
    training: bool | None = None,
    compile: Compiler | None = None,
) -> Derivative[P, tuple[Any, Any]]: ...
@overload
def value_and_grad(
    f: Any,
    wrt: Wrt = 0,
    has_aux: bool = False,
    training: bool | None = None,
    compile: Compiler | None = None,
) -> Any: ...
def value_and_grad(
    f: Any,
    wrt: Wrt = 0,
    has_aux: bool = False,
    training: bool | None = None,
    compile: Compiler | None = None,  # noqa: A002
) -> Any:
    """A function of the arguments of `f` that returns (value, gradient); with has_aux, ((value,
    aux), gradient).

    wrt, training, compile, shapes, dtypes and errors: as in grad. The value is that of `f` in the
    same mode, of the type that `f` gives it.
    """
    return _operator(f, wrt, "value_and_grad", has_aux, training, compile)


def vjp(f: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> tuple[R, Pull]:
    """(value, pullback) of `f` at the arguments.

    pullback(dy), dy of the shape and the structure of the value, returns a tuple of gradients, each of
    the shape and dtype of its argument: one entry per parameter of `f`, None for those that carry no
    derivative, and for objects of classes that are no dataclasses: grad(f, wrt=...) has theirs. It may
    be called again and again, from several threads at once. All keywords are those of `f`: for the
    mode, decorate it with differentiate(training=...).

    ValueError from the pullback where dy has another shape than the value, TypeError where it is no
    float; the rest as in grad. (The name is that of JAX; Griewank and Walther, section 3.2, have the
    pullback as the adjoint vector y-bar.)
    """
    subject, owner = _subject(f)
    return subject.linearised((*owner, *args), kwargs)


def jvp(
    f: Callable[..., R], args: tuple[Any, ...], tangents: tuple[Any, ...],
    training: bool | None = None,
) -> tuple[R, Any]:  # fmt: skip
    """(value, tangent) of `f` at the arguments, which move along the tangents.

    The tangent has the structure, shapes and dtypes of the value, with None for outputs that are not
    floats.

    tangents: one for each argument, of its shape; None for those that do not move. That of a structure
    (tuple, list, dict, object) has its structure, with None for what is no float or does not move.
    training: as in grad.

    ValueError for a tangent of another shape, or another number of them than of arguments; TypeError
    for one that is no float; the rest as in grad. (Forward mode: Griewank and Walther, section 3.1.)
    """
    subject, owner = _subject(f, training)
    along: TangentMap[R] = TangentMap(subject)
    return BoundTangentMap(along, owner[0])(args, tangents) if owner else along(args, tangents)


@overload
def jacobian(
    f: Callable[P, object], wrt: Wrt = 0, training: bool | None = None
) -> Callable[P, Any]: ...
@overload
def jacobian(f: Any, wrt: Wrt = 0, training: bool | None = None) -> Any: ...
def jacobian(f: Any, wrt: Wrt = 0, training: bool | None = None) -> Any:
    """A function of the arguments of `f` that gives the derivative of every output by every input.

    It has the shape `output.shape + input.shape` and the dtype of the input; several outputs give a
    tuple, several parameters in `wrt` a tuple for each output, a structure the same structure. It goes
    forward, one input at a time, where there are fewer inputs than outputs, and else in reverse, one
    output at a time.
    training and errors: as in grad.
    """
    return _called_alike(Jacobian, f, wrt, training)


@overload
def hessian(
    f: Callable[P, object], wrt: Wrt = 0, training: bool | None = None
) -> Callable[P, Any]: ...
@overload
def hessian(f: Any, wrt: Wrt = 0, training: bool | None = None) -> Any: ...
def hessian(f: Any, wrt: Wrt = 0, training: bool | None = None) -> Any:
    """A function of the arguments of `f` that gives the matrix of second derivatives.

    It is the Jacobian of the gradient, of shape `x.shape + x.shape` and the dtype of x; several
    parameters in `wrt` give a tuple of rows, each a tuple of blocks; a structure gives a structure of
    structures. It goes forward over reverse, one element of x at a time. training and errors: as in
    grad.
    """
    return _called_alike(Hessian, f, wrt, training)


def hvp(f: Callable[..., object], wrt: Wrt = 0, training: bool | None = None) -> Callable[..., Any]:
    """A function of `(x, v, *rest)` that gives the Hessian of `f` times v, which follows the first argument.

    v has the shape or structure of the argument that `wrt` names, and so has the product; with a tuple
    in `wrt` both are tuples. It costs a few evaluations of `f`, however many elements x has: the
    gradient is moved along v. training: as in grad.

    TypeError where v is missing, ValueError where it has another shape than the argument; the rest as
    in grad. (B. Pearlmutter, Fast exact multiplication by the Hessian, Neural Computation 6, 1994.)
    """
    return _called_alike(HessianProduct, f, wrt, training)  # type: ignore[no-any-return]


def _called_alike(kind: Any, f: Any, wrt: Wrt, training: bool | None) -> Any:
    subject, owner = _subject(f, training)
    made = kind(subject, wrt)
    return BoundDerivative(made, owner[0]) if owner else made


def _operator(
    f: Any,
    wrt: Wrt,
    mode: Mode,
    has_aux: bool,
    training: bool | None,
    compile: Compiler | None,  # noqa: A002
) -> Any:
    check_compiler(compile)
    subject, owner = _subject(f, training)
    made = subject.derivative(wrt, mode, has_aux, compile)
    return BoundDerivative(made, owner[0]) if owner else made


def _subject(f: Any, training: bool | None = None) -> tuple[Subject, tuple[Any, ...]]:
    """What `f` stands for as what is differentiated, and the object it is bound to, if any."""
    if isinstance(f, BoundDerivative):
        return _gradient_as_subject(f.__func__, training), (f.__self__,)
    if isinstance(f, Derivative):
        return _gradient_as_subject(f, training), ()
    function, owner = target(f)
    skipped = 1 if owner else f._skipped if isinstance(f, Differentiable) else 0
    return Subject(function, skipped, training=mode_of(f, training)), owner


def mode_of(f: Any, training: bool | None = None) -> bool:
    """The mode that is asked for, else the one that a function was decorated with."""
    if not (training is None or isinstance(training, bool | np.bool_)):
        raise TypeError(
            f"training is True, False or None, not a value of type {type(training).__name__}: the arguments go to what "
            "comes back, as in grad(f)(x) and hvp(f)(x, v)"
        )
    own = f.__func__ if isinstance(f, BoundDifferentiable) else f
    return bool(getattr(own, "_training", True) if training is None else training)


def _gradient_as_subject(f: Any, training: bool | None) -> Subject:
    asked = f.asked if isinstance(f, Derivative) else None
    if asked is None or not asked.is_plain_gradient:
        raise TypeError(
            "only functions and gradients of one output with respect to one parameter can be "
            f"differentiated, not {f!r}"
        )
    if asked.wrt[0] >= len(parameter_names(f.__wrapped__)):
        raise TypeError(f"a gradient with respect to a local variable has no derivative: {f!r}")
    mode = asked.training if training is None else training
    return Subject(f.__wrapped__, f._skipped, replace(asked, training=mode), mode)
