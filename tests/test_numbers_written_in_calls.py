"""Numbers that a call writes for a `loc=0` or `scale=1` are put into the text of a rule, and change nothing of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.stats
from every_mode import each_right, kept_in
from test_rules_numeric import ROWS_OF_ALL, each, evaluated, head, result, samples

from tangentish.rules import Rule

GIVEN = [r for r in ROWS_OF_ALL if r.law == "elementwise" and {p.default for p in r.parameters} & {"0", "1"}]  # fmt: skip


@each(GIVEN)
def test_of_rows(rule: Rule) -> None:
    names = [p.name for p in rule.parameters if p.default in ("0", "1")]
    sample = next(samples(rule))
    for values in itertools.product((0, 1, 2), repeat=len(names)):
        written = dict(zip(names, values, strict=True))
        with np.errstate(all="ignore"):
            try:
                y = result(rule, sample | written)
                check_texts(rule, sample | written | {"y": y, "g": head(y)}, written)
            except ZeroDivisionError:  # a scale of 0
                continue


def check_texts(rule: Rule, at: dict[str, Any], written: dict[str, int]) -> None:
    for operand in set(rule.operands) - written.keys():
        expected = evaluated(rule.adjoint(operand), at)
        found = evaluated(rule.adjoint(operand, **written), at)
        np.testing.assert_allclose(found, expected, 1e-12, err_msg=f"{operand} {written}")


FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def of_another_width(x):
    below = scipy.stats.norm.cdf(x, 0, 2) + scipy.stats.norm.cdf(x, scale=3)
    return np.sum(below * scipy.stats.norm.logcdf(x, 1)) + np.sum(scipy.stats.expon.sf(x, 0, 2))


@form
def of_another_place(x):
    at = scipy.stats.norm.ppf(x / 4, 1, 2) * scipy.stats.uniform.cdf(x, 0, 3)
    return np.sum(at * scipy.stats.t.cdf(x, 3, 1)) + np.sum(scipy.stats.gamma.cdf(x, 2, 0, 2) ** 2)


@form
def of_the_usual_ones(x):
    return np.sum(scipy.stats.norm.cdf(x, 0, 1) * scipy.stats.beta.cdf(x / 4, 2, x, 0, 2))


test_every_mode = each_right(
    FUNCTIONS, np.array([1.0, 0.5, 2.2, 0.7]), np.array([0.3, -1.0, 0.4, 2.0])
)
