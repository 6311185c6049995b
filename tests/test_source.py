"""Reading sources: every way to define a function, true positions, edited files noticed."""

import argparse
import contextlib
import doctest
import functools
import importlib.util
import inspect
import linecache
import math
import os
import pickle
import statistics
import subprocess
import sys
import textwrap
import traceback
import types
from pathlib import Path
from typing import Any

import gast
import pytest

from tangentish.errors import NotDifferentiable, Refusal, refuse
from tangentish.language.source import read_source


def twice(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(function(*args))

    return wrapper


def same(function: Any) -> Any:
    return function


def text_of(function: Any) -> str:
    return gast_text(read_source(function).tree)


def gast_text(tree: Any) -> str:
    import ast

    return ast.unparse(gast.gast_to_ast(tree))


def import_text(path: Path, text: str) -> types.ModuleType:
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def module(tmp_path: Path) -> types.ModuleType:
    return import_text(tmp_path / "user_module.py", textwrap.dedent(USER).replace("@@", ""))


USER = '''
    import functools
    import math

    scale = 3.0

    def plain(x):
        return x * scale

    def imported(x):
        return math.sin(x)

    def same(f):
        return f

    @same
    @same
    def stacked(
        x,
    ):
        """doc"""
        return x + 1

    def column_zero(x):
        text = """
    @@no indent
    """
        return x, text

    def outer(a):
        def inner(x):
            return a * x
        return inner

    def shadow(a):
        def inner(x):
            return a + x
        return inner

    pair = lambda x: x + 1, lambda x: x + 2
    nested = lambda x: lambda y: x * y
    twins = [lambda x: x, lambda x: x]
    constants = lambda x: 3, lambda x: 1j, lambda x: (
        3
    )
    lines = lambda x: (
        x
        + 1
    )
    default = lambda x, y=lambda z: z: x + y(x)

    class Model:
        __secret = 2

        def method(self, x, __hidden=1):
            def __inner(y):
                return y
            return self.__secret * __inner(x) + __hidden + self.__dunder__ + _Model__top + f(__k=x)

        @staticmethod
        def static(x):
            return -x

        @classmethod
        def build(cls, x):
            return x

        @property
        def half(self):
            return self.x / 2

        class Inner:
            def method(self, x):
                return x * 7

    class _Second:
        def method(self, x):
            return x + self.__own

    if math.pi > 3:
        def chosen(x):
            return 1
    else:
        def chosen(x):
            return 2

    def é(x): return "é", x, lambda y: y

    def generator(x):
        yield x

    async def coroutine(x):
        return x

    async def both(x):
        yield x
'''


def test_the_tree_has_the_lines_of_the_file(module: types.ModuleType) -> None:
    source = read_source(module.plain)
    assert source.function is module.plain
    assert (source.tree.name, source.tree.lineno) == ("plain", 7)
    assert source.line(source.tree.body[0].lineno) == "return x * scale"
    assert source.filename == module.__file__
    assert source.lines[6] == "def plain(x):"
    assert source.line(0) == source.line(10_000) == ""


@pytest.mark.parametrize(
    ("path", "last"),
    [
        ("imported", "return math.sin(x)"),
        ("stacked", "return x + 1"),
        ("column_zero", "return (x, text)"),
        ("Model.static", "return -x"),
        ("Model.half.fget", "return self.x / 2"),
        ("Model.build", "return x"),
        ("Model.Inner.method", "return x * 7"),
        ("_Second.method", "return x + self._Second__own"),
        ("chosen", "return 1"),
        ("é", "return ('é', x, lambda y: y)"),
        ("lines", "return x + 1"),
        ("default", "return x + y(x)"),
        ("nested", "return lambda y: x * y"),
    ],
)
def test_every_definition_is_found(module: types.ModuleType, path: str, last: str) -> None:
    function = functools.reduce(getattr, path.split("."), module)
    assert text_of(function).splitlines()[-1].strip() == last


def test_nested_functions_of_one_name(module: types.ModuleType) -> None:
    assert text_of(module.outer(2)).endswith("return a * x")
    assert text_of(module.shadow(2)).endswith("return a + x")


def test_two_lambdas_on_a_line(module: types.ModuleType) -> None:
    one, two = module.pair
    assert text_of(one) == "def function(x):\n    return x + 1"
    assert text_of(two) == "def function(x):\n    return x + 2"
    assert text_of(module.nested(2)) == "def function(y):\n    return x * y"
    left, right = (read_source(each).tree for each in module.twins)
    assert left.col_offset < right.col_offset
    assert (left.body[0].lineno, left.body[0].col_offset) == (left.lineno, left.col_offset + 10)


def test_lambdas_of_constants_on_a_line(module: types.ModuleType) -> None:
    texts = [text_of(each).splitlines()[-1].strip() for each in module.constants]
    assert texts == ["return 3", "return 1j", "return 3"]


def test_private_names_are_written_out(module: types.ModuleType) -> None:
    text = text_of(module.Model.method)
    assert "self._Model__secret * _Model__inner(x) + _Model__hidden" in text
    assert "self.__dunder__" in text
    assert "f(__k=x)" in text
    assert "def _Model__inner(y)" in text


def test_a_wrapper_is_itself_and_a_wrapping_object_is_followed() -> None:
    assert "function(function(*args))" in text_of(twice(math_sine))
    cached = functools.lru_cache(math_sine)
    assert read_source(cached).function is math_sine


def math_sine(x: float) -> float:
    assert x == x, "pytest rewrites this statement"
    return math.sin(x) * 0.5


def test_a_bound_method(module: types.ModuleType) -> None:
    assert read_source(module.Model().method).function is module.Model.method


@pytest.mark.parametrize("given", [math.sin, 3, int, functools.partial(math_sine, 1.0)])
def test_what_is_not_python_raises_type_error(given: Any) -> None:
    with pytest.raises(TypeError, match="written in Python"):
        read_source(given)


@pytest.mark.parametrize("name", ["coroutine", "both"])
def test_coroutines_are_refused(module: types.ModuleType, name: str) -> None:
    with pytest.raises(NotDifferentiable, match="has no derivative") as caught:
        read_source(getattr(module, name))
    assert f"def {name}(x):" in (caught.value.text or "")
    assert caught.value.filename == module.__file__


def test_names_are_looked_up_live(module: types.ModuleType) -> None:
    source = read_source(module.plain)
    assert (source.where("scale"), source.lookup("scale")) == ("global", 3.0)
    module.scale = 4.0  # type: ignore[attr-defined]
    assert source.lookup("scale") == 4.0
    assert (source.where("len"), source.lookup("len")) == ("builtin", len)
    assert source.where("nowhere") is None
    with pytest.raises(NameError, match="nowhere"):
        source.lookup("nowhere")
    inner = read_source(module.outer(5))
    assert (inner.where("a"), inner.lookup("a")) == ("closure", 5)


def test_an_empty_cell_is_a_name_error() -> None:
    def early() -> Any:
        return late

    with pytest.raises(NameError, match="late"):
        read_source(early).lookup("late")
    late = 1
    assert read_source(early).lookup("late") == 1


def test_no_source_is_said(tmp_path: Path) -> None:
    space: dict[str, Any] = {}
    exec("def made(x): return x", space)
    with pytest.raises(
        NotDifferentiable, match="made cannot be found|no longer holds the source of made"
    ):
        read_source(space["made"])


EDITS = [
    ("return x + 1.0", "return x + 2.0"),
    ("return x + 1.0", "return x + 1"),
    ("return x + 1.0", "return x - 1.0"),
    ("return x + 1.0", "return x + 1.0 + y"),
    ("def f(x)", "def f(z)"),
    ("def f(x)", "\ndef f(x)"),
    ("def f(x)", "def f(x"),
    ("def f(x):\n    return x + 1.0", ""),
    ("return x + 1.0", "return np.sin(x)"),
    ("return g(0.0)", "return g(-0.0)"),
]


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_an_edited_file_is_noticed(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "edited.py"
    text = "def f(x):\n    return x + 1.0\n\ndef h(x):\n    return g(0.0)\n"
    module = import_text(path, text)
    functions = [module.f, module.h]
    assert all(read_source(each) for each in functions)
    path.write_text(text.replace(old, new))
    os.utime(path, (1, 1))
    changed = functions[1] if "g(" in old else functions[0]
    with pytest.raises(NotDifferentiable, match="edited after it was loaded"):
        read_source(changed)


def test_swapped_lambdas_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    module = import_text(path, "f, g = lambda x: x + 1, lambda x: x + 2\n")
    assert text_of(module.f).endswith("x + 1")
    path.write_text("f, g = lambda x: x + 2, lambda x: x + 1\n\n")
    with pytest.raises(NotDifferentiable):
        read_source(module.f)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("y = (\n        x  # the first\n        + 2\n    )", "y = x + 2"),
        ("y = (x * 2\n         + 1)", "y = x * 2 + 1"),
        ("y = (\n        x,\n    )", "y = (x,)"),
        ("y = (\n        v for v in x\n    )", "y = (v for v in x)"),
        ("y = f'({x})' + max(\n        x,\n    )[\n        x,\n    ]", "y = f'({x})' + max(x)[x,]"),
        ("y = [\n        x, (x +\n            1),\n    ]", "y = [x, (x + 1)]"),
        ("y = x * \\\n        2; z = 3", "y = x * 2; z = 3"),
        ('y = """a\n    b"""', 'y = """a'),
        (
            "if (\n        x > 0\n    ):\n        # why\n        y = (\n            1)",
            "if (x > 0):",
        ),
        ("match x:\n        case 1:\n            y = f(\n                x)", "match x:"),
    ],
)
def test_a_statement_over_several_lines_is_shown_as_one(
    tmp_path: Path, written: str, shown: str
) -> None:
    module = import_text(tmp_path / "several.py", f"def f(x):\n    {written}\n    return 0\n")
    source = read_source(module.f)
    assert source.line(2) == shown
    inside = source.tree.body[0]
    if not hasattr(inside, "body") and not hasattr(inside, "cases"):
        assert source.line(inside.end_lineno) == shown


