"""Calls of functions of which nothing is known: what they may read, change, keep and give."""

from __future__ import annotations

import logging
import types
import warnings
from collections.abc import Hashable, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.callee_changes import CalleeChanges
from tangentish.infer.changes import CHANGING_ARRAYS, changes_what_it_gets, gives_what_it_changed
from tangentish.infer.drawn_elements import DrawnElements
from tangentish.infer.draws import drawn_by, draws, generator_of, is_generator
from tangentish.infer.forgotten import check_method_of_forgotten
from tangentish.infer.function_values import FunctionValues
from tangentish.infer.index_arrays import kind_drawn
from tangentish.infer.interpolants import (
    interpolant_derived,
    interpolant_made,
    makes_interpolant,
)
from tangentish.infer.known_functions import (
    GIVES,
    HARMLESS,
    KEEPING_NOTHING,
    LOG_METHODS,
    OF_ANOTHER_TYPE,
    READING,
    REPORTING,
    is_library,
)
from tangentish.infer.lists_kept import array_sites, lists_kept
from tangentish.infer.rule_calls import RuleCalls
from tangentish.infer.run_over_once import item_taken
from tangentish.infer.sparse import sparse_made
from tangentish.infer.texts import is_text_that_varies
from tangentish.infer.writes import (
    can_change,
    gives_what_changes,
    holds_unknown,
)
from tangentish.kinds import (
    NO_BUFFERS,
    TEXT_THAT_VARIES,
    UNKNOWN,
    Buffer,
    Fun,
    Kind,
    Known,
    Num,
    Opaque,
    Seq,
    buffers_of,
    functions_in,
    is_unknown,
    replace,
    scalar,
    sites_of_buffers,
)

_POSITION_OF_OUT = {
    "random": 2,
    "standard_normal": 2,
    "standard_exponential": 3,
    "standard_gamma": 3,
}
"""Draws that may go into an array: where it stands among the arguments."""


_RESIZED = "this gives the array another shape where it is: make a new array, z = np.zeros(n); z[: len(y)] = y"
_PLACES_IN_TEXTS = {"count", "find", "index", "rfind", "rindex"}


