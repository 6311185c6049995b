"""Rules of squares: of `np.abs(x) ** 2` and `np.linalg.norm(x) ** 2`, which are smooth where the roots have a kink.

The adjoint of such a root y divides by y; that of its square, 2 * y times as much, does not.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tangentish.rules.rule import Rule

_BY_ROOT = (
    (re.compile(r"np\.conj\(ratio\((\w+), y\)\)"), r"2 * np.conj(\1)"),
    (re.compile(r"ratio\(g, y\)"), "g * 2"),
    (re.compile(r"ratio\((\w+|xs\[k\]), y\)"), r"2 * \1"),
)


def square_of(rule: Rule) -> Rule | None:
    """The rule of the square of what a rule is for; None where that does not divide by the root."""
    adjoints = {operand: _of_square(rule, text) for operand, text in rule.adjoints.items()}
    tangents = {operand: _of_square(rule, text) for operand, text in rule.tangents.items()}
    texts = (*adjoints.values(), *tangents.values())
    if adjoints == rule.adjoints or any("y" in re.findall(r"\w+", text) for text in texts):
        return None
    return replace(rule, adjoints=adjoints, tangents=tangents)


def _of_square(rule: Rule, text: str) -> str:
    if rule.law == "elementwise" and text == "g * np.sign(x)":
        return "g * 2 * x"
    for pattern, new in _BY_ROOT:
        text = pattern.sub(new, text)
    return text
