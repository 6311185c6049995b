"""What a line computes from numbers and arrays is known where it reads what it read on the trip before.

for i in range(n):
    a = np.sin(a) * 0.5 + b     # a lies in the memory of an argument on the first trip: looked at again
    b = b * a + i               # the same on each trip: looked at once

Trips are followed until nothing new is found, and most lines of a loop find nothing new on the second. Only arithmetic,
functions by element and places of arrays are passed over: what they give is told by what their names hold.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.found_later import FoundLater
from tangentish.kinds import Kind, Num

_OF_PARTS = frozenset((gast.BinOp, gast.UnaryOp, gast.Subscript, gast.Slice, gast.Tuple))


class _Line(NamedTuple):
    """What a line computed when it was looked at last.

    read: what its names held. kinds: what it is made of, of which a part may stand in another line, too. memory: where
    the result lies, as far as that is made here. symbols: the nodes of it that made some.
    """

    read: tuple[Any, ...]
    kind: Kind
    kinds: dict[Any, Kind]
    memory: tuple[Hashable, ...]
    symbols: frozenset[int]


@dataclass
class SameAgain(FoundLater):
    """The part of the walk that remembers what the lines of loops computed."""

    lines_known: dict[Any, _Line] = field(default_factory=dict)

    def value_of_line(self, value: Any) -> Kind:
        """The kind of what a line assigns."""
        if not self.loops_around:
            return self.expression(value)
        read = self.read_by(value)
        line = self.lines_known.get(value)
        if line is not None and line.read == read:
            for site in line.memory:
                self.env.age(site)
            self.symbols |= line.symbols
            self.facts.kinds.update(line.kinds)
            return line.kind
        kind = self.expression(value)
        stale = any(writers for *_, writers in read)
        if kind.__class__ is Num and not stale and self.is_told_by_names(value):
            parts, known = ir.walk(value), self.facts.kinds
            nodes, kinds = (
                set(map(id, parts)),
                {part: known[part] for part in parts if part in known},
            )
            memory = tuple(b.site for b in kind.buffers if not b.old and b.site in nodes)
            symbols = frozenset(nodes & self.symbols)
            self.lines_known[value] = _Line(read, kind, kinds, memory, symbols)
        return kind

    def read_by(self, value: Any) -> tuple[Any, ...]:
        """What is known of the names in an expression: what they hold, or are views of, and whether they may have none.

        Last the writes that made them stale.
        """
        env = self.env
        kinds, paths, maybe = env.kinds.content(), env.paths.content(), env.maybe.content()
        stale, names = env.stale.content(), ir.values_in(value)
        return tuple([(kinds.get(n), paths.get(n), n in maybe, stale.get(n)) for n in names])

    def is_told_by_names(self, node: Any) -> bool:
        """Whether all that an expression gives is told by what its names hold."""
        match node:
            case gast.Constant():
                return True
            case gast.Name(id=name):
                return ir.is_value(name) and self.facts.kinds.get(node).__class__ is Num
            case gast.Call(args=args, keywords=[]):
                callee = self.facts.callees.get(node)
                known = callee is not None and isinstance(callee.function, np.ufunc)
                return known and all(map(self.is_told_by_names, args))
        return node.__class__ in _OF_PARTS and all(map(self.is_told_by_names, ir.children(node)))
