"""Outputs that are known beforehand to have no gradient."""

from __future__ import annotations

from types import FunctionType

from tangentish.adjoint.result_forms import form_of_result, holds_objects
from tangentish.analysis.reached import Analysis
from tangentish.asking.asked import Mode
from tangentish.kinds import Fun, Functions, Kind, Known, Num, OneOf, Opaque, Seq, Taken, Tup
from tangentish.language.lifted import Lifted


def check_kind_of_output(
    function: FunctionType | Lifted,
    analysis: Analysis,
    mode: Mode,
    has_aux: bool,
    along: bool = False,
) -> None:
    """Outputs that are known beforehand to have no gradient."""
    name = function.__name__
    result = analysis.facts.result
    if along and isinstance(result, Opaque) and result.type is None:
        return  # a tangent taken out of a dict where nothing varies: its gradient is zero
    if result is None:
        raise TypeError(
            f"{name} returns None and writes to no array of floats: there is nothing to differentiate"
        )
    if isinstance(result, Tup) and result.is_function:
        raise TypeError(f"{name} returns a function: only outputs of floats can be differentiated")
    form = form_of_result(analysis.function)
    if holds_objects(form):
        raise TypeError(
            f"{name} returns an object of its own: return its attributes, as a tuple or a dict"
        )
    if has_aux:
        if not isinstance(result, Tup) or not result.items or not result.is_counted:
            raise TypeError(f"with has_aux=True, {name} must return a tuple (output, aux)")
        result = result.items[0]
    if isinstance(result, Tup) and mode not in ("vjp", "jvp"):
        if result.is_mapping:
            raise TypeError(
                f"{name} returns a dict: use vjp, or return the value to differentiate first, with has_aux=True"
            )
        raise TypeError(
            f"{name} returns {len(result.items)} values: use vjp, or has_aux=True to differentiate the first "
            "and have the others handed through"
        )
    _check_kind(name, result, mode)


def _check_kind(name: str, result: Kind, mode: Mode) -> None:
    if isinstance(result, Tup) or (isinstance(result, Seq) and mode in ("vjp", "jvp")):
        return
    if isinstance(result, Num):
        if result.dtype is not None and result.dtype.kind != "f":
            raise TypeError(
                f"{name} returns {result.dtype}: only outputs of floats can be differentiated"
                + (": return np.real and np.imag of it" if result.is_complex else "")
            )
        return
    if isinstance(result, Known) and result.value is None:
        raise TypeError(f"{name} returns None: there is nothing to differentiate")
    if isinstance(result, (Fun, Taken, OneOf, Functions)):
        returned = "function" if isinstance(result, (Fun, Taken, OneOf)) else "container"
        raise TypeError(
            f"{name} returns a {returned}: only outputs of floats can be differentiated"
        )
    if isinstance(result, Seq):
        listed = "dict" if result.keyed else "list"
        raise TypeError(f"{name} returns a {listed}: use vjp, or return an array")
    what = type(result.value) if isinstance(result, Known) else result.type
    raise TypeError(
        f"{name} returns {what.__name__ if what else 'an object'} that carries no derivative: "
        "only outputs of floats can be differentiated"
    )
