"""Calls of the user's own functions: what they are given, taken apart as far as they read it, and what they give."""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import gast

from tangentish import ir
from tangentish.asking.asked import Asked
from tangentish.errors import NotDifferentiable, Refusal
from tangentish.infer.callee_arguments import (
    ANOTHER_CLASS,
    bind_arguments,
    defaults_of,
    stands_for_class,
)
from tangentish.infer.callee_changes import CalleeChanges
from tangentish.infer.constants_apart import are_apart
from tangentish.infer.containers_given import Made, with_places
from tangentish.infer.defaults import kinds_of_defaults
from tangentish.infer.facts import (
    ApartNeeded,
    Callee,
    KeyedNeeded,
    ListNeeded,
    RecordsWanted,
    Summary,
    UserCall,
)
from tangentish.infer.function_values import Lifting, has_names_inside
from tangentish.infer.functions_given_back import FunctionsGivenBack
from tangentish.infer.generator_calls import GeneratorCalls
from tangentish.infer.in_loops import seek_name
from tangentish.infer.known_functions import has_rule
from tangentish.infer.names_for_items import seek_names_given
from tangentish.infer.of_constants import have_apart
from tangentish.infer.texts import is_text_that_varies
from tangentish.infer.views import path_into_arguments
from tangentish.infer.walk import made_before
from tangentish.kinds import (
    REFUSED,
    UNKNOWN,
    Buffer,
    Fun,
    Kind,
    Num,
    Opaque,
    Seq,
    Tup,
    buffers_of,
    leaves_of_result,
    memory_at,
    part_at,
    replace,
    with_parts,
)
from tangentish.kinds.held_functions import as_given_here, functions_held, objects_held
from tangentish.kinds.sites import display_at
from tangentish.language.binding import starred_names
from tangentish.language.generators import is_generator
from tangentish.language.lifted import (
    Instance,
    Lifted,
    Routine,
    part_named,
    part_of_any,
    routine,
    value_inside,
)
from tangentish.language.nested import nested_of
from tangentish.rules.names import is_helper

NOTHING_GIVEN: Mapping[str, Any] = MappingProxyType({})

# Parameters that name axes.
AXES = {"axis", "axes", "ax", "dim"}


_PUT_IN = "dicts or objects are put into this list by a function: make it empty right before, in one place"
_INDEXED = (
    "a function indexes this list of dicts or objects by what is computed, or changes it: give it one that is made "
    "here, or arrays of what it needs (np.array([p.x for p in ps]))"
)
_KEYS_COMPUTED = "the function looks this dict up by computed keys: give one of numbers or arrays that is made here"


