"""The registry of rules: the rows of each function, and what carries no derivative."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np

from tangentish.rules.harmless import without_harmless
from tangentish.rules.names import lookup
from tangentish.rules.rule import Rule, dotted, expression_of

T = TypeVar("T")

RULES: dict[object, list[Rule]] = {}
"""Function, or name of an operator's ast class ("Mult") -> its rows; the first that matches counts."""

METHODS: dict[str, object] = {}
"""Method or attribute of an array -> the function whose rule it shares, with the array first."""

STARRED: dict[str, str] = {"reshape": "shape", "transpose": "axes"}
"""Methods that take one tuple also as separate arguments, `x.reshape(2, 3)` -> its parameter."""

ATTRIBUTES: dict[str, bool] = {}
"""Attribute of an array -> whether a derivative flows through it; then METHODS has its function."""

CONSTANT: set[object] = set()
"""Functions that are piecewise constant, or whose value is no real number: no derivative flows."""

TRIED: set[object] = set()
"""Those of them that are called on stand-ins to see what they give: it follows from the shapes of arrays of numbers."""

CONSTRUCTORS: set[object] = set()
"""Functions whose values depend on no real argument, and settings of the environment.

Where a function has rows in RULES too (np.arange), those decide when an argument varies.
"""

DRAWS: set[object] = set()
"""Random draws: no derivative as long as no argument varies (else refuse); an effect, in order."""

WARNING: set[object] = set()
"""Functions that stand on lines of their own in helpers, to warn where a tangent is not known.

A gradient that is taken through the helper leaves them out: it warns itself, where the tangent counts.
"""

MADE_OF_NUMBERS: dict[object, Callable[..., object]] = {}
"""Functions that make arrays of numbers at rest, refused where one varies -> what is called on stand-ins instead."""

NEVER_TRIED: set[object] = set()
"""Functions that must not be called on stand-ins to see what they give: they may end the process."""

MAY_BE_COMPLEX: set[object] = set()
"""What gives complex numbers of real ones as the data have it: the result counts as complex."""

COMPLEX_AT_REST: set[object] = set()
"""What may give complex numbers of real ones as well, which is asked where they carry no derivative."""

SHAPED_LIKE: dict[object, int] = {}
"""Functions that most stand-ins do not suit -> which argument's kind their result has."""

WITHOUT_COLUMNS: set[object] = set()
"""Those of them that make a vector of a matrix of one column."""

OF_SEQUENCES = {"xs", "hs", "c_and_lower", "lu_and_piv", "c_or_cr", "c_and_r", "tck"}
"""The names of what is a list or tuple, and no array."""


def select(
    function: object,
    arguments: Sequence[T],
    keywords: Mapping[str, T],
    literal: Callable[[T], object],
    rank: Callable[[T], int | None],
    is_sequence: Callable[[T], bool] = lambda _: True,
    numbers: str = "real",
) -> tuple[Rule, dict[str, T | tuple[T, ...]]] | None:
    """The first row that this call matches, and the call's arguments by parameter; None if there is none.

    `literal` gives an argument's literal value, or ABSENT; `rank` gives its rank, or None where that is unknown;
    `is_sequence` tells lists and tuples (of arrays) from arrays: where it says no, the rows for
    sequences are passed over. `numbers`: which take part (Rule.is_for). A ufunc may have a `dtype`.
    """
    for rule in RULES.get(function, ()):
        bound = rule.bind(arguments, keywords) if rule.is_for(numbers) else None
        if (
            bound is not None
            and _literals_match(rule, bound, literal)
            and _ranks_match(rule, bound, rank)
            and _sequence_matches(rule, bound, is_sequence)
        ):
            return rule, bound
    if isinstance(function, np.ufunc) and "dtype" in keywords:
        rest = {name: value for name, value in keywords.items() if name != "dtype"}
        # gradients come back in the operands' own types, whatever that of the result is
        return select(function, arguments, rest, literal, rank, is_sequence, numbers)
    fewer = without_harmless(function, arguments, keywords, literal, numbers != "complex")
    if len(fewer[0]) + len(fewer[1]) < len(arguments) + len(keywords):
        return select(function, *fewer, literal, rank, is_sequence, numbers)
    return None


