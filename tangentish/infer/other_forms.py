"""Calls that say in their own way what an expression says.

typing.cast(T, x)     ->  x
x.item(1, 2)          ->  float(x[1, 2])
issparse(x)           ->  False, of an array
np.ma.getmask(x)      ->  np.ma.nomask, of an array, which has none
np.emath.arcsin(z)    ->  np.arcsin(z), of complex numbers
np.atleast_1d(x, z)   ->  (np.atleast_1d(x), np.atleast_1d(z))
checked(t, w, None)   ->  (checked(t[0], w), None)
copy.copy(x)          ->  np.copy(x), and so on (copies.py)
next(iter(xs))        ->  xs[0]
np.block(xs)          ->  np.concatenate(xs, axis=-1), of a list that grew
np.einsum(m, [0, 1], x, [1])  ->  np.einsum("ab,b", m, x)
np.ndarray(shape, float)      ->  np.empty(shape, float)
"""

from __future__ import annotations

import string
import types
import typing
from collections.abc import Iterator, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.copies import COPYING, Copies
from tangentish.infer.options_in_numpy import OptionsInNumpy
from tangentish.infer.starting_again import NameFirst
from tangentish.ir.quote import constant, quote
from tangentish.kinds import REFUSED, Kind, Num, Seq, Tup, is_number
from tangentish.language.placed import all_at
from tangentish.runtime.own import checked

_AT_LEAST = (np.atleast_1d, np.atleast_2d, np.atleast_3d)
_NUMBERS = (int, type(...))
_DISPATCHED = type(np.emath.sqrt)
_ASKS_FOR_SPARSE = ("issparse", "isspmatrix")
_OF_MASKED: dict[Any, str] = {
    np.ma.getmask: "np.ma.nomask",
    np.ma.is_masked: "False",
    np.ma.isMaskedArray: "False",
    np.ma.getmaskarray: "np.zeros(np.shape({x}), dtype=bool)",
    np.ma.getdata: "np.asarray({x})",
}
"""What functions for masked arrays give of plain ones."""

_BY_SIGN = {
    getattr(np.emath, name): name
    for name in ("sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh")
}
"""Functions that give complex numbers where a real one has no real value: of complex ones, as NumPy's."""


