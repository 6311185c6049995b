"""Kinds: what each value is, as far as it can be known before anything runs.

A kind is a number or array (`Num`), a tuple or list of known length (`Tup`), a list that grows or is run over (`Seq`),
an object known when the gradient is generated (`Known`), or something that carries no derivative (`Opaque`).
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from tangentish.kinds.lengths import Length, Shape
from tangentish.kinds.plain_containers import DICTS
from tangentish.kinds.stand_ins_of_containers import Cell, KeyedRecords, Records

if TYPE_CHECKING:
    from tangentish.asking.asked import Asked


class Buffer(NamedTuple):
    """Memory made at one place of the program: the newest array from there, or (old) any earlier one."""

    site: Hashable
    old: bool = False


Sites = frozenset[Hashable] | None
"""Where containers may have been made; None where that is not known."""

NO_BUFFERS: frozenset[Buffer] = frozenset()


class Num(NamedTuple):
    """A number or an array of numbers.

    shape: lengths of the axes, () for a scalar, None for an unknown rank.
    array: True for an ndarray, False for a scalar, None for "an array of that shape, or a scalar".
    weak: a Python number, which takes the dtype of what it meets.
    literal: the integer that it is, where the program says so and it names an axis.
    value: the length this integer is known to equal; of an array of bools, how many of them are true.
    distinct: of an array of integers, that they all differ and none is negative.
    part: (k, n) of the k-th of n arrays that were made together, and name no element twice together.
    optional: it may be None instead.
    contiguous: known to be C-contiguous, so that reshape and ravel give views.
    or_list: it may be a list or another container instead.
    axes: it has at least one axis, though how many there are is not known.
    or_int: what counts as floats may be integers instead, or the other way round: on another way, or by what max gives.
    or_weak: it may be a Python number instead, on another way.
    computed: arithmetic or NumPy gave it, so that it is a number or an array, though no more is known of it.
    or_varying: what may be an array is a number that varies on another way, of which the gradient is one number.
    """

    dtype: np.dtype[Any] | None
    shape: Shape | None
    array: bool | None
    weak: bool = False
    value: Length = None
    active: bool = False
    buffers: frozenset[Buffer] = NO_BUFFERS
    contiguous: bool = False
    optional: bool = False
    distinct: bool = False
    part: tuple[int, int] | None = None
    literal: int | None = None
    or_list: bool = False
    or_int: bool = False
    axes: bool = False
    or_weak: bool = False
    computed: bool = False
    or_varying: bool = False

    @property
    def is_number_or_array(self) -> bool:
        """Whether it is nothing else for sure: what varies on one way only may be anything on another."""
        return self.computed or self.shape is not None or self.array is not None

    @property
    def is_float(self) -> bool:
        return self.dtype is None or self.dtype.kind in "fc"

    @property
    def is_complex(self) -> bool:
        """Whether it may have an imaginary part; of an unknown dtype are only real numbers."""
        return self.dtype is not None and self.dtype.kind == "c"

    @property
    def is_double(self) -> bool:
        return self.dtype is not None and self.dtype == np.dtype(float)

    @property
    def is_scalar(self) -> bool:
        return self.array is False

    @property
    def holds_records(self) -> bool:
        """Whether an element is a record, which is a view of its place."""
        return self.dtype is not None and self.dtype.fields is not None

    @property
    def has_axes(self) -> bool:
        """Whether it is an array of at least one axis for sure, so that what is computed with it is an array."""
        return self.array is True and (self.axes if self.shape is None else bool(self.shape))

    @property
    def known(self) -> bool:
        """Whether the shape is known for sure, though a length may not be."""
        return self.shape is not None and self.array is not None

    @property
    def rank(self) -> int | None:
        return len(self.shape) if self.shape is not None and self.array is not None else None

    def has_dtype_of(self, other: Num) -> bool:
        return self.dtype == other.dtype and (self.dtype is None) == (other.dtype is None)

    # To NumPy None, the dtype that is not known, equals that of doubles.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Num):
            return False
        return tuple.__eq__(self, other) and (self.dtype is None) == (other.dtype is None)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self)


class FunctionValue:
    """A function by the values that it holds: what stands for the class of such functions (functions_given.py)."""


HELD = ("held",)
"""The key under which an object holds the memory of what it was made of, while none of its attributes is known."""


@dataclass(frozen=True, slots=True)
class Tup:
    """A tuple, a list, a dict or an object whose elements are known one by one.

    sites: where it may have been made.
    keys: the keys of a dict, the names of attributes; None where elements are only counted.
    type: the class of a named tuple or an object, dict for a dict.
    apart: its elements are values of their own, whether or not one carries a derivative here.
    virtual: no object of the program has these attributes: they are values of their own.
    optional: it may be None, or something that is not known, instead.
    told_by: the way to the element that is None where it is None itself, which is then such a container of None.
    """

    items: tuple[Kind, ...]
    is_list: bool = False
    sites: frozenset[Hashable] = frozenset()
    keys: tuple[Hashable, ...] | None = None
    type: type | None = None
    apart: bool = False
    virtual: bool = False
    optional: bool = False
    told_by: tuple[int, ...] | None = None

    @property
    def is_dict(self) -> bool:
        return self.type in DICTS

    @property
    def is_mapping(self) -> bool:
        return self.is_dict or issubclass(self.type or object, (Cell, Records))

    @property
    def is_records(self) -> bool:
        """Whether it is a list, or a dict, of dicts or objects, by the lists or dicts of their entries."""
        return self.type is not None and issubclass(self.type, (Records, KeyedRecords))

    @property
    def is_keyed_records(self) -> bool:
        return self.type is not None and issubclass(self.type, KeyedRecords)

    @property
    def is_object(self) -> bool:
        others = self.is_mapping or self.is_counted or self.is_function
        return self.keys is not None and not others

    @property
    def is_closed(self) -> bool:
        """Whether it is an object of which nothing is known but the memory of what it was made of."""
        return self.keys == (HELD,)

    @property
    def is_function(self) -> bool:
        """Whether it is a function that is known by what it holds."""
        return self.type is not None and issubclass(self.type, FunctionValue)

    @property
    def is_counted(self) -> bool:
        """Whether its elements have positions."""
        return self.keys is None or (self.type is not None and issubclass(self.type, tuple))

    @property
    def has_field_names(self) -> bool:
        """Whether it is a named tuple."""
        return self.keys is not None and self.is_counted

    def position(self, key: object) -> int | None:
        """Where the element of a literal index, or of an attribute, is."""
        if isinstance(key, int) and not isinstance(key, bool) and self.is_counted:
            return key % len(self.items) if -len(self.items) <= key < len(self.items) else None
        return self.keys.index(key) if self.keys is not None and key in self.keys else None

    @property
    def active(self) -> bool:
        """Functions stay where they are, whatever they capture."""
        return self.apart or any(i.active for i in self.items if not isinstance(i, Fun))

    @property
    def leaves_nothing(self) -> bool:
        """Whether it is not there under its own name, or by its class alone, where functions would read it."""
        return self.active or self.virtual


@dataclass(frozen=True, slots=True)
class Seq:
    """A list (or tuple) whose length is not known or changes; all its elements are of one kind.

    keyed: it is a dict instead, whose keys are computed; its values are of one kind.
    item: None where it has never held anything.
    buffers: the lists that it may be; what is written to one of them is seen through every name of it.
    optional: it may be None, or something that is not known, instead.
    default: what a dict holds under keys that it does not have, as text, and the method that asks for it.
    """

    item: Kind | None
    buffers: frozenset[Buffer] = NO_BUFFERS
    length: Length = None
    is_tuple: bool = False
    optional: bool = False
    keyed: bool = False
    default: tuple[str, str] | None = None

    @property
    def active(self) -> bool:
        return self.item is not None and self.item.active


@dataclass(frozen=True, eq=False, slots=True)
class Known:
    """An object known at generation: a function, a module, a string, None."""

    value: object

    @property
    def active(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@dataclass(frozen=True, slots=True)
class Fun:
    """A function that is made while the program runs.

    function: what stands for it (language/nested.py), None where it may be one of several.
    cells: the variables of the function at hand in which it finds what it captures.
    active: one of them carries a derivative.
    home: the variable of the function at hand that always holds it, if there is one.
    options: the functions that it may be, where they can be told apart.
    """

    function: types.FunctionType | None
    cells: tuple[tuple[str, str], ...]
    active: bool = False
    home: str | None = None
    options: tuple[Kind, ...] = ()

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(value for _, value in self.cells)


@dataclass(frozen=True, slots=True)
class Taken:
    """A derivative that the program takes of a function: `grad(f)`."""

    function: Fun | Known
    asked: Asked

    @property
    def active(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several functions that exist already; which one it is shows when the program runs.

    sure: it can be no other; what a list or dict of a module holds may have changed by then.
    """

    functions: tuple[Any, ...]
    sure: bool = True

    @property
    def active(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Functions:
    """A list or dict of a module that holds functions."""

    type: type
    item: OneOf

    @property
    def active(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value that carries no derivative and of which nothing is known but its type.

    item: what a list, or the values of a dict, of a module are: numbers, texts, or containers of these.
    buffers: the memory that it may be in, of what is one thing on one way and another on another.
    parts: what an object outside holds under which names, as far as that leads to what may be called.
    """

    type: type | None = None
    item: Kind | None = None
    buffers: frozenset[Buffer] = NO_BUFFERS
    parts: tuple[tuple[str, Kind], ...] = ()

    @property
    def active(self) -> bool:
        return False

    def part(self, name: str) -> Kind | None:
        """What an object outside holds under a name, where that is known."""
        return dict(self.parts).get(name)


@dataclass(frozen=True, slots=True)
class Sparse(Opaque):
    """A sparse matrix of SciPy with real numbers of this dtype, which carries no derivative.

    square: it has as many rows as columns.
    """

    dtype: np.dtype[Any] | None = None
    square: bool = False


@dataclass(frozen=True, slots=True)
class TypeOf(Opaque):
    """The type of a value, which is one of these: `t = type(x)`.

    exact: not one derived of them.
    """

    types: tuple[type, ...] = ()
    exact: bool = True


class Unfound(Opaque):
    """What the first trip of a loop reads of a list into which nothing was put so far: later trips find out."""


class TextThatVaries(str):
    """What stands for the class of texts that are made of values that vary."""

    __slots__ = ()


class Refused:
    """What stands in the place of something that was refused."""


Kind = Num | Tup | Seq | Known | Fun | Taken | OneOf | Functions | Opaque
UNKNOWN = Opaque()
TEXT_THAT_VARIES = Opaque(TextThatVaries)
NOTHING_YET = Unfound()
REFUSED = Opaque(Refused)  # what comes of it is not refused again


def buffers_of(kind: Kind) -> frozenset[Buffer]:
    """The memory that a value, or any part of it, may be in."""
    match kind:
        case Num(buffers=buffers):
            return buffers
        case Tup(items=items):
            return NO_BUFFERS.union(*map(buffers_of, items))
        case Seq(item=item, buffers=buffers):
            return buffers if item is None else buffers | buffers_of(item)
        case Opaque(buffers=buffers):
            return buffers
    return NO_BUFFERS


def closed_object(cls: type, site: Hashable, memory: frozenset[Buffer]) -> Tup:
    """The kind of an object that carries no derivative: what its attributes are is not asked."""
    return Tup((Opaque(buffers=memory),), False, frozenset({site}), (HELD,), cls)


def is_unknown(kind: Kind | None) -> bool:
    """Whether nothing is known of a value but the memory that it may be in."""
    return isinstance(kind, Opaque) and kind.type is None and kind.item is None


def unknown_in(*kinds: Kind) -> Opaque:
    """What is one of these, which have nothing in common: of lists, their own memory, too."""
    return Opaque(buffers=NO_BUFFERS.union(*map(_memory_of, kinds)))


def _memory_of(kind: Kind) -> frozenset[Buffer]:
    if not isinstance(kind, Tup):
        return buffers_of(kind)
    return NO_BUFFERS.union(map(Buffer, kind.sites), *map(_memory_of, kind.items))


@functools.lru_cache(maxsize=1 << 12)
def sites_of_buffers(buffers: frozenset[Buffer]) -> frozenset[Hashable]:
    return frozenset(buffer.site for buffer in buffers)


K = TypeVar("K")

_FIELDS_OF_NUM = {name: position for position, name in enumerate(Num._fields)}


def replace(kind: K, /, **changes: Any) -> K:
    """A kind, or any other dataclass, with some of its fields changed."""
    if isinstance(kind, Num):
        values = list(kind)
        for name, value in changes.items():
            values[_FIELDS_OF_NUM[name]] = value
        return tuple.__new__(Num, values)  # type: ignore[return-value]
    found: K = dataclasses.replace(kind, **changes)  # type: ignore[type-var]
    return found


def with_parts(kind: Kind, change: Callable[[Kind], Kind]) -> Kind:
    """A container with its parts changed; any other kind as it is."""
    match kind:
        case Tup(items=items):
            return replace(kind, items=tuple(map(change, items)))
        case Seq(item=item) if item is not None:
            return replace(kind, item=change(item))
    return kind


def inactive(kind: Kind) -> Kind:
    """The kind of what counts as constant."""
    if isinstance(kind, Num):
        return replace(kind, active=False)
    return with_parts(kind, inactive)


_PLAIN = (types.NoneType, bool, types.FunctionType, type(len), np.ufunc, type(np.sum))


def truth_of(kind: Kind | None) -> bool | None:
    """Whether a value of this kind is true; None where that shows when the program runs."""
    if isinstance(kind, Fun) or (isinstance(kind, Known) and type(kind.value) in _PLAIN):
        return isinstance(kind, Fun) or bool(kind.value)
    if not isinstance(kind, Tup) or kind.is_object or kind.is_function or may_be_none(kind):
        return None
    return bool(kind.items)


def may_be_none(kind: Kind) -> bool:
    """Whether a container may be None instead."""
    return isinstance(kind, (Tup, Seq)) and (
        kind.optional or (isinstance(kind, Tup) and kind.told_by is not None)
    )


def scalar(dtype: type | str = float, *, weak: bool = True, active: bool = False) -> Num:
    return Num(np.dtype(dtype), (), False, weak=weak, active=active)


def is_function(kind: Kind | None) -> bool:
    """Whether a value is a function, or a tuple of nothing else."""
    if isinstance(kind, Tup):
        return bool(kind.items) and all(map(is_function, kind.items))
    return isinstance(kind, (Fun, Taken)) or (isinstance(kind, Known) and callable(kind.value))


def same_form(a: Tup, b: Tup) -> bool:
    """Whether two containers have the same keys and are of the same class."""
    return (a.is_list, a.keys, a.type) == (b.is_list, b.keys, b.type)
