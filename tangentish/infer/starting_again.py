"""What a walk finds out that makes the one before it another: the function is rewritten, and walked over again."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

from tangentish import ir
from tangentish.infer.elements_with_names import NamedElement
from tangentish.kinds import Kind, Tup
from tangentish.language.ways import Way

Count = int | tuple["Count | None", ...]
# lines whose own expressions are evaluated once, before anything else of them
EarlyLine = ir.Assign | ir.Update | ir.Do | ir.Return | ir.If | ir.For


class StartAgain(Exception):
    """A list has turned out to be one that changes, or a value to cancel."""


class StartAnew(StartAgain):
    """A loop has been written out too early: all begins as it was at first."""


class InLoop(StartAgain):
    """A comprehension has to be a loop on lines before the one at hand, for it changes what is outside of it.

    before: the parts of the line that are evaluated before, and get names.
    """

    def __init__(self, statement: EarlyLine, node: Any, before: Sequence[Any]) -> None:
        super().__init__("a comprehension is written as a loop")
        self.statement = statement
        self.node = node
        self.before = before


class Mirror(StartAgain):
    """What a name outside is given gets a name here, too: `last = x` is `v = x; last = v`, and `v` is read."""

    def __init__(self, outside: str) -> None:
        super().__init__("what a name outside is given has a name here")
        self.outside = outside


class NoneApart(StartAgain):
    """What may be None instead of a tuple, a dict or an object has to be such a one, of what may be None.

    told_by: the way to the element that tells.
    """

    def __init__(self, name: str, form: Any, told_by: Sequence[int]) -> None:
        super().__init__("a container that may be None is one of what may be None")
        self.name = name
        self.form = form
        self.told_by = told_by


class Unroll(StartAgain):
    """A loop has to be written out, with these expressions for its items, after a line that says what they are.

    longer: the arrays beside the items, which have to be longer than the number of a trip.
    lasts: a line after each trip that says so again, where the trips may change what is run over.
    """

    def __init__(
        self, loop: ir.For, items: Sequence[Any], stable: frozenset[Any], taken: ir.Block,
        longer: Sequence[Any] = (), lasts: ir.Block = (),
    ) -> None:  # fmt: skip
        super().__init__("a loop is written out")
        self.lasts = lasts
        self.longer = longer
        self.taken = taken
        self.loop = loop
        self.items = items
        self.stable = stable


class NameFirst(StartAgain):
    """What a loop runs over, or an assignment takes apart, has to have a name, or one for each of its `count` items.

    count: of tuples in a tuple one for each of these, None for what else is among them.

    before: the parts of the line that are evaluated before, and get names, too.
    known: what leads to it already.
    """

    def __init__(
        self, statement: EarlyLine, node: Any, count: Count | None = None, before: Sequence[Any] = (),
        known: Any = None,
    ) -> None:  # fmt: skip
        super().__init__("what a loop runs over, or what is unpacked, gets a name")
        self.statement = statement
        self.node = node
        self.count = count
        self.before = before
        self.known = known


class Tabled(StartAgain):
    """Entries of what is in a dict that is given, under computed keys, are read of dicts of these entries.

    keys: those of the dict `owner`; entries: the reads, each with the name of the entry; named: the elements that
    have names.
    """

    def __init__(
        self,
        owner: Any,
        keys: Sequence[Hashable],
        entries: Mapping[Any, str],
        named: Mapping[str, NamedElement],
    ) -> None:
        super().__init__("entries under computed keys have a dict of their own")
        self.owner = owner
        self.keys = keys
        self.entries = entries
        self.named = named


class InnerTable(StartAgain):
    """A dict in a dict or an object, `owner`, has a name before a line, by which it is asked from there on.

    keys: those of the dict.
    """

    def __init__(self, statement: ir.Statement, owner: Any, keys: Sequence[Hashable]) -> None:
        super().__init__("a dict that is asked by computed keys has a name")
        self.statement = statement
        self.owner = owner
        self.keys = keys


class Unpack(StartAgain):
    """The values of a starred argument get names on a line of their own: `f(t, *p)` is `a, b = p` and `f(t, a, b)`.

    defaults: those of the last names, where it may give fewer values.
    last: what the call gives after those values, where they are no arguments of their own then.
    """

    def __init__(
        self, statement: EarlyLine, call: Any, star: Any, names: tuple[str, ...],
        defaults: tuple[Any, ...] = (), last: tuple[Any, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__("what a star gives gets names")
        self.defaults = defaults
        self.last = last
        self.statement = statement
        self.call = call
        self.star = star
        self.names = names


class OneName(StartAgain):
    """After a line a name stands for what a way leads to: that is written instead, as long as both stay.

    named: the lines on which names have been replaced so, and by which ways, as far as that is known yet.
    """

    def __init__(
        self, line: ir.Statement, name: str, way: Way, named: set[tuple[Way, ir.Origin]]
    ) -> None:
        super().__init__("a dict or an object has two names")
        self.line = line
        self.name = name
        self.way = way
        self.named = named


class RecordsNeeded(StartAgain):
    """A list that is made at `site` holds dicts or objects, of class `of` with entries under `keys`.

    keyed: it is a dict that holds them, under computed keys.
    """

    def __init__(
        self, site: Hashable, of: type, keys: Sequence[Hashable], keyed: bool = False
    ) -> None:
        super().__init__("a list holds dicts or objects")
        self.keyed = keyed
        self.site = site
        self.of = of
        self.keys = keys


class FilledHere(StartAgain):
    """A list that is made with dicts or objects in it is made empty, and filled one by one.

    anew: loops over it have been written out for those that it began with: all begins anew.
    """

    def __init__(self, statement: ir.Assign, display: Any, anew: bool) -> None:
        super().__init__("a list is filled one by one")
        self.statement = statement
        self.display = display
        self.anew = anew


class GivenAsRecords(StartAgain):
    """A list that was given, of dicts or objects of one form, is made anew first, by the lists of their entries."""

    anew = True  # loops over it may have been written out

    def __init__(self, way: Way, root: Kind, elements: Sequence[Tup], node: Any) -> None:
        super().__init__("a list that was given is one of lists")
        self.way = way
        self.root = root
        self.elements = elements
        self.node = node


class OneByOne(StartAgain):
    """An assignment of several values has a line for each: `ps, t = [], 0.0`, or `p, q = ps`.

    values: what the names get.
    """

    def __init__(self, statement: ir.Assign, values: Sequence[Any]) -> None:
        super().__init__("values are assigned one by one")
        self.statement = statement
        self.values = values


class InFull(StartAgain):
    """A line is another one: `o.x = o.x + v`, or `o.x.__iadd__(v)`, where functions of a class do what it says.

    So is a `with`: `o.__enter__()`, its lines, `o.__exit__(None, None, None)`.
    """

    def __init__(self, statement: EarlyLine | ir.With, *written: ir.Statement) -> None:
        super().__init__("an update is written in full")
        self.statement = statement
        self.written = written


class SetBefore(StartAgain):
    """An object has attributes from where it is made, after a line, or from the beginning where it is given."""

    def __init__(self, statement: ir.Assign | None, lines: ir.Block) -> None:
        super().__init__("an object has attributes before")
        self.statement = statement
        self.lines = lines


class Instead(StartAgain):
    """Another expression stands for one: what a loop runs over is what a method of an object gives."""

    def __init__(self, node: Any, new: Any) -> None:
        super().__init__("an expression stands for another")
        self.node = node
        self.new = new


class OtherLines(StartAgain):
    """Other lines stand for those of the function: an iterator that they take items from is what it runs over."""

    def __init__(self, body: ir.Block) -> None:
        super().__init__("other lines stand for those of a function")
        self.body = body


class EmptiedHere(StartAgain):
    """The list that `way` leads to, which is empty after a line, is made anew there, to hold dicts or objects."""

    def __init__(self, statement: ir.Assign | ir.Do, way: Way) -> None:
        super().__init__("a list from elsewhere is made here")
        self.statement = statement
        self.way = way


class ListedHere(StartAgain):
    """The list that `way` leads to, which the call on a line gave by its elements, is made anew after that line."""

    def __init__(self, statement: ir.Assign | ir.Do, way: Way, count: int) -> None:
        super().__init__("a list from elsewhere is made here of its elements")
        self.statement = statement
        self.way = way
        self.count = count


class RecordsUsed(StartAgain):
    """A name is that of a list of dicts or objects, and the lines that use it are written by their entries.

    means: what names of Python stand for here, of `len`, `enumerate`, `zip` and their like.
    cls: the name of the class of its elements here, None where it has none.
    named: the lines on which elements have names, and which list they are in, as far as that is known yet.
    """

    def __init__(
        self, way: Way, of: type, keys: Sequence[Hashable], means: Mapping[str, str], cls: str | None,
        named: set[tuple[Way, ir.Origin]],
    ) -> None:  # fmt: skip
        super().__init__("a list of dicts or objects is used")
        self.named = named
        self.way = way
        self.of = of
        self.keys = keys
        self.means = means
        self.cls = cls


class PutIn(StartAgain):
    """`ps.append(p)` of a list of dicts or objects, where nothing else has p: its entries are appended one by one.

    made: the line that makes p of `values`, if it is the one before and these can be appended as they stand.
    nested: the entries that are dicts or objects themselves. They get names, so that p is over where they are put in.
    """

    def __init__(
        self, statement: ir.Do | ir.Assign, records: Way, element: str, kind: Any, made: ir.Assign | None,
        values: Mapping[Hashable, Any] | None, nested: Collection[Hashable] = (),
    ) -> None:  # fmt: skip
        super().__init__("a dict or an object is put into a list")
        self.made = made
        self.values = values
        self.nested = nested
        self.statement = statement
        self.records = records
        self.element = element
        self.kind = kind


class LentChanged(StartAgain):
    """A line changes entries, under `keys`, of an element of such a list: they are put back after it."""

    def __init__(self, statement: ir.Statement, node: Any, keys: Sequence[Hashable]) -> None:
        super().__init__("an element of a list is changed by a call")
        self.statement = statement
        self.node = node
        self.keys = keys
