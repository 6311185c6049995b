"""Statements of random programs about what has parts: objects, dicts, pairs, functions that keep something.

Objects whose attributes are set by methods and helpers; dicts with known keys and with computed ones; lists of pairs;
named tuples; functions that bind a name around them; loops over what itertools and generators give. What is made here
has one name, since second names of containers are refused.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.random_values import Env, Shape, Var, number, positive, threshold

__all__ = ["Structures", "definitions_used"]

STRUCTURE_HELPERS = """
Pair = collections.namedtuple("Pair", "first second")


class Body:
    def __init__(self, p, v):
        self.p = p
        self.v = v * C
        self.kicks = 0

    @property
    def energy(self):
        return 0.5 * np.sum(self.v * self.v) + D * np.sum(np.sin(self.p))

    def kick(self, a):
        self.v = self.v + C * a * self.p
        self.kicks += 1

    def move(self, h):
        self.p = self.p + D * h * np.tanh(self.v)
        return np.sum(np.sin(self.p)) + 0.1 * self.kicks


def relaxed(body, s):
    body.v = body.v * D
    body.kick(np.sin(s))
    return body.energy


def body_of(p, s):
    body = Body(p * D, np.sin(p))
    body.kick(s)
    return body


def parts_of(p, s):
    return Pair(C * p * s, np.sin(p))


def entries_of(p, s):
    entries = {"a": C * p}
    entries["b"] = np.tanh(p) * s
    return entries


def mixed(entries, s):
    entries["a"] = entries["a"] * entries["b"] * s
    return np.sum(entries["a"]) * D


def folded(*ps, scale=D):
    total = 0.0
    for p in ps:
        total = C * total * p + scale * np.sin(p)
    return total
