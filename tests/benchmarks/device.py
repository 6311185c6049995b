"""Generated gradients beside hand-written ones on a device, with arrays of CuPy, in one process.

    python -m tests.benchmarks.device [workload ...]

Prints, for each workload of tests/handwritten whose function and gradient by hand take arrays of CuPy, the plain
function, both gradients and the generated one with arrays of NumPy, in milliseconds until the device is done, and the
ratio generated / by hand. Medians of rounds in which all take turns, warm. Timings gate no test.
"""

from __future__ import annotations

import argparse
import signal
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cupy
import numpy as np

from tangentish import grad

sys.path.insert(0, str(Path(__file__).parents[1]))
from handwritten import EXAMPLES, Example  # noqa: E402 - as the tests import them

ROUNDS = 15
LONGEST = 4.0  # seconds of all calls once, above which a workload is one of loops over numbers

Call = Callable[[], Any]


def moved(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(cupy.asarray(a) if isinstance(a, np.ndarray) else a for a in args)


def copies(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(a.copy() if hasattr(a, "copy") else a for a in args)


def calls(example: Example, args: tuple[Any, ...]) -> dict[str, Call]:
    """What is timed, by name; plain functions may write to their arguments."""
    there = moved(args)
    gradient = grad(example.function, wrt=example.wrt)
    here, generated = gradient.derived(*args).call, gradient.derived(*there).call
    return {
        "plain": lambda: example.function(*copies(there)),
        "by hand": lambda: example.by_hand(*there),
        "generated": lambda: generated(*there),
        "numpy": lambda: here(*args),
    }


def takes_device_arrays(example: Example) -> bool:
    """Whether the function and its gradient by hand do, and agree; told by small arguments."""
    there = moved(example.args())
    if not any(isinstance(a, cupy.ndarray) for a in there):
        return False
    try:
        example.function(*copies(there))
        by_hand = example.by_hand(*there)
        found = grad(example.function, wrt=example.wrt)(*there)
    except Exception as error:  # noqa: BLE001 - of either of both
        print(f"{example.name}: {type(error).__name__}: {str(error).splitlines()[0][:90]}")
        return False
    for one, other in zip(parts(found), parts(by_hand), strict=True):
        np.testing.assert_allclose(in_numpy(one), in_numpy(other), rtol=1e-7, atol=1e-9)
    return True


def in_numpy(value: Any) -> Any:
    return cupy.asnumpy(value) if isinstance(value, cupy.ndarray) else np.asarray(value)


def parts(gradients: Any) -> tuple[Any, ...]:
    return tuple(gradients) if isinstance(gradients, (tuple, list)) else (gradients,)


def seconds(call: Call, number: int) -> float:
    """Of a call, until the device is done."""
    cupy.cuda.get_current_stream().synchronize()
    start = time.perf_counter()
    for _ in range(number):
        call()
    cupy.cuda.get_current_stream().synchronize()
    return (time.perf_counter() - start) / number


def within(limit: float, call: Call) -> None:
    """Makes the call, and gives up after so many seconds."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def timed(found: dict[str, Call]) -> dict[str, float] | None:
    """The medians in milliseconds; nothing where the calls take too long."""
    try:
        within(LONGEST, lambda: [call() for call in found.values()])
    except TimeoutError:
        return None
    numbers = {name: max(1, round(0.01 / seconds(call, 1))) for name, call in found.items()}
    times: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(ROUNDS):
        for name, call in found.items():
            times[name].append(seconds(call, numbers[name]))
    return {name: 1000 * statistics.median(values) for name, values in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workloads", nargs="*")
    options = parser.parse_args()
    columns = ["plain", "by hand", "generated", "numpy"]
    ratios = []
    print(f"{'':30}" + "".join(f"{c:>12}" for c in columns) + f"{'ratio':>8}")
    for example in EXAMPLES.values():
        if options.workloads and example.name not in options.workloads:
            continue
        if not example.large or not takes_device_arrays(example):
            continue
        for size, args in example.large.items():
            row = timed(calls(example, args()))
            name = f"{example.name} {size}".strip()
            if row is None:
                print(f"{name}: too long a call")
                continue
            ratios.append(row["generated"] / row["by hand"])
            cells = "".join(f"{row[c]:12.4f}" for c in columns)
            print(f"{name:30}{cells}{ratios[-1]:8.2f}", flush=True)
    print(f"\ngeometric mean of the ratios: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()
