"""scipy.stats.multivariate_t: its density and the logarithm of that, of one point and of several.

Of the matrix it reads the lower triangle, as the normal distribution does.
"""

from __future__ import annotations

from tangentish.rules.laws import structural

INVERSE = "np.linalg.inv(mirrored(shape))"


def moved_by_df(size: str, far: str, pull: str) -> str:
    """How the logarithm moves with the degrees of freedom, at points that are `far` from the location."""
    return (
        f"(scipy.special.digamma((df + {size}) / 2) - scipy.special.digamma(df / 2) - {size} / df"
        f" - np.log1p({far} / df) + {pull} * {far} / df) / 2"
    )


# fmt: off
SOLVED = "np.linalg.solve(mirrored(shape), x - loc)"
FAR = f"np.dot(x - loc, {SOLVED})"
PULL = f"((df + len(x)) / (df + {FAR}))"
BY_SHAPE = f"to_lower({PULL} * np.outer({SOLVED}, {SOLVED}) - {INVERSE}) / 2"
BY_DF = moved_by_df("len(x)", FAR, PULL)

ROWS = "np.linalg.solve(mirrored(shape), (x - loc).T)"
ALL_FAR = f"np.sum((x - loc).T * {ROWS}, axis=0)"
PULLS = f"((df + x.shape[1]) / (df + {ALL_FAR}))"
MOVED = f"({PULLS} * np.sum({ROWS} * (mirrored(shape_dot) @ {ROWS}), axis=0) - np.sum({INVERSE} * mirrored(shape_dot))) / 2"
ALL_BY_DF = moved_by_df("x.shape[1]", ALL_FAR, PULLS)
for kind, g, y in (("logpdf", "g", ""), ("pdf", "(g * y)", " * y")):
    row = f"scipy.stats.multivariate_t.{kind}(x, loc, shape, df=1)"
    structural(row, ranks={"x": 1, "loc": 1, "shape": 2, "df": 0},
               x=f"-{g} * {PULL} * {SOLVED}",  loc=f"{g} * {PULL} * {SOLVED}",  shape=f"{g} * {BY_SHAPE}",  df=f"{g} * {BY_DF}",
               x_dot=f"-np.dot({SOLVED}, x_dot) * {PULL}{y}",  loc_dot=f"np.dot({SOLVED}, loc_dot) * {PULL}{y}",
               shape_dot=f"np.sum({BY_SHAPE} * shape_dot){y}",  df_dot=f"{BY_DF} * df_dot{y}")
    each = f"np.ravel({g})"  # of one row it gives a number
    structural(row, ranks={"x": 2, "loc": 1, "shape": 2, "df": 0},
               x=f"-({each} * {PULLS} * {ROWS}).T",  loc=f"{ROWS} @ ({each} * {PULLS})",
               shape=f"to_lower(({each} * {PULLS} * {ROWS}) @ {ROWS}.T - np.sum({g}) * {INVERSE}) / 2",  df=f"np.dot({each}, {ALL_BY_DF})",
               x_dot=f"np.reshape(-{PULLS} * np.sum({ROWS} * x_dot.T, axis=0), np.shape(y)){y}",
               loc_dot=f"np.reshape({PULLS} * (loc_dot @ {ROWS}), np.shape(y)){y}",
               shape_dot=f"np.reshape({MOVED}, np.shape(y)){y}",  df_dot=f"np.reshape({ALL_BY_DF} * df_dot, np.shape(y)){y}")
# fmt: on
