"""The decorator: functions that stay what they were and have derivatives."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from functools import cached_property
from types import FunctionType, MethodType
from typing import Any, Concatenate, Generic, Literal, ParamSpec, TypeVar, cast, overload

from tangentish.asking.adapters import adapted
from tangentish.asking.asked import Asked, Mode
from tangentish.asking.wrt import Wrt, resolve
from tangentish.calling.dispatch import Derivative, request
from tangentish.calling.matrices import Hessian, HessianProduct, Jacobian
from tangentish.calling.reference import named_object, reference
from tangentish.calling.subject import Subject
from tangentish.calling.tangent_map import BoundTangentMap, TangentMap
from tangentish.calling.trace import Trace, Tracer
from tangentish.compiled.jit import check_installed
from tangentish.infer.known_functions import is_library

__all__ = [
    "BoundDerivative", "BoundDifferentiable", "check_compiler", "Compiler", "Differentiable", "differentiate",
    "Pull", "target",
]  # fmt: skip

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
S = TypeVar("S")
Pull = Callable[[Any], tuple[Any, ...]]
Compiler = Literal["numba"]

_DERIVATIVES = ("grad", "value_and_grad", "vjp", "jvp", "jacobian", "hessian", "hvp", "trace")

# Before 3.13, classmethod(f).__get__ asked f to bind itself; from then on it makes a plain method
# of it.
_CLASSMETHOD_BINDS = sys.version_info < (3, 13)


class Differentiable(Generic[P, R]):
    """A function that stays what it was and also has `grad`, `value_and_grad`, `vjp`, `jvp`, ..."""

    def __init__(
        self, function: Callable[P, R], wrt: Wrt = 0, has_aux: bool = False, skipped: int = 0,
        training: bool = True, compile: Compiler | None = None,  # noqa: A002
    ) -> None:  # fmt: skip
        functools.update_wrapper(self, function)
        for name in _DERIVATIVES:
            vars(self).pop(name, None)  # an attribute of the function must not hide ours
        self._function = _plain_function(function)
        self._wrt: Wrt = wrt
        self._has_aux = has_aux
        self._skipped = skipped
        self._training = training
        self._compile = compile
        self._method: Any = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._function(*args, **kwargs)  # type: ignore[no-any-return]

    @cached_property
    def grad(self) -> Derivative[P, Any]:
        """The gradient: called like the function; with `has_aux`, (gradient, aux)."""
        return self._derivative("grad")

    @cached_property
    def value_and_grad(self) -> Derivative[P, tuple[Any, Any]]:
        """(value, gradient); with `has_aux`, ((value, aux), gradient)."""
        return self._derivative("value_and_grad")

    @cached_property
    def vjp(self) -> Derivative[P, tuple[R, Pull]]:
        """(value, pullback): pullback(dy) is a tuple of gradients, one entry per parameter, None
        for inactive ones.
        """
        return self._derivative("vjp")

    @cached_property
    def jvp(self) -> TangentMap[R]:
        """(value, tangent), given the arguments and their tangents, each a tuple; None for an argument
        that does not move.
        """
        return TangentMap(self._subject())

    @cached_property
    def jacobian(self) -> Jacobian[P]:
        """The derivative of every output by every input: called like the function."""
        return Jacobian(self._subject(), self._wrt)

    @cached_property
    def hessian(self) -> Hessian[P]:
        """The matrix of second derivatives: called like the function."""
        return Hessian(self._subject(), self._wrt)

    @cached_property
    def hvp(self) -> HessianProduct:
        """The Hessian times a vector: called with the vector right after the first argument."""
        return HessianProduct(self._subject(), self._wrt)

    @cached_property
    def trace(self) -> Tracer:
        """A table of one call: every value that a line binds, and its gradient. Called like the function."""
        self._refuse_plain_classmethod()
        asked = Asked("grad", training=self._training)
        return Tracer(adapted(self._function), asked, self._skipped)

    def _subject(self) -> Subject:
        self._refuse_plain_classmethod()
        return Subject(adapted(self._function), self._skipped, training=self._training)

    def _derivative(self, mode: Mode) -> Derivative[P, Any]:
        self._refuse_plain_classmethod()
        has_aux = self._has_aux and mode != "vjp"
        wrt = 0 if mode == "vjp" else self._wrt
        function = adapted(self._function)
        options = self._skipped, self._training, self._compile
        found = request(function, wrt, mode, has_aux, *options)
        return cast("Derivative[P, Any]", found)

    def _refuse_plain_classmethod(self) -> None:
        """From 3.13 on, a classmethod around a Differentiable loses the class when `.grad` is asked
        for.
        """
        if _CLASSMETHOD_BINDS or self._skipped:
            return
        found = named_object(self._function)
        if isinstance(found, MethodType) and found.__func__ is self:
            raise TypeError(
                f"{self._function.__qualname__} is a classmethod around @differentiate, whose "
                "derivatives would not get the class: write @differentiate above @classmethod"
            )

    def as_method(self) -> Any:
        """The same as a method of a class: an index in `wrt` counts after self."""
        if self._skipped:
            return self
        if self._method is None:
            options = self._wrt, self._has_aux, 1, self._training, self._compile
            self._method = Differentiable(self._function, *options)
        return self._method

    @overload
    def __get__(self, obj: None, owner: type | None = None) -> Differentiable[P, R]: ...
    @overload
    def __get__(
        self: Differentiable[Concatenate[S, Q], R], obj: S, owner: type | None = None
    ) -> BoundDifferentiable[Q, R]: ...
    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        if obj is None:
            return self.as_method()
        return BoundDifferentiable(self.as_method(), obj)

    @property
    def wrt(self) -> Wrt:
        """With respect to what the derivatives are."""
        return self._wrt

    @property
    def has_aux(self) -> bool:
        """Whether the function returns (output, aux)."""
        return self._has_aux

    @property
    def training(self) -> bool:
        """What `is_training()` says while a derivative is taken."""
        return self._training

    @property
    def __tangentish__(self) -> FunctionType:
        """The plain function: what a caller that is differentiated differentiates."""
        return self._function

    def __repr__(self) -> str:
        return f"<differentiable {self._function!r}>"

    def __copy__(self) -> Differentiable[P, R]:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Differentiable[P, R]:
        return self

    def __reduce__(self) -> str | tuple[Any, ...]:
        """By name; a function without one travels itself, which cloudpickle can do."""
        if reference(self._function) is self:
            return str(self._function.__qualname__)
        options = self._wrt, self._has_aux, self._skipped, self._training, self._compile
        return Differentiable, (self._function, *options)


class BoundDifferentiable(Generic[P, R]):
    """A differentiable method of one object."""

    __slots__ = ("__func__", "__self__")

    def __init__(self, method: Differentiable[..., R], owner: object) -> None:
        self.__func__ = method
        self.__self__ = owner

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.__func__._function(self.__self__, *args, **kwargs)  # type: ignore[no-any-return]

    @property
    def grad(self) -> BoundDerivative[P, Any]:
        """The gradient: called like the method."""
        return BoundDerivative(self.__func__.grad, self.__self__)

    @property
    def value_and_grad(self) -> BoundDerivative[P, tuple[Any, Any]]:
        """(value, gradient)."""
        return BoundDerivative(self.__func__.value_and_grad, self.__self__)

    @property
    def vjp(self) -> BoundDerivative[P, tuple[R, Pull]]:
        """(value, pullback); the tuple that the pullback returns has no entry for self."""
        return BoundDerivative(self.__func__.vjp, self.__self__)

    @property
    def jvp(self) -> BoundTangentMap[R]:
        """(value, tangent), given the arguments and their tangents; no tuple has an entry for self."""
        return BoundTangentMap(self.__func__.jvp, self.__self__)

    @property
    def jacobian(self) -> BoundDerivative[P, Any]:
        """The derivative of every output by every input: called like the method."""
        return BoundDerivative(self.__func__.jacobian, self.__self__)

    @property
    def hessian(self) -> BoundDerivative[P, Any]:
        """The matrix of second derivatives: called like the method."""
        return BoundDerivative(self.__func__.hessian, self.__self__)

    @property
    def trace(self) -> BoundDerivative[P, Trace]:
        """A table of one call: every value that a line binds, and its gradient."""
        return BoundDerivative(self.__func__.trace, self.__self__)

    @property
    def hvp(self) -> BoundDerivative[..., Any]:
        """The Hessian times a vector: called with the vector right after the first argument."""
        return BoundDerivative(self.__func__.hvp, self.__self__)

    @property
    def __wrapped__(self) -> MethodType:
        return MethodType(self.__func__._function, self.__self__)

    @property
    def __name__(self) -> str:
        return self.__func__._function.__name__

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self.__func__._function.__doc__

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoundDifferentiable)
            and self.__self__ is other.__self__
            and self.__func__ is other.__func__
        )

    def __hash__(self) -> int:
        return hash((id(self.__self__), self.__func__))

    def __repr__(self) -> str:
        return f"<differentiable {self.__wrapped__!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.__self__, self.__func__._function.__name__)


class BoundDerivative(Generic[P, R]):
    """A derivative of a method of one object."""

    __slots__ = ("__func__", "__self__")

    def __init__(self, derivative: Any, owner: object) -> None:
        self.__func__ = derivative
        self.__self__ = owner

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.__func__(self.__self__, *args, **kwargs)  # type: ignore[no-any-return]

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated source for these arguments."""
        return str(self.__func__.source(self.__self__, *args, **kwargs))

    def into(self, buffers: Any) -> BoundDerivative[P, Any]:
        """The gradient, written into arrays of the caller's."""
        return BoundDerivative(self.__func__.into(buffers), self.__self__)

    def add_to(self, buffers: Any) -> BoundDerivative[P, Any]:
        """The gradient, added to what arrays of the caller's hold."""
        return BoundDerivative(self.__func__.add_to(buffers), self.__self__)

    def __repr__(self) -> str:
        return f"<{self.__func__.__qualname__} of {self.__self__!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return BoundDerivative, (self.__func__, self.__self__)


