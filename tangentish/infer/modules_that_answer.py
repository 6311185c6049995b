"""Modules whose own `__getattr__` gives what they have no name for: each time it is asked, it may change something.

Objects of classes that have a `__getattr__` and hold nothing stand for modules, too: `anp.sum` is np.sum as long as
the object says so, which is asked at every call.
"""

from __future__ import annotations

import types
from typing import Any

from tangentish.infer.known_functions import is_user_code
from tangentish.infer.reaching_out import reach_of
from tangentish.infer.walk import Walk
from tangentish.kinds.classes import is_as_a_module, member_of

_ANSWERS = "the __getattr__ of the module, which gives this, may change what the function reads: give it as an argument"


class ModulesThatAnswer(Walk):
    """The part of the walk that refuses to ask them."""

    def check_asked_of_module(self, module: object, name: str, node: Any) -> None:
        if _changes_where_asked(module, name):
            self.refuse(_ANSWERS, node)


def _changes_where_asked(module: object, name: str) -> bool:
    """Whether to read an attribute runs a function of the user's that changes what stands outside."""
    if is_as_a_module(module):
        answer = member_of(type(module), "__getattr__")
    elif isinstance(module, types.ModuleType) and name not in vars(module):
        answer = vars(module).get("__getattr__")
    else:
        return False
    if not isinstance(answer, types.FunctionType) or not is_user_code(answer):
        return False
    found = reach_of(answer)
    return found.anything or bool(found.objects or found.places)
