"""`match` as branches: each pattern is tests of the subject, and names for its parts.

match p:                       t = p
    case (0, y): ...     ->    if is_sequence(t) and len(t) == 2 and t[0] == 0: y = t[1]; ...
    case Point(x=x): ...       elif isinstance(t, Point) and hasattr(t, "x"): x = t.x; ...
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import constant, quote
from tangentish.language.declared import identifier
from tangentish.language.named_members import Find
from tangentish.language.placed import all_at, assign_at, at, name_at
from tangentish.language.written_out import written_out

_ITSELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
"""Classes whose only positional pattern is one for the subject itself."""

_UNKNOWN = "it is not known which attributes this pattern is about: write their names, Point(x=x)"
_ALTERNATIVES = "alternatives that give names are not supported yet: write a case for each"
_REST = "what is left of a dict gets no name yet: write {k: v for k, v in d.items() if ...}"


@dataclass(frozen=True)
class _Met:
    """What it takes to match: all tests, and what names stand for then."""

    tests: tuple[Any, ...] = ()
    names: tuple[tuple[str, Any], ...] = ()

    def __add__(self, other: _Met) -> _Met:
        return _Met((*self.tests, *other.tests), (*self.names, *other.names))


@dataclass(frozen=True)
class Patterns:
    """found: what a name outside stands for."""

    found: Find
    refuse: Callable[[str, Any], None]

    def branches(self, cases: Sequence[Any], name: str) -> list[Any]:
        """The lines that the cases for the subject of this name are."""
        lines: list[Any] = []
        for case in reversed(cases):
            met = self.met(case.pattern, name_at(name, case.pattern))
            named = [assign_at(bound, path, case.pattern) for bound, path in met.names]
            if case.guard is None:
                lines = _branch(met.tests, [*named, *case.body], lines, case.pattern)
                continue
            first = _branch(met.tests, named, [], case.pattern) if named else []
            again = [written_out(test) for test in met.tests] if named else met.tests
            lines = [*first, *_branch([*again, case.guard], case.body, lines, case.pattern)]
        return lines

    def met(self, node: Any, subject: Any) -> _Met:
        match node:
            case gast.MatchValue(value=value):
                return _test(
                    at(gast.Compare(written_out(subject), [gast.Eq()], [value]), node), node
                )
            case gast.MatchSingleton(value=value):
                return _test(quote("{s} is {v}", s=written_out(subject), v=constant(value)), node)
            case gast.MatchAs(pattern=inner, name=bound):
                met = _Met() if inner is None else self.met(inner, subject)
                own = () if bound is None else ((identifier(bound), written_out(subject)),)
                return met + _Met((), own)
            case gast.MatchOr(patterns=patterns):
                return self.met_by_any(patterns, subject, node)
            case gast.MatchSequence(patterns=patterns):
                return self.met_in_order(patterns, subject, node)
            case gast.MatchMapping():
                return self.met_by_keys(node, subject)
            case gast.MatchClass():
                return self.met_by_class(node, subject)
        self.refuse("this pattern is not supported yet: write if and elif", node)
        return _Met()

    def met_by_any(self, patterns: Sequence[Any], subject: Any, node: Any) -> _Met:
        ways = [self.met(pattern, subject) for pattern in patterns]
        if any(way.names for way in ways):
            self.refuse(_ALTERNATIVES, node)
        if not all(way.tests for way in ways):
            return _Met()
        tests = [_all_of(way.tests, node) for way in ways]
        return _Met((at(gast.BoolOp(gast.Or(), tests), node),))

    def met_in_order(self, patterns: Sequence[Any], subject: Any, node: Any) -> _Met:
        """[first, *others, last]"""
        count = len(patterns)
        star = next((k for k, p in enumerate(patterns) if isinstance(p, gast.MatchStar)), None)
        met = _test(quote("is_sequence({s})", s=written_out(subject)), node)
        text = "len({s}) == {n}" if star is None else "len({s}) >= {n}"
        least = constant(count if star is None else count - 1)
        met += _test(quote(text, s=written_out(subject), n=least), node)
        for k, pattern in enumerate(patterns):
            if k == star:
                last = count - 1 - k
                upper = constant(-last) if last else None
                part = gast.Slice(constant(k) if k else None, upper, None)
                rest = quote("list({s})", s=gast.Subscript(written_out(subject), part, gast.Load()))
                met += self.rest(pattern, rest)
                continue
            place = constant(k if star is None or k < star else k - count)
            item = all_at(gast.Subscript(written_out(subject), place, gast.Load()), pattern)
            met += self.met(pattern, item)
        return met

    def rest(self, star: Any, value: Any) -> _Met:
        if star.name is None:
            return _Met()
        return _Met((), ((identifier(star.name), all_at(value, star)),))

    def met_by_keys(self, node: Any, subject: Any) -> _Met:
        """{"kind": "circle", "radius": r}"""
        met = _test(quote("is_mapping({s})", s=written_out(subject)), node)
        for key in node.keys:
            met += _test(quote("{k} in {s}", k=written_out(key), s=written_out(subject)), node)
        for key, pattern in zip(node.keys, node.patterns, strict=True):
            value = gast.Subscript(written_out(subject), written_out(key), gast.Load())
            met += self.met(pattern, all_at(value, pattern))
        if node.rest is not None:
            self.refuse(_REST, node)
        return met

    def met_by_class(self, node: Any, subject: Any) -> _Met:
        """Point(x, y=y)"""
        met = _test(quote("isinstance({s}, {c})", s=written_out(subject), c=node.cls), node)
        cls = self.class_of(node.cls)
        if cls in _ITSELF and len(node.patterns) == 1 and not node.kwd_attrs:
            return met + self.met(node.patterns[0], subject)
        names = getattr(cls, "__match_args__", ())[: len(node.patterns)]
        if len(names) < len(node.patterns):
            self.refuse(_UNKNOWN, node)
            return met
        patterns = (*node.patterns, *node.kwd_patterns)
        for name, pattern in zip((*names, *node.kwd_attrs), patterns, strict=True):
            if name not in _fields(cls):
                text = "hasattr({s}, {n})"
                met += _test(quote(text, s=written_out(subject), n=constant(name)), node)
            value = gast.Attribute(written_out(subject), name, gast.Load())
            met += self.met(pattern, all_at(value, pattern))
        return met

    def class_of(self, node: Any) -> Any:
        match node:
            case gast.Name(id=name):
                return self.found(name)
            case gast.Attribute(value=value, attr=attr):
                return getattr(self.class_of(value), attr, None)
        return None


def names_given(cases: Sequence[Any]) -> set[str]:
    """The names that patterns and guards assign to."""
    asked = [part for case in cases for part in (case.pattern, case.guard) if part is not None]
    found: set[str] = set()
    for part in (part for whole in asked for part in gast.walk(whole)):
        match part:
            case gast.MatchAs(name=name) | gast.MatchStar(name=name) if name is not None:
                found.add(identifier(name))
            case gast.MatchMapping(rest=name) if name is not None:
                found.add(identifier(name))
            case gast.NamedExpr(target=target):
                found.add(target.id)
    return found


def _test(test: Any, node: Any) -> _Met:
    return _Met((all_at(test, node),))


def _all_of(tests: Sequence[Any], node: Any) -> Any:
    return tests[0] if len(tests) == 1 else at(gast.BoolOp(ir.Matched(), list(tests)), node)


def _branch(tests: Sequence[Any], body: list[Any], otherwise: list[Any], node: Any) -> list[Any]:
    if not tests:
        return body
    return [at(gast.If(_all_of(tests, node), body, otherwise), node)]


def _fields(cls: Any) -> Iterator[str]:
    """The attributes that all objects of a class have."""
    if isinstance(cls, type) and issubclass(cls, tuple):
        yield from getattr(cls, "_fields", ())
    elif isinstance(cls, type) and dataclasses.is_dataclass(cls):
        yield from (f.name for f in dataclasses.fields(cls) if f.init)
