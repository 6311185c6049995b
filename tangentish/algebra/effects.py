"""Which expressions of generated code change nothing, so that they may be evaluated later than they stand."""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir, runtime
from tangentish.analysis.list_changes import TAKING
from tangentish.language.changing_names import FUNCTIONS

BUILTINS = {"abs", "enumerate", "float", "int", "len", "max", "min", "range", "reversed", "zip"}
CHANGING = TAKING | {"$put_back", "$set_contents", "$set_item", "$set_items", "$put_entry"}


def has_no_effects(value: Any) -> bool:
    """Whether all that an expression calls is of NumPy, or a helper that changes nothing."""
    return all(_is_pure(node.func) for node in ir.walk(value) if isinstance(node, gast.Call))


def _is_pure(function: Any) -> bool:
    match function:
        case gast.Name(id=name) if name.startswith("$"):
            known = name[1:] in BUILTINS or name == "$list" or hasattr(runtime, name[1:])
            return known and name not in CHANGING
        case gast.Name(id=name):
            return name in BUILTINS
        case gast.Attribute(value=gast.Name(id="$np" | "$math"), attr=attr):
            return attr not in FUNCTIONS
        case gast.Attribute(
            value=gast.Attribute(value=gast.Name(id="$np" | "$scipy"), attr=module)
        ):
            return module in ("linalg", "fft", "special")
        case gast.Attribute(attr=attr):
            return attr in ("copy", "reshape")
    return False
