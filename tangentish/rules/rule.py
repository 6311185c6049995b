"""What a derivative rule is: the primal as one writes it, and for each operand the text of its adjoint.

    elementwise("np.exp(x)",                            x="g * y")
    reduction  ("np.sum(x, axis=None, keepdims=False)", x="g")
    multilinear("x @ w", ranks=(2, 1),                  x="np.outer(g, w)", w="x.T @ g")
    structural ("np.linalg.inv(x)",                     x="-y.T @ g @ y.T", x_dot="-y @ x_dot @ y")

In a primal, `f(x, mode=["edge", "wrap"])` matches only these literals, an absent argument if the function's own
default is among them; `f(x, axis=None)` gives `axis` its default, and `f(x, max=max)` wants this keyword;
`f(x, 2)` and `f(x, mode := "edge")` match only this literal (a literal None matches an absent
argument too); an upper-case `N` matches any finite number written as a literal, `R` one that is no integer, `F` one between
0 and 1; `*xs` takes the remaining positional arguments. A parameter without an adjoint carries no derivative: where it varies, there
is no rule.

In an adjoint stand the names of the primal, `g` (the gradient of the result), `y` (the result),
`np`, `math`, the helpers of runtime and, for a sequence, `k`, the position of the operand in it.
The adjoint "0" says that nothing flows back.

The tangent of an operand, what it adds to the tangent of the result, follows from the same line: of a
function that is linear in the operand it is the function of `x_dot`, of an elementwise one the
adjoint with `x_dot` for `g`, of a reduction the sum of that. Where the law does not tell, `x_dot="..."` says it.
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import TypeVar

from tangentish.rules.names import lookup

T = TypeVar("T")

WRITTEN: dict[str, Callable[[float], bool]] = {
    "N": math.isfinite,
    "R": lambda n: math.isfinite(n) and n != int(n),
    "F": lambda n: 0 < n < 1,
}
"""Names in a primal that stand for a number written as a literal -> which ones."""

ABSENT = object()
"""The default of a parameter that has none, and the literal value of an expression that is not a literal."""


_ROWS_FOR = {
    "Python": ("real", "Python", "perhaps Python"),
    "perhaps Python": ("real", "perhaps Python"),
}
"""The rows for real numbers that may be those of Python."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a primal: its name, its default as text, the literal that it must be."""

    name: str
    default: str | None = None
    literal: object = ABSENT
    written: Callable[[float], bool] | None = None  # which numbers, written as a literal, it may be
    variadic: bool = False
    keyword_only: bool = False
    keyword: str | None = None  # the function's own name for it
    choices: tuple[object, ...] | None = None  # the literals that it may be
    may_lack: bool = False  # one of these is the function's own default

    def accepts(self, value: object) -> bool:
        """Does an argument with this literal value (ABSENT: not a literal) fit?"""
        if self.written is not None:
            if not isinstance(value, (int, float)) or isinstance(value, bool):
                return False
            return self.written(value)
        if self.choices is not None:
            return any(_same(value, choice) for choice in self.choices)
        return self.literal is ABSENT or _same(value, self.literal)

    @property
    def is_free(self) -> bool:
        """Whether any argument fits."""
        return self.written is None and self.choices is None and self.literal is ABSENT

    @property
    def is_required(self) -> bool:
        return self.default is None and self.literal is not None and not self.may_lack


