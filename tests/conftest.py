"""Options of the test run."""

from __future__ import annotations

import gc
import os
import zlib
from types import FunctionType

import pytest

os.environ.setdefault(
    "NUMBA_OPT", "0"
)  # what compiled code gives is tested here, not how fast: half the time

# Of these tests an ordinary run makes one in so many: always the same ones. `pytest --whole` makes all.
# They ask every program of the corpus, or every row, once more what test_corpus.py, test_golden.py and
# test_rules_numeric.py ask of each of them: in another form, which goes its own way in few places and is common to all,
# so that an error there shows in programs of every family; or they try what is drawn at random or made of all pairs,
# of which commands that run for hours try far more (docs/where_changes_go.md).
SHARES = {
    "test_any_names::test_other_names_change_nothing": 12,
    "test_changed_containers::test_arrays_in_containers": 5,
    "test_changed_containers::test_dicts": 3,
    "test_changed_containers::test_lists": 5,
    "test_changed_containers::test_lists_that_a_loop_changes_before_and_between": 3,
    "test_compiled::test_corpus": 4,
    "test_compiled::test_factors_of_matrices": 3,
    "test_compiled::test_gradients_in_shapes_that_are_not_known": 4,
    "test_computed_keys::test_second_derivatives": 2,
    "test_corpus::test_second_order": 4,
    "test_cupy::test_every_program_that_runs_there": 3,
    "test_derivatives_of_helpers::test_gradients_inside": 4,
    "test_export::test_every_program": 8,
    "test_filler::test_every_program_fills_arrays": 12,
    "test_golden::test_text_is_tidy": 3,
    "test_gradients_as_programs::test_a_text_is_a_program": 2,
    "test_nested_records::test_random_programs": 3,
    "test_random_classes::test_derivatives_are_right_and_not_all_are_refused": 2,
    "test_random_programs::test_gradients_are_right_and_few_are_refused": 2,
    "test_random_records::test_gradients_are_right_and_not_all_are_refused": 4,
    "test_rewritten_corpus::test_the_same_in_another_way": 2,
    "test_rules_any_shape::test_any_shape_of_a_first_part": 3,
    "test_rules_any_shape::test_any_shape_of_a_second_part": 3,
    "test_rules_any_shape::test_any_shape_of_a_third_part": 3,
    "test_rules_any_shape::test_any_shape_of_the_last_part": 3,
    "test_size::test_a_thousand_statements": 4,
    "test_trace::test_values_and_gradients_are_those_without_notes": 4,
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite tests/golden with what is generated now",
    )
    parser.addoption(
        "--whole",
        action="store_true",
        help="make all tests, also those of which an ordinary run makes a share",
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether the golden files are to be rewritten."""
    return bool(request.config.getoption("--update-golden"))


def pytest_sessionstart() -> None:
    gc.disable()  # until all tests are collected: nothing of them goes away


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of one function follow each other: its derivatives are generated once for all of them."""
    if not config.getoption("--whole"):
        left_out = [item for item in items if not _is_in_share(item)]
        items[:] = [item for item in items if _is_in_share(item)]
        config.hook.pytest_deselected(items=left_out)
    subjects = [_subject_of(item) or item for item in items]
    places: dict[object, int] = {}
    for place, subject in enumerate(subjects):
        places.setdefault(subject, place)
    order = sorted(range(len(items)), key=lambda k: places[subjects[k]])
    items[:] = [items[k] for k in order]


def _is_in_share(item: pytest.Item) -> bool:
    """Whether an ordinary run makes this test, too."""
    test = f"{item.path.stem}::{getattr(item, 'originalname', item.name)}"
    every = SHARES.get(test, 1)
    return every == 1 or zlib.crc32(item.name.encode()) % every == 0


def _subject_of(item: pytest.Item) -> FunctionType | None:
    """The function that a test is given, alone or as that of a program of the corpus, or of a lesson."""
    callspec = getattr(item, "callspec", None)
    given = () if callspec is None else callspec.params.values()
    functions = (getattr(each, "function", each) for each in given)
    return next((each for each in functions if isinstance(each, FunctionType)), None)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
    # Cycles that tests leave are few beside what they make: looking for them at every turn took a tenth of the time.
    gc.set_threshold(1_000_000, 5, 5)
