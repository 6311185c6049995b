"""scipy.spatial: distances of two vectors, of all pairs of two lists of them, and of one list."""

from __future__ import annotations

import re
from typing import Any

from tangentish.rules.laws import constant, multilinear, structural


def by_one(text: str) -> str:
    """An adjoint of a number without the gradient `g` of that, which is its first factor."""
    return text.removeprefix("g * ") if text[0] == "g" else text.replace("ratio(g, ", "ratio(1.0, ")


def exchanged(text: str) -> str:
    """The text with u for v, and v for u."""
    return re.sub(r"\b[uv]\b", lambda found: "vu"["uv".index(found[0])], text)


# fmt: off
# What a distance y of a and b changes by for each element of their difference d.
SLOPES = {
    "metric=['cityblock']":        "np.sign({d})",
    "metric=['chebyshev']":        "vector_norm_slope({d}, np.expand_dims(y, -1), math.inf, -1)",
    "metric=['minkowski'], p=2":   "vector_norm_slope({d}, np.expand_dims(y, -1), p, -1)",
    "metric=['seuclidean'], V=V":  "ratio({d}, V * np.expand_dims(y, -1))",
    "metric=['mahalanobis'], VI=VI":  "ratio(np.matmul({d}, VI + VI.T), 2 * np.expand_dims(y, -1))",
}

def by_matrix(d: str, which: str) -> dict[str, str]:
    """What the matrix of a distance of Mahalanobis gets, and how the distance moves with it."""
    return {
        "VI": f"np.einsum('{which},{which}a,{which}b->ab', ratio(g, 2 * y), {d}, {d})",
        "VI_dot": f"ratio(np.sum(np.matmul({d}, VI_dot) * ({d}), axis=-1), 2 * y)",
    }


D = "scipy.spatial.distance"
structural (f"{D}.cdist(x, w, metric=['euclidean'])",    x="distances_left(ratio(g, y), x, w)",     w="distances_left(ratio(g, y).T, w, x)",
            x_dot="ratio(np.sum(x * x_dot, axis=1)[:, None] - x_dot @ w.T, y)",  w_dot="ratio(np.sum(w * w_dot, axis=1) - x @ w_dot.T, y)")
structural (f"{D}.cdist(x, w, metric=['sqeuclidean'])",  x="distances_left(2 * g, x, w)",           w="distances_left(2 * g.T, w, x)",
            x_dot="2 * (np.sum(x * x_dot, axis=1)[:, None] - x_dot @ w.T)",      w_dot="2 * (np.sum(w * w_dot, axis=1) - x @ w_dot.T)")
structural (f"{D}.cdist(x, w, metric=['cosine'])",       x="cosines_left(g, y, x, w)",              w="cosines_left(g.T, y.T, w, x)",
            x_dot="cosines_tangent(x_dot, y, x, w)",                             w_dot="cosines_tangent(w_dot, y.T, w, x).T")
X_CENTRED, W_CENTRED = (f"{x} - np.mean({x}, axis=1, keepdims=True)" for x in "xw")
structural (f"{D}.cdist(x, w, metric=['correlation'])",  x=f"cosines_left(g, y, {X_CENTRED}, {W_CENTRED})",  w=f"cosines_left(g.T, y.T, {W_CENTRED}, {X_CENTRED})",
            x_dot=f"cosines_tangent(x_dot, y, {X_CENTRED}, {W_CENTRED})",                             w_dot=f"cosines_tangent(w_dot, y.T, {W_CENTRED}, {X_CENTRED}).T")
structural (f"{D}.pdist(x, metric=['euclidean'])",    x=f"distances_left({D}.squareform(ratio(g, y)), x, x)",
            x_dot="ratio(np.sum(between_pairs(x) * between_pairs(x_dot), axis=-1), y)")
structural (f"{D}.pdist(x, metric=['sqeuclidean'])",  x=f"distances_left(2 * {D}.squareform(g), x, x)",
            x_dot="2 * np.sum(between_pairs(x) * between_pairs(x_dot), axis=-1)")
for metric, slope in SLOPES.items():
    point = "cast(x, y)" if "vector_norm" in slope else "x"  # of SciPy's differences, which are doubles, one may be the largest
    both, pairs = (slope.format(d=d) for d in (f"{point}[:, None] - w", f"between_pairs({point})"))
    of_both: Any
    of_pairs: Any
    of_both, of_pairs = ({}, {}) if "VI" not in metric else (by_matrix("x[:, None] - w", "ij"), by_matrix("between_pairs(x)", "i"))
    structural(f"{D}.cdist(x, w, {metric})",  x=f"np.sum(g[..., None] * {both}, axis=1)",        w=f"-np.sum(g[..., None] * {both}, axis=0)",
               x_dot=f"np.sum({both} * x_dot[:, None], axis=-1)",  w_dot=f"-np.sum({both} * w_dot, axis=-1)", **of_both)
    structural(f"{D}.pdist(x, {metric})",     x=f"between_pairs_adjoint(g[..., None] * {pairs}, x)",
               x_dot=f"np.sum({pairs} * between_pairs(x_dot), axis=-1)", **of_pairs)
