"""Operators of the user's classes: each is the call of a method, which takes its place.

a + b      ->    a.__add__(b)
2.0 * a    ->    a.__rmul__(2.0)
a += b     ->    a = a.__add__(b)
a[i]       ->    a.__getitem__(i)
a[1:]      ->    a.__getitem__(slice(1, None))
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.equal_fields import EqualFields
from tangentish.infer.known_functions import TAKING_ALL
from tangentish.infer.of_constants import have_apart, have_apart_beside
from tangentish.infer.own_operators import OwnOperators, has_own
from tangentish.infer.starting_again import Instead
from tangentish.ir.quote import quote
from tangentish.kinds import REFUSED, Kind, Known, Num, Seq, Tup, is_number, may_be_none
from tangentish.language.binding import parameter_names
from tangentish.language.placed import all_at
from tangentish.language.source import read_source

BINARY = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "Pow": "pow", "MatMult": "matmul", "Mod": "mod",
    "FloorDiv": "floordiv", "BitAnd": "and", "BitOr": "or", "BitXor": "xor", "LShift": "lshift", "RShift": "rshift",
}  # fmt: skip
UNARY = {"USub": "__neg__", "UAdd": "__pos__", "Invert": "__invert__"}
COMPARING = {
    "Eq": ("__eq__", "__eq__"), "NotEq": ("__ne__", "__ne__"),
    "Lt": ("__lt__", "__gt__"), "LtE": ("__le__", "__ge__"), "Gt": ("__gt__", "__lt__"), "GtE": ("__ge__", "__le__"),
}  # fmt: skip
METHODS_OF_TWO = {op: (f"__{name}__", f"__r{name}__") for op, name in BINARY.items()} | COMPARING
"""The method of the first operand, and that of the second which says the same."""

_NO_NUMBER = (
    "what stands before this object may be an array, which asks its elements and not the object: write the object "
    "first (`v * c`), or make it a number (`float(c) * v`)"
)


class OperatorMethods(OwnOperators, EqualFields):
    """The part of the walk that finds the methods behind operators."""

    def operator_method(self, op: str, nodes: Sequence[Any], node: Any) -> Kind | None:
        """The kind of `a + b`, `-a` or `a < b` where a class says what that is; None where none does."""
        kinds = list(map(self.kind, nodes))
        own = self.operator_of_named(op, kinds, nodes, node)
        if own is not None or not self.is_of_objects(kinds, nodes, node):
            return own
        if op in UNARY:
            return self.stands_for(nodes[0], UNARY[op], [], node)
        if op not in COMPARING and op not in BINARY:
            return None
        first, second = kinds
        name, reflected = METHODS_OF_TWO[op]
        if name in ("__eq__", "__ne__") and _is_generated(first, "__eq__"):
            return self.compare_fields(first, second, node)
        if op == "NotEq" and getattr(first, "type", None) and self.method_of(first, name) is None:
            self.as_not_equal(node)
            return None
        if self.method_of(first, name) is not None:
            if is_special(first, second) and is_asked_first(op, reflected, first, second):
                self.refuse(
                    "Python asks the second operand first here, whose class is a special case: call its method",
                    node,
                )
                return REFUSED
            return self.stands_for(nodes[0], name, [nodes[1]], node)
        return None if op in COMPARING else self.by_second_operand(first, nodes, reflected, node)

    def operator_of_named(
        self, op: str, kinds: Sequence[Kind], nodes: Sequence[Any], node: Any
    ) -> Kind | None:
        """The same where a named tuple is asked, which is always known by its fields."""
        if op in UNARY:
            return self.own_operator([UNARY[op]], nodes, False, node)
        names = METHODS_OF_TWO.get(op)
        if names is None or self.method_of_object(kinds[0], names[0]) is not None:
            return None
        special = is_special(*kinds) and is_asked_first(op, names[1], *kinds)
        return self.own_operator(names, nodes, special, node)

    def method_of_object(self, kind: Kind, name: str) -> Any:
        is_object = isinstance(kind, Tup) and kind.is_object
        return self.method_of(kind, name) if is_object else None

    def by_second_operand(
        self, first: Kind, nodes: Sequence[Any], reflected: str, node: Any
    ) -> Kind | None:
        """`2.0 * o`: a number leaves it to the class of the object, an array asks its own elements."""
        if is_number(first):
            return self.stands_for(nodes[1], reflected, [nodes[0]], node)
        if isinstance(first, Num) and self.method_of(self.kind(nodes[1]), reflected) is not None:
            self.refuse(_NO_NUMBER, node.target if isinstance(node, ir.Update) else node)
            return REFUSED
        return None

    def is_of_objects(self, kinds: Sequence[Kind], nodes: Sequence[Any], node: Any) -> bool:
        """Whether operands are objects, or with objects, that vary."""
        if not any(isinstance(kind, Tup) and kind.is_object for kind in kinds):
            return False
        if any(kind.active for kind in kinds):
            have_apart(self, nodes, node)
            return True
        have_apart_beside(self, nodes, self.env.kinds.values(), node)
        return False

    def as_not_equal(self, node: Any) -> None:
        """`a != b` is `not a == b` where a class has no other method for it."""
        first, second = node.left, node.comparators[0]
        if self.cached or self.method_of(self.kind(first), "__eq__") is None:
            return
        equal = gast.Compare(first, [gast.Eq()], [second])
        raise Instead(node, all_at(gast.UnaryOp(gast.Not(), equal), node))

    def element_by_method(self, node: Any) -> Kind | None:
        """a[i], of an object that is taken apart"""
        kind = self.kind(node.value)
        if not (isinstance(kind, Tup) and kind.is_object) or kind.is_counted:
            return None
        varies = kind.active or self.kind(node.slice).active
        if isinstance(node.ctx, gast.Store) or not varies:
            return None
        index = self.made_once((node, "index"), lambda: _as_argument(node.slice), node.slice)
        return self.stands_for(node.value, "__getitem__", [index], node)

    def run_over_by_method(self, node: Any) -> None:
        """An object of a class that says what a loop over it gets: `for v in o` is `for v in o.__iter__()`."""
        kind = self.kind(node)
        if _is_apart(kind) and hasattr(getattr(kind, "type", None), "__next__"):
            self.refuse("an iterator is not followed: have __iter__ yield its items", node)
            return
        self.by_method(node, "__iter__", [])

    def items_by_method(self, function: Any, args: Sequence[Any]) -> None:
        """`sum(o)`, `list(o)`: what takes all items of an object at once."""
        if args and any(function is taker for taker in TAKING_ALL) and self.is_object(args[0]):
            self.expression(args[0])
            self.run_over_by_method(args[0])

    def is_object(self, node: Any) -> bool:
        """Whether something is an object of a class that says what a loop over it gets; nothing is asked of others."""
        if isinstance(node, gast.Call):
            cls = self.called(node.func)[0]
        else:
            kind = self.kind_along(node)
            cls = kind.type if isinstance(kind, Tup) and kind.is_object else None
        return isinstance(cls, type) and isinstance(
            getattr(cls, "__iter__", None), types.FunctionType
        )

    def truth_by_method(self, node: Any) -> None:
        """An object in a test: `if o` asks its class, which says True where it says nothing else."""
        kind = self.kind(node)
        if has_own(kind, "__bool__"):
            self.own_truth(kind, node)
        if self.cached:
            return
        if self.made.get((node, "true")) is self.facts.answers.get(node, self):
            del self.facts.answers[node]  # of an earlier trip
        if not _is_apart(kind) or not isinstance(kind, Tup) or may_be_none(kind):
            return
        self.by_method(node, "__bool__", [])
        self.by_method(node, "__len__", [])
        if not any(hasattr(kind.type, name) for name in ("__bool__", "__len__")):
            self.always_true(node)

    def always_true(self, node: Any) -> None:
        """`if o` is `if True`, as long as no way leads here on which it may be None."""
        self.facts.answers[node] = self.made_once(
            (node, "true"), lambda: gast.Constant(True, None), node
        )
        self.facts.kinds[node] = Known(True)

    def own_truth(self, kind: Kind, node: Any) -> None:
        if may_be_none(kind):
            self.refuse_own(node, "__bool__", node)
        else:
            self.by_method(node, "__bool__", [])

    def contained_by_method(self, node: Any) -> None:
        """`v in o` is `o.__contains__(v)`."""
        match node:
            case gast.Compare(
                left=left, ops=[gast.In() | gast.NotIn() as op], comparators=[owner]
            ) if isinstance(left, (gast.Name, gast.Constant)) or isinstance(owner, gast.Name):
                negated = isinstance(op, gast.NotIn)
                self.by_method(node, "__contains__", [left], owner=owner, negated=negated)
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[owner]):
                if has_own(self.kind(owner), "__contains__"):
                    self.refuse_own(owner, "__contains__", node)

    def by_method(
        self,
        node: Any,
        name: str,
        args: list[Any],
        owner: Any = None,
        negated: bool = False,
    ) -> None:
        """The call of a method in the place of `node`, where the class of its owner has that."""
        owner = owner or node
        kind = self.kind(owner)
        own = has_own(kind, name)
        if self.cached or not (own or _is_apart(kind)):
            return
        method = self.method_of(kind, name)
        if own and (method is None or not method[1]):
            self.refuse_own(owner, name, node)
        elif method is not None and method[1]:
            call: Any = all_at(gast.Call(gast.Attribute(owner, name, gast.Load()), args, []), node)
            raise Instead(node, all_at(gast.UnaryOp(gast.Not(), call), node) if negated else call)

    def stands_for(self, owner: Any, name: str, args: list[Any], node: Any) -> Kind | None:
        """The kind of the call of a method, which stands for `node` from the next pass on."""
        method = self.method_of(self.kind(owner), name)
        if method is None or not method[1]:
            return None
        at = node.target if isinstance(node, ir.Update) else node

        def make() -> Any:
            func = gast.copy_location(gast.Attribute(owner, name, gast.Load()), at)
            return gast.Call(func, args, [])

        call = self.made_once((node, name, owner, *args), make, at)
        self.facts.answers[node] = call
        found = self.expression(call)
        if "NotImplemented" in method[0].__code__.co_names and not isinstance(
            found, (Num, Seq, Tup)
        ):
            self.refuse(
                f"{name} may give NotImplemented here, after which another method is asked", at
            )
            return REFUSED
        return found


def _is_apart(kind: Kind) -> bool:
    """Whether something is an object that stands for its attributes."""
    return isinstance(kind, Tup) and kind.is_object and kind.active and not kind.is_counted


def _is_generated(kind: Kind, name: str) -> bool:
    """Whether a method of a class is one that a dataclass has made."""
    method = getattr(getattr(kind, "type", None), name, None)
    return getattr(getattr(method, "__code__", None), "co_filename", None) == "<string>"


def method_in_place(op: str) -> str:
    """The method that says what `a += b` does to a itself."""
    return f"__i{BINARY[op]}__"


def gives_itself(method: types.FunctionType) -> bool:
    """Whether a method ends with `return self`, and gives nothing else before."""
    body = read_source(method).tree.body
    itself = parameter_names(method)[0]
    parts = [part for line in body for part in gast.walk(line)]
    returns = [part for part in parts if isinstance(part, gast.Return)]
    plain = not any(isinstance(part, _INNER) for part in parts)
    bound = any(n.id == itself for n in parts if isinstance(n, gast.Name) and _is_bound(n))
    given = (getattr(r.value, "id", None) == itself for r in returns)
    return plain and not bound and isinstance(body[-1], gast.Return) and all(given)


def _is_bound(name: Any) -> bool:
    return isinstance(name.ctx, (gast.Store, gast.Del))


_INNER = (gast.FunctionDef, gast.Lambda, gast.Yield, gast.YieldFrom)


def is_asked_first(op: str, reflected: str, first: Kind, second: Kind) -> bool:
    """Whether Python asks a special case first: of sums and the like only by a method that is another."""
    of_first, of_second = (
        getattr(getattr(kind, "type", None), reflected, None) for kind in (first, second)
    )
    if op in COMPARING:
        return of_second is not getattr(object, reflected)
    return of_second is not None and of_second is not of_first


def is_special(first: Kind, second: Kind) -> bool:
    """Whether the class of the second operand comes before that of the first: it is a special case of it."""
    match first, second:
        case Tup(type=type() as one), Tup(type=type() as other):
            return one is not other and issubclass(other, one)
    return False


def _as_argument(index: Any) -> Any:
    """`1:` as a method gets it: slice(1, None)"""
    match index:
        case gast.Tuple(elts=parts):
            return all_at(gast.Tuple(list(map(_as_argument, parts)), gast.Load()), index)
        case gast.Slice(lower=lower, upper=upper, step=step):
            a, b, c = (gast.Constant(None, None) if n is None else n for n in (lower, upper, step))
            made = quote("slice({a}, {b}, {c})" if step else "slice({a}, {b})", a=a, b=b, c=c)
            return gast.copy_location(made, index)
    return index
