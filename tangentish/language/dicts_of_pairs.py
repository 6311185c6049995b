"""`dict(zip(keys, values))` as the dict that it is.

dict(zip(names, x))            ->    {key: value for key, value in zip(names, x)}
dict(zip(("a", "b"), (x, y)))  ->    {"a": x, "b": y}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir
from tangentish.language.named_members import Find
from tangentish.language.placed import at, name_at, target_at


def dict_of_pairs(pairs: Any, node: Any, find: Find, unused: Callable[[str], str]) -> Any | None:
    """The dict that `node` makes of pairs; None where they are not those of `zip`."""
    match pairs:
        case gast.Call(func=gast.Name(id="zip"), args=[keys, values], keywords=[]):
            pass
        case _:
            return None
    if find("zip") is not zip or find("dict") is not dict:
        return None
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
