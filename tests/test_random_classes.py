"""Random programs of classes, closures, generators and exceptions have right derivatives, or are refused."""

from __future__ import annotations

import pytest

from tests.random_classes import generate
from tests.random_families import what_is_bad
from tests.random_programs import check
from tests.random_second_order import check_second_order

CHUNK = 8
SEEDS = range(0, 40)


@pytest.mark.parametrize("first", range(SEEDS.start, SEEDS.stop, CHUNK))
def test_derivatives_are_right_and_not_all_are_refused(first: int) -> None:
    """First and second derivatives; most that is refused changes in a try what its handler reads."""
    outcomes = {}
    for seed in range(first, first + CHUNK):
        program = generate(seed)
        outcomes[seed] = check(program)
        if outcomes[seed].kind == "ok":
            second = check_second_order(program)
            outcomes[seed] = second if second.kind in ("wrong", "crash") else outcomes[seed]
    bad = what_is_bad(outcomes, generate)
    assert not bad, "\n\n".join(bad)
    refused = {seed: o.message for seed, o in outcomes.items() if o.kind == "refused"}
    assert len(refused) <= 6, refused


@pytest.mark.parametrize("seed", [900762])
def test_programs_that_made_it_fail_once(seed: int) -> None:
    """900762: in place, on another trip what may be no array (`np.multiply(u, v, out=u)`, then u is another)."""
    assert check(generate(seed)).kind in ("ok", "refused")
