"""What lies in memory that others hold: objects outside, and functions and iterators of which nothing is known.

    for w in batches(x): ...    ->    for w in map(kept, batches(x)): ...
    w = model.step()            ->    w = kept(model.step())

They may write to it later, where no line shows that. A copy takes the place of a name that is only computed with, and
only before anything may have written to it. All else keeps its memory, which shows what was written, and what the
adjoint reads of it is copied on the line that computes with it:

    w = model.w                 ->    w = model.w
    y = x * w                         t = kept(w)
    model.grow()                      y = x * t
    z = y * w                         model.grow()
                                      t_1 = kept(w)
                                      z = y * t_1
"""

from __future__ import annotations

import collections
import types
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.adjoint.written_by_lines import function_called, may_be_array, written_by
from tangentish.infer import Facts, is_keyed_dict
from tangentish.infer.known_functions import is_view_maker
from tangentish.ir.quote import quote
from tangentish.kinds import UNKNOWN, Known, Opaque, Seq, Tup, is_unknown
from tangentish.language.changing_names import GROWING
from tangentish.language.webs import map_blocks

_LASTING = (list, dict, tuple, set, frozenset, str, range)
_DISPLAYS = (gast.List, gast.Dict, gast.Set, gast.Tuple, gast.ListComp, gast.DictComp, gast.SetComp)
_RUNNING_OVER = (enumerate, zip, reversed, sorted, list, tuple, range, map, filter, iter)
_MAKING = (list, dict, tuple, set, frozenset, sorted, zip, enumerate, reversed, map, filter, iter)
_PASSING = (getattr, max, min)  # builtins that give what they were given, or what others hold
_HOLDING = (*_RUNNING_OVER, *_PASSING, dict, next, set, frozenset, sum, dict.fromkeys)
_STORING = GROWING | {"update", "__setitem__"}
_NEW = (gast.UnaryOp, gast.Compare, gast.JoinedStr, gast.Constant, gast.Lambda)


class _Each:
    """What an iterator gives, one after another."""

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator


@dataclass
class OfOthers:
    """What a function reads of the memory of others, where later it may have been written to.

    once: the function is not called by another that is differentiated; outside: objects outside may be changed while
    the function runs.
    """

    function: ir.Function
    facts: Facts
    once: bool
    outside: bool
    _later: dict[Any, bool] = field(default_factory=dict)  # reads, and bound names

    def __post_init__(self) -> None:
        self.outside = self.outside or self._writes_to_others()
        self._note_later(self.function.body, not self.once)

    # -- questions

    def is_to_be_copied(self, node: Any) -> bool:
        """Whether the adjoint must have a copy of what an expression gives on its line."""
        if not self._later.get(node, True) or not self._lies_there(node):
            return False
        return not (isinstance(node, gast.Name) and node.id in self.copied_when_bound)

    @cached_property
    def copied_when_bound(self) -> frozenset[str]:
        """The names of which a copy takes the place."""
        found: set[str] = set()
        for statement in ir.walk_statements(self.function.body):
            if isinstance(statement, ir.For) and not self._is_given_by_calls(statement.iter):
                continue  # of what has a name the way back reads the items again
            if isinstance(statement, (ir.Assign, ir.For)):
                names = set(ir.target_names(statement.target))
                bound = {n for n in names & self.names if self._is_lost(n) and (n in self._later)}
                if bound and all(map(self._may_be_copy, bound)):
                    found |= {n for n in bound if self._later[n]}
        return frozenset(found)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of what lies in the memory of others, and of what holds such."""
        pairs = [*_bound(self.function.body), *_stored(self.function.body)]
        found: set[str] = set()
        while more := {n for n, value in pairs if n not in found and self._gives(value, found)}:
            found |= more
        return frozenset(found)

    def _is_given_by_calls(self, iterator: Any) -> bool:
        """Whether a loop runs over what calls give, other than those that run over something."""
        if not isinstance(iterator, gast.Call):
            return False
        function = function_called(iterator, self.facts)
        inside = function in _RUNNING_OVER and function is not range
        return not inside or all(map(self._is_given_by_calls, iterator.args))

    def _is_lost(self, name: str) -> bool:
        return may_be_array(self.facts.web_kinds.get(name, UNKNOWN))

    def _lies_there(self, node: Any) -> bool:
        if isinstance(node, ir.Update):
            return False
        if node.__class__ is gast.Name and ir.is_value(node.id) and node.id not in self.names:
            return False
        kind = self.facts.kind(node)
        if isinstance(node, gast.Name) and is_unknown(kind):
            kind = self.facts.web_kinds.get(node.id, UNKNOWN)
        others = may_be_array(kind) and not self._is_container(node)
        return others and self._gives(node, self.names) and ir.dump(node) not in self._hashed

    def _is_container(self, node: Any) -> bool:
        """Whether a call makes a container, of whose elements copies are made where they are read."""
        return isinstance(node, gast.Call) and function_called(node, self.facts) in _MAKING

    @cached_property
    def _hashed(self) -> frozenset[str]:
        """What is a key of a dict, or compared with texts, and no array."""
        nodes = ir.nodes_in(*ir.walk_statements(self.function.body))
        keys = [key for node in nodes for key in self._keys_in(node)]
        names = {key.id for key in keys if isinstance(key, gast.Name)}
        keys += [v for n, v in _bound(self.function.body) if n in names and isinstance(v, gast.AST)]
        return frozenset(map(ir.dump, keys))

    def _keys_in(self, node: Any) -> Iterator[Any]:
        match node:
            case gast.Subscript(value=base, slice=key) if self._is_dict(base):
                yield key
            case gast.Call(func=gast.Attribute(value=base), args=[key, *_]) if self._is_dict(base):
                yield key
            case gast.Compare(left=left, comparators=[other]):
                if self._is_dict(other) or _is_text(other):
                    yield left

    def _is_dict(self, node: Any) -> bool:
        return is_keyed_dict(self.facts.kind(node))

    # -- where the memory of others comes in

    def _gives(self, value: Any, names: Collection[str]) -> bool:
        """Whether a value lies in the memory of others, or holds what does, as far as these names do."""
        match value:
            case _Each(iterator=iterator):
                return self._gives_others(iterator) or self._gives(iterator, names)
            case gast.Name(id=name):
                return name in names if ir.is_value(name) else self._is_outside(value)
            case gast.BinOp(left=left, right=right):
                return self._is_joined(value) and any(self._gives(e, names) for e in (left, right))
            case gast.Subscript(value=base) | gast.Attribute(value=base):
                return self._is_held_outside(value) or self._gives(base, names)
            case gast.Call():
                return self._call_gives(value, names)
            case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
                return self._comprehension_gives(value, names)
            case gast.IfExp(body=body, orelse=orelse):
                return self._gives(body, names) or self._gives(orelse, names)
        if isinstance(value, _NEW):
            return False
        return any(self._gives(part, names) for part in ir.children(value))

    def _is_joined(self, sum_: Any) -> bool:
        """Whether this may put lists together."""
        kinds = map(self.facts.kind, (sum_, sum_.left, sum_.right))
        return any(isinstance(kind, (Seq, Tup)) for kind in kinds)

    def _comprehension_gives(self, value: Any, names: Collection[str]) -> bool:
        inner = set(names)
        for generator in value.generators:
            if self._gives(_Each(generator.iter), inner):
                inner |= set(ir.target_names(generator.target))
        return self._gives(getattr(value, "elt", None) or value.value, inner)

    def _call_gives(self, call: Any, names: Collection[str]) -> bool:
        callee, function = self.facts.callees.get(call), function_called(call, self.facts)
        given = ir.given_to(call)
        if function in _HOLDING or (function is not None and is_view_maker(function)):
            if is_unknown(self.facts.kind(call)) and self._is_unknown(call):
                return True
            return any(self._gives(_iterated(e, function), names) for e in given)
        receiver = call.func.value if isinstance(call.func, gast.Attribute) else None
        if callee is not None and callee.rule is not None:
            return False
        if callee is not None and callee.user is not None:
            return self.outside and not callee.user.result.active
        if _of_numpy(function):
            return any(self._gives(e, names) for e in given)
        if is_unknown(self.facts.kind(call)) and self._is_unknown(call):
            return True
        return receiver is not None and self._gives(receiver, names)

    def _is_outside(self, name: Any) -> bool:
        """Whether this is a container outside."""
        kind = self.facts.kind(name)
        held = isinstance(kind, (Opaque, Tup, Seq))
        return self.outside and not name.id.startswith("$") and held

    def _is_held_outside(self, value: Any) -> bool:
        """Whether this reads what an object holds of which no more is known than its class, or a container outside."""
        if not self.outside:
            return False
        owner = ir.owner_of(value)
        if isinstance(owner, gast.Name) and not ir.is_value(owner.id):
            return is_unknown(self.facts.kind(value))
        kind = self.facts.kind(owner)
        return isinstance(kind, Opaque) and kind.type not in _LASTING

    def _is_unknown(self, call: Any) -> bool:
        """Whether a function is called of which nothing is known."""
        callee = self.facts.callees.get(call)
        if callee is not None and callee.rule is not None:
            return False
        function = None if callee is None else callee.function
        if function is next:
            return self._gives_others(call.args[0])
        of_python = getattr(function, "__module__", None) in ("builtins", "math")
        if of_python and function not in _PASSING:
            return False
        if callee is not None and callee.args and is_keyed_dict(self.facts.kind(callee.args[0])):
            return False  # a key
        receiver = call.func.value if isinstance(call.func, gast.Attribute) else None
        kind = None if receiver is None else self.facts.kind(receiver)
        text = isinstance(kind, Opaque) and kind.type is str
        return not (text or (isinstance(kind, Known) and isinstance(kind.value, str)))

    def _gives_others(self, iterator: Any) -> bool:
        """Whether what is run over may be made anew, in the same memory, on every trip."""
        match iterator:
            case gast.Call(args=args) if function_called(iterator, self.facts) in _RUNNING_OVER:
                return any(map(self._gives_others, args))
            case gast.Call(func=gast.Attribute(attr="items" | "keys" | "values")):
                return False
            case gast.Name(id=name) if ir.base_name(name) in self._displays:
                return False
        kind = self.facts.kind(iterator)
        of_others = isinstance(kind, Opaque) and kind.type not in _LASTING
        return of_others or (isinstance(kind, Tup) and kind.is_object)

    @cached_property
    def _displays(self) -> frozenset[str]:
        """The names of containers that are made here, whose elements stay what they are."""
        pairs = _bound(self.function.body)
        return frozenset(ir.base_name(n) for n, value in pairs if _is_display(value, self.facts))

    # -- what comes later

    def _note_later(self, block: ir.Block, again: bool) -> None:
        """Of each read, and each name that is bound, whether anything that comes later may change what it gives."""
        for statement in reversed(block):
            inner = list(ir.walk_statements((statement,)))
            acts = any(map(self._acts_on_others, inner))
            in_loop = isinstance(statement, (ir.For, ir.While))
            for name in ir.defined_names(statement):
                self._later[name] = self._later.get(name, False) or again or in_loop
            again = again or acts
            for expression in ir.expressions_of(statement):
                self._later |= dict.fromkeys(ir.walk(expression), again)
            for part in ir.blocks_of(statement):
                self._note_later(part, again or in_loop)

    # -- copies that take the place of names

    def _may_be_copy(self, name: str) -> bool:
        """Whether a variable is bound once, only computed with, and that before anything may write to it."""
        statements = list(ir.walk_statements(self.function.body))
        bindings = [s for s in statements if name in ir.defined_names(s)]
        if len(bindings) != 1 or not isinstance(bindings[0], (ir.Assign, ir.For)):
            return False
        return self._is_read_at_once(name, bindings[0]) and all(
            self._is_only_computed_with(name, e, e)
            for s in statements
            for e in ir.expressions_of(s)
            if e is not getattr(bindings[0], "target", None) or s is not bindings[0]
        )

    def _is_read_at_once(self, name: str, binding: ir.Statement) -> bool:
        """Whether all reads are in the block of the binding, after it, and before anything that acts."""
        block = _lines_after(binding, self.function.body)
        reads = [k for k, s in enumerate(block) if _mentions(name, (s,))]
        own = name in ir.names_in(binding.value) if isinstance(binding, ir.Assign) else False
        if own or _mentions(name, self.function.body) > _mentions(name, block) + 1:
            return False
        before = block[: reads[-1] + 1] if reads else ()
        return not any(self._acts_on_others(s) for s in ir.walk_statements(before)) and not any(
            isinstance(s, ir.While) for s in before[-1:]
        )

    def _acts_on_others(self, statement: ir.Statement) -> bool:
        return (
            statement in self.facts.effects
            or _stores_outside(statement)
            or any(map(self._calls_what_writes, ir.expressions_of(statement)))
            or (self.outside and self._is_write_to_others(statement))
        )

    def _writes_to_others(self) -> bool:
        """Whether a line writes to what others hold, under a name of this function, or by an expression."""
        lines = [s for s in ir.walk_statements(self.function.body) if written_by(s, self.facts)]
        if not lines:
            return False
        self.outside = True
        found = any(map(self._is_write_to_others, lines))
        if not found:
            del self.names
        return found

    def _is_write_to_others(self, statement: ir.Statement) -> bool:
        """`q = h.g; q += 1`, `np.asarray(h.g)[0] = 3.0`, `h.g.reshape(-1).fill(5.0)`"""
        return any(self._gives(e, self.names) for e in written_by(statement, self.facts))

    @cached_property
    def _writing(self) -> frozenset[Any]:
        """The nodes, properties among them, that call such functions."""
        users = ((node, callee.user) for node, callee in self.facts.callees.items())
        return frozenset(node for node, user in users if user is not None and not user.quiet)

    def _calls_what_writes(self, e: Any) -> bool:
        """Whether a function of the user's is called that may write to other arrays than its own."""
        return bool(self._writing) and not self._writing.isdisjoint(ir.walk(e))

    def _is_only_computed_with(self, name: str, node: Any, above: Any) -> bool:
        """Whether no read of a name in an expression hands on its memory."""
        if isinstance(node, gast.Name):
            return node.id != name or self._computes(above)
        if isinstance(node, (gast.Subscript, gast.Attribute)):
            inner = self._is_only_computed_with(name, node.value, above)
            index = getattr(node, "slice", None)
            return inner and (index is None or self._is_only_computed_with(name, index, node.slice))
        return all(self._is_only_computed_with(name, part, node) for part in ir.children(node))

    def _computes(self, node: Any) -> bool:
        """Whether an expression makes something new of its parts."""
        if not isinstance(node, gast.Call):
            return isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Slice))
        callee, function = self.facts.callees.get(node), function_called(node, self.facts)
        if callee is None:
            return False
        if callee.user is not None:
            return callee.user.pure
        number = function in (float, int, bool, abs, len)
        return number or (callee.rule is not None and not is_view_maker(function))