def test_an_edit_of_comments_and_other_functions_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    text = "def f(x):\n    return x + 1.0\n\ndef g(x):\n    return x\n"
    module = import_text(path, text)
    path.write_text(text.replace("1.0", "1.0  # one").replace("return x\n", "return -x\n"))
    os.utime(path, (1, 1))
    assert read_source(module.f).line(2) == "return x + 1.0  # one"
    with pytest.raises(NotDifferentiable):
        read_source(module.g)


def test_functions_of_the_standard_library_are_read() -> None:
    modules: list[Any] = [argparse, contextlib, doctest, functools, statistics, textwrap, traceback]
    members = [each for module in modules for each in vars(module).values()]
    members += [each for one in members if isinstance(one, type) for each in vars(one).values()]
    functions = [each for each in members if isinstance(each, types.FunctionType)]
    written = [each for each in functions if not each.__code__.co_filename.startswith("<")]
    assert len(written) > 300
    for function in written:
        if not inspect.isgeneratorfunction(function) and not is_async(function):
            tree = read_source(function).tree
            assert tree.name in (function.__code__.co_name, "function")


def is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def test_a_swapped_code_object_is_noticed(module: types.ModuleType) -> None:
    module.plain.__code__ = module.plain.__code__.replace(co_consts=(None, 1))
    with pytest.raises(NotDifferentiable):
        read_source(module.plain)


