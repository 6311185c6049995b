"""What the adjoint of a trip computes again instead of having it recorded.

    for i in range(n):                     for i in range(n):
        t = a * x                              t = a * x
        tape.append((t, x))                    tape.append(x)
        x = x * np.sin(t)                      x = x * np.sin(t)
    for i in range(n - 1, -1, -1):         for i in range(n - 1, -1, -1):
        t, x = tape.pop()                      x = tape.pop()
        ...                                    t = a * x
                                               ...

Numba keeps numbers in registers: what is recorded costs as much as a few multiplications. A value is computed again
where it is cheap, and all that it reads is there at the head of the adjoint's trip: constants of the function,
arguments, arrays that nobody writes to, the loop's variable, what is recorded anyway, and what is computed again
itself. Where nothing has to be recorded then, what is not cheap is computed again, too, and the forward loop goes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.parts import Parts
from tangentish.compiled.recorded import Item, Trip, same_text
from tangentish.ir.origins import NOWHERE
from tangentish.kinds import buffers_of, is_number

CHEAP = {"math.sqrt", "np.sqrt", "math.fabs"}
COSTLY = {
    f"{module}.{name}"
    for module in ("math", "np")
    for name in [
        "sin",
        "cos",
        "tan",
        "exp",
        "log",
        "tanh",
        "sinh",
        "cosh",
        "log1p",
        "expm1",
        "arctan",
        "atan",
    ]
}
OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.USub, gast.UAdd)
MOST = 60  # nodes of an expression that is computed again


@dataclass(eq=False)
class Plan:
    """kept: what stays recorded; again: the lines after what is taken back, at the head of the adjoint's trip.

    drops_forward: nobody needs the forward loop.
    """

    kept: list[Item]
    again: list[ir.Statement]
    drops_forward: bool = False


@dataclass(frozen=True, eq=False)
class Definition:
    """A name that a trip sets at the top level of its body."""

    name: str
    value: Any
    place: int


def plan_of(trip: Trip, parts: Parts) -> Plan:
    """What is recorded, and what is computed again."""
    whole = _Planner(trip, parts, CHEAP | COSTLY)
    plan = whole.plan()
    if not plan.kept and whole.forward_is_idle(plan):
        plan.drops_forward = True
        return plan
    return _Planner(trip, parts, CHEAP).plan()


@dataclass(eq=False)
class _Planner:
    trip: Trip
    parts: Parts
    calls: set[str]
    known: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.facts = self.parts.analysis.facts
        self.body = self.trip.forward.body
        self.places = {statement: k for k, statement in enumerate(self.body)}
        self.definitions = _definitions(self.body)
        self.defined_at = [(k, name) for k, s in enumerate(self.body) for name in _defined((s,))]
        self.items = {item.value: item for item in self.trip.items}
        self.varying = _defined(_from(self.parts.forward, self.trip.forward))
        self.varying |= _defined(self.parts.adjoint)
        self.counter = self.common_counter()
        self.set_again = self.those_set_again()

    def plan(self) -> Plan:
        chosen = [item for item in self.trip.items if self.is_computable(item.value)]
        kept = [item for item in self.trip.items if item not in chosen]
        needed = self.closure([item.value for item in chosen])
        names = {
            n: n if n in self.items else f"{ir.base_name(n)}.~a{k}" for k, n in enumerate(needed)
        }
        again: list[ir.Statement] = []
        for name in sorted(needed, key=lambda n: self.definitions[n].place):
            value = self.substituted(self.definitions[name], names)
            again.append(ir.Assign(ir.name(names[name]), value, NOWHERE))
        return Plan(kept, again)

    def closure(self, names: list[str]) -> list[str]:
        """The names, and those computed again that they read in turn."""
        found: dict[str, None] = {}
        pending = list(names)
        while pending:
            name = pending.pop()
            if name not in found:
                found[name] = None
                definition = self.definitions[name]
                read = filter(ir.is_value, ir.names_in(definition.value))
                pending += [n for n in read if self.source(n, definition.place) == "again"]
        return list(found)

    def substituted(self, definition: Definition, names: dict[str, str]) -> Any:
        def change(node: Any) -> Any:
            if type(node) is gast.Name and self.source(node.id, definition.place) == "again":
                return ir.name(names[node.id])
            return None

        return ir.copy_expression(definition.value, change)

    # -- what can be computed again

    def is_computable(self, name: str) -> bool:
        if name not in self.known:
            self.known[name] = False  # while it is asked: nothing is computed from itself
            definition = self.definitions.get(name)
            self.known[name] = definition is not None and self.is_plain(definition)
        return self.known[name]

    def is_only(self, definition: Definition) -> bool:
        """Whether the name has no other value: nothing else sets it, and the tape gets this one."""
        name, item = definition.name, self.items.get(definition.name)
        if name in self.parts.analysis.function.parameters or name in self.facts.entry:
            return False
        times = sum(name in ir.defined_names(s) for s in ir.walk_statements(self.parts.forward))
        return times == 1 and (item is None or definition.place < self.places[item.save])

    def is_plain(self, definition: Definition) -> bool:
        if not self.is_only(definition):
            return False
        small = sum(1 for _ in ir.walk(definition.value)) <= MOST
        return small and self.is_simple(definition.value, definition.place)

    def is_simple(self, e: Any, place: int) -> bool:
        """Whether an expression of numbers can be evaluated at the head of the adjoint's trip."""
        match e:
            case gast.Constant(value=int() | float()):
                return True
            case gast.Name(id=name):
                return ir.is_value(name) and self.source(name, place) is not None
            case gast.BinOp(left=left, op=op, right=right):
                plain = isinstance(op, OPERATORS) or _is_power(op, right)
                return plain and self.is_simple(left, place) and self.is_simple(right, place)
            case gast.UnaryOp(op=op, operand=operand):
                return isinstance(op, OPERATORS) and self.is_simple(operand, place)
            case gast.Subscript():
                return self.is_element(e, place)
            case gast.Call(func=func, args=[argument], keywords=[]):
                return _dotted(func) in self.calls and self.is_simple(argument, place)
        return False

    def is_element(self, e: Any, place: int) -> bool:
        """Whether this is a number of an array that nobody writes to."""
        kind = self.facts.kinds.get(e)
        if not (isinstance(e.value, gast.Name) and is_number(kind)):
            return False
        array = self.facts.web_kinds.get(e.value.id)
        memory = frozenset() if array is None else buffers_of(array)
        constant = e.value.id not in self.varying and ir.is_value(e.value.id)
        if not constant or not memory or memory & self.facts.written:
            return False
        index = ir.parts_of(e.slice)
        return all(self.is_simple(i, place) for i in index)

    def source(self, name: str, place: int) -> str | None:
        """Where the value comes from that a trip reads at this place, None where it is not there."""
        if name not in self.varying or name == self.counter:
            return "constant"
        if name in self.set_again and self.definitions[name].place < place:
            return "set"
        item = self.items.get(name)
        if item is not None and self.is_unchanged(name, place, self.places[item.save]):
            return "again" if self.is_computable(name) else "tape"
        definition = self.definitions.get(name)
        if item is None and definition is not None and definition.place < place:
            return "again" if self.is_computable(name) else None
        return None

    def is_unchanged(self, name: str, one: int, other: int) -> bool:
        """Whether no line between two places of the trip sets the name."""
        low, high = sorted((one, other))
        return not any(low <= k < high for k, defined in self.defined_at if defined == name)

    def those_set_again(self) -> set[str]:
        """The names that the head of the adjoint's trip sets as the forward trip does."""
        found = set()
        for definition in _definitions(self.trip.head).values():
            own = self.definitions.get(definition.name)
            same = own is not None and same_text(own.value) == same_text(definition.value)
            if same and own is not None and self.is_only(own):
                found.add(definition.name)
        return found

    def common_counter(self) -> str | None:
        """The loop variable, where both loops run over the same numbers under the same name."""
        match self.trip.forward, self.trip.adjoint:
            case ir.For(gast.Name(id=a), body=body), ir.For(gast.Name(id=b), body=other) if a == b:
                return a if ir.is_value(a) and a not in _defined((*body, *other)) else None
        return None

    # -- the forward loop

    def forward_is_idle(self, plan: Plan) -> bool:
        """Whether the forward loop only sets what nobody reads."""
        saves = {item.save for item in self.trip.items}
        own = _defined((self.trip.forward,))
        for statement in self.body:
            if statement in saves:
                continue
            names = set(ir.defined_names(statement)) - self.set_again
            if not isinstance(statement, ir.Assign) or not all(map(self.is_computable, names)):
                return False
        here = {n for s in (*plan.again, *self.trip.head) for n in ir.defined_names(s)}
        here |= {self.counter} if self.counter else set()
        rest = _without(self.parts.forward, self.trip.forward)
        read = _read(rest) | _read(_without(self.parts.adjoint, self.trip.adjoint))
        read |= _read((self.trip.adjoint,)) - here
        for value in (*self.parts.gradients, *self.parts.values):
            read |= set(ir.names_in(value))
        return isinstance(self.trip.forward, ir.For) and not own & read


