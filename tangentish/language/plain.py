"""Assignment expressions, `match`, chained assignments and `suppress` in plainer Python.

if (y := f(x)) > 0: ...        ->    y = f(x)
if y > 0: ...
match n:                       ->    t = n
case 0 | 1: ...                  if t == 0 or t == 1: ...
case k: ...                      else: k = t; ...
a[0] = b = e                   ->    t = e; a[0] = t; b = t
with suppress(E): ...          ->    try: ...
except E: pass
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import gast

from tangentish import ir
from tangentish.kinds.classes import has_plain_attributes
from tangentish.language.changed_first import changes_its_target
from tangentish.language.codes import unused_in
from tangentish.language.comprehensions_that_bind import loop_that_binds, with_items_listed
from tangentish.language.dicts_of_pairs import plain_dict
from tangentish.language.evaluated import (
    EVALUATED,
    evaluated,
    has_walrus,
    is_settled,
    replaced,
    walrus_names,
)
from tangentish.language.first_items import FirstItems
from tangentish.language.for_effect import for_effect, made_anew
from tangentish.language.getters import getter
from tangentish.language.index_expressions import index_expression
from tangentish.language.line_each import is_same_each_time, line_each
from tangentish.language.mapped import called_along, comprehension, unpacked_list
from tangentish.language.methods_in_dicts import MethodsInDicts
from tangentish.language.on_pieces import OnPieces, functions_in
from tangentish.language.patterns import Patterns, names_given
from tangentish.language.placed import assign_at, at, name_at, rebuilt, target_at
from tangentish.language.places_and_items import is_over_places, with_places
from tangentish.language.plain_loops import PlainLoops
from tangentish.language.reduced import Reductions
from tangentish.language.source import Source
from tangentish.language.starred_indices import starred_index
from tangentish.language.starred_items import has_star, with_starred_named
from tangentish.language.stored_items import is_stored, with_items_named
from tangentish.language.stored_last import may_change_something
from tangentish.language.suppressed import suppressed, suppresses

_CHANGED_FIRST = "what is added here may change what it is added to: give it a name first"
_BOUND_ANEW = "the loop binds the function anew that its items are made by: give that another name"
_OF_ARRAYS = {"T", "shape", "size", "ndim", "dtype", "real", "imag", "flat"}
_PLAIN_ALREADY = {gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Attribute, gast.Tuple}
_OWN_SCOPE = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def plain(
    statements: Sequence[Any], source: Source, refuse: Callable[[str, Any], None]
) -> list[Any]:
    """The statements in plainer ones; what can't be said more plainly is refused."""
    return _Plain(source, refuse, functions=functions_in(statements)).block(statements)


