"""How long a gradient takes to generate: milliseconds of CPU time a statement, for programs of growing length.

    python -m tests.benchmarks.generation [family ...]

Families of generated programs, each with 100 to 3000 statements: a row that rises to the right is more than linear.
Minima of several runs, since other work shares the machine. Timings gate no test.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentish import grad
from tests.size_programs import FORMS, program

SIZES = (100, 300, 1000, 3000)
ENOUGH = 3.0  # seconds: what takes longer is not run again
RUNS = 3


def typical(w: Any, b: Any, x: Any, y: Any) -> Any:
    """Ten lines as users write them."""
    h = x @ w + b
    a = np.tanh(h)
    total = 0.0
    for i in range(len(y)):
        if y[i] > 0:
            total += np.log(1 + np.exp(-a[i]))
        else:
            total += np.log(1 + np.exp(a[i]))
    penalty = 0.5 * np.sum(w**2)
    return total / len(y) + 0.01 * penalty


TYPICAL = (np.ones(3), 0.5, np.ones((5, 3)), np.ones(5))


def seconds(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def generation(form: str, n: int) -> float:
    """The CPU time of one generation in seconds, the least of several."""
    best = float("inf")
    for _ in range(RUNS):
        gradient = grad(program(form, n))
        best = min(best, seconds(lambda: gradient.source(np.ones(3), 2.5)))
        if best > ENOUGH:
            break
    return best


def afresh(function: types.FunctionType) -> types.FunctionType:
    """The function with code of its own, for which nothing is in the cache: the same code shares what was generated."""
    return types.FunctionType(function.__code__.replace(), function.__globals__, function.__name__)


def import_time() -> float:
    """What importing the package costs over importing NumPy, in seconds."""

    def run(module: str) -> float:
        code = f"import numpy, time; t = time.process_time(); import {module}; print(time.process_time() - t)"
        out = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        return float(out.stdout)

    return min(run("tangentish") for _ in range(5))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*")
    parser.add_argument("--sizes", nargs="*", type=int, default=SIZES)
    options = parser.parse_args()
    print(f"{'ms CPU a statement':28}" + "".join(f"{n:>9}" for n in options.sizes))
    for name in FORMS:
        if not options.families or name in options.families:
            print(f"{name:28}", end="", flush=True)
            for n in options.sizes:
                each = 1000 * generation(name, n) / n
                print(f"{each:9.2f}", end="", flush=True)
            print()
    if not options.families:
        least = min(seconds(lambda: grad(afresh(typical)).source(*TYPICAL)) for _ in range(10))
        print(f"\na typical function of ten lines: {1000 * least:.1f} ms")
        print(f"import, NumPy aside: {1000 * import_time():.0f} ms")


if __name__ == "__main__":
    main()
