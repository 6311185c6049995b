"""Functions that stay in the text as they were written: what they read must still be there under its name.

A container that is taken apart is values of their own (`ps_a`, `ps_b`), and under its own name there is nothing more,
or its class only. A function whose calls are followed is given these values; one that is handed to something else, or
called as it was written, would find nothing under that name, or what the module has under it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.classes_alone import is_class_alone
from tangentish.errors import Refusal
from tangentish.infer import Facts
from tangentish.kinds import Fun, Tup
from tangentish.kinds.held_functions import with_those_they_read
from tangentish.language.lifted import Routine
from tangentish.language.nested import Closure, captured_names


def shown_without_values(function: ir.Function, facts: Facts) -> list[Refusal]:
    """Refusals of functions that would read what is no longer there, where they are handed to something else."""
    if not (facts.has(Fun) or ir.nodes_within(function.body, Closure, Routine)):
        return []
    found = (
        (node, value)
        for line in ir.walk_statements(function.body)
        for node in _shown(line, facts)
        for value in _captured(node, facts)
        if _is_gone(value, facts)
    )
    return [Refusal(_reason(node, value), node) for node, value in found]


def _reason(node: Any, value: str) -> str:
    name = ir.base_name(value)
    if isinstance(node, gast.Call):
        return (
            f"this calls a function that reads '{name}', whose parts have names of their own here: let the call "
            "stand on a line of its own, or write a loop"
        )
    return (
        f"this function reads '{name}', whose parts have names of their own here, and is not called by "
        f"yours: make what it needs of '{name}' a list or an array before, and have it read that"
    )


def _shown(line: ir.Statement, facts: Facts) -> Iterator[Any]:
    """The functions in a line that are neither given a name there, nor called, nor handed to a function that is.

    Calls stand for the functions that they call, where these stay as they were written, or are given what they read.
    """
    if isinstance(line, ir.Assign) and _is_function(line.value, facts):
        return
    stack = [*ir.expressions_of(line)]
    while stack:
        node = stack.pop()
        if (node.__class__ is gast.Name or isinstance(node, Closure)) and _is_function(node, facts):
            yield node
            continue
        if not isinstance(node, gast.Call):
            stack += ir.children(node)
            continue
        called = node.func
        followed = isinstance(called, Routine)
        if followed or (_is_function(called, facts) and not _is_followed(node, facts)):
            yield node
        parts = (
            part
            for part in ir.children(node)
            if part is not called or not _is_function(part, facts)
        )
        stack += (part for part in parts if not (followed and _is_function(part, facts)))


def _is_followed(call: Any, facts: Facts) -> bool:
    """Whether a generated function takes the place of the one that is called."""
    user = facts.user_of(call)
    return user is not None and user.is_followed


def _is_function(node: Any, facts: Facts) -> bool:
    if type(node) is gast.Name:
        return isinstance(facts.kinds.get(node), Fun)
    return isinstance(node, Closure)


def _captured(node: Any, facts: Facts) -> tuple[str, ...]:
    if isinstance(node, gast.Call):
        if isinstance(node.func, Routine):
            return tuple(_given_classes(node, facts))
        return tuple(v for v in _captured(node.func, facts) if is_class_alone(v, facts))
    if isinstance(node, Closure):
        captured = (name.id for name in node.captured)
        return with_those_they_read(captured, facts.web_kinds.get)
    kind = facts.kinds[node]
    return kind.values if isinstance(kind, Fun) else ()


def _given_classes(call: Any, facts: Facts) -> Iterator[str]:
    """The objects taken apart of which a call gives the class alone for a variable that a function reads."""
    lifted = call.func.lifted
    read = {f"{name}.0" for name in captured_names(lifted.function)}
    read |= {n for _, kind in lifted.functions if isinstance(kind, Fun) for n in kind.values}
    read -= {value for value, _, _ in lifted.displays}
    for leaf, argument in zip(lifted.leaves, call.args, strict=False):
        name = argument.id if isinstance(argument, gast.Name) else ""
        if leaf in read and is_class_alone(name, facts):
            yield name


def _is_gone(value: str, facts: Facts) -> bool:
    """Whether nothing, or only its class, is left under the name of a value."""
    kind = facts.web_kinds.get(value)
    if kind is None:
        return True
    return kind.leaves_nothing if isinstance(kind, Tup) else is_class_alone(value, facts)
