"""Rules that matter for speed against the best adjoint written by hand, in one process and interleaved.

    python -m tests.benchmarks.rules            the table
    python -m tests.benchmarks.rules norm       the lines whose name has this in it

Prints medians in microseconds and the ratio generated / by hand. The call of the generated function is the bare one,
without the cache in front of it. Timings gate no test.

Both promise the same, else their times say nothing of the text. So a gradient by hand takes a head gradient, too; what
indexes may be negative, which np.bincount does not take; and rows of zeros have norms with gradients of zero. Memory
that is given back stays with the process: whether malloc returns it to the system, so that each page is touched anew at
the next call, depends on what else lies on the heap, and is up to seven times what is measured here.
"""

from __future__ import annotations

import ctypes
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tangentish import grad

ROUNDS = 41
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of malloc.h
SLICE = 4e-4  # seconds that a measurement takes at least

Function = Callable[..., Any]


@dataclass(frozen=True)
class Line:
    """A function of arrays of one size, and its gradient by hand."""

    name: str
    function: Function
    by_hand: Function
    args: Callable[[int], tuple[Any, ...]]


LINES: list[Line] = []

RNG = np.random.default_rng(0)


def vector(n: int) -> tuple[Any, ...]:
    return (RNG.uniform(0.5, 1.5, n),)


def two_vectors(n: int) -> tuple[Any, ...]:
    return (*vector(n), *vector(n))


def matrix(n: int) -> tuple[Any, ...]:
    rows = round(n**0.5)
    return (RNG.uniform(0.5, 1.5, (rows, rows)),)


def two_matrices(n: int) -> tuple[Any, ...]:
    return (*matrix(n), *matrix(n))


def places(n: int) -> tuple[Any, ...]:
    return (*vector(n), RNG.integers(0, n, n), *vector(n))


def line(name: str, args: Callable[[int], tuple[Any, ...]], by_hand: Function) -> Any:
    """Register the function below."""

    def register(function: Function) -> Function:
        LINES.append(Line(name, function, by_hand, args))
        return function

    return register


@line("sum of squares", vector, lambda x, dy=1.0: dy * 2 * x)
def sum_of_squares(x: Any) -> Any:
    return np.sum(x**2)


def sum_along_by_hand(x: Any, dy: Any = 1.0) -> Any:
    return np.broadcast_to((dy * 2 * np.sum(x, axis=1))[:, None], x.shape).copy()


@line("sum along an axis", matrix, sum_along_by_hand)
def sum_along(x: Any) -> Any:
    s = np.sum(x, axis=1)
    return np.sum(s * s)


@line("mean of squares", vector, lambda x, dy=1.0: x * (dy * 2 / x.size))
def mean_of_squares(x: Any) -> Any:
    return np.mean(x**2)


def variance_by_hand(x: Any, dy: Any = 1.0) -> Any:
    return (x - np.mean(x)) * (dy * 2 / x.size)


@line("variance", vector, variance_by_hand)
def variance(x: Any) -> Any:
    return np.var(x)


def centred_by_hand(x: Any, dy: Any = 1.0) -> Any:
    d = x - np.mean(x, axis=0)
    d *= 2 * dy
    return d


@line("centred squares", matrix, centred_by_hand)
def centred(x: Any) -> Any:
    d = x - np.mean(x, axis=0)
    return np.sum(d**2)


def product_by_hand(a: Any, b: Any, dy: Any = 1.0) -> Any:
    return dy * 2 * (a @ b) @ b.T


@line("matmul", two_matrices, product_by_hand)
def product(a: Any, b: Any) -> Any:
    return np.sum((a @ b) ** 2)


def einsum_by_hand(a: Any, b: Any, dy: Any = 1.0) -> Any:
    return np.einsum("ik,jk->ij", dy * 2 * np.einsum("ij,jk->ik", a, b), b)


@line("einsum", two_matrices, einsum_by_hand)
def einsum(a: Any, b: Any) -> Any:
    return np.sum(np.einsum("ij,jk->ik", a, b) ** 2)


def softmax_by_hand(x: Any, w: Any, dy: Any = 1.0) -> Any:
    e = np.exp(x - np.max(x))
    p = e / np.sum(e)
    return p * (dy * (w - p @ w))


@line("softmax, by steps", two_vectors, softmax_by_hand)
def softmax(x: Any, w: Any) -> Any:
    e = np.exp(x - np.max(x))
    return np.sum(e / np.sum(e) * w)


def log_sum_exp_by_hand(x: Any, dy: Any = 1.0) -> Any:
    e = np.exp(x - np.max(x))
    return e * (dy / np.sum(e))


@line("log of a sum of exponentials", vector, log_sum_exp_by_hand)
def log_sum_exp(x: Any) -> Any:
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m)))


def cross_entropy_by_hand(x: Any, y: Any, dy: Any = 1.0) -> Any:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return (p * np.sum(y, axis=1, keepdims=True) - y) * (dy / len(x))


@line("cross entropy of rows", two_matrices, cross_entropy_by_hand)
def cross_entropy(x: Any, y: Any) -> Any:
    z = x - np.max(x, axis=1, keepdims=True)
    logs = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.sum(y * logs) / len(x)


@line("norm", vector, lambda x, dy=1.0: x * (dy / np.linalg.norm(x)))
def norm(x: Any) -> Any:
    return np.linalg.norm(x)


