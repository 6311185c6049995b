"""The place of the nearest by a lambda in a comprehension, which reads its variables: what the lambda gives is listed.

[min(range(n), key=lambda k: d(p, c[k])) for p in ps]
    ->  [min(range(n), key=[d(p, c[k]) for k in range(n)].__getitem__) for p in ps]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.named_members import Find
from tangentish.language.placed import at, target_at
from tangentish.language.rewriting import Rewriting
from tangentish.language.written_out import written_out

_COUNTED = (
    gast.Name, gast.Constant, gast.Attribute, gast.Subscript, gast.BinOp, gast.operator, gast.Load
)  # fmt: skip


def with_keys_listed(statements: Sequence[Any], find: Find) -> list[Any]:
    """The statements without such lambdas; all others are functions with a place of their own by now."""
    if not ir.nodes_of(statements, gast.Lambda):
        return list(statements)
    return _Listed(find).block(statements)


class _Listed(Rewriting):
    def __init__(self, find: Find) -> None:
        self.find = find

    def call(self, node: Any) -> Any | None:
        match node:
            case gast.Call(
                func=gast.Name(id="min" | "max" | "sorted" as name),
                args=[gast.Call(func=gast.Name(id="range"), args=[count]) as places],
            ) if self.find("range") is range and self.find(name) in (min, max, sorted):
                pass
            case _:
                return None
        if not self.is_counted(count):
            return None
        keywords = [self.with_key(keyword, places) for keyword in node.keywords]
        return at(gast.Call(node.func, node.args, keywords), node)

    def with_key(self, keyword: Any, places: Any) -> Any:
        match keyword:
            case gast.keyword(
                arg="key",
                value=gast.Lambda(
                    args=gast.arguments(
                        args=[gast.Name(id=place)], posonlyargs=[], vararg=None, kwonlyargs=[],
                        kwarg=None, defaults=[],
                    ),
                    body=body,
                ) as key,
            ):  # fmt: skip
                over = at(written_out(places), key)
                loop = at(gast.comprehension(target_at(place, key), over, [], 0), key)
                listed = at(gast.ListComp(self.expression(body), [loop]), key)
                items = at(gast.Attribute(listed, "__getitem__", gast.Load()), key)
                return at(gast.keyword("key", items), keyword)
        return keyword

    def is_counted(self, count: Any) -> bool:
        """Whether it makes no difference that a number of places is asked for twice."""
        match count:
            case gast.Call(func=gast.Name(id="len"), args=[whole]) if self.find("len") is len:
                return self.is_counted(whole)
        return all(isinstance(part, _COUNTED) for part in gast.walk(count))
