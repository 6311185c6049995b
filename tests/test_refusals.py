"""What is refused: with file, line, column and the way out, all at once, before anything runs."""

from __future__ import annotations

import dataclasses
import functools
import heapq
import itertools
import linecache
import math
import random
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.integrate
import scipy.linalg
import scipy.optimize
import scipy.special
import scipy.stats

from tangentish import (
    NotDifferentiable,
    adjoint,
    check_grad,
    differentiate,
    grad,
    value_and_grad,
    vjp,
)

Function = Callable[..., Any]
X = np.array([1.5, 2.0, 3.0])


class Unknown:
    """A callable of which only what it gives is known."""

    __call__ = functools.partialmethod(lambda _, x: x)
    method = functools.partialmethod(lambda _, x: x)


class Box:
    def __init__(self, value: Any) -> None:
        self.value = value

    def put(self, v: Any) -> None:
        self.value.append(v)

    def grown(self) -> Any:
        self.value = self.value * 2
        return np.sum(self.value)


class Trail:
    def __init__(self, value: Any) -> None:
        self.values = [value]

    def put(self, v: Any) -> None:
        self.values.append(v)


def function_of(text: str, **names: Any) -> Function:
    """The function `f` of a text, as if it stood in a file of its own."""
    filename = f"<refusal {abs(hash(text))}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {
        "itertools": itertools,
        "np": np,
        "math": math,
        "heapq": heapq,
        "random": random,
        "functools": functools,
        "special": scipy.special,
        "stats": scipy.stats,
        "integrate": scipy.integrate,
        "optimize": scipy.optimize,
        "unknown": Unknown(),
        "Box": Box,
        "Named": Named,
        "Held": Held,
        "dataclasses": dataclasses,
        "Trail": Trail,
        "__name__": "refused",
    }
    namespace.update(names)
    exec(compile(text, filename, "exec"), namespace)
    return namespace["f"]  # type: ignore[no-any-return]


class Named(NamedTuple):
    a: float
    b: float


@dataclass
class Held:
    value: Any


@dataclass(frozen=True)
class Case:
    """Source, the text under the caret (its first occurrence on the line), and words of the message."""

    source: str
    line: int
    caret: str
    says: tuple[str, ...]


def case(source: str, line: int, caret: str, *says: str) -> Any:
    text = source.lstrip("\n")
    return pytest.param(Case(text, line, caret, says), id=text.splitlines()[line - 1].strip())


HEAPED = "def f(x):\n    xs = list(x)\n    heapq.heapify(xs)\n    return xs[0]\n"
PICKED = (
    "def f(x, name='sin'):\n    table = dict([('sin', math.sin)])\n    return table[name](x[0])\n"
)
SHUFFLED = "def f(x):\n    xs = list(x)\n    random.shuffle(xs)\n    return xs[0]\n"
CACHED = "def f(x):\n    @functools.lru_cache(maxsize=None)\n    def g(n):\n        return x[0] * n\n    return g(2)\n"
SQUARES = "        for v in x:\n            yield v * v\n"
BY_PLACES = "        for k in range(3):\n            yield x[k]\n"
PRINTING = "        for v in x:\n            print(v)\n            yield v\n"
ONE_BUFFER = (
    "        u = x * 2\n        for k in range(3):\n            yield u\n            u *= x\n"
)
WITHOUT_END = "        while True:\n            yield x[0]\n            x = x * 2\n"

