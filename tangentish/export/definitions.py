"""What stands in an exported module: imports, constants and functions."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

CONSTANT, OWN_CONSTANT, PUBLIC, FUNCTION, HELPER, GUARD = range(6)


@dataclass(frozen=True, order=True)
class Import:
    """`import module` or `from module import name`, under some name."""

    module: str
    name: str | None = None
    bound: str = ""

    def under(self, bound: str) -> Import:
        return Import(self.module, self.name, bound)

    @property
    def line(self) -> str:
        if self.name is None:
            alias = "" if self.bound == self.module else f" as {self.bound}"
            return f"import {self.module}{alias}"
        alias = "" if self.bound == self.name else f" as {self.bound}"
        return f"from {self.module} import {self.name}{alias}"


@dataclass(eq=False)
class Definition:
    """One thing that has a name in the module.

    wanted: the name that it should have.
    text: that defines it; "" for an import, which is a `line`.
    links: the names in the text, and the keys of what they stand for.
    place: where in the order of the module it comes.
    """

    wanted: str
    text: str = ""
    line: Import | None = None
    links: dict[str, Hashable] = field(default_factory=dict)
    place: int = FUNCTION

    @property
    def content(self) -> Hashable:
        return self.text if self.line is None else self.line
