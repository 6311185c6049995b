"""Random small NumPy programs, and the check of their gradients against numeric differences.

`generate(seed)` writes a program as Python text, `load(program)` turns it into a function whose
source the library can find, `check(program)` says whether its gradient is right. The generator
keeps, for every name, its shape, the range of an integer, and the buffers an array may live on: so
every index is in range, every program runs, and stores through names that may stand for several
buffers (which the library refuses) are rare. Programs are about what gets lost most easily: values
that were used nonlinearly and are overwritten afterwards, by rebinding, by stores, through views,
in loops, in branches, by callees.
"""

from __future__ import annotations

import hashlib
import linecache
import random
import re
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any, Literal

import numpy as np

from tests.random_choices import Chosen
from tests.random_containers import CONSTANTS, LIST_HELPERS, Containers
from tests.random_numeric import Jacobian, copied, differences, numeric_jacobian, promoted
from tests.random_structures import Structures, definitions_used
from tests.random_values import Env, Shape, Var, number, positive, threshold
from tests.random_views import MovingViews

Kind = Literal["ok", "refused", "wrong", "crash", "skip"]

# How often the generator does what the library may well refuse.
RISKY = 0.004  # a store where names may share buffers; aliased arguments of a helper that writes
LONELY = 0.5  # a store through a name with several possible buffers that no other name shares
FLOAT32 = 0.08  # programs whose arguments are float32
FORTRAN = 0.04  # matrix arguments in Fortran order
IMPORTS = "import collections\nimport itertools\n\nimport numpy as np"
BOUND = 100.0  # results and arguments larger than this make the generator try again


# ----------------------------------------------------------------------------------------- programs


@dataclass(frozen=True)
class RandomProgram:
    seed: int
    text: str
    entry: str
    make_args: Callable[[], tuple[Any, ...]]
    features: frozenset[str] = frozenset()
    attempts: int = 1


@dataclass(frozen=True)
class Outcome:
    kind: Kind
    message: str = ""


def load(program: RandomProgram) -> Callable[..., Any]:
    """The program's entry function; its source is in linecache under a file name of its own."""
    digest = hashlib.sha1(program.text.encode()).hexdigest()[:12]
    filename = f"<random program {program.seed} {digest}>"
    lines = program.text.splitlines(keepends=True)
    linecache.cache[filename] = (len(program.text), None, lines, filename)
    namespace: dict[str, Any] = {"__name__": f"random_program_{program.seed}_{digest}"}
    exec(compile(program.text, filename, "exec", dont_inherit=True), namespace)
    function: Callable[..., Any] = namespace[program.entry]
    return function


def generate(seed: int) -> RandomProgram:
    for attempt in range(50):
        rng = random.Random(f"tangentish {seed} {attempt}")
        try:
            program = _Program(rng).build(seed, attempt + 1)
        except IndexError:  # its last array was bound to a number, and none is left to choose from
            continue
        try:
            if runs(program):
                return program
        # a name that is bound to arrays of two lengths, or to an array and a number, on two ways
        except (ValueError, IndexError, TypeError):
            continue
    raise AssertionError(f"no program for seed {seed} after 50 attempts")


def runs(program: RandomProgram) -> bool:
    """Whether the program runs in plain Python and stays bounded."""
    args = program.make_args()
    with np.errstate(all="ignore"):
        values = [load(program)(*args), *args]
    return all(
        bool(np.all(np.isfinite(v)) and np.all(np.abs(v) < BOUND)) for v in map(np.asarray, values)
    )


# ---------------------------------------------------------------------------------------- generator


@dataclass(frozen=True)
class Helper:
    name: str
    params: tuple[str, ...]  # "scalar", "array" (any), "same", "index", or a shape: "2", "2x3"
    returns: str  # "none", "scalar", "same", "view", or a shape as above
    writes: bool = False
    view: str = ""  # the index or method a view helper applies


@dataclass
class _Shared:
    """What all functions of a program share."""

    rng: random.Random
    features: set[str] = field(default_factory=set)
    helpers: list[Helper] = field(default_factory=list)
    buffers: int = 0
    serial: int = 0  # of names that occur once
    run_over: list[str] = field(default_factory=list)  # the lists that open loops run over
    list_helpers: bool = False
    structures: bool = False

    def buffer(self) -> frozenset[int]:
        self.buffers += 1
        return frozenset({self.buffers})


def _shape_text(shape: Shape) -> str:
    return "x".join(map(str, shape)) or "scalar"


def _operand_text(text: str) -> str:
    """The text in parentheses, unless it is a name, an indexed name or one call."""
    depth, simple = 0, not text.startswith("-")
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        simple = simple and (depth > 0 or letter.isalnum() or letter in "._)]")
    return text if simple else f"({text})"


