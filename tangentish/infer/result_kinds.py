"""The kinds of what functions with rules give."""

from __future__ import annotations

import bisect
import math
import operator
from collections.abc import Collection, Sequence
from typing import Any, TypeGuard

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.index_arrays import is_index_maker, kind_of_indices, made_together
from tangentish.infer.interpolants import is_of_interpolants, kind_looked_up
from tangentish.infer.literals import literal_of
from tangentish.infer.numbers_given import NUMBERS_GIVEN, kind_of_number_given
from tangentish.infer.one_of_several import CHOOSING, kind_of_one
from tangentish.infer.powers import POWERS, kind_of_power, takes_parts
from tangentish.infer.splits import SPLITS
from tangentish.infer.types_of_values import is_path
from tangentish.infer.walk import Walk
from tangentish.kinds import (
    NO_BUFFERS,
    UNKNOWN,
    Kind,
    Known,
    Num,
    Opaque,
    Seq,
    Tup,
    has_complex,
    is_number,
    replace,
    scalar,
    with_parts,
)
from tangentish.kinds.cross_products import are_vectors_of_space
from tangentish.kinds.elementwise_kinds import elementwise_kind
from tangentish.kinds.lengths import Length, broadcast, is_longer_than_one, is_never_zero
from tangentish.kinds.probe import probe_kind, probe_numbers
from tangentish.kinds.trials import Literal
from tangentish.rules import CONSTANT, RULES
from tangentish.rules.registry import COMPLEX_AT_REST, MAY_BE_COMPLEX
from tangentish.rules.rule import ABSENT
from tangentish.runtime import integer, number, places

UNSHAPED = Num(None, None, None)
MADE_OF_A_SHAPE: dict[Any, int] = {np.zeros: 1, np.ones: 1, np.empty: 1, np.full: 2}
"""What makes an array of a shape, and where its dtype stands."""
MADE_AS_ANOTHER = {np.zeros_like: 1, np.ones_like: 1, np.empty_like: 1, np.full_like: 2}
"""What makes an array that is like another one, or like a number; and where its dtype stands."""
FINDING_PLACES = (bisect.bisect_left, bisect.bisect_right)
"""What gives a place in any sequence."""
TAKING_ANYTHING = (*FINDING_PLACES, print)
"""What may be given values of any types beside those that carry a derivative."""
KEEPING_SHAPES = (np.roll, np.fft.fftshift, np.fft.ifftshift)
"""What moves the elements of an array, along any axes that it is given."""
KEEPING_RANKS = (np.moveaxis, np.swapaxes, np.rollaxis)
"""What moves any axes of an array."""
ASKING = (integer, number, places)
"""What raises where it is given anything else than it is meant for."""
MEASURES = (np.shape, np.ndim, np.size)


def _shape_asked(function: Any, args: list[Any], keywords: dict[str, Any]) -> Any | None:
    """The shape of the view that a function makes of its first argument, where it is an argument."""
    if function is np.broadcast_to or function is np.lib.stride_tricks.as_strided:
        return args[1] if len(args) > 1 else keywords.get("shape")
    return None


