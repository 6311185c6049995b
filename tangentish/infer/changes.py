"""Changes of lists, dicts and objects that carry no derivative, which nothing takes back on the way back.

What a list held where it was read is there no more if such a change came in between: where it is read in loops it is
recorded (recording/saving.py), and adjoint/changed_containers.py refuses the rest.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.known_functions import is_of_library
from tangentish.kinds import (
    NO_BUFFERS,
    Buffer,
    Kind,
    Opaque,
    Seq,
    Sites,
    Tup,
    buffers_of,
    is_unknown,
    sites_of_buffers,
)
from tangentish.kinds.kinds_of_values import attribute_of
from tangentish.kinds.sites import is_in_argument
from tangentish.language.changing_names import OF_ARRAYS

NOWHERE: Sites = frozenset()
OUTSIDE: Sites = frozenset({("outside",)})
# Among what the program binds: lists and dicts outside may hold other things than they did.
CHANGED_OUTSIDE = "containers outside"

# Methods of containers, strings, files and sparse matrices that leave them as they are.
READING = {
    "get", "items", "keys", "values", "copy", "index", "count", "isdisjoint", "issubset", "issuperset", "union",
    "intersection", "difference", "symmetric_difference", "most_common", "elements", "total", "__getitem__",
    "__len__", "__contains__", "__iter__", "__call__", "split", "rsplit", "splitlines", "join", "strip", "lstrip",
    "rstrip", "lower", "upper", "title", "capitalize", "format", "replace", "startswith", "endswith", "encode",
    "decode", "partition", "rpartition", "zfill", "find", "rfind", "isdigit", "isalpha", "tolist", "item", "exists",
    "match", "search", "fullmatch", "findall", "group", "groups", "groupdict", "span", "start", "end", "tell",
    "derivative", "antiderivative", "deriv", "integ", "todense", "toarray", "tocsr", "tocsc", "tocoo", "todia", "tobsr",
    "getnnz", "getrow", "getcol", "count_nonzero",
}  # fmt: skip
READING |= {name for name in vars(np.ndarray) if not name.startswith("_")} - OF_ARRAYS
# Functions of the standard library, and helpers of generated text, that change what they are given.
_CHANGING = {
    "random": ("shuffle",),
    "_heapq": ("",),
    "heapq": ("",),
    "_bisect": ("insort",),
    "bisect": ("insort",),
    "_operator": ("setitem", "delitem", "i"),
    "operator": ("setitem", "delitem", "i"),
    "tangentish.runtime.lists": ("set_", "put_", "take_"),
}
_KEPT = {"index", "indexOf", "inv", "invert", "is_", "is_not", "itemgetter"}  # of operator's
_BUILTINS = {setattr, delattr, next, exec, eval}
_METHODS = (types.MethodDescriptorType, types.WrapperDescriptorType)


def changes_what_it_gets(function: Any, func: Any) -> bool:
    """Whether a function of which nothing else is known may change the lists, dicts and objects it is given.

    func: the expression that is called.
    """
    if function is None or not callable(function):
        return not (isinstance(func, gast.Attribute) and func.attr in READING)
    if isinstance(function, types.BuiltinMethodType) and not isinstance(
        function.__self__, (types.ModuleType, type(None))
    ):
        return function.__name__ not in READING
    if isinstance(function, _METHODS):
        return function.__name__ not in READING
    if isinstance(function, type):
        return not is_of_library(function)
    module, name = attribute_of(function, "__module__"), attribute_of(function, "__name__", "")
    if module == "builtins" or (module is None and not hasattr(function, "__self__")):
        return function in _BUILTINS
    if module in _CHANGING:
        return name.startswith(_CHANGING[module]) and name not in _KEPT
    return not (isinstance(module, str) and is_of_library(types.ModuleType(module)))


_IN_PLACE = {n for n in vars(operator) if n[0] == "i" and f"__{n}__" in vars(operator)} - _KEPT


CHANGING_ARRAYS = OF_ARRAYS | {
    "__setitem__",
    "__delitem__",
    *(f"__{n}__" for n in _IN_PLACE),
}
"""Methods of arrays that change them."""


def gives_what_it_changed(function: Any, func: Any) -> bool:
    """Whether this is operator.iadd(x, v), x.__iadd__(v), or another of their kind."""
    of_operator = getattr(function, "__module__", None) in ("operator", "_operator")
    if of_operator and getattr(function, "__name__", "") in _IN_PLACE:
        return True
    return isinstance(func, gast.Attribute) and func.attr in {f"__{name}__" for name in _IN_PLACE}


def is_container(kind: Kind) -> bool:
    """Whether a value is, or may be, a list, a dict or an object, or holds one."""
    match kind:
        case Opaque():
            return True
        case Tup(items=items):
            return not kind.is_counted or kind.is_list or any(map(is_container, items))
        case Seq(is_tuple=is_tuple, item=item):
            return not is_tuple or (item is not None and is_container(item))
    return False


def may_be(changed: Sites, read: Sites) -> bool:
    """Whether what was changed may be what is read, or be held by it."""
    if NOWHERE in (changed, read):
        return False
    return changed is None or read is None or bool(changed & read)


def sites_of(node: Any, kind: Kind, parameters: Sequence[str]) -> Sites:
    """Where the container that an expression gives, and those that it holds, may have been made.

    An argument of which nothing is known is where it came from, and so is all that stands outside.
    """
    if kind.active or not is_container(kind):
        return NOWHERE
    sites, root = sites_in(kind), ir.owner_of(node)
    if sites is not None or not isinstance(root, gast.Name):
        return sites
    if root.id in parameters:
        return frozenset({("argument", parameters.index(root.id))})
    return None if ir.is_value(root.id) else OUTSIDE


def memory_held(
    nodes: Sequence[Any], kinds: Sequence[Kind], parameters: Sequence[str]
) -> frozenset[Buffer]:
    """The memory of what an object holds that is made of these: that of the lists, dicts and objects in it, too."""
    pairs = zip(nodes, kinds, strict=True)
    containers = (map(Buffer, sites_of(node, kind, parameters) or ()) for node, kind in pairs)
    return NO_BUFFERS.union(*containers, *map(buffers_of, kinds))


def sites_in(kind: Kind) -> Sites:
    """Where a container of this kind, and those that it holds, may have been made; None where that is not known."""
    found: set[Hashable] = set()
    for part in _containers(kind):
        own = {b.site for b in part.buffers} if isinstance(part, Seq) else _sites(part)
        if not own and not isinstance(part, Seq):  # a list without memory is a gradient
            return None
        found |= {_of_argument(site) for site in own}
    return frozenset(found)


def sites_of_dicts(kind: Kind) -> frozenset[Hashable]:
    """Where the dicts and objects were made that a value is or holds, which have no memory of their own."""
    if kind.active:
        return frozenset()
    return frozenset(s for part in _containers(kind) if isinstance(part, Tup) for s in part.sites)


def _of_argument(site: Hashable) -> Hashable:
    """The site of a whole argument, of a part of one."""
    return site[:2] if is_in_argument(site) else site


def _sites(kind: Kind) -> frozenset[Hashable]:
    """Where an object or a dict may have been made, and what an object holds of which nothing else is known."""
    if not isinstance(kind, Tup):
        return frozenset()
    return kind.sites | sites_of_buffers(buffers_of(kind)) if kind.is_closed else kind.sites


def _containers(kind: Kind) -> Iterator[Kind]:
    match kind:
        case Opaque():
            yield kind
        case Tup(items=items):
            if not kind.is_counted or kind.is_list:
                yield kind
            for item in items:
                if not is_unknown(
                    item
                ):  # an element of which nothing is known is mostly a number or a text
                    yield from _containers(item)
        case Seq(item=item, is_tuple=is_tuple):
            if not is_tuple:
                yield kind
            if item is not None and not is_unknown(item):
                yield from _containers(item)
