"""Values between the pixels of images: splines of all orders, beyond the edges in every mode, by the image and the places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, check_refused, each_right, kept_in
from numeric import assert_close, numeric_gradient
from scipy import ndimage

from tangentish import grad
from tangentish.runtime import image_adjoint, image_slope, moved_images

MODES = ("constant", "nearest", "mirror", "reflect", "wrap", "grid-wrap", "grid-constant")
X, DIRECTION = np.array([1.0, 0.53, 2.21, -0.71]), np.array([0.3, -1.0, 0.4, 2.0])
AROUND = np.array([[0.3, 1.23, 2.71, -1.37], [0.2, 3.77, 1.11, 0.67]])


FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


def warped(x, mode, order, prefilter):
    image = np.outer(x, np.sin(x))
    places = 2 * AROUND + np.array([np.cos(x), x])
    return np.sum(ndimage.map_coordinates(image, places, None, order, mode, 0.3, prefilter) ** 2)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("order", "prefilter"), [(1, True), (2, False), (3, True), (4, True)])
def test_every_mode(mode: str, order: int, prefilter: bool) -> None:
    def of_x(x):
        return warped(x, mode, order, prefilter)

    check_along(of_x, X, DIRECTION)


@pytest.mark.parametrize("mode", MODES)
def test_the_nearest_pixel(mode: str) -> None:
    """Linear in the image; where it is read makes jumps."""

    def of_image(image):
        return np.sum(ndimage.map_coordinates(image, AROUND * 2, order=0, mode=mode) ** 3)

    def of_places(places):
        image = np.arange(12.0).reshape(4, 3)
        return np.sum(ndimage.map_coordinates(image, places, order=0, mode=mode))

    image = np.arange(12.0).reshape(4, 3) / 5
    assert_close(grad(of_image)(image), numeric_gradient(of_image, (image,), 0, 1.0), mode)
    np.testing.assert_array_equal(grad(of_places)(AROUND), np.zeros((2, 4)))


@pytest.mark.parametrize("shape", [(7,), (5, 6), (2, 3), (4, 1, 3), (40,)])
@pytest.mark.parametrize("mode", MODES)
def test_as_scipy_has_them(shape: tuple[int, ...], mode: str) -> None:
    """The values themselves, at pixels, half between them and anywhere, and the transpose of what gives them."""
    draw = np.random.default_rng(len(shape))
    image, places = draw.normal(size=shape), draw.uniform(-9, 14, (len(shape), 40))
    places[:, :20] = draw.integers(-6, 16, (len(shape), 20)) / 2
    weights = draw.normal(size=40)
    for order in range(6):
        for prefilter in (True, False):
            how = {"order": order, "mode": mode, "prefilter": prefilter}
            found = image_slope(image, places, **how)
            expected = ndimage.map_coordinates(image, places, **how)
            np.testing.assert_allclose(found, expected, 0, 1e-9)
            moved = np.sum(image_adjoint(weights, image, places, **how) * image)
            np.testing.assert_allclose(moved, weights @ found, 1e-8)


def test_the_type_stays() -> None:
    image = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    found = grad(lambda x: np.sum(ndimage.map_coordinates(x, AROUND) ** 2))(image)
    assert found.dtype == np.float32


@form
def shifted(x):
    image = np.outer(x, np.sin(x))
    whole = ndimage.shift(image, [0.3, 1.2]) * ndimage.shift(image, x[:2] + 0.1, order=2)
    return np.sum(whole) + np.sum(ndimage.shift(np.sin(x), x[0] + 0.53, mode="mirror") ** 2)


@form
def made_larger(x):
    image = np.outer(x, np.sin(x))
    larger = ndimage.zoom(image, [1.7, 0.6], mode="grid-wrap", grid_mode=True)
    return np.sum(larger**2) + np.sum(ndimage.zoom(image, 1.7, order=1) ** 2)


@form
def turned(x):
    image, c, s = np.outer(x, np.sin(x)), np.cos(x[0] / 9), np.sin(x[0] / 9)
    rigid = ndimage.affine_transform(image, np.array([[c, -s], [s, c]]), offset=x[:2] / 7)
    along = ndimage.affine_transform(image, x[:2] + 0.31, 0.3, (3, 5), mode="reflect")
    lifted = ndimage.affine_transform(image, np.outer(x[:2], x[1:]) / 3.1, mode="nearest")
    return np.sum(rigid**2) + np.sum(along**2) * np.sum(lifted**2)


@form
def turned_by_degrees(x):
    image, stack = np.outer(x, np.sin(x)), np.multiply.outer(np.outer(x, x[1:]), np.cos(x[:2]))
    whole = ndimage.rotate(image, 31.0) ** 2
    held = ndimage.rotate(image, 40 * x[1], reshape=False, mode="reflect") * image
    upright = ndimage.rotate(stack, 90, axes=(0, -2), order=1)
    return (
        np.sum(whole)
        + np.sum(held)
        + np.sum(ndimage.rotate(stack, 17, (2, 0)) ** 2) * np.sum(upright)
    )


test_moved_as_a_whole = each_right(FUNCTIONS, X, DIRECTION)


@pytest.mark.parametrize("mode", MODES)
def test_written_as_scipy_has_them(mode: str) -> None:
    image = np.random.default_rng(3).normal(size=(5, 6))
    homogeneous = np.array([[0.91, 0.2, 0.31], [-0.3, 1.1, 0.7], [0.0, 0.0, 1.0]])
    for name, *args in (
        ("shift", (0.31, -1.7)),
        ("zoom", (0.4, 2.2)),
        ("affine_transform", homogeneous[:2, :2], (0.3, 0.2)),
        ("affine_transform", np.array([0.91, 1.3]), 0.4),
        ("affine_transform", homogeneous, 0.0, (3, 9)),
    ):
        for order in (0, 1, 3):
            found = getattr(moved_images, name)(image, *args, order=order, mode=mode)
            expected = getattr(ndimage, name)(image, *args, order=order, mode=mode)
            np.testing.assert_allclose(found, expected, 0, 1e-12)


@pytest.mark.parametrize("angle", [0, 90, 180.0, -270, 30, 211.3])
def test_rotated_as_scipy_does(angle: float) -> None:
    draw = np.random.default_rng(3)
    for image, axes in ((draw.normal(size=(5, 6)), (1, 0)), (draw.normal(size=(3, 4, 5)), (-1, 0))):
        for reshape in (True, False):
            for order in (0, 1, 3):
                found = moved_images.rotate(image, angle, axes, reshape, order=order)
                expected = ndimage.rotate(image, angle, axes, reshape, order=order)
                np.testing.assert_allclose(found, expected, 0, 1e-12)


def into_another_type(x):
    return np.sum(ndimage.shift(np.outer(x, x), 0.3, np.float32))


def test_no_output_is_given() -> None:
    check_refused(into_another_type, "with output= it writes to an array, or gives another type", X)
