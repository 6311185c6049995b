"""What objects hold is read when its turn comes: `net.backward(loss(net.forward(x)))` reads what forward has stored."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_with_a_number

X = np.array([0.7, 0.4, -0.9])


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def total(self):
        return np.sum(self.a * 2 + self.b[0] * self.b[1])


class Layer:
    def __init__(self, w):
        self.w = w
        self.c = np.zeros(3)
        self.pair = (w * np.ones(3), np.ones(3))
        self.nested = (1.0, (2.0, 3.0))
        self.entries = {"a": w * np.ones(3)}
        self.history = [w * np.ones(3)]

    def forward(self, x):
        self.c = np.tanh(self.w * x)
        self.pair = (x, self.c * 2)
        self.nested = (self.c[0], (self.c[1], self.c[2]))
        self.entries["a"] = self.c * 3
        self.history.append(self.c)
        return self.c

    def in_place(self, x):
        self.pair[1][:] = self.w * x
        self.history[0] = self.history[0] * self.w
        return self.w * x

    def backward(self, dy):
        a, b = self.pair
        return dy * self.c * a + b

    def use(self, y):
        return self.pair[0] * y + self.pair[1] + self.entries["a"] + self.history[-1]

    def __call__(self, y):
        return self.c * y + self.pair[0] * self.nested[1][0]

    def __matmul__(self, y):
        return np.sum(self.pair[0] * y)

    @property
    def first(self):
        return self.pair[0] * self.nested[0]

    def use_nested(self, y):
        a, (b, c) = self.nested
        return y * a * b + c


class Network:
    def __init__(self, w):
        self.layers = [Layer(w), Layer(w * w)]

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, x):
        for layer in reversed(self.layers):
            x = layer.backward(x)
        return x


def first_and_second(pair, y):
    return pair[0] * y + pair[1]


def crossed(pair, other):
    return pair[0] * other[1]


def both(layer, pair, y):
    return pair[0] * y + pair[1] * layer.pair[1]


def both_after(layer, y, pair):
    return pair[0] * y + pair[1] * layer.pair[1]


def of_entries(entries, y):
    return entries["a"] * y


def of_history(history, y):
    return history[-1] * y * len(history)


def a_network(w, x):
    net = Network(w)
    return np.sum(net.backward(np.sin(net.forward(x))))


def used(w):
    layer = Layer(w)
    layer.forward(2 * X)
    return layer


def a_method_of_it(w, x):
    l = Layer(w)
    return np.sum(l.backward(np.sin(l.forward(x))))


def a_method_of_it_used(w, x):
    l = used(w)
    return np.sum(l.backward(np.sin(l.forward(x))))


def under_a_second_name(w, x):
    l = used(w)
    m = l
    return np.sum(m.backward(l.forward(x)))


def the_tuple_before(w, x):
    l = Layer(w)
    return np.sum(first_and_second(l.pair, l.forward(x)))


def the_tuple_before_used(w, x):
    l = used(w)
    return np.sum(first_and_second(l.pair, l.forward(x)))


def the_tuple_after(w, x):
    l = used(w)
    return np.sum(first_and_second(y=l.forward(x), pair=l.pair))


def both_before(w, x):
    l = used(w)
    return np.sum(both(l, l.pair, l.forward(x)))


def the_object_before_the_tuple_after(w, x):
    l = used(w)
    return np.sum(both_after(l, l.forward(x), l.pair))


def entries(w, x):
    l = Layer(w)
    return np.sum(of_entries(l.entries, l.forward(x)))


def a_copy_of_entries(w, x):
    l = Layer(w)
    return np.sum(of_entries(dict(l.entries), l.forward(x)))


def a_list(w, x):
    l = Layer(w)
    return np.sum(of_history(l.history, l.forward(x)))


def a_copy_of_a_list(w, x):
    l = Layer(w)
    return np.sum(of_history(list(l.history), l.forward(x)))


def nested_tuples(w, x):
    l = Layer(w)
    return np.sum(l.use_nested(l.forward(x)))


def operators(w, x):
    l = used(w)
    return np.sum((l.pair[0] + l.forward(x)) * l.pair[1])


def a_display_before(w, x):
    l = used(w)
    return np.sum(first_and_second((l.pair[0], l.c), l.forward(x)))


def a_constructor(w, x):
    l = Layer(w)
    return Pair(l.forward(x), l.pair).total()


def a_constructor_by_keywords(w, x):
    l = Layer(w)
    return Pair(b=l.pair, a=l.forward(x)).total()


def a_constructor_in_turn(w, x):
    l = Layer(w)
    return Pair(b=l.forward(x), a=l.pair[0]).total()


def a_tuple(w, x):
    l = Layer(w)
    t = (l.pair, l.forward(x), l.pair)
    return np.sum(t[0][0] * t[1] * t[2][1])


def all_that_it_holds(w, x):
    l = Layer(w)
    return np.sum(l.use(l.forward(x)))


def in_place_by_keyword(w, x):
    l = Layer(w)
    return np.sum(l.use(y=l.in_place(x)))


def in_place_and_the_tuple(w, x):
    l = Layer(w)
    return np.sum(first_and_second(l.pair, l.in_place(x)))


def three_calls(w, x):
    l = Layer(w)
    return np.sum(l.use(l.use(l.forward(x))))


def a_maximum(w, x):
    l = Layer(w)
    return max(l.use(l.forward(x))[0], l.pair[0][1])


def a_lambda(w, x):
    l = Layer(w)
    f = lambda o, y: np.sum(o.pair[0] * y)  # noqa: E731
    return f(l, l.forward(x))


def in_a_loop(w, x):
    l = Layer(w)
    for _ in range(2):
        x = l.use(l.forward(x)) * 0.3
    return np.sum(x)


def a_display_that_calls(w, x):
    l = Layer(w)
    return np.sum(crossed(l.pair, (l.forward(x), l.pair[1])))


def a_display_that_calls_first(w, x):
    l = Layer(w)
    return np.sum(crossed(other=(l.forward(x), l.pair[1]), pair=l.pair))


def a_variable_that_a_call_binds(w, x):
    pair = (w * x, x)

    def swap(y):
        nonlocal pair
        pair = (y, y)
        return y

    return np.sum(first_and_second(pair, swap(w * w * x)))


def a_variable_that_a_call_bound(w, x):
    pair = (w * x, x)

    def swap(y):
        nonlocal pair
        pair = (y, y)
        return y

    return np.sum(first_and_second(y=swap(w * w * x), pair=pair))


def called_itself(w, x):
    l = used(w)
    return np.sum(l(l.forward(x)))


def an_operator_of_its_own(w, x):
    l = used(w)
    return l @ l.forward(x)


def a_property_before(w, x):
    l = used(w)
    return np.sum(l.use_nested(l.first * l.forward(x)))


def captured(w, x):
    l = used(w)

    def of_it(y):
        return l(y) + l.pair[0]

    return np.sum(of_it(l.forward(x)))


def captured_and_given(w, x):
    pair = (w * x, x)

    def swap(y):
        nonlocal pair
        pair = (y * 2, y)
        return y

    def of_both(y, given):
        return pair[0] * y + given[0]

    return np.sum(of_both(given=pair, y=swap(w * x)))


def handed_on(w, x):
    l = used(w)

    def apply(f, y):
        return f(y)

    return np.sum(apply(l, l.forward(x)))


def held_by_a_dict(w, x):
    d = {"l": used(w)}
    return np.sum(d["l"](d["l"].forward(x)))


FUNCTIONS = [
    called_itself,
    an_operator_of_its_own,
    a_property_before,
    captured,
    captured_and_given,
    handed_on,
    held_by_a_dict,
    a_network,
    a_method_of_it,
    a_method_of_it_used,
    under_a_second_name,
    the_tuple_before,
    the_tuple_before_used,
    the_tuple_after,
    both_before,
    the_object_before_the_tuple_after,
    entries,
    a_copy_of_entries,
    a_list,
    a_copy_of_a_list,
    nested_tuples,
    operators,
    a_display_before,
    a_constructor,
    a_constructor_by_keywords,
    a_constructor_in_turn,
    a_tuple,
    all_that_it_holds,
    in_place_by_keyword,
    in_place_and_the_tuple,
    three_calls,
    a_maximum,
    a_lambda,
    in_a_loop,
    a_display_that_calls,
    a_display_that_calls_first,
    a_variable_that_a_call_binds,
    a_variable_that_a_call_bound,
]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_right(f):
    check_with_a_number(f, 1.3, X)
