"""The helpers that generated code calls; they import only numpy, and an export carries those it uses.

In every signature `g` is a gradient, `x` (or `xs`, `w`) an operand of the primal, `y` its result.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = Any  # an array of numpy or cupy, or a scalar
Shape = tuple[int, ...]

_SCALARS = (int, float, complex)


def _shape(x: Array) -> Shape:
    """The shape of an array, a scalar or nested lists."""
    found: Shape | None = getattr(x, "shape", None)
    if found is not None:
        return found
    return () if isinstance(x, _SCALARS) else np.shape(x)


# Gradients and shapes.


def unbroadcast(g: Array, x: Array) -> Array:
    """Sum `g` down to the shape of `x`, which was broadcast; `g` itself where the shapes agree."""
    have, want = _shape(g), _shape(x)
    if have == want:
        return g
    if not want:
        return np.sum(g)
    extra = len(have) - len(want)
    if extra < 0:
        return g  # thinner than x: nothing to sum
    axes = *range(extra), *(extra + i for i, n in enumerate(want) if n == 1 != have[extra + i])
    if not axes:
        return g
    g = np.sum(g, axis=axes, keepdims=True)
    return g.reshape(g.shape[extra:]) if extra else g


def spread(g: Array, x: Array, axis: Any = None, keepdims: bool = False) -> Array:
    """Put the axes of `x` that a reduction removed back into `g`, with length 1."""
    shape = _shape(g)
    if keepdims or axis is None or not shape:
        return g
    rank = len(_shape(x))
    axes = tuple(a % rank for a in (axis if isinstance(axis, tuple) else (axis,)))
    lengths = [1] * (rank - len(axes) - len(shape)) + list(
        shape
    )  # a thin gradient lacks leading axes
    for a in sorted(axes):
        lengths.insert(a, 1)
    return g.reshape(lengths)


def count(x: Array, axis: Any = None) -> int:
    """How many elements a reduction of `x` over `axis` takes together."""
    shape = _shape(x)
    n = 1
    for a in range(len(shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,):
        n *= shape[a]
    return n


def share(x: Array, y: Array, axis: Any = None) -> Array:
    """1 where `x` is its extreme `y` along `axis`, divided equally among ties, else 0."""
    same = x == y
    ties = np.sum(same, axis=axis, keepdims=True)
    if not np.all(ties):  # the extreme value is nan
        same = same | np.isnan(x)
        ties = np.sum(same, axis=axis, keepdims=True)
    return cast(same / ties, x)


def full(g: Array, x: Array) -> Array:
    """A fresh array with the shape (and, if it is one of floats, the dtype) of `x`, filled with `g`.

    For a scalar `x`, `g` itself.
    """
    shape = _shape(x)
    if not shape:
        return g
    if getattr(x, "dtype", None) is None or x.dtype.kind not in "fc":
        return np.copy(np.broadcast_to(g, shape))  # never an array of integers for a gradient
    return np.full_like(x, g)


def cast(g: Array, x: Array) -> Array:
    """`g` with the dtype of `x`; only numpy's own types are changed."""
    dtype = getattr(x, "dtype", None)
    if dtype is None:
        return g
    if isinstance(g, _SCALARS) and not isinstance(g, np.generic):
        return g if _shape(x) else dtype.type(g)
    return g if g.dtype == dtype else g.astype(dtype)


def ratio(x: Array, z: Array) -> Array:
    """`x / z`, and 0 where `z` is 0: the subgradient of a norm at the origin."""
    if isinstance(z, float):
        return x / z if z else x * 0.0
    zero = z == 0
    return np.where(zero, 0, x) / np.where(zero, 1, z) if np.any(zero) else x / z


def root_adjoint(g: Array, y: Array) -> Array:
    """`g / (2 * y)` for a square root y: 0 where no gradient comes in, also at 0; inf where it is infinite."""
    if isinstance(y, float):
        return g / (2 * y) if y else (g * np.inf if g else g * 0.0)
    return g / (2 * y) if np.all(y) else g * np.where(g == 0, 0, 1) / np.where(g == 0, 1, 2 * y)


def power_slope(x: Array, p: Array, n: int = 1) -> Array:
    """The n-th derivative of `x ** p` in x: 0 where a factor p - i is, also at x = 0."""
    factor = p
    for i in range(1, n):
        factor = factor * (p - i)
    if not isinstance(p, _SCALARS):
        return factor * x ** np.where(factor == 0, 1, p - n)
    if not factor:
        return x * 0.0
    if isinstance(x, _SCALARS) and x == 0 and p < n:  # type: ignore[operator]
        return factor * np.inf  # Python raises where numpy gives inf
    return factor * x ** (p - n)


