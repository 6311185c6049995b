"""Back through assignments and updates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.exchanged_names import ExchangedNames
from tangentish.adjoint.gradients import Grad, gradient_of, mentions_gradient, without_memory
from tangentish.adjoint.pull import Flow
from tangentish.adjoint.reverse_calls import is_differentiated
from tangentish.adjoint.selections import Guard
from tangentish.algebra.expressions import is_whole, whole
from tangentish.algebra.fresh import makes_array
from tangentish.algebra.new_values import new_value
from tangentish.algebra.reading import NOT_ASKED
from tangentish.algebra.tidy import negated
from tangentish.algebra.zeros import zero_of
from tangentish.infer import Callee, EntryOr, is_list_entry
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Num, Seq, replace
from tangentish.kinds.lengths import same_shape


@dataclass
class Assignments(ExchangedNames):
    """Simple statements."""

    def do(self, node: Any) -> None:
        if isinstance(node, gast.Expr):
            user = self.facts.user_of(node.value)
            if user is not None and is_differentiated(user):
                self.user_call(node.value, user, None)
            if self.is_list_method(node.value):
                self.list_method(self.facts.callees[node.value], None)

    def assign(self, target: Any, value: Any) -> None:
        user = self.facts.user_of(value)
        if user is not None and is_differentiated(user):
            self.user_call(value, user, target)
            return
        if self.changes_list(value):
            self.list_method(self.facts.callees[value], target)
            return
        self.root, self.target, self.result = value, target, NOT_ASKED
        match target:
            case gast.Name(id=name):
                if name in self.state and self.kind(target).active:
                    g = self.gradient(name)
                    grad = self.state.pop(name)
                    with self.under(self.with_names(grad.guards, value)):
                        self.pull(value, self.sized(g, grad, target))
                    if not self.keeps_gradient(name, grad):
                        self.flush({name})
                else:
                    self.state.pop(name, None)
            case gast.Tuple(elts=targets) | gast.List(elts=targets):
                self.assign_tuple(targets, value)
            case gast.Subscript():
                self.store(target, value)

    def read_back(self, target: Any, value: Any) -> Any | None:
        """The target as the value it was given, where it holds just that; of an update it does."""
        if isinstance(value, ir.Update):
            return new_value(target, self)
        if isinstance(target, gast.Subscript):
            place, stored = self.number(target), self.number(value)
            holds_all = place.is_double and stored.dtype is None
            if not (place.has_dtype_of(stored) or stored.weak or holds_all):
                return None
            if not (same_shape(place.shape, stored.shape) and place.array == stored.array):
                return None
        if isinstance(target, (gast.Tuple, gast.List)) and isinstance(self.kind(value), Num):
            return None  # an array that is taken apart is not the tuple of its rows
        return new_value(target, self)

    def sized(self, g: Any, grad: Grad, target: Any) -> Any:
        """The gradient as seen at one definition, where the kind may be better known than at the joins."""
        here = self.number(target)
        if grad.kind.shape is None and here.known:
            return self.copied_kind(g, replace(grad.kind, shape=here.shape, array=here.array))
        return g

    def copied_kind(self, node: Any, kind: Num) -> Any:
        new = ir.name(node.id)
        self.facts.kinds[new] = kind
        return new

    # -- tuples

    def assign_tuple(self, targets: Sequence[Any], value: Any) -> None:
        if self.exchange_gradients(targets, value):
            return
        names = [t.id for t in targets if isinstance(t, gast.Name)]
        display = isinstance(value, (gast.Tuple, gast.List)) and len(value.elts) == len(targets)
        stores = len(names) < len(targets)
        swaps = display and (stores or not set(names).isdisjoint(ir.names_in(value)))
        grads = [self.taken(target, swaps) for target in reversed(targets)][::-1]
        if all(g is None for g in grads):
            return
        self.root = None if display else value
        if display:
            once = not swaps and len(set(names)) == len(names)
            for target, element, g in zip(targets, value.elts, grads, strict=True):
                if once and isinstance(target, gast.Name):  # it is what its element is
                    self.root, self.target, self.result = element, target, NOT_ASKED
                if g is not None:
                    self.pull(element, g)
            self.root = None
        elif isinstance(self.kind(value), Num):
            self.pull_unpacked(targets, value, grads)
        else:
            self.pull(value, self.gathered(targets, value, grads))
        self.flush(set(names))

    def gathered(self, targets: Sequence[Any], value: Any, grads: Sequence[Any]) -> Any:
        """The gradient of a tuple, or a list, that was unpacked."""
        kind = self.kind(value)
        if not isinstance(kind, Seq):
            elements = [constant(None) if g is None else g for g in grads]
            return gast.Tuple(elements, gast.Load())
        elements = []
        for k, (target, g) in enumerate(zip(targets, grads, strict=True)):
            place = ir.subscript(value, constant(k))
            full = self.full(g, target) if g is not None and isinstance(target, gast.Name) else g
            elements.append(zero_of(place, kind.item) if g is None else full)
        return self.with_kind(gast.List(elements, gast.Load()), without_memory(kind))

    def pull_unpacked(self, targets: Sequence[Any], value: Any, grads: Sequence[Any]) -> None:
        """An array that was taken apart receives each gradient at its place."""
        places = [ir.subscript(value, constant(k)) for k in range(len(targets))]
        for place, target in zip(places, targets, strict=True):
            self.facts.kinds[place] = self.kind(target)
        root = ir.root_of(value)
        exact = isinstance(root, gast.Name) and self.is_exact(places[0], root)
        if not exact or self.is_all_of(value, grads):
            self.pull(value, self.put_together(targets, value, grads))
            return
        for place, g in zip(places, grads, strict=True):
            if g is not None:
                self.pull(place, g)

    def is_all_of(self, value: Any, grads: Sequence[Any]) -> bool:
        """Whether these numbers are the whole gradient of an array so far."""
        if not isinstance(value, gast.Name) or value.id in self.state or self.guards:
            return False
        have = [g for g in grads if g is not None]
        numbers = all(self.number(g).is_scalar and not self.number(g).is_complex for g in have)
        kind = self.number(value)
        return numbers and kind.array is True and kind.is_double and kind.known and kind.rank == 1

    def put_together(self, targets: Sequence[Any], value: Any, grads: Sequence[Any]) -> Any:
        """The gradient of an expression's array, of those of its elements or rows."""
        kind = self.number(value)
        numbers = all(g is None or self.number(g).is_scalar for g in grads)
        if numbers and kind.is_double and kind.known and kind.rank == 1:
            elements = [constant(0.0) if g is None else g for g in grads]
            whole = quote("np.array({elements})", elements=gast.List(elements, gast.Load()))
            return self.with_kind(whole, without_memory(kind))
        if self.are_whole(targets, grads):
            whole = quote("np.stack({rows})", rows=gast.List(list(grads), gast.Load()))
            return self.with_kind(whole, without_memory(kind))
        name = self.fresh("g")
        whole = self.named(name, without_memory(kind))
        zeros = quote("np.zeros_like({x})", x=self.available(value))
        self.emit(ir.Assign(ir.name(name), zeros, NOWHERE))
        for k, g in enumerate(grads):
            if g is not None:
                place = ir.subscript(whole, constant(k))
                self.emit(ir.Assign(place, g, NOWHERE))
        return whole

    def are_whole(self, targets: Sequence[Any], grads: Sequence[Any]) -> bool:
        """Whether every row has a gradient of its shape and type."""
        if any(g is None for g in grads):
            return False
        pairs = [(self.number(g), self.number(t)) for g, t in zip(grads, targets, strict=True)]
        return all(
            have.array is True and have.has_dtype_of(row) and same_shape(have.shape, row.shape)
            for have, row in pairs
        )

    # -- stores

    def store(self, target: Any, value: Any) -> None:
        """Back through x[i] = v:  g = dx[i]; dx[i] = 0; v receives g."""
        root = ir.root_of(target)
        if not isinstance(root, gast.Name) or root.id not in self.state:
            return
        self.updated = target  # what asks for its shape asks for the place, and names nothing
        if is_whole(target):
            self.store_whole(target, value, root.id)
            return
        slot = self.own_slot(target, root)
        if self.is_new_list(target):
            self.store_new(value, slot)
        else:
            self.store_over(target, value, root, slot)

    def store_over(self, target: Any, value: Any, root: Any, slot: Any) -> None:
        """The same, where something else has stood before."""
        cleared = ir.Assign(slot, self.cleared(target, slot), NOWHERE)
        if not self.kind(value).active:
            self.clear(cleared, target)
            return
        added = self.added_to_entry(target, value)
        if added is not None:
            self.pull(added, slot)
            self.flush(set())
            return
        start = len(self.out)
        slot = self.last_stored(slot)
        if root.id in ir.names_in(value):  # it most likely receives something itself: then a copy
            self.spread_copy_over(value, slot, target, cleared)
            if self.receives(root.id) and not self.goes_back_to(target, root.id):
                self.flush(set())
                return
            self.take_back(start)
        self.spread_over(value, slot, target, complete=True)
        if self.goes_back_to(target, root.id):
            ((_, _, e),) = self.pending
            self.pending.clear()
            self.unguard(root.id)
            self.emit(ir.Assign(slot, e, NOWHERE))
        elif self.needs_copy(root.id, slot, start):
            self.take_back(start)
            self.spread_copy_over(value, slot, target, cleared)
            self.flush(set())
        elif any(mentions_gradient(e, root.id) for _, _, e in self.pending):
            self.flush(set())
            self.clear(cleared, target)
        else:
            self.clear(cleared, target)
            self.flush(set())

    def clear(self, cleared: ir.Assign, target: Any) -> None:
        """dx[i] = 0"""
        self.emit(cleared)
        if isinstance(target.value, gast.Name):
            self.count_at(cleared.target, target.value, taken=False)

    def is_new_list(self, target: Any) -> bool:
        """Whether a list is stored under a key that was not there before."""
        return target in self.facts.new_entries and is_list_entry(self.kind(target.value))

    def store_new(self, value: Any, slot: Any) -> None:
        """Back through d[key] = xs, where there was no such key: nobody asks for its gradient from here on."""
        if not self.kind(value).active:
            return
        if isinstance(value, gast.List):
            self.pull_elements(value.elts, slot)
        else:
            self.pull(value, slot)
        self.flush(set())

    def added_to_entry(self, target: Any, value: Any) -> Any | None:
        """What `d[k] = d[k] + v`, or d.get(k, 0.0) + v, adds to a number under a key."""
        kind = self.kind(target.value)
        if not (isinstance(kind, Seq) and kind.keyed and isinstance(target.value, gast.Name)):
            return None
        match value:
            case gast.BinOp(left=left, op=gast.Add(), right=added):
                pass
            case _:
                return None
        callee = self.facts.callees.get(left)
        if callee is not None and isinstance(callee.function, EntryOr):
            left = ir.subscript(*callee.args[:2])
        alone = target.value.id not in ir.names_in(added) and self.number(added).is_scalar
        plain = self.number(value).is_scalar and self.kind(added).active
        same = isinstance(left, gast.Subscript) and _same_place(left, target)
        same = same and self.is_cheap_index(target.slice)  # which is evaluated twice
        return added if alone and plain and same else None

    def spread_copy_over(self, value: Any, slot: Any, target: Any, cleared: ir.Assign) -> None:
        """What stands at the slot gets a name, so that it outlasts that the slot is cleared."""
        g = self.give_name(self.detached(slot), "g")
        self.clear(cleared, target)
        self.spread_over(value, g, target, complete=True)

    def take_back(self, start: int) -> None:
        """Nothing was written since, and nothing is pending."""
        del self.out[start:]
        self.pending.clear()

    def receives(self, name: str) -> bool:
        return any(web == name for web, _, _ in self.pending)

    def goes_back_to(self, target: Any, name: str) -> bool:
        """Whether x[i] = f(x[i]) passes its gradient on to that very place, and to nothing else."""
        if len(self.pending) != 1 or self.repeats(target) or self.is_list(name):
            return False
        ((value, path, _),) = self.pending
        return value == name and path is not None and _same_place(path, self.stable_index(target))

    def store_whole(self, target: Any, value: Any, name: str) -> None:
        """Back through x[...] = v: v receives dx, and what x held before has no gradient."""
        g = self.gradient(name)
        grad = self.state.pop(name)
        if self.kind(value).active:
            self.spread_over(value, self.sized(g, grad, target), target)
            self.flush({name})

    def cleared(self, target: Any, slot: Any) -> Any:
        """What the gradient at a place is while the place is overwritten."""
        kind = self.kind(target.value)
        if is_list_entry(kind):
            before = quote("{d}.get({k}, ())", d=target.value, k=self.stable_part(target.slice))
            return zero_of(before, kind.item)
        if (
            isinstance(kind, Seq) and kind.keyed
        ):  # of one shape; the dict may have no such key before
            return zero_of(slot, kind.item)
        return zero_of(target, kind.item) if isinstance(kind, Seq) else constant(0)

    def needs_copy(self, name: str, slot: Any, start: int) -> bool:
        """Whether what stands at the slot has to survive that the slot is cleared."""
        readers = [e for _, _, e in self.pending if mentions_gradient(e, name)]
        if len(readers) > 1 or self.receives(name):
            return True
        made = [s.value for s in self.out[start:] if isinstance(s, ir.Assign)]
        direct = any(_may_be(e, slot) for e in (*made, *(e for _, _, e in self.pending)))
        return direct and not self.is_fresh(slot)

    def spread_over(self, value: Any, g: Any, target: Any, complete: bool = False) -> None:
        """What is stored broadcasts over the place it is stored to; complete: `g` has the shape of the place."""
        result = self.number(target)
        self.reduce_to(value, g, result, (target,), Flow(result, complete=complete))

    # -- updates

    def update(self, statement: ir.Update) -> None:
        target, op = statement.target, statement.op
        if self.is_list_method(statement):
            self.list_method(self.facts.callees[statement], None)
            return
        root = ir.root_of(target)
        if not isinstance(root, gast.Name) or root.id not in self.state:
            return
        if isinstance(target, gast.Name) and self.number(target).array is not True:
            self.rebinding_update(statement, target)
            return
        callee = self.facts.callees.get(statement)
        active = self.number(target).active
        if self.is_replaced(statement, root.id) and callee is not None and callee.rule is not None:
            self.update_whole(statement, root, callee)
            return
        slot = self.own_slot(target, root)
        if callee is None or callee.rule is None:
            if not (active and isinstance(op, (gast.Add, gast.Sub, gast.Mult, gast.Div))):
                self.emit(ir.Assign(whole(slot), constant(0), NOWHERE))
            return
        self.root, self.target, self.result = statement, target, NOT_ASKED
        self.updated = target
        if isinstance(op, (gast.Add, gast.Sub)):
            self.update_by_sum(statement, slot)
        elif not (
            isinstance(op, (gast.Mult, gast.Div)) and self.scaled_in_place(statement, slot, callee)
        ):
            g = self.give_name(self.detached(self.last_stored(slot)), "g")
            self.emit(ir.Assign(whole(slot), constant(0), NOWHERE))
            self.pull_rule(statement, g, callee)
            self.flush(set())

    def is_replaced(self, statement: ir.Update, name: str) -> bool:
        """Whether all of an array gets new elements, which are no sum of the old ones and others."""
        target, op = statement.target, statement.op
        if not (isinstance(target, gast.Name) or is_whole(target)):
            return False
        scaled = isinstance(op, (gast.Mult, gast.Div)) and name not in ir.names_in(statement.value)
        return not scaled and type(op) in _ELEMENTWISE

    def update_whole(self, statement: ir.Update, root: Any, callee: Callee) -> None:
        """Back through x /= f(x): x held something else before, which receives all that there is."""
        self.root, self.target, self.result = statement, statement.target, NOT_ASKED
        self.make_full(root.id, self.kind(root))
        g = self.gradient(root.id)
        del self.state[root.id]
        self.pull_rule(statement, g, callee)
        self.flush({root.id})

    def update_by_sum(self, statement: ir.Update, slot: Any) -> None:
        """Back through x += v:  v receives dx, which stays."""
        root = ir.root_of(statement.target).id
        if not isinstance(statement.op, (ir.AddAt, ir.SubAt)):
            slot = self.last_stored(slot)
        self.pull_summand(statement, slot)
        own = [(path, e) for web, path, e in self.pending if web == root]
        if len(own) > 1 or any(path is None and mentions_gradient(e, root) for path, e in own):
            self.pending.clear()
            self.pull_summand(statement, self.give_name(self.detached(slot), "g"))
        self.flush(set())

    def pull_summand(self, statement: ir.Update, g: Any) -> None:
        target, value = statement.target, statement.value
        g = negated(g, self.kind) if isinstance(statement.op, gast.Sub) else g
        result = self.number(target)
        self.reduce_to(value, g, result, (target, value), Flow(result, complete=True))

    def scaled_in_place(self, statement: ir.Update, slot: Any, callee: Callee) -> bool:
        """Back through x *= v:  v receives dx * x, then dx *= v."""
        target, value = statement.target, statement.value
        rule = callee.rule
        assert rule is not None
        if ir.root_of(target).id in ir.names_in(value):
            return False
        name = rule.parameters[-1].name
        if self.kind(value).active:
            start = len(self.out)
            g = self.last_stored(slot)
            e = self.instantiate(self.text(rule, name, callee), callee, statement, g)
            self.deliver(value, e, statement, callee)
            if any(web == ir.root_of(target).id for web, _, _ in self.pending):
                del self.out[start:]
                self.pending.clear()
                return False
            self.flush(set())
        factor = self.available(value)
        if statement in self.clipped:  # the gradient may be infinite where the mask is False
            kept = self.masked(slot, Guard(factor, taken=True, done=False))
            self.emit(ir.Assign(whole(slot), kept, NOWHERE))
        else:
            self.emit(ir.Update(slot, statement.op, factor, NOWHERE))
        return True

    def rebinding_update(self, statement: ir.Update, target: Any) -> None:
        name = target.id
        callee = self.facts.callees.get(statement)
        g = self.gradient(name)
        grad = self.state.pop(name)
        if callee is None or callee.rule is None:
            return
        self.root, self.target, self.result = statement, target, NOT_ASKED
        self.pull_rule(statement, g, callee)
        for k, (web, path, e) in enumerate(self.pending):
            if web == name and path is None and ir.is_name(e, gradient_of(name)):
                self.state[name] = grad  # `s += e` leaves ds as it is
                del self.pending[k]
                break
        self.flush({name})


_ELEMENTWISE = (gast.Mult, gast.Div, gast.Pow, gast.Mod, gast.FloorDiv)


def _same_place(a: Any, b: Any) -> bool:
    """Whether two subscript chains are spelt alike, one of them being stored to."""
    one, other = (ir.dump(e).replace("Store()", "Load()") for e in (a, b))
    return one == other


def _may_be(e: Any, slot: Any) -> bool:
    """Whether an expression is, or may be, the slot's own memory."""
    match e:
        case gast.BinOp() | gast.UnaryOp():
            return False
        case gast.Call() if makes_array(e):
            return False
    return any(sub is slot for sub in ir.walk(e))
