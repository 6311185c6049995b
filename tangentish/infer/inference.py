"""Statements and control flow: the walk over one function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.attempts import Attempts
from tangentish.infer.dict_methods import DictMethod
from tangentish.infer.ends import ends_of
from tangentish.infer.environment import Environment, Path, join_environments
from tangentish.infer.expressions import is_counted, is_unmeasured
from tangentish.infer.facts import Callee, Facts
from tangentish.infer.iteration import element_of
from tangentish.infer.lists import resized_list
from tangentish.infer.objects import method_of, setter_of
from tangentish.infer.operator_methods import BINARY
from tangentish.infer.out_of_sight import changed_out_of_sight
from tangentish.infer.questions import is_path
from tangentish.infer.splits import SPLITS, part_of_split
from tangentish.infer.spreading import has_stars
from tangentish.infer.user_calls import is_given
from tangentish.infer.views import called_view, is_short, lasts, path_of, values_in
from tangentish.kinds import (
    REFUSED,
    UNKNOWN,
    Dim,
    Fun,
    Kind,
    Num,
    Opaque,
    Seq,
    Tup,
    buffers_of,
    filled,
    is_of_argument,
    leaves_of_result,
    own_memory,
    replace,
    stand_ins,
)
from tangentish.lifted import Flat, Lifted
from tangentish.nested import Closure, nested_of
from tangentish.quote import constant, quote

__all__ = ["Inference"]

MOST_TRIPS = 12  # a fixed point comes in fewer: kinds only become less known

_SOME_NOTHING = (
    "some ways through the function return several values and others none: end it with a return"
)
_CHANGED = (
    "this changes an array or a list that differentiated values are computed with, inside of another "
    "container: give it a name and pass that, or return a new one"
)


class Inference(Attempts):
    """The walk over one function."""

    def run(
        self, function: ir.Function, kinds: Sequence[Kind], lifted: Lifted | None = None
    ) -> Facts:
        self.function = function
        pairs = zip(function.parameters, map(self.as_used, kinds), strict=True)
        self.facts.entry = {name: _with_count(kind, name) for name, kind in pairs}
        given = self.facts.entry
        self.own_signature = lifted is None or lifted.shown is not None
        if lifted is not None:
            given = lifted.kinds(tuple(given.values()))
        for name, kind in given.items():
            self.env.bind(name, kind)
            self.facts.note_apart(name, kind)
            self.facts.web_kinds[name] = kind
        expressions = (e for s in ir.walk_statements(function.body) for e in ir.expressions_of(s))
        self.element_names = frozenset(n for e in expressions for n in ir.names_in(e) if "@" in n)
        self.eaten, self.ends = set(_consumed(function.body)), ends_of(function)
        self.block(function.body)
        self.check_escaped()
        self.check_repeated()
        for call in changed_out_of_sight(self.facts, self.let_go):
            self.refuse(_CHANGED, call)
        return self.facts

    def read_final_state(self, function: ir.Function) -> None:
        """The caller sees what the function leaves in its arguments."""
        for position, name in enumerate(function.parameters):
            entry, kind = self.facts.entry[name], self.env.kinds.get(name, UNKNOWN)
            if self.env.dead or not any(is_of_argument(b, position) for b in self.facts.written):
                continue
            node = _last_node(function)
            if kind.active and name in self.env.stale:
                self.check_stale(name, kind, node)
            elif own_memory(kind) != own_memory(entry) and any(
                k.active for k in self.facts.entry.values()
            ):
                self.refuse(
                    f"'{ir.base_name(name)}' is written to and bound to another array: give that another name",
                    node,
                )

    # -- statements

    def execute(self, statement: ir.Statement) -> None:
        match statement:
            case ir.Assign(target, value):
                if isinstance(target, (gast.Tuple, gast.List)):
                    self.use_flat(value)
                kind = self.expression(value)
                if not self.sets_property(target, value, statement):
                    self.assign(self.stored_place(target), kind, value)
            case ir.Update():
                self.update(statement)
            case ir.Do(node):
                self.do(node, statement)
            case ir.Return(values, is_tuple, _, form):
                self.facts.returned = tuple(map(self.expression, values))
                if any(isinstance(k, (Tup, Seq)) and k.optional for k in self.facts.returned):
                    self.refuse(_SOME_NOTHING, statement)
                self.give_functions(values)
                self.facts.returned_paths = tuple(map(self.path_of_result, values))
                whole = Tup(self.facts.returned) if is_tuple else self.facts.returned[0]
                for k, kind in stand_ins(form):
                    self.facts.kinds[values[k]] = kind
                leaves = iter(self.facts.returned)
                self.facts.result = whole if form is None else filled(form, leaves)
            case _:
                self.compound(statement)

    def sets_property(self, target: Any, value: Any, statement: ir.Statement) -> bool:
        """o.x = v, where the class of an object that is taken apart has a function for that"""
        owner = self.expression(target.value) if isinstance(target, gast.Attribute) else None
        if not (isinstance(owner, Tup) and owner.is_object):
            return False
        setter = setter_of(owner, target.attr)
        if setter is None:
            return False
        if not owner.active:
            self.demand_apart(owner, target)
            return True
        call = self.made_once((target, value), lambda: gast.Call(target, [value], []), target)
        self.user_call(setter, [target.value, value], {}, call)
        self.facts.answers[statement] = call
        return True

    def compound(self, statement: ir.Statement) -> None:
        match statement:
            case ir.If():
                self.branch(statement)
            case ir.For():
                self.for_loop(statement)
            case ir.While():
                self.loop(statement, None)
            case ir.Try():
                self.attempt(statement)
            case ir.Finally():
                self.after(statement)
            case ir.With():
                self.within(statement)

    def path_of_result(self, value: Any) -> Any | None:
        known = path_of(value, self.facts, self.env)
        return None if known is None else known[0]

    def do(self, node: Any, statement: ir.Statement) -> None:
        match node:
            case gast.Expr(value=value):
                self.expression(value)
                self.facts.effects.add(statement)
            case gast.Raise():
                for child in (node.exc, node.cause):
                    if child is not None:
                        self.expression(child, quiet=True)
                self.env.dead = True
            case gast.Assert():
                self.expression(node.test)
            case gast.Delete(targets=[target]):
                self.delete(target, statement)
            case gast.Assign() | gast.AugAssign():
                self.store_outside(node, statement)

    def store_outside(self, node: Any, statement: ir.Statement) -> None:
        """A global or nonlocal name is bound: from here on nothing is known of it."""
        target = node.targets[0] if isinstance(node, gast.Assign) else node.target
        kind = self.expression(node.value)
        self.escape(node.value)
        self.facts.outside |= buffers_of(kind)
        if kind.active:
            self.refuse(
                f"'{target.id}' stands outside of the function and would keep a differentiated value: return it",
                node,
            )
        if isinstance(node, gast.AugAssign) and self.outer_kind(target.id) not in (None, False):
            self.refuse(f"the global '{target.id}' is written to: pass it as an argument", target)
        self.facts.effects.add(statement)

    def delete(self, target: Any, statement: ir.Statement) -> None:
        """`del x[i]`, `del x.a`: of what carries no derivative."""
        if isinstance(target, gast.Name):
            return  # an element that was refused before it was given a name
        kind = self.expression(target.value)
        if kind.active:
            self.refuse("del of what carries a derivative is not supported yet", target)
        if isinstance(target, gast.Subscript):
            self.index(target.slice)
            if self.takes_out(target, kind, statement):
                return
        self.facts.effects.add(statement)
        self.note_change(target, [target.value])
        self.forget_lists()

    def assign(self, target: Any, kind: Kind, value: Any) -> None:
        match target:
            case gast.Name(id=name):
                self.bind(name, kind, target, value)
            case gast.Tuple() | gast.List():
                self.unpack(target, kind, value)
            case gast.Subscript() | gast.Attribute() if self.is_entry(target):
                self.store_entry(target, kind)
            case gast.Subscript() if self.is_list_place(target):
                self.store_item(target, kind)
            case gast.Subscript():
                if value is not None:
                    self.escape(value)
                self.store(target, kind)
            case gast.Attribute():
                self.store_attribute(target, kind)
            case _:
                self.refuse(f"{type(target).__name__} as a target is not supported yet", target)

    def unpack(self, target: Any, kind: Kind, value: Any) -> None:
        """a, b = value"""
        if has_stars(target):
            self.unpack_starred(target, kind, value)
            return
        elements = target.elts
        if isinstance(target, Flat):
            parts: Sequence[Kind] = self.leaves_given(kind, len(elements), value)
        else:
            parts = self.unpacked(kind, len(elements), target)
        paths = self.paths_of_elements(value, len(elements))
        display = isinstance(value, (gast.Tuple, gast.List)) and len(value.elts) == len(elements)
        for k, (element, part) in enumerate(zip(elements, parts, strict=True)):
            if isinstance(target, Flat) and self.is_not_apart_yet(element, part):
                continue
            itself = display and isinstance(part, Tup) and part.is_object and part.active
            self.assign(element, part, value.elts[k] if itself else None)
        bound = set(ir.target_names(target))  # `a, b = b, a`: the old b is gone
        for element, path in zip(elements, paths, strict=True):
            if isinstance(element, gast.Name):
                self.keep_path(element, path, bound)

    def is_not_apart_yet(self, element: Any, part: Kind) -> bool:
        """Whether what stands for an object is given to one that is an object still, up to the next pass."""
        kind = self.env.kinds.get(getattr(element, "id", ""), UNKNOWN)
        return isinstance(kind, Tup) and kind.is_object and isinstance(part, Opaque)

    def leaves_given(self, kind: Kind, count: int, call: Any) -> Sequence[Kind]:
        """The kinds of all elements of what a call gives."""
        parts = leaves_of_result(kind)
        if len(parts) == count:
            return parts
        if kind is not REFUSED and not self.env.dead:
            self.refuse("what this call gives has one form here and another there", call)
        return [REFUSED] * count

    def unpack_starred(self, target: Any, kind: Kind, value: Any) -> None:
        """a, *rest = value"""
        parts = self.kinds_of_starred(target, kind)
        if parts is None:
            if kind.active:
                self.refuse("how many elements this unpacks is not known", target)
            parts = [REFUSED if kind.active else UNKNOWN] * len(target.elts)
        elif isinstance(value, (gast.Name, gast.Tuple, gast.List)):
            self.facts.unstarred[target] = self.without_star(target, kind, value)
        for element, part in zip(target.elts, parts, strict=True):
            inner = element.value if isinstance(element, gast.Starred) else element
            self.assign(inner, part, None)

    def paths_of_elements(self, value: Any, count: int) -> list[Path | None]:
        if isinstance(value, (gast.Tuple, gast.List)) and len(value.elts) == count:
            return [path_of(element, self.facts, self.env) for element in value.elts]
        kind = self.facts.kind(value)
        whole = path_of(value, self.facts, self.env) if isinstance(kind, Num) else None
        if whole is not None:
            return [(quote("{x}[{k}]", x=whole[0], k=constant(k)), whole[1]) for k in range(count)]
        return [self.path_of_part(value, k, count) for k in range(count)]

    def path_of_part(self, value: Any, k: int, count: int) -> Path | None:
        """What the k-th result of a call is a view of."""
        callee = self.facts.callees.get(value)
        if callee is None or callee.user is not None or callee.function not in SPLITS:
            return called_view(value, self.facts, k)
        whole = path_of(callee.args[0], self.facts, self.env) if callee.args else None
        rank = getattr(self.facts.kind(callee.args[0]), "rank", None) if callee.args else None
        part = whole and part_of_split(callee, whole[0], rank, k, count)
        return None if whole is None or part is None else (part, values_in(part))

    def unpacked(self, kind: Kind, count: int, node: Any) -> Sequence[Kind]:
        match kind:
            case Seq(item=item):
                return [self.taken(item, node)] * count
            case Tup(items=items) if len(items) == count:
                return items
            case Num(shape=shape, array=True) if shape:
                item = element_of(kind)
                return [item] * count
        if kind.active:
            self.refuse("this can't be unpacked: its length is not known", node)
        return [REFUSED if kind.active or kind is REFUSED else UNKNOWN] * count

    def bind_object(self, name: str, value: Any, node: Any) -> None:
        """An object under a second name: where the object itself is wanted, the first one stands."""
        named = isinstance(value, gast.Name) and ir.is_value(value.id)
        first = self.facts.objects.get(value.id, value.id) if named else None
        if isinstance(value, (gast.Subscript, gast.Attribute)) and self.is_path(value):
            first = self.names_along(value)[-1]
        if not named and value is not None and self.kind_is_virtual(value):
            first = name  # it was made by a call, or is given by one
        known = self.facts.objects.setdefault(name, first)
        if first is None or known != first or name in self.facts.entry:
            self.refuse("it is not known which object this is: use one name for one object", node)

    def kind_is_virtual(self, value: Any) -> bool:
        """Whether an expression gives an object that only its attributes stand for."""
        kind = self.kind(value)
        return isinstance(kind, Tup) and kind.virtual

    def bind(self, name: str, kind: Kind, node: Any, value: Any) -> None:
        if isinstance(kind, Tup) and kind.is_object and kind.active:
            self.bind_object(name, value, node)
        path = path_of(value, self.facts, self.env) if value is not None else None
        if name in self.facts.held:
            kind, path = self.kind_of_held(kind, node), None
        if isinstance(kind, Fun) and is_home(name, value):
            kind = replace(kind, home=name)
        if isinstance(kind, Num) and kind.array and kind.shape is not None and None in kind.shape:
            kind = replace(kind, shape=self.symbols_for(kind.shape, node))
        if isinstance(kind, Num) and is_unmeasured(kind):
            self.symbols.add(id(node))
            kind = replace(kind, value=Dim(("new", id(node), 0)))
        over = isinstance(kind, Tup) and kind.virtual and self.is_over(name)
        self.env.forget(name)
        self.env.bind(name, kind)
        self.facts.note_apart(name, kind)
        self.facts.kinds[node] = kind
        old = self.facts.web_kinds.get(name)
        if over:
            old = None  # an object made anew, which gets its attributes in the lines that follow
        self.facts.web_kinds[name] = kind if old is None else self.met(old, kind)
        if self.facts.web_kinds[name] is REFUSED:
            self.env.bind(name, REFUSED)
        self.keep_path(node, path, {name})

    def kind_of_held(self, kind: Kind, node: Any) -> Kind:
        """A local variable with respect to which a gradient is taken."""
        name = ir.base_name(node.id)
        if not (isinstance(kind, Num) and kind.is_float):
            self.refuse(
                f"wrt='{name}' takes a variable that holds a float or an array of floats", node
            )
            return REFUSED
        if any(is_given(b) or self.env.on(frozenset({b})) for b in kind.buffers):
            self.refuse(f"'{name}' may share memory with another array: make it a copy", node)
        return replace(kind, active=True)

    def keep_path(self, target: Any, path: Path | None, bound: Set[str]) -> None:
        """The view that a name stands for, as long as nothing in its path is bound anew or changes."""
        self.facts.views.pop(target, None)
        if path is None:
            return
        self.facts.views[target] = path[0]
        if not path[1] & bound and is_short(path[0]) and lasts(path[0], self.facts):
            node = self.facts.path_nodes.setdefault(gast.dump(path[0]), path[0])
            self.env.keep_path(target.id, (node, path[1]))

    def update(self, statement: ir.Update) -> None:
        target, value = self.stored_place(statement.target), statement.value
        if target is not statement.target:
            statement = ir.Update(target, statement.op, value, statement.origin)
        old = self.expression(target)
        if target in self.facts.raising:
            return
        right = self.expression(value)
        if REFUSED in (old, right):
            if isinstance(target, gast.Name) and not getattr(old, "array", False):
                self.bind(target.id, REFUSED, target, None)
            return
        if self.updates_object(statement):
            return
        if not self.updates_container(statement, old, right):
            self.updates_value(statement, old, right)

    def updates_object(self, statement: ir.Update) -> bool:
        """`a += b` of an object: by __iadd__, which most often gives the object itself, or by __add__"""
        target, kind = statement.target, self.kind(statement.target)
        if not (isinstance(kind, Tup) and kind.is_object and is_path(target)):
            return False
        op = ir.operator_name(statement.op)
        read = self.made_once(
            (target, "read"), lambda: ir.with_fields(target, {"ctx": gast.Load()}), target
        )
        self.expression(read)
        own = f"__i{BINARY.get(op)}__"
        if method_of(kind, own) is None:
            found = self.operator_method(op, (read, statement.value), statement)
        elif isinstance(target, gast.Name) and not kind.active:
            self.demand_apart(kind, target)
            return True
        elif isinstance(target, gast.Name):
            found = self.stands_for(read, own, [statement.value], statement)
        else:
            self.refuse("this operator changes the object itself: write a method for that", target)
            return True
        if found is None:
            return False
        self.assign(target, found, self.facts.answers[statement])
        return True

    def updates_container(self, statement: ir.Update, old: Kind, right: Kind) -> bool:
        """Xs += ys, d |= e"""
        if isinstance(old, (Tup, Seq)) and isinstance(statement.op, gast.Add):
            self.extend(statement.target, statement.value, statement)
            return True
        return self.is_merged(statement, old, right)

    def updates_value(self, statement: ir.Update, old: Kind, right: Kind) -> None:
        target, value = statement.target, statement.value
        result = self.operation(
            ir.operator_name(statement.op), (old, right), (target, value), statement
        )
        result = self.on_device(result, target)
        self.check_changed_inside(target, old, result)
        if isinstance(target, (gast.Subscript, gast.Attribute)) and self.is_entry(target):
            self.update_entry(target, old, result)
            return
        if isinstance(target, gast.Attribute):
            self.store_attribute(target, result)
            return
        if isinstance(target, gast.Subscript) and self.updates_item(target, old, result):
            return
        if not isinstance(target, gast.Name):
            self.store(target, result)
            return
        if isinstance(old, Num) and old.array is not False and isinstance(result, Num):
            self.env.is_bound(target.id)
            self.update_array(target, old, result)
            return
        self.note_change(target, [target])
        self.bind(target.id, result, target, None)
        self.facts.kinds[target] = old if isinstance(old, Num) else result

    def check_changed_inside(self, target: Any, old: Kind, new: Kind) -> None:
        """`xs[0] += 1`, `d["a"] += 1`: an array in a container is changed in place."""
        if isinstance(target, gast.Name) or not isinstance(old, Num) or old.array is False:
            return
        self.facts.written |= old.buffers
        container = self.kind(target.value)
        if isinstance(target, gast.Subscript) and isinstance(container, (Tup, Seq, Opaque)):
            self.changes_out_of_sight(old, container.active or new.active, target)

    def is_merged(self, statement: ir.Update, old: Kind, right: Kind) -> bool:
        """D |= e: entries are set, as by d.update(e)."""
        mapping = isinstance(old, Tup) and old.is_mapping and (old.active or right.active)
        if not (mapping and isinstance(statement.op, gast.BitOr)):
            return False
        target, value = statement.target, statement.value
        method = DictMethod("update")
        self.facts.callees[statement] = Callee(method, (target, value), {})
        entries = self.entries_of([value], {})
        if entries is None:
            self.not_followed(method, target)
            return True
        read = self.made_once(
            (target, "read"), lambda: ir.with_fields(target, {"ctx": gast.Load()}), target
        )
        self.expression(read)
        self.store_entries(read, entries, statement, target)
        return True

    # -- control flow

    def branch(self, statement: ir.If) -> None:
        test = self.expression(statement.test)
        known = self.truth(test)
        if known is not None:
            self.facts.branches[statement] = known
            self.block(statement.body if known else statement.orelse)
            return
        self.facts.branches.pop(statement, None)
        start = self.env
        self.env = start.copy()
        self.block(statement.body)
        body = self.env
        self.env = start.copy()
        self.block(statement.orelse)
        self.env = join_environments(body, self.env, self.met)

    def for_loop(self, statement: ir.For) -> None:
        self.write_out_where_forms_differ(statement)
        item = self.item_of(statement.iter)
        if is_made_range(statement.iter):
            self.facts.counters |= set(ir.target_names(statement.target))
        self.around.append(statement)
        self.loop(statement, item)
        self.around.pop()
        if self.facts.items[statement.iter].active:
            self.check_length_stays(statement)

    def check_length_stays(self, loop: ir.For) -> None:
        """A list that is run over must not grow or shrink meanwhile."""
        lists = {
            buffer
            for node in ir.walk(loop.iter)
            for buffer in own_memory(self.kind(node))
            if isinstance(self.kind(node), Seq)
        }
        for statement in ir.walk_statements(loop.body):
            for name in self.facts.writes.get(statement, ()):
                kind = self.facts.web_kinds.get(name, UNKNOWN)
                call = resized_list(statement, self.facts)
                if call is not None and own_memory(kind) & lists:
                    self.refuse("a list is changed while the loop runs over it", call)

    def loop(self, statement: ir.For | ir.While, item: Kind | None) -> None:
        """Trips until nothing new is found."""
        outer, self.symbols = self.symbols, set()
        start = self.env.copy()
        before = self.changes.get(statement)
        if before is not None and start.is_entered_like(before):
            self.env = start.joined_with(before, self.met)
        self.loops_around += 1
        for _ in range(MOST_TRIPS):
            head = self.env.copy()
            self.facts.heads[statement] = head.kinds
            if isinstance(statement, ir.For) and self.has_changed(statement, start):
                item = self.met(item or UNKNOWN, self.item_of(statement.iter))
                self.facts.items[statement.iter] = item
            self.trip(statement, item)
            end = self.env
            following = end.next_trip(self.symbols)
            merged = join_environments(head, following, self.met)
            if (
                merged.kinds == head.kinds
                and merged.stale == head.stale
                and merged.paths == head.paths
            ):
                break
            self.env = merged
        self.loops_around -= 1
        if self.loops_around and not end.dead:
            names = _values_in(statement) if before is None else before.entered
            self.changes[statement] = following.changes_since(start, names)
        outer |= self.symbols
        self.symbols = outer
        self.env = join_environments(head, end, self.met)  # names bound inside it, too

    def has_changed(self, loop: ir.For, start: Environment) -> bool:
        """Whether the trips of a loop change what it runs over; what they bind anew is something else."""
        inside = tuple(ir.walk_statements((loop,)))
        bound = {n for statement in inside for n in ir.defined_names(statement)}
        names = set(filter(ir.is_value, ir.names_in(loop.iter)))
        written = {n for statement in inside for n in self.facts.writes.get(statement, ())}
        if names & bound & written and self.facts.items[loop.iter].active:
            self.refuse(
                "what is run over is written to and bound anew: give that another name", loop.iter
            )
        return any(self.env.kinds.get(n) != start.kinds.get(n) for n in names - bound)

    def trip(self, statement: ir.For | ir.While, item: Kind | None) -> None:
        self.statement = statement
        if isinstance(statement, ir.While):
            self.truth(self.expression(statement.test))
        else:
            self.assign(statement.target, item or UNKNOWN, None)
        self.block(statement.body)
        if statement.stop is not None and not self.env.dead:
            self.expression(statement.stop)


def _values_in(loop: ir.Statement) -> set[str]:
    """The values that a loop mentions."""
    inside = ir.walk_statements((loop,))
    return {name for s in inside for name in ir.mentioned(s) if ir.is_value(name)}


def is_home(name: str, value: Any) -> bool:
    """Whether a variable always holds the function that it gets."""
    nested = nested_of(value.function) if isinstance(value, Closure) else None
    return nested is not None and nested.home is not None and name.startswith(f"{nested.home}.")


def _with_count(kind: Kind, name: str) -> Kind:
    """How many elements of a mask are true gets a symbol."""
    if isinstance(kind, Num) and is_counted(kind):
        return replace(kind, value=Dim(("true", name)))
    return kind


def is_made_range(node: Any) -> bool:
    """Whether a loop was made to run over the indices of what it reads."""
    match node:
        case gast.Call(func=gast.Name(id="$range")):
            return True
    return False


def _last_node(function: ir.Function) -> Any:
    origins = (getattr(s, "origin", None) for s in ir.walk_statements(function.body))
    return [origin.node for origin in origins if origin][-1]


def _consumed(block: ir.Block) -> Iterator[Any]:
    """The nodes that are run over where they stand: arguments, what loops run over, what is added to a list."""
    for statement in ir.walk_statements(block):
        if isinstance(statement, ir.For):
            yield statement.iter
        if isinstance(statement, ir.Update):
            yield statement.value
        match statement:
            case ir.Assign(gast.Name(id=name), value) if ".+" in name:
                yield value  # it was given a name on the way to its loop
        for node in (n for e in ir.expressions_of(statement) for n in ir.walk(e)):
            if isinstance(node, gast.Call):
                yield from node.args
            if isinstance(node, gast.comprehension):
                yield node.iter
