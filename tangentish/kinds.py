"""Kinds: what each value is, as far as it can be known before anything runs.

A kind is a number or array (`Num`), a tuple or list of known length (`Tup`), a list that grows or is run over (`Seq`),
an object known when the gradient is generated (`Known`), or something that carries no derivative (`Opaque`). A length
is a constant, a `Dim` (a symbol plus an offset, cut off at zero) or None for unknown; two unknown lengths are never
equal.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tangentish.devices import is_array, is_device_array

if TYPE_CHECKING:
    from tangentish.asked import Asked

__all__ = [
    "as_sequence", "broadcast", "Buffer", "buffers_of", "Dim", "filled", "Fun", "Functions", "functions_in",
    "has_complex", "has_plain_attributes", "held_by", "is_function", "is_of_argument", "join", "Kind",
    "kind_of", "kinds_of", "Known", "leaves_of", "leaves_of_result", "Length", "length_plus", "memory_at",
    "Named", "NO_BUFFERS", "Num", "OneOf", "Opaque", "own_memory", "parts_of", "REFUSED", "Refused",
    "same_form", "same_shape", "scalar", "Seq", "Shape", "signature_of", "stand_ins", "Taken", "Tup",
    "UNKNOWN", "with_parts",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dim:
    """The length max(symbol + offset, 0)."""

    symbol: Hashable
    offset: int = 0


Length = int | Dim | None
Shape = tuple[Length, ...]


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory made at one place of the program: the newest array from there, or (old) any earlier one."""

    site: Hashable
    old: bool = False


NO_BUFFERS: frozenset[Buffer] = frozenset()


@dataclass(frozen=True, slots=True)
class Num:
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

    @property
    def is_float(self) -> bool:
        return self.dtype is None or self.dtype.kind in "fc"

    @property
    def is_complex(self) -> bool:
        """Whether it may have an imaginary part; of an unknown dtype are only real numbers."""
        return self.dtype is not None and self.dtype.kind == "c"

    @property
    def is_scalar(self) -> bool:
        return self.array is False

    @property
    def known(self) -> bool:
        """Whether the shape is known for sure, though a length may not be."""
        return self.shape is not None and self.array is not None

    @property
    def rank(self) -> int | None:
        return len(self.shape) if self.shape is not None and self.array is not None else None


@dataclass(frozen=True, slots=True)
class Tup:
    """A tuple, a list, a dict or an object whose elements are known one by one.

    sites: where it may have been made.
    keys: the keys of a dict, the names of attributes; None where elements are only counted.
    type: the class of a named tuple or an object, dict for a dict.
    apart: its elements are values of their own, whether or not one carries a derivative here.
    virtual: of an object, that no object of the program has these attributes: they are values of their own.
    """

    items: tuple[Kind, ...]
    is_list: bool = False
    sites: frozenset[Hashable] = frozenset()
    keys: tuple[Hashable, ...] | None = None
    type: type | None = None
    apart: bool = False
    virtual: bool = False

    @property
    def is_mapping(self) -> bool:
        return self.type is dict

    @property
    def is_object(self) -> bool:
        return self.keys is not None and not self.is_mapping and not self.is_counted

    @property
    def is_counted(self) -> bool:
        """Whether its elements have positions."""
        return self.keys is None or (self.type is not None and issubclass(self.type, tuple))

    def position(self, key: object) -> int | None:
        """Where the element of a literal index, or of an attribute, is."""
        if isinstance(key, int) and not isinstance(key, bool) and self.is_counted:
            return key % len(self.items) if -len(self.items) <= key < len(self.items) else None
        return self.keys.index(key) if self.keys is not None and key in self.keys else None

    @property
    def active(self) -> bool:
        """Functions stay where they are, whatever they capture."""
        return self.apart or any(i.active for i in self.items if not isinstance(i, Fun))


