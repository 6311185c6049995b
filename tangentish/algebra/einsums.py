"""Gradients of np.einsum, as another np.einsum.

einsum_adjoint(g, "ij,jk->ik", 0, *(a, b))   ->  np.einsum("ik,jk->ij", g, b)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import gast

from tangentish.infer.literals import literal_of
from tangentish.ir.quote import constant, quote
from tangentish.kinds.lengths import Length, is_longer_than_one
from tangentish.runtime.products import einsum_labels


def einsum_written_out(call: Any, kind: Callable[[Any], Any]) -> Any:
    """The einsum, where no label repeats in the operand and no length 1 is broadcast; else the call as it is."""
    g, subscripts, at, *given = call.args
    xs = [x for arg in given for x in _spread(arg)]
    keywords = [k for k in call.keywords if literal_of(k.value) is not False]
    call = gast.Call(call.func, [g, subscripts, at, *xs], keywords)
    text, k = literal_of(subscripts), literal_of(at)
    shapes = [getattr(kind(x), "shape", None) for x in xs]
    in_plain_order = all(isinstance(literal_of(o.value), (bool, str)) for o in keywords)
    if not isinstance(text, str) or not isinstance(k, int) or None in shapes or not in_plain_order:
        return call
    formula = _formula(text, k, shapes)
    return call if formula is None else _with(formula, g, xs[:k] + xs[k + 1 :], keywords) or call


def _spread(argument: Any) -> Sequence[Any]:
    match argument:
        case gast.Starred(value=gast.Tuple(elts=elements)):
            return list(elements)
    return [argument]


def _formula(text: str, at: int, shapes: Sequence[Any]) -> tuple[str, list[str], str] | None:
    """The labels of the result, of the other operands and of this one; None where these do not tell it."""
    terms, out = einsum_labels(text, [len(shape) for shape in shapes])
    if any(len(term) != len(shape) for term, shape in zip(terms, shapes, strict=True)):
        return None  # the function raises there
    own, rest = terms[at], terms[:at] + terms[at + 1 :]
    lengths: dict[str, set[Length]] = {}
    for term, shape in zip(terms, shapes, strict=True):
        for label, length in zip(term, shape, strict=True):
            lengths.setdefault(label, set()).add(length)
    repeated, summed = len(set(own)) < len(own), not set(out).union(*rest).issuperset(own)
    if repeated or summed or not all(map(_are_equal, lengths.values())):
        return None
    return out, rest, own


def _are_equal(lengths: Iterable[Length]) -> bool:
    """Whether the lengths of one label are equal: where none of them is 1, they have to be."""
    return (len(different := set(lengths)) == 1 and None not in different) or all(
        map(is_longer_than_one, lengths)
    )


def _with(
    formula: tuple[str, list[str], str], g: Any, others: Sequence[Any], keywords: Sequence[Any]
) -> Any | None:
    out, rest, own = formula
    if not out and not others:
        return None
    if not out and rest == [own]:
        return gast.BinOp(g, gast.Mult(), others[0])
    first, operands = ([out], [g, *others]) if out else ([], list(others))
    call = quote("np.einsum({s})", s=constant(f"{','.join(first + rest)}->{own}"))
    call = gast.Call(call.func, [*call.args, *operands], list(keywords))
    return call if out else gast.BinOp(g, gast.Mult(), call)