def log_or_zero(x: Array) -> Array:
    """`log(x)`, and 0 where `x` is 0: `0 ** p` does not vary with p."""
    return np.log(np.where(x == 0, 1, x))


def scatter_add(dx: Array, index: Any, g: Array) -> None:
    """`dx[index] += g`, also right where an array of integers names an element twice."""
    parts = index if isinstance(index, tuple) else (index,)
    if all(_names_once(part) for part in parts):
        dx[index] += g
    else:
        np.add.at(dx, index, g)


def _names_once(part: Any) -> bool:
    if isinstance(part, list):
        return False
    return (
        not _shape(part) or part.dtype == bool
        if hasattr(part, "dtype")
        else not isinstance(part, range)
    )


# Copies of what a function writes to.


def copy_shared(*values: Any) -> tuple[Any, ...]:
    """Copies of the arrays in the values and their containers; strides and shared memory are kept."""
    arrays = {id(a): a for value in values for a in _arrays(value)}
    copies: dict[int, Any] = {}
    for group in _overlapping(list(arrays.values())):
        copies.update(_copy_group(group))
    return tuple(_rebuilt(value, copies) for value in values)


def _arrays(value: Any) -> list[Any]:
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (tuple, list)):
        return []
    return [a for item in value for a in _arrays(item)]


def _address(a: Any) -> int:
    return int(a.__array_interface__["data"][0])


def _bounds(a: Any) -> tuple[int, int]:
    """The first byte of an array and the one after its last."""
    if not a.size:
        return _address(a), _address(a)
    ends = [(n - 1) * s for n, s in zip(a.shape, a.strides, strict=True)]
    start = _address(a)
    return start + sum(e for e in ends if e < 0), start + sum(e for e in ends if e > 0) + a.itemsize


def _overlapping(arrays: list[Any]) -> list[list[Any]]:
    """Groups of arrays whose extents in memory overlap."""
    groups: list[list[Any]] = []
    end = -1
    for low, high, a in sorted(((*_bounds(a), a) for a in arrays), key=lambda entry: entry[:2]):
        if groups and low < end:
            groups[-1].append(a)
            end = max(end, high)
        else:
            groups.append([a])
            end = high
    return groups


def _copy_group(group: list[Any]) -> dict[int, Any]:
    """Array's id -> its copy; the copies lie in one new buffer as the arrays do in theirs."""
    copy: Any
    first = group[0]
    if len(group) == 1 and (first.flags.forc or first.dtype.hasobject):
        copy = first.copy(order="K")
        copy.flags.writeable = first.flags.writeable
        return {id(first): copy}
    low = min(_bounds(a)[0] for a in group)
    high = max(_bounds(a)[1] for a in group)
    lead = low % 16  # keeps the alignment
    buffer = np.zeros(lead + high - low, np.uint8)
    copies = {}
    for a in group:
        copy = np.ndarray(a.shape, a.dtype, buffer, lead + _address(a) - low, a.strides)
        copy[...] = a
        copy.flags.writeable = a.flags.writeable
        copies[id(a)] = copy
    return copies


def _rebuilt(value: Any, copies: dict[int, Any]) -> Any:
    """The value with its arrays replaced; a container that occurs twice stays one."""
    if id(value) in copies:
        return copies[id(value)]
    if not _arrays(value):
        return value
    if isinstance(value, dict):
        new: Any = type(value)()
        copies[id(value)] = new
        new.update((key, _rebuilt(item, copies)) for key, item in value.items())
        return new
    if isinstance(value, list):
        new = type(value)()
        copies[id(value)] = new
        new.extend(_rebuilt(item, copies) for item in value)
        return new
    items = [_rebuilt(item, copies) for item in value]
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)


# Reductions.