CASES = [
    case(
        """
def f(x):
    import copy
    o = Box(x * 1)
    o.other = o.value
    q = copy.deepcopy(o)
    q.value *= 3
    return np.sum(o.value) + np.sum(q.other)
""",
        5,
        "copy.deepcopy(o)",
        "each part of which stands in them once",
    ),
    case(
        """
def f(k):
    return optimize.newton(lambda t: t - k, 0.5, fprime=np.cos)
""",
        2,
        "optimize.newton(lambda t: t - k, 0.5, fprime=np.cos)",
        "its fprime does not take what its function captures",
    ),
    case(
        """
def f(k):
    return optimize.newton(lambda t: t**3 - k, np.ones(2))[0]
""",
        2,
        "optimize.newton(lambda t: t**3 - k, np.ones(2))",
        "several roots at once: write scipy.optimize.fsolve(f, x0)",
    ),
    case(
        """
def f(k):
    return integrate.quad(lambda t: np.heaviside(t - k, 0.5), 0, 1)[0]
""",
        2,
        "integrate.quad(lambda t: np.heaviside(t - k, 0.5), 0, 1)",
        "its function compares or rounds what varies",
    ),
    case(
        """
def f(k):
    return integrate.quad(lambda t: np.interp(k * t, [0.0, 1.0], [1.0, 2.0], right=0.0), 0, 1)[0]
""",
        2,
        "integrate.quad(lambda t: np.interp(k * t, [0.0, 1.0], [1.0, 2.0], right=0.0), 0, 1)",
        "its function compares or rounds what varies",
    ),
    case(
        """
def f(k):
    return integrate.quad(lambda t: stats.expon.pdf(t - k), 0, 1)[0]
""",
        2,
        "integrate.quad(lambda t: stats.expon.pdf(t - k), 0, 1)",
        "its function compares or rounds what varies",
    ),
    case(
        """
def f(k):
    return integrate.quad(lambda t: np.histogram(k * t * np.ones(3), bins=[0, 1, 2], weights=k * np.ones(3))[0][0], 0, 1)[0]
""",
        2,
        "integrate.quad(lambda t: np.histogram(k * t * np.ones(3), bins=[0, 1, 2], weights=k * np.ones(3))[0][0], 0, 1)",
        "its function compares or rounds what varies",
    ),
    case(
        """
def f(k):
    return integrate.quad(lambda t: min([t, k], key=lambda v: (v - 0.3) ** 2), 0, 1)[0]
""",
        2,
        "integrate.quad(lambda t: min([t, k], key=lambda v: (v - 0.3) ** 2), 0, 1)",
        "its function compares or rounds what varies",
    ),
    case(
        """
def f(k):
    return integrate.quad(lambda t: (k * t * np.ones(2)).astype(int)[0] * k, 0, 1)[0]
""",
        2,
        "integrate.quad(lambda t: (k * t * np.ones(2)).astype(int)[0] * k, 0, 1)",
        "its function compares or rounds what varies",
    ),
    case(
        """
def f(k):
    z = k + 1j
    return integrate.quad(lambda t: np.real(np.exp(z * t)), 0, 1)[0]
""",
        3,
        "integrate.quad(lambda t: np.real(np.exp(z * t)), 0, 1)",
        "its function takes complex numbers",
    ),
    case(  # what the slope would read of the list is another number by then
        """
SCALES = [1.0]

def f(k):
    y = optimize.brentq(lambda t: SCALES[0] * t - k, 0, 1)
    SCALES[0] = 5.0
    return y
""",
        4,
        "optimize.brentq(lambda t: SCALES[0] * t - k, 0, 1)",
        "names outside are bound, or what they hold changes",
    ),
    case(  # the place of the jump moves with k, and no slope of the integrand tells
        """
def f(k):
    return integrate.quad(lambda t: 1.0 if t < k else 0.0, 0, 1)[0]
""",
        2,
        "integrate.quad(lambda t: 1.0 if t < k else 0.0, 0, 1)",
        "its function compares or rounds what varies",
        "write np.minimum, np.maximum or np.abs",
    ),
    case(
        """
def f(k):
    return integrate.quad(lambda t: np.where(t < k, t, 2 * t), 0, 1)[0]
""",
        2,
        "integrate.quad(lambda t: np.where(t < k, t, 2 * t), 0, 1)",
        "its function compares or rounds what varies",
    ),
    case(
        """
def f(k):
    return integrate.quad(lambda t: (k + t) % 1, 0, 1)[0]
""",
        2,
        "integrate.quad(lambda t: (k + t) % 1, 0, 1)",
        "its function compares or rounds what varies",
    ),
    case(  # which would be called more often than the user wrote
        """
def f(k):
    def shown(t):
        print(t)
        return k * t
    return integrate.quad(shown, 0, 1)[0]
""",
        5,
        "integrate.quad(shown, 0, 1)",
        "its function does more than give a value",
    ),
    case(
        """
def f(k):
    calls = 0
    def counted(t):
        print("called")
        return t - k
    return optimize.brentq(lambda t: counted(t), 0, 1) + calls
""",
        6,
        "optimize.brentq(lambda t: counted(t), 0, 1)",
        "its function does more than give a value",
    ),
    case(
        """
def f(k):
    return optimize.brentq(lambda t: t - k, 0, 1, full_output=True)[0]
""",
        2,
        "optimize.brentq(lambda t: t - k, 0, 1, full_output=True)",
        "it is called with 'full_output' here",
    ),
    case(
        """
def f(k):
    return integrate.quad(lambda t: t, 0, 1, weight="cos", wvar=k)[0]
""",
        2,
        'integrate.quad(lambda t: t, 0, 1, weight="cos", wvar=k)',
        "it is called with 'weight' here",
    ),
    case(
        """
def f(k):
    return integrate.quad(lambda t: np.abs(t - 0.5), 0, 1, points=[k])[0]
""",
        2,
        "integrate.quad(lambda t: np.abs(t - 0.5), 0, 1, points=[k])",
        "there is no derivative with respect to 'points'",
    ),
    case(
        """
def f(k):
    p = [k, 2 * k]
    return integrate.quad(lambda t: sum(p) * t, 0, 1)[0]
""",
        3,
        "integrate.quad(lambda t: sum(p) * t, 0, 1)",
        "its function reads a list, dict or object",
    ),
    case(
        """
def f(k):
    return integrate.dblquad(lambda s, t: k * s * t, 0, 1, 0, 1)[0]
""",
        2,
        "integrate.dblquad(lambda s, t: k * s * t, 0, 1, 0, 1)",
        "write scipy.integrate.quad of a function",
    ),
    case(
        """
def f(k):
    return optimize.root_scalar(lambda t: t**3 - k, x0=1.0).root
""",
        2,
        "optimize.root_scalar(lambda t: t**3 - k, x0=1.0)",
        "write method='secant' and x1=, or give it fprime",
    ),
    case(
        """
def f(k):
    return optimize.root_scalar(lambda t: t**3 - k, x0=1.0, method="halley").root
""",
        2,
        'optimize.root_scalar(lambda t: t**3 - k, x0=1.0, method="halley")',
        "of its methods brentq, brenth, bisect, ridder, secant, newton are followed",
    ),
    case(
        """
def f(k):
    return optimize.root_scalar(lambda t: t**3 - k, bracket=(0, 3), x0=1.0).root
""",
        2,
        "optimize.root_scalar(lambda t: t**3 - k, bracket=(0, 3), x0=1.0)",
        "it is called with 'x0' here",
    ),
    case(
        """
def f(k):
    return optimize.root_scalar(lambda t: (t**3 - k, 3 * t**2), x0=1.0, fprime=True).root
""",
        2,
        "optimize.root_scalar(lambda t: (t**3 - k, 3 * t**2), x0=1.0, fprime=True)",
        "its function gives two values",
    ),
    case(
        """
def f(k):
    return optimize.root_scalar(lambda t: t**3 - k, bracket=sorted([3, k])).root
""",
        2,
        "optimize.root_scalar(lambda t: t**3 - k, bracket=sorted([3, k]))",
        "write its bracket as a tuple",
    ),
    case(
        """
def f(k):
    y = optimize.root_scalar(lambda t: t**3 - k, bracket=(0, 3))
    return y.root * y.iterations
""",
        3,
        "y.iterations",
        "only the root itself is followed",
    ),
    case(
        """
def f(k):
    return optimize.root(lambda v: v**3 - k, [1.0], method="lm").x[0]
""",
        2,
        'optimize.root(lambda v: v**3 - k, [1.0], method="lm")',
        "of its methods hybr is followed",
    ),
    case(
        """
def f(k):
    return optimize.root(lambda v: (v**3 - k, 3 * v**2), [1.0], jac=True).x[0]
""",
        2,
        "optimize.root(lambda v: (v**3 - k, 3 * v**2), [1.0], jac=True)",
        "its function gives two values",
    ),
    case(
        """
def f(k):
    return optimize.fsolve(lambda v: v**3 - k, [1.0], full_output=True)[0][0]
""",
        2,
        "optimize.fsolve(lambda v: v**3 - k, [1.0], full_output=True)",
        "it is called with 'full_output' here",
    ),
    case(
        """
def f(k):
    return optimize.fsolve(lambda v: {"x": v**3 - k}, [1.0])[0]
""",
        2,
        'optimize.fsolve(lambda v: {"x": v**3 - k}, [1.0])',
        "let it give np.array([...])",
    ),
    case(  # which lengths the rows have is not known
        """
def f(x):
    rows = [[np.outer(x, x) * v] for v in x]
    return np.sum(np.block(rows)[0] ** 2)
""",
        3,
        "np.block(rows)",
        "np.block of lists of unknown lengths",
        "np.vstack([np.hstack(row) for row in rows])",
    ),
    case(  # whose elements would each be in several places
        """
def f(x):
    rows = []
    for v in x:
        rows.append([v, v * v])
    pairs = rows * 2
    return pairs[0][0] * pairs[-1][1]
""",
        5,
        "rows * 2",
        "a list of containers is repeated",
        "write a comprehension",
    ),
    case(
        """
def f(x):
    pairs = [(x[0], x[1] * x[2])] * len(x)
    return sum(a * b for a, b in pairs)
""",
        2,
        "[(x[0], x[1] * x[2])] * len(x)",
        "a list of containers is repeated",
    ),
    case(  # the tangents of a list would be multiplied, not repeated
        """
def f(x):
    xs = []
    for v in x:
        xs.append(v * v)
    xs *= 2
    return sum(xs)
""",
        5,
        "xs",
        "a list is repeated in place",
        "xs = xs * n",
    ),
    case(  # a default may be given or not
        """
def f(x):
    def model(t, a, b=x[0]):
        return a * t + b
    return model(1.0, *x)
""",
        4,
        "model(1.0, *x)",
        "how many arguments this gives is not known",
        "a, b = p",
    ),
    case(  # what the parameters leave may not be unpacked where it is not certain that the call is made
        """
def f(x):
    def model(a, b):
        return a * b
    return x[0] if len(x) != 2 else model(*x)
""",
        4,
        "model(*x)",
        "how many arguments this gives is not known",
    ),
    case(  # beside others that go to *rest
        """
def f(x):
    def model(a, *rest):
        return a * sum(rest)
    return model(x[0], 1.0, *x)
""",
        4,
        "model(x[0], 1.0, *x)",
        "how many arguments this gives is not known",
    ),
    case(  # as an unpacking it would raise another error
        """
def f(x):
    def model(a, b):
        return a * b
    try:
        return model(*x)
    except ValueError:
        return x[0]
""",
        5,
        "model(*x)",
        "how many arguments this gives is not known",
    ),
    case(  # before each trip of a `while`
        """
def f(x):
    def model(a, b, c):
        return a * b + c
    while model(*x) > 1.0:
        x = x / 2
    return x[0]
""",
        4,
        "model(*x)",
        "how many arguments this gives is not known",
    ),
    case(
        """
def f(x):
    t = ((x[0], x[1]), x[2])
    for _ in range(2):
        t = (Named(t[0][1] * x[2], t[0][0]), t[1])
    return t[0][0] * t[0][1]
""",
        4,
        "t",
        "a named tuple on one path and another tuple or list on another",
    ),
    case(
        """
def f(x):
    p = [x[0], x[1]]
    if x[2] > 0:
        p = Named(p[1] * x[2], p[0])
    return p[0] * p[1]
""",
        4,
        "p",
        "a named tuple on one path and another tuple or list on another",
    ),
    case(
        """
def f(x):
    d = {"p": (x[0], x[1])}
    for _ in range(2):
        d["p"] = Named(d["p"][1] * x[2], d["p"][0])
    return d["p"][0] * d["p"][1]
""",
        4,
        'd["p"]',
        "a named tuple on one path and another tuple or list on another",
    ),
    case(
        """
def f(x, scale=np.poly1d([1.0, 2.0])):
    return np.sum((x * scale)(2.0))
""",
        2,
        "x * scale",
        "a value of type poly1d in arithmetic",
    ),
    case(
        """
def f(x):
    density = stats.gaussian_kde([0.1, 0.5, 0.4])
    return np.sum(density(x))
""",
        3,
        "density(x)",
        "write its sum: np.mean(scipy.stats.norm.pdf(",
    ),
    case(
        "def f(x):\n    return special.legendre(3)(x)\n",
        2,
        "special.legendre(3)(x)",
        "write scipy.special.eval_legendre(n, x)",
    ),
    case(
        "def f(x, density=stats.gaussian_kde([0.1, 0.5, 0.4])):\n    return density(x)\n",
        2,
        "density(x)",
        "write its sum",
    ),
    case("def f(x, p=special.legendre(3)):\n    return p(x)\n", 2, "p(x)", "not known what 'p' is"),
    case(
        """
def f(x, box=Box(2.0)):
    return np.sum(x - box)
""",
        2,
        "box",
        "a value of type Box meets a differentiated one",
    ),
    case(
        """
def f(x, box=Box(2.0)):
    return sum([x[0], box])
""",
        2,
        "[x[0], box]",
        "a value of type Box meets a differentiated one",
    ),
    case(
        """
def f(x, d=0):
    n = x[0]
    def grow():
        nonlocal n
        n = n * 2
        if d == 0:
            raise ValueError
        return n
    try:
        y = grow()
    except ValueError:
        y = x[1]
    return y * n
""",
        10,
        "y = grow()",
        "changes 'n'",
        "raise before anything changes",
    ),
    case(
        """
def f(x):
    box = Box(x)
    try:
        y = box.grown()
    except ValueError:
        y = x[1]
    return y * np.sum(box.value)
""",
        4,
        "y = box.grown()",
        "this call changes",
        "where it raises",
    ),
    case(
        "def f(x):\n    return stats.nbinom.cdf(2, x[0], 0.5)\n",
        2,
        "stats.nbinom.cdf(2, x[0], 0.5)",
        "no derivative with respect to 'n'",
    ),
    case(
        "def f(x):\n    while Named(x[0], x[1])._replace(a=x[2]).a < 0.1:\n        x = x * 2\n    return x\n",
        2,
        "Named(x[0], x[1])._replace(a=x[2])",
        "give what replace is asked of a name first",
    ),
    case(
        "def f(x):\n    p = Named(x[0], x[1])\n    while p._asdict()['a'] < 0.1:\n        x = x * 2\n    return x\n",
        3,
        "p._asdict()",
        "give what asdict gives a name first",
    ),
    case(
        "def f(x):\n    p = Named(x[0], x[1])\n    q = p._replace(c=x[2])\n    return q.a\n",
        3,
        "p._replace(c=x[2])",
        "Named has no field 'c'",
    ),
    case(
        "def f(x):\n    p = Held([x[0]])\n    d = dataclasses.asdict(p)\n    return d['value'][0]\n",
        3,
        "dataclasses.asdict(p)",
        "dataclasses.asdict copies what is inside of containers",
    ),
    case(
        "def f(x):\n    g = np.ogrid[0 : x[0] : 3j]\n    return np.sum(g) * x[1]\n",
        2,
        "np.ogrid[0 : x[0] : 3j]",
        "it is not known what this gives",
    ),
    case(
        "def f(x):\n    g = np.r_['0,2', x, x]\n    return np.sum(g) * x[1]\n",
        2,
        "np.r_['0,2', x, x]",
        "write this with np.concatenate",
    ),
    case(
        """
def f(x):
    class A: pass
    return x
""",
        2,
        "class A: pass",
        "class",
        "not supported yet",
    ),
    case(
        "def f(x):\n    return {v * 2 for v in x}.pop()\n", 2, "{v * 2 for v in x}", "comprehension"
    ),
    case(
        "def f(x):\n    y = [x[0]]\n    for v in y:\n        y.append(v * 2)\n    return y[1]\n",
        4,
        "y",
        "changed while the loop runs",
    ),
    case(
        "def f(x):\n    y = list(x)\n    y.remove(x[0])\n    return y[0]\n",
        3,
        "y.remove(x[0])",
        "remove",
    ),
    case(
        "def f(x, k=1):\n    y = list(x)\n    y[k:2] = [x[0]]\n    return y[0]\n",
        3,
        "y[k:2]",
        "one end",
    ),
    case(
        "def f(x):\n    y = list(x)\n    y[::2] = [x[0]] * 2\n    return y[0]\n",
        3,
        "y[::2]",
        "one end",
    ),
    case(
        "def f(x):\n    y = list(x)\n    for v in y:\n        y[1:] = [v]\n    return y[0]\n",
        4,
        "y",
        "changed while the loop runs",
    ),
    case(
        "def f(x):\n    y = list(x)\n    for v in y:\n        del y[0]\n    return y[0]\n",
        4,
        "y",
        "changed while the loop runs",
    ),
    case(
        "def f(x):\n    y = [x[0], x[1]]\n    for k in range(2):\n        y[k] += x\n    return np.sum(y[0])\n",
        4,
        "y[k]",
        "write xs[k] = xs[k] + v",
    ),
    case(
        'def f(x, k=("a",)):\n    d = {"a": (x, x)}\n    return d[k[0]][0]\n',
        3,
        "d[k[0]]",
        "literal",
    ),
    case(
        'def f(x, c=1):\n    d = {"a": (x, x)}\n    if c > 0:\n        d["b"] = x\n    return d["a"][0]\n',
        4,
        'd["b"] = x',
        "form",
    ),
    case(
        'def f(x):\n    d = {"a": x}\n    e = d if x > 0 else {"a": x}\n    e["a"] = x\n    return d["a"]\n',
        4,
        'e["a"]',
        "another name",
    ),
    case(
        'def f(x):\n    d = {"a": x}\n    for k in d:\n        d[k + "b"] = x\n    return d["a"]\n',
        4,
        'd[k + "b"] = x',
        "new key while a loop runs over it",
    ),
    case(
        'def f(x):\n    d = {"a": x}\n    v = d.values()\n    d["a"] = x * x\n    return sum(v)\n',
        4,
        'd["a"] = x * x',
        "values()",
        "make that a list",
    ),
    case(
        'def f(x):\n    d = {"a": x}\n    v, n = d.values(), 2\n    d["b"] = x\n    return sum(v) * n\n',
        4,
        'd["b"] = x',
        "make that a list",
    ),
    case(
        "def f(x, k='a'):\n    d = {'a': x}\n    d.update(zip([k], [x]))\n    return print(d)\n",
        4,
        "d)",
        "as a whole",
    ),
    case(
        "def f(x):\n    t = None\n    if x[0] > 0:\n        t = {0: x}\n    print(t)\n    if t is None:\n        return x\n    return t[0]\n",
        5,
        "t)",
        "may be None",
        "ask first",
    ),
    case(
        """
def hit(x):
    if x[0] > 0:
        return x[0], x[1]

def f(x):
    try:
        a, b = hit(x)
    except TypeError:
        a, b = x[1], x[0]
    return a * b
""",
        7,
        "hit(x)",
        "may be None",
    ),
    case(
        """
def hit(x):
    if x[0] > 0:
        return x[0], x[1]

def f(x):
    h = hit(x)
    try:
        return h[0] * x[1]
    except TypeError:
        return x[0]
""",
        8,
        "h[0]",
        "may be None",
    ),
    case(
        """
def hit(x):
    if x[0] > 0:
        return x[0], x[1]

def f(x):
    hits = [hit(x), hit(-x)]
    return sum(h[0] for h in hits if h)
""",
        6,
        "hit(x)",
        "may be None",
    ),
    case(
        """
def hit(x):
    if x[0] > 0:
        return x[0], x[1]

def f(x):
    h = hit(x)
    return h[0] if bool(h) else x[1]
""",
        7,
        "h)",
        "may be None",
    ),
    case(
        "def f(x):\n    t = None\n    if x[0] > 0:\n        t = (x, x)\n    return x * isinstance(t, tuple)\n",
        5,
        "t, tuple",
        "not known whether",
        "or None",
    ),
    case(
        "def f(x):\n    t = x\n    if x[0] > 0:\n        t = (x, x)\n    return 2 * x if isinstance(t, tuple) else x\n",
        4,
        "t = (x, x)",
        "on one path and a single value on another",
    ),
    case(
        'def f(x):\n    d = {"a": x}\n    d.update(sorted({}))\n    return d["a"]\n',
        3,
        "d.update(sorted({}))",
        "d[key] = v",
    ),
    case(
        'def f(x, k=("a",)):\n    d = {"a": x}\n    return d.setdefault(k[0], x)\n',
        3,
        "d.setdefault(k[0], x)",
        "literal",
    ),
    case(  # a row of w, or a number, that is computed with before
        "def f(x, k='b'):\n    w = np.ones((2, 3))\n    y = np.sum(x**2 * w[str.index('ab', k)])\n"
        "    c = w[str.index('ab', k)]\n    c *= 2\n    return y\n",
        5,
        "c",
        "not known whether this is an array",
    ),
    case(
        'def f(x):\n    d = {"a": x}\n    d.update(dict(zip("ab", x)))\n    return d["a"]\n',
        3,
        'd.update(dict(zip("ab", x)))',
        "one shape",
    ),
    case(
        'def f(x):\n    d = {"a": x}\n    e = d if x > 0 else {"a": x}\n    e.update(a=x)\n    return d["a"]\n',
        4,
        "e.update(a=x)",
        "another name",
    ),
    case(
        'def f(x, c=1):\n    d = {"a": x}\n    return d["b"] if c > 0 else x\n',
        3,
        'd["b"]',
        "no key 'b' here",
    ),
    case(
        'def f(x, k=("a",)):\n    d = {}\n    d[k[0]] = (x, x)\n    return d["a"][0]\n',
        3,
        "d[k[0]]",
        "arrays of one shape",
    ),
    case(
        'def f(x, k=("a",)):\n    d = {}\n    d[k[0]] = x\n    d[k[0] * 2] = x[0]\n    return d["a"]\n',
        4,
        "d[k[0] * 2]",
        "arrays of one shape",
    ),
    case(
        'def f(x, k=("a",)):\n    d = {}\n    d[k[0]] = x\n    e = d\n    return e["a"]\n',
        4,
        "d",
        "as a whole",
    ),
    case(
        "def f(x):\n    p = Box(x)\n    p.value = x * 2\n    print(p)\n    return p.value\n",
        4,
        "p)",
        "as a whole",
        "attributes",
    ),
    case(
        "def f(x):\n    t = Trail(x[0])\n    t.others = t.values\n    t.put(x[1])\n    return t.values[0]\n",
        4,
        "t.put(x[1])",
        "which list",
    ),
    case(
        "def f(x):\n    p = Box(x)\n    q = p if x > 0 else Box(x)\n    q.value = x * 2\n    return p.value\n",
        4,
        "q.value",
        "another name",
    ),
    case(
        "def f(x):\n    p = Box(x)\n    p.value[0] += p.grown()\n    return p.value\n",
        3,
        "p.value[0]",
        "a call in the same line changes this",
    ),
    case(
        "def f(x):\n    p = Box(x)\n    if x[0] > 0:\n        p.more = x\n    return x if hasattr(p, 'more') else p.value\n",
        4,
        "p.more = x",
        "form",
    ),
    case(
        "def f(x):\n    global Q\n    Q = [x]\n    return x\n", 3, "Q = [x]", "outside", "return it"
    ),
    case(  # what is put in order is compared by other items of what varies
        """
def f(x):
    return sum(sorted(x, key=x.__getitem__))
""",
        2,
        "x.__getitem__",
        "the attribute .__getitem__ has no derivative rule",
    ),
    case(  # read by another function, in whatever way
        """
def f(x):
    global Q
    Q = x[0]
    g = lambda k: Q * k
    return x[1] * (g(1) + g(2))
""",
        3,
        "Q = x[0]",
        "'Q' would keep a differentiated value",
        "return it",
    ),
    case(  # operators of objects may read it unseen
        """
def f(x):
    global Q
    Q = x[0]
    return x[1] * len(unknown)
""",
        3,
        "Q = x[0]",
        "'Q' would keep a differentiated value",
        "return it",
    ),
    case(  # what a module keeps is not written to, before and after
        """
def f(x):
    global Q
    Q = 2 * x
    Q[0] = x[1]
    return np.sum(Q)
""",
        4,
        "Q[0] = x[1]",
        "an array that a global holds, too, is written to",
    ),
    case(
        """
def f(x):
    global Q
    y = 2 * x
    y[0] = x[1]
    Q = y
    return np.sum(Q)
""",
        5,
        "Q = y",
        "an array that a global holds, too, is written to",
    ),
    case(  # a helper that binds it
        """
def f(x):
    global Q
    def put(v):
        global Q
        Q = v
    Q = x[0]
    put(x[1])
    return Q
""",
        7,
        "put(x[1])",
        "'Q' stands outside of the function and would keep a differentiated value",
        "return it",
    ),
    case(
        "def f(x):\n    global Q\n    for Q in range(2):\n        x = x * Q\n    return x\n",
        3,
        "Q in",
        "outside",
    ),
    case(
        """
def f(x):
    def make(k):
        def g(t):
            return k * t
        return g
    h = make(x[0])
    print(h)
    return h(x)
""",
        7,
        "h)",
        "used otherwise than called",
        "pass it to a function of yours",
    ),
    case(
        """
def f(x):
    def make(k):
        def g(n):
            return k if n == 0 else k * g(n - 1)
        return g
    return make(x[0])(2)
""",
        6,
        "make(x[0])",
        "calls itself",
        "not supported yet",
    ),
    case(
        """
def f(x):
    def make(k, flag):
        if flag:
            g = lambda t: k * t
        else:
            g = lambda t: k + t
        return g
    return make(x[0], len(x) > 2)(x)
""",
        8,
        "make(x[0], len(x) > 2)",
        "one of several functions",
        "not supported yet",
    ),
    case(
        """
def f(x):
    def make(k):
        n = 0
        def g(t):
            nonlocal n
            n += 1
            return k * t * n
        return g
    return make(x[0])(x) if x[0] > 0 else x
""",
        9,
        "make(x[0])(x)",
        "binds 'n'",
        "give it a name",
    ),
    case(
        """
def f(x):
    def make(v):
        def get():
            return v
        def put(w):
            nonlocal v
            v = w * w
        return get, put
    get, put = make(x[0])
    put(x[1])
    return get()
""",
        10,
        "put(x[1])",
        "binds 'v'",
        "use one function",
    ),
    case(
        """
def f(x):
    def make():
        n = 0.0
        def add(v):
            nonlocal n
            n += v
            return n
        return add
    add = make()
    other = add
    add(x[0])
    return other(x[1])
""",
        11,
        "add(x[0])",
        "two names",
    ),
    case(
        """
def f(x):
    from functools import partial
    g = np.sin
    if len(x) > 2:
        g = partial(np.multiply, x)
    return g(x)
""",
        5,
        "g = partial",
        "not known which function this is",
        "call each where it is known",
    ),
    case(
        """
def f(x):
    count = 0
    def key(v):
        nonlocal count
        count += 1
        return -v
    order = [3, 1, 2]
    order.sort(key=key)
    return x * order[0] * count
""",
        8,
        "key)",
        "binds 'count'",
        "pass it to a function of yours",
    ),
    case(
        """
def f(x):
    y = x * 2
    def key(i):
        y[i] = y[i] * 2
        return y[i]
    i = min(range(len(x)), key=key)
    return np.sum(y) * x[i]
""",
        6,
        "min(range(len(x)), key=key)",
        "min is not supported with these arguments",
    ),
    case(
        """
def f(x):
    a = 1.0
    def step(k):
        nonlocal a
        a = a * x[0]
        return a * k
    if any(step(k) > 9 for k in range(3)):
        return a * x[1]
    return a
""",
        7,
        "any(step(k) > 9 for k in range(3))",
        "this stops at the first item that decides",
        "write a loop",
    ),
    case(
        """
def f(x):
    def step():
        nonlocal a
        a = a * x
    if np.sum(x) > 0:
        a = x
    step()
    return a
""",
        6,
        "a = x",
        "on one path only",
        "give it one before",
    ),
    case(
        """
def f(x):
    s = 0.0
    def add(t):
        nonlocal s
        s += t
    for s in x:
        add(1.0)
    return s
""",
        6,
        "s in x",
        "bound by a function inside",
        "bind it with =",
    ),
    case(
        """
def f(x):
    def step():
        nonlocal a
        a = a * x
    step()
    a = x
    return a
""",
        5,
        "step()",
        "used before it is assigned",
    ),
    case(
        """
def f(x):
    total = 0.0
    for v, _ in itertools.groupby(x):
        total += v * v
    return total
""",
        3,
        "itertools.groupby(x)",
        "which items are together follows the data: write a loop",
    ),
    case(
        """
def f(x):
    table = dict(square=lambda t: t * x)
    return x * table["square"](2.0)
""",
        2,
        "dict(square=lambda t: t * x)",
        "there is no derivative rule for dict",
    ),
    case(
        """
def f(x):
    for k in range(len(x)):
        def g(t, k=k):
            return t * x[k]
        if k > 1:
            g = np.sin
    return g(2.0)
""",
        7,
        "g(2.0)",
        "not known which function",
    ),
    case(
        """
def f(x):
    y = unknown.method(lambda t: t * x)
    return x * y
""",
        2,
        "unknown.method(lambda t: t * x)",
        "unknown.method",
    ),
    case(
        """
def f(x):
    def g(t):
        return t * w
    y = g(x)
    w = 2.0
    return y * w
""",
        4,
        "g(x)",
        "'w' has no value yet",
    ),
    case("def f(x):\n    y = yield x\n    return y\n", 1, "def f(x):", "generator"),
    case(CACHED, 3, "def g(n):", "functools.lru_cache keeps what the function gave"),
    case(SHUFFLED, 3, "random.shuffle(xs)", "shuffle their places"),
    case(HEAPED, 3, "heapq.heapify(xs)", "write xs.sort() before xs.pop(0)"),
    case(PICKED, 3, "table[name](x[0])", "it is not known which function is called here"),
    *(
        case(f"def f(x):\n    def gen(x):\n{inner}{lines}", line, text, why)
        for inner, lines, line, text, why in (
            (
                SQUARES,
                "    g = gen(x)\n    return sum(g)\n",
                5,
                "gen(x)",
                "a generator that is kept",
            ),
            (
                SQUARES,
                "    for v in gen(x):\n        x[0] = v\n    return x[0]\n",
                5,
                "gen(x)",
                "the loop may change",
            ),
            (
                ONE_BUFFER,
                "    return sum(np.sum(u) for u in gen(x))\n",
                7,
                "gen(x)",
                "changes what it gave before",
            ),
            (
                WITHOUT_END,
                "    return sum(u for u, _ in zip(gen(x), x))\n",
                6,
                "gen(x)",
                "this loop ends only with",
            ),
            (
                PRINTING,
                "    for v in gen(x):\n        x = x * v\n    return np.sum(x)\n",
                6,
                "gen(x)",
                "more than to give",
            ),
            (
                PRINTING,
                "    try:\n        for v in gen(x):\n            x = x * v\n    except ValueError:\n        pass\n    return np.sum(x)\n",
                7,
                "gen(x)",
                "more than to give",
            ),
            (
                BY_PLACES,
                "    for v in gen(x):\n        if v > 2:\n            return v\n    return x[0]\n",
                5,
                "gen(x)",
                "may be left before",
            ),
        )
    ),
    case(
        "def f(x):\n    s = 0.0\n    for k, v in enumerate(t * t for t in x if t > 1):\n        x = x * v\n        s += v * k\n    return s\n",
        3,
        "enumerate(t * t for t in x if t > 1)",
        "make it a list",
    ),
    case(
        "def f(x):\n    s = 0.0\n    for v in itertools.accumulate(x):\n        x = x * v\n        s += v\n    return s\n",
        3,
        "itertools.accumulate(x)",
        "make it a list",
    ),
    case(
        "def f(x):\n    s = 0.0\n    for a, b in itertools.pairwise(x.ravel()):\n        x[1:] = x[1:] * b\n        s += a * b\n    return s\n",
        3,
        "itertools.pairwise(x.ravel())",
        "make it a list",
    ),
    case(
        "def f(x):\n    s = 0.0\n    for a, b in itertools.pairwise(np.asarray(x)):\n        x[1:] = x[1:] * b\n        s += a * b\n    return s\n",
        3,
        "itertools.pairwise(np.asarray(x))",
        "make it a list",
    ),
    case(
        "def f(x):\n    y = x * 2\n    s = 0.0\n    for a, b in itertools.pairwise(y):\n        y[1] = s\n        s += a * b\n    return s\n",
        4,
        "itertools.pairwise(y)",
        "make it a list",
    ),
    case(
        """
def f(x):
    y = x * 2
    s = 0.0
    def change():
        y[2] = y[0]
    for v in itertools.accumulate(y):
        change()
        s += v
    return s
""",
        6,
        "itertools.accumulate(y)",
        "make it a list",
    ),
    case(
        "def f(x):\n    g = itertools.accumulate(x)\n    return sum(g) + sum(g)\n",
        2,
        "itertools.accumulate(x)",
        "make it a list",
    ),
    case(
        "def f(x):\n    xs = [x[0]]\n    xs += (v * len(xs) for v in x)\n    return sum(xs)\n",
        3,
        "(v * len(xs) for v in x)",
        "reads the list while it grows",
    ),
    case(
        "def f(x):\n    xs = [x[0]]\n    def last():\n        return xs[-1]\n    xs.extend(map(lambda v: v * last(), x))\n    return sum(xs)\n",
        5,
        "map(lambda v: v * last(), x)",
        "reads the list while it grows",
    ),
    case(
        "def f(x):\n    xs = [x[0]]\n    try:\n        xs += (math.sqrt(v) for v in x)\n    except ValueError:\n        pass\n    return sum(xs)\n",
        4,
        "(math.sqrt(v) for v in x)",
        "in a try",
    ),
    case(
        "def f(x):\n    xs = [x[0]]\n    xs += reversed([1.0, 2.0])\n    return sum(xs)\n",
        3,
        "reversed([1.0, 2.0])",
        "gives its elements once",
    ),
    case(
        "def f(x):\n    z = x * 2\n    y = sum([v * x for v in x if v > 9], z)\n    y *= 2\n    return np.sum(z)\n",
        5,
        "z",
        "may share memory",
    ),
    case(
        "def f(x):\n    return np.sum(math.prod([x[0], x[1]], start=x))\n",
        2,
        "math.prod([x[0], x[1]], start=x)",
        "numbers and arrays",
    ),
    case("async def f(x):\n    return x\n", 1, "async def f(x):", "async"),
    case("def f(x):\n    return unknown(x)\n", 2, "unknown(x)", "unknown"),
    case("def f(x):\n    return unknown.method(x) * 2\n", 2, "unknown.method(x)", "method"),
    case("def f(x):\n    y = x * 2\n    return np.sum(x) + y.foo(x)\n", 3, "y.foo(x)", "foo"),
    case(
        "def f(x):\n    return math.nextafter(x[0])\n", 2, "math.nextafter(x[0])", "math.nextafter"
    ),
    case(
        "def f(x):\n    y = np.piecewise(x, x > 0, [np.sin])\n    return np.sum(np.abs(y))\n",
        2,
        "np.piecewise(x, x > 0, [np.sin])",
        "piecewise",
    ),
    case("def f(x):\n    return x + np.poly1d(x) * 2\n", 2, "np.poly1d(x)", "np.poly1d"),
    case(
        "def f(x):\n    return np.log(x, where=x > 0)\n",
        2,
        "np.log(x, where=x > 0)",
        "where=",
        "give out=",
    ),
    case(
        "def f(x):\n    y = np.zeros(3, int)\n    np.exp(x, out=y)\n    return x\n",
        3,
        "np.exp(x, out=y)",
        "another type",
        "y[...] =",
    ),
    case(
        "def f(x):\n    z = np.zeros(2)\n    np.median(x, keepdims=True, out=z)\n    return x * z\n",
        3,
        "np.median(x, keepdims=True, out=z)",
        "writes to a part of a larger array",
    ),
    case(
        "def f(x):\n    y = np.sin(x)\n    np.concatenate([x[:1], y[:2]], out=y)\n    return x * y\n",
        3,
        "np.concatenate([x[:1], y[:2]], out=y)",
        "may share memory with what is read after",
    ),
    case(
        "def f(x):\n    np.cumsum(x, out=np.zeros(3, np.float32))\n    return x\n",
        2,
        "np.cumsum(x, out=np.zeros(3, np.float32))",
        "another type",
    ),
    case(
        "def f(x):\n    y = x * 1\n    if np.sum(np.exp(x, out=y)) > 1:\n        return y\n    return x\n",
        3,
        "np.exp(x, out=y)",
        "line of its own",
    ),
    case(
        "def f(x):\n    np.exp.at(x, [0])\n    return x\n",
        2,
        "np.exp.at(x, [0])",
        "write x[i] = np.exp(x[i]), where no place comes twice",
    ),
    case(
        "def f(x):\n    return np.pad(x, 1, constant_values=(x[0], 0))\n",
        2,
        "np.pad(x, 1, constant_values=(x[0], 0))",
        "write np.concatenate((np.full(n, a), x",
    ),
    case(
        "def f(x):\n    np.multiply.at(x, [0, 0], 2.0)\n    return x\n",
        2,
        "np.multiply.at(x, [0, 0], 2.0)",
        "np.add.at",
    ),
    case(
        "def f(x):\n    np.fill_diagonal(x, x[0])\n    return x\n",
        2,
        "np.fill_diagonal(x, x[0])",
        "matrix",
    ),
    case(
        "def f(x):\n    np.add.at(table, [0, 0], x[0])\n    return x\n",
        2,
        "np.add.at(table, [0, 0], x[0])",
        "'table'",
    ),
    case(
        "def f(x):\n    return np.trim_zeros(x, axis=0)\n",
        2,
        "np.trim_zeros(x, axis=0)",
        "np.trim_zeros(x",
        "supported",
    ),
    case("def f(x):\n    y = x.flat\n    return y[1]\n", 2, "x.flat", "write x.reshape(-1)"),
    case(
        "def f(x):\n    z = x * 1j\n    z.real = x\n    return abs(z[0])\n",
        3,
        "z.real",
        "write z = a",
    ),
    case(
        "def f(x):\n    z = x * 1j\n    z.imag[0] = x[1]\n    return abs(z[0])\n",
        3,
        "z.imag[0]",
        "write z = a",
    ),
    case(
        "def f(x):\n    y = x * 1\n    a, b = np.split(y, np.array([1]))\n    a[0] = x[1]\n    return y\n",
        5,
        "y",
        "share memory",
        "copy",
    ),
    case(
        "def f(x):\n    rows = [x * i for i in x]\n    v = rows[0]\n    rows.insert(0, x)\n"
        "    v[0] = x[1]\n    return rows[1]\n",
        6,
        "rows",
        "'rows' and 'v'",
        "copy",
    ),
    case(
        "def f(x):\n    y = x * 2\n    b = np.ravel(y[:: int(x[0])])\n    b[0] = 3.0\n    return np.sum(y)\n",
        5,
        "y)",
        "np.ravel gives a view or a copy",
        ".copy()",
    ),
    case("def f(x):\n    return np.sum(x[True, :2])\n", 2, "x[True, :2]", "bool", "adds an axis"),
    case(
        "def f(x):\n    x[x > 2][0] = x[1]\n    return x\n",
        2,
        "x[x > 2][0]",
        "gives a copy",
        "lost",
        "one index",
    ),
    case(
        "def f(x):\n    x[[0, 1]][0] *= x[1]\n    return x\n",
        2,
        "x[[0, 1]][0]",
        "gives a copy",
        "lost",
    ),
    case(
        "def f(x):\n    y = np.exp(1j * x)\n    return np.max(y).real\n",
        3,
        "np.max(y)",
        "no derivative rule for complex numbers",
    ),
    case(
        "def f(x):\n    y = np.zeros(3)\n    y[:] = 1j * x\n    return y\n",
        3,
        "y[:]",
        "loses its imaginary part",
    ),
    case(
        "def f(x):\n    x.shape = (3, 1)\n    return x\n",
        2,
        "x.shape",
        "write x = x.reshape(shape)",
    ),
    case("def f(x):\n    table[0] = x[0]\n    return x\n", 2, "table[0]", "'table'", "argument"),
    case(
        """
def two(x):
    if x[0] > 0:
        return x, x
    if x[1] > 0:
        return x, x, x

def f(x):
    a, b = two(x)
    return a * b
""",
        8,
        "two(x)",
        "can't be told apart",
        ":4)",
    ),
    case(
        "def f(x):\n    if x[0] > 0:\n        return x, x\n    return x\n",
        4,
        "return x",
        "some returns give a tuple",
    ),
    case(
        "def f(x):\n    y = z\n    z = x\n    return y\n",
        2,
        "z",
        "'z' is used before it is assigned",
    ),
    case('def f(x):\n    return eval("x * 2")\n', 2, 'eval("x * 2")', "eval"),
    case("def f(x):\n    return locals()['x'] * 2\n", 2, "locals()", "locals"),
    case(
        """
def f(x):
    y = x * 2
    z = np.ravel(y[:: int(x[1])])
    z[0] = 3.0
    return np.sum(y)
""",
        5,
        "y)",
        "'y'",
        "'z'",
        "copy",
    ),
    case("def f(x):\n    é = 'ééé'; return np.poly1d(x)\n", 2, "np.poly1d(x)", "np.poly1d"),
    case("def f(x):\n    return (np.poly1d(\n        x))\n", 2, "np.poly1d(", "np.poly1d"),
]


