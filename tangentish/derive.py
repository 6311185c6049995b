"""The pipeline on one screen: from a function and the kinds of its arguments to its derivative."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import Any, NoReturn

from tangentish.adjoint.function_objects import with_objects_read
from tangentish.adjoint.structures import Structure, leaves_bound_anew, structured
from tangentish.analysis.attributes_first import Late, with_attributes_first
from tangentish.analysis.guards import AnyGuard
from tangentish.analysis.kept import Kept, to_note_in
from tangentish.analysis.kept_properties import check_kept, check_kept_before
from tangentish.analysis.reached import Analysis, Program
from tangentish.analysis.stored_by_key import check_stores_by_key
from tangentish.asking.adapters import by_its_rule
from tangentish.asking.asked import Asked
from tangentish.asking.sharing import arrays_in
from tangentish.asking.wrt import local_names
from tangentish.compiled.generate import CompiledGenerator
from tangentish.errors import NotDifferentiable
from tangentish.generation.apart_from_outside import apart_from_buffers, apart_from_outside
from tangentish.generation.generate import Generated, Generator, ListsKept
from tangentish.generation.generate_forward import ForwardGenerator
from tangentish.generation.halves import Halves
from tangentish.generation.interpreter import generating
from tangentish.generation.kinds_of_outputs import check_kind_of_output
from tangentish.infer import ApartNeeded, ListNeeded
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.known_functions import is_view_maker
from tangentish.infer.reaching_out import Seen
from tangentish.ir.stems import stem_of
from tangentish.kinds import (
    UNKNOWN,
    Buffer,
    Kind,
    Known,
    Num,
    Seq,
    Tup,
    is_number,
    replace,
    with_parts,
)
from tangentish.kinds.devices import on_device
from tangentish.kinds.joins import as_sequence
from tangentish.kinds.kinds_of_values import flags_of, kinds_of
from tangentish.language.binding import parameter_names, takes_any_keyword
from tangentish.language.lifted import Lifted, as_written, element_name
from tangentish.language.modes import in_mode
from tangentish.language.source import GENERATED, read_source


@dataclass(eq=False)
class Derived:
    """A generated derivative and what it depends on."""

    call: Any
    text: str
    writes: tuple[int, ...]
    shared: bool
    guards: tuple[AnyGuard, ...]
    layout: bool = True  # whether the layout of the arguments matters
    tangents: tuple[str, ...] = ()  # the parameters that bring tangents
    generated: Any = None  # the generated function itself; None for one that only raises
    result: Kind = UNKNOWN
    program: Program | None = None  # only of one that a program takes itself
    halves: Halves | None = None  # of a pullback
    rebound: frozenset[Hashable] = frozenset()  # the names outside that are bound
    moves_state: bool = False  # whether it may give something else when it is called again
    only_bound: Set[int] = frozenset()  # of those written to: where entries get new values


def derive(
    function: FunctionType, values: Sequence[object], asked: Asked, *, flags: bool = False
) -> Derived:
    """The derivative of `function` for arguments of the kinds of `values`.

    flags: only for the very flags and strings among them.
    """
    kinds, function = kinds_of(values), by_its_rule(function)
    if flags:
        given = dict(flags_of(values))
        kinds = tuple(Known(given[k]) if k in given else kind for k, kind in enumerate(kinds))
    if on_device(array for value in values for array in arrays_in(value)):
        asked = _of_device(asked)
    try:
        with generating():
            return replace(_derived(function, kinds, asked), program=None)
    except RecursionError:
        raise NotDifferentiable(
            f"{function.__name__} holds an expression that is nested too deeply: name parts of it"
        ) from None


def _of_device(asked: Asked) -> Asked:
    if asked.mode == "jvp" or asked.along:
        raise TypeError("forward mode and second derivatives do not take arrays of cupy yet")
    if asked.compile:
        raise TypeError("compiled derivatives do not take arrays of cupy")
    return replace(asked, device=True)


@dataclass(frozen=True)
class Around:
    """What is around a derivative that a program takes itself.

    rebound: the names outside that the program binds.
    depth: how many derivatives there are around this one.
    lists_kept: whether what a recursion saves holds lists.
    """

    rebound: Set[Hashable] = frozenset()
    depth: int = 0
    lists_kept: bool = False


OUTERMOST = Around()


def _derived_inside(
    around: Around,
    device: bool,
    function: Lifted,
    kinds: Sequence[Kind],
    asked: Asked,
    rebound: Set[Hashable],
) -> Derived | None:
    """A derivative that a program takes itself, as a function that is differentiated in turn; if it is one."""
    around = replace(around, rebound=rebound, depth=around.depth + 1)
    if around.depth > DEEPEST:
        raise NotDifferentiable(
            f"{function.__name__} takes derivatives of what takes derivatives without end"
        )
    asked = _of_device(asked) if device else asked
    made = _derived(function, kinds, asked, around)
    if made.program is not None and made.program.recursion.reached and _is_slope(asked, kinds):
        slope = _slope(function, kinds, asked.wrt, False, asked, around)
        made = replace(made, call=slope.call, guards=(*made.guards, *slope.guards.values()))
    code = made.call.__code__ if isinstance(made.call, FunctionType) else None
    plain = code is not None and code.co_filename.startswith(GENERATED)
    return made if plain and not made.writes else None


DEEPEST = 5  # derivatives of what takes derivatives


def _is_slope(asked: Asked, kinds: Sequence[Kind]) -> bool:
    """Whether a gradient is the one number that forward mode gives, too.

    Of a function that calls itself this is what can be differentiated once more: what the other way saves holds what
    the call inside saved, and so on, and such a thing has no kind.
    """
    if asked.mode != "grad" or asked.along or asked.has_aux or not asked.single:
        return False
    kind = kinds[asked.wrt[0]]
    return is_number(kind)


def _derived(
    function: FunctionType | Lifted,
    kinds: Sequence[Kind],
    asked: Asked,
    around: Around = OUTERMOST,
) -> Derived:
    try:
        return _derived_as_assumed(function, kinds, asked, around)
    except ListsKept:
        return _derived_as_assumed(function, kinds, asked, replace(around, lists_kept=True))


def _derived_as_assumed(
    function: FunctionType | Lifted, kinds: Sequence[Kind], asked: Asked, around: Around
) -> Derived:
    guards: dict[object, AnyGuard] = {}
    names: tuple[str, ...] = ()
    written, bound = set[int](), set[int]()
    count = len(kinds)
    order: Sequence[int] = range(count)
    for level, moving in enumerate(asked.along):
        given = asked.given and level == len(asked.along) - 1
        slope = _slope(function, kinds, moving, given, asked, around)
        guards |= slope.guards
        if slope.call is None:
            return _raising(function, guards)
        function, kinds, names, order = slope.call, slope.kinds, slope.names, slope.order
        written |= slope.written
        bound |= slope.bound
    asked = replace(asked, wrt=tuple(order.index(k) if k < len(order) else k for k in asked.wrt))
    with _analysed(function, kinds, asked.wrt, asked, around) as (program, analysis, structure):
        guards |= program.guards
        if analysis.raises:
            return _raising(function, guards)
        check_kind_of_output(function, analysis, asked.mode, asked.has_aux, bool(asked.along))
        asked = replace(asked, wrt=_in_order(asked.wrt, _names_of(function)))
        made = with_objects_read(program, lambda: _generated(program, analysis, asked, structure))
        guards |= program.guards
    own = (kind for place, kind in zip(order, kinds, strict=True) if place < count)
    shared = sum(map(_places_in, own)) > 1
    written |= {order[k] for k in _written(analysis, structure)}
    bound |= {order[k] for k in _bound(analysis, structure)}
    mine = tuple(sorted(k for k in written | bound if k < count))
    call = apart_from_outside(made.call, program, analysis, () if around.depth else mine)
    if program.asks_mode and not around.depth:
        call = _in_mode(call, asked)
    if asked.filling:
        call = apart_from_buffers(call, program, made.given)
    names = (*names, *made.given)
    layout = _layout_matters(program)
    return Derived(
        call, made.text, mine, shared, tuple(guards.values()), layout, names, made.call,
        analysis.facts.result or UNKNOWN, program, made.halves, frozenset(program.rebound),
        _moves_state(program), bound - written,
    )  # fmt: skip


def _written(analysis: Analysis, structure: Structure | None) -> set[int]:
    """The arguments with memory that is written to."""
    written = analysis.written
    return set(written if structure is None else structure.owners(written))


def _bound(analysis: Analysis, structure: Structure | None) -> set[int]:
    """The arguments with entries that are bound anew."""
    return (
        set()
        if structure is None
        else set(structure.owners(leaves_bound_anew(structure, analysis)))
    )


def _names_of(function: FunctionType | Lifted) -> Sequence[str]:
    return function.leaves if isinstance(function, Lifted) else parameter_names(function)


def _held(
    function: FunctionType | Lifted, wrt: tuple[int, ...], names: Sequence[str]
) -> tuple[str, ...]:
    """The local variables among those with respect to which gradients are taken."""
    if isinstance(function, Lifted):
        return ()
    return tuple(local_names(function)[k - len(names)] for k in _local(wrt, names))


def _in_mode(call: Any, asked: Asked) -> Any:
    """The call, and the pullback that it gives, in the mode that was asked for."""
    if asked.mode != "vjp":
        return in_mode(call, asked.training)

    def linearised(*args: Any, **keywords: Any) -> tuple[Any, Any]:
        value, pull = call(*args, **keywords)
        return value, in_mode(pull, asked.training)

    return in_mode(linearised, asked.training)


def _local(wrt: Sequence[int], names: Sequence[str]) -> list[int]:
    """Of the positions those of local variables."""
    return [k for k in wrt if k >= len(names)]


def _in_order(wrt: Sequence[int], names: Sequence[str]) -> tuple[int, ...]:
    """The positions, those of local variables numbered as they are named."""
    local = _local(wrt, names)
    return tuple(len(names) + local.index(k) if k in local else k for k in wrt)


Analysed = tuple[Program, Analysis, Structure | None]


def _holds(analysed: Analysed) -> bool:
    return all(guard.holds() for guard in analysed[0].guards.values())


analyses: Kept[Analysed] = Kept(16, _holds)
"""Those of the functions that were looked at last."""


@contextmanager
def _analysed(
    function: FunctionType | Lifted,
    kinds: Sequence[Kind],
    wrt: tuple[int, ...],
    asked: Asked,
    around: Around,
) -> Iterator[Analysed]:
    """What is known of a function for arguments of these kinds, of which those of `wrt` vary."""
    active = tuple(_activated(kind, k in wrt) for k, kind in enumerate(kinds))
    held = _held(function, wrt, _names_of(function))
    outside = frozenset(around.rebound)
    options = asked.training, asked.device, outside, around.depth, around.lists_kept
    with analyses.lent(
        (function, active, held, *options),
        lambda: with_attributes_first(partial(_analyse, function, active, held, asked, around)),
    ) as (program, analysis, structure):
        yield *to_note_in(program, analysis), structure


def _analyse(
    function: FunctionType | Lifted,
    active: tuple[Kind, ...],
    held: tuple[str, ...],
    asked: Asked,
    around: Around,
    late: Late,
) -> Analysed:
    names = _names_of(function)
    rebound, unseen, given = set(around.rebound), Seen(), active
    check_kept_before(active)
    while True:
        program = Program(
            set(rebound),
            held,
            asked.training,
            device=asked.device,
            derive=partial(_derived_inside, around, asked.device),
            inside=around.depth > 0,
            lists_kept=around.lists_kept,
            unseen=unseen,
            late=late,
        )
        structure = structured(function, names, active, given)
        if held and structure is not None:
            raise TypeError(
                "a gradient with respect to a local variable goes with arrays and numbers only, yet"
            )
        try:
            whole = (function, active) if structure is None else (structure.lifted, structure.kinds)
            analysis = program.analyse(*whole)
        except ListNeeded as needed:
            if isinstance(function, Lifted):
                raise  # who calls it gives it the parts one by one
            before = active
            named = zip(names, active, strict=True)
            active = tuple(_as_needed(kind, f"{name}.0", needed) for name, kind in named)
            if active == before:
                raise NotDifferentiable(needed.reason) from None
            continue
        check_stores_by_key(function, analysis)
        check_kept(program)
        more = program.rebound - rebound
        if not more or (more == {CHANGED_OUTSIDE} and not program.looks_inside):
            return program, analysis, structure
        rebound = program.rebound  # others may have read these names before


def _as_needed(kind: Kind, value: str, needed: ListNeeded) -> Kind:
    """The kind of an argument, in which a function runs over one of the containers, or stores to it."""
    if not isinstance(kind, Tup):
        return kind
    if value == needed.value:
        return _apart(kind) if isinstance(needed, ApartNeeded) else as_sequence(kind)
    items = tuple(
        _as_needed(item, element_name(value, k, kind), needed) for k, item in enumerate(kind.items)
    )
    return kind if items == kind.items else replace(kind, items=items, apart=True)


def _apart(kind: Kind) -> Kind:
    """A container whose elements are values of their own, and so are those of containers in it."""
    kind = with_parts(kind, _apart)
    return replace(kind, apart=True) if isinstance(kind, Tup) else kind


def _places_in(kind: Kind) -> int:
    """How many things there are that could be stored to under two names; two of a list are enough."""
    if isinstance(kind, Tup):
        return 1 + sum(map(_places_in, kind.items))
    return 2 if isinstance(kind, Seq) else int(isinstance(kind, Num) and kind.array is not False)


def _raising(function: FunctionType | Lifted, guards: Mapping[object, AnyGuard]) -> Derived:
    """A function that raises on every way, or returns nothing there, is its own derivative."""
    plain = as_written(function)
    text = "\n".join(read_source(plain).lines)

    def raising(*args: Any, **keywords: Any) -> NoReturn:
        plain(*args, **keywords)
        raise TypeError(f"{plain.__name__}() returns None here: there is nothing to differentiate")

    return Derived(raising, text, (), False, tuple(guards.values()))


@dataclass(frozen=True)
class _Slope:
    """The slope of a function along tangents that follow its parameters; no `call`: it raises."""

    call: Any
    kinds: tuple[Kind, ...]
    names: tuple[str, ...]
    guards: Mapping[object, AnyGuard]
    # its parameters, as those of the function and then the tangents are counted: `**kwargs` stays last
    order: Sequence[int] = ()
    # arguments that the function writes to, and the slope to copies
    written: Set[int] = frozenset()
    bound: Set[int] = frozenset()


def _slope(
    function: FunctionType | Lifted, kinds: Sequence[Kind], moving: tuple[int, ...], given: bool,
    asked: Asked, around: Around,
) -> _Slope:  # fmt: skip
    with _analysed(function, kinds, moving, asked, around) as (program, analysis, structure):
        if analysis.raises:
            return _Slope(None, (), (), program.guards)
        order = list(range(len(kinds)))
        check_kind_of_output(function, analysis, "grad", False)
        name = f"{analysis.function.name}_{'along' if given else 'grad'}"
        written, bound = _written(analysis, structure), _bound(analysis, structure)
        made = with_objects_read(
            program,
            lambda: ForwardGenerator(program).slope(analysis, moving, name, given, structure),
        )
    if not given:
        return _Slope(made.call, tuple(kinds), (), program.guards, order, written, bound)
    places = (("argument", len(kinds) + n) for n in range(len(moving)))
    tangents = tuple(_tangent(kinds[k], place) for k, place in zip(moving, places, strict=True))
    at = len(order) - takes_any_keyword(made.call)
    order[at:at] = range(len(kinds), len(kinds) + len(moving))
    counted = (*kinds, *tangents)
    kinds = tuple(counted[k] for k in order)
    return _Slope(made.call, kinds, made.given, program.guards, order, written, bound)


def _tangent(kind: Kind, place: tuple[Hashable, ...]) -> Kind:
    """The kind of a tangent: of the same structure, in memory of its own, None for what is no float."""
    if isinstance(kind, Tup):
        items = tuple(_tangent(item, (*place, k)) for k, item in enumerate(kind.items))
        return replace(kind, items=items, sites=frozenset({place}))
    if not (isinstance(kind, Num) and kind.is_float):
        return Known(None)
    buffers = frozenset({Buffer(place)}) if kind.buffers else kind.buffers
    return replace(kind, buffers=buffers, value=None)


def _generated(
    program: Program, analysis: Analysis, asked: Asked, structure: Structure | None
) -> Generated:
    generator = CompiledGenerator(program) if asked.compile else Generator(program)
    match asked.mode:
        case "vjp":
            return generator.pullback(analysis, asked.wrt, structure)
        case "jvp":
            return ForwardGenerator(program).joint(analysis, asked.wrt, structure)
        case "tangent":
            name = f"{stem_of(analysis.function.name)}_{asked.name}"
            return ForwardGenerator(program).slope(analysis, asked.wrt, name, True, structure)
    stem = stem_of(analysis.function.name).removesuffix("_along")
    name = "_".join(filter(None, (stem, asked.name or asked.mode, asked.filling)))
    return generator.joint(analysis, asked, name, structure)


def _layout_matters(program: Program) -> bool:
    """Whether some function reached writes to its arguments, or makes views that depend on layout."""
    return any(
        analysis.written or any(is_view_maker(c.function) for c in analysis.facts.callees.values())
        for analysis in program.analyses.values()
    )


def _moves_state(program: Program) -> bool:
    """Whether some function draws, or may change something that stays: the next call may give something else."""
    return bool(program.rebound) or any(
        a.facts.acting or a.facts.changes for a in program.analyses.values()
    )


def _activated(kind: Kind, wanted: bool) -> Kind:
    if not wanted:
        return kind
    if isinstance(kind, Num):
        return replace(kind, active=True) if kind.is_float else kind
    return with_parts(kind, lambda part: _activated(part, wanted))