class ResultKinds(Walk):
    """The part of the walk that knows what functions give, by their laws or by trying them."""

    def result_kind(self, function: Any, args: list[Any], keywords: dict[str, Any]) -> Kind:
        self.facts.asks |= function in ASKING
        self.facts.updates_others |= function is number
        self.facts.by_lengths |= function is np.cross
        if function in (any, all):
            return scalar(bool)
        if function in FINDING_PLACES and "key" not in keywords:
            return scalar(int)
        listed = [k for k in map(self.kind, args[:1]) if isinstance(k, Seq)]
        if listed:
            return self.kind_of_joined(function, listed[0], args, keywords)
        kinds = [self.kind(a) for a in args]
        chosen = kind_of_one(kinds) if function in CHOOSING and not keywords else None
        return chosen or self.kind_by_law(function, args, keywords, kinds)

    def kind_by_law(
        self, function: Any, args: list[Any], keywords: dict[str, Any], kinds: list[Kind]
    ) -> Kind:
        found = kind_of_number_given(function, kinds)
        if found is None and not keywords:
            found = self.kind_of_plain(function, args, kinds)
        if found is not None:
            return found
        if function in MEASURES and len(args) == 1 and isinstance(kinds[0], Num):
            attribute = gast.Attribute(args[0], function.__name__, gast.Load())
            return self.array_attribute(attribute, kinds[0])
        shapes = [kind.items for kind in kinds if isinstance(kind, Tup)]
        if function is np.broadcast_shapes and len(shapes) == len(kinds):
            lengths = broadcast([tuple(getattr(n, "value", None) for n in s) for s in shapes])
            return Tup(tuple(map(scalar_length, lengths)))
        if is_of_interpolants(function) and isinstance(kinds[1], Num):
            return kind_looked_up(kinds)
        shape = _shape_asked(function, args, keywords)
        if shape is not None:
            kind = self.reshaped(kinds[0], shape)
            return replace(kind, contiguous=False) if isinstance(kind, Num) else kind
        arguments = [self.argument(a) for a in args]
        named = {k: self.argument(a) for k, a in keywords.items()}
        probed = probe_kind(function, arguments, named)
        active = any(k.active for k in kinds)
        if probed is UNKNOWN and function in SPLITS and isinstance(kinds[0], Num):
            return Seq(_any_part(function, kinds[0]))
        moved = _moved(function, kinds) if probed is UNKNOWN else None
        if moved is not None:
            return moved
        if probed is UNKNOWN:
            return self.kind_without_trial(function, args, keywords, kinds)
        return made_together(function, _perhaps_complex(function, probed, active))

    def kind_without_trial(
        self, function: Any, args: list[Any], keywords: dict[str, Any], kinds: list[Kind]
    ) -> Kind:
        """The kind of a call of which no trial on stand-ins tells anything."""
        if "initial" in keywords:  # a number, whichever it is
            others = {k: v for k, v in keywords.items() if k != "initial"}
            kind = self.kind_by_law(function, args, others, kinds)
            return replace(kind, dtype=None, weak=False) if isinstance(kind, Num) else kind
        if function in MADE_OF_A_SHAPE:
            return self.made_of_a_shape(function, args, keywords)
        asked = self.asked_dtype(function, args, keywords)
        if function in MADE_AS_ANOTHER and isinstance(kinds[0], Num):
            as_the_other = "dtype" not in keywords and len(args) <= MADE_AS_ANOTHER[function]
            like = kinds[0] if as_the_other else UNSHAPED
            axes = kinds[0].has_axes and "shape" not in keywords
            return Num(asked or like.dtype, None, True, or_int=like.or_int, axes=axes)
        active = any(k.active for k in kinds)
        return Num(asked, None, None) if asked else _least_known(function, active)

    def function_with_rows(
        self, function: Any, args: Sequence[Any], keywords: dict[str, Any]
    ) -> Any:
        """The function of which the rows are taken: vectors of three elements have simpler ones."""
        if function is not np.cross or len(args) != 2:
            return function
        varying = [a for a in args if self.kind(a).active]
        named = {k: self.argument(a) for k, a in keywords.items()}
        of_space = are_vectors_of_space([self.argument(a) for a in varying], named)
        return np.linalg.cross if of_space else function

    def kind_of_plain(self, function: Any, args: list[Any], kinds: list[Kind]) -> Kind | None:
        """The kind of a call without keywords, where more is known of it than a call on stand-ins tells."""
        law = RULES[function][0].law if function in RULES else None
        if is_index_maker(function, len(args)):
            return kind_of_indices(function, kinds) or UNKNOWN
        of_numbers = all(isinstance(k, Num) for k in kinds)
        if law == "elementwise" and of_numbers and _is_elementwise(function, args):
            numbers = elementwise_kind(function, kinds)
            if numbers.array is None and function in NUMBERS_GIVEN:
                return scalar(NUMBERS_GIVEN[function])
            return self.of_python(numbers, kinds, args) if function in POWERS else numbers
        if function is np.reshape and len(args) == 2:
            kind, base = self.reshaped(kinds[0], args[1]), kinds[0]
            if (
                isinstance(base, Num)
                and isinstance(kind, Num)
                and kind.shape == ()
                and not base.weak
            ):
                return replace(kind, array=base.array)  # NumPy's numbers give numbers
            return kind
        if len(args) != 1:
            return None
        return _kind_of_one(function, law, kinds[0])

    def of_python(self, kind: Num, kinds: Sequence[Kind], args: Sequence[Any]) -> Num:
        """The kind of a power of Python's numbers: complex, perhaps."""
        at_rest = not self.cached and not any(k.active for k in kinds)
        if not at_rest or self.function is None:
            return kind
        asks = takes_parts(self.function)
        return kind_of_power(kind, kinds, args, self.bindings(), asks)

    def made_of_a_shape(self, function: Any, args: Sequence[Any], keywords: dict[str, Any]) -> Kind:
        """The kind of np.zeros(shape) and the like, where the shape is not known."""
        place = MADE_OF_A_SHAPE[function]
        asked = keywords.get("dtype", args[place] if len(args) > place else None)
        if asked is not None:
            return Num(self.dtype_of(asked), None, True)
        return Num(None if function is np.full else np.dtype(float), None, True)

    def asked_dtype(
        self, function: Any, args: Sequence[Any], keywords: dict[str, Any]
    ) -> np.dtype[Any] | None:
        """The dtype that a call asks for by an argument of that name, where it is known."""
        for rule in RULES.get(function, ()):
            bound = rule.bind(args, keywords)
            if bound is not None and "dtype" in bound:
                return self.dtype_of(bound["dtype"])
        return None

    def dtype_of(self, node: Any) -> np.dtype[Any] | None:
        """The dtype that an argument names, where it is known and names one."""
        kind = self.kind(node)
        asked = kind.value if isinstance(kind, Known) else self.flag(node)
        if asked is ABSENT:
            asked = self.record_type(node)
        if not isinstance(asked, (type, np.dtype, str, list, dict)):
            return None
        try:
            return np.dtype(asked)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return None

    def known_dtype(self, node: Any) -> bool | None:
        """x.dtype == "O", x.dtype != object: of an array of numbers, which is none of another sort"""
        match node:
            case gast.Compare(
                left=gast.Attribute(value=asked, attr="dtype"),
                ops=[gast.Eq() | gast.NotEq() as op],
                comparators=[other],
            ):
                kind, dtype = self.kind(asked), self.dtype_of(other)
            case _:
                return None
        own = kind.dtype if isinstance(kind, Num) and kind.array and not kind.or_int else None
        if own is None or dtype is None or own.kind == dtype.kind or not is_path(asked):
            return None
        return isinstance(op, gast.NotEq)

    def record_type(self, node: Any) -> object:
        """The list or dict outside that names the fields of records: whatever stands in it, it is of records."""
        if not isinstance(node, gast.Name) or ir.is_value(node.id) or node.id in self.scope:
            return None
        try:
            held = self.source.lookup(node.id)
        except NameError:
            return None
        return held if isinstance(held, (list, dict)) else None

    def kind_of_joined(
        self, function: Any, listed: Seq, args: list[Any], keywords: dict[str, Any]
    ) -> Kind:
        """The kind of what is made of a list of unknown length: what lists of two and of three have in common."""
        item = listed.item
        if function in (sum, math.fsum) and isinstance(item, Num):
            total = elementwise_kind(operator.add, [scalar(int), item])
            narrow = item.dtype is not None and item.dtype != np.dtype(float) and not item.weak
            # of none it is 0, which is no float32
            if narrow and not item.is_complex and item.is_scalar and isinstance(total, Num):
                return replace(total, dtype=None)
            starts = list(map(self.kind, (*args[1:], *keywords.values())))
            return elementwise_kind(operator.add, [*starts, total]) if starts else total
        stacks = function in (np.array, np.asarray, np.stack) and len(args) == 1 and not keywords
        stacked = _stacked(listed) if stacks else None
        if stacked is not None:
            return _perhaps_of_none(stacked, function, listed)
        others = [self.argument(a) for a in args[1:]]
        named = {k: self.argument(a) for k, a in keywords.items()}
        kind, other = (
            probe_kind(function, [_of_length(listed, n), *others], named) for n in (2, 3)
        )
        if isinstance(kind, Num) and kind.shape is not None:
            same = isinstance(other, Num) and other.rank == kind.rank and _has_rows(listed)
            known = replace(kind, shape=(None,) * len(kind.shape) if same else None)
            return _perhaps_of_none(known, function, listed)
        return Num(None, None, None)

    def reshaped(self, base: Kind, shape: Any) -> Num | Opaque:
        """The kind of np.reshape(x, shape)."""
        wanted = self.kind(shape)
        parts = wanted.items if isinstance(wanted, Tup) else (wanted,)
        if not isinstance(base, Num) or not all(map(is_number, parts)):
            return Num(base.dtype, None, None) if isinstance(base, Num) else UNKNOWN
        lengths = tuple(p.value for p in parts if isinstance(p, Num))
        if base.rank == 1 and len(lengths) == 1 and lengths[0] is None and base.shape is not None:
            literal = literal_of(shape.elts[0] if isinstance(shape, gast.Tuple) else shape)
            lengths = base.shape if literal == -1 else lengths
        return Num(base.dtype, lengths, True, contiguous=base.contiguous)

    def argument(self, node: Any) -> Kind | Literal:
        value = self.literal(node)
        return self.kind(node) if value is ABSENT else Literal(value)

    def literal(self, node: Any) -> object:
        """The value of a literal, or of a name that is known to stand for one."""
        match self.kind(node) if isinstance(node, gast.Name) else None:
            case Num(literal=int(axis)):
                return axis
        return self.flag(node)

    def flag(self, node: Any) -> object:
        """The value of a literal, or of a name or a choice known to be true or false, a text, or None."""
        match self.kind(node) if isinstance(node, (gast.Name, gast.IfExp)) else None:
            case Known(value=bool() | str() | None as flag):
                return flag
        return literal_of(node)

    def written_out(self, node: Any) -> Any:
        """The literal that a name stands for."""
        value = self.literal(node)
        if value is ABSENT or not isinstance(node, gast.Name):
            return node
        literal = gast.copy_location(gast.Constant(value, None), node)
        self.facts.kinds[literal] = self.kind(node)
        return literal

    def length(self, kind: Kind) -> Kind:
        match kind:
            case Num(shape=shape) if shape and kind.array:
                return scalar_length(shape[0])
            case Tup(items=items, is_object=False):
                return Num(np.dtype(int), (), False, weak=True, value=len(items))
            case Seq(length=length):
                return scalar_length(length)
        return scalar(int)

    def with_known_numbers(
        self,
        kind: Kind,
        function: Any,
        args: list[Any],
        keywords: dict[str, Any],
        node: Any,
        active: bool,
    ) -> Kind:
        """Whether the result of a function of complex numbers is complex, which the adjoint depends on."""
        if not (isinstance(kind, Opaque) or (isinstance(kind, Num) and kind.dtype is None)):
            return kind
        named = {k: self.argument(a) for k, a in keywords.items()}
        found = probe_numbers(function, [self.argument(a) for a in args], named)
        if found is None:
            if active:
                self.refuse("it is not known whether this is complex", node)
            return kind
        return replace(kind if isinstance(kind, Num) else UNSHAPED, dtype=found.dtype)


