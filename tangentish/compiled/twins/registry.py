"""How a twin is registered: `@twin(helper)` above the function that chooses an implementation by types."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba.extending import overload


def twin(helper: Any, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register what chooses the implementation of a helper. Numba compares signatures, without annotations."""

    def register(choose: Callable[..., Any]) -> Callable[..., Any]:
        choose.__annotations__ = {}

        @functools.wraps(choose)
        def chosen(*args: Any, **keywords: Any) -> Any:
            made = choose(*args, **keywords)
            if made is not None:
                made.__annotations__ = {}
            return made

        overload(helper, **options)(chosen)
        return choose

    return register
