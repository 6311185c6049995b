"""Functions with all that they need, brought together in one module.

Generated code finds its helpers and the pairs of its callees in closure cells, the user's constants and functions in
the user's globals. A module has one namespace for all: every object gets a name in it, and what defines it there.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from tangentish.export.definitions import Definition, Import
from tangentish.export.edits import bound_names, renamed
from tangentish.export.finding import Finding


@dataclass(frozen=True)
class Linked:
    """What a module is made of: its imports, and the texts of its definitions."""

    imports: list[Import]
    texts: list[str]


def link(finding: Finding, roots: Sequence[Hashable]) -> Linked:
    """The roots under the names they want, and all that they need under names that are free."""
    found = finding.everything()
    first = _alike(found)
    kept = _reached([first[key] for key in roots], found, first)
    names = _Naming(first, set(finding.builtins)).choose(kept)
    imports = [d.line.under(names[key]) for key, d in kept.items() if d.line is not None]
    texts = [
        renamed(d.text, {name: names[first[k]] for name, k in d.links.items()}, names[key])
        for key, d in sorted(kept.items(), key=lambda item: item[1].place)
        if d.line is None
    ]
    return Linked(imports, texts)


def _alike(found: dict[Hashable, Definition]) -> dict[Hashable, Hashable]:
    """For each key the first one with the same text, whose links lead to what is alike, too."""
    classes: dict[Hashable, Hashable] = {key: d.content for key, d in found.items()}
    count = 0
    while count < len(set(classes.values())):
        count = len(set(classes.values()))
        numbers: dict[Hashable, int] = {}
        classes = {
            key: numbers.setdefault(
                (classes[key], tuple((n, classes[k]) for n, k in sorted(d.links.items()))),
                len(numbers),
            )
            for key, d in found.items()
        }
    firsts: dict[Hashable, Hashable] = {}
    return {key: firsts.setdefault(group, key) for key, group in classes.items()}


def _reached(
    keys: Sequence[Hashable], found: dict[Hashable, Definition], first: dict[Hashable, Hashable]
) -> dict[Hashable, Definition]:
    """What the keys lead to, in the order of reading."""
    kept: dict[Hashable, Definition] = {}
    waiting = list(keys)
    while waiting:
        key = waiting.pop(0)
        if key not in kept:
            kept[key] = found[key]
            waiting += [first[k] for k in found[key].links.values()]
    return kept


@dataclass
class _Naming:
    """A name in the module for everything: one that is free wherever it is used."""

    first: dict[Hashable, Hashable]
    taken: set[str]
    names: dict[Hashable, str] = field(default_factory=dict)

    def choose(self, kept: dict[Hashable, Definition]) -> dict[Hashable, str]:
        bound: dict[Hashable, set[str]] = {}
        for d in kept.values():
            inside = bound_names(d.text) if d.line is None else set()
            for k in d.links.values():
                bound.setdefault(self.first[k], set()).update(inside)
        for key, d in kept.items():
            self.names[key] = self.free(d.wanted, self.taken | bound.get(key, set()))
            self.taken.add(self.names[key])
        return self.names

    def free(self, wanted: str, taken: set[str]) -> str:
        name, number = wanted, 0
        while name in taken:
            number += 1
            name = f"{wanted}_{number}"
        return name
