"""Every way of writing a function anew, by its name; and mixtures of them, drawn anew for each seed and function."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable

from ways_of_holding import HOLDING
from ways_of_lines import LINES
from ways_of_values import BEFORE, VALUES
from ways_of_writing import WAYS as PLAIN
from ways_of_writing import Unfit, Way, around, body_of, each_value, expression

__all__ = ["MIXTURES", "WAYS", "all_ways"]

AROUND = (
    "if FLAGS[0]:\n    pass",
    "if not FLAGS[0]:\n    raise ValueError\nelse:\n    pass",
    "try:\n    pass\nfinally:\n    tried = True",
    "try:\n    pass\nexcept KeyboardInterrupt:\n    raise",
    "with np.errstate(all='ignore'):\n    pass",
    "with contextlib.suppress(KeyError):\n    pass",
    "for once in range(1):\n    pass",
    "for once in (0,):\n    pass",
    "for once in range(int(FLAGS[0])):\n    pass",
    "while True:\n    pass\n    break",
    "match 0:\n    case 0:\n        pass",
)
_STAY = (ast.FunctionDef, ast.ClassDef, ast.Return, ast.Import, ast.ImportFrom)
_TRIES = 30


def by_template(template: str) -> Way:
    """An expression for each value, in which it stands as `VALUE`."""

    def written(function: ast.FunctionDef) -> str:
        each_value(function, lambda value: filled(template, value))
        return BEFORE

    return written


def filled(template: str, value: ast.expr) -> ast.expr:
    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return value if node.id == "VALUE" else node

    new: ast.expr = Fill().visit(expression(template))
    return new


WAYS: dict[str, Way] = PLAIN | HOLDING | LINES | {k: by_template(t) for k, t in VALUES.items()}


# -- mixtures


def mixed_values(draw: random.Random) -> Way:
    """Each second value another way."""

    def new(value: ast.expr) -> ast.expr:
        return filled(draw.choice([*VALUES.values()]), value) if draw.random() < 0.5 else value

    def written(function: ast.FunctionDef) -> str:
        each_value(function, new)
        return BEFORE

    return written


def mixed_lines(draw: random.Random) -> Way:
    """Every other line in a statement of its own."""

    def new(line: ast.stmt) -> ast.stmt:
        if isinstance(line, _STAY) or draw.random() > 0.6:
            return line
        return around(draw.choice(AROUND), [line])

    def written(function: ast.FunctionDef) -> str:
        function.body = [new(line) for line in body_of(function)]
        return BEFORE

    return written


def pairs(draw: random.Random) -> Way:
    """Two ways, one after the other."""

    def written(function: ast.FunctionDef) -> str:
        names = [name for name in WAYS if name != "methods"]
        done: dict[str, str] = {}
        for _ in range(_TRIES):
            name = draw.choice(names)
            tree = copy.deepcopy(function)
            try:
                before = WAYS[name](tree)
            except Unfit:
                continue
            if name not in done:
                vars(function).update(vars(ast.fix_missing_locations(tree)))
                done[name] = before
            if len(done) == 2:
                return f"# {' and '.join(done)}\n" + "\n".join(dict.fromkeys(done.values()))
        raise Unfit

    return written


MIXTURES: dict[str, Callable[[random.Random], Way]] = {
    "mixed_values": mixed_values,
    "mixed_lines": mixed_lines,
    "pairs": pairs,
}


def all_ways(name: str, seed: int) -> dict[str, Way]:
    """All ways of writing the function of a name; what is drawn for it."""
    draw = random.Random(f"{seed} {name}")
    return WAYS | {mixture: made(draw) for mixture, made in MIXTURES.items()}
