"""Back through branches: the gradients of both ways meet before the branch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.assignments import Assignments
from tangentish.adjoint.gradients import Grad
from tangentish.kinds import Kind, Num, replace
from tangentish.kinds.lengths import same_shape

Way = tuple[
    dict[str, Grad], list[ir.Statement]
]  # the gradients at the start of a block, and its adjoint


@dataclass
class Branches(Assignments):
    """What two ways have in common, and the tests that choose between them."""

    def merge(self, statement: ir.If | ir.Try, one: Way, other: Way) -> None:
        known = self.facts.before[statement]
        merged: dict[str, Grad] = {}
        for value in dict.fromkeys((*one[0], *other[0])):
            if value in known or value not in self.facts.web_kinds or value.startswith("$"):
                merged[value] = self.met(value, known.get(value), one, other)
        self.state = merged

    def met(self, value: str, known: Kind | None, one: Way, other: Way) -> Grad:
        """The gradient of a value where two ways meet; their adjoints are made to agree on it."""
        if one[0].get(value) is other[0].get(value):  # neither has anything to do with it
            return one[0][value]._replace(guards=())
        self.make_comparable(value, known, one, other[0])
        self.make_comparable(value, known, other, one[0])
        (a, _), (b, _) = one, other
        if self.is_list(value):
            return a[value]
        ka, kb = a[value].kind, b[value].kind
        kind = ka
        if ka.array != kb.array or not same_shape(ka.shape, kb.shape):
            kind = self.full_kind(value, known)
            for state, lines in (one, other):
                self.state = state
                lines += self.collected(partial(self.make_full, value, known))
        kind = replace(
            kind,
            dtype=ka.dtype if ka.has_dtype_of(kb) else None,
            weak=ka.weak and kb.weak,
            contiguous=a[value].kind.contiguous and b[value].kind.contiguous,
        )
        return Grad(kind, a[value].owned and b[value].owned)

    def make_comparable(
        self, value: str, known: Kind | None, way: Way, other: dict[str, Grad]
    ) -> None:
        """A gradient that one way lacks is zero there; the thinner of two becomes full."""
        self.state, lines = way
        if value not in self.state:
            lines += self.collected(partial(self.zero, value, known))
            return
        if self.is_list(value):
            return
        shape = self.state[value].kind.shape
        wanted = known.shape if isinstance(known, Num) else None
        if (
            not same_shape(shape, wanted)
            and value in other
            and not same_shape(shape, other[value].kind.shape)
        ):
            lines += self.collected(partial(self.make_full, value, known))

    def collected(self, action: Callable[[], None]) -> list[ir.Statement]:
        outer, self.out = self.out, []
        action()
        done, self.out = self.out, outer
        return done

    # -- tests

    def test_again(self, statement: ir.If, adjoint: ir.Block) -> Any | None:
        """The test where it is cheap and still gives the same, of what lasts, or is there for the ways anyway."""
        test = statement.test
        if not isinstance(test, gast.Name) and not self.is_cheap_test(test):
            return None
        names = [n for n in ir.names_in(test) if ir.is_value(n)]
        inside = list(ir.walk_statements((*statement.body, *statement.orelse)))
        changed = {n for s in inside for n in (*ir.defined_names(s), *self.facts.writes.get(s, ()))}
        if changed & set(names) or self.saves.reads_changing(test):
            return None
        if isinstance(test, gast.Name):
            return test
        read = {n for line in ir.walk_statements(adjoint) for n in ir.mentioned(line)}
        there = all(n in read or self.saves.is_persistent(n) for n in names)
        free = there or not self.saves.in_loop(statement)
        return test if free and not self.is_written(names, inside) else None

    def is_written(self, names: Iterable[str], statements: Iterable[ir.Statement]) -> bool:
        """Whether one of the statements writes to memory of one of the values."""
        sites = {site for n in names for site in self.facts.sites(n)}
        written = (n for s in statements for n in self.facts.writes.get(s, ()))
        return any(sites & self.facts.sites(n) for n in written)


def raises(block: ir.Block) -> bool:
    """Whether a block ends in an exception, whichever way it goes."""
    match block:
        case (*_, ir.Do(gast.Raise())):
            return True
        case (*_, ir.If(_, body, orelse)):
            return raises(body) and raises(orelse)
    return False
