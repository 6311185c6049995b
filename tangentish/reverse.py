"""Normal form -> the adjoint: the statements that walk back and build up the gradients.

Every statement is taken back by the rule of its outermost operation, then its operands', down to names: what arrives at a
name is added to that name's gradient. What the adjoint reads of the forward pass is either there by itself (a name, an
element, a cheap scalar), or is given a name in the forward pass (`temporaries`). Every overwritten value gets a `Restore`;
liveness.py deletes those that nobody reads, together with their saves.

The gradient of a value is known by its kind, which may be thinner than the value (a scalar that stands for an array filled
with it), and by whether its array is owned: only an owned array is added to in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer import Callee, Facts, Inference, UserCall, buffers_of, literal_of
from tangentish.kinds import UNKNOWN, Kind, Known, Num, Shape, Tup, broadcasts_to, same_shape
from tangentish.quote import call, constant, helper, quote, template
from tangentish.rules import Rule
from tangentish.rules.rule import ABSENT
from tangentish.saving import Saves, Slot
from tangentish.tidy import negated, tidy

__all__ = ["Adjoint", "Pair", "Reverse", "gradient_of"]

LONGEST = 24  # nodes of an expression that is passed on without a name


@dataclass(frozen=True, slots=True)
class Grad:
    """What is known of a gradient: its kind, and whether its array is its own."""

    kind: Num
    owned: bool


@dataclass(frozen=True, eq=False)
class Pair:
    """The forward and adjoint functions of a callee, by the names under which generated code calls them."""

    forward: str
    adjoint: str
    active: tuple[int, ...]  # parameters whose gradients the adjoint returns, in order
    written: tuple[int, ...]  # of these, the ones whose gradient goes in and comes out
    result_active: bool


@dataclass(frozen=True, eq=False)
class Adjoint:
    """The adjoint of a block: its statements, and what it asks of the forward pass."""

    body: ir.Block
    state: dict[str, Grad]


def gradient_of(value: str) -> str:
    """The value that holds the gradient of a value: `dx.~x~0` of `x.0`."""
    return f"d{ir.base_name(value)}.~{value.replace('.', '~')}"


@dataclass
class Reverse:
    """The walk back over one function."""

    facts: Facts
    walk: Inference
    saves: Saves
    pair: Callable[[UserCall, Any], Pair]
    state: dict[str, Grad] = field(default_factory=dict)
    out: list[ir.Statement] = field(default_factory=list)
    pending: list[tuple[str, Any, Any]] = field(default_factory=list)
    temporaries: dict[Any, str] = field(default_factory=dict)  # node -> its name in the forward pass
    calls: dict[Any, str] = field(default_factory=dict)  # user call -> the name of what it saved
    trips: dict[ir.Statement, str] = field(default_factory=dict)
    tests: dict[ir.Statement, Any] = field(default_factory=dict)
    commented: int | None = None  # the line that the last comment shows
    made: list[str] = field(default_factory=list)  # what the block at hand has the forward pass name
    made_slots: dict[ir.Block, list[ir.Slot]] = field(default_factory=dict)
    count: int = 0
    updated: Any = None  # the target of the update at hand
    after_call: int = 0  # where the lines after a callee's adjoint start
    result: Any = None  # how the adjoint writes the value of the statement at hand
    root: Any = None

    # -- values and kinds

    def fresh(self, base: str) -> str:
        self.count += 1
        return f"{base}.~{self.count}"

    def made_forward(self, base: str) -> str:
        """A new name that the forward pass sets in the block at hand."""
        name = self.fresh(base)
        self.made.append(name)
        return name

    def kind(self, node: Any) -> Kind:
        if node in self.facts.kinds:
            return self.facts.kinds[node]
        kind = self.walk.evaluate_cached(node)
        self.facts.kinds[node] = kind
        return kind

    @cached_property
    def mixed(self) -> bool:
        """Whether numbers of several types meet, so that a gradient may have another type than its value."""
        numbers = [k for k in self.facts.kinds.values() if isinstance(k, Num) and k.is_float]
        dtypes = {k.dtype for k in numbers if not k.weak}
        weak = any(isinstance(k, Num) and k.weak and k.active for k in self.facts.entry.values())
        return len(dtypes) > 1 or None in dtypes or (weak and not dtypes <= {np.dtype(float)})

    def number(self, node: Any) -> Num:
        kind = self.kind(node)
        return kind if isinstance(kind, Num) else Num(None, None, None)

    def named(self, value: str, kind: Kind) -> Any:
        node = ir.name(value)
        self.facts.kinds[node] = kind
        self.facts.web_kinds.setdefault(value, kind)
        return node

    def gradient(self, value: str) -> Any:
        grad = self.state[value]
        name = gradient_of(value)
        self.facts.web_kinds[name] = grad.kind
        return self.named(name, grad.kind)

    def value_kind(self, value: str) -> Num:
        kind = self.facts.web_kinds.get(value, UNKNOWN)
        return kind if isinstance(kind, Num) else Num(None, None, None)

    # -- what the adjoint may read of the forward pass

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
            self.temporaries[node] = self.made_forward(base)
        return self.named(self.temporaries[node], self.kind(node))

    def is_cheap(self, node: Any) -> bool:
        match node:
            case gast.Constant() | gast.Name():
                return True
            case gast.Attribute(value=value):
                return self.is_cheap(value) and self.is_lasting(value)
            case gast.Subscript(value=value, slice=index):
                plain = self.is_lasting(value) and not self.walk.is_fancy(index)
                return plain and self.is_cheap(value) and self.is_cheap_index(index)
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                return all(map(self.is_cheap, elements))
            case gast.UnaryOp(op=gast.USub() | gast.UAdd(), operand=operand):
                return self.number(node).is_scalar and self.is_cheap(operand)
            case gast.BinOp(left=left, op=op, right=right) if isinstance(op, (gast.Add, gast.Sub, gast.Mult)):
                small = sum(1 for _ in ir.walk(node)) <= 16
                return small and self.number(node).is_scalar and self.is_cheap(left) and self.is_cheap(right)
            case gast.Call(func=gast.Name(id="len"), args=[argument]):
                return self.is_cheap(argument) and self.is_lasting(argument)
        return False

    def is_lasting(self, node: Any) -> bool:
        """Whether what an object holds is followed: arrays and tuples are, lists and other objects are not."""
        kind = self.kind(node)
        return isinstance(kind, (Num, Known)) or (isinstance(kind, Tup) and not kind.is_list)

    def is_cheap_index(self, index: Any) -> bool:
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        for part in parts:
            bounds = (part.lower, part.upper, part.step) if isinstance(part, gast.Slice) else (part,)
            if not all(b is None or self.is_cheap(b) for b in bounds):
                return False
        return True

    def stable_index(self, target: Any) -> Any:
        """A subscript chain whose index expressions can be evaluated again: costly ones get a name."""

        def change(node: Any) -> Any:
            match node:
                case gast.Subscript(value=value, slice=index, ctx=ctx):
                    return self.copied(node, gast.Subscript(self.stable_index(value), self.stable_part(index), ctx))
            return node if type(node) is gast.Name else None

        return ir.copy_expression(target, change)

    def stable_part(self, index: Any) -> Any:
        match index:
            case gast.Tuple(elts=elements, ctx=ctx):
                return self.copied(index, gast.Tuple([self.stable_part(e) for e in elements], ctx))
            case gast.Slice(lower=lower, upper=upper, step=step):
                parts = (None if b is None else self.available(b) for b in (lower, upper, step))
                return self.copied(index, gast.Slice(*parts))
        return self.available(index)

    def copied(self, old: Any, new: Any) -> Any:
        if old in self.facts.kinds:
            self.facts.kinds[new] = self.facts.kinds[old]
        return new

    # -- blocks and statements

    def block(self, block: ir.Block) -> ir.Block:
        """The adjoint of a block; `state` goes from its end to its start."""
        outer, self.out = self.out, []
        outer_made, self.made = self.made, []
        for statement in reversed(block):
            if statement in self.facts.before:  # else it can't be reached
                self.statement(statement)
        slots = list(self.saves.block_slots.get(block, ()))
        if self.saves.inside_loop(block):
            made = [ir.Slot(name, ir.name(name), tape=True) for name in self.made]
            self.made_slots.setdefault(block, []).extend(made)
            slots += made
        done = (*(ir.Restore(slot) for slot in slots), *self.out)
        self.out, self.made = outer, outer_made
        return done

    def statement(self, statement: ir.Statement) -> None:
        start = len(self.out)
        self.updated, self.after_call = None, 0
        match statement:
            case ir.Assign(target, value):
                self.assign(statement, target, value)
            case ir.Update():
                self.update(statement)
            case ir.Do(node):
                self.do(statement, node)
            case ir.If():
                self.branch(statement)
            case ir.For() | ir.While():
                self.loop(statement)
        simple = not isinstance(statement, (ir.If, ir.For, ir.While))
        if simple:
            self.restore(statement, max(start, self.after_call))
        for k in range(start if simple else len(self.out), len(self.out)):
            self.out[k] = _without_post(self.out[k])
        if simple and len(self.out) > start and not self.said_before(statement, start):
            self.out.insert(start, ir.Comment(_comment(statement)))
        known = self.facts.before[statement]
        for value in [v for v in self.state if v not in known and not isinstance(statement, ir.Do)]:
            if value in self.facts.web_kinds and not _defined_later(value, statement):
                self.state.pop(value)

    def said_before(self, statement: ir.Statement, start: int) -> bool:
        """Whether the lines above belong to the same line of the user's."""
        line = getattr(statement_origin(statement).node, "lineno", None)
        same = line is not None and start > 0 and self.commented == line
        self.commented = line
        return same

    def restore(self, statement: ir.Statement, start: int) -> None:
        """Put the restores of what the statement overwrote before the first line that reads the old value."""
        for slot in self.saves.before(statement, self.stable_index):
            at = start
            while at < len(self.out) and not self.reads_old(self.out[at], slot):
                at += 1
            late = [k for k in range(at, len(self.out)) if _reads(self.out[k], slot.name, post=True)]
            if late:
                kept = self.keep_new_value(statement, slot)
                for k in late:
                    self.out[k] = _replace_post(self.out[k], slot.name, kept)
                new = self.result_expression(statement)
                self.out.insert(at, ir.Assign(ir.name(kept), _plain_copy(new, slot), statement_origin(statement)))
                at += 1
            self.out.insert(at, ir.Restore(slot))


    def reads_old(self, statement: ir.Statement, slot: Slot) -> bool:
        """Whether a line reads what the slot holds, by that name or by another of the same memory."""
        names = {n for e in ir.expressions_of(statement) for n in ir.names_in(e)}
        if slot.name in names or not slot.content:
            return slot.name in names
        sites = self.facts.sites(slot.name)
        return any(sites & self.facts.sites(name) for name in names if ir.is_value(name))

    def keep_new_value(self, statement: ir.Statement, slot: Slot) -> str:
        return self.fresh(f"{ir.base_name(slot.name)}_new")

    def result_expression(self, statement: ir.Statement) -> Any:
        match statement:
            case ir.Assign(target) | ir.Update(target):
                return target
        raise AssertionError(statement)

    # -- assignments

    def assign(self, statement: ir.Assign, target: Any, value: Any) -> None:
        callee = self.facts.callees.get(value)
        if callee is not None and callee.user is not None and _is_differentiated(callee.user):
            self.user_call(value, callee.user, target)
            return
        self.root, self.result = value, self.read_back(target, value)
        match target:
            case gast.Name(id=name):
                if name in self.state and self.kind(target).active:
                    g = self.gradient(name)
                    grad = self.state.pop(name)
                    self.pull(value, self.sized(g, grad, target))
                    self.flush({name})
                else:
                    self.state.pop(name, None)
            case gast.Tuple(elts=targets) | gast.List(elts=targets):
                self.assign_tuple(targets, value)
            case gast.Subscript():
                self.store(target, value)

    def read_back(self, target: Any, value: Any) -> Any | None:
        """The target as the value it was given, where it holds just that."""
        if isinstance(target, gast.Subscript):
            place, stored = self.number(target), self.number(value)
            if place.dtype != stored.dtype and not stored.weak:
                return None
            if not (same_shape(place.shape, stored.shape) and place.array == stored.array):
                return None
        return _post(target, self)

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

    def assign_tuple(self, targets: Sequence[Any], value: Any) -> None:
        grads: list[Any] = []
        names = [t.id for t in targets if isinstance(t, gast.Name)]
        display = isinstance(value, (gast.Tuple, gast.List)) and len(value.elts) == len(targets)
        read = set(ir.names_in(value))
        stores = [t for t in targets if not isinstance(t, gast.Name)]
        for target in reversed(targets):
            grads.append(self.taken(target, display and (bool(read & set(names)) or bool(stores))))
        grads.reverse()
        if all(g is None for g in grads):
            return
        self.root = None if display else value
        if display:
            for element, g in zip(value.elts, grads, strict=True):
                if g is not None:
                    self.pull(element, g)
        elif isinstance(self.kind(value), Num):
            for k, g in enumerate(grads):
                if g is not None:
                    part = gast.Subscript(value, constant(k), gast.Load())
                    self.facts.kinds[part] = self.kind(targets[k])
                    self.pull(part, g)
        else:
            self.pull(value, gast.Tuple([constant(None) if g is None else g for g in grads], gast.Load()))
        self.flush(set(names))

    def taken(self, target: Any, name_it: bool) -> Any | None:
        """The gradient that stands at a target; the target itself has none any more."""
        match target:
            case gast.Name(id=name):
                if name not in self.state or not self.kind(target).active:
                    self.state.pop(name, None)
                    return None
                g = self.gradient(name)
                grad = self.state.pop(name)
                if name_it:
                    g = self.give_name(g, "g", grad.owned)
                return g
            case gast.Subscript():
                root = ir.root_of(target)
                if not isinstance(root, gast.Name) or root.id not in self.state:
                    return None
                slot = self.slot(target)
                g = self.give_name(self.detached(slot), "g")
                self.emit(ir.Assign(slot, constant(0), NOWHERE))
                return g
            case gast.Tuple(elts=targets):
                parts = [self.taken(t, True) for t in targets]
                return gast.Tuple([constant(None) if p is None else p for p in parts], gast.Load())
        return None

    def detached(self, slot: Any) -> Any:
        """The gradient at a slot as a value of its own, which survives that the slot is set to zero."""
        kind = self.number(slot)
        return slot if kind.is_scalar else quote("{x}.copy()", x=slot)

    def store(self, target: Any, value: Any) -> None:
        """x[i] = v:  g = dx[i]; dx[i] = 0; v receives g."""
        root = ir.root_of(target)
        if not isinstance(root, gast.Name) or root.id not in self.state:
            return
        self.make_own(root.id, root)
        if ir.has_view_call(target):
            self.make_contiguous(root.id)
        slot = self.slot(target)
        cleared = ir.Assign(slot, constant(0), NOWHERE)
        if not self.kind(value).active:
            self.emit(cleared)
            return
        start = len(self.out)
        self.spread_over(value, slot, target)
        touched = {web for web, _, _ in self.pending}
        readers = sum(1 for _, _, e in self.pending if _mentions(e, root.id))
        made = [s.value for s in self.out[start:] if isinstance(s, ir.Assign)]
        direct = any(_mentions_slot_bare(e, slot) for e in (*made, *(e for _, _, e in self.pending)))
        if root.id in touched or readers > 1 or (direct and not self.number(slot).is_scalar):
            del self.out[start:]
            self.pending.clear()
            g = self.give_name(self.detached(slot), "g")
            self.emit(cleared)
            self.spread_over(value, g, target)
            self.flush(set())
        else:
            named = self.out[start:]
            reads_slot = any(_mentions(e, root.id) for _, _, e in self.pending)
            if reads_slot:
                self.flush(set())
                self.emit(cleared)
            else:
                del self.out[start:]
                self.out += named
                self.emit(cleared)
                self.flush(set())

    def spread_over(self, value: Any, g: Any, target: Any) -> None:
        """What is stored broadcasts over the place it is stored to."""
        self.reduce_to(value, g, self.number(target), (target,))

    def update(self, statement: ir.Update) -> None:
        target, value, op = statement.target, statement.value, statement.op
        root = ir.root_of(target)
        if not isinstance(root, gast.Name) or root.id not in self.state:
            return
        if isinstance(target, gast.Name) and self.number(target).array is not True:
            self.rebinding_update(statement, target)
            return
        callee = self.facts.callees.get(statement)
        if isinstance(target, gast.Name):
            old_kind = self.number(target)
        else:
            old_kind = self.number(target)
        self.make_own(root.id, root)
        if ir.has_view_call(target):
            self.make_contiguous(root.id)
        slot = self.gradient(root.id) if isinstance(target, gast.Name) else self.slot(target)
        if callee is None or callee.rule is None:
            if type(op).__name__ not in ("Add", "Sub", "Mult", "Div") or not old_kind.active:
                self.emit(ir.Assign(_whole(slot), constant(0), NOWHERE))
            return
        self.root, self.result = statement, _post(target, self)
        self.updated = target
        if isinstance(op, (gast.Add, gast.Sub)):
            g = negated(slot) if isinstance(op, gast.Sub) else slot
            self.reduce_to(value, g, self.result_kind(statement, target), (target, value))
            if len([1 for web, _, _ in self.pending if web == root.id]) > 1 or any(
                web == root.id and _mentions(e, root.id) and path is None for web, path, e in self.pending
            ):
                self.pending.clear()
                named = self.give_name(self.detached(slot), "g")
                g = negated(named) if isinstance(op, gast.Sub) else named
                self.reduce_to(value, g, self.result_kind(statement, target), (target, value))
            self.flush(set())
            return
        if isinstance(op, (gast.Mult, gast.Div)) and self.scaled_in_place(statement, slot, callee):
            return
        g = self.give_name(self.detached(slot), "g")
        self.emit(ir.Assign(_whole(slot), constant(0), NOWHERE))
        self.pull_rule(statement, g, callee)
        self.flush(set())

    def scaled_in_place(self, statement: ir.Update, slot: Any, callee: Callee) -> bool:
        """x *= v:  v receives dx * x, then dx *= v."""
        target, value = statement.target, statement.value
        rule = callee.rule
        assert rule is not None
        if ir.root_of(target).id in ir.names_in(value):
            return False
        name = rule.parameters[-1].name
        if self.kind(value).active:
            start = len(self.out)
            e = self.instantiate(self.text(rule, name, callee), rule, callee, statement, slot)
            self.deliver(value, e, statement, rule)
            if any(web == ir.root_of(target).id for web, _, _ in self.pending):
                del self.out[start:]
                self.pending.clear()
                return False
            self.flush(set())
        self.emit(ir.Update(slot, statement.op, self.available(value), NOWHERE))
        return True

    def result_kind(self, statement: ir.Update, target: Any) -> Num:
        return self.number(target)

    def rebinding_update(self, statement: ir.Update, target: Any) -> None:
        name = target.id
        callee = self.facts.callees.get(statement)
        g = self.gradient(name)
        grad = self.state.pop(name)
        if callee is None or callee.rule is None:
            return
        self.root, self.result = statement, _post(target, self)
        self.pull_rule(statement, g, callee)
        for k, (web, path, e) in enumerate(self.pending):
            if web == name and path is None and _is_name(e, gradient_of(name)):
                self.state[name] = grad  # `s += e` leaves ds as it is
                del self.pending[k]
                break
        self.flush({name})

    def do(self, statement: ir.Do, node: Any) -> None:
        if isinstance(node, gast.Expr):
            callee = self.facts.callees.get(node.value)
            if callee is not None and callee.user is not None and _is_differentiated(callee.user):
                self.user_call(node.value, callee.user, None)

    # -- control flow

    def branch(self, statement: ir.If) -> None:
        if statement in self.facts.branches:
            taken = statement.body if self.facts.branches[statement] else statement.orelse
            self.out += self.block(taken)
            return
        start = dict(self.state)
        body = list(self.block(statement.body))
        body_state, self.state = self.state, dict(start)
        orelse = list(self.block(statement.orelse))
        orelse_state = self.state
        self.merge(statement, body, body_state, orelse, orelse_state)
        if body or orelse:
            self.out.append(ir.If(self.test(statement), tuple(body), tuple(orelse), NOWHERE))

    def merge(
        self, statement: ir.If, body: list[ir.Statement], a: dict[str, Grad],
        orelse: list[ir.Statement], b: dict[str, Grad],
    ) -> None:  # fmt: skip
        merged: dict[str, Grad] = {}
        known = self.facts.before[statement]
        for value in dict.fromkeys((*a, *b)):
            if value not in known and value in self.facts.web_kinds and not value.startswith("$"):
                continue
            for state, other, lines in ((a, b, body), (b, a, orelse)):
                self.state = state
                if value not in state:
                    lines += self.collected(lambda v=value: self.zero(v, known.get(v)))
                elif not same_shape(state[value].kind.shape, self.shape_of(value, known)) and (
                    value in other and not same_shape(state[value].kind.shape, other[value].kind.shape)
                ):
                    lines += self.collected(lambda v=value: self.make_full(v, known.get(v)))
            ka, kb = a[value].kind, b[value].kind
            kind = ka if same_shape(ka.shape, kb.shape) and ka.array == kb.array else self.full_kind(value, known.get(value))
            if ka.array != kb.array or not same_shape(ka.shape, kb.shape):
                for state, lines in ((a, body), (b, orelse)):
                    self.state = state
                    lines += self.collected(lambda v=value: self.make_full(v, known.get(v)))
            same = ka.dtype == kb.dtype
            kind = replace(
                kind, dtype=ka.dtype if same else None, weak=ka.weak and kb.weak,
                contiguous=a[value].kind.contiguous and b[value].kind.contiguous,
            )  # fmt: skip
            merged[value] = Grad(kind, a[value].owned and b[value].owned)
        self.state = merged

    def shape_of(self, value: str, known: dict[str, Kind]) -> Shape | None:
        kind = known.get(value)
        return kind.shape if isinstance(kind, Num) else None

    def collected(self, action: Callable[[], None]) -> list[ir.Statement]:
        outer, self.out = self.out, []
        action()
        done, self.out = self.out, outer
        return done

    def test(self, statement: ir.If) -> Any:
        """The test as the adjoint reads it: again, where that is cheap and gives the same; else a name."""
        test = statement.test
        if test in self.temporaries:
            return self.named(self.temporaries[test], UNKNOWN)
        if isinstance(test, gast.Name) or self.is_cheap_test(test):
            names = [n for n in ir.names_in(test) if ir.is_value(n)]
            inside = {n for s in ir.walk_statements((*statement.body, *statement.orelse)) for n in
                      (*ir.defined_names(s), *self.facts.writes.get(s, ()))}  # fmt: skip
            free = all(self.saves.is_persistent(n) for n in names) or not self.saves.in_loop(statement)
            if free and not inside & set(names) and not self.is_written_inside(names, statement):
                return test
            if isinstance(test, gast.Name) and not inside & set(names):
                return test
        return self.hoist(test, _test_name(test))

    def is_written_inside(self, names: Iterable[str], statement: ir.If) -> bool:
        sites = {site for n in names for site in self.facts.sites(n)}
        written = {
            site
            for s in ir.walk_statements((*statement.body, *statement.orelse))
            for n in self.facts.writes.get(s, ())
            for site in self.facts.sites(n)
        }
        return bool(sites & written)

    def is_cheap_test(self, test: Any) -> bool:
        match test:
            case gast.Compare(left=left, comparators=[right]):
                scalars = all(self.kind(n) is UNKNOWN or self.number(n).is_scalar for n in (left, right))
                return scalars and self.is_cheap(left) and self.is_cheap(right)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                return isinstance(operand, gast.Name) or self.is_cheap_test(operand)
            case gast.BoolOp(values=values):
                return all(map(self.is_cheap_test, values))
            case gast.Name():
                return True
        return False

    def loop(self, statement: ir.For | ir.While) -> None:
        carried = self.carried(statement)
        head = self.facts.heads[statement]
        copies: dict[ir.Statement, str] = {}  # made in case the loop adds to the gradient in place
        for value in sorted(carried):
            kind = head.get(value)
            if value not in self.state:
                self.zero(value, kind)
            else:
                self.make_full(value, kind)
                copies |= self.copied_for_loop(value, self.out)
        entry = dict(self.state)
        body = list(self.block(statement.body))
        for value in sorted(entry):
            if value not in self.state:
                body += self.collected(lambda v=value: self.zero(v, head.get(v)))
            elif value in carried:
                body += self.collected(lambda v=value: self.make_full(v, head.get(v)))
                lines = self.collected(lambda v=value: self.make_own(v))
                copies |= dict.fromkeys(lines, value)
                body += lines
        for value in sorted(carried):
            if entry[value].kind.contiguous and not self.state[value].kind.contiguous and self.state[value].kind.array:
                body += self.collected(lambda v=value: self.make_contiguous(v))
        self.state = {
            value: self.after_loop(value, entry[value], grad, head.get(value)) if value in carried else grad
            for value, grad in self.state.items()
            if value in entry
        }
        idle = {s for s, value in copies.items() if not _changed_in_place(body, gradient_of(value))}
        self.out = [s for s in self.out if s not in idle]
        body = [s for s in body if s not in idle]
        for value in {copies[s] for s in idle}:
            self.state[value] = Grad(self.state[value].kind, False)
        self.out.append(self.backwards(statement, tuple(body)))
        self.out += map(ir.Restore, self.saves.around_loop(statement))

    def copied_for_loop(self, value: str, out: list[ir.Statement]) -> dict[ir.Statement, str]:
        before = len(out)
        self.make_own(value)
        return dict.fromkeys(out[before:], value)

    def after_loop(self, value: str, entry: Grad, end: Grad, kind: Kind | None) -> Grad:
        dtype = entry.kind.dtype if entry.kind.dtype == end.kind.dtype else None
        weak = entry.kind.weak and end.kind.weak
        full = replace(self.full_kind(value, kind), dtype=dtype, weak=weak, contiguous=entry.kind.contiguous)
        return Grad(full, end.owned)

    def backwards(self, statement: ir.For | ir.While, body: ir.Block) -> ir.Statement:
        if isinstance(statement, ir.While):
            trips = self.trip_count(statement)
            return ir.For(ir.name("_"), quote("range({n})", n=trips), body, None, NOWHERE)
        bounds = self.facts.callees[statement.iter].args
        iterator = self.reversed_range(statement, [self.bound(b, statement) for b in bounds])
        end = self.saves.at_end_of_trip(statement)
        if end is not None:
            return ir.For(ir.name("_"), iterator, (ir.Restore(end), *body), None, NOWHERE)
        return ir.For(statement.target, iterator, body, None, NOWHERE)

    def trip_count(self, statement: ir.Statement) -> Any:
        if statement not in self.trips:
            self.trips[statement] = self.made_forward("trips")
        return self.named(self.trips[statement], Num(np.dtype(int), (), False, weak=True))

    def bound(self, node: Any, statement: ir.Statement) -> Any:
        names = [n for n in ir.names_in(node) if ir.is_value(n)]
        if self.is_cheap(node) and all(self.saves.is_persistent(n) for n in names):
            return node
        return self.hoist(node, "n")

    def reversed_range(self, statement: ir.For, bounds: list[Any]) -> Any:
        """range(n) backwards is range(n - 1, -1, -1)."""
        if statement.stop is not None:
            whole = gast.Call(helper("range"), bounds, [])
            if len(bounds) == 1:
                return quote("range({n} - 1, -1, -1)", n=self.trip_count(statement))
            return quote("reversed({r}[:{n}])", r=whole, n=self.trip_count(statement))
        step = literal_of(bounds[2]) if len(bounds) == 3 else 1
        start = bounds[0] if len(bounds) > 1 else constant(0)
        stop = bounds[1] if len(bounds) > 1 else bounds[0]
        if step == 1:
            return gast.Call(helper("range"), [_shifted(stop, -1), _shifted(start, -1), constant(-1)], [])
        if step == -1:
            up = [_shifted(stop, 1), _shifted(start, 1)]
            return gast.Call(helper("range"), up[1:] if literal_of(up[0]) == 0 else up, [])
        return quote("reversed({r})", r=gast.Call(helper("range"), bounds, []))

    def carried(self, statement: ir.For | ir.While) -> set[str]:
        """The values whose gradient is not zero at the head of the loop."""
        useful = set(self.state)
        while True:
            more = useful | self.useful(statement.body, set(useful))
            if more == useful:
                break
            useful = more
        head = self.facts.heads[statement]
        touched = self.touched(statement.body)
        return {v for v in useful if v in head and head[v].active and v in touched}

    def touched(self, block: ir.Block) -> set[str]:
        """The values whose gradient the adjoint of the block may change."""
        names: set[str] = set()
        for statement in ir.walk_statements(block):
            if statement not in self.facts.before:
                continue
            for expression in ir.expressions_of(statement):
                names |= {n for n in ir.names_in(expression) if ir.is_value(n)}
        return names

    def useful(self, block: ir.Block, after: set[str]) -> set[str]:
        """The values whose gradient is not zero before the block, given those after it."""
        for statement in reversed(block):
            if statement in self.facts.before:
                after = self.useful_before(statement, after)
        return after

    def useful_before(self, statement: ir.Statement, after: set[str]) -> set[str]:
        match statement:
            case ir.Assign(target, value):
                names = set(ir.target_names(target))
                roots = {ir.root_of(t).id for t in _subscripts(target) if isinstance(ir.root_of(t), gast.Name)}
                hit = bool((names | roots) & after) or self.call_is_useful(value, after)
                return (after - names) | (self.active_names(value) if hit else set())
            case ir.Update(target, _, value):
                root = ir.root_of(target)
                hit = isinstance(root, gast.Name) and root.id in after
                return after | (self.active_names(value) if hit else set())
            case ir.Do(gast.Expr(value=value)):
                return after | (self.active_names(value) if self.call_is_useful(value, after) else set())
            case ir.If(_, body, orelse):
                if statement in self.facts.branches:
                    return self.useful(body if self.facts.branches[statement] else orelse, after)
                return self.useful(body, set(after)) | self.useful(orelse, set(after))
            case ir.For(body=body) | ir.While(body=body):
                while True:
                    more = after | self.useful(body, set(after))
                    if more == after:
                        return after
                    after = more
        return after

    def call_is_useful(self, value: Any, after: set[str]) -> bool:
        """Whether a callee writes to something whose gradient is not zero."""
        callee = self.facts.callees.get(value)
        if callee is None or callee.user is None:
            return False
        roots = (ir.root_of(callee.user.arguments[k]) for k in callee.user.written if callee.user.arguments[k] is not None)
        return any(isinstance(root, gast.Name) and root.id in after for root in roots)

    def active_names(self, expression: Any) -> set[str]:
        return {
            node.id for node in ir.walk(expression)
            if type(node) is gast.Name and ir.is_value(node.id) and self.kind(node).active
        }  # fmt: skip

    # -- pulling a gradient back through an expression

    def pull(self, node: Any, g: Any) -> None:
        """Pass the gradient `g` of the value of `node` on to what it was computed from."""
        if not self.kind(node).active:
            return
        match node:
            case gast.Name(id=name):
                self.pending.append((name, None, g))
            case gast.Subscript():
                self.pull_subscript(node, g)
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                self.pull_elements(elements, g)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                truth = self.walk.truth(self.kind(test))
                assert truth is not None
                self.pull(body if truth else orelse, g)
            case _:
                callee = self.facts.callees.get(node)
                if callee is None or callee.rule is None:
                    raise AssertionError(f"no rule recorded for {gast.dump(node)}")
                self.pull_rule(node, g, callee)

    def pull_elements(self, elements: Sequence[Any], g: Any) -> None:
        parts = g.elts if isinstance(g, gast.Tuple) else None
        active = [k for k, e in enumerate(elements) if self.kind(e).active]
        if parts is None and len(active) > 1:
            g = self.shared(g)
        for k in active:
            if parts is None:
                self.pull(elements[k], self.with_kind(_item(g, k), self.kind(elements[k])))
            elif not _is_none(parts[k]):
                self.pull(elements[k], parts[k])

    def with_kind(self, node: Any, kind: Kind) -> Any:
        self.facts.kinds[node] = kind
        return node

    def pull_subscript(self, node: Any, g: Any) -> None:
        base = self.kind(node.value)
        if isinstance(base, Tup):
            position = literal_of(node.slice)
            if isinstance(node.value, (gast.Tuple, gast.List)) and isinstance(position, int):
                self.pull(node.value.elts[position], g)
                return
            raise AssertionError("a tuple that was not taken apart")
        root = ir.root_of(node)
        if isinstance(root, gast.Name) and self.is_exact(node, root):
            self.pending.append((root.id, self.stable_index(node), g))
            return
        self.pull_subscript_of_expression(node, g)

    def is_exact(self, node: Any, root: Any) -> bool:
        """Whether a chain leads into the memory of its root for sure."""
        return not ir.has_view_call(node) or self.number(node.value).buffers == self.number(root).buffers

    def pull_subscript_of_expression(self, node: Any, g: Any) -> None:
        """`(x * y)[i]`: a gradient of zeros with g at that place."""
        inner = self.available(node.value)
        name = self.fresh("g")
        kind = self.number(node.value)
        self.emit(ir.Assign(ir.name(name), quote("np.zeros_like({x})", x=inner), NOWHERE))
        whole = self.named(name, replace(kind, buffers=frozenset()))
        place = gast.Subscript(whole, self.stable_part(node.slice), gast.Load())
        self.emit(ir.Assign(place, g, NOWHERE))
        self.pull(node.value, whole)

    def pull_rule(self, node: Any, g: Any, callee: Callee) -> None:
        rule = callee.rule
        assert rule is not None
        if rule.law == "sequence":
            self.pull_sequence(node, g, callee, rule)
            return
        active = [name for name in rule.operands if self.is_active_argument(callee.bound.get(name))]
        texts = {name: self.text(rule, name, callee) for name in active}
        texts = {name: text for name, text in texts.items() if text != "0"}
        if rule.law != "tuple":
            g = self.prepared(node, g, rule, callee)
            uses = sum(_count_name(text, "g") for text in texts.values())
            if uses > 1:
                g = self.shared(g)
        for name, text in texts.items():
            arguments = callee.bound[name]
            if isinstance(arguments, tuple):
                for k, argument in enumerate(arguments):
                    if self.kind(argument).active:
                        e = self.instantiate(text, rule, callee, node, g, k)
                        self.pull(argument, self.as_kind(e, argument))
                continue
            e = self.instantiate(text, rule, callee, node, g)
            self.deliver(arguments, e, node, rule)

    def is_active_argument(self, argument: Any) -> bool:
        if argument is None:
            return False
        parts = argument if isinstance(argument, tuple) else (argument,)
        return any(self.kind(part).active for part in parts)

    def text(self, rule: Rule, operand: str, callee: Callee) -> str:
        literals = {}
        for p in rule.parameters:
            if p.any_number and p.name in callee.bound:
                literals[p.name] = literal_of(callee.bound[p.name])
        return rule.adjoint(operand, **literals)  # type: ignore[arg-type]

    def prepared(self, node: Any, g: Any, rule: Rule, callee: Callee) -> Any:
        """The gradient as the law wants it: spread over reduced axes, or full."""
        if rule.law == "reduction":
            return self.spread(g, node, callee)
        if rule.law == "structural" and not rule.thin:
            return self.full(g, node)
        if rule.law == "elementwise" and not self.result_number(node).known and self.number(g).known:
            return self.full(g, node)  # else it can't be told whether a product with it is full
        return g

    def full(self, g: Any, node: Any) -> Any:
        """`g` in the full shape of the value of `node`."""
        have, want = self.number(g), self.result_number(node)
        if same_shape(have.shape, want.shape) and have.array == want.array:
            return g
        if want.is_scalar or (have.shape is None and not have.is_scalar):
            return g
        if want.shape is not None and have.shape is not None and len(have.shape) == len(want.shape) and 1 not in have.shape:
            return g
        like = self.like(node)
        e = quote("full({g}, {y})", g=g, y=like)
        return self.with_kind(e, replace(want, active=True, buffers=frozenset()))

    def result_number(self, node: Any) -> Num:
        return self.number(node.target) if isinstance(node, ir.Update) else self.number(node)

    def like(self, node: Any) -> Any:
        """An expression that has the shape of the value of `node`."""
        want = self.result_number(node)
        for sub in ir.walk(node) if not isinstance(node, ir.Update) else ():
            if type(sub) is gast.Name and ir.is_value(sub.id):
                kind = self.facts.kinds.get(sub)
                if isinstance(kind, Num) and kind.array and kind.active and same_shape(kind.shape, want.shape):
                    return sub
        return self.result_of(node)

    def result_of(self, node: Any) -> Any:
        if node is self.root and self.result is not None:
            return self.result
        return self.hoist(node, "t")

    def spread(self, g: Any, node: Any, callee: Callee) -> Any:
        """Put the axes that a reduction removed back into g, so that it broadcasts against the operand."""
        have = self.number(g)
        x = next(iter(callee.bound.values()))
        axis = callee.bound.get("axis")
        keepdims = callee.bound.get("keepdims")
        axis_value = None if axis is None else literal_of(axis)
        kept = False if keepdims is None else literal_of(keepdims)
        if kept is True or axis_value is None or have.is_scalar:
            return g
        rank = self.number(x).rank
        if kept is False and rank is not None and have.rank is not None and axis_value is not ABSENT:
            axes = axis_value if isinstance(axis_value, tuple) else (axis_value,)
            removed = sorted(a % rank for a in axes)  # type: ignore[operator]
            if have.rank == rank - len(removed):
                if removed == list(range(len(removed))):
                    return g
                return self.subscripted(g, removed, rank)
        e = quote(
            "spread({g}, {x}, {axis}, {keepdims})", g=g, x=self.available(x),
            axis=constant(None) if axis is None else self.available(axis),
            keepdims=constant(False) if keepdims is None else self.available(keepdims),
        )  # fmt: skip
        return self.with_kind(e, Num(have.dtype, None, None, active=True))

    def subscripted(self, g: Any, removed: Sequence[int], rank: int) -> Any:
        parts: list[Any] = [
            constant(None) if axis in removed else gast.Slice(None, None, None) for axis in range(rank)
        ]
        if rank > 2 and list(removed) == [rank - 1]:
            parts = [constant(Ellipsis), constant(None)]
        while isinstance(parts[-1], gast.Slice):
            parts.pop()
        e = gast.Subscript(g, gast.Tuple(parts, gast.Load()) if len(parts) > 1 else parts[0], gast.Load())
        self.kind(e)
        return e

    def instantiate(self, text: str, rule: Rule, callee: Callee, node: Any, g: Any, k: int | None = None) -> Any:
        """The template of a rule with this call's expressions."""
        names: dict[str, Any] = {"g": g}
        wanted = _names_of(text)
        if "y" in wanted:
            y = self.result_of(node)
            names["y"] = self.spread(y, node, callee) if rule.law == "reduction" else y
        if k is not None:
            names["k"] = constant(k)
        for p in rule.parameters:
            if p.name not in wanted:
                continue
            argument = callee.bound.get(p.name)
            if isinstance(argument, tuple):
                names[p.name] = gast.Tuple([self.available(a) for a in argument], gast.Load())
            elif argument is not None:
                names[p.name] = self.available(argument)
            else:
                names[p.name] = template(p.default or repr(p.literal), {})
        return tidy(template(text, names), self.kind)

    def deliver(self, operand: Any, e: Any, node: Any, rule: Rule) -> None:
        """Pass what a rule gives on to its operand, summed to the operand's shape."""
        if rule.law == "elementwise":
            self.reduce_to(operand, e, self.result_number(node), rule_operands(rule, node, self))
        elif rule.law == "reduction":
            kind = self.kind(operand)
            if isinstance(kind, Num) and not kind.known:
                e = quote("full({g}, {x})", g=e, x=self.available(operand))
                e = self.with_kind(e, replace(kind, active=True, buffers=frozenset()))
            self.pull(operand, e)
        else:
            self.pull(operand, self.as_kind(e, operand))

    def as_kind(self, e: Any, operand: Any) -> Any:
        """What a structural rule gives has the operand's shape."""
        kind = self.kind(operand)
        if isinstance(kind, Num) and isinstance(e, gast.AST):
            mine = self.number(e)
            if kind.is_scalar and mine.is_scalar:
                return e
            if not (isinstance(e, gast.Name) and mine.known):
                self.facts.kinds[e] = replace(
                    mine, shape=kind.shape, array=kind.array, dtype=mine.dtype or kind.dtype, active=True
                )
        return e

    def reduce_to(self, operand: Any, e: Any, result: Num, operands: Sequence[Any]) -> None:
        """Sum `e`, which broadcasts to the shape of the result, down to the shape of the operand."""
        kind = self.kind(operand)
        if not kind.active:
            return
        if isinstance(kind, Tup):
            self.pull(operand, e)
            return
        assert isinstance(kind, Num)
        mine = self.number(e)
        if result.is_scalar or (kind.known and result.known and same_shape(kind.shape, result.shape)):
            self.pull(operand, e)
            return
        if not (kind.known and result.known and kind.shape is not None and result.shape is not None):
            if not same_shape(mine.shape, result.shape) and not (mine.shape is None and mine.array is None and result.shape is None):
                e = self.filled(e, result, operands)
            e = quote("unbroadcast({g}, {x})", g=e, x=self.available_shape(operand))
            self.pull(operand, self.with_kind(e, replace(mine, shape=kind.shape, array=kind.array, buffers=self.kind_buffers(e))))
            return
        lead = len(result.shape) - len(kind.shape)
        unsure = any(a != 1 and not (a is not None and a == b) for a, b in zip(kind.shape, result.shape[lead:], strict=True))
        if not (lead == 0 and unsure is False and all(a == b for a, b in zip(kind.shape, result.shape, strict=True))):
            if not same_shape(mine.shape, result.shape):
                e = self.filled(e, result, operands)
        if unsure or None in result.shape[:lead]:
            e = quote("unbroadcast({g}, {x})", g=e, x=self.available_shape(operand))
        else:
            axes = [*range(lead), *(lead + k for k, (a, b) in enumerate(zip(kind.shape, result.shape[lead:], strict=True)) if a == 1 != b)]
            e = self.summed(e, axes, lead, len(result.shape), kind)
        self.pull(operand, self.with_kind(e, replace(kind, dtype=mine.dtype, weak=False, buffers=self.kind_buffers(e), active=True)))

    def kind_buffers(self, e: Any) -> frozenset[Any]:
        return frozenset()

    def available_shape(self, operand: Any) -> Any:
        return self.available(operand)

    def filled(self, e: Any, result: Num, operands: Sequence[Any]) -> Any:
        """A thin gradient spread out to the shape of the result."""
        mine = self.number(e)
        for other in operands:
            kind = self.facts.kinds.get(other)
            if isinstance(kind, Num) and kind.array and kind.active and same_shape(kind.shape, result.shape):
                spread = quote("full({g}, {x})", g=e, x=self.available(other))
                return self.with_kind(spread, replace(result, dtype=mine.dtype, active=True, buffers=frozenset()))
        like = self.like_operands(operands)
        spread = quote("full({g}, {x})", g=e, x=like)
        return self.with_kind(spread, replace(result, dtype=mine.dtype, active=True, buffers=frozenset()))

    def like_operands(self, operands: Sequence[Any]) -> Any:
        """The value itself, whose shape no operand is known to have."""
        node = self.current
        return self.result_of(node)

    current: Any = None

    def summed(self, e: Any, axes: Sequence[int], lead: int, rank: int, kind: Num) -> Any:
        if not axes:
            return e
        if len(axes) == rank and lead == rank:
            return quote("np.sum({g})", g=e)
        if list(axes) == list(range(lead)):
            axis = constant(0) if lead == 1 else template(repr(tuple(axes)), {})
            return quote("np.sum({g}, axis={a})", g=e, a=axis)
        if lead == 0:
            axis = constant(axes[0]) if len(axes) == 1 else template(repr(tuple(axes)), {})
            return quote("np.sum({g}, axis={a}, keepdims=True)", g=e, a=axis)
        inner = self.summed(e, list(range(lead)), lead, rank, kind)
        return self.summed(inner, [a - lead for a in axes if a >= lead], 0, rank - lead, kind)

    def pull_sequence(self, node: Any, g: Any, callee: Callee, rule: Rule) -> None:
        name = rule.operands[0]
        xs = callee.bound[name]
        elements = list(xs) if isinstance(xs, tuple) else getattr(xs, "elts", None)
        if elements is None:
            raise AssertionError("a sequence that was not taken apart")
        text = rule.adjoint(name)
        g = self.full(g, node)
        active = [k for k, element in enumerate(elements) if self.kind(element).active]
        if len(active) > 1 or _count_name(text, "g") > 1:
            g = self.shared(g)
        for k in active:
            if text == "g[k]":
                e = _item(g, k)
            else:
                e = self.instantiate(text, rule, callee, node, g, k)
            self.pull(elements[k], self.as_kind(e, elements[k]))

    # -- emitting

    def emit(self, statement: ir.Statement) -> None:
        self.out.append(statement)

    def shared(self, g: Any) -> Any:
        """A gradient that is read more than once gets a name, unless it is one."""
        match g:
            case gast.Name() | gast.Constant():
                return g
            case gast.UnaryOp(op=gast.USub(), operand=gast.Name()):
                return g
        return self.give_name(g, "dt")

    def give_name(self, g: Any, base: str, owned: bool = True) -> Any:
        kind = self.number(g)
        name = self.fresh(base)
        self.emit(ir.Assign(ir.name(name), g, NOWHERE))
        return self.named(name, kind)

    def flush(self, killed: set[str]) -> None:
        """Add what is pending to the gradients: values that were overwritten here come last."""
        pending, self.pending = self.pending, []
        by_value: dict[str, list[tuple[Any, Any]]] = {}
        for value, path, e in pending:
            by_value.setdefault(value, []).append((path, e))
        late = [v for v in by_value if any(_mentions_name(e, gradient_of(v)) for other in by_value if other != v for _, e in by_value[other])]
        if len(late) > 1 or any(_mentions_later(by_value[v], gradient_of(v)) for v in by_value if v in killed):
            by_value = self.without_overlap(by_value)
            late = []
        for group in ([v for v in by_value if v not in late], late):
            for value in group:
                if any(path is not None for path, _ in by_value[value]):
                    self.prepare_slots(value, by_value[value])
            for value in group:
                self.add_all(value, by_value[value])

    def without_overlap(self, by_value: dict[str, list[tuple[Any, Any]]]) -> dict[str, list[tuple[Any, Any]]]:
        """Gradients that are read after they are overwritten are kept under another name first."""
        kept: dict[str, Any] = {}
        for value in by_value:
            name = gradient_of(value)
            if any(_mentions_name(e, name) for parts in by_value.values() for _, e in parts):
                kept[name] = self.give_name(self.named(name, self.facts.web_kinds.get(name, UNKNOWN)), "g")

        def change(node: Any) -> Any:
            return kept.get(node.id) if type(node) is gast.Name else None

        def replaced(e: Any) -> Any:
            if not any(_mentions_name(e, name) for name in kept):
                return e
            return self.with_kind(ir.copy_expression(e, lambda n: self._kept(n, change)), self.kind(e))

        return {v: [(path, replaced(e)) for path, e in parts] for v, parts in by_value.items()}

    def _kept(self, node: Any, change: Callable[[Any], Any]) -> Any:
        return change(node)

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

    def make_contiguous(self, value: str) -> None:
        """`dx.reshape(-1)` is a view only of a contiguous array."""
        grad = self.state[value]
        if not grad.kind.contiguous:
            d = self.gradient(value)
            self.emit(ir.Assign(ir.name(gradient_of(value)), quote("{d}.copy()", d=d), NOWHERE))
            self.state[value] = Grad(replace(grad.kind, contiguous=True), True)

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
            self.add_at(value, path, e)

    def combined(self, value: str, plain: list[Any]) -> list[Any]:
        """`dx = a; dx += b` is `dx = a + b`, where the line stays short."""
        if value in self.state or len(plain) < 2 or sum(_size(e) for e in plain) > 2 * LONGEST:
            return plain
        shapes = [self.number(e).shape for e in plain]
        if not all(same_shape(shapes[0], s) for s in shapes):
            return plain
        total = plain[0]
        for e in plain[1:]:
            total = tidy(quote("{a} + {b}", a=total, b=e), self.kind)
        return [total]

    def add(self, value: str, e: Any) -> None:
        name = gradient_of(value)
        kind = self.number(e)
        if not self.is_fresh(e):
            self.share_ownership(e)
        if value not in self.state:
            self.state[value] = Grad(replace(kind, active=True, buffers=frozenset()), self.is_fresh(e))
            self.facts.web_kinds[name] = kind
            self.emit(ir.Assign(ir.name(name), e, NOWHERE))
            return
        old = self.state[value]
        d = self.gradient(value)
        inplace = old.kind.is_scalar and kind.is_scalar
        if old.owned and old.kind.known and kind.known and kind.shape is not None and old.kind.shape is not None:
            inplace = inplace or (bool(old.kind.array) and broadcasts_to(kind.shape, old.kind.shape))
        positive, sign = _signed(e)
        if inplace:
            op = gast.Sub() if sign < 0 else gast.Add()
            self.emit(ir.Update(ir.name(name), op, positive, NOWHERE))
            if old.kind.is_scalar:
                total = self.number(gast.BinOp(d, op, positive))
                self.state[value] = Grad(replace(total, active=True), True)
            return
        total = gast.BinOp(d, gast.Sub() if sign < 0 else gast.Add(), positive)
        result = self.number(total)
        self.emit(ir.Assign(ir.name(name), total, NOWHERE))
        self.state[value] = Grad(replace(result, active=True, buffers=frozenset()), True)

    def share_ownership(self, e: Any) -> None:
        """An array that gets a second name belongs to neither."""
        names = set(ir.names_in(e))
        for value, grad in self.state.items():
            if grad.owned and gradient_of(value) in names and not grad.kind.is_scalar:
                self.state[value] = Grad(grad.kind, False)

    def add_at(self, value: str, path: Any, e: Any) -> None:
        slot = self.slot(path)
        positive, sign = _signed(e)
        self.emit(ir.Update(slot, gast.Sub() if sign < 0 else gast.Add(), positive, NOWHERE))

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
        self.facts.kinds[new] = replace(self.number(path), active=True)
        return new

    def is_fresh(self, e: Any) -> bool:
        """Whether an expression gives an array of its own."""
        if self.number(e).is_scalar:
            return True
        match e:
            case gast.BinOp() | gast.UnaryOp():
                return True
            case gast.Call(func=gast.Attribute(value=gast.Name(id="$np"), attr="reshape" | "transpose"), args=[x, *_]):
                return self.is_fresh(x) and not isinstance(x, gast.Name)
            case gast.Attribute(value=x, attr="T") | gast.Call(func=gast.Attribute(value=x, attr="reshape")):
                return self.is_fresh(x) and not isinstance(x, gast.Name)
            case gast.Call(func=gast.Attribute(value=gast.Name(id="$np"), attr=attr)):
                return attr in FRESH
            case gast.Call(func=gast.Attribute(attr="copy"), args=[]):
                return True
            case gast.Call(func=gast.Name(id=name)):
                return name in FRESH_HELPERS
        return False

    # -- gradients in full

    def full_kind(self, value: str, kind: Kind | None = None) -> Num:
        number = kind if isinstance(kind, Num) else self.value_kind(value)
        if number.array is None:
            return Num(number.dtype, None, None, active=True)
        return replace(number, active=True, buffers=frozenset(), value=None, weak=number.is_scalar)

    def zero(self, value: str, kind: Kind | None = None) -> None:
        number = self.full_kind(value, kind)
        name = ir.name(gradient_of(value))
        if number.is_scalar:
            self.emit(ir.Assign(name, constant(0.0), NOWHERE))
        else:
            x = self.named(value, number)
            self.emit(ir.Assign(name, quote("np.zeros_like({x})", x=x), NOWHERE))
        self.state[value] = Grad(number, True)
        self.facts.web_kinds[gradient_of(value)] = number

    def make_full(self, value: str, kind: Kind | None = None) -> None:
        """A thin gradient becomes an array of the value's shape."""
        grad, number = self.state[value], self.full_kind(value, kind)
        have = grad.kind
        if number.is_scalar or (same_shape(have.shape, number.shape) and have.array == number.array):
            return
        if have.array and have.shape is not None and number.shape is not None and len(have.shape) == len(number.shape) and 1 not in have.shape:
            self.state[value] = Grad(_typed(number, have), grad.owned)
            return
        if have.shape is None and number.shape is None:
            self.state[value] = Grad(_typed(number, have), grad.owned)
            return
        d = self.gradient(value)
        x = self.named(value, number)
        text = "np.full_like({x}, {d})" if number.known else "full({d}, {x})"
        self.emit(ir.Assign(ir.name(gradient_of(value)), quote(text, x=x, d=d), NOWHERE))
        self.state[value] = Grad(number, True)
        self.facts.web_kinds[gradient_of(value)] = number

    def make_own(self, value: str, root: Any = None) -> None:
        grad = self.state[value]
        if root is not None:
            self.make_full(value, self.kind(root))
            grad = self.state[value]
        if grad.owned or grad.kind.is_scalar:
            return
        d = self.gradient(value)
        copy = quote("{d}.copy()" if grad.kind.known else "np.copy({d})", d=d)
        self.emit(ir.Assign(ir.name(gradient_of(value)), copy, NOWHERE))
        self.state[value] = Grad(replace(grad.kind, contiguous=grad.kind.known), True)

    # -- calls of the user's functions

    def user_call(self, node: Any, user: UserCall, target: Any) -> None:
        """f's adjoint takes what f saved, the gradient of its result and those of the arrays it wrote to."""
        pair = self.pair(user, node)
        grads = self.result_gradients(target, pair)
        written = [k for k in pair.written if user.arguments[k] is not None]
        roots = {k: ir.root_of(user.arguments[k]) for k in written}
        alive = any(roots[k].id in self.state for k in written)
        if all(g is None for g in grads) and not alive:
            return
        self.calls[node] = self.calls.get(node) or self.made_forward(f"{user.function.__name__.strip('<>')}_saved")
        given = [self.filled_result(g, t) for g, t in zip(grads, _targets(target), strict=True)]
        memory = frozenset().union(*map(buffers_of, (*user.kinds, user.result)))
        kept = Num(np.dtype(int), None, None, buffers=memory)  # the callee may have saved any of these
        arguments: list[Any] = [self.named(self.calls[node], kept)]
        if pair.result_active:
            arguments += given
        for k in written:
            root = roots[k]
            if root.id not in self.state:
                self.zero(root.id, self.kind(root))
            self.make_own(root.id, root)
            if user.arguments[k] is not root and ir.has_view_call(user.arguments[k]):
                self.make_contiguous(root.id)
            arguments.append(self.slot(user.arguments[k]) if user.arguments[k] is not root else self.gradient(root.id))
        result = gast.Call(ir.name(f"${pair.adjoint}"), arguments, [])
        self.receive(result, pair, user, written)

    def result_gradients(self, target: Any, pair: Pair) -> list[Any]:
        if target is None:
            return []
        return [self.taken(t, True) if not isinstance(t, gast.Name) else self.taken(t, False) for t in _targets(target)]

    def filled_result(self, g: Any, target: Any) -> Any:
        kind = self.number(target)
        if g is None:
            if kind.is_scalar or not self.kind(target).active:
                return constant(0.0)
            return quote("np.zeros_like({x})", x=_post_name(target, self))
        have = self.number(g)
        if kind.weak and kind.is_scalar and self.mixed:
            return quote("float({g})", g=g)
        if kind.is_scalar or (same_shape(have.shape, kind.shape) and have.array == kind.array):
            if not kind.weak and self.mixed:
                return quote("cast({g}, {x})", g=g, x=_post_name(target, self))
            return g
        return quote("full({g}, {x})", g=g, x=_post_name(target, self))

    def receive(self, result: Any, pair: Pair, user: UserCall, written: Sequence[int]) -> None:
        targets: list[Any] = []
        adds: list[tuple[Any, Any]] = []
        taken: set[str] = set()
        for k in pair.active:
            argument, kind = user.arguments[k], user.kinds[k]
            if argument is None or not self.kind(argument).active and k not in written:
                targets.append(ir.name("_"))
                continue
            assert isinstance(kind, Num)
            full = replace(kind, active=True, buffers=frozenset(), value=None, contiguous=False)
            root = argument if isinstance(argument, gast.Name) else None
            if k in written:
                targets.append(ir.name(gradient_of(root.id)) if root is not None else _place(self.slot(argument)))
                continue
            if root is not None and root.id not in self.state and root.id not in taken:
                taken.add(root.id)
                targets.append(ir.name(gradient_of(root.id)))
                adds.append((root, None))
                continue
            name = self.fresh("g")
            targets.append(ir.name(name))
            adds.append((argument, self.named(name, full)))
        target = targets[0] if len(targets) == 1 else gast.Tuple(targets, gast.Store())
        self.emit(ir.Assign(target, result, NOWHERE))
        self.after_call = len(self.out)  # the callee reads what it saved before anything is restored
        for argument, g in adds:
            if g is None:
                kind = replace(self.number(argument), active=True, buffers=frozenset(), value=None, contiguous=False)
                if kind.array is None:
                    kind = replace(kind, shape=None)
                self.state[argument.id] = Grad(kind, True)
                self.facts.web_kinds[gradient_of(argument.id)] = kind
            else:
                self.pull(argument, g)
        self.flush(set())


