"""What `np.s_` and `np.index_exp` give, and slices that an index is made of, as the slices that they are.

inner = np.s_[1:, 0]    ->    inner = (slice(1, None), 0)
x[np.s_[1:, 0]]         ->    x[1:, 0]
x[slice(1, n), 0]       ->    x[1:n, 0]
"""

from __future__ import annotations

import operator
from typing import Any

import gast
import numpy as np

from tangentish import ir
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
    parts = [_slice_written(part, find) or part for part in ir.parts_of(node.slice)]
    if any(map(operator.is_not, parts, ir.parts_of(node.slice))):
        several = isinstance(node.slice, gast.Tuple)
        whole = at(gast.Tuple(parts, gast.Load()), node.slice) if several else parts[0]
        new = at(gast.Subscript(node.value, whole, node.ctx), node)
        return index_expression(new, find) or new
    maker = named_member(node.value, np, find)
    if maker is not np.s_ and maker is not np.index_exp:
        return None
    index = node.slice
    if isinstance(index, gast.Tuple):
        return at(gast.Tuple([as_value(part) for part in index.elts], gast.Load()), node)
    value = as_value(index)
    return value if maker is np.s_ else at(gast.Tuple([value], gast.Load()), node)


def _slice_written(part: Any, find: Find) -> Any | None:
    """`slice(1, n)` and `np.s_[1:n]` as `1:n`; None for any other part of an index."""
    match part:
        case gast.Subscript(value=maker, slice=gast.Slice()) if (
            named_member(maker, np, find) is np.s_
        ):
            return part.slice
        case gast.Call(func=gast.Name(id=name), args=args, keywords=[]) if (
            find(name) is slice and 1 <= len(args) <= 3
        ):
            if any(isinstance(a, gast.Starred) for a in args):
                return None
            bounds = [None if ir.is_none(a) else a for a in args]
            lower, upper, step = [None, *bounds, None] if len(args) == 1 else [*bounds, None][:3]
            return at(gast.Slice(lower, upper, step), part)
    return None


def as_value(index: Any) -> Any:
    """`1:n` as `slice(1, n)`"""
    if not isinstance(index, gast.Slice):
        return index
    bounds = [index.lower, index.upper, *([] if index.step is None else [index.step])]
    args = [at(constant(None), index) if bound is None else bound for bound in bounds]
    return at(gast.Call(name_at("$slice", index), args, []), index)
