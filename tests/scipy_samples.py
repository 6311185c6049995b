"""Arguments with which the rows for SciPy are tried, where their parameters do not say enough."""

from __future__ import annotations

import numpy as np
import scipy.fft
import scipy.fftpack
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.spatial.distance
import scipy.special
import scipy.stats
from rule_samples import AXES, CUBE, SAMPLES, SIGNED, SQUARE, TRAPEZOIDS, Sample, X, values

from tangentish.rules.scipy_filters import SAME

POSITIVE = SQUARE + SQUARE.T
S, L, D = "scipy.special.", "scipy.linalg.", "scipy.stats."
FOURTH = values(4, 4) + 2 * np.eye(4)
UPPER = np.triu(SQUARE)
SIZES = [((5,), (3,)), ((4,), (2,)), ((4, 5), (2, 3)), ((3, 4), (3, 4))]
PAIRS = [{"x": values(*n), "w": values(*m, seed=1)} for n, m in SIZES]
KNOTS = np.linspace(0, 1, 7)
SPLINE = scipy.interpolate.splrep(KNOTS, np.sin(3 * KNOTS))
SURFACE = scipy.interpolate.RectBivariateSpline(
    KNOTS, KNOTS, np.outer(np.sin(3 * KNOTS), np.exp(KNOTS))
).tck + (3, 3)
AT_ZERO = np.array([0.7, 0.0, -0.4])
"""Where a formula divides by zero, and another stands for it."""
NODES = np.array([0.0, 0.4, 0.9, 1.7, 2.0, 2.6])
PLACES = np.array([[0.13, 1.81, 2.31], [0.55, 1.2, 0.71]])
"""Between the nodes, in rows."""
PIXELS = np.array([[0.3, 2.6, -1.4, 1.7], [1.2, -0.4, 3.3, 0.6], [5.2, 1.8, 0.7, 1.1]])
"""Coordinates between pixels, and beyond the edges of an image."""
VALUES = [(values(6), 0), (values(2, 6, 3), 1)]
"""Values at the nodes, and which axis is for the nodes."""
ENDS = ("not-a-knot", "natural", ((1, 0.3), (2, -0.4)))
CUBIC = scipy.interpolate.CubicSpline
GRID = (NODES, NODES[:4] * 1.5 - 1, NODES[2::-1] * 2)
ON_GRID = np.stack((PLACES, (PLACES[::-1] - 0.4) * 0.7, PLACES[:, ::-1] * 0.6), -1)


class Table(scipy.interpolate.RegularGridInterpolator):
    """A table that nobody changes: a copy of it is the same one."""

    def __deepcopy__(self, memo: object) -> Table:
        return self


TABLES = {d: Table(GRID[:d], values(*map(len, GRID[:d]))) for d in (2, 3)}
ALONG_AXES = [  # values at places that rise along the axis
    {"v": v, "x": x, "dx": 1.0, "axis": a}
    for v, x, a in (
        *((values(*shape), np.sort(values(shape[a])), a) for shape, a in (((5,), -1), ((4,), 0), ((2,), 0), ((3,), 0), ((2, 7), 1), ((6, 2), -2))),
        *((values(*shape), np.cumsum(values(*other, seed=1), axis=a), a) for shape, other, a in (((2, 5), (2, 5), 1), ((4, 3), (4, 3), 0), ((3, 5), (1, 5), -1), ((1, 4), (2, 4), -1), ((2, 3, 4), (2, 3, 4), 1), ((2, 3, 4), (1, 3, 1), -2), ((2, 2), (2, 2), 0))),
    )
]  # fmt: skip
LOG_SUMS: list[Sample] = [
    {"x": x, "axis": a, "keepdims": k, "b": b}
    for x, weights, axes in ((values(3), (2.0, values(3, seed=1)), (None, 0, -1)), (X, (2.0, values(3), values(2, 3, seed=1)), AXES), (CUBE, (values(4),), AXES))
    for b in weights for a in axes for k in (False, True)
]  # fmt: skip
KINDS = ("pdf", "logpdf", "cdf", "sf", "logcdf", "logsf")
POSITIVE_SHAPES: dict[str, Sample] = {
    "expon": {},
    "gamma": {"a": 1.7},
    "beta": {"a": 1.7, "b": 2.3},
    "chi2": {"df": 3.0},
    "f": {"dfn": 3.0, "dfd": 4.5},
    "lognorm": {"s": 0.8},
    "weibull_min": {"c": 1.4},
    "invgamma": {"a": 1.7},
    **dict.fromkeys(("halfnorm", "halfcauchy", "rayleigh", "maxwell"), {}),
}
POSITIVE_SHAPES |= {
    "fisk": {"c": 1.4},
    "lomax": {"c": 1.4},
    "powerlaw": {"a": 1.4},
    "invweibull": {"c": 1.4},
    "burr12": {"c": 1.4, "d": 2.1},
    "loglaplace": {"c": 1.4},
    "loguniform": {"a": 0.04, "b": 3.2},
    "reciprocal": {"a": 0.04, "b": 3.2},
    "gompertz": {"c": 1.4},
    "truncexpon": {"b": 1.4},
    "triang": {"c": 0.37},
    "chi": {"df": 3.0},
    "nakagami": {"nu": 1.4},
    "gengamma": {"a": 1.7, "c": 1.4},
    "betaprime": {"a": 1.7, "b": 2.3},
    "invgauss": {"mu": 1.4},
    "foldnorm": {"c": 1.4},
    "rice": {"b": 1.4},
    "ncx2": {"df": 3.0, "nc": 1.4},
    "exponnorm": {"K": 1.4},
    "genpareto": {"c": 0.3},
    **dict.fromkeys(("halflogistic", "levy", "wald", "arcsine", "semicircular"), {}),
}
WHOLE_SHAPES: dict[str, Sample] = {
    "loggamma": {"c": 1.4},
    "gennorm": {"beta": 1.4},
    "johnsonsu": {"a": 0.4, "b": 1.4},
    "exponnorm": {"K": 1.4},
    "genlogistic": {"c": 1.4},
    "genextreme": {"c": 0.3},
    **dict.fromkeys(("hypsecant", "moyal"), {}),
}
QUANTILE_SHAPES: dict[str, Sample] = (
    POSITIVE_SHAPES
    | WHOLE_SHAPES
    | {
        "weibull_max": {"c": 1.4},
        "t": {"df": 3.0},
        "pareto": {"b": 1.4},
        "skewnorm": {"a": -1.3},
        "vonmises": {"kappa": 1.3},
        "truncnorm": {"a": -1.5, "b": 2.1},
        **dict.fromkeys(
            ("norm", "laplace", "logistic", "cauchy", "uniform", "gumbel_r", "gumbel_l"), {}
        ),
    }
)
COUNTS: dict[str, Sample] = {"poisson": {}, "binom": {"n": 5}, "nbinom": {"n": 2.3}, "geom": {}}
SPREADS: dict[str, Sample] = {
    "gamma": {"a": 1.7},
    "beta": {"a": 1.7, "b": 2.3},
    "chi2": {"df": 3.0},
    "f": {"dfn": 3.0, "dfd": 5.3},
    "lognorm": {"s": 0.8},
    "weibull_min": {"c": 1.4},
    "invgamma": {"a": 3.2},
    "pareto": {"b": 3.4},
    "t": {"df": 3.3},
    "truncnorm": {"a": -1.5, "b": 2.1},
}
"""Shapes of which the variance is finite."""

