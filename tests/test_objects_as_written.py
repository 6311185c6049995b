"""Objects and lists of them as users write them: aliases are what such a transformation gets silently wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.3, 0.7, 1.1]), np.array([1.0, -2.0, 0.5])

PUT = "this may stand elsewhere, too"


class Disc:
    def __init__(self, r):
        self.r = r

    def area(self):
        return np.pi * self.r**2


class Register:
    """Two lists from one constructor."""

    def __init__(self):
        self.discs = []
        self.weights = []

    def add(self, disc, weight):
        self.discs.append(disc)
        self.weights.append(weight)

    def weighted(self):
        return sum(w * d.area() for w, d in zip(self.weights, self.discs))


class Accounts:
    def __init__(self):
        self.of = {}

    def open(self, name, amount):
        self.of[name] = Disc(amount)

    def move(self, a, b, amount):
        self.of[a].r -= amount
        self.of[b].r += amount


class Plant:
    def __init__(self, level):
        self.state = {"level": level, "flow": 0.1}

    def step(self, dt):
        state = self.state
        flow = state["level"] * state["flow"] * dt
        state["level"] -= flow
        state["flow"] += flow


class Descent:
    def __init__(self, disc, rate):
        self.disc = disc
        self.rate = rate

    def step(self):
        self.disc.r = self.disc.r - self.rate * 2 * self.disc.r

    def swap(self):
        self.disc = Disc(3 * self.disc.r)


class Shelf:
    def __init__(self, x):
        self.discs = [Disc(v) for v in x]

    def put(self, k, r):
        self.discs[k] = Disc(r)
        return r

    def put_there(self, k, r):
        return self.put(k, r)

    def double(self, k):
        self.discs[k].r *= 2.0
        return 0.5

    def put_while_one_has_a_name(self):
        total = 0.0
        for disc in self.discs:
            self.put_there(0, 5.0 * disc.r)
            total += disc.area()
        return total

    def put_in_a_sum(self):
        return sum(self.put(0, 5.0 * disc.r) + disc.r for disc in self.discs)


# -- constructors


@kept_in(RIGHT)
def two_lists_of_one_constructor(x):
    register = Register()
    register.add(Disc(x[0]), 2.0)
    register.add(Disc(3 * x[1]), x[2])
    return register.weighted()


@kept_in(RIGHT)
def an_empty_dict_of_a_constructor(x):
    accounts = Accounts()
    accounts.open("u", x[0])
    accounts.open("v", x[1])
    accounts.move("u", "v", 0.1 * x[2])
    return accounts.of["u"].area() * accounts.of["v"].r


# -- lists that begin with elements


@kept_in(RIGHT)
def first_element_of_constants(x):
    history = [{"t": 0.0, "y": 1.0}]
    for v in x:
        last = history[-1]
        history.append({"t": last["t"] + 0.1, "y": last["y"] * v})
    return sum(h["y"] * (1 + h["t"]) for h in history)


@kept_in(RIGHT)
def a_loop_over_a_list_that_grows_between_its_rounds(x):
    discs = [Disc(x[0])]
    total, k = 0.0, 0
    while k < 3:
        for disc in discs:
            total += disc.r**2
        discs.append(Disc(x[1] * k))
        k += 1
    return total


@kept_in(RIGHT)
def sums_over_a_list_that_grows_between_them(x):
    discs = [Disc(x[0])]
    total = sum(d.area() for d in discs)
    for v in x:
        discs.append(Disc(v))
        total += sum(d.area() for d in discs)
    return total + len(discs)


@kept_in(RIGHT)
def one_that_varies_and_one_that_comes_to(x):
    discs = [Disc(x[0]), Disc(2.0)]
    for k in range(3):
        for disc in discs:
            disc.r = disc.r * x[1]
        discs[k % 2].r += 1.0
    return discs[0].area() + discs[1].r


@kept_in(RIGHT)
def a_first_element_with_another_name(x):
    first = Disc(x[0])
    discs = [first, Disc(2.0)]
    for k in range(2):
        discs.append(Disc(x[k] * discs[k].r))
    first.r = x[1]
    return sum(d.area() for d in discs)


# -- second names


@kept_in(RIGHT)
def a_dict_of_an_object_under_a_name(x):
    plant = Plant(x[0])
    for k in range(3):
        plant.step(x[1] + k)
    return plant.state["level"] * plant.state["flow"] * x[2]


@kept_in(RIGHT)
def an_object_that_another_holds(x):
    disc = Disc(x[0] * x[1])
    descent = Descent(disc, x[2])
    for _ in range(3):
        descent.step()
    disc.r = disc.r * x[1]
    descent.step()
    return disc.area() + descent.disc.r


@refused("has another name")
def an_object_that_another_holds_no_more(x):
    disc = Disc(x[0])
    descent = Descent(disc, x[2])
    disc.r = disc.r * 2
    descent.disc = Disc(x[1])
    descent.step()
    return disc.area() + descent.disc.r


@kept_in(RIGHT)
def a_name_that_is_another_object_later(x):
    disc = Disc(x[0])
    descent = Descent(disc, x[2])
    disc = Disc(3 * x[1])
    descent.step()
    return disc.area() + descent.disc.r


@kept_in(RIGHT)
def entries_under_names_in_turn(x):
    parts = {"a": {"q": x[0]}, "b": {"q": x[1]}}
    for key in ("a", "b", "a"):
        part = parts[key]
        part["q"] *= x[2]
    return parts["a"]["q"] + parts["b"]["q"] ** 2


@refused("a call puts something else where")
def an_object_replaced_while_it_has_a_name(x):
    disc = Disc(x[0])
    descent = Descent(disc, x[2])
    descent.step()
    descent.swap()
    descent.step()
    return disc.area() + descent.disc.r


@refused("has another name")
def entries_swapped_while_one_has_a_name(x):
    parts = {"a": {"q": x[0]}, "b": {"q": x[1]}}
    part = parts["a"]
    parts["a"], parts["b"] = parts["b"], parts["a"]
    part["q"] *= x[2]
    return parts["a"]["q"] + 2 * parts["b"]["q"]


@refused("is used as a whole here")
def an_entry_popped_that_has_a_name(x):
    parts = {"a": {"q": x[0]}}
    part = parts["a"]
    part["q"] *= 2
    parts.pop("a")
    part["q"] *= x[2]
    return part["q"]


@refused("has another name")
def one_of_two_objects_under_a_name(x):
    first, second = Disc(x[0]), Disc(x[1])
    chosen = first if x[0] > 0 else second
    chosen.r *= x[2]
    return first.r + second.r


@refused("has another name")
def one_object_that_two_hold(x):
    disc = Disc(x[0])
    slow, fast = Descent(disc, 0.1), Descent(disc, x[1])
    slow.step()
    fast.step()
    return disc.area()


# -- elements that give way to others, and slices


@kept_in(RIGHT)
def elements_that_a_method_replaces(x):
    shelf = Shelf(x)
    for k in range(2):
        shelf.put_there(k, shelf.discs[k].r ** 2)
    return sum(disc.area() for disc in shelf.discs)


@refused("a call puts another one in the place of an element")
def an_element_with_a_name_that_a_method_replaces(x):
    return Shelf(x).put_while_one_has_a_name()


@refused("a call puts another one in the place of an element")
def an_element_that_a_method_replaces_inside_of_a_sum(x):
    return Shelf(x).put_in_a_sum()


@refused("a call puts another one in the place of an element")
def an_element_of_a_slice_that_a_method_replaces(x):
    shelf, total = Shelf(x), 0.0
    for disc in shelf.discs[:-1]:
        shelf.put(1, 5.0 * disc.r)
        total += disc.area()
    return total


@kept_in(RIGHT)
def slices_of_a_list(x):
    shelf, total = Shelf(x), 0.0
    for disc in shelf.discs[1:]:
        disc.r *= shelf.discs[0].r
    for k, disc in enumerate(reversed(shelf.discs[:-1])):
        total = total * 0.5 + disc.area() * disc.r * k
    empty = sum(disc.r for disc in shelf.discs[1:-2]) + sum(disc.r for disc in shelf.discs[7:])
    return total + empty + sum(a.r * b.r for a, b in zip(shelf.discs[:-1], shelf.discs[1:]))


@kept_in(RIGHT)
def slices_seen_by_what_changes_them(x):
    shelf = Shelf(x)
    return sum(shelf.double(0) * disc.r for disc in shelf.discs[:-1])


class Ridge:
    def __init__(self, weight):
        self.weight = weight

    def value(self, x):
        return self.weight * np.sum(x**2)


class Penalised:
    def __init__(self, weight):
        self._ridge = Ridge(weight)

    def get_ridge(self):
        if not hasattr(self, "_ridge"):
            self._ridge = Ridge(1.0)
        return self._ridge

    ridge = property(get_ridge)


@kept_in(RIGHT)
def an_object_is_got_that_is_made_where_there_is_none(x, penalised=Penalised(0.3)):
    """The call gives back what stays, and has no result of its own."""
    return np.sum(np.sin(x)) + penalised.ridge.value(x)


# ---- methods in chains, and what they are given


class Tally:
    def __init__(self):
        self.total = 0.0

    def add(self, disc):
        self.total += disc.area() * disc.r
        return self

    def plus(self, r):
        self.total = self.total * 0.5 + r
        return self

    def disc(self, k):
        self.total = self.total * 2.0
        return Disc(self.total * k)

    def twin(self):
        self.total += 1.0
        other = Tally()
        other.total = self.total
        return other


class Shelves(Tally):
    def __init__(self):
        super().__init__()
        self.discs = []

    def put(self, disc):
        self.total += disc.area()
        self.discs.append(disc)
        return self


@kept_in(RIGHT)
def objects_in_a_chain(x):
    shelves = Shelves().put(Disc(x[0])).put(Disc(x[1] * x[2]))
    shelves.put(Disc(x[2])).plus(x[0]).put(Disc(2.0))
    return shelves.total**2 + sum(disc.r for disc in shelves.discs)


@kept_in(RIGHT)
def objects_in_a_chain_of_a_loop(x):
    tally = Tally()
    for v in x:
        y = tally.add(Disc(v)).plus(v).add(Disc(v * x[0])).total * v
    return tally.total * y


@kept_in(RIGHT)
def what_a_chain_gave_is_read_before_the_next_object_is_made(x):
    tally = Tally()
    tally.plus(x[0]).add(Disc(tally.total)).plus(x[1]).add(Disc(tally.total * x[2]))
    return tally.total


@kept_in(RIGHT)
def an_object_that_another_method_gives(x):
    tally, other = Tally(), Tally().plus(x[2])
    tally.add(other.disc(x[0]))
    tally.plus(x[1]).add(other.disc(x[1])).plus(1.0)
    return tally.total * other.total


@kept_in(RIGHT)
def the_object_of_a_chain_makes_what_it_is_given(x):
    tally = Tally().plus(x[0])
    tally.plus(x[1]).add(tally.disc(x[2])).plus(tally.total)
    return tally.total * x[0]


@kept_in(RIGHT)
def another_object_in_the_middle_of_a_chain(x):
    tally = Tally().plus(x[0])
    other = tally.twin().add(Disc(tally.total * x[1]))
    return tally.total * other.total


@kept_in(RIGHT)
def an_object_made_for_one_method_of_it_as_an_argument(x):
    tally = Tally()
    tally.add(Tally().plus(x[0]).disc(x[1]))
    tally.plus(x[2])
    tally.add(Tally().plus(tally.total).disc(x[1]))
    return tally.total


@kept_in(RIGHT)
def a_list_put_into_and_given_back(x):
    """What nobody reads of a call has a length of its own."""

    def put(constants, values, v):
        values.append(v)
        constants.append(2.0)
        return list(constants), list(values), v * v

    constants, values = [], []
    put(constants, values, x[0])
    put(constants, values, x[1] * x[2])
    return sum(a * b for a, b in zip(constants, values))


test_right = each_right(RIGHT, X, X_DOT)


test_refused = each_refused(REFUSED, X)
