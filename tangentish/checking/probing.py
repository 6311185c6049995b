"""A function at fixed arguments, probed: its outputs where one element of an argument is moved a little."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType, FunctionType
from typing import Any

import numpy as np

from tangentish.calling.copies import copy_arguments
from tangentish.calling.dispatch import Derivative, request
from tangentish.kinds.kinds_of_values import parts_of
from tangentish.language.binding import spread
from tangentish.language.modes import is_training

_LIBRARIES = frozenset(("numpy", "scipy", "tangentish"))


@dataclass(frozen=True)
class Leaf:
    """A float or an array of floats: an argument, or a part of one."""

    name: str  # as Python writes it: `w`, `p["w"]`, `model.bias`
    position: int
    path: tuple[int, ...]
    value: Any


def leaves_of(name: str, position: int, value: Any, path: tuple[int, ...] = ()) -> Iterator[Leaf]:
    """The floats and arrays of floats in an argument."""
    if is_float(value):
        yield Leaf(name, position, path, value)
        return
    parts = parts_of(value)
    if parts is None:
        return
    keys, items = parts
    for k, item in enumerate(items):
        yield from leaves_of(_label(name, value, keys, k), position, item, (*path, k))


def _label(name: str, value: Any, keys: Any, k: int) -> str:
    if isinstance(value, dict):
        return f"{name}[{keys[k]!r}]"
    return f"{name}[{k}]" if keys is None else f"{name}.{keys[k]}"


def at(value: Any, path: tuple[int, ...]) -> Any:
    """The part of a structure at a path; None where the structure ends before."""
    for k in path:
        parts = parts_of(value)
        if parts is None:
            return None
        value = parts[1][k]
    return value


def _replaced(value: Any, path: tuple[int, ...], change: Callable[[Any], Any]) -> Any:
    """The structure with what stands at the path changed, in place where it can be."""
    if not path:
        return change(value)
    parts = parts_of(value)
    assert parts is not None
    (keys, items), (k, *rest) = parts, path
    new = _replaced(items[k], tuple(rest), change)
    if keys is None:
        return type(value)((*items[:k], new, *items[k + 1 :]))
    if isinstance(value, tuple):
        return value._replace(**{str(keys[k]): new})  # type: ignore[attr-defined]
    if isinstance(value, dict):
        value[keys[k]] = new
    else:
        object.__setattr__(value, str(keys[k]), new)
    return value


class Probe:
    """A function at fixed arguments: its outputs as one vector, and the head gradient they are
    weighted with.
    """

    def __init__(
        self, function: FunctionType, values: tuple[Any, ...], training: bool = True
    ) -> None:
        self.function = function
        self.values = values
        self._training = training
        self._derivative: Derivative[..., Any] = request(function, 0, "vjp", False, 0, training)
        self._writes: tuple[int, ...] = ()
        self.cuts: tuple[str, ...] = ()  # lines through which nothing flows back
        self._head = np.zeros(0)
        self._coarsest: float = 0.0
        self.noise = 0.0  # what rounding in the outputs may add to a difference quotient

    def gradients(self, rng: np.random.Generator) -> tuple[Any, ...]:
        """What the generated pullback returns for a random head gradient; sets the probe up on the
        way.
        """
        args, keywords = spread(self.function, copy_arguments(self.values))
        derived = self._derivative.derived(*args, **keywords)
        self._writes = derived.writes
        self.cuts = tuple(
            line.lstrip(" #").removesuffix(": nothing flows back")
            for line in derived.text.splitlines()
            if "stop_gradient(" in line
            and line.lstrip().startswith("#")  # the function's own lines
        )
        value, pull = self._derivative(*args, **keywords)
        heads = _random_heads(value, rng)
        self._head = _flat(heads, value)
        given = (leaf.value for k, v in enumerate(self.values) for leaf in leaves_of("", k, v))
        self._coarsest = max(_epsilon(leaf) for leaf in (*leaves_in(value), *given))
        size = float(np.abs(self._head) @ np.abs(_flat(value, value)))
        self.noise = 8 * size * self._coarsest**0.8
        return tuple(pull(heads))

    def gradient_of_object(self, name: str) -> tuple[Any, float]:
        """The gradient of an object, which a pullback leaves out, and the head gradient to weigh it with."""
        if self._head.size != 1:
            raise TypeError(
                f"the gradient of {name}, an object, is checked for functions of one number"
            )
        gradient = request(self.function, name, "grad", False, 0, self._training)
        args, keywords = spread(self.function, copy_arguments(self.values))
        return gradient(*args, **keywords), float(self._head[0])

    def outputs(self, leaf: Leaf, change: Callable[[Any], Any]) -> np.ndarray:
        """The outputs where a leaf is changed: a number is replaced, an array written to."""
        copies = self._changed(leaf, change)
        with is_training(self._training):
            value = _call(self.function, copies)
        if value is None:
            written = tuple(copies[k] for k in self._writes if is_float(copies[k]))
            value = written[0] if len(written) == 1 else written
        return _flat(value, value)

    def _changed(self, leaf: Leaf, change: Callable[[Any], Any]) -> list[Any]:
        """The arguments, one leaf changed."""
        copies = list(copy_arguments(self.values))
        # Moved apart from arrays that share its memory: their derivatives are counted on their own.
        (own,) = copy_arguments((copies[leaf.position],))
        copies[leaf.position] = _replaced(own, leaf.path, change)
        return copies

    def difference(self, leaf: Leaf, index: tuple[int, ...], step: float) -> float:
        """The central difference of <head, f> along one element; that to one side at the end of what f takes."""
        error: Exception | None = None
        try:
            slope = self._central(leaf, index, step)
        except Exception as raised:  # noqa: BLE001 - whatever the function raises there
            slope, error = np.nan, raised
        for by in () if np.isfinite(slope) else (step, -step):
            try:
                aside = self._one_sided(leaf, index, by)
            except Exception as raised:  # noqa: BLE001 - whatever the function raises there
                error = error or raised
                continue
            if np.isfinite(aside):
                return aside
        if error is not None:
            raise error
        return slope

    def _one_sided(self, leaf: Leaf, index: tuple[int, ...], step: float) -> float:
        """The difference of the second order from the point itself and two on one side of it."""
        moved: list[float] = []
        with np.errstate(all="ignore"):
            here, near, far = (
                self.outputs(leaf, _moving(index, by, moved)) for by in (0.0, step, 2 * step)
            )
        slopes = (
            float(self._head @ (there - here)) / (at - moved[0])
            for there, at in zip((near, far), moved[1:], strict=True)
        )
        return 2 * next(slopes) - next(slopes)

    def _central(self, leaf: Leaf, index: tuple[int, ...], step: float) -> float:
        moved: list[float] = []
        with np.errstate(all="ignore"):
            rise, fall = (self.outputs(leaf, _moving(index, by, moved)) for by in (step, -step))
            return float(self._head @ (rise - fall)) / (moved[0] - moved[1])

    def derivative(self, leaf: Leaf, index: tuple[int, ...], shrink: float) -> float:
        """Richardson's combination of the differences at a step and at half of it."""
        step = self._step(leaf, index, shrink)
        wide = self.difference(leaf, index, step)
        return (4 * self.difference(leaf, index, step / 2) - wide) / 3

    def _step(self, leaf: Leaf, index: tuple[int, ...], shrink: float) -> float:
        """A number that is not zero keeps its sign: a tolerance, a rate or a width may have no other."""
        at = abs(float(np.asarray(leaf.value)[index]))
        step = float(self._coarsest**0.2) * max(1.0, at)
        if at and not isinstance(leaf.value, np.ndarray):
            step = min(step, at / 2)
        return shrink * step

    def noise_of(self, leaf: Leaf) -> float:
        """What rounding may add to the difference quotients of a leaf: more where steps are small."""
        if isinstance(leaf.value, np.ndarray):
            return self.noise
        return self.noise * max(1.0, float(self._coarsest**0.2) / self._step(leaf, (), 1.0))

    def crossing(self, leaf: Leaf, index: tuple[int, ...]) -> tuple[str, int] | None:
        """The file and line at which a numeric step takes another branch on one side than on the other."""
        step = self._step(leaf, index, 1.0)
        with np.errstate(all="ignore"):
            one, other = (
                self._lines_run(self._changed(leaf, _moving(index, by, []))) for by in (step, -step)
            )
        if one == other:
            return None
        parted = next((k for k, (a, b) in enumerate(zip(one, other)) if a != b), None)
        last = min(len(one), len(other)) if parted is None else parted
        return one[max(last - 1, 0)][:2]

    def sides(self, leaf: Leaf, index: tuple[int, ...]) -> tuple[float, float] | None:
        """The slopes to the left and to the right where they differ however small the step; else None."""
        step = self._step(leaf, index, 1.0)
        (wide, _, _), (gap, left, right) = (
            self._slopes(leaf, index, by) for by in (step, step / 4)
        )
        size = max(abs(left), abs(right), 1e-3)
        kinked = abs(gap) > 0.75 * abs(wide) and abs(gap) > 1e-3 * size + 8 * self.noise / step
        return (left, right) if kinked and np.isfinite(gap) else None

    def _slopes(
        self, leaf: Leaf, index: tuple[int, ...], step: float
    ) -> tuple[float, float, float]:
        """By how much the slope to the right exceeds that to the left; the two."""
        moved: list[float] = []
        with np.errstate(all="ignore"):
            fall, here, rise = (
                self.outputs(leaf, _moving(index, by, moved)) for by in (-step, 0.0, step)
            )
        left = float(self._head @ (here - fall)) / (moved[1] - moved[0])
        right = float(self._head @ (rise - here)) / (moved[2] - moved[1])
        return right - left, left, right

    def _lines_run(self, values: list[Any]) -> list[tuple[str, int, int]]:
        """The lines that a call runs, with the place in each, those of libraries left out."""
        lines: list[tuple[str, int, int]] = []

        def follow(frame: FrameType, event: str, _: Any) -> Any:
            if frame.f_globals.get("__name__", "").partition(".")[0] in _LIBRARIES:
                return None
            frame.f_trace_opcodes = True  # a line may hold several branches
            if event == "opcode":
                lines.append((frame.f_code.co_filename, frame.f_lineno, frame.f_lasti))
            return follow

        before = sys.gettrace()
        # Python 3.12 looks whether any frame asks for opcodes only when tracing begins.
        sys._getframe().f_trace_opcodes = True
        with is_training(self._training), _no_collector():
            sys.settrace(follow)
            try:
                _call(self.function, values)
            finally:
                sys.settrace(before)
        return lines

    @property
    def tolerance(self) -> float:
        """1e-6 where all is float64, 3e-3 where anything is float32."""
        return 1e-6 if self._coarsest < 1e-12 else 3e-3