def _same(value: object, literal: object) -> bool:
    """A flag may be 0 or 1, but a number is no flag."""
    alike = isinstance(value, bool) <= isinstance(literal, bool)
    return value is not ABSENT and alike and value == literal


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
    ranks     the row applies to arguments of these ranks
    thin      structural only: g may be a scalar that stands for an array filled with it
    linear    linear in each operand (in the elements of a sequence, and operands beside it, together)
    numbers   which numbers it is for, operands and results together: "real", "complex" or "any"; "Python" for
              real ones where the result is no number of NumPy's: powers of negative ones are complex there;
              "perhaps Python" for those that may be Python's or NumPy's, too
    tangents  operand -> text, where the law does not tell
    results   of a tuple: how many it gives, where trying may not tell
    any_dtype what the call makes of a list may be no floats: its tangent is zero then
    """

    law: str
    primal: str
    adjoints: Mapping[str, str]
    ranks: Mapping[str, int] = field(default_factory=dict)
    thin: bool = False
    linear: bool = False
    numbers: str = "real"
    tangents: Mapping[str, str] = field(default_factory=dict)
    results: int | None = None
    any_dtype: bool = False

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the primal in order."""
        return _parameters(expression_of(self.primal))

    @cached_property
    def tested(self) -> tuple[Parameter, ...]:
        """The parameters for which not any argument fits."""
        return tuple(p for p in self.parameters if not p.is_free)

    @cached_property
    def numbered(self) -> tuple[str, ...]:
        """The names, such as `N`, of parameters that are numbers written out."""
        return tuple(p.name for p in self.parameters if p.written is not None)

    @cached_property
    def flagged(self) -> Mapping[str, int]:
        """The parameters with 0 or 1 as defaults."""
        return {p.name: int(p.default) for p in self.parameters if p.default in ("0", "1")}

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The names of the parameters where all may be given by position, one argument each; else none."""
        some = any(p.variadic or p.keyword_only for p in self.parameters)
        return () if some else tuple(p.name for p in self.parameters)

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The parameters that have an adjoint, in the order of the primal."""
        return tuple(name for name in self.names if name in self.adjoints)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters in order; asks for no signature, which takes long for hundreds of rows."""
        args, keywords = arguments_of(expression_of(self.primal))
        positional = (_positional(arg, position).name for position, arg in enumerate(args))
        return (*positional, *(str(k.arg) for k in keywords))

    def is_for(self, numbers: str) -> bool:
        """Whether the row holds for such numbers: "real", "complex", "Python" or "perhaps Python"."""
        return self.numbers == "any" or self.numbers in _ROWS_FOR.get(numbers, (numbers,))

    def bind(
        self, arguments: Sequence[T], keywords: Mapping[str, T]
    ) -> dict[str, T | tuple[T, ...]] | None:
        """Parameter -> argument (a tuple for `*xs`), absent ones left out; None where it does not fit."""
        if not keywords and self.plain and len(arguments) == len(self.plain):
            return dict(zip(self.plain, arguments, strict=True))
        bound: dict[str, T | tuple[T, ...]] = {}
        rest, named = list(arguments), dict(keywords)
        for p in self.parameters:
            names = (p.name, p.keyword) if named else ()
            keyword = next((name for name in names if name in named), None)
            if p.variadic:
                bound[p.name], rest = tuple(rest), []
            elif rest and not p.keyword_only:
                bound[p.name] = rest.pop(0)
            elif keyword is not None:
                bound[p.name] = named.pop(keyword)
            elif p.is_required:
                return None
        if rest and len(rest) < len(
            arguments
        ):  # what the row has in another place: by the function's own names
            given = len(arguments) - len(rest)
            others = dict(zip(self.places[given:], rest, strict=False))
            if len(others) == len(rest) and not others.keys() & keywords.keys():
                return self.bind(arguments[:given], {**keywords, **others})
        return bound if not rest and not named else None

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The function's own names of what it is given by position."""
        signature = _signature(expression_of(self.primal))
        return tuple(name for name, p in signature.items() if p.kind in _POSITIONAL)

    def adjoint(self, operand: str, **literals: float) -> str:
        """The adjoint's text, with names such as `N` replaced by their literals and `N - 1` worked out."""
        return _folded(self.adjoints[operand], literals)

    def tangent(self, operand: str, **literals: float) -> str | None:
        """What the operand's tangent, `x_dot` of `x`, adds to the tangent of the result; None where that is not known."""
        if self.adjoints[operand] == "0":
            return "0"
        text = self.tangents.get(operand) or self._tangent_by_law(operand)
        return None if text is None else _folded(text, literals)

    def _tangent_by_law(self, operand: str) -> str | None:
        dot = f"{operand}_dot"
        if self.linear:
            return _renamed(self.call, operand, dot)
        if self.law in (
            "elementwise",
            "sequence",
        ):  # of a sequence: what the tangent of element k adds
            return _renamed(self.adjoints[operand], "g", dot)
        if self.law == "reduction":
            term = _renamed(self.adjoints[operand], "g", dot)
            return f"np.sum({term}, axis=axis, keepdims=keepdims)"
        return None

    @cached_property
    def constant_results(self) -> frozenset[int]:
        """Of several results those that carry no derivative: no operand's tangent moves them."""
        trees = [expression_of(text) for text in self.tangents.values()]
        displays = [tree.elts for tree in trees if isinstance(tree, ast.Tuple)]
        if self.law != "tuple" or not displays or len(displays) < len(trees):
            return frozenset()
        nothing = [{k for k, e in enumerate(elts) if ast.unparse(e) == "None"} for elts in displays]
        return frozenset(set.intersection(*nothing))

    @cached_property
    def of_any_dtype(self) -> Rule:
        """The row where it is not known whether the `dtype` asked for is one of floats: of others nothing flows back."""
        adjoints = {x: _renamed(e, "g", "of_floats(g, dtype)") for x, e in self.adjoints.items()}
        tangents = {x: self.tangents.get(x) or self._tangent_by_law(x) for x in self.operands}
        if self.law == "sequence" and self.linear:  # its tangent is the call of that of the list
            return replace(self, adjoints=adjoints, any_dtype=True)
        known = {x: f"of_floats({e}, dtype)" for x, e in tangents.items() if e is not None}
        return replace(self, adjoints=adjoints, tangents=known)

    @cached_property
    def with_dtype(self) -> Rule:
        """The row for calls that name the dtype of the result: gradients have that of the operand."""
        own = {x: f"{x}[k]" if self.law == "sequence" else x for x in self.operands}
        adjoints = {x: e if e == "0" else f"cast({e}, {own[x]})" for x, e in self.adjoints.items()}
        tangents = {x: self.tangents.get(x) or self._tangent_by_law(x) for x in self.operands}
        if self.linear:
            tangents = dict(self.tangents)  # of the others the primal's own dtype
        return replace(
            self,
            primal=f"{self.primal[:-1]}, dtype=None)",
            adjoints=adjoints,
            tangents={x: f"cast({e}, y)" for x, e in tangents.items() if e is not None},
        )

    @cached_property
    def call(self) -> str:
        """The primal with `axis=axis` for `axis=None`: executable where its parameters have values."""
        tree = expression_of(self.primal)
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword):
                node.value = ast.Name(str(node.arg))
            if isinstance(node, ast.NamedExpr):
                node.value = ast.Name(node.target.id)
        return ast.unparse(_WithoutNames().visit(tree))


