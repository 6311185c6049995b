"""`compare_grad`: a gradient that someone wrote by hand against the generated one, and what the slip looks like."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tangentish.api import target
from tangentish.asking.asked import Asked
from tangentish.asking.wrt import Wrt, resolve
from tangentish.calling.copies import copy_arguments
from tangentish.calling.trace import Row, Tracer
from tangentish.checking.check import Report, check_grad, compared
from tangentish.checking.probing import at, is_float, leaves_of
from tangentish.checking.slips_of_products import left_out, slips_of_products
from tangentish.language.binding import binder, parameter_names
from tangentish.operators import grad, mode_of
from tangentish.runtime import unbroadcast

TOLERANCE = 1e-6
NARROW = 1e-3  # where an argument is float32


def compare_grad(
    f: Any, hand: Callable[..., Any], /, *args: Any, wrt: Wrt = 0, seed: int = 0,
    **keywords: Any,
) -> Report:  # fmt: skip
    """Compare a gradient written by hand, `hand(*args)`, with the generated one of `f` at `args`.

    wrt: with respect to which arguments: an index, a name, or a tuple of them, for which `hand` returns a tuple.
    Keywords are those of `f`, which `hand` gets as well.
    The generated gradient is itself compared with numeric derivatives first. The report is that of check_grad.
    Raises AssertionError where the two disagree: it names the argument, the element and both values, and says what
    the slip looks like: a missing factor or sign, the gradient that comes from above left out, swapped operands, an
    element in the wrong place, a sum in place of elements. The gradients of `hand` have the shapes of the arguments,
    and any dtype. Other errors are those of check_grad.
    """
    check_grad(f, *args, wrt=wrt, seed=seed, **keywords)
    function, owner = target(f)
    values = binder(function)(*owner, *args, **keywords)
    positions, single = resolve(function, wrt, len(owner))
    names = parameter_names(function)
    right = _called(grad(f, wrt=wrt), args, keywords)
    by_hand = _called(hand, args, keywords)
    pairs = [(right, by_hand)] if single else list(zip(right, _several(by_hand, len(positions))))
    checks, slips = [], []
    for position, (generated, mine) in zip(positions, pairs, strict=True):
        for leaf in leaves_of(names[position], position, values[position]):
            want, have = at(generated, leaf.path), at(mine, leaf.path)
            if have is None:
                raise AssertionError(f"{function.__qualname__}(): nothing by hand for {leaf.name}")
            given, truth = np.asarray(have, float), np.asarray(want, float)
            if given.shape != truth.shape:
                slips.append(_slip_of_shape(leaf.name, given, truth))
                continue
            narrow = np.asarray(leaf.value).dtype.itemsize < 8
            check = compared(leaf.name, given, truth, NARROW if narrow else TOLERANCE)
            checks.append(check)
            if not check.agrees:
                slips.append(_Slip(leaf.name, given, truth, f, args, keywords).described())
    sides = ("gradient by hand", "the generated gradient")
    report = Report(function.__qualname__, tuple(checks), sides)
    if slips or not report.agrees:
        raise AssertionError(_message(report, slips))
    return report


def _called(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """What a function gives for copies of the arguments."""
    *given, named = copy_arguments((*args, keywords))
    return function(*given, **named)


def _several(by_hand: Any, count: int) -> tuple[Any, ...]:
    if not isinstance(by_hand, (tuple, list)) or len(by_hand) != count:
        raise AssertionError(f"by hand there should be {count} gradients: {by_hand!r}")
    return tuple(by_hand)


def _message(report: Report, slips: list[str]) -> str:
    bad = [check for check in report.arguments if not check.agrees]
    lines = [
        f"{report.function}(): the derivative with respect to {check.element} is {check.generated!r} by hand "
        f"and should be {check.numeric!r}"
        for check in bad[:1]
    ]
    return "\n".join((*lines, *slips))


def _slip_of_shape(name: str, given: np.ndarray, right: np.ndarray) -> str:
    text = f"the gradient of {name} by hand has shape {given.shape}, the argument {right.shape}"
    if given.size == 1 and _close(given.ravel()[0], right.sum()):
        return f"{text}: it is the sum over all elements in place of the elements"
    for axis in range(right.ndim):
        for keepdims in (False, True):
            total = right.sum(axis=axis, keepdims=keepdims)
            if total.shape == given.shape and _close(given, total):
                return f"{text}: it is the sum over axis {axis} in place of the elements"
    if given.shape == right.shape[::-1] and _close(given.T, right):
        return f"{text}: it is the transpose"
    return text


@dataclass(frozen=True)
class _Slip:
    """A gradient by hand of the right shape that is wrong."""

    name: str
    given: np.ndarray
    right: np.ndarray
    function: Any
    args: tuple[Any, ...]
    keywords: dict[str, Any]

    def described(self) -> str:
        found = next(self.guesses(), None)
        return f"the gradient of {self.name} " + (
            "fits none of the usual slips" if found is None else f"looks like {found}"
        )

    def guesses(self) -> Iterator[str]:
        """What explains all elements, the most telling first."""
        given, right = self.given, self.right
        if _close(given, 0 * right):
            yield "nothing at all: it is zero"
        if _close(-given, right):
            yield "the right one with the wrong sign"
        yield from self.upstream()
        if right.size > 1:
            yield from self.factor()
        yield from self.factors()
        if right.size > 1:
            yield from self.sums()
            yield from self.places()
            yield from slips_of_products(given, right, self.rows(), _close)
        yield from self.swapped()
        if right.size > 1:
            yield from left_out(self.name, given, self.rows(), unbroadcast, _close)
            yield from self.few()
        if right.size == 1:
            yield from self.factor()  # there always is one

    def upstream(self) -> Iterator[str]:
        """The gradient of a value on the way, left out of the product or multiplied in twice."""
        for row in self.rows():
            if not is_float(row.gradient):
                continue
            g = np.asarray(row.gradient, float)
            if _close(g, np.ones_like(g)) or not _fits(g, self.right):
                continue
            place = row.name if row.line is None else f"{row.name} (line {row.line}: {row.text})"
            if _close(self.given * g, self.right):
                yield f"the local derivative alone: the gradient from above, that of {place}, is missing"
            if _close(self.given, self.right * g):
                yield f"one with the gradient of {place} twice"

    def rows(self) -> list[Row]:
        function, owner = target(self.function)
        tracer = Tracer(function, Asked("grad", training=mode_of(self.function)))
        try:
            rows = _called(partial(tracer, *owner), self.args, self.keywords).rows
        except (TypeError, SyntaxError):
            return []
        return [row for row in rows if is_float(row.value)]

    def factor(self) -> Iterator[str]:
        """One number that all elements lack."""
        with np.errstate(all="ignore"):
            ratios = (self.right / self.given)[self.given != 0]
        if (
            ratios.size
            and np.all(np.isfinite(ratios))
            and _close(self.given * ratios.flat[0], self.right)
        ):
            yield f"the right one without a factor of {float(ratios.flat[0]):.6g}"

    def factors(self) -> Iterator[str]:
        """A value of the function that all elements lack, or have once too often."""
        for row in self.rows():
            value = np.asarray(row.value, float)
            if _close(value, np.ones_like(value)) or not _fits(value, self.right):
                continue
            if _close(self.given * value, self.right):
                yield f"the right one without a factor of {row.name}"
            if _close(self.given, self.right * value):
                yield f"the right one with a factor of {row.name} too many"

    def sums(self) -> Iterator[str]:
        given, right = self.given, self.right
        if _close(given, np.full_like(right, right.sum())):
            yield "a sum in place of an element: each one is the sum of all"
        for axis in range(right.ndim):
            if _close(given, right.sum(axis=axis, keepdims=True) + 0 * right):
                yield f"a sum in place of an element: each one is the sum over axis {axis}"

    def places(self) -> Iterator[str]:
        """The right elements in other places."""
        given, right = self.given, self.right
        if given.ndim == 2 and given.shape == given.T.shape and _close(given.T, right):
            yield "the transpose: swapped operands of a product of matrices"
        for k, j in itertools.permutations(self.wrong_places(), 2):
            if _close(given.flat[k], right.flat[j]):
                first, second = (_index(int(n), right.shape) for n in (k, j))
                yield f"a wrong index: what stands at {self.name}{first} belongs to {self.name}{second}"

    def wrong_places(self) -> list[int]:
        """The elements that are wrong, counted through."""
        size = TOLERANCE * float(np.max(np.abs(self.right), initial=0.0))
        wrong = ~np.isclose(self.given, self.right, rtol=TOLERANCE, atol=size)
        return [int(k) for k in np.flatnonzero(wrong)]

    def few(self) -> Iterator[str]:
        """Most elements are right."""
        wrong = self.wrong_places()
        if len(wrong) <= self.right.size / 4:
            where = [f"{self.name}{_index(k, self.right.shape)}" for k in wrong[:4]]
            more = ", ..." if len(wrong) > 4 else ""
            yield f"the right one but for {', '.join(where)}{more}"

    def swapped(self) -> Iterator[str]:
        """The gradient of another argument."""
        function, owner = target(self.function)
        names = parameter_names(function)[len(owner) :]
        for k, name in enumerate(names):
            if name == self.name or k >= len(self.args) or not is_float(self.args[k]):
                continue
            other = np.asarray(
                _called(grad(self.function, wrt=name), self.args, self.keywords), float
            )
            for sign, word in ((1, ""), (-1, "minus ")):
                if other.shape == self.given.shape and _close(sign * self.given, other):
                    yield f"{word}the gradient of {name}: swapped operands"
                elif self.has_elements_of(sign * other):
                    first = _index(self.wrong_places()[0], self.right.shape)
                    yield f"{word}the gradient of {name} at {self.name}{first}: swapped operands"

    def has_elements_of(self, other: np.ndarray) -> bool:
        """Whether all wrong elements of a vector are those of another gradient."""
        wrong = self.wrong_places()
        if not (self.given.ndim == other.ndim == 1 and max(wrong, default=other.size) < other.size):
            return False
        return _close(self.given[wrong], other[wrong])


def _fits(g: np.ndarray, right: np.ndarray) -> bool:
    try:
        return np.broadcast_shapes(g.shape, right.shape) == right.shape
    except ValueError:
        return False


def _close(a: Any, b: Any) -> bool:
    size = float(np.max(np.abs(b), initial=0.0))
    return bool(np.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE * size))


def _index(flat: int, shape: tuple[int, ...]) -> str:
    return f"[{', '.join(str(int(k)) for k in np.unravel_index(flat, shape))}]"
