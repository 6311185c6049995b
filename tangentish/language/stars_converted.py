"""Arguments that a function takes by a star, and stores back one by one as what it makes of them: another list.

args = list(args)                          ->    args = [np.array(v) if isinstance(v, list) else v for v in args]
for i, v in enumerate(args):
    if isinstance(v, list):
        args[i] = np.array(v)

Each of them is something else, and becomes something else; a list that changes would have to say what they have in
common. Nobody else has the list, so that nobody can tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.named_members import Find
from tangentish.language.placed import assign_at, at, name_at, target_at
from tangentish.language.rewriting import Rewriting


def with_stars_converted(statements: Sequence[Any], arguments: Any, find: Find) -> list[Any]:
    """The statements of a function; find: what a name stands for outside of it."""
    if arguments.vararg is None or find("list") is not list or find("enumerate") is not enumerate:
        return list(statements)
    return _Converted(arguments.vararg.id, statements).block(statements)


class _Converted(Rewriting):
    """Rewriting: blocks in which a list of the arguments is made, and then stored to.

    star: the parameter; asked: how often each name is, but in loops that bind it.
    """

    def __init__(self, star: str, statements: Sequence[Any]) -> None:
        self.star = star
        self.asked = Counter(_asked(statements, frozenset()))

    def block(self, statements: Sequence[Any]) -> list[Any]:
        new: list[Any] = []
        own: dict[str, Any] = {}  # the lines that make lists which only their names stand for
        for line in statements:
            converted = self.converted(line, own)
            if converted is None:
                asked = _names(line)
                own = {xs: made for xs, made in own.items() if not {xs, self.star} & asked}
            else:
                new = [before for before in new if before is not own[converted.targets[0].id]]
            made = self.listed(line) if converted is None else converted
            if made is not None:
                own[made.targets[0].id] = made
            new.append(line if converted is None else converted)
        return super().block(new)

    def statement(self, node: Any) -> Iterator[Any]:
        """What handlers see may be a list that is stored to halfway."""
        if isinstance(node, gast.Try):
            yield node
        else:
            yield from super().statement(node)

    def listed(self, line: Any) -> Any | None:
        """The line, if it gives a name to a new list of the arguments."""
        match line:
            case gast.Assign(
                targets=[gast.Name()],
                value=gast.Call(func=gast.Name(id="list"), args=[gast.Name(id=star)], keywords=[])
                | gast.List(elts=[gast.Starred(value=gast.Name(id=star))]),
            ) if star == self.star:
                return line
        return None

    def converted(self, line: Any, own: Mapping[str, Any]) -> Any | None:
        """The line that makes the list anew, for a loop that stores to each place of it."""
        match line:
            case gast.For(
                target=gast.Tuple(elts=[gast.Name(id=place), gast.Name(id=item)]),
                iter=gast.Call(
                    func=gast.Name(id="enumerate"), args=[gast.Name(id=xs)], keywords=[]
                ),
                body=[step],
                orelse=[],
            ) if xs in own and not (self.asked[place] or self.asked[item]):
                becomes = _becomes([step], xs, place, name_at(item, line))
            case _:
                return None
        if becomes is None or xs in _names(becomes):
            return None
        over = (
            own[xs].value if isinstance(own[xs].value, gast.ListComp) else name_at(self.star, line)
        )
        target = target_at(item, line)
        if place in _names(becomes):
            target, over = line.target, ir.with_fields(line.iter, {"args": [over]})
        return assign_at(
            xs, at(gast.ListComp(becomes, [gast.comprehension(target, over, [], 0)]), line), line
        )


def _becomes(lines: Sequence[Any], xs: str, place: str, item: Any) -> Any | None:
    """What an item is after the lines of a trip, which may store it; None where they do anything else."""
    match lines:
        case [] | [gast.Pass()]:
            return item
        case [
            gast.Assign(
                targets=[gast.Subscript(value=gast.Name(id=name), slice=gast.Name(id=index))],
                value=value,
            )
        ] if (name, index) == (xs, place):
            return value
        case [gast.If(test=test, body=body, orelse=orelse) as line]:
            ways = [_becomes(way, xs, place, item) for way in (body, orelse)]
            if None not in ways:
                return at(gast.IfExp(test, *ways), line)
    return None


def _names(node: Any) -> set[str]:
    return {part.id for part in gast.walk(node) if isinstance(part, gast.Name)}


def _asked(nodes: Sequence[Any], bound: frozenset[str]) -> Iterator[str]:
    """The names that are read where no loop around gives them an item."""
    for node in nodes:
        match node:
            case gast.Name(id=name, ctx=gast.Load()) if name not in bound:
                yield name
            case gast.For(target=target, iter=over, body=body, orelse=orelse):
                yield from _asked([over, *orelse], bound)
                yield from _asked(body, bound | _names(target))
            case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
                own = {name for g in node.generators for name in _names(g.target)}
                yield from _asked([node.generators[0].iter], bound)
                yield from _asked(list(ir.children(node)), bound | own)
            case gast.AST():
                yield from _asked(list(gast.iter_child_nodes(node)), bound)
