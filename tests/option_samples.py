"""Arguments with which the rows for options of reductions and constructors are tried."""

from __future__ import annotations

import numpy as np
from rule_samples import AXES, CUBE, FEWER, GAPS, PICKS, Sample, X, values

SOME_GAPS = [(GAPS, some) for some in (PICKS[1][1], np.array([True, True, False, True]))]
REDUCED = [(a, k) for a in AXES for k in (False, True)]

OPTION_SAMPLES: dict[str, list[Sample]] = {
    **{
        f"np.nan{name}(x, axis=None, keepdims=False, {given})": [
            {"x": GAPS, "axis": a, "keepdims": k, "initial": i, "where": w}
            for _, w in SOME_GAPS[: 1 if name == "mean" else 2] for a, k in REDUCED for i in (0.513, 0.213)
        ]
        for name, forms in (
            ("sum", ("initial=initial", "initial=0, where=where")),
            ("mean", ("where=where",)),
            ("prod", ("where=where", "initial=initial", "initial=initial, where=where")),
            ("max", ("initial=initial", "initial=initial, where=where")),
            ("min", ("initial=initial", "initial=initial, where=where")),
        )
        for given in forms
    },
    **{
        f"np.nan{name}(x, axis=None, {degrees}=0, keepdims=False, where=where)": [
            {"x": GAPS, "axis": a, "keepdims": k, degrees: 1, "where": PICKS[1][1]} for a, k in REDUCED
        ]
        for name in ("var", "std") for degrees in ("ddof", "correction")
    },
    **{
        f"np.nan{name}(x, axis=None, {degrees}=0, keepdims=False, mean=mean)": [
            {"x": GAPS, "axis": a, "keepdims": k, degrees: d, "mean": 1.3 * np.nanmean(GAPS, axis=a, keepdims=True) + 0.05}
            for a, k in REDUCED for d in (0, 1)
        ]
        for name in ("var", "std") for degrees in ("ddof", "correction")
    },
    **{
        f"np.{way}.reduce(x, axis=0, keepdims=False, {given})": [
            {"x": x, "where": w, "axis": a, "keepdims": k, "initial": 0.513} for x, w in (*PICKS, *FEWER) for a, k in REDUCED
        ]
        for way, forms in (
            ("add", ("initial=initial", "initial=0, where=where")),
            ("multiply", ("initial=initial", "where=where", "initial=initial, where=where")),
            ("maximum", ("initial=initial", "initial=initial, where=where")),
            ("minimum", ("initial=initial", "initial=initial, where=where")),
        )
        for given in forms
    },
    **{
        f"np.{way}.reduce(x, axis=0, keepdims=False, {given})": [
            {"x": x, "where": w, "axis": a, "keepdims": k, "initial": 0.513} for x, w in (*PICKS, *FEWER) for a, k in REDUCED
        ]
        for way in ("logaddexp", "logaddexp2") for given in ("initial=initial", "initial=-np.inf, where=where")
    },
    "np.percentile(x, q, axis=None, method=['inverted_cdf'], keepdims=False, weights=weights)": [
        {"x": X, "q": 40, "axis": a, "method": "inverted_cdf", "keepdims": k, "weights": values(2, 3, seed=2)} for a in (None, 1) for k in (False, True)
    ],
    "np.pad(x, pad_width, mode=['reflect', 'symmetric'], reflect_type=['odd'])": [
        {"x": x, "pad_width": w, "mode": m, "reflect_type": "odd"}
        for x, w in ((X, 1), (CUBE, (1, 0)), (values(3), (7, 4)), (X, ((0, 1), (0, 4))), (values(1), (2, 1)), (values(2), {0: (1, 3)})) for m in ("reflect", "symmetric")
    ],
    "np.pad(x, pad_width, mode=['maximum', 'minimum', 'median', 'mean'], stat_length=None)": [
        {"x": x, "pad_width": w, "mode": m, "stat_length": n}
        for x, w, n in ((X**2, 1, None), (CUBE**2, (2, 1), 2), (values(5), (0, 3), ((1, 4),)), (CUBE**2, ((0, 0), (1, 2), (1, 0)), ((1, 1), (2, 3), (9, 1))))
        for m in ("maximum", "minimum", "median", "mean")
    ],
    "np.full_like(x, fill_value, dtype=None, shape=shape)": [
        {"x": X, "fill_value": v, "shape": s} for v, s in ((0.5, (4,)), (values(3), (2, 3)), (values(2, 1), (2, 2)))
    ],
    **{
        f"np.{form}, axis=axis)": [
            {"start": values(3), "stop": b, "num": 4, "endpoint": e, "axis": a, "base": 2.0} for b in (0.7, values(2, 3, seed=1)) for e in (False, True) for a in (0, 1, -1)
        ]
        for form in ("logspace(start, stop, num=50, endpoint=True, base=10.0", "geomspace(start, stop, num=50, endpoint=True")
    },
    **{
        f"np.polynomial.{family}.{name}{form}": [
            {"c": c, "m": m, "k": [0.3, -0.7][:m], "lbnd": 0.4, "scl": 1.7} for c in (values(4), values(1)) for m in (1, 2)
        ]
        for family, name in (("polynomial", "poly"), ("chebyshev", "cheb"), ("legendre", "leg"), ("hermite", "herm"), ("hermite_e", "herme"), ("laguerre", "lag"))
        for form in ("der(c, m=1, scl=1)", "int(c, m=1, lbnd=0, scl=1)", "int(c, m=1, k=k, lbnd=0, scl=1)")
    },
    "np.cross(x, w, axis=[None])": [{"x": x, "w": w, "axis": None} for x in (X, values(3)) for w in (values(2, 3, seed=1), values(3, seed=1))],
    "np.vecdot(x, w, axis=-1, keepdims=[True])": [{"x": x, "w": w, "axis": a, "keepdims": True} for x, w, a in ((X, values(3), -1), (X, X + 0.1, 0), (CUBE, values(3, 4), -1))],
    **{f"np.choose(a, xs, mode=['{mode}'])": [{"a": np.array([[0, 1, 5], [2, 0, 4]]), "xs": [X, values(3), 0.4]}] for mode in ("wrap", "clip")},
    "scipy.special.comb(n, k, repetition=[True])": [{"n": values(3) + 3, "k": k, "repetition": True} for k in (2, np.array([0, 1, 3]))],
    "scipy.signal.detrend(x, axis=-1, type='linear', bp=0)": [{"x": values(2, 7), "axis": a, "type": t, "bp": b} for a, b in ((-1, [3]), (0, 0)) for t in ("linear", "constant")],
    "scipy.signal.lfilter(b, a, x, axis=-1, zi=zi)": [
        {"b": b, "a": a, "x": x, "axis": k, "zi": z}
        for b, a, x, k, z in (
            ([0.3, 0.2], [1.0, -0.4], values(5), -1, values(1)),
            ([0.3], [1.3, -0.4, 0.2], X, 0, values(2, 3)),
            ([0.3, 0.2, 0.1], [2.0], X, 1, values(2, 2)),
            ([0.3, 0.2, 0.1, 0.7], [1.0, 0.3], values(2), 0, values(3)),
        )
    ],
    **{
        f"scipy.special.logsumexp(x, axis=None, {given}, keepdims=False, return_sign=[True])": [
            {"x": x, "axis": a, "b": b, "keepdims": k, "return_sign": True} for x in (X, CUBE) for a in (None, 0, -1) for k in (False, True)
        ]
        for given, b in (("b=[None]", None), ("b=None", np.array(-0.7)))
    },
    "scipy.special.logsumexp(x, axis=None, b=None, keepdims=False, return_sign=[True])": [
        {"x": X, "axis": a, "b": b, "keepdims": k, "return_sign": True} for b in (np.array([1.0, -0.2, 0.3]), values(2, 3) - 0.5) for a in (None, 0, -1) for k in (False, True)
    ],
    **{f"scipy.linalg.qr(x, mode=['{mode}'], pivoting=[True])": [{"x": x, "mode": mode, "pivoting": True} for x in (values(3, 3) + 2 * np.eye(3), *more)] for mode, more in (("full", ()), ("economic", (values(4, 2),)))},
    **{
        f"np.linalg.svd(x, full_matrices=True, {form}hermitian=[True])": [{"x": x + x.T - np.diag([0, 0, 5.0]), "hermitian": True, **more} for x in (values(3, 3) + np.diag([2.0, 3, 4]),)]
        for form, more in (("", {}), ("compute_uv=[False], ", {"compute_uv": False}))
    },
}  # fmt: skip
for product in (  # with zeros among what is multiplied
    "np.nanprod(x, axis=None, keepdims=False, where=where)",
    "np.multiply.reduce(x, axis=0, keepdims=False, where=where)",
):
    OPTION_SAMPLES[product] += [
        {"x": CUBE * (CUBE > 0.4), "axis": a, "where": CUBE > 0.3} for a in (0, 1)
    ]