@dataclass(frozen=True, slots=True)
class Seq:
    """A list (or tuple) whose length is not known or changes; all its elements are of one kind.

    item: None where it has never held anything.
    buffers: the lists that it may be; what is written to one of them is seen through every name of it.
    """

    item: Kind | None
    buffers: frozenset[Buffer] = NO_BUFFERS
    length: Length = None
    is_tuple: bool = False

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

    function: what stands for it (nested.py), None where it may be one of several.
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
    """A value that carries no derivative and of which nothing is known."""

    type: type | None = None

    @property
    def active(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Named:
    """The arguments that `**options` takes: a dict of which the keys are known."""

    names: tuple[str, ...]
    items: tuple[Kind, ...]

    @property
    def active(self) -> bool:
        return any(item.active for item in self.items)


class Refused:
    """What stands in the place of something that was refused."""


Kind = Num | Tup | Seq | Known | Fun | Taken | OneOf | Functions | Named | Opaque
UNKNOWN = Opaque()
REFUSED = Opaque(Refused)  # what comes of it is not refused again


def buffers_of(kind: Kind) -> frozenset[Buffer]:
    """The memory that a value, or any part of it, may be in."""
    match kind:
        case Num(buffers=buffers):
            return buffers
        case Tup(items=items) | Named(items=items):
            return NO_BUFFERS.union(*map(buffers_of, items))
        case Seq(item=item, buffers=buffers):
            return buffers if item is None else buffers | buffers_of(item)
    return NO_BUFFERS


def own_memory(kind: Kind) -> frozenset[Buffer]:
    """The memory that a value itself may be; of a list, not that of its elements."""
    return kind.buffers if isinstance(kind, Seq) else buffers_of(kind)


def held_by(kind: Kind) -> frozenset[Buffer]:
    """The memory of the elements of a list."""
    return NO_BUFFERS if not isinstance(kind, Seq) or kind.item is None else buffers_of(kind.item)


def is_of_argument(buffer: Buffer, position: int) -> bool:
    """Whether memory belongs to an argument, or to a part of it."""
    return isinstance(buffer.site, tuple) and buffer.site[:2] == ("argument", position)


def memory_at(kind: Kind, path: Sequence[Hashable]) -> frozenset[Buffer]:
    """The memory of the part of an argument that a path leads to; of all of it where that is not known."""
    match kind, path:
        case Seq(buffers=buffers), ():
            return buffers
        case Tup(items=items), (int(k), *rest) if k < len(items):
            return memory_at(items[k], rest)
        case Seq(item=item), ("item", *rest) if item is not None:
            return memory_at(item, rest)
    return buffers_of(kind)


def with_parts(kind: Kind, change: Callable[[Kind], Kind]) -> Kind:
    """A container with its parts changed; any other kind as it is."""
    match kind:
        case Tup(items=items):
            return replace(kind, items=tuple(map(change, items)))
        case Seq(item=item) if item is not None:
            return replace(kind, item=change(item))
    return kind


def leaves_of(kind: Kind) -> list[Kind]:
    """The kinds of the values that a container is taken apart into; an object itself comes after its attributes."""
    if not (isinstance(kind, Tup) and kind.active):
        return [kind]
    leaves = [leaf for item in kind.items for leaf in leaves_of(item)]
    return [*leaves, Opaque(kind.type)] if kind.is_object else leaves


def leaves_of_result(kind: Kind) -> tuple[Kind, ...]:
    """The kinds of the values that a function returns, one by one."""
    if not isinstance(kind, Tup):
        return (kind,)
    leaves = [leaf for item in kind.items for leaf in leaves_of(item)]
    return (*leaves, Opaque(kind.type)) if kind.is_object else tuple(leaves)


def filled(form: Kind, leaves: Iterator[Kind]) -> Kind:
    """A container of this form, its elements of the kinds of `leaves`."""
    if not isinstance(form, Tup):
        return next(leaves)
    kind = replace(form, items=tuple(filled(item, leaves) for item in form.items))
    if kind.is_object:
        next(leaves)
    return kind


def stand_ins(form: Kind | None) -> list[tuple[int, Kind]]:
    """Which leaves of a form stand for objects themselves."""
    found: list[tuple[int, Kind]] = []

    def count(part: Kind, position: int) -> int:
        if not isinstance(part, Tup):
            return position + 1
        for item in part.items:
            position = count(item, position)
        if part.is_object:
            found.append((position, Opaque(part.type)))
            position += 1
        return position

    if form is not None:
        count(form, 0)
    return found


def as_sequence(kind: Tup) -> Seq:
    """The same list or tuple, its elements told apart no longer."""
    item = functools.reduce(join, kind.items) if kind.items else None
    buffers = frozenset(Buffer(site) for site in kind.sites)
    return Seq(item, buffers, len(kind.items), not kind.is_list)


def scalar(dtype: type | str = float, *, weak: bool = True, active: bool = False) -> Num:
    return Num(np.dtype(dtype), (), False, weak=weak, active=active)


def length_plus(length: Length, offset: int) -> Length:
    """The length max(length + offset, 0) for offset <= 0; for others only where it is exact."""
    if length is None or offset == 0:
        return length
    if isinstance(length, int):
        return max(length + offset, 0)
    if offset > 0 and length.offset < 0:
        return None
    return Dim(length.symbol, length.offset + offset)


def is_longer_than_one(length: Length) -> bool:
    """Whether a length is known not to be 1: that of an argument, of a callee's, or a number."""
    if not isinstance(length, Dim):
        return length is not None and length != 1
    symbol = length.symbol
    return length.offset == 0 and (
        isinstance(symbol, int) or (isinstance(symbol, tuple) and symbol[0] == "long")
    )


def same_length(a: Length, b: Length) -> bool:
    return a is not None and a == b


def same_shape(a: Shape | None, b: Shape | None) -> bool:
    """Whether two shapes are known to be equal."""
    return a is not None and b is not None and len(a) == len(b) and all(map(same_length, a, b))


def broadcast(shapes: Sequence[Shape]) -> Shape:
    """The shape that arrays of known ranks broadcast to; a length that can't be told is None."""
    rank = max(map(len, shapes), default=0)
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return tuple(_broadcast_axis(axis) for axis in zip(*padded, strict=True)) if rank else ()


def _broadcast_axis(lengths: tuple[Length, ...]) -> Length:
    others = {length for length in lengths if length != 1}
    if not others:
        return 1
    return others.pop() if len(others) == 1 else None


def broadcasts_to(small: Shape, large: Shape) -> bool:
    """Whether an array of shape `small` is known to broadcast to exactly `large`."""
    return len(small) <= len(large) and all(
        a == 1 or same_length(a, b) for a, b in zip(reversed(small), reversed(large), strict=False)
    )


# ---------------------------------------------------------------------------------------- joins


def join(a: Kind, b: Kind) -> Kind:
    """The kind of a value that comes from two ways through the program."""
    if a == b:
        return a
    if REFUSED in (a, b):
        return REFUSED
    if isinstance(a, Num) and isinstance(b, Num):
        return _join_numbers(a, b)
    if isinstance(a, (Tup, Seq)) and isinstance(b, (Tup, Seq)):
        return _join_containers(a, b)
    functions = [*functions_in(a), *functions_in(b)]
    if functions:
        return _join_functions(a, b, functions)
    for number, other in ((a, b), (b, a)):
        if isinstance(number, Num) and isinstance(other, Known) and other.value is None:
            return replace(number, optional=True)
    return _join_active(a if a.active else b) if a.active or b.active else _join_existing(a, b)


def _join_active(active: Kind) -> Kind:
    """What carries a derivative on one way only."""
    if isinstance(active, Num):
        dtype = active.dtype if active.is_complex else None
        return replace(active, dtype=dtype, shape=None, array=None, value=None, weak=False)
    return active


def _join_existing(a: Kind, b: Kind) -> Kind:
    one, other = _existing(a), _existing(b)
    if one is None or other is None:
        return UNKNOWN
    return _one_of((*one.functions, *other.functions), one.sure and other.sure) or UNKNOWN


def _one_of(functions: Sequence[Any], sure: bool) -> OneOf | None:
    different = tuple(dict.fromkeys(functions))
    return OneOf(different, sure) if 0 < len(different) <= MOST_FUNCTIONS else None


MOST_FUNCTIONS = 16  # that a call tells apart


def _existing(kind: Kind) -> OneOf | None:
    """The functions that a value may be."""
    if isinstance(kind, OneOf):
        return kind
    match kind:
        case Known(value=value) if _has_identity(value):
            return OneOf((value,))
    return None


def _has_identity(value: object) -> bool:
    """Whether this is a function that `is` tells from others."""
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType)):
        return True
    made_anew = isinstance(value, (type, types.MethodType))
    return callable(value) and not made_anew and type(value).__eq__ is object.__eq__


