"""What a derivative rule is, the registry of rules, and the laws that a table row may state.

A row is one line: the primal as one writes it, and for each operand the text of its adjoint.

    elementwise("np.exp(x)",                         x="g * y")
    reduction  ("np.sum(x, axis=None, keepdims=False)", x="g")
    structural ("x @ w", ranks=(2, 1),               x="np.outer(g, w)", w="x.T @ g")

In a primal, `f(x, axis=None)` gives `axis` its default, and `f(x, max=max)` wants this keyword;
`f(x, 2)` and `f(x, mode := "edge")` match only this literal (a literal None matches an absent
argument too); an upper-case `N` matches any number written as a literal; `*xs` takes the remaining
positional arguments. A parameter without an adjoint carries no derivative: where it varies, there
is no rule.

In an adjoint stand the names of the primal, `g` (the gradient of the result), `y` (the result),
`np`, `math`, the helpers of runtime.py and, for a sequence, `k`, the position of the operand in it.
The adjoint "0" says that nothing flows back.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from tangentish import runtime

T = TypeVar("T")

ABSENT = object()
"""The default of a parameter that has none, and the literal value of an expression that is not a literal."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a primal: its name, its default as text, the literal that it must be."""

    name: str
    default: str | None = None
    literal: object = ABSENT
    any_number: bool = False
    variadic: bool = False
    keyword_only: bool = False

    def accepts(self, value: object) -> bool:
        """Does an argument with this literal value (ABSENT: not a literal) fit?"""
        if self.any_number:
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        if self.literal is ABSENT:
            return True
        alike = isinstance(value, bool) == isinstance(self.literal, bool)
        return value is not ABSENT and alike and value == self.literal


@dataclass(frozen=True)
class Rule:
    """How one function passes its gradient back to its operands.

    law       what the core may rely on, and does by itself:
      elementwise  operands broadcast; g may be anything that broadcasts to y; the core sums the
                   result to the operand's shape
      reduction    has axis and keepdims; the core has put the reduced axes back into g and y;
                   the result broadcasts to x
      structural   the adjoint has the operand's shape; g is full unless `thin`
      sequence     the operand is a list or tuple of arrays, or `*xs`; the adjoint is that of
                   its element k
      tuple        y and g are tuples, g has None where nothing flows back
    primal    the call or the operator, executable Python
    adjoints  operand -> text
    ranks     the row applies to operands (in the order of the primal) of these ranks; None is any
    thin      structural only: g may be a scalar that stands for an array filled with it
    """

    law: str
    primal: str
    adjoints: Mapping[str, str]
    ranks: tuple[int | None, ...] | None = None
    thin: bool = False

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the primal in order."""
        return _parameters(_expression(self.primal))

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The parameters that have an adjoint, in the order of the primal."""
        return tuple(p.name for p in self.parameters if p.name in self.adjoints)

    def bind(
        self, arguments: Sequence[T], keywords: Mapping[str, T]
    ) -> dict[str, T | tuple[T, ...]] | None:
        """Parameter -> argument (a tuple for `*xs`), absent ones left out; None where it does not fit."""
        bound: dict[str, T | tuple[T, ...]] = {}
        rest = list(arguments)
        for p in self.parameters:
            if p.variadic:
                bound[p.name], rest = tuple(rest), []
            elif rest and not p.keyword_only:
                if p.name in keywords:
                    return None
                bound[p.name] = rest.pop(0)
            elif p.name in keywords:
                bound[p.name] = keywords[p.name]
            elif p.default is None and p.literal is not None:
                return None
        fits = not rest and all(name in bound for name in keywords)
        return bound if fits else None

    def adjoint(self, operand: str, **literals: float) -> str:
        """The adjoint's text, with names such as `N` replaced by their literals and `N - 1` worked out."""
        text = self.adjoints[operand]
        return ast.unparse(_Fold(literals).visit(_expression(text))) if literals else text


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

CONSTRUCTORS: set[object] = set()
"""Functions whose values depend on no real argument, and settings of the environment.

Where a function has rows in RULES too (np.arange), those decide when an argument varies.
"""

DRAWS: set[object] = set()
"""Random draws: no derivative as long as no argument varies (else refuse); an effect, in order."""


