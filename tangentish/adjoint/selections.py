"""What np.where leaves out receives nothing: products that could be infinite or nan there are masked.

y = np.where(x > 0, np.log(x), 0)    ->    dx = np.where(mask, dy / x, 0)    not    np.where(mask, dy, 0) / x
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from tangentish import ir
from tangentish.adjoint.real_gradients import RealGradients
from tangentish.ir.quote import quote
from tangentish.kinds import Num, replace
from tangentish.kinds.lengths import same_shape


@dataclass(frozen=True, slots=True)
class Guard:
    """Where a gradient counts: where a test holds, or (taken is False) where it does not.

    done: the gradient is zero elsewhere already.
    gaps: elsewhere there may be nan in anything; else only where something divides, or has a pole.
    """

    test: Any
    taken: bool
    done: bool
    gaps: bool = True


_AS_IT_IS = nullcontext()


@dataclass
class Selections(RealGradients):
    """The guards of the gradient that is being passed on."""

    guards: tuple[Guard, ...] = ()
    guarded: dict[Any, tuple[Guard, ...]] = field(default_factory=dict)  # by gradient
    lasting: set[str] = field(default_factory=set)  # masks of the adjoint, made of what lasts
    clipped: frozenset[Any] = frozenset()  # calls that clip what a root is taken of
    masks: frozenset[Any] = frozenset()  # numbers that are nothing but 0 and 1

    def under(self, guards: tuple[Guard, ...]) -> AbstractContextManager[None]:
        """What is passed on meanwhile counts only where the guards say so."""
        return _AS_IT_IS if guards == self.guards else self.changed_to(guards)

    @contextmanager
    def changed_to(self, guards: tuple[Guard, ...]) -> Iterator[None]:
        outer, self.guards = self.guards, guards
        yield
        self.guards = outer

    def guard(self, test: Any, taken: bool) -> Guard:
        kind = self.number(test)
        base = "mask" if kind.array else "test"
        known = test if self.is_cheap(test) else self.hoist(test, base)
        return Guard(known, taken, done=False)

    def selected(self, g: Any) -> Any:
        """The gradient, zero where it does not count."""
        for guard in reversed(self.guards):
            if not guard.done:
                g = self.masked(g, guard)
        if self.guards:
            self.guarded[g] = tuple(replace(guard, done=True) for guard in self.guards)
        return g

    def masked(self, g: Any, guard: Guard) -> Any:
        if self.number(guard.test).is_scalar and self.number(g).is_scalar:
            text = "{g} if {c} else 0.0" if guard.taken else "0.0 if {c} else {g}"
        else:
            text = "np.where({c}, {g}, 0)" if guard.taken else "np.where({c}, 0, {g})"
        return quote(text, c=guard.test, g=g)

    def guards_of_product(self, bounded: bool) -> tuple[Guard, ...]:
        """The guards of a gradient that was multiplied by what may be infinite where it is zero."""
        return tuple(
            guard if bounded and not guard.gaps else replace(guard, done=False)
            for guard in self.guards
        )

    def guards_of(self, e: Any) -> tuple[Guard, ...]:
        """Where a gradient counts, if that can still be told wherever the adjoint comes to."""
        guards = self.guarded.get(e, ())
        names = {n for guard in guards for n in ir.names_in(guard.test)}
        return guards if all(map(self.lasts, names)) else ()

    def guards_of_both(self, guards: tuple[Guard, ...], e: Any) -> tuple[Guard, ...]:
        """Where a sum counts: where one gradient does, or another that is added to it."""
        if not guards:
            return ()
        others = {(ir.dump(guard.test), guard.taken) for guard in self.guards_of(e)}
        return tuple(guard for guard in guards if (ir.dump(guard.test), guard.taken) in others)

    def count_sum(self, total: Any, terms: Sequence[Any]) -> None:
        """A sum counts where one of its terms does."""
        guards = self.guarded.get(terms[0], ())
        for e in terms[1:]:
            guards = self.guards_of_both(guards, e)
        if guards:
            self.guarded[total] = guards

    def lasts(self, name: str) -> bool:
        """Whether a name that a test reads stands for the same wherever the adjoint comes to."""
        known = not ir.is_value(name) or name in self.made_from or name in self.lasting
        return known or self.saves.is_persistent(name) or self.saves.stays_in_block(name)

    def may_guard(self, operand: Any, result: Num) -> bool:
        """Whether what np.where selects from has the shape of what it gives."""
        kind = self.kind(operand)
        return isinstance(kind, Num) and kind.known and same_shape(kind.shape, result.shape)
