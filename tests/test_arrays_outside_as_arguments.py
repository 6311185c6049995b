"""Arguments that are arrays which globals, or containers and objects outside, hold as well."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp, value_and_grad

TABLE = np.array([0.7, 0.4])
OTHER = np.array([1.0, 2.0])
BY_NAME = {"table": TABLE, "other": OTHER}
IN_A_LIST = [OTHER, TABLE]
HOLDER = types.SimpleNamespace(table=TABLE, parts=BY_NAME)
FILLED_LATER: dict[str, np.ndarray] = {}
LOG: list[float] = []


class Keeper:
    table = TABLE

    def __init__(self) -> None:
        self.inside = [TABLE]

    def __getattr__(self, name):
        raise AttributeError(name)


KEEPER = Keeper()
REFUSED: list[Callable[..., Any]] = []
TAKEN: list[Callable[..., Any]] = []


@pytest.fixture(autouse=True)
def as_they_were() -> Iterator[None]:
    """Each test begins with the same arrays outside."""
    yield
    TABLE[:] = [0.7, 0.4]
    FILLED_LATER.clear()
    LOG.clear()


# -- written to, and read outside


@REFUSED.append
def held_by_a_dict(x):
    x[0] = 5 * x[1]
    return np.sum(BY_NAME["table"] * x)


@REFUSED.append
def held_by_a_list(x):
    x *= 2
    return np.sum(IN_A_LIST[1] * x)


@REFUSED.append
def held_by_an_object(x):
    x *= 2
    return np.sum(HOLDER.table * x)


@REFUSED.append
def held_by_a_dict_of_an_object(x):
    x *= 2
    return np.sum(HOLDER.parts["table"] * x)


@REFUSED.append
def held_by_an_object_that_is_asked(x):
    x *= 2
    return np.sum(KEEPER.inside[0] * x)


@REFUSED.append
def held_by_a_class(x):
    x *= 2
    return np.sum(Keeper.table * x)


def total():
    return float(BY_NAME["table"].sum())


@REFUSED.append
def read_by_a_helper(x):
    x[0] = 5 * x[1]
    return total() * np.sum(x)


def among_several(*xs):
    xs[-1][0] = 3.0
    return np.sum(TABLE * xs[-1])


def by_keyword(x, **others):
    others["y"][0] = 3.0
    return np.sum(TABLE * others["y"] * x)


# -- changed outside


def set_first():
    TABLE[0] = 2.0


@REFUSED.append
def changed_by_a_helper(x):
    y = np.sum(x * x)
    set_first()
    return y * np.sum(x * x)


def set_in_a_dict():
    BY_NAME["table"][0] = 2.0


@REFUSED.append
def changed_in_a_dict(x):
    y = np.sum(x * x)
    set_in_a_dict()
    return y * np.sum(x * x)


@REFUSED.append
def changed_here(x):
    y = np.sum(x * x)
    BY_NAME["table"][0] = 2.0
    return y * np.sum(x * x)


@REFUSED.append
def changed_in_an_object(x):
    y = np.sum(x * x)
    HOLDER.table[0] = 2.0
    return y * np.sum(x * x)


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_an_argument_that_stands_outside(f: Callable[..., Any]) -> None:
    v = np.array([0.3, -0.2])
    calls: tuple[Callable[[np.ndarray], Any], ...] = (
        grad(f), value_and_grad(f), lambda x: jvp(f, (x,), (v,)), lambda x: hvp(f)(x, v)
    )  # fmt: skip
    for each in calls:
        with pytest.raises(ValueError, match="the argument 'x' shares memory with"):
            each(TABLE)
        with pytest.raises(ValueError, match="the argument 'x' shares memory with"):
            each(TABLE[::-1])
        each(TABLE.copy())


def test_starred_arguments_that_stand_outside() -> None:
    x = np.ones(2)
    with pytest.raises(ValueError, match="the argument 'xs' shares memory with 'TABLE'"):
        grad(among_several)(x, TABLE)
    with pytest.raises(ValueError, match="the argument 'others' shares memory with 'TABLE'"):
        grad(by_keyword)(x, y=TABLE)
    np.testing.assert_allclose(grad(by_keyword)(x, y=TABLE.copy()), TABLE * [3.0, 0.4])
    np.testing.assert_allclose(grad(by_keyword)(TABLE, y=x), TABLE * [3.0, 1.0])


# -- neither written to nor changed


def only_read(x):
    return np.sum(BY_NAME["table"] * x)


TAKEN.append(only_read)


@TAKEN.append
def noted(x):
    LOG.append(1.0)
    return np.sum(x * HOLDER.parts["other"])


@TAKEN.append
def written_beside(x):
    y = x * 2
    y[0] = 1.0
    return np.sum(BY_NAME["table"] * y)


@pytest.mark.parametrize("f", TAKEN, ids=lambda f: f.__name__)
def test_arguments_that_stay_as_they_are(f: Callable[..., Any]) -> None:
    np.testing.assert_allclose(grad(f)(TABLE), grad(f)(TABLE.copy()))


def test_what_a_container_holds_is_looked_up_at_each_call() -> None:
    def f(x):
        if FILLED_LATER:
            FILLED_LATER["x"][0] = 2.0
        return np.sum(x * x)

    gradient = grad(f)
    gradient(TABLE)
    FILLED_LATER["x"] = TABLE
    with pytest.raises(
        ValueError, match="shares memory with 'FILLED_LATER', which the function changes"
    ):
        gradient(TABLE)


def test_a_gradient_that_goes_into_what_a_dict_holds() -> None:
    with pytest.raises(ValueError, match="shares memory with 'BY_NAME'"):
        grad(only_read).into(TABLE)(np.ones(2))
