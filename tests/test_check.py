"""`check_grad`: it finds wrong gradients, and only those."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from tangentish import adjoint, check_grad, compare_grad, differentiate, stop_gradient
from tangentish.calling.copies import copy_arguments
from tangentish.checking import check


def smooth(w, x, n):
    return np.sum(np.tanh(w @ x) * n)


def mutate(x, y):
    x[0] = y[0] * y[1]
    x[1] *= y[1]


def vector(w):
    return np.exp(w) * 2.0


def pair(w):
    return np.sum(w**2), w * 2


W = np.array([[0.3, -0.2], [1.0, 0.4], [0.5, 0.1]])
X = np.array([0.7, -1.3])


def test_report():
    report = check_grad(smooth, W, X, 2)
    assert report.agrees
    assert [argument.name for argument in report.arguments] == ["w", "x"]
    assert all(argument.max_rel < 1e-8 for argument in report.arguments)
    assert "gradient of smooth() agrees with numeric derivatives" in str(report)
    assert "w            (3, 2)" in str(report)


def test_wrt():
    assert [a.name for a in check_grad(smooth, W, X, 2, wrt="x").arguments] == ["x"]
    with pytest.raises(TypeError, match="argument 'n'"):
        check_grad(smooth, W, X, 2, wrt="n")
    with pytest.raises(ValueError, match="no parameter 'q'"):
        check_grad(smooth, W, X, 2, wrt="q")


def test_procedures_vectors_and_several_outputs():
    x, y = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0])
    assert check_grad(mutate, x, y).agrees
    np.testing.assert_array_equal(x, [1.0, 2.0, 3.0])
    assert check_grad(vector, y / 10).agrees
    assert check_grad(pair, y).agrees
    assert check_grad(vector, 0.5).agrees


def test_float32():
    report = check_grad(vector, np.array([0.5, -0.25], np.float32))
    assert report.agrees
    assert report.arguments[0].max_abs < 1e-2


def test_methods_and_decorated_functions():
    class Model:
        @differentiate
        def loss(self, x):
            return np.sum(x**2)

    report = check_grad(Model().loss, X)
    assert [argument.name for argument in report.arguments] == ["x"]
    assert check_grad(differentiate(vector), X).agrees


def test_wrong_number_of_arguments():
    with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'n'"):
        check_grad(smooth, W, X)


def with_wrong_pullback(monkeypatch, spoil):
    real = check.Probe.gradients
    monkeypatch.setattr(
        check.Probe, "gradients", lambda self, rng: tuple(map(spoil, real(self, rng)))
    )


def test_a_wrong_element_is_named(monkeypatch):
    def spoil(gradient):
        if isinstance(gradient, np.ndarray) and gradient.shape == W.shape:
            gradient[2, 1] += 1e-3
        return gradient

    with_wrong_pullback(monkeypatch, spoil)
    with pytest.raises(AssertionError) as caught:
        check_grad(smooth, W, X, 2)
    text = str(caught.value)
    assert "the derivative with respect to w[2, 1] is" in text
    assert "DISAGREES" in text
    assert "BAD w" in text
    assert "ok  x" in text


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_not_finite_is_wrong(monkeypatch, wrong):
    with_wrong_pullback(monkeypatch, lambda g: g if g is None else g * wrong)
    with pytest.raises(AssertionError):
        check_grad(smooth, W, X, 2)


def test_a_kink_nearby_is_no_mismatch():
    def kinked(x):
        return np.sum(np.abs(x))

    assert check_grad(kinked, np.array([1e-4, -2e-4, 1.0])).agrees


def test_arguments_that_share_memory_count_apart():
    def product(x, y):
        return np.sum(x * y)

    assert check_grad(product, X, X).agrees


def test_empty_arguments():
    def total(x, y):
        return np.sum(x) + y

    assert check_grad(total, np.zeros(0), 1.0).agrees


def test_copies_keep_strides_and_sharing():
    base = np.arange(12.0).reshape(3, 4)
    args = (base, base[::-1, 1:], base.T, {"a": base[0]}, np.arange(3.0), base[:, ::2].copy("F"))
    copies = copy_arguments(args)
    for original, copied in zip(args, copies, strict=True):
        if isinstance(original, dict):
            original, copied = original["a"], copied["a"]
        np.testing.assert_array_equal(original, copied)
        assert original.strides == copied.strides
        assert not np.may_share_memory(original, copied)
    copies[0][0, 0] = 100.0
    assert copies[2][0, 0] == copies[3]["a"][0] == 100.0
    assert copies[1][2, 0] == 1.0
    assert base[0, 0] == 0.0


# ------------------------------------------------------------------------------------ structures


class Line:
    def __init__(self, slope, offset):
        self.slope, self.offset, self.name = slope, offset, "line"

    @differentiate
    def error(self, x):
        return np.sum((self.slope * x + self.offset) ** 2)


def of_structures(p, layers):
    t = p["w"] * p["b"]
    for w, b in layers:
        t = np.tanh(t * w + b)
    return np.sum(t)


def test_structures_are_checked_leaf_by_leaf():
    p = {"w": np.array([0.3, 0.4]), "b": 2.0, "name": "x"}
    layers = [(np.array([1.0, 2.0]), 0.5), (np.array([0.5, 0.1]), 0.25)]
    report = check_grad(of_structures, p, layers)
    assert [a.name for a in report.arguments] == [
        "p['w']", "p['b']", "layers[0][0]", "layers[0][1]", "layers[1][0]", "layers[1][1]",
    ]  # fmt: skip
    assert check_grad(of_structures, p, layers, wrt="p").arguments[1].name == "p['b']"


def test_objects_are_checked_attribute_by_attribute():
    def error(line, x):
        return np.sum((line.slope * x + line.offset) ** 2)

    report = check_grad(error, Line(2.0, np.array([0.5, 1.0])), np.array([1.0, 2.0]), wrt=0)
    assert [a.name for a in report.arguments] == ["line.slope", "line.offset"]


# ------------------------------------------------------------------- branches, and the first wrong line


def stepped(x):
    if x > 1e-9:
        return 3 * x
    return 2 * x


def test_a_numeric_step_that_crosses_a_branch_is_told():
    with pytest.raises(
        AssertionError, match="a numeric step of x crosses a branch at line"
    ) as caught:
        check_grad(stepped, 0.0)
    line = stepped.__code__.co_firstlineno + 1
    assert f"line {line}: if x > 1e-9:" in str(caught.value)


def test_no_branch_is_told_where_none_is_crossed():
    assert all(a.crossings == () for a in check_grad(stepped, 1.0).arguments)


def slope_too_large(x):
    return np.exp(x)


def with_a_wrong_rule(w, x):
    a = w * x
    b = slope_too_large(a)
    c = np.sin(b)
    return c * 2


def test_the_first_wrong_value_is_named():
    @adjoint(slope_too_large)
    def slope_too_large_adjoint(dy, y, x):
        return dy * y * 1.1

    try:
        with pytest.raises(AssertionError) as caught:
            check_grad(with_a_wrong_rule, np.array([0.3, 0.4]), np.array([0.1, 0.2]))
    finally:
        constant_again(slope_too_large)
    first = with_a_wrong_rule.__code__.co_firstlineno
    assert f"whose gradient disagrees is a of line {first + 1}: a = w * x" in str(caught.value)


def constant_again(function):
    """The right rule in place of the wrong one."""

    @adjoint(function)
    def right(dy, y, x):
        return dy * y


# ------------------------------------------------------------------------------- gradients by hand


def neuron(w, x):
    z = w[0] * x[0] + w[1] * x[1] + w[2]
    return 1 / (1 + np.exp(-z))


NW, NX = np.array([2.0, -3.0, -3.0]), np.array([-1.0, -2.0])
D = neuron(NW, NX) * (1 - neuron(NW, NX))
LOCAL_W, LOCAL_X = np.array([*NX, 1.0]), NW[:2]


def test_a_right_gradient_by_hand():
    report = compare_grad(neuron, lambda w, x: (LOCAL_W * D, LOCAL_X * D), NW, NX, wrt=("w", "x"))
    assert report.agrees
    assert "gradient by hand of neuron() agrees with the generated gradient" in str(report)


@pytest.mark.parametrize(
    ("hand", "wrt", "slip"),
    [
        (LOCAL_W, 0, "the gradient from above, that of z (line "),
        (LOCAL_W * D * D, 0, "one with the gradient of z (line "),
        (np.array([*LOCAL_X, 1.0]) * D, 0, "the gradient of x at w[0]: swapped operands"),
        (LOCAL_X * D * 3, 1, "without a factor of 0.333333"),
        (-LOCAL_X * D, 1, "the right one with the wrong sign"),
        (0 * LOCAL_X, 1, "nothing at all: it is zero"),
        (np.full(2, LOCAL_X.sum() * D), 1, "a sum in place of an element"),
        (
            [LOCAL_X.sum() * D],
            1,
            "has shape (1,), the argument (2,): it is the sum over all elements",
        ),
        (LOCAL_X[::-1] * D, 1, "a wrong index: what stands at x[0] belongs to x[1]"),
        (LOCAL_X * D + [0, 1], 1, "fits none of the usual slips"),
    ],
)
def test_what_a_slip_looks_like(hand, wrt, slip):
    with pytest.raises(AssertionError) as caught:
        compare_grad(neuron, lambda w, x: hand, NW, NX, wrt=wrt)
    assert slip in str(caught.value)


def test_a_factor_that_has_a_name():
    def energy(x, w):
        t = np.sin(x)
        return np.sum(t * w * x**2)

    def right(x, w):
        return w * (x**2 * np.cos(x) + 2 * x * np.sin(x))

    x, w = np.array([0.3, 0.7]), np.array([1.5, -2.0])
    for hand, said in (
        (lambda x, w: right(x, w) / w, "the right one without a factor of w"),
        (lambda x, w: right(x, w) * np.sin(x), "the right one with a factor of t too many"),
    ):
        with pytest.raises(AssertionError, match=said):
            compare_grad(energy, hand, x, w)


def cut(x):
    u = stop_gradient(x * x)
    return u * x


def cut_within(x):
    return np.sum(stop_gradient(x) * x)


@pytest.mark.parametrize(
    ("f", "line"), [(cut, "u = stop_gradient(x * x)"), (cut_within, "return np.sum(stop_gradient(x) * x)")]
)  # fmt: skip
def test_a_cut_is_named_where_differences_do_not_see_it(f, line):
    with pytest.raises(AssertionError) as caught:
        check_grad(f, np.array([1.0, 2.0]))
    assert f"the gradient is cut in `{line}`, which numeric derivatives do not" in str(caught.value)


def test_the_element_and_both_values_are_named():
    with pytest.raises(
        AssertionError, match=r"with respect to x\[1\] is 0\.41\d* by hand and should be -0\.58"
    ):
        compare_grad(neuron, lambda w, x: LOCAL_X * D + [0, 1], NW, NX, wrt="x")


def product_of_matrices(a, b):
    return np.sum((a @ b) * np.arange(9.0).reshape(3, 3))


def of_linear_map(a, x):
    y = a @ x
    return np.sum(np.sin(y))


@pytest.mark.parametrize(
    ("wrt", "hand", "said"),
    [
        ("x", lambda a, x: a @ np.cos(a @ x), "a @ dy in place of a.T @ dy"),
        ("a", lambda a, x: x @ np.cos(a @ x).T, r"dy @ x\.T: swapped|transpose: swapped operands"),
        ("x", lambda a, x: 2 * a @ np.cos(a @ x), "fits none of the usual slips"),
    ],
)  # fmt: skip
def test_a_missing_transpose(wrt, hand, said):
    rng = np.random.default_rng(3)
    a, x = rng.normal(size=(3, 3)), rng.normal(size=(3, 1))
    with pytest.raises(AssertionError, match=said):
        compare_grad(of_linear_map, hand, a, x, wrt=wrt)


def test_swapped_operands():
    rng = np.random.default_rng(3)
    a, b, g = rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), np.arange(9.0).reshape(3, 3)
    with pytest.raises(AssertionError, match="the transpose: swapped operands"):
        compare_grad(product_of_matrices, lambda a, b: b @ g.T, a, b)
    with pytest.raises(AssertionError, match="the gradient of b: swapped operands"):
        compare_grad(product_of_matrices, lambda a, b: a.T @ g, a, b)


def test_several_gradients_by_hand():
    with pytest.raises(AssertionError, match="there should be 2 gradients"):
        compare_grad(neuron, lambda w, x: LOCAL_W * D, NW, NX, wrt=("w", "x"))
    with pytest.raises(
        AssertionError, match="the gradient of x looks like the right one with the wrong sign"
    ):
        compare_grad(neuron, lambda w, x: (LOCAL_W * D, -LOCAL_X * D), NW, NX, wrt=("w", "x"))


def by_keyword(x, *, scale=2.0, n=3):
    return np.sum(x * scale) * n


def test_keyword_only_parameters():
    report = check_grad(by_keyword, X, scale=5.0)
    assert [argument.name for argument in report.arguments] == ["x", "scale"]
    assert check_grad(by_keyword, x=X, n=2, wrt="scale").agrees
    with pytest.raises(TypeError, match="unexpected keyword argument 'q'"):
        check_grad(by_keyword, X, q=1.0)

    def hand(x, *, scale):
        return np.full_like(x, scale)

    with pytest.raises(AssertionError, match="without a factor of 3"):
        compare_grad(by_keyword, hand, X, scale=5.0)
    assert compare_grad(by_keyword, lambda x, **_: 3 * np.sum(x), X, scale=5.0, wrt="scale").agrees


def test_star_arguments_and_options():
    def f(*xs, **options):
        return np.sum(xs[0] * xs[1]) * options["k"]

    names = [a.name for a in check_grad(f, X, X + 1, k=2.0).arguments]
    assert names == ["xs[0]", "xs[1]", "kw['k']".replace("kw", "options")]


def test_a_wrong_line_of_a_function_with_keywords():
    def sine(y):
        return np.sin(y)

    adjoint(sine)(lambda dy, y, x: dy * np.sin(x))

    def f(x, *, k):
        y = x * k
        return np.sum(sine(y))

    with pytest.raises(AssertionError, match="whose gradient disagrees is y of line"):
        check_grad(f, X, k=2.0)


def test_a_step_that_crosses_a_branch_within_one_line():
    def kink(x):
        return abs(x) if x > 0 else 3 * x

    with pytest.raises(AssertionError, match="a numeric step of x crosses a branch at line"):
        check_grad(kink, 0.0)


def settled(a, d=0.85, tol=1e-12):
    """Without an end for a tolerance that is not positive."""
    x = 1.0
    while True:
        new = d * np.cos(x) + a
        if abs(new - x) < tol:
            return new
        x = new


def test_a_number_is_not_moved_across_zero():
    assert check_grad(settled, 0.3).agrees
    assert check_grad(lambda p: settled(p["a"], tol=p["tol"]), {"a": 0.3, "tol": 1e-12}).agrees
    with np.errstate(all="raise"):
        assert check_grad(lambda k: np.log(k) * np.sqrt(k), 1e-6).agrees


def decay(k):
    return np.sqrt(k)


def test_a_wrong_derivative_by_a_small_number_is_found():
    @adjoint(decay)
    def wrong(dy, y, k):
        return dy / y

    with pytest.raises(AssertionError, match="derivative with respect to k"):
        check_grad(lambda k: 3 * decay(k), 1e-6)


# ------------------------------------------------------------------- slips in the gradient of a network


def network(w, b, v, x, y):
    h = np.tanh(x @ w + b)
    r = h @ v - y
    return np.mean(r**2)


def steps_back(w, b, v, x, y):
    """The gradients of every value of the network, by hand."""
    h = np.tanh(x @ w + b)
    r = h @ v - y
    do = 2 * r / r.size
    dh = do @ v.T
    return h, do, dh, dh * (1 - h**2)


NETWORK = tuple(
    np.random.default_rng(4).normal(size=n) for n in [(3, 4), 4, (4, 2), (5, 3), (5, 2)]
)


@pytest.mark.parametrize(
    ("wrt", "by_hand", "said"),
    [
        ("w", lambda x, h, do, dh, dz: x.T @ dh, r"x.T @ dh: the derivative of what leads to h \(line"),
        ("v", lambda x, h, do, dh, dz: h.T @ (0 * do + 1), "h.T @ ones: the gradient from above is missing"),
        ("b", lambda x, h, do, dh, dz: dh.sum(0), "the sum of dh: the derivative of what leads to h"),
        ("w", lambda x, h, do, dh, dz: x.T @ dz * do.size, "without a factor of 0.1"),
        ("w", lambda x, h, do, dh, dz: (x.T @ dz) * (np.arange(12).reshape(3, 4) != 5), r"but for w\[1, 1\]"),
        ("b", lambda x, h, do, dh, dz: -dz.sum(0), "with the wrong sign"),
    ],
)  # fmt: skip
def test_slips_in_the_gradient_of_a_network(wrt, by_hand, said):
    def hand(*args):
        return by_hand(args[3], *steps_back(*args))

    with pytest.raises(AssertionError, match=said):
        compare_grad(network, hand, *NETWORK, wrt=wrt)


def squared_product(a, b):
    return np.sum((a @ b) ** 2)


@pytest.mark.parametrize(
    ("wrt", "hand", "said"),
    [
        ("a", lambda a, b: 2 * (a @ b) @ b, "g @ b in place of g @ b.T"),
        ("a", lambda a, b: 2 * b.T @ (a @ b), "b.T @ g in place of g @ b.T"),
        ("b", lambda a, b: 2 * (a @ b) @ a.T, "g @ a.T in place of a.T @ g"),
        ("a", lambda a, b: np.ones((3, 3)) @ b.T, "ones @ b.T: the gradient from above is missing"),
    ],
)
def test_slips_where_the_product_has_no_name(wrt, hand, said):
    a, b = (np.random.default_rng(k).normal(size=(3, 3)) for k in (1, 2))
    with pytest.raises(AssertionError, match=said):
        compare_grad(squared_product, hand, a, b, wrt=wrt)


# ------------------------------------------------------------------- kinks without a branch


@pytest.mark.parametrize(
    ("f", "said"),
    [
        (lambda x: np.sum(np.abs(x) + np.maximum(x, 0)), r"a kink or a jump at x\[0\]: the slope is -"),
        (lambda x: np.sum(x - np.floor(x) / 2), r"a kink or a jump at x\[0\]"),
        (lambda x: np.sum(np.where(x > 0, x, 3 * x)), r"a kink or a jump at x\[0\]"),
    ],
)  # fmt: skip
def test_a_kink_is_told(f, said):
    with pytest.raises(AssertionError, match=said):
        check_grad(f, np.array([0.0, 0.5, 1.5]))


def test_a_collection_of_cycles_crosses_no_branch():
    """Its callbacks run in the middle of a call, in one of two calls that are compared and not in the other."""
    calls = []

    def seen(phase, info):
        calls.append(phase if len(calls) % 3 else info)

    def f(x):
        kept = [[k] for k in range(40)]
        return np.sum(np.abs(x) + np.maximum(x, 0)) + len(kept)

    gc.callbacks.append(seen)
    before = gc.get_threshold()
    gc.set_threshold(37)
    try:
        with pytest.raises(AssertionError, match=r"a kink or a jump at x\[0\]"):
            check_grad(f, np.array([0.0, 0.5, 1.5]))
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(seen)
    assert calls


def test_smooth_functions_with_a_wrong_rule():
    def cube(x):
        return x**3

    adjoint(cube)(lambda dy, y, x: 2 * x**2 * dy)
    for x in (np.array([1e-3, 1.0, 30.0]), np.array([0.1, 1.0], np.float32)):
        with pytest.raises(AssertionError) as caught:
            check_grad(cube, x)
        assert "a kink or a jump" not in str(caught.value)


def test_at_the_end_of_what_a_function_takes_one_side_counts():
    def resistance(flow, roughness=0.0):
        if roughness < 0:
            raise ValueError("a negative roughness")
        return np.log10(roughness / 3.7 + 5.74 / flow**0.9) ** -2

    def roots(x):
        return np.sum(np.sqrt(x) ** 5 + np.exp(x))

    report = check_grad(resistance, 1e5, 0.0)
    assert [a.name for a in report.arguments] == ["flow", "roughness"]
    check_grad(roots, np.array([0.0, 1.0, 0.3]))
    adjoint(resistance)(lambda dy, y, flow, roughness: (0.0 * flow, 1.001 * dy * y))
    with pytest.raises(AssertionError, match="raises ValueError: a negative roughness"):
        check_grad(resistance, 1e5, 0.0, wrt="roughness")


def test_a_function_that_takes_one_value_alone_raises():
    def only_one(x):
        if x != 1.0:
            raise ValueError("only one")
        return x * x

    with pytest.raises(ValueError, match="only one"):
        check_grad(only_one, 1.0)
