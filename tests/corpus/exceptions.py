"""try, except, else, finally, raise."""

import math

import numpy as np

from corpus import positives, program, values


@program(
    args=lambda: (values(1, 3, 3), values(2, 3)),
    wrt=(0, 1),
    variants=[lambda: (values(1, 4, 3), values(2, 4))],
)
def solve_or_least_squares(a, b):
    try:
        x = np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        x = np.linalg.solve(a.T @ a + np.eye(3), a.T @ b)
    return np.sum(x**2)


def _spd(seed, n):
    a = values(seed, n, n)
    return a @ a.T + np.eye(n)


@program(
    args=lambda: (_spd(3, 3), values(4, 3)),
    wrt=(0, 1),
    variants=[lambda: (-_spd(3, 3), values(4, 3))],
)
def several_lines_in_a_try(a, b):
    try:
        factor = np.linalg.cholesky(a)
        y = np.linalg.solve(factor, b)
        return np.sum(y**2)
    except np.linalg.LinAlgError:
        return np.sum(b * (a @ b))


@program(args=lambda: (1.3, "2"), variants=[lambda: (1.3, "two"), lambda: (1.3, None)])
def parsed_or_default(x, text):
    try:
        n = int(text)
    except (ValueError, TypeError):
        n = 3
    return x**n


@program(
    args=lambda: (values(5, 4), {"scale": 2.0}),
    variants=[lambda: (values(5, 4), {}), lambda: (values(5, 4), None)],
)
def handlers_and_else(x, options):
    try:
        scale = options["scale"]
    except KeyError:
        scale = 1.5
    except TypeError as error:
        scale = 0.5 * len(str(error)) / len(str(error))
        x = x + 1
    else:
        x = x**2
    return np.sum(x * scale)


@program(args=lambda: (positives(6, 4),))
def finally_restores(x):
    old = np.seterr(divide="ignore", invalid="ignore")
    try:
        y = np.log(x) * x
        for i in range(len(x)):
            if x[i] > 1.2:
                return y[i] ** 2
        return np.sum(y)
    finally:
        np.seterr(divide=old["divide"], invalid=old["invalid"])


@program(
    args=lambda: (values(7, 3), ["1", "b", "2", "3"]),
    variants=[lambda: (values(7, 3), []), lambda: (values(7, 3), ["b", "b"])],
)
def try_in_a_loop(x, texts):
    s = 1.0
    for text in texts:
        try:
            k = int(text)
            s = s * x[k - 1] ** 2
        except ValueError:
            s = np.sin(s)
            continue
        s = s + x[0]
    return s


@program(
    args=lambda: (values(8, 4), 2),
    variants=[lambda: (values(8, 4), 9), lambda: (values(8, 4), 0)],
)
def break_and_return_in_a_try(x, n):
    total = 0.0
    for i in range(6):
        try:
            if i == n:
                break
            total = total + x[i] * x[0]
        except IndexError:
            return total * 2
    return total * x[1]


@program(
    args=lambda: (values(9, 4), 1.0),
    variants=[lambda: (values(9, 4), 0.0)],
)
def store_in_a_try(x, d):
    y = np.zeros(4)
    for i in range(4):
        try:
            y[i] = x[i] ** 2 * (1 / d)
        except ZeroDivisionError:
            y[i] = x[i]
    return y


def _checked(x, n):
    if n < 0:
        raise ValueError("negative")
    return x**n


@program(args=lambda: (1.4, 3), variants=[lambda: (1.4, -3)])
def callee_raises(x, n):
    try:
        y = _checked(np.sin(x), n)
    except ValueError:
        y = 1 / _checked(np.sin(x), -n)
    return y * x


@program(args=lambda: (1.4, {"k": 3}))
def handlers_that_raise(x, options):
    y = x * 2
    try:
        k = options["k"]
        y = y * k
        x = x + y
    except KeyError as error:
        raise ValueError("no k") from error
    return x * y


@program(args=lambda: (values(10, 3), 0), variants=[lambda: (values(10, 3), 5)])
def nested_tries(x, n):
    try:
        try:
            y = x[n] * x[1]
        finally:
            n += 1
        z = y * x[0]
    except IndexError:
        try:
            z = x[n - 6] ** 2
        except IndexError:
            z = x[2]
    return z * 2


@program(args=lambda: (1.7, "x"), variants=[lambda: (1.7, "5"), lambda: (1.7, "7")])
def exits_from_every_part(x, text):
    for _ in range(3):
        x = x * 1.1
        try:
            k = int(text)
            if k == 5:
                continue
        except ValueError:
            break
        else:
            if k == 7:
                return x**2
        x = x + 1
    return x**3