both = "vector_norm_slope(cast(x, y)[:, None] - w, np.expand_dims(y, -1), p, -1)"
structural("scipy.spatial.distance_matrix(x, w, p=2)",  x=f"np.sum(g[..., None] * {both}, axis=1)",  w=f"-np.sum(g[..., None] * {both}, axis=0)",
           x_dot=f"np.sum({both} * x_dot[:, None], axis=-1)",  w_dot=f"-np.sum({both} * w_dot, axis=-1)")
for metric, each in (("cosine", "x"), ("correlation", X_CENTRED)):
    structural(f"{D}.pdist(x, metric=['{metric}'])",  x=f"cosines_left({D}.squareform(g), {D}.squareform(y), {each}, {each})",
               x_dot=f"{D}.squareform(cosines_tangent(x_dot, {D}.squareform(y), {each}, {each}) + cosines_tangent(x_dot, {D}.squareform(y), {each}, {each}).T, checks=False)")
# The same of what is more than a difference: what y changes by for each element of x.
EACH = {
    "canberra":    "ratio(np.sign({x} - {w}) - np.sign({x}) * ratio(np.abs({x} - {w}), np.abs({x}) + np.abs({w})), np.abs({x}) + np.abs({w}))",
    "braycurtis":  "ratio(np.sign({x} - {w}) - np.expand_dims({y}, -1) * np.sign({x} + {w}), np.sum(np.abs({x} + {w}), axis=-1, keepdims=True))",
}
for metric, slope in EACH.items():
    by_x, by_w = slope.format(x="x[:, None]", w="w", y="y"), slope.format(x="w", w="x[:, None]", y="y")
    structural(f"{D}.cdist(x, w, metric=['{metric}'])",  x=f"np.sum(g[..., None] * {by_x}, axis=1)",  w=f"np.sum(g[..., None] * {by_w}, axis=0)",
               x_dot=f"np.sum({by_x} * x_dot[:, None], axis=-1)",  w_dot=f"np.sum({by_w} * w_dot, axis=-1)")
    by_x = slope.format(x="x[:, None]", w="x", y=f"{D}.cdist(x, x, '{metric}')")
    moved = f"np.sum({by_x} * x_dot[:, None], axis=-1)"
    structural(f"{D}.pdist(x, metric=['{metric}'])",  x=f"np.sum({D}.squareform(g)[..., None] * {by_x}, axis=1)",
               x_dot=f"{D}.squareform({moved} + {moved}.T, checks=False)")
multilinear(f"{D}.squareform(x)", ranks=(1,),  x="(g + g.T)[np.triu_indices(len(g), 1)]")
multilinear(f"{D}.squareform(x, force=['no', 'tomatrix'], checks=[False])", ranks=(1,),  x="(g + g.T)[np.triu_indices(len(g), 1)]")
multilinear(f"{D}.squareform(x, force=['no', 'tovector'], checks=True)", ranks=(2,),  x=f"np.triu({D}.squareform(g))")

# Of two vectors, by the first; the second has the same with both exchanged.
for name, u in (
    ("euclidean",        "ratio(g, y) * (u - v)"),
    ("sqeuclidean",      "g * 2 * (u - v)"),
    ("cityblock",        "g * np.sign(u - v)"),
    ("chebyshev",        "g * vector_norm_slope(u - v, y, math.inf)"),
    ("minkowski, p=2",   "g * vector_norm_slope(u - v, y, p)"),
    ("cosine",           "g * ((1 - y) * u / (u @ u) - v / np.sqrt((u @ u) * (v @ v)))"),
    ("correlation, centered=[True]",
                         "g * ((1 - y) * (u - np.mean(u)) / (u.size * np.var(u)) - (v - np.mean(v)) / (u.size * np.std(u) * np.std(v)))"),
    ("braycurtis",       "g * (np.sign(u - v) - y * np.sign(u + v)) / np.sum(np.abs(u + v))"),
    ("canberra",         "g * ratio(np.sign(u - v) - np.sign(u) * ratio(np.abs(u - v), np.abs(u) + np.abs(v)), np.abs(u) + np.abs(v))"),
):
    name, _, more = name.partition(", ")
    structural(f"{D}.{name}(u, v, {more}{', ' * bool(more)}w=[None])", ranks=(1, 1), thin=True,  u=u, v=exchanged(u),
               u_dot=f"np.dot({by_one(u)}, u_dot)",  v_dot=f"np.dot({by_one(exchanged(u))}, v_dot)")

