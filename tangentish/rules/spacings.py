"""np.gradient, by the samples and by how far they stand from each other: by one step, or by their places."""

from __future__ import annotations

from typing import Any

from tangentish.rules.laws import multilinear, tuple_valued

# fmt: off
PAIRS = "axis=[(0, 1), (1, 0), (-2, -1), (-1, -2), (0, 2), (1, 2), (2, 0), (2, 1)]"
for n, axes in ((2, ""), (2, PAIRS), (3, ""), (3, "axis=[(0, 1, 2)]")):  # of several axes, which give an array each
    ranks = {} if axes else {"f": n}
    steps, rest = "hde"[:n], (axes and ", " + axes) + ", edge_order=1"
    taken, at = ", axis" * bool(axes), [f"axis[{k}]" if axes else f"{k}" for k in range(n)]
    moves = ", ".join(f"np.gradient(f_dot, {{}}, axis={axis}, edge_order=edge_order)" for axis in at)
    tuple_valued(f"np.gradient(f, h{rest})", ranks=ranks | {"h": 0},  f=f"gradients_adjoint(g, f, (h,), edge_order{taken})",
                 h="gradient_step_adjoint(g, y, h)",  f_dot=moves.format(*"h" * n),
                 h_dot=", ".join(f"-h_dot / h * y[{k}]" for k in range(n)))
    own: dict[str, Any] = {s: f"gradient_spacing_adjoint(g[{k}], f, {s}, {at[k]}, edge_order)" for k, s in enumerate(steps)}
    own |= {f"{s}_dot": ", ".join(f"gradient_spacing_tangent({s}_dot, f, {s}, {at[k]}, edge_order)" if j == k else "None" for j in range(n)) for k, s in enumerate(steps)}
    tuple_valued(f"np.gradient(f, {', '.join(steps)}{rest})", ranks=ranks,  f=f"gradients_adjoint(g, f, ({', '.join(steps)}), edge_order{taken})",
                 f_dot=moves.format(*steps), **own)
tuple_valued("np.gradient(f, *spacing, axis=[(0, 1), (1, 0), (-2, -1), (-1, -2), (0, 2), (1, 2), (2, 0), (2, 1), (0, 1, 2)], edge_order=1)", linear=True,
             f="gradients_adjoint(g, f, spacing, edge_order, axis)")
for ranks, axes in (({"f": 1}, "axis=None"), ({}, "axis=axis")):
    multilinear(f"np.gradient(f, h, {axes}, edge_order=1)", ranks=ranks | {"h": 0},  f="gradient_adjoint(g / h, f, 1.0, axis, edge_order)",
                h="-np.sum(g * y) / h",  h_dot="-h_dot / h * y")
    multilinear(f"np.gradient(f, x, {axes}, edge_order=1)", ranks=ranks | {"x": 1},  f="gradient_adjoint(g, f, x, axis, edge_order)",
                x="gradient_spacing_adjoint(g, f, x, axis, edge_order)",  x_dot="gradient_spacing_tangent(x_dot, f, x, axis, edge_order)")
multilinear("np.gradient(f, axis=None, edge_order=1)", ranks=(1,),  f="gradient_adjoint(g, f, 1.0, axis, edge_order)")
for rank in (2, 3):
    tuple_valued("np.gradient(f, *spacing, edge_order=1)", ranks=(rank,), linear=True,  f="gradients_adjoint(g, f, spacing, edge_order)")
multilinear("np.gradient(f, axis=axis, edge_order=1)",              f="gradient_adjoint(g, f, 1.0, axis, edge_order)")
# fmt: on
