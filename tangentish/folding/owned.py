"""A gradient in memory of its own is not copied: nothing else that is read later stands for that memory.

for x in reversed(x_tape):       ->      for x in reversed(x_tape):
    dt = du / h                              dt = du / h
    du = du.copy()                           du[1:] += dt
    du[1:] += dt                             ...
    ...                                  return du
return du.copy()
dz = dr                          ->      dz = dr
dz = dz.copy()                           dz[0] = 0
dz[0] = 0

A copy lies in memory as its indices go, and so it stays where a view by a call (`du.reshape(-1)[0] = 0`) needs that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.needed import read_before_set

__all__ = ["without_idle_copies"]

Names = frozenset[str]
Private = frozenset[Names]
"""Memory that is no other's: the names that stand for each."""
Later = Callable[[], set[str]]
"""The names that are read further on."""


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
    lines = (line for line in ir.walk_statements(block) if isinstance(line, ir.Assign))
    if not any(map(_copied, (*results, *(line.value for line in lines)))):
        return block, list(results)
    walk = _Owned(is_fresh, is_array, _seen_otherwise(block, is_fresh))
    reads = Counter(name for result in results for name in ir.names_in(result))
    block, private = walk.block(block, frozenset(), lambda: set(reads))

    def uncopied(result: Any) -> Any:
        name = _copied(result)
        if name is None or reads[name] > 1 or not walk.is_owned(name, private, set(reads)):
            return result
        return result.func.value

    return block, [uncopied(result) for result in results]


@dataclass(frozen=True)
class _Owned:
    is_fresh: Callable[[Any], bool]
    is_array: Callable[[str], bool]
    otherwise: Names

    def is_owned(self, name: str, private: Private, later: Set[str]) -> bool:
        """Whether nothing but a name stands for its memory of what is read later."""
        if name in self.otherwise:
            return False
        return any(name in memory and later.isdisjoint(memory - {name}) for memory in private)

    def uncopied(self, line: ir.Statement, private: Private, later: Later) -> ir.Statement | None:
        """The line without a copy of what is owned; None where nothing is left of it."""
        match line:
            case ir.Assign(gast.Name(id=name) as target, value, origin):
                copied = _copied(value)
                if copied is None:
                    return line
                read = later()
                if not self.is_owned(copied, private, read) or (copied != name and copied in read):
                    return line
                return None if copied == name else ir.Assign(target, ir.name(copied), origin)
        return line

    def block(self, block: ir.Block, private: Private, later: Later) -> tuple[ir.Block, Private]:
        """The lines that stay, and the memory that is private behind them; later: what is read behind them."""
        lines: list[ir.Statement] = []
        for position, line in enumerate(block):
            rest = block[position + 1 :]

            def read(rest: ir.Block = rest) -> set[str]:
                return read_before_set(rest) | later()

            left = self.uncopied(line, private, read)
            if left is not None:
                new, private = self.line(left, private, read)
                lines.append(new)
        return tuple(lines), private

    def line(
        self, line: ir.Statement, private: Private, later: Later
    ) -> tuple[ir.Statement, Private]:
        match line:
            case ir.Assign(target, value):
                return line, self.assigned(target, value, private)
            case ir.Update(target, _, value):
                added = isinstance(target, gast.Name) and self.is_array(target.id)
                lost = frozenset() if added else self.handed_on(target, value)
                return line, _without_memory(private, lost)
            case ir.If(_, body, orelse):
                body, one = self.block(body, private, later)
                orelse, other = self.block(orelse, private, later)
                return replace(line, body=body, orelse=orelse), one & other
            case ir.For() | ir.While():
                return self.loop(line, private, later)
        inside = ir.walk_statements((line,))
        return line, _without_memory(private, frozenset(n for s in inside for n in ir.mentioned(s)))

    def loop(
        self, loop: ir.For | ir.While, private: Private, later: Later
    ) -> tuple[ir.Statement, Private]:
        """What is private before every trip is so behind the loop."""
        if isinstance(loop, ir.For):
            taken = (*ir.names_in(loop.iter), *ir.names_in(loop.target))
            private = _without_memory(private, frozenset(taken))

        def read() -> set[str]:
            return read_before_set((loop,)) | later()

        while True:
            body, after = self.block(loop.body, private, read)
            if private <= after:
                return replace(loop, body=body), private
            private &= after

    def assigned(self, target: Any, value: Any, private: Private) -> Private:
        names = frozenset(ir.target_names(target))
        if self.is_fresh(value):
            return _without_names(private, names) | {frozenset({name}) for name in names}
        match target, value:
            case gast.Name(id=second), gast.Name(id=first):
                private = _without_names(private, names - {first})
                return frozenset(m | {second} if first in m else m for m in private)
        return _without_names(_without_memory(private, self.handed_on(target, value)), names)

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


def _without_memory(private: Private, names: Names) -> Private:
    """What is left of private memory once others may stand for what these names do."""
    return frozenset(memory for memory in private if memory.isdisjoint(names))


def _without_names(private: Private, names: Names) -> Private:
    """The private memory once these names stand for something else."""
    return frozenset(memory - names for memory in private if memory - names)


def _copied(value: Any) -> str | None:
    """The name of the gradient that is copied."""
    match value:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="copy"), args=[]) if (
            "~" in name
        ):
            return str(name)
    return None