class OtherForms(Copies, OptionsInNumpy):
    """The part of the walk that writes such calls in the other way."""

    def in_another_form(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of what takes the place of a call; None for all other calls."""
        kinds = list(map(self.kind, args))
        if not any(kind.active for kind in kinds):
            return None
        if function is np.einsum:
            is_text = not isinstance(kinds[0], (Num, Tup, Seq))
            return None if is_text else self.by_letters(node.args, node)
        found = self.without_options(function, args, keywords, node)
        return found if found or keywords else self.of_arguments(function, args, kinds, node)

    def of_arguments(
        self, function: Any, args: list[Any], kinds: Sequence[Kind], node: Any
    ) -> Kind | None:
        """The same for calls without keywords."""
        if function is typing.cast and len(args) == 2:
            return self.answered_by(node, lambda: args[1])
        if function is np.ndarray.item and len(args) > 1:
            return self.item_at(args[0], kinds[0], args[1:], node)
        if getattr(function, "__name__", "") in _ASKS_FOR_SPARSE and isinstance(kinds[0], Num):
            return self.answered_by(node, lambda: constant(False))
        known = (
            isinstance(function, (types.FunctionType, _DISPATCHED))
            and not self.device
            and len(args) == 1
        )
        form = _OF_MASKED.get(function) if known else None
        if form is not None and isinstance(kinds[0], Num):
            return self.answered_by(node, lambda: all_at(quote(form, x=args[0]), node))
        if known and function in _BY_SIGN and getattr(kinds[0], "is_complex", False):
            of_complex = f"np.{_BY_SIGN[function]}({{x}})"
            return self.answered_by(node, lambda: all_at(quote(of_complex, x=args[0]), node))
        if function is checked and len(args) > 1:
            return self.looked_at(args, node)
        if function in _AT_LEAST and len(args) > 1:
            return self.each_alone(args, node)
        if function in COPYING and len(args) == 1:
            return self.copied_by(function, args[0], node)
        if function is np.block:
            return self.side_by_side(args[0], kinds[0], node)
        return None

    def at_coordinates(self, args: list[Any], place: Kind, node: Any) -> Kind:
        """f((x, z)) of a table on a grid, where the coordinates are numbers, or arrays of places."""
        ranks = {getattr(item, "rank", None) for item in getattr(place, "items", ())}
        if not isinstance(args[1], gast.Tuple) or len(ranks) != 1 or None in ranks:
            self.refuse("write the place as an array: np.stack((x, z), axis=-1)", node)
            return REFUSED
        form = "{f}(np.array({p}))[0]" if ranks == {0} else "{f}(np.stack({p}, axis=-1))"
        return self.answered_by(node, lambda: all_at(quote(form, f=args[0], p=args[1]), node))

    def next_of_iterator(self, node: Any) -> Kind | None:
        """The kind of `next(iter(xs))`, of an array or a list that varies; None for all other calls."""
        match node:
            case gast.Call(
                func=gast.Name(id="next"),
                args=[gast.Call(func=gast.Name(id="iter"), args=[xs], keywords=[])],
                keywords=[],
            ) if all(self.source.where(name) == "builtin" for name in ("next", "iter")):
                named = self.env.kinds.get(getattr(xs, "id", ""), None)
                is_dict = isinstance(named, (Tup, Seq)) and not _is_list(named)
                kind = (
                    REFUSED if is_dict else self.expression(xs)
                )  # a dict is not looked at as a whole
            case _:
                return None
        known = (isinstance(kind, Num) and kind.rank) or (
            isinstance(kind, (Tup, Seq)) and _is_list(kind)
        )
        if not (kind.active and known):
            return None
        return self.answered_by(node, lambda: gast.Subscript(xs, constant(0), gast.Load()))

    def each_alone(self, args: list[Any], node: Any) -> Kind:
        """`np.atleast_1d(x, z)` is the tuple of what it gives of each."""

        def make() -> Any:
            calls = [gast.Call(node.func, [x], []) for x in args]
            return gast.Tuple(calls, gast.Load())

        return self.answered_by(node, make)

    def by_letters(self, args: Sequence[Any], node: Any) -> Kind:
        """`np.einsum` with a list of axes after each operand, and one for the result, by letters."""
        operands, result = args[: len(args) - 1 : 2], args[-1:] if len(args) % 2 else ()
        terms = [_letters(axes) for axes in (*args[1::2], *result)]
        if None in terms or ir.has_star(args):
            self.refuse(
                "np.einsum with lists of axes which are not written out as small numbers: write "
                "its subscripts as text",
                node,
            )
            return REFUSED
        inputs = ",".join(map(str, terms[: len(operands)]))
        subscripts = constant(f"{inputs}->{terms[-1]}" if result else inputs)
        return self.answered_by(
            node, lambda: gast.Call(node.func, [subscripts, *operands], node.keywords)
        )

    def side_by_side(self, x: Any, kind: Kind, node: Any) -> Kind | None:
        """np.block joins what is in a list along the last axis, and lists of lists along one before it."""
        inner = kind.item if isinstance(kind, Seq) else None
        if is_number(inner):
            return self.answered_by(node, lambda: quote("np.array({x})", x=x))
        if isinstance(inner, Num) and inner.array and inner.rank:
            return self.answered_by(node, lambda: quote("np.concatenate({x}, axis=-1)", x=x))
        if any(isinstance(part, Seq) for part in _nested(kind)):
            self.refuse(
                "np.block of lists of unknown lengths: write np.vstack([np.hstack(row) for row in rows])",
                node,
            )
            return REFUSED
        return None

    def item_at(self, x: Any, kind: Kind, indices: list[Any], node: Any) -> Kind | None:
        """`x.item(i)` counts in C order, `x.item(i, j)` and `x.item((i, j))` name a place."""
        if not isinstance(kind, Num) or not kind.array or kind.is_complex:
            return None
        rank = kind.rank

        def make() -> Any:
            flat = len(indices) == 1 and rank != 1 and not isinstance(self.kind(indices[0]), Tup)
            of = quote("{x}.reshape(-1)", x=x) if flat else x
            index = indices[0] if len(indices) == 1 else gast.Tuple(indices, gast.Load())
            return quote("float({item})", item=gast.Subscript(of, index, gast.Load()))

        return self.answered_by(node, make)

    # -- gradients that rules of the user's give

    def looked_at(self, args: list[Any], node: Any) -> Kind | None:
        """The gradients that a rule gives, `checked(t, w, x, None)`, one by one: `checked(t[0], w), ...`."""
        gradients, *wanted = args
        kind = self.kind(gradients)
        if not isinstance(kind, (Tup, Seq)):
            return None
        if isinstance(kind, Tup) and len(kind.items) != len(wanted):
            self.refuse(f"a rule gives {len(wanted)} gradients, one for each argument", node)
            return REFUSED
        counted = None if isinstance(kind, Tup) else len(wanted)  # else it must be as many
        if counted or not isinstance(gradients, (gast.Name, gast.Tuple, gast.List)):
            if not isinstance(self.statement, ir.Assign) or self.cached:
                return None
            raise NameFirst(self.statement, gradients, counted)

        def make() -> Any:
            parts = [
                constant(None) if self.is_nothing(x) else quote("checked({g}, {x})", g=part, x=x)
                for part, x in zip(self.parts_of_gradients(gradients, len(wanted)), wanted)
            ]
            return parts[0] if len(parts) == 1 else gast.Tuple(parts, gast.Load())

        return self.answered_by(node, make)

    def is_nothing(self, node: Any) -> bool:
        return isinstance(node, gast.Constant) and node.value is None

    def parts_of_gradients(self, gradients: Any, count: int) -> list[Any]:
        if not isinstance(gradients, gast.Name):
            return list(gradients.elts)
        return [gast.Subscript(gradients, constant(k), gast.Load()) for k in range(count)]


def _is_list(kind: Tup | Seq) -> bool:
    """Whether its items stand one after the other."""
    return kind.is_counted if isinstance(kind, Tup) else not kind.keyed


def _nested(kind: Kind) -> Iterator[Kind]:
    """A kind, and those of what it holds if it is a tuple or a list."""
    yield kind
    if isinstance(kind, Tup):
        for item in kind.items:
            yield from _nested(item)


def _letters(axes: Any) -> str | None:
    """`[0, ..., 2]` as a text for einsum, `a...c`; letters are in the order of the numbers."""
    if not isinstance(axes, (gast.List, gast.Tuple)):
        return None
    letters = dict(enumerate(string.ascii_lowercase)) | {...: "..."}
    found = [
        letters.get(e.value) if isinstance(e, gast.Constant) and type(e.value) in _NUMBERS else None
        for e in axes.elts
    ]
    return None if None in found else "".join(map(str, found))
