"""Polynomials of `np.polynomial`: values, bases, derivatives and integrals of every family, in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def of_chebyshev(x):
    slopes = chebyshev.chebval(np.sin(x), chebyshev.chebder(x))
    areas = chebyshev.chebval(x[0], chebyshev.chebint(x, 2))
    return np.sum(slopes**2) + areas * np.sum(np.cos(chebyshev.chebvander(x / 3, 3)) @ x)


@form
def of_legendre(x):
    nodes, weights = legendre.leggauss(5)
    area = weights @ (legendre.legval(nodes * x[0], x) ** 2)
    basis = legendre.legvander(np.outer(x, x), 2)
    return area * np.sum(np.sin(basis)) + legendre.legval(x[1], legendre.legder(x, 2)) ** 2


@form
def of_hermite_and_laguerre(x):
    waves = hermite.hermval(x, x) * hermite_e.hermeval(x / 2, hermite_e.hermeint(x))
    decays = laguerre.lagval(x, laguerre.lagder(x)) + laguerre.lagvander(x, 0)[:, 0]
    return np.sum(waves * decays) + np.sum(hermite.hermvander(x[2], 3) * x)


@form
def of_powers(x):
    areas = polynomial.polyval(x, polynomial.polyint(x))
    bends = polynomial.polyval(x, polynomial.polyder(x, 2))
    return np.sum(areas * bends) + np.sum(polynomial.polyvander(x, 3) @ np.sin(x))


@form
def by_quadrature(x):
    s = 0.0
    for maker in (legendre.leggauss, hermite.hermgauss, laguerre.laggauss):
        nodes, weights = maker(4)
        for place, weight in zip(nodes, weights):
            shape = np.array([(1 - place) / 2, (1 + place) / 2])
            s += weight * np.tanh(shape @ x[:2]) ** 2
    nodes, weights = hermite_e.hermegauss(3)
    bends = np.exp(-x[2] * nodes[:, None] ** 2 + x / 9)
    return s + np.sum(weights[:, None] * bends)


def test_nodes_and_weights_are_arrays() -> None:
    def f(x):
        nodes, weights = legendre.leggauss(4)
        s = 0.0
        for place, weight in zip(nodes, weights):
            s += weight * (x[0] * place + x[1]) ** 2
        return s

    text = grad(f).source(np.ones(2))
    assert "unbroadcast" not in text
    assert "np.copy" not in text


test_every_mode = each_right(
    FUNCTIONS, np.array([0.7, 0.4, 0.9, -0.55]), np.array([0.3, -1.0, 0.4, 0.6])
)
