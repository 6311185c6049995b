"""Registration of images: the mismatch after an affine warp with bilinear interpolation.

R. Szeliski, Computer Vision: Algorithms and Applications, sections 3.6 and 8.2.
"""

import numpy as np

from . import method


def bilinear_interpolate(im, x, y):
    """Sample an image at real coordinates; what lies outside is clamped to the border."""
    x0 = np.floor(x).astype(int)
    x1 = x0 + 1
    y0 = np.floor(y).astype(int)
    y1 = y0 + 1

    x0 = np.clip(x0, 0, im.shape[1] - 1)
    x1 = np.clip(x1, 0, im.shape[1] - 1)
    y0 = np.clip(y0, 0, im.shape[0] - 1)
    y1 = np.clip(y1, 0, im.shape[0] - 1)

    Ia = im[y0, x0]
    Ib = im[y1, x0]
    Ic = im[y0, x1]
    Id = im[y1, x1]

    wa = (x1 - x) * (y1 - y)
    wb = (x1 - x) * (y - y0)
    wc = (x - x0) * (y1 - y)
    wd = (x - x0) * (y - y0)

    return wa * Ia + wb * Ib + wc * Ic + wd * Id


def warp(im, A, t):
    """im at A (x, y) + t for every pixel."""
    h, w = im.shape
    yy, xx = np.mgrid[0:h, 0:w]
    coords = np.stack([xx.ravel(), yy.ravel()])
    xs, ys = A @ coords + t[:, None]
    return bilinear_interpolate(im, xs, ys).reshape(h, w)


def mismatch(A, t, moving, fixed):
    warped = warp(moving, A, t)
    return 0.5 * np.mean((warped - fixed) ** 2)


def images():
    y, x = np.mgrid[0:5, 0:6]
    moving = np.sin(0.7 * x) + np.cos(0.9 * y + 0.2 * x)
    fixed = np.sin(0.7 * x + 0.3) + np.cos(0.9 * y + 0.2 * x - 0.1)
    A = np.array([[0.93, 0.08], [-0.06, 0.96]])
    return A, np.array([0.31, 0.42]), moving, fixed


method(mismatch, images, wrt=(0, 1, 2, 3))
