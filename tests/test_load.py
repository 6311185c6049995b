"""Loading text: in the user's namespace, live, and visible to tracebacks and inspect."""

import gc
import inspect
import linecache
import pickle
import traceback
import types
from collections.abc import Callable
from typing import Any

import pytest

import tangentish.text.load
from tangentish.language.source import read_source

load: Any = tangentish.text.load.load

factor = 2.0
__private = 7.0


def home(x: float) -> float:
    return factor * x


TEXT = (
    "def home_grad(x, dy=1.0, *, k=-2):\n    # return factor * x\n    return helper(dy * factor)\n"
)


def cell(value: object) -> types.CellType:
    return types.CellType(value)


def test_globals_are_live_and_untouched(monkeypatch: pytest.MonkeyPatch) -> None:
    before = dict(globals())
    gradient = load(TEXT, "home_grad", home, {"helper": cell(lambda g: g + 1)})
    assert gradient(5.0) == 3.0
    monkeypatch.setitem(globals(), "factor", 10.0)
    assert gradient(5.0) == 11.0
    assert gradient.__globals__ is home.__globals__
    monkeypatch.undo()
    assert dict(globals()) == before


def test_defaults_come_from_the_text_or_the_caller() -> None:
    gradient = load(TEXT, "home_grad", home, {"helper": cell(abs)})
    assert (gradient.__defaults__, gradient.__kwdefaults__) == ((1.0,), {"k": -2})
    marker = object()
    gradient = load(TEXT, "home_grad", home, {"helper": cell(abs)}, (marker, 3.0), {"k": marker})
    assert (gradient.__defaults__, gradient.__kwdefaults__) == ((marker, 3.0), {"k": marker})
    gradient = load(TEXT, "home_grad", home, {"helper": cell(abs)}, (), {})
    assert (gradient.__defaults__, gradient.__kwdefaults__) == (None, None)


def test_a_default_that_is_no_literal_is_never_run() -> None:
    text = "def home_grad(x, dy=print('ran')):\n    return x\n"
    with pytest.raises(ValueError, match="malformed"):
        load(text, "home_grad", home, {})
    assert load(text, "home_grad", home, {}, (1.0,))(3.0) == 3.0


def test_bindings_can_be_filled_in_later() -> None:
    empty = types.CellType()
    gradient = load(TEXT, "home_grad", home, {"helper": empty})
    with pytest.raises(NameError):
        gradient(1.0)
    empty.cell_contents = lambda g: -g
    assert gradient(1.0) == -2.0


def counter() -> tuple[Callable[[], float], Callable[[float], None]]:
    count = 1.0

    def read() -> float:
        return count

    def write(value: float) -> None:
        nonlocal count
        count = value

    return read, write


def test_closure_cells_are_the_users_own() -> None:
    read, write = counter()
    text = "def read_grad():\n    nonlocal count\n    count = count + 1\n    return count\n"
    gradient = load(text, "read_grad", read, {})
    write(5.0)
    assert gradient() == 6.0
    assert read() == 6.0


def test_a_binding_hides_a_global_of_its_name() -> None:
    text = "def home_grad(x):\n    return factor + len([x])\n"
    assert load(text, "home_grad", home, {"factor": cell(40), "len": cell(lambda _: 2)})(0) == 42


def test_recursion_through_its_own_cell() -> None:
    own = types.CellType()
    text = "def fact(n):\n    return n * fact(n - 1) if n else 1\n"
    own.cell_contents = load(text, "fact", home, {"fact": own})
    assert own.cell_contents(5) == 120


def test_its_own_name_is_itself() -> None:
    text = "def fact(n):\n    return n * fact(n - 1) if n else 1\n"
    assert load(text, "fact", home, {})(5) == 120


def test_inner_functions_see_bindings() -> None:
    text = (
        "def outer(x):\n    def pullback(dy):\n        return dy * x * k\n    return x, pullback\n"
    )
    outer = load(text, "outer", home, {"k": cell(3)})
    pullback = outer(2)[1]
    assert pullback(1) == 6
    assert pullback.__qualname__ == "outer.<locals>.pullback"


class Model:
    __scale = 3.0

    def loss(self, x: float) -> float:
        return self.__scale * x


