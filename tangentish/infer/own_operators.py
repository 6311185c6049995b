"""Operators of named tuples whose class defines them: `a + b` of two vectors is no tuple of both.

Where the class that Python asks first says what that is, the operator is the call of its method, as of any other
object; where tuples or numbers may be asked before, it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tangentish import ir
from tangentish.infer.walk import Walk
from tangentish.kinds import REFUSED, Kind, Seq, Tup, is_number
from tangentish.kinds.own_answers import answers_itself

_COMPARING = {
    "Eq": ("__eq__",), "NotEq": ("__ne__",), "In": ("__eq__",), "NotIn": ("__eq__",),
    "Lt": ("__lt__", "__gt__"), "LtE": ("__le__", "__ge__"), "Gt": ("__gt__", "__lt__"), "GtE": ("__ge__", "__le__"),
}  # fmt: skip
ITSELF = "the class {cls} defines {name} itself: {instead}"
_CHAINED = "a chain of comparisons of what its class compares itself: write `a < b and b < c`"
_APART = "compare the fields"
_CALL = "call a method of another name"


class OwnOperators(Walk):
    """The part of the walk that asks the classes of named tuples."""

    def own_operator(
        self, names: Sequence[str], nodes: Sequence[Any], special: bool, node: Any
    ) -> Kind | None:
        """The kind of an operator of named tuples by its methods; None where no class of theirs has one."""
        owners = [
            has_own(self.kind(operand), name) for operand, name in zip(nodes, names, strict=True)
        ]
        if not any(owners):
            return None
        if owners[0] and not special:
            return self.by_own_method(nodes[0], names[0], list(nodes[1:]), node)
        if not owners[0] and _is_pythons(self.kind(nodes[0])):
            return self.by_own_method(nodes[1], names[1], [nodes[0]], node)
        asked = 1 if owners[-1] else 0
        return self.refuse_own(nodes[asked], names[asked], node)

    def by_own_method(self, owner: Any, name: str, args: list[Any], node: Any) -> Kind:
        found = self.stands_for(owner, name, args, node)
        return self.refuse_own(owner, name, node) if found is None else found

    def refuses_own_inside(self, node: Any, nodes: Sequence[Any]) -> bool:
        """Whether named tuples in containers are compared, or in a chain, whose class says itself how."""
        asked = {name for op in node.ops for name in _COMPARING.get(type(op).__name__, ())}
        if len(nodes) > 2 and any(has_own(self.kind(n), name) for n in nodes for name in asked):
            self.refuse(_CHAINED, node)
            return True
        names = sorted(asked | {"__eq__"}) if asked else ()
        inside = (cls for n in nodes for name in names for cls in _inside(self.kind(n), name))
        return self.refuses_class(next(inside, None), node)

    def refuses_own_items(self, nodes: Sequence[Any], node: Any) -> bool:
        """Whether a list is searched for a named tuple whose class says which are equal."""
        found = (cls for n in nodes for cls in classes_in(self.expression(n), "__eq__"))
        return self.refuses_class(next(found, None), node)

    def refuses_class(self, cls: type | None, node: Any) -> bool:
        if cls is not None:
            self.refuse(ITSELF.format(cls=cls.__name__, name="__eq__", instead=_APART), node)
        return cls is not None

    def refuse_own(self, owner: Any, name: str, node: Any) -> Kind:
        cls = getattr(self.kind(owner), "type", None)
        at = node.target if isinstance(node, ir.Update) else node
        self.refuse(ITSELF.format(cls=getattr(cls, "__name__", ""), name=name, instead=_CALL), at)
        return REFUSED


def has_own(kind: Kind, name: str) -> bool:
    """Whether something is a named tuple whose class has a method of its own for what Python asks."""
    return isinstance(kind, Tup) and answers_itself(kind.type, name)


def _inside(kind: Kind, name: str) -> Iterator[type]:
    """The same of what is in a container, without itself."""
    match kind:
        case Tup(items=items) if not kind.is_mapping:
            yield from (cls for item in items for cls in classes_in(item, name))
        case Seq(item=item, keyed=False):
            yield from classes_in(item, name)


def classes_in(kind: Kind | None, name: str) -> Iterator[type]:
    """The classes of named tuples that are in a container, or in others in it, and have such a method."""
    match kind:
        case Seq(item=item):
            yield from classes_in(item, name)
        case Tup(items=items, type=cls):
            if cls is not None and has_own(kind, name):
                yield cls
            for item in items:
                yield from classes_in(item, name)


def _is_pythons(kind: Kind) -> bool:
    """Whether this is a number of Python's, which leaves it to the other operand; NumPy's make an array of that."""
    return is_number(kind) and kind.weak
