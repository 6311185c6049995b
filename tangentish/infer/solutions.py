"""Functions of SciPy that give an object with a root in it: it stands for a call of what gives the root alone.

root_scalar(f, bracket=(0, 3))        ->      brentq(f, 0, 3, disp=False), as the attribute `root` of the object
root(f, x0)                           ->      fsolve(f, x0), as the attribute `x`
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import gast

from tangentish.infer.differential_equations import DifferentialEquations
from tangentish.infer.facts import Callee
from tangentish.infer.known_functions import of_scipy
from tangentish.infer.literals import literal_of
from tangentish.ir.quote import constant, quote
from tangentish.kinds import REFUSED, Kind, Tup
from tangentish.language.lifted import Instance
from tangentish.rules.calling_back import SCALAR_METHODS
from tangentish.rules.rule import ABSENT


class Solutions(DifferentialEquations):
    """The part of the walk that knows objects with a root in them."""

    def solution(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of such an object; None of any other call, or where nothing varies."""
        attribute = of_scipy(SOLUTIONS, function)
        kinds = [self.refreshed(self.kind(e)) for e in (*args, *keywords.values())]
        if attribute is None or not any(kind.active for kind in kinds):
            return None
        self.facts.callees[node] = Callee(function, tuple(args), keywords)
        given = inspect.signature(function).bind(*args, **keywords).arguments
        written = _of_a_number if attribute == "root" else _of_a_vector
        call = written({n: e for n, e in given.items() if literal_of(e) is not None})
        if isinstance(call, str):
            return self.not_called(call, node)

        def made() -> Any:
            key = gast.copy_location(constant(attribute), node)
            return Instance([key], [gast.copy_location(call, node)], node.func, _Solution)

        return self.answered_by(node, made)

    def object_attribute(self, node: Any, base: Kind) -> Kind:
        """`root_scalar(f, bracket=(0, 3)).root` is the root itself."""
        if not (isinstance(base, Tup) and base.type is _Solution):
            return super().object_attribute(node, base)
        if base.position(node.attr) is None:
            self.refuse("of what SciPy says of a root only the root itself is followed", node)
            return REFUSED
        made = self.facts.answers.get(node.value)
        if not isinstance(made, Instance):
            return super().object_attribute(node, base)
        root: Any = made.values[0]
        return self.answered_by(node, lambda: root)


class _Solution:
    """What stands for the class of such objects: nothing is known of them but the root."""


SOLUTIONS = {"scipy.optimize.root_scalar": "root", "scipy.optimize.root": "x"}


def _of_a_vector(given: Mapping[str, Any]) -> Any | str:
    """`root` as `fsolve`; why that can't be said."""
    options = {"args": "args", "jac": "fprime", "tol": "xtol"}
    parts = {name: e for name, e in given.items() if name not in ("fun", "x0", "method")}
    if literal_of(given.get("method")) not in (ABSENT, "hybr"):
        return "of its methods hybr is followed"
    for name in parts:
        if name not in options:
            return f"it is called with '{name}' here"
    if literal_of(parts.get("jac")) is not ABSENT:
        return "its function gives two values: give it the matrix by jac="
    keywords = [gast.keyword(options[name], e) for name, e in parts.items()]
    return gast.Call(quote("scipy.optimize.fsolve"), [given["fun"], given["x0"]], keywords)


def _of_a_number(given: Mapping[str, Any]) -> Any | str:
    """`root_scalar` as the function of its method; why that can't be said."""
    asked = literal_of(given["method"]) if "method" in given else _method_chosen(given)
    method = SCALAR_METHODS.get(asked.lower()) if isinstance(asked, str) else None
    if method is None:
        return f"of its methods {', '.join(SCALAR_METHODS)} are followed"
    parts = {name: e for name, e in given.items() if name not in ("f", "method")}
    for name in parts:
        if name not in method.takes:
            return f"it is called with '{name}' here"
    if any(name not in parts for name in method.needs):
        return method.otherwise
    if isinstance(literal_of(parts.get("fprime")), bool):
        return "its function gives two values: give it the slope by fprime="
    first = [given["f"]]
    if "bracket" in parts:
        bracket = parts.pop("bracket")
        if not isinstance(bracket, (gast.Tuple, gast.List, gast.Name)):
            return "write its bracket as a tuple: bracket=(low, high)"
        first += [quote("{b}[0]", b=bracket), quote("{b}[1]", b=bracket)]
    named = {method.takes[name]: e for name, e in parts.items()} | {"disp": constant(False)}
    keywords = [gast.keyword(name, e) for name, e in named.items()]
    return gast.Call(quote(method.function), first, keywords)


def _method_chosen(given: Mapping[str, Any]) -> str:
    if "bracket" in given:
        return "brentq"
    return "secant" if "x1" in given and "fprime" not in given else "newton"