@contextmanager
def _no_collector() -> Iterator[None]:
    """No collection of cycles: it comes at any time, and its callbacks are no lines of the function."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _moving(index: tuple[int, ...], by: float, moved: list[float]) -> Callable[[Any], Any]:
    """Moves one element of an array, or a number, by a step; `moved` gets where it comes to lie."""

    def changed(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            value.flags.writeable = True
            value[index] += by
            moved.append(float(value[index]))
            return value
        moved.append(float(type(value)(value + by)))
        return type(value)(value + by)

    return changed


def _call(function: FunctionType, values: list[Any]) -> Any:
    """Call a function with the values of its parameters in the order of the signature."""
    args, keywords = spread(function, values)
    return function(*args, **keywords)


# ------------------------------------------------------------------------ outputs and heads


def leaves_in(value: Any) -> Iterator[Any]:
    """What stands in tuples and lists, and in those in them."""
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from leaves_in(item)
    else:
        yield value


def is_float(value: Any) -> bool:
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
    pairs = zip(leaves_in(heads), leaves_in(value), strict=True)
    parts = [np.ravel(np.asarray(head, dtype=float)) for head, leaf in pairs if is_float(leaf)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _random_heads(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(_random_heads(item, rng) for item in value)
    if not is_float(value):
        return None
    if isinstance(value, np.ndarray):
        sizes = rng.uniform(0.5, 1.5, value.shape) * rng.choice((-1.0, 1.0), value.shape)
        return np.asarray(sizes).astype(value.dtype)
    return type(value)(rng.uniform(0.5, 1.5) * rng.choice((-1.0, 1.0)))
