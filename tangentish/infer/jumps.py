"""Where an integrand may jump: the integral moves with the place of a jump, which no slope tells."""

from __future__ import annotations

import cmath
import math
import operator
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.facts import Callee, Facts
from tangentish.infer.known_functions import ListMethod
from tangentish.rules import CONSTRUCTORS, Rule
from tangentish.rules.names import is_helper
from tangentish.rules.own import OwnRule
from tangentish.runtime import calling

# What a rule says no jump of.
_JUMPING: set[Any] = {
    np.mod, np.fmod, np.divmod, np.copysign, np.heaviside, np.nextafter, np.arange, np.arctan2, np.angle, np.modf,
    np.unwrap, np.histogram, np.histogram2d, np.histogramdd, math.fmod, math.remainder, math.modf, math.copysign,
    math.atan2, cmath.phase, operator.mod, divmod,
}  # fmt: skip
# What is asked of a value, or of its shape, which does not jump with it.
_ASKING: set[Any] = {
    np.shape, np.ndim, np.size, np.result_type, len, isinstance, type, callable, hasattr, np.isscalar, np.iterable,
    enumerate, zip, reversed, list, tuple, str, repr,
}  # fmt: skip
_FILLING = {"append", "extend", "insert", "pop", "reverse", "copy", "clear", ir.EXCHANGE}
# What is chosen by a key that varies may be another one at any place.
_ORDERING: set[Any] = {
    calling.in_order_of, calling.largest_by, calling.smallest_by, calling.largest, calling.smallest,
    calling.taken_while, calling.dropped_while,
}  # fmt: skip
# Distributions whose densities are one expression everywhere.
_WITHOUT_EDGES = {"norm", "t", "cauchy", "laplace", "logistic"}
_OF_SHAPES = {
    "unbroadcast", "spread", "full", "cast", "along", "across", "checked", "head_like", "take_adjoint",
}  # fmt: skip


def may_jump(program: Any) -> bool:
    """Whether anything that a slope was generated from compares or rounds what varies."""
    analyses = program.analyses.values()
    return any(analysis.source.function in _ORDERING for analysis in analyses) or any(
        _jumps(node, analysis.facts)
        for analysis in analyses
        for node in ir.nodes_in(*ir.walk_statements(analysis.function.body))
    )


def _jumps(node: Any, facts: Facts) -> bool:
    if isinstance(node, gast.Compare):
        if all(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops):
            return False
        return facts.varies(node.left, *node.comparators)
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mod, gast.FloorDiv)):
        return facts.kind(node.left).active or facts.kind(node.right).active
    callee = facts.callees.get(node)
    if callee is None or callee.user is not None or not _takes_what_varies(callee, facts):
        return False
    if isinstance(callee.function, ListMethod) and callee.function.name in _FILLING:
        return False
    if callee.function in _ASKING or callee.function in CONSTRUCTORS - _JUMPING:
        return False
    ends = isinstance(node, gast.Call) and not facts.kind(node).active
    return ends or callee.function in _JUMPING or _is_flat(callee, facts) or _has_edges(callee)


def _takes_what_varies(callee: Callee, facts: Facts) -> bool:
    given = (*callee.given, *callee.bound.values())
    parts = (part for e in given for part in (e if isinstance(e, tuple) else (e,)))
    return any(isinstance(e, gast.AST) and facts.kind(e).active for e in parts)


def _has_edges(callee: Callee) -> bool:
    """Whether a function is another one beyond some place: np.interp with `left=`, the density of an exponential."""
    if callee.function is np.interp:
        return len(callee.args) > 3 or bool(callee.keywords)
    owner = getattr(callee.function, "__self__", None)
    is_density = getattr(callee.function, "__name__", "") in ("pdf", "logpdf", "pmf", "logpmf")
    return is_density and getattr(owner, "name", "") not in _WITHOUT_EDGES


def _is_flat(callee: Callee, facts: Facts) -> bool:
    """Whether a helper's rule says that nothing flows back to what varies: it moves in steps."""
    rule = callee.rule
    if not isinstance(rule, Rule) or isinstance(rule, OwnRule) or not is_helper(callee.function):
        return False
    if rule.primal.partition("(")[0] in _OF_SHAPES:
        return False
    still = (callee.bound.get(name) for name, text in rule.adjoints.items() if text == "0")
    return any(isinstance(e, gast.AST) and facts.kind(e).active for e in still)
