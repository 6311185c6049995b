"""A sum of products of one gradient is the gradient times a sum: `g * a - g * b` is `g * (a - b)`.

What other products end in stands once, too: `g * a * np.cos(x) - h * np.cos(x)` is `(g * a - h) * np.cos(x)`.

One product fewer, and for arrays one pass over memory. What is summed first must be floats throughout: small integers
would wrap, and the sum of booleans is another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import gast
import numpy as np

from tangentish import ir
from tangentish.algebra.expressions import is_literal_number, outline, signed, size
from tangentish.algebra.like_terms import with_like_terms_added
from tangentish.ir.quote import constant
from tangentish.kinds import Num
from tangentish.kinds.lengths import same_shape

LONGEST = 18  # nodes of a sum that stands in brackets
LONGEST_ENDED = 48  # of one before what its terms end in

Kinds = Callable[[Any], Any]


class _Term(NamedTuple):
    g: Any  # the first factor, a name
    rest: Any  # the product of the others
    sign: int


def factored(terms: Sequence[Any], kind: Kinds) -> Any | None:
    """The sum of the terms as one product, if all have the same name as their first factor."""
    parts = [part for part in (_taken_apart(term, kind) for term in terms) if part is not None]
    if len(parts) < len(terms) or len({part.g.id for part in parts}) > 1:
        return None
    if sum(size(part.rest) for part in parts) > LONGEST or not _saves_a_product(parts, kind):
        return None
    first, *others = sorted(parts, key=lambda part: -part.sign)  # one without a minus, if any
    total = first.rest
    for part in others:
        total = _added(total, _one(part.rest, first.rest, kind), part.sign != first.sign)
    g = first.g if first.sign > 0 else gast.UnaryOp(gast.USub(), first.g)
    if len({(part.sign, ir.dump(part.rest)) for part in parts}) == 1:  # from x * x
        g, total = gast.BinOp(g, gast.Mult(), constant(len(parts))), first.rest
    return gast.BinOp(g, gast.Mult(), total)


def with_shared_starts(terms: Sequence[Any], kind: Kinds) -> list[Any]:
    """The terms, of which those that are alike, or have the same name as their first factor, are one product."""
    found: dict[Any, list[Any]] = {}
    for k, term in enumerate(with_like_terms_added(terms)):
        part = _taken_apart(term, kind)
        found.setdefault(k if part is None else part.g.id, []).append(term)
    products = [(same, factored(same, kind) if len(same) > 1 else None) for same in found.values()]
    return [e for same, product in products for e in (same if product is None else [product])]


def with_shared_ends(terms: Sequence[Any], kind: Kinds) -> list[Any]:
    """The terms, of which those that end in the same factor or divisor are one."""
    ends = [_end(term, kind) for term in terms]
    outlines = {e if e is None else (e[0], outline(e[1])) for e in ends}
    if len(outlines) == len(terms):
        return list(terms)
    found: dict[Any, list[Any]] = {}
    for k, (term, e) in enumerate(zip(terms, ends, strict=True)):
        found.setdefault(k if e is None else (e[0], ir.dump(e[1])), []).append(term)
    return [e for same in found.values() for e in _joined(same, kind)]


def _end(term: Any, kind: Kinds) -> tuple[type, Any] | None:
    """What a product ends in, of floats that may be summed before that."""
    match signed(term)[0]:
        case gast.BinOp(left=rest, op=gast.Mult() | gast.Div() as op, right=end) if _is_float(
            kind(rest)
        ) and (is_literal_number(end) or _is_float(kind(end))):
            return type(op), end
    return None


def _joined(same: Sequence[Any], kind: Kinds) -> list[Any]:
    """`a * t` and `b * t` as `(a + b) * t`."""
    if len(same) == 1 or sum(map(size, same)) > LONGEST_ENDED:
        return list(same)
    parts = sorted(map(signed, same), key=lambda part: -part[1])  # one without a minus, if any
    product, first = parts[0]
    rests = [p.left if s == first else gast.UnaryOp(gast.USub(), p.left) for p, s in parts]
    total, *others = with_shared_ends(rests, kind)
    for rest in others:
        positive, sign = signed(rest)
        total = _added(total, positive, sign < 0)
    total = total if first > 0 else gast.UnaryOp(gast.USub(), total)
    return [gast.BinOp(total, product.op, product.right)]


def _one(e: Any, beside: Any, kind: Kinds) -> Any:
    """1 for x / x, beside something of its shape: np.log(x) + 1"""
    match e:
        case gast.BinOp(left=gast.Name(id=x) as above, op=gast.Div(), right=gast.Name(id=below)):
            have, want = kind(above), kind(beside)
            alike = isinstance(have, Num) and isinstance(want, Num) and have.shape is not None
            if x == below and alike and want.shape is not None and _is_alike(have, want):
                return constant(1)
    return e


def _is_alike(a: Num, b: Num) -> bool:
    return a.array is b.array and a.dtype == b.dtype and same_shape(a.shape, b.shape)


def _taken_apart(term: Any, kind: Kinds) -> _Term | None:
    """`-g * a / b` is g times a / b, with a minus."""
    positive, sign = signed(term)
    factors: list[tuple[Any, Any]] = []
    while isinstance(positive, gast.BinOp) and isinstance(positive.op, (gast.Mult, gast.Div)):
        factors.append((positive.op, positive.right))
        positive = positive.left
    if type(positive) is not gast.Name or not ir.is_value(positive.id) or not factors:
        return None
    (op, rest), *others = reversed(factors)
    floats = [_is_float(kind(e)) for _, e in factors if not isinstance(e, gast.Constant)]
    if not isinstance(op, gast.Mult) or not floats or not all(floats):
        return None
    for then, factor in others:
        rest = gast.BinOp(rest, then, factor)
    return _Term(positive, rest, sign)


def _saves_a_product(parts: Sequence[_Term], kind: Kinds) -> bool:
    """Of a number with arrays only where it stood before an array itself: `g * s * a` multiplies numbers first."""
    if not _is_scalar(parts[0].g, kind):
        return True
    return any(
        _is_scalar(part.rest, kind) or not _is_scalar(_first_factor(part.rest), kind)
        for part in parts
    )


def _is_scalar(e: Any, kind: Kinds) -> bool:
    """Whether this is known to be a number; of what was put together here nothing is."""
    found = kind(e)
    return isinstance(found, Num) and found.is_scalar


def _first_factor(e: Any) -> Any:
    while isinstance(e, gast.BinOp) and isinstance(e.op, (gast.Mult, gast.Div)):
        e = e.left
    return e


def _added(total: Any, rest: Any, minus: bool) -> Any:
    """A sum in one row: the parts of what is added come one after the other."""
    match rest:
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            total = _added(total, left, minus)
            return _added(total, right, minus != isinstance(op, gast.Sub))
    return gast.BinOp(total, gast.Sub() if minus else gast.Add(), rest)


def _is_float(kind: Any) -> bool:
    """Whether these are floats for sure, and such that a sum of large ones does not overflow."""
    if not isinstance(kind, Num) or not kind.known:
        return False
    return kind.active if kind.dtype is None else kind.is_float and kind.dtype != np.float16
