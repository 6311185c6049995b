"""Arrays of any lengths for the functions whose operands have lengths that go together in a way of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st
from rule_samples import Sample, values

Draw = Callable[[Any], Any]


def number(draw: Draw, low: int = 1, high: int = 5) -> int:
    return int(draw(st.integers(low, high)))


def shape(draw: Draw, low: int = 1, high: int = 3, least: int = 0) -> tuple[int, ...]:
    """Up to three axes, of lengths from zero on."""
    return tuple(number(draw, least, 4) for _ in range(number(draw, low, high)))


def axis_of(draw: Draw, rank: int) -> int:
    return int(draw(st.integers(-rank, rank - 1)))


def ascending(n: int) -> Any:
    return np.sort(values(n, low=0.1, high=0.95))


def cross(draw: Draw, sample: Sample) -> Sample:
    """Three elements along one axis, the others broadcast."""
    full = [*shape(draw, 0, 2), 3]
    cut = full[number(draw, 0, len(full) - 1) :]
    cut = [n if k == len(cut) - 1 or draw(st.booleans()) else 1 for k, n in enumerate(cut)]
    pair = [values(*full), values(*cut, seed=1)]
    if draw(st.booleans()):
        pair.reverse()
    return {"x": pair[0], "w": pair[1], "axis": -1}


def cross_and_head(draw: Draw, sample: Sample) -> Sample:
    """Vectors, and what their products are multiplied with."""
    found = cross(draw, sample)
    return found | {"h": np.cross(found["x"], found["w"])}


def two_polynomials(draw: Draw, sample: Sample) -> Sample:
    return {"p": values(number(draw)), "q": values(number(draw), seed=1)}


def of_roots(draw: Draw, sample: Sample) -> Sample:
    return {"r": values(number(draw, 0, 5))}


def gathered(draw: Draw, sample: Sample) -> Sample:
    """Places along an axis, as many as there are rows or one for all."""
    x = values(*shape(draw, 1, 3, least=1))
    if draw(st.integers(0, 4)) == 0:
        n = number(draw, 0, 4)
        at = np.array([number(draw, 0, x.size - 1) for _ in range(n)], int)
        return {"x": x, "axis": None, "indices": at, "h": values(n, seed=2)}
    axis = axis_of(draw, x.ndim)
    lengths = [n if draw(st.booleans()) else 1 for n in x.shape]
    lengths[axis] = number(draw, 0, 4)
    places = np.random.default_rng(number(draw)).integers(-x.shape[axis], x.shape[axis], lengths)
    found = np.take_along_axis(x, places, axis)
    return {"x": x, "axis": axis, "indices": places, "h": values(*found.shape, seed=2)}


def taken(draw: Draw, sample: Sample) -> Sample:
    x = values(*shape(draw, 1, 3, least=1))
    axis = None if draw(st.booleans()) else axis_of(draw, x.ndim)
    n = x.size if axis is None else x.shape[axis]
    rng = np.random.default_rng(number(draw))
    places = rng.integers(-n, n, shape(draw, 0, 2))
    found = np.take(x, places, axis)
    return {"x": x, "axis": axis, "indices": places, "h": values(*np.shape(found), seed=2)}


def at_places(draw: Draw, sample: Sample) -> Sample:
    x = values(*shape(draw, 1, 3))
    rng = np.random.default_rng(number(draw))
    return {
        "x": x,
        "at": rng.integers(-1, max(x.size, 1), number(draw, 0, 5)) if x.size else np.array([-1]),
    }


def in_pieces(draw: Draw, sample: Sample) -> Sample:
    x = values(*shape(draw, 1, 3, least=1))
    axis = axis_of(draw, x.ndim)
    rng = np.random.default_rng(number(draw))
    starts = rng.integers(0, x.shape[axis], number(draw, 1, 4)).tolist()
    found = np.add.reduceat(x, starts, axis)
    return {"x": x, "axis": axis, "indices": starts, "h": values(*found.shape, seed=2)}


def differences(draw: Draw, sample: Sample) -> Sample:
    x = values(*shape(draw, 1, 3))
    n, axis = number(draw, 0, 3), axis_of(draw, x.ndim)
    return {"x": x, "n": n, "axis": axis, "h": values(*np.diff(x, n, axis).shape, seed=2)}


def resized(draw: Draw, sample: Sample) -> Sample:
    return {"x": values(*shape(draw, 0, 3, least=1)), "new_shape": shape(draw, 0, 3)}


def interpolated(draw: Draw, sample: Sample) -> Sample:
    n = number(draw)
    return {
        "x": values(*shape(draw, 0, 3), low=0.0, high=1.1),
        "xp": ascending(n),
        "fp": values(n, seed=3),
    }


def integrated(draw: Draw, sample: Sample) -> Sample:
    rank = np.ndim(sample["v"])
    v = values(*shape(draw, rank, rank, least=1))
    axis = axis_of(draw, rank) if "axis" in sample and rank > 1 else -1
    x = None
    if np.ndim(sample.get("x")) > 1:
        x = np.sort(values(*v.shape, seed=1), axis)
    elif sample.get("x") is not None:
        x = ascending(v.shape[axis])
    return {"v": v, "axis": axis, "x": x}


def widths(draw: Draw, sample: Sample) -> Sample:
    return {"x": values(number(draw))}


def soft_maximum(draw: Draw, sample: Sample) -> Sample:
    x = values(*shape(draw, 1, 3, least=1))
    axis = draw(st.sampled_from([None, *range(-x.ndim, x.ndim), tuple(range(x.ndim))]))
    kept = x.shape[number(draw, 0, x.ndim) :]
    b = values(*(n if draw(st.booleans()) else 1 for n in kept), seed=1)
    return {"x": x, "b": b, "axis": axis, "keepdims": draw(st.booleans())}


def kronecker(draw: Draw, sample: Sample) -> Sample:
    x, w = values(*shape(draw)), values(*shape(draw), seed=1)
    return {"x": x, "w": w, "h": np.kron(x, w) + 0.1}


def convolved(draw: Draw, sample: Sample) -> Sample:
    """Each length of one at least that of the other, which is what is asked of "valid"."""
    rank = np.ndim(sample["x"])
    small = shape(draw, rank, rank, least=1)
    large = tuple(n + number(draw, 0, 3) for n in small)
    pair = [values(*large), values(*small, seed=1)]
    if draw(st.booleans()):
        pair.reverse()
    return {"x": pair[0], "w": pair[1]}


def part_of_convolution(draw: Draw, sample: Sample) -> Sample:
    x, w = values(number(draw)), values(number(draw), seed=1)
    n = {"full": len(x) + len(w) - 1, "same": max(len(x), len(w))}
    return {"x": x, "w": w, "h": values(n.get(sample["mode"], abs(len(x) - len(w)) + 1), seed=2)}


def full_convolution(draw: Draw, sample: Sample) -> Sample:
    x, w = values(number(draw)), values(number(draw), seed=1)
    return {"x": x, "w": w, "h": values(len(x) + len(w) - 1, seed=2)}


def with_norm(draw: Draw, sample: Sample) -> Sample:
    axis, order = sample["axis"], sample["ord"]
    rank = np.ndim(sample["x"])
    x = values(*shape(draw, rank, rank, least=1)) - 0.513
    return {"x": x, "r": np.asarray(np.linalg.norm(x, order, axis, keepdims=True))}


def with_vector_norm(draw: Draw, sample: Sample) -> Sample:
    x = values(*shape(draw, 2, 3, least=1)) - 0.513
    r = np.linalg.vector_norm(x, axis=sample["axis"], ord=sample["ord"], keepdims=True)
    return {"x": x, "r": r}


def correlations(draw: Draw, sample: Sample) -> Sample:
    if np.ndim(sample["x"]) == 1:
        return {"x": values(number(draw, 2))}
    m = number(draw)
    return {"x": values(m, number(draw, 2)), "h": values(m, m, seed=2) if m > 1 else 0.3}


def padded(draw: Draw, sample: Sample) -> Sample:
    x = values(*shape(draw, 1, 3, least=2))
    width = number(draw, 0, 1)
    return {"x": x, "h": values(*(n + 2 * width for n in x.shape), seed=2), "pad_width": width}


def factored(draw: Draw, sample: Sample) -> Sample:
    """As many columns as rows where the whole basis is asked for: what only fills it up has no derivative."""
    n = number(draw)
    m = n if sample.get("mode") in ("complete", "full") else number(draw)
    return {"x": values(n, m) + 2 * np.eye(n, m)}


def as_they_are(draw: Draw, sample: Sample) -> Sample:
    """Shapes that belong together in more ways than one stay."""
    return {}


MAKERS: dict[str, Callable[[Draw, Sample], Sample]] = {
    "np.cross": cross,
    "np.linalg.cross": cross,
    "cross_left": cross_and_head,
    "np.polymul": two_polynomials,
    "np.poly": of_roots,
    "join(hs, xs, axis, places, shape)": as_they_are,
    "np.take_along_axis": gathered,
    "take_along_axis_adjoint": gathered,
    "take_adjoint": taken,
    "taken_at": at_places,
    "reduceat_adjoint": in_pieces,
    "np.resize": resized,
    "diff_adjoint": differences,
    "lagged_products": as_they_are,  # SciPy filters nothing along no elements
    "np.interp": interpolated,
    "np.trapezoid": integrated,
    "scipy.integrate.trapezoid": integrated,
    "trapezoid_widths": widths,
    "scipy.special.logsumexp": soft_maximum,
    "kron_left": kronecker,
    "kron_right": kronecker,
    "widened": part_of_convolution,
    "narrowed": full_convolution,
    "norm_slope": with_norm,
    "vector_norm_slope": with_vector_norm,
    "corrcoef_adjoint": correlations,
    "pad_adjoint": padded,
    **dict.fromkeys(("banded_times", "outer_bands", "transposed_bands"), as_they_are),
    **dict.fromkeys(
        (
            "bspline",
            "bspline_adjoint",
            "piecewise_adjoint",
            "on_grid",
            "on_grid_slope",
            "on_grid_adjoint",
            "table_adjoint",
            "table_tangent",
        ),
        as_they_are,
    ),
    **dict.fromkeys(("on_axis", "off_axis"), as_they_are),
    # of no elements SciPy does not set what a filter keeps
    "scipy.signal.lfilter(b, a, x, axis=-1, zi=zi)": as_they_are,
    "np.linalg.qr": factored,
    "scipy.linalg.qr": factored,
    **dict.fromkeys(("joined_diff", "joined_diff_adjoint", "diagonal_block"), as_they_are),
    **{
        f"scipy.signal.{name}": convolved
        for name in ("convolve", "convolve2d", "fftconvolve", "correlate", "correlate2d")
    },
}
"""Function -> what draws its operands, and what goes with them; the rest is as in the sample at hand."""
