"""Deques, default dicts, ordered dicts and lists of placeholders as the lists and dicts that they are used as."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tangentish.language.default_dicts import without_default_dicts
from tangentish.language.deques import without_deques
from tangentish.language.entries_set_by_default import with_entries_before
from tangentish.language.named_members import Find
from tangentish.language.ordered_dicts import without_ordered_dicts
from tangentish.language.placeholders import with_plain_placeholders
from tangentish.language.source import Source


def with_plain_containers(statements: Sequence[Any], source: Source, find: Find) -> list[Any]:
    """The statements with lists and dicts for what `collections` has beside them."""
    statements = without_deques(statements, source, find)
    statements = without_default_dicts(statements, source, find)
    statements = with_entries_before(statements, find)
    statements = without_ordered_dicts(statements, source, find)
    return with_plain_placeholders(statements, find)
