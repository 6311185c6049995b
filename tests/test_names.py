"""Names of values in generated text: no two values that are needed together share one."""

import random

import gast
import numpy
from numeric import assert_close, numeric_gradient

from tangentish import check_grad, grad, ir, jvp, vjp
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.text.names import Family, choose_names


def test_the_counter_of_a_comprehension_is_apart_from_what_is_read_inside_it():
    counter, axis = ir.name("k.~1"), ir.name("k.~2")
    element = quote("part({x}, {k}, {axis})", x=ir.name("x.0"), k=counter, axis=axis)
    comprehension = gast.ListComp(element, [gast.comprehension(counter, quote("range(3)"), [], 0)])
    block = (
        ir.Assign(axis, ir.name("x.0"), NOWHERE),
        ir.Assign(ir.name("y.0"), comprehension, NOWHERE),
        ir.Return((ir.name("y.0"),), False, NOWHERE),
    )
    names = choose_names(["x.0"], block, frozenset())
    assert names["k.~1"] != names["k.~2"]
    assert len(set(names.values())) == 4


def test_numpy_under_another_name():
    """Calls that are written as stores call NumPy, whatever the function calls it."""

    def ordered(x, np):
        y, z = x * np, x**2
        y.sort()
        z.partition(1)
        w = numpy.piecewise(x, [x < np], [lambda t: t**2, 0.0])
        numpy.put(w, [0, 1, 2], y[:2])
        return numpy.sum(y * z * w)

    x = numpy.array([0.3, -0.7, 1.4])
    check_grad(ordered, x, 0.5)


def squared(x):
    return x * x


def test_what_nobody_reads_has_no_name_of_its_own():
    def plain(x):
        return squared(x) * 2.0

    assert "_, squared_saved = squared_forward(x)" in grad(plain).source(3.0)


class Heavy:
    pass


def test_of_a_choice_that_is_known_one_side_is_left() -> None:
    def weighed(x, kind):
        return x * x * (2.0 if isinstance(kind, Heavy) else 3.0)

    check_grad(weighed, 2.0, None)
    assert "return 2 * (dy * 3.0) * x" in grad(weighed).source(2.0, None)


def test_an_underscore_that_is_read_stays_what_it_is():
    def of_the_user(x, _):
        return squared(x) * _

    def of_a_closure(x):
        return squared(x) + (lambda t: t * _)(x)

    check_grad(of_the_user, 3.0, 2.0)
    check_grad(of_a_closure, 3.0)


_ = 0.5


def by_angles(el, srange):
    ef = numpy.cos(el) * srange
    el = numpy.sin(el) * ef
    ef = ef * el
    return el


def by_angles_of_lists(el, srange):
    ef = [numpy.cos(v) * srange for v in el]
    ef[0] = ef[0] ** 2
    return by_angles(ef[0], ef[1]) * el[0]


def test_gradients_whose_names_would_be_keywords():
    """The gradient of el is not del, nor that of ef def."""
    numbers, lists = (0.4, 1.7), ([0.4, 0.9], 1.7)
    check_grad(by_angles, *numbers)
    check_grad(by_angles_of_lists, *lists)
    assert "del_1 = " in grad(by_angles, wrt=(0, 1)).source(*numbers)
    for function, args in ((by_angles, numbers), (by_angles_of_lists, lists)):
        value, slope = jvp(function, args, args)
        along = numeric_gradient(lambda t: function(*_scaled(args, t)), (1.0,), 0, 1.0)  # noqa: B023
        assert_close(slope, along, function.__name__)
        _, pull = vjp(function, *args)
        assert_close(numpy.hstack(pull(1.0)) @ numpy.hstack(args), along, function.__name__)


def _scaled(args, t):
    return [[t * v for v in a] if isinstance(a, list) else t * a for a in args]


def test_what_holds_for_all_of_many_names_is_what_each_says():
    """Of a family whose values are all needed at once none is looked at one by one."""
    for seed in range(300):
        draw, family = random.Random(seed), Family()
        count = draw.randint(1, 12)
        if draw.random() < 0.3:  # a parameter
            family.give(draw.randint(0, 3), 1, draw.getrandbits(count))
        for place in range(1, count):
            before = (1 << place) - 1
            needed = draw.choice([before, 0, ((1 << count) - 1) ^ before, draw.getrandbits(count)])
            own, holders = 1 << place, enumerate(family.holders)
            free = [k for k, h in holders if not (h.values & needed or h.needed & own)]
            assert list(family.free(own, needed)) == free
            family.give(free[0] if free else len(family.holders), own, needed)
