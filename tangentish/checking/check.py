"""`check_grad`: a generated gradient against numeric derivatives.

With a random head gradient g, the derivative of <g, f(x)> with respect to every element of every
differentiable argument is taken by central differences at two step sizes, combined by Richardson
extrapolation: the error is of the fourth order in the step. The differences are taken of the
outputs before they meet g, so that large outputs that hardly change cost no digits. Where the two
disagree, smaller steps are tried: the first one may have stepped over a kink. At the end of what a function takes
(a roughness of 0.0, a root of nothing), where a step to one side raises or gives no number, the slope is that to the
other side, of the second order before the extrapolation.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import numpy as np

from tangentish.api import target
from tangentish.asking.wrt import Wrt, check_active, resolve
from tangentish.checking.culprit import first_wrong_line
from tangentish.checking.probing import Leaf, Probe, at, leaves_of
from tangentish.language.binding import binder, parameter_names
from tangentish.operators import mode_of

_SMALLER_STEPS = (1.0, 1 / 30, 1 / 1000)
_MOST_CROSSINGS = 5  # that are told of one argument


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
    crossings: tuple[str, ...] = ()  # numeric steps that take another branch
    labels: tuple[str, str] = ("generated", "numeric")

    @property
    def element(self) -> str:
        """The worst element as Python writes it: `w[2, 0]`, or `w` for a number."""
        return f"{self.name}[{', '.join(map(str, self.worst))}]" if self.worst else self.name

    def __str__(self) -> str:
        verdict = "ok " if self.agrees else "BAD"
        return (
            f"{verdict} {self.name:<12} {self.shape!s:<14} max abs error {self.max_abs:.2e}, "
            f"max rel error {self.max_rel:.2e}; worst at {self.element}: "
            f"{self.labels[0]} {self.generated:.10g}, {self.labels[1]} {self.numeric:.10g}"
            + "".join(f"\n      {crossing}" for crossing in self.crossings)
        )


@dataclass(frozen=True)
class Report:
    """The comparison of the gradient of one function with numeric derivatives, argument by
    argument.
    """

    function: str
    arguments: tuple[ArgumentCheck, ...]
    sides: tuple[str, str] = ("gradient", "numeric derivatives")

    @property
    def agrees(self) -> bool:
        return all(argument.agrees for argument in self.arguments)

    def __str__(self) -> str:
        verdict = "agrees with" if self.agrees else "DISAGREES with"
        one, other = self.sides
        head = f"{one} of {self.function}() {verdict} {other}"
        return "\n".join((head, *(f"  {argument}" for argument in self.arguments)))


def check_grad(
    f: Any, /, *args: Any, wrt: Wrt | None = None, seed: int = 0, **keywords: Any
) -> Report:
    """Compare the generated gradient of `f` at `args` with numeric derivatives, for a random head
    gradient.

    Every argument that carries a derivative is checked, or those that `wrt` names; of structures every float and
    array in them. Keywords are those of `f`, but for `wrt` and `seed`. The arguments are never changed. An element
    agrees where the error is at most 1e-6 (3e-3 with float32) of the derivative, or of a tenth of the argument's
    largest. Where a step to one side raises, or gives nan, the slope to the other side counts. The report says where a
    numeric step takes another branch or meets a kink, since differences mean little there. Raises AssertionError where
    they disagree, naming the argument, the element, both values, and the line that binds the first value, on the way
    back, whose gradient is wrong. TypeError where no argument carries a derivative, ValueError for a `wrt` that names
    no parameter, NotDifferentiable as grad has it.

    (Central differences at two steps, combined after L. F. Richardson, 1911; one random head gradient for all outputs.)
    """
    function, owner = target(f)
    values = binder(function)(*owner, *args, **keywords)
    probe = Probe(function, values, mode_of(f))
    gradients = probe.gradients(np.random.default_rng(seed))
    positions = _positions(function, wrt, len(owner), values, gradients)
    names = parameter_names(function)
    checks = tuple(
        _compare(probe, leaf, gradient)
        for k in positions
        for leaf, gradient in _leaves(probe, names[k], k, values[k], gradients[k])
    )
    report = Report(function.__qualname__, checks)
    if not report.agrees:
        culprit = first_wrong_line(function, values, mode_of(f), seed)
        raise AssertionError(_mismatch(report) + culprit + _of_cuts(probe.cuts))
    return report


def _leaves(
    probe: Probe, name: str, position: int, value: Any, gradient: Any
) -> Iterator[tuple[Leaf, Any]]:
    """The floats and arrays in an argument, each with its gradient."""
    head = 1.0
    if gradient is None:
        gradient, head = probe.gradient_of_object(name)
    for leaf in leaves_of(name, position, value):
        found = at(gradient, leaf.path)
        if found is not None:
            yield leaf, found if head == 1.0 else head * found


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


def _of_cuts(lines: tuple[str, ...]) -> str:
    return (
        f"\nthe gradient is cut in `{lines[0]}`, which numeric derivatives do not see"
        if lines
        else ""
    )


# ---------------------------------------------------------------------------- the comparison


def _compare(probe: Probe, leaf: Leaf, gradient: Any) -> ArgumentCheck:
    value = np.asarray(leaf.value)
    generated = np.asarray(gradient, dtype=float)
    if generated.shape != value.shape:
        raise AssertionError(
            f"{probe.function.__qualname__}(): the gradient with respect to {leaf.name} has shape "
            f"{generated.shape}, the argument {value.shape}"
        )
    numeric, noise = np.empty(value.shape), probe.noise_of(leaf)
    for index in np.ndindex(value.shape):
        numeric[index] = probe.derivative(leaf, index, 1.0)
    band = _band_of(generated, numeric, probe.tolerance, noise)
    crossings: list[str] = []
    for index in map(tuple, np.argwhere(_excess(generated, numeric, band) > 0)):
        if len(crossings) < _MOST_CROSSINGS:
            crossings += _crossing(probe, leaf, index)
        numeric[index] = _closest(probe, leaf, index, float(generated[index]))
    band = _band_of(generated, numeric, probe.tolerance, noise)
    return _argument_check(leaf.name, generated, numeric, band, tuple(crossings))


def _crossing(probe: Probe, leaf: Leaf, index: tuple[int, ...]) -> list[str]:
    """What to say of an element where a numeric step takes another branch, or meets a kink."""
    element = f"{leaf.name}[{', '.join(map(str, index))}]" if index else leaf.name
    try:
        found = probe.crossing(leaf, index)
        sides = probe.sides(leaf, index) if found is None else None
    except Exception as raised:  # noqa: BLE001 - whatever the function raises there
        return [f"a numeric step of {element} raises {type(raised).__name__}: {raised}"]
    if found is None:
        if sides is None:
            return []
        left, right = sides
        return [
            f"there is a kink or a jump at {element}: the slope is {left:.6g} below and {right:.6g} above"
        ]
    line = linecache.getline(*found).strip()
    return [f"a numeric step of {element} crosses a branch at line {found[1]}: {line}"]


def _closest(probe: Probe, leaf: Leaf, index: tuple[int, ...], generated: float) -> float:
    """The numeric derivative, of several step sizes, that comes closest to the generated one."""
    found = [probe.derivative(leaf, index, shrink) for shrink in _SMALLER_STEPS]
    finite = [value for value in found if np.isfinite(value)]
    return min(finite, key=lambda value: abs(value - generated)) if finite else found[0]


@dataclass(frozen=True)
class _Band:
    """What counts as equal: an error of at most relative * |numeric| + absolute."""

    relative: float
    absolute: float
    floor: float  # elements smaller than this count as this large in relative errors


def _band_of(generated: np.ndarray, numeric: np.ndarray, tolerance: float, noise: float) -> _Band:
    """Errors far below the size of the largest element are rounding."""
    sizes = np.abs(np.concatenate((np.ravel(generated), np.ravel(numeric), [1e-3])))
    floor = 0.1 * float(np.max(sizes[np.isfinite(sizes)]))
    return _Band(tolerance, tolerance * floor + noise, floor)


def _excess(generated: np.ndarray, numeric: np.ndarray, band: _Band) -> np.ndarray:
    """By how much the error exceeds the band; infinite where either is not a number."""
    with np.errstate(all="ignore"):
        excess = np.abs(generated - numeric) - band.relative * np.abs(numeric) - band.absolute
    excess = np.where(np.isnan(excess), np.inf, excess)
    return np.asarray(np.where(generated == numeric, -np.inf, excess))


def compared(name: str, given: np.ndarray, right: np.ndarray, tolerance: float) -> ArgumentCheck:
    """How a gradient compares with the right one, where both have the argument's shape."""
    band = _band_of(given, right, tolerance, 0.0)
    return replace(_argument_check(name, given, right, band, ()), labels=("by hand", "generated"))


def _argument_check(
    name: str, generated: np.ndarray, numeric: np.ndarray, band: _Band, crossings: tuple[str, ...]
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
        crossings,
    )
