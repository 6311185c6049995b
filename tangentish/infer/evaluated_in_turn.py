"""The arguments of a call, one after the other: an object is what those behind it made of it when the call begins.

m.mstep(x, m.estep(x))    m has the attributes that estep gave it
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.in_loops import seek_name
from tangentish.infer.known_functions import has_rule
from tangentish.infer.literals import known_key
from tangentish.infer.walk import Walk
from tangentish.kinds import Tup
from tangentish.rules.rule import ABSENT

# What takes the elements of its arguments, or hands them to a loop.
_USING_UP: list[Any] = [enumerate, list, sorted, tuple, zip]


class EvaluatedInTurn(Walk):
    """The part of the walk that looks at the arguments of a call."""

    def evaluate_in_turn(
        self, function: Any, arguments: Sequence[Any], receiver: Any = None
    ) -> None:
        """receiver: what a method is of, which has been looked at: once more would be after its own changes."""
        for argument in arguments:
            if has_rule(function) or function in _USING_UP:
                self.use_flat(argument)
            if argument is not receiver or not self.calls_user(argument):
                self.expression(argument)
        for argument in arguments[:-1]:
            kind = self.kind(argument)
            if isinstance(argument, gast.Name) and isinstance(kind, Tup) and kind.is_object:
                self.expression(argument)

    def calls_user(self, node: Any) -> bool:
        return any(self.facts.user_of(part) is not None for part in ir.walk(node))

    def known_key(self, index: Any) -> Any:
        """The key that an index is known to be: d[o.key()] is d["a"] where a line before calls o.key()."""
        key = known_key(index, self.kind(index))
        if key is not ABSENT and any(map(self.changes_something, ir.walk(index))):
            seek_name(self, index)
            self.refuse("this call changes something: give what it gives a name first", index)
            return ABSENT
        return key

    def changes_something(self, node: Any) -> bool:
        user = self.facts.user_of(node)
        return user is not None and not (user.quiet and node not in self.facts.handed)
