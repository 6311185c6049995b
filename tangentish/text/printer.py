"""From tree to text: what the user reads is what Python compiles.

A gast tree becomes an ast tree, and astor writes it one statement a line. Only this module knows astor.
"""

from __future__ import annotations

import ast
import functools
import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gast
from gast.ast3 import GAstToAst3

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # astor touches names that Python deprecates
    from astor.code_gen import SourceGenerator, set_precedence
    from astor.op_util import Precedence, get_op_precedence, get_op_symbol

from tangentish.text.by_type import ByType
from tangentish.text.wrapping import INDENT, WIDTH, wrap

TOO_DEEP = "an expression is nested too deeply to be printed; name parts of it"


class Comment(ast.stmt):
    """A statement that prints as a comment; without text, as a blank line."""

    _fields = ("text",)
    __match_args__ = ("text",)

    def __init__(self, text: str = "") -> None:
        self.text = text


def to_text(tree: Any) -> str:
    """The text of a gast.FunctionDef: 4 spaces, lines of at most 100 columns, one final newline."""
    return wrap(_written(tree) + "\n")


def expression_text(node: Any) -> str:
    """The text of a gast expression on one line."""
    return _written(node)


def _written(node: Any) -> str:
    try:
        plain = _ToAst().visit(node)
        set_precedence(Precedence.Comma, plain)
        generator = _Writer(INDENT)
        generator.visit(plain)
    except RecursionError:
        raise RecursionError(TOO_DEEP) from None
    return "".join(generator.result).strip("\n")


_WITHOUT_FIELDS: dict[type, Any] = {
    kind: getattr(ast, name)()
    for name, kind in vars(gast).items()
    if hasattr(ast, name)
    and isinstance(kind, type)
    and issubclass(kind, (ast.boolop, ast.cmpop, ast.expr_context, ast.operator, ast.unaryop))
}
"""Operators and contexts: one node of ast stands for all."""
_MINUS = ast.USub()
# instead of ast's constructors, which take four times as long
_new_node: Callable[[Any], Any] = ast.AST.__new__


