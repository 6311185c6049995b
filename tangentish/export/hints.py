"""Kinds as an exported module says them: type hints, words for its docstrings, and what its guards compare with."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tangentish.analysis.guards import AttributeGuard
from tangentish.export.finding import Unexportable
from tangentish.kinds import Kind, Known, Num, Opaque, Tup
from tangentish.kinds.kinds_of_values import kind_of
from tangentish.kinds.lengths import TWO, Length

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
        case Tup():
            return _container(kind, hint)
    return "Any"


def gradient_hint(kind: Kind) -> str:
    """The type hint of a gradient with respect to a value of a kind."""
    match kind:
        case Num(dtype=dtype) if dtype is not None and dtype.kind == "f":
            return hint(kind)
        case Tup():
            return _container(kind, gradient_hint)
    return "None"


def _container(kind: Tup, hint_of: Callable[[Kind], str]) -> str:
    """The type hint of a container; of objects, whose classes are not known in the module, none."""
    hints = list(map(hint_of, kind.items))
    item = hints[0] if len({*hints}) == 1 else "Any"
    if kind.is_list:
        return f"list[{item}]"
    if kind.is_mapping:
        return f"dict[{_key_type(kind)}, {item}]"
    return f"tuple[{', '.join(hints) or '()'}]" if kind.is_counted else "Any"


def _key_type(kind: Tup) -> str:
    types = {type(key).__name__ for key in kind.keys or ()}
    return types.pop() if len(types) == 1 else "Any"


def _class_of(dtype: np.dtype[Any]) -> str:
    return f"np.{dtype.type.__name__}"


@dataclass
class Specs:
    """Kinds as the guards compare with them (guards.py): equal lengths get the same letter.

    layout: whether the layout of arrays matters.
    guards: what the text depends on; attributes of classes are looked at with the objects.
    two: whether it matters which lengths are 2.
    """

    layout: bool
    guards: Sequence[object] = ()
    two: bool = False
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
            case Opaque(type=kind_type) if kind_type is not None:
                return "object", kind_type.__qualname__, None
            case Tup(items=items, type=None):
                form = "list" if kind.is_list else "tuple"
                return form, tuple(self.of(f"{name}[{k}]", item) for k, item in enumerate(items))
            case Tup(items=items, is_mapping=True) if _are_literals(kind.keys or ()):
                parts = zip(kind.keys or (), items, strict=True)
                return "dict", tuple(
                    (key, self.of(f"{name}[{key!r}]", item)) for key, item in parts
                )
            case Tup(items=items, keys=keys, type=kind_type) if keys is not None and kind_type:
                parts = zip(map(str, keys), items, strict=True)
                attributes = tuple((key, self.of(f"{name}.{key}", item)) for key, item in parts)
                shared = tuple(dict.fromkeys(self.of_class(name, kind_type)))
                return "object", kind_type.__qualname__, attributes, *((shared,) if shared else ())
        raise Unexportable(
            f"the argument {name!r} is {_what(kind)}: an exported function takes numbers, arrays, "
            f"strings, None, and tuples, lists, dicts and objects of these{_way_out(kind)}"
        )

    def of_class(self, name: str, owner: type) -> Iterator[tuple[str, Any]]:
        """The attributes of a class that are read; its functions are written into the module."""
        for guard in self.guards:
            if isinstance(guard, AttributeGuard) and guard.owner in owner.__mro__:
                kind = kind_of(guard.value)
                if not isinstance(kind, Known) or guard.value is None:
                    yield guard.name, self.of(f"{name}.{guard.name}", kind)

    def axes(self, shape: Sequence[Any] | None) -> tuple[str | int, ...] | None:
        if shape is None:
            return None
        return tuple(map(self.axis, shape))

    def axis(self, length: Length) -> str | int:
        if length in (0, 1):
            return length
        if self.two and length == TWO:
            return 2
        return self.letter(object() if length is None else length) + ">2" * self.two

    def letter(self, length: Hashable) -> str:
        used = len(self.letters)
        return self.letters.setdefault(length, "nmklpqrs"[used] if used < 8 else f"n{used}")


def spec_text(spec: Any, used: int = 0) -> str:
    """A spec as the module has it, of which `used` characters of the line are taken; a long one on several lines."""
    if isinstance(spec, type):
        return f"np.{spec.__name__}" if issubclass(spec, np.generic) else spec.__name__
    if not isinstance(spec, tuple):
        text = repr(spec)
        return text if '"' in text or "\\" in text else text.replace("'", '"')
    text = f"({', '.join(map(spec_text, spec))}{',' * (len(spec) == 1)})"
    if used + len(text) < 100:
        return text
    items = "".join(f"{spec_text(item, 4)},\n" for item in spec)
    return f"(\n{textwrap.indent(items, '    ')})"


def _are_literals(keys: Sequence[object]) -> bool:
    return all(type(key) in (str, int, bool) for key in keys)


def _way_out(kind: Kind) -> str:
    match kind:
        case Known(value=value) if callable(value):
            return "; export a function of yours that calls this one and names what it gives it"
    return ""


def _what(kind: Kind) -> str:
    match kind:
        case Known(value=value):
            return "a class" if isinstance(value, type) else f"a {type(value).__name__}"
        case Tup(keys=keys) if keys is not None:
            return "a dict with keys that are neither strings nor integers"
    return "of an unknown kind"
