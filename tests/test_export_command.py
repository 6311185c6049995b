"""The command line: `python -m tangentish export`."""

from __future__ import annotations

import importlib
import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangentish.export.files
from tangentish import grad
from tangentish.__main__ import main

MODEL = """
import functools
import logging
from typing import NamedTuple
import numpy as np
from tangentish import differentiate, is_training
from .layers import dense

RATE = 0.5

def loss(w, x):
    return np.sum(dense(w, x)) * RATE

@differentiate(wrt=("w", "b"))
def decorated(w: float, b: float):
    return w * b

def with_default(x: float, y=LIVE):
    return x

def make(data):
    def inner(x: float):
        return x * data["a"]
    return inner

closure = make({"a": 2.0})

log = logging.getLogger("exported")
SHARED, MANY, STEPS = [1.0, 2.0], np.ones(1000), [0.5, (2, 0.25), np.float32(3)]

def handing_on(x: float):
    return x * first_of(SHARED)

def first_of(items):
    return items[0]

def of_many(x: float):
    return x * MANY[3]

def counting(x: float):
    global RATE
    RATE = RATE + 1
    return x

def reading(x: float):
    log.debug("called")
    total = 0.0
    for step in reversed(STEPS):
        if isinstance(step, tuple):
            step = step[1]
        total = total + x * x * step
    return total * len(STEPS)

def doubled(f):
    @functools.wraps(f)
    def inner(*args):
        return f(*args) * 2.0
    return inner

@doubled
def wrapped(x: float):
    return x * x

def two(x: float, y: float = 2.0, n: int = 3):
    u = x * y
    return u * n, np.array([x, y]), n

def named(x: float):
    return {"a": x}

@differentiate(has_aux=True, training=False)
def dropped(w: float, x: float):
    kept = w * x / 0.5 if is_training() else w * x
    return kept**2, {"kept": kept}

class Net:
    SCALE = 0.5

    def __init__(self, w, b):
        self.w, self.b = w, b

    def loss(self, x):
        return np.sum(self.layer(x) ** 2) * self.SCALE

    def layer(self, x):
        return np.tanh(self.w @ x + self.b)

    @differentiate(wrt="self")
    def decorated(self, x):
        return np.sum(self.w @ x) + np.sum(self.b * self.b)

    @staticmethod
    def penalty(w, rate: float = 0.1):
        return rate * np.sum(w * w)

    @classmethod
    def made(cls, x: float):
        return x * cls.SCALE

NET = Net(np.ones((2, 3)), np.ones(2))

class Pair(NamedTuple):
    a: float
    b: float

def of_pair(pair, x: float):
    return pair.a * x + pair.b

def drawn(x: float, rng):
    return x * rng.normal()

def inner(x: float):
    u = x * x
    return u * u * x
"""

LAYERS = """
import numpy as np

def dense(w, x):
    return np.tanh(w @ x)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package, in the folder at hand."""
    folder = tmp_path / "exported_package"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "model.py").write_text(MODEL.replace("LIVE", "object()"))
    (folder / "layers.py").write_text(LAYERS)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    yield folder
    forget()


def forget() -> None:
    """Let the next command import the package again, as a new process does."""
    for name in [name for name in sys.modules if name.startswith("exported_package")]:
        del sys.modules[name]


LIKES = ("--like", "w=float64[3,4]", "--like", "x=float64[4]")


def export(function: str, *options: str, to: str = "exported_package/model_grad.py") -> int:
    forget()
    return main(["export", f"exported_package/model.py:{function}", "-o", to, *options])


def test_export(package, capsys):
    assert export("loss", *LIKES, "--wrt", "w,x") == 0
    assert capsys.readouterr() == ("", "")
    text = (package / "model_grad.py").read_text()
    assert text.startswith("# Made by tangentish ")
    assert "from loss() in model.py" in text
    assert "export model.py:loss -o model_grad.py --wrt w,x " in text
    assert "SHA-256 of the source of loss(): " in text
    assert "def dense_forward(" in text and "RATE = 0.5" in text
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    assert namespace["__all__"] == ["loss_grad", "loss_value_and_grad"]