def _functions_held(value: Sequence[object] | dict[object, object]) -> Kind:
    """The kind of a list or dict outside: only that of functions says what it holds."""
    items = list(value.values() if isinstance(value, dict) else value)
    known = _one_of(items, sure=False) if all(map(_has_identity, items)) else None
    return Opaque(type(value)) if known is None else Functions(type(value), known)


def functions_in(kind: Kind) -> list[Fun]:
    """The functions that a value is, or has among its elements."""
    match kind:
        case Fun() | Taken(function=Fun()):
            return [kind.function if isinstance(kind, Taken) else kind]  # type: ignore[list-item]
        case Tup(items=items) | Named(items=items):
            return [function for item in items for function in functions_in(item)]
        case Seq(item=item) if item is not None:
            return functions_in(item)
    return []


def has_complex(kind: Kind) -> bool:
    """Whether a value is complex, or has complex numbers among its elements."""
    match kind:
        case Num():
            return kind.is_complex
        case Tup(items=items) | Named(items=items):
            return any(map(has_complex, items))
        case Seq(item=item) if item is not None:
            return has_complex(item)
    return False


def is_function(kind: Kind | None) -> bool:
    """Whether a value is a function, or a tuple of nothing else."""
    if isinstance(kind, Tup):
        return bool(kind.items) and all(map(is_function, kind.items))
    return isinstance(kind, (Fun, Taken)) or (isinstance(kind, Known) and callable(kind.value))


