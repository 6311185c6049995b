"""A line of the user's stands once above its adjoint, where a comprehension made several loops of it.

# rows = np.array([f(x * k) for k in ks])      ->      # rows = np.array([f(x * k) for k in ks])
dt = list(drows)                                       dt = list(drows)
for k in reversed(ks):                                 for k in reversed(ks):
    # rows = np.array([f(x * k) for k in ks])              dx += f_adjoint(dt.pop()) * k
    dx += f_adjoint(dt.pop()) * k
"""

from __future__ import annotations

from collections.abc import Hashable

from tangentish import ir
from tangentish.language.webs import map_blocks


def said_once(block: ir.Block, said: Hashable = None) -> ir.Block:
    """The block without comments inside its loops that say again which line is at hand; `said` stands above it."""
    kept: list[ir.Statement] = []
    for statement in block:
        if isinstance(statement, ir.Comment):
            said = _line(statement)
            if kept and isinstance(kept[-1], ir.Comment) and kept[-1].text == statement.text:
                kept.pop()  # of the condition, whose line has nothing but this one under it
        elif inner := _lines(statement):
            if said is not None and inner == {said}:
                statement = _without_comments(statement)
            else:
                said = None
                statement = map_blocks(statement, said_once)
        kept.append(statement)
    return tuple(kept)


def _lines(statement: ir.Statement) -> set[Hashable]:
    """The lines of the user's that comments inside a statement stand for."""
    inside = ir.walk_statements((statement,)) if ir.blocks_of(statement) else ()
    return {_line(s) for s in inside if isinstance(s, ir.Comment) and s.text}


def _line(comment: ir.Comment) -> Hashable:
    """Which line this is; of two with the same text, each is one of its own."""
    line = getattr(comment.origin and comment.origin.node, "lineno", None)
    return None if line is None or comment.alone else (line, comment.text)


def _without_comments(statement: ir.Statement) -> ir.Statement:
    def without(block: ir.Block) -> ir.Block:
        return tuple(_without_comments(s) for s in block if not isinstance(s, ir.Comment))

    return map_blocks(statement, without)
