"""The generator of random programs, its checker and its shrinker, without the library."""

from __future__ import annotations

import functools
import inspect
import sys
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.campaign import shrink, signature
from tests.random_numeric import copied, numeric_jacobian, promoted
from tests.random_programs import (
    BOUND,
    Outcome,
    RandomProgram,
    check,
    generate,
    is_active,
    load,
    time_limit,
)


@functools.cache
def programs() -> list[RandomProgram]:
    """Made once somebody asks for them: not by each process that only collects the tests."""
    return [generate(seed) for seed in range(1500)]


COVERED = """
    product|division|power|reciprocal|broadcasting|method|float32|copy|dot
    np.sin|np.cos|np.tanh|np.exp|np.sqrt|np.sum|np.mean|np.outer|np.maximum|np.where
    sum over an axis
    np.zeros|np.zeros_like|int store|slice store|augmented store|augmented array|augmented scalar
    store in a loop|store in a branch|inactive store|parameter written to
    view|second name|transpose|reshape|slice view|row view
    write through a view|write to the base of a view|base rebound after a view
    store with a view alive
    if|elif|else|ternary|active test|inactive test
    for|range with a step|zero-trip loop|loop that may not run|nested loops|while|recurrence
    variable index|index arithmetic|integer arithmetic|loop variable after the loop
    early return|early return in a loop
    helper|pure helper|helper that writes|helper that writes and returns nothing|recursion
    helper that writes and returns a value|helper that returns a view|helper that writes, in a loop
    scalar becomes array|tuple assignment|swap|inactive rebinding|dead code
    name overwritten|name overwritten in a loop|name overwritten in a branch|used, then overwritten
    scalar returned|array returned
    list|append|list changed|list used|list store|insert|pop|list indexed by a variable|list of a helper
    comprehension|enumerate|zip|reversed|loop over elements|loop else|exit in the else of a loop|tuple|try|with
    object|object changed|object used|dict|dict changed|dict used|loop over a dict|list of pairs|named tuple
    table|table changed|table used|function that keeps something|loop over what comes one by one
    moving view|nested function|function called|mask or places|store to a mask or places
"""


def test_the_same_seed_gives_the_same_program() -> None:
    for program in programs()[:50]:
        again = generate(program.seed)
        assert (again.text, again.entry, again.features) == (
            program.text,
            program.entry,
            program.features,
        )
        assert repr(again.make_args()) == repr(program.make_args())
    assert len({p.text for p in programs()}) == len(programs())


def test_programs_run_and_stay_bounded() -> None:
    for program in programs()[:300]:
        args = program.make_args()
        value = load(program)(*args)
        for result in (value, *args):
            array = np.asarray(result)
            assert np.all(np.isfinite(array)) and np.all(np.abs(array) < BOUND), program.text
        assert np.asarray(value).dtype.kind == "f", program.text


def test_the_generator_hardly_ever_tries_again() -> None:
    assert sum(p.attempts - 1 for p in programs()) < 0.05 * len(programs())


def test_lengths() -> None:
    lengths = [len(p.text.splitlines()) for p in programs()]
    assert 20 < np.mean(lengths) < 45 and max(lengths) < 130


def test_the_source_can_be_found() -> None:
    for program in programs()[:20]:
        function = load(program)
        assert inspect.getsource(function) in program.text


def test_programs_are_smooth_and_sensitive() -> None:
    rough = flat = 0
    for program in programs()[:300]:
        function, args = load(program), promoted(program.make_args())
        active = [i for i, a in enumerate(args) if is_active(a)]
        with np.errstate(all="ignore"):
            wide, fine = (numeric_jacobian(function, args, active, h) for h in (1e-3, 1e-4))
        rough += not wide.near(fine, 1e-5 * (1.0 + float(np.max(np.abs(fine.matrix)))))
        flat += bool(np.max(np.abs(fine.matrix)) == 0)
    assert rough < 40 and flat < 15, (rough, flat)


