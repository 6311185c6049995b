"""Back through calls of the user's functions: adjoints take what the calls saved and the gradients of results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.adjoint.gradients import Grad, as_complex, gradient_of, without_memory
from tangentish.adjoint.pair import Pair
from tangentish.adjoint.pull import Pull
from tangentish.adjoint.read_by_places import CalledInLoops
from tangentish.algebra.expressions import as_target, targets_of
from tangentish.algebra.new_values import marked
from tangentish.algebra.templates import spread_over
from tangentish.algebra.zeros import zeros_of_list
from tangentish.infer import UserCall, buffers_of, is_keyed_dict
from tangentish.infer.changes import sites_of_dicts
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.ir.stems import stem_of
from tangentish.kinds import Buffer, Kind, Num, Seq, Tup, arrays_in, is_number, replace
from tangentish.kinds.lengths import same_shape
from tangentish.language.lifted import has_own_form


@dataclass
class ReverseCalls(Pull):
    """The gradients that go into a callee's adjoint and that come out of it."""

    calls: dict[Any, str] = field(default_factory=dict)  # user call -> the name of what it saved
    left: dict[Any, Any] = field(default_factory=dict)  # call on a line of its own -> its target
    in_loops: CalledInLoops = field(default_factory=CalledInLoops)
    added: set[str] = field(
        default_factory=set
    )  # parameters whose gradients are given, and are added to
    after_call: int = 0  # where the lines after a callee's adjoint start

    def user_call(self, node: Any, user: UserCall, target: Any) -> None:
        """The adjoint takes what the call saved, and the gradients of its result and of what it wrote to."""
        pair = self.pair(user, node, self.added_places(user, node, target))
        written = [k for k in pair.in_and_out if user.arguments[k] is not None]
        # zeros that a tangent takes along for nothing, `[0.0] * n`, have no name: nobody reads them afterwards
        holders = {k: ir.root_of(user.arguments[k]) for k in written}
        names = {k: root.id for k, root in holders.items() if isinstance(root, gast.Name)}
        # `x = f(x)`, where f writes to x: the old x gets a gradient while that of the new one is read.
        grads = [
            self.taken(t, not isinstance(t, gast.Name) or t.id in names.values())
            for t in targets_of(target)
        ]
        alive = any(name in self.state for k, name in names.items() if k in pair.written)
        if all(g is None for g in grads) and not alive:
            if user.is_always_generated or has_own_form(node, target):
                self.saved_by(node, user)  # it is called all the same
            return
        saved = self.saved_by(node, user)
        arguments = [saved] if pair.saves else []
        if target is None and any(pair.heads):
            target = self.left[node] = self.target_for(user.result)
            grads = [None for _ in targets_of(target)]
        if any(pair.heads):
            results = zip(grads, targets_of(target), pair.heads, strict=True)
            arguments += [self.filled_result(g, t) for g, t, has_head in results if has_head]
        given = {k: self.given_gradient(user.arguments[k]) for k in written}
        arguments += given.values()
        result = gast.Call(ir.name(f"${pair.adjoint}"), arguments, [])
        self.receive(result, pair, user, given)

    def added_places(self, user: UserCall, node: Any, target: Any) -> frozenset[int]:
        """The parameters whose gradients are there, of arrays or places of them, where a loop calls the function."""
        if not (self.added or user.function in self.in_loops.functions):
            return frozenset()
        bound = set(() if target is None else ir.target_names(target))
        return frozenset(
            k
            for k, argument in enumerate(user.arguments)
            if argument is not None
            and bound.isdisjoint(ir.names_in(argument))
            and self.is_added_to(k, user, node)
        )

    def is_added_to(self, k: int, user: UserCall, node: Any) -> bool:
        argument = user.arguments[k]
        root = ir.root_of(argument)
        if not self.is_place(argument, root):
            return False
        if root.id in self.added:
            return True
        there = root.id in self.state or node not in self.in_loops.calls
        return there and k in self.in_loops.functions.get(user.function, ())

    def target_for(self, result: Kind) -> Any:
        """Names for the results of a call that nobody wants: what is zero has their shapes."""
        if isinstance(result, Tup):
            return gast.Tuple([self.target_for(item) for item in result.items], gast.Store())
        number = is_number(result)
        shapeless = not isinstance(result, Seq) and (number or not result.active)
        return self.named("_" if shapeless else self.made_forward("t"), result)

    def saved_by(self, node: Any, user: UserCall) -> Any:
        if node not in self.calls:
            self.calls[node] = self.made_forward(f"{stem_of(user.function.__name__)}_saved")
        pair = self.pair(user, node)
        held = buffers_of if pair.keeps_lists else arrays_in
        memory = frozenset().union(*map(held, pair.kept_of(user)))
        if pair.keeps_containers:
            memory |= {Buffer(site) for kind in user.kinds for site in sites_of_dicts(kind)}
        kept = Num(np.dtype(int), None, None, buffers=memory)
        return self.named(self.calls[node], kept)

    def given_gradient(self, argument: Any) -> Any:
        """The gradient of an argument, which the adjoint of a callee changes in place."""
        root = ir.root_of(argument)
        if root.id not in self.state:
            self.zero(root.id, self.kind(root))
        return self.own_slot(argument, root)

    def is_place(self, argument: Any, root: Any) -> bool:
        """Whether an argument is an array or list that has a name, or is for sure a view or an element of one."""
        if not isinstance(root, gast.Name) or not self.kind(root).active:
            return False
        if self.is_list(root.id) and (self.complex_lists or self.passes_dict(argument)):
            return False
        if not isinstance(argument, gast.Subscript):
            return root is argument
        return self.is_exact(argument, root) and self.sort_of(argument) == "basic"

    def passes_dict(self, argument: Any) -> bool:
        """Whether the way to an argument leads through a dict, which may have no such entry any more."""
        while isinstance(argument, gast.Subscript):
            argument = argument.value
            if is_keyed_dict(self.kind(argument)):
                return True
        return False

    # -- the gradient of the result

    def taken(self, target: Any, name_it: bool) -> Any | None:
        """The gradient that stands at a target; the target itself has none any more."""
        match target:
            case gast.Name(id=name):
                return self.taken_from_name(name, target, name_it)
            case gast.Subscript():
                root = ir.root_of(target)
                if not isinstance(root, gast.Name) or root.id not in self.state:
                    return None
                slot = self.slot(target)
                g = self.give_name(self.detached(self.last_stored(slot)), "g")
                self.emit(ir.Assign(slot, constant(0), NOWHERE))
                return g
            case gast.Tuple(elts=targets):
                parts = [self.taken(t, True) for t in targets]
                return gast.Tuple([constant(None) if p is None else p for p in parts], gast.Load())
        return None

    def taken_from_name(self, name: str, target: Any, name_it: bool) -> Any | None:
        if name not in self.state or not self.kind(target).active:
            self.state.pop(name, None)
            return None
        g = self.gradient(name)
        self.state.pop(name)
        return self.give_name(g, "g") if name_it else g

    def filled_result(self, g: Any, target: Any) -> Any:
        listed = self.kind(target)
        if g is not None:
            g = self.real_gradient(g, target)
        if isinstance(listed, Seq):
            return zeros_of_list(marked(target, self), listed) if g is None else g
        kind = self.number(target)
        if g is None:
            if kind.is_scalar or not self.kind(target).active:
                return constant(0.0)
            text = "np.zeros_like({x})" if kind.array else "full(0.0, {x})"
            return quote(text, x=marked(target, self))
        have = self.number(g)
        if kind.weak and kind.is_scalar and self.mixed:
            return quote("float({g})", g=g)
        if kind.is_scalar or (same_shape(have.shape, kind.shape) and have.array == kind.array):
            if not kind.weak and self.mixed:
                return quote("cast({g}, {x})", g=g, x=marked(target, self))
            return g
        return spread_over(g, have, marked(target, self), kind)

    def real_gradient(self, g: Any, value: Any) -> Any:
        """What counts for a value, of a gradient that may be complex where the value is real."""
        return self.real_part(g, value)

    # -- the gradients of the arguments

    def receive(self, result: Any, pair: Pair, user: UserCall, given: Mapping[int, Any]) -> None:
        """Assign what the adjoint returns, and pass it on to the arguments."""
        adds: list[tuple[Any, Any]] = []  # (argument, its gradient, or None where it starts here)
        targets = [self.receiver(k, user, given, adds) for k in pair.active]
        target = targets[0] if len(targets) == 1 else gast.Tuple(targets, gast.Store())
        self.emit(ir.Assign(target, result, NOWHERE))
        self.after_call = len(
            self.out
        )  # the callee reads what it saved before anything is restored
        for argument, g in adds:
            if g is None:
                self.start_gradient(argument)
            else:
                self.pull(argument, g)
        self.flush(set())

    def receiver(
        self, k: int, user: UserCall, given: Mapping[int, Any], adds: list[tuple[Any, Any]]
    ) -> Any:
        """The target for the gradient of parameter k."""
        argument, kind = user.arguments[k], user.kinds[k]
        if argument is None or (not self.kind(argument).active and k not in given):
            return ir.name("_")
        full = without_memory(kind)
        if isinstance(full, Num):
            full = replace(full, active=True, contiguous=False)
        named = isinstance(argument, gast.Name)
        if k in given:
            return ir.name(given[k].id) if named else as_target(given[k])
        started = any(g is None and a.id == argument.id for a, g in adds) if named else False
        full = as_complex(full) if self.complex_lists else full
        if named and argument.id not in self.state and not (started or self.complex_lists):
            adds.append((argument, None))
            return ir.name(gradient_of(argument.id))
        name = self.fresh("g")
        adds.append((argument, self.named(name, full)))
        return ir.name(name)

    def start_gradient(self, argument: Any) -> None:
        self.begin(argument.id, self.kind(argument))

    def begin(self, value: str, kind: Kind) -> None:
        """The gradient of a value starts as an array, or a list, of its own."""
        if not isinstance(kind, Num):
            self.begin_list(value, kind)
            return
        kind = replace(kind, active=True, buffers=frozenset(), value=None, contiguous=False)
        if kind.array is None:
            kind = replace(kind, shape=None)
        self.state[value] = Grad(kind, True)
        self.facts.web_kinds[gradient_of(value)] = kind


def is_differentiated(user: UserCall) -> bool:
    """Whether a derivative may flow through a call."""
    return user.is_followed
