"""What calls change that stands in no text of the function at hand, nor in that of what it calls by name.

Methods of objects, constructors, functions that lists, dicts and caches hold, special methods, names of modules. What
was read before is kept as it was. What changes nothing is read where it stands.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import operator
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along_after, kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad

RIGHT: list[Callable[..., Any]] = []
RIGHT_OR_REFUSED: list[Callable[..., Any]] = []
right, right_or_refused = kept_in(RIGHT), kept_in(RIGHT_OR_REFUSED)
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])

T = np.array([1.0, 2.0, 3.0])
LEVEL = 1.0
here = sys.modules[__name__]


class Model:
    calls = 0

    def __init__(self):
        self.k = 2.0

    def count(self):
        type(self).calls += 1

    def step(self):
        self.count()
        return self.k


class Base:
    made = 0

    def __init__(self):
        Base.made += 1


class Below(Base):
    def __init__(self, v):
        super().__init__()
        self.v = v


class New:
    made = 0

    def __new__(cls):
        New.made += 1
        return object.__new__(cls)


@dataclasses.dataclass
class After:
    v: float
    made = 0

    def __post_init__(self):
        After.made += 1


class Bumping:
    w = np.array([1.0, 2.0])

    def bump(self):
        T[0] += 1.0


class Asked:
    n = 1.0

    @functools.cached_property
    def table(self):
        Asked.n += 1
        return 2.0

    def __str__(self):
        Asked.n += 1
        return "1"

    def __hash__(self):
        Asked.n += 1
        return 1

    def __eq__(self, other):
        return self is other

    def __lt__(self, other):
        Asked.n += 1
        return True

    def __float__(self):
        Asked.n += 1
        return 2.0

    def __index__(self):
        Asked.n += 1
        return 1

    def __array__(self, dtype=None, copy=None):
        Asked.n += 1
        return np.array([1.0, 2.0, 3.0, 4.0])

    def __divmod__(self, other):
        Asked.n += 1
        return 2, 1


class Missing:
    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        Asked.n += 1
        return 3.0


class Reader:
    """Nothing of it changes anything."""

    scale = 2.0

    def __init__(self, v):
        self.v = v

    def __len__(self):
        return 3

    def value(self):
        return self.v * self.scale


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __add__(self, other):
        return Pair(self.a + other.a, self.b)


model, bumping, first, second, missing, reader = (
    Model(),
    Bumping(),
    Asked(),
    Asked(),
    Missing(),
    Reader(2.0),
)


def up(*_):
    T[0] += 1.0


def put(t):
    t[0] += 1.0


BY_NAME: dict[str, Any] = {"up": up}
LISTED = [up]
SEEN_AS_BYTES = memoryview(T)


def louder():
    global LEVEL
    LEVEL += 1.0


def set_in_module():
    here.LEVEL = 5.0


@functools.singledispatch
def generic(_):
    return 1.0


@generic.register
def _(_: int):
    T[0] += 1.0
    return 1.0


@functools.cache
def cached(_):
    T[0] += 1.0
    return 1.0


def reset():
    global LEVEL
    LEVEL = 1.0
    T[:] = [1.0, 2.0, 3.0]
    Model.calls = Base.made = New.made = After.made = 0
    Asked.n = 1.0
    Bumping.w[:] = [1.0, 2.0]
    first.__dict__.clear()
    cached.cache_clear()


def step_model():
    model.step()


def by_name():
    BY_NAME["up"]()


def by_place():
    LISTED[0]()


def by_loop():
    for f in LISTED:
        f()


def by_any():
    any(f() for f in LISTED)


def by_partial():
    functools.partial(put, T)()


def by_setitem():
    T.__setitem__(0, 5.0)


def by_method_of_class():
    np.ndarray.fill(T, 5.0)


def by_memory():
    SEEN_AS_BYTES[0] = 9.0


def by_array_of_class():
    row = bumping.w.reshape(-1)
    row[0] *= 2


def by_setattr():
    import sys

    setattr(sys.modules[__name__], "LEVEL", LEVEL + 1)


def by_reference():
    change = bumping.bump
    change()


def texts_of(v):
    return str(v)


@right
def method_of_a_method(x):
    y = x * x * (1 + Model.calls)
    model.step()
    return np.sum(y)


@right
def method_in_a_helper(x):
    y = x * x * (1 + Model.calls)
    step_model()
    return np.sum(y)


@right
def init_above(x):
    y = x * x * (1 + Base.made)
    d = Below(2.0)
    return np.sum(y) * d.v


@right
def new_of_a_class(x):
    y = x * x * (1 + New.made)
    New()
    return np.sum(y)


@right
def after_init(x):
    y = x * x * (1 + After.made)
    d = After(2.0)
    return np.sum(y) * d.v


def changing_t(change: Callable[[], Any]) -> Callable[..., Any]:
    def read_before(x):
        y = x * x * T[0]
        change()
        return np.sum(y)

    read_before.__name__ = f"changed_{change.__name__}"
    return right(read_before)


for _change in (
    by_name, by_place, by_loop, by_any, by_partial, by_setitem, by_method_of_class, by_memory, by_reference,
):  # fmt: skip
    changing_t(_change)


@right
def run_over_here(x):
    y = x * x * T[0]
    for f in LISTED:
        f()
    return np.sum(y)


@right
def run_over_on_each_trip(x):
    s = 0.0
    for k in range(3):
        s = s * x[1] + x[k] ** 2 * T[0]
        for f in LISTED:
            f()
    return s


@right
def dispatched(x):
    y = x * x * T[0]
    return np.sum(y) * generic(1)


@right
def held_by_a_cache(x):
    y = x * x * T[0]
    return np.sum(y) * cached(1)


@right
def method_by_its_name(x):
    y = x * x * T[0]
    operator.methodcaller("bump")(bumping)
    return np.sum(y)


@right
def array_of_a_class(x):
    y = x * x * Bumping.w[0]
    by_array_of_class()
    return np.sum(y)


@right
def set_by_setattr(x):
    y = x * x * LEVEL
    by_setattr()
    return np.sum(y)


@right
def attribute_that_is_a_global(x):
    y = x * x * here.LEVEL
    louder()
    return np.sum(y)


@right
def global_that_is_an_attribute(x):
    y = x * x * LEVEL
    set_in_module()
    return np.sum(y)


def read_here(x):
    return x * x * here.LEVEL


@right
def attribute_read_by_a_helper(x):
    y = read_here(x)
    louder()
    return np.sum(y)


@right_or_refused
def lazy(x):
    y = x * x * Asked.n
    return np.sum(y) * first.table


@right_or_refused
def made_a_text(x):
    y = x * x * Asked.n
    return np.sum(y) * len(str(first))


@right_or_refused
def made_a_text_by_a_helper(x):
    y = x * x * Asked.n
    return np.sum(y) * len(texts_of(first))


@right_or_refused
def formatted(x):
    y = x * x * Asked.n
    return np.sum(y) * len(f"{first}")


@right_or_refused
def filled_in(x):
    y = x * x * Asked.n
    return np.sum(y) * len("%s" % first)  # noqa: UP031


@right_or_refused
def key_of_a_dict(x):
    y = x * x * Asked.n
    d = {first: 2.0}
    return np.sum(y) * d[first]


@right_or_refused
def put_in_order(x):
    y = x * x * Asked.n
    return np.sum(y) * len(sorted([first, second]))


@right_or_refused
def as_a_float(x):
    y = x * x * Asked.n
    return np.sum(y) * math.sqrt(first)


@right_or_refused
def as_an_array(x):
    y = x * x * Asked.n
    return np.sum(y * np.asarray(first))


@right_or_refused
def divided(x):
    y = x * x * Asked.n
    u, _ = divmod(first, 2)
    return np.sum(y) * u


@right_or_refused
def as_an_index(x):
    y = x * x * Asked.n
    return np.sum(y) * [1.0, 2.0][first]


@right_or_refused
def missing_attribute(x):
    y = x * x * Asked.n
    return np.sum(y) * missing.anything


@right_or_refused
def asked_for_an_attribute(x):
    y = x * x * Asked.n
    return np.sum(y) * hasattr(missing, "anything")


@right
def sum_of_objects(x):
    u = sum([Pair(x[0], x[1]), Pair(x[2], x[3])], Pair(0.0, 1.0))
    return u.a**2 * u.b


def only_read(x):
    return np.sum(np.sin(x) * T[0]) * len(reader) * LEVEL


@pytest.fixture(autouse=True)
def _as_it_was():
    yield
    reset()


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Callable[..., Any]) -> None:
    check_along_after(reset, function, X, X_DOT)


@pytest.mark.parametrize("function", RIGHT_OR_REFUSED, ids=named)
def test_right_or_refused(function: Callable[..., Any]) -> None:
    try:
        test_right(function)
    except NotDifferentiable as error:
        assert error.msg


def test_what_is_only_read_is_not_kept() -> None:
    reset()
    source = grad(only_read).source(X)
    assert "T[0]" in source.split("# ")[-1]
    assert "copy" not in source and "kept" not in source


def test_modules_are_told_apart() -> None:
    """A name that is bound in one module is no attribute of another."""
    other = types.ModuleType("other")
    other.LEVEL = 3.0

    def read(x):
        y = x[0] ** 2 * other.LEVEL
        louder()
        return y

    assert "other.LEVEL" in grad(read).source(X).split("# ")[-1]


CONTACT = np.eye(3)


class Epidemic:
    def __init__(self, beta):
        self.beta, self.x, self.log = beta, np.ones(3), []

    def force(self):
        return self.beta * (CONTACT @ self.x)

    def step(self):
        new = self.force()
        self.x = self.x + new
        self.log.append(new.sum())


def epidemic(beta):
    model = Epidemic(beta)
    for _ in range(4):
        model.step()
    return np.sum(np.array(model.log) ** 2)


def test_lists_are_not_kept_for_arrays_of_the_module() -> None:
    beta = np.array([0.1, 0.2, 0.3])
    text = grad(epidemic).source(beta)
    assert "log_tape" not in text and "log.copy()" not in text
    assert_close(grad(epidemic)(beta), numeric_gradient(epidemic, (beta,), 0, 1.0), "epidemic")
