"""From a function to its tree, its file, and the values of its names.

The whole file is parsed and the function's node found in it, so that every line number is the
user's. The node is compiled again and compared with the function's code: an edited file is refused.
"""

from __future__ import annotations
import __future__ as future

import ast
import collections
import copy
import functools
import inspect
import linecache
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import gast
from gast.ast3 import Ast3ToGAst

from tangentish.errors import NotDifferentiable, Refusal, refuse
from tangentish.language.codes import codes_within
from tangentish.language.logical_lines import LogicalLines
from tangentish.language.private_names import mangle
from tangentish.rules.names import MODULES, named

LAMBDA_NAME = "function"
FAR = 1_000_000  # more lines than a file has
GENERATED = "<tangentish "  # how the file names of generated functions begin

FUTURE_FLAGS: int = functools.reduce(
    int.__or__, (getattr(future, name).compiler_flag for name in future.all_feature_names)
)

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, eq=False)
class Source:
    """A function with its tree and its file; its names are looked up afresh at every call."""

    function: types.FunctionType
    tree: Any  # gast.FunctionDef
    filename: str
    lines: tuple[str, ...]

    def line(self, lineno: int) -> str:
        """The text of one line of the user's file, or of the statement that goes over it and others."""
        return self._statements.text(lineno)

    @functools.cached_property
    def _statements(self) -> LogicalLines:
        return LogicalLines(self.lines, self.tree.body)

    def where(self, name: str) -> Literal["closure", "global", "builtin"] | None:
        """The namespace in which Python would find a free name of the function."""
        if name in self._captured:
            return "closure"
        if name in self.function.__globals__:
            return "global"
        return "builtin" if name in self._builtins() else None

    def lookup(self, name: str) -> object:
        """The present value of a free name of the function."""
        match self.where(name):
            case "closure":
                return self._cell(name)
            case "global":
                return self.function.__globals__[name]
            case "builtin":
                return self._builtins()[name]
        raise NameError(f"name {name!r} is not defined", name=name)

    def found(self, name: str) -> object:
        """What a free name stands for, or `$np` for a module; None for a variable, and for what has no value yet."""
        if name.startswith("$"):
            return named(name[1:]) if name[1:] in MODULES else None
        if name in self._variables:
            return None
        try:
            return self.lookup(name)
        except NameError:  # a variable of the function around this one, which binds it later
            return None

    # A code object makes the tuples of its names anew whenever it is asked.

    @functools.cached_property
    def _variables(self) -> frozenset[str]:
        code = self.function.__code__
        return frozenset((*code.co_varnames, *code.co_cellvars))

    @functools.cached_property
    def _captured(self) -> frozenset[str]:
        return frozenset(self.function.__code__.co_freevars)

    def _builtins(self) -> dict[str, object]:
        found: dict[str, object] = self.function.__builtins__  # type: ignore[attr-defined, unused-ignore]
        return found

    def _cell(self, name: str) -> object:
        index = self.function.__code__.co_freevars.index(name)
        assert self.function.__closure__ is not None
        try:
            return self.function.__closure__[index].cell_contents
        except ValueError:
            raise NameError(f"free variable {name!r} has no value yet", name=name) from None


def read_source(function: Callable[..., Any]) -> Source:
    """The source of a Python function, found by position and checked against its code."""
    function = _plain_function(function)
    filename = function.__code__.co_filename
    lines = _read_lines(function)
    node, inside = _find(function, lines)
    tree = _as_function(node)
    if inside is not None:
        mangle(tree, inside)
    if function.__code__.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        message = "an async function has no derivative; move the computation to a plain function"
        raise refuse([Refusal(message, tree)], filename, lines)
    return Source(function, tree, filename, lines)


def _plain_function(function: Any) -> types.FunctionType:
    """The Python function behind a method or a wrapper object."""
    given = function
    seen: set[int] = set()
    while not isinstance(function, types.FunctionType) and id(function) not in seen:
        seen.add(id(function))
        function = getattr(function, "__func__", None) or getattr(function, "__wrapped__", function)
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"expected a function written in Python, got {given!r}")
    return function


