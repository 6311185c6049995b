"""Indices of which nothing is known: they are taken for integers, and asked whether they are when it runs.

x[k]  ->  k = integer(k); x[k]     a variable (analysis/asked_integers.py)
x[f(k)]  ->  x[integer(f(k))]      anything else
x[np.arange(n), k]  ->  x[np.arange(n), places_beside(k)], where integers and vectors of them are the same
x[range(n)]  ->  x[np.arange(n)]

What is no integer raises there. A `try` around might take that for an exception of the program: there such an index is
refused beforehand.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer.constants_apart import seek_apart
from tangentish.infer.facts import Summary
from tangentish.infer.indices import as_array, entries_of, is_riddle
from tangentish.infer.walk import Walk
from tangentish.ir.quote import quote
from tangentish.kinds import Kind, Opaque, Tup, is_unknown
from tangentish.kinds.unlike_records import are_places

_NOT_KNOWN = (
    "it is not known what this index is: write int(i) for an integer, np.array(i) for places"
)
IN_TRY = (
    "of an index, or of what meets a differentiated value, nothing is known here: it is taken for an integer, or for a "
    "plain array, and this `try` might catch what is raised where it is none: write int(i), float(k) or np.asarray(k)"
)


class AskedIntegers(Walk):
    """The part of the walk that has indices be integers."""

    def analysed(self, function: Any, kinds: tuple[Kind, ...], node: Any) -> Summary:
        """What is known of a function that is called here; what it asks of an index may be caught here."""
        found = self.analyse(function, kinds, node)
        self.facts.asks |= found.asks
        self.facts.updates_others |= found.updates_others
        if found.asks_index:
            seek_apart(self)
        if found.asks and self.is_attempted():
            self.refuse(IN_TRY, node)
        return found

    def asked_for_integers(self, index: Any) -> None:
        """Parts of an index of which nothing is known have to be integers, which shows when they are read."""
        if self.cached or self.is_attempted():
            return
        kinds = {part: self.kind(part) for part in ir.parts_of(index)}
        unknown = [p for p, kind in kinds.items() if is_unknown(kind) or are_places(kind)]
        other = "places_beside" if any(map(_is_vector, kinds.values())) else "integer"
        for part in unknown:
            if not (isinstance(part, gast.Slice) or self.is_refused(part)):
                self.ask(part, "places" if are_places(kinds[part]) else other)
        if unknown and isinstance(index, gast.Tuple):
            self.facts.kinds[index] = Tup(tuple(map(self.kind, index.elts)))

    def have_known(self, index: Any, node: Any) -> None:
        """The same; what may be something else is refused."""
        self.asked_for_integers(index)
        if is_riddle(entries_of(index, self.facts)):
            self.refuse(_NOT_KNOWN, node)

    def take_for_places(self, index: Any) -> None:
        """x[range(n), y] is x[np.arange(n), y]: NumPy takes a range for the places in it."""
        for part in ir.parts_of(index):
            if self.kind(part) == Opaque(range) and not self.cached:
                made = self.made_once((part, "places"), partial(_places, part), part)
                self.facts.kinds[part] = self.expression(made)
                self.facts.integers.add(part)
                self.facts.answers[part] = made
        if isinstance(index, gast.Tuple):
            self.facts.kinds[index] = Tup(tuple(map(self.kind, index.elts)))

    def ask(self, part: Any, helper: str) -> None:
        self.facts.late.append(Refusal(_NOT_KNOWN, part))
        seek_apart(self)
        made = self.call_that_asks(part, helper)
        self.facts.kinds[part] = self.expression(made)
        if helper == "integer" and self.is_asked_first(part):
            assert self.statement is not None
            self.facts.asked_first.setdefault(self.statement, {})[part.id] = made
            self.env.know(part.id, self.facts.kinds[part])
        else:
            self.facts.integers.add(part)
            self.facts.answers[part] = made

    def call_that_asks(self, part: Any, helper: str) -> Any:
        """The call that asks for a part of this line, of which more is known then."""

        def make() -> Any:
            return quote(f"{helper}({{part}})", part=ir.duplicate(part))

        return self.made_once((part, helper), make, part)

    def is_asked_first(self, part: Any) -> bool:
        """Whether this is a variable that can be asked on a line before the one at hand, and stays asked."""
        if not (ir.is_own_name(part) and self.certain):
            return False
        if not isinstance(self.statement, (ir.Assign, ir.Update, ir.Do, ir.Return)):
            return False
        return part.id not in (*self.function.parameters, *ir.defined_names(self.statement))


def _is_vector(kind: Kind) -> bool:
    """Whether these are places, or a mask of one axis."""
    array = as_array(kind)
    return array is not None and array.array is True and array.rank == 1


def _places(part: Any) -> Any:
    """The array of what is in a range."""
    match part:
        case gast.Call(func=gast.Name(id="range"), args=args, keywords=[]):
            counts = gast.Tuple([ir.duplicate(arg) for arg in args], gast.Load())
            call = quote("np.arange({xs})", xs=counts)
            call.args = counts.elts
            return call
    return quote("np.array({part})", part=ir.duplicate(part))
