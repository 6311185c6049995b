"""What comes out of a function: which outputs have a gradient, which head gradients fit them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tangentish.asking.wrt import carries_derivative
from tangentish.kinds.devices import is_device_array
from tangentish.kinds.plain_containers import DICTS


def check_output(name: str, value: object) -> None:
    """Raise TypeError unless `value` is one float or one array of floats."""
    if carries_derivative(value):
        return
    if isinstance(value, (tuple, list, dict)):
        raise TypeError(
            f"{name}() returns several outputs (a {type(value).__name__}), and a gradient is of "
            "one: use "
            "vjp, which takes a head gradient for each, or has_aux=True, which differentiates "
            "the first"
        )
    raise TypeError(f"{name}() returns {_describe(value)}, which has no gradient: return a float")


def _describe(value: object) -> str:
    if value is None:
        return "None"
    if type(value) is np.ndarray:
        return f"an array of dtype {value.dtype}"
    return f"a value of type {type(value).__name__}"


class Pullback:
    """The way back of one call: head gradients in, a tuple of gradients out, one entry per
    parameter.

    It may be called any number of times, from several threads at once.
    """

    __slots__ = ("_name", "_pull", "_skipped", "_value")

    def __init__(
        self, name: str, value: object, pull: Callable[..., tuple[Any, ...]], skipped: int
    ) -> None:
        self._name = name
        self._value = _outline(value)
        self._pull = pull
        self._skipped = skipped

    def __call__(self, dy: Any) -> tuple[Any, ...]:
        """The gradients for the head gradient `dy`, shaped like the value."""
        return self._pull(fit_heads(self._name, self._value, dy))[self._skipped :]

    def __repr__(self) -> str:
        return f"<pullback of {self._name}()>"


@dataclass(frozen=True)
class _OnDevice:
    """An array on a device, of which only shape and dtype are asked for."""

    like: Any


def _outline(value: object) -> object:
    """The value, its arrays replaced by ones without memory: a later write to the value is
    harmless.
    """
    if isinstance(value, np.ndarray):
        return np.broadcast_to(np.empty((), value.dtype), value.shape)
    if is_device_array(value):
        return _OnDevice(value)
    if isinstance(value, (tuple, list)):
        return type(value)(map(_outline, value)) if type(value) in (tuple, list) else value
    if isinstance(value, dict) and type(value) in DICTS:
        return {key: _outline(item) for key, item in value.items()}
    return value


def fit_heads(name: str, value: object, dy: object) -> Any:
    """The head gradient in the dtype of the value; ValueError for a wrong shape, TypeError for a
    wrong type.
    """
    if isinstance(value, (tuple, list)):
        return _fit_several(name, value, dy)
    if isinstance(value, _OnDevice):
        return _fit_on_device(name, value.like, dy)
    if isinstance(value, dict) and type(value) in DICTS:
        return _fit_named(name, value, dy)
    if isinstance(value, np.ndarray):
        return (
            _fit_array(name, value, dy)
            if value.dtype.kind == "f"
            else _fit_nothing(name, value, dy)
        )
    if carries_derivative(value):
        return _fit_scalar(name, value, dy)
    return _fit_nothing(name, value, dy)


def _fit_several(name: str, values: tuple[object, ...] | list[object], dy: object) -> Any:
    kind = type(values)
    if not isinstance(dy, (tuple, list)):
        raise TypeError(
            f"{name}() returns a {kind.__name__} of {len(values)} outputs: its head gradient is a "
            f"{kind.__name__} of {len(values)}, not {_describe(dy)}"
        )
    if len(dy) != len(values):
        raise ValueError(
            f"{name}() returns a {kind.__name__} of {len(values)} outputs, the head gradient has "
            f"{len(dy)}"
        )
    return kind(
        _zero_like(value) if head is None else fit_heads(name, value, head)
        for value, head in zip(values, dy, strict=True)
    )


def _fit_named(name: str, values: dict[Any, object], dy: object) -> dict[Any, Any]:
    """The head gradients of the outputs in a dict; of those that it leaves out, none."""
    if not isinstance(dy, dict) or not dy.keys() <= values.keys():
        keys = ", ".join(map(repr, values))
        raise TypeError(
            f"{name}() returns a dict: its head gradient is a dict with the keys {keys}"
        )
    heads = {key: dy.get(key) for key in values}
    return {
        key: _zero_like(value) if heads[key] is None else fit_heads(name, value, heads[key])
        for key, value in values.items()
    }


def _zero_like(value: object) -> Any:
    """The head gradient of an output that nothing depends on."""
    if isinstance(value, (tuple, list)):
        return type(value)(map(_zero_like, value))
    if isinstance(value, dict):
        return {key: _zero_like(item) for key, item in value.items()}
    if isinstance(value, _OnDevice):
        return np.zeros_like(value.like) if value.like.dtype.kind == "f" else None
    if isinstance(value, np.ndarray):
        kind = value.dtype.kind
        # What is an integer here may be a float on another way through the function.
        return (
            np.zeros(value.shape, value.dtype if kind in "fc" else float)
            if kind in "biufc"
            else None
        )
    if isinstance(value, (float, np.floating)):
        return type(value)(0.0)
    return 0.0 if isinstance(value, (int, complex, np.bool_, np.number)) else None


def _fit_on_device(name: str, value: Any, dy: Any) -> Any:
    if value.dtype.kind != "f":
        return _fit_nothing(name, value, dy)
    if value.shape == () and _is_real_scalar(dy):
        return np.full_like(value, dy)
    if not is_device_array(dy):
        raise TypeError(
            f"the head gradient of {name}() must be an array of shape {value.shape} on the device, not "
            f"{_describe(dy)}"
        )
    _check_real(name, dy.dtype)
    if dy.shape != value.shape:
        raise ValueError(
            f"the head gradient has shape {dy.shape}, the value of {name}() {value.shape}"
        )
    return dy.astype(value.dtype, copy=False)


def _fit_array(name: str, value: np.ndarray, dy: object) -> np.ndarray:
    if type(dy) is not np.ndarray and not _is_real_scalar(dy):
        raise TypeError(
            f"the head gradient of {name}() must be an array of shape {value.shape}, not "
            f"{_describe(dy)}"
        )
    head = np.asarray(dy)
    _check_real(name, head.dtype)
    if head.shape != value.shape:
        raise ValueError(
            f"the head gradient has shape {head.shape}, the value of {name}() {value.shape}"
        )
    return head.astype(value.dtype, copy=False)


def _fit_scalar(name: str, value: object, dy: object) -> Any:
    if isinstance(dy, np.ndarray):
        _check_real(name, dy.dtype)
        if dy.shape != ():
            raise ValueError(
                f"the head gradient has shape {dy.shape}, the value of {name}() shape ()"
            )
        dy = dy[()]
    if not _is_real_scalar(dy):
        raise TypeError(f"the head gradient of {name}() must be a float, not {_describe(dy)}")
    kind: Callable[[Any], Any] = type(value)
    return dy if type(dy) is kind else kind(dy)


def _fit_nothing(name: str, value: object, dy: object) -> None:
    if dy is not None:
        raise TypeError(
            f"{_describe(value)} among the outputs of {name}() has no gradient: pass None for it"
        )


def _check_real(name: str, dtype: np.dtype[Any]) -> None:
    if dtype.kind not in "fiu":
        raise TypeError(f"the head gradient of {name}() must be of floats, not of dtype {dtype}")


def _is_real_scalar(value: object) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
