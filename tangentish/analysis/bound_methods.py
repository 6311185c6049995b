"""Methods of objects that are taken apart, read as values: a function that captures the object stands in their place.

    step = self.low.step                 owner = self.low
    x = step(x)               ->         step = <function x: owner.step(x)>
                                         x = step(x)

That a name is a method of what it is asked of shows only when it is known what that is: a function that is refused is
looked at again with what the walk over it has found. An object that nothing else is called by needs no other name.
"""

from __future__ import annotations

import types
from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.method_values import function_of_method
from tangentish.ir.origins import place_of_node
from tangentish.language.codes import codes_of_space, codes_within, stores_attribute
from tangentish.language.nested import Closure
from tangentish.language.normal import Normal
from tangentish.language.placed import name_at, target_at
from tangentish.language.scopes import COMPREHENSIONS
from tangentish.language.webs import map_blocks, map_nodes

Methods = dict[tuple[int, int, str], types.FunctionType]
"""Methods that are read as values, by where they stand and what they are called."""
Read = tuple[Any, str, types.FunctionType]


def with_methods_bound(normal: Normal, methods: Methods, home: types.FunctionType) -> Normal:
    """The function with functions of its own in the place of these methods."""
    if not methods:
        return normal
    binding = _Binding(normal, methods, home)
    body = binding.block(normal.body, inside=False)
    return replace(normal, body=body, local_names=normal.local_names | {*binding.owners})


@dataclass
class _Binding:
    normal: Normal
    methods: Methods
    home: types.FunctionType
    owners: list[str] = field(default_factory=list)

    def block(self, block: ir.Block, inside: bool) -> ir.Block:
        return tuple(new for s in block for new in self.statement(s, inside))

    def statement(self, statement: ir.Statement, inside: bool) -> Iterator[ir.Statement]:
        """The lines that name the objects, and the statement; inside: of a loop, where names may be bound again."""
        inside = inside or isinstance(statement, (ir.For, ir.While))
        instead: dict[Any, Any] = {}
        found = self.found(statement)
        for node, (owner, name, method) in found.items():
            holder = self.holder(owner, name)
            if holder is None and not inside and _is_first(node, statement, found):
                holder = self.new_name(name)
                origin = ir.Origin(node, "")
                yield ir.Assign(target_at(holder, node), owner, origin)
            function = holder and function_of_method(method, holder, name)
            if holder and function is not None:
                instead[node] = gast.copy_location(Closure(function, [name_at(holder, node)]), node)
        new = map_blocks(statement, lambda block: self.block(block, inside))
        if instead:
            new = map_nodes(new, instead.get)
        yield from _one_by_one(new)

    def found(self, statement: ir.Statement) -> dict[Any, Read]:
        """The methods that a line reads as values."""
        parts = [part for e in ir.expressions_of(statement) for part in ir.walk(e)]
        called = {part.func for part in parts if isinstance(part, gast.Call)}
        within = {p for part in parts if isinstance(part, COMPREHENSIONS) for p in ir.walk(part)}
        reads = ((p, self.read(p)) for p in parts if p not in called | within)
        value = getattr(statement, "value", None) if isinstance(statement, ir.Assign) else None
        return {p: read for p, read in reads if read and (p is value or _is_path(read[0]))}

    def read(self, node: Any) -> Read | None:
        """The object, and the method, of `o.step` and of `getattr(o, name)`, where the name was found out."""
        match node:
            case gast.Attribute(value=owner, attr=name):
                names = [str(name)]
            case gast.Call(func=gast.Name(id="getattr"), args=[owner, _]):
                names = [name for *place, name in self.methods if place == [*place_of_node(node)]]
            case _:
                return None
        method = self.methods.get((*place_of_node(node), names[0])) if len(names) == 1 else None
        return (owner, names[0], method) if method is not None else None

    def holder(self, owner: Any, method: str) -> str | None:
        """The variable that holds the object all the time, if its method stays what it is."""
        if not isinstance(owner, gast.Name) or self.is_replaced(method):
            return None
        name, lines = owner.id, [*ir.walk_statements(self.normal.body)]
        binding = [line for line in lines if name in ir.defined_names(line)]
        loops = (line for line in lines if isinstance(line, (ir.For, ir.While)))
        moves = any(line in ir.walk_statements((loop,)) for loop in loops for line in binding)
        once = len(binding) + (name in self.normal.parameters) == 1
        return str(name) if once and not moves else None

    def is_replaced(self, name: str) -> bool:
        """Whether an object may get something else in the place of its method."""
        homes = (self.home, *self.methods.values())
        spaces = {id(f.__globals__): f.__globals__ for f in homes}.values()
        codes = [*codes_within(self.home.__code__), *(c for s in spaces for c in codes_of_space(s))]
        return any(stores_attribute(code, name) or "setattr" in code.co_names for code in codes)

    def new_name(self, method: str) -> str:
        taken = {*self.normal.parameters, *self.normal.local_names, *self.owners}
        name = f"{method.strip('_')}_owner"
        while name in taken:
            name += "_"
        self.owners.append(name)
        return name


def _is_path(node: Any) -> bool:
    return all(isinstance(p, (gast.Name, gast.Attribute, gast.expr_context)) for p in ir.walk(node))


def _is_first(node: Any, statement: ir.Statement, reads: Container[Any]) -> bool:
    """Whether nothing else is called before a line reads this, so that it may be read before the line."""
    if not isinstance(statement, (ir.Assign, ir.Return, ir.Do, ir.Update)):
        return False
    parts = [part for e in ir.expressions_of(statement) for part in ir.walk(e)]
    others = (p for p in parts if isinstance(p, gast.Call) and p not in reads)
    calls = (p for p in others if node not in ir.walk(p) and p not in ir.walk(node))
    return all(place_of_node(call) > place_of_node(node) for call in calls)


def _one_by_one(statement: ir.Statement) -> Iterator[ir.Statement]:
    """`f, g = o.f, o.g` on a line for each function."""
    match statement:
        case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values), origin) if (
            len(targets) == len(values)
            and all(isinstance(target, gast.Name) for target in targets)
            and all(isinstance(value, Closure) for value in values)
        ):
            yield from (ir.Assign(*pair, origin) for pair in zip(targets, values, strict=True))
        case _:
            yield statement
