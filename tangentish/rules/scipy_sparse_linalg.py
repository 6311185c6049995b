"""scipy.sparse.linalg: solutions of sparse systems, whose matrices carry no derivative."""

from __future__ import annotations

from tangentish.rules.laws import multilinear, shaped_like

multilinear(
    "scipy.sparse.linalg.spsolve(a, b)", ranks={"b": 1}, b="scipy.sparse.linalg.spsolve(a.T, g)"
)
multilinear(
    "scipy.sparse.linalg.spsolve(a, b)",
    b="np.reshape(scipy.sparse.linalg.spsolve(a.T, g), np.shape(b))",
)
shaped_like(1, "scipy.sparse.linalg.spsolve", columns=False)
