"""Objects of SciPy that hold what varies: they are what is kept of them, and calls of them are of functions with rules.

f = CubicSpline(x, y)         ->      f.x = x, f.c = cubic_coefficients(x, y)
f(t, 1)                       ->      piecewise(f.c, f.x, t, 1)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.facts import Callee
from tangentish.infer.known_functions import has_rule, of_scipy
from tangentish.infer.literals import literal_of
from tangentish.infer.solutions import Solutions
from tangentish.ir.quote import constant, quote
from tangentish.kinds import REFUSED, Kind, Known, Num, Tup
from tangentish.language.lifted import Instance
from tangentish.rules.objects import OBJECTS, HeldObject

_HOLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class HeldMethod:
    """A method of such an object."""

    of: HeldObject
    name: str


class HeldObjects(Solutions):
    """The part of the walk that knows objects that hold what varies."""

    def held_object(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of an object that is made here; None of any other call, or where nothing varies."""
        held = of_scipy(OBJECTS, function)
        if held is None or not self.facts.varies(*args, *keywords.values()):
            return None
        self.facts.callees[node] = Callee(function, tuple(args), keywords)
        given = _bound(held.takes, args, keywords)
        if isinstance(given, str):
            return self.not_called(given, node)
        against = next(filter(None, (self.against(held, n, e) for n, e in given.items())), None)
        if against is not None:
            return self.not_called(against, node)
        for (option, value), (other, implied) in held.implies.items():
            asked = self.option_given(given.get(option))
            if asked is None:
                return self.not_called(f"write its {option} where it is called", node)
            if asked == value:
                given.setdefault(other, constant(implied))

        def made() -> Any:
            parts = {
                n: self.copy_of(e) if self.is_copied(n, e, held) else e for n, e in given.items()
            }
            texts = {n: t for n, t in held.kept.items() if _has(t, given)}
            for option in held.otherwise.keys() & given:
                texts |= held.otherwise[option]
            kept = {n: _filled(t, [parts], held) for n, t in texts.items()}
            keys = [gast.copy_location(constant(name), node) for name in kept]
            values = [gast.copy_location(value, node) for value in kept.values()]
            return Instance(keys, values, node.func, _class_of(held))

        return self.answered_by(node, made)

    def against(self, held: HeldObject, name: str, e: Any) -> str | None:
        """Why an argument of what makes an object can't be followed, if it can't."""
        if self.kind(e).active and name not in held.varying:
            way = ": by nodes np.interp has one" if name in ("x", "t", "points") else ""
            return f"there is no derivative with respect to '{name}'{way}"
        if name in held.only and self.option_given(e) not in held.only[name]:
            known = " and ".join(map(repr, held.only[name]))
            return f"of what {name} may be, {known} are followed"
        texts = [held.kept, *held.otherwise.values()]
        times = sum(t.count(f"{{{name}}}") for kept in texts for t in kept.values())
        if times > 1 and name not in held.varying and not self.gives_the_same(e):
            return f"give its {name} a name on a line before"
        return None

    def gives_the_same(self, e: Any) -> bool:
        """Whether an expression may stand twice: it draws nothing, and calls nothing that is not known."""
        calls = (n for n in ir.walk(e) if isinstance(n, gast.Call))
        callees = (self.facts.callees.get(call) for call in calls)
        return all(callee is not None and has_rule(callee.function) for callee in callees)

    def option_given(self, e: Any) -> object:
        """The value of an option; None where it is not known."""
        if e is None:
            return ""
        kind = self.kind(e)
        known = kind.value if isinstance(kind, Known) else literal_of(e)
        return known if isinstance(known, str) else None if isinstance(e, gast.Name) else ""

    def is_copied(self, name: str, e: Any, held: HeldObject) -> bool:
        """Whether an object keeps an array of its own, and not the one that it is given."""
        kind = self.kind(e)
        converted = isinstance(kind, Num) and kind.dtype not in (None, np.dtype(float))
        return name in held.copied or (name in held.as_floats and converted)

    def copy_of(self, e: Any) -> Any:
        """An array that is kept, and that no store to the user's own reaches."""
        return quote("np.copy({e})", e=e) if ir.is_own_name(e) else e

    def held_method(self, kind: Kind, name: str) -> HeldMethod | None:
        held = _HELD.get(kind.type) if isinstance(kind, Tup) and kind.type is not None else None
        return None if held is None else HeldMethod(held, name)

    def held_call(
        self, method: HeldMethod, receiver: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:  # fmt: skip
        """The kind of a call of such an object, or of a method of it."""
        held = method.of
        kind = self.kind(receiver)
        assert isinstance(kind, Tup)
        self.facts.callees[node] = Callee(None, tuple(args), keywords)
        if method.name not in held.calls:
            self.refuse(
                f"of an object that holds what varies .{method.name} is not followed: write f(t) and f(t, nu)",
                node,
            )
            return REFUSED
        signature, text = held.calls[method.name]
        given = _bound(signature, args, keywords)
        if isinstance(given, str):
            self.refuse(f"of an object that holds what varies: {given}", node)
            return REFUSED
        for name, allowed in held.only.items():
            if name in given and self.option_given(given[name]) not in allowed:
                self.refuse(
                    f"of what {name} may be, {' and '.join(map(repr, allowed))} are followed", node
                )
                return REFUSED
        place = given.get("place")
        if isinstance(place, gast.Tuple):  # of coordinates
            self.expression(place)
            if not all(getattr(self.kind(e), "rank", None) for e in place.elts):
                self.refuse("write the place as an array: np.array([x, z])", node)
                return REFUSED
            given["place"] = quote("np.stack({p}, axis=-1)", p=place)
        instance = self.facts.answers.get(receiver)

        def made() -> Any:
            if isinstance(instance, Instance):  # called where it is made
                kept = {key.value: e for key, e in zip(instance.keys, instance.values, strict=True)}
            else:
                kept = literal_kept(receiver, kind)
            return _filled(text, [given, kept], held, signature)

        return self.answered_by(node, made)


_HELD: dict[type, HeldObject] = {}


def _class_of(held: HeldObject) -> type:
    """What stands for the class of such objects."""
    for cls, found in _HELD.items():
        if found is held:
            return cls
    cls = type("HeldObject", (), {})
    _HELD[cls] = held
    return cls


def _bound(signature: str, args: list[Any], keywords: Mapping[str, Any]) -> dict[str, Any] | str:
    """Parameter -> argument; why the call can't be followed."""
    names = list(_defaults(signature))
    extra = next((name for name in keywords if name not in names), None)
    if extra is not None or len(args) > len(names):
        return f"it is called with {repr(extra) if extra else 'so many arguments'} here"
    return dict(zip(names, args, strict=False)) | dict(keywords)


def _defaults(signature: str) -> dict[str, str | None]:
    """Parameter -> the text of its default."""
    parsed = ast.parse(f"lambda {signature[1:-1]}: 0", mode="eval").body
    assert isinstance(parsed, ast.Lambda)
    names = [a.arg for a in parsed.args.args]
    defaults: list[str | None] = [ast.unparse(d) for d in parsed.args.defaults]
    return dict(zip(names, [None] * (len(names) - len(defaults)) + defaults, strict=True))


def _filled(
    text: str, parts: list[Mapping[str, Any]], held: HeldObject, signature: str = "()"
) -> Any:
    """The expression of a text: what is not given is its default."""
    defaults = _defaults(held.takes) | _defaults(signature)
    holes = {}
    for name in _HOLE.findall(text):
        found = next((part[name] for part in parts if name in part), None)
        holes[name] = _default(defaults[name] or "None") if found is None else found
    return quote(text, **holes)


def literal_kept(receiver: Any, kind: Tup) -> dict[str, Any]:
    """What an object keeps: what is known of it, or the attribute."""
    pairs = zip(map(str, kind.keys or ()), map(_literal, kind.items), strict=True)
    return {k: gast.Attribute(receiver, k, gast.Load()) if e is None else e for k, e in pairs}


def _default(text: str) -> Any:
    """-1 as one number, as the defaults of helpers are compared."""
    try:
        return constant(ast.literal_eval(text))
    except ValueError:
        return quote(text)


def _literal(kind: Kind) -> Any:
    """What is known to be a text, a whole number, True, False or None; None for all else."""
    match kind:
        case Known(value=str() | bool() | None as value) | Num(literal=int() as value):
            return constant(value)
    return None


def _has(text: str, given: Mapping[str, Any]) -> bool:
    """Whether something is kept: more than an option that was not given."""
    only = re.fullmatch(r"\{(\w+)\}", text)
    return only is None or only[1] in given
