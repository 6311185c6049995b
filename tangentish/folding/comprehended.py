"""Comprehensions in which nothing is recorded are comprehensions again.

    ys = []                          ->      ys = [np.sin(v) for v in x if v > 0]
    for v in x:
        if v > 0:
            ys.append(np.sin(v))

Only those of the user's (language/comprehensions.py), whose variables nothing outside reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.needed import read_before_set
from tangentish.language.comprehensions import is_appended_to
from tangentish.language.webs import map_blocks

Within = tuple[Any, list[Any]]  # element, generators


def comprehended(forward: ir.Block, adjoint: ir.Block, results: tuple[Any, ...]) -> ir.Block:
    """The forward pass with its comprehensions back."""
    if not any(map(_begins, ir.walk_statements(forward))):
        return forward
    needed = read_before_set(adjoint).union(*map(ir.names_in, results))
    mentions = ir.mentions(forward)

    def is_within(name: str) -> bool:
        return name not in needed and mentions[name] == 3  # made, appended to, read

    return _taken_back(forward, needed, is_within)


def _taken_back(block: ir.Block, needed: set[str], is_within: Callable[[str], bool]) -> ir.Block:
    out: list[ir.Statement] = []
    for old in block:
        new = map_blocks(old, lambda b: _taken_back(b, needed, is_within))
        if out and _begins(out[-1]) and isinstance(new, ir.For):
            begun: Any = out[-1]
            name = begun.target.id
            parts = _parts(new, name, is_within)
            if parts is not None and _variables(parts).isdisjoint(needed):
                listed = _list_of(*parts)
                if name not in ir.names_in(listed):
                    out[-1] = ir.Assign(begun.target, listed, begun.origin)
                    continue
        out.append(new)
    return tuple(out)


def _begins(statement: ir.Statement) -> bool:
    match statement:
        case ir.Assign(gast.Name(), gast.List() as display):
            return is_appended_to(display)
    return False


def _variables(parts: Within) -> set[str]:
    return {n for g in parts[1] for n in ir.target_names(g.target)}


def _parts(loop: ir.For, name: str, is_within: Callable[[str], bool]) -> Within | None:
    """The element and the generators of a loop that does nothing but append."""
    if loop.stop is not None:
        return None
    body, ifs = loop.body, []
    while len(body) == 1 and isinstance(body[0], ir.If) and not body[0].orelse:
        ifs.append(body[0].test)
        body = body[0].body
    generator = gast.comprehension(loop.target, loop.iter, ifs, 0)
    match body:
        case [ir.For() as inner]:
            parts = _parts(inner, name, is_within)
            return parts and (parts[0], [generator, *parts[1]])
        case [ir.Do() as line]:
            element = _appended(line, name)
        case [ir.Assign(gast.Name(id=row), gast.ListComp() as listed), ir.Do() as line] if (
            is_within(row)
        ):
            element = _appended(line, name)
            element = listed if getattr(element, "id", None) == row else None
        case _:
            return None
    return None if element is None else (element, [generator])


def _list_of(element: Any, generators: list[Any]) -> Any:
    """`list(xs)` for `[x for x in xs]`."""
    match element, generators:
        case gast.Name(id=name), [gast.comprehension(target=gast.Name(id=item), iter=over, ifs=[])]:
            if name == item:
                return gast.Call(ir.name("$list"), [over], [])
    return gast.ListComp(element, generators)


def _appended(line: ir.Do, name: str) -> Any | None:
    """`e` of `xs.append(e)`."""
    match line.node:
        case gast.Expr(
            value=gast.Call(
                func=gast.Attribute(value=gast.Name(id=xs), attr="append"), args=[e], keywords=[]
            )
        ) if xs == name:
            return e
    return None
