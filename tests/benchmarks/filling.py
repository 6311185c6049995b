"""Gradients written into arrays of the caller's, and added to them, beside gradients in fresh arrays.

    python -m tests.benchmarks.filling

Medians in microseconds of rounds in which all take turns, in one process, and the bytes that each allocates at most
(tracemalloc). Timings gate no test.
"""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentish import grad

ROUNDS = 31
LEAST = 0.003  # seconds of one measurement


def weighted_sum(w: Any, x: Any) -> Any:
    return np.sum(w * x)


def least_squares(w: Any, x: Any, y: Any) -> Any:
    return np.sum((x @ w - y) ** 2)


def element_by_element(w: Any) -> Any:
    total = 0.0
    for i in range(10):
        total += w[i] ** 2
    return total


CASES: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
    (f"{f.__name__}, {n:,} elements", f, args)
    for n in (1_000, 1_000_000)
    for f, args in (
        (weighted_sum, (np.ones(n), np.ones(n))),
        (least_squares, (np.ones(n), np.ones((5, n)), np.ones(5))),
        (element_by_element, (np.ones(n),)),
    )
]


def seconds(call: Callable[[], Any]) -> float:
    count, spent = 0, 0.0
    start = time.process_time()
    while spent < LEAST:
        call()
        count += 1
        spent = time.process_time() - start
    return spent / count


def peak(call: Callable[[], Any]) -> int:
    tracemalloc.start()
    call()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def main() -> None:
    print(f"{'':36}{'fresh':>10}{'into':>10}{'add_to':>10}   ratios        bytes")
    for name, function, args in CASES:
        gradient, buffer = grad(function), np.zeros_like(args[0])
        into, add_to = gradient.into(buffer), gradient.add_to(buffer)
        calls = [lambda f=f: f(*args) for f in (gradient, into, add_to)]
        for call in calls:
            call()
        rounds = [[seconds(call) for call in calls] for _ in range(ROUNDS)]
        fresh, filled, added = (1e6 * statistics.median(times) for times in zip(*rounds))
        sizes = " ".join(f"{peak(call):>10,}" for call in calls)
        print(
            f"{name:36}{fresh:10.1f}{filled:10.1f}{added:10.1f}   {filled / fresh:.2f}  {added / fresh:.2f}  {sizes}"
        )


if __name__ == "__main__":
    main()
