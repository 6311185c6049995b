"""Exported modules: the gradient of the package to the last bit, by NumPy alone."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import types
import venv
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from corpus import PROGRAMS, Program
from numeric import final_value, random_head

from tangentish import grad, value_and_grad, vjp
from tangentish.export import Request, Unexportable, exported
from tangentish.export.header import THEIR_STYLE
from tangentish.export.read_only import display, is_only_read
from tangentish.kinds import Num
from tangentish.language.binding import binder

HEADER = ['"""A gradient."""', *(f"# ruff: noqa: {codes}" for codes in THEIR_STYLE)]

# What can't stand in a module of its own.
REASONS = (
    "a class, which can't",
    "a live object (",
    "is a ufunc",
    "is a function",
    "binds names outside",
    "can't be written out: make it None",
)
FAMILIES = (
    "globals_closures",
    "made_elsewhere",
    "copied",
    "records",
    "held_records",
    "objects",
    "classes",
    "chosen_functions",
    "indexing",
    "effects",
    "own_rules",
    "given_functions",
    "given_back",
    "scipy_functions",
)


def text_of(function: Any, *args: object, wrt: Any = 0) -> str:
    return exported(Request(function, binder(function)(*args), wrt, HEADER))


def module_of(function: Any, *args: object, wrt: Any = 0) -> Any:
    module: Any = types.ModuleType("exported")
    exec(compile(text_of(function, *args, wrt=wrt), "<exported>", "exec"), vars(module))
    return module


def same(a: Any, b: Any) -> bool:
    """Whether two results are of one type and equal to the last bit."""
    if type(a) is not type(b):
        return False
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(map(same, a.values(), b.values()))
    if not isinstance(a, (np.ndarray, np.generic, float)):
        return bool(a == b)
    a, b = np.asarray(a), np.asarray(b)
    return (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())


def has_one_output(program: Program) -> bool:
    try:
        grad(program.function, wrt=program.wrt).source(*program.args())
    except TypeError as error:
        assert "vjp" in str(error)
        return False
    return True


def imported_by(text: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(text)))
    plain = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    return plain | {str(n.module) for n in nodes if isinstance(n, ast.ImportFrom)}


# ------------------------------------------------------------------------------------ the corpus


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_every_program(program: Program) -> None:
    if 0 in program.refused:
        return
    function, wrt = program.function, program.wrt
    try:
        text = text_of(function, *program.args(), wrt=wrt)
    except TypeError as error:
        assert "vjp" in str(error) and not has_one_output(program)
        return
    except Unexportable as error:
        if "an exported pullback takes" in str(error):
            assert not has_one_output(program)
            return
        assert any(reason in str(error) for reason in REASONS)
        assert program.family in FAMILIES
        return
    assert "tangentish" not in text
    outer = {name.partition(".")[0] for name in imported_by(text)} - {"numpy", "scipy"}
    assert outer <= sys.stdlib_module_names
    module: Any = types.ModuleType("exported")
    exec(compile(text, "<exported>", "exec"), vars(module))
    stem = function.__name__.strip("<>")
    if hasattr(module, f"{stem}_vjp"):
        same_pullback(getattr(module, f"{stem}_vjp"), program)
        return
    gradient = getattr(module, f"{stem}_grad")
    both = getattr(module, f"{stem}_value_and_grad")
    assert same(gradient(*program.args()), grad(function, wrt=wrt)(*program.args()))
    value, _ = expected = value_and_grad(function, wrt=wrt)(*program.args())
    assert same(both(*program.args()), expected)
    head = random_head(value, seed=1)
    name = next(n for n in _parameters(gradient) if n not in _parameters(function))
    _, pullback = vjp(function, *program.args())
    truth = pullback(head)
    for position, found in zip(wrt, gradient(*program.args(), **{name: head}), strict=True):
        np.testing.assert_allclose(found, truth[position], rtol=1e-4, atol=1e-6)


def same_pullback(exported_vjp: Any, program: Program) -> None:
    value, pullback = exported_vjp(*program.args())
    expected, truth = vjp(program.function, *program.args())
    assert same(value, expected)
    for seed in (1, 2, 1):
        head = random_head(expected, seed=seed)
        assert same(pullback(head), truth(head))


def _parameters(function: Any) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


# ---------------------------------------------------------------------------- what it is made for


def weighted(w, x, scale=2.0):
    return np.sum(np.tanh(w @ x)) * scale


def spread_out(x, y):
    return x * y


def filled(a, b):
    a[1:] = a[:-1] * b[1:]


def of_structure(params, x):
    return np.sum(params["w"] * x) * params["b"] + params["rates"][0]


def test_arguments_of_other_kinds_raise() -> None:
    w, x = np.ones((3, 4)), np.ones(4)
    gradient = module_of(weighted, w, x).weighted_grad
    assert gradient(np.ones((5, 2)), np.ones(2)).shape == (5, 2)
    assert gradient(np.ones((4, 4)), np.ones(4)).shape == (4, 4)  # lengths may happen to be equal
    for args, says in [
        ((w, np.ones(3)), r"x: float64\[m\], not for float64\[3\], where n = 3, m = 4"),
        ((np.ones(4), x), r"w: float64\[n, m\], not for float64\[4\]"),
        ((w.astype(np.float32), x), r"float32\[3, 4\]"),
        ((w, np.ones(4, int)), r"int64\[4\]"),
        ((np.ones((1, 4)), x), r"float64\[1, 4\]"),
        ((np.ones((3, 1)), np.ones(1)), r"float64\[3, 1\]"),
        ((w.tolist(), x), "w: "),
        ((np.ma.masked_array(w), x), "MaskedArray of float64"),
        ((w, x, 2), "scale: float, not for int"),
        ((w, x, np.float32(2)), "scale: float, not for float32"),
        ((w, x, True), "scale: float, not for bool"),
        ((w, x, None), "scale: float, not for None"),
    ]:
        with pytest.raises(TypeError, match=says):
            gradient(*args)
    with pytest.raises(TypeError, match="missing"):
        gradient(w)


def test_equal_lengths_are_part_of_the_kind() -> None:
    gradient = module_of(spread_out, np.ones(3), np.ones(3)).spread_out_grad
    with pytest.raises(TypeError, match="where n = 3"):
        gradient(np.ones(3), np.ones(4))
    column = module_of(spread_out, np.ones((3, 1)), np.ones(4), wrt=(0, 1)).spread_out_grad
    assert [g.shape for g in column(np.ones((2, 1)), np.ones(5))] == [(2, 1), (5,)]
    with pytest.raises(TypeError, match=r"x: float64\[n, 1\], not for float64\[3, 3\]"):
        column(np.ones((3, 3)), np.ones(3))


def test_the_head_gradient_is_looked_at() -> None:
    scalar = module_of(weighted, np.ones((3, 4)), np.ones(4)).weighted_grad
    args = np.ones((3, 4)), np.ones(4)
    assert same(scalar(*args, dy=np.float64(3)), scalar(*args, dy=3.0))
    for bad in (np.ones(1), np.ones(()), None, "1", 1j, True):
        with pytest.raises(TypeError, match="the head gradient must be a float"):
            scalar(*args, dy=bad)
    array = module_of(spread_out, np.ones((3, 4)), np.ones(4), wrt=(0, 1)).spread_out_grad
    for bad in (1.0, np.ones(4), np.ones((1, 4)), np.ones((3, 1))):
        with pytest.raises(ValueError, match="the head gradient has shape"):
            array(*args, bad)
    for bad in ([[1.0]], "a", np.ones((3, 4)) * 1j):
        with pytest.raises(TypeError, match="the head gradient must be of floats"):
            array(*args, bad)
    head = np.ones((3, 4), np.float32)
    assert [g.dtype for g in array(*args, head)] == [np.float64, np.float64]


def test_arguments_that_share_memory_raise() -> None:
    gradient = module_of(filled, np.ones(3), np.ones(3), wrt=(0, 1)).filled_grad
    a = np.ones(4)
    before = a.copy()
    assert same(gradient(a, 2 * a), grad(filled, wrt=(0, 1))(a, 2 * a))
    assert same(a, before)
    for b in (a, a[:]):
        with pytest.raises(ValueError, match="'a' of filled\\(\\) shares memory"):
            gradient(a, b)


def layered(x, n=2):
    y = x.reshape(-1)
    y[0] = 2.0
    return np.sum(x * y.reshape(x.shape)) * n


def test_layout_is_part_of_the_kind_only_where_it_matters() -> None:
    plain = module_of(weighted, np.ones((3, 4)), np.ones(4)).weighted_grad
    w = np.arange(12.0).reshape(4, 3).T
    assert same(plain(w, np.ones(4)), grad(weighted)(w, np.ones(4)))
    contiguous = module_of(layered, np.ones((3, 4))).layered_grad
    with pytest.raises(TypeError, match="contiguous float64.*which is not contiguous"):
        contiguous(np.ones((4, 3)).T)


def test_structures() -> None:
    params = {"w": np.ones(3), "b": 2.0, "rates": (0.5, [1.0, 3])}
    gradient = module_of(of_structure, params, np.ones(3)).of_structure_grad
    assert same(gradient(params, np.ones(3)), grad(of_structure)(params, np.ones(3)))
    for other in (
        {"b": 2.0, "w": np.ones(3), "rates": (0.5, [1.0, 3])},
        {**params, "rates": [0.5, [1.0, 3]]},
        {**params, "rates": (0.5, [1.0, 3.0])},
        {**params, "more": 1.0},
        {"w": np.ones(3)},
        [np.ones(3), 2.0],
    ):
        with pytest.raises(TypeError, match="was generated for params: {'w': float64"):
            gradient(other, np.ones(3))


class Model:
    rate = 2.0

    def loss(self, x):
        return self.rate * x

    def scaled(self, x):
        return self.loss(x) * self.factor


def test_objects_and_methods() -> None:
    model = Model()
    model.factor = 3.0
    gradient = module_of(Model.scaled, model, 1.0, wrt="x").scaled_grad
    assert gradient(model, 5.0) == 6.0
    model.factor = np.ones(2)
    with pytest.raises(
        TypeError, match=r"factor: float; rate: float\), not for Model\(factor: float64\[2\]"
    ):
        gradient(model, 5.0)


def test_what_an_object_finds_in_its_class_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    gradient = module_of(Model.loss, Model(), 1.0, wrt="x").loss_grad
    monkeypatch.setattr(Model, "rate", 3.0)
    assert gradient(Model(), 1.0) == 3.0
    monkeypatch.setattr(Model, "rate", np.ones(2))
    with pytest.raises(TypeError, match=r"self: Model\(; rate: float\)"):
        gradient(Model(), 1.0)


def test_objects_that_are_written_to_are_not_shared() -> None:
    def counted(model, other, x):
        model.rate = model.rate * x
        return model.rate * other.rate

    one, other = Model(), Model()
    one.rate = other.rate = 2.0
    gradient = module_of(counted, one, other, 3.0, wrt="x").counted_grad
    assert gradient(one, other, 3.0) == 4.0 and one.rate == 2.0
    with pytest.raises(ValueError, match="shares memory with another"):
        gradient(one, one, 3.0)


def test_objects_whose_arrays_are_laid_out_otherwise() -> None:
    def flat(model):
        y = model.w.reshape(-1)
        y[0] = 2.0
        return np.sum(model.w**2)

    model, strided = Model(), Model()
    model.w, strided.w = np.ones((2, 3)), np.ones((3, 2)).T
    gradient = module_of(flat, model).flat_grad
    assert gradient(model).w.tolist() == [[0.0, 2.0, 2.0], [2.0, 2.0, 2.0]]
    with pytest.raises(TypeError, match="which is not contiguous"):
        gradient(strided)


@pytest.mark.parametrize(
    ("line", "reads"),
    [
        ("return [g for g in GRID] + [GRID[0], len(GRID), x in GRID]", True),
        ("return max(GRID) + GRID.index(1.0) + sum(v for _, v in zip(GRID, x))", True),
        ("GRID.append(x)", False),
        ("GRID[0] = x", False),
        ("GRID[0] += x", False),
        ("del GRID[0]", False),
        ("y = GRID", False),
        ("return f(GRID)", False),
        ("return GRID", False),
        ("return x, GRID[0:1] + GRID", False),
        ("return [GRID]", False),
        ("return GRID.pop()", False),
        ("return GRID[0] if GRID else x", False),
    ],
)
def test_what_only_reads_from_a_list(line: str, reads: bool) -> None:
    assert is_only_read("GRID", f"def f(x):\n    {line}\n") is reads


def test_lists_and_dicts_of_what_can_not_change() -> None:
    assert display([1.0, (2, "a"), None]) == "[1.0, (2, 'a'), None]"
    assert display({"a": 1.0, 2: np.float32(3)}) == "{'a': 1.0, 2: np.float32(3.0)}"
    for value in ([[1.0]], [np.ones(2)], {"a": {}}, {"a": object()}, (1.0,), [(np.ones(1),)]):
        assert display(value) is None


def test_defaults_of_numpy_are_constants() -> None:
    table = np.array([1.0, 2.0])

    def tabled(x, TABLE=table, rate=np.float32(0.5)):
        return np.sum(helped(x) * TABLE) * rate

    def helped(x, by=table):
        return x * by

    text = text_of(tabled, np.ones(2))
    assert "TABLE: NDArray[np.float64] = TABLE_1," in text and "rate: np.float32 = RATE," in text
    gradient = module_of(tabled, np.ones(2)).tabled_grad
    assert same(gradient(np.ones(2)), grad(tabled)(np.ones(2)))
    assert gradient(np.ones(2)).tolist() == [0.5, 2.0]


def helped(x, by=[2.0, 3.0]):  # noqa: B006
    return x * by[0] + by[1]


def polynomial(x, w=[1.0, 2.0, 3.0], options={"rate": 0.5, "n": 2}, names=[]):  # noqa: B006
    s = 0.0
    for c in w:
        s = s * x + c
    return s * options["rate"] * (len(names) + 1) + helped(x)


def test_defaults_that_are_only_read_are_constants() -> None:
    text = text_of(polynomial, 0.5)
    assert "\nW = [1.0, 2.0, 3.0]\n" in text and "w: list[float] = W," in text
    gradient = module_of(polynomial, 0.5).polynomial_grad
    assert same(gradient(0.5), grad(polynomial)(0.5))
    other = 0.5, [3.0, 1.0, -1.0], {"rate": 2.0, "n": 1}
    assert same(gradient(*other), grad(polynomial)(*other))


def remembers(x, seen=[]):  # noqa: B006
    seen.append(1)
    return x * len(seen)


def writes(x, w=[1.0, 2.0]):  # noqa: B006
    w[0] = x * 2
    return w[0] * w[1]


@pytest.mark.parametrize("function", [remembers, writes])
def test_defaults_that_change_are_refused(function: Any) -> None:
    with pytest.raises(Unexportable, match="the default of the parameter '(seen|w)'"):
        text_of(function, 0.5)


def forms(x, pair):
    t = (x, x * x) if pair else 3 * x
    return t[0] * t[1] if pair else t * t


def reduced(x, how="sum"):
    parts = {"sum": np.sum(x**2), "mean": np.mean(x), "it's": np.max(x), 'a "b"': x[0]}
    return parts[how] * x[0]


def pair_of(x, twice):
    t = (x, x * x) if twice else 3 * x
    u = t[0] * t[1] if twice else t * t
    return u, u * x


def test_what_goes_by_flags_is_for_those_given() -> None:
    for pair, other in ((True, False), (False, True)):
        gradient = module_of(forms, 0.3, pair).forms_grad
        assert same(gradient(0.3, pair), grad(forms)(0.3, pair))
        with pytest.raises(TypeError, match=f"for pair: {pair}, not for {other}; export"):
            gradient(0.3, other)
    x = np.array([1.0, 2.0])
    for how in ("sum", "mean", "it's", 'a "b"'):
        gradient = module_of(reduced, x, how).reduced_grad
        assert same(gradient(x, how), grad(reduced)(x, how))
        for wrong in ("other", 1, None, True):
            with pytest.raises(TypeError, match="was generated for how: "):
                gradient(x, wrong)
    with pytest.raises(TypeError, match="for pair: True, not for int"):
        module_of(forms, 0.3, True).forms_grad(0.3, 1)
    for twice in (True, False):
        value, pullback = module_of(pair_of, 0.3, twice).pair_of_vjp(0.3, twice)
        expected, truth = vjp(pair_of, 0.3, twice)
        assert same(value, expected) and same(pullback((1.0, 2.0)), truth((1.0, 2.0)))


def test_functions_as_arguments_are_refused() -> None:
    def of_function(f, x):
        return f(x) * x

    with pytest.raises(
        Unexportable, match="'f' is a ufunc.*; export a function of yours that calls"
    ):
        text_of(of_function, np.tanh, 1.0, wrt="x")

    def of_tanh(x):
        return of_function(np.tanh, x)

    assert same(module_of(of_tanh, 0.5).of_tanh_grad(0.5), grad(of_tanh)(0.5))


class Shared:
    rate = 2.0

    @classmethod
    def loss(cls, x):
        return np.sum(x * x) * 2.0

    @classmethod
    def at_its_rate(cls, x):
        return np.sum(x * x) * cls.rate


def loss_of_the_class(x):
    return Shared.loss(x)


def loss_at_the_rate_of_the_class(x):
    return Shared.at_its_rate(x)


def test_class_methods_are_exported_by_a_function_that_calls_them() -> None:
    x = np.array([1.0, 3.0])
    module = module_of(loss_of_the_class, x)
    assert same(module.loss_of_the_class_grad(x), grad(loss_of_the_class)(x))
    module = module_of(loss_at_the_rate_of_the_class, x)
    assert same(
        module.loss_at_the_rate_of_the_class_grad(x), grad(loss_at_the_rate_of_the_class)(x)
    )


class Spring:
    rest = 1.5
    weights = np.array([1.0, 2.0])
    log: list[float] = []
    unread = "no word of this"

    def __init__(self, stiffness):
        self.stiffness = stiffness

    def force(self, x):
        return -self.stiffness * (x - self.rest) * self.weights[1]


def moved_by_a_spring(k, x, n):
    spring = Spring(k)
    for _ in range(n):
        x = x + 0.1 * spring.force(x)
    return x


def counted_by_a_spring(x):
    return x * len(Spring.log)


def named_after_a_spring(x):
    return x * len(repr(Spring))


def test_of_a_class_the_constants_that_are_read_are_taken_along() -> None:
    module = module_of(moved_by_a_spring, 0.5, 2.0, 3)
    assert same(module.moved_by_a_spring_grad(0.5, 2.0, 3), grad(moved_by_a_spring)(0.5, 2.0, 3))
    assert "no word of this" not in text_of(moved_by_a_spring, 0.5, 2.0, 3)
    refused = pytest.raises(
        Unexportable, match="reads 'Spring', a class, .*: use functions, and names"
    )
    with refused:
        text_of(counted_by_a_spring, 2.0)
    with refused:
        text_of(named_after_a_spring, 2.0)


LAYERS = [np.tanh, np.sin]


def through(x, functions):
    for function in functions:
        x = function(x)
    return x


def through_layers(x):
    return through(x, LAYERS)


def test_functions_in_a_list_of_the_module_are_refused() -> None:
    with pytest.raises(Unexportable, match="holds functions or objects: call them by names"):
        text_of(through_layers, 2.0)

    def by_name(x):
        return np.sin(np.tanh(x))

    assert same(module_of(by_name, 2.0).by_name_grad(2.0), grad(through_layers)(2.0))


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x: {"a": x * x, "b": 2 * x}, r"returns a dict, .*: return the values as a tuple"),
        (lambda x: [x * k for k in range(len(x))], r"returns a list, .*: return an array"),
        (lambda x: {k: x * k for k in range(len(x))}, r"returns a dict, .*: return an array"),
    ],
)
def test_containers_as_outputs_are_refused(function: Any, says: str) -> None:
    with pytest.raises(Unexportable, match=says):
        text_of(function, np.ones(3))


def any_rank(dtype: Any = float) -> Num:
    return Num(np.dtype(dtype), None, True)


def test_arrays_of_any_rank() -> None:
    text = text_of(spread_out, any_rank(), any_rank(np.float32), wrt=(0, 1))
    assert "unbroadcast(" in text
    module: Any = types.ModuleType("exported")
    exec(text, vars(module))
    both = module.spread_out_value_and_grad
    for shapes in [((3,), (3,)), ((2, 3), (3,)), ((2, 1), (3,)), ((), (4,)), ((0, 3), (1, 3))]:
        x, y = np.ones(shapes[0]), 3 * np.ones(shapes[1], np.float32)
        found, expected = both(x, y), value_and_grad(spread_out, wrt=(0, 1))(x, y)
        assert same(found[0], expected[0])
        for a, b in zip(found[1], expected[1], strict=True):
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
            np.testing.assert_allclose(a, b)
    with pytest.raises(TypeError, match=r"x: float64\[\.\.\.\], not for float"):
        both(1.0, np.ones(3, np.float32))


# ------------------------------------------------------------------------ what it takes along

RATE = 0.1
LENGTHS = (2, 3)
TABLE = np.array([1.0, 2.5, -3.0])
LIVE = [[1.0]]
INFINITE = float("inf")
counter = 0.0


def in_steps(x, rate=RATE):
    return halved(x) * rate + LENGTHS[1] * min(x, INFINITE)


def halved(x):
    return x / 2 if is_large(x) else x


def is_large(x, limit=RATE):
    return abs(x) > limit * LENGTHS[0]


def tabled(x):
    return np.sum(x * TABLE)


def alive(x):
    return x * LIVE[0][0]


def counted(x):
    global counter
    counter = counter + 1
    return x * x


def doubled_table():
    TABLE[:] *= 2
    return 1.0


def changes_an_array(x):
    return np.sum(x * x * TABLE) * doubled_table()


def view_of_table():
    rows = TABLE[1:]
    rows += 1
    return 1.0


def changes_a_view(x):
    return np.sum(x * x) * view_of_table()


def sorted_table():
    TABLE.sort()


def changes_it_by_a_method(x):
    sorted_table()
    return np.sum(x * x)


@pytest.mark.parametrize("f", [changes_an_array, changes_a_view, changes_it_by_a_method])
def test_arrays_that_are_changed_are_not_taken_along(f: Any) -> None:
    with pytest.raises(
        Unexportable, match=rf"{f.__name__}\(\) changes arrays outside of it \(TABLE\): pass"
    ):
        text_of(f, np.ones(3))


def test_constants_and_helpers_are_taken_along(monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of(in_steps, 3.0)
    module: Any = types.ModuleType("exported")
    exec(text, vars(module))
    expected = grad(in_steps)(3.0)
    assert "LENGTHS = (2, 3)" in text
    assert "def is_large(x: Any, limit: Any = 0.1) -> Any:" in text
    monkeypatch.setattr(sys.modules[__name__], "LENGTHS", (5, 7))
    assert same(module.in_steps_grad(3.0), expected)
    assert text_of(in_steps, 3.0) != text
    assert same(module_of(tabled, np.ones(3)).tabled_grad(np.ones(3)), TABLE)


def closed_over(values):
    def scaled(x):
        return np.sum(x * values)

    return scaled


def a_default(x, f=np.sin):
    return f(x)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (alive, r"alive_grad\(\) reads 'LIVE', a live object \(list\)"),
        (counted, r"counted\(\) binds names outside of it"),
        (closed_over(np.ones(1000)), "an array of more than 256 elements"),
    ],
)
def test_live_objects_are_refused(function: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        text_of(function, np.ones(1000) if "array" in says else 2.0)


def test_closures_over_numbers_are_written_in() -> None:
    assert module_of(closed_over(2.5), np.ones(3)).scaled_grad(np.ones(3)).tolist() == [2.5] * 3


def check_kinds(x):
    return x * x


def collides(np_, Any, KINDS, NDArray, check_kinds, generated, scalar_head):
    return np_ * Any * KINDS * NDArray * check_kinds * generated * scalar_head


def calls_its_namesake(x):
    RATE = check_kinds(x) * 2
    return RATE * _reader(x)


def _reader(unbroadcast):
    return unbroadcast * RATE


def test_names_do_not_collide() -> None:
    args = (2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
    assert same(module_of(collides, *args).collides_grad(*args), grad(collides)(*args))
    module = module_of(calls_its_namesake, 3.0)
    assert same(module.calls_its_namesake_grad(3.0), grad(calls_its_namesake)(3.0))


def keyword_only(x, /, y, *rest, scale, **options):
    return x * y * scale


def test_every_sort_of_parameter() -> None:
    text = exported(Request(keyword_only, (2.0, 3.0, (), 4.0, {}), (0, "scale"), HEADER))
    module: Any = types.ModuleType("exported")
    exec(text, vars(module))
    gradient = module.keyword_only_grad
    assert same(gradient(2.0, 3.0, scale=4.0), (12.0, 6.0))
    assert same(gradient(2.0, 3.0, scale=4.0, dy=2.0), (24.0, 12.0))
    with pytest.raises(TypeError, match="positional"):
        gradient(x=2.0, y=3.0, scale=4.0)
    with pytest.raises(TypeError, match="rest: \\(\\), not for \\(float\\)"):
        gradient(2.0, 3.0, 4.0, scale=4.0)


# ------------------------------------------------------------------------------- other people's tools

UNTYPED = (
    "walrus_behind_and",  # re.match(...).group on the user's own line, without a look at None
    "stores_to_slices_of_lists",  # one name for a list here and an array there
)
BY_VALUE = ("forms_by_flag", "reduced_by_name")  # for the very flags that are given
# Chosen by name: a program more doesn't choose others.
SAMPLE = [name for name in PROGRAMS if crc32(name.encode()) % 24 == 0 and name not in UNTYPED]
SAMPLE += [name for name in BY_VALUE if name not in SAMPLE]


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of exported modules, each with the digits of its gradient in a file beside it."""
    folder = tmp_path_factory.mktemp("exported")
    for program in map(PROGRAMS.__getitem__, SAMPLE):
        value = final_value(program.function, program.args(), program.written)
        if 0 in program.refused or isinstance(value, (tuple, list)):
            continue
        stem = program.function.__name__
        try:
            text = text_of(program.function, *program.args(), wrt=program.wrt)
        except Unexportable:
            continue  # which ones may be is test_every_program's to say
        (folder / f"{stem}_module.py").write_text(text)
    (folder / "polynomial_module.py").write_text(text_of(polynomial, 0.5))
    assert len(list(folder.iterdir())) > 30
    return folder


