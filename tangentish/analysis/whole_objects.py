"""Objects and containers whose parts are values of the function: what may be done with them as a whole.

After `p = Body(x, v)`, or `self.x = v`, the values of the attributes are `p_x` and `self_x`, and what remains of the
object in the text is its class: it is handed to methods, and attributes of the class are read. All else would see the
class in the place of the object, and is refused. A list or a dict that is taken apart is written down anew where it is
read (`[p_0, p_1]`), so that nothing may ask which one it is.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.classes_alone import classes_alone
from tangentish.analysis.parts_seen import parts_of_test, parts_run_over, parts_seen
from tangentish.errors import Refusal
from tangentish.infer import Facts, is_shared, is_static
from tangentish.kinds import Kind, Known, Opaque, Tup
from tangentish.language.lifted import Instance, Routine, is_element
from tangentish.language.nested import Closure

_DISPLAYS = (gast.List, gast.Tuple, gast.Dict)
_ASKING_WHICH = (id, operator.is_, operator.is_not)
_APART = "while its attributes have names of their own"
_OBJECT = f"an object is asked here as a whole, {_APART}: ask of its attributes"
_OBJECTS = (
    "{} of objects is asked here as a whole, while their attributes have names of their own: "
    "loop over it, or index it, and ask of the attributes"
)
_WHICH = (
    "it is asked here whether a list or a dict is the same one as another, while its elements have names of their "
    "own: compare what they hold, or keep a flag"
)


def whole_uses(function: ir.Function, facts: Facts) -> list[Refusal]:
    """Refusals of what would see such an object, or call its methods, as they stand."""
    alone = classes_alone(facts)
    if not (alone or facts.handed or facts.has(Tup)):
        return []
    lines = [s for s in ir.walk_statements(function.body) if s not in facts.not_back]
    uses = _Uses(facts, alone)
    seen = (refusal for line in lines for refusal in uses.refused(line))
    expressions = (e for line in lines for e in uses.without_classes(line))
    calls = (node for e in expressions if facts.handed for node in ir.walk(e))
    changing = (node for node in calls if node in facts.handed and not _hands_back(node))
    return [
        *seen,
        *(
            Refusal(
                "this call changes a dict or an object: let it stand on a line of its own", node
            )
            for node in changing
        ),
    ]


@dataclass
class _Uses:
    """How the lines of a function use what is taken apart.

    alone: the values that are the class of an object, and nothing else of it.
    """

    facts: Facts
    alone: frozenset[str]

    def refused(self, line: ir.Statement) -> Iterator[Refusal]:
        for expression in self.without_classes(line):
            is_test = isinstance(line, (ir.If, ir.While)) and expression is line.test
            is_run_over = isinstance(line, ir.For) and expression is line.iter
            parts = parts_of_test(expression) if is_test else [expression]
            for part in parts_run_over(expression) if is_run_over else parts:
                yield from self.seen_whole(part)

    def without_classes(self, statement: ir.Statement) -> Iterator[Any]:
        """The expressions of a statement, but for the classes of objects that get another name.

        Of what has that name there is the class only, too, and its uses are looked at likewise.
        """
        match statement:
            case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values)) if len(
                targets
            ) == len(values):
                pairs = zip(targets, values, strict=True)
                yield from (v for t, v in pairs if not self.is_handed_on(v, t))
            case ir.Assign(target, value):
                yield from () if self.is_handed_on(value, target) else (value,)
                places = (t for t in ir.store_targets(target) if isinstance(t, gast.Subscript))
                yield from (place.slice for place in places)
            case ir.Return(values):
                yield from (v for v in values if not self.is_alone(v))
            case _:
                yield from ir.expressions_of(statement)

    def is_handed_on(self, value: Any, target: Any) -> bool:
        """Whether a class goes on to the name of an object, or of an element of a container, that is taken apart."""
        if not isinstance(target, gast.Name):
            return False
        return self.is_alone(value) or (is_element(target.id) and self.is_virtual(value))

    def seen_whole(self, expression: Any) -> Iterator[Refusal]:
        """Refusals of such objects where more than the class is needed."""
        stack = [(expression, expression)]
        while stack:
            node, around = stack.pop()
            if self.is_virtual(node) or isinstance(node, Instance):
                yield Refusal(_reason(node, self.facts), node)
            elif self.is_alone(node):
                yield Refusal(_reason_of_class(around), node)
            elif self.asks_which(node):
                yield Refusal(_WHICH, node)
            else:
                parts = _of_none(node) or parts_seen(node)
                stack += ((part, node) for part in parts if not self.is_known(part, node))

    def is_known(self, part: Any, node: Any) -> bool:
        """Whether the class is all that is needed of an object."""
        if not (self.is_virtual(part) or self.is_alone(part)):
            return False
        if isinstance(node, gast.Attribute):
            return self.is_of_class(node)
        if isinstance(node, gast.Compare) and _of_none(node) and self.is_alone(part):
            return True  # a class is not None, as its object
        if isinstance(node, Closure) and self.is_alone(part):
            return True  # looked at where it is called, and handed on (functions_shown.py)
        return isinstance(node, gast.Call) and isinstance(node.func, Routine) and part in node.args

    def is_of_class(self, attribute: Any) -> bool:
        """Whether it is the class that has an attribute; of what may be None only such attributes are left."""
        kind = self.facts.kind(attribute.value)
        if isinstance(kind, Opaque):
            return True
        if isinstance(kind, Known) and isinstance(kind.value, type):
            kind = Tup((), keys=(), type=kind.value)
        return is_shared(kind, attribute.attr) or is_static(kind, attribute.attr)

    def asks_which(self, node: Any) -> bool:
        """Whether it is asked if a list or a dict is the same one as another: what stands for it is written anew."""
        match node:
            case gast.Compare(left=left, ops=ops, comparators=others):
                identity = any(isinstance(op, (gast.Is, gast.IsNot)) for op in ops)
                operands = [left, *others] if identity else []
            case gast.Call(args=args) if node in self.facts.callees:
                operands = args if self.facts.callees[node].function in _ASKING_WHICH else []
            case _:
                return False
        constants = [o for o in operands if isinstance(o, gast.Constant)]
        return any(isinstance(o, _DISPLAYS) for o in operands) and not constants

    def is_alone(self, node: Any) -> bool:
        return isinstance(node, gast.Name) and node.id in self.alone

    def is_virtual(self, node: Any) -> bool:
        if not isinstance(node, gast.Name):
            return False
        kind = self.facts.kinds.get(node)
        return isinstance(kind, Tup) and kind.virtual and isinstance(node.ctx, gast.Load)


def _of_none(node: Any) -> list[Any]:
    """What is looked at where it is asked whether something is None: of a list and a dict what they hold."""
    match node:
        case gast.Compare(
            left=o, ops=[gast.Is() | gast.IsNot()], comparators=[gast.Constant(value=None)]
        ):
            if isinstance(o, gast.Call):
                return []
            return [*ir.children(o)] if isinstance(o, _DISPLAYS) else [o]
    return []


def _reason_of_class(around: Any) -> str:
    if not isinstance(around, _DISPLAYS):
        return _OBJECT
    return _OBJECTS.format("a dict" if isinstance(around, gast.Dict) else "a list or a tuple")


def _reason(node: Any, facts: Facts) -> str:
    kind = facts.kinds.get(node)
    if isinstance(kind, Tup) and kind.is_function:
        return (
            "a function that holds differentiated values is used otherwise than called: call it, or pass it to a "
            "function of yours"
        )
    return (
        f"{_what(node)} is used as a whole after attributes of it were set: hand on the "
        "attributes, or give the result of the call a name first"
    )


def _what(node: Any) -> str:
    name = getattr(node.cls if isinstance(node, Instance) else node, "id", "")
    return f"'{ir.base_name(name)}'" if ir.is_value(name) else "an object"


def _hands_back(node: Any) -> bool:
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, Routine)
        and bool(node.func.lifted.hands_back)
    )


def names_used_whole(node: Any, facts: Facts) -> Iterator[str]:
    """The names that an expression reads otherwise than for attributes and elements of what they stand for."""
    match facts.answers.get(node, node):
        case gast.Name(id=name, ctx=gast.Load()):
            yield name
        case gast.Attribute(value=gast.Name() as whole, attr=attr) if _has(facts.kind(whole), attr):
            return
        case known:
            for part in ir.children(known):
                yield from names_used_whole(part, facts)


def _has(kind: Kind, attribute: str) -> bool:
    return isinstance(kind, Tup) and kind.position(attribute) is not None
