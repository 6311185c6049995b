"""Fits of polynomials that are followed as they could be written in Python: those that give more than coefficients.

np.polyfit(x, v, 1, full=True)              coefficients, what is left over, rank, singular values
np.polyfit(x, v, 1, cov=True)               coefficients, covariances
np.polynomial.chebyshev.chebfit(x, v, 2)    and those of the other families
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tangentish.infer.literals import literal_of
from tangentish.kinds import Kind, Num
from tangentish.runtime import fits

__all__ = ["written_fit"]

_PARAMETERS = ("x", "y", "deg", "rcond", "full", "w", "cov")
_OF_FAMILIES: Mapping[Any, Any] = {
    np.polynomial.polynomial.polyfit: fits.powerfit,
    np.polynomial.chebyshev.chebfit: fits.chebfit,
    np.polynomial.legendre.legfit: fits.legfit,
    np.polynomial.hermite.hermfit: fits.hermfit,
    np.polynomial.hermite_e.hermefit: fits.hermefit,
    np.polynomial.laguerre.lagfit: fits.lagfit,
}
_KNOWN = (False, True, "unscaled")
"""What `full` and `cov` may be, where they are written out."""


def written_fit(
    function: Any, args: Sequence[Any], keywords: Mapping[str, Any], kind: Callable[[Any], Kind]
) -> Any | None:
    """The function in Python that gives what such a call gives; None for all other calls."""
    if function is not np.polyfit and function not in _OF_FAMILIES:
        return None
    given = {**dict(zip(_PARAMETERS, args, strict=False)), **keywords}
    if "deg" not in given or not _is_number(kind(given["deg"])):
        return None
    asked = [literal_of(given[name]) for name in ("full", "cov") if name in given]
    if not all(a in _KNOWN for a in asked):
        return None
    if function is np.polyfit:
        return fits.polyfit if any(asked) else None
    return _OF_FAMILIES[function]


def _is_number(kind: Kind) -> bool:
    return isinstance(kind, Num) and kind.array is False
