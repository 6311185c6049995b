"""The tangents of values: zeros, of the value's type, in memory of their own where that counts; names and places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.expressions import copied, is_number_made
from tangentish.algebra.new_values import marked
from tangentish.algebra.zeros import still
from tangentish.errors import Refusal
from tangentish.ir.origins import NOWHERE, origin_of
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Known, Num, Seq, Tup, buffers_of, is_number, replace
from tangentish.language.webs import map_statement
from tangentish.tangent.forward_lists import ForwardLists


@dataclass
class ForwardValues(ForwardLists):
    """What the tangent of a value needs to be beside it."""

    needed: frozenset[str] = field(kw_only=True)  # the values that have tangents
    parameters: tuple[str, ...] = field(kw_only=True)
    borrowed: set[Any] = field(default_factory=set)  # memory whose tangent is in another's memory
    handed_out: frozenset[Any] = (
        frozenset()
    )  # memory of elements of lists that others get, and may write to

    def refuse(self, message: str, node: Any) -> None:
        self.missing.append(Refusal(message, node))

    def is_needed(self, target: Any) -> bool:
        root = ir.root_of(target)
        return isinstance(root, gast.Name) and root.id in self.needed

    # -- names for parts

    def shown(self, expression: Any, is_written: bool = False) -> Any:
        """The expression with its named parts replaced by their names, but for what is written to."""

        def change(node: Any) -> Any:
            named = node in self.temporaries
            return self.named(self.temporaries[node], self.kind(node)) if named else None

        copied = ir.copy_target if is_written else ir.copy_expression
        return copied(expression, change)

    def temporary_lines(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        """Names for the parts that tangents read, in the order of evaluation."""
        origin = origin_of(statement)
        for expression in ir.expressions_of(statement):
            for node in dict.fromkeys(n for n in ir.evaluated(expression) if n in self.temporaries):
                name = self.temporaries.pop(node)
                inner = self.shown(node)
                self.temporaries[node] = name
                if node in self.made_copies:
                    inner = quote(self.copying(node), x=inner)
                yield ir.Assign(ir.name(name), inner, origin)

    def plain(self, statement: ir.Statement) -> ir.Statement:
        """The user's statement, in which named parts stand by their names."""
        written = statement.target if isinstance(statement, ir.Update) else None
        return map_statement(statement, lambda e: self.shown(e, e is written), lambda block: block)

    # -- zeros, types, memory

    def owned(self, value: Any, target: Any) -> Any:
        if isinstance(value, (gast.Tuple, gast.List)) and isinstance(self.kind(value), Tup):
            return type(value)([self.owned(e, target) for e in value.elts], gast.Load())
        e = self.full_tangent(value)
        return self.zeros(value) if e is None else self.own(self.typed(e, value), value, target)

    def zero(self, target: Any) -> Any:
        """The tangent of a value that does not vary."""
        if isinstance(self.kind(target), Seq):
            return still(marked(target, self), self.kind(target))
        kind = self.number(target)
        if kind.is_scalar or isinstance(self.kind(target), Known):
            return constant(0.0)
        new = marked(target, self)
        if kind.array is None:
            return quote("full(0.0, {x})", x=new)
        if kind.dtype is not None and kind.dtype.kind not in "fc":
            return quote("np.zeros({x}.shape)", x=new)
        return quote("np.zeros_like({x})", x=new)

    def typed(self, e: Any, value: Any) -> Any:
        """The tangent with the type of its value."""
        want, have = self.number(value), self.number(e)
        if isinstance(self.kind(value), (Seq, Tup)):
            return e
        if want.weak and want.is_scalar and not want.is_complex:
            unsure = have.array is not False or (self.mixed and not have.weak)
            return quote("float({e})", e=e) if unsure else e
        if want.is_scalar and have.array is not False and not is_number_made(e):
            # an array without axes would be written to where a number is made anew
            e = quote("+{e}", e=e)
            have = replace(want, dtype=have.dtype)
            self.with_kind(e, have)
        if want.is_complex and not have.is_complex and want.array is not False:
            return quote("cast({e}, {x})", e=e, x=self.like_typed(value))
        if not self.mixed or (want.dtype is not None and want.has_dtype_of(have) and not have.weak):
            return e
        if have.weak and have.is_scalar and want.is_scalar and want.is_double:
            return e
        new = quote("cast({e}, {x})", e=e, x=self.like_typed(value))
        return self.with_kind(new, Num(None, None, None, buffers=have.buffers))

    def like_typed(self, value: Any) -> Any:
        return self.result_of(value) if not self.is_cheap(value) else value

    def own(self, e: Any, value: Any, target: Any = None) -> Any:
        """A copy where the tangent shares memory that is written to, and the value does not.

        target: the name or place that gets the value; None where a call does.
        """
        own = {b.site for b in buffers_of(self.kind(value))}
        name = getattr(ir.root_of(target), "id", "")
        held = own if target is None else self.facts.sites(name)
        written = {b.site for b in self.facts.written}
        if isinstance(self.kind(value), Seq):
            elsewhere = self.lent_elsewhere(value)
            apart = elsewhere and self.is_apart(held, elsewhere)
            return _copied_apart(e, self.kind(value)) if apart else e
        if self.number(e).is_scalar:
            is_array = self.number(value).array and written & held
            return quote("np.asarray({e})", e=e) if is_array else e  # an array without axes
        shared = self.shared_sites(e) - own
        to_read = _is_only_to_read(e)
        others_write = self.handed_out & (own | held)
        if shared and (others_write or written & (shared | own | held)):
            return copied(e, self.number(e))
        if to_read and (others_write or written & held):
            return copied(e, self.number(e))
        self.borrowed |= held if shared or to_read else set()
        layout = self.number(value).contiguous and not self.number(e).contiguous
        if layout and written & held:
            known = self.number(value).rank  # else it may have no axes, and keeps that
            text = "np.ascontiguousarray({e})" if known else 'np.copy({e}, order="C")'
            return quote(text, e=e)
        return e

    def stored(self, e: Any, value: Any, target: Any) -> Any:
        """A copy where a tangent is a view of the array that it is stored to, and its value is none (`1.0 * x[1:]`)."""
        there = self.facts.sites(getattr(ir.root_of(target), "id", ""))
        own = {b.site for b in self.number(value).buffers}
        is_view = self.shared_sites(e) & there and not own & there
        return copied(e, self.number(e)) if is_view else e

    def own_parts(self, value: Any, parts: Iterable[tuple[Any, Any]]) -> Iterator[ir.Statement]:
        """Copies of tangents that share memory which is written to, and their values do not."""
        elsewhere = self.lent_elsewhere(value)
        for target, dot in parts:
            held = self.facts.sites(target.id)
            if elsewhere and dot.id != "_" and self.is_apart(held, elsewhere):
                copy = _copied_apart(ir.name(dot.id), self.kind(target))
                yield ir.Assign(ir.name(dot.id), copy, NOWHERE)

    def lent_elsewhere(self, value: Any) -> set[Any]:
        """The memory that the tangent of a value is a view of, and the value is not."""
        own = {b.site for b in buffers_of(self.kind(value))}
        return {b.site for b in self.lent(value)} - own

    def is_apart(self, held: Set[Any], elsewhere: Set[Any]) -> bool:
        """Whether the tangent of what lies in `held` must not lie elsewhere; if not, that is noted."""
        written = any(b.site in held or b.site in elsewhere for b in self.facts.written)
        if written or self.handed_out & held:
            return True
        self.borrowed |= held
        return False

    def reads_memory(self, e: Any, name: str) -> bool:
        """Whether an expression reads the memory of a name, under that name or another."""
        names = [n for n in ir.names_in(e) if ir.is_value(n) and not _is_tangent(n)]
        return any(n == name or self.facts.sites(n) & self.facts.sites(name) for n in names)

    def shared_sites(self, e: Any) -> frozenset[Any]:
        """The memory that an expression of tangents may share."""
        mine = {b.site for b in self.number(e).buffers}
        names = [node for node in ir.walk(e) if type(node) is gast.Name]
        kinds = [self.facts.kinds.get(node) for node in names]  # a name may be bound several times
        kinds += [self.facts.web_kinds.get(node.id) for node in names]
        return frozenset(
            b.site for kind in kinds if kind is not None for b in buffers_of(kind) if b.site in mine
        )

    def dot_of(self, target: Any) -> Any:
        return self.dot(target.id, self.kind(target))

    def slot(self, target: Any) -> Any:
        """The place of the tangent that belongs to `x[i]`."""
        path = self.stable_index(target)
        root = ir.root_of(path)
        dot = self.dot(root.id, self.kind(root))
        if path is root:
            return dot
        new = ir.copy_expression(
            path, lambda n: dot if n is root else n if type(n) is gast.Name else None
        )
        kind = self.kind(target)
        return self.with_kind(new, replace(kind, active=True) if isinstance(kind, Num) else kind)

    # -- results

    def result_tangent(self, value: Any, apart: bool) -> Any:
        """The tangent of a result; None for what carries none. `apart`: it shares memory with nothing."""
        kind = self.kind(value)
        if isinstance(kind, Seq) and value.id in self.needed:
            return self.dot_of(value)
        if not isinstance(kind, Num) or not kind.is_float:
            return constant(None)
        if value.id not in self.needed:
            return self.zeros(value)
        e, sites = self.dot_of(value), self.facts.sites(value.id)
        if kind.is_scalar or not (sites & self.borrowed or (apart and sites & self.outer())):
            return e
        if kind.optional:  # the tangent of None is 0.0
            return quote("None if {x} is None else {e}.copy()", x=value, e=e)
        return copied(e, kind)

    def outer(self) -> frozenset[Any]:
        """The memory of the arguments that is not copied on entry."""
        written = {b.site for b in self.facts.written}
        return frozenset().union(*map(self.facts.sites, self.parameters)) - written


