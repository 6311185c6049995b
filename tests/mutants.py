"""Programs of the corpus changed at random, and the check of their derivatives against numeric differences.

A program of the corpus is right because somebody thought of it. A mutant is one that nobody thought of: lines change
places or stand twice, in a loop, a branch or a try; names stand for others; arrays, lists and dicts are written to
where they were only read; values go through views, containers and functions. Most mutants do not run, or give no
number: these are left alone.

    python -m tests.mutants 0:20                   twenty of each program: tells which are wrong or crash
    python -m tests.mutants 0:20 dicts objects     of the programs of these families only
"""

from __future__ import annotations

import ast
import collections
import copy
import inspect
import linecache
import random
import resource
import signal
import sys
import textwrap
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from corpus import PROGRAMS, Program
from numeric import numeric_gradient, random_head

from tangentish import NotDifferentiable, grad, hvp, jvp, vjp

Kind = Literal["ok", "refused", "wrong", "crash", "left alone"]

LARGEST = 1e4  # results that are larger have differences that say little
MOST_NUMBERS = 40  # of an argument: each costs a dozen calls
SECONDS = 30.0  # for the derivatives of one mutant, when nobody else needs the machine
FIRST_SECONDS = 3.0  # for the mutant itself: many have no end
GIGABYTES = 1.0

WRITES = """
a *= 0.9; a[0] *= 1.1; a[...] = np.sin(a); a += a; a[-1] = a[0] * 0.5; a = a * 1.1; a = a + b; a += b; a[:] = b; a = b
a[1:] = a[:-1]; a[::2] += 0.1; a.append(b); a.sort(); np.multiply(a, b, out=a); a, b = b, a; a.insert(0, b); a.pop()
a.reverse(); del a[-1]; a[0] = b; a -= 0.1 * b; a = np.tanh(b); a = [a, b][1]; a = max(a, b); a.extend(a); a = a[::-1]
a = a[:]; a = a.copy(); a = list(a); a = (a, b)[0]; np.add.at(a, 0, 0.3); a[a > 0.5] = 0.25; a[a > 0.3] *= 2; a.fill(0.3)
a **= 2; a /= 1 + b * b; a = a.T; a = np.asarray(a); a = float(a); a['new'] = b; a = {**a, 'k': b}; a = dict(a)
"""
VALUES = """
e[:]; e.T; e[::-1]; e.ravel(); np.asarray(e); e.copy(); (e, 1.0)[0]; [e][0]; {'k': e}['k']; (lambda: e)()
(lambda v: v)(e); np.sin(e); e * e; 1.0 * e; np.sum(e); e if True else 0.0; e[0]; np.tanh(e); -e; np.exp(-e)
np.cumsum(e); [v for v in e][0]; sum([e, 0.3]); np.where(e > 0.4, e, 0.2); np.atleast_1d(e); np.mean(e); e.reshape(-1)
"""
TESTS = "np.sum(a) > 0.4; True; False; a is not None; np.all(np.asarray(a) < 1.5); len(a) > 1"


# ---------------------------------------------------------------------------------------- mutations


@dataclass
class _Function:
    """A function that is changed in place, and where its next change comes from."""

    tree: ast.FunctionDef
    rng: random.Random

    def blocks(self) -> list[list[ast.stmt]]:
        fields = ("body", "orelse", "finalbody")
        found = (getattr(node, name, None) for node in ast.walk(self.tree) for name in fields)
        return [b for b in found if isinstance(b, list) and b and isinstance(b[0], ast.stmt)]

    def place(self) -> tuple[list[ast.stmt], int]:
        block = self.rng.choice(self.blocks())
        return block, self.rng.randrange(len(block))

    def names(self) -> list[str]:
        bound = {n.id for n in self.nodes(ast.Name) if isinstance(n.ctx, ast.Store)}
        return sorted(bound | {argument.arg for argument in self.tree.args.args})

    def nodes(self, of: type[ast.AST]) -> list[Any]:
        return [node for node in ast.walk(self.tree) if isinstance(node, of)]

    def one_of(self, forms: str) -> str:
        """One of several texts, in which a and b are names of the function."""
        text = self.rng.choice(
            [form.strip() for form in forms.replace("\n", ";").split(";") if form.strip()]
        )
        names = {"a": self.rng.choice(self.names()), "b": self.rng.choice(self.names())}
        return ast.unparse(_Renamed(names).visit(ast.parse(text)))

    def wrapped(self, head: str, last: int = 3) -> None:
        """Some lines stand in a statement of their own."""
        block, first = self.place()
        lines = block[first : first + self.rng.randint(1, last)]
        *before, outer = ast.parse(head).body
        outer.body = [*getattr(outer, "body", [])[:-1], *lines]  # type: ignore[attr-defined]
        block[first : first + len(lines)] = [*before, outer]


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> Any:
        new = self.names.get(node.id, node.id)
        return ast.Name(new, node.ctx) if isinstance(new, str) else new


