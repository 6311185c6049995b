"""The gradients of values: what is known of them, and the lines that set, add to and complete them.

A gradient may be thinner than its value (a scalar that stands for an array filled with it). Only an owned array is
added to in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.expressions import index_value, mentions_name, multiple, signed, size
from tangentish.fresh import is_new
from tangentish.infer import UserCall, index_sort, may_repeat
from tangentish.kinds import UNKNOWN, Kind, Num, Seq, Tup, replace, with_parts
from tangentish.lengths import Shape, broadcasts_to, same_shape
from tangentish.origins import NOWHERE
from tangentish.pair import Pair
from tangentish.quote import constant, quote
from tangentish.saving import Saves
from tangentish.templates import Templates
from tangentish.tidy import tidy
from tangentish.zeros import zeros_of_list

__all__ = [
    "Grad",
    "Gradients",
    "Parts",
    "fills",
    "gradient_of",
    "mentions_gradient",
    "without_memory",
]

LONGEST = 48  # nodes of a sum that is written in one line
RECENT = 24  # lines above, among which the same gradient is looked for
SHARED = "dt"  # what a gradient is called that several others are computed from

LISTED = Num(None, None, None, active=True)
"""Stands for the kind of the gradient of a list, which has the kind of the list."""

Parts = list[tuple[Any, Any]]  # (path, or None for the whole; what is added there)


class Grad(NamedTuple):
    """What is known of a gradient: its kind, whether its array is its own, where it counts (Guard)."""

    kind: Num
    owned: bool
    guards: tuple[Any, ...] = ()


def gradient_of(value: str) -> str:
    """The value that holds the gradient of a value: `dx.~x~0` of `x.0`."""
    return f"d{ir.base_name(value)}.~{value.replace('.', '~')}"


def mentions_gradient(e: Any, value: str) -> bool:
    return mentions_name(e, gradient_of(value))


@dataclass
class Gradients(Templates):
    """The gradients at the point that the walk has reached, and the lines written so far."""

    saves: Saves = field(kw_only=True)
    pair: Callable[[UserCall, Any], Pair] = field(kw_only=True)
    state: dict[str, Grad] = field(default_factory=dict)
    behind: dict[str, str] = field(default_factory=dict)  # gradient that was read -> its value
    out: list[ir.Statement] = field(default_factory=list)
    zeros: set[str] = field(default_factory=set)  # values whose shape some zeros have
    pending: list[tuple[str, Any, Any]] = field(
        default_factory=list
    )  # (value, path, what is added)

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
                    and gast.dump(value) == gast.dump(g)
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
        copy = quote("{g}.copy()", g=g)
        self.facts.kinds[copy] = self.number(g)
        return copy

    def give_name(self, g: Any, base: str) -> Any:
        kind = self.number(g)
        name = self.fresh(base)
        self.emit(ir.Assign(ir.name(name), g, NOWHERE))
        return self.named(name, kind)

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
        self.facts.kinds[new] = without_memory(kind)  # which is not that of the array
        return new

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
        return quote("{x}.copy()", x=slot)

    def is_copy(self, slot: Any) -> bool:
        """Whether what an index gives is a copy for sure."""
        return isinstance(slot, gast.Subscript) and self.sort_of(slot) == "fancy"

    def sort_of(self, slot: Any) -> str:
        return index_sort(slot.slice, self.facts)

    def repeats(self, slot: Any) -> bool:
        """Whether a slot may stand for an element several times."""
        return isinstance(slot, gast.Subscript) and may_repeat(slot.slice, self.facts)

    def last_stored(self, slot: Any) -> Any:
        """What a store to a slot receives: where it stored to an element several times, the last one counts."""
        if not self.repeats(slot):
            return slot
        e = quote("last_stored({x}, {i})", x=slot.value, i=index_value(slot.slice))
        return self.with_kind(e, self.number(slot))

    # -- adding

    def flush(self, killed: set[str]) -> None:
        """Add what is pending to the gradients: values that were overwritten here come last."""
        pending, self.pending = self.pending, []
        by_value: dict[str, Parts] = {}
        for value, path, e in pending:
            by_value.setdefault(value, []).append((path, e))
        by_value = {value: self.without_repeats(parts) for value, parts in by_value.items()}
        late = [v for v in by_value if _is_read_by_others(v, by_value)]
        if len(late) > 1 or any(_mentions_later(by_value[v], v) for v in by_value if v in killed):
            by_value = self.without_overlap(by_value)
            late = []
        for group in ([v for v in by_value if v not in late], late):
            for value in group:
                if any(path is not None for path, _ in by_value[value]):
                    self.prepare_slots(value, by_value[value])
            for value in group:
                self.add_all(value, by_value[value])

    def without_repeats(self, parts: Parts) -> Parts:
        """`dx += a; dx += a` is `dx += 2 * a`."""
        if len(parts) < 2:
            return parts
        times: dict[tuple[str, str], list[Any]] = {}
        for path, e in parts:
            key = "" if path is None else gast.dump(path), gast.dump(e)
            times.setdefault(key, []).append((path, e))
        return [
            (same[0][0], self.with_kind(multiple(len(same), same[0][1]), self.kind(same[0][1])))
            if len(same) > 1 and isinstance(self.kind(same[0][1]), Num)
            else one
            for same in times.values()
            for one in (same[:1] if isinstance(self.kind(same[0][1]), Num) else same)
        ]

    def without_overlap(self, by_value: dict[str, Parts]) -> dict[str, Parts]:
        """Gradients that are read after they are overwritten are kept under another name first."""
        kept: dict[str, Any] = {}
        for value in by_value:
            name = gradient_of(value)
            if any(mentions_name(e, name) for parts in by_value.values() for _, e in parts):
                kind = self.facts.web_kinds.get(name, UNKNOWN)
                kept[name] = self.give_name(self.named(name, kind), "g")

        def change(node: Any) -> Any:
            return kept.get(node.id) if type(node) is gast.Name else None

        def replaced(e: Any) -> Any:
            if not any(mentions_name(e, name) for name in kept):
                return e
            return self.with_kind(ir.copy_expression(e, change), self.kind(e))

        return {v: [(path, replaced(e)) for path, e in parts] for v, parts in by_value.items()}

    def prepare_slots(self, value: str, parts: Sequence[tuple[Any, Any]]) -> None:
        """An array whose elements receive gradients must exist."""
        root = ir.root_of(next(path for path, _ in parts if path is not None))
        plain = [e for path, e in parts if path is None]
        if value not in self.state:
            if plain:
                return
            self.zero(value, self.kind(root))
        else:
            self.make_full(value, self.kind(root))
            self.make_own(value, root)
        if any(path is not None and ir.has_view_call(path) for path, _ in parts):
            self.make_contiguous(value)

    def add_all(self, value: str, parts: Sequence[tuple[Any, Any]]) -> None:
        plain = [e for path, e in parts if path is None]
        slots = [(path, e) for path, e in parts if path is not None]
        root_kind = self.kind(ir.root_of(slots[0][0])) if slots else None
        for e in self.combined(value, plain):
            self.add(value, e)
        if slots and plain:
            self.make_full(value, root_kind)
            self.make_own(value)
            if any(ir.has_view_call(path) for path, _ in slots):
                self.make_contiguous(value)
        for path, e in slots:
            self.add_at(path, e)

    def combined(self, value: str, plain: list[Any]) -> list[Any]:
        """`dx = a; dx += b` is `dx = a + b`, where the line stays short."""
        if len(plain) < 2 or self.is_list(value) or sum(size(e) for e in plain) > LONGEST:
            return plain
        kinds = [self.number(e) for e in plain]
        if not all(_fits(k, kinds[0]) for k in kinds):
            return plain
        if value in self.state and not all(_adds_in_place(self.state[value], k) for k in kinds):
            return plain
        total = plain[0]
        for e in plain[1:]:
            total = tidy(quote("{a} + {b}", a=total, b=e), self.kind)
        return [total]

    def add(self, value: str, e: Any) -> None:
        if self.is_list(value):
            self.add_list(value, e)
            return
        kind = self.number(e)
        fresh = self.is_fresh(e)
        if not fresh:
            self.share_ownership(e)
        if value in self.state:
            self.add_to_old(value, e, kind)
            return
        if not fresh and any(map(self.is_list, self.values_behind(e))):
            e = quote("{e}.copy()" if kind.array else "np.copy({e})", e=e)  # a list keeps its own
        mine = replace(kind, active=True, buffers=frozenset())
        self.state[value] = Grad(mine, self.is_fresh(e), self.guards_of(e))
        self.facts.web_kinds[gradient_of(value)] = kind
        self.emit(ir.Assign(ir.name(gradient_of(value)), e, NOWHERE))

    def add_list(self, value: str, e: Any) -> None:
        if value in self.state:
            e = quote("added({a}, {b})", a=self.gradient(value), b=e)
        elif isinstance(e, (gast.Name, gast.Subscript)):
            e = quote("copied({e})", e=e)
        self.emit(ir.Assign(ir.name(gradient_of(value)), e, NOWHERE))
        self.begin_list(value, self.facts.web_kinds[value])

    def add_to_old(self, value: str, e: Any, kind: Num) -> None:
        """`dx += e` where the array is its own and large enough; else `dx = dx + e`."""
        self.unguard(value)
        old, name = self.state[value], gradient_of(value)
        d = self.gradient(value)
        positive, sign = signed(e)
        op = gast.Sub() if sign < 0 else gast.Add()
        if not _adds_in_place(old, kind):
            total = gast.BinOp(d, op, positive)
            result = self.number(total)
            self.emit(ir.Assign(ir.name(name), total, NOWHERE))
            self.state[value] = Grad(replace(result, active=True, buffers=frozenset()), True)
            return
        self.emit(ir.Update(ir.name(name), op, positive, NOWHERE))
        if old.kind.is_scalar:
            total = self.number(gast.BinOp(d, op, positive))
            self.state[value] = Grad(replace(total, active=True), True)

    def guards_of(self, e: Any) -> tuple[Any, ...]:
        """Where a gradient counts, of what is known to be zero elsewhere."""
        raise NotImplementedError

    def unguard(self, value: str) -> None:
        """What is added to a gradient may count elsewhere."""
        if self.state[value].guards:
            self.state[value] = self.state[value]._replace(guards=())

    def share_ownership(self, e: Any) -> None:
        """An array that gets a second name belongs to neither."""
        for value in self.values_behind(e):
            grad = self.state.get(value)
            if grad is not None and grad.owned and not grad.kind.is_scalar:
                self.state[value] = Grad(grad.kind, False)

    def add_at(self, path: Any, e: Any) -> None:
        slot = self.slot(path)
        if isinstance(path, gast.Subscript) and isinstance(self.kind(path.value), (Seq, Tup)):
            self.add_item(slot, e)
            return
        repeats = self.repeats(slot)
        reads_itself = repeats and mentions_name(e, ir.root_of(slot).id)
        positive, sign = (e, 1) if reads_itself else signed(e)  # one by one, not all at once
        add, subtract = (ir.AddAt, ir.SubAt) if repeats else (gast.Add, gast.Sub)
        self.emit(ir.Update(slot, subtract() if sign < 0 else add(), positive, NOWHERE))

    def add_item(self, slot: Any, e: Any) -> None:
        """dxs[i] += e, in place only where that can't go wrong."""
        kind = self.kind(slot)
        if not isinstance(kind, Num):
            self.emit(ir.Assign(slot, quote("added({a}, {b})", a=slot, b=e), NOWHERE))
        elif kind.array is None:
            self.emit(ir.Assign(slot, quote("{a} + {b}", a=slot, b=e), NOWHERE))
        else:
            positive, sign = signed(e)
            self.emit(ir.Update(slot, gast.Sub() if sign < 0 else gast.Add(), positive, NOWHERE))

    def is_fresh(self, e: Any) -> bool:
        """Whether an expression gives an array of its own."""
        return self.number(e).is_scalar or is_new(e, self.is_copy)

    # -- gradients in full

    def full_kind(self, value: str, kind: Kind | None = None) -> Num:
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

    def zero(self, value: str, kind: Kind | None = None) -> None:
        if self.is_list(value):
            listed = self.facts.web_kinds[value]
            zeros = zeros_of_list(self.named(value, listed), listed)
            self.emit(ir.Assign(ir.name(gradient_of(value)), zeros, NOWHERE))
            self.begin_list(value, listed)
            return
        number = self.full_kind(value, kind)
        name = ir.name(gradient_of(value))
        if number.is_scalar:
            self.emit(ir.Assign(name, constant(0.0), NOWHERE))
        else:
            x = self.named(value, number)
            self.emit(ir.Assign(name, quote("np.zeros_like({x})", x=x), NOWHERE))
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
        copy = quote("{d}.copy()" if grad.kind.known else "np.copy({d})", d=d)
        self.emit(ir.Assign(ir.name(gradient_of(value)), copy, NOWHERE))
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


