"""Writes to what an expression gives, or a name of which nothing is known: `ident(w).fill(5.0)`, `[w, 1][0][0] = 7.0`.

Where the memory is not understood, it may be all that the expression mentions.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer.writes import Writes
from tangentish.kinds import (
    NO_BUFFERS,
    UNKNOWN,
    Buffer,
    Kind,
    Num,
    Seq,
    Tup,
    buffers_of,
    functions_in,
    is_unknown,
)


class WrittenExpressions(Writes):
    """The part of the walk that follows writes to what has no name that is understood."""

    def writes_into(self, value: Any, node: Any) -> None:
        """What an expression gives, which carries no derivative, is written to."""
        memory = self.memory_of(value)
        if not self.check_no_global(memory, node):
            return
        root, touched = ir.owner_of(value), self.env.touched_by(memory)
        own = {root.id} if ir.is_own_name(root) else set()
        kinds = {n: self.env.kinds.get(n) for n in touched}  # what varies is refused elsewhere
        for kind in kinds.values():
            if isinstance(kind, Tup):
                self.written_inside(kind, kind, memory)
        arrays = {n for n, kind in kinds.items() if isinstance(kind, Num) and not kind.active}
        held = [memory & buffers_of(self.env.kinds[n]) for n in sorted(arrays)]
        for name, part in zip(sorted(arrays), held, strict=True):
            self.wrote(name, part, False)
        varying = (buffers_of(kind) for kind in kinds.values() if kind is not None and kind.active)
        left = memory - NO_BUFFERS.union(*held, *varying)
        if own and not isinstance(self.kind(root), (Tup, Seq)):
            left -= buffers_of(self.kind(value))  # as of a change of what holds others
        self.facts.written |= left
        for buffer in left - self.facts.out_of_sight.keys():
            self.facts.out_of_sight[buffer] = node
        if own - arrays:
            self.note_change(node, [value])

    def memory_of(self, value: Any) -> frozenset[Buffer]:
        """The memory that an expression may give; where nothing is known of it, all that its parts lie in."""
        kind = self.kind(value)
        if isinstance(kind, Num) and kind.buffers:
            return kind.buffers
        found = buffers_of(kind)
        for part in ir.walk(value):
            found |= self.memory_by(part) if isinstance(part, gast.AST) else NO_BUFFERS
            found |= (
                self.may_lie_in.get(part.id, NO_BUFFERS)
                if isinstance(part, gast.Name)
                else NO_BUFFERS
            )
        return found

    def memory_by(self, part: Any) -> frozenset[Buffer]:
        """The memory of a part of an expression; of a function that of what it captures, which it may give."""
        kind = self.facts.kinds.get(part, UNKNOWN)
        captured = (value for function in functions_in(kind) for value in function.values)
        held = (buffers_of(self.env.kinds.get(value, UNKNOWN)) for value in captured)
        return buffers_of(kind).union(*held)

    def note_kept(self, name: str, kind: Kind) -> None:
        super().note_kept(name, kind)
        match self.statement if not isinstance(kind, Num) and not kind.active else None:
            case ir.Assign(value=given) | ir.For(iter=given):
                memory = self.memory_of(given) - buffers_of(kind)
                if memory:
                    self.may_lie_in[name] = self.may_lie_in.get(name, NO_BUFFERS) | memory

    def is_not_understood(self, value: Any) -> bool:
        """Whether it is not known what is written to here, but that it carries no derivative."""
        kind = self.kind(value)
        return is_unknown(kind) and not kind.active
