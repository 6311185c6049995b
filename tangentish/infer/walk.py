"""What every part of the walk shares: what it found out, what is known here, and how it refuses."""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.asking.asked import Asked
from tangentish.errors import Refusal
from tangentish.infer.arrays_run_over import ArraysRunOver
from tangentish.infer.asked_of_parts import AskedOfParts
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.dicts_asked import dicts_in, dicts_of_receiver
from tangentish.infer.environment import Changes, Environment
from tangentish.infer.facts import Facts, Summary
from tangentish.infer.forms import is_made_of_unknown, is_plain_number, is_sequence, odd_type
from tangentish.infer.indices import index_sort, is_fancy
from tangentish.infer.objects import method_of
from tangentish.infer.set_outside import is_name_set
from tangentish.ir.names_live import NamesLive
from tangentish.ir.versions import Versions
from tangentish.kinds import (
    REFUSED,
    UNKNOWN,
    Buffer,
    Kind,
    Num,
    Seq,
    Sparse,
    Tup,
    may_be_none,
    truth_of,
)
from tangentish.kinds.kinds_of_values import whatever_it_holds
from tangentish.language.lifted import Lifted
from tangentish.language.source import Source
from tangentish.language.ways import Way
from tangentish.language.ways_outside import Path
from tangentish.language.webs import read_late

AnalyseCall = Callable[[types.FunctionType | Lifted, tuple[Kind, ...], Any], Summary]


HIDING = {
    "O": "an array of objects holds a differentiated value: write a list",
    "V": "an array of records holds a differentiated value: write an array for each field",
}
"""What to write instead of arrays of these types, by the code of the type."""

_UNSURE = (
    "it is not known whether this is a tuple, list, dict or object of differentiated values, or None: "
    "ask a flag of its own"
)


