"""`check_grad`: a generated gradient against numeric derivatives.

With a random head gradient g, the derivative of <g, f(x)> with respect to every element of every
differentiable argument is taken by central differences at two step sizes, combined by Richardson
extrapolation: the error is of the fourth order in the step. The differences are taken of the
outputs before they meet g, so that large outputs that hardly change cost no digits. Where the two
disagree, smaller steps are tried: the first one may have stepped over a kink.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from tangentish.api import mode_of, target
from tangentish.binding import binder, parameter_names
from tangentish.copies import copy_arguments
from tangentish.dispatch import Derivative, request
from tangentish.modes import is_training
from tangentish.wrt import Wrt, check_active, resolve

__all__ = ["ArgumentCheck", "Report", "check_grad"]

_SMALLER_STEPS = (1.0, 1 / 30, 1 / 1000)


@dataclass(frozen=True)
class ArgumentCheck:
    """How the gradient with respect to one argument compares; `worst` is the index of the largest
    error.
    """

    name: str
    shape: tuple[int, ...]
    max_abs: float
    max_rel: float
    worst: tuple[int, ...]
    generated: float
    numeric: float
    agrees: bool

    @property
    def element(self) -> str:
        """The worst element as Python writes it: `w[2, 0]`, or `w` for a number."""
        return f"{self.name}[{', '.join(map(str, self.worst))}]" if self.worst else self.name

    def __str__(self) -> str:
        verdict = "ok " if self.agrees else "BAD"
        return (
            f"{verdict} {self.name:<12} {self.shape!s:<14} max abs error {self.max_abs:.2e}, "
            f"max rel error {self.max_rel:.2e}; worst at {self.element}: "
            f"generated {self.generated:.10g}, numeric {self.numeric:.10g}"
        )


@dataclass(frozen=True)
class Report:
    """The comparison of the gradient of one function with numeric derivatives, argument by
    argument.
    """

    function: str
    arguments: tuple[ArgumentCheck, ...]

    @property
    def agrees(self) -> bool:
        return all(argument.agrees for argument in self.arguments)

    def __str__(self) -> str:
        verdict = "agrees with" if self.agrees else "DISAGREES with"
        head = f"gradient of {self.function}() {verdict} numeric derivatives"
        return "\n".join((head, *(f"  {argument}" for argument in self.arguments)))


def check_grad(f: Any, /, *args: Any, wrt: Wrt | None = None, seed: int = 0) -> Report:
    """Compare the generated gradient of `f` at `args` with numeric derivatives, for a random head
    gradient.

    Every argument that carries a derivative is checked, or those that `wrt` names. The arguments
    are never changed. Raises AssertionError naming the argument, the element and both values where
    they disagree.
    """
    function, owner = target(f)
    values = binder(function)(*owner, *args)
    probe = _Probe(function, (*owner, *args), values, mode_of(f))
    gradients = probe.gradients(np.random.default_rng(seed))
    positions = _positions(function, wrt, len(owner), values, gradients)
    report = Report(
        function.__qualname__, tuple(_compare(probe, k, gradients[k]) for k in positions)
    )
    if not report.agrees:
        raise AssertionError(_mismatch(report))
    return report


def _positions(
    function: FunctionType,
    wrt: Wrt | None,
    skipped: int,
    values: tuple[Any, ...],
    gradients: tuple[Any, ...],
) -> tuple[int, ...]:
    if wrt is None:
        return tuple(k for k, gradient in enumerate(gradients) if gradient is not None)
    positions, _ = resolve(function, wrt, skipped)
    for position in positions:
        check_active(function, parameter_names(function)[position], values[position])
    return positions


def _mismatch(report: Report) -> str:
    bad = next(argument for argument in report.arguments if not argument.agrees)
    return (
        f"{report.function}(): the derivative with respect to {bad.element} is {bad.generated!r} "
        "as generated "
        f"and {bad.numeric!r} numerically\n{report}"
    )


# ------------------------------------------------------------------------- the function, probed


class _Probe:
    """A function at fixed arguments: its outputs as one vector, and the head gradient they are
    weighted with.
    """

    def __init__(
        self, function: FunctionType, args: tuple[Any, ...], values: tuple[Any, ...],
        training: bool = True,
    ) -> None:  # fmt: skip
        self.function = function
        self.values = values
        self._training = training
        self._derivative: Derivative[..., Any] = request(function, 0, "vjp", False, 0, training)
        self._args = args
        self._bind = binder(function)
        self._writes: tuple[int, ...] = ()
        self._head = np.zeros(0)
        self._coarsest: float = 0.0
        self.noise = 0.0  # what rounding in the outputs may add to a difference quotient

    def gradients(self, rng: np.random.Generator) -> tuple[Any, ...]:
        """What the generated pullback returns for a random head gradient; sets the probe up on the
        way.
        """
        args = copy_arguments(self._args)
        self._writes = self._derivative.derived(*args).writes
        value, pull = self._derivative(*args)
        heads = _random_heads(value, rng)
        self._head = _flat(heads, value)
        self._coarsest = max(_epsilon(leaf) for leaf in (*_leaves(value), *self.values))
        size = float(np.abs(self._head) @ np.abs(_flat(value, value)))
        self.noise = 8 * size * self._coarsest**0.8
        return tuple(pull(heads))

    def outputs(self, position: int, change: Callable[[Any], Any]) -> np.ndarray:
        """The outputs where the argument at `position` is changed: a number is replaced, an array
        written to.
        """
        copies = list(copy_arguments(self.values))
        # Moved apart from arrays that share its memory: their derivatives are counted on their own.
        (own,) = copy_arguments((copies[position],))
        copies[position] = change(own)
        with is_training(self._training):
            value = _call(self.function, copies)
        if value is None:
            written = tuple(copies[k] for k in self._writes if _is_float(copies[k]))
            value = written[0] if len(written) == 1 else written
        return _flat(value, value)

    def difference(self, position: int, index: tuple[int, ...], step: float) -> float:
        """The central difference of <head, f> along one element."""
        moved: list[float] = []

        def change(by: float) -> Callable[[Any], Any]:
            def changed(value: Any) -> Any:
                if isinstance(value, np.ndarray):
                    value.flags.writeable = True
                    value[index] += by
                    moved.append(float(value[index]))
                    return value
                moved.append(float(type(value)(value + by)))
                return type(value)(value + by)

            return changed

        with np.errstate(all="ignore"):
            rise = self.outputs(position, change(step)) - self.outputs(position, change(-step))
            return float(self._head @ rise) / (moved[0] - moved[1])

    def derivative(self, position: int, index: tuple[int, ...], shrink: float) -> float:
        """Richardson's combination of the differences at a step and at half of it."""
        at = float(np.asarray(self.values[position])[index])
        step: float = shrink * self._coarsest**0.2 * max(1.0, abs(at))
        wide = self.difference(position, index, step)
        return (4 * self.difference(position, index, step / 2) - wide) / 3

    @property
    def tolerance(self) -> float:
        """1e-6 where all is float64, 3e-3 where anything is float32."""
        return 1e-6 if self._coarsest < 1e-12 else 3e-3


