"""What is read later: dead restores go together with their saves, and with them what nobody needs.

The walk goes backwards over the adjoint. It knows names and memory apart, and of memory single rows: a row
`y[i + c]` that a loop wrote need not be restored where the rest of the walk back only reads rows `y[i + d]`
with d < c.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.expressions import is_whole
from tangentish.infer import literal_of
from tangentish.list_changes import TAKING
from tangentish.origins import NOWHERE

__all__ = ["Live", "prune_adjoint", "prune_forward"]

SHAPE_ATTRIBUTES = {"shape", "ndim", "size", "dtype"}
SHAPE_ARGUMENT = {"$unbroadcast": 1, "$full": 1, "$spread": 1, "$count": 0, "$cast": 1, "len": 0}
SHAPE_FUNCTIONS = {"zeros_like", "full_like", "empty_like", "ones_like", "shape", "ndim"}


@dataclass(frozen=True)
class Row:
    """Rows of an array relative to a loop variable: `=` i + offset, or all `<=` or `>=` it; no variable: all."""

    site: Hashable
    variable: str | None = None
    relation: str = "="
    offset: int = 0


@dataclass(frozen=True)
class Live:
    names: frozenset[str] = frozenset()
    rows: frozenset[Row] = frozenset()

    def __or__(self, other: Live) -> Live:
        return Live(self.names | other.names, self.rows | other.rows)

    def without_memory(self, sites: frozenset[Hashable]) -> Live:
        return Live(self.names, frozenset(row for row in self.rows if row.site not in sites))

    def without(self, names: tuple[str, ...]) -> Live:
        return Live(self.names - frozenset(names), self.rows)


Sites = Callable[[str], frozenset[Hashable]]


@dataclass
class _Reads:
    """What an expression reads."""

    sites: Sites
    loops: dict[str, tuple[int, int]]  # loop variable -> (its step, its least value)
    is_list: Callable[[str], bool]  # whose length changes with what it holds

    def of(self, expression: Any) -> Live:
        names: set[str] = set()
        rows: set[Row] = set()
        stack = [expression]
        while stack:
            node = stack.pop()
            match node:
                case gast.Name(id=name) if ir.is_value(name):
                    names.add(name)
                    rows |= {Row(site) for site in self.sites(name)}
                case gast.Attribute(value=gast.Name(id=name), attr=attr) if (
                    attr in SHAPE_ATTRIBUTES
                ):
                    names.add(name)
                case gast.Subscript(value=gast.Name(id=name), slice=index):
                    names.add(name)
                    rows |= {self.row(site, index) for site in self.sites(name)}
                    stack.append(index)
                case gast.Call():
                    stack += self.of_call(node, names)
                case _:
                    stack.extend(ir.children(node))
        return Live(frozenset(n for n in names if ir.is_value(n)), frozenset(rows))

    def of_call(self, call: Any, names: set[str]) -> list[Any]:
        """What a call reads in full; of a name whose shape is all it reads, only the name counts."""
        position = _shape_argument(call.func)
        shape_only = [
            a
            for k, a in enumerate(call.args)
            if k == position and isinstance(a, gast.Name) and not self.is_list(a.id)
        ]
        names.update(a.id for a in shape_only)
        others = [a for a in call.args if not any(a is b for b in shape_only)]
        return [*others, call.func, *(keyword.value for keyword in call.keywords)]

    def row(self, site: Hashable, index: Any) -> Row:
        first = index.elts[0] if isinstance(index, gast.Tuple) and index.elts else index
        match first:
            case gast.Name(id=name):
                offset = 0
            case gast.BinOp(
                left=gast.Name(id=name), op=gast.Add(), right=gast.Constant(value=int(offset))
            ):
                pass
            case gast.BinOp(
                left=gast.Name(id=name), op=gast.Sub(), right=gast.Constant(value=int(n))
            ):
                offset = -n
            case _:
                return Row(site)
        if name not in self.loops or self.loops[name][1] + offset < 0:
            return Row(site)
        return Row(site, name, "=", offset)


CHANGES = {"pop", "append", "insert", "reverse"}
CHANGING = TAKING | {"$put_back"}


def _changed_list(value: Any) -> str | None:
    """The gradient of a list that a call changes."""
    match value:
        case gast.Call(func=gast.Attribute(value=xs, attr=attr)) if attr in CHANGES:
            root = ir.root_of(xs)
        case gast.Call(func=gast.Name(id=name), args=[xs, *_]) if name in CHANGING:
            root = ir.root_of(xs)
        case _:
            return None
    return root.id if isinstance(root, gast.Name) else None


def _shape_argument(function: Any) -> int | None:
    match function:
        case gast.Name(id=name):
            return SHAPE_ARGUMENT.get(name)
        case gast.Attribute(value=gast.Name(id="$np"), attr=attr) if attr in SHAPE_FUNCTIONS:
            return 0
    return None


def _conflict(written: Row, read: Row) -> bool:
    if written.site != read.site:
        return False
    if written.variable is None or written.variable != read.variable:
        return True
    match read.relation:
        case "=":
            return written.offset == read.offset
        case "<=":
            return written.offset <= read.offset
    return written.offset >= read.offset


def prune_adjoint(
    block: ir.Block, after: Live, sites: Sites, own: Sites, is_list: Callable[[str], bool]
) -> tuple[ir.Block, Live, set[ir.Slot]]:
    """The adjoint without what nobody reads, what it reads of the forward pass, and the slots that stay."""
    walk = _Adjoint(sites, own, is_list)
    pruned, live = walk.block(block, after)
    return pruned, live, {s.slot for s in ir.walk_statements(pruned) if isinstance(s, ir.Restore)}


@dataclass
class _Adjoint:
    sites: Sites
    own: Sites  # memory that only this name ever stands for, always the same
    is_list: Callable[[str], bool]
    loops: dict[str, tuple[int, int]] = field(default_factory=dict)

    def reads(self, expression: Any) -> Live:
        return _Reads(self.sites, self.loops, self.is_list).of(expression)

    def block(self, block: ir.Block, live: Live) -> tuple[ir.Block, Live]:
        kept: list[ir.Statement] = []
        for statement in reversed(block):
            new, live = self.statement(statement, live)
            if new is not None:
                kept.append(new)
        return _without_idle_comments(tuple(reversed(kept))), live

    def statement(self, statement: ir.Statement, live: Live) -> tuple[ir.Statement | None, Live]:
        match statement:
            case ir.Assign(gast.Name(id=name), gast.Name(id=same)) if name == same:
                return None, live
            case ir.Assign(target, value):
                names = ir.defined_names(statement)
                roots = _roots(target)
                if not any(n in live.names for n in (*names, *roots)):
                    return self.effect(statement, value, live)
                live = live.without(names) | self.reads(value)
                return statement, live | self.target_reads(target)
            case ir.Update(target, _, value):
                root = ir.root_of(target)
                if root.id not in live.names:
                    return None, live
                return statement, live | self.reads(value) | self.target_reads(target) | Live(
                    frozenset({root.id})
                )
            case ir.Do(gast.Expr(value=value)):
                return self.effect(statement, value, live)
            case ir.Restore(slot):
                return self.restore(statement, slot, live)
            case ir.If() | ir.For() | ir.With():
                return self.compound(statement, live)
        return statement, live

    def compound(
        self, statement: ir.If | ir.For | ir.With, live: Live
    ) -> tuple[ir.Statement | None, Live]:
        match statement:
            case ir.If(test, body, orelse, origin):
                new_body, live_a = self.block(body, live)
                new_orelse, live_b = self.block(orelse, live)
                if not new_body and not new_orelse:
                    return None, live
                return ir.If(test, new_body, new_orelse, origin), live_a | live_b | self.reads(test)
            case ir.With(items, body, origin):
                body, live = self.block(body, live)
                return (ir.With(items, body, origin) if body else None), live
        return self.loop(statement, live)

    def effect(
        self, statement: ir.Statement, value: Any, live: Live
    ) -> tuple[ir.Statement | None, Live]:
        """A line that is only needed for what it does to the gradient of a list, if at all."""
        changed = _changed_list(value)
        if changed is None and isinstance(statement, ir.Do):
            return statement, live | self.reads(value)
        if changed not in live.names:
            return None, live
        return ir.Do(gast.Expr(value), NOWHERE), live | self.reads(value)

    def target_reads(self, target: Any) -> Live:
        match target:
            case gast.Subscript():
                return self.reads(target)
            case gast.Tuple(elts=elements):
                result = Live()
                for element in elements:
                    result |= self.target_reads(element)
                return result
        return Live()

    def restore(
        self, statement: ir.Statement, slot: ir.Slot, live: Live
    ) -> tuple[ir.Statement | None, Live]:
        if not slot.content:
            if slot.name not in live.names:
                return None, live
            return statement, live.without((slot.name,))
        reads = _Reads(self.sites, self.loops, self.is_list)
        target = slot.target
        element = isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name)
        direct = element and slot.undo is None
        written = {
            reads.row(site, target.slice) if direct else Row(site)
            for site in (self.sites(slot.name) if slot.sites is None else slot.sites)
        }
        if not any(_conflict(w, r) for w in written for r in live.rows):
            return None, live
        if is_whole(target):
            live = live.without_memory(self.own(slot.name))
        names = self.reads(target).names | {slot.name}
        if slot.undo is not None:
            names |= self.reads(slot.undo).names
        rows: set[Row] = set()
        if isinstance(target, gast.Subscript):
            rows |= self.reads(target.slice).rows
        return statement, live | Live(frozenset(names), frozenset(rows))

    def loop(self, loop: ir.For, after: Live) -> tuple[ir.Statement | None, Live]:
        variable = loop.target.id if isinstance(loop.target, gast.Name) else ""
        step, least = _range_of(loop.iter)
        outer = self.loops
        if step:
            self.loops = {**outer, variable: (step, least)}
        live = after
        while True:
            body, start = self.block(loop.body, live)
            start = start.without(tuple(ir.target_names(loop.target)))
            more = live | _one_trip_on(start, variable, step)
            if more == live:
                break
            live = more
        self.loops = outer
        if not body:
            return None, after
        new = ir.For(loop.target, loop.iter, body, loop.stop, loop.origin)
        before = after | _outside(start, variable)
        return new, before | self.reads(loop.iter)


def _one_trip_on(live: Live, variable: str, step: int) -> Live:
    """What the following trips read, in terms of this trip's loop variable."""
    rows = set()
    for row in live.rows:
        if row.variable != variable:
            rows.add(row)
        elif step < 0 and row.relation in ("=", "<="):
            rows.add(
                Row(
                    row.site,
                    variable,
                    "<=",
                    row.offset + step if row.relation == "=" else row.offset,
                )
            )
        elif step > 0 and row.relation in ("=", ">="):
            rows.add(
                Row(
                    row.site,
                    variable,
                    ">=",
                    row.offset + step if row.relation == "=" else row.offset,
                )
            )
        else:
            rows.add(Row(row.site))
    return Live(live.names, frozenset(rows))