def array_operands(
    function: object,
    arguments: Sequence[T],
    keywords: Mapping[str, T],
    literal: Callable[[T], object],
    is_sequence: Callable[[T], bool],
) -> Iterator[T]:
    """The arguments that rows of this function read as arrays, not as lists or tuples."""
    arguments, keywords = without_harmless(function, arguments, keywords, literal)
    for rule in RULES.get(function, ()):
        bound = rule.bind(arguments, keywords)
        if bound is not None and _sequence_matches(rule, bound, is_sequence):
            for name in rule.names if rule.law == "elementwise" else rule.operands:
                argument = bound.get(name)
                if isinstance(argument, tuple):
                    yield from argument
                elif argument is not None and name not in OF_SEQUENCES:
                    yield argument
            if rule.law == "sequence":
                return


def plain_arguments(
    function: object,
    arguments: Sequence[T],
    keywords: Mapping[str, T],
    literal: Callable[[T], object],
) -> Iterator[T]:
    """The arguments that some row reads as they are, which others may read as arrays where they vary."""
    arguments, keywords = without_harmless(function, arguments, keywords, literal)
    for rule in RULES.get(function, ()):
        bound = rule.bind(arguments, keywords) if rule.law != "elementwise" else None
        free = {p.name for p in rule.parameters if p.is_free} - set(rule.operands)
        yield from (a for name, a in (bound or {}).items() if name in free)  # type: ignore[misc]


def is_constant(function: object) -> bool:
    """Does no derivative flow through this function, whatever its arguments?"""
    try:
        return function in CONSTANT or function in CONSTRUCTORS
    except TypeError:  # unhashable
        return False


def _literals_match(
    rule: Rule, bound: Mapping[str, T | tuple[T, ...]], literal: Callable[[T], object]
) -> bool:
    if not rule.tested:  # as of most
        return True
    given = [p for p in rule.tested if p.name in bound and not p.variadic]
    return all(p.accepts(literal(bound[p.name])) for p in given)  # type: ignore[arg-type]


def _ranks_match(
    rule: Rule, bound: Mapping[str, T | tuple[T, ...]], rank: Callable[[T], int | None]
) -> bool:
    if not rule.ranks:
        return True
    return all(name in bound and rank(bound[name]) == wanted for name, wanted in rule.ranks.items())  # type: ignore[arg-type]


def _sequence_matches(
    rule: Rule, bound: Mapping[str, T | tuple[T, ...]], is_sequence: Callable[[T], bool]
) -> bool:
    if rule.law == "structural" and not OF_SEQUENCES.isdisjoint(rule.operands):
        # A row that says no rank of such an operand is for pairs.
        pairs = OF_SEQUENCES.intersection(rule.operands) - set(rule.ranks)
        return all(is_sequence(bound[name]) for name in pairs if not isinstance(bound[name], tuple))  # type: ignore[arg-type]
    if rule.law != "sequence":
        return True
    first = rule.operands[:1]
    if not first or any(p.variadic for p in rule.parameters):
        return True
    return is_sequence(bound[first[0]])  # type: ignore[arg-type]


def add(rule: Rule) -> None:
    """Another row, which counts where none above it fits."""
    unknown = set(rule.adjoints) - set(rule.names)
    assert not unknown, f"{rule.primal}: no parameter {unknown}"
    RULES.setdefault(key_of_primal(expression_of(rule.primal)), []).append(rule)


def key_of(name: str) -> object:
    """The registry's key: the name of an operator stands for itself."""
    return name if name in RULES else lookup(name)


def key_of_primal(primal: ast.expr) -> object:
    """The registry's key of what a primal calls, or of its operator."""
    match primal:
        case ast.BinOp(op=op) | ast.UnaryOp(op=op):
            return type(op).__name__
        case ast.Call(func=func):
            return lookup(dotted(func))
        case ast.Subscript(value=value):
            return lookup(dotted(value))
    raise ValueError(f"neither a call nor an operator: {ast.unparse(primal)}")
