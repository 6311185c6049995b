"""Stores of a view to places of the array that it shows, of which some are written before others are read.

    A[:, 3] = A[2]        x[::2] = x[:n]        x[mask] = x[1:]

NumPy copies what is stored first where both overlap, but not where the place has one axis and both run in one
direction, nor where a mask tells the places (seen in NumPy 2.4): its result then depends on the order in which it goes.
All is as if it was copied where both take equal steps along one axis, and where what overlaps is stored to where it is
already (`A[i] = A[:, i]`).

`y.flat[1:] = y`, `np.place(y, mask, y)` and `np.fill_diagonal(m, m[0])` are never buffered: each element is read when
those before it are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.environment import Environment
from tangentish.infer.facts import Facts
from tangentish.infer.indices import entries_of, index_sort
from tangentish.infer.literals import literal_of
from tangentish.infer.views import called_view, path_of
from tangentish.kinds import UNKNOWN, Kind, Num, Tup, is_number

WRITTEN_EARLY = (
    "what is stored is a view of the same array in other steps, and NumPy may write over it before it reads it: "
    "store a copy of it (.copy())"
)

ONE_BY_ONE = (
    "what is stored is a view of the same array, of which NumPy reads each element after it has written those before: "
    "store a copy of it (.copy())"
)


class _Steps(NamedTuple):
    """A view of an array: the axes that it has left, each with a step; parts: its one index."""

    root: str
    axes: list[tuple[int, int]]
    parts: list[str]


def is_written_early(target: Any, value: Any, facts: Facts, env: Environment) -> bool:
    """Whether a store may write to what it stores before it is read, so that the order of its elements counts."""
    stored, base = facts.kinds.get(value, UNKNOWN), facts.kinds.get(target.value, UNKNOWN)
    if not share_memory(base, stored):
        return False
    if index_sort(target.slice, facts) != "basic":
        return any(map(_is_mask, entries_of(target.slice, facts)))
    if not may_be_written_early(facts.kinds.get(target, UNKNOWN), stored):
        return False
    one, other = _steps(target, facts, env), _steps(value, facts, env)
    return one is None or other is None or not _go_together(one, other)


def may_be_written_early(place: Kind, stored: Kind) -> bool:
    """Whether a place may share memory with what is stored there, and has one axis, as far as is known."""
    return share_memory(place, stored) and getattr(place, "rank", None) in (None, 1)


def share_memory(place: Kind, stored: Kind) -> bool:
    """Whether an array may share memory with another one that has axes."""
    if not (isinstance(place, Num) and isinstance(stored, Num)):
        return False
    has_axes = stored.array is not False and stored.shape != ()
    return has_axes and bool(place.buffers & stored.buffers)


def _is_mask(entry: Any) -> bool:
    return isinstance(entry, Num) and entry.array is not False and entry.dtype in (None, np.bool_)


def _go_together(one: _Steps, other: _Steps) -> bool:
    if one.root != other.root:
        return False
    mirrored = len(one.parts) == 2 and one.parts == other.parts[::-1]
    (axis, step), *_ = one.axes[-1:] or [(0, 1)]
    (other_axis, other_step), *_ = other.axes[-1:] or [(0, 1)]
    return mirrored or (axis == other_axis and (step == other_step or step * other_step < 0))


def _steps(
    node: Any, facts: Facts, env: Environment, seen: tuple[str | None, ...] = ()
) -> _Steps | None:
    """How a view goes through the array that it is of; None where that is not known.

    seen: the names on the way, and None for each part that was taken.
    """
    if isinstance(node, gast.Subscript) and isinstance(facts.kinds.get(node.value), Num):
        inner = _steps(node.value, facts, env, (*seen, None))
        return None if inner is None else _indexed(inner, node.slice, facts)
    if _is_transposed(node, facts):
        inner = _steps(node.value, facts, env, (*seen, None))
        return None if inner is None else _Steps(inner.root, inner.axes[::-1], [])
    if _gives_as_it_is(node):
        return _steps(node.args[0], facts, env, seen)
    if isinstance(node, gast.Name) and node.id in seen:
        return _in_turn(node, seen[seen.index(node.id) :], facts)
    if isinstance(node, gast.Name):
        shown = _shown(node, facts, env)
        return (
            _whole(node, node.id, facts)
            if shown is None
            else _steps(shown, facts, env, (*seen, node.id))
        )
    called = called_view(node, facts)
    user = facts.user_of(node)
    given = called[0] if called is not None else next(iter(user.otherwise if user else ()), None)
    if given is not None:
        return _steps(given, facts, env, seen)
    return _whole(node, _root(node, facts), facts)


def _in_turn(node: Any, names: Sequence[str | None], facts: Facts) -> _Steps | None:
    """Names that stand for each other's arrays in turn, a, b = b, a: all of them are taken for one."""
    known = [name for name in names if name is not None]
    return _whole(node, min(known), facts) if len(known) == len(names) else None


