"""What Python calls without a call: `o[0]`, `o == 1`, `-o`, `len(o)`, `if o`, `for v in o`, of the user's classes.

Objects that carry no derivative are left as they are, and these expressions count as changing nothing: they may be
dropped, or evaluated again. Where a method that they call changes something, they are refused.

What is asked as often as Python asks it changes the object there: a loop, an attribute that __getattr__ finds, and what
a function of a library makes of an object: np.asarray(o), math.sqrt(o).
"""

from __future__ import annotations

import collections
import functools
import inspect
import operator
import sys
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.facts import Callee, Facts
from tangentish.infer.known_functions import OPERATORS, is_of_library
from tangentish.infer.reach import Reach
from tangentish.infer.reaching_out import Seen
from tangentish.kinds import Kind, Known, Num, Opaque, Seq, Tup, is_unknown
from tangentish.kinds.kept_attributes import function_kept
from tangentish.language.source import Source

CHANGES_BY = "this calls {cls}.{name}, which changes something: call a method instead"
_TRUTH = ("__bool__", "__len__")
_OF_TRUTH = (
    any,
    all,
    np.any,
    np.all,
    np.count_nonzero,
    np.logical_not,
    np.logical_and,
    np.logical_or,
)
_RUN_OVER = ("__iter__", "__next__", "__getitem__")
_FINDING = ("__getattribute__", "__getattr__")
_NOT_ASKED = {
    "__init__", "__new__", "__post_init__", "__call__", "__setattr__", "__setitem__", "__delattr__", "__delitem__",
    "__enter__", "__exit__", *_FINDING,
}  # fmt: skip
"""What no function of a library asks an object that it is given for its value."""
_LOOKING_ONLY = (isinstance, issubclass, callable, id, type)
_TAKING_ITEMS = (
    "iter", "next", "list", "tuple", "set", "sum", "sorted", "min", "max", "any", "all", "zip", "enumerate", "map",
    "dict",
)  # fmt: skip
_OF_ITEMS = ("__eq__",)
_AS_TEXT = ("__format__", "__str__", "__repr__")
_DIVIDED = ("__divmod__", "__rdivmod__")
_ASKING = (collections.defaultdict, operator.attrgetter)
_COUNTED = (
    _AS_TEXT,
    _DIVIDED,
)  # of these `Asking.changes` knows that they change the object itself
_AS_KEY = ("__hash__", "__eq__")
_AS_INDEX = ("__index__", *_AS_KEY)
_OF_BUILTINS = {
    "len": ("__len__",), "bool": _TRUTH, "float": ("__float__", "__index__"), "int": ("__int__", "__index__"),
    "range": ("__index__",), "abs": ("__abs__",), "round": ("__round__",), "hash": ("__hash__",),
    "reversed": ("__reversed__", "__len__"), "divmod": _DIVIDED,
    "str": _AS_TEXT, "repr": _AS_TEXT, "format": _AS_TEXT,
} | dict.fromkeys(_TAKING_ITEMS, _RUN_OVER)  # fmt: skip
_OPERATORS = {name: f"__{function.__name__.strip('_')}__" for name, function in OPERATORS.items()}
_TURNED = {"__lt__": "__gt__", "__le__": "__ge__", "__gt__": "__lt__", "__ge__": "__le__"}


# the nodes, which are most, that ask nothing of their parts, or read nothing of them
_NO_OPERANDS = frozenset((gast.Name, gast.Constant, gast.Attribute, gast.Slice, gast.Tuple))
_NO_OWNERS = frozenset((gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Slice, gast.Tuple))


class Change(NamedTuple):
    """An expression on a line asks an object, and what that may change; what is `given` is the object itself."""

    statement: ir.Statement
    node: Any
    owner: Any
    reach: Reach