def _call(function: FunctionType, values: list[Any]) -> Any:
    """Call a function with the values of its parameters in the order of the signature."""
    code = function.__code__
    names = parameter_names(function)
    positional = values[: code.co_argcount]
    rest = dict(zip(names[code.co_argcount :], values[code.co_argcount :], strict=True))
    keywords: dict[str, Any] = {}
    for name, value in rest.items():
        if name in _keyword_only(function):
            keywords[name] = value
        elif isinstance(value, tuple):
            positional += value
        else:
            keywords |= value
    return function(*positional, **keywords)


def _keyword_only(function: FunctionType) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]


# ------------------------------------------------------------------------ outputs and heads


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _is_float(value: Any) -> bool:
    return isinstance(value, (float, np.floating)) or (
        isinstance(value, np.ndarray) and value.dtype.kind == "f"
    )


def _epsilon(value: Any) -> float:
    dtype = getattr(value, "dtype", np.dtype(float))
    return (
        float(np.finfo(dtype).eps)
        if getattr(dtype, "kind", "") == "f"
        else float(np.finfo(float).eps)
    )


def _flat(heads: Any, value: Any) -> np.ndarray:
    """The floats among the outputs (or among the heads that belong to them) as one vector."""
    pairs = zip(_leaves(heads), _leaves(value), strict=True)
    parts = [np.ravel(np.asarray(head, dtype=float)) for head, leaf in pairs if _is_float(leaf)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _random_heads(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(_random_heads(item, rng) for item in value)
    if not _is_float(value):
        return None
    if isinstance(value, np.ndarray):
        sizes = rng.uniform(0.5, 1.5, value.shape) * rng.choice((-1.0, 1.0), value.shape)
        return np.asarray(sizes).astype(value.dtype)
    return type(value)(rng.uniform(0.5, 1.5) * rng.choice((-1.0, 1.0)))


# ---------------------------------------------------------------------------- the comparison


def _compare(probe: _Probe, position: int, gradient: Any) -> ArgumentCheck:
    name = parameter_names(probe.function)[position]
    value = np.asarray(probe.values[position])
    generated = np.asarray(gradient, dtype=float)
    if generated.shape != value.shape:
        raise AssertionError(
            f"{probe.function.__qualname__}(): the gradient with respect to {name} has shape "
            f"{generated.shape}, the argument {value.shape}"
        )
    numeric = np.empty(value.shape)
    for index in np.ndindex(value.shape):
        numeric[index] = probe.derivative(position, index, 1.0)
    band = _band(probe, generated, numeric)
    for index in map(tuple, np.argwhere(_excess(generated, numeric, band) > 0)):
        numeric[index] = _closest(probe, position, index, float(generated[index]))
    return _argument_check(name, generated, numeric, _band(probe, generated, numeric))


def _closest(probe: _Probe, position: int, index: tuple[int, ...], generated: float) -> float:
    """The numeric derivative, of several step sizes, that comes closest to the generated one."""
    found = [probe.derivative(position, index, shrink) for shrink in _SMALLER_STEPS]
    finite = [value for value in found if np.isfinite(value)]
    return min(finite, key=lambda value: abs(value - generated)) if finite else found[0]


@dataclass(frozen=True)
class _Band:
    """What counts as equal: an error of at most relative * |numeric| + absolute."""

    relative: float
    absolute: float
    floor: float  # elements smaller than this count as this large in relative errors


def _band(probe: _Probe, generated: np.ndarray, numeric: np.ndarray) -> _Band:
    """Errors far below the size of the largest element are rounding."""
    sizes = np.abs(np.concatenate((np.ravel(generated), np.ravel(numeric), [1e-3])))
    floor = 0.1 * float(np.max(sizes[np.isfinite(sizes)]))
    return _Band(probe.tolerance, probe.tolerance * floor + probe.noise, floor)


def _excess(generated: np.ndarray, numeric: np.ndarray, band: _Band) -> np.ndarray:
    """By how much the error exceeds the band; infinite where either is not a number."""
    with np.errstate(all="ignore"):
        excess = np.abs(generated - numeric) - band.relative * np.abs(numeric) - band.absolute
    excess = np.where(np.isnan(excess), np.inf, excess)
    return np.asarray(np.where(generated == numeric, -np.inf, excess))


def _argument_check(
    name: str, generated: np.ndarray, numeric: np.ndarray, band: _Band
) -> ArgumentCheck:
    if not generated.size:
        return ArgumentCheck(name, generated.shape, 0.0, 0.0, (), 0.0, 0.0, True)
    excess = _excess(generated, numeric, band)
    worst = tuple(int(k) for k in np.unravel_index(int(np.argmax(excess)), excess.shape))
    with np.errstate(all="ignore"):
        errors = np.where(generated == numeric, 0.0, np.abs(generated - numeric))
        relative = errors / np.maximum(np.abs(numeric), band.floor)
    return ArgumentCheck(
        name,
        generated.shape,
        float(np.max(errors)),
        float(np.max(relative)),
        worst,
        float(generated[worst]),
        float(numeric[worst]),
        bool(excess[worst] <= 0),
    )
