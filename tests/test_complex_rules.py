"""Every row that holds for complex numbers against numeric derivatives, in both modes.

The gradient d of a complex z is such that the real part of sum(d * dz) is what a change dz adds to the real part of
sum(g * y); of a real z that of d counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.fft  # noqa: F401  (its rows are read)
import scipy.fftpack  # noqa: F401
import scipy.integrate  # noqa: F401
from rule_samples import SQUARE, Sample, values
from test_rules_numeric import WITH_DTYPE, adjoint, evaluated, function, places, result, samples

from tangentish import rules, runtime
from tangentish.rules import Rule

rules.load_tables()
NESTED = "np.block(xs)"  # whose lists hold lists: in test_complex_signals.py
ROWS = [
    rule
    for rows in rules.RULES.values()
    for rule in rows
    if rule.is_for("complex") and rule.primal != NESTED
]
each = pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.primal) for rule in ROWS])

SIGNALS: list[Sample] = [
    {"x": values(*shape), "axis": axis, "norm": norm}
    for shape, axis in (((5,), -1), ((4,), 0), ((3, 4), 0), ((2, 5), 1))
    for norm in (None, "ortho", "forward")
]
IMAGES: list[Sample] = [
    {"x": values(*shape), "s": None, "axes": axes, "norm": norm}
    for shape, axes in (((3, 4), (0, 1)), ((2, 3, 5), (-2, -1)), ((2, 3, 4), (2, 0)))
    for norm in (None, "ortho", "backward")
]
LENGTHS = [s | {"n": n} for s in SIGNALS for n in (3, 6)]
OWN_SAMPLES: dict[str, list[Sample]] = {
    **{f"fft.{name}": LENGTHS for name in ("fft", "ifft", "rfft", "irfft")},
    **{f"fftpack.{name}": LENGTHS for name in ("fft", "ifft")},
    **{f"fft.{name}": IMAGES for name in ("fft2", "ifft2", "fftn", "ifftn", "rfft2", "rfftn")},
    "fft.irfft2": [s | {"s": (4, 5)} for s in IMAGES] + IMAGES,
    **{
        f"fft.{name}(x, s, axes{default}, norm=None)": [
            s | {"s": n} for s in IMAGES for n in ((4, 5), (2, 3))
        ]
        for name, default in (
            ("fft2", "=(-2, -1)"),
            ("ifft2", "=(-2, -1)"),
            ("fftn", ""),
            ("ifftn", ""),
            ("rfft2", "=(-2, -1)"),
            ("rfftn", ""),
        )
    },
    **{
        f"scipy.fft.{name}(x, s, axes=[None], norm=None)": [
            {"x": values(*shape), "s": s, "norm": norm}
            for shape, s in (((3, 4), (4, 5)), ((2, 3, 4), (2, 3)), ((2, 4), (5,)))
            for norm in (None, "ortho", "forward")
        ]
        for name in ("fftn", "ifftn", "rfftn", "irfftn")
    },
    "fft.irfftn": [s | {"s": (4, 5)} for s in IMAGES],
    "fft.hfft": LENGTHS,
    "fft.ihfft": LENGTHS,
    **{
        f"fft.{i}hfft{name}": [s | {"s": n} for s in IMAGES[::3] for n in (None, (4, 5))]
        for i in ("", "i")
        for name in "2n"
    },
    "resized": [{"h": values(4), "x": values(n), "axis": -1} for n in (3, 4, 6)],
    "irfft_adjoint": [
        {"h": values(5), "x": values(n), "axis": -1, "norm": None} for n in (2, 3, 4)
    ],
    "rfftn_adjoint": [
        {"h": values(3, 3), "x": values(3, 4), "axes": (0, 1), "norm": None, "s": s}
        for s in (None, (3, 5))
    ],
    "irfftn_adjoint": [{"h": values(4, 5), "x": values(3, 4), "axes": (0, 1), "norm": None}],
    "complex": [{"x": 0.4, "z": 0.7}],
    "np.complex128": [{"x": np.float64(0.4)}],
    "np.astype": [{"x": values(3), "dtype": complex}],
    "signal.hilbert": [{"x": values(5), "axis": -1}, {"x": values(4, 3), "axis": 0}],
    **{
        f"special.{name}": [{"v": v, "x": x} for x in (values(3) + 0.5, 0.9) for v in (0, 1, 1.5)]
        for name in ("hankel1", "hankel2")
    },
    "special.lambertw": [{"x": x, "k": k} for x in (values(3), 0.4) for k in (0, 1, -1)],
}
HERMITIAN = values(3, 3) + 1j * values(3, 3, seed=1) + 3 * np.eye(3)
HERMITIAN = HERMITIAN + np.conj(HERMITIAN.T)
MATRICES = [
    SQUARE,
    np.array([[0.3, -1.2, 0.1], [1.1, 0.2, 0.3], [0.2, 0.1, 0.7]]),
    np.stack((SQUARE, SQUARE.T + 0.3)),
]
OWN_SAMPLES |= {
    "np.linalg.eig": [{"x": x + 0.4j * values(3, 3, seed=4)} for x in MATRICES]
    + [{"x": x} for x in MATRICES[1:2]],
    "np.linalg.eigvals": [{"x": x + 0.4j * values(3, 3, seed=4)} for x in MATRICES]
    + [{"x": x} for x in MATRICES[1:2]],
    **{
        f"scipy.linalg.{name}": [{"x": x + 0.4j * values(3, 3, seed=4)} for x in MATRICES[:2]]
        + [{"x": x} for x in MATRICES[1:2]]
        for name in ("eig", "eigvals")
    },
    "np.roots": [
        {"p": p}
        for p in (values(4), np.array([1.0, -3.0, 2.5, 0.3]), values(4) + 1j * values(4, seed=2))
    ],
    **{
        f"np.linalg.{name}": [{"x": HERMITIAN, "UPLO": u, "upper": False} for u in "LU"]
        for name in ("eigh", "eigvalsh", "cholesky")
    },
    "scipy.linalg.eigh": [{"x": HERMITIAN}],
    "gradient_adjoint": [
        {"h": HERMITIAN[0], "f": HERMITIAN[1], "x": 0.3, "axis": 0, "edge_order": e} for e in (1, 2)
    ],
    "np.linalg.cholesky(x, upper=[True])": [{"x": HERMITIAN, "upper": True}],
    "np.linalg.svd": [
        {"x": values(3, 2) + 1j * values(3, 2, seed=1), "full_matrices": False, "compute_uv": False}
    ],
    **{
        f"scipy.integrate.{name}": [
            {"v": values(*shape) + 1j * values(*shape, seed=1), "x": x, "dx": 0.3, "axis": axis}
            for shape, axis in (((5,), -1), ((9, 2), 0))
            for x in ([np.cumsum(values(shape[axis]))] if "(" in name else [None])
        ]
        for name in (
            "simpson",
            "simpson(v, x, dx=1.0, axis=-1)",
            "romb",
            "cumulative_simpson",
            *(
                f"cumulative_simpson(v, x=x, dx=1.0, axis=-1, initial=[{start}])"
                for start in (None, 0)
            ),
        )
    },
    "np.linalg.svdvals": [{"x": values(3, 2) + 1j * values(3, 2, seed=1)}],
}
GIVEN = (
    "eig",
    "eigvals",
    "roots",
    "eigh",
    "eigvalsh",
    "cholesky",
    "svd",
    "svdvals",
    "simpson",
    "romb",
    "cumulative_simpson",
    "gradient_adjoint",
)
"""Their samples are as they are tried."""
# A product of zero: what is asked for are the products of x.
OWN_SAMPLES["others"] = [
    {"x": values(2, 3) + 1j * values(2, 3, seed=1), "axis": 0, "p": np.zeros((1, 3), complex)}
]
STAY_REAL = (
    "rfft",
    "hilbert",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "rfft2",
    "rfftn",
    "complex",
    "irfft_adjoint",
    "irfftn_adjoint",
)
"""Functions of real numbers, of which the result is complex."""


def is_float(x: Any) -> bool:
    return np.asarray(x).dtype.kind == "f"


def turned(x: Any, seed: int) -> Any:
    """The same number or array with an imaginary part."""
    if isinstance(x, (list, tuple)):
        return type(x)(turned(e, seed + k) for k, e in enumerate(x))
    if not is_float(x):
        return x
    z = x + 1j * np.random.default_rng(seed).uniform(0.2, 0.9, np.shape(x))
    return np.asarray(z) if isinstance(x, np.ndarray) else complex(z)


def own_samples(rule: Rule) -> Iterator[Sample]:
    name = function(rule).removeprefix("np.").removeprefix("scipy.")
    keys = (k for k in (rule.primal, function(rule), name) if k in OWN_SAMPLES)
    for key in itertools.islice(keys, 1):
        for sample in OWN_SAMPLES.get(key, ()):
            known = {p.name: sample[p.name] for p in rule.parameters if p.name in sample}
            fixed = {p.name: p.literal for p in rule.parameters if p.literal is not rules.ABSENT}
            chosen = {p.name: p.choices[0] for p in rule.parameters if p.choices}
            yield known | fixed | chosen


def complex_samples(rule: Rule) -> Iterator[Sample]:
    """The samples with all operands complex, and with all but one."""
    found = list(own_samples(rule)) or list(samples(rule))
    if rule.primal.endswith(WITH_DTYPE):
        found = [sample | {"dtype": complex} for sample in found]
    real = function(rule).rpartition(".")[2] in (*STAY_REAL, *GIVEN)
    for k, sample in enumerate(found):
        if real:
            yield sample
            continue
        moving = {*rule.operands, *(n for n, x in sample.items() if isinstance(x, np.ndarray))}
        every = {name: turned(sample[name], k) for name in sorted(moving)}
        names = [name for name in rule.operands if rule.adjoint(name) != "0"]
        yield sample | every
        for name in names if len(names) > 1 else ():
            mixed = sample | every | {name: sample[name]}
            if stays_complex(rule, mixed):
                yield mixed


def stays_complex(rule: Rule, sample: Sample) -> bool:
    """Whether the function takes these values together: `np.pad` puts no complex border around a real array."""
    try:
        result(rule, sample)
    except np.exceptions.ComplexWarning:
        return False
    return True


def head(y: Any, seed: int = 5) -> Any:
    if isinstance(y, (list, tuple)):
        parts = [head(e, seed + k) for k, e in enumerate(y)]
        return tuple(parts) if isinstance(y, tuple) else parts
    rng = np.random.default_rng(seed)
    g: Any = np.asarray(rng.uniform(0.5, 1.5, np.shape(y)))
    if np.iscomplexobj(y):
        g = g + 1j * rng.normal(size=np.shape(y))
    return np.asarray(g) if isinstance(y, np.ndarray) else g[()]


def weigh(y: Any, g: Any) -> float:
    if isinstance(y, (list, tuple)):
        return sum(map(weigh, y, g))
    return float(np.sum(np.real(y * g)))


def moved(rule: Rule, sample: Sample, operand: str, k: int | None, step: Any) -> Any:
    """The result where an operand, or its k-th element, has moved by a step."""
    old = sample[operand]
    if k is not None:
        new = type(old)(e + step if i == k else e for i, e in enumerate(old))
    else:
        new = np.asarray(old + step) if isinstance(old, np.ndarray) else old + step
    return result(rule, sample | {operand: new})


def slope(rule: Rule, sample: Sample, operand: str, k: int | None, g: Any, dot: Any) -> float:
    """How the weighed result changes where an operand moves along `dot`."""
    ends = (weigh(moved(rule, sample, operand, k, 1e-4 * n * dot), g) for n in (1, -1, 2, -2))
    one, minus, two, minus_two = ends
    return (8 * (one - minus) - two + minus_two) / 12e-4


@each
def test_adjoint_is_the_numeric_derivative(rule: Rule) -> None:
    tried = 0
    for sample in complex_samples(rule):
        y = result(rule, sample)
        g = head(y)
        for operand, k in places(rule, sample):
            x = sample[operand] if k is None else sample[operand][k]
            if np.asarray(x).dtype.kind not in "fc" or rule.adjoint(operand) == "0":
                continue
            d = adjoint(rule, sample, operand, y, g, k)
            assert np.shape(d) == np.shape(x), (operand, sample)
            dot = head(x, seed=7)
            expected = slope(rule, sample, operand, k, g, dot)
            terms = np.real(d * dot)
            near = 1e-7 + 1e-6 * np.sum(np.abs(terms))
            assert abs(np.sum(terms) - expected) <= near, (operand, sample)
            tried += 1
    assert tried or set(rule.adjoints.values()) == {"0"}, "no sample fits this row"


@each
def test_tangent_is_the_transpose_of_the_adjoint(rule: Rule) -> None:
    for sample in complex_samples(rule):
        y = result(rule, sample)
        g = head(y)
        for operand, k in places(rule, sample):
            x = sample[operand] if k is None else sample[operand][k]
            text = rule.tangent(operand, **({"N": sample["N"]} if "N" in sample else {}))
            if np.asarray(x).dtype.kind not in "fc" or text in (None, "0") or k is not None:
                continue
            dot = head(x, seed=6)
            names = sample | {"y": y, f"{operand}_dot": dot}
            if rule.law == "reduction" and not rule.linear:
                names["y"] = runtime.spread(y, x, sample["axis"], sample["keepdims"])
            found = evaluated(text, names)
            if rule.law in ("elementwise", "reduction"):
                found = np.broadcast_to(found, np.shape(y))
            back = weigh(adjoint(rule, sample, operand, y, g), dot)
            np.testing.assert_allclose(weigh(found, g), back, 1e-9, 1e-12)


@each
def test_single_precision_stays(rule: Rule) -> None:
    small = {np.dtype(float): np.float32, np.dtype(complex): np.complex64}

    def narrow(x: Any) -> Any:
        if isinstance(x, (list, tuple)) and any(isinstance(e, np.ndarray) for e in x):
            return type(x)(map(narrow, x))
        return x.astype(small.get(x.dtype, x.dtype)) if isinstance(x, np.ndarray) and x.ndim else x

    for sample in complex_samples(rule):
        narrowed = {name: narrow(x) for name, x in sample.items() if name != "dtype"}
        y = result(rule, narrowed | ({"dtype": np.complex64} if "dtype" in sample else {}))
        if getattr(y, "dtype", None) not in small.values() or np.ndim(y) == 0:
            continue
        for operand, k in places(rule, narrowed):
            x = narrowed[operand] if k is None else narrowed[operand][k]
            if getattr(x, "dtype", None) in small.values() and rule.adjoint(operand) != "0":
                d = adjoint(rule, narrowed, operand, y, narrow(np.asarray(head(y))), k)
                assert d.real.dtype == np.float32, (operand, sample)