@pytest.mark.parametrize("operator", [grad, value_and_grad])
@pytest.mark.parametrize("refused", CASES)
def test_refused(refused: Case, operator: Any) -> None:
    f = function_of(refused.source, table=np.ones(3))
    with pytest.raises(NotDifferentiable) as caught:
        operator(f)(X.copy())
    error = caught.value
    assert error.filename == f.__code__.co_filename
    assert error.lineno == refused.line
    text = refused.source.splitlines()[refused.line - 1]
    assert error.text is not None
    assert error.text.rstrip() == text.rstrip()
    assert error.offset is not None
    start = error.offset - 1
    assert text[start : start + len(refused.caret)] == refused.caret
    for words in refused.says:
        assert words in error.msg
    shown = "".join(traceback.format_exception_only(error))
    assert text.strip() in shown
    assert "^" in shown
    assert "object at 0x" not in error.msg


@pytest.mark.parametrize("refused", CASES)
def test_pullbacks_are_refused_too(refused: Case) -> None:
    f = function_of(refused.source, table=np.ones(3))
    with pytest.raises(NotDifferentiable):
        vjp(f, X.copy())
    with pytest.raises(NotDifferentiable):
        check_grad(f, X.copy())


def test_an_option_that_decides_between_an_array_and_a_tuple() -> None:
    def of_values(x: Any, k: int) -> Any:
        return np.sum(scipy.linalg.eigh(x, eigvals_only=k > 1))

    with pytest.raises(NotDifferentiable, match="not supported with these arguments"):
        grad(of_values)(np.eye(3), 2)