def select(
    function: object,
    arguments: Sequence[T],
    keywords: Mapping[str, T],
    literal: Callable[[T], object],
    rank: Callable[[T], int | None],
    is_sequence: Callable[[T], bool] = lambda _: True,
) -> tuple[Rule, dict[str, T | tuple[T, ...]]] | None:
    """The first row that this call matches, and the call's arguments by parameter; None if there is none.

    `literal` gives an argument's literal value, or ABSENT; `rank` gives its rank, or None where that is unknown;
    `is_sequence` tells lists and tuples (of arrays) from arrays: where it says no, the rows for
    sequences are passed over.
    """
    for rule in RULES.get(function, ()):
        bound = rule.bind(arguments, keywords)
        if (
            bound is not None
            and _literals_match(rule, bound, literal)
            and _ranks_match(rule, bound, rank)
            and _sequence_matches(rule, bound, is_sequence)
        ):
            return rule, bound
    return None


def is_constant(function: object) -> bool:
    """Does no derivative flow through this function, whatever its arguments?"""
    try:
        return function in CONSTANT or function in CONSTRUCTORS
    except TypeError:  # unhashable
        return False


def _literals_match(
    rule: Rule, bound: Mapping[str, T | tuple[T, ...]], literal: Callable[[T], object]
) -> bool:
    return all(
        p.variadic or p.name not in bound or p.accepts(literal(bound[p.name]))  # type: ignore[arg-type]
        for p in rule.parameters
        if p.any_number or p.literal is not ABSENT
    )


def _ranks_match(
    rule: Rule, bound: Mapping[str, T | tuple[T, ...]], rank: Callable[[T], int | None]
) -> bool:
    if rule.ranks is None:
        return True
    pairs = zip(rule.operands, rule.ranks, strict=True)
    return all(wanted is None or rank(bound[name]) == wanted for name, wanted in pairs)  # type: ignore[arg-type]


def _sequence_matches(
    rule: Rule, bound: Mapping[str, T | tuple[T, ...]], is_sequence: Callable[[T], bool]
) -> bool:
    first = rule.operands[:1]
    if rule.law != "sequence" or not first or any(p.variadic for p in rule.parameters):
        return True
    return is_sequence(bound[first[0]])  # type: ignore[arg-type]


# The laws: what the rows of the tables call.


def elementwise(primal: str, **adjoints: str) -> None:
    """A row for a function of the elements of its broadcast operands."""
    _add(Rule("elementwise", primal, adjoints))


def reduction(primal: str, ranks: tuple[int | None, ...] | None = None, **adjoints: str) -> None:
    """A row for a function that reduces `axis`."""
    _add(Rule("reduction", primal, adjoints, ranks))


def structural(
    primal: str, ranks: tuple[int | None, ...] | None = None, thin: bool = False, **adjoints: str
) -> None:
    """A row whose adjoint gives the operand's own shape."""
    _add(Rule("structural", primal, adjoints, ranks, thin))


def sequence(primal: str, **adjoints: str) -> None:
    """A row for a function of a list of arrays."""
    _add(Rule("sequence", primal, adjoints))


def tuple_valued(primal: str, **adjoints: str) -> None:
    """A row for a function that gives a tuple."""
    _add(Rule("tuple", primal, adjoints))


def alias(name: str, of: str) -> None:
    """`name` ("np.multiply") has the rows of `of`, which is a function or an operator ("Mult")."""
    key = lookup(name)
    if key in RULES:
        return
    for rule in RULES[_key_of(of)]:
        call = ast.Call(_expression(name), *_arguments(_expression(rule.primal)))
        _add(replace(rule, primal=ast.unparse(call)))


def mirror(name: str, of: str | None = None) -> None:
    """`math.name` has the rows of `np.of` with `math` for `np`: Python floats stay Python floats."""
    for rule in RULES[lookup(f"np.{of or name}")]:
        primal = rule.primal.replace(f"np.{of or name}(", f"math.{name}(")
        adjoints = {
            operand: text.replace("np.", "math.") for operand, text in rule.adjoints.items()
        }
        _add(replace(rule, primal=primal, adjoints=adjoints))


def method(function: str, *names: str) -> None:
    """`x.name(...)` is `function(x, ...)`."""
    for name in names:
        METHODS[name] = lookup(function)


