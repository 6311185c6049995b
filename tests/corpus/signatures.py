"""Stars in calls, displays and targets, in signatures, and the other kinds of parameters."""

import functools

import numpy as np

from . import program, values


def weighted(x, *parts, scale=2.0):
    y = x * scale
    for _ in range(len(parts)):
        y = y * scale
    if parts:
        return y + parts[0] * parts[-1]
    return y


def product_and_sum(x, y):
    return x * y, x + y


def passed_on(*args, **options):
    return weighted(*args, **options) * 2


def logged(f):
    @functools.wraps(f)
    def wrapper(*args, **options):
        result = f(*args, **options)
        return result * 1.5

    return wrapper


@logged
def area(width, height=2.0):
    return width * height


def product(x, *rest):
    if not rest:
        return x
    return x * product(*rest)


def mixture(x, /, y, *, z, w=0.5):
    return x * y + z**2 * w


def power(x, **options):
    if "exponent" in options:
        return x ** options["exponent"]
    return x * options.get("factor", 3.0)


def stacked(*points):
    return np.stack(points)


def dotted(x, w=np.array([0.5, 2.0, -1.0])):  # noqa: B008
    return np.sum(x * w)


@program(args=lambda: (1.3, 0.7), wrt=(0, 1), variants=[lambda: (values(1, 3), 0.7)])
def some_rest_and_no_rest(x, a):
    return weighted(x, a, x * a) + weighted(a) * weighted(x, 1.0, a, scale=a)


@program(args=lambda: (1.3, 0.7), wrt=(0, 1), variants=[lambda: (values(1, 3), values(2, 3))])
def stars_in_calls(x, a):
    pair = (x, a)
    return weighted(*pair, a) + np.hypot(*pair) * weighted(a, *pair, scale=3.0)


@program(args=lambda: (1.3, 0.7), wrt=(0, 1))
def starred_targets(x, a):
    first, *rest = product_and_sum(x, a)
    *init, last = (x, a, first)
    (u, *v), w = (x, a, 2.0), rest[0]
    return init[1] * last * v[0] * u * w


@program(args=lambda: (1.3, 0.7), wrt=(0, 1))
def arguments_passed_on(x, a):
    return passed_on(x, a, a, scale=x) + passed_on(a) * passed_on(x, scale=a)


@program(args=lambda: (1.3, 0.7), wrt=(0, 1), variants=[lambda: (values(1, 3), 0.7)])
def decorated_helper(x, a):
    return area(x, height=a) * area(width=x) + area(a, x)


@program(args=lambda: (1.3, 0.7), wrt=(0, 1))
def recursion_over_the_rest(x, a):
    return product(x, a, x, 2.0) * product(a)


@program(args=lambda: (1.3, 0.7), wrt=(0, 1))
def positional_only_and_keyword_only(x, a):
    return mixture(x, z=a, y=x) * mixture(a, x, w=x, z=2.0)


@program(args=lambda: (1.3, 0.7), wrt=(0, 1))
def options_by_key(x, a):
    return power(x, exponent=a) * power(a, factor=x) + power(x) * power(a, exponent=2)


@program(args=lambda: (values(1, 3), values(2, 3)), wrt=(0, 1))
def points_packed(x, a):
    return np.sum(stacked(x, a, x * a) ** 2, axis=0)


@program(args=lambda: (values(1, 3),))
def default_that_is_an_array(x):
    return dotted(x) * dotted(x, x)


@program(args=lambda: (1.3, 0.7), wrt=(0, 1))
def nested_function_with_stars(x, a):
    def scaled(*args, factor=a):
        return args[0] * args[-1] * factor

    f = lambda *args: args[0] + args[1]  # noqa: E731
    return scaled(x, a, x) * f(x, a) * scaled(*(x, a), factor=2.0)


@program(args=lambda: (1.3, 2), variants=[lambda: (1.3, 0)])
def stars_without_derivative(x, n):
    sizes = [n, 1, 2]
    first, *others = sizes
    shape = (2, *others)
    for k in range(max(*sizes)):
        x = x * (k + 1) / len(shape)
    return x * first + x


def squares(*parts):
    found = []
    for part in parts:
        found.append(part * part)
    return found


def neighbours(*parts):
    total = 0.0
    for k in range(len(parts) - 1):
        total = total + parts[k] * parts[k + 1]
    return total


def largest(*parts):
    best = parts[0]
    for part in parts[1:]:
        if part > best:
            best = part
    return best * len(parts)


@program(args=lambda: (1.3, values(2, 3)), wrt=(0, 1))
def stars_run_over(c, x):
    a, b = squares(c * x, x)
    return np.sum(a * b) + neighbours(c, x[0], x[1] * x[2]) * largest(x[0], c, x[2])


def weighed_by_names(**parts):
    total = 0.0
    for name, part in parts.items():
        total += part * len(name)
    return total + sum(parts.values()) * len(parts)


