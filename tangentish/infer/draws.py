"""Draws from generators of random numbers: they carry no derivative; generators of our own tell their kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tangentish.infer.index_arrays import places
from tangentish.kinds import Kind, Num, Opaque
from tangentish.kinds.probe import declare_tried, probe_kind
from tangentish.kinds.trials import Literal

__all__ = ["MAKERS", "drawn_by", "is_generator"]

MAKERS: dict[Any, type] = {
    np.random.default_rng: np.random.Generator,
    np.random.RandomState: np.random.RandomState,
}

_DRAWS = """
    random normal standard_normal uniform integers exponential standard_exponential poisson gamma beta binomial
    lognormal laplace logistic chisquare choice permutation randint rand randn random_sample
"""
_OWN = {
    np.random.Generator: np.random.default_rng(0),
    np.random.RandomState: np.random.RandomState(0),
}
_METHODS = {
    (made, name): getattr(generator, name)
    for made, generator in _OWN.items()
    for name in _DRAWS.split()
    if hasattr(generator, name)
}


declare_tried(_METHODS.values())


def is_generator(kind: Kind) -> bool:
    return isinstance(kind, Opaque) and kind.type in _OWN


def drawn_by(
    kind: Kind,
    name: str,
    arguments: Sequence[Kind | Literal],
    keywords: Mapping[str, Kind | Literal],
) -> Num | None:
    """The kind of `rng.name(*arguments)`, where `kind` is that of rng; None where it is not known."""
    method = _METHODS.get((kind.type, name)) if isinstance(kind, Opaque) and kind.type else None
    if method is None:
        return None
    match name, arguments:
        case "permutation", [Num() as count] if count.is_scalar and not keywords:
            return places(count.value, True)
    found = probe_kind(method, arguments, keywords)
    return found if isinstance(found, Num) else None
