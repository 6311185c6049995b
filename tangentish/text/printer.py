"""From tree to text: what the user reads is what Python compiles.

A gast tree becomes an ast tree, and astor writes it one statement a line; expressions of the common forms stay as they
are, and are written at once (text/expressions.py).
"""

from __future__ import annotations

import ast
import functools
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gast
from gast.ast3 import GAstToAst3

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # astor touches names that Python deprecates
    from astor.code_gen import SourceGenerator, set_precedence
    from astor.op_util import Precedence, get_op_symbol

from tangentish.text.by_type import ByType
from tangentish.text.expressions import FORMS, WITHOUT_FIELDS, Texts
from tangentish.text.literals import quoted
from tangentish.text.wrapping import INDENT, WIDTH, wrap

TOO_DEEP = "an expression is nested too deeply to be printed; name parts of it"


class Comment(ast.stmt):
    """A statement that prints as a comment; without text, as a blank line."""

    _fields = ("text",)
    __match_args__ = ("text",)

    def __init__(self, text: str = "") -> None:
        self.text = text


class Expression(ast.expr):
    """An expression of one of the common forms, as it is in gast (text/expressions.py)."""

    _fields = ()

    _pp: int = Precedence.highest  # how strongly what stands around it binds, as astor notes it

    def __init__(self, node: Any) -> None:
        self.node = node

    @property
    def text(self) -> str:
        return _TEXTS(self.node, self._pp)


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

    def visit_Name(self, node: Any) -> ast.Name:
        new: ast.Name = _new_node(ast.Name)
        new.id, new.ctx = node.id, WITHOUT_FIELDS[node.ctx.__class__]
        return new

    def visit_Flat(self, node: Any) -> ast.Tuple:
        return ast.Tuple(list(map(self.visit, node.elts)), self.visit(node.ctx))

    def visit_Matched(self, _: Any) -> ast.boolop:
        return ast.And()


def _converter(of_gast: type) -> Callable[[_ToAst, Any], Any]:
    """What converts nodes of a type: a method of its own where they are not the same in gast and ast."""
    plain = WITHOUT_FIELDS.get(of_gast)
    if plain is not None:
        return lambda *_: plain
    if of_gast in FORMS and of_gast is not gast.Name:
        return lambda _, node: Expression(node)
    if issubclass(of_gast, _UNPARSED):
        return lambda _, node: gast.gast_to_ast(node)
    return getattr(_ToAst, f"visit_{of_gast.__name__}", _ToAst.generic_visit)


_UNPARSED: tuple[Any, ...] = tuple(
    getattr(module, name)
    for module, name in (
        (ast, "pattern"),
        (ast, "type_param"),
        (gast, "JoinedStr"),
        (gast, "TypeAlias"),
    )
    if hasattr(module, name)
)
"""What Python itself writes."""
_CONVERTERS = ByType(_converter)


@functools.cache
def _node_type(of_gast: type) -> Any:
    found = getattr(ast, of_gast.__name__, None)
    if found is None:
        raise TypeError(f"{of_gast.__name__} is no Python node")
    return found


# ---- one statement a line


class _Writer(SourceGenerator):  # type: ignore[misc]
    """astor's writer, with the nodes it does not know and fewer parentheses."""

    def __init__(self, indent: str) -> None:
        super().__init__(indent)
        result: list[str] = self.result
        any_part: Callable[..., None] = self.write

        def write(*parts: Any) -> None:
            """What astor's own does, which asks of each text whether it can be called, and visits each name."""
            for part in parts:
                if part.__class__ is Expression:
                    part = part.text
                elif part.__class__ is ast.Name:
                    part = part.id
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
        text = getattr(getattr(node.value, "node", None), "value", None)
        if isinstance(text, str):
            self.statement(node, _docstring(text))
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

    def visit_Expression(self, node: Expression) -> None:
        self.write(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        text = ast.unparse(node)
        simple = text.startswith("f'") and not text.startswith("f'''") and '"' not in text
        self.write(f'f"{text[2:-1]}"' if simple and "\\" not in text else text)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        with self.delimit(node) as delimiters:
            set_precedence(delimiters.p, node.body)
            self.write(f"lambda {', '.join(self._parameters(node.args))}".rstrip(), ": ")
            self.write(node.body)

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


def _by_astor(node: Any, around: int) -> str:
    return _plain(_ToAst().visit(node), around)


_TEXTS = Texts(_by_astor)


def _parameter(one: ast.arg, default: ast.expr | None) -> str:
    annotation = f": {_plain(one.annotation)}" if one.annotation is not None else ""
    equals = " = " if annotation else "="
    return one.arg + annotation + (equals + _plain(default) if default is not None else "")


def _pattern_text(node: ast.pattern) -> str:
    text = ast.unparse(node)
    return text if '"' in text or "\\" in text else text.replace("'", '"')


def _plain(node: ast.expr, around: int = Precedence.Comma) -> str:
    set_precedence(around, node)
    writer = _Writer(INDENT)
    writer.visit(node)
    return "".join(writer.result)


def _is_blank(node: ast.stmt) -> bool:
    return isinstance(node, Comment) and not node.text.strip()


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 4].rstrip() + " ..."


def _docstring(value: str) -> str:
    text = f'"""{value}"""'
    plain = "\\" not in value and '"""' not in value and not value.endswith('"')
    return text if plain and "\r" not in value else quoted(value)