def others(x: Array, y: Array, axis: Any = None) -> Array:
    """For each element the product `y` along `axis` without it; y has the axes of x."""
    if np.all((y != 0) & np.isfinite(y)):
        return y / x
    rank = len(x.shape)
    axes = tuple(range(rank)) if axis is None else tuple(np.atleast_1d(np.mod(axis, rank)).tolist())
    moved = np.moveaxis(x, axes, range(-len(axes), 0))
    rows = moved.reshape(*moved.shape[: rank - len(axes)], -1)
    one = np.ones_like(rows[..., :1])
    before = np.cumprod(np.concatenate((one, rows[..., :-1]), -1), -1)
    after = np.cumprod(np.concatenate((one, rows[..., :0:-1]), -1), -1)[..., ::-1]
    return np.moveaxis((before * after).reshape(moved.shape), range(-len(axes), 0), axes)


def norm_slope(x: Array, y: Array, ord: Any = None, axis: Any = None) -> Array:
    """The derivative of `y = np.linalg.norm(x, ord, axis)`, 0 at the origin; y has the axes of x."""
    rank = len(x.shape)
    if ord is None or ord == "fro":
        return ratio(x, y)
    if axis is None and rank == 2:
        axis = (0, 1)
    if isinstance(axis, tuple) and len(axis) == 2:
        return _matrix_norm_slope(x, y, ord, axis[0] % rank, axis[1] % rank)
    if ord == 2:
        return ratio(x, y)
    if ord == 1:
        return np.sign(x)
    if ord == 0:
        return np.zeros_like(x)
    if np.isinf(ord):
        return np.sign(x) * share(np.abs(x), y, axis)
    return np.sign(x) * ratio(np.abs(x), y) ** (ord - 1)


def _matrix_norm_slope(x: Array, y: Array, ord: Any, rows: int, columns: int) -> Array:
    if ord in (1, -1, np.inf, -np.inf):
        summed, kept = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = np.sum(np.abs(x), axis=summed, keepdims=True)
        return np.sign(x) * share(sums, y, kept)
    m = np.moveaxis(x, (rows, columns), (-2, -1))
    u, s, vt = np.linalg.svd(m, full_matrices=False)
    if ord == "nuc":
        weights = (s > 0).astype(s.dtype)
    else:
        extreme = np.max(s, -1, keepdims=True) if ord == 2 else np.min(s, -1, keepdims=True)
        weights = share(s, extreme, -1) * (s > 0)
    return np.moveaxis((u * weights[..., None, :]) @ vt, (-2, -1), (rows, columns))


def quantile_adjoint(g: Array, x: Array, q: Any, axis: Any = None) -> Array:
    """The gradient of `np.quantile(x, q, axis)`, which takes two neighbours in order."""
    rank = len(x.shape)
    axes = tuple(range(rank)) if axis is None else tuple(np.atleast_1d(np.mod(axis, rank)).tolist())
    moved = np.moveaxis(x, axes, range(-len(axes), 0))
    rows = moved.reshape(*moved.shape[: rank - len(axes)], -1)
    order = np.argsort(rows, axis=-1, kind="stable")
    q = np.asarray(q)
    heads = np.reshape(g, (q.size, *rows.shape[:-1], 1))
    drows = np.zeros_like(rows)
    for head, position in zip(heads, (q.ravel() * (rows.shape[-1] - 1)).tolist(), strict=True):
        low = int(position)
        high = min(low + 1, rows.shape[-1] - 1)
        for place, weight in ((low, 1 - (position - low)), (high, position - low)):
            at = order[..., place : place + 1]
            np.put_along_axis(drows, at, np.take_along_axis(drows, at, -1) + head * weight, -1)
    return np.moveaxis(drows.reshape(moved.shape), range(-len(axes), 0), axes)


def cumsum_adjoint(g: Array, x: Array, axis: int | None = None) -> Array:
    """The sums from each element to the end."""
    if axis is None:
        return np.cumsum(g[::-1])[::-1].reshape(x.shape)
    return np.flip(np.cumsum(np.flip(g, axis), axis), axis)


def cumprod_adjoint(g: Array, x: Array, axis: int | None = None) -> Array:
    """The gradient of `np.cumprod`, right at zeros: y[i] = y[i - 1] * x[i] taken back."""
    if axis is None:
        return cumprod_adjoint(g, x.ravel(), 0).reshape(x.shape)
    xs, gs = np.moveaxis(x, axis, 0), np.moveaxis(g, axis, 0)
    dx = np.empty_like(xs)
    ys = np.cumprod(xs, 0)
    carry = np.zeros_like(xs[0]) if len(xs) else xs
    for i in range(len(xs) - 1, -1, -1):
        carry = carry + gs[i]
        dx[i] = carry * ys[i - 1] if i else carry
        carry = carry * xs[i]
    return np.moveaxis(dx, 0, axis)


