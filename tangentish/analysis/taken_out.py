"""Parts of expressions that need lines of their own: calls, choices and comprehensions are evaluated before.

y = 2 * helper(x)             ->    t = helper(x); y = 2 * t
y = 2 * (a if c else b)       ->    if c: t = a   else: t = b;   y = 2 * t
y = sum([f(x) for x in xs])   ->    t = []; for x in xs: t.append(f(x));   y = sum(t)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import gast
import numpy as np

from tangentish import ir
from tangentish.analysis.calls_taken_apart import stem_of
from tangentish.analysis.chosen_functions import one_by_one
from tangentish.analysis.evaluation_order import EvaluationOrder
from tangentish.errors import Refusal
from tangentish.infer import LIST_LINES, DictMethod, InPlaceCall, ListMethod, Unable, known_key
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Known, Seq, Tup, truth_of
from tangentish.language.changing_names import OF_CONTAINERS
from tangentish.language.comprehensions import appended_in_loop, filled_in_loop
from tangentish.language.lifted import Instance, Routine
from tangentish.language.nested import Closure
from tangentish.language.placed import all_at
from tangentish.runtime import is_mapping, is_sequence

_PLAIN = (
    gast.Name,
    gast.Constant,
    gast.Compare,
    gast.BoolOp,
    gast.UnaryOp,
    gast.cmpop,
    gast.BinOp,
    gast.Tuple,
    gast.List,
    gast.Slice,
    Instance,
    gast.operator,
)
_ASKED = {"ndim", "shape"}
_ASKING: tuple[Any, ...] = (
    np.ndim,
    np.shape,
    isinstance,
    callable,
    type,
    len,
    hasattr,
    is_sequence,
    is_mapping,
)


_CHOICES = (gast.IfExp, gast.BoolOp)


@dataclass
class TakenOut(EvaluationOrder):
    """The part of the extraction that takes expressions apart."""

    def active(self, node: Any) -> bool:
        kind = self.known(node)
        if kind is None and isinstance(node, (gast.Tuple, gast.List)):
            return any(map(self.active, node.elts))  # the elements of a dict or an object, in one
        return kind is not None and kind.active

    def is_plain(self, test: Any) -> bool:
        """Whether a test does nothing but look at values, as far as it is evaluated."""
        if isinstance(test, gast.BoolOp):
            stop = isinstance(test.op, gast.Or)
            ends = (k for k, v in enumerate(test.values) if truth_of(self.known(v)) is stop)
            return all(map(self.is_plain, test.values[: next(ends, len(test.values)) + 1]))
        return all(isinstance(node, _PLAIN) or self.is_asked(node) for node in ir.walk(test))

    def is_asked(self, node: Any) -> bool:
        """`x.ndim`, `np.ndim(x)`, `tree["left"]`: questions that do nothing else."""
        if isinstance(node, gast.Subscript):
            container = self.known(node.value)
            looked_up = isinstance(container, Tup) and not container.is_object
            return looked_up and node not in self.facts.raising
        if isinstance(node, gast.Attribute):
            return node.attr in _ASKED or isinstance(self.known(node), Known)
        return self.facts.function_of(node) in _ASKING

    def chosen(self, node: Any) -> Any:
        """`a if c else b`, `a or b` where it is known which: the one that it is."""
        while True:
            way = self.way_known(node)
            if way is None:
                return node
            self.changed = True
            node = way

    def way_known(self, node: Any) -> Any | None:
        """What a choice comes down to, where what it asks first is known, and asking does nothing else."""
        match node:
            case gast.IfExp(test=test, body=body, orelse=orelse) if self.is_plain(test):
                truth = truth_of(self.known(test))
                return None if truth is None else (body if truth else orelse)
            case gast.BoolOp(op=op, values=[first, *others]):
                truth, stop = truth_of(self.known(first)), isinstance(op, gast.Or)
                if truth is stop:
                    return first
                if truth is not None and self.is_plain(first):
                    rest = others[0] if len(others) == 1 else gast.BoolOp(op, others)
                    return gast.copy_location(rest, node) if len(others) > 1 else rest
        return None

    def lowered(self, node: Any, origin: ir.Origin) -> tuple[list[ir.Statement], Any]:
        """The stores that a call that writes stands for, and an expression for its value."""
        self.changed = True
        callee, handler = self.facts.callees[node], self.facts.lowered[node]
        call = InPlaceCall(
            node,
            callee.function,
            list(callee.args),
            callee.keywords,
            self.facts,
            origin,
            self.fresh,
        )
        try:
            value = handler(call)
        except Unable as reason:  # it is another array on another trip than on the first
            self.refusals.append(Refusal(str(reason), node))
            return [], gast.Constant(None, None)
        if isinstance(callee.function, DictMethod):
            pairs = ((s.target, s.value) for s in call.lines if isinstance(s, ir.Assign))
            lines = [new for t, v in pairs for new in self.assignment(t, v, origin)]
            return lines, gast.Constant(None, None) if value is None else value
        if handler in LIST_LINES:
            call.lines = list(self.settled(tuple(call.lines)))
        return call.lines, gast.Constant(None, None) if value is None else value

    def is_call(self, node: Any) -> bool:
        callee = self.facts.callees.get(node)
        if callee is None:
            return False
        if isinstance(callee.function, ListMethod):
            taken = (
                callee.function.name in OF_CONTAINERS | {"sort"} and node not in self.facts.lowered
            )
            followed = isinstance(self.known(callee.args[0]), Seq)  # its changes are taken back
            return taken and (followed or self.facts.is_ever_active(callee.args[0]))
        return callee.user is not None and (callee.user.is_followed or node in self.facts.handed)

    def is_call_of_given(self, node: Any) -> bool:
        """Whether a function is called that is known by what it holds: another call stands for it."""
        func = getattr(node, "func", None) if node in self.facts.lifted else None
        kind = self.facts.kinds.get(func)
        return isinstance(kind, Tup) and kind.is_function

    def instead(self, node: Any) -> Any:
        """An expression with what stands for its parts: d.values() is a tuple of the values."""

        def change(part: Any) -> Any:
            new = self.facts.as_arrays.get(part)
            return None if new is None else self.without_tuples(new)

        return ir.copy_expression(node, change)

    def comprehension(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        self.changed = True
        name = self.fresh("t")
        loop = filled_in_loop if node in self.facts.filled else appended_in_loop
        before += loop(self.instead(node), name, self.fresh, origin)
        return gast.copy_location(ir.name(name), node)

    def display(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """{"a": x}; a dict whose keys are computed is filled in lines of its own"""
        taken = self.comprehension if node in self.facts.filled else self.inside
        new = taken(node, before, origin)
        if node in self.facts.keyed and new is not node:
            new.is_keyed = True  # as which the next walk knows it
        return new

    def expression(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        settled = self.is_settled(node) and not self.is_in_turn(node)
        return node if settled else self.taken_apart(node, before, origin)

    def taken_apart(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        call = self.by_method(node)
        self.changed |= call is not node
        node = call
        instead = self.facts.as_arrays.get(node) or self.answer_to(node)
        instead = instead or self.without_stars_of_nothing(node)
        if instead is not None:
            self.changed = True
            return self.without_tuples(instead)
        if node in self.facts.raising:
            return self.raised(node, before, origin)
        if not self.active(node) and not self.writes(node):
            return self.part_of_call(node, before, origin) or self.untouched(node, before, origin)
        if isinstance(node, gast.Name):
            return self.whole_tuple(node)
        if node in self.facts.lowered:
            lines, value = self.lowered(node, origin)
            before += lines
            return value
        if node in self.facts.choices or node in self.facts.made or self.is_call(node):
            return self.call_first(node, before, origin)
        if isinstance(node, gast.BinOp) and isinstance(self.known(node), Tup):
            elements = self.elements(node)
            if elements is not None:
                self.changed = True
                return gast.copy_location(gast.Tuple(elements, gast.Load()), node)
        node = self.chosen(node)
        if type(node) in self.TAKEN_APART:
            return self.TAKEN_APART[type(node)](self, node, before, origin)
        return self.inside(node, before, origin)

    def without_stars_of_nothing(self, node: Any) -> Any | None:
        """A list in which what is starred has no elements: one that grows later would have a tangent of it."""
        if not isinstance(node, gast.List) or node not in self.facts.lifted:
            return None
        new = self.facts.lifted[node]
        stars = sum(isinstance(e, gast.Starred) for e in node.elts)
        return new if 0 < stars == len(node.elts) - len(new.elts) else None

    def part_of_call(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any | None:
        """A part of what a call gives that carries no derivative: the call is made once for all parts."""
        if node not in self.facts.parts_of_calls:
            return None
        whole = self.part_of_call(node.value, before, origin)
        if whole is None:
            given, whole = self.calls_before.get(node.value, (None, None))
            kind = self.known(node.value)
            if isinstance(kind, Tup) and kind.active and kind.is_counted:  # others carry one
                whole = self.call_named(node.value, before, origin)
            elif given is not before:
                whole = self.named(node.value, node.value, before, origin)
                self.calls_before[node.value] = before, whole
        return ir.with_fields(node, {"value": ir.duplicate(whole)})

    def raised(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """What raises here does so by itself: the dict or object that it is asked of is gone."""
        self.changed = True
        error, text = self.facts.raising[node]
        made = quote(f"{error}({{key}})", key=constant(text))
        before.append(ir.Do(all_at(gast.Raise(made, None), node), origin))
        return gast.copy_location(gast.Constant(None, None), node)

    def call_first(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """What a call gives has a name before the rest is evaluated."""
        if node in self.facts.choices:
            self.changed = True
            name = ir.name(self.fresh("t"))
            before += one_by_one(self.facts.choices[node], name, self.fresh, origin)
            return gast.copy_location(ir.name(name.id), node)
        if node in self.facts.made:
            return self.made_first(node, before, origin)
        return self.call_named(node, before, origin)

    def subscript(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """t[1] -> t_1;  f(x)[1] -> t_0, t_1 = f(x); t_1"""
        element = self.whole_element(node)
        if element is not None:
            return element
        whole = self.choice_named(node.value, before, origin)
        whole = whole or self.display_named(node, before, origin)
        if whole is not None:
            return ir.with_fields(node, {"value": whole})
        key = known_key(node.slice, self.facts.kind(node.slice))
        element = self.element_of_call(node.value, key, before, origin)
        if element is not None:
            return element
        return self.inside(node, before, origin)

    def displayed(self, value: Any) -> Any:
        """A comprehension or a dict of others as it is written down, an operator of a class as its method."""
        new = self.facts.as_arrays.get(value)
        new = self.facts.answers.get(
            value, new if isinstance(new, (gast.Dict, gast.List)) else None
        )
        if new is None:
            return value
        self.changed = True
        return self.displayed(new)

    def choice_named(self, whole: Any, before: list[ir.Statement], origin: ir.Origin) -> Any | None:
        """(a if c else b)[0]: what is chosen has a name, so that all who take a part of it ask c once."""
        if not (isinstance(whole, _CHOICES) and isinstance(self.known(whole), Tup)):
            return None
        if not self.active(whole):
            return None
        given, name = self.calls_before.get(whole, (None, None))
        if given is not before:
            name = self.named(whole, whole, before, origin)
            self.calls_before[whole] = before, name
        return ir.duplicate(name)

    def display_named(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any | None:
        """{"p": x}["p"]: the dict has a name first; a tuple only where the element is a container, too."""
        kind = self.known(node.value)
        if not (isinstance(kind, Tup) and kind.active):
            return None
        display = self.displayed(node.value)
        counted = isinstance(display, (gast.Tuple, gast.List))
        if isinstance(display, gast.Dict) or (counted and isinstance(self.known(node), Tup)):
            return self.named(node.value, display, before, origin)
        return None

    def attribute(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """p.x -> p_x"""
        element = self.whole_element(node)
        if element is not None:
            return element
        if self.is_of_class(node):
            return self.of_class(node)
        whole = self.choice_named(node.value, before, origin)
        if whole is not None:
            return ir.with_fields(node, {"value": whole})
        element = self.element_of_call(node.value, node.attr, before, origin)
        if element is not None:
            return element
        kind = self.known(node.value)
        position = kind.position(node.attr) if isinstance(kind, Tup) and kind.is_counted else None
        if position is not None:  # of what stands in a list, where its fields have no names
            self.changed = True
            value = self.inside(node.value, before, origin)
            key = gast.Constant(position, None)
            return gast.copy_location(gast.Subscript(value, key, gast.Load()), node)
        return self.inside(node, before, origin)

    def inside(
        self, node: Any, before: list[ir.Statement], origin: ir.Origin, call: Any = None
    ) -> Any:
        """The node with its parts taken apart, in the order in which they are evaluated.

        call: what the node stands for, as it is written.
        """
        if isinstance(node, Closure):
            return node
        whole = node
        self.receiver_first(node, before, origin)
        stands_for_another = self.is_call_of_given(node) or self.is_call(node) or self.active(node)
        if node in self.facts.lifted and stands_for_another:
            self.changed = True
            while node in self.facts.lifted:  # of a partial of a partial
                node = self.facts.lifted[node]
            if not isinstance(node, gast.Call):  # what `options.get(key)` gives
                return self.expression(node, before, origin)
        parts, unnamed = self.parts_in_turn(node, call or whole), self.facts.unnamed
        moved = [k for k, part in enumerate(parts) if self.goes_before(part)]
        last = max(moved, default=-1)
        new: dict[Any, Any] = {}
        stands = isinstance(getattr(node, "func", None), Routine)
        for k, part in enumerate(parts):
            itself = self.itself(part) if stands else None
            if self.takes_elements(node, part) and self.is_tuple_of_rule(part):
                itself = self.call_named(part, before, origin)
            result = itself or self.expression(part, before, origin)
            others = parts[k + 1 :] if k < last else []
            by_elements = self.law_of(node) == "sequence" and self.is_list_of_list(part)
            if part in unnamed or by_elements or self.must_stay_before(part, result, others, whole):
                result = self.written_before(part, result, before, origin)
            if result is not part:
                new[part] = result
        if not new:
            return node
        return ir.copy_expression(node, lambda sub: new.get(sub) if sub is not node else None)

    def receiver_first(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> None:
        """a.push(v).push(w): a.push(v) has a line of its own, and gives back a."""
        receiver = getattr(getattr(node, "func", None), "value", None)
        if receiver in self.facts.given_back and node in self.facts.lifted:
            self.call_named(receiver, before, origin)

    def takes_elements(self, node: Any, part: Any) -> bool:
        """Whether this is a call that takes several results one by one."""
        if node not in self.facts.callees:
            return False
        by_user = self.is_call(node) and not self.is_list_method(node)
        return by_user or (self.law_of(node) == "sequence" and self.law_of(part) == "tuple")

    def law_of(self, node: Any) -> str:
        return getattr(self.facts.rule_of(node), "law", "")

    def is_tuple_of_rule(self, node: Any) -> bool:
        """Whether this calls a function with a rule that gives several results."""
        kind = self.known(node)
        several = isinstance(kind, Tup) and kind.active and node not in self.facts.made
        return several and isinstance(node, gast.Call) and not self.is_call(node)

    def is_list_of_list(self, node: Any) -> bool:
        """Whether this is `xs[i]`, a list or tuple that a list of any length holds."""
        kind = self.facts.kind(node)
        taken = isinstance(node, gast.Subscript) and isinstance(kind, Tup) and kind.active
        return taken and isinstance(self.facts.kind(node.value), Seq)

    def named(self, old: Any, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        self.changed = True
        name = self.fresh(stem_of(node))
        before.append(ir.Assign(gast.copy_location(ir.name(name), old), node, origin))
        return gast.copy_location(ir.name(name), old)

    def conditional(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        self.changed = True
        name = self.fresh("t")
        branches = []
        for part in (node.body, node.orelse):
            lines: list[ir.Statement] = []
            value = self.expression(part, lines, origin)
            branches.append(
                (*lines, ir.Assign(gast.copy_location(ir.name(name), node), value, origin))
            )
        before.append(ir.If(node.test, branches[0], branches[1], origin))
        return gast.copy_location(ir.name(name), node)

    def either(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """`a or b`  ->  t = a; if not t: t = b"""
        self.changed = True
        first, *others = node.values
        name = self.fresh("t")

        def target() -> Any:
            return gast.copy_location(ir.name(name), node)

        lines: list[ir.Statement] = []
        known = [self.expression(first, lines, origin)]
        for other in others:
            branch: list[ir.Statement] = []
            value = self.expression(other, branch, origin)
            if not (branch or self.active(node)):
                known.append(value)  # it needs no line of its own
                continue
            lines.append(ir.Assign(target(), _joined(node, known), origin))
            branch.append(ir.Assign(target(), value, origin))
            test = target()
            if isinstance(node.op, gast.Or):
                test = gast.copy_location(gast.UnaryOp(gast.Not(), test), node)
            lines.append(ir.If(test, tuple(branch), (), origin))
            known = [target()]
        if len(known) > 1:
            lines.append(ir.Assign(target(), _joined(node, known), origin))
        before += lines
        return target()

    def compared(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """`a < b < f(x)`  ->  t = a < b; if t: t = b < f(x)"""
        left, (middle, *others) = node.left, node.comparators
        if not any(map(self.writes, others)):
            return self.inside(node, before, origin)
        again = self.expression(middle, lines := list[ir.Statement](), origin)
        calls = any(isinstance(part, gast.Call) for part in ir.walk(middle))
        if calls or self.writes(middle):  # it is evaluated once, and after what stands before it
            left = self.expression(left, before, origin)
            left = (
                left if isinstance(left, gast.Constant) else self.named(left, left, before, origin)
            )
            middle = again = (
                again if isinstance(again, gast.Name) else self.named(middle, again, lines, origin)
            )
        before += lines
        first = gast.Compare(left, node.ops[:1], [middle])
        rest = gast.Compare(ir.duplicate(again), node.ops[1:], others)
        joined = gast.BoolOp(gast.And(), [gast.copy_location(c, node) for c in (first, rest)])
        return self.either(gast.copy_location(joined, node), before, origin)

    TAKEN_APART: ClassVar[dict[type, Any]] = {
        gast.IfExp: conditional,
        gast.BoolOp: either,
        gast.Compare: compared,
        gast.Subscript: subscript,
        gast.Attribute: attribute,
        gast.ListComp: comprehension,
        gast.GeneratorExp: comprehension,
        gast.DictComp: comprehension,
        gast.Dict: display,
    }


def _joined(node: Any, operands: list[Any]) -> Any:
    """The first operands of `and` or `or`."""
    if len(operands) == 1:
        return operands[0]
    return gast.copy_location(gast.BoolOp(node.op, operands), node)
