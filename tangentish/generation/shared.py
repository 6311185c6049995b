"""Generated functions of one function of the user's that say the same: all who call one of them call the first.

Other kinds of the arguments, other objects or other gradients that are wanted may lead to the same text.
"""

from __future__ import annotations

import re
import types
from dataclasses import dataclass, field
from typing import Any

from tangentish.generation.writer import Writer
from tangentish.language.lifted import Lifted, as_written


@dataclass
class Shared:
    """The names of the functions of a program by what they say."""

    writer: Writer
    first: dict[tuple[types.FunctionType, str], list[str]] = field(default_factory=dict)

    def once(
        self, home: types.FunctionType | Lifted, names: tuple[str, ...], texts: list[str]
    ) -> tuple[str, ...]:
        """The names under which to call the functions whose texts are the last: their own, or those of the first ones.

        The texts of those that nobody calls then go; none does where a function that it calls itself calls it.
        """
        before, written = texts[: -len(names)], texts[-len(names) :]
        itself = re.compile(rf"\b({'|'.join(names)})\b")
        if any(name in text and itself.search(text) for text in before for name in names):
            return names
        plain = as_written(home)
        shared = tuple(
            self.first_like(name, (plain, itself.sub("itself", text)))
            for name, text in zip(names, written, strict=True)
        )
        pairs = zip(names, shared, written, strict=True)
        texts[-len(names) :] = [text for name, other, text in pairs if name == other]
        return shared

    def first_like(self, name: str, key: tuple[types.FunctionType, str]) -> str:
        """The name of the first function of this text that means the same."""
        alike = self.first.setdefault(key, [])
        found = next((other for other in alike if self.means_the_same(name, other)), None)
        if found is None:
            alike.append(name)
            return name
        del self.writer.cells[name]
        return found

    def means_the_same(self, name: str, other: str) -> bool:
        """Whether two functions of one text have the same defaults, and find the same under their free names."""
        one, first = (self.writer.cells[n].cell_contents for n in (name, other))
        found, known = _found(one, name), _found(first, other)
        return one.__globals__ is first.__globals__ and all(
            a is b for a, b in zip(found, known, strict=True)
        )


def _found(function: types.FunctionType, itself: str) -> list[object]:
    """Its defaults, and what it finds under its free names but its own, by their order."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    captured = dict(sorted(dict(cells).items()))
    captured.pop(itself, None)
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    return [*defaults, *map(_content, captured.values())]


def _content(cell: types.CellType) -> Any:
    """What a cell holds; itself where that is bound later."""
    try:
        return cell.cell_contents
    except ValueError:
        return cell
