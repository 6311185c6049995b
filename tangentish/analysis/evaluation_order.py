"""What is evaluated before a call in its expression, and could see what the call does, gets a name before it.

y = o.h + o.step(x)      ->      t = o_h; t_1, o_h = step(o_h, x); y = t + t_1
o.h += o.step(x)         ->      t = o_h; t_1, o_h = step(o_h, x); t += t_1; o_h = t
y[0] += bump(y)          ->      t = y[0]; t_1 = bump(y); y[0] = t + t_1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.calls_taken_apart import CallsTakenApart
from tangentish.analysis.in_turn import may_see
from tangentish.errors import Refusal
from tangentish.infer import Facts, ListMethod
from tangentish.infer.facts import Handed
from tangentish.infer.indices import is_fancy
from tangentish.kinds import Num, Seq, Tup, buffers_of
from tangentish.language.given_in_order import arguments_of, as_written, given_as, value_of
from tangentish.language.lifted import Instance, Routine, leaf_names
from tangentish.language.nested import Closure

_LASTING = (
    gast.Name, gast.Constant, gast.Attribute, gast.Slice, gast.Tuple, Closure, Routine,
)  # fmt: skip


@dataclass
class EvaluationOrder(CallsTakenApart):
    """The part of the extraction that keeps what was read before a call."""

    writing: dict[Any, bool] = field(default_factory=dict)  # expression -> whether a part writes
    turns: set[Any] = field(default_factory=set)  # calls that are made when it is their turn
    found_by: dict[tuple[ir.Origin, str], list[Handed]] = field(
        default_factory=dict
    )  # what calls in indices, which have lines of their own, bind anew

    def writes(self, node: Any) -> bool:
        """Whether an expression has a part that writes, or is taken apart as one that may."""
        if self.is_settled(node):
            return False
        known = self.writing.get(node)
        if known is None:
            facts = self.facts
            itself = node in facts.lowered or node in facts.choices or node in facts.raising
            itself = (
                itself or node in facts.filled or (node in facts.callees and self.is_call(node))
            )
            itself = itself or (node in facts.lifted and self.is_call_of_given(node))
            itself = itself or (node in facts.answers and self.by_method(node) is not node)
            known = itself or any(map(self.writes, ir.children(node)))
            self.writing[node] = known
        return known

    def is_moved(self, part: Any) -> bool:
        """Whether a part is evaluated before the line, with those that come before it."""
        return self.writes(part) or (bool(self.turns) and self.is_in_turn(part))

    def parts_in_turn(self, node: Any, written: Any) -> list[Any]:
        """The parts of an expression in the order in which they are evaluated; written: the expression as it was."""
        parts = self.parts_of(node)
        return as_written(parts, written) if any(map(self.goes_before, parts)) else parts

    def goes_before(self, part: Any) -> bool:
        return part in self.facts.unnamed or self.is_moved(part)

    def parts_of(self, node: Any) -> list[Any]:
        """The parts of an expression; of a method of an array, or of an object made here, what it is a method of."""
        inner = node.values if isinstance(node, Instance) else map(value_of, ir.children(node))
        parts, facts = list(inner), self.facts
        func = getattr(node, "func", None)
        if isinstance(func, gast.Attribute) and (
            isinstance(facts.kind(func.value), Num)
            or func.value in facts.filled
            or func.value in facts.made
        ):
            parts[0] = func.value
        return parts

    def is_in_turn(self, node: Any) -> bool:
        """Whether a call in an expression has to be made when it is its turn."""
        return bool(self.turns) and not self.turns.isdisjoint(ir.walk(node))

    def untouched(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """A part of which nothing is taken apart; its name, of which as much is known, where it has its turn."""
        if not self.is_in_turn(node):
            return self.without_tuples(node)
        if isinstance(node, (gast.Slice, gast.Tuple)):
            return self.inside(node, before, origin)
        return self.named_as_known(node, before, origin)

    def named_as_known(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        name = self.named(node, self.without_tuples(node), before, origin)
        self.facts.kinds[name] = self.facts.kind(node)
        return name

    def stored_in_turn(self, statement: ir.Statement) -> tuple[ir.Statement, ...] | None:
        """y[next(it)] = next(it)  ->  t = next(it); t_1 = next(it); y[t_1] = t"""
        if not isinstance(statement, (ir.Assign, ir.Update)):
            return None
        target, value = statement.target, statement.value
        moves = self.is_in_turn(target)
        if not (moves or (isinstance(statement, ir.Update) and self.is_in_turn(value))):
            return None
        before: list[ir.Statement] = []
        if isinstance(statement, ir.Assign) and not isinstance(value, (gast.Name, gast.Constant)):
            value = self.named(value, value, before, statement.origin)
        place = self.place_in_turn(target, before, statement.origin)
        return (*before, replace(statement, target=place, value=value)) if before else None

    def place_in_turn(self, target: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """A place to which something is stored, with names for the indices that it is found by."""
        match target:
            case gast.Attribute(value=owner):
                return ir.with_fields(target, {"value": self.place_in_turn(owner, before, origin)})
            case gast.Subscript(value=owner, slice=index):
                owner = self.place_in_turn(owner, before, origin)
                index = self.index_in_turn(index, before, origin)
                return ir.with_fields(target, {"value": owner, "slice": index})
        if self.is_in_turn(target):
            self.refuse_order(target)
        return target

    def index_in_turn(self, index: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        if isinstance(index, gast.Tuple):
            parts = [self.index_in_turn(part, before, origin) for part in index.elts]
            return ir.with_fields(index, {"elts": parts})
        settled = not (may_see(index, self.facts) or self.is_in_turn(index))
        if settled or ir.is_own_name(index):
            return index
        if isinstance(index, gast.Slice):
            self.refuse_order(index)
            return index
        return self.named_as_known(index, before, origin)

    def written_before(
        self, part: Any, new: Any, before: list[ir.Statement], origin: ir.Origin
    ) -> Any:
        """A name for a part that stays before the others; a value in an f-string is written to a text then."""
        if not isinstance(new, gast.FormattedValue):
            return self.named(part, new, before, origin)
        text = gast.copy_location(gast.JoinedStr([new]), part)
        return gast.FormattedValue(self.named(part, text, before, origin), -1, None)

    def must_stay_before(self, part: Any, new: Any, others: Sequence[Any], whole: Any) -> bool:
        """Whether a part that is evaluated before the others could see what calls in them do.

        new: what stands in its place; whole: the expression as it was written.
        """
        if not others or self.is_method_of_list(part, whole):
            return False
        handed = [h for other in others for h in handed_in(other, self.facts)]
        read = set(ir.names_in(new))
        if any(not read.isdisjoint(_rebound(h)) for h in handed):
            return self.is_kept(part, handed, read, whole)
        if any(map(self.is_in_turn, others)) and self.is_seeing(part, new):
            return True
        if not any(self.writes(other) or other in self.facts.unnamed for other in others):
            return False  # what carries a derivative is changed by none of them
        return not isinstance(new, _LASTING) and (
            self.active(new)
            or isinstance(new, gast.FormattedValue)
            or any(isinstance(sub, (gast.Subscript, gast.Call)) for sub in ir.walk(new))
        )

    def is_method_of_list(self, part: Any, whole: Any) -> bool:
        """Whether this is `xs.append` of `xs.append(e)`, which is the same after e."""
        return isinstance(self.facts.function_of(whole), ListMethod) and part is whole.func

    def is_seeing(self, part: Any, new: Any) -> bool:
        """Whether a part may see what calls do that carry no derivative; parts of indices can't have names."""
        whole = isinstance(new, (gast.Constant, Closure, Routine))
        whole |= ir.is_own_name(new)
        if whole or not may_see(new, self.facts):
            return False
        if isinstance(part, gast.Slice):
            self.refuse_order(part)
        return not isinstance(part, gast.Slice)

    def is_kept(self, part: Any, handed: Sequence[Handed], read: set[str], whole: Any) -> bool:
        """Whether a value stays what it is when its place gets another: a dict is seen as it is then."""
        if isinstance(part, gast.Slice):
            self.refuse_order(part)
            return False
        given = arguments_of(whole)
        place = given_as(part, given)
        # an element is given in the place of the container that it is one of
        if not self.is_changed_inside(part if place is None else given[place]):
            return True
        if any(isinstance(h.kind, (Tup, Seq)) and h.here in read for h in handed):
            self.refuse_order(part)
        return False

    def is_changed_inside(self, node: Any) -> bool:
        """Whether a value is a container whose elements may be stored to."""
        kind = self.known(node)
        if not isinstance(kind, Tup):
            return False
        plain = kind.is_counted and not kind.is_list
        return not plain or any(isinstance(item, (Tup, Seq)) for item in kind.items)

    def refuse_order(self, node: Any) -> None:
        message = "a call in the same line changes this: give what the call gives a name first"
        self.refusals.append(Refusal(message, node))

    def check_owners(self, statement: ir.Statement) -> None:
        """`o.kid.x += o.renew()`, `o.c[o.grow()] = v`: o.kid and o.c are found before the calls bind them anew."""
        match statement:
            case ir.Assign(gast.Name(id=name), value, origin):
                self.found_by[origin, name] = [*handed_in(value, self.facts)]
                return
            case ir.Assign(target, _, origin):
                handed = []
            case ir.Update(target, _, value, origin):
                handed = [*handed_in(value, self.facts)]
            case _:
                return
        for name in ir.names_in(target):
            handed += self.found_by.get((origin, name), ())
        anew = {name for h in handed for name in (h.here, *_rebound(h))}
        if anew and not anew.isdisjoint(self.owners_of(target)):
            self.refuse_order(target)

    def owners_of(self, target: Any) -> Iterator[str]:
        """The names of what a place lies in, and of what that lies in."""
        while isinstance(target, (gast.Attribute, gast.Subscript)):
            target = target.value
            place = self.place(target)
            if isinstance(place, gast.Name):
                yield place.id

    def is_read_before(self, target: Any, place: Any, value: Any) -> bool:
        """Whether what is updated is read before calls in the other operand change it."""
        rebound = {name for h in handed_in(value, self.facts) for name in _rebound(h)}
        if not rebound.isdisjoint(ir.names_in(place)):
            return True
        kind = self.facts.kind(target)
        is_copy = isinstance(target, gast.Subscript) and (
            not isinstance(kind, Num) or not kind.array or is_fancy(target.slice, self.facts)
        )
        root = ir.root_of(target)
        return is_copy and bool(buffers_of(self.facts.kind(root)) & self.written_in(value))

    def written_in(self, node: Any) -> frozenset[Any]:
        """The memory that calls in an expression write to."""
        found: frozenset[Any] = frozenset()
        for call in ir.walk(node):
            user = self.facts.user_of(self.by_method(call))
            if user is not None:
                found = found.union(*(buffers_of(user.kinds[k]) for k in user.written))
        return found

    def updated_first(
        self, target: Any, place: Any, op: Any, value: Any, origin: ir.Origin
    ) -> Iterator[ir.Statement]:
        """The old value of an update gets a name, then the other operand is evaluated."""
        self.changed = True
        named = isinstance(place, gast.Name)
        if not named and not self.is_elsewhere(place, value):
            self.refuse_order(target)
        old = gast.copy_location(ir.name(self.fresh("t")), target)
        before: list[ir.Statement] = []
        yield ir.Assign(ir.duplicate(old), ir.duplicate(place), origin)
        new = self.expression(value, before, origin)
        yield from before
        if named:  # an array is updated in place
            yield ir.Update(ir.duplicate(old), op, new, origin)
            yield ir.Assign(place, ir.duplicate(old), origin)
        else:
            result = gast.copy_location(gast.BinOp(ir.duplicate(old), op, new), target)
            yield ir.Assign(place, result, origin)

    def is_elsewhere(self, place: Any, value: Any) -> bool:
        """Whether a call changes neither the array nor the index that an element is found by."""
        rebound = {name for h in handed_in(value, self.facts) for name in _rebound(h)}
        return rebound.isdisjoint(ir.names_in(place))


def handed_in(node: Any, facts: Facts) -> Iterator[Handed]:
    """What calls in an expression bind anew: entries of containers that they store to. Operators may be calls."""
    calls = (facts.answers.get(sub, sub) for sub in ir.walk(node))
    return (h for call in calls for h in facts.handed.get(call, ()) if h.here)


def _rebound(handed: Handed) -> frozenset[str]:
    return frozenset((handed.here, *leaf_names(handed.here, handed.kind)))
