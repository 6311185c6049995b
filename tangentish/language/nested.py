"""The functions that a function defines: what stands for them before they exist, and the variables they share.

Before:                                     After (language/normal.py sees):

    def loss(w, x):                             def loss(w, x):
        def layer(h, scale=w[0]):                   .layer_scale = w[0]
            return np.tanh(w @ h) * scale           layer = <layer: w, .layer_scale>
        return layer(x).sum()                       return layer(x).sum()

A nested function is a function of its own. The variables of the functions around it that it reads when it runs are
parameters for which every call gives the present values: its `captured` names. Its code is there before it is ever
defined, as a constant of the code around it; a function object made of that code stands for it (it is never called).
"""

from __future__ import annotations

import threading
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import gast

from tangentish import ir
from tangentish.errors import NotDifferentiable, Refusal
from tangentish.language.binding import parameter_names
from tangentish.language.definitions import (
    DEFINITIONS,
    codes_in,
    defaults_in,
    definitions_in,
    within_scope,
)
from tangentish.language.placed import assign_at
from tangentish.language.rebound import Rebound, cell_name, declared_nonlocal, rebound_by
from tangentish.language.source import Source, read_source


class Closure(gast.expr):  # type: ignore[misc]
    """An expression: a nested function (what stands for it), and the variables that it finds where it is defined."""

    _fields = ("function", "captured")

    captured: list[Any]  # names


@dataclass(eq=False)
class Nested:
    """What is known of a nested function.

    captured: the variables of the function around it that a call of it reads, its own or those of the functions that
    it calls in turn.
    defaults: parameter -> the variable of the function around it that holds its default, or a literal.
    cells: the names that it finds in functions that exist.
    always: names around it that always stand for one nested function.
    home: the variable that always holds it, and nothing else, if there is one.
    shared: the variables around it that some function binds by `nonlocal`, and their cells.
    """

    captured: tuple[str, ...] = ()
    defaults: dict[str, Any] = field(default_factory=dict)
    cells: frozenset[str] = frozenset()
    always: dict[str, types.FunctionType] = field(default_factory=dict)
    home: str | None = None
    shared: dict[str, str] = field(default_factory=dict)

    @property
    def default_names(self) -> tuple[str, ...]:
        return tuple(d for d in self.defaults.values() if isinstance(d, str))


Place = tuple[types.CodeType, int, int]
_NESTED: WeakKeyDictionary[types.FunctionType, Nested] = WeakKeyDictionary()
_STAND_INS: WeakKeyDictionary[types.FunctionType, dict[Place, types.FunctionType]]
_STAND_INS = WeakKeyDictionary()
_LOCK = threading.RLock()


def nested_of(function: types.FunctionType) -> Nested | None:
    """What is known of a nested function, None for one that exists."""
    return _NESTED.get(function)


def known_by_itself(
    function: types.FunctionType, *captured: str, defaults: dict[str, Any] | None = None
) -> types.FunctionType:
    """A function that reads nothing around it but these variables, as one that may stand anywhere."""
    _NESTED[function] = Nested(captured, defaults or {})
    return function


def captured_names(function: types.FunctionType) -> tuple[str, ...]:
    """The variables that a function gets from calls rather than finds."""
    nested = nested_of(function)
    return () if nested is None else nested.captured


def with_closures(source: Source) -> tuple[Any, list[Refusal]]:
    """The tree of a function, with closures in the place of the functions that it defines."""
    defines = ir.nodes_of(source.tree.body, *DEFINITIONS)
    definitions = list(definitions_in(source.tree.body)) if defines else []
    nested = nested_of(source.function)
    if not definitions and (nested is None or not nested.shared):
        return source.tree, []
    with _LOCK:
        return _Within(source).tree(definitions)


