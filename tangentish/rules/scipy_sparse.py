"""scipy.sparse: whether a matrix is sparse. Sparse ones carry no derivative."""

from __future__ import annotations

from tangentish.rules.laws import constant

constant("scipy.sparse.issparse", "scipy.sparse.isspmatrix")
constant(
    *(
        f"scipy.sparse.isspmatrix_{form}"
        for form in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")
    )
)
