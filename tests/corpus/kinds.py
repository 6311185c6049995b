"""One name, several kinds: scalars that become arrays, float32, integers, 0-d, axes of length 1."""

import numpy as np

from . import positives, program, values


@program(
    args=lambda: (values(1, 3, 4),),
    variants=[lambda: (values(1, 5),), lambda: (values(1, 1, 4),), lambda: (values(1, 0),)],
)
def scalar_becomes_array(x):
    y = 0.0
    for i in range(x.shape[0]):
        y = y + x[i]
    return np.sum(y**2)


@program(
    args=lambda: (values(2, 3, 4),), variants=[lambda: (values(2, 5),), lambda: (values(2, 1, 4),)]
)
def scalar_augmented_by_arrays(x):
    y = 0.0
    for i in range(len(x)):
        y += x[i] ** 2
        y *= 1.5
    return np.mean(y)


@program(
    args=lambda: (values(3, 3), 0.7, 2),
    wrt=(0, 1),
    variants=[lambda: (values(3, 3), 0.7, 0), lambda: (values(3, 3), 0.7, 1)],
)
def maybe_scalar_into_a_reduction(x, s, n):
    """After no trip y is a scalar, and its sum is not the sum over x's length."""
    y = s
    for i in range(n):
        y = y * x
    return np.sum(y * s) + np.mean(y)


@program(
    args=lambda: (values(4, 3), 0.7, True),
    wrt=(0, 1),
    variants=[lambda: (values(4, 3), 0.7, False)],
)
def scalar_or_array_by_branch(x, s, flag):
    if flag:
        y = x
    else:
        y = s
    z = y * x
    return np.sum(y**2) * np.sum(z)


@program(
    args=lambda: (values(5, 3, 2), 3),
    variants=[lambda: (values(5, 3), 3), lambda: (values(5, 3, 2), 0)],
)
def first_then_augmented(x, n):
    """A scalar from a vector, a view of a matrix: `+=` changes x only in the latter case."""
    y = x[0]
    for i in range(1, n):
        y += x[i]
    return np.sum(y**2) + np.sum(x**3)


@program(
    args=lambda: (values(6, 3, dtype=np.float32),),
    variants=[lambda: (values(6, 2, 3, dtype=np.float32),), lambda: (np.float32(0.7),)],
)
def float32_all_the_way(x):
    y = x * 2 + np.float32(0.5)
    return y * np.tanh(x) / 3


@program(
    args=lambda: (values(7, 3, dtype=np.float32), values(8, 3)),
    wrt=(0, 1),
    variants=[lambda: (values(7, 3), values(8, 3, dtype=np.float32))],
)
def float32_meets_float64(x, y):
    return x * y + x**2


@program(
    args=lambda: (values(9, 3), np.array([2, -1, 3])),
    variants=[lambda: (values(9, 2, 3), np.array([2, -1, 3])), lambda: (0.4, np.array([2, -1, 3]))],
)
def integers_mixed_in(x, k):
    n = k * 2
    return x * n + k / 2 + np.sum(k) * x**2


@program(args=lambda: (0.7, 3), variants=[lambda: (values(10, 3), 3)])
def integer_becomes_float(x, n):
    y = 1
    z = n
    for i in range(n):
        y = y * x
        z = z + y
    return y * z


@program(
    args=lambda: (np.array(0.7), 1.3),
    wrt=(0, 1),
    variants=[lambda: (np.float64(0.7), np.array(1.3)), lambda: (np.array(0.7), values(11, 3))],
)
def zero_dimensional(x, y):
    z = x * y + x**2
    return z * np.sin(x)


@program(args=lambda: (np.array(0.7),), written=(0,))
def zero_dimensional_in_place(x):
    x *= 2
    x[()] = x * x + 1.0
    x += x


@program(
    args=lambda: (values(12, 2, 3, 4), values(13, 4), 0.7),
    wrt=(0, 1, 2),
    variants=[
        lambda: (values(12, 2, 1, 4), values(13, 3, 1), 0.7),
        lambda: (values(12, 4), values(13, 1), 0.7),
    ],
)
def broadcast_through_levels(a, b, s):
    c = b * s
    d = a + c
    e = d * b - s
    return np.sum(e * d)


