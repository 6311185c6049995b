"""The truth: numeric differentiation that knows nothing of the library.

Central differences in float64, extrapolated twice after Richardson: the error is of the sixth order
in the step.
"""

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

STEP = 2e-3
BANDS = {np.dtype(np.float64): 1e-6, np.dtype(np.float32): 2e-3}


def copy_arguments(args: Sequence[Any], promote: bool = False) -> tuple[Any, ...]:
    """Copy arguments with their strides and what they share; `promote` makes float32 float64."""
    buffers: dict[int, np.ndarray] = {}
    return tuple(_copied(arg, buffers, promote) for arg in args)


def final_value(
    function: Callable[..., Any], args: Sequence[Any], written: tuple[int, ...] | None = None
) -> Any:
    """Call the function; its value, or the final state of the arrays it wrote if it returns None.

    The function gets these very arguments and writes to them. `written` says which arrays count; by
    default the float arrays whose bytes changed.
    """
    before = [_state(arg) for arg in args]
    value = function(*args)
    if value is not None:
        return value
    if written is None:
        written = _changed(before, args)
    states = tuple(args[i] for i in written)
    return states[0] if len(states) == 1 else states


def random_head(value: Any, seed: int = 0) -> Any:
    """A head gradient of the structure, shape and dtype of the value, with no entry near zero."""
    return _heads(value, np.random.default_rng(seed))


def numeric_gradient(
    function: Callable[..., Any],
    args: Sequence[Any],
    wrt: int,
    head: Any,
    *,
    step: float = STEP,
    written: tuple[int, ...] | None = None,
) -> Any:
    """The gradient of sum(head * value) by args[wrt]: a float for a scalar, else an array.

    A tuple or list of arrays gives a tuple or list. An argument that shares memory with args[wrt]
    moves along with it. The arguments are left as they were.
    """
    if written is None:
        written = _written(function, args)

    def along(place: tuple[int, ...], index: tuple[int, ...]) -> Callable[[float], float]:
        def weighed(distance: float) -> float:
            moved = list(copy_arguments(args, promote=True))
            moved[wrt] = _moved(moved[wrt], place, index, distance)
            with np.errstate(all="ignore"):
                return _inner(head, final_value(function, moved, written))

        return weighed

    def leaf(x: Any, place: tuple[int, ...]) -> Any:
        if isinstance(x, (tuple, list)):
            return _as(x, (leaf(part, (*place, k)) for k, part in enumerate(x)))
        gradient = np.zeros(np.shape(x))
        for index in np.ndindex(*np.shape(x)):
            size = step * max(1.0, abs(float(x[index] if index else x)))
            gradient[index] = _richardson(along(place, index), size)
        return gradient if isinstance(x, np.ndarray) else float(gradient)

    return leaf(args[wrt], ())


def assert_close(actual: Any, expected: Any, what: str, dtype: Any = np.float64) -> None:
    """Compare structure, shape and numbers, relative to the largest entry of what is expected."""
    if isinstance(expected, (tuple, list)):
        assert isinstance(actual, (tuple, list)), (
            f"{what}: {type(actual).__name__}, not {type(expected).__name__}"
        )
        assert len(actual) == len(expected), f"{what}: {len(actual)} parts, not {len(expected)}"
        for k, (one, other) in enumerate(zip(actual, expected, strict=True)):
            assert_close(one, other, f"{what}[{k}]", dtype)
        return
    assert actual is not None, f"{what}: None, expected {expected}"
    assert np.shape(actual) == np.shape(expected), (
        f"{what}: {np.shape(actual)}, not {np.shape(expected)}"
    )
    if np.size(expected) == 0:
        return
    band = BANDS.get(np.dtype(dtype), BANDS[np.dtype(np.float64)])
    scale = max(float(np.max(np.abs(expected))), 1e-3)
    distance = float(np.max(np.abs(np.asarray(actual, dtype=np.float64) - expected)))
    assert distance <= band * scale, (
        f"{what}: off by {distance:.3g} (scale {scale:.3g})\n{actual}\nnot\n{expected}"
    )