# ------------------------------------------------------------------------------ the decorator


class _Decorator:
    """What `@differentiate(wrt=...)` gives: a decorator that keeps types."""

    def __init__(
        self,
        wrt: Wrt,
        has_aux: bool,
        training: bool,
        compile: Compiler | None,  # noqa: A002
    ) -> None:
        self._options = wrt, has_aux, training, compile

    def __call__(self, function: Callable[P, R]) -> Differentiable[P, R]:
        return _decorate(function, *self._options)  # type: ignore[no-any-return]


@overload
def differentiate(function: Callable[P, R], /) -> Differentiable[P, R]: ...
@overload
def differentiate(
    *,
    wrt: Wrt = 0,
    has_aux: bool = False,
    training: bool = True,
    compile: Compiler | None = None,
) -> _Decorator: ...
def differentiate(
    function: Any = None,
    /,
    *,
    wrt: Wrt = 0,
    has_aux: bool = False,
    training: bool = True,
    compile: Compiler | None = None,  # noqa: A002
) -> Any:
    """Decorate a function: it stays as it is, and `f.grad`, `f.value_and_grad` and `f.vjp` are its
    derivatives.

    wrt: with respect to which parameters: an index, a name, or a tuple of them, which gives a tuple
    of gradients; for methods the index counts after self.
    has_aux: the function returns (value, aux); only the value is differentiated.
    training: what is_training() says while a derivative is taken.
    compile: "numba" has `grad`, `value_and_grad` and `vjp` compiled by Numba at the first call; what
    it can't take raises NotDifferentiable. ImportError without Numba, ValueError for another name.

    TypeError where it is no function written in Python. Shapes, dtypes and errors of the derivatives
    are those of the operators of the same names.
    """
    check_compiler(compile)
    if function is None:
        return _Decorator(wrt, has_aux, training, compile)
    return _decorate(function, wrt, has_aux, training, compile)


