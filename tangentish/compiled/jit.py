"""Numba: imported when something is compiled, its errors as refusals at the user's line."""

from __future__ import annotations

import importlib.util
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tangentish.compiled.narrowed import Narrowed, check_stores
from tangentish.errors import NotDifferentiable, Refusal, refuse
from tangentish.language.source import Source


def check_installed() -> None:
    """Raise ImportError where Numba is missing."""
    if importlib.util.find_spec("numba") is None:
        raise ImportError(
            'compile="numba" needs Numba, which is not installed: pip install "tangentish[numba]"',
            name="numba",
        )


def compiler() -> Callable[[Any], Any]:
    """What makes a compiled function of a function: indices are checked."""
    check_installed()
    import numba  # noqa: PLC0415  (only where something is compiled)

    from tangentish.compiled import twins  # noqa: F401, PLC0415

    return numba.njit(boundscheck=True)  # type: ignore[no-any-return]


@dataclass
class Places:
    """Where the lines of compiled functions come from: file of the text -> source, line -> node."""

    files: dict[str, tuple[Source, Mapping[int, Any]]] = field(default_factory=dict)
    users: set[str] = field(default_factory=set)  # files of the user's functions that are compiled

    def is_users(self, filename: str) -> bool:
        """Whether a file holds functions of the user's that are compiled as they are."""
        return str(Path(filename).resolve()) in self.users

    def refusal(
        self, reason: str, lines: Iterable[tuple[str, int]], own: Source
    ) -> NotDifferentiable:
        """The refusal at the first of these places that is the user's; at the top of the function if none is."""
        source, node = own, own.tree
        for filename, line in lines:
            known = self.files.get(filename)
            if known is not None and line in known[1]:
                source, node = known[0], known[1][line]
                break
        message = f"Numba can't compile this: {reason}"
        return refuse([Refusal(message, node)], source.filename, source.lines)


def compile_for(function: Any, args: tuple[Any, ...], places: Places, own: Source) -> Any:
    """Compile for these arguments; what the function then returns, as a type of Numba's."""
    import numba  # noqa: PLC0415

    try:
        types = tuple(numba.typeof(arg) for arg in args)
        _compile(function, types, places)
    except Exception as error:
        raise refusal_of(error, places, own) from error
    return function.overloads[types].signature.return_type


def _compile(function: Any, types: tuple[Any, ...], places: Places) -> None:
    """Compile, a variable that may be unset being an error."""
    import numba  # noqa: PLC0415

    before = numba.config.ALWAYS_WARN_UNINIT_VAR
    numba.config.ALWAYS_WARN_UNINIT_VAR = 1
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore")
            warnings.filterwarnings("always", message=".*Detected uninitialized variable")
            function.compile(types)
    finally:
        numba.config.ALWAYS_WARN_UNINIT_VAR = before
    for text in (str(warning.message) for warning in caught):
        if any(places.is_users(filename) for filename, _ in _lines(text)):
            raise MayBeUnset(text)
    check_stores(function, types)


class MayBeUnset(Exception):
    """A variable that may have no value, which Numba would read as zero."""


def numba_error() -> type[Exception]:
    """What Numba's compiler raises."""
    import numba.core.errors  # noqa: PLC0415

    return numba.core.errors.NumbaError  # type: ignore[no-any-return]


def refusal_of(error: Exception, places: Places, own: Source) -> NotDifferentiable:
    """The refusal, at the user's line, that an error of Numba's compiler is."""
    text = str(error)
    if isinstance(error, Narrowed):
        return places.refusal(text, error.lines, own)
    if isinstance(error, MayBeUnset):
        name = re.search(r"variable (\w+)", text)
        what = f"'{name[1]}'" if name else "a variable"
        return places.refusal(f"{what} may have no value where it is read", _lines(text), own)
    return places.refusal(_reason(error), _lines(text), own)


def _lines(text: str) -> list[tuple[str, int]]:
    """The places that a message of Numba's names, the last being the innermost."""
    text = re.sub("\x1b\\[[0-9;]*m", "", text)
    found = re.findall(r'File "([^"\n]+)", line (\d+)', text)
    found += re.findall(r"at (<[^\n]+?>) \((\d+)\)", text)
    found += _RAISED_FROM.findall(text)
    return [(filename, int(line)) for filename, line in reversed(found)]


def _reason(error: Exception) -> str:
    """What a message of Numba's says, without its headings and advice."""
    text = _RAISED_FROM.sub("", re.sub("\x1b\\[[0-9;]*m", "", str(error)))
    lines = [line.strip(" -*") for line in text.splitlines()]
    wanted = [line for line in lines if line and not _HEADING.match(line)]
    calls = [line.removeprefix(">>> ") for line in lines if line.startswith(">>> ")]
    untyped = re.search(r"Untyped global name '(\w+)'", text)
    if untyped:
        return f"'{untyped[1]}' has no compiled form"
    if calls and wanted and wanted[0].startswith("No implementation"):
        return f"it has no {calls[-1]}"
    return wanted[0] if wanted else type(error).__name__


_RAISED_FROM = re.compile(r"\.? *Raised from ([^\n]+?) \((\d+)\)")
_HEADING = re.compile(r"Failed in|Resolution failure|During|File|For Numba|>>>|There (is|are)|- ")
