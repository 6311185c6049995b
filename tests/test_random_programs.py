"""Random programs have right gradients, or are refused; few are refused."""

from __future__ import annotations

import pytest

from tests.random_programs import check, generate

CHUNK = 25
SEEDS = range(0, 300)


@pytest.mark.parametrize("first", range(SEEDS.start, SEEDS.stop, CHUNK))
def test_gradients_are_right_and_few_are_refused(first: int) -> None:
    """None in the first 300 is wrong, and of each 25 at most three are refused: 5 % of many are 1.25 of 25."""
    outcomes = {seed: check(generate(seed)) for seed in range(first, first + CHUNK)}
    bad = [
        f"seed {seed}: {outcome.kind}\n{outcome.message}"
        for seed, outcome in outcomes.items()
        if outcome.kind in ("wrong", "crash")
    ]
    assert not bad, "\n\n".join([*bad, "python -m tests.campaign --seed N --show makes it small"])
    refused = {seed: o.message for seed, o in outcomes.items() if o.kind == "refused"}
    assert len(refused) <= 3, refused
