"""Derivatives of many outputs by many inputs: Jacobians, Hessians and their products with vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, ParamSpec

import numpy as np

from tangentish.binding import parameter_names
from tangentish.subject import Subject, apart
from tangentish.tangent_map import fit_tangent
from tangentish.wrt import Wrt, carries_derivative, check_active

__all__ = ["Hessian", "HessianProduct", "Jacobian"]


P = ParamSpec("P")


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
    reverse, one output at a time after a single evaluation of the function.
    """

    _name = "jacobian"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        values = self._subject.derivative(self._wrt, "grad").values(*args, **kwargs)
        names = parameter_names(self._subject.function)
        for k in self._positions:
            check_active(self._subject.function, names[k], values[k])
        inputs = [values[k] for k in self._positions]
        if not all(carries_derivative(x) for x in inputs):
            raise TypeError(f"{self.__qualname__} does not take structured arguments yet")
        value, pull = self._subject.linearised(args, kwargs)
        if _count(inputs) < _count(_outputs(value)):
            return self._forward(args, kwargs, inputs, value)
        return self._reverse(pull, inputs, value)

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated source of the pullback, which goes in reverse."""
        return self._subject.derivative(self._wrt, "grad").source(*args, **kwargs)

    def _reverse(self, pull: Any, inputs: list[Any], value: Any) -> Any:
        def block(head: Any, place: tuple[Any, ...]) -> Any:
            output = _part(value, place)
            found = [np.empty(np.shape(output) + np.shape(x), _dtype(x)) for x in inputs]
            for index in np.ndindex(np.shape(output)):
                gradients = pull(_with_part(head, place, _basis(output, index)))
                for matrix, k in zip(found, self._positions, strict=True):
                    matrix[index] = gradients[k - self._subject.skipped]
            return self._finished(found, inputs)

        return _mapped(value, lambda place: block(_nothing(value), place))

    def _forward(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], inputs: list[Any], value: Any
    ) -> Any:
        columns = [
            [
                self._subject.moved(args, (k,), (_basis(x, index),), kwargs)[1]
                for index in np.ndindex(np.shape(x))
            ]
            for k, x in zip(self._positions, inputs, strict=True)
        ]

        def block(place: tuple[Any, ...]) -> Any:
            output = _part(value, place)
            found = [np.empty(np.shape(output) + np.shape(x), _dtype(x)) for x in inputs]
            for matrix, x, column in zip(found, inputs, columns, strict=True):
                for index, tangent in zip(np.ndindex(np.shape(x)), column, strict=True):
                    matrix[(..., *index)] = _part(tangent, place)
            return self._finished(found, inputs)

        return _mapped(value, block)

    def _finished(self, found: list[Any], inputs: list[Any]) -> Any:
        """Scalars by scalars are scalars."""
        done = tuple(
            matrix if matrix.shape else type(x)(matrix[()])
            for matrix, x in zip(found, inputs, strict=True)
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
        tangents = tuple(
            apart(fit_tangent(self._subject.function, names[k], values[k], vector), own)
            for k, vector in zip(self._positions, given, strict=True)
        )
        return product.along(own, tangents, kwargs)

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


# ------------------------------------------------------------------------ parts of outputs


def _outputs(value: Any) -> Iterator[Any]:
    """The outputs that are floats."""
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from _outputs(part)
    elif type(value) is dict:
        yield from _outputs(tuple(value.values()))
    elif carries_derivative(value):
        yield value


def _mapped(value: Any, block: Any, place: tuple[Any, ...] = ()) -> Any:
    """The structure of the outputs with what `block` gives for each, None where there is no float."""
    if isinstance(value, (tuple, list)):
        parts = (_mapped(part, block, (*place, k)) for k, part in enumerate(value))
        return type(value)(parts)
    if type(value) is dict:
        return {key: _mapped(part, block, (*place, key)) for key, part in value.items()}
    return block(place) if carries_derivative(value) else None


def _count(numbers: Iterable[Any]) -> int:
    return sum(int(np.size(number)) for number in numbers)


def _part(value: Any, place: tuple[Any, ...]) -> Any:
    for k in place:
        value = value[k]
    return value


def _nothing(value: Any) -> Any:
    """A head gradient of no output."""
    if type(value) is dict:
        return {key: _nothing(part) for key, part in value.items()}
    return type(value)(map(_nothing, value)) if isinstance(value, (tuple, list)) else None


def _with_part(head: Any, place: tuple[Any, ...], part: Any) -> Any:
    if not place:
        return part
    items = dict(head) if type(head) is dict else list(head)
    items[place[0]] = _with_part(items[place[0]], place[1:], part)
    return type(head)(items)


def _basis(like: Any, index: tuple[int, ...]) -> Any:
    if not isinstance(like, np.ndarray):
        return type(like)(1.0)
    unit = np.zeros_like(like)
    unit[index] = 1
    return unit


def _dtype(x: Any) -> Any:
    return np.asarray(x).dtype
