"""What a statement or an expression evaluates first, in order, and what always; assignments inside it (`y := v`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.placed import rebuilt


def replaced(value: Any, new: dict[Any, Any]) -> Any:
    """A field of a node with other parts in it."""
    if isinstance(value, list):
        return [replaced(item, new) for item in value]
    if isinstance(value, (gast.keyword, gast.withitem)):
        return rebuilt(value, lambda inner: replaced(inner, new))
    if isinstance(value, gast.Attribute) and value.value in new:  # a method
        return rebuilt(value, lambda inner: replaced(inner, new))
    return new.get(value, value) if isinstance(value, gast.AST) else value


def is_settled(value: Any, rebound: set[str]) -> bool:
    """Whether it makes no difference when this is evaluated."""
    return isinstance(value, gast.Constant) or (
        isinstance(value, gast.Name) and value.id not in rebound
    )


EVALUATED = {  # of statements: targets are not among these
    gast.Assign: "value", gast.AugAssign: "value", gast.AnnAssign: "value", gast.Return: "value", gast.Expr: "value",
    gast.If: "test", gast.While: "test", gast.For: "iter", gast.Assert: "test", gast.Raise: "exc",
}  # fmt: skip


def evaluated(node: Any) -> list[Any]:
    """The expressions that a node evaluates first, in order."""
    if isinstance(node, gast.With):
        return [node.items[0].context_expr]
    if isinstance(node, gast.stmt):
        part = getattr(node, EVALUATED.get(type(node), ""), None)
        return [] if part is None else [part]
    parts = (part.value if isinstance(part, gast.keyword) else part for part in ir.children(node))
    found = [part for part in parts if isinstance(part, gast.AST)]
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        return [
            node.func.value,
            *found[1:],
        ]  # what a method is called on has a name, not the method
    return found


def has_walrus(node: Any) -> bool:
    """Whether an assignment expression stands in what a node evaluates first."""
    return bool(walrus_names(node))


def walrus_names(node: Any) -> set[str]:
    """The names that assignment expressions bind in what a node evaluates first."""
    parts = evaluated(node) if isinstance(node, gast.stmt) else [node]
    found = (sub for part in parts for sub in ir.walk(part) if isinstance(sub, gast.NamedExpr))
    return {sub.target.id for sub in found if isinstance(sub.target, gast.Name)}


def always_read(expression: Any) -> Iterator[Any]:
    """The nodes of an expression that are evaluated whenever it is."""
    match expression:
        case gast.Call(func=gast.Name(id="$assigned" | "$captured")) | gast.Lambda():
            return
        case gast.IfExp(test=test):
            parts = [test]
        case gast.BoolOp(values=[first, *_]):
            parts = [first]
        case gast.Compare(left=left, comparators=[first, *_]):
            parts = [left, first]
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            parts = [expression.generators[0].iter]
        case _:
            yield expression
            parts = list(ir.children(expression))
    for part in parts:
        yield from always_read(part)


def read_for_sure(statements: Sequence[Any]) -> frozenset[str]:
    """The names that these lines read, whatever way they take."""
    names: set[str] = set()
    for line in statements:
        for part in evaluated(line):
            names.update(n.id for n in always_read(part) if type(n) is gast.Name)
        if any(isinstance(inner, _LEAVING) for inner in gast.walk(line)):
            break
    return frozenset(names)


_LEAVING = (gast.Return, gast.Raise, gast.Break, gast.Continue, gast.Try)


def repeated_in(node: Any) -> list[Any]:
    """`[np.zeros(3)] * n`: where what is made stands more than once."""

    def makes(e: Any) -> bool:
        whole = isinstance(e, (gast.List, gast.Tuple))
        return whole and any(
            isinstance(n, (gast.Call, gast.List, gast.BinOp)) for x in e.elts for n in ir.walk(x)
        )

    products = (n for n in ir.walk(node) if isinstance(n, gast.BinOp))
    return [
        p for p in products if isinstance(p.op, gast.Mult) and (makes(p.left) or makes(p.right))
    ]
