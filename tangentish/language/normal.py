"""Accepted Python -> statements (ir/); what is not accepted is refused, pointing at it.

Exits become structure. Before:                 After:

    for i in range(n):                              returned = False
        if x[i] < 0:                                for i in range(n):      (stop: returned)
            return x[i]                                 if x[i] < 0:
        s += x[i]                                           y = x[i]; returned = True
    return s                                            else:
                                                            s += x[i]
                                                    if not returned:
                                                        y = s
                                                    return y

Code after an exit is moved into the other branch, never duplicated; where both branches may or may not exit, a
flag guards what follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.ir.quote import constant, quote
from tangentish.language.binding import parameter_names
from tangentish.language.changed_first import found_first
from tangentish.language.declared import declarations, declared_in
from tangentish.language.evaluated import repeated_in
from tangentish.language.filled_lists import with_lists_filled
from tangentish.language.generators import is_generator, listing, run_over
from tangentish.language.imported import without_imports
from tangentish.language.iterators_named_once import without_named_iterators
from tangentish.language.keys_listed import with_keys_listed
from tangentish.language.leaving import (
    EXITS,
    LOOPS,
    always_exits,
    has_break,
    has_exit,
    has_return,
    only_handlers_exit,
    returns_in,
)
from tangentish.language.lists_in_dicts import with_lists_extended
from tangentish.language.locals_given import with_locals_written
from tangentish.language.methods_in_dicts import with_methods_named
from tangentish.language.nested import captured_names, with_closures
from tangentish.language.own_options import with_own_options
from tangentish.language.placed import all_at
from tangentish.language.plain import plain
from tangentish.language.plain_containers import with_plain_containers
from tangentish.language.scopes import with_own_names
from tangentish.language.source import Source
from tangentish.language.stars_converted import with_stars_converted
from tangentish.language.stored_last import calls_in_places, with_names
from tangentish.language.supported import supported, without_docstring
from tangentish.language.vectorized_names import without_vectorized_names

MOST_NESTED = 12  # exits of one block that are turned into nested branches

_GUARDED = (gast.Try, gast.With)


@dataclass(frozen=True, eq=False)
class Normal:
    """A function in normal form, its local names still the user's, and what was refused."""

    name: str
    arguments: Any
    parameters: tuple[str, ...]
    body: ir.Block
    local_names: frozenset[str]
    refusals: tuple[Refusal, ...]
    outside: frozenset[str]  # the names outside of the function that it binds


def normalise(source: Source, called: bool) -> Normal:
    """The normal form of a function; `called` by another that is differentiated."""
    tree, refusals = with_closures(source)
    if is_generator(source.function):
        tree, others = listing(tree, source.function)
        refusals = [*refusals, *others]
    elif called and tree.name == "__iter__":
        tree = run_over(tree)
    builder = _Builder(source, refusals, called=called)
    arguments = tree.args
    parameters = (*parameter_names(source.function), *captured_names(source.function))
    body = builder.function_body(tree, parameters)
    body = (*(ir.Do(node, builder.origin(node)) for node in builder.declarations), *body)
    local = {name for statement in ir.walk_statements(body) for name in ir.defined_names(statement)}
    return Normal(
        tree.name,
        arguments,
        parameters,
        body,
        frozenset(local | set(parameters)),
        tuple(builder.refusals),
        declared_in(builder.declarations),
    )