def _join_functions(a: Kind, b: Kind, functions: Sequence[Fun]) -> Kind:
    """One of several functions: what any of them captures it may capture."""
    active = a.active or b.active
    if any(isinstance(kind, Num) and kind.active for kind in (a, b)):
        return Num(None, None, None, active=True)
    first, *others = (replace(function, active=active) for function in functions)
    if isinstance(a, Fun) and isinstance(b, Fun) and others == [first]:
        return first
    cells = dict.fromkeys(cell for function in functions for cell in function.cells)
    return Fun(None, tuple(cells), active, None, _options(a, b))


def _options(a: Kind, b: Kind) -> tuple[Kind, ...]:
    """The functions that either of two values may be; none where they can't be told apart."""
    one, other = _alternatives(a), _alternatives(b)
    different = tuple(dict.fromkeys((*one, *other)))
    return different if one and other and len(different) <= MOST_FUNCTIONS else ()


def _alternatives(kind: Kind) -> tuple[Kind, ...]:
    match kind:
        case Fun(home=str()):
            return (replace(kind, active=False),)
        case Fun(options=options):
            return options
    known = _existing(kind)
    return tuple(map(Known, known.functions)) if known is not None and known.sure else ()


def _join_containers(a: Tup | Seq, b: Tup | Seq) -> Kind:
    if isinstance(a, Tup) and isinstance(b, Tup):
        if len(a.items) == len(b.items) and same_form(a, b):
            items, sites = tuple(map(join, a.items, b.items)), a.sites | b.sites
            apart, virtual = a.apart or b.apart, a.virtual or b.virtual
            return replace(a, items=items, sites=sites, apart=apart, virtual=virtual)
        functions = [*functions_in(a), *functions_in(b)]
        if functions:
            return _join_functions(a, b, functions)
        if not (a.active or b.active) or not (a.is_counted and b.is_counted):
            return UNKNOWN
    return _join_sequences(*(as_sequence(k) if isinstance(k, Tup) else k for k in (a, b)))