FRESH = {
    "zeros_like", "full_like", "zeros", "full", "outer", "where", "sum", "cos", "sin", "sign", "copy", "exp", "dot",
    "linalg.solve", "roll", "repeat", "tile", "concatenate", "stack", "triu", "tril", "cumsum",
}  # fmt: skip
FRESH_HELPERS = {
    "$full", "$cumsum_adjoint", "$repeat_adjoint", "$tile_adjoint", "$sort_adjoint", "$diagonal_adjoint",
    "$diff_adjoint", "$quantile_adjoint", "$matmul_left", "$matmul_right", "$take_adjoint", "$pad_adjoint",
}  # fmt: skip

NOWHERE = ir.Origin(None, "")


def rule_operands(rule: Rule, node: Any, reverse: Reverse) -> tuple[Any, ...]:
    reverse.current = node
    callee = reverse.facts.callees[node]
    return tuple(a for a in callee.bound.values() if not isinstance(a, tuple))


def statement_origin(statement: ir.Statement) -> ir.Origin:
    return getattr(statement, "origin", NOWHERE)


def _comment(statement: ir.Statement) -> str:
    return statement_origin(statement).text


def _is_differentiated(user: UserCall) -> bool:
    return any(kind.active for kind in user.kinds)


def _defined_later(value: str, statement: ir.Statement) -> bool:
    return False


