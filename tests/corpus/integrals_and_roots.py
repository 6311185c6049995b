"""Functions of SciPy that call a function of the user's: integrals and roots."""

import math

import numpy as np
from scipy import integrate
from scipy.integrate import fixed_quad, quad, quad_vec
from scipy.optimize import bisect, brenth, brentq, fsolve, newton, ridder, root, root_scalar

from . import positives, program


def damped_wave(t, damping, frequency):
    return np.exp(-damping * t) * np.cos(frequency * t)


def circle_and_curve(point, radius, slope):
    x, y = point
    return [x * x + y * y - radius * radius, np.exp(x) - slope * y - 1]


def wave_of_height(t, w, height=3.0):
    return np.cos(w * t) * height


def kepler(anomaly, mean, eccentricity):
    return anomaly - eccentricity * math.sin(anomaly) - mean


@program(
    args=lambda: (0.7, 1.3, 2.1), wrt=(0, 1, 2), variants=[lambda: (np.float64(0.4), 1.1, 0.9)]
)
def energy_of_a_wave(damping, frequency, end):
    value, error = quad(damped_wave, 0, end, args=(damping, frequency))
    return value**2 + 0 * error


@program(args=lambda: (1.4, 0.6), wrt=(0, 1), variants=[lambda: (0.9, np.float64(0.3))])
def decay_from_here_on(k, x):
    return quad(lambda t: np.exp(-k * t), x, np.inf)[0] * k


@program(args=lambda: (1.4, 0.6), wrt=(0, 1), variants=[lambda: (0.9, np.float64(0.3))])
def gauss_over_the_line(k, x):
    return integrate.quad(lambda t: np.exp(-k * (t - x) ** 2) * t, -np.inf, np.inf, epsabs=1e-11)[0]


@program(args=lambda: (positives(1, 3), 1.2), wrt=(0, 1), variants=[lambda: (positives(2, 4), 0.7)])
def sum_of_decays(w, x):
    return quad(lambda t: np.sum(np.exp(-w * t)) * w[0], 0, x)[0]


@program(args=lambda: (positives(1, 3), 1.2), wrt=(0, 1), variants=[lambda: (positives(2, 4), 0.7)])
def moments_in_a_loop(w, x):
    total = 0.0
    for i in range(len(w)):
        k = w[i] * x
        total += quad(lambda t: t**i * np.exp(-k * t), 0, x + i, limit=80)[0]
        w[i] = 0.5 * k
    return total + np.sum(w)


@program(args=lambda: (0.8, 1.2), wrt=(0, 1))
def hinge_over_a_range(k, x):
    return quad(lambda t: np.maximum(t - k, 0) ** 2, 0, x, points=[0.8])[0]


@program(args=lambda: (0.8, 1.2), wrt=(0, 1))
def limits_alone(a, b):
    return quad(np.sin, a, b)[0] + quad(math.exp, b, 3 * a)[0] * b


@program(args=lambda: (0.8, 1.2), wrt=(0, 1))
def integral_of_helpers(k, x):
    def height(t):
        return k * t

    def shape(t):
        return np.sin(height(t)) * x

    def up_to(z):
        return quad(shape, 0, z)[0]

    return up_to(x) * up_to(2 * k)


@program(args=lambda: (0.8, 0.3), wrt=(0, 1), variants=[lambda: (1.1, 0.6)])
def kepler_equation(mean, eccentricity):
    return brentq(kepler, 0.0, 4.0, args=(mean, eccentricity), xtol=1e-13)


@program(args=lambda: (2.0, 0.5), wrt=(0, 1))
def cube_roots(a, b):
    x = brentq(lambda t: t**3 + b * t - a, 0, 2 + a)
    z = newton(lambda t: t**2 - a * b, a, tol=1e-13)
    return x * z + bisect(lambda t: t - a * b, -1, 4, xtol=1e-13, maxiter=200)


@program(args=lambda: (positives(2, 3), 0.5), wrt=(0, 1))
def yield_of_a_bond(payments, price):
    times = np.arange(1.0, 4.0)
    rate = ridder(lambda r: np.sum(payments * np.exp(-r * times)) - price, -2.0, 8.0, xtol=1e-13)
    return rate + brenth(lambda r: payments[0] * r - price, 0.0, 9.0, xtol=1e-13) ** 2


