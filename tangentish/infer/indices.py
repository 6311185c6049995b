"""Indices: which of them give views, of what shape, and whether they may name an element twice.

An index is a list of entries: a slice as it is written, and the kinds of all else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.facts import Facts
from tangentish.infer.literals import kind_of_literal, literal_of
from tangentish.infer.slice_lengths import slice_length
from tangentish.kinds import Kind, Known, Num, Opaque, Seq, Tup, replace
from tangentish.kinds.enums import as_integer
from tangentish.kinds.lengths import Length, Shape, broadcast, same_length

Entry = Any  # a gast.Slice, or a Kind
Sort = Literal["basic", "fancy", "unsure"]


def entries_of(index: Any, facts: Facts) -> list[Entry]:
    """The entries of an index; a name may hold a tuple of them."""
    if isinstance(index, (gast.Tuple, gast.Slice)):
        return [p if isinstance(p, gast.Slice) else _kind(p, facts) for p in ir.parts_of(index)]
    kind = _kind(index, facts)
    return list(kind.items) if isinstance(kind, Tup) and not kind.is_list else [kind]


def _kind(part: Any, facts: Facts) -> Kind:
    constant = part not in facts.kinds and isinstance(part, gast.Constant)
    return kind_of_literal(part.value) if constant else as_integer(facts.kind(part))


def index_sort(index: Any, facts: Facts) -> Sort:
    """Whether an index gives a view (basic), a copy (fancy: arrays, masks, lists), or it is not known which."""
    return sort_of(entries_of(index, facts))


def sort_of(entries: Sequence[Entry]) -> Sort:
    sorts = set(map(_sort, entries))
    return "unsure" if "unsure" in sorts else "fancy" if "fancy" in sorts else "basic"


def is_fancy(index: Any, facts: Facts) -> bool:
    """Whether the index may give a copy."""
    return index_sort(index, facts) != "basic"


def _sort(entry: Entry) -> Sort:
    match entry:
        case gast.Slice():
            return "basic"
        case Known(value=value) if value is None or value is Ellipsis:
            return "basic"
        case Opaque(type=kind) if kind is slice:
            return "basic"
        case Opaque() | Seq() if as_array(entry) is not None:
            return "fancy"
        case Num(array=False, dtype=dtype) if dtype is None or dtype.kind != "b":
            return "basic"  # None, too
        case Num(optional=True):
            return "unsure"
        case Num(array=False) | Num(array=True) | Tup() | Known(value=True | False):
            return "fancy"
    return "unsure"


def is_riddle(entries: Sequence[Entry]) -> bool:
    """Whether nothing is known of a part of an index."""
    return any(
        isinstance(entry, Opaque) and entry.type is not slice and as_array(entry) is None
        for entry in entries
        if not isinstance(entry, gast.Slice)
    )


def adds_an_axis(entries: Sequence[Entry]) -> bool:
    """Whether a bool, which is no mask, stands in the index."""
    numbers = (entry for entry in entries if isinstance(entry, Num) and entry.shape == ())
    return says_true_or_false(entries) or any(map(_is_bool, numbers))


def says_true_or_false(entries: Sequence[Entry]) -> bool:
    """Whether `True` or `False` itself stands in the index."""
    return any(isinstance(entry, Known) and type(entry.value) is bool for entry in entries)


def new_axes(entries: Sequence[Entry]) -> int:
    """How many axes of length one an index adds that does nothing else, as `[..., np.newaxis]`; 0 for others."""
    known = [entry.value for entry in entries if isinstance(entry, Known)]
    plain = len(known) == len(entries) and all(v is None or v is Ellipsis for v in known)
    return known.count(None) if plain and known.count(Ellipsis) <= 1 else 0


def keeps_layout(part: Any, facts: Facts) -> bool:
    """Whether indexing the first axis so leaves a contiguous array contiguous."""
    if isinstance(part, gast.Slice):
        return part.step is None or literal_of(part.step) == 1
    return isinstance(facts.kind(part), Num)


def is_ellipsis(entry: Entry) -> bool:
    return isinstance(entry, Known) and entry.value is Ellipsis


# ----------------------------------------------------------------------------------------- shapes


def indexed_shape(shape: Shape, entries: Sequence[Entry], facts: Facts) -> Shape | None:
    """The shape of `x[entries]` for an x of this shape; None where it is not known."""
    if not all(map(_is_known, entries)):
        return None
    used = sum(map(_axes_used, entries))
    if used > len(shape):
        return None
    fancy = any(_sort(entry) == "fancy" for entry in entries)
    out: list[Length] = []
    arrays: list[Shape] = []
    places: list[tuple[int, int]] = []  # of the arrays: among the entries, and in the result
    axis = 0
    for position, entry in enumerate(entries):
        array = as_array(entry) if fancy else None
        if array is not None:
            places.append((position, len(out)))
            arrays.append(_places_shape(array))
            axis += _axes_used(entry)
        elif is_ellipsis(entry):
            out += shape[axis : axis + len(shape) - used]
            axis += len(shape) - used
        elif isinstance(entry, Known):
            out.append(1)
        else:
            if not isinstance(entry, Num):
                out.append(slice_length(shape[axis], entry, facts))
            axis += 1
    out += shape[axis:]
    if arrays:
        together = places[-1][0] - places[0][0] == len(places) - 1
        at = places[0][1] if together else 0
        out[at:at] = broadcast(arrays)
    return tuple(out)


def _is_known(entry: Entry) -> bool:
    """Whether it is known how many axes an entry stands for, and makes."""
    if isinstance(entry, Num) and entry.optional:
        return False  # None makes one
    array = as_array(entry)
    if array is not None:
        return array.shape is not None and (array.dtype is not None or array.array is False)
    return _sort(entry) == "basic"


def _axes_used(entry: Entry) -> int:
    """How many axes of the array an entry stands for."""
    if isinstance(entry, Known):
        return 0
    array = as_array(entry)
    return len(array.shape or ()) if array is not None and _is_bool(array) else 1


def as_array(entry: Entry) -> Num | None:
    """An entry that indexes by places: an array, a list, or an integer beside one."""
    match entry:
        case Num(array=True) | Num(array=False):
            return entry
        case Tup(items=items):
            return _array_of(items)
        case Opaque(type=kind, item=item) if kind is list and item is not None:
            return _of_places(as_array(item), None)
        case Seq(item=Num(array=False) as item, length=length) if not (
            entry.is_tuple or entry.keyed
        ):
            mask = _is_bool(item)  # of no elements it is one of no places, which comes to the same
            return replace(item, shape=(length,), array=True) if mask else _of_places(item, length)
    return None


def _of_places(item: Num | None, length: Length) -> Num | None:
    """The array of any number of such places."""
    if item is None or item.dtype != np.dtype(int):
        return None
    shape = (length, *(item.shape or ()))
    return replace(item, shape=shape, array=True, value=None, distinct=False)


def _array_of(items: Sequence[Kind]) -> Num | None:
    """The array that NumPy makes of a list."""
    parts = [_element(item) for item in items]
    first = parts[0] if parts else Num(np.dtype(int), (), False)
    known = [p for p in parts if p is not None and p.shape is not None]
    if first is None or first.shape is None or len(known) < len(parts):
        return None
    inner = tuple(
        n if all(p.shape[k] == n for p in known if p.shape) else None
        for k, n in enumerate(first.shape)
    )
    return Num(first.dtype, (len(items), *inner), True, distinct=_all_differ(known))  # fmt: skip


def _all_differ(numbers: Sequence[Num]) -> bool:
    values = [n.value for n in numbers]
    return all(isinstance(v, int) for v in values) and len(set(values)) == len(values)


def _element(item: Kind) -> Num | None:
    if isinstance(item, Known) and type(item.value) is bool:
        return Num(np.dtype(bool), (), False)
    return item if isinstance(item, Num) and item.known else as_array(item)


def _places_shape(array: Num) -> Shape:
    """The shape of the places that an array names; a mask names those where it is true."""
    return (array.value,) if _is_bool(array) else array.shape or ()


def _is_bool(kind: Num) -> bool:
    return kind.dtype is not None and kind.dtype.kind == "b"


# ------------------------------------------------------------------------------------ repetitions


def may_repeat(index: Any, facts: Facts) -> bool:
    """Whether an index may name an element of the array more than once."""
    entries = entries_of(index, facts)
    if all(_sort(entry) == "basic" for entry in entries):
        return False
    arrays = [as_array(e) for e in entries if _sort(e) == "fancy" or isinstance(e, (Num, Tup))]
    known = [a for a in arrays if a is not None and a.shape is not None]
    if len(known) < len(arrays) or any(_sort(entry) == "unsure" for entry in entries):
        return True
    if _is_whole(known):
        return False
    shapes = [_places_shape(a) for a in known if a.array]
    if len(shapes) == 1 and shapes[0]:
        return not any(_is_distinct(a) for a in known)
    together = broadcast(shapes)
    return not all(
        length == 1 or any(_tells_apart(a, k - len(together), length) for a in known)
        for k, length in enumerate(together)
    )


def _is_whole(arrays: Sequence[Num]) -> bool:
    """Whether these are all the arrays that were made together at one time."""
    parts = [a.part for a in arrays]
    memory = {a.buffers for a in arrays}
    (buffers, *others) = memory or {frozenset()}
    at_once = not others and len(buffers) == 1 and not any(b.old for b in buffers)
    return at_once and parts == [(k, len(parts)) for k in range(len(parts))]


def _is_distinct(array: Num) -> bool:
    return _is_bool(array) or array.distinct


def _tells_apart(array: Num, axis: int, length: Length) -> bool:
    """Whether places that differ along an axis (counted from the end) are different elements by this array."""
    shape = _places_shape(array)
    return _is_distinct(array) and len(shape) >= -axis and same_length(shape[axis], length)