def test_private_names_are_not_mangled_again() -> None:
    text = "def loss_grad(self, x):\n    return self._Model__scale * __private\n"
    gradient = load(text, "loss_grad", Model.loss, {})
    assert gradient(Model(), 1.0) == 21.0
    assert gradient.__qualname__ == "Model.loss_grad"
    assert gradient.__module__ == __name__
    assert gradient.__name__ == gradient.__code__.co_name == "loss_grad"


@pytest.mark.parametrize(
    "text",
    ["x = 1\n", "def a(): pass\ndef home_grad(): pass\n", "@d\ndef home_grad(): pass\n",
     "def other(): pass\n", "async def home_grad(): pass\n", "def home_grad(): pass\nx = 1\n"],
)  # fmt: skip
def test_only_one_plain_def_is_loaded(text: str) -> None:
    with pytest.raises(ValueError, match="one plain def of home_grad"):
        load(text, "home_grad", home, {})
    with pytest.raises(ValueError, match="one plain def of home_grad"):
        load(text, "home_grad", home, {}, (), {})


def failing() -> Any:
    text = "def failing(x):\n    # the comment\n    y = x + 1\n    return y / (x - x)\n"
    return load(text, "failing", home, {})


def test_a_traceback_shows_the_generated_line() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        failing()(1.0)
    shown = "".join(traceback.format_exception(caught.value))
    assert "    return y / (x - x)\n" in shown
    assert "~~^~~~~~~~~" in shown
    assert 'File "<tangentish failing ' in shown


def test_places_are_those_in_the_text() -> None:
    text = 'def home_grad(x, *,\n    k=1):\n    s = """a\n b"""\n    return [lambda y: (y, s,\n  x) for _ in k]\n'
    alone = next(c for c in compile(text, "", "exec").co_consts if isinstance(c, types.CodeType))
    loaded = load(text, "home_grad", home, {}, (), {}).__code__

    def places(code: types.CodeType) -> list[Any]:
        inner = [places(c) for c in code.co_consts if isinstance(c, types.CodeType)]
        return [code.co_firstlineno, *code.co_positions(), *inner]

    assert places(loaded) == places(alone)


def test_inspect_shows_the_text() -> None:
    gradient = load(TEXT, "home_grad", home, {"helper": cell(abs)})
    assert inspect.getsource(gradient) == TEXT
    assert str(inspect.signature(gradient)) == "(x, dy=1.0, *, k=-2)"


def is_shown(filename: str) -> bool:
    gc.collect()
    return filename in linecache.cache


def test_the_text_is_released_with_the_last_function() -> None:
    one = load(TEXT, "home_grad", home, {"helper": cell(abs)})
    two = load(TEXT, "home_grad", home, {"helper": cell(abs)})
    filename = one.__code__.co_filename
    assert filename == two.__code__.co_filename
    other = load(TEXT.replace("dy *", "dy +"), "home_grad", home, {"helper": cell(abs)})
    assert other.__code__.co_filename != filename
    del one
    assert is_shown(filename)
    del two
    assert not is_shown(filename)
    assert is_shown(other.__code__.co_filename)


def test_a_pullback_keeps_the_text_of_its_function() -> None:
    text = "def outer(x):\n    def pullback(dy):\n        return dy * x\n    return pullback\n"
    outer = load(text, "outer", home, {})
    pullback = outer(1.0)
    filename = pullback.__code__.co_filename
    del outer
    assert is_shown(filename)
    assert inspect.getsource(pullback) == "    def pullback(dy):\n        return dy * x\n"
    del pullback
    assert not is_shown(filename)


def test_the_text_survives_checkcache_and_a_name_is_deterministic() -> None:
    gradient = load(TEXT, "home_grad", home, {"helper": cell(abs)})
    filename = gradient.__code__.co_filename
    linecache.checkcache()
    assert is_shown(filename)
    assert pickle.dumps(filename) == pickle.dumps(
        load(TEXT, "home_grad", home, {"helper": cell(abs)}).__code__.co_filename
    )


def test_generated_functions_are_read_again() -> None:
    gradient = load(TEXT, "home_grad", home, {"helper": cell(abs)})
    source = read_source(gradient)
    assert source.line(3) == "return helper(dy * factor)"
    assert (source.where("helper"), source.lookup("helper")) == ("closure", abs)
    text = "def outer(x):\n    def pullback(dy):\n        return dy * x * k\n    return pullback\n"
    pullback = load(text, "outer", home, {"k": cell(3)})(2.0)
    assert read_source(pullback).lookup("k") == 3
    assert read_source(pullback).tree.lineno == 2
