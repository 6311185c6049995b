"""A gradient that goes on as that of the same name is added to in place, where nobody reads what it was any more."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

IN_PLACE = []
in_place = kept_in(IN_PLACE)
ELSEWHERE = []
elsewhere = kept_in(ELSEWHERE)
W = np.array([0.7, 0.4, 0.9, 0.55])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])
X = np.random.default_rng(0).normal(size=(4, 4))


@in_place
def descended(w):
    for _ in range(3):
        w = w - 0.1 * (X @ w)
    return np.sum(w**2)


@in_place
def descended_along_itself(w):
    for _ in range(3):
        w = w - 0.1 * np.sin(w)
    return np.sum(w)


@in_place
def line_by_line(w):
    w = w + np.sin(X @ w)
    w = w * 2 + np.cos(X @ w)
    return np.prod(w)


@in_place
def on_one_way(w):
    for k in range(4):
        if k % 2:
            w = w + np.tanh(X @ w)
    return np.sum(w**3)


def spread_out(w):
    state, spread, total = w, 4.0 * np.eye(4), 0.0
    drift = w[0] ** 2
    for k in range(3):
        spread = X @ spread @ X.T + drift * X
        variance = w @ spread @ w + 1.0
        gain = spread @ w / variance
        total += np.log(variance) + state[k] * k
        state = state + gain * k
        spread = spread - np.outer(gain, w @ spread)
    return total


@in_place
def kept_in_a_list(w):
    kept = []
    for _ in range(3):
        w = w - 0.1 * np.sin(X @ w)
        kept.append(w)
    return np.sum(kept[0] * kept[1] ** 2) + np.sum(kept[2] ** 3)


@in_place
def two_that_take_turns(w):
    v = np.ones(4)
    for _ in range(3):
        v, w = w + np.sin(X @ w), v * 2
    return np.sum(v**2 * w)


@elsewhere
def read_again(w):
    before = w
    for _ in range(3):
        v = w
        w = w + np.sin(X @ v)
        before = before + v * w
    return np.sum(before * w)


@elsewhere
def a_part_that_stays(w):
    s = 0.0
    for _ in range(3):
        part = w[1:]
        w = w + np.sin(X @ w)
        s = s + np.sum(part * w[:-1])
    return s + np.sum(w)


@elsewhere
def the_difference_of_two(w):
    v = w
    for _ in range(3):
        w = w + 0.1 * np.sin(X @ v)
        v = w - v
    return np.sum(v * w)


@elsewhere
def handed_to_both(w):
    a = w
    for _ in range(3):
        w = a + np.sin(X @ w)
        a = a + np.cos(X @ w)
    return np.sum(a * w)


@pytest.mark.parametrize("function", IN_PLACE + ELSEWHERE, ids=named)
def test_numbers(function):
    check_along(function, W, ALONG)


@pytest.mark.parametrize("function", IN_PLACE, ids=named)
def test_texts(function):
    assert " = dw + " not in (text := grad(function).source(W)) and " = dw - " not in text


def test_one_name_for_the_gradient_before_and_after_a_line():
    check_along(spread_out, W, ALONG)
    assert "dspread_1" not in grad(spread_out).source(W)


def what_is_made_has_no_other_name(w):
    return np.sum(np.exp(w) - w**2 * w)


def test_nothing_is_copied_to_be_added_to():
    check_along(what_is_made_has_no_other_name, W, ALONG)
    for function in (*IN_PLACE, *ELSEWHERE, what_is_made_has_no_other_name):
        assert ".copy()" not in grad(function).source(W), named(function)


def layers(params, x):
    for w, b in params:
        x = np.tanh(x @ w + b)
    for w, _ in params:
        x = x * np.sum(w * w)
    return np.sum(x)


def of_layers(w):
    return layers([(v * np.outer(w, w), v * w) for v in w[:2]], w)


def layers_that_change_places(w):
    params = [(v * np.outer(w, w), v * w) for v in w[:3]]
    params[0], params[1] = params[1], (params[2][0], params[0][1])
    return layers(params, w) + np.sum(layers(params[1:], w) * w)


def one_array_in_two_layers(w):
    b = np.sin(w)
    return layers([(v * np.outer(w, b), b) for v in w[:2]] + [(np.outer(w, b), w)], b)


@pytest.mark.parametrize(
    "function", [of_layers, layers_that_change_places, one_array_in_two_layers], ids=named
)
def test_layers(function):
    check_along(function, W, ALONG)


def test_parts_of_a_list_of_layers():
    text = grad(layers).source([(X, W), (X, W)], W)
    assert text.count("dparams[i][0] += dw\n") == 2 and "dparams[i][1] += dt\n" in text


def test_the_head_gradient_stays():
    from tangentish import vjp

    def stepped(w):
        return w + np.sin(w)

    _, pullback = vjp(stepped, W)
    head = np.ones(4)
    (once,), (twice,) = pullback(head), pullback(head)
    assert np.all(head == 1.0)
    np.testing.assert_allclose(once, 1 + np.cos(W))
    np.testing.assert_allclose(twice, once)
