"""Kinds and activity: an abstract walk that gives every expression its kind.

Branches and loops join what their ways bring, to a fixed point. The walk also follows buffers: which arrays a name may
share memory with. A write through one name makes every other name on that buffer stale; reading a stale name that
carries a derivative is a conflict, resolved where the name is a known view (`paths`) and refused otherwise.
"""

from __future__ import annotations

import builtins
import math
import operator
import sys
import types
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from tangentish import ir, runtime
from tangentish.errors import NotDifferentiable, Refusal
from tangentish.kinds import (
    UNKNOWN,
    Buffer,
    Dim,
    Kind,
    Known,
    Length,
    Num,
    Opaque,
    Tup,
    join,
    kind_of,
    length_plus,
    scalar,
)
from tangentish.probe import Literal, elementwise_kind, probe_kind
from tangentish.rules import (
    ATTRIBUTES,
    CONSTANT,
    CONSTRUCTORS,
    METHODS,
    RULES,
    STARRED,
    Rule,
    select,
)
from tangentish.rules.rule import ABSENT
from tangentish.source import Source

__all__ = ["IN_PLACE", "Callee", "Conflict", "Facts", "Inference", "UserCall", "literal_of"]

OPERATORS: dict[str, Callable[..., Any]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv,
    "FloorDiv": operator.floordiv, "Mod": operator.mod, "Pow": operator.pow, "MatMult": operator.matmul,
    "USub": operator.neg, "UAdd": operator.pos, "Invert": operator.invert, "BitAnd": operator.and_,
    "BitOr": operator.or_, "BitXor": operator.xor, "LShift": operator.lshift, "RShift": operator.rshift,
    "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt, "GtE": operator.ge, "Eq": operator.eq,
    "NotEq": operator.ne,
}  # fmt: skip

CONSTANT_OPERATORS = {"FloorDiv", "Invert", "BitAnd", "BitOr", "BitXor", "LShift", "RShift"}

EXACT_VIEWS = {
    np.transpose, np.swapaxes, np.moveaxis, np.expand_dims, np.squeeze, np.diagonal, np.flip, np.broadcast_to,
}  # fmt: skip
CONTIGUOUS_VIEWS = {np.reshape, np.ravel, np.atleast_1d, np.atleast_2d, np.ascontiguousarray}

LIBRARIES = sys.stdlib_module_names | {"numpy", "scipy", "cupy", "numba"}


@dataclass(frozen=True, eq=False)
class Callee:
    """What a call calls: `function(*args, **keywords)`, a method's object being its first argument."""

    function: Any
    args: tuple[Any, ...]
    keywords: dict[str, Any]
    rule: Rule | None = None
    bound: dict[str, Any] = field(default_factory=dict)
    user: UserCall | None = None


@dataclass(frozen=True, eq=False)
class UserCall:
    """A call of a Python function of the user's: its parameters' arguments, and what it does to them."""

    function: types.FunctionType
    arguments: tuple[Any, ...]  # a node a parameter, None where the default stands
    kinds: tuple[Kind, ...]
    result: Kind
    written: tuple[int, ...]
    pure: bool
    views: tuple[Any, ...] = ()  # for each result the path into an argument that it is, or None


@dataclass(frozen=True, eq=False)
class Conflict:
    """A read of `name` after a write through `writer` to memory that they may share."""

    name: str
    writer: str
    node: Any


@dataclass(eq=False)
class Facts:
    """What the walk found out, by node and by statement."""

    kinds: dict[Any, Kind] = field(default_factory=dict)
    callees: dict[Any, Callee] = field(default_factory=dict)
    branches: dict[ir.Statement, bool] = field(default_factory=dict)  # tests known beforehand
    writes: dict[ir.Statement, tuple[str, ...]] = field(default_factory=dict)
    heads: dict[ir.Statement, dict[str, Kind]] = field(default_factory=dict)
    before: dict[ir.Statement, dict[str, Kind]] = field(default_factory=dict)
    web_kinds: dict[str, Kind] = field(default_factory=dict)
    entry: dict[str, Kind] = field(default_factory=dict)
    result: Kind | None = None
    returned: tuple[Kind, ...] = ()
    returned_paths: tuple[Any, ...] = ()
    written: set[Buffer] = field(default_factory=set)
    effects: set[ir.Statement] = field(default_factory=set)
    refusals: dict[Any, Refusal] = field(default_factory=dict)
    late: list[Refusal] = field(default_factory=list)  # refused unless they are taken apart
    conflicts: list[Conflict] = field(default_factory=list)
    paths: dict[str, Any] = field(default_factory=dict)
    unsure: set[Any] = field(default_factory=set)  # reads of names that may have no value
    pathless: set[str] = field(default_factory=set)  # names that were read where no path was known

    def sites(self, name: str) -> frozenset[Hashable]:
        return frozenset(b.site for b in buffers_of(self.web_kinds.get(name, UNKNOWN)))


@dataclass
class _Env:
    kinds: dict[str, Kind] = field(default_factory=dict)
    paths: dict[str, Any] = field(default_factory=dict)
    stale: dict[str, frozenset[str]] = field(default_factory=dict)
    maybe: frozenset[str] = frozenset()  # bound on some ways only
    dead: bool = False

    def copy(self) -> _Env:
        return _Env(dict(self.kinds), dict(self.paths), dict(self.stale), self.maybe, self.dead)


def buffers_of(kind: Kind) -> frozenset[Buffer]:
    match kind:
        case Num(buffers=buffers):
            return buffers
        case Tup(items=items):
            return frozenset().union(*map(buffers_of, items))
    return frozenset()


def literal_of(node: Any) -> object:
    """The value of a literal, ABSENT for anything else."""
    match node:
        case gast.Constant(value=value):
            return value
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=value)) if isinstance(value, (int, float)):
            return -value
        case gast.Tuple(elts=elements):
            values = tuple(map(literal_of, elements))
            return ABSENT if any(v is ABSENT for v in values) else values
    return ABSENT


AnalyseCall = Callable[[types.FunctionType, tuple[Kind, ...], Any], "tuple[Kind | None, tuple[int, ...], bool, tuple[Any, ...]]"]


