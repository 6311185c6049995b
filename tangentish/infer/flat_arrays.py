"""`x.flat`, the elements of an array in C order, and `x[flag]`, as the views and places that they stand for.

np.sum(x.flat)       ->  np.sum(x.reshape(-1))
x.flat[::5] += v     ->  x.reshape(-1)[::5] += v
x.T.flat[i] = v      ->  x.T[np.unravel_index(i, np.shape(x.T))] = v, where reshape would be a copy
x.flat = v           ->  x[:] = laid_out(v, x.size), which repeats v, or cuts it off
x[t == 0] = v        ->  x[None][np.array([t == 0])] = v, where that is one bool
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.indices import entries_of, says_true_or_false
from tangentish.infer.overlapping_stores import ONE_BY_ONE, share_memory
from tangentish.infer.walk import Walk
from tangentish.ir.quote import constant, quote
from tangentish.kinds import REFUSED, Kind, Num
from tangentish.kinds.lengths import same_shape


class FlatArrays(Walk):
    """The part of the walk that follows `x.flat`."""

    def read_flat(self, node: Any) -> Kind:
        """The kind of `x.flat`, of an array that carries a derivative, where it is used up on the spot."""
        if node not in self.flat_used:
            self.refuse(
                "x.flat is followed only where it is used at once: write x.reshape(-1)", node
            )
            return REFUSED
        return self.answered_by(node, lambda: quote("{x}.reshape(-1)", x=node.value))

    def use_flat(self, node: Any) -> None:
        """Nothing keeps this value: where it is `x.flat`, it may be the view."""
        if isinstance(node, gast.Attribute) and node.attr == "flat":
            self.flat_used.add(node)

    def flat_item(self, node: Any) -> Kind | None:
        """`x.flat[i]`; slices are copies here, as all but numbers are."""
        match node:
            case gast.Subscript(
                value=gast.Attribute(value=x, attr="flat"), slice=key, ctx=gast.Load()
            ):
                kind = self.expression(x)
            case _:
                return None
        if not (isinstance(kind, Num) and kind.active):
            return None

        def make() -> Any:
            item = gast.Subscript(quote("{x}.reshape(-1)", x=x), key, gast.Load())
            return quote("{item}.copy()", item=item) if isinstance(key, gast.Slice) else item

        return self.answered_by(node, make)

    def answered_by(self, node: Any, make: Callable[[], Any]) -> Kind:
        """The kind of what takes the place of an expression from the next pass on."""
        made = self.made_once((node, "flat"), make, node)
        self.facts.answers[node] = made
        return self.expression(made)

    def stored_place(self, target: Any) -> Any:
        """Where a store goes: the target itself, unless it is of `x.flat`, which is all of `x.flat[:]`."""
        match target:
            case gast.Attribute(value=x, attr="flat"):
                kind, key = self.expression(x), gast.Slice(None, None, None)
            case gast.Subscript(value=gast.Attribute(value=x, attr="flat"), slice=key):
                kind = self.expression(x)
            case gast.Subscript():
                return self.stored_by_bool(target)
            case _:
                return target
        if not isinstance(kind, Num) or not kind.array:
            return target

        def make() -> Any:
            return gast.Subscript(*self.place_in(x, kind, key), gast.Store())

        made = self.made_once((target, kind.contiguous, kind.rank), make, target)
        self.facts.answers[target] = made
        return made

    def laid_out(self, target: Any, kind: Kind, value: Any) -> Kind:
        """The kind of what a store to `x.flat` lays down: an array of another size begins anew, or is cut off."""
        match target:
            case gast.Attribute(value=x, attr="flat"):
                whole = True
            case gast.Subscript(value=gast.Attribute(value=x, attr="flat")):
                whole = False
            case _:
                return kind
        place = self.stored_place(target)
        if place is target or not (isinstance(kind, Num) and kind.array and kind.rank != 0):
            return kind
        read = self.made_once((target, place), lambda: x if whole else _picked(place), target)
        there = self.expression(read)
        if not (isinstance(there, Num) and there.array):  # one element takes no array
            return kind
        if share_memory(self.expression(x), kind):
            self.refuse(ONE_BY_ONE, target)
        same = same_shape(kind.shape, there.shape)
        if same and kind.rank == 1:
            return kind
        text = "np.ravel({v})" if same else "laid_out({v}, {x}.size)"
        return self.answered_by(value, lambda: quote(text, v=ir.duplicate(value), x=read))

    def stored_by_bool(self, target: Any) -> Any:
        """`x[True]`, all of x, or `x[False]`, nothing"""
        self.facts.as_dicts.add(target.value)
        kind = self.expression(target.value)
        if not (isinstance(kind, Num) and kind.array):
            return target
        self.index(target.slice)
        entries = entries_of(target.slice, self.facts)
        if isinstance(target.slice, gast.Tuple) or not says_true_or_false(entries):
            return target
        made = self.made_once((target, "bool"), lambda: place_of_bool(target), target)
        self.facts.answers[target] = made
        return made

    def place_in(self, x: Any, kind: Num, key: Any) -> tuple[Any, Any]:
        """The array and the index that are `x.flat[key]`."""
        if kind.rank == 1:
            return x, key
        if kind.contiguous and kind.rank is not None:
            return quote("{x}.reshape(-1)", x=x), key
        places = quote("np.arange(np.size({x}))", x=x)
        picked = gast.Subscript(places, key, gast.Load())
        return x, quote("np.unravel_index({places}, np.shape({x}))", places=picked, x=x)


def _picked(place: Any) -> Any:
    """What has as many elements as are stored to, made from the place `y[...]` that stands for `x.flat[...]`."""
    match place.slice:
        case gast.Call(
            args=[picked, _]
        ):  # np.unravel_index(np.arange(np.size(x))[key], np.shape(x))
            return picked
    return gast.Subscript(place.value, place.slice, gast.Load())


def place_of_bool(node: Any) -> Any:
    """x[True]  ->  x[None][np.array([True])]"""
    mask = quote("np.array([{flag}])", flag=node.slice)
    rows = gast.copy_location(quote("{x}[None]", x=node.value), node)
    return gast.Subscript(rows, gast.copy_location(mask, node), node.ctx)


def in_an_array(node: Any) -> Any:
    """x[flag, None]  ->  np.asarray(x)[flag, None], where x is a number of NumPy's, which may be indexed so"""
    array = gast.copy_location(quote("np.asarray({x})", x=node.value), node)
    return gast.Subscript(array, node.slice, node.ctx)


def in_new_axes(node: Any, count: int) -> Any:
    """x[..., None]  ->  np.reshape(x, (1,)), where x is a number, which NumPy lets be indexed so"""
    ones = gast.Tuple([constant(1) for _ in range(count)], gast.Load())
    return gast.copy_location(quote("np.reshape({x}, {ones})", x=node.value, ones=ones), node)
