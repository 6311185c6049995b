"""Other tools on the same workloads, where they are installed: HIPS autograd, Tangent (tangent-ad), JAX, PyTorch.

Autograd runs the function as it stands, with its own NumPy; Tangent writes its gradient as source. JAX (jitted, float64) and PyTorch run those that read
the same in them, and what an expert would write differently stands in in_jax.py. None means: not this one.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

Rival = Callable[[Any, tuple[Any, ...]], Callable[[], Any] | None]

STRAIGHT = {
    "sigmoid_of_product", "black_scholes", "chain", "logistic_loss", "mlp", "softmax_cross_entropy", "bundle_adjustment",
}  # fmt: skip
"""Functions without loops and stores, which read the same with another NumPy."""

MINUTES = {"lotka_volterra"}
"""Loops of so many scalar operations that recording each takes minutes."""


def installed(name: str) -> Any | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def retold(function: Callable[..., Any], **names: Any) -> Callable[..., Any]:
    """The function with other things under its global names."""
    text = textwrap.dedent(inspect.getsource(function))
    namespace = {**function.__globals__, **names}
    exec(compile(text, f"<{function.__name__}>", "exec"), namespace)
    return namespace[function.__name__]


def autograd(example: Any, args: tuple[Any, ...]) -> Callable[[], Any] | None:
    module = installed("autograd")
    if module is None or example.name in MINUTES:
        return None
    special = installed("autograd.scipy.special")
    anp = importlib.import_module("autograd.numpy")
    function = retold(example.function, np=anp, ndtr=getattr(special, "ndtr", None))
    gradient = module.grad(lambda active: function(*_with(args, example.positions, active)))
    active = tuple(args[k] for k in example.positions)
    return lambda: gradient(active)


def tangent(example: Any, args: tuple[Any, ...]) -> Callable[[], Any] | None:
    module = installed("tangent")
    if module is None or example.name in MINUTES:
        return None
    made = functools.cache(lambda: module.grad(example.function, wrt=example.positions))
    return lambda: made()(*copied(args))


def copied(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, for a gradient that may write to them."""
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)


def jax(example: Any, args: tuple[Any, ...]) -> Callable[[], Any] | None:
    module = installed("jax")
    if module is None:
        return None
    module.config.update("jax_enable_x64", True)
    own = importlib.import_module("tests.benchmarks.in_jax").FUNCTIONS.get(example.name)
    if own is None and example.name not in STRAIGHT:
        return None
    special = importlib.import_module("jax.scipy.special")
    function = own or retold(
        example.function, np=importlib.import_module("jax.numpy"), ndtr=special.ndtr
    )
    still = tuple(k for k, a in enumerate(args) if isinstance(a, int))
    gradient = module.jit(module.grad(function, example.positions), static_argnums=still)
    mine = tuple(module.numpy.asarray(a) if isinstance(a, np.ndarray) else a for a in args)
    return lambda: module.block_until_ready(gradient(*mine))


def pytorch(example: Any, args: tuple[Any, ...]) -> Callable[[], Any] | None:
    torch = installed("torch")
    if torch is None or example.name not in STRAIGHT:
        return None
    special = importlib.import_module("torch.special")
    function = retold(example.function, np=_TorchAsNumpy(torch), ndtr=special.ndtr)
    mine = [torch.tensor(a) if isinstance(a, (np.ndarray, float)) else a for a in args]
    active = [mine[k].requires_grad_() for k in example.positions]
    return lambda: torch.autograd.grad(function(*mine), active)


class _TorchAsNumpy:
    """torch under NumPy's names, where they differ."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch

    def __getattr__(self, name: str) -> Any:
        return getattr(self.torch, name)

    def sum(self, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return self.torch.sum(x) if axis is None else self.torch.sum(x, axis, keepdim=keepdims)

    def cross(self, a: Any, b: Any) -> Any:
        return self.torch.linalg.cross(a, b)


def _with(args: tuple[Any, ...], positions: tuple[int, ...], active: Any) -> list[Any]:
    new = list(args)
    for k, value in zip(positions, active, strict=True):
        new[k] = value
    return new


RIVALS: dict[str, Rival] = {
    "autograd": autograd, "tangent": tangent, "jax": jax, "pytorch": pytorch
}  # fmt: skip

SOMETIMES_WRONG = {"tangent"}
"""Tools whose gradients are others without an error; where others differ, the benchmark stops."""
