"""Names that are read once, in the very next line, are folded into it.

    dt = dy * s                      ->      dx = helper_adjoint(helper_saved, dy * s)
    dx = helper_adjoint(helper_saved, dt)

Never across a comment (the border of two of the user's lines), unless the name is only another name. Into a branch
only what its test reads, which is evaluated in the very same place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.expressions import size
from tangentish.analysis.list_changes import TAKING
from tangentish.folding.apart import Least, within
from tangentish.folding.uncopied import read_uncopied, stores_through_views
from tangentish.ir.origins import NOWHERE
from tangentish.language.webs import map_blocks, map_nodes
from tangentish.recording.liveness import without_idle_comments

LARGEST = 16  # nodes of what is folded in
RESULTS = ir.Return(
    (), False, NOWHERE
)  # what stands below an adjoint, and is said by the last comment


def fold(
    block: ir.Block, results: Iterable[Any], is_array: Callable[[str], bool] | None = None
) -> ir.Block:
    """The adjoint with single-use names folded into the next line.

    is_array: tells gradients that are arrays, places of which are not copied in vain.
    """
    reads, definitions = ir.mentions(block, results), ir.definitions(block)
    once = {
        n for n in definitions if definitions[n] == 1 and reads[n] == 2
    }  # its target counts as one
    readers = {n: reads[n] - 1 for n in definitions if definitions[n] == 1}
    folded = _Fold(once, readers)
    if is_array is not None and not stores_through_views(block):
        folded.is_array = is_array
    return folded.block(block, RESULTS)


@dataclass
class _Fold:
    once: set[str]
    reads: dict[str, int]  # of what is set once
    is_array: Callable[[str], bool] | None = None
    least: Least = field(default_factory=dict)  # the counters of the loops around a block

    def block(self, block: ir.Block, end: ir.Statement | None = None) -> ir.Block:
        out: list[ir.Statement] = []
        for before in block:
            lone = before.__class__ in ir.LINES
            statement = before if lone else map_blocks(before, self.inside(before).block)
            if lone or not (_is_empty(statement) and not _is_empty(before)):
                out.append(self.folded(statement, out))
        if self.is_array is not None:
            out = read_uncopied(out, self.reads, self.is_array, self.least)
        return without_idle_comments(out, end)

    def inside(self, line: ir.Statement) -> _Fold:
        """What folds the blocks of a line."""
        least = within(line, self.least)
        return self if least is self.least else replace(self, least=least)

    def folded(self, statement: ir.Statement, out: list[ir.Statement]) -> ir.Statement:
        """The statement with the line before it folded in, which is then taken off `out`."""
        while isinstance(statement, (ir.Assign, ir.Update, ir.If)):
            crossing = bool(out) and isinstance(out[-1], ir.Comment)
            position = len(out) - (2 if crossing else 1)
            if position < 0:
                return statement
            new = self.merged(out[position], statement, crossing)
            if new is None:
                return statement
            del out[position]
            statement = new
        return statement

    def merged(self, first: ir.Statement, second: Any, crossing: bool) -> Any | None:
        match first:
            case ir.Assign(gast.Name(id=name), gast.Name(id=other) as value) if (
                "~" in name and not crossing and _is_set_anew(second, other)
            ):  # g = dx; dx = g * a + g * b
                if ir.names_in(second.value).count(name) != self.reads.get(name):
                    return None
            case ir.Assign(gast.Name(id=name), value) if _is_made(name, value) and (
                name in self.once or _is_set_anew(second, name)
            ):
                small = (
                    isinstance(value, (gast.Name, gast.Constant))
                    if crossing
                    else size(value) <= LARGEST
                )
                if not small or _is_call(value) or not _reads_once(second, name):
                    return None
            case _:
                return None

        def change(node: Any) -> Any:
            return value if type(node) is gast.Name and node.id == name else None

        if _is_set_anew(second, name):
            value_anew = ir.copy_expression(second.value, change)
            return _without_copy(ir.Assign(second.target, value_anew, second.origin))
        return _without_copy(map_nodes(second, change))


def _is_empty(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.If) and not (statement.body or statement.orelse)


def _without_copy(statement: Any) -> Any:
    """`dx += g[i].copy()` and `dx -= -g.copy() * y` read what is there at once: nobody needs a copy."""
    match statement:
        case ir.Update(
            gast.Name(id=name) as target, gast.Add() | gast.Sub() as op, value, origin
        ) if (place := _copied_place(value)) is not None and name not in ir.names_in(place):
            return ir.Update(target, op, place, origin)
        case ir.Update(target, op, value, origin) if (new := _with_less_copied(value)) is not value:
            return ir.Update(target, op, new, origin)
        case ir.Assign(target, value, origin) if (new := _with_less_copied(value)) is not value:
            return ir.Assign(target, new, origin)
        case ir.Assign(target, gast.Call(func=gast.Attribute(value=inner, attr="copy")), origin):
            if _copied_place(inner) is not None:
                return ir.Assign(target, inner, origin)
    return statement


def _copied_place(e: Any) -> Any | None:
    match e:
        case gast.Call(
            func=gast.Attribute(value=gast.Subscript() as place, attr="copy"), args=[], keywords=[]
        ):
            return place
    return None


def _with_less_copied(e: Any) -> Any:
    """The expression, in which arithmetic reads what is there."""

    def change(node: Any) -> Any | None:
        return _computed_from(node) if _is_computed(node) else None

    return ir.copy_expression(e, change)


def _is_computed(e: Any) -> bool:
    """Whether an expression is arithmetic, and calls nothing that might change what the rest of it reads."""
    called = (node.func for node in ir.walk(e) if isinstance(node, gast.Call))
    return isinstance(_summed(e), (gast.BinOp, gast.UnaryOp)) and not any(
        isinstance(f, gast.Name) and f.id != "$unbroadcast" for f in called
    )


def _summed(e: Any) -> Any:
    """What is summed over the axes that it was broadcast along."""
    match e:
        case gast.Call(func=gast.Name(id="$unbroadcast"), args=[inner, _], keywords=[]):
            return _summed(inner)
    return e


def _computed_from(e: Any) -> Any:
    """Arithmetic without copies of its operands."""
    match e:
        case gast.BinOp(left=left, op=op, right=right):
            parts = _computed_from(left), _computed_from(right)
            same = parts[0] is left and parts[1] is right
            return e if same else gast.BinOp(parts[0], op, parts[1])
        case gast.UnaryOp(op=op, operand=operand):
            part = _computed_from(operand)
            return e if part is operand else gast.UnaryOp(op, part)
        case gast.Call(func=gast.Name(id="$unbroadcast") as sums, args=[inner, like], keywords=[]):
            part = _computed_from(inner)
            return e if part is inner else gast.Call(sums, [part, like], [])
        case gast.Call(
            func=gast.Attribute(value=gast.Name() as whole, attr="copy"), args=[], keywords=[]
        ):
            return whole
    place = _copied_place(e)
    return e if place is None else place


def _is_made(name: str, value: Any) -> bool:
    """Whether a name is one of generated code, or of a comprehension that was taken out of the line that reads it."""
    return "~" in name or (".+" in name and _is_comprehension(value))


def _is_comprehension(value: Any) -> bool:
    match value:
        case gast.ListComp() | gast.Call(func=gast.Name(id="$list")):
            return True
    return False


def _is_set_anew(statement: Any, name: str) -> bool:
    """`dx = f(dx)`, so that nobody else reads what it was."""
    return isinstance(statement, ir.Assign) and ir.is_name(statement.target, name)


def _reads_once(statement: Any, name: str) -> bool:
    """Read in the value, or the test, and nowhere that is evaluated more than once."""
    value = statement.test if isinstance(statement, ir.If) else statement.value
    repeated = (
        part
        for sub in ir.walk(value)
        if type(sub) is gast.ListComp
        for part in (sub.elt, *sub.generators)
    )
    return ir.names_in(value).count(name) == 1 and not any(
        name in ir.names_in(part) for part in repeated
    )


def _is_call(value: Any) -> bool:
    """Adjoints of callees stay on lines of their own; so do pops, whose order counts."""
    return any(
        isinstance(node, gast.Call)
        and (
            (isinstance(node.func, gast.Attribute) and node.func.attr == "pop")
            or (isinstance(node.func, gast.Name) and node.func.id in TAKING)
        )
        for node in ir.walk(value)
    )
