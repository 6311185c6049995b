"""Assignment expressions, match, chained assignments, del, imports inside functions, else of loops."""

import re

import numpy as np

from corpus import positives, program, values


@program(args=lambda: (values(1, 3),), variants=[lambda: (-values(1, 3),)])
def walrus_in_a_test(x):
    if (y := x[0] * 2) > 0.1:
        return y * x[1]
    elif (z := y * x[2]) > 0:
        return z**2
    return y + z


@program(
    args=lambda: (values(2, 3), ["1", "", "abc", "2x"]),
    variants=[lambda: (values(2, 3), [])],
)
def walrus_behind_and(x, texts):
    s = 0.0
    for text in texts:
        if text and (found := re.match(r"\d+", text)):
            s = s + x[int(found.group())] ** 2
        elif (n := len(text)) > 2:
            s = s * n + x[0]
    return s


@program(args=lambda: (positives(3, 6),))
def walrus_in_a_while(x):
    i = 0
    total = 0.0
    while (v := x[i] ** 2) < 3.0 and i < 5:
        total = total + v * x[i + 1]
        i += 1
    return total * v


@program(args=lambda: (values(4, 3),))
def walrus_between_operands(x):
    y = x[0] + (z := x[1] * 2) * z + (x := x * 3)[0] * x[1]
    return y * x[2] * z


@program(
    args=lambda: (positives(5, 4), 0),
    variants=[
        lambda: (positives(5, 4), "log"),
        lambda: (positives(5, 4), None),
        lambda: (positives(5, 4), 2.5),
        lambda: (positives(5, 4), 7),
        lambda: (positives(5, 4), 3),
    ],
)
def match_over_literals(x, how):
    match how:
        case 0 | 1:
            y = x * 2
        case "log":
            y = np.log(x)
        case None:
            return x[0]
        case float():
            y = x * how
        case int() if how > 5:
            y = x**how
        case k:
            y = x * k
    return np.sum(y)


def _area(shape):
    match shape:
        case {"kind": "circle", "radius": r}:
            return np.pi * r**2
        case {"kind": "box", "sides": [a, b]}:
            return a * b
        case ("scaled", k, inner):
            return k**2 * _area(inner)


@program(args=lambda: (positives(5, 3),))
def match_over_parts(x):
    circle, box = {"kind": "circle", "radius": x[0]}, {"kind": "box", "sides": [x[1], x[2]]}
    return _area(circle) * _area(("scaled", x[2], box))


@program(args=lambda: (values(6, 3),))
def chains_of_targets(x):
    a = np.zeros(3)
    b = np.zeros(2)
    a[0] = b[1] = c = x[0] * x[1]
    d = e = x * 2
    e = e * x
    return np.sum(a) * np.sum(b) * c + np.sum(d * e)


@program(args=lambda: (values(7, 3), 3), variants=[lambda: (values(7, 3), 0)])
def deleted_names(x, n):
    for i in range(n):
        t = x * i
        x = x + np.sin(t)
        del t
    t = x**2
    return np.sum(t)


@program(args=lambda: (values(8, 3), {"a": 1, "b": 2}))
def deleted_items(x, options):
    options = dict(options)
    del options["a"]
    places = [0, 1, 2]
    del places[0]
    return np.sum(x) * len(options) * x[int(places[0])]


@program(args=lambda: (values(9, 3),))
def imports_inside(x):
    from math import pi

    import numpy.linalg as la
    from numpy import exp
    from numpy import sum as total

    return total(exp(x * pi / 4)) * la.norm(x)


@program(args=lambda: (values(10, 3), True), variants=[lambda: (values(10, 3), False)])
def import_in_a_branch(x, long):
    if long:
        from json import dumps

        k = len(dumps([1]))
    else:
        k = 2
    return np.sum(x**k)


def _scaled(x):
    from math import tau

    import numpy

    return numpy.sin(x * tau)


@program(args=lambda: (values(11, 3),))
def helper_that_imports(x):
    s = 0.0
    for i in range(3):
        s += _scaled(x[i]) * i
    return s


@program(args=lambda: (values(12, 3), 2), variants=[lambda: (values(12, 3), k) for k in (4, 7)])
def else_of_loops(x, n):
    for k in range(n):
        if k == 3:
            break
        x = x * 1.5
    else:
        x = x / 3
    while n > 2:
        n -= 1
        x = x + 1
        if n == 3:
            break
    else:
        x = x**2
    return np.sum(x)


def halved(v):
    return v / 2


@program(args=lambda: (values(31, 4),), variants=[lambda: (np.array([0.0, 1.2, -0.4, 0.7]),)])
def either_value_gets_a_name(x):
    a = x[1] or 2.0
    b = x[1] > 0 and halved(x[2]) or x[3]
    parts = {"c": x[2] or 1.0}
    parts["c"] = x[1] and x[3] * a
    c, d = x[3] or 2.0, x[2] and a
    return (a and b) * parts["c"] * c * d