def expression_of(text: str) -> ast.expr:
    """The tree of an expression."""
    return ast.parse(text, mode="eval").body


def dotted(function: ast.expr) -> str:
    """The text of a name with dots: what `ast.unparse` gives, without its detours."""
    match function:
        case ast.Attribute(value=value, attr=attr):
            return f"{dotted(value)}.{attr}"
        case ast.Name(id=name):
            return name
    raise ValueError(f"no name: {ast.unparse(function)}")


def arguments_of(primal: ast.expr) -> tuple[list[ast.expr], list[ast.keyword]]:
    """The arguments of a call, or the operands of an operator."""
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
    args, keywords = arguments_of(primal)
    signature = _signature(primal)
    names = [name for name, p in signature.items() if p.kind in _POSITIONAL]
    positional = [
        replace(
            _positional(arg, position), keyword=names[position] if position < len(names) else None
        )
        for position, arg in enumerate(args)
    ]
    at = len(positional)
    open_ended = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in signature.values())
    named = []
    for i, k in enumerate(keywords, at):
        own = signature.get(str(k.arg))
        only = bool(names) and not open_ended and names[i : i + 1] != [k.arg]
        only = only or (own is not None and own.kind is inspect.Parameter.KEYWORD_ONLY)
        named.append(replace(_named(k, signature), keyword_only=only))
    return (*positional, *named)


