"""What objects keep of themselves once it was asked for (functools.cached_property) is computed wherever it is read.

That is the same where nothing changes of what it is made of. It is looked at in all functions of the program, whatever
the order: attributes of the names that it reads are set where an object is made, and nowhere else; and nothing is
written to the memory of these, nor to that of what is kept.
"""

from __future__ import annotations

import inspect
import types
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import gast

from tangentish import ir
from tangentish.analysis.reached import Analysis, Program
from tangentish.analysis.summaries import is_quiet
from tangentish.errors import NotDifferentiable, Refusal, refuse
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.facts import Facts, UserCall
from tangentish.infer.known_functions import is_of_library
from tangentish.infer.objects import is_kept
from tangentish.infer.set_outside import is_name_set
from tangentish.kinds import Kind, Num, Opaque, Seq, Tup, buffers_of, sites_of_buffers
from tangentish.kinds.arrays_outside import are_arrays_changed
from tangentish.kinds.kept_attributes import function_kept
from tangentish.language.lifted import Lifted, as_written
from tangentish.language.source import Source

_SET = (
    "objects keep {kept} once it was asked for (functools.cached_property), and this may change what it was made of: "
    "make it a property"
)
_WRITTEN = (
    "objects keep {kept} once it was asked for (functools.cached_property), and here memory is written to of what it "
    "was made of, or of itself: write to a copy, or make it a property"
)
_ACTS = "this is done once (functools.cached_property), and more than to give a value: make it a property"
_BEFORE = (
    "an object of {cls} that is an argument has kept .{name} (functools.cached_property) from before: of what it was "
    "made is not known. Give one that was not asked for it, or del it"
)
_MAKERS = ("__init__", "__post_init__")
_SETTING = {"setattr", "delattr", "vars", "__dict__", "__setattr__", "__delattr__", "__setstate__"}
_READING = {"getattr", "vars", "__dict__", "asdict", "astuple", "replace", "copy", "deepcopy"}
_UNKNOWN = "what is not known"


def check_kept_before(kinds: Iterable[Kind]) -> None:
    """Refuse arguments that hold what varies with others of their attributes, and is not computed any more."""
    for kind in kinds:
        if not (isinstance(kind, Tup) and kind.active):
            continue
        for name, item in zip(kind.keys or (), kind.items, strict=False):
            cls = kind.type if kind.is_object and item.active else None
            if cls is not None and is_kept(inspect.getattr_static(cls, str(name), None)):
                raise NotDifferentiable(_BEFORE.format(cls=cls.__name__, name=name))
        check_kept_before(kind.items)


def check_kept(program: Program) -> None:
    """Refuse a program in which it shows that something was kept."""
    recursive = (analysis for analysis, _ in program.recursion.found.values())
    analyses = [*program.analyses.values(), *recursive]
    members = (read for a in analyses for read in a.walk.attributes.values())
    found = {f: name for _, name, member in members if (f := function_kept(member)) is not None}
    if found:
        kept = _Kept(program, analyses, found)
        for analysis in analyses:
            kept.check(analysis)


