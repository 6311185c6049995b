"""`next` of what is made where it stands, as the loop that looks for it.

y = next((f(v) for v in xs if c), d)     ->    y = d; for v in xs: if c: y = f(v); break
y = next(f(v) for v in xs if c)          ->    for v in xs: if c: y = f(v); break; else: raise StopIteration
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.language.generated_loops import with_names
from tangentish.language.named_members import Find
from tangentish.language.placed import assign_at, at, name_at
from tangentish.language.stored_last import may_change_something


@dataclass(frozen=True)
class FirstItems:
    """Finds such calls, and writes the loops.

    find: what a name stands for outside of the function; fresh: a name for a variable of a generator.
    """

    find: Find
    fresh: Callable[[str], str]

    def is_one(self, node: Any) -> bool:
        match node:
            case gast.Call(
                func=gast.Name(id="next"),
                args=[gast.GeneratorExp(generators=[part])]
                | [gast.GeneratorExp(generators=[part]), _],
                keywords=[],
            ):
                known = self.find("next") is next and not part.is_async
                return known and all(self.may_come_first(d, part.iter) for d in node.args[1:])
        return False

    def may_come_first(self, default: Any, over: Any) -> bool:
        """Whether it makes no difference that a default is evaluated before what the items are made of."""
        if isinstance(default, gast.Constant) or isinstance(over, gast.Name):
            return True
        return not any(map(self.may_change, (default, over)))

    def may_change(self, node: Any) -> bool:
        bound = any(isinstance(part, gast.NamedExpr) for part in ir.walk(node))
        return bound or may_change_something(node, self.find)

    def lines(self, name: str, node: Any) -> Iterator[Any]:
        """The lines that give `name` the first item."""
        generator, *default = node.args
        generator = with_names(generator, self.fresh)
        (part,) = generator.generators
        if default:
            yield assign_at(name, default[0], node)
        body = [assign_at(name, generator.elt, node), at(gast.Break(), node)]
        for test in reversed(part.ifs):
            body = [at(gast.If(test, body, []), node)]
        nothing = at(gast.Raise(name_at("$StopIteration", node), None), node)
        orelse = [] if default else [nothing]
        yield at(gast.For(part.target, part.iter, body, orelse, None), node)
