"""Products that sum over axes of one length: what is known of the length of one operand is known of the others."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.kinds import Num, replace
from tangentish.kinds.lengths import Dim, Length, is_longer_than_one
from tangentish.kinds.trials import Argument, Literal
from tangentish.runtime.products import einsum_labels

CONTRACTIONS: set[Any] = {operator.matmul, np.matmul, np.dot, np.linalg.solve, np.einsum}


def contracted(function: Any, args: Sequence[Argument]) -> Sequence[Argument]:
    """The operands, their axes that a product sums over equally long, as they must be."""
    match args:
        case [Literal(value=str() as subscripts), *operands] if function is np.einsum:
            return [args[0], *_of_labels(subscripts, _ranked(subscripts, operands))]
        case [Num(shape=(*_, _), array=True) as a, Num(shape=(*_, _), array=True) as b] if (
            function is not np.einsum
        ):
            return _of_two(a, b, square=function is np.linalg.solve)
    return args


def _of_two(a: Num, b: Num, *, square: bool) -> Sequence[Argument]:
    """The factors of a product, or a square matrix and what it is solved for."""
    left, right = list(a.shape or ()), list(b.shape or ())
    axis = max(len(right) - 2, 0)
    known = [n for n in (left[-1], right[axis]) if n is not None]
    if not known:
        return [a, b]
    length = next(filter(is_longer_than_one, known), known[0])
    left[-1] = right[axis] = length
    if square and len(left) > 1:
        left[-2] = length
    return [replace(a, shape=tuple(left)), replace(b, shape=tuple(right))]


def _ranked(subscripts: str, operands: Sequence[Argument]) -> Sequence[Argument]:
    """The operands of np.einsum, each with as many axes as it has labels: it raises for any other number."""
    terms = subscripts.replace(" ", "").partition("->")[0].split(",")
    if len(terms) != len(operands):
        return operands
    return [
        replace(x, shape=(None,) * len(term), array=True)
        if isinstance(x, Num) and x.shape is None and term and "." not in term
        else x
        for x, term in zip(operands, terms, strict=True)
    ]


def _of_labels(subscripts: str, operands: Sequence[Argument]) -> Sequence[Argument]:
    """The operands of np.einsum, of a label all as long as one that is known not to be 1: a shorter one broadcasts."""
    shapes = [x.shape for x in operands if isinstance(x, Num) and x.shape is not None]
    if len(shapes) < len(operands) or subscripts.count(",") != len(shapes) - 1:
        return operands
    terms, _ = einsum_labels(subscripts, [len(shape) for shape in shapes])
    if any(len(term) != len(shape) for term, shape in zip(terms, shapes, strict=True)):
        return operands  # the function raises there
    labels = "".join(terms)
    lengths = [n for shape in shapes for n in shape]
    known: dict[str, Length] = {}
    for label, n in zip(labels, lengths, strict=True):
        if is_longer_than_one(n) and not isinstance(known.get(label), Dim):
            known[label] = n
    return [
        replace(x, shape=tuple(known.get(label, n) for label, n in zip(term, shape, strict=True)))
        for x, term, shape in zip(operands, terms, shapes, strict=True)
    ]
