"""What the walk finds out, by node and by statement."""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer.changes import NOWHERE, is_container, may_be, sites_of
from tangentish.ir.unchanging import unchanging
from tangentish.kinds import (
    UNKNOWN,
    Buffer,
    Fun,
    Kind,
    Sites,
    Taken,
    Tup,
    buffers_of,
    functions_in,
    is_integer,
    is_unknown,
    replace,
    sites_of_buffers,
)
from tangentish.language.generators import is_generator
from tangentish.language.lifted import Lifted, as_written, element_name
from tangentish.rules import Rule


@unchanging
class Callee:
    """What a call calls: `function(*args, **keywords)`, a method's object being its first argument."""

    function: Any
    args: tuple[Any, ...]
    keywords: dict[str, Any]
    rule: Rule | None = None
    bound: dict[str, Any] = field(default_factory=dict)
    user: UserCall | None = None

    @property
    def given(self) -> tuple[Any, ...]:
        """What it is given, by places and by names."""
        return (*self.args, *self.keywords.values())


CopiedTogether = tuple[tuple[frozenset[Buffer], frozenset[Buffer]], ...]
"""The memory of each of several values, and that of the copy of it."""

CopiedWith = tuple[frozenset[Buffer], frozenset[Buffer]]
"""Memory of which there is a copy that is written to, and memory that is copied together with it."""


@dataclass(frozen=True, eq=False)
class UserCall:
    """A call of a Python function of the user's: its parameters' arguments, and what it does to them."""

    function: types.FunctionType | Lifted
    arguments: tuple[Any, ...]  # a node a parameter, None where the default stands
    kinds: tuple[Kind, ...]
    result: Kind
    written: tuple[int, ...]
    pure: bool
    views: tuple[Any, ...] = ()  # for each result the path into an argument that it is, or None
    wanted: bool = False  # what it gives is a function that is called with what varies
    quiet: bool = True
    caught: bool = False  # it stands in a `try`, which may catch what it raises
    otherwise: tuple[Any, ...] = ()  # the same where a result is not made in the call
    updates_others: bool = False  # it asks for a number that it was given, and updates

    @property
    def is_followed(self) -> bool:
        """Whether generated functions take the place of the one that is called."""
        apart = isinstance(self.function, Lifted) and self.function.stands_for_objects
        return apart or self.wanted or any(kind.active for kind in self.kinds)

    @property
    def is_always_generated(self) -> bool:
        """Whether only a generated function will do, where nobody needs a derivative of what it gives, too."""
        return self.gives_items or self.updates_others

    @property
    def gives_items(self) -> bool:
        """Whether a generated function gives the list of the items of what is a generator as the user wrote it."""
        function = self.function
        return is_generator(as_written(function))


@dataclass(frozen=True, eq=False)
class BoundEntry:
    """What a function stored under a key of a container that it was given."""

    container: str  # the value there
    key: Hashable
    element: str  # the value there
    kind: Kind


@dataclass(frozen=True, eq=False)
class Choice:
    """A call of one of several functions: for each an expression that gives it, and the call of it.

    sure: it can be no other; all_fit: all that it can be take these arguments, others are left out.
    """

    call: Any
    ways: tuple[tuple[Any, Any], ...]
    sure: bool
    all_fit: bool = True


