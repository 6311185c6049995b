"""Items that Python makes one by one, between other things, and that are made all at once here.

any(f(v) for v in xs)               stops at the first that is true
sum(g(v) for v in map(f, xs))       calls f and g in turn
for v in takewhile(f, xs): ...      calls f between the trips

That makes no difference where nothing shows when, and how often, a function was called. Else it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer import DictMethod, Facts, ListMethod
from tangentish.kinds import Num, Seq, Tup
from tangentish.language.assumed_quiet import is_assumed_quiet, leaves_lists
from tangentish.language.scopes import COMPREHENSIONS

_STOPPING = (any, all)
_ALONG = (zip, enumerate)
_STOPS = "this stops at the first item that decides, and its items change something: write a loop"
_BETWEEN = "making these items changes something while others are made: make them a list first"
_MOVED = "this call changes something, and other things are evaluated around it: give what it gives a name first"
_ITSELF = "what a dict is updated with reads the dict: make it a list first"


def made_early(function: ir.Function, facts: Facts) -> Iterator[Refusal]:
    """Refusals of what would show."""
    for line in ir.walk_statements(function.body):
        if isinstance(line, ir.For) and _is_lazy(line.iter, facts) and _changes(line.iter, facts):
            yield Refusal(_BETWEEN, line.iter)
        for node in ir.nodes_in(line):
            message = None if node.__class__ in _QUIET else _reason(node, facts)
            if message is not None:
                yield Refusal(message, node)


_QUIET = frozenset((gast.Name, gast.Constant, gast.BinOp, gast.Subscript, gast.Attribute))


def _reason(node: Any, facts: Facts) -> str | None:
    match node:
        case gast.Call():
            return _of_call(node, facts)
        case gast.Compare(comparators=others):
            stops = any(_is_lazy(part, facts) and _changes(part, facts) for part in others)
            return _STOPS if stops else None
    return _of_comprehension(node, facts) if isinstance(node, COMPREHENSIONS) else None


def _of_call(node: Any, facts: Facts) -> str | None:
    if is_assumed_quiet(node) and _changes(node, facts):
        return _MOVED
    if leaves_lists(node) and _changes_lists(node, facts):
        return _MOVED
    lazy = [arg for arg in node.args if _is_lazy(arg, facts)]
    if not lazy:
        return None
    function = facts.function_of(node)
    changing = any(_changes(part, facts) for part in lazy)
    if changing and node in facts.iterators:
        return _BETWEEN  # it may take fewer than there are
    if changing and any(function is one for one in _STOPPING):
        return _STOPS
    if isinstance(function, (DictMethod, ListMethod)) and _reads_receiver(node, lazy, facts):
        return _ITSELF
    others = [part for part in (node.func, *node.args, *node.keywords) if part not in lazy]
    alone = len(lazy) == 1 and not any(_may_read(part, set(), facts) for part in others)
    return None if alone or not changing else _BETWEEN


def _of_comprehension(node: Any, facts: Facts) -> str | None:
    """A comprehension over what is made one by one: what it does itself comes in between."""
    lazy = [part for part in node.generators if _is_lazy(part.iter, facts)]
    if not lazy:
        return None
    first = node.generators[0]
    between = [getattr(node, name) for name in ("elt", "key", "value") if hasattr(node, name)]
    between += [test for part in node.generators for test in part.ifs]
    between += [part.iter for part in node.generators if part is not first]
    own = {name for part in node.generators for name in ir.target_names(part.target)}
    if any(_changes(part, facts) for part in between):
        return _BETWEEN
    reads = any(_may_read(part, own, facts) for part in between)
    return _BETWEEN if reads and any(_changes(part.iter, facts) for part in lazy) else None


def _is_lazy(node: Any, facts: Facts) -> bool:
    """Whether this is a generator that is made into a list, or runs along one."""
    if isinstance(node, gast.GeneratorExp):
        return facts.kind(node).active or any(_is_taken_out(part, facts) for part in ir.walk(node))
    if node in facts.iterators:
        return True
    if not isinstance(node, gast.Call):
        return False
    function = facts.function_of(node)
    along = any(function is one for one in _ALONG)
    return along and any(_is_lazy(arg, facts) for arg in node.args)


def _is_taken_out(node: Any, facts: Facts) -> bool:
    """Whether something has a line of its own, so that what it stands in does not stay as it is written."""
    user = facts.user_of(node)
    followed = user is not None and user.is_followed
    return followed or bool(facts.handed.get(node)) or node in facts.lowered


def _changes_lists(node: Any, facts: Facts) -> bool:
    """Whether an evaluation may change a list, a dict or an object."""
    for part in ir.walk(node):
        handed = any(isinstance(h.kind, (Seq, Tup)) for h in facts.handed.get(part, ()))
        if handed or part in facts.lowered or part in facts.changes:
            return True
        user = facts.user_of(part)
        if user is not None and any(isinstance(user.kinds[k], (Seq, Tup)) for k in user.written):
            return True
    return False


def _changes(node: Any, facts: Facts) -> bool:
    """Whether something shows of an evaluation but its value."""
    for part in ir.walk(node):
        if facts.handed.get(part) or part in facts.lowered or part in facts.changes:
            return True
        user = facts.user_of(part)
        if user is not None and not user.quiet:
            return True
    return False


def _may_read(node: Any, own: set[str], facts: Facts) -> bool:
    """Whether an expression reads, or calls, what something else may change."""
    for part in ir.walk(node):
        if facts.user_of(part) is not None:
            return True
        if isinstance(part, gast.Name) and part.id not in own and not _is_fixed(part, facts):
            return True
    return False


def _is_fixed(name: Any, facts: Facts) -> bool:
    """Whether a name is that of a function or a module of Python's."""
    kind = facts.kinds.get(name)
    return isinstance(name.ctx, gast.Load) and hasattr(kind, "value") and not isinstance(kind, Num)


def _reads_receiver(node: Any, lazy: list[Any], facts: Facts) -> bool:
    """Whether generators that a method is given read the memory of its object."""
    owner = getattr(node.func, "value", None)
    if owner is None:
        return False
    mine = _places(owner, facts)
    names = (n for part in lazy for n in ir.walk(part) if isinstance(n, gast.Name))
    return any(mine & _places(name, facts) for name in names)


def _places(node: Any, facts: Facts) -> frozenset[Any]:
    kind = facts.kind(node)
    return frozenset(getattr(kind, "sites", ())) | frozenset(getattr(kind, "buffers", ()))
