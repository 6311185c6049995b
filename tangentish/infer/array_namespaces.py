"""What libraries ask of an array so as to compute with it: of arrays of NumPy the answer is known.

x.__array_namespace__()    np
array_namespace(x, y)      the module that array_api_compat has in its place, there or where it is copied to
device(x)                  "cpu"
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.kinds import Kind, Num
from tangentish.rules.rule import ABSENT

_HOME = "array_api_compat.common._helpers"
_NAMESPACES = ("array_namespace", "get_namespace")
_OF_ONE = (
    "device", "is_array_api_obj", "is_numpy_array", "is_cupy_array", "is_torch_array", "is_jax_array",
    "is_dask_array", "is_ndonnx_array", "is_pydata_sparse_array",
)  # fmt: skip
"""Functions that look at types alone."""


def told_of_arrays(function: Any, kinds: Sequence[Kind]) -> Any:
    """What such a function says of values of these kinds; ABSENT where that is not known."""
    if function is np.ndarray.__array_namespace__:
        return np
    if not (getattr(function, "__module__", None) or "").endswith(_HOME):
        return ABSENT
    arrays = [isinstance(kind, Num) and kind.array is True for kind in kinds]
    if function.__name__ in _NAMESPACES and any(arrays):
        numbers = all(isinstance(kind, Num) for kind in kinds)
        return function(np.zeros(1)) if numbers else ABSENT
    return function(np.zeros(1)) if function.__name__ in _OF_ONE and arrays == [True] else ABSENT
