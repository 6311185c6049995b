"""Comprehensions: the kinds of their elements; their variables are their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.arrays_run_over import note_objects_put
from tangentish.infer.known_items import KnownItems
from tangentish.infer.literals import literal_of
from tangentish.kinds import TEXT_THAT_VARIES, Kind, Num, Opaque, Seq, Tup, buffers_of
from tangentish.kinds.lengths import Length, length_plus

_STAR = "a star in the target of a comprehension is not supported here: write a loop"


class Comprehensions(KnownItems):
    """The part of the walk that knows comprehensions and generator expressions."""

    def other_expression(self, node: Any, quiet: bool) -> Kind:
        match node:
            case gast.ListComp() | gast.GeneratorExp() | gast.SetComp() | gast.DictComp():
                return self.comprehension(node)
        return super().other_expression(node, quiet)

    def comprehension(self, node: Any) -> Kind:
        written = None if isinstance(node, gast.SetComp) else self.written_display(node)
        if written is not None:
            return written
        in_order = isinstance(node, (gast.ListComp, gast.GeneratorExp))
        self.listing.append(node)
        kind = self.listed(node) if in_order else self.unordered(node)
        self.listing.pop()
        return kind

    def listed(self, node: Any) -> Kind:
        with self.scope_of(node.generators):
            item = self.expression(node.elt)
        note_objects_put(self, item, [node])
        self.seek_loop_of_records(node, item)
        same = {b for b in buffers_of(item) if self.env.on(frozenset({b}))}
        self.facts.repeated |= same  # what was there before is the same on every trip
        self.kept.append(node)
        only = node.generators[0] if len(node.generators) == 1 else None
        length = None if only is None or only.ifs else self.count_of(only.iter)
        kind = self.facts.kinds[node] = Seq(item, self.fresh(node), length)
        if isinstance(node, gast.GeneratorExp):
            self.facts.generators |= {buffer.site for buffer in kind.buffers}
        if node not in self.eaten:
            self.refuse_generator(node)
        return kind

    def unordered(self, node: Any) -> Kind:
        with self.scope_of(node.generators):
            parts = (node.elt,) if isinstance(node, gast.SetComp) else (node.key, node.value)
            kinds = [self.expression(part) for part in parts]
        if isinstance(node, gast.DictComp) and (kinds[1].active or self.is_demanded(node)):
            made = self.filled(node, kinds[1:])
            self.note_key(kinds[0], made.buffers, node)
            return made
        if any(kind.active for kind in kinds):
            what = "a set" if isinstance(node, gast.SetComp) else "a dict"
            self.refuse(f"{what} comprehension of differentiated values is not supported", node)
        return TEXT_THAT_VARIES if TEXT_THAT_VARIES in kinds else Opaque(None)

    def count_of(self, node: Any) -> Length:
        """How many items a loop over `node` gets, as far as that is known."""
        match self.kind(node):
            case Num(shape=shape, array=True) if shape:
                return shape[0]
            case Seq(length=length):
                return length
            case Tup(items=items):
                return len(items)
        callee = self.facts.callees.get(node)
        function = None if callee is None else callee.function
        if callee is None or function not in (range, zip, enumerate, reversed) or not callee.args:
            return None
        if function is range:
            return self.count_of_range(callee.args)
        counts = {self.count_of(e) for e in (callee.args if function is zip else callee.args[:1])}
        return counts.pop() if len(counts) == 1 else None

    def count_of_range(self, bounds: Sequence[Any]) -> Length:
        """How many numbers are in range(n), or in range(2, n)."""
        literals = [literal_of(e) for e in bounds]
        end, kind = literals[:2][-1], self.kind(bounds[:2][-1])
        if type(end) is not int:
            end = kind.value if isinstance(kind, Num) else None
        elif end < 0:
            end = 0
        start = literals[0] if len(bounds) > 1 else 0
        if len(bounds) > 2 or type(start) is not int or start < 0:
            return None
        return length_plus(end, -start)

    @contextmanager
    def scope_of(self, generators: Any) -> Iterator[None]:
        """The variables of a comprehension, which hide those around it."""
        outer, self.scope = self.scope, dict(self.scope)
        with self.maybe():
            for generator in generators:
                self.bind_in_scope(generator.target, self.item_of(generator.iter))
                for test in generator.ifs:
                    self.expression(test)
            yield
        self.scope = outer

    def bind_in_scope(self, target: Any, kind: Kind) -> None:
        self.facts.kinds[target] = kind
        match target:
            case gast.Name(id=name):
                self.scope[name] = kind
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                starred = ir.has_star(elements)
                if starred and kind.active and isinstance(kind, (Tup, Seq)):
                    self.refuse(_STAR, target)
                parts = self.unpacked(kind, len(elements), target)
                for element, part in zip(elements, parts, strict=True):
                    self.bind_in_scope(element, part)
