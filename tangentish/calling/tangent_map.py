"""Forward mode as a user calls it: (arguments, tangents) -> (value, tangent)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from types import FunctionType
from typing import Any, Generic, TypeVar

import numpy as np

from tangentish.asking.wrt import carries_derivative, check_active
from tangentish.calling.containers import integers_still, labelled, no_motion, rebuilt
from tangentish.calling.subject import Subject
from tangentish.language.binding import parameter_names, starred_names

R = TypeVar("R")


class TangentMap(Generic[R]):
    """The directional derivative of one function: called with a tuple of arguments and one of tangents."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self.__wrapped__ = subject.function
        self.__name__ = f"{subject.function.__name__}.jvp"
        self.__qualname__ = f"{subject.title}.jvp"
        self.__doc__ = f"The value and the tangent of {subject.title}()."

    def __call__(self, args: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[R, Any]:
        """(value, tangent) for one tangent an argument, None for those that do not move."""
        args, tangents = _fit_tangents(self._subject.function, args, tangents)
        moving = tuple(k for k, tangent in enumerate(tangents) if tangent is not None)
        given = tuple(tangents[k] for k in moving)
        return self._subject.moved(args, moving, given, {})

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated source for these arguments, where all that can move do; without any, for
        those of annotations and defaults.
        """
        return self._subject.forward_source(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<{self.__qualname__}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return TangentMap, (self._subject,)


class BoundTangentMap(Generic[R]):
    """The directional derivative of a method of one object."""

    __slots__ = ("__func__", "__self__")

    def __init__(self, tangent_map: TangentMap[R], owner: object) -> None:
        self.__func__ = tangent_map
        self.__self__ = owner

    def __call__(self, args: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[R, Any]:
        """(value, tangent); neither tuple has an entry for self."""
        _check_tuple(self.__func__.__qualname__, "arguments", args)
        _check_tuple(self.__func__.__qualname__, "tangents", tangents)
        return self.__func__((self.__self__, *args), (None, *tangents))

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated source for these arguments."""
        return self.__func__.source(self.__self__, *args, **kwargs)

    def __repr__(self) -> str:
        return f"<{self.__func__.__qualname__} of {self.__self__!r}>"


# ------------------------------------------------------------------------------ what fits


def _fit_tangents(
    function: FunctionType, args: Sequence[Any], tangents: Sequence[Any]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Arguments and tangents, each tangent in the shape, dtype and type of its argument."""
    name = f"{function.__qualname__}.jvp"
    _check_tuple(name, "arguments", args)
    _check_tuple(name, "tangents", tangents)
    if len(args) != len(tangents):
        raise ValueError(
            f"{name}() takes one tangent an argument, None for those that do not move: "
            f"{len(args)} arguments, {len(tangents)} tangents"
        )
    if all(tangent is None for tangent in tangents):
        raise ValueError(f"{name}(): all tangents are None: nothing moves")
    named = function.__code__.co_argcount
    if starred_names(function) and any(tangent is not None for tangent in tangents[named:]):
        raise TypeError(
            f"{name}(): tangents of arguments that *{starred_names(function)[0]} takes are not supported yet: "
            "name them, as in lambda x, y: f(x, y)"
        )
    names = (*parameter_names(function), *("*",) * len(args))
    pairs = zip(names, args, tangents, strict=False)
    return tuple(args), tuple(
        None if tangent is None else fit_tangent(function, parameter, value, tangent)
        for parameter, value, tangent in pairs
    )


def _check_tuple(name: str, what: str, given: object) -> None:
    if not isinstance(given, (tuple, list)):
        raise TypeError(
            f"{name}(args, tangents) takes a tuple of {what}, not {type(given).__name__}: "
            "jvp((x, y), (x_dot, y_dot))"
        )


def fit_tangent(function: FunctionType, parameter: str, value: Any, tangent: Any) -> Any:
    """The tangent of an argument, of its structure, shapes, dtypes and types."""
    check_active(function, parameter, value)
    place = f"the tangent of {parameter!r} of {function.__qualname__}()"
    return integers_still(value, _fitted(place, value, tangent))


def _fitted(place: str, value: Any, tangent: Any) -> Any:
    elements = labelled(value)
    if elements is not None:
        return _fitted_structure(place, value, elements, tangent)
    if carries_derivative(value):
        return _fitted_leaf(place, value, tangent)
    if tangent is None or tangent is value:
        return None
    raise TypeError(f"{place} must be None: a {type(value).__name__} does not move")


def _fitted_structure(
    place: str, value: Any, elements: Sequence[tuple[Hashable, Any]], tangent: Any
) -> Any:
    """The tangents of the elements in the structure of the argument; None is zeros here."""
    given = labelled(tangent)
    labels = [label for label, _ in elements]
    found = {} if given is None else dict(given)
    if type(tangent) is not type(value) or found.keys() != set(labels):
        what = f"a {type(value).__name__} with the elements {', '.join(map(repr, labels))}"
        raise TypeError(f"{place} must have the structure of the argument: {what}")
    fitted = [
        no_motion(item) if found[k] is None else _fitted(f"{place} at {k!r}", item, found[k])
        for k, item in elements
    ]
    return rebuilt(value, labels, fitted)


def _fitted_leaf(place: str, value: Any, tangent: Any) -> Any:
    if isinstance(value, np.ndarray):
        return _fitted_array(place, value, tangent)
    if isinstance(tangent, np.ndarray) and tangent.shape == ():
        tangent = tangent[()]
    if not _is_real(tangent) or isinstance(tangent, np.ndarray):
        raise TypeError(f"{place} must be a float, not {_described(tangent)}")
    kind: Callable[[Any], Any] = type(value)
    return tangent if type(tangent) is kind else kind(tangent)


def _fitted_array(place: str, value: np.ndarray, tangent: Any) -> np.ndarray:
    if not isinstance(tangent, np.ndarray) or not _is_real(tangent):
        raise TypeError(
            f"{place} must be an array of floats of shape {value.shape}, not {_described(tangent)}"
        )
    if tangent.shape != value.shape:
        raise ValueError(f"{place} has shape {tangent.shape}, the argument {value.shape}")
    return tangent.astype(value.dtype, copy=False)


def _is_real(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return type(value) is np.ndarray and value.dtype.kind in "fiu"
    return (
        isinstance(value, (int, float, np.integer)) and not isinstance(value, bool)
    ) or carries_derivative(value)


def _described(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of dtype {value.dtype} and shape {value.shape}"
    return "None" if value is None else f"a {type(value).__name__}"