# The same where their elements have weights.
U_APART, V_APART = (f"({x} - np.dot({x}, w) / np.sum(w))" for x in "uv")
TOGETHER = f"{U_APART} * {V_APART} / np.sqrt(np.dot({U_APART} ** 2, w) * np.dot({V_APART} ** 2, w))"
for name, u, w in (
    ("euclidean",     "ratio(g, y) * w * (u - v)",  "ratio(g, 2 * y) * (u - v) ** 2"),
    ("sqeuclidean",   "g * 2 * w * (u - v)",        "g * (u - v) ** 2"),
    ("cityblock",     "g * w * np.sign(u - v)",     "g * np.abs(u - v)"),
    ("chebyshev",     "g * vector_norm_slope((w > 0) * (u - v), y, math.inf)",  "0"),
    ("minkowski, p=2",  "g * (w > 0 if p == np.inf else w) * vector_norm_slope((w > 0) * (u - v), y, p)",  "g * y * ratio(np.abs(u - v), y) ** p / p"),
    ("cosine",        "g * w * ((1 - y) * u / np.dot(u * u, w) - v / np.sqrt(np.dot(u * u, w) * np.dot(v * v, w)))",
                      "g * ((1 - y) / 2 * (u ** 2 / np.dot(u * u, w) + v ** 2 / np.dot(v * v, w)) - u * v / np.sqrt(np.dot(u * u, w) * np.dot(v * v, w)))"),
    ("correlation, centered=[True]",
     f"g * w * ((1 - y) * {U_APART} / np.dot({U_APART} ** 2, w) - {V_APART} / np.sqrt(np.dot({U_APART} ** 2, w) * np.dot({V_APART} ** 2, w)))",
     f"g * ((1 - y) / 2 * ({U_APART} ** 2 / np.dot({U_APART} ** 2, w) + {V_APART} ** 2 / np.dot({V_APART} ** 2, w)) - {TOGETHER})"),
    ("braycurtis",    "g * w * (np.sign(u - v) - y * np.sign(u + v)) / np.dot(np.abs(u + v), w)",
                      "g * (np.abs(u - v) - y * np.abs(u + v)) / np.dot(np.abs(u + v), w)"),
    ("canberra",      "g * w * ratio(np.sign(u - v) - np.sign(u) * ratio(np.abs(u - v), np.abs(u) + np.abs(v)), np.abs(u) + np.abs(v))",
                      "g * ratio(np.abs(u - v), np.abs(u) + np.abs(v))"),
):
    name, _, more = name.partition(", ")
    slopes = {"u": u, "v": exchanged(u), "w": w}
    by_tangent = {f"{x}_dot": f"np.dot({by_one(text)}, {x}_dot)" for x, text in slopes.items() if text != "0"}
    structural(f"{D}.{name}(u, v, {more}{', ' * bool(more)}w=w)", ranks={"u": 1, "v": 1, "w": 1}, thin=True,  **slopes, **by_tangent)
structural (f"{D}.mahalanobis(u, v, m)", ranks=(1, 1, 2), thin=True,
            u="ratio(g, y) * ((u - v) @ (m + m.T)) / 2",  v="-ratio(g, y) * ((u - v) @ (m + m.T)) / 2",  m="ratio(g, 2 * y) * np.outer(u - v, u - v)",
            u_dot="ratio(np.dot((u - v) @ (m + m.T), u_dot), 2 * y)",  v_dot="-ratio(np.dot((u - v) @ (m + m.T), v_dot), 2 * y)",
            m_dot="ratio((u - v) @ m_dot @ (u - v), 2 * y)")

# Of p = 2, the distance of Euclid, and of others.
structural ("scipy.spatial.minkowski_distance(x, z, p=[2])",  x="unbroadcast(np.expand_dims(ratio(g, y), -1) * (x - z), x)",  z="-unbroadcast(np.expand_dims(ratio(g, y), -1) * (x - z), z)",
            x_dot="ratio(np.sum((x - z) * x_dot, axis=-1), y)",  z_dot="-ratio(np.sum((x - z) * z_dot, axis=-1), y)")
structural ("scipy.spatial.minkowski_distance_p(x, z, p=[2])",  x="unbroadcast(2 * np.expand_dims(g, -1) * (x - z), x)",  z="-unbroadcast(2 * np.expand_dims(g, -1) * (x - z), z)",
            x_dot="2 * np.sum((x - z) * x_dot, axis=-1)",  z_dot="-2 * np.sum((x - z) * z_dot, axis=-1)")
# fmt: on
_QUESTIONS = "is_valid_dm is_valid_y num_obs_dm num_obs_y"
constant(*(f"scipy.spatial.distance.{name}" for name in _QUESTIONS.split()))
