"""The text of a module that has the gradient of one function, and needs nothing of this package.

header, imports, constants
loss_grad, loss_value_and_grad     with hints, docstrings, and a look at the arguments
_loss_grad, ...                    what is generated, as `source()` shows it, and its callees
helpers, guards                    as they stand in runtime/ and guards.py
"""

from __future__ import annotations

import sys
import textwrap
import types
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tangentish.analysis.guards import LENGTHS, AttributeGuard, Guard
from tangentish.asking.asked import Asked, Mode
from tangentish.asking.wrt import Wrt, check_active, float_positions, local_names, resolve
from tangentish.calling.containers import mapped
from tangentish.derive import Derived, derive
from tangentish.errors import NotDifferentiable
from tangentish.export.definitions import CONSTANT, Import
from tangentish.export.finding import Finding, Unexportable
from tangentish.export.hints import Specs, spec_text
from tangentish.export.linker import link
from tangentish.export.public import Public
from tangentish.export.public_pullback import PublicPullback
from tangentish.ir.stems import stem_of
from tangentish.kinds import Kind, Seq, Tup
from tangentish.kinds.kinds_of_values import flags_of, kinds_of
from tangentish.kinds.sites import array_outside, is_global
from tangentish.language.binding import parameter_names
from tangentish.language.declared import is_place

MODES: tuple[Mode, ...] = ("grad", "value_and_grad")
Flags = tuple[tuple[int, bool | str], ...]


@dataclass(frozen=True)
class Request:
    """A function, values of the kinds of its arguments, and what is asked of it.

    header: the first lines of the module. has_aux, training: as options of `differentiate`.
    name: after which the functions of the module are named, if not after the function.
    skipped: how many leading parameters (self) an index in `wrt` does not count.
    chosen: whether somebody chose `wrt`; a pullback has all gradients otherwise.
    """

    function: types.FunctionType
    values: Sequence[object]
    wrt: Wrt
    header: Sequence[str]
    has_aux: bool = False
    training: bool = True
    name: str = ""
    skipped: int = 0
    chosen: bool = False


def exported(request: Request) -> str:
    """The text of the module.

    NotDifferentiable and TypeError as for the gradient itself; Unexportable, a ValueError, for what
    can't be written into a module.
    """
    function, values = request.function, request.values
    positions, single = resolve(function, request.wrt, request.skipped, local=True)
    names = parameter_names(function)
    for position in (k for k in positions if k < len(names)):
        check_active(function, names[position], values[position])
    asked = Asked("grad", positions, single, request.has_aux, training=request.training, head=True)
    made, flags = _made(request, asked)
    for derived in made.values():
        _refuse_effects(function, derived)
        _refuse_changed_arrays(function, derived)
    kinds = dict(zip(names, kinds_of(values), strict=True))
    guards = dict.fromkeys(g for derived in made.values() for g in derived.guards)
    specs = Specs(
        any(derived.layout for derived in made.values()), tuple(guards), LENGTHS in guards
    )
    wanted = {name: specs.of(name, kind) for name, kind in kinds.items()}
    wanted |= {names[k]: ("value", value) for k, value in flags}
    wrt = tuple((*names, *local_names(function))[k] for k in positions)
    stem = request.name or stem_of(function.__name__)
    common = kinds, wanted, wrt, single, request.has_aux
    publics = [
        PublicPullback(stem, derived, mode, *common, request.skipped)
        if mode == "vjp"
        else Public(stem, derived, mode, *common)
        for mode, derived in made.items()
    ]
    return _text(request, publics, wanted)


def _made(request: Request, asked: Asked) -> tuple[dict[Mode, Derived], Flags]:
    """What is written into the module, and the flags and strings for which alone it is, by position.

    That is where forms depend on them, as it is in the process: `t = (x, y) if pair else x`.
    """
    flags = flags_of(request.values)
    try:
        return _made_for(request, asked, flags=False), ()
    except NotDifferentiable:
        if not flags:
            raise
        try:
            return _made_for(request, asked, flags=True), flags
        except NotDifferentiable:
            pass
        raise


def _made_for(request: Request, asked: Asked, flags: bool) -> dict[Mode, Derived]:
    function, values = request.function, request.values
    try:
        return {
            mode: _derived(function, values, replace(asked, mode=mode), flags) for mode in MODES
        }
    except TypeError:
        pulled = _pulled(request, asked.wrt, flags)
        if pulled is None:
            raise
        return {"vjp": pulled}


def _pulled(request: Request, positions: Sequence[int], flags: bool) -> Derived | None:
    """The pullback of a function with several outputs, by what was asked for, else by all that has a derivative."""
    function, values = request.function, tuple(request.values)
    chosen = tuple(positions) if request.chosen else float_positions(function, values)
    inside = tuple(k for k in chosen if k < len(values))
    if request.has_aux or not inside:
        return None
    found = _derived(function, values, Asked("vjp", inside, training=request.training), flags)
    if not isinstance(found.result, Tup) or found.halves is None:
        _refuse_containers(function, found.result)
        return None
    if inside != chosen:
        raise Unexportable(
            f"{function.__qualname__}() returns several values: its pullback takes no local variables"
        )
    return found


def _refuse_containers(function: types.FunctionType, result: Kind | None) -> None:
    """What comes in dicts and lists has pullbacks in the process, but none in a module."""
    if isinstance(result, Seq):
        held = "dict" if result.keyed else "list"
        way_out = "return an array (np.stack), or a tuple of as many values as is known"
    elif isinstance(result, Tup) and result.is_mapping:
        held, way_out = "dict", "return the values as a tuple"
    else:
        return
    raise Unexportable(
        f"{function.__qualname__}() returns a {held}, and an exported pullback takes head gradients for arrays, "
        f"numbers and tuples: {way_out}"
    )


