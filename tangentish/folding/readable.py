"""Forward pass and adjoint as one would write them, once all that they compute is settled."""

from __future__ import annotations

from dataclasses import replace

from tangentish import ir
from tangentish.adjoint.parts import Parts, returned_where_computed
from tangentish.adjoint.walked_tapes import walk_tapes
from tangentish.folding.chosen import choose, test_directly
from tangentish.folding.comprehended import comprehended
from tangentish.folding.exchanged import exchanged, set_at_once
from tangentish.folding.fold import fold
from tangentish.folding.joined_names import join_names
from tangentish.folding.popped import popped
from tangentish.folding.read_as_kept import read_as_kept
from tangentish.folding.said_once import said_once


def readable(parts: Parts) -> Parts:
    """The same computation in fewer lines."""
    parts = walk_tapes(parts)
    results = (*parts.gradients, *parts.values)
    adjoint = choose(popped(test_directly(parts.adjoint), results))
    heads = [value for value, _ in parts.heads]
    adjoint, gradients = join_names(adjoint, parts.gradients, heads)
    kept = {name for slot, name in parts.slots.items() if not slot.tape}
    adjoint = read_as_kept(adjoint, kept, gradients)  # what is given back besides is never put back
    results = (*gradients, *parts.values)
    read = [e for s in ir.walk_statements(adjoint) for e in ir.expressions_of(s)]
    forward = comprehended(parts.forward, adjoint, results)
    forward = set_at_once(choose(fold(forward, (*read, *results))), (*read, *results))
    adjoint = exchanged(adjoint, gradients, parts.analysis.facts.is_integer)
    gradients, adjoint = returned_where_computed(gradients, adjoint)
    return replace(parts, forward=forward, adjoint=said_once(adjoint), gradients=gradients)
