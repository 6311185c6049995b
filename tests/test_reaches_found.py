"""What functions change that call each other is found once, and whole, wherever one starts to look."""

from __future__ import annotations

import functools
import random
import types
from typing import Any

import numpy as np
import pytest

from tangentish import grad
from tangentish.infer.reach import Reach
from tangentish.infer.reaches_found import ReachesFound
from tangentish.infer.reaching_out import Seen, reach_of, set_unseen
from tangentish.kinds.sites import attributes_of
from tangentish.language.source import read_source

Calls = dict[int, list[int]]


def all_reached(calls: Calls, start: int) -> frozenset[int]:
    found, stack = set(), [start]
    while stack:
        each = stack.pop()
        if each not in found:
            found.add(each)
            stack += calls[each]
    return frozenset(found)


@pytest.mark.parametrize("seed", range(200))
def test_of_all_that_call_each_other(seed: int) -> None:
    draw = random.Random(seed)
    count = draw.randint(1, 9)
    most = draw.choice([1, 2, 3])
    calls = {k: [draw.randrange(count) for _ in range(draw.randint(0, most))] for k in range(count)}
    found = ReachesFound()

    def reach(k: int) -> Reach:
        def find() -> Reach:
            return functools.reduce(
                Reach.__or__, map(reach, calls[k]), Reach(places=frozenset([k]))
            )

        return found.of(k, Reach(), find)

    for k in draw.sample(range(count), count):
        assert reach(k).places == all_reached(calls, k)
        assert not found.open and not found.resting
    assert all(found.known[k].places == all_reached(calls, k) for k in calls)


def test_what_rests_on_a_failure_is_looked_at_again() -> None:
    found, fails = ReachesFound(), [True]

    def outer() -> Reach:
        inner = found.of("inner", Reach(), lambda: found.of("outer", Reach(), outer))
        if fails.pop():
            raise KeyError
        return inner | Reach(places=frozenset(["set"]))

    with pytest.raises(KeyError):
        found.of("outer", Reach(), outer)
    fails += [False, False]
    assert found.of("outer", Reach(), outer).places == {"set"}
    assert found.of("inner", Reach(), Reach).places == {"set"}


class Even:
    steps = 0


class Odd:
    steps = 0


def even(n: int) -> None:
    Even.steps += 1
    if n:
        odd(n - 1)


def odd(n: int) -> None:
    Odd.steps += 1
    if n:
        even(n - 1)


@pytest.mark.parametrize("order", [(even, odd), (odd, even)])
def test_functions_that_call_each_other_set_the_same(order: tuple[Any, ...]) -> None:
    seen = Seen()
    both = {attributes_of(Even), attributes_of(Odd)}
    for function in order:
        assert set_unseen(read_source(function), seen) >= both


def test_gradients_of_functions_that_call_each_other() -> None:
    def f(x: Any) -> Any:
        before = Odd.steps + Even.steps
        even(2)
        y = x * (Odd.steps + Even.steps - before)
        odd(1)
        return y * (Odd.steps + Even.steps - before)

    assert grad(f)(2.0) == pytest.approx(15.0)
    assert grad(f)(np.float64(3.0)) == pytest.approx(15.0)


@pytest.mark.parametrize(
    ("home", "is_read"), [("mine.series", True), ("pandas.core.series", False)]
)
def test_known_libraries_are_not_read_wherever_they_stand(home: str, is_read: bool) -> None:
    function = types.FunctionType(even.__code__, {**globals(), "__name__": home})
    assert bool(reach_of(function).objects) is is_read


def test_what_wraps_a_function_of_a_library_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odd, "__module__", "pandas.core.series")
    assert reach_of(odd).objects


def test_calls_that_get_the_same_classes_share_what_was_found() -> None:
    seen = Seen()
    first = seen.given([Even, Odd, Even], even)
    assert seen.given([Even, Odd], odd) is first
    assert seen.given([Odd], even) is not first
    assert {Even, Odd} <= {*first.classes(even)}
