"""Workloads of scalar loops, each with the gradient that an expert writes for Numba."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["WORKLOADS", "Workload"]


@dataclass(frozen=True)
class Workload:
    """A function, its gradient by hand as Numba compiles it, the arguments, and what is differentiated."""

    name: str
    function: Callable[..., Any]
    by_hand: Callable[..., Any]
    args: Callable[[], tuple[Any, ...]]
    wrt: tuple[int, ...]


# --------------------------------------------------------------------------- RK4, Lotka-Volterra


def rk4(x, y, a, b, n):
    h = 1e-4
    for _ in range(n):
        k1 = x * (a - y)
        l1 = y * (x - b)
        x2 = x + 0.5 * h * k1
        y2 = y + 0.5 * h * l1
        k2 = x2 * (a - y2)
        l2 = y2 * (x2 - b)
        x3 = x + 0.5 * h * k2
        y3 = y + 0.5 * h * l2
        k3 = x3 * (a - y3)
        l3 = y3 * (x3 - b)
        x4 = x + h * k3
        y4 = y + h * l3
        k4 = x4 * (a - y4)
        l4 = y4 * (x4 - b)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        y = y + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    return x * y


def rk4_by_hand(x, y, a, b, n):
    h = 1e-4
    xs, ys = np.empty(n), np.empty(n)
    for i in range(n):
        xs[i], ys[i] = x, y
        k1, l1 = x * (a - y), y * (x - b)
        x2, y2 = x + 0.5 * h * k1, y + 0.5 * h * l1
        k2, l2 = x2 * (a - y2), y2 * (x2 - b)
        x3, y3 = x + 0.5 * h * k2, y + 0.5 * h * l2
        k3, l3 = x3 * (a - y3), y3 * (x3 - b)
        x4, y4 = x + h * k3, y + h * l3
        k4, l4 = x4 * (a - y4), y4 * (x4 - b)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        y = y + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    dx, dy, da, db = y, x, 0.0, 0.0
    for i in range(n - 1, -1, -1):
        x, y = xs[i], ys[i]
        k1, l1 = x * (a - y), y * (x - b)
        x2, y2 = x + 0.5 * h * k1, y + 0.5 * h * l1
        k2, l2 = x2 * (a - y2), y2 * (x2 - b)
        x3, y3 = x + 0.5 * h * k2, y + 0.5 * h * l2
        k3, l3 = x3 * (a - y3), y3 * (x3 - b)
        x4, y4 = x + h * k3, y + h * l3
        dk4, dl4 = h / 6 * dx, h / 6 * dy
        dx4 = dk4 * (a - y4) + dl4 * y4
        dy4 = dl4 * (x4 - b) - dk4 * x4
        da += dk4 * x4
        db -= dl4 * y4
        dk3, dl3 = h / 3 * dx + h * dx4, h / 3 * dy + h * dy4
        dx3 = dk3 * (a - y3) + dl3 * y3
        dy3 = dl3 * (x3 - b) - dk3 * x3
        da += dk3 * x3
        db -= dl3 * y3
        dk2, dl2 = h / 3 * dx + 0.5 * h * dx3, h / 3 * dy + 0.5 * h * dy3
        dx2 = dk2 * (a - y2) + dl2 * y2
        dy2 = dl2 * (x2 - b) - dk2 * x2
        da += dk2 * x2
        db -= dl2 * y2
        dk1, dl1 = h / 6 * dx + 0.5 * h * dx2, h / 6 * dy + 0.5 * h * dy2
        dx = dx + dx4 + dx3 + dx2 + dk1 * (a - y) + dl1 * y
        dy = dy + dy4 + dy3 + dy2 + dl1 * (x - b) - dk1 * x
        da += dk1 * x
        db -= dl1 * y
    return dx, dy, da, db


# ------------------------------------------------------------------------------ Thomas, in place


def thomas(a, b, c, d):
    n = len(d)
    for i in range(1, n):
        w = a[i - 1] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    d[n - 1] = d[n - 1] / b[n - 1]
    for i in range(n - 2, -1, -1):
        d[i] = (d[i] - c[i] * d[i + 1]) / b[i]
    total = 0.0
    for i in range(n):
        total += d[i] * d[i]
    return total


def thomas_by_hand(a, b, c, d):
    n = len(d)
    bs, f, x = b.copy(), d.copy(), np.empty(n)
    for i in range(1, n):
        w = a[i - 1] / bs[i - 1]
        bs[i] -= w * c[i - 1]
        f[i] -= w * f[i - 1]
    x[n - 1] = f[n - 1] / bs[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (f[i] - c[i] * x[i + 1]) / bs[i]
    da, db, dc, dd = np.zeros(n - 1), np.zeros(n), np.zeros(n - 1), np.empty(n)
    dx = 0.0
    for i in range(n - 1):
        dx += 2 * x[i]
        dd[i] = dx / bs[i]
        dc[i] = -dd[i] * x[i + 1]
        db[i] = -dd[i] * x[i]
        dx = -dd[i] * c[i]
    dx += 2 * x[n - 1]
    dd[n - 1] = dx / bs[n - 1]
    db[n - 1] = -dd[n - 1] * x[n - 1]
    for i in range(n - 1, 0, -1):
        w = a[i - 1] / bs[i - 1]
        dw = -dd[i] * f[i - 1] - db[i] * c[i - 1]
        dd[i - 1] -= dd[i] * w
        dc[i - 1] -= db[i] * w
        da[i - 1] = dw / bs[i - 1]
        db[i - 1] -= dw * w / bs[i - 1]
    return da, db, dc, dd


# ------------------------------------------------------------------------------------- seidel_2d


def seidel_2d(steps, a):
    n = a.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = (
                    a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1]
                    + a[i, j - 1] + a[i, j] + a[i, j + 1]
                    + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]
                ) / 9.0  # fmt: skip
    total = 0.0
    for i in range(n):
        for j in range(n):
            total += a[i, j] * a[i, j]
    return total


def seidel_2d_by_hand(steps, a):
    n = a.shape[0]
    a = a.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = (
                    a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1]
                    + a[i, j - 1] + a[i, j] + a[i, j + 1]
                    + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]
                ) / 9.0  # fmt: skip
    da = 2 * a
    for _ in range(steps):
        for i in range(n - 2, 0, -1):
            for j in range(n - 2, 0, -1):
                g = da[i, j] / 9.0
                da[i, j] = g
                da[i - 1, j - 1] += g
                da[i - 1, j] += g
                da[i - 1, j + 1] += g
                da[i, j - 1] += g
                da[i, j + 1] += g
                da[i + 1, j - 1] += g
                da[i + 1, j] += g
                da[i + 1, j + 1] += g
    return (da,)


# ------------------------------------------------------------------------------------------ LSTM


def lstm(w, b, h, c, xs):
    n, m = xs.shape
    total = 0.0
    for t in range(n):
        for k in range(m):
            f = 1 / (1 + math.exp(-(xs[t, k] * w[0, k] + b[0, k])))
            i = 1 / (1 + math.exp(-(h[k] * w[1, k] + b[1, k])))
            o = 1 / (1 + math.exp(-(xs[t, k] * w[2, k] + b[2, k])))
            g = math.tanh(h[k] * w[3, k] + b[3, k])
            s = c[k] * f + i * g
            c[k] = s
            y = o * math.tanh(s)
            h[k] = y
            total += y * y
    return total


def lstm_by_hand(w, b, h, c, xs):
    n, m = xs.shape
    h, c = h.copy(), c.copy()
    hs, cs = np.empty((n, m)), np.empty((n, m))
    fs, js, os, gs, ts, ys = (
        np.empty((n, m)), np.empty((n, m)), np.empty((n, m)),
        np.empty((n, m)), np.empty((n, m)), np.empty((n, m)),
    )  # fmt: skip
    for t in range(n):
        for k in range(m):
            hs[t, k], cs[t, k] = h[k], c[k]
            f = 1 / (1 + math.exp(-(xs[t, k] * w[0, k] + b[0, k])))
            i = 1 / (1 + math.exp(-(h[k] * w[1, k] + b[1, k])))
            o = 1 / (1 + math.exp(-(xs[t, k] * w[2, k] + b[2, k])))
            g = math.tanh(h[k] * w[3, k] + b[3, k])
            c[k] = c[k] * f + i * g
            v = math.tanh(c[k])
            h[k] = o * v
            fs[t, k], js[t, k], os[t, k], gs[t, k], ts[t, k], ys[t, k] = f, i, o, g, v, h[k]
    dw, db = np.zeros_like(w), np.zeros_like(b)
    dh, dc = np.zeros(m), np.zeros(m)
    for t in range(n - 1, -1, -1):
        for k in range(m):
            f, i, o, g, v = fs[t, k], js[t, k], os[t, k], gs[t, k], ts[t, k]
            dy = dh[k] + 2 * ys[t, k]
            ds = dc[k] + dy * o * (1 - v * v)
            zo = dy * v * o * (1 - o)
            zf = ds * cs[t, k] * f * (1 - f)
            zi = ds * g * i * (1 - i)
            zg = ds * i * (1 - g * g)
            dc[k] = ds * f
            dh[k] = zi * w[1, k] + zg * w[3, k]
            dw[0, k] += zf * xs[t, k]
            dw[1, k] += zi * hs[t, k]
            dw[2, k] += zo * xs[t, k]
            dw[3, k] += zg * hs[t, k]
            db[0, k] += zf
            db[1, k] += zi
            db[2, k] += zo
            db[3, k] += zg
    return dw, db


# ------------------------------------------------------------------------------------ Monte Carlo


def monte_carlo(spot, vol, slope, rate, draws):
    paths, steps = draws.shape
    dt = 1.0 / steps
    root = math.sqrt(dt)
    total = 0.0
    for p in range(paths):
        s = spot
        for t in range(steps):
            local = vol + slope * math.log(s / 100.0)
            s = s * math.exp((rate - 0.5 * local * local) * dt + local * root * draws[p, t])
        total += max(s - 100.0, 0.0)
    return math.exp(-rate) * total / paths


def monte_carlo_by_hand(spot, vol, slope, rate, draws):
    paths, steps = draws.shape
    dt = 1.0 / steps
    root = math.sqrt(dt)
    dspot, dvol, dslope, drate, total = 0.0, 0.0, 0.0, 0.0, 0.0
    ss, locals_ = np.empty(steps + 1), np.empty(steps)
    scale = math.exp(-rate) / paths
    for p in range(paths):
        ss[0] = spot
        for t in range(steps):
            local = vol + slope * math.log(ss[t] / 100.0)
            locals_[t] = local
            ss[t + 1] = ss[t] * math.exp(
                (rate - 0.5 * local * local) * dt + local * root * draws[p, t]
            )
        s = ss[steps]
        if s <= 100.0:
            continue
        total += s - 100.0
        ds = scale
        for t in range(steps - 1, -1, -1):
            local = locals_[t]
            dz = ds * ss[t + 1]
            drate += dz * dt
            dlocal = dz * (root * draws[p, t] - local * dt)
            dvol += dlocal
            dslope += dlocal * math.log(ss[t] / 100.0)
            ds = (dz + dlocal * slope) / ss[t]
        dspot += ds
    drate -= scale * total
    return dspot, dvol, dslope, drate


# ------------------------------------------------------------------------------ bundle adjustment


def bundle(cameras, points, weights, seen_by, seen, at):
    total = 0.0
    for k in range(len(seen)):
        i, j = seen_by[k], seen[k]
        rx, ry, rz = cameras[i, 0], cameras[i, 1], cameras[i, 2]
        px = points[j, 0] - cameras[i, 3]
        py = points[j, 1] - cameras[i, 4]
        pz = points[j, 2] - cameras[i, 5]
        theta = math.sqrt(rx * rx + ry * ry + rz * rz + 1e-12)
        co, si = math.cos(theta), math.sin(theta)
        ux, uy, uz = rx / theta, ry / theta, rz / theta
        dot = (ux * px + uy * py + uz * pz) * (1 - co)
        qx = px * co + (uy * pz - uz * py) * si + ux * dot
        qy = py * co + (uz * px - ux * pz) * si + uy * dot
        qz = pz * co + (ux * py - uy * px) * si + uz * dot
        x, y = qx / qz, qy / qz
        r2 = x * x + y * y
        radial = 1 + r2 * (cameras[i, 9] + cameras[i, 10] * r2)
        f = cameras[i, 6]
        ex = weights[k] * (f * x * radial + cameras[i, 7] - at[k, 0])
        ey = weights[k] * (f * y * radial + cameras[i, 8] - at[k, 1])
        total += ex * ex + ey * ey
    return total


def bundle_by_hand(cameras, points, weights, seen_by, seen, at):
    dcameras, dpoints = np.zeros_like(cameras), np.zeros_like(points)
    for k in range(len(seen)):
        i, j = seen_by[k], seen[k]
        rx, ry, rz = cameras[i, 0], cameras[i, 1], cameras[i, 2]
        px = points[j, 0] - cameras[i, 3]
        py = points[j, 1] - cameras[i, 4]
        pz = points[j, 2] - cameras[i, 5]
        theta = math.sqrt(rx * rx + ry * ry + rz * rz + 1e-12)
        co, si = math.cos(theta), math.sin(theta)
        ux, uy, uz = rx / theta, ry / theta, rz / theta
        along = ux * px + uy * py + uz * pz
        dot = along * (1 - co)
        cx, cy, cz = uy * pz - uz * py, uz * px - ux * pz, ux * py - uy * px
        qx, qy, qz = (
            px * co + cx * si + ux * dot,
            py * co + cy * si + uy * dot,
            pz * co + cz * si + uz * dot,
        )
        x, y = qx / qz, qy / qz
        r2 = x * x + y * y
        k1, k2, f = cameras[i, 9], cameras[i, 10], cameras[i, 6]
        radial = 1 + r2 * (k1 + k2 * r2)
        w = weights[k]
        ex = 2 * w * w * (f * x * radial + cameras[i, 7] - at[k, 0])
        ey = 2 * w * w * (f * y * radial + cameras[i, 8] - at[k, 1])
        dcameras[i, 7] += ex
        dcameras[i, 8] += ey
        dcameras[i, 6] += (ex * x + ey * y) * radial
        dradial = (ex * x + ey * y) * f
        dcameras[i, 9] += dradial * r2
        dcameras[i, 10] += dradial * r2 * r2
        dr2 = dradial * (k1 + 2 * k2 * r2)
        dx = ex * f * radial + 2 * x * dr2
        dy = ey * f * radial + 2 * y * dr2
        gx, gy = dx / qz, dy / qz
        gz = -(gx * x + gy * y)
        ddot = gx * ux + gy * uy + gz * uz
        dalong = ddot * (1 - co)
        dco = gx * px + gy * py + gz * pz - ddot * along
        dsi = gx * cx + gy * cy + gz * cz
        sx, sy, sz = gx * si, gy * si, gz * si
        dpx = gx * co + sy * uz - sz * uy + dalong * ux
        dpy = gy * co + sz * ux - sx * uz + dalong * uy
        dpz = gz * co + sx * uy - sy * ux + dalong * uz
        dux = gx * dot + dalong * px + sz * py - sy * pz
        duy = gy * dot + dalong * py + sx * pz - sz * px
        duz = gz * dot + dalong * pz + sy * px - sx * py
        dtheta = dsi * co - dco * si - (dux * ux + duy * uy + duz * uz) / theta
        dcameras[i, 0] += dux / theta + dtheta * ux
        dcameras[i, 1] += duy / theta + dtheta * uy
        dcameras[i, 2] += duz / theta + dtheta * uz
        dcameras[i, 3] -= dpx
        dcameras[i, 4] -= dpy
        dcameras[i, 5] -= dpz
        dpoints[j, 0] += dpx
        dpoints[j, 1] += dpy
        dpoints[j, 2] += dpz
    return dcameras, dpoints


# -------------------------------------------------------------------------------------- arguments


def _rng() -> np.random.Generator:
    return np.random.default_rng(0)


def _tridiagonal() -> tuple[Any, ...]:
    n, rng = 20_000, _rng()
    return rng.random(n - 1), 4 + rng.random(n), rng.random(n - 1), rng.random(n)


def _lstm() -> tuple[Any, ...]:
    rng, m = _rng(), 64
    w, b = rng.normal(size=(4, m)), rng.normal(size=(4, m))
    return w, b, np.zeros(m), np.zeros(m), rng.normal(size=(1024, m))


def _bundle() -> tuple[Any, ...]:
    rng, cameras, points, count = _rng(), 50, 2000, 30_000
    poses = rng.normal(scale=0.1, size=(cameras, 11))
    poses[:, 6] += 1.0
    places = rng.normal(size=(points, 3)) + [0.0, 0.0, 6.0]
    seen_by, seen = rng.integers(cameras, size=count), rng.integers(points, size=count)
    return poses, places, rng.random(count), seen_by, seen, rng.normal(size=(count, 2))


WORKLOADS = (
    Workload("RK4", rk4, rk4_by_hand, lambda: (1.0, 1.2, 1.5, 1.1, 100_000), (0, 1, 2, 3)),
    Workload("Thomas", thomas, thomas_by_hand, _tridiagonal, (0, 1, 2, 3)),
    Workload("seidel_2d", seidel_2d, seidel_2d_by_hand, lambda: (40, _rng().random((200, 200))), (1,)),
    Workload("LSTM", lstm, lstm_by_hand, _lstm, (0, 1)),
    Workload(
        "Monte Carlo", monte_carlo, monte_carlo_by_hand,
        lambda: (100.0, 0.2, 0.05, 0.03, _rng().normal(size=(1000, 100))), (0, 1, 2, 3),
    ),
    Workload("bundle adjustment", bundle, bundle_by_hand, _bundle, (0, 1)),
)  # fmt: skip