SECTIONS = [[0.2, 0.3, 0.1, 1.0, -0.5, 0.2], [0.6, 0.2, 0.0, 1.0, -0.3, 0.0]]
FORTH_AND_BACK = [
    ([0.3, 0.2], values(8), -1, "odd", None), ([0.3, 0.2, 0.1], values(5, 3), 0, "odd", 2), ([0.3], values(3, 5), 1, "even", 3), ([0.3, 0.2], values(5), 0, "constant", 2),
    ([0.3, 0.2], values(5), 0, None, None), ([0.3, 0.2], values(5), 0, "odd", 0),
]  # fmt: skip

SCIPY_SAMPLES: dict[str, list[Sample]] = {
    **{f"cubic_coefficients{what}": [{"x": NODES, "v": y, "bc_type": e, "axis": a, "h": CUBIC(NODES, y, a).c}
                         for y, a in VALUES for e in ENDS if y.ndim == 1 or isinstance(e, str)] for what in ("", "_tangent", "_adjoint")},
    **{f"hermite_{what}": [{"x": NODES, "v": y, "d": np.cos(y), "axis": a, "h": CUBIC(NODES, y, a).c} for y, a in VALUES] for what in ("coefficients", "adjoint")},
    **{f"spline_coefficients{what}": [{"x": NODES, "v": y, "k": k, "bc_type": e, "axis": a, "h": scipy.interpolate.make_interp_spline(NODES, y, k, None, e, a).c}
                          for y, a in VALUES for k, e in ((3, None), (2, None), (1, None), (3, "natural"))] for what in ("", "_tangent", "_adjoint")},
    **{f"piecewise{what}": [{"c": CUBIC(NODES, y, a).c, "x": NODES, "t": t, "nu": nu, "extrapolate": more, "axis": a, "h": CUBIC(NODES, y, a)(t)}
                            for y, a in VALUES for t in (PLACES, 1.3) for nu in (0, 1) for more in (None, "periodic")] for what in ("", "_adjoint")},
    **{f"bspline{what}": [{"c": y, "knots": np.arange(6 + k + 1) * 0.5, "t": t + 1, "k": k, "nu": nu, "extrapolate": more, "axis": a, "h": y[2] + 0 * t if y.ndim == 1 else np.multiply.outer(y[2], t) if a else np.multiply.outer(t, y[2])}
                          for y, a in ((values(6), 0), (values(6, 2), 0), (values(6, 2), 1)) for t in (PLACES, 1.3) for k, nu in ((3, 0), (3, 1), (2, 0)) for more in (True, "periodic")] for what in ("", "_adjoint")},
    **{f"interpolated{what}": [{"x": x, "v": y, "t": t, "nu": nu, "kind": kind, "axis": a, "bounds_error": None, "fill_value": "extrapolate", "assume_sorted": False,
                                "h": scipy.interpolate.interp1d(NODES, y, axis=a)(t)}
                               for y, a in VALUES for x in (NODES, NODES[[2, 0, 1, 5, 4, 3]]) for t in (PLACES, 1.25)
                               for kind in ("linear", "nearest", "quadratic") for nu in (0, 1)] for what in ("", "_slope", "_adjoint")},
    **{f"on_grid{what}": [{"points": GRID[:d], "values": values(*map(len, GRID[:d]), *rest), "t": ON_GRID[..., :d], "method": m, "bounds_error": True, "fill_value": np.nan, "nu": nu[:d],
                           "h": values(2, 3, *rest, seed=3)} for d in (2, 3) for rest in ((), (2,)) for m in ("linear", "nearest") for nu in ((), (0, 1, 0))]
       for what in ("", "_slope", "_adjoint")},
    "table_adjoint": [{"f": TABLES[d], "t": ON_GRID[..., :d], "nu": nu[:d], "h": values(2, 3, seed=3)} for d in (2, 3) for nu in ((), (0, 1, 0))],
    "table_tangent": [{"f": TABLES[d], "t": ON_GRID[..., :d], "nu": nu[:d], "v": values(2, 3, d, seed=3)} for d in (2, 3) for nu in ((), (0, 1, 0))],
    "over_places": [{"x": values(2, 2, 3, 4), "t": PLACES, "axis": 1}, {"x": PLACES, "t": PLACES, "axis": 0}, {"x": values(3), "t": 0.3, "axis": 0}],
    "at_places": [{"x": values(2, 2, 3, 4), "t": PLACES, "axis": 1}, {"x": PLACES, "t": PLACES, "axis": 0}],
    "on_axis": [{"t": ON_GRID, "j": j, "points": GRID, "like": values(2, 3, *rest)} for j in (0, 2) for rest in ((), (2,))],
    "off_axis": [{"t": ON_GRID, "j": j, "points": GRID, "h": values(2, 3, *rest)} for j in (0, 2) for rest in ((), (2,))],
    **{f"{L}{name}": [{"x": SQUARE / 2}, {"x": X[:, :2]}] for name in ("cosm", "sinm", "coshm", "sinhm")},
    f"{L}expm": [{"x": SQUARE - 2 * np.eye(3)}, {"x": np.stack((SQUARE, SQUARE.T)) / 3}],
    f"{L}logm": [{"x": SQUARE}, {"x": POSITIVE}],
    f"{L}qr(x, mode=['full'])": [{"x": x, "mode": "full"} for x in (SQUARE, values(2, 4))],
    f"{L}hankel": [{"c": values(3), "r": values(n, seed=1)} for n in (2, 4)],
    f"{L}toeplitz": [{"c": c, "r": r} for c, r in ((values(4), values(3, seed=1)), (values(2, 3), values(2, 4, seed=1)), (values(3), values(2, 2, seed=1)))],
    f"{L}khatri_rao": [{"a": X, "b": values(4, 3, seed=1)}],
    f"{L}companion": [{"a": values(4)}, {"a": values(2)}],
    f"{S}polygamma(n, x)": [{"n": n, "x": X} for n in (0, 1, 2)],
    f"{S}multigammaln(a, d)": [{"a": a, "d": 3} for a in (2.4, 2 + X)],
    f"{S}zeta(x, q)": [{"x": 2.3, "q": X}, {"x": 1.2 + 4 * X, "q": values(3)}],
    f"{S}zeta(x)": [{"x": 1.2 + 4 * X}],
    f"{S}zetac(x)": [{"x": 1.2 + 4 * X}, {"x": -X}],
    "zeta_slope": [{"x": x, "q": q, "n": n} for x, q in ((1.2 + 4 * X, values(3)), (0.3, 4.1), (9.0, X + 20)) for n in (1, 2)],
    f"{S}expn(n, x)": [{"n": n, "x": X} for n in (2, 0)],
    f"{S}expn(N, x)": [{"N": 2, "x": X}],
    "rgamma_slope": [{"x": x, "n": n} for x in (SIGNED, -X) for n in (1, 2)],
    "exponential_integral": [{"n": n, "x": X} for n in (1, -2)],
    **{f"{S}{name}": [{"a": a, "x": x} for a, x in ((1.3, X), (values(3), X), (values(3) * 9, 3.1), (0.7, 0.3), (X, 0.4))] for name in ("gammainc", "gammaincc")},
    **{f"{S}{name}": [{"a": a, "b": b, "x": x} for a, b, x in ((1.3, 0.7, X), (values(3) * 7, 4 - X, 0.41), (X, values(3), values(2, 1)), (0.3, 2.1, 0.6))] for name in ("betainc", "betaincc")},
    "gammainc_slope": [{"a": a, "x": x, "n": n} for n in (1, 2) for a, x in ((values(3) * 5, X * 4), (0.3, 0.4), (X, 1.9))],
    "gamma_density": [{"a": a, "x": x, "n": n} for n in (0, 1, 2) for a, x in ((values(3) * 5, X * 4), (0.3, 0.4), (X, 1.9))],
    **{
        f"{name}_slope": [{x: values(3) * 5, z: values(3, seed=1) * 2, "i": i, "j": j} for i, j in ((1, 0), (0, 1), (1, 1))] + [{x: at, z: there, "i": 1, "j": 0}]
        for name, x, at, z, there in (("beta", "a", -2.5, "b", -0.5), ("binom", "n", 2.5, "k", -1.0), ("poch", "z", -2.0, "m", 0.5))
    },
    **{f: [{"a": a, "b": b, "x": x, "z": x, "i": i, "j": j} for i, j in ((1, 0), (0, 1), (1, 1)) for a, b, x in ((values(3) * 5, 3 - X, X), (0.3, 2.4, 0.4))] for f in ("betainc_slope", "beta_density", "beta_prime_slope", "beta_prime_density")},
    f"{S}hyp2f1": [{"a": 1.3, "b": 0.7, "c": 1.9, "z": X / 2}],
    f"{S}hyp1f1": [{"a": 1.3, "b": 0.7, "x": X}],
    f"{S}hyp0f1": [{"v": 1.3, "z": X}],
    **{f"{S}{name}": [{"a": 1.3, "b": 0.7, "p": X}, {"a": 0.8, "b": 1.7, "p": 0.3}] for name in ("gammaincinv", "gammainccinv", "betaincinv", "betainccinv")},
    f"{S}perm": [{"n": 3 + X, "k": k} for k in (2.1, values(3))],
    f"{S}factorial": [{"x": x} for x in (X, 2 * SIGNED + 0.013, 3.0)],
    f"{S}hyperu": [{"a": 1.3, "b": 0.7, "x": X}],
    **{f"{S}{name}": [{"v": 3.2, "x": X}, {"v": values(3), "x": X}] for name in ("chdtr", "chdtrc")},
    **{f"{S}stdtr{more}": [{"v": v, "t": SIGNED, "p": values(3, 4)} for v in (3.2, 1 + values(4))] for more in ("", "it")},
    "student_slope": [{"v": v, "t": t} for v, t in ((3.2, SIGNED), (1 + values(4), 3 * SIGNED), (0.7, 0.0))],
    **{f"{S}{name}": [{"k": k, "m": X} for k in (2, 0, np.array([1, 2, 3]))] for name in ("pdtr", "pdtrc")},
    f"{S}ndtri_exp": [{"p": -X}, {"p": -0.3}],
    f"{S}owens_t": [{"h": SIGNED, "a": 0.3}, {"h": SIGNED, "a": values(4) - 0.513}],
    **{f"{S}{name}": [{"k": k, "n": n, "p": X} for k, n in ((2, 5), (np.array([0, 1, 3]), 4))] for name in ("nbdtr", "nbdtrc")},
    f"{S}chdtri": [{"v": v, "p": X} for v in (3.2, 1 + values(3))],
    **{f"{S}{name}": [{"a": a, "b": b, "x": X} for a, b in ((1.3, 2.1), (values(3) * 3, 0.7), (X, values(2, 1)))] for name in ("gdtr", "gdtrc")},
    **{f"{S}{name}": [{"n": n, "d": d, "x": X, "p": X} for n, d in ((3.0, 4.5), (1.0 + values(3), 2.0))] for name in ("fdtr", "fdtrc", "fdtri")},
    f"{S}ellipj": [{"u": u, "m": m} for u, m in ((3 * SIGNED, 0.4), (4.3, values(3)), (SIGNED, 0.01), (9 * values(3, 1), values(2)))],
    "elliptic_slope": [{"phi": phi, "m": m, "p": p, "q": q} for phi, m in ((3 * SIGNED, 0.4), (4.3, values(3) - 0.513), (1.5, 0.9)) for p, q in ((2, 3), (2, 1), (4, 5))],
    **{f"{S}{name}": [{"x": x} for x in (3 * SIGNED, X, 0.3)] for name in ("airy", "fresnel")},
    **{f"{S}{name}": [{"x": 2 * X}, {"x": 0.3}] for name in ("sici", "shichi")},
    **dict.fromkeys((f"{S}voigt_profile", "voigt_dispersion"), [{"x": x, "sigma": w, "gamma": v} for x, w, v in ((SIGNED, 0.7, 0.4), (0.3, values(3), values(2, 1)), (3.1, 0.2, 0.9), (0.0, 0.4, 0.0))]),
    "kve_slope": [{"v": v, "x": x, "n": n} for v, x in ((1.3, 3 * X), (3 * SIGNED, 0.7), (0.0, 9.3)) for n in (1, 2)],
    **{f"{S}{name}": [{"v": v, "z": X + 0.2, "n": n} for v in (0, 1, 2.3) for n in (1, 2)] for name in ("jvp", "yvp", "ivp", "kvp")},
    **{f"{S}{name}": [{"v": v, "x": 3 * X} for v in (0, 1, 0.4)] for name in ("struve", "modstruve")},
    f"{S}wright_bessel": [{"a": a, "b": b, "x": X} for a, b in ((1.0, 2.0), (0.4, 1.3))],
    f"{S}lpmv": [{"m": m, "v": v, "x": SIGNED} for m, v in ((0, 0), (0, 3), (1, 1), (2, 4))],
    f"{S}ellipkinc": [{"phi": a * SIGNED, "m": m} for a in (1, 5) for m in (0.0, 0.4, values(4))],
    f"{S}ellipeinc": [{"phi": a * SIGNED, "m": m} for a in (1, 5) for m in (0.0, 0.4, values(4))],
    f"{S}ellipkm1": [{"p": p} for p in (X, 0.3, 1.4, 1.0, np.array([0.4, 1.0, 1.3]))],
    **{f"{S}{name}": [{"m": m} for m in (X, 0.0, np.array([-0.7, 0.0, 0.4]))] for name in ("ellipk", "ellipe")},
    f"{S}spence": [{"x": x} for x in (X, 1.0, np.array([0.4, 1.0, 1.7]))],
    **{f"{S}{name}": [{"x": x, "z": z} for x in (X, 0.0, np.array([0.3, 0.0, -0.4])) for z in (0.7, values(3))] for name in ("xlogy", "xlog1py")},
    f"{S}boxcox1p": [{"x": X, "p": p} for p in (0.7, values(3), -0.4, AT_ZERO)],
    **{f"{S}inv_boxcox{more}": [{"z": X, "p": p} for p in (0.7, values(3), -0.4, AT_ZERO)] for more in ("", "1p")},
    **{f"{S}spherical_{kind}": [{"n": n, "x": X, "derivative": d} for n in (0, 1, 3) for d in (False, True)] for kind in ("jn", "yn", "in", "kn")},
    **{f"{S}eval_{name}": [{"n": n, "N": n, "a": 0.4, "b": 1.3, "x": x} for n in (0, 1, 2, 5) for x in (SIGNED, 0.3)] for name in ("legendre", "jacobi", "gegenbauer", "chebyt", "chebyu", "laguerre", "genlaguerre", "hermite", "hermitenorm", "sh_legendre", "sh_chebyt", "sh_chebyu", "chebyc", "chebys")},
    **{f"{S}eval_{name}(N, x)": [{"N": n, "x": x} for n in (1, 2, 5) for x in (SIGNED, 0.3)] for name in ("hermite", "hermitenorm")},
    f"{S}huber": [{"delta": 0.41, "r": SIGNED}, {"delta": values(4) + 0.013, "r": SIGNED}],
    f"{S}pseudo_huber": [{"delta": 0.41, "r": SIGNED}, {"delta": values(4), "r": SIGNED}],
    f"{S}boxcox": [{"x": X, "p": p} for p in (0.7, values(3), AT_ZERO)],
    f"{S}exprel": [{"x": x} for x in (SIGNED, 0.0, np.array([-0.3, 0.0, 0.4]))],
    f"{S}logsumexp": LOG_SUMS,
    f"{S}logsumexp(x, axis=None, b=b, keepdims=False)": LOG_SUMS
    + [{"x": x, "axis": a, "keepdims": k, "b": values(2, 3, seed=1)} for x in (values(3), X[:, :1], 0.3) for a in (None, -1, (0, 1)) for k in (False, True)],
    f"{S}softmax": [{"x": x, "axis": a} for x in (X, CUBE) for a in (None, 0, -1, (0, 1))],
    f"{S}log_softmax": [{"x": x, "axis": a} for x in (X, CUBE) for a in (None, 0, -1, (0, 1))],
    **{f"{S}{name}": [{"v": v, "x": X + 0.2} for v in (0, 1, 2)] for name in ("jv", "jn", "jve", "yv", "yn", "yve", "iv", "ive", "kn")},
    **{f"{S}{name}": [{"v": v, "x": x} for v, x in ((0.3, 3 * X), (values(3) * 4, X), (-1.4, 0.7), (0.0, 2.1))] for name in ("kv", "kve")},
    f"{L}inv": [{"x": SQUARE}],
    f"{L}pinv": [{"x": X}, {"x": values(3, 2)}, {"x": SQUARE, "rtol": 0.5}, {"x": np.stack((SQUARE, SQUARE.T)), "rtol": 0.1}],
    f"{L}det": [{"x": SQUARE}],
    f"{L}solve": [
        {"a": a, "b": b, "assume_a": kind, "lower": lower, "transposed": t}
        for b in (values(3), values(3, 2)) for a, kind in ((SQUARE, None), (POSITIVE, "pos"), (POSITIVE, "sym")) for lower in (True, False) for t in (True, False)
    ],
    f"{L}solve_triangular": [
        {"a": SQUARE, "b": b, "lower": lower, "trans": t, "unit_diagonal": unit}
        for b in (values(3), values(3, 2)) for lower in (True, False) for t in (0, "N", 1, "T") for unit in (True, False)
    ],
    **{
        f"{L}{name}_tridiagonal": [{"d": values(n), "e": values(n, seed=1)[1:], "eigvals_only": True, "select": select, "select_range": chosen} for n in (1, 2, 4) for select, chosen in (("a", None), ("i", (0, 0)), ("v", (-9.0, 9.0)))]
        for name in ("eigh", "eigvalsh")
    },
    f"{L}eigh": [{"x": x, "lower": lower, "eigvals_only": True} for x in (POSITIVE, SQUARE) for lower in (True, False)],
    **{
        f"{L}{name}(a, b, lower=[{lower}], {kind})": [{"a": POSITIVE, "b": SQUARE @ SQUARE.T}, {"a": SQUARE, "b": values(3, 3, seed=2) + 3 * np.eye(3)}]
        for name, kind in (("eigh", "eigvals_only=[True]"), ("eigh", "eigvals_only=[False], type=[1]"), ("eigvalsh", "type=[1]")) for lower in (True, False)
    },
    **{
        f"{L}{name}(x, lower=[{lower}], {kind}subset_by_index=subset_by_index)": [{"x": x, "subset_by_index": s} for x in (POSITIVE, SQUARE) for s in ([0, 1], [1, 2], (1, 1))]
        for name, kind in (("eigh", "eigvals_only=[True], "), ("eigh", "eigvals_only=[False], "), ("eigvalsh", "")) for lower in (True, False)
    },
    f"{L}pinvh": [{"x": POSITIVE}, {"x": SQUARE}],
    f"{L}cholesky": [{"x": POSITIVE, "lower": lower} for lower in (True, False)],
    f"{L}cho_factor": [{"x": POSITIVE, "lower": lower} for lower in (True, False)],
    f"{L}lu_solve": [{"lu_and_piv": scipy.linalg.lu_factor(SQUARE), "b": b, "trans": t} for b in (values(3), values(3, 2)) for t in (0, 1, 2)],
    f"{L}lu": [{"x": x} for x in (SQUARE, values(4, 2), values(2, 4))],
    f"{L}lu_factor": [{"x": x} for x in (SQUARE, values(4, 2), values(2, 4))],
    f"{L}solve_circulant": [{"c": values(n) + 2 * np.eye(n)[0], "b": b} for n in (4, 5) for b in (values(n, seed=1), values(n, 2, seed=2))],
    f"{L}eigvalsh": [{"x": x, "lower": lower} for x in (POSITIVE, SQUARE) for lower in (True, False)],
    f"{L}svd": [{"x": X, "full_matrices": False}, {"x": SQUARE, "full_matrices": True}],
    f"{L}svdvals": [{"x": X}],
    f"{L}qr": [{"x": values(4, 2), "mode": "economic"}, {"x": SQUARE, "mode": "economic"}],
    f"{L}lstsq": [{"a": values(4, 2), "b": values(4)}, {"a": values(4, 2), "b": values(4, 3)}],
    f"{L}expm_frechet": [{"x": SQUARE - 2 * np.eye(3), "e": values(3, 3, seed=1)}],
    **{
        f"{D}truncnorm.{kind}": [{"x": x, "a": a, "b": b, "loc": 0.2, "scale": s} for x, a, b, s in ((X, -1.5, 2.1, 1.3), (0.3, -0.9, 1.7, 0.8), (values(3), -X, 1 + X, values(3) + 0.7))]
        for kind in KINDS
    },
    f"{L}sqrtm": [{"x": SQUARE}],
    f"{L}solve_sylvester": [{"a": SQUARE, "b": UPPER[:2, :2], "q": values(3, 2)}],
    f"{L}solve_discrete_lyapunov": [{"a": SQUARE * 0.2, "q": values(3, 3), "method": m} for m in (None, "direct", "bilinear")],
    f"{L}solve_continuous_lyapunov": [{"a": SQUARE, "q": values(3, 3)}],
    f"{L}norm": [{"x": SIGNED, "ord": o, "axis": a, "keepdims": k} for o, a in ((None, None), (None, 0), (1, 1), (3, 0), ("fro", None), (2, None)) for k in (False, True)],
    f"{L}block_diag": [{"xs": (X, values(2, 2), values(3), 0.4)}, {"xs": (CUBE, values(1, 2, 2), X, 0.4)}],
    f"{L}circulant": [{"c": values(4)}],
    f"{L}solve_banded": [
        {"l_and_u": widths, "ab": values(sum(widths) + 1, 5, seed=4) + 3 * (np.arange(sum(widths) + 1) == widths[1])[:, None], "b": b}
        for widths in ((1, 1), (2, 1), (0, 2), (1, 0)) for b in (values(5), values(5, 2, seed=2))
    ],
    f"{L}solve_toeplitz": [{"c_or_cr": values(4) + 2 * np.eye(4)[0], "b": b} for b in (values(4, seed=1), values(4, 2, seed=2))],
    **{
        f"scipy.ndimage.{name}(x, w, mode=['{mode}'{SAME.get(mode, '')}]{rest})": [
            {"x": x, "w": w} for x, w in (
                (values(6), values(3, seed=1)), (values(6), values(4, seed=1)), (values(4, 5), values(3, 2, seed=1)), (values(5), values(1)),
                *([(values(4, 3), values(4, 3, seed=1))] if mode != "mirror" else []),
            )
        ]
        for name in ("convolve", "correlate") for mode, rest in (("reflect", ""), ("nearest", ""), ("mirror", ""), ("wrap", ""), ("constant", ", cval=[0]"), ("constant", ", cval=0.0"))
    },
    **{f"{D}{name}.{kind}": [{"x": X, "loc": 0.1, "scale": 0.7}, {"x": SIGNED, "loc": values(4) - 0.513, "scale": values(3, 1)}] for name in ("norm", "laplace", "logistic", "cauchy", "gumbel_r", "gumbel_l") for kind in KINDS},
    **{f"{D}skewnorm.{kind}": [{"x": SIGNED, "a": a, "loc": 0.1, "scale": s} for a, s in ((1.3, 0.7), (values(4) - 0.513, values(3, 1)))] for kind in KINDS},
    **{f"{D}vonmises.{kind}": [{"x": x, "kappa": k, "loc": 0.1, "scale": s} for x, k, s in ((SIGNED, 1.3, 1.7), (X - 0.4, values(3), 0.8))] for kind in KINDS[2:]},
    **{f"{D}vonmises.{kind}": [{"x": SIGNED, "kappa": k, "loc": 0.1, "scale": s} for k, s in ((1.3, 0.7), (values(4), values(3, 1)))] for kind in ("pdf", "logpdf")},
    **{f"{D}pareto.{kind}": [{"x": X + 2, "b": b, "loc": 0.1, "scale": s} for b, s in ((1.3, 0.7), (values(3), values(2, 1)))] for kind in KINDS},
    **{f"{D}{name}.{what}": [{"loc": values(4), "scale": values(3, 1, seed=1)}, {"loc": 0.3, "scale": 0.7}] for name in ("norm", "halfnorm", "expon", "laplace", "logistic", "cauchy", "halfcauchy", "uniform", "rayleigh", "maxwell", "gumbel_r", "gumbel_l") for what in ("mean", "std", "var", "entropy")},
    **{f"{D}{name}.{what}": [shapes | {"loc": 0.3, "scale": 0.7}, {p: v + values(4) / 9 for p, v in shapes.items()} | {"loc": values(4), "scale": values(3, 1, seed=1)}] for name, shapes in SPREADS.items() for what in ("mean", "std", "var", "entropy")},
    **{f"{D}{name}.{what}": [shapes | {"p": 0.3, "mu": 2.3, "loc": 0.4}, shapes | {"p": values(3), "mu": values(3), "loc": values(2, 1)}] for name, shapes in (COUNTS | {"bernoulli": {}}).items() for what in ("mean", "std", "var")},
    **{f"{D}uniform.{kind}": [{"x": X, "loc": 0.1, "scale": 1.7}] for kind in KINDS},
    **{f"{D}t.{kind}": [{"x": SIGNED, "df": 3.0, "loc": 0.1, "scale": 0.7}, {"x": SIGNED, "df": 1 + values(4), "loc": 0.1, "scale": values(3, 1)}] for kind in KINDS},
    **{f"{D}{name}.{kind}": [shapes | {"x": X, "loc": 0.1, "scale": 1.7}, shapes | {"x": X, "loc": values(3) - 0.9, "scale": 2 + values(2, 1)}] for name, shapes in POSITIVE_SHAPES.items() for kind in KINDS},
    **{f"{D}{name}.{kind}": [shapes | {"x": SIGNED, "loc": -0.1, "scale": 1.7}, shapes | {"x": SIGNED, "loc": values(4) - 0.5, "scale": 2 + values(3, 1)}] for name, shapes in WHOLE_SHAPES.items() for kind in KINDS},
    **{f"{D}{name}.{kind}": [{"x": X, "c": c, "loc": 0.1, "scale": 1.7} for c in (0.3, -0.4, 0.0, values(3) - 0.513)] for name in ("genpareto", "genextreme") for kind in KINDS},
    **{f"{D}loglaplace.{kind}": [{"x": 3 * X, "c": c, "loc": 0.1, "scale": 0.7} for c in (1.4, values(3))] for kind in KINDS},
    **{f"{D}weibull_max.{kind}": [{"x": -X, "c": c, "loc": 0.1, "scale": s} for c, s in ((1.4, 1.7), (values(3), 2 + values(2, 1)))] for kind in KINDS},
    **{f"{D}{name}.{kind}": [shapes | {"k": np.array([1, 2, 4]) + 2, "p": values(3), "loc": 2}, shapes | {"k": 1.0, "p": X, "loc": 0}]
       for name, shapes in {"betabinom": {"n": 5, "a": 1.4, "b": values(3)}, "logser": {}, "planck": {"lambda_": 0.7}, "dlaplace": {"a": values(3)}, "skellam": {"mu1": 1.4, "mu2": values(3)}}.items() for kind in ("pmf", "logpmf")},
    **{f"{D}{name}.{kind}": [shapes | {"q": X, "loc": 0.1, "scale": 0.7}, shapes | {"q": X, "loc": values(3), "scale": values(2, 1)}] for name, shapes in QUANTILE_SHAPES.items() for kind in ("ppf", "isf")},
    **{f"{D}{name}.{kind}": [{"q": X, "c": c, "loc": 0.1, "scale": 1.7} for c in (0.3, -0.4, 0.0)] for name in ("genpareto", "genextreme") for kind in ("ppf", "isf")},
    **{f"{D}{name}.{kind}": [shapes | {"k": np.array([1, 2, 4]) + 2, "p": values(3), "mu": values(3), "loc": 2}, shapes | {"k": 1.0, "p": X, "mu": X, "loc": 0}] for name, shapes in COUNTS.items() for kind in ("pmf", "logpmf", "cdf", "sf", "logcdf", "logsf")},
    **{f"{D}bernoulli.{kind}": [{"k": 1 - (kind == "logsf"), "p": values(3), "loc": 0}, {"k": 0, "p": X, "loc": 0}, {"k": 1, "p": X, "loc": 1}] for kind in ("pmf", "logpmf", "cdf", "sf", "logcdf", "logsf")},
    **{f"{D}{name}.{kind}": [shapes | {"q": X, "p": 0.31, "mu": 2.3, "loc": 0.4}] for name, shapes in (COUNTS | {"bernoulli": {}}).items() for kind in ("ppf", "isf")},
    **{f"{D}{name}.logpdf": [{"x": x, "df": 5.0, "scale": s} for x, s in ((POSITIVE, SQUARE), (SQUARE, POSITIVE))] for name in ("wishart", "invwishart")},
    **{f"{D}multivariate_normal.{kind}(x, mean, cov, allow_singular=[True])": [{"x": values(3), "mean": values(3, seed=1), "cov": cov} for cov in (POSITIVE,)] for kind in ("pdf", "logpdf")},
    **{f"{D}multivariate_normal.{kind}": [{"x": x, "mean": values(3, seed=1), "cov": cov} for x in (values(3), values(2, 3), values(1, 3)) for cov in (POSITIVE, values(3), 0.7)]
       + [{"x": x, "mean": 0.2, "cov": 0.7} for x in (values(3), values(1), 0.4)] for kind in ("pdf", "logpdf")},
    **{f"{D}multivariate_t.{kind}": [{"x": x, "loc": values(3, seed=1), "shape": shape, "df": 2.7} for x in (values(3), values(2, 3), values(1, 3)) for shape in (POSITIVE, SQUARE)] for kind in ("pdf", "logpdf")},
    **{f"scipy.signal.{name}": PAIRS[:: (1 if "2d" not in name else -3)] for name in ("convolve", "fftconvolve", "oaconvolve", "correlate")},
    **{f"scipy.signal.{name}": PAIRS[2:] for name in ("convolve2d", "correlate2d")},
    **{
        f"scipy.signal.convolve2d(x, w, mode=['{mode}'], boundary=['fill'], fillvalue=fillvalue)": [{"x": values(*n), "w": values(*m, seed=1), "fillvalue": v} for n, m in (((4, 5), (2, 3)), ((3, 4), (3, 4)), ((2, 2), (5, 4))) for v in (0.7, -1.3)]
        for mode in ("full", "same")
    },
    **{
        f"scipy.signal.convolve2d(x, w, mode=['{mode}'], boundary=['{boundary}'])": [{"x": values(*n), "w": values(*m, seed=1)} for n, m in (((4, 5), (2, 3)), ((3, 4), (3, 4)), ((2, 2), (5, 4)))]
        for mode in ("full", "same") for boundary in ("wrap", "symm")
    },
    **{
        f"scipy.signal.{name}(x, w, mode=['{mode}'], axes=axes)": [
            {"x": x, "w": w, "axes": a} for x, w, a in ((values(4, 5), values(4, 2), 1), (values(4, 5), values(1, 3), [-1]), (values(4, 5), values(2, 5), 0), (values(1, 5), values(4, 2), 1), (values(4, 5), values(3, 2), (0, 1)))
        ]
        for mode in ("full", "same", "valid") for name in ("fftconvolve", "oaconvolve")
    },
    "scipy.signal.lfilter": [{"b": [0.3, 0.2], "a": [1.0, -0.4], "x": x, "axis": -1} for x in (values(5), X)],
    "scipy.signal.lfilter(b, a, x)": [{"b": b, "a": a, "x": values(5)} for b, a in ((values(2), values(3) + 0.4), (values(1), np.array([1.0, -0.4])), (values(7), np.array([2.0])), (values(3), 1.3))],
    "scipy.signal.detrend": [{"x": X, "axis": -1, "type": t} for t in ("linear", "constant")],
    "scipy.signal.lfilter(b, a, x, axis=-1, zi=[None])": [
        {"b": b, "a": a, "x": x, "axis": k} for b, a, x, k in ((values(2), np.array([1.0, -0.4]), X, -1), (values(3), np.array([1.3, 0.4]), X, 0), (0.7, values(2) + 0.9, values(5), 0), (values(9), 1.3, X, 1))
    ],
    "lying": [{"w": values(3), "axis": a, "x": X} for a in (0, -1)],
    "lagged_products": [{"h": h, "u": h + 0.3, "w": w, "axis": a} for h, w, a in ((values(5), values(3), -1), (X, values(2), 0), (X, values(5), 1), (X, 0.3, 1))],
    "savgol_adjoint": [{"h": values(6, 2), "window_length": w, "polyorder": 2, "deriv": d, "delta": 0.7, "axis": 0} for w, d in ((4, 0), (5, 1))],
    "filtfilt_adjoint": [{"h": h, "b": [0.3, 0.2], "a": [1.0, -0.4], "axis": a, "padtype": t, "padlen": n} for _, h, a, t, n in FORTH_AND_BACK],
    "sosfiltfilt_adjoint": [{"h": h, "sos": SECTIONS, "axis": a, "padtype": t, "padlen": n} for _, h, a, t, n in FORTH_AND_BACK[1:]],
    "scipy.signal.sosfilt": [{"sos": SECTIONS, "x": x, "axis": a} for x, a in ((values(5), -1), (X, 0))],
    "scipy.signal.filtfilt": [{"b": b, "a": [1.0, -0.4], "x": x, "axis": a, "padtype": t, "padlen": n} for b, x, a, t, n in FORTH_AND_BACK],
    "scipy.signal.sosfiltfilt": [{"sos": SECTIONS, "x": x, "axis": a, "padtype": t, "padlen": n} for _, x, a, t, n in FORTH_AND_BACK[1:]],
    "scipy.signal.savgol_filter": [
        {"x": x, "window_length": w, "polyorder": 2, "deriv": d, "delta": 0.7, "axis": a} for x, w, d, a in ((values(7), 5, 0, -1), (values(6, 2), 4, 0, 0), (values(2, 5), 5, 1, 1), (values(3), 3, 2, 0))
    ],
    **{f"scipy.ndimage.{name}": [{"x": x, "sigma": s, "order": o, "truncate": t} for x in (values(6), values(4, 5)) for s, o, t in ((0.8, 0, 4.0), (0.9, 0, 1.5), (0.6, 1, 2.0), (1.3, 2, 1.5))] for name in ("gaussian_filter", "gaussian_laplace")},
    "scipy.ndimage.gaussian_filter1d": [{"x": x, "sigma": 0.8, "axis": a, "order": o, "truncate": t} for x, a in ((values(6), -1), (X, 0)) for o, t in ((0, 4.0), (0, 1.5), (1, 2.0))],
    "scipy.ndimage.uniform_filter": [{"x": x, "size": s} for x, s in ((values(6), 3), (values(4, 5), 2), (values(4, 5), (2, 3)))],
    "scipy.ndimage.uniform_filter1d": [{"x": x, "size": s, "axis": a} for x, s, a in ((values(6), 3, -1), (values(4, 5), 4, 0))],
    **{f"scipy.ndimage.{name}": [{"x": x, "axis": a} for x, a in ((values(6), -1), (values(4, 5), 0), (values(4, 5), 1))] for name in ("sobel", "prewitt", "laplace")},
    **{
        name: [
            {"x": x, "h": p[0], "places": p, "mode": m, "nu": nu, "cval": c, "order": order, "prefilter": prefilter}
            for x, p, nu in ((values(5), PIXELS[:1], (0,)), (values(4, 3), PIXELS[:2], (0, 1)), (values(2, 4, 3), PIXELS, (1, 0, 1)))
            for m in ("constant", "nearest", "mirror", "reflect", "wrap", "grid-wrap", "grid-constant") for c in (0.3, 0)[: 1 + (m == "grid-constant")] for order, prefilter in orders
        ]
        for names, orders in (
            (tuple(f"scipy.ndimage.map_coordinates(x, places, output=[None], order=[1], {how}, prefilter=True)" for how in ("mode=['constant', 'nearest', 'mirror', 'reflect', 'wrap', 'grid-wrap'], cval=0", "mode=['grid-constant'], cval=[0]")), ((1, True),)),
            (("scipy.ndimage.map_coordinates", "image_slope", "image_adjoint"), ((3, True), (2, False))),
        )
        for name in names
    },
    **{f"scipy.ndimage.{name}1d": [{"x": x, "w": w, "axis": a} for x, w, a in ((values(6), values(3, seed=1), -1), (values(4, 5), values(4, seed=1), 0), (X, values(2), 1))] for name in ("convolve", "correlate")},
    **{
        f"{module}.{name}": [{"x": x, "type": t, "axis": a, "n": n, "norm": norm} for x, a in ((values(5), -1), (X, 0)) for t in (1, 2, 3, 4) for n in (None, 3, 6) for norm in (None, "ortho")]
        for module in ("scipy.fft", "scipy.fftpack") for name in ("dct", "idct", "dst", "idst")
    },
    **{
        f"{module}.{name}n": [{"x": X, "type": t, "axes": a, "s": s, "shape": s, "norm": norm} for t in (1, 2, 3, 4) for norm in (None, "ortho") for a, s in ((None, None), ((0,), None), (-1, 4), (None, (3, 2)), ((0, 1), (3, 2)), *([(None, (2,))] if module == "scipy.fft" else []))]
        for module in ("scipy.fft", "scipy.fftpack") for name in ("dct", "idct", "dst", "idst")
    },
    "scipy.integrate.trapezoid(v, x, dx=1.0, axis=-1)": TRAPEZOIDS,
    "scipy.integrate.trapezoid(v, x=[None], dx=dx, axis=[-1])": SAMPLES["np.trapezoid(v, x=[None], dx=dx, axis=[-1])"],
    "scipy.integrate.trapezoid(v, x=[None], dx=dx, axis=-1)": SAMPLES["np.trapezoid(v, x=[None], dx=dx, axis=-1)"],
    "scipy.integrate.trapezoid": [{"v": v, "x": np.sort(values(3)), "dx": 0.3, "axis": a} for v, a in ((values(3), -1), (X, -1), (X.T, 0))],
    "scipy.integrate.romb": [{"v": v, "dx": 0.3, "axis": a} for v, a in ((values(5), -1), (values(3, 4), 0), (values(1, 2), -1))],
    "scipy.integrate.simpson": [{"v": v, "dx": 0.3, "axis": a} for v, a in ((values(5), -1), (values(4), -1), (values(2), -1), (X, -1), (X.T, 0), (values(6, 2), -2))],
    "scipy.integrate.simpson(v, x, dx=1.0, axis=-1)": ALONG_AXES,
    **{
        f"scipy.integrate.{name}(v, x{named}, dx=1.0, axis=-1{start})": [sample for sample in ALONG_AXES if named == "" or sample["x"].shape in (sample["v"].shape, sample["v"].shape[sample["axis"] :][:1])]
        for name, named, starts in (("cumulative_trapezoid", "", ("", ", initial=[0]")), ("cumulative_simpson", "=x", (", initial=[None]", ", initial=[0]"))) for start in starts
    },
    **{
        f"scipy.integrate.cumulative_simpson(v, x=[None], dx=1.0, axis=-1, initial=[{start}])": [
            {"v": v, "dx": d, "axis": a} for v, d, a in ((values(5), 0.3, -1), (values(4), 0.3, -1), (values(2), 0.3, 0), (values(4, 3), 0.3, 0), (values(4, 3), values(4, 1), 1), (values(4, 3), values(1, 3), 0), (values(2, 3), values(3, 3), 0))
        ]
        for start in ("None", "0")
    },
    **{
        f"scipy.integrate.cumulative_trapezoid(v, x=[None]{dx}, axis=-1{start})": [
            {"v": v, "dx": d, "axis": a} for v, d, a in ((values(5), 0.3, -1), (values(2), 0.3, 0), (values(4, 3), 0.3, 0), (values(4, 3), values(2), 1), (values(4, 3), values(3), 0), (values(4, 1), values(3), 0), (values(4, 2), values(2), 1))
        ]
        for start in ("", ", initial=[0]") for dx in ("", ", dx=dx")
    },
    **{f"{D}{name}": [{"x": x, "axis": a, "keepdims": k, "ddof": 1, "p": 3, "nan_policy": "propagate"} for x in (values(4), values(3, 4), values(3, 3, 4)) for a in AXES if x.ndim > 1 or not isinstance(a, tuple) for k in (False, True)]
       for name in ("skew", "kurtosis", "sem", "gmean", "hmean", "tmean", "tvar", "tstd", "tsem", "variation", "pmean")},
    f"{D}moment": [{"x": x, "order": n, "axis": a, "keepdims": k} for x in (values(4), values(3, 4)) for n in (1, 2, 3) for a in (None, 0, -1) for k in (False, True)],
    f"{D}zscore": [{"x": x, "axis": a, "ddof": d} for x in (values(4), values(3, 4)) for a in (None, 0, -1) for d in (0, 1)],
    "scipy.interpolate.splev": [{"x": x, "tck": SPLINE, "der": d} for x in (0.41, X + 0.01) for d in (0, 1)],
    "scipy.interpolate.splev(x, tck, der=[0], ext=[3])": [{"x": x, "tck": SPLINE} for x in (0.41, 2 * values(4))],
    **dict.fromkeys(("scipy.interpolate.bisplev", "surface"), [{"x": 0.41, "z": 0.3, "tck": SURFACE, "dx": d, "dy": e} for d, e in ((0, 0), (1, 0), (0, 1))]),
    **{f"scipy.spatial.{name}": [{"x": X, "z": values(2, 3, seed=1)}, {"x": X, "z": values(3, seed=1)}, {"x": values(3, seed=1), "z": X}] for name in ("minkowski_distance", "minkowski_distance_p")},
    "scipy.spatial.distance_matrix": [{"x": X, "w": values(4, 3, seed=1), "p": p} for p in (2, 1, 3.5, np.inf)],
    "scipy.spatial.distance.cdist": [{"x": X, "w": values(4, 3, seed=1), "p": p, "V": values(3), "VI": SQUARE} for p in (3, 1.5, np.inf)],
    "scipy.spatial.distance.pdist": [{"x": x, "p": p, "V": values(x.shape[1]), "VI": POSITIVE if x is X else FOURTH} for x in (X, SIGNED) for p in (3, 1.5, np.inf)],
    "scipy.spatial.distance.squareform": [{"x": values(6)}, {"x": scipy.spatial.distance.squareform(values(6)) + np.eye(4), "checks": False}],
    **{
        f"scipy.spatial.distance.{name}": [{"u": u, "v": v, "p": 3, "m": POSITIVE, "centered": True} for u, v in ((values(3), values(3, seed=1)), (SIGNED[0, :3], SIGNED[1, :3]))]
        for name in ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "minkowski", "cosine", "correlation", "braycurtis", "canberra", "mahalanobis")
    },
    **{
        f"scipy.spatial.distance.{name}w=w)": [{"u": u, "v": v, "p": p, "w": values(3, seed=2), "centered": True} for u, v in ((values(3), values(3, seed=1)), (SIGNED[0, :3], SIGNED[1, :3])) for p in (3, 1.5, np.inf)]
        for name in ("euclidean(u, v, ", "sqeuclidean(u, v, ", "cityblock(u, v, ", "chebyshev(u, v, ", "minkowski(u, v, p=2, ", "cosine(u, v, ", "correlation(u, v, centered=[True], ", "braycurtis(u, v, ", "canberra(u, v, ")
    },
}  # fmt: skip

