"""The interpreter is left as it was, however many generate at once."""

import gc
import sys
import threading

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad
from tangentish.calling.dispatch import forget_generated
from tangentish.generation.interpreter import generating
from tests.size_programs import program


def settings():
    return sys.getrecursionlimit(), gc.isenabled()


def test_settings_come_back():
    before = settings()
    grad(lambda x: np.sum(x**2))(np.ones(3))
    assert settings() == before


def test_settings_come_back_after_a_refusal():
    before = settings()
    with pytest.raises(NotDifferentiable):
        grad(lambda x: eval(x))(1.0)
    assert settings() == before


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    try:
        grad(lambda x: np.sum(x**3))(np.ones(3))
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_last_of_several_threads_sets_things_back():
    before = settings()
    inside, leave = threading.Barrier(3), threading.Event()

    def hold():
        with generating():
            inside.wait()
            leave.wait()

    threads = [threading.Thread(target=hold) for _ in range(2)]
    for thread in threads:
        thread.start()
    with generating():
        inside.wait()
    assert not gc.isenabled()  # two are still at it
    leave.set()
    for thread in threads:
        thread.join()
    assert settings() == before


@pytest.mark.parametrize("family", ["stores", "many_stores_in_one_loop", "branches"])
def test_what_is_known_of_a_function_is_freed_without_the_collector(family):
    """A cycle through it would have the collector look through all of it at the end of each generation."""
    gradient = grad(program(family, 100))
    forget_generated()  # what others left is not counted
    gc.collect()
    gc.disable()
    try:
        gradient.source(np.ones(3), 2.5)
        assert gc.collect() < 2000  # 6,000 to 12,000 once
    finally:
        gc.enable()
