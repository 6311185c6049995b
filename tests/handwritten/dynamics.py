"""Trajectories: predators and prey, bodies that attract each other."""

import numpy as np

from . import example, normal, uniform


def lotka_volterra(x, y, a, b, c, d, h, steps):
    for _ in range(steps):
        kx1 = x * (a - b * y)
        ky1 = y * (d * x - c)
        x2 = x + h / 2 * kx1
        y2 = y + h / 2 * ky1
        kx2 = x2 * (a - b * y2)
        ky2 = y2 * (d * x2 - c)
        x3 = x + h / 2 * kx2
        y3 = y + h / 2 * ky2
        kx3 = x3 * (a - b * y3)
        ky3 = y3 * (d * x3 - c)
        x4 = x + h * kx3
        y4 = y + h * ky3
        kx4 = x4 * (a - b * y4)
        ky4 = y4 * (d * x4 - c)
        x = x + h / 6 * (kx1 + 2 * kx2 + 2 * kx3 + kx4)
        y = y + h / 6 * (ky1 + 2 * ky2 + 2 * ky3 + ky4)
    return x + y


@example(
    lotka_volterra,
    (0, 1, 2, 3, 4, 5),
    lambda: (1.2, 0.7, 1.5, 1.0, 3.0, 1.1, 0.01, 5),
    lambda: (1.2, 0.7, 1.5, 1.0, 3.0, 1.1, 0.0001, 100_000),
)
def lotka_volterra_grad(x, y, a, b, c, d, h, steps, dv=1.0):
    tape = []
    for _ in range(steps):
        kx1 = x * (a - b * y)
        ky1 = y * (d * x - c)
        x2 = x + h / 2 * kx1
        y2 = y + h / 2 * ky1
        kx2 = x2 * (a - b * y2)
        ky2 = y2 * (d * x2 - c)
        x3 = x + h / 2 * kx2
        y3 = y + h / 2 * ky2
        kx3 = x3 * (a - b * y3)
        ky3 = y3 * (d * x3 - c)
        x4 = x + h * kx3
        y4 = y + h * ky3
        tape.append((x, y, x2, y2, x3, y3, x4, y4))
        kx4 = x4 * (a - b * y4)
        ky4 = y4 * (d * x4 - c)
        x = x + h / 6 * (kx1 + 2 * kx2 + 2 * kx3 + kx4)
        y = y + h / 6 * (ky1 + 2 * ky2 + 2 * ky3 + ky4)

    # return x + y
    dx = dv
    dy = dv
    da = db = dc = dd = 0.0
    for _ in range(steps):
        x, y, x2, y2, x3, y3, x4, y4 = tape.pop()
        # y = y + h / 6 * (ky1 + 2 * ky2 + 2 * ky3 + ky4)
        gy = h / 6 * dy
        # x = x + h / 6 * (kx1 + 2 * kx2 + 2 * kx3 + kx4)
        gx = h / 6 * dx
        # ky4 = y4 * (d * x4 - c)
        # kx4 = x4 * (a - b * y4)
        u = gx * x4
        v = gy * y4
        da += u
        db -= u * y4
        dc -= v
        dd += v * x4
        dx4 = gx * (a - b * y4) + v * d
        dy4 = gy * (d * x4 - c) - u * b
        # y4 = y + h * ky3
        # x4 = x + h * kx3
        gx3 = 2 * gx + h * dx4
        gy3 = 2 * gy + h * dy4
        # ky3 = y3 * (d * x3 - c)
        # kx3 = x3 * (a - b * y3)
        u = gx3 * x3
        v = gy3 * y3
        da += u
        db -= u * y3
        dc -= v
        dd += v * x3
        dx3 = gx3 * (a - b * y3) + v * d
        dy3 = gy3 * (d * x3 - c) - u * b
        # y3 = y + h / 2 * ky2
        # x3 = x + h / 2 * kx2
        gx2 = 2 * gx + h / 2 * dx3
        gy2 = 2 * gy + h / 2 * dy3
        # ky2 = y2 * (d * x2 - c)
        # kx2 = x2 * (a - b * y2)
        u = gx2 * x2
        v = gy2 * y2
        da += u
        db -= u * y2
        dc -= v
        dd += v * x2
        dx2 = gx2 * (a - b * y2) + v * d
        dy2 = gy2 * (d * x2 - c) - u * b
        # y2 = y + h / 2 * ky1
        # x2 = x + h / 2 * kx1
        gx1 = gx + h / 2 * dx2
        gy1 = gy + h / 2 * dy2
        # ky1 = y * (d * x - c)
        # kx1 = x * (a - b * y)
        u = gx1 * x
        v = gy1 * y
        da += u
        db -= u * y
        dc -= v
        dd += v * x
        dx += dx4 + dx3 + dx2 + gx1 * (a - b * y) + v * d
        dy += dy4 + dy3 + dy2 + gy1 * (d * x - c) - u * b
    return dx, dy, da, db, dc, dd


def bodies(position, velocity, mass, h, steps):
    for _ in range(steps):
        apart = position - position[:, None]
        r2 = np.sum(apart**2, axis=2) + 0.01
        pull = mass * r2**-1.5
        velocity = velocity + h * np.sum(pull[:, :, None] * apart, axis=1)
        position = position + h * velocity
    return 0.5 * np.sum(mass * np.sum(velocity**2, axis=1))


def _bodies(n, steps):
    return normal(1, n, 3), normal(2, n, 3), uniform(3, n), 0.01, steps


@example(bodies, (0, 1, 2), lambda: _bodies(4, 3), lambda: _bodies(40, 50))
def bodies_grad(position, velocity, mass, h, steps, dy=1.0):
    tape = []
    for _ in range(steps):
        apart = position - position[:, None]
        r2 = np.sum(apart**2, axis=2) + 0.01
        t = r2**-1.5
        pull = mass * t
        velocity = velocity + h * np.sum(pull[:, :, None] * apart, axis=1)
        tape.append((apart, r2, t, pull))
        position = position + h * velocity
    v2 = np.sum(velocity**2, axis=1)

    # return 0.5 * np.sum(mass * np.sum(velocity**2, axis=1))
    g = dy * 0.5
    dmass = g * v2
    dvelocity = (g * 2 * mass)[:, None] * velocity
    dposition = np.zeros_like(position)
    for _ in range(steps):
        apart, r2, t, pull = tape.pop()
        # position = position + h * velocity
        dvelocity += h * dposition
        # velocity = velocity + h * np.sum(pull[:, :, None] * apart, axis=1)
        g = h * dvelocity[:, None]
        dpull = np.sum(g * apart, axis=2)
        # pull = mass * r2**-1.5
        dmass += np.sum(dpull * t, axis=0)
        dr2 = dpull * mass * -1.5 * t / r2
        # r2 = np.sum(apart**2, axis=2) + 0.01
        dapart = g * pull[:, :, None] + 2 * dr2[:, :, None] * apart
        # apart = position - position[:, None]
        dposition += np.sum(dapart, axis=0) - np.sum(dapart, axis=1)
    return dposition, dvelocity, dmass