@program(args=lambda: (values(11, 3), 1.0), variants=[lambda: (values(11, 3), 0.0)])
def inactive_names_changed_before_an_exception(x, d):
    k = 2
    y = x**k
    try:
        k = 3
        scale = 1 / d
    except ZeroDivisionError:
        scale = 0.5
    return np.sum(y * scale + x**k)


@program(args=lambda: (values(12, 4), [1.0, 0.0, 2.0]))
def tapes_of_a_try_that_fails(x, ds):
    y = x * 1.0
    s = 0.0
    for d in ds:
        try:
            w = np.exp(y)
            w = w * y / 2
            q = 1 / d
            y = w * q
        except ZeroDivisionError:
            y = y**2
        s = s + np.sum(y)
    return s


@program(args=lambda: (values(13, 3), 1.0), variants=[lambda: (values(13, 3), 0.0)])
def list_grows_before_an_exception(x, d):
    places = [0, 2]
    y = x[places]
    try:
        places.append(1)
        scale = 1 / d
    except ZeroDivisionError:
        scale = 0.5
        places.append(0)
    return np.sum(y**2) * np.sum(x[places]) * scale


@program(
    args=lambda: (_spd(3, 3), values(4, 3)),
    wrt=(0, 1),
    variants=[lambda: (0.4 * np.eye(3) - 0.1 * _spd(3, 3), values(4, 3))],
)
def jitter_until_it_factorises(a, b):
    jitter = 1e-3
    for _ in range(12):
        try:
            factor = np.linalg.cholesky(a + jitter * np.eye(3))
            break
        except np.linalg.LinAlgError:
            jitter *= 10.0
    else:
        factor = np.eye(3)
    return np.sum(np.linalg.solve(factor, b) ** 2)


@program(
    args=lambda: (values(14, 4), [1, 0, 2, 0]),
    variants=[lambda: (values(14, 4), []), lambda: (values(14, 4), [0, 0, 3])],
)
def sums_of_what_does_not_fail(x, ds):
    total = weight = 0.0
    for v, d in zip(x, ds):
        try:
            r = v * (1 / int(d))
            total += r * r
            total = total * 1.1
            weight -= total * v
        except ZeroDivisionError:
            total = total * x[0]
    return total * weight + np.sum(x)


@program(
    args=lambda: (_spd(3, 3), values(4, 3)),
    wrt=(0, 1),
    variants=[lambda: (0.2 * np.eye(3) - 0.1 * _spd(3, 3), values(4, 3))],
)
def arithmetic_beside_a_factorisation(a, b):
    y, z = b * 1.0, b * b
    try:
        factor = np.linalg.cholesky(a)
        y = y + np.sum(factor) * b
        z *= y
        z[0] = y[1]
        y *= 3.0
    except np.linalg.LinAlgError:
        y = y * b
    return np.sum(y * z)


def _named(projection, name):
    # arrays have no names: only Series of pandas, which such functions take, too
    try:
        projection.name = name
    except AttributeError:
        pass
    return projection


@program(
    args=lambda: (values(3, 4), 0.3),
    variants=[lambda: (values(3, 2, 3), 0.3), lambda: (0.4, 0.3)],
)
def names_for_what_may_be_a_series(tilt, zenith):
    projection = np.cos(tilt) * np.cos(zenith) + np.sin(tilt)
    projection = np.clip(_named(projection, "projection"), -1, 1)
    try:
        projection.name = "projection on the plane"
    except AttributeError:
        projection = projection * np.sin(tilt)
    return np.sum(projection**2)


def _squared_unless_large(s):
    if s > 0.9:
        raise ValueError("large")
    return s * s


@program(args=lambda: (0.3, 0.7), wrt=(0, 1), variants=[lambda: (1.2, 0.4), lambda: (1.2, 1.4)])
def value_of_a_helper_or_another(a, b):
    last = a
    try:
        last = _squared_unless_large(np.clip(np.sin(a * b), -2.0, 2.0))
    except ValueError:
        last = last * b
    try:
        other = _squared_unless_large(np.tanh(np.exp(last * b)) * a)
    except ValueError:
        other = last * b
    return last * other


@program(
    args=lambda: (values(6, 4),), variants=[lambda: (values(7, 3),), lambda: (positives(7, 3),)]
)
def roots_where_there_are_any(x):
    total, product = 0.0, 1.0
    for v in x:
        try:
            total += math.sqrt(v)
        except ValueError:
            total -= v**2
        try:
            product *= math.sqrt(v + 0.5)
        except ValueError:
            product /= v
        finally:
            total += 0.1 * product
    return total