def _of_numpy(function: Any) -> bool:
    """Whether this is a function of NumPy or SciPy, which keep nothing of what they give."""
    plain = isinstance(function, (types.FunctionType, types.BuiltinFunctionType, np.ufunc))
    home = str(getattr(function, "__module__", None)).partition(".")[0]
    return plain and home in ("numpy", "scipy")


def _is_text(node: Any) -> bool:
    """`"mean"`, `("sum", "mean")`"""
    if isinstance(node, (gast.Tuple, gast.List, gast.Set)):
        return bool(node.elts) and all(map(_is_text, node.elts))
    return isinstance(node, gast.Constant) and isinstance(node.value, str)


def _bound(block: ir.Block) -> Iterator[tuple[str, Any]]:
    """Each name, and what it is bound to."""
    for statement in ir.walk_statements(block):
        match statement:
            case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values)):
                pairs = zip(targets, values, strict=False)
                yield from ((n, v) for t, v in pairs for n in ir.target_names(t))
            case ir.Assign(target, value):
                yield from ((name, value) for name in ir.target_names(target))
            case ir.For(target, iterator):
                yield from ((name, _Each(iterator)) for name in ir.target_names(target))


def _stored(block: ir.Block) -> Iterator[tuple[str, Any]]:
    """Each name of what holds others, and what is put there."""
    for statement in ir.walk_statements(block):
        match statement:
            case ir.Assign(gast.Subscript() | gast.Attribute() as target, value):
                yield from ((n, value) for n in _owners(target))
            case ir.Update(target, _, value):
                yield from ((n, gast.List([value], gast.Load())) for n in _owners(target))
        for node in ir.nodes_in(statement):
            match node:
                case gast.Call(func=gast.Attribute(value=owner, attr=method), args=args):
                    if method in _STORING:
                        yield from ((n, arg) for n in _owners(owner) for arg in args)