def cumprod_tangent(x_dot: Array, x: Array, axis: int | None = None) -> Array:
    """The tangent of `y = np.cumprod(x, axis)`, right at zeros: y[i] = y[i - 1] * x[i] moved along."""
    if axis is None:
        return cumprod_tangent(x_dot.ravel(), x.ravel(), 0)
    xs, moves = np.moveaxis(x, axis, 0), np.moveaxis(x_dot, axis, 0)
    ys = np.cumprod(xs, 0)
    y_dot = moves.copy()
    for i in range(1, len(xs)):
        y_dot[i] = y_dot[i - 1] * xs[i] + ys[i - 1] * moves[i]
    return np.moveaxis(y_dot, 0, axis)


def diff_adjoint(g: Array, n: int = 1, axis: int = -1) -> Array:
    """The adjoint of `np.diff(x, n, axis)`: differences of the zero-padded gradient, negated."""
    g = np.moveaxis(g, axis, -1)
    for _ in range(n):
        g = -np.diff(np.pad(g, [(0, 0)] * (g.ndim - 1) + [(1, 1)]))
    return np.moveaxis(g, -1, axis)


def trapezoid_weights(x: Array) -> Array:
    """What each value of an integrand at the abscissae `x` counts in `np.trapezoid`."""
    widths = np.pad(np.diff(x), 1)
    return (widths[1:] + widths[:-1]) / 2


def interp_slope(x: Array, xp: Array, fp: Array) -> Array:
    """The slope of `np.interp(x, xp, fp)`: the segment to the right at a node, 0 outside."""
    xp, fp = np.asarray(xp), np.asarray(fp)
    i = np.clip(np.searchsorted(xp, x, "right"), 1, len(xp) - 1)
    slope = (fp[i] - fp[i - 1]) / (xp[i] - xp[i - 1])
    return slope * ((xp[0] <= x) & (x <= xp[-1]))


def interp_adjoint(g: Array, x: Array, xp: Array, fp: Array) -> Array:
    """The gradient of the values `fp` in `np.interp(x, xp, fp)`."""
    xp = np.asarray(xp)
    i = np.clip(np.searchsorted(xp, x, "right"), 1, len(xp) - 1)
    t = np.clip((x - xp[i - 1]) / (xp[i] - xp[i - 1]), 0, 1)
    df = np.zeros_like(fp)
    np.add.at(df, i - 1, g * (1 - t))
    np.add.at(df, i, g * t)
    return df


# Shapes and positions.


def inverse(axes: Sequence[int]) -> tuple[int, ...]:
    """The permutation of axes that undoes `axes`."""
    return tuple(np.argsort(np.mod(axes, len(axes))).tolist())


def part(g: Array, xs: Sequence[Array], k: int, axis: int | None = 0) -> Array:
    """The part of `g` that is `xs[k]`'s after a join along `axis`; one of lower rank has length 1."""
    shape = _shape(xs[k])
    if axis is None:
        lengths = [int(np.prod(_shape(x))) for x in xs]
        axis = 0
    else:
        lengths = [_shape(x)[axis] if len(_shape(x)) == g.ndim else 1 for x in xs]
    start = sum(lengths[:k])
    before = (slice(None),) * (axis % g.ndim)
    found = g[(*before, slice(start, start + lengths[k]))]
    return found if found.shape == shape else found.reshape(shape)


def swapped(xs: Sequence[Array], k: int, x: Array) -> tuple[Array, ...]:
    """`xs` with `x` in place of its element k."""
    return (*xs[:k], x, *xs[k + 1 :])


def join(g: Sequence[Array | None], ys: Sequence[Array], axis: int = 0) -> Array:
    """The gradient of an array that was split into `ys`; a gradient of None is zero."""
    return np.concatenate(
        [np.zeros_like(y) if d is None else d for d, y in zip(g, ys, strict=True)], axis
    )


def meshgrid_adjoint(
    g: Sequence[Array | None], xs: Sequence[Array], k: int, indexing: str = "xy"
) -> Array:
    """The gradient of the k-th axis of a grid."""
    head = g[k]
    if head is None:
        return np.zeros_like(xs[k])
    axis = 1 - k if indexing == "xy" and k < 2 and len(xs) > 1 else k
    return np.sum(head, axis=tuple(i for i in range(head.ndim) if i != axis)).reshape(_shape(xs[k]))