@dataclass
class Asking:
    """What the methods change that a function calls where it asks objects of the user's.

    Each method of a class is looked at once.
    """

    function: ir.Function
    facts: Facts
    source: Source
    seen: Seen
    found: dict[tuple[type, str, bool], Reach | None] = field(default_factory=dict)
    describing: dict[str, tuple[type, ...]] = field(default_factory=dict)

    def meets_objects(self) -> bool:
        """Whether a class of the user's may be met: in most functions there is none, nor what may be anything."""
        kinds, body = self.facts.kinds, self.function.body
        met = {id(kind): kind for kind in kinds.values() if kind.__class__ is not Num}
        if not all(map(_is_nobodys, met.values())):
            return True
        owners = [kinds.get(node.value) for node in ir.nodes_within(body, gast.Attribute)]
        outside = [kinds.get(n) for n in ir.nodes_within(body, gast.Name) if "." not in n.id]
        told = {Num, Known}.issuperset(map(type, outside))
        return not told or any(kind is None or is_unknown(kind) for kind in owners)

    def refused(self) -> Iterator[tuple[Any, type, str]]:
        """The expressions that call a method that changes something: node, class and name."""
        for statement in ir.walk_statements(self.function.body):
            asked = [*_asked_by(statement)]
            nodes = [
                n
                for e in ir.expressions_of(statement)
                for n in ir.walk(e)
                if n.__class__ not in _NO_OPERANDS and not self.is_of_arrays(n)
            ]
            asked += [a for n in nodes for a in _asked(n)]
            yield from (found for n in nodes for found in self.of_held(n))
            for node, names in asked:
                if type(self.facts.kind(node)) is Num and names != _OF_ITEMS:
                    continue  # NumPy answers
                fresh = isinstance(node, gast.Call) or names in _COUNTED  # nobody else has it
                for cls, name in self.methods(node, names):
                    if self.reach(cls, name, fresh):
                        yield node, cls, name
            yield from self.ended_by(statement)

    def is_of_arrays(self, node: Any) -> bool:
        """Whether this is an operation of arrays and numbers, which NumPy answers: most are."""
        if node.__class__ is not gast.BinOp:
            return False
        return type(self.facts.kind(node.left)) is type(self.facts.kind(node.right)) is Num

    def of_held(self, node: Any) -> Iterator[tuple[Any, type, str]]:
        """What changes where the objects of a list that has a name are asked whether they are true: any(objects)"""
        callee = self.facts.callees.get(node) if isinstance(node, gast.Call) else None
        if callee is None or not any(callee.function is one for one in _OF_TRUTH):
            return
        named = [part for part in callee.args if isinstance(part, gast.Name)]
        held = (k for part in named for k in _items(self.facts.kind(part)))
        for cls in {cls for cls in map(class_of_the_user, held) if cls is not None}:
            yield from ((node, cls, name) for name in _TRUTH if self.reach(cls, name))

    def ended_by(self, statement: ir.Statement) -> Iterator[tuple[Any, type, str]]:
        """The objects made on a line that change something when they end: nobody knows when that is."""
        for node in (n for n in ir.nodes_in(statement) if isinstance(n, gast.Call)):
            made = self.facts.kind(node.func)
            cls = made.value if isinstance(made, Known) else None
            if isinstance(cls, type) and self.reach(cls, "__del__", True):
                yield node, cls, "__del__"

    def methods(self, node: Any, names: Iterable[str]) -> Iterator[tuple[type, str]]:
        """The methods of these names that an object, or what is in a container of such, may have."""
        inside = names == _OF_ITEMS
        for cls in self.inside(node) if inside else self.classes(node):
            yield from ((cls, name) for name in names)
        kind = self.facts.kind(node)
        if isinstance(kind, Known) and isinstance(kind.value, type) and "__getitem__" in names:
            yield kind.value, "__class_getitem__"

    def classes(self, node: Any) -> tuple[type, ...]:
        kind = self.facts.kind(node)
        cls = class_of_the_user(kind)
        if is_unknown(kind) and isinstance(node, gast.Name) and not ir.is_value(node.id):
            cls = self.class_outside(node.id)
        return () if cls is None else (cls,)

    def class_outside(self, name: str) -> type | None:
        """The class of what stands outside under a name that the program binds, at present."""
        try:
            cls = type(self.source.lookup(name))
        except NameError:
            return None
        return None if is_of_library(cls) else cls

    def inside(self, node: Any) -> tuple[type, ...]:
        """The classes of an object, or of those that a display of objects holds."""
        if isinstance(node, (gast.List, gast.Tuple, gast.Set)):
            return tuple(dict.fromkeys(cls for part in node.elts for cls in self.inside(part)))
        return self.classes(node)

    def meanwhile(self) -> Iterator[Change]:
        """The loops over objects that change something at any time while they run."""
        for loop in (s for s in ir.walk_statements(self.function.body) if isinstance(s, ir.For)):
            owner, fresh = loop.iter, isinstance(loop.iter, gast.Call)
            for cls, name in self.methods(owner, _RUN_OVER):
                reach = self.reach(cls, name, fresh)
                if reach:
                    yield Change(loop, owner, owner, reach)

    def changes(self) -> Iterator[Change]:
        """The expressions that ask an object once and change something so."""
        for statement in ir.walk_statements(self.function.body):
            nodes = [
                n
                for e in ir.expressions_of(statement)
                for n in ir.walk(e)
                if n.__class__ not in _NO_OWNERS
            ]
            for node in nodes:
                for owner, reach in self.changed_by(node):
                    if reach:
                        yield Change(statement, node, owner, reach)

    def changed_by(self, node: Any) -> Iterator[tuple[Any, Reach | None]]:
        match node:
            case gast.Attribute(value=owner, attr=attr, ctx=gast.Load()):
                yield from ((owner, self.read(cls, attr)) for cls in self.asked_for(owner, attr))
            case gast.Subscript(value=owner, ctx=gast.Load()):
                yield from ((owner, self.reach(cls, "__missing__")) for cls in self.classes(owner))
                yield owner, self.by_factory(owner)
            case gast.FormattedValue(value=owner):
                yield from ((owner, self.any_of(cls)) for cls in self.classes(owner))
            case gast.Call(args=args, keywords=keywords):
                name = _attribute_asked(self.facts.callees.get(node), args)
                if name is not None:
                    classes = self.asked_for(args[0], name)
                    yield from ((args[0], self.read(cls, name)) for cls in classes)
                callee = self.facts.callees.get(node)
                if node not in self.facts.choices and _is_of_others(callee):  # later, one by one
                    given = (*args, *(keyword.value for keyword in keywords))
                    for part in (p for e in given for p in _displayed(e)):
                        if not isinstance(part, gast.Call):  # nobody has what a call made
                            yield from ((part, self.any_of(cls)) for cls in self.inside(part))

    def by_factory(self, owner: Any) -> Reach | None:
        """What may change when a defaultdict outside is asked for a key that it lacks."""
        if not isinstance(owner, gast.Name) or ir.is_value(owner.id) or owner.id.startswith("$"):
            return None
        try:
            value = self.source.lookup(owner.id)
        except NameError:
            return None
        factory = value.default_factory if type(value) is collections.defaultdict else None
        is_function = isinstance(factory, types.FunctionType)
        return _as_changing(self.seen.reach(factory), True) if is_function else None

    def asked_for(self, owner: Any, name: str) -> tuple[type, ...]:
        """The classes of which an object may be that is asked for an attribute: any with a descriptor of this name."""
        if not is_unknown(self.facts.kind(owner)):
            return self.classes(owner)
        if name not in self.describing:
            around = self.seen.classes(self.source.function)
            self.describing[name] = tuple(c for c in around if _is_described(c, name))
        return self.describing[name]

    def any_of(self, cls: type) -> Reach | None:
        """What may change when an object is asked for a value in any way."""
        names = {n for c in cls.__mro__[:-1] for n in vars(c) if n[:2] == n[-2:] == "__"}
        found = (self.reach(cls, name) for name in sorted(names - _NOT_ASKED))
        return functools.reduce(_both, found, None)

    def read(self, cls: type, name: str) -> Reach | None:
        """What may change when an attribute is read that a descriptor gives, or a method finds."""
        member = inspect.getattr_static(cls, name, None)
        finding = [self.reach(cls, m) for m in _FINDING[: 2 if member is None else 1]]
        if (kept := function_kept(member)) is not None:
            finding.append(_as_changing(self.seen.reach(kept), False))
        elif member is not None and not is_of_library(type(member)):
            finding.append(self.reach(type(member), "__get__"))
        elif isinstance(member, property):
            finding.append(self.reach(cls, name))
        return functools.reduce(_both, finding, None)

    def reach(self, cls: type, name: str, fresh: bool = False) -> Reach | None:
        """What a method changes; None where that is nothing. What is `fresh` nobody else has."""
        key = cls, name, fresh
        if key not in self.found:
            methods = _functions(inspect.getattr_static(cls, name, None))
            reaches = (_as_changing(self.seen.reach(method), fresh) for method in methods)
            self.found[key] = next(reaches, None)
        return self.found[key]