@program(
    args=lambda: (values(14, 1, 3), values(15, 4, 1), values(16, 1, 1)),
    wrt=(0, 1, 2),
    variants=[
        lambda: (values(14, 4, 3), values(15, 4, 3), values(16, 4, 3)),
        lambda: (values(14, 3), values(15, 4, 1), values(16, 1)),
    ],
)
def axes_of_length_one(x, y, z):
    return (x * y + z) * (y - z) / (2 + z**2)


@program(
    args=lambda: (values(17, 0), 0.7),
    wrt=(0, 1),
    variants=[lambda: (values(17, 0, 3), 0.7), lambda: (values(17, 3), 0.7)],
)
def nothing_in_it(x, s):
    y = x * s
    return np.sum(y**2) + s


@program(args=lambda: (values(18, 3), 0.7), wrt=(0, 1), variants=[lambda: (values(18, 1), 0.7)])
def thin_gradient_is_made_full(x, s):
    """The gradient of y is one number that stands for an array, until it is summed to s."""
    y = x * 0 + s
    z = y + s
    return np.sum(z) * 3


@program(args=lambda: (values(19, 3), 0.7), wrt=(0, 1))
def gradient_array_has_two_owners(x, s):
    y = x
    z = y + x
    w = z
    z = z * s
    return z + w + y


@program(
    args=lambda: (values(20, 3, 2), 0.7),
    wrt=(0, 1),
    variants=[lambda: (values(20, 1, 2), 0.7), lambda: (values(20, 3), 0.7)],
)
def rank_changes_in_a_loop(x, s):
    for i in range(2):
        x = x * s
        s = np.sum(x, axis=0)
    return s


@program(args=lambda: (0.7, 3), variants=[lambda: (0.7, 0), lambda: (0.7, 1)])
def list_of_numbers_grown(x, n):
    y = np.array([x])
    for i in range(n):
        y = np.concatenate([y, y[-1:] * x + i])
    return y**2


@program(
    args=lambda: (positives(21, 3), 2),
    variants=[lambda: (positives(21, 3), 2.0), lambda: (positives(21, 3), np.array([1, 2, 3]))],
)
def exponent_of_many_kinds(x, n):
    return x**n + 2.0**x - np.power(x, n)


@program(args=lambda: (np.array([1, 2, 3]), 0.7, values(22, 3)), wrt=(1, 2))
def integer_array_turned_float(k, s, x):
    k = k * s
    k += x
    total = np.zeros(3, dtype=int) + 1
    total = total + k
    return total * k


@program(args=lambda: (values(23, 3), np.array([True, False, True])))
def boolean_array_as_factor(x, mask):
    return x * mask + (x > 0) * x**2


@program(
    args=lambda: (values(24, 2, 2), 2),
    variants=[lambda: (values(24, 3), 2), lambda: (0.6, 2), lambda: (np.array(0.6), 2)],
)
def rank_is_asked_for(x, n):
    if np.ndim(x) == 0:
        return x**n
    if len(x.shape) == 1:
        return np.sum(x) ** n
    return np.sum(x @ x)


@program(args=lambda: (values(25, 3), 2.4, np.array([4, 5, 6])), wrt=(0, 1))
def store_into_integers_truncates(x, s, k):
    steps = np.zeros(3, dtype=int)
    steps[0] = s
    like = np.zeros_like(k)
    like[1] = s * 3
    k[2] = s
    return (steps + like + k) * x + s


@program(args=lambda: (values(26, 4), 2.4), wrt=(0, 1), variants=[lambda: (values(26, 4), 0.6)])
def float_turned_into_an_index(x, s):
    i = int(s)
    x[i] = s * x[i + 1]
    return x * (s - i)


@program(
    args=lambda: (values(60, 3, 3), False),
    variants=[lambda: (values(60, 3, 3), True), lambda: (values(60, 2, 3, 2), True)],
)
def axes_kept_by_an_option(x, keep):
    """Whether m has an axis less is not known beforehand."""
    m = np.sum(x, axis=1, keepdims=keep)
    return np.sum(x[:, :1] ** 2 / m) + m[0]


