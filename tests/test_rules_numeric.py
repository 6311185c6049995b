"""Every row of the rule tables against numeric derivatives.

A new row is tested without a new line wherever its parameters are operands, an axis, or have defaults.
"""

from __future__ import annotations

import ast
import cmath
import copy
import functools
import itertools
import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

import numpy as np
import pytest
import scipy
from option_samples import OPTION_SAMPLES
from rule_samples import (
    AXES,
    CUBE,
    DOMAINS,
    SAMPLES,
    Sample,
    X,
    values,
)
from scipy_samples import SCIPY_SAMPLES, SCIPY_UNTRIED

from tangentish import rules, runtime
from tangentish.algebra.fresh import is_new
from tangentish.ir.quote import template
from tangentish.rules import ABSENT, Rule
from tangentish.rules.rule import WRITTEN

NAMES = {"np": np, "cmath": cmath, "math": math, "operator": operator, "scipy": scipy} | {
    k: v for k, v in vars(runtime).items() if callable(v)
}


# Operands are nested, any step changes what is trimmed, half a float is too coarse; places are told
# by bytes (tests/test_strided_views.py).
UNTRIED = (
    "np.block(xs)",
    "np.poly1d.__call__(f, x)",  # methods of objects: tests/test_interpolants.py
    "np.polynomial.polynomial.Polynomial.__call__(f, x)",
    "np.trim_zeros(x, trim='fb')",
    "np.float16(x)",
    *(
        f"np.lib.stride_tricks.as_strided(x, shape=None, strides=None, subok=[False], writeable={w})"
        for w in ("[True]", "[False]")
    ),
    # functions of a matrix whose factors they are given: test_equal_values.py
    "resolved(z, w, v, x)",
    "resolved_pairs(z, u, s, vt, x)",
    *SCIPY_UNTRIED,
)
rules.load_tables()
SAMPLES |= SCIPY_SAMPLES | OPTION_SAMPLES
ROWS_OF_ALL = [
    rule
    for rows in rules.RULES.values()
    for rule in rows
    if rule.primal not in UNTRIED and rule.numbers != "complex"  # those: test_complex_rules.py
]


def each(rows: list[Rule]) -> pytest.MarkDecorator:
    """A test of these rows, each by its own name."""
    return pytest.mark.parametrize(
        "rule", rows, ids=lambda rule: f"{id_of[id(rule)]}-{rule.primal}"
    )


id_of = {id(rule): i for i, rule in enumerate(ROWS_OF_ALL)}
ALL = each(ROWS_OF_ALL)


def call_text(rule: Rule) -> str:
    return rule.call


def function(rule: Rule) -> str:
    """The function's name, or the whole of an operator."""
    match ast.parse(rule.primal, mode="eval").body:
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return ast.unparse(inner)
    return rule.primal


def defaults(rule: Rule) -> Sample:
    literal = {p.name: p.literal for p in rule.parameters if p.literal is not rules.ABSENT}
    given = {p.name: evaluated(p.default, {}) for p in rule.parameters if p.default is not None}
    return literal | given


def samples(rule: Rule) -> Iterator[Sample]:
    """Arguments for a row: from the table, else by its law and ranks."""
    names = (rule.primal, rule.primal.replace(WITH_DTYPE, ")"), function(rule))
    name = next((name for name in names if name in SAMPLES), names[-1])
    known = {p.name for p in rule.parameters}
    more = {"dtype": np.float64} if rule.primal.endswith(WITH_DTYPE) else {}
    if name in SAMPLES:
        for sample in SAMPLES[name]:
            found = more | {k: v for k, v in sample.items() if k in known}
            literal = {p.name: p.literal for p in rule.parameters if p.literal is not rules.ABSENT}
            if fits(rule, found):
                yield from (chosen for chosen in choices(rule, defaults(rule) | found | literal))
        return
    for sample in list(default_samples(rule, *DOMAINS.get(name, (0.2, 0.9)))):
        if fits(rule, sample):
            yield from choices(rule, defaults(rule) | more | sample)


WITH_DTYPE = ", dtype=None)"
"""How the rows end that are for calls with the dtype of the result."""


