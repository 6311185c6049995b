"""Loops over tuples of elements of a list of dicts or objects, as itertools makes them: tuples of indices.

for p, q in combinations(ps, 2): p.x -= q.x    ->    for i, j in combinations(range(len(ps["x"])), 2): ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.record_choices import Choices
from tangentish.analysis.record_elements import Instead
from tangentish.ir.quote import quote
from tangentish.language.placed import all_at, at
from tangentish.language.taken_first import copied_first
from tangentish.language.ways import way_of

_OF_ONE = {"combinations", "permutations", "combinations_with_replacement", "pairwise"}


@dataclass
class Tuples(Choices):
    """The part that knows what itertools makes of elements."""

    def function_of_tuples(self, over: Any) -> str | None:
        """The name of the function of itertools that is called, where it gives tuples of what it is given."""
        way = way_of(over.func) if isinstance(over, gast.Call) else None
        meant = None if way is None else self.needed.means.get(way.dotted)
        return meant if meant == "product" or meant in _OF_ONE else None

    def has_tuples(self, over: Any) -> bool:
        return any(self.function_of_tuples(n) is not None for n in ir.walk(over))

    def given_to_tuples(self, target: Any, over: Any) -> Iterator[tuple[Any, int]]:
        """The targets for the items of one tuple, and which argument each of them is taken from."""
        function = self.function_of_tuples(over)
        starred = any(isinstance(n, gast.Starred) for n in ir.children(over))
        if not isinstance(target, gast.Tuple) or starred or not over.args:
            return
        if function in _OF_ONE:
            yield from ((t, 0) for t in target.elts)
        elif not over.keywords and len(over.args) == len(target.elts):
            yield from ((t, k) for k, t in enumerate(target.elts))

    def bound_in_tuples(self, target: Any, over: Any) -> list[str]:
        """The names that such a loop gives elements."""
        if self.function_of_tuples(over) is None:
            return []
        given = self.given_to_tuples(target, over)
        return [p for t, k in given for p in self.elements_bound(t, self.source(over.args[k]))]

    def over_tuples(
        self, target: Any, over: Any, name: Callable[[str], str], origin: ir.Origin | None
    ) -> tuple[Any, Any]:
        """What a loop binds, and runs over, instead of tuples of elements."""
        letters = iter("ijklmn")

        def instead(p: Any) -> tuple[Any, Any]:
            index = self.chosen.get(p.id) or name(next(letters, "i"))
            self.places[p.id] = at(ir.name(index), over)
            places = all_at(quote("range({n})", n=self.length(over)), over)
            return at(ir.name(index, gast.Store()), p), places

        return self.replaced(target, over, instead, origin)

    def replaced_in_tuples(
        self, target: Any, over: Any, instead: Instead, origin: ir.Origin | None
    ) -> tuple[Any, Any]:
        """The same of the call of itertools itself."""
        targets, args = [], list(map(self.expression, over.args))
        for t, k in self.given_to_tuples(target, over):
            new, args[k] = self.replaced(t, self.source(over.args[k]), instead, origin)
            targets.append(new)
        return ir.with_fields(target, {"elts": targets}), ir.with_fields(over, {"args": args})

    def source(self, arg: Any) -> Any:
        """What a list is a copy of that is run over: no line may change the list then, so that it needs no copy."""
        match arg:
            case gast.Call(func=func, args=[whole], keywords=[]) if self.means(func, "list"):
                return whole
        return copied_first(arg) or arg
