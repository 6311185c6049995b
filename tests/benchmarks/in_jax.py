"""Workloads with loops and stores, as an expert writes them in JAX: scans, rematerialised where that is shorter."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax


def rnn(w: Any, x: Any, n: int) -> Any:
    x, _ = lax.scan(lambda x, _: (jnp.tanh(w @ x), None), x, None, length=n)
    return jnp.sum(x**2)


def lotka_volterra(x: Any, y: Any, a: Any, b: Any, c: Any, d: Any, h: Any, steps: int) -> Any:
    def slope(x: Any, y: Any) -> tuple[Any, Any]:
        return x * (a - b * y), y * (d * x - c)

    @functools.partial(jax.checkpoint, prevent_cse=False)
    def step(state: Any, _: Any) -> tuple[Any, None]:
        x, y = state
        kx1, ky1 = slope(x, y)
        kx2, ky2 = slope(x + h / 2 * kx1, y + h / 2 * ky1)
        kx3, ky3 = slope(x + h / 2 * kx2, y + h / 2 * ky2)
        kx4, ky4 = slope(x + h * kx3, y + h * ky3)
        x = x + h / 6 * (kx1 + 2 * kx2 + 2 * kx3 + kx4)
        y = y + h / 6 * (ky1 + 2 * ky2 + 2 * ky3 + ky4)
        return (x, y), None

    (x, y), _ = lax.scan(step, (x * 1.0, y * 1.0), None, length=steps)
    return x + y


def bodies(position: Any, velocity: Any, mass: Any, h: Any, steps: int) -> Any:
    def step(state: Any, _: Any) -> tuple[Any, None]:
        position, velocity = state
        apart = position - position[:, None]
        r2 = jnp.sum(apart**2, axis=2) + 0.01
        pull = mass * r2**-1.5
        velocity = velocity + h * jnp.sum(pull[:, :, None] * apart, axis=1)
        return (position + h * velocity, velocity), None

    (_, velocity), _ = lax.scan(step, (position, velocity), None, length=steps)
    return 0.5 * jnp.sum(mass * jnp.sum(velocity**2, axis=1))


def jacobi_2d(steps: int, A: Any, B: Any) -> Any:
    def relaxed(a: Any, b: Any) -> Any:
        five = a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        return b.at[1:-1, 1:-1].set(0.2 * five)

    def step(state: Any, _: Any) -> tuple[Any, None]:
        a, b = state
        b = relaxed(a, b)
        return (relaxed(b, a), b), None

    (A, B), _ = lax.scan(step, (A, B), None, length=steps - 1)
    return jnp.sum(A**2)


def thomas(a: Any, b: Any, c: Any, d: Any) -> Any:
    def down(state: Any, row: Any) -> tuple[Any, Any]:
        b0, d0 = state
        a0, b1, c0, d1 = row
        w = a0 / b0
        new = b1 - w * c0, d1 - w * d0
        return new, new

    (last_b, last_d), (bs, ds) = lax.scan(down, (b[0], d[0]), (a, b[1:], c, d[1:]))
    bs, ds = jnp.concatenate((b[:1], bs)), jnp.concatenate((d[:1], ds))

    def up(x: Any, row: Any) -> tuple[Any, Any]:
        b0, c0, d0 = row
        x = (d0 - c0 * x) / b0
        return x, x

    last = last_d / last_b
    _, xs = lax.scan(up, last, (bs[:-1], c, ds[:-1]), reverse=True)
    return jnp.sum(xs**2) + last**2


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (rnn, lotka_volterra, bodies, jacobi_2d, thomas)
}