def _is_nobodys(kind: Kind) -> bool:
    """Whether no method answers for a value that the user, or a library, wrote in Python, nor for what it holds."""
    match kind:
        case Num():
            return True
        case Known(value=type() as cls):
            return cls.__module__ == "builtins"
        case Known(value=value):
            asks = value is getattr or value is hasattr or isinstance(value, _ASKING)
            return is_of_library(type(value)) and not asks
        case Seq(item=item, default=None):
            return item is None or _is_nobodys(item)
        case Tup(items=items, type=None):
            return all(map(_is_nobodys, items))
    return type(kind) is Opaque and is_unknown(kind)


def _is_described(cls: type, name: str) -> bool:
    """Whether a descriptor of the user's, or a property, gives objects of a class an attribute."""
    member = inspect.getattr_static(cls, name, None)
    described = isinstance(member, (property, functools.cached_property))
    return described or not (member is None or is_of_library(type(member)))


def _functions(member: Any) -> tuple[types.FunctionType, ...]:
    """The function of a special method, or of a property that is read."""
    member = member.fget if isinstance(member, property) else member
    member = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
    return (member,) if isinstance(member, types.FunctionType) else ()


def _as_changing(reach: Reach, fresh: bool) -> Reach | None:
    changed = reach.outside if fresh else reach
    changes = changed.given or changed.sites or changed.anything or changed.has_containers
    return changed if changes else None