def unique_adjoint(g: Array | None, x: Array) -> Array:
    """The gradient of `np.unique(x)`: to the first of equal elements."""
    dx = np.zeros_like(x)
    if g is not None:
        dx.reshape(-1)[np.unique(x, return_index=True)[1]] = g
    return dx


def sort_adjoint(g: Array, x: Array, axis: int | None = -1) -> Array:
    """The gradient of `np.sort(x, axis)`: each element's goes back to where it came from."""
    if axis is None:
        return sort_adjoint(g, x.ravel(), 0).reshape(x.shape)
    dx = np.empty_like(x)
    np.put_along_axis(dx, np.argsort(x, axis=axis, kind="stable"), g, axis)
    return dx


def take_adjoint(g: Array, x: Array, indices: Any, axis: int | None = None) -> Array:
    """The gradient of `np.take(x, indices, axis)`."""
    dx = np.zeros_like(x)
    if axis is None:
        np.add.at(dx.reshape(-1), indices, g)
    else:
        np.add.at(dx, (slice(None),) * (axis % dx.ndim) + (indices,), g)
    return dx


def take_along_axis_adjoint(g: Array, x: Array, indices: Array, axis: int | None = -1) -> Array:
    """The gradient of `np.take_along_axis(x, indices, axis)`."""
    dx = np.zeros_like(x)
    if axis is None:
        np.add.at(dx.reshape(-1), indices, g)
        return dx
    places: list[Any] = list(np.ix_(*(np.arange(n) for n in indices.shape)))
    places[axis] = indices
    np.add.at(dx, tuple(places), g)
    return dx


