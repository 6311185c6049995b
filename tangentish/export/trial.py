"""Whether arguments of some kinds fit a function: it is called with stand-ins, once or twice.

Lengths and ranks that do not fit are found by NumPy alone. What a function itself raises, what depends on values, and
what takes too long says nothing about kinds.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any

import numpy as np

SECONDS = 5.0
OF_KINDS = (TypeError, ValueError, IndexError, AttributeError, KeyError)
OF_VALUES = ("Singular matrix", "not positive definite", "did not converge", "infs or NaNs")


def misfit(
    function: Callable[..., Any], calls: Sequence[tuple[tuple[Any, ...], Mapping[str, Any]]]
) -> Exception | None:
    """The error that every one of the calls ends with because of the kinds of its arguments; else None."""
    found: list[Exception | None] = []

    def run() -> None:
        for args, keywords in calls:
            found.append(_failure(function, args, keywords))

    thread = threading.Thread(target=run, daemon=True)
    with contextlib.redirect_stdout(io.StringIO()):
        thread.start()
        thread.join(SECONDS)
    failures = [error for error in found if error is not None]
    return failures[0] if len(failures) == len(calls) else None


def _failure(
    function: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> Exception | None:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function(*args, **keywords)
    except OF_KINDS as error:
        values = any(text in str(error) for text in OF_VALUES)
        return None if values or _is_raised(error.__traceback__) else error
    except Exception:  # noqa: BLE001
        return None
    return None


def _is_raised(trace: TracebackType | None) -> bool:
    """Whether a statement of the user's raises the error."""
    line = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if "numpy" not in file and "scipy" not in file:
            line = linecache.getline(file, trace.tb_lineno).strip()
        trace = trace.tb_next
    return line.startswith(("raise", "assert"))