def test_check_says_when_the_file_is_out_of_date(package, capsys):
    assert export("loss", *LIKES, "--check") == 1
    assert "is not there" in capsys.readouterr().err
    assert not (package / "model_grad.py").exists()
    assert export("loss", *LIKES) == 0
    assert export("loss", *LIKES, "--check") == 0
    assert capsys.readouterr() == ("", "")
    for name, old, new in [
        ("model.py", "RATE = 0.5", "RATE = 0.25"),
        ("layers.py", "np.tanh", "np.sin"),
        ("model.py", "return np.sum(dense", "return np.mean(dense"),
        ("model_grad.py", "_loss_grad", "_lost_grad"),
    ]:
        before = (package / name).read_text()
        (package / name).write_text(before.replace(old, new))
        forget_caches(package)
        assert export("loss", *LIKES, "--check") == 1
        assert "model_grad.py is out of date: export it again" in capsys.readouterr().err
        (package / name).write_text(before)
        forget_caches(package)
    assert export("loss", *LIKES, "--check") == 0
    assert export("loss", *LIKES[:2], "--like", "x=float32[4]", "--check") == 1


def forget_caches(package: Path) -> None:
    for cached in package.rglob("*.pyc"):
        cached.unlink()


def test_the_place_of_the_command_does_not_matter(package, capsys, monkeypatch):
    assert export("loss", *LIKES) == 0
    monkeypatch.chdir(package)
    forget()
    again = ["export", "model.py:loss", "-o", "model_grad.py", *LIKES, "--check"]
    assert main(again) == 0


def test_what_the_decorator_says_counts(package):
    assert export("decorated") == 0
    assert "with respect to w and b." in (package / "model_grad.py").read_text()
    assert export("decorated", "--wrt", "b") == 0
    assert "with respect to b." in (package / "model_grad.py").read_text()


@pytest.mark.parametrize(
    ("options", "kept"), [((), 6.0), (("--training",), 12.0), (("--no-training",), 6.0)]
)
def test_its_mode_and_what_it_returns_beside_the_output_count(package, options, kept):
    assert export("dropped", *options) == 0
    made = runpy.run_path(str(package / "model_grad.py"))
    slope = 2 * kept * kept / 2.0
    assert made["dropped_grad"](2.0, 3.0) == (slope, {"kept": kept})
    assert made["dropped_value_and_grad"](2.0, 3.0) == ((kept**2, {"kept": kept}), slope)
    assert export("dropped", *options, "--check") == 0
    other = "--training" if kept == 6.0 else "--no-training"
    assert export("dropped", other, "--check") == 1


def exported_module(function: str, *options: str) -> dict[str, Any]:
    assert export(function, *options) == 0
    return runpy.run_path("exported_package/model_grad.py")


def test_methods(package):
    like = "--like", "x=float64[3]"
    made = exported_module("Net.loss", *like, "--like", "self=Net(float64[2, 3], b=float64[2])")
    model = importlib.import_module("exported_package.model")
    net, x = model.Net(np.full((2, 3), 0.1), np.array([0.2, -0.3])), np.array([1.0, -2.0, 0.5])
    wanted = grad(model.Net.loss, wrt="x")(net, x)
    assert made["loss_grad"](net, x).tobytes() == wanted.tobytes()
    with pytest.raises(
        TypeError,
        match=r"self: Net\(w: float64\[n, m\], b: float64\[n\]; SCALE: float\), not for Net",
    ):
        made["loss_grad"](model.Net(np.ones((2, 3)), 1.0), x)
    with pytest.raises(TypeError, match=r"not for Pair\(a: float, b: float\)"):
        made["loss_grad"](model.Pair(1.0, 2.0), x)
    net.extra = 1
    with pytest.raises(TypeError, match="b: float64.2., extra: int"):
        made["loss_grad"](net, x)


def test_methods_of_an_object_that_is_there(package):
    made = exported_module("NET.decorated", "--like", "x=float64[3]")
    model = importlib.import_module("exported_package.model")
    found = made["decorated_grad"](model.NET, np.array([1.0, 2.0, 3.0]))
    assert type(found) is model.Net
    assert found.w.tolist() == [[1.0, 2.0, 3.0]] * 2 and found.b.tolist() == [2.0, 2.0]


def test_static_methods_named_tuples_and_generators(package):
    made = exported_module("Net.penalty", "--like", "w=float64[2]", "--wrt", "0")
    assert made["penalty_grad"](np.array([1.0, 2.0])).tolist() == [0.2, 0.4]
    made = exported_module("of_pair", "--like", "pair=Pair(float, float)")
    pair = importlib.import_module("exported_package.model").Pair
    assert made["of_pair_grad"](pair(1.0, 2.0), 3.0) == pair(3.0, 1.0)
    made = exported_module("drawn", "--like", "rng=np.random.default_rng(0)")
    draw = np.random.default_rng(1).normal()
    assert made["drawn_grad"](2.0, np.random.default_rng(1)) == draw
    with pytest.raises(TypeError, match="rng: Generator, not for float"):
        made["drawn_grad"](2.0, 1.0)