"""


def definitions_used(text: str, c: str, d: str) -> list[str]:
    """The definitions above that a program reads, in their order; c and d take the places of C and D."""
    used: list[str] = []
    for definition in reversed(re.split(r"\n\n\n", STRUCTURE_HELPERS.strip())):
        name = re.match(r"(?:class |def )?(\w+)", definition)
        assert name is not None
        if re.search(rf"\b{name[1]}\(", "\n".join([text, *used])):
            used.insert(0, re.sub(r"\bC\b", c, re.sub(r"\bD\b", d, definition)))
    return used


class Structures:
    """The part of the writer that knows what has parts."""

    rng: random.Random
    env: Env
    locked: list[set[str]]
    nested: bool
    emit: Callable[[str], None]
    mark: Any
    chance: Callable[[float], bool]
    arrays: Any
    expr: Any
    leaf: Callable[[Shape], str]
    define: Callable[[Var], None]
    condition: Callable[[], str]
    fresh_name: Callable[[str], str]
    sum_up: Callable[[str], None]
    item_shape: Callable[[], Shape]
    item_var: Callable[[Var], Var]
    lists: Any
    shared: Any

    def known(self, kind: str) -> list[Var]:
        return [v for v in self.env.values() if v.kind == kind]

    def one_of(self, kind: str, make: Callable[[], None]) -> Var | None:
        """One that there is already, mostly, else a new one that is used at once."""
        if not self.known(kind):
            make()
        found = self.known(kind)
        return self.rng.choice(found) if found else None

    # ---- objects

    def objects(self) -> None:
        if not self.shared.structures:
            return self.pairs()
        body = self.one_of("object", self.make_object)
        if body is not None:
            for _ in range(self.rng.choice((1, 1, 2, 3))):
                self.change_object(body) if self.chance(0.6) else self.use_object(body)

    def make_object(self) -> None:
        shape, name = self.item_shape(), self.fresh_name("body ball")
        one, other = self.expr(shape, 1), self.expr(shape, 1)
        self.mark("object")
        if self.chance(0.3):
            self.emit(f"{name} = body_of({one}, {self.leaf(())})")
        else:
            self.emit(f"{name} = Body({one}, {other})")
        self.define(Var(name, "object", shape))

    def change_object(self, body: Var) -> None:
        name, scalar, value = body.name, self.expr((), 1), self.expr(body.shape, 1)
        attribute = self.rng.choice("pv")
        self.mark("object changed")
        form = self.rng.randrange(7)
        if form == 0:
            self.emit(f"{name}.kick({scalar})")
        elif form == 1:
            self.emit(f"{name}.{attribute} = {value}")
        elif form == 2:
            self.emit(f"{name}.{attribute} = np.sin({name}.p) * {name}.v + {value}")
        elif form == 3:
            self.emit(f"{name}.{attribute} *= {scalar}")
        elif form == 4 and body.shape:
            place = self.rng.randrange(-1, body.shape[0])
            self.emit(f"{name}.{attribute}[{place}] = {scalar}")
            self.mark("element of an attribute changed")
        elif form == 5:
            self.sum_up(f"relaxed({name}, {self.leaf(())})")
        else:
            self.sum_up(f"{name}.move({self.leaf(())})")

    def use_object(self, body: Var) -> None:
        name = body.name
        forms = (
            f"np.sum({name}.p * {name}.v)",
            f"{name}.energy",
            f"np.sum({name}.v) * {name}.kicks",
        )
        self.mark("object used")
        self.sum_up(self.rng.choice(forms))

    # ---- dicts with known keys

    def records(self) -> None:
        record = self.one_of("record", self.make_record)
        if record is not None:
            for _ in range(self.rng.choice((1, 1, 2, 3))):
                self.change_record(self.env[record.name])
                if self.chance(0.6):
                    self.use_record(self.env[record.name])

    def make_record(self) -> None:
        shape, name = self.item_shape(), self.fresh_name("params entries")
        one, other = self.expr(shape, 1), self.expr(shape, 1)
        self.mark("dict")
        forms = [
            f'{{"a": {one}, "b": {other}}}',
            f"dict(a={one}, b={other})",
            f'{{key: {one} * len(key) for key in ("a", "b")}}',
            f'{{key: value for key, value in zip(("a", "b"), ({one}, {other}))}}',
        ]
        if self.shared.structures:
            forms += [f"entries_of({one}, {self.leaf(())})"] * 2
        self.emit(f"{name} = {self.rng.choice(forms)}")
        self.define(Var(name, "record", shape, keys=("a", "b")))

    def change_record(self, record: Var) -> None:
        name, key, value = record.name, self.rng.choice(record.keys), self.expr(record.shape, 1)
        scalar = self.expr((), 1)
        self.mark("dict changed")
        form = self.rng.randrange(7)
        if form == 0:
            self.emit(f'{name}["{key}"] *= {scalar}')
        elif form == 1:
            item = self.fresh_name("key name")
            self.emit(f"for {item} in {name}:")
            self.emit(f"    {name}[{item}] = np.sin({name}[{item}]) + {scalar}")
            self.mark("loop over a dict")
        elif form == 2 and record.shape:
            place = self.rng.randrange(-1, record.shape[0])
            self.emit(f'{name}["{key}"][{place}] = {scalar}')
        elif form == 3 and self.shared.structures:
            self.sum_up(f"mixed({name}, {self.leaf(())})")
        elif form == 4 and not self.nested and len(record.keys) < 4:
            new = "cd"[len(record.keys) - 2]
            self.emit(f'{name}["{new}"] = {value}')
            self.define(replace(record, keys=(*record.keys, new)))
        elif form == 5:
            self.emit(f"{name}.update({key}={value})")
        else:
            self.emit(f'{name}["{key}"] = {value}')

    def use_record(self, record: Var) -> None:
        name, item = record.name, self.fresh_name("v e")
        self.mark("dict used")
        if self.chance(0.4):
            key, total = self.fresh_name("key name"), self.fresh_name("total")
            self.emit(f"{total} = 0.0")
            self.emit(f"for {key}, {item} in {name}.items():")
            self.emit(f"    {total} = {total} * {number(self.rng)} + np.sum({item} * {item})")
            self.define(Var(total, "scalar"))
            return
        forms = [
            f"sum(np.sum({item} * {item}) for {item} in {name}.values())",
            f'np.sum({name}["a"] * {name}["b"])',
            f'np.sum({name}.get("b", 1.0)) * np.sum({name}.get("z", {self.leaf(())}))',
        ]
        if self.shared.structures and not record.shape:
            forms.append(f"folded(*{name}.values())")
        self.sum_up(self.rng.choice(forms))

    # ---- dicts with computed keys

    def tables(self) -> None:
        table = self.one_of("table", self.make_table)
        if table is not None:
            self.change_table(table.name)
            if self.chance(0.6):
                self.use_table(table.name)

    def make_table(self) -> None:
        name = self.fresh_name("table counts")
        self.emit(f"{name} = {{}}")
        self.mark("table")
        saved = dict(self.env)
        vectors = self.arrays(1)
        if vectors and self.chance(0.5):
            item, key = self.fresh_name("v e"), self.fresh_name("key")
            self.emit(f"for {item} in {self.rng.choice(vectors).name}:")
            self.define(Var(item, "scalar"))
            self.emit(f"    {key} = int({item} > {threshold(self.rng)})")
        else:
            key = self.fresh_name("i k")
            self.emit(f"for {key} in range({self.rng.randrange(4)}):")
            self.define(Var(key, "int", low=0, high=3))
            key = self.rng.choice((key, f"{key} % 2", f"{key} // 2"))
        value = self.expr((), 1)
        form = self.rng.randrange(3)
        if form == 0:
            self.emit(f"    {name}[{key}] = {name}.get({key}, 0.0) * {number(self.rng)} + {value}")
        elif form == 1:
            self.emit(f"    if {key} in {name}:")
            self.emit(f"        {name}[{key}] *= {value}")
            self.emit("    else:")
            self.emit(f"        {name}[{key}] = {value}")
        else:
            self.emit(f"    {name}[{key}] = {value}")
        self.env = saved
        self.define(Var(name, "table"))

    def change_table(self, name: str) -> None:
        place, value = self.rng.randrange(3), self.expr((), 1)
        form = self.rng.randrange(4)
        self.mark("table changed")
        if form == 0:
            self.emit(f"if {place} in {name}:")
            self.emit(f"    {name}[{place}] {self.rng.choice(('+=', '*=', '='))} {value}")
        elif form == 1:
            self.emit(f"{name}.setdefault({place}, {value})")
        elif form == 2:
            key = self.fresh_name("key")
            self.emit(f"for {key} in sorted({name}):")
            self.emit(f"    {name}[{key}] = np.sin({name}[{key}]) + {value}")
        else:
            self.emit(f"{name}[{place}] = {value}")

    def use_table(self, name: str) -> None:
        key = self.fresh_name("key")
        forms = (
            f"sum({name}[{key}] * {name}[{key}] for {key} in list({name}))",
            f"{name}.get({self.rng.randrange(3)}, {self.leaf(())}) * len({name})",
            f"sum([np.sin({name}[{key}]) * ({key} + 1) for {key} in sorted({name})])",
        )
        self.mark("table used")
        self.sum_up(self.rng.choice(forms))

    # ---- pairs

    def pairs(self) -> None:
        """A list of pairs, which grows and is run over; a named tuple."""
        if self.shared.structures and self.chance(0.5):
            return self.named_pair()
        name = self.fresh_name("pairs")
        low = self.rng.randrange(1, 3)
        count = self.fresh_name("i k")
        self.mark("list of pairs")
        self.emit(f"{name} = []")
        self.emit(f"for {count} in range({low}):")
        saved = dict(self.env)
        self.define(Var(count, "int", low=0, high=low - 1))
        self.emit(f"    {name}.append(({self.expr((), 1)}, {self.expr((), 1)}))")
        self.env = saved
        if self.chance(0.4):
            self.emit(f"if {self.condition()}:")
            self.emit(f"    {name}.append(({self.expr((), 1)}, {self.leaf(())}))")
        if self.chance(0.3):
            self.emit(f"{name}[-1] = ({self.expr((), 1)}, {name}[0][0])")
        one, other = self.fresh_name("v e"), self.fresh_name("w u")
        forms = (
            f"sum({one} * {other} for {one}, {other} in {name})",
            f"{name}[0][1] * {name}[-1][0]",
            f"max({one} for {one}, _ in {name})",
            f"sum([{one} * np.sin({other}) for {one}, {other} in reversed({name})])",
        )
        self.sum_up(self.rng.choice(forms))

    def named_pair(self) -> None:
        name, shape = self.fresh_name("pair"), self.item_shape()
        self.mark("named tuple")
        form = self.rng.randrange(3)
        if form == 0:
            one, other = self.fresh_name("v e"), self.fresh_name("w u")
            self.emit(f"{one}, {other} = parts_of({self.expr(shape, 1)}, {self.leaf(())})")
            return self.sum_up(f"np.sum({one} * {other})")
        made = f"Pair({self.expr(shape, 1)}, {self.expr(shape, 1)})"
        if form == 1:
            made = f"parts_of({self.expr(shape, 1)}, {self.leaf(())})"
        self.emit(f"{name} = {made}")
        if self.chance(0.4):
            self.emit(f"{name} = {name}._replace(first={name}.second * {self.expr((), 1)})")
        self.sum_up(f"np.sum({name}.first * {name}[1])")

    # ---- functions that keep something

    def keeps(self) -> None:
        """A function that binds a name around it, called on lines of its own."""
        keeper = self.one_of("keeper", self.make_keeper)
        if keeper is None or not set(keeper.keys) <= self.env.keys():
            return
        self.mark("function that keeps something", "keeper called")
        vectors = self.arrays(1)
        if vectors and len(self.locked) < 2 and self.chance(0.4):
            item = self.fresh_name("v e")
            self.emit(f"for {item} in {self.rng.choice(vectors).name}:")
            self.emit(f"    {keeper.name}({item})")
        elif self.chance(0.4):
            name = self.fresh_name("u")
            self.emit(f"{name} = {keeper.name}({self.leaf(())})")
            self.define(Var(name, "scalar"))
        else:
            self.emit(f"{keeper.name}({self.expr((), 1)})")

    def make_keeper(self) -> None:
        if self.nested:
            return
        kept, name = self.fresh_name("kept"), self.fresh_name("keep")
        self.emit(f"{kept} = {self.expr((), 1)}")
        self.emit(f"def {name}(p):")
        self.emit(f"    nonlocal {kept}")
        self.emit(f"    {kept} = {kept} * {number(self.rng)} + np.sin(p)")
        self.emit(f"    return {kept} * p")
        self.define(Var(kept, "kept"))
        self.define(Var(name, "keeper", keys=(kept,)))

    # ---- what itertools and generators give

    def chained_elements(self) -> tuple[str, list[Var], int, str] | None:
        """The head of a loop over what comes one by one: its text, what it binds, its trips, the list it runs over."""
        rng, vectors = self.rng, self.arrays(1)
        if not vectors:
            return None
        x, y = rng.choice(vectors), rng.choice(vectors)
        n, m = x.shape[0], y.shape[0]
        one, other = self.fresh_name("v e"), self.fresh_name("w u")
        c = threshold(rng)
        singles = {
            f"({one} * {one} for {one} in {x.name})": n,
            f"({one} for {one} in {x.name} if {one} > {c})": 0,
            f"map(np.sin, {x.name})": n,
            f"filter(lambda t: t > {c}, {x.name})": 0,
            f"itertools.accumulate({x.name})": n,
            f"itertools.islice({x.name}, 2)": min(n, 2),
            f"itertools.chain({x.name}, {y.name})": n + m,
            f"[{one} * {positive(rng)} for {one} in {x.name}]": n,
        }
        doubles = {
            f"zip({x.name}[:-1], {x.name}[1:])": n - 1,
            f"itertools.product({x.name}, {y.name}[:2])": n * min(m, 2),
            f"itertools.combinations({x.name}, 2)": n * (n - 1) // 2,
            f"itertools.pairwise({x.name})": n - 1,
        }
        self.mark("loop over what comes one by one")
        if self.chance(0.6):
            text = rng.choice(list(singles))
            return f"for {one} in {text}:", [Var(one, "scalar")], singles[text], ""
        text, both = rng.choice(list(doubles)), [Var(one, "scalar"), Var(other, "scalar")]
        if self.chance(0.3):
            count = self.fresh_name("i k")
            head = f"for {count}, ({one}, {other}) in enumerate({text}):"
            return head, [*both, Var(count, "int", low=0, high=50)], doubles[text], ""
        return f"for {one}, {other} in {text}:", both, doubles[text], ""

    # ---- the end

    def sum_up_structures(self) -> None:
        """What is left in structures, so that an error in any of them shows."""
        for v in self.known("object"):
            self.sum_up(f"np.sum({v.name}.p * {v.name}.p) + np.sum(np.sin({v.name}.v))")
        for v in self.known("record"):
            self.sum_up(f"sum(np.sum(np.sin(v)) for v in {v.name}.values())")
        for v in self.known("table"):
            self.sum_up(f"sum({v.name}[key] * (key + 1) for key in sorted({v.name}))")
        for v in self.known("kept"):
            self.sum_up(f"{v.name} * {v.name}")
