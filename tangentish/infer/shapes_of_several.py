"""The shape of several arrays together, of what `np.broadcast` gives: its items are not run over then.

np.broadcast(x, *others).shape    ->    np.broadcast_shapes(np.shape(x), np.shape(others[0]))
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentish.infer.spreading import Spreading
from tangentish.ir.quote import quote
from tangentish.kinds import Kind
from tangentish.language.placed import all_at
from tangentish.language.written_out import written_out


class ShapesOfSeveral(Spreading):
    """The part of the walk that asks for it."""

    def shape_of_several(self, node: Any) -> Kind | None:
        """The kind of `np.broadcast(...).shape`; None of all else."""
        match node:
            case gast.Attribute(
                value=gast.Call(func=func, args=args, keywords=[]), attr="shape"
            ) if self.called(func)[0] is np.broadcast:
                parts = self.spread(args)
            case _:
                return None
        if not parts or not any(kind.active for kind in list(map(self.expression, parts))):
            return None

        def made() -> Any:
            shapes = [quote("np.shape({x})", x=written_out(part)) for part in parts]
            whole = quote("np.broadcast_shapes()")
            return all_at(gast.Call(whole.func, shapes, []), node)

        return self.answered_by(node, made)
