"""The text of expressions of the common forms: a string for each, in the parentheses that it needs where it stands.

How strongly operators bind, and when what stands around asks for parentheses, is as astor has it (printer.py).
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from typing import Any

import gast

from tangentish.text.literals import number_text, quoted

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # astor touches names that Python deprecates
    from astor.op_util import Precedence, precedence_data, symbol_data

__all__ = ["FORMS", "WITHOUT_FIELDS", "Texts"]

WITHOUT_FIELDS: dict[type, Any] = {
    kind: getattr(ast, name)()
    for name, kind in vars(gast).items()
    if hasattr(ast, name)
    and isinstance(kind, type)
    and issubclass(kind, (ast.boolop, ast.cmpop, ast.expr_context, ast.operator, ast.unaryop))
}
"""Operators and contexts: one node of ast stands for all."""

_OPERATORS = {
    of_gast: op.__class__ for of_gast, op in WITHOUT_FIELDS.items() if symbol_data.get(op.__class__)
}
_BINDS: dict[type, int] = {op: precedence_data[of_ast] for op, of_ast in _OPERATORS.items()}
_LEFT = {**_BINDS, gast.Pow: Precedence.Pow + 1}
_RIGHT = {**{op: binds + 1 for op, binds in _BINDS.items()}, gast.Pow: Precedence.PowRHS}
"""How strongly operators bind, and how strongly their operands have to."""
_SYMBOLS: dict[type, str] = {op: symbol_data[of_ast] for op, of_ast in _OPERATORS.items()}

_ALONE: int = Precedence.highest  # what stands before a dot, a bracket or a parenthesis
_BETWEEN_COMMAS: int = Precedence.Comma
_INDEX: int = precedence_data[ast.Subscript]
_TUPLE: int = precedence_data[ast.Tuple]
_NUMBER: int = precedence_data[ast.Constant]


class Texts:
    """The texts of expressions; `other` gives those of the forms that are not known here."""

    def __init__(self, other: Callable[[Any, int], str]) -> None:
        self.other = other

    def __call__(self, node: Any, around: int) -> str:
        """The text of a node where something stands around it that binds so strongly."""
        write = FORMS.get(node.__class__)
        return self.other(node, around) if write is None else write(self, node, around)

    def name(self, node: Any, _: int) -> str:
        text: str = node.id
        return text

    def constant(self, node: Any, around: int) -> str:
        value = node.value
        if isinstance(value, (str, bytes)):
            return (node.kind or "") + quoted(value)
        if not isinstance(value, (int, float, complex)) or isinstance(value, bool):
            return "..." if value is Ellipsis else repr(value)
        text = number_text(value)
        # A negative number is made by passes only; it binds as its minus sign does.
        binds = _BINDS[gast.USub] if text.startswith("-") else _NUMBER
        return f"({text})" if binds < around else text

    def attribute(self, node: Any, _: int) -> str:
        return f"{self(node.value, _ALONE)}.{node.attr}"

    def subscript(self, node: Any, _: int) -> str:
        # x[a,] would be right without parentheses too, but nobody would see the comma.
        index = node.slice
        one = index.__class__ is gast.Tuple and len(index.elts) == 1
        has_slice = one and isinstance(index.elts[0], (gast.Slice, gast.Starred))
        inside = _BETWEEN_COMMAS if one and not has_slice else _INDEX
        return f"{self(node.value, _ALONE)}[{self(index, inside)}]"

    def bounds(self, node: Any, _: int) -> str:
        lower, upper = (
            "" if bound is None else self(bound, _BETWEEN_COMMAS)
            for bound in (node.lower, node.upper)
        )
        step = "" if node.step is None else f":{self(node.step, _BETWEEN_COMMAS)}"
        return f"{lower}:{upper}{step}"

    def call(self, node: Any, _: int) -> str:
        args, keywords = node.args, node.keywords
        given = Precedence.call_one_arg if len(args) + len(keywords) == 1 else _BETWEEN_COMMAS
        parts = [self(argument, given) for argument in args]
        for keyword in keywords:
            value = self(keyword.value, _BETWEEN_COMMAS)
            parts.append(f"{keyword.arg}={value}" if keyword.arg else f"**{value}")
        return f"{self(node.func, _ALONE)}({', '.join(parts)})"

    def operation(self, node: Any, around: int) -> str:
        # A long sum leans to the left; walking it in a loop spares the stack.
        chain, left = [node], node.left
        while (
            left.__class__ is gast.BinOp
            and _BINDS[left.op.__class__] >= _LEFT[chain[-1].op.__class__]
        ):
            chain.append(left)
            left = left.left
        parts = [self(left, _LEFT[chain[-1].op.__class__])]
        for each in reversed(chain):
            op = each.op.__class__
            parts += _SYMBOLS[op], self(each.right, _RIGHT[op])
        text = " ".join(parts)
        return f"({text})" if _BINDS[node.op.__class__] < around else text

    def with_sign(self, node: Any, around: int) -> str:
        op = node.op.__class__
        operand = self(node.operand, _BINDS[op])
        text = f"not {operand}" if op is gast.Not else _SYMBOLS[op] + operand
        return f"({text})" if _BINDS[op] < around else text

    def comparison(self, node: Any, around: int) -> str:
        binds = _BINDS[node.ops[0].__class__]
        parts = [self(node.left, binds + 1)]
        for op, right in zip(node.ops, node.comparators, strict=True):
            parts += _SYMBOLS[op.__class__], self(right, binds + 1)
        text = " ".join(parts)
        return f"({text})" if binds < around else text

    def tuple_display(self, node: Any, around: int) -> str:
        text = self.between_commas(node.elts)
        if len(node.elts) == 1:
            text += ","
        return f"({text})" if around > _TUPLE or not node.elts else text

    def list_display(self, node: Any, _: int) -> str:
        return f"[{self.between_commas(node.elts)}]"

    def between_commas(self, elements: list[Any]) -> str:
        return ", ".join([self(element, _BETWEEN_COMMAS) for element in elements])


FORMS: dict[type, Callable[[Texts, Any, int], str]] = {
    gast.Attribute: Texts.attribute,
    gast.BinOp: Texts.operation,
    gast.Call: Texts.call,
    gast.Compare: Texts.comparison,
    gast.Constant: Texts.constant,
    gast.List: Texts.list_display,
    gast.Name: Texts.name,
    gast.Slice: Texts.bounds,
    gast.Subscript: Texts.subscript,
    gast.Tuple: Texts.tuple_display,
    gast.UnaryOp: Texts.with_sign,
}
