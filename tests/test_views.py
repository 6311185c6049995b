"""Results that may be views: whatever makes them, a write through one of the two names is seen through the other.

Each is right, or refused before anything runs; none is silently taken for a copy.
"""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest
from contract import check_gradients

from tangentish import NotDifferentiable

MAKERS = """
y
y[...]
y[1:]
y[::-1]
y.T
y.mT
y.real
y.conj()
np.real(y)
np.transpose(y, (1, 0))
np.permute_dims(y, (1, 0))
np.matrix_transpose(y)
np.swapaxes(y, 0, 1)
np.moveaxis(y, 0, 1)
np.rollaxis(y, 1)
np.flip(y)
np.flip(y, 0)
np.fliplr(y)
np.flipud(y)
np.rot90(y)
np.squeeze(y)
np.expand_dims(y, 0)
np.atleast_1d(y)
np.atleast_2d(y)
np.atleast_3d(y)
np.ravel(y)
y.ravel()
y.ravel('F')
y.ravel(order='F')
y.reshape(-1)
y.reshape((8, 2))
y.reshape(-1, order='F')
np.reshape(y, (2, 8))
y.T.ravel()
y.T.reshape(-1)
y.T.T.ravel()
y[::2].ravel()
y[::-1].reshape(-1)
y[:2].reshape(-1)
y[:, 1].reshape(2, 2)
y[:, 1:].ravel()
np.ravel(y[:, 0:1])
np.flip(y.T).T
y.reshape(4, 4).T.reshape(4, 4)
np.split(y, 2)[0]
np.split(y, 2, axis=1)[1]
np.array_split(y, 3)[1]
np.hsplit(y, 2)[0]
np.vsplit(y, 2)[0]
np.unstack(y)[0]
np.diag(y)
np.diagonal(y)
np.diag(y[0])
np.linalg.diagonal(y)
np.trim_zeros(y[0])
np.asarray(y)
np.asanyarray(y)
np.asarray(y, dtype=float)
np.asarray(y, float)
np.array(y, copy=None)
np.ascontiguousarray(y)
np.asfortranarray(y)
np.asarray_chkfinite(y)
np.require(y)
y.astype(float, copy=False)
y.astype(float)
np.nan_to_num(y, copy=False)
np.real_if_close(y)
np.einsum('ij->ji', y)
np.einsum('ii->i', y)
np.broadcast_to(y, (1, 4, 4))
np.broadcast_arrays(y, y)[0]
y.copy()
y.flatten()
np.array(y)
y[[0, 1]]
y[y > -9]
np.take(y, [0, 1])
np.take(y, [0, 1], axis=0)
np.tile(y, 1)
np.stack([y])[0]
np.where(True, y, y)
list(y)[0]
(y if x[0, 0] < 9 else x)
"""

BODIES = {
    "written": "v[0] = 0.7 * x[1, 1]\n    return np.sum(y * y)",
    "base is written": "y[0] = 0.7 * x[1, 1]\n    return np.sum(v * v * x[2, 2])",
    "updated": "v *= x[1, 1]\n    y[1:] *= 2\n    return np.sum(y * y) + np.sum(v)",
}

ARRAY = np.arange(16.0).reshape(4, 4) / 7 - 1.1 + np.eye(4) * 0.3


def function_of(text: str) -> Any:
    name = f"<view {abs(hash(text))}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"np": np, "__name__": "views"}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("layout", ["C", "F"])
@pytest.mark.parametrize("how", BODIES)
@pytest.mark.parametrize("maker", MAKERS.split("\n")[1:-1])
def test_view(maker: str, how: str, layout: Any) -> None:
    f = function_of(f"def f(x):\n    y = x * 1.5\n    v = {maker}\n    {BODIES[how]}\n")
    x = np.asarray(ARRAY, order=layout)
    try:
        f(x.copy(order="K"))
    except (ValueError, AttributeError):
        pytest.skip("the function itself fails")
    try:
        check_gradients(f, x)
    except NotDifferentiable as error:
        assert error.lineno is not None


MAKERS_OF_ONE = """
y
y[...]
y[None]
y.T
y.real
y.reshape(1)
y.reshape(())
y.ravel()
y.flatten()
np.real(y)
np.ravel(y)
np.transpose(y)
np.squeeze(y)
np.expand_dims(y, 0)
np.atleast_1d(y)
np.atleast_2d(y)
np.asarray(y)
np.array(y)
np.ascontiguousarray(y)
np.require(y)
np.broadcast_arrays(y, y)[0]
np.nan_to_num(y, copy=False)
y.astype(float, copy=False)
np.positive(y)
y.copy()
y[...].reshape(1, 1)[0]
[y][0]
y * 1
"""

BODIES_OF_ONE = {
    "written": "v[...] = 0.7 * x\n    return np.sum(y * y)",
    "base is written": "y[...] = 0.7 * x * x\n    return np.sum(v * v * x)",
    "updated": "v *= x\n    y *= 2\n    return np.sum(y * y) + np.sum(v)",
}


@pytest.mark.parametrize("own", ["x", "x.copy()", "np.array(x)"])
@pytest.mark.parametrize("how", BODIES_OF_ONE)
@pytest.mark.parametrize("maker", MAKERS_OF_ONE.split("\n")[1:-1])
def test_view_of_an_array_without_axes(maker: str, how: str, own: str) -> None:
    f = function_of(f"def f(x):\n    y = {own}\n    v = {maker}\n    {BODIES_OF_ONE[how]}\n")
    x = np.array(0.7)
    try:
        f(x.copy())
    except (ValueError, AttributeError, TypeError):
        pytest.skip("the function itself fails")
    try:
        check_gradients(f, x)
    except NotDifferentiable as error:
        assert error.lineno is not None
