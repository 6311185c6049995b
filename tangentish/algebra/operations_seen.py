"""The kinds of what rules write: the walk finds the kind of an operation once for operands of the same kinds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import gast

from tangentish.infer import Callee, Facts, Inference
from tangentish.kinds import Kind, Num
from tangentish.kinds.kind import NO_BUFFERS

_ARITHMETIC = {gast.Add, gast.Sub, gast.Mult, gast.Div}
_READ = {gast.Name, gast.Subscript}

Key = tuple[Any, ...]


@dataclass
class OperationsSeen:
    facts: Facts
    walk: Inference
    found: dict[Key, tuple[Num, Callee | None]] = field(default_factory=dict)

    def kind(self, node: Any) -> Kind:
        kind = self.facts.kinds.get(node)
        if kind is not None:
            return kind
        key = self.arithmetic(node) if node.__class__ is gast.BinOp else self.ufunc(node)
        if key is None:
            return self.walk.evaluate_cached(node)
        seen = self.found.get(key)
        return self.first(node, key) if seen is None else self.again(node, *seen)

    def arithmetic(self, node: Any) -> Key | None:
        """The operator and its operands' kinds, of numbers and arrays."""
        if node.op.__class__ not in _ARITHMETIC:
            return None
        left, right = self.kind(node.left), self.kind(node.right)
        if left.__class__ is not Num or right.__class__ is not Num:
            return None
        return node.op.__class__, _elsewhere(left), _elsewhere(right)

    def ufunc(self, node: Any) -> Key | None:
        """The function of `np.cos(x)` and the kinds of its arguments, which are no literals that rules ask for."""
        function = self.walk.ufunc_seen(node) if node.__class__ is gast.Call else None
        if function is None or any(argument.__class__ not in _READ for argument in node.args):
            return None
        kinds = [kind for kind in map(self.kind, node.args) if isinstance(kind, Num)]
        return (function, *map(_elsewhere, kinds)) if len(kinds) == len(node.args) else None

    def first(self, node: Any, key: Key) -> Kind:
        kind, callee = self.walk.evaluate_cached(node), self.facts.callees.get(node)
        plain = callee is None or [*callee.bound.values()] == node.args
        if isinstance(kind, Num) and plain and self.is_new(kind, node):
            self.found[key] = kind, callee
        return kind

    def is_new(self, kind: Num, node: Any) -> bool:
        """Whether all memory is made here, and no length is told by the node that made it."""
        return kind.buffers <= self.walk.fresh(node) and id(node) not in self.walk.symbols

    def again(self, node: Any, like: Num, callee: Callee | None) -> Kind:
        if callee is not None:
            bound = dict(zip(callee.bound, node.args, strict=True))
            self.facts.callees[node] = replace(callee, args=tuple(node.args), bound=bound)
        kind = _in(like, self.walk.fresh(node)) if like.buffers else like
        self.facts.kinds[node] = kind
        return kind


def _elsewhere(kind: Num) -> Num:
    """The kind of the same number or array, wherever it lies."""
    return _in(kind, NO_BUFFERS) if kind.buffers else kind


_PLACE = Num._fields.index("buffers")


def _in(kind: Num, buffers: Any) -> Num:
    return tuple.__new__(Num, (*kind[:_PLACE], buffers, *kind[_PLACE + 1 :]))
