"""What gives its elements one after another, where it stands: functions of itertools as lists, and columns of pairs.

accumulate(x)          ->  np.cumsum(x), of arrays
accumulate(xs, f)      ->  accumulated_by(xs, f)
takewhile(f, x)        ->  taken_while(f, x)
islice(x, 1, None)     ->  x[1:]
zip(*pairs)            ->  ([a for a, b in pairs], [b for a, b in pairs])
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Hashable
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.literals import literal_of
from tangentish.infer.other_forms import OtherForms
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Known, Num, Seq, Tup
from tangentish.language.chained import COMING_LATE
from tangentish.language.undisturbed import is_disturbed_loop
from tangentish.runtime import calling

__all__ = ["OneByOne"]

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
        if is_disturbed_loop(node):
            self.refuse("the loop may change what this runs over: make it a list", node)
            return None
        if node not in self.eaten:
            self.refuse("a generator that is kept is not followed: make it a list", node)
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
        if isinstance(kind, Num) and kind.array and kind.rank and initial is None:
            total = "np.cumsum" if function is None else _TOTALS.get(self.called(function)[0])
            if total is not None:
                form = total + ("({x})" if kind.rank == 1 else "({x}, axis=0)")
                return self.answered_by(node, lambda: quote(form, x=items))
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
        """zip(*pairs)  ->  ([pair[0] for pair in pairs], [pair[1] for pair in pairs])"""
        match node:
            case gast.Call(args=[gast.Starred(value=gast.Name() as rows)], keywords=[]):
                kind = self.expression(rows)
            case _:
                return None
        row = kind.item if isinstance(kind, Seq) else None
        if not (isinstance(row, Tup) and row.is_counted) or self.called(node.func)[0] is not zip:
            return None
        count, name, load = len(row.items), self.unused("row"), gast.Load()

        def column(k: int) -> Any:
            loop = gast.comprehension(ir.name(name), rows, [], 0)
            return gast.ListComp(gast.Subscript(ir.name(name), constant(k), load), [loop])

        def columns() -> Any:
            return gast.Tuple([column(k) for k in range(count)], load)

        return self.answered_by(node, columns)

    def as_list(self, node: Any) -> Any:
        """What gives its elements one after another, as a list of them."""
        if isinstance(node, gast.GeneratorExp):
            return self.standing_in(node, gast.ListComp(node.elt, node.generators))
        return node

    def unused(self, name: str) -> str:
        """A name for the variable of a comprehension."""
        code = self.source.function.__code__
        while name in {*code.co_varnames, *code.co_names, *code.co_cellvars, *code.co_freevars}:
            name += "_"
        return name

    def standing_in(self, node: Any, made: Any) -> Any:
        """A list that takes the place of arguments: the same one whenever the walk comes by."""
        made = self.instead.setdefault(node, gast.copy_location(made, node))
        self.expression(made)
        return made

    def called(self, func: Any) -> tuple[Any, Any]:
        raise NotImplementedError

    def apply(self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind:
        raise NotImplementedError