def attribute(function: str, *names: str) -> None:
    """`x.name` is `function(x)`."""
    for name in names:
        METHODS[name] = lookup(function)
        ATTRIBUTES[name] = True


def constant_attribute(*names: str) -> None:
    """`x.name` carries no derivative."""
    ATTRIBUTES.update(dict.fromkeys(names, False))


def constant(*names: str) -> None:
    """No derivative flows through these functions."""
    CONSTANT.update(map(lookup, names))


def constructor(*names: str) -> None:
    """The values of these functions carry no derivative."""
    CONSTRUCTORS.update(map(lookup, names))


def draw(*names: str) -> None:
    """These functions draw from the global random state."""
    DRAWS.update(map(lookup, names))


def lookup(name: str) -> object:
    """The object that a dotted name stands for: "np.linalg.inv", "math.exp", "abs", "unbroadcast"."""
    head, *path = name.split(".")
    found: object = (
        {"np": np, "math": math}.get(head)
        or getattr(runtime, head, None)
        or getattr(builtins, head)
    )
    for part in path:
        found = getattr(found, part)
    return found


def _key_of(name: str) -> object:
    """The registry's key: the name of an operator stands for itself."""
    return name if name in RULES else lookup(name)


def _add(rule: Rule) -> None:
    unknown = set(rule.adjoints) - {p.name for p in rule.parameters}
    assert not unknown, f"{rule.primal}: no parameter {unknown}"
    RULES.setdefault(_key(_expression(rule.primal)), []).append(rule)


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _key(primal: ast.expr) -> object:
    match primal:
        case ast.BinOp(op=op) | ast.UnaryOp(op=op):
            return type(op).__name__
        case ast.Call(func=func):
            return lookup(ast.unparse(func))
        case ast.Subscript(value=value):
            return lookup(ast.unparse(value))
    raise ValueError(f"neither a call nor an operator: {ast.unparse(primal)}")


def _arguments(primal: ast.expr) -> tuple[list[ast.expr], list[ast.keyword]]:
    match primal:
        case ast.BinOp(left=left, right=right):
            return [left, right], []
        case ast.UnaryOp(operand=operand):
            return [operand], []
        case ast.Call(args=args, keywords=keywords):
            return args, keywords
        case ast.Subscript(slice=index):
            return [index], []
    raise ValueError(f"neither a call nor an operator: {ast.unparse(primal)}")


def _parameters(primal: ast.expr) -> tuple[Parameter, ...]:
    args, keywords = _arguments(primal)
    positional = [_positional(arg, position) for position, arg in enumerate(args)]
    names = _signature(primal)
    at = len(positional)
    named = [
        Parameter(
            str(k.arg),
            default=None if isinstance(k.value, ast.Name) else ast.unparse(k.value),
            keyword_only=bool(names) and names[i : i + 1] != [k.arg],
        )
        for i, k in enumerate(keywords, at)
    ]
    return (*positional, *named)


def _signature(primal: ast.expr) -> list[str]:
    """The names that a function's arguments have by position; empty where Python does not know them."""
    if not isinstance(primal, ast.Call):
        return []
    try:
        parameters = inspect.signature(lookup(ast.unparse(primal.func))).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return []
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, p in parameters.items() if p.kind in positional]


def _positional(arg: ast.expr, position: int) -> Parameter:
    match arg:
        case ast.Starred(value=ast.Name(id=name)):
            return Parameter(name, variadic=True)
        case ast.Name(id="N"):
            return Parameter("N", any_number=True)
        case ast.Name(id=name):
            return Parameter(name)
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            return Parameter(name, literal=ast.literal_eval(value))
    return Parameter(f"_{position}", literal=ast.literal_eval(arg))


class _Fold(ast.NodeTransformer):
    """Names -> literals, then sums and differences of literals -> one literal."""

    def __init__(self, literals: Mapping[str, int | float]) -> None:
        self.literals = literals

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self.literals[node.id]) if node.id in self.literals else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.BinOp(ast.Constant(value=a), ast.Sub(), ast.Constant(value=b)):
                assert isinstance(a, (int, float)) and isinstance(b, (int, float))
                return ast.Constant(a - b)
        return node
