"""Generated gradients beside the best hand-written ones, in one process, checked against each other.

    python -m tests.benchmarks [workload ...] [--write]

Prints, for each workload of tests/handwritten, the plain function and the gradients in milliseconds of CPU time, and the
ratio generated / by hand; beside them, where they are installed, HIPS autograd, JAX and PyTorch. Medians of rounds in
which all take turns, warm. `--write` puts the table and its picture into docs. Timings gate no test.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # CPU time counts threads that wait, too

import numpy as np  # noqa: E402 - which reads this

from tangentish import grad  # noqa: E402
from tests.benchmarks.picture import drawn  # noqa: E402
from tests.benchmarks.rivals import RIVALS, SOMETIMES_WRONG, copied  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[1]))
from handwritten import EXAMPLES, Example  # noqa: E402 - as the tests import them

ROUNDS = 15
LEAST = 0.004  # seconds of one measurement
LONGEST = 6.0  # seconds of one workload, after which there are no more rounds
DOCS = Path(__file__).parents[2] / "docs"

Call = Callable[[], Any]


def calls(example: Example, args: tuple[Any, ...]) -> dict[str, Call]:
    """What is timed, by name; plain functions may write to their arguments."""
    function, by_hand = example.function, example.by_hand
    generated = grad(function, wrt=example.wrt).derived(*args).call
    found: dict[str, Call] = {
        "plain": lambda: function(*copied(args)),
        "by hand": lambda: by_hand(*args),
        "generated": lambda: generated(*args),
    }
    for name, rival in RIVALS.items():
        call = rival(example, args)
        if call is not None and agrees(found["by hand"](), call, name in SOMETIMES_WRONG):
            found[name] = call
    check(example.name, found["by hand"](), found["generated"]())
    return found


def check(name: str, ours: Any, theirs: Any) -> None:
    for one, other in zip(parts(ours), parts(theirs), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9, err_msg=name)


def agrees(ours: Any, call: Call, may_be_wrong: bool) -> bool:
    """Whether another tool gives the same gradients, if it takes the function at all."""
    try:
        theirs = call()
    except Exception as error:  # noqa: BLE001 - each tool has its own
        print(f"    {type(error).__name__}: {str(error).splitlines()[0][:90]}", file=sys.stderr)
        return False
    try:
        check("another tool", ours, tuple(map(np.asarray, parts(theirs))))
    except AssertionError:
        if not may_be_wrong:
            raise
        print("    other gradients than by hand", file=sys.stderr)
        return False
    return True


def parts(gradients: Any) -> tuple[Any, ...]:
    return tuple(gradients) if isinstance(gradients, (tuple, list)) else (gradients,)


def timed(found: dict[str, Call]) -> dict[str, float]:
    """The median CPU time of a call in milliseconds; all take turns."""
    numbers = {}
    for name, call in found.items():
        call()
        numbers[name] = max(1, math.ceil(LEAST / max(seconds(call, 1), 1e-7)))
    times: dict[str, list[float]] = {name: [] for name in found}
    end = time.perf_counter() + LONGEST
    gc.disable()
    for _ in range(ROUNDS):
        for name, call in found.items():
            times[name].append(seconds(call, numbers[name]) / numbers[name])
        if time.perf_counter() > end:
            break
    gc.enable()
    return {name: 1000 * statistics.median(values) for name, values in times.items()}


def seconds(call: Call, number: int) -> float:
    start = time.process_time()
    for _ in range(number):
        call()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workloads", nargs="*")
    parser.add_argument("--write", action="store_true", help="put table and picture into docs")
    options = parser.parse_args()
    columns = ["plain", "by hand", "generated", *RIVALS]
    rows: dict[str, dict[str, float]] = {}
    print(f"{'':26}" + "".join(f"{c:>12}" for c in columns) + f"{'ratio':>8}")
    for example in EXAMPLES.values():
        if options.workloads and example.name not in options.workloads:
            continue
        for size, args in example.large.items():
            name = f"{example.name} {size}".strip()
            row = rows[name] = timed(calls(example, args()))
            cells = (f"{row[c]:12.4f}" if c in row else f"{'-':>12}" for c in columns)
            print(f"{name:26}{''.join(cells)}{ratio(row):8.2f}", flush=True)
    print(f"\ngeometric mean of the ratios: {mean(rows):.2f}")
    overhead()
    if options.write:
        (DOCS / "benchmarks.md").write_text(page(rows, columns))
        (DOCS / "benchmarks.svg").write_text(drawn({name: ratio(r) for name, r in rows.items()}))


def ratio(row: dict[str, float]) -> float:
    return row["generated"] / row["by hand"]


def mean(rows: dict[str, dict[str, float]]) -> float:
    return statistics.geometric_mean(map(ratio, rows.values()))


def overhead() -> None:
    """What a cached call costs over the bare generated function, for two array arguments."""
    w, x = np.ones(3), np.arange(3.0)
    cached = grad(lambda w, x: w @ x, wrt=(0, 1))
    bare = cached.derived(w, x).call
    row = timed({"cached": lambda: cached(w, x), "bare": lambda: bare(w, x)})
    print(
        f"a cached call over the bare function: {1000 * (row['cached'] - row['bare']):.2f} microseconds"
    )


PAGE = """# Generated and hand-written gradients

`python -m tests.benchmarks --write` makes this page: the workloads of `tests/handwritten`, each with a gradient as an expert writes it.
Ratios of CPU time in one process, products of matrices on one thread; all gradients of a row agree. Where a cell is empty, that tool does not take the
function as it stands, gives another gradient than by hand, or was not installed.

![generated / by hand](benchmarks.svg)

Geometric mean of generated / by hand: **{mean:.2f}**.

| workload | by hand / plain | generated / by hand |{heads}
|---|---|---|{rule}
{rows}
"""


def page(rows: dict[str, dict[str, float]], columns: list[str]) -> str:
    shown = [c for c in columns[3:] if any(c in row for row in rows.values())]
    lines = []
    for name, row in rows.items():
        cells = [f"{row['by hand'] / row['plain']:.2f}", f"{ratio(row):.2f}"]
        cells += [f"{row[c] / row['by hand']:.2f}" if c in row else "" for c in shown]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    heads = "".join(f" {c} / by hand |" for c in shown)
    return PAGE.format(
        mean=mean(rows), heads=heads, rule="---|" * len(shown), rows="\n".join(lines)
    )


if __name__ == "__main__":
    main()