class _ToAst(GAstToAst3):  # type: ignore[misc]
    """gast's own converter, which keeps comments and refuses what it would lose."""

    def visit_Comment(self, node: Comment) -> Comment:
        return Comment(node.text)

    def visit(self, node: Any) -> Any:
        return _CONVERTERS[node.__class__](self, node)

    def generic_visit(self, node: Any) -> Any:
        """The node of ast that has the name and the fields of one of gast; where it stood does not matter here."""
        new = ast.AST.__new__(_node_type(node.__class__))
        fields, given = new.__dict__, node.__dict__
        for field in node._fields:
            value = given.get(field)
            if value.__class__ is list:
                value = [self.visit(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                value = _CONVERTERS[value.__class__](self, value)
            fields[field] = value
        return new

    def visit_Assign(self, node: Any) -> Any:
        return self.generic_visit(node)

    def visit_Constant(self, node: Any) -> ast.Constant:
        new: ast.Constant = _new_node(ast.Constant)
        new.value, new.kind = node.value, node.kind
        return new

    def visit_Name(self, node: Any) -> ast.Name:
        new: ast.Name = _new_node(ast.Name)
        new.id, new.ctx = node.id, _WITHOUT_FIELDS[node.ctx.__class__]
        return new

    def visit_Subscript(self, node: Any) -> ast.Subscript:
        new: ast.Subscript = _new_node(ast.Subscript)
        new.value = _CONVERTERS[node.value.__class__](self, node.value)
        new.slice = _CONVERTERS[node.slice.__class__](self, node.slice)
        new.ctx = _WITHOUT_FIELDS[node.ctx.__class__]
        return new

    def visit_Flat(self, node: Any) -> ast.Tuple:
        return ast.Tuple(list(map(self.visit, node.elts)), self.visit(node.ctx))

    def visit_Matched(self, _: Any) -> ast.boolop:
        return ast.And()

    def visit_BinOp(self, node: Any) -> ast.BinOp:
        # A long sum leans to the left; walking it in a loop spares the stack.
        chain = [node]
        while isinstance(chain[-1].left, gast.BinOp):
            chain.append(chain[-1].left)
        left = self.visit(chain[-1].left)
        for each in reversed(chain):
            new = _new_node(ast.BinOp)
            new.left, new.op, new.right = left, self.visit(each.op), self.visit(each.right)
            left = new
        assert isinstance(left, ast.BinOp)
        return left


def _converter(of_gast: type) -> Callable[[_ToAst, Any], Any]:
    """What converts nodes of a type: a method of its own where they are not the same in gast and ast."""
    plain = _WITHOUT_FIELDS.get(of_gast)
    if plain is not None:
        return lambda *_: plain
    return getattr(_ToAst, f"visit_{of_gast.__name__}", _ToAst.generic_visit)


_CONVERTERS = ByType(_converter)


@functools.cache
def _node_type(of_gast: type) -> Any:
    found = getattr(ast, of_gast.__name__, None)
    if found is None:
        raise TypeError(f"{of_gast.__name__} is no Python node")
    return found


# ---- one statement a line


_OPERATORS: dict[type, int] = {
    op.__class__: get_op_precedence(op)
    for op in _WITHOUT_FIELDS.values()
    if isinstance(op, ast.operator) and op.__class__ is not ast.operator
}
_LEFT = {**_OPERATORS, ast.Pow: Precedence.Pow + 1}
_RIGHT = {**{op: binds + 1 for op, binds in _OPERATORS.items()}, ast.Pow: Precedence.PowRHS}
"""How strongly the operands of operators have to bind."""


class _Writer(SourceGenerator):  # type: ignore[misc]
    """astor's writer, with the nodes it does not know and fewer parentheses."""

    def __init__(self, indent: str) -> None:
        super().__init__(indent)
        result: list[str] = self.result
        any_part: Callable[..., None] = self.write

        def write(*parts: Any) -> None:
            """What astor's own does, which asks of each text whether it can be called, and visits each name."""
            for part in parts:
                part = part.id if part.__class__ is ast.Name else part
                if part.__class__ is str and not self.new_lines:
                    result.append(part)
                elif isinstance(part, ast.AST):
                    _WRITERS[part.__class__](self, part)
                else:
                    any_part(part)

        self.write: Callable[..., None] = write

    def visit(self, node: Any) -> None:
        _WRITERS[node.__class__](self, node)

    # Statements

    def visit_Comment(self, node: Comment) -> None:
        if not node.text.strip():
            self.newline(extra=1)
            return
        room = max(WIDTH - len(INDENT) * self.indentation, 20)
        for line in node.text.splitlines():
            self.statement(node, _cut(f"# {line}".rstrip(), room))

    def body(self, statements: Sequence[ast.stmt]) -> None:
        statements = list(itertools.dropwhile(_is_blank, statements))
        if all(isinstance(each, Comment) for each in statements):
            statements = [*statements, ast.Pass()]
        super().body(statements)

    def visit_FunctionDef(self, node: Any, is_async: bool = False) -> None:
        for decorator in node.decorator_list:
            set_precedence(Precedence.Comma, decorator)
            self.statement(decorator, "@", decorator)
        self.statement(node, "async def " if is_async else "def ", node.name)
        self._type_params(node)
        self.write("(")
        self.visit_arguments(node.args)
        set_precedence(Precedence.Comma, node.returns)
        self.write(")")
        self.conditional_write(" -> ", node.returns)
        self.write(":")
        self.body(node.body)

    def _type_params(self, node: Any) -> None:
        params = getattr(node, "type_params", None)
        if params:
            self.write("[", ", ".join(map(ast.unparse, params)), "]")

    def visit_arguments(self, node: ast.arguments) -> None:
        self.write(", ".join(self._parameters(node)))

    def _parameters(self, node: ast.arguments) -> Iterator[str]:
        positional = [*node.posonlyargs, *node.args]
        missing = [None] * (len(positional) - len(node.defaults))
        for index, (one, default) in enumerate(
            zip(positional, [*missing, *node.defaults], strict=True), 1
        ):
            yield _parameter(one, default)
            if index == len(node.posonlyargs):
                yield "/"
        if node.vararg is not None:
            yield "*" + _parameter(node.vararg, None)
        elif node.kwonlyargs:
            yield "*"
        for one, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
            yield _parameter(one, default)
        if node.kwarg is not None:
            yield "**" + _parameter(node.kwarg, None)

    def visit_ClassDef(self, node: Any) -> None:
        for decorator in node.decorator_list:
            set_precedence(Precedence.Comma, decorator)
            self.statement(decorator, "@", decorator)
        self.statement(node, "class ", node.name)
        self._type_params(node)
        if node.bases or node.keywords:
            call = ast.Call(ast.Name("", ast.Load()), node.bases, node.keywords)
            self.visit_Call(call)
        self.write(":")
        self.body(node.body)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            self.statement(node, _docstring(node.value.value))
            return
        set_precedence(node, node.value)
        self.statement(node, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        set_precedence(node, node.value, node.target)
        self.statement(node, node.target, f" {get_op_symbol(node.op)}= ", node.value)

    def visit_For(self, node: Any, is_async: bool = False) -> None:
        set_precedence(node, node.target, node.iter)
        prefix = "async for " if is_async else "for "
        self.statement(node, prefix, node.target, " in ", node.iter, ":")
        self.body_or_else(node)

    def visit_withitem(self, node: ast.withitem) -> None:
        set_precedence(Precedence.Comma, node.context_expr, node.optional_vars)
        self.write(node.context_expr)
        self.conditional_write(" as ", node.optional_vars)

    def visit_Raise(self, node: ast.Raise) -> None:
        set_precedence(Precedence.Comma, node.exc, node.cause)
        super().visit_Raise(node)

    def visit_Try(self, node: Any) -> None:
        self._try(node, "except")

    def visit_TryStar(self, node: Any) -> None:
        self._try(node, "except*")

    def _try(self, node: Any, word: str) -> None:
        self.statement(node, "try:")
        self.body(node.body)
        for handler in node.handlers:
            set_precedence(Precedence.Comma, handler.type)
            self.statement(handler, word)
            if self.conditional_write(" ", handler.type):
                self.conditional_write(" as ", handler.name)
            self.write(":")
            self.body(handler.body)
        self.else_body(node.orelse)
        if node.finalbody:
            self.statement(node, "finally:")
            self.body(node.finalbody)

    def visit_Match(self, node: ast.Match) -> None:
        set_precedence(Precedence.Return, node.subject)
        self.statement(node, "match ", node.subject, ":")
        self.indentation += 1
        for case in node.cases:
            set_precedence(Precedence.Comma, case.guard)
            self.statement(case, "case ", _pattern_text(case.pattern))
            self.conditional_write(" if ", case.guard)
            self.write(":")
            self.body(case.body)
        self.indentation -= 1

    def visit_TypeAlias(self, node: Any) -> None:
        self.statement(node, ast.unparse(node))

    # Expressions

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, (str, bytes)):
            self.write((node.kind or "") + _quoted(value))
        elif isinstance(value, (int, float, complex)) and not isinstance(value, bool):
            self._number(node, value)
        else:
            self.write("..." if value is Ellipsis else repr(value))

    def _number(self, node: ast.Constant, value: complex) -> None:
        text = _number_text(value)
        # A negative number is made by passes only; it binds as its minus sign does.
        loose = self.is_loose(node, _MINUS if text.startswith("-") else node)
        self.write(f"({text})" if loose else text)

    def is_loose(self, node: ast.expr, op: ast.AST) -> bool:
        """Whether a node binds less than what stands around it, so that it stands in parentheses."""
        return bool(get_op_precedence(op) < getattr(node, "_pp", Precedence.highest))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        text = ast.unparse(node)
        simple = text.startswith("f'") and not text.startswith("f'''") and '"' not in text
        self.write(f'f"{text[2:-1]}"' if simple and "\\" not in text else text)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        chain = [node]
        while _leans_left(chain[-1]):
            left = chain[-1].left
            assert isinstance(left, ast.BinOp)
            chain.append(left)
        opening, closing = "()" if self.is_loose(node, node.op) else ("", "")
        set_precedence(_LEFT[chain[-1].op.__class__], chain[-1].left)
        self.write(opening, chain[-1].left)
        for each in reversed(chain):
            set_precedence(_RIGHT[each.op.__class__], each.right)
            self.write(get_op_symbol(each.op, " %s "), each.right)
        self.write(closing)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        with self.delimit(node) as delimiters:
            set_precedence(delimiters.p, node.body)
            self.write(f"lambda {', '.join(self._parameters(node.args))}".rstrip(), ": ")
            self.write(node.body)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        # x[a,] would be right without parentheses too, but nobody would see the comma.
        one = isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 1
        has_slice = one and isinstance(node.slice.elts[0], (ast.Slice, ast.Starred))  # type: ignore[attr-defined]
        set_precedence(Precedence.Comma if one and not has_slice else node, node.slice)
        self.write(node.value, "[", node.slice, "]")

    def visit_Slice(self, node: ast.Slice) -> None:
        set_precedence(Precedence.Comma, node.lower, node.upper, node.step)
        self.conditional_write(node.lower)
        self.write(":")
        self.conditional_write(node.upper)
        self.conditional_write(":", node.step)

    def visit_Starred(self, node: ast.Starred) -> None:
        set_precedence(Precedence.BitOr, node.value)
        self.write("*", node.value)

    def visit_Set(self, node: ast.Set) -> None:
        # An empty display would be a dict, and the name `set` may be taken.
        with self.delimit("{}"):
            self.comma_list(node.elts) if node.elts else self.write("*()")

    def visit_Dict(self, node: ast.Dict) -> None:
        with self.delimit("{}"):
            for index, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
                set_precedence(Precedence.BitOr if key is None else Precedence.Comma, key, value)
                self.write(", " if index else "")
                self.write(*(["**"] if key is None else [key, ": "]), value)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        set_precedence(Precedence.Comma, node.elt)
        super().visit_ListComp(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        set_precedence(Precedence.Comma, node.elt)
        super().visit_SetComp(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        set_precedence(Precedence.Comma, node.key, node.value)
        super().visit_DictComp(node)

    def visit_FormattedValue(self, node: Any) -> None:  # noqa: ARG002
        raise TypeError("a formatted value stands only inside an f-string")


_WRITERS = ByType(lambda of_ast: getattr(_Writer, f"visit_{of_ast.__name__}"))


def _leans_left(node: ast.BinOp) -> bool:
    """Whether the left operand is an operation that needs no parentheses there."""
    left = node.left
    return isinstance(left, ast.BinOp) and _OPERATORS[left.op.__class__] >= _LEFT[node.op.__class__]


def _parameter(one: ast.arg, default: ast.expr | None) -> str:
    annotation = f": {_plain(one.annotation)}" if one.annotation is not None else ""
    equals = " = " if annotation else "="
    return one.arg + annotation + (equals + _plain(default) if default is not None else "")


def _pattern_text(node: ast.pattern) -> str:
    text = ast.unparse(node)
    return text if '"' in text or "\\" in text else text.replace("'", '"')


def _plain(node: ast.expr) -> str:
    set_precedence(Precedence.Comma, node)
    writer = _Writer(INDENT)
    writer.visit(node)
    return "".join(writer.result)


def _is_blank(node: ast.stmt) -> bool:
    return isinstance(node, Comment) and not node.text.strip()


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 4].rstrip() + " ..."


def _number_text(value: complex) -> str:
    """The shortest text that Python reads as this number."""
    if isinstance(value, int):
        try:
            return int.__repr__(value)
        except ValueError:  # longer than Python is willing to write in decimals
            return hex(value)
    if isinstance(value, float):
        return _float_text(value)
    return _complex_text(value)


def _complex_text(value: complex) -> str:
    # Python adds the parts up, and a literal's real part is 0.0: -1j is complex(-0.0, -1.0).
    negative = math.copysign(1, value.imag) < 0
    if value.real == 0 and (math.copysign(1, value.real) < 0) == negative:
        return _float_text(value.imag, "j")
    if value.real == 0 and not negative:
        return f"-({_complex_text(-value)[1:-1]})"
    size = _float_text(abs(value.imag), "j")
    return f"({_float_text(value.real)}{'-' if negative else '+'}{size})"


def _float_text(value: float, unit: str = "") -> str:
    if math.isnan(value):
        return f"(1e309{unit} - 1e309{unit})"
    # float.__repr__, for a NumPy scalar writes np.float64(...)
    text = float.__repr__(value).replace("inf", "1e309")
    return text.removesuffix(".0") + unit if unit else text


def _quoted(value: str | bytes) -> str:
    """The text of a string or bytes, in double quotes where that costs no backslash."""
    text = repr(value)
    start = text.index(text[-1])
    if text[-1] == "'" and '"' not in text:
        return f'{text[:start]}"{text[start + 1 : -1]}"'
    return text


def _docstring(value: str) -> str:
    text = f'"""{value}"""'
    plain = "\\" not in value and '"""' not in value and not value.endswith('"')
    return text if plain and "\r" not in value else _quoted(value)
