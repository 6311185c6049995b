"""What is asked of an array or a number that may be a DataFrame, a list or a number elsewhere: known beforehand."""

from __future__ import annotations

from collections.abc import Callable, KeysView
from typing import Any

import numpy as np
import pytest
from every_mode import check_refused, each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
X = np.array([0.7, 1.3])
right = kept_in(FUNCTIONS)


class Series:
    def __init__(self, values):
        self.values = values
        self.index = range(len(values))


@right
def with_an_index(x):
    out = {"a": x * 2}
    if hasattr(x, "index"):
        out = Series(out, index=x.index)
    return np.sum(out["a"] * x)


@right
def values_or_itself(x):
    v = getattr(x, "values", x)
    s = getattr(x[0], "iloc", 2.0) * x[1]
    return np.sum(v * v) * getattr(x, "size", 1) * s + (3.0 if hasattr(x, "mro") else 5.0) * x[0]


@right
def an_attribute_of_either(x):
    y = x[1]
    if x[0] > 5:
        y = None
    return x[0] * 3 if hasattr(y, "imag") else x[1]


@right
def a_mask_that_it_has_not(x):
    state = np.zeros(2)
    for z in (x, x * x):
        if not np.any(np.ma.getmask(z)):
            state = state + 0.3 * (z**2 - state)
        else:
            state = state * 2.0
    if np.ma.getmask(x) is np.ma.nomask and not np.ma.isMaskedArray(state):
        state = state * x[::-1]
    weights = 1.0 - np.ma.getmaskarray(x)
    return np.sum(np.ma.getdata(state) * weights) + (3.0 if np.ma.is_masked(x) else x[1])


@right
def a_mask_of_what_is_shared(x):
    known = np.ones(2)
    rows = [known, known]

    def corrected(v, a, b):
        return v * a if np.any(np.ma.getmask(a)) else v * v * a + b

    return np.sum(corrected(x, *rows))


@right
def the_class_it_has(x):
    if x.__class__ is not np.ndarray or "list" in x[0].__class__.__name__:
        raise TypeError(f"{x.__class__.__name__} is no array")
    return np.sum(x * x)


@right
def types_compared(x):
    y = x[0]
    if type(x) is not np.ndarray or type(y) == np.ndarray:  # noqa: E721
        y = y[0]
    if type(y) in (list, tuple, np.ndarray):
        y = y[0]
    if isinstance(y, type(np.array([]))):
        y = y[0]
    if type(y) not in (np.matrix, np.ndarray) and type(x) == np.ndarray:  # noqa: E721
        y = y * x[1]
    return y * y


@right
def types_under_names(x):
    t = type(x)
    if t is list or t in (tuple, float):
        return x.pop()
    one, number = type((x[0], x)), type(x[1])
    if t is np.ndarray and one is not np.ndarray and number is not dict and type("x") is str:
        return x[0] * x[1] ** 2
    return x[0]


def is_symbol(x):
    t = type(x)
    if t == np.ndarray and x.dtype != "O":
        return False
    for plain in (float, int, str, type(None)):
        if t == plain:
            return False
    if t is Series:
        return True
    if issubclass(t, list) or issubclass(t, tuple):
        for v in x:
            if is_symbol(v):
                return True
        return False
    return any(is_symbol(v) for v in x.items()) if issubclass(type(x), dict) else False


def stacked(parts):
    return parts.values() if is_symbol(parts) else np.stack(parts)


@right
def types_derived_of_others(x):
    y = stacked((x, stacked([x[0], 2 * x[1]])))
    return np.sum(y**2) if not is_symbol(y[0, 0]) else y.values()


@right
def types_told_by_their_names(x):
    if "sympy" in str(type(x)) or type(x).__name__ != "ndarray" or type(x[0]).__name__ == "Symbol":
        from sympy import sin
    else:
        sin = np.sin
    y = [v.pop() if type(v).__name__ == "list" else v for v in x]
    return sin(y[0]) * y[1] ** 2 if type(x).__module__ == "numpy" and "nd" in "ndarray" else x.pop()


