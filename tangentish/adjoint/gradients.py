"""The gradients of values: what is known of them, and the lines that set and complete them.

A gradient may be thinner than its value (a scalar that stands for an array filled with it). Only an owned array is
added to in place.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import gast
import numpy as np

from tangentish import ir
from tangentish.adjoint.pair import Pair
from tangentish.algebra.expressions import copied, index_value, mentions_name
from tangentish.algebra.fresh import is_new
from tangentish.algebra.templates import Templates
from tangentish.algebra.zeros import zeros_of_list
from tangentish.infer import index_sort, may_repeat
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Num, Seq, Tup, replace, with_parts
from tangentish.kinds.lengths import Shape, same_shape
from tangentish.recording.saving import Saves
from tangentish.recording.unset import has_zeros_of_nothing

RECENT = 24  # lines above, among which the same gradient is looked for
SHARED = "dt"  # what a gradient is called that several others are computed from

LISTED = Num(None, None, None, active=True)
"""Stands for the kind of the gradient of a list, which has the kind of the list."""


class Grad(NamedTuple):
    """What is known of a gradient: its kind, whether its array is its own, where it counts (Guard)."""

    kind: Num
    owned: bool
    guards: tuple[Any, ...] = ()


@functools.lru_cache(maxsize=1 << 12)
def gradient_of(value: str) -> str:
    """The value that holds the gradient of a value: `dx.~x~0` of `x.0`."""
    return f"d{ir.base_name(value)}.~{value.replace('.', '~')}"


def mentions_gradient(e: Any, value: str) -> bool:
    return mentions_name(e, gradient_of(value))


@dataclass
class Gradients(Templates):
    """The gradients at the point that the walk has reached, and the lines written so far."""

    saves: Saves = field(kw_only=True)
    pair: Callable[..., Pair] = field(kw_only=True)  # of a call, and where its adjoint may add
    state: dict[str, Grad] = field(default_factory=dict)
    behind: dict[str, str] = field(default_factory=dict)  # gradient that was read -> its value
    out: list[ir.Statement] = field(default_factory=list)
    zeros: set[str] = field(default_factory=set)  # values whose shape some zeros have

    # -- lines

    def emit(self, statement: ir.Statement) -> None:
        self.out.append(statement)

    def shared(self, g: Any) -> Any:
        """A gradient that is read more than once gets a name, unless it is one."""
        match g:
            case gast.Name() | gast.Constant():
                return g
            case gast.UnaryOp(op=gast.USub(), operand=gast.Name()):
                return g
        g = self.apart(g)
        return self.named_before(g) or self.give_name(g, SHARED)

    def in_common(self, e: Any) -> Any:
        return super().in_common(self.apart(e))

    def named_before(self, g: Any) -> Any | None:
        """The name that the lines above give to the same gradient, of what has not changed since."""
        names = set(ir.names_in(g))
        for line in reversed(self.out[-RECENT:]):
            match line:
                case ir.Assign(gast.Name(id=name), value) if (
                    ir.base_name(name) == SHARED
                    and name
                    not in self.behind  # the user's t has a dt of its own, to which more is added
                    and ir.names_in(value) == ir.names_in(g)
                    and ir.dump(value) == ir.dump(g)
                ):
                    return self.named(name, self.number(g))
                case ir.Assign() | ir.Update() | ir.Comment():
                    if not names.isdisjoint((*ir.defined_names(line), *ir.stored_names(line))):
                        return None
                case _:
                    return None
        return None

    def apart(self, g: Any) -> Any:
        """A view of a gradient that still changes is copied before it gets a name."""
        if self.is_fresh(g) or not any(v in self.state for v in self.values_behind(g)):
            return g
        of_list = isinstance(self.kind(g), Tup)  # a list of gradients, one for each element
        copy = quote("{g}.copy()", g=g) if of_list else copied(g, self.number(g))
        self.facts.kinds[copy] = self.number(g)
        return copy

    def give_name(self, g: Any, base: str) -> Any:
        kind, whole = self.number(g), self.facts.kinds.get(g)
        name = self.fresh(base)
        self.emit(ir.Assign(ir.name(name), g, NOWHERE))
        named = self.named(name, kind)
        if isinstance(whole, (Seq, Tup)):  # a name for it is no array either
            return self.with_kind(named, whole)
        return named

    def available(self, node: Any) -> Any:
        """As elsewhere; the square of a number is squared again, which is shorter than to keep it."""
        if self.is_square(node) and node is not self.updated and node not in self.temporaries:
            return node
        return super().available(node)

    def is_square(self, node: Any) -> bool:
        """Whether this is `x ** 2`, or `x[i] ** 2`, of a number."""
        match node:
            case gast.BinOp(
                left=gast.Name() | gast.Subscript() as base,
                op=gast.Pow(),
                right=gast.Constant(value=2),
            ):
                kind = self.number(base)
                return kind.is_scalar and kind.is_float and self.is_cheap(base)
        return False

    # -- the names and places of gradients

    def gradient(self, value: str) -> Any:
        name = gradient_of(value)
        self.behind[name] = value
        if self.is_list(value):
            return self.named(name, without_memory(self.facts.web_kinds[value]))
        kind = self.state[value].kind
        self.facts.web_kinds[name] = kind
        return self.named(name, kind)

    def values_behind(self, e: Any) -> Iterator[str]:
        """The values whose gradients an expression reads."""
        return (self.behind[name] for name in ir.names_in(e) if name in self.behind)

    def slot(self, path: Any) -> Any:
        """The place of a gradient that belongs to `x[i]`: the same path into dx."""
        path = self.stable_index(path)
        root = ir.root_of(path)
        d = self.gradient(root.id)

        def change(node: Any) -> Any:
            if node is root:
                return d
            return node if type(node) is gast.Name else None

        new = ir.copy_expression(path, change)
        kind = self.kind(path)
        kind = replace(kind, active=True) if isinstance(kind, Num) else kind
        if self.is_list(root.id):
            return self.of_part(new, kind)
        return self.with_kind(new, without_memory(kind))  # which is not that of the array

    def of_part(self, e: Any, kind: Kind) -> Any:
        """The gradient of a value of a kind, as it comes out of the gradient of a list that holds it."""
        kind = without_memory(kind)
        return self.with_kind(e, as_complex(kind) if self.complex_lists else kind)

    def own_slot(self, path: Any, root: Any) -> Any:
        """The place of the gradient of `x` or `x[i]`, in an array that may be changed."""
        self.make_own(root.id, root)
        if ir.has_view_call(path):
            self.make_contiguous(root.id)
        return self.gradient(root.id) if isinstance(path, gast.Name) else self.slot(path)

    def detached(self, slot: Any) -> Any:
        """The gradient at a slot as a value of its own, which survives that the slot is set to zero."""
        if self.is_fresh(slot):
            return slot
        kind = self.kind(slot)
        if isinstance(kind, Tup):
            return slot  # what is cleared is another list, or tuple, of zeros
        if self.is_list(ir.root_of(slot).id) and isinstance(kind, Num) and kind.shape == ():
            kind = replace(kind, array=None)  # the gradient of an array of no axes may be a number
        return copied(slot, kind)

    def is_copy(self, slot: Any) -> bool:
        """Whether what an index gives is a copy for sure."""
        of_array = isinstance(slot, gast.Subscript) and not self.is_entry(slot)
        return of_array and self.sort_of(slot) == "fancy"

    def is_entry(self, slot: Any) -> bool:
        """Whether a slot is an entry of a dict, whose key names one thing whatever it is."""
        d = slot.value
        named = isinstance(d, gast.Name) and self.facts.web_kinds.get(d.id)
        return isinstance(named, Seq) and named.keyed

    def sort_of(self, slot: Any) -> str:
        return index_sort(slot.slice, self.facts)

    def repeats(self, slot: Any) -> bool:
        """Whether a slot may stand for an element several times."""
        of_array = isinstance(slot, gast.Subscript) and not self.is_entry(slot)
        of_array = of_array and not isinstance(
            self.kind(slot.value), Seq
        )  # a list has one at a place
        return of_array and may_repeat(slot.slice, self.facts)

    def last_stored(self, slot: Any) -> Any:
        """What a store to a slot receives: where it stored to an element several times, the last one counts."""
        if not self.repeats(slot):
            return slot
        e = quote("last_stored({x}, {i})", x=slot.value, i=index_value(slot.slice))
        return self.with_kind(e, self.number(slot))

    def unguard(self, value: str) -> None:
        """What is added to a gradient may count elsewhere."""
        if self.state[value].guards:
            self.state[value] = self.state[value]._replace(guards=())

    def is_fresh(self, e: Any) -> bool:
        """Whether an expression gives an array of its own."""
        return self.number(e).is_scalar or is_new(e, self.is_copy)

    # -- gradients in full

    def full_kind(self, value: str, kind: Kind | None) -> Num:
        number = kind if isinstance(kind, Num) else self.value_kind(value)
        if number.array is None:
            return Num(number.dtype, None, None, active=True)
        return replace(number, active=True, buffers=frozenset(), value=None, weak=number.is_scalar)

    def is_list(self, value: str) -> bool:
        return isinstance(self.facts.web_kinds.get(value), Seq)

    def begin_list(self, value: str, kind: Kind) -> None:
        """The gradient of a list is a list of its own."""
        self.state[value] = Grad(LISTED, True)
        self.facts.web_kinds[gradient_of(value)] = without_memory(kind)

    def may_be_nothing(self, value: str, listed: Kind) -> bool:
        """Whether there may be no list whose length zeros have: a result, in the loop that it leads out of, too."""
        unset = (slot.name for slots in self.saves.unset.values() for slot in slots)
        sure = has_zeros_of_nothing(listed, value, self.facts) or value not in unset
        return value[0] == "." or not sure

    def zero(self, value: str, kind: Kind | None = None) -> None:
        if self.is_list(value):
            listed = self.facts.web_kinds[value]
            x, unsure = self.named(value, listed), self.may_be_nothing(value, listed)
            zeros = quote("zeros({x})", x=x) if unsure else zeros_of_list(x, listed)
            self.emit(ir.Assign(ir.name(gradient_of(value)), zeros, NOWHERE))
            self.begin_list(value, listed)
            return
        number = self.full_kind(value, kind)
        name = ir.name(gradient_of(value))
        if number.is_scalar:
            self.emit(ir.Assign(name, constant(0.0), NOWHERE))
        else:
            x = self.named(value, number)
            may_be_list = not isinstance(self.facts.web_kinds.get(value, number), Num)
            text = "zeros({x})" if may_be_list else "np.zeros_like({x})"
            self.emit(ir.Assign(name, quote(text, x=x), NOWHERE))
            self.zeros.add(value)
        self.state[value] = Grad(number, True)
        self.facts.web_kinds[gradient_of(value)] = number

    def make_full(self, value: str, kind: Kind | None = None) -> None:
        """A thin gradient becomes an array of the value's shape."""
        if self.is_list(value):
            return
        self.unguard(value)
        grad, number = self.state[value], self.full_kind(value, kind)
        have = grad.kind
        widens = number.is_complex and not have.is_complex
        if number.is_scalar or (_same_kind(have, number) and not widens):
            return
        if not widens and _is_full(have, number):
            self.state[value] = Grad(_typed(number, have), grad.owned)
            return
        d = self.gradient(value)
        x = self.named(value, number)
        text = "np.full_like({x}, {d})" if number.known else "full({d}, {x})"
        self.emit(ir.Assign(ir.name(gradient_of(value)), quote(text, x=x, d=d), NOWHERE))
        self.state[value] = Grad(number, True)
        self.facts.web_kinds[gradient_of(value)] = number

    def make_own(self, value: str, root: Any = None) -> None:
        self.unguard(value)
        grad = self.state[value]
        if root is not None:
            self.make_full(value, self.kind(root))
            grad = self.state[value]
        if grad.owned or grad.kind.is_scalar or self.is_list(value):
            return
        d = self.gradient(value)
        self.emit(ir.Assign(ir.name(gradient_of(value)), copied(d, grad.kind), NOWHERE))
        self.state[value] = Grad(replace(grad.kind, contiguous=grad.kind.known), True)

    def make_contiguous(self, value: str) -> None:
        """`dx.reshape(-1)` is a view only of a contiguous array."""
        grad = self.state[value]
        if not grad.kind.contiguous and not self.is_list(value):
            d = self.gradient(value)
            self.emit(ir.Assign(ir.name(gradient_of(value)), quote("{d}.copy()", d=d), NOWHERE))
            self.state[value] = Grad(replace(grad.kind, contiguous=True), True)


