"""What names, elements and attributes get: targets of assignments, of loops and of `with`."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import partial
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.callee_changes import is_given
from tangentish.infer.comprehensions import Comprehensions
from tangentish.infer.environment import Path
from tangentish.infer.expressions import is_unmeasured
from tangentish.infer.in_loops import seek_name_of_place
from tangentish.infer.iteration import element_of, may_have_rows
from tangentish.infer.overlapping_stores import WRITTEN_EARLY, is_written_early
from tangentish.infer.sparse import SparseMatrices
from tangentish.infer.splits import SPLITS, part_of_split
from tangentish.infer.spreading import has_stars
from tangentish.infer.starting_again import NameFirst
from tangentish.infer.views import called_view, is_short, lasts, path_of
from tangentish.ir.quote import constant, quote
from tangentish.kinds import (
    REFUSED,
    TEXT_THAT_VARIES,
    UNKNOWN,
    Fun,
    Kind,
    Known,
    Num,
    Opaque,
    Seq,
    Tup,
    buffers_of,
    is_unknown,
    leaves_of,
    leaves_of_result,
    replace,
)
from tangentish.kinds.held_functions import holds_records
from tangentish.kinds.lengths import Dim
from tangentish.language.lifted import Flat
from tangentish.language.nested import Closure, nested_of
from tangentish.language.placed import all_at


def _at(owner: Any, k: int) -> Any:
    """owner[k]"""
    return quote("{x}[{k}]", x=owner, k=constant(k))


class Targets(Comprehensions, SparseMatrices):
    """The part of the walk that binds and unpacks."""

    def assign(self, target: Any, kind: Kind, value: Any) -> None:
        if isinstance(target, (gast.Subscript, gast.Attribute)):
            seek_name_of_place(self, target)
            self.refuse_sparse_change(target)
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
                    kind = self.stored_as_array(value, kind)
                self.store(target, kind)
                self.check_order(target, value, kind)
            case gast.Attribute():
                self.store_attribute(target, kind)
            case _:
                self.refuse(f"{type(target).__name__} as a target is not supported yet", target)

    def check_order(self, target: Any, value: Any, kind: Kind) -> None:
        """Whether NumPy stores a view as it was before any of it is written to."""
        active = kind.active or self.facts.kinds.get(target.value, UNKNOWN).active
        if active and value is not None and is_written_early(target, value, self.facts, self.env):
            self.refuse(WRITTEN_EARLY, target)

    def unpack(self, target: Any, kind: Kind, value: Any) -> None:
        """a, b = value"""
        if value is not None and not isinstance(target, Flat):
            self.run_over_by_method(value)
        if has_stars(target):
            self.unpack_starred(target, kind, value)
            return
        if not isinstance(target, Flat):
            self.name_what_is_unpacked(kind, value)
            self.name_rows_written_to(target, kind, value)
            self.unpack_records(target, kind, value)
        elements = target.elts
        if isinstance(target, Flat):
            parts: Sequence[Kind] = self.leaves_given(kind, len(elements), value)
        else:
            parts = self.parts_outside(value, self.unpacked(kind, len(elements), target))
        paths = self.paths_of_leaves(target, parts, value)
        for k, (element, part) in enumerate(zip(elements, parts, strict=True)):
            if isinstance(target, Flat) and self.is_not_apart_yet(element, part):
                continue
            self.assign(element, part, self.object_at(k, part, value))
        bound = set(ir.target_names(target))  # `a, b = b, a`: the old b is gone
        for leaf, path in paths:
            if isinstance(leaf, gast.Name):
                self.keep_path(leaf, path, bound)
        self.note_otherwise([leaf for leaf, _ in paths], value)

    def parts_outside(self, value: Any, parts: Sequence[Kind]) -> Sequence[Kind]:
        """What `n, mask = TABLE[3]` gives of a dict or a list outside, where it is known what stands there."""
        unknown = isinstance(value, gast.Subscript) and any(map(is_unknown, parts))
        if not unknown or self.path_outside(value) is None:
            return parts
        places = [
            self.made_once((value, k), partial(_at, value, k), value) for k in range(len(parts))
        ]
        return [
            self.expression(place) if is_unknown(part) else part
            for place, part in zip(places, parts, strict=True)
        ]

    def object_at(self, k: int, part: Kind, value: Any) -> Any:
        """An expression for what is unpacked, if that is an object: one knows by it which."""
        if not is_active_object(part):
            return None
        display = isinstance(value, (gast.Tuple, gast.List))
        named = display or isinstance(value, gast.Name) or self.is_path(value)
        return self.element(value, k, part) if named else None

    def name_what_is_unpacked(self, kind: Kind, value: Any) -> None:
        """An array or list that a function of the user's gives, or a tuple of objects: in a line of its own."""
        if self.cached or self.facts.user_of(value) is None:
            return
        whole = isinstance(kind, (Num, Seq)) and kind.active
        objects = isinstance(kind, Tup) and any(map(is_active_object, kind.items))
        if (whole or objects) and isinstance(self.statement, ir.Assign):
            raise NameFirst(self.statement, value)

    def name_rows_written_to(self, target: Any, kind: Kind, value: Any) -> None:
        """`p, q = x.T.copy()`, where p or q is written to: the array that they are rows of gets a name.

        By that one knows which part of the same memory each of them is.
        """
        if self.cached or not (isinstance(kind, Num) and kind.active and may_have_rows(kind)):
            return
        if element_of(kind).array is False:
            return
        line, path = self.statement, path_of(value, self.facts, self.env)
        if not (isinstance(line, ir.Assign) and line.value is value and path is None):
            return
        names = set(ir.target_names(target))
        if not isinstance(value, gast.Name) and _are_only_written_to(names, self.function.body):
            raise NameFirst(line, value)

    def unpack_records(self, target: Any, kind: Kind, value: Any) -> None:
        """a, b = points  ->  a, b = points[0], points[1]: names for tuples are taken apart, a list of them is not."""
        if self.cached or not (
            isinstance(kind, Seq) and kind.active and isinstance(kind.item, Tup)
        ):
            return
        if isinstance(value, gast.Name):
            values = [quote("{x}[{k}]", x=value, k=constant(k)) for k in range(len(target.elts))]
            self.facts.unstarred[target] = target, all_at(gast.Tuple(values, gast.Load()), value)
        elif isinstance(self.statement, ir.Assign) and self.statement.value is value:
            raise NameFirst(self.statement, value)

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
        elif isinstance(value, gast.Name) or (
            isinstance(kind, Tup) and isinstance(value, (gast.Tuple, gast.List))
        ):
            self.facts.unstarred[target] = self.without_star(target, kind, value)
        elif isinstance(self.statement, ir.Assign) and not isinstance(kind, Tup):
            raise NameFirst(self.statement, value)
        for element, part in zip(target.elts, parts, strict=True):
            inner = element.value if isinstance(element, gast.Starred) else element
            self.assign(inner, part, None)

    def paths_of_leaves(
        self, target: Any, parts: Sequence[Kind], value: Any
    ) -> list[tuple[Any, Path | None]]:
        """What each part of a target is a view of; of calls and tuples leaf by leaf: (a, b), c = f(x)."""
        called = self.facts.user_of(value) is not None
        tupled = isinstance(value, gast.Name) and is_plain_tuple(self.facts.kind(value))
        if isinstance(target, Flat) or not (called or tupled):
            paths = self.paths_of_elements(value, len(target.elts))
            return list(zip(target.elts, paths, strict=True))
        pairs = zip(target.elts, parts, strict=True)
        leaves = [leaf for element, part in pairs for leaf in leaf_targets(element, part)]
        if tupled:
            return [(e, self.env.paths.get(f"{value.id}@{k}")) for k, e in enumerate(leaves)]
        return [(e, called_view(value, self.facts, k)) for k, e in enumerate(leaves)]

    def paths_of_elements(self, value: Any, count: int) -> list[Path | None]:
        if isinstance(value, (gast.Tuple, gast.List)) and len(value.elts) == count:
            return [path_of(element, self.facts, self.env) for element in value.elts]
        kind = self.facts.kind(value)
        counted = isinstance(kind, Seq) or (isinstance(kind, Tup) and kind.is_counted)
        in_places = isinstance(kind, Num) or (counted and isinstance(value, gast.Name))
        whole = path_of(value, self.facts, self.env) if in_places else None
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
        return None if whole is None or part is None else (part, ir.values_in(part))

    def unpacked(self, kind: Kind, count: int, node: Any) -> Sequence[Kind]:
        match kind:
            case Seq(item=item):
                return [self.taken(item, node)] * count
            case Tup(items=items) if len(items) == count:
                return items
            case Num() if may_have_rows(kind):
                return [element_of(kind)] * count
        if kind.active:
            self.refuse("this can't be unpacked: its length is not known", node)
        kept = kind == TEXT_THAT_VARIES
        return [kind if kept else REFUSED if kind.active or kind is REFUSED else UNKNOWN] * count

    def bind_object(self, name: str, kind: Tup, value: Any, node: Any) -> None:
        """An object under a second name: where the object itself is wanted, the first one stands."""
        named = ir.is_own_name(value)
        first = self.facts.objects.get(value.id, value.id) if named else None
        if isinstance(value, (gast.Subscript, gast.Attribute)) and self.is_held(value):
            first = self.names_along(value)[-1]
        virtual = value is not None and self.kind_is_virtual(value)
        if virtual and not self.has_one_first_name(name, first, named):
            # it was made by a call, or is given by one, or is one of several
            first = self.facts.objects[name] = name
        known = self.facts.objects.setdefault(name, first)
        given = self.facts.entry.get(name, Known(None)) != Known(None)
        if first is None or known != first or given:
            self.seek_list_of(kind)
            self.refuse("it is not known which object this is: use one name for one object", node)

    def is_held(self, path: Any) -> bool:
        """Whether a path leads to what is held there; a property gives what stands elsewhere."""
        owner = self.kind(path.value)
        held = isinstance(owner, Tup) and owner.position(self.key_of(path)) is not None
        inner = isinstance(path.value, (gast.Subscript, gast.Attribute))
        return held and self.is_path(path) and not (inner and not self.is_held(path.value))

    def has_one_first_name(self, name: str, first: str | None, named: bool) -> bool:
        """Whether an object that only its attributes stand for is known by another name, wherever it gets this one."""
        if first is None or not (named or self.facts.is_given(first)):
            return False
        before = self.facts.web_kinds.get(name)
        others = isinstance(before, Tup) and not before.virtual
        return others or self.facts.objects.get(name, first) == first

    def kind_is_virtual(self, value: Any) -> bool:
        """Whether an expression gives an object that only its attributes stand for."""
        kind = self.kind(value)
        return isinstance(kind, Tup) and kind.virtual

    def bind(self, name: str, kind: Kind, node: Any, value: Any) -> None:
        if isinstance(kind, Tup) and kind.is_object and kind.active:
            self.bind_object(name, kind, value, node)
        self.check_used(name, kind, node)
        self.records_known = self.records_known or holds_records(kind)
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
        empty = isinstance(kind, Tup) and kind.is_mapping and not kind.items
        over = isinstance(kind, Tup) and (kind.virtual or empty) and self.is_over(name)
        self.env.forget(name)
        self.env.bind(name, kind)
        self.note_kept(name, kind)
        self.facts.note_apart(name, kind)
        self.facts.kinds[node] = kind
        old = self.facts.web_kinds.get(name)
        self.demand_alike(node, old, kind)
        if over:
            old = None  # an object or a dict made anew, which gets its entries in the lines that follow
        joined = kind if old is None else self.met(old, kind)
        self.facts.web_kinds[name] = joined
        # what is None at first, and a list later, has the memory of the list, though its kind does not tell
        lost = (buffers_of(old or UNKNOWN) | buffers_of(kind)) - buffers_of(joined)
        if lost:
            self.facts.untold[name] = self.facts.untold.get(name, frozenset()) | lost
        if self.facts.web_kinds[name] is REFUSED:
            self.env.bind(name, REFUSED)
        self.keep_path(node, path, {name})
        self.note_otherwise([node], value)

    def note_otherwise(self, targets: Sequence[Any], value: Any) -> None:
        """The views that a call may give where it does not make what it gives."""
        user = self.facts.user_of(value)
        for target, path in zip(targets, user.otherwise if user else (), strict=False):
            self.facts.otherwise[target] = path

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
            node = self.facts.path_nodes.setdefault(ir.dump(path[0]), path[0])
            whole = target.id.partition("@")[0]  # of a@0 the tuple, which may be bound anew as well
            self.env.keep_path(target.id, (node, path[1] | ({whole} - {target.id})))