def _both(one: Reach | None, other: Reach | None) -> Reach | None:
    return one or other if one is None or other is None else one | other


def _attribute_asked(callee: Callee | None, args: list[Any]) -> str | None:
    """The attribute that `getattr(o, "name")` reads, and so does `operator.attrgetter("name")`."""
    function = None if callee is None else callee.function
    match args:
        case [_, gast.Constant(value=str(name)), *_] if function in (getattr, hasattr):
            return name
        case [_] if isinstance(function, operator.attrgetter):
            return str(function.__reduce__()[1][0]).partition(".")[0]
    return None


def _is_of_others(callee: Callee | None) -> bool:
    """Whether a function that is called is not the user's, and asks for more than what an object is."""
    if callee is None:
        return True  # a method of a list: xs.index(o)
    function = callee.function
    user = isinstance(function, (types.FunctionType, type)) and not is_of_library(
        function if isinstance(function, type) else sys.modules.get(function.__module__)
    )
    return callable(function) and not user and function not in _LOOKING_ONLY


def class_of_the_user(kind: Kind) -> type | None:
    """The class of an object that carries no derivative, if it is one of the user's; of a class its metaclass."""
    match kind:
        case Known(value=value):
            cls: Any = type(value)
        case Opaque(type=cls) | Tup(type=cls) if not kind.active:
            pass
        case _:
            return None
    return cls if isinstance(cls, type) and not is_of_library(cls) else None


def _displayed(node: Any) -> Iterator[Any]:
    """An expression, or what stands in a display."""
    if isinstance(node, (gast.List, gast.Tuple, gast.Set)):
        for part in node.elts:
            yield from _displayed(part)
    else:
        yield node


