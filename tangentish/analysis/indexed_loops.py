"""Loops over arrays, lists and tuples that carry a derivative run over indices, so that each trip knows its place.

    for row, t in zip(x, ts): ...    ->    for i in range(len(x)): row = x[i]; t = ts[i]; ...

Where nothing comes between, the forward pass gets the user's line back (folding/sugar.py).
"""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.strict_zips import raised_where_unequal
from tangentish.infer import TUPLES, Callee, DictView, Facts, literal_of
from tangentish.ir.quote import quote
from tangentish.kinds import Kind, Num, Opaque, Seq, Tup, is_function
from tangentish.kinds.lengths import Length, same_length
from tangentish.language.other_names import renamed
from tangentish.language.rebound import held_in


def is_iterated(statement: ir.For, facts: Facts) -> bool:
    """Whether a loop runs over something that carries a derivative."""
    kind = facts.items.get(statement.iter)
    return kind is not None and kind.active and not is_function(kind)


def read_after(loop: ir.For, body: ir.Block, facts: Facts) -> tuple[str, ...]:
    """The items that a loop makes vary, while what it runs over carries no derivative, and that are read elsewhere."""

    def varies(name: str) -> bool:
        kind = facts.web_kinds.get(name)
        many = isinstance(kind, Seq) or (isinstance(kind, Num) and not kind.is_scalar)
        return kind is not None and kind.active and many

    varying = [*filter(varies, ir.target_names(loop.target))]
    if not varying:
        return ()
    written = {n for line in ir.walk_statements(loop.body) for n in facts.writes.get(line, ())}
    everywhere, inside = ir.mentions(body), ir.mentions((loop,))
    return tuple(n for n in varying if n in written and everywhere[n] > inside[n])


def with_items_named(loop: ir.For, kept: Sequence[str], fresh: Callable[[str], str]) -> ir.For:
    """For a in [[], [1.0]]: a.append(v)    ->    for b in [[], [1.0]]: a = b; a.append(v)    where `a` is read after it

    What `a` holds is another list on each trip, and the gradient that comes from there is as long as the last.
    """
    if not kept:
        return loop
    items = {name: fresh(ir.base_name(name)) for name in kept}
    lines = (ir.Assign(ir.name(name), ir.name(item), loop.origin) for name, item in items.items())
    target = renamed(loop.target, items)
    return ir.For(target, loop.iter, (*lines, *loop.body), loop.stop, loop.origin)


def indexed(
    statement: ir.For, facts: Facts, fresh: Callable[[str], str]
) -> tuple[ir.Statement, ...]:
    """The lines before the loop, the loop over indices, and the lines after it."""
    return _Indexed(statement, facts, fresh).lines()


