"""Names -> values: definitions that reach a common use become one value (`x.0`, `x.1`, ...), others part.

Before:  x = np.sin(x); x = x * 2          After:  x.1 = np.sin(x.0); x.2 = x.1 * 2

An update (`x += e`) keeps the value: for an array it is the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.ir.versions import Versions
from tangentish.language.nested import Closure
from tangentish.language.normal import Normal
from tangentish.language.other_names import renamed

DELETED = -1  # the definition that a del leaves

Reaching = Versions[str, frozenset[int]]


def split_into_values(normal: Normal) -> tuple[ir.Function, list[Refusal]]:
    """The function with every local name replaced by its value; uses that no definition reaches are refused."""
    flow = _Flow(normal.local_names, captured_in(normal.body, normal.local_names))
    start = Versions({p: frozenset({flow.define(p, None)}) for p in normal.parameters})
    flow.block(normal.body, start)
    flow.share()
    names = flow.names()
    renaming = {
        node: names[flow.find(definition)] for node, definition in flow.node_definition.items()
    }
    unset = [node for node in flow.unset if node not in renaming]
    refusals = [Refusal(f"'{node.id}' is used before it is assigned", node) for node in unset]
    refusals += [
        Refusal(f"'{node.id}' may have been deleted here", node)
        for node in flow.deleted
        if node in renaming
    ]
    refusals += [
        Refusal(f"'{name}', which this function reads, may have been deleted here", node)
        for node, name in flow.deleted_inside.items()
    ]
    body = _rename_block(normal.body, renaming, set(unset))
    parameters = tuple(f"{p}.0" for p in normal.parameters)
    return ir.Function(normal.name, normal.arguments, parameters, body), refusals


@dataclass
class _Flow:
    local_names: frozenset[str]
    captured: frozenset[Any]  # the names that closures capture, and generators that are kept
    parent: list[int] = field(default_factory=list)
    base: list[str] = field(default_factory=list)
    at_node: dict[Any, int] = field(default_factory=dict)
    node_definition: dict[Any, int] = field(default_factory=dict)
    unset: dict[Any, None] = field(default_factory=dict)
    deleted: dict[Any, None] = field(default_factory=dict)  # uses that a del may reach
    reading: dict[str, set[str]] = field(default_factory=dict)  # what functions under a name read
    deleted_inside: dict[Any, str] = field(default_factory=dict)  # uses of these after a del
    raised: list[Reaching] = field(default_factory=list)  # by the bodies of try around
    united: dict[frozenset[int], int] = field(default_factory=dict)  # sets that are one value
    at_head: dict[ir.Statement, Reaching] = field(default_factory=dict)  # of loops walked before

    def define(self, name: str, node: Any) -> int:
        if node in self.at_node:
            return self.at_node[node]
        self.parent.append(len(self.parent))
        self.base.append(name)
        if node is not None:
            self.at_node[node] = self.node_definition[node] = len(self.parent) - 1
        return len(self.parent) - 1

    def find(self, definition: int) -> int:
        while self.parent[definition] != definition:
            self.parent[definition] = definition = self.parent[self.parent[definition]]
        return definition

    def unite(self, definitions: Iterable[int]) -> None:
        first, *others = map(self.find, definitions)
        for other in others:
            low, high = sorted((self.find(first), self.find(other)))
            self.parent[high] = low

    def united_at_use(self, definitions: frozenset[int]) -> int:
        """One of the definitions that are one value, since what reads it may come from any of them."""
        if definitions not in self.united:
            self.unite(definitions)
            self.united[definitions] = min(definitions)
        return self.united[definitions]

    def join(self, a: Reaching, b: Reaching) -> Reaching:
        """What reaches a point by either way; of definitions that are one value already, one will do."""
        if not a or not b:
            return (a or b).copy()
        result = a.copy()
        for name, (here, there) in a.differences(b).items():
            if here and there:
                ways = (here, there)
                one, other = ({self.united[d]} if d in self.united else d for d in ways)
                result[name] = frozenset(one | other)
            else:
                result[name] = here or there or frozenset()
        return result

    def names(self) -> dict[int, str]:
        """Root definition -> the name of its value, numbered by order of definition."""
        count: dict[str, int] = {}
        names = {}
        for definition, base in enumerate(self.base):
            if self.find(definition) == definition:
                names[definition] = f"{base}.{count.get(base, 0)}"
                count[base] = count.get(base, 0) + 1
        return names

    # -- the walk

    def block(self, block: ir.Block, reaching: Reaching) -> Reaching:
        reaching = reaching.copy()
        for statement in block:
            if self.raised and ir.may_raise(statement):
                self.raised = [self.join(entry, reaching) for entry in self.raised]
            reaching = self.statement(statement, reaching)
        return reaching

    def guarded(self, block: ir.Block, reaching: Reaching) -> tuple[Reaching, Reaching]:
        """What reaches the end of a block, and what reaches those who catch its exceptions."""
        self.raised.append(Versions())
        end = self.block(block, reaching)
        return end, self.raised.pop()

    def statement(self, statement: ir.Statement, reaching: Reaching) -> Reaching:
        match statement:
            case ir.If(test, body, orelse):
                self.use(test, reaching)
                return self.join(self.block(body, reaching), self.block(orelse, reaching))
            case ir.While() | ir.For():
                return self.loop(statement, reaching)
            case ir.Try() | ir.Finally() | ir.With():
                return self.guarded_statement(statement, reaching)
            case ir.Update(target, _, value):
                self.use(target, reaching)
                self.use(value, reaching)
                if isinstance(target, gast.Name) and target in self.node_definition:
                    reaching[target.id] = frozenset({self.node_definition[target]})
                return reaching
            case ir.Assign(target, value):
                self.use(value, reaching)
                self.note_reading(target, value)
                self.bind(target, reaching)
                return reaching
            case ir.Do(gast.Delete(targets=[gast.Name(id=name) as target])):
                self.use(target, reaching)
                self.deleted_inside.pop(target, None)
                reaching[name] = frozenset({DELETED})
                return reaching
            case ir.Do(gast.Raise() | gast.Assert() as node):
                self.use(node, reaching)
                return Versions() if isinstance(node, gast.Raise) else reaching
        for expression in ir.expressions_of(statement):
            self.use(expression, reaching)
        return reaching

    def guarded_statement(
        self, statement: ir.Try | ir.Finally | ir.With, reaching: Reaching
    ) -> Reaching:
        match statement:
            case ir.Try(body, handlers, orelse):
                end, raised = self.guarded(body, reaching)
                end = self.block(orelse, end)
                for handler in handlers:
                    end = self.join(end, self.handler(handler, raised))
                return end
            case ir.Finally(body, final):
                end, raised = self.guarded(body, reaching)
                return self.block(final, self.join(end, raised)) if end else Versions()
            case ir.With(items, body):
                for manager, target in items:
                    self.use(manager, reaching)
                    if target is not None:
                        self.bind(target, reaching)
                return self.block(body, reaching)

    def handler(self, handler: ir.Handler, reaching: Reaching) -> Reaching:
        if handler.type is not None:
            self.use(handler.type, reaching)
        inner = reaching.copy()
        if handler.name is not None:
            self.bind(handler.name, inner)
        return self.block(handler.body, inner)

    def loop(self, loop: ir.For | ir.While, reaching: Reaching) -> Reaching:
        if isinstance(loop, ir.For):
            self.use(loop.iter, reaching)
        known = self.at_head.get(
            loop
        )  # by the trip before of a loop around: no need to find out again
        if known is not None:
            reaching = self.join(reaching, known)
        for _ in range(
            2 if known is None else 1
        ):  # the second trip sees what the first leaves behind
            if isinstance(loop, ir.While):
                self.use(loop.test, reaching)
            start = reaching.copy()
            if isinstance(loop, ir.For):
                self.bind(loop.target, start)
            end = self.block(loop.body, start)
            if loop.stop is not None:
                self.use(loop.stop, end)
            reaching = self.join(reaching, end)
        self.at_head[loop] = reaching.copy()
        if isinstance(loop, ir.While):
            self.use(loop.test, reaching)
        return reaching

    def bind(self, target: Any, reaching: Reaching) -> None:
        match target:
            case gast.Name(id=name):
                reaching[name] = frozenset({self.define(name, target)})
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                for element in elements:
                    self.bind(element, reaching)
            case gast.Starred(value=inner):
                self.bind(inner, reaching)
            case _:
                self.use(target, reaching)

    def share(self) -> None:
        """What a closure captures is one variable: the closure reads it when it runs, whatever it holds then."""
        for node in self.captured:
            definitions = [k for k, base in enumerate(self.base) if base == node.id]
            if not definitions:  # on no way that is taken
                definitions = [self.define(node.id, None)]
            self.unite(definitions)
            self.node_definition[node] = definitions[0]

    def note_reading(self, target: Any, value: Any) -> None:
        """`g = lambda v: v * c`: who calls g reads c"""
        if isinstance(value, Closure) and isinstance(target, gast.Name):
            self.reading.setdefault(target.id, set()).update(n.id for n in value.captured)

    def use(self, expression: Any, reaching: Reaching) -> None:
        for node in ir.walk(expression):
            if type(node) is not gast.Name or node.id not in self.local_names:
                continue
            if node in self.captured:
                continue
            for name in self.reading.get(node.id, ()):
                if DELETED in (reaching.get(name) or ()):
                    self.deleted_inside.setdefault(node, name)
            definitions = reaching.get(node.id, frozenset())
            if DELETED in definitions:
                definitions -= {DELETED}
                self.deleted.setdefault(node)
            if node in self.node_definition:
                definitions |= {self.node_definition[node]}
            if definitions:
                self.node_definition[node] = self.united_at_use(definitions)
            elif reaching:
                self.unset.setdefault(node)


def captured_in(block: ir.Block, local_names: Set[str]) -> frozenset[Any]:
    """The names that closures capture, and those that generators read when somebody asks for their items."""
    lines = ir.walk_statements(block)
    closures = ir.nodes_within(block, Closure)
    some = lines if ir.nodes_within(block, gast.GeneratorExp) else ()
    kept = (g for s in some for e in ir.expressions_of(s) for g in _generators_in(e, s))
    return frozenset(
        [
            *(name for closure in closures for name in closure.captured),
            *(n for generator in kept for n in read_late(generator) if n.id in local_names),
        ]
    )


_TAKERS = """
    all any dict extend frozenset fsum join list max min prod set sorted sum tuple
