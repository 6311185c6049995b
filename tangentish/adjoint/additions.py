"""What is added to gradients: collected where it is pending, added in an order in which nobody reads what is gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.gradients import Grad, Gradients, gradient_of, mentions_gradient
from tangentish.algebra.expressions import copied, mentions_name, multiple, signed, size
from tangentish.algebra.factored import with_shared_ends, with_shared_starts
from tangentish.algebra.tidy import tidy
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.kinds import UNKNOWN, Num, Seq, Tup, replace
from tangentish.kinds.lengths import broadcasts_to, same_shape

LONGEST = 48  # nodes of a sum that is written in one line
Added = list[tuple[Any, Any]]  # (path, or None for the whole; what is added there)


@dataclass
class Additions(Gradients):
    """The gradients, and what a statement adds to them."""

    # (value, path, what is added)
    pending: list[tuple[str, Any, Any]] = field(default_factory=list)
    maybe_new: set[Any] = field(default_factory=set)  # entries of dicts, which may not be there
    # lists of numbers made for one gradient, which nobody else knows
    own_lists: set[str] = field(default_factory=set)
    # lines that add to arrays in lists of lists, which may have other names
    added_to_parts: set[ir.Statement] = field(default_factory=set)
    # gradients of lists of numbers that are zero but at one place: that, and what stands there
    at_one_place: dict[Any, tuple[Any, Any]] = field(default_factory=dict)

    def flush(self, killed: set[str]) -> None:
        """Add what is pending to the gradients: values that were overwritten here come last."""
        pending, self.pending = self.pending, []
        by_value: dict[str, Added] = {}
        for value, path, e in pending:
            by_value.setdefault(value, []).append((path, e))
        by_value = {value: self.without_repeats(parts) for value, parts in by_value.items()}
        if self.at_one_place:  # to what is there by then
            for parts in by_value.values():
                parts.sort(key=lambda part: part[1] in self.at_one_place)
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

    def without_repeats(self, parts: Added) -> Added:
        """`dx += a; dx += a` is `dx += 2 * a`."""
        if len(parts) < 2:
            return parts
        times: dict[tuple[str, str], Added] = {}
        for path, e in parts:
            key = "" if path is None else ir.dump(path), ir.dump(e)
            times.setdefault(key, []).append((path, e))
        return [one for same in times.values() for one in self.as_multiple(same)]

    def as_multiple(self, same: Added) -> Added:
        path, e = same[0]
        if len(same) == 1 or not isinstance(self.kind(e), Num):
            return same
        return [(path, self.with_kind(multiple(len(same), e), self.kind(e)))]

    def without_overlap(self, by_value: dict[str, Added]) -> dict[str, Added]:
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
            match parts:
                case [(gast.Subscript(value=gast.Name()) as path, _)] if not self.is_list(value):
                    self.count_at(path, root, taken=True)
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
        terms, plain = plain, with_shared_ends(with_shared_starts(plain, self.kind), self.kind)
        total = plain[0]
        for e in plain[1:]:
            total = tidy(quote("{a} + {b}", a=total, b=e), self.kind)
        self.count_sum(total, terms)
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
            e = copied(e, kind)  # a list keeps its own
        mine = replace(kind, active=True, buffers=frozenset())
        self.state[value] = Grad(mine, self.is_fresh(e), self.guards_of(e))
        self.facts.web_kinds[gradient_of(value)] = kind
        e = self.added_to_copy(e, kind)
        self.emit(ir.Assign(ir.name(gradient_of(value)), e, NOWHERE))

    def added_to_copy(self, e: Any, kind: Num) -> Any:
        """`dw.copy() + a` for `dw + a`: the array itself is added to where nobody reads it later (folding/owned.py)."""
        if kind.is_complex:  # or real, and then it takes no complex numbers
            return e
        match e:
            case gast.BinOp(
                left=gast.Name(id=name) as left, op=gast.Add() | gast.Sub() as op, right=right
            ) if "~" in name:
                array = self.number(left)
                same = array.dtype == kind.dtype and same_shape(array.shape, kind.shape)
                if same and array.known and array.array and array.shape:
                    return ir.binary(copied(left, array), op, right)
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
                return ir.binary(self.added_to_copy(left, kind), op, right)
        return e

    def add_list(self, value: str, e: Any) -> None:
        if value in self.state and e in self.at_one_place:
            place, one = self.at_one_place[e]
            positive, sign = signed(one)
            op = gast.Sub() if sign < 0 else gast.Add()
            slot = ir.subscript(self.gradient(value), place)
            self.emit(ir.Update(slot, op, positive, NOWHERE))
            return
        if value in self.state:
            e = quote("added({a}, {b})", a=self.gradient(value), b=e)
        elif isinstance(e, gast.Name) and e.id in self.own_lists:
            self.own_lists.discard(e.id)
        elif isinstance(e, (gast.Name, gast.Subscript)):
            e = quote("copied({e})", e=e)
        self.emit(ir.Assign(ir.name(gradient_of(value)), e, NOWHERE))
        self.begin_list(value, self.facts.web_kinds[value])

    def add_to_old(self, value: str, e: Any, kind: Num) -> None:
        """`dx += e` where the array is its own and large enough; else `dx = dx + e`."""
        guards = self.guards_of_both(self.state[value].guards, e)
        old, name = self.state[value]._replace(guards=guards), gradient_of(value)
        self.state[value] = old
        d = self.gradient(value)
        positive, sign = signed(e)
        op = gast.Sub() if sign < 0 else gast.Add()
        # on a device a number may be an array of no axes, which another has, too
        shared = self.walk.device and old.kind.is_scalar
        if shared or not _adds_in_place(old, kind):
            total = ir.binary(d, op, positive)
            result = self.number(total)
            self.emit(ir.Assign(ir.name(name), self.added_to_copy(total, result), NOWHERE))
            mine = replace(result, active=True, buffers=frozenset())
            self.state[value] = Grad(mine, True, guards)
            return
        self.emit(ir.Update(ir.name(name), op, _as_it_broadcasts(positive), NOWHERE))
        if old.kind.is_scalar:
            total = self.number(ir.binary(d, op, positive))
            self.state[value] = Grad(replace(total, active=True), True, guards)

    def guards_of(self, e: Any) -> tuple[Any, ...]:
        """Where a gradient counts, of what is known to be zero elsewhere."""
        raise NotImplementedError

    def guards_of_both(self, guards: tuple[Any, ...], e: Any) -> tuple[Any, ...]:
        """Where a sum counts: where one gradient does, or another that is added to it."""
        raise NotImplementedError

    def count_sum(self, total: Any, terms: Sequence[Any]) -> None:
        """A sum counts where one of its terms does."""
        raise NotImplementedError

    def count_at(self, slot: Any, root: Any, taken: bool) -> None:
        """A gradient that is zero elsewhere counts where the mask in brackets holds."""
        raise NotImplementedError

    def share_ownership(self, e: Any) -> None:
        """An array that gets a second name belongs to neither."""
        for value in self.values_behind(e):
            grad = self.state.get(value)
            if grad is not None and grad.owned and not grad.kind.is_scalar:
                self.state[value] = Grad(grad.kind, False)

    def add_at(self, path: Any, e: Any) -> None:
        slot = self.slot(path)
        if isinstance(path, gast.Subscript) and isinstance(self.kind(path.value), (Seq, Tup)):
            if path in self.maybe_new:
                new = quote("{d}.get({k}, 0.0) + {e}", d=slot.value, k=slot.slice, e=e)
                self.emit(ir.Assign(slot, new, NOWHERE))
            else:
                self.add_item(slot, e)
            return
        repeats = self.repeats(slot)
        reads_itself = repeats and mentions_name(e, ir.root_of(slot).id)
        positive, sign = (e, 1) if reads_itself else signed(e)  # one by one, not all at once
        add, subtract = (ir.AddAt, ir.SubAt) if repeats else (gast.Add, gast.Sub)
        self.emit(ir.Update(slot, subtract() if sign < 0 else add(), positive, NOWHERE))

    def put_into_zeros(self, slot: Any, e: Any) -> None:
        """dxs[i] = e, where nothing but zeros has been so far."""
        if self.repeats(slot):
            self.emit(ir.Update(slot, ir.AddAt(), e, NOWHERE))
        elif isinstance(e, gast.Tuple):  # of what was unpacked; parts may have none, or be thin
            self.add_item(slot, e)
        else:
            self.emit(ir.Assign(slot, e, NOWHERE))

    def add_item(self, slot: Any, e: Any) -> None:
        """dxs[i] += e, in place only where that can't go wrong."""
        kind = self.kind(slot)
        if isinstance(kind, Tup) and isinstance(e, gast.Tuple):
            for k, (item, part) in enumerate(zip(kind.items, e.elts, strict=True)):
                if not ir.is_none(part):
                    self.add_part(self.with_kind(ir.subscript(slot, constant(k)), item), part)
        elif not isinstance(kind, Num) or _may_be_none(kind):
            self.emit(ir.Assign(slot, quote("added({a}, {b})", a=slot, b=e), NOWHERE))
        elif kind.array is None:
            self.emit(ir.Assign(slot, quote("{a} + {b}", a=slot, b=e), NOWHERE))
        else:
            positive, sign = signed(e)
            self.emit(ir.Update(slot, gast.Sub() if sign < 0 else gast.Add(), positive, NOWHERE))

    def add_part(self, slot: Any, e: Any) -> None:
        """dpairs[i][1] += e, of numbers; an array there may have another name."""
        kind = self.kind(slot)
        if isinstance(kind, Num) and not (kind.is_scalar or _may_be_none(kind)):
            line = ir.Assign(slot, quote("{a} + {b}", a=slot, b=e), NOWHERE)
            if kind.array and kind.is_double and self.number(e).is_double:
                self.added_to_parts.add(line)
            self.emit(line)
        else:
            self.add_item(slot, e)