@dataclass
class Inference:
    """The walk over one function."""

    source: Source
    analyse: AnalyseCall
    consult: Callable[[str, Kind], None] = lambda name, kind: None
    facts: Facts = field(default_factory=Facts)
    env: _Env = field(default_factory=_Env)
    allocated: set[Hashable] = field(default_factory=set)
    statement: ir.Statement | None = None

    def run(self, function: ir.Function, kinds: Sequence[Kind]) -> Facts:
        self.env.kinds = dict(zip(function.parameters, kinds, strict=True))
        self.facts.entry = dict(self.env.kinds)
        for name, kind in self.env.kinds.items():
            self.facts.web_kinds[name] = kind
        self.block(function.body)
        return self.facts

    def read_final_state(self, function: ir.Function) -> None:
        """The caller sees what the function leaves in its arguments."""
        for position, name in enumerate(function.parameters):
            entry, kind = self.facts.entry[name], self.env.kinds.get(name, UNKNOWN)
            if self.env.dead or not any(b.site == ("argument", position) for b in self.facts.written):
                continue
            node = _last_node(function)
            if kind.active and name in self.env.stale:
                for writer in self.env.stale[name]:
                    self.facts.conflicts.append(Conflict(name, writer, node))
            elif buffers_of(kind) != buffers_of(entry) and any(k.active for k in self.facts.entry.values()):
                self.refuse(
                    f"'{ir.base_name(name)}' is written to and bound to another array: give that another name", node
                )

    def refuse(self, message: str, node: Any) -> None:
        self.facts.refusals.setdefault(node, Refusal(message, node))

    # -- statements

    def block(self, block: ir.Block) -> None:
        for statement in block:
            if self.env.dead:
                return
            self.statement = statement
            self.facts.before[statement] = self.env.kinds
            self.execute(statement)

    def execute(self, statement: ir.Statement) -> None:
        match statement:
            case ir.Assign(target, value):
                self.assign(target, self.expression(value), value)
            case ir.Update():
                self.update(statement)
            case ir.Do(node):
                self.do(node, statement)
            case ir.If():
                self.branch(statement)
            case ir.For():
                self.for_loop(statement)
            case ir.While():
                self.loop(statement, None)
            case ir.Return(values, is_tuple):
                self.facts.returned = tuple(map(self.expression, values))
                self.facts.returned_paths = tuple(map(self.path_of_result, values))
                self.facts.result = Tup(self.facts.returned) if is_tuple else self.facts.returned[0]

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

    def assign(self, target: Any, kind: Kind, value: Any) -> None:
        match target:
            case gast.Name(id=name):
                self.bind(name, kind, target, value)
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                parts = self.unpacked(kind, len(elements), target)
                values = value.elts if isinstance(value, (gast.Tuple, gast.List)) else [None] * len(elements)
                if len(values) != len(elements):
                    values = [None] * len(elements)
                paths = [
                    self.path(v) if v is not None else self.called_view(value, k) for k, v in enumerate(values)
                ]
                for element, part in zip(elements, parts, strict=True):
                    self.assign(element, part, None)
                for element, path in zip(elements, paths, strict=True):
                    if isinstance(element, gast.Name) and path is not None:
                        self.keep_path(element.id, path)
            case gast.Subscript():
                self.store(target, kind)
            case gast.Attribute():
                self.refuse("stores to attributes are not supported yet", target)
            case _:
                self.refuse(f"{type(target).__name__} as a target is not supported yet", target)

    def unpacked(self, kind: Kind, count: int, node: Any) -> Sequence[Kind]:
        match kind:
            case Tup(items=items) if len(items) == count:
                return items
            case Num(shape=shape, array=True) if shape:
                item = self.element(kind)
                return [item] * count
        if kind.active:
            self.refuse("this can't be unpacked: its length is not known", node)
        return [UNKNOWN] * count

    def element(self, kind: Num) -> Num:
        """The kind of `x[i]`."""
        assert kind.shape
        rest = kind.shape[1:]
        return replace(
            kind, shape=rest, array=bool(rest), weak=False, value=None, contiguous=kind.contiguous and bool(rest),
            buffers=kind.buffers if rest else frozenset(),
        )  # fmt: skip

    def bind(self, name: str, kind: Kind, node: Any, value: Any) -> None:
        path = self.path(value) if value is not None else None
        self.forget(name)
        self.env.kinds[name] = kind
        self.facts.kinds[node] = kind
        old = self.facts.web_kinds.get(name)
        self.facts.web_kinds[name] = kind if old is None else join(old, kind)
        if path is not None:
            self.keep_path(name, path)

    def forget(self, name: str) -> None:
        """`name` is bound anew: views found through it are no longer known by it."""
        self.env.stale.pop(name, None)
        self.env.maybe -= {name}
        self.env.paths = {
            view: path for view, path in self.env.paths.items() if view != name and name not in path[1]
        }

    def path_of_result(self, value: Any) -> Any | None:
        known = self.path(value)
        return None if known is None else known[0]

    def path_of_call(self, path: Any, names: Sequence[str], arguments: Sequence[Any]) -> Any | None:
        """A callee's path into its parameters as one into the arguments of this call."""
        given = {f"{name}.0": argument for name, argument in zip(names, arguments, strict=True)}
        used = [given[n] for n in ir.names_in(path) if n in given]
        if any(a is None or not isinstance(a, (gast.Name, gast.Subscript, gast.Constant, gast.Attribute)) for a in used):
            return None
        if not isinstance(ir.root_of(given[ir.root_of(path).id]), gast.Name):
            return None
        return ir.copy_expression(path, lambda n: given.get(n.id) if type(n) is gast.Name else None)

    def called_view(self, node: Any, k: int = 0) -> tuple[Any, frozenset[str]] | None:
        callee = self.facts.callees.get(node)
        if callee is None or callee.user is None or len(callee.user.views) <= k or callee.user.views[k] is None:
            return None
        path = callee.user.views[k]
        return path, frozenset(n for n in ir.names_in(path) if ir.is_value(n))

    def path(self, value: Any) -> tuple[Any, frozenset[str]] | None:
        """An expression that gives exactly a view of a named array, and the values it depends on."""
        node = value
        if isinstance(value, gast.Call) and self.called_view(value) is not None:
            return self.called_view(value)
        while True:
            kind = self.facts.kinds.get(node)
            if not isinstance(kind, Num) or not kind.array or not kind.buffers:
                return None
            match node:
                case gast.Name(id=name) if ir.is_value(name):
                    names = frozenset(n for n in ir.names_in(value) if ir.is_value(n))
                    inner = self.env.paths.get(name)
                    if inner is not None and node is value:
                        return inner
                    return value, names
                case gast.Subscript(value=inner_node) if not self.is_fancy(node.slice):
                    node = inner_node
                case gast.Attribute(value=inner_node, attr="T"):
                    node = inner_node
                case gast.Call():
                    inner_node = self.viewed(node)
                    if inner_node is None:
                        return None
                    node = inner_node
                case _:
                    return None

    def viewed(self, node: Any) -> Any | None:
        """What a call gives an exact view of."""
        callee = self.facts.callees.get(node)
        kind = self.facts.kinds.get(node)
        if callee is None or callee.user is not None or not callee.args or not isinstance(kind, Num):
            return None
        exact = callee.function in MAY_VIEW and kind.buffers == buffers_of(self.kind(callee.args[0]))
        return callee.args[0] if exact else None

    def keep_path(self, name: str, path: tuple[Any, frozenset[str]]) -> None:
        if name not in path[1]:
            self.env.paths[name] = path
            self.facts.paths[name] = path[0]

    def is_fancy(self, index: Any) -> bool:
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        return any(self._fancy_part(part) for part in parts)

    def _fancy_part(self, part: Any) -> bool:
        if isinstance(part, gast.Slice):
            return False
        kind = self.facts.kinds.get(part)
        if isinstance(kind, Num):
            return kind.array is not False or (kind.dtype is not None and kind.dtype.kind == "b")
        return not (isinstance(kind, Known) and (kind.value is None or kind.value is Ellipsis))

    # -- writes

    def store(self, target: Any, value: Kind) -> None:
        """`target[...] = value`"""
        self.expression(target)
        root = ir.root_of(target)
        base = self.facts.kinds.get(root, UNKNOWN)
        container = self.facts.kinds.get(target.value, UNKNOWN)
        unsure = isinstance(container, Num) and isinstance(base, Num) and container.buffers != base.buffers
        if not isinstance(root, gast.Name) or (unsure and ir.has_view_call(target)):
            if value.active or container.active:
                self.refuse("this store's target is no name: give the array a name first", target)
                return
            root = ir.owner_of(target)
            if not isinstance(root, gast.Name):
                return
        if isinstance(container, Num) and container.array is not True and container.active:
            self.refuse("it is not known whether this is an array: the store can't be differentiated", target)
        if isinstance(base, (Tup, Opaque)) and not isinstance(container, Num):
            if value.active or base.active:
                self.refuse("stores of differentiated values into lists, dicts and objects are not supported yet", target)
            self.forget_list(root)
        if isinstance(base, Tup) and isinstance(container, Num) and (value.active or base.active):
            self.facts.late.append(Refusal("a write to an array inside a tuple: give the array a name first", target))
        if not ir.is_value(root.id) and (value.active or base.active):
            self.refuse(f"the global '{root.id}' is written to: pass it as an argument", target)
        if isinstance(container, Num):
            active = value.active and container.is_float
            if active and container.dtype is not None and container.dtype.kind == "c":
                self.refuse("complex arrays are not supported yet", target)
            self.wrote(root.id, buffers_of(container), active)

    def wrote(self, name: str, buffers: frozenset[Buffer], active: bool) -> None:
        """The memory of `name` is written to: others on it become stale, and active with it."""
        assert self.statement is not None
        if any(isinstance(b.site, tuple) and b.site[0] == "outside" for b in buffers):
            node = getattr(self.statement, "origin").node
            self.refuse("a global array is written to: pass it as an argument", node)
        self.facts.written |= buffers
        self.facts.effects.add(self.statement)
        known = self.facts.writes.get(self.statement, ())
        self.facts.writes[self.statement] = tuple(dict.fromkeys((*known, name)))
        kinds = dict(self.env.kinds)
        for other, kind in self.env.kinds.items():
            if other == name or buffers & buffers_of(kind):
                if active and isinstance(kind, Num) and kind.is_float and kind.array is not False:
                    kinds[other] = replace(kind, active=True)
                    self.facts.web_kinds[other] = join(self.facts.web_kinds[other], kinds[other])
                if other != name:
                    self.env.stale[other] = self.env.stale.get(other, frozenset()) | {name}
        self.env.kinds = kinds

    def update(self, statement: ir.Update) -> None:
        target, value = statement.target, statement.value
        old = self.expression(target)
        right = self.expression(value)
        result = self.operation(type(statement.op).__name__, (old, right), (target, value), statement)
        if not isinstance(target, gast.Name):
            self.store(target, result)
            return
        if isinstance(old, Num) and old.array is not False and isinstance(result, Num):
            self.update_array(target, old, result)
            return
        self.bind(target.id, result, target, None)
        self.facts.kinds[target] = old if isinstance(old, Num) else result

    def update_array(self, target: Any, old: Num, result: Num) -> None:
        """`x += e` where x is, or may be, an array: in place."""
        active = (old.active or result.active) and old.is_float
        if not ir.is_value(target.id):
            if active:
                self.refuse(f"the global '{target.id}' is written to: pass it as an argument", target)
            return
        shape, array = (old.shape, True) if old.array else (result.shape, result.array)
        kind = Num(
            old.dtype if old.array else result.dtype, shape, array,
            active=active, buffers=old.buffers | (frozenset() if old.array else self.fresh(target)),
        )  # fmt: skip
        path = self.env.paths.get(target.id)
        self.wrote(target.id, old.buffers, active)
        self.env.kinds[target.id] = kind
        self.facts.web_kinds[target.id] = join(self.facts.web_kinds[target.id], kind)
        if path is None:
            return

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
        self.env = _join_env(body, self.env)

    def truth(self, kind: Kind) -> bool | None:
        if isinstance(kind, Known) and (kind.value is None or type(kind.value) is bool):
            return bool(kind.value)
        return None

    def for_loop(self, statement: ir.For) -> None:
        iterated = self.expression(statement.iter)
        callee = self.facts.callees.get(statement.iter)
        if callee is not None and callee.function is range:
            item: Kind = Num(np.dtype(int), (), False, weak=True)
        else:
            if iterated.active:
                self.refuse(
                    "a loop over anything but a range is not supported yet where it carries a derivative: "
                    "loop over its indices",
                    statement.iter,
                )
            self.refuse("loops over anything but a range are not supported yet", statement.iter)
            item = UNKNOWN
        self.loop(statement, item)

    def loop(self, statement: ir.For | ir.While, item: Kind | None) -> None:
        outer, self.symbols = self.symbols, set()
        for _ in range(12):
            head = self.env.copy()
            self.facts.heads[statement] = head.kinds
            self.trip(statement, item)
            merged = _join_env(head, self.next_trip(self.env))
            if merged.kinds == head.kinds and merged.stale == head.stale and merged.paths == head.paths:
                break
            self.env = merged
        self.symbols |= outer
        self.env = head
        if isinstance(statement, ir.While):
            self.statement = statement
            self.expression(statement.test)
        self.env = _join_env(self.env, self.last_trip(statement, item, head))

    def next_trip(self, env: _Env) -> _Env:
        """What one trip hands to the next: lengths measured inside it are other lengths there."""
        env = env.copy()
        env.kinds = {name: _without_symbols(kind, self.symbols) for name, kind in env.kinds.items()}
        return env

    def last_trip(self, statement: ir.For | ir.While, item: Kind | None, head: _Env) -> _Env:
        """What the loop leaves behind: names bound inside it, too."""
        self.env = head.copy()
        self.trip(statement, item)
        return self.env

    def trip(self, statement: ir.For | ir.While, item: Kind | None) -> None:
        self.statement = statement
        if isinstance(statement, ir.While):
            self.expression(statement.test)
        else:
            self.assign(statement.target, item or UNKNOWN, None)
        self.block(statement.body)
        if statement.stop is not None and not self.env.dead:
            self.expression(statement.stop)

    # -- expressions

    def expression(self, node: Any, quiet: bool = False) -> Kind:
        if self.cached and node in self.facts.kinds:
            return self.facts.kinds[node]
        kind = self.with_symbols(self.evaluate(node, quiet), node)
        self.facts.kinds[node] = kind
        return kind

    def with_symbols(self, kind: Kind, node: Any) -> Kind:
        """Lengths that are not known get a symbol, so that they are known to equal themselves."""
        if not isinstance(kind, Num) or isinstance(node, (gast.Name, gast.Constant)):
            return kind
        if kind.array and kind.shape is not None and None in kind.shape:
            shape = tuple(
                Dim(("new", id(node), axis)) if n is None else n for axis, n in enumerate(kind.shape)
            )
            self.symbols.add(id(node))
            return replace(kind, shape=shape)
        if kind.weak and kind.is_scalar and kind.value is None and kind.dtype == np.dtype(int):
            self.symbols.add(id(node))
            return replace(kind, value=Dim(("new", id(node), 0)))
        return kind

    symbols: set[int] = field(default_factory=set)  # nodes that made symbols, in the loop at hand

    def evaluate_cached(self, node: Any) -> Kind:
        """The kind of generated code: what stands in it is known already, or follows."""
        self.cached = True
        try:
            return self.expression(node)
        finally:
            self.cached = False

    cached: bool = False

    def evaluate(self, node: Any, quiet: bool = False) -> Kind:
        match node:
            case gast.Constant(value=value):
                return _constant(value)
            case gast.Name(id=name):
                return self.read(name, node)
            case gast.BinOp(left=left, op=op, right=right):
                operands = self.expression(left), self.expression(right)
                return self.operation(type(op).__name__, operands, (left, right), node)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                truth = self.truth(self.expression(operand))
                return scalar(bool) if truth is None else Known(not truth)
            case gast.UnaryOp(op=op, operand=operand):
                return self.operation(type(op).__name__, (self.expression(operand),), (operand,), node)
            case gast.Compare():
                return self.compare(node)
            case gast.BoolOp():
                return self.boolean(node)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                truth = self.truth(self.expression(test))
                if truth is not None:
                    return self.expression(body if truth else orelse)
                return join(self.expression(body), self.expression(orelse))
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                return Tup(tuple(map(self.expression, elements)), isinstance(node, gast.List))
            case gast.Attribute():
                return self.attribute(node)
            case gast.Subscript():
                return self.subscript(node)
            case gast.Call():
                return self.call(node)
            case gast.JoinedStr() | gast.FormattedValue():
                return Opaque(str)
        kinds = [self.expression(child) for child in ir.children(node)]
        if any(kind.active for kind in kinds) and not quiet:
            self.refuse(f"{type(node).__name__} of a differentiated value is not supported yet", node)
        return UNKNOWN

    def read(self, name: str, node: Any) -> Kind:
        if name not in self.env.paths:
            self.facts.pathless.add(name)
        if name.startswith("$"):
            return kind_of(helper_object(name[1:]))
        if ir.is_value(name):
            kind = self.env.kinds.get(name, UNKNOWN)
            if name in self.env.maybe:
                self.facts.unsure.add(node)
            if kind.active and name in self.env.stale:
                for writer in self.env.stale[name]:
                    self.facts.conflicts.append(Conflict(name, writer, node))
            return kind
        try:
            value = self.source.lookup(name)
        except NameError:
            return UNKNOWN
        kind = kind_of(getattr(value, "__tangentish__", value))
        self.consult(name, kind)
        return kind

    def operation(self, op: str, operands: Sequence[Kind], nodes: Sequence[Any], node: Any) -> Kind:
        active = any(k.active for k in operands)
        if active:
            for argument in nodes:
                self.check_type(argument, argument)
        if any(isinstance(k, Tup) for k in operands):
            return self.sequence_operation(op, operands, active, node)
        if any(isinstance(k, Known) and k.value is None for k in operands) and active:
            self.refuse("None in arithmetic", node)
        function = OPERATORS[op]
        if op == "MatMult":
            kind = probe_kind(function, operands, {})
            if not isinstance(kind, Num):
                kind = Num(None, None, None)
        elif all(isinstance(k, (Num, Opaque)) for k in operands) and (
            active or any(isinstance(k, Num) for k in operands)
        ):
            kind = elementwise_kind(function, operands)
            assert isinstance(kind, Num)
            kind = replace(kind, value=_length_arithmetic(op, operands))
            if op == "Pow":
                kind = _power_dtype(kind, operands, nodes)
        else:
            return UNKNOWN
        active = active and op not in CONSTANT_OPERATORS and kind.is_float
        if active and kind.dtype is not None and kind.dtype.kind == "c" and isinstance(nodes[0], gast.AST):
            self.refuse("complex values are not supported yet", nodes[0])
        if active and isinstance(node, gast.AST):
            self.match_rule(op, nodes, {}, node)
        elif active:
            self.match_rule(op, nodes, {}, nodes[0], key=node)
        return replace(kind, active=active, buffers=self.fresh(node) if kind.array is not False else frozenset())

    def sequence_operation(self, op: str, operands: Sequence[Kind], active: bool, node: Any) -> Kind:
        first, second = (*operands, UNKNOWN)[:2]
        if op == "Add" and isinstance(first, Tup) and isinstance(second, Tup):
            if active:
                self.facts.late.append(Refusal("joining tuples or lists is not supported here", node))
            return Tup(first.items + second.items, first.is_list)
        if active:
            self.refuse("arithmetic with a list or tuple: make it an array first", node)
        return UNKNOWN

    def match_rule(self, function: Any, args: Sequence[Any], keywords: dict[str, Any], node: Any, key: Any = None) -> bool:
        found = select(function, args, keywords, literal_of, self.rank, self.is_sequence)
        if found is None:
            self.refuse_missing(function, node)
            return False
        rule, bound = found
        self.facts.callees[key or node] = Callee(function, tuple(args), keywords, rule, bound)
        for name, argument in bound.items():
            if name in rule.operands:
                continue
            parts = argument if isinstance(argument, tuple) else (argument,)
            if any(self.kind(part).active for part in parts):
                self.refuse(f"there is no derivative with respect to '{name}' here", node)
        return True

    def check_type(self, argument: Any, node: Any) -> None:
        """Types that change what operators mean can't meet differentiated values."""
        kind = self.kind(argument)
        odd = isinstance(kind, Opaque) and kind.type is not None and kind.type not in (str, range)
        if odd or (isinstance(kind, Num) and kind.dtype is not None and kind.dtype.kind not in "biufc"):
            name = kind.type.__name__ if isinstance(kind, Opaque) and kind.type else getattr(kind, "dtype", "")
            self.refuse(f"a value of type {name} meets a differentiated one: only numbers and plain arrays may", node)

    def refuse_unknown(self, function: Any, node: Any) -> None:
        text = gast_text(node.func)
        if isinstance(function, _UnknownMethod):
            self.refuse(f"the method .{function.name} of an array has no derivative rule", node)
        elif callable(function) and getattr(function, "__module__", None) and hasattr(function, "__name__"):
            self.refuse_missing(function, node)
        else:
            self.refuse(f"it is not known what '{text}' is, so that it can't be differentiated", node)

    def refuse_missing(self, function: Any, node: Any) -> None:
        name = _function_name(function)
        if isinstance(function, str) or function not in RULES:
            self.refuse(
                f"there is no derivative rule for {name}; the line that adds one: "
                f'elementwise("{name}(x)", x="g * ...")',
                node,
            )
        else:
            forms = "; ".join(dict.fromkeys(rule.primal for rule in RULES[function]))
            self.refuse(f"{name} is not supported with these arguments; supported: {forms}", node)

    def is_sequence(self, node: Any) -> bool:
        return isinstance(self.kind(node), Tup)

    def rank(self, node: Any) -> int | None:
        kind = self.kind(node)
        return kind.rank if isinstance(kind, Num) else None

    def kind(self, node: Any) -> Kind:
        return self.facts.kinds.get(node, UNKNOWN)

    def compare(self, node: Any) -> Kind:
        kinds = [self.expression(node.left), *map(self.expression, node.comparators)]
        if len(kinds) == 2:
            known = _compare_known(node.ops[0], kinds[0], kinds[1])
            if known is not None:
                return Known(known)
        if all(isinstance(op, (gast.Is, gast.IsNot, gast.In, gast.NotIn)) for op in node.ops):
            return scalar(bool)
        if any(isinstance(k, Num) for k in kinds):
            kind = elementwise_kind(operator.lt, kinds[:2])
            assert isinstance(kind, Num)
            return replace(kind, dtype=np.dtype(bool), buffers=self.fresh(node) if kind.array is not False else frozenset())
        return UNKNOWN

    def boolean(self, node: Any) -> Kind:
        kinds = [self.expression(value) for value in node.values]
        truths = [self.truth(kind) for kind in kinds]
        stop = isinstance(node.op, gast.Or)
        if truths[0] is stop:
            return Known(stop)
        if all(truth is not None for truth in truths):
            return Known(any(truths) if stop else all(truths))
        result = kinds[0]
        for kind in kinds[1:]:
            result = join(result, kind)
        return result

    def attribute(self, node: Any) -> Kind:
        if node.attr in ("shape", "ndim", "size", "dtype") and isinstance(node.value, gast.Name):
            stale, self.env.stale = self.env.stale, {}
            base = self.expression(node.value)
            self.env.stale = stale
        else:
            base = self.expression(node.value)
        if isinstance(base, Known) and isinstance(base.value, (types.ModuleType, type)):
            try:
                value = getattr(base.value, node.attr)
            except AttributeError:
                return UNKNOWN
            return kind_of(getattr(value, "__tangentish__", value))
        if not isinstance(base, Num):
            if base.active:
                self.refuse(f"the attribute .{node.attr} is not supported here", node)
            return UNKNOWN
        return self.array_attribute(node, base)

    def array_attribute(self, node: Any, base: Num) -> Kind:
        match node.attr:
            case "shape" if base.known and base.shape is not None:
                return Tup(tuple(scalar_length(n) for n in base.shape))
            case "ndim" if base.rank is not None:
                return Num(np.dtype(int), (), False, weak=True, value=base.rank)
            case "size" if base.rank == 1 and base.shape:
                return scalar_length(base.shape[0])
            case "size":
                return Num(np.dtype(int), (), False, weak=True)
            case "dtype":
                return UNKNOWN if base.dtype is None else Known(base.dtype)
        if ATTRIBUTES.get(node.attr):
            return self.rule_call(METHODS[node.attr], [node.value], {}, node)
        if base.active and node.attr not in ATTRIBUTES:
            self.refuse(f"the attribute .{node.attr} has no derivative rule", node)
        return UNKNOWN

    def fresh(self, node: Any) -> frozenset[Buffer]:
        site = id(node)
        if site in self.allocated:
            new, old = Buffer(site), Buffer(site, old=True)
            held = [name for name, kind in self.env.kinds.items() if new in buffers_of(kind)]
            if held:
                self.env.kinds = {**self.env.kinds, **{n: _aged(self.env.kinds[n], new, old) for n in held}}
        self.allocated.add(site)
        return frozenset({Buffer(site)})

    # -- subscripts

    def subscript(self, node: Any) -> Kind:
        base = self.expression(node.value)
        index = self.index(node.slice)
        match base:
            case Tup(items=items):
                position = literal_of(node.slice)
                if isinstance(position, int) and -len(items) <= position < len(items):
                    return items[position]
                if isinstance(index, Num) and isinstance(index.value, int):
                    return items[index.value] if index.value < len(items) else UNKNOWN
                if base.active:
                    self.refuse("a tuple is indexed by a constant only", node)
                    return UNKNOWN
                result = items[0] if items else UNKNOWN
                for item in items[1:]:
                    result = join(result, item)
                return result if not isinstance(node.slice, gast.Slice) else UNKNOWN
            case Num():
                return self.array_subscript(node, base)
            case Known(value=np.r_) if base.value is np.r_:
                return self.rule_call(np.r_, [node.slice], {}, node)
        if base.active:
            self.refuse("this can't be indexed", node)
        return UNKNOWN

    def index(self, node: Any) -> Kind:
        parts = node.elts if isinstance(node, gast.Tuple) else [node]
        kinds = []
        for part in parts:
            if isinstance(part, gast.Slice):
                for bound in (part.lower, part.upper, part.step):
                    if bound is not None:
                        self.expression(bound)
                self.facts.kinds[part] = UNKNOWN
                kinds.append(UNKNOWN)
            else:
                kinds.append(self.expression(part))
        result: Kind = Tup(tuple(kinds)) if isinstance(node, gast.Tuple) else kinds[0]
        self.facts.kinds[node] = result
        return result

    def array_subscript(self, node: Any, base: Num) -> Kind:
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        fancy = self.is_fancy(node.slice)
        if fancy and base.active:
            self.refuse("indexing by arrays and masks is not supported yet", node)
        if base.shape is None or not base.array:
            if base.active and base.array is not True and base.shape is not None and not base.shape:
                self.refuse("a scalar is indexed", node)
            return replace(base, shape=None, array=None, weak=False, value=None, contiguous=False)
        shape = None if fancy else self.basic_shape(base.shape, parts)
        if shape is None:
            buffers = self.fresh(node) if fancy else base.buffers
            return replace(base, shape=None, array=None, value=None, buffers=buffers, contiguous=False)
        contiguous = base.contiguous and all(map(self.keeps_layout, parts[:1])) and len(parts) == 1
        array = bool(shape) or any(self._is_ellipsis(p) for p in parts)
        buffers = base.buffers if array else frozenset()
        return replace(base, shape=shape, array=array, value=None, buffers=buffers, contiguous=contiguous and array)

    def keeps_layout(self, part: Any) -> bool:
        """Whether indexing the first axis so leaves a contiguous array contiguous."""
        if isinstance(part, gast.Slice):
            return part.step is None or literal_of(part.step) == 1
        return isinstance(self.kind(part), Num)

    def _is_ellipsis(self, part: Any) -> bool:
        return isinstance(part, gast.Constant) and part.value is Ellipsis

    def basic_shape(self, shape: tuple[Length, ...], parts: Sequence[Any]) -> tuple[Length, ...] | None:
        used = sum(1 for p in parts if not self._is_ellipsis(p) and not self._is_newaxis(p))
        if used > len(shape):
            return None
        out: list[Length] = []
        axis = 0
        for part in parts:
            if self._is_ellipsis(part):
                skip = len(shape) - used
                out += shape[axis : axis + skip]
                axis += skip
            elif self._is_newaxis(part):
                out.append(1)
            elif isinstance(part, gast.Slice):
                out.append(self.slice_length(shape[axis], part))
                axis += 1
            elif isinstance(self.kind(part), Num):
                axis += 1
            else:
                return None
        return (*out, *shape[axis:])

    def _is_newaxis(self, part: Any) -> bool:
        kind = self.kind(part)
        return isinstance(kind, Known) and kind.value is None

    def slice_length(self, length: Length, part: Any) -> Length:
        """The length of `x[lower:upper:step]`, where it can be told for every length of x."""
        lower = 0 if part.lower is None else literal_of(part.lower)
        upper = None if part.upper is None else literal_of(part.upper)
        step = 1 if part.step is None else literal_of(part.step)
        if part.lower is None and part.upper is None and step in (1, -1):
            return length
        if isinstance(length, int) and isinstance(lower, int) and step is not ABSENT and upper is not ABSENT:
            assert upper is None or isinstance(upper, int)
            return len(range(length)[lower : upper : step])  # type: ignore[misc]
        if step != 1 or not isinstance(lower, int) or lower < 0:
            return None
        if part.upper is None:
            return length_plus(length, -lower)
        if isinstance(upper, int) and upper < 0:
            return length_plus(length, upper - lower)
        return None

    # -- calls

    def call(self, node: Any) -> Kind:
        args, keywords = list(node.args), {k.arg: k.value for k in node.keywords}
        if None in keywords or any(isinstance(a, gast.Starred) for a in args):
            self.refuse("* and ** in a call are not supported yet", node)
            return UNKNOWN
        function, receiver = self.called(node.func)
        if isinstance(function, _ListMethod):
            return self.list_method(function.name, receiver, args, node)
        if receiver is not None:
            args = self.method_arguments(node.func.attr, receiver, args)
        if function is len and len(args) == 1 and isinstance(args[0], gast.Name):
            stale, self.env.stale = self.env.stale, {}
            self.expression(args[0])
            self.env.stale = stale
        else:
            for argument in (*args, *keywords.values()):
                self.expression(argument)
        return self.apply(function, args, keywords, node)

    def called(self, func: Any) -> tuple[Any, Any]:
        """The function object, and the array whose method it is; None where it is unknown."""
        if isinstance(func, gast.Attribute):
            base = self.expression(func.value)
            if isinstance(base, Tup) and base.is_list:
                return _ListMethod(func.attr), func.value
            if isinstance(base, Num):
                if func.attr in METHODS:
                    return METHODS[func.attr], func.value
                return _UnknownMethod(func.attr), func.value
        kind = self.expression(func)
        return (kind.value, None) if isinstance(kind, Known) else (None, None)

    def list_method(self, name: str, receiver: Any, args: list[Any], node: Any) -> Kind:
        """A method of a list may change it: nothing is known of it any more."""
        assert self.statement is not None
        if any(self.expression(argument).active for argument in args) or self.kind(receiver).active:
            self.refuse(f"lists of differentiated values, and their method .{name}, are not supported yet", node)
        self.forget_list(receiver)
        return UNKNOWN

    def forget_list(self, receiver: Any) -> None:
        assert self.statement is not None
        self.facts.effects.add(self.statement)
        for other, kind in self.env.kinds.items():
            if isinstance(kind, Tup) and kind.is_list and not kind.active:
                self.env.kinds = {**self.env.kinds, other: Opaque(None)}
                self.facts.web_kinds[other] = UNKNOWN

    def method_arguments(self, name: str, receiver: Any, args: list[Any]) -> list[Any]:
        if name in STARRED and len(args) > 1:
            packed = gast.Tuple(args, gast.Load())
            return [receiver, packed]
        if name in STARRED and len(args) == 1 and isinstance(self.expression(args[0]), Num):
            return [receiver, args[0]]
        return [receiver, *args]

    def apply(self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind:
        kinds = [self.kind(a) for a in (*args, *keywords.values())]
        active = any(k.active for k in kinds)
        self.facts.callees[node] = Callee(function, tuple(args), keywords)
        try:
            known = function in RULES or function in CONSTANT or function in CONSTRUCTORS
        except TypeError:
            known = False
        if function is range:
            return Opaque(range)
        if function in REFLECTIVE:
            self.refuse(f"{_function_name(function)} may read any variable: what it gives is not known", node)
            return UNKNOWN
        if function is len and len(args) == 1:
            return self.length(kinds[0])
        if function is isinstance or function is type:
            return scalar(bool) if function is isinstance else UNKNOWN
        if known:
            return self.rule_call(function, args, keywords, node)
        if getattr(function, "__module__", None) == runtime.__name__:
            kind = probe_kind(function, [self.argument(a) for a in args], {})
            return replace(kind, buffers=frozenset()) if isinstance(kind, Num) else Num(None, None, None)
        if isinstance(function, _UnknownMethod) and function.name in IN_PLACE and isinstance(node.func, gast.Attribute):
            value = args[1] if function.name == "fill" and len(args) == 2 else None
            place = gast.Subscript(args[0], gast.Constant(Ellipsis, None), gast.Store())
            self.store(gast.copy_location(place, node), self.kind(args[0] if value is None else value))
            return Known(None)
        if isinstance(function, types.FunctionType) and _is_user_code(function):
            return self.user_call(function, args, keywords, node)
        return self.unknown_call(function, args, keywords, active, node)

    def length(self, kind: Kind) -> Kind:
        match kind:
            case Num(shape=shape) if shape and kind.array:
                return scalar_length(shape[0])
            case Tup(items=items):
                return Num(np.dtype(int), (), False, weak=True, value=len(items))
        return scalar(int)

    def rule_call(self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind:
        kinds = {a: self.kind(a) for a in (*args, *keywords.values())}
        if any(k.active for k in kinds.values()):
            for argument in kinds:
                self.check_type(argument, argument)
        kind = self.result_kind(function, args, keywords, node)
        active = any(k.active for k in kinds.values())
        active = active and function not in CONSTANT and function not in CONSTRUCTORS
        if active and isinstance(kind, Num) and not kind.is_float:
            active = False
        if active and isinstance(kind, Num) and kind.dtype is not None and kind.dtype.kind == "c":
            self.refuse("complex values are not supported yet", node)
        if active:
            self.match_rule(function, args, keywords, node)
        if isinstance(kind, (Known, Opaque)) and active:
            kind = Num(None, None, None)
        return self.with_buffers(kind, function, args, active, node)

    def with_buffers(self, kind: Kind, function: Any, args: list[Any], active: bool, node: Any) -> Kind:
        match kind:
            case Num():
                buffers: frozenset[Buffer] = frozenset()
                if kind.array is not False:
                    buffers = self.fresh(node)
                    if function in MAY_VIEW:
                        shared = frozenset().union(*(buffers_of(self.kind(a)) for a in args[:1]))
                        buffers = shared if self.is_exact_view(function, args, kind) else buffers | shared
                arrays = [k for k in map(self.kind, args) if isinstance(k, Num) and k.array is not False]
                contiguous = kind.contiguous and all(k.contiguous for k in arrays)
                return replace(kind, active=active, buffers=buffers, contiguous=contiguous)
            case Tup(items=items, is_list=is_list):
                parts = tuple(self.with_buffers(item, function, args, active, node) for item in items)
                return Tup(parts, is_list)
        return kind

    def is_exact_view(self, function: Any, args: Sequence[Any], result: Num) -> bool:
        """Whether the result is a view of the first argument for sure."""
        if function in EXACT_VIEWS:
            return True
        kind = self.kind(args[0])
        if function in (np.asarray, np.asanyarray):
            return isinstance(kind, Num) and kind.array is True and len(args) == 1
        if function is np.diag or (function is np.reshape and result.rank == 1):
            return isinstance(kind, Num) and (kind.rank == (2 if function is np.diag else 1) or kind.contiguous)
        return function in CONTIGUOUS_VIEWS and isinstance(kind, Num) and kind.contiguous and bool(kind.shape)

    def result_kind(self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind:
        law = RULES[function][0].law if function in RULES else None
        kinds = [self.kind(a) for a in args]
        if law == "elementwise" and not keywords and all(isinstance(k, Num) for k in kinds):
            return elementwise_kind(function, kinds)
        if function is np.r_:
            return Num(None, (None,), True)
        if function in (np.shape, np.ndim, np.size) and len(args) == 1 and isinstance(kinds[0], Num):
            attribute = gast.Attribute(args[0], function.__name__, gast.Load())
            return self.array_attribute(attribute, kinds[0])
        if function is np.broadcast_to and len(args) == 2:
            return replace(self.reshaped(kinds[0], args[1]), contiguous=False)
        if law == "reduction" and len(args) == 1 and not keywords and isinstance(kinds[0], Num) and not kinds[0].known:
            scalar_kind = probe_kind(function, [Num(kinds[0].dtype, (1,), True)], {})
            return scalar_kind if isinstance(scalar_kind, Num) else Num(None, (), False)
        if function is np.reshape and len(args) == 2 and not keywords:
            return self.reshaped(kinds[0], args[1])
        arguments = [self.argument(a) for a in args]
        named = {k: self.argument(a) for k, a in keywords.items()}
        kind = probe_kind(function, arguments, named)
        if kind is UNKNOWN and any(k.active for k in kinds) and function not in CONSTANT:
            return Num(None, None, None)
        return kind

    def reshaped(self, base: Kind, shape: Any) -> Any:
        """The kind of np.reshape(x, shape)."""
        wanted = self.kind(shape)
        parts = wanted.items if isinstance(wanted, Tup) else (wanted,)
        if not isinstance(base, Num) or not all(isinstance(p, Num) and p.is_scalar for p in parts):
            return Num(base.dtype, None, None) if isinstance(base, Num) else UNKNOWN
        lengths = tuple(p.value for p in parts if isinstance(p, Num))
        if base.rank == 1 and len(lengths) == 1 and lengths[0] is None and base.shape is not None:
            literal = literal_of(shape.elts[0] if isinstance(shape, gast.Tuple) else shape)
            lengths = base.shape if literal == -1 else lengths
        return Num(base.dtype, lengths, True, contiguous=base.contiguous)

    def argument(self, node: Any) -> Kind | Literal:
        value = literal_of(node)
        return self.kind(node) if value is ABSENT else Literal(value)

    def user_call(self, function: types.FunctionType, args: list[Any], keywords: dict[str, Any], node: Any) -> Kind:
        arguments = bind_arguments(function, args, keywords)
        if isinstance(arguments, str):
            self.refuse(arguments, node)
            return UNKNOWN
        defaults = _defaults(function)
        names = parameter_names(function)
        kinds = tuple(
            self.kind(a) if a is not None else kind_of(defaults[n]) for a, n in zip(arguments, names, strict=True)
        )
        try:
            found, written, pure, paths = self.analyse(function, kinds, node)
        except NotDifferentiable as error:
            self.refuse(f"{function.__name__} can't be differentiated: {error.msg} ({error.filename}:{error.lineno})", node)
            return UNKNOWN
        if found is None:  # a recursion that has not come back yet
            self.env.dead = True
            return UNKNOWN
        result = found
        result = self.callee_result(result, kinds, node)
        self.check_shared(arguments, kinds, written, node)
        views = tuple(None if path is None else self.path_of_call(path, names, arguments) for path in paths)
        user = UserCall(function, arguments, kinds, result, written, pure, views)
        self.facts.callees[node] = Callee(function, tuple(args), keywords, user=user)
        for k in written:
            if arguments[k] is None:
                self.refuse(f"{function.__name__} writes to the default of '{names[k]}'", node)
            self.callee_wrote(arguments[k], kinds[k], any(kind.active for kind in kinds), node)
        return result

    def callee_wrote(self, argument: Any, kind: Kind, active: bool, node: Any) -> None:
        if argument is None:
            return
        root = ir.root_of(argument)
        if isinstance(root, gast.Name) and ir.is_value(root.id):
            buffers = buffers_of(kind)
            if buffers:
                self.wrote(root.id, buffers, active and isinstance(kind, Num) and kind.is_float)
        elif kind.active or active:
            self.refuse("this function writes to its argument: give the array a name first", node)

    def check_shared(self, arguments: Sequence[Any], kinds: Sequence[Kind], written: Sequence[int], node: Any) -> None:
        for k in written:
            for other, kind in enumerate(kinds):
                if other != k and buffers_of(kind) & buffers_of(kinds[k]) and any(x.active for x in kinds):
                    self.refuse("two arguments share memory and the function writes to one: pass a copy", node)

    def callee_result(self, kind: Kind, kinds: Sequence[Kind], node: Any) -> Kind:
        """The callee's result, its buffers those of this function."""
        match kind:
            case Num(buffers=buffers):
                out: set[Buffer] = set()
                for buffer in buffers:
                    site = buffer.site
                    if isinstance(site, tuple) and site[0] == "argument":
                        out |= buffers_of(kinds[site[1]])
                    elif isinstance(site, tuple) and site[0] == "outside":
                        out.add(buffer)
                    else:
                        out |= self.fresh(node)
                return replace(kind, buffers=frozenset(out), value=None)
            case Tup(items=items, is_list=is_list):
                return Tup(tuple(self.callee_result(item, kinds, node) for item in items), is_list)
        return kind

    def unknown_call(self, function: Any, args: list[Any], keywords: dict[str, Any], active: bool, node: Any) -> Kind:
        assert self.statement is not None
        if active:
            self.refuse_unknown(function, node)
            return Num(None, None, None, active=True)
        self.facts.effects.add(self.statement)
        if function in HARMLESS:
            return UNKNOWN
        for argument in (*args, *keywords.values()):
            kind = self.kind(argument)
            root = ir.owner_of(argument)
            if buffers_of(kind) and isinstance(root, gast.Name) and ir.is_value(root.id):
                self.wrote(root.id, buffers_of(kind), False)
        return UNKNOWN


def helper_object(name: str) -> Any:
    """What a helper's name in generated code stands for."""
    if name in ("np", "math"):
        return {"np": np, "math": math}[name]
    return getattr(runtime, name, None) or getattr(builtins, name)


IN_PLACE = {"fill", "sort"}

REFLECTIVE: set[Any] = {eval, exec, locals, vars, globals, dir}

HARMLESS: set[Any] = {print, repr, str, format, ValueError, TypeError, RuntimeError}

MAY_VIEW: set[Any] = EXACT_VIEWS | {
    np.reshape, np.ravel, np.asarray, np.asanyarray, np.atleast_1d, np.atleast_2d, np.ascontiguousarray,
    np.diagonal, np.broadcast_to, np.real, np.flip, np.rollaxis, np.atleast_3d, np.diag,
}  # fmt: skip


@dataclass(frozen=True)
class _UnknownMethod:
    name: str


@dataclass(frozen=True)
class _ListMethod:
    name: str


def _last_node(function: ir.Function) -> Any:
    origins = [s.origin.node for s in ir.walk_statements(function.body) if getattr(s, "origin", None)]
    return origins[-1]


def scalar_length(length: Length) -> Num:
    return Num(np.dtype(int), (), False, weak=True, value=length)


def gast_text(node: Any) -> str:
    parts = []
    while isinstance(node, gast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(ir.base_name(node.id) if isinstance(node, gast.Name) else "...")
    return ".".join(reversed(parts))


def _function_name(function: Any) -> str:
    if isinstance(function, str):
        return function
    if isinstance(function, _UnknownMethod):
        return f"the method .{function.name}"
    module = (getattr(function, "__module__", None) or "").replace("numpy", "np", 1)
    name = getattr(function, "__name__", repr(function))
    if isinstance(function, np.ufunc):
        module = "np"
    return f"{module}.{name}" if module and module != "builtins" else str(name)


def _is_user_code(function: types.FunctionType) -> bool:
    return (function.__module__ or "").partition(".")[0] not in LIBRARIES


def parameter_names(function: types.FunctionType) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _defaults(function: types.FunctionType) -> dict[str, Any]:
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    values = function.__defaults__ or ()
    return {
        **dict(zip(positional[len(positional) - len(values) :], values, strict=True)),
        **(function.__kwdefaults__ or {}),
    }


def bind_arguments(function: types.FunctionType, args: Sequence[Any], keywords: dict[str, Any]) -> tuple[Any, ...] | str:
    """The argument of each parameter, None for a default; a message where the call does not fit."""
    code = function.__code__
    if code.co_flags & 0x0C:
        return f"{function.__name__} takes *args or **kwargs: not supported yet"
    names = parameter_names(function)
    if len(args) > code.co_argcount:
        return f"{function.__name__} takes {code.co_argcount} positional arguments"
    bound = dict(zip(names, args, strict=False))
    for name, value in keywords.items():
        if name not in names or name in bound or name in names[: code.co_posonlyargcount]:
            return f"{function.__name__} can't take the argument '{name}' here"
        bound[name] = value
    missing = [n for n in names if n not in bound and n not in _defaults(function)]
    if missing:
        return f"{function.__name__} misses the argument '{missing[0]}'"
    return tuple(bound.get(name) for name in names)


def _constant(value: object) -> Kind:
    if type(value) is int:
        return Num(np.dtype(int), (), False, weak=True, value=value if value >= 0 else None)
    if type(value) is bool:
        return Known(value)
    if isinstance(value, (str, bytes)) or value is None or value is Ellipsis:
        return Known(value)
    return kind_of(value)


def _length_arithmetic(op: str, operands: Sequence[Kind]) -> Length:
    match op, operands:
        case "Add", (Num(value=length), Num(value=int(offset))):
            return length_plus(length, offset)
        case "Add", (Num(value=int(offset)), Num(value=length)):
            return length_plus(length, offset)
        case "Sub", (Num(value=length), Num(value=int(offset))) if not isinstance(length, int):
            return length_plus(length, -offset)
    return None


def _power_dtype(kind: Num, operands: Sequence[Kind], nodes: Sequence[Any]) -> Num:
    """int ** int is a float where the exponent is negative: not known, unless it is a literal."""
    if kind.dtype is not None and kind.dtype.kind in "iu":
        exponent = literal_of(nodes[1])
        if isinstance(exponent, int) and exponent < 0:
            return replace(kind, dtype=np.dtype(float))
    return kind


def _compare_known(op: Any, a: Kind, b: Kind) -> bool | None:
    match op, a, b:
        case gast.Is(), _, Known(value=None):
            return _is_none(a)
        case gast.IsNot(), _, Known(value=None):
            known = _is_none(a)
            return None if known is None else not known
        case _, Num(value=int(x)), Num(value=int(y)) if type(op).__name__ in OPERATORS:
            return bool(OPERATORS[type(op).__name__](x, y))
        case gast.Eq() | gast.NotEq(), Known(value=str() as x), Known(value=str() as y):
            return None
    return None


def _is_none(kind: Kind) -> bool | None:
    match kind:
        case Known(value=value):
            return value is None
        case Num(optional=True):
            return None
        case Num() | Tup():
            return False
    return None


def _without_symbols(kind: Kind, sites: set[int]) -> Kind:
    def known(length: Length) -> Length:
        inside = isinstance(length, Dim) and isinstance(length.symbol, tuple) and length.symbol[0] == "new" and length.symbol[1] in sites
        return None if inside else length

    match kind:
        case Num(shape=shape, value=value):
            return replace(kind, shape=None if shape is None else tuple(map(known, shape)), value=known(value))
        case Tup(items=items, is_list=is_list):
            return Tup(tuple(_without_symbols(item, sites) for item in items), is_list)
    return kind


def _aged(kind: Kind, new: Buffer, old: Buffer) -> Kind:
    match kind:
        case Num(buffers=buffers) if new in buffers:
            return replace(kind, buffers=buffers - {new} | {old})
        case Tup(items=items, is_list=is_list):
            return Tup(tuple(_aged(item, new, old) for item in items), is_list)
    return kind


def _join_env(a: _Env, b: _Env) -> _Env:
    if a.dead:
        return b
    if b.dead:
        return a
    kinds = {
        name: join(a.kinds[name], b.kinds[name]) if name in a.kinds and name in b.kinds
        else a.kinds.get(name, b.kinds.get(name, UNKNOWN))
        for name in a.kinds | b.kinds
    }  # fmt: skip
    paths = {
        name: path
        for name, path in (b.paths | a.paths).items()
        if (name not in a.kinds or a.paths.get(name) == path)
        and (name not in b.kinds or b.paths.get(name) == path)
    }
    stale = {
        name: a.stale.get(name, frozenset()) | b.stale.get(name, frozenset()) for name in a.stale | b.stale
    }
    maybe = a.maybe | b.maybe | (a.kinds.keys() ^ b.kinds.keys())
    return _Env(kinds, paths, stale, frozenset(maybe))


def walk_calls(node: Any) -> Iterator[Any]:
    return (sub for sub in ir.walk(node) if isinstance(sub, gast.Call))

