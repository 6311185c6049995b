"""Lists: how they are made, what is put into them and taken out.

A list that nobody changes and whose elements are named one by one is a `Tup`, and taken apart. One that grows, is
stored to, indexed by a variable or run over is a `Seq`: wherever that is found out, the walk starts again with this
list made so.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.added_meanwhile import AddedMeanwhile
from tangentish.infer.arrays_run_over import note_objects_put
from tangentish.infer.attributes_first import AttributesFirst
from tangentish.infer.containers_given import Made, made_active, with_own_parts
from tangentish.infer.facts import Callee
from tangentish.infer.forms import (
    FIELDS,
    differ_in_form,
    differ_in_names,
    holds_keys,
    meets_function,
    meets_single,
    several_forms,
)
from tangentish.infer.grown import grown_in, grown_later
from tangentish.infer.in_loops import seek_name_of_call, seek_name_of_display
from tangentish.infer.known_functions import ListMethod, has_rule
from tangentish.infer.list_lines import BOUND_ANEW, FILLED_ANEW, sort_list
from tangentish.infer.lists_of_anything import list_of_anything
from tangentish.infer.meeting import Meeting
from tangentish.infer.names_for_items import seek_names_where_given
from tangentish.infer.none_told import NoneTold
from tangentish.infer.operator_methods import OperatorMethods
from tangentish.infer.resized_lists import GROWING
from tangentish.infer.rule_calls import RuleCalls
from tangentish.infer.run_over_once import ONE_EACH
from tangentish.infer.same_objects import SameObjects
from tangentish.infer.told_apart import ToldApart
from tangentish.infer.writes import Writes
from tangentish.ir.origins import origin_of
from tangentish.ir.quote import quote
from tangentish.kinds import (
    NO_BUFFERS,
    REFUSED,
    UNKNOWN,
    Buffer,
    Cell,
    Functions,
    Kind,
    Known,
    Num,
    Opaque,
    Seq,
    Tup,
    buffers_of,
    functions_in,
    held_by,
    replace,
    scalar,
    with_parts,
)
from tangentish.kinds.enums import as_integer
from tangentish.kinds.joins import as_sequence, join
from tangentish.kinds.sites import is_in_argument
from tangentish.language.comprehensions import is_appended_to
from tangentish.language.written_out import written_out
from tangentish.rules import CONSTANT, RULES, array_operands, plain_arguments
from tangentish.runtime.copies import copy_shared
from tangentish.runtime.own import checked

LIST_MAKERS: set[Any] = {list, tuple}

REORDERING = {"sort", "reverse", "remove", ir.EXCHANGE}


_BY_LITERALS = (
    "a list of dicts or objects is indexed by literals only here: index np.array([p.x for p in ps])"
)


class Lists(
    AddedMeanwhile,
    AttributesFirst,
    RuleCalls,
    OperatorMethods,
    ToldApart,
    Writes,
    SameObjects,
    NoneTold,
    Meeting,
):
    """The part of the walk that follows lists."""

    def as_used(self, kind: Kind) -> Kind:
        """The kind of an argument, its lists as they are used here."""
        kind = with_parts(kind, self.as_used)
        if not (isinstance(kind, Tup) and kind.sites & self.dynamic):
            return kind
        return as_sequence(kind) if kind.is_counted else replace(kind, apart=True)

    def demand(self, kind: Tup, node: Any = None, reason: str = _BY_LITERALS) -> None:
        """The elements of this list can't be told apart: start again, with a list that may change."""
        if any(map(holds_keys, kind.items)):
            self.seek_records_told_apart(kind)
            self.refuse(reason, node)
            return
        if not kind.is_counted:
            self.refuse("only its elements, by literal keys or names, can be used here", node)
            return
        if new := kind.sites - self.dynamic:
            self.start_listed(new)
        if node is None:
            seek_names_where_given(self, kind)
        else:
            self.list_here(kind)
        made = kind.active and all(isinstance(site, Made) for site in kind.sites)
        if made or node is not None:  # what a call gives has a name for each element
            self.refuse(_WHICH_LIST, node)

    def met(self, a: Kind, b: Kind) -> Kind:
        """The join of two kinds; a tuple that meets a list of unknown length is one as well."""
        if a.__class__ is b.__class__ is Num:  # which have one form
            return join(a, b)
        if meets_function(a, b) or meets_function(b, a):
            if a.active or b.active:
                message = "it is not known which function this is: call each where it is known"
                self.refuse(message, None)
            return REFUSED if a.active or b.active else UNKNOWN
        self.meet_as_functions(a, b)
        self.meet_as_records(a, b)
        self.meet_as_objects(a, b)
        if self.can_not_meet(a, b):
            return REFUSED
        for one, other in ((a, b), (b, a)):
            listed = isinstance(other, (Tup, Seq)) and isinstance(join(a, b), Seq)
            if listed and isinstance(one, Tup):
                self.demand(one)
        match a, b:
            case Tup(items=items), Tup(items=others) if len(items) == len(others):
                for one, other in zip(items, others, strict=True):
                    self.met(one, other)
            case Seq(item=first), Seq(item=second) if first is not None and second is not None:
                self.met(first, second)
        return join(a, b)

    def can_not_meet(self, a: Kind, b: Kind) -> bool:
        """Whether what carries a derivative has forms that can't be one, which is refused."""
        if differ_in_form(a, b):
            self.seek_set_before(a, b)
            self.refuse_forms(a, b)
        elif differ_in_names(a, b):
            self.refuse(FIELDS, None)
        elif meets_single(a, b) or meets_single(b, a):
            self.refuse(several_forms(self.statement), None)
        else:
            return False
        return True

    def refuse_forms(self, a: Kind, b: Kind) -> None:
        statement: Any = self.statement
        message = "a dict or an object has one form on one path and another on another: make it in one way"
        for kind in (a, b):
            if isinstance(kind, Tup) and kind.type is Cell and kind.keys:
                message = f"'{kind.keys[0]}' has a value on one path only: give it one before"
            elif isinstance(kind, Tup) and kind.is_records:
                message = _NEW_FOR_GIVEN
        self.refuse(message, statement.origin.node)

    def display(self, node: Any) -> Kind:
        """[a, b] or (a, b)"""
        items = tuple(map(self.expression, node.elts))
        self.kept.append(node)
        kind = Tup(items, isinstance(node, gast.List), frozenset({id(node)}))
        changes = id(node) in self.dynamic or is_appended_to(node)
        if not changes or any(map(holds_keys, items)):
            return kind
        for k, item in enumerate(items[1:], 1):
            self.met(items[0], item)
            self.put_beside(item, items[:k])
        return replace(as_sequence(kind), buffers=self.fresh(node))

    def made_list(self, function: Any, argument: Any, node: Any) -> Kind:
        """list(x), tuple(x)"""
        kind = self.kind(argument)
        is_tuple = function is tuple
        match kind:
            case Seq(item=item, length=length):
                return Seq(item, self.fresh(node), length, is_tuple)
            case Num(array=True, shape=shape) if shape:
                row = self.item_of_sequence(kind, argument)
                return Seq(row, self.fresh(node), shape[0], is_tuple)
            case Tup(items=items):
                same = self.of_same_objects(node, (argument, slice(None)), is_list=not is_tuple)
                if same is not None:
                    return same
                if kind.active:
                    self.demand(kind, node)
                else:
                    made = Tup(items, not is_tuple, frozenset({id(node)}))
                    changes = id(node) in self.dynamic
                    return replace(as_sequence(made), buffers=self.fresh(node)) if changes else made
            case Functions(type=cls) if cls in ONE_EACH:
                return replace(kind, type=function)
        if kind.active:
            self.refuse(f"it is not known what {function.__name__}() makes of this", node)
            return UNKNOWN
        item = self.item_of_iterator_call(argument)
        if item is None:
            return (None if is_tuple else list_of_anything(kind)) or UNKNOWN
        return Seq(item, self.fresh(node), None, is_tuple)

    def joined_lists(self, op: str, first: Kind, second: Kind, node: Any) -> Kind | None:
        """Xs + ys, [x] * n"""
        sequences = [
            as_sequence(k) if isinstance(k, Tup) else k
            for k in (first, second)
            if isinstance(k, Seq) or (isinstance(k, Tup) and k.is_counted)
        ]
        if op == "Add" and len(sequences) == 2:
            self.put_beside(sequences[0].item, [sequences[1].item])
            joined = join(*sequences)
            assert isinstance(joined, Seq)
            return replace(joined, buffers=self.fresh(node), length=None)
        if (
            op == "Mult"
            and len(sequences) == 1
            and not any(isinstance(k, Tup) and not k.is_counted for k in (first, second))
            and not any(isinstance(k, Num) and k.array is not False for k in (first, second))
        ):
            self.facts.repeated |= held_by(sequences[0])
            if sequences[0].active and not isinstance(sequences[0].item, Num):
                self.refuse("a list of containers is repeated: write a comprehension", node)
            return replace(sequences[0], buffers=self.fresh(node), length=None)
        return None

    def put_beside(self, new: Kind | None, others: Sequence[Kind | None]) -> None:
        """An element is put into a list that may hold the same array, or the same list, already."""
        held = NO_BUFFERS.union(*(buffers_of(kind) for kind in others if kind is not None))
        self.facts.repeated |= held & buffers_of(new or UNKNOWN)

    def check_repeated(self) -> None:
        """What stands in a list twice has two gradients there: it must not be written to."""
        sites = {buffer.site for buffer in self.facts.repeated}
        for (node, name), buffers in self.facts.written_inside.items():
            if self.facts.web_kinds[name].active and sites & {buffer.site for buffer in buffers}:
                message = "this may stand in the list more than once and is written to: put copies into the list"
                self.refuse(message, node)

    def taken_as_array(self, function: Any, argument: Any) -> Any:
        """np.mean(xs) is np.mean(np.array(xs))"""
        kind = self.kind(argument)
        if not (isinstance(kind, Seq) and kind.active and has_rule(function)):
            return argument
        if function in CONSTANT or function in _TELL_LISTS_FROM_ARRAYS:
            return argument
        if any(rule.law == "sequence" for rule in RULES.get(function, ())):
            return argument
        return self.as_array(argument)

    def with_arrays(
        self, function: Any, args: list[Any], keywords: dict[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """np.dot([x, y], w) is np.dot(np.array([x, y]), w): rules read their operands as arrays."""
        kinds = list(map(self.kind, (*args, *keywords.values())))
        if not any(map(_is_array, kinds)) or not any(kind.active for kind in kinds):
            return args, keywords
        if not has_rule(function) or function in (*_TELL_LISTS_FROM_ARRAYS, sum):
            return args, keywords
        operands = array_operands(function, args, keywords, self.flag, self.is_sequence)
        listed = [a for a in operands if _is_array(self.kind(a))]
        plain = set(plain_arguments(function, args, keywords, self.flag)) if listed else set()
        new = {a: self.as_array(a) for a in listed if self.kind(a).active or a not in plain}
        return [new.get(a, a) for a in args], {k: new.get(a, a) for k, a in keywords.items()}

    def listed_as_array(self, argument: Any) -> Any:
        """np.array([x, y]) for [x, y]; what is no list is left."""
        return self.as_array(argument) if _is_array(self.kind(argument)) else argument

    def stored_as_array(self, value: Any, kind: Kind) -> Kind:
        """`y[:2] = xs[1:]` stores np.array(xs[1:]); a tuple of known elements is taken apart instead."""
        is_part = isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Slice)
        is_list = isinstance(kind, Seq) or (is_part and isinstance(kind, Tup))
        return self.kind(self.as_array(value)) if is_list and kind.active else kind

    def as_array(self, argument: Any) -> Any:
        """np.array(xs)"""
        if argument not in self.facts.as_arrays:
            made = quote("np.array({x})", x=argument)
            self.facts.as_arrays[argument] = gast.copy_location(made, argument)
        self.expression(self.facts.as_arrays[argument])
        return self.facts.as_arrays[argument]

    # -- reading

    def item_of_list(self, node: Any, base: Seq, index: Kind) -> Kind:
        """xs[i], xs[1:]"""
        if isinstance(node.slice, gast.Slice):
            return replace(base, buffers=self.fresh(node), length=None)
        if base.active:
            self.asked_for_integers(node.slice)
            index = self.kind(node.slice)
        index = as_integer(index)
        if isinstance(index, Num) and (index.dtype is None or index.dtype.kind in "iu"):
            if index.dtype is None:  # Python's lists take nothing else
                self.facts.kinds[node.slice] = scalar(int)
            item = base.item
            return replace(item, value=None) if isinstance(item, Num) else self.taken(item, node)
        if base.active:
            self.refuse("a list is indexed by integers and slices only", node)
        return UNKNOWN

    def taken(self, item: Kind | None, node: Any) -> Kind:
        """An element of a list: functions there may each have captured something else."""
        if item is not None and not all(f.home or f.options for f in functions_in(item)):
            self.refuse("functions in a list are not followed: call them where they are made", node)
            return REFUSED
        return UNKNOWN if item is None else self.refreshed(item)

    # -- methods

    def list_method(
        self,
        method: ListMethod,
        receiver: Any,
        args: list[Any],
        node: Any,
        keywords: dict[str, Any],
    ) -> Kind:
        kinds = [self.expression(argument) for argument in args]
        kind, name = self.expression(receiver), method.name  # the arguments may have made it older
        if name in ("index", "count"):
            return scalar(int)
        if isinstance(kind, Tup):
            return self.method_of_elements(name, receiver, kind, node)
        if not isinstance(kind, Seq):
            self.refuse("what is put into this list may change it: give that a name first", node)
            return REFUSED
        self.facts.callees[node] = Callee(method, (receiver, *args), {})
        if name == "copy":
            return replace(kind, buffers=self.fresh(node))
        if name == "extend" and args:
            self.check_added(args[0], kind)
        item = self.item_put(name, kinds, args)
        if name not in GROWING | REORDERING:
            self.refuse(f"lists have no method .{name}", node)
        if name == "remove" and kind.active:
            self.refuse("the method .remove of a list of differentiated values", node)
        key = keywords.get("key")
        by_active = name == "sort" and key is not None and self.expression(key).active
        if name == "sort" and not (kind.active or by_active):
            self.let_run(key, node)
        if name == "sort" and (kind.active or by_active):
            self.facts.callees[node] = Callee(self.way_anew(receiver, kind), (receiver,), keywords)
            self.facts.lowered[node] = sort_list
        self.put_beside(item, [kind.item])
        self.facts.grown |= kind.buffers if name in GROWING else NO_BUFFERS
        self.note_replaced(kind)
        self.change_list(receiver, kind, item)
        return self.taken(kind.item, node) if name == "pop" else Known(None)

    def method_of_elements(self, name: str, receiver: Any, kind: Tup, node: Any) -> Kind:
        """A method of a list whose elements are told apart: a copy has the same, all others make them one value."""
        if name == "copy":
            return self.answered_by(node, lambda: quote("list({xs})", xs=receiver))
        others = {*grown_in(self.lines, self.env.kinds), *grown_later(self.function.body)}
        self.dynamic |= others - kind.sites  # looked at when the walk starts again
        self.demand(kind, node)
        return UNKNOWN

    def way_anew(self, receiver: Any, kind: Seq) -> object:
        """How a list gets other elements: by binding its name to another list, where nobody else knows it."""
        own = isinstance(receiver, gast.Name) and self.env.on(kind.buffers) <= {receiver.id}
        given = any(is_in_argument(b.site) for b in kind.buffers)
        return BOUND_ANEW if own and not given and kind.buffers else FILLED_ANEW

    def item_put(self, name: str, kinds: list[Kind], args: list[Any]) -> Kind | None:
        """The kind of what a method puts into its list."""
        if name == "append" or (name == "insert" and len(kinds) == 2):
            return kinds[-1]
        if name == "extend" and args:
            return self.items_added(args[0], self.as_list_added(args[0], kinds[0]))
        return None

    def as_list_added(self, node: Any, kind: Kind) -> Kind:
        """The kind of what `xs.extend(node)` adds: of an array its elements. `xs += x` would make xs an array."""
        if not (isinstance(kind, Num) and kind.array and kind.active):
            return kind
        return self.answered_by(node, lambda: quote("list({x})", x=written_out(node)))

    def items_added(self, node: Any, kind: Kind) -> Kind | None:
        """The kind of the elements that `xs += node` adds."""
        match kind:
            case Tup(items=items):
                return functools.reduce(join, items) if items else None
            case Seq(item=item):
                return item
        if kind.active:
            self.refuse("this is no list: make it one by list(...)", node)
        return UNKNOWN

    def refuse_keyed(self, item: Kind | None, node: Any) -> None:
        if item is not None and holds_keys(item):
            self.refuse("dicts and objects go into lists that begin empty and have a name", node)

    def root_of_list(self, receiver: Any) -> Any:
        """The name of what holds a list: of an object or a dict whose elements are values of their own."""
        root = ir.root_of(receiver)
        if isinstance(root, gast.Name):
            return root
        owner = ir.owner_of(receiver)
        held = isinstance(owner, gast.Name) and self.env.kinds.get(owner.id, UNKNOWN).active
        return owner if held and self.is_path(root) else root

    def change_list(self, receiver: Any, kind: Seq, item: Kind | None) -> None:
        """A list is changed: every name of it sees that."""
        self.changes_where_made(kind)
        note_objects_put(
            self, item, (origin_of(s).node for s in (*self.around, self.statement) if s)
        )
        self.seek_records(kind, item)
        self.refuse_keyed(item, receiver)
        assert self.statement is not None
        root = self.root_of_list(receiver)
        if not ir.is_own_name(root):
            seek_name_of_display(self, receiver)
            self.demand_owner_apart(receiver, item)
            if kind.active or (item is not None and item.active):
                seek_name_of_call(self, receiver)
                self.refuse("the list has no name of its own here: give it one first", receiver)
            self.note_change(receiver, [receiver])
            return
        self.demand_holders_apart(kind, receiver)
        self.note_write(root.id, kind.buffers)
        if item is not None and item.active:
            self.check_may_be_written(root.id, kind.buffers, True)
            self.varies_from_here(kind.buffers)
        self.env.forget_elements(kind.buffers)
        if item is not None and kind.item is not None:
            self.met(kind.item, item)
        for other in self.env.on(kind.buffers) | {root.id}:
            old = self.env.kinds.get(other)
            if old is None:
                continue
            if isinstance(old, Num) and item is not None and item.active:
                self.refuse_hidden(other)  # max(w, v) of lists: it may be this one
            new = with_own_parts(old, _with_item(old, kind.buffers, item))
            self.sees_change(other, old, new, receiver)
            if other != root.id:
                self.env.stale[other] = self.env.stale.get(other, frozenset()) | {root.id}

    def sees_change(self, name: str, old: Kind, new: Kind, receiver: Any) -> None:
        """A name of the list that is changed, or of what holds it."""
        for part in made_active(old, new):
            self.demand_apart(part, receiver)
        if new is not old:
            self.env.bind(name, new)
            self.facts.web_kinds[name] = join(self.facts.web_kinds[name], new)


_TELL_LISTS_FROM_ARRAYS = (checked, copy_shared, np.block)
_NEW_FOR_GIVEN = (
    "a list of dicts or objects that a loop fills takes the place of one whose elements are known one by one, or of "
    "something else: write ps = [f(p) for p in ps] for a loop that appends f(p)"
)
_WHICH_LIST = "it is not known which list this is: make it in this function"


def _with_item(kind: Kind, lists: frozenset[Buffer], item: Kind | None) -> Kind:
    """The kind of what holds one of the lists, to which an item was added."""
    kind = with_parts(kind, lambda part: _with_item(part, lists, item))
    if not (isinstance(kind, Seq) and kind.buffers & lists):
        return kind
    held = kind.item if item is None else item if kind.item is None else join(kind.item, item)
    return replace(kind, item=held, length=None)


def _is_array(kind: Kind | None) -> bool:
    """Whether it is a list or tuple that NumPy takes as an array of numbers."""
    match kind:
        case Tup(type=None, keys=None, items=items):
            return all(isinstance(item, Num) or _is_array(item) for item in items)
        case Seq(item=item):
            return isinstance(item, Num) or _is_array(item)
        case Opaque(type=kind_of_list):
            return kind_of_list in (list, tuple, range)
    return False
