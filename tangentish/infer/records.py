"""Lists of dicts or objects that carry a derivative: how they are found out, and what may be done with them.

Lines that use them are written by the lists of their entries (analysis/records.py); here that is asked for, and refused
what can't be written so: an element that has another holder than its list, lists in other containers.
"""

from __future__ import annotations

import types
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.containers_given import Made
from tangentish.infer.facts import Summary
from tangentish.infer.in_loops import seek_loop, seek_name
from tangentish.infer.iteration import is_range
from tangentish.infer.known_functions import has_rule
from tangentish.infer.literals import literal_of
from tangentish.infer.starting_again import LentChanged, PutIn, RecordsNeeded, RecordsUsed
from tangentish.infer.walk import Walk
from tangentish.kinds import REFUSED, Fun, Kind, Seq, Tup, records_of
from tangentish.kinds.sites import display_at
from tangentish.language.lifted import Instance, Routine, is_element
from tangentish.language.nested import Closure
from tangentish.language.records import Lent, RecordsDisplay, asked_in, captured_in
from tangentish.rules.names import is_helper

__all__ = ["RecordLists", "is_record"]

_WHOLE = "a list of dicts or objects is used as a whole here: loop over it, or index it"
_PUT = "this may stand elsewhere, too: put a new dict or object into the list, and reach it through the list"
_FORMS = (
    "a list holds dicts or objects of one class, with the same entries: make one list for each form"
)
_OTHER = "a list of dicts or objects grows in the function that makes it: append there"
_KEPT = "an element of a list is kept under another name or given back: reach it through the list"
_IN_EXPRESSION = "an element of a list is changed inside of an expression: write that on a line of its own, in a loop"
_TWO = "two elements of one list meet where one is changed, and may be the same: ask `if p is not q` first"
_BOTH = (
    "a list and an element of it are given to one call that changes something: give the list alone"
)
_DIFFERENT = (gast.NotEq, gast.Lt, gast.Gt)
_MEANT = ("len", "enumerate", "zip", "reversed")


def is_record(kind: Kind | None) -> bool:
    """Whether this is a dict or an object by its entries, of which a list may be made."""
    if not (isinstance(kind, Tup) and (kind.is_mapping or kind.is_object)) or kind.is_records:
        return False
    return bool(kind.keys) and all(isinstance(key, str) for key in kind.keys or ())


