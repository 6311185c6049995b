"""The generated source of every program of the corpus and of every method, to the letter.

`pytest tests/test_golden.py --update-golden` rewrites the files; their diff is the review of a
change to the generator.
"""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest
import scipy
from corpus import PROGRAMS, Program
from methods import METHODS, Method
from numeric import final_value
from numpy.lib import NumpyVersion

from tangentish import NotDifferentiable, differentiate, grad
from tangentish.asking.asked import Asked
from tangentish.calling.dispatch import derivative

GOLDEN = Path(__file__).parent / "golden"
GOLDEN_TANGENTS = Path(__file__).parent / "golden_tangents"
GOLDEN_METHODS = Path(__file__).parent / "golden_methods"
ACCEPTED = {name: program for name, program in PROGRAMS.items() if 0 not in program.refused}
ALL = [pytest.param(program, id=name) for name, program in ACCEPTED.items()]
METHODS_ACCEPTED = {name: method for name, method in METHODS.items() if method.refused is None}


def golden_file(program: Program) -> Path:
    return GOLDEN / program.family / f"{program.name}.py.txt"


def generated(program: Program) -> str:
    return text_of(program, program.written)


def text_of(program: Program | Method, written: tuple[int, ...] | None = None) -> str:
    """The source of the gradient; of forward pass and adjoint where there are several outputs."""
    args = program.args()
    if isinstance(final_value(program.function, program.args(), written), (tuple, list)):
        return differentiate(program.function).vjp.source(*args)
    return grad(program.function, wrt=program.wrt).source(*args)


# The half of the factor that means nothing has a gradient before SciPy 1.18, and none since.
KEPT = re.compile(r" \+ np\.triu\((dc_0|k_dot), 1\)")
IS_KEPT = NumpyVersion(scipy.__version__) < "1.18.0"


def compare(path: Path, text: str, update_golden: bool) -> None:
    ast.parse(text)
    if update_golden:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.exists(), f"no golden file {path.name}: run pytest --update-golden"
    kept = path.read_text(encoding="utf-8")
    assert text == (kept if IS_KEPT else KEPT.sub("", kept))


@pytest.mark.parametrize("program", ALL)
def test_golden(program: Program, update_golden: bool) -> None:
    compare(golden_file(program), generated(program), update_golden)


def test_no_golden_file_without_a_program(update_golden: bool) -> None:
    wanted = {golden_file(program) for program in ACCEPTED.values()}
    wanted |= {GOLDEN_METHODS / f"{name}.py.txt" for name in METHODS_ACCEPTED}
    stale = {*GOLDEN.rglob("*.*"), *GOLDEN_METHODS.glob("*")} - wanted
    if update_golden:
        for path in stale:
            path.unlink()
        return
    assert not stale


FAMILIES = sorted({program.family for program in ACCEPTED.values()})


def tangent_of(program: Program) -> str:
    """Forward mode of a program."""
    try:
        return derivative(program.function, Asked("jvp", program.wrt)).source(*program.args())
    except NotDifferentiable as error:
        return f"# {program.name} is refused: {error.msg}\n"


PROGRAM = "# program: "
"""What stands before the text of each in the file of its family."""


@functools.cache
def golden_tangents(family: str) -> dict[str, str]:
    """The texts by the names of the programs."""
    whole = (GOLDEN_TANGENTS / f"{family}.py.txt").read_text(encoding="utf-8")
    ast.parse(whole)
    assert whole.startswith(PROGRAM)
    whole = whole if IS_KEPT else KEPT.sub("", whole)
    parts = (part.partition("\n") for part in f"\n\n{whole}".split(f"\n\n{PROGRAM}")[1:])
    return {name: text for name, _, text in parts}


@pytest.mark.parametrize("program", ALL)
def test_golden_tangents(program: Program, update_golden: bool) -> None:
    """Beside the other tests of the program, which ask for the same text."""
    if not update_golden:
        assert tangent_of(program) == golden_tangents(program.family).get(program.name)


@pytest.mark.parametrize("family", FAMILIES)
def test_golden_tangents_of_a_family(family: str, update_golden: bool) -> None:
    programs = [program for program in ACCEPTED.values() if program.family == family]
    if update_golden:
        whole = "\n\n".join(f"{PROGRAM}{p.name}\n{tangent_of(p)}" for p in programs)
        compare(GOLDEN_TANGENTS / f"{family}.py.txt", whole, update_golden)
    assert [*golden_tangents(family)] == [program.name for program in programs]


@pytest.mark.parametrize("name", METHODS_ACCEPTED)
def test_golden_methods(name: str, update_golden: bool) -> None:
    text = text_of(METHODS_ACCEPTED[name])
    compare(GOLDEN_METHODS / f"{name}.py.txt", text, update_golden)


@pytest.mark.parametrize("program", ALL)
def test_text_is_tidy(program: Program) -> None:
    """No trailing blanks, no tabs, one newline at the end, comments only of the user's lines; all is called."""
    text = generated(program)
    made = {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    read = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    stem = program.function.__name__
    assert made - read <= {f"{stem}_grad", f"{stem}_forward", f"{stem}_adjoint"}
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    for line in text.splitlines():
        assert line == line.rstrip()
        assert "\t" not in line