# Tried in the corpus: a factor is a tuple, the signs of eigenvectors jump; in test_riccati.py: weights stay symmetric.
SCIPY_UNTRIED = (
    "scipy.sparse.linalg.spsolve(a, b)",  # tests/test_sparse_matrices.py
    "scipy.linalg.solve_toeplitz(c_and_r, b)",
    "scipy.linalg.lu_solve(lu_and_piv, b, trans=[0])",
    "scipy.linalg.lu_solve(lu_and_piv, b, trans=[1, 2])",
    "scipy.linalg.solve_continuous_are(a, b, q, r)",
    "scipy.linalg.solve_discrete_are(a, b, q, r)",
    "scipy.linalg.cho_solve(c_and_lower, b)",
    "scipy.linalg.eigh(x, lower=[True], eigvals_only=[False])",
    "scipy.linalg.eigh_tridiagonal(d, e, eigvals_only=[False], select=['a'])",
    "scipy.linalg.eigh(x, lower=[False], eigvals_only=[False])",
    # their operands keep their sum: tests/test_distributions.py
    *(f"scipy.stats.dirichlet.{kind}(x, alpha)" for kind in ("logpdf", "pdf")),
    *(f"scipy.stats.multinomial.{kind}(k, n, p)" for kind in ("logpmf", "pmf")),
    # of float32 SciPy makes none of these: tests/test_distributions.py
    *(f"scipy.stats.t.{kind}(df, loc=0, scale=1)" for kind in ("mean", "std", "var")),
    # methods of objects: tests/test_interpolants.py
    *(
        f"scipy.interpolate.{spline}.__call__(f, x, nu=0, extrapolate={given})"
        for spline in ("PPoly", "BSpline")
        for given in ("[None]", "extrapolate")
    ),
    "scipy.interpolate.UnivariateSpline.__call__(f, x, nu=[0])",
    "scipy.interpolate.UnivariateSpline.__call__(f, x, nu=nu)",
    "scipy.interpolate.interp1d.__call__(f, x)",
    "scipy.interpolate.RegularGridInterpolator.__call__(f, t)",  # tests/test_looked_up_tables.py
    "interpolant_slope(f, x, nu=1)",
)
