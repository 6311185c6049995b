"""Branches whose way is known, in a function that is refused with both ways: the other one is left out.

    if isinstance(v, list):
        v = np.array(v)

What `v` is where both ways meet is one value, a list on the one and an array on the other. Names are split into values
before anything is known of these, so that the way which is not taken has to be gone by then. That it is not taken is
found again by the walk over what is left; a line that may be reached all the same is refused as before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.ir.origins import NOWHERE, origin_of, position_of
from tangentish.language.normal import Normal
from tangentish.language.webs import map_statement

Ways = dict[tuple[int, int], bool]
_LEFT_OUT = "this way is not taken"


def ways_known(form: ir.Function, facts: Facts) -> Ways:
    """The way that is taken, by where an `if` stands; of a function as it was written, nothing taken apart."""
    branches = [s for s in ir.walk_statements(form.body) if isinstance(s, ir.If)]
    often = Counter(map(position_of, branches))
    known = [s for s in branches if s in facts.branches and origin_of(s) is not NOWHERE]
    return {position_of(s): facts.branches[s] for s in known if often[position_of(s)] == 1}


def with_ways_known(normal: Normal, ways: Ways) -> Normal:
    """The function without what is in the other ways of these branches."""

    def without(statement: ir.Statement) -> ir.Statement:
        new = map_statement(statement, lambda e: e, block)
        if not isinstance(new, ir.If) or position_of(new) not in ways:
            return new
        left_out = (ir.Do(gast.Raise(gast.Constant(_LEFT_OUT, None), None), new.origin),)
        taken = ways[position_of(new)]
        return replace(new, orelse=left_out) if taken else replace(new, body=left_out)

    def block(statements: ir.Block) -> ir.Block:
        return tuple(map(without, statements))

    return replace(normal, body=block(normal.body)) if ways else normal


def leaves_a_way_out(form: ir.Function) -> bool:
    """Whether a way that was left out may be taken."""
    return any(map(_is_left_out, ir.walk_statements(form.body)))


def _is_left_out(statement: ir.Statement) -> bool:
    match statement:
        case ir.Do(gast.Raise(exc=gast.Constant(value=value))):
            return bool(value == _LEFT_OUT)
    return False
