"""Rows of elementwise functions and reductions for any shape, type and layout of their operands.

Lengths of zero and one, axes that broadcast, float32 to longdouble, arrays that are transposed, strided or backwards in
memory: the adjoint has the operand's shape and type, is the transpose of the tangent, and changes no argument.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from rule_samples import DOMAINS, SAMPLES, Sample
from test_rules_numeric import (
    ROWS_OF_ALL,
    adjoint,
    each,
    function,
    head,
    literals,
    moved,
    result,
    samples,
    weigh,
)

from tangentish.rules import Rule

DTYPES = (np.float32, np.float64, np.longdouble)
LAYOUTS: tuple[Any, ...] = (
    np.ascontiguousarray,
    np.asfortranarray,
    lambda x: np.repeat(x, 2, -1)[..., ::2],
    lambda x: x[(slice(None, None, -1),) * x.ndim],
)
# These fix a type, or use one that has none of longdouble.
OF_ONE_TYPE = ("float", "np.float", "np.longdouble", "scipy.", "math.", "np.ldexp", "cast")

OPEN = [
    rule
    for rule in ROWS_OF_ALL
    if rule.law in ("elementwise", "reduction")
    and not rule.ranks
    and not {function(rule), rule.primal} & SAMPLES.keys()
    and not function(rule).startswith(OF_ONE_TYPE)
]


def operand(draw: Any, shape: tuple[int, ...], dtype: Any, domain: tuple[float, float]) -> Any:
    n = int(np.prod(shape))
    values = np.linspace(*domain, n + 2)[1:-1] if n else np.zeros(0)
    order = np.random.default_rng(draw(st.integers(0, 9))).permutation(n)
    x = values[order].reshape(shape).astype(dtype)
    return draw(st.sampled_from(LAYOUTS))(x) if x.ndim else x


def drawn(draw: Any, rule: Rule) -> Sample | None:
    """A sample of the row with other arrays in it."""
    sample = next(iter(samples(rule)), None)
    if sample is None or not all(isinstance(sample[n], np.ndarray) for n in rule.operands):
        return None
    domain = DOMAINS.get(function(rule), (0.2, 0.9))
    dtype = draw(st.sampled_from(DTYPES))
    if rule.law == "reduction":
        shape = draw(arrays.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3))
        axis = draw(
            st.sampled_from([None, *range(-len(shape), len(shape)), tuple(range(len(shape)))])
        )
        free = {"axis": axis, "keepdims": draw(st.booleans())}
        return sample | free | {n: operand(draw, shape, dtype, domain) for n in rule.operands}
    strategy = arrays.mutually_broadcastable_shapes(
        num_shapes=len(rule.operands), max_dims=3, min_side=0, max_side=3
    )
    shapes = draw(strategy).input_shapes
    pairs = zip(rule.operands, shapes, strict=True)
    return sample | {n: operand(draw, shape, dtype, domain) for n, shape in pairs}


@each(OPEN)
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_shape_type_and_layout(rule: Rule, data: Any) -> None:
    sample = drawn(data.draw, rule)
    if sample is None:
        pytest.skip("an operand of this row is no array")
    try:
        y = result(rule, sample)
    except (ValueError, TypeError, IndexError):
        return  # NumPy takes no such axis
    g = head(y)
    before = copy.deepcopy((sample, y, g))
    for name in rule.operands:
        d, x = adjoint(rule, sample, name, y, g), sample[name]
        assert np.shape(d) == np.shape(x), (name, sample)
        if np.asarray(y).dtype == x.dtype and np.ndim(d) and rule.adjoint(name) != "0":
            assert d.dtype == x.dtype, (name, sample)
        if rule.adjoint(name) != "0" and rule.tangent(name) is not None:
            dot = head(x, seed=6)
            forward = moved(rule, sample, name, y, g, dot)
            tolerance = 1e-3 if x.dtype == np.float32 else 1e-9
            np.testing.assert_allclose(forward, weigh(d, dot), tolerance, tolerance)
    for old, new in zip(before[0].values(), sample.values(), strict=True):
        np.testing.assert_array_equal(old, new)
    np.testing.assert_array_equal(before[2], g)
    assert literals(sample) == literals(before[0])
