"""Functions of itertools that give what they are given, or functions of it, as the generators that they are.

chain(a, b)               ->    (item for part in (a, b) for item in part)
chain.from_iterable(m)    ->    (item for part in m for item in part)
starmap(f, zip(x, y))     ->    (f(item, other) for item, other in zip(x, y))
compress(x, kept)         ->    (item for item, keeps in zip(x, kept) if keeps)
filterfalse(f, x)         ->    (item for item in x if not f(item))
repeat(v, n)              ->    (item for item in [v] * n)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.named_members import Find, named_member
from tangentish.language.nested import Closure
from tangentish.language.placed import at, name_at, target_at

COMING_LATE = {
    itertools.accumulate, itertools.islice, itertools.takewhile, itertools.dropwhile, itertools.zip_longest,
}  # fmt: skip
"""What computes its items one by one, and is not written out here (infer/one_by_one.py)."""


def function_of_itertools(func: Any, find: Find) -> Any:
    """What `chain`, `itertools.chain` or `chain.from_iterable` stands for; None for all else."""
    if isinstance(func, gast.Attribute) and func.attr == "from_iterable":
        whole = named_member(func.value, itertools, find) is itertools.chain
        return "from_iterable" if whole else None
    found = named_member(func, itertools, find)
    return found if getattr(found, "__module__", None) == "itertools" else None


def chained(node: Any, find: Find, unused: Callable[[str], str]) -> Any | None:
    """The generator that a call of itertools says; None for any other call."""
    function = function_of_itertools(node.func, find)
    if function is None or ir.has_star(node.args):
        return None
    item = unused("item")
    match function, node.args:
        case itertools.chain, [only]:
            return _generator(node, name_at(item, node), [_loop([item], only, node)])
        case itertools.chain, [_, _, *_]:
            return _flat(node, at(gast.Tuple(node.args, gast.Load()), node), unused)
        case "from_iterable", [parts]:
            return _flat(node, parts, unused)
        case itertools.starmap, [function, over] if is_called_alike(function):
            return _spread(node, function, over, find, unused)
        case itertools.compress, [over, kept] if find("zip") is zip:
            keeps = unused("keeps")
            pairs = at(gast.Call(name_at("zip", node), [over, kept], []), node)
            loop = _loop([item, keeps], pairs, node, [name_at(keeps, node)])
            return _generator(node, name_at(item, node), [loop])
        case itertools.filterfalse, [function, over] if is_called_alike(function):
            call = at(gast.Call(function, [name_at(item, node)], []), node)
            test = at(gast.UnaryOp(gast.Not(), call), node)
            return _generator(node, name_at(item, node), [_loop([item], over, node, [test])])
        case itertools.repeat, [value, times]:
            several = at(
                gast.BinOp(at(gast.List([value], gast.Load()), node), gast.Mult(), times), node
            )
            return _generator(node, name_at(item, node), [_loop([item], several, node)])
    return None


def _flat(node: Any, parts: Any, unused: Callable[[str], str]) -> Any:
    item, part = unused("item"), unused("part")
    loops = [_loop([part], parts, node), _loop([item], name_at(part, node), node)]
    return _generator(node, name_at(item, node), loops)


def _spread(
    node: Any, function: Any, over: Any, find: Find, unused: Callable[[str], str]
) -> Any | None:
    """starmap(f, zip(x, y)) and starmap(f, enumerate(x)): how many arguments there are is seen."""
    match over:
        case gast.Call(func=gast.Name(id="zip"), args=[_, *_] as args, keywords=[]) if find(
            "zip"
        ) is zip and not ir.has_star(args):
            names = [unused(name) for name in ("item", "other", "third", "fourth")[: len(args)]]
            if len(names) < len(args):
                return None
        case gast.Call(func=gast.Name(id="enumerate")) if find("enumerate") is enumerate:
            names = [unused("k"), unused("item")]
        case _:
            item = name_at(unused("item"), node)
            starred = at(gast.Starred(item, gast.Load()), node)
            call = at(gast.Call(function, [starred], []), node)
            return _generator(node, call, [_loop([item.id], over, node)])
    call = at(gast.Call(function, [name_at(name, node) for name in names], []), node)
    targets = at(gast.Tuple([target_at(name, node) for name in names], gast.Store()), node)
    return _generator(node, call, [gast.comprehension(targets, over, [], 0)])


def _generator(node: Any, element: Any, loops: Sequence[Any]) -> Any:
    return at(gast.GeneratorExp(element, list(loops)), node)


def _loop(names: Sequence[str], over: Any, node: Any, tests: Sequence[Any] = ()) -> Any:
    targets = [target_at(name, node) for name in names]
    whole = targets[0] if len(targets) == 1 else at(gast.Tuple(targets, gast.Store()), node)
    return gast.comprehension(whole, over, list(tests), 0)


def is_called_alike(function: Any) -> bool:
    """Whether an expression gives the same function each time, at no cost."""
    return isinstance(function, (gast.Name, gast.Attribute, Closure))