def test_it_is_a_syntax_error() -> None:
    assert issubclass(NotDifferentiable, SyntaxError)


def test_all_refusals_at_once() -> None:
    f = function_of(
        "def f(x):\n"
        "    y = np.poly1d(x)\n"
        "    z = math.nextafter(x[0])\n"
        "    if z > 0:\n"
        "        y = unknown(x)\n"
        "    return np.packbits(x) * x[x > 0]\n"
    )
    with pytest.raises(NotDifferentiable) as caught:
        grad(f)(X)
    message = caught.value.msg
    for place, name in (
        ("2:9", "np.poly1d"),
        ("3:9", "math.nextafter"),
        ("5:13", "unknown"),
        ("6:12", "packbits"),
    ):
        assert name in message
        if place != "2:9":
            assert f"{f.__code__.co_filename}:{place}: " in message
    assert caught.value.lineno == 2
    assert [refusal.node.lineno for refusal in caught.value.refusals][:4] == [2, 3, 5, 6]


def test_all_refusals_of_syntax_and_of_rules_at_once() -> None:
    f = function_of("def f(x):\n    class A: pass\n    y = np.poly1d(x)\n    return y\n")
    with pytest.raises(NotDifferentiable) as caught:
        grad(f)(X)
    for words in ("class", "poly1d"):
        assert words in caught.value.msg


