"""Functions of scalars: a neuron, an option price, a branch, an iteration that ends when it has converged."""

import math

import numpy as np
from scipy.special import ndtr

from . import example, normal, uniform


def neuron(w, x):
    z = w[0] * x[0] + w[1] * x[1] + w[2]
    return 1 / (1 + np.exp(-z))


@example(neuron, (0, 1), lambda: (normal(1, 3), normal(2, 2)))
def neuron_grad(w, x, dy=1.0):
    z = w[0] * x[0] + w[1] * x[1] + w[2]
    t = np.exp(-z)
    y = 1 / (1 + t)

    # return 1 / (1 + np.exp(-z))
    dz = dy * y**2 * t
    # z = w[0] * x[0] + w[1] * x[1] + w[2]
    dw = np.zeros_like(w)
    dx = np.zeros_like(x)
    dw[0] += dz * x[0]
    dx[0] += dz * w[0]
    dw[1] += dz * x[1]
    dx[1] += dz * w[1]
    dw[2] += dz
    return dw, dx


def sigmoid_of_product(w, x):
    return 1 / (1 + np.exp(-(w @ x)))


@example(
    sigmoid_of_product,
    0,
    lambda: (normal(1, 3), normal(2, 3)),
    lambda: (normal(1, 3), normal(2, 3)),
)
def sigmoid_of_product_grad(w, x, dy=1.0):
    t = np.exp(-(w @ x))
    y = 1 / (1 + t)

    # return 1 / (1 + np.exp(-(w @ x)))
    return dy * y**2 * t * x


def black_scholes(spot, strike, rate, sigma, t):
    root = sigma * np.sqrt(t)
    d1 = (np.log(spot / strike) + (rate + sigma**2 / 2) * t) / root
    d2 = d1 - root
    discounted = strike * np.exp(-rate * t)
    return np.sum(spot * ndtr(d1) - discounted * ndtr(d2))


@example(
    black_scholes,
    (0, 2, 3),
    lambda: (uniform(1, 5), uniform(2, 5), 0.03, uniform(3, 5), uniform(4, 5)),
    lambda: (uniform(1, 10_000), uniform(2, 10_000), 0.03, uniform(3, 10_000), uniform(4, 10_000)),
)
def black_scholes_grad(spot, strike, rate, sigma, t, dy=1.0):
    s = np.sqrt(t)
    root = sigma * s
    n = np.log(spot / strike) + (rate + sigma**2 / 2) * t
    d1 = n / root
    d2 = d1 - root
    discounted = strike * np.exp(-rate * t)

    # return np.sum(spot * ndtr(d1) - discounted * ndtr(d2))
    dspot = dy * ndtr(d1)
    dd1 = dy * spot * np.exp(-(d1**2) / 2) / math.sqrt(2 * math.pi)
    ddiscounted = -dy * ndtr(d2)
    dd2 = -dy * discounted * np.exp(-(d2**2) / 2) / math.sqrt(2 * math.pi)
    # discounted = strike * np.exp(-rate * t)
    drate = np.sum(-ddiscounted * discounted * t)
    # d2 = d1 - root
    dd1 += dd2
    # d1 = (np.log(spot / strike) + (rate + sigma**2 / 2) * t) / root
    dn = dd1 / root
    droot = -dd2 - dn * d1
    dspot += dn / spot
    g = dn * t
    drate += np.sum(g)
    # root = sigma * np.sqrt(t)
    dsigma = g * sigma + droot * s
    return dspot, drate, dsigma


def income_tax(income, children):
    taxable = income - 3000.0 * children
    if taxable <= 10_000.0:
        return 0.0 * taxable
    if taxable <= 60_000.0:
        y = (taxable - 10_000.0) / 10_000.0
        tax = (900.0 * y + 1400.0) * y
    else:
        tax = 0.42 * taxable - 1000.0
    if children > 0:
        tax = tax * 0.9
    return tax


@example(income_tax, 0, lambda: (45_000.0, 2))
def income_tax_grad(income, children, dtax=1.0):
    taxable = income - 3000.0 * children
    if taxable <= 10_000.0:
        return 0.0 * dtax

    if children > 0:
        # tax = tax * 0.9
        dtax = dtax * 0.9
    if taxable <= 60_000.0:
        y = (taxable - 10_000.0) / 10_000.0
        # tax = (900.0 * y + 1400.0) * y
        return dtax * (1800.0 * y + 1400.0) / 10_000.0
    # tax = 0.42 * taxable - 1000.0
    return dtax * 0.42


def kepler(e, mean_anomaly):
    x = mean_anomaly
    step = 1.0
    while abs(step) > 1e-12:
        step = (x - e * math.sin(x) - mean_anomaly) / (1 - e * math.cos(x))
        x -= step
    return x


@example(kepler, (0, 1), lambda: (0.3, 1.1))
def kepler_grad(e, mean_anomaly, dx=1.0):
    x_tape = []
    x = mean_anomaly
    step = 1.0
    while abs(step) > 1e-12:
        x_tape.append(x)
        step = (x - e * math.sin(x) - mean_anomaly) / (1 - e * math.cos(x))
        x -= step

    de = 0.0
    dmean_anomaly = 0.0
    for x in reversed(x_tape):
        # step = (x - e * math.sin(x) - mean_anomaly) / (1 - e * math.cos(x))
        sin, cos = math.sin(x), math.cos(x)
        d = 1 - e * cos
        g = -dx / d
        dd = -g * (x - e * sin - mean_anomaly) / d
        de -= g * sin + dd * cos
        dmean_anomaly -= g
        dx += g * d + dd * e * sin
    # x = mean_anomaly
    return de, dmean_anomaly + dx


def chain(x):
    y = np.sin(x) * np.exp(-(x**2) / 2)
    z = np.log(1 + y**2) + np.tanh(y * x)
    return np.sum(z * y)


@example(
    chain,
    0,
    lambda: (normal(1, 6),),
    {"1e3": lambda: (normal(1, 1000),), "1e6": lambda: (normal(1, 1_000_000),)},
)
def chain_grad(x, dy=1.0):
    s = np.sin(x)
    e = np.exp(-(x**2) / 2)
    y = s * e
    u = 1 + y**2
    t = np.tanh(y * x)
    z = np.log(u) + t

    # return np.sum(z * y)
    dz = dy * y
    # z = np.log(1 + y**2) + np.tanh(y * x)
    dt = dz * (1 - t**2)
    g = dy * z + dz * 2 * y / u + dt * x
    # y = np.sin(x) * np.exp(-(x**2) / 2)
    return dt * y + g * e * np.cos(x) - g * y * x
