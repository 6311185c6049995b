"""The statement layer: what every pass after language/normal.py works on.

    block     = statement*
    statement = Assign(target, value)            target = name | subscript chain | tuple of targets
              | Update(target, op, value)        target op= value
              | Do(node)                         verbatim: kept for its effect, carries no derivative
              | If(test, body, orelse)
              | For(target, iter, body, stop)    after each trip: leave if the variable `stop` is set
              | While(test, body, stop)
              | Try(body, handlers, orelse)      orelse: what follows the body where nothing was raised
              | Finally(body, final)
              | With(items, body)
              | Return(values)                   once, at the end of the function
    and, in generated code only,
              | Save(slot)                       keep what is about to be overwritten
              | Restore(slot)                    bring it back
              | Unset(slot)                      None for what may have no value when it is saved
              | Comment(text)

Expressions are gast expressions. A name with a dot in it (`x.2`) is a value of this function: a set of
definitions that reach common uses (language/webs.py); any other name is free: a global, a closure or a builtin.
Blocks are tuples; passes build new statements and never change one. Every loop and branch has one way in and
one way out: exits have become flags.
"""

from __future__ import annotations

from tangentish.ir.early import early, may_raise
from tangentish.ir.exchanges import EXCHANGE, exchange, exchanged_places
from tangentish.ir.expressions import (
    VIEWS,
    Expr,
    alike,
    assigned,
    base_name,
    binary,
    bounds_of,
    children,
    copy_expression,
    copy_target,
    dump,
    duplicate,
    evaluated,
    given_to,
    has_star,
    has_view_call,
    is_name,
    is_none,
    is_own_name,
    is_value,
    leaves_of,
    links_of,
    name,
    names_and_counters,
    names_in,
    nodes_by_type,
    nodes_of,
    owner_of,
    parts_of,
    placeholder,
    reads_of,
    root_of,
    store_targets,
    subscript,
    target_names,
    values_in,
    walk,
    with_fields,
)
from tangentish.ir.statements import (
    LINES,
    AddAt,
    Assign,
    Block,
    Break,
    Comment,
    Do,
    Finally,
    For,
    Function,
    Handler,
    If,
    Matched,
    Origin,
    Restore,
    Return,
    Save,
    Slot,
    Statement,
    SubAt,
    Try,
    Unset,
    Update,
    While,
    With,
    blocks_of,
    blocks_within,
    bound_within,
    changed_in_place,
    counted,
    defined_names,
    definitions,
    expressions_of,
    grouped,
    is_procedure,
    last_return,
    lines_with,
    mentioned,
    mentioned_within,
    mentions,
    nodes_in,
    nodes_within,
    operator_name,
    opposite,
    results_of,
    returns_tuple,
    stored_names,
    walk_statements,
    walked,
)

__all__ = [
    "AddAt", "Assign", "Block", "Break", "Comment", "Do", "EXCHANGE", "Expr", "Finally", "For", "Function", "Handler",
    "If", "LINES", "Matched", "Origin", "Restore", "Return", "Save", "Slot", "Statement", "SubAt", "Try", "Unset",
    "Update", "VIEWS", "While", "With", "alike", "assigned", "base_name", "binary", "blocks_of", "blocks_within",
    "bound_within", "bounds_of", "changed_in_place", "children", "copy_expression", "copy_target",
    "defined_names", "definitions", "dump", "duplicate", "early", "evaluated",
    "exchange", "exchanged_places", "expressions_of", "forget", "given_to", "has_star", "has_view_call", "is_name",
    "is_none", "is_own_name", "is_procedure", "is_value", "last_return", "leaves_of", "lines_with", "links_of",
    "may_raise", "mentioned", "mentioned_within", "mentions", "name",
    "names_in", "nodes_in", "nodes_of", "nodes_within", "operator_name", "opposite", "owner_of", "parts_of",
    "placeholder", "reads_of", "results_of", "returns_tuple", "root_of", "store_targets", "stored_names", "subscript",
    "target_names", "values_in", "walk", "walk_statements", "with_fields",
]  # fmt: skip


def forget() -> None:
    """Let go of the expressions and statements that were looked at."""
    for found in (
        children, walk, dump, nodes_by_type, names_in, names_and_counters, values_in, reads_of, root_of, has_view_call,
        expressions_of,
        mentioned, stored_names, defined_names, walked, grouped, lines_with, bound_within, counted,
    ):  # fmt: skip
        found.cache_clear()