def test_local_variables(package):
    made = exported_module("inner", "--wrt", "u,x")
    assert made["inner_grad"](3.0) == (2 * 9.0 * 3.0, 81.0)
    assert "with respect to u and x." in (package / "model_grad.py").read_text()


def test_lists_dicts_and_loggers_that_are_only_read(package):
    assert exported_module("closure")["closure_grad"](1.0) == 2.0
    made = exported_module("reading")
    text = (package / "model_grad.py").read_text()
    assert "STEPS = [0.5, (2, 0.25), np.float32(3.0)]\n" in text
    assert "log = logging.getLogger('exported')\n" in text
    assert made["reading_grad"](2.0) == 2 * 2.0 * 3.75 * 3


def test_wrappers_keep_annotations(package):
    assert exported_module("wrapped")["wrapped_grad"](3.0) == 12.0


def test_several_outputs(package):
    made = exported_module("two")
    assert made["__all__"] == ["two_vjp"]
    value, pullback = made["two_vjp"](5.0)
    assert value[0] == 30.0 and value[1].tolist() == [5.0, 2.0] and value[2] == 3
    value[1][:] = 0.0
    for _ in range(2):
        assert pullback((1.0, np.array([10.0, 20.0]), None)) == (16.0, 35.0, None)
        assert pullback([2, None, None]) == (12.0, 30.0, None)
    for heads, error in [
        (1.0, TypeError),
        ((1.0, None), TypeError),
        ((1.0, None, 1.0), TypeError),
        (("1", None, None), TypeError),
        ((None, np.ones(3), None), ValueError),
        ((None, np.ones(2) * 1j, None), TypeError),
        ((np.ones(1), None, None), TypeError),
    ]:
        with pytest.raises(error):
            pullback(heads)
    assert exported_module("two", "--wrt", "y")["two_vjp"](5.0)[1]((1.0, None, None)) == (
        None,
        15.0,
        None,
    )


def test_pullbacks_of_methods_have_no_entry_for_self(package):
    (package / "layers.py").write_text(
        LAYERS.replace(
            "def dense", "class Two:\n  def both(self, x):\n    return x, x * self.k\n\ndef dense"
        )
        + "ONE = Two()\nONE.k = 3.0\n"
    )
    place = "exported_package/layers.py:ONE.both"
    assert main(["export", place, "-o", "both_grad.py", "--like", "x=float"]) == 0
    one = importlib.import_module("exported_package.layers").ONE
    assert runpy.run_path("both_grad.py")["both_vjp"](one, 2.0)[1]((1.0, 10.0)) == (31.0,)


def test_functions_are_named_as_in_the_module(package):
    (package / "layers.py").write_text(LAYERS + "cube = lambda x: x**3\n")
    place = "exported_package/layers.py:cube"
    assert main(["export", place, "-o", "cube_grad.py", "--like", "x=float"]) == 0
    assert runpy.run_path("cube_grad.py")["cube_grad"](2.0) == 12.0


def test_formatters_leave_the_module_alone(package):
    """What a hook of the user's project changed would be out of date."""
    likes = "params={'first': (float64[3,4], float64[3]), 'second': (float64[3,5], float64[3])}"
    source = "import numpy as np\n\ndef long(params, x):\n    return np.sum(params['first'][0] @ x) ** 2\n"
    (package / "layers.py").write_text(source)
    place = "exported_package/layers.py:long"
    options = ["--like", likes, "--like", "x=float64[4]"]
    assert main(["export", place, "-o", "long_grad.py", *options]) == 0
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "long_grad.py"], capture_output=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    forget()
    assert main(["export", place, "-o", "long_grad.py", *options, "--check"]) == 0


def test_arrays_of_any_rank(package):
    likes = ("--like", "w=float64[...]", "--like", "x=float64[...]")
    assert export("loss", *likes) == 0
    text = (package / "model_grad.py").read_text()
    assert '"w": ("array", "float64", None)' in text
    assert "matmul_left(" in text


