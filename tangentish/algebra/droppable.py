"""Which forward code may be dropped where nobody needs its value: no effects, and no exception that could be missed."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir, runtime
from tangentish.infer import Callee, Facts, literal_of
from tangentish.infer.special_methods import class_of_the_user
from tangentish.kinds import Kind, Known, Num, Opaque, Seq, Taken, Tup, is_number
from tangentish.kinds.lengths import (
    Length,
    Shape,
    broadcast_for_sure,
    is_never_zero,
    same_length,
    same_shape,
)
from tangentish.language.imported import MISSING, Imported, object_of
from tangentish.language.nested import Closure
from tangentish.rules import ABSENT, CONSTANT, CONSTRUCTORS, RULES


def is_droppable(
    statement: ir.Statement,
    facts: Facts,
    caught: bool = False,
    raised_again: Callable[[ir.Statement, Any], bool] | None = None,
) -> bool:
    """Whether nothing is missed; where exceptions are caught, not those either that the adjoint would raise again.

    raised_again: whether a part of a statement that raises does so in its adjoint as well.
    """

    def is_missed(line: ir.Statement, node: Any) -> bool:
        if facts.acting.get(node):
            return True
        if not _node(node, facts):
            shown = _is_element(node, facts) or _divides_integers(node, facts)
            return not (shown and raised_again and raised_again(line, node))
        return not (_is_sure(node, facts) or raised_again is None or raised_again(line, node))

    return all(
        not _writes_memory(s, facts)
        and not (isinstance(s, ir.For) and class_of_the_user(facts.kind(s.iter)))
        and _unpacks_surely(s, facts)
        and not (caught and _may_not_run(s, facts))
        and all(
            not (caught and not _is_plain(e)) and not any(is_missed(s, n) for n in ir.walk(e))
            for e in ir.expressions_of(s)
        )
        for s in ir.walk_statements((statement,))
    )


def _writes_memory(statement: ir.Statement, facts: Facts) -> bool:
    """An update of an array is seen through its other names, of an attribute by all; of a scalar it is not."""
    match statement:
        case ir.Assign(gast.Attribute()):
            return True
        case ir.Assign(gast.Tuple(elts=targets) | gast.List(elts=targets)):
            return any(isinstance(target, gast.Attribute) for target in targets)
        case ir.Update(gast.Name(id=name) as target):
            kind = facts.kinds.get(target)
            return "~" not in name and not is_number(kind)
        case ir.Update():
            return True
    return False


def _is_plain(expression: Any) -> bool:
    """Whether nothing is computed."""
    plain = (gast.Name, gast.Constant, gast.Tuple, gast.List, Closure)
    return all(isinstance(n, plain) for n in ir.walk(expression))


_MAY_RAISE = (gast.BitAnd, gast.BitOr, gast.BitXor, gast.LShift, gast.RShift, gast.Invert)
_REFUSING = ("$number", "$plain")  # helpers that are there for what they raise
_DIVISIONS = (gast.Div, gast.Pow, gast.Mod, gast.FloorDiv)


def _node(node: Any, facts: Facts) -> bool:
    match node:
        case gast.Call(func=gast.Name(id=name)) if name.startswith("$"):
            known = hasattr(runtime, name[1:]) or hasattr(builtins, name[1:])
            return known and name not in _REFUSING
        case gast.Call() if isinstance(facts.kinds.get(node), Taken):
            return True
        case gast.Call():
            return _call(facts.callees.get(node), facts)
        case gast.BinOp():
            return _operation(node, facts)
        case gast.UnaryOp(op=op):
            return not isinstance(op, _MAY_RAISE)
        case gast.Name():
            return node not in facts.unsure
        case gast.Subscript():
            return _subscript(node, facts)
        case Imported():
            return object_of(node) is not MISSING
    return not isinstance(node, (gast.Raise, gast.Assert))


def _subscript(node: Any, facts: Facts) -> bool:
    """What is inside, slices, literals, counters of what is run over, keys of a dict, and masks of the own shape."""
    if getattr(node, "is_there", False) or node in facts.inside:
        return True
    array, mask = facts.kinds.get(node.value), facts.kinds.get(node.slice)
    if isinstance(array, Num) and isinstance(mask, Num) and mask.dtype == np.dtype(bool):
        return same_shape(array.shape, mask.shape)
    parts = ir.parts_of(node.slice)
    return all(_is_safe_index(p, facts) for p in parts)


def _is_element(node: Any, facts: Facts) -> bool:
    """Whether elements of an array are read, at places that may be anywhere."""
    if not isinstance(node, gast.Subscript) or not isinstance(facts.kinds.get(node.value), Num):
        return False
    parts = ir.parts_of(node.slice)
    return all(_is_safe_index(p, facts) or _is_place(facts.kinds.get(p)) for p in parts)


def _divides_integers(node: Any, facts: Facts) -> bool:
    """Whether an integer is divided by another, which may be zero."""
    match node:
        case gast.BinOp(left=left, op=gast.Mod() | gast.FloorDiv(), right=right):
            return all(_is_place(facts.kinds.get(part)) for part in (node, left, right))
    return False


def _is_place(kind: Kind | None) -> bool:
    return isinstance(kind, Num) and kind.dtype == np.dtype(int)


def _unpacks_surely(statement: ir.Statement, facts: Facts) -> bool:
    """Whether there are as many elements as names."""
    match statement:
        case ir.Assign(gast.Tuple(elts=targets) | gast.List(elts=targets), value):
            if isinstance(value, (gast.Tuple, gast.List)):
                return _displays_as_many(targets, value.elts)
            return _count_of(facts.kinds.get(value)) == len(targets)
    return True


def _displays_as_many(targets: Sequence[Any], values: Sequence[Any]) -> bool:
    """Whether what is written down has an element for each target, and no targets stand in each other."""
    if any(isinstance(target, (gast.Tuple, gast.List)) for target in targets):
        return False
    starred = ir.has_star(targets)
    enough = len(values) >= len(targets) - 1 if starred else len(values) == len(targets)
    return enough and not ir.has_star(values)


def _count_of(kind: Kind | None) -> int | None:
    """How many elements there are, where it is known."""
    match kind:
        case Tup(items=items, optional=False):
            return len(items)
        case Num(shape=(int(length), *_)):
            return length
    return None


def _may_not_run(statement: ir.Statement, facts: Facts) -> bool:
    """Whether what a loop runs over may be nothing to run over, its items no pairs, or a test have no answer."""
    match statement:
        case ir.For(target, over):
            item, kind = facts.items.get(over), facts.kinds.get(over)
            pairs = isinstance(target, (gast.Tuple, gast.List))
            if item is None or (pairs and _count_of(item) != len(target.elts)):
                return True
            array = isinstance(kind, Num) and kind.array and kind.shape
            return not (array or isinstance(kind, (Tup, Seq)))
        case ir.If(gast.Name(id=name) as test) | ir.While(gast.Name(id=name) as test):
            kind = facts.kinds.get(test)
            number = is_number(kind)
            return not (name.startswith(".") or number or isinstance(kind, (Tup, Seq, Known)))
    return False


def _is_sure(node: Any, facts: Facts) -> bool:
    """Whether the element or attribute that is read is there, and what is converted can be."""
    match node:
        case gast.Subscript():
            return _is_there(node, facts)
        case gast.Call():
            return _succeeds(node, facts)
        case gast.Attribute(value=base, attr=name):
            kind = facts.kinds.get(base)
            return not isinstance(kind, Opaque) or kind.part(name) is not None
    return True


def _is_there(node: Any, facts: Facts) -> bool:
    base, index = facts.kinds.get(node.value), literal_of(node.slice)
    if isinstance(base, Tup):
        return isinstance(node.slice, gast.Slice) or base.position(index) is not None
    parts = ir.parts_of(node.slice)
    if all(isinstance(part, gast.Slice) or type(literal_of(part)) is not int for part in parts):
        return not (isinstance(base, (Opaque, Known)) and index is not ABSENT)
    shape = base.shape if isinstance(base, Num) and base.known else None
    if shape is None or len(parts) > len(shape):
        return False
    return all(_is_in(part, length) for part, length in zip(parts, shape, strict=False))


def _is_in(part: Any, length: Length) -> bool:
    if isinstance(part, gast.Slice):
        return True
    place = literal_of(part)
    return isinstance(place, int) and isinstance(length, int) and -length <= place < length


def _succeeds(call: Any, facts: Facts) -> bool:
    """Whether a call raises for no argument of these kinds."""
    callee = facts.callees.get(call)
    if callee is None or isinstance(callee.function, str):
        return True
    kinds = [facts.kinds.get(argument) for argument in callee.args]
    if callee.function in (int, float):
        return all(isinstance(kind, Num) and kind.dtype is not None for kind in kinds)
    if callee.function in _RUNNING_OVER:
        return True
    if callee.function is range and all(map(_is_place, kinds)):
        return len(kinds) < 3 or literal_of(callee.args[2]) not in (ABSENT, 0)
    result = facts.kinds.get(call)
    told = isinstance(result, Num) and result.known
    return told or not (callee.args[1:] or callee.keywords)


def _is_safe_index(part: Any, facts: Facts) -> bool:
    counter = isinstance(part, gast.Name) and part.id in facts.counters
    return counter or isinstance(part, gast.Slice) or literal_of(part) is not ABSENT


def _operation(node: Any, facts: Facts) -> bool:
    """Arithmetic of shapes that are known to fit, and no division that could fail."""
    a, b = facts.kinds.get(node.left), facts.kinds.get(node.right)
    if isinstance(node.op, _MAY_RAISE) or not (isinstance(a, Num) and isinstance(b, Num)):
        return False
    if isinstance(node.op, gast.MatMult):
        return _multiply(a, b)
    literal = isinstance(node.right, gast.Constant) and bool(node.right.value)
    never_zero = literal or is_never_zero(b.value)
    if a.shape is None or b.shape is None or not (a.known and b.known):
        return (a.is_scalar or b.is_scalar) and (never_zero or not isinstance(node.op, _DIVISIONS))
    if isinstance(node.op, _DIVISIONS) and a.is_scalar and b.is_scalar:
        return never_zero or _is_of_numpy(node.left, facts)
    return _fit([a.shape, b.shape])


def _multiply(a: Kind | None, b: Kind | None) -> bool:
    """Whether vectors or matrices have a product for sure."""
    shapes = [kind.shape for kind in (a, b) if isinstance(kind, Num) and kind.known]
    match shapes:
        case [(*_, inner) as left, (first, *rest)] if len(left) <= 2 and len(rest) <= 1:
            return same_length(inner, first)
    return False


def _are_of_one_length(a: Kind | None, b: Kind | None) -> bool:
    """Whether there are two vectors with as many elements for sure."""
    vectors = [k.shape for k in (a, b) if isinstance(k, Num) and k.known and k.shape]
    return len(vectors) == 2 and len(vectors[0]) == 1 and same_shape(*vectors)


_OF_TWO = {np.matmul: _multiply, np.dot: _multiply, np.trapezoid: _are_of_one_length}
"""What never fails for two arrays that fit in this way."""


def _fit(shapes: Sequence[Shape]) -> bool:
    """Whether arrays of these shapes broadcast for sure: numbers do with anything."""
    arrays = [shape for shape in shapes if shape]
    return len(arrays) < 2 or broadcast_for_sure(arrays)


def _is_of_numpy(node: Any, facts: Facts) -> bool:
    """Whether this is a number of NumPy's for sure, whose divisions warn, but do not fail."""
    while isinstance(node, gast.UnaryOp):
        node = node.operand
    callee, kind = facts.callees.get(node), facts.kinds.get(node)
    if not (isinstance(kind, Num) and kind.is_float and not kind.weak):
        return False
    match node:
        case gast.BinOp(op=gast.MatMult()):
            return True
        case gast.BinOp(left=left, right=right):
            return _is_of_numpy(left, facts) or _is_of_numpy(right, facts)
    return callee is not None and callee.rule is not None and callee.rule.law == "reduction"