def _of_length(kind: Kind | None, length: int) -> Kind:
    """A list of unknown length as one of this length, as are those in it."""
    if not isinstance(kind, Seq):
        return kind or UNKNOWN
    return Tup((_of_length(kind.item, length),) * length, is_list=True)


def _perhaps_of_none(kind: Num, function: Any, listed: Seq) -> Num:
    """What is made of a list that may be empty: then it is one of float64, whatever stood in the list otherwise."""
    known = kind.dtype is None or kind.dtype.kind != "f" or kind.dtype == np.dtype(float)
    if known or function in OF_SOME or is_never_zero(listed.length):
        return kind
    return replace(kind, dtype=None)


OF_SOME = (np.stack, np.concatenate, np.vstack, np.hstack, np.dstack, np.column_stack, np.block)
"""What raises for an empty list."""


def _stacked(listed: Seq) -> Num | None:
    """The kind of np.array(xs), of a list of arrays of one shape, or of lists of such."""
    item = listed.item
    if isinstance(item, Seq) and _has_rows(listed):
        item = _stacked(item)
    if isinstance(item, Num) and item.known and item.shape is not None:
        return Num(item.dtype, (listed.length, *item.shape), True, contiguous=True)
    return None


def _has_rows(listed: Seq) -> bool:
    """Whether the lists in a list give the array that is made of it an axis: of none it has no second one."""
    item = listed.item
    return not isinstance(item, Seq) or (is_never_zero(listed.length) and _has_rows(item))


