"""Ways of writing a function anew: where its variables are, and as which function of another one it is called."""

from __future__ import annotations

import ast

from ways_of_writing import (
    Moved,
    Unfit,
    Way,
    around,
    assigned,
    body_of,
    bound,
    expression,
    lines,
    of_comprehensions,
    parameters,
    walk_own,
)  # fmt: skip

__all__ = ["HOLDING"]


def plain_names(function: ast.FunctionDef) -> list[str]:
    """The variables that only assignments bind, in order; unfit where there are none."""
    names = assigned(function)
    if not names or any(name.startswith("_") for name in names):
        raise Unfit
    return [n for n in dict.fromkeys([*parameters(function), *bound(function)]) if n in names]


# -- where variables are


def in_state(make: str, change: str) -> Way:
    """Variables are fields of a value that each assignment replaces."""

    def written(function: ast.FunctionDef) -> str:
        names = plain_names(function)
        given = [n for n in parameters(function) if n in names]
        start = ", ".join(f"{n}={n if n in given else None}" for n in names)
        body = Replaced(names, change).block(body_of(function))
        function.body = [*lines(f"state = HeldState({start})"), *body]
        return make.format(fields="\n    ".join(f"{n}: typing.Any" for n in names))

    return written


class Replaced(ast.NodeTransformer):
    """`state = state._replace(x=e)` for `x = e`."""

    def __init__(self, names: list[str], change: str) -> None:
        self.names, self.change = frozenset(names), change

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [new for line in body for new in self.lines_for(line)]

    def lines_for(self, line: ast.stmt) -> list[ast.stmt]:
        for part in ("body", "orelse", "finalbody"):
            if block := getattr(line, part, None):
                setattr(line, part, self.block(block))
        for handler in getattr(line, "handlers", []):
            handler.body = self.block(handler.body)
        match line:
            case ast.Assign(targets=targets, value=value):
                return self.assigned(targets, self.visit(value))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value) if name in self.names:
                shown = f"state.{name}"
                made = lines(f"made = {shown}\nmade += 0")
                made[1].op, made[1].value = op, self.visit(value)  # type: ignore[attr-defined]
                return [*made, *self.stored(name, "made")]
            case ast.For() | ast.While() | ast.If() | ast.With() | ast.Try():
                for field in ("iter", "test", "target", "items"):
                    part = getattr(line, field, None)
                    if isinstance(part, ast.AST):
                        setattr(line, field, self.visit(part))
                    elif part:
                        setattr(line, field, [self.visit(p) for p in part])
                return [line]
        return [self.visit(line)]

    def assigned(self, targets: list[ast.expr], value: ast.expr) -> list[ast.stmt]:
        made = [ast.Assign([ast.Name("made", ast.Store())], value)]
        after: list[ast.stmt] = []
        for target in targets:
            match target:
                case ast.Name(id=name) if name in self.names:
                    after += self.stored(name, "made")
                case ast.Tuple(elts=parts) if set(bound(target)) & self.names:
                    if not all(isinstance(p, ast.Name) and p.id in self.names for p in parts):
                        raise Unfit
                    held = [f"part_{k}" for k in range(len(parts))]
                    after += lines(f"{', '.join(held)}, = made")
                    for k, p in enumerate(parts):
                        after += self.stored(p.id, held[k])  # type: ignore[attr-defined]
                case _:
                    after.append(ast.Assign([self.visit(target)], expression("made")))
        return [*made, *after]

    def stored(self, name: str, value: str) -> list[ast.stmt]:
        return lines(self.change.format(name=name, value=value))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names:
            return node
        if not isinstance(node.ctx, ast.Load):
            raise Unfit
        return expression(f"state.{node.id}")


def held_in(start: str, shown: str, before: str = "") -> Way:
    """Variables in one thing: `shown` is where one is, by its name and its place."""

    def written(function: ast.FunctionDef) -> str:
        names = plain_names(function)
        given = [n for n in parameters(function) if n in names]

        def place(name: str, ctx: ast.expr_context) -> ast.expr:
            found = expression(shown.format(name=name, place=names.index(name)))
            found.ctx = ctx  # type: ignore[attr-defined]
            return found

        moved = [Moved(names, place).visit(line) for line in body_of(function)]
        into = [ast.Assign([place(n, ast.Store())], ast.Name(n, ast.Load())) for n in given]
        function.body = [*lines(start.format(count=len(names))), *into, *moved]
        pairs = "\n".join(
            f"    @property\n    def {n}(self):\n        return self._{n}\n"
            f"    @{n}.setter\n    def {n}(self, value):\n        self._{n} = value"
            for n in names
        )
        return before.format(properties=pairs)

    return written


