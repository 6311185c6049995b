"""Every row of the tables for any shape, type and layout of its operands, as far as the function takes them.

A sample of the row gets other lengths, the same for axes that were equally long: zeros and ones among them, axes that
broadcast where the function is one of elements, any axis where it reduces, stacks where it takes matrices. Arrays are
float32 to longdouble, transposed, strided or backwards in memory. The adjoint has the operand's shape and type, is the
transpose of the tangent, agrees with differences of the function, and changes no argument.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from rule_samples import Sample
from shape_strategies import MAKERS
from test_rules_numeric import (
    ROWS_OF_ALL,
    adjoint,
    each,
    function,
    head,
    is_float,
    literals,
    moved,
    places,
    result,
    samples,
    weigh,
)

from tangentish.rules import Rule

DTYPES = (np.float32, np.float64, np.float64, np.longdouble)
LAYOUTS: tuple[Any, ...] = (
    np.ascontiguousarray,
    np.asfortranarray,
    lambda x: np.repeat(x, 2, -1)[..., ::2],
    lambda x: np.flip(np.flip(x).copy()),
)
# These fix a type, or use one that has none of longdouble.
OF_ONE_TYPE = ("float", "np.float", "np.longdouble", "scipy.", "math.", "np.ldexp", "cast")
TAKEN_BY_NONE = (
    ValueError, TypeError, IndexError, ZeroDivisionError, AttributeError, NotImplementedError, RuntimeError,
    np.linalg.LinAlgError, np.exceptions.RankWarning,
)  # fmt: skip
"""What NumPy and SciPy raise where they do not take such arguments."""
# Of an empty array and a length, NumPy (2.4 at least) makes these out of memory that is not its own.
OF_SOMETHING = ("irfft", "hfft")


def is_square(x: Any) -> bool:
    return x.ndim > 1 and x.shape[-1] == x.shape[-2]


def filled(draw: Any, old: Any, shape: tuple[int, ...]) -> Any:
    """Other values of the kind that `old` has, in this shape: all different, heavy on the diagonal, or symmetric."""
    rng = np.random.default_rng(draw(st.integers(0, 9)))
    n = int(np.prod(shape))
    if old.dtype.kind != "f":
        return rng.choice(old.ravel(), shape) if old.size else np.zeros(shape, old.dtype)
    finite = old[np.isfinite(old)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.2, 0.9)
    if low == high:
        low, high = low - 0.1 * abs(low), high + 0.1 * abs(high)
    if old.ndim == 1 and old.size > 1 and np.all(np.diff(old) > 0):
        return np.linspace(low, high, n).reshape(shape)
    spread, gap = np.linspace(low, high, n + 2, retstep=True)
    apart = spread[1:-1] + 0.4 * gap * np.sin(np.arange(n) ** 2)  # no two means of them are equal
    new = rng.permutation(apart).reshape(shape)
    if is_square(old) and old.shape[-1] > 1 and len(shape) > 1 and shape[-1] == shape[-2]:
        off = finite.size and float(np.median(finite))
        new = rng.uniform(0.2, 0.9, shape) + np.eye(shape[-1]) * max(2.0, float(high) - off)
        if np.array_equal(old, np.swapaxes(old, -1, -2)):
            new = new + np.swapaxes(new, -1, -2)
    return new


def laid_out(draw: Any, x: Any, dtype: Any) -> Any:
    x = x.astype(dtype) if x.dtype.kind == "f" else x
    return draw(st.sampled_from(LAYOUTS))(x) if x.ndim else x


def arrays_in(value: Any) -> list[Any]:
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, (list, tuple)):
        return [a for v in value for a in arrays_in(v)]
    return []


def changed(value: Any, change: Any) -> Any:
    """The value with other arrays in it."""
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, (list, tuple)):
        return type(value)(changed(v, change) for v in value)
    return value


def with_lengths(draw: Any, rule: Rule, sample: Sample, dtype: Any) -> Sample:
    """Other lengths, the same for axes that were equally long, and a stack of what takes stacks."""
    every = [a for name in rule.operands for a in arrays_in(sample[name])]
    old = sorted({n for a in every for n in a.shape})
    fitted = "deg" in sample  # of fewer samples than coefficients there is no derivative
    others = (lambda n: (n,)) if fitted else (lambda n: (n, n, 0, 1, 2, 3, 5))
    lengths = {n: draw(st.sampled_from(others(n))) for n in old}
    stack = draw(st.sampled_from(((), (), (1,), (2,), (0,), (2, 1)))) if takes_stacks(rule) else ()

    def change(a: Any) -> Any:
        shape = tuple(lengths.get(n, n) for n in a.shape)
        one = a if shape == a.shape else filled(draw, a, shape)
        whole = (
            np.stack([one + 0.01 * k for k in range(int(np.prod(stack)))])
            if np.prod(stack)
            else one
        )
        return laid_out(
            draw,
            whole.reshape(stack + one.shape) if np.prod(stack) else np.zeros(stack + one.shape),
            dtype,
        )

    beside = {n: v for n, v in sample.items() if n in rule.operands or is_array_of_floats(v)}
    return sample | {name: changed(value, change) for name, value in beside.items()}


def is_array_of_floats(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def takes_stacks(rule: Rule) -> bool:
    return function(rule).startswith("np.linalg.") and not rule.ranks and len(rule.operands) == 1


def of_elements(draw: Any, rule: Rule, sample: Sample, dtype: Any) -> Sample:
    """Shapes that broadcast, for all the arrays."""
    names = [name for name, value in sample.items() if isinstance(value, np.ndarray)]
    strategy = arrays.mutually_broadcastable_shapes(
        num_shapes=max(1, len(names)), max_dims=3, min_side=0, max_side=3
    )
    shapes = draw(strategy).input_shapes
    pairs = zip(names, shapes, strict=False)
    return sample | {n: laid_out(draw, filled(draw, sample[n], shape), dtype) for n, shape in pairs}


def reduced(draw: Any, rule: Rule, sample: Sample, dtype: Any) -> Sample:
    """Any shape, with any axis of it."""
    rank = next(iter(rule.ranks.values()), None)
    shape = draw(
        arrays.array_shapes(min_dims=rank or 1, max_dims=rank or 3, min_side=0, max_side=3)
    )
    axis = draw(st.sampled_from([None, *range(-len(shape), len(shape)), tuple(range(len(shape)))]))
    old = np.shape(sample[rule.operands[0]])
    same = [n for n, v in sample.items() if isinstance(v, np.ndarray) and v.shape == old]
    new = {n: laid_out(draw, filled(draw, sample[n], shape), dtype) for n in same}
    if isinstance(sample.get("mean"), np.ndarray) and "mean" in rule.operands:
        fitting = np.sum(np.zeros(shape), axis=axis, keepdims=True).shape
        new["mean"] = laid_out(draw, filled(draw, sample["mean"], fitting), dtype)
    return sample | {"axis": axis, "keepdims": draw(st.booleans())} | new


def drawn(draw: Any, rule: Rule, tried: Sequence[Sample]) -> Sample:
    """A sample of the row with other arrays in it, or just laid out in another way."""
    sample = draw(st.sampled_from(tried))
    one_type = function(rule).startswith(OF_ONE_TYPE) or rule.law not in (
        "elementwise",
        "reduction",
    )
    dtype = (
        np.float64
        if one_type and draw(st.booleans())
        else draw(st.sampled_from(DTYPES[:-1] if one_type else DTYPES))
    )
    way = {"elementwise": of_elements, "reduction": reduced}.get(rule.law, with_lengths)
    make = MAKERS.get(rule.primal) or MAKERS.get(function(rule))
    if make is not None and draw(st.integers(0, 3)):
        known = {p.name for p in rule.parameters if p.choices is None}  # else the row is of these
        made = {n: v for n, v in make(draw, sample).items() if n in known}
        sample = sample | made
    elif make is None and draw(st.integers(0, 3)):
        return way(draw, rule, sample, dtype)
    return sample | {
        n: changed(sample[n], lambda a: laid_out(draw, a, dtype)) for n in rule.operands
    }


def taken(rule: Rule, sample: Sample) -> Any:
    """What the function gives, a finite float or several; None where it does not take these arguments."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", np.exceptions.RankWarning)
            y = result(rule, sample)
    except TAKEN_BY_NONE:
        return None
    parts = y if isinstance(y, (list, tuple)) else [y]
    floats = [np.asarray(p) for p in parts if np.asarray(p).dtype.kind == "f"]
    return y if floats and all(np.all(np.isfinite(p)) for p in floats) else None


