"""scipy.sparse.linalg: solutions of sparse systems, whose matrices carry no derivative."""

from __future__ import annotations

from tangentish.rules.laws import multilinear, shaped_like

multilinear("scipy.sparse.linalg.spsolve(a, b)", b="scipy.sparse.linalg.spsolve(a.T, g)")
shaped_like(1, "scipy.sparse.linalg.spsolve")