def _whole(node: Any, root: str | None, facts: Facts) -> _Steps | None:
    kind = facts.kinds.get(node)
    if root is None or not isinstance(kind, Num) or kind.rank is None:
        return None
    return _Steps(root, [(axis, 1) for axis in range(kind.rank)], [])


def _is_transposed(node: Any, facts: Facts) -> bool:
    """Whether this is `A.T` of an array: an object may hold something by that name."""
    named = isinstance(node, gast.Attribute) and node.attr == "T"
    return named and not isinstance(facts.kinds.get(node.value), Tup)


def _gives_as_it_is(node: Any) -> bool:
    """Whether this is `np.asarray(x)`: what it does not copy it gives as it is."""
    match node:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr), args=[_, *_]):
            return not ir.is_value(name) and attr in ("asarray", "asanyarray")
    return False


def _root(node: Any, facts: Facts) -> str | None:
    """What tells one array from another: its name, or that of its object and the attribute that it is stored under."""
    match node:
        case gast.Name(id=name):
            return str(name)
        case gast.Attribute(value=owner, attr=attr):
            kind = facts.kinds.get(owner)
            stored = isinstance(kind, Tup) and kind.is_object and kind.position(attr) is not None
            step = f".{attr}" if stored else None
        case gast.Subscript(value=owner, slice=index):
            step = f"[{gast.dump(index)}]"
        case _:
            return None
    within = _root(owner, facts)
    return None if within is None or step is None else within + step


def _shown(name: Any, facts: Facts, env: Environment) -> Any | None:
    """What a name stands for, if that is a view; where it begins and ends may have changed, not how it goes."""
    path = path_of(name, facts, env)
    if path is not None and path[0] is not name:
        return path[0]
    views = (*facts.views.items(), *facts.otherwise.items())
    bound = [view for target, view in views if target.id == name.id and view is not None]
    return bound[0] if len(bound) == 1 else None


def _indexed(view: _Steps, index: Any, facts: Facts) -> _Steps | None:
    parts = ir.parts_of(index)
    full = [gast.Slice(None, None, None)] * (len(view.axes) - len(parts))
    whole = [k for k, part in enumerate(parts) if literal_of(part) is Ellipsis]
    if whole:
        parts[whole[0] : whole[0] + 1] = [*full, gast.Slice(None, None, None)]
    else:
        parts += full
    if len(parts) != len(view.axes):
        return None
    axes = []
    for part, (axis, step) in zip(parts, view.axes, strict=True):
        if isinstance(part, gast.Slice):
            taken = 1 if part.step is None else literal_of(part.step)
            if not isinstance(taken, int):
                return None
            axes.append((axis, step * taken))
        elif not _is_integer(part, facts):
            return None
    untouched = all(step == 1 for _, step in view.axes) and not view.parts
    dumped = [gast.dump(part) for part in parts] if untouched else []
    return _Steps(view.root, axes, dumped)


def _is_integer(part: Any, facts: Facts) -> bool:
    if type(literal_of(part)) is int:
        return True
    kind = facts.kinds.get(part)
    dtype = kind.dtype if is_number(kind) else None
    return dtype is not None and dtype.kind in "iu"
