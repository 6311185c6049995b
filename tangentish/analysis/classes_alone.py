"""What is left of an object whose attributes have names of their own: its class, under the name of the object.

p = Body(x, v)       ->    p_x, p_v, p = x, v, Body
ps = [Body(x, v)]    ->    ps_0_x, ps_0_v, ps_0 = x, v, Body
"""

from __future__ import annotations

from collections import defaultdict

from tangentish.infer import Facts
from tangentish.kinds import Kind, Known, Opaque
from tangentish.language.lifted import is_element

__all__ = ["classes_alone", "is_class_alone"]


def classes_alone(facts: Facts) -> frozenset[str]:
    """The values that are the class of an object, and nothing else of it, also where that came out of a call."""
    kinds = facts.web_kinds.items()
    candidates = [v for v, kind in kinds if _is_class(kind) or isinstance(kind, Opaque)]
    if not candidates:
        return frozenset()
    elements: dict[str, list[str]] = defaultdict(list)
    for value in filter(is_element, facts.web_kinds):
        name, _, version = value.partition(".")
        elements[version.rpartition("@")[0]].append(name)
    return frozenset(v for v in candidates if _is_owner(v, elements))


def is_class_alone(value: str, facts: Facts) -> bool:
    kind = facts.web_kinds.get(value)
    return kind is not None and _is_class(kind) and _is_apart(value, facts)


def _is_class(kind: Kind) -> bool:
    return isinstance(kind, Known) and isinstance(kind.value, type)


def _is_owner(value: str, elements: dict[str, list[str]]) -> bool:
    stem, _, version = value.partition(".")
    return any(name.startswith(f"{stem}_") for name in elements.get(version, ()))


def _is_apart(value: str, facts: Facts) -> bool:
    stem, _, version = value.rpartition(".")
    elements = filter(is_element, facts.web_kinds)
    return any(e.startswith(f"{stem}_") and f".{version}@" in e for e in elements)
