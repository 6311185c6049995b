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

__all__ = ["CONTRACTIONS", "contracted"]

CONTRACTIONS: set[Any] = {operator.matmul, np.matmul, np.dot, np.einsum}


def contracted(function: Any, args: Sequence[Argument]) -> Sequence[Argument]:
    """The operands, their axes that a product sums over equally long, as they must be."""
    match args:
        case [Literal(value=str() as subscripts), *operands] if function is np.einsum:
            return [args[0], *_of_labels(subscripts, operands)]
        case [
            Num(shape=(*_, n), array=True) as a,
            Num(shape=(*_, _) as shape, array=True) as b,
        ] if n is not None and function is not np.einsum:
            axis = max(len(shape) - 2, 0)
            return [a, replace(b, shape=(*shape[:axis], n, *shape[axis + 1 :]))]
    return args


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
