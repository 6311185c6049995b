"""Every line of the tables in docs/conventions.md, held by a gradient at its kink, in both modes."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tangentish import grad, jvp

DOCS = Path(__file__).parent.parent / "docs" / "conventions.md"
NAN, INF = np.nan, np.inf


def a(*values: float) -> Any:
    return np.array(values, float)


@dataclass(frozen=True)
class Case:
    """A function of numbers, as one expression, and its gradients at a kink."""

    line: str  # how the line of the table begins, and where it says the kink is
    expression: str
    args: dict[str, Any]
    gradients: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.expression


CASES: list[Case] = []


def at(line: str, expression: str, *points: Any, **gradients: Any) -> None:
    """A case: the arguments x, z, ... in their order, and the gradient of each that has one."""
    args = dict(zip(("x", "z", "w"), points, strict=False))
    CASES.append(Case(line, expression, args, gradients))


def scaled(text: str) -> str:
    """The sum of an array, each element by a weight of its own: what goes where is seen."""
    return f"np.sum({text} * np.arange(1.0, 1 + np.size({text})))"


# fmt: off
ABS = "`abs`, `np.abs`, `np.fabs`, `math.fabs` | 0"
for name in ("abs", "np.abs", "np.fabs"):
    at(ABS, f"np.sum({name}(x))", a(0, -2, -0.0), x=[0, -1, 0])
at(ABS, "math.fabs(x)", 0.0, x=0)

RECTIFIER = "`np.maximum(x, 0)`, `np.minimum(x, 0)`, `max(x, 0)`, `min(x, 0)`, either order | 0"
for name, other in (("np.maximum", 3.0), ("np.minimum", -3.0)):
    at(RECTIFIER, f"np.sum({name}(x, 0))", a(0, other, -other), x=[0, 1, 0])
    at(RECTIFIER, f"np.sum({name}(0.0, x))", a(0, other, -other), x=[0, 1, 0])
for name in ("max", "min"):
    at(RECTIFIER, f"{name}(x, 0)", 0.0, x=0)
    at(RECTIFIER, f"{name}(0.0, x)", 0.0, x=0)

for name, more in (("np.maximum", 1), ("np.fmax", 1), ("np.minimum", 0), ("np.fmin", 0)):
    at("`np.maximum(x, z)`, `np.minimum`, `np.fmax`, `np.fmin` | x = z", scaled(f"{name}(x, z)"),
       a(3, 1, 5), a(3, 2, 4), x=[0.5, 2 * (1 - more), 3 * more], z=[0.5, 2 * more, 3 * (1 - more)])
for name in ("max", "min"):
    at("`max(x, z)`, `min(x, z)` of Python | x = z", f"{name}(x, z)", 2.0, 2.0, x=1, z=0)
    at("`max(xs)`, `max(x, y, z)`, ..., `min` alike | ties", f"{name}(x, z, w)", 2.0, 2.0, 2.0, x=1, z=0, w=0)
    at("`max(xs)`, `max(x, y, z)`, ..., `min` alike | ties", f"{name}([0.0 * x + 2, z, w])", 2.0, 2.0, 2.0, x=0, z=0, w=0)
    at("`max(xs)`, `max(x, y, z)`, ..., `min` alike | ties", f"{name}([x, z, w, x])", 2.0, 2.0, 2.0, x=1, z=0, w=0)

REDUCED = "`np.max`, `np.min`, `np.ptp`, along an axis or not | ties"
at(REDUCED, "np.max(x)", a(3, 1, 3), x=[0.5, 0, 0.5])
at(REDUCED, "np.min(x)", a(1, 1, 3, 1), x=[1 / 3, 1 / 3, 0, 1 / 3])
at(REDUCED, "np.ptp(x)", a(3, 1, 3, 1, 2), x=[0.5, -0.5, 0.5, -0.5, 0])
at(REDUCED, scaled("np.max(x, axis=1)"), np.array([[1.0, 1.0], [2.0, 1.0]]), x=[[0.5, 0.5], [2, 0]])
at(REDUCED, scaled("x.min(axis=0)"), np.array([[1.0, 1.0], [2.0, 1.0]]), x=[[1, 1], [0, 1]])
at(REDUCED, "np.max(x, initial=3.0)", a(3, 1, 3), x=[0.5, 0, 0.5])

BOUND = "`np.max(x, initial=v)`, `np.min(x, initial=v)` | an element is v"
at(BOUND, "np.max(x, initial=z)", a(3, 1, 3), 3.0, x=[0.5, 0, 0.5], z=0.0)
at(BOUND, "np.min(x, initial=z)", a(1, 3), 0.5, x=[0, 0], z=1.0)

SHIFT = "`m` of `x - m`, `m = np.max(x)` of a softmax | anywhere"
at(SHIFT, "np.max(x) + np.log(np.sum(np.exp(x - np.max(x))))", a(2, 2, 2, 2), x=[0.25] * 4)
at(SHIFT, "(np.exp(x - np.max(x)) / np.sum(np.exp(x - np.max(x))))[0]", a(2, 2), x=[0.25, -0.25])

CLIP = "`np.clip` | a bound"
at(CLIP, "np.sum(np.clip(x, 1, 2))", a(0.5, 1, 1.5, 2, 2.5), x=[0, 1, 1, 1, 0])
at(CLIP, "np.sum(x.clip(1, None))", a(0.5, 1, 2), x=[0, 1, 1])
at(CLIP, "np.sum(np.clip(x, None, 2))", a(1, 2, 2.5), x=[1, 1, 0])
at(CLIP, "np.sum(np.clip(x, z, w))", a(1, 2, 0, 3), a(1, 1, 1, 1), a(2, 2, 2, 2), x=[1, 1, 0, 0], z=[0, 0, 1, 0], w=[0, 0, 0, 1])

WHERE = "`np.where(c, x, z)` | anywhere"
at(WHERE, "np.sum(np.where(x > 2, np.log(x - 2), x))", a(2, 3, 4, 1), x=[1, 1, 0.5, 1])
at(WHERE, "np.sum(np.where(x > 0, np.sqrt(x), 0.0))", a(0, 4, -1), x=[0, 0.25, 0])
at(WHERE, "np.sum(np.where(np.isnan(x), 0.0, x ** 2))", a(NAN, 3), x=[0, 6])
at(WHERE, "np.sum(np.where(z == 0, 0.0, x / z))", a(0, 1), a(0, 2), x=[0, 0.5], z=[0, -0.25])
at(WHERE, "np.sum(np.where(x == z, x, z))", a(1, 2), a(1, 1), x=[1, 0], z=[0, 1])

STEPS = "`np.sign`, `np.floor`, `np.round`, `//`, comparisons, ... | anywhere"
for expression in ("np.sign(x)", "np.floor(x)", "np.round(x)", "np.ceil(x)", "np.trunc(x)", "(x // 1)", "(x > 1)"):
    at(STEPS, f"np.sum(x + {expression})", a(0, 1, 0.5), x=[1, 1, 1])
at("`x % z` | a jump", "np.sum(x % z)", a(2, -3, 2.5), a(1, 1, 1), x=[1, 1, 1], z=[-2, 3, -2])

ORDER = "`np.sort`, `np.median`, `np.quantile` | ties"
at(ORDER, scaled("np.sort(x)"), a(2, 1, 1, 2), x=[3, 1, 2, 4])
at(ORDER, "np.median(x)", a(1, 1, 1), x=[0, 1, 0])
at(ORDER, "np.median(x)", a(2, 1, 1, 2), x=[0.5, 0, 0.5, 0])
at(ORDER, "np.quantile(x, 0.25)", a(2, 1, 1, 1, 2), x=[0, 0, 1, 0, 0])
at(ORDER, "np.percentile(x, 100)", a(2, 1, 2), x=[0, 0, 1])
at("`np.unique` | repeats", scaled("np.unique(x)"), a(2, 1, 2, 1), x=[2, 1, 0, 0])

ORIGIN = "`np.linalg.norm`, `np.hypot`, `np.arctan2` | the origin"
for order in ("", ", 2", ", 1", ", 3", ", np.inf", ", -np.inf"):
    at(ORIGIN, f"np.linalg.norm(x{order})", a(0, 0, 0), x=[0, 0, 0])
for order in ("", ", 'nuc'", ", 2", ", -2", ", 1", ", np.inf"):
    at(ORIGIN, f"np.linalg.norm(x{order})", np.zeros((2, 2)), x=np.zeros((2, 2)))
at(ORIGIN, "np.sum(np.linalg.norm(x, axis=1))", np.array([[0.0, 0.0], [3.0, 4.0]]), x=[[0, 0], [0.6, 0.8]])
at(ORIGIN, "np.linalg.vector_norm(x)", a(0, 0), x=[0, 0])
for name in ("np.hypot", "np.arctan2"):
    at(ORIGIN, f"np.sum({name}(x, z))", a(0), a(0), x=[0], z=[0])
    at(ORIGIN, f"{name.replace('np.arc', 'math.a').replace('np', 'math')}(x, z)", 0.0, 0.0, x=0, z=0)

at('`np.linalg.norm(x, "nuc")` | singular values that are 0, up to rounding', 'np.linalg.norm(x, "nuc")', np.diag([2.0, 0.0]), x=[[1, 0], [0, 0]])
at("`np.linalg.norm(x, 2)` | equal largest singular values", "np.linalg.norm(x, 2)", np.eye(2), x=[[0.5, 0], [0, 0.5]])
at("`np.std` | all equal", "np.std(x)", a(2, 2, 2), x=[0, 0, 0])
at("`np.std` | all equal", "np.sum(x.std(axis=1, ddof=1))", np.ones((2, 3)), x=np.zeros((2, 3)))
at("`np.sinc` | 0", "np.sum(np.sinc(x))", a(0, 1), x=[0, -1])
at("`x ** 0` | anywhere", "np.sum(x ** 0)", a(0, 2, -1, INF), x=[0, 0, 0, 0])
at("`x ** 0` | anywhere", "np.sum(x ** z)", a(0, 2), a(0, 0), x=[0, 0], z=[0, np.log(2)])
for points in ((a(0, 0, 0), a(0, 1, 2)),):
    at("`0 ** p`, `x ** p` with respect to p | x = 0", "np.sum(x ** z)", *points, x=[0, 1, 0], z=[0, 0, 0])
at("`0 ** p`, `x ** p` with respect to p | x = 0", "np.sum(scipy.special.powm1(x, z))", a(0, 2, 0), a(2, 1, 1), x=[0, 1, 1], z=[0, 2 * np.log(2), 0])
at("`0 ** p`, `x ** p` with respect to p | x = 0", "np.sum(0.0 ** x)", a(0.5, 2), x=[0, 0])
at("`0 ** p`, `x ** p` with respect to p | x = 0", "x ** z", 0.0, 2.0, x=0, z=0)

FACTORS = "`np.prod`, `np.cumprod` | zeros among the factors"
at(FACTORS, "np.prod(x)", a(3, 0, 5), x=[0, 15, 0])
at(FACTORS, "np.prod(x)", a(0, 0, 5), x=[0, 0, 0])
at(FACTORS, "np.sum(np.prod(x, axis=1))", np.array([[0.0, 2.0], [0.0, 0.0]]), x=[[2, 0], [0, 0]])
at(FACTORS, scaled("np.cumprod(x)"), a(3, 0, 5, 2), x=[1, 171, 0, 0])
at(FACTORS, scaled("np.cumprod(x)"), a(0, 0, 5), x=[1, 0, 0])
at(FACTORS, "math.prod(x)", a(3, 0, 5), x=[0, 15, 0])

RUNNING = "`np.maximum.accumulate`, `np.minimum.accumulate`, and `reduceat` of the same | ties"
at(RUNNING, scaled("np.maximum.accumulate(x)"), a(1, 1, 0, 2), x=[6, 0, 0, 4])
at(RUNNING, scaled("np.minimum.accumulate(x)"), a(1, 1, 2, 0), x=[6, 0, 0, 4])
at(RUNNING, scaled("np.maximum.reduceat(x, [0, 1])"), a(2, 2, 0, 2), x=[1, 2, 0, 0])
for name in ("np.fmax", "np.fmin"):
    at("`np.fmax`, `np.fmin` | one is nan", f"np.sum({name}(x, z))", a(NAN, 1), a(2, NAN), x=[0, 1], z=[1, 0])

GAPS = "`np.nansum`, `np.nanmean`, `np.nanmax`, ... | nan"
at(GAPS, "np.nansum(x)", a(1, NAN, 2), x=[1, 0, 1])
at(GAPS, "np.nanmean(x)", a(1, NAN, 2), x=[0.5, 0, 0.5])
at(GAPS, "np.nanmax(x)", a(2, NAN, 2), x=[0.5, 0, 0.5])
at(GAPS, "np.nanmin(x)", a(2, NAN, 3), x=[1, 0, 0])
at(GAPS, "np.nansum((x - z) ** 2)", a(1, NAN, 2), a(0, 1, 4), x=[2, 0, -4], z=[-2, 0, 4])
at(GAPS, "np.nanmean(x * z)", a(1, NAN, 2), a(0, 1, 4), x=[0, 0, 2], z=[0.5, 0, 1])
at(GAPS, "np.nansum(x * np.log(x))", a(0, 1), x=[0, 1])

PICKED = "`where=` of `np.sum`, `np.mean`, `np.max`, ... | anywhere"
at(PICKED, "np.sum(x * np.log(x), where=x > 0)", a(0, 1), x=[0, 1])
at(PICKED, "np.mean(1 / x, where=x > 0)", a(0, 1, 2), x=[0, -0.5, -0.125])
at(PICKED, "np.max(np.log(x), where=x > 0, initial=-1)", a(0, 1), x=[0, 1])
at(PICKED, "np.var(x / z, where=z > 0)", a(1, 1, 2), a(0, 1, 1), x=[0, -0.5, 0.5], z=[0, 0.5, -1])
at(GAPS, "np.nanprod(x)", a(2, NAN, 3), x=[3, 0, 2])
at(GAPS, "np.nanvar(x)", a(1, NAN, 3), x=[-1, 0, 1])
at(GAPS, "np.nanstd(x)", a(2, NAN, 2), x=[0, 0, 0])
at(GAPS, "np.nanmedian(x)", a(2, NAN, 1), x=[0.5, 0, 0.5])
at(GAPS, scaled("np.nancumsum(x)"), a(1, NAN, 2), x=[6, 0, 3])

LOGADD = "`np.logaddexp` | x = z"
at(LOGADD, "np.sum(np.logaddexp(x, z))", a(1, 800, -800, 0), a(1, 0, 0, 800), x=[0.5, 1, 0, 0], z=[0.5, 0, 1, 1])
at(LOGADD, "np.sum(np.logaddexp2(x, z))", a(1), a(1), x=[0.5], z=[0.5])
at(LOGADD, "np.sum(np.logaddexp(x, z))", a(-INF, 1), a(0, -INF), x=[0, 1], z=[1, 0])
at(LOGADD, "np.sum(np.logaddexp(0, x))", a(0, -INF, 800, -800), x=[0.5, 0, 1, 0])
at(LOGADD, "np.sum(np.logaddexp2(x, 0))", a(0, -INF, 800, -800), x=[0.5, 0, 1, 0])
MASKED = "`np.logaddexp`, `scipy.special.logsumexp` | all are -inf"
at(MASKED, "np.sum(np.exp(np.logaddexp(x, z)))", a(-INF, 1), a(-INF, 0), x=[0, np.e], z=[0, 1])
at(MASKED, "np.sum(np.exp2(np.logaddexp2(x, z)))", a(-INF), a(-INF), x=[0], z=[0])
at(MASKED, "np.exp(np.logaddexp.reduce(x))", a(-INF, -INF), x=[0, 0])
at(MASKED, "np.exp(scipy.special.logsumexp(x))", a(-INF, -INF), x=[0, 0])
at("`np.heaviside(x, h)` | x = 0", "np.sum(np.heaviside(x, z))", a(0, 1), a(0.3, 0.3), x=[0, 0], z=[1, 0])
at("`np.linalg.det` | a singular matrix", "np.linalg.det(x)", np.array([[1.0, 2.0], [2.0, 4.0]]), x=[[4, -2], [-2, 1]])
at("`np.linalg.det` | a singular matrix", "np.linalg.det(x)", np.zeros((2, 2)), x=np.zeros((2, 2)))

EQUAL = "`np.linalg.eigh`, `svd` | equal eigenvalues"
at(EQUAL, "np.linalg.eigh(x)[1][0, 0]", np.eye(2), x=np.zeros((2, 2)))
at(EQUAL, "np.sum(np.linalg.eigh(x)[0])", np.eye(2), x=np.eye(2))
at(EQUAL, "np.linalg.svd(x)[0][0, 0]", np.eye(2), x=np.zeros((2, 2)))
at(EQUAL, "np.sum(np.linalg.svd(x, compute_uv=False))", np.eye(2), x=np.eye(2))

at("vectors of `np.linalg.svd` that have no singular value | anywhere", "np.linalg.svd(x)[0][0, 0] ** 2", a(3, 4).reshape(2, 1),
   x=[[0.1536], [-0.1152]])

at('columns of `np.linalg.qr(x, "complete")` that only fill up the basis | anywhere', "np.sum(np.linalg.qr(x, mode='complete')[1])", a(3, 4).reshape(2, 1),
   x=[[-0.6], [-0.8]])

for name in ("minkowski", "euclidean", "jensenshannon"):
    at("distances of SciPy, with weights or without | x = z", f"scipy.spatial.distance.{name}(x, z)", a(1, 2), a(1, 2), x=[0, 0], z=[0, 0])
at("distances of SciPy, with weights or without | x = z", "scipy.spatial.distance.euclidean(x, z, w=w)", a(1, 2), a(1, 2), a(3, 4), x=[0, 0], z=[0, 0], w=[0, 0])
at("`scipy.special.xlogy(x, z)` | x = 0", "np.sum(scipy.special.xlogy(x, z))", a(0, 2), a(0, 1), x=[-INF, 0], z=[0, 2])
at("`np.quantile` with respect to q | an element", "np.sum(np.quantile(x, z))", a(0, 1, 3), a(0.5, 0.25), x=[0.5, 1.5, 0], z=[4, 2])
at('`np.quantile` with respect to q, methods that jump (`"lower"`, `"nearest"`, ...) | anywhere', "np.sum(np.quantile(x, z, method='lower'))",
   a(0, 1, 3), a(0.3, 0.6), x=[1, 1, 0], z=[0, 0])
at("`np.interp` | a node", "np.sum(np.interp(x, [0.0, 1.0, 3.0], [0.0, 2.0, 8.0]))", a(0, 1, 0.5), x=[2, 3, 2])
at("`np.polymul(p, q)`, zeros that lead p, and the remainder of `np.polydiv` | where they are left out",
   "np.polyval(np.polymul(x, z), 2.0)", a(0, 1, 2), a(1, 3), x=[NAN, 10, 5], z=[8, 4])
at("`np.nan_to_num` | nan, inf", "np.sum(np.nan_to_num(x))", a(NAN, 1, INF, -INF), x=[0, 1, 0, 0])
at("`np.nan_to_num` | nan, inf", "np.sum(np.nan_to_num(x / z))", a(0, 1, 1), a(0, 0, 2), x=[0, 0, 0.5], z=[0, 0, -0.25])

COMPLEX = "`np.abs`, `np.angle`, `np.sign`, `np.linalg.norm` of complex z | z = 0"
at(COMPLEX, "np.sum(np.abs(x + 1j * z))", a(0, 3), a(0, 4), x=[0, 0.6], z=[0, 0.8])
at(COMPLEX, "np.sum(np.angle(x + 1j * z))", a(0, 0), a(0, 2), x=[0, -0.5], z=[0, 0])
at(COMPLEX, "np.sum(np.real(np.sign(x + 1j * z)))", a(0, 0), a(0, 2), x=[0, 0.5], z=[0, 0])
at(COMPLEX, "np.linalg.norm(x + 1j * z)", a(0), a(0), x=[0], z=[0])
at("`np.copysign` with respect to the sign | anywhere", "np.sum(np.copysign(x, z))", a(2, 2), a(-1, 0), x=[-1, 1], z=[0, 0])

HALF = "`np.linalg.cholesky`, `eigh`, covariances | any matrix"
at(HALF, "np.linalg.cholesky(x)[1, 1]", np.array([[4.0, 2.0], [2.0, 5.0]]), x=[[1 / 16, 0], [-0.25, 0.25]])
at(HALF, "np.linalg.eigh(x)[0][0]", np.array([[0.0, 1.0], [1.0, 0.0]]), x=[[0.5, 0], [-1, 0.5]])
at(HALF, "scipy.stats.multivariate_normal.logpdf(np.ones(2), np.zeros(2), x)", np.eye(2), x=[[0, 0], [1, 0]])

# What the text says besides the table: an infinite derivative stays one, and where the function is smooth, nothing is nan.
INFINITE = "A derivative that is truly infinite stays so"
at(INFINITE, "np.sum(np.sqrt(x))", a(0, 4), x=[INF, 0.25])
at(INFINITE, "np.sum(x ** 0.5)", a(0, 4), x=[INF, 0.25])
at(INFINITE, "np.sum(np.cbrt(x))", a(0, 8), x=[INF, 1 / 12])

SMOOTH = "the true derivative is given"
at("densities and distribution functions of `scipy.stats` | an end of the support",
   "scipy.stats.gamma.pdf(x, 2.5) + scipy.stats.weibull_min.cdf(x, 1.5) + scipy.stats.lognorm.cdf(x, 1.0)", 0.0, x=0)
at(SMOOTH, "np.sum(x ** 2)", a(0, -1), x=[0, -2])
at(SMOOTH, "np.sum(x ** z)", a(0, -1, 0), a(2, 2, 3), x=[0, -2, 0])
at(SMOOTH, "np.sum(x ** 3.0 / (1 + x ** 2))", a(0), x=[0])
at(SMOOTH, "np.sum(1 / (1 + np.exp(-x)))", a(0, 1e3), x=[0.25, 0])
at(SMOOTH, "np.sum(np.tanh(x))", a(0, 1e3, -1e3), x=[1, 0, 0])
at(SMOOTH, "np.sum(np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0))", a(1e3, -1e3, 2), x=[1, 0, 1 / (1 + np.exp(-2))])
at(SMOOTH, "np.sum(scipy.special.xlogy(z, x) + scipy.special.entr(x))", a(1, 2), a(0, 0), x=[-1, -1 - np.log(2)])
at(SMOOTH, "scipy.special.logsumexp(x)", a(-INF, 0, 0), x=[0, 0.5, 0.5])
at(SMOOTH, "np.linalg.norm(x) ** 2", a(0, 0), x=[0, 0])
at(SMOOTH, "np.linalg.norm(x) ** 2", a(3, 4), x=[6, 8])
at(SMOOTH, "np.std(x) ** 2", a(2, 2), x=[0, 0])
at(SMOOTH, "np.abs(x) ** 2", 0.0, x=0)
at(SMOOTH, "np.hypot(x, z) ** 2", 0.0, 0.0, x=0, z=0)
at(SMOOTH, "np.prod(x ** 2)", a(0, 3), x=[0, 0])
# fmt: on


def lines_of_the_table() -> list[str]:
    """Function and place of each line of the first table."""
    table = DOCS.read_text(encoding="utf-8").partition("## Complex numbers")[0]
    rows = [line.strip("|").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return [" | ".join(cell.strip() for cell in row[:2]).strip() for row in rows[1:]]


def test_every_line_has_a_case() -> None:
    text = " ".join(DOCS.read_text(encoding="utf-8").split())
    lines, held = lines_of_the_table(), {case.line for case in CASES}
    assert len(lines) > 30
    assert set(lines) - held == set()
    assert {line for line in held - set(lines) if line not in text} == set()


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Callable[..., Any]]:
    """The functions of the cases in a file, so that their source is found."""
    text = ["import math", "import numpy as np", "import scipy.special, scipy.stats", ""]
    for k, case in enumerate(CASES):
        text += [f"def case_{k}({', '.join(case.args)}):", f"    return {case.expression}", ""]
    path: Path = tmp_path_factory.mktemp("conventions") / "functions_of_the_conventions.py"
    path.write_text("\n".join(text), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {k: getattr(module, f"case_{k}") for k in range(len(CASES))}


EACH = pytest.mark.parametrize(
    "k", range(len(CASES)), ids=[re.sub(r"\s+", "", case.id) for case in CASES]
)


@EACH
def test_gradient_at_the_kink(k: int, functions: dict[int, Callable[..., Any]]) -> None:
    case = CASES[k]
    names = list(case.args)
    for name, expected in case.gradients.items():
        with np.errstate(all="ignore"):
            found = grad(functions[k], wrt=names.index(name))(*case.args.values())
        np.testing.assert_allclose(found, expected, 1e-12, 1e-12, err_msg=name)


@EACH
@pytest.mark.filterwarnings("ignore:eigenvalues or singular values are equal")
def test_tangent_at_the_kink(k: int, functions: dict[int, Callable[..., Any]]) -> None:
    """The tangent along every single direction is the element of the gradient."""
    case = CASES[k]
    points = tuple(case.args.values())
    for name, expected in case.gradients.items():
        if np.any(np.isinf(expected)):
            continue  # times the 0 of another element it is nan
        for place, slope in np.ndenumerate(np.asarray(expected, float)):
            along = np.zeros(np.shape(expected))
            along[place] = 1.0
            tangents = [(along if along.ndim else 1.0) if n == name else None for n in case.args]
            with np.errstate(all="ignore"):
                found = jvp(functions[k], points, tuple(tangents))[1]
            np.testing.assert_allclose(found, slope, 1e-12, 1e-12, err_msg=f"{name}{place}")


def test_a_gradient_of_a_vector_without_a_singular_value() -> None:
    def other(x):
        return np.linalg.svd(x)[0][0, 1] ** 2

    with pytest.raises(ValueError, match="write full_matrices=False"):
        grad(other)(a(3, 4).reshape(2, 1))