def test_every_construct_occurs() -> None:
    counts = Counter(feature for p in programs() for feature in p.features)
    wanted = COVERED.replace("\n", "|").split("|")
    shares = {
        name.strip(): counts[name.strip()] / len(programs()) for name in wanted if name.strip()
    }
    rare = {name: share for name, share in shares.items() if share < 0.01}
    assert not rare, rare


class _Refusal(SyntaxError):
    pass


def _library(spoil: Callable[[Any], Any], error: Exception | None = None) -> SimpleNamespace:
    """A stand-in for the library that differentiates numerically; spoil changes every gradient."""

    def vjp(function: Callable[..., Any], *args: Any) -> tuple[Any, Callable[[Any], Any]]:
        if error is not None:
            raise error
        value = function(*copied(args))
        active = [i for i, a in enumerate(args) if is_active(a)]
        jacobian = numeric_jacobian(function, promoted(args), active)

        def pullback(head: Any) -> tuple[Any, ...]:
            out: list[Any] = [None] * len(args)
            for place, gradient in zip(active, jacobian.pull(head), strict=True):
                kept = np.asarray(spoil(gradient), dtype=getattr(args[place], "dtype", float))
                out[place] = kept if kept.shape else float(kept)
            return tuple(out)

        return value, pullback

    def grad(function: Callable[..., Any], wrt: tuple[int, ...]) -> Callable[..., Any]:
        def gradient(*args: Any) -> Any:
            value, pullback = vjp(function, *args)
            everything = pullback(np.ones_like(value))
            return tuple(everything[i] for i in wrt)

        return gradient

    return SimpleNamespace(vjp=vjp, grad=grad, NotDifferentiable=_Refusal)


def _kinds(monkeypatch: pytest.MonkeyPatch, library: SimpleNamespace) -> Counter[str]:
    monkeypatch.setitem(sys.modules, "tangentish", library)
    return Counter(check(program).kind for program in programs()[:100])


def test_the_checker_tells_right_from_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = _kinds(monkeypatch, _library(lambda g: g))
    assert kinds["wrong"] == kinds["crash"] == 0 and kinds["skip"] < 10
    kinds = _kinds(monkeypatch, _library(lambda g: g + 0.05))
    assert kinds["ok"] == kinds["crash"] == 0 and kinds["wrong"] > 90
    assert _kinds(monkeypatch, _library(lambda g: g, _Refusal("no"))) == {"refused": 100}
    assert _kinds(monkeypatch, _library(lambda g: g, KeyError("x"))) == {"crash": 100}


def test_the_checker_sees_changed_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    library = _library(lambda g: g)
    right = library.vjp

    def vjp(function: Callable[..., Any], *args: Any) -> Any:
        result = right(function, *args)
        for a in args:
            if isinstance(a, np.ndarray):
                a += 1
        return result

    library.vjp = vjp
    assert _kinds(monkeypatch, library) == {"wrong": 100}


def test_a_program_that_hangs_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tangentish", _library(lambda g: g))
    text = "def f(x):\n    while True:\n        x = x * x\n"
    program = RandomProgram(0, text, "f", lambda: (0.5,))
    assert check(program, limit=0.2).kind == "skip"
    with pytest.raises(TimeoutError), time_limit(0.05):
        while True:
            pass


def test_shrinking() -> None:
    """What is left of a program is the statement that the predicate asks for."""
    program = next(p for p in programs() if {"np.outer", "for", "if"} <= p.features)

    def holds(candidate: RandomProgram) -> bool:
        try:
            load(candidate)(*candidate.make_args())
        except Exception:
            return False
        return "np.outer(" in candidate.text

    small = shrink(program, holds)
    assert holds(small) and len(small.text.splitlines()) <= 8, small.text


def test_signatures_tell_failures_apart() -> None:
    assert signature(Outcome("crash", "Traceback\n  x\nKeyError: 'dx_12'")) == "crash: KeyError"
    assert signature(Outcome("refused", "line 3: 12 names")) == "refused: line N: N names"
    numbers = "pullback number 1: the gradient of active argument 0 is\n[1. 2.]"
    assert signature(Outcome("wrong", numbers)) == "wrong: the gradient of active argument N is"