class _Writer(Containers, Structures, MovingViews, Chosen):
    """Writes the body of one function, statement by statement."""

    def __init__(self, shared: _Shared, env: Env, returns: Shape | None, budget: int) -> None:
        self.shared = shared
        self.rng = shared.rng
        self.env = env
        self.returns = returns
        self.budget = budget
        self.lines: list[str] = []
        self.indent = 1
        self.branches = 0
        self.locked: list[set[str]] = []  # one set per open loop: arrays not to be rebound in it
        self.exits: list[list[Env]] = []  # one list per open loop: at break and continue
        self.continuable: list[bool] = []
        self.frozen: set[int] = set()  # buffers that this function must not write to
        self.early = self.rng.choice((0, 0, 0, 1, 1, 2))
        self.names = 0

    # ---- small tools

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def mark(self, *features: str) -> None:
        self.shared.features.update(features)
        if self.locked and "store" in features:
            self.shared.features.add("store in a loop")
        if self.branches and "store" in features:
            self.shared.features.add("store in a branch")

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    @property
    def nested(self) -> bool:
        return bool(self.locked) or self.branches > 0

    def arrays(self, ndim: int | None = None) -> list[Var]:
        return [
            v
            for v in self.env.values()
            if v.kind == "array" and (ndim is None or len(v.shape) == ndim)
        ]

    def scalars(self) -> list[Var]:
        return [v for v in self.env.values() if v.kind == "scalar"]

    def ints(self) -> list[Var]:
        return [v for v in self.env.values() if v.kind == "int"]

    def writable(self, var: Var) -> bool:
        if var.buffers & self.frozen:
            return False
        if self.chance(RISKY):
            return True
        others = [v for v in self.env.values() if v.name != var.name and v.buffers & var.buffers]
        if len(var.buffers) > 1:
            return not others and self.chance(LONELY)
        return all(len(v.buffers) == 1 for v in others)

    def writables(self) -> list[Var]:
        return [v for v in self.arrays() if self.writable(v)]

    def rebindable(self, var: Var) -> bool:
        return not any(var.name in names for names in self.locked)

    def new_name(self, kind: str, ndim: int = 0) -> str:
        pool = {
            "scalar": "s t u p q r acc g total".split(),
            "array1": "a b c x y z w h".split(),
            "array2": "A B C M W".split(),
            "int": "i j k l".split(),
        }[f"{kind}{ndim}" if kind == "array" else kind]
        if kind != "int" and self.chance(0.05):
            self.mark("colliding name")
            pool = ["dx", "da", "ds", "x_tape", "t1", "y_dot"]
        free = [n for n in pool if n not in self.env and n not in self.taken()]
        if free:
            return self.rng.choice(free)
        self.names += 1
        return f"{self.rng.choice(pool)}{self.names + 1}"

    def taken(self) -> set[str]:
        """Names bound anywhere in this function: a nested block must not change their kind."""
        if not self.nested:
            return set()
        return self.used_names

    used_names: set[str] = set()

    def define(self, var: Var) -> None:
        self.used_names = self.used_names | {var.name}
        self.env[var.name] = var

    def target(
        self,
        kind: Literal["scalar", "array"],
        shape: Shape,
        fresh_name: float,
        change_kinds: bool = True,
    ) -> str:
        """A name to bind: an existing one of this kind and shape where possible, else a new one."""
        old = [
            v.name
            for v in self.env.values()
            if v.kind == kind and v.shape == shape and self.rebindable(v)
        ]
        if old and not self.chance(fresh_name):
            self.mark("name overwritten")
            if self.locked:
                self.mark("name overwritten in a loop")
            if self.branches:
                self.mark("name overwritten in a branch")
            return self.rng.choice(old)
        if change_kinds and not self.nested and self.chance(0.06):
            other = [v.name for v in self.env.values() if v.kind in ("scalar", "array")]
            if len(other) > 3:
                self.mark("name changes kind")
                return self.rng.choice(other)
        return self.new_name(kind, len(shape))

    # ---- indices

    def index(self, length: int) -> str:
        choices = [str(self.rng.randrange(length)), str(self.rng.randrange(-length, 0))]
        for v in self.ints():
            if 0 <= v.low and v.high < length:
                choices += [v.name] * 4
            if -length <= v.low - 1 and v.high - 1 < length:
                choices += [f"{v.name} - 1"] * 2
            if v.low >= -1 and v.high + 1 < length:
                choices += [f"{v.name} + 1"] * 2
            if v.low >= 0:
                choices.append(f"({v.name} + {self.rng.randrange(1, 3)}) % {length}")
            if v.low >= 0 and v.high <= length - 1:
                choices.append(f"{length - 1} - {v.name}")
        text = self.rng.choice(choices)
        if not text.lstrip("-").isdigit():
            self.mark("variable index")
            if not text.isidentifier():
                self.mark("index arithmetic")
        return text

    def slice(self, length: int) -> tuple[str, int]:
        choices = [("1:", length - 1), (":-1", length - 1), (":", length), ("::-1", length)]
        choices += [("::2", (length + 1) // 2), (f":{length - 1}", length - 1)]
        if length > 2:
            choices += [("1:-1", length - 2), ("1:3", 2), (":2", 2), ("-2:", 2), ("2:", length - 2)]
        for v in self.ints():
            if v.low >= 0 and v.high + 2 <= length:
                choices.append((f"{v.name}:{v.name} + 2", 2))
        return self.rng.choice([c for c in choices if c[1] > 0])

    def part(self, var: Var) -> tuple[str, Shape]:
        """A basic index into an array: its text, and the shape that it selects."""
        if len(var.shape) == 1:
            if self.chance(0.5):
                return f"[{self.index(var.shape[0])}]", ()
            text, length = self.slice(var.shape[0])
            return f"[{text}]", (length,)
        rows, columns = var.shape
        form = self.rng.randrange(7)
        if form == 0:
            return f"[{self.index(rows)}]", (columns,)
        if form == 1:
            return f"[{self.index(rows)}, {self.index(columns)}]", ()
        if form == 2:
            return f"[:, {self.index(columns)}]", (rows,)
        if form == 3:
            text, length = self.slice(rows)
            return f"[{text}]", (length, columns)
        if form == 4:
            text, length = self.slice(rows)
            text2, length2 = self.slice(columns)
            return f"[{text}, {text2}]", (length, length2)
        if form == 5:
            text, length = self.slice(columns)
            return f"[{self.index(rows)}, {text}]", (length,)
        return f"[{self.index(rows)}][{self.index(columns)}]", ()

    # ---- expressions

    def leaf(self, shape: Shape) -> str:
        """A read of exactly this shape: a name, a part, a transpose."""
        choices: list[str] = []
        for v in self.env.values():
            if v.kind == "scalar" and shape == ():
                choices += [v.name] * 3
            elif v.kind == "array":
                if v.shape == shape:
                    choices += [v.name] * 5
                if len(shape) == 2 and v.shape == shape[::-1]:
                    choices.append(f"{v.name}.T")
                for _ in range(3 if v.shape != shape else 1):
                    text, selected = self.part(v)
                    if selected == shape:
                        choices += [v.name + text]
        choices += self.items(shape) * 2
        if shape != ():
            for v in self.env.values():
                if v.kind == "poly" and v.shape == shape and choices:
                    choices += [f"({v.name} + {self.rng.choice(choices)})"] * 4
        else:
            choices += [f"np.sum({v.name})" for v in self.env.values() if v.kind == "poly"] * 2
            if self.chance(0.03):
                choices += [v.name for v in self.ints()]
            if not choices or self.chance(0.04):
                choices = [number(self.rng)]
        if not choices:
            text = f"np.full({shape}, {number(self.rng)})" if self.chance(0.3) else ""
            return text or f"{self.leaf(())} * np.ones({shape if len(shape) > 1 else shape[0]})"
        text = self.rng.choice(choices)
        if text in self.env and self.env[text].kind == "array":
            self.mark("array read")
        return text

    def operand(self, shape: Shape, depth: int) -> str:
        """An expression that broadcasts to this shape."""
        if len(shape) == 2 and self.chance(0.25):
            if self.chance(0.4) and any(v.shape == shape[:1] for v in self.arrays(1)):
                self.mark("broadcasting")
                column = [v.name for v in self.arrays(1) if v.shape == shape[:1]]
                return f"{self.rng.choice(column)}[:, None]"
            self.mark("broadcasting")
            return self.atom(shape[1:], depth)
        if shape and self.chance(0.25):
            self.mark("broadcasting")
            return self.atom((), depth)
        return self.atom(shape, depth)

    def atom(self, shape: Shape, depth: int) -> str:
        """An expression that can stand as an operand of any operator."""
        if depth <= 0 or self.chance(0.45):
            text = self.leaf(shape)
            return _operand_text(text)
        return _operand_text(self.expr(shape, depth - 1))

    def condition(self) -> str:
        rng = self.rng
        choices = []
        if self.scalars():
            choices.append(f"{rng.choice(self.scalars()).name} > {threshold(rng)}")
            choices.append(f"{self.leaf(())} < {self.leaf(())} + {threshold(rng)}")
        if self.arrays():
            choices.append(f"np.sum({rng.choice(self.arrays()).name}) > {threshold(rng)}")
            var = rng.choice(self.arrays())
            spot = ", ".join(self.index(n) for n in var.shape)
            choices.append(f"{var.name}[{spot}] * {var.name}[{spot}] > {positive(rng)}")
        active = len(choices)
        for v in self.ints():
            choices += [f"{v.name} % 2 == 0", f"{v.name} > {rng.randrange(0, 3)}"]
            choices.append(f"{v.name} == {rng.randrange(0, 3)}")
        choices += [v.name for v in self.env.values() if v.kind == "flag"]
        place = rng.randrange(len(choices)) if choices else -1
        if place < 0:
            return "True"
        if self.chance(0.08) and active and len(choices) > active:
            self.mark("boolean operator")
            place = 0
            return f"{rng.choice(choices)} {rng.choice(('and', 'or'))} not {rng.choice(choices)}"
        self.mark("active test" if place < active else "inactive test")
        return choices[place]

    def expr(self, shape: Shape, depth: int = 2) -> str:
        """An expression of exactly this shape; where it is an array, a fresh one."""
        rng = self.rng
        options: list[Callable[[], str]] = [self.unary(shape, depth), self.binary(shape, depth)] * 3
        options.append(self.choice(shape, depth))
        options += self.products(shape, depth) * 2
        call = self.pure_call(shape)
        if call is not None:
            options += [call] * 2
        return rng.choice(options)()

    def unary(self, shape: Shape, depth: int) -> Callable[[], str]:
        def write() -> str:
            form = self.rng.randrange(10)
            if form == 0:
                self.mark("np.exp")
                return f"np.exp({number(self.rng)} * np.tanh({self.inner(shape, depth)}))"
            if form == 1:
                self.mark("np.sqrt")
                x = self.leaf(shape)
                return f"np.sqrt(1.0 + {x} * {x})"
            if form == 2:
                self.mark("power")
                c, x = number(self.rng), self.atom(shape, depth - 1)
                return f"{c} * {x} ** {self.rng.choice((2, 2, 3))}"
            if form == 3:
                return f"-{self.atom(shape, depth - 1)}"
            if form == 4:
                self.mark("reciprocal")
                x = self.leaf(shape)
                return f"1.0 / (1.5 + {x} * {x})"
            name = self.rng.choice(("np.sin", "np.cos", "np.tanh", "np.tanh", "np.sin"))
            self.mark(name)
            return f"{name}({self.inner(shape, depth)})"

        return write

    def inner(self, shape: Shape, depth: int) -> str:
        return self.leaf(shape) if depth <= 1 else self.expr(shape, depth - 1)

    def binary(self, shape: Shape, depth: int) -> Callable[[], str]:
        def write() -> str:
            x, y = self.atom(shape, depth - 1), self.operand(shape, depth - 1)
            form = self.rng.randrange(8)
            if form <= 2:
                self.mark("product")
                c = number(self.rng)
                return self.rng.choice((f"{c} * {x} * {y}", f"{x} * {y}", f"{y} * {x} * {c}"))
            if form == 3:
                self.mark("division")
                return f"{x} / (2.0 + {y} * {y})"
            if form == 4:
                return f"{x} - {positive(self.rng)} * {y}"
            if form == 5:
                return f"{positive(self.rng)} * ({y} + {x} * {x})"
            return self.rng.choice((f"{x} + {number(self.rng)} * {y}", f"0.5 * ({y} - {x})"))

        return write

    def choice(self, shape: Shape, depth: int) -> Callable[[], str]:
        def write() -> str:
            x, y = self.inner(shape, depth - 1), self.operand(shape, depth - 1)
            form = self.rng.randrange(3)
            if shape == () and form == 0:
                self.mark("ternary")
                return f"{self.atom((), 1)} if {self.condition()} else {self.atom((), 1)}"
            if form == 1:
                self.mark("np.where")
                test = f"{self.leaf(shape)} > {threshold(self.rng)}"
                return f"np.where({test}, {x}, {y})"
            self.mark("np.maximum")
            which = self.rng.choice(("np.maximum", "np.maximum", "np.minimum"))
            return f"{which}({x}, {threshold(self.rng)})"

        return write

    def products(self, shape: Shape, depth: int) -> list[Callable[[], str]]:
        """Reductions, matrix products, outer products that give this shape."""
        options: list[Callable[[], str]] = []
        rng = self.rng
        vectors, matrices = self.arrays(1), self.arrays(2)

        def add(feature: str, text: str) -> None:
            def write() -> str:
                self.mark(feature)
                return text

            options.append(write)

        if shape == ():
            for v in rng.sample(self.arrays(), min(2, len(self.arrays()))):
                x = self.inner(v.shape, depth - 1)
                add("np.sum", f"np.sum({x})")
                add("np.mean", f"np.mean({x})")
                if x in self.env:
                    add("method", f"{x}.sum()")
            if vectors:
                x = rng.choice(vectors).name
                y = self.atom(self.env[x].shape, depth - 1)
                add("dot", f"{x} @ {y}")
                add("dot", f"np.dot({x}, {y})")
        elif len(shape) == 1:
            for m in matrices:
                for v in vectors:
                    if m.shape == (*shape, *v.shape):
                        add("dot", f"{positive(rng)} * ({m.name} @ {v.name})")
                    if m.shape == (*v.shape, *shape):
                        add("dot", f"{v.name} @ {m.name}")
                        add("dot", f"0.5 * ({m.name}.T @ {v.name})")
                if m.shape[1:] == shape:
                    add("sum over an axis", f"np.sum({m.name} * {self.leaf(m.shape)}, axis=0)")
                if m.shape[:1] == shape:
                    add("sum over an axis", f"np.mean({self.inner(m.shape, depth - 1)}, axis=1)")
        else:
            for v in vectors:
                for w in vectors:
                    if v.shape + w.shape == shape:
                        add("np.outer", f"np.outer({v.name}, {w.name})")
            for m in matrices:
                for o in matrices:
                    if (m.shape[0], o.shape[1]) == shape and m.shape[1] == o.shape[0]:
                        add("dot", f"0.4 * ({m.name} @ {o.name})")
        return rng.sample(options, min(3, len(options)))

    def pure_call(self, shape: Shape) -> Callable[[], str] | None:
        """A call of a helper that writes to nothing and returns a value of this shape."""
        usable = [
            h
            for h in self.shared.helpers
            if not h.writes
            and (h.returns == "same" or h.returns == _shape_text(shape))
            and self.arguments(h, shape, dry=True) is not None
        ]
        if not usable:
            return None

        def write() -> str:
            helper = self.rng.choice(usable)
            args = self.arguments(helper, shape)
            self.mark("helper", "pure helper")
            if "index" in helper.params:
                self.mark("recursion")
            return f"{helper.name}({', '.join(args or [])})"

        return write

    def arguments(self, helper: Helper, shape: Shape, dry: bool = False) -> list[str] | None:
        """Argument texts for a call; None where nothing fits a parameter."""
        args: list[str] = []
        for param in helper.params:
            if param in ("same", "scalar"):
                args.append("" if dry else self.leaf(shape if param == "same" else ()))
            elif param == "index":
                args.append("" if dry else str(self.rng.randrange(0, 3)))
            else:
                fitting = [v for v in self.arrays() if param in ("array", _shape_text(v.shape))]
                if not fitting:
                    return None
                args.append("" if dry else self.rng.choice(fitting).name)
        return args

    # ---- statements

    def assign_scalar(self) -> None:
        expr = self.expr(())
        name = self.target("scalar", (), 0.35)
        self.emit(f"{name} = {expr}")
        self.define(Var(name, "scalar"))

    def some_shape(self) -> Shape:
        return self.rng.choice(self.arrays()).shape

    def assign_array(self) -> None:
        shape = self.some_shape()
        if len(shape) == 1 and self.chance(0.15) and self.arrays(2):
            shape = self.rng.choice(self.arrays(2)).shape
        expr = self.expr(shape)
        name = self.target("array", shape, 0.35)
        self.emit(f"{name} = {expr}")
        self.define(Var(name, "array", shape, self.shared.buffer()))

    def copy(self) -> None:
        var = self.rng.choice(self.arrays())
        text = self.rng.choice((f"{var.name}.copy()", f"np.copy({var.name})", f"0.7 * {var.name}"))
        name = self.target("array", var.shape, 0.7)
        self.mark("copy")
        self.emit(f"{name} = {text}")
        self.define(Var(name, "array", var.shape, self.shared.buffer(), contiguous=False))

    def create(self) -> Var:
        """An array of zeros or ones, to be written to afterwards."""
        like = self.rng.choice(self.arrays())
        size = str(like.shape[0] if len(like.shape) == 1 else like.shape)
        form = self.rng.choice(("zeros", "zeros", "like", "shape", "ones", "empty"))
        texts = {
            "zeros": f"np.zeros({size})",
            "ones": f"np.ones({size})",
            "like": f"np.zeros_like({like.name})",
            "shape": f"np.zeros({like.name}.shape)",
            "empty": f"np.full({size}, {number(self.rng)})",
        }
        self.mark("np.zeros_like" if form == "like" else "np.zeros")
        name = self.target("array", like.shape, 0.85)
        self.emit(f"{name} = {texts[form]}")
        var = Var(name, "array", like.shape, self.shared.buffer(), contiguous=form != "like")
        self.define(var)
        return var

    def create_and_store(self) -> None:
        var = self.create()
        for _ in range(self.rng.randrange(1, 3)):
            self.store_to(var)

    def store(self) -> None:
        writables = self.writables()
        if writables:
            self.store_to(self.rng.choice(writables))
        else:
            self.create_and_store()

    def store_to(self, var: Var) -> None:
        text, shape = self.part(var)
        self.mark("store", "int store" if shape == () else "slice store")
        if len(self.on(var)) > 1:
            self.mark("store with a view alive")
        if self.is_param(var):
            self.mark("parameter written to")
        if self.chance(0.4):
            self.mark("augmented store")
            op = self.rng.choice(("+=", "-=", "*=", "+=", "/="))
            value = self.expr(shape if self.chance(0.7) else (), 1)
            if op == "/=":
                value = f"2.0 + ({value}) ** 2"
            elif op != "*=":
                value = f"{number(self.rng)} * ({value})"
            self.emit(f"{var.name}{text} {op} {value}")
            return
        value = self.expr(shape if shape == () or self.chance(0.8) else ())
        if self.chance(0.12) and shape:
            value = self.leaf(shape)
        if self.chance(0.06):
            self.mark("inactive store")
            value = number(self.rng)
        self.emit(f"{var.name}{text} = {value}")

    def is_param(self, var: Var) -> bool:
        return bool(var.buffers & self.param_buffers)

    param_buffers: frozenset[int] = frozenset()

    def on(self, var: Var) -> list[Var]:
        """The names that share a buffer with var (itself included)."""
        return [v for v in self.arrays() if v.buffers & var.buffers]

    def augment_array(self) -> None:
        writables = [v for v in self.writables() if self.rebindable(v) or self.chance(0.9)]
        if not writables:
            return self.assign_array()
        var = self.rng.choice(writables)
        op = self.rng.choice(("+=", "-=", "*=", "*="))
        value = self.operand(var.shape, 2)
        if op != "*=":
            value = f"{number(self.rng)} * {value}"
        self.mark("augmented array", "store")
        if len(self.on(var)) > 1:
            self.mark("store with a view alive")
        if self.is_param(var):
            self.mark("parameter written to")
        self.emit(f"{var.name} {op} {value}")

    def augment_scalar(self) -> None:
        if not self.scalars():
            return self.assign_scalar()
        var = self.rng.choice(self.scalars())
        op = self.rng.choice(("+=", "-=", "*=", "*="))
        value = self.expr((), 1)
        if op != "*=":
            value = f"{number(self.rng)} * ({value})"
        self.mark("augmented scalar")
        self.emit(f"{var.name} {op} {value}")

    def vary(self) -> None:
        """Go on from a number, most often the one that a loop around has come to, in a short loop of its own."""
        scalars = [v for v in self.scalars() if self.rebindable(v)]
        if not scalars:
            return self.assign_scalar()
        items = [v for v in scalars if v.name.rstrip("0123456789") in ("v", "e")]
        name = self.rng.choice(items or scalars).name
        self.mark("number that a short loop goes on from")
        self.emit(f"for {self.new_name('int')} in range({self.rng.randrange(4)}):")
        self.emit(
            f"    {name} = {number(self.rng)} * {name} * {self.atom((), 1)} + {number(self.rng)}"
        )
        self.define(Var(name, "scalar"))

    def view(self) -> Var:
        """Bind a name to a view of an array, or a second name to the array itself."""
        rng = self.rng
        writables = self.writables() if self.chance(0.7) else []
        var = rng.choice(writables or self.arrays())
        shape, contiguous = var.shape, False
        form = rng.randrange(10)
        views = [h for h in self.shared.helpers if h.returns == "view"]
        wants = ("array",) if len(shape) == 1 else ("array", "matrix")
        fitting = [h for h in views if h.params[0] in wants and min(shape) > 1]
        if fitting and self.chance(0.7):
            helper = rng.choice(fitting)
            text, shape = self.view_call(helper, var)
            self.mark("helper", "helper that returns a view")
            contiguous = shape == var.shape and var.contiguous
        elif form <= 1:
            self.mark("second name")
            text, contiguous = var.name, var.contiguous
        elif len(shape) == 2 and form <= 3:
            self.mark("transpose")
            text, shape = f"{var.name}.T", shape[::-1]
        elif len(shape) == 2 and var.contiguous and form <= 7:
            self.mark("reshape")
            method = rng.choice(("reshape(-1)", "ravel()", "reshape(-1)"))
            text, shape, contiguous = f"{var.name}.{method}", (shape[0] * shape[1],), True
        else:
            index, shape = self.part(var)
            while shape == () or (len(shape) == 2 and self.chance(0.5)):
                index, shape = self.part(var)
            self.mark("row view" if len(var.shape) == 2 and len(shape) == 1 else "slice view")
            text = f"{var.name}{index}"
        self.mark("view")
        name = self.view_target(shape)
        self.emit(f"{name} = {text}")
        view = Var(name, "array", shape, var.buffers, contiguous=contiguous)
        self.define(view)
        return view

    def view_target(self, shape: Shape) -> str:
        """Mostly a new name; outside loops sometimes an old one (whose view then stays behind)."""
        if not self.nested and self.chance(0.2):
            return self.target("array", shape, 0.2)
        return self.new_name("array", len(shape))

    def view_call(self, helper: Helper, var: Var) -> tuple[str, Shape]:
        shapes = {
            "[1:]": (var.shape[0] - 1, *var.shape[1:]),
            "[:-1]": (var.shape[0] - 1, *var.shape[1:]),
            "[::-1]": var.shape,
            "": var.shape,
            ".T": var.shape[::-1],
            "[0]": var.shape[1:],
            "[:, 1]": var.shape[:1],
        }
        extra = ", 0" if len(helper.params) > 1 else ""
        return f"{helper.name}({var.name}{extra})", shapes[helper.view]

    def write_through(self) -> None:
        """Use the base, write through a view of it, read the base: or the other way round."""
        view = self.view()
        bases = [v for v in self.on(view) if v.name != view.name and self.writable(v)]
        if not bases or not self.writable(view):
            return
        base = self.rng.choice(bases)
        first, second = (view, base) if self.chance(0.6) else (base, view)
        if self.chance(0.6):
            self.use(first if self.chance(0.5) else second)
        self.mark("write through a view" if first is view else "write to the base of a view")
        if self.chance(0.7):
            self.store_to(first)
        else:
            self.emit(f"{first.name} *= {self.operand(first.shape, 1)}")
            self.mark("augmented array", "store")
        if self.chance(0.25):
            if self.rebindable(base) and (not self.locked):
                self.mark("base rebound after a view")
                self.emit(f"{base.name} = {self.expr(base.shape)}")
                self.define(Var(base.name, "array", base.shape, self.shared.buffer()))
        self.use(second)

    def use(self, var: Var) -> None:
        """A nonlinear use of a name that flows into a scalar."""
        other = self.leaf(var.shape)
        terms = (
            f"{var.name} * {var.name}",
            f"np.sin({var.name})",
            f"{var.name} * {other}",
            f"{var.name} ** 2",
        )
        text = self.rng.choice(terms)
        if var.shape:
            text = f"np.sum({text})"
        name = self.target("scalar", (), 0.3, change_kinds=False)
        if name in self.env and self.env[name].kind == "scalar" and name != var.name:
            if self.chance(0.3):
                self.emit(f"{name} += 0.3 * {text}")
            else:
                self.emit(f"{name} = {self.rng.choice((name, f'np.tanh({name})'))} + 0.5 * {text}")
        elif name == var.name:
            self.emit(f"{name} = 0.5 * {text}")
        else:
            self.emit(f"{name} = {text}")
        self.define(Var(name, "scalar"))

    def use_then_overwrite(self) -> None:
        """What has to be recorded: a nonlinear use, then an overwrite of what was used."""
        self.mark("used, then overwritten")
        if self.chance(0.35) and self.scalars():
            var = self.rng.choice(self.scalars())
            self.use(var)
            self.emit(f"{var.name} = {self.expr(())}")
            self.define(Var(var.name, "scalar"))
            return
        writables = self.writables()
        if not writables:
            return self.assign_array()
        var = self.rng.choice(writables)
        if self.chance(0.5):
            self.use(var)
        else:
            shape = var.shape
            name = self.new_name("array", len(shape))
            self.emit(
                f"{name} = {self.rng.choice((f'{var.name} * {var.name}', f'np.sin({var.name})'))}"
            )
            self.define(Var(name, "array", shape, self.shared.buffer()))
        how = self.rng.randrange(4)
        if how == 0 and self.rebindable(var):
            self.emit(f"{var.name} = {self.expr(var.shape)}")
            self.define(Var(var.name, "array", var.shape, self.shared.buffer()))
        elif how == 1 and self.writable(var):
            self.emit(f"{var.name} *= {self.operand(var.shape, 1)}")
            self.mark("augmented array", "store")
        elif how == 2 and any(h.writes for h in self.shared.helpers):
            self.call_writer()
        elif self.writable(var):
            self.store_to(var)

    def scalar_to_array(self) -> None:
        """y = 0.0 before a loop, an array after its first trip."""
        source = self.rng.choice(self.arrays())
        name = self.new_name("scalar")
        self.emit(f"{name} = {self.rng.choice(('0.0', '1.0', '0.5', '0'))}")
        second = self.new_name("scalar") + "_before" if self.chance(0.25) else ""
        if second:
            self.emit(f"{second} = {number(self.rng)}")
        counter, text, low, high, _ = self.range_()
        self.emit(f"for {counter} in {text}:")
        self.indent += 1
        saved = dict(self.env)
        self.define(Var(counter, "int", low=low, high=high))
        x = self.leaf(source.shape)
        forms = (
            f"{name} = {name} + {x} * {number(self.rng)}",
            f"{name} = 0.5 * {name} * {x} + {x}",
            f"{name} = np.tanh({name} + {x})",
            f"{name} += {x}",
        )
        form = self.rng.choice(forms)
        lines = [form]
        if second:
            kept = f"{name} * 0.5" if "+=" in form and not self.chance(0.1) else name
            lines.insert(self.rng.randrange(2), f"{second} = {kept}")
            self.mark("second name of what becomes an array")
        for line in lines:
            self.emit(line)
        if self.chance(0.3):
            writables = [v for v in self.writables() if v.name in saved]
            if writables:
                self.store_to(self.rng.choice(writables))
        self.indent -= 1
        self.env = saved
        self.mark("scalar becomes array", "for")
        self.define(Var(name, "poly", source.shape))
        if second:
            self.define(Var(second, "poly", source.shape))

    def range_(self) -> tuple[str, str, int, int, int]:
        """A loop variable, its range, its lowest and highest value, the least number of trips."""
        rng = self.rng
        counter = self.new_name("int")
        options: list[tuple[str, int, int, int]] = []
        for _ in range(2):
            n = rng.choice((0, 0, 1, 2, 2, 3, 3, 4))
            options.append((f"range({n})", 0, n - 1, n))
        options.append(("range(1, 4)", 1, 3, 3))
        options.append(("range(0, 4, 2)", 0, 2, 2))
        options.append(("range(2, -1, -1)", 0, 2, 3))
        if self.arrays():
            var = rng.choice(self.arrays())
            n = var.shape[0]
            options += [(f"range({var.name}.shape[0])", 0, n - 1, n)]
            options += [(f"range(1, len({var.name}))", 1, n - 1, n - 1)]
            options += [(f"range(len({var.name}) - 1, -1, -1)", 0, n - 1, n)]
        for v in self.ints():
            if v.low >= 0 and v.high <= 4:
                options += [(f"range({v.name})", 0, v.high - 1, v.low)] * 2
                options.append((f"range(1, {v.name} + 1)", 1, v.high, v.low))
                options.append((f"range({v.name} - 1, -1, -1)", 0, v.high - 1, v.low))
        text, low, high, trips = rng.choice(options)
        if text.count(",") == 2:
            self.mark("range with a step")
        if high < low:
            self.mark("zero-trip loop")
        return counter, text, low, max(low, high), trips

    def loop(self) -> None:
        if len(self.locked) >= 2:
            return self.store()
        before = dict(self.env)
        while_ = self.chance(0.25)
        elements = None if while_ or self.chance(0.5) else self.over_elements()
        bindings: list[Var] = []
        over = ""
        low = high = 0
        continuable = True
        if while_:
            counter = self.new_name("int")
            trips = self.rng.choice((0, 1, 2, 3, 3))
            head_first = self.chance(0.5)
            continuable = head_first
            self.emit(f"{counter} = 0")
            bound = str(trips)
            known = [v for v in self.ints() if v.low == v.high and 0 <= v.low <= 4]
            if known and self.chance(0.5):
                var = self.rng.choice(known)
                bound, trips = var.name, var.low
            test = f"{counter} < {bound}"
            if self.chance(0.2) and self.scalars():
                test += (
                    f" and {self.rng.choice(self.scalars()).name} < {self.rng.uniform(1, 3):.3f}"
                )
                known_trips = 0
            else:
                known_trips = trips
            self.mark("while")
            self.emit(f"while {test}:")
            low, high = (1, max(trips, 1)) if head_first else (0, max(trips - 1, 0))
        elif elements is not None:
            text, bindings, known_trips, over = elements
            self.mark("for")
            self.emit(text)
            counter = ""
        else:
            counter, text, low, high, known_trips = self.range_()
            self.mark("for")
            self.emit(f"for {counter} in {text}:")
        if self.locked:
            self.mark("nested loops")
        names = [v.name for v in self.arrays()]
        free = set(self.rng.sample(names, min(len(names), self.rng.choice((0, 1, 1, 2)))))
        free = {n for n in free if self.rebindable(self.env[n])}
        swap = self.swap_pair(free)
        for n in free:
            var = self.env[n]
            self.env[n] = replace(var, buffers=var.buffers | self.shared.buffer(), contiguous=False)
        if swap:
            both = self.env[swap[0]].buffers | self.env[swap[1]].buffers
            for n in swap:
                self.env[n] = replace(self.env[n], buffers=both, contiguous=False)
        entry = dict(self.env)
        self.locked.append(set(names) - free | set(swap or ()))
        self.exits.append([])
        self.continuable.append(continuable)
        if counter:
            self.define(Var(counter, "int", low=low, high=high))
        for var in bindings:
            self.define(var)
        self.shared.run_over.append(over)
        self.indent += 1
        if while_ and head_first:
            self.emit(f"{counter} += 1")
        start = len(self.lines)
        if over == CONSTANTS and self.chance(0.6):
            self.vary()
        handed_on = self.new_state(free) if self.chance(0.3) else None
        self.block(self.rng.randrange(1, 4))
        if handed_on:
            self.hand_on(*handed_on)
        if swap:
            self.mark("swap in a loop")
            self.emit(f"{swap[0]}, {swap[1]} = {swap[1]}, {swap[0]}")
        if while_ and not head_first:
            self.emit(f"{counter} += 1")
        elif len(self.lines) == start:
            self.emit("pass")
        self.indent -= 1
        self.locked.pop()
        self.shared.run_over.pop()
        self.continuable.pop()
        after = self.env
        for other in self.exits.pop():
            after = self.join(after, other)
        after.pop(counter, None)
        # a name that is new in the body lives on where the loop surely ran; a view mostly does not
        born = {
            n: v
            for n, v in after.items()
            if n not in before and known_trips > 0 and v.kind == "scalar"
        }
        merged = self.join(entry, after)
        self.env = {n: merged[n] for n in before if n in merged} | born
        for n, v in before.items():  # nothing was rebound: the name still stands for the one buffer
            if v.kind == "array" and n in self.env and n not in (swap or ()):
                if after[n].buffers == entry[n].buffers:
                    self.env[n] = v
        if born:
            self.mark("name born in a loop, used after it")
        if self.chance(0.15):
            self.mark("loop else")
            self.emit("else:")
            self.indent += 1
            self.otherwise()
            self.indent -= 1
        if counter and (while_ or known_trips > 0):
            low, high = (0, max(trips, 0)) if while_ else (low, high)
            self.define(Var(counter, "int", low=low, high=high))
            if self.chance(0.35):
                self.use_counter(counter)
        if while_ is False and known_trips == 0:
            self.mark("loop that may not run")

    def otherwise(self) -> None:
        """The else of a loop, which may leave the function or the loop around it."""
        scalars = self.scalars()
        if scalars:
            name = self.rng.choice(scalars).name
            self.emit(f"{name} = {name} * {self.expr((), 1)}")
        else:
            self.emit("pass")
        if self.chance(0.4):
            return
        guarded = self.chance(0.5)
        if guarded:
            self.emit(f"if {self.condition()}:")
        self.indent += guarded
        if self.leave():
            self.mark("exit in the else of a loop")
        elif guarded:
            self.emit("pass")
        self.indent -= guarded

    def use_counter(self, counter: str) -> None:
        var = self.env[counter]
        arrays = [v for v in self.arrays(1) if 0 <= var.low and var.high < v.shape[0]]
        if not arrays:
            return
        self.mark("loop variable after the loop")
        name = self.target("scalar", (), 0.3)
        array = self.rng.choice(arrays).name
        self.emit(f"{name} = 0.7 * {array}[{counter}] * {self.atom((), 1)}")
        self.define(Var(name, "scalar"))

    def new_state(self, free: set[str]) -> tuple[str, str] | None:
        """An array that a trip makes from a free one, and that takes its place at the end: the two names."""
        states = [self.env[n] for n in sorted(free) if self.env[n].kind == "array"]
        if not states:
            return None
        state = self.rng.choice(states)
        shape = state.shape
        texts = (
            f"np.zeros_like({state.name})",
            f"{state.name}.copy()",
            self.expr(shape, 1) + " * 0.9",
        )
        name = self.new_name("array", len(shape))
        self.emit(f"{name} = {self.rng.choice(texts)}")
        self.define(Var(name, "array", shape, self.shared.buffer(), contiguous=False))
        for _ in range(self.rng.randrange(3)):
            self.store_to(self.env[name])
        return name, state.name

    def hand_on(self, name: str, state: str) -> None:
        """The last stores to what a trip has made, and its new name."""
        if name not in self.env or self.env[name].shape != self.env[state].shape:
            return
        self.mark("handed on to the next trip")
        for _ in range(self.rng.randrange(3)):
            self.store_to(self.env[name])
        self.emit(f"{state} = {name}")
        self.env[state] = replace(self.env[state], buffers=self.env[name].buffers, contiguous=False)

    def swap_pair(self, free: set[str]) -> tuple[str, str] | None:
        """Two arrays of one shape, alone on their buffers, to be swapped after each trip."""
        if not self.chance(0.2):
            return None
        pairs = [
            (a.name, b.name)
            for a in self.arrays()
            for b in self.arrays()
            if a.name < b.name
            and a.shape == b.shape
            and not {a.name, b.name} & free
            and self.rebindable(a)
            and self.rebindable(b)
            and len(self.on(a)) == len(self.on(b)) == 1
        ]
        return self.rng.choice(pairs) if pairs else None

    def join(self, one: Env, two: Env) -> Env:
        """What is known where two paths meet."""
        out: Env = {}
        for name, a in one.items():
            b = two.get(name)
            if b is None or (a.kind, a.shape) != (b.kind, b.shape):
                continue
            out[name] = replace(
                a,
                buffers=a.buffers | b.buffers,
                low=min(a.low, b.low),
                high=max(a.high, b.high),
                contiguous=a.contiguous and b.contiguous,
            )
        return out

    def branch(self) -> None:
        if self.branches >= 2:
            return self.store()
        arms = self.rng.choice((1, 1, 2, 2, 2, 3, 3) if not self.locked else (1, 1, 1, 2, 2, 3))
        start = dict(self.env)
        ends: list[Env] = []
        self.mark("if")
        for arm in range(arms):
            self.env = dict(start)
            if arm == 0:
                self.emit(f"if {self.condition()}:")
            elif arm == 1 and arms == 3:
                self.mark("elif")
                self.emit(f"elif {self.condition()}:")
            else:
                self.mark("else")
                self.emit("else:")
            self.indent += 1
            self.branches += 1
            before = len(self.lines)
            self.block(self.rng.randrange(1, 3))
            leaves = self.leave() if arms == 1 or arm < arms - 1 else False
            if len(self.lines) == before:
                self.emit("pass")
            self.branches -= 1
            self.indent -= 1
            if not leaves:
                ends.append(self.env)
        if arms == 1:
            ends.append(start)
        joined = ends[0]
        for end in ends[1:]:
            joined = self.join(joined, end)
        self.env = joined
        if any(n not in start for n in joined):
            self.mark("name born in both branches")

    def leave(self) -> bool:
        """Perhaps end this arm with return, break or continue."""
        if self.early > 0 and self.chance(0.6):
            self.early -= 1
            self.mark("early return", "early return in a loop" if self.locked else "early return")
            self.emit(self.return_text())
            return True
        if self.locked and self.chance(0.5):
            if self.chance(0.4) or not self.continuable[-1]:
                self.mark("break")
                self.emit("break")
            else:
                self.mark("continue")
                self.emit("continue")
            self.exits[-1].append(dict(self.env))
            return True
        return False

    def guard(self) -> None:
        """if ...: return ..."""
        if self.early <= 0:
            return self.use_then_overwrite()
        self.early -= 1
        self.mark("early return", "early return in a loop" if self.locked else "early return")
        self.mark("if")
        self.emit(f"if {self.condition()}:")
        self.indent += 1
        self.emit(self.return_text())
        self.indent -= 1

    def return_text(self) -> str:
        if self.returns is None:
            return "return"
        return f"return {self.expr(self.returns)}"

    def ternary(self) -> None:
        self.mark("ternary")
        shape = () if self.chance(0.6) else self.some_shape()
        texts = self.expr(shape, 1), self.condition(), self.expr(shape, 1)
        name = self.target("array" if shape else "scalar", shape, 0.3)
        self.emit(f"{name} = {texts[0]} if {texts[1]} else {texts[2]}")
        buffers = self.shared.buffer() if shape else frozenset()
        self.define(Var(name, "array" if shape else "scalar", shape, buffers))

    def tuples(self) -> None:
        scalars = self.scalars()
        arrays = [v for v in self.arrays() if self.rebindable(v)]
        pairs = [(a, b) for a in arrays for b in arrays if a.name < b.name and a.shape == b.shape]
        if pairs and not self.nested and self.chance(0.5):
            a, b = self.rng.choice(pairs)
            self.mark("swap")
            self.emit(f"{a.name}, {b.name} = {b.name}, {a.name}")
            self.define(replace(b, name=a.name))
            self.define(replace(a, name=b.name))
        elif len(scalars) >= 2:
            s, t = self.rng.sample(scalars, 2)
            self.mark("tuple assignment")
            if self.chance(0.4):
                self.mark("swap")
                self.emit(f"{s.name}, {t.name} = {t.name}, {s.name}")
            else:
                texts = f"{t.name} * {self.leaf(())}", f"np.sin({s.name}) + {self.leaf(())}"
                self.emit(f"{s.name}, {t.name} = {texts[0]}, {texts[1]}")
        else:
            first, second = self.expr(()), self.expr((), 1)
            names = self.new_name("scalar"), ""
            self.mark("tuple assignment")
            self.emit(f"{names[0]}, {names[0]}_2 = {first}, {second}")
            self.define(Var(names[0], "scalar"))
            self.define(Var(f"{names[0]}_2", "scalar"))

    def inactive(self) -> None:
        """t = 1.0: ends the life of an active value."""
        if self.scalars():
            var = self.rng.choice(self.scalars())
            if self.chance(0.5):
                self.use(var)
            self.mark("inactive rebinding")
            self.emit(f"{var.name} = {self.rng.choice(('1.0', '0.5', '0.0', '-0.3'))}")
            self.define(Var(var.name, "scalar"))
        else:
            self.assign_scalar()

    def integer(self) -> None:
        known = [v for v in self.ints() if v.low >= 0]
        if not known:
            name = self.new_name("int")
            value = self.rng.randrange(3)
            self.emit(f"{name} = {value}")
            self.define(Var(name, "int", low=value, high=value))
            return
        var = self.rng.choice(known)
        name = self.new_name("int")
        self.mark("integer arithmetic")
        if self.chance(0.5):
            self.emit(f"{name} = {var.name} + 1")
            self.define(Var(name, "int", low=var.low + 1, high=var.high + 1))
        else:
            self.emit(f"{name} = ({var.name} * 2 + 1) % 3")
            self.define(Var(name, "int", low=0, high=2))

    def dead(self) -> None:
        self.mark("dead code")
        if self.chance(0.5):
            self.emit(f"unused = {self.expr(() if self.chance(0.5) else self.some_shape())}")
        else:
            var = self.rng.choice(self.arrays())
            self.emit(f"unused = {var.name}.copy()")
            self.emit(f"unused[0] = {self.expr((), 1)}")

    def recurrence(self) -> None:
        """The loop over elements that every numeric code has: y[i] from y[i - 1]."""
        vectors = [v for v in self.arrays(1) if self.writable(v)]
        if not vectors or len(self.locked) >= 2 or self.chance(0.4):
            var = self.create()
        else:
            var = self.rng.choice(vectors)
        n = var.shape[0]
        counter = self.new_name("int")
        form, low, high = self.rng.choice(
            (
                (f"range(1, {n})", 1, n - 1),
                (f"range({n - 2}, -1, -1)", 0, n - 2),
                (f"range({n})", 0, n - 1),
                (f"range({var.name}.shape[0] - 1)", 0, n - 2),
            )
        )
        self.emit(f"for {counter} in {form}:")
        saved = dict(self.env)
        self.define(Var(counter, "int", low=low, high=high))
        self.indent += 1
        self.locked.append({v.name for v in self.arrays()})
        shape = var.shape[1:]
        other = f"{var.name}[{counter} - 1]" if low else f"{var.name}[({counter} + 1) % {n}]"
        value = self.rng.choice(
            (
                f"np.tanh({other} * {self.leaf(shape)} + {var.name}[{counter}])",
                f"0.5 * {other} * {other} + {self.atom(shape, 1)}",
                f"np.sin({other} + {self.atom(shape, 1)})",
            )
        )
        if self.chance(0.4):
            name = self.new_name("scalar")
            self.emit(f"{name} = {self.expr((), 1)}")
            value = f"{value} * {name}"
        op = self.rng.choice(("=", "=", "=", "+=", "*="))
        self.emit(f"{var.name}[{counter}] {op} {value}")
        self.locked.pop()
        self.indent -= 1
        self.env = saved
        self.mark("for", "store", "store in a loop", "recurrence", "variable index")

    def call_writer(self) -> None:
        """Call a helper that writes to an array: as a statement, or for its value."""
        helpers = [h for h in self.shared.helpers if h.writes]
        if not helpers:
            return self.store()
        helper = self.rng.choice(helpers)
        want = helper.params[0]
        fitting = [
            v
            for v in self.writables()
            if (want == "array" and v.shape[0] > 1) or want == _shape_text(v.shape)
        ]
        if not fitting:
            return self.store()
        var = self.rng.choice(fitting)
        text = var.name
        if self.chance(0.35):
            index, shape = self.part(var)
            if shape and shape[0] > 1 and want == "array":
                self.mark("helper writes to a view")
                text = f"{var.name}{index}"
        args = [text]
        for param in helper.params[1:]:
            if param == "scalar":
                args.append(self.atom((), 1))
            elif param == "index":
                args.append(str(self.rng.randrange(0, 2)))
            else:
                others = [
                    v.name
                    for v in self.arrays()
                    if param == _shape_text(v.shape)
                    and (not v.buffers & var.buffers or self.chance(RISKY))
                ]
                if not others:
                    return self.store()
                args.append(self.rng.choice(others))
        call = f"{helper.name}({', '.join(args)})"
        self.mark("helper", "helper that writes")
        if "index" in helper.params:
            self.mark("recursion")
        if self.locked:
            self.mark("helper that writes, in a loop")
        if helper.returns == "none":
            self.mark("helper that writes and returns nothing")
            self.emit(call)
            return
        self.mark("helper that writes and returns a value")
        shape = () if helper.returns == "scalar" else tuple(map(int, helper.returns.split("x")))
        name = self.target("array" if shape else "scalar", shape, 0.4)
        left = f"{self.leaf(())} * " if self.chance(0.4) else ""
        self.emit(f"{name} = {left}{call}")
        fresh = self.shared.buffer() if shape else frozenset()
        self.define(Var(name, "array" if shape else "scalar", shape, fresh))

    STATEMENTS: tuple[tuple[str, int], ...] = (
        ("assign_scalar", 8),
        ("assign_array", 10),
        ("copy", 4),
        ("create_and_store", 5),
        ("store", 14),
        ("augment_array", 7),
        ("augment_scalar", 4),
        ("vary", 4),
        ("view", 6),
        ("write_through", 9),
        ("use_then_overwrite", 14),
        ("scalar_to_array", 3),
        ("loop", 12),
        ("recurrence", 5),
        ("branch", 11),
        ("guard", 5),
        ("ternary", 3),
        ("tuples", 4),
        ("chosen", 6),
        ("inactive", 3),
        ("integer", 2),
        ("dead", 2),
        ("call_writer", 11),
        ("make_list", 6),
        ("change_list", 9),
        ("use_list", 6),
        ("make_function", 3),
        ("call_some_function", 3),
        ("masks", 4),
        ("attempt", 3),
        ("managed", 1),
        ("tuple_used", 3),
        ("moving_view", 4),
        ("objects", 9),
        ("records", 4),
        ("tables", 3),
        ("pairs", 3),
        ("keeps", 3),
    )
    NAMES = [name for name, _ in STATEMENTS]
    WEIGHTS = [weight for _, weight in STATEMENTS]

    def block(self, count: int) -> None:
        for _ in range(count):
            if self.budget <= 0:
                return
            lines = len(self.lines)
            getattr(self, self.rng.choices(self.NAMES, self.WEIGHTS)[0])()
            self.budget -= max(1, len(self.lines) - lines)

    def finish(self) -> None:
        """Return a combination of many live names, so that an error in any of them shows."""
        assert self.returns is not None
        live = [v for v in self.env.values() if v.kind in ("scalar", "array", "poly")]
        for v in self.lists():
            self.sum_up(f"sum(np.sum(v * v) for v in {v.name})")
        self.sum_up_structures()
        self.rng.shuffle(live)
        terms: list[str] = []
        for v in live[:6]:
            x = v.name
            if v.kind == "scalar":
                forms = [x, f"np.sin({x})", f"{x} * {x}"]
                terms.append(f"{number(self.rng)} * {self.rng.choice(forms)}")
            elif v.shape == self.returns and self.returns and v.kind == "array":
                forms = [x, f"np.tanh({x})", f"{x} * {x}"]
                terms.append(f"{number(self.rng)} * {self.rng.choice(forms)}")
            else:
                forms = [f"np.sum({x} * {x})", f"np.sum(np.sin({x}))", f"np.sum({x})"]
                terms.append(f"{number(self.rng)} * {self.rng.choice(forms)}")
        if self.returns:
            self.mark("array returned")
            whole = [v for v in self.arrays() if v.shape == self.returns]
            if whole and self.chance(0.08):
                self.mark("name returned")
                self.emit(f"return {self.rng.choice(whole).name}")
                return
            terms.append(self.expr(self.returns))
        else:
            self.mark("scalar returned")
        self.emit(f"return {' + '.join(terms)}")


class _Program:
    """Writes a program: helpers, the entry function, its arguments."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.shared = _Shared(rng)
        self.n = rng.randrange(2, 5)
        self.m = rng.choice((2, 3, self.n))
        self.parts: list[str] = []

    def build(self, seed: int, attempt: int) -> RandomProgram:
        rng, shared = self.rng, self.shared
        if rng.random() < 0.7:
            for _ in range(rng.choice((1, 1, 2, 3))):
                self.helper(len(shared.helpers))
        if rng.random() < 0.4:
            shared.list_helpers = True
            text = LIST_HELPERS.strip().replace("C", number(rng)).replace("D", positive(rng))
            self.parts.append(text)
        shared.structures = rng.random() < 0.4
        constants = number(rng), positive(rng)
        params: list[tuple[str, str, Shape, int]] = []  # name, kind, shape, value of an int
        names1, names2, names0 = list("xyvwb"), list("AWM"), list("sptr")
        for _ in range(rng.choice((1, 1, 2, 2))):
            params.append((names1.pop(0), "array", (self.n,), 0))
        if rng.random() < 0.65:
            params.append((names2.pop(0), "array", (self.m, self.n), 0))
            if rng.random() < 0.3:
                params.append((names1.pop(0), "array", (self.m,), 0))
        for _ in range(rng.choice((0, 1, 1, 2))):
            params.append((names0.pop(0), "scalar", (), 0))
        if rng.random() < 0.45:
            params.append(("n", "int", (), rng.choice((0, 1, 2, 2, 3, 3))))
        if rng.random() < 0.25:
            params.append(("flag", "flag", (), rng.randrange(2)))
        if rng.random() < 0.3:
            rng.shuffle(params)
        returns: Shape = rng.choice(((), (), (), (self.n,), (self.n,), (self.m, self.n)))
        env: Env = {}
        for name, kind, shape, value in params:
            if kind == "array":
                env[name] = Var(name, "array", shape, shared.buffer())
            elif kind == "scalar":
                env[name] = Var(name, "scalar")
            elif kind == "int":
                env[name] = Var(name, "int", low=value, high=value)
            else:
                env[name] = Var(name, "flag")
        single = rng.random() < FLOAT32
        fortran = rng.random() < FORTRAN
        if single:
            shared.features.add("float32")
        if fortran:
            env = {k: replace(v, contiguous=len(v.shape) < 2) for k, v in env.items()}
        writer = _Writer(shared, env, returns, rng.randrange(5, 21))
        writer.used_names = set(env)
        writer.param_buffers = frozenset().union(*(v.buffers for v in env.values()))
        while writer.budget > 0:
            writer.block(1)
        writer.finish()
        head = f"def f({', '.join(name for name, *_ in params)}):"
        body = "\n".join([head, *writer.lines])
        used = definitions_used("\n".join([*self.parts, body]), *constants)
        text = "\n\n\n".join([IMPORTS, *used, *self.parts, body])
        data = rng.randrange(2**32)
        specs = [(kind, shape, value) for _, kind, shape, value in params]

        def make_args() -> tuple[Any, ...]:
            return _arguments(specs, data, single, fortran)

        features = frozenset(f for f in shared.features if _stands_in(text, f))
        return RandomProgram(seed, text + "\n", "f", make_args, features, attempt)

    def helper(self, place: int) -> None:
        rng = self.rng
        name = ("helper", "step", "twist")[place]
        kinds = ("pure", "pure body", "writer", "writer", "writer body", "valued writer", "view")
        kind = rng.choice((*kinds, "view", "recursive", "recursive writer"))
        c, d, e = number(rng), number(rng), threshold(rng)
        lines: list[str]
        if kind == "pure":
            lines = ["def NAME(p, q):", f"    t = {c} * p * q"]
            lines += rng.choice(
                (
                    ["    t = np.sin(t) + p"],
                    [f"    if np.sum(p) > {e}:", f"        return {d} * np.tanh(p) * t"],
                    [f"    for k in range({rng.randrange(3)}):", "        t = np.sin(t) * p"],
                    ["    p = p * t", "    t = t * t + p"],
                    ["    t = t * t", f"    q = {d}"],
                )
            )
            lines.append(
                rng.choice(("    return t * q", "    return np.tanh(t + q)", "    return -t"))
            )
            made = Helper(name, ("same", "same"), "same")
        elif kind in ("pure body", "writer body"):
            self.body_helper(name, kind == "writer body")
            return
        elif kind in ("writer", "valued writer"):
            body = rng.sample(
                [
                    f"    p[0] = {c} * p[0] * p[1] + s * p[0]",
                    f"    p[1:] = np.sin(p[:-1]) * {d} + {c} * p[1:]",
                    "    p *= s",
                    f"    p[-1] += {d} * s * np.sum(p)",
                    f"    for k in range({rng.randrange(3)}):\n        p[k] = p[k - 1] * p[k]",
                    f"    if s > {e}:\n        p[0] = s * s * p[1]",
                    "    row = p[1:]\n    row *= s * row",
                    f"    s = s * s\n    p[:-1] = p[:-1] * (s + {c})",
                ],
                rng.choice((1, 2, 3)),
            )
            lines = ["def NAME(p, s):", *body]
            if kind == "valued writer":
                at = rng.randrange(1, len(lines) + 1)
                lines.insert(at, f"    total = np.sum(p * p) * {d}")
                lines.append(rng.choice(("    return total * s", "    return total")))
            made = Helper(
                name, ("array", "scalar"), "none" if kind == "writer" else "scalar", writes=True
            )
        elif kind == "view":
            view = rng.choice(("[1:]", "[:-1]", "[::-1]", "", "[0]", "[:, 1]", ".T"))
            want = "matrix" if view in ("[0]", "[:, 1]", ".T") else "array"
            if rng.random() < 0.3:
                lines = ["def NAME(p):", f"    part = p{view}", "    return part"]
            else:
                lines = ["def NAME(p):", f"    return p{view}"]
            made = Helper(name, (want,), "view", view=view)
        elif kind == "recursive":
            lines = ["def NAME(p, k):", "    if k <= 0:", f"        return {c} * p"]
            lines += rng.choice(
                (
                    ["    return np.tanh(NAME(p * p, k - 1) + p)"],
                    ["    p = np.sin(p) * p", "    return NAME(p, k - 1) * p"],
                    ["    t = NAME(p, k - 1)", "    return np.sin(t * p)"],
                )
            )
            made = Helper(name, ("same", "index"), "same")
        else:
            lines = ["def NAME(p, k):", "    if k >= 0:"]
            lines.append(f"        p[k] = {c} * p[k] * p[k] + {d} * p[k - 1]")
            lines.append("        NAME(p, k - 1)")
            made = Helper(name, ("array", "index"), "none", writes=True)
        self.parts.append("\n".join(lines).replace("NAME", name))
        self.shared.helpers.append(made)

    def body_helper(self, name: str, writes: bool) -> None:
        """A helper whose body is random statements on a vector and a scalar."""
        rng, shared = self.rng, self.shared
        shape = (self.n,) if rng.random() < 0.75 else (self.m, self.n)
        letter = "x" if len(shape) == 1 else "A"
        env: Env = {
            letter: Var(letter, "array", shape, shared.buffer()),
            "s": Var("s", "scalar"),
        }
        params = [_shape_text(shape), "scalar"]
        if rng.random() < 0.3:
            env["y"] = Var("y", "array", (self.n,), shared.buffer())
            params.append(str(self.n))
        returns: Shape | None = rng.choice(((), shape))
        if writes and rng.random() < 0.5:
            returns = None
        writer = _Writer(shared, dict(env), returns, rng.randrange(2, 6))
        writer.used_names = set(env)
        writer.frozen = set().union(
            *(v.buffers for k, v in env.items() if k != letter or not writes)
        )
        if writes:
            writer.param_buffers = env[letter].buffers
            writer.store_to(env[letter])
        while writer.budget > 0:
            writer.block(1)
        if returns is not None:
            writer.emit(f"return {writer.expr(returns)}")
        self.parts.append("\n".join([f"def {name}({', '.join(env)}):", *writer.lines]))
        text = "none" if returns is None else _shape_text(returns)
        shared.helpers.append(Helper(name, tuple(params), text, writes=writes))


# Expressions may be written and then not chosen: what marks them must stand in the text.
_SIGNS = {
    "power": r"\*\* [23]",
    "reciprocal": r"1\.0 / \(1\.5",
    "division": r"\) / \(2\.0|[\w\]] / \(2\.0",
    "dot": r" @ |np\.dot",
    "method": r"\.sum\(\)",
    "sum over an axis": r"axis=",
    "ternary": r" if .* else ",
    "variable index": r"\[[^\]]*\b(n|[ijkl]\d*)\b",
    "index arithmetic": r"\[[^\]]*\b(n|[ijkl]\d*)\b\)? [-+%]|\[[^\]]*\d - (n|[ijkl]\d*)\b",
    "helper": r"def f\((.|\n)*\b(helper|step|twist)\(",
}
_CALLS = ("pure helper", "helper that writes", "helper that returns a view", "recursion")


def _stands_in(text: str, feature: str) -> bool:
    if feature in _CALLS:
        feature = "helper"
    pattern = _SIGNS.get(feature, re.escape(feature) if feature.startswith("np.") else "")
    return re.search(pattern, text) is not None


def _arguments(
    specs: list[tuple[str, Shape, int]], data: int, single: bool, fortran: bool
) -> tuple[Any, ...]:
    rng = random.Random(data)
    args: list[Any] = []
    for kind, shape, value in specs:
        if kind == "array":
            flat = [rng.uniform(-1.2, 1.2) for _ in range(int(np.prod(shape)))]
            array = np.array(flat, dtype=np.float32 if single else np.float64).reshape(shape)
            args.append(np.asfortranarray(array) if fortran else array)
        elif kind == "scalar":
            args.append(rng.uniform(-1.2, 1.2))
        elif kind == "int":
            args.append(value)
        else:
            args.append(bool(value))
    return tuple(args)


# -------------------------------------------------------------------------------------------- check


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError after so many seconds of computing (in a main thread; elsewhere there is no limit)."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        yield
        return

    def expired(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"no result after {seconds} s")

    previous = signal.signal(
        signal.SIGPROF, expired
    )  # of its own time: others may keep the machine busy
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def check(program: RandomProgram, limit: float = 20.0) -> Outcome:
    """Whether the library differentiates the program rightly, see the kinds of Outcome."""
    import tangentish
    from tangentish import NotDifferentiable, grad, vjp

    jvp = getattr(tangentish, "jvp", None)  # the stand-ins of tests have none

    with np.errstate(all="ignore"):
        try:
            args = program.make_args()
            with time_limit(min(limit, 2.0)):
                function = load(program)
                expected = function(*copied(args))
            wanted = np.asarray(expected)
            if wanted.dtype.kind != "f" or not np.all(np.isfinite(wanted)):
                return Outcome("skip", "the program gives no finite float value")
        except Exception as error:
            return Outcome("skip", f"the program itself raises {type(error).__name__}: {error}")
        try:
            with time_limit(limit):
                outcome = _compare(function, args, expected, vjp, grad, program.seed)
                if outcome.kind == "ok" and jvp is not None:
                    return _forward_agrees(function, args, vjp, jvp, program.seed)
                return outcome
        except NotDifferentiable as error:
            return Outcome("refused", getattr(error, "msg", None) or str(error))
        except Exception:
            return Outcome("crash", traceback.format_exc())


def is_active(value: object) -> bool:
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def _same_bits(a: object, b: object) -> bool:
    x, y = np.asarray(a), np.asarray(b)
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def _compare(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    expected: Any,
    vjp: Callable[..., Any],
    grad: Callable[..., Any],
    seed: int,
) -> Outcome:
    given = copied(args)
    value, pullback = vjp(function, *given)
    if not _same_bits(value, expected):
        return Outcome("wrong", f"the value differs: {value!r} is not {expected!r}")
    if not all(map(_same_bits, given, args)):
        return Outcome("wrong", "vjp changed its arguments")

    active = [i for i, a in enumerate(args) if is_active(a)]
    single = any(getattr(a, "dtype", None) == np.float32 for a in args)
    rng = np.random.default_rng(seed)
    shape, dtype = np.shape(expected), np.asarray(expected).dtype
    heads = [rng.uniform(0.3, 1.0, shape).astype(dtype) * rng.choice([-1, 1], shape) for _ in "ab"]
    heads = [np.asarray(h, dtype=dtype)[()] for h in heads]
    heads.append(np.ones(shape, dtype=dtype)[()])
    results: list[tuple[np.ndarray, ...]] = []
    for turn, head in enumerate(heads):
        kept = np.array(head)
        if turn < 2:
            result = pullback(head)
            source = f"pullback number {turn + 1}"
            if not isinstance(result, tuple) or len(result) != len(args):
                return Outcome(
                    "wrong", f"{source} gives no tuple of {len(args)} entries: {result!r}"
                )
            if any(result[i] is not None for i in range(len(args)) if i not in active):
                return Outcome("wrong", f"{source} gives a gradient to an inactive argument")
            chosen = tuple(result[i] for i in active)
        else:
            result = chosen = grad(function, wrt=tuple(active))(*given)
            source = "grad"
            if not isinstance(result, tuple) or len(result) != len(active):
                return Outcome("wrong", f"grad gives no tuple of {len(active)} entries: {result!r}")
        if not _same_bits(head, kept):
            return Outcome("wrong", f"{source} changed the head gradient")
        if not all(map(_same_bits, given, args)):
            return Outcome("wrong", f"{source} changed the arguments")
        problem = _form(chosen, [args[i] for i in active], [*given, head])
        if problem:
            return Outcome("wrong", f"{source}: {problem}")
        results.append(
            tuple(
                np.zeros(np.shape(args[i])) if g is None else g
                for i, g in zip(active, chosen, strict=True)
            )
        )
    frozen = [copied(r) for r in results]
    if not all(map(_same_bits, sum(frozen, ()), sum(results, ()))):
        return Outcome("wrong", "gradients changed after they were returned")
    return _against_numeric(function, args, active, heads, frozen, single)


def _forward_agrees(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    vjp: Callable[..., Any],
    jvp: Callable[..., Any],
    seed: int,
) -> Outcome:
    """The dot-product test: what goes forward along tangents is what comes back from a head gradient."""
    from tangentish import NotDifferentiable

    rng = np.random.default_rng(seed + 1)
    tangents = [_direction(a, rng) if is_active(a) else None for a in args]
    given = copied(args)
    try:
        value, tangent = jvp(function, given, tuple(tangents))
    except NotDifferentiable:
        return Outcome("ok")
    if not all(map(_same_bits, given, args)):
        return Outcome("wrong", "jvp changed its arguments")
    value, pullback = vjp(function, *given)
    head = np.asarray(rng.uniform(0.3, 1.0, np.shape(value)), np.asarray(value).dtype)[()]
    pulled = pullback(head)
    there = float(np.sum(np.asarray(head) * np.asarray(tangent)))
    pairs = [(g, t) for g, t in zip(pulled, tangents, strict=True) if g is not None]
    back = sum(float(np.sum(np.asarray(g) * np.asarray(t))) for g, t in pairs)
    size = 1.0 + abs(there) + sum(float(np.sum(np.abs(np.asarray(g) * t))) for g, t in pairs)
    single = any(getattr(a, "dtype", None) == np.float32 for a in args)
    if abs(there - back) > (1e-3 if single else 1e-8) * size:
        return Outcome("wrong", f"jvp: {there} is not {back}")
    return Outcome("ok")


def _direction(a: Any, rng: np.random.Generator) -> Any:
    if isinstance(a, np.ndarray):
        return rng.uniform(-1, 1, a.shape).astype(a.dtype)
    return float(rng.uniform(-1, 1))


def _form(gradients: tuple[Any, ...], args: list[Any], others: list[Any]) -> str:
    """What is wrong with the gradients' dtypes, shapes and memory, or nothing."""
    for k, (g, a) in enumerate(zip(gradients, args, strict=True)):
        if g is None:
            continue  # allowed where the derivative is zero; compared as zeros
        if np.shape(g) != np.shape(a) or np.asarray(g).dtype != np.asarray(a).dtype:
            found = f"{np.asarray(g).dtype}{np.shape(g)}"
            return f"gradient {k} is {found} for an argument {np.asarray(a).dtype}{np.shape(a)}"
        if isinstance(g, np.ndarray):
            for other in [*gradients[:k], *others]:
                if isinstance(other, np.ndarray) and np.may_share_memory(g, other):
                    return f"gradient {k} shares memory with another array"
    return ""


def _against_numeric(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    active: list[int],
    heads: list[Any],
    results: list[tuple[Any, ...]],
    single: bool,
) -> Outcome:
    exact = promoted(args)
    jacobian = numeric_jacobian(function, exact, active)
    tolerance = 2e-4 if single else 1e-6
    bad = _mismatch(jacobian, heads, results, tolerance)
    if bad is None:
        return Outcome("ok")
    if single:
        if differences(function(*copied(exact)), function(*copied(args))) > 1e-3:
            return Outcome("skip", "float32 rounding takes another path")
        tolerance *= 5
    finer = [numeric_jacobian(function, exact, active, step) for step in (1e-4, 1e-5)]
    agree = 1e-5 * (1.0 + float(np.max(np.abs(finer[0].matrix), initial=0.0)))
    if not finer[0].near(finer[1], agree):
        return Outcome("skip", "the numeric estimates disagree")
    if finer[1].kink > 1e-2 * (1.0 + float(np.max(np.abs(finer[1].matrix), initial=0.0))):
        return Outcome("skip", "a kink: the one-sided derivatives differ")
    found = [_mismatch(estimate, heads, results, max(tolerance, 1e-5)) for estimate in finer]
    if None in found:  # the wider step is better against rounding, the smaller where much is bent
        return Outcome("ok")
    bad = found[0]
    if single:  # what so small a step changes so much can't be told from rounding
        rounded = tuple(a * (1 + 1e-6) if is_active(a) else a for a in exact)
        moved = numeric_jacobian(function, rounded, active, 1e-4)
        if not finer[0].near(moved, 1e-4 * (1.0 + float(np.max(np.abs(finer[0].matrix))))):
            return Outcome("skip", "float32 rounding is magnified")
    return Outcome("wrong", bad)


def _mismatch(
    jacobian: Jacobian, heads: list[Any], results: list[tuple[Any, ...]], tolerance: float
) -> str | None:
    for turn, (head, gradients) in enumerate(zip(heads, results, strict=True)):
        wanted = jacobian.pull(head)
        scale = 1.0 + float(np.max(np.abs(jacobian.matrix), initial=0.0))
        for place, (g, w) in enumerate(zip(gradients, wanted, strict=True)):
            found = np.asarray(g, dtype=float)
            if not np.all(np.abs(found - w) <= tolerance * scale):
                source = "grad" if turn == 2 else f"pullback number {turn + 1}"
                return (
                    f"{source}: the gradient of active argument {place} is\n{found}\n"
                    f"but numerically\n{w}"
                )
    return None