def _typed(number: Num, have: Num) -> Num:
    """A kind with the shape of one and the type of another."""
    return replace(number, dtype=have.dtype, weak=have.weak, contiguous=have.contiguous)


def _changed_in_place(block: Sequence[ir.Statement], name: str) -> bool:
    """Whether the array of a gradient is written to, or handed to a function that does."""
    for statement in ir.walk_statements(tuple(block)):
        match statement:
            case ir.Update(target) if ir.root_of(target).id == name:
                return True
            case ir.Assign(target, value):
                if any(ir.root_of(t).id == name for t in _subscripts(target) if isinstance(ir.root_of(t), gast.Name)):
                    return True
                if isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and _mentions_name(value, name):
                    return True
    return False


def _targets(target: Any) -> list[Any]:
    if target is None:
        return []
    return list(target.elts) if isinstance(target, (gast.Tuple, gast.List)) else [target]


def _subscripts(target: Any) -> Iterator[Any]:
    match target:
        case gast.Subscript():
            yield target
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            for element in elements:
                yield from _subscripts(element)


# -- reads of the new value of what a statement overwrites are marked until the restores are placed


def _post(target: Any, reverse: Reverse) -> Any:
    """The target, read back: its value after the statement."""
    return _post_name(target, reverse) if isinstance(target, (gast.Name, gast.Subscript)) else None


