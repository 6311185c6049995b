"""A gradient in memory of its own is not copied: nothing else stands for that memory.

for x in reversed(x_tape):       ->      for x in reversed(x_tape):
    dt = du / h                              dt = du / h
    du = du.copy()                           du[1:] += dt
    du[1:] += dt                             ...
    ...                                  return du
return du.copy()

A copy lies in memory as its indices go, and so it stays where a view by a call (`du.reshape(-1)[0] = 0`) needs that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir

__all__ = ["without_idle_copies"]

Names = frozenset[str]


def without_idle_copies(
    block: ir.Block,
    results: Sequence[Any],
    is_fresh: Callable[[Any], bool],
    is_array: Callable[[str], bool],
) -> tuple[ir.Block, list[Any]]:
    """The adjoint and its results without copies of what is owned.

    is_fresh: whether an expression gives memory of its own. is_array: whether what is stored to a name's places is
    copied there.
    """
    lines, owned = _Owned(is_fresh, is_array, _seen_otherwise(block, is_fresh)).block(
        block, frozenset()
    )
    reads = Counter(name for result in results for name in ir.names_in(result))

    def uncopied(result: Any) -> Any:
        name = _copied(result)
        return result.func.value if name in owned and reads[name] == 1 else result

    return lines, [uncopied(result) for result in results]


@dataclass(frozen=True)
class _Owned:
    is_fresh: Callable[[Any], bool]
    is_array: Callable[[str], bool]
    otherwise: Names

    def block(self, block: ir.Block, owned: Names) -> tuple[ir.Block, Names]:
        """The lines that stay, and the names which own their memory behind them."""
        lines: list[ir.Statement] = []
        for line in block:
            if not _is_idle(line, owned):
                new, owned = self.line(line, owned)
                lines.append(new)
        return tuple(lines), owned

    def line(self, line: ir.Statement, owned: Names) -> tuple[ir.Statement, Names]:
        match line:
            case ir.Assign(target, value):
                return line, self.assigned(target, value, owned)
            case ir.Update(target, _, value):
                added = isinstance(target, gast.Name) and self.is_array(target.id)
                return line, owned if added else owned - self.handed_on(target, value)
            case ir.If(_, body, orelse):
                body, one = self.block(body, owned)
                orelse, other = self.block(orelse, owned)
                return replace(line, body=body, orelse=orelse), one & other
            case ir.For() | ir.While():
                return self.loop(line, owned)
        inside = ir.walk_statements((line,))
        return line, owned.difference(*map(ir.mentioned, inside))

    def loop(self, loop: ir.For | ir.While, owned: Names) -> tuple[ir.Statement, Names]:
        """What is owned before every trip is owned behind the loop."""
        if isinstance(loop, ir.For):
            owned = owned.difference(ir.names_in(loop.iter), ir.names_in(loop.target))
        while True:
            body, after = self.block(loop.body, owned)
            if owned <= after:
                return replace(loop, body=body), owned
            owned &= after

    def assigned(self, target: Any, value: Any, owned: Names) -> Names:
        names = frozenset(ir.target_names(target))
        if self.is_fresh(value):
            return owned | names - self.otherwise
        return owned - names - self.handed_on(target, value)

    def handed_on(self, target: Any, value: Any) -> Names:
        """The names whose memory others may stand for as well, once a value lies in its target."""
        root = ir.root_of(target)
        into_array = isinstance(root, gast.Name) and root is not target and self.is_array(root.id)
        if into_array or self.is_fresh(value):
            return frozenset()
        return frozenset(ir.names_in(value))


def _seen_otherwise(block: ir.Block, is_fresh: Callable[[Any], bool]) -> Names:
    """The names of what is seen through calls that may give views, or copies, as it lies in memory."""
    found: set[str] = set()
    for line in ir.walk_statements(block):
        match line:
            case ir.Assign(target, value):
                if not is_fresh(value) and not isinstance(value, (gast.Name, gast.Subscript)):
                    found.update(ir.names_in(value))
            case ir.Update(target):
                pass
            case _:
                continue
        found.update(
            n
            for place in ir.store_targets(target)
            if ir.has_view_call(place)
            for n in ir.names_in(place)
        )
    return frozenset(found)


def _is_idle(line: ir.Statement, owned: Names) -> bool:
    match line:
        case ir.Assign(gast.Name(id=name), value):
            return name in owned and _copied(value) == name
    return False


def _copied(value: Any) -> str | None:
    """The name of the gradient that is copied."""
    match value:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="copy"), args=[]) if (
            "~" in name
        ):
            return str(name)
    return None