def fills(have: Shape, want: Shape) -> bool:
    """Whether a gradient that broadcasts to the shape wanted has just that shape."""
    return len(have) == len(want) and 1 not in have


def _adds_in_place(old: Grad, kind: Num) -> bool:
    have = old.kind
    if have.is_scalar and kind.is_scalar:
        return True
    if kind.is_complex:  # what may be complex may be real, too, and takes no complex numbers then
        return False
    if not (old.owned and have.known and kind.known) or kind.shape is None or have.shape is None:
        return False
    return bool(have.array) and broadcasts_to(kind.shape, have.shape)


def _fits(kind: Num, first: Num) -> bool:
    """Whether what is added to a gradient leaves its shape as it is."""
    if same_shape(kind.shape, first.shape):
        return True
    known = kind.known and first.known and kind.shape is not None and first.shape is not None
    return known and broadcasts_to(kind.shape or (), first.shape or ())


def _typed(number: Num, have: Num) -> Num:
    """A kind with the shape of one and the type of another."""
    return replace(number, dtype=have.dtype, weak=have.weak, contiguous=have.contiguous)


def _is_read_by_others(value: str, by_value: dict[str, Parts]) -> bool:
    """Whether what another value receives is computed from this value's gradient."""
    return any(
        mentions_gradient(e, value)
        for other in by_value
        if other != value
        for _, e in by_value[other]
    )


def _mentions_later(parts: Parts, value: str) -> bool:
    """Whether a gradient is read after the first addition to it."""
    return any(mentions_gradient(e, value) for _, e in parts[1:]) or any(
        path is not None and mentions_gradient(e, value) for path, e in parts
    )