def _owners(target: Any) -> Iterator[str]:
    owner = ir.owner_of(target)
    if ir.is_own_name(owner):
        yield owner.id


def _iterated(value: Any, function: Any) -> Any:
    """What a function that runs over its arguments gives of them."""
    return (
        _Each(value) if function in _RUNNING_OVER and not isinstance(value, gast.Starred) else value
    )


def _stores_outside(statement: ir.Statement) -> bool:
    """`config.table["a"][0] = v`"""
    target = getattr(statement, "target", None)
    if not isinstance(target, (gast.Subscript, gast.Attribute)):
        return False
    owner = ir.owner_of(target)
    return isinstance(owner, gast.Name) and not ir.is_value(owner.id)


def _is_display(value: Any, facts: Facts) -> bool:
    """Whether a value is a container that is made here."""
    if isinstance(value, _Each):
        return False
    function = function_called(value, facts) if isinstance(value, gast.Call) else None
    made = isinstance(function, type) and issubclass(function, (*_LASTING, collections.deque))
    of_class = getattr(function, "__self__", None) is dict  # dict.fromkeys
    return isinstance(value, _DISPLAYS) or made or of_class


def _lines_after(binding: ir.Statement, block: ir.Block) -> ir.Block:
    """The lines that follow where a name is bound, in its block; of a loop those of its body."""
    for place, statement in enumerate(block):
        if statement is binding:
            return binding.body if isinstance(binding, ir.For) else block[place + 1 :]
        for inner in ir.blocks_of(statement):
            if any(s is binding for s in ir.walk_statements(inner)):
                return _lines_after(binding, inner)
    raise ValueError("not in this block")


def _mentions(name: str, block: ir.Block) -> int:
    return sum(ir.mentioned(s).count(name) for s in ir.walk_statements(block))


def with_kept(block: ir.Block, names: frozenset[str]) -> ir.Block:
    """The forward pass, in which these names stand for memory of their own."""
    if not names:
        return block

    def change(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign(target, value, origin) if names & set(ir.target_names(target)):
                return ir.Assign(target, quote("kept({x})", x=value), origin)
            case ir.For(target, iterator, body) if names & set(ir.target_names(target)):
                each = quote("map(kept, {xs})", xs=iterator)
                return replace(statement, iter=each, body=with_kept(body, names))
        return map_blocks(statement, lambda b: with_kept(b, names))

    return tuple(map(change, block))
