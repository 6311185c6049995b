"""Lines over 100 columns are broken as a person would: at brackets, commas and the operators that bind least."""

from __future__ import annotations

import ast
import io
import itertools
import keyword
import tokenize
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tangentish import ir

WIDTH = 100
INDENT = "    "


class Token(NamedTuple):
    """A token of one line and the columns it takes."""

    text: str
    start: int
    end: int


def wrap(text: str) -> str:
    """The same program without lines over 100 columns, as far as it can be had."""
    lines = text.splitlines()
    if all(len(line) <= WIDTH for line in lines):
        return text
    return "\n".join(_wrapped_lines(lines)) + "\n"


def _wrapped_lines(lines: list[str]) -> Iterator[str]:
    in_docstring = False
    for line in lines:
        quotes = line.count('"""')
        if len(line) <= WIDTH or in_docstring or quotes or line.lstrip().startswith("#"):
            yield line
        else:
            yield from _wrap_line(line)
        in_docstring ^= quotes % 2 == 1


def _same_statement(one: str, other: str) -> bool:
    """Whether two texts of one statement, or of the head of one, say the same."""
    try:
        return ir.alike(_parsed(one), _parsed(other))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False


def _parsed(text: str) -> ast.Module:
    text = text.strip()
    if text.startswith(("elif ", "elif(")):
        text = text.removeprefix("el")
    return ast.parse(text + " pass" if text.endswith(":") else text)


def _tokens(line: str) -> list[Token]:
    """The tokens of a line; an f-string is one, whatever the version of Python."""
    skipped = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    opening, closing = getattr(tokenize, "FSTRING_START", -1), getattr(tokenize, "FSTRING_END", -1)
    indent = len(line) - len(line.lstrip())
    tokens: list[Token] = []
    depth = start = 0
    for kind, text, (_, left), (_, right), _ in tokenize.generate_tokens(
        io.StringIO(line.lstrip()).readline
    ):
        if kind == opening:
            start = start if depth else left
            depth += 1
        elif kind == closing:
            depth -= 1
            text, left = line[indent + start : indent + right], start
        if depth == 0 and kind not in skipped:
            tokens.append(Token(text, indent + left, indent + right))
    return tokens


def _wrap_line(line: str) -> list[str]:
    """One statement over several lines, or as it was where that would change it."""
    try:
        tokens = _tokens(line)
    except tokenize.TokenError:
        return [line]
    lines = _Layout(line).statement(tokens, len(line) - len(line.lstrip()))
    return lines if _same_statement(line, "\n".join(lines)) else [line]


class _Layout:
    """Breaks the tokens of one line at brackets, commas and operators."""

    def __init__(self, line: str) -> None:
        self.line = line

    def text(self, tokens: Sequence[Token]) -> str:
        return self.line[tokens[0].start : tokens[-1].end] if tokens else ""

    def statement(self, tokens: list[Token], indent: int) -> list[str]:
        """A statement, broken in its expression, or in its targets where these are too long for a line."""
        lines = self.in_expression(tokens, indent)
        targets = _targets_range(tokens)
        if targets is None or max(map(len, lines)) <= WIDTH:
            return lines
        others = self.in_targets(tokens, *targets, indent)
        return min(lines, others, key=lambda found: max(map(len, found)))

    def in_targets(self, tokens: list[Token], start: int, end: int, indent: int) -> list[str]:
        """Several targets in parentheses."""
        inner = self.block(tokens[start:end], indent + len(INDENT))
        head, closing = self.line[: tokens[start].start], f"{' ' * indent}) "
        last = closing + self.line[tokens[end].start :]
        if len(last) <= WIDTH or tokens[end].text != "=":
            return [head + "(", *inner, last]
        value = tokens[end + 1 :]
        if not _breaks(value):
            first, *others = self.bracketed(value, indent)
            return [head + "(", *inner, f"{closing}= {first.lstrip()}", *others]
        lines = self.block(value, indent + len(INDENT))
        return [head + "(", *inner, f"{closing}= (", *lines, f"{' ' * indent})"]

    def in_expression(self, tokens: list[Token], indent: int) -> list[str]:
        """A statement: its expression in parentheses, or broken at its longest brackets."""
        start, end = _expression_range(tokens)
        if start is not None and _breaks(tokens[start:end]):
            head = self.line[: tokens[start].start]
            tail = self.text(tokens[end:])
            inner = self.block(tokens[start:end], indent + len(INDENT))
            return [head + "(", *inner, " " * indent + ")" + tail]
        return self.bracketed(tokens, indent)

    def block(self, tokens: list[Token], indent: int) -> list[str]:
        """An expression inside brackets: on one line, or broken where it binds least."""
        if indent + len(self.text(tokens)) <= WIDTH:
            return [" " * indent + self.text(tokens)]
        places = _breaks(tokens)
        if not places:
            return self.bracketed(tokens, indent)
        bounds = itertools.pairwise([0, *places, len(tokens)])
        return self.fill([tokens[start:end] for start, end in bounds], indent)

    def fill(self, pieces: list[list[Token]], indent: int) -> list[str]:
        """As many pieces a line as it takes; one that takes several lines has them alone."""
        lines: list[str] = []
        row: list[Token] = []
        for piece in pieces:
            if row and indent + len(self.text([*row, *piece])) > WIDTH:
                lines += self.block(row, indent)
                row = []
            row = [*row, *piece]
            if indent + len(self.text(row)) > WIDTH:
                lines += self.block(row, indent)
                row = []
        return lines + (self.block(row, indent) if row else [])

    def bracketed(self, tokens: list[Token], indent: int) -> list[str]:
        """The inside of the longest brackets on lines of its own."""
        pair = _longest_brackets(tokens)
        if pair is None:
            return [" " * indent + self.text(tokens)]
        opening, closing = pair
        inner = self.block(tokens[opening + 1 : closing], indent + len(INDENT))
        head = " " * indent + self.text(tokens[: opening + 1])
        return [head, *inner, " " * indent + self.text(tokens[closing:])]


