"""Arguments with which the rows of the rule tables are tried, where their parameters do not say enough."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

Sample = dict[str, Any]


def values(*shape: int, low: float = 0.2, high: float = 0.9, seed: int = 0) -> Any:
    """Distinct values between the bounds, in random order: no ties, inside the domain of most functions."""
    n = math.prod(shape)
    grid = np.linspace(low, high, max(n, 1))[:n] + 0.003 * seed
    return np.random.default_rng(seed + n).permutation(grid).reshape(shape)


X = values(2, 3)
CUBE = values(2, 3, 4)
GAPS = values(3, 3, 4)
GAPS[0, 1, 2] = np.nan
SQUARE = values(3, 3) + 2 * np.eye(3)
SIGNED = np.random.default_rng(1).uniform(-1, 1, (3, 4))
FOURS = [values(4), values(4, 4)]
PAIRS = [{"x": x, "z": z} for x in FOURS for z in (values(4, seed=1), values(4, 4, seed=1))]
WEIGHTS = {"aweights": values(4, seed=3), "fweights": np.array([1, 2, 1, 3])}
COVARIANCES = [
    pair | {"ddof": d} | {k: WEIGHTS[k] for k in weights}
    for pair in PAIRS
    for d, weights in ((None, ()), (2, ()), (None, ("aweights",)), (1, ("fweights", "aweights")))
]
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

AROUND = [
    {"x": x, "axis": a, "keepdims": k, "ddof": d, "correction": d, "mean": 1.3 * np.mean(x, axis=a, keepdims=True) + 0.05 * values(*np.mean(x, axis=a, keepdims=True).shape)}
    for x in (X, CUBE) for a in (None, 0, -1, (0, 1)) for d in (0, 1) for k in (False, True)
]  # fmt: skip
TRAPEZOIDS = [
    {"v": v, "x": x, "dx": 1.0, "axis": a}
    for v, x, a in ((X, values(3), -1), (CUBE, values(3), 1), (X, values(2, 3, seed=1), -1), (X, values(2, 3, seed=1), 0), (CUBE, values(1, 3, 4), 1), (CUBE, values(2, 3, 1), 0))
]  # fmt: skip
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
    "np.diff": [{"x": x, "n": n, "axis": a} for x in (X, CUBE) for n in (0, 1, 2) for a in (-1, 1)],
    "np.cumprod(x, axis=None, dtype=None)": [{"x": x, "axis": a, "dtype": np.float64} for x in (X, CUBE, X * (X > 0.4)) for a in (None, 0, -1)],
    "np.cumprod": [{"x": x, "axis": a} for x in (X, CUBE, np.zeros((2, 2)), 0.3) for a in (None, 0, -1)],
    "np.astype": [
        {"x": X, "dtype": np.float64, "copy": True},
        {"x": np.array(0.7), "dtype": np.float64, "copy": True},
    ],
    "np.squeeze": [{"x": ROWS, "axis": a} for a in (None, 1, -1)] + [{"x": x, "axis": None} for x in (np.array([[0.5]]), 0.5)],
    "np.ndarray.copy": [{"x": x, "order": o} for x in (X, CUBE, np.array(0.5)) for o in ("C", "F")],
    "np.ndarray.item": [{"x": np.array([[0.5]])}, {"x": np.array(0.5)}],
    "np.expand_dims": [{"x": X, "axis": a} for a in (0, -1, (0, 2))] + [{"x": 0.5, "axis": 0}],
    "np.transpose": [{"x": CUBE, "axes": a} for a in ((1, 2, 0), (-1, 0, 1), [2, 0, 1])],
    "np.transpose(x, axes := None)": [{"x": CUBE}, {"x": np.array(0.7)}],
    "np.permute_dims": [{"x": CUBE, "axes": a} for a in ((1, 2, 0), (-1, 0, 1))],
    "np.swapaxes": [{"x": CUBE, "axis1": 0, "axis2": -1}],
    "np.moveaxis": [{"x": CUBE, "source": s, "destination": d} for s, d in ((0, -1), ((0, 1), (2, 0)))],
    "np.roll": [{"x": X, "shift": s, "axis": a} for s, a in ((1, None), (-1, 1), ((1, 2), (0, 1)))],
    **{f"np.{name}(row, k=0)": [{"row": values(4), "k": k} for k in (0, 1, -1)] for name in ("triu", "tril")},
    "np.triu": [{"x": X, "k": k} for k in (0, 1, -1)],
    "np.tril": [{"x": CUBE, "k": k} for k in (0, 1, -1)],
    "np.broadcast_to": [{"x": X, "shape": (4, 2, 3)}, {"x": ROWS, "shape": (2, 3)}, {"x": 0.5, "shape": (2,)}],
    "np.repeat": [
        {"x": X, "repeats": r, "axis": a} for r, a in ((2, None), (3, 1), (2, -2), ([1, 0, 2], 1), ([2, 1], 0))
    ]
    + [{"x": 0.5, "repeats": 3, "axis": None}],
    "np.tile": [{"x": x, "reps": r} for x in (X, values(3), 0.5) for r in (2, (3,), (2, 1, 3))],
    "np.full": [{"shape": (2, 3), "fill_value": v, "dtype": None} for v in (0.5, values(3))],
    "np.full_like": [{"x": X, "fill_value": v, "dtype": None} for v in (0.5, values(3))],
    "np.arange": [{"start": 0.3, "stop": 2.13, "step": 0.25}],
    "np.vdot": [{"x": values(3), "w": values(3, seed=1)}, {"x": X, "w": values(3, 2)}],
    "np.outer": [{"x": values(3), "w": values(2)}, {"x": X, "w": 0.5}, {"x": 0.4, "w": values(2)}],
    "np.kron": [{"x": x, "w": w} for x in (X, values(3)) for w in (values(2, 2), COLUMN)],
    "np.tensordot": [
        {"x": CUBE, "w": values(3, 4, 2), "axes": 2},
        {"x": CUBE, "w": values(4, 5), "axes": 1},
        {"x": X, "w": values(2), "axes": 0},
        {"x": 0.4, "w": values(2), "axes": 0},
        {"x": X, "w": 0.4, "axes": 0},
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
    "np.append": [{"x": X, "values": values(2, 3, seed=1), "axis": a} for a in (None, 0, 1)] + [{"x": values(3), "values": 0.5, "axis": None}],
    **{
        f"np.array(x, {more})": [{"x": X, "dtype": None}]  # of a list it is a copy, whatever is asked for
        for more in ("copy=[True, False, None]", "dtype=None, copy=[True, False, None]", "dtype=None, copy=[True, False, None], order='K', subok=False")
    },
    "np.array": [{"xs": xs, "x": X, "dtype": None, "copy": True, "ndmin": 3} for xs in ([0.3, 0.4], *LISTS)]
    + [{"xs": [0.3, 0.4], "x": 0.3, "dtype": None, "copy": True, "ndmin": n} for n in (0, 1, 2)],
    "np.asarray": [{"xs": xs, "x": x, "dtype": None} for xs, x in (([0.3, 0.4], X), (LISTS[0], 0.5), (LISTS[1], values(3)), (LISTS[1], CUBE))],
    "np.asanyarray": [{"xs": xs, "x": X, "dtype": None} for xs in ([0.3, 0.4], *LISTS)],
    "np.ascontiguousarray": [{"xs": xs, "x": x} for xs, x in (([0.3, 0.4], X), (LISTS[0], 0.5), (LISTS[1], values(3)), (LISTS[1], CUBE))],
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
    "np.take_along_axis": [
        {"x": X, "indices": np.array(i), "axis": a} for i, a in (([[0, 0, 2], [1, 1, 1]], 1), ([[1, 0, 1]], 0), ([0, 0, 4], None), ([[2, 0, 0, 1]], 1))
    ],
    "max(x)": [{"x": np.array([0.3, 0.9, 0.2])}],
    "min(x)": [{"x": np.array([0.3, 0.9, 0.2])}],
    "max": [{"x": 0.3, "z": 0.4, "xs": [0.4, 0.7, 0.2]}],
    "min": [{"x": 0.3, "z": 0.4, "xs": [0.4, 0.7, 0.2]}],
    "sum": [{"xs": [0.4, 0.7], "x": X, "start": values(3)}, {"xs": LISTS[0], "x": values(3), "start": 0.3}],
    "math.fsum": [{"xs": [0.4, 0.7], "x": values(3)}],
    "unbroadcast": [{"x": CUBE, "like": like} for like in (values(3, 4), values(1, 4), 0.5, CUBE)]
    + [{"x": x, "like": CUBE} for x in (0.5, values(4), values(3, 1), values(2, 1, 4))] + [{"x": values(4), "like": values(3, 1)}],
    "spread": [{"x": X, "like": CUBE, "axis": -1, "keepdims": False}, {"x": values(3), "like": CUBE, "axis": (0, 2), "keepdims": False}],
    "full": [{"x": x, "like": X} for x in (0.5, values(3), X)],
    "cast": [{"x": X, "like": X}],
    "of_floats": [{"x": x, "dtype": t} for x in (X, 0.3) for t in (np.float64, None)],
    "power_slope_by_exponent": [{"x": X, "p": p, "n": n, "m": m} for p in (0.5, values(3) + 1) for n in (1, 2, 3) for m in (1, 2)] + [{"x": 0.7, "p": 2.0, "n": 2, "m": 1}],
    "power_slope": [{"x": X, "p": p, "n": n} for p in (0, 2, 0.5, 3.0) for n in (1, 2)] + [{"x": values(2), "p": np.array([2.0, -1]), "n": 1}],
    "matmul_left": [{"h": x @ w, "x": x, "w": w} for x, w in PRODUCTS],
    "matmul_right": [{"h": x @ w, "x": x, "w": w} for x, w in PRODUCTS],
    "dot_left": [{"h": np.dot(x, w), "x": x, "w": w} for x, w in PRODUCTS],
    "dot_right": [{"h": np.dot(x, w), "x": x, "w": w} for x, w in PRODUCTS],
    "cross_left": [{"h": np.cross(x, w), "x": x, "w": w, "axis": -1} for x in (X, values(3)) for w in (values(2, 3, seed=1), COLUMN)],
    "kron_left": [{"h": np.kron(x, w), "x": x, "w": w} for x, w in PRODUCTS[:2]],
    "kron_right": [{"h": np.kron(x, w), "x": x, "w": w} for x, w in PRODUCTS[:2]],
    "tile_adjoint": [{"h": values(4, 3), "x": X, "reps": (2, 1)}, {"h": values(6), "x": values(3), "reps": 2}],
    "repeat_adjoint": [{"h": values(2, 3), "x": X, "repeats": [1, 0, 2], "axis": 1}, {"h": values(12), "x": X, "repeats": 2, "axis": None}],
    "pad_adjoint": [{"h": values(4, 5), "x": X, "pad_width": 1, "mode": m} for m in ("constant", "edge", "wrap", "reflect", "linear_ramp", "mean")],
    "pad_adjoint(h, x, pad_width, mode='constant', reflect_type='even')": [{"h": values(4, 6), "x": X, "pad_width": ((1, 1), (2, 1)), "mode": m, "reflect_type": t} for m in ("reflect", "symmetric") for t in ("even", "odd")],
    **{
        f"pad_statistic_{way}": [
            {"h": values(*shape), "x": values(3, 4, seed=1), "pad_width": ((1, 1), (2, 1)), "mode": m, "stat_length": n}
            for m in ("maximum", "minimum", "median", "mean") for n in (None, 2, ((1, 3), (2, 9)))
        ]
        for way, shape in (("adjoint", (5, 7)), ("tangent", (3, 4)))
    },
    "sort_adjoint": [{"h": X + 1, "x": X, "axis": a} for a in (0, -1)],
    "take_along_axis_adjoint": [{"h": values(1, 3), "x": X, "indices": np.array([[1, 0, 1]]), "axis": 0}, {"h": values(2, 2), "x": X, "indices": np.array([[2, 2]]), "axis": 1}],
    "unique_adjoint": [{"h": values(4, seed=1), "x": values(4)}],
    "interp_slope": [{"x": X, "xp": np.array([0.0, 0.33, 0.7]), "fp": values(3)}],
    "cumsum_adjoint": [{"h": X, "x": X, "axis": a} for a in (0, -1)] + [{"h": values(6), "x": X, "axis": None}],
    "take_adjoint": [{"h": values(3), "x": X, "indices": [0, 0, 2], "axis": None}, {"h": values(2, 2), "x": X, "indices": [1, 1], "axis": 1}],
    "diagonal_adjoint": [{"h": values(2), "x": X, "offset": 0, "axis1": 0, "axis2": 1}, {"h": values(4, 2), "x": CUBE, "offset": 0, "axis1": 0, "axis2": 1}],
    "diff_adjoint": [{"h": np.diff(CUBE, n, a), "x": CUBE, "n": n, "axis": a} for n in (1, 2) for a in (-1, 0)],
    "np.ldexp": [{"x": X, "i": np.array([1, -2, 3])}, {"x": 0.3, "i": 2}],
    "math.ldexp": [{"x": 0.3, "i": 2}],
    "np.divmod": [{"x": SIGNED, "z": values(4)}, {"x": 0.7, "z": values(3) / 2 + 0.013}],
    "divmod": [{"x": 0.7, "z": 0.3}, {"x": SIGNED, "z": 0.3}],
    "np.modf": [{"x": 3 * SIGNED}],
    "math.modf": [{"x": 2.3}],
    "np.histogram": [
        {"x": values(9), "bins": b, "range": r, "density": d, "weights": None}
        for b, r in ((3, None), (3, (0.3, 0.75)), (np.array([0.1, 0.45, 0.61, 1.0]), None)) for d in (None, True)
    ] + [
        {"x": values(9), "bins": b, "range": r, "density": d, "weights": np.abs(values(9, seed=1))}
        for b, r in ((3, None), (3, (0.3, 0.75)), (np.array([0.1, 0.45, 0.61, 1.0]), None)) for d in (False, True)
    ] + [{"x": X, "bins": b, "range": None, "density": None, "weights": w} for b, w in (("auto", None), (2, values(2, 3, seed=1)))],
    "np.histogram_bin_edges": [{"x": values(9), "bins": b, "range": r, "weights": None} for b, r in ((3, None), (3, (0.3, 0.75)), ("fd", None))],
    "np.frexp": [{"x": 3 * SIGNED}],
    "math.frexp": [{"x": 2.3}],
    "np.heaviside": [{"x": np.array([-0.3, 0.4]), "h": values(3, 1)}, {"x": np.array([-1, 0, 2]), "h": values(3)}],
    "np.fmax": [{"x": x, "z": z} for x, z in ((X, values(3)), (X, COLUMN - 0.3), (np.array([0.3, np.nan, 0.4]), np.array([np.nan, 0.2, 0.5])))],
    "np.fmin": [{"x": x, "z": z} for x, z in ((X, values(3)), (X, COLUMN - 0.3), (np.array([0.3, np.nan, 0.4]), np.array([np.nan, 0.2, 0.5])))],
    "math.prod": [{"xs": [0.3, 0.4, 0.5], "x": values(3), "start": 0.7}, {"xs": (0.3, 0.4), "start": 2, "x": np.array([0.3, 0.0, 0.4])}],
    "math.hypot": [{"xs": (0.3, 0.4, 0.5), "x": 0.3, "z": 0.4}],
    "np.choose": [{"a": np.array([[0, 1, 2], [2, 0, 1]]), "xs": [X, values(3), 0.4]}],
    "np.select": [{"conditions": [X > 0.5, X > 0.3], "xs": xs, "default": d} for xs, d in (([X, values(2, 3, seed=1)], 0.3), ([values(3), X], values(2, 1)))],
    "np.nan_to_num": [{"x": X}, {"x": np.array([[0.3, 0.4]])}],
    "np.sum": [{"x": x, "axis": a, "keepdims": k, "initial": 2.0, "dtype": np.float64} for x in (X, CUBE) for a in AXES for k in (False, True)],
    "np.prod": [{"x": x, "axis": a, "keepdims": k, "initial": 2.0} for x in (X, CUBE, X * (X > 0.4)) for a in AXES for k in (False, True)],
    "np.max": [{"x": x, "axis": a, "keepdims": k, "initial": i} for x in (X, CUBE) for i in (0.5, -1) for a in AXES for k in (False, True)],
    "np.min": [{"x": x, "axis": a, "keepdims": k, "initial": i} for x in (X, CUBE) for i in (0.5, 9) for a in AXES for k in (False, True)],
    "np.var": [{"x": x, "axis": a, "keepdims": k, "ddof": d, "correction": d} for x in (X, CUBE) for d in (0, 1) for a in AXES for k in (False, True)],
    "np.std": [{"x": x, "axis": a, "keepdims": k, "ddof": d, "correction": d} for x in (X, CUBE) for d in (0, 1) for a in AXES for k in (False, True)],
    **{
        f"np.nan{name}": [
            {"x": GAPS, "axis": a, "keepdims": k, "ddof": d, "correction": d, "q": q * (1 if "quantile" in name else 100)}
            for a in AXES for k in (False, True) for d in (0, 1) for q in (0.31, np.array([0.1, 0.5, 1]))
        ]
        for name in ("sum", "mean", "prod", "max", "min", "var", "std", "median", "quantile", "percentile")
    },
    **{f"np.nancum{name}": [{"x": GAPS, "axis": a} for a in (None, 0, -1)] for name in ("sum", "prod")},
    "np.quantile(x, q, axis=None, method=['inverted_cdf'], keepdims=False, weights=weights)": [
        {"x": X, "q": 0.4, "axis": a, "method": "inverted_cdf", "keepdims": k, "weights": values(2, 3, seed=2)} for a in (None, 1) for k in (False, True)
    ],
    **{
        f"np.ediff1d({form})": [
            {"x": x, "to_begin": v, "to_end": w}
            for x in (X, values(4), 0.3, np.array(0.4), values(1), values(0))
            for v, w in ((0.3, values(3)), (values(2, seed=1), 0.4), (values(0), values(2)), (values(2), values(0)))
        ]
        for form in ("x, to_end=[None], to_begin=to_begin", "x, to_end=to_end, to_begin=[None]", "x, to_end=to_end, to_begin=to_begin")
    },
    "np.ndarray.compress": [{"x": X, "condition": [True, False], "axis": 0}, {"x": X, "condition": [False, True, True], "axis": None}],
    "np.divide.outer": [{"x": x, "w": w} for x in (X, values(2), 0.7) for w in (values(3, 2), values(4, seed=1), 0.3)],
    "np.linspace(start, stop, num=50, endpoint=True, axis=axis)": [
        {"start": values(3), "stop": b, "num": 4, "endpoint": e, "axis": a} for b in (0.7, values(2, 3, seed=1)) for e in (False, True) for a in (0, 1, -1)
    ],
    **{
        f"np.{form}": [{"start": s, "stop": t, "num": 4, "endpoint": e, "base": 2.0} for s, t in ((0.3, 0.7), (values(3), 0.7), (0.4, values(2, 3)), (values(3), values(2, 1, seed=1))) for e in (False, True)]
        for form in ("logspace(start, stop, num=50, endpoint=True, base=10.0)", "geomspace(start, stop, num=50, endpoint=True)")
    },
    **{
        f"np.polynomial.{family}.{p}{what}": found
        for family, p in (("polynomial", "poly"), ("chebyshev", "cheb"), ("legendre", "leg"), ("hermite", "herm"), ("hermite_e", "herme"), ("laguerre", "lag"))
        for what, found in (
            ("val", [{"x": x, "c": c} for x in (X, 0.3) for c in (values(4), values(1))]),
            ("der", [{"c": c, "m": m} for c in (values(4), values(1)) for m in (1, 2, 5)]),
            ("int", [{"c": c, "m": m} for c in (values(4), values(1)) for m in (1, 2)]),
            ("vander", [{"x": x, "deg": n} for x in (values(3), X, 0.3) for n in (0, 1, 3)]),
        )
    },
    "np.polynomial.polynomial.polyval": [{"x": x, "c": c} for x in (X, 0.3) for c in (values(4), values(1))],
    "np.polynomial.polynomial.polyder": [{"c": c} for c in (values(4), values(1))],
    "np.median": [{"x": x, "axis": a, "keepdims": k} for x in (X, CUBE, values(3, 3)) for a in AXES for k in (False, True)],
    "np.quantile": [
        {"x": CUBE, "q": q, "axis": a, "keepdims": k, "method": m}
        for q in (0.31, np.array([0.1, 0.5, 1]), np.array([[0.2], [0.3]])) for a in AXES for k in (False, True) for m in ("linear", "lower", "midpoint", "hazen")
    ],
    "np.percentile": [{"x": CUBE, "q": q, "axis": a, "keepdims": k, "method": m} for q in (31, np.array([10, 52.3, 100])) for a in AXES for k in (False, True) for m in ("hazen", "lower")],
    "np.linalg.vector_norm": [{"x": x, "axis": a, "keepdims": k, "ord": o} for x in (SIGNED, SIGNED[0]) for a in (None, 0, -1) for k in (False, True) for o in (2, 1, 3, 0.5, np.inf)],
    "np.linalg.matrix_norm": [{"x": x, "keepdims": k, "ord": o} for x in (SIGNED, CUBE - 0.51) for k in (False, True) for o in ("fro", "nuc", 1, 2, np.inf)],
    **{
        f"np.cumulative_{name}": [{"x": x, "axis": a, "include_initial": i} for x, a in ((values(4), None), (X, 1), (CUBE, 0)) for i in (False, True)]
        for name in ("sum", "prod")
    },
    **{f"np.{name}.accumulate": [{"x": x, "axis": a} for x in (SIGNED, CUBE) for a in (0, -1)] for name in ("add", "multiply", "maximum", "minimum", "fmax", "fmin", "logaddexp", "logaddexp2")},
    **{f"np.{name}.reduce": [{"x": x, "axis": a, "keepdims": k} for x in (X, CUBE) for a in (0, -1, None) for k in (False, True)] for name in ("add", "multiply", "maximum", "minimum", "fmax", "fmin", "logaddexp", "logaddexp2")},
    **{f"np.{name}.reduceat": [{"x": x, "indices": i, "axis": a} for x, i, a in ((values(6), [0, 2, 5], 0), (values(6), [0, 4, 1], 0), (X, [0, 2], 1), (X, [0, 1], -2))] for name in ("add", "maximum", "minimum", "fmax", "fmin")},
    "np.trapezoid(v, x=[None], dx=dx, axis=[-1])": [{"v": v, "x": None, "dx": d, "axis": -1} for v in (values(3), X) for d in (values(v.shape[-1] - 1), values(1))],
    "np.trapezoid(v, x=[None], dx=dx, axis=-1)": [{"v": v, "x": None, "dx": values(3), "axis": a} for v, a in ((X, 0), (CUBE[..., :3], 1), (values(4, 1), 0))],
    "np.trapezoid(v, x, dx=1.0, axis=-1)": TRAPEZOIDS,
    "np.trapezoid": [{"v": v, "x": np.sort(values(3)), "dx": 0.3, "axis": -1} for v in (values(3), X, values(2, 2, 3))] + [{"v": CUBE, "x": np.sort(values(3)), "dx": 0.3, "axis": 1}],
    "np.gradient": [
        {"f": f, "spacing": s, "axis": a, "edge_order": e}
        for f, s, a in ((values(4), (), None), (values(7), (0.3,), None), (values(5), (np.sort(values(5)),), 0), (values(4, 5), (), 1), (values(4, 5), (0.2,), 0), (values(3, 6), (np.sort(values(6)),), -1))
        for e in (1, 2)
    ],
    "np.hsplit": [{"x": x, "indices_or_sections": [1]} for x in (X, CUBE)] + [{"x": values(4), "indices_or_sections": 2}],
    "np.vsplit": [{"x": X, "indices_or_sections": [1]}],
    "np.dsplit": [{"x": CUBE, "indices_or_sections": 2}],
    "np.unstack": [{"x": CUBE, "axis": a} for a in (0, 1, -1)],
    "np.ix_": [{"xs": (values(3), values(2), values(4))}],
    **dict.fromkeys(
        ("np.fft.fftfreq", "np.fft.rfftfreq", "scipy.fft.fftfreq", "scipy.fft.rfftfreq"),
        [{"n": n, "d": d} for n in (4, 5) for d in (0.3, values(3, 1) + 2)],
    ),
    "np.broadcast_arrays": [{"xs": (X, values(3), 0.4)}],
    "np.block": [{"xs": [X, values(2, 1)]}, {"xs": [[X, values(2, 2)], [values(1, 3), values(1, 2)]]}],
    "np.linalg.tensorsolve": [{"a": (values(6, 6) + 3 * np.eye(6)).reshape(2, 3, 6), "b": X}],
    "np.linalg.tensorinv": [{"x": (values(6, 6) + 3 * np.eye(6)).reshape(2, 3, 6), "ind": 2}, {"x": (values(6, 6) + 3 * np.eye(6)).reshape(6, 3, 2), "ind": 1}],
    "np.linalg.pinv": [{"x": X}, {"x": values(3, 2)}, {"x": SQUARE}],
    "np.linalg.matrix_power": [{"x": x, "n": n} for x in (SQUARE, np.stack((SQUARE, SQUARE.T))) for n in (0, 1, 2, 3, 5, -1, -2)],
    "np.linalg.lstsq": [{"a": a, "b": b} for a, b in ((values(4, 2), values(4)), (values(4, 2), values(4, 3)), (X, values(2)), (SQUARE, values(3)))],
    "np.linalg.eigh": [{"x": SQUARE + SQUARE.T, "UPLO": u} for u in "LU"] + [{"x": np.stack((SQUARE + SQUARE.T, SQUARE))}],
    "np.linalg.eigvalsh": [{"x": SQUARE + SQUARE.T, "UPLO": u} for u in "LU"],
    "np.linalg.svd": [{"x": x, "full_matrices": f, "compute_uv": False} for x in (values(4, 2), X, np.stack((X, 1 / X))) for f in (False,)] + [{"x": SQUARE, "full_matrices": True, "compute_uv": False}],
    "np.linalg.svdvals": [{"x": x} for x in (values(4, 2), X)],
    "resized": [{"h": values(4), "x": values(n), "axis": -1} for n in (3, 4, 6)],
    "np.linalg.qr": [{"x": x, "mode": m} for x in (values(4, 2), SQUARE, values(2, 4), np.stack((values(2, 3), values(2, 3) ** 2)), np.stack((SQUARE, SQUARE.T))) for m in ("reduced", "r")],
    "np.linalg.qr(x, mode=['complete'])": [{"x": x, "mode": "complete"} for x in (SQUARE, values(2, 4), np.stack((SQUARE, SQUARE.T)))],
    "np.linalg.cond": [{"x": x, "p": p} for x in (SQUARE, np.stack((SQUARE, SQUARE.T))) for p in (None, 2, -2, 1, "fro", np.inf)],
    "np.linalg.cholesky": [{"x": x, "upper": u} for x in (SQUARE + SQUARE.T, np.stack((SQUARE + SQUARE.T, 4 * np.eye(3)))) for u in (False, True)],
    "np.cov": COVARIANCES,
    "np.corrcoef": COVARIANCES,
    "np.partition": [{"x": x, "kth": 1, "axis": a} for x in (X, CUBE) for a in (0, -1)],
    "np.sort": [{"x": x, "axis": a, "kind": "stable"} for x in (X, CUBE) for a in (0, -1)],
    "np.sort(x, axis=[None], kind=None)": [{"x": x, "axis": None, "kind": "stable"} for x in (X, CUBE, 0.3)],
    "np.unique_values": [{"x": X}, {"x": values(4)}],
    "np.compress": [{"x": X, "condition": [True, False], "axis": 0}, {"x": X, "condition": [True, False, True], "axis": 1}, {"x": X, "condition": [False, True, True], "axis": None}],
    "np.extract": [{"x": X, "condition": X > 0.5}],
    "np.delete": [{"x": X, "obj": o, "axis": a} for o, a in ((1, 0), ([0, 2], 1), (slice(1, 3), None), (-1, 1))],
    "np.insert": [{"x": X, "obj": o, "values": v, "axis": a} for o, v, a in ((1, 0.4, None), (1, values(3), 0), ([0, 3], values(2, 2), 1), ([2, 2, 0], values(3), None), (1, values(2), 1), (1, values(3), None), (-1, values(2), None))],
    "np.trim_zeros": [{"x": np.array([0, 0, 0.3, 0, 0.4, 0]), "trim": t} for t in ("fb", "f", "b")],
    "np.lib.stride_tricks.sliding_window_view": [{"x": values(6), "window_shape": 3, "axis": None}, {"x": X, "window_shape": 2, "axis": 1}, {"x": values(4, 3), "window_shape": (2, 2), "axis": None}],
    "np.take": [{"x": X, "indices": i, "axis": a} for i, a in (([0, 0, 2], None), ([[1, 1], [0, 1]], 0), (1, -1), (5, None))],
    "np.take(x, indices, axis=None, mode='raise')": [{"x": X, "indices": [0, 7, -9], "axis": 1, "mode": m} for m in ("wrap", "clip")],
    "np.diagflat": [{"x": x, "k": k} for x in (values(3), X) for k in (0, 1, -2)],
    "np.linalg.diagonal": [{"x": CUBE, "offset": o} for o in (0, 1, -1)],
    "np.linalg.trace": [{"x": x, "offset": o} for x in (X, CUBE) for o in (0, 1)],
    "np.bincount": [{"i": np.array([0, 2, 2, 1]), "weights": values(4), "minlength": m} for m in (0, 6)],
    "np.interp": [
        {"x": x, "xp": np.array([0.0, 0.33, 0.7]), "fp": values(3, seed=3), "left": None, "right": None} for x in (X, 0.5, values(5, low=-1, high=2))
    ] + [{"x": values(3), "xp": np.array([0.33]), "fp": values(1), "left": None, "right": None}],
    "np.interp(x, xp, fp, left=None, right=None, period=[None])": [
        {"x": x, "xp": np.array([0.1, 0.33, 0.7]), "fp": values(3, seed=3), "left": a, "right": b, "period": None}
        for x in (X, 0.05, values(5, low=-1, high=2)) for a, b in ((0.3, 0.4), (None, 0.4), (0.3, None), (np.array(0.3), 0.2))
    ],
    "np.interp(x, xp, fp, left := None, right := None, period=period)": [
        {"x": x, "xp": np.array([0.1, 1.23, 0.7]), "fp": values(3, seed=3), "left": None, "right": None, "period": p}
        for x in (X, 0.05, values(5, low=-1, high=2)) for p in (0.83, 2.0, -0.83)
    ],
    "nodes_around": [{"xp": np.array([0.1, 1.23, 0.7]), "period": p} for p in (0.83, 2.0, -0.83)],
    "unless_outside": [{"h": X, "x": values(2, 3, seed=1), "xp": np.array([0.4, 0.5, 0.7]), "left": a, "right": b} for a, b in ((0.2, 0.3), (None, 0.2), (0.2, None))],
    "weigh_ends": [{"h": X, "first": 2, "last": 0.5, "axis": a} for a in (0, -1)],
    "np.fft.hfft": [{"x": x, "n": n, "axis": a} for x, a in ((values(4), -1), (X, 0)) for n in (None, 5, 8)],
    **{
        f"{module}.{name}": [{"x": x, "s": s, "axes": a} for x, a in ((X, (0, 1)), (CUBE, (0, 2))) for s in (None, (3, 5))]
        for module, names in (("np.fft", ("irfft2", "irfftn")), ("scipy.fft", ("irfft2", "irfftn", "hfft2", "hfftn"))) for name in names
    },
    "scipy.fft.irfftn(x, s, axes=[None], norm=None)": [{"x": x, "s": (3, 5)} for x in (X, CUBE)],
    "np.fft.irfft": [{"x": x, "n": n, "axis": a} for x, a in ((values(4), -1), (X, 0)) for n in (None, 5, 8)],
    "np.polyval": [{"p": values(4), "x": x} for x in (X, 0.3, values(3))],
    "np.polyder": [{"p": values(n), "m": m} for n in (4, 2, 1) for m in (2, 1, 3)],
    "np.polyint": [{"p": values(4), "m": m, "k": k} for m, k in ((1, None), (2, None), (2, 0.3))],
    **{f"np.poly{name}": [{"p": p, "q": q} for p, q in ((values(3), values(3, seed=1)), (values(4), values(2)), (values(2), values(4)), (values(3), 0.7), (0.4, values(3)), (0.3, 0.7))] for name in ("add", "sub", "mul")},
    "polymul_adjoint": [{"h": values(n), "p": p, "q": q} for n, p, q in ((6, values(3), values(4, seed=1)), (3, values(3), 0.7), (1, 0.3, 0.7))],
    "trimmed_like": [{"x": values(3), "y": values(3, seed=1)}],
    "np.polydiv": [{"u": values(n), "v": np.append(0.5, values(m - 1, seed=1))} for n, m in ((4, 2), (5, 3), (3, 3), (2, 3), (3, 1))],
    "np.poly": [{"r": values(4)}, {"r": values(1)}],
    "np.polyfit(x, v, deg, rcond=None, w=w)": [
        {"x": values(6), "v": values(6, seed=1), "deg": d, "rcond": c, "w": w}
        for d, c in ((0, None), (1, None), (2, None), (2, 1e-8)) for w in (values(6, seed=2), values(6, seed=2) - 0.5)
    ],
    "np.polyfit": [
        {"x": values(6), "v": v, "deg": d, "rcond": c, "w": w}
        for v in (values(6, seed=1), values(6, 2)) for d, c in ((1, None), (2, None), (2, 1e-8)) for w in (None, values(6, seed=2), list(values(6)))
    ],
    **{
        f"np.linalg.pinv({form})": [
            {"x": x, "rcond": c, "rtol": c, "hermitian": False}
            for x in (X, X.T, SQUARE, np.stack((SQUARE, SQUARE.T)), X[:, None] * np.eye(3)) for c in (1e-15, 0.5)
        ]
        for form in ("x, rcond=1e-15, hermitian=[False]", "x, hermitian=[False], rtol=rtol")
    },
    **{
        f"np.linalg.pinv({form})": [{"x": x, "rcond": c, "rtol": c, "hermitian": True} for x in (SQUARE + SQUARE.T, SQUARE, np.stack((SQUARE, SQUARE.T)), values(3, 3)) for c in (1e-15, 0.3)]
        for form in ("x, rcond=1e-15, hermitian=[True]", "x, hermitian=[True], rtol=rtol")
    },
    "pinv_slope": [{"h": X, "x": values(2, 3, seed=1), "cut": None}],
    "np.vander": [{"x": values(3), "n": n, "increasing": i} for n in (4, 2) for i in (False, True)],
    "np.convolve": [{"x": values(n), "w": values(m, seed=1), "mode": mode} for n, m in ((5, 3), (3, 5), (4, 2), (2, 4), (3, 3)) for mode in ("full", "same", "valid")],
    "np.convolve(x, w, mode=['full', 'same', 'valid'])": [
        {"x": x, "w": w, "mode": mode}
        for x, w in ((0.3, values(3)), (values(3), 0.3), (0.3, 0.4))
        for mode in ("full", "same", "valid")
    ],
    "np.correlate": [{"x": values(n), "w": values(m, seed=1), "mode": mode} for n, m in ((5, 3), (3, 5), (4, 2), (2, 4), (3, 3)) for mode in ("full", "same", "valid")],
    "np.rollaxis": [{"x": CUBE, "axis": a, "start": b} for a in (0, 1, 2, -1) for b in (0, 1, 2, 3, -1)],
    "np.rot90": [{"x": X, "k": k, "axes": (0, 1)} for k in (1, 2, -1)] + [{"x": CUBE, "k": 1, "axes": (2, 0)}],
    "np.resize": [{"x": X, "new_shape": n} for n in ((4, 4), (2,), (3, 2))],
    "np.logspace": [{"start": 0.3, "stop": 1.2, "num": 5, "endpoint": e, "base": 10.0} for e in (True, False)],
    "np.geomspace": [{"start": 0.3, "stop": 1.2, "num": 5, "endpoint": e} for e in (True, False)],
    "np.linspace": [{"start": a, "stop": b, "num": 5, "endpoint": e} for a, b in ((0.3, 2.0), (values(3), 0.4), (values(3), X)) for e in (True, False)],
    "np.ravel": [{"x": x} for x in (X, CUBE)],
    "np.ravel(x, order='C')": [{"x": 0.3, "order": order} for order in "CF"],
    "np.reshape(x, shape, order='C')": [{"x": 0.3, "shape": (1, 1), "order": order} for order in "CF"],
    "np.reshape": [{"x": CUBE, "shape": (4, -1)}, {"x": X, "shape": 6}, {"x": np.array([0.5]), "shape": ()}],
    "np.cumsum": [{"x": x, "axis": a, "dtype": None} for x in (X, CUBE, 0.3) for a in (None, 0, -1)],
    "np.pad": [
        {"x": x, "pad_width": w, "constant_values": 0.3, "end_values": 0.7}
        for x, w in ((X, 1), (X, (1, 0)), (X, ((1, 1), (0, 2))), (values(4), (3, 2)), (X, {1: (2, 1)}), (0.3, 0))
    ],
    "np.inner": [{"x": values(3), "w": values(3, seed=1)}, {"x": X, "w": values(3)}, {"x": values(3), "w": X}, {"x": X, "w": values(4, 3)}, {"x": CUBE, "w": values(5, 4)}, {"x": X, "w": 0.4}, {"x": values(4), "w": CUBE}],
    "np.linalg.outer": [{"x": values(3), "w": values(2)}],
    **{f"{name}": [{"x": x, "w": w, "axis": a} for x, w, a in ((X, values(2, 3, seed=1), -1), (X, values(3), -1))] for name in ("np.vecdot", "np.linalg.vecdot")},
    "np.matvec": [{"x": CUBE, "w": values(4)}, {"x": X, "w": values(5, 3)}],
    "np.vecmat": [{"x": values(3), "w": CUBE}, {"x": values(5, 2), "w": X}],
    "np.cross": [{"x": x, "w": w, "axis": -1} for x in (X, values(3)) for w in (values(2, 3, seed=1), COLUMN)] + [{"x": values(3, 3), "w": values(3, 3, seed=1), "axis": 0}],
    "np.linalg.cross": [{"x": X, "w": values(2, 3, seed=1), "axis": -1}, {"x": values(3, 3), "w": values(3, 3, seed=1), "axis": 0}],
    "np.linalg.multi_dot": [{"xs": xs} for xs in ([X, values(3, 4), values(4, 2)], [values(2), X, values(3)], [values(3, 2), X], [X, values(3, 4), values(4)], [X, values(4, 3, 2)], [CUBE, values(4)])],
    **{f"np.{name}.outer": [{"x": x, "w": w} for x, w in ((values(3), values(2)), (X, values(4)), (0.3, X), (values(2), X))] for name in ("add", "subtract", "multiply")},
    "along": [{"w": values(3), "x": CUBE, "axis": 1}, {"w": values(4), "x": CUBE, "axis": -1}]
    + [{"w": values(4, 2), "x": CUBE, "axis": (-1, 0)}, {"w": values(2, 3), "x": CUBE, "axis": (0, 1)}, {"w": values(3, 4, 2), "x": CUBE, "axis": (1, 2, 0)}],
    "between_pairs": [{"x": X}, {"x": values(4, 2)}],
    "between_pairs_adjoint": [{"h": values(3, 2), "x": values(3, 2, seed=1)}],
    "neighbours": [{"x": x, "axis": a} for x in (X, CUBE) for a in (0, -1)],
    "determined": [{"x": values(5), "w": w, "deg": 2, "rcond": None} for w in (None, values(5, seed=2))],
    "weighted_fit_adjoint": [
        {"h": values(d + 1), "x": values(5), "w": w, "deg": d, "rcond": r} for d in (0, 1, 2) for r in (None, 1e-9) for w in (values(5, seed=2), values(5, seed=3) - 0.5)
    ],
    "fit_adjoint": [{"h": values(d + 1), "x": values(5), "deg": d, "rcond": r} for d in (0, 1, 2) for r in (None, 1e-9)],
    "np.var(x, axis=None, ddof=0, keepdims=False, mean=mean)": AROUND,
    "np.std(x, axis=None, ddof=0, keepdims=False, mean=mean)": AROUND,
    "np.var(x, axis=None, correction=0, keepdims=False, mean=mean)": AROUND,
    "np.std(x, axis=None, correction=0, keepdims=False, mean=mean)": AROUND,
    **{f"np.unique(x, {options}axis=axis)": [{"x": x, "axis": a, "return_index": True, "return_inverse": True, "return_counts": True} for x in (X, CUBE) for a in (0, 1, -1)] for options in ("", "return_index=False, return_inverse=False, return_counts=False, ")},
    "neighbours_adjoint": [{"h": X, "axis": a} for a in (0, -1)],
    "values_along": [{"u": values(*n, seed=1), "z": values(*n)} for n in ((3, 3), (4, 2), (2, 3, 2))],
    "across": [{"x": CUBE, "axis": a} for a in (0, -1, (2, 0), (0, -2), (1, 2, 0))],
    "copy_shared": [{"xs": (X, values(3))}],
    "swapped_": [{"xs": (X, X), "k": 1, "x": values(2, 3, seed=3)}],
    "root_adjoint": [{"h": X, "r": values(2, 3, seed=1)}, {"h": 0.3, "r": 0.4}],
    "vector_norm_slope": [{"x": SIGNED, "r": np.linalg.vector_norm(SIGNED, axis=1, keepdims=True, ord=o), "ord": o, "axis": 1} for o in (1, 2, 3, 1.5)],
    # one product is infinite, so that all steps of the other are on one way
    "others": [{"x": x, "p": np.array([[0.0], [np.inf]]), "axis": 1} for x in (X, X * (X > 0.4))],
    "others_adjoint": [{"h": X, "x": values(2, 3, seed=1), "axis": a} for a in (1, None)],
    "others_curvature": [{"h": X, "w": values(2, 3, seed=2), "x": values(2, 3, seed=1), "axis": a} for a in (1, None)],
    "watched": [{"p": SQUARE, "gaps": SQUARE, "by_values": SQUARE[0]}],
    "values_of": [{"inner": SQUARE, "w": np.arange(1.0, 1 + len(SQUARE))}],
    "values_adjoint": [{"h": SQUARE[0], "inner": SQUARE, "w": np.arange(1.0, 1 + len(SQUARE))}],
    "of_full_rank": [{"x": SQUARE}],
    "det_slope": [{"x": x} for x in (SQUARE, np.stack((SQUARE, SQUARE.T)))],
    **{name: [{"h": h, "k": values(*h.shape, seed=1), "axis": a} for h, a in ((X, 1), (X, 0), (CUBE, -1), (values(1), 0))] for name in ("recurrence", "recurrence_adjoint")},
    **{name: [{"x": x, "axis": a, "first": 0.4} for x, a in ((X, 1), (X, 0), (CUBE, -1), (values(1), 0))] for name in ("one_ahead", "one_behind")},
    "cumprod_adjoint": [{"h": h, "x": values(2, 3, seed=1), "axis": a} for h, a in ((X, 1), (X, 0), (values(6), None))],
    "cumprod_tangent": [{"h": X, "x": values(2, 3, seed=1) * (X > z), "axis": a} for a in (1, 0, None) for z in (0, 0.4)],
    "norm_slope": [
        {"x": x, "r": np.linalg.norm(x, o, a, keepdims=True), "ord": o, "axis": a}
        for x, a, orders in ((SIGNED, 1, (1, 2, 3, np.inf, -1, -np.inf, None)), (SIGNED[0], None, (1, 0.5, np.inf)), (SIGNED, None, (1, -1, np.inf, 2, -2, "nuc", "fro")), (CUBE - 0.51, (2, 0), (1, 2, "nuc")))
        for o in orders
    ],
    "gradient_adjoint": [{"h": x, "f": x + 0.3, "x": s, "axis": a, "edge_order": e} for x, s, a, e in ((values(5), 0.3, None, 1), (values(5), np.sort(values(5)), 0, 2), (values(2, 5), np.sort(values(5)), 1, 1), (values(4, 3), 0.3, 0, 2))],
    "reduceat_adjoint": [{"h": values(3), "x": values(6), "indices": [0, 2, 5], "axis": 0}],
    "quantile_adjoint": [{"h": values(2, 2), "x": X, "q": np.array([0.2, 0.6]), "axis": 1}, {"h": values(2, 3, 4), "x": GAPS, "q": np.array([0.2, 0.6]), "axis": 1, "ignore_nan": True}],
    "quantile_tangent": [{"h": values(2, 3, seed=2), "x": X, "q": np.array([0.2, 0.6]), "axis": 1}, {"h": values(3, 3, 4, seed=2), "x": GAPS, "q": np.array([0.2, 0.6]), "axis": 1, "ignore_nan": True}],
    "laid_out": [{"v": v, "n": n} for v in (X, values(3), values(1)) for n in (0, 2, 6, 8)],
    "scattered": [{"h": values(4), "at": np.array([0, 5, 5, -1]), "x": X}],
    "taken_at": [{"x": X, "at": np.array([0, 5, 5, -1])}],
    "interp_adjoint": [{"h": X, "x": values(2, 3, seed=1), "xp": np.array([0.0, 0.33, 0.7]), "fp": values(3)}],
    "interp_slope_adjoint": [{"h": X, "x": values(2, 3, seed=1), "xp": np.array([0.0, 0.33, 0.7]), "fp": values(3)}],
    "part": [{"h": values(5, 3), "xs": [X, values(3, 3)], "at": k, "axis": 0} for k in (0, 1)] + [{"h": values(9), "xs": [X, values(3)], "at": 0, "axis": None}],
    "part_adjoint": [{"h": X, "like": values(5, 3), "xs": [X, values(3, 3)], "at": 0, "axis": 0}, {"h": X, "like": values(9), "xs": [X, values(3)], "at": 0, "axis": None}],
    "join": [{"hs": [X, more], "xs": [X, more], "axis": a} for more, a in ((values(1, 3), 0), (values(2, 2), 1))],
    "join(hs, xs, axis, places, shape)": [{"hs": [X[:, :2], X[:, :0], X[:, 1:]], "xs": [X[:, :2], X[:, :0], X[:, 1:]], "axis": 1, "places": [2, 1], "shape": X.shape}],
    "stacked": [{"hs": [X, values(2, 3)], "like": [X, X], "axis": a} for a in (0, 1)],
    "widened": [{"h": values(3), "x": values(5), "w": values(3), "mode": "valid"}]
    + [{"h": values(5), "x": values(n), "w": values(m), "mode": "same", "correlates": c} for n, m in ((5, 2), (2, 5)) for c in (False, True)],
    "narrowed": [{"h": values(7), "x": values(5), "w": values(3), "mode": m} for m in ("valid", "same", "full")]
    + [{"h": values(6), "x": values(n), "w": values(m), "mode": "same", "correlates": c} for n, m in ((5, 2), (2, 5)) for c in (False, True)],
    "trapezoid_widths": [{"x": values(4)}],
    "tensordot_left": [{"h": values(2, 5), "x": CUBE, "w": values(3, 4, 5), "axes": 2}],
    "tensordot_right": [{"h": values(2, 5), "x": CUBE, "w": values(3, 4, 5), "axes": 2}],
    "einsum_adjoint": [{"h": values(2, 4), "subscripts": "ij,jk->ik", "at": at, "xs": (X, values(3, 4))} for at in (0, 1)],
    "multi_dot_adjoint": [{"h": values(2, 2), "xs": [X, values(3, 4), values(4, 2)], "at": 1}],
}  # fmt: skip
SAMPLES["np.linalg.tensordot"] = SAMPLES["np.tensordot"]
SAMPLES["np.amax"], SAMPLES["np.amin"] = SAMPLES["np.max"], SAMPLES["np.min"]
SAMPLES["np.average"] += [
    {"x": x, "weights": values(3), "axis": a}
    for x, a in ((X, 1), (CUBE, 1), (X.T, 0), (CUBE, (1,)))
] + [
    {"x": CUBE, "weights": values(*shape, seed=1), "axis": a}
    for shape, a in (((2, 4), (0, 2)), ((4, 2), (-1, 0)), ((3, 4), (1, -1)))
]
RETURNED = "np.average(x, axis=None, weights=[None], returned=[True], keepdims=False)"
SAMPLES[RETURNED] = [
    {"x": x, "axis": a, "weights": None, "returned": True, "keepdims": k}
    for x, a in ((values(4), None), (X, 1), (CUBE, (0, -1)), (0.3, None))
    for k in (False, True)
]
SAMPLES[RETURNED.replace("[None]", "None")] = [
    {"x": x, "axis": a, "weights": w, "returned": True, "keepdims": k}
    for x, a, w in (
        (values(4), None, values(4, seed=1)), (X, None, values(2, 3, seed=1)), (X, -1, values(2, 3, seed=1)),
        (CUBE, (0, 2), values(2, 3, 4, seed=1)), (X, 1, values(3, seed=1)), (CUBE, -2, values(3, seed=1)),
        (CUBE, (-1, 0), values(4, 2, seed=1)), (CUBE, (0, 1), values(2, 3, seed=1)),
    )
    for k in (False, True)
]  # fmt: skip
BOTH_SIDES = [{"x": x, "z": z} for x, z in ((SIGNED, values(4) - 0.513), (0.3, 0.4), (-0.4, -0.6))]
for name in ("np.minimum", "np.maximum"):
    SAMPLES[name] = BOTH_SIDES
for name in ("min", "max"):
    SAMPLES[f"{name}(x, z)"] = BOTH_SIDES[1:]
    SAMPLES[f"{name}(x, 0)"] = SAMPLES[f"{name}(0, x)"] = BOTH_SIDES[1:]
for ours in ("x, rowvar=[False]", "x, z", "x"):
    SAMPLES[f"np.cov({ours}, bias=[False, True], ddof=ddof)"] = [p | {"ddof": 2} for p in PAIRS]
for helper, h in {
    "cov_adjoint": 0.3,
    "cov_tangent": values(4, seed=2),
    "corrcoef_adjoint": 0.3,
}.items():
    square = {"h": values(4, 4, seed=2), "x": FOURS[1], "ddof": None}
    single = {"h": h, "x": FOURS[0], "ddof": 2}
    SAMPLES[helper] = [square, square | WEIGHTS, single]
SAMPLES["checked"] = [
    {"x": values(3), "like": values(3, seed=1)},
    {"x": X, "like": X + 1},
    {"x": 0.3, "like": 1.2},
]
SAMPLES["head_like"] = [
    {"dy": values(3), "y": values(3, seed=1)},
    {"dy": X, "y": X + 1},
    {"dy": 0.3, "y": 1.2},
]
SAMPLES["checked_tangent"] = [
    {"x": values(3), "y": values(3, seed=1)},
    {"x": X, "y": X + 1},
    {"x": 0.3, "y": 1.2},
]
METHODS = ("weibull", "median_unbiased", "lower")
for name, times in (("quantile", 1), ("percentile", 100)):  # not at an element, where it has a kink
    for primal, arrays, methods in (
        (f"np.{name}(x, q=q, axis=None, keepdims=False, method=['linear'])", (CUBE**2, values(5), 0.3), ("linear",)),
        (f"np.{name}(x, q=q, axis=None, keepdims=False, method='linear')", (CUBE**2, values(5)), METHODS),
        (f"np.nan{name}(x, q=q, axis=None, keepdims=False, method='linear')", (GAPS**2, values(5)), ("linear", "hazen")),
    ):  # fmt: skip
        SAMPLES[primal] = [
            {"x": x, "q": q * times, "axis": a, "keepdims": k, "method": m}
            for x in arrays  # in steps that differ
            for q in (0.31, 0.523, np.array([0.1337, 0.523, 0.9719]), np.array([[0.23], [0.31]]))
            for a in (AXES if np.ndim(x) > 1 else (None, 0)[: 1 + np.ndim(x)])
            for k in (False, True)
            for m in methods
        ]
SAMPLES["quantile_rise"] = [
    {"h": x**2, "x": x, "q": q, "axis": a, "keepdims": k, "method": m, "ignore_nan": x is GAPS}
    for x in (CUBE, GAPS)
    for q in (0.31, np.array([0.1, 0.97]))
    for a in (None, 1)
    for k in (False, True)
    for m in ("linear", "weibull", "lower")
]
SAMPLES["quantile_weights"] = [
    {"x": x, "q": 0.31, "axis": a, "method": m, "ignore_nan": x is GAPS}
    for x in (CUBE, GAPS)
    for a in (None, 1)
    for m in ("linear", "weibull", "lower")
]
SAMPLES["quantile_rise_adjoint"] = [
    {"h": 0.3, "x": X, "q": 0.31, "axis": None},
    {"h": values(2, 2), "x": X, "q": np.array([0.1, 0.97]), "axis": 1},
    {"h": values(2, 3, 4), "x": GAPS, "q": np.array([0.1, 0.6]), "axis": 1, "method": "hazen", "ignore_nan": True},
]  # fmt: skip
for primal in ("concatenate(x, axis=[0])", "concatenate(x, axis=0)", "stack(x, axis=0)"):
    for name in (primal, primal.replace("concatenate", "concat")):
        SAMPLES[f"np.{name}"] = [
            {"x": x, "axis": a}
            for x in (CUBE, X, values(2, 1, 3, 2), values(3))
            for a in (0, 1, -1)
            if x.ndim > 2 or a == 0
        ]
for name in ("vstack", "hstack", "column_stack", "dstack"):
    SAMPLES[f"np.{name}(x)"] = [{"x": x} for x in (X, CUBE, values(2, 1, 3, 2), values(3))]
SAMPLES["np.i0"] = [{"x": x} for x in (4 * SIGNED, 12 * X, 0.0, 0.3)]
SAMPLES["bessel_i"] = [{"n": n, "x": x} for n in (-1, 0, 1, 2) for x in (4 * SIGNED, 12 * X, 0.3)]
SAMPLES["polygamma"] = [{"n": n, "x": x} for n in (0, 1, 3) for x in (0.3, 2.5, 31.0, -1.3)]
for name in ("math.gamma", "math.lgamma"):
    SAMPLES[name] = [{"x": x} for x in (0.3, 2.5, 31.0, -1.3)]
SAMPLES["math.remainder"] = [{"x": x, "z": 0.7} for x in (2.3, -2.3, 0.1)]
SAMPLES["math.dist"] = [{"p": values(3), "q": values(3, seed=1)}]
SAMPLES["math.fmod"] = [{"x": 2.3, "z": 0.7}, {"x": -2.3, "z": 0.7}]
SAMPLES["sum"] += [{"xs": [values(3), X], "x": values(3), "start": values(2, 1)}]
SAMPLES["np.clip"] += [
    {"x": SIGNED, "a_min": 0.3, "a_max": values(4) - 0.513, "min": 0.3, "max": values(4) - 0.513}
]
SAMPLES["np.inner"] += [{"x": 0.4, "w": X}]
for name in ("np.vecdot", "np.linalg.vecdot"):
    SAMPLES[name] += [{"x": values(3), "w": X, "axis": -1}]
SAMPLES["np.vecdot(x, w)"] = list(SAMPLES["np.vecdot"])
SAMPLES["np.linalg.cross"] += [
    {"x": values(3), "w": X, "axis": -1},
    {"x": X, "w": values(3), "axis": -1},
]
SAMPLES["diagonal_adjoint"] += [{"h": 0.3, "x": X, "offset": 0, "axis1": 0, "axis2": 1}]

SAMPLES["np.gradient(f, *spacing, edge_order=1)"] = [
    {"f": f, "spacing": s, "edge_order": e}
    for f in (values(4, 5), values(3, 4, 5))
    for s in (
        (),
        (0.3,),
        tuple(0.2 + 0.1 * k for k in range(f.ndim)),
        tuple(np.sort(values(n)) for n in f.shape),
    )
    for e in (1, 2)
]
# One step for all axes; places or steps of each. Any axes of those named must suit the places.
PLACES = [np.sort(values(4, seed=k)) for k in range(3)]
STEPS = ((0.3, 0.4, 0.2), (PLACES[0], 0.4, PLACES[2]), (0.3, PLACES[1], 0.1))
PAIRED = "axis=[(0, 1), (1, 0), (-2, -1), (-1, -2), (0, 2), (1, 2), (2, 0), (2, 1)]"
for n, axes in ((2, ""), (2, PAIRED), (3, ""), (3, "axis=[(0, 1, 2)]")):
    rest = (axes and ", " + axes) + ", edge_order=1"
    fields = [values(4, 4, 4)] if axes else [values(4, 4), values(4, 4, 4)]
    some = [{"f": f, "axis": (0, 1, 2)[:n], "edge_order": e} for f in fields for e in (1, 2)]
    SAMPLES[f"np.gradient(f, h{rest})"] = [sample | {"h": 0.3} for sample in some]
    SAMPLES[f"np.gradient(f, {', '.join('hde'[:n])}{rest})"] = [
        sample | dict(zip("hde", steps, strict=False)) for sample in some for steps in STEPS
    ]
for axes in ("axis=None", "axis=axis"):
    SAMPLES[f"np.gradient(f, x, {axes}, edge_order=1)"] = [
        {"f": f, "x": x, "axis": a, "edge_order": e}
        for f, x, a in (
            (values(5), np.sort(values(5)), None),
            (values(3), np.array([0.9, 0.2, 0.3]), None),
            (values(4, 5), np.sort(values(5)), -1),
            (values(4, 5), np.sort(values(4)), 0),
            (values(3, 4, 5), np.sort(values(4)), [1]),
        )
        for e in (1, 2)
        if (a is None) == (axes == "axis=None")
    ]
PAIR = "np.gradient(f, *spacing, axis=[(0, 1), (1, 0), (-2, -1), (-1, -2), (0, 2), (1, 2), (2, 0), (2, 1), (0, 1, 2)], edge_order=1)"
SAMPLES[PAIR] = [
    {"f": values(3, 4, 5), "spacing": s, "axis": (0, 1), "edge_order": e}
    for s in ((), (0.3,))
    for e in (1, 2)
]
SAMPLES["np.gradient"] += [
    {"f": values(4, 5), "spacing": (0.3,), "axis": (1,), "edge_order": e} for e in (1, 2)
]
SAMPLES["np.polyval(rows, x)"] = [
    {"rows": rows, "x": x}
    for rows in (values(4, 3), values(1, 3))
    for x in (X, 0.3, values(3), values(2, 1))
]
SAMPLES["np.polyval(rows, x)"] += [
    {"rows": values(2, 3, 4), "x": x} for x in (0.3, values(4), values(3, 1))
]
for primal in (
    "np.gradient(f, h, axis=None, edge_order=1)",
    "np.gradient(f, h, axis=axis, edge_order=1)",
):
    SAMPLES[primal] = [
        {"f": f, "h": 0.3, "axis": a, "edge_order": e}
        for f, a in ((values(5), None), (values(5), 0), (values(4, 5), 0), (values(4, 5), -1))
        for e in (1, 2)
        if (a is None) == ("axis=None" in primal)
    ]
# What a reduction may pick, and what it starts from.
SOME = [np.ones((4, 3), bool), np.ones((3, 3, 4), bool)]
SOME[0][[0, 2, 3], [0, 1, 2]] = SOME[1][0, 1, 2] = SOME[1][2, 0, 3] = (
    False  # at least two of each slice are left
)
PICKS = [(values(*some.shape), some) for some in SOME]
FEWER = [(X, np.array([True, False, True])), (CUBE, values(2, 1, 4) > 0.3)]
for primal in (
    "np.sum(x, axis=None, keepdims=False, initial=0, where=where)",
    "np.mean(x, axis=None, keepdims=False, where=where)",
    "np.prod(x, axis=None, keepdims=False, where=where)",
    "np.prod(x, axis=None, keepdims=False, initial=initial, where=where)",
    *(
        f"np.{name}(x, axis=None, keepdims=False, initial=initial, where=where)"
        for name in ("max", "min", "amax", "amin")
    ),
    *(
        f"np.{name}(x, axis=None, {degrees}=0, keepdims=False, where=where)"
        for name in ("var", "std")
        for degrees in ("ddof", "correction")
    ),
):
    SAMPLES[primal] = [
        {"x": x, "where": w, "axis": a, "keepdims": k, "initial": 0.513}
        for x, w in PICKS
        + FEWER * ("mean" not in primal and "correction" not in primal and "ddof" not in primal)
        for a in AXES
        for k in (False, True)
    ]
for name in ("prod", "var", "std"):
    more = ", ddof=0" if name != "prod" else ""
    SAMPLES[f"np.{name}(x, axis=None, dtype=None{more}, keepdims=False)"] = [
        {"x": x, "axis": a, "dtype": np.float64, "keepdims": k, "ddof": 1}
        for x in (X, CUBE)
        for a in AXES
        for k in (False, True)
    ]
for more in ("prepend=prepend", "append=append", "prepend=prepend, append=append"):
    SAMPLES[f"np.diff(x, n=1, axis=-1, {more})"] = [
        {"x": x, "n": n, "axis": a, "prepend": p, "append": q}
        for x, a, p, q in (
            (values(4), -1, 0.3, values(2)),
            (X, 0, values(1, 3), 0.7),
            (CUBE, 1, 0.2, 0.4),
        )
        for n in (1, 2)
    ]
SAMPLES["joined_diff_adjoint"] = [
    {"h": values(5), "xs": (0.3, values(4), values(1)), "at": k, "n": 1, "axis": -1}
    for k in (0, 1, 2)
]
SAMPLES["joined_diff"] = [
    {"x": x, "xs": (0.3, values(4), values(1)), "at": k, "n": n, "axis": -1}
    for k, x in enumerate((0.2, values(4, seed=2), values(1, seed=2)))
    for n in (1, 2)
] + [
    {"x": values(*x.shape, seed=2), "xs": (X, x), "at": 1, "n": 1, "axis": axis}
    for x, axis in ((values(2, 1), 1), (values(1, 3), 0))
]
SAMPLES["joined_diff_adjoint"] += [
    {"h": values(2, 3, seed=1), "xs": (X, values(1, 3)), "at": k, "n": 1, "axis": 0} for k in (0, 1)
]
WIDTHS = ((1, 1), (2, 0), (0, 1), (1, 3))
SAMPLES["banded_times"] = [
    {"ab": values(sum(w) + 1, 5), "x": x, "widths": w}
    for w in WIDTHS
    for x in (values(5), values(5, 2))
]
SAMPLES["transposed_bands"] = [{"ab": values(sum(w) + 1, 5), "widths": w} for w in WIDTHS]
SAMPLES["outer_bands"] = [
    {"h": values(*shape), "x": values(*shape, seed=1), "widths": w}
    for w in WIDTHS
    for shape in ((5,), (5, 2))
]
BLOCKS, STACKS = (X, values(3), 0.7), (CUBE, values(1, 2, 2), 0.7)
SAMPLES["diagonal_block"] = [
    {"h": h, "xs": xs, "at": k}
    for h, xs in ((values(4, 7, seed=1), BLOCKS), (values(*CUBE.shape[:-2], CUBE.shape[-2] + 3, CUBE.shape[-1] + 3), STACKS))
    for k in range(3)
]  # fmt: skip
SAMPLES["diagonal_block_adjoint"] = [
    {"h": values(*np.shape(x), seed=2), "xs": xs, "at": k}
    for xs in (BLOCKS, STACKS)
    for k, x in enumerate(xs)
]
SAMPLES["scipy.fft.hfft"], SAMPLES["scipy.fft.irfft"] = (
    SAMPLES["np.fft.hfft"],
    SAMPLES["np.fft.irfft"],
)
SAMPLES["np.multiply.reduce"] += [
    {"x": X * (X > 0.4), "axis": a, "keepdims": k} for a in (0, 1, None) for k in (False, True)
]
SAMPLES["np.nanprod"] += [{"x": GAPS * (GAPS > 0.4), "axis": a, "keepdims": False} for a in (0, 1)]
SAMPLES["np.prod(x, axis=None, dtype=None, keepdims=False)"] += [
    {"x": X * (X > 0.4), "axis": a, "dtype": np.float64, "keepdims": False} for a in (0, 1)
]
SAMPLES["np.prod(x, axis=None, keepdims=False, where=where)"] += [
    {"x": CUBE * (CUBE > 0.4), "axis": a, "keepdims": False, "where": CUBE > 0.3} for a in (0, 1)
]
WIDE, LOWER, NARROW = values(4, 3), values(2, 3, seed=1), values(4, 2, seed=1)
for ours in ("x", "x, rowvar=[False]"):
    for more in ("bias=[False], ddof=[None]", "bias=[True], ddof=[None]"):
        SAMPLES[f"np.cov({ours}, {more})"] = [{"x": WIDE}, {"x": values(4)}]
    SAMPLES[f"np.cov({ours}, bias=[False, True], ddof=ddof)"] += [{"x": WIDE, "ddof": 2}]
for rowvar, z in ((True, LOWER), (False, NARROW)):
    SAMPLES[f"np.corrcoef(x, z, rowvar=[{rowvar}], dtype=[None])"] = [
        *SAMPLES["np.corrcoef"],
        {"x": WIDE, "z": z},
        {"x": LOWER if rowvar else LOWER.T, "z": COLUMN},
    ]
    more = "bias=False, ddof=None, fweights=None, aweights=None, dtype=[None]"
    SAMPLES[f"np.cov(x, z, rowvar=[{rowvar}], {more})"] = [
        *SAMPLES["np.cov"],
        {"x": WIDE, "z": z},
    ]
for name in ("fftshift", "ifftshift"):
    SAMPLES[f"np.fft.{name}"] = [{"x": values(3, 5), "axes": a} for a in (None, 0, 1, (0, 1))]
# Along other axes than the usual one, and with what most calls leave away.
SAMPLES["np.insert"] += [{"x": X, "obj": o, "values": 0.4, "axis": a} for o, a in ((1, 0), (-1, 1))]
SAMPLES["np.trace"] += [
    {"x": CUBE, "offset": o, "axis1": a, "axis2": b} for o, a, b in ((0, 0, 2), (1, -1, 0))
]
SAMPLES["diagonal_adjoint"] += [
    {"h": np.diagonal(CUBE, o, a, b), "x": CUBE, "offset": o, "axis1": a, "axis2": b}
    for o, a, b in ((0, 0, 2), (1, -1, 0), (-1, 2, 1))
]
for name in ("tensordot_left", "tensordot_right"):
    SAMPLES[name] += [
        {"h": np.tensordot(CUBE, w, axes), "x": CUBE, "w": w, "axes": axes}
        for w, axes in ((values(4, 3), 1), (values(3, 5), (1, 0)))
    ]
for name, degrees in itertools.product(("std", "var"), ("ddof", "correction")):
    SAMPLES[f"np.{name}(x, axis=None, {degrees}=0, keepdims=False, where=where)"] += [
        {"x": x, "where": w, "axis": a, degrees: 1} for x, w in PICKS for a in AXES
    ]
SAMPLES["np.prod(x, axis=None, keepdims=False, initial=initial, where=where)"] += [
    {"x": CUBE * (CUBE > 0.4), "axis": a, "where": CUBE > 0.3, "initial": 0.513} for a in (0, 1)
]
SAMPLES["np.linalg.eigvalsh"] += [{"x": SQUARE, "UPLO": u} for u in "LU"]
for product in (
    "np.cross",
    "np.linalg.cross",
):  # axes that are not as far from the last one in both
    SAMPLES[product] += [
        {"x": x, "w": w, "axis": a}
        for x, w, a in (
            (values(3), values(3, seed=1), 0),
            (values(2, 3, 3), values(1, 3, 3, seed=1), 1),
            (values(3, 3), values(3, seed=1), 0),
        )
    ]
for product in ("np.vecdot", "np.linalg.vecdot"):
    SAMPLES[product] += [{"x": values(3), "w": values(3, 2, seed=1), "axis": 0}]
