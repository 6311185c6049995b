"""The command line: `python -m tangentish show` and `check`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tangentish.__main__ import main

PROGRAM = """
import numpy as np
from tangentish import differentiate

def neuron(w, x):
    z = w[0] * x[0] + w[1] * x[1] + w[2]
    return 1 / (1 + np.exp(-z))

def typed(x: float, n: int = 3):
    return x * n

@differentiate
def decorated(x: "float"):
    return x * x

def refused(x: float):
    return open(x) * x

def fails(x: float):
    if x < 1e9:
        raise ValueError("too bad")
    return x * x

def only(*, x: float):
    return x * x

class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, x: float):
        return np.sum(self.w * x * x)

LIKE = 3
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "path", list(sys.path))
    file = tmp_path / "cli_program.py"
    file.write_text(PROGRAM)
    yield str(file)
    sys.modules.pop("cli_program", None)


LIKES = ("--like", "w=float64[3]", "--like", "x=float64[2]")


def test_show(program, capsys):
    assert main(["show", f"{program}:neuron", *LIKES, "--wrt", "w,x"]) == 0
    text, errors = capsys.readouterr()
    assert not errors
    assert text.startswith("def neuron_grad(w, x, dy=1.0):")
    assert "return dw, dx" in text


def test_show_in_every_mode(program, capsys):
    for mode, name in [
        ("grad", "neuron_grad(w, x, dy=1.0)"),
        ("value_and_grad", "neuron_value_and_grad(w, x, dy=1.0)"),
        ("vjp", "neuron_forward(w, x)"),
        ("jvp", "neuron_jvp(w, x, w_dot, x_dot)"),
        ("hvp", "neuron_hvp(w, x, w_dot, dy_dot=1.0)"),
    ]:
        assert main(["show", f"{program}:neuron", *LIKES, "--mode", mode]) == 0
        assert f"def {name}:" in capsys.readouterr().out
    assert main(["show", f"{program}:only", "--mode", "hvp"]) == 2


def test_show_uses_annotations_and_defaults(program, capsys):
    assert main(["show", f"{program}:typed"]) == 0
    assert main(["show", f"{program}:decorated"]) == 0
    assert main(["show", f"{program}:only"]) == 0
    assert "def decorated_grad(" in capsys.readouterr().out


def test_check(program, capsys):
    assert main(["check", f"{program}:neuron", *LIKES, "--seed", "7"]) == 0
    first = capsys.readouterr().out
    assert "gradient of neuron() agrees with numeric derivatives" in first
    assert main(["check", f"{program}:neuron", *LIKES, "--seed", "7"]) == 0
    assert capsys.readouterr().out == first
    assert main(["check", f"{program}:neuron", *LIKES, "--seed", "8"]) == 0
    assert capsys.readouterr().out != first
    assert main(["check", f"{program}:typed", "--like", "x=float", "--like", "n=int"]) == 0


def test_check_of_keyword_only_parameters(program, capsys):
    assert main(["check", f"{program}:only"]) == 0
    assert "ok  x" in capsys.readouterr().out


def test_a_mismatch_is_status_1(program, capsys, monkeypatch):
    from tangentish.checking import check

    real = check.Probe.gradients
    monkeypatch.setattr(
        check.Probe, "gradients", lambda self, rng: tuple(g * 1.01 for g in real(self, rng))
    )
    assert main(["check", f"{program}:neuron", *LIKES]) == 1
    assert "the derivative with respect to w[" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "arguments", "says"),
    [
        ("nowhere.py:f", (), "no such file: nowhere.py"),
        ("{}", (), "names no function"),
        ("{}:", (), "names no function"),
        ("{}:nothing", (), "has no function 'nothing'; it has neuron, typed"),
        ("{}:LIKE", (), "only functions can be differentiated"),
        (
            "{}:Model.loss",
            (),
            "are missing: self; give them, as in --like 'self=Model(w=float64[3])'",
        ),
        ("{}:Model.los", (), "Model in {} has no function 'los'; it has loss"),
        ("{}:Model", (), "Model is a class"),
        ("{}:np", (), "only functions"),
        ("{}:neuron", (), "are missing: w, x"),
        ("{}:neuron", LIKES[:2], "are missing: x"),
        ("{}:neuron", ("--like", "q=float"), "has no parameter 'q'"),
        ("{}:neuron", ("--like", "w"), "write name=kind"),
        ("{}:neuron", ("--like", "w=foo[3]"), "names no kind of number"),
        ("{}:neuron", ("--like", "w=float64[3"), "names no kind of number"),
        (
            "{}:neuron",
            ("--like", "w=float64[99999999,99999999]", "--like", "x=float64[2]"),
            "memory",
        ),
        ("{}:neuron", (*LIKES, "--wrt", "q"), "no parameter 'q'"),
        ("{}:neuron", (*LIKES, "--wrt", "5"), "out of range"),
        ("{}:typed", ("--wrt", "n"), "argument 'n' of typed() is the int 3"),
        ("{}:refused", (), "cli_program.py"),
    ],
)
@pytest.mark.parametrize("command", ["show", "check"])
def test_bad_input_is_status_2(program, capsys, command, place, arguments, says):
    assert main([command, place.format(program), *arguments]) == 2
    text, errors = capsys.readouterr()
    assert not text
    assert says.format(program) in errors
    assert "Traceback" not in errors


def test_methods(program, capsys):
    like = ["--like", "self=Model(float64[3])"]
    assert main(["show", f"{program}:Model.loss", *like]) == 0
    assert "def loss_grad(self, x, dy=1.0):" in capsys.readouterr().out
    assert main(["show", f"{program}:Model.loss", *like, "--wrt", "self"]) == 0
    assert "return with_fields(self, w=" in capsys.readouterr().out
    assert main(["check", f"{program}:Model.loss", *like]) == 0
    text = capsys.readouterr().out
    assert "agrees with" in text and "ok  x" in text


def test_the_function_itself_fails(program, capsys):
    assert main(["check", f"{program}:fails"]) == 2
    assert "too bad" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def f(x:\n", "SyntaxError"),
        ("import no_such_module_at_all\n", "No module named 'no_such_module_at_all'"),
        ("raise SystemExit(3)\n", "can't be imported: SystemExit"),
    ],
)
def test_files_that_do_not_load(tmp_path, capsys, monkeypatch, text, says):
    monkeypatch.setattr(sys, "path", list(sys.path))
    file = tmp_path / "cli_broken.py"
    file.write_text(text)
    assert main(["show", f"{file}:f"]) == 2
    assert says in capsys.readouterr().err
    sys.modules.pop("cli_broken", None)


def test_as_a_command(program):
    ran = subprocess.run(
        [sys.executable, "-m", "tangentish", "show", f"{program}:refused"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "^" in ran.stderr
    assert "Traceback" not in ran.stderr