def refused_at(f: Function, *args: Any) -> list[tuple[int, str]]:
    """The lines that are refused, each with the first words of the reason."""
    with pytest.raises(NotDifferentiable) as caught:
        grad(f)(*args)
    error = caught.value
    assert error.lineno == error.refusals[0].node.lineno
    assert len(error.msg.splitlines()) == len(error.refusals)
    return [(one.node.lineno, " ".join(one.message.split()[:3])) for one in error.refusals]


def test_refusals_of_all_kinds_at_once() -> None:
    f = function_of(
        "def f(x, c):\n"
        "    table[0] = x[0]\n"
        "    y = {v * 2 for v in x}\n"
        "    z = math.ulp(x) + later\n"
        "    b = np.ravel(x[:: int(c)])\n"
        "    b[0] = 3.0\n"
        "    later = y[0] * z\n"
        "    class A: pass\n"
        "    if c > 1:\n"
        "        return b, later\n"
        "    return np.sum(x) + math.nextafter(c * x[0])\n",
        table=np.ones(3),
    )
    assert refused_at(f, X, 1.0) == [
        (2, "the global 'table'"),
        (3, "a set comprehension"),
        (4, "there is no"),
        (4, "'later' is used"),
        (8, "a class is"),
        (11, "'x' and 'b'"),
        (11, "there is no"),
    ]


