"""Programs of the corpus changed at random: their derivatives are right in every mode, or refused."""

from __future__ import annotations

import collections
import zlib

import pytest
from corpus import FAMILIES, PROGRAMS

from tests.mutants import outcome_of

# a sixth of the programs: `python -m tests.mutants` takes all of them
SAMPLE = [name for name in PROGRAMS if zlib.crc32(name.encode()) % 6 == 0]


@pytest.mark.parametrize("family", FAMILIES)
def test_mutants_are_right_or_refused(family: str) -> None:
    names = [name for name in SAMPLE if PROGRAMS[name].family == family]
    found = {name: outcome_of(PROGRAMS[name], 0) for name in names}
    bad = [
        f"{name}: {outcome.kind}: {outcome.message}\n{text}"
        for name, (text, outcome) in found.items()
        if outcome.kind in ("wrong", "crash")
    ]
    assert not bad, "\n\n".join(bad)


def test_many_mutants_are_looked_at() -> None:
    counts = collections.Counter(outcome_of(PROGRAMS[name], 1)[1].kind for name in SAMPLE[:60])
    assert counts["ok"] >= 12 and counts["ok"] > 2 * counts["refused"], counts
