"""Gradients of the corpus as programs of their own: a derivative of the generated text is a second derivative.

    python -m tests.gradients_as_programs [--every N] [--first K]

The text of a gradient, with its tapes, loops from the end and updates in place, is differentiated as a user's function
would be, both forward and in reverse, and compared with the Hessian times a vector of the program; or it is refused.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tangentish import grad, hvp, jvp, vjp

sys.path.insert(0, str(Path(__file__).parent))

from corpus import PROGRAMS, Program  # noqa: E402
from numeric import random_head  # noqa: E402
from rewritten_corpus import same, tally  # noqa: E402
from ways_of_writing import Unfit  # noqa: E402


def forward_difference(program: Program) -> str | None:
    """What differs in the tangent of the gradient's text from the Hessian times a vector."""
    gradient, along, wanted = _gradient(program)
    args = program.args()
    tangents = tuple(along if k == program.wrt[0] else None for k in range(len(args)))
    found = jvp(gradient, args, tangents)[1]
    return None if same(found, wanted) else f"{found}, not {wanted}"


def reverse_difference(program: Program) -> str | None:
    """What differs in the gradient of the gradient's text, by symmetry of the Hessian."""
    gradient, along, wanted = _gradient(program)
    found = vjp(gradient, *program.args())[1](along)
    varying = [k for k, value in enumerate(program.args()) if _is_float(value)]
    if isinstance(found, tuple):
        found = found[
            program.wrt[0] if len(found) > len(varying) else varying.index(program.wrt[0])
        ]
    return None if same(found, wanted) else f"{found}, not {wanted}"


def _gradient(program: Program) -> tuple[Callable[..., Any], Any, Any]:
    """The generated gradient by the first argument that varies, a vector, and the Hessian times that."""
    where, args = program.wrt[0], program.args()
    if program.written is not None or program.refused or not _is_float(args[where]):
        raise Unfit
    along = random_head(args[where], seed=0)
    try:
        generated = grad(program.function, wrt=where).derived(*args).generated
        first, *rest = program.args()
        wanted = hvp(program.function, wrt=where)(first, along, *rest)
    except Exception as error:  # what gives no number, or is refused to second order
        raise Unfit from error
    return generated, along, wanted


def _is_float(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gradients_as_programs")
    parser.add_argument("--every", type=int, default=1, help="take each Nth program only")
    parser.add_argument("--first", type=int, default=0, help="and begin with the Kth")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    programs = [*PROGRAMS.values()][asked.first :: asked.every]
    wrong = tally("forward", programs, forward_difference)
    wrong += tally("reverse", programs, reverse_difference)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
