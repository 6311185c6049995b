"""Head gradients: the parameters that bring the gradients of the results, and the lines that take them up."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import compress
from typing import Any

from tangentish import ir
from tangentish.adjoint.gradients import Grad, gradient_of, without_memory
from tangentish.adjoint.parts import Wanted
from tangentish.adjoint.reverse import Reverse
from tangentish.infer import Facts
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Num, Seq, replace, scalar
from tangentish.kinds.lengths import same_shape


def results_with_heads(function: ir.Function, facts: Facts) -> tuple[bool, ...]:
    """For each result of a callee, whether it brings a gradient: where it writes only, its arrays bring theirs."""
    if ir.is_procedure(function):
        return ()
    return tuple(kind.active for kind in facts.returned)


@dataclass
class Heads:
    """The parameters that bring the gradients of the results, and the lines that take them up."""

    reverse: Reverse
    function: ir.Function
    wanted: Wanted
    parameters: list[tuple[str, Any]] = field(default_factory=list)  # value, default
    prologue: ir.Block = ()

    def take_up(self) -> None:
        reverse = self.reverse
        results = self.results()
        lines = [line for value in results for line in self.result(value, results)]
        for k in self.wanted.written:
            self.argument(self.function.parameters[k])
        reverse.out = lines
        reverse.flush(set())
        self.prologue, reverse.out = tuple(reverse.out), []

    def results(self) -> tuple[Any, ...]:
        values = ir.results_of(self.function)
        if self.wanted.aux:
            return values[:1]
        if not self.wanted.callee:
            return values
        return tuple(compress(values, results_with_heads(self.function, self.reverse.facts)))

    def result(self, value: Any, values: tuple[Any, ...]) -> list[ir.Statement]:
        """The head gradient of one result: the gradient of its name, where no other has that name."""
        reverse, name = self.reverse, value.id
        inside = {self.function.parameters[k] for k in self.wanted.written}
        alone = name not in inside and sum(v.id == name for v in values) == 1
        head = gradient_of(name) if alone else reverse.fresh("dy")
        if isinstance(reverse.kind(value), Seq):
            return self.listed(value, head)
        kind = self.kind_of_head(reverse.number(value))
        lines = self.default(head, value, kind)
        reverse.facts.web_kinds[head] = kind
        if not reverse.kind(value).active:
            return lines
        if alone:
            reverse.state[name] = Grad(kind, False)
        else:
            reverse.pending.append((name, None, reverse.named(head, kind)))
        return lines

    def listed(self, value: Any, head: str) -> list[ir.Statement]:
        """The head gradient of a list, which the walk back takes elements out of."""
        reverse, kind = self.reverse, without_memory(self.reverse.kind(value))
        self.parameters.append((head, constant(None)))
        reverse.facts.web_kinds[head] = kind
        if not kind.active:
            return []
        reverse.pending.append((value.id, None, reverse.named(head, kind)))
        return []

    def kind_of_head(self, kind: Num) -> Num:
        if kind.is_scalar and self.wanted.defaults:
            return scalar(active=True)
        shape = None if kind.array is None else kind.shape
        return replace(
            kind, active=True, buffers=frozenset(), value=None, contiguous=False, shape=shape
        )

    def default(self, head: str, value: Any, kind: Num) -> list[ir.Statement]:
        """1.0 for a scalar, ones for an array."""
        if kind.is_scalar or not self.wanted.defaults:
            self.parameters.append((head, constant(1.0 if kind.is_scalar else None)))
            return []
        self.parameters.append((head, constant(None)))
        d = ir.name(head)
        if self.wanted.head:
            given = quote("head_like({d}, {y})", d=d, y=self.like(value))
            return [ir.Assign(d, given, NOWHERE)]
        # of a number np.ones_like makes an array without axes, which `+=` would change under all its names
        text = "np.ones_like({y})" if kind.array else "np.ones_like({y})[()]"
        ones = ir.Assign(d, quote(text, y=self.like(value)), NOWHERE)
        return [ir.If(quote("{d} is None", d=d), (ones,), (), NOWHERE)]

    def like(self, value: Any) -> Any:
        """What has the shape and type of a result: an argument, so that the result need not be kept."""
        kind = self.reverse.number(value)
        for p in self.function.parameters:
            entry = self.reverse.facts.entry[p]
            if not (isinstance(entry, Num) and entry.array and kind.array):
                continue
            same = entry.has_dtype_of(kind) and same_shape(entry.shape, kind.shape)
            if same and self.reverse.saves.is_persistent(p):
                return ir.name(p)
        return value

    def argument(self, p: str) -> None:
        """The gradient of an argument that the function writes to."""
        if self.reverse.is_list(p):
            self.parameters.append((gradient_of(p), None))
            self.reverse.begin_list(p, self.reverse.facts.web_kinds[p])
            return
        kind = self.reverse.value_kind(p)
        full = replace(kind, active=True, buffers=frozenset(), value=None, contiguous=False)
        self.parameters.append((gradient_of(p), None))
        self.reverse.state[p] = Grad(full, True)
        self.reverse.facts.web_kinds[gradient_of(p)] = full