def test_what_follows_from_a_refusal_is_not_refused_again() -> None:
    f = function_of(
        "def double(a):\n"
        "    return 2 * a\n"
        "\n"
        "def f(x):\n"
        "    y, z = math.perm(x), x\n"
        "    y += x\n"
        "    y[y > 0] = 0\n"
        "    for v in y:\n"
        "        z = v.foo(x) * y[v]\n"
        "    a, b = z\n"
        "    return double(a) if a > 0 else [b, y.bar][0] @ x\n"
    )
    assert refused_at(f, X) == [(5, "there is no")]


def test_all_refusals_of_a_callee_are_listed_where_they_stand() -> None:
    f = function_of(
        "def innermost(a):\n"
        "    return math.perm(a) + math.ulp(a)\n"
        "\n"
        "def inner(a):\n"
        "    b = {v for v in a}\n"
        "    return innermost(a) * math.nextafter(a[0])\n"
        "\n"
        "def f(x):\n"
        "    y = inner(x) + math.ulp(x)\n"
        "    return y * inner(x)\n"
    )
    assert refused_at(f, X) == [
        (9, "inner can't be"),
        (9, "there is no"),
        (10, "inner can't be"),
        (2, "there is no"),
        (6, "innermost can't be"),
        (6, "there is no"),
    ]
    with pytest.raises(
        NotDifferentiable, match=r"comprehension of differentiated values is not supported \(.*:5\)"
    ):
        grad(f)(X)


