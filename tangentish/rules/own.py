"""The user's own rules: a derivative that is a function of the user's, not a line of text.

    @adjoint(sigmoid)
    def sigmoid_adjoint(dy, y, x):
        return dy * y * (1 - y)

The generated code calls it: `dx = checked(sigmoid_adjoint(dy, y, x), x)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tangentish.rules.names import Twin, give_name
from tangentish.rules.rule import Parameter, Rule

Function = Callable[..., Any]

OWN: dict[object, OwnRule] = {}
"""Function -> the rule that its user gave it; it stands before those of the tables."""

DECLARED: set[object] = set()
"""Functions of which their user says that they have no derivative."""


@dataclass(frozen=True, eq=False)
class OwnRule(Rule):
    """A rule whose adjoint is a function `adjoint(dy, y, *args)` that gives one gradient an argument.

    function  what it is the rule of
    forward   a twin of it that returns (y, residuals); the adjoint gets these after y
    tangent   `tangent(dots, y, *args)`, if the user gave it
    names     the parameters of the function; more may follow where it is `open_ended`
    saves     whether this is the rule of that twin, where it is called in place of the function
    """

    function: Function = print
    adjoint_function: Function = print
    forward: Function | None = None
    tangent_function: Function | None = None
    names: tuple[str, ...] = ()
    open_ended: bool = False
    saves: bool = False

    __hash__ = object.__hash__

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(map(Parameter, self.names))

    @property
    def title(self) -> str:
        """What the function is called."""
        return self.primal.partition("(")[0]

    @cached_property
    def twin(self) -> Twin:
        assert self.forward is not None
        twin = Twin(self.forward)
        OWN[twin] = replace(self, saves=True)
        return twin

    # -- the names under which generated code has these functions

    @cached_property
    def function_name(self) -> str:
        return give_name(self.function, self.title)

    @cached_property
    def adjoint_name(self) -> str:
        return give_name(self.adjoint_function, f"{self.title}_adjoint")

    @cached_property
    def tangent_name(self) -> str:
        return give_name(self.tangent_function, f"{self.title}_tangent")

    @cached_property
    def twin_name(self) -> str:
        """The twin in place of the function: it has the rule."""
        return give_name(self.twin, f"{self.title}_forward")

    @cached_property
    def forward_name(self) -> str:
        """The twin as a function like any other."""
        return give_name(self.forward, f"{self.title}_forward")


def own_rule(function: object) -> OwnRule | None:
    """The rule that its user gave a function, if any."""
    try:
        return OWN.get(function)
    except TypeError:  # unhashable
        return None


def is_ruled(value: object) -> bool:
    """Whether its user gave a rule to just this object: one of the user's is asked for neither its hash nor equality."""
    return any(value is function for function in (*OWN, *DECLARED))


def is_declared_constant(function: object) -> bool:
    """Whether its user says of a function that it has no derivative."""
    try:
        return function in DECLARED
    except TypeError:  # unhashable
        return False


def has_own_rule(function: object) -> bool:
    """Whether its user said anything about the derivative of a function."""
    return own_rule(function) is not None or is_declared_constant(function)


def register(rule: OwnRule) -> None:
    """The rule counts from here on, in place of any other of the function."""
    DECLARED.discard(rule.function)
    OWN[rule.function] = rule


def declare_constant(function: object) -> None:
    """No derivative flows through the function from here on."""
    OWN.pop(function, None)
    DECLARED.add(function)


def described(name: str, names: tuple[str, ...], **functions: Any) -> OwnRule:
    adjoints: Mapping[str, str] = {}
    return OwnRule("own", f"{name}({', '.join(names)})", adjoints, names=names, **functions)
