"""Lists of dicts and objects: what an element is has to be the same wherever it is reached, or it is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from every_mode import check_along, each_refused, kept_in, named, refused_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.3, 0.7, 1.1]), np.array([1.0, -2.0, 0.5])

PUT = "this may stand elsewhere, too"
KEPT = "an element of a list is kept under another name"
WHOLE = "a list of dicts or objects is used as a whole"
TWO = "two elements of one list meet where one is changed"
BOTH = "a list and an element of it are given to one call"


@dataclass
class P:
    x: float
    v: float = 1.0

    def step(self, dt):
        self.x = self.x + self.v * dt

    def itself(self):
        return self

    def itself_moved(self):
        self.x = self.x * 2
        return self.x


class Q:
    def __init__(self, x):
        self.x = x


class Point(NamedTuple):
    x: float
    y: float


# ---- one object, two ways to it


@kept_in(RIGHT)
def changed_after_it_was_put_in(x):
    ps = []
    for v in x:
        p = P(v)
        ps.append(p)
        p.x = p.x * 2
    return sum(p.x**2 for p in ps)


@refused(PUT)
def put_in_twice(x):
    ps = []
    p = P(x[0])
    ps.append(p)
    ps.append(p)
    for q in ps:
        q.x = q.x * x[1]
    return sum(p.x**2 for p in ps)


@refused(PUT)
def given_by_a_function_that_has_it(x):
    keep = P(x[0], 1.0)

    def give():
        return keep

    ps = []
    ps.append(give())
    keep.x = keep.x * 9
    return sum(p.x * p.v for p in ps)


@kept_in(RIGHT)
def the_best_of_them(x):
    ps = [P(v) for v in x]
    best = ps[0]
    for p in ps:
        if p.x > best.x:
            best = p
    best.x = best.x * 3
    return sum(p.x**2 for p in ps)


@refused(KEPT)
def given_back_by_its_method(x):
    ps = [P(v) for v in x]
    q = ps[1].itself()
    q.x = q.x * 3
    return sum(p.x**2 * p.v for p in ps)


@refused(KEPT)
def in_another_list(x):
    ps = [P(v) for v in x]
    qs = [ps[0], ps[1]]
    for q in qs:
        q.x = q.x * 3
    return sum(p.x**2 * p.v for p in ps)


@kept_in(RIGHT)
def a_second_name_of_the_list(x):
    ps = [P(v) for v in x]
    qs = ps
    for q in qs:
        q.x = q.x * 3
    return sum(p.x**2 * p.v for p in ps)


@refused(PUT)
def goes_on_and_is_changed(x):
    ps = [P(v, 1.0) for v in x]
    qs = []
    for p in ps:
        qs.append(p)
        p.x = p.x * 2
    return sum(q.x for q in qs)


@refused(PUT)
def goes_on_while_the_first_list_is_read(x):
    ps = [P(v, 1.0) for v in x]
    qs = []
    for p in ps:
        if p.x > 0.5:
            qs.append(p)
    for q in qs:
        q.x = q.x * 3
    return sum(p.x for p in ps)


@refused(PUT)
def goes_on_twice(x):
    ps = [P(v, 1.0) for v in x]
    qs = []
    for p in ps:
        qs.append(p)
        qs.append(p)
    for q in qs:
        q.x = q.x * 3
    return sum(p.x for p in qs)


@refused(PUT)
def goes_on_in_every_round(x):
    ps = [P(v, 1.0) for v in x]
    qs = []
    for _ in range(2):
        for p in ps:
            qs.append(p)
    for q in qs:
        q.x = q.x * 3
    return sum(p.x for p in qs)


@refused(WHOLE)
def the_name_goes_to_another_list_meanwhile(x):
    ps = [P(v) for v in x]
    total = 0.0
    for p in ps:
        ps = [P(q.x * 0.5) for q in ps]
        total += p.x
    return total


@kept_in(RIGHT)
def the_name_goes_to_another_list_later(x):
    ps = [P(v) for v in x]
    first = ps[0]
    ps = [P(q.x * 0.5) for q in ps]
    return first.x + ps[0].x


@refused(WHOLE)
def another_element_in_its_place_in_the_loop(x):
    ps = [P(v) for v in x]
    total = 0.0
    for p in ps:
        ps[1] = P(x[0])
        total += p.x
    return total


@refused(KEPT)
def another_element_in_its_place(x):
    ps = [P(v) for v in x]
    q = ps[1]
    ps[1] = P(x[0])
    return q.x + ps[1].x


# ---- elements in calls


def halved(p):
    p.x = p.x * 0.5
    return p.x


@refused("inside of an expression")
def changed_and_read_again(x):
    ps = [P(v) for v in x]
    total = 0.0
    for p in ps:
        total += halved(p) + p.x
    return total


@refused("inside of an expression")
def changed_for_another_call(x):
    ps = [P(v) for v in x]
    return apart(P(halved(ps[0])), ps)


@refused("inside of an expression")
def changed_and_stored(x):
    ps = [P(v) for v in x]
    ps[0].x = halved(ps[0]) * 3
    return ps[0].x


@refused("inside of an expression")
def changed_beside_a_closure(x):
    ps = [P(v) for v in x]

    def total():
        return sum(p.x for p in ps)

    return halved(ps[0]) + total()


@refused(WHOLE)
def at_a_random_place(x):
    rng = np.random.default_rng(1)
    ps = [P(v) for v in x]
    return halved(ps[rng.integers(3)]) + ps[0].x


@kept_in(RIGHT)
def at_a_random_place_with_a_name(x):
    rng = np.random.default_rng(1)
    ps = [P(v) for v in x]
    k = rng.integers(3)
    total = halved(ps[k])
    q = ps[rng.integers(3)]
    q.x = q.x * 3
    return total + sum(p.x for p in ps)


@kept_in(RIGHT)
def its_index_is_bound_by_the_line(x):
    ps = [P(v) for v in x]
    i = 1
    i = int(halved(ps[i]) > 50)
    return ps[0].x + ps[1].x * i


def doubled(p, ps):
    p.x = p.x * 2
    return sum(q.x for q in ps)


def all_doubled(p, ps):
    for q in ps:
        q.x = q.x * 2
    return p.x


def apart(p, ps):
    return sum(abs(q.x - p.x) ** 2 for q in ps)


def swapped(p, q):
    p.x, q.x = q.x * 2, p.x


@refused(BOTH)
def changes_an_element_and_reads_the_list(x):
    ps = [P(v, 1.0) for v in x]
    total = 0.0
    for p in ps:
        total += doubled(p, ps)
    return total


@refused(BOTH)
def changes_the_list_and_reads_an_element(x):
    ps = [P(v, 1.0) for v in x]
    total = 0.0
    for p in ps:
        total += all_doubled(p, ps)
    return total


@kept_in(RIGHT)
def reads_both(x):
    ps = [P(v, 1.0) for v in x]
    total = 0.0
    for p in ps:
        total += apart(p, ps)
        p.x = p.x * 1.5
    return total


@refused(TWO)
def two_that_may_be_one(x):
    ps = [P(v, 1.0) for v in x]
    for i in range(len(ps)):
        for j in range(len(ps)):
            swapped(ps[i], ps[j])
    return ps[0].x + 2 * ps[1].x


@refused(TWO)
def two_counted_from_both_ends(x):
    ps = [P(v, 1.0) for v in x]
    swapped(ps[-1], ps[1])
    return ps[0].x + 2 * ps[1].x


@kept_in(RIGHT)
def two_that_are_not_one(x):
    ps = [P(v, 1.0) for v in x]
    for i in range(len(ps)):
        for j in range(i + 1, len(ps)):
            swapped(ps[i], ps[j])
    swapped(ps[0], ps[2])
    return ps[0].x + 2 * ps[1].x


@kept_in(RIGHT)
def asked_whether_they_are_one(x):
    ps = [P(v, 1.0) for v in x]
    for p in ps:
        for q in ps:
            if p is q:
                continue
            swapped(p, q)
    return ps[0].x + 2 * ps[1].x


@kept_in(RIGHT)
def changed_inside_of_a_sum(x):
    def moved(p):
        p.x = p.x * 2
        return p.x

    ps = [P(v, 1.0) for v in x]
    return sum(moved(p) for p in ps) + ps[0].x


@kept_in(RIGHT)
def functions_of_elements(x):
    ps = [P(v, 1.0) for v in x]
    f = lambda p: p.x**2
    return sum(f(p) for p in ps) + sum(map(f, ps))


# ---- places


@kept_in(RIGHT)
def by_a_counter_that_moves_on(x):
    ps = [P(v, 1.0) for v in x]
    i = 0
    while i < len(ps):
        p = ps[i]
        i += 1
        p.x = p.x * i
    return sum(p.x**2 for p in ps)


@kept_in(RIGHT)
def the_last_one_then(x):
    ps = [P(v, 1.0) for v in x]
    last = ps[-1]
    ps.append(P(x[0] * 7, 2.0))
    last.x = last.x * 2
    return sum(p.x * p.v for p in ps) + last.x


@kept_in(RIGHT)
def a_name_and_its_place(x):
    ps = [P(v) for v in x]
    q = ps[1]
    q.x = q.x * 3
    ps[1].v = q.x + 1
    return sum(p.x**2 * p.v for p in ps)


@kept_in(RIGHT)
def as_long_as_it_was(x):
    ps = []
    for v in x:
        ps.append(P(v * len(ps), v))
    return sum(p.x * p.v for p in ps)


@kept_in(RIGHT)
def none_of_them(x):
    ps = []
    for v in x:
        if v > 50:
            ps.append(P(v, v * 2))
    total = x[0] * 2
    for p in ps:
        total += p.x
    return total if not ps else total * 2


@kept_in(RIGHT)
def made_by_a_function(x):
    def made(v):
        return P(v * 2, v)

    ps = [made(v) for v in x]
    for p in ps:
        p.step(x[1])
    return sum(p.x * p.v for p in ps)


@kept_in(RIGHT)
def named_tuples(x):
    points = [Point(v, v**2) for v in x]
    return sum(p.x * p.y for p in points)


@kept_in(RIGHT)
def entries_in_another_order(x):
    rows = []
    rows.append(dict(q=x[0], w=x[1]))
    rows.append(dict(w=x[1] * 2, q=x[2]))
    return sum(r["q"] * r["w"] for r in rows)


@kept_in(RIGHT)
def matrices_of_pairs(x):
    ps = [P(v, v) for v in x]
    fast = [p.v * p.x for p in ps if p.x > 0.5]
    products = [[p.x * q.v for q in ps] for p in ps]
    return sum(fast) + np.sum(np.array(products))


def counted_out(x, n):
    out = []
    for k in range(n):
        out.append({"a": x[k], "b": k})
    return out


@kept_in(RIGHT)
def given_by_a_function(x):
    rows = counted_out(x, 3)
    total = 0.0
    for row in rows:
        total += row["a"] ** 2
    return total / len(rows) + sum(r["a"] * r["b"] for r in rows)


@kept_in(RIGHT)
def given_by_a_function_and_used_at_once(x):
    total = len(counted_out(x, 3)) * x[0]
    for row in counted_out(x, 3):
        total += row["a"] ** 2
    total += sum(r["a"] * r["b"] for r in counted_out(x, 3))
    return total * counted_out(x, 2)[1]["a"]


def two_counts(x):
    one = counted_out(x, 2)
    return one, counted_out(x, 3)


@kept_in(RIGHT)
def grows_where_it_is_given(x):
    one, other = two_counts(x)
    for row in one:
        row["a"] *= 2
    other.append({"a": x[0] ** 2, "b": 7})
    return sum(r["a"] * r["b"] for r in one) + 3 * sum(r["a"] * r["b"] for r in other)


class Tall:
    height = 2.0

    def __init__(self, x):
        self.x = x

    def grow(self):
        self.height = self.height + self.x


@refused("give the dict or the object a name of its own first")
def sets_what_the_class_has(x):
    ps = [Tall(v) for v in x]
    for p in ps:
        p.height = p.x
    return sum(p.height * p.x for p in ps)


@refused("a list holds dicts or objects of one class, with the same entries")
def a_method_sets_what_the_class_has(x):
    ps = [Tall(v) for v in x]
    for p in ps:
        p.grow()
    return sum(p.height * p.x for p in ps)


@refused(WHOLE)
def unpacked(x):
    one, other, _ = counted_out(x, 3)
    return one["a"] * other["a"]


@refused(WHOLE)
def in_a_tuple(x):
    pair = (counted_out(x, 3), 1.0)
    return len(pair[0]) * x[0]


@refused(WHOLE)
def asked_whether_it_is_empty(x):
    rows = counted_out(x, 3) or counted_out(x, 2)
    return len(rows) * x[0]


@kept_in(RIGHT)
def another_list_on_one_path(x):
    ps = [P(v) for v in x]
    if x[0] > 0.5:
        ps = [P(v * 2, v) for v in x]
    return sum(p.x * p.v for p in ps)


@kept_in(RIGHT)
def one_counted_below_the_other(x):
    ps = [P(v) for v in x]
    for i, p in enumerate(ps):
        for j, q in enumerate(ps):
            if i < j:
                swapped(p, q)
    return ps[0].x + 2 * ps[1].x


@kept_in(RIGHT)
def as_long_as_it_is_short(x):
    ps = [P(v) for v in x]
    while len(ps) < 5:
        ps.append(P(ps[-1].x + ps[-2].x))
    return ps[-1].x ** 2


@kept_in(RIGHT)
def two_lists_in_step(x):
    ps = [P(v) for v in x]
    for p, q in zip(ps, ps):
        p.x = p.x + q.x
    return sum(p.x**2 for p in ps)


# ---- forms and holders


@refused("a list holds dicts or objects of one class")
def of_two_classes(x):
    ps = []
    for v in x:
        if v > 0.5:
            ps.append(P(v))
        else:
            ps.append(Q(v))
    return sum(p.x for p in ps)


@kept_in(RIGHT)
def of_two_forms(x):
    rows = []
    rows.append({"q": x[0]})
    rows.append({"q": x[0], "w": x[1]})
    return sum(r["q"] for r in rows)


@refused("a dict in a list is used as a whole")
def keys_of_a_row(x):
    rows = [{"q": v, "w": v * v} for v in x]
    total = 0.0
    for r in rows:
        for k in r:
            total += r[k]
    return total


@kept_in(RIGHT)
def read_after_the_loop(x):
    ps = [P(v, v * v) for v in x]
    for p in ps:
        p.x *= 2
    return p.x * p.v


@kept_in(RIGHT)
def put_in_order(x):
    ps = [P(v, v) for v in x]
    ps.sort(key=lambda p: p.x)
    return ps[0].x * 3


@kept_in(RIGHT)
def one_array_in_all(x):
    a = x * 2
    rows = [{"a": a, "k": k} for k in range(3)]
    for r in rows:
        r["a"] *= 2
    return np.sum(rows[0]["a"]) + np.sum(rows[1]["a"]) * 3


@refused(WHOLE)
def given_back_at_the_end(x):
    return [P(v, v * v) for v in x]


# ---- lists in objects, and lists that functions make longer


class Places:
    def __init__(self, k=1.0):
        self.ps = []
        self.k = k
        self.total = 0.0

    def add(self, x):
        self.ps.append(P(x * self.k, 0.5))
        return self

    def renewed(self, k):
        self.ps = [P(p.x * k, p.v) for p in self.ps]

    def energy(self):
        return sum(p.v**2 + p.x**2 for p in self.ps)

    @property
    def mean(self):
        return sum(p.x for p in self.ps) / len(self.ps)

    def spawn(self, p):
        self.ps.append(P(p.x * 0.5))

    def first(self):
        return self.ps[0]


def places_at(x):
    places = Places()
    for v in x:
        places.add(v)
    return places


def longer(ps, x):
    ps.append(P(x, ps[0].x))


@kept_in(RIGHT)
def a_function_that_makes_it_longer(x):
    ps = []
    ps.append(P(x[0]))
    for v in x:
        longer(ps, v)
    return sum(p.x * p.v for p in ps)


@kept_in(RIGHT)
def a_function_begins_it(x):
    def begin(ps):
        ps.append(P(x[1], 2.0))

    ps = []
    begin(ps)
    ps.append(P(x[0]))
    return sum(p.x * p.v for p in ps)


@kept_in(RIGHT)
def a_list_with_two_names(x):
    places = places_at(x)
    ps = places.ps
    ps[0].x = x[1] * 3
    ps.append(P(x[2]))
    while len(ps) < 6:
        ps.append(P(ps[-1].x * 0.5))
    return places.energy() * len(places.ps)


@kept_in(RIGHT)
def two_elements_in_one_line(x):
    places = places_at(x)
    for i in range(len(places.ps)):
        for j in range(i + 1, len(places.ps)):
            a, b = places.ps[i], places.ps[j]
            pull = a.x - b.x
            a.v += pull
            b.v -= pull
    return places.energy()


@kept_in(RIGHT)
def another_list_when_nobody_looks(x):
    places = places_at(x)
    for _ in range(2):
        ps = places.ps
        for p in ps:
            p.x *= 1.5
        places.renewed(0.7)
    return places.energy()


@kept_in(RIGHT)
def another_object_under_its_name(x):
    places = places_at(x)
    p = places.ps[0]
    places = places_at(x * 2)
    p.x = p.x * 2
    return p.x * p.v + places.energy()


@kept_in(RIGHT)
def the_object_in_a_dict(x):
    places = places_at(x)
    holder = {"places": places}
    holder["places"].ps[0].x = x[1] * x[2]
    return places.energy()


@kept_in(RIGHT)
def elements_of_constants_first(x):
    places = Places()
    places.ps.append(P(0.5))
    places.add(x[0])
    for p in places.ps:
        p.step(x[1])
    return places.energy()


@refused("a call puts another list in the place of one whose elements have names")
def another_list_while_a_loop_runs_over_it(x):
    places, total = places_at(x), 0.0
    for p in places.ps:
        total += p.x
        places.renewed(2.0)
    return total + places.energy()


@refused("a call puts another list in the place of one whose elements have names")
def another_list_while_an_element_has_a_name(x):
    places = places_at(x)
    p = places.ps[0]
    places.renewed(2.0)
    p.x = p.x * 3
    return p.x + places.energy()


@refused("a call puts another list in the place of one whose elements have names")
def another_list_under_the_other_name(x):
    places = places_at(x)
    ps = places.ps
    places.renewed(2.0)
    for p in ps:
        p.x *= 2
    return places.energy()


@refused("grows while a loop runs over it")
def longer_while_a_loop_runs_over_it(x):
    places = places_at(x)
    for p in places.ps:
        if len(places.ps) < 6:
            places.spawn(p)
    return places.energy()


@refused("inside of an expression")
def changed_beside_a_property(x):
    places = places_at(x)
    for p in places.ps:
        places.total += p.itself_moved() + places.mean
    return places.energy() + places.total


@refused(KEPT)
def an_element_that_a_method_gives(x):
    places = places_at(x)
    places.first().x = x[1]
    return places.energy()


@refused(WHOLE)
def the_list_in_two_objects(x):
    places, others = places_at(x), Places()
    others.ps = places.ps
    others.ps[0].x *= 2
    return places.energy()


@refused(WHOLE)
def given_back_in_a_dict(x):
    places = places_at(x)
    return {"places": places.ps, "energy": places.energy()}


# ---- objects and lists that are handed over


class Owner:
    def __init__(self, ps, k=1.0):
        self.ps = ps
        self.count = len(ps)
        self.k = k

    def put(self, p):
        self.ps.append(p)

    def put_through(self, p):
        self.put(p)

    def put_scaled(self, p, k):
        p.x = p.x * k
        self.ps.append(p)

    def put_both(self, p, q):
        self.ps.append(p)
        self.ps.append(q)

    def put_and_keep(self, p):
        self.k = p
        self.ps.append(p)

    def put_twice(self, p):
        self.ps.append(p)
        self.ps.append(p)

    def renewed(self, k):
        self.ps = [P(p.x * k, p.v) for p in self.ps]

    def energy(self):
        return sum(p.v**2 + p.x**2 for p in self.ps) * self.count


class Impatient(Owner):
    def __init__(self, ps):
        self.ps = ps
        self.renewed(2.0)
        self.count = ps[0].x


@dataclass
class Pair:
    ps: list
    k: float = 2.0


def put_into(ps, p):
    ps.append(p)


@kept_in(RIGHT)
def handed_over_where_they_are_made(x):
    owner = Owner([], x[1])
    owner.put(P(x[0]))
    owner.put_both(P(x[1]), P(x[2], owner.k))
    owner.put_through(P(x[0] * x[2]))
    owner.ps[0].x *= x[1]
    return owner.energy() + sum(p.x for p in owner.ps)


@kept_in(RIGHT)
def handed_over_by_a_name(x):
    owner = Owner([P(v) for v in x])
    for v in x:
        p = P(v)
        p.step(0.1)
        owner.put(p)
    q = P(x[1])
    owner.put_scaled(q, x[0])
    return owner.energy()


@kept_in(RIGHT)
def handed_over_to_a_function(x):
    ps = []
    for v in x:
        put_into(ps, P(v))
    for p in ps:
        p.step(x[0])
    return sum(p.x * p.v for p in ps)


@kept_in(RIGHT)
def a_list_handed_over_to_an_object(x):
    ps = [P(v) for v in x]
    ps[1].v = x[0]
    owner = Owner(ps)
    for p in owner.ps:
        p.x = p.x * x[1]
    pair = Pair([P(v, v) for v in x])
    pair.ps[0].x = x[2]
    return owner.energy() + sum(p.x * p.v for p in pair.ps) * pair.k


@kept_in(RIGHT)
def rows_by_stars(x):
    rows = [(x[0], 1.0), (-x[1], 2.0)]
    owner = Owner([P(*row) for row in rows])
    return sum(p.x * p.v for p in owner.ps) * owner.count


@kept_in(RIGHT)
def a_method_in_a_comprehension(x):
    owner = Owner([P(t) for t in x])
    return sum(owner.energy() * v for v in np.array([0.5, 2.0]))


@refused(PUT)
def handed_over_and_kept(x):
    owner = Owner([])
    p = P(x[0])
    owner.put(p)
    p.x = x[1]
    return owner.energy()


@refused(PUT)
def handed_over_as_two(x):
    owner = Owner([])
    p = P(x[0])
    owner.put_both(p, p)
    owner.ps[0].x = x[1]
    return owner.energy()


@refused(PUT)
def handed_over_twice(x):
    owner = Owner([])
    owner.put_twice(P(x[0]))
    owner.ps[0].x = x[1]
    return owner.energy()


@refused(PUT)
def handed_over_to_an_object_too(x):
    owner = Owner([])
    owner.put_and_keep(P(x[0]))
    owner.ps[0].x = x[1]
    return owner.energy() * owner.k.x


@refused(PUT)
def handed_over_on_every_trip(x):
    owner = Owner([])
    p = P(x[0])
    for _ in range(2):
        owner.put(p)
    owner.ps[0].x = x[1]
    return owner.energy()


@refused(PUT)
def handed_over_to_two(x):
    one = Owner([])
    other = Owner([])
    p = P(x[0])
    one.put(p)
    other.put(p)
    one.ps[0].x = x[1]
    return one.energy() + other.energy()


@refused(PUT)
def an_element_handed_over(x):
    one, other = Owner([P(v) for v in x]), Owner([])
    for p in one.ps:
        other.put(p)
    one.ps[0].x = x[1]
    return one.energy() + other.energy()


@refused(WHOLE)
def a_list_handed_over_and_kept(x):
    ps = [P(v) for v in x]
    owner = Owner(ps)
    ps[0].x = x[1]
    return owner.energy()


@refused(WHOLE)
def a_list_handed_over_whose_element_has_a_name(x):
    ps = [P(v) for v in x]
    p = ps[0]
    owner = Owner(ps)
    p.x = x[2]
    return owner.energy()


@refused("a call puts another list in the place of one whose elements have names")
def another_list_in_the_constructor(x):
    return Impatient([P(v) for v in x]).energy()


# ---- read after it was put in


class Order:
    def __init__(self, amount, price=1.0):
        self.amount, self.price = amount, price

    def raised(self, k):
        self.price = self.price * k + self.amount
        return self.price


class Market:
    def __init__(self):
        self.orders = []
        self.total = 0.0
        self.best = 0.0

    def place(self, order):
        self.orders.append(order)
        self.total += order.amount
        if order.price > self.best:
            self.best = order.price * order.amount
        order.price = self.total
        return self

    def place_some(self, order):
        if order.amount > 0.5:
            self.orders.append(order)
            order.raised(2.0)
        return order.amount


@kept_in(RIGHT)
def orders_that_a_method_puts_in_and_reads(x):
    market = Market().place(Order(1.0, x[2])).place(Order(x[0]))
    for v in x:
        market.place(Order(v, v * v))
    return market.total * market.best + sum(o.price * o.amount for o in market.orders)


@refused(PUT)
def orders_put_in_on_one_way_and_read_on_both(x):
    market = Market()
    return sum(market.place_some(Order(v)) for v in x) + market.total


@kept_in(RIGHT)
def read_and_changed_under_both_names(x):
    ps = [P(x[0])]
    p = P(x[1])
    ps.append(p)
    ps[-1].x *= x[2]
    ps.append(P(p.x))
    ps[1].v = p.x
    p.x += ps[2].x
    return sum(q.x * q.v for q in ps) + p.v


@kept_in(RIGHT)
def one_name_for_two_that_were_put_in(x):
    ps = []
    p = P(x[0])
    ps.append(p)
    p = P(x[1])
    ps.append(p)
    p.x += 1
    ps = [P(q.x * 2) for q in ps]
    return sum(q.x * x[2] for q in ps) + p.x


@kept_in(RIGHT)
def dicts_changed_after_they_were_put_in(x):
    ps = []
    for v in x:
        p = {"x": v, "v": v * v}
        ps.append(p)
        p["x"] += 1.0
        p["v"] *= p["x"]
    return sum(q["x"] * q["v"] for q in ps)


@kept_in(RIGHT)
def the_last_and_those_before(x):
    ps = []
    k = 0
    while k < 3:
        p = P(x[k])
        ps.append(p)
        k += 1
        if p.x > 1.0:
            continue
        for q in ps:
            if q is not p:
                q.x += p.x
                p.v += q.x
    return sum(q.x * q.v for q in ps)


@kept_in(RIGHT)
def arrays_of_what_was_put_in(x):
    ps = []
    p = P(np.array([x[0], x[1]]), x * 1.0)
    ps.append(p)
    p.x[0] = 3 * x[2]
    p.v += p.x[0]
    ps[0].v[1] *= 2
    return np.sum(ps[0].x) * np.sum(p.v**2)


@refused(PUT)
def put_into_two_lists_and_read(x):
    ps, qs = [], []
    p = P(x[0])
    ps.append(p)
    qs.append(p)
    qs[0].x = x[1]
    return ps[0].x * x[2] + p.x


@refused(PUT)
def put_in_twice_and_read(x):
    ps = []
    p = P(x[0])
    ps.append(p)
    ps.append(p)
    p.x = p.x * 3
    return sum(q.x for q in ps) * x[1]


@refused(PUT)
def another_on_some_trips(x):
    ps = []
    p = P(x[0])
    for v in x:
        if v > 0.5:
            ps.append(p)
            p.x = v
        p = P(v)
    return sum(q.x for q in ps) + p.x


@refused(PUT)
def read_by_a_function_inside(x):
    ps = []
    p = P(x[0])
    ps.append(p)
    ps[0].x = x[1]
    return (lambda: p.x * 2)() + p.x


@refused(KEPT)
def replaced_after_it_was_put_in(x):
    ps = []
    p = P(x[0])
    ps.append(p)
    ps[0] = P(x[1])
    return p.x * ps[0].x


@refused(KEPT)
def sorted_after_it_was_put_in(x):
    ps = [P(x[2])]
    p = P(x[0])
    ps.append(p)
    ps.sort(key=lambda q: q.x)
    p.x = x[1]
    return ps[0].x


# ---- lists that are made together with something else


@kept_in(RIGHT)
def a_list_and_what_is_best(x):
    ps, best = [], None
    for v in x:
        p = P(v)
        ps.append(p)
        if best is None or p.x > best.x:
            best = p
    best.x *= 2
    return sum(q.x * q.v for q in ps) + best.x


@kept_in(RIGHT)
def two_lists_that_begin_together(x):
    ps, qs = [P(x[0])], [P(x[1]), P(x[2])]
    for v in x:
        ps.append(P(v))
        qs.append(P(v, v))
    for p, q in zip(ps, qs):
        p.x *= q.v
    return sum(q.x * q.v for q in ps)


class TwoKinds:
    def __init__(self, x):
        self.prey, self.predators = [], []
        for v in x:
            self.prey.append(P(v))
            self.predators.append(Q(v * v))

    def hunt(self):
        for p, q in zip(self.prey, self.predators):
            p.x *= q.x
        return sum(p.x for p in self.prey) * self.predators[0].x


@kept_in(RIGHT)
def two_lists_of_one_object(x):
    return TwoKinds(x).hunt()


@kept_in(RIGHT)
def made_anew_together_on_each_trip(x):
    total = 0.0
    for v in x:
        ps, k = [], v
        for w in x:
            ps.append(P(w * k))
        ps, k = [P(k)], k * 2
        ps.append(P(k))
        total += sum(q.x * q.v for q in ps)
    return total


@refused("dicts and objects go into lists that begin empty")
def together_with_what_a_function_inside_reads(x):
    ps, n = [], len(x)
    for v in x:
        ps.append(P(v))
    return sum(q.x * q.v for q in ps) * (lambda: len(ps))() * n


@pytest.mark.parametrize("function", RIGHT, ids=named)
@pytest.mark.parametrize("x", [X, X[::-1].copy(), -X])
def test_right(function: Callable[..., Any], x: np.ndarray) -> None:
    check_along(function, x, X_DOT)


test_refused = each_refused(REFUSED, X)


def test_two_arrays_of_one_object_are_told_apart() -> None:
    """What `__init__` stores is memory of its own, and not that of what it stores besides."""

    class Body:
        def __init__(self, x):
            self.place = np.array([x, x**2])
            self.speed = np.zeros(2)

        def kick(self, force):
            self.speed += force * self.place[0]

    def kicked(x):
        body = Body(x[0])
        body.kick(x[1:])
        return np.sum(body.speed**2) + body.place[1]

    check_along(kicked, X, X_DOT)


class Mark:
    def __init__(self, x):
        self.x = x


def test_what_stands_before_the_first_raises() -> None:
    def f(x, k):
        marks = [Mark(v) for v in x]
        mark = marks[k]
        mark.x = mark.x * 2
        return marks[0].x + mark.x

    x = np.array([0.3, 0.7, 1.1])
    np.testing.assert_allclose(grad(f)(x, -1), [1.0, 0.0, 2.0])
    for k in (-4, 3):
        with pytest.raises(IndexError):
            f(x, k)
        with pytest.raises(IndexError):
            grad(f)(x, k)
