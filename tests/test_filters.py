"""Filters of signals and images, in every mode: along axes, beyond edges, forth and back, with coefficients that vary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.ndimage
import scipy.signal
from every_mode import check_along, each_right, kept_in, named

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def autoregression(x):
    noise = scipy.signal.lfilter([1.0, -x[0]], [1], np.sin(x))
    return np.sum(scipy.signal.lfilter([1], [1.0, 0.3 * x[1], -0.1 * x[2]], noise) ** 2)


@form
def filters_of_rows(x):
    rows = np.outer(x, np.cos(x))
    some = scipy.signal.lfilter(x[:3], [1.0, 0.5], rows, axis=0)
    return np.sum(some**2 * scipy.signal.lfilter(x[1:], x[0] + 2, rows))


@form
def forth_and_back(x):
    rows = np.outer(x, np.sin(x))
    b, a = scipy.signal.butter(2, 0.3)
    once = scipy.signal.filtfilt(b, a, rows, axis=0, padlen=2)
    twice = scipy.signal.filtfilt(b, a, once**2, padtype="even", padlen=3)
    return np.sum(twice * scipy.signal.filtfilt([0.5, 0.5], 1.0, np.tile(x, 4))[3:7])


@form
def by_sections(x):
    sections = scipy.signal.butter(3, 0.4, output="sos")
    once = scipy.signal.sosfilt(sections, np.outer(x, x), axis=0)
    return np.sum(scipy.signal.sosfiltfilt(sections, once**2, padlen=2) * x)


@form
def smoothed_slopes(x):
    long = np.concatenate((x, np.sin(x), x**2))
    slopes = scipy.signal.savgol_filter(long, 5, 2, deriv=1, delta=0.5)
    inner = scipy.signal.savgol_filter(long**2, 7, polyorder=3, mode="mirror")
    return np.sum(slopes * inner) + np.sum(scipy.signal.savgol_filter(np.outer(x, x), 3, 1, axis=0) ** 3)  # fmt: skip


@form
def edges_of_an_image(x):
    image = np.outer(x, np.sin(x))
    across = scipy.ndimage.sobel(image, axis=0) ** 2 + scipy.ndimage.sobel(image) ** 2
    bent = scipy.ndimage.laplace(image, mode="wrap") * scipy.ndimage.prewitt(
        image, 0, mode="nearest"
    )
    return np.sum(np.sqrt(across + 1) * bent)


@form
def beyond_the_edge_a_number(x):
    image, window = np.outer(x, np.sin(x)), np.outer(x[:2], x[1:])
    once = scipy.ndimage.convolve(image, window, mode="constant", cval=0.4)
    once += scipy.ndimage.gaussian_filter(image**2, 0.8, mode="constant", cval=-0.3)
    lines = scipy.ndimage.correlate1d(once, x[:3], 0, mode="grid-constant", cval=x.size / 10)
    return np.sum(scipy.ndimage.sobel(lines * image, mode="constant", cval=1.0) ** 2)


@form
def blurred(x):
    image = np.outer(x, np.sin(x))
    wide = scipy.ndimage.gaussian_filter(image, 2.5, mode="nearest")
    narrow = scipy.ndimage.gaussian_filter(image**2, sigma=(0.5, 1), order=(0, 1))
    line = scipy.ndimage.gaussian_filter1d(x, 1.2, mode="mirror") * scipy.ndimage.uniform_filter1d(
        x, 4
    )
    means = scipy.ndimage.uniform_filter(image, size=(2, 3), mode="constant")
    return np.sum(wide * narrow * means) + np.sum(line**2)


@form
def weights_of_a_line(x):
    image = np.outer(x, np.sin(x))
    once = scipy.ndimage.convolve1d(image, x[:3], axis=0, mode="nearest")
    return np.sum(scipy.ndimage.correlate1d(once, [1.0, x[1]]) * scipy.ndimage.convolve1d(image, x))


@form
def edges_of_grids(x):
    image = np.outer(x, np.cos(x))
    smooth = scipy.ndimage.gaussian_filter(image, 0.7, mode="grid-mirror") ** 2
    around = scipy.ndimage.convolve(image, np.outer(x[1:], x[2:]), mode="grid-wrap")
    lines = scipy.ndimage.correlate1d(around, x[1:], axis=0, mode="grid-constant")
    return np.sum(smooth * around) + np.sum(scipy.ndimage.sobel(lines, mode="grid-wrap") ** 2)


@form
def an_image_that_is_turned(x):
    rows, columns = np.meshgrid(np.arange(3.0), np.arange(2.0), indexing="ij")
    turned = [np.cos(x[0]) * rows - np.sin(x[0]) * columns + x[1], np.sin(x[0]) * rows + x[2]]
    image = scipy.ndimage.map_coordinates(np.outer(x, x**2), turned, order=1, mode="reflect")
    return np.sum((image - 0.1 * rows) ** 2)


@form
def between_the_pixels(x):
    places = np.array([[x[0], 2 * x[1], -x[2]], [x[2], x[3] * 3.3, x[0]]])
    inner = scipy.ndimage.map_coordinates(np.outer(x, x), places, order=1, cval=2.0)
    beyond = scipy.ndimage.map_coordinates(x, [x * 9], None, 1, "mirror")
    return np.sum(inner**2) + beyond @ scipy.ndimage.map_coordinates(x, [x * 9], order=1, mode="nearest")  # fmt: skip


test_every_mode = each_right(
    FUNCTIONS, np.array([0.9, 0.5, 1.2, -0.7]), np.array([0.3, -1.0, 0.4, 0.6])
)


@pytest.mark.parametrize("f", FUNCTIONS, ids=named)
def test_derivatives_of_gradients(f: Callable[..., Any]) -> None:
    def along(x: Any) -> Any:
        return np.sum(grad(f)(x) * x**2)

    check_along(along, np.array([0.9, 0.5, 1.2, -0.7]), np.array([0.3, -1.0, 0.4, 0.6]))


def test_a_gradient_of_one_pixel_is_the_window_around_it() -> None:
    image = np.zeros((9, 9))
    found = grad(lambda x: scipy.ndimage.gaussian_filter(x, 1.0)[4, 4])(image)
    image[4, 4] = 1.0
    np.testing.assert_allclose(found, scipy.ndimage.gaussian_filter(image, 1.0))
