"""What a list gets more by, one after another: `xs += (f(v) for v in c)` adds each item before it asks for the next.

Here all are made before, which nobody can tell, unless they read the list, or an exception ends them half way.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer.walk import Walk
from tangentish.kinds import UNKNOWN, Opaque, Seq, buffers_of, functions_in, own_memory
from tangentish.language.generators import is_generator

_ONCE = "a list gets more by what gives its elements once: make that a list"
_READS = "what this list gets more by reads the list while it grows: make that a list"
_ENDED = "a list gets more, one by one, in a try: make that a list"

_GIVING_ONCE: set[Any] = {enumerate, filter, iter, map, reversed, zip}


class AddedMeanwhile(Walk):
    """The part of the walk that knows what is made while a list takes it."""

    def note_replaced(self, kind: Seq) -> None:
        """A line gives other places to dicts or objects, whose entries these are, or puts others in their place."""
        if getattr(self.statement, "origin", None) in self.replacing:
            self.facts.replaced |= kind.buffers

    def check_added(self, node: Any, grown: Seq) -> None:
        if not self.comes_once(node):
            return
        if self.reads(node, grown):
            self.refuse(_READS, node)
        elif self.is_tried(node):
            self.refuse(_ENDED, node)
        elif isinstance(self.kind(node), Opaque):
            self.refuse(_ONCE, node)
        elif isinstance(node, gast.GeneratorExp) and not self.kind(node).active:
            self.answered_by(node, lambda: gast.ListComp(node.elt, node.generators))

    def comes_once(self, node: Any) -> bool:
        """Whether what this gives is made when it is asked for."""
        function = self.facts.function_of(node)
        made = is_generator(function) or function in _GIVING_ONCE
        return isinstance(node, gast.GeneratorExp) or made

    def reads(self, node: Any, grown: Seq) -> bool:
        """Whether a list, or what may hold it, has a name in an expression, or in functions that have one."""
        seen: set[str] = set()
        names = list(ir.names_in(node))
        while names:
            name = names.pop()
            kind = self.env.kinds.get(name, UNKNOWN)
            if own_memory(grown) & buffers_of(kind):
                return True
            seen.add(name)
            names += {value for fun in functions_in(kind) for value in fun.values} - seen
        return False

    def is_tried(self, node: Any) -> bool:
        tries = (n for n in gast.walk(self.source.tree) if isinstance(n, gast.Try))
        return any(t.lineno <= node.lineno <= t.end_lineno for t in tries)
