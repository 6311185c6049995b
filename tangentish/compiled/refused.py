"""What Numba takes, or takes no notice of, but means otherwise than Python: refused before anything is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from tangentish import ir
from tangentish.compiled.outside import GLOBAL_RANDOM
from tangentish.errors import Refusal
from tangentish.kinds import Kind, Num, Seq
from tangentish.language.source import Source


def refusals_of(block: ir.Block, source: Source, kinds: Mapping[str, Kind]) -> list[Refusal]:
    """The refusals of the user's statements in a block of generated code; `kinds` are those of its values."""
    found: dict[tuple[int, str], Refusal] = {}
    for name, kind in kinds.items():
        if isinstance(kind, Num) and kind.dtype is not None and _wraps(kind.dtype):
            narrow = NARROW.format(name=ir.base_name(name), dtype=kind.dtype)
            found[0, narrow] = Refusal(narrow, source.tree)
        if isinstance(kind, Seq) and kind.keyed and kind.active:
            keyed = KEYED.format(name=ir.base_name(name))
            found[0, keyed] = Refusal(keyed, source.tree)
        if isinstance(kind, Seq) and _is_of_several_types(kind.item):
            several = SEVERAL.format(name=ir.base_name(name))
            found[0, several] = Refusal(several, source.tree)
    for expression in (e for s in ir.walk_statements(block) for e in ir.expressions_of(s)):
        for node in ir.walk(expression):
            message = _message(node, source) or _message_of_class(node, kinds)
            if message is not None:
                found[getattr(node, "lineno", 0), message] = Refusal(message, node)
    return list(found.values())


NARROW = (
    "'{name}' is of {dtype}, whose values NumPy keeps in range and compiled code computes with 64 bits: "
    "convert it with astype(int) before"
)
KEYED = "'{name}' is a dict whose keys are computed, which compiled code does not take yet"
SEVERAL = (
    "'{name}' holds numbers of several types, which compiled code would compute as one: "
    "convert them with float() before"
)


CLASS = "compiled code can't tell NumPy's numbers from Python's: ask for the class before"


def _is_of_several_types(kind: Kind | None) -> bool:
    """Whether elements are numbers, some perhaps of another precision than others."""
    return isinstance(kind, Num) and kind.dtype is None and kind.array is False


def _wraps(dtype: Any) -> bool:
    """Whether numbers of a dtype are commonly cut to its range."""
    return bool(dtype.kind == "u" or (dtype.kind == "i" and dtype.itemsize < 4))


def _message(node: Any, source: Source) -> str | None:
    match node:
        case gast.Attribute(value=gast.Attribute(value=gast.Name(id=name), attr="random")):
            return GLOBAL_RANDOM if _is_module(name, "numpy", source) else None
        case gast.Attribute(value=gast.Name(id=name)) if _is_module(name, "numpy.random", source):
            return GLOBAL_RANDOM
        case gast.Attribute(value=gast.Name(id=name)) if _is_module(name, "random", source):
            return GLOBAL_RANDOM
        case gast.Global() | gast.Nonlocal():
            return "compiled code can't bind names outside; return the value instead"
        case gast.Call(keywords=keywords) if any(k.arg == "out" for k in keywords):
            return "out= is not there in compiled code; write x[...] = f(...) instead"
    return None


def _message_of_class(node: Any, kinds: Mapping[str, Kind]) -> str | None:
    match node:
        case gast.Call(func=gast.Name(id="isinstance" | "$isinstance"), args=[asked, classes]):
            kind = kinds.get(asked.id) if isinstance(asked, gast.Name) else None
            if isinstance(kind, Num) and kind.dtype == float:
                return None  # NumPy's float64 is a float of Python's, too
            names = {name.lstrip("$") for name in ir.names_in(classes)}
            return CLASS if names & {"bool", "int", "float"} else None
    return None


def _is_module(name: str, module: str, source: Source) -> bool:
    if name == "$np":
        return module == "numpy"
    if ir.is_value(name) or name.startswith("$") or source.where(name) is None:
        return False
    return getattr(source.lookup(name), "__name__", None) == module
