"""Views that the way back reads are copied where they are made, where that saves recording the array under them.

    h = state[k]                         ->      h = state[k].copy()
    z = h * w                                    z = h * w
    save h, state[k]                             save h
    state[k] = np.tanh(z)                        state[k] = np.tanh(z)

Nobody reads a view after its array was overwritten: that would be a conflict (docs/design/buffers.md).
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.kinds import is_array
from tangentish.language.webs import map_blocks
from tangentish.recording.saving import Saves
from tangentish.rules import Rule


def views_to_copy(slots: Set[ir.Slot], saves: Saves, facts: Facts) -> frozenset[str]:
    """The views on tapes, of arrays whose contents are on tapes, too, that are only computed with."""
    written = {site for slot in slots if slot.content and slot.tape for site in _sites(slot, facts)}
    if not written:
        return frozenset()
    bindings = {s.name for s in slots if s.tape and not s.content and facts.sites(s.name) & written}
    views = {name for name in bindings if _is_made_by_index(name, saves, facts)}
    if not views:
        return frozenset()
    for statement in ir.walk_statements(saves.function.body):
        if isinstance(statement, ir.Save | ir.Restore):
            continue
        for e in ir.expressions_of(statement):
            mentioned = views.intersection(ir.names_in(e))
            target = e is getattr(statement, "target", None)
            if mentioned and not (
                _is_computed(e, facts) or (target and type(e) is not gast.Subscript)
            ):
                views -= mentioned
    return frozenset(views)


def _sites(slot: ir.Slot, facts: Facts) -> Any:
    return facts.sites(slot.name) if slot.sites is None else slot.sites


def _is_made_by_index(name: str, saves: Saves, facts: Facts) -> bool:
    """Whether a value is bound once, to a part of an array."""
    definitions = saves.definitions.get(name, [])
    kind = facts.web_kinds.get(name)
    if len(definitions) != 1 or not is_array(kind):
        return False
    match definitions[0].statement:
        case ir.Assign(target, value):
            return _place(target, value, name) is not None
    return False


def _place(target: Any, value: Any, name: str) -> Any | None:
    """The place of an array that a name is bound to: of `h` in `h, c = s[0], s[1]` that is `s[0]`."""
    targets = ir.parts_of(target)
    values = ir.parts_of(value)
    if len(targets) != len(values):
        return None
    for one, e in zip(targets, values, strict=True):
        if type(one) is gast.Name and one.id == name:
            return e if isinstance(e, gast.Subscript) else None
    return None


def _is_computed(e: Any, facts: Facts) -> bool:
    """Whether an expression gives an array of its own, element by element or by reduction."""
    if isinstance(e, (gast.BinOp, gast.UnaryOp)):
        return True
    rule = facts.rule_of(e)
    return isinstance(rule, Rule) and rule.law in ("elementwise", "reduction")


def spared(before: Set[ir.Slot], after: Set[ir.Slot], views: Set[str], facts: Facts) -> bool:
    """Whether the memory under views need not be recorded any more where they are copies."""
    under = frozenset().union(*map(facts.sites, views))
    kept = {slot for slot in after if slot.content and _sites(slot, facts) & under}
    return not kept and len(after) < len(before)


def copied(block: ir.Block, views: frozenset[str]) -> ir.Block:
    """The forward pass with copies in the place of views."""

    def change(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign(target, value, origin) if views.intersection(
                ir.defined_names(statement)
            ):
                places = [_place(target, value, name) for name in ir.target_names(target)]
                mine = [
                    p for p, n in zip(places, ir.target_names(target), strict=True) if n in views
                ]

                def copy(node: Any) -> Any:
                    if not any(node is place for place in mine):
                        return None
                    return gast.Call(gast.Attribute(node, "copy", gast.Load()), [], [])

                return ir.Assign(target, ir.copy_expression(value, copy), origin)
        return map_blocks(statement, lambda b: copied(b, views))

    return tuple(map(change, block))
