"""Every row of the rule tables against numeric derivatives.

A new row is tested without a new line wherever its parameters are operands, an axis, or have defaults.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from tangentish import rules, runtime
from tangentish.rules import Rule

NAMES = {"np": np, "math": math} | {k: v for k, v in vars(runtime).items() if callable(v)}
Sample = dict[str, Any]


def values(*shape: int, low: float = 0.2, high: float = 0.9, seed: int = 0) -> Any:
    """Distinct values between the bounds, in random order: no ties, inside the domain of most functions."""
    n = math.prod(shape)
    grid = np.linspace(low, high, max(n, 1))[:n] + 0.003 * seed
    return np.random.default_rng(seed + n).permutation(grid).reshape(shape)


X = values(2, 3)
CUBE = values(2, 3, 4)
SQUARE = values(3, 3) + 2 * np.eye(3)
SIGNED = np.random.default_rng(1).uniform(-1, 1, (3, 4))
ROWS, COLUMN = values(2, 1), values(3, seed=1)
LISTS = [[X, values(2, 3, seed=1)], (values(3), values(3, seed=1), values(3, seed=2))]
MIXED = [[values(3), values(2, 3)], [X, values(4, 3)]]

PRODUCTS = [(X, values(3, 2)), (X, values(3)), (values(3), values(3, 2)), (CUBE, values(4, 2))]

# Where an operand may not lie between 0.2 and 0.9.
DOMAINS = {
    "np.arccosh": (1.2, 3.0),
    "math.acosh": (1.2, 3.0),
    "np.sin": (-4.0, 4.0),
    "np.abs": (-1.0, 1.0),
}

AXES: list[Any] = [None, 0, -1, (0, 1), (-1, 0)]

# Function -> samples, where the parameters do not say enough.
SAMPLES: dict[str, list[Sample]] = {
    "np.clip": [
        {"x": x, "a_min": low, "a_max": high, "min": low, "max": high}
        for x, low, high in (
            (SIGNED, -0.51, 0.52), (SIGNED, values(4) - 1, values(3, 1)), (0.3, 0.1, 0.2), (SIGNED, 0.51, 0.13)
        )
    ],
    "np.where": [{"c": SIGNED > 0, "x": SIGNED, "z": values(4)}, {"c": True, "x": 0.3, "z": values(3)}],
    "np.average": [{"x": values(4), "axis": a, "weights": values(4, seed=1), "keepdims": k} for a in (None, 0, -1) for k in (False, True)]
    + [{"x": X, "axis": a, "weights": values(2, 3, seed=1), "keepdims": k} for a in (None, 1, (0, 1)) for k in (False, True)]
    + [{"x": CUBE, "axis": a, "weights": values(2, 3, 4, seed=1), "keepdims": False} for a in (None, 1, (0, 2))],
    "np.linalg.norm": [
        {"x": x, "ord": o, "axis": a, "keepdims": k}
        for x, orders, a in [
            (SIGNED[0], (None, 1, 2, 3, 0.5, np.inf, -np.inf, 0), None),
            (SIGNED, (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf), None),
            (SIGNED, (None, 1, 2, 3, np.inf), 1),
            (CUBE - 0.51, (None, 1, 2, np.inf, "nuc"), (2, 0)),
        ]
        for o in orders
        for k in (False, True)
    ],
    "np.trapezoid": [{"v": values(4), "x": np.sort(values(4)), "dx": 0.3}],
    "np.diff": [{"x": x, "n": n, "axis": a} for x in (X, CUBE) for n in (0, 1, 2) for a in (-1, 1)],
    "others": [{"x": x, "p": 0, "axis": a} for x in (X, CUBE) for a in (None, 0, -1)],  # p = 0: it is worked out from x
    "quantile_tangent": [
        {"h": CUBE - 0.4, "x": CUBE, "q": q, "axis": a, "keepdims": k} for q in (0.31, (0.1, 0.5)) for a in AXES for k in (False, True)
    ],
    "quantile_adjoint": [
        {"h": np.quantile(CUBE, q, axis=a, keepdims=k) - 0.3, "x": CUBE, "q": q, "axis": a}
        for q in (0.31, (0.1, 0.5)) for a in AXES for k in (False, True)
    ],
    "np.quantile": [{"x": CUBE, "q": q, "axis": a, "keepdims": k} for q in (0.31, (0.1, 0.5, 1)) for a in AXES for k in (False, True)],
    "np.percentile": [{"x": CUBE, "q": q, "axis": a, "keepdims": k} for q in (31, (10, 50, 100)) for a in AXES for k in (False, True)],
    "np.cumprod": [{"x": x, "axis": a} for x in (X, CUBE, np.zeros((2, 2))) for a in (None, 0, -1)],
    "np.astype": [{"x": X, "dtype": np.float64, "copy": True}],
    "np.reshape": [{"x": CUBE, "shape": (4, -1)}, {"x": X, "shape": 6}, {"x": np.array([0.5]), "shape": ()}],
    "np.squeeze": [{"x": ROWS, "axis": a} for a in (None, 1, -1)] + [{"x": np.array([[0.5]]), "axis": None}],
    "np.ndarray.item": [{"x": np.array([[0.5]])}, {"x": np.array(0.5)}],
    "np.expand_dims": [{"x": X, "axis": a} for a in (0, -1, (0, 2))] + [{"x": 0.5, "axis": 0}],
    "np.transpose": [{"x": CUBE, "axes": a} for a in ((1, 2, 0), (-1, 0, 1), [2, 0, 1])],
    "np.permute_dims": [{"x": CUBE, "axes": a} for a in ((1, 2, 0), (-1, 0, 1))],
    "np.swapaxes": [{"x": CUBE, "axis1": 0, "axis2": -1}],
    "np.moveaxis": [{"x": CUBE, "source": s, "destination": d} for s, d in ((0, -1), ((0, 1), (2, 0)))],
    "np.rot90": [{"x": X, "k": k} for k in (1, 2, -1)],
    "np.roll": [{"x": X, "shift": s, "axis": a} for s, a in ((1, None), (-1, 1), ((1, 2), (0, 1)))],
    "np.triu": [{"x": X, "k": k} for k in (0, 1, -1)],
    "np.tril": [{"x": CUBE, "k": k} for k in (0, 1, -1)],
    "np.broadcast_to": [{"x": X, "shape": (4, 2, 3)}, {"x": ROWS, "shape": (2, 3)}, {"x": 0.5, "shape": (2,)}],
    "np.repeat": [
        {"x": X, "repeats": r, "axis": a} for r, a in ((2, None), (3, 1), (2, -2), ([1, 0, 2], 1), ([2, 1], 0))
    ]
    + [{"x": 0.5, "repeats": 3, "axis": None}],
    "np.tile": [{"x": x, "reps": r} for x in (X, values(3), 0.5) for r in (2, (3,), (2, 1, 3))],
    "np.pad": [
        {"x": x, "pad_width": w, "constant_values": 0.3}
        for x, w in ((X, 1), (X, (1, 0)), (X, ((1, 1), (0, 2))), (values(4), (3, 2)), (X, {1: (2, 1)}))
    ],
    "np.full": [{"shape": (2, 3), "fill_value": v, "dtype": None} for v in (0.5, values(3))],
    "np.full_like": [{"x": X, "fill_value": v, "dtype": None} for v in (0.5, values(3))],
    "np.linspace": [{"start": 0.3, "stop": 2.0, "num": 5, "endpoint": e} for e in (True, False)],
    "np.arange": [{"start": 0.3, "stop": 2.13, "step": 0.25}],
    "np.inner": [{"x": values(3), "w": values(3, seed=1)}, {"x": X, "w": values(3)}, {"x": X, "w": values(4, 3)}],
    "np.vdot": [{"x": values(3), "w": values(3, seed=1)}, {"x": X, "w": values(3, 2)}],
    "np.outer": [{"x": values(3), "w": values(2)}, {"x": X, "w": 0.5}, {"x": 0.4, "w": values(2)}],
    "np.cross": [{"x": x, "w": w} for x in (X, values(3)) for w in (values(2, 3, seed=1), COLUMN)],
    "np.kron": [{"x": x, "w": w} for x in (X, values(3)) for w in (values(2, 2), COLUMN)],
    "np.tensordot": [
        {"x": CUBE, "w": values(3, 4, 2), "axes": 2},
        {"x": CUBE, "w": values(4, 5), "axes": 1},
        {"x": X, "w": values(2), "axes": 0},
        {"x": CUBE, "w": values(4, 5, 2), "axes": ((0, 2), (2, 0))},
        {"x": CUBE, "w": values(4, 5, 2), "axes": (-1, 0)},
    ],
    "np.einsum": [
        {"subscripts": s, "xs": xs}
        for s, *xs in [
            ("ij,jk->ik", X, values(3, 4)),
            ("ij,jk", X, values(3, 4)),
            ("ba", X),
            ("ii->i", SQUARE),
            ("ii", SQUARE),
            ("ij->", X),
            ("ij->j", X),
            ("ij,k->j", X, values(4)),
            ("i,i,i->", values(3), COLUMN, values(3, seed=2)),
            ("iij,j->i", values(2, 2, 3), values(3)),
            ("...ij,...j->...i", values(2, 3, 3), values(1, 3)),
            ("...i,i...", CUBE[:, 0], values(4, 2)),
            ("...->...", X),
            ("ij,ij->ij", values(1, 3), X),
            ("i...->...", CUBE),
            (" i j , j -> i ", X, values(3)),
        ]
    ],
    "np.diag": [{"x": x, "k": k} for x in (values(3), X, values(3, 2), SQUARE) for k in (0, 1, -1)],
    "np.diagonal": [{"x": CUBE, "offset": o, "axis1": a, "axis2": b} for o in (0, 1, -1) for a, b in ((0, 1), (2, 0), (-1, 1))],
    "np.trace": [{"x": x, "offset": o, "axis1": 0, "axis2": 1} for o in (0, 1, -1) for x in (X, CUBE)],
    "np.linalg.inv": [{"x": SQUARE}, {"x": np.stack((SQUARE, SQUARE.T + np.eye(3)))}],
    "np.linalg.det": [{"x": SQUARE}, {"x": np.ones((2, 2))}, {"x": np.stack((SQUARE, SQUARE.T + np.eye(3)))}],
    "np.linalg.slogdet": [{"x": SQUARE}, {"x": np.stack((SQUARE, -SQUARE.T))}],
    "np.linalg.cholesky": [{"x": SQUARE + SQUARE.T}, {"x": np.stack((SQUARE + SQUARE.T, 4 * np.eye(3)))}],
    "np.linalg.solve": [
        {"a": SQUARE, "b": values(3)},
        {"a": SQUARE, "b": values(3, 2)},
        {"a": np.stack((SQUARE, SQUARE.T)), "b": values(3)},
        {"a": np.stack((SQUARE, SQUARE.T)), "b": values(3, 2)},
        {"a": SQUARE, "b": values(2, 3, 2)},
    ],
    "np.stack": [{"xs": xs, "axis": a} for xs in LISTS for a in (0, 1, -1)],
    "np.concatenate": [{"xs": LISTS[0], "axis": a} for a in (0, 1, -1, None)] + [{"xs": MIXED[1], "axis": 0}, {"xs": [X, values(3)], "axis": None}],
    "np.hstack": [{"xs": xs} for xs in (LISTS[0], [values(2), values(3)], [0.4, 0.5], [X, values(2, 1)])],
    "np.vstack": [{"xs": xs} for xs in (*LISTS, *MIXED)],
    "np.dstack": [{"xs": xs} for xs in LISTS],
    "np.column_stack": [{"xs": xs} for xs in (LISTS[1], [X, values(2)])],
    "np.r_": [{"xs": xs} for xs in ((0.3, values(3), 0.4), (X, values(1, 3)))],
    "np.c_": [{"xs": xs} for xs in ((values(3), COLUMN), (X, values(2)))],
    "np.append": [{"x": X, "values": values(2, 3, seed=1), "axis": a} for a in (None, 0, 1)] + [{"x": values(3), "values": 0.5, "axis": None}],
    "np.array": [{"xs": xs, "x": X, "dtype": None, "copy": True} for xs in ([0.3, 0.4], *LISTS)],
    "np.asarray": [{"xs": xs, "x": x, "dtype": None} for xs, x in (([0.3, 0.4], X), (LISTS[0], 0.5))],
    "np.asanyarray": [{"xs": xs, "x": X, "dtype": None} for xs in ([0.3, 0.4], *LISTS)],
    "np.ascontiguousarray": [{"xs": xs, "x": x} for xs, x in (([0.3, 0.4], X), (LISTS[0], 0.5))],
    "np.split": [{"x": X, "indices_or_sections": i, "axis": a} for i, a in ((2, 0), ([1], 1), ([1, 2], -1))],
    "np.array_split": [{"x": X, "indices_or_sections": i, "axis": a} for i, a in ((2, 1), ([1], 1))],
    "np.meshgrid": [
        {"xs": xs, "indexing": i}
        for xs in ((values(2), values(3)), (values(2), values(3), values(4)), (values(2),), (0.4, values(2)))
        for i in ("xy", "ij")
    ],
    "np.unique": [
        {"x": x, "return_index": True, "return_inverse": True, "return_counts": True} for x in (X, values(4))
    ],
    "np.take": [{"x": X, "indices": i, "axis": a} for i, a in (([0, 0, 2], None), ([[1, 1], [0, 1]], 0), (1, -1))],
    "np.take_along_axis": [
        {"x": X, "indices": np.array(i), "axis": a} for i, a in (([[0, 0, 2], [1, 1, 1]], 1), ([[1, 0, 1]], 0), ([0, 0, 4], None))
    ],
    "np.interp": [{"x": x, "xp": np.array([0.0, 0.33, 0.7]), "fp": values(3, seed=3)} for x in (X, 0.5, values(5, low=-1, high=2))],
    "max(x)": [{"x": np.array([0.3, 0.9, 0.2])}],
    "min(x)": [{"x": np.array([0.3, 0.9, 0.2])}],
    "max": [{"x": 0.3, "z": 0.4, "xs": [0.4, 0.7, 0.2]}],
    "min": [{"x": 0.3, "z": 0.4, "xs": [0.4, 0.7, 0.2]}],
    "sum": [{"xs": [0.4, 0.7], "x": X}, {"xs": LISTS[0], "x": values(3)}],
    "math.fsum": [{"xs": [0.4, 0.7], "x": values(3)}],
    "unbroadcast": [{"x": CUBE, "like": like} for like in (values(3, 4), values(1, 4), 0.5, CUBE)],
    "spread": [{"x": X, "like": CUBE, "axis": -1, "keepdims": False}, {"x": values(3), "like": CUBE, "axis": (0, 2), "keepdims": False}],
    "full": [{"x": x, "like": X} for x in (0.5, values(3), X)],
    "cast": [{"x": X, "like": X}],
    "power_slope": [{"x": X, "p": p, "n": n} for p in (0, 2, 0.5, 3.0) for n in (1, 2)] + [{"x": values(2), "p": np.array([2.0, -1]), "n": 1}],
    "matmul_left": [{"h": x @ w, "x": x, "w": w} for x, w in PRODUCTS],
    "matmul_right": [{"h": x @ w, "x": x, "w": w} for x, w in PRODUCTS],
    "dot_left": [{"h": np.dot(x, w), "x": x, "w": w} for x, w in PRODUCTS],
    "dot_right": [{"h": np.dot(x, w), "x": x, "w": w} for x, w in PRODUCTS],
    "kron_left": [{"h": np.kron(x, w), "x": x, "w": w} for x, w in PRODUCTS[:2]],
    "kron_right": [{"h": np.kron(x, w), "x": x, "w": w} for x, w in PRODUCTS[:2]],
    "tile_adjoint": [{"h": values(4, 3), "x": X, "reps": (2, 1)}, {"h": values(6), "x": values(3), "reps": 2}],
    "repeat_adjoint": [{"h": values(2, 3), "x": X, "repeats": [1, 0, 2], "axis": 1}, {"h": values(12), "x": X, "repeats": 2, "axis": None}],
    "pad_adjoint": [{"h": values(4, 5), "x": X, "pad_width": 1, "mode": m} for m in ("constant", "edge", "wrap", "reflect")],
    "sort_adjoint": [{"h": X + 1, "x": X, "axis": a} for a in (0, -1)],
    "take_along_axis_adjoint": [{"h": values(1, 3), "x": X, "indices": np.array([[1, 0, 1]]), "axis": 0}],
    "unique_adjoint": [{"h": values(4, seed=1), "x": values(4)}],
    "interp_slope": [{"x": X, "xp": np.array([0.0, 0.33, 0.7]), "fp": values(3)}],
    "cumsum_adjoint": [{"h": X, "x": X, "axis": a} for a in (0, -1)] + [{"h": values(6), "x": X, "axis": None}],
    "take_adjoint": [{"h": values(3), "x": X, "indices": [0, 0, 2], "axis": None}, {"h": values(2, 2), "x": X, "indices": [1, 1], "axis": 1}],
    "diagonal_adjoint": [{"h": values(2), "x": X, "offset": 0, "axis1": 0, "axis2": 1}, {"h": values(4, 2), "x": CUBE, "offset": 0, "axis1": 0, "axis2": 1}],
    "diff_adjoint": [{"x": X, "n": n, "axis": a} for n in (1, 2) for a in (-1, 0)],
}  # fmt: skip

ROWS_OF_ALL = [rule for rows in rules.RULES.values() for rule in rows]


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
    given = {p.name: eval(p.default, NAMES) for p in rule.parameters if p.default is not None}
    return literal | given


def samples(rule: Rule) -> Iterator[Sample]:
    """Arguments for a row: from the table, else by its law and ranks."""
    name = rule.primal if rule.primal in SAMPLES else function(rule)
    known = {p.name for p in rule.parameters}
    if name in SAMPLES:
        for sample in SAMPLES[name]:
            found = {k: v for k, v in sample.items() if k in known}
            literal = {p.name: p.literal for p in rule.parameters if p.literal is not rules.ABSENT}
            if fits(rule, found):
                yield defaults(rule) | found | literal
        return
    for sample in list(default_samples(rule, *DOMAINS.get(name, (0.2, 0.9)))):
        yield defaults(rule) | sample


def fits(rule: Rule, sample: Sample) -> bool:
    if rule.ranks is None:
        return True
    ranks = [np.ndim(sample[name]) for name in rule.operands]
    return all(want in (None, rank) for want, rank in zip(rule.ranks, ranks, strict=True))


def default_samples(rule: Rule, low: float, high: float) -> Iterator[Sample]:
    names = rule.operands
    scalar = function(rule).startswith("math.") or function(rule) in ("float",)
    numbers: list[Any] = [3, -2, 1.5] if any(p.any_number for p in rule.parameters) else [None]
    for number in numbers:
        if number == -2 and "p" in names:
            continue
        extra = {} if number is None else {"N": number}
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
        return [s for s in every if rule.ranks is None or tuple(map(len, s)) == rule.ranks]
    if rule.ranks:
        return [[(3,) * rule.ranks[0]]]  # type: ignore[operator]
    return [[(2, 3)], [(2, 3, 4)], [(3, 2)]]


def result(rule: Rule, sample: Sample) -> Any:
    return eval(call_text(rule), NAMES | sample)


def head(y: Any, seed: int = 5) -> Any:
    """A random gradient of the result, of its kind."""
    if isinstance(y, (tuple, list)):
        return tuple(head(part, seed) if np.asarray(part).dtype.kind == "f" else None for part in y)
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
    return {"N": sample["N"]} if "N" in sample else {}


def adjoint(rule: Rule, sample: Sample, operand: str, y: Any, g: Any, k: int | None = None) -> Any:
    """What the core makes of a template: the gradient of an operand (of its k-th element)."""
    x = sample[operand] if k is None else sample[operand][k]
    names = NAMES | sample | {"y": y, "g": g} | ({} if k is None else {"k": k})
    if rule.law == "reduction":
        for name in "yg":
            names[name] = runtime.spread(names[name], x, sample["axis"], sample["keepdims"])
    d = eval(rule.adjoint(operand, **literals(sample)), names)
    if rule.law == "elementwise":
        d = runtime.unbroadcast(np.broadcast_to(d, np.shape(y)), x)
    if rule.adjoint(operand) == "0":
        return np.zeros_like(x)
    if rule.law == "reduction":
        d = runtime.full(d, x)
    return d


def numeric(rule: Rule, sample: Sample, operand: str, g: Any, k: int | None = None) -> Any:
    """Richardson's central differences."""
    x = np.asarray(sample[operand] if k is None else sample[operand][k], float)
    found = np.zeros(x.size)

    def at(i: int, step: float) -> float:
        moved = x.ravel().copy()
        moved[i] += step
        new: Any = moved.reshape(x.shape) if x.ndim else float(moved[0])
        if k is not None:
            new = type(sample[operand])(new if j == k else e for j, e in enumerate(sample[operand]))
        elif isinstance(sample[operand], np.ndarray):
            new = np.asarray(new)
        return weigh(result(rule, sample | {operand: new}), g)

    h = 1e-4
    for i in range(x.size):
        found[i] = (8 * (at(i, h) - at(i, -h)) - at(i, 2 * h) + at(i, -2 * h)) / (12 * h)
    return found.reshape(x.shape)


