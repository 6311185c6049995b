"""A sample of the corpus in each way of writing: python -m tests.rewritten_corpus takes all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus import PROGRAMS, Program
from rewritten_corpus import difference, rewritten
from ways_of_writing import WAYS, Unfit

from tangentish import NotDifferentiable

EVERY = 60
SAMPLES = [
    pytest.param(program, way, id=f"{way}-{program.name}")
    for number, way in enumerate(WAYS)
    for program in [*PROGRAMS.values()][3 * number + 1 :: EVERY]
]


@pytest.mark.parametrize(("program", "way"), SAMPLES)
def test_the_same_in_another_way(program: Program, way: str, tmp_path: Path) -> None:
    try:
        function = rewritten(program, way, tmp_path)
    except Unfit:
        pytest.skip("it can't be written so")
    try:
        found = difference(program, function)
    except NotDifferentiable:  # right, or refused
        return
    assert found is None, found
