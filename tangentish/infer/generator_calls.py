"""Calls of generator functions: where all items are taken at once, they are those of a list that is made before.

Where the items come one by one, between the trips of a loop, it must make no difference when they are made.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.infer.callee_arguments import bind_arguments
from tangentish.infer.facts import Summary
from tangentish.infer.instances import is_followed
from tangentish.infer.known_functions import ListMethod, has_rule, is_user_code
from tangentish.infer.only_reading import only_reads
from tangentish.infer.reaching_out import reach_of
from tangentish.infer.starting_again import Instead, OtherLines
from tangentish.infer.walk import Walk
from tangentish.ir.origins import origin_of
from tangentish.ir.quote import quote
from tangentish.kinds import UNKNOWN, Fun, Kind, Num, Seq, Tup, buffers_of
from tangentish.language.chained import COMING_LATE
from tangentish.language.generators import is_generator, listing, may_not_end
from tangentish.language.items_counted import with_items_counted
from tangentish.language.items_taken import TAKING, with_items_taken
from tangentish.language.leaving import has_break, has_return
from tangentish.language.lifted import Lifted, as_written
from tangentish.language.mapped import listed
from tangentish.language.nested import captured_names, nested_of
from tangentish.language.scopes import COMPREHENSIONS
from tangentish.language.source import read_source
from tangentish.language.taken_whole import takes_whole
from tangentish.language.undisturbed import is_undisturbed

_KEPT = "a generator that is kept is not followed: make it a list"
_BINDS = "a generator that binds what is around it is not followed: write its loop here"
_NOT_QUIET = (
    "this generator does more than to give its items, between the trips of the loop: make it a list"
)
_ITEM_CHANGES = "this generator changes what it gave before: give copies"
_CHANGED = "the loop may change what this generator reads: make it a list"
_LEFT = "it is not known whether this generator ends by itself, and it may be left before: write its loop here"

_BUILTINS = {"zip": zip, "enumerate": enumerate, "reversed": reversed, "list": list}
_ITERATORS = (zip, enumerate, reversed, iter, *COMING_LATE)
_ALL_AT_ONCE = (list, tuple, sum, max, min, sorted, set)
_BESIDE = (enumerate, zip)


class _Taker(NamedTuple):
    """What takes the items of a call: `loop` one by one; `early`: it may leave some."""

    loop: Any = None
    early: bool = False


_WHOLE = _Taker()


class GeneratorCalls(Walk):
    """The part of the walk that knows calls of generator functions."""

    @cached_property
    def takers(self) -> dict[Any, _Taker]:
        """What takes the items of the calls in this function."""
        found: dict[Any, _Taker] = {}
        for statement in ir.walk_statements(self.function.body):
            for node, taker in self.taken_by(statement):
                found.setdefault(node, taker)
        return found

    def taken_by(self, statement: ir.Statement) -> Iterator[tuple[Any, _Taker]]:
        match statement:
            case ir.For(iter=iterated, origin=origin):
                loop = origin.node
                early = isinstance(loop, gast.For) and (has_break(loop) or has_return(loop))
                yield from self.along(iterated, _Taker(loop, early))
            case ir.Update(value=value) | ir.Assign(gast.Tuple() | gast.List(), value):
                yield value, _WHOLE
            case ir.Assign(gast.Name(id=name), value) if ".+" in name or ".u" in name:
                yield value, _WHOLE  # it was given a name on the way to what takes it
        for node in ir.nodes_in(statement):
            match node:
                case gast.Call(args=[taken, *others], keywords=[]) if self.takes_all(
                    node.func, others
                ):
                    if isinstance(taken, gast.GeneratorExp):
                        yield from self.in_comprehension(taken, False)
                    yield taken, _WHOLE
                case gast.Starred(value=value):
                    yield value, _WHOLE
                case _ if isinstance(node, COMPREHENSIONS):
                    yield from self.in_comprehension(node, isinstance(node, gast.GeneratorExp))

    def in_comprehension(self, node: Any, early: bool) -> Iterator[tuple[Any, _Taker]]:
        for part in node.generators:
            yield from self.along(part.iter, _Taker(node, early))

    def along(self, node: Any, taker: _Taker) -> Iterator[tuple[Any, _Taker]]:
        """What is run over, and what is run over beside it."""
        yield node, taker
        if isinstance(node, gast.Call) and any(self.is_called(node.func, f) for f in _BESIDE):
            beside = taker._replace(early=taker.early or len(node.args) > 1)
            for part in node.args:
                yield from self.along(part, beside)

    def takes_all(self, func: Any, others: Sequence[Any]) -> bool:
        """Whether a function takes all items of its first argument before it does anything else."""
        if others:
            return self.is_called(func, sum)
        if isinstance(func, gast.Attribute):
            return bool(func.attr == "extend" and self.called(func)[0] == ListMethod("extend"))
        return any(self.is_called(func, f) for f in _ALL_AT_ONCE)

    def is_called(self, func: Any, function: Any) -> bool:
        """Whether a name is that of a builtin."""
        name = func.id if isinstance(func, gast.Name) else ""
        plain = name == function.__name__ and self.source.where(name) == "builtin"
        return plain or name == f"${function.__name__}"

    # -- iterators that functions are given

    def list_items(self, function: Any, receiver: Any, node: Any) -> None:
        """`mean(v * v for v in x)` is `mean([v * v for v in x])`, where nobody can tell when the items are made."""
        given = [*node.args, *(k.value for k in node.keywords)]
        called = _plain_function(function)
        if called is None or self.cached or not any(map(self.items_listed, given)):
            return
        first = [receiver] if receiver is not None or isinstance(function, type) else []
        keywords = {k.arg: k.value for k in node.keywords}
        bound = bind_arguments(called, [*first, *node.args], keywords)
        if isinstance(bound, str):
            return
        for parameter, argument in bound.items():
            made = self.items_listed(argument) if argument in given else None
            if made is None or not self.varies_in(argument):
                continue
            taking = takes_whole(called, parameter, lambda f: only_reads(f, lambda _: False))
            others = [part for part in given if part is not argument]
            if taking is None or (taking.early and may_not_end(argument)):
                continue
            if self.is_unseen(argument, others) and self.is_quiet(made, node):
                raise Instead(argument, made)

    def seek_items_taken(self, function: Any, node: Any) -> None:
        """`it = iter(x)`, from which lines take items: where they leave x as it is, they are those of x itself."""
        line = self.statement
        if function is not iter or len(node.args) != 1 or self.cached:
            return
        if any(self.source.where(name) != "builtin" for name in ("next", *TAKING)):
            return
        if not (
            isinstance(line, ir.Assign)
            and line.value is node
            and isinstance(line.target, gast.Name)
        ):
            return
        kind = self.expression(node.args[0])
        listed = (isinstance(kind, Seq) and not kind.keyed) or (
            isinstance(kind, Tup) and kind.is_counted
        )
        if kind.active and (listed or (isinstance(kind, Num) and kind.rank)):
            names = [ir.base_name(name) for name in ir.names_in(node.args[0])]

            def undisturbed(lines: Sequence[ir.Statement]) -> bool:
                nodes = [origin_of(s).node for s in lines]
                return is_undisturbed(nodes, names, self.whole, self.but_next, (), self.only_takes)

            body = with_items_taken(self.function.body, line, undisturbed)
            if body is None and self.source.where("StopIteration") == "builtin":
                body = with_items_counted(self.function.body, line, undisturbed)
            if body is not None:
                raise OtherLines(body)

    def but_next(self, name: str) -> object:
        """What a name stands for, where `next` only takes an item."""
        return None if name == "next" else self.source_value(name)

    def only_takes(self, name: str) -> bool:
        return name == "next" or self.only_reads_here(name)

    def items_listed(self, argument: Any) -> Any | None:
        """The list of what a generator or an iterator gives; None of anything else."""
        function = self.gives_once(argument.func) if isinstance(argument, gast.Call) else None
        if isinstance(argument, gast.GeneratorExp):
            made: Any = gast.ListComp(argument.elt, argument.generators)
        elif function in (zip, enumerate, reversed):
            made = listed(argument, argument, _BUILTINS.get, self.unused)
        elif function is not None:
            over = argument.args[0] if function is iter and len(argument.args) == 1 else argument
            made = quote("list({x})", x=over)
        else:
            return None
        return made and self.made_once((argument, "listed"), lambda: made, argument)

    def gives_once(self, func: Any) -> Any:
        """The function that a name stands for, or a method, where that may give an iterator."""
        match func:
            case gast.Name(id=name):
                kind = self.env.kinds.get(name)
                found = kind.function if isinstance(kind, Fun) else self.source_value(name)
            case gast.Attribute(value=gast.Name(id=owner), attr=name):
                kind = self.env.kinds.get(owner)
                of = kind.type if isinstance(kind, Tup) else self.source_value(owner)
                found = None if of is None else inspect.getattr_static(of, name, None)
            case _:
                return None
        known = any(found is one for one in _ITERATORS)
        return found if known or is_generator(found) else None

    def varies_in(self, argument: Any) -> bool:
        """Whether what is read where the items are made may carry a derivative."""
        return any(self.env.kinds.get(name, UNKNOWN).active for name in ir.names_in(argument))

    def is_unseen(self, argument: Any, others: Sequence[Any]) -> bool:
        """Whether what a call is given besides changes nothing that is read where the items are made."""
        parts = [part for node in ir.walk(argument) for part in getattr(node, "generators", ())]
        own = {name for part in parts for name in ir.target_names(part.target)}
        names = map(ir.base_name, {*ir.names_in(argument)} - own)
        return is_undisturbed(
            others, names, self.whole, self.source_value, (), self.only_reads_here
        )

    def is_quiet(self, made: Any, node: Any) -> bool:
        """Whether nothing shows of making items, nor when, where the call itself gives items one by one."""
        self.expression(made)
        taker = self.takers.get(node, _WHOLE)
        for part in ir.walk(made):
            facts, user = self.facts, self.facts.user_of(part)
            if facts.handed.get(part) or part in facts.changes or part in facts.acting:
                return False
            if user is not None and not (
                user.quiet
                and (
                    taker.loop is None
                    or self.leaves_alone(taker.loop, as_written(user.function), node)
                )
            ):
                return False
        return True

    def takes_all_items(
        self, args: Iterable[Any], cells: Iterable[tuple[str, Any]], node: Any
    ) -> bool:
        """Whether a call of a generator function, which carries a derivative, is one of a list."""
        return node in self.takers and self.carries(args, cells)

    def carries(self, args: Iterable[Any], cells: Iterable[tuple[str, Any]]) -> bool:
        held = (
            self.env.kinds.get(c, UNKNOWN) if isinstance(c, str) else self.kind(c) for _, c in cells
        )
        return any(kind.active for kind in (*map(self.kind, args), *held))

    def kept_generator(
        self, function: types.FunctionType, args: Sequence[Any], cells: Iterable[tuple[str, Any]],
        node: Any,
    ) -> Kind:  # fmt: skip
        """One that carries no derivative is left as it is."""
        nested = nested_of(function)
        if self.carries(args, cells):
            self.refuse(_KEPT, node)
        elif nested is not None and nested.shared:
            self.refuse(_BINDS, node)
        else:
            self.read_later(node, tuple(cell for _, cell in cells if isinstance(cell, str)))
            self.note_later(reach_of(function), args, node)
            return self.unknown_call(function, args, node)
        return UNKNOWN

    def check_items(self, function: types.FunctionType | Lifted, found: Summary, node: Any) -> None:
        """Items that come one by one are those of a list, where nobody can tell."""
        plain = as_written(function)
        taker = self.takers.get(node, _WHOLE) if is_generator(plain) else _WHOLE
        if taker.loop is None:
            return
        if taker.early and may_not_end(read_source(plain).tree):
            self.refuse(_LEFT, node)
        elif self.is_guarded(node) or not found.quiet or found.written or found.changes:
            self.refuse(_NOT_QUIET, node)
        elif _memory_of_items(found.result) & {buffer.site for buffer in found.memory}:
            self.refuse(_ITEM_CHANGES, node)
        elif not self.leaves_alone(taker.loop, plain, node):
            self.refuse(_CHANGED, node)

    def is_guarded(self, node: Any) -> bool:
        """Whether something in the function may see how far a loop came when an exception was raised."""
        guards = (n for n in gast.walk(self.source.tree) if isinstance(n, (gast.Try, gast.With)))
        return any(guard.lineno <= node.lineno <= guard.end_lineno for guard in guards)

    def leaves_alone(self, loop: Any, function: types.FunctionType, node: Any) -> bool:
        """Whether what happens between the items changes nothing that the generator may read."""
        code, own = function.__code__, self.source.function.__code__
        names = {ir.base_name(name) for name in ir.names_in(node)}
        names |= {*code.co_names} - {*own.co_varnames}  # a variable here is no global there
        names |= {*code.co_freevars, *map(ir.base_name, captured_names(function))}
        items = ir.target_names(loop.target) if isinstance(loop, gast.For) else []
        body = list(_evaluated_between(loop))
        found = self.source_value
        read = (
            part for line in body for part in gast.walk(line) if isinstance(part, gast.Attribute)
        )
        if any(isinstance(part.ctx, gast.Load) and self.may_change(part.attr) for part in read):
            return False
        return is_undisturbed(body, names, self.whole, found, items, self.only_reads_here)

    def may_change(self, attribute: str) -> bool:
        """Whether a class that is known here has a property of this name that changes something."""
        classes = {kind.type for kind in self.env.kinds.values() if isinstance(kind, Tup)}
        classes |= {c for c in self.source.function.__globals__.values() if isinstance(c, type)}
        found = (inspect.getattr_static(c, attribute, None) for c in classes if c is not None)
        properties = (p.fget for p in found if isinstance(p, property))
        return not all(only_reads(function, lambda _: False) for function in properties)

    @cached_property
    def whole(self) -> Any:
        """The function, as it is looked at."""
        tree, function = self.source.tree, self.source.function
        return listing(tree, function)[0] if is_generator(function) else tree

    def source_value(self, name: str) -> object:
        code = self.source.function.__code__
        try:
            return None if name in code.co_varnames else self.source.lookup(name)
        except NameError:
            return None

    def only_reads_here(self, name: str) -> bool:
        """Whether a name stands for a function that only reads."""
        kind = self.env.kinds.get(f"{name}.0", UNKNOWN)
        function = kind.function if isinstance(kind, Fun) else self.source_value(name)
        return isinstance(function, types.FunctionType) and only_reads(function, lambda _: False)


def _plain_function(function: Any) -> types.FunctionType | None:
    """The function of the user's that a call runs."""
    if isinstance(function, Fun):
        function = function.function
    if is_followed(function):
        function = inspect.getattr_static(function, "__init__", None)
    plain = isinstance(function, types.FunctionType) and is_user_code(function)
    return function if plain and not has_rule(function) else None


def _evaluated_between(loop: Any) -> Iterator[Any]:
    """What a loop, a comprehension, or those in a line that were written out as loops, do between their items."""
    if isinstance(loop, gast.For):
        yield from (loop.target, *loop.body)
    elif isinstance(loop, COMPREHENSIONS):
        first, *others = loop.generators
        parts = ("elt", "key", "value")
        yield from (getattr(loop, part) for part in parts if hasattr(loop, part))
        yield from (*first.ifs, *others)
    else:
        inside = [node for node in ir.walk(loop) if isinstance(node, COMPREHENSIONS)]
        yield from (part for node in inside for part in _evaluated_between(node))
        yield from () if inside else (loop,)


def _memory_of_items(result: Kind | None) -> set[Hashable]:
    """The memory in which the items lie that a generator gives."""
    match result:
        case Seq(item=item):
            items: Sequence[Kind | None] = (item,)
        case Tup(items=several):
            items = several
        case _:
            return set()
    return {buffer.site for item in items if item is not None for buffer in buffers_of(item)}
