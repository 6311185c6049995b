"""Side by side in one process: generated gradients, the best hand-written ones, the plain functions.

    python -m tests.benchmarks

Prints medians in microseconds and the ratio generated / by hand; and what a cached call costs over the bare
generated function. Timings gate no test.
"""

from __future__ import annotations

import statistics
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tangentish import grad

RUNS = 15


@dataclass(frozen=True)
class Case:
    """One function with the gradient that an expert writes for it."""

    function: Callable[..., Any]
    by_hand: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: int | tuple[int, ...] = 0


def sigmoid_of_product(w: Any, x: Any) -> Any:
    return 1 / (1 + np.exp(-(w @ x)))


def sigmoid_of_product_by_hand(w: Any, x: Any) -> Any:
    y = 1 / (1 + np.exp(-(w @ x)))
    return y * (1 - y) * x


def logistic_loss(w: Any, x: Any, y: Any) -> Any:
    z = x @ w
    return np.mean(np.log(1 + np.exp(-y * z)))


def logistic_loss_by_hand(w: Any, x: Any, y: Any) -> Any:
    e = np.exp(-y * (x @ w))
    return x.T @ (-y * e / (1 + e)) / len(y)


def rnn(w: Any, x: Any, n: int) -> Any:
    for _ in range(n):
        x = np.tanh(w @ x)
    return np.sum(x**2)


def rnn_by_hand(w: Any, x: Any, n: int) -> Any:
    tape = []
    for _ in range(n):
        tape.append(x)
        x = np.tanh(w @ x)
    dx = 2 * x
    dw = np.zeros_like(w)
    for _ in range(n):
        dt = dx * (1 - x**2)
        x = tape.pop()
        dw += np.outer(dt, x)
        dx = w.T @ dt
    return dw


def jacobi(steps: int, a: Any, b: Any) -> Any:
    for _ in range(1, steps):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3
    return np.sum(a**2)


def jacobi_by_hand(steps: int, a: Any, b: Any) -> Any:
    a, b = a.copy(), b.copy()
    for _ in range(1, steps):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3
    da = 2 * a
    db = np.zeros_like(b)
    for _ in range(1, steps):
        for source, target in ((da, db), (db, da)):
            g = source[1:-1] / 3
            source[1:-1] = 0
            target[:-2] += g
            target[1:-1] += g
            target[2:] += g
    return da


def runge_kutta(x: Any, rate: float, h: float, steps: int) -> Any:
    for _ in range(steps):
        k1 = rate * x * (1 - x)
        m = x + h / 2 * k1
        k2 = rate * m * (1 - m)
        x = x + h * k2
    return x


def runge_kutta_by_hand(x: Any, rate: float, h: float, steps: int) -> Any:
    tape = []
    for _ in range(steps):
        k1 = rate * x * (1 - x)
        m = x + h / 2 * k1
        tape.append((x, m))
        x = x + h * rate * m * (1 - m)
    dx = 1.0
    for _ in range(steps):
        x, m = tape.pop()
        dm = dx * h * rate * (1 - 2 * m)
        dx += dm + dm * h / 2 * rate * (1 - 2 * x)
    return dx


RNG = np.random.default_rng(0)
CASES = [
    Case(sigmoid_of_product, sigmoid_of_product_by_hand, (RNG.normal(size=3), RNG.normal(size=3))),
    Case(
        logistic_loss,
        logistic_loss_by_hand,
        (RNG.normal(size=50), RNG.normal(size=(10_000, 50)), np.sign(RNG.normal(size=10_000))),
    ),
    Case(rnn, rnn_by_hand, (RNG.normal(size=(50, 50)) / 8, RNG.normal(size=50), 20)),
    Case(jacobi, jacobi_by_hand, (50, RNG.normal(size=4000), RNG.normal(size=4000)), 1),
    Case(runge_kutta, runge_kutta_by_hand, (0.3, 1.1, 0.01, 1000)),
]


def median(call: Callable[[], Any]) -> float:
    """Microseconds a call, the median of several runs."""
    timer = timeit.Timer(call)
    number, _ = timer.autorange()
    number = max(1, number // 10)
    return statistics.median(t / number for t in timer.repeat(RUNS, number)) * 1e6


def main() -> None:
    print(f"{'':24}{'plain':>12}{'by hand':>12}{'generated':>12}{'ratio':>8}")
    for case in CASES:
        generated = grad(case.function, wrt=case.wrt)
        np.testing.assert_allclose(generated(*case.args), case.by_hand(*case.args), rtol=1e-9)
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in case.args]
        plain = median(lambda: case.function(*copies))
        hand = median(lambda: case.by_hand(*case.args))
        ours = median(lambda: generated(*case.args))
        name = case.function.__name__
        print(f"{name:24}{plain:12.2f}{hand:12.2f}{ours:12.2f}{ours / hand:8.2f}")
    overhead()


def overhead() -> None:
    """What a cached call costs over the bare generated function, for two array arguments."""
    w, x = RNG.normal(size=3), RNG.normal(size=3)
    cached = grad(lambda w, x: w @ x, wrt=(0, 1))
    bare = cached.derived(w, x).call
    differences = [median(lambda: cached(w, x)) - median(lambda: bare(w, x)) for _ in range(5)]
    print(
        f"\na cached call over the bare function: {statistics.median(differences):.2f} microseconds"
    )


if __name__ == "__main__":
    main()