def _holds_numbers(kind: Kind | None) -> bool:
    """Whether this is a sequence of numbers for sure."""
    items = kind.items if isinstance(kind, Tup) else (kind.item,) if isinstance(kind, Seq) else ()
    numbers = all(isinstance(item, Num) and item.known and item.is_scalar for item in items)
    return bool(items) and numbers and not getattr(kind, "optional", False)


_RUNNING_OVER = (zip, enumerate, reversed, itertools.pairwise)


def _has_elements(node: Any, facts: Facts) -> bool:
    """Whether this is an array with axes, a list, tuple or range, which can be run over as often as one likes."""
    if facts.function_of(node) is range:
        return True
    kind = facts.kinds.get(node)
    if isinstance(kind, Num):
        return bool(kind.array and kind.shape)
    return isinstance(kind, (Tup, Seq)) and not kind.optional


_OF_SOMETHING: tuple[Any, ...] = (
    np.max, np.min, np.ptp, np.nanmax, np.nanmin, np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.quantile,
    np.percentile, np.nanquantile, np.nanpercentile,
)  # fmt: skip
"""What raises where an array has no elements."""


def _takes(function: Any, kinds: Sequence[Kind | None]) -> bool:
    """Whether a function surely takes these shapes: there is something, or one number."""
    first = kinds[0] if kinds else None
    if not isinstance(first, Num):
        return True
    if function in (int, float):
        return not first.array or first.shape == ()
    if any(function is one for one in _OF_SOMETHING):
        return first.is_scalar or (first.known and all(map(is_never_zero, first.shape or ())))
    return True


