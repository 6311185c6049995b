"""Calls that write to one of their arguments, as the stores that they are.

x.fill(v)                 ->  x[...] = v
np.copyto(x, v, where=m)  ->  x[m] = v
np.add.at(x, i, v)        ->  x[i] += v, each time that i names an element

A handler writes the lines of one function, or says why it can't.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.facts import Facts
from tangentish.infer.indices import as_array
from tangentish.infer.known_functions import UnknownMethod, has_rule
from tangentish.infer.literals import literal_of
from tangentish.infer.overlapping_stores import (
    ONE_BY_ONE,
    WRITTEN_EARLY,
    may_be_written_early,
    share_memory,
)
from tangentish.infer.written_arguments import is_way_of_ufunc
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Known, Num, Opaque, buffers_of, is_array, is_number
from tangentish.kinds.lengths import same_shape


class Unable(Exception):
    """Why a call is not one of these stores."""


@dataclass
class InPlaceCall:
    """A call that writes, and the lines that do the same."""

    node: Any
    function: Any
    args: list[Any]
    keywords: dict[str, Any]
    facts: Facts
    origin: ir.Origin
    fresh: Callable[[str], str]
    lines: list[ir.Statement] = field(default_factory=list)

    def kind(self, node: Any) -> Kind:
        return self.facts.kind(node)

    def array(self, node: Any) -> Num:
        """The kind of an argument that has to be an array."""
        kind = self.kind(node)
        if isinstance(kind, Num) and self.is_array(node):
            return kind
        raise Unable("it is not known whether this writes to an array: write x[...] = v")

    def only(self, *names: str) -> None:
        """Refuse keywords that no handler knows."""
        others = [name for name in self.keywords if name not in names]
        if others:
            raise Unable(f"'{others[0]}' is not supported here")

    def here(self, node: Any) -> Any:
        return gast.copy_location(node, self.node)

    def place(self, x: Any, index: Any = None) -> Any:
        """x[index]; all of x where there is no index: y[k] for a part of an array, xs[k][...] for one in a list."""
        part = isinstance(x, gast.Subscript) and self.is_array(x) and self.is_array(x.value)
        if index is None and part:
            x, index = x.value, x.slice
        index = constant(Ellipsis) if index is None else index
        return self.here(gast.Subscript(x, index, gast.Store()))

    def is_array(self, node: Any) -> bool:
        kind = self.kind(node)
        return is_array(kind)

    def store(self, x: Any, index: Any, value: Any) -> None:
        self.lines.append(
            ir.Assign(self.place(x, index), gast.copy_location(value, self.node), self.origin)
        )

    def named(self, node: Any, base: str) -> Any:
        """A name for an argument, which is then read several times."""
        if isinstance(node, (gast.Name, gast.Constant)):
            return node
        name = self.fresh(base)
        self.lines.append(ir.Assign(self.here(ir.name(name)), node, self.origin))
        return self.here(ir.name(name))

    def quoted(self, text: str, **holes: Any) -> Any:
        return self.here(quote(text, **holes))

    def is_scalar(self, node: Any) -> bool:
        kind = self.kind(node)
        return is_number(kind)

    def same_shape(self, a: Any, b: Any) -> bool:
        """Whether two arrays, or lists, are known to have one shape."""
        one, other = as_array(self.kind(a)), as_array(self.kind(b))
        return one is not None and other is not None and same_shape(one.shape, other.shape)


Handler = Callable[[InPlaceCall], Any]
"""Writes the lines, and gives the expression that the value of the call is; None for None."""


def fill(call: InPlaceCall) -> None:
    """x.fill(v)"""
    x, value = call.args
    if not may_fill(call.kind(value)):
        raise Unable(
            "NumPy fills with a number only, which this is not known to be: write x[...] = v"
        )
    call.store(x, None, value)


def may_fill(kind: Kind) -> bool:
    """Whether this is a number: NumPy raises for an array, where `x[...] = v` would store its elements."""
    return isinstance(kind, Known) or (isinstance(kind, Num) and (kind.is_scalar or kind.rank == 0))


def in_order(call: InPlaceCall) -> None:
    """x.sort(axis), x.partition(kth, axis)"""
    x, *rest = call.args
    keywords = [gast.keyword(name, value) for name, value in call.keywords.items()]
    ordered = quote(f"np.{call.function.name}")
    call.store(x, None, gast.Call(ordered, [x, *rest], keywords))


def copyto(call: InPlaceCall) -> None:
    """np.copyto(x, v, where=m)"""
    call.only("where", "casting")
    x, value = call.args[:2]
    if len(call.args) > 2:
        raise Unable("give where= and casting= by name")
    mask = call.keywords.get("where")
    if mask is None or literal_of(mask) is True:
        call.store(x, None, value)
    elif may_be_written_early(call.kind(x), call.kind(value)):
        raise Unable(WRITTEN_EARLY)
    else:
        store_where(call, x, value, mask)


def store_where(call: InPlaceCall, x: Any, value: Any, mask: Any) -> None:
    """`x[mask] = value` for a value of the shape of x, or one that broadcasts to it."""
    if not call.same_shape(x, mask):
        call.store(x, None, call.quoted("np.where({m}, {v}, {x})", m=mask, v=value, x=x))
        return
    mask = call.named(mask, "mask")
    if call.is_scalar(value):
        call.store(x, mask, value)
    elif call.same_shape(x, value):
        call.store(x, mask, gast.Subscript(value, mask, gast.Load()))
    else:
        call.store(x, None, call.quoted("np.where({m}, {v}, {x})", m=mask, v=value, x=x))


def put(call: InPlaceCall) -> None:
    """np.put(x, i, v), x.put(i, v)"""
    call.only()
    x, index, value = call.args[:3]
    if len(call.args) > 3:
        raise Unable("'mode' is not supported here")
    kind = call.array(x)
    if not (call.is_scalar(value) or call.same_shape(index, value)):
        repeated = "np.ravel({v})[0]" if call.is_scalar(index) else "np.resize({v}, np.size({i}))"
        value = call.quoted(repeated, v=value, i=index)
    if kind.rank != 1 and not kind.contiguous:
        raise Unable(
            "the places count in C order, which this array may not have: write x[i, j] = v"
        )
    whole = x if kind.rank == 1 else call.quoted("{x}.reshape(-1)", x=x)
    call.store(whole, index, value)


def putmask(call: InPlaceCall) -> None:
    """np.putmask(x, m, v)"""
    call.only()
    x, mask, value = call.args
    _need_mask(call, x, mask)
    if not (call.is_scalar(value) or call.same_shape(x, value)):
        raise Unable("it is not known that the values have the array's shape: write x[mask] = v")
    store_where(call, x, value, mask)


def place(call: InPlaceCall) -> None:
    """np.place(x, m, v)"""
    call.only()
    x, mask, value = call.args
    kind, counted = _need_mask(call, x, mask), as_array(call.kind(value))
    count = kind.value
    exact = counted is not None and count is not None and counted.shape == (count,)
    if share_memory(call.kind(x), call.kind(value)):
        raise Unable(ONE_BY_ONE)
    mask = call.named(mask, "mask")
    if not (call.is_scalar(value) or exact):
        value = call.quoted("np.resize({v}, np.count_nonzero({m}))", v=value, m=mask)
    call.store(x, mask, value)


def _need_mask(call: InPlaceCall, x: Any, mask: Any) -> Num:
    kind = call.array(mask)
    if kind.dtype != np.dtype(bool) or not call.same_shape(x, mask):
        raise Unable("it is not known that this is a mask of the array's shape: write x[mask] = v")
    return kind


def fill_diagonal(call: InPlaceCall) -> None:
    """np.fill_diagonal(a, v)"""
    call.only()
    a, value = call.args
    kind = call.array(a)
    known = call.kind(value)
    if kind.rank != 2 or not (isinstance(known, Num) and known.rank in (0, 1)):
        raise Unable("only the diagonal of a matrix is filled, with a number or an array")
    if share_memory(kind, known):
        raise Unable(ONE_BY_ONE)
    a = call.named(a, "a")
    square = kind.shape is not None and kind.shape[0] is not None and kind.shape[0] == kind.shape[1]
    length = call.quoted("len({a})" if square else "min({a}.shape)", a=a)
    k = call.named(call.quoted("np.arange({n})", n=length), "k")
    if known.rank == 1 and not _is_as_long(known, kind):
        value = call.quoted("laid_out({v}, len({k}))", v=value, k=k)
    call.store(a, gast.Tuple([k, k], gast.Load()), value)


def _is_as_long(values: Num, matrix: Num) -> bool:
    """Whether an array is known to be as long as the diagonal of a matrix: others begin anew, or are cut off."""
    assert values.shape is not None and matrix.shape is not None
    rows, columns = matrix.shape
    if isinstance(rows, int) and isinstance(columns, int):
        return values.shape == (min(rows, columns),)
    return rows is not None and values.shape == (rows,) == (columns,)


def put_along_axis(call: InPlaceCall) -> None:
    """np.put_along_axis(a, i, v, axis)"""
    call.only("axis")
    a, index, value, *rest = call.args
    axis, rank = literal_of(rest[0] if rest else call.keywords["axis"]), call.array(a).rank
    if rank is None or not isinstance(axis, int) or not -rank <= axis < rank:
        raise Unable("how many axes the array has, and along which this goes, has to be known")
    places: list[Any] = []
    for k in range(rank):
        upright = f"[:{', None' * (rank - 1 - k)}]" if k < rank - 1 else ""
        along = f"np.arange({{a}}.shape[{k}]){upright}"
        name = ("rows", "columns")[k] if k < 2 else "layers"
        places.append(index if k == axis % rank else call.named(call.quoted(along, a=a), name))
    call.store(a, index if rank == 1 else gast.Tuple(places, gast.Load()), value)


def add_at(call: InPlaceCall) -> None:
    """np.add.at(x, i, v), np.subtract.at(x, i, v)"""
    call.only()
    if call.function not in (np.add.at, np.subtract.at) or len(call.args) != 3:
        ufunc: np.ufunc = call.function.__self__
        once = (
            f"x[i] = np.{ufunc.__name__}(x[i]{', v' * (ufunc.nin - 1)}), where no place comes twice"
        )
        best = {"maximum": "np.max", "minimum": "np.min"}.get(ufunc.__name__)
        instead = f"np.array([{best}(x[places == k]) for k in range(n)])" if best else once
        raise Unable(f"only np.add.at and np.subtract.at are supported: write {instead}")
    x, index, value = call.args
    index = _as_written(index, call)
    op = ir.AddAt() if call.function == np.add.at else ir.SubAt()
    call.lines.append(ir.Update(call.place(x, index), op, value, call.origin))


def _as_written(index: Any, call: InPlaceCall) -> Any:
    """`(slice(1, None), i)` as in x[1:, i]"""
    if isinstance(index, gast.Tuple):
        parts = [_as_written(part, call) for part in index.elts]
        return parts[0] if len(parts) == 1 else gast.Tuple(parts, gast.Load())
    if isinstance(index, gast.Call) and call.kind(index) == Opaque(slice) and not index.keywords:
        bounds = [None if literal_of(b) is None else b for b in index.args]
        lower, upper, step = (None, *bounds, None) if len(bounds) == 1 else (*bounds, None)[:3]
        return gast.Slice(lower, upper, step)
    return index


def into_out(call: InPlaceCall) -> Any:
    """f(x, out=y), f(x, y) of a ufunc, f(x, out=y, where=m), np.nan_to_num(x, copy=False)"""
    out, args = out_of(call.function, call.args, call.keywords)
    kind, mask = call.array(out), call.keywords.get("where")
    keywords = {n: v for n, v in call.keywords.items() if n not in IN_PLACE}
    if isinstance(call.function, np.ufunc) and keywords:
        call.only("out", "where", "dtype")
    if (
        call.function in _INTO_A_PART
        and literal_of(keywords.get("keepdims", constant(False))) is not False
    ):
        raise Unable(
            "keepdims= together with out= writes to a part of a larger array: write out[...] = f(x)"
        )
    if call.function in _IN_PARTS and any(_may_overlap(kind, call.kind(a)) for a in args):
        raise Unable(_READ_LATER)
    if not isinstance(out, gast.Subscript):
        out = call.named(out, "out")
    if mask is None or literal_of(mask) is True:
        mask = None
    elif not isinstance(call.function, np.ufunc):
        raise Unable("out= together with where= is not supported here")
    else:
        args, mask = _selected(call, args, mask, out, kind)
    if isinstance(call.kind(getattr(call.node.func, "value", None)), Num):
        args = args[1:]  # a method, whose array stands before the dot
    named = [gast.keyword(name, value) for name, value in keywords.items()]
    call.store(out, mask, gast.Call(call.node.func, args, named))
    return out


def _may_overlap(out: Num, kind: Kind) -> bool:
    return not out.buffers.isdisjoint(buffers_of(kind))


def _selected(
    call: InPlaceCall, args: list[Any], mask: Any, out: Any, kind: Num
) -> tuple[list[Any], Any]:
    """The elements of the arguments that a mask selects, and its name: all of the shape of `out`, or spread to it."""

    def spread(a: Any) -> Any:
        given = as_array(call.kind(a))
        if given is not None and same_shape(given.shape, kind.shape):
            return a
        array = "{a}" if isinstance(call.kind(a), Num) else "np.array({a})"
        return call.quoted(f"np.broadcast_to({array}, {{out}}.shape)", a=a, out=out)

    if as_array(call.kind(mask)) is None:
        raise Unable("where= is supported for arrays only")
    mask = call.named(spread(mask), "mask")
    index = gast.Load()
    return [a if call.is_scalar(a) else gast.Subscript(spread(a), mask, index) for a in args], mask


def out_of(
    function: Any, args: list[Any], keywords: dict[str, Any]
) -> tuple[Any | None, list[Any]]:
    """The array that a NumPy function writes its result to, and its other arguments."""
    if isinstance(function, np.ufunc) and len(args) > function.nin:
        return args[function.nin], args[: function.nin]
    if function is np.nan_to_num and 0 < len(args) < 3:
        copies = literal_of(args[1] if args[1:] else keywords.get("copy"))
        return (args[0], args[:1]) if copies is False else (None, args)
    match keywords.get("out"):
        case gast.Constant(value=None):
            return None, args
        case gast.Tuple(elts=[only]):
            return only, args
        case out:
            return out, args


_READ_LATER = (
    "out= may share memory with what is read after a part of it was written: write out[...] = f(x)"
)
_IN_PARTS = (np.concatenate, np.stack, np.ptp)
_INTO_A_PART = (
    np.median,
    np.quantile,
    np.percentile,
    np.nanmedian,
    np.nanquantile,
    np.nanpercentile,
)
IN_PLACE = ("out", "where", "copy")
"""What says where the result goes, besides the arguments that it is computed of."""


def nothing(call: InPlaceCall) -> None:
    """object.__init__(self), which stands behind the last `super().__init__()`"""


METHODS: dict[str, Handler] = {"fill": fill, "sort": in_order, "partition": in_order, "put": put}

FUNCTIONS: dict[Any, Handler] = {
    np.copyto: copyto, np.put: put, np.putmask: putmask, np.place: place,
    np.fill_diagonal: fill_diagonal, np.put_along_axis: put_along_axis,
    object.__init__: nothing,
}  # fmt: skip


def handler_of(function: Any, args: list[Any], keywords: dict[str, Any]) -> Handler | None:
    """Who knows a call that writes to one of its arguments; None for other calls."""
    if isinstance(function, UnknownMethod):
        return METHODS.get(function.name)
    of_ufunc = isinstance(getattr(function, "__self__", None), np.ufunc)
    if of_ufunc and not is_way_of_ufunc(function):
        return add_at if function.__name__ == "at" else None
    ours = isinstance(function, np.ufunc) or is_way_of_ufunc(function) or has_rule(function)
    if ours and out_of(function, args, keywords)[0] is not None:
        return into_out
    try:
        return FUNCTIONS.get(function)
    except TypeError:  # what can't be hashed
        return None
