"""with, prints, logging, warnings, clocks, random draws, bookkeeping: once, in order, and as in the function."""

import contextlib
import io
import logging
import random
import sys
import time
import warnings

import numpy as np

from corpus import positives, program, values

EVENTS = []


@contextlib.contextmanager
def _timed(name):
    EVENTS.append(name)
    try:
        yield 3.0
    finally:
        EVENTS.append(len(EVENTS))


class _Section:
    def __enter__(self):
        EVENTS.append("enter")
        return self

    def __exit__(self, *error):
        EVENTS.append("exit")


@program(args=lambda: (positives(1, 4),))
def silenced(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        y = np.log(x)
        z = 1 / x
    return np.sum(y * z)


@program(args=lambda: (values(2, 3),))
def managers_of_the_user(x):
    with _timed("a") as scale, _Section():
        for _ in range(2):
            with _timed("b"):
                x = x * x * scale
        return np.sum(x)


@program(args=lambda: (positives(3, 3), 2), variants=[lambda: (positives(3, 3), 9)])
def exits_from_with(x, n):
    for i in range(5):
        with np.errstate(all="ignore"):
            if i == n:
                break
            x = x / (i + 0.5)
            if i > 3:
                return np.sum(x)
    else:
        x = x * 2
    return np.sum(x**2)


@program(
    args=lambda: (1.3, "k", {"k": 3.0}), variants=[lambda: (1.3, "z", {}), lambda: (1.3, [], {})]
)
def suppressed(x, key, options):
    k = 2.0
    with contextlib.suppress(KeyError, TypeError):
        k = options[key]
    return x * k


@program(args=lambda: (positives(4, 3), 1), variants=[lambda: (positives(4, 3), 4)])
def floating_point_errors_caught(x, n):
    try:
        with np.errstate(divide="raise"):
            y = np.log(x[n] * (n - 1) + 0.5 * n)
    except IndexError as error:
        y = x[1] * len(error.args)
    return y * x[0]


@program(args=lambda: (values(5, 3),))
def prints(x):
    out = io.StringIO()
    print("start", len(x), file=out)
    y = x**2
    print(f"{np.sum(y):.3f} of {len(y)}", file=out)
    with contextlib.redirect_stdout(out):
        print(y, f"{y[0]:.1f}", file=sys.stdout)
    return np.sum(y * x)


@program(args=lambda: (values(6, 3),))
def logs_and_warns(x):
    logger = logging.getLogger("corpus")
    logger.debug("x = %s", x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn(f"{x[0]} is an example", stacklevel=2)
        y = np.sin(x)
    logger.debug("%s", y.sum())
    return np.sum(y)


@program(args=lambda: (values(7, 3), 5))
def seeded_draws(x, seed):
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=3)
    keep = rng.random(3) < 0.7
    random.seed(seed)
    k = random.randint(1, 3)
    return np.sum(x * noise * keep) * k


@program(args=lambda: (values(8, 3),))
def clocks(x):
    start = time.time()
    y = np.sum(x**3)
    elapsed = time.time() - start
    assert elapsed >= 0, f"{elapsed}"
    assert np.all(np.isfinite(x)), "not finite"
    return y


@program(
    args=lambda: (values(9, 3), "Sum", {"power": 2}),
    variants=[lambda: (values(9, 3), "mean ", {}), lambda: (values(9, 3), "first", {"power": 3})],
)
def strings_and_options(x, how, options):
    power = options.get("power", 1)
    name = how.strip().lower()
    label = "-".join([name, str(power)])
    y = x**power
    if label.startswith("sum"):
        return np.sum(y)
    return np.mean(y) if name in ("mean", "average") else y[0]


@program(args=lambda: (values(31, 4), 3), variants=[lambda: (values(31, 4), 8)])
def places_drawn(x, seed):
    random.seed(seed)
    np.random.seed(seed)
    xs = [v * v for v in x]
    s = xs[random.randint(0, 3)] * x[np.random.randint(4)] + random.choice(xs)
    i, j = random.sample(range(len(xs)), 2)
    order = list(range(4))
    random.shuffle(order)
    for k, at in enumerate(order):
        s = s + k * x[at] * random.random()
    return s * xs[i] * xs[j] * x[np.int8(2)]


@program(args=lambda: (values(32, 4), 5))
def items_drawn(x, seed):
    rng = np.random.default_rng(seed)
    s = np.sum(rng.choice(x, 3, replace=False) * x[:3]) + rng.choice(x)
    return s * np.sum(rng.permutation(x) * np.arange(4))


@program(args=lambda: (values(31, 4, 3),), variants=[lambda: (np.float32(values(31, 4, 3)),)])
def drawn_along_an_axis(x):
    rng = np.random.default_rng(5)
    rows = rng.choice(x, size=3, replace=True, p=[0.1, 0.2, 0.3, 0.4])
    columns = rng.choice(x, 2, replace=False, axis=1)
    mixed = rng.permutation(x, axis=1)
    places = rng.choice(len(x), size=3, p=[0.4, 0.3, 0.2, 0.1])
    return np.sum(rows**2 * x[places]) + np.sum(columns) ** 2 + np.sum(mixed * x)


@program(args=lambda: (values(32, 4),))
def shuffled_in_place(x):
    rng = np.random.RandomState(5)
    w = x * 2
    for k in range(3):
        rng.shuffle(w)
        w[0] *= w[1] + k
    return w @ np.arange(4.0)


@program(args=lambda: (values(33, 3),))
def containers_in_texts(x):
    weights = {"a": x[0], "b": 2.0}
    pair = x[1], [x[2], 1.0]
    lines = [f"{weights} {pair[1]}", f"{[w for w in pair[1]]}"]
    return weights["a"] * pair[0] * pair[1][0] + len(lines)


class Bar:
    """Its ends are set, and between them it is smoothed."""

    def __init__(self, u):
        self.u = u

    def smooth(self, rate):
        self.u[1:-1] += rate * np.diff(self.u, 2)

    def energy(self):
        return np.sum(self.u**2)


def mean_of(u):
    return np.mean(u)


def squared_ends(u):
    return u[0] * u[-1]


@program(args=lambda: (values(34, 5), 0.3), wrt=(0, 1))
def shapes_of_what_is_written_to(x, rate):
    """Of `bar.u`, the way back through smooth and mean_of reads the shape only."""
    bar = Bar(x.copy())
    total = 0.0
    for k in range(3):
        bar.u[0] = x[k]
        total += mean_of(bar.u)
        bar.smooth(rate)
    return total * bar.u[1]


@program(args=lambda: (values(35, 5), 0.3), wrt=(0, 1))
def contents_of_what_is_written_to(x, rate):
    bar = Bar(x.copy())
    total = 0.0
    for _ in range(3):
        total += mean_of(bar.u) * bar.energy() + squared_ends(bar.u[1:])
        bar.smooth(rate)
        bar.u[1:] *= bar.u[0]
    return total * bar.u[1]
