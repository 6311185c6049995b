"""The six exercises on automatic differentiation of "Dive into Deep Learning" (section 2.5), worked out."""

import numpy as np
from picture import Picture

from tangentish import grad, hessian, hvp, value_and_grad, vjp


def second_derivative():
    """1. Why does a second derivative cost so much more than a first?

    A gradient costs a few times what the function costs, however many inputs there are. The matrix of second
    derivatives has n * n entries: a gradient of each of the n entries of a gradient. Where its product with one
    vector will do, that is one gradient more, not n.
    """

    def energy(x):
        return np.sum(np.sin(x) ** 2) + np.prod(x)

    x = np.linspace(0.5, 1.5, 6)
    H = hessian(energy)(x)
    product = hvp(energy)(x, np.ones(6))
    print(f"1. {x.size} inputs: {grad(energy)(x).size} first derivatives, {H.size} second ones")
    assert np.allclose(H, H.T)
    assert np.allclose(product, H.sum(axis=1))


def backward_twice():
    """2. What happens if backward runs twice? Nothing special: a pullback keeps what it reads."""
    x = np.arange(4.0)
    value, pullback = vjp(lambda x: 2 * np.dot(x, x), x)
    (first,), (second,) = pullback(1.0), pullback(1.0)
    print(f"2. {value}: {first}, and again {second}")
    assert np.array_equal(first, [0, 4, 8, 12])
    assert np.array_equal(first, second)


def control_flow(a):
    b = a * 2
    while np.linalg.norm(b) < 1000:
        b = b * 2
    return b if b.sum() > 0 else 100 * b


def control_flow_on_arrays():
    """3. And if the argument of the function with control flow is a vector or a matrix?

    It works as it stands. The function is linear on the way it took: the gradient of its sum is one number in every
    place, the same as that of a scalar.
    """
    rng = np.random.default_rng(1)
    for a in (np.array(0.3), rng.normal(size=3), rng.normal(size=(2, 3))):
        y, gradient = value_and_grad(control_flow)(a)
        print(f"3. shape {a.shape}: gradient {np.unique(gradient)}")
        assert np.allclose(gradient * a, y)


def heron(x):
    """4. Control flow of one's own: a square root, by as many steps as it takes."""
    y = x
    while abs(y * y - x) > 1e-12 * x:
        y = (y + x / y) / 2
    return y


def own_control_flow():
    """4. Nobody said what the loop computes, and its derivative is that of the square root."""
    root, slope = value_and_grad(heron)(7.0)
    print(f"4. the root of 7 is {root:.6f}, its slope {slope:.6f}")
    assert np.isclose(slope, 0.5 / root)


def sine(x):
    """5. To be plotted with its derivative, without using that it is the cosine."""
    return np.sin(x)


def second_price(bids):
    """6. A second-price auction: the highest bid wins, and pays the second highest."""
    return np.sort(bids)[-2]


def auction():
    """6. What the winner pays depends on the second highest bid alone."""
    bids = np.array([3.0, 7.0, 5.0, 1.0])
    price, gradient = value_and_grad(second_price)(bids)
    print(f"6. the price {price} has the gradient {gradient}")
    assert np.array_equal(gradient, [0, 0, 1, 0])


def main():
    second_derivative()
    backward_twice()
    control_flow_on_arrays()
    own_control_flow()
    x = np.linspace(-np.pi, np.pi, 101)
    slope = grad(sine)(x)
    print("5. the picture shows sin and its derivative")
    assert np.allclose(slope, np.cos(x))
    auction()

    picture = Picture()
    picture.panel("5. sine", "x").line(x, sine(x), "f").line(x, slope, "f'")
    a = np.linspace(0.3, 3.0, 136)
    flow, slope = zip(*(value_and_grad(control_flow)(np.array(one)) for one in a))
    picture.panel("3. control flow", "a").points(a, flow, "f").points(a, slope, "f'")
    bid = np.linspace(0.0, 9.0, 181)
    price = [second_price(np.array([3.0, 7.0, one, 1.0])) for one in bid]
    slope = [grad(second_price)(np.array([3.0, 7.0, one, 1.0]))[2] for one in bid]
    panel = picture.panel("6. second-price auction", "the third bid")
    panel.line(bid, price, "price").line(bid, slope, "its derivative")
    return picture


if __name__ == "__main__":
    main().save(__file__)
