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
dw = dw.copy() + X.T @ dt        ->      dw += X.T @ dt
dws = zeros(ws)                          dws = zeros(ws)
dws[i][0] = dws[i][0] + dw       ->      dws[i][0] += dw

A copy lies in memory as its indices go, and so it stays where a view by a call (`du.reshape(-1)[0] = 0`) needs that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.ir.needed import ReadBehind
from tangentish.language.webs import map_blocks

Names = frozenset[str]
Private = dict[str, Names]
"""Memory that is no other's: each name with all that stand for the memory that it stands for."""
Later = Callable[[Iterable[str]], bool]
"""Whether one of these names is read further on."""


def without_idle_copies(
    block: ir.Block,
    results: Sequence[Any],
    is_fresh: Callable[[Any], bool],
    is_array: Callable[[str], bool],
    only_adds: Callable[[Any], bool],
) -> tuple[ir.Block, list[Any]]:
    """The adjoint and its results without copies of what is owned.

    is_fresh: whether an expression gives memory of its own. is_array: whether what is stored to a name's places is
    copied there. only_adds: whether a call gives back arrays that it was given, and added to, beside what is fresh.
    """
    lines = (line for line in ir.walk_statements(block) if isinstance(line, ir.Assign))
    values = [line.value for line in lines]
    if not any(map(_copied, (*results, *values))) and not any(map(_is_added_to_copy, values)):
        return block, list(results)
    otherwise = _seen_otherwise(block, lambda value: is_fresh(value) or only_adds(value))
    walk = _Owned(is_fresh, is_array, only_adds, otherwise)
    reads = Counter(name for result in results for name in ir.names_in(result))

    def read(names: Iterable[str]) -> bool:
        return any(name in reads for name in names)

    block, private = walk.block(block, {}, read)

    def uncopied(result: Any) -> Any:
        name = _copied(result)
        if name is None or reads[name] > 1 or not walk.is_owned(name, private, read):
            return result
        return result.func.value

    return block, [uncopied(result) for result in results]


def added_in_place(block: ir.Block, lines: Set[ir.Statement]) -> ir.Block:
    """The adjoint with additions to arrays of a list, which `lines` write anew, where only they know what it holds."""
    if not lines:
        return block
    made, shared = set[str](), set[str]()
    for line in ir.walk_statements(block):
        match line:
            case ir.Assign(gast.Name(id=name), gast.Call(func=gast.Name(id="$zeros"), args=args)):
                made.add(name)
                shared.update(n for e in args for n in ir.names_in(e))
            case ir.Assign(target, gast.BinOp(right=added)) if line in lines:
                shared.update(ir.names_in(added), *map(ir.names_in, _indices_of(target)))
            case _:
                shared.update(ir.mentioned(line))
    made -= shared

    def written(line: ir.Statement) -> ir.Statement:
        match line:
            case ir.Assign(target, gast.BinOp(op=op, right=added), origin) if line in lines:
                own = ir.root_of(target).id in made
                return ir.Update(target, op, added, origin) if own else line
        return map_blocks(line, lambda inner: tuple(map(written, inner)))

    return tuple(map(written, block))


def _indices_of(place: Any) -> Iterator[Any]:
    while isinstance(place, gast.Subscript):
        yield place.slice
        place = place.value