def _post_name(target: Any, reverse: Reverse) -> Any:
    if isinstance(target, gast.Subscript):
        target = reverse.stable_index(target)
    root = ir.root_of(target)

    def change(node: Any) -> Any:
        if node is root:
            return gast.Name(f"{root.id}!", gast.Load(), None, None)
        return node if type(node) is gast.Name else None

    new = ir.copy_expression(target, change)
    reverse.facts.kinds[new] = reverse.kind(target)
    return new


def _reads(statement: ir.Statement, name: str, post: bool) -> bool:
    wanted = f"{name}!" if post else name
    for expression in ir.expressions_of(statement):
        for node in ir.walk(expression):
            if type(node) is gast.Name and node.id == wanted:
                return True
    return False


def _map_names(statement: ir.Statement, change: Callable[[str], str | None]) -> ir.Statement:
    from tangentish.webs import map_statement

    def on_node(node: Any) -> Any:
        if type(node) is gast.Name:
            new = change(node.id)
            return None if new is None else gast.Name(new, node.ctx, None, None)
        return None

    return map_statement(statement, lambda e: ir.copy_expression(e, on_node), lambda block: block)


def _has_post(statement: ir.Statement) -> bool:
    return any(n.endswith("!") for e in ir.expressions_of(statement) for n in ir.names_in(e))


