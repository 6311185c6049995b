"""The function of an exported module for several outputs: the value, and the pullback that takes their gradients."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from tangentish.export import guards
from tangentish.export.definitions import Import
from tangentish.export.finding import Finding
from tangentish.export.public import Public, call_text
from tangentish.generation.halves import Halves
from tangentish.kinds import is_number
from tangentish.runtime import copies
from tangentish.text.names import unlike

LOCALS = ("value", "saved", "outputs", "pullback", "dy")


@dataclass
class PublicPullback(Public):
    """The value of a function with its pullback, as `vjp` gives them.

    skipped: how many leading parameters (self) the pullback gives no entry for.
    """

    skipped: int = 0

    @property
    def halves(self) -> Halves:
        assert self.derived.halves is not None
        return self.derived.halves

    @property
    def generated(self) -> Any:
        return self.halves.forward

    def define(self, finding: Finding, common: dict[str, Hashable | None]) -> Hashable:
        links: dict[str, Hashable | None] = {
            **common,
            "forward": finding.function(self.halves.forward, f"_{self.stem}_forward"),
            "adjoint": finding.function(self.halves.adjoint, f"_{self.stem}_adjoint"),
            "copy_shared": finding.own(copies.__name__, "copy_shared"),
            "Callable": finding.line(Import("collections.abc", "Callable")),
            **{name: finding.own(guards.__name__, name) for name in guards.__all__},
        }
        return self.linked(finding, links, set(self.kinds))

    def text(self, names: dict[str, str]) -> str:
        taken = {*self.kinds, *names.values()}
        names = {**names, **{name: unlike(name, taken) for name in LOCALS}}
        value, saved, outputs, pullback, dy = (names[name] for name in LOCALS)
        result = f"tuple[{self.value_hint()}, {names['Callable']}[[Any], tuple[Any, ...]]]"
        result = self.hinted(result, names)
        heads = f'*{names["fit_heads"]}("{self.stem}", {outputs}, {dy})'
        lines = [
            *self.docstring(),
            call_text(names["check_kinds"], [f'"{self.name}"', names["KINDS"], *self.kinds]),
            *self.look_at_memory(names),
            call_text(f"{value}, {saved} = {names['forward']}", self.passed_on(names)),
            *self.copies(names),
            f"{outputs} = {names['outline']}({value})",
            "",
            f"def {pullback}({dy}: {names['Any']}) -> tuple[{names['Any']}, ...]:",
            *self.entries(f"{names['adjoint']}({saved}, {heads})", names),
            "",
            f"return {value}, {pullback}",
        ]
        body = textwrap.indent("\n".join(lines), "    ")
        return f"{self.signature(result, names)}\n{body}\n"

    def copies(self, names: dict[str, str]) -> Iterator[str]:
        """What is saved may lie in arrays of the caller's, who may write to them."""
        if not all(map(is_number, self.kinds.values())):
            saved = names["saved"]
            yield f"{saved} = {names['copy_shared']}({saved})[0]"

    def entries(self, gradients: str, names: dict[str, str]) -> Iterator[str]:
        """One for each parameter."""
        taken = {*self.kinds, *names.values()}
        found = {p: unlike(f"d{list(self.kinds)[p]}", taken) for p in self.halves.positions}
        items = [found.get(k, "None") for k in range(self.skipped, len(self.kinds))]
        yield f"    {', '.join(found.values())} = {gradients}"
        yield f"    return {', '.join(items)}{',' * (len(items) == 1)}"

    def docstring(self) -> Iterator[str]:
        yield f'"""The value of {self.stem}, and its pullback.'
        yield ""
        yield from self.kinds_in_words()
        yield ""
        yield "The pullback takes a gradient for each of the outputs, None for zeros, and returns one for each"
        yield "parameter, None for those without. It may be called again and again."
        yield "TypeError for arguments of other kinds. The arguments are not changed."
        yield '"""'

    @property
    def has_scalar_head(self) -> bool:
        return False
