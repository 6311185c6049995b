"""The derivative rules: one table a family of functions, one line a rule."""

from tangentish.rules import (  # noqa: F401  (importing a table registers its rows)
    arithmetic,
    constants,
    elementary,
    helpers,
    indexing_and_joining,
    linear_algebra,
    reductions,
    shapes,
)
from tangentish.rules.rule import (
    ABSENT,
    ATTRIBUTES,
    CONSTANT,
    CONSTRUCTORS,
    DRAWS,
    METHODS,
    RULES,
    STARRED,
    Parameter,
    Rule,
    is_constant,
    lookup,
    select,
)

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
    "is_constant",
    "lookup",
    "select",
]
