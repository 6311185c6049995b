"""Gradients that are only another name, or only a copy, of one that nobody needs any more.

db = h.T @ g                     ->      db = h.T @ g
dc = db                                  return db
dc = dc.copy()
return dc
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.webs import map_statement


def without_other_names(
    block: ir.Block, results: Sequence[Any], is_fresh: Callable[[Any], bool], given: Collection[str]
) -> tuple[ir.Block, list[Any]]:
    """The adjoint, and its results, with fewer copies and fewer second names.

    is_fresh: whether an expression gives memory of its own. given: the head gradients, which are the caller's.
    """
    lines = _without_copies(list(block), results, is_fresh, given)
    return with_names(lines, results, _second_names(lines, results, given))


def with_names(
    lines: Sequence[ir.Statement], results: Sequence[Any], names: Mapping[str, str]
) -> tuple[ir.Block, list[Any]]:
    """Lines and results with others in the place of these names, without the lines that only copy then."""
    if not names:
        return tuple(lines), list(results)

    def change(node: Any) -> Any:
        if type(node) is gast.Name and node.id in names:
            return gast.Name(names[node.id], node.ctx, None, None)
        return None

    def renamed(e: Any) -> Any:
        return ir.copy_expression(e, change)

    def is_gone(line: ir.Statement) -> bool:
        match line:
            case ir.Assign(gast.Name(id=second), gast.Name(id=first)):
                return bool(names.get(second, second) == names.get(first, first))
        return False

    return _without_lines(lines, is_gone, renamed), [renamed(e) for e in results]


# ---------------------------------------------------------------------------------- second names


def _second_names(
    lines: Sequence[ir.Statement], results: Sequence[Any], given: Collection[str]
) -> dict[str, str]:
    """Second name -> first name, of what is set once and never changed."""
    statements = list(ir.walk_statements(tuple(lines)))
    sets = Counter(n for s in statements for n in ir.defined_names(s))
    sets.update(given)  # by the caller
    changed = {n for s in statements for n in ir.changed_in_place(s)}
    returned = Counter(n for e in results for n in ir.names_in(e))
    found = _named_when_done(lines, sets, changed, returned)
    for inner in ir.blocks_within(tuple(lines)):
        mine: set[str] = set()
        for statement in inner:
            match statement:
                case ir.Assign(gast.Name(id=second), gast.Name(id=first)) if (
                    all(_is_gradient(n) and n not in changed for n in (first, second))
                    and not _stays(second, first)
                    and sets[second] == 1
                    and sets[first] == (1 if first in mine or first in given else 0)
                    and not (returned[first] and returned[second])
                ):
                    found[second] = found.get(first, first)
            mine.update(ir.defined_names(statement))
    return found


def _named_when_done(
    lines: Sequence[ir.Statement],
    sets: Mapping[str, int],
    changed: Collection[str],
    returned: Mapping[str, int],
) -> dict[str, str]:
    """The second names among these, outside of all loops, of what nothing changes from there on."""
    found: dict[str, str] = {}
    later: set[str] = set()  # what is set or changed further down
    for line in reversed(lines):
        match line:
            case ir.Assign(gast.Name(id=second), gast.Name(id=first)) if (
                _is_gradient(first)
                and _is_gradient(second)
                and sets[second] == 1
                and second not in changed
                and first not in later
                and not _stays(second, first)
                and second not in found.values()
                and not (returned[first] and returned[second])
            ):
                found[second] = first
        for statement in ir.walk_statements((line,)):
            later.update(ir.defined_names(statement), ir.changed_in_place(statement))
    return found


def _is_gradient(name: str) -> bool:
    return "~" in name


def only_passes(name: str) -> bool:
    """Whether a gradient is that of no name of the user's: it only goes on to others."""
    behind = name.partition(".~")[2]
    return behind.isdigit() or behind.startswith(("t~~", "t~+"))


def _stays(second: str, first: str) -> bool:
    """Whether the second name is the one to keep (folding/joined_names.py)."""
    return only_passes(first) and not only_passes(second)


