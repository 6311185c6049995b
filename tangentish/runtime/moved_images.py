"""Images that SciPy moves as a whole, by the places where each of their pixels is read: written in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any

__all__ = ["affine_transform", "shift", "zoom"]


def shift(
    input: Array, shift: Any, output: Any = None, order: int = 3, mode: str = "constant",
    cval: float = 0.0, prefilter: bool = True,
) -> Array:  # fmt: skip
    """`scipy.ndimage.shift`."""
    from scipy.ndimage import map_coordinates  # noqa: PLC0415 - SciPy may not be there

    image = np.asarray(input)
    places = np.indices(image.shape) - _along_axes(shift, image.ndim)
    return map_coordinates(image, places, output, order, mode, cval, prefilter)


def zoom(
    input: Array, zoom: Any, output: Any = None, order: int = 3, mode: str = "constant",
    cval: float = 0.0, prefilter: bool = True, *, grid_mode: bool = False,
) -> Array:  # fmt: skip
    """`scipy.ndimage.zoom`."""
    from scipy.ndimage import map_coordinates  # noqa: PLC0415 - SciPy may not be there

    image = np.asarray(input)
    before = np.array(image.shape)
    after = np.array([round(n * z) for n, z in zip(before, np.broadcast_to(zoom, before.shape))])
    grid = np.indices(tuple(after))
    if grid_mode:
        places = (grid + 0.5) * _along_axes(before / after, image.ndim) - 0.5
    else:
        step = np.where(after > 1, (before - 1) / np.maximum(after - 1, 1), 1.0)
        places = grid * _along_axes(step, image.ndim)
    return map_coordinates(image, places, output, order, mode, cval, prefilter)


def affine_transform(
    input: Array, matrix: Any, offset: Any = 0.0, output_shape: Any = None, output: Any = None,
    order: int = 3, mode: str = "constant", cval: float = 0.0, prefilter: bool = True,
) -> Array:  # fmt: skip
    """`scipy.ndimage.affine_transform`."""
    from scipy.ndimage import map_coordinates  # noqa: PLC0415 - SciPy may not be there

    image, turned = np.asarray(input), np.asarray(matrix)
    d = image.ndim
    grid = np.indices(image.shape if output_shape is None else tuple(output_shape))
    if turned.ndim == 1:
        places = _along_axes(turned, d) * grid + _along_axes(offset, d)
    elif turned.shape[1] == d + 1:
        places = np.tensordot(turned[:d, :d], grid, 1) + _along_axes(turned[:d, d], d)
    else:
        places = np.tensordot(turned, grid, 1) + _along_axes(offset, len(grid))
    return map_coordinates(image, places, output, order, mode, cval, prefilter)


def _along_axes(values: Any, d: int) -> Array:
    """One number for each axis, in front of the axes of a grid."""
    return np.reshape(np.broadcast_to(values, (d,)), (d,) + (1,) * d)
