"""What stands for functions that are known by the values that they hold."""

from __future__ import annotations

import threading
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar
from weakref import WeakKeyDictionary, ref

from tangentish.kinds import Cell, Fun, FunctionValue, Kind, Seq, Tup, replace, with_parts


class Partial(FunctionValue):
    """What functools.partial gives: `func`, and its arguments by position and name."""


class Inner(FunctionValue):
    """A function that another has given: what it captures, by the names that it has there.

    function: a weak reference to what stands for it (language/nested.py).
    """

    function: ClassVar[Callable[[], types.FunctionType | None]]


_CLASSES: WeakKeyDictionary[types.FunctionType, type[Inner]] = WeakKeyDictionary()
_LOCK = threading.Lock()


def inner_class(function: types.FunctionType) -> type[Inner]:
    """The class of the functions that one definition makes."""
    with _LOCK:
        if function not in _CLASSES:
            own: dict[str, Any] = {"function": staticmethod(ref(function))}
            _CLASSES[function] = type(function.__name__, (Inner,), own)
        return _CLASSES[function]


def functions_held(kind: Kind) -> Iterator[Tup]:
    """The functions that a value is, or has among its elements, if they are known by what they hold."""
    if isinstance(kind, Tup):
        if kind.is_function:
            yield kind
        for item in kind.items:
            yield from functions_held(item)


def with_those_they_read(
    values: Iterable[str], kind_of: Callable[[str], Kind | None]
) -> tuple[str, ...]:
    """Values, and the values that functions among them read."""
    found, rest = dict[str, None](), list(values)
    while rest:
        value = rest.pop()
        kind = None if value in found else kind_of(value)
        found[value] = None
        rest += kind.values if isinstance(kind, Fun) else ()
    return tuple(found)


def objects_held(kind: Kind) -> Iterator[Tup]:
    """The dicts and objects that a value is, or has among its elements."""
    if isinstance(kind, Tup):
        if kind.is_object or kind.is_mapping:
            yield kind
        for item in kind.items:
            yield from objects_held(item)
    elif isinstance(kind, Seq) and kind.item is not None:
        yield from objects_held(kind.item)


def holds_records(kind: Kind) -> bool:
    """Whether a value is a list of dicts or objects by their entries, or holds one."""
    if not isinstance(kind, Tup):
        return False
    return kind.is_records or any(map(holds_records, kind.items))


def as_given_here(kind: Kind) -> Kind:
    """What a call gives that carries no derivative: its functions are those of the program themselves.

    So are the variables that they bind.
    """
    kind = with_parts(kind, as_given_here)
    if isinstance(kind, Tup) and (kind.is_function or kind.type is Cell):
        return replace(kind, apart=False, virtual=False)
    return kind