def _without_post(statement: ir.Statement) -> ir.Statement:
    if isinstance(statement, (ir.If, ir.For, ir.While, ir.Restore)) or not _has_post(statement):
        return statement
    return _map_names(statement, lambda n: n[:-1] if n.endswith("!") else None)


def _replace_post(statement: ir.Statement, name: str, kept: str) -> ir.Statement:
    """`x!` (or `x![i]`, the place that was written) -> the name under which the new value is kept."""

    def on_node(node: Any) -> Any:
        if isinstance(node, gast.Subscript) and isinstance(ir.root_of(node), gast.Name) and ir.root_of(node).id == f"{name}!":
            return ir.name(kept)
        if type(node) is gast.Name and node.id == f"{name}!":
            return ir.name(kept)
        return None

    from tangentish.webs import map_statement

    return map_statement(statement, lambda e: ir.copy_expression(e, on_node), lambda block: block)


def _plain_copy(target: Any, slot: Slot) -> Any:
    return quote("np.copy({x})", x=target) if slot.content and slot.copy else target


# -- small questions about expressions


def _names_of(text: str) -> set[str]:
    from tangentish.quote import _parsed

    return set(ir.names_in(_parsed(text)))


def _count_name(text: str, name: str) -> int:
    from tangentish.quote import _parsed

    return sum(1 for n in ir.names_in(_parsed(text)) if n == name)


