"""Functions of SciPy that call a function of the user's: what it reads is given by `args=`, and has a slope each.

quad(lambda t: np.exp(-k * t), 0, x)      ->      quad(integrand, 0, x, args=(k,))
"""

from __future__ import annotations

import inspect
import types
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.asking.asked import Asked
from tangentish.errors import NotDifferentiable
from tangentish.infer.callee_arguments import bind_arguments
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.defaults import kinds_of_defaults
from tangentish.infer.facts import Callee
from tangentish.infer.jumps import may_jump
from tangentish.infer.known_functions import function_name, of_scipy
from tangentish.infer.literals import literal_of
from tangentish.infer.user_calls import UserCalls
from tangentish.kinds import REFUSED, UNKNOWN, Fun, Kind, Known, Num, Tup, is_function, replace
from tangentish.language.binding import parameter_names, starred_names
from tangentish.language.ways import Way
from tangentish.rules.calling_back import CALLERS, Caller, CallingRule, integral, root
from tangentish.rules.harmless import without_harmless
from tangentish.rules.names import given_name, is_helper
from tangentish.rules.own import has_own_rule
from tangentish.text.standing_alone import READS_CONTAINER, NotAlone, Read, alone
from tangentish.text.vectors import as_vector, without_defaults

FLOAT = Num(np.dtype(float), (), False, weak=True)
_WRITES = "its function writes to its arguments"
_SEVERAL_ROOTS = "it looks for several roots at once: write scipy.optimize.fsolve(f, x0)"
_CHANGED = "names outside are bound, or what they hold changes, and its function may read them"
NO_VECTOR = "it is not known that its function gives a vector: let it give np.array([...])"
_JUMP = (
    "its function compares or rounds what varies, and where it jumps the integral moves, which no slope tells: write "
    "np.minimum, np.maximum or np.abs where it does not jump, or one integral for each side"
)
_BENDS = (
    "its function compares or rounds what varies, and where its rates jump the solution bends, which no slope tells: "
    "write np.minimum, np.maximum or np.abs where they do not jump, or one call for each side"
)


