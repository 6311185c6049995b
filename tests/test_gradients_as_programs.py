"""A sample of the corpus: python -m tests.gradients_as_programs takes all of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from corpus import PROGRAMS, Program
from gradients_as_programs import forward_difference, reverse_difference
from ways_of_writing import Unfit

from tangentish import NotDifferentiable

SAMPLES = [*PROGRAMS.values()][5::25]
JOINED = [PROGRAMS["parts_of_any_number"]]


@pytest.mark.parametrize("differs", [forward_difference, reverse_difference])
@pytest.mark.parametrize("program", [*SAMPLES, *JOINED], ids=lambda program: program.name)
def test_a_text_is_a_program(program: Program, differs: Callable[[Program], str | None]) -> None:
    try:
        found = differs(program)
    except Unfit:
        pytest.skip("it has no second derivative")
    except NotDifferentiable:  # right, or refused
        return
    assert found is None, found
