"""What a call changes that it was not given: globals, captured variables, modules and classes. It is right, or refused.

So is what the special methods of objects change, which no line calls.

A function finds them by its own names. What was read of them before is read again on the way back, so that the forward
pass has to keep it.
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along_after, kept_in, named, refused_in
from numeric import assert_close

from tangentish import NotDifferentiable, grad, vjp

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
RIGHT_OR_REFUSED: list[Callable[..., Any]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)
right_or_refused = kept_in(RIGHT_OR_REFUSED)
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])

METHOD = "what becomes of this method is not known"
LATER = "at a time that is not followed"
SPECIAL = "which changes something: call a method instead"
ANYTHING = "asks for globals, exec or eval"

T = np.ones(4)
U = np.ones((2, 4))
ALIAS = T
PAIR = (T, 2.0)
GL = [1.0, 2.0]
GS = {1, 2}
GD = {"k": 1.0}
HELD = {"t": T}
G = 2.0
config = types.ModuleType("config")


class Cfg:
    scale = 2.0
    table = np.ones(4)

    @classmethod
    def up(cls):
        cls.scale = cls.scale + 3

    @staticmethod
    def fill():
        Cfg.table[0] = 5.0


class Sub(Cfg):
    pass


class Box:
    def __init__(self):
        self.t = np.ones(4)
        self.n = 1.0

    def change(self):
        self.t[0] = 5.0

    def step(self):
        self.n = self.n + 1.0


BOX = Box()


def reset():
    global G
    T.fill(1.0)
    U.fill(1.0)
    GL[:] = [1.0, 2.0]
    GS.update((1, 2))
    GD.update(k=1.0)
    G = 2.0
    config.scale, config.table = 2.0, T
    Cfg.scale = 2.0
    Cfg.table[:] = 1.0
    BOX.t[:] = 1.0
    BOX.n = 1.0


def set_t():
    T[0] = 5.0


def set_t_by_another_name():
    t = T
    t[0] = 5.0


def set_t_in_a_loop():
    for row in (T, T[1:]):
        row += 1.0


def set_t_by_a_helper():
    fill_first(T)


def set_t_deep():
    set_t_by_a_helper()


def fill_first(t):
    t[0] = 5.0


def set_by_alias():
    ALIAS[0] = 5.0


def set_by_pair():
    PAIR[0][0] = 5.0


def set_by_dict():
    HELD["t"][0] = 5.0


def add_to_t():
    np.add.at(T, 0, 4.0)


def multiply_t():
    np.multiply(T, 3.0, out=T)


def copy_to_t():
    np.copyto(T, 3.0)


def set_row():
    U[0] *= 3.0


def set_gl():
    GL[0] = 5.0


def append_gl():
    GL.append(5.0)


def clear_gs():
    GS.clear()


def del_gd():
    del GD["k"]


def set_global():
    global G
    G = G + 3.0


def set_module():
    config.scale = 5.0


def set_module_by_setattr():
    setattr(config, "scale", 5.0)  # noqa: B010


def set_module_by_vars():
    vars(config).update(scale=5.0)


def set_module_given(m):
    m.scale = 5.0


def set_array_of_module():
    config.table[0] = 5.0


def set_globals():
    globals()["G"] = 5.0


def change_box():
    BOX.change()


def step_box():
    BOX.step()


def read_t():
    return float(np.sum(T))


def key_of_t(k):
    T[k] = 5.0
    return k


def set_and_give():
    T[0] = 5.0
    return 2.0


@right
def global_array(x):
    y = np.dot(T, x)
    set_t()
    return y**2


@right
def global_array_twice(x):
    y = np.dot(T, x)
    set_t()
    y = y * np.dot(T, x)
    set_t_in_a_loop()
    return y**2 + T @ x


@right
def global_array_in_a_loop(x):
    s = 0.0
    for k in range(3):
        s = s * x[1] + np.dot(T, x) * x[k]
        set_t_in_a_loop()
    return s


@right
def by_another_name(x):
    y = T @ x
    set_t_by_another_name()
    return y**2


@right
def by_a_local_name(x):
    t = T
    y = t @ x
    set_t()
    return y**2


@right
def by_a_view(x):
    t = T[1:]
    y = t @ x[1:]
    set_t_in_a_loop()
    return y**2


@right
def by_a_transposed_view(x):
    y = np.sum(U.T @ x[:2])
    set_row()
    return y**2


@right
def row_of_a_matrix(x):
    y = U[0] @ x
    set_row()
    return y**2


@right
def element(x):
    y = T[0] * x[0]
    set_t()
    return y**2


@right
def elements_run_over(x):
    s = 0.0
    for t in T:
        s = s * x[1] + t * x[0] ** 2
    set_t()
    return s


@right
def elements_and_others_run_over(x):
    s = 0.0
    for t, v in zip(T, x):
        s = s * x[1] + t * v**2
    set_t()
    return s


@right
def rows_run_over(x):
    s = 0.0
    for row in U:
        s = s * x[1] + row @ x
        set_row()
    return s


@right
def by_a_helper_of_a_helper(x):
    y = T @ x
    set_t_deep()
    return y**2


@right
def alias_of_a_global(x):
    y = T @ x
    set_by_alias()
    return y**2


@right
def global_in_a_tuple(x):
    y = T @ x
    set_by_pair()
    return y**2


@right
def read_of_a_tuple(x):
    y = PAIR[0] @ x * PAIR[1]
    set_t()
    return y**2


@right
def global_in_a_dict(x):
    y = T @ x
    set_by_dict()
    return y**2


@right
def by_add_at(x):
    y = T @ x
    add_to_t()
    return y**2


@right
def by_out(x):
    y = T @ x
    multiply_t()
    return y**2


@right
def by_copyto(x):
    y = T @ x
    copy_to_t()
    return y**2


@right
def within_an_expression(x):
    return np.dot(T, x) ** 2 * set_and_give() * x[0]


@right
def in_a_function_that_is_followed(x):
    def part(v):
        y = T @ v
        set_t()
        return y**2

    return part(x) * x[0]


def read_by_another(v):
    return np.sum(np.sin(v) * T)


@right
def read_in_another_function(x):
    y = read_by_another(x)
    set_t()
    return y**2


@right
def asked_element(x):
    y = x[0] ** 2 if T[0] < 2 else x[1] ** 3
    set_t()
    return y * x[2]


@right
def asked_on_a_line(x):
    if T[0] < 2:
        y = x[0] ** 2
    else:
        y = x[1] ** 3
    set_t()
    return y


@right
def asked_all(x):
    y = np.sum(np.where(T < 2, x**2, x**3))
    set_t()
    return y


@right
def index_of_a_global(x):
    y = x[np.argmax(T)] ** 2
    set_t_in_a_loop()
    return y


@right
def captured_array(x):
    t = np.ones(4)

    def w():
        t[0] = 5.0

    y = t @ x
    w()
    return y**2


@right
def captured_by_a_lambda(x):
    t = np.ones(4)
    p = lambda: fill_first(t)
    y = t @ x
    p()
    return y**2


@right
def captured_by_two(x):
    t = np.ones(4)

    def w():
        t[0] = 5.0

    def again():
        w()

    y = t @ x
    again()
    return y**2


@right
def captured_in_a_loop(x):
    t = np.ones(4)

    def w(k):
        t[k] = 5.0

    s = 0.0
    for k in range(3):
        s = s * x[1] + np.sin(t @ x)
        w(k)
    return s


@right
def captured_and_given_as_a_key(x):
    t = np.ones(4)

    def w(k):
        t[k] = 5.0
        return k

    y = t @ x
    z = max([3, 1], key=w)
    return y**2 * z


@right
def global_given_as_a_key(x):
    y = T @ x
    z = max([3, 1], key=key_of_t)
    return y**2 * z


@right
def global_list_in_a_loop(x):
    s = 0.0
    for k in range(3):
        s = s * x[1] + x[k] ** 2 * sum(GL)
        if k == 1:
            set_gl()
    return s


@right
def global_list_that_grows(x):
    s = 0.0
    for k in range(3):
        s = s * x[1] + x[k] ** 2 * len(GL)
        append_gl()
    return s


@right
def global_set_in_a_loop(x):
    s = 0.0
    for k in range(3):
        if 1 in GS:
            s = s + x[0] ** 2
        else:
            s = s * x[1]
        if k == 1:
            clear_gs()
    return s


@right
def global_key_deleted(x):
    y = x[0] ** 2 if "k" in GD else x[1] ** 3
    del_gd()
    return y * x[2]


@right
def global_number(x):
    y = x[0] * G
    set_global()
    return y**2 * G


@right
def attribute_of_a_module(x):
    y = x[0] * config.scale
    set_module()
    return y**2


@right
def attribute_of_a_module_in_a_loop(x):
    s = 0.0
    for k in range(3):
        s = s * x[1] + x[k] * config.scale
        if k == 1:
            set_module()
    return s


@right
def attribute_of_a_module_tested(x):
    if config.scale < 3:
        y = x[0] ** 2
    else:
        y = x[1] ** 3
    set_module()
    return y


@right
def attribute_set_by_setattr(x):
    y = x[0] * config.scale
    set_module_by_setattr()
    return y**2


@right
def attribute_set_by_vars(x):
    y = x[0] * config.scale
    set_module_by_vars()
    return y**2


@right
def module_given(x):
    y = x[0] * config.scale
    set_module_given(config)
    return y**2


@right
def array_of_a_module(x):
    y = config.table @ x
    set_array_of_module()
    return y**2


@right
def attribute_of_a_class(x):
    y = x[0] * Cfg.scale
    Cfg.up()
    return y**2


@right
def attribute_of_a_class_above(x):
    y = x[0] * Sub.scale
    Cfg.up()
    return y**2


@right
def array_of_a_class(x):
    y = Cfg.table @ x
    Cfg.fill()
    return y**2


@right_or_refused
def array_of_a_global_object(x):
    y = BOX.t @ x
    change_box()
    return y**2


@right
def number_of_a_global_object(x):
    s = 0.0
    for k in range(3):
        s = s * x[1] + BOX.n * x[k] ** 2
        step_box()
    return s


@right_or_refused
def partial_of_a_function(x):
    p = functools.partial(fill_first, T)
    y = T @ x
    p()
    return y**2


@refused(METHOD)
def bound_method(x):
    t = np.ones(4)
    f = t.fill
    y = t @ x
    f(3.0)
    return y**2


@refused(METHOD)
def bound_method_of_a_global(x):
    f = T.fill
    y = T @ x
    f(3.0)
    return y**2


@refused(METHOD)
def bound_store(x):
    t = np.ones(4)
    f = t.__setitem__
    y = t @ x
    f(0, 3.0)
    return y**2


@refused(METHOD)
def partial_of_a_method(x):
    t = np.ones(4)
    f = functools.partial(t.fill, 3.0)
    y = t @ x
    f()
    return y**2


@refused(METHOD)
def method_in_a_list(x):
    t = np.ones(4)
    y = t @ x
    [t.fill][0](3.0)
    return y**2


def writing(t):
    for k in range(3):
        t[k] = 5.0
        yield k


def writing_outside():
    for k in range(3):
        T[k] = 5.0
        yield k


@contextlib.contextmanager
def managed(t):
    t[0] = 5.0
    yield


@contextlib.contextmanager
def managed_outside():
    T[0] = 5.0
    yield
    T[1] = 7.0


class Manager:
    def __init__(self, t):
        self.t = t

    def __enter__(self):
        self.t[0] = 5.0
        return self

    def __exit__(self, *error):
        self.t[1] = 7.0


@refused(LATER)
def generator_writes(x):
    t = np.ones(4)
    y = t @ x
    for _ in writing(t):
        y = y + t @ x
    return y**2


@right
def generator_writes_outside(x):
    y = T @ x
    for _ in writing_outside():
        y = y * x[0] + T @ x
    return y**2


@refused(LATER)
def manager_writes(x):
    t = np.ones(4)
    y = t @ x
    with managed(t):
        pass
    return y**2


@refused(LATER)
def manager_of_a_class_writes(x):
    t = np.ones(4)
    y = t @ x
    with Manager(t):
        y = y * (t @ x)
    return y**2


@right
def manager_writes_outside(x):
    y = T @ x
    with managed_outside():
        y = y * (T @ x)
    return y**2 + T @ x


@refused(ANYTHING)
def by_globals(x):
    y = x[0] * G
    set_globals()
    return y**2


@right
def changed_before_it_is_read(x):
    set_t()
    return np.sin(T @ x)


class Counting:
    """Whatever Python calls of it counts."""

    def __init__(self):
        self.a = 1.0

    def count(self, *_):
        self.a = self.a + 1.0
        return 1.0

    __getitem__ = __eq__ = __neg__ = __add__ = __radd__ = __contains__ = __float__ = count
    __hash__ = None

    def __len__(self):
        self.a += 1.0
        return 3

    def __bool__(self):
        self.a += 1.0
        return True

    def __iter__(self):
        self.a += 1.0
        return iter([1.0, 2.0])

    def __enter__(self):
        self.a += 1.0

    def __exit__(self, *_):
        self.a += 1.0


@right_or_refused
def special_with(x):
    o = Counting()
    y = o.a * x[0]
    with o:
        pass
    return y**2 * o.a


@right_or_refused
def special_loop(x):
    o = Counting()
    y = o.a * x[0]
    for _ in o:
        pass
    return y**2 * o.a


@right
def special_comparison(x):
    o = Counting()
    y = o.a * x[0]
    _ = o == 1
    return y**2 * o.a


@right
def special_truth(x):
    o = Counting()
    y = o.a * x[0]
    if o:
        pass
    return y**2 * o.a


@refused(SPECIAL)
def special_item_read_again(x):
    o = Counting()
    return x[0] * o[0] * x[1]


@refused(SPECIAL)
def special_length(x):
    o = Counting()
    s = 0.0
    for v in x[:2]:
        s += np.sin(v * len(o)) * o.a
    return s


@right
def special_minus(x):
    o = Counting()
    y = o.a * x[0]
    _ = -o
    return y**2 * o.a


@right
def special_member(x):
    o = Counting()
    y = o.a * x[0]
    _ = 1 in o
    return y**2 * o.a


def plain_reader(x):
    return np.sum(np.sin(x) * T) * read_t()


@pytest.fixture(autouse=True)
def _as_it_was():
    yield
    reset()


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Callable[..., Any]) -> None:
    numeric = check_along_after(reset, function, X, X_DOT)
    reset()
    value, pull = vjp(function, X.copy())
    reset()
    assert_close(pull(np.ones_like(value))[0], numeric, function.__name__)


@pytest.mark.parametrize("function", RIGHT_OR_REFUSED, ids=named)
def test_right_or_refused(function: Callable[..., Any]) -> None:
    try:
        test_right(function)
    except NotDifferentiable as error:
        assert error.msg


@pytest.mark.parametrize(("function", "reason"), REFUSED, ids=lambda f: getattr(f, "__name__", ""))
def test_refused(function: Callable[..., Any], reason: str) -> None:
    reset()
    with pytest.raises(NotDifferentiable) as error:
        grad(function)(X)
    assert any(reason in one.message for one in error.value.refusals)


def test_what_is_only_read_is_not_copied() -> None:
    reset()
    assert "copy" not in grad(plain_reader).source(X)
