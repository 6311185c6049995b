"""A sample of the corpus in each way of writing: python -m tests.rewritten_corpus takes all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from all_ways import MIXTURES
from corpus import PROGRAMS, Program
from rewritten_corpus import difference, rewritten
from ways_of_holding import HOLDING
from ways_of_lines import LINES
from ways_of_writing import WAYS, Unfit

from tangentish import NotDifferentiable

SAMPLES = [
    pytest.param(program, way, id=f"{way}-{program.name}")
    for ways, every in ((WAYS, 60), (HOLDING, 420), (LINES, 210), (MIXTURES, 80))
    for number, way in enumerate(ways)
    for program in [*PROGRAMS.values()][3 * number + 1 :: every]
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