def same_form(a: Tup, b: Tup) -> bool:
    """Whether two containers have the same keys and are of the same class."""
    return (a.is_list, a.keys, a.type) == (b.is_list, b.keys, b.type)


def _join_sequences(a: Seq, b: Seq) -> Seq:
    items = [k.item for k in (a, b) if k.item is not None]
    item = functools.reduce(join, items) if items else None
    length = a.length if a.length == b.length else None
    return Seq(item, a.buffers | b.buffers, length, a.is_tuple and b.is_tuple)


def _join_numbers(a: Num, b: Num) -> Num:
    shape, array = _join_shapes(a, b)
    return Num(
        dtype=a.dtype if a.dtype == b.dtype else _join_dtype(a, b),
        shape=shape,
        array=array,
        weak=a.weak and b.weak,
        value=a.value if a.value == b.value else None,
        active=a.active or b.active,
        buffers=a.buffers | b.buffers,
        optional=a.optional or b.optional,
        contiguous=(a.contiguous or a.is_scalar) and (b.contiguous or b.is_scalar),
        distinct=a.distinct and b.distinct,
        part=a.part if a.part == b.part else None,
        literal=a.literal if a.literal == b.literal else None,
    )


def _join_dtype(a: Num, b: Num) -> np.dtype[Any] | None:
    """A number that starts as an integer constant (`y = 0`) and becomes a float counts as a float.

    One that is real on one way and complex on the other counts as complex.
    """
    if a.is_complex or b.is_complex:
        return np.result_type(*(np.dtype(float) if k.dtype is None else k.dtype for k in (a, b)))
    if a.dtype is None or b.dtype is None:
        return None
    if a.weak != b.weak:
        weak, strong = (a, b) if a.weak else (b, a)
        assert weak.dtype is not None
        assert strong.dtype is not None
        exact = strong.dtype == np.dtype(float) and weak.dtype.kind in "bif"
        return strong.dtype if exact else None
    if a.weak and a.dtype.kind in "if" and b.dtype.kind in "if":
        return np.dtype(float)
    return None


def _join_shapes(a: Num, b: Num) -> tuple[Shape | None, bool | None]:
    if a.shape is None or b.shape is None:
        return None, a.array if a.array == b.array else None
    if len(a.shape) == len(b.shape):
        shape = tuple(x if x == y else None for x, y in zip(a.shape, b.shape, strict=True))
        return shape, a.array if a.array == b.array else None
    if not a.shape or not b.shape:
        return a.shape or b.shape, None
    return None, True if a.array and b.array else None


# ------------------------------------------------------------------------- kinds of real values


