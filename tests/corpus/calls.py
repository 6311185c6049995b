"""Calls of own functions: helpers, procedures, recursion."""

import numpy as np

from . import program, values


def squash(x, scale=1.0, shift=0.0):
    return np.tanh(scale * x + shift)


def both(x, y):
    return x * y, x + y


def interior(a):
    return a[1:-1]


def double_in_place(a):
    a *= 2


def set_first(a, value):
    a[0] = value * a[1]


def add_and_tell(a, s):
    a += s
    return a[0] * s


def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x


def first_or_zero(x):
    for i in range(len(x)):
        if x[i] > 0.5:
            return x[i] ** 2
    return 0.0


def same(x):
    return x


def halves(x):
    n = x.size // 2
    return x[:n], x[n:]


def twice(x):
    return squash(squash(x, 0.5), shift=0.2)


def rename_parameter(x):
    x = x * 2
    x += 1
    return x


def no_value(x):
    x = x + 1


@program(
    args=lambda: (0.7, 1.3),
    wrt=(0, 1),
    variants=[lambda: (values(1, 3), 1.3), lambda: (values(1, 3), values(2, 3))],
)
def positional_keyword_default(x, a):
    return squash(x) * squash(x, a) + squash(x, shift=a) * squash(shift=x, x=a)


@program(args=lambda: (0.7, 1.3), wrt=(0, 1), variants=[lambda: (values(3, 3), 0.4)])
def helper_returning_a_tuple(x, y):
    p, s = both(x, y)
    q, r = both(p, s)
    return q * r


@program(args=lambda: (values(4, 5), 0.7), wrt=(0, 1))
def helper_returning_a_view(x, s):
    v = interior(x)
    v *= s
    interior(x)[0] = x[0] * s
    return x**2


@program(args=lambda: (values(5, 4), 0.7), wrt=(0, 1))
def helper_returning_its_argument(x, s):
    y = same(x)
    y[0] = s
    return np.sum(x**2)


@program(args=lambda: (values(6, 4), 0.7), wrt=(0, 1), variants=[lambda: (values(6, 2, 2), 0.7)])
def procedures_called(x, s):
    double_in_place(x)
    y = x * s
    set_first(y, s)
    double_in_place(y)
    return np.sum(x * y)


@program(args=lambda: (values(7, 5), 0.7), wrt=(0, 1))
def procedure_on_a_view(x, s):
    set_first(x[1:4], s)
    double_in_place(x[::2])
    v = x[2:]
    double_in_place(v)
    return x**2


@program(args=lambda: (values(8, 4), 0.7), wrt=(0, 1))
def order_of_effects(a, s):
    y = a[0] * add_and_tell(a, s)
    z = add_and_tell(a, s) * a[0]
    return y + 2 * z + np.sum(a**2)


@program(args=lambda: (values(9, 4), 3), variants=[lambda: (values(9, 4), 0)])
def helper_in_a_loop(x, n):
    for i in range(n):
        x = squash(x, scale=0.9, shift=x[0])
    return x


@program(args=lambda: (values(10, 4), 3), variants=[lambda: (values(10, 4), 0)])
def procedure_in_a_loop(x, n):
    y = x.copy()
    for i in range(n):
        set_first(y, x[i])
        y += x * y[0]
    return y


@program(args=lambda: (0.7,), variants=[lambda: (-0.3,), lambda: (1.7,)])
def helper_with_several_returns(x):
    return clamp(x, 0.0, 1.0) * x + clamp(2 * x, x, 1.5)


@program(args=lambda: (values(11, 4),), variants=[lambda: (-np.abs(values(11, 4)),)])
def helper_returning_from_a_loop(x):
    y = first_or_zero(x) + first_or_zero(-x)
    return y * x[0]


