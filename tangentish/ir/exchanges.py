"""What changes places in a list, as a method that only statements know: nothing is put in, nothing is lost.

xs[i], xs[j] = xs[j], xs[i]
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish.ir.expressions import Expr, duplicate

EXCHANGE = ".exchange"  # nobody can write a method of this name


def exchange(xs: Expr, i: Expr, j: Expr) -> Expr:
    """The call by which the elements of a list at `i` and at `j` change places."""
    return gast.Call(gast.Attribute(xs, EXCHANGE, gast.Load()), [i, j], [])


def exchanged_places(call: Any) -> tuple[Expr, Expr] | None:
    """The two places that such a call stands for, as they read in a line; None for any other expression."""
    match call:
        case gast.Call(func=gast.Attribute(value=xs, attr=method), args=[i, j]) if (
            method == EXCHANGE
        ):
            return gast.Subscript(xs, i, gast.Load()), gast.Subscript(duplicate(xs), j, gast.Load())
    return None
