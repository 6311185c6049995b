"""What a caller has to know of a function: asked once of its analysis, and said in the lengths of each caller."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING

from tangentish import ir
from tangentish.analysis.returned_views import returned_views
from tangentish.infer import Facts, Summary, are_sought
from tangentish.infer.changes import OUTSIDE, may_be
from tangentish.kinds import Buffer, Kind, Known, Seq, buffers_of
from tangentish.kinds.lengths import Length
from tangentish.kinds.seen_outside import restored
from tangentish.kinds.sites import is_from_outside

if TYPE_CHECKING:
    from tangentish.analysis.reached import Analysis


def summary_of(analysis: Analysis) -> Summary:
    """The lengths in it are those of the function."""
    facts, finals = analysis.facts, final_lists(analysis)
    views = returned_views(analysis.function, facts, analysis.source)
    repeated, memory, stored = map(frozenset, (facts.repeated, facts.written, facts.stored))
    return Summary(
        returned_kind(analysis), analysis.written, analysis.pure, views.always, finals, repeated, memory, stored,
        analysis.bound, ir.is_procedure(analysis.function), _changes_what_it_is_given(facts), is_quiet(analysis),
        frozenset(facts.grown), frozenset(facts.replaced), frozenset(analysis.walk.handed_over),
        facts.read_later(finals.values()),
        any(may_be(sites, OUTSIDE) for sites in facts.changes.values()), facts.asks, copied=facts.written_copies,
        let_out=frozenset(map(Buffer, facts.let_out)), asks_index=are_sought(analysis.walk),
        tells=facts.tells,
        otherwise=views.otherwise, updates_others=facts.updates_others, outside=_held_outside(analysis),
    )  # fmt: skip


def in_lengths_of_caller(summary: Summary, names: dict[Hashable, Length]) -> Summary:
    """The same, where the caller has these lengths under those names."""
    return replace(
        summary,
        result=None if summary.result is None else restored(summary.result, names),
        finals={k: restored(final, names) for k, final in summary.finals.items()},
        bound=tuple(replace(b, kind=restored(b.kind, names)) for b in summary.bound),
    )


def returned_kind(analysis: Analysis) -> Kind:
    """What a call of the function gives its caller: None from a procedure."""
    if ir.is_procedure(analysis.function):
        return Known(None)
    return analysis.result if analysis.facts.result is not None else Known(None)


def final_lists(analysis: Analysis) -> dict[int, Kind]:
    """What a function leaves in the lists that it was given and writes to."""
    finals = {
        k: analysis.facts.web_kinds[analysis.function.parameters[k]] for k in analysis.written
    }
    return {k: kind for k, kind in finals.items() if isinstance(kind, Seq)}


def _held_outside(analysis: Analysis) -> frozenset[Buffer]:
    """What of the memory that a function was given, or gives, others have that stand outside."""
    known = buffers_of(returned_kind(analysis))
    return frozenset(b for b in analysis.facts.outside if b in known or is_from_outside(b.site))


def _changes_what_it_is_given(facts: Facts) -> bool:
    """Whether a function may change lists, dicts or objects of its caller that carry no derivative."""
    changed = (*facts.changes.values(), facts.taken_back)
    return any(sites is None or any(map(is_from_outside, sites)) for sites in changed)


def is_quiet(analysis: Analysis) -> bool:
    """Whether nothing shows how often a function was called but what it gives."""
    facts = analysis.facts
    shown = analysis.written or facts.effects - facts.writes.keys() or facts.written & facts.outside
    return not shown and all(c.user is None or c.user.quiet for c in facts.callees.values())
