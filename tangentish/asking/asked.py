"""What is asked for: which derivative of a function, with respect to what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tangentish.asking.into import Filling
from tangentish.text.noting import Noting

Mode = Literal["grad", "value_and_grad", "vjp", "jvp", "tangent"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A derivative of a function, or of its slope along tangents of some parameters, of the slope of that, ...

    A gradient's derivatives are gradients of slopes: the sum of v * grad f is the slope of f along v.
    """

    mode: Mode
    wrt: tuple[int, ...] = ()
    single: bool = False  # one gradient, not a tuple of them
    has_aux: bool = False
    along: tuple[tuple[int, ...], ...] = ()  # for each slope the parameters that move
    given: bool = False  # the tangents of the last slope are given; all others are ones
    training: bool = True  # what is_training() says meanwhile
    filling: Filling | None = None  # gradients go into arrays that are given
    noting: Noting | None = None  # every value and gradient is noted
    name: str | None = None  # what the generated function is called after the user's
    device: bool = False  # the arrays are on a device
    head: bool = False  # whoever calls the generated function may give the head gradient
    compile: str | None = None  # what compiles it: "numba"

    @property
    def title(self) -> str:
        """How the derivative is called: `grad.grad`."""
        slopes = len(self.along) - self.given
        last = (self.filling,) if self.filling else ()
        return ".".join([*("grad",) * slopes, self.name or self.mode, *last])

    @property
    def is_plain_gradient(self) -> bool:
        """Whether it is a gradient with respect to one parameter and nothing more, as `grad(f)` is."""
        more = self.has_aux or self.given or self.filling
        return self.mode == "grad" and self.single and not more

    def gradient_of(self, wrt: tuple[int, ...], single: bool) -> Asked:
        """The gradient of this gradient."""
        return replace(self, wrt=wrt, single=single, along=(*self.along, self.wrt))

    def moved(
        self, moving: tuple[int, ...], wrt: tuple[int, ...], single: bool, name: str
    ) -> Asked:
        """The gradient of this one's slope along tangents that are given."""
        return replace(
            self, wrt=wrt, single=single, along=(*self.along, moving), given=True, name=name
        )
