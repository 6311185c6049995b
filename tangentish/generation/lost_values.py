"""Values that a generated text would read and nothing in it binds: what they were is told apart elsewhere.

n = Net()                   # n.model is a dict that varies, of which the elements have names
n.model = {"g": g}          # this one does not vary, and nothing is left of it under that name
return n.forward(x)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import gast

from tangentish import ir
from tangentish.analysis.reached import Analysis
from tangentish.errors import Refusal, refuse
from tangentish.ir.origins import NOWHERE, origin_of
from tangentish.language.evaluated import always_read

_LOST = (
    "nothing stands for '{}' where the gradient reads it, as it is told apart elsewhere: give what it holds a name of "
    "its own, or ask for its derivative, too"
)

_PLAIN = (ir.Assign, ir.Update, ir.Do, ir.Return)


def lost_values(block: ir.Block, given: Iterable[str]) -> frozenset[str]:
    """The values that a block reads on every way and neither binds nor is given."""
    bound = {*given, *(ir.definitions(block) - Counter(_set_to_nothing(block)))}
    lost = {n for n in ir.mentions(block) if n not in bound and ir.is_value(n)}
    if lost:
        loops = ir.nodes_within(block, gast.comprehension)
        lost.difference_update(n for loop in loops for n in ir.target_names(loop.target))
        plain = (line for line in block if isinstance(line, _PLAIN))
        read = (n for line in plain for e in ir.expressions_of(line) for n in always_read(e))
        lost.intersection_update(n.id for n in read if type(n) is gast.Name)
    return frozenset(lost)


def _set_to_nothing(block: ir.Block) -> Iterator[str]:
    """The values that are saved though they may have none yet (recording/unset.py)."""
    for line in block:
        match line:
            case ir.Assign(gast.Name(id=name), gast.Constant(value=value), origin):
                if value is Ellipsis and origin is NOWHERE:
                    yield str(name)


def check_found(analysis: Analysis, block: ir.Block, lost: frozenset[str]) -> None:
    """Refuse a text that would raise a NameError."""
    if not lost:
        return
    source = analysis.source
    name = min(lost)
    lines = (s for s in ir.walk_statements(block) if name in ir.mentioned(s))
    nodes = (node for node in (origin_of(line).node for line in lines) if node is not None)
    refusal = Refusal(_LOST.format(ir.base_name(name)), next(nodes, source.tree))
    raise refuse([refusal], source.filename, source.lines)