@dataclass
class Walk(AskedOfParts):
    """The state of the walk over one function; `expression` is defined where all kinds of them are known."""

    source: Source
    analyse: AnalyseCall
    consult: Callable[[str, Kind], None]
    derivative: Callable[[Lifted, tuple[Kind, ...], Asked], Any] | None = None
    facts: Facts = field(default_factory=Facts)
    env: Environment = field(default_factory=Environment)
    allocated: set[Hashable] = field(default_factory=set)
    statement: ir.Statement | None = None
    lines: ir.Block = ()  # the block in which it stands
    symbols: set[int] = field(default_factory=set)  # nodes that made symbols, in the loop at hand
    cached: bool = False  # generated code is looked at, of which nothing is refused
    function: ir.Function = field(init=False)
    ends: Mapping[ir.Statement, Sequence[str]] = field(default_factory=dict)  # see ends.py
    names_live: NamesLive = field(default_factory=NamesLive)
    rebound: set[Hashable] = field(default_factory=set)  # names outside that some function binds
    arrays_run_over: ArraysRunOver = field(default_factory=ArraysRunOver)
    # the names outside that functions which others call, or modules, are asked for, too
    elsewhere: set[Hashable] = field(default_factory=set)
    outermost: bool = True  # whether it is this function's derivative that is generated
    gives_apart: bool = False  # whether its caller stores to the dicts and objects that it gives
    mirrored: set[str] = field(default_factory=set)  # names outside that a value stands for
    # what was looked up in modules and classes, by any pass
    attributes: dict[Hashable, tuple[Any, str, Any]] = field(default_factory=dict)
    # the kinds of the entries of dicts outside, where these were asked for
    entries: dict[Path, Mapping[Hashable, Kind] | None] = field(default_factory=dict)
    # the types of the numbers that these hold, and objects outside; None where something else stands
    numbers_there: dict[Path, frozenset[type] | None] = field(default_factory=dict)
    arrays_there: dict[Path, Kind | None] = field(default_factory=dict)  # the same of arrays
    # by `np` and `sin`: the kinds of both and the function, where a call of it was followed by its rule
    ufuncs: dict[tuple[str, str], tuple[Kind, Kind, np.ufunc]] = field(default_factory=dict)
    # by its name: the kind and the function, where a call of one of the user's was followed
    user_functions: dict[str, tuple[Kind, types.FunctionType]] = field(default_factory=dict)
    device: bool = False  # arrays are on a device, where what would be a scalar is one, too
    refused: bool = False  # whether anything was, so far
    made: dict[Any, Any] = field(default_factory=dict)  # nodes that stand for parts of calls
    scope: dict[str, Kind] = field(default_factory=dict)  # variables of comprehensions
    listing: list[Any] = field(default_factory=list)  # the comprehensions around what is looked at
    instead: dict[Any, Any] = field(default_factory=dict)  # what stands for a call, for good
    # by calls, what their functions read there, as the variables that it is here
    variables_given: dict[Any, dict[str, str]] = field(default_factory=dict)
    own_signature: bool = True  # whether the function is called by the user, with these arguments
    # by calls, what memory of the callee is here, and how many parts of what it gives have been looked at
    memory_made: dict[Any, tuple[dict[Buffer, frozenset[Buffer]], int]] = field(
        default_factory=dict
    )
    places_made: dict[Any, dict[Hashable, int]] = field(default_factory=dict)  # and its containers
    kept: list[Any] = field(default_factory=list)  # nodes whose ids name places
    eaten: set[Any] = field(default_factory=set)  # what is run over where it stands
    flat_used: set[Any] = field(default_factory=set)  # `x.flat` where nothing keeps it
    loops_around: int = 0
    # what loops inside others did when they were walked last, which is supposed when that starts alike
    changes: dict[ir.Statement, Changes] = field(default_factory=dict)
    around: list[ir.For] = field(default_factory=list)  # the loops around the statement at hand
    dynamic: set[Hashable] = field(default_factory=set)  # lists that change or are run over
    resized: dict[Hashable, set[int]] = field(default_factory=dict)  # by place, where lists change
    cancelled: set[Any] = field(default_factory=set)  # calls on whose results nothing depends
    # the lines of loops over dicts, and the places of these dicts: they must get no new keys there
    frozen: dict[ir.Origin, frozenset[Hashable]] = field(default_factory=dict)
    lists_unrolled: set[Hashable] = field(default_factory=set)  # loops over them were
    # the lines of loops that were written out for what a container held; those to write out before what is in them
    lines_written: dict[ir.Origin, set[ir.Origin]] = field(default_factory=dict)
    written_first: set[ir.Origin] = field(default_factory=set)
    takes_for: bool = False  # whether a line says what a loop was taken to run over
    written_for: set[Hashable] = field(default_factory=set)  # the places of these containers
    viewed: set[Hashable] = field(default_factory=set)  # the places of dicts whose views have names
    # objects that change out of sight, as they were known before: by the names that held them
    let_go: dict[str, Tup] = field(default_factory=dict)
    # the same of all containers whose elements are not known any more
    forgotten: dict[str, Tup | Seq] = field(default_factory=dict)
    # where nothing is known of what a call gives: where the arrays are made that it may be, or hold
    keeping: dict[Any, frozenset[Hashable]] = field(default_factory=dict)
    # the names of such values, and of parts of them
    may_keep: dict[str, frozenset[Hashable]] = field(default_factory=dict)
    # the memory that values may lie in of which nothing is known, by their names
    may_lie_in: dict[str, frozenset[Buffer]] = field(default_factory=dict)
    records_known: bool = False  # whether there are lists of dicts or objects
    # lists of dicts and objects whose lines are written by entries, and lines on which elements of them have names
    in_entries: set[Way] = field(default_factory=set)
    elements_named: set[tuple[Way, ir.Origin]] = field(default_factory=set)
    replacing: set[ir.Origin] = field(default_factory=set)  # lines that put one in another's place
    handed_over: set[str] = field(default_factory=set)  # arguments that have gone into such lists
    element_names: frozenset[str] = frozenset()  # values of elements that the function mentions
    last_columns: set[Any] = field(default_factory=set)  # of these no other column is read
    certain: bool = True  # the expression at hand is evaluated whenever its statement is

    def learn_from(self, other: Walk) -> None:
        """What holds however the function is rewritten: which containers change, which loops are written out first."""
        self.kept += other.kept
        self.dynamic |= other.dynamic
        self.made |= other.made  # by whose ids these are known
        self.written_first |= other.written_first

    @contextmanager
    def maybe(self) -> Iterator[None]:
        """What is evaluated here may be passed over."""
        outer, self.certain = self.certain, False
        yield
        self.certain = outer

    def raises_here(self, node: Any, error: str, text: object) -> Kind | None:
        """The kind of what raises for sure, so that nothing comes after it; None where it may not be reached."""
        simple = isinstance(self.statement, (ir.Assign, ir.Update, ir.Do, ir.Return))
        if not (self.certain and simple) or self.cached:
            return None
        self.facts.raising[node] = error, text
        self.env.dead = True
        return UNKNOWN

    def as_dict(self, node: Any) -> None:
        """What stands here may be a dict whose keys are computed, or an object that holds some."""
        self.facts.as_dicts.update(dicts_in(node))

    def as_receiver(self, function: Any) -> None:
        """The same, where a method of such a dict, or of an object, is called."""
        self.facts.as_dicts.update(dicts_of_receiver(function))

    def is_rebound(self, name: str) -> bool:
        """Whether a name outside is bound by the program, so that it is not what it was."""
        return is_name_set(self.source, name, self.rebound)

    def still(self, kind: Kind) -> Kind:
        """The kind of a value outside, after all that the program changes."""
        return whatever_it_holds(kind) if CHANGED_OUTSIDE in self.rebound else kind

    def method_of(self, kind: Kind, name: str) -> tuple[types.FunctionType, bool] | None:
        """The function of a method, which its class has to have at every call, and whether it gets the object."""
        found = method_of(kind, name)
        if found is not None:
            self.note_member(getattr(kind, "type", None), name)
        return found

    def note_member(self, cls: Any, name: str) -> None:
        """What a class has under a name has to be the same at every call."""
        self.attributes[id(cls), name] = cls, name, getattr(cls, name)

    def shape_only(self, node: Any) -> Kind:
        """The kind of a node whose elements are not read: it does not matter that they are stale."""
        stale, self.env.stale = self.env.stale, Versions()
        kind = self.expression(node)
        self.env.stale = stale
        return kind

    def refuse(self, message: str, node: Any) -> None:
        if node is None or isinstance(node, ir.Statement):
            statement: Any = node or self.statement
            node = statement.origin.node or statement.value
        if not self.cached and not self.is_refused(node):
            self.facts.refusals[node] = Refusal(message, node)
            self.refused = True

    def is_refused(self, node: Any) -> bool:
        """Whether this, or something that it depends on, was refused before."""
        refusals, kinds = self.facts.refusals, self.facts.kinds
        return any(sub in refusals or kinds.get(sub) is REFUSED for sub in ir.walk(node))

    def kind(self, node: Any) -> Kind:
        return self.facts.kinds.get(node, UNKNOWN)

    def rank(self, node: Any) -> int | None:
        kind = self.kind(node)
        if isinstance(kind, Sparse):
            return 2
        return kind.rank if isinstance(kind, Num) else None

    def is_sequence(self, node: Any) -> bool:
        return is_sequence(self.kind(node))

    def is_fancy(self, index: Any) -> bool:
        return is_fancy(index, self.facts)

    def passes_copy(self, target: Any, surely: bool = False) -> bool:
        """Whether a chain passes through a copy that an index of arrays gives, or may give."""
        return any(
            isinstance(link, gast.Subscript)
            and not isinstance(self.kind(link.value), (Tup, Seq))
            and self.gives_copy(link, surely)
            for link in ir.links_of(target)
        )

    def gives_copy(self, link: Any, surely: bool) -> bool:
        if not surely:
            return self.is_fancy(link.slice)
        of_array = isinstance(self.kind(link.value), Num)
        return of_array and index_sort(link.slice, self.facts) == "fancy"

    def refuse_generator(self, node: Any) -> None:
        """A generator gives its elements once, and when they are asked for."""
        once = isinstance(node, gast.GeneratorExp) or node in self.facts.iterators
        if once and self.kind(node).active:
            self.refuse("a generator that is kept is not followed: make it a list", node)
        elif isinstance(node, gast.GeneratorExp):
            self.read_later(node, tuple(n.id for n in read_late(node) if ir.is_value(n.id)))

    def truth(self, kind: Kind) -> bool | None:
        """Whether a value of this kind is true; None where that shows when the program runs."""
        if self.refuse_unsure(kind, None):
            return None
        return truth_of(kind)

    def refuse_unsure(self, kind: Kind, node: Any) -> bool:
        """Whether what is asked is a container of values, or None: nothing is left of it to ask that."""
        unsure = isinstance(kind, Tup) and may_be_none(kind) and kind.active
        if unsure:
            self.refuse(_UNSURE, node)
        return unsure

    def check_type(self, node: Any) -> None:
        """Types that change what operators mean can't meet differentiated values."""
        kind = self.facts.kinds.get(node, UNKNOWN)
        if is_made_of_unknown(kind):
            self.demand_counts(node)
            kind = self.kind(node)
        name = None if is_plain_number(kind) else odd_type(kind)
        if name is not None:
            self.refuse(
                f"a value of type {name} meets a differentiated one: only numbers and plain arrays may",
                node,
            )

    def check_holds_numbers(self, array: Kind, node: Any) -> None:
        """An array of objects or records would hide the derivative of what it is given."""
        if isinstance(array, Num) and array.dtype is not None and array.dtype.kind in HIDING:
            self.refuse(HIDING[array.dtype.kind], node)

    def gives_nothing_yet(self, node: Any) -> None:
        """What a call makes is counted from here on."""
        self.memory_made[node] = {}, 0
        self.places_made[node] = {}

    def fresh(self, node: Any, result: int = 0) -> frozenset[Buffer]:
        """The memory of an array made here; of several results that of each."""
        site: Hashable = ("result", id(node), result) if result else id(node)
        if site in self.allocated:
            self.env.age(site)
        self.allocated.add(site)
        return frozenset({Buffer(site)})

    def fresh_or(self, shared: frozenset[Buffer], node: Any, result: int = 0) -> frozenset[Buffer]:
        """The memory of what is made here, or lies in memory that there was before."""
        return self.fresh(node, result) | made_before(node, shared)


def made_before(node: Any, buffers: frozenset[Buffer]) -> frozenset[Buffer]:
    """The memory as it is known once an array is made at `node`: what was made there before is old."""

    def is_here(site: Hashable) -> bool:
        return site == id(node) or (isinstance(site, tuple) and site[:2] == ("result", id(node)))

    return frozenset(b._replace(old=True) if is_here(b.site) else b for b in buffers)