def _size(node: Any) -> int:
    return sum(1 for _ in ir.walk(node))


def _mentions_name(e: Any, name: str) -> bool:
    return any(n == name for n in ir.names_in(e))


def _mentions(e: Any, value: str) -> bool:
    return _mentions_name(e, gradient_of(value))


def _mentions_later(parts: Sequence[tuple[Any, Any]], name: str) -> bool:
    return any(_mentions_name(e, name) for _, e in parts[1:]) or any(
        path is not None and _mentions_name(e, name) for path, e in parts
    )


def _mentions_slot_bare(e: Any, slot: Any) -> bool:
    """Whether an expression is, or may be, the slot's own memory."""
    match e:
        case gast.BinOp() | gast.UnaryOp():
            return False
        case gast.Call(func=gast.Attribute(value=gast.Name(id="$np"), attr=attr)) if attr in FRESH:
            return False
    return any(sub is slot for sub in ir.walk(e))


def _is_name(e: Any, name: str) -> bool:
    return type(e) is gast.Name and e.id == name


def _is_none(e: Any) -> bool:
    return isinstance(e, gast.Constant) and e.value is None


def _signed(e: Any) -> tuple[Any, int]:
    """An expression without its leading minus, and the sign."""
    match e:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return operand, -1
        case gast.BinOp(left=left, op=op, right=right) if isinstance(op, (gast.Mult, gast.Div)):
            inner, sign = _signed(left)
            if sign < 0:
                return gast.BinOp(inner, op, right), -1
    return e, 1


