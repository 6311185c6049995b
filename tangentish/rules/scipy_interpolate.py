"""scipy.interpolate: splines that are given by knots and coefficients."""

from __future__ import annotations

from tangentish.rules.laws import elementwise, never_tried, structural

# fmt: off
elementwise("scipy.interpolate.splev(x, tck, der=0, ext=[0])",   x="g * cast(scipy.interpolate.splev(x, tck, der + 1), x)")
elementwise("scipy.interpolate.splev(x, tck, der=0, ext=[1, 2])",  x="g * cast(scipy.interpolate.splev(x, tck, der + 1, ext), x)")
elementwise("scipy.interpolate.splev(x, tck, der=[0], ext=[3])",   x="g * cast(scipy.interpolate.splev(x, tck, 1, 1), x)")  # constant outside
structural("scipy.interpolate.bisplev(x, z, tck, dx=0, dy=0)", ranks=(0, 0),
           x="g * scipy.interpolate.bisplev(x, z, tck, dx + 1, dy)",          z="g * scipy.interpolate.bisplev(x, z, tck, dx, dy + 1)",
           x_dot="x_dot * scipy.interpolate.bisplev(x, z, tck, dx + 1, dy)",  z_dot="z_dot * scipy.interpolate.bisplev(x, z, tck, dx, dy + 1)")
for spline in ("PPoly", "BSpline"):
    elementwise(f"scipy.interpolate.{spline}.__call__(f, x, nu=0, extrapolate=[None])",  x="g * f(x, nu + 1)")
    elementwise(f"scipy.interpolate.{spline}.__call__(f, x, nu=0, extrapolate=extrapolate)",  x="g * f(x, nu + 1, extrapolate)")
elementwise("scipy.interpolate.UnivariateSpline.__call__(f, x, nu=0)",                 x="g * f(x, nu + 1)")
elementwise("scipy.interpolate.interp1d.__call__(f, x)",                               x="g * interpolant_slope(f, x)")
# fmt: on
never_tried("scipy.interpolate.splev", "scipy.interpolate.bisplev")
never_tried(
    *(
        f"scipy.interpolate.{made}.__call__"
        for made in ("PPoly", "BSpline", "UnivariateSpline", "interp1d")
    )
)
