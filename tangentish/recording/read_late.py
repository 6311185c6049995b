"""Values that are read out of sight, as late as may be: what holds a function or a generator may run it at any time.

    d = Held(lambda: c)         d = (v * c for v in y)
    c = 5.0                     c = 5.0
    return x * d.call()         return x * sum(d)

No later line names `c`, and yet one reads it.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.infer.known_functions import TAKING_ALL
from tangentish.kinds import Fun
from tangentish.language.nested import Closure

_HOLDING = frozenset((Closure, gast.GeneratorExp))


@dataclass
class ReadLate:
    """What functions and generators read that something holds of which nobody knows when it runs them.

    kept_with: for each value that is a function, or has some among its elements, what these capture.
    """

    facts: Facts
    kept_with: Mapping[str, frozenset[str]]

    def __call__(self, block: ir.Block) -> frozenset[str]:
        found: set[str] = set()
        for statement in ir.walk_statements(block):
            names_them = isinstance(statement, ir.Assign) and self.is_known(statement.target)
            for expression in () if names_them else ir.expressions_of(statement):
                if self.may_hold(expression):
                    found.update(self.held_by(expression))
        return frozenset(found)

    def may_hold(self, expression: Any) -> bool:
        """Whether there is anything that might hold a function or a generator: most lines have nothing such."""
        return bool(self.kept_with) or not _HOLDING.isdisjoint(map(type, ir.walk(expression)))

    def is_known(self, target: Any) -> bool:
        """Whether all that a line binds are names of functions, whose reads are seen."""
        return all(name in self.kept_with for name in ir.target_names(target))

    def held_by(self, node: Any) -> Iterator[str]:
        """The values that functions and generators read which an expression gives away."""
        match node:
            case Closure(captured=captured):
                for name in captured:
                    yield from (name.id, *self.kept_with.get(name.id, ()))
            case gast.Name(id=name):
                yield from self.kept_with.get(name, ())
            case gast.GeneratorExp():
                for name in filter(ir.is_value, ir.names_in(node)):
                    yield from (name, *self.kept_with.get(name, ()))
            case gast.Call(func=func, args=args):
                parts = args if self.only_runs(func) else (func, *args)
                if self.takes_all(node):
                    parts = [c for part in parts for c in _inside(part)]
                for part in (*parts, *(k.value for k in node.keywords)):
                    yield from self.held_by(part)
            case _:
                for part in ir.children(node):
                    yield from self.held_by(part)

    def takes_all(self, call: Any) -> bool:
        function = self.facts.function_of(call)
        return any(function is taker for taker in TAKING_ALL)

    def only_runs(self, func: Any) -> bool:
        """Whether the functions of this name are run by a call, and none of them is left after it."""
        kind = self.facts.web_kinds.get(func.id) if isinstance(func, gast.Name) else None
        if not isinstance(kind, Fun) or kind.function is None:
            return False
        others = (self.facts.web_kinds.get(value) for value in kind.values)
        gives = any(isinstance(k, Fun) and k.function is not kind.function for k in others)
        return not (gives or _makes_functions(kind.function))


def _inside(part: Any) -> tuple[Any, ...]:
    return ir.children(part) if isinstance(part, gast.GeneratorExp) else (part,)


def _makes_functions(function: types.FunctionType) -> bool:
    """Whether a call leaves functions or generators that read what this one captures."""
    code = function.__code__
    inner = any(isinstance(constant, types.CodeType) for constant in code.co_consts)
    return inner or bool(code.co_flags & inspect.CO_GENERATOR)