@right
def types_of_all_items(x):
    if any("sympy" in str(type(v)) for v in x) or not all(not hasattr(v, "mro") for v in x):
        from sympy import eye
    else:
        eye = np.eye
    M = eye(3)
    M[:2, 2] = x
    one = any(v > 1.0 for v in x) and not all(isinstance(v, float) and v > 1.0 for v in x)
    return np.sum(M**3) * x[0] if one else x[1]


@right
def a_type_of_one_of_two(x):
    y = x[0] if x[0] < 5 else x
    t = type(y)
    return x[0] * x[1] if issubclass(t, np.ndarray) else x[0] ** 2 * x[1]


def namespace(*arrays):
    return arrays[0].__array_namespace__()


@right
def functions_of_its_namespace(x):
    xp = namespace(x, x)
    y = xp.asarray([x[0], x[1] ** 2], dtype=x.dtype, device=x.device)
    z = xp.zeros(2, dtype=x.dtype, device=x.device)
    z[0] = xp.linspace(x[0], x[1], 3, device=x.device)[1]
    return xp.linalg.norm(xp.concat([y, z])) * xp.pi


class Model:
    def __init__(self, x):
        self.xp, self.x = x.__array_namespace__(), x

    def run(self):
        return self.xp.sum(self.xp.exp(self.x))


@right
def a_namespace_that_an_object_keeps(x):
    total = 0.0
    for v in (x, x * 2):
        total = total + v.__array_namespace__().sum(v * x)
    return Model(x).run() * total


compat = pytest.importorskip("scipy._lib.array_api_compat")


@right
def functions_of_a_namespace_beside_numpy(x):
    if compat.is_torch_array(x) or not compat.is_numpy_array(x):
        return x.numpy()
    xp = compat.array_namespace(x, x[0])
    return xp.sum(xp.sin(x * xp.ones(2, device=compat.device(x))), axis=0)


@right
def types_that_may_differ(x):
    y = x[0]
    if type(y) is float:
        return y * 2
    return y * (3 if type(y) is np.float64 else 4) * x[1]


@right
def filled_in_place(x):
    y = x * 2
    try:
        y.fillna(0, inplace=True)
    except AttributeError:
        y = np.where(np.isnan(y), 0, y * x)
    return np.sum(y)


@right
def taken_out_of_a_series(x):
    try:
        x = x.to_numpy().ravel() * 3
    except (AttributeError, TypeError):
        pass
    else:
        x = x * 5
    return np.sum(x**2)


@right
def not_the_first_line(x):
    y = x
    try:
        y = x * 2
        z = y.values
    except Exception:
        z = x * 3
    return np.sum(z * z)


@right
def caught_by_another(x):
    try:
        try:
            v = x.values
        except ValueError:
            v = x * 7
        else:
            v = v * 2
    except AttributeError as error:
        v = x * len(str(error)) if "values" in str(error) else x
    return np.sum(v * x)


@right
def raised_again(x):
    try:
        try:
            return np.sum(x.loc[0])
        except AttributeError:
            raise
    except AttributeError:
        return np.sum(x * x)


@right
def on_one_way_of_a_loop(x):
    s = 0.0
    for k in range(3):
        try:
            s += x.iloc[k]
        except AttributeError:
            s += x[k % 2] * k
            continue
        s = s * 100
    return s * x[0]


def shape_of(*args):
    return np.broadcast(*args).shape


@right
def shapes_of_several(x):
    args = (x, x[0], np.ones((3, 1)))
    out = np.zeros(np.broadcast(*args).shape) + x * x[0]
    if np.broadcast(x[1], 2.0).shape == ():
        out *= x[1]
    return np.sum(out * np.broadcast_to(x, shape_of(x, *args[1:])))


@right
def another_on_later_trips(x):
    y = x[0] * 2
    s = 0.0
    for k in range(3):
        if hasattr(y, "real"):
            s += x[1] * k + x[0]
        if type(y) is type(None):
            s += x[1] ** 2
        y = None
    return s