def norms_by_hand(x: Any, dy: Any = 1.0) -> Any:
    n = np.linalg.norm(x, axis=1)
    return x * (dy / np.where(n == 0, 1, n))[:, None]


@line("norms of rows", matrix, norms_by_hand)
def norms(x: Any) -> Any:
    return np.sum(np.linalg.norm(x, axis=1))


def running_by_hand(x: Any, dy: Any = 1.0) -> Any:
    return np.cumsum((dy * 2 * np.cumsum(x))[::-1])[::-1]


@line("cumsum", vector, running_by_hand)
def running(x: Any) -> Any:
    return np.sum(np.cumsum(x) ** 2)


def running_rows_by_hand(x: Any, dy: Any = 1.0) -> Any:
    return np.cumsum((dy * 2 * np.cumsum(x, axis=0))[::-1], axis=0)[::-1]


@line("cumsum of columns", matrix, running_rows_by_hand)
def running_rows(x: Any) -> Any:
    return np.sum(np.cumsum(x, axis=0) ** 2)


def leaky_by_hand(x: Any, dy: Any = 1.0) -> Any:
    return np.where(x > 1, dy, 0.1 * dy)


@line("where", vector, leaky_by_hand)
def leaky(x: Any) -> Any:
    return np.sum(np.where(x > 1, x, 0.1 * x))


@line("maximum", two_vectors, lambda x, z, dy=1.0: np.where(x == z, 0.5 * dy, dy * (x > z)))
def largest_of_two(x: Any, z: Any) -> Any:
    return np.sum(np.maximum(x, z))


@line("rectifier", vector, lambda x, dy=1.0: dy * (x > 0))
def rectifier(x: Any) -> Any:
    return np.sum(np.maximum(x, 0))


def gather_by_hand(x: Any, i: Any, w: Any, dy: Any = 1.0) -> Any:
    dx = np.zeros_like(x)
    np.add.at(dx, i, dy * 2 * w * x[i])
    return dx


@line("gather", places, gather_by_hand)
def gather(x: Any, i: Any, w: Any) -> Any:
    return np.sum(x[i] ** 2 * w)


def scatter_by_hand(x: Any, i: Any, w: Any, dy: Any = 1.0) -> Any:
    total = np.zeros_like(x)
    np.add.at(total, i, x * w)
    return dy * 2 * total[i] * w


@line("scatter", places, scatter_by_hand)
def scatter(x: Any, i: Any, w: Any) -> Any:
    total = np.zeros_like(x)
    np.add.at(total, i, x * w)
    return np.sum(total**2)


def largest_by_hand(x: Any, dy: Any = 1.0) -> Any:
    same = x == np.max(x, axis=1, keepdims=True)
    return same * (dy / np.sum(same, axis=1, keepdims=True))


@line("max of rows", matrix, largest_by_hand)
def largest(x: Any) -> Any:
    return np.sum(np.max(x, axis=1))


def tanh_by_hand(x: Any, dy: Any = 1.0) -> Any:
    y = np.tanh(x)
    return dy * (1 - y * y)


@line("tanh", vector, tanh_by_hand)
def tanh(x: Any) -> Any:
    return np.sum(np.tanh(x))


def differences_by_hand(x: Any, dy: Any = 1.0) -> Any:
    d = dy * 2 * np.diff(x)
    dx = np.zeros_like(x)
    dx[1:] += d
    dx[:-1] -= d
    return dx


@line("diff", vector, differences_by_hand)
def differences(x: Any) -> Any:
    return np.sum(np.diff(x) ** 2)


def joined_by_hand(x: Any, z: Any, dy: Any = 1.0) -> Any:
    n = len(x)
    y = np.concatenate((x, z, x))
    return dy * 2 * y[:n] + dy * 2 * y[2 * n :]


@line("concatenate", two_vectors, joined_by_hand)
def joined(x: Any, z: Any) -> Any:
    return np.sum(np.concatenate((x, z, x)) ** 2)


def medians(calls: tuple[Callable[[], Any], ...]) -> tuple[float, ...]:
    """Microseconds of each call: medians of turns that are taken one after the other."""
    counts = [1 + round(SLICE / max(once(call), 1e-7)) for call in calls]
    found: list[list[float]] = [[] for _ in calls]
    for _ in range(ROUNDS):
        for call, count, times in zip(calls, counts, found, strict=True):
            start = time.process_time()
            for _ in range(count):
                call()
            times.append((time.process_time() - start) / count)
    return tuple(statistics.median(times) * 1e6 for times in found)


def once(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    for _ in range(3):
        call()
    return (time.perf_counter() - start) / 3


def keep_memory() -> None:
    """Have malloc keep what it is given back, where it is glibc's; nothing elsewhere."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    for option in (M_MMAP_THRESHOLD, M_TRIM_THRESHOLD):
        mallopt(option, 1 << 30)


def main(part: str = "", sizes: tuple[int, ...] = (1_000, 100_000)) -> None:
    keep_memory()
    print(f"{'':30}{'elements':>10}{'by hand':>10}{'generated':>11}{'ratio':>7}")
    for each in LINES:
        for n in sizes if part in each.name else ():
            args = each.args(n)
            gradient = grad(each.function)
            np.testing.assert_allclose(gradient(*args), each.by_hand(*args), rtol=1e-9)
            bare = gradient.derived(*args).call
            hand, ours = medians((lambda: each.by_hand(*args), lambda: bare(*args)))
            print(f"{each.name:30}{n:10}{hand:10.1f}{ours:11.1f}{ours / hand:7.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