def places(rule: Rule, sample: Sample) -> Iterator[tuple[str, int | None]]:
    """The operands, or the positions in a sequence of them."""
    for operand in rule.operands:
        several = rule.law == "sequence" or (rule.law == "tuple" and operand == "xs")
        yield from ((operand, k) for k in (range(len(sample[operand])) if several else (None,)))


@ALL
def test_adjoint_is_the_numeric_derivative(rule: Rule) -> None:
    tried = 0
    for sample in samples(rule):
        y = result(rule, sample)
        g = head(y)
        for operand, k in places(rule, sample):
            if np.asarray(sample[operand] if k is None else sample[operand][k]).dtype.kind != "f":
                continue
            d = adjoint(rule, sample, operand, y, g, k)
            expected = numeric(rule, sample, operand, g, k)
            assert np.shape(d) == expected.shape, (sample, operand)
            tolerance = (
                1e-2 if "np.float32" in rule.primal else 1e-6
            )  # of the primal, in single precision
            np.testing.assert_allclose(
                d, expected, tolerance, 1e-7, err_msg=f"{operand} of {sample}"
            )
            tried += 1
    assert tried, "no sample fits this row"


def as_float32(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.astype(np.float32) if value.dtype == np.float64 else value
    return type(value)(map(as_float32, value)) if isinstance(value, (list, tuple)) else value


@ALL
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
    names = NAMES | sample | {"y": y}
    if rule.law == "reduction" and not rule.linear:
        names["y"] = runtime.spread(y, sample[operand], sample["axis"], sample["keepdims"])
    each_alone = rule.law == "sequence" and "k" in {
        node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)
    }
    every = enumerate(dot) if each_alone else [(sample.get("k"), dot)]
    found = [eval(text, names | {"k": k, f"{operand}_dot": d}) for k, d in every]
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


