"""The pipeline on one screen: from a function and the kinds of its arguments to its derivative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any, Literal

import numpy as np

from tangentish.analysis import Analysis, CodeGuard, Guard, Program
from tangentish.errors import NotDifferentiable
from tangentish.generate import Generated, Generator
from tangentish.generate_forward import ForwardGenerator, tangent_names
from tangentish.infer import MAY_VIEW, parameter_names
from tangentish.kinds import Kind, Known, Num, Tup, kinds_of

__all__ = ["Derived", "Guard", "derive", "derive_general"]

Mode = Literal["grad", "value_and_grad", "vjp", "jvp"]


@dataclass(eq=False)
class Derived:
    """A generated derivative and what it depends on."""

    call: Any
    text: str
    writes: tuple[int, ...]
    shared: bool
    guards: tuple[Guard | CodeGuard, ...]
    layout: bool = True  # whether the layout of the arguments matters
    tangents: tuple[str, ...] = ()  # the parameters that bring tangents


def derive(
    function: FunctionType,
    values: Sequence[object],
    wrt: tuple[int, ...],
    single: bool,
    mode: Mode,
    has_aux: bool,
) -> Derived:
    """The derivative of `function` for arguments of the kinds of `values`."""
    return _derive(function, kinds_of(values), wrt, single, mode, has_aux)


def derive_general(
    function: FunctionType,
    kinds: Mapping[str, Kind],
    wrt: tuple[int, ...],
    single: bool,
    mode: Mode,
) -> Derived:
    """The derivative for kinds given by name."""
    return _derive(function, tuple(kinds.values()), wrt, single, mode, False)


def _derive(
    function: FunctionType,
    kinds: Sequence[Kind],
    wrt: tuple[int, ...],
    single: bool,
    mode: Mode,
    has_aux: bool,
) -> Derived:
    try:
        return _derived(function, kinds, wrt, single, mode, has_aux)
    except RecursionError:
        raise NotDifferentiable(
            f"{function.__name__} holds an expression that is nested too deeply: name parts of it"
        ) from None


def _derived(
    function: FunctionType,
    kinds: Sequence[Kind],
    wrt: tuple[int, ...],
    single: bool,
    mode: Mode,
    has_aux: bool,
) -> Derived:
    program = Program()
    active = tuple(_activated(kind, k in wrt) for k, kind in enumerate(kinds))
    analysis = program.analyse(function, active)
    if analysis.raises:
        return Derived(
            function, "\n".join(analysis.source.lines), (), False, tuple(program.guards.values())
        )
    _check_output(function, analysis, mode, has_aux)
    made = _generated(program, analysis, wrt, single, mode, has_aux)
    shared = sum(isinstance(k, Num) and k.array is not False for k in kinds) > 1
    call = _apart_from_globals(made.call, program, analysis) if analysis.written else made.call
    guards = tuple(program.guards.values())
    names = tangent_names(analysis, wrt) if mode == "jvp" else ()
    layout = _layout_matters(program)
    return Derived(call, made.text, analysis.written, shared, guards, layout, names)


def _generated(
    program: Program,
    analysis: Analysis,
    wrt: tuple[int, ...],
    single: bool,
    mode: Mode,
    has_aux: bool,
) -> Generated:
    match mode:
        case "vjp":
            return Generator(program).pullback(analysis, wrt)
        case "jvp":
            return ForwardGenerator(program).joint(analysis, wrt)
    return Generator(program).joint(analysis, wrt, single, mode == "value_and_grad", has_aux)


def _layout_matters(program: Program) -> bool:
    """Whether some function reached writes to its arguments, or makes views that depend on layout."""
    return any(
        analysis.written or any(_is_view_maker(c.function) for c in analysis.facts.callees.values())
        for analysis in program.analyses.values()
    )


def _is_view_maker(function: object) -> bool:
    try:
        return function in MAY_VIEW
    except TypeError:
        return True


def _apart_from_globals(call: Any, program: Program, analysis: Analysis) -> Any:
    """An argument that is written to must not be a global array that the function reads as well."""
    outer = [
        guard
        for guard in program.guards.values()
        if isinstance(guard, Guard) and isinstance(guard.kind, Num) and guard.kind.array
    ]
    if not outer:
        return call
    names = parameter_names(analysis.source.function)

    def checked(*args: Any, **keywords: Any) -> Any:
        given = {**dict(zip(names, args, strict=False)), **keywords}
        for name in (names[k] for k in analysis.written):
            for guard in outer:
                if name in given and np.may_share_memory(
                    given[name], guard.source.lookup(guard.name)
                ):
                    raise ValueError(
                        f"the argument '{name}' shares memory with '{guard.name}', and the function "
                        "writes to it: pass a copy"
                    )
        return call(*args, **keywords)

    return checked


def _activated(kind: Kind, wanted: bool) -> Kind:
    return replace(kind, active=True) if wanted and isinstance(kind, Num) else kind


def _check_output(function: FunctionType, analysis: Analysis, mode: Mode, has_aux: bool) -> None:
    """Outputs that are known beforehand to have no gradient."""
    name = function.__name__
    result = analysis.facts.result
    if result is None:
        raise TypeError(
            f"{name} returns None and writes to no array of floats: there is nothing to differentiate"
        )
    if has_aux:
        if not isinstance(result, Tup) or not result.items:
            raise TypeError(f"with has_aux=True, {name} must return a tuple (output, aux)")
        result = result.items[0]
    if isinstance(result, Tup) and mode not in ("vjp", "jvp"):
        raise TypeError(
            f"{name} returns {len(result.items)} values: use vjp, or has_aux=True to differentiate the first "
            "and have the others handed through"
        )
    _check_kind(name, result)


def _check_kind(name: str, result: Kind) -> None:
    if isinstance(result, Tup):
        return
    if isinstance(result, Num):
        if result.dtype is not None and result.dtype.kind != "f":
            raise TypeError(
                f"{name} returns {result.dtype}: only outputs of floats can be differentiated"
            )
        return
    if isinstance(result, Known) and result.value is None:
        raise TypeError(f"{name} returns None: there is nothing to differentiate")
    what = type(result.value) if isinstance(result, Known) else result.type
    raise TypeError(
        f"{name} returns {what.__name__ if what else 'an object'} that carries no derivative: "
        "only outputs of floats can be differentiated"
    )
