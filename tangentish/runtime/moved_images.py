"""Images that SciPy moves as a whole, by the places where each of their pixels is read: written in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


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
        places = _turned(turned[:d, :d], turned[:d, d], grid)
    else:
        places = _turned(turned, offset, grid)
    return map_coordinates(image, places, output, order, mode, cval, prefilter)


def rotate(
    input: Array, angle: Any, axes: Any = (1, 0), reshape: bool = True, output: Any = None,
    order: int = 3, mode: str = "constant", cval: float = 0.0, prefilter: bool = True,
) -> Array:  # fmt: skip
    """`scipy.ndimage.rotate`."""
    from scipy.special import cosdg, sindg  # noqa: PLC0415 - SciPy may not be there

    image = np.asarray(input)
    plane = sorted(axis % image.ndim for axis in axes)
    turn = np.array([[cosdg(angle), sindg(angle)], [-sindg(angle), cosdg(angle)]])
    n, m = image.shape[plane[0]], image.shape[plane[1]]
    before = np.array([n, m])
    corners = turn @ np.array([[0, 0, n, n], [0, m, 0, m]])
    after = (np.ptp(corners, axis=1) + 0.5).astype(int) if reshape else before
    offset = (before - 1) / 2 - turn @ ((after - 1) / 2)
    if image.ndim == 2:
        return affine_transform(image, turn, offset, after, output, order, mode, cval, prefilter)
    planes = np.moveaxis(image, plane, (0, 1))
    each = np.reshape(planes, (n, m, -1))
    turned = [
        affine_transform(each[:, :, k], turn, offset, after, output, order, mode, cval, prefilter)
        for k in range(each.shape[2])
    ]
    stack = np.reshape(np.stack(turned, -1), (*after, *planes.shape[2:]))
    return np.moveaxis(stack, (0, 1), plane)


def _turned(matrix: Array, offset: Any, grid: Array) -> Array:
    """The matrix times each place, and the offset, summed in the order of SciPy: so ties between pixels are rounded."""
    places = _along_axes(offset, len(matrix))
    for j in range(len(grid)):
        places = places + np.multiply.outer(matrix[:, j], grid[j])
    return places


def _along_axes(values: Any, d: int) -> Array:
    """One number for each axis, in front of the axes of a grid."""
    return np.reshape(np.broadcast_to(values, (d,)), (d,) + (1,) * d)
