"""What the adjoint may read of the forward pass.

A value is either there by itself (a name, an element, a cheap scalar), or it is given a name in the forward pass
(`temporaries`).
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.algebra.changed import Changed
from tangentish.algebra.operations_seen import OperationsSeen
from tangentish.analysis.named_indices import index_name
from tangentish.infer import Callee, Facts, Inference, literal_of
from tangentish.infer.set_outside import has_only_names, is_attribute_set
from tangentish.ir.quote import quote
from tangentish.kinds import (
    UNKNOWN,
    Kind,
    Known,
    Num,
    Opaque,
    Seq,
    Tup,
    buffers_of,
    has_complex,
    is_integer,
    is_unknown,
)
from tangentish.rules import Rule
from tangentish.rules.squares import square_of

NOT_ASKED: Any = object()

OF_COMPLEX: set[Any] = {
    abs, np.abs, np.angle, np.conj, np.imag, np.linalg.norm, np.real, np.std, np.var,
}  # fmt: skip
"""Functions whose derivative is another one for complex numbers than for real ones."""

_SQUARES = ("x ** 2", "np.square(x)")

NO_NUMBER = Num(None, None, None)

TURNING = {np.flip, np.fliplr, np.flipud, np.transpose, np.swapaxes}


@dataclass
class Reading:
    """Kinds, names, and what can be read again on the walk back."""

    facts: Facts
    walk: Inference
    temporaries: dict[Any, str] = field(
        default_factory=dict
    )  # node -> its name in the forward pass
    made: list[str] = field(
        default_factory=list
    )  # what the block at hand has the forward pass name
    made_from: dict[str, Any] = field(default_factory=dict)  # the expressions by these names
    alike: dict[Any, Any] = field(default_factory=dict)  # node -> the first of the same value
    made_copies: set[Any] = field(default_factory=set)  # of `temporaries`: those that are copied
    truths: set[Any] = field(default_factory=set)  # those of which only the truth is kept
    count: int = 0
    updated: Any = None  # the target of the store or update at hand
    root: Any = None  # the expression of the statement at hand
    target: Any = None  # what the statement at hand sets
    result: Any = None  # how the adjoint writes its value; NOT_ASKED as long as no line does
    marks: bool = False  # whether any line at hand reads what a statement leaves (new_values.py)

    # -- names and kinds

    def fresh(self, base: str) -> str:
        self.count += 1
        return f"{base}.~{self.count}"

    def made_forward(self, base: str) -> str:
        """A new name that the forward pass sets in the block at hand."""
        name = self.fresh(base)
        self.made.append(name)
        return name

    @cached_property
    def operations(self) -> OperationsSeen:
        return OperationsSeen(self.facts, self.walk)

    def kind(self, node: Any) -> Kind:
        kind = self.facts.kinds.get(node)
        return self.operations.kind(node) if kind is None else kind

    @cached_property
    def mixed(self) -> bool:
        """Whether numbers of several types meet, so that a gradient may have another type than its value."""
        met = {k.dtype for k in self.facts.kinds.values() if k.__class__ is Num and not k.weak}
        dtypes = {_precision(dtype) for dtype in met if dtype is None or dtype.kind in "fc"}
        weak = any(isinstance(k, Num) and k.weak and k.active for k in self.facts.entry.values())
        return len(dtypes) > 1 or None in dtypes or (weak and not dtypes <= {np.dtype(float)})

    @cached_property
    def complex_numbers(self) -> bool:
        """Whether a gradient of unknown type may be complex."""
        kinds = self.facts.kinds.values()
        dtypes = {k.dtype for k in kinds if k.__class__ is Num}
        others = (k for k in kinds if k.__class__ is not Num)
        complex_ones = any(dtype is not None and dtype.kind == "c" for dtype in dtypes)
        return complex_ones or any(map(has_complex, others))

    @cached_property
    def complex_lists(self) -> bool:
        """Whether a list may hold complex numbers beside real ones, whose gradients are complex in it, too."""
        kinds = (*self.facts.web_kinds.values(), *self.facts.kinds.values())
        return any(isinstance(kind, Seq) and has_complex(kind) for kind in kinds)

    def squared(self, callee: Callee) -> tuple[Any, Callee, Rule] | None:
        """The call whose value is squared, with the rule of its square: `np.abs(z) ** 2` is smooth at 0."""
        x = callee.bound.get("x")
        root = None if isinstance(x, tuple) else self.facts.callees.get(x)
        is_square = isinstance(callee.rule, Rule) and callee.rule.primal in _SQUARES
        if not is_square or root is None or not isinstance(root.rule, Rule):
            return None
        rule = square_of(root.rule)
        return None if rule is None else (x, replace(root, rule=rule), rule)

    def of_real(self, e: Any, callee: Callee) -> Any:
        """A derivative through a function that has another one for complex numbers: looks, if the type is unknown."""
        if callee.function not in OF_COMPLEX:
            return e
        x = next(iter(callee.bound.values()))
        kind = self.kind(x)
        unknown = isinstance(kind, Num) and kind.dtype is None and kind.active
        return quote("real_like({e}, {x})", e=e, x=self.available(x)) if unknown else e

    def of_known_dtype(self, e: Any, callee: Callee, rule: Rule) -> Any:
        """The tangent of an array that is made of a list: looks whether it is of floats, if that is unknown."""
        if not rule.any_dtype:
            return e
        dtype = self.available(callee.bound["dtype"])
        return quote("of_floats({e}, {dtype})", e=e, dtype=dtype)

    def number(self, node: Any) -> Num:
        kind = self.facts.kinds.get(node)
        if kind is None:
            kind = self.operations.kind(node)
        return kind if kind.__class__ is Num else NO_NUMBER

    def named(self, value: str, kind: Kind) -> Any:
        node = ir.name(value)
        self.facts.kinds[node] = kind
        self.facts.web_kinds.setdefault(value, kind)
        return node

    def with_kind(self, node: Any, kind: Kind) -> Any:
        self.facts.kinds[node] = kind
        return node

    def value_kind(self, value: str) -> Num:
        kind = self.facts.web_kinds.get(value, UNKNOWN)
        return kind if isinstance(kind, Num) else Num(None, None, None)

    def copied(self, old: Any, new: Any) -> Any:
        if old in self.facts.kinds:
            self.facts.kinds[new] = self.facts.kinds[old]
        return new

    # -- what costs nothing to read again

    def available(self, node: Any) -> Any:
        """An expression for the value of a forward expression: itself where that costs nothing, or a name."""
        if node is self.updated:
            return self.stable_index(node)
        if node in self.temporaries:
            return self.named(self.temporaries[node], self.kind(node))
        if self.is_cheap(node):
            return node
        return self.hoist(node, "t")

    def hoist(self, node: Any, base: str) -> Any:
        if node not in self.temporaries:
            first = self.alike.get(node, node)
            if first not in self.temporaries:
                self.name_forward(first, base)
            self.temporaries[node] = self.temporaries[first]
        return self.named(self.temporaries[node], self.kind(node))

    def name_forward(self, node: Any, base: str) -> None:
        if self.is_changed_outside(node) or self.is_seen_changing(node):
            self.made_copies.add(node)
        name = self.temporaries[node] = self.made_forward(base)
        self.made_from[name] = node

    def copying(self, node: Any) -> str:
        """How a part is copied, of which it is known that it is an array, or not."""
        kind = self.kind(node)
        asked = isinstance(node, gast.Call) and getattr(node.func, "id", "") == "$plain"
        known = isinstance(kind, Num) and kind.array and not asked
        return "{x}.copy()" if known else "kept({x})"

    def is_seen_changing(self, node: Any) -> bool:
        """Whether `plain(w)`, which gives `w` itself, may lie in memory that this function writes to."""
        match node:
            case gast.Call(func=gast.Name(id="$plain"), args=[given]):
                if isinstance(given, (gast.BinOp, gast.UnaryOp, gast.Compare)):
                    return False  # made there
                return bool(self.facts.writes) and not self.number(node).is_scalar
        return False

    def result_of(self, node: Any) -> Any:
        if node is self.root and (result := self.value_written()) is not None:
            return result
        return self.hoist(node, "t")

    def value_written(self) -> Any | None:
        """How the adjoint writes the value of the statement at hand, if there is a way."""
        if self.result is NOT_ASKED:
            self.result = self.read_back(self.target, self.root)
        return self.result

    def read_back(self, target: Any, value: Any) -> Any | None:
        raise NotImplementedError

    def result_number(self, node: Any) -> Num:
        return self.number(node.target) if isinstance(node, ir.Update) else self.number(node)

    def is_cheap(self, node: Any) -> bool:
        if node.__class__ is gast.Constant:
            return True
        if isinstance(node, ir.Update):  # a line, and no expression
            return False
        if isinstance(node, (gast.Attribute, gast.Subscript)) and self.walk.is_number_outside(node):
            return not self.facts.changes and self.is_cheap_way(node)
        return not self.is_changed_outside(node) and self.is_cheap_in_parts(node)

    def is_cheap_in_parts(self, node: Any) -> bool:
        match node:
            case gast.Name(id=name):
                return ir.is_value(name) or name.startswith("$") or not self.walk.is_rebound(name)
            case gast.Attribute(value=value):
                lasting = self.is_cheap(value) and self.is_lasting(value)
                return lasting and not self.has_other_value(node)
            case gast.Subscript(value=value, slice=index):
                keyed = isinstance(self.kind(value), Tup) and not self.is_changed_dict(value)
                plain = self.is_lasting(value) and (keyed or not self.walk.is_fancy(index))
                return plain and self.is_cheap(value) and self.is_cheap_index(index)
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                return all(map(self.is_cheap, elements))
            case gast.UnaryOp(op=gast.USub() | gast.UAdd(), operand=operand):
                return self.number(node).is_scalar and self.is_cheap(operand)
            case gast.BinOp(left=left, op=op, right=right) if isinstance(
                op, (gast.Add, gast.Sub, gast.Mult)
            ) or (
                isinstance(op, (gast.Div, gast.FloorDiv, gast.Mod))
                and (_is_number_but_zero(right) or self.is_of_integers(node))
            ):
                small = len(ir.walk(node)) <= 16
                return (
                    small
                    and self.number(node).is_scalar
                    and self.is_cheap(left)
                    and self.is_cheap(right)
                )
            case gast.Call(func=gast.Name(id="len" | "$len"), args=[argument]):
                return self.is_cheap(argument) and self.is_lasting(argument)
            case gast.Call(args=[argument, *others], keywords=[]) if self.is_turned(node):
                return all(map(self.is_cheap, (argument, *others)))
        return False

    def is_cheap_way(self, node: Any) -> bool:
        """Whether the names, keys and places that lead to what an object outside holds can be read again."""
        match node:
            case gast.Attribute(value=value):
                return self.is_cheap_way(value)
            case gast.Subscript(value=value, slice=index):
                return self.is_cheap_index(index) and self.is_cheap_way(value)
        return self.is_cheap(node)

    def is_changed_dict(self, node: Any) -> bool:
        """Whether a dict, or what holds it, may have other entries later."""
        root = ir.owner_of(node)
        named = ir.is_own_name(root)
        return not named or self.facts.may_be_changed(root, self.walk.function.parameters)

    def is_of_integers(self, node: Any) -> bool:
        """Whether an operation gives an integer of two: what the forward pass divided by was not zero."""
        return all(map(is_integer, map(self.kind, (node, node.left, node.right))))

    def is_turned(self, call: Any) -> bool:
        """Whether a call gives an array with its axes in another order or direction: a view, made at once."""
        callee = self.facts.callees.get(call)
        return callee is not None and callee.function in TURNING and self.number(call).array is True

    def is_changed_outside(self, node: Any) -> bool:
        """Whether this lies in the memory of an array outside that a call changes."""
        changed = self.walk.rebound
        if not changed:
            return False
        kind = self.kind(node)
        array = isinstance(kind, Num) and kind.array is not False
        return array and any(b.site in changed for b in buffers_of(kind))

    def has_other_value(self, node: Any) -> bool:
        """Whether this is an attribute of a module or a class that a call sets."""
        if not isinstance(node, gast.Attribute):
            return False
        kind, changed = self.kind(node.value), self.walk.rebound
        owner = kind.value if isinstance(kind, Known) else getattr(kind, "type", None)
        return is_attribute_set(owner, node.attr, changed)

    def is_lasting(self, node: Any) -> bool:
        """Whether what an object holds is followed: arrays and tuples are, lists and other objects are not."""
        kind = self.kind(node)
        if isinstance(kind, Tup) and is_unknown(self.kind_anywhere(node)):
            return False  # somebody changes it out of sight
        if isinstance(kind, Known):
            return has_only_names(kind.value)
        return isinstance(kind, (Num, Seq)) or (isinstance(kind, Tup) and not kind.is_list)

    def kind_anywhere(self, node: Any) -> Kind:
        """The kind of what an expression is a part of, wherever its name is read."""
        root = ir.owner_of(node)
        named = ir.is_own_name(root)
        return self.facts.web_kinds.get(root.id, UNKNOWN) if named else self.kind(node)

    def is_cheap_index(self, index: Any) -> bool:
        bounds = (bound for part in ir.parts_of(index) for bound in ir.bounds_of(part))
        return all(map(self.is_cheap, bounds))

    def is_cheap_test(self, test: Any) -> bool:
        match test:
            case gast.Compare(
                left=gast.Name(), ops=[gast.Is() | gast.IsNot()], comparators=[right]
            ):
                return is_path(right)
            case gast.Compare(left=left, comparators=[right]):
                simple = self.is_simple(left) and self.is_simple(right)
                return simple and self.is_cheap(left) and self.is_cheap(right)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                return isinstance(operand, gast.Name) or self.is_cheap_test(operand)
            case gast.BoolOp(values=values):
                return all(map(self.is_cheap_test, values))
            case gast.Name():
                return True
        return False

    def is_simple(self, node: Any) -> bool:
        """Whether comparing this costs next to nothing: a number, a text, a few of them that are written out."""
        if isinstance(node, (gast.Tuple, gast.List, gast.Set)):
            return all(map(self.is_simple, node.elts))
        kind = self.kind(node)
        text = isinstance(kind, Opaque) and kind.type is str
        return text or is_unknown(kind) or isinstance(kind, Known) or self.number(node).is_scalar

    # -- places

    def stable_index(self, target: Any, changed: Changed | None = None) -> Any:
        """A subscript chain whose index expressions can be evaluated again: costly ones get a name.

        changed: what the statement changes that stores there; what reads that gets a name as well.
        """
        if target.__class__ is gast.Name:
            return target
        if isinstance(target, gast.Subscript):
            return self.stable_place(target, changed)

        def change(node: Any) -> Any:
            inner = isinstance(node, (gast.Name, gast.Subscript))
            return self.stable_index(node, changed) if inner else None

        return ir.copy_expression(target, change)

    def stable_place(self, place: Any, changed: Changed | None) -> Any:
        """A subscript with such an index: itself where it has one already."""
        whole = self.stable_index(place.value, changed)
        part = self.stable_part(place.slice, changed)
        if whole is place.value and part is place.slice:
            return place
        return self.copied(place, ir.subscript(whole, part, place.ctx))

    def stable_part(self, index: Any, changed: Changed | None = None) -> Any:
        match index:
            case gast.Constant():
                return index
            case gast.Tuple(elts=elements, ctx=ctx):
                parts = [self.stable_part(e, changed) for e in elements]
                same = all(map(operator.is_, parts, elements))
                return index if same else self.copied(index, gast.Tuple(parts, ctx))
            case gast.Slice(lower=lower, upper=upper, step=step):
                bounds = (lower, upper, step)
                stable = [None if b is None else self.stable_bound(b, changed) for b in bounds]
                same = all(map(operator.is_, stable, bounds))
                return index if same else self.copied(index, gast.Slice(*stable))
        if changed is not None and changed.is_read_by(index, self.facts):
            return self.index_before(index, changed)
        return index if self.is_cheap(index) else self.hoist(index, index_name(self.kind(index)))

    def stable_bound(self, bound: Any, changed: Changed | None) -> Any:
        reads = changed is not None and changed.is_read_by(bound, self.facts)
        return self.hoist(bound, "t") if reads else self.available(bound)

    def index_before(self, index: Any, changed: Changed) -> Any:
        """The name of an index, which is copied where it is the very memory that is written to.

        Of the keys that a loop over a dict gives nothing is known: they are hashed, so that nobody changes them.
        """
        is_key = isinstance(self.kind(index), (Opaque, Known))
        if not is_key and changed.is_memory_of(index, self.facts):
            self.made_copies.add(index)
        return self.hoist(index, index_name(self.kind(index)))


def is_path(node: Any) -> bool:
    """`np.tanh`, `None`: what is found again without being computed."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, (gast.Name, gast.Constant))


def _is_number_but_zero(node: Any) -> bool:
    """Whether a division by this can't fail."""
    value = literal_of(node)
    return type(value) in (int, float) and value != 0


def _precision(dtype: np.dtype[Any] | None) -> np.dtype[Any] | None:
    """Of a complex type that of its parts."""
    return dtype if dtype is None or dtype.kind != "c" else np.empty(0, dtype).real.dtype
