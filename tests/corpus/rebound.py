"""Variables of the function around that functions inside bind: `nonlocal`."""

import numpy as np

from . import positives, program, values


def explicit_euler(rate, y, h, n):
    for _ in range(n):
        y = y + h * rate(y)
    return y


@program(
    args=lambda: (values(1, 3), 3),
    variants=[
        lambda: (values(1, 3), 0),
        lambda: (values(1, 2, 3), 2),
        lambda: (values(1, 3, dtype=np.float32), 2),
    ],
)
def evaluations_are_counted(x, n):
    evaluations = 0

    def rate(y):
        nonlocal evaluations
        evaluations += 1
        return -y * x

    return np.sum(explicit_euler(rate, x, 0.1, n)) * evaluations


@program(
    args=lambda: (values(1, 4),),
    variants=[lambda: (values(1, 0),), lambda: (values(1, 3, dtype=np.float32),)],
)
def adds_to_a_total(x):
    total = 0.0

    def add(t):
        nonlocal total
        total += t * t

    for t in x:
        add(t)
    return total


@program(
    args=lambda: (values(1, 3), 0.2),
    wrt=(0, 1),
    variants=[lambda: (values(1, 2, 3), 0.2), lambda: (values(1, 1), 0.3)],
)
def state_that_steps(x, h):
    state = x * 1.0
    way = 0.0

    def step():
        nonlocal state, way
        state = state + h * np.sin(state)
        way = way + np.sum(state**2)
        return np.sum(state)

    s = step() * step()
    return s + way + np.sum(state * x)


@program(args=lambda: (1.3, 5), variants=[lambda: (1.3, 0), lambda: (1.3, 1)])
def fibonacci_by_steps(x, n):
    a, b = 0.0, x

    def step():
        nonlocal a, b
        a, b = b, a + b * x
        return a

    s = 0.0
    for _ in range(n):
        s += step()
    return s + a * b


@program(args=lambda: (values(1, 4),), variants=[lambda: (values(2, 4),), lambda: (values(1, 1),)])
def best_of_those_seen(x):
    best = None

    def see(t):
        nonlocal best
        if best is None or t > best:
            best = t
            return True
        return False

    for t in x:
        see(t)
    return best * 2 + x[0]


@program(args=lambda: (values(1, 5),), variants=[lambda: (values(1, 3, dtype=np.float32),)])
def ring_of_the_last_values(x):
    ring = np.zeros(3)

    def push(t):
        nonlocal ring
        ring = np.roll(ring, 1)
        ring[0] = t * t
        return np.mean(ring)

    s = 0.0
    for t in x:
        s += push(t) * t
    return s + ring[2]


@program(args=lambda: (positives(1, 2), 1e-9), variants=[lambda: (positives(1, 2), 5.0)], wrt=(0,))
def newton_that_counts(x, tolerance):
    count = 0

    def residual(u):
        nonlocal count
        count += 1
        return u * u - x[0]

    u = 1.0 + 0.1 * x[1]
    while abs(residual(u)) > tolerance and count < 30:
        u = u - residual(u) / (2 * u)
    return u * (1 + x[1])


@program(args=lambda: (values(1, 4),), variants=[lambda: (values(1, 0),)])
def horner_by_recursion(x):
    value = 0.0

    def walk(i):
        nonlocal value
        if i == len(x):
            return
        value = value * 0.5 + x[i] * x[i]
        walk(i + 1)

    walk(0)
    return value


@program(args=lambda: (values(1, 3),))
def bound_two_functions_deep(x):
    total = x[0]

    def outer(t):
        count = 0

        def inner(u):
            nonlocal total, count
            total += u * t
            count += 1

        inner(t)
        inner(t * 2)
        return total * count

    a = outer(x[1])
    b = outer(x[2])
    return a * b + total


@program(
    args=lambda: (values(1, 3),),
    variants=[lambda: (values(1, 2, 3),), lambda: (values(1, 3, dtype=np.float32),)],
)
def a_parameter_is_bound_inside(x):
    def square():
        nonlocal x
        x = x * x

    square()
    y = np.sum(x)
    square()
    return y * np.sum(x)


@program(args=lambda: (values(1, 3),), variants=[lambda: (values(1, 2, 2),)])
def an_array_is_updated_inside(x):
    y = x * 2
    first = y

    def grow(k):
        nonlocal y
        y *= x * k

    grow(2.0)
    grow(0.5)
    return np.sum(first * y)


