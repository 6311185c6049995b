"""Whether a function meets objects of which nothing is known."""

from __future__ import annotations

import gast

from tangentish.infer import Facts
from tangentish.infer.known_functions import is_of_library
from tangentish.kinds import Kind, Known, Opaque, Tup, is_unknown


def meets_others(facts: Facts) -> bool:
    """Whether there may be objects whose operators and attributes run code that is not seen."""
    values = (gast.Name, gast.Attribute, gast.Subscript)
    made = "."  # flags of ways out
    kinds = (
        kind
        for node, kind in facts.kinds.items()
        if isinstance(node, values) and not getattr(node, "id", "").startswith(made)
    )
    return any(is_unknown(kind) or _is_other(kind) for kind in kinds)


def _is_other(kind: Kind) -> bool:
    match kind:
        case Opaque(type=cls):
            return not is_of_library(cls)
        case Known(value=value):
            return not is_of_library(type(value))
        case Tup(type=cls) if kind.is_object:
            return not is_of_library(cls)
    return False