def _decorate(
    function: Any,
    wrt: Wrt,
    has_aux: bool,
    training: bool,
    compile: Compiler | None,  # noqa: A002
) -> Any:
    if isinstance(function, staticmethod):
        return staticmethod(_decorate(function.__func__, wrt, has_aux, training, compile))
    if isinstance(function, classmethod):
        return _ClassMethod(_decorate(function.__func__, wrt, has_aux, training, compile))
    if isinstance(function, Differentiable):
        function = function._function
    resolve(adapted(_plain_function(function)), wrt, local=True)
    return Differentiable(function, wrt, has_aux, training=training, compile=compile)


def check_compiler(name: str | None) -> None:
    if name is None:
        return
    if name != "numba":
        raise ValueError(f'compile is None or "numba", not {name!r}')
    check_installed()


class _ClassMethod(Generic[P, R]):
    """A differentiable class method: binds to the class however it is reached."""

    def __init__(self, method: Differentiable[P, R]) -> None:
        self.__wrapped__ = method

    def __get__(self, obj: object, owner: type | None = None) -> BoundDifferentiable[..., R]:
        method = self.__wrapped__.as_method()
        return BoundDifferentiable(method, type(obj) if owner is None else owner)


def _plain_function(f: object) -> FunctionType:
    """The function written in Python that `f` stands for; TypeError where there is none."""
    if isinstance(f, FunctionType):
        return f
    if isinstance(f, Differentiable):
        return f._function
    raise TypeError(_why_not(f))


def _why_not(f: object) -> str:
    name = getattr(f, "__qualname__", None) or type(f).__qualname__
    if isinstance(f, functools.partial):
        return f"{f!r} holds no function written in Python, so there is no source to differentiate"
    if isinstance(f, (Derivative, BoundDerivative)):
        return (
            f"only functions and gradients can be differentiated, and this takes a function: {f!r}"
        )
    if isinstance(f, type):
        return f"{name} is a class; only functions can be differentiated: pass one of its methods"
    if _called_method(f) is not None:
        return f"{name} is an object: decorate the __call__ of its class, or take grad(f) of the object"
    if callable(f):
        return (
            f"{name} is not written in Python ({type(f).__name__}), so there is no source to "
            "differentiate: "
            "wrap it in a function, as in lambda x: ..."
        )
    return f"only functions can be differentiated, not {f!r} ({type(f).__name__})"


def target(f: Any) -> tuple[FunctionType, tuple[Any, ...]]:
    """The plain function that `f` stands for, and the object it is bound to, if any."""
    if isinstance(f, (MethodType, BoundDifferentiable)):
        return adapted(_plain_function(f.__func__)), (f.__self__,)
    called = _called_method(f)
    if called is not None:
        return adapted(_plain_function(called)), (f,)
    return adapted(_plain_function(adapted(f))), ()


def _called_method(f: Any) -> object | None:
    """The `__call__` that the user's class of an object has; None of functions and of what libraries make."""
    called = getattr(type(f), "__call__", None)  # noqa: B004 - which one
    by_user = not is_library(type(f).__module__)
    is_written = isinstance(called, (FunctionType, Differentiable))
    return called if is_written and by_user and adapted(f) is f else None