def _read_lines(function: types.FunctionType) -> tuple[str, ...]:
    filename = function.__code__.co_filename
    # The user may have saved the file since Python last looked; IPython and doctest put their
    # cells into linecache, the latter by replacing getlines.
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, function.__globals__)
    if lines:
        return _lines_of(_Held(lines))
    raise _at_line(_missing(function), function.__code__, ())


@dataclass(frozen=True, eq=False)
class _Held:
    """The lines of a file as linecache holds them; as long as it does, it is the same list."""

    lines: list[str]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and self.lines is other.lines

    def __hash__(self) -> int:
        return id(self.lines)


@functools.lru_cache(maxsize=64)
def _lines_of(held: _Held) -> tuple[str, ...]:
    return tuple("".join(held.lines).removesuffix("\n").split("\n"))


def _missing(function: types.FunctionType) -> str:
    return (
        f"the source of {function.__qualname__} cannot be found (it was made by exec, typed at a "
        "prompt or its file is gone); define it in a file or a notebook cell"
    )


def _stale(function: types.FunctionType) -> str:
    code = function.__code__
    if (
        code.co_filename == "<string>"
    ):  # linecache has the text of `python -c` there, since Python 3.13
        return _missing(function)
    return (
        f"{code.co_filename} no longer holds the source of {code.co_name}: "
        "the file was edited after it was loaded; load it again"
    )


def _at_line(message: str, code: types.CodeType, lines: tuple[str, ...]) -> NotDifferentiable:
    """A refusal that has no node, only the line at which the code says it begins."""
    text = lines[code.co_firstlineno - 1] if code.co_firstlineno <= len(lines) else ""
    column = len(text) - len(text.lstrip())
    place = gast.Pass(lineno=code.co_firstlineno, col_offset=len(text[:column].encode()))
    return refuse([Refusal(message, place)], code.co_filename, lines)


# ---- the node of a code object


def _find(function: types.FunctionType, lines: tuple[str, ...]) -> tuple[Definition, str | None]:
    """The node that compiles to this code, and the name of the class around it."""
    code = function.__code__
    stale = _stale(function)
    try:
        module, lambdas = _parse(lines)
    except SyntaxError as error:
        raise _at_line(stale, code, lines) from error
    begun = _definitions(module, lambdas).get(code.co_firstlineno, ())
    candidates = [found for found in begun if _may_be(found.node, code)]
    # The file name of a generated function tells its text.
    known = len(candidates) == 1 and code.co_filename.startswith(GENERATED)
    matching = [found for found in candidates if known or _compiles_to(found, code, module)]
    if not matching:
        raise _at_line(stale, code, lines)
    # A lambda inside another lambda lies in both: the inner one is the shorter.
    best = min(matching, key=lambda found: _extent(found.node))
    return best.node, best.inside


@functools.lru_cache(maxsize=64)
def _parse(lines: tuple[str, ...]) -> tuple[ast.Module, bool]:
    """The tree of a file, and whether it has lambdas; kept, since a file often holds several functions."""
    text = "\n".join(lines) + "\n"
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    module = compile(text, "<source>", "exec", flags, dont_inherit=True)
    assert isinstance(module, ast.Module)
    return module, "lambda" in text


@dataclass(frozen=True)
class _Found:
    node: Definition
    inside: str | None  # the class whose name mangles private names
    top: ast.stmt  # the statement of the module that holds it


@functools.lru_cache(maxsize=64)
def _definitions(module: ast.Module, lambdas: bool) -> Mapping[int, Sequence[_Found]]:
    """The functions and lambdas of a file by the lines at which they begin.

    lambdas: whether there are any, so that expressions are looked into.
    """
    children = ast.iter_child_nodes if lambdas else _blocks_in
    found: dict[int, list[_Found]] = collections.defaultdict(list)
    pending: list[tuple[ast.AST, str | None, ast.stmt]] = [(top, None, top) for top in module.body]
    while pending:
        node, inside, top = pending.pop()
        if isinstance(node, Definition):
            found[_first_line(node)].append(_Found(node, inside, top))
        within = node.name if isinstance(node, ast.ClassDef) else inside
        pending.extend((child, within, top) for child in children(node))
    return found