def _definitions(body: ir.Block) -> dict[str, Definition]:
    """What the lines of a body set, tuples part by part."""
    found = {}
    for k, statement in enumerate(body):
        match statement:
            case ir.Assign(gast.Name(id=name), value):
                found[name] = Definition(name, value, k)
            case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values)):
                names = [t.id for t in targets if isinstance(t, gast.Name)]
                read = {n for v in values for n in ir.names_in(v)}
                if len(names) == len(targets) == len(values) and not read & set(names):
                    found |= {n: Definition(n, v, k) for n, v in zip(names, values, strict=True)}
    return found


def _defined(block: ir.Block) -> set[str]:
    """The names that a block sets, those of arrays that it stores to among them."""
    statements = list(ir.walk_statements(block))
    names = {n for s in statements for n in ir.defined_names(s)}
    return names | {n for s in statements for n in ir.stored_names(s)}


def _read(block: ir.Block) -> set[str]:
    return {
        node.id
        for s in ir.walk_statements(block)
        for e in ir.expressions_of(s)
        for node in ir.walk(e)
        if type(node) is gast.Name and not isinstance(node.ctx, gast.Store)
    }


def _from(block: ir.Block, loop: ir.Statement) -> ir.Block:
    """The statements from the one on that holds the loop."""
    for k, statement in enumerate(block):
        if loop in set(ir.walk_statements((statement,))):
            return block[k:]
    return block


def _without(block: ir.Block, loop: ir.Statement) -> ir.Block:
    return tuple(
        s
        for s in ir.walk_statements(block)
        if loop not in set(ir.walk_statements((s,))) and s not in set(ir.walk_statements((loop,)))
    )


def _is_power(op: Any, right: Any) -> bool:
    return isinstance(op, gast.Pow) and isinstance(right, gast.Constant) and right.value in (2, 3)


def _dotted(func: Any) -> str:
    match func:
        case gast.Attribute(value=gast.Name(id=module), attr=attr):
            return f"{module.lstrip('$')}.{attr}"
    return ""
