"""Names of values in generated text: no two values that are needed together share one."""

import gast
import numpy

from tangentish import check_grad, grad, ir
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.text.names import choose_names


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