@unchanging
class Summary:
    """What a caller has to know of a function.

    result: None while a recursion has nothing to say.
    written: the parameters whose memory it writes to; pure: it has no effect at all.
    paths: for each result the path into a parameter that it is, or None.
    otherwise: for each result the path into a parameter that it is wherever it is not made there, or None.
    finals: what it leaves in the lists among the written parameters.
    repeated: what may stand in a list more than once.
    memory: what it writes to, or may; stored: what it writes to for sure.
    bound: what it leaves under keys of the containers it was given: the value of the container there, the key,
        the value of the element there, its kind.
    silent: it gives no result.
    changes: it may change lists, dicts and objects that carry no derivative.
    quiet: nothing shows how often it was called: it writes to its own arrays only, and so do those that it calls.
    grown: the lists that get more elements, or fewer.
    replaced: the lists of dicts or objects in which others take the places of elements.
    kept: the objects among what it was given that it puts into a list: the values of them there.
    escaped: what is read later by functions of which it leaves somewhere more than a call: the values there.
    changes_outside: it may change lists, dicts and objects that it finds outside.
    asks: it raises where something, of which nothing is known beforehand, is no integer, or no plain array.
    asks_index: it does so of an index.
    updates_others: it does so of what it updates by what varies, which may be an array of others.
    tells: it may raise an exception that was given what varies.
    copied: the memory of what it copies together with others, to write to the one copy and read the other.
    assumed: it calls itself, and what it does is not known yet.
    let_out: the memory that others have after the call: what stands outside, functions of which nothing is known.
    outside: what of it, or of what it gives, an object or a container outside holds.
    """

    result: Kind | None
    written: tuple[int, ...] = ()
    pure: bool = False
    paths: tuple[Any, ...] = ()
    finals: dict[int, Kind] = field(default_factory=dict)
    repeated: frozenset[Buffer] = frozenset()
    memory: frozenset[Buffer] = frozenset()
    stored: frozenset[Buffer] = frozenset()
    bound: tuple[BoundEntry, ...] = ()
    silent: bool = False
    changes: bool = False
    quiet: bool = True
    grown: frozenset[Buffer] = frozenset()
    replaced: frozenset[Buffer] = frozenset()
    kept: frozenset[str] = frozenset()
    escaped: frozenset[str] = frozenset()
    changes_outside: bool = False
    asks: bool = False
    assumed: bool = False
    let_out: frozenset[Buffer] = frozenset()
    asks_index: bool = False
    updates_others: bool = False
    outside: frozenset[Buffer] = frozenset()
    tells: bool = False
    copied: Sequence[CopiedWith] = ()
    otherwise: tuple[Any, ...] = ()


@dataclass(frozen=True, eq=False)
class Handed:
    """An element of a container that a call binds anew."""

    there: str  # the value in the function that is called
    here: str
    kind: Kind
    key: Hashable


class ListNeeded(Exception):
    """A function runs over, or changes, a list that it was given by its elements."""

    def __init__(self, value: str) -> None:
        super().__init__(value)
        self.value = value

    @property
    def reason(self) -> str:
        """Why a function is refused to which the list can't be given: it lies in a list of objects."""
        return (
            f"'{ir.base_name(self.value)}' is a list of objects, or dicts, that is an argument, "
            "and one of them varies: make the list in this function"
        )


class KeyedNeeded(ListNeeded):
    """A function looks up computed keys in a dict that it was given."""


class ApartNeeded(ListNeeded):
    """A function stores to an entry of a container that it was given as one value."""


class RecordsWanted(ListNeeded):
    """A function puts dicts or objects, of class `of` with entries under `keys`, into a list that it was given."""

    def __init__(self, value: str, of: type, keys: Sequence[Hashable]) -> None:
        super().__init__(value)
        self.of = of
        self.keys = keys


@dataclass(frozen=True, eq=False)
class Conflict:
    """A read of `name` after a write through `writer` to memory that they may share."""

    name: str
    writer: str
    node: Any


