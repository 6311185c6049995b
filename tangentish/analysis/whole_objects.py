"""Objects whose attributes are values of the function: nothing may use such an object as a whole.

After `self.x = v` the value of the attribute is `self_x`, and the object that was given, which is left as it was, still
has the old one. What remains of it in the text is its class: it is handed to methods, and attributes of the class are
read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer import Facts, is_shared, is_static
from tangentish.kinds import Tup
from tangentish.language.lifted import Instance, Routine, is_element

__all__ = ["whole_uses"]


def whole_uses(function: ir.Function, facts: Facts) -> list[Refusal]:
    """Refusals of what would see such an object, or call its methods, as they stand."""
    if not (facts.handed or any(isinstance(kind, Tup) for kind in facts.kinds.values())):
        return []
    lines = ir.walk_statements(function.body)
    expressions = [e for line in lines for e in _without_classes(line, facts)]
    seen = (node for e in expressions for node in _seen_whole(e, facts))
    calls = (node for e in expressions if facts.handed for node in ir.walk(e))
    changing = (node for node in calls if node in facts.handed and not _hands_back(node))
    return [
        *(Refusal(_reason(node, facts), node) for node in seen),
        *(
            Refusal(
                "this call changes a dict or an object: let it stand on a line of its own", node
            )
            for node in changing
        ),
    ]


def _without_classes(statement: ir.Statement, facts: Facts) -> Iterator[Any]:
    """The expressions of a statement, but for objects that become elements of a container beside their attributes.

    Of such an element there is the class only, too, and its uses are looked at likewise.
    """
    match statement:
        case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values)) if len(targets) == len(
            values
        ):
            pairs = zip(targets, values, strict=True)
            yield from (v for t, v in pairs if not (_is_element(t) and _is_virtual(v, facts)))
        case _:
            yield from ir.expressions_of(statement)


def _is_element(target: Any) -> bool:
    return isinstance(target, gast.Name) and is_element(target.id)


def _reason(node: Any, facts: Facts) -> str:
    kind = facts.kinds.get(node)
    if isinstance(kind, Tup) and kind.is_function:
        return (
            "a function that holds differentiated values is used otherwise than called: call it, or pass it to a "
            "function of yours"
        )
    return (
        f"{_what(node)} is used as a whole after attributes of it were set: hand on the "
        "attributes, or give the result of the call a name first"
    )


def _what(node: Any) -> str:
    name = getattr(node.cls if isinstance(node, Instance) else node, "id", "")
    return f"'{ir.base_name(name)}'" if ir.is_value(name) else "an object"


def _hands_back(node: Any) -> bool:
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, Routine)
        and bool(node.func.lifted.hands_back)
    )


def _seen_whole(expression: Any, facts: Facts) -> Iterator[Any]:
    """The names of such objects that stand where more than the class is needed."""
    stack = [expression]
    while stack:
        node = stack.pop()
        if _is_virtual(node, facts) or isinstance(node, Instance):
            yield node
            continue
        stack += (
            part
            for part in ir.children(node)
            if not (_is_virtual(part, facts) and _needs_class_only(node, part, facts))
        )


def _is_virtual(node: Any, facts: Facts) -> bool:
    if not isinstance(node, gast.Name):
        return False
    kind = facts.kinds.get(node)
    return isinstance(kind, Tup) and kind.virtual and isinstance(node.ctx, gast.Load)


def _needs_class_only(node: Any, part: Any, facts: Facts) -> bool:
    if isinstance(node, gast.Attribute):
        return is_shared(facts.kind(part), node.attr) or is_static(facts.kind(part), node.attr)
    return isinstance(node, gast.Call) and isinstance(node.func, Routine) and part in node.args