@program(args=lambda: (1.1, 5), variants=[lambda: (1.1, 0), lambda: (values(12, 3), 3)])
def recursive_power(x, n):
    if n == 0:
        return 1.0 + 0 * x
    if n % 2:
        return x * recursive_power(x, n - 1)
    half = recursive_power(x, n // 2)
    return half * half


@program(
    args=lambda: (values(13, 7),), variants=[lambda: (values(13, 1),), lambda: (values(13, 2),)]
)
def recursive_tree_sum(x):
    if x.size == 1:
        return x[0] ** 2
    middle = x.size // 2
    return recursive_tree_sum(x[:middle]) * 0.5 + np.sin(recursive_tree_sum(x[middle:]))


@program(args=lambda: (values(14, 5), 3), written=(0,), variants=[lambda: (values(14, 5), 0)])
def recursive_procedure(x, n):
    if n > 0:
        x[n] = x[n - 1] * x[n]
        recursive_procedure(x, n - 1)
        x[n - 1] += x[n] ** 2


def is_even_weight(x, n):
    return x if n == 0 else np.cos(is_odd_weight(x, n - 1)) * x


def is_odd_weight(x, n):
    return 2 * x if n == 0 else is_even_weight(x, n - 1) + x * x


@program(args=lambda: (0.6, 3), variants=[lambda: (0.6, 2)])
def mutual_recursion(x, n):
    return is_even_weight(x, n)


@program(args=lambda: (values(15, 6),))
def helper_returning_two_views(x):
    left, right = halves(x)
    left *= right
    right += left[0]
    return np.sum(x**2)


@program(args=lambda: (values(16, 3),), variants=[lambda: (0.4,)])
def helper_of_helpers(x):
    return twice(twice(x)) + twice(x=2 * x)


@program(args=lambda: (values(17, 3), 0.6), wrt=(0, 1))
def same_helper_for_scalar_and_array(x, s):
    return squash(x, s) * squash(s, x[0]) + squash(2)


@program(args=lambda: (values(18, 3),), variants=[lambda: (0.4,)])
def helper_rebinds_its_parameter(x):
    """The helper's `+=` is on its own array: x stays what it was."""
    y = rename_parameter(x)
    no_value(x)
    return y * x


@program(args=lambda: (0.7, 2), variants=[lambda: (-0.7, 2), lambda: (0.7, 0)])
def helper_in_a_branch(x, n):
    if x > 0:
        for i in range(n):
            p, x = both(x, 0.5 * x)
            x = x * p
    else:
        x, p = both(squash(x), x)
    return x


@program(args=lambda: (values(19, 4), values(20, 4)), wrt=(0, 1))
def same_array_twice(x, y):
    p, s = both(x, x)
    set_first(y, x[0])
    q, r = both(y, y)
    return p * s + q * r


@program(args=lambda: (0.8, 0.3), wrt=(0, 1))
def program_as_a_helper(x, y):
    return helper_with_several_returns(x * y) + mutual_recursion(x, 2) * helper_of_helpers(y)


@program(args=lambda: (0.9, 1.4), wrt=(0, 1), variants=[lambda: (0.9, 1.4, 0)])
def default_of_the_program(x, y=2.0, n=3):
    for i in range(n):
        x = x * y + i
    return x


def shrink_if_large(a, bound):
    if a[0] < bound:
        return
    a[0] = a[0] * bound
    for i in range(1, a.size):
        if a[i] > bound:
            a[i] = bound / a[i]
            return
        a[i] *= 2


@program(args=lambda: (values(21, 4), values(22, 4)), wrt=(0, 1))
def caller_writes_what_the_callee_saved(x, y):
    p, s = both(x, y)
    x[0] = p[1]
    y *= s
    q = squash(x, y[0])
    x[:] = 0.5
    return p * q + s * x


@program(
    args=lambda: (np.array([1.2, 0.3, 1.5, -0.4]), 0.7),
    wrt=(0, 1),
    variants=[
        lambda: (np.array([0.2, 0.3, 1.5, -0.4]), 0.7),
        lambda: (np.array([1.2, 0.3, 0.5]), 0.7),
    ],
)
def procedure_with_early_returns(x, bound):
    shrink_if_large(x, bound)
    y = x * bound
    shrink_if_large(y, bound * 0.5)
    return np.sum(x * y**2)


def first_set(x, s):
    x[:1] = s
    return x


@program(args=lambda: (values(31, 3), 0.4), wrt=(0, 1))
def result_replaces_what_was_written(x, s):
    for i in range(2):
        x = first_set(x, s * i)
    return x**2


@program(args=lambda: (values(32, 3), 0.4), wrt=(0, 1))
def written_after_it_was_read(x, s):
    p = x**2
    for i in range(2):
        x = first_set(x, s * i)
    return p * s


def log_sum_exp(x, axis=-1, keep=True):
    m = np.max(x, axis=axis, keepdims=True)
    s = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
    return s if keep else np.squeeze(s, axis=axis)


@program(args=lambda: (values(70, 3, 4),), variants=[lambda: (values(70, 3, 3),)])
def axes_of_a_callee(x):
    """The shape of what the callee gives depends on the literals that it is given."""
    return (x - log_sum_exp(x)) * log_sum_exp(x, 0, False)


@program(args=lambda: (values(71, 3, 4),), variants=[lambda: (values(71, 3, 3),)])
def axes_that_a_loop_changes(x):
    axis = 0
    for k in range(2):
        x = x - log_sum_exp(x, axis)
        axis += 1
    return x


def grown(a, s):
    a += s
    return a


def grown_and_parts(a, s):
    a *= s
    return a[1:], s * 2, len(a)


class Grown:
    def __init__(self, a):
        self.a = a

    def step(self, s):
        self.a += s
        return self.a


@program(
    args=lambda: (values(51, 3),),
    variants=[lambda: (values(51, 0),), lambda: (values(51, 2, 3),)],
)
def results_that_nobody_wants(x):
    y = x * 1.0
    for k in range(2):
        grown(y, x * k)
        grown_and_parts(y, x)
    object_that_grows = Grown(x + 1.0)
    object_that_grows.step(y)
    object_that_grows.step(x)
    return np.sum(grown(y, x) * object_that_grows.a)


def turn(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def corners(a, b):
    return np.array([[a, b * b], [a * b, 1.0]])


def powers_of(a, n):
    powers = []
    for k in range(n):
        powers.append(a**k)
    return powers


@program(args=lambda: (0.7, values(61, 2)), wrt=(0, 1))
def arrays_of_a_callee_unpacked(angle, p):
    c, s = turn(angle)
    moved = 0.0
    for k in range(3):
        (a, b), row = corners(c * k, p[0])
        one, x, squared = powers_of(s, 3)
        moved = moved + a * b * x + row[0] * squared + one
    return (c * p[0] - s * p[1]) * moved


def doubled_and_ends(x):
    return [v * 2 for v in x], (x[0], x[-1])


def in_a_dict(x):
    return {"whole": x * 2, "ends": (x[0], x[-1])}


class Ends:
    def __init__(self, x):
        self.whole = x * 2
        self.ends = (x[0], x[-1])


@program(args=lambda: (values(81, 3),), variants=[lambda: (-values(81, 3),)])
def containers_that_only_tests_ask(x):
    doubled, ends = doubled_and_ends(x)
    if doubled[0] > ends[1]:
        x = x * 3
    if in_a_dict(x)["ends"][0] > 0:
        x = x + 1
    if Ends(x).ends[1] > 0.5:
        x = x * x
    found = in_a_dict(x)
    if found["ends"][0] > found["ends"][1]:
        x = np.sin(x)
    made = Ends(x)
    while made.ends[0] > 2:
        made = Ends(made.whole / 8)
    return np.sum(x) * len(doubled)


def cubed(x):
    return x**3


def last_doubled(x):
    x[-1] *= 2


@program(args=lambda: (values(82, 3), 0.7), wrt=(0, 1))
def number_and_array_have_one_text(x, s):
    """What is saved of the number has no memory; of the array it is the memory that is written to then."""
    y = x * 2
    t = cubed(s)
    z = cubed(y)
    last_doubled(y)
    y[0] = s
    last_doubled(y)
    return np.sum(z) * t + np.sum(y)


def time_and_height(t, z, dt):
    for _ in range(2):
        z = z + dt * dt
    t += dt
    return t, z


@program(args=lambda: (values(90, 2), 0.1), wrt=(0, 1))
def one_gradient_for_two_of_a_callee(x, dt):
    t, z = 0.0, 0.0
    for _ in range(3):
        t, z = time_and_height(t, z, dt)
    return t * x[0] + z * x[1]