@dataclass(frozen=True)
class _Owned:
    is_fresh: Callable[[Any], bool]
    is_array: Callable[[str], bool]
    only_adds: Callable[[Any], bool]
    otherwise: Names

    def is_owned(self, name: str, private: Private, later: Later) -> bool:
        """Whether nothing but a name stands for its memory of what is read later."""
        if name in self.otherwise or name not in private:
            return False
        return not later(private[name] - {name})

    def uncopied(self, line: ir.Statement, private: Private, later: Later) -> ir.Block:
        """The line without a copy of what is owned, if anything is left of it."""
        match line:
            case ir.Assign(gast.Name(id=name) as target, value, origin):
                value = value if name in self.otherwise else _without_made(value)
            case _:
                return (line,)
        if value is not line.value:
            line = ir.Assign(target, value, origin)
        copied, added = _copied(value), _added_to(value)
        source = copied or (added and added.name)
        if source is None:
            return (line,)
        goes_on = source == name or not later((source,))
        if not goes_on or not self.is_owned(source, private, later):
            return (line if added is None else ir.Assign(target, added.elsewhere, origin),)
        same = () if source == name else (ir.Assign(target, ir.name(source), origin),)
        if added is None:
            return same
        if same and ir.base_name(source) != ir.base_name(name):
            return (ir.Assign(target, added.elsewhere, origin),)
        return (ir.Update(ir.name(source), added.op, added.value, origin), *same)

    def block(self, block: ir.Block, private: Private, later: Later) -> tuple[ir.Block, Private]:
        """The lines that stay, and the memory that is private behind them; later: what is read behind them."""
        private = dict(private)
        lines: list[ir.Statement] = []
        behind = ReadBehind(block, later)
        for position, line in enumerate(block):

            def read(names: Iterable[str], position: int = position) -> bool:
                return behind.any_of(names, position)

            for left in self.uncopied(line, private, read):
                new, private = self.line(left, private, read)
                lines.append(new)
        return tuple(lines), private

    def line(
        self, line: ir.Statement, private: Private, later: Later
    ) -> tuple[ir.Statement, Private]:
        match line:
            case ir.Assign(target, value):
                self.assigned(target, value, private)
                return line, private
            case ir.Update(target, _, value):
                added = isinstance(target, gast.Name) and self.is_array(target.id)
                if not added:
                    _share(private, self.handed_on(target, value))
                return line, private
            case ir.If(_, body, orelse):
                body, one = self.block(body, private, later)
                orelse, other = self.block(orelse, private, later)
                return replace(line, body=body, orelse=orelse), _in_both(one, other)
            case ir.For() | ir.While():
                return self.loop(line, private, later)
        _share(private, (n for s in ir.walk_statements((line,)) for n in ir.mentioned(s)))
        return line, private

    def loop(
        self, loop: ir.For | ir.While, private: Private, later: Later
    ) -> tuple[ir.Statement, Private]:
        """What is private before every trip is so behind the loop."""
        if isinstance(loop, ir.For):
            _share(private, (*ir.names_in(loop.iter), *ir.names_in(loop.target)))
        again = ReadBehind((loop,), later)

        def read(names: Iterable[str]) -> bool:
            return again.any_of(names, -1)

        private = _of_read(private, read)
        while True:
            body, after = self.block(loop.body, private, read)
            stays = _in_both(private, _of_read(after, read))
            if len(stays) == len(private):
                return replace(loop, body=body), private
            private = stays

    def assigned(self, target: Any, value: Any, private: Private) -> None:
        names: Iterable[str] = ir.target_names(target)
        if self.only_adds(value):  # what it adds to is what it was
            names = {*names} - {*ir.names_in(value)}
            if not isinstance(target, (gast.Name, gast.Tuple)):
                return
        if self.is_fresh(value) or self.only_adds(value):
            _bind(private, names)
            private.update((name, frozenset({name})) for name in names)
        elif isinstance(target, gast.Name) and (whole := _seen_whole(value)) is not None:
            _bind(private, set(names) - {whole})
            if whole in private:
                _hold(private, private[whole] | {target.id})
        else:
            _share(private, self.handed_on(target, value))
            _bind(private, names)

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


def _seen_whole(value: Any) -> str | None:
    """The name of the memory that a name or places in it stand for: `dy` of `dy[mask]`, which may be a view."""
    root = value.value if isinstance(value, gast.Subscript) else value
    return str(root.id) if isinstance(root, gast.Name) else None


def _share(private: Private, names: Iterable[str]) -> None:
    """From here on others may stand for what these names do."""
    for name in names:
        for one in private.get(name, ()):
            del private[one]


def _bind(private: Private, names: Iterable[str]) -> None:
    """From here on these names stand for something else."""
    for name in names:
        if name in private:
            _hold(private, private.pop(name) - {name})


def _hold(private: Private, names: Names) -> None:
    """From here on these names, and no others, stand for memory that some of them stood for."""
    private.update(dict.fromkeys(names, names))


def _of_read(private: Private, read: Later) -> Private:
    """What is private of the memory of names that are read further on: the others stand for nothing that counts."""
    names = frozenset(name for name in private if read((name,)))
    return {name: private[name] & names for name in names}


def _in_both(one: Private, other: Private) -> Private:
    return {name: names for name, names in one.items() if other.get(name) == names}


class _Added(NamedTuple):
    """What is added to a copy of a gradient."""

    name: str
    op: Any
    value: Any
    elsewhere: Any  # the sum, in memory of its own


def _added_to(value: Any) -> _Added | None:
    """The parts of `dw.copy() + a - b`: dw, and `a - b`, which is added to it."""
    match value:
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            pass
        case _:
            return None
    copied = _copied(left)
    if copied is not None:
        return _Added(copied, op, right, ir.binary(left.func.value, op, right))
    first = _added_to(left)
    if first is None:
        return None
    same = isinstance(first.op, gast.Add) == isinstance(op, gast.Add)
    then = gast.Add() if same else gast.Sub()
    total = ir.binary(first.value, then, right)
    return _Added(first.name, first.op, total, ir.binary(first.elsewhere, op, right))


def _without_made(e: Any) -> Any:
    """`dy * t - dz` of `(dy * t).copy() - dz`, `dws[0] + dt` of `dws[0].copy() + dt`: a sum is made anew."""
    match e:
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            match left:
                case gast.Call(
                    func=gast.Attribute(
                        value=(gast.BinOp() | gast.Subscript()) as made, attr="copy"
                    ),
                    args=[],
                ):
                    first = _without_made(made)
                case _:
                    first = _without_made(left)
            return e if first is left else ir.binary(first, op, right)
    return e


def _is_added_to_copy(e: Any) -> bool:
    return _added_to(e) is not None or _without_made(e) is not e


def _copied(value: Any) -> str | None:
    """The name of the gradient that is copied."""
    match value:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="copy"), args=[]) if (
            "~" in name
        ):
            return str(name)
    return None
