"""One of several functions: chosen by a flag, by name or by position, run over, kept in lists and dicts."""

import numpy as np

from . import program, values


def relu(x):
    return np.maximum(x, 0.0)


def square(x):
    return x * x


def dense(x, w, activation):
    return activation(w @ x)


ACTIVATIONS = [np.tanh, square, relu]
BY_NAME = {"tanh": np.tanh, "relu": relu, "swish": lambda t: t / (1.0 + np.exp(-t))}


@program(
    args=lambda: (values(1, 4), True),
    variants=[lambda: (values(1, 4), False), lambda: (values(2, 3, 2), 0), lambda: (0.4, 1)],
)
def function_chosen_by_a_flag(x, smooth):
    act = np.tanh if smooth else relu
    return np.sum(act(2 * x) * x)


@program(args=lambda: (values(1, 4), 2), variants=[lambda: (values(1, 4), -1), lambda: (0.4, 0)])
def function_bound_on_two_ways(x, n):
    if n > 0:
        act = square
    elif n < 0:
        act = np.sin
    else:
        act = np.tanh
    y = act(x)
    return np.sum(y + act(act(y)))


@program(
    args=lambda: (values(3, 3, 4, 4), values(1, 4)),
    wrt=(0, 1),
    variants=[lambda: (values(3, 3, 2, 2), values(3, 2))],
)
def layers_with_activations(w, x):
    for k, act in enumerate([np.tanh, square, np.sin]):
        x = act(w[k] @ x)
    return np.sum(x)


@program(args=lambda: (values(2, 3), "swish"), variants=[lambda: (values(2, 3), "tanh")])
def activation_by_name(x, name):
    return np.sum(BY_NAME[name](x))


@program(args=lambda: (values(3, 4, 4), values(1, 4)), wrt=(0, 1))
def activations_of_the_module(w, x):
    for act in ACTIVATIONS:
        x = dense(x, w, act)
    return np.sum(x)


@program(
    args=lambda: (values(1, 4), [np.sin, square]),
    variants=[lambda: (values(1, 4), [square]), lambda: (values(1, 4), [np.tanh, np.tanh, np.sin])],
)
def functions_given_in_a_list(x, functions):
    total = 0.0
    for function in functions:
        total = total + np.sum(function(x))
    return total + np.sum(x)


@program(args=lambda: (values(2, 3), 1.3, 1), wrt=(0, 1), variants=[lambda: (0.7, 1.3, 0)])
def one_of_two_lambdas(x, c, n):
    f = (lambda t: t * c) if n > 0 else (lambda t: t**2 + c)
    c = c * 2
    return np.sum(f(x))


@program(args=lambda: (values(2, 3), 1.3, 1), wrt=(0, 1), variants=[lambda: (0.7, 1.3, 0)])
def definitions_on_two_ways(x, c, n):
    if n:

        def f(t):
            u = t + c
            return u * np.sin(u)
    else:
        f = lambda t: t * t * c  # noqa: E731
    return np.sum(f(x) * f(2 * x))


@program(args=lambda: (values(1, 4), 0.8), wrt=(0, 1), variants=[lambda: (0.7, 1.3)])
def closures_run_over(x, c):
    for f in [lambda t: t * c, np.tanh, lambda t: t - c, square]:
        x = f(x)
        c = c * 1.1
    return np.sum(x)


@program(args=lambda: (values(2, 3), 0.8), wrt=(0, 1), variants=[lambda: (values(1, 1), 1.3)])
def closures_kept_in_a_list(x, c):
    functions = []
    for i in range(4):
        if i % 2:
            functions.append(lambda t: t * c)
        else:
            functions.append(np.sin)
    total = 0.0
    for i, f in enumerate(functions):
        total += np.sum(f(x) ** i)
    return total


@program(args=lambda: (values(1, 4), 0.8, 1), wrt=(0, 1), variants=[lambda: (0.7, 0.8, 0)])
def chosen_closure_handed_on(x, c, n):
    def scaled(t):
        return t * c

    f = scaled if n else np.tanh
    for _ in range(3):
        x = dense(x, 0.5 * np.eye(4), f) if np.ndim(x) else f(x)
        c = c + 0.1
    return np.sum(x)


@program(args=lambda: (values(1, 4), "cube"), variants=[lambda: (values(1, 4), "sine")])
def function_in_a_dict(x, name):
    table = {"sine": np.sin, "cube": lambda t: t**3, "tanh": np.tanh}
    total = np.sum(table[name](x))
    for key, f in table.items():
        total += len(key) * np.sum(f(x))
    return total


def halved(y, k):
    y[k] *= 0.5


def negated(y, k):
    y[k:] = -y[k:] * y[k]


@program(args=lambda: (values(2, 3), 0), variants=[lambda: (values(2, 3), 1)])
def chosen_function_writes(x, n):
    y = x * x
    change = halved if n else negated
    for k in range(3):
        change(y, k)
    return np.sum(y * x)


@program(args=lambda: (values(2, 3), None), variants=[lambda: (values(2, 3), np.sin)])
def function_or_default(x, act):
    act = act or np.tanh
    reduce = np.sum if act is np.sin else np.mean
    return reduce(act(x), axis=0)


def moments(v, shift, power=2):
    first, second, third = v
    return first + shift, second**power * third, shift * third


@program(args=lambda: (values(1, 3, 4), 0.7), wrt=(0, 1))
def along_an_axis(x, a):
    columns = np.apply_along_axis(moments, 0, x, a, power=3)
    norms = np.apply_along_axis(lambda v: v @ v * a, -1, x)
    ends = np.apply_along_axis(np.diff, 0, x[:, 0])
    return np.sum(columns**2) + np.sum(norms**3) + np.prod(ends)


@program(args=lambda: (values(1, 2, 3, 4),))
def over_axes(x):
    return np.apply_over_axes(np.sum, x**2, [0, 2]) ** 2


def one_after_the_other(functions, x):
    for f in functions:
        x = f(x)
    return x / len(functions)


def by_the_first_and_the_last(functions, x):
    first, *_, last = functions
    return first(x) if last is np.sin else last(first(x))


@program(args=lambda: (values(4, 3), 0.7), variants=[lambda: (values(4, 2, 2), -0.7)])
def functions_with_and_without_a_rule_handed_on(x, c):
    both = [np.sin, lambda t: t * t * np.abs(c)]
    y = one_after_the_other((square, lambda t: t + 1.0), x)
    return np.sum(one_after_the_other(both, x) * by_the_first_and_the_last(both, y))


@program(args=lambda: (values(1, 4),), variants=[lambda: (values(1, 4), ("relu", "tanh"))])
def functions_of_the_module_under_one_name(x, names=None):
    if names is None:
        functions = BY_NAME.values()
    else:
        functions = [BY_NAME[name] for name in names]
    total = np.sum(x)
    for f in functions:
        total = total + np.sum(f(2 * x))
    every = list(BY_NAME.values())
    return total * sum(np.sum(f(x)) for f in every)
