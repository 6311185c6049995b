"""From an analysed function to generated ones: gradient, or forward and adjoint."""

from __future__ import annotations

import builtins
import math
import types
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from tangentish import ir, runtime
from tangentish.analysis import Analysis, Program, canonical, kind_key
from tangentish.droppable import is_droppable
from tangentish.fold import fold
from tangentish.finish import Interference, lower_slots, print_function
from tangentish.infer import UserCall
from tangentish.kinds import Kind, Known, Num, Tup, kind_of, same_shape, scalar
from tangentish.liveness import Live, prune_adjoint, prune_forward
from tangentish.load import load
from tangentish.quote import constant, quote
from tangentish.record import Record
from tangentish.reverse import NOWHERE, Grad, Pair, Reverse, gradient_of
from tangentish.saving import Saves

__all__ = ["Generated", "Generator"]

@dataclass(eq=False)
class Generated:
    call: Any
    text: str


@dataclass(eq=False)
class _Parts:
    """A function's forward pass and adjoint, pruned, with slots lowered."""

    analysis: Analysis
    reverse: Reverse
    forward: ir.Block
    adjoint: ir.Block
    slots: dict[ir.Slot, str]
    heads: list[tuple[str, Any]]
    gradients: list[Any]
    values: list[Any]


@dataclass
class Generator:
    """Generates the functions of one program; callees once for each set of kinds."""

    program: Program
    pairs: dict[Hashable, Pair] = field(default_factory=dict)
    cells: dict[str, types.CellType] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)

    # -- entry points

    def joint(
        self, analysis: Analysis, wrt: Sequence[int], single: bool, with_value: bool, has_aux: bool
    ) -> Generated:
        """Forward pass and adjoint in one function."""
        parts = self.parts(analysis, wrt, written=(), aux=has_aux, with_value=with_value or has_aux)
        gradient = ir.Return(tuple(parts.gradients), not single, NOWHERE)
        outputs = self.outputs(parts, gradient, with_value, has_aux)
        body = (*self.copies(analysis), *parts.forward, ir.Comment(""), *parts.adjoint, outputs)
        name = f"{analysis.function.name}_{'value_and_grad' if with_value else 'grad'}"
        extra = [(value, default) for value, default in parts.heads]
        text, call = self.printed(name, analysis, body, extra)
        return Generated(call, "\n\n".join([text, *self.texts]))

    def outputs(self, parts: _Parts, gradient: ir.Return, with_value: bool, has_aux: bool) -> ir.Return:
        gradients: Any = gradient.values[0]
        if gradient.is_tuple:
            gradients = gast.Tuple(list(gradient.values), gast.Load())
        if not with_value and not has_aux:
            return gradient
        value, *aux = parts.values
        others = aux[0] if len(aux) == 1 else gast.Tuple(aux, gast.Load())
        if has_aux and with_value:
            return ir.Return((gast.Tuple([value, others], gast.Load()), gradients), True, NOWHERE)
        if has_aux:
            return ir.Return((gradients, others), True, NOWHERE)
        if isinstance(parts.analysis.function.body[-1], ir.Return) and parts.analysis.function.body[-1].is_tuple:
            value = gast.Tuple(parts.values, gast.Load())
        return ir.Return((value, gradients), True, NOWHERE)

    def pullback(self, analysis: Analysis, wrt: Sequence[int]) -> Generated:
        """(value, pullback): the pullback works on what the forward pass saved, and changes none of it."""
        forward, adjoint = self.pair_functions(analysis, tuple(wrt), (), self.copies(analysis), analysis.function.name)
        count = len(analysis.function.parameters)
        several = isinstance(analysis.facts.result, Tup)
        positions = tuple(wrt)

        def call(*args: Any, **keywords: Any) -> tuple[Any, Any]:
            value, saved = forward(*args, **keywords)
            saved = runtime.copy_shared(saved)[0]

            def pull(dy: Any) -> tuple[Any, ...]:
                grads = adjoint(saved, *dy) if several else adjoint(saved, dy)
                if len(positions) == 1:
                    grads = (grads,)
                out: list[Any] = [None] * count
                for position, grad in zip(positions, grads, strict=True):
                    out[position] = grad
                return tuple(out)

            return value, pull

        return Generated(call, "\n\n".join(self.texts))

    # -- one function

    def parts(
        self, analysis: Analysis, wrt: Sequence[int], written: Sequence[int], aux: bool, with_value: bool,
        defaults: bool = True, top: bool = True,
    ) -> _Parts:
        function, facts = analysis.function, analysis.facts
        saves = Saves(function, facts)
        pairs: dict[Any, Pair] = {}

        def pair(user: UserCall, node: Any) -> Pair:
            pairs[node] = self.pair(user)
            return pairs[node]

        reverse = Reverse(facts, analysis.walk, saves, pair)
        heads, prologue = self.heads(reverse, function, written, aux, defaults, top)
        body = reverse.block(function.body)
        gradients, epilogue = self.final_gradients(reverse, function, wrt)
        last = function.body[-1] if function.body else None
        values = list(last.values) if isinstance(last, ir.Return) else []
        forward = Record(reverse, pairs, reverse.made_slots).block(_without_return(function.body), function.body)
        adjoint = (*prologue, *body, *epilogue)
        wanted = frozenset(n for g in gradients for n in ir.names_in(g))
        adjoint, live, slots = prune_adjoint(adjoint, Live(wanted), facts.sites)
        if with_value:
            values, keep = self.kept_values(reverse, values, slots)
            forward = (*forward, *keep)
            live |= Live(frozenset(n for v in values for n in ir.names_in(v)))
        forward = prune_forward(forward, live, slots, facts.sites, lambda s: is_droppable(s, facts))
        adjoint = fold(adjoint, gradients)
        gradients, adjoint = _folded(gradients, adjoint)
        forward, names = lower_slots(forward, {})
        adjoint, names = lower_slots(adjoint, names)
        tapes = tuple(
            ir.Assign(ir.name(name), gast.List([], gast.Load()), NOWHERE)
            for slot, name in names.items() if slot.tape
        )  # fmt: skip
        return _Parts(analysis, reverse, (*tapes, *forward), adjoint, names, heads, gradients, values)

    def heads(
        self, reverse: Reverse, function: ir.Function, written: Sequence[int], aux: bool, defaults: bool, top: bool
    ) -> tuple[list[tuple[str, Any]], ir.Block]:
        """The parameters that bring the gradients of the results, and the lines that take them up."""
        heads: list[tuple[str, Any]] = []
        last = function.body[-1] if function.body else None
        values = last.values if isinstance(last, ir.Return) else ()
        if isinstance(last, ir.Return) and last.origin.node is None and written:
            values = ()  # a procedure called from generated code: its arrays bring their gradients
        if aux:
            values = values[:1]
        if not defaults and not top and not any(reverse.kind(v).active for v in values):
            values = ()  # a callee whose result carries no derivative gets no gradient of it
        inside = {function.parameters[k] for k in written}
        prologue: list[ir.Statement] = []
        for value in values:
            name, kind = value.id, reverse.number(value)
            alone = name not in inside and sum(v.id == name for v in values) == 1
            head = gradient_of(name) if alone else reverse.fresh("dy")
            full = replace(kind, active=True, buffers=frozenset(), value=None, contiguous=False)
            if kind.array is None:
                full = replace(full, shape=None)
            if kind.is_scalar and defaults:
                full = scalar(active=True)
            prologue += self.head_default(head, self.like(reverse, function, value), full, heads)[: None if defaults else 0]
            reverse.facts.web_kinds[head] = full
            if not kind.active and not isinstance(reverse.kind(value), Tup):
                continue
            if alone:
                reverse.state[name] = Grad(full, False)
            else:
                reverse.pending.append((name, None, reverse.named(head, full)))
        for k in written:
            p = function.parameters[k]
            full = replace(reverse.value_kind(p), active=True, buffers=frozenset(), value=None, contiguous=False)
            heads.append((gradient_of(p), None))
            reverse.state[p] = Grad(full, True)
            reverse.facts.web_kinds[gradient_of(p)] = full
        reverse.out = prologue
        reverse.flush(set())
        prologue, reverse.out = reverse.out, []
        return heads, tuple(prologue)

    def like(self, reverse: Reverse, function: ir.Function, value: Any) -> Any:
        """What has the shape and type of a result: an argument, so that the result need not be kept."""
        kind = reverse.number(value)
        for p in function.parameters:
            entry = reverse.facts.entry[p]
            if (
                isinstance(entry, Num) and entry.array and kind.array and entry.dtype == kind.dtype
                and same_shape(entry.shape, kind.shape) and reverse.saves.is_persistent(p)
            ):  # fmt: skip
                return ir.name(p)
        return value

    def head_default(
        self, head: str, value: Any, kind: Num, heads: list[tuple[str, Any]]
    ) -> list[ir.Statement]:
        if kind.is_scalar:
            heads.append((head, constant(1.0)))
            return []
        heads.append((head, constant(None)))
        d = ir.name(head)
        default = ir.Assign(d, quote("np.ones_like({y})", y=value), NOWHERE)
        return [ir.If(quote("{d} is None", d=d), (default,), (), NOWHERE)]

    def final_gradients(
        self, reverse: Reverse, function: ir.Function, wrt: Sequence[int]
    ) -> tuple[list[Any], ir.Block]:
        """Each gradient in full, an array of its own, with the dtype of its argument."""
        reverse.out = []
        gradients = []
        for k in wrt:
            p = function.parameters[k]
            kind = reverse.facts.entry[p]
            if p not in reverse.state:
                reverse.zero(p, kind)
            else:
                reverse.make_full(p, kind)
                reverse.make_own(p)
            gradients.append(self.as_argument(reverse, p, kind))
        statements, reverse.out = tuple(reverse.out), []
        return gradients, statements

    def as_argument(self, reverse: Reverse, p: str, kind: Kind) -> Any:
        d = reverse.gradient(p)
        have = reverse.state[p].kind
        if isinstance(kind, Num) and kind.is_scalar and kind.weak and not have.is_scalar:
            return quote("float({d})", d=d)
        if isinstance(kind, Num) and kind.is_scalar and not kind.weak and kind.dtype != np.dtype(float):
            return quote("cast({d}, {x})", d=d, x=ir.name(p))
        if not isinstance(kind, Num) or not reverse.mixed:
            return d
        if kind.weak:
            return quote("float({d})", d=d)
        if kind.dtype is not None:
            return quote("cast({d}, {x})", d=d, x=ir.name(p))
        return d

    def kept_values(
        self, reverse: Reverse, values: list[Any], slots: set[ir.Slot]
    ) -> tuple[list[Any], list[ir.Statement]]:
        """Values that the adjoint overwrites are kept under another name."""
        new, lines = [], []
        bound = {s.name for s in slots if not s.content}
        memory = {site for s in slots if s.content for site in reverse.facts.sites(s.name)}
        for value in values:
            names = set(ir.names_in(value))
            overwritten = bool(memory & {site for n in names for site in reverse.facts.sites(n)})
            if not names & bound and not overwritten:
                new.append(value)
                continue
            name = ir.name(reverse.fresh("value"))
            lines.append(ir.Assign(name, quote("np.copy({x})", x=value) if overwritten else value, NOWHERE))
            new.append(name)
        return new, lines

    def copies(self, analysis: Analysis) -> ir.Block:
        """What the function writes to is copied at the top."""
        names = [analysis.function.parameters[k] for k in analysis.written]
        if not names:
            return ()
        kinds = [analysis.facts.entry[n] for n in names]
        if not all(isinstance(k, Num) and k.contiguous for k in kinds):
            target = gast.Tuple([ir.name(n) for n in names], gast.Store())
            value = quote("copy_shared()")
            return (ir.Assign(target, gast.Call(value.func, [ir.name(n) for n in names], []), NOWHERE),)
        copies = [quote("{x}.copy()", x=ir.name(n)) for n in names]
        if len(names) == 1:
            return (ir.Assign(ir.name(names[0]), copies[0], NOWHERE),)
        target = gast.Tuple([ir.name(n) for n in names], gast.Store())
        return (ir.Assign(target, gast.Tuple(copies, gast.Load()), NOWHERE),)

    # -- callees

    def pair(self, user: UserCall) -> Pair:
        """The names of a callee's forward and adjoint functions, generated at the first call."""
        kinds, _ = canonical(user.kinds)
        analysis = self.program.analyse(user.function, kinds, callee=True)
        key = (user.function, tuple(map(kind_key, kinds)))
        if key in self.pairs:
            return self.pairs[key]
        stem = user.function.__name__.strip("<>")
        forward, adjoint = self.free(f"{stem}_forward"), self.free(f"{stem}_adjoint")
        self.cells[forward], self.cells[adjoint] = types.CellType(), types.CellType()
        active = tuple(k for k, kind in enumerate(analysis.kinds) if self.matters(kind, k, analysis))
        written = tuple(k for k in analysis.written if k in active)
        result_active = any(k.active for k in analysis.facts.returned) and not _is_procedure(analysis)
        pair = Pair(forward, adjoint, active, written, result_active)
        self.pairs[key] = pair
        position = len(self.texts)
        functions = self.pair_functions(analysis, active, written, (), stem, (forward, adjoint))
        self.cells[forward].cell_contents, self.cells[adjoint].cell_contents = functions
        self.texts = [*self.texts[:position], *self.texts[position:]]
        return pair

    def matters(self, kind: Kind, k: int, analysis: Analysis) -> bool:
        if isinstance(kind, Tup):
            return False
        written = k in analysis.written and isinstance(kind, Num) and kind.is_float and any(x.active for x in analysis.kinds)
        return kind.active or written

    def free(self, name: str) -> str:
        candidate, number = name, 1
        while candidate in self.cells:
            number += 1
            candidate = f"{name}_{number}"
        return candidate

    def pair_functions(
        self, analysis: Analysis, wrt: tuple[int, ...], written: tuple[int, ...], copies: ir.Block, stem: str,
        names: tuple[str, str] | None = None,
    ) -> tuple[Any, Any]:  # fmt: skip
        forward_name, adjoint_name = names or (f"{stem}_forward", f"{stem}_adjoint")
        parts = self.parts(analysis, wrt, written, aux=False, with_value=True, defaults=False, top=names is None)
        inputs = {value for value, _ in parts.heads}
        needed = Interference().block((*parts.adjoint, ir.Return(tuple(parts.gradients), True, NOWHERE)), frozenset())
        saved = [*sorted(needed - inputs), *self.outer_values(analysis, parts)]
        saved_tuple = gast.Tuple([ir.name(n) for n in saved], gast.Load())
        last = analysis.function.body[-1] if analysis.function.body else None
        if _is_procedure(analysis) and not copies and written:
            result: Any = constant(None)
        elif isinstance(last, ir.Return) and last.is_tuple:
            result = gast.Tuple(parts.values, gast.Load())
        else:
            result = parts.values[0] if parts.values else constant(None)
        unset = sorted(set(filter(ir.is_value, saved)) - assigned(parts.forward) - set(analysis.function.parameters))
        nothing = tuple(ir.Assign(ir.name(n), constant(None), NOWHERE) for n in unset)
        forward_body = (*copies, *nothing, *parts.forward, ir.Return((result, saved_tuple), True, NOWHERE))
        forward_text, forward = self.printed(forward_name, analysis, forward_body, [])
        adjoint_body = (*self.unpacked(parts, saved), *parts.adjoint, ir.Return(tuple(parts.gradients), len(parts.gradients) != 1, NOWHERE))
        adjoint_text, adjoint = self.printed_adjoint(adjoint_name, analysis, adjoint_body, [value for value, _ in parts.heads])
        self.texts += [forward_text, adjoint_text]
        return forward, adjoint

    def outer_values(self, analysis: Analysis, parts: _Parts) -> list[str]:
        """Globals and closures that the adjoint reads: it gets the values that the forward pass saw."""
        source = analysis.source
        names = {n for s in ir.walk_statements(parts.adjoint) for e in ir.expressions_of(s) for n in ir.names_in(e)}
        names |= {n for g in parts.gradients for n in ir.names_in(g)}
        free = (n for n in sorted(names) if not ir.is_value(n) and not n.startswith("$"))
        return [n for n in free if source.where(n) in ("global", "closure") and not isinstance(kind_of(source.lookup(n)), Known)]

    def unpacked(self, parts: _Parts, saved: Sequence[str]) -> ir.Block:
        """What the forward pass saved; what the adjoint changes is copied first."""
        if not saved:
            return ()
        target = gast.Tuple([ir.name(n) for n in saved], gast.Store())
        lines: list[ir.Statement] = [ir.Assign(target, ir.name("saved.~"), NOWHERE)]
        memory = any(slot.content for slot in parts.slots)
        tapes = {name for slot, name in parts.slots.items() if slot.tape}
        if memory:
            copied = gast.Call(ir.name("$copy_shared"), [gast.Starred(ir.name("saved.~"), gast.Load())], [])
            lines = [ir.Assign(target, copied, NOWHERE)]
        for name in saved:
            if name in tapes:
                lines.append(ir.Assign(ir.name(name), quote("{t}.copy()", t=ir.name(name)), NOWHERE))
        return tuple(lines)

    # -- text and functions

    def printed(
        self, name: str, analysis: Analysis, body: ir.Block, extra: Sequence[tuple[str, Any]]
    ) -> tuple[str, Any]:
        function = analysis.source.function
        taken, own = self.surroundings(analysis)
        made = print_function(name, analysis.function.arguments, analysis.function.parameters, extra, body, taken, own)
        defaults = (*(function.__defaults__ or ()), *(_literal(d) for _, d in extra if d is not None))
        kwdefaults = dict(function.__kwdefaults__ or {})
        if analysis.function.arguments.kwonlyargs:
            defaults = function.__defaults__ or ()
            kwdefaults |= {made.names[v]: _literal(d) for v, d in extra}
        call = load(made.text, name, function, self.bindings(made.helpers), defaults, kwdefaults)
        return made.text, call

    def printed_adjoint(self, name: str, analysis: Analysis, body: ir.Block, heads: Sequence[str]) -> tuple[str, Any]:
        taken, own = self.surroundings(analysis)
        arguments = gast.arguments([], [], None, [], [], None, [])
        made = print_function(name, arguments, (), [("saved.~", None), *((h, None) for h in heads)], body, taken, own)
        return made.text, load(made.text, name, analysis.source.function, self.bindings(made.helpers), (), {})

    def surroundings(self, analysis: Analysis) -> tuple[frozenset[str], dict[str, str]]:
        """The free names of the user's function, and the user's own names for numpy, math and the builtins."""
        source = analysis.source
        free = {
            n
            for s in ir.walk_statements(analysis.function.body)
            for e in ir.expressions_of(s)
            for n in ir.names_in(e)
            if not ir.is_value(n)
        }
        local = {ir.base_name(v) for v in analysis.facts.web_kinds if "~" not in v}
        own = {}
        for alias, module in (("np", np), ("numpy", np), ("math", math)):
            key = "np" if module is np else "math"
            if key not in own and alias not in local and source.where(alias) and source.lookup(alias) is module:
                own[key] = alias
        for name in ("range", "len", "reversed"):
            if name not in local and source.where(name) == "builtin":
                own[name] = name
        return frozenset(free | set(own.values())), own

    def bindings(self, helpers: dict[str, str]) -> dict[str, types.CellType]:
        return {text: self.cells.get(name) or types.CellType(_helper(name)) for text, name in helpers.items()}


