"""Names for values: a value gets the user's name wherever no other value of that name is still needed.

The later one keeps the plain name; others are x_1, x_2, ...
"""

from __future__ import annotations

import itertools
import keyword
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from tangentish import ir
from tangentish.ir.needed import Needed

_KEYWORDS = frozenset(keyword.kwlist)  # the gradient of el is not del
Kin = tuple[str, bool]  # values of one base name, the user's or made ones: they may share names


def choose_names(
    parameters: Sequence[str], block: ir.Block, taken: frozenset[str],
    known: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, str]:  # fmt: skip
    """Value -> name. User values come first, the latest of a name keeping it; then what was made.

    known: the names that values have elsewhere, all at the same time: they have them here as well.
    """
    taken |= _KEYWORDS
    mentioned = dict.fromkeys(
        itertools.chain.from_iterable(map(ir.mentioned, ir.walk_statements(block)))
    )
    conflicts = Conflicts.of(parameters, block, (*parameters, *mentioned))
    choice = Choice(conflicts)
    for p in parameters:
        choice.name_parameter(p, taken)
    choice.keep(known, taken)
    names = choice.names
    values = [v for v in conflicts.order if v not in names]
    values += sorted(
        v for v in mentioned if ir.is_value(v) and v not in names and v not in conflicts.order
    )
    users = [v for v in dict.fromkeys(values) if not is_made(v)]
    made = [v for v in dict.fromkeys(values) if is_made(v)]
    user_bases = frozenset(ir.base_name(v) for v in (*users, *parameters) if not is_made(v))
    for value in sorted(users, key=lambda v: (ir.base_name(v), -_version(v))):
        choice.name(value, taken)
    taken |= user_bases
    for value in sorted(made, key=lambda v: -conflicts.order.get(v, 0)):
        choice.name(value, taken)
    return names


@dataclass
class Conflicts:
    """Which values of one base name are needed where another of them is defined."""

    places: dict[str, int] = field(default_factory=dict)  # value -> its place in its family
    firsts: dict[str, int] = field(default_factory=dict)  # value -> the first bit of its family
    masks: dict[str, int] = field(default_factory=dict)  # base name -> the bits of its family
    order: dict[str, int] = field(default_factory=dict)  # values as the walk back meets them
    needed: dict[str, int] = field(default_factory=dict)  # value -> those needed after it is set

    @classmethod
    def of(cls, parameters: Sequence[str], block: ir.Block, values: Iterable[str]) -> Conflicts:
        new = cls()
        walk = Needed(new.define, new.numbered(values))
        start = walk.block(block, 0, new.define)
        new.define(parameters, start | walk.all_of(parameters))
        return new

    def numbered(self, values: Iterable[str]) -> dict[str, int]:
        """A bit for each value; none for those that are alone with their base name."""
        families: dict[str, dict[str, None]] = {}
        for value in values:
            families.setdefault(ir.base_name(value), {})[value] = None
        bits: dict[str, int] = {}
        first = 0
        for base, family in families.items():
            alone = len(family) == 1
            self.masks[base] = 0 if alone else (1 << len(family)) - 1
            for place, value in enumerate(family):
                self.places[value], self.firsts[value] = place, first
                bits[value] = 0 if alone else 1 << (first + place)
            first += 0 if alone else len(family)
        return bits

    def define(self, names: Iterable[str], needed: int) -> None:
        for name in reversed(tuple(names)):  # from left to right, once the walk is turned round
            self.order.setdefault(name, len(self.order))
            mask = self.masks.get(ir.base_name(name), 0)
            if mask:
                others = needed >> self.firsts[name] & mask & ~(1 << self.places[name])
                self.needed[name] = self.needed.get(name, 0) | others


@dataclass
class _Holders:
    """The values that have one name, and the values that are needed where those are set."""

    values: int = 0
    needed: int = 0


@dataclass
class Family:
    """The holders of x, x_1, ...; what holds for all of them is looked at before each is, of which there may be many.

    values: those that any holder has. by_all: values that are needed at every holder, as far as is known.
    has_gaps: a parameter has a later name, so that nothing may have an earlier one.
    """

    holders: list[_Holders] = field(default_factory=list)
    values: int = 0
    by_all: int = -1
    has_gaps: bool = False

    def free(self, own: int, needed: int) -> Iterator[int]:
        """The holders none of whose values is needed where a value is set, or needs that where it is set."""
        if not self.has_gaps and (own & self.by_all or not self.values & ~needed):
            return iter(())
        pairs = enumerate(self.holders)
        return (k for k, h in pairs if not (h.values & needed or h.needed & own))

    def give(self, number: int, own: int, needed: int) -> None:
        while len(self.holders) < number:
            self.holders.append(_Holders())
            self.has_gaps = True
        if len(self.holders) == number:
            self.holders.append(_Holders())
            self.by_all &= needed
        self.holders[number].values |= own
        self.holders[number].needed |= needed
        self.values |= own


@dataclass
class Choice:
    """The names given so far."""

    conflicts: Conflicts
    names: dict[str, str] = field(default_factory=dict)
    owners: dict[str, Kin] = field(default_factory=dict)
    families: dict[str, Family] = field(default_factory=dict)  # by base name

    def name(self, value: str, taken: frozenset[str]) -> None:
        """The first of x, x_1, x_2, ... that no value needed at the same time has, nor one of another kind."""
        kin = base, _ = _kin(value)
        own, needed = 1 << self.conflicts.places[value], self.conflicts.needed.get(value, 0)
        family = self.family(base)
        free = family.free(own, needed)
        for number in itertools.chain(free, itertools.count(len(family.holders))):
            name = _numbered(base, number)
            if name not in taken and self.owners.get(name, kin) == kin:
                self.give(value, number)
                return

    def name_parameter(self, value: str, taken: frozenset[str]) -> None:
        base, given = ir.base_name(value), taken.union(self.names.values())
        self.give(value, next(k for k in itertools.count() if _numbered(base, k) not in given))

    def keep(self, known: Mapping[str, str], taken: frozenset[str]) -> None:
        """The names that values have elsewhere, where no other has them."""
        given = taken.union(self.names.values())
        for value, name in known.items():
            if value in self.conflicts.places and value not in self.names and name not in given:
                self.give(value, _number(ir.base_name(value), name))

    def give(self, value: str, number: int) -> None:
        base, _ = kin = _kin(value)
        self.names[value] = name = _numbered(base, number)
        self.owners[name] = kin
        own, needed = 1 << self.conflicts.places[value], self.conflicts.needed.get(value, 0)
        self.family(base).give(number, own, needed)

    def family(self, base: str) -> Family:
        if base not in self.families:
            self.families[base] = Family()
        return self.families[base]


def unlike(base: str, others: Iterable[str]) -> str:
    """The first of x, x_1, x_2, ... that is none of the others."""
    names = (_numbered(base, number) for number in itertools.count())
    return next(name for name in names if name not in others and name not in _KEYWORDS)


def _numbered(base: str, number: int) -> str:
    return f"{base}_{number}" if number else base


def _number(base: str, name: str) -> int:
    """The place of a name among x, x_1, x_2, ..."""
    return 0 if name == base else int(name.removeprefix(f"{base}_"))


def _kin(value: str) -> Kin:
    return ir.base_name(value), is_made(value)


def is_made(value: str) -> bool:
    """Whether a value is none of the user's."""
    return "~" in value or value.startswith(".") or "+" in value


def _version(value: str) -> int:
    tail = value.rpartition(".")[2].partition("@")[0]
    return int(tail) if tail.isdigit() else 0