def test_future_annotations(tmp_path: Path) -> None:
    module = import_text(
        tmp_path / "annotated.py",
        """
        from __future__ import annotations
        def f(x: Unknown):
            def g(y: Unknown):
                return y
            return g(x)
        """,
    )
    assert read_source(module.f).tree.name == "f"


def test_a_doctest(module: types.ModuleType) -> None:
    text = (
        ">>> def f(x):\n...     return x * 5\n"
        ">>> read_source(f).tree.body[0].value.right.value\n5\n"
        ">>> g = lambda x: x\n>>> read_source(g).line(1)\n'g = lambda x: x'\n"
    )
    test = doctest.DocTestParser().get_doctest(text, {"read_source": read_source}, "t", None, 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_a_notebook_cell() -> None:
    interactive = pytest.importorskip("IPython.core.interactiveshell")
    shell = interactive.InteractiveShell()
    shell.user_ns["read_source"] = read_source
    text = "import math\ndef cell(x):\n    return math.sin(x) ** 3\n\n"
    shell.run_cell(text + "found = read_source(cell).line(3)\n")
    assert shell.user_ns["found"] == "return math.sin(x) ** 3"


def test_anything_in_linecache() -> None:
    text = "def hidden(x):\n    return x ** 2\n"
    linecache.cache["<hidden>"] = (len(text), None, text.splitlines(True), "<hidden>")
    space: dict[str, Any] = {}
    exec(compile(text, "<hidden>", "exec"), space)
    try:
        assert read_source(space["hidden"]).line(2) == "return x ** 2"
    finally:
        del linecache.cache["<hidden>"]


def test_without_column_positions(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "from tangentish.language.source import read_source\n"
        "f, g = lambda x: x + 1, lambda x: x + 2\n"
        "print(read_source(f).tree.body[0].value.right.value)\n"
        "print(read_source(g).tree.body[0].value.right.value)\n"
    )
    command = [sys.executable, "-X", "no_debug_ranges", "-W", "error", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, env=with_package())
    assert (done.stdout, done.stderr) == ("1\n2\n", "")


def with_package() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}


