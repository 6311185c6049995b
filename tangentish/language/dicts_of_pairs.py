"""`dict(zip(keys, values))`, and `dict` of lists and dicts by names, as the dict that it is.

dict(zip(names, x))            ->    {key: value for key, value in zip(names, x)}
dict(zip(("a", "b"), (x, y)))  ->    {"a": x, "b": y}
dict(losses=[], best={})       ->    {"losses": [], "best": {}}

Of numbers and arrays by names, `dict(a=x)`, it stays as it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.named_members import Find
from tangentish.language.placed import at, name_at, target_at


def plain_dict(node: Any, find: Find, unused: Callable[[str], str]) -> Any | None:
    """The dict that a call of `dict` makes, where it is one of these."""
    match node:
        case gast.Call(args=[gast.Call(func=gast.Name(id="zip")) as pairs], keywords=[]):
            return _of_pairs(pairs, node, find, unused)
        case gast.Call(args=[], keywords=[_, *_] as named):
            return _of_containers(named, node, find)
    return None


def _of_pairs(pairs: Any, node: Any, find: Find, unused: Callable[[str], str]) -> Any | None:
    if find("zip") is not zip or find("dict") is not dict or pairs.keywords or len(pairs.args) != 2:
        return None
    keys, values = pairs.args
    displays = (gast.List, gast.Tuple)
    if isinstance(keys, displays) and isinstance(values, displays):
        literal = all(isinstance(key, gast.Constant) for key in keys.elts)
        starred = ir.has_star(values.elts)
        if literal and not starred and len(keys.elts) == len(values.elts):
            return at(gast.Dict(keys.elts, values.elts), node)
    names = unused("key"), unused("value")
    targets = [target_at(name, node) for name in names]
    loop = gast.comprehension(at(gast.Tuple(targets, gast.Store()), node), pairs, [], 0)
    return at(gast.DictComp(*(name_at(name, node) for name in names), [loop]), node)


def _of_containers(named: Sequence[Any], node: Any, find: Find) -> Any | None:
    names, values = [k.arg for k in named], [k.value for k in named]
    made = any(isinstance(value, (gast.List, gast.Dict, gast.ListComp)) for value in values)
    if not made or None in names or find("dict") is not dict:
        return None
    keys = [at(gast.Constant(name, None), node) for name in names]
    return at(gast.Dict(keys, values), node)