def _derived(
    function: types.FunctionType, values: Sequence[object], asked: Asked, flags: bool
) -> Derived:
    """What is generated; its text is for arrays of every layout where that is the same text."""
    derived = derive(function, values, asked, flags=flags)
    if not derived.layout:
        return derived
    try:
        general = derive(function, [_strided(value) for value in values], asked, flags=flags)
    except NotDifferentiable:
        return derived
    return replace(general, layout=False) if general.text == derived.text else derived


def _strided(value: Any) -> Any:
    """The same kind of value, its arrays not contiguous."""

    def strided(leaf: Any) -> Any:
        return np.stack([leaf, leaf], axis=-1)[..., 0] if isinstance(leaf, np.ndarray) else leaf

    return mapped(value, strided)


def _refuse_effects(function: types.FunctionType, derived: Derived) -> None:
    if derived.generated is None:
        raise Unexportable(f"{function.__qualname__}() always raises for arguments of these kinds")
    bound = set(filter(is_place, derived.rebound))
    if bound:
        names = sorted(str(p[1]) for p in bound if isinstance(p, tuple))
        named = f" ({', '.join(names)})" if names else ""
        raise Unexportable(
            f"{function.__qualname__}() binds names outside of it{named}: pass what they hold as "
            "arguments and return it"
        )


def _refuse_changed_arrays(function: types.FunctionType, derived: Derived) -> None:
    """The module would have arrays of its own, and change those."""
    changed = set(filter(is_global, derived.rebound))
    if changed:
        names = sorted({name for name, memory in _arrays_outside(derived) if memory in changed})
        named = f" ({', '.join(names)})" if names else ""
        raise Unexportable(
            f"{function.__qualname__}() changes arrays outside of it{named}: pass them as arguments, or return "
            "new ones"
        )


def _arrays_outside(derived: Derived) -> Iterator[tuple[str, Hashable]]:
    """The names outside that arrays have, each with the place of its memory."""
    for guard in derived.guards:
        if isinstance(guard, (Guard, AttributeGuard)) and isinstance(guard.value, np.ndarray):
            yield guard.name, array_outside(guard.value)


def _text(request: Request, publics: Sequence[Public], specs: dict[str, Any]) -> str:
    finding = Finding()
    common: dict[str, Hashable | None] = {
        "np": finding.line(Import("numpy"), "np"),
        "NDArray": finding.line(Import("numpy.typing", "NDArray")),
        "Any": finding.line(Import("typing", "Any")),
    }
    lines = "".join(
        textwrap.indent(f'"{name}": {spec_text(spec, len(name) + 8)},\n', "    ")
        for name, spec in specs.items()
    )
    gradient = _alias("Gradient", publics[0].gradient_hint())
    kinds = f"KINDS: dict[str, Any] = {{\n{lines}}}\n"
    common |= {
        "KINDS": finding.text("KINDS", kinds, common, CONSTANT),
        "Gradient": finding.text("Gradient", gradient, common, CONSTANT),
    }
    roots = [public.define(finding, common) for public in publics]
    linked = link(finding, roots)
    names = ", ".join(f'"{public.name}"' for public in publics)
    constants = "".join(t for t in linked.texts if not t.startswith("def "))
    functions = [t for t in linked.texts if t.startswith("def ")]
    blocks = [
        "\n".join(request.header) + "\n\nfrom __future__ import annotations\n",
        _import_lines(linked.imports),
        f"__all__ = [{names}]\n",
        constants,
    ]
    return "\n".join(b for b in blocks if b) + "".join(f"\n\n{text}" for text in functions)


def _alias(name: str, hint: str) -> str:
    """A name for a hint, on several lines where it is long."""
    line = f"{name} = {hint}"
    if len(line) <= 100:
        return f"{line}\n"
    start, _, inside = line.partition("[")
    return f"{start}[\n{textwrap.indent(_split(inside[:-1]), '    ')}\n]\n"


def _split(inside: str) -> str:
    """The items of a hint, one a line."""
    depth, text = 0, ""
    for character in inside:
        depth += (character == "[") - (character == "]")
        text += ",\n" if character == "," and depth == 0 else character
    return text.replace("\n ", "\n") + ","


def _import_lines(imports: Sequence[Import]) -> str:
    """The imports as isort has them: the standard library, then the others."""
    groups = [
        [one for one in imports if (one.module.partition(".")[0] in sys.stdlib_module_names) is own]
        for own in (True, False)
    ]
    return "\n".join(_sorted_lines(group) for group in groups if group)


def _sorted_lines(imports: Sequence[Import]) -> str:
    plain = sorted(one.line + _untyped(one.module) for one in imports if one.name is None)
    modules = sorted({one.module for one in imports if one.name is not None})
    members = [
        f"from {module} import "
        + ", ".join(sorted(_member(one) for one in imports if one.name and one.module == module))
        + _untyped(module)
        for module in modules
    ]
    return "".join(f"{line}\n" for line in (*plain, *members))


def _untyped(module: str) -> str:
    """SciPy has no hints of its own, though there are stubs for it."""
    scipy = module.partition(".")[0] == "scipy"
    return "  # type: ignore[import-untyped, unused-ignore]" if scipy else ""


def _member(one: Import) -> str:
    return one.line.partition(" import ")[2]
