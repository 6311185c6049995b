"""Random programs have right gradients, or are refused; few are refused."""

from __future__ import annotations

import pytest

from tests.random_programs import check, generate

CHUNK = 25
SEEDS = range(0, 150)
MORE_SEEDS = range(150, 300)


@pytest.mark.parametrize("first", range(SEEDS.start, SEEDS.stop, CHUNK))
def test_gradients_are_right_or_refused(first: int) -> None:
    bad = []
    for seed in range(first, first + CHUNK):
        outcome = check(generate(seed))
        if outcome.kind in ("wrong", "crash"):
            bad.append(f"seed {seed}: {outcome.kind}\n{outcome.message}")
    assert not bad, "\n\n".join([*bad, "python -m tests.campaign --seed N --show makes it small"])


def test_few_are_refused() -> None:
    outcomes = {seed: check(generate(seed)) for seed in MORE_SEEDS}
    bad = {seed: o.message for seed, o in outcomes.items() if o.kind in ("wrong", "crash")}
    refused = {seed: o.message for seed, o in outcomes.items() if o.kind == "refused"}
    assert not bad and len(refused) < 0.05 * len(MORE_SEEDS), (bad, refused)
