"""Of a complex gradient the real part counts for a real value, also where that stands among complex ones: [m, 1j].

m = abs(w); A = np.array([[m, 1j], [2.0, m]])    ->    dm = dA[0, 0].real + dA[1, 1].real
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from tangentish.adjoint.fitting import Fitting
from tangentish.algebra.real_parts import real_part
from tangentish.ir.quote import quote
from tangentish.kinds import Num, Seq, Tup, has_complex, is_unknown, replace


@dataclass
class RealGradients(Fitting):
    """What is passed on of gradients that may be complex."""

    def real_part(self, g: Any, node: Any) -> Any:
        """Of a complex gradient what counts for a real value."""
        kind = self.kind(node)
        if not (self.complex_numbers and isinstance(kind, Num)) or kind.is_complex:
            return g
        mine = self.number(g)
        if mine.dtype is not None and not mine.is_complex:
            return g
        if kind.dtype is None:
            return self.with_kind(
                quote("real_like({g}, {x})", g=g, x=self.available(node)), replace(mine, dtype=None)
            )
        dtype = None if mine.dtype is None else np.empty(0, mine.dtype).real.dtype
        return self.with_kind(real_part(g, self.kind), replace(mine, dtype=dtype))

    def may_be_complex(self, g: Any) -> bool:
        """Whether the gradient of a display of numbers may be complex: of [m, 1j] it is, though m is real."""
        while isinstance(g, gast.Subscript) and is_unknown(self.kind(g)):
            g = g.value
        match self.kind(g):
            case Num(dtype=dtype):
                return self.complex_numbers and (dtype is None or dtype.kind == "c")
            case Seq() | Tup() as kind:
                return self.complex_numbers and has_complex(kind)
        return False
