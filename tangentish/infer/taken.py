"""Derivatives that a function takes: `grad(g)(x)`, `g.grad(x)`, `hvp(g)(x, v)`, `jvp(g, (x,), (v,))`.

What is generated for them is source in the language that is differentiated, and a function like any other: its
parameters are the arguments of `g` and all that it captures. So the call becomes one of that function. Nothing is
perturbed but what is named there, so nested derivatives can't be confused.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

import gast

from tangentish.asking.asked import Asked
from tangentish.asking.wrt import resolve
from tangentish.errors import NotDifferentiable
from tangentish.infer.callee_arguments import bind_arguments
from tangentish.infer.defaults import kinds_of_defaults
from tangentish.infer.facts import ListNeeded
from tangentish.infer.function_values import Lifting
from tangentish.infer.literals import literal_of
from tangentish.infer.user_calls import UserCalls
from tangentish.kinds import REFUSED, TEXT_THAT_VARIES, Fun, Kind, Known, Num, Taken, replace
from tangentish.kinds.kinds_of_values import undecorated
from tangentish.language.binding import parameter_names
from tangentish.language.lifted import Lifted
from tangentish.rules.rule import ABSENT

HOMES = ("tangentish.api", "tangentish.operators")


class Derivatives(UserCalls):
    """The part of the walk that follows derivatives taken inside the function."""

    # -- what takes a derivative, and what is one

    def operator_value(
        self, function: Any, args: Sequence[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """What `grad(g, wrt=1)` gives, `differentiate(g)` too; None for all else."""
        if getattr(function, "__module__", None) not in HOMES or not args:
            return None
        name, subject = function.__name__, as_taken(self.kind(args[0]))
        if name == "differentiate" and len(args) == 1 and not keywords:
            kind = self.kind(args[0])
            return replace(kind, home=None) if isinstance(kind, Fun) else None
        if name == "jvp":
            return self.jvp_call(subject, args, keywords, node)
        if name not in MODES or subject is None:
            return None
        asked = self.asked(name, subject, args[1:], keywords)
        return None if asked is None else Taken(subject.function, asked)

    def asked(
        self, name: str, subject: Taken, args: Sequence[Any], keywords: dict[str, Any]
    ) -> Asked | None:
        """The derivative that an operator with literal options takes; None where that is not known."""
        given = dict(zip(("wrt", "has_aux"), args, strict=False)) | keywords
        options = {key: literal(value) for key, value in given.items()}
        if ABSENT in options.values() or not set(options) <= {"wrt", "has_aux"}:
            return None
        return asked_for(name, subject, options.get("wrt", 0), bool(options.get("has_aux", False)))

    def derivative_attribute(self, node: Any, base: Kind) -> Kind | None:
        """`g.grad`, of a function that was decorated; what an exception holds that tells what varies."""
        if base == TEXT_THAT_VARIES:
            return base
        if node.attr not in MODES:
            return None
        if isinstance(base, Fun):
            asked = asked_for(node.attr, Taken(base, PLAIN), 0, False)
            return None if asked is None else Taken(base, asked)
        holder: Any = self.held(node.value) if isinstance(base, Known) else None
        own = undecorated(holder)
        if own is holder or not isinstance(own, types.FunctionType) or holder._skipped:
            return None
        subject = Taken(Known(own), PLAIN)
        asked = asked_for(node.attr, subject, holder._wrt, holder._has_aux)
        return None if asked is None else Taken(Known(own), asked)

    def held(self, node: Any) -> Any:
        """The object that a name outside, or an attribute of a module, holds."""
        if isinstance(node, gast.Name) and self.source.where(node.id) is not None:
            return self.source.lookup(node.id)
        if isinstance(node, gast.Attribute):
            owner = self.held(node.value)
            return getattr(owner, node.attr, None)
        return None

    # -- calls

    def taken_call(
        self, taken: Taken, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        """The call of a derivative; of the function itself, where it was decorated."""
        if taken.asked == PLAIN:
            assert isinstance(taken.function, Known)
            return self.apply(taken.function.value, args, keywords, node)
        vectors: list[Any] = []
        if taken.asked.given:
            if len(args) < 2 or len(taken.asked.along[-1]) != 1:
                return self.unable("hvp with respect to several arguments", node)
            vectors, args = [args[1]], [args[0], *args[2:]]
        return self.derived_call(taken, args, keywords, vectors, node)

    def jvp_call(
        self, subject: Taken | None, args: Sequence[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """`jvp(g, (x, y), (v, None))`"""
        if subject is None or len(args) != 3 or keywords:
            return None
        primals, tangents = args[1:]
        displays = (gast.Tuple, gast.List)
        if not (isinstance(primals, displays) and isinstance(tangents, displays)):
            return None
        moving = tuple(k for k, t in enumerate(tangents.elts) if literal_of(t) is not None)
        if subject.asked != PLAIN:
            return None
        asked = Asked("jvp", moving)
        vectors = [tangents.elts[k] for k in moving]
        return self.derived_call(
            Taken(subject.function, asked), list(primals.elts), {}, vectors, node
        )

    def derived_call(
        self, taken: Taken, args: list[Any], keywords: dict[str, Any], vectors: list[Any], node: Any
    ) -> Kind:  # fmt: skip
        inner = taken.function
        function: Any = inner.function if isinstance(inner, Fun) else inner.value
        cells = inner.cells if isinstance(inner, Fun) else ()
        if not isinstance(function, types.FunctionType):
            return self.unable("a derivative of one of several functions", node)
        bound = bind_arguments(function, args, keywords)
        if isinstance(bound, str):
            self.refuse(bound, node)
            return REFUSED
        lifting, defaulted = self.lifting(function, bound, dict(cells), node)
        nodes = lifting.arguments
        if not any(self.refreshed(self.kind(n)).active for n in (*nodes, *vectors)):
            derived = self.derived_at_rest(taken, lifting, defaulted, function)
            if derived is None:
                return self.unknown_call(None, [*nodes, *vectors], node)
            return self.user_call(
                derived.call, nodes, dict(zip(derived.tangents, vectors, strict=True)), node
            )
        lifted, kinds, asked = self.lifted_derivative(taken, lifting, defaulted, function)
        if asked is None:
            return self.unable("a derivative with respect to a structure", node)
        try:
            return self.call_of_derived(lifted, kinds, asked, [nodes, vectors], node)
        except ListNeeded as needed:
            return self.give_as_needed(needed, lifting, node)

    def lifted_derivative(
        self, taken: Taken, lifting: Lifting, defaulted: list[str], function: Any
    ) -> tuple[Lifted, list[Kind], Asked | None]:
        """The function with all that it reads as parameters, their kinds, and the derivative with respect to these."""
        lifted = lifting.lifted(function, defaulted)
        places = dict(zip(lifted.leaves, range(len(lifted.leaves)), strict=True))
        names = [f"{name}.0" for name in parameter_names(function)]
        kinds = lifting.kinds
        kinds += kinds_of_defaults(function, defaulted, self.rebound)
        if not (lifting.ready and all(names[k] in places for k in positions_in(taken.asked))):
            return lifted, kinds, None
        return lifted, kinds, placed(taken.asked, lambda k: places[names[k]])

    def derived_at_rest(
        self, taken: Taken, lifting: Lifting, defaulted: list[str], function: Any
    ) -> Any | None:
        """What a derivative of constants calls, where it can be told: it changes nothing then."""
        lifted, kinds, asked = self.lifted_derivative(taken, lifting, defaulted, function)
        if asked is None or not all(
            map(_is_differentiated, (kinds[k] for k in positions_in(asked)))
        ):
            return None
        assert self.derivative is not None
        try:
            return self.derivative(lifted, tuple(kinds), asked)
        except (NotDifferentiable, TypeError, ListNeeded):
            return None

    def call_of_derived(
        self, lifted: Any, kinds: list[Kind], asked: Asked, given: list[list[Any]], node: Any
    ) -> Kind:
        if not all(_is_differentiated(kinds[k]) for k in positions_in(asked)):
            return self.unable("a derivative with respect to what is no float", node)
        derived = self.derivative_of(lifted, kinds, asked, node, self.unable, _WRITES)
        if derived is None:
            return REFUSED
        nodes, vectors = given
        named = dict(zip(derived.tangents, vectors, strict=True))
        return self.user_call(derived.call, nodes, named, node)

    def unable(self, what: str, node: Any) -> Kind:
        self.refuse(
            f"{what} inside a differentiated function is not supported yet: hand what it gives to the function",
            node,
        )
        return REFUSED


_WRITES = "a derivative of a function that writes to its arguments"
PLAIN = Asked("vjp")  # of a function itself, not of a derivative of it
MODES = ("grad", "value_and_grad", "hvp")


def _is_differentiated(kind: Kind) -> bool:
    return isinstance(kind, Num) and kind.is_float


def as_taken(kind: Kind) -> Taken | None:
    """What a derivative is taken of: a function, or another derivative."""
    match kind:
        case Taken():
            return kind
        case Fun() | Known(value=types.FunctionType()):
            return Taken(kind, PLAIN)
        case Known(value=value):
            return taken_outside(value)
    return None


def taken_outside(value: Any) -> Taken | None:
    """A derivative that exists: `slope = grad(f)` in the module."""
    own = undecorated(value)
    if own is not value and isinstance(own, types.FunctionType):
        return Taken(Known(own), PLAIN)
    if not type(value).__module__.startswith("tangentish."):
        return None  # what it has under any name is its own affair
    asked, function = getattr(value, "asked", None), getattr(value, "__wrapped__", None)
    if not (isinstance(asked, Asked) and isinstance(function, types.FunctionType)):
        return None
    return Taken(Known(function), asked) if asked.mode in MODES else None


def asked_for(name: str, subject: Taken, wrt: Any, has_aux: bool) -> Asked | None:
    function = subject.function
    plain: Any = function.function if isinstance(function, Fun) else function.value
    if not isinstance(plain, types.FunctionType):
        return None
    try:
        positions, single = resolve(plain, wrt)
    except (TypeError, ValueError):
        return None
    if subject.asked != PLAIN:
        chained = name == "grad" and subject.asked.mode == "grad" and not has_aux
        return subject.asked.gradient_of(positions, single) if chained else None
    if name == "hvp":
        return Asked("grad", positions, single, along=(positions,), given=True, name="hvp")
    return Asked(name, positions, single, has_aux)  # type: ignore[arg-type]


def positions_in(asked: Asked) -> tuple[int, ...]:
    return (*asked.wrt, *(k for moving in asked.along for k in moving))


def placed(asked: Asked, place: Any) -> Asked:
    """The same derivative, its parameters counted otherwise."""
    along = tuple(tuple(map(place, moving)) for moving in asked.along)
    return replace(asked, wrt=tuple(map(place, asked.wrt)), along=along)


def literal(node: Any) -> Any:
    """The value of `0`, "x" or (0, 1)."""
    if isinstance(node, (gast.Tuple, gast.List)):
        values = tuple(map(literal, node.elts))
        return ABSENT if ABSENT in values else values
    return literal_of(node)