@program(args=lambda: (0.3, 1.5), wrt=(0, 1))
def quantile_of_an_integral(k, x):
    reached = lambda z: quad(lambda t: np.exp(-k * t), 0, z)[0]
    return brentq(lambda z: reached(z) - x, 0, 10, xtol=1e-13)


@program(args=lambda: (0.7, 1.2), wrt=(0, 1))
def root_on_a_branch(k, x):
    if k * x > 0.5:
        y = brentq(lambda t: math.exp(t) - k * x - 1, -2, 2, xtol=1e-13)
        k = k * y
    else:
        y = k
    return k * y


@program(args=lambda: (positives(1, 3), 1.2), wrt=(0, 1), variants=[lambda: (positives(2, 4), 0.7)])
def waves_at_once(w, x):
    y, error = quad_vec(lambda t: np.cos(w * t), 0, x, epsrel=1e-11)
    return y * y


@program(args=lambda: (0.7, 1.2), wrt=(0, 1))
def energy_of_several(k, x):
    frequencies = np.arange(3.0)
    y = quad_vec(lambda t: np.cos(k * t * frequencies), k * k, x, epsrel=1e-11)[0]
    return y @ y


@program(args=lambda: (0.7, 1.2), wrt=(0, 1))
def number_by_quad_vec(k, x):
    return quad_vec(lambda t: math.exp(-k * t), 0, x)[0] ** 2


@program(args=lambda: (0.7, 1.2), wrt=(0, 1))
def integral_of_integrals(k, x):
    return quad(lambda t: quad(lambda s: np.exp(-k * s * t), 0, t)[0], 0, x)[0]


@program(args=lambda: (positives(1, 2), 0.4), wrt=(0, 1))
def integral_of_elements(p, rate):
    a, b = p
    return quad(lambda t, s=b: a * np.exp(-s * t * rate), 0, 1)[0]


@program(args=lambda: (positives(1, 3), 0.4), wrt=(0, 1))
def integral_of_a_polynomial(w, x):
    return quad(lambda t: sum(v * t**i for i, v in enumerate(w)), x, 1)[0] * x


@program(args=lambda: (0.7, 1.2), wrt=(0, 1))
def roots_by_their_slopes(k, x):
    z = newton(lambda t: t**3 - k * x, 1.0, fprime=lambda t: 3 * t**2, tol=1e-13)
    y = newton(lambda t: math.exp(k * t) - x, 0.3, lambda t: k * math.exp(k * t), tol=1e-13)
    z = z * newton(lambda t: t**2 - k, 1.0, x1=0.9, tol=1e-13)
    return z * y + newton(kepler, 1.0, args=(k, 0.1), fprime=lambda e, m, c: 1 - c * math.cos(e))


@program(args=lambda: (0.7, 1.2), wrt=(0, 1))
def integral_at_fixed_nodes(k, x):
    return fixed_quad(lambda t: np.exp(-k * t) * x, k * k, x)[0]


@program(args=lambda: (0.7, 1.2), wrt=(0, 1), variants=[lambda: (np.float64(0.4), 1.1)])
def waves_at_fixed_nodes(k, x):
    value, nothing = integrate.fixed_quad(damped_wave, 0, x, args=(k, x), n=4)
    return value * value


@program(args=lambda: (positives(1, 3), 1.2), wrt=(0, 1), variants=[lambda: (positives(2, 4), 0.7)])
def several_at_fixed_nodes(w, x):
    y = fixed_quad(lambda t: np.cos(w[:, None] * t), 0, x, n=3)[0]
    return y * y


@program(args=lambda: (0.8, 0.3), wrt=(0, 1), variants=[lambda: (1.1, 0.6)])
def root_of_an_object(mean, eccentricity):
    solution = root_scalar(kepler, args=(mean, eccentricity), bracket=[0, 4], xtol=1e-13)
    return solution.root**2


