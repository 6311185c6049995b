"""Functions that are refused are looked at again, as what was found meanwhile may tell another way to look.

Without the ways that are not taken (known_ways.py) and with methods as values (bound_methods.py); then with first trips
that stand apart (first_trips.py); at last with loops written out, also of what is called (infer/arrays_run_over.py).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tangentish.analysis.bound_methods import Methods
from tangentish.analysis.first_trips import Place
from tangentish.analysis.known_ways import Ways, leaves_a_way_out
from tangentish.errors import NotDifferentiable
from tangentish.infer.arrays_run_over import ArraysRunOver

if TYPE_CHECKING:
    from tangentish.analysis.reached import Analysis


@dataclass
class Found:
    """What is found of a function while it is looked at.

    ways: those of the user's branches that are known to be taken.
    methods: those that are read as values.
    first_trips: where loops stand whose first trips may have to stand apart.
    """

    ways: Ways = field(default_factory=dict)
    methods: Methods = field(default_factory=dict)
    first_trips: set[Place] = field(default_factory=set)


def with_arrays_apart(
    look: Callable[[], Analysis], loops: ArraysRunOver, known: Sequence[dict[Hashable, Any]]
) -> Analysis:
    """What `look` finds of a function, where it is refused with loops written out: those that write to arrays of lists.

    At last all of few lines. known: what is found of the functions that are called, which is forgotten then.
    """
    sizes, others, before = [*map(len, known)], loops.others, set(loops.apart)
    loops.others = set()
    try:
        return look()
    except NotDifferentiable as error:
        refused = error
    finally:
        met_here, loops.others = loops.others, loops.others | others
    tried = before
    for met in (loops.met | loops.apart, met_here):
        if not met <= tried:
            for found, size in zip(known, sizes, strict=True):
                for key in [*found][size:]:
                    del found[key]
            tried = loops.apart = loops.apart | met
            with suppress(NotDifferentiable):
                return look()
    loops.apart = before
    raise refused


def looked_at_again(look: Callable[[Found, frozenset[Place]], Analysis]) -> Analysis:
    """What `look` finds of a function, given what is found so far, and whose first trips stand apart."""
    found = Found()
    try:
        return look(found, frozenset())
    except NotDifferentiable as error:
        refused, known = error, 0

    def again(apart: frozenset[Place]) -> Analysis | None:
        with suppress(NotDifferentiable):
            analysis = look(found, apart)
            if not leaves_a_way_out(analysis.function):
                return analysis
        return None

    while len(found.ways) + len(found.methods) > known:
        known = len(found.ways) + len(found.methods)
        analysis = again(frozenset())
        if analysis is not None:
            return analysis
    apart: frozenset[Place] = frozenset()
    while found.first_trips > apart:
        apart = frozenset(found.first_trips)
        analysis = again(apart)
        if analysis is not None:
            return analysis
    raise refused
