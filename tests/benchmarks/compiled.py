"""Compiled gradients beside the compiled function and the best gradient written by hand for Numba.

    python -m tests.benchmarks.compiled [--markdown]

Prints medians of process time in one process, in microseconds, and the two ratios; and what a call costs over
Numba's own. The primal and the gradient by hand check indices as compiled gradients do. Timings gate no test.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from tangentish import value_and_grad
from tests.benchmarks.compiled_workloads import WORKLOADS, Workload

RUNS = 15


def medians(calls: list[Callable[[], Any]]) -> list[float]:
    """Seconds of process time of each call, which take turns."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(RUNS):
        for call, found in zip(calls, times, strict=True):
            start = time.process_time()
            call()
            found.append(time.process_time() - start)
    return [statistics.median(found) for found in times]


def copied(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)


def measured(case: Workload) -> tuple[float, float, float]:
    """Compiled function, gradient by hand, generated gradient; the last two give the same."""
    args = case.args()
    primal = numba.njit(boundscheck=True)(case.function)
    by_hand = numba.njit(boundscheck=True)(case.by_hand)
    generated = grad_of(case)
    wanted, found = by_hand(*copied(args)), generated(*args)
    for a, b in zip(wanted, found, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-7, atol=1e-9)
    primal(*copied(args))
    given = copied(args)
    one, two, three = medians(
        [lambda: primal(*copied(given)), lambda: by_hand(*args), lambda: generated(*args)]
    )
    return one, two, three


def grad_of(case: Workload) -> Callable[..., Any]:
    from tangentish import grad

    return grad(case.function, wrt=case.wrt, compile="numba")  # type: ignore[no-any-return]


def overhead() -> tuple[float, float]:
    """Nanoseconds of a call of a small compiled gradient, and of Numba's own of the same text."""

    def product(w: Any, x: Any) -> Any:
        return 1 / (1 + np.exp(-(w[0] * x[0] + w[1] * x[1] + w[2] * x[2])))

    w, x = np.ones(3), np.ones(3)
    generated = value_and_grad(product, compile="numba")
    generated(w, x)
    inner = generated.derived(w, x).call.__globals__["compiled"]
    times = []
    for call in (lambda: generated(w, x), lambda: inner(w, x, 1.0)):
        call()
        start = time.process_time()
        for _ in range(100_000):
            call()
        times.append((time.process_time() - start) * 1e4)
    return times[0], times[1]


def main() -> None:
    line = "| {:<18} | {:>9} | {:>9} | {:>9} | {:>16} | {:>17} |"
    print(
        line.format(
            "workload", "primal", "by hand", "generated", "generated/primal", "generated/by hand"
        )
    )
    print(line.format("---", "---:", "---:", "---:", "---:", "---:"))
    chosen = [arg for arg in sys.argv[1:] if not arg.startswith("--")]
    for case in WORKLOADS:
        if chosen and case.name not in chosen:
            continue
        primal, by_hand, generated = measured(case)
        times = (f"{t * 1e6:.0f}" for t in (primal, by_hand, generated))
        print(
            line.format(
                case.name, *times, f"{generated / primal:.2f}", f"{generated / by_hand:.2f}"
            )
        )
    whole, inner = overhead()
    print(f"\nA call of a small gradient: {whole:.0f} ns, of which Numba's own {inner:.0f} ns.")


if __name__ == "__main__":
    main()
