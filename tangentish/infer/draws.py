"""Draws from generators of random numbers: they carry no derivative; generators of our own tell their kinds."""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tangentish.infer.index_arrays import places
from tangentish.kinds import UNKNOWN, Kind, Num, Opaque, Seq, Tup, is_number, replace, scalar
from tangentish.kinds.joins import join
from tangentish.kinds.probe import declare_tried, probe_kind
from tangentish.kinds.trials import Literal

MAKERS: dict[Any, type] = {
    np.random.default_rng: np.random.Generator,
    np.random.RandomState: np.random.RandomState,
    random.Random: random.Random,
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

_INTEGER = scalar(int)
_FLOAT = Num(np.dtype(float), (), False, weak=True)
_OF_RANDOM = dict.fromkeys(("randint", "randrange", "getrandbits"), _INTEGER) | dict.fromkeys(
    ("random", "uniform", "gauss", "normalvariate", "expovariate", "betavariate", "gammavariate"), _FLOAT
)  # fmt: skip


def is_generator(kind: Kind) -> bool:
    return isinstance(kind, Opaque) and kind.type in (*_OWN, random.Random)


def generator_of(function: Any) -> Kind:
    """The generator whose method a function is, as `random.randint` and `np.random.normal` are."""
    return Opaque(type(getattr(function, "__self__", None)))


def draws(function: Any) -> bool:
    """Whether a function draws from a generator that it finds itself."""
    return is_generator(generator_of(function)) or getattr(function, "__name__", "") == "rvs"


def drawn_by(
    kind: Kind,
    name: str,
    arguments: Sequence[Kind | Literal],
    keywords: Mapping[str, Kind | Literal],
) -> Num | Seq | None:
    """The kind of `rng.name(*arguments)`, where `kind` is that of rng; None where it is not known."""
    if isinstance(kind, Opaque) and kind.type is random.Random:
        return _drawn_by_python(name, arguments)
    method = _METHODS.get((kind.type, name)) if isinstance(kind, Opaque) and kind.type else None
    if method is None:
        return None
    match name, arguments:
        case "permutation", [Num() as count] if count.is_scalar and not keywords:
            return places(count.value, True)
        case "choice", _:  # how likely each is, and whether it is put back, does not matter
            arguments = arguments[:2]
            keywords = {k: v for k, v in keywords.items() if k in ("a", "size")}
    found = probe_kind(method, arguments, keywords)
    return found if isinstance(found, Num) else None


def _drawn_by_python(name: str, arguments: Sequence[Kind | Literal]) -> Num | Seq | None:
    """The same for a generator of Python's own, which gives its numbers, or items of a list of numbers."""
    if name in _OF_RANDOM:
        return _OF_RANDOM[name]
    match arguments[0] if arguments else UNKNOWN:
        case Opaque(type=kind) if kind is range:
            item: Kind = _INTEGER
        case Seq(item=Num(array=False, optional=False) as item):
            pass
        case Tup(items=[Num(), *_] as items, keys=None):
            item = functools.reduce(join, items)
            if not (is_number(item) and not item.optional):
                return None
            item = replace(item, value=None, literal=None)
        case _:
            return None
    match name:
        case "choice":
            return item if isinstance(item, Num) else None
        case "sample" | "choices":
            return Seq(item)
    return None
