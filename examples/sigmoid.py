"""A derivative of one's own: the sigmoid.

An issue of MXNet had this function with a backward that forgot the gradient which comes from above. It is right as long
as nothing is done with the result, and wrong ever after. Here such a rule is refused when it is registered.
"""

import numpy as np
from picture import Picture

from tangentish import NotDifferentiable, adjoint, check_adjoint, grad, value_and_grad


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@adjoint(sigmoid)
def sigmoid_adjoint(dy, y, x):
    return dy * y * (1 - y)


def square_of_sigmoid(x):
    y = sigmoid(x)
    return y * y


def main():
    x = np.array([1.0, 2.0, 3.0])
    print(grad(square_of_sigmoid).source(x))
    gradient = grad(square_of_sigmoid)(x)
    print(gradient)
    assert np.allclose(gradient, [0.28746968, 0.18495609, 0.08606823])

    print("\nThe rule, tried out with a random gradient from above:\n")
    print(check_adjoint(sigmoid, x))

    print("\nThe rule of the issue:\n")
    try:

        @adjoint(sigmoid)
        def forgetful(dy, y, x):
            return y * (1 - y)

    except NotDifferentiable as refusal:
        print(refusal)
    else:
        raise AssertionError("a rule that forgets dy must be refused")
    return drawn()


def drawn():
    """The sigmoid and its square, each with its derivative, and what the forgetful rule gives."""
    x = np.linspace(-6.0, 6.0, 121)
    picture = Picture()
    value, slope = value_and_grad(sigmoid)(x)
    picture.panel("sigmoid(x)", "x").line(x, value, "f").line(x, slope, "f'")
    value, right = value_and_grad(square_of_sigmoid)(x)
    panel = picture.panel("sigmoid(x) ** 2", "x")
    panel.line(x, value, "f").line(x, right, "f'").dashed(x, slope, "f' without dy")
    return picture


if __name__ == "__main__":
    main().save(__file__)
