"""Derivatives of many outputs by many inputs: Jacobians, Hessians and their products with vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, ParamSpec

import numpy as np

from tangentish.asking.asked import Asked, Mode
from tangentish.asking.wrt import Wrt, carries_derivative, check_active, is_float_data
from tangentish.calling.containers import floats, integers_still, no_motion, with_floats
from tangentish.calling.subject import Subject, apart
from tangentish.calling.tangent_map import fit_tangent
from tangentish.errors import NotDifferentiable
from tangentish.language.binding import parameter_names

P = ParamSpec("P")

_OTHERWISE = (
    "{} gives something else each time it is evaluated, and each column of a matrix needs that: it draws, or moves a "
    "state. Draw, or count, outside of the function and give it the numbers, or seed a generator in it"
)


class _OfSubject(Generic[P]):
    """What a user calls like the function itself."""

    _name = ""

    def __init__(self, subject: Subject, wrt: Wrt) -> None:
        self._subject = subject
        self._wrt = wrt
        self._positions, self._single = subject.resolve(wrt)
        self.__wrapped__ = subject.function
        self.__module__ = subject.function.__module__
        self.__name__ = f"{subject.function.__name__}.{self._name}"
        self.__qualname__ = f"{subject.title}.{self._name}"

    def __repr__(self) -> str:
        return f"<{self.__qualname__}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._subject, self._wrt)


class Jacobian(_OfSubject[P]):
    """The derivative of every output by every input, of shape `output.shape + input.shape`.

    It goes forward, one input at a time, where there are fewer inputs than outputs, and else in
    reverse, one output at a time after a single evaluation of the function. What draws, or moves a
    state, always goes in reverse.
    """

    _name = "jacobian"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        values = self._subject.derivative(self._wrt, "grad").values(*args, **kwargs)
        names = parameter_names(self._subject.function)
        for k in self._positions:
            check_active(self._subject.function, names[k], values[k])
        inputs = [values[k] for k in self._positions]
        mode: Mode = "vjp" if self._has_pullback(inputs) else "jvp"
        if not self._subject.moves_state(args, kwargs, Asked(mode, self._positions)):
            return self._evaluated(args, kwargs, inputs)
        if mode == "vjp" and self._subject.inner is None:
            value, pull = self._subject.linearised(args, kwargs, self._positions)
            return self._reverse(pull, inputs, value)  # of one evaluation
        return self._verified(args, kwargs, inputs)

    def _evaluated(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], inputs: list[Any]
    ) -> Any:
        if not self._has_pullback(inputs):
            return self._forward(args, kwargs, inputs)
        value, pull = self._subject.linearised(args, kwargs, self._positions)
        if _count(inputs) < _count([value]):
            return self._forward(args, kwargs, inputs)
        return self._reverse(pull, inputs, value)

    def _verified(self, args: tuple[Any, ...], kwargs: Mapping[str, Any], inputs: list[Any]) -> Any:
        """The matrix of a function that moves a state, which must not show: each column is evaluated on its own.

        It is evaluated three times, one and two calls apart, so that no state comes round to where it was.
        """
        found = self._evaluated(args, kwargs, inputs)
        for count in (1, 2):
            for _ in range(count):
                self._subject.evaluate(args, kwargs, self._positions[0], no_motion(inputs[0]))
            again = self._evaluated(args, kwargs, inputs)
            if not all(map(_is_same, _leaves(found), _leaves(again))):
                raise NotDifferentiable(_OTHERWISE.format(self._subject.title))
        return found

    def _has_pullback(self, inputs: list[Any]) -> bool:
        """A pullback gives gradients of data, and those of a gradient take no structures."""
        if self._subject.inner is not None:
            return all(map(carries_derivative, inputs))
        return all(map(is_float_data, inputs))

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated source of the pullback, which goes in reverse."""
        return self._subject.derivative(self._wrt, "grad").source(*args, **kwargs)

    def _reverse(self, pull: Any, inputs: list[Any], value: Any) -> Any:
        outputs = floats(value)
        blocks = [self._empty(inputs, output) for output in outputs]
        for n, (output, block) in enumerate(zip(outputs, blocks, strict=True)):
            for index in np.ndindex(np.shape(output)):
                heads = [None] * len(outputs)
                heads[n] = _basis(output, index)
                found = pull(with_floats(value, heads))
                gradients = [found[k - self._subject.skipped] for k in self._positions]
                for matrix, gradient in zip(block, _floats(inputs, gradients), strict=True):
                    matrix[index] = gradient
        return with_floats(value, (self._finished(block, inputs) for block in blocks))

    def _forward(self, args: tuple[Any, ...], kwargs: Mapping[str, Any], inputs: list[Any]) -> Any:
        blocks: list[list[Any]] = []
        value: Any = None
        number = 0  # of the float among the inputs
        for k, x in zip(self._positions, inputs, strict=True):
            for n, leaf in enumerate(floats(x)):
                for index in np.ndindex(np.shape(leaf)):
                    direction = _direction(x, n, _basis(leaf, index))
                    value, tangent = self._subject.moved(args, (k,), (direction,), kwargs)
                    blocks = blocks or [self._empty(inputs, output) for output in floats(value)]
                    for block, part in zip(blocks, floats(value, tangent), strict=True):
                        block[number][(..., *index)] = part
                number += 1
        return with_floats(value, (self._finished(block, inputs) for block in blocks))

    def _empty(self, inputs: list[Any], output: Any) -> list[Any]:
        """A matrix for each float among the inputs."""
        return [np.empty(np.shape(output) + np.shape(x), _dtype(x)) for x in _floats(inputs)]

    def _finished(self, found: list[Any], inputs: list[Any]) -> Any:
        """The matrices in the structure of the inputs; scalars by scalars are scalars."""
        done = with_floats(
            tuple(inputs),
            (
                matrix if matrix.shape else type(x)(matrix[()])
                for matrix, x in zip(found, _floats(inputs), strict=True)
            ),
        )
        return done[0] if self._single else done