def _adds_in_place(old: Grad, kind: Num) -> bool:
    have = old.kind
    if have.is_scalar and kind.is_scalar:
        return True
    if kind.is_complex:  # what may be complex may be real, too, and takes no complex numbers then
        return False
    if not (old.owned and have.known and kind.known) or kind.shape is None or have.shape is None:
        return False
    return bool(have.array) and broadcasts_to(kind.shape, have.shape)


def _as_it_broadcasts(e: Any) -> Any:
    """What is added in place is spread out by that: `np.full_like(x, g)` -> g."""
    match e:
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id="$np"), attr="full_like"),
            args=[_, g],
            keywords=[],
        ):
            return g
    return e


def _may_be_none(kind: Num) -> bool:
    """Whether the gradient of an element may be None: the element is, or nothing is known of it."""
    return kind.optional or (kind.array is None and kind.dtype is None)


def _fits(kind: Num, first: Num) -> bool:
    """Whether what is added to a gradient leaves its shape as it is."""
    if same_shape(kind.shape, first.shape):
        return True
    known = kind.known and first.known and kind.shape is not None and first.shape is not None
    return known and broadcasts_to(kind.shape or (), first.shape or ())


def _is_read_by_others(value: str, by_value: dict[str, Added]) -> bool:
    """Whether what another value receives is computed from this value's gradient."""
    return any(
        mentions_gradient(e, value)
        for other in by_value
        if other != value
        for _, e in by_value[other]
    )


def _mentions_later(parts: Added, value: str) -> bool:
    """Whether a gradient is read after the first addition to it."""
    return any(mentions_gradient(e, value) for _, e in parts[1:]) or any(
        path is not None and mentions_gradient(e, value) for path, e in parts
    )
