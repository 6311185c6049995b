"""Comprehensions whose calls change what is outside of them: loops on lines of their own.

r = [c.step(v) for v in x]               ->    r = []; for v in x: r.append(c.step(v))
y = c.total * sum(c.step(v) for v in x)  ->    b = c.total; t = []; for v in x: t.append(c.step(v)); y = b * sum(t)

What is evaluated before gets a name before, unless it is the same after it.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer.starting_again import EarlyLine, InLoop, NameFirst
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Tup
from tangentish.language.ways import way_of


def seek_loop(walk: Walk) -> None:
    """Ask for the outermost comprehension around the expression at hand as a loop, if it can be one."""
    if walk.listing:
        seek_loop_for(walk, walk.listing[0])


def seek_loop_for(walk: Walk, node: Any) -> None:
    """The same for a comprehension in the line at hand."""
    line = walk.statement
    if walk.cached or not isinstance(line, EarlyLine):
        return
    whole = evaluated_first(line)
    eaten = isinstance(node, gast.GeneratorExp) and whole is not None and _is_eaten(node, whole)
    if whole is None or not (isinstance(node, gast.ListComp) or eaten):
        return
    before = evaluated_before(node, whole)
    if before is not None:
        raise InLoop(line, node, before)


def seek_name(walk: Walk, node: Any, known: Any = None) -> None:
    """Ask for a name for what a call gives that is read more than once."""
    line = walk.statement
    if not (walk.cached or walk.scope) and isinstance(line, EarlyLine):
        seek_name_for(line, node, known)


def seek_name_for(line: EarlyLine, node: Any, known: Any = None) -> None:
    """Ask for a name for a part of a line."""
    before = evaluated_before(node, evaluated_first(line))
    if before is not None:
        raise NameFirst(line, node, None, before, known)


def seek_name_of_display(walk: Walk, node: Any) -> None:
    """Ask for a name for a list that is written down among the arguments of a call: Basis(o, [0.1, 0.2])"""
    line = walk.statement
    if line is None or not isinstance(node, (gast.List, gast.ListComp)):
        return
    calls = (part for part in ir.nodes_in(line) if isinstance(part, gast.Call))
    if any(node is given for c in calls for given in ir.given_to(c)):
        seek_name(walk, node)


def owner_before(walk: Walk, receiver: Any) -> Kind | None:
    """What the object is, before a line, of which a method is called that gives another receiver."""
    match receiver:
        case gast.Call(func=gast.Attribute(value=owner)) if not walk.cached and way_of(owner):
            return walk.place_in_container(owner)
    return None


def seek_name_of_grown(walk: Walk, receiver: Any, before: Kind | None, kind: Kind) -> None:
    """Ask for a line for `m.fit(x)` in `m.fit(x).score()`, which is `m` with attributes that it had not before."""
    if not (isinstance(before, Tup) and isinstance(kind, Tup) and kind.is_object):
        return
    if before.type is kind.type and len(before.items) < len(kind.items):
        seek_name(walk, receiver, walk.facts.given_back.get(receiver))


def seek_name_of_call(walk: Walk, path: Any) -> None:
    """Ask for a name for what a call gives, which is changed, or something in it: `made().tank` of `made().fill(x)`."""
    while isinstance(path, (gast.Attribute, gast.Subscript)):
        path = path.value
    if isinstance(path, gast.Call):
        seek_name(walk, path, walk.facts.given_back.get(path))


def seek_name_of_place(walk: Walk, target: Any) -> None:
    """Ask for a name for what a property gives that is stored to, or something in it: `o.scales[k] = v`."""
    line, path, asked = walk.statement, target, list[Any]()
    if walk.cached or not isinstance(line, ir.Assign | ir.Update) or line.target is not target:
        return
    while isinstance(path, (gast.Attribute, gast.Subscript)):
        path = path.value
        asked += [path] if isinstance(path, gast.Attribute) else []
    if asked:
        walk.expression(target.value)
    for given in reversed(asked):
        if walk.facts.user_of(given) is not None:
            first = line.value if isinstance(line, ir.Assign) else None
            before = [] if first is None or _is_settled(first) else [first]
            raise NameFirst(line, given, None, before, walk.facts.given_back.get(given))


def evaluated_first(line: ir.Statement) -> Any:
    match line:
        case ir.Assign(value=first) | ir.Do(first) | ir.If(test=first) | ir.For(iter=first):
            return first
        case ir.Update(target=target, value=first) if _is_settled(target):
            return first
        case ir.Return(values=[first, *_]):
            return first
    return None


_IN_ORDER = (
    gast.Attribute, gast.BinOp, gast.Call, gast.Compare, gast.Expr, gast.List, gast.Starred, gast.Subscript,
    gast.Tuple, gast.UnaryOp, gast.keyword,
)  # fmt: skip
"""What evaluates all its parts, in the order of its fields."""


def evaluated_before(node: Any, whole: Any) -> list[Any] | None:
    """What could see something else after the comprehension; None where that may not be evaluated at all."""
    before: list[Any] = []
    while whole is not node:
        parts = _parts_in_order(whole)
        if parts is None:
            return None
        start = _start_of_sum(whole, node)
        for part in parts:
            if node in set(ir.walk(part)):
                whole = part
                break
            if isinstance(part, (gast.Starred, gast.Slice, gast.keyword)):
                return None
            if not _is_settled(part):
                before.append(part)
        else:
            return None
        if start is not None and not _is_settled(start):
            before.append(start)
    return before


def _parts_in_order(whole: Any) -> list[Any] | None:
    """The parts of an expression as they are evaluated, as far as they always are."""
    match whole:
        case gast.BoolOp(values=[first, *_]) | gast.IfExp(test=first):
            return [first]
        case gast.ListComp() | gast.GeneratorExp():
            return [whole.generators[0].iter]
        case gast.Dict(keys=keys, values=values):
            return [
                part for pair in zip(keys, values, strict=True) for part in pair if part is not None
            ]
        case gast.Compare(ops=[_, _, *_]):
            return [whole.left, whole.comparators[0]]
        case gast.Call(func=gast.Call()):
            return list(ir.children(whole))
        case gast.Call(func=func) if not _is_settled(func):
            if not isinstance(func, gast.Attribute):
                return None
            arguments = list(ir.children(whole)[1:])
            if any(isinstance(part, gast.Call) for part in ir.walk(func.value)):
                return [func.value]  # a.plus(v).add(w): the receiver gets a line of its own
            return arguments if _is_settled(func.value) else [func.value, *arguments]
    return list(ir.children(whole)) if isinstance(whole, _IN_ORDER) else None


def _is_settled(part: Any) -> bool:
    """A constant, what a module has, or a name that only its own line binds: there, nothing is looked into."""
    if isinstance(part, gast.Attribute):
        return _is_outside(part)
    if isinstance(part, gast.Name):
        return not ir.is_value(part.id) or "@" not in part.id
    return isinstance(part, gast.Constant)


_EATERS = frozenset(("sum", "list", "tuple", "max", "min", "sorted", "fsum", "prod"))
"""Functions that run over all that a generator gives before anything else happens."""


def _is_eaten(node: Any, whole: Any) -> bool:
    """Whether a generator is all that such a function gets: what else it got would be evaluated before it runs."""
    calls = [part for part in ir.walk(whole) if isinstance(part, gast.Call)]
    alone = (call.func for call in calls if call.args == [node] and not call.keywords)
    return any(_is_outside(func) and _last_part(func) in _EATERS for func in alone) or any(
        _start_of_sum(call, node) is not None for call in calls
    )


def _start_of_sum(call: Any, node: Any) -> Any | None:
    """`start` of sum((f(v) for v in xs), start), which may be evaluated before `xs`."""
    match call:
        case (
            gast.Call(func=gast.Name(id="sum"), args=[first, start], keywords=[])
            | gast.Call(
                func=gast.Name(id="sum"),
                args=[first],
                keywords=[gast.keyword(arg="start", value=start)],
            )
        ) if first is node and not isinstance(start, gast.Starred):
            return start if _is_there(node.generators[0].iter) else None
    return None


def _is_there(over: Any) -> bool:
    """Whether what is run over is there under names: nothing is called for it that might see, or do, something."""
    calls = (part for part in ir.walk(over) if isinstance(part, gast.Call))
    return all(isinstance(c.func, gast.Name) and c.func.id in _ITERATORS for c in calls)


_ITERATORS = frozenset(("zip", "enumerate", "range", "reversed"))


def _is_outside(func: Any) -> bool:
    """Whether something is of a module: finding it sees nothing that the program changes."""
    while isinstance(func, gast.Attribute):
        func = func.value
    return isinstance(func, gast.Name) and not ir.is_value(func.id)


def _last_part(func: Any) -> str:
    return str(func.attr if isinstance(func, gast.Attribute) else func.id)
