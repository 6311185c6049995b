"""What comes back under its name only to be read there, once or twice, is read under the name that keeps it.

x = x_old                        ->      return 2 * dx * x_old
return 2 * dx * x

Where many lines read it, they look as the user's do.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.folding.kept_names import renamed, with_name

OFTEN = 3  # times that a name is worth a line


def read_as_kept(block: ir.Block, kept: Collection[str], results: Iterable[Any]) -> ir.Block:
    """The adjoint, in which `kept` are the names of what the forward pass has put aside."""
    if not kept:
        return block
    given = {name for e in results for name in ir.names_in(e)}
    return _read(block, frozenset(kept), lambda name: name not in given)


def _read(block: ir.Block, kept: frozenset[str], ends: Callable[[str], bool]) -> ir.Block:
    """The block, which is passed once; `ends` tells whether nothing behind it reads what a name stands for there."""
    lines: list[ir.Statement | None] = list(block)
    where = ir.lines_with(block)

    def below(name: str, position: int) -> Sequence[int]:
        places = where.get(name, ())
        return places[bisect_right(places, position) :]

    for position in range(len(lines) - 1, -1, -1):
        match lines[position]:
            case ir.If(test, body, orelse, origin):

                def ends_here(name: str, position: int = position) -> bool:
                    for place in below(name, position):
                        line = lines[place]
                        if line is not None and name in ir.mentioned_within(line):
                            return _is_only_set(name, line)
                    return ends(name)

                then, other = (_read(way, kept, ends_here) for way in (body, orelse))
                lines[position] = ir.If(test, then, other, origin)
            case ir.Assign(gast.Name(id=name), gast.Name(id=old)) if old in kept:
                new = _under_kept_name(lines, below(name, position), str(name), str(old), ends)
                if new is not None:
                    for place, line in new.items():
                        lines[place] = line
                    lines[position] = None
    return _without_idle_comments(lines)


def _under_kept_name(
    lines: Sequence[ir.Statement | None],
    places: Sequence[int],
    name: str,
    old: str,
    ends: Callable[[str], bool],
) -> dict[int, ir.Statement] | None:
    """The lines that read the name under which it is kept, by their places; None where many do, or where it changes."""
    new: dict[int, ir.Statement] = {}
    reads = 0
    for place in places:
        line = lines[place]
        if line is None:
            continue
        again = _is_set_anew(name, line)
        if not again and _is_changed(name, line):
            return None
        reads += ir.mentioned_within(line).count(name) - again
        if reads >= OFTEN:
            return None
        new[place] = _with_value_of(line, name, old) if again else renamed(line, name, old)
        if again:
            return new
    return new if ends(name) else None


def _without_idle_comments(lines: Sequence[ir.Statement | None]) -> ir.Block:
    """The lines that are left, without comments of lines that are gone."""
    out: list[ir.Statement] = []
    gone = False  # whether a line below a comment was one that came back
    for line in lines:
        if (
            isinstance(line, ir.Comment)
            and gone
            and isinstance(out[-1], ir.Comment)
            and not out[-1].alone
        ):
            out.pop()
        gone = line is None and bool(out) and isinstance(out[-1], ir.Comment)
        if line is not None:
            out.append(line)
    return tuple(out)


def _is_set_anew(name: str, line: ir.Statement) -> bool:
    """Whether a line gives a name a value; it may read the one before."""
    match line:
        case ir.Assign(target) if name in ir.target_names(target):
            return all(type(part) is gast.Name for part in ir.parts_of(target))
    return False


def _is_changed(name: str, line: ir.Statement) -> bool:
    within = ir.walk_statements((line,))
    return any(
        name in (*ir.defined_names(s), *ir.stored_names(s), *ir.changed_in_place(s)) for s in within
    )


def _is_only_set(name: str, line: ir.Statement) -> bool:
    """Whether a line gives a name a value, and does not read the one before."""
    return _is_set_anew(name, line) and ir.mentioned(line).count(name) == 1


def _with_value_of(line: ir.Statement, name: str, old: str) -> ir.Statement:
    assert isinstance(line, ir.Assign)
    return replace(line, value=with_name(line.value, name, old))
