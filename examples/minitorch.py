"""The functions that one writes by hand when building an automatic differentiator, as minitorch has its readers do.

There each function is a class with a forward that saves what a backward reads. Here each is a function, and what has to
be saved is found out: the source shows that x * 5 needs nothing of the way there, and x * y both factors.
"""

import numpy as np
from picture import Picture

from tangentish import check_grad, grad, vjp


def times_five(x):
    return x * 5


def product(x, y):
    return x * y


def weighted_sum(x, y):
    return x + 2 * y


def square(x):
    return x**2


def square_of_product(x):
    return square(product(x, times_five(x)))


def logarithm(x):
    return np.log(1 + square(x))


def rectified(x):
    return np.maximum(x, 0.0)


def main():
    for function in (times_five, square, square_of_product, logarithm):
        print(grad(function).source(3.0))
        print(f"at 3: {grad(function)(3.0):.6g}\n")
        check_grad(function, 3.0)
    assert grad(times_five)(3.0) == 5
    assert grad(square)(3.0) == 6
    assert np.isclose(grad(square_of_product)(3.0), 4 * 25 * 3.0**3)

    print("Several arguments: a gradient for each, times what comes from above\n")
    for function in (product, weighted_sum):
        value, pullback = vjp(function, 3.0, 4.0)
        print(f"{function.__name__}: value {value}, pullback of 10: {pullback(10.0)}")
    assert vjp(product, 3.0, 4.0)[1](10.0) == (40.0, 30.0)
    assert vjp(weighted_sum, 3.0, 4.0)[1](10.0) == (10.0, 20.0)
    return drawn()


def drawn():
    """Each function beside its derivative."""
    x = np.linspace(-2.0, 2.0, 101)
    picture = Picture()
    for title, function in (
        ("x * 5", times_five),
        ("x * y, y = 3", lambda x: product(x, 3.0)),
        ("x + 2 * y, y = 3", lambda x: weighted_sum(x, 3.0)),
        ("x ** 2", square),
        ("log(1 + x ** 2)", logarithm),
        ("max(x, 0)", rectified),
    ):
        slope = grad(function)(x)
        picture.panel(title, "x").line(x, function(x), "f").line(x, slope, "f'")
    return picture


if __name__ == "__main__":
    main().save(__file__)