class _Replaced(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def lines_change_places(f: _Function) -> None:
    block, k = f.place()
    if k:
        block[k - 1], block[k] = block[k], block[k - 1]


def a_line_stands_twice(f: _Function) -> None:
    block, k = f.place()
    other, at = f.place()
    other.insert(at, copy.deepcopy(block[k]))


def in_a_loop(f: _Function) -> None:
    f.wrapped(f"for k_ in range({f.rng.choice([0, 1, 2, 2, 3])}):\n    pass")


def in_a_while(f: _Function) -> None:
    leave = f.rng.choice(["break", "continue"])
    exit_ = f"    if {f.one_of(TESTS)}:\n        {leave}\n" if f.rng.random() < 0.4 else ""
    trips = f.rng.choice([1, 2, 3])
    f.wrapped(f"n_ = 0\nwhile n_ < {trips}:\n    n_ += 1\n{exit_}    pass")


def in_a_branch(f: _Function) -> None:
    other = f"else:\n    {f.one_of(WRITES)}" if f.rng.random() < 0.4 else ""
    f.wrapped(f"if {f.one_of(TESTS)}:\n    pass\n{other}")


def in_a_try(f: _Function) -> None:
    end = f"finally:\n    {f.one_of(WRITES)}"
    heads = ["try:\n    pass\nfinally:\n    pass", "with np.errstate(all='ignore'):\n    pass"]
    heads += ["try:\n    pass\nexcept ValueError:\n    pass", f"try:\n    pass\n{end}"]
    f.wrapped(f.rng.choice(heads), 1)


def a_second_name(f: _Function) -> None:
    block, k = f.place()
    name = f.rng.choice(f.names())
    for node in f.nodes(ast.Name):
        if node.id == name and isinstance(node.ctx, ast.Load) and f.rng.random() < 0.4:
            node.id = "other_"
    block.insert(k, ast.parse(f"other_ = {name}").body[0])


def a_write(f: _Function) -> None:
    block, k = f.place()
    block.insert(k, ast.parse(f.one_of(WRITES)).body[0])


def a_value_in_between(f: _Function) -> None:
    lines = [*f.nodes(ast.Assign), *f.nodes(ast.AugAssign), *f.nodes(ast.Return)]
    values = (line.value for line in lines if line.value is not None)
    inside = [n for v in values for n in ast.walk(v)]
    read = (n for n in inside if isinstance(getattr(n, "ctx", ast.Load()), ast.Load))
    found = [n for n in read if isinstance(n, ast.BinOp | ast.Call | ast.Name | ast.Subscript)]
    if found:
        old = f.rng.choice(found)
        form = f.rng.choice([form for form in VALUES.replace("\n", ";").split(";") if form.strip()])
        new = ast.parse(form.strip(), mode="eval").body
        _Replaced(old, _Renamed({"e": copy.deepcopy(old)}).visit(new)).visit(f.tree)


def another_name(f: _Function) -> None:
    read = [n for n in f.nodes(ast.Name) if isinstance(n.ctx, ast.Load)]
    if read:
        f.rng.choice(read).id = f.rng.choice(f.names())


def another_operator(f: _Function) -> None:
    found = f.nodes(ast.BinOp)
    if found:
        f.rng.choice(found).op = f.rng.choice([ast.Add(), ast.Mult(), ast.Sub(), ast.Div()])


def by_a_function(f: _Function) -> None:
    block, k = f.place()
    line = block[k]
    if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
        value, name = ast.unparse(line.value), line.targets[0].id
        given = f"def inner_():\n    return {value}\n{name} = inner_()"
        bound = f"{name} = 0.0\ndef set_():\n    nonlocal {name}\n    {name} = {value}\nset_()"
        block[k : k + 1] = ast.parse(f.rng.choice([given, bound])).body


MUTATIONS: dict[Callable[[_Function], None], int] = {
    lines_change_places: 1, a_line_stands_twice: 1, in_a_loop: 1, in_a_while: 1, in_a_branch: 1, in_a_try: 1,
    a_second_name: 1, a_write: 3, a_value_in_between: 2, another_name: 2, another_operator: 1, by_a_function: 2,
}  # fmt: skip


# ------------------------------------------------------------------------------------------ mutants


@dataclass(frozen=True)
class Mutant:
    text: str
    function: Callable[..., Any]
    make_args: Callable[[], tuple[Any, ...]]
    wrt: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    kind: Kind
    message: str = ""


def mutant(program: Program, number: int) -> Mutant | None:
    """One of the mutants of a program, the same each time; None where it is no Python."""
    rng = random.Random(f"mutant {number} of {program.name}")
    case = rng.choice([k for k in range(len(program.cases)) if k not in program.refused])
    tree = ast.parse(textwrap.dedent(inspect.getsource(program.function)))
    (definition,) = tree.body
    if not isinstance(definition, ast.FunctionDef):
        return None
    definition.decorator_list = []
    changed = _Function(definition, rng)
    for mutation in rng.choices([*MUTATIONS], [*MUTATIONS.values()], k=rng.choice([1, 2, 2, 3, 4])):
        mutation(changed)
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    filename = f"<mutant {number} of {program.name}>"
    namespace = {**program.function.__globals__, "__name__": f"{program.name}_{number}"}
    try:
        exec(compile(text, filename, "exec", dont_inherit=True), namespace)
    except SyntaxError:
        return None
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    function: types.FunctionType = namespace[definition.name]
    args = program.cases[case]()
    wrt = tuple(
        p for p in program.wrt if _has_floats(args[p]) and _flat(args[p]).size <= MOST_NUMBERS
    )
    return Mutant(text, function, program.cases[case], wrt)


def check(mutant: Mutant, head: Any, seed: int) -> Outcome:
    """Value, pullback called twice, tangent and a second derivative; arguments stay as they are."""
    truth = _truth(mutant, head)
    if truth is None:
        return Outcome("left alone")
    rng = np.random.default_rng(seed)
    for way in (_backwards, _forwards, _twice):
        try:
            with np.errstate(all="ignore"):
                wrong = way(mutant, head, truth, rng)
        except NotDifferentiable as error:
            return Outcome("refused" if way is _backwards else "ok", str(error))
        except Exception as error:
            return Outcome("crash", f"{way.__name__}: {type(error).__name__}: {error}")
        if wrong:
            return Outcome("wrong", wrong)
    return Outcome("ok")


def _head(mutant: Mutant, seed: int) -> Any:
    """A head gradient; None where the program does not run, or gives no number, or another each time."""
    if not mutant.wrt or any(_is_narrow(a) for a in mutant.make_args()):
        return None
    try:
        with np.errstate(all="ignore"):
            value, again = (mutant.function(*mutant.make_args()) for _ in range(2))
    except Exception:
        return None
    if not (_has_floats(value) and _same(value, again)):
        return None
    numbers = _flat(value)
    if not np.all(np.isfinite(numbers)) or np.any(np.abs(numbers) > LARGEST):
        return None
    return random_head(value, seed=seed)


def _truth(mutant: Mutant, head: Any) -> dict[int, Any] | None:
    """Numeric gradients by position; None where those of two steps differ: at a kink, or where numbers are rounded."""
    truth = {}
    for position in mutant.wrt:
        try:
            rough, fine = (
                numeric_gradient(
                    mutant.function, mutant.make_args(), position, head, step=step, written=()
                )
                for step in (2e-3, 5e-4)
            )
        except Exception:  # a step away it may raise
            return None
        if not np.allclose(_flat(rough), _flat(fine), rtol=1e-5, atol=1e-6):
            return None
        truth[position] = fine
    return truth


def _backwards(mutant: Mutant, head: Any, truth: dict[int, Any], rng: np.random.Generator) -> str:
    args = mutant.make_args()
    value, pullback = vjp(mutant.function, *args)
    for gradients in (pullback(head), pullback(head)):
        for position, expected in truth.items():
            if not _close(gradients[position], expected):
                return f"gradient {position}: {gradients[position]}\nnot {expected}"
    if not _same(value, mutant.function(*mutant.make_args())):
        return f"value {value}"
    arrays = [k for k, a in enumerate(args) if _has_floats(a)]
    changed = [k for k in arrays if not _same(args[k], mutant.make_args()[k])]
    return f"arguments {changed} changed" if changed else ""


def _forwards(mutant: Mutant, head: Any, truth: dict[int, Any], rng: np.random.Generator) -> str:
    args = mutant.make_args()
    along = tuple(_random_like(a, rng) if k in truth else None for k, a in enumerate(args))
    value, tangent = jvp(mutant.function, args, along)
    if not _same(value, mutant.function(*mutant.make_args())):
        return f"value {value} of jvp"
    found = np.sum(_flat(tangent) * _flat(head))
    expected = sum(np.sum(_flat(truth[k]) * _flat(along[k])) for k in truth)
    near = np.allclose(found, expected, rtol=1e-4, atol=1e-4)
    return "" if near else f"tangent {found}\nnot {expected}"


def _twice(mutant: Mutant, head: Any, truth: dict[int, Any], rng: np.random.Generator) -> str:
    """Hessian times a vector against differences of the gradient."""
    first, *others = mutant.make_args()
    if (
        isinstance(head, tuple | list)
        or not isinstance(first, float | np.ndarray)
        or 0 not in truth
    ):
        return ""
    along = _random_like(first, rng)
    gradient = grad(mutant.function)

    def slope(step: float) -> np.ndarray:
        ends = (_flat(gradient(first + s * along, *others)) for s in (step, -step))
        plus, minus = ends
        return (plus - minus) / (2 * step)

    coarse, fine = slope(2e-4), slope(1e-4)
    if not np.allclose(coarse, fine, rtol=1e-4, atol=1e-5):
        return ""
    product = _flat(hvp(mutant.function)(first, along, *others))
    near = np.allclose(product, fine, rtol=1e-3, atol=1e-4)
    return "" if near else f"hvp {product}\nnot {fine}"


# ------------------------------------------------------------------------------------------- values


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | list):
        for part in value:
            yield from _leaves(part)
    elif isinstance(value, dict):
        yield from _leaves(list(value.values()))
    elif value is not None:
        yield value


