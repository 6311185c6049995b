"""`f(t, *p)` of an array or a list: how many arguments it gives shows by the parameters that are left for it.

def f(t, a, b)       f(t, *p)    ->    a, b = p;  f(t, a, b)
def f(t, a, b=2.0)   f(t, *p)    ->    if len(p) == 1: a, = p; b = 2.0    else: a, b = p;    f(t, a, b)
def f(a, b=2.0)      f(*p, t)    ->    if len(p) == 0: a = t; b = 2.0    else: a, = p; b = t;    f(a, b)
def f(t, *rest)      f(t, *p)    ->    rest is tuple(p)
def f(a, *rest)      f(*p)       ->    a, *rest = p;  f(a, *rest)
"""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.callee_arguments import defaults_of
from tangentish.infer.function_values import FunctionValues
from tangentish.infer.in_loops import seek_name
from tangentish.infer.literals import literal_of
from tangentish.infer.starting_again import EarlyLine, Unpack
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Fun, Kind, Num, Seq, Tup
from tangentish.language.binding import parameter_names
from tangentish.language.nested import nested_of
from tangentish.language.placed import all_at
from tangentish.rules import RULES
from tangentish.rules.rule import ABSENT

MOST_DEFAULTS = 4
_PLAIN = (int, float, bool, str, types.NoneType)


@dataclass(frozen=True)
class _Parameters:
    """The positional parameters that a call can give; `required`: how many have no default.

    made: whether a parameter follows for which a container is made where none is given.
    """

    names: tuple[str, ...]
    required: int
    rest: str | None
    defaults: Mapping[str, Any] = field(default_factory=dict)
    made: bool = False