class Hessian(_OfSubject[P]):
    """The second derivatives: the Jacobian of the gradient, of shape `x.shape + x.shape`.

    With several parameters in `wrt`, a tuple of tuples: one row of blocks for each.
    """

    _name = "hessian"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        rows = tuple(row(*args, **kwargs) for row in self._rows())
        return rows[0] if self._single else rows

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated source of the Hessian's product with a vector."""
        return self._subject.curved(self._positions, self._single).source(*args, **kwargs)

    def _rows(self) -> Iterator[Jacobian[P]]:
        names = parameter_names(self._subject.function)
        for k in self._positions:
            yield Jacobian(self._subject.gradient(names[k]), self._wrt)


class HessianProduct(_OfSubject[...]):
    """The Hessian times a vector `v`, which is given right after the first argument: `(x, v, *rest)`."""

    _name = "hvp"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        own, v = self._split(args)
        product = self._subject.curved(self._positions, self._single)
        values = product.values(*own, **kwargs)
        given = (v,) if self._single else v
        if not self._single and (
            not isinstance(v, (tuple, list)) or len(v) != len(self._positions)
        ):
            raise TypeError(
                f"{self.__qualname__} with respect to {len(self._positions)} parameters takes a tuple "
                "of as many vectors"
            )
        names = parameter_names(self._subject.function)
        tangents = [
            fit_tangent(self._subject.function, names[k], values[k], vector)
            for k, vector in zip(self._positions, given, strict=True)
        ]
        return product.along(own, apart(tangents, (*own, *kwargs.values())), kwargs)

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated source for these arguments, `v` among them as in a call."""
        own = self._split(args)[0] if args else ()
        return self._subject.curved(self._positions, self._single).source(*own, **kwargs)

    def _split(self, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any]:
        """The function's own arguments, and v."""
        at = self._subject.skipped + 1
        if len(args) <= at:
            raise TypeError(
                f"{self.__qualname__}(x, v, ...) takes v right after the first argument"
            )
        return (*args[:at], *args[at + 1 :]), args[at]


# ---------------------------------------------------------------------- floats and directions


def _floats(inputs: Sequence[Any], values: Sequence[Any] | None = None) -> list[Any]:
    """The floats of all inputs, or what other structures hold in their places."""
    pairs = zip(inputs, inputs if values is None else values, strict=True)
    return [leaf for x, value in pairs for leaf in floats(x, value)]


def _leaves(found: Any) -> Iterator[Any]:
    """The matrices in what comes back."""
    if isinstance(found, (tuple, list)):
        for item in found:
            yield from _leaves(item)
    elif isinstance(found, dict) or hasattr(found, "__dict__"):
        yield from _leaves([*(found if isinstance(found, dict) else vars(found)).values()])
    else:
        yield found


def _is_same(a: Any, b: Any) -> bool:
    """Whether two results are one, up to rounding; what is no number is not compared."""
    if not isinstance(a, (np.ndarray, np.generic, float, complex)):
        return True
    finite = np.abs(np.ravel(a))
    largest = np.max(finite[np.isfinite(finite)], initial=0.0)
    return bool(np.allclose(a, b, rtol=1e-9, atol=1e-12 * largest, equal_nan=True))


def _count(values: Iterable[Any]) -> int:
    return sum(int(np.size(number)) for value in values for number in floats(value))


def _direction(x: Any, n: int, basis: Any) -> Any:
    """A tangent that moves the n-th float of a structure alone."""
    tangents = floats(no_motion(x))
    tangents[n] = basis
    return integers_still(x, with_floats(x, tangents))


def _basis(like: Any, index: tuple[int, ...]) -> Any:
    if not isinstance(like, np.ndarray):
        return type(like)(1.0)
    unit = np.zeros_like(like)
    unit[index] = 1
    return unit


def _dtype(x: Any) -> Any:
    return np.asarray(x).dtype
