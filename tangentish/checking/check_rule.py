"""`check_adjoint`: a rule of one's own, tried out.

A rule is right where it gives the derivative for every head gradient, not for ones alone: it is
compared with numeric derivatives for a random one. And it has to be linear in dy, or what is built
on it (tangents, second derivatives) is not what it stands for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish.asking.adapters import adapted
from tangentish.calling.copies import copy_arguments
from tangentish.checking.check import Report, check_grad
from tangentish.checking.probing import leaves_in
from tangentish.errors import NotDifferentiable
from tangentish.operators import jvp, vjp
from tangentish.rules.own import OwnRule, own_rule

FACTOR = 2.5  # of one head gradient beside another


def check_adjoint(f: Any, /, *args: Any, seed: int = 0) -> Report:
    """Try out the rule that `f` was given with `adjoint`, at these arguments.

    It must give the derivative that differences give, for a random head gradient (as check_grad
    has it); be linear in dy; leave its arguments as they are; and agree with `forward=`, whose first
    result is that of `f`, and with `tangent=`, if there are. The report is that of check_grad.
    AssertionError says what does not hold; TypeError where `f` has no rule of its own.
    """
    rule = own_rule(getattr(f, "__tangentish__", getattr(f, "__func__", f)))
    if rule is None:
        name = getattr(f, "__qualname__", repr(f))
        raise TypeError(f"{name} has no rule of its own: register one with adjoint")
    rng = np.random.default_rng(seed)
    if rule.forward is not None:
        owner = (f.__self__,) if hasattr(f, "__func__") else ()
        _check_twin(rule, (*owner, *args))
    _check_untouched(rule, f, args, rng)
    _check_linear(rule, f, args, rng)
    report = check_grad(adapted(f), *args, seed=seed)
    _check_tangent(rule, f, args, rng)
    return report


def _check_twin(rule: OwnRule, args: tuple[Any, ...]) -> None:
    assert rule.forward is not None
    y, (twin, _) = rule.function(*copy_arguments(args)), rule.forward(*copy_arguments(args))
    pairs = zip(leaves_in(y), leaves_in(twin), strict=True)
    if not all(np.array_equal(a, b, equal_nan=True) for a, b in pairs):
        raise AssertionError(
            f"the forward= of {rule.title} returns another result than it: {twin!r}, not {y!r}"
        )


def _check_untouched(rule: OwnRule, f: Any, args: tuple[Any, ...], rng: Any) -> None:
    given = copy_arguments(args)
    before = copy_arguments(given)
    value, pull = vjp(f, *given)
    kept = copy_arguments((value,))
    dy = _heads(value, rng)
    head = copy_arguments((dy,))
    pull(dy)
    what = (("an argument", given, before), ("its result", (value,), kept), ("dy", (dy,), head))
    for name, now, old in what:
        if not _same(now, old):
            raise AssertionError(f"{rule.title}, or its rule, writes to {name}: make a copy of it")


def _check_linear(rule: OwnRule, f: Any, args: tuple[Any, ...], rng: Any) -> None:
    value, pull = vjp(f, *copy_arguments(args))
    first, second = _heads(value, rng), _heads(value, rng)
    both = _combined(first, second)
    for a, b, c in zip(*(leaves_in(pull(dy)) for dy in (first, second, both)), strict=True):
        if a is None:
            continue
        want = np.asarray(a) + FACTOR * np.asarray(b)
        if not _close(c, want, float(np.max(np.abs(a) + np.abs(b), initial=0.0))):
            raise AssertionError(
                f"the rule of {rule.title} is not linear in dy: for dy1 + {FACTOR} * dy2 it gives "
                f"{np.asarray(c)!r}, not {want!r}"
            )


def _check_tangent(rule: OwnRule, f: Any, args: tuple[Any, ...], rng: Any) -> None:
    """<dy, tangent> = <gradient, dx>"""
    if rule.open_ended:
        return  # jvp takes no tangents of *args
    value, pull = vjp(f, *copy_arguments(args))
    dy = _heads(value, rng)
    gradients = pull(dy)
    own = gradients[-len(args) :]
    moving = tuple(None if g is None else _heads(x, rng) for g, x in zip(own, args, strict=True))
    try:
        _, tangent = jvp(f, copy_arguments(args), moving)
    except NotDifferentiable:
        if rule.tangent_function is None:
            return  # forward mode refuses it, and says so there
        raise
    forward = sum(_inner(a, b) for a, b in zip(leaves_in(dy), leaves_in(tangent), strict=True))
    back = sum(_inner(g, d) for g, d in zip(own, moving, strict=True))
    size = sum(abs(_inner(a, b)) for a, b in zip(leaves_in(dy), leaves_in(tangent), strict=True))
    if not _close(np.asarray(forward, _narrowest(own)), np.asarray(back), 10 * size):
        raise AssertionError(
            f"the tangent of {rule.title} does not agree with its adjoint: <dy, y_dot> is "
            f"{forward!r}, <dx, x_dot> is {back!r}"
        )


# ------------------------------------------------------------------------------ values and heads


def _heads(value: Any, rng: np.random.Generator) -> Any:
    """Random numbers in the form and the types of a value; None for what carries no derivative."""
    if isinstance(value, (tuple, list)):
        return type(value)(_heads(item, rng) for item in value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.asarray(rng.normal(size=value.shape)).astype(value.dtype)
    return type(value)(rng.normal()) if isinstance(value, (float, np.floating)) else None


def _combined(first: Any, second: Any) -> Any:
    if isinstance(first, (tuple, list)):
        return type(first)(map(_combined, first, second))
    if isinstance(first, np.ndarray):
        return first + first.dtype.type(FACTOR) * second
    return None if first is None else type(first)(first + FACTOR * second)


def _inner(a: Any, b: Any) -> float:
    if a is None or b is None:
        return 0.0
    return float(np.sum(np.asarray(a, float) * np.asarray(b, float)))


def _close(found: Any, want: Any, size: float) -> bool:
    """Whether numbers agree up to rounding in terms of this size."""
    eps = float(np.finfo(np.asarray(found).dtype).eps)
    return np.allclose(found, want, rtol=100 * eps, atol=100 * eps * size, equal_nan=True)


def _narrowest(values: Any) -> Any:
    """The float type that has the fewest digits."""
    types = [np.asarray(v).dtype for v in values if v is not None]
    return max(types, key=lambda t: float(np.finfo(t).eps), default=np.dtype(float))


def _same(now: Any, old: Any) -> bool:
    """Whether arrays are what they were, bit for bit."""
    pairs = zip(leaves_in(now), leaves_in(old), strict=True)
    arrays = ((a, b) for a, b in pairs if isinstance(a, np.ndarray))
    return all(a.tobytes() == b.tobytes() for a, b in arrays)