def choices(rule: Rule, sample: Sample) -> Iterator[Sample]:
    """The sample for each of the literals that the row names, unless it has one of its own."""
    limited = {p.name: p.choices for p in rule.parameters if p.choices is not None}
    if all(may_be(sample.get(name, ABSENT), allowed) for name, allowed in limited.items()):
        others = itertools.product(*limited.values())
        yield from (sample | dict(zip(limited, other, strict=True)) for other in others)


def may_be(value: Any, allowed: Sequence[Any]) -> bool:
    """An array makes room for a literal; another literal is for another row."""
    return value is ABSENT or isinstance(value, np.ndarray) or value in allowed


def fits(rule: Rule, sample: Sample) -> bool:
    return all(
        name in sample and np.ndim(sample[name]) == rank for name, rank in rule.ranks.items()
    )


def default_samples(rule: Rule, low: float, high: float) -> Iterator[Sample]:
    names = rule.operands
    of_python = function(rule).startswith(("math.", "cmath.")) or function(rule) in ("float",)
    scalar = of_python or rule.numbers.endswith("Python")
    written = next((p for p in rule.parameters if p.written is not None), None)
    for number in (3, -2, 1.5, 0.3) if written else (None,):
        if written and not written.accepts(number):
            continue
        if number == -2 and "p" in names:
            continue
        extra = {written.name: number} if written else {}
        if rule.law == "reduction":
            for x in (values(4), X, CUBE, values(1, 3)):
                for axis in AXES:
                    if isinstance(axis, tuple) and x.ndim < 2:
                        continue
                    yield from ({"x": x, "axis": axis, "keepdims": k} for k in (False, True))
            continue
        for shapes in shape_choices(rule, scalar):
            arrays = [values(*s, low=low, high=high, seed=i) for i, s in enumerate(shapes)]
            yield dict(zip(names, arrays, strict=True)) | extra
        if rule.law == "elementwise":
            yield dict(zip(names, [low + 0.3, low + 0.4], strict=False)) | extra
        if "axis" in {p.name for p in rule.parameters}:
            yield from ({"x": CUBE, "axis": a} for a in (0, -1, 1))


def shape_choices(rule: Rule, scalar: bool) -> list[list[Any]]:
    n = len(rule.operands)
    if scalar:
        return []
    if rule.law == "elementwise":
        return [
            [(2, 3)] * n,
            [(3,), (2, 3)][:n],
            [(3, 1), (1, 2)][:n],
            [()] * n,
            [(0, 3)] * n,
            [(2,), ()][:n],
        ]
    if n == 2:
        pairs = [((3,), (3,)), ((2, 3), (3,)), ((2,), (2, 3)), ((2, 3), (3, 4))]
        stacks = [
            ((4, 2, 3), (3, 2)),
            ((4, 2, 3), (3,)),
            ((3,), (4, 3, 2)),
            ((2, 3), (4, 3, 2)),
            ((2, 2, 3), (2, 3, 4)),
        ]
        if "dot" in rule.primal:
            stacks += [((), (3,)), ((2, 3), ()), ((), ())]
        else:
            stacks += [((5, 1, 2, 3), (4, 3, 2))]
        every = [list(p) for p in (*pairs, *stacks)]
        return every
    if rule.ranks:
        return [[(3,) * next(iter(rule.ranks.values()))]]
    return [[(2, 3)], [(2, 3, 4)], [(3, 2)]]


def evaluated(text: str, values: Mapping[str, Any]) -> Any:
    """What a text of a row gives for these values."""
    code = compiled(text)
    if any(isinstance(each, CodeType) for each in code.co_consts):
        return eval(code, NAMES | values)  # a comprehension in it sees no local names
    return eval(code, NAMES, dict(values))


@functools.cache
def compiled(text: str) -> CodeType:
    return compile(text.strip(), "<row>", "eval")


def result(rule: Rule, sample: Sample) -> Any:
    return evaluated(call_text(rule), sample)


def head(y: Any, seed: int = 5) -> Any:
    """A random gradient of the result, of its kind; another one for each of several results."""
    if isinstance(y, (tuple, list)):
        floats = (np.asarray(part).dtype.kind == "f" for part in y)
        return tuple(
            head(part, seed + 10 * k) if is_one else None
            for k, (part, is_one) in enumerate(zip(y, floats, strict=True))
        )
    g = np.random.default_rng(seed).uniform(0.5, 1.5, np.shape(y)).astype(np.asarray(y).dtype)
    return (
        np.asarray(g)
        if isinstance(y, np.ndarray)
        else float(g)
        if isinstance(y, float) and not isinstance(y, np.floating)
        else g[()]
    )


