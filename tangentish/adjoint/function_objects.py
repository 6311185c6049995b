"""Functions as objects in generated code: kept where something still calls them or looks at them.

The same goes for objects whose attributes are given one by one: they are given where something of their class is read.
So does it for these attributes, and for the entries of dicts and lists: a method gets those that it reads.

    y = newton(residual, x0)      ->      y, newton_saved = newton_forward(x0, a)

A parameter that is a function is left out of the generated functions where all its calls have become calls of generated
functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import gast

from tangentish import ir
from tangentish.analysis.reached import Analysis, Program
from tangentish.infer import Facts, UserCall
from tangentish.kinds import Fun, Kind, Known, Opaque, Taken, Tup, is_function
from tangentish.kinds.seen_outside import canonical
from tangentish.language.lifted import Routine, is_element
from tangentish.language.webs import map_blocks

T = TypeVar("T")


class ObjectsRead(Exception):
    """Generated code still calls functions, or reads objects, that parameters of an analysed function bring."""

    def __init__(self, analysis: Analysis, names: set[str]) -> None:
        super().__init__(names)
        self.analysis = analysis
        self.names = names


def check_dropped(analysis: Analysis, dropped: Iterable[str], body: ir.Block) -> None:
    """Raise ObjectsRead where generated code reads a parameter that it was to do without.

    Such is a call of which only a test depends: no derivative flows through it, and it stays as the user wrote it.
    """
    names = {n for s in ir.walk_statements(body) for n in ir.mentioned(s)}
    if read := names.intersection(dropped):
        raise ObjectsRead(analysis, read)


def with_objects_read(program: Program, generate: Callable[[], T]) -> T:
    """What is generated, with all parameters that generated code turns out to read."""
    while True:
        try:
            return generate()
        except ObjectsRead as found:
            program.objects_read.setdefault(id(found.analysis), set()).update(found.names)


@dataclass
class FunctionObjects:
    """Which parameters of the functions of a program nobody needs."""

    program: Program
    needed: dict[int, set[str]] = field(default_factory=dict)

    def dropped(self, analysis: Analysis) -> frozenset[int]:
        """Positions of parameters that generated code does without."""
        if analysis.lifted is None:
            return frozenset()
        if id(analysis) not in self.needed:
            self.find()
        needed = self.needed.get(id(analysis), set())
        pairs = enumerate(zip(analysis.function.parameters, analysis.kinds, strict=True))
        held = _held(analysis)
        return frozenset(k for k, (p, _) in pairs if k in held and p not in needed)

    def find(self) -> None:
        """To a fixed point: a function that is handed on is needed where its receiver needs it."""
        self.needed = {}
        changed = True
        while changed:
            changed = False
            for analysis in list(
                self.program.analyses.values()
            ):  # a look at a call may add to them
                read = self.read(analysis)
                changed = changed or read != self.needed.get(id(analysis))
                self.needed[id(analysis)] = read

    def read(self, analysis: Analysis) -> set[str]:
        names = set(self.program.objects_read.get(id(analysis), ()))
        aliases: list[tuple[set[str], set[str]]] = []
        for statement in ir.walk_statements(analysis.function.body):
            read = {
                n for e in _evaluated(statement, analysis.facts) for n in self.names(e, analysis)
            }
            if _is_alias(statement, analysis.facts):
                aliases.append((set(ir.defined_names(statement)), read))
            else:
                names |= read
        while more := {n for to, read in aliases if to & names for n in read} - names:
            names |= more
        return names

    def names(self, expression: Any, analysis: Analysis) -> Iterator[str]:
        """The names that the generated form of an expression reads."""
        user = analysis.facts.user_of(expression)
        if user is None or not user.is_followed:
            yield from ir.names_in(expression)
            return
        if not isinstance(expression.func, Routine):
            for part in ir.given_to(expression):
                yield from ir.names_in(part)
            return
        callee = self.callee(user)
        held = _held(callee)
        for k, argument in enumerate(expression.args):
            if k not in held or callee.function.parameters[k] in self.needed.get(id(callee), ()):
                yield from ir.names_in(argument)

    def callee(self, user: UserCall) -> Analysis:
        return self.program.analyse(user.function, canonical(user.kinds)[0], callee=True)


def _evaluated(statement: ir.Statement, facts: Facts) -> tuple[Any, ...]:
    return () if statement in facts.branches else ir.expressions_of(statement)


def _is_alias(statement: ir.Statement, facts: Facts) -> bool:
    """Whether a statement only gives functions other names."""
    names = ir.defined_names(statement)
    kinds = [facts.web_kinds.get(name) for name in names]
    return isinstance(statement, ir.Assign) and bool(names) and all(map(is_function, kinds))


def stands_for_another(line: ir.Statement, facts: Facts) -> bool:
    """Whether a line only says what stands for an object, whose attributes are values of their own."""
    match line:
        case ir.Assign(gast.Name(id=name), gast.Name()):
            kind = facts.web_kinds.get(name)
            of_class = isinstance(kind, Known) and isinstance(kind.value, type)
            of_class |= isinstance(kind, Opaque) and kind.type is not None
            return of_class and is_element(name)
    return False


def _held(analysis: Analysis) -> frozenset[int]:
    """The parameters that nobody gives by themselves: functions and objects, and what objects consist of."""
    objects = () if analysis.lifted is None else analysis.lifted.objects
    pairs = enumerate(zip(analysis.function.parameters, analysis.kinds, strict=True))
    return frozenset(k for k, (p, kind) in pairs if p in objects or is_element(p) or _is_held(kind))


def _is_held(kind: Kind) -> bool:
    return is_function(kind) or isinstance(kind, Tup)


def without_idle_functions(block: ir.Block, facts: Facts) -> ir.Block:
    """The lines without the definitions of functions that nobody needs."""
    lines = list(ir.walk_statements(block))
    aliases = {s: _values(s) for s in lines if _is_alias(s, facts)}
    needed = {n for s in lines if s not in aliases for n in _values(s)}
    while (
        more := {
            n for s, read in aliases.items() if needed & set(ir.defined_names(s)) for n in read
        }
        - needed
    ):
        needed |= more
    idle = {s for s in aliases if needed.isdisjoint(ir.defined_names(s))}
    return _without(block, idle) if idle else block


def _values(statement: ir.Statement) -> set[str]:
    """The values that a statement reads."""
    expressions = ir.expressions_of(statement)
    binds = isinstance(statement, ir.Assign) and ir.defined_names(statement)
    return {n for e in (expressions[:1] if binds else expressions) for n in ir.names_in(e)}


def _without(block: ir.Block, idle: set[ir.Statement]) -> ir.Block:
    return tuple(map_blocks(s, lambda inner: _without(inner, idle)) for s in block if s not in idle)


def kept_with(facts: Facts) -> dict[str, frozenset[str]]:
    """A function that is called reads what it captures: value -> the values that it reads so."""
    direct = {value: _captured(kind) for value, kind in facts.web_kinds.items()}
    found: dict[str, frozenset[str]] = {}
    for value in (v for v, captured in direct.items() if captured):
        reached: set[str] = set()
        pending = set(direct[value])
        while pending:
            reached |= pending
            pending = {n for v in pending for n in direct.get(v, ())} - reached
        found[value] = frozenset(reached)
    return found


def _captured(kind: Kind) -> set[str]:
    match kind:
        case Fun(cells=cells) | Taken(function=Fun(cells=cells)):
            return {value for _, value in cells}
        case Tup(items=items):
            return {value for item in items for value in _captured(item)}
    return set()
