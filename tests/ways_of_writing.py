"""Ways of writing a function anew that do not change what it computes.

Each takes the tree of a function and changes it; it gives the lines that have to stand before, or raises `Unfit` where
the function can't be written so.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

__all__ = ["WAYS", "Unfit"]

Way = Callable[[ast.FunctionDef], str]
Place = Callable[[str, ast.expr_context], ast.expr]

FUNCTIONS = (ast.FunctionDef, ast.Lambda, ast.ClassDef)
SCOPED = (
    *FUNCTIONS, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Match, ast.Import, ast.ImportFrom,
)  # fmt: skip
HELPERS = {
    ast.Add: "the_sum",
    ast.Sub: "the_difference",
    ast.Mult: "the_product",
    ast.Div: "the_quotient",
}


class Unfit(Exception):
    """This function can't be written in this way."""


# -- what a function names


def parameters(function: ast.FunctionDef) -> list[str]:
    a = function.args
    if a.vararg or a.kwarg:
        raise Unfit
    return [p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs)]


def bound(node: ast.AST) -> list[str]:
    """The names that are stored to below a node, in order."""
    names = (
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    return list(dict.fromkeys(names))


def read(node: ast.AST) -> list[str]:
    names = (
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
    )
    return list(dict.fromkeys(names))


def of_comprehensions(node: ast.AST) -> set[str]:
    loops = (n for n in ast.walk(node) if isinstance(n, ast.comprehension))
    return {name for loop in loops for name in bound(loop.target)}


def assigned(function: ast.FunctionDef) -> set[str]:
    """The names that only assignments bind: neither loops nor functions inside."""
    if any(isinstance(n, SCOPED) for n in ast.walk(function) if n is not function):
        raise Unfit
    others: set[str] = of_comprehensions(function)
    names: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets):
                names.update(name for target in targets for name in bound(target))
            case ast.AugAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.For(target=target) | ast.AnnAssign(target=target):
                others.update(bound(target))
            case ast.withitem(optional_vars=ast.expr() as target):
                others.update(bound(target))
            case ast.ExceptHandler(name=str() as name):
                others.add(name)
    return names - others


def body_of(function: ast.FunctionDef) -> list[ast.stmt]:
    """The lines without the docstring; unfit is what declares names of other functions."""
    first, *rest = function.body
    lines = (
        rest
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        else function.body
    )
    if not lines or any(isinstance(n, (ast.Global, ast.Nonlocal)) for n in lines):
        raise Unfit
    return list(lines)


def lines(text: str) -> list[ast.stmt]:
    return ast.parse(text).body


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


class Moved(ast.NodeTransformer):
    """Names that stand somewhere else."""

    def __init__(self, names: Iterable[str], place: Place) -> None:
        self.names, self.place = frozenset(names), place

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.place(node.id, node.ctx) if node.id in self.names else node


def held(function: ast.FunctionDef, place: Place, start: str) -> None:
    """The variables of the function, parameters that are bound anew among them, in one thing that it makes."""
    names = assigned(function)
    if not names:
        raise Unfit
    given = [name for name in parameters(function) if name in names]
    moved = [Moved(names, place).visit(line) for line in body_of(function)]
    first = [ast.Assign([place(name, ast.Store())], ast.Name(name, ast.Load())) for name in given]
    function.body = [*lines(start), *first, *moved]


# -- where variables are


def attributes(function: ast.FunctionDef) -> str:
    held(
        function,
        lambda name, ctx: ast.Attribute(ast.Name("held", ast.Load()), name, ctx),
        "held = Held()",
    )
    return "class Held:\n    pass\n"


def entries(function: ast.FunctionDef) -> str:
    held(
        function,
        lambda name, ctx: ast.Subscript(ast.Name("held", ast.Load()), ast.Constant(name), ctx),
        "held = {}",
    )
    return ""