@program(args=lambda: (0.8, 1.3), wrt=(0, 1))
def roots_by_every_method(k, x):
    ends = (0.0, 4.0)
    y = root_scalar(lambda t: t**3 - k * x, method="bisect", bracket=ends, xtol=1e-13).root
    y = y + root_scalar(lambda t: t**3 - x, (), "ridder", (0, 2 + k), xtol=1e-13).root * k
    y = y * root_scalar(lambda t: t - k * x, method="brenth", bracket=ends).root
    y = y - root_scalar(lambda t: t**2 - k, x0=1.0, x1=0.9, xtol=1e-13).root
    z = root_scalar(lambda t: t**3 - k * y, x0=1.0, fprime=lambda t: 3 * t**2, xtol=1e-13)
    return z.root * root_scalar(lambda t: t**2 - x, method="secant", x0=1.0, x1=1.1).root


@program(args=lambda: (0.8, 1.3), wrt=(0, 1))
def roots_in_a_loop(k, x):
    total = 0.0
    for i in range(3):
        reached = root_scalar(lambda t: t**3 + t - k * i - total, bracket=(-1, 4), xtol=1e-13)
        total = total + reached.root * x
    return total


@program(args=lambda: (positives(1, 3), 1.2), wrt=(0, 1))
def waves_of_a_default_height(w, x):
    return quad_vec(wave_of_height, 0, x, args=(w,), epsrel=1e-11)[0] ** 2


COUPLING = np.array([[2.0, 0.3, 0.0], [0.1, 3.0, 0.2], [0.0, 0.4, 2.5]])


@program(args=lambda: (1.7, 1.3), wrt=(0, 1), variants=[lambda: (np.float64(1.2), 0.9)])
def where_two_curves_meet(radius, slope):
    x, y = fsolve(circle_and_curve, np.array([1.0, 1.0]), args=(radius, slope), xtol=1e-13)
    return x * y * radius


@program(args=lambda: (1.7, 1.3), wrt=(0, 1))
def root_of_a_system(radius, slope):
    found = root(circle_and_curve, [1.0, 1.0], args=(radius, slope), tol=1e-13)
    return found.x * found.x[::-1] ** 2


@program(args=lambda: (positives(1, 3), 1.2), wrt=(0, 1), variants=[lambda: (positives(2, 3), 0.7)])
def equilibrium(load, k):
    return fsolve(lambda u: COUPLING @ u + k * u**3 - load, np.zeros(3), xtol=1e-13)


@program(args=lambda: (positives(1, 3), positives(2, 3, 3)), wrt=(0, 1))
def equilibrium_by_its_matrix(load, stiffness):
    a = stiffness @ stiffness.T + 3 * np.eye(3)
    u = root(
        lambda u: a @ u + np.sin(u) - load, load, jac=lambda u: a + np.diag(np.cos(u)), tol=1e-13
    ).x
    u[0] = u[0] * load[1]
    return u


@program(args=lambda: (0.7, 1.2), wrt=(0, 1))
def roots_of_one_unknown(k, x):
    y = fsolve(lambda v: v**3 - k * x, 1.0, xtol=1e-10)
    z = fsolve(lambda v: v[0] ** 3 - k, [1.0], xtol=1e-10)
    return y[0] * z * np.array([1.0, 2.0, 3.0])


@program(args=lambda: (0.7, 1.2), wrt=(0, 1))
def systems_in_a_loop(k, x):
    total = 0.0
    for i in range(3):
        v = fsolve(
            lambda v: np.array([v[0] ** 3 - k * x - total, v[1] * v[0] - x - i]),
            [1.0, 2.0],
            xtol=1e-13,
        )
        total = total + v[0] * v[1] ** 2
    return total


@program(args=lambda: (0.7, 1.2), wrt=(0, 1))
def system_of_a_system(k, x):
    inner = lambda v: fsolve(lambda u: u**3 + u - v * k, v, xtol=1e-11)
    return fsolve(lambda v: inner(v) - x, np.array([1.0]), xtol=1e-9)[0]


def cubes(v, weights, power=3.0):
    return weights * v**power - np.arange(1.0, 3.0)


@program(args=lambda: (positives(1, 2), 1.2), wrt=(0, 1))
def roots_of_a_default_power(w, k):
    return fsolve(cubes, np.ones(2), args=(w * k,), xtol=1e-13) * w
