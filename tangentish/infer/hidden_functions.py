"""Arrays of functions: what is called of one later is not known to capture what varies, so that it must not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tangentish.infer.made_like import MADE_LIKE
from tangentish.infer.walk import Walk

__all__ = ["HiddenFunctions"]


class HiddenFunctions(Walk):
    """The part of the walk that sees to functions that arrays are made of."""

    def hide_functions(self, function: Any, given: Sequence[Any]) -> None:
        """np.array([lambda v: v * x])"""
        for whole in given if function in MADE_LIKE else ():
            self.escape_from(self.kind(whole), whole)
