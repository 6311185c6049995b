"""Refusals: what cannot be differentiated, where it stands, and the error that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class File:
    """A file of the user's."""

    name: str
    lines: Sequence[str]


@dataclass(frozen=True)
class Refusal:
    """One reason against a derivative, and the node of the user's file that gives it."""

    message: str
    node: Any
    file: File | None = None  # where the node stands; None for that of the function at hand


class NotDifferentiable(SyntaxError):
    """A function that has no derivative here; Python itself prints the user's line and a caret."""

    refusals: tuple[Refusal, ...] = ()


def refuse(refusals: Sequence[Refusal], filename: str, lines: Sequence[str]) -> NotDifferentiable:
    """The error for all refusals of a function: it stands at the first of its own and lists the others."""
    ordered = _distinct(refusals, File(filename, lines))
    if not ordered:
        raise ValueError("refuse needs at least one refusal")
    first, *others = ordered
    message = "\n".join([first.message, *map(_listed, others)])
    assert first.file is not None
    error = NotDifferentiable(message, (first.file.name, *_span(first.node, first.file.lines)))
    error.refusals = tuple(ordered)
    return error


def _distinct(refusals: Sequence[Refusal], own: File) -> list[Refusal]:
    """The refusals by position, each once; those of other functions after those of this one."""
    by_key = {}
    for one in sorted(refusals, key=lambda one: one.file is None):
        file = one.file or own
        by_key[file.name, *_start(one.node), one.message] = (one.file is not None, one)
    ordered = sorted(by_key, key=lambda key: (by_key[key][0], *key))
    return [replace(by_key[key][1], file=by_key[key][1].file or own) for key in ordered]


def _start(node: Any) -> tuple[int, int]:
    # Passes build nodes without a position; such a refusal stands at the top of the file.
    return getattr(node, "lineno", None) or 1, getattr(node, "col_offset", None) or 0


def _listed(refusal: Refusal) -> str:
    assert refusal.file is not None
    lineno, column = _start(refusal.node)
    text = _line(refusal.file.lines, lineno)
    return f"{refusal.file.name}:{lineno}:{_characters(text, column) + 1}: {refusal.message}"


def _span(node: Any, lines: Sequence[str]) -> tuple[int, int, str, int, int]:
    """Line, column, text, end line, end column as SyntaxError wants them."""
    lineno, column = _start(node)
    text = _line(lines, lineno)
    start = _characters(text, column)
    end = len(text)
    # Python draws nothing for a range of several lines: the caret ends with the first.
    end_column = getattr(node, "end_col_offset", None)
    if end_column is not None and getattr(node, "end_lineno", None) == lineno:
        end = _characters(text, end_column)
    return lineno, start + 1, text, lineno, max(end, start + 1) + 1


def _line(lines: Sequence[str], lineno: int) -> str:
    return lines[lineno - 1].rstrip() if 0 < lineno <= len(lines) else ""


def _characters(text: str, column: int) -> int:
    """The number of characters in the first `column` bytes of a line."""
    return len(text.encode()[:column].decode(errors="replace"))
