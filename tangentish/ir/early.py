"""What a block has done when an exception comes of one of its statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import gast

from tangentish.ir.statements import Assign, Block, Comment, If, Save, Statement, Unset, blocks_of


def may_raise(statement: Statement) -> bool:
    """Whether an exception may come of a statement: flags are set without."""
    match statement:
        case Assign(gast.Name(), gast.Constant()) | Comment() | Save() | Unset():
            return False
    return True


def early(
    block: Block, tail: bool = True, raises: Callable[[Statement], bool] = may_raise
) -> Iterator[Statement]:
    """The simple statements of a block after which it may still raise: what they do is seen by who catches that."""
    raising = not tail
    for statement in reversed(block):
        match statement:
            case If(_, body, orelse):
                yield from early(body, not raising, raises)
                yield from early(orelse, not raising, raises)
            case _ if blocks_of(statement):
                again = raising or raises(
                    statement
                )  # by what comes later in it, or on its next trip
                for inner in blocks_of(statement):
                    yield from early(inner, not again, raises)
            case _ if raising:
                yield statement
        raising = raising or raises(statement)
