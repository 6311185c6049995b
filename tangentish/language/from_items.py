"""Arrays of items that come one after another, as those of lists.

np.fromiter((f(v) for v in xs), float)                 ->    np.array([f(v) for v in xs], float)
np.fromiter((f(v) for v in xs), float, len(xs))        ->    np.array([f(v) for v in xs], float)
np.fromiter((f(v) for v in xs), float, count=3)        ->    np.reshape(np.array([f(v) for v in xs[:3]], float), 3)

Where fewer items come than are counted NumPy raises a ValueError, and so does np.reshape.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish.language.named_members import Find
from tangentish.language.placed import at, name_at

_OPTIONS = ("dtype", "count")


def as_array(node: Any, find: Find) -> Any | None:
    """The array of a list that np.fromiter says; None where it is not seen how many items are taken."""
    items, *by_place = node.args or [None]
    given = {
        **dict(zip(_OPTIONS, by_place, strict=False)),
        **{k.arg: k.value for k in node.keywords},
    }
    if len(by_place) > len(_OPTIONS) or not {"dtype"} <= set(given) <= set(_OPTIONS):
        return None
    count = given.get("count")
    if count is None or _is_whole(count, items, find):
        return _array(node, _list(items), given["dtype"])
    match count:
        case gast.Constant(value=int(n)) if n >= 0:
            first = _first(items, count)
            if first is not None:
                function = at(gast.Attribute(node.func.value, "reshape", gast.Load()), node.func)
                array = _array(node, first, given["dtype"])
                return at(gast.Call(function, [array, count], []), node)
    return None


def _array(node: Any, items: Any, dtype: Any) -> Any:
    function = at(gast.Attribute(node.func.value, "array", gast.Load()), node.func)
    return at(gast.Call(function, [items, dtype], []), node)


def _list(items: Any) -> Any:
    if isinstance(items, gast.GeneratorExp):
        return at(gast.ListComp(items.elt, items.generators), items)
    if isinstance(items, (gast.List, gast.ListComp)):
        return items
    return at(gast.Call(name_at("list", items), [items], []), items)


def _is_whole(count: Any, items: Any, find: Find) -> bool:
    """Whether just as many are taken as there are: -1, or the length of what the generator runs over."""
    match count, items:
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=1)), _:
            return True
        case (
            gast.Call(func=gast.Name(id="len"), args=[gast.Name(id=name)], keywords=[]),
            gast.GeneratorExp(generators=[gast.comprehension(iter=gast.Name(id=over), ifs=[])]),
        ):
            return name == over and find("len") is len
        case (
            _,
            gast.GeneratorExp(
                generators=[
                    gast.comprehension(
                        iter=gast.Call(func=gast.Name(id="range"), args=[last], keywords=[]), ifs=[]
                    )
                ]
            ),
        ):
            return find("range") is range and gast.dump(last) == gast.dump(count)
    return False


def _first(items: Any, count: Any) -> Any | None:
    """The list of so many items: the generator runs no further, and nor may the list."""
    match items:
        case gast.GeneratorExp(
            elt=element, generators=[gast.comprehension(iter=gast.Name(), ifs=[]) as loop]
        ):
            over = _cut(loop.iter, count)
            return at(gast.ListComp(element, [gast.comprehension(loop.target, over, [], 0)]), items)
        case gast.Name() | gast.List() | gast.ListComp():
            return _list(_cut(items, count))
    return None


def _cut(items: Any, count: Any) -> Any:
    return at(gast.Subscript(items, at(gast.Slice(None, count, None), items), gast.Load()), items)
