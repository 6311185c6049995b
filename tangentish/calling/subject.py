"""What is differentiated: a function, or a gradient of one.

A gradient is differentiated by way of slopes: v * grad f summed up is the slope of f along v, so that the pullback of
the gradient is the gradient of a slope, and so is its tangent. No generated gradient has to be differentiated itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import numpy as np

from tangentish.asking.asked import Asked, Mode
from tangentish.asking.sharing import arrays_in
from tangentish.asking.wrt import Wrt, float_positions, resolve
from tangentish.calling.containers import mapped
from tangentish.calling.dispatch import Derivative, derivative
from tangentish.calling.outputs import Pullback
from tangentish.calling.reference import reference
from tangentish.language.binding import parameter_names

Pull = Callable[[Any], tuple[Any, ...]]


@dataclass(frozen=True)
class Subject:
    """A function of the user's; with `inner`, the gradient of it that is meant.

    skipped: how many leading parameters (self, cls) indices do not count.
    """

    function: FunctionType
    skipped: int = 0
    inner: Asked | None = None
    training: bool = True  # what is_training() says while a derivative is taken

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (reference(self.function), self.skipped, self.inner, self.training)

    @property
    def title(self) -> str:
        """What it is called in messages."""
        name = self.function.__qualname__
        return name if self.inner is None else f"{name}.{self.inner.title}"

    def resolve(self, wrt: Wrt) -> tuple[tuple[int, ...], bool]:
        return resolve(self.function, wrt, self.skipped)

    def derivative(
        self,
        wrt: Wrt,
        mode: Mode,
        has_aux: bool = False,
        compile: str | None = None,  # noqa: A002
    ) -> Derivative[..., Any]:
        """The gradient, with or without the value."""
        positions, single = resolve(self.function, wrt, self.skipped, local=self.inner is None)
        asked = Asked(mode, positions, single, has_aux, training=self.training, compile=compile)
        if self.inner is not None:
            if mode != "grad" or has_aux:
                raise TypeError(
                    f"{mode} of a gradient is not supported: call {self.title} and its gradient"
                )
            asked = replace(self.inner.gradient_of(positions, single), compile=compile)
        return derivative(self.function, asked, self.skipped)

    def gradient(self, wrt: Wrt) -> Subject:
        """The gradient as what is differentiated."""
        return replace(self, inner=self.derivative(wrt, "grad").asked)

    # -- both modes, at one point

    def linearised(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], wrt: tuple[int, ...] = ()
    ) -> tuple[Any, Pull]:
        """(value, pullback); the pullback has None where there is no gradient.

        wrt: the parameters that gradients are wanted of, all that carry a derivative if empty.
        """
        if self.inner is None:
            asked = Asked("vjp", wrt, training=self.training)
            return derivative(self.function, asked, self.skipped)(*args, **kwargs)  # type: ignore[no-any-return]
        first = derivative(self.function, self.inner, self.skipped)
        values = first.values(*args, **kwargs)
        value = first(*args, **kwargs)
        positions = wrt or float_positions(self.function, values)
        slope = self._slope(self.inner.wrt, positions, False, "grad_vjp")
        count = len(parameter_names(self.function))

        def pull(v: Any) -> tuple[Any, ...]:
            gradients = slope.along(args, apart((v,), (*args, *kwargs.values())), kwargs)
            found = dict(zip(positions, gradients, strict=True))
            return tuple(found.get(k) for k in range(count))

        return value, Pullback(self.title, value, pull, self.skipped)

    def moves_state(self, args: tuple[Any, ...], kwargs: Mapping[str, Any], asked: Asked) -> bool:
        """Whether the function may give something else when it is called again: it draws, or counts.

        asked: what is derived of it anyway.
        """
        asked = replace(self.inner or asked, training=self.training)
        return derivative(self.function, asked, self.skipped).derived(*args, **kwargs).moves_state

    def evaluate(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], k: int, still: Any
    ) -> None:
        """Evaluate the function once; `still` is a tangent of the k-th parameter."""
        if self.inner is None:
            self.moved(args, (k,), (still,), kwargs)
        else:
            derivative(self.function, self.inner, self.skipped)(*args, **kwargs)

    def moved(
        self,
        args: tuple[Any, ...],
        moving: tuple[int, ...],
        tangents: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> tuple[Any, Any]:
        """(value, tangent) where the parameters at the positions `moving` move along the tangents."""
        tangents = apart(tangents, (*args, *kwargs.values()))
        if self.inner is None:
            asked = Asked("jvp", moving, training=self.training)
            return derivative(self.function, asked).along(args, tangents, kwargs)  # type: ignore[no-any-return]
        value = derivative(self.function, self.inner, self.skipped)(*args, **kwargs)
        slope = self._slope(moving, self.inner.wrt, self.inner.single, "grad_jvp")
        return value, slope.along(args, tangents, kwargs)

    def forward_source(self, *args: Any, **kwargs: Any) -> str:
        """The source of forward mode for these arguments, where all that can move do."""
        values = derivative(
            self.function, Asked("vjp", training=self.training), self.skipped
        ).values(*args, **kwargs)
        moving = float_positions(self.function, values)
        if self.inner is None:
            return derivative(self.function, Asked("jvp", moving, training=self.training)).source(
                *args, **kwargs
            )
        return self._slope(moving, self.inner.wrt, self.inner.single, "grad_jvp").source(
            *args, **kwargs
        )

    def curved(self, positions: tuple[int, ...], single: bool) -> Derivative[..., Any]:
        """The gradient of the slope along tangents of these parameters: the Hessian times these."""
        if self.inner is None:
            asked = Asked(
                "grad", positions, single, along=(positions,), given=True, name="hvp",
                training=self.training,
            )  # fmt: skip
            return derivative(self.function, asked, self.skipped)
        chained = self.inner.gradient_of(positions, single)
        asked = chained.moved(positions, positions, single, "hvp")
        return derivative(self.function, asked, self.skipped)

    def _slope(
        self, moving: tuple[int, ...], wrt: tuple[int, ...], single: bool, name: str
    ) -> Derivative[..., Any]:
        assert self.inner is not None
        return derivative(self.function, self.inner.moved(moving, wrt, single, name), self.skipped)


def _restored(function: Any, skipped: int, inner: Asked | None, training: bool) -> Subject:
    """Unpickle; `function` may come as what now bears its name: the decorated function."""
    return Subject(getattr(function, "__wrapped__", function), skipped, inner, training)


def apart(tangents: Sequence[Any], args: Iterable[Any]) -> tuple[Any, ...]:
    """The tangents, arrays copied that may share memory with arguments or with each other."""
    known = [array for arg in args for array in arrays_in(arg)]

    def own(leaf: Any) -> Any:
        if not isinstance(leaf, np.ndarray):
            return leaf
        if any(np.may_share_memory(leaf, array) for array in known):
            return leaf.copy()
        known.append(leaf)
        return leaf

    return tuple(mapped(tangent, own) for tangent in tangents)