@each([rule for rule in ROWS_OF_ALL if rule.law == "tuple"])
def test_unused_results_have_no_gradient(rule: Rule) -> None:
    for sample in samples(rule):
        y = result(rule, sample)
        for operand, k in places(rule, sample):
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
    y = result(rule, names)
    np.testing.assert_allclose(adjoint(rule, names, rule.operands[0], y, 1.0), expected)


def test_exponent_at_base_zero() -> None:
    rule = next(r for r in rules.RULES["Pow"] if r.primal == "x ** p")
    p = np.array([0.0, 0.5, 2.0])
    assert not np.any(adjoint(rule, {"x": np.zeros(3), "p": p}, "p", np.zeros(3) ** p, 1.0))


# The NumPy names that code in use everywhere is made of.
DIFFERENTIABLE = """
    multiply add subtract divide negative power sum array transpose sqrt abs asarray dot exp reshape copy mod log matmul
    astype mean max float64 linspace cos where ravel sin maximum concatenate atleast_1d min real einsum hstack clip
    atleast_2d diag vstack minimum full cumsum linalg.norm unique squeeze asanyarray diff linalg.inv prod imag meshgrid
    tile sort log2 outer square linalg.solve pad arctan2 repeat arctan r_ conj log10 ascontiguousarray std tanh stack
    percentile
"""
PIECEWISE_CONSTANT = """
    shape ndim size any floor_divide all isscalar isnan isfinite ceil argmax finfo sign argsort round nonzero floor argmin
    allclose isinf isclose issubdtype logical_and dtype searchsorted flatnonzero iscomplexobj
"""
CONSTRUCTORS = "zeros empty ones arange eye zeros_like empty_like errstate ones_like mgrid"


@pytest.mark.parametrize("name", DIFFERENTIABLE.split())
def test_differentiable_names_have_rules(name: str) -> None:
    assert rules.RULES[rules.lookup(f"np.{name}")]


@pytest.mark.parametrize("name", PIECEWISE_CONSTANT.split() + CONSTRUCTORS.split())
def test_other_names_are_known(name: str) -> None:
    assert rules.is_constant(rules.lookup(f"np.{name}"))


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
