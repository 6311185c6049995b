"""Lists of dicts or objects that carry a derivative: what may be done with them.

Lines that use them are written by the lists of their entries (analysis/records.py); here that is asked for, and refused
what can't be written so: an element that has another holder than its list, lists in other containers.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.containers_given import Made
from tangentish.infer.exchanges import lines_that_exchange
from tangentish.infer.facts import Summary
from tangentish.infer.in_loops import seek_name
from tangentish.infer.instances import is_followed
from tangentish.infer.items_made_late import TUPLES
from tangentish.infer.known_functions import has_rule
from tangentish.infer.objects import name_of_class
from tangentish.infer.own_orders import OwnOrders
from tangentish.infer.places_apart import are_apart
from tangentish.infer.record_places import (
    appends,
    asks_for_entry,
    asks_later,
    has_operator,
    is_bound_after,
    is_dropped,
    is_key,
    is_list_of_entry,
    said_of,
    sites_in,
)
from tangentish.infer.records_made import KEPT, WHOLE, WHOLE_DICT, RecordsMade, is_record, lists_in
from tangentish.infer.starting_again import (
    InFull,
    LentChanged,
    PutIn,
    RecordsUsed,
)
from tangentish.ir.origins import origin_of
from tangentish.kinds import Fun, Kind, Tup
from tangentish.kinds.sites import display_at
from tangentish.language.given_in_order import as_written
from tangentish.language.lifted import Instance, Routine, is_element
from tangentish.language.nested import Closure
from tangentish.language.records import Lent, asked_in, captured_in, copied
from tangentish.language.ways import Way, way_of
from tangentish.language.webs import map_nodes
from tangentish.rules.names import is_helper

_PUT = "this may stand elsewhere, too: put a new dict or object into the list, and reach it through the list"
_LISTED = (
    "this may stand elsewhere, too, in a list that is read later: list what you need of it "
    "(`[p.x for p in ps if p is not q]`), or its index"
)
_FORMS = (
    "a list holds dicts or objects of one class, with the same entries: make one list for each form"
)
_IN_EXPRESSION = "an element of a list is changed inside of an expression: write that on a line of its own, in a loop"
_TWO = "two elements of one list meet where one is changed, and may be the same: ask `if p is not q` first"
_BOTH = (
    "a list and an element of it are given to one call that changes something: give the list alone"
)
_MEANT = (
    "len",
    "enumerate",
    "zip",
    "reversed",
    "range",
    "min",
    "max",
    "sorted",
    "list",
    "set",
    "tuple",
)
_MOVING = ("pop", "clear", "reverse", "insert", ir.EXCHANGE)
_TUPLES = {one.__name__ for one in TUPLES}


class RecordLists(RecordsMade, OwnOrders):
    """The part of the walk that knows lists of dicts and objects."""

    # -- lines

    def can_follow(self, statement: ir.Statement) -> bool:
        """Whether a line can be followed: those that use such a list are written by its entries, others are refused."""
        before = len(self.facts.refusals)
        for name in dict.fromkeys(ir.mentioned(statement)):
            for way, kind in lists_in(Way(name), self.env.kinds.get(name)):
                if not way.steps or any(map(way.asked, ir.expressions_of(statement))):
                    self.check_uses(way, kind, statement)
        if len(self.facts.refusals) > before:
            self.facts.not_followed.add(statement)
        return statement not in self.facts.not_followed

    def check_uses(self, way: Way, kind: Tup, statement: ir.Statement) -> None:
        """One such list in one line."""
        assert kind.type is not None
        self.seek_own_order(way, kind.type.of, statement)  # type: ignore[attr-defined]
        if way not in self.in_entries:
            self.in_entries.add(way)
            raise self.in_terms_of_entries(way, kind)
        self.seek_last_copy(way, kind, statement)
        if self.moves_entries(way, statement):
            self.replacing.add(origin_of(statement))
        if self.is_put(way, kind, statement) or self.is_moved(way, statement):
            return
        if isinstance(statement, ir.Return) and self.is_given_back(way, kind):
            self.refuse(said_of(way, WHOLE), statement)
        if not way.keyed:
            self.seek_line_for_taken(way, kind, statement)
        for expression in asked_in(statement):
            for node in self.bare_uses(expression, way, kind, statement):
                self.seek_loop_around(node, expression)
                self.refuse(said_of(way, _whole(node)), node)

    def seek_last_copy(self, way: Way, kind: Tup, statement: ir.Statement) -> None:
        """`self.ps = list(ps)`, where nobody has `ps` from here on: `self.ps = ps`."""
        if way.steps or self.cached or not isinstance(statement, (ir.Assign, ir.Do, ir.Return)):
            return
        nodes = [n for e in asked_in(statement) for n in ir.walk(e)]
        copies = [n for n in nodes if way.is_at(copied(n, self.names_builtin))]
        if len(copies) == sum(map(way.is_at, nodes)) == 1:
            ps = copied(copies[0], self.names_builtin)
            if self.is_last_name(ps, kind, statement):
                raise InFull(statement, map_nodes(statement, {copies[0]: ps}.get))

    def names_builtin(self, func: Any, name: str) -> bool:
        return self.called(func)[0] is getattr(builtins, name)

    def seek_line_for_taken(self, way: Way, kind: Tup, statement: ir.Statement) -> None:
        """`ps.pop().x`, `sorted(ps, key=f)[0]`: what is taken out of a list, or put in order, gets a line of its own.

        That line is written by the entries.
        """
        needed = self.in_terms_of_entries(way, kind)
        if self.cached or (needed.cls is None and needed.of is not dict):
            return
        for call in (n for e in asked_in(statement) for n in ir.walk(e)):
            if self.is_taken_from(call, way):
                named = isinstance(statement, ir.Assign) and statement.value is call
                if named and isinstance(statement.target, gast.Name):  # type: ignore[union-attr]
                    raise needed
                seek_name(self, call)

    def is_taken_from(self, node: Any, way: Way) -> bool:
        match node:
            case gast.Call(func=gast.Attribute(value=xs, attr="pop")):
                return way.is_at(xs)
            case gast.Call(func=gast.Name() as func, args=[xs], keywords=[_, *_]) if way.is_at(xs):
                return self.called(func)[0] is sorted
        return False

    def is_given_back(self, way: Way, kind: Tup) -> bool:
        """Whether a list that is returned is the caller's; as an element of what was given it is handed back."""
        given = not all(isinstance(site, (int, Made)) for site in kind.sites)
        return not way.steps and not is_element(way.root) and (self.outermost or given)

    def in_terms_of_entries(self, way: Way, kind: Tup) -> RecordsUsed:
        """What has the lines of the function written by the lists of entries."""
        assert kind.type is not None
        of: type = kind.type.of  # type: ignore[attr-defined]
        return RecordsUsed(
            way,
            of,
            kind.keys or (),
            self.names_meant(),
            "$dict" if of is dict else name_of_class(of, self.source),
            self.elements_named,
        )

    def moves_entries(self, way: Way, statement: ir.Statement) -> bool:
        """Whether a line gives elements other places: `ps["x"].pop()`, `del ps["x"][k]`, or an exchange."""
        match statement:
            case ir.Do(gast.Delete(targets=[gast.Subscript(value=xs)])):
                return is_list_of_entry(way, xs)
            case ir.Assign(gast.Subscript(value=xs), gast.Name()) if is_list_of_entry(way, xs):
                return statement in set(lines_that_exchange(self.function.body))
        calls = (n.func for n in ir.nodes_in(statement) if isinstance(n, gast.Call))
        return any(
            isinstance(f, gast.Attribute) and f.attr in _MOVING and is_list_of_entry(way, f.value)
            for f in calls
        )

    def is_put(self, way: Way, kind: Tup, statement: ir.Statement) -> bool:
        """`ps.append(p)` and `ps[k] = p`: whether a line is that, and then what becomes of it."""
        match statement:
            case ir.Do(
                gast.Expr(value=gast.Call(func=gast.Attribute(value=xs, attr="append"), args=args))
            ) if way.is_at(xs):
                self.put_in(way, kind, args[0] if len(args) == 1 else None, statement)
                return True
            case ir.Assign(gast.Subscript(value=xs, slice=index), value) if way.is_at(xs) and (
                way.keyed or not is_key(index)
            ):
                self.expression(index)
                self.replacing.add(statement.origin)
                self.put_in(way, kind, value, statement)
                return True
        return False

    def is_moved(self, way: Way, statement: ir.Statement) -> bool:
        """`ps = new`, where the list has another name from here on, and no second one."""
        match statement:
            case ir.Assign(target, value) if way.is_at(value) and way_of(target) is not None:
                if way.steps:
                    return False
                over = way.root in self.ends.get(statement, ())
                return over or self.is_last_name(value, self.env.kinds[way.root], statement)
        return False

    def bare_uses(
        self, expression: Any, way: Way, kind: Tup, statement: ir.Statement
    ) -> Iterator[Any]:
        """Where a list stands, and is neither asked for the list of an entry nor given to a function; elements, too."""
        returned = isinstance(statement, ir.Return)
        if way.is_at(expression):
            if (way.steps or not returned) and isinstance(expression.ctx, gast.Load):
                yield expression
            return
        if isinstance(expression, Lent):
            yield expression
        for node in ir.walk(expression):
            lists = [n for n in ir.children(node) if way.is_at(n)]
            elements = [n for n in ir.children(node) if isinstance(n, Lent) and n.way == way]
            if not (lists or elements) or isinstance(node, (Lent, Closure)):
                continue
            if self.is_looked_into(node) or self.is_taken_over(node, way, statement):
                continue
            if not lists and all(has_operator(n.of, node) for n in elements):
                continue
            by_key = asks_for_entry(node, way, kind)
            whole = returned and not way.steps and isinstance(node, gast.Tuple)
            if not (by_key or (whole and node is expression)):
                yield from lists
            if not isinstance(node, gast.ListComp):
                by_name = isinstance(node, gast.Attribute)  # of the class
                yield from (n for n in elements if not by_name or n.of is dict)

    def is_looked_into(self, node: Any) -> bool:
        return isinstance(node, gast.Call) and (appends(node) or self.is_users(node.func))

    def is_taken_over(self, node: Any, way: Way, statement: ir.Statement) -> bool:
        """Whether an object of the user's is made that has the list from here on."""
        if not isinstance(node, gast.Call) or way.steps:
            return False
        return is_followed(self.called(node.func)[0]) and way.root in self.ends.get(statement, ())

    def names_meant(self) -> dict[str, str]:
        """What names of Python stand for here."""
        known = {getattr(builtins, name): name for name in _MEANT}
        found = {f"${name}": name for name in _MEANT}
        names = {n for s in ir.walk_statements(self.function.body) for n in ir.mentioned(s)}
        for name in names & set(_MEANT):
            function = self.called(ir.name(name))[0]
            if isinstance(function, Hashable) and function in known:
                found[name] = known[function]
        return found | self.tuples_meant()

    def tuples_meant(self) -> dict[str, str]:
        """The names under which functions of itertools stand here that run over tuples of items."""
        every = (e for s in ir.walk_statements(self.function.body) for e in ir.expressions_of(s))
        calls = (n for e in every for n in ir.walk(e) if isinstance(n, gast.Call))
        names = {
            way.dotted: n.func for n in calls if (way := way_of(n.func)) and way.base in _TUPLES
        }
        return {
            name: self.called(func)[0].__name__
            for name, func in names.items()
            if any(self.called(func)[0] is one for one in TUPLES)
        }

    def is_users(self, func: Any) -> bool:
        """Whether a function is one of the user's, which is looked into."""
        if isinstance(func, Routine):
            return True
        if isinstance(func, gast.Attribute) and isinstance(func.value, Lent):
            return isinstance(getattr(func.value.of, func.attr, None), types.FunctionType)
        function = self.called(func)[0]
        user = isinstance(function, (types.FunctionType, types.MethodType))
        return isinstance(function, Fun) or (
            user and not (has_rule(function) or is_helper(function))
        )

    # -- elements

    def put_in(self, way: Way, kind: Tup, element: Any, statement: Any) -> None:
        """ps.append(p), ps[k] = p"""
        node = statement.origin.node
        held = None if element is None else self.expression(element)
        if isinstance(element, Lent) and self.is_handed_on(element, kind, statement):
            values = dict(zip(kind.keys or (), element.values, strict=True))
            raise PutIn(statement, way, "", kind, None, values)
        if isinstance(element, (gast.Call, gast.Dict)):  # of a comprehension that is a loop by now
            raise self.in_terms_of_entries(way, kind)
        if not isinstance(element, gast.Name) or not isinstance(held, Tup):
            self.refuse(_LISTED if isinstance(element, Lent) else said_of(way, _PUT), node)
            return
        assert kind.type is not None
        if held.type is kind.type.of and not held.apart and held.is_closed and held.sites:  # type: ignore[attr-defined]
            self.demand_apart(held, node)  # it holds nothing that varies, so far
        same = {*(held.keys or ())} == {*(kind.keys or ())}
        if held.type is not kind.type.of or not same:  # type: ignore[attr-defined]
            self.refuse(said_of(way, _FORMS), node)
        elif not self.is_last_name(element, held, statement):
            self.refuse(said_of(way, _PUT), node)
        elif not held.apart:
            self.demand_apart(held, node)
        else:
            line, entries = self.made_of(element.id, way, statement)
            parts = zip(held.keys or (), held.items, strict=True)
            nested = {key for key, part in parts if is_record(part)}
            raise PutIn(statement, way, element.id, kind, line, entries, nested)

    def is_last_name(self, element: Any, held: Kind, statement: ir.Statement | None) -> bool:
        """Whether nobody has a dict or an object after a line but a list: it is made here, or was handed over."""
        if statement is None or not isinstance(held, Tup) or not held.sites:
            return False
        if self.is_seen_elsewhere(element, held):
            return False
        if held.sites == {("display", element.id)} and not self.outermost:
            over = self.is_not_read_after(element.id, statement)
            self.handed_over |= {element.id} if over else set()
            return over
        made_here = all(isinstance(site, (int, Made)) for site in held.sites)
        return made_here and element.id in self.ends.get(statement, ())

    def is_not_read_after(self, value: str, statement: ir.Statement) -> bool:
        """Whether no line that may come after one mentions a parameter."""
        around = [*self.asked_around()]
        if not all(isinstance(line, ir.If) for line, _ in around):
            return False
        blocks = [self.function.body, *(block for _, block in around)]
        lines = [*(line for line, _ in around), statement]
        later = [block[block.index(line) + 1 :] for block, line in zip(blocks, lines, strict=True)]
        read = any(ir.statements.mentions(block)[value] for block in later)
        return not read and value not in captured_in(self.function)

    def is_handed_on(self, lent: Lent, kind: Tup, statement: ir.Statement) -> bool:
        """Whether an element goes from one list to another in a loop after which nobody has the first."""
        assert kind.type is not None
        records = self.way_to(lent)
        if lent.of is not kind.type.of or tuple(k.value for k in lent.keys) != kind.keys:  # type: ignore[attr-defined]
            return False
        around = [self.function.body, *(block for _, block in self.asked_around())]
        loops = [
            (line, block, outer)
            for (line, block), outer in zip(self.asked_around(), around, strict=False)
            if isinstance(line, ir.For)
            and ir.names_in(lent.index)[:1] == ir.target_names(line.target)
        ]
        if len(loops) != 1 or not isinstance(lent.index, gast.Name):
            return False
        line, block, outer = loops[0]
        inside = [*ir.walk_statements(block)]
        later = inside[inside.index(statement) + 1 :]
        if any(records.asked(e) for s in later for e in ir.expressions_of(s)):
            return False
        ends = not records.steps and records.root in self.ends.get(line, ())
        return ends or is_bound_after(line, outer, records)

    def made_of(
        self, element: str, records: Way, statement: Any
    ) -> tuple[ir.Assign, Mapping[Hashable, Any]] | tuple[None, None]:
        """The line right before that makes an element of values, which do not ask for the list, and these."""
        place = self.lines.index(statement)
        line = self.lines[place - 1] if place else None
        if not (isinstance(line, ir.Assign) and ir.target_names(line.target) == (element,)):
            return None, None
        made = self.facts.made.get(line.value, line.value)
        if not isinstance(made, (gast.Dict, Instance)) or line.value in self.facts.after_init:
            return None, None
        plain = len(made.values) == len(made.keys) and not any(map(records.asked, made.values))
        if not plain:
            return None, None
        keys = {
            part: getattr(k, "value", None) for k, part in zip(made.keys, made.values, strict=True)
        }
        return line, {keys[part]: part for part in as_written(made.values, line.value)}

    def way_to(self, lent: Lent) -> Way:
        """The way to the list that an element is in."""
        root = lent.way.root
        known = (way for way, _ in lists_in(Way(root), self.env.kinds.get(root)))
        return next((way for way in known if way == lent.way), lent.way)

    def check_kept(self, found: Summary, containers: Mapping[str, Any], node: Any) -> None:
        """A call must not give an element back, nor store it anywhere."""
        given: list[Kind | None] = [entry.kind for entry in found.bound]
        if not is_dropped(node, self.statement):
            given.append(found.result)
        sites = {site for kind in given if kind is not None for site in sites_in(kind)}
        for value in filter(None, map(display_at, sites)):
            if isinstance(containers.get(value), Lent):
                self.refuse(KEPT, node)
        for value in found.kept & containers.keys():
            self.check_handed_over(value, containers, node)
        lent = {self.way_to(n) for n in containers.values() if isinstance(n, Lent)}
        whole = [n for n in containers.values() if not isinstance(n, Lent)]
        if (found.written or found.bound) and any(way.asked(n) for way in lent for n in whole):
            self.refuse(_BOTH, node)

    def check_handed_over(self, value: str, containers: Mapping[str, Any], node: Any) -> None:
        """What a call puts into a list is nobody else's."""
        given = containers[value]
        kind = self.kind(given)
        if not isinstance(kind, Tup) or isinstance(given, Lent):
            self.refuse(_PUT, node)
            return
        if isinstance(given, gast.Call):
            seek_name(self, given)  # it is made on a line of its own
        others = (self.kind(n) for v, n in containers.items() if v != value)
        meets = any(kind.sites & {*sites_in(other)} for other in others)
        new = all(isinstance(site, (int, Made)) for site in kind.sites)
        if isinstance(given, gast.Name):
            new = self.is_last_name(given, kind, self.statement) and self.is_read_once(given.id)
        elif isinstance(given, (gast.Attribute, gast.Subscript)):
            new = False
        if meets or not new:
            self.refuse(_PUT, node)

    def is_read_once(self, name: str) -> bool:
        """Whether the line at hand gives what has a name to one call only."""
        assert self.statement is not None
        return ir.mentioned(self.statement).count(name) == 1

    def changed_by_call(
        self, lent: Lent, found: Summary, containers: Mapping[str, Any], node: Any
    ) -> None:
        """A call has stored to an element that it was lent: it is put back."""
        if self.is_refused(node):
            return
        others = [n for n in containers.values() if isinstance(n, Lent) and n.way == lent.way]
        if not all(n is lent or self.differ(n.index, lent.index) for n in others):
            self.refuse(_TWO, node)
            return
        line = self.statement
        simple = isinstance(line, (ir.Assign, ir.Update, ir.Do))
        if not simple or self.scope or self.listing:
            self.refuse(_IN_EXPRESSION, node)
            return
        assert line is not None
        if self.is_asked_again(line, lent, node):
            self.refuse(_IN_EXPRESSION, node)
            return
        keys = [e.key for e in found.bound if containers.get(e.container) is lent]
        if not {*keys} <= {key.value for key in lent.keys}:
            self.refuse(_FORMS, node)
            return
        raise LentChanged(line, lent, list(dict.fromkeys(keys)))

    def is_asked_again(self, line: ir.Statement, lent: Lent, call: Any) -> bool:
        """Whether a line asks for the list besides in one call, so that it may see what is put back after it."""
        way, expressions = self.way_to(lent), ir.expressions_of(line)
        if sum(map(way.asked, expressions)) != way.asked(call):
            return True
        if any(asks_later(part, way) for part in ir.children(call)):
            return True
        calls = sum(isinstance(n, gast.Call) for e in expressions for n in ir.walk(e))
        bound = set(ir.defined_names(line)) & set(ir.names_in(lent.index))
        return bool(bound) or (calls > 1 and way.root in captured_in(self.function))

    def differ(self, one: Any, other: Any) -> bool:
        """Whether two places of a list are not the same."""
        return are_apart(one, other, self.asked_around(), self.facts)

    def asked_around(self) -> Iterator[tuple[ir.Statement, ir.Block]]:
        """The lines around the one at hand, each with the block of it in which that stands."""
        block = self.function.body
        while True:
            inner = next(
                (
                    (s, b)
                    for s in block
                    for b in ir.blocks_of(s)
                    if any(self.statement is inside for inside in ir.walk_statements(b))
                ),
                None,
            )
            if inner is None:
                return
            yield inner
            block = inner[1]


def _whole(node: Any) -> str:
    """What is said where a list, or an element of it, stands for itself."""
    if not isinstance(node, Lent):
        return WHOLE
    return WHOLE_DICT if node.of is dict else KEPT