class _Within:
    """One function and those that stand directly in it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.refusals: list[Refusal] = []
        code = source.function.__code__
        cells = _cells(source.function)
        self.variables = {*code.co_cellvars, *(n for n in code.co_freevars if n not in cells)}
        self.bound = list(bound_names(source.tree.args, source.tree.body))
        self.functions: dict[Any, types.FunctionType] = {}
        self.untold: set[Any] = set()  # definitions whose function was refused
        self.given: dict[Any, str] = {}  # lambdas, and the names that they are given at once
        self.first: dict[Any, str] = {}  # definitions that come first, and where they are held
        self.default_variables: set[str] = set()
        self.rebound = self.variables_rebound()

    def variables_rebound(self) -> Rebound:
        """The variables that functions inside, or around and inside, bind by `nonlocal`."""
        tree, nested = self.source.tree, nested_of(self.source.function)
        inside = (rebound_by(definition) for definition in definitions_in(tree.body))
        local = set(self.bound) - declared_nonlocal(tree.body)
        own = sorted(local & frozenset[str]().union(*inside))
        given = {} if nested is None else nested.shared
        cells = {name: cell for name, cell in given.items() if name not in local}
        return Rebound(cells | {name: cell_name(name) for name in own}, tuple(own))

    def tree(self, definitions: Sequence[Any]) -> tuple[Any, list[Refusal]]:
        tree = self.source.tree
        for definition in definitions:
            self.make(definition)
        self.untold = {*definitions} - self.functions.keys()
        self.name_them()
        for definition, function in self.functions.items():
            _NESTED[function].defaults = self.defaults(definition, self.name_of(definition))
        self.capture()
        self.find_homes()
        self.refusals += self.rebound.refusals(tree.body)
        body = list(self.rebound.made(tree, parameter_names(self.source.function)))
        body += [
            assign_at(name, self.closure(d, self.functions[d]), d) for d, name in self.first.items()
        ]
        body += [new for statement in tree.body for new in self.statement(statement)]
        new = gast.FunctionDef(tree.name, tree.args, body, [], None, None, [])
        return gast.copy_location(new, tree), self.refusals

    # -- the functions

    def make(self, definition: Any) -> None:
        try:
            function = self.stand_in(definition)
        except NotDifferentiable as error:
            self.refusals += error.refusals or (Refusal(error.msg, definition),)
            return
        if function is None:
            message = "the code of this function can't be told from that of others on its line"
            self.refusals.append(Refusal(message, definition))
            return
        self.functions[definition] = function

    def stand_in(self, definition: Any) -> types.FunctionType | None:
        outer = self.source.function
        known = _STAND_INS.setdefault(outer, {})
        place = outer.__code__, definition.lineno, definition.col_offset
        if place not in known:
            found = next(
                filter(None, (self.made(c, definition) for c in codes_in(outer.__code__))), None
            )
            if found is None:
                return None
            known[place] = found
        return known[place]

    def made(self, code: types.CodeType, definition: Any) -> types.FunctionType | None:
        """A function of this code, if it is that of the definition."""
        outer = self.source.function
        is_lambda = isinstance(definition, gast.Lambda)
        wanted = "<lambda>" if is_lambda else definition.name
        if code.co_name != wanted or code.co_firstlineno != _first_line(definition):
            return None
        cells = _cells(outer)
        closure = tuple(cells.get(name, types.CellType()) for name in code.co_freevars)
        function = types.FunctionType(code, outer.__globals__, wanted, None, closure)
        function.__module__ = outer.__module__
        function.__qualname__ = f"{outer.__qualname__}.<locals>.{wanted}"
        tree = read_source(function).tree
        if (tree.lineno, tree.col_offset) != (definition.lineno, definition.col_offset):
            return None
        _NESTED[function] = Nested(cells=frozenset(cells) & frozenset(code.co_freevars))
        return function

    def name_them(self) -> None:
        """`f = lambda x: ...` is called f."""
        for statement in gast.walk(self.source.tree):
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda() as value):
                    if value in self.functions:
                        self.functions[value].__name__ = self.given[value] = name

    def name_of(self, definition: Any) -> str:
        """What a function is called where it stands, whoever was given it before."""
        return str(self.given.get(definition, getattr(definition, "name", "lambda")))

    def find_homes(self) -> None:
        """A function among others to choose from is made first, under a name that tells it from them."""
        for definition in chosen_among(self.source.tree, self.bound):
            function = self.functions.get(definition)
            plain = not getattr(definition, "decorator_list", ())
            if function is not None and plain and not list(defaults_in(definition)):
                stem = self.name_of(definition).replace("lambda", "function")
                self.first[definition] = _NESTED[function].home = f".{stem}_{len(self.first)}"
        for statement in self.source.tree.body:
            definition, name = _plain_definition(statement)
            function = self.functions.get(definition)
            if function is not None and self.bound.count(name) == 1:
                _NESTED[function].home = name

    def defaults(self, definition: Any, name: str) -> dict[str, Any]:
        """Parameter -> the name of a variable for its default, or the literal that it is."""
        found: dict[str, Any] = {}
        for parameter, value in defaults_in(definition):
            variable = f".{name}_{parameter}"
            while variable in self.default_variables:
                variable += "_"
            self.default_variables.add(variable)
            found[parameter] = value if isinstance(value, gast.Constant) else variable
        return found

    def capture(self) -> None:
        """The variables that a call of each function reads, through others, too."""
        always = self.always_functions()
        cells = self.rebound.cells
        captured: dict[types.FunctionType, set[str]] = {}
        for function in self.functions.values():
            names = {n for n in function.__code__.co_freevars if n in self.variables}
            captured[function] = {cells.get(n, n) for n in names}
            _NESTED[function].shared = {n: cells[n] for n in names if n in cells}
        changed = True
        while changed:
            changed = False
            for names in captured.values():
                reached = [always[n] for n in names if n in always]
                more = {n for f in reached for n in _reads(f, captured)}
                changed = changed or not more <= names
                names |= more
        order = {name: k for k, name in enumerate(self.in_order())}
        for function, names in captured.items():
            ordered = sorted(names, key=lambda n: (order.get(n, len(order)), n))
            _NESTED[function].captured = tuple(ordered)
            _NESTED[function].always = always

    def always_functions(self) -> dict[str, types.FunctionType]:
        """The names that are bound once, to one of the functions here or around."""
        bound = self.bound
        around = nested_of(self.source.function)
        inherited = {} if around is None else around.always
        found = {n: f for n, f in inherited.items() if n in self.variables and n not in bound}
        for node, function in self.functions.items():
            name = function.__name__ if isinstance(node, gast.Lambda) else node.name
            if bound.count(name) == 1:
                found[name] = function
        return found

    def in_order(self) -> list[str]:
        """The variables: parameters first, then as they are bound."""
        around = captured_names(self.source.function)
        return list(dict.fromkeys((*self.bound, *around)))

    # -- the tree

    def statement(self, node: Any) -> Iterator[Any]:
        if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
            yield from self.definition(node)
            return
        if isinstance(node, gast.Nonlocal):
            line = self.rebound.without_declarations(node)
            yield from () if line is None else (line,)
            return
        yield from self.hoisted(node)
        yield self.replaced(node)

    def definition(self, node: Any) -> Iterator[Any]:
        """Def g(x, k=e): ...  ->  .g_k = e; g = <g>"""
        function = self.functions.get(node)
        if function is None:
            yield assign_at(node.name, ir.placeholder(node), node)
            return
        if node in self.first:
            yield assign_at(node.name, ir.name(self.first[node]), node)
            return
        yield from self.default_lines(node, function)
        value: Any = self.closure(node, function)
        for decorator in reversed(node.decorator_list):
            call = gast.Call(self.expression(decorator), [value], [])
            value = gast.copy_location(call, node)
        yield assign_at(node.name, value, node)

    def default_lines(self, node: Any, function: types.FunctionType) -> Iterator[Any]:
        variables = _NESTED[function].defaults
        for parameter, value in defaults_in(node):
            if isinstance(variables[parameter], str):
                yield assign_at(variables[parameter], self.expression(value), value)

    def hoisted(self, node: Any) -> Iterator[Any]:
        """The defaults of the lambdas in a statement, which are evaluated once and before all else."""
        first = isinstance(node, gast.Assign) and isinstance(node.value, gast.Lambda)
        for part in _expressions_of(node):
            for sub in filter(self.functions.get, within_scope(part)):
                lines = list(self.default_lines(sub, self.functions[sub]))
                names = all(isinstance(line.value, gast.Name) for line in lines)
                if lines and not first and not (names and isinstance(node, _SIMPLE)):
                    message = "the default of a lambda here: give the lambda a name before"
                    self.refusals.append(Refusal(message, sub))
                yield from lines

    def replaced(self, node: Any) -> Any:
        """The statement with closures for the functions in it."""
        if isinstance(node, gast.ClassDef):
            return node

        def part(value: Any) -> Any:
            if isinstance(value, list):
                if value and isinstance(value[0], gast.stmt):
                    return [new for statement in value for new in self.statement(statement)]
                return [part(item) for item in value]
            if isinstance(value, _CLAUSES):
                return self.replaced(value)
            return self.expression(value) if isinstance(value, gast.AST) else value

        fields = [part(getattr(node, name, None)) for name in node._fields]
        return gast.copy_location(type(node)(*fields), node)

    def expression(self, node: Any) -> Any:
        def change(sub: Any) -> Any:
            if sub in self.first:
                return gast.copy_location(ir.name(self.first[sub]), sub)
            if sub in self.functions:
                return self.closure(sub, self.functions[sub])
            if sub in self.untold:
                return ir.placeholder(sub)
            return self.rebound.changed(sub)

        return ir.copy_expression(node, change)

    def closure(self, node: Any, function: types.FunctionType) -> Closure:
        names = _reads(function, {})
        captured = [gast.copy_location(ir.name(name), node) for name in names]
        return gast.copy_location(Closure(function, captured), node)  # type: ignore[no-any-return]


def read_later(closure: Closure) -> list[Any]:
    """The names of the variables that a closure reads when it is called: all but those of its defaults."""
    nested = _NESTED.get(closure.function)
    defaults = () if nested is None else nested.default_names
    return [name for name in closure.captured if name.id.rpartition(".")[0] not in defaults]


def _reads(
    function: types.FunctionType, found: Mapping[types.FunctionType, Iterable[str]]
) -> tuple[str, ...]:
    """The variables around a function that a call of it may read, to bind its arguments or when it runs."""
    nested = _NESTED[function]
    captured = found.get(function, nested.captured)
    return tuple(dict.fromkeys((*captured, *nested.default_names)))


_SIMPLE = (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Expr, gast.Return)
_CLAUSES = (gast.ExceptHandler, gast.match_case)


def _cells(function: types.FunctionType) -> dict[str, types.CellType]:
    """The cells of a function that hold values: those of a function that does not exist yet are empty."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    nested = nested_of(function)
    return cells if nested is None else {n: c for n, c in cells.items() if n in nested.cells}


