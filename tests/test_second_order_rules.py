"""Second derivatives of every elementwise row, against numeric derivatives of its gradient."""

from __future__ import annotations

import ast
import importlib.util
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad
from tangentish.rules import RULES, Rule

POINTS = {"x": 0.63, "z": 0.41, "p": 1.7, "b": 2.3, "h": 0.8, "r": 0.9, "n": 3.4}
ABOVE_ONE = {"np.arccosh": 1.7, "math.acosh": 1.7}


def is_plain(rule: Rule) -> bool:
    """Whether the row's parameters are its operands, each a name, besides numbers."""
    named = [p.name for p in rule.parameters if not p.any_number and not p.name.startswith("_")]
    return (
        rule.law == "elementwise"
        and tuple(named) == rule.operands
        and not any(p.variadic or p.keyword_only for p in rule.parameters)
        and ":=" not in rule.primal
    )


ROWS = [rule for rules in RULES.values() for rule in rules if is_plain(rule) and rule.is_for(False)]


SCIPY = [f"import scipy.{name}" for name in ("integrate", "linalg", "signal", "special", "stats")]


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[..., Any]]:
    """A function for every row, written to a file, so that its source is found."""
    lines = ["import math", "import numpy as np", "from tangentish.runtime import *", *SCIPY, ""]
    for number, rule in enumerate(ROWS):
        parameters = ", ".join(rule.operands)
        lines += [f"def row_{number}({parameters}):", f"    return {with_number(rule)}", ""]
    path: Path = tmp_path_factory.mktemp("rows") / "rows_of_the_tables.py"
    path.write_text("\n".join(lines), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("rows_of_the_tables", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {rule.primal: getattr(module, f"row_{k}") for k, rule in enumerate(ROWS)}


def with_number(rule: Rule) -> str:
    tree = ast.parse(rule.primal, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "N":
            node.id = "3"
    return ast.unparse(tree)


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.primal) for rule in ROWS])
def test_second_order(rule: Rule, functions: dict[str, Callable[..., Any]]) -> None:
    f = functions[rule.primal]
    name = rule.primal.partition("(")[0]
    args = [ABOVE_ONE.get(name, POINTS.get(p, 0.57)) for p in rule.operands]
    for first, second in itertools.product(range(len(args)), repeat=2):
        gradient = grad(f, wrt=first)
        try:
            found = grad(gradient, wrt=second)(*args)
        except NotDifferentiable as error:
            assert "has no derivative itself yet" in str(error)  # noqa: PT017
            continue
        assert found == pytest.approx(numeric(gradient, args, second), rel=1e-6, abs=1e-7)


def numeric(gradient: Callable[..., Any], args: list[float], k: int) -> float:
    def at(step: float) -> float:
        moved = [a + step * (i == k) for i, a in enumerate(args)]
        return float(np.asarray(gradient(*moved)))

    wide, narrow = ((at(h) - at(-h)) / (2 * h) for h in (1e-3, 5e-4))
    return (4 * narrow - wide) / 3