@program(args=lambda: (values(1, 5),), variants=[lambda: (values(1, 5, 2),)])
def cursor_over_parameters(x):
    position = 0

    def take(n):
        nonlocal position
        part = x[position : position + n]
        position += n
        return part

    a, b, c = take(2), take(1), take(2)
    return np.sum(a * c) + np.sum(b**3)


@program(args=lambda: (1.2, 0.4), wrt=(0, 1), variants=[lambda: (0.3, 0.4)])
def both_ways_of_a_branch_bind(x, y):
    state = x

    def up(t):
        nonlocal state
        state = state * t
        return state

    def down(t):
        nonlocal state
        up(-t)
        state = state + t * t

    z = up(y) if x > 1 else 0.5
    if up(x) > 1 and up(y) > 0:
        down(z)
    return state * z


@program(args=lambda: (values(1, 3),), variants=[lambda: (values(1, 1),)])
def a_list_and_a_tuple_are_bound(x):
    kept = []
    pair = (1.0, x[0])

    def keep(t):
        nonlocal kept, pair
        kept.append(t)
        pair = (pair[1] * t, pair[0])

    for t in x:
        keep(t * t)
    return sum(kept) + pair[0] + 3 * pair[1]


@program(args=lambda: (values(1, 3),))
def names_of_generated_code(x):
    total = 0.0
    total_old = x[0]

    def add(t, total_value=2.0):
        nonlocal total
        total += t * total_value
        return total

    dtotal = add(x[1])
    add_saved = add(x[2])
    return dtotal * add_saved * total * total_old


def make_total():
    total = 0.0

    def add(v):
        nonlocal total
        total += v
        return total

    return add


def make_average(rate):
    state = None
    seen = 0

    def step(v):
        nonlocal state, seen
        seen += 1
        state = v if state is None else rate * v + (1 - rate) * state
        return state / (1 + 0.1 * seen)

    return step


def make_growing(state):
    def grow(v):
        nonlocal state
        state += v
        return state

    return grow


def make_ring(size):
    ring, k = np.zeros(size), 0

    def push(v):
        nonlocal k
        ring[k % size] = v * v
        k += 1
        return np.sum(ring)

    return push


def run_over(f, x):
    s = 0.0
    for v in x:
        s += f(v) * v
    return s


@program(args=lambda: (values(1, 4),), variants=[lambda: (values(1, 0),)])
def totals_that_are_made(x):
    add, other = make_total(), make_total()
    for v in x:
        add(v * v)
        other(add(1.0) * v)
    return add(2.0) * other(0.5)


@program(
    args=lambda: (values(1, 4), 0.3),
    wrt=(0, 1),
    variants=[lambda: (values(1, 1), 0.3), lambda: (values(1, 4, 2), 0.3)],
)
def averages_that_are_made_and_given(x, rate):
    step = make_average(rate)
    s = run_over(step, x)
    step(x[0])
    again = make_average(0.5)
    return np.sum(s * step(x[0] * 2)) + np.sum(again(x[0] * x[0]))


@program(
    args=lambda: (values(1, 3),),
    variants=[lambda: (values(1, 0),), lambda: (values(1, 2, 2),)],
)
def arrays_grow_in_what_was_made(x):
    grow = make_growing(x * 1.0)
    grow(x * 2)
    y = grow(1.0)
    y *= x
    return np.sum(grow(x) * x)


@program(args=lambda: (values(1, 5),), variants=[lambda: (values(1, 1),)])
def rings_made_in_a_loop(x):
    push = make_ring(2)
    s = 0.0
    for k, v in enumerate(x):
        if k == 3:
            push = make_ring(3)
        s += push(v) * x[0]
        if s > 50:
            break
    return s * push(x[-1])


def doubled_first(p, s):
    p[0] += np.sum(p) * s
    return np.sum(p * p)


@program(args=lambda: (values(41, 3), 0.3), wrt=(0, 1), variants=[lambda: (values(41, 1), 0.3)])
def a_written_argument_becomes_a_number(x, s):
    a = x * x
    y = x * 1.0
    y = doubled_first(y, s)

    def scaled(p):
        return y * p

    return scaled(2.0) + np.sum(a)
