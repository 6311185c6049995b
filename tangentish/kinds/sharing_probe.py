"""Which arguments the result of a function may share memory with, found by trying it on stand-ins."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tangentish import runtime
from tangentish.kinds import Num, Tup, replace
from tangentish.kinds.cross_products import CROSS_PRODUCTS
from tangentish.kinds.numbers import is_number
from tangentish.kinds.probe import is_probed
from tangentish.kinds.trials import (
    FAILED,
    Argument,
    Literal,
    called,
    of_rank,
    remembered,
    stand_ins,
)
from tangentish.rules.names import is_helper

_FILLING = {runtime.take_adjoint, runtime.take_along_axis_adjoint, runtime.scattered}
"""What adds to zeros of its own by np.add.at, which may end the interpreter where lengths do not fit."""


def may_share(
    function: Callable[..., Any], args: Sequence[Argument], keywords: Mapping[str, Argument]
) -> frozenset[int] | None:
    """The positions of the arguments in whose memory the result of a function may lie; None where trying fails."""
    if isinstance(function, (str, np.ufunc)):
        return frozenset() if function is not np.conj else None
    if not is_probed(function):
        return None
    if function in CROSS_PRODUCTS or function in _FILLING:  # of lengths that are not tried
        return frozenset()
    if function is np.einsum and len(args) > 2:
        return frozenset()  # of several operands the result is new
    return _tried_out(function, args, keywords)


@remembered
def _tried_out(
    function: Callable[..., Any], args: Sequence[Argument], keywords: Mapping[str, Argument]
) -> frozenset[int] | None:
    shared: set[int] = set()
    worked = False
    ranks = (1, 2, 3) if any(map(_is_unknown, args)) else (1,)
    forms = [args, list(map(_as_long, args))] if is_helper(function) else [args]
    for form, rank, number in itertools.product(
        forms, ranks, _numbers([*args, *keywords.values()])
    ):
        for layout in (np.ascontiguousarray, np.asfortranarray, _strided):
            given = stand_ins(
                [_with_number(of_rank(a, rank), number) for a in form],
                {name: _with_number(a, number) for name, a in keywords.items()},
            )
            if given is None:
                continue
            values = [_laid_out(value, layout) for value in given[0]]
            result = called(function, values, given[1])
            worked |= result is not FAILED and result is not None
            results = list(_arrays(result))
            shared |= {
                k for k, value in enumerate(values)
                if any(np.may_share_memory(a, b) for a in _arrays(value) for b in results)
            }  # fmt: skip
    return frozenset(shared) if worked else None


def _as_long(argument: Argument) -> Argument:
    """The argument as long as any other, for which `unbroadcast(g, x)` is g itself: lengths may agree unknown to us."""
    if not isinstance(argument, Num) or argument.shape is None:
        return argument
    return replace(argument, shape=tuple(n if n == 1 else 3 for n in argument.shape))


def _is_unknown(argument: Argument) -> bool:
    if isinstance(argument, Tup):
        return any(map(_is_unknown, argument.items))
    return isinstance(argument, Num) and not argument.known


def _numbers(arguments: Iterable[Argument]) -> Sequence[int | None]:
    """What integers and flags of which nothing is known are tried with: `np.diff(x, 0)` is x itself."""
    return (None, 0, 1) if any(map(_is_riddle, arguments)) else (None,)


def _is_riddle(argument: Argument) -> bool:
    if not (is_number(argument) and argument.dtype is not None):
        return False
    return argument.dtype.kind in "iub" and argument.literal is None


def _with_number(argument: Argument, number: int | None) -> Argument:
    """The argument, or that number for an unknown one."""
    if number is None or not _is_riddle(argument):
        return argument
    assert isinstance(argument, Num) and argument.dtype is not None
    return Literal(argument.dtype.type(number).item())


def _laid_out(value: Any, layout: Callable[[Any], Any]) -> Any:
    if isinstance(value, np.ndarray) and value.ndim:
        return layout(value)
    if type(value) in (list, tuple):
        return type(value)(_laid_out(item, layout) for item in value)
    return value


def _strided(value: Any) -> Any:
    """The array with gaps between its elements."""
    return np.repeat(value, 2, axis=-1)[..., ::2]


def _arrays(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _arrays(item)
