"""The functions of a text that are called: a pair is generated where a call is found, and the call may go later."""

from __future__ import annotations

import re
from collections.abc import Sequence

NAME = re.compile(r"def (\w+)")
WORD = re.compile(r"\w+")


def joined(texts: Sequence[str], roots: Sequence[str]) -> str:
    """The texts of functions, without those that none of the roots among them leads to."""
    if len(texts) > len(roots):
        found = _reached(texts, roots)
        texts = [text for text in texts if text in found]
    return "\n\n".join(texts)


def _reached(texts: Sequence[str], roots: Sequence[str]) -> set[str]:
    by_name = {match[1]: text for text in texts if (match := NAME.match(text))}
    found, waiting = set(roots), list(roots)
    while waiting:
        called = {by_name[name] for name in by_name.keys() & set(WORD.findall(waiting.pop()))}
        waiting += called - found
        found |= called
    return found