def outside(function: ast.FunctionDef) -> str:
    """Variables of the module."""
    names = plain_names(function)
    given = [n for n in parameters(function) if n in names]
    far = {n: f"far_{n}" for n in names}
    moved = [
        Moved(names, lambda n, ctx: ast.Name(far[n], ctx)).visit(line) for line in body_of(function)
    ]
    into = lines("".join(f"{far[n]} = {n}\n" for n in given))
    function.body = [*lines(f"global {', '.join(far.values())}"), *into, *moved]
    return "".join(f"{n} = None\n" for n in far.values())


def nonlocals(function: ast.FunctionDef) -> str:
    """Each line, or loop, in a function inside that binds the variables of the function."""
    assigned(function)
    body, known, count = list[ast.stmt](), set(parameters(function)), 0
    for line in body_of(function):
        stored = [n for n in bound(line) if n not in of_comprehensions(line)]
        leaves = any(isinstance(n, (ast.Return, ast.Delete)) for n in ast.walk(line))
        if stored and not leaves:
            new = [n for n in stored if n not in known]
            body += lines("".join(f"{n} = None\n" for n in new))
            body.append(
                around(f"def step_{count}():\n    nonlocal {', '.join(stored)}\n    pass", [])
            )
            step = body[-1]
            assert isinstance(step, ast.FunctionDef)
            step.body = [step.body[0], line]
            body += lines(f"step_{count}()")
            count += 1
        else:
            body.append(line)
        known |= set(stored)
    if not count:
        raise Unfit
    function.body = body
    return ""


# -- the whole


def as_inner(text: str, before: str = "") -> Way:
    """The body in another function, `inner`, which is called with `GIVEN`."""

    def written(function: ast.FunctionDef) -> str:
        lines_inside = (n for s in body_of(function) for n in walk_own(s))
        if not any(isinstance(n, ast.Return) and n.value for n in lines_inside):
            raise Unfit  # it gives nothing
        given = ", ".join(parameters(function))
        body = "\n    ".join(
            ast.unparse(ast.fix_missing_locations(s)).replace("\n", "\n    ")
            for s in body_of(function)
        )
        inner = f"def inner({given}):\n    {body}\n"
        function.body = lines(
            text.replace("GIVEN", given).replace(
                "PAIRS", ", ".join(f"{n}={n}" for n in parameters(function))
            )
        )
        return before + inner

    return written


def as_generator(function: ast.FunctionDef) -> str:
    """`yield e` for `return e`, of which the first is taken."""
    given = ", ".join(parameters(function))
    inner = ast.Module(body_of(function), [])
    returns = [n for s in inner.body for n in walk_own(s) if isinstance(n, ast.Return)]
    if len(returns) != 1 or inner.body[-1] is not returns[0] or returns[0].value is None:
        raise Unfit
    inner.body[-1] = ast.Expr(ast.Yield(returns[0].value))
    text = ast.unparse(ast.fix_missing_locations(inner)).replace("\n", "\n    ")
    function.body = lines(f"for found in inner({given}):\n    pass\nreturn found")
    return f"def inner({given}):\n    {text}\n"


def again(function: ast.FunctionDef) -> str:
    """All of it twice: the second time counts."""
    *body, last = body_of(function)
    if not isinstance(last, ast.Return) or any(
        isinstance(n, ast.Return) for s in body for n in walk_own(s)
    ):
        raise Unfit
    loop = around("for trip in range(2):\n    pass", [*body, *lines("found = 0")])
    assert isinstance(loop, ast.For)
    loop.body[-1].value = last.value or ast.Constant(None)  # type: ignore[attr-defined]
    function.body = [loop, *lines("return found")]
    return ""


_STATE = "import dataclasses, typing\n"
HOLDING: dict[str, Way] = {
    "tuple_state": in_state(
        _STATE + "class HeldState(typing.NamedTuple):\n    {fields}\n",
        "state = state._replace({name}={value})",
    ),
    "replaced_state": in_state(
        _STATE + "@dataclasses.dataclass(frozen=True)\nclass HeldState:\n    {fields}\n",
        "state = dataclasses.replace(state, {name}={value})",
    ),
    "cells": held_in("cells = [None] * {count}", "cells[{place}]"),
    "namespace": held_in("held = types.SimpleNamespace()", "held.{name}", "import types\n"),
    "properties": held_in("held = Held()", "held.{name}", "class Held:\n    pass\n{properties}\n"),
    "nested": held_in("held = {{'of': {{}}}}", "held['of']['{name}']"),
    "outside": outside,
    "nonlocals": nonlocals,
    "inner_stars": as_inner(
        "return passed(GIVEN)",
        "def passed(*args, **kwargs):\n    return inner(*args, **kwargs)\n",
    ),
    "inner_keywords": as_inner("return inner(**dict(PAIRS))"),
    "inner_list": as_inner("return unpacked([GIVEN])", "def unpacked(p):\n    return inner(*p)\n"),
    "inner_partial": as_inner("return functools.partial(inner, GIVEN)()", "import functools\n"),
    "inner_lambda": as_inner("return (lambda: inner(GIVEN))()"),
    "generator": as_generator,
    "again": again,
}
