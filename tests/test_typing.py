"""A type checker accepts right calls of functions and derivatives and flags wrong ones."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

api = pytest.importorskip("mypy.api")

HERE = Path(__file__).parent / "typing"


NAMES = ("right.py", "wrong.py")


def flagged_lines(cache: Path) -> dict[str, set[int]]:
    """The lines of each file of which mypy says something: one run, which reads the package once."""
    before = os.environ.get("MYPYPATH")
    os.environ["MYPYPATH"] = str(HERE)
    try:
        out, err, _ = api.run(
            [
                "--config-file=",
                "--strict",
                "--allow-untyped-defs",
                "--ignore-missing-imports",
                "--follow-imports=silent",
                "--disable-error-code=type-arg",
                f"--cache-dir={cache}",
                *(str(HERE / name) for name in NAMES),
            ]
        )
    finally:
        os.environ.pop("MYPYPATH")
        if before is not None:
            os.environ["MYPYPATH"] = before
    assert not err, err
    found = {name: re.findall(rf"{re.escape(name)}:(\d+): error:", out) for name in NAMES}
    assert sum(map(len, found.values())) == out.count("error:"), out
    return {name: set(map(int, lines)) for name, lines in found.items()}


def test_typing(tmp_path: Path) -> None:
    flagged = flagged_lines(tmp_path)
    for name in NAMES:
        lines = (HERE / name).read_text().splitlines()
        expected = {k for k, line in enumerate(lines, 1) if line.endswith("# wrong")}
        assert flagged[name] == expected, name
