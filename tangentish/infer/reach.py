"""What a call may change besides what it makes itself."""

from __future__ import annotations

import functools
import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tangentish.infer.found_outside import OWNERS, PLAIN, all_held, held_by
from tangentish.infer.known_functions import is_of_library
from tangentish.kinds.sites import array_outside, attributes_of


@dataclass(frozen=True)
class Reach:
    """What a call may change besides what it makes itself.

    given: the parameters whose values it may change; objects: those outside; places: the names outside that it binds;
    anything: nothing can be said.
    """

    given: frozenset[str] = frozenset()
    objects: tuple[object, ...] = ()
    places: frozenset[Hashable] = frozenset()
    anything: bool = False

    @functools.cached_property
    def inside(self) -> Sequence[object]:
        """These objects, and all that they hold."""
        return all_held(self.objects)

    @property
    def sites(self) -> frozenset[Hashable]:
        """What of it is told apart: arrays, the attributes of modules and classes, and names."""
        arrays = {array_outside(v) for v in self.inside if isinstance(v, np.ndarray)}
        named = all_held(self.objects, lambda v: held_by(v) if v is sys.modules else ())
        own = (v for v in named if isinstance(v, OWNERS) and not is_of_library(v))
        owners = set(map(attributes_of, own))
        return self.places | arrays | owners

    @property
    def outside(self) -> Reach:
        """The same, but for what is given."""
        return replace(self, given=frozenset()) if self.given else self

    def __or__(self, other: Reach) -> Reach:
        if not (other.given or other.objects or other.places or other.anything):
            return self
        objects = {id(value): value for value in (*self.objects, *other.objects)}
        return Reach(
            self.given | other.given,
            tuple(objects.values()),
            self.places | other.places,
            self.anything or other.anything,
        )

    @property
    def has_containers(self) -> bool:
        """Whether a list, a dict or an object is among it."""
        return any(not isinstance(v, (np.ndarray, *OWNERS, *PLAIN)) for v in self.inside)