class SpreadCounts(FunctionValues):
    """The part of the walk that knows how many values `*p` gives."""

    def spread_to_parameters(self, node: Any) -> Kind | None:
        """The kind of a call in which one starred argument gives what the parameters leave to it; None for others."""
        stars = [k for k, arg in enumerate(node.args) if isinstance(arg, gast.Starred)]
        keywords = self.keywords_known(node) if len(stars) == 1 else None
        if keywords is None:
            return None
        before = stars[0]
        star = node.args[before]
        after = len(node.args) - before - 1
        if not _has_length(self.expression(star.value)):
            return None
        function, receiver = self.called(node.func)
        args = self.with_receiver(function, receiver, list(node.args), node)
        before += len(args) - len(node.args)
        plain = function.function if isinstance(function, Fun) else function
        for argument in (*args, *keywords.values()):
            if not isinstance(argument, gast.Starred):
                self.expression(argument)
        given = (*args, star.value, *keywords.values())
        if not (isinstance(plain, type) or self.facts.varies(*given)):
            return None
        parameters = _parameters_of(plain)
        if parameters is None or (parameters.made and after):
            return None
        to_rest = before == len(parameters.names) and not after and parameters.rest is not None
        if to_rest and isinstance(plain, types.FunctionType):
            return self.given_rest(function, args, keywords, node)
        named = frozenset(keywords)
        targets = _targets(parameters, before, after, named)
        if targets is not None:
            self.unpack_before(node, star, targets)
        elif parameters.rest is None and named.isdisjoint(parameters.names):
            self.unpack_beside_defaults(node, star, parameters, before)
        return None

    def keywords_known(self, node: Any) -> dict[str, Any] | None:
        """What is given by name, those included that `**options` gives; None where their names are not known."""
        found: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg is not None:
                found[keyword.arg] = keyword.value
                continue
            kind = self.expression(keyword.value)
            if not (isinstance(kind, Tup) and kind.keys is not None and not kind.is_object):
                return None
            items = enumerate(zip(kind.keys, kind.items, strict=True))
            found |= {str(key): self.element(keyword.value, k, item) for k, (key, item) in items}
        return found

    def unpack_beside_defaults(
        self, node: Any, star: Any, parameters: _Parameters, before: int
    ) -> None:
        """The values get names, and so do the defaults of the parameters for which there may be none."""
        names, last = parameters.names[before:], node.args[node.args.index(star) + 1 :]
        least = max(parameters.required - before, len(last))
        defaults = [parameters.defaults.get(name, ABSENT) for name in names[least:]]
        if len(defaults) > MOST_DEFAULTS or any(type(v) not in _PLAIN for v in defaults):
            return
        count = _length(self.expression(star.value))
        if count is not None and least <= count + len(last) <= len(names):
            self.unpack_before(node, star, names[:count])
        elif count is None and names:
            if not isinstance(star.value, (gast.Name, gast.Attribute)):
                seek_name(self, star.value)
                return
            if not any(isinstance(part, gast.Call) for value in last for part in ir.walk(value)):
                self.unpack_before(node, star, names, tuple(map(constant, defaults)), tuple(last))

    def given_rest(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        """f(t, *p), where all of p goes to *rest: a tuple as long as p"""
        star = args[-1]
        whole = self.made_once(
            (star, "tuple"), lambda: all_at(quote("tuple({p})", p=star.value), star), star
        )
        self.expression(whole)
        last = self.made_once((star, whole), lambda: gast.Starred(whole, gast.Load()), star)
        given = [*args[:-1], last]
        if isinstance(function, Fun):
            return self.function_call(function, given, keywords, node)
        return self.user_call(function, given, keywords, node)

    def unpack_before(
        self, node: Any, star: Any, targets: tuple[str, ...], defaults: tuple[Any, ...] = (),
        last: tuple[Any, ...] = (),
    ) -> None:  # fmt: skip
        """The values get names on a line before the one at hand, if that is the same."""
        line = self.statement
        if self.cached or not isinstance(line, EarlyLine) or line in self.facts.writes:
            return
        if _is_guarded(line, self.function):
            return  # one that does not fit is a ValueError then, and was a TypeError
        if not self.scope.keys().isdisjoint(ir.names_in(star)):
            return
        if any(node is part for e in ir.expressions_of(line) for part in _evaluated(e)):
            raise Unpack(line, node, star, targets, defaults, last)


def _is_guarded(line: ir.Statement, function: ir.Function) -> bool:
    """Whether something in the function may catch what a line raises."""
    attempts = (s for s in ir.walk_statements(function.body) if isinstance(s, ir.Try))
    return any(line in ir.walk_statements((attempt,)) for attempt in attempts)


def _evaluated(node: Any) -> Iterator[Any]:
    """The parts of an expression that no test in it passes over; a comprehension may be empty."""
    yield node
    match node:
        case gast.IfExp(test=first) | gast.BoolOp(values=[first, *_]):
            yield from _evaluated(first)
        case gast.ListComp() | gast.GeneratorExp() if any(g.ifs for g in node.generators):
            return
        case gast.Lambda() | gast.SetComp() | gast.DictComp():
            return
        case gast.Compare(left=left, comparators=[second, *_]):
            yield from (*_evaluated(left), *_evaluated(second))
        case _:
            for child in gast.iter_child_nodes(node):
                yield from _evaluated(child)


def _has_length(kind: Kind) -> bool:
    """Whether something is an array or a list, which a star takes apart."""
    return isinstance(kind, Seq) or (isinstance(kind, Num) and bool(kind.shape))


def _length(kind: Kind) -> int | None:
    """How many values a star gives, where that is always the same."""
    match kind:
        case Num(shape=(int() as count, *_)) | Seq(length=int() as count):
            return count
    return None


def _parameters_of(function: Any) -> _Parameters | None:
    """The parameters of a function or a class of the user's, or of one of NumPy's that acts on elements."""
    if isinstance(function, np.ufunc):
        names = ("x",) if function.nin == 1 else tuple(f"x{k + 1}" for k in range(function.nin))
        return _Parameters(names, len(names), None)
    if isinstance(function, types.FunctionType):
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        defaults = _literals(function)
        starred = function.__code__.co_flags & inspect.CO_VARARGS
        if starred and function in RULES:
            return None  # its row is for as many as stand there
        rest = parameter_names(function)[len(names)] if starred else None
        return _Parameters(names, sum(name not in defaults for name in names), rest, defaults)
    if isinstance(function, types.MethodType):
        return _without_first(_parameters_of(function.__func__))
    if isinstance(function, type) and isinstance(function.__init__, types.FunctionType):  # type: ignore[misc]
        whole = _without_first(_parameters_of(function.__init__))  # type: ignore[misc]
        return whole and _before_made(whole, function)
    fields = getattr(function, "_fields", None)
    if isinstance(function, type) and issubclass(function, tuple) and fields:
        defaults = getattr(function, "_field_defaults", {})
        return _Parameters(fields, len(fields) - len(defaults), None, defaults)
    return None


def _literals(function: types.FunctionType) -> dict[str, Any]:
    """The values of the defaults of a function; ABSENT for those that do not exist yet."""
    defaults = defaults_of(function)
    if nested_of(function) is None:
        return defaults
    return {n: ABSENT if isinstance(v, str) else literal_of(v) for n, v in defaults.items()}


def _without_first(parameters: _Parameters | None) -> _Parameters | None:
    if parameters is None or not parameters.names:
        return None
    return replace(parameters, names=parameters.names[1:], required=parameters.required - 1)


def _before_made(parameters: _Parameters, made: type) -> _Parameters:
    """The parameters before the first that is a field of a dataclass by a factory: those that numbers are for."""
    factories = [
        f.name for f in getattr(made, "__dataclass_fields__", {}).values()
        if f.default_factory is not dataclasses.MISSING
    ]  # fmt: skip
    end = next((k for k, name in enumerate(parameters.names) if name in factories), None)
    if end is None:
        return parameters
    return replace(parameters, names=parameters.names[:end], made=True)


def _targets(
    parameters: _Parameters, before: int, after: int, named: frozenset[str]
) -> tuple[str, ...] | None:
    """The parameters that the star gives, `*rest` last; None where there may be more or fewer of them."""
    names = parameters.names
    required = max(
        (k + 1 for k, n in enumerate(names[: parameters.required]) if n not in named), default=0
    )
    end = next((k for k, n in enumerate(names) if n in named), len(names))
    if required != end or before + after > end:
        return None
    given = names[before : end - after]
    if parameters.rest is None:
        return given
    return None if after or end != len(names) else (*given, f"*{parameters.rest}")
