"""Kinds as an exported module says them: type hints, words for its docstrings, and what its guards compare with."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tangentish.export.finding import Unexportable
from tangentish.kinds import Kind, Known, Num, Opaque, Tup

__all__ = ["Specs", "gradient_hint", "hint", "spec_text"]

WEAK = {"float64": float, "int64": int, "bool": bool, "complex128": complex}


def hint(kind: Kind) -> str:
    """The type hint of a value of a kind."""
    match kind:
        case Num(dtype=np.dtype() as dtype, array=True, optional=False):
            return f"NDArray[{_class_of(dtype)}]"
        case Num(dtype=np.dtype() as dtype, array=False, optional=False):
            return WEAK[dtype.name].__name__ if kind.weak else _class_of(dtype)
        case Known(value=None):
            return "None"
        case Known(value=str()):
            return "str"
        case Opaque(type=kind_type) if kind_type is str:
            return "str"
        case Tup(items=items, is_list=False, keys=None):
            return f"tuple[{', '.join(map(hint, items)) or '()'}]"
        case Tup(items=items):
            inner = {*map(hint, items)}
            item = inner.pop() if len(inner) == 1 else "Any"
            return f"list[{item}]" if kind.keys is None else f"dict[{_key_type(kind)}, {item}]"
    return "Any"


def gradient_hint(kind: Kind) -> str:
    """The type hint of a gradient with respect to a value of a kind."""
    match kind:
        case Num(dtype=dtype) if dtype is not None and dtype.kind == "f":
            return hint(kind)
        case Tup(items=items, is_list=False, keys=None):
            return f"tuple[{', '.join(map(gradient_hint, items)) or '()'}]"
        case Tup(items=items):
            inner = {*map(gradient_hint, items)}
            item = inner.pop() if len(inner) == 1 else "Any"
            return f"list[{item}]" if kind.keys is None else f"dict[{_key_type(kind)}, {item}]"
    return "None"


def _key_type(kind: Tup) -> str:
    types = {type(key).__name__ for key in kind.keys or ()}
    return types.pop() if len(types) == 1 else "Any"


def _class_of(dtype: np.dtype[Any]) -> str:
    return f"np.{dtype.type.__name__}"


@dataclass
class Specs:
    """Kinds as the guards compare with them (guards.py): equal lengths get the same letter.

    layout: whether the layout of arrays matters.
    """

    layout: bool
    letters: dict[Hashable, str] = field(default_factory=dict)

    def of(self, name: str, kind: Kind) -> Any:
        """What the argument `name` has to be."""
        match kind:
            case Num(dtype=dtype, array=True) if dtype is not None:
                form = "contiguous" if self.layout and kind.contiguous else "array"
                return form, dtype.name, self.axes(kind.shape)
            case Num(dtype=dtype, array=False) if dtype is not None:
                return WEAK[dtype.name] if kind.weak else dtype.type
            case Known(value=None):
                return None
            case Known(value=str()):
                return str
            case Opaque(type=kind_type) if kind_type is str:
                return str
            case Tup(items=items, type=None):
                form = "list" if kind.is_list else "tuple"
                return form, tuple(self.of(name, item) for item in items)
            case Tup(items=items, is_mapping=True) if _are_literals(kind.keys or ()):
                specs = (self.of(name, item) for item in items)
                return "dict", tuple(zip(kind.keys or (), specs, strict=True))
        raise Unexportable(
            f"the argument {name!r} is {_what(kind)}: an exported function takes numbers, arrays, "
            "strings, None, and tuples, lists and dicts of these"
        )

    def axes(self, shape: Sequence[Any] | None) -> tuple[str | int, ...] | None:
        if shape is None:
            return None
        return tuple(1 if n == 1 else self.letter(n) for n in shape)

    def letter(self, length: Hashable) -> str:
        used = len(self.letters)
        return self.letters.setdefault(length, "nmklpqrs"[used] if used < 8 else f"n{used}")


def spec_text(spec: Any) -> str:
    """A spec as the module has it."""
    if isinstance(spec, type):
        return f"np.{spec.__name__}" if issubclass(spec, np.generic) else spec.__name__
    if not isinstance(spec, tuple):
        return repr(spec).replace("'", '"')
    return f"({', '.join(map(spec_text, spec))}{',' * (len(spec) == 1)})"


def _are_literals(keys: Sequence[object]) -> bool:
    return all(type(key) in (str, int, bool) for key in keys)


def _what(kind: Kind) -> str:
    match kind:
        case Known(value=value):
            return f"a {type(value).__name__}"
        case Tup(type=kind_type) if kind_type is not None:
            return f"an object of the class {kind_type.__name__}"
        case Opaque(type=kind_type) if kind_type is not None:
            return f"an object of the class {kind_type.__name__}"
    return "of an unknown kind"
