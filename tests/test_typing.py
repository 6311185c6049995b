"""A type checker accepts right calls of functions and derivatives and flags wrong ones."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

api = pytest.importorskip("mypy.api")

HERE = Path(__file__).parent / "typing"


def flagged_lines(name: str, cache: Path) -> set[int]:
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
                str(HERE / name),
            ]
        )
    finally:
        os.environ.pop("MYPYPATH")
        if before is not None:
            os.environ["MYPYPATH"] = before
    assert not err, err
    found = re.findall(rf"{re.escape(name)}:(\d+): error:", out)
    assert "error:" not in out or found, out
    return set(map(int, found))


@pytest.mark.parametrize("name", ["right.py", "wrong.py"])
def test_typing(name: str, tmp_path: Path) -> None:
    lines = (HERE / name).read_text().splitlines()
    expected = {k for k, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert flagged_lines(name, tmp_path) == expected