@dataclass
class _Plain:
    source: Source
    refuse: Callable[[str, Any], None]
    temporaries: int = 0
    functions: frozenset[str] = frozenset()  # names that stand for a function of its own throughout

    def temporary(self) -> str:
        self.temporaries += 1
        return f".v{self.temporaries}"

    def block(self, statements: Sequence[Any]) -> list[Any]:
        return [new for statement in statements for new in self.statement(statement)]

    def statement(self, node: Any) -> Iterator[Any]:
        match node:
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
                yield node
            case gast.Match():
                yield from self.block(self.match(node))
            case gast.While() if self.needs_lines(node.test):
                yield from self.statement(self.tested_inside(node))
            case gast.For(target=target) if is_stored(target) or has_star(target):
                named = with_items_named if is_stored(target) else with_starred_named
                yield from self.statement(named(node, self.loops.own_variable))
            case gast.For(iter=gast.GeneratorExp() | gast.Call()) if new := self.over(node):
                yield from self.block(new)
            case gast.With() if suppresses(node, self.source.found):
                yield from self.statement(suppressed(node, self.source.found))
            case gast.Assign(targets=[gast.Tuple() | gast.List()]) if whole := self.unpacked(
                node.value
            ):
                yield from self.statement(at(gast.Assign(node.targets, whole, None), node))
            case gast.Expr() | gast.Assign() if lines := self.for_effect(node):
                yield from self.block(lines)
            case gast.Assign() | gast.AugAssign() if lines := self.one_by_one(node):
                yield from self.block(lines)
            case _:
                yield from self.with_lines(self.with_receivers(self.with_plain_blocks(node)))

    def with_lines(self, node: Any) -> Iterator[Any]:
        """A statement, the assignments inside it before."""
        if isinstance(node, gast.AugAssign) and self.changes_what_it_updates(node):
            self.refuse(_CHANGED_FIRST, node)
        lines, new = self.lifted(node)
        yield from lines
        if isinstance(new, gast.Expr) and (plainer := self.for_effect(new)):
            yield from self.block(plainer)  # of list(map(f, x))
        elif not (lines and _says_nothing(new)):
            yield new

    def for_effect(self, node: Any) -> list[Any]:
        """A line whose value nobody asks for, `setattr(o, "x", v)` among them, in plainer ones; none for any other."""
        if isinstance(node, gast.Assign):
            return made_anew(node)
        match node.value:
            case gast.Call(
                func=gast.Name(id="setattr"),
                args=[owner, gast.Constant(value=str(name)), value],
                keywords=[],
            ) if name.isidentifier() and self.is_setattr(owner, value):
                target = at(gast.Attribute(owner, name, gast.Store()), node.value)
                return [at(gast.Assign([target], value, None), node)]
        if self.methods.is_one(node.value):
            return list(self.methods.for_effect(node.value))
        return for_effect(node, self.loops.own_variable)

    def is_setattr(self, owner: Any, value: Any) -> bool:
        """Whether that is Python's own, and its object may be evaluated after the value."""
        rebound = self.rebound_in(value)
        settled = isinstance(owner, gast.Name) and owner.id not in rebound
        quiet = not rebound and not may_change_something(value, self.source.found)
        return self.source.found("setattr") is setattr and (settled or quiet)

    def one_by_one(self, node: Any) -> list[Any]:
        """An assignment to several targets, or of several values, in lines of one each; none for any other."""
        if isinstance(node, gast.AugAssign):
            return self.methods.in_update(node)
        if len(node.targets) > 1:
            return list(self.chained(node))
        return [at(gast.Assign([target], value, None), node) for target, value in line_each(node)]

    def unpacked(self, node: Any) -> Any | None:
        return unpacked_list(node, self.source.found, self.unused, self.attribute)

    def over(self, loop: Any) -> list[Any]:
        """A loop over what gives its items one by one in plainer lines; none for any other."""
        if is_over_places(loop, self.source.found):
            return list(with_places(loop, self.loops.own_variable))
        for function in called_along(loop, self.source.found):
            self.refuse(_BOUND_ANEW, function)
        new = self.loops.plainer(loop, ir.copy_expression(loop.iter, self.attribute))
        return [] if new is None else [new]

    @cached_property
    def loops(self) -> PlainLoops:
        return PlainLoops(self.source, self.refuse, self.source.found, self.unused)

    def with_plain_blocks(self, node: Any) -> Any:
        """The statement with its blocks made plainer."""
        return rebuilt(node, self.plain_part)

    def plain_part(self, value: Any) -> Any:
        if isinstance(value, list) and value and isinstance(value[0], gast.stmt):
            return self.block(value)
        if isinstance(value, list):
            return [self.plain_part(item) for item in value]
        if isinstance(value, gast.expr):
            return ir.copy_expression(value, self.attribute)
        return self.with_plain_blocks(value) if isinstance(value, gast.excepthandler) else value

    def attribute(self, node: Any) -> Any | None:
        """getattr(x, "T")  ->  x.T"""
        if node.__class__ in _PLAIN_ALREADY:
            return None
        if isinstance(node, gast.Subscript):
            index = index_expression(node, self.source.found) or starred_index(
                node, self.source.found
            )
            return None if index is None else ir.copy_expression(index, self.attribute)
        if isinstance(node, gast.SetComp):
            return self.set_of_list(node)
        if not isinstance(node, (gast.Call, gast.Starred)):
            return None
        match node:
            case gast.Call(
                func=gast.Name(id="getattr"),
                args=[value, gast.Constant(value=str(name))],
                keywords=[],
            ) if name.isidentifier() and self.source.found("getattr") is getattr:
                inner = ir.copy_expression(value, self.attribute)
                return at(gast.Attribute(inner, name, gast.Load()), node)
        closure = getter(node, self.source.found) if isinstance(node, gast.Call) else None
        if closure is not None:
            return closure
        is_dict = isinstance(node, gast.Call) and getattr(node.func, "id", None) == "dict"
        made_by = plain_dict if is_dict else comprehension
        made = made_by(node, self.source.found, self.unused)
        return None if made is None else ir.copy_expression(made, self.attribute)

    def set_of_list(self, node: Any) -> Any | None:
        """{f(v) for v in x}  ->  set([f(v) for v in x]), whose elements may be made in lines, where f is the user's"""
        if self.source.found("set") is not set or not may_change_something(node, self.source.found):
            return None
        listed = ir.copy_expression(
            at(gast.ListComp(node.elt, node.generators), node), self.attribute
        )
        return at(gast.Call(name_at("set", node), [listed], []), node)

    def with_receivers(self, node: Any) -> Any:
        """A statement with names for the objects that are made in it for the sake of a method."""
        field = EVALUATED.get(type(node), "")
        value = None if isinstance(node, gast.While) else getattr(node, field, None)
        if value is None:
            return node
        new = self.with_named_receivers(value, lambda: self.own_name(node))
        return node if new is value else ir.with_fields(node, {field: new})

    @cached_property
    def is_guarded(self) -> bool:
        """Whether something in the function may see a value after an exception."""
        return any(isinstance(part, (gast.Try, gast.With)) for part in gast.walk(self.source.tree))

    def own_name(self, node: Any) -> str | None:
        """The name that an assignment gives a value in which it does not stand: methods may give back their object.

        What catches exceptions sees the name as it was.
        """
        if self.is_guarded:
            return None
        match node:
            case (
                gast.Assign(targets=[gast.Name(id=name)], value=value)
                | gast.AnnAssign(target=gast.Name(id=name), value=value)
            ):
                code = self.source.function.__code__
                free = name in code.co_varnames and name not in code.co_cellvars
                return name if free and name not in ir.names_in(value) else None
        return None

    def with_named_receivers(
        self, node: Any, own_name: Callable[[], str | None] = lambda: None
    ) -> Any:
        """Stack().push(x)  ->  (t := Stack()).push(x), an object of the user's: its methods may change it

        own_name: the name that the object of the whole expression may have.
        """
        if not any(map(self.may_name_receiver, ir.walk(node))):
            return node
        first = _receiver(node)

        def change(part: Any) -> Any | None:
            if isinstance(part, _OWN_SCOPE):
                return part
            if not isinstance(part, gast.Call):
                return None
            if self.in_lines(part):
                own = (own_name() if part is node else None) or self.temporary()
                target = target_at(own, part)
                inner = ir.copy_expression(part, lambda n: None if n is part else change(n))
                return at(gast.NamedExpr(target, inner), part)
            match part:
                case gast.Call(func=gast.Attribute(value=gast.Call() as made, attr=method)):
                    pass
                case _:
                    return None
            if not self.makes_object(made.func):
                return None
            own = (own_name() if made is first else None) or self.temporary()
            target = target_at(own, made)
            made = ir.copy_expression(made, lambda n: None if n is made else change(n))
            func = at(
                gast.Attribute(at(gast.NamedExpr(target, made), made), method, gast.Load()), part
            )
            args = [self.with_named_receivers(a) for a in part.args]
            keywords = [
                at(gast.keyword(k.arg, self.with_named_receivers(k.value)), k)
                for k in part.keywords
            ]
            return at(gast.Call(func, args, keywords), part)

        return ir.copy_expression(node, change)

    def may_name_receiver(self, part: Any) -> bool:
        """Whether a part is a call said in lines, or one of a method of what a call gives: few are."""
        if not isinstance(part, gast.Call):
            return False
        method = isinstance(part.func, gast.Attribute) and isinstance(part.func.value, gast.Call)
        return method or self.in_lines(part) is not None

    def makes_object(self, func: Any) -> bool:
        """Whether a name is that of a class of the user's."""
        found = self.source.found(func.id) if isinstance(func, gast.Name) else None
        return isinstance(found, type) and has_plain_attributes(found)

    def unused(self, name: str) -> str:
        """A name for a variable of a comprehension, which the function has no other use for."""
        return unused_in(self.source.function.__code__, name)

    # -- assignment expressions

    def lifted(self, node: Any) -> tuple[list[Any], Any]:
        """The assignments inside a node as lines before it, and the node without them; in the order of evaluation."""
        if not has_walrus(node):
            return [], node
        match node:
            case gast.NamedExpr(target=target, value=value):
                lines, value = self.lifted(value)
                return [*lines, *self.bound(target.id, value, node)], name_at(target.id, node)
            case gast.BoolOp():
                return self.either(node)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                lines, test = self.lifted(test)
                result = self.temporary()
                ways = [self.to_name(result, way) for way in (body, orelse)]
                return [*lines, at(gast.If(test, *ways), node)], name_at(result, node)
            case gast.Compare(comparators=[_, *later]) if any(map(has_walrus, later)):
                return self.not_lifted(node)
            case gast.ListComp():
                names = self.temporary(), self.temporary()
                lines, result = loop_that_binds(node, *names, self.loops.own_variable)
                return self.block(lines), result
            case gast.Call() if listed := with_items_listed(node, self.source.found):
                return self.lifted(listed)
            case _ if isinstance(node, _OWN_SCOPE):
                return self.not_lifted(node)
        return self.lifted_parts(node)

    def bound(self, name: str, value: Any, node: Any) -> list[Any]:
        if form := self.in_lines(value):
            return self.block(list(form.lines(name, value)))
        return [assign_at(name, value, node)]

    def in_lines(self, node: Any) -> OnPieces | Reductions | FirstItems | MethodsInDicts | None:
        """How a call is said in lines; None for all others."""
        if not isinstance(node, gast.Call):
            return None
        return next((form for form in self.forms if form.is_one(node)), None)

    @cached_property
    def forms(self) -> tuple[Reductions, OnPieces, FirstItems, MethodsInDicts]:
        reductions = Reductions(self.source.found, self.temporary)
        pieces = OnPieces(self.source.found, self.temporary, self.functions)
        return (
            reductions,
            pieces,
            FirstItems(self.source.found, self.loops.own_variable),
            self.methods,
        )

    @cached_property
    def methods(self) -> MethodsInDicts:
        return MethodsInDicts(self.source, self.source.found, self.temporary)

    def not_lifted(self, node: Any) -> tuple[list[Any], Any]:
        self.refuse("an assignment expression is not supported here: assign before", node)
        return [], ir.placeholder(node)

    def lifted_parts(self, node: Any) -> tuple[list[Any], Any]:
        """What is evaluated before an assignment gets a name, unless that makes no difference."""
        parts = evaluated(node)
        last = max((k for k, part in enumerate(parts) if has_walrus(part)), default=-1)
        lines: list[Any] = []
        new: dict[Any, Any] = {}
        for k, part in enumerate(parts[: last + 1]):
            before, value = self.lifted(part)
            lines += before
            rebound = {name for later in parts[k + 1 :] for name in self.rebound_in(later)}
            if k < last and not (is_settled(value, rebound) or self.is_module(value)):
                before, value = self.named_before(value, part)
                lines += before
            new[part] = value
        return lines, rebuilt(node, lambda value: replaced(value, new))

    def named_before(self, value: Any, part: Any) -> tuple[list[Any], Any]:
        """A name for a part, bound on a line before; a value in an f-string is written to a text there."""
        name = self.temporary()
        if not isinstance(value, gast.FormattedValue):
            return [assign_at(name, value, part)], name_at(name, part)
        text = at(gast.JoinedStr([value]), part)
        return [assign_at(name, text, part)], gast.FormattedValue(name_at(name, part), -1, None)

    def rebound_in(self, node: Any) -> set[str]:
        """The names that an expression may bind: those that it shares with other functions, too, if it calls one."""
        names = walrus_names(node)
        return names | self.shared if may_change_something(node, self.source.found) else names

    @cached_property
    def shared(self) -> set[str]:
        code = self.source.function.__code__
        return {*code.co_cellvars, *code.co_freevars}

    def changes_what_it_updates(self, node: Any) -> bool:
        """Whether lines before an update may change what it updates, which is read before them."""
        if not has_walrus(node):
            return changes_its_target(node, self.source.found)
        rebound, target = self.rebound_in(node.value), node.target
        if not isinstance(target, gast.Name) and (
            may_change_something(node.value, self.source.found) or self.asks_object(node.value)
        ):
            return True
        return not rebound.isdisjoint(ir.names_in(target))

    def asks_object(self, node: Any) -> bool:
        """Whether an attribute is read that may be a property, which may change something."""
        read = (part for part in ir.walk(node) if isinstance(part, gast.Attribute))
        return any(part.attr not in _OF_ARRAYS and not self.is_module(part) for part in read)

    def is_module(self, node: Any) -> bool:
        """`np.linalg`, in which functions are looked up."""
        while isinstance(node, gast.Attribute):
            node = node.value
        return isinstance(node, gast.Name) and isinstance(
            self.source.found(node.id), types.ModuleType
        )

    def either(self, node: Any) -> tuple[list[Any], Any]:
        """`a and (y := b)`  ->  t = a; if t: y = b; t = y"""
        first, *others = node.values
        result = self.temporary()
        lines = self.to_name(result, first)
        for other in others:
            test = name_at(result, node)
            if isinstance(node.op, gast.Or):
                test = at(gast.UnaryOp(gast.Not(), test), node)
            lines.append(at(gast.If(test, self.to_name(result, other), []), node))
        return lines, name_at(result, node)

    def to_name(self, name: str, value: Any) -> list[Any]:
        lines, value = self.lifted(value)
        return [*lines, assign_at(name, value, value)]

    def needs_lines(self, test: Any) -> bool:
        return has_walrus(test) or any(map(self.methods.is_one, ir.walk(test)))

    def tested_inside(self, node: Any) -> Any:
        """`while (y := f()): ...`  ->  while True: y = f(); if not y: break; ..."""
        if node.orelse:
            self.refuse("an assignment in the test of a loop that has an else", node.test)
        leave = at(gast.If(node.test, [at(gast.Pass(), node)], [at(gast.Break(), node)]), node)
        always = at(gast.Constant(True, None), node.test)
        return at(gast.While(always, [leave, *node.body], []), node)

    # -- match

    def match(self, node: Any) -> list[Any]:
        """The cases as branches; a subject that is a name stays one where no case gives that name."""
        subject, lines = node.subject, []
        code = self.source.function.__code__
        if not (
            isinstance(subject, gast.Name)
            and subject.id in code.co_varnames
            and subject.id not in {*code.co_cellvars, *names_given(node.cases)}
        ):
            name = self.temporary()
            lines = [assign_at(name, subject, subject)]
            subject = name_at(name, subject)
        return [*lines, *Patterns(self.source.found, self.refuse).branches(node.cases, subject.id)]

    # -- chains

    def chained(self, node: Any) -> list[Any]:
        """The value gets a name, unless the first target is one, or it is a literal or has a name already."""
        if is_same_each_time(node, self.source.function.__code__):
            return [at(gast.Assign([t], node.value, None), node) for t in node.targets]
        first = node.targets[0]
        targets = node.targets
        if isinstance(first, gast.Name):
            name, targets = first.id, targets[1:]
        else:
            name = self.temporary()
        lines = [assign_at(name, node.value, node)]
        return lines + [at(gast.Assign([t], name_at(name, node), None), node) for t in targets]


def _receiver(node: Any) -> Any:
    """What a chain of methods is called on."""
    while isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        node = node.func.value
    return node


def _says_nothing(node: Any) -> bool:
    """`y = y`, where the lines before gave the name its value."""
    match node:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Name(id=name)):
            return bool(target == name)
    return False
