"""What Numba would cut to the type of a list: a float that is stored in a list of integers becomes an integer.

    xs = [1, 2]
    xs[0] = 0.5        # in Python [0.5, 2], in Numba [0, 2]

A list of Numba's has one type, that of what it is made of, and stores convert to it without a word. So the types that
were found for a function, and for all that it calls, are looked through before it runs.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

UNSTABLE = "Numba's .sort(key=...) does not leave what is equal as it stands: xs[:] = sorted(xs, key=...) does"

TAKEN_OUT = (
    "Numba frees arrays that a list still holds when elements are taken out by their place: pop the last one, "
    "or make a new list"
)

TRUTH = "truth values of NumPy are none of Python's, and compiled code can't tell: NumPy's are never True by `is`"


class Narrowed(Exception):
    """What Numba would store, free or compare otherwise than Python."""

    def __init__(self, message: str, lines: list[tuple[str, int]]) -> None:
        super().__init__(message)
        self.lines = lines


def check_stores(function: Any, types: tuple[Any, ...]) -> None:
    """Raise Narrowed where a compiled function, or one that it calls, stores what would be changed."""
    _check(function.overloads[types], [], set())


def _check(compiled: Any, callers: list[tuple[str, int]], seen: set[int]) -> None:
    from numba.core import types  # noqa: PLC0415  (only where something is compiled)

    found: Any = getattr(compiled, "type_annotation", None)
    if id(compiled) in seen or not hasattr(found, "calltypes"):
        return
    seen.add(id(compiled))
    for instruction, signature in found.calltypes.items():
        place = instruction.loc.filename, instruction.loc.line
        for items, value in _stored(instruction, signature, found.typemap):
            if _is_cut(value, items.dtype):
                held = items.dtype
                message = f"a list of {held} holds no {value}: make it of {value} from the start"
                raise Narrowed(message, [place, *callers])
        called = found.typemap.get(instruction.func.name) if _is_call(instruction) else None
        if _sorts_by_key(instruction, called):
            raise Narrowed(UNSTABLE, [place, *callers])
        if _asks_for_truth(instruction, found.typemap):
            raise Narrowed(TRUTH, [place, *callers])
        if _takes_out(instruction, called, found.typemap):
            raise Narrowed(TAKEN_OUT, [place, *callers])
        if isinstance(called, types.Dispatcher):
            for inner in called.dispatcher.overloads.values():
                _check(inner, [place, *callers], seen)


def _stored(instruction: Any, signature: Any, typemap: Any) -> Iterator[tuple[Any, Any]]:
    """The lists that an instruction stores to, each with the type of what is stored."""
    from numba.core import ir, types  # noqa: PLC0415

    if isinstance(instruction, (ir.SetItem, ir.StaticSetItem)):
        items, value = typemap[instruction.target.name], typemap[instruction.value.name]
        if isinstance(items, types.List):
            yield items, value.dtype if isinstance(value, types.List) else value
    elif _is_call(instruction) and signature is not None:
        method = typemap.get(instruction.func.name)
        items = getattr(method, "this", None)
        if isinstance(items, types.List):
            items = signature.recvr or items
            for argument in instruction.args:
                yield items, typemap[argument.name]


def _is_call(instruction: Any) -> bool:
    from numba.core import ir  # noqa: PLC0415

    return isinstance(instruction, ir.Expr) and instruction.op == "call"


def _sorts_by_key(instruction: Any, called: Any) -> bool:
    """Whether a list is sorted in place by what a function gives."""
    from numba.core import types  # noqa: PLC0415

    of_list = isinstance(getattr(called, "this", None), types.List)
    sorts = of_list and called.typing_key[-1] == "sort"
    return sorts and "key" in dict(instruction.kws)


def _asks_for_truth(instruction: Any, typemap: Any) -> bool:
    """Whether a truth value is compared with another by what it is: NumPy's are not Python's."""
    from numba.core import ir, types  # noqa: PLC0415

    if not (isinstance(instruction, ir.Expr) and instruction.op == "binop"):
        return False
    asked = instruction.fn in (operator.is_, operator.is_not)
    return asked and all(
        isinstance(types.unliteral(typemap[side.name]), types.Boolean)
        for side in (instruction.lhs, instruction.rhs)
    )


def _takes_out(instruction: Any, called: Any, typemap: Any) -> bool:
    """Whether elements that are counted are taken out of a list elsewhere than at its end."""
    from numba.core import ir, types  # noqa: PLC0415

    items = getattr(called, "this", None)
    if isinstance(items, types.List):
        key = called.typing_key
        method = key.rpartition(".")[2] if isinstance(key, str) else key[-1]
        out = method == "remove" or (method == "pop" and bool(instruction.args))
        return out and not _is_plain(items.dtype)
    if isinstance(instruction, ir.DelItem):
        items = typemap[instruction.target.name]
        return isinstance(items, types.List) and not _is_plain(items.dtype)
    return False


def _is_plain(held: Any) -> bool:
    """Whether elements of a type are numbers, of which nothing is counted."""
    from numba.core import types  # noqa: PLC0415

    if isinstance(held, types.BaseTuple):
        return all(map(_is_plain, held))
    return isinstance(held, (types.Number, types.Boolean, types.NoneType))


def _is_cut(value: Any, held: Any) -> bool:
    """Whether a number of one type is another where it is held as the other."""
    from numba.core import types  # noqa: PLC0415

    value, held = types.unliteral(value), types.unliteral(held)
    order = types.Boolean, types.Integer, types.Float, types.Complex
    ranks = [next((k for k, t in enumerate(order) if isinstance(x, t)), -1) for x in (value, held)]
    if -1 in ranks:
        return False
    narrow = ranks[0] == ranks[1] and ranks[0] > 1 and value.bitwidth > held.bitwidth
    return ranks[0] > ranks[1] or narrow
