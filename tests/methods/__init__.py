"""Published numerical methods, each a whole program in a file of its own, written as in any NumPy code.

The programs know nothing of the library; the last lines of each file say with which arguments it is
tried, and with respect to which it is differentiated.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Method:
    """A program, arguments for it, and which of them its gradient is asked for.

    `step` is the step of the numeric derivatives, `refused` what is said while there is no gradient.
    """

    function: Callable[..., Any]
    args: Callable[[], tuple[Any, ...]]
    wrt: tuple[int, ...]
    step: float
    refused: str | None

    @property
    def name(self) -> str:
        """The name of the file that the program is in."""
        return self.function.__module__.rpartition(".")[2]


METHODS: dict[str, Method] = {}


def method(
    function: Callable[..., Any],
    args: Callable[[], tuple[Any, ...]],
    wrt: tuple[int, ...] = (0,),
    step: float = 2e-3,
    refused: str | None = None,
) -> None:
    """Register a program."""
    one = Method(function, args, wrt, step, refused)
    METHODS[one.name] = one


for _file in sorted(Path(__file__).parent.glob("[a-z]*.py")):
    importlib.import_module(f"{__name__}.{_file.stem}")
