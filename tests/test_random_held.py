"""Random programs of arrays that lists, dicts and objects hold have right gradients, or are refused."""

from __future__ import annotations

from tests.random_families import what_is_bad
from tests.random_held import generate
from tests.random_programs import check

SEEDS = range(8)


def test_gradients_are_right() -> None:
    """None is wrong; half of them are refused, as a line writes to what may be one of several arrays."""
    outcomes = {seed: check(generate(seed), limit=60.0) for seed in SEEDS}
    bad = what_is_bad(outcomes, generate)
    assert not bad, "\n\n".join(bad)
    assert any(outcome.kind == "ok" for outcome in outcomes.values())