_OF_SHAPES = frozenset({
    np.asarray, np.asanyarray, np.array, np.copy, np.ndarray.copy, np.ascontiguousarray, np.atleast_1d, np.atleast_2d,
    np.atleast_3d, np.expand_dims, np.squeeze, np.ravel, np.reshape, np.ndarray.flatten, np.transpose, np.permute_dims,
    np.matrix_transpose, np.swapaxes, np.moveaxis, np.rollaxis, np.flip, np.fliplr, np.flipud, np.rot90, np.roll,
    np.diag, np.diagonal, np.triu, np.tril,
})  # fmt: skip
"""What raises for some shapes and options, whatever the numbers are."""


def _takes_any_array(callee: Callee, facts: Facts) -> bool:
    """Whether a function of shapes takes all arrays of so many axes: empty ones, of one element, and of several.

    All else that it is given has to stand there, and no copy=False: that asks for the layout of memory.
    """
    kind = facts.kinds.get(callee.args[0]) if callee.args else None
    if not (isinstance(kind, Num) and kind.known and kind.array) or kind.optional or kind.or_list:
        return False
    options = [literal_of(option) for option in callee.args[1:]]
    named = {name: literal_of(option) for name, option in callee.keywords.items()}
    if ABSENT in options or ABSENT in named.values() or "copy" in named:
        return False
    try:
        for length in range(3):
            array = np.empty((length,) * len(kind.shape or ()), kind.dtype)
            callee.function(array, *options, **named)
    except (TypeError, ValueError):  # an axis that isn't there is a ValueError as well
        return False
    return True


