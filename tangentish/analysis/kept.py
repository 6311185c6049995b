"""Analyses that are kept for a while: another derivative of a function, for arguments of the same kinds, starts there.

`grad`, `value_and_grad`, `vjp` and `jvp` of one function differ in what is made of its analysis, which takes half of
the time of each. What is made notes kinds of its own among those of the function: it does so in a copy.
"""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from tangentish.analysis.reached import Analysis, Program
from tangentish.infer import Facts, Inference
from tangentish.infer.reaching_out import Seen

T = TypeVar("T")
Noting = TypeVar("Noting", Facts, Inference)


class Kept(Generic[T]):
    """What was made for a key last, as long as it holds; the oldest goes first when there are more than `most`."""

    def __init__(self, most: int, holds: Callable[[T], bool]) -> None:
        self.most, self.holds = most, holds
        self.found: OrderedDict[Hashable, T] = OrderedDict()
        self.lock = threading.Lock()
        self.age = 0  # how often all of it was forgotten

    @contextmanager
    def lent(self, key: Hashable, make: Callable[[], T]) -> Iterator[T]:
        """What was made for this key, or is now: nobody else has it meanwhile, and it is dropped on an error."""
        with self.lock:
            kept, age = self.found.pop(key, None), self.age
        mine = make() if kept is None or not self.holds(kept) else kept
        yield mine
        with self.lock:
            if age == self.age:
                self.found[key] = mine
                if len(self.found) > self.most:
                    self.found.popitem(last=False)

    def forget(self) -> None:
        """All is made anew: what it depends on has changed, and no guard knows of that."""
        with self.lock:
            self.age += 1
            self.found.clear()


def to_note_in(program: Program, analysis: Analysis) -> tuple[Program, Analysis]:
    """A copy of what is known of the functions reached; the guards are those of the program itself."""
    copies = {id(each): _copied(each) for each in (analysis, *program.analyses.values())}
    mine = copy.copy(program)
    mine.unseen = Seen()  # of what is there by now
    mine.analyses = {key: copies[id(each)] for key, each in program.analyses.items()}
    return mine, copies[id(analysis)]


def _copied(analysis: Analysis) -> Analysis:
    new = copy.copy(analysis)
    new.facts, new.walk = _with_own_containers(analysis.facts), _with_own_containers(analysis.walk)
    new.walk.facts, new.walk.env = new.facts, analysis.walk.env.copy()
    return new


def _with_own_containers(thing: Noting) -> Noting:
    new: Noting = object.__new__(type(thing))
    for name in thing.__dataclass_fields__:
        value = getattr(thing, name)
        setattr(new, name, value.copy() if value.__class__ in _CONTAINERS else value)
    return new


_CONTAINERS = {dict, set, list}