class UserCalls(CalleeChanges, FunctionsGivenBack, GeneratorCalls):
    """The part of the walk that follows calls of functions without rules."""

    def hand_on_dicts(self, function: Any, arguments: Sequence[Any]) -> None:
        """Functions of the user's are followed, and what they do to a dict that they are given."""
        followed = isinstance(function, types.FunctionType) and not has_rule(function)
        if isinstance(function, Fun) or (followed and not is_helper(function)):
            for argument in arguments:
                self.as_dict(argument)

    def user_call(
        self, function: types.FunctionType, args: list[Any], keywords: dict[str, Any], node: Any,
        cells: tuple[tuple[str, Any], ...] = (),
    ) -> Kind:  # fmt: skip
        bound = bind_arguments(function, args, keywords)
        for argument in (*args, *keywords.values()):
            self.refuse_generator(argument)
        if isinstance(bound, str):
            self.refuse(ANOTHER_CLASS if stands_for_class(node, self.kind) else bound, node)
            return UNKNOWN
        if is_generator(function) and not self.takes_all_items(
            (*args, *keywords.values()), cells, node
        ):
            return self.kept_generator(function, (*args, *keywords.values()), cells, node)
        lifting, defaulted = self.lifting(function, bound, dict(cells), node)
        if lifting.packed:
            have_apart(self, lifting.arguments, node)
        # the object of a method, bound or before the dot, is not among the arguments as they are written
        as_written = isinstance(node, gast.Call) and args == list(node.args)
        plain = lifting.is_plain and nested_of(function) is None and not starred_names(function)
        lifted = lifting.lifted(function, defaulted)
        lifted = replace(lifted, gives_keyed=self.keyed_in(node))
        if not (plain and as_written):
            try:
                result = self.lifted_call(lifting, lifted, node)
                return self.with_elements(result, lifting, lifted, node)
            except ListNeeded as needed:
                return self.give_as_needed(needed, lifting, node)
        kinds = {value: kind for value, _, kind in lifting.leaves}
        kinds |= zip(defaulted, kinds_of_defaults(function, defaulted, self.rebound), strict=True)
        values = tuple(f"{name}.0" for name in bound)
        given = tuple(bound.values())
        kinds_given = tuple(kinds[v] for v in values)
        try:
            result = self.callee_called(function, values, given, kinds_given, node)
        except (ApartNeeded, KeyedNeeded, RecordsWanted) as needed:
            return self.give_as_needed(needed, lifting, node)
        if any(part.apart for part in functions_held(result)):
            return self.lifted_call(lifting, lifted, node)
        return self.with_elements(result, lifting, lifted, node)

    def with_elements(self, result: Kind, lifting: Lifting, lifted: Lifted, node: Any) -> Kind:
        """What a call gives, by its elements where this function stores to them."""
        stored = [handed.kind for handed in self.facts.handed.get(node, ())]
        stored += self.facts.left_in_lists.pop(node, ())
        parts = (part for kind in (result, *stored) for part in objects_held(kind))
        objects = [part for part in parts if not part.apart]
        apart = has_names_inside(result, node, self.statement)
        apart = apart or (are_apart(self) and bool(objects))
        if not apart and all(part.sites.isdisjoint(self.dynamic) for part in objects):
            return result
        return self.lifted_call(lifting, replace(lifted, gives_apart=True), node)

    def give_as_needed(self, needed: ListNeeded, lifting: Lifting, node: Any) -> Kind:
        """A callee can't have the elements of a list one by one, or must have those of an object so."""
        if isinstance(needed, KeyedNeeded):
            self.give_keyed(needed, lifting, node)
            return UNKNOWN
        if isinstance(needed, RecordsWanted):
            self.give_records(needed, lifting, node)
            return UNKNOWN
        if not isinstance(needed, ApartNeeded):
            if isinstance(node, gast.Call):
                seek_names_given(self, lifting.packed[needed.value], node)
            self.demand(lifting.packed[needed.value], node)
            return UNKNOWN
        for value, kind in lifting.given:
            inner = part_named(value, kind, needed.value)
            if inner is not None:
                self.demand_apart(inner, node)
                return UNKNOWN
        if part_of_any(needed.value, self.facts.entry):
            raise needed  # it was this function's own
        self.refuse("an object that is stored to is a default, or stands outside: pass it", node)
        return UNKNOWN

    def give_keyed(self, needed: KeyedNeeded, lifting: Lifting, node: Any) -> None:
        """A callee computes the keys of a dict that it is given."""
        for value, kind in lifting.given:
            inner = part_named(value, kind, needed.value)
            if inner is not None:
                self.start_keyed([inner])
        for value, argument, _ in lifting.all:
            if value == needed.value:
                self.demand_made(argument)
        if part_of_any(needed.value, self.facts.entry):
            raise needed  # it was this function's own
        self.refuse(_KEYS_COMPUTED, node)

    def give_records(self, needed: RecordsWanted, lifting: Lifting, node: Any) -> None:
        """A callee puts dicts or objects into an empty list that it is given, or indexes one that holds some."""
        filled = False
        for value, kind in lifting.given:
            inner = value_inside(value, kind, needed.value)
            if inner is not None:
                self.demand_records(inner, needed.of, needed.keys)
                filled = isinstance(inner, Tup) and bool(inner.items)
        if part_of_any(needed.value, self.facts.entry):
            raise needed  # it was this function's own
        self.refuse(_INDEXED if filled else _PUT_IN, node)

    def lifting(
        self, function: types.FunctionType, bound: dict[str, Any], cells: dict[str, Any], node: Any
    ) -> tuple[Lifting, list[str]]:
        """The arguments of a call told apart, and the parameters that have their defaults."""
        lifting = Lifting(self, node)
        lifting.share(function, cells)
        defaulted = []
        for name, argument in bound.items():
            given = self.given(name, argument, function, cells, node)
            if given is None:
                defaulted.append(f"{name}.0")
            else:
                lifting.add(f"{name}.0", given)
        lifting.add_own(function, cells)
        return lifting, defaulted

    def given(
        self, name: str, argument: Any, function: types.FunctionType, cells: dict[str, Any], node: Any
    ) -> Any | None:  # fmt: skip
        """The node of an argument; that of a default where the function does not exist yet."""
        if isinstance(argument, tuple):
            return self.packed(argument, node)
        if isinstance(argument, dict):
            return self.packed_by_name(argument, node)
        if argument is not None or nested_of(function) is None:
            return argument
        default = defaults_of(function)[name]
        if isinstance(default, str):
            return self.captured(cells[default], node)
        self.expression(default)
        return default

    def first_order_call(self, node: Any) -> Kind:
        """A call that gives all that its function reads (language/lifted.py), taken apart further where need be."""
        for argument in node.args:
            self.as_dict(argument)
            self.expression(argument)
        old: Lifted = node.func.lifted
        for value, argument in zip(old.leaves, node.args, strict=False):
            if value in old.unset and isinstance(argument, gast.Name):
                self.hand_on(argument.id, argument)
                self.facts.unsure.discard(argument)
        lifting = Lifting(self, node)
        functions = dict(old.functions)
        objects = {value: form for value, _, form in old.displays if form.is_object}
        for value, argument in zip(old.leaves, node.args, strict=False):
            if value in functions:
                lifting.leaves.append((value, argument, functions[value]))
            elif value in objects:
                lifting.leaves.append((value, argument, Opaque(objects[value].type)))
            else:
                lifting.add(value, argument)
        lifting.displays += old.displays
        new = old.called_with(lifting.lifted(old.function, old.leaves[old.given :]))
        try:
            result = self.lifted_call(lifting, new, node)
            if has_names_inside(result, node, self.statement):
                return self.lifted_call(lifting, replace(new, gives_apart=True), node)
            return result
        except ListNeeded as needed:
            return self.give_as_needed(needed, lifting, node)

    def lifted_call(self, lifting: Lifting, lifted: Lifted, node: Any) -> Kind:
        nodes = lifting.arguments
        kinds = lifting.kinds
        defaulted = lifted.leaves[lifted.given :]
        kinds += kinds_of_defaults(lifted.function, defaulted, self.rebound)
        if lifting.ready and not _gives_all(node, lifted):
            key = (node, lifted, *nodes)
            if key not in self.made:
                call = gast.Call(routine(lifted, node), nodes, [])
                self.made[key] = gast.copy_location(call, node)
            self.facts.lifted[node] = self.made[key]
        arguments = (*nodes, *(None for _ in defaulted))
        containers = lifting.containers
        return self.callee_called(lifted, lifted.leaves, arguments, tuple(kinds), node, containers)

    def callee_called(
        self, function: types.FunctionType | Lifted, values: tuple[str, ...], arguments: tuple[Any, ...],
        kinds: tuple[Kind, ...], node: Any, containers: Mapping[str, Any] = NOTHING_GIVEN,
    ) -> Kind:  # fmt: skip
        """The kind of a call, and what it does; `values` of the function take the arguments, `containers` of them."""
        if any(kind is REFUSED for kind in kinds):
            return REFUSED
        for kind in kinds:
            self.check_keys(kind, node)
        kinds = tuple(map(_of_parameter, values, kinds))
        try:
            found = self.analysed(function, kinds, node)
        except NotDifferentiable as error:
            given = [a for a in arguments if a is not None]
            return self.call_refused(function, given, kinds, error, node)
        if found.result is None:  # a recursion that has not come back yet
            self.env.dead = True
            self.facts.not_back.add(self.statement)
            return UNKNOWN
        self.note_variables(values, arguments, node)
        result = self.callee_result(found.result, kinds, node, containers)
        wanted = self.is_wanted(node)
        result = result if wanted or any(kind.active for kind in kinds) else as_given_here(result)
        self.memory_of_call(found, kinds, result, node)
        self.check_shared(kinds, found, node)
        self.check_copied(function, kinds, found, node)
        paths, otherwise = (
            tuple(p and path_into_arguments(p, values, arguments) for p in into)
            for into in (found.paths, found.otherwise)
        )
        user = UserCall(
            function,
            arguments,
            kinds,
            Tup(leaves_of_result(result)) if isinstance(result, Tup) else result,
            found.written,
            found.pure,
            paths,
            (wanted and any(functions_held(result)))
            or isinstance(getattr(node, "func", None), Routine)
            or any(part.apart for part in objects_held(result)),
            found.quiet,
            caught=self.is_in_try(),
            otherwise=otherwise,
            updates_others=found.updates_others,
        )
        self.check_items(function, found, node)
        plain = tuple(a for a in arguments if a is not None)
        self.facts.callees[node] = Callee(function, plain, {}, user=user)
        self.escape_from_call(found, values, arguments, node)
        self.callee_writes(user, values, node)
        self.containers_changed(found, arguments, kinds, node)
        self.check_kept(found, containers, node)
        if found.bound:
            self.name_what_is_made(found, containers)
            self.hand_back(found, containers, kinds, node)
        return self.given_back(found.result, containers, node) or result

    def call_refused(
        self, function: Any, given: list[Any], kinds: Sequence[Kind], error: NotDifferentiable, node: Any
    ) -> Kind:  # fmt: skip
        """The kind of a call of what can't be differentiated, which does not matter where nothing varies."""
        kinds = (*kinds, *map(self.kind, given))
        if not any(kind.active or is_text_that_varies(kind) for kind in kinds):
            return self.unknown_call(function, given, node)
        self.take_up_again(given)
        self.refuse_callee(function, error, node)
        return REFUSED

    def name_what_is_made(self, found: Summary, containers: Mapping[str, Any]) -> None:
        """What is made in the call itself gets a name: what that changes besides is then told from it."""
        changed = [containers.get(entry.container) for entry in found.bound]
        if not all(isinstance(c, Instance) for c in changed):  # it makes nothing but itself
            for made in (c for c in containers.values() if c in self.facts.made):
                seek_name(self, made)

    def given_back(self, result: Kind, containers: Mapping[str, Any], node: Any) -> Kind | None:
        """The kind of the container that a call was given and gives back: `return self`."""
        if not isinstance(result, Tup) or result.is_counted or len(result.sites) != 1:
            return None
        value = display_at(next(iter(result.sites)))
        given = None if value is None else containers.get(value)
        if given is None or isinstance(given, Instance) or self.scope:
            return None
        if self.owner_of_entries(given) is None:
            return None
        # what is given back by a call inside has happened by then
        self.facts.given_back[node] = self.facts.given_back.get(given, given)
        self.facts.silent.add(node)
        return self.kind(given)

    def is_wanted(self, node: Any) -> bool:
        """Whether what a call gives is a function that is called with what varies."""
        wanted = any(isinstance(s, Made) and s.call == id(node) for s in self.dynamic)
        return wanted or isinstance(getattr(node, "func", None), Routine)

    def derivative_of(
        self, lifted: Lifted, kinds: Sequence[Kind], asked: Asked, node: Any,
        told: Callable[[str, Any], Kind], writes: str,
    ) -> Any | None:  # fmt: skip
        """A derivative of a function that is called; None where there is none, and it is told why."""
        assert self.derivative is not None
        try:
            derived = self.derivative(lifted, tuple(kinds), asked)
        except NotDifferentiable as error:
            self.refuse_callee(lifted, error, node)
            return None
        except TypeError as error:
            told(str(error), node)
            return None
        if derived is None:
            told(writes, node)
        return derived

    def refuse_callee(
        self, function: types.FunctionType | Lifted, error: NotDifferentiable, node: Any
    ) -> None:
        """The call is refused with the first reason, and the others are listed where they stand."""
        if is_helper(function):
            why = "has no derivative yet, which one of this order needs: grad and hvp of the function itself don't"
            self.refuse(f"{function.__name__} {why}", node)
            return
        first, *others = error.refusals or (Refusal(error.msg, None),)
        if function is self.source.function:
            others = [first, *others]
        else:
            place = f"{error.filename}:{error.lineno}"
            message = f"{function.__name__} can't be differentiated: {first.message} ({place})"
            self.refuse(message, node)
        for other in others:
            self.facts.refusals.setdefault(other.node, other)

    def callee_result(
        self, kind: Kind, kinds: Sequence[Kind], node: Any, containers: Mapping[str, Any] = NOTHING_GIVEN
    ) -> Kind:  # fmt: skip
        """The callee's result, its memory that of this function: each result's own is told apart."""
        self.gives_nothing_yet(node)
        return self.callee_part(kind, kinds, node, containers)

    def callee_part(
        self, kind: Kind, kinds: Sequence[Kind], node: Any, containers: Mapping[str, Any]
    ) -> Kind:
        """The same for what a call stores, whose memory may be that of its result, or of what else it stores."""
        made, count = self.memory_made[node]
        for part in _parts(kind):
            for buffer in buffers_of(part) - made.keys():
                made[buffer] = self.callee_buffer(buffer, kinds, node, count)
            count += 1
        self.memory_made[node] = made, count
        kind = self.with_memory(kind, made, node)

        def given(site: Hashable) -> frozenset[Hashable] | None:
            match site:
                case ("display", str(value)) if value in containers:
                    known = self.kind(containers[value])
                case ("argument", int(position), *path):
                    known = part_at(kinds[position], path)
                case _:
                    return None
            return known.sites if isinstance(known, Tup) else None

        return with_places(kind, id(node), given, self.dynamic, self.places_made[node])

    def with_memory(self, kind: Kind, made: Mapping[Buffer, frozenset[Buffer]], node: Any) -> Kind:
        match kind:
            case Fun():
                return self.returned_function(kind, node)
            case Num(buffers=buffers):
                new = frozenset[Buffer]().union(*(made[b] for b in buffers))
                return replace(kind, buffers=new, value=None, part=None)
            case Seq(buffers=buffers):
                new = frozenset[Buffer]().union(*(made[b] for b in buffers))
                kind = replace(kind, buffers=new, length=None)
            case Opaque(buffers=buffers):
                return replace(kind, buffers=frozenset[Buffer]().union(*(made[b] for b in buffers)))
        return with_parts(kind, lambda part: self.with_memory(part, made, node))

    def callee_buffer(
        self, buffer: Buffer, kinds: Sequence[Kind], node: Any, result: int
    ) -> frozenset[Buffer]:
        match buffer.site:
            case ("argument", int(position), *path):
                return made_before(node, memory_at(kinds[position], path))
            case ("outside", *_):
                return frozenset({buffer})
        return self.fresh(node, result)


def _parts(kind: Kind) -> Iterator[Kind]:
    """What a result holds, down to arrays and lists."""
    if not isinstance(kind, Tup):
        yield kind
        return
    for item in kind.items:
        yield from _parts(item)


def _of_parameter(value: str, kind: Kind) -> Kind:
    """Literals are told apart where they name axes: the shape of a result depends on them."""
    match kind:
        case Num(literal=int()) if ir.base_name(value) not in AXES:
            return replace(kind, literal=None)
    return with_parts(kind, lambda part: _of_parameter(value, part))


def _gives_all(node: Any, lifted: Lifted) -> bool:
    """Whether a call is one that gives all that its function reads, already."""
    function = getattr(node, "func", None)  # a property has none
    return isinstance(function, Routine) and function.lifted == lifted