def _without_return(block: ir.Block) -> ir.Block:
    return block[:-1] if block and isinstance(block[-1], ir.Return) else block


def assigned(block: ir.Block) -> frozenset[str]:
    """The values that are set for sure when the block is done."""
    names: frozenset[str] = frozenset()
    for statement in block:
        if isinstance(statement, ir.If):
            names |= assigned(statement.body) & assigned(statement.orelse)
        elif not isinstance(statement, (ir.For, ir.While)):
            names |= frozenset(ir.defined_names(statement))
    return names


def _is_procedure(analysis: Analysis) -> bool:
    last = analysis.function.body[-1] if analysis.function.body else None
    return not isinstance(last, ir.Return) or last.origin.node is None


def _helper(name: str) -> Any:
    known = {"np": np, "math": math}
    return known[name] if name in known else getattr(runtime, name, None) or getattr(builtins, name)


def _literal(node: Any) -> object:
    return node.value


def _folded(gradients: list[Any], adjoint: ir.Block) -> tuple[list[Any], ir.Block]:
    """`da = db * 2; return da` is `return db * 2`."""
    if len(gradients) != 1 or not adjoint:
        return gradients, adjoint
    match gradients[0], adjoint[-1]:
        case gast.Name(id=name), ir.Assign(gast.Name(id=assigned), value) if name == assigned:
            return [value], adjoint[:-1]
    return gradients, adjoint
