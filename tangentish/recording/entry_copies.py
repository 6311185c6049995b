"""What a function writes to is copied first: arguments are never changed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import gast

from tangentish import ir
from tangentish.analysis.reached import Analysis
from tangentish.infer.changes import may_be
from tangentish.infer.notes import only_notes, only_notes_under
from tangentish.infer.reaching_out import reach_of
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.kinds import Kind, Num, Opaque, Seq, Tup, held_by
from tangentish.language.lifted import as_written


def copies_on_entry(analysis: Analysis) -> ir.Block:
    """What the function writes to is copied at the top."""
    names = list(_copied(analysis))
    if not names:
        return ()
    kinds = [analysis.facts.entry[n] for n in names]
    if not all(isinstance(k, Num) and k.contiguous for k in kinds):
        target = gast.Tuple([ir.name(n) for n in names], gast.Store())
        value = quote("copy_shared()")
        return (ir.Assign(target, gast.Call(value.func, [ir.name(n) for n in names], []), NOWHERE),)
    copies = [quote("{x}.copy()", x=ir.name(n)) for n in names]
    if len(names) == 1:
        return (ir.Assign(ir.name(names[0]), copies[0], NOWHERE),)
    target = gast.Tuple([ir.name(n) for n in names], gast.Store())
    return (ir.Assign(target, gast.Tuple(copies, gast.Load()), NOWHERE),)


def _copied(analysis: Analysis) -> Iterator[str]:
    for k, name in enumerate(analysis.function.parameters):
        if k in analysis.written:
            if not (_is_inactive_list(name, analysis) and _takes_notes(name, analysis)):
                yield name
        elif _is_changed(k, name, analysis) and not _takes_notes(name, analysis):
            yield name


def _is_inactive_list(name: str, analysis: Analysis) -> bool:
    """A list that carries no derivative, of which no array is written to."""
    kind = analysis.facts.web_kinds[name]
    if not isinstance(kind, Seq) or kind.active:
        return False
    written = {buffer.site for buffer in analysis.facts.written}
    return written.isdisjoint(buffer.site for buffer in held_by(kind))


def _is_changed(k: int, name: str, analysis: Analysis) -> bool:
    """Whether a list, a dict or a set without a derivative may be changed, by the function or by those it calls."""
    facts, argument = analysis.facts, frozenset({("argument", k)})
    changed = (*facts.changes.values(), frozenset(facts.taken_back))
    if not any(may_be(sites, argument) for sites in changed):
        return False
    given = ir.base_name(_place_of(name, analysis).argument)
    return _is_plain_container(facts.entry[name]) and given in _given(analysis)


def _given(analysis: Analysis) -> frozenset[str]:
    """The parameters whose values may be changed, as far as the text tells."""
    return reach_of(as_written(analysis.source.function), analysis.walk.seen).given


def _is_plain_container(kind: Kind) -> bool:
    match kind:
        case Seq(is_tuple=is_tuple):
            return not (is_tuple or kind.active)
        case Tup(is_list=is_list):
            return not kind.active and (is_list or kind.type is dict)
        case Opaque(type=made):
            return isinstance(made, type) and issubclass(made, (list, dict, set, deque))
    return False


def _takes_notes(name: str, analysis: Analysis) -> bool:
    """A list in which something is only noted is changed for the caller to see, as by the function itself."""
    function, place = as_written(analysis.source.function), _place_of(name, analysis)
    if place.attribute is not None:
        return only_notes_under(function, place.attribute, analysis.walk.seen)
    return only_notes(function, ir.base_name(place.argument))


class _Place(NamedTuple):
    """The argument that a parameter is a part of, and the attribute of an object that holds it, if one does."""

    argument: str
    attribute: str | None = None


def _place_of(name: str, analysis: Analysis) -> _Place:
    for whole, elements, form in analysis.lifted.displays if analysis.lifted else ():
        if name in elements:
            above = _place_of(whole, analysis)
            if not (form.is_object and form.keys):
                return above
            return _Place(above.argument, str(form.keys[elements.index(name)]))
    return _Place(name)