def weigh(y: Any, g: Any) -> float:
    """The result as one number, weighed by its gradient."""
    if isinstance(y, (tuple, list)):
        return sum(weigh(a, b) for a, b in zip(y, g, strict=True) if a is not None is not b)
    return float(np.sum(np.asarray(y) * g))


def literals(sample: Mapping[str, Any]) -> dict[str, Any]:
    return {name: sample[name] for name in WRITTEN if name in sample}


def adjoint(rule: Rule, sample: Sample, operand: str, y: Any, g: Any, k: int | None = None) -> Any:
    """What the core makes of a template: the gradient of an operand (of its k-th element)."""
    x = sample[operand] if k is None else sample[operand][k]
    names = sample | {"y": y, "g": g} | ({} if k is None else {"k": k})
    for other in rule.operands:
        if f"g_{other}" in rule.adjoint(operand):
            names[f"g_{other}"] = adjoint(rule, sample, other, y, g)
    if rule.law == "reduction":
        for name in "yg":
            first = sample[rule.operands[0]]  # whose axes are reduced
            names[name] = runtime.spread(names[name], first, sample["axis"], sample["keepdims"])
    d = evaluated(rule.adjoint(operand, **literals(sample)), names)
    if k is not None and isinstance(d, tuple):
        d = d[k]
    if rule.law == "elementwise":
        d = runtime.unbroadcast(np.broadcast_to(d, np.shape(y)), x)
    if rule.adjoint(operand) == "0":
        return np.zeros_like(x)
    if rule.law == "reduction":
        d = runtime.full(d, x)
    return d


def slope(
    rule: Rule, sample: Sample, operand: str, g: Any, dot: Any, k: int | None = None
) -> float:
    """How the weighed result changes where an operand moves along `dot`: Richardson's central differences."""
    x = np.asarray(sample[operand] if k is None else sample[operand][k], float)

    def at(step: float) -> float:
        moved = x + step * dot
        new: Any = moved if x.ndim else float(moved)
        if k is not None:
            new = type(sample[operand])(new if j == k else e for j, e in enumerate(sample[operand]))
        elif isinstance(sample[operand], np.ndarray):
            new = np.asarray(new)
        return weigh(result(rule, sample | {operand: new}), g)

    h = 1e-4
    return (8 * (at(h) - at(-h)) - at(2 * h) + at(-2 * h)) / (12 * h)


def places(rule: Rule, sample: Sample) -> Iterator[tuple[str, int | None]]:
    """The operands, or the positions in a sequence of them."""
    for operand in rule.operands:
        several = isinstance(sample[operand], (list, tuple))
        yield from ((operand, k) for k in (range(len(sample[operand])) if several else (None,)))


@ALL
def test_adjoint_is_the_numeric_derivative(rule: Rule) -> None:
    """Along a direction in which all elements move, each by another step: no wrong element hides behind the others."""
    tried = 0
    for sample in samples(rule):
        y = result(rule, sample)
        g = head(y)
        for operand, k in places(rule, sample):
            x = sample[operand] if k is None else sample[operand][k]
            if np.asarray(x).dtype.kind != "f":
                continue
            d = adjoint(rule, sample, operand, y, g, k)
            assert np.shape(d) == np.shape(x), (sample, operand)
            dot = np.random.default_rng(6).uniform(0.5, 1.5, np.shape(x))
            expected = slope(rule, sample, operand, g, dot, k)
            terms = np.asarray(d) * dot
            # of the primal, in single precision
            tolerance = 1e-2 if "np.float32" in rule.primal else 1e-6
            near = 1e-7 + tolerance * np.sum(np.abs(terms))
            assert abs(np.sum(terms) - expected) <= near, (operand, sample)
            tried += 1
    assert tried, "no sample fits this row"


@ALL
def test_what_counts_as_new_shares_no_memory(rule: Rule) -> None:
    """Gradients in such memory are added to in place, and returned without a copy."""
    operands = [
        o for o in rule.operands if is_new(template(rule.adjoint(o), {"g": None}), lambda _: False)
    ]
    for sample in samples(rule) if operands else ():
        y = result(rule, sample)
        g = head(y)
        given = [a for part in (*sample.values(), y, g) for a in arrays_in(part)]
        for operand, k in places(rule, sample):
            if operand in operands:
                d = adjoint(rule, sample, operand, y, g, k)
                assert not any(np.shares_memory(d, a) for a in given), (sample, operand)


