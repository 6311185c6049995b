"""scipy.interpolate: splines that are given by knots and coefficients, and objects whose values vary by helpers."""

from __future__ import annotations

from typing import Any

from tangentish.rules.laws import constant, elementwise, multilinear, never_tried, structural

# fmt: off
elementwise("scipy.interpolate.splev(x, tck, der=0, ext=[0])",   x="g * cast(scipy.interpolate.splev(x, tck, der + 1), x)")
elementwise("scipy.interpolate.splev(x, tck, der=0, ext=[1, 2])",  x="g * cast(scipy.interpolate.splev(x, tck, der + 1, ext), x)")
elementwise("scipy.interpolate.splev(x, tck, der=[0], ext=[3])",   x="g * cast(scipy.interpolate.splev(x, tck, 1, 1), x)")  # constant outside
for given in ("scipy.interpolate.bisplev", "surface"):
    structural(f"{given}(x, z, tck, dx=0, dy=0)", ranks=(0, 0),
               x="g * moves_surface(x, tck, 0) * surface(x, z, tck, dx + 1, dy)",          z="g * moves_surface(z, tck, 1) * surface(x, z, tck, dx, dy + 1)",
               x_dot="x_dot * moves_surface(x, tck, 0) * surface(x, z, tck, dx + 1, dy)",  z_dot="z_dot * moves_surface(z, tck, 1) * surface(x, z, tck, dx, dy + 1)")
for spline in ("PPoly", "BSpline"):
    elementwise(f"scipy.interpolate.{spline}.__call__(f, x, nu=0, extrapolate=[None])",  x="g * f(x, nu + 1)")
    elementwise(f"scipy.interpolate.{spline}.__call__(f, x, nu=0, extrapolate=extrapolate)",  x="g * f(x, nu + 1, extrapolate)")
elementwise("scipy.interpolate.UnivariateSpline.__call__(f, x, nu=[0])",               x="g * interpolant_slope(f, x)")
elementwise("scipy.interpolate.UnivariateSpline.__call__(f, x, nu=nu)",                x="g * f(x, nu + 1)")
elementwise("scipy.interpolate.interp1d.__call__(f, x)",                               x="g * interpolant_slope(f, x)")

# The coefficients are linear in the values, what is asked for at the ends aside.
for kind, options in (("cubic", "bc_type='not-a-knot', axis=0"), ("spline", "k=3, bc_type=None, axis=0")):
    given = ", ".join(option.split("=")[0] for option in options.split(", "))
    structural (f"{kind}_coefficients(x, v, {options})",  v=f"cast({kind}_coefficients_adjoint(g, x, {given}), v)",  v_dot=f"{kind}_coefficients_tangent(v_dot, x, {given})")
    multilinear(f"{kind}_coefficients_tangent(v, x, {options})",       v=f"cast({kind}_coefficients_adjoint(g, x, {given}), v)")
    multilinear(f"{kind}_coefficients_adjoint(h, x, {options})",       h=f"{kind}_coefficients_tangent(g, x, {given})")
structural ("hermite_coefficients(x, v, d, axis=0)",
            v="cast(hermite_adjoint(g, x, axis), v)",              d="cast(hermite_adjoint(g, x, axis, True), d)",
            v_dot="hermite_coefficients(x, v_dot, 0 * d, axis)",   d_dot="hermite_coefficients(x, 0 * v, d_dot, axis)")
multilinear("hermite_adjoint(h, x, axis=0, slopes=[False])",  h="hermite_coefficients(x, g, 0 * g, axis)")
multilinear("hermite_adjoint(h, x, axis=0, slopes=[True])",   h="hermite_coefficients(x, 0 * g, g, axis)")
# What is linear in the coefficients `c`, and moves with the places t by the next derivative: of vectors, summed over their elements.
for f, c, first, middle, last, options in (
    ("piecewise", "c", "{c}, x, ", "", ", extrapolate, axis", "x, t, nu=0, extrapolate=None, axis=0"),
    ("bspline", "c", "{c}, knots, ", "k, ", ", extrapolate, axis", "knots, t, k=3, nu=0, extrapolate=True, axis=0"),
    ("interpolated_slope", "v", "{c}, x, ", "", ", kind, axis, fill_value, assume_sorted", "x, t, nu=1, kind='linear', axis=-1, fill_value=None, assume_sorted=False"),
):
    back = "interpolated_adjoint" if f == "interpolated_slope" else f"{f}_adjoint"
    of = {"c": f"{f}({first}t, {middle}nu{last})", "next": f"{f}({first}t, {middle}nu + 1{last})",
          "back": f"{back}({{h}}, {first}t, {middle}nu{last})", "next back": f"{back}({{h}}, {first}t, {middle}nu + 1{last})"}
    taken = of["back"].format(h="g", c=c)
    taken = f"cast({taken}, v)" if c == "v" else taken
    texts: dict[str, Any]
    for rank in (2 if f == "piecewise" else 1, None):
        total, spread = ("{}", "t_dot") if rank else ("over_places({}, t, axis)", "at_places(t_dot, y, axis)")
        texts = {c: taken, f"{c}_dot": of["c"].format(c=f"{c}_dot")}
        structural(f"{f}({c}, {options})", ranks={c: rank} if rank else None, **texts,
                   t=total.format("g * " + of["next"].format(c=c)),  t_dot=f"{spread} * " + of["next"].format(c=c))
    texts = {c: "0"}
    structural(f"{back}(h, {c}, {options.replace('nu=1', 'nu=0')})", **texts,  h=of["c"].format(c="g"),  t="over_places(h * " + of["next"].format(c="g") + ", t, axis)",
               h_dot=of["back"].format(h="h_dot", c=c),  t_dot=of["next back"].format(h="at_places(t_dot, h, axis) * h", c=c))