"""
_TAKES_ALL = frozenset(_TAKERS.split())


def _generators_in(node: Any, statement: ir.Statement) -> Iterator[Any]:
    """The generators in an expression of a line that may be asked for items by a later one."""
    match node:
        case gast.GeneratorExp():
            if not _unpacks(statement, node):
                yield node
    for part in ir.children(node):
        if not (_takes_all(node) and isinstance(part, (gast.GeneratorExp, gast.Call))):
            yield from _generators_in(part, statement)


def _takes_all(node: Any) -> bool:
    """Whether nothing is left of the generators that a call is given, nor of what runs over them."""
    match node:
        case gast.Starred():
            return True
        case gast.Call(func=gast.Name(id=name) | gast.Attribute(attr=name)):
            return name.lstrip("$") in _TAKES_ALL
    return False


def _unpacks(statement: ir.Statement, value: Any) -> bool:
    """`xs += value`, `a, b = value`"""
    match statement:
        case ir.Update(value=taken) | ir.Assign(gast.Tuple() | gast.List(), taken):
            return taken is value
    return False


def read_late(generator: Any) -> Iterator[Any]:
    """The names in a generator but for what it runs over first, which is evaluated where it is made."""
    first, *others = generator.generators
    bound = {n.id for g in generator.generators for n in ir.walk(g.target) if type(n) is gast.Name}
    for part in (generator.elt, *first.ifs, *others):
        yield from (n for n in ir.walk(part) if type(n) is gast.Name and n.id not in bound)


def _rename_block(block: ir.Block, renaming: dict[Any, str], unset: set[Any]) -> ir.Block:
    return tuple(_rename(statement, renaming, unset) for statement in block)


def _rename(statement: ir.Statement, renaming: dict[Any, str], unset: set[Any]) -> ir.Statement:
    def change(node: Any) -> Any:
        if node in unset:
            return ir.placeholder(node)
        if node not in renaming:
            return None
        return ir.with_fields(node, {"id": renaming[node]})

    def expression(node: Any) -> Any:
        return ir.copy_expression(node, change)

    match statement:
        case ir.Do(
            gast.Delete(targets=[gast.Name() as target]), origin
        ):  # its name ends: it is read
            return ir.Do(gast.copy_location(gast.Expr(expression(target)), target), origin)
    return map_statement(statement, expression, lambda block: _rename_block(block, renaming, unset))


def map_statement(statement: ir.Statement, expression: Any, block: Any) -> ir.Statement:
    """The statement with its expressions and blocks replaced; what stays as it is is the same statement."""
    match statement:
        case ir.Assign() | ir.Update() | ir.Do():
            return _map_line(statement, expression)
        case ir.If(test, body, orelse, origin):
            parts = expression(test), block(body), block(orelse)
            return statement if parts == (test, body, orelse) else ir.If(*parts, origin)
        case ir.For(target, iterator, body, stop, origin):
            end = stop and expression(stop)
            whole = expression(target), expression(iterator), block(body), end
            same = whole == (target, iterator, body, stop)
            return statement if same else ir.For(*whole, origin)
        case ir.While(test, body, stop, origin):
            rest = expression(test), block(body), stop and expression(stop)
            return statement if rest == (test, body, stop) else ir.While(*rest, origin)
        case ir.Try() | ir.Finally() | ir.With():
            return _map_guarded(statement, expression, block)
        case ir.Return(values, is_tuple, origin, form):
            return ir.Return(tuple(map(expression, values)), is_tuple, origin, form)
    return statement


def map_nodes(statement: ir.Statement, change: Callable[[Any], Any | None]) -> ir.Statement:
    """The statement with other nodes in its own expressions: None stands for the node itself."""
    return map_statement(statement, lambda e: ir.copy_expression(e, change), lambda block: block)


def names_instead(names: Mapping[Any, str]) -> Callable[[Any], Any | None]:
    """What puts names in the place of these nodes."""
    return lambda node: gast.copy_location(ir.name(names[node]), node) if node in names else None


def map_blocks(statement: ir.Statement, block: Callable[[ir.Block], ir.Block]) -> ir.Statement:
    """The statement with its blocks replaced; one without blocks is the same statement."""
    if statement.__class__ in ir.LINES:
        return statement
    return map_statement(statement, lambda expression: expression, block)


def map_each(block: ir.Block, inside: Callable[[ir.Block], ir.Block]) -> list[ir.Statement]:
    """The statements of a block, the blocks inside them replaced."""
    return [s if s.__class__ in ir.LINES else map_blocks(s, inside) for s in block]


def map_expressions(block: ir.Block, expression: Any) -> ir.Block:
    """The block with its expressions replaced."""
    return tuple(
        map_statement(s, expression, lambda inner: map_expressions(inner, expression))
        for s in block
    )


def renamed_in(block: ir.Block, names: Mapping[str, str]) -> ir.Block:
    """The block, these values given other names wherever they stand."""
    return map_expressions(block, lambda e: renamed(e, names))


def _map_line(statement: ir.Assign | ir.Update | ir.Do, expression: Any) -> ir.Statement:
    if isinstance(statement, ir.Do):
        node = expression(statement.node)
        return statement if node is statement.node else ir.Do(node, statement.origin)
    target, value = expression(statement.target), expression(statement.value)
    if target is statement.target and value is statement.value:
        return statement
    if isinstance(statement, ir.Assign):
        return ir.Assign(target, value, statement.origin)
    return ir.Update(target, statement.op, value, statement.origin)


def _map_guarded(
    statement: ir.Try | ir.Finally | ir.With, expression: Any, block: Any
) -> ir.Statement:
    match statement:
        case ir.Try(body, handlers, orelse, origin):
            new = tuple(
                ir.Handler(
                    h.type and expression(h.type), h.name and expression(h.name), block(h.body)
                )
                for h in handlers
            )
            return ir.Try(block(body), new, block(orelse), origin)
        case ir.Finally(body, final, origin):
            return ir.Finally(block(body), block(final), origin)
        case ir.With(items, body, origin):
            pairs = tuple((expression(m), target and expression(target)) for m, target in items)
            return ir.With(pairs, block(body), origin)