def is_home(name: str, value: Any) -> bool:
    """Whether a variable always holds the function that it gets."""
    nested = nested_of(value.function) if isinstance(value, Closure) else None
    return nested is not None and nested.home is not None and name.startswith(f"{nested.home}.")


def is_active_object(kind: Kind) -> bool:
    return isinstance(kind, Tup) and kind.is_object and kind.active


def _are_only_written_to(names: Set[str], block: ir.Block) -> bool:
    """Whether a line writes into what one of the names stands for, p /= v, p[i] = v, and none is bound twice."""
    lines = ir.walk_statements(block)
    roots = (ir.root_of(t) for line in lines for t in _places_written(line))
    written = any(isinstance(root, gast.Name) and root.id in names for root in roots)
    binding = (
        n for line in lines if not isinstance(line, ir.Update) for n in ir.defined_names(line)
    )
    return written and len([n for n in binding if n in names]) == len(names)


def _places_written(line: ir.Statement) -> Sequence[Any]:
    match line:
        case ir.Update(target):
            return (target,)
        case ir.Assign(target):
            return ir.store_targets(target)
    return ()


def leaf_targets(target: Any, kind: Kind) -> list[Any]:
    """For each leaf of what is bound the part of the target that gets it; a@0, a@1 of a name that gets a tuple."""
    if isinstance(target, gast.Tuple) and isinstance(kind, Tup):
        pairs = zip(target.elts, kind.items, strict=False)
        return [leaf for element, item in pairs for leaf in leaf_targets(element, item)]
    leaves = leaves_of(kind)
    if is_plain_tuple(kind) and isinstance(target, gast.Name):
        return [ir.name(f"{target.id}@{k}") for k in range(len(leaves))]
    return [None if isinstance(kind, Tup) else target] * len(leaves)


def is_plain_tuple(kind: Kind) -> bool:
    """Whether this is a tuple whose elements stay what they are."""
    if not isinstance(kind, Tup) or kind.is_list or kind.is_object or kind.keys is not None:
        return False
    return all(is_plain_tuple(item) or not isinstance(item, Tup) for item in kind.items)