def test_a_long_sum_is_read(tmp_path: Path) -> None:
    terms = " + ".join(["x"] * 500)
    module = import_text(tmp_path / "long.py", f"def f(x):\n    return {terms}\n")
    assert isinstance(read_source(module.f).tree.body[0].value, gast.BinOp)


def test_each_reading_has_a_tree_of_its_own() -> None:
    assert read_source(math_sine).tree is not read_source(math_sine).tree


# ---- refusals


def name_at(lineno: int, column: int, end: int) -> Any:
    return gast.Name(
        "x", gast.Load(), None, None,
        lineno=lineno, col_offset=column, end_lineno=lineno, end_col_offset=end,
    )  # fmt: skip


LINES = ("def f(x):", "    é = x.data", "    return é")


def test_python_shows_the_line_and_the_caret() -> None:
    node = name_at(2, 9, 15)  # bytes: é takes two
    error = refuse([Refusal("x.data is no good", node)], "user.py", LINES)
    shown = "".join(traceback.format_exception_only(error)).splitlines()
    assert shown[0] == '  File "user.py", line 2'
    assert shown[1] == "    é = x.data"
    assert shown[2] == "        ^^^^^^"
    assert shown[3].endswith("NotDifferentiable: x.data is no good")


def test_all_refusals_come_at_once_ordered_and_once() -> None:
    late, early = Refusal("late", name_at(3, 11, 13)), Refusal("early", name_at(2, 4, 6))
    error = refuse([late, early, late, Refusal("early", name_at(2, 4, 6))], "user.py", LINES)
    assert error.msg == "early\nuser.py:3:12: late"
    assert (error.lineno, error.offset, error.end_offset) == (2, 5, 6)
    assert [each.message for each in error.refusals] == ["early", "late"]


def test_a_node_of_several_lines_is_shown_by_its_first() -> None:
    node = gast.Pass(lineno=1, col_offset=0, end_lineno=3, end_col_offset=2)
    error = refuse([Refusal("m", node)], "user.py", LINES)
    assert (error.end_lineno, error.end_offset) == (1, len(LINES[0]) + 1)
    assert "^^^^^^^^^" in "".join(traceback.format_exception_only(error))


def test_a_node_without_position_is_shown_at_the_top() -> None:
    assert refuse([Refusal("m", gast.Pass())], "user.py", LINES).lineno == 1
    assert refuse([Refusal("m", gast.Pass())], "user.py", ()).text == ""


def test_a_refusal_pickles() -> None:
    error = refuse([Refusal("m", name_at(2, 4, 6))], "user.py", LINES)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is NotDifferentiable
    assert (again.args, again.lineno, again.msg) == (error.args, 2, "m")
    assert again.refusals[0].message == "m"
    assert again.refusals[0].node.lineno == 2


def test_a_function_of_exec_among_lines_of_another_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Since Python 3.13 linecache has the text of `python -c` under the name that code made by exec has, too."""
    lines = ["import sys\n", "print(sys.argv)\n"]
    monkeypatch.setitem(linecache.cache, "<string>", (30, None, lines, "<string>"))
    space: dict[str, Any] = {}
    exec("def made(x):\n    return x * x\n", space)
    with pytest.raises(NotDifferentiable, match="the source of made cannot be found"):
        read_source(space["made"])
