"""A statement over several lines of the user's file is shown as one line.

u[1:-1] = (                  ->      u[1:-1] = u[1:-1] + r * (u[2:] + u[:-2])
    u[1:-1]
    + r * (u[2:] + u[:-2])  # neighbours
)
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from tokenize import TokenInfo
from typing import Any

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
WITHOUT_TEXT = frozenset((tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT))
ENDS = frozenset((tokenize.NEWLINE, tokenize.ENDMARKER))
BINDING = frozenset((*(f"{op}=" for op in ("", *"+-*/%@&|^", "//", "**", ">>", "<<")), "return"))
NEED_PARENTHESES = frozenset((",", "for", "async", "yield", ":="))


@dataclass
class _Bracket:
    """Where a bracket opens and closes, and what stands in it beside other brackets."""

    opened: int
    closed: int = 0
    inside: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LogicalLines:
    """The lines of a file as the statements of a function in it have them."""

    lines: Sequence[str]
    body: Sequence[Any]

    def text(self, number: int) -> str:
        """The statement that goes over a line of the file, in one line."""
        first, last = self._spans.get(number, (number, number))
        return _in_one_line(self.lines[first - 1 : last]) if 0 < number <= len(self.lines) else ""

    @cached_property
    def _spans(self) -> dict[int, tuple[int, int]]:
        """The first line and the last of each statement, or head of one, that goes over several; by all of these."""
        spans: dict[int, tuple[int, int]] = {}
        for statement in _statements(self.body):
            first, last = statement.lineno, _last_line(statement)
            if last > first:
                spans |= dict.fromkeys(range(first, last + 1), (first, last))
        return spans


def _in_one_line(lines: Sequence[str]) -> str:
    """The statement that begins these lines, without what is there only because it goes over several."""
    first = lines[0].strip()
    if len(lines) == 1:
        return first
    try:
        tokens = list(_tokens(lines))
    except (tokenize.TokenError, SyntaxError):
        return first
    if any(token.start[0] != token.end[0] for token in tokens):  # a text over several lines
        return first
    dropped = {k for bracket in _brackets(tokens) for k in _without_use(tokens, bracket)}
    return _joined([token for k, token in enumerate(tokens) if k not in dropped])


def _statements(body: Iterable[Any]) -> Iterator[Any]:
    for statement in body:
        if hasattr(statement, "lineno"):  # a case of a `match` has none
            yield statement
        for block in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from _statements(getattr(statement, block, ()))


def _last_line(statement: Any) -> int:
    """The last line of a statement; of one that holds others, the last before these."""
    inner = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if not inner:
        last: int = getattr(statement, "end_lineno", None) or statement.lineno
        return last
    begin: int = getattr(inner[0], "lineno", statement.lineno + 1)
    return begin - 1


def _tokens(lines: Sequence[str]) -> Iterator[TokenInfo]:
    """The tokens of the statement that begins these lines, as they stand there."""
    text = "".join(f"{line}\n" for line in (lines[0].lstrip(), *lines[1:]))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in ENDS:
            return
        if token.type not in WITHOUT_TEXT:
            yield token


def _brackets(tokens: Sequence[TokenInfo]) -> Iterator[_Bracket]:
    open_ones: list[_Bracket] = []
    for k, token in enumerate(tokens):
        sign = token.string if token.type == tokenize.OP else ""
        if sign in OPENING:
            open_ones.append(_Bracket(k))
        elif sign in CLOSING and open_ones:
            bracket = open_ones.pop()
            bracket.closed = k
            yield bracket
        elif open_ones:
            open_ones[-1].inside.append(token.string)


def _without_use(tokens: Sequence[TokenInfo], bracket: _Bracket) -> Iterator[int]:
    """The tokens of a bracket that say nothing in one line: a last comma, and parentheses around all that is bound."""
    opened, closed = tokens[bracket.opened], tokens[bracket.closed]
    before, last = tokens[bracket.opened - 1], tokens[bracket.closed - 1]
    if opened.start[0] == closed.start[0] or not bracket.opened:
        return
    round_one = opened.string == "("
    if last.string == "," and ((round_one and _is_called(before)) or bracket.inside.count(",") > 1):
        yield bracket.closed - 1
    ends = bracket.closed == len(tokens) - 1
    if (
        round_one
        and ends
        and before.string in BINDING
        and NEED_PARENTHESES.isdisjoint(bracket.inside)
    ):
        yield from (bracket.opened, bracket.closed)


def _is_called(before: TokenInfo) -> bool:
    named = before.type == tokenize.NAME and not keyword.iskeyword(before.string)
    return named or before.string in CLOSING


def _joined(tokens: Sequence[TokenInfo]) -> str:
    """The tokens with the spaces that are between them, or would be if they stood in one line."""
    text = tokens[0].string
    for before, token in pairwise(tokens):
        space = token.line[before.end[1] : token.start[1]]
        if before.end[0] != token.start[0] or space.strip():  # no neighbours in the file
            space = "" if before.string in OPENING or token.string in CLOSING else " "
        text += space + token.string
    return text
