"""Which lists what a call gives may be, or hold, where nothing else is known of it: `s = min([w, v])`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.known_functions import TAKING_ALL
from tangentish.kinds import Kind, Num, Opaque, Seq, Tup, sites_of_buffers

_NOTHING: frozenset[Hashable] = frozenset()


def lists_kept(function: Any, kinds: Iterable[Kind], node: Any) -> frozenset[Hashable]:
    """Where they are made, of those that its arguments, of these kinds, are or hold."""
    items = len(getattr(node, "args", ())) <= 1 and _gives_items(function, node)
    return _NOTHING.union(*(_kept_of(function, kind, items) for kind in kinds))


def list_sites(kind: Kind) -> frozenset[Hashable]:
    """Where the lists are made that a value is, or that stand in it."""
    match kind:
        case Seq(item=item, buffers=buffers):
            return sites_of_buffers(buffers) | (_NOTHING if item is None else list_sites(item))
        case Tup(items=items):
            own = frozenset(kind.sites) if kind.is_list else _NOTHING
            return own.union(*map(list_sites, items))
    return _NOTHING


def in_comprehension(node: Any, kind_of: Callable[[str], Kind]) -> frozenset[Hashable]:
    """Where the lists are made that may stand in what a comprehension gives; not what it only reads by places."""
    elements = (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)
    itself = {name for element in elements for name in _not_by_places(element)}
    return _NOTHING.union(
        *(
            list_sites(kind_of(name)) - (_NOTHING if name in itself else _own_sites(kind_of(name)))
            for name in ir.names_in(node)
        )
    )


def _not_by_places(node: Any) -> Iterator[str]:
    """The names in an expression, but for `d` of `d[k]`."""
    if isinstance(node, gast.Name):
        yield node.id
    by_place = node.value if isinstance(node, gast.Subscript) else None
    for part in ir.children(node):
        if part is not by_place or not isinstance(part, gast.Name):
            yield from _not_by_places(part)


def _own_sites(kind: Kind) -> frozenset[Hashable]:
    if isinstance(kind, Seq):
        return sites_of_buffers(kind.buffers)
    return frozenset(kind.sites) if isinstance(kind, Tup) else _NOTHING


def array_sites(kind: Kind) -> frozenset[Hashable]:
    """Where the arrays are made that a value may be, or hold; not the lists which hold them."""
    match kind:
        case Num(buffers=buffers) | Opaque(buffers=buffers):
            return sites_of_buffers(buffers)
        case Seq(item=item):
            return _NOTHING if item is None else array_sites(item)
        case Tup(items=items):
            return _NOTHING.union(*map(array_sites, items))
    return _NOTHING


def holds_changed(kind: Kind) -> bool:
    """Whether a container holds a list that is changed somewhere, and may come to vary."""
    items = kind.items if isinstance(kind, Tup) else ()
    return any(isinstance(item, Seq) or holds_changed(item) for item in items)


def _gives_items(function: Any, node: Any) -> bool:
    """Whether a call gives what its argument holds, but not that itself."""
    copies = function is copy.copy or getattr(getattr(node, "func", None), "attr", None) == "copy"
    return copies or (isinstance(function, Hashable) and function in TAKING_ALL)


def _kept_of(function: Any, kind: Kind, items: bool) -> frozenset[Hashable]:
    """Of one argument. NumPy makes arrays of lists of numbers, but not of what is in dicts and objects.

    items: the call gives what the argument holds.
    """
    home = str(getattr(function, "__module__", None) or "").partition(".")[0]
    inside = home in ("numpy", "scipy")
    match kind:
        case Seq(item=item) if items or inside:
            return _NOTHING if item is None else _kept_of(function, item, False)
        case Tup() if (items or inside) and not (inside and (kind.is_mapping or kind.is_object)):
            return _NOTHING.union(*(_kept_of(function, item, False) for item in kind.items))
    return list_sites(kind)