def moved_by(value: Any, along: Any, step: float) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(moved_by(v, a, step) for v, a in zip(value, along, strict=True))
    return value + step * along


def by_differences(rule: Rule, sample: Sample, name: str, dot: Any, g: Any) -> float | None:
    """The derivative of the weighed result along `dot`; None where a step leaves the domain, or at a kink."""
    found, here = [], weigh(taken(rule, sample), g)
    for h in (1e-5, 5e-6):
        ends = [taken(rule, sample | {name: moved_by(sample[name], dot, s)}) for s in (h, -h)]
        if any(end is None for end in ends):
            return None
        after, before = ((weigh(end, g) - here) / h for end in ends)
        if abs(after + before) > 1e-2 * (1 + abs(after)):
            return None
        found.append((after - before) / 2)
    return (4 * found[1] - found[0]) / 3


def check(rule: Rule, sample: Sample, name: str, y: Any, g: Any) -> None:
    x = sample[name]
    several = isinstance(x, (list, tuple))
    back = [
        adjoint(rule, sample, name, y, g, k)
        for operand, k in places(rule, sample)
        if operand == name
    ]
    given = [*sample.values(), list(y) if isinstance(y, tuple) else y]
    alike = len({a.dtype for v in given for a in arrays_in(v) if a.dtype.kind == "f"}) == 1
    alike = alike and isinstance(y, np.ndarray)
    for d, part in zip(back, x if several else [x], strict=True):
        assert np.shape(d) == np.shape(part), (name, sample)
        if alike and np.ndim(d):
            assert d.dtype == part.dtype, (name, sample)
    if rule.tangent(name) is None:
        return
    dot = head(x, seed=6)
    weighed = sum(weigh(d, v) for d, v in zip(back, dot if several else [dot], strict=True))
    small = (
        any(a.dtype == np.float32 for v in sample.values() for a in arrays_in(v))
        or "float32" in rule.primal
    )
    size = 1 + abs(weighed)
    tolerance = 1e-2 if small else 1e-8
    np.testing.assert_allclose(
        moved(rule, sample, name, y, g, dot), weighed, tolerance, tolerance * size
    )
    expected = None if small else by_differences(rule, sample, name, dot, g)
    if expected is not None:
        np.testing.assert_allclose(
            weighed, expected, 1e-4, 1e-5 * size, err_msg=f"{name} of {sample}"
        )


