"""Gradients that are taken inside of a function: every helper that generated text calls has a derivative itself.

For every set of helpers that the rows of the tables name, a row is differentiated twice, reverse over reverse and
forward over reverse, against numeric derivatives of its gradient.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import test_rules_numeric as numeric_rules
from rule_samples import Sample

from tangentish import grad, jvp, runtime
from tangentish.rules import Rule
from tangentish.rules.names import lookup
from tangentish.rules.registry import CONSTANT, RULES

SCIPY = "special linalg stats signal integrate interpolate spatial.distance fft fftpack ndimage"
HEAD = [
    "import math",
    "import operator",
    "import scipy",
    "import numpy as np",
    "from tangentish import grad",
]
HEAD += [f"import scipy.{name}" for name in SCIPY.split()]

# The sample of a row meets its own name as a helper, or its operands are not arrays.
KINKS = ("np.fmax", "np.fmin", "np.float32", "np.longdouble", "np.select")


@dataclass(frozen=True)
class Case:
    """A function of one operand, and the others as they are."""

    name: str
    text: str
    parameters: tuple[str, ...]
    arguments: tuple[Any, ...]
    operand: str
    parts: tuple[int, ...] | None  # of several results those that are floats

    def lines(self) -> list[str]:
        given = ", ".join(self.parameters)
        one = "np.sum(np.sin({y}) * {y})"
        parts = ("value",) if self.parts is None else tuple(f"value[{k}]" for k in self.parts)
        return [
            f"def f_{self.name}({given}):",
            f"    value = {self.text}",
            "    return " + " + ".join(one.format(y=y) for y in parts),
            f"def inside_{self.name}({given}, weighed):",
            f"    slope = grad(f_{self.name}, wrt={self.operand!r})({given})",
            "    return np.sum(weighed * slope)",
        ]


class _Filled(ast.NodeTransformer):
    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def visit_Name(self, node: ast.Name) -> ast.AST:
        text = self.texts.get(node.id)
        return node if text is None else ast.parse(text, mode="eval").body


def helpers_of(rule: Rule, operand: str) -> frozenset[str]:
    """Those that a gradient inside calls, in the adjoint or in the tangent of that."""
    text = rule.adjoint(operand, **dict.fromkeys(("N", "R", "F"), 2))
    text += " " + rule.tangents.get(operand, "")
    return frozenset(re.findall(r"\w+", text)) & set(runtime.__all__)


def is_number(value: Any) -> bool:
    return isinstance(value, (float, np.ndarray)) and np.asarray(value).dtype == float


def case_of(name: str, rule: Rule, operand: str, sample: Sample) -> Case | None:
    """The row as a function, where the operand is a number or an array and the result is real."""
    if not is_number(sample[operand]) or not np.size(sample[operand]):
        return None
    y = numeric_rules.result(rule, sample)
    parts = None
    if isinstance(y, (tuple, list)):
        parts = tuple(k for k, part in enumerate(y) if np.asarray(part).dtype.kind == "f")
    elif np.asarray(y).dtype.kind != "f":
        return None
    texts = {
        k: "np." + repr(v) if isinstance(v, float) and not np.isfinite(v) else repr(v)
        for k, v in sample.items()
        if v is None or isinstance(v, (int, str, float, bool)) and k not in rule.operands
        or isinstance(v, (tuple, list)) and not any(isinstance(e, np.ndarray) for e in v)
    }  # fmt: skip
    given = {k: v for k, v in sample.items() if k not in texts}
    # a name in the text of the row may be one of its parameters, too
    text = ast.unparse(_Filled(texts).visit(ast.parse(rule.call, mode="eval")))
    return Case(name, text, tuple(given), tuple(given.values()), operand, parts)


def cases() -> Iterator[tuple[frozenset[str], Case]]:
    seen: set[tuple[str, frozenset[str]]] = set()
    for number, rule in enumerate(numeric_rules.ROWS_OF_ALL):
        function = numeric_rules.function(rule)
        if function in runtime.__all__ or function in KINKS or rule.numbers.endswith("Python"):
            continue
        for operand in rule.operands:
            helpers = helpers_of(rule, operand)
            key = (function, helpers)
            if not helpers or key in seen:
                continue
            for sample in numeric_rules.samples(rule):
                found = case_of(f"{number}_{operand}", rule, operand, sample)
                if found is not None:
                    seen.add(key)
                    yield helpers, found
                    break


CASES = list(cases())


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    lines = [*HEAD, *(line for _, case in CASES for line in case.lines())]
    path: Path = tmp_path_factory.mktemp("inside") / "gradients_inside.py"
    path.write_text("\n".join(lines), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("gradients_inside", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def slope_along(function: Callable[[Any], Any], x: Any, along: Any) -> Any:
    """Richardson's central differences."""
    wide, narrow = (
        (np.asarray(function(x + h * along)) - np.asarray(function(x - h * along))) / (2 * h)
        for h in (2e-4, 1e-4)
    )
    return (4 * narrow - wide) / 3


