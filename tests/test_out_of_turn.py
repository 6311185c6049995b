"""Parts of a line that change what its other parts read, and places where only names are targets: refused, or in turn."""

from __future__ import annotations

import contextlib
import io
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_refused, each_right, kept_in, named

REFUSED: list[Callable[..., Any]] = []
refused = kept_in(REFUSED)
FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def place_before_the_value(x):
    places, y = [0, 1, 2, 3], x.copy()
    y[places.pop()] += x[places.pop()]
    return np.sum(y**3)


@form
def place_read_before_the_value(x):
    places, y = [0, 1, 2], x.copy()
    y[len(places)] += x[places.pop()]
    return np.sum(y**3)


@refused
def added_at_a_place(x):
    places, y = [0, 1, 2], x.copy()
    np.add.at(y, [places.pop()], x[places.pop()])
    return np.sum(y**3)


@refused
def key_before_its_value(x):
    places = [2, 3]
    found = {places.pop(): x[places.pop()]}
    return sum(found.values()) ** 3


@refused
def key_of_a_comprehension(x):
    places = [0, 1, 2, 3]
    found = {places.pop(): x[places.pop()] for _ in range(2)}
    return sum(found.values()) ** 3


def weighed(a, b, c):
    return a * b**2 * c**3


@refused
def options_in_an_order(x):
    places = [0, 1, 2, 3]
    return weighed(x[places.pop()], **{"c": x[places.pop()], "b": x[places.pop()]})


@refused
def place_of_a_context(x):
    y = x**2
    z = np.sum(x * y)
    with contextlib.nullcontext(7.0) as y[1]:
        pass
    return z * np.sum(x * y)


@refused
def place_of_a_comprehension(x):
    y = np.arange(4.0)
    z = np.sum(x * y)
    [0 for y[0] in (3.0, 4.0)]
    return z**2 * np.sum(x * y)


@refused
def place_of_a_generator(x):
    y = x * 2
    z = np.sum(x * y)
    count = sum(1 for y[0] in (3.0, 4.0))
    return z**2 * np.sum(x * y) * count


@form
def sorted_in_the_middle(x):
    places = [3, 1, 2]
    return x[places[0]] * (places.sort() or 1) * x[places[0]] ** 2


@form
def place_of_one_list_and_value_of_another(x):
    places, others, y = [0, 1], [2, 3], x.copy()
    y[places.pop()] += x[others.pop()]
    return np.sum(y**3)


@form
def place_and_value_of_one_list_by_two_names(x):
    places, y = [0, 1, 3], np.outer(x, x)
    same = places
    y[places.pop()] += x[same.pop()]
    y[places[-1], len(places) : places[0] + 3] *= x[same.pop()]
    return np.sum(y**3)


@form
def place_that_is_taken_out(x):
    """What was read of the list before is read again on the way back, when it has been put back."""
    places, y = [1, 2, 0], x.copy()
    z = np.sum(x) * places[-2]
    for _ in range(2):
        z = z**2 * (places[-1] + 1)
        y[places.pop()] *= x[1] * z
    return np.sum(y**2) * z * places[0]


@form
def place_that_a_helper_counts(x):
    count, y = [0], x.copy()

    def following():
        count[0] += 1
        return count[0]

    z = (np.sum(x) + count[0]) ** 2 * (count[0] + 1)
    y[following()] *= x[1]
    y[following()] += x[count[0]] * z
    return np.sum(y**2) * z


@form
def key_beside_a_change(x):
    seen, entries = [], {"a": x[0]}
    return entries[seen.append(1) or "a"] ** 2 * (len(seen) + 1)


@refused
def asked_beside_a_change(x):
    seen, o = [], types.SimpleNamespace(a=x[0])
    return (hasattr(o, seen.append(1) or "a") + 1) * o.a**2 * (len(seen) + 1)


@refused
def set_by_a_name_beside_a_change(x):
    seen, o = [], types.SimpleNamespace(a=1.0)
    setattr(o, seen.append(1) or "a", x[0] * len(seen))
    return o.a * (len(seen) + 1)


@form
def samples_put_into_a_list(x):
    rng = np.random.default_rng(1)
    samples, others = [], []
    for _ in range(2):
        samples.append((rng.random(), x[rng.integers(4)] * rng.random()))
        others.insert(0, [rng.random(), x[rng.integers(4)]])
    samples.append((rng.random(), x[rng.integers(4)] + rng.normal()))
    return sum(w * v**2 for w, v in samples + others)


@form
def samples_of_a_comprehension(x):
    rng = np.random.default_rng(1)
    samples = [(rng.random(), x * rng.random()) for _ in range(2)]
    ordered = sorted([(rng.random(), x[rng.integers(4)]) for _ in range(3)])
    return samples[0][0] * np.sum(samples[0][1] ** 2) + ordered[0][0] * ordered[0][1] ** 2


@form
def pairs_of_an_iterator(x):
    places, total = iter([0, 1, 2, 3]), 0.0
    for j, v in [(next(places), x[next(places)]) for _ in range(2)]:
        total += (j + 1) * v**2
    return total


@refused
def key_and_value_by_two_names(x):
    places = [0, 1, 2, 3]
    same = places
    entries = {places.pop(): x[same.pop()]}
    return sum((k + 2) * v for k, v in entries.items()) ** 3


@refused
def key_and_value_at_random(x):
    rng = np.random.default_rng(3)
    entries = {rng.integers(4): x[rng.integers(4)]}
    return sum((k + 2) * v for k, v in entries.items()) ** 3


@refused
def arguments_at_random(x):
    rng = np.random.default_rng(3)
    return weighed(**{"b": x[rng.integers(4)], "a": x[rng.integers(4)]}, c=2.0)


@refused
def key_and_value_read_from_a_file(x):
    file = io.StringIO("0123")
    entries = {int(file.read(1)): x[int(file.read(1))]}
    return sum((k + 2) * v for k, v in entries.items()) ** 3


test_in_turn = each_right(
    FUNCTIONS, np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -1.0, 0.4, 2.0])
)


IN_TURN = "one part of this changes what another reads"
MESSAGES = {
    asked_beside_a_change: "is used as a whole after attributes of it were set",
    set_by_a_name_beside_a_change: "it sets an attribute under a name that is not known",
    place_of_a_context: "a place as a target is not supported here",
    place_of_a_comprehension: "a place as a target is not supported here",
    place_of_a_generator: "a place as a target is not supported here",
}


@pytest.mark.parametrize("f", REFUSED, ids=named)
def test_refused(f: Callable[..., Any]) -> None:
    check_refused(f, MESSAGES.get(f, IN_TURN), np.array([0.7, 0.4, 0.9, 0.55]))
