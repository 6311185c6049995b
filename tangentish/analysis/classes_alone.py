"""What is left of an object whose attributes have names of their own: its class, under the name of the object.

p = Body(x, v)       ->    p_x, p_v, p = x, v, Body
ps = [Body(x, v)]    ->    ps_0_x, ps_0_v, ps_0 = x, v, Body
"""

from __future__ import annotations

from tangentish.infer import Facts
from tangentish.kinds import Kind, Known, Opaque
from tangentish.language.lifted import is_element, owner_of


def classes_alone(facts: Facts) -> frozenset[str]:
    """The values that are the class of an object, and nothing else of it, also where that came out of a call."""
    kinds = facts.web_kinds.items()
    candidates = [v for v, kind in kinds if _is_class(kind) or isinstance(kind, Opaque)]
    if not candidates:
        return frozenset()
    return _owners(facts).intersection(candidates)


def _owners(facts: Facts) -> frozenset[str]:
    """The values of which elements have names of their own."""
    return frozenset(map(owner_of, filter(is_element, facts.web_kinds)))


def is_class_alone(value: str, facts: Facts) -> bool:
    kind = facts.web_kinds.get(value)
    return kind is not None and _is_class(kind) and value in _owners(facts)


def _is_class(kind: Kind) -> bool:
    return isinstance(kind, Known) and isinstance(kind.value, type)