@pytest.mark.parametrize("case", [pytest.param(c, id=f"{c.text}-{c.operand}") for _, c in CASES])
def test_gradients_inside(case: Case, module: Any) -> None:
    place = case.parameters.index(case.operand)
    x = case.arguments[place]
    rng = np.random.default_rng(0)
    weights, along = rng.uniform(0.5, 1, np.shape(x)), rng.uniform(0.5, 1, np.shape(x))
    if not isinstance(x, np.ndarray):
        weights, along = float(weights), float(along)

    def given(x: Any) -> list[Any]:
        return [*case.arguments[:place], x, *case.arguments[place + 1 :]]

    f, inside = (getattr(module, f"{kind}_{case.name}") for kind in ("f", "inside"))
    with np.errstate(all="ignore"):
        slope = grad(f, wrt=case.operand)
        wanted = np.sum(weights * slope_along(lambda x: slope(*given(x)), x, along))
        found = grad(inside, wrt=case.operand)(*given(x), weights)
        assert np.sum(found * along) == pytest.approx(wanted, rel=1e-5, abs=1e-5)
        tangents = [None] * (len(case.arguments) + 1)
        tangents[place] = along
        found = jvp(inside, (*given(x), weights), tuple(tangents))[1]
        assert found == pytest.approx(wanted, rel=1e-5, abs=1e-5)


# Of lists, dicts and objects: they move values, and are differentiated where they stand.
OF_CONTAINERS = """
    add_at added assigned captured contents copied head_like in_structure kept put_back put_entry real_like real_parts
    set_contents set_item set_items swapped take_last take_out unstacked with_fields zeros zeros_of_each
"""


# Of functions that take more than numbers and arrays: tests/test_second_order_rules.py asks for theirs.
OF_STRUCTURES = """
    cho_solve_left cho_solve_tangent lu_product_tangent lu_solve_left toeplitz_adjoint turned_toeplitz last_stored meshgrid_adjoint singular_values_tangent
"""
# What is refused in a gradient inside: it is not known whether it is complex; an array of arrays; it solves again.
REFUSED = """
    eig_adjoint eig_tangent eigvals_adjoint eigvals_tangent hermitian_adjoint hermitian_tangent roots_adjoint
    block_adjoint odeint_adjoint slogdet_adjoint solved_ivp solved_ivp_adjoint
"""


def names_in_rows(rows: Iterable[Rule]) -> set[str]:
    texts = (text for row in rows for text in (*row.adjoints.values(), *row.tangents.values()))
    return set(re.findall(r"\w+", " ".join(texts)))


def test_every_helper_is_among_them() -> None:
    """A helper has a row or is constant, or it is NumPy, of which a gradient above is made."""
    met = frozenset().union(*(helpers for helpers, _ in CASES))
    has_rows = {name for name in runtime.__all__ if RULES.get(lookup(name)) or is_constant(name)}
    of_rows = names_in_rows(row for name in has_rows for row in RULES.get(lookup(name), ()))
    rest = set(runtime.__all__) - met - has_rows - of_rows
    assert rest - set((OF_CONTAINERS + OF_STRUCTURES).split()) == set(REFUSED.split())


def is_constant(name: str) -> bool:
    return lookup(name) in CONSTANT
