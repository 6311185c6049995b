"""How the interpreter is set while a derivative is generated, by however many threads at once.

Expressions are walked by recursion, and a long sum is a deep tree. Trees, kinds and facts are many small objects that
live until the text is there: the collector of cycles would look through them again and again, and find nothing
(a third to a half of the time of generation, and more than linear).
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tangentish import ir

DEEP = 20_000


@dataclass
class _Setting:
    limit: int
    collects: bool
    holders: int = 0


_setting: list[_Setting] = []  # what was there before the first holder came
_lock = threading.Lock()


@contextmanager
def generating() -> Iterator[None]:
    """Deep recursion, no collector of cycles; all is as it was when the last one leaves."""
    with _lock:
        if not _setting:
            _setting.append(_Setting(sys.getrecursionlimit(), gc.isenabled()))
            sys.setrecursionlimit(max(_setting[0].limit, DEEP))
            gc.disable()
        _setting[0].holders += 1
    try:
        yield
    finally:
        with _lock:
            _setting[0].holders -= 1
            if not _setting[0].holders:
                before = _setting.pop()
                sys.setrecursionlimit(before.limit)
                ir.forget()  # before the collector would look through it
                if before.collects:
                    gc.enable()
