"""The derivative rules: one table a family of functions, one line a rule.

`rule` is what a line becomes, `laws` are the functions that take lines, `registry` finds the line for a call. A table
imports these only; those of SciPy are read when a function of SciPy is met (`on_demand`).
"""

from tangentish.rules import (  # noqa: F401  (importing a table registers its rows)
    arithmetic,
    complex_numbers,
    constants,
    covariances,
    elementary,
    fourier,
    helpers,
    joining,
    linear_algebra,
    order,
    places,
    polynomials,
    products,
    reductions,
    shapes,
    spacings,
)
from tangentish.rules.names import lookup
from tangentish.rules.on_demand import load_tables
from tangentish.rules.refused import (
    reason_against,
    reason_against_option,
    reason_against_parameter,
    reason_if_varying,
)
from tangentish.rules.registry import (
    ATTRIBUTES,
    CONSTANT,
    CONSTRUCTORS,
    DRAWS,
    METHODS,
    RULES,
    STARRED,
    array_operands,
    is_constant,
    plain_arguments,
    select,
)
from tangentish.rules.rule import ABSENT, Parameter, Rule

__all__ = [
    "ABSENT",
    "ATTRIBUTES",
    "CONSTANT",
    "CONSTRUCTORS",
    "DRAWS",
    "METHODS",
    "RULES",
    "STARRED",
    "Parameter",
    "Rule",
    "array_operands",
    "plain_arguments",
    "is_constant",
    "load_tables",
    "lookup",
    "reason_against",
    "reason_against_option",
    "reason_against_parameter",
    "reason_if_varying",
    "select",
]