def methods(function: ast.FunctionDef) -> str:
    """All of it in a method of an object that holds the arguments and the variables."""
    given = parameters(function)
    names = assigned(function) | (set(given) - of_comprehensions(function))
    if not set(given) <= names:
        raise Unfit
    body = body_of(function)
    here = Moved(names, lambda name, ctx: ast.Attribute(ast.Name("self", ast.Load()), name, ctx))
    (cls,) = lines(
        f"class Whole:\n    def __init__(self, {', '.join(given)}):\n        pass\n    def run(self):\n        pass"
    )
    assert isinstance(cls, ast.ClassDef)
    for method, block in zip(
        cls.body,
        ([s for n in given for s in lines(f"self.{n} = {n}")] or None, [*map(here.visit, body)]),
        strict=True,
    ):
        if block is not None and isinstance(method, ast.FunctionDef):
            method.body = block
    function.body = lines(f"return Whole({', '.join(given)}).run()")
    return ast.unparse(ast.fix_missing_locations(cls)) + "\n"


# -- what is computed elsewhere


def lambdas(function: ast.FunctionDef) -> str:
    """`y = (lambda: e)()` for `y = e`."""

    def called(value: ast.expr) -> ast.expr:
        none = ast.arguments([], [], None, [], [], None, [])
        return ast.Call(ast.Lambda(none, value), [], [])

    each_value(function, called)
    return ""


def functions(function: ast.FunctionDef) -> str:
    """`y = value_1(x)` for `y = e`, and `def value_1(x): return e`."""
    local = {*assigned(function), *parameters(function), *bound(function)}
    made: list[str] = []

    def called(value: ast.expr) -> ast.expr:
        given = [name for name in read(value) if name in local - of_comprehensions(value)]
        made.append(
            f"def value_{len(made)}({', '.join(given)}):\n    return {ast.unparse(value)}\n"
        )
        return expression(f"value_{len(made) - 1}({', '.join(given)})")

    each_value(function, called)
    return "".join(made)


def each_value(function: ast.FunctionDef, new: Callable[[ast.expr], ast.expr]) -> None:
    own = (n for line in body_of(function) for n in walk_own(line))
    found = [
        n
        for n in own
        if isinstance(n, ast.Assign) and not isinstance(n.value, (ast.Constant, ast.Name))
    ]
    named = (n for line in found for n in ast.walk(line.value) if isinstance(n, ast.NamedExpr))
    if not found or any(named):  # a name that is bound in a value belongs to this function
        raise Unfit
    for line in found:
        line.value = new(line.value)


