"""Every program of the corpus, compiled: which gradients Numba takes, and why not the others.

    python -m tests.compiled_corpus [names or families] [--jobs N] [--write]

A program that Numba compiles as it is should compile as a gradient; those that don't are listed with Numba's reason,
and with --write in docs/compiled.md. A gradient that differs from the interpreted one is an error: exit status 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np

from tangentish import NotDifferentiable, differentiate, value_and_grad

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from corpus import PROGRAMS, Program  # noqa: E402
from numeric import random_head  # noqa: E402

PAGE = ROOT / "docs" / "compiled.md"
MARKS = "<!-- corpus -->", "<!-- end of corpus -->"


@dataclass(frozen=True)
class Verdict:
    """What became of a program: "agrees", "differs", "refused", "fails", or "not a function of Numba's"."""

    name: str
    what: str
    line: str = ""
    reason: str = ""


def verdict(program: Program) -> Verdict:
    try:
        wanted = interpreted(program)
    except (NotDifferentiable, TypeError) as error:
        return Verdict(program.name, "no gradient", reason=str(error))
    try:
        found = compiled(program)
    except NotDifferentiable as error:
        what = "refused" if compiles(program) else "not a function of Numba's"
        return Verdict(program.name, what, (error.text or "").strip(), error.msg.splitlines()[0])
    except Exception as error:
        what = "fails" if compiles(program) else "not a function of Numba's"
        return Verdict(program.name, what, reason=f"{type(error).__name__}: {error}")
    agree = len(found) == len(wanted) and all(map(same, found, wanted))
    return Verdict(program.name, "agrees" if agree else "differs")


def interpreted(program: Program) -> list[Any]:
    """Value and gradients, of a pullback where there are several outputs."""
    return _derived(program, None)


def compiled(program: Program) -> list[Any]:
    return _derived(program, "numba")


def _derived(program: Program, compile: Any) -> list[Any]:
    args = program.args()
    try:
        value, gradients = value_and_grad(program.function, wrt=program.wrt, compile=compile)(*args)
    except TypeError as error:
        if "vjp" not in str(error):
            raise
        decorated = differentiate(program.function, compile=compile)
        value, pullback = decorated.vjp(*args)
        gradients = [pullback(random_head(value, seed=0))[k] for k in program.wrt]
    return [*(value if isinstance(value, tuple) else (value,)), *gradients]


def compiles(program: Program) -> bool:
    """Whether Numba compiles the function itself."""
    try:
        numba.njit(program.function)(*program.args())
    except Exception:
        return False
    return True


def same(found: Any, wanted: Any) -> bool:
    if wanted is None or found is None or isinstance(wanted, (str, dict)):
        return found == wanted
    narrow = np.asarray(wanted).dtype == np.float32
    close = np.shape(found) == np.shape(wanted) and np.allclose(
        found, wanted, rtol=1e-4 if narrow else 1e-9, atol=1e-11, equal_nan=True
    )
    return bool(close) and np.asarray(found).dtype == np.asarray(wanted).dtype


def listed(verdicts: list[Verdict]) -> str:
    """The section of the docs."""
    agree = sum(v.what == "agrees" for v in verdicts)
    others = [v for v in verdicts if v.what in ("refused", "fails")]
    lines = [
        f"{agree} programs have compiled gradients, which agree with the interpreted ones. {len(others)} more are compiled",
        "by Numba as they are, but not as gradients:",
        "",
        "| program | line | reason |",
        "| --- | --- | --- |",
        *(f"| {v.name} | `{_cell(v.line)}` | `{_cell(v.reason)}` |" for v in others),
    ]
    return "\n".join(lines)


def _cell(text: str) -> str:
    text = re.sub(r"\s+", " ", text.removeprefix("Numba can't compile this: ")).replace("|", "\\|")
    return text if len(text) < 100 else text[:97] + "..."


LONGEST = 900  # seconds that one program may take: a process that Numba ends leaves its answer out


def verdicts(names: list[str], jobs: int) -> Iterator[Verdict]:
    """In the order of the names, by processes that end now and then: Numba keeps all that it compiles."""
    with multiprocessing.get_context("fork").Pool(jobs, maxtasksperchild=40) as pool:
        answers = pool.imap(_of_name, names)
        for _ in names:
            found = answers.next(LONGEST)
            if found.what in ("refused", "fails", "differs"):
                reason = _cell(found.reason)
                print(f"{found.name}: {found.what}: {found.line}: {reason}", flush=True)
            yield found


def _of_name(name: str) -> Verdict:
    return verdict(PROGRAMS[name])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("chosen", nargs="*", metavar="name or family")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    chosen = set(options.chosen)
    names = [p.name for p in PROGRAMS.values() if not chosen or {p.name, p.family} & chosen]
    found = list(verdicts(names, options.jobs))
    differing = [v.name for v in found if v.what == "differs"]
    agreeing = sum(v.what == "agrees" for v in found)
    print(f"{agreeing} of {len(found)} agree, {len(differing)} differ")
    if options.write and not chosen:
        page, (start, end) = PAGE.read_text(), MARKS
        head, rest = page.split(start)
        PAGE.write_text(f"{head}{start}\n\n{listed(found)}\n\n{end}{rest.split(end)[1]}")
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
