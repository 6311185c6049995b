"""Lines in which the parts without a derivative can't be evaluated in another order: they change something, or draw.

y = (r.normal() + x[0]) * r.normal()     ->     t = r.normal(); t_1 = r.normal(); y = (t + x[0]) * t_1

The adjoint and the tangent read some parts of a line, and choices are made before it: these get lines of their own, the
others don't. Here it is told where that would show; analysis/evaluation_order.py keeps the order then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts, ListMethod
from tangentish.kinds import Fun, Known, Seq, Tup, is_number


def evaluated_in_turn(statement: ir.Statement, facts: Facts) -> frozenset[Any]:
    """The calls of a line that are made in their turn, as it makes a difference which parts have names."""
    if not isinstance(statement, (ir.Assign, ir.Update, ir.Do)):
        return frozenset()
    nodes = ir.nodes_in(statement)
    acting = frozenset(n for n in nodes if isinstance(n, _ACTING) and _shows(n, facts) is not None)
    if not acting:
        return frozenset()
    reached = [n for e in ir.expressions_of(statement) for n in _looked_into(e, facts)]
    if not facts.varies(*reached):
        return frozenset()
    parts = [node for node in reached if _stays_together(node, facts)]
    if parts == _given_whole(statement):
        return frozenset()  # nothing else is evaluated
    changing = any(_shows(node, facts) for node in acting)
    moved = [part for part in parts if acts(part, facts)]
    seen = changing and any(may_see(part, facts) for part in parts if part not in moved)
    # the arrays that such a call writes to would be saved before the line, but after the parts that have names
    kinds = map(facts.web_kinds.get, facts.writes.get(statement, ()))
    written = changing and not all(isinstance(kind, (Seq, Tup)) for kind in kinds)
    return acting if len(moved) > 1 or seen or written else frozenset()


def _given_whole(statement: ir.Statement) -> list[Any]:
    """What a name is bound to, or a method of a list is given."""
    match statement:
        case ir.Assign(value=value):
            return [value]
        case ir.Do(gast.Expr(value=gast.Call(args=args))):
            return list(args)
    return []


def _looked_into(node: Any, facts: Facts) -> Iterator[Any]:
    """The parts of an expression, of which those that carry no derivative stay together."""
    yield node
    if not _stays_together(node, facts):
        for part in ir.children(node):
            yield from _looked_into(part, facts)


def _stays_together(node: Any, facts: Facts) -> bool:
    """Whether a part carries no derivative: slices, methods and displays are nothing by themselves."""
    kind, callee = facts.kinds.get(node), facts.callees.get(node)
    if callee is not None and isinstance(callee.function, ListMethod):
        return False  # xs.append(e) gives nothing, and e may vary
    bound = type(node) is gast.Name and isinstance(node.ctx, gast.Store)
    return kind is not None and not kind.active and not bound


def _shows(node: Any, facts: Facts) -> bool | None:
    """Whether it shows when a call is made; True where others may see it, False of draws, which only draws do."""
    if not isinstance(node, _ACTING) or _is_place(node):
        return None  # facts.changes tells of stores, too
    user = facts.user_of(node)
    if node in facts.changes or (user is not None and not user.quiet):
        return True
    return facts.acting.get(node)


_ACTING = (gast.Call, gast.Attribute)
_READ = gast.Load()


def _is_place(node: Any) -> bool:
    """Whether something is stored to this."""
    return not isinstance(getattr(node, "ctx", _READ), gast.Load)


def acts(node: Any, facts: Facts) -> bool:
    """Whether it shows when an expression is evaluated."""
    return any(_shows(sub, facts) is not None for sub in ir.walk(node))


def may_see(node: Any, facts: Facts) -> bool:
    """Whether an expression reads what somebody else may change."""
    return any(type(sub) is gast.Name and _is_open(sub, facts) for sub in ir.walk(node))


def _is_open(name: Any, facts: Facts) -> bool:
    """Whether what a name stands for may change: names that were made just now stand for what does not."""
    kind = facts.kinds.get(name)
    if kind is None or kind.active or isinstance(kind, (Known, Fun)):
        return False
    return not (is_number(kind) and ir.is_value(name.id))