@dataclass
class _Indexed:
    loop: ir.For
    facts: Facts
    fresh: Callable[[str], str]
    before: list[ir.Statement] = field(default_factory=list)
    after: list[ir.Statement] = field(default_factory=list)
    lengths: list[tuple[Any, Length]] = field(default_factory=list)
    sizes: list[tuple[Any, Length]] = field(default_factory=list)  # those of dicts, too
    alongside: list[tuple[Any, Any]] = field(
        default_factory=list
    )  # (target, what can't be indexed)
    taken: list[int | None] = field(default_factory=list)  # after how many of `lengths` each is
    unnamed: set[str] = field(default_factory=set)  # of these the names that stand for the user's
    kept: dict[Any, str] = field(default_factory=dict)  # the names of what is run over
    keys: dict[Any, str] = field(default_factory=dict)  # the user's own names of keys
    counter: str = ""
    backwards: bool = False

    def lines(self) -> tuple[ir.Statement, ...]:
        loop = self.loop
        if self.function(loop.iter) in TUPLES:
            return self.over_tuples(loop.target, loop.iter)
        if self.function(loop.iter) is enumerate:
            first = loop.iter.args[0]
            if self.function(first) in TUPLES:
                return self.over_tuples(loop.target, first, loop.iter)
        target, iterator = loop.target, loop.iter
        self.counter = self.chosen_counter(target, iterator)
        self.name_keys(target, iterator)
        if self.function(iterator) is reversed:
            self.backwards, iterator = True, iterator.args[0]
        value = self.value(iterator)
        heads = tuple(self.assigned(target, value))
        run_over = self.by_index() if self.lengths else self.by_keys(value)
        new = ir.For(*run_over, (*heads, *loop.body), loop.stop, loop.origin)
        return (*self.before, new, *self.after)

    def by_index(self) -> tuple[Any, Any]:
        """The counter, and what can't be indexed beside it.

        Items are taken in the order of the user's zip: at the end of what is indexed, iterators before it have given
        one more. The keys of a dict are there on each trip, and come last.
        """
        pairs: list[tuple[Any, Any]] = []
        done = 0
        for pair, place in zip(self.alongside, self.taken, strict=True):
            if place is not None:
                pairs += self.counted(done, place)
                pairs.append(pair)
                done = place
        pairs += self.counted(done, len(self.lengths))
        pairs += [p for p, k in zip(self.alongside, self.taken, strict=True) if k is None]
        return _zipped(*map(list, zip(*pairs, strict=True)))

    def counted(self, start: int, stop: int) -> Iterator[tuple[Any, Any]]:
        """A counter of the trips, up to the shortest of some of what is indexed."""
        if start < stop:
            name = self.fresh("i") if start else self.counter
            yield ir.name(name), self.range(self.lengths[start:stop])

    def by_keys(self, value: Any) -> tuple[Any, Any]:
        """The keys of dicts, which are counted only where the trips are."""
        target, iterator = _zipped(*map(list, zip(*self.alongside, strict=True)))
        if self.backwards:
            iterator = gast.Call(ir.name("$reversed"), [iterator], [])
        if self.counter not in ir.names_in(value):
            return target, iterator
        pair = gast.Tuple([ir.name(self.counter), target], gast.Store())
        return pair, gast.Call(ir.name("$enumerate"), [iterator], [])

    def over_tuples(
        self, target: Any, node: Any, counted: Any | None = None
    ) -> tuple[ir.Statement, ...]:
        """For u, v in combinations(x, 2): ...  ->  for i, j in combinations(range(len(x)), 2): u = x[i]; v = x[j]; ...

        counted: the call of enumerate around it.
        """
        loop, callee, item = self.loop, self.facts.callees[node], self.facts.items[node]
        assert isinstance(item, Tup)
        run_over = callee.args if self.function(node) is itertools.product else callee.args[:1]
        counters = [self.fresh("ijklmn"[k % 6]) for k in range(len(item.items))]
        values, ranges = [], []
        for k, self.counter in enumerate(counters):
            self.lengths = []
            values.append(self.value(run_over[k % len(run_over)]))
            ranges.append(self.range(self.lengths))
        rest = (*ranges[: len(run_over)], *callee.args[len(run_over) :])
        targets: Any = gast.Tuple(list(map(ir.name, counters)), gast.Store())
        value: Any = gast.Tuple(values, gast.Load())
        iterator = _with_arguments(node, rest)
        if counted is not None:
            self.counter = self.chosen_counter(target, counted)
            count = ir.name(self.counter)
            iterator = _with_arguments(counted, (iterator, *counted.args[1:]))
            targets = gast.Tuple([count, targets], gast.Store())
            value = gast.Tuple([count, value], gast.Load())
        heads = tuple(self.assigned(target, value))
        return (
            *self.before,
            ir.For(targets, iterator, (*heads, *loop.body), loop.stop, loop.origin),
            *self.after,
        )

    def function(self, node: Any) -> Any:
        callee = self.facts.callees.get(node)
        return callee.function if callee is not None and callee.user is None else None

    def chosen_counter(self, target: Any, iterator: Any) -> str:
        """The user's own counter, where the loop enumerates from zero."""
        own = self.function(iterator) is enumerate and len(iterator.args) == 1
        if own and not iterator.keywords and isinstance(target, gast.Tuple):
            first = target.elts[0]
            if isinstance(first, gast.Name):
                return str(first.id)
        return self.fresh("i")

    def range(self, run_over: Sequence[tuple[Any, Length]]) -> Any:
        lengths = [e for e, _ in run_over]
        first = run_over[0][1]
        same = all(same_length(first, known) for _, known in run_over[1:])
        n = lengths[0] if same else gast.Call(ir.name("$min"), lengths, [])
        return quote("range({n} - 1, -1, -1)" if self.backwards else "range({n})", n=n)

    # -- what a trip gets

    def name_keys(self, target: Any, node: Any) -> None:
        """The keys of `d.items()` have the user's own name, where they have one."""
        callee = self.facts.callees.get(node)
        if callee is None or not isinstance(target, (gast.Tuple, gast.List)):
            return
        parts = target.elts
        match callee.function:
            case builtins.zip if len(parts) == len(callee.args):
                for part, argument in zip(parts, callee.args, strict=True):
                    self.name_keys(part, argument)
            case builtins.enumerate if len(parts) == 2:
                self.name_keys(parts[1], callee.args[0])
            case builtins.reversed:
                self.name_keys(target, callee.args[0])
            case DictView("items") if len(parts) == 2 and isinstance(parts[0], gast.Name):
                self.keys[node] = parts[0].id

    def under_key(self, node: Any, name: str) -> Any:
        """The key and the entry that `d.items()` gives, or one of them."""
        d = gast.copy_location(ir.name(self.lasting(node.func.value)), node)
        key = ir.name(self.keys.get(node) or self.fresh("k"))
        self.alongside.append((key, d))
        self.taken.append(None)
        self.sizes.append((quote("len({d})", d=d), _length(self.facts.kind(node.func.value))))
        entry = gast.Subscript(gast.copy_location(ir.name(d.id), node), key, gast.Load())
        entry = gast.copy_location(entry, node)
        entry.is_there = True
        pair = gast.Tuple([key, entry], gast.Load())
        return {"keys": key, "values": entry, "items": pair}[name]

    def value(self, node: Any) -> Any:
        callee = self.facts.callees.get(node)
        function = self.function(node)
        if isinstance(function, DictView):
            return self.under_key(node, function.name)
        if callee is not None and function is zip:
            return gast.Tuple(self.zipped(callee), gast.Load())
        if callee is not None and function is enumerate:
            start = (*callee.args[1:], *callee.keywords.values())
            return gast.Tuple([self.count(*start), self.value(callee.args[0])], gast.Load())
        run_over = node.args[0] if callee is not None and function is reversed else None
        if run_over is not None and not _gives_keys(self.facts.kind(run_over)):
            from_end = quote("-1 - {i}", i=ir.name(self.counter))
            return self.element(run_over, from_end)
        kind = self.facts.kind(node)
        iterates = isinstance(kind, Tup) and kind.is_object and not kind.active
        iterates = iterates or _gives_keys(kind)
        if (
            (isinstance(kind, (Num, Tup, Seq)) and not iterates)
            or kind == Opaque(range)
            or function is range
        ):
            return self.element(node, ir.name(self.counter))
        if _gives_keys(kind) and isinstance(node, gast.Name):
            self.sizes.append((quote("len({d})", d=node), _length(kind)))
        name = self.fresh("t")
        self.unnamed.add(name)
        self.taken.append(None if _gives_keys(kind) else len(self.lengths))
        self.alongside.append((ir.name(name), node))
        return ir.name(name)

    def zipped(self, callee: Callee) -> list[Any]:
        """The parts of what zip gives; it is as long as the shortest of what it is given."""
        known = len(self.sizes)
        parts = [self.value(a) for a in callee.args]
        sizes = self.sizes[known:]
        self.check_lengths(callee, sizes)
        if len(sizes) == len(parts) > 1:
            self.sizes[known:] = [(gast.Call(ir.name("$min"), [n for n, _ in sizes], []), None)]
        return parts

    def check_lengths(self, callee: Callee, lengths: Sequence[tuple[Any, Length]]) -> None:
        """The lines that raise where zip does, of arguments that all have a length.

        A loop that may stop before comes to the end of the shortest only where it does not.
        """
        strict, stop = callee.keywords.get("strict"), self.loop.stop
        if strict is None or len(lengths) != len(callee.args):
            return
        lines = raised_where_unequal(strict, lengths, self.loop.origin)
        if stop is None:
            self.before += lines
            return
        for line in lines:
            to_the_end = gast.UnaryOp(gast.Not(), ir.duplicate(stop))
            self.after.append(replace(line, test=gast.BoolOp(gast.And(), [to_the_end, line.test])))

    def count(self, start: Any = None) -> Any:
        counter = ir.name(self.counter)
        if start is None or literal_of(start) == 0:
            return counter
        return quote("{i} + {n}", i=counter, n=start)

    def element(self, node: Any, index: Any) -> Any:
        sequence = gast.copy_location(ir.name(self.lasting(node)), node)
        known = _length(self.facts.kind(node))
        self.lengths.append((quote("len({x})", x=sequence), known))
        self.sizes.append(self.lengths[-1])
        new = gast.Subscript(gast.copy_location(ir.name(sequence.id), node), index, gast.Load())
        return gast.copy_location(new, node)

    def lasting(self, node: Any) -> str:
        """A name that keeps what is run over: the user's own, unless the loop binds it anew."""
        if node in self.kept:
            return self.kept[node]
        inside = ir.bound_within((self.loop,))
        if ir.is_own_name(node) and node.id not in inside:
            return str(node.id)
        root = ir.owner_of(node)
        part = isinstance(root, gast.Name) and not root.id.startswith("$")
        stem = held_in(root.id) or ir.base_name(root.id) if part else "t"
        name = self.fresh(f"{stem}_items")
        target = gast.copy_location(ir.name(name), node)
        items = node
        if isinstance(node, gast.GeneratorExp):  # has no places
            items = gast.copy_location(gast.ListComp(node.elt, node.generators), node)
        self.before.append(ir.Assign(target, items, self.loop.origin))
        self.kept[node] = name
        return name

    # -- the lines at the head of a trip

    def assigned(self, target: Any, value: Any) -> Iterator[ir.Statement]:
        displays = isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, gast.Tuple)
        if displays and len(target.elts) == len(value.elts):
            for t, v in zip(target.elts, value.elts, strict=True):
                yield from self.assigned(t, v)
        elif not (self.is_counter(target) or self.taken_alongside(target, value)):
            yield ir.Assign(target, value, self.loop.origin)

    def is_counter(self, target: Any) -> bool:
        return isinstance(target, gast.Name) and target.id == self.counter

    def taken_alongside(self, target: Any, value: Any) -> bool:
        """Whether the loop itself gives a target what can't be indexed: `for i, w in zip(range(len(x)), ws)`."""
        if not isinstance(value, gast.Name):
            return False
        if isinstance(target, gast.Name) and target.id == value.id:
            return True
        names = ir.target_names(target)
        alone = _is_of_names(target) and all(
            ir.target_names(self.loop.target).count(n) == 1 for n in names
        )
        for k, (given, node) in enumerate(self.alongside):
            if alone and isinstance(given, gast.Name) and given.id == value.id in self.unnamed:
                self.alongside[k] = target, node
                return True
        return False


def _is_of_names(target: Any) -> bool:
    if isinstance(target, gast.Tuple | gast.List):
        return all(map(_is_of_names, target.elts))
    return isinstance(target, gast.Name)


def _zipped(targets: list[Any], iterators: list[Any]) -> tuple[Any, Any]:
    if len(targets) == 1:
        return targets[0], iterators[0]
    return gast.Tuple(targets, gast.Store()), gast.Call(ir.name("$zip"), iterators, [])


def _with_arguments(call: Any, args: Sequence[Any]) -> Any:
    return gast.copy_location(gast.Call(call.func, list(args), call.keywords), call)


def _gives_keys(kind: Kind) -> bool:
    """Whether this is a dict: a loop gets its keys, which no place names."""
    return kind.is_dict if isinstance(kind, Tup) else isinstance(kind, Seq) and kind.keyed


def _length(kind: Kind) -> Length:
    match kind:
        case Num(shape=shape) if shape:
            return shape[0]
        case Tup(items=items):
            return len(items)
        case Seq(length=length):
            return length
    return None
