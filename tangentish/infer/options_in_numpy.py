"""Options of NumPy's functions that other functions of its say as well.

np.hypot.outer(x, z)                   ->  np.hypot(x[..., None], z)
np.cross(x, z, axisa=0)                ->  np.cross(np.moveaxis(x, 0, -1), z)
np.matmul(x, z, axes=[...])            ->  np.matmul(np.moveaxis(x, ...), np.moveaxis(z, ...))
np.linspace(a, b, n, retstep=True)     ->  (np.linspace(a, b, n), (b - a) / steps_between(n))
np.asarray(x, copy=True)               ->  np.array(x)
x.reshape(2, 3, copy=True)             ->  np.copy(x.reshape(2, 3))
np.array(x, copy=False, ndmin=1)       ->  np.atleast_1d(np.array(x, copy=False))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.axes_of_products import AXES_OF_PRODUCTS, along_axes_of_their_own
from tangentish.infer.flat_arrays import FlatArrays
from tangentish.infer.known_functions import has_rule
from tangentish.infer.literals import literal_of
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Num

_AXES_OF_CROSS = ("axisa", "axisb", "axisc", "axis")
_AT_LEAST = {1: "np.atleast_1d({x})", 2: "np.atleast_2d({x})"}
_SPACED = ("start", "stop", "num", "endpoint", "retstep")


class OptionsInNumpy(FlatArrays):
    """The part of the walk that writes such options out."""

    def without_options(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of the call that says the same without its options; None for all other calls."""
        if function is np.cross:
            made = self.along_last_axes(args, keywords)
        elif function is np.linspace:
            made = _with_step(args, keywords)
        elif function in (np.asarray, np.asanyarray) and list(keywords) == ["copy"]:
            made = self.copied_by_option(args, keywords["copy"])
        elif function is np.reshape and "copy" in keywords:
            made = _copied_in_shape(keywords["copy"], node)
        elif function is np.array and "ndmin" in keywords:
            made = self.with_axes_before(args, keywords, node)
        elif _is_outer(function) and len(args) == 2 and not keywords:
            made = self.by_broadcasting(args, node)
        else:
            made = None
        return None if made is None else self.answered_by(node, lambda: made)

    def along_own_axes(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of a product whose rows and columns stand along other axes; None for all other calls."""
        if list(keywords) != ["axes"] or function not in AXES_OF_PRODUCTS:
            return None
        if not self.facts.varies(*args):
            return None
        made = along_axes_of_their_own(function, args, keywords["axes"], node, self.rank)
        return None if made is None else self.answered_by(node, lambda: made)

    def copied_by_option(self, args: Sequence[Any], copy: Any) -> Any | None:
        """np.asarray(x, dtype, copy=True), where nothing else is asked for."""
        if literal_of(copy) is not True or not isinstance(self.kind(args[0]), Num) or len(args) > 2:
            return None
        made = quote("np.array({x})", x=args[0])
        made.args += args[1:]
        return made

    def with_axes_before(
        self, args: Sequence[Any], keywords: dict[str, Any], node: Any
    ) -> Any | None:
        """np.array(x, ndmin=n) of a list, or where it is not copied: for a copy of an array there is a row."""
        axes = literal_of(keywords["ndmin"])
        form = _AT_LEAST.get(axes) if isinstance(axes, int) else None
        copied = literal_of(keywords.get("copy", constant(True))) is True
        if form is None or (copied and not self.is_sequence(args[0])):
            return None
        others = [k for k in node.keywords if k.arg != "ndmin"]
        return quote(form, x=gast.Call(node.func, node.args, others))

    def by_broadcasting(self, args: Sequence[Any], node: Any) -> Any | None:
        """`f.outer(x, z)`, where it is known how many axes z has."""
        x, z = args
        rank = self.rank(z)
        if rank is None or self.rank(x) is None or not isinstance(node.func, gast.Attribute):
            return None
        if rank and self.rank(x):
            places = [constant(Ellipsis), *(constant(None) for _ in range(rank))]
            x = gast.Subscript(x, gast.Tuple(places, gast.Load()), gast.Load())
        return gast.Call(ir.duplicate(node.func.value), [x, z], [])

    def along_last_axes(self, args: Sequence[Any], keywords: dict[str, Any]) -> Any | None:
        """np.cross with an axis for each of its operands and for the result."""
        given = {**dict(zip(_AXES_OF_CROSS, args[2:], strict=False)), **keywords}
        common = literal_of(given.pop("axis", constant(None)))
        axes = [literal_of(given.get(name, constant(-1))) for name in _AXES_OF_CROSS[:3]]
        if not 2 <= len(args) <= 6 or not given or not set(given) <= set(_AXES_OF_CROSS):
            return None
        if common is not None:  # counts before the others
            axes = [common] * 3
        if not all(isinstance(axis, int) for axis in axes):
            return None
        if len(set(axes)) == 1:
            return quote(
                "np.cross({x}, {z}, axis={axis})", x=args[0], z=args[1], axis=constant(axes[0])
            )
        x, z = (_moved(x, axis, -1) for x, axis in zip(args[:2], axes[:2], strict=True))
        if axes[2] == -1:
            return quote("np.cross({x}, {z})", x=x, z=z)
        # Of vectors in the plane it would be numbers, which have no such axis: these raise.
        return _moved(quote("np.linalg.cross({x}, {z})", x=x, z=z), -1, axes[2])


def _copied_in_shape(copy: Any, node: Any) -> Any | None:
    """np.reshape(x, shape, copy=True): a view, as without the option, of which there is a copy."""
    if literal_of(copy) is not True:
        return None
    others = [k for k in node.keywords if k.arg != "copy"]
    return quote("np.copy({x})", x=gast.Call(node.func, node.args, others))


def _moved(x: Any, source: Any, destination: Any) -> Any:
    if source == destination:
        return x
    return quote(
        "np.moveaxis({x}, {source}, {destination})",
        x=x,
        source=constant(source),
        destination=constant(destination),
    )


def _with_step(args: Sequence[Any], keywords: dict[str, Any]) -> Any | None:
    """np.linspace and the step between its places: all is read twice, so that nothing may be called there."""
    given = {**dict(zip(_SPACED, args, strict=False)), **keywords}
    endpoint = literal_of(given.pop("endpoint", constant(True)))
    if literal_of(given.pop("retstep", constant(False))) is not True or not isinstance(
        endpoint, bool
    ):
        return None
    given.setdefault("num", constant(50))
    parts = [part for value in given.values() for part in ir.walk(value)]
    simple = not any(isinstance(part, gast.Call) for part in parts)
    if not simple or set(given) != {"start", "stop", "num"}:
        return None
    option, more = ("", 1) if endpoint else (", endpoint=False", 0)
    return quote(
        f"(np.linspace({{start}}, {{stop}}, {{num}}{option}), ({{stop}} - {{start}}) / {{steps}})",
        steps=_steps(given["num"], more),
        **given,
    )


def _steps(num: Any, more: int) -> Any:
    """How many steps there are between so many places, of which there is one more, or none."""
    count = literal_of(num)
    if isinstance(count, int) and count > more:
        return constant(count - more)
    return quote("steps_between({n})" if more else "steps_between({n} + 1)", n=num)


def _is_outer(function: Any) -> bool:
    """Whether this is `np.hypot.outer`, of a function for which there is no rule of its own."""
    ufunc = getattr(function, "__self__", None)
    return isinstance(ufunc, np.ufunc) and function.__name__ == "outer" and not has_rule(function)