def test_a_property_of_an_object_that_is_being_made() -> None:
    f = function_of(
        "class Mesh:\n"
        "    def __init__(self, size):\n"
        "        self.cells = self.count + 1\n"
        "        self.size = size\n"
        "\n"
        "    @property\n"
        "    def count(self):\n"
        "        class Inner:\n"
        "            pass\n"
        "        return 3\n"
        "\n"
        "def f(x):\n"
        "    mesh = Mesh(x)\n"
        "    return mesh.size * mesh.cells\n"
    )
    assert refused_at(f, X) == [(13, "Mesh can't be")]
    with pytest.raises(NotDifferentiable, match="count can't be differentiated: a class is not"):
        grad(f)(X)


def test_a_recursion_is_refused_once() -> None:
    f = function_of(
        "def f(x, n):\n    if n == 0:\n        return math.ulp(x)\n    return f(x, n - 1) * x\n"
    )
    assert refused_at(f, X, 3) == [(3, "there is no")]


def test_refusals_in_a_callee_name_its_line() -> None:
    f = function_of(
        "def inner(a):\n    b = a * 2\n    return np.poly1d(b)\n\ndef f(x):\n    return inner(x) * 2\n"
    )
    with pytest.raises(NotDifferentiable) as caught:
        grad(f)(X)
    error = caught.value
    assert "np.poly1d" in error.msg
    assert error.lineno == 3 or f"{f.__code__.co_filename}:3" in error.msg


def test_a_missing_rule_shows_the_line_that_adds_it() -> None:
    for call in ("math.ulp(x)", "math.perm(x)", "math.nextafter(x)"):
        f = function_of(f"def f(x):\n    return {call}\n")
        with pytest.raises(NotDifferentiable) as caught:
            grad(f)(X)
        name = call.partition("(")[0]
        assert f'"{name}(x' in caught.value.msg
        assert 'x="' in caught.value.msg


def test_before_anything_runs() -> None:
    runs: list[int] = []

    def count() -> None:
        runs.append(1)

    f = function_of(
        "def f(x, log):\n    count()\n    log.append(1)\n    y = x * 2\n    return np.poly1d(y)\n",
        count=count,
    )
    log: list[int] = []
    for operator in (grad, value_and_grad):
        with pytest.raises(NotDifferentiable):
            operator(f)(X, log)
    with pytest.raises(NotDifferentiable):
        vjp(f, X, log)
    with pytest.raises(NotDifferentiable):
        grad(f).source(X, log)
    assert runs == []
    assert log == []


