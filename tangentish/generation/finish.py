"""Finished statements -> text: values get their names back, the tree is printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.expressions import index_value
from tangentish.folding.breaks import with_breaks
from tangentish.folding.unread import without_unread
from tangentish.generation.lost_values import lost_values
from tangentish.generation.shown_closures import definition_of, is_lambda, lambda_of, result_of
from tangentish.ir.quote import helper, quote
from tangentish.language.imported import Imported, import_statement
from tangentish.language.nested import Closure
from tangentish.language.placed import at
from tangentish.text.names import choose_names, unlike
from tangentish.text.printer import Comment, to_text

LONGEST_CHAIN = 80  # characters of the names that one line gives the same constant


@dataclass(frozen=True)
class Text:
    """A printed function: its helpers by their names in the text, the names of its values; its tree.

    lost: the values that it reads and that nothing binds.
    The statements of the tree stand where the user's do that they come from, as far as that is known.
    """

    text: str
    helpers: dict[str, str]
    names: dict[str, str]
    tree: Any
    lost: frozenset[str] = frozenset()


def print_function(
    name: str,
    arguments: Any,
    parameters: Sequence[str],
    extra: Sequence[tuple[str, Any]],
    block: ir.Block,
    taken: frozenset[str],
    own_np: Mapping[str, str],
    known: Mapping[str, str] = MappingProxyType({}),
    device: bool = False,
) -> Text:
    """The text of a generated function: the user's parameters, then `extra` ones with their defaults.

    known: names that values have in another function, of which this one goes on.
    device: the arrays are on a device.
    """
    block = without_unread(block, taken)
    given = [*parameters, *(value for value, _ in extra)]
    lost = lost_values(block, (*given, *known))
    names = choose_names(given, block, taken, known)
    printer = _Printer(names, frozenset(names.values()) | taken, dict(own_np), device)
    body = printer.nodes(with_breaks(block))
    signature = printer.signature(arguments, extra)
    tree = gast.FunctionDef(name, signature, body or [gast.Pass()], [], None, None, [])
    return Text(to_text(tree), printer.helpers, names, tree, lost)


@dataclass
class _Printer:
    names: dict[str, str]
    taken: frozenset[str]
    own: dict[str, str]  # helper -> the user's own name for it
    device: bool
    helpers: dict[str, str] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)
    definitions: list[Any] = field(default_factory=list)  # that come before the statement at hand

    def identifier(self, name: str) -> str:
        return self.names[name] if ir.is_value(name) else self.outer(name)

    def outer(self, name: str) -> str:
        """A name of what is around the function: of a helper, or as it is."""
        return self.helper(name[1:]) if name.startswith("$") else name

    def helper(self, name: str) -> str:
        if name in self.own:
            return self.own[name]
        if name not in self.given:
            text = unlike(readable(name), self.taken | self.helpers.keys())
            self.given[name] = text
            self.helpers[text] = name
        return self.given[name]

    def module_of_scipy(self, node: Any) -> Any | None:
        """`scipy.special` as the user named it: `special`."""
        match node:
            case gast.Attribute(value=gast.Name(id="$scipy"), attr=attr):
                own = self.own.get(f"scipy.{attr}")
                return None if own is None else gast.Name(own, gast.Load(), None, None)
        return None

    def expression(self, node: Any, ctx: Any = None) -> Any:
        names = self.names

        def change(sub: Any) -> Any:
            if sub.__class__ is gast.Name:
                name = sub.id
                return ir.name(names[name] if "." in name else self.outer(name), sub.ctx)
            if sub.__class__ in _AS_THEY_ARE:
                return None
            if isinstance(sub, gast.Attribute):
                return self.module_of_scipy(sub)
            if isinstance(sub, gast.Call):
                return self.called_in_place(sub)
            if isinstance(sub, gast.IfExp) and isinstance(sub.test, gast.Constant):
                return self.expression(sub.body if sub.test.value else sub.orelse)
            if isinstance(sub, Closure):
                return lambda_of(sub, self.identifier) if is_lambda(sub) else self.defined(sub)
            return None

        new = ir.copy_expression(node, change)
        return new if ctx is None else _with_context(new, ctx)

    def called_in_place(self, call: Any) -> Any | None:
        """What a call of a lambda gives: `v > 0` rather than `(lambda u: u > 0)(v)`."""
        function = call.func
        if call.keywords or not isinstance(function, Closure) or not is_lambda(function):
            return None
        return result_of(
            lambda_of(function, self.identifier), [self.expression(a) for a in call.args]
        )

    def defined(self, closure: Closure) -> Any:
        """A function that stands inside an expression, under a decorator."""
        name = closure.function.__name__
        self.definitions.append(definition_of(closure, name, self.identifier))
        return ir.name(name)

    def block(self, block: ir.Block) -> list[Any]:
        return self.nodes(block) or [gast.Pass()]

    def nodes(self, block: ir.Block) -> list[Any]:
        lines: list[Any] = []
        generated: set[int] = set()  # the lines that stand for none of the user's
        for statement in block:
            for line in self.statement(statement):
                if isinstance(statement, ir.Assign) and statement.origin.node is None:
                    generated.add(id(line))
                    if lines and id(lines[-1]) in generated and _is_same_constant(lines[-1], line):
                        lines[-1].targets.extend(line.targets)  # da = db = 0.0
                        continue
                lines.append(line)
        return lines

    def statement(self, statement: ir.Statement) -> list[Any]:
        lines = [_placed(line, statement) for line in self.lines(statement)]
        if self.definitions:
            lines = [*self.definitions, *lines]
            self.definitions = []
        return lines

    def lines(self, statement: ir.Statement) -> list[Any]:
        match statement:
            case ir.Assign(target, value, origin):
                return self.assignment(target, value, origin)
            case ir.Update(target, op, value):
                return [self.update(target, op, value)]
            case ir.Do(node):
                places = ir.exchanged_places(getattr(node, "value", None))
                return [self.expression(node)] if places is None else [self.exchange(*places)]
            case ir.Comment(text):
                return [Comment(line) for line in text.split("\n")]
            case ir.Break():
                return [gast.Break()]
            case ir.Return(values, is_tuple):
                parts = [self.expression(v) for v in values]
                return [gast.Return(gast.Tuple(parts, gast.Load()) if is_tuple else parts[0])]
        node = self.compound(statement)
        return [] if _only_says(node) else [node]

    def compound(self, statement: ir.Statement) -> Any:
        match statement:
            case ir.If(test, body, orelse):
                return self.branch(test, body, orelse)
            case ir.For(target, iterator, body, stop):
                left = self.expression(target, gast.Store())
                return gast.For(
                    left, self.expression(iterator), self.loop_body(body, stop), [], None
                )
            case ir.While(test, body, stop):
                return gast.While(self.expression(test), self.loop_body(body, stop), [])
            case ir.Try() | ir.Finally() | ir.With():
                return self.guarded(statement)
        raise AssertionError(f"{type(statement).__name__} can't be printed")

    def assignment(self, target: Any, value: Any, origin: ir.Origin) -> list[Any]:
        if isinstance(target, gast.Name) and isinstance(value, Closure) and not is_lambda(value):
            return [definition_of(value, self.identifier(target.id), self.identifier)]
        if isinstance(value, Imported):
            return [import_statement(self.identifier(target.id), value)]
        new = self.expression(value)
        left = self.expression(target, _STORED)
        if isinstance(left, gast.Tuple) and isinstance(new, gast.List) and not _is_unpacked(origin):
            new = gast.Tuple(new.elts, gast.Load())
        left, new = _without_same_names(left, new)
        return [ir.assigned(left, new)] if left is not None else []

    def exchange(self, one: Any, other: Any) -> Any:
        """xs[i], xs[j] = xs[j], xs[i]"""
        targets = [self.expression(place, gast.Store()) for place in (one, other)]
        values = [self.expression(place) for place in (other, one)]
        return gast.Assign(
            [gast.Tuple(targets, gast.Store())], gast.Tuple(values, gast.Load()), None
        )

    def update(self, target: Any, op: Any, value: Any) -> Any:
        if isinstance(op, (ir.AddAt, ir.SubAt)):
            return gast.Expr(self.expression(_scatter(target, op, value, self.device)))
        return gast.AugAssign(self.expression(target, _STORED), op, self.expression(value))

    def branch(self, test: Any, body: ir.Block, orelse: ir.Block) -> Any:
        if not body and orelse:
            return _both(_negation(self.expression(test)), self.block(orelse))
        return gast.If(
            self.expression(test), self.block(body), self.block(orelse) if orelse else []
        )

    def guarded(self, statement: ir.Try | ir.Finally | ir.With) -> Any:
        match statement:
            case ir.With(items, body):
                pairs = [
                    gast.withitem(self.expression(m), t and self.expression(t, gast.Store()))
                    for m, t in items
                ]
                return gast.With(pairs, self.block(body), None)
            case ir.Finally((ir.Try() as inner,), final):
                new = self.guarded(inner)
                new.finalbody = self.block(final)
                return new
            case ir.Finally(body, final):
                return gast.Try(self.block(body), [], [], self.block(final))
        handlers = [
            gast.ExceptHandler(
                h.type and self.expression(h.type),
                h.name and self.expression(h.name, gast.Store()),
                self.block(h.body),
            )
            for h in statement.handlers
        ]
        orelse = self.block(statement.orelse) if statement.orelse else []
        return gast.Try(self.block(statement.body), handlers, orelse, [])

    def loop_body(self, body: ir.Block, stop: Any) -> list[Any]:
        lines = self.block(body)
        if stop is not None:
            lines.append(gast.If(self.expression(stop), [gast.Break()], []))
        return lines

    def signature(self, arguments: Any, extra: Sequence[tuple[str, Any]]) -> Any:
        def plain(arg: Any) -> Any:
            return gast.Name(self.names.get(arg.id, arg.id), gast.Param(), None, None)

        starred = arguments.vararg and plain(arguments.vararg)
        double_starred = arguments.kwarg and plain(arguments.kwarg)
        new = [gast.Name(self.names[value], gast.Param(), None, None) for value, _ in extra]
        defaults = [default for _, default in extra]
        args, positional_defaults = [plain(a) for a in arguments.args], list(arguments.defaults)
        kwonly, kw_defaults = [plain(a) for a in arguments.kwonlyargs], list(arguments.kw_defaults)
        if starred or kwonly or (positional_defaults and any(d is None for d in defaults)):
            kwonly += new
            kw_defaults += defaults
        else:
            args += new
            positional_defaults += [d for d in defaults if d is not None]
        return gast.arguments(
            args,
            [plain(a) for a in arguments.posonlyargs],
            starred,
            kwonly,
            kw_defaults,
            double_starred,
            positional_defaults,
        )


_STORED = gast.Store()
_AS_THEY_ARE = {gast.Constant, gast.BinOp, gast.UnaryOp, gast.Subscript, gast.Tuple, gast.Slice}


def readable(name: str) -> str:
    """A helper's name in the text: that of a function which was given, without its number."""
    stem = name.partition(":")[0]
    return "function" if stem == "lambda" else stem