def kinds_of(values: Sequence[object]) -> tuple[Kind, ...]:
    """The kinds of the arguments of one call: equal lengths get equal symbols.

    A `Num` among them stands for an array of that kind.
    """
    symbols: dict[int, Dim] = {}

    def length(n: int) -> Length:
        return 1 if n == 1 else symbols.setdefault(n, Dim(len(symbols)))

    def kind(value: object, place: tuple[Hashable, ...]) -> Kind:
        if is_array(value):
            return Num(
                value.dtype,
                tuple(map(length, value.shape)),
                True,
                buffers=frozenset({Buffer(place)}),
                contiguous=value.flags.c_contiguous,
            )
        if type(value) is int:
            return Num(np.dtype(int), (), False, weak=True, value=Dim(place))
        if type(value) is Num:
            return replace(value, buffers=frozenset({Buffer(place)}))
        if type(value) is str:
            return Opaque(str)  # a derivative serves any
        parts = parts_of(value) if len(place) < DEEPEST else None
        if parts is None:
            return kind_of(value)
        keys, elements = parts
        items = tuple(kind(item, (*place, k)) for k, item in enumerate(elements))
        named = None if type(value) in (tuple, list) else type(value)
        return Tup(items, type(value) is list, frozenset({place}), keys, named)

    return tuple(kind(value, ("argument", k)) for k, value in enumerate(values))


DEEPEST = 8  # levels of containers in containers that are looked into


def parts_of(value: Any) -> tuple[tuple[Hashable, ...] | None, Sequence[object]] | None:
    """The keys (None where they are positions) and elements of a container; None for anything else."""
    if type(value) in (tuple, list):
        return None, value
    if type(value) is dict:
        return tuple(value), tuple(value.values())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return tuple(value._fields), tuple(value)
    if has_plain_attributes(type(value)) and hasattr(value, "__dict__"):
        return tuple(vars(value)), tuple(vars(value).values())
    return None


def has_plain_attributes(kind: type) -> bool:
    """Whether the attributes of a class of the user's are what its objects hold, and nothing more."""
    custom = any(
        "__getattribute__" in vars(c) or "__getattr__" in vars(c) for c in kind.__mro__[:-1]
    )
    outer = (kind.__module__ or "").partition(".")[0]
    library = outer in sys.stdlib_module_names or outer in LIBRARIES
    return (
        not custom
        and not library
        and not issubclass(kind, (type, BaseException, tuple, list, dict))
    )


LIBRARIES = {"numpy", "scipy", "cupy", "numba", "pandas", "sklearn", "matplotlib"}


def kind_of(value: object) -> Kind:
    """The kind of one value that is no array of the arguments."""
    if type(value) in (float, int, bool, complex):
        return Num(np.dtype(type(value)), (), False, weak=True)
    if isinstance(value, np.generic):
        return Num(value.dtype, (), False) if value.dtype.kind in "biufc" else Opaque(type(value))
    if type(value) is np.ndarray:
        shape = tuple(n if n == 1 else None for n in value.shape)
        return Num(value.dtype, shape, True, buffers=frozenset({Buffer(("outside", id(value)))}))
    if type(value) is tuple:
        return Tup(tuple(map(kind_of, value)))
    if (
        value is None
        or isinstance(value, (str, type, types.ModuleType, np.dtype))
        or callable(value)
    ):
        return Known(value)
    if type(value) in (list, dict):
        return _functions_held(value)  # type: ignore[arg-type]
    return Opaque(type(value))


def signature_of(values: Sequence[object]) -> Hashable:
    """What of the arguments of a call a derivative depends on: equal signatures may share one."""
    return (any(map(_is_on_device, values)), *map(_part, kinds_of(values)))


def _is_on_device(value: object, depth: int = DEEPEST) -> bool:
    parts = parts_of(value) if depth else None
    inner = () if parts is None else parts[1]
    return is_device_array(value) or any(_is_on_device(item, depth - 1) for item in inner)


def _part(kind: Kind) -> Hashable:
    match kind:
        case Num():
            return (kind.dtype, kind.shape, kind.array, kind.weak, kind.contiguous)
        case Tup():
            return (kind.is_list, tuple(map(_part, kind.items)), kind.keys, kind.type)
        case Seq():
            return (kind.is_tuple, kind.item and _part(kind.item))
        case Known(value=str()):
            return str
        case Known() | Fun() | Taken() | OneOf() | Functions() | Named():
            return kind
        case _:
            return kind.type