def test_arguments_stay_when_refused() -> None:
    def f(x):
        x[0] = 5.0
        return np.poly1d(x)

    x = X.copy()
    with pytest.raises(NotDifferentiable):
        grad(f)(x)
    np.testing.assert_array_equal(x, X)


def test_what_carries_no_derivative_is_free() -> None:
    def f(x, options, names, path=None):
        k = int(np.i0(2.0))
        size = len(names) * options.get("size", 1)
        label = f"{path}/{names[0]}".upper()
        where = label.split("/")
        return np.sum(x) * size * k * len(where)

    k = int(np.i0(2.0))
    got = grad(f)(X, {"size": 3}, ["a", "b"], path="p")
    np.testing.assert_array_equal(got, np.full(3, 6.0 * k * 2))


def test_an_unknown_callable_without_active_arguments_is_free() -> None:
    f = function_of("def f(x, n):\n    return x * unknown(n)\n")
    assert grad(f)(2.0, 3) == 3.0


def test_the_same_refusal_again() -> None:
    def f(x):
        return np.poly1d(x)

    for _ in range(2):
        with pytest.raises(NotDifferentiable, match="np.poly1d"):
            grad(f)(X)


# ----------------------------------------------------------------------------------- bad inputs


def loss(w, b, n=2):
    return np.sum(w * b) * n


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (np.arange(3), "int64"),
        (np.array([1, 2, 3], dtype=np.uint8), "uint8"),
        (np.array([True, False, True]), "bool"),
        (np.array([1.0, None, "a"], dtype=object), "object"),
        (np.array(["a", "b", "c"]), "<U1"),
        (3, "int"),
        (True, "bool"),
        ("abc", "str"),
        (None, "None"),
        ([1, 2, 3], "list"),
        (1j, "complex"),
    ],
)
def test_arguments_that_can_have_no_gradient(value: Any, says: str) -> None:
    for operator in (grad, value_and_grad):
        with pytest.raises(TypeError) as caught:
            operator(loss)(value, X)
        assert "'w'" in str(caught.value)
        assert says in str(caught.value)
        with pytest.raises(TypeError, match="'b'"):
            operator(loss, wrt=("w", "b"))(X, value)
    with pytest.raises(TypeError, match="'n'"):
        grad(loss, wrt="n")(X, X, 2)


@pytest.mark.parametrize("value", [np.array([1.0, None, 2.0], dtype=object), "abc", None])
def test_bad_inactive_arguments_fail_as_in_the_function(value: Any) -> None:
    """Not a silent gradient: the same type of error as the function itself raises, or a refusal."""
    try:
        loss(X, value)
    except Exception as error:
        kinds: tuple[type[Exception], ...] = (type(error), NotDifferentiable, TypeError)
    else:
        kinds = (NotDifferentiable, TypeError)
    with pytest.raises(kinds):
        grad(loss)(X, value)


@pytest.mark.parametrize("wrt", [3, -1, "z", ("w", "z"), (0, 5), ()])
def test_wrong_wrt(wrt: Any) -> None:
    for operator in (grad, value_and_grad):
        with pytest.raises(ValueError, match="w") as caught:
            operator(loss, wrt=wrt)
        assert "loss" in str(caught.value)


@pytest.mark.parametrize("args", [(), (X,), (X, X, 2, 3)])
def test_wrong_number_of_arguments(args: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError) as right:
        loss(*args)
    for derivative in (grad(loss), value_and_grad(loss), differentiate(loss).vjp):
        with pytest.raises(TypeError) as caught:
            derivative(*args)
        assert str(caught.value) == str(right.value)


def test_unknown_keyword() -> None:
    with pytest.raises(TypeError) as right:
        loss(X, X, k=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError) as caught:
        grad(loss)(X, X, k=3)  # type: ignore[call-arg]
    assert str(caught.value) == str(right.value)


@pytest.mark.parametrize("head", [np.ones(2), np.ones((3, 1)), np.ones((1, 3)), 1.0, np.ones(4)])
def test_heads_of_the_wrong_shape(head: Any) -> None:
    _, pullback = vjp(lambda x: x * 2.0, X)
    with pytest.raises(ValueError, match=r"\(3,\)"):
        pullback(head)


@pytest.mark.parametrize("head", ["a", None, 1j, [1.0, 2.0, 3.0], np.ones(3, dtype=object)])
def test_heads_that_are_no_gradient(head: Any) -> None:
    _, pullback = vjp(lambda x: x * 2.0, X)
    with pytest.raises(TypeError):
        pullback(head)


OUTPUTS = {
    "int": "def f(x):\n    return int(x[0])\n",
    "constant int": "def f(x):\n    return 3\n",
    "bool": "def f(x):\n    return x[0] > 0\n",
    "bools": "def f(x):\n    return x > 0\n",
    "ints": "def f(x):\n    return np.argsort(x)\n",
    "None": "def f(x):\n    y = x * 2\n",
    "return None": "def f(x):\n    return None\n",
    "tuple": "def f(x):\n    return x, x * 2\n",
    "str": "def f(x):\n    return str(x)\n",
    "f-string": "def f(x):\n    return f'{x}'\n",
    "list": "def f(x):\n    return [x, x * 2]\n",
    "dict": "def f(x):\n    return {'a': 1}\n",
    "not": "def f(x):\n    return not x[0]\n",
    "len": "def f(x):\n    return len(x)\n",
    "shape": "def f(x):\n    return x.shape\n",
    "complex": "def f(x):\n    return 1j\n",
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs_that_have_no_gradient(name: str) -> None:
    f = function_of(OUTPUTS[name])
    for operator in (grad, value_and_grad):
        with pytest.raises((TypeError, NotDifferentiable)) as caught:
            operator(f)(X)
        if isinstance(caught.value, TypeError):
            assert "f" in str(caught.value).split("(")[0].split()[0] or "f" in str(caught.value)


def test_errors_of_the_function_itself_come_through() -> None:
    def invert(x):
        return ~x

    with pytest.raises(TypeError):
        invert(X)
    with pytest.raises(TypeError):
        grad(invert)(X)

    def undefined(x):
        return x * undefined_name  # noqa: F821

    with pytest.raises(NameError, match="undefined_name"):
        grad(undefined)(X)

    def raises(x):
        raise ValueError(f"no derivative at {x[0]}")

    with pytest.raises(ValueError, match="no derivative at 1.5"):
        grad(raises)(X)

    def builtin_max(x):
        return max(x) * 2.0

    np.testing.assert_array_equal(grad(builtin_max)(X), [0.0, 0.0, 2.0])


def split(t, n):
    if n < 2:
        return np.sum(t**2)
    return split(t[1:], n - 1) * split(t, n - 2)


def test_a_gradient_of_a_recursion_inside_is_refused_at_once() -> None:
    """Each round would be deeper than the last, and twice as wide."""

    def steepness(x):
        return np.sum(grad(split)(x, 3) ** 2)

    with pytest.raises(NotDifferentiable, match="with respect to one number only") as caught:
        grad(steepness)(X)
    assert caught.value.text is not None
    assert "np.sum(grad(split)(x, 3) ** 2)" in caught.value.text
    assert caught.value.offset == len("        return np.sum(") + 1


def test_integrand_with_a_rule_of_its_own() -> None:
    """What the rule says of it would not be asked."""

    def wave(t: float, k: float) -> float:
        return k * t

    @adjoint(wave)
    def wave_adjoint(dy: float, y: float, t: float, k: float) -> tuple[float, float]:
        return dy * k, dy * t

    def f(k: float) -> Any:
        return scipy.integrate.quad(wave, 0, 1, args=(k,))[0]

    with pytest.raises(NotDifferentiable, match="its function"):
        grad(f)(0.5)