def _expressions_of(node: Any) -> Iterator[Any]:
    """The expressions that stand in a statement itself, not those of statements inside it."""
    for child in gast.iter_child_nodes(node):
        if not isinstance(child, gast.stmt):
            yield child


def bound_names(arguments: Any, body: Sequence[Any]) -> Iterator[str]:
    """The names that a function binds, as often as it does."""
    parameters = (*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs)
    yield from (a.id for a in (*parameters, arguments.kwarg) if a is not None)
    for statement in body:
        for node in within_scope(statement):
            match node:
                case gast.Name(id=name, ctx=gast.Store() | gast.Del()):
                    yield name
                case gast.FunctionDef(name=name) | gast.ClassDef(name=name):
                    yield from (name,) * (2 if node.decorator_list else 1)
                case gast.alias(name=name, asname=asname):
                    yield (asname or name).partition(".")[0]
                case gast.ExceptHandler(name=gast.Name(id=name)):
                    yield name


def chosen_among(tree: Any, bound: Sequence[str]) -> Iterator[Any]:
    """The functions that meet others: under one name, on the ways of a conditional, in a display."""
    inside = {d for s in tree.body for d in definitions_in([s]) if _plain_definition(s)[0] is not d}
    named = [(d, n) for s in _statements(tree.body) for d, n in [_plain_definition(s)] if d]
    several = {n for d, n in named if d in inside and bound.count(n) > 1}
    chosen = {d for d, n in named if n in several}
    for statement in tree.body:
        for node in within_scope(statement):
            if isinstance(node, _CHOICES) or _appends(node):
                chosen |= {c for c in gast.iter_child_nodes(node) if isinstance(c, gast.Lambda)}
    yield from (d for d in definitions_in(tree.body) if d in chosen)


_CHOICES = (gast.IfExp, gast.BoolOp, gast.List, gast.Tuple, gast.Dict)


def _appends(node: Any) -> bool:
    return isinstance(node, gast.Call) and getattr(node.func, "attr", None) in ("append", "insert")


def _plain_definition(statement: Any) -> tuple[Any, str]:
    """The function that a statement defines, and its name; None for any other statement."""
    match statement:
        case gast.FunctionDef(name=name, decorator_list=[]):
            return statement, name
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda() as value):
            return value, name
    return None, ""


def _statements(body: Iterable[Any]) -> Iterator[Any]:
    return (n for s in body for n in within_scope(s) if isinstance(n, gast.stmt))


def _first_line(definition: Any) -> int:
    decorators = getattr(definition, "decorator_list", ())
    return int(min([definition.lineno, *(d.lineno for d in decorators)]))
