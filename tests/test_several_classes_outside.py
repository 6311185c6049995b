"""Lists, tuples and dicts of the module that hold objects of several classes: their methods take what varies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import test_lists_of_objects_outside as elsewhere
from every_mode import check_along, each_refused, each_right, kept_in, refused_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)

P, P_DOT = np.array([0.7, -0.4, 0.9]), np.array([1.0, -2.0, 0.5])


class Term:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return self.k * np.sum(self.shape(x))

    def shape(self, x):
        return x**2

    def __call__(self, x):
        return x + 0.1 * self.shape(x)

    @property
    def weight(self):
        return 2.0 * self.k

    @staticmethod
    def scaled(x):
        return 3.0 * x


class Quartic(Term):
    def shape(self, x):
        return x**4


class Cosine(Term):
    def energy(self, x, shift=0.5):
        return self.k * np.sum(np.cos(x + shift)) + super().energy(x)

    def __call__(self, x):
        return np.tanh(self.k * x)


@dataclass(frozen=True)
class Gaussian:
    mu: float
    s: float

    def logpdf(self, x):
        return -0.5 * ((x - self.mu) / self.s) ** 2 - np.log(self.s)


@dataclass(frozen=True)
class Laplace:
    mu: float
    b: float

    def logpdf(self, x):
        return -np.sqrt((x - self.mu) ** 2 + 1.0) / self.b - np.log(2 * self.b)


class Counting(Term):
    def energy(self, x):
        self.calls = getattr(self, "calls", 0) + 1
        return self.k * np.sum(x)


class Model:
    def __init__(self, terms, layers):
        self.terms = terms
        self.layers = layers

    def energy(self, x):
        for layer in self.layers.values():
            x = layer(x)
        return sum(term.energy(x) for term in self.terms)


TERMS = [Term(1.0), Quartic(2.0), Cosine(0.5)]
PAIR = (TERMS[1], TERMS[2])
WEIGHTED = [(TERMS[0], 0.5), (TERMS[2], 2.0)]
BLOCKS = [[TERMS[0], TERMS[1]], [TERMS[2]]]
PRIORS = {"a": Gaussian(0.0, 1.0), "b": Laplace(1.0, 2.0), "c": Gaussian(-1.0, 0.5)}
TABLE = {"soft": TERMS[:2], "hard": TERMS[1:]}
COUNTING = [Counting(1.0), Term(2.0)]
MODEL = Model(TERMS, {"first": TERMS[2], "second": TERMS[1]})
SOFT, HARD = TERMS[0], TERMS[2]


def applied(term, x):
    return term.energy(x) * term.weight


def total(terms, x):
    return sum(term.energy(x) for term in terms)


@followed
def run_over(x):
    total = 0.0
    for term in TERMS:
        total += term.energy(x)
    return total


@followed
def summed(x):
    return sum(term.energy(x * term.k) for term in TERMS) + sum(
        w * t.energy(x) for t, w in zip(TERMS, x, strict=True)
    )


@followed
def counted(x):
    for k, term in enumerate(TERMS):
        x = term(x) + k * term.weight
    return np.sum(x)


@followed
def by_places(x):
    h = TERMS[0](x)
    for k in range(1, len(TERMS)):
        h = TERMS[k](h)
    return TERMS[-1].energy(h)


@followed
def some_of_them(x):
    return sum(term.energy(x) for term in TERMS[1:]) * TERMS[2](x)[0]


@followed
def of_a_tuple(x):
    for term in PAIR:
        x = term(x)
    return np.sum(x)


@followed
def values_run_over(x):
    result = 0.0
    for v, prior in zip(x, PRIORS.values(), strict=True):
        result += prior.logpdf(v)
    for name, prior in PRIORS.items():
        result = result + prior.logpdf(x[0]) * len(name)
    return result


@followed
def by_computed_keys(x):
    return sum(PRIORS[k].logpdf(x[i]) * x[2] for i, k in enumerate("abc"))


@followed
def in_pairs(x):
    return sum(w * term.energy(x) for term, w in WEIGHTED)


@followed
def in_lists(x):
    for block in BLOCKS:
        for term in block:
            x = term(x)
    for name in TABLE:
        x = x * sum(term.energy(x) for term in TABLE[name])
    return np.sum(x)


@followed
def handed_on(x):
    return sum(applied(term, x) for term in TERMS) + total(TERMS, x)


@followed
def held_by_an_object(x):
    return MODEL.energy(x) * MODEL.terms[1].energy(x)


@followed
def one_or_the_other(x):
    term = SOFT if x[0] > 0.5 else HARD
    return term.energy(x)


@followed
def sorted_by_what_they_hold(x):
    strongest = max(TERMS, key=lambda term: term.k)
    return strongest.energy(x)


@followed
def of_constants(x):
    return np.sum(x) * sum(term.energy(1.5) for term in TERMS)


@followed
def inside_of_a_function(x):
    def moved(term):
        return term.energy(x + term.k)

    return sum(map(moved, TERMS))


@refused("it is not known what 'term.energy' is")
def with_a_state(x):
    return sum(term.energy(x) for term in COUNTING)


@refused("it is not known what 'term.energy' is")
def that_grows(x):
    TERMS.append(TERMS[0])
    for term in TERMS:
        x = term.energy(x) * x
    TERMS.pop()
    return np.sum(x)


class Window:
    def __init__(self, start):
        self.start = start

    def of(self, x):
        return x[self.start : self.start + 2] * self.start


class Tail(Window):
    def of(self, x):
        return x[-self.start :]


class Layer:
    def __init__(self, window, w):
        self.window = window
        self.w = w
        self.at = {"k": 2.0}

    def forward(self, x):
        return np.sum(self.act(self.window.of(x) * self.w)) * self.at["k"] + np.sum(self.w)


class Squared(Layer):
    def act(self, x):
        return x**2


class Bent(Layer):
    def act(self, x):
        return np.tanh(x)


LAYERS = [Squared(Window(1), np.array([1.0, 2.0])), Bent(Window(1), np.array([0.5, 3.0]))]
MIXED = [Squared(Window(1), np.array([1.0, 2.0])), Bent(Tail(2), np.array([0.5, 3.0]))]


@followed
def what_they_hold(x):
    return sum(layer.forward(x) for layer in LAYERS) * x[0]


@followed
def what_they_hold_of_several_classes(x):
    total = 1.0
    for layer in MIXED:
        total *= layer.forward(x)
    return total


@refused("it is not known what 'layer.forward' is")
def changed_meanwhile(x):
    first = sum(layer.forward(x) for layer in LAYERS)
    LAYERS[0].window = Tail(2)
    LAYERS[1].w = np.array([2.0, 2.0])
    return first * sum(layer.forward(x) for layer in LAYERS)


def test_by_a_key_that_is_given() -> None:
    def density(x, name):
        return PRIORS[name].logpdf(x)

    for name, prior in PRIORS.items():
        slope = (prior.logpdf(0.3 + 1e-6) - prior.logpdf(0.3 - 1e-6)) / 2e-6
        np.testing.assert_allclose(grad(density)(0.3, name), slope, rtol=1e-7)


def test_objects_of_another_class_are_looked_into_anew() -> None:
    gradient, before = grad(run_over), TERMS.copy()
    gradient(P)
    try:
        TERMS[:] = [PRIORS["a"], *before]
        with pytest.raises(SyntaxError):
            gradient(P)
        TERMS[:] = before[:1]
        check_along(run_over, P, P_DOT)
        TERMS[:] = [before[2], type("Cubic", (Term,), {"shape": lambda self, x: x**3})(2.0)]
        check_along(run_over, P, P_DOT)
    finally:
        TERMS[:] = before
    check_along(run_over, P, P_DOT)


def test_a_method_that_an_object_hides_is_seen() -> None:
    gradient = grad(run_over)
    gradient(P)
    TERMS[1].energy = lambda x: 7.0 * np.sum(x)
    try:
        with pytest.raises(SyntaxError):
            gradient(P)
    finally:
        del TERMS[1].energy


def made_of_classes_without_a_name():
    class Half:
        def of(self, x):
            return 0.5 * np.sum(x**2)

    class Twice:
        def of(self, x):
            return 2 * np.sum(x**3)

    return [Half(), Twice()]


NAMELESS = made_of_classes_without_a_name()


@refused("one that it may be has no name")
def of_classes_without_a_name(x):
    return sum(term.of(x) for term in NAMELESS)


@followed
def of_another_module(x):
    for layer in elsewhere.MIXED:
        x = layer.forward(x)
    return np.sum(x)


test_right = each_right(FUNCTIONS, P, P_DOT)
test_refused = each_refused(REFUSED, P)
