"""Arguments that are dicts get no entries under computed keys: these would be among those of the gradient."""

from __future__ import annotations

from types import FunctionType

from tangentish import ir
from tangentish.analysis.reached import Analysis
from tangentish.errors import NotDifferentiable
from tangentish.kinds import Seq
from tangentish.language.lifted import Lifted, as_written


def check_stores_by_key(function: FunctionType | Lifted, analysis: Analysis) -> None:
    """Refuse a function that stores to a dict that it is given under keys that are computed."""
    for k in analysis.written:
        value = analysis.function.parameters[k]
        kind = analysis.facts.entry[value]
        if isinstance(kind, Seq) and kind.keyed:
            plain = as_written(function)
            name = ir.base_name(value)
            raise NotDifferentiable(
                f"{plain.__name__} stores to '{name}' under keys that are computed: store to another dict"
            )
