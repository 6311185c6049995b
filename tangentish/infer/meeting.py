"""Where two ways meet: what was not taken apart on one of them has to be as it is on the other."""

from __future__ import annotations

from tangentish.infer.containers_given import is_given
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Tup


class Meeting(Walk):
    """The part of the walk that takes containers apart which meet such ones."""

    def meet_as_functions(self, a: Kind, b: Kind) -> None:
        """Where a function that holds what varies meets another, that is known by what it holds, too."""
        for one, other in ((a, b), (b, a)):
            if not (isinstance(one, Tup) and isinstance(other, Tup) and one.is_function):
                continue
            if other.apart and not one.apart:
                self.demand_apart(one, None)

    def meet_as_objects(self, a: Kind, b: Kind) -> None:
        """Where an object that is given by its attributes meets one that is not; or a dict one that is given."""
        for one, other in ((a, b), (b, a)):
            if not (isinstance(one, Tup) and isinstance(other, Tup) and one.type is other.type):
                continue
            settled = one.apart or one.sites <= self.dynamic
            given = one.is_dict and not one.active and other.active and is_given(one)
            if not settled and (given or (other.apart and one.is_object)):
                self.demand_apart(one, None)