def _expression_range(tokens: list[Token]) -> tuple[int | None, int]:
    """Where the expression of a statement stands, if it may be put in parentheses."""
    first, end = tokens[0].text, len(tokens)
    if first in ("if", "elif", "while"):
        return 1, end - 1
    if first == "return":
        return 1, end
    if first == "assert":  # in parentheses, test and message would be a pair, which is true
        commas = [index for index, token in _top_level(tokens) if token.text == ","]
        return 1, commas[0] if commas else end
    if first in ("for", "async"):
        places = [index for index, token in _top_level(tokens) if token.text == "in"]
        return (places[0] + 1 if places else None), end - 1
    if keyword.iskeyword(first) and first not in ("not", "lambda", "None", "True", "False"):
        return None, end
    equals = [index for index, token in _top_level(tokens) if _is_assignment(token.text)]
    return (equals[-1] + 1 if equals else 0), end


def _targets_range(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Where the targets of an assignment or a loop stand, if they are several without parentheses."""
    loop = tokens[0].text == "for"
    ends = [k for k, token in _top_level(tokens) if token.text == ("in" if loop else "=")]
    if not ends:
        return None
    start, end = int(loop), ends[0]
    commas = [k for k, token in _top_level(tokens[start:end]) if token.text == ","]
    return (start, end) if commas else None


def _is_assignment(text: str) -> bool:
    return text.endswith("=") and text not in ("==", "!=", "<=", ">=", ":=")


def _top_level(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """The tokens outside of brackets, and outside of the lambda that may end them."""
    depth = 0
    for index, token in enumerate(tokens):
        if token.text in (")", "]", "}"):
            depth -= 1
        if depth == 0:
            if token.text == "lambda":
                return
            yield index, token
        if token.text in ("(", "[", "{"):
            depth += 1


# fmt: off
STRENGTH = {
    text: strength
    for strength, texts in enumerate([
        "for async",
        ",",
        "if else",
        "or",
        "and",
        "== != < > <= >= in not is",
        "|", "^", "&",
        "<< >>",
        "+ -",
        "* / // % @",
    ])
    for text in texts.split()
}
# fmt: on


def _breaks(tokens: Sequence[Token]) -> list[int]:
    """The indices before which a line may be broken: at what binds least, outside of brackets."""
    found: dict[int, list[int]] = {}
    comprehension = False
    for index, token in _top_level(tokens):
        strength = STRENGTH.get(token.text)
        comprehension = comprehension or token.text == "for"
        if strength is None or not index or not _is_break(tokens, index):
            continue
        if comprehension and token.text != "for":
            strength = 0 if token.text == "if" else 99
        place = index + (token.text == ",")
        if place < len(tokens):  # a comma at the end is none between two
            found.setdefault(strength, []).append(place)
    return found[min(found)] if found else []


def _is_break(tokens: Sequence[Token], index: int) -> bool:
    """Whether this token stands between two operands."""
    before, text = tokens[index - 1].text, tokens[index].text
    if text in (",", "if", "else", "for"):
        return before != "async"
    if before in ("not", "is") and text in ("in", "not"):
        return False
    return _ends_operand(before)


def _ends_operand(text: str) -> bool:
    """Whether a token is or closes an operand, so that an operator after it takes two."""
    if keyword.iskeyword(text):
        return text in ("None", "True", "False")
    return text == "..." or text[-1] in ")]}'\"_" or text[-1].isalnum() or text[:-1].isdigit()


def _longest_brackets(tokens: Sequence[Token]) -> tuple[int, int] | None:
    best: tuple[int, int] | None = None
    openings: list[int] = []
    for index, token in enumerate(tokens):
        if token.text in ("(", "[", "{"):
            openings.append(index)
        elif token.text in (")", "]", "}"):
            opening = openings.pop()
            wide = best is None or _width(tokens, opening, index) >= _width(tokens, *best)
            if not openings and index > opening + 1 and wide:
                best = opening, index
    return best


def _width(tokens: Sequence[Token], opening: int, closing: int) -> int:
    return tokens[closing].start - tokens[opening].end