def _placed(line: Any, statement: ir.Statement) -> Any:
    origin = getattr(statement, "origin", None)
    node = None if origin is None else origin.node
    return line if node is None or "lineno" in line.__dict__ else at(line, node)


def _both(test: Any, body: list[Any]) -> Any:
    """`if a: if b: ...` is `if a and b: ...`."""
    match body:
        case [gast.If(test=inner, body=lines, orelse=[])]:
            tests = inner.values if _is_and(inner) else [inner]
            return gast.If(gast.BoolOp(gast.And(), [test, *tests]), lines, [])
    return gast.If(test, body, [])


def _is_and(test: Any) -> bool:
    return isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And)


def _without_same_names(left: Any, right: Any) -> tuple[Any, Any]:
    """`a, b = c, b` as `a = c`, and `a = a` as nothing."""
    match left, right:
        case gast.Name(id=a), gast.Name(id=b) if a == b:
            return None, None
        case gast.Tuple(elts=targets), gast.Tuple(elts=values) if _goes_by_place(left, right):
            pairs = map(_without_same_names, targets, values)
            kept = [pair for pair in pairs if pair[0] is not None]
            if not kept:
                return None, None
            return (left, right) if len(kept) == len(targets) else _tuples(kept)
    return left, right


def _goes_by_place(left: Any, right: Any) -> bool:
    starred = any(isinstance(e, gast.Starred) for e in (*left.elts, *right.elts))
    return len(left.elts) == len(right.elts) and not starred


