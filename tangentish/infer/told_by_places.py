"""What is known of a result although no trial tells: np.interp(x, TABLE["x"], TABLE["y"])."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.kinds import Kind, Num, replace


def as_its_places(function: Any, arguments: Sequence[Kind], kind: Num) -> Num:
    """np.interp gives a number at a number, and an array at an array of places, whatever the tables are.

    Of tables of which nothing is known, beside what varies, it is asked whether they are real.
    """
    if function is not np.interp or kind.shape is not None or not arguments:
        return kind
    places = arguments[0]
    if not (isinstance(places, Num) and places.known):
        return kind
    real = places.active and not any(isinstance(table, Num) for table in arguments[1:])
    dtype = np.dtype(float) if real else kind.dtype
    return replace(kind, dtype=dtype, shape=places.shape, array=bool(places.shape))