def check_any_shape_type_and_layout(rule: Rule, data: Any) -> None:
    sample = drawn(data.draw, rule, list(samples(rule)))
    if any(name in rule.primal for name in OF_SOMETHING) and not np.size(sample["x"]):
        return
    y = taken(rule, sample)
    if y is None or (rule.law == "structural" and not np.size(y)):
        return
    g = head(y)
    before = copy.deepcopy((sample, y, g))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for name in rule.operands:
            if rule.adjoint(name) != "0" and is_float(sample[name]):
                check(rule, sample, name, y, g)
    np.testing.assert_equal((sample, y, g), before)
    assert literals(sample) == literals(before[0])


def of_rows(rows: list[Rule]) -> Any:
    """A test of some rows: hypothesis goes one call deeper at every further row of a test."""

    @each(rows)
    @settings(
        max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(data=st.data())
    def test(rule: Rule, data: Any) -> None:
        check_any_shape_type_and_layout(rule, data)

    return test


test_any_shape_of_a_first_part = of_rows(ROWS_OF_ALL[0::4])
test_any_shape_of_a_second_part = of_rows(ROWS_OF_ALL[1::4])
test_any_shape_of_a_third_part = of_rows(ROWS_OF_ALL[2::4])
test_any_shape_of_the_last_part = of_rows(ROWS_OF_ALL[3::4])
