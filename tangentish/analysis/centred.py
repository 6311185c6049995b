"""Means on which sums of squares do not depend: of centred values, the sum is zero.

    d = x - np.mean(x); s = np.sum(d ** 2)        the derivative of s along the mean is -2 * np.sum(d), which is 0

The mean may have a name of its own, which that line alone reads.

The same holds for products of two arrays that are centred along the same axes. Where all that becomes of centred values
is such a sum, their mean counts as a constant. What is not understood leaves the gradient as it is, which is right as
well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.analysis.before_roots import is_one_of
from tangentish.infer import Callee, Facts, literal_of
from tangentish.kinds import Num

Axes = frozenset[int]

_SUMS: tuple[Any, ...] = (np.sum, np.mean)
_PRODUCTS: tuple[Any, ...] = (np.dot, np.inner, np.vdot)
_ALONG: dict[tuple[int | None, bool, bool], int] = {
    (1, False, False): 0,
    (2, True, False): 0,
    (2, False, True): 1,
}
"""Rank of two factors, and whether they are turned -> the axis along which their product sums."""
_SHAPES = ("shape", "size", "ndim", "dtype")


def means_that_cancel(function: ir.Function, facts: Facts) -> list[Any]:
    """The calls of np.mean in the function of which nothing depends in the end."""
    if facts.held or not any(_is_mean(callee) for callee in facts.callees.values()):
        return []
    return _Centres(facts).unneeded(function)


def axes_of(rank: int, callee: Callee) -> tuple[Axes, bool] | None:
    """The axes that a reduction takes together, and whether they stay; None where it has other arguments."""
    keywords = dict(callee.keywords)
    axis, keepdims = keywords.pop("axis", None), keywords.pop("keepdims", None)
    given = list(callee.args[1:])
    if given and axis is None:
        axis = given.pop(0)
    axis, keepdims = (callee.bound.get(k, v) for k, v in (("axis", axis), ("keepdims", keepdims)))
    stays = False if keepdims is None else literal_of(keepdims)
    value = None if axis is None else literal_of(axis)
    named = range(rank) if value is None else value if isinstance(value, tuple) else (value,)
    if given or keywords or type(stays) is not bool or not all(type(a) is int for a in named):
        return None
    if any(not -rank <= a < rank for a in named):
        return None
    return frozenset(a % rank for a in named), stays


@dataclass
class _Centres:
    """What is centred in a function: names, with the axes along which their sums are zero."""

    facts: Facts
    named: dict[str, Axes] = field(default_factory=dict)
    means: dict[str, Any] = field(default_factory=dict)  # name -> the call of np.mean
    aside: dict[str, Any] = field(default_factory=dict)  # of means with names, that one line reads

    def unneeded(self, function: ir.Function) -> list[Any]:
        statements = [s for s in ir.walk_statements(function.body) if s in self.facts.before]
        definitions = Counter(function.parameters)
        for statement in statements:
            definitions.update(ir.defined_names(statement))
        once = {name for name, count in ir.mentions(function.body).items() if count == 2}
        once &= {name for name, count in definitions.items() if count == 1}
        self.aside = self.means_aside(function.body, once)
        for statement in statements:
            match statement:
                case ir.Assign(gast.Name(id=name), value) if definitions[name] == 1:
                    axes = self.difference(value)
                    if axes is not None:
                        self.named[name], self.means[name] = axes, self.mean(value.right)
        mentions, summed, here = Counter[str](), Counter[str](), list[Any]()
        for statement in statements:
            for e in ir.expressions_of(statement):
                mentions.update(ir.names_in(e))
                for node in ir.walk(e):
                    for part in self.centred_in(node):
                        if isinstance(part, gast.Name):
                            summed[part.id] += 1
                        else:
                            here.append(self.mean(part.right))
        used_up = [name for name in self.named if 0 < summed[name] == mentions[name] - 1]
        found = [*(self.means[name] for name in used_up), *here]
        return [mean for mean in found if self.facts.kind(mean).active]

    def means_aside(self, block: ir.Block, once: set[str]) -> dict[str, Any]:
        """`m = np.mean(x)` whose name is read once, further down in its block, where x is still the same."""
        found: dict[str, Any] = {}
        for k, line in enumerate(block):
            for inner in ir.blocks_of(line):
                found |= self.means_aside(inner, once)
            match line:
                case ir.Assign(gast.Name(id=name), gast.Call() as call) if (
                    name in once
                    and _is_mean(self.facts.callees.get(call))
                    and self.is_read_as_it_was(name, call, block[k + 1 :])
                ):
                    found[name] = call
        return found

    def is_read_as_it_was(self, name: str, call: Any, rest: ir.Block) -> bool:
        """Whether the one line that reads a mean comes before any that binds what it is of, or writes to that."""
        names = {name, *ir.names_in(call)}
        sites = {site for each in names for site in self.facts.sites(each)}
        for line in rest:
            if name in ir.mentioned(line):
                return isinstance(line, (ir.Assign, ir.Update, ir.Return))
            for inner in ir.walk_statements((line,)):
                written = self.facts.writes.get(inner, ())
                changed = names.intersection((*ir.defined_names(inner), *written))
                if changed or any(not sites.isdisjoint(self.facts.sites(n)) for n in written):
                    return False
                if name in ir.mentioned(inner):
                    return False
        return False

    def mean(self, node: Any) -> Any:
        """The call of np.mean that a name, or an expression, stands for."""
        return self.aside.get(node.id) if isinstance(node, gast.Name) else node

    def difference(self, node: Any) -> Axes | None:
        """The axes along which `x - np.mean(x, axes)` is centred; None for any other expression."""
        match node:
            case gast.BinOp(left=gast.Name(id=name), op=gast.Sub(), right=right):
                callee = self.facts.callees.get(self.mean(right))
                kind = self.facts.kinds.get(node.left)
            case _:
                return None
        if not _is_mean(callee) or not isinstance(kind, Num) or not kind.rank or not kind.active:
            return None
        assert callee is not None
        of = callee.args[0] if callee.args else None
        found = axes_of(kind.rank, callee)
        if found is None or not isinstance(of, gast.Name) or of.id != name or kind.is_complex:
            return None
        axes, stays = found
        return axes if stays or axes == frozenset(range(len(axes))) else None

    def centred(self, node: Any) -> Axes | None:
        if isinstance(node, gast.Name):
            return self.named.get(node.id)
        return self.difference(node)

    def centred_in(self, node: Any) -> Iterator[Any]:
        """The centred values of which a sum of products is taken here, or only a shape."""
        match node:
            case gast.Attribute(value=gast.Name(id=name) as value, attr=attr) if attr in _SHAPES:
                if name in self.named:
                    yield value
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                yield from self.multiplied(left, right)
            case gast.Call() if (callee := self.facts.callees.get(node)) is not None:
                if is_one_of(callee.function, _PRODUCTS) and len(callee.args) == 2:
                    yield from self.multiplied(*callee.args)
                elif is_one_of(callee.function, _SUMS) and callee.args:
                    yield from self.added_up(callee)
                elif callee.function is len and isinstance(callee.args[0], gast.Name):
                    yield from callee.args if callee.args[0].id in self.named else ()

    def multiplied(self, left: Any, right: Any) -> Iterator[Any]:
        """`d @ e` of vectors, `d.T @ e` along columns, `d @ e.T` along rows."""
        parts = [e.value if _is_turned(e) else e for e in (left, right)]
        kinds = [self.facts.kinds.get(part) for part in parts]
        ranks = {kind.rank for kind in kinds if isinstance(kind, Num)}
        axes = [self.centred(part) for part in parts]
        if len(ranks) != 1 or None in axes or axes[0] != axes[1]:
            return
        place = _ALONG.get((ranks.pop(), _is_turned(left), _is_turned(right)))
        if place is not None and axes[0] == frozenset({place}):
            yield from parts

    def added_up(self, callee: Callee) -> Iterator[Any]:
        """np.sum(d ** 2), np.mean(d * e, axis=0)"""
        factors = self.factors(callee.args[0])
        axes = [self.centred(factor) for factor in factors]
        kind = self.facts.kinds.get(callee.args[0])
        if not factors or None in axes or len(set(axes)) > 1 or not isinstance(kind, Num):
            return
        found = axes_of(kind.rank, callee) if kind.rank else None
        of_same_rank = all(
            getattr(self.facts.kinds.get(factor), "rank", None) == kind.rank for factor in factors
        )
        if found is not None and of_same_rank and axes[0] is not None and axes[0] <= found[0]:
            yield from factors

    def factors(self, node: Any) -> list[Any]:
        """The two factors of a product, of which a square has one."""
        match node:
            case gast.BinOp(left=base, op=gast.Pow(), right=exponent) if literal_of(exponent) == 2:
                return [base]
            case gast.BinOp(left=left, op=gast.Mult(), right=right):
                return [left, right]
            case gast.Call() if (callee := self.facts.callees.get(node)) is not None:
                alone = len(callee.args) == 1 and not callee.keywords
                return list(callee.args) if callee.function is np.square and alone else []
        return []


def _is_mean(callee: Callee | None) -> bool:
    return callee is not None and callee.user is None and callee.function is np.mean


def _is_turned(node: Any) -> bool:
    return isinstance(node, gast.Attribute) and node.attr == "T"
