"""The contract of a derivative, checked in one call: numbers, values, copies, aliases."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numeric import assert_close, copy_arguments, final_value, numeric_gradient, random_head

from tangentish import grad, value_and_grad, vjp


def same(a: Any, b: Any) -> bool:
    """Equal bit for bit, in shape, dtype and structure."""
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if not isinstance(a, (float, np.ndarray, np.generic)):
        return bool(type(a) is type(b))
    return (
        isinstance(a, np.ndarray) == isinstance(b, np.ndarray)
        and np.shape(a) == np.shape(b)
        and np.asarray(a).dtype == np.asarray(b).dtype
        and np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f")
    )


def active_positions(args: Iterable[Any]) -> tuple[int, ...]:
    """Where floats and arrays of floats stand."""
    return tuple(k for k, arg in enumerate(args) if _is_active(arg))


def check_gradients(
    function: Callable[..., Any],
    *args: Any,
    written: tuple[int, ...] | None = None,
    truth: dict[int, Any] | None = None,
) -> None:
    """Assert everything that a gradient of `function` at `args` promises.

    The value is bit for bit that of the function; the gradients, by pullback (twice) and by
    value_and_grad, agree with numeric derivatives, or with `truth` (for a head of ones) at kinks;
    arguments and heads stay as they were; nothing that is returned shares memory with anything.
    """
    expected = final_value(function, copy_arguments(args), written)
    if truth is None:
        _check_pullback(function, args, expected, written)
    if not isinstance(expected, tuple):
        _check_joint(function, args, expected, written, truth)


def _check_pullback(
    function: Callable[..., Any], args: Any, expected: Any, written: tuple[int, ...] | None
) -> None:
    mine = copy_arguments(args)
    value, pullback = vjp(function, *mine)
    assert same(value, expected), f"vjp: the value is {value!r}, not {expected!r}"
    assert _unchanged(mine, args), "vjp: an argument has changed"
    head = random_head(expected, seed=3)
    kept = random_head(expected, seed=3)
    first = pullback(head)
    assert same(head, kept), "the pullback changed its head"
    assert _unchanged(mine, args), "the pullback changed an argument"
    _assert_apart({"argument": mine, "head": head, "value": value, "gradient": first})
    _check_against_numeric(function, args, first, head, written, "pullback")
    before = copy_arguments(first)
    _assert_close_all(pullback(head), before, "second pullback")
    spoil(first)
    _assert_close_all(pullback(head), before, "pullback after its first gradients were changed")
    spoil(value)
    _assert_close_all(pullback(head), before, "pullback after the value was changed")
    spoil(mine)
    _assert_close_all(pullback(head), before, "pullback after the arguments were changed")


def _check_joint(
    function: Callable[..., Any],
    args: Any,
    expected: Any,
    written: tuple[int, ...] | None,
    truth: dict[int, Any] | None,
) -> None:
    mine = copy_arguments(args)
    wrt = active_positions(args) if truth is None else tuple(truth)
    value, gradients = value_and_grad(function, wrt=wrt)(*mine)
    assert same(value, expected), f"value_and_grad: the value is {value!r}, not {expected!r}"
    assert _unchanged(mine, args), "value_and_grad: an argument has changed"
    _assert_apart({"argument": mine, "value": value, "gradient": gradients})
    placed: list[Any] = [None] * len(args)
    for position, gradient in zip(wrt, gradients, strict=True):
        placed[position] = gradient
    if truth is None:
        head = np.ones_like(expected)
        _check_against_numeric(function, args, placed, head, written, "value_and_grad")
    else:
        for position, right in truth.items():
            assert_close(placed[position], right, f"gradient {position}")
    only = grad(function, wrt=wrt)(*copy_arguments(args))
    _assert_close_all(only, gradients, "grad against value_and_grad")


def _unchanged(mine: Any, args: Any) -> bool:
    """Whether all arguments are what they were; lists, dicts and objects may move on."""
    kept = (np.ndarray, np.generic, float, tuple)
    return all(
        same(one, other) for one, other in zip(mine, args, strict=True) if isinstance(one, kept)
    )


def _check_against_numeric(
    function: Callable[..., Any],
    args: Any,
    gradients: Any,
    head: Any,
    written: tuple[int, ...] | None,
    what: str,
) -> None:
    for k, arg in enumerate(args):
        if not _is_active(arg):
            parts = arg.values() if isinstance(arg, dict) else arg
            held = isinstance(arg, (tuple, list, dict)) and any(map(_is_active, parts))
            assert held or gradients[k] is None, f"{what}: a gradient of an inactive argument"
            continue
        right = numeric_gradient(function, args, k, head, written=written)
        assert_close(gradients[k], right, f"{what}, argument {k}", np.asarray(arg).dtype)
        if isinstance(arg, np.ndarray):
            assert isinstance(gradients[k], np.ndarray), f"{what}, argument {k}: no array"
            assert gradients[k].dtype == arg.dtype, f"{what}, argument {k}: {gradients[k].dtype}"
            assert gradients[k].flags.writeable, f"{what}, argument {k}: can't be written to"
        else:
            assert not isinstance(gradients[k], np.ndarray), f"{what}, argument {k}: an array"
            if isinstance(arg, np.float32):
                assert isinstance(gradients[k], np.float32), f"{what}, argument {k}: no float32"


def _assert_close_all(actual: Any, expected: Any, what: str) -> None:
    assert len(actual) == len(expected), what
    for one, other in zip(actual, expected, strict=True):
        if other is None:
            assert one is None, what
        elif isinstance(other, dict):
            _assert_close_all(list(one.values()), list(other.values()), what)
        else:
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-300, err_msg=what)


def _assert_apart(groups: dict[str, Any]) -> None:
    """No gradient shares memory with anything."""
    flat = [(what, k, a) for what, group in groups.items() for k, a in enumerate(_arrays(group))]
    for i, (what, k, a) in enumerate(flat):
        for other, n, b in flat[i + 1 :]:
            if "gradient" in (what, other):
                assert not np.shares_memory(a, b), f"{what} {k} shares memory with {other} {n}"


def _arrays(value: Any) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, (tuple, list)):
        return [a for part in value for a in _arrays(part)]
    return []


def spoil(values: Any) -> None:
    """Change every array of floats in place."""
    for a in _arrays(values):
        if a.dtype.kind == "f" and a.flags.writeable:
            a[...] = -77.0


def _is_active(arg: Any) -> bool:
    if isinstance(arg, np.ndarray):
        return arg.dtype.kind == "f"
    return isinstance(arg, (float, np.floating))