@dataclass
class _Builder:
    source: Source
    refusals: list[Refusal] = field(default_factory=list)
    declarations: list[Any] = field(default_factory=list)  # global and nonlocal
    flags: Counter[str] = field(default_factory=Counter)
    called: bool = False  # by another function that is differentiated
    gives: bool = False  # whether some return has a value, where there are several
    results: int | None = None  # the length of the returned tuple, where all have that

    def refuse(self, message: str, node: Any) -> None:
        self.refusals.append(Refusal(message, node))

    def origin(self, node: Any) -> ir.Origin:
        return ir.Origin(node, self.source.line(node.lineno))

    def fresh_flag(self, stem: str) -> str:
        self.flags[stem] += 1
        number = self.flags[stem]
        return f".{stem}" if number == 1 else f".{stem}_{number}"

    # -- the function as a whole

    def function_body(self, tree: Any, parameters: Sequence[str]) -> ir.Block:
        statements = with_own_options(without_docstring(tree.body), tree.args)
        statements = with_stars_converted(statements, tree.args, self.source.found)
        statements = with_locals_written(statements, self.source)
        statements = without_imports(statements, self.source)
        statements = without_named_iterators(statements, tree, self.source.found)
        statements = with_methods_named(statements, self.source, self.source.found)
        statements = with_own_names(statements, parameters)
        statements = with_plain_containers(statements, self.source, self.source.found)
        statements = with_lists_extended(statements, self.source.found)
        statements = with_lists_filled(statements, self.source.found)
        statements = without_vectorized_names(statements, self.source.found)
        statements = plain(
            with_keys_listed(statements, self.source.found), self.source, self.refuse
        )
        statements = with_own_names(statements, parameters)  # generators are loops by now
        statements = supported(statements, self.refuse)
        self.declarations = declarations(statements, self.refuse)
        returns = list(returns_in(statements))
        if all(r.value is None for r in returns):
            return self.block(statements, _Exits())
        if len(returns) == 1 and returns[0] is statements[-1]:
            return (*self.block(statements[:-1], _Exits()), *self.final(returns[0]))
        if not always_exits(statements):
            statements = [*statements, self.falling_off(statements[-1])]
            returns = list(returns_in(statements))
        shapes = {len(r.value.elts) if isinstance(r.value, gast.Tuple) else None for r in returns}
        if len(shapes) == 1:
            self.results = shapes.pop()
        self.gives = True
        body = self.block(statements, _Exits())
        names = self.result_names()
        last = self.origin(returns[-1])
        final = ir.Return(tuple(map(ir.name, names)), self.results is not None, last)
        return (*body, final)

    def nothing(self, at: Any) -> Any:
        return gast.copy_location(gast.Constant(None, None), at)

    def falling_off(self, last: Any) -> Any:
        """What the end of a function does that returns something elsewhere: what calls it gets None."""
        if self.called:
            return gast.copy_location(gast.Return(self.nothing(last)), last)
        message = f"{self.source.function.__name__}() returns None here: there is nothing to differentiate"
        error = quote("TypeError({message})", message=constant(message))
        return all_at(gast.Raise(error, None), last)

    def result_names(self) -> tuple[str, ...]:
        return (".y",) if self.results is None else tuple(f".y_{k}" for k in range(self.results))

    def final(self, node: Any) -> ir.Block:
        """The only return, at the end: a returned name is the result itself."""
        origin = self.origin(node)
        if node.value is None:
            return ()
        is_tuple = isinstance(node.value, gast.Tuple)
        values = node.value.elts if is_tuple else [node.value]
        before: list[ir.Statement] = []
        results = []
        for k, value in enumerate(values):
            if isinstance(value, gast.Name) and values.count(value) == 1:
                results.append(value)
                continue
            result = f".y_{k}" if is_tuple else ".y"
            before.append(ir.Assign(ir.name(result), value, origin))
            results.append(ir.name(result))
        return (*before, ir.Return(tuple(results), is_tuple, origin))

    # -- statements

    def block(self, statements: Sequence[Any], exits: _Exits) -> ir.Block:
        out: list[ir.Statement] = []
        if sum(1 for s in statements if isinstance(s, gast.If) and has_exit(s)) > MOST_NESTED:
            return tuple(self.flat(statements, exits))
        for k, statement in enumerate(statements):
            if isinstance(statement, EXITS):
                out += self.exit(statement, exits)
                return tuple(out)
            if isinstance(statement, gast.If) and has_exit(statement):
                out += self.branch_with_exit(statement, statements[k + 1 :], exits)
                return tuple(out)
            if isinstance(statement, LOOPS) and (statement.orelse or has_return(statement)):
                out += self.loop(statement, statements[k + 1 :], exits)
                return tuple(out)
            if isinstance(statement, _GUARDED) and has_exit(statement):
                out += self.guarded_with_exit(statement, statements[k + 1 :], exits)
                return tuple(out)
            if isinstance(statement, LOOPS):
                out += self.loop(statement, (), exits)
            else:
                out += self.statement(statement, exits)
        return tuple(out)

    def flat(self, statements: Sequence[Any], exits: _Exits) -> Iterator[ir.Statement]:
        """Many exits one after the other: a flag instead of ever deeper branches."""
        origin = self.origin(statements[0])
        flag = self.fresh_flag("done")
        yield _flag(flag, False, origin)
        inner = exits.guarded_by(flag)
        piece: list[Any] = []
        for k, statement in enumerate(statements):
            piece.append(statement)
            if (isinstance(statement, gast.If) and has_exit(statement)) or k == len(statements) - 1:
                lines = self.block(piece, inner)
                if k + 1 == len(piece):  # the first: there was no exit before
                    yield from lines
                else:
                    yield ir.If(_not(flag), lines, (), self.origin(piece[0]))
                piece = []

    def statement(self, node: Any, exits: _Exits) -> Iterator[ir.Statement]:
        origin = self.origin(node)
        match node:
            case gast.Assign() | gast.AugAssign() | gast.AnnAssign():
                yield from self.binding(node, origin)
            case gast.Global() | gast.Nonlocal() | gast.Pass() | gast.Expr(value=gast.Constant()):
                return
            case gast.If(test=test, body=body, orelse=orelse):
                yield ir.If(test, self.block(body, exits), self.block(orelse, exits), origin)
            case gast.Expr() | gast.Raise() | gast.Assert():
                yield ir.Do(node, origin)
            case gast.Delete(targets=targets):
                for target in targets:
                    yield ir.Do(gast.copy_location(gast.Delete([target]), node), origin)
            case gast.Try() | gast.With():
                yield self.guarded(node, exits)
            case _:
                self.refuse(f"{type(node).__name__} is not supported yet", node)

    def binding(self, node: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        match node:
            case gast.AnnAssign(value=None):
                return
            case gast.AnnAssign(target=target, value=value):
                yield ir.Assign(target, value, origin)
            case gast.Assign(targets=[target]) | gast.AugAssign(target=target) if self.is_outside(
                target
            ):
                yield ir.Do(node, origin)
            case gast.Assign():
                yield from self.assignment(node, origin)
            case gast.AugAssign(target=target, op=op, value=value):
                lines, place = self.named(
                    target, found_first(target, value, self.source.found), origin
                )
                yield from lines
                yield ir.Update(place, op, value, origin)

    def is_outside(self, target: Any) -> bool:
        """Whether a target is a name that is declared global or nonlocal."""
        return isinstance(target, gast.Name) and target.id in declared_in(self.declarations)

    def assignment(self, node: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        match node.targets:
            case [target] if _stores_or_nests(target):
                yield from self.one_by_one(target, node.value, origin)
            case [gast.Subscript() as target] if _starts_with_call(target):
                yield from self.into_call(target, node.value, origin)
            case [target] if calls_in_places(target, self.source.found):
                yield from self.at_computed_place(target, node.value, origin)
            case [target]:
                yield ir.Assign(target, node.value, origin)

    def one_by_one(self, target: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """x[i], y = e, f  ->  t, t_1 = e, f; x[i] = t; y = t_1: targets are set from left to right."""
        self.temporaries += len(target.elts)
        first = self.temporaries - len(target.elts)
        names = [f".t{first + k}" for k in range(len(target.elts))]
        targets = [
            gast.Starred(ir.name(name), gast.Store())
            if isinstance(e, gast.Starred)
            else ir.name(name)
            for e, name in zip(target.elts, names, strict=True)
        ]
        yield ir.Assign(
            gast.copy_location(gast.Tuple(targets, gast.Store()), target), value, origin
        )
        for element, name in zip(map(without_star, target.elts), names, strict=True):
            if _stores_or_nests(element):
                yield from self.one_by_one(element, ir.name(name), origin)
            elif calls_in_places(element, self.source.found):
                yield from self.at_computed_place(element, ir.name(name), origin)
            else:
                yield ir.Assign(element, ir.name(name), origin)

    def into_call(self, target: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """f(x)[0] = v  ->  t = v; t_1 = f(x); t_1[0] = t"""
        root = ir.root_of(target)
        self.temporaries += 2
        stored, array = f".t{self.temporaries - 2}", f".t{self.temporaries - 1}"
        yield ir.Assign(ir.name(stored), value, origin)
        yield ir.Assign(ir.name(array), root, origin)
        place = ir.copy_expression(
            target, lambda n: gast.copy_location(ir.name(array), n) if n is root else None
        )
        yield ir.Assign(place, gast.copy_location(ir.name(stored), value), origin)

    def at_computed_place(
        self, target: Any, value: Any, origin: ir.Origin
    ) -> Iterator[ir.Statement]:
        """y[f(y)] = v  ->  t = v; t_1 = f(y); y[t_1] = t"""
        self.temporaries += 1
        stored = f".t{self.temporaries - 1}"
        yield ir.Assign(ir.name(stored), value, origin)
        lines, place = self.named(target, calls_in_places(target, self.source.found), origin)
        yield from lines
        yield ir.Assign(place, gast.copy_location(ir.name(stored), value), origin)

    def named(
        self, target: Any, parts: list[Any], origin: ir.Origin
    ) -> tuple[list[ir.Statement], Any]:
        first, self.temporaries = self.temporaries, self.temporaries + len(parts)
        return with_names(target, [(f".t{first + k}", e) for k, e in enumerate(parts)], origin)

    temporaries: int = 0

    def exit(self, node: Any, exits: _Exits) -> Iterator[ir.Statement]:
        origin = self.origin(node)
        match node:
            case gast.Return(value=None):
                if self.gives and not self.called:
                    yield ir.Do(self.falling_off(node), origin)
                    return
                if self.gives:
                    yield self.result(self.nothing(node), origin)
                flags = exits.on_return
            case gast.Return(value=value):
                yield self.result(value, origin)
                flags = exits.on_return
            case gast.Break():
                flags = exits.on_break
            case _:
                flags = exits.on_continue
        for flag in flags:
            yield _flag(flag, True, origin)

    def result(self, value: Any, origin: ir.Origin) -> ir.Statement:
        names = self.result_names()
        if self.results is None:
            return ir.Assign(ir.name(names[0]), value, origin)
        return ir.Assign(gast.Tuple(list(map(ir.name, names)), gast.Store()), value, origin)

    def branch_with_exit(
        self, node: Any, rest: Sequence[Any], exits: _Exits
    ) -> Iterator[ir.Statement]:
        origin = self.origin(node)
        body, orelse = list(node.body), list(node.orelse)
        if not rest or always_exits(body):
            orelse += rest
        elif always_exits(orelse):
            body += rest
        else:
            flag = self.fresh_flag("done")
            yield _flag(flag, False, origin)
            inner = exits.guarded_by(flag)
            yield ir.If(node.test, self.block(body, inner), self.block(orelse, inner), origin)
            yield ir.If(_not(flag), self.block(rest, exits), (), origin)
            return
        yield ir.If(node.test, self.block(body, exits), self.block(orelse, exits), origin)

    # -- try and with

    def guarded(self, node: Any, exits: _Exits) -> ir.Statement:
        origin = self.origin(node)
        if isinstance(node, gast.With):
            items = tuple((item.context_expr, item.optional_vars) for item in node.items)
            return ir.With(items, self.block(node.body, exits), origin)
        statement: ir.Statement = ir.Try(
            self.block(node.body, exits),
            tuple(self.handler(h, exits) for h in node.handlers),
            self.block(node.orelse, exits),
            origin,
        )
        if not node.finalbody:
            return statement
        for inner in node.finalbody:
            if has_exit(inner):
                self.refuse("return, break and continue in finally are not supported yet", inner)
                return statement
        body = (statement,) if node.handlers else self.block(node.body, exits)
        return ir.Finally(body, self.block(node.finalbody, exits), origin)

    def handler(self, node: Any, exits: _Exits) -> ir.Handler:
        return ir.Handler(node.type, node.name, self.block(node.body, exits))

    def guarded_with_exit(
        self, node: Any, rest: Sequence[Any], exits: _Exits
    ) -> Iterator[ir.Statement]:
        """What follows is run where no exit was taken: after a flag, or in the `else` of a try."""
        if not rest or always_exits([node]):
            yield self.guarded(node, exits)
        elif only_handlers_exit(node):
            after = [*node.orelse, *rest]
            new = gast.Try(node.body, node.handlers, after, [])
            yield self.guarded(gast.copy_location(new, node), exits)
        else:
            flag = self.fresh_flag("done")
            yield _flag(flag, False, self.origin(node))
            yield self.guarded(node, exits.guarded_by(flag))
            yield ir.If(_not(flag), self.block(rest, exits), (), self.origin(rest[0]))

    def loop(self, node: Any, rest: Sequence[Any], exits: _Exits) -> Iterator[ir.Statement]:
        """A loop and, where it has an exit, what follows it in its block."""
        origin = self.origin(node)
        returns, breaks = next(returns_in(node.body), None) is not None, has_break(node)
        returned = self.fresh_flag("returned") if returns else None
        stop = self.fresh_flag("stop") if breaks else returned
        flags = tuple(flag for flag in dict.fromkeys((returned, stop)) if flag is not None)
        for flag in flags:
            yield _flag(flag, False, origin)
        on_break = () if stop is None else (stop,)
        body = self.block(node.body, _Exits((*exits.on_return, *flags), on_break, ()))
        if isinstance(node, gast.While):
            yield ir.While(node.test, body, stop and ir.name(stop), origin)
        else:
            lines, over = self.named(node.iter, repeated_in(node.iter), origin)
            yield from lines
            yield ir.For(node.target, over, body, stop and ir.name(stop), origin)
        after = _where_not_left(node, stop)
        if not any(map(has_exit, after)) and after != node.orelse:  # a return sets `stop`, too
            yield from self.block(after, exits)
            after = []
        after += rest
        if after and returned is not None:
            yield ir.If(_not(returned), self.block(after, exits), (), origin)
        else:
            yield from self.block(after, exits)


@dataclass(frozen=True)
class _Exits:
    """The flags that a return, a break and a continue set."""

    on_return: tuple[str, ...] = ()
    on_break: tuple[str, ...] = ()
    on_continue: tuple[str, ...] = ()

    def guarded_by(self, flag: str) -> _Exits:
        flags = (self.on_return, self.on_break, self.on_continue)
        return _Exits(*((*old, flag) for old in flags))


def _where_not_left(loop: Any, stop: str | None) -> list[Any]:
    """The `else` of a loop, as what follows it: under a test where a break may have left the loop."""
    if stop is None or not (loop.orelse and has_break(loop)):
        return list(loop.orelse)
    return [gast.copy_location(gast.If(_not(stop), loop.orelse, []), loop.orelse[0])]


def _flag(flag: str, value: bool, origin: ir.Origin) -> ir.Statement:
    return ir.Assign(ir.name(flag), gast.Constant(value, None), origin)


def _not(flag: str) -> Any:
    return gast.UnaryOp(gast.Not(), ir.name(flag))


def without_star(target: Any) -> Any:
    return target.value if isinstance(target, gast.Starred) else target


def _starts_with_call(target: Any) -> bool:
    return isinstance(ir.root_of(target), gast.Call)


def _stores_or_nests(target: Any) -> bool:
    return isinstance(target, (gast.Tuple, gast.List)) and any(
        not isinstance(without_star(element), gast.Name) for element in target.elts
    )