def _tuples(pairs: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
    if len(pairs) == 1:
        return pairs[0]
    targets, values = zip(*pairs, strict=True)
    return gast.Tuple([*targets], gast.Store()), gast.Tuple([*values], gast.Load())


def _is_same_constant(one: Any, other: Any) -> bool:
    """Whether two lines give names the same constant, and there is room for both in one."""
    match one, other:
        case (
            gast.Assign(targets=[gast.Name(), *_] as targets, value=gast.Constant(value=a)),
            gast.Assign(targets=[gast.Name() as last], value=gast.Constant(value=b)),
        ):
            room = sum(len(target.id) + 3 for target in (*targets, last)) <= LONGEST_CHAIN
            return room and type(a) is type(b) and a == b
    return False


def _is_unpacked(origin: ir.Origin) -> bool:
    """Whether the user wrote `a, b = [x, y]`, and not one name for both."""
    targets = getattr(origin.node, "targets", ())
    return any(isinstance(target, (gast.Tuple, gast.List)) for target in targets)


def _only_says(node: Any) -> bool:
    """Whether nothing is left of a loop or branch but comments."""
    body = getattr(node, "body", ())
    return all(isinstance(line, Comment) for line in body) and not getattr(node, "orelse", ())


def _with_context(node: Any, ctx: Any) -> Any:
    """The expression as a target."""
    match node:
        case gast.Name(id=name):
            return ir.name(name, ctx)
        case gast.Subscript(value=value, slice=index):
            return ir.subscript(value, index, ctx)
        case gast.Attribute(value=value, attr=attr):
            return gast.Attribute(value, attr, ctx)
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return gast.Tuple([_with_context(element, ctx) for element in elements], ctx)
        case gast.Starred(value=value):
            return gast.Starred(_with_context(value, ctx), ctx)
    return node


def _scatter(place: Any, op: Any, value: Any, device: bool) -> Any:
    """np.add.at(x, i, v) for x[i] += v"""
    index, adds = index_value(place.slice), isinstance(op, ir.AddAt)
    if device:
        v = value if adds else quote("-{v}", v=value)
        return gast.Call(helper("add_at"), [place.value, index, v], [])
    at = "np.add.at" if adds else "np.subtract.at"
    return quote(f"{at}({{x}}, {{i}}, {{v}})", x=place.value, i=index, v=value)


def _negation(test: Any) -> Any:
    match test:
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            return operand
        case gast.Compare(
            left=gast.Name() as left,
            ops=[gast.Eq()],
            comparators=[gast.Name() | gast.Constant() as right],
        ):
            return gast.Compare(left, [gast.NotEq()], [right])
    return gast.UnaryOp(gast.Not(), test)
