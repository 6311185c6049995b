"""Image registration: which turn and shift lay one image on another?

The image is warped: each pixel is looked up where the transformation says, between four neighbours. The gradient flows
through the weights of the neighbours, which depend on the parameters; the places in the array do not.
"""

import numpy as np
from picture import Picture
from scipy.optimize import minimize

from tangentish import check_grad, value_and_grad

SIZE = 32
MIDDLE = (SIZE - 1) / 2


def warped(image, down, across, angle, shift):
    """The image turned about its middle and shifted, as it is seen at every pixel.

    `down` and `across` say where the pixels are, from the middle.
    """
    x = np.cos(angle) * across - np.sin(angle) * down + MIDDLE + shift[0]
    y = np.sin(angle) * across + np.cos(angle) * down + MIDDLE + shift[1]
    x, y = np.clip(x, 0.0, SIZE - 1.001), np.clip(y, 0.0, SIZE - 1.001)
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    u, v = x - left, y - top
    above = (1 - u) * image[top, left] + u * image[top, left + 1]
    below = (1 - u) * image[top + 1, left] + u * image[top + 1, left + 1]
    return (1 - v) * above + v * below


def difference(params, image, fixed, down, across):
    """The mean square; the parameters are the angle and the two shifts."""
    return np.mean((warped(image, down, across, params[0], params[1:]) - fixed) ** 2)


def blobs(down, across):
    """An image of three soft spots, one of them long."""
    spots = [(-6, -3, 3, 3, 1.0), (6, -5, 5, 2, 0.8), (2, 7, 2, 4, 0.9)]
    image = sum(
        strength * np.exp(-(((across - x) / wide) ** 2 + ((down - y) / high) ** 2))
        for x, y, wide, high, strength in spots
    )
    return np.clip(image, 0.0, 1.0)


def main():
    true = np.array([0.3, 1.7, -2.2])
    down, across = np.indices((SIZE, SIZE)) - MIDDLE
    image = blobs(down, across)
    fixed = warped(image, down, across, true[0], true[1:])
    start, rest = np.zeros(3), (image, fixed, down, across)

    difference_and_gradient = value_and_grad(difference)
    print(difference_and_gradient.source(start, *rest))
    check_grad(difference, np.array([0.1, 0.3, -0.4]), *rest, wrt="params")

    found = minimize(difference_and_gradient, start, args=rest, jac=True, method="BFGS")
    print(f"difference {difference(start, *rest):.5f} -> {found.fun:.1e}")
    print(f"turn and shift {found.x}, those that were applied {true}")
    assert np.allclose(found.x, true, atol=1e-3)

    picture = Picture(columns=4)
    picture.panel("moving").image(image)
    picture.panel("fixed").image(fixed)
    picture.panel("difference before").image(np.abs(image - fixed))
    after = warped(image, down, across, found.x[0], found.x[1:])
    picture.panel("difference after").image(np.abs(after - fixed))
    return picture


if __name__ == "__main__":
    main().save(__file__)
