"""Lines whose value nobody asks for, as the branches and loops that they are.

v > 1 and ys.append(v)                     ->    if v > 1: ys.append(v)
ys.append(v) if v > 1 else put(zs, v)      ->    if v > 1: ys.append(v)   else: put(zs, v)
[ys.append(v * v) for v in x]              ->    for v in x: ys.append(v * v)
0 < tick() < tock()                        ->    t = 0 < tick() < tock()
memo = {} if memo is None else memo        ->    if memo is None: memo = {}

Only where something is called: it may change what it is given, for which it needs a line of its own, or be called on
one way only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir
from tangentish.language.generated_loops import with_names
from tangentish.language.placed import at


def for_effect(line: Any, fresh: Callable[[str], str]) -> list[Any]:
    """An expression on a line of its own in plainer lines; none for any other line."""
    match line:
        case gast.Expr(value=value) if not any(
            isinstance(n, gast.NamedExpr) for n in ir.walk(value)
        ):
            return _lines(value, line, fresh)
    return []


def made_anew(line: gast.Assign) -> list[Any]:
    """A name that is given an empty dict or list on one way, and stays what it is on the other; none of any other."""
    match line:
        case gast.Assign(
            targets=[gast.Name(id=name)], value=gast.IfExp(test=test, body=new, orelse=old)
        ):
            return _on_one_way(line, str(name), test, new, old)
    return []


def _on_one_way(line: gast.Assign, name: str, test: Any, new: Any, old: Any) -> list[Any]:
    if ir.is_name(new, name):
        test, new, old = at(gast.UnaryOp(gast.Not(), test), test), old, new
    if not ir.is_name(old, name) or not isinstance(new, (gast.Dict, gast.List)):
        return []
    return [at(gast.If(test, [at(gast.Assign(line.targets, new, None), line)], []), line)]


def _lines(value: Any, line: Any, fresh: Callable[[str], str]) -> list[Any]:
    def block(part: Any) -> list[Any]:
        own = [] if isinstance(part, gast.Constant) else [at(gast.Expr(part), line)]
        return own or [at(gast.Pass(), line)]

    match value if _calls(value) else None:
        case (
            None
            | gast.Call()
            | gast.Await()
            | gast.Yield()
            | gast.YieldFrom()
            | gast.GeneratorExp()
        ):
            return []
        case gast.BoolOp(op=op, values=[*first, last]):
            test = first[0] if len(first) == 1 else at(gast.BoolOp(op, first), value)
            if isinstance(op, gast.Or):
                test = at(gast.UnaryOp(gast.Not(), test), value)
            return [at(gast.If(test, block(last), []), line)]
        case gast.IfExp(test=test, body=body, orelse=orelse):
            return [at(gast.If(test, block(body), block(orelse)), line)]
        case gast.ListComp(elt=item, generators=parts) | gast.SetComp(elt=item, generators=parts):
            if any(part.is_async for part in parts):
                return []
            made = with_names(at(gast.GeneratorExp(item, parts), value), fresh)
            body = block(made.elt)
            for part in reversed(made.generators):
                for test in reversed(part.ifs):
                    body = [at(gast.If(test, body, []), line)]
                body = [at(gast.For(part.target, part.iter, body, [], None), line)]
            return body
    unread = at(gast.Name(fresh("t"), gast.Store(), None, None), value)
    return [at(gast.Assign([unread], value, None), line)]


def _calls(node: Any) -> bool:
    return any(isinstance(part, gast.Call) for part in ir.walk(node))
