"""Objects of SciPy that hold numbers which vary: what is kept of them, and what calls of them are.

A text is written in the parameters of the class and those of the call, `{x}`, and in what is kept, under its own name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class HeldObject:
    """An object by what is kept of it.

    takes: the parameters of what makes it, by a signature; of those in `varying` there is a derivative.
    kept: attribute -> text; an option that was not given is not kept. What is in `copied` no later change reaches, nor
    what is in `as_floats` where it is of another type.
    otherwise: option -> what is kept in another way where it is given.
    calls: method -> signature and text; `__call__` is a call of the object itself.
    implies: option and value -> another option and what it is then, where it is not given.
    only: option -> the values for which there are rules.
    """

    takes: str
    varying: tuple[str, ...]
    kept: Mapping[str, str]
    calls: Mapping[str, tuple[str, str]]
    copied: tuple[str, ...] = ("x",)
    as_floats: tuple[str, ...] = ()
    otherwise: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    implies: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


_OPTIONS = {"axis": "{axis}", "extrapolate": "{extrapolate}"}
_AROUND = {("bc_type", "periodic"): ("extrapolate", "periodic")}
_ON_KNOTS = {
    "__call__": (
        "(place, nu=0, extrapolate=True)",
        "bspline({c}, {t}, {place}, {k}, {nu}, {extrapolate}, {axis})",
    )
}
# No copies of what is one already, which later stores reach.
_PLACES = "np.ascontiguousarray({}, float)"
_VALUES = "np.ascontiguousarray({})"
_ON_NODES = {
    "__call__": (
        "(place, nu=0, extrapolate=None)",
        "piecewise({c}, {x}, {place}, {nu}, {extrapolate}, {axis})",
    )
}
_INTERP = "{kind}, {axis}, {bounds_error}, {fill_value}, {assume_sorted}"
_INTERP_OPTIONS = ("kind", "axis", "bounds_error", "fill_value", "assume_sorted")
OBJECTS: Mapping[str, HeldObject] = {
    "scipy.interpolate.CubicSpline": HeldObject(
        "(x, y, axis=0, bc_type='not-a-knot', extrapolate=None)",
        ("y",),
        {"x": "{x}", "c": "cubic_coefficients({x}, {y}, {bc_type}, {axis})"} | _OPTIONS,
        _ON_NODES,
        implies=_AROUND,
    ),
    "scipy.interpolate.CubicHermiteSpline": HeldObject(
        "(x, y, dydx, axis=0, extrapolate=None)",
        ("y", "dydx"),
        {"x": "{x}", "c": "hermite_coefficients({x}, {y}, {dydx}, {axis})"} | _OPTIONS,
        _ON_NODES,
    ),
    "scipy.interpolate.PPoly": HeldObject(
        "(c, x, extrapolate=None, axis=0)",
        ("c",),
        {"x": _PLACES.format("{x}"), "c": _VALUES.format("{c}")} | _OPTIONS,
        _ON_NODES,
        copied=(),
        as_floats=("c",),
        otherwise={
            "axis": {
                "c": _VALUES.format("np.moveaxis(np.moveaxis({c}, {axis} + 1, 0), {axis} + 1, 0)")
            }
        },
    ),
    "scipy.interpolate.make_interp_spline": HeldObject(
        "(x, y, k=3, bc_type=None, axis=0)",
        ("y",),
        {
            "t": "spline_knots({x}, {k}, {bc_type})",
            "c": "spline_coefficients({x}, {y}, {k}, {bc_type}, {axis})",
            "k": "{k}",
        }
        | _OPTIONS,
        _ON_KNOTS,
        implies=_AROUND,
    ),
    "scipy.interpolate.BSpline": HeldObject(
        "(t, c, k, extrapolate=True, axis=0)",
        ("c",),
        {"t": _PLACES.format("{t}"), "c": _VALUES.format("{c}"), "k": "{k}"} | _OPTIONS,
        _ON_KNOTS,
        copied=(),
        as_floats=("c",),
        otherwise={"axis": {"c": _VALUES.format("np.moveaxis({c}, {axis}, 0)")}},
    ),
    "scipy.interpolate.interp1d": HeldObject(
        "(x, y, kind='linear', axis=-1, copy=True, bounds_error=None, fill_value=None, assume_sorted=False)",
        ("y",),
        {"x": "{x}", "y": "{y}"} | {name: f"{{{name}}}" for name in _INTERP_OPTIONS},
        {"__call__": ("(place)", f"interpolated({{x}}, {{y}}, {{place}}, {_INTERP})")},
        copied=("x", "y"),
    ),
    "scipy.interpolate.RegularGridInterpolator": HeldObject(
        "(points, values, method='linear', bounds_error=True, fill_value=np.nan)",
        ("values",),
        {"grid": "{points}", "values": "{values}"}
        | {name: f"{{{name}}}" for name in ("method", "bounds_error", "fill_value")},
        {
            "__call__": (
                "(place, method='linear')",
                "on_grid({grid}, {values}, {place}, {method}, {bounds_error}, {fill_value})",
            )
        },
        copied=(),
        only={"method": ("linear", "nearest")},
    ),
}
