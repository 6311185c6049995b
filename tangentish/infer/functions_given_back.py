"""Functions that a call leaves behind: in what it returns, or in an object that it is given.

p = Process(k, lambda t: start + ramp * t), whose __init__ keeps it

What is made here reads variables of this function, wherever it is kept. What the call itself made captured variables
that are gone with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish.infer.function_values import FunctionValues
from tangentish.kinds import UNKNOWN, Fun, Kind
from tangentish.language.lifted import Routine


class FunctionsGivenBack(FunctionValues):
    """The part of the walk that knows them."""

    def note_variables(self, values: Sequence[str], arguments: Sequence[Any], node: Any) -> None:
        """What functions that a call is given read there, by the variables that it is here."""
        func = getattr(node, "func", None)
        functions = func.lifted.functions if isinstance(func, Routine) else ()
        read = {v for _, kind in functions if isinstance(kind, Fun) for v in kind.values}
        self.variables_given[node] = {
            value: argument.id
            for value, argument in zip(values, arguments, strict=True)
            if self.is_captured(argument, node)
            or (value in read and isinstance(argument, gast.Name))
        }

    def returned_function(self, kind: Fun, node: Any) -> Kind:
        """One that the call was given, as it is known here; nothing is known of any other that captures something."""
        given = self.variables_given.get(node, {})
        if not kind.options and all(value in given for value in kind.values):
            return self.refreshed(Fun(kind.function, tuple((n, given[v]) for n, v in kind.cells)))
        self.read_later(node, tuple(given.values()))
        if kind.active:
            text = "this gives a function that captures differentiated values: not supported yet"
            self.refuse(text, node)
        return UNKNOWN if kind.cells else kind
