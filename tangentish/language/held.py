"""Gradients with respect to a local variable, which is held: independent of what it was computed from.

    z = 5 * u - x  with  u = x * y      wrt=("x", "u", "y")  ->  -1, 5, 0

In the forward pass nothing changes. On the way back the gradient of the variable stays where it
stands when its one assignment is reached, and nothing flows on from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal


def held_values(
    form: ir.Function, names: Sequence[str], tree: Any
) -> tuple[tuple[str, ...], list[Refusal]]:
    """The values of these local names; refusals where there is not just one, assigned in the open."""
    values, refusals = [], []
    for name in names:
        found = list(_definitions(form, name))
        if not found:
            refusals.append(Refusal(f"wrt='{name}': no line of this function assigns it", tree))
            continue
        refusals += _why_not(name, found, form)
        values.append(_value_of(found[0], name))
    return tuple(values), refusals


def _definitions(form: ir.Function, name: str) -> Iterator[ir.Statement]:
    for statement in ir.walk_statements(form.body):
        if any(ir.base_name(v) == name for v in ir.defined_names(statement) if _is_users(v)):
            yield statement


def _is_users(value: str) -> bool:
    return ir.is_value(value) and "+" not in value and not value.startswith(".")


def _value_of(statement: ir.Statement, name: str) -> str:
    return next(v for v in ir.defined_names(statement) if ir.base_name(v) == name)


def _why_not(name: str, found: Sequence[ir.Statement], form: ir.Function) -> Iterator[Refusal]:
    first, *others = found
    if others:
        yield _refusal(
            f"'{name}' is assigned more than once, and wrt='{name}' takes one value: give this one "
            "another name",
            others[0],
        )
    elif not (isinstance(first, ir.Assign) and isinstance(first.target, gast.Name)):
        message = f"wrt='{name}' takes a variable with an assignment of its own: {name} = ..."
        yield _refusal(message, first)
    elif first not in form.body:
        yield _refusal(
            f"'{name}' is assigned in a loop or branch, where it may have any number of values, "
            f"and wrt='{name}' takes one",
            first,
        )


def _refusal(message: str, statement: Any) -> Refusal:
    named = isinstance(statement, (ir.Assign, ir.Update, ir.For))
    return Refusal(message, statement.target if named else statement.origin.node)