HOW = "kind, axis, fill_value, assume_sorted"
for rank, total, spread in ((1, "{}", "t_dot"), (None, "over_places({}, t, axis)", "at_places(t_dot, y, axis)")):
    structural("interpolated(x, v, t, kind='linear', axis=-1, bounds_error=None, fill_value=None, assume_sorted=False)", ranks={"v": rank} if rank else None,
               v=f"cast(interpolated_adjoint(g, v, x, t, 0, {HOW}), v)",        t=f"cast({total}, t)".format(f"g * interpolated_slope(v, x, t, 1, {HOW})"),
               v_dot=f"interpolated_slope(v_dot, x, t, 0, {HOW})",  t_dot=f"{spread} * interpolated_slope(v, x, t, 1, {HOW})")
multilinear("over_places(x, t, axis=0)",  x="full(at_places(g, x, axis), x)",  t="0")
multilinear("at_places(t, x, axis=0)",    t="np.reshape(g, np.shape(t))",      x="0")

# On a grid there is a derivative along each axis.
EACH = "sum([{} for j in range(len(points))])"
MOVED = f"cast({EACH}, t)"
slope, back = "on_grid_slope({}, points, t, raised(nu, j, points), method, fill_value)", "on_grid_adjoint({}, values, points, t, {}, method, fill_value)"
structural("on_grid(points, values, t, method='linear', bounds_error=True, fill_value=np.nan)",
           values="cast(on_grid_adjoint(g, values, points, t, (), method, fill_value), values)",
           t=MOVED.format(f"off_axis(g * {slope.format('values')}, j, points, t)").replace("nu", "()"),
           values_dot="on_grid_slope(values_dot, points, t, (), method, fill_value)",
           t_dot=EACH.format(f"on_axis(t_dot, j, points, y) * {slope.format('values')}").replace("nu", "()"))
structural("on_grid_slope(values, points, t, nu=(), method='linear', fill_value=np.nan)",
           values="cast(on_grid_adjoint(g, values, points, t, nu, method, fill_value), values)",  t=MOVED.format(f"off_axis(g * {slope.format('values')}, j, points, t)"),
           values_dot="on_grid_slope(values_dot, points, t, nu, method, fill_value)",             t_dot=EACH.format(f"on_axis(t_dot, j, points, y) * {slope.format('values')}"))
structural("on_grid_adjoint(h, values, points, t, nu=(), method='linear', fill_value=np.nan)",  values="0",
           h="on_grid_slope(g, points, t, nu, method, fill_value)",  t=MOVED.format(f"off_axis(h * {slope.format('g')}, j, points, t)"),
           h_dot=back.format("h_dot", "nu"),  t_dot=EACH.format(back.format("on_axis(t_dot, j, points, h) * h", "raised(nu, j, points)")))
multilinear("on_axis(t, j, points, like)",  t="cast(off_axis(g, j, points, t), t)",  like="0")
multilinear("off_axis(h, j, points, t)",    h="full(on_axis(g, j, points, h), h)",  t="0")
# The same of a table that does not vary.
structural("scipy.interpolate.RegularGridInterpolator.__call__(f, t)",  t="table_adjoint(g, f, t)",  t_dot="table_tangent(t_dot, f, t)")
ALONG, MORE = "sum([{} for j in range(len(f.grid))])", "raised(nu, j, f.grid)"
TWICE = ALONG.format(f"table_adjoint({{}}, f, t, {MORE})")
structural("table_adjoint(h, f, t, nu=())",  h="cast(table_tangent(g, f, t, nu), h)",          t=f"cast({TWICE.format('h * on_axis(g, j, f.grid, h)')}, t)",
           h_dot="table_adjoint(h_dot, f, t, nu)",  t_dot=TWICE.format("on_axis(t_dot, j, f.grid, h) * h"))
structural("table_tangent(v, f, t, nu=())",  v="cast(table_adjoint(g, f, t, nu), v)",  t=f"cast({TWICE.format('g * on_axis(v, j, f.grid, g)')}, t)",
           v_dot="table_tangent(v_dot, f, t, nu)",  t_dot=ALONG.format(f"on_axis(t_dot, j, f.grid, y) * table_tangent(v, f, t, {MORE})"))
constant("spline_knots", "raised", "moves_surface")
# fmt: on
never_tried("scipy.interpolate.splev", "scipy.interpolate.bisplev")
never_tried(
    *(
        f"scipy.interpolate.{made}.__call__"
        for made in ("PPoly", "BSpline", "UnivariateSpline", "interp1d", "RegularGridInterpolator")
    )
)
