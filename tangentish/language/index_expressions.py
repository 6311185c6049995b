"""What `np.s_` and `np.index_exp` give, as the slices that they are.

inner = np.s_[1:, 0]    ->    inner = (slice(1, None), 0)
x[np.s_[1:, 0]]         ->    x[1:, 0]
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentish.ir.quote import constant
from tangentish.language.named_members import Find, named_member
from tangentish.language.placed import at, name_at


def index_expression(node: Any, find: Find) -> Any | None:
    """What stands for such an expression, or for what is indexed by one; None for any other."""
    if not isinstance(node, gast.Subscript):
        return None
    inner = index_expression(node.slice, find)
    if inner is not None:
        whole = node.slice.slice
        return at(gast.Subscript(node.value, whole, node.ctx), node)
    maker = named_member(node.value, np, find)
    if maker is not np.s_ and maker is not np.index_exp:
        return None
    index = node.slice
    if isinstance(index, gast.Tuple):
        return at(gast.Tuple([as_value(part) for part in index.elts], gast.Load()), node)
    value = as_value(index)
    return value if maker is np.s_ else at(gast.Tuple([value], gast.Load()), node)


def as_value(index: Any) -> Any:
    """`1:n` as `slice(1, n)`"""
    if not isinstance(index, gast.Slice):
        return index
    bounds = [index.lower, index.upper, *([] if index.step is None else [index.step])]
    args = [at(constant(None), index) if bound is None else bound for bound in bounds]
    return at(gast.Call(name_at("$slice", index), args, []), index)
