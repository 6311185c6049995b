"""cmath: the functions of NumPy for one complex number."""

from __future__ import annotations

from tangentish.rules import complex_numbers  # noqa: F401  (the rows of NumPy's functions)
from tangentish.rules.laws import constant, elementwise
from tangentish.rules.names import lookup
from tangentish.rules.registry import RULES

_NAMES = """
    sqrt exp log log10 sin cos tan sinh cosh tanh
    asin:arcsin acos:arccos atan:arctan asinh:arcsinh atanh:arctanh
"""
for pair in _NAMES.split():
    name, _, of = pair.partition(":")
    rows = [row for row in RULES[lookup(f"np.{of or name}")] if row.is_for("complex")]
    elementwise(f"cmath.{name}(x)", numbers="complex", **rows[0].adjoints)
elementwise("cmath.acosh(x)", numbers="complex", x="g / np.sinh(y)")
elementwise(
    "cmath.phase(x)", numbers="complex", x="-1j * ratio(g, x)", x_dot="np.imag(ratio(x_dot, x))"
)
constant("cmath.isnan", "cmath.isinf", "cmath.isfinite", "cmath.isclose")
