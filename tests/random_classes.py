"""Random programs of classes, closures, generators, exceptions and containers of several kinds.

Names have types: "num", "vec" (three numbers), "nums" and "vecs" (lists), "table" (a dict with the keys a and b), "pair"
(a number and three), "fn" (a function of a number), and the names of the program's classes, whose attributes have types,
too. What can't be followed is refused: nothing may be wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.random_families import first_that_runs
from tests.random_programs import RandomProgram

__all__ = ["generate"]

IMPORTS = """\
import collections
import functools
import itertools

import numpy as np
"""
TYPES = ("num", "num", "num", "vec", "vec", "nums", "vecs", "table", "pair")
Names = dict[str, str]  # what may be read, by its text, and its type


@dataclass
class _Class:
    """A class of the program: types of its attributes, names of its methods."""

    name: str
    attributes: Names
    methods: list[str] = field(default_factory=list)  # each takes a number and gives one
    properties: list[str] = field(default_factory=list)
    called: bool = False


class _Writer:
    """The lines of one function."""

    def __init__(self, rng: random.Random, classes: dict[str, _Class], helpers: Names) -> None:
        self.rng = rng
        self.classes = classes
        self.helpers = helpers  # by name: "number", "vector", "generator"
        self.count = 0

    def fresh(self, base: str) -> str:
        self.count += 1
        return f"{base}{self.count}"

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def maybe(self, chance: float) -> bool:
        return self.rng.random() < chance

    def reachable(self, names: Names, wanted: str) -> list[str]:
        """Names of a type, attributes of objects among them."""
        found = []
        for name, kind in names.items():
            if kind == wanted:
                found.append(name)
            if kind in self.classes and name.count(".") < 2:
                inner = {f"{name}.{a}": t for a, t in self.classes[kind].attributes.items()}
                found += self.reachable(inner, wanted)
        return found

    def one(self, names: Names, wanted: str) -> str | None:
        found = self.reachable(names, wanted)
        return self.rng.choice(found) if found else None

    def objects(self, names: Names) -> list[tuple[str, _Class]]:
        return [(o, c) for k, c in self.classes.items() for o in self.reachable(names, k)]

    # -- expressions

    def constant(self) -> str:
        return self.pick("0.5", "1.5", "-0.7", "0.3", "2.0")

    def number(self, names: Names, depth: int = 2) -> str:
        forms: list[str] = [self.constant()]
        forms += self.reachable(names, "num") * 2
        vec, nums, vecs = (self.one(names, kind) for kind in ("vec", "nums", "vecs"))
        table, pair, fn = (self.one(names, kind) for kind in ("table", "pair", "fn"))
        forms += [f"{vec}[{self.rng.randrange(-1, 3)}]", f"np.sum({vec})"] if vec else []
        forms += [f"{nums}[{self.pick('0', '-1')}]", f"sum({nums})"] if nums else []
        forms += [f"{vecs}[-1][{self.rng.randrange(3)}]"] if vecs else []
        forms += [f'{table}["{self.pick("a", "b")}"]'] if table else []
        forms += [f"{pair}[0]"] if pair else []
        if depth > 0:
            forms += self.compound(names, depth - 1, vec, nums, fn)
        return self.rng.choice(forms)

    def compound(
        self, names: Names, depth: int, vec: str | None, nums: str | None, fn: str | None
    ) -> list[str]:
        a, b = self.number(names, depth), self.number(names, depth)
        forms = [f"({a} + {b})", f"np.sin({a})", f"(np.tanh({a}) * {b})", f"({a} - 0.3 * {b})"]
        forms += [f"({a} if {self.test(names)} else {b})", f"max({a}, {b})", f"abs({a})"]
        if vec:
            e, other = self.fresh("e"), self.vector(names, depth)
            forms += [f"np.dot({vec}, {other})", f"sum({e} * {e} for {e} in {other})"]
            forms += [f"functools.reduce(lambda u, w: u * 0.5 + w, {vec}, {a})"]
        if nums:
            e = self.fresh("e")
            forms += [f"sum([{e} * {b} for {e} in {nums}])", f"len({nums}) * {a}", f"min({nums})"]
        forms += [f"{fn}({a})"] * 2 if fn else []
        for name, kind in self.helpers.items():
            forms += [f"{name}({self.vector(names, depth)}, {a})"] if kind == "number" else []
            forms += [f"sum({name}({self.vector(names, depth)}))"] if kind == "generator" else []
        for name, made in self.objects(names):
            forms += [f"{name}.{m}({a})" for m in made.methods]
            forms += [f"{name}.{p}" for p in made.properties]
            forms += [f"{name}({a})"] if made.called else []
        return forms

    def vector(self, names: Names, depth: int = 2) -> str:
        forms = self.reachable(names, "vec") * 2 or [f"np.full(3, {self.number(names, 0)})"]
        vecs, pair = self.one(names, "vecs"), self.one(names, "pair")
        forms += [f"{vecs}[{self.pick('0', '-1')}]"] if vecs else []
        forms += [f"{pair}[1]"] if pair else []
        if depth > 0:
            u, w = self.vector(names, depth - 1), self.vector(names, depth - 1)
            a, e = self.number(names, 1), self.fresh("e")
            forms += [
                f"np.sin({u})",
                f"({u} + {w})",
                f"({u} * {a})",
                f"{u}[::-1]",
                f"np.cumsum({u})",
            ]
            forms += [f"np.array([{e} * {a} for {e} in {u}])", f"np.where({u} > 0.2, {u}, {w})"]
            forms += [f"np.roll({u}, 1)", f"np.array([{a}, {self.number(names, 0)}, {u}[0]])"]
            forms += [f"{n}({u}, {a})" for n, kind in self.helpers.items() if kind == "vector"]
        return self.rng.choice(forms)

    def test(self, names: Names) -> str:
        a = self.number(names, 0)
        return self.pick(
            f"{a} > 0.3",
            f"{a} < 0.9",
            f"{a} > -50.0",
            f"{a} > 0.1 or {self.number(names, 0)} < 0.2",
        )

    def made(self, kind: str, names: Names) -> str:
        """An expression of this type, new."""
        a, b, u, w = (*(self.number(names) for _ in "ab"), *(self.vector(names) for _ in "uw"))
        e = self.fresh("e")
        forms = {
            "num": [a],
            "vec": [u, f"{u}.copy()", f"1.0 * {u}"],
            "nums": [f"[{a}, {b}]", f"[{e} * {b} for {e} in {u}]", f"list({u})"],
            "vecs": [f"[{u}, {w}]", f"[{e} * {u} for {e} in {w}]", f"[{u} * 1.0]"],
            "table": [f'{{"a": {a}, "b": {b}}}', f"dict(a={a}, b={b})"],
            "pair": [f"({a}, {u})"],
            "fn": [f"lambda v: v * {a}", f"functools.partial(scaled, {a})", "np.tanh"],
        }
        if kind in self.classes:
            return f"{kind}({a}, {u})"
        return self.rng.choice(forms[kind])

    # -- statements

    def block(self, names: Names, most: int, depth: int) -> list[str]:
        """Lines; names that they bind are known in them only."""
        names, lines = dict(names), []
        for _ in range(self.rng.randint(1, most)):
            lines += self.statement(names, depth)
        return lines

    def statement(self, names: Names, depth: int) -> list[str]:
        simple = [
            self.bind,
            self.bind,
            self.rebind,
            self.rebind,
            self.change,
            self.change,
            self.change,
            self.act,
        ]
        nested = [self.branch, self.loop, self.loop, self.guarded, self.function, self.while_loop]
        forms: list[Callable[[Names, int], list[str]]] = [*simple, *(nested if depth < 2 else [])]
        return self.rng.choice(forms)(names, depth) or self.bind(names, depth)

    def bind(self, names: Names, depth: int) -> list[str]:
        kind = (
            self.pick(*TYPES, *(2 * [*self.classes]), "fn")
            if depth == 0
            else self.pick("num", "vec")
        )
        name = self.fresh(kind.lower())
        line = f"{name} = {self.made(kind, names)}"
        names[name] = kind
        return [line]

    def rebind(self, names: Names, _depth: int) -> list[str]:
        """A name or an attribute that is there gets another value of its type."""
        kind = self.pick("num", "num", "vec", "nums", "table", "pair")
        name = self.one(names, kind)
        if name is None or kind != "num" and name not in names and self.maybe(0.5):
            return []
        if kind == "num" and self.maybe(0.4):
            return [f"{name} {self.pick('+=', '*=', '-=')} {self.number(names)}"]
        return [f"{name} = {self.made(kind, names)}"]

    def change(self, names: Names, depth: int) -> list[str]:
        """A change in place."""
        kind = self.pick("vec", "vec", "nums", "nums", "vecs", "table", *self.classes)
        name = self.one(names, kind)
        if name is None:
            return []
        a, u = self.number(names), self.vector(names)
        forms = {
            "vec": [
                f"{name}[{self.rng.randrange(-1, 3)}] = {a}",
                f"{name} *= {a}",
                f"{name}[1:] = {u}[:-1]",
            ]
            + [f"{name} += {u}", f"{name}[:] = {u}", f"np.multiply({name}, {u}, out={name})"],
            "nums": [
                f"{name}[{self.pick('0', '-1')}] = {a}",
                f"{name}[0] += {a}",
                f"{name}.reverse()",
            ]
            + (
                [f"{name}.append({a})", f"{name}.insert(0, {a})", f"{name}.extend([{a}, {a}])"]
                if not depth
                else []
            ),
            "vecs": [f"{name}[0] = {u}", f"{name}[-1] = {name}[0] * {a}", f"{name}[0][1] = {a}"]
            + ([f"{name}.append({u})"] if not depth else []),
            "table": [f'{name}["a"] = {a}', f'{name}["b"] *= {a}', f"{name}.update(a={a})"],
        }
        if kind in self.classes:
            methods = self.classes[kind].methods
            return [f"{name}.{self.rng.choice(methods)}({a})"] if methods else []
        return [self.rng.choice(forms[kind])]

    def act(self, names: Names, _depth: int) -> list[str]:
        total = self.one({k: v for k, v in names.items() if "." not in k}, "num")
        return [f"{total} = {total} * 0.5 + {self.number(names)}"] if total else []

    def branch(self, names: Names, depth: int) -> list[str]:
        lines = [f"if {self.test(names)}:", *indented(self.block(names, 2, depth + 1))]
        if self.maybe(0.3):
            lines += [f"elif {self.test(names)}:", *indented(self.block(names, 2, depth + 1))]
        if self.maybe(0.5):
            lines += ["else:", *indented(self.block(names, 2, depth + 1))]
        return lines

    def loop(self, names: Names, depth: int) -> list[str]:
        e, k, o = self.fresh("e"), self.fresh("k"), self.fresh("o")
        u, vecs, nums = self.vector(names, 1), self.one(names, "vecs"), self.one(names, "nums")
        table = self.one(names, "table")
        heads = [
            (f"for {e} in {u}:", {e: "num"}),
            (f"for {k}, {e} in enumerate({u}):", {e: "num"}),
            (f"for {e}, {o} in zip({u}, {self.vector(names, 0)}):", {e: "num", o: "num"}),
            (f"for {k} in range({self.rng.randrange(4)}):", {}),
            (f"for {e}, {o} in itertools.pairwise({u}):", {e: "num", o: "num"}),
        ]
        heads += [(f"for {e} in {vecs}:", {e: "vec"})] if vecs else []
        heads += [(f"for {e} in list({nums}):", {e: "num"})] if nums else []
        heads += [(f"for {k}, {e} in {table}.items():", {e: "num"})] if table else []
        for name, kind in self.helpers.items():
            heads += [(f"for {e} in {name}({u}):", {e: "num"})] * 2 if kind == "generator" else []
        head, bound = self.rng.choice(heads)
        inside = self.block({**names, **bound}, 3, depth + 1)
        if self.maybe(0.25):
            place = self.rng.choice([0, len(inside)])
            test, way = self.test({**names, **bound}), self.pick("break", "continue")
            inside[place:place] = [f"if {test}:", f"    {way}"]
        lines = [head, *indented(inside)]
        return (
            [*lines, "else:", *indented(self.block(names, 1, depth + 1))]
            if self.maybe(0.1)
            else lines
        )

    def while_loop(self, names: Names, depth: int) -> list[str]:
        k = self.fresh("k")
        test = f"{k} < {self.rng.randrange(4)}" + (
            f" and {self.test(names)}" if self.maybe(0.4) else ""
        )
        return [
            f"{k} = 0",
            f"while {test}:",
            f"    {k} += 1",
            *indented(self.block(names, 2, depth + 1)),
        ]

    def guarded(self, names: Names, depth: int) -> list[str]:
        """A try, whose body may raise."""
        inside = self.block(names, 2, depth + 1)
        fails = [f"if {self.test(names)}:", '    raise ValueError("far")']
        if self.maybe(0.7):
            place = self.pick("first", "last")
            inside = [*fails, *inside] if place == "first" else [*inside, *fails]
        lines = ["try:", *indented(inside), "except ValueError:"]
        lines += indented(self.block(names, 2, depth + 1) if self.maybe(0.7) else ["pass"])
        if self.maybe(0.2):
            lines += ["else:", *indented(self.block(names, 1, depth + 1))]
        if self.maybe(0.3):
            lines += ["finally:", *indented(self.block(names, 1, depth + 1))]
        return lines

    def function(self, names: Names, depth: int) -> list[str]:
        """A function that reads what is around it, or keeps a number there."""
        name, total = (
            self.fresh("fn"),
            self.one({k: v for k, v in names.items() if "." not in k}, "num"),
        )
        known = {**names, "v": "num"}
        lines = [f"def {name}(v):"]
        if total and self.maybe(0.4):
            lines += [
                f"    nonlocal {total}",
                f"    {total} = {total} * 0.5 + {self.number(known, 1)}",
            ]
        else:
            lines += indented(self.block(known, 1, 2)) if self.maybe(0.3) else []
        lines.append(f"    return {self.number(known)}")
        names[name] = "fn"
        return lines

    # -- definitions

    def class_text(self, name: str, base: _Class | None) -> list[str]:
        """A class whose constructor takes a number and an array; what it knows is entered in `classes`."""
        attributes = dict(base.attributes) if base else {}
        own = {
            f"a{self.fresh('')}": self.pick(*TYPES, *self.classes)
            for _ in range(self.rng.randint(1, 3))
        }
        if base is None:
            own = {"p": "num", "q": "vec", **own}
        made = _Class(name, {**attributes, **own})
        local: Names = {"p": "num", "q": "vec"}
        lines = [
            f"class {name}({base.name}):" if base else f"class {name}:",
            "    def __init__(self, p, q):",
        ]
        if base:
            lines.append(f"        super().__init__({self.pick('p', 'p * 0.5')}, q)")
        for attribute, kind in own.items():
            value = attribute if attribute in local else self.made(kind, local)
            lines.append(f"        self.{attribute} = {value}")
        for _ in range(self.rng.randint(1, 3)):
            lines += ["", *indented(self.method(made, base))]
        self.classes[name] = made
        return lines

    def method(self, made: _Class, base: _Class | None) -> list[str]:
        names: Names = {f"self.{a}": kind for a, kind in made.attributes.items()}
        names["k"] = "num"
        names.update({f"self.{p}": "num" for p in made.properties})
        form = self.rng.randrange(6)
        if form == 0:
            del names["k"]
            made.properties.append(self.fresh("now"))
            head = ["@property", f"def {made.properties[-1]}(self):"]
        elif form == 1 and not made.called:
            made.called = True
            head = ["def __call__(self, k):"]
        elif form == 2 and base and base.methods:
            name = self.rng.choice(base.methods)
            made.methods.append(name)
            inside = [*self.block(names, 1, 1), f"return super().{name}(k) * {self.number(names)}"]
            return [f"def {name}(self, k):", *indented(inside)]
        else:
            made.methods.append(self.fresh("m"))
            head = [f"def {made.methods[-1]}(self, k):"]
        inside = [] if form == 0 else self.block(names, 2, 1)
        return [*head, *indented([*inside, f"return {self.number(names)}"])]

    def helper(self, kind: str) -> list[str]:
        """A function of an array; the name is entered in `helpers`."""
        name, names = self.fresh(kind), {"u": "vec", "k": "num"}
        if kind == "generator":
            inside = [*self.block(names, 1, 1), "t = 0.0", "for e in u:"]
            inside.append(f"    t = t * 0.5 + {self.number({**names, 'e': 'num', 't': 'num'})}")
            if self.maybe(0.4):
                inside += [
                    f"    if {self.test({**names, 't': 'num'})}:",
                    f"        {self.pick('continue', 'return')}",
                ]
            inside.append("    yield t")
            head = f"def {name}(u, k=0.5):"
        else:
            result = self.number(names) if kind == "number" else self.vector(names)
            inside = self.block(names, 3, 0) if self.maybe(0.5) else self.block(names, 1, 1)
            if self.maybe(0.3):
                inside += [f"if {self.test(names)}:", f"    return {result}"]
            inside.append(
                f"return {self.number(names) if kind == 'number' else self.vector(names)}"
            )
            head = f"def {name}(u, k):"
        self.helpers[name] = kind
        return [head, *indented(inside)]

    def program(self, size: int) -> str:
        parts = [IMPORTS, "def scaled(k, v):\n    return k * v + 0.1"]
        for _ in range(self.rng.randint(0, 2)):
            parts.append("\n".join(self.helper(self.pick("number", "vector", "generator"))))
        for number in range(self.rng.randint(0, 3)):
            base = self.rng.choice([None, *self.classes.values()])
            parts.append("\n".join(self.class_text(f"K{number}", base)))
        names: Names = {"x": "vec", "s": "num", "t": "num"}
        lines = ["t = 0.3"]
        for _ in range(self.rng.randint(2, size)):
            lines += self.statement(names, 0)
        ends = [f"np.sum({v})" for v in self.reachable(names, "vec")] + self.reachable(names, "num")
        ends += [f"sum({v})" for v in self.reachable(names, "nums")]
        ends += [f"np.sum({v}[0] * {v}[-1])" for v in self.reachable(names, "vecs")]
        ends += [f"sum({v}.values())" for v in self.reachable(names, "table")]
        ends += [f"{v}[0] * np.sum({v}[1])" for v in self.reachable(names, "pair")]
        ends += [f"{v}(0.4)" for v in self.reachable(names, "fn")]
        self.rng.shuffle(ends)
        lines += [f"t = t + np.tanh({end})" for end in ends]
        parts.append("\n".join(["def f(x, s):", *indented([*lines, "return t"])]))
        return "\n\n\n".join(parts) + "\n"


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]


def arguments() -> tuple[np.ndarray, float]:
    return np.array([0.31, 0.72, 0.53]), 0.45


def generate(seed: int, size: int = 8) -> RandomProgram:
    """The program of a seed, which runs, and whose numbers stay small."""
    return first_that_runs(
        "classes", seed, lambda rng: _Writer(rng, {}, {}).program(size), arguments, 200
    )