class RecordLists(Walk):
    """The part of the walk that knows lists of dicts and objects."""

    def seek_records(self, kind: Seq, item: Kind | None) -> None:
        """A list that is made here gets dicts or objects: start again, with lists of their entries."""
        if is_record(item) and isinstance(item, Tup) and item.active and not self.cached:
            sites = [buffer.site for buffer in kind.buffers]
            self.demand_records(sites, item.type or dict, item.keys or ())

    def demand_records(self, sites: Sequence[Hashable], of: type, keys: Sequence[Hashable]) -> None:
        """Start again, if it is this function that makes the list, and it is empty there."""
        lines = (s for s in ir.walk_statements(self.function.body) if isinstance(s, ir.Assign))
        made = [s.value for s in lines if isinstance(s.target, gast.Name)]
        for display in made:
            if sites == [id(display)] and isinstance(display, gast.List) and not display.elts:
                raise RecordsNeeded(id(display), of, keys)

    def records_display(self, node: Any) -> Tup:
        """The kind of the empty lists that stand for an empty list of dicts or objects."""
        items = tuple(map(self.expression, node.values))
        keys = tuple(key.value for key in node.keys)
        self.kept.append(node)
        self.records_known = True
        sites = frozenset({id(node)})
        return Tup(items, False, sites, keys, records_of(node.of), True, True)

    def records_at(self, node: Any, kind: Tup) -> Kind:
        """Such a list as the value of an expression: a name, or what makes it; it stands in nothing else."""
        if isinstance(node, (gast.Name, RecordsDisplay)) or self.cached:
            return kind
        if isinstance(node, gast.Call):
            match self.statement:
                case ir.Assign(gast.Name(), value) if value is node:
                    return kind
                case ir.Assign(target, value) if value is node:
                    if all(map(is_element, ir.target_names(target))):
                        return kind  # it is taken apart by now
            seek_name(self, node)
        self.refuse(_WHOLE, node)
        return REFUSED

    def meet_as_records(self, a: Kind, b: Kind) -> None:
        """Where such a list meets one that is empty so far: that is one, too."""
        for one, other in ((a, b), (b, a)):
            if not (isinstance(one, Tup) and one.is_records and isinstance(other, (Tup, Seq))):
                continue
            empty = isinstance(other, Seq) and other.item is None and not other.keyed
            if empty or (isinstance(other, Tup) and other.is_list and not other.items):
                sites = (
                    [b.site for b in other.buffers] if isinstance(other, Seq) else [*other.sites]
                )
                assert one.type is not None
                self.demand_records(sites, one.type.of, one.keys or ())  # type: ignore[attr-defined]

    # -- lines

    def can_follow(self, statement: ir.Statement) -> bool:
        """Whether a line can be followed: those that use such a list are written by its entries, others are refused."""
        before = len(self.facts.refusals)
        for name in dict.fromkeys(ir.mentioned(statement)):
            kind = self.env.kinds.get(name)
            if isinstance(kind, Tup) and kind.is_records:
                self.check_uses(name, kind, statement)
        if len(self.facts.refusals) > before:
            self.facts.not_followed.add(statement)
        return statement not in self.facts.not_followed

    def check_uses(self, name: str, kind: Tup, statement: ir.Statement) -> None:
        """One such list in one line."""
        assert kind.type is not None
        if name not in self.in_entries:
            self.in_entries.add(name)
            raise self.in_terms_of_entries(name, kind)
        if self.is_put(name, kind, statement) or self.is_moved(name, statement):
            return
        given = not all(isinstance(site, (int, Made)) for site in kind.sites)
        if isinstance(statement, ir.Return) and (self.outermost or given):
            self.refuse(_WHOLE, statement)
        for expression in asked_in(statement):
            for node in self.bare_uses(expression, name, isinstance(statement, ir.Return)):
                self.refuse(_KEPT if isinstance(node, Lent) else _WHOLE, node)

    def in_terms_of_entries(self, name: str, kind: Tup) -> RecordsUsed:
        """What has the lines of the function written by the lists of entries."""
        assert kind.type is not None
        of: type = kind.type.of  # type: ignore[attr-defined]
        return RecordsUsed(name, of, kind.keys or (), self.names_meant(), self.name_of_class(of))

    def is_put(self, name: str, kind: Tup, statement: ir.Statement) -> bool:
        """`ps.append(p)` and `ps[k] = p`: whether a line is that, and then what becomes of it."""
        match statement:
            case ir.Do(
                gast.Expr(value=gast.Call(func=gast.Attribute(value=xs, attr="append"), args=args))
            ) if _is_name(xs, name):
                self.put_in(name, kind, args[0] if len(args) == 1 else None, statement)
                return True
            case ir.Assign(gast.Subscript(value=xs, slice=index), value) if _is_name(
                xs, name
            ) and not _is_key(index):
                self.expression(index)
                self.put_in(name, kind, value, statement)
                return True
        return False

    def is_moved(self, name: str, statement: ir.Statement) -> bool:
        """`ps = new`, where the list has another name from here on, and no second one."""
        match statement:
            case ir.Assign(gast.Name(), value) if _is_name(value, name):
                return name in self.ends.get(statement, ())
        return False

    def bare_uses(self, expression: Any, name: str, returned: bool) -> Iterator[Any]:
        """Where a list stands, and is neither asked for the list of an entry nor given to a function; elements, too."""
        if _is_name(expression, name):
            if not returned and isinstance(expression.ctx, gast.Load):
                yield expression
            return
        if isinstance(expression, Lent):
            yield expression
        for node in ir.walk(expression):
            lists = [n for n in ir.children(node) if _is_name(n, name)]
            elements = [
                n for n in ir.children(node) if isinstance(n, Lent) and n.records.id == name
            ]
            if not (lists or elements) or isinstance(node, (Lent, Closure)):
                continue
            if isinstance(node, gast.Call) and (_appends(node) or self.is_users(node.func)):
                continue  # it is looked into
            by_key = isinstance(node, gast.Subscript) and _is_key(node.slice)
            if not (by_key or (returned and isinstance(node, gast.Tuple) and node is expression)):
                yield from lists
            if not isinstance(node, (gast.Attribute, gast.ListComp)):
                yield from elements

    def seek_loop_of_records(self, node: Any, item: Kind) -> None:
        """A comprehension that gives dicts or objects is a loop that appends them, where it can be one."""
        if is_record(item) and item.active and isinstance(node, gast.ListComp):
            seek_loop(self)
            if isinstance(node.elt, Lent):
                self.refuse(_KEPT, node)

    def names_meant(self) -> dict[str, str]:
        """What names of Python stand for here."""
        known = {len: "len", enumerate: "enumerate", zip: "zip", reversed: "reversed"}
        found = {f"${name}": name for name in _MEANT}
        names = {n for s in ir.walk_statements(self.function.body) for n in ir.mentioned(s)}
        for name in names & set(_MEANT):
            function = self.called(ir.name(name))[0]
            if isinstance(function, Hashable) and function in known:
                found[name] = known[function]
        return found

    def called(self, func: Any) -> tuple[Any, Any]:
        raise NotImplementedError

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

    def name_of_class(self, of: type) -> str | None:
        """A name that is the class of the elements here."""
        if of is dict:
            return None
        names = (of.__name__, *self.source.function.__globals__)
        for name in (*self.source.function.__code__.co_freevars, *names):
            if self.is_class_here(name, of):
                return str(name)
        return None

    def is_class_here(self, name: str, of: type) -> bool:
        try:
            return self.source.where(name) is not None and self.source.lookup(name) is of
        except NameError:  # a variable of the function around it
            return False

    # -- elements

    def put_in(self, name: str, kind: Tup, element: Any, statement: Any) -> None:
        """ps.append(p), ps[k] = p"""
        node = statement.origin.node
        held = None if element is None else self.expression(element)
        if isinstance(element, Lent) and self.is_handed_on(element, kind, statement):
            values = dict(zip(kind.keys or (), element.values, strict=True))
            raise PutIn(statement, name, "", kind, None, values)
        if isinstance(element, (gast.Call, gast.Dict)):  # of a comprehension that is a loop by now
            raise self.in_terms_of_entries(name, kind)
        if not isinstance(element, gast.Name) or not isinstance(held, Tup):
            self.refuse(_PUT, node)
            return
        assert kind.type is not None
        same = {*(held.keys or ())} == {*(kind.keys or ())}
        if held.type is not kind.type.of or not same:  # type: ignore[attr-defined]
            self.refuse(_FORMS, node)
        elif not all(isinstance(site, (int, Made)) for site in kind.sites):
            self.refuse(_OTHER, node)
        elif (
            not held.sites
            or not all(isinstance(site, (int, Made)) for site in held.sites)
            or element.id not in self.ends.get(statement, ())
            or self.is_seen_elsewhere(element, held)
        ):
            self.refuse(_PUT, node)
        elif not held.apart:
            self.demand_apart(held, node)
        else:
            made = self.made_of(element.id, name, statement)
            raise PutIn(statement, name, element.id, kind, *made)

    def is_handed_on(self, lent: Lent, kind: Tup, statement: ir.Statement) -> bool:
        """Whether an element goes from one list to another in a loop after which nobody has the first."""
        assert kind.type is not None
        records = lent.records.id
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
        if any(records in ir.mentioned(s) for s in inside[inside.index(statement) + 1 :]):
            return False
        return records in self.ends.get(line, ()) or _is_bound_after(line, outer, records)

    def made_of(
        self, element: str, records: str, statement: Any
    ) -> tuple[ir.Assign, Mapping[Hashable, Any]] | tuple[None, None]:
        """The line right before that makes an element of values, which do not ask for the list, and these."""
        place = self.lines.index(statement)
        line = self.lines[place - 1] if place else None
        if not (isinstance(line, ir.Assign) and ir.target_names(line.target) == (element,)):
            return None, None
        made = self.facts.made.get(line.value, line.value)
        if not isinstance(made, (gast.Dict, Instance)) or line.value in self.facts.after_init:
            return None, None
        plain = len(made.values) == len(made.keys) and not any(
            records in ir.names_in(value) for value in made.values
        )
        keys = [getattr(key, "value", None) for key in made.keys]
        return (line, dict(zip(keys, made.values, strict=True))) if plain else (None, None)

    def is_seen_elsewhere(self, owner: Any, kind: Tup) -> bool:
        raise NotImplementedError

    def demand_apart(self, kind: Tup, node: Any) -> None:
        raise NotImplementedError

    def check_kept(self, found: Summary, containers: Mapping[str, Any], node: Any) -> None:
        """A call must not give an element back, nor store it anywhere."""
        given = [found.result, *(entry.kind for entry in found.bound)]
        sites = {site for kind in given if kind is not None for site in _sites_in(kind)}
        for value in filter(None, map(display_at, sites)):
            if isinstance(containers.get(value), Lent):
                self.refuse(_KEPT, node)
        lent = {n.records.id for n in containers.values() if isinstance(n, Lent)}
        whole = {n.id for n in containers.values() if isinstance(n, gast.Name)}
        if lent & whole and (found.written or found.bound):
            self.refuse(_BOTH, node)

    def changed_by_call(
        self, lent: Lent, found: Summary, containers: Mapping[str, Any], node: Any
    ) -> None:
        """A call has stored to an element that it was lent: it is put back."""
        if self.is_refused(node):
            return
        others = [
            n
            for n in containers.values()
            if isinstance(n, Lent) and n.records.id == lent.records.id
        ]
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
        name, expressions = lent.records.id, ir.expressions_of(line)
        mine = ir.names_in(call).count(name)
        if sum(ir.names_in(e).count(name) for e in expressions) != mine:
            return True
        if any(_mentions_beside(part, name) for part in ir.children(call)):
            return True
        calls = sum(isinstance(n, gast.Call) for e in expressions for n in ir.walk(e))
        bound = set(ir.defined_names(line)) & set(ir.names_in(lent.index))
        return bool(bound) or (calls > 1 and name in captured_in(self.function))

    def differ(self, one: Any, other: Any) -> bool:
        """Whether two places of a list are not the same: numbers, or what an `if` around has asked."""
        literals = literal_of(one), literal_of(other)
        if all(type(k) is int and k >= 0 for k in literals):
            return literals[0] != literals[1]
        if not (isinstance(one, gast.Name) and isinstance(other, gast.Name)):
            return False
        names = {one.id, other.id}
        return any(
            _tells_apart(line, block, names) or self.counts_on(line, block, names)
            for line, block in self.asked_around()
        )

    def counts_on(self, line: ir.Statement, block: ir.Block, names: set[str]) -> bool:
        """`for j in range(i + 1, n):`, where neither is bound anew inside."""
        match line:
            case ir.For(
                gast.Name(id=j),
                gast.Call(args=[gast.BinOp(left=gast.Name(id=i), op=gast.Add(), right=by), _]),
            ):
                one = {i, j} == names and literal_of(by) == 1 and is_range(line.iter, self.facts)
                return one and not names & _bound_in(block)
        return False

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