_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _named(keyword: ast.keyword, signature: Mapping[str, inspect.Parameter]) -> Parameter:
    """`axis=None`, `max=max`, `mode=["edge", "wrap"]`"""
    name = str(keyword.arg)
    match keyword.value:
        case ast.Name():
            return Parameter(name)
        case ast.List(elts=elements):
            choices = tuple(map(ast.literal_eval, elements))
            own = signature[name].default if name in signature else choices[0]
            lacking = any(_same(own, choice) for choice in choices)
            return Parameter(
                name, repr(own) if lacking else None, choices=choices, may_lack=lacking
            )
    return Parameter(name, ast.unparse(keyword.value))


def _signature(primal: ast.expr) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function; empty where Python does not know them."""
    if not isinstance(primal, ast.Call):
        return {}
    try:
        return inspect.signature(lookup(dotted(primal.func))).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return {}


def _positional(arg: ast.expr, position: int) -> Parameter:
    match arg:
        case ast.Starred(value=ast.Name(id=name)):
            return Parameter(name, variadic=True)
        case ast.Name(id=name) if name in WRITTEN:
            return Parameter(name, written=WRITTEN[name])
        case ast.Name(id=name):
            return Parameter(name)
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            return Parameter(name, literal=ast.literal_eval(value))
    return Parameter(f"_{position}", literal=ast.literal_eval(arg))


def _folded(text: str, literals: Mapping[str, float]) -> str:
    key = tuple((name, type(value), value) for name, value in literals.items())  # 2 is not 2.0
    return _folded_once(text, key) if literals else text


@functools.cache
def _folded_once(text: str, literals: tuple[tuple[str, type, float], ...]) -> str:
    values = {name: value for name, _, value in literals}
    return ast.unparse(_Fold(values).visit(expression_of(text)))


@functools.cache
def _renamed(text: str, old: str, new: str) -> str:
    """The text with another name for `old`, where it is a name."""
    tree = expression_of(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == old:
            node.id = new
    return ast.unparse(tree)


class _WithoutNames(ast.NodeTransformer):
    """`mode := mode` -> `mode`."""

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        return node.target


_USUAL = {"loc": 0, "scale": 1}


class _Fold(ast.NodeTransformer):
    """Names -> literals, then sums and differences of literals -> one literal; no `+ 0`, no `* 1`."""

    def __init__(self, literals: Mapping[str, int | float]) -> None:
        self.literals = literals

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self.literals[node.id]) if node.id in self.literals else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """The functions of distributions have `loc=0, scale=1` themselves."""
        if ast.unparse(node.func).startswith("scipy.stats."):
            while self._is_usual(node.args[-1]):
                node.args.pop()
        self.generic_visit(node)
        return node

    def _is_usual(self, argument: ast.expr) -> bool:
        """Whether the call has the number for this that it has where nothing is given."""
        match argument:
            case ast.Name(id=name) if name in _USUAL:
                return _is(self.visit(argument), _USUAL[name])
        return False

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.BinOp(ast.Constant(value=a), ast.Sub() | ast.Add(), ast.Constant(value=b)):
                assert isinstance(a, (int, float)) and isinstance(b, (int, float))
                return ast.Constant(_sum(a, -b if isinstance(node.op, ast.Sub) else b))
            case ast.BinOp(left, ast.Add() | ast.Sub(), right) if _is(right, 0):
                return left
            case ast.BinOp(left, ast.Add(), right) if _is(left, 0):
                return right
            case ast.BinOp(left, ast.Mult() | ast.Div() | ast.Pow(), right) if _is(right, 1):
                return left
            case ast.BinOp(left, ast.Mult(), right) if _is(left, 1):
                return right
            case ast.BinOp(left, ast.Pow()) if _is(left, 1):
                return left
        return node


def _is(node: ast.expr, number: int) -> bool:
    """Whether this is an integer that changes nothing where it is added, or a factor."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == number


def _sum(a: float, b: float) -> float:
    """The sum as one works it out by hand: 1.2 - 1 is 0.2, not 0.19999999999999996."""
    if (isinstance(a, int) and isinstance(b, int)) or not (math.isfinite(a) and math.isfinite(b)):
        return a + b
    return float(Decimal(repr(float(a))) + Decimal(repr(float(b))))
