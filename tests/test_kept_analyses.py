"""Derivatives of one function share its analysis: none shows in its text, or its value, which others were there before."""

from __future__ import annotations

import gc
import threading
from dataclasses import replace

import numpy as np
import pytest
from corpus import PROGRAMS, Program

from tangentish import adjoint, grad, jvp, value_and_grad, vjp
from tangentish.analysis.reached import Analysis
from tangentish.calling.dispatch import derivative, forget_generated, request
from tangentish.derive import analyses

MODES = ("grad", "vjp", "jvp", "value_and_grad")


def text(program: Program, mode: str) -> str:
    asked = request(program.function, program.wrt, "grad", False).asked
    asked = replace(asked, mode=mode, single=False)
    try:
        return derivative(program.function, asked).source(*program.args())
    except TypeError as error:  # several outputs
        return str(error)


@pytest.mark.parametrize("program", list(PROGRAMS.values())[::40], ids=lambda p: p.name)
def test_texts_do_not_depend_on_what_was_generated_before(program: Program) -> None:
    alone = {}
    for mode in MODES:
        forget_generated()
        alone[mode] = text(program, mode)
    for order in (MODES, MODES[::-1]):
        forget_generated()
        assert {mode: text(program, mode) for mode in order} == alone


def helper(x):
    return x * 2


def calls_a_helper(x):
    return np.sum(helper(x) * x)


def test_a_helper_that_changes_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.array([1.0, 3.0])
    assert grad(calls_a_helper)(x).tolist() == [4, 12]
    monkeypatch.setitem(globals(), "helper", lambda x: x * x)
    assert vjp(calls_a_helper, x)[1](1.0)[0].tolist() == [3, 27]


def test_a_rule_that_is_registered_counts_from_then_on() -> None:
    def cube(x):
        return x**3

    def f(x):
        return cube(x) * 1.0

    assert grad(f)(2.0) == 12.0

    @adjoint(cube)
    def cube_adjoint(dy, y, x):
        return dy * 100.0

    assert value_and_grad(f)(2.0) == (8.0, 100.0)


def test_an_error_while_a_derivative_is_made_leaves_nothing_behind() -> None:
    def with_a_list(x):
        return [x, 2 * x]

    for _ in range(2):
        with pytest.raises(TypeError):
            grad(with_a_list)(1.0)
        assert vjp(with_a_list, 1.0)[1]([1.0, 1.0]) == (3.0,)


def test_threads_that_ask_at_once_get_the_same() -> None:
    def f(w, x):
        t = w * 1.0
        for i in range(len(x)):
            t[0] = np.sin(t[0]) * x[i]
        return np.sum(t)

    w, x, one = np.array([0.3, 0.4]), np.array([0.5, 0.6, 0.7]), np.ones(2)
    expected = grad(f)(w, x)
    for _ in range(5):
        forget_generated()
        found = []

        def ask(mode: int, found=found) -> None:
            if mode == 0:
                found.append(grad(f)(w, x) @ one)
            elif mode == 1:
                found.append(vjp(f, w, x)[1](1.0)[0] @ one)
            else:
                found.append(jvp(f, (w, x), (one, np.zeros(3)))[1])

        threads = [threading.Thread(target=ask, args=(k % 3,)) for k in range(9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 9
        np.testing.assert_allclose(found, expected @ one, rtol=1e-12)


def test_a_derivative_does_not_keep_what_it_was_made_from() -> None:
    def f(x):
        return x * helper(x)

    gradient = grad(f)
    assert gradient(3.0) == 12.0
    analyses.forget()
    gc.collect()
    mine = [a for a in gc.get_objects() if type(a) is Analysis and a.source.function is f]
    assert not mine
    assert gradient(4.0) == 16.0
