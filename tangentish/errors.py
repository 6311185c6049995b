"""Refusals: what cannot be differentiated, where it stands, and the error that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Refusal:
    """One reason against a derivative, and the node of the user's file that gives it."""

    message: str
    node: Any


class NotDifferentiable(SyntaxError):
    """A function that has no derivative here; Python itself prints the user's line and a caret."""

    refusals: tuple[Refusal, ...] = ()


def refuse(refusals: Sequence[Refusal], filename: str, lines: Sequence[str]) -> NotDifferentiable:
    """The error for all refusals of one file: it stands at the first and lists the others."""
    ordered = _distinct(refusals)
    if not ordered:
        raise ValueError("refuse needs at least one refusal")
    first, *others = ordered
    listed = [f"{filename}:{_place(other, lines)}: {other.message}" for other in others]
    message = "\n".join([first.message, *listed])
    error = NotDifferentiable(message, (filename, *_span(first.node, lines)))
    error.refusals = tuple(ordered)
    return error


def _distinct(refusals: Sequence[Refusal]) -> list[Refusal]:
    """The refusals by position, each once."""
    by_key = {(*_start(one.node), one.message): one for one in refusals}
    return [by_key[key] for key in sorted(by_key)]


def _start(node: Any) -> tuple[int, int]:
    # Passes build nodes without a position; such a refusal stands at the top of the file.
    return getattr(node, "lineno", None) or 1, getattr(node, "col_offset", None) or 0


def _place(refusal: Refusal, lines: Sequence[str]) -> str:
    lineno, column = _start(refusal.node)
    return f"{lineno}:{_characters(_line(lines, lineno), column) + 1}"


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