def arrays_in(value: Any) -> list[Any]:
    parts = value if isinstance(value, (tuple, list)) else (value,)
    return [part for part in parts if isinstance(part, np.ndarray)]


def as_float32(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.astype(np.float32) if value.dtype == np.float64 else value
    return type(value)(map(as_float32, value)) if isinstance(value, (list, tuple)) else value


@ALL
@pytest.mark.filterwarnings("ignore:logm result may be inaccurate")  # so SciPy says of its own
def test_float32_stays_float32(rule: Rule) -> None:
    for sample in samples(rule):
        small = {name: as_float32(value) for name, value in sample.items()}
        arrays = [
            a
            for v in small.values()
            for a in (v if isinstance(v, (list, tuple)) else [v])
            if isinstance(a, np.ndarray)
        ]
        y = result(rule, small)
        first = y[0] if isinstance(y, (tuple, list)) else y
        if (
            any(a.dtype == np.float64 for a in arrays)
            or getattr(first, "dtype", None) != np.float32
            or np.ndim(first) == 0
        ):
            continue
        for operand, k in places(rule, small):
            x = small[operand] if k is None else small[operand][k]
            if getattr(x, "dtype", None) == np.float32:
                d = adjoint(rule, small, operand, y, head(y), k)
                assert d.dtype == np.float32, (operand, sample)
                expected = adjoint(
                    rule, sample, operand, result(rule, sample), head(result(rule, sample)), k
                )
                np.testing.assert_allclose(d, expected, 1e-2, 1e-4)


def as_number(value: Any) -> Any:
    """The first element of an array of floats: a number of Python, which changes no type beside an array."""
    of_floats = isinstance(value, np.ndarray) and value.size and value.dtype.kind == "f"
    return float(value.flat[0]) if of_floats else value


def takes_arrays(rule: Rule) -> bool:
    return rule.primal.startswith(("np.", "scipy.")) and rule.numbers != "Python"


@each([rule for rule in ROWS_OF_ALL if rule.law == "elementwise" and takes_arrays(rule)])
def test_float32_stays_float32_beside_numbers(rule: Rule) -> None:
    for sample in samples(rule):
        for operand, _ in places(rule, sample):
            numbers = {name: as_number(value) for name, value in sample.items()}
            small = numbers | {operand: as_float32(np.atleast_1d(sample[operand]))}
            y = result(rule, small)
            if getattr(y, "dtype", None) == small[operand].dtype == np.float32:
                d = adjoint(rule, small, operand, y, head(y), None)
                assert d.dtype == np.float32, (operand, small)


@each([rule for rule in ROWS_OF_ALL if rule.law == "elementwise" or rule.thin])
def test_a_thin_gradient_stands_for_a_full_one(rule: Rule) -> None:
    for sample in samples(rule):
        y = result(rule, sample)
        for operand in rule.operands:
            thin = adjoint(rule, sample, operand, y, 0.7)
            whole = adjoint(rule, sample, operand, y, np.full(np.shape(y), 0.7))
            np.testing.assert_allclose(np.broadcast_to(thin, np.shape(whole)), whole, 1e-12)


def moved(rule: Rule, sample: Sample, operand: str, y: Any, g: Any, dot: Any) -> float:
    """What the row gives for the tangent of one operand, weighed by `g`."""
    text = rule.tangent(operand, **literals(sample))
    assert text is not None
    names = sample | {"y": y}
    if rule.law == "reduction" and not rule.linear:
        first = sample[rule.operands[0]]
        names["y"] = runtime.spread(y, first, sample["axis"], sample["keepdims"])
    each_alone = isinstance(dot, (list, tuple)) and "k" in {
        node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)
    }
    every = enumerate(dot) if each_alone else [(sample.get("k"), dot)]
    found = [evaluated(text, names | {"k": k, f"{operand}_dot": d}) for k, d in every]
    if rule.law in ("elementwise", "reduction"):
        found = [np.broadcast_to(d, np.shape(y)) for d in found]
    return sum(weigh(d, g) for d in found)


