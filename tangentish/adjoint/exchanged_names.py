"""Back through a line in which names change places: their gradients do so, too, each array with its owner.

prev, cur, new = cur, new, prev      ->      dcur, dnew, dprev = dprev, dcur, dnew
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.gradients import Grad, gradient_of
from tangentish.adjoint.reverse_lists import ReverseLists
from tangentish.ir.origins import NOWHERE
from tangentish.kinds import Num
from tangentish.kinds.lengths import same_shape


@dataclass
class ExchangedNames(ReverseLists):
    """The part of the walk back that knows them."""

    def exchange_gradients(self, targets: Sequence[Any], value: Any) -> bool:
        """Whether a line was taken back that only exchanges names of arrays of one kind."""
        if not (isinstance(value, gast.Tuple) and self.is_exchange(targets, value.elts)):
            return False
        given = {v.id: t.id for t, v in zip(targets, value.elts, strict=True)}
        new = {name: self.state[target] for name, target in given.items()}
        old = [self.gradient(target) for target in given.values()]
        self.state |= new
        names = [ir.name(gradient_of(name)) for name in given]
        self.facts.web_kinds |= {gradient_of(name): grad.kind for name, grad in new.items()}
        line = ir.Assign(
            gast.Tuple(names, gast.Store()), gast.Tuple(old, gast.Load()), origin=NOWHERE
        )
        self.emit(line)
        return True

    def keeps_gradient(self, name: str, grad: Grad) -> bool:
        """Whether all that is pending is the gradient that a name had, for that name."""
        match self.pending:
            case [(value, None, gast.Name(id=e) as g)] if value == name and e == gradient_of(name):
                stays = not (self.is_list(name) or grad.guards or self.guards_of(g))
            case _:
                return False
        if stays:
            self.pending.clear()
            self.state[name] = grad
        return stays

    def is_exchange(self, targets: Sequence[Any], values: Sequence[Any]) -> bool:
        parts = (*targets, *values)
        if not all(isinstance(part, gast.Name) for part in parts):
            return False
        names = [t.id for t in targets]
        if len(set(names)) < len(names) or sorted(names) != sorted(v.id for v in values):
            return False
        grads = [self.state.get(name) for name in names]
        whole = all(grad is not None and grad.owned and not grad.guards for grad in grads)
        kinds = [*map(self.kind, parts), *(grad.kind for grad in grads if grad is not None)]
        return whole and all(_are_alike(kind, kinds[0]) for kind in kinds)


def _are_alike(one: Any, other: Any) -> bool:
    """Whether both are arrays of one shape and type that carry a derivative."""
    return (
        isinstance(one, Num)
        and isinstance(other, Num)
        and one.active
        and one.array is other.array is True
        and one.dtype == other.dtype
        and same_shape(one.shape, other.shape)
    )