def _outside(live: Live, variable: str) -> Live:
    return Live(
        live.names, frozenset(Row(r.site) if r.variable == variable else r for r in live.rows)
    )


def _range_of(iterator: Any) -> tuple[int, int]:
    """Step and least value of a range with literal step +-1 and a literal lower end; (0, 0) otherwise."""
    match iterator:
        case gast.Call(func=gast.Name(id="$range"), args=[_, stop, step]) if literal_of(step) == -1:
            least = literal_of(stop)
            return (-1, least + 1) if isinstance(least, int) else (0, 0)
        case gast.Call(func=gast.Name(id="$range"), args=[start, _]):
            least = literal_of(start)
            return (1, least) if isinstance(least, int) else (0, 0)
        case gast.Call(func=gast.Name(id="$range"), args=[_]):
            return 1, 0
    return 0, 0


def _roots(target: Any) -> list[str]:
    match target:
        case gast.Subscript():
            return [ir.root_of(target).id]
        case gast.Tuple(elts=elements):
            return [name for element in elements for name in _roots(element)]
    return []


def _without_idle_comments(block: ir.Block) -> ir.Block:
    kept: list[ir.Statement] = []
    for statement in reversed(block):
        following = kept[-1] if kept else None
        if isinstance(statement, ir.Comment) and (
            following is None or isinstance(following, ir.Comment)
        ):
            continue
        kept.append(statement)
    return tuple(reversed(kept))


