"""The two functions of a pullback, as one call that gives the value and the pullback."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tangentish.adjoint.result_forms import built, elements
from tangentish.recording.saved_objects import copied


@dataclass(frozen=True)
class Halves:
    """The two functions of a pullback.

    positions: of the parameters that the adjoint gives gradients of.
    count: of all parameters.
    several: the adjoint takes head gradients one by one.
    form: of a result that is a structure; None of one that is not.
    anew: each call of the adjoint needs copies of objects.
    """

    forward: Any
    adjoint: Any
    positions: tuple[int, ...]
    count: int
    several: bool
    form: Any = None
    anew: bool = False

    @property
    def plain(self) -> bool:
        return self.form is None and not self.anew

    def linearised(self, /, *args: Any, **keywords: Any) -> tuple[Any, Any]:
        """(value, pullback): the pullback works on what the forward pass saved, and changes none of it."""
        adjoint, form, anew, several = self.adjoint, self.form, self.anew, self.several
        positions, count = self.positions, self.count
        value, saved = self.forward(*args, **keywords)
        saved = copied(saved)
        value = value if form is None else built(form, iter(value))

        def pull(dy: Any) -> tuple[Any, ...]:
            dy = dy if form is None else elements(form, dy)
            mine = copied(saved) if anew else saved
            grads = adjoint(mine, *dy) if several else adjoint(mine, dy)
            if len(positions) == 1:
                grads = (grads,)
            out: list[Any] = [None] * count
            for position, grad in zip(positions, grads, strict=True):
                out[position] = grad
            return tuple(out)

        return value, pull
