"""What gives its elements one after another, where it stands: functions of itertools as lists, and columns of pairs.

accumulate(x)          ->  np.cumsum(x), of numbers in an array
accumulate(xs, f)      ->  accumulated_by(xs, f)
takewhile(f, x)        ->  taken_while(f, x)
islice(x, 1, None)     ->  x[1:]
zip(*pairs)            ->  ([a for a, b in pairs], [b for a, b in pairs])
zip(*rows)             ->  columns(rows)
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Hashable
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.in_loops import seek_name
from tangentish.infer.literals import literal_of
from tangentish.infer.other_forms import OtherForms
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Known, Num, Seq, Tup, is_number
from tangentish.kinds.joins import join
from tangentish.language.chained import COMING_LATE
from tangentish.language.codes import unused_in
from tangentish.language.undisturbed import is_disturbed_loop
from tangentish.runtime import calling

_TOTALS: dict[Any, str] = {operator.add: "np.cumsum", operator.mul: "np.cumprod"}
_BY_TEST: dict[Any, Any] = {
    itertools.takewhile: calling.taken_while,
    itertools.dropwhile: calling.dropped_while,
}


class OneByOne(OtherForms):
    """The part of the walk that knows what gives its items one by one."""

    def one_by_one(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of the list that stands for such a call; None for all other calls."""
        if not isinstance(function, Hashable) or function not in COMING_LATE or not args:
            return None
        kinds = [self.expression(arg) for arg in (*args, *keywords.values())]
        if not any(kind.active for kind in kinds):
            return None
        if not self.is_read_now(node):
            return None
        self.facts.iterators.add(node)
        args = [self.as_list(arg) for arg in args]
        if function is itertools.accumulate:
            return self.accumulate(args, keywords, node)
        if function is itertools.islice:
            return self.sliced(args, keywords, node)
        if function is itertools.zip_longest:
            return self.longest(args, keywords, node)
        if keywords or len(args) != 2:
            return None
        return self.apply(_BY_TEST[function], args, {}, node)

    def is_read_now(self, node: Any) -> bool:
        """Whether what gives its items one by one is run over where it stands, and nothing changes them meanwhile."""
        if is_disturbed_loop(node):
            self.refuse("the loop may change what this runs over: make it a list", node)
        elif node not in self.eaten:
            self.refuse("a generator that is kept is not followed: make it a list", node)
        else:
            return True
        return False

    def accumulate(self, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind | None:
        items, *rest = args
        function = rest[0] if rest else keywords.get("func")
        initial = keywords.get("initial")
        if len(rest) > 1 or not keywords.keys() <= {"func", "initial"}:
            return None
        if function is not None and self.kind(function) == Known(None):
            function = None
        if initial is not None and self.kind(initial) == Known(None):
            initial = None
        kind = self.kind(items)
        # Of rows, the first that is given is the first row itself.
        if isinstance(kind, Num) and kind.array and kind.rank == 1 and initial is None:
            total = "np.cumsum" if function is None else _TOTALS.get(self.called(function)[0])
            if total is not None:
                return self.answered_by(node, lambda: quote(total + "({x})", x=items))
        written = {
            (False, False): calling.accumulated, (True, False): calling.accumulated_by,
            (False, True): calling.accumulated_from, (True, True): calling.accumulated_by_from,
        }[function is not None, initial is not None]  # fmt: skip
        given = [e for e in (items, function, initial) if e is not None]
        return self.apply(written, given, {}, node)

    def sliced(self, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind | None:
        """islice(x, a, b)  ->  x[a:b]"""
        items, *bounds = args
        kind = self.kind(items)
        plain = isinstance(kind, Seq) or (isinstance(kind, Tup) and not kind.is_mapping)
        if keywords or not (plain or isinstance(kind, Num)) or not 1 <= len(bounds) <= 3:
            return None
        literals = [literal_of(bound) for bound in bounds]
        if any(isinstance(value, int) and value < 0 for value in literals):
            return None
        ends = [None, *bounds] if len(bounds) == 1 else bounds
        ends = [None if e is None or self.kind(e) == Known(None) else e for e in ends]
        part = gast.Slice(*ends, *[None] * (3 - len(ends)))
        return self.answered_by(
            node, lambda: gast.copy_location(gast.Subscript(items, part, gast.Load()), node)
        )

    def longest(self, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind | None:
        fill = keywords.get("fillvalue")
        if len(args) != 2 or fill is None or keywords.keys() != {"fillvalue"}:
            return None
        return self.apply(calling.zipped_longest, [*args, fill], {}, node)

    def columns(self, node: Any) -> Kind | None:
        """a, b = zip(*pairs)  ->  a, b = ([pair[0] for pair in pairs], [pair[1] for pair in pairs])"""
        if not isinstance(node, gast.Call) or self.called(node.func)[0] is not zip or node.keywords:
            return None
        rows = node.args[0].value if len(node.args) == 1 else None
        kind = None if rows is None else self.expression(rows)
        row = None if kind is None else _row_of(kind)
        if kind is None or row is None:
            return None
        if isinstance(kind, Tup):
            self.name_rows(kind, rows, node)
        told_apart = isinstance(row, Tup) and row.is_counted and isinstance(rows, gast.Name)
        if not told_apart or not _is_unpacked(self.statement, node):
            return self.columns_in_a_list(rows, kind, row, node)
        assert isinstance(row, Tup)
        count, name, load = len(row.items), self.unused("row"), gast.Load()

        def column(k: int) -> Any:
            loop = gast.comprehension(ir.name(name), rows, [], 0)
            return gast.ListComp(gast.Subscript(ir.name(name), constant(k), load), [loop])

        def columns() -> Any:
            return gast.Tuple([column(k) for k in range(count)], load)

        if not isinstance(kind, Tup):
            self.facts.columns[node] = rows
        return self.answered_by(node, columns)

    def name_rows(self, kind: Tup, rows: Any, node: Any) -> None:
        """Ask for names for arrays and lists that a loop runs over side by side, or for the tuple of them."""
        if isinstance(self.statement, ir.For) and not any(isinstance(k, Tup) for k in kind.items):
            names = tuple(f"row_{k}" for k in range(len(kind.items)))
            self.unpack_before(node, node.args[0], names)
        if not isinstance(rows, gast.Name):
            seek_name(self, rows)

    def columns_in_a_list(self, rows: Any, kind: Kind, row: Any, node: Any) -> Kind | None:
        """zip(*rows), of rows of numbers: there are as many columns as the shortest row is long, none without rows."""
        match row:
            case Tup(is_counted=True, items=items):
                numbers = all(map(is_number, items))
            case _:
                numbers = isinstance(row, Num) or (isinstance(row, Seq) and not row.keyed)
        if not (numbers and kind.active) or not self.is_read_now(node):
            return None
        return self.apply(calling.columns, [rows], {}, node)

    def as_list(self, node: Any) -> Any:
        """What gives its elements one after another, as a list of them."""
        if isinstance(node, gast.GeneratorExp):
            return self.standing_in(node, gast.ListComp(node.elt, node.generators))
        return node

    def unused(self, name: str) -> str:
        """A name for the variable of a comprehension."""
        return unused_in(self.source.function.__code__, name)

    def standing_in(self, node: Any, made: Any) -> Any:
        """A list that takes the place of arguments: the same one whenever the walk comes by."""
        made = self.instead.setdefault(node, gast.copy_location(made, node))
        self.expression(made)
        return made


def _row_of(rows: Kind) -> Kind | None:
    """The kind of a row, where rows of one kind follow each other; None for all else."""
    match rows:
        case Seq(item=item):
            return item
        case Num():
            return rows
        case Tup(items=items) if (
            items and rows.is_counted and not (rows.is_mapping or rows.is_object)
        ):
            return functools.reduce(join, items)
    return None


def _is_unpacked(line: Any, node: Any) -> bool:
    """Whether a line does nothing but give each column a name."""
    unpacked = isinstance(line, ir.Assign) and isinstance(line.target, (gast.Tuple, gast.List))
    return unpacked and line.value is node