# ------------------------------------------------------------------------------- the forward pass


def prune_forward(
    block: ir.Block,
    after: Live,
    slots: set[ir.Slot],
    sites: Sites,
    droppable: Callable[[ir.Statement, bool], bool],
    kept_with: Mapping[str, frozenset[str]],
) -> ir.Block:
    """The forward pass without idle saves and without what nobody needs and can't be missed.

    kept_with: what is read, too, where a value is: what a function captures.
    """
    return _Forward(slots, sites, droppable, kept_with).block(block, after.names)[0]


@dataclass
class _Forward:
    slots: set[ir.Slot]
    sites: Sites
    droppable: Callable[[ir.Statement, bool], bool]
    kept_with: Mapping[str, frozenset[str]]
    raised: frozenset[str] = frozenset()  # what those who catch an exception need
    caught: bool = False  # whether someone catches exceptions here, or asked for them

    def names(self, expression: Any) -> frozenset[str]:
        names = frozenset(n for n in ir.names_in(expression) if ir.is_value(n))
        if not self.kept_with:
            return names
        return names.union(*(self.kept_with.get(n, ()) for n in names))

    def block(self, block: ir.Block, live: frozenset[str]) -> tuple[ir.Block, frozenset[str]]:
        kept: list[ir.Statement] = []
        unset: set[str] = set()
        for statement in reversed(block):
            new, live = self.statement(statement, live)
            live |= self.raised
            if isinstance(new, ir.Unset):
                if new.slot.name in unset:
                    continue
                unset.add(new.slot.name)
            kept += reversed(_without_idle_guard(new))
        return tuple(reversed(kept)), live

    def statement(
        self, statement: ir.Statement, live: frozenset[str]
    ) -> tuple[ir.Statement | None, frozenset[str]]:
        match statement:
            case ir.Save(slot) if slot not in self.slots:
                return None, live
            case ir.Unset(slot):
                if slot not in self.slots:
                    return None, live
                return statement, live - {slot.name}
            case ir.If():
                return self.branch(statement, live)
            case ir.For() | ir.While():
                return self.loop(statement, live)
            case ir.Try() | ir.Finally() | ir.With():
                return self.guarded_statement(statement, live)
            case ir.Assign() | ir.Update():
                if self.is_idle(statement, live):
                    return None, live
        names = (
            frozenset(ir.defined_names(statement))
            if isinstance(statement, ir.Assign)
            else frozenset()
        )
        live -= names
        for expression in ir.expressions_of(statement):
            own = isinstance(statement, ir.Assign) and expression is statement.target
            live |= self.names(expression) - names if own else self.names(expression)
        return statement, live

    def is_idle(self, statement: ir.Assign | ir.Update, live: frozenset[str]) -> bool:
        """Whether a statement only sets names that nobody reads."""
        if isinstance(statement, ir.Update) and not isinstance(statement.target, gast.Name):
            return False
        unread = not _roots(statement.target) and live.isdisjoint(ir.defined_names(statement))
        return unread and self.droppable(statement, self.caught)

    def guarded_statement(
        self, statement: ir.Try | ir.Finally | ir.With, live: frozenset[str]
    ) -> tuple[ir.Statement, frozenset[str]]:
        match statement:
            case ir.Try():
                return self.attempt(statement, live)
            case ir.Finally(body, final, origin):
                raised = self.block(final, frozenset())[1]
                final, live = self.block(final, live)
                body, live = self.guarded(body, live, raised)
                return ir.Finally(body, final, origin), live
            case ir.With(items, body, origin):
                outer, self.caught = self.caught, self.caught or not all(map(_is_quiet, items))
                body, live = self.block(body, live)
                self.caught = outer
                live -= frozenset(ir.defined_names(statement))
                read = (self.names(manager) for manager, _ in items)
                return ir.With(items, body, origin), live.union(*read)

    def guarded(
        self, body: ir.Block, live: frozenset[str], raised: frozenset[str]
    ) -> tuple[ir.Block, frozenset[str]]:
        outer, self.raised = self.raised, self.raised | raised
        body, live = self.block(body, live)
        self.raised = outer
        return body, live | raised

    def attempt(self, statement: ir.Try, live: frozenset[str]) -> tuple[ir.Try, frozenset[str]]:
        handlers = []
        raised: frozenset[str] = frozenset()
        for old in statement.handlers:
            body, start = self.block(old.body, live)
            handlers.append(ir.Handler(old.type, old.name, body))
            own = frozenset({old.name.id}) if old.name is not None else frozenset()
            raised |= (start - own) | (
                self.names(old.type) if old.type is not None else frozenset()
            )
        orelse, live = self.block(statement.orelse, live)
        outer, self.caught = self.caught, True
        body, live = self.guarded(statement.body, live, raised)
        self.caught = outer
        return ir.Try(body, tuple(handlers), orelse, statement.origin), live

    def branch(
        self, branch: ir.If, live: frozenset[str]
    ) -> tuple[ir.Statement | None, frozenset[str]]:
        body, live_a = self.block(branch.body, live)
        orelse, live_b = self.block(branch.orelse, live)
        if not body and not orelse and self.droppable(branch, self.caught):
            return None, live
        new = ir.If(branch.test, body, orelse, branch.origin)
        return new, live_a | live_b | self.names(branch.test)

    def loop(
        self, loop: ir.For | ir.While, after: frozenset[str]
    ) -> tuple[ir.Statement | None, frozenset[str]]:
        own = (
            frozenset(ir.target_names(loop.target))
            if isinstance(loop, ir.For)
            else self.names(loop.test)
        )
        stop = self.names(loop.stop) if loop.stop is not None else frozenset()
        live = after | stop | (own if isinstance(loop, ir.While) else frozenset())
        while True:
            body, start = self.block(loop.body, live)
            if live | (start - own if isinstance(loop, ir.For) else start) == live:
                break
            live |= start
        if isinstance(loop, ir.For):
            if not body and not (own & after) and self.droppable(loop, self.caught):
                return None, after
            before = after | (live - own) | (own & after) | self.names(loop.iter)
            return ir.For(loop.target, loop.iter, body, loop.stop, loop.origin), before
        return ir.While(loop.test, body, loop.stop, loop.origin), live


def _is_quiet(item: tuple[Any, Any]) -> bool:
    """Whether a context manager surely asks for no exceptions where there would be none: np.errstate(all="raise")."""
    match item[0]:
        case gast.Call(func=gast.Attribute(attr="errstate") | gast.Name(id="errstate")):
            asked = {getattr(k.value, "value", "raise") for k in item[0].keywords}
            return asked <= {"ignore", "warn", "print"}
    return True


def _without_idle_guard(statement: ir.Statement | None) -> ir.Block:
    """Where nothing is left that may raise, nothing needs to catch it."""
    match statement:
        case None:
            return ()
        case ir.Try(body=(), orelse=orelse):
            return orelse
        case ir.Finally(body=(), final=final):
            return final
    return (statement,)
