"""Distributions whose parameters are given once: methods of them are functions that have rules.

d = norm(mu, 2.0)         ->      d.loc = mu, d.scale = 2.0
d.logpdf(x)               ->      norm.logpdf(x, d.loc, d.scale)

Where no parameter varies the object stays what it is, and its parameters are read off it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gast

from tangentish.infer.facts import Callee
from tangentish.infer.held_objects import HeldObjects, literal_kept
from tangentish.ir.quote import constant, quote
from tangentish.kinds import REFUSED, Kind, Known, Opaque, Tup
from tangentish.language.lifted import Instance

_METHODS = {
    "pdf", "logpdf", "pmf", "logpmf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf",
    "mean", "std", "var", "median", "entropy",
}  # fmt: skip
_SEVERAL = {
    "multivariate_normal": ("mean", "cov", "allow_singular"),
    "multivariate_t": ("loc", "shape", "df"),
    "dirichlet": ("alpha",),
}
"""Of vectors: the parameters, which the object has as attributes."""

_COPIED = {"cov", "shape"}
"""The others are the arrays themselves, so that what is stored to them later counts."""


@dataclass(frozen=True)
class FrozenMethod:
    """A method of a distribution, and the parameters that were given, in order."""

    distribution: str
    name: str
    parameters: tuple[str, ...]


@functools.cache
def _class_of(distribution: str, positional: int, named: tuple[str, ...], varies: bool) -> type:
    """What stands for the class of such objects, as they are made by one kind of call."""
    made = {"distribution": distribution, "positional": positional, "named": named}
    return type("FrozenDistribution", (), made | {"varies": varies})


class Frozen(HeldObjects):
    """The part of the walk that knows such distributions."""

    def distribution_made(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of a distribution that is made here; None of any other call."""
        name = _name_of(function)
        if name is None or set(keywords) - set(_parameters(name)):
            return None
        active = self.facts.varies(*args, *keywords.values())
        names = _parameters(name)
        if len(args) > len(names):
            return None
        cls = _class_of(name, len(args), tuple(keywords), active)
        if not active:
            self.unknown_call(function, (*args, *keywords.values()), node)
            return Opaque(cls)
        self.facts.callees[node] = Callee(function, tuple(args), keywords)
        given = dict(zip(names, args, strict=False)) | keywords

        def made() -> Any:
            keys = [gast.copy_location(constant(key), node) for key in given]
            values = [self.copy_of(e) if key in _COPIED else e for key, e in given.items()]
            return Instance(keys, values, node.func, cls)

        return self.answered_by(node, made)

    def frozen_method(self, kind: Kind, name: str) -> FrozenMethod | None:
        cls: Any = getattr(kind, "type", None)
        if name not in _METHODS and not getattr(cls, "varies", False):
            return None
        if isinstance(kind, Known):
            home = type(kind.value).__module__
            if not home.startswith("scipy.stats.") or not hasattr(kind.value, "rvs"):
                return None
            made = _made(kind.value)
            return None if made is None else FrozenMethod(made[0], name, made[1])
        if getattr(cls, "__name__", "") != "FrozenDistribution":
            return None
        if cls.distribution in _SEVERAL and not cls.varies:
            return None
        given = (*_parameters(cls.distribution)[: cls.positional], *cls.named)
        return FrozenMethod(cls.distribution, name, given)

    def frozen_call(
        self, method: FrozenMethod, receiver: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:  # fmt: skip
        """The kind of a call of a method of such a distribution; None where nothing in it varies."""
        kind = self.kind(receiver)
        if method.name not in _METHODS:
            way = ": write loc + scale * rng.normal(size=n)" if method.name == "rvs" else ""
            self.refuse(f".{method.name} of a distribution that varies is not followed{way}", node)
            return REFUSED
        given = [*args, *keywords.values()]
        kinds = list(map(self.expression, given))
        if not any(k.active for k in (kind, *kinds)):
            return None
        self.facts.callees[node] = Callee(method, tuple(args), keywords)
        instance = self.facts.answers.get(receiver)

        def made() -> Any:
            kept = self.parameters_kept(method, receiver, kind, instance)
            return _call(method, kept, args, keywords)

        return self.answered_by(node, made)

    def parameters_kept(
        self, method: FrozenMethod, receiver: Any, kind: Kind, instance: Any
    ) -> Mapping[str, Any]:
        """The parameters of an object, each by an expression."""
        if isinstance(instance, Instance):
            return {key.value: e for key, e in zip(instance.keys, instance.values, strict=True)}
        if isinstance(kind, Tup):
            return literal_kept(receiver, kind)
        if method.distribution in _SEVERAL:
            return {p: gast.Attribute(receiver, p, gast.Load()) for p in method.parameters}
        by_place = _by_place(kind)
        return {
            p: quote(f"{{d}}.args[{k}]" if k < by_place else f"{{d}}.kwds[{p!r}]", d=receiver)
            for k, p in enumerate(method.parameters)
        }


def _by_place(kind: Kind) -> int:
    """How many parameters were given without their names."""
    match kind:
        case Known(value=value):
            return len(getattr(value, "args", ()))
        case Opaque(type=type() as cls):
            return int(cls.positional)  # type: ignore[attr-defined]
    return 0


def _call(
    method: FrozenMethod, kept: Mapping[str, Any], args: list[Any], keywords: Mapping[str, Any]
) -> Any:
    """The call of the distribution's own method: parameters by their places, as far as all are given."""
    names = _parameters(method.distribution)
    start = 0
    while start < len(names) and names[start] in kept:
        start += 1
    by_place = [kept[name] for name in names[:start]]
    by_name = [gast.keyword(name, e) for name, e in kept.items() if name not in names[:start]]
    given = [*args, *keywords.values()]
    return gast.Call(
        quote(f"scipy.stats.{method.distribution}.{method.name}"), [*given, *by_place], by_name
    )


def _name_of(function: Any) -> str | None:
    """What scipy.stats calls a distribution."""
    if not type(function).__module__.startswith("scipy.stats."):
        return None
    import scipy.stats  # noqa: PLC0415 - it is there, where one of its objects is

    name = getattr(function, "name", None) or type(function).__name__.removesuffix("_gen")
    return name if getattr(scipy.stats, str(name), None) is function else None


@functools.cache
def _parameters(name: str) -> tuple[str, ...]:
    """The parameters of a distribution, in order."""
    if name in _SEVERAL:
        return _SEVERAL[name]
    import scipy.stats  # noqa: PLC0415

    found = getattr(scipy.stats, name)
    if not hasattr(found, "shapes"):
        return ()
    shapes = found.shapes.split(", ") if found.shapes else []
    scale = ["scale"] if "scale" in inspect.signature(found._parse_args).parameters else []
    return (*shapes, "loc", *scale)


def _made(value: Any) -> tuple[str, tuple[str, ...]] | None:
    """The distribution and the parameters of an object that is known."""
    if hasattr(value, "dist") and hasattr(value, "kwds"):
        name = value.dist.name
        import scipy.stats  # noqa: PLC0415

        if type(getattr(scipy.stats, name, None)) is not type(value.dist):
            return None
        return name, (*_parameters(name)[: len(value.args)], *value.kwds)
    name = type(value).__name__.removesuffix("_frozen")
    if name not in _SEVERAL:
        return None
    return name, tuple(p for p in _SEVERAL[name] if getattr(value, p) is not False)
