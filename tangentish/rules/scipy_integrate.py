"""scipy.integrate: integrals of samples, by values, by the step and by the places."""

from __future__ import annotations

from tangentish.rules.laws import alias, holds_for_complex, multilinear

# fmt: off
alias("scipy.integrate.trapezoid", of="np.trapezoid")
for name in ("simpson", "romb"):
    multilinear(f"scipy.integrate.{name}(v{', x=[None]' if name == 'simpson' else ''}, dx=1.0, axis=-1)",
                v=f"np.expand_dims(g, axis) * along(cast(scipy.integrate.{name}(np.eye(v.shape[axis]), dx=dx), v), v, axis)",  dx=f"np.sum(g * scipy.integrate.{name}(v, axis=axis))")
HEAD = "np.expand_dims(g, axis)"
for ranks, v in (({"x": 1}, f"{HEAD} * along(cast(scipy.integrate.simpson(np.eye(len(x)), x=x, axis=0), v), v, axis)"), ({}, f"parabolas_adjoint({HEAD}, v, x, axis)")):
    multilinear("scipy.integrate.simpson(v, x, dx=1.0, axis=-1)", ranks=ranks,  v=v,  x=f"parabola_places_adjoint({HEAD}, v, x, axis)",
                v_dot="scipy.integrate.simpson(v_dot, x, axis=axis)",  x_dot="np.sum(parabola_places_tangent(x_dot, v, x, axis), axis=axis)")
for start, head in (("", "g"), (", initial=[0]", "np.delete(g, 0, axis)")):
    back = f"cumsum_adjoint({head}, {head}, axis)"
    f = "scipy.integrate.cumulative_trapezoid"
    multilinear(f"{f}(v, x=[None], axis=-1{start})",                   v=f"neighbours_adjoint({back} / 2, axis)")
    for ranks, v in (({"dx": 0}, f"{back} * dx / 2"), ({}, f"unbroadcast({back} * dx / 2, neighbours(v, axis))")):
        multilinear(f"{f}(v, x=[None], dx=dx, axis=-1{start})", ranks=ranks,  v=f"neighbours_adjoint({v}, axis)",  dx=f"unbroadcast({back} * neighbours(v, axis) / 2, dx)")
    multilinear(f"{f}(v, x, dx=1.0, axis=-1{start})", ranks={"x": 1},  v=f"neighbours_adjoint({back} * along(np.diff(x), v, axis) / 2, axis)",
                x=f"diff_adjoint(across({back} * neighbours(v, axis) / 2, axis), x)")
    for rank in (2, 3):
        multilinear(f"{f}(v, x, dx=1.0, axis=-1{start})", ranks=(rank, rank),  v=f"neighbours_adjoint(unbroadcast({back} * np.diff(x, axis=axis) / 2, neighbours(v, axis)), axis)",
                    x=f"unbroadcast(diff_adjoint({back} * neighbours(v, axis) / 2, v, 1, axis), x)")
for start, head in (("[None]", "g"), ("[0]", "np.delete(g, 0, axis)")):
    back = f"cumsum_adjoint({head}, {head}, axis)"
    f = "scipy.integrate.cumulative_simpson"
    multilinear(f"{f}(v, x=[None], dx=1.0, axis=-1, initial={start})",  v=f"parabolas_adjoint({back} * dx, v, cast(np.arange(v.shape[axis]), v), axis)",
                dx=f"cast(unbroadcast({back} * np.diff({f}(v, axis=axis, initial=0), axis=axis), dx), dx)")
    multilinear(f"{f}(v, x=x, dx=1.0, axis=-1, initial={start})",  v=f"parabolas_adjoint({back}, v, x, axis)",  x=f"parabola_places_adjoint({back}, v, x, axis)",
                v_dot=f"{f}(v_dot, x=x, axis=axis, initial=initial)",
                x_dot="np.cumulative_sum(parabola_places_tangent(x_dot, v, x, axis), axis=axis, include_initial=" + f"{start != '[None]'})")
holds_for_complex("scipy.integrate.cumulative_trapezoid")
# Of complex values, at places and by steps that rest.
for name, more in (("simpson", ", x=[None]"), ("romb", "")):
    multilinear(f"scipy.integrate.{name}(v{more}, dx=1.0, axis=-1)",  numbers="complex",
                v=f"{HEAD} * along(cast(scipy.integrate.{name}(np.eye(v.shape[axis]), dx=dx), v), v, axis)")
multilinear("scipy.integrate.simpson(v, x, dx=1.0, axis=-1)", ranks={"x": 1},  numbers="complex",
            v=f"{HEAD} * along(cast(scipy.integrate.simpson(np.eye(len(x)), x=x, axis=0), v), v, axis)",  v_dot="scipy.integrate.simpson(v_dot, x, axis=axis)")
for start, head in (("[None]", "g"), ("[0]", "np.delete(g, 0, axis)")):
    back = f"cumsum_adjoint({head}, {head}, axis)"
    f = "scipy.integrate.cumulative_simpson"
    multilinear(f"{f}(v, x=[None], dx=1.0, axis=-1, initial={start})",  numbers="complex",
                v=f"parabolas_adjoint({back} * dx, v, cast(np.arange(v.shape[axis]), v), axis)")
    multilinear(f"{f}(v, x=x, dx=1.0, axis=-1, initial={start})",  numbers="complex",
                v=f"parabolas_adjoint({back}, v, x, axis)",  v_dot=f"{f}(v_dot, x=x, axis=axis, initial=initial)")
# fmt: on