def _least_known(function: Any, active: bool) -> Kind:
    """The kind of a result of which the arguments tell nothing."""
    if active and function not in CONSTANT:
        return Num(None, None, None)
    if function in (np.array, np.asarray):
        return Num(None, None, True)
    given = NUMBERS_GIVEN.get(function)
    return UNKNOWN if given is None else scalar(given)


def _is_array(kinds: Sequence[Kind]) -> TypeGuard[Sequence[Num]]:
    """Whether the first of these is an array."""
    return bool(kinds) and isinstance(kinds[0], Num) and kinds[0].array is True


def _moved(function: Any, kinds: Sequence[Kind]) -> Num | None:
    """The kind of an array whose elements or axes are moved, whichever they are."""
    if not _is_array(kinds) or function not in KEEPING_SHAPES + KEEPING_RANKS:
        return None
    array = kinds[0]
    if function in KEEPING_RANKS and array.shape is not None:
        array = replace(array, shape=(None,) * len(array.shape))
    return replace(array, buffers=NO_BUFFERS, contiguous=False)


def _any_part(function: Any, whole: Num) -> Num:
    """The kind of one of the parts of an array, where it is not known how many they are."""
    lost = function is np.unstack
    shape = None if whole.shape is None else (None,) * (len(whole.shape) - lost)
    return Num(whole.dtype, shape, None if lost and not shape else True)