def _item(g: Any, k: int) -> Any:
    """g[k], g[k][j] as g[k, j]"""
    match g:
        case gast.Subscript(value=value, slice=gast.Constant(value=int()) as first):
            return gast.Subscript(value, gast.Tuple([first, constant(k)], gast.Load()), gast.Load())
        case gast.Subscript(value=value, slice=gast.Tuple(elts=parts)) if all(isinstance(literal_of(p), int) for p in parts):
            return gast.Subscript(value, gast.Tuple([*parts, constant(k)], gast.Load()), gast.Load())
    return gast.Subscript(g, constant(k), gast.Load())


def _shifted(node: Any, offset: int) -> Any:
    """node + offset, written shortly."""
    value = literal_of(node)
    if isinstance(value, int):
        return constant(value + offset)
    match node:
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=gast.Constant(value=int(n))):
            total = (n if isinstance(op, gast.Add) else -n) + offset
            if total == 0:
                return left
            return gast.BinOp(left, gast.Add() if total > 0 else gast.Sub(), constant(abs(total)))
    return gast.BinOp(node, gast.Add() if offset > 0 else gast.Sub(), constant(abs(offset)))


def _whole(slot: Any) -> Any:
    """dx -> dx[...]: all of an array, in place."""
    if isinstance(slot, gast.Name):
        return gast.Subscript(slot, constant(Ellipsis), gast.Load())
    return slot


def _place(slot: Any) -> Any:
    """A slot as a target of an assignment."""
    if isinstance(slot, gast.Subscript):
        return slot
    return gast.Subscript(slot, constant(Ellipsis), gast.Load())


def _test_name(test: Any) -> str:
    match test:
        case gast.Compare(ops=[gast.Gt()], comparators=[gast.Constant(value=0)]):
            return "positive"
        case gast.Compare(ops=[gast.Lt()], comparators=[gast.Constant(value=0)]):
            return "negative"
    return "test"

