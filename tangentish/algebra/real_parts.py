"""The real part of a complex gradient, as one writes it: all of it that counts for a real value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish.algebra.tidy import negated
from tangentish.ir.quote import constant, quote


def real_part(e: Any, kind: Callable[[Any], Any]) -> Any:
    """`d.real` of a name, `-d.imag` of `1j * d`, `np.real(d * w)` of longer expressions."""
    match e:
        case gast.Constant():
            return e
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return negated(real_part(operand, kind), kind)
        case (
            gast.BinOp(left=gast.Constant(value=complex(real=0.0, imag=n)), op=gast.Mult(), right=d)
            | gast.BinOp(
                left=d, op=gast.Mult(), right=gast.Constant(value=complex(real=0.0, imag=n))
            )
        ):
            d_imag = quote("{d}.imag" if _is_short(d) else "np.imag({d})", d=d)
            return _times(-n, d_imag, kind)
    return quote("{e}.real" if _is_short(e) else "np.real({e})", e=e)


def _is_short(e: Any) -> bool:
    return isinstance(e, (gast.Name, gast.Attribute, gast.Subscript))


def _times(n: float, e: Any, kind: Callable[[Any], Any]) -> Any:
    if abs(n) == 1:
        return negated(e, kind) if n < 0 else e
    return gast.BinOp(constant(n), gast.Mult(), e)