def _flat(value: Any) -> np.ndarray:
    """All numbers of a value."""
    return np.concatenate([np.zeros(0), *(np.asarray(v, float).ravel() for v in _leaves(value))])


def _has_floats(value: Any) -> bool:
    """Whether a value is floats, arrays of them, tuples and lists of these."""
    if isinstance(value, tuple | list):
        return bool(value) and all(map(_has_floats, value))
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def _is_narrow(value: Any) -> bool:
    return any(getattr(leaf, "dtype", None) == np.float32 for leaf in _leaves(value))


def _same(a: Any, b: Any) -> bool:
    parts = [*_leaves(a)], [*_leaves(b)]
    return type(a) is type(b) and len(parts[0]) == len(parts[1]) and all(map(_equal, *parts))


def _equal(a: Any, b: Any) -> bool:
    return np.shape(a) == np.shape(b) and np.array_equal(a, b, equal_nan=True)


def _close(found: Any, expected: Any) -> bool:
    a, b = _flat(found), _flat(expected)
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-4, atol=1e-5)


def _random_like(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(_random_like(part, rng) for part in value)
    if isinstance(value, np.ndarray):
        return rng.standard_normal(value.shape)
    return type(value)(rng.standard_normal())


# ----------------------------------------------------------------------------------------- campaign


class _TooLong(BaseException):
    """No Exception: a mutant that catches those must not catch this one."""


@contextmanager
def _at_most(seconds: float, gigabytes: float) -> Iterator[None]:
    """Ends what takes longer, or more memory in addition: `for d in ds: ds += ds` would take all that there is."""

    def stop(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, stop)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    pages = Path("/proc/self/statm")
    if pages.exists():
        now = int(pages.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + int(gigabytes * 2**30), limits[1]))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, limits)


def outcome_of(program: Program, number: int) -> tuple[str, Outcome]:
    """Text and outcome of a mutant."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with _at_most(FIRST_SECONDS, GIGABYTES):
                found = mutant(program, number)
                head = None if found is None else _head(found, number)
            if found is not None and head is not None:
                with _at_most(SECONDS, GIGABYTES):
                    return found.text, check(found, head, number)
    except _TooLong:
        pass
    return "", Outcome("left alone")


def main(numbers: str, *families: str) -> int:
    first, last = map(int, numbers.split(":"))
    counts: collections.Counter[str] = collections.Counter()
    programs = [p for p in PROGRAMS.values() if not families or p.family in families]
    for number in range(first, last):
        for program in programs:
            text, outcome = outcome_of(program, number)
            counts[outcome.kind] += 1
            if outcome.kind in ("wrong", "crash"):
                print(f"===== {program.name} {number}: {outcome.kind}: {outcome.message}")
                print(text, flush=True)
        print(f"{number}: {dict(counts)}", file=sys.stderr, flush=True)
    return int(bool(counts["wrong"] or counts["crash"]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