def _richardson(along: Callable[[float], float], h: float) -> float:
    """The derivative at 0 from three central differences."""
    coarse, middle, fine = ((along(s) - along(-s)) / (2 * s) for s in (h, h / 2, h / 4))
    first, second = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
    return (16 * second - first) / 15


def _as(x: Any, parts: Iterable[Any]) -> Any:
    """A list or tuple of the type of `x`."""
    return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)


def _copied(arg: Any, buffers: dict[int, np.ndarray], promote: bool) -> Any:
    if isinstance(arg, (tuple, list)):
        return _as(arg, (_copied(part, buffers, promote) for part in arg))
    if isinstance(arg, np.float32) and promote:
        return np.float64(arg)
    if not isinstance(arg, np.ndarray):
        return copy.deepcopy(arg)
    root = arg
    while isinstance(root.base, np.ndarray):
        root = root.base
    dtype = np.dtype(np.float64) if promote and root.dtype == np.float32 else root.dtype
    if id(root) not in buffers:
        buffers[id(root)] = root.astype(dtype, order="K")
    whole = buffers[id(root)]
    ratio = dtype.itemsize // root.itemsize
    strides = zip(root.shape, whole.strides, root.strides, strict=True)
    if root.size and any(n > 1 and new != ratio * old for n, new, old in strides):
        raise ValueError("cannot copy an array over a foreign buffer with its strides")
    if arg is root:
        return whole
    return np.ndarray(
        arg.shape,
        dtype=dtype if arg.dtype == root.dtype else arg.dtype,
        buffer=_flat(whole),
        offset=(_address(arg) - _address(root)) * ratio if arg.size else 0,
        strides=tuple(ratio * s for s in arg.strides),
    )


def _flat(owner: np.ndarray) -> np.ndarray:
    """The buffer of a contiguous array of any order as one line."""
    return owner.ravel(order="K")


def _address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def _moved(x: Any, place: tuple[int, ...], index: tuple[int, ...], distance: float) -> Any:
    if place:
        parts = list(x)
        parts[place[0]] = _moved(parts[place[0]], place[1:], index, distance)
        return _as(x, parts)
    if not isinstance(x, np.ndarray):
        return x + distance
    x[index] += distance
    return x


def _inner(head: Any, value: Any) -> float:
    if isinstance(value, (tuple, list)):
        return sum(_inner(g, part) for g, part in zip(head, value, strict=True))
    return float(np.sum(np.asarray(head, dtype=np.float64) * value))


def _heads(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, (tuple, list)):
        return _as(value, (_heads(part, rng) for part in value))
    head = rng.uniform(0.5, 1.5, np.shape(value)) * rng.choice([-1.0, 1.0], np.shape(value))
    if isinstance(value, (np.ndarray, np.generic)):
        head = np.asarray(head, dtype=value.dtype)
    return (
        head
        if isinstance(value, np.ndarray)
        else head[()]
        if np.ndim(head) == 0 and isinstance(value, np.generic)
        else float(head)
    )


def _written(function: Callable[..., Any], args: Sequence[Any]) -> tuple[int, ...]:
    scratch = copy_arguments(args)
    before = [_state(arg) for arg in scratch]
    function(*scratch)
    return _changed(before, scratch)


def _changed(before: Sequence[bytes | None], args: Sequence[Any]) -> tuple[int, ...]:
    return tuple(
        i for i, arg in enumerate(args) if before[i] is not None and before[i] != _state(arg)
    )


def _state(arg: Any) -> bytes | None:
    """The bytes of a float array; None for anything else."""
    if isinstance(arg, np.ndarray) and arg.dtype.kind == "f":
        return arg.tobytes()
    return None