def _perhaps_complex(function: Any, kind: Kind, active: bool) -> Kind:
    """The kind of what may be complex as the data have it."""
    if active:
        return _complex(kind) if function in MAY_BE_COMPLEX else kind
    is_open = function in MAY_BE_COMPLEX or function in COMPLEX_AT_REST
    return _real_or_complex(kind) if is_open else kind


def _complex(kind: Kind) -> Kind:
    """The kind of complex numbers in place of real ones."""
    if isinstance(kind, Num) and kind.dtype is not None:
        return replace(kind, dtype=np.result_type(kind.dtype, np.complex64))
    return with_parts(kind, _complex)


def _real_or_complex(kind: Kind) -> Kind:
    """The kind of numbers of which the program shows whether they are complex: where they meet what varies, it asks."""
    if isinstance(kind, Num):
        return kind if kind.is_complex else replace(kind, dtype=None)
    return with_parts(kind, _real_or_complex)


def _may_lose_axes(kind: Kind) -> bool:
    """Whether it depends on lengths that are not known how many axes np.squeeze takes away."""
    return isinstance(kind, Num) and any(
        n != 1 and not is_longer_than_one(n) for n in kind.shape or ()
    )


def _is_elementwise(function: Any, args: list[Any]) -> bool:
    """Whether a function goes by elements with these arguments: `max(x, z)` does, `max(x)` does not."""
    return any(r.law == "elementwise" and r.bind(args, {}) is not None for r in RULES[function])


def _kind_of_one(function: Any, law: str | None, kind: Kind) -> Kind | None:
    """The same of a call with one argument."""
    if function is np.squeeze and _may_lose_axes(kind):
        return Num(getattr(kind, "dtype", None), None, True)
    if function in (np.array, np.asarray) and isinstance(kind, Opaque):
        return _array_of(kind)
    if not isinstance(kind, Num):
        return None
    of_ufunc = isinstance(getattr(function, "__self__", None), np.ufunc)  # reduces axis 0
    reduces = law == "reduction" and not of_ufunc and not kind.known
    is_float = kind.is_float and (kind.active or kind.dtype is not None)
    if not reduces and not (function is np.ndarray.item and is_float):
        return None
    scalar_kind = probe_kind(function, [Num(kind.dtype, (1,), True)], {})
    return scalar_kind if isinstance(scalar_kind, Num) else Num(None, (), False)


def _array_of(listed: Opaque) -> Kind | None:
    """The kind of np.array(WEIGHTS), of a list or tuple of numbers in the module, and of np.array(range(n))."""
    if listed.type is range:
        return Num(np.dtype(int), (None,), True, contiguous=True)
    item = listed.item if listed.type in (list, tuple) else None
    if is_number(item) and item.dtype is not None:
        return Num(item.dtype, (None,), True, contiguous=True)
    return None


def scalar_length(length: Length) -> Num:
    return Num(np.dtype(int), (), False, weak=True, value=length)


def numbers_of(function: Any, result: Kind, operands: Collection[Kind]) -> str:
    """Which numbers take part in a call; of those that give complex ones always, axes need not be known."""
    unshaped = isinstance(result, Opaque) or (isinstance(result, Num) and result.dtype is None)
    is_sure = unshaped and function not in MAY_BE_COMPLEX and function not in COMPLEX_AT_REST
    rows = RULES.get(function, ()) if is_sure else ()
    of_complex = bool(rows) and not any(rule.is_for("real") for rule in rows)
    first = next(iter(operands), UNKNOWN)
    if of_complex and isinstance(first, Num) and first.dtype is not None:
        return "complex"
    return numbers_among(result, operands)


def numbers_among(result: Kind, operands: Collection[Kind]) -> str:
    """Which numbers take part in an operation, as rules tell them (Rule.is_for)."""
    if has_complex(result) or any(map(has_complex, operands)):
        return "complex"
    if isinstance(result, Num) and result.weak:
        return "Python"
    perhaps = any(isinstance(kind, Num) and kind.or_weak for kind in operands)
    return "perhaps Python" if perhaps else "real"
