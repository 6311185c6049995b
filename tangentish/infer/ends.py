"""Where values end: after which statement nothing reads a value again before it is bound anew.

v = y[1:]            After its last line in the block that holds all of it, v is over. A write to y from there on
v *= 2               makes nothing stale that anyone could read: it need not ask after v.
y[0] = 1             <- v is over
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tangentish import ir
from tangentish.language.nested import Closure


def ends_of(function: ir.Function) -> dict[ir.Statement, list[str]]:
    """The values that are over after a statement; parameters, which the caller reads, never are."""
    lasting = {*function.parameters, *_captured(function.body)}
    lines = ir.walk_statements(function.body)
    stops = [s.stop for s in lines if isinstance(s, ir.For | ir.While) and s.stop is not None]
    every = ir.mentions(function.body, stops)
    for name in [n for n in every if n in lasting or "." not in n]:
        del every[name]
    found: dict[ir.Statement, list[str]] = {}
    _end_in(function.body, every, found)
    return found


def _end_in(
    block: ir.Block, every: Counter[str], found: dict[ir.Statement, list[str]]
) -> Counter[str]:
    """How often this block mentions the values that do not end in it.

    A value ends in the innermost block with all of its mentions, if the first of them binds it: so it is not carried
    from one trip of a loop to the next.
    """
    count: Counter[str] = Counter()
    first: dict[str, ir.Statement] = {}
    last: dict[str, ir.Statement] = {}
    for statement in block:
        mine = [v for v in _mentioned(statement) if v in every]
        for inner in ir.blocks_of(statement):
            mine += _end_in(inner, every, found).elements()
        for value in mine:
            first.setdefault(value, statement)
            last[value] = statement
            count[value] += 1
    for value in [v for v, times in count.items() if times == every[v]]:
        if _binds(first[value], value):
            found.setdefault(last[value], []).append(value)
            del count[value]
    return count


def _binds(statement: ir.Statement, value: str) -> bool:
    """Whether a statement binds a value that it does not read."""
    match statement:
        case ir.Assign(value=read):
            return value in ir.defined_names(statement) and value not in ir.names_in(read)
    return False


def _mentioned(statement: ir.Statement) -> Sequence[str]:
    """The names that a statement mentions itself, as often as it does; what ends a loop, too."""
    stop = getattr(statement, "stop", None)
    own = ir.mentioned(statement)
    return own if stop is None else (*own, *ir.names_in(stop))


def _captured(block: ir.Block) -> Iterator[str]:
    """What closures read whenever they run."""
    closures = ir.nodes_within(block, Closure)
    return (name.id for closure in closures for name in closure.captured)