_TO_READ = {"broadcast_to", "diag", "diagonal", "sliding_window_view"}


def _is_only_to_read(e: Any) -> bool:
    """Whether this is a view that NumPy gives only to be read, or a view of one."""
    match e:
        case gast.Call(func=gast.Attribute(value=inner, attr=name), args=args):
            of_array = isinstance(inner, gast.Name) and not ir.is_value(inner.id)
            whole = args[0] if of_array and args else inner
            return name in _TO_READ or (name in _VIEWS and _is_only_to_read(whole))
        case gast.Attribute(value=inner) | gast.Subscript(value=inner):
            return _is_only_to_read(inner)
    return False


_VIEWS = {  # what they give may be a view of their first argument
    *("reshape", "ravel", "transpose", "swapaxes", "moveaxis", "squeeze", "expand_dims", "flip"),
    *(
        "real",
        "imag",
        "asarray",
        "ascontiguousarray",
        "atleast_1d",
        "atleast_2d",
        "fliplr",
        "flipud",
        "rot90",
    ),
}


def _copied_apart(e: Any, kind: Kind) -> Any:
    """A copy of a tangent: of a tuple, or of a list of arrays, another list with arrays of its own."""
    if isinstance(kind, Num) and kind.optional:  # the tangent of None is 0.0
        return quote("{e}.copy() if np.ndim({e}) else {e}", e=e)
    if not isinstance(kind, Seq) or (_holds_numbers(kind) and not kind.is_tuple):
        return copied(e, kind)
    return quote("copied({e})", e=e)


def _holds_numbers(kind: Seq) -> bool:
    return is_number(kind.item)


def _is_tangent(name: str) -> bool:
    """Whether a value is the tangent of another, in memory of its own."""
    return "_dot.~" in name