@pytest.mark.parametrize(
    ("function", "options", "says"),
    [
        ("nothing", (), "has no function 'nothing'"),
        ("loss", (), "are missing: w, x"),
        ("loss", (*LIKES, "--like", "q=float"), "has no parameter 'q'"),
        ("loss", (*LIKES, "--like", "w=float"), "the kind of 'w' is given twice"),
        ("loss", ("--like", "w=float64[3"), "names no kind of number"),
        ("loss", ("--like", "w=(float, {'a': foo})"), "names no kind of number"),
        ("loss", ("--like", "w=int64[3,4]", *LIKES[2:]), "an array of dtype int64"),
        ("loss", ("--like", "w='text'", *LIKES[2:]), "argument 'w' of loss() is a str"),
        ("loss", ("--like", "w=float64[3,4]", "--like", "x='text'"), "don't fit loss()"),
        ("loss", ("--like", "w=float", *LIKES[2:]), "don't fit loss(): ValueError: matmul"),
        ("loss", (*LIKES[:2], "--like", "x=float64[5]"), "don't fit loss(): ValueError: matmul"),
        ("loss", (*LIKES, "--wrt", "q"), "no parameter 'q'"),
        (
            "with_default",
            (),
            "the default of the parameter 'y' of with_default_grad() can't be written out",
        ),
        ("handing_on", (), "reads 'SHARED', a live object (list) that it hands on"),
        ("of_many", (), "reads 'MANY', an array of more than 256 elements"),
        ("counting", (), "binds names outside of it (RATE): pass"),
        ("two", ("--wrt", "x,u"), "its pullback takes no local variables"),
        ("named", (), "named() returns a dict, and an exported pullback takes"),
        ("Net", (), "Net is a class"),
        (
            "Net.loss",
            LIKES[2:],
            "are missing: self; give them, as in --like 'self=Net(w=float64[3], b=",
        ),
        (
            "Net.loss",
            ("--like", "self=Net(float)"),
            "the call fails: TypeError: Net.__init__() missing",
        ),
        ("Net.loss", ("--like", "self=Nett(float)"), "the module has no 'Nett'"),
        (
            "Net.nothing",
            (),
            "Net in exported_package/model.py has no function 'nothing'; it has loss, layer",
        ),
        (
            "Net.made",
            (),
            "export a function of yours that calls this one and names what it gives it",
        ),
        ("RATE", (), "only functions can be differentiated"),
    ],
)
def test_bad_input_is_status_2(package, capsys, function, options, says):
    output = package / "model_grad.py"
    for before in (None, "kept\n"):
        if before is not None:
            output.write_text(before)
        assert export(function, *options) == 2
        text, errors = capsys.readouterr()
        assert not text
        assert says in errors
        assert errors.startswith("tangentish: ") and "Traceback" not in errors
        assert (output.read_text() if output.exists() else None) == before
    assert {path.name for path in package.iterdir()} <= {
        "__init__.py", "model.py", "layers.py", "model_grad.py", "__pycache__",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("to", "says"),
    [
        ("nowhere/model_grad.py", "nowhere/model_grad.py can't be written: No such file"),
        ("exported_package", "exported_package can't be written"),
        ("exported_package/model.py", "holds loss() itself: give another -o"),
    ],
)
def test_outputs_that_can_not_be_written(package, capsys, to, says):
    before = (package / "model.py").read_text()
    assert export("loss", *LIKES, to=to) == 2
    assert says in capsys.readouterr().err
    assert (package / "model.py").read_text() == before


def test_a_file_that_may_not_be_written(package, capsys, monkeypatch):
    output = package / "model_grad.py"
    output.write_text("kept\n")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert export("loss", *LIKES) == 2
    assert "model_grad.py can't be written: " in capsys.readouterr().err
    assert output.read_text() == "kept\n"


def test_half_a_file_is_never_seen(package, capsys, monkeypatch):
    output = package / "model_grad.py"
    output.write_text("kept\n")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tangentish.export.files.Path, "replace", full)
    assert export("loss", *LIKES) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert output.read_text() == "kept\n"
    assert not list(package.glob(".model_grad*"))


def test_the_mode_of_the_file_and_links_to_it_are_kept(package):
    output, link = package / "model_grad.py", package / "link.py"
    output.touch()
    output.chmod(0o640)
    link.symlink_to(output)
    assert export("loss", *LIKES, to=str(link)) == 0
    assert link.is_symlink()
    assert output.stat().st_mode & 0o777 == 0o640
    assert "def loss_grad(" in output.read_text()
    before = output.stat().st_mtime_ns
    assert export("loss", *LIKES, to=str(link)) == 0
    assert output.stat().st_mtime_ns == before


def test_as_a_command(package, tmp_path):
    command = [sys.executable, "-m", "tangentish", "export", "exported_package/model.py:loss"]
    command += ["-o", "exported_package/model_grad.py", *LIKES]
    for options, status in ([], 0), (["--check"], 0), (["--like", "q"], 2):
        ran = subprocess.run([*command, *options], capture_output=True, check=False)
        assert ran.returncode == status, ran.stderr
