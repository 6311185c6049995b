"""Lists of objects of several classes that are filled line by line: made once, of what the lines put in.

layers = []                                 item_0 = Dense(w)
layers.append(Dense(w))             ->      item_1 = Relu()
layers += [Relu(), Dense(v)]                item_2 = Dense(v)
                                            layers = [item_0, item_1, item_2]

Nothing asks for the list in between, and no other function can, so that nobody can tell. One whose objects are of one
class is left as it is: it may have any length (infer/records.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.kinds.classes import has_plain_attributes
from tangentish.language.named_members import Find
from tangentish.language.nested import Closure
from tangentish.language.placed import at, name_at, target_at
from tangentish.language.ways import Way, way_of


def with_lists_filled(statements: Sequence[Any], find: Find) -> list[Any]:
    """The statements of a function; find: what a name stands for outside of it."""
    calls = ir.nodes_of(statements, gast.Call)
    if len({found for n in calls if (found := _class_made(n, find)) is not None}) < 2:
        return list(statements)
    names = {n.id for n in ir.nodes_of(statements, gast.Name)}
    shared = {n.id for c in ir.nodes_of(statements, Closure) for n in c.captured}
    shared |= {name for n in ir.nodes_of(statements, *_DECLARED) for name in n.names}
    return _Filled(find, names, shared).block(statements)


_DECLARED = (gast.Global, gast.Nonlocal)


@dataclass
class _Filled:
    """names: those that are taken; shared: those that other functions may ask for, out of sight."""

    find: Find
    names: set[str]
    shared: set[str]

    def block(self, statements: Sequence[Any]) -> list[Any]:
        new: list[Any] = []
        left = list(statements)
        while left:
            line, *left = left
            found = self.filled([line, *left])
            if found is None:
                new.append(self.inside(line))
            else:
                lines, left = found
                new += lines
        return new

    def inside(self, line: Any) -> Any:
        """A line whose blocks are looked at as well; what may raise halfway is left."""
        if not isinstance(line, (gast.If, gast.For, gast.While)):
            return line
        new = {name: self.block(getattr(line, name)) for name in ("body", "orelse")}
        return line if all(new[n] == getattr(line, n) for n in new) else ir.with_fields(line, new)

    def filled(self, lines: Sequence[Any]) -> tuple[list[Any], list[Any]] | None:
        """The lines from the first on, which makes such a list, to the last that fills it, and those after it."""
        match lines[0]:
            case gast.Assign(targets=[gast.Name(id=xs) as target], value=gast.List()) as first if (
                xs not in self.shared
            ):
                added = list(_until_asked(lines, xs))
            case _:
                return None
        last = max((k for k, more in enumerate(added) if more is not None), default=0)
        items = [item for more in added for item in more or ()]
        if last == 0 or not self.are_of_several_classes(items):
            return None
        pairs = list(zip(lines[: last + 1], added[: last + 1], strict=True))
        new: list[Any] = []
        if any(more is None for _, more in pairs):
            new, items = self.named(pairs)
        display = at(gast.List(items, gast.Load()), first)
        new.append(at(gast.Assign([target], display, None), first))
        return new, list(lines[last + 1 :])

    def named(
        self, pairs: Sequence[tuple[Any, Sequence[Any] | None]]
    ) -> tuple[list[Any], list[Any]]:
        """Lines that give what is put in a name, with those in between; and these names."""
        new: list[Any] = []
        names: list[Any] = []
        for line, more in pairs:
            if more is None:
                new.append(self.inside(line))
            for item in more or ():
                name = self.unused(f"item_{len(names)}")
                names.append(name_at(name, item))
                new.append(at(gast.Assign([target_at(name, item)], item, None), line))
        return new, names

    def are_of_several_classes(self, items: Sequence[Any]) -> bool:
        """Whether all items are made here, by the names of classes, and not all of one."""
        classes = [_class_made(item, self.find) for item in items]
        return None not in classes and len(set(classes)) > 1

    def unused(self, name: str) -> str:
        while name in self.names:
            name += "_"
        self.names.add(name)
        return name


def _class_made(node: Any, find: Find) -> type | None:
    """The class of which an expression makes an object, by its name."""
    match node:
        case gast.Call(func=gast.Name(id=name)):
            found = find(name)
            return found if isinstance(found, type) and has_plain_attributes(found) else None
    return None


def _until_asked(lines: Sequence[Any], xs: str) -> Iterator[Sequence[Any] | None]:
    """What each line puts into a list, up to the first that asks for it otherwise; None: nothing."""
    for k, line in enumerate(lines):
        items = line.value.elts if k == 0 else put_in(line, Way(xs))
        if any(isinstance(item, gast.Starred) for item in items or ()):
            return
        asked = [n.id for n in gast.walk(line) if isinstance(n, gast.Name)].count(xs)
        if asked != (items is not None) or _leaves(line):
            return
        yield items


def _leaves(line: Any) -> bool:
    """Whether a line may leave the block, so that the list would not be whole."""
    return any(
        isinstance(n, (gast.Return, gast.Break, gast.Continue, gast.Raise)) for n in gast.walk(line)
    )


def put_in(line: Any, to: Way) -> Sequence[Any] | None:
    """What a line puts at the end of the list that a way leads to; None where it does something else."""
    match line:
        case gast.Expr(
            value=gast.Call(func=gast.Attribute(value=xs, attr=attr), args=[item], keywords=[])
        ) if way_of(xs) == to:
            if attr == "append":
                return [item]
            return items_of(item) if attr == "extend" else None
        case gast.AugAssign(target=target, op=gast.Add(), value=value) if way_of(target) == to:
            return items_of(value)
    return None


def items_of(value: Any) -> list[Any]:
    """What is put into a list with all that `value` holds."""
    if isinstance(value, gast.List):
        return list(value.elts)
    return [at(gast.Starred(value, gast.Load()), value)]