class CallingBack(UserCalls):
    """The part of the walk that knows integrals and roots."""

    def called_back(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of such a call; None of any other, or where nothing varies."""
        caller = (
            CALLERS.get(function_name(function))
            if is_helper(function)
            else of_scipy(CALLERS, function)
        )
        if caller is None:
            return None
        names = list(inspect.signature(function).parameters)
        bound = dict(zip(names, args, strict=False)) | keywords
        first = bound.pop(names[0], None)
        kinds = [self.refreshed(self.kind(e)) for e in (first, *bound.values())]
        given = bound.pop("args", None)
        if (spelt := self.with_args_spelt(given, node)) is not None:
            return self.answered_by(node, lambda: spelt)
        parts = [] if given is None else getattr(given, "elts", None)
        if first is None or not any(kind.active for kind in kinds):
            return self.still_called(caller, kinds[0], parts, bound, node) if kinds else None
        if parts is None or isinstance(given, gast.List):
            return self.not_called(
                "write the arguments of the function as a tuple: args=(k,)", node
            )
        bound = dict(without_harmless(function, (), bound, literal_of)[1])
        why = self.why_not_with(caller, bound)
        if why is not None:
            return self.not_called(why, node)
        if isinstance(kinds[0], Fun):
            return self.given_its_values(caller, kinds[0], [first, parts, bound], node)
        if not isinstance(kinds[0], Known) or not callable(kinds[0].value):
            return self.not_called("it is not known which function it calls", node)
        if "fprime" in bound and self.refreshed(self.kind(bound["fprime"])).active:
            return self.not_called("its fprime captures what its function does not", node)
        call = Callee(function, tuple(args), keywords)
        return self.with_slopes(caller, call, kinds[0].value, [first, parts, bound], node)

    def why_not_with(self, caller: Caller, bound: dict[str, Any]) -> str | None:
        """What there is about the options of a call that a rule does not know."""
        allowed = {*caller.limits, *caller.start, *caller.handed_on, *caller.settings}
        for name, option in bound.items():
            if name not in allowed:
                return f"it is called with '{name}' here"
            still = name not in (*caller.limits, *caller.start, "fprime", "t_eval")
            if still and self.kind(option).active:
                return f"there is no derivative with respect to '{name}'"
        return None

    def with_args_spelt(self, given: Any, node: Any) -> Any | None:
        """`quad(f, a, b, args=(args[0],))` of a tuple with a name; None where there is no such tuple."""
        kind = None if given is None or hasattr(given, "elts") else self.kind(given)
        if not (isinstance(kind, Tup) and kind.is_counted and not kind.is_list):
            return None
        parts = [self.element(given, k, item) for k, item in enumerate(kind.items)]
        spelt = gast.Tuple(parts, gast.Load())
        args = [spelt if a is given else a for a in node.args]
        options = [gast.keyword(k.arg, spelt) if k.value is given else k for k in node.keywords]
        return gast.Call(node.func, args, options)

    def still_called(
        self, caller: Caller, fun: Kind, parts: list[Any] | None, bound: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of a call in which nothing varies, where the function does nothing but give a number."""
        function = fun.function if isinstance(fun, Fun) else getattr(fun, "value", None)
        allowed = {*caller.limits, *caller.start, *caller.handed_on, *caller.settings}
        if parts is None or not allowed.issuperset(bound) or caller.arrays or caller.solves:
            return None
        if not isinstance(function, types.FunctionType) or starred_names(function):
            return None
        limits = [bound.get(n) for n in (*caller.limits, *caller.start) if not caller.unknowns]
        if any(map(self.is_list_or_array, limits)):
            return None
        point = self.kind_of_unknowns(bound["x0"], node) if caller.unknowns else FLOAT
        at = bind_arguments(function, [self.point(point, node), *parts], {})
        if isinstance(at, str):
            return None
        cells = dict(fun.cells) if isinstance(fun, Fun) else {}
        lifting, defaulted = self.lifting(function, at, cells, node)
        kinds = [*lifting.kinds, *kinds_of_defaults(function, defaulted, self.rebound)]
        try:
            summary = self.analysed(lifting.lifted(function, defaulted), tuple(kinds), node)
        except NotDifferentiable:
            return None
        if not summary.quiet:
            return None
        return Tup((FLOAT, FLOAT)) if caller.pair else point

    def point(self, kind: Kind, node: Any) -> Any:
        """Some value at which the function is called."""
        at = self.made_once((node, "at"), lambda: gast.Constant(0.5, None), node)
        self.facts.kinds[at] = kind
        return at

    def not_called(self, why: str, node: Any) -> Kind:
        function = self.facts.callees[node].function
        self.refuse(f"{function_name(function)} can't be differentiated here: {why}", node)
        return REFUSED

    # -- functions that capture what they read

    def given_its_values(self, caller: Caller, fun: Fun, given: list[Any], node: Any) -> Kind:
        """The same call of a function that captures nothing: all that it reads stands in `args=`."""
        _, parts, bound = given
        if fun.function is None:
            return self.not_called("it is not known which function it calls", node)
        cells: dict[str, str] = {}
        inner: dict[str, types.FunctionType] = {}
        try:
            prime = self.kind(bound["fprime"]) if "fprime" in bound else None
            functions = [fun.function]
            self.gather(fun, cells, inner)
            if isinstance(prime, Fun) and prime.function is not None:
                functions.append(prime.function)
                self.gather(prime, cells, inner)
            held = {n for n, value in cells.items() if self.holds_parts(value)}
            read = Read(tuple(cells), frozenset(held), tuple(inner.items()))
            titles = (caller.title, f"{caller.title}_prime")
            home = self.source.function
            found, *others = (
                alone(one, len(parts) + caller.solves, read, title, home)
                for one, title in zip(functions, titles, strict=False)
            )
        except NotAlone as why:
            return self.not_called(str(why), node)
        if any(other.values != found.values for other in others):
            return self.not_called("its fprime takes other arguments than its function", node)
        if "fprime" in bound and found.values and not others:
            return self.not_called("its fprime does not take what its function captures", node)
        values = [*parts, *(self.part_captured(way, cells, node) for way in found.values)]
        if REFUSED in map(self.kind, values):
            return REFUSED
        key = (node, found.function, *values)
        for other in others:
            self.kept.append(other.function)
            bound = bound | {"fprime": self.reference("fprime", other.function, node)}

        def made() -> Any:
            function = ir.name(given_name(found.function))
            named = {"args": gast.Tuple(values, gast.Load())} if values else {}
            options = [
                gast.keyword(name, value) for name, value in bound.items() if name not in limits
            ]
            more = [gast.keyword(name, value) for name, value in named.items()]
            return gast.Call(node.func, [function, *(bound[n] for n in limits)], [*more, *options])

        limits = [n for n in (*caller.limits, *caller.start) if n in bound and n != "x1"]
        self.kept.append(found.function)
        call = self.facts.as_arrays[node] = self.made_once(key, made, node)
        if any(
            way.steps for way in found.values
        ):  # in the next pass what is read has names of its own
            self.facts.answers[node] = call
        return self.expression(call)

    def holds_parts(self, value: str) -> bool:
        """Whether a variable is a list, a dict or an object that carries a derivative."""
        kind = self.env.kinds.get(value)
        return isinstance(kind, Tup) and kind.active

    def part_captured(self, way: Way, cells: dict[str, str], node: Any) -> Any:
        """A node for what a function reads of a variable around it."""
        if not way.steps:
            return self.captured(cells[way.root], node)
        there = Way(cells[way.root], way.steps)
        part = self.made_once((node, there), lambda: there.node(node), node)
        self.expression(part)
        return part

    def gather(self, fun: Fun, cells: dict[str, str], inner: dict[str, types.FunctionType]) -> None:
        """What a function captures by its names, and the functions among it."""
        for name, value in fun.cells:
            kind = self.env.kinds.get(value, UNKNOWN)
            if not isinstance(kind, Fun):
                if is_function(kind) or cells.setdefault(name, value) != value:
                    raise NotAlone("its function captures another function: define it outside")
            elif kind.function is None or kind.function is fun.function:
                raise NotAlone("it is not known which function its function calls")
            elif inner.setdefault(name, kind.function) is not kind.function:
                raise NotAlone("functions that it calls have one name")
            else:
                self.gather(kind, cells, inner)

    # -- slopes

    def with_slopes(
        self, caller: Caller, call: Callee, function: Any, given: list[Any], node: Any
    ) -> Kind:
        """The call by a rule that is made for it."""
        _, parts, bound = given
        names = [f"k{n}" for n in range(len(parts))]
        moving = {n: e for n, e in zip(names, parts, strict=True) if self.kind(e).active}
        if has_own_rule(function):
            return self.not_called(
                "its function has a rule of its own: give the integral one", node
            )
        limits = [bound.get(n) for n in (*caller.limits, *caller.start) if not caller.unknowns]
        why = self.why_not(parts, limits, list(moving.values()), bool(caller.limits))
        if why is not None:
            return self.not_called(why, node)
        point = self.kind_of_unknowns(bound["x0"], node) if caller.unknowns else FLOAT
        taken = [self.point(point, node), *parts]
        wanted = {f"_{name}": k for k, name in enumerate(names, 1) if name in moving}
        wanted = wanted if caller.limits else {"": 0, **wanted}
        if wanted and not isinstance(function, types.FunctionType):
            return self.not_called("its function has no source: write a lambda", node)
        found = self.value_and_sloped(caller, function, point, taken, node)
        if found is None:
            return REFUSED
        value, sloped = found
        if self.rebound and not wanted and isinstance(function, types.FunctionType):
            return self.not_called(_CHANGED, node)
        several = not value.is_scalar
        slopes = {
            f"{kind}{rest}": self.slope(caller, sloped, position, taken, kind, node)
            for kind in (("slope", "tangent") if several else ("slope",))
            for rest, position in wanted.items()
            if rest or kind == "slope"
        }
        if None in slopes.values():
            return REFUSED
        self.note_rule(caller, call, given, slopes, several, node)
        value = replace(value, active=True)
        return Tup((value, FLOAT)) if caller.pair else value

    def note_rule(
        self, caller: Caller, call: Callee, given: list[Any], slopes: dict[str, Any], several: bool, node: Any
    ) -> None:  # fmt: skip
        """The rule by which this call has its derivative, and what it reads."""
        first, parts, bound = given
        named = {f"k{n}": e for n, e in enumerate(parts)}
        parameters = {name: self.is_list_or_array(e) for name, e in named.items()}
        options = [name for name in bound if name in caller.handed_on]
        adjoints, tangents = (
            integral(caller, parameters, options, several)
            if caller.limits
            else root(caller, parameters)
        )
        operands = {**bound, **named}
        adjoints = {n: text for n, text in adjoints.items() if n in operands or n == "function"}
        functions = {"function": first, "caller": node.func}
        functions |= {name: self.reference(name, slope, node) for name, slope in slopes.items()}
        known = {**operands, **functions}
        rule = CallingRule(
            "tuple" if caller.pair else "structural", function_name(call.function), adjoints,
            tangents=tangents, given=tuple(known), slopes=tuple(slopes.values()),
        )  # fmt: skip
        self.facts.callees[node] = Callee(call.function, call.args, call.keywords, rule, known)

    def value_and_sloped(
        self, caller: Caller, function: Any, point: Num, taken: list[Any], node: Any
    ) -> tuple[Num, Any] | None:
        """The kind of what the call gives, and the function whose slopes it takes; None where it is refused."""
        if not isinstance(function, types.FunctionType):
            return point, function
        given_back = self.value_of(function, taken, node)
        if given_back is None:
            return None
        if caller.unknowns:
            sloped = as_vector(function, given_back, len(taken))
            if sloped is None:
                self.not_called(NO_VECTOR, node)
            return None if sloped is None else (point, sloped)
        value = self.kind_of_integral(given_back, node) if caller.arrays else point
        if value is None:
            self.not_called("it is not known what shape its function gives", node)
            return None
        alone = function if value.is_scalar else without_defaults(function, len(taken))
        return value, alone

    def why_not(
        self, parts: list[Any], limits: list[Any], moving: list[Any], integrates: bool = False
    ) -> str | None:
        """What there is about the arguments of a call that slopes can't be taken of, or not at another time."""
        kinds = list(map(self.kind, parts))
        if not all(isinstance(self.kind(e), Num) for e in moving):
            return READS_CONTAINER
        if any(isinstance(k, Num) and k.is_complex for k in kinds):
            return "its function takes complex numbers"
        if self.rebound - {CHANGED_OUTSIDE}:
            return _CHANGED
        if not any(map(self.is_list_or_array, limits)):
            return None
        return "its limits are arrays" if integrates else _SEVERAL_ROOTS

    def reference(self, name: str, function: Any, node: Any) -> Any:
        """A name for a generated function."""
        made = self.made_once((node, name, function), lambda: ir.name(given_name(function)), node)
        self.facts.kinds[made] = Known(function)
        return made

    def is_list_or_array(self, node: Any) -> bool:
        kind = None if node is None else self.kind(node)
        return isinstance(kind, Num) and not kind.is_scalar

    def arguments(self, function: types.FunctionType, taken: list[Any], node: Any) -> Any:
        """What the function is given, taken apart."""
        bound = bind_arguments(function, taken, {})
        if isinstance(bound, str) or starred_names(function):
            self.not_called(bound if isinstance(bound, str) else "its function takes *args", node)
            return None
        return self.lifting(function, bound, {}, node)

    def kind_of_integral(self, kind: Kind, node: Any) -> Num | None:
        """The kind of what `quad_vec` gives: floats in the shape of the function's."""
        if not isinstance(kind, Num) or kind.shape is None or not kind.is_float:
            return None
        new = replace(kind, active=False, value=None, buffers=self.fresh(node))
        return FLOAT if kind.is_scalar else new

    def kind_of_unknowns(self, start: Any, node: Any) -> Num:
        """The kind of the vector that a root is, and is looked for from: of a number, a list or any array."""
        match self.kind(start):
            case Num(array=False):
                shape: tuple[Any, ...] = (1,)
            case Num(rank=1, shape=tuple() as known):
                shape = known
            case _:
                shape = (None,)
        return Num(np.dtype(float), shape, True, buffers=self.fresh(node), contiguous=True)

    def value_of(self, function: types.FunctionType, taken: list[Any], node: Any) -> Kind | None:
        """The kind of what the function gives; None where it matters how often it is called, which is refused."""
        found = self.arguments(function, taken, node)
        if found is None:
            return None
        lifting, defaulted = found
        kinds = lifting.kinds
        kinds += kinds_of_defaults(function, defaulted, self.rebound)
        try:
            summary = self.analysed(lifting.lifted(function, defaulted), tuple(kinds), node)
        except NotDifferentiable as error:
            self.refuse_callee(function, error, node)
            return None
        if not summary.quiet or summary.result is None:
            self.not_called("its function does more than give a value", node)
            return None
        return summary.result

    def slope(
        self, caller: Caller, function: types.FunctionType, position: int, taken: list[Any], kind: str,
        node: Any, also: tuple[int, ...] = (),
    ) -> Any | None:  # fmt: skip
        """The generated slope, or tangent, of the function in one of its parameters; None where it is refused.

        also: other parameters before that one; of an equation it gives a tuple of all these slopes.
        """
        found = self.arguments(function, taken, node)
        if found is None:
            return None
        lifting, defaulted = found
        lifted = lifting.lifted(function, defaulted)
        kinds = [*lifting.kinds, *kinds_of_defaults(function, defaulted, self.rebound)]
        names = [parameter_names(function)[p] for p in (*also, position)]
        if any(f"{name}.0" not in lifted.leaves for name in names):
            return self.not_called("its function takes a container", node) and None
        place = tuple(lifted.leaves.index(f"{name}.0") for name in names)
        name = "_".join(names)
        if kind == "slope":
            head, alone = caller.arrays or caller.unknowns, not caller.solves
            asked = Asked("grad", place, alone, name=f"grad_{name}", head=head)
        else:
            asked = Asked("tangent", place, name=f"tangent_{name}")
        derived = self.derivative_of(lifted, kinds, asked, node, self.not_called, _WRITES)
        if derived is None:
            return None
        assert derived.program is not None  # it gives a value: it does not only raise
        if derived.program.looks_inside and CHANGED_OUTSIDE in self.rebound:
            self.not_called(_CHANGED, node)
            return None
        if (caller.limits or caller.solves) and may_jump(derived.program):
            self.not_called(_BENDS if caller.solves else _JUMP, node)
            return None
        return derived.call
