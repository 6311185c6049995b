"""Operators of named tuples whose class defines them: `a + b` of two vectors is no tuple of both.

Where the class that Python asks first says what that is, the operator is the call of its method, as of any other
object; where tuples or numbers may be asked before, it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tangentish import ir
from tangentish.infer.walk import Walk
from tangentish.kinds import REFUSED, Kind, Num, Seq, Tup
from tangentish.kinds.own_answers import answers_itself

__all__ = ["ITSELF", "METHODS_OF_OTHERS", "OwnOperators", "classes_in", "has_own"]

_OTHERS = {
    "BitAnd": "and", "BitOr": "or", "BitXor": "xor", "LShift": "lshift", "RShift": "rshift",
}  # fmt: skip
METHODS_OF_OTHERS = {op: (f"__{name}__", f"__r{name}__") for op, name in _OTHERS.items()}
"""The operators that only named tuples are asked for here, and how."""

ITSELF = "the class {cls} defines {name} itself: {instead}"
_CALL = "call a method of another name"


class OwnOperators(Walk):
    """The part of the walk that asks the classes of named tuples."""

    def stands_for(self, owner: Any, name: str, args: list[Any], node: Any) -> Kind | None:
        raise NotImplementedError

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

    def refuse_own(self, owner: Any, name: str, node: Any, instead: str = _CALL) -> Kind:
        cls = getattr(self.kind(owner), "type", None)
        at = node.target if isinstance(node, ir.Update) else node
        self.refuse(ITSELF.format(cls=getattr(cls, "__name__", ""), name=name, instead=instead), at)
        return REFUSED


def has_own(kind: Kind, name: str) -> bool:
    """Whether something is a named tuple whose class has a method of its own for what Python asks."""
    return isinstance(kind, Tup) and answers_itself(kind.type, name)


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
    return isinstance(kind, Num) and kind.is_scalar and kind.weak