def _tells_apart(line: ir.Statement, block: ir.Block, names: set[str]) -> bool:
    """`if i != j:`, and `if i == j: ... else:`, where neither is bound anew inside."""
    match line:
        case ir.If(
            gast.Compare(left=gast.Name(id=i), ops=[op], comparators=[gast.Name(id=j)]), body
        ) if {i, j} == names:
            asked = isinstance(op, _DIFFERENT if block is body else gast.Eq)
            return asked and not names & _bound_in(block)
    return False


def _is_bound_after(line: ir.Statement, block: ir.Block, name: str) -> bool:
    """Whether the next line gives a name something else."""
    place = block.index(line) + 1
    match block[place : place + 1]:
        case (ir.Assign(gast.Name(id=target), value),):
            return target == name and name not in ir.names_in(value)
    return False


def _mentions_beside(part: Any, name: str) -> bool:
    """Whether an argument of a call, or what is before its dot, asks for a list in another way than as a whole."""
    whole = part.value if isinstance(part, gast.Attribute) else part
    return not isinstance(whole, (Lent, gast.Name)) and name in ir.names_in(whole)


def _bound_in(block: ir.Block) -> set[str]:
    return {n for s in ir.walk_statements(block) for n in ir.defined_names(s)}


def _is_name(node: Any, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def _appends(call: Any) -> bool:
    """`qs.append(...)`: the list that an element goes to looks whether it may."""
    return isinstance(call.func, gast.Attribute) and call.func.attr == "append"


def _is_key(index: Any) -> bool:
    return isinstance(index, gast.Constant) and isinstance(index.value, str)


def _sites_in(kind: Kind) -> Iterator[Hashable]:
    """Where the containers in a value were made."""
    match kind:
        case Tup(items=items, sites=sites):
            yield from sites
            for item in items:
                yield from _sites_in(item)
        case Seq(item=item) if item is not None:
            yield from _sites_in(item)
