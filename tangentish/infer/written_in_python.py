"""Functions of NumPy, SciPy and Python that are followed as they could be written in Python.

np.apply_along_axis(f, 0, x)                it calls a function of the user's
np.polyfit(x, v, 1, full=True)              coefficients, what is left over, rank, singular values
np.polyfit(x, v, 1, cov=True)               coefficients, covariances
np.polynomial.chebyshev.chebfit(x, v, 2)    and those of the other families
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from tangentish.infer.known_functions import UnknownMethod, function_name
from tangentish.infer.literals import literal_of
from tangentish.kinds import Kind, Num, Seq, Tup, is_number
from tangentish.runtime import (
    averages,
    calling,
    entropies,
    fits,
    gridded,
    moved_images,
    polar,
    quadrature,
)
from tangentish.runtime.lists import copied

WRITTEN_OUT: dict[Any, Any] = {
    np.apply_along_axis: calling.apply_along_axis,
    np.apply_over_axes: calling.apply_over_axes,
    statistics.mean: averages.mean,
    statistics.fmean: averages.fmean,
    statistics.variance: averages.variance,
    statistics.pvariance: averages.pvariance,
    statistics.stdev: averages.stdev,
    statistics.pstdev: averages.pstdev,
}
_OF_SCIPY: dict[str, Any] = {
    "scipy.integrate.fixed_quad": quadrature.fixed_quad,
    "scipy.linalg.polar": polar.polar,
    "scipy.stats.entropy": entropies.entropy,
    "scipy.spatial.distance.jensenshannon": entropies.jensenshannon,
    "scipy.interpolate.interpn": gridded.interpn,
    "scipy.ndimage.shift": moved_images.shift,
    "scipy.ndimage.rotate": moved_images.rotate,
    "scipy.ndimage.zoom": moved_images.zoom,
    "scipy.ndimage.affine_transform": moved_images.affine_transform,
}
"""The same of SciPy's, by name: SciPy may not be there."""
_LISTS_OF: dict[int | None, Any] = {1: calling.elements, 2: calling.rows}
"""What `x.tolist()` is, by the rank of x."""

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


def written_in_python(
    function: Any, args: Sequence[Any], keywords: Mapping[str, Any], kind: Callable[[Any], Kind]
) -> Any:
    """The function in Python that takes the place of another; the other itself where there is none."""
    if isinstance(function, np.ufunc):
        return function
    kinds = list(map(kind, (*args, *keywords.values())))
    if not any(k.active for k in kinds) or not isinstance(function, Hashable):
        return _maker_of_memory(function, args, keywords)
    if function == UnknownMethod("tolist") and isinstance(kinds[0], Num) and kinds[0].is_float:
        return _LISTS_OF.get(kinds[0].rank, function)
    if function is copied:
        return _copied_elements(kinds[0]) or function
    if function is sum and len(kinds) == 2 and _is_of_lists(kinds[0]) and _is_list(kinds[1]):
        return calling.joined
    if (getattr(function, "__module__", None) or "").startswith("scipy."):
        return _OF_SCIPY.get(function_name(function), function)
    written = WRITTEN_OUT.get(function) or _written_fit(function, args, keywords, kind)
    return written or function


def _maker_of_memory(function: Any, args: Sequence[Any], keywords: Collection[str]) -> Any:
    """np.empty for the class of arrays, where it is called for memory of its own; any other function itself."""
    makes = function is np.ndarray and len(args) <= 2 and {"shape", "dtype"}.issuperset(keywords)
    return np.empty if makes else function


def _is_list(kind: Kind | None) -> bool:
    """Whether something is a list, and no array."""
    return (isinstance(kind, Tup) and kind.is_list) or (isinstance(kind, Seq) and not kind.is_tuple)


def _is_of_lists(kind: Kind) -> bool:
    items = kind.items if isinstance(kind, Tup) else (getattr(kind, "item", None),)
    return isinstance(kind, (Tup, Seq)) and all(map(_is_list, items))


def _copied_elements(kind: Kind) -> Any | None:
    """How the elements of a gradient are copied into a list, of which it is known that all are numbers, or none."""
    rank = kind.rank if isinstance(kind, Num) else None
    item = kind.item if isinstance(kind, Seq) else None
    if rank == 1 or is_number(item):
        return calling.numbers_of
    if rank or (isinstance(item, Num) and item.array):
        return calling.copies_of
    return None


def _written_fit(
    function: Any, args: Sequence[Any], keywords: Mapping[str, Any], kind: Callable[[Any], Kind]
) -> Any | None:
    """The function in Python that gives what such a call gives; None for all other calls."""
    if function is not np.polyfit and function not in _OF_FAMILIES:
        return None
    given = {**dict(zip(_PARAMETERS, args, strict=False)), **keywords}
    if "deg" not in given or not is_number(kind(given["deg"])):
        return None
    asked = [literal_of(given[name]) for name in ("full", "cov") if name in given]
    if not all(a in _KNOWN for a in asked):
        return None
    if function is np.polyfit:
        return fits.polyfit if any(asked) else None
    return _OF_FAMILIES[function]