@program(
    args=lambda: (0.7, None),
    variants=[lambda: (values(31, 3), None), lambda: (np.float32(0.7), 2.0)],
)
def known_truths_as_numbers(x, shift):
    missing = shift is None
    y = x * missing + ("a" in {"a": x}) * x + x * True
    y += np.multiply(x, not missing) * x
    y *= True
    return np.sum(y * (1 + (shift is not None)) + x**missing)


@program(
    args=lambda: (positives(1, 3), positives(2, 3)),
    wrt=(0, 1),
    variants=[lambda: (positives(1, 2, 3)[::-1], positives(2, 3).astype(np.float32))],
)
def results_of_a_type(x, z):
    y = np.multiply(x, z, dtype=np.float64) + np.exp(x, dtype="f8")
    return np.sum(np.power(y, 2, dtype=float) * np.sqrt(z, dtype=None))


def library(chosen):
    if isinstance(chosen, str):
        raise TypeError("a module, not its name: {}".format(chosen))  # noqa: UP032
    if chosen is None:
        try:
            import numpy as chosen
        except ImportError:
            import math as chosen
    return chosen


@program(args=lambda: (0.7,))
def module_by_default(x, chosen=None):
    lib = library(chosen)
    return lib.exp(x) * x


@program(args=lambda: (0.7,), variants=[lambda: (0.7, 3.0), lambda: (0.7, 60.0)])
def none_or_compared(x, limit=None):
    if limit is None or limit / x > 50:
        return x * x
    return np.sin(x)


@program(args=lambda: (values(5, 3),))
def array_in_the_text_of_an_error(x):
    if x[0] > 5:
        raise ValueError("too large: {} in {}".format(x[0], x))  # noqa: UP032
    return np.sum(x * x)


@program(
    args=lambda: (values(6, 2, 3), values(7, 2, 3)),
    variants=[lambda: (values(6, 3), values(7, 3)), lambda: (values(6, 1), values(7, 1))],
    wrt=(0, 1),
)
def arrays_of_computed_shapes(x, y):
    last = [1] * x.ndim
    last[-1] = x.shape[-1]
    row = np.zeros(last)
    row = row + x * y
    whole = np.ones([int(n) for n in x.shape])
    whole *= y
    larger = np.full(np.maximum(x.shape, y.shape), 2.0)
    larger -= x * row
    pairs = np.zeros(np.concatenate([x.shape, [2]]).astype(int))
    pairs[..., 0] = x
    pairs[..., 1] = whole
    again = np.resize(y, np.array([4]))
    return np.sum(pairs**3) + np.sum(larger * whole) + np.sum(again * np.arange(4))


@program(
    args=lambda: (values(10, 9), values(11, 4)),
    variants=[lambda: (values(10, 4), values(11, 4)), lambda: (values(10, 5), values(11, 1))],
    wrt=(0, 1),
)
def lengths_of_what_functions_give(x, w):
    n = len(w)
    product = np.convolve(x[:n], w[:n], "valid")
    whole = np.convolve(x, w, "valid")
    powers = {}
    for k in range(len(whole)):
        powers[k] = whole[k] * k
    spectrum = np.abs(np.fft.rfft(x))
    waves = {}
    for k in range(len(spectrum)):
        waves[f"wave {k}"] = spectrum[k] * np.fft.rfftfreq(len(x))[k]
    return np.sum(product * w) + sum(powers.values()) * sum(waves.values())


@program(
    args=lambda: (values(1, 4), values(2, 4)),
    variants=[
        lambda: (values(1, 4), values(2, 3, 4)),
        lambda: (values(1, 2, dtype=np.float32), values(2, 2, dtype=np.float32)),
    ],
)
def number_updated_by_an_array(x, y):
    error = np.dot(x, x)
    error -= y
    pair = [x[0], x[1]]
    pair[1] *= y
    return np.sum(error**2) + np.sum(pair[1] * error)


@program(
    args=lambda: (values(1, 3), values(2, 3), 3), variants=[lambda: (values(1, 2), values(2, 2), 0)]
)
def number_updated_by_an_array_on_later_trips(x, y, n):
    s = np.sum(x)
    for k in range(n):
        s += y * k
    if x[0] > 0:
        s *= y
    return np.sum(s * s)