def _items(kind: Kind) -> Iterator[Kind]:
    """The kinds of what a list or tuple holds, and of what those do in it."""
    match kind:
        case Seq(item=item) if item is not None:
            inside: tuple[Kind, ...] = (item,)
        case Tup(items=inside, is_object=False):
            pass
        case _:
            return
    for item in inside:
        yield item
        yield from _items(item)


def _asked_by(statement: ir.Statement) -> Iterator[tuple[Any, tuple[str, ...]]]:
    match statement:
        case ir.If(test=test) | ir.While(test=test):
            yield test, _TRUTH
        case ir.Do(gast.Assert(test=test)):
            yield test, _TRUTH
        case ir.Assign(gast.Tuple() | gast.List(), value):
            yield value, _RUN_OVER
        case ir.Do(gast.AugAssign(target=target, op=op)):
            name = _OPERATORS[type(op).__name__]
            yield target, (f"__i{name[2:]}", name)


def _asked(node: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The operands of an expression, and the methods of theirs that it calls."""
    match node:
        case gast.UnaryOp() | gast.IfExp() | gast.BinOp() | gast.BoolOp() | gast.Compare():
            yield from _asked_by_operator(node)
        case gast.Subscript(value=value, slice=index):
            yield value, ("__getitem__",)
            yield from ((bound, _AS_INDEX) for bound in _bounds(index))
        case gast.FormattedValue(value=value):
            yield value, _AS_TEXT
        case gast.Dict(keys=keys) | gast.Set(elts=keys):
            yield from ((key, _AS_KEY) for key in keys if key is not None)
        case gast.comprehension(iter=iterated, ifs=tests):
            yield iterated, _RUN_OVER
            yield from ((test, _TRUTH) for test in tests)
        case gast.Starred(value=value):
            yield value, _RUN_OVER
        case gast.Call(func=gast.Name(id=name), args=args):
            yield from _asked_by_call(name, args)


def _asked_by_operator(node: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    match node:
        case gast.UnaryOp(op=gast.Not(), operand=operand) | gast.IfExp(test=operand):
            yield operand, _TRUTH
        case gast.UnaryOp(op=op, operand=operand):
            yield operand, (_OPERATORS[type(op).__name__],)
        case gast.BinOp(left=left, op=op, right=right):
            name = _OPERATORS[type(op).__name__]
            yield left, (name,)
            yield right, (f"__r{name[2:]}",)
            if isinstance(op, gast.Mod):  # "%s" % o
                yield from ((part, _AS_TEXT[1:]) for part in _bounds(right))
        case gast.BoolOp(values=values):
            yield from ((value, _TRUTH) for value in values)
        case gast.Compare():
            yield from _compared(node)


def _bounds(index: Any) -> Iterator[Any]:
    """What stands in square brackets, without colons and commas."""
    match index:
        case gast.Tuple(elts=parts):
            yield from (bound for part in parts for bound in _bounds(part))
        case gast.Slice(lower=lower, upper=upper, step=step):
            yield from (bound for bound in (lower, upper, step) if bound is not None)
        case _:
            yield index


def _asked_by_call(name: str, args: list[Any]) -> Iterator[tuple[Any, tuple[str, ...]]]:
    match name, args:
        case "$hasattr", [value, gast.Constant(value=attribute)]:
            yield value, (attribute, *_FINDING)  # a pattern asks more than once
        case _:
            names = _OF_BUILTINS.get(name.removeprefix("$"), ())
            yield from ((argument, names) for argument in args)


def _compared(node: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    left = node.left
    for op, right in zip(node.ops, node.comparators, strict=True):
        name = _OPERATORS.get(type(op).__name__)
        if isinstance(op, (gast.In, gast.NotIn)):
            yield right, ("__contains__", *_RUN_OVER)
            yield right, _OF_ITEMS
            yield left, ("__eq__",)
        elif name is not None:
            yield left, (name,)
            yield right, (_TURNED.get(name, name),)
        left = right