def diagonal_adjoint(g: Array, x: Array, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Zeros like `x` with `g` on its diagonal."""
    dx = np.zeros_like(x)
    m = np.moveaxis(dx, (axis1, axis2), (-2, -1))
    i = np.arange(max(0, min(m.shape[-2] + min(offset, 0), m.shape[-1] - max(offset, 0))))
    m[..., i - min(offset, 0), i + max(offset, 0)] = g
    return dx


def pad_adjoint(g: Array, x: Array, pad_width: Any, mode: str = "constant") -> Array:
    """The gradient of `np.pad(x, pad_width, mode)`, for the modes that copy elements of x."""
    if isinstance(pad_width, dict):
        pad_width = [pad_width.get(i, pad_width.get(i - x.ndim, (0, 0))) for i in range(x.ndim)]
        pad_width = [(w, w) if isinstance(w, int) else w for w in pad_width]
    widths = np.broadcast_to(np.asarray(pad_width), (x.ndim, 2)).tolist()
    if mode == "constant":
        return g[tuple(slice(a, a + n) for (a, _), n in zip(widths, x.shape, strict=True))]
    for axis, (width, n) in enumerate(zip(widths, x.shape, strict=True)):
        shape = (*g.shape[:axis], n, *g.shape[axis + 1 :])
        source = np.pad(np.arange(n), width, mode=mode)  # type: ignore[call-overload]
        dx = np.zeros(shape, g.dtype)
        np.add.at(dx, (slice(None),) * axis + (source,), g)
        g = dx
    return g


def repeat_adjoint(g: Array, x: Array, repeats: Any, axis: int | None = None) -> Array:
    """The gradient of `np.repeat(x, repeats, axis)`."""
    if axis is None:
        flat = np.reshape(x, -1)
        return repeat_adjoint(g, flat, repeats, 0).reshape(_shape(x))
    axis %= x.ndim
    if np.ndim(repeats) == 0:
        shape = (*x.shape[: axis + 1], repeats, *x.shape[axis + 1 :])
        return np.sum(g.reshape(shape), axis=axis + 1)
    source = np.repeat(np.arange(x.shape[axis]), repeats)
    dx = np.zeros_like(x)
    np.add.at(dx, (slice(None),) * axis + (source,), g)  # type: ignore[arg-type]
    return dx


def tile_adjoint(g: Array, x: Array, reps: Any) -> Array:
    """The gradient of `np.tile(x, reps)`."""
    times = tuple(np.atleast_1d(reps).tolist())
    shape = _shape(x)
    rank = max(len(times), len(shape))
    times = (1,) * (rank - len(times)) + times
    lengths = (1,) * (rank - len(shape)) + shape
    pairs = [n for pair in zip(times, lengths, strict=True) for n in pair]
    return np.sum(g.reshape(pairs), axis=tuple(range(0, 2 * rank, 2))).reshape(shape)


# Linear algebra.


def _columns(x: Array) -> Array:
    """The transpose of the last two axes."""
    return np.swapaxes(x, -1, -2)


def _matmul_operands(g: Array, x: Array, w: Array) -> tuple[Array, Array, Array]:
    """The three as stacks of matrices."""
    if w.ndim == 1:
        g, w = np.asarray(g)[..., None], w[:, None]
    if x.ndim == 1:
        g, x = g[..., None, :], x[None, :]
    return g, x, w


def matmul_left(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `x` in `x @ w`, for any ranks."""
    g, left, right = _matmul_operands(g, x, w)
    return unbroadcast(g @ _columns(right), left).reshape(x.shape)


def matmul_right(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `w` in `x @ w`, for any ranks."""
    g, left, right = _matmul_operands(g, x, w)
    return unbroadcast(_columns(left) @ g, right).reshape(w.shape)


def dot_left(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `x` in `np.dot(x, w)`, for any ranks."""
    if not _shape(x) or not _shape(w):
        return unbroadcast(g * w, x)
    if w.ndim == 1:
        return np.multiply.outer(g, w)
    axes = [i for i in range(w.ndim) if i != w.ndim - 2]
    return np.tensordot(g, w, (range(x.ndim - 1, g.ndim), axes))


def dot_right(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `w` in `np.dot(x, w)`, for any ranks."""
    if not _shape(x) or not _shape(w):
        return unbroadcast(g * x, w)
    axes = range(x.ndim - 1)
    dw = np.tensordot(x, g, (axes, axes))
    return np.moveaxis(dw, 0, -2) if w.ndim > 1 else dw


def solve_left(g: Array, y: Array, a: Array, b: Array) -> Array:
    """The gradient of `a` in `y = np.linalg.solve(a, b)`, for stacks."""
    if b.ndim == 1:
        g, y = g[..., None], y[..., None]
    return unbroadcast(-np.linalg.solve(_columns(a), g) @ _columns(y), a)


def solve_right(g: Array, a: Array, b: Array) -> Array:
    """The gradient of `b` in `np.linalg.solve(a, b)`, for stacks."""
    if b.ndim == 1:
        return unbroadcast(np.linalg.solve(_columns(a), g[..., None])[..., 0], b)
    return unbroadcast(np.linalg.solve(_columns(a), g), b)


def solve_tangent(a_dot: Array, a: Array, y: Array, b: Array) -> Array:
    """What `a_dot` takes from the tangent of `y = np.linalg.solve(a, b)`, for stacks."""
    if b.ndim == 1:
        return np.linalg.solve(a, a_dot @ y[..., None])[..., 0]
    return np.linalg.solve(a, a_dot @ y)


def det_slope(x: Array) -> Array:
    """The cofactors of `x`, the derivative of its determinant, also where it is singular."""
    u, s, vt = np.linalg.svd(x)
    sign = np.linalg.det(u) * np.linalg.det(vt)
    cofactors = others(s, np.prod(s, -1, keepdims=True), -1)
    return sign[..., None, None] * ((u * cofactors[..., None, :]) @ vt)


def cholesky_adjoint(g: Array, y: Array) -> Array:
    """The gradient of the lower triangle, all that `np.linalg.cholesky` reads (Murray 2016)."""
    n = y.shape[-1]
    half = np.tril(_columns(y) @ g)
    half[..., range(n), range(n)] /= 2
    inner = np.linalg.solve(_columns(y), half)
    s = _columns(np.linalg.solve(_columns(y), _columns(inner)))
    dx = np.tril(s + _columns(s))
    dx[..., range(n), range(n)] /= 2
    return dx


def cholesky_tangent(x_dot: Array, y: Array) -> Array:
    """The tangent of `y = np.linalg.cholesky(x)`, of which the lower triangle counts."""
    whole = np.tril(x_dot) + _columns(np.tril(x_dot, -1))
    inner = np.tril(np.linalg.solve(y, _columns(np.linalg.solve(y, whole))))
    return y @ (inner - inner * np.eye(y.shape[-1], dtype=y.dtype) / 2)


def kron_left(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `x` in `np.kron(x, w)`."""
    blocks, _, right = _kron_operands(g, x, w)
    return np.sum(blocks * right, axis=tuple(range(1, blocks.ndim, 2))).reshape(_shape(x))


def kron_right(g: Array, x: Array, w: Array) -> Array:
    """The gradient of `w` in `np.kron(x, w)`."""
    blocks, left, _ = _kron_operands(g, x, w)
    return np.sum(blocks * left, axis=tuple(range(0, blocks.ndim, 2))).reshape(_shape(w))


def _kron_operands(g: Array, x: Array, w: Array) -> tuple[Array, Array, Array]:
    """g, x and w with an axis of x and one of w in turn."""
    rank = max(len(_shape(x)), len(_shape(w)))
    m = (1,) * (rank - len(_shape(x))) + _shape(x)
    n = (1,) * (rank - len(_shape(w))) + _shape(w)
    left = [length for a in m for length in (a, 1)]
    right = [length for b in n for length in (1, b)]
    both = [length for pair in zip(m, n, strict=True) for length in pair]
    return np.reshape(g, both), np.reshape(x, left), np.reshape(w, right)


def tensordot_adjoint(g: Array, k: int, x: Array, w: Array, axes: Any = 2) -> Array:
    """The gradient of operand k of `np.tensordot(x, w, axes)`."""
    if np.ndim(axes) == 0 and not isinstance(axes, (tuple, list)):
        axes = range(x.ndim - axes, x.ndim), range(axes)
    first, second = (
        tuple(np.atleast_1d(list(a) if isinstance(a, range) else a).tolist()) for a in axes
    )
    left = list(string.ascii_letters[: x.ndim])
    right = list(string.ascii_letters[x.ndim : x.ndim + w.ndim])
    for i, j in zip(first, second, strict=True):
        right[j] = left[i]
    out = [s for s in left if s not in right] + [s for s in right if s not in left]
    return einsum_adjoint(g, f"{''.join(left)},{''.join(right)}->{''.join(out)}", k, x, w)


def einsum_adjoint(g: Array, subscripts: str, k: int, *xs: Array) -> Array:
    """The gradient of operand k of `np.einsum(subscripts, *xs)`."""
    terms, out = _einsum_labels(subscripts, [len(_shape(x)) for x in xs])
    x, own = xs[k], "".join(dict.fromkeys(terms[k]))
    rest = [(term, other) for i, (term, other) in enumerate(zip(terms, xs, strict=True)) if i != k]
    known = set(out).union(*(term for term, _ in rest))
    target = "".join(label for label in own if label in known)
    formula = ",".join([out, *(term for term, _ in rest)]) + "->" + target
    d = np.einsum(formula, g, *(other for _, other in rest), optimize=len(rest) > 1)
    lengths = dict(zip(terms[k], _shape(x), strict=True))
    want = tuple(lengths[label] for label in own)
    d = d.reshape([n for label, n in _expanded(own, target, d.shape)])
    d = unbroadcast(d, np.empty(want, bool)) if any(n == 1 for n in want) else d
    if len(own) == len(terms[k]):
        return d if d.shape == want else np.broadcast_to(d, want)
    dx = np.zeros_like(x)
    np.einsum(f"{terms[k]}->{own}", dx)[...] = d
    return dx


def _expanded(own: str, target: str, shape: Shape) -> list[tuple[str, int]]:
    """The labels of an operand with the lengths that its gradient has so far, 1 for those summed away."""
    have = dict(zip(target, shape, strict=True))
    return [(label, have.get(label, 1)) for label in own]


def _einsum_labels(subscripts: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """The labels of each operand and of the result; an ellipsis becomes labels not otherwise used."""
    inputs, arrow, out = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if not arrow:
        letters = inputs.replace(",", "").replace(".", "")
        out = "..." * ("..." in inputs) + "".join(
            sorted(s for s in set(letters) if letters.count(s) == 1)
        )
    free = [s for s in string.ascii_letters if s not in subscripts]
    hidden = [rank - len(term.replace("...", "")) for term, rank in zip(terms, ranks, strict=True)]
    fill = "".join(free[: max(hidden, default=0)])
    spelt = [t.replace("...", fill[len(fill) - n :]) for t, n in zip(terms, hidden, strict=True)]
    return spelt, out.replace("...", fill)


def slogdet_adjoint(g: Sequence[Array | None], x: Array) -> Array:
    """The gradient of `np.linalg.slogdet(x)`: that of the logarithm; the sign is constant."""
    if g[1] is None:
        return np.zeros_like(x)
    return np.expand_dims(g[1], (-2, -1)) * _columns(np.linalg.inv(x))
