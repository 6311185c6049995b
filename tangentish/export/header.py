"""The first lines of an exported module: what made it, from which source, and that it is not to be edited."""

from __future__ import annotations

import hashlib
import os
import shlex
import types
from collections.abc import Iterator, Sequence
from pathlib import Path

from tangentish.language.source import read_source

# Rules of style that depend on how the user's own lines are written, which stay as they are.
THEIR_STYLE = (
    "A001, A002, ARG001, ARG005, B002, B007, B008, C410, C901, E501, E721, E731, E741, F841, PERF401, PERF402, PLC0415",
    "PLC2401, PLR0124, PLW0127, RUF059, RUF100, SIM102, SIM103, SIM105, SIM108, SIM110, SIM113, SIM201",
    "SIM300, T201",
)


def header(
    version: str, function: types.FunctionType, place: str, output: Path, options: Sequence[str]
) -> list[str]:
    """Comments for the function that `place`, file.py:function, names; files relative to the module's."""
    file, _, name = place.rpartition(":")
    near = Path(os.path.relpath(Path(file).resolve(), output.resolve().parent)).as_posix()
    command = ["python -m tangentish export", shlex.quote(f"{near}:{name}"), f"-o {output.name}"]
    return [
        f"# Made by tangentish {version} from {name}() in {near}, by this command in the folder of this file:",
        *_wrapped([*command, *options]),
        f"# SHA-256 of the source of {name}(): {_digest(function)}",
        "# Edits are lost when it is made again.",
        *(f"# ruff: noqa: {codes}" for codes in THEIR_STYLE),
        "# fmt: off",
        f'"""The gradient of {name}(), for NumPy alone."""',
    ]


def _wrapped(parts: Sequence[str]) -> Iterator[str]:
    """A command as comments; a long one on several lines."""
    line = "#    "
    for part in (one.replace("\n", " ") for one in parts):
        if len(line) + len(part) > 96:
            yield f"{line} \\"
            line = "#       "
        line = f"{line} {part}"
    yield line


def _digest(function: types.FunctionType) -> str:
    source = read_source(function)
    lines = source.lines[source.tree.lineno - 1 : source.tree.end_lineno]
    return hashlib.sha256("\n".join(map(str.rstrip, lines)).encode()).hexdigest()
