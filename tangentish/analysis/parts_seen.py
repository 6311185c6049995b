"""What an expression sees of lists and dicts that are written down in it: of some only how many there are, or the keys.

not [p, q]      sees neither p nor q
k in {"a": p}   sees the keys
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir

_OF_KEYS = {"list", "tuple", "set", "frozenset", "sorted", "iter", "enumerate", "min", "max"}


def parts_seen(node: Any) -> list[Any]:
    """The parts of an expression that it sees more of than what is written about them here."""
    match node:
        case gast.UnaryOp(op=gast.Not(), operand=asked):
            return parts_of_test(asked)
        case gast.Assert(test=test, msg=message):
            return [*parts_of_test(test), *([] if message is None else [message])]
        case gast.Compare(
            left=gast.Call(func=gast.Attribute(value=gast.Dict(), attr="get"), args=args),
            ops=[gast.Is() | gast.IsNot()],
            comparators=[gast.Constant(value=None)],
        ):
            return [*args]
        case gast.IfExp(test=test, body=body, orelse=orelse):
            return [*parts_of_test(test), body, orelse]
        case gast.Call(func=gast.Name(id="bool" | "len"), args=[asked], keywords=[]):
            return parts_of_test(asked)
        case gast.Call(func=gast.Name(id=name), args=[gast.Dict() as asked]) if name in _OF_KEYS:
            return [*asked.keys, *node.keywords]
        case gast.Call(func=gast.Attribute(value=gast.Dict() as asked, attr="keys"), args=[]):
            return [*asked.keys]
        case gast.Compare(
            left=left, ops=[gast.In() | gast.NotIn()], comparators=[gast.Dict(keys=keys)]
        ):
            return [left, *keys]
        case gast.comprehension(target=target, iter=gast.Dict(keys=keys), ifs=ifs):
            return [target, *keys, *ifs]
    return [*ir.children(node)]


def parts_of_test(test: Any) -> list[Any]:
    """What is seen where only the truth of something is asked: whether a list is empty shows where it is written."""
    match test:
        case gast.List() | gast.Tuple() | gast.Dict():
            return [part for part in ir.children(test) if not isinstance(part, gast.Name)]
        case gast.BoolOp(values=values):
            return [part for value in values for part in parts_of_test(value)]
    return [test]


def parts_run_over(items: Any) -> list[Any]:
    """What is seen where a loop runs over something: of a dict the keys."""
    return [*items.keys] if isinstance(items, gast.Dict) else [items]
