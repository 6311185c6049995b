"""Calls of one of several functions: each of them is called in a branch of its own.

y = act(x)        ->        if act is np.tanh: y = np.tanh(x)
                            else: y = relu(x)
"""

from __future__ import annotations

import builtins
import operator
import sys
import types
from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.callee_arguments import bind_arguments
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.environment import join_environments
from tangentish.infer.facts import Choice
from tangentish.infer.function_values import FunctionValues
from tangentish.infer.known_functions import has_rule
from tangentish.infer.objects import name_of_class
from tangentish.infer.spreading import has_stars
from tangentish.kinds import Fun, Kind, Known, OneOf, is_number
from tangentish.kinds.kinds_of_values import undecorated
from tangentish.rules.names import given_name


class Choices(FunctionValues):
    """The part of the walk that follows calls of which the function is known to be one of a few."""

    def choice_call(self, several: OneOf | Fun, node: Any) -> Kind:
        """The kind of a call, whichever function it is of."""
        options = several.options if isinstance(several, Fun) else map(Known, several.functions)
        every = tuple(options)
        fitting = tuple(option for option in every if _can_take(option, node)) or every
        nodes = [self.function_node(option, node) for option in fitting]
        if None in nodes or (isinstance(several, OneOf) and _are_run_over(several)):
            self.refuse(
                "it is not known which function is called here, and one that it may be has no name",
                node,
            )
            return self.unknown_call(None, ir.given_to(node), node)
        ways = tuple((function, self.way(node, function)) for function in nodes)
        kind = self.after_ways([call for _, call in ways])
        sure = isinstance(several, Fun) or several.sure
        self.facts.choices[node] = Choice(node, ways, sure, len(fitting) == len(every))
        return kind

    def call_at_rest(self, several: OneOf, args: Sequence[Any], node: Any) -> Kind:
        """The kind of a call that carries no derivative: a number, where each of the functions gives one.

        What is called is what stands there, so that a function that others may have put there tells nothing.
        """
        nodes = [self.function_node(Known(function), node) for function in several.functions]
        if None not in nodes and (several.sure or CHANGED_OUTSIDE not in self.rebound):
            ways = [self.way(node, function) for function in nodes]
            kind = self.after_ways(ways)
            if is_number(kind) and all(map(self.is_out_of_sight, ways)):
                return kind
        return self.unknown_call(None, args, node)

    def is_out_of_sight(self, call: Any) -> bool:
        """Whether nothing shows that a function of the user's was called."""
        user = self.facts.user_of(call)
        return user is not None and user.pure

    def after_ways(self, calls: Sequence[Any]) -> Kind:
        """The kind of one of several calls, of which any may be made."""
        start, kinds, ends = self.env, [], []
        for call in calls:
            self.env = start.copy()
            kinds.append(self.expression(call))
            ends.append(self.env)
        self.env, kind = ends[0], kinds[0]
        for end, other in zip(ends[1:], kinds[1:], strict=True):
            self.env, kind = join_environments(self.env, end, self.met), self.met(kind, other)
        return kind

    def way(self, node: Any, function: Any) -> Any:
        return self.made_once(
            (node, function), lambda: gast.Call(function, node.args, node.keywords), node
        )

    def function_node(self, option: Kind, node: Any) -> Any | None:
        """An expression that gives a function where it is called."""
        key = (node, option)
        if key not in self.made:
            self.made[key] = self.path_to(option)
        return self.made[key]

    def path_to(self, option: Kind) -> Any | None:
        if isinstance(option, Fun):
            return None if option.home is None else ir.name(option.home)
        assert isinstance(option, Known)
        function: Any = option.value
        name = getattr(function, "__name__", "")
        if isinstance(function, types.FunctionType) and self.source.where(name) is not None:
            found = self.source.lookup(name)
            if undecorated(found) is function and not self.is_rebound(name):
                return ir.name(name)
        if getattr(operator, name, None) is function:
            return self.path_in(operator, name) or dotted(f"operator.{name}")
        if has_rule(function):
            return path_of_rule(function)
        if is_itself(function):
            return ir.name(given_name(function))
        return self.path_of_method(function)

    def path_of_method(self, function: Any) -> Any | None:
        """`Quadratic.energy`: a method under the name of its class."""
        home, _, name = getattr(function, "__qualname__", "").rpartition(".")
        cls = getattr(function, "__globals__", {}).get(home)
        is_method = isinstance(cls, type) and vars(cls).get(name) is function
        if not (is_method and isinstance(function, types.FunctionType)):
            return None
        return self.path_in(cls, name) or ir.name(given_name(function))

    def path_in(self, owner: Any, name: str) -> Any | None:
        """What a class or a module has, under the name that this has here."""
        known = name_of_class(owner, self.source)
        if known is None or self.is_rebound(known):
            return None
        return gast.Attribute(ir.name(known), name, gast.Load())


def _are_run_over(several: OneOf) -> bool:
    """Whether there are operators among functions that this program lists: a loop over them is written out."""
    operators = (
        getattr(operator, getattr(f, "__name__", ""), None) is f for f in several.functions
    )
    return several.sure and any(operators)


def path_of_rule(function: Any) -> Any | None:
    """`np.tanh`: a function of a library under the name of its module, or a builtin."""
    name = getattr(function, "__name__", "")
    if getattr(builtins, name, None) is function:
        return ir.name(f"${name}")
    for home in HOMES:
        module = sys.modules.get(home)
        if module is not None and getattr(module, name, None) is function:
            return dotted(f"{home}.{name}".replace("numpy", "np", 1))
    return None


HOMES = (
    "numpy", "numpy.linalg", "numpy.fft", "math", "scipy.special", "scipy.linalg", "scipy.fft",
    "scipy.signal", "scipy.integrate",
)  # fmt: skip
"""The modules whose functions have rules."""


def dotted(path: str) -> Any:
    head, *parts = path.split(".")
    node = ir.name(f"${head}")
    for part in parts:
        node = gast.Attribute(node, part, gast.Load())
    return node


def _can_take(option: Kind, call: Any) -> bool:
    """Whether a function of the user's can take the arguments of a call; True of what is not known."""
    function = option.value if isinstance(option, Known) else getattr(option, "function", None)
    if not isinstance(function, types.FunctionType) or has_rule(function) or has_stars(call):
        return True
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    return not isinstance(bind_arguments(function, call.args, keywords), str)


def is_itself(function: Any) -> bool:
    """Whether this function is what its users hold: not what is inside one that was decorated."""
    if not isinstance(function, types.FunctionType):
        return False
    if function.__name__ == "<lambda>":
        return True
    return function.__globals__.get(function.__name__) is function