def _call(callee: Callee | None, facts: Facts) -> bool:
    if callee is None or callee.user is not None:
        return False
    function = callee.function
    if getattr(function, "__module__", None) == "math":
        return False
    if not _takes(function, [facts.kinds.get(a) for a in callee.args]):
        return False
    try:
        if function in CONSTANT or function in CONSTRUCTORS:
            return True
        rules = RULES.get(function)
    except TypeError:
        return False
    kinds = [facts.kinds.get(a) for a in callee.args]
    if function is sum and len(kinds) == 1 and not callee.keywords:
        return _holds_numbers(kinds[0])
    if function in _RUNNING_OVER and not callee.keywords:
        return all(_has_elements(a, facts) for a in callee.args)
    if function in _OF_TWO and len(kinds) == 2 and not callee.keywords:
        return _OF_TWO[function](*kinds)
    law = rules[0].law if rules else ""
    return _by_law(law, kinds) or (function in _OF_SHAPES and _takes_any_array(callee, facts))


def _by_law(law: str, kinds: Sequence[Kind | None]) -> bool:
    """Whether a function of this law surely takes these shapes."""
    if law not in ("elementwise", "reduction"):
        return False
    shapes = [k.shape for k in kinds if isinstance(k, Num) and k.shape is not None]
    return (len(shapes) == len(kinds) and _fit(shapes)) or law == "reduction"