def _without_lines(
    lines: Sequence[ir.Statement],
    is_gone: Callable[[ir.Statement], bool],
    change: Callable[[Any], Any],
) -> ir.Block:
    """The other lines, their expressions changed; and without comments of which nothing else is left."""
    out: list[ir.Statement] = []
    dropped = False
    for line in lines:
        if is_gone(line):
            dropped = True
            continue
        if dropped and isinstance(line, ir.Comment) and out and isinstance(out[-1], ir.Comment):
            out.pop()  # nothing is left of that line of the user's
        dropped = False
        out.append(map_statement(line, change, lambda b: _without_lines(b, is_gone, change)))
    if dropped and out and isinstance(out[-1], ir.Comment):
        out.pop()
    return tuple(out)


# ---------------------------------------------------------------------------------------- copies


def _without_copies(
    lines: list[ir.Statement],
    results: Sequence[Any],
    is_fresh: Callable[[Any], bool],
    given: Collection[str],
) -> list[ir.Statement]:
    """The lines without copies at the end of what no other name stands for that is needed."""
    returned = Counter(n for e in results for n in ir.names_in(e))
    shared = SharedMemory(lines, is_fresh)
    position = len(lines)
    while position > 0 and (copied := _copied(lines[position - 1])) is not None:
        position -= 1
        name, source = copied
        others = shared.with_memory_of(source)
        if (
            others is not None
            and others.isdisjoint(given)
            and not any(returned[n] for n in others - {name})
        ):
            line = lines[position]
            assert isinstance(line, ir.Assign)
            same = ir.Assign(line.target, ir.name(source), line.origin)
            lines[position : position + 1] = [] if name == source else [same]
            shared = SharedMemory(lines, is_fresh)
        elif name == source:
            _copy_at_once(lines, position, name)
    return lines


def _copy_at_once(lines: list[ir.Statement], position: int, name: str) -> None:
    """`dx = g[:3]; ...; dx = dx.copy()` is `dx = g[:3].copy()`, where nothing happens to either in between."""
    for earlier in range(position - 1, -1, -1):
        line = lines[earlier]
        match line:
            case ir.Assign(gast.Name(id=same), gast.Subscript() as value, origin) if same == name:
                between = ir.walk_statements(tuple(lines[earlier + 1 : position]))
                if {n for s in between for n in ir.changed_in_place(s)}.isdisjoint(
                    ir.names_in(value)
                ):
                    copy = gast.Call(gast.Attribute(value, "copy", gast.Load()), [], [])
                    lines[earlier] = ir.Assign(line.target, copy, origin)
                    del lines[position]
                return
        inner = ir.walk_statements((line,))
        if any(name in ir.mentioned(s) for s in inner):
            return


def _copied(line: ir.Statement) -> tuple[str, str] | None:
    """The names of a gradient that is a copy, and of what is copied: `dx = dx.copy()`, `dx = dy.copy()`."""
    match line:
        case ir.Assign(
            gast.Name(id=name),
            gast.Call(func=gast.Attribute(value=gast.Name(id=source), attr="copy"), args=[]),
        ) if _is_gradient(name) and _is_gradient(source):
            return str(name), str(source)
    return None


def _handed_on(value: Any) -> Any:
    """The part of an expression in whose memory its value may lie: what only gives its shape or type is none."""
    match value:
        case gast.Call(func=gast.Name(id="$unbroadcast" | "$cast"), args=[x, *_]):
            return _handed_on(x)
    return value


class SharedMemory:
    """Which gradients may share memory, and which of them with what is not made in the adjoint."""

    def __init__(self, lines: Sequence[ir.Statement], is_fresh: Callable[[Any], bool]) -> None:
        self.links: dict[str, set[str]] = {}
        self.set_here: set[str] = set()
        for statement in ir.walk_statements(tuple(lines)):
            self.set_here.update(ir.defined_names(statement))
            if isinstance(statement, ir.Assign) and not is_fresh(statement.value):
                names = {
                    *ir.target_names(statement.target),
                    *ir.names_in(_handed_on(statement.value)),
                }
                for name in names:
                    self.links.setdefault(name, set()).update(names)

    def in_memory_of(self, name: str) -> set[str]:
        """All names of what may lie in the memory of a gradient."""
        found, waiting = {name}, [name]
        while waiting:
            more = self.links.get(waiting.pop(), set()) - found
            found |= more
            waiting += more
        return found

    def with_memory_of(self, name: str) -> set[str] | None:
        """All gradients that may lie in the memory of one; None where others may, too."""
        found = self.in_memory_of(name)
        return found if all(_is_gradient(n) and n in self.set_here for n in found) else None