def run(*command: str, cwd: Path) -> str:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    ran = subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_ruff_is_content(modules: Path) -> None:
    config = Path(__file__).parents[1] / "pyproject.toml"
    own = "UP032"  # "{}".format(x) is how a user's own line was written
    options = ["--config", str(config), "--ignore", own]
    run(sys.executable, "-m", "ruff", "check", *options, ".", cwd=modules)


def test_mypy_is_content(modules: Path) -> None:
    options = ["--strict", "--ignore-missing-imports", "--config-file", os.devnull]
    files = [path.name for path in modules.glob("*.py")]
    run(sys.executable, "-m", "mypy", *options, *files, cwd=modules)


def test_numpy_is_all_that_is_needed(tmp_path: Path) -> None:
    """A virtual environment with numpy alone."""
    folder = tmp_path / "environment"
    venv.create(folder, symlinks=os.name != "nt", with_pip=False)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    site = Path(run(str(python), "-c", _SITE, cwd=tmp_path).strip())
    for part in ("numpy", "numpy.libs"):
        installed = Path(np.__file__).parents[1] / part
        if installed.exists():
            (site / part).symlink_to(installed)
    args = np.linspace(-1, 1, 12).reshape(3, 4), np.linspace(0, 1, 4)
    (tmp_path / "weighted_module.py").write_text(text_of(weighted, *args))
    out = run(str(python), "-c", _DIGITS, cwd=tmp_path)
    assert out.split() == [value.hex() for value in grad(weighted)(*args).ravel().tolist()]


_SITE = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
_DIGITS = """
import numpy as np, weighted_module, importlib.util
for missing in ("tangentish", "gast", "astor", "scipy"):
    assert importlib.util.find_spec(missing) is None
args = np.linspace(-1, 1, 12).reshape(3, 4), np.linspace(0, 1, 4)
print(*(value.hex() for value in weighted_module.weighted_grad(*args).ravel().tolist()))
"""