@dataclass(eq=False)
class _Kept:
    """The functions of a program, and those of them that give what objects keep."""

    program: Program
    analyses: list[Analysis]
    getters: dict[types.FunctionType, str]

    def check(self, analysis: Analysis) -> None:
        function = _function(analysis)
        if function in self.inside:
            self.check_getter(analysis)
        making = function.__name__ in _MAKERS and function not in self.asking
        for node in gast.walk(analysis.source.tree):
            if self.may_set(node, making and _first_parameter(analysis)):
                self.refuse(_SET, node, analysis)
        memory = self.memory(analysis, self.giving)
        if _may_meet(memory, _changed(analysis.facts)) or self.binds_parts(analysis):
            self.refuse(_WRITTEN, analysis.source.tree, analysis)

    def binds_parts(self, analysis: Analysis) -> bool:
        """Whether entries of what an object holds are bound anew."""
        inner = {
            node.id
            for node, _, deep in self.asked(analysis)
            if deep and isinstance(node, gast.Name)
        }
        bound = Counter(
            name
            for line in ir.walk_statements(analysis.function.body)
            for name in ir.defined_names(line)
        )
        return any(bound[name] + (name in analysis.function.parameters) > 1 for name in inner)

    def check_getter(self, analysis: Analysis) -> None:
        facts = analysis.facts
        acts = facts.acting or facts.changes or not is_quiet(analysis)
        if acts or any(self.may_differ(analysis.source, name) for name in _names(analysis)):
            self.refuse(_ACTS, analysis.source.tree, analysis)

    def may_differ(self, source: Source, name: str) -> bool:
        """Whether a name outside may have another value, or hold something else, from one time to the next."""
        changed = self.program.rebound
        if not changed or source.where(name) not in ("global", "closure"):
            return False
        if is_name_set(source, name, changed):
            return True
        value = source.lookup(name)
        lasting = isinstance(value, (types.FunctionType, type)) or is_of_library(value)
        return not lasting and (CHANGED_OUTSIDE in changed or are_arrays_changed(changed))

    def may_set(self, node: Any, made: str | bool) -> bool:
        """Whether an expression sets an attribute that is read for what is kept, of another object than `made`."""
        match node:
            case gast.Attribute(value=gast.Name(id=name)) if name == made:
                return False
            case gast.Attribute(ctx=gast.Store() | gast.Del(), attr=attr):
                return self.names is None or attr in self.names
            case gast.Attribute(attr=name) | gast.Name(id=name):
                return name in _SETTING
        return False

    @cached_property
    def names(self) -> Collection[str] | None:
        """The attributes that are read by what gives what is kept; None where they may be any."""
        trees = [a.source.tree for a in self.analyses if _function(a) in self.inside]
        nodes = [node for tree in trees for node in gast.walk(tree)]
        read = {node.attr for node in nodes if isinstance(node, gast.Attribute)}
        named = {node.id for node in nodes if isinstance(node, gast.Name)}
        return None if (read | named) & _READING else read | {*self.getters.values()}

    @cached_property
    def inside(self) -> set[types.FunctionType]:
        """What gives what is kept, and all that it calls."""
        found: set[types.FunctionType] = set()
        new = set(self.getters)
        while new:
            found |= new
            called = (_called(a) for a in self.analyses if _function(a) in new)
            new = set().union(*called) - found
        return found

    @cached_property
    def asking(self) -> set[types.FunctionType]:
        """The functions that ask for what is kept, and those that call them."""
        found: set[types.FunctionType] = set(self.getters)
        while more := {_function(a) for a in self.analyses if _called(a) & found} - found:
            found |= more
        return found

    @cached_property
    def giving(self) -> set[types.FunctionType]:
        """The functions that give what may lie in the memory of what is kept, or of what it is made of."""
        found: set[types.FunctionType] = set(self.getters)
        while (
            more := {
                _function(a) for a in self.analyses if self.memory(a, found) & _memory(a.result)
            }
            - found
        ):
            found |= more
        return found

    def memory(self, analysis: Analysis, giving: Collection[types.FunctionType]) -> set[Hashable]:
        """The memory in a function of what is kept, and of what it is made of."""
        given = (analysis.facts.kind(node) for node, _, f in _calls(analysis) if f in giving)
        read = (kind for _, kind, _ in self.asked(analysis))
        return set().union(*map(_memory, (*given, *read)))

    def asked(self, analysis: Analysis) -> Iterator[tuple[Any, Kind, bool]]:
        """What is given to functions that ask: arguments, and whether they are parts of parts of an object."""
        for _, user, function in _calls(analysis):
            if function in self.asking:
                parts = self.parts_read(user.function)
                for k, (node, kind) in enumerate(zip(user.arguments, user.kinds, strict=True)):
                    if parts is None or k in parts:
                        yield node, kind, bool(parts and parts[k])

    def parts_read(self, function: Any) -> dict[int, bool] | None:
        """The parameters that are parts of objects which keep something, and whether they are parts of parts."""
        if not isinstance(function, Lifted):
            return None
        displays = {value: (parts, kind) for value, parts, kind in function.displays}
        found: dict[str, bool] = {}
        for parts, kind in displays.values():
            if self.keeps(kind):
                pairs = zip(kind.keys or (), parts, strict=True)
                read = [p for name, p in pairs if self.names is None or name in self.names]
                found |= {leaf: leaf != p for p in read for leaf in _leaves(p, displays)}
        return {k: found[leaf] for k, leaf in enumerate(function.leaves) if leaf in found}

    def keeps(self, kind: Tup) -> bool:
        names = {*self.getters.values()}
        return kind.is_object and any(
            is_kept(inspect.getattr_static(kind.type, n, None)) for n in names
        )

    def refuse(self, message: str, node: Any, analysis: Analysis) -> NoReturn:
        text = message.format(
            kept=" and ".join(f".{name}" for name in sorted({*self.getters.values()}))
        )
        raise refuse([Refusal(text, node)], analysis.source.filename, analysis.source.lines)


def _function(analysis: Analysis) -> types.FunctionType:
    return analysis.source.function


def _names(analysis: Analysis) -> set[str]:
    """The names that a function reads, but for its own."""
    nodes = gast.walk(analysis.source.tree)
    read = {n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)}
    return read.difference(_function(analysis).__code__.co_varnames)


def _first_parameter(analysis: Analysis) -> str | bool:
    names = _function(analysis).__code__.co_varnames
    return bool(names) and names[0]


def _calls(analysis: Analysis) -> Iterator[tuple[Any, UserCall, types.FunctionType]]:
    for node, callee in analysis.facts.callees.items():
        if callee.user is not None:
            function = callee.user.function
            yield node, callee.user, as_written(function)


def _called(analysis: Analysis) -> set[types.FunctionType]:
    return {function for _, _, function in _calls(analysis)}


def _leaves(value: str, displays: Mapping[str, Any]) -> Iterator[str]:
    """The values that a container is made of, with those of containers in it."""
    yield value
    for part in displays[value][0] if value in displays else ():
        yield from _leaves(part, displays)


def _memory(kind: Kind | None) -> set[Hashable]:
    """Where a value, or what it holds, may lie."""
    match kind:
        case Tup(items=items, sites=sites):
            return set(sites).union(*map(_memory, items))
        case Seq(item=item):
            return {*sites_of_buffers(buffers_of(kind))} | _memory(item)
        case Num(buffers=buffers):
            return {*sites_of_buffers(buffers)}
        case Opaque(type=cls) if cls not in (str, bool, int, float, type(None)):
            return {_UNKNOWN, *sites_of_buffers(buffers_of(kind))}
    return set()


def _changed(facts: Facts) -> tuple[set[Hashable], bool]:
    """What a function changes, and whether it changes what is not known."""
    buffers = facts.written | facts.stored | facts.grown | facts.replaced
    sites = {*sites_of_buffers(frozenset(buffers)), *facts.taken_back}
    others = facts.changes.values()
    return sites.union(*(s for s in others if s is not None)), any(s is None or s for s in others)


def _may_meet(memory: set[Hashable], changed: tuple[set[Hashable], bool]) -> bool:
    sites, others = changed
    return bool(memory & sites) or (others and _UNKNOWN in memory)