class UnknownCalls(RuleCalls, CalleeChanges, FunctionValues, DrawnElements):
    """The part of the walk that follows calls out of sight."""

    def unknown_call(self, function: Any, arguments: Sequence[Any], node: Any) -> Kind:
        """A function of which nothing is known may write to its arguments."""
        assert self.statement is not None
        text = self.text_made(node, arguments) if function is None else None
        if text is not None:
            return text
        self.facts.calls_unknown |= self.may_run_anything(function, arguments)
        self.note_reach(function, arguments, node)
        drawn = self.drawn(function, node)
        if drawn is None and self.reports(function, node):
            drawn = UNKNOWN
        if drawn is not None:
            self.facts.effects.add(self.statement)
            self.facts.acting[node] = False
            return drawn
        if self.leaves_with(function, node):
            self.facts.effects.add(self.statement)
            return UNKNOWN
        if self.facts.varies(*arguments):
            return self.not_known(function, arguments, node)
        self.facts.effects.add(self.statement)
        drawn = kind_drawn(function, list(map(self.kind, arguments)))
        if drawn is not None:
            return replace(drawn, buffers=self.fresh(node))
        if function in HARMLESS:
            return UNKNOWN
        owner = [node.func.value] if isinstance(getattr(node, "func", None), gast.Attribute) else []
        given = (*arguments, *owner)
        changes = self.is_changing(function, given, node)
        keeps = changes and not isinstance(function, types.FunctionType)  # those are looked through
        self.note_others_have(arguments, owner, keeps)
        kinds = list(map(self.kind, given))
        if changes:
            check_method_of_forgotten(self, getattr(node, "func", None))
            self.note_attributes_set(kinds)
            self.note_arrays_outside(kinds)
        if any(can_change(k) if changes else gives_what_changes(k) for k in kinds) and not (
            _only_reorders(function, node) and isinstance(kinds[0], Seq)
        ):
            self.forget_lists()
        self.let_out(function, arguments, node)
        self.note_keeping(function, given, node)
        taken = item_taken(function, arguments, kinds[: len(arguments)])
        return taken or self.object_made(function, kinds[: len(arguments)], owner, node)

    def not_known(self, function: Any, arguments: Sequence[Any], node: Any) -> Kind:
        """A call with what varies is refused, if no other form of the program tells what is called."""
        func = getattr(node, "func", node)
        if self.is_asked_of_nothing(func, node):
            return UNKNOWN
        self.write_out_for(func, is_called=True)  # each trip may call another
        self.take_up_again([func, *arguments])
        self.demand_lists(func)
        if func is not node and isinstance(func, gast.Attribute):
            self.demand_holder(func.value)
        self.refuse_unknown(function, node)
        return Num(None, None, None, active=True)

    def is_asked_of_nothing(self, func: Any, node: Any) -> bool:
        """Whether this raises here: `sympy.sin(x)`, where the module is not there, or `sympy` is None instead."""
        owner = func.value if isinstance(func, gast.Attribute) else func
        if not isinstance(owner, gast.Name):
            return False
        if self.is_missing(owner):
            self.consult(owner.id, UNKNOWN)
            return (
                self.raises_here(node, "NameError", f"name '{owner.id}' is not defined") is not None
            )
        if func is owner or ir.is_value(owner.id) or self.kind(owner) != Known(None):
            return False
        text = f"'NoneType' object has no attribute '{func.attr}'"
        return self.raises_here(node, "AttributeError", text) is not None

    def is_missing(self, name: Any) -> bool:
        """Whether this is the name of nothing; names of generated code are always there."""
        if name.id.startswith("$"):
            return False
        free = not ir.is_value(name.id) and name.id not in self.scope
        return free and self.source.where(name.id) is None and not self.is_rebound(name.id)

    def object_made(
        self, function: Any, kinds: list[Kind], owner: Sequence[Any], node: Any
    ) -> Kind:
        """The kind of what a call gives that is not followed: sparse matrices and interpolants are known."""
        sparse = sparse_made(function, kinds)
        if sparse is not None:
            return sparse
        if function in READING and not OF_ANOTHER_TYPE & {k.arg for k in node.keywords}:
            return Num(np.dtype(float), None, True, buffers=self.fresh(node))
        if isinstance(function, types.FunctionType) and function in GIVES:
            return Opaque(GIVES[function])
        derived = interpolant_derived(self.kind(owner[0]), node.func.attr) if owner else None
        made = derived or interpolant_made(function, kinds)
        held = NO_BUFFERS.union(*map(buffers_of, kinds)) if made else NO_BUFFERS
        return Opaque(made, buffers=held)

    def is_place_in_text(self, node: Any) -> bool:
        """`"xyz".index(c)`"""
        func = getattr(node, "func", None)
        if not isinstance(func, gast.Attribute) or func.attr not in _PLACES_IN_TEXTS:
            return False
        text = self.kind(func.value)
        known = isinstance(text, Known) and isinstance(text.value, str)
        return known or text == Opaque(str)

    def text_made(self, node: Any, arguments: Sequence[Any]) -> Kind | None:
        """What methods of texts give: "{}".format(x), "".join(texts), and text.split() are such texts; and places."""
        if self.is_place_in_text(node):
            return scalar(int)
        filled = self.is_filled_in(node, arguments)
        if filled and self.facts.varies(*arguments):
            return TEXT_THAT_VARIES
        func = getattr(node, "func", None)
        parts = (func.value, *arguments) if isinstance(func, gast.Attribute) else ()
        if any(is_text_that_varies(self.kind(part)) for part in parts):
            return TEXT_THAT_VARIES
        return Opaque(str) if filled else None

    def is_changing(self, function: Any, given: Sequence[Any], node: Any) -> bool:
        """Whether a function of which nothing is known may change what it is given; that, and draws, are noted."""
        func = getattr(node, "func", None)
        changes = changes_what_it_gets(function, func) and not self.only_holds(function, given)
        owner = func.value if isinstance(func, gast.Attribute) and func.attr == "resize" else None
        if owner is not None and isinstance(self.kind(owner), Num):
            self.refuse(_RESIZED, node)
        if changes:
            anything = function is None and not isinstance(func, gast.Attribute)
            self.note_change(node, given, anything=anything)
            for part in given:
                self.check_held_by_array(part)
                self.changes_what_it_keeps(part, node)
        if (
            isinstance(func, gast.Attribute)
            and func.attr in CHANGING_ARRAYS
            and _is_lost(func.value, self.kind(func.value))
        ):
            self.writes_into(func.value, node)
        if changes or draws(function):
            self.facts.acting[node] = changes
        return changes

    def changes_what_it_keeps(self, given: Any, node: Any) -> None:
        """A method of what a call gave may write to arrays that the call got: d = copy.copy(c), d.update()"""
        if holds_unknown(self.kind(given)):
            memory = frozenset(map(Buffer, self.kept_by(given)))
            self.changes_out_of_sight(Opaque(buffers=memory), False, node)

    def note_others_have(self, arguments: Sequence[Any], owner: Sequence[Any], keeps: bool) -> None:
        """The memory of what a function is given is in sight of others; what it changes may keep it."""
        put = NO_BUFFERS.union(*map(self.memory_by, arguments))
        within = NO_BUFFERS.union(*(buffers_of(self.kind(o)) for o in owner))
        self.facts.let_out |= sites_of_buffers(put | within)
        if keeps:
            kept = (self.kept_by(a) for a in arguments if holds_unknown(self.kind(a)))
            self.facts.outside |= put.union(*(map(Buffer, sites) for sites in kept))

    def note_keeping(self, function: Any, given: Sequence[Any], node: Any) -> None:
        """What a function of which nothing is known gives may be one of the arrays that it gets, or hold it."""
        if function not in KEEPING_NOTHING:
            kinds = list(map(self.kind, given))
            held = [*map(array_sites, kinds), lists_kept(function, kinds, node)]
            self.keeping[node] = frozenset[Hashable]().union(*map(self.kept_by, given), *held)

    def is_filled_in(self, node: Any, arguments: Sequence[Any]) -> bool:
        """Whether numbers and arrays are written into a text: "{}".format(x)"""
        func = getattr(node, "func", None)
        if not (isinstance(func, gast.Attribute) and func.attr == "format"):
            return False
        base = self.kind(func.value)
        is_text = isinstance(base, Known) and isinstance(base.value, str)
        return is_text and all(isinstance(self.kind(a), (Num, Known)) for a in arguments)

    def let_out(self, function: Any, arguments: Sequence[Any], node: Any) -> None:
        """A function of which nothing is known has its arguments, and may write to their memory."""
        if gives_what_it_changed(function, getattr(node, "func", None)):
            self.refuse("this writes to what it is given, and gives it back: write x += v", node)
        if makes_interpolant(function):
            return
        for argument in arguments:
            self.function_escapes(argument)
            if isinstance(function, type) and self.may_be_changed_by(function, argument):
                self.changes_out_of_sight(self.kind(argument), False, node)
            buffers = buffers_of(self.kind(argument))
            root = ir.owner_of(argument)
            if not (buffers and ir.is_own_name(root)):
                continue
            within = root is not argument and self.is_left_whole(root)
            if within and changes_what_it_gets(function, getattr(node, "func", None)):
                self.changes_out_of_sight(self.kind(argument), False, node)
            else:
                self.wrote(root.id, buffers, False)

    def may_be_changed_by(self, made: type, argument: Any) -> bool:
        """Whether an object that is made of an argument may write to it where nothing tells that it holds it."""
        changing = can_change(self.kind(argument)) and not self.only_holds(made, [argument])
        return changing or made in (memoryview, np.nditer)

    def may_run_anything(self, function: Any, arguments: Sequence[Any]) -> bool:
        """Whether code of the user's may run that is not seen here."""
        home = str(getattr(function, "__module__", None) or "user")
        kinds = map(self.kind, arguments)
        given = any(isinstance(k, Fun) or callable(getattr(k, "value", None)) for k in kinds)
        return given or home.partition(".")[0] == "tangentish" or not is_library(home)

    def drawn(self, function: Any, node: Any) -> Kind | None:
        """The kind of rng.normal(size=n), and of np.random.normal(size=n)."""
        if function is not None:
            generator, name = generator_of(function), getattr(function, "__name__", "")
        elif isinstance(node.func, gast.Attribute):
            generator, name = self.kind(node.func.value), node.func.attr
        else:
            return None
        if not isinstance(node, gast.Call):
            return None
        arguments = ir.given_to(node)
        if not is_generator(generator):
            return None
        if self.facts.varies(*arguments):
            return self.picked(generator, name, node)
        out = _POSITION_OF_OUT.get(name, len(node.args))
        if len(node.args) > out or any(k.arg == "out" for k in node.keywords):
            return None  # it writes to an array that it is given
        named = {k.arg: self.argument(k.value) for k in node.keywords}
        kind = drawn_by(generator, name, list(map(self.argument, node.args)), named)
        return kind if kind is None else replace(kind, buffers=self.fresh(node))

    def reports(self, function: Any, node: Any) -> bool:
        """Whether a call only reports what it is given: a warning, a line of a log."""
        if isinstance(function, types.FunctionType):
            return function in REPORTING
        match node.func if function is None else None:
            case gast.Attribute(value=logger, attr=name) if name in LOG_METHODS:
                kind = self.kind(logger)
                return kind == Opaque(logging.Logger)
        return function is warnings.warn

    def let_run(self, key: Any, node: Any) -> None:
        """A function of the user's that puts in order may change what it reads."""
        if key is None:
            return
        self.function_escapes(key)
        self.note_reach(None, [key], node)
        if isinstance(key, gast.Attribute) and is_unknown(self.kind(key)):  # a method
            self.note_change(node, [key.value])
            self.changes_out_of_sight(self.kind(key.value), False, node)

    def function_escapes(self, argument: Any) -> None:
        """A function that is called out of sight may write to the arrays that it captures."""
        self.escape(argument)
        for fun in functions_in(self.kind(argument)):
            for value in fun.values:
                buffers = buffers_of(self.env.kinds.get(value, UNKNOWN))
                if buffers:
                    self.wrote(value, buffers, False)


def _is_lost(receiver: Any, kind: Kind) -> bool:
    """Whether it is not known by a name what memory this is."""
    return not isinstance(receiver, gast.Name) or is_unknown(kind)


def _only_reorders(function: Any, node: Any) -> bool:
    """random.shuffle(xs)"""
    name = getattr(node.func, "attr", "") if function is None else getattr(function, "__name__", "")
    return name == "shuffle"