@dataclass(eq=False, slots=True)
class Facts:
    """What the walk found out, by node and by statement."""

    kinds: dict[Any, Kind] = field(default_factory=dict)
    # lines that were refused as they stand, of which no later pass makes sense
    not_followed: set[ir.Statement] = field(default_factory=set)
    callees: dict[Any, Callee] = field(default_factory=dict)
    choices: dict[Any, Choice] = field(default_factory=dict)
    lifted: dict[Any, Any] = field(default_factory=dict)  # call -> one that gives all it reads
    unstarred: dict[Any, tuple[Any, Any]] = field(default_factory=dict)  # target -> target, value
    # functions and generators that are not followed: the values that they read whenever they run
    escaped: list[tuple[Any, tuple[str, ...]]] = field(default_factory=list)
    lowered: dict[Any, Any] = field(default_factory=dict)  # calls that write, and their handlers
    branches: dict[ir.Statement, bool] = field(default_factory=dict)  # tests known beforehand
    # where methods are read as values, and under which names
    methods_read: dict[Any, types.FunctionType] = field(default_factory=dict)
    writes: dict[ir.Statement, tuple[str, ...]] = field(default_factory=dict)
    heads: dict[ir.Statement, Mapping[str, Kind]] = field(default_factory=dict)
    # loops -> what a trip leaves
    ends: dict[ir.Statement, Mapping[str, Kind]] = field(default_factory=dict)
    before: dict[ir.Statement, Mapping[str, Kind]] = field(default_factory=dict)
    # second names of objects -> the first
    objects: dict[str, str | None] = field(default_factory=dict)
    # loop variables that only index what they run over
    counters: set[str] = field(default_factory=set)
    inside: set[Any] = field(default_factory=set)  # elements that are there for sure
    # elements of containers that are containers of differentiated values themselves, somewhere
    apart: set[str] = field(default_factory=set)
    # lists that become arrays where they stand
    as_arrays: dict[Any, Any] = field(default_factory=dict)
    # names that stand where a dict whose keys are computed may stand
    as_dicts: set[Any] = field(default_factory=set)
    # where dicts are made whose keys stand in another order once a deleted one is put back
    reordered: set[Hashable] = field(default_factory=set)
    filled: set[Any] = field(default_factory=set)  # comprehensions and displays of such dicts
    keyed: set[Any] = field(default_factory=set)  # displays of such dicts, whose keys are literals
    # stores to entries that were not there before
    new_entries: set[Any] = field(default_factory=set)
    # names -> what they are bound to, where somebody has asked
    bindings: dict[str, list[Any]] = field(default_factory=dict)
    plain_views: set[Any] = field(default_factory=set)  # d.values() that stay what they are
    items: dict[Any, Kind] = field(default_factory=dict)  # what loops run over -> a trip's item
    web_kinds: dict[str, Kind] = field(default_factory=dict)
    # memory that values have had of which their kind does not tell
    untold: dict[str, frozenset[Buffer]] = field(default_factory=dict)
    entry: dict[str, Kind] = field(default_factory=dict)
    result: Kind | None = None
    returned: tuple[Kind, ...] = ()
    returned_paths: tuple[Any, ...] = ()
    calls_unknown: bool = False  # functions that may ask for whatever there is
    held: tuple[str, ...] = ()  # values with respect to which gradients are taken
    written: set[Buffer] = field(default_factory=set)
    # memory that calls without a derivative write to, and no line of this function: the calls
    out_of_sight: dict[Buffer, Any] = field(default_factory=dict)
    # what changes containers without a derivative, and is not taken back: where they may have been made
    changes: dict[Any, Sites] = field(default_factory=dict)
    # calls of which it shows when they are made: whether others may see what they do; draws change their generator only
    acting: dict[Any, bool] = field(default_factory=dict)
    # the memory that functions of which nothing is known were given: what they give may lie in it
    let_out: set[Hashable] = field(default_factory=set)
    iterators: set[Any] = field(default_factory=set)  # calls that give their items once
    generators: set[Hashable] = field(default_factory=set)  # where generators are made, not lists
    taken_back: set[Hashable] = field(default_factory=set)  # where those are made whose changes are
    stored: set[Buffer] = field(default_factory=set)  # of these, what is written to for sure
    repeated: set[Buffer] = field(default_factory=set)  # may stand in a list more than once
    grown: set[Buffer] = field(default_factory=set)  # lists that get more elements, or fewer
    replaced: set[Buffer] = field(default_factory=set)  # those in which elements give way to others
    # writes to what a list holds: node and list
    written_inside: dict[tuple[Any, str], frozenset[Buffer]] = field(default_factory=dict)
    # parameters that are written to, and whose names are those of others at the end
    bound_anew: list[str] = field(default_factory=list)
    # what is stored under which keys of the containers that were given: the values of the elements
    bound_entries: dict[tuple[str, Hashable], str] = field(default_factory=dict)
    # calls of functions that do so: the values of the elements there, and here
    handed: dict[Any, tuple[Handed, ...]] = field(default_factory=dict)
    # of them those that give back a container that they were given: the expression of that
    given_back: dict[Any, Any] = field(default_factory=dict)
    silent: set[Any] = field(default_factory=set)  # of them those that give no result
    # calls that change lists: what these hold after
    left_in_lists: dict[Any, tuple[Kind, ...]] = field(default_factory=dict)
    # calls of classes: the object by its attributes, or the call of __init__ that gives them
    made: dict[Any, Any] = field(default_factory=dict)
    # operators and questions about objects that are taken apart -> what takes their place
    answers: dict[Any, Any] = field(default_factory=dict)
    # of these what indexes, and has to be an integer, which shows when it runs; and variables
    # that are asked for that on a line before
    integers: set[Any] = field(default_factory=set)
    # operands of which nothing is known -> the calls that ask whether they are plain
    operands: dict[Any, Any] = field(default_factory=dict)
    asks: bool = False  # whether anything is asked, here or in functions that are called
    updates_others: bool = False  # whether that is of a name that others gave, which is updated
    not_back: set[Any] = field(
        default_factory=set
    )  # lines that wait for a recursion of which nothing is known yet
    tells: bool = False  # whether an exception that was given what varies may leave the function
    by_lengths: bool = False  # whether a kind depends on which lengths of arguments are 2
    asked_first: dict[ir.Statement, dict[str, Any]] = field(default_factory=dict)
    # zip(*rows) that answers take the place of -> the rows: without rows there are no columns
    columns: dict[Any, Any] = field(default_factory=dict)
    # the classes of named tuples that are taken apart -> what they are here: Point, geometry.Point
    class_names: dict[type, str | None] = field(default_factory=dict)
    # a class -> the name that it has where the function reads it, or the path to it
    path_of_class: Callable[[type], str | None] = lambda cls: None  # noqa: ARG005
    of_another_class: set[str] = field(default_factory=set)  # objects whose place such took
    after_init: set[Any] = field(
        default_factory=set
    )  # of them those of classes with a __post_init__
    # expressions that raise wherever they are reached: the exception, and what it says
    raising: dict[Any, tuple[str, object]] = field(default_factory=dict)
    effects: set[ir.Statement] = field(default_factory=set)
    refusals: dict[Any, Refusal] = field(default_factory=dict)
    late: list[Refusal] = field(default_factory=list)  # refused unless they are taken apart
    # parts of what a call gives, which is evaluated once for all of them
    parts_of_calls: set[Any] = field(default_factory=set)
    unnamed: set[Any] = field(default_factory=set)  # arguments that are written to, without a name
    ways_out: dict[ir.Handler, bool] = field(default_factory=dict)  # whether it does not raise
    outside: set[Buffer] = field(default_factory=set)  # memory that a name outside holds, too
    imports: dict[Any, object] = field(default_factory=dict)  # what imports inside found
    conflicts: list[Conflict] = field(default_factory=list)
    copied: list[CopiedTogether] = field(default_factory=list)
    copied_by_callees: list[CopiedWith] = field(default_factory=list)
    # the calls of functions that make such copies of what shares memory, and their names
    kept_together: dict[Any, str] = field(default_factory=dict)
    # calls that write to one of several arguments which may share memory
    lent_together: list[Any] = field(default_factory=list)
    # the paths that stood for a name where it was read, and the names read where none did
    paths: dict[str, dict[Any, None]] = field(default_factory=dict)
    pathless: set[str] = field(default_factory=set)
    # where loops stand on whose first trip something is None that is a container on the others
    none_first: set[tuple[int, int]] = field(default_factory=set)
    views: dict[Any, Any] = field(default_factory=dict)  # target -> the path that it was bound to
    otherwise: dict[Any, Any] = field(default_factory=dict)  # the same of what a call may make
    path_nodes: dict[str, Any] = field(default_factory=dict)  # equal paths are one node
    unsure: set[Any] = field(default_factory=set)  # reads of names that may have no value
    handed_unset: set[Any] = field(
        default_factory=set
    )  # such names where captured ones are handed on
    entry_unset: frozenset[str] = frozenset()  # parameters for captured ones

    @property
    def written_copies(self) -> list[CopiedWith]:
        """Memory that is copied, where the copy is written to, and each that is copied together with it."""
        return self.copied_by_callees + [
            (one, other)
            for values in self.copied
            for (one, copy), (other, _) in itertools.permutations(values, 2)
            if not copy.isdisjoint(self.written)
        ]

    def function_of(self, call: Any) -> Any:
        """What a call calls, if it is known; None of anything else."""
        callee = self.callees.get(call)
        return None if callee is None else callee.function

    def rule_of(self, call: Any) -> Rule | None:
        """The rule by which a call has a derivative, if it has one."""
        callee = self.callees.get(call)
        return None if callee is None else callee.rule

    def user_of(self, call: Any) -> UserCall | None:
        """What a call of a function of the user's does, if it is one."""
        callee = self.callees.get(call)
        return None if callee is None else callee.user

    def sites(self, name: str) -> frozenset[Hashable]:
        kind, untold = self.web_kinds.get(name, UNKNOWN), self.untold.get(name)
        told = buffers_of(kind)
        sites = sites_of_buffers(told | untold if untold else told)
        return sites | kind.sites if isinstance(kind, Tup) and not kind.active else sites

    def read_later(self, left: Iterable[Kind]) -> frozenset[str]:
        """What functions read that a call leaves behind: in containers, in what it gives, and elsewhere.

        Those that it was given are known to the one who gave them.
        """
        result = [] if self.result is None else self.functions_made(self.result)
        held = [f for kind in left for f in self.functions_left(kind)]
        values = (f.values for f in (*result, *held))
        return frozenset().union(*values, *(names for _, names in self.escaped))

    def functions_left(self, kind: Kind) -> list[Fun]:
        """The functions in what a call was given, without those that the caller gave, and knows in its objects."""
        if isinstance(kind, Tup) and kind.is_object:
            return [f for item in kind.items for f in self.functions_made(item)]
        return functions_in(kind)

    def functions_made(self, kind: Kind) -> list[Fun]:
        """The functions in a value that the caller does not know there: those too that it gave, in lists."""
        if isinstance(kind, Tup):
            return [f for item in kind.items for f in self.functions_made(item)]
        given = isinstance(kind, (Fun, Taken))
        return [f for f in functions_in(kind) if not (given and self.is_given_function(f))]

    def is_given_function(self, function: Fun) -> bool:
        """Whether this is one of the functions that the function at hand is given."""
        there = (f for kind in self.entry.values() for f in functions_in(kind))
        return any((f.function, f.cells) == (function.function, function.cells) for f in there)

    def container(self, name: str) -> Kind:
        """The kind of a value; of an argument that was changed, what it was at first."""
        kind = self.web_kinds.get(name, UNKNOWN)
        return self.entry.get(name, kind) if is_unknown(kind) else kind

    def is_container(self, name: str) -> bool:
        """Whether a value may be a list, a dict or an object that carries no derivative."""
        kind = self.container(name)
        return name in self.web_kinds and not kind.active and is_container(kind)

    def is_integer(self, name: str) -> bool:
        """Whether a name always holds one integer."""
        return is_integer(self.web_kinds.get(name))

    def container_sites(self, name: Any, parameters: Sequence[str]) -> Sites:
        """Where a list, a dict or an object of this name may have been made, if it carries no derivative."""
        kind = self.container(name.id) if ir.is_value(name.id) else self.kind(name)
        return sites_of(name, kind, parameters)

    def may_be_changed(self, name: Any, parameters: Sequence[str]) -> bool:
        """Whether such a container is changed, if only until the way back puts it back."""
        changes = (*self.changes.values(), frozenset(self.taken_back))
        if not any(changed != NOWHERE for changed in changes):
            return False
        read = self.container_sites(name, parameters)
        return any(may_be(changed, read) for changed in changes)

    def kind(self, node: Any) -> Kind:
        return self.kinds.get(node, UNKNOWN)

    def has(self, *types: type[Kind]) -> bool:
        """Whether anything here is of one of these kinds: most passes look for what no function has."""
        return any(issubclass(found, types) for found in set(map(type, self.kinds.values())))

    def varies(self, *nodes: Any) -> bool:
        """Whether any of these carries a derivative."""
        return any(self.kind(node).active for node in nodes)

    def is_ever_active(self, xs: Any) -> bool:
        """Whether a list carries a derivative here or elsewhere: a list of tangents goes with it all the way."""
        root = ir.root_of(xs)
        anywhere = self.web_kinds.get(root.id) if isinstance(root, gast.Name) else None
        return self.kind(xs).active or (anywhere is not None and anywhere.active)

    def is_given(self, name: str) -> bool:
        """Whether a value is an argument, or a container that was given by its elements."""
        kind = self.web_kinds.get(name)
        return name in self.entry or (isinstance(kind, Tup) and ("display", name) in kind.sites)

    def note_apart(self, name: str, kind: Kind) -> None:
        """A value of this kind is bound: which of its elements are containers of differentiated values."""
        if not (isinstance(kind, Tup) and kind.active):
            return
        for k, item in enumerate(kind.items):
            element = element_name(name, k, kind)
            if isinstance(item, Tup) and item.active:
                self.apart.add(element)
            self.note_apart(element, item)

    def marked(self, name: str, kind: Kind) -> Kind:
        """A kind in which the elements are told apart that are so anywhere."""
        if not (isinstance(kind, Tup) and self.apart):
            return kind
        names = (element_name(name, k, kind) for k in range(len(kind.items)))
        items = tuple(self.marked(n, i) for n, i in zip(names, kind.items, strict=True))
        return replace(kind, items=items, apart=kind.apart or name in self.apart)
