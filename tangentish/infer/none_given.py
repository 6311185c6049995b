"""Arguments that may be None, where a function given None is another one, for which there is another row.

w = None if even else np.ones(4)
np.average(x, weights=w)        -> refused: a mean where w is None
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tangentish.infer.calls_refused import CallsRefused
from tangentish.infer.known_functions import function_name
from tangentish.kinds import Num
from tangentish.rules import Rule, select
from tangentish.rules.rule import ABSENT

_ANOTHER = (
    "an argument of {name} may be None here, which is another function then: ask whether it is, "
    "and call it without this argument there"
)


class NoneGiven(CallsRefused):
    """The part of the walk that knows where an argument that may be None asks for two rows."""

    def refuse_none_given(
        self, function: Any, rows: Any, args: Sequence[Any], keywords: Mapping[str, Any], node: Any, numbers: str
    ) -> bool:  # fmt: skip
        """Whether there is a row of its own for the call where an argument is None."""
        kinds = self.facts.kinds
        for argument in (*args, *keywords.values()):
            kind = kinds.get(argument)
            if isinstance(kind, Num) and kind.optional:
                call = rows, args, keywords, numbers
                found = self.row_with(argument, None, *call)
                if found is not None and found is not self.row_with(argument, ABSENT, *call):
                    self.refuse(_ANOTHER.format(name=function_name(function)), node)
                    return True
        return False

    def row_with(
        self, one: Any, value: object, rows: Any, args: Sequence[Any], keywords: Mapping[str, Any], numbers: str
    ) -> Rule | None:  # fmt: skip
        """The row for a call where one argument, of which no axes are known, is this literal, or none."""

        def literal(e: Any) -> object:
            return value if e is one else self.flag(e)

        def rank(e: Any) -> int | None:
            return None if e is one else self.rank(e)

        found = select(rows, args, keywords, literal, rank, self.is_sequence, numbers)
        return None if found is None else found[0]
