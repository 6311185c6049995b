"""Programs of the corpus, written in other ways: a gradient is the same however its function is written, or refused.

    python -m tests.rewritten_corpus [ways] [--every N] [--first K] [--seed S] [--more]

Each is compared with the gradient and the tangent of the program as it stands, which other tests hold against numeric
derivatives; with --more, second derivatives and those of float32 are, too. What differs, or raises, is printed, and so is
how many are refused, by reason; exit status 1 for the former.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import inspect
import sys
import tempfile
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tangentish import NotDifferentiable, hvp, jvp, vjp

sys.path.insert(0, str(Path(__file__).parent))

from all_ways import MIXTURES, WAYS, all_ways  # noqa: E402
from corpus import PROGRAMS, Program  # noqa: E402
from numeric import final_value, random_head  # noqa: E402
from ways_of_writing import Unfit  # noqa: E402

HEAD = (
    "import corpus.{family} as around\n"
    "globals().update({{k: v for k, v in vars(around).items() if not k.startswith('__')}})\n"
)


def rewritten(program: Program, way: str, folder: Path, seed: int = 0) -> Callable[..., Any]:
    """The function of a program, written in one of the ways, in a file of its own; seed: of what is drawn."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(program.function))).body
    if not isinstance(tree, ast.FunctionDef) or program.function.__closure__ or program.refused:
        raise Unfit
    tree.decorator_list = []
    before = all_ways(program.name, seed)[way](tree)
    text = (
        HEAD.format(family=program.family) + before + ast.unparse(ast.fix_missing_locations(tree))
    )
    path = folder / f"{way}_{program.name}.py"
    path.write_text(text + "\n")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:  # a variable of a function around that is bound in this one, ...
        raise Unfit from error
    function: Callable[..., Any] = getattr(module, program.name)
    if program.written is not None and way == "methods":
        raise Unfit  # it gives nothing, and the object is gone
    try:
        found = final_value(function, program.args(), program.written)
        is_same = same(found, value_of(program))
    except Exception as error:  # a name that is bound on some ways only, ...
        raise Unfit from error
    if not is_same:
        raise Unfit  # what it draws, or counts, is another one
    return function


def value_of(program: Program) -> Any:
    return final_value(program.function, program.args(), program.written)


def difference(program: Program, function: Callable[..., Any]) -> str | None:
    """What differs in the derivatives of the function from those of the program; None where nothing does."""
    head = random_head(value_of(program), seed=0)
    wanted, found = (vjp(f, *program.args())[1](head) for f in (program.function, function))
    for k in program.wrt:
        if not same(found[k], wanted[k]):
            return f"gradient {k}: {found[k]}, not {wanted[k]}"
    along = random_head(tuple(program.args()[k] for k in program.wrt), seed=0)
    given = dict(zip(program.wrt, along, strict=True))
    args = program.args()
    tangents = tuple(given.get(k) for k in range(len(args)))
    wanted, found = (jvp(f, program.args(), tangents)[1] for f in (program.function, function))
    return None if same(found, wanted) else f"tangent: {found}, not {wanted}"


def further_difference(program: Program, function: Callable[..., Any]) -> str | None:
    """What differs in the second derivatives, and in the gradients of float32."""
    both, args, value = (program.function, function), program.args(), value_of(program)
    if program.wrt[0] == 0 and isinstance(value, float) and not isinstance(args[0], (tuple, list)):
        wanted, found = (
            hvp(f)(args[0], random_head(args[0], seed=1), *program.args()[1:]) for f in both
        )
        if not same(found, wanted):
            return f"second derivative: {found}, not {wanted}"
    head = in_float32(random_head(value, seed=0))
    wanted, found = (vjp(f, *map(in_float32, program.args()))[1](head) for f in both)
    for k in program.wrt:
        if not same(found[k], wanted[k], 1e-3):
            return f"gradient {k} of float32: {found[k]}, not {wanted[k]}"
        if getattr(found[k], "dtype", None) != getattr(wanted[k], "dtype", None):
            return f"gradient {k} of float32: {found[k].dtype}, not {wanted[k].dtype}"
    return None


def in_float32(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value.astype(np.float32)
    return value


def same(found: Any, wanted: Any, band: float = 1e-6) -> bool:
    if isinstance(wanted, (tuple, list)):
        pairs = zip(found, wanted, strict=False)
        return len(found) == len(wanted) and all(same(a, b, band) for a, b in pairs)
    if not isinstance(wanted, (np.ndarray, np.generic, float, complex)):
        return True  # what is no number has no derivative
    return found is not None and np.allclose(
        found, wanted, rtol=band, atol=band / 100, equal_nan=True
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rewritten_corpus")
    parser.add_argument("ways", nargs="*", help=f"of {', '.join([*WAYS, *MIXTURES])}")
    parser.add_argument("--every", type=int, default=1, help="take each Nth program only")
    parser.add_argument("--first", type=int, default=0, help="and begin with the Kth")
    parser.add_argument("--seed", type=int, default=0, help="of what the mixtures draw")
    parser.add_argument("--more", action="store_true", help="second derivatives, and float32")
    asked = parser.parse_args()
    if unknown := set(asked.ways) - WAYS.keys() - MIXTURES.keys():
        parser.error(f"no such way: {', '.join(sorted(unknown))}")
    warnings.simplefilter("ignore")
    programs = [*PROGRAMS.values()][asked.first :: asked.every]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for way in asked.ways or [*WAYS, *MIXTURES]:
            differs = partial(difference_if, way, Path(folder), asked.seed, asked.more)
            wrong += tally(way, programs, differs)
    return 1 if wrong else 0


def difference_if(way: str, folder: Path, seed: int, more: bool, program: Program) -> str | None:
    """What differs in the derivatives of the program if it is written in one of the ways."""
    function = rewritten(program, way, folder, seed)
    found = difference(program, function)
    return further_difference(program, function) if found is None and more else found


def tally(title: str, programs: Sequence[Program], differs: Callable[[Program], str | None]) -> int:
    """How many programs differ, or raise: these are printed, and how many are right, or refused for which reasons."""
    counts, reasons = Counter[str](), Counter[str]()
    for program in programs:
        try:
            found = differs(program)
            counts["wrong" if found else "right"] += 1
        except Unfit:
            continue
        except NotDifferentiable as error:
            found = None
            counts["refused"] += 1
            reasons[error.refusals[0].message.rpartition(": ")[2][:100]] += 1
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
            counts["raised"] += 1
        if found:
            print(f"{title} {program.name}: {found}", flush=True)
    print(title, dict(counts), flush=True)
    for reason, count in reasons.most_common(8):
        print(f"    {count:4d}  {reason}")
    return counts["wrong"] + counts["raised"]


if __name__ == "__main__":
    sys.exit(main())