def _blocks_in(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in the blocks of a statement, a handler or a case."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        yield from getattr(node, name, ())


def _may_be(node: Definition, code: types.CodeType) -> bool:
    """Whether name and columns agree."""
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    if name != code.co_name:
        return False
    return not isinstance(node, ast.Lambda) or all(
        _covers(node.body, place) for place in code.co_positions()
    )


def _first_line(node: Definition) -> int:
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _covers(body: ast.expr, place: tuple[int | None, int | None, int | None, int | None]) -> bool:
    """Whether an instruction belongs to this body; those without a position may."""
    line, end_line, column, end_column = place
    if line is None or end_line is None or column is None or end_column is None:
        return True
    if (line, column) == (end_line, end_column):  # RESUME and its like stand before the body
        return True
    assert body.end_lineno is not None and body.end_col_offset is not None
    start, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    return start <= (line, column) and (end_line, end_column) <= end


def _extent(node: Definition) -> tuple[int, int]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    lines = node.end_lineno - node.lineno
    return lines, node.end_col_offset - (0 if lines else node.col_offset)


# ---- the comparison with the running code


def _compiles_to(found: _Found, code: types.CodeType, module: ast.Module) -> bool:
    """Whether the file still says what the function does."""
    # IPython compiles a cell statement by statement. That matters: Python calls `np.sin` with
    # other instructions where it sees the import of np.
    for unit in _units(found, code, module):
        written = _code_of(found, code, unit)
        if written is not None and _same_code(written, code):
            return True
    return False


def _units(found: _Found, code: types.CodeType, module: ast.Module) -> Iterator[ast.Module]:
    """What may have been compiled in one go when the function was made."""
    yield module
    yield ast.Module([found.top], [])
    if code.co_filename.startswith(GENERATED):
        yield within(code.co_freevars, found.top)


def within(names: Iterable[str], definition: ast.stmt) -> ast.Module:
    """The module of a function around a definition, which so finds these names in closure cells."""
    factory = ast.parse("def factory(): pass").body[0]
    assert isinstance(factory, ast.FunctionDef)
    factory.args.args = [ast.arg(name, lineno=1, col_offset=0) for name in names]
    factory.body = [definition]
    return ast.Module([factory], [])


def _code_of(found: _Found, running: types.CodeType, unit: ast.Module) -> types.CodeType | None:
    """The code that the found node compiles to, within the module or the statement around it."""
    flags = running.co_flags & FUTURE_FLAGS | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    codes = _codes(unit, flags)[running.co_name, running.co_firstlineno]
    if len(codes) > 1:
        codes = _codes(_far_away(found, unit), flags)[
            running.co_name, _first_line(found.node) + FAR
        ][:1]  # lambdas inside this one come after it
    return codes[0] if len(codes) == 1 else None


def _far_away(found: _Found, unit: ast.Module) -> ast.Module:
    """The unit with one lambda on lines of its own, so that its code is told apart from its neighbours'.

    All of its body is moved, since the code also depends on which of its parts share a line. Its defaults are not:
    lambdas among these are neighbours, too.
    """
    copies: dict[int, Any] = {}
    top = copy.deepcopy(found.top, copies)
    moved = copies[id(found.node)]
    for part in (moved, *ast.walk(moved.body)):
        if hasattr(part, "lineno"):
            part.lineno, part.end_lineno = part.lineno + FAR, part.end_lineno + FAR
    return ast.Module([top if each is found.top else each for each in unit.body], [])


@functools.lru_cache(maxsize=64)
def _codes(unit: ast.Module, flags: int) -> dict[tuple[str, int], list[types.CodeType]]:
    """Every code object that a module compiles to, by name and first line."""
    whole = compile(unit, "<source>", "exec", flags, dont_inherit=True)
    found: dict[tuple[str, int], list[types.CodeType]] = collections.defaultdict(list)
    for code in codes_within(whole):
        found[code.co_name, code.co_firstlineno].append(code)
    return found


def _same_code(written: types.CodeType, running: types.CodeType) -> bool:
    if _is_rewritten(running):
        return _rewritten_key(written) == _rewritten_key(running)
    return _code_key(written) == _code_key(running)


def _code_key(code: types.CodeType) -> tuple[object, ...]:
    """What a code object does, whatever its lines are."""
    return (
        code.co_code,
        code.co_exceptiontable,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        tuple(_constant_key(constant) for constant in code.co_consts),
    )


def _constant_key(constant: object) -> object:
    """Equal for constants that cannot be told apart: 1, 1.0 and True can, and 0.0 and -0.0."""
    if isinstance(constant, types.CodeType):
        return constant.co_name, _code_key(constant)
    if isinstance(constant, tuple):
        return tuple(_constant_key(each) for each in constant)
    if isinstance(constant, frozenset):
        return frozenset(_constant_key(each) for each in constant)
    if isinstance(constant, int):  # repr refuses very long ones
        return type(constant), constant
    return type(constant), repr(constant)


def _is_rewritten(code: types.CodeType) -> bool:
    """Whether pytest has rewritten the assert statements of this code."""
    return any(name.startswith("@py") for name in (*code.co_names, *code.co_varnames)) or any(
        _is_rewritten(each) for each in code.co_consts if isinstance(each, types.CodeType)
    )


def _rewritten_key(code: types.CodeType) -> tuple[object, ...]:
    """The part of the key that pytest leaves alone."""
    names = tuple(name for name in code.co_varnames if not name.startswith("@"))
    numbers = frozenset(
        _constant_key(each) for each in code.co_consts if isinstance(each, (float, complex))
    )
    return names, numbers, code.co_argcount, code.co_freevars


# ---- the tree


_WITHOUT_FIELDS = {
    getattr(ast, name): kind()
    for name, kind in vars(gast).items()
    if hasattr(ast, name)
    and isinstance(kind, type)
    and issubclass(kind, (ast.boolop, ast.cmpop, ast.expr_context, ast.operator, ast.unaryop))
}
"""Operators and contexts: one node of gast stands for all."""


class _ToGast(Ast3ToGAst):  # type: ignore[misc]
    """gast's own converter, made quicker, and to walk a long chain of operators without recursion."""

    def visit(self, node: Any) -> Any:
        return _converter(node.__class__)(self, node)

    def generic_visit(self, node: Any) -> Any:
        """The node of gast that has the name, the fields and the place of one of ast; None where there is none."""
        found = _node_type(node.__class__)
        if found is None:
            return None
        new = ast.AST.__new__(found)
        new.__dict__.update(vars(node))
        for name in node._fields:
            value = getattr(node, name, None)
            if value.__class__ is list or isinstance(value, ast.AST):
                new.__dict__[name] = self._visit(value)
        return new

    def visit_Name(self, node: ast.Name) -> Any:
        new = ast.AST.__new__(gast.Name)
        new.__dict__.update(
            vars(node), ctx=self.visit(node.ctx), annotation=None, type_comment=None
        )
        return new

    def visit_List(self, node: ast.List) -> Any:
        """`for a, [b, c] in rows` binds what `for a, (b, c) in rows` does."""
        if not isinstance(node.ctx, ast.Store):
            return self.generic_visit(node)
        return self.visit(ast.copy_location(ast.Tuple(node.elts, node.ctx), node))

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        chain = [node]
        while isinstance(chain[-1].left, ast.BinOp):
            chain.append(chain[-1].left)
        left = self.visit(chain[-1].left)
        for each in reversed(chain):
            new = ast.AST.__new__(gast.BinOp)
            parts = {"left": left, "op": self.visit(each.op), "right": self.visit(each.right)}
            new.__dict__.update(vars(each), **parts)
            left = new
        return left


@functools.cache
def _converter(of_ast: Any) -> Callable[[_ToGast, Any], Any]:
    """What converts nodes of a type: a method of its own where they are not the same in ast and gast."""
    plain = _WITHOUT_FIELDS.get(of_ast)
    if plain is not None:
        return lambda *_: plain
    return getattr(_ToGast, f"visit_{of_ast.__name__}", _ToGast.generic_visit)


@functools.cache
def _node_type(of_ast: Any) -> Any:
    return getattr(gast, of_ast.__name__, None)


def _as_function(node: Definition) -> Any:
    """The definition as a gast.FunctionDef; a lambda becomes a function of one return."""
    try:
        tree = _ToGast().visit(node)
    except RecursionError:
        raise RecursionError("an expression is nested too deeply; name parts of it") from None
    if not isinstance(node, ast.Lambda):
        return tree
    statement = gast.copy_location(gast.Return(tree.body), tree.body)
    function = gast.FunctionDef(LAMBDA_NAME, tree.args, [statement], [], None, None, [])
    return gast.copy_location(function, tree)
