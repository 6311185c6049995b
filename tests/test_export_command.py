"""The command line: `python -m tangentish export`."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tangentish.export.files
from tangentish.__main__ import main

MODEL = """
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

def two(x: float):
    return x, x

@differentiate(has_aux=True, training=False)
def dropped(w: float, x: float):
    kept = w * x / 0.5 if is_training() else w * x
    return kept**2, {"kept": kept}

class Net:
    def loss(self, x):
        return x
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
        ("with_default", (), "'y' is an object of the class object"),
        ("closure", (), "reads 'data', a live object (dict)"),
        ("two", (), "returns 2 values"),
        ("Net", (), "Net is a class"),
        ("Net.loss", (), "methods are not supported"),
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