@program(args=lambda: (1.3, values(2, 3)), wrt=(0, 1))
def options_run_over(c, x):
    return weighed_by_names(a=c, bb=x[0] * x[1], ccc=x[2] ** 2)


class Layers:
    def __init__(self, *weights):
        self.weights = weights

    def __call__(self, x):
        for k in range(len(self.weights)):
            x = np.tanh(self.weights[k] * x)
        return x


@program(args=lambda: (1.3, values(2, 3)), wrt=(0, 1))
def stars_that_an_object_keeps(c, x):
    net = Layers(c, x[0], c * c)
    return np.sum(net(x))


def turned(f, *args):
    return f(*args) * f(*args[::-1]) + difference(*args[1:])


def combined(a, b, c):
    return a * b + c


def difference(a, b):
    return a - b * 2


@program(args=lambda: (1.3, values(2, 3)), wrt=(0, 1))
def stars_of_slices(c, x):
    parts = [c, x[0], x[1] * x[2], c]
    return turned(combined, c, x[0], x[1]) + difference(*parts[-3:-1]) * combined(*parts[1:])


def decay(t, a, rate, level):
    return a * np.exp(-rate * t) + level


def polynomial(t, *p):
    s = 0.0
    for k, c in enumerate(p):
        s = s + c * t**k
    return s


def squared_errors(model, t, y, p):
    return np.sum((model(t, *p) - y) ** 2)


@program(args=lambda: (values(1, 3), values(2, 4)), wrt=(0,))
def parameters_spread(p, y):
    t = np.linspace(0.1, 1.0, len(y))
    return squared_errors(decay, t, y, p) + squared_errors(polynomial, t, y, p[1:])


def led_by(first, *rest, scale=2.0):
    return first * sum(rest) * scale + len(rest)


class Line:
    def __init__(self, slope, offset, unit=1.0):
        self.slope = slope
        self.offset = offset
        self.unit = unit

    def value(self, t, a, b):
        return self.slope * t * a + self.offset * self.unit * b


@program(args=lambda: (values(1, 3), values(2, 2)), wrt=(0, 1))
def parameters_spread_otherwise(p, q):
    s = led_by(*p, scale=q[0])
    line = Line(*q, unit=p[0])
    parts = [line.value(t, *q) for t in p]
    for t in p:
        s += decay(*q, t, level=t) * parts[0]
    return s + led_by(s, *parts[1:])


def horner(*cs, at=0.5):
    value = 0.0
    for c in cs:
        value = value * at + np.sin(c)
    return value


@program(args=lambda: (values(62, 2), 0.3), variants=[lambda: (values(62, 2), -0.3)])
def spread_over_a_loop(x, a):
    """What is spread has names of its own; the callee runs over all of it."""
    coefficients = [x[0] * a, x[1]]
    terms = {"linear": a, "constant": x[0] * x[1]}
    terms["linear"] = a * a
    return horner(*coefficients, at=a) * horner(*terms.values())


def scaled_pair(t, a):
    return t * a, np.sin(a)


@program(args=lambda: (values(63, 3), 0.7), wrt=(0, 1), variants=[lambda: (values(63, 0), 0.7)])
def spread_calls_in_a_comprehension(x, a):
    """What a call gives is spread: the call is made once."""
    return sum(np.hypot(*scaled_pair(t, a)) for t in x) + weighted(*scaled_pair(a, 0.5))


class Walker:
    def __init__(self, place):
        self.place = place
        self.steps = 0

    def step(self, a):
        self.place = self.place * a
        self.steps += 1
        return self.place, a


def last_two(stack):
    return stack.pop(), stack.pop()


@program(args=lambda: (1.3, 0.7), wrt=(0, 1), variants=[lambda: (-1.3, 0.7)])
def spread_calls_that_change_something(x, a):
    walker = Walker(x)
    total = walker.place * horner(*walker.step(a)) + walker.place
    for _ in range(2):
        total = total + np.hypot(*walker.step(a))
    stack = [x, a, x * a, x + a]
    product = weighted(*last_two(stack)) * horner(*last_two(stack))
    return total * walker.steps + product + len(stack) + weighted(*scaled_pair(3.0, 4.0)) * x


def _of_arrays(function):
    @functools.wraps(function)
    def converted(*args, **options):
        return function(*[np.atleast_1d(a) for a in args], **options)

    return converted


def _scaled(function):
    def scaled(*args, **options):
        return function(*(1.5 * a for a in args), **options)

    return scaled


@_of_arrays
def _weighted(a, b, scale=2.0, *, power=2):
    return np.sum(a * b) * scale**power


@_scaled
def _largest(a, b, scale=2.0):
    return np.max(a * b) * scale


@program(args=lambda: (values(61, 3), 0.7), wrt=(0, 1), variants=[lambda: (values(62, 1), 0.7)])
def wrapped_by_what_converts_arguments(x, s):
    plain = _weighted(x, s) + _weighted(x, x, scale=s, power=3)
    return plain * _largest(*map(np.sin, (x, x * s))) + _largest(x, s, scale=s)