def walk_own(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that belong to the function itself."""
    if isinstance(node, FUNCTIONS):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from walk_own(child)


def parts(function: ast.FunctionDef) -> str:
    """Each line, or loop, a function that is given what it reads and gives back what it binds."""
    assigned(function)
    known, body, made = set(parameters(function)), list[ast.stmt](), list[str]()
    for line in body_of(function):
        inside = of_comprehensions(line)
        stored = [name for name in bound(line) if name not in inside]
        simple = isinstance(line, (ast.Assign, ast.AugAssign))
        leaves = any(isinstance(n, (ast.Return, ast.Raise, ast.Delete)) for n in ast.walk(line))
        moves = (simple or set(stored) <= known) and stored and not leaves
        if moves:
            given = [
                n for n in dict.fromkeys([*read(line), *stored]) if n in known and n not in inside
            ]
            call = f"part_{len(made)}({', '.join(given)})"
            text = ast.unparse(line).replace("\n", "\n    ")
            made.append(f"def {call}:\n    {text}\n    return {', '.join(stored)}\n")
            line = lines(f"{', '.join(stored)} = {call}")[0]
        body.append(line)
        known |= set(stored)
    if not made:
        raise Unfit
    function.body = body
    return "".join(made)


def helpers(function: ast.FunctionDef) -> str:
    """Arithmetic by functions."""
    changed = Arithmetic()
    function.body = [changed.visit(line) for line in body_of(function)]
    if not changed.found:
        raise Unfit
    return (
        "def the_sum(p, q):\n    r = p + q\n    return r\ndef the_difference(p, q):\n    return p - q\n"
        "def the_product(p, q):\n    r = p\n    return r * q\ndef the_quotient(p, q):\n    return p / q\n"
    )


class Arithmetic(ast.NodeTransformer):
    found = False

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        name = HELPERS.get(type(node.op))
        if (
            name is None
            or isinstance(node.left, (ast.Constant, ast.JoinedStr))
            or isinstance(node.right, ast.Constant)
        ):
            return node
        self.found = True
        return ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], [])


# -- around and between lines


def around(text: str, block: list[ast.stmt]) -> ast.stmt:
    """A statement with a block in the place of its `pass`."""
    (outer,) = lines(text)
    for node in ast.walk(outer):
        if isinstance(body := getattr(node, "body", None), list) and isinstance(body[0], ast.Pass):
            body[:1] = block
            break
    return outer


def each_line(text: str) -> Way:
    """Every line, but those that bind functions or return, in a statement of its own."""

    def written(function: ast.FunctionDef) -> str:
        function.body = [
            line if isinstance(line, (ast.FunctionDef, ast.ClassDef, ast.Return, ast.Import, ast.ImportFrom))
            else around(text, [line])
            for line in body_of(function)
        ]  # fmt: skip
        return "FLAGS = np.array([True])\n"

    return written


def whole(text: str) -> Way:
    """All lines in one statement."""

    def written(function: ast.FunctionDef) -> str:
        function.body = [around(text, body_of(function))]
        return "def a_single_trip():\n    return 1\n"

    return written


def targets(function: ast.FunctionDef) -> str:
    """`y, rest = e, 0` for `y = e`."""
    found = [n for n in ast.walk(function) if isinstance(n, ast.Assign) and len(n.targets) == 1]
    found = [n for n in found if not isinstance(n.targets[0], (ast.Tuple, ast.List))]
    if not found:
        raise Unfit
    for line in found:
        line.targets = [ast.Tuple([line.targets[0], ast.Name("rest", ast.Store())], ast.Store())]
        line.value = ast.Tuple([line.value, ast.Constant(0)], ast.Load())
    return ""


def whiles(function: ast.FunctionDef) -> str:
    """`while k < end` for `for i in range(end)`."""
    changed = Whiles()
    function.body = [new for line in body_of(function) for new in changed.lines_for(line)]
    if not changed.count:
        raise Unfit
    return ""


class Whiles(ast.NodeTransformer):
    count = 0

    def lines_for(self, line: ast.stmt) -> list[ast.stmt]:
        new = self.visit(line)
        return new if isinstance(new, list) else [new]

    def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        match node:
            case ast.For(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range"), args=[end]),
                orelse=[],
            ):
                pass
            case _:
                return node
        if any(isinstance(n, ast.Continue) for n in ast.walk(node)):
            return node
        self.count += 1
        k, stop = f"k_{self.count}", f"stop_{self.count}"
        start, loop = lines(
            f"{k}, {stop} = 0, {ast.unparse(end)}\nwhile {k} < {stop}:\n    {name} = {k}\n    {k} += 1"
        )
        assert isinstance(loop, ast.While)
        loop.body += node.body
        return [start, loop]


WAYS: dict[str, Way] = {
    "attributes": attributes,
    "entries": entries,
    "methods": methods,
    "lambdas": lambdas,
    "functions": functions,
    "parts": parts,
    "helpers": helpers,
    "flagged": each_line("if FLAGS[0]:\n    pass"),
    "tried": each_line("try:\n    pass\nexcept KeyboardInterrupt:\n    raise"),
    "guarded": each_line("with np.errstate(all='ignore'):\n    pass"),
    "endless": whole("while True:\n    pass\n    break"),
    "one_trip": whole("for once in range(a_single_trip()):\n    pass"),
    "targets": targets,
    "whiles": whiles,
}
