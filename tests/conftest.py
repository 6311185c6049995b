"""Options of the test run."""

from __future__ import annotations

import gc

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite tests/golden with what is generated now",
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether the golden files are to be rewritten."""
    return bool(request.config.getoption("--update-golden"))


def pytest_sessionstart() -> None:
    gc.disable()  # until all tests are collected: nothing of them goes away


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one program of the corpus follow each other: its derivatives are generated once for all of them."""
    places: dict[str, int] = {}
    for item in items:
        program = _program_of(item)
        if program is not None:
            places.setdefault(program, len(places))
    last = len(places)
    items.sort(key=lambda item: places.get(_program_of(item), last))


def _program_of(item: pytest.Item) -> str | None:
    """The name of the program that a test is about, if it is one of the corpus."""
    callspec = getattr(item, "callspec", None)
    program = None if callspec is None else callspec.params.get("program")
    return getattr(program, "name", None)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