# Rows whose tangent is not known yet.
WITHOUT_TANGENT = ("np.unique(x, return",)


@ALL
def test_tangent_is_the_transpose_of_the_adjoint(rule: Rule) -> None:
    for sample in samples(rule):
        y = result(rule, sample)
        g = head(y)
        for operand in rule.operands:
            if rule.tangent(operand) is None:
                assert rule.primal.startswith(WITHOUT_TANGENT), f"no tangent of {operand}"
            elif rule.tangent(operand) != "0" and is_float(sample[operand]):
                dot = head(sample[operand], seed=6)
                several = isinstance(sample[operand], (list, tuple))
                back = [
                    weigh(adjoint(rule, sample, operand, y, g, k), d)
                    for k, d in (enumerate(dot) if several else [(None, dot)])
                ]
                tolerance = 1e-3 if "float32" in rule.primal else 1e-9
                np.testing.assert_allclose(
                    moved(rule, sample, operand, y, g, dot), sum(back), tolerance, 1e-12
                )


def is_float(value: Any) -> bool:
    parts = value if isinstance(value, (list, tuple)) else [value]
    return all(np.asarray(part).dtype.kind == "f" for part in parts)


def strided(value: Any) -> Any:
    """The same arrays, backwards in memory."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim:
        every = (slice(None, None, -1),) * value.ndim
        return np.asfortranarray(value[every])[every]
    if isinstance(value, (list, tuple)) and any(isinstance(v, np.ndarray) for v in value):
        parts = map(strided, value)
        return list(parts) if isinstance(value, list) else tuple(parts)
    return value


@ALL
def test_strides_do_not_matter_and_no_argument_changes(rule: Rule) -> None:
    for sample in itertools.islice(samples(rule), 8):
        y = result(rule, sample)
        g = head(y)
        turned = {name: strided(value) for name, value in sample.items()}
        before = copy.deepcopy((turned, y, g))
        for operand, k in places(rule, sample):
            x = sample[operand] if k is None else sample[operand][k]
            if rule.adjoint(operand) != "0" and is_float(x):
                d = adjoint(rule, turned, operand, strided(y), strided(g), k)
                np.testing.assert_allclose(d, adjoint(rule, sample, operand, y, g, k), 1e-10, 1e-12)
        np.testing.assert_equal((turned, y, g), before)


@each([rule for rule in ROWS_OF_ALL if rule.law == "tuple"])
def test_unused_results_have_no_gradient(rule: Rule) -> None:
    for sample in samples(rule):
        y = result(rule, sample)
        for operand, k in places(rule, sample):
            if "g[" not in rule.adjoint(operand):  # else the core passes it over
                assert not np.any(adjoint(rule, sample, operand, y, (None,) * len(y), k))


KINKS = [
    ("abs(x)", {"x": 0.0}, 0.0),
    ("np.abs(x)", {"x": np.zeros(2)}, [0, 0]),
    ("np.max(x)", {"x": np.ones(2)}, [0.5, 0.5]),
    ("np.maximum(x, 0)", {"x": np.zeros(1)}, [0]),
    ("np.maximum(x, z)", {"x": np.ones(1), "z": 1.0}, [0.5]),
    ("np.linalg.norm(x)", {"x": np.zeros(2)}, [0, 0]),
    ("np.linalg.norm(x, 3)", {"x": np.zeros(2)}, [0, 0]),
    ("np.hypot(x, z)", {"x": np.zeros(1), "z": np.zeros(1)}, [0]),
    ("np.std(x)", {"x": np.ones(3)}, [0, 0, 0]),
    ("np.prod(x)", {"x": np.array([0.0, 2.0, 3.0])}, [6, 0, 0]),
    ("np.prod(x)", {"x": np.array([0.0, 2.0, 0.0])}, [0, 0, 0]),
    ("x ** 0", {"x": np.zeros(1)}, [0]),
    ("x ** p", {"x": np.zeros(4), "p": np.array([0.0, 1.0, 2.0, 0])}, [0, 1, 0, 0]),
    ("x ** p", {"x": 0.0, "p": 0}, 0),
    ("x ** p", {"x": 0.0, "p": 1}, 1),
    ("x ** p", {"x": 0.0, "p": 0.5}, np.inf),
    ("np.clip(x, 0, 1)", {"x": np.array([-1.0, 0, 1, 2])}, [0, 1, 1, 0]),
    ("np.sinc(x)", {"x": np.zeros(1)}, [0]),
    ("np.arctan2(x, z)", {"x": np.zeros(1), "z": np.zeros(1)}, [0]),
    ("np.maximum(x, z)", {"x": np.array([np.nan, 1.0]), "z": np.array([2.0, np.nan])}, [0, 0]),
    ("np.fmax(x, z)", {"x": np.array([np.nan, 1.0]), "z": np.array([2.0, np.nan])}, [0, 1]),
    ("max(x, z)", {"x": 1.0, "z": 1.0}, 1),
    ("min(x, z)", {"x": 1.0, "z": 1.0}, 1),
    ("np.sqrt(x)", {"x": np.zeros(1)}, [np.inf]),
    ("np.logaddexp(x, z)", {"x": np.ones(1), "z": np.ones(1)}, [0.5]),
    ("np.logaddexp(x, z)", {"x": np.array([800.0]), "z": np.zeros(1)}, [1]),
    ("np.heaviside(x, h)", {"x": np.zeros(1), "h": 0.5}, [0]),
    ("np.median(x)", {"x": np.array([1.0, 1.0, 1.0])}, [0, 1, 0]),
    ("np.median(x)", {"x": np.array([2.0, 1.0, 1.0, 2.0])}, [0.5, 0, 0.5, 0]),
    ("np.sort(x)", {"x": np.array([2.0, 1.0, 1.0])}, [1, 1, 1]),
    ("np.maximum.accumulate(x)", {"x": np.array([1.0, 1.0, 0.0])}, [3, 0, 0]),
    ("np.nansum(x)", {"x": np.array([1.0, np.nan])}, [1, 0]),
    ("np.nanmax(x)", {"x": np.array([1.0, np.nan])}, [1, 0]),
    ("np.linalg.det(x)", {"x": np.zeros((2, 2))}, np.zeros((2, 2))),
    ("np.cumprod(x)", {"x": np.array([0.0, 2.0])}, [3, 0]),
    ("np.nan_to_num(x)", {"x": np.array([np.nan, 1.0, np.inf])}, [0, 1, 0]),
    ("scipy.special.xlogy(x, z)", {"x": np.ones(1), "z": np.ones(1)}, [0]),
    ("scipy.special.exprel(x)", {"x": np.zeros(1)}, [0.5]),
]


@pytest.mark.parametrize(("text", "sample", "expected"), KINKS)
def test_kinks(text: str, sample: Sample, expected: Any) -> None:
    key: object
    match ast.parse(text, mode="eval").body:
        case ast.BinOp(left=left, op=op, right=right):
            key, arguments = type(op).__name__, [left, right]
        case ast.Call(func=called, args=arguments):
            key = rules.lookup(ast.unparse(called))
    selected = rules.select(
        key,
        arguments,
        {},
        lambda e: e.value if isinstance(e, ast.Constant) else rules.ABSENT,
        lambda e: np.ndim(eval(ast.unparse(e), dict(sample))),
    )
    assert selected is not None
    rule, bound = selected
    names = defaults(rule) | {k: eval(ast.unparse(v), dict(sample)) for k, v in bound.items()}  # type: ignore[arg-type]
    with np.errstate(all="ignore"):
        y = result(rule, names)
        head = np.ones_like(y) if np.ndim(y) else 1.0
        found = adjoint(rule, names, rule.operands[0], y, head)
    np.testing.assert_allclose(found, expected)


def test_exponent_at_base_zero() -> None:
    rule = next(r for r in rules.RULES["Pow"] if r.primal == "x ** p")
    p = np.array([0.0, 0.5, 2.0])
    assert not np.any(adjoint(rule, {"x": np.zeros(3), "p": p}, "p", np.zeros(3) ** p, 1.0))


def test_methods_have_rules() -> None:
    assert [
        name
        for name, f in rules.METHODS.items()
        if f not in rules.RULES and not rules.is_constant(f)
    ] == []


def test_positions_are_those_of_numpy() -> None:
    rule = rules.RULES[np.std][0]
    assert rule.bind(["x", 0], {"ddof": 1}) == {"x": "x", "axis": 0, "ddof": 1}
    assert rule.bind(["x", 0, np.float32], {}) is None
    assert rule.bind(["x"], {"where": 1}) is None
    assert rules.RULES[np.sum][0].bind(["x", 0, None, None, True], {}) is None


def test_literals_are_put_in() -> None:
    rule = next(r for r in rules.RULES["Pow"] if "N" in r.primal)
    assert rule.adjoint("x", N=3) == "g * 3 * x ** 2"
    assert rule.adjoint("x", N=-2) == "g * -2 * x ** -3"


# The helpers.


@pytest.mark.parametrize("axis", AXES)
def test_spread(axis: Any) -> None:
    y = np.sum(CUBE, axis=axis)
    full = np.sum(CUBE, axis=axis, keepdims=True)
    assert np.array_equal(np.broadcast_to(runtime.spread(y, CUBE, axis), full.shape), full)


def test_unbroadcast_gives_itself() -> None:
    assert runtime.unbroadcast(X, X) is X
    assert runtime.unbroadcast(X, 0.5) == pytest.approx(X.sum())
    assert runtime.unbroadcast(1.5, 0.5) == 1.5


SHAPES = [
    (),
    (3,),
    (1,),
    (0,),
    (2, 3),
    (2, 1),
    (1, 3),
    (1, 1),
    (0, 3),
    (2, 0),
    (4, 2, 3),
    (1, 2, 1),
]


@pytest.mark.parametrize(("have", "want"), [*itertools.product(SHAPES, SHAPES)])
def test_unbroadcast_sums_and_fills(have: Any, want: Any) -> None:
    """What is full in the shape that both broadcast to, summed down."""
    try:
        both = np.broadcast_shapes(have, want)
    except ValueError:
        return
    g, x = values(*have), values(*want)
    wide = np.broadcast_to(g, both)
    lead = len(both) - len(want)
    axes = tuple(k for k in range(len(both)) if k < lead or want[k - lead] == 1 != both[k])
    truth = np.sum(wide, axis=axes, keepdims=True).reshape(want)
    np.testing.assert_allclose(runtime.unbroadcast(g, x), truth)
    assert np.shape(runtime.unbroadcast(g, x)) == want


def test_last_stored() -> None:
    indices: list[Any] = [
        1,
        slice(1),
        ([0, 0], 1),
        np.array([1, 1]),
        np.array([[1, 1], [0, 1]]),
        (X > 0.5),
        (slice(None), [1, 1, 2]),
        [True, False],
        (Ellipsis, None),
        (0, 2),
    ]
    for index in indices:
        dx, shape = np.ones((2, 3)), np.shape(np.ones((2, 3))[index])
        g = runtime.last_stored(dx, index)
        assert np.shape(g) == shape
        for k, place in enumerate(np.ndindex(*shape)):
            x = np.zeros((2, 3))
            x[index] = np.arange(np.prod(shape)).reshape(shape) == k
            assert np.sum(x) == np.asarray(g)[place], index


def test_copies_share_what_the_originals_share() -> None:
    base = np.arange(12.0).reshape(3, 4)
    view, column, other = base[1:], base[:, 1], np.arange(3.0)[::-1]
    a, b, (c, d), e, n = runtime.copy_shared(base, view, [column, other], {"base": base}, 3)
    assert e["base"] is a and n == 3
    a[1, 1] = 100
    assert b[0, 1] == c[1] == 100 and base[1, 1] == 5
    assert (
        np.array_equal(d, other) and d.strides == other.strides and not np.shares_memory(d, other)
    )
    assert (c.strides, b.strides) == (column.strides, view.strides)


def test_copies_of_overlapping_views_without_their_base() -> None:
    base = np.arange(6.0)
    a, b, c = runtime.copy_shared(base[:4], base[2:], base[::-2])
    a[3] = 50
    assert b[1] == c[1] == 50 and base[3] == 3
    (strided,) = runtime.copy_shared(np.arange(10.0)[::2])
    assert strided.strides == (16,) and not strided.flags.c_contiguous


def test_copies_keep_readonly_and_containers() -> None:
    shared = [np.ones(2)]
    a, b, (c, _) = runtime.copy_shared(shared, shared, (np.broadcast_to(1.0, 3), "text"))
    assert a is b and a[0] is not shared[0] and not c.flags.writeable
