"""Statements of random programs that are about containers and functions that are made on the way.

Loops over arrays, rows, zip, enumerate and reversed; lists that grow, shrink, are stored to, run over and handed to
helpers; comprehensions; nested functions and lambdas that capture what is bound anew afterwards; masks and lists of
places; exceptions that are sometimes raised; tuples. Of a list the generator knows the least length that it has.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.random_values import Env, Shape, Var, number, positive, threshold

__all__ = ["CONSTANTS", "LIST_HELPERS", "Containers"]

CONSTANTS = "constants"  # what a loop runs over that is no list of the program

LIST_HELPERS = """
def push(xs, s):
    xs.append(C * s * s)
    if len(xs) > 2:
        xs[1] = xs[0] * s + D * xs[1]


def summed(xs):
    t = 0.0
    for k, v in enumerate(xs):
        t = C * t * v + np.sin(v) + D * k
    return t


def steps(s, n):
    out = [s]
    for k in range(n):
        out.append(np.sin(out[-1] * C) + D * s)
    return out


def both(fn, p):
    return fn(fn(p) * D)
"""


class Containers:
    """The part of the writer that knows containers."""

    rng: random.Random
    env: Env
    budget: int
    indent: int
    branches: int
    locked: list[set[str]]
    emit: Callable[[str], None]
    mark: Any
    chance: Callable[[float], bool]
    arrays: Any
    scalars: Any
    ints: Any
    expr: Any
    leaf: Callable[[Shape], str]
    index: Callable[[int], str]
    define: Callable[[Var], None]
    new_name: Any
    writable: Callable[[Var], bool]
    writables: Any
    block: Callable[[int], None]
    condition: Callable[[], str]
    shared: Any
    join: Any
    assign_scalar: Callable[[], None]
    chained_elements: Callable[[], tuple[str, list[Var], int, str] | None]

    def lists(self, shape: Shape | None = None) -> list[Var]:
        kinds = [v for v in self.env.values() if v.kind == "list"]
        return [v for v in kinds if shape is None or v.shape == shape]

    def fresh_name(self, pool: str) -> str:
        """A name that nothing else in this function has."""
        self.shared.serial += 1
        return f"{self.rng.choice(pool.split())}{self.shared.serial}"

    def sum_up(self, text: str) -> None:
        """An old scalar takes part of a value, or a new one is born."""
        old = [v.name for v in self.scalars()]
        if old and self.chance(0.6):
            name = self.rng.choice(old)
            self.emit(f"{name} = {self.rng.choice((name, f'np.tanh({name})'))} + 0.3 * {text}")
        else:
            name = self.new_name("scalar")
            self.emit(f"{name} = 0.5 * {text}")
        self.define(Var(name, "scalar"))

    def changing(self, var: Var) -> bool:
        """Whether a list may be changed here: not while a loop runs over it."""
        return var.name not in self.shared.run_over

    # ---- lists

    def item_shape(self) -> Shape:
        vectors = self.arrays(1)
        return self.rng.choice(vectors).shape if vectors and self.chance(0.3) else ()

    def make_list(self) -> None:
        shape, name = self.item_shape(), self.fresh_name("xs ys rows parts")
        form = self.rng.randrange(6)
        low = 0
        self.mark("list")
        vectors = self.arrays(1)
        if form == 0:
            low = self.rng.randrange(1, 4)
            self.emit(f"{name} = [{', '.join(self.expr(shape, 1) for _ in range(low))}]")
        elif form == 1 and vectors:
            low, shape = self.comprehension(name, self.rng.choice(vectors))
        elif form == 2 and vectors:
            var = self.rng.choice(vectors)
            low, shape = var.shape[0], ()
            self.emit(f"{name} = list({var.name})")
        elif form == 3:
            low = self.rng.randrange(1, 4)
            self.emit(f"{name} = [0.0] * {low}")
            shape = ()
            self.filled(name, low)
        elif form == 4 and self.shared.list_helpers:
            low, shape = self.rng.randrange(1, 4), ()
            self.mark("list of a helper")
            self.emit(f"{name} = steps({self.leaf(())}, {low - 1})")
        else:
            self.emit(f"{name} = []")
            low = self.appended(name, shape)
        self.define(Var(name, "list", shape, self.shared.buffer(), low=low))
        for _ in range(self.rng.choice((0, 1, 2, 3))):
            if self.chance(0.6):
                self.change_list()
            else:
                self.use_list()

    def filled(self, name: str, length: int) -> None:
        counter = self.fresh_name("i k")
        self.emit(f"for {counter} in range({length}):")
        saved = dict(self.env)
        self.define(Var(counter, "int", low=0, high=length - 1))
        op = self.rng.choice(("=", "=", "+="))
        self.emit(f"    {name}[{counter}] {op} {self.expr((), 1)}")
        self.env = saved
        self.mark("list filled")

    def appended(self, name: str, shape: Shape) -> int:
        """A loop that appends; how many for sure."""
        if self.chance(0.5) and self.arrays(1):
            var = self.rng.choice(self.arrays(1))
            item = self.fresh_name("v e")
            self.emit(f"for {item} in {var.name}:")
            trips, new = var.shape[0], Var(item, "scalar")
        else:
            trips = self.rng.randrange(0, 4)
            item = self.fresh_name("i k")
            self.emit(f"for {item} in range({trips}):")
            new = Var(item, "int", low=0, high=max(trips - 1, 0))
        saved = dict(self.env)
        self.define(new)
        value = self.expr(shape, 1)
        if self.chance(0.3):
            self.emit(f"    if {self.condition()}:")
            self.emit(f"        {name}.append({value})")
            trips = 0
        else:
            self.emit(f"    {name}.append({value})")
        self.env = saved
        self.mark("append")
        return trips

    def comprehension(self, name: str, var: Var) -> tuple[int, Shape]:
        """name = [... for v in var]: the least length, and the shape of an element."""
        item = "v" if self.chance(0.3) else self.fresh_name("v e")
        saved = dict(self.env)
        inner = Var(item, "scalar")
        self.env = {**self.env, item: inner}
        self.mark("comprehension")
        value, low = f"{item} * {self.expr((), 1)}", var.shape[0]
        form = self.rng.randrange(4)
        if form == 0:
            text, low = f"[{value} for {item} in {var.name} if {item} > {threshold(self.rng)}]", 0
            self.mark("comprehension with a condition")
        elif form == 1 and item != var.name:
            other = self.fresh_name("w")
            text = f"[{value} * {other} for {item} in {var.name} for {other} in {var.name}]"
            low *= low
        elif form == 2:
            text = f"[{item} * {value} + j for j, {item} in enumerate({var.name})]"
        else:
            text = f"[{value} for {item} in {var.name}]"
        self.env = saved
        self.emit(f"{name} = {text}")
        return low, ()

    def change_list(self) -> None:
        lists = [v for v in self.lists() if self.changing(v)]
        if not lists:
            return self.make_list()
        var = self.rng.choice(lists)
        name, low, nested = var.name, var.low, bool(self.locked)
        value = self.expr(var.shape, 1)
        form = self.rng.randrange(9)
        self.mark("list changed")
        if form <= 1:
            self.emit(f"{name}.append({value})")
            low += not nested
        elif form == 2:
            place = self.rng.choice(("0", "1", "-1", "-2", "5"))
            self.emit(f"{name}.insert({place}, {value})")
            low += not nested
            self.mark("insert")
        elif form == 3:
            other = self.expr(var.shape, 1)
            line = self.rng.choice(
                (f"{name} += [{value}, {other}]", f"{name}.extend([{value}, {other}])")
            )
            self.emit(line)
            low += 0 if nested else 2
        elif form == 4:
            low = self.popped(var)
        elif form == 5 and var.shape == () and self.shared.list_helpers:
            self.emit(f"push({name}, {self.leaf(())})")
            low += not nested
            self.mark("helper that changes a list")
        elif form == 6 and not nested and low:
            self.emit(self.rng.choice((f"{name}.reverse()", f"{name} = {name}[1:] + [{value}]")))
        elif low:
            self.list_store(var, value)
        else:
            self.emit(f"{name}.append({value})")
            low += not nested
        self.define(replace(var, low=low))

    def popped(self, var: Var) -> int:
        place = self.rng.choice(("", "", "0", "-1", "-1"))
        if not self.locked and var.low > 0:
            self.mark("pop")
            self.sum_up(f"np.sum({var.name}.pop({place}))")
            return var.low - 1
        self.emit(f"if len({var.name}) > {var.low}:")
        self.emit(f"    {var.name}.pop({place})")
        return var.low

    def list_store(self, var: Var, value: str) -> None:
        place = self.place(var)
        if self.chance(0.5) or not var.clean:
            op = self.rng.choice(("=", "=", "+=", "*=")) if var.clean else "="
            self.emit(f"{var.name}[{place}] {op} {value}")
        elif var.shape:
            self.emit(
                f"{var.name}[{place}][{self.rng.randrange(var.shape[0])}] = {self.expr((), 1)}"
            )
            self.mark("element of a list changed in place")
        else:
            self.emit(f"{var.name}[{place}] = {value}")
        self.mark("list store")

    def place(self, var: Var) -> str:
        """An index into a list that is not empty."""
        if self.chance(0.3) and self.ints():
            number_ = self.rng.choice(self.ints()).name
            self.mark("list indexed by a variable")
            return f"{number_} % len({var.name})"
        return self.index(var.low) if self.chance(0.7) else "-1"

    def items(self, shape: Shape) -> list[str]:
        """Elements of lists as operands."""
        return [f"{v.name}[{self.place(v)}]" for v in self.lists(shape) if v.low > 0]

    def use_list(self) -> None:
        lists = self.lists()
        if not lists:
            return self.make_list()
        var = self.rng.choice(lists)
        name, item = var.name, self.fresh_name("v e")
        self.mark("list used")
        forms = [
            f"sum(np.sum({item} * {item}) for {item} in {name})",
            f"np.sum(np.array({name}) ** 2)",
        ]
        if var.low > 0:
            forms += [f"np.sum({name}[0] * {name}[-1])", f"len({name}) * np.sum({name}[-1])"]
        if var.shape == ():
            forms += [
                f"sum({name})",
                f"sum([{item} * {item} for {item} in {name} if {item} > 0.1])",
            ]
            if self.shared.list_helpers:
                forms += [f"summed({name})"] * 2
            if var.low > 0:
                forms.append(f"max({name})")
        elif var.low > 0:
            forms.append(f"np.sum(np.stack({name}) ** 2)")
        self.sum_up(self.rng.choice(forms))

    # ---- loops over elements

    def over_elements(self) -> tuple[str, list[Var], int, str] | None:
        """The head of a loop: its text, what it binds, its trips, the list that it runs over."""
        rng = self.rng
        if self.chance(0.2):
            return self.written_elements(self.fresh_name("v e"))
        if self.chance(0.25):
            return self.chained_elements()
        sources = [*self.arrays(), *self.lists() * 2]
        if not sources:
            return None
        base = rng.choice(sources)
        item = self.item_var(base)
        trips = base.low if base.kind == "list" else base.shape[0]
        over = base.name if base.kind == "list" else ""
        form = rng.randrange(6)
        if form == 0:
            counter = self.fresh_name("i k")
            self.mark("enumerate")
            bound = max(trips - 1, 0) if base.kind != "list" else 50
            number_ = Var(counter, "int", low=0, high=bound)
            return (
                f"for {counter}, {item.name} in enumerate({base.name}):",
                [item, number_],
                trips,
                over,
            )
        if form == 1:
            self.mark("reversed")
            return f"for {item.name} in reversed({base.name}):", [item], trips, over
        if form == 2 and self.arrays(1):
            other = rng.choice(self.arrays(1))
            second = self.item_var(other)
            self.mark("zip")
            head = f"for {item.name}, {second.name} in zip({base.name}, {other.name}):"
            return head, [item, second], min(trips, other.shape[0]), over
        if form == 3 and base.kind == "array" and trips > 1:
            return f"for {item.name} in {base.name}[1:]:", [item], trips - 1, over
        if form == 4:
            return self.written_elements(item.name)
        self.mark("loop over elements")
        return f"for {item.name} in {base.name}:", [item], trips, over

    def written_elements(self, name: str) -> tuple[str, list[Var], int, str]:
        """The same over elements that stand there: of what varies, or numbers that the body may vary further."""
        if self.chance(0.4):
            self.mark("loop over a tuple")
            texts = ", ".join(self.expr((), 1) for _ in range(3))
            return f"for {name} in ({texts}):", [Var(name, "scalar")], 3, ""
        self.mark("loop over constants")
        texts = ", ".join(f"{self.rng.uniform(-1, 1):.2f}" for _ in range(3))
        texts = f"({texts})" if self.chance(0.5) else f"np.array([{texts}])"
        return f"for {name} in {texts}:", [Var(name, "scalar")], 3, CONSTANTS

    def item_var(self, base: Var) -> Var:
        name = self.fresh_name("v e row")
        shape = base.shape if base.kind == "list" else base.shape[1:]
        if shape == ():
            return Var(name, "scalar")
        buffers = base.buffers
        if base.kind == "list":  # writes through it are the list's matter
            buffers = base.buffers | self.shared.buffer()
        return Var(name, "array", shape, buffers, contiguous=False)

    # ---- functions

    def make_function(self) -> None:
        name, p = self.fresh_name("fn g"), "p"
        shape = self.item_shape()
        saved = dict(self.env)
        vector = replace(self.env.get(p, Var(p, "scalar")), kind="array" if shape else "scalar")
        inner = {k: v for k, v in self.env.items() if v.kind in ("scalar", "array") and k != p}
        self.env = {**inner, p: replace(vector, name=p, shape=shape, buffers=frozenset())}
        value = self.expr(shape, 1)
        captured = tuple(sorted(k for k in inner if k in _names(value)))
        self.mark("nested function")
        if self.chance(0.5):
            self.emit(
                f"{name} = lambda p: p * ({value})"
                if self.chance(0.7)
                else f"{name} = lambda p: {value}"
            )
        else:
            self.emit(f"def {name}(p):")
            if self.chance(0.5):
                self.emit(f"    q = np.sin(p) * {positive(self.rng)}")
                self.emit(f"    return q + ({value})")
            else:
                self.emit(f"    return {value}")
        self.env = saved
        self.define(Var(name, "function", shape, captured=tuple(saved[k] for k in captured)))
        if self.chance(0.6):
            self.call_function(self.env[name])

    def call_some_function(self) -> None:
        usable = [v for v in self.env.values() if v.kind == "function" and self.callable_now(v)]
        if not usable:
            return self.make_function()
        self.call_function(self.rng.choice(usable))

    def callable_now(self, function: Var) -> bool:
        """Whether what it captured is still there, of the same shape."""
        now = [(self.env.get(v.name), v) for v in function.captured]
        return all(a is not None and (a.kind, a.shape) == (b.kind, b.shape) for a, b in now)

    def call_function(self, function: Var) -> None:
        argument = self.leaf(function.shape)
        call = f"{function.name}({argument})"
        if self.shared.list_helpers and self.chance(0.25):
            call = f"both({function.name}, {argument})"
            self.mark("function as an argument")
        self.sum_up(f"np.sum({call})" if function.shape else call)
        self.mark("function called")

    # ---- masks and places

    def masks(self) -> None:
        writables = self.writables()
        var = self.rng.choice(writables) if writables else None
        self.mark("mask or places")
        if var is None or self.chance(0.3):
            source = self.rng.choice(self.arrays())
            self.sum_up(f"np.sum({source.name}[{self.mask_of(source)}] ** 2)")
            return
        form = self.rng.randrange(5)
        if form == 0:
            self.emit(f"{var.name}[{self.mask_of(var)}] = {self.expr((), 1)}")
        elif form == 1:
            self.emit(f"{var.name}[{self.mask_of(var)}] *= {self.expr((), 1)}")
        elif form == 2 and len(var.shape) == 1:
            places = self.places(var.shape[0], 2)
            values = ", ".join(self.expr((), 1) for _ in range(2))
            self.emit(f"{var.name}[{places}] = np.array([{values}])")
        elif form == 3 and len(var.shape) == 1:
            places = self.places(var.shape[0], 3)
            self.emit(f"np.add.at({var.name}, {places}, {number(self.rng)} * {self.leaf(())})")
        else:
            places = self.places(var.shape[0], 2)
            self.emit(f"{var.name}[{places}] += {self.expr((), 1)}")
        self.mark("store to a mask or places", "store")

    def mask_of(self, var: Var) -> str:
        if self.chance(0.3):
            return self.places(var.shape[0], 3)
        return f"{var.name} > {threshold(self.rng)}"

    def places(self, length: int, count: int) -> str:
        return str([self.rng.randrange(-length, length) for _ in range(count)])

    # ---- exceptions

    def attempt(self) -> None:
        if self.branches >= 2 or len(self.locked) >= 2:
            return self.assign_scalar()
        start = dict(self.env)
        self.mark("try")
        self.emit("try:")
        self.emit(f"    if {self.condition()}:")
        self.emit("        raise ValueError('no')")
        name = self.fresh_name("u")
        self.emit(f"    {name} = {self.expr((), 1)}")
        self.branches += 1
        self.emit("except ValueError:")
        self.indent += 1
        self.block(1)
        self.emit(f"{name} = {self.expr((), 1)}")
        self.indent -= 1
        ends, self.env = self.env, start
        if self.chance(0.5):
            self.emit("else:")
            self.indent += 1
            self.sum_up(self.expr((), 1))
            self.block(1)
            self.indent -= 1
        self.branches -= 1
        self.env = self.join(self.env, ends)
        self.define(Var(name, "scalar"))

    def managed(self) -> None:
        self.mark("with")
        self.emit("with np.errstate(all='ignore'):")
        self.indent += 1
        self.assign_scalar()
        self.indent -= 1

    def tuple_used(self) -> None:
        name = self.fresh_name("pair")
        self.mark("tuple")
        self.emit(f"{name} = ({self.expr((), 1)}, {self.expr((), 1)})")
        if self.chance(0.5):
            self.sum_up(f"{name}[0] * {name}[1]")
        else:
            one, two = self.fresh_name("u"), self.fresh_name("v")
            self.emit(f"{one}, {two} = {name}")
            self.define(Var(one, "scalar"))
            self.define(Var(two, "scalar"))


def _names(text: str) -> set[str]:
    word, found = "", set()
    for letter in [*text, " "]:
        if letter.isalnum() or letter == "_":
            word += letter
        else:
            found.add(word)
            word = ""
    return found
