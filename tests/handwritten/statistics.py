"""Likelihoods, a filter, a simulation, residuals of a fit."""

import math

import numpy as np

from . import example, normal, uniform


def gaussian_mixture(alphas, means, log_q, lower, x):
    d = x.shape[1]
    rows, columns = np.tril_indices(d, -1)
    L = np.zeros((len(alphas), d, d))
    L[:, rows, columns] = lower
    centred = x - means[:, None]
    y = np.exp(log_q)[:, None] * centred + centred @ L.transpose(0, 2, 1)
    terms = (alphas + np.sum(log_q, axis=1))[:, None] - 0.5 * np.sum(y**2, axis=2)
    m = np.max(terms)
    likelihood = np.sum(m + np.log(np.sum(np.exp(terms - m), axis=0)))
    return likelihood - len(x) * np.log(np.sum(np.exp(alphas)))


def _mixture(n, k, d):
    return (
        normal(1, k),
        normal(2, k, d),
        normal(3, k, d) / 4,
        normal(4, k, d * (d - 1) // 2) / 4,
        normal(5, n, d),
    )


@example(
    gaussian_mixture,
    (0, 1, 2, 3),
    lambda: _mixture(6, 3, 3),
    {"d = 10": lambda: _mixture(1000, 25, 10), "d = 32": lambda: _mixture(1000, 25, 32)},
)
def gaussian_mixture_grad(alphas, means, log_q, lower, x, dy=1.0):
    d = x.shape[1]
    rows, columns = np.tril_indices(d, -1)
    L = np.zeros((len(alphas), d, d))
    L[:, rows, columns] = lower
    centred = x - means[:, None]
    q = np.exp(log_q)[:, None]
    y = q * centred + centred @ L.transpose(0, 2, 1)
    terms = (alphas + np.sum(log_q, axis=1))[:, None] - 0.5 * np.sum(y**2, axis=2)
    e = np.exp(terms - np.max(terms))
    p = np.exp(alphas)

    # return likelihood - len(x) * np.log(np.sum(np.exp(alphas)))
    dalphas = -dy * len(x) / np.sum(p) * p
    # likelihood = np.sum(m + np.log(np.sum(np.exp(terms - m), axis=0)))
    dterms = dy / np.sum(e, axis=0) * e
    # terms = (alphas + np.sum(log_q, axis=1))[:, None] - 0.5 * np.sum(y**2, axis=2)
    g = np.sum(dterms, axis=1)
    dalphas += g
    gy = -dterms[:, :, None] * y
    # y = np.exp(log_q)[:, None] * centred + centred @ L.transpose(0, 2, 1)
    dlog_q = g[:, None] + np.sum(gy * centred, axis=1) * q[:, 0]
    dcentred = gy * q + gy @ L
    dL = gy.transpose(0, 2, 1) @ centred
    # centred = x - means[:, None]
    dmeans = -np.sum(dcentred, axis=1)
    # L[:, rows, columns] = lower
    dlower = dL[:, rows, columns]
    return dalphas, dmeans, dlog_q, dlower


def kalman_step(m, P, y, F, Q, H, R):
    m = F @ m
    P = F @ P @ F.T + Q
    v = y - H @ m
    S = H @ P @ H.T + R
    sign, logdet = np.linalg.slogdet(S)
    return -0.5 * (v @ np.linalg.solve(S, v) + logdet)


def _covariance(seed, n):
    a = normal(seed, n, n)
    return a @ a.T + np.eye(n)


@example(
    kalman_step,
    (0, 1, 3, 4, 5, 6),
    lambda: (
        normal(1, 3),
        _covariance(2, 3),
        normal(3, 2),
        normal(4, 3, 3),
        _covariance(5, 3),
        normal(6, 2, 3),
        _covariance(7, 2),
    ),
)
def kalman_step_grad(m, P, y, F, Q, H, R, dy=1.0):
    m1 = F @ m
    FP = F @ P
    P1 = FP @ F.T + Q
    v = y - H @ m1
    HP = H @ P1
    S = HP @ H.T + R
    w = np.linalg.solve(S, v)

    # return -0.5 * (v @ np.linalg.solve(S, v) + logdet)
    g = -0.5 * dy
    u = np.linalg.solve(S.T, g * v)
    dv = g * w + u
    # sign, logdet = np.linalg.slogdet(S)
    dS = g * np.linalg.inv(S).T - np.outer(u, w)
    # S = H @ P @ H.T + R
    dHP = dS @ H
    dH = dS.T @ HP + dHP @ P1.T
    dQ = H.T @ dHP
    # v = y - H @ m
    dH -= np.outer(dv, m1)
    dm1 = -H.T @ dv
    # P = F @ P @ F.T + Q
    dFP = dQ @ F
    dF = dQ.T @ FP + dFP @ P.T
    dP = F.T @ dFP
    # m = F @ m
    dF += np.outer(dm1, m)
    dm = F.T @ dm1
    return dm, dP, dF, dQ, dH, dS


def local_volatility(s0, a, b, rate, strike, dt, z):
    total = 0.0
    for i in range(z.shape[0]):
        s = s0
        for j in range(z.shape[1]):
            sigma = a + b * math.exp(-s / s0)
            s = s * math.exp((rate - sigma**2 / 2) * dt + sigma * math.sqrt(dt) * z[i, j])
        if s > strike:
            total += s - strike
    return total / z.shape[0]


@example(
    local_volatility,
    (0, 1, 2),
    lambda: (1.0, 0.2, 0.1, 0.02, 0.9, 0.1, normal(1, 4, 5)),
    lambda: (1.0, 0.2, 0.1, 0.02, 0.9, 0.02, normal(1, 200, 50)),
)
def local_volatility_grad(s0, a, b, rate, strike, dt, z, dy=1.0):
    # total += s - strike
    g = dy / z.shape[0]
    root = math.sqrt(dt)
    ds0 = 0.0
    da = 0.0
    db = 0.0
    for i in range(z.shape[0]):
        tape = []
        s = s0
        for j in range(z.shape[1]):
            e = math.exp(-s / s0)
            sigma = a + b * e
            growth = math.exp((rate - sigma**2 / 2) * dt + sigma * root * z[i, j])
            tape.append((s, e, sigma, growth))
            s = s * growth
        if s > strike:
            ds = g
            for j in range(z.shape[1] - 1, -1, -1):
                s, e, sigma, growth = tape.pop()
                # s = s * math.exp((rate - sigma**2 / 2) * dt + sigma * math.sqrt(dt) * z[i, j])
                dsigma = ds * s * growth * (root * z[i, j] - sigma * dt)
                # sigma = a + b * math.exp(-s / s0)
                da += dsigma
                db += dsigma * e
                t = dsigma * b * e / s0
                ds = ds * growth - t
                ds0 += t * s / s0
            # s = s0
            ds0 += ds
    return ds0, da, db


def bundle_adjustment(cameras, points, weights, features):
    turn, centre = cameras[:, :3], cameras[:, 3:6]
    angle = np.sqrt(np.sum(turn**2, axis=1, keepdims=True))
    axis = turn / angle
    x = points - centre
    cos, sin = np.cos(angle), np.sin(angle)
    along = np.sum(axis * x, axis=1, keepdims=True)
    y = x * cos + np.cross(axis, x) * sin + axis * (along * (1 - cos))
    p = y[:, :2] / y[:, 2:]
    r2 = np.sum(p**2, axis=1, keepdims=True)
    p = p * (1 + cameras[:, 9:10] * r2 + cameras[:, 10:] * r2**2)
    e = weights[:, None] * (cameras[:, 6:7] * p + cameras[:, 7:9] - features)
    return np.sum(e**2)


def _observations(n):
    return normal(1, n, 11) / 4, uniform(2, n, 3) + 2, uniform(3, n), normal(4, n, 2)


@example(bundle_adjustment, (0, 1, 2), lambda: _observations(4), lambda: _observations(10_000))
def bundle_adjustment_grad(cameras, points, weights, features, dy=1.0):
    turn, centre = cameras[:, :3], cameras[:, 3:6]
    angle = np.sqrt(np.sum(turn**2, axis=1, keepdims=True))
    axis = turn / angle
    x = points - centre
    cos, sin = np.cos(angle), np.sin(angle)
    along = np.sum(axis * x, axis=1, keepdims=True)
    cross = np.cross(axis, x)
    t = 1 - cos
    y = x * cos + cross * sin + axis * (along * t)
    p = y[:, :2] / y[:, 2:]
    r2 = np.sum(p**2, axis=1, keepdims=True)
    factor = 1 + cameras[:, 9:10] * r2 + cameras[:, 10:] * r2**2
    q = p * factor
    residual = cameras[:, 6:7] * q + cameras[:, 7:9] - features
    e = weights[:, None] * residual

    # return np.sum(e**2)
    de = dy * 2 * e
    # e = weights[:, None] * (cameras[:, 6:7] * p + cameras[:, 7:9] - features)
    dweights = np.sum(de * residual, axis=1)
    dcameras = np.zeros_like(cameras)
    g = de * weights[:, None]
    dcameras[:, 6:7] = np.sum(g * q, axis=1, keepdims=True)
    dcameras[:, 7:9] = g
    dq = g * cameras[:, 6:7]
    # p = p * (1 + cameras[:, 9:10] * r2 + cameras[:, 10:] * r2**2)
    dfactor = np.sum(dq * p, axis=1, keepdims=True)
    dcameras[:, 9:10] = dfactor * r2
    dcameras[:, 10:] = dfactor * r2**2
    dr2 = dfactor * (cameras[:, 9:10] + cameras[:, 10:] * 2 * r2)
    # r2 = np.sum(p**2, axis=1, keepdims=True)
    dp = dq * factor + dr2 * 2 * p
    # p = y[:, :2] / y[:, 2:]
    g = dp / y[:, 2:]
    gy = np.empty_like(y)
    gy[:, :2] = g
    gy[:, 2:] = -np.sum(g * p, axis=1, keepdims=True)
    # y = x * cos + np.cross(axis, x) * sin + axis * (along * (1 - cos))
    g = gy * sin
    h = np.sum(gy * axis, axis=1, keepdims=True)
    dalong = h * t
    dcos = np.sum(gy * x, axis=1, keepdims=True) - h * along
    dsin = np.sum(gy * cross, axis=1, keepdims=True)
    # along = np.sum(axis * x, axis=1, keepdims=True)
    dx = gy * cos + np.cross(g, axis) + dalong * axis
    daxis = np.cross(x, g) + gy * (along * t) + dalong * x
    # axis = turn / angle
    g = daxis / angle
    dangle = dsin * cos - dcos * sin - np.sum(g * axis, axis=1, keepdims=True)
    # turn, centre = cameras[:, :3], cameras[:, 3:6]
    dcameras[:, :3] = g + dangle / angle * turn
    dcameras[:, 3:6] = -dx
    return dcameras, dx, dweights