def told(x, what):
    try:
        what = what.values
    except AttributeError:
        what = what * x
    return np.sum(what * x)


def _as_array(v):
    if hasattr(v, "shape"):
        return v
    return np.array(v) if hasattr(v, "__len__") else v * 1.5


@right
def rank_by_its_attribute(x):
    s = x[0] * 2 if getattr(x[1], "ndim", 0) else x[0] * 3
    shape = getattr(s, "shape", ())
    y = _as_array(x) * _as_array([x[1], 2.0]) * _as_array((2.0, x[0])) * _as_array(s)
    return np.sum(y) if not shape else np.sum(x) * getattr(s, "size", 2)


def _angles(phi, theta=0.7):
    angles = [phi, theta] if np.isscalar(phi) else np.array(phi)
    if not np.iterable(angles):
        return angles.tolist()
    return np.sin(angles[0]) * angles[1]


def _scale(v):
    return v if v > 0 else [v]


def _listed(v):
    return np.asarray(list(v) if isinstance(v, (list, KeysView)) else v)


@right
def what_is_computed_with_something_unknown(x):
    q = x[0] / np.asarray(_scale(2.0))
    return _listed(np.where(q > 0.1, q, x[1])) * _listed(x * q) @ x + float(_listed(-q))


@right
def whether_it_is_a_scalar(x):
    if np.isscalar(x) or not np.isscalar("x"):
        x = [x, x]
    z = np.array(x[1])
    w = [x, z] if np.iterable(z) or np.isscalar(z) else z * x[1]
    return _angles(x) * _angles(x[0] * x[1], w) * _angles((x[0], 2.0)) * _angles([x[1], x[0]])


@right
def lengths_alone_in_a_loop(x):
    p, s = np.concatenate([x, x * x]), 0.0
    for i in range(3):
        s += np.sum(p[i : i + x.shape[0]] ** 2) * x.size
    return s


class Drop:
    def __init__(self, size):
        self.size = size


@right
def a_size_of_its_own(x):
    drop, s = Drop(x[0]), 0.0
    for v in x:
        s += drop.size * v
        drop.size *= x[1]
    return s


test_right_in_every_mode = each_right(FUNCTIONS, X, np.array([0.3, -0.4]))


@pytest.mark.parametrize("what", [X, 2.0], ids=["array", "number"])
def test_of_another_argument(what: Any) -> None:
    numeric: Any = numeric_gradient(lambda x: told(x, what), (X,), 0, 1.0)
    assert_close(grad(told)(X, what), numeric, "told")


def test_what_is_asked_is_left_out() -> None:
    for function in (filled_in_place, taken_out_of_a_series, with_an_index):
        text = grad(function).source(X)
        assert all(part not in text for part in ("try:", "hasattr", "fillna", "to_numpy")), text


@pytest.mark.parametrize("x", [1.3, np.float64(1.3), np.array([1.3, 0.4])], ids=repr)
def test_of_a_number_or_an_array(x: Any) -> None:
    def first(k):
        if isinstance(k, type(np.array([]))):
            k = k[0]
        return k * k if type(k) is not np.ndarray else k[0]

    assert_close(grad(first)(x), numeric_gradient(first, (x,), 0, 1.0), "first")


def test_what_broadcast_gives_is_not_run_over() -> None:
    def f(x):
        return sum(u * v for u, v in np.broadcast(x, x[::-1]))

    check_refused(f, "its items come one after another", X)


def test_methods_that_are_not_there_are_refused_where_nothing_catches_that() -> None:
    def f(x):
        return np.sum(x.fillna(0))

    check_refused(f, "the method .fillna of an array has no derivative rule", X)


def test_what_a_loop_asks_for_its_length_alone_has_no_gradient_there() -> None:
    assert "zeros_like(x)" not in grad(lengths_alone_in_a_loop).source(X)