def _same_kind(have: Num, want: Num) -> bool:
    return same_shape(have.shape, want.shape) and have.array == want.array


def _is_full(have: Num, want: Num) -> bool:
    """Whether an array fills the shape wanted, as far as shapes are known."""
    if have.shape is None or want.shape is None:
        return have.shape is None and want.shape is None
    return bool(have.array) and fills(have.shape, want.shape)


def without_memory(kind: Kind) -> Kind:
    """A kind as that of a gradient, whose memory is its own."""
    match kind:
        case Num():
            return replace(kind, buffers=frozenset(), value=None)
        case Seq():
            kind = replace(kind, buffers=frozenset())
    return with_parts(kind, without_memory)


def as_complex(kind: Kind) -> Kind:
    """A kind with complex numbers in the place of real ones."""
    match kind:
        case Num(dtype=dtype) if dtype is not None and dtype.kind == "f":
            return replace(kind, dtype=np.result_type(dtype, np.complex64))
        case Seq(item=item) if item is not None:
            return replace(kind, item=as_complex(item))
        case Tup(items=items):
            return replace(kind, items=tuple(map(as_complex, items)))
    return kind


def fills(have: Shape, want: Shape) -> bool:
    """Whether a gradient that broadcasts to the shape wanted has just that shape."""
    return len(have) == len(want) and 1 not in have


def _typed(number: Num, have: Num) -> Num:
    """A kind with the shape of one and the type of another."""
    return replace(number, dtype=have.dtype, weak=have.weak, contiguous=have.contiguous)
