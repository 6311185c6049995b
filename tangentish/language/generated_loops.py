"""Loops over generators as the loops that generators are: each element is made when its trip begins.

for v in (f(t) for t in x if c): ...       ->    for t in x: if c: v = f(t); ...
for k, v in enumerate(f(t) for t in x):    ->    for k, t in enumerate(x): v = f(t); ...
for v in (u for row in m for u in row):    ->    for row in m: for u in row: v = u; ...
for a, b in zip(x, (a * t for t in y)):    ->    for u, t in zip(x, y): a, b = u, a * t; ...

A list made beforehand would not see what the trips change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.assumed_quiet import assumed_quiet
from tangentish.language.leaving import has_break
from tangentish.language.named_members import Find
from tangentish.language.other_names import renamed
from tangentish.language.placed import at, name_at, target_at

Fresh = Callable[[str], str]


def looped(loop: Any, generator: Any, fresh: Fresh) -> Any:
    """`for v in (f(t) for t in x): ...` as a loop over x."""
    generator = with_names(generator, fresh)
    leaves = len(generator.generators) > 1 and (bool(loop.orelse) or has_break(loop))
    last = generator.generators[-1]
    if (
        is_name(generator.elt, last.target) and not last.ifs
    ):  # the user's name is as good as the other
        last.target, body = loop.target, list(loop.body)
    else:
        body = [at(gast.Assign([loop.target], generator.elt, None), loop), *loop.body]
    for level in reversed(range(len(generator.generators))):
        part = generator.generators[level]
        for test in reversed(part.ifs):
            body = [at(gast.If(test, body, []), loop)]
        orelse = loop.orelse if level == 0 else [at(gast.Continue(), loop)] if leaves else []
        body = [at(gast.For(part.target, part.iter, body, orelse, None), loop)]
        if level and leaves:
            body.append(at(gast.Break(), loop))
    return body[0]


def is_name(element: Any, target: Any) -> bool:
    """Whether the elements of a generator are its items themselves."""
    names = isinstance(element, gast.Name) and isinstance(target, gast.Name)
    return names and bool(element.id == target.id)


def generators_along(call: Any, found: Find) -> Sequence[Any]:
    """The generators that a call of enumerate or zip runs along."""
    match call:
        case gast.Call(func=gast.Name(id="enumerate"), args=[first, *_]) if (
            found("enumerate") is enumerate
        ):
            along = [first]
        case gast.Call(func=gast.Name(id="zip"), args=args) if found("zip") is zip:
            along = args
        case _:
            return ()
    return [part for part in along if isinstance(part, gast.GeneratorExp)]


def is_plain(generator: Any) -> bool:
    """Whether a generator gives one element for each item that it runs over."""
    return len(generator.generators) == 1 and not generator.generators[0].ifs


def looped_along(
    loop: Any, call: Any, fresh: Fresh, is_quiet: Callable[[Any], bool],
    may_read: Callable[[Any, set[str]], bool],
) -> Any:  # fmt: skip
    """`for k, v in enumerate(f(t) for t in x): ...` as a loop over enumerate(x); the generators are plain.

    zip(f(t) for t in x, y) asks y after f, and calls f where y has no more. Where an element may read a name that
    the loop binds, all elements are made before that is bound.
    """
    counted = call.func.id == "enumerate"
    count = 2 if counted else len(call.args)
    alike = isinstance(loop.target, (gast.Tuple, gast.List)) and len(loop.target.elts) == count
    starred = alike and ir.has_star(loop.target.elts)
    bound = set(ir.target_names(loop.target))
    read = any(may_read(p.elt, bound) for p in call.args if isinstance(p, gast.GeneratorExp))
    own = list(loop.target.elts) if alike and not starred and not read else []
    whole: list[Any] = []
    targets, args, heads = list[Any](), list(call.args), list[Any]()
    for k in range(count):
        place = k - 1 if counted else k
        part = args[place] if place >= 0 else None
        if isinstance(part, gast.GeneratorExp):
            part = with_names(part, fresh)
            if not counted and len(args) > 1:
                part.elt = assumed_quiet(part.elt, lambda made: not is_quiet(made))
            targets.append(part.generators[0].target)
            args[place] = part.generators[0].iter
            if own:
                heads.append(at(gast.Assign([own[k]], part.elt, None), loop))
            whole.append(part.elt)
        elif own:
            targets.append(own[k])
        else:
            name = fresh("item" if place >= 0 else "k")
            targets.append(target_at(name, loop))
            whole.append(name_at(name, loop))
    if not own:
        value = at(gast.Tuple(whole, gast.Load()), loop)
        heads = [at(gast.Assign([loop.target], value, None), loop)]
    target = at(gast.Tuple(targets, gast.Store()), loop)
    source = at(gast.Call(call.func, args, call.keywords), call)
    return at(gast.For(target, source, [*heads, *loop.body], loop.orelse, None), loop)


def with_names(generator: Any, fresh: Fresh) -> Any:
    """The generator, its variables under names that the function has no other use for."""
    names: dict[str, str] = {}
    parts = []
    for part in generator.generators:
        source = renamed(part.iter, names)
        for name in ir.target_names(part.target):
            names[name] = fresh(name)
        target = renamed(part.target, names)
        tests = [renamed(test, names) for test in part.ifs]
        parts.append(gast.comprehension(target, source, tests, 0))
    return at(gast.GeneratorExp(renamed(generator.elt, names), parts), generator)
