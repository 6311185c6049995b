"""Elements, or rows, drawn at random from an array that varies: by their places.

rng.choice(x, 3, p=p)          ->  x[rng.choice(len(x), 3, p=p)]
rng.permutation(x, axis=1)     ->  np.take(x, rng.permutation(x.shape[1]), axis=1)
rng.shuffle(x)                 ->  x[...] = x[rng.permutation(len(x))]

NumPy draws the same places for these; random.shuffle does not.
"""

from __future__ import annotations

import random
from typing import Any

import gast
import numpy as np

from tangentish.infer.facts import Callee
from tangentish.infer.in_place_calls import InPlaceCall
from tangentish.infer.known_functions import UnknownMethod
from tangentish.infer.literals import literal_of
from tangentish.infer.walk import Walk
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Num, Opaque, Seq


class DrawnElements(Walk):
    """The part of the walk that knows draws from what varies."""

    def picked(self, generator: Kind, name: str, node: Any) -> Kind | None:
        """What is drawn from differentiated values: `random.choice(x)` is `x[random.choice(range(len(x)))]`."""
        match node.args:
            case [gast.Name() as x, *others]:
                kind = self.kind(x)
            case _:
                return None
        named = {k.arg: k.value for k in node.keywords}
        axis = literal_of(named.pop("axis")) if "axis" in named else 0
        if self.facts.varies(*others, *named.values()) or type(axis) is not int:
            return None
        if name == "shuffle" and isinstance(kind, Num) and kind.array and not others:
            return self.shuffled(x, axis, generator, node)
        if not _is_picked_from(kind, generator, name, len(others)):
            return None

        def make() -> Any:
            keywords = [k for k in node.keywords if k.arg != "axis"]
            places = gast.Call(node.func, [_places(x, axis, generator), *node.args[1:]], keywords)
            return _at_places(x, axis, places)

        return self.answered_by(node, make)

    def shuffled(self, x: Any, axis: int, generator: Kind, node: Any) -> Kind | None:
        """`rng.shuffle(x)` of an array is `x[...] = x[rng.permutation(len(x))]`"""
        func = node.func
        if not isinstance(func, gast.Attribute) or generator == Opaque(random.Random):
            return None
        shuffle = UnknownMethod("shuffle")
        self.facts.callees[node] = Callee(shuffle, (x,), {})

        def in_place(call: InPlaceCall) -> None:
            permutation = gast.Attribute(func.value, "permutation", gast.Load())
            places = gast.Call(permutation, [_places(x, axis, generator)], [])
            call.store(x, None, _at_places(x, axis, call.here(places)))

        return self.in_place_call(in_place, shuffle, [x], {}, node)


def _is_picked_from(kind: Kind, generator: Kind, name: str, others: int) -> bool:
    """Whether what a generator draws from a value are elements of it, or rows."""
    if generator == Opaque(random.Random):
        return name == "choice" and isinstance(kind, (Num, Seq)) and _may_be_array(kind)
    if not (isinstance(kind, Num) and kind.array):
        return False
    any_rank = generator == Opaque(np.random.Generator) and bool(kind.rank)
    return (name == "permutation" and not others) or (
        name == "choice" and others < 4 and (kind.rank == 1 or any_rank)
    )


def _may_be_array(kind: Num | Seq) -> bool:
    return isinstance(kind, Seq) or bool(kind.array)


def _places(x: Any, axis: int, generator: Kind) -> Any:
    """What is drawn from instead: how many places there are."""
    if generator == Opaque(random.Random):
        return quote("range(len({x}))", x=x)
    return quote("{x}.shape[{k}]", x=x, k=constant(axis)) if axis else quote("len({x})", x=x)


def _at_places(x: Any, axis: int, places: Any) -> Any:
    if axis:
        return quote("np.take({x}, {places}, axis={k})", x=x, places=places, k=constant(axis))
    return gast.Subscript(x, places, gast.Load())
